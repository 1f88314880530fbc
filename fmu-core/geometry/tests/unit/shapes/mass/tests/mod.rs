//! Closed forms against published numbers, limits and quadrature; polyhedra against both; cuts and
//! turns of all of them.

mod polyhedra;
mod properties;
mod quadrature;

use super::*;
use crate::math::rotation_matrix;
use crate::shapes::Axis;
use crate::shapes::samples::{at, posed};
use crate::shapes::shape::axis_rotation;
use quadrature::Rule;
use std::f64::consts::PI;

/// Largest error of mass, centre of mass and inertia, relative to the mass and to a length [m].
fn error(found: &MassProperties, expected: &MassProperties, length: f64) -> f64 {
    let mass = (found.mass - expected.mass).abs() / expected.mass;
    let center = (found.center_of_mass - expected.center_of_mass).amax() / length;
    let inertia = (found.inertia - expected.inertia).amax() / (expected.mass * length * length);
    mass.max(center).max(inertia)
}

fn assert_close(found: &MassProperties, expected: &MassProperties, tolerance: f64, of: &str) {
    let length = (expected.inertia.trace() / expected.mass).sqrt();
    let error = error(found, expected, length);
    assert!(
        error <= tolerance,
        "{of}: {error:e}\n{found:?}\n{expected:?}"
    );
}

fn along(axis: Axis, properties: MassProperties) -> MassProperties {
    properties.placed(&posed(Vec3::zeros(), axis_rotation(axis)))
}

fn lifted(properties: MassProperties, z: f64) -> MassProperties {
    properties.placed(&at(0.0, 0.0, z))
}

#[test]
fn sphere_has_the_textbook_values() {
    // Modia3D case BouncingSphereContactResults: mass 10^4 kg, d = 0.2 m gives 40 kg.m2.
    let density = 1e4 / (4.0 / 3.0 * std::f64::consts::PI * 1e-3);
    let sphere = MassProperties::sphere(0.2, density);
    assert!((sphere.mass - 1e4).abs() < 1e-11);
    assert!((sphere.inertia[(0, 0)] - 40.0).abs() < 1e-12);
}

#[test]
fn box_has_the_textbook_values() {
    // Modia3D case BouncingSphere: ground 4 x 0.1 x 0.7 m of steel, 8000 kg/m3.
    let ground = MassProperties::cuboid(&[4.0, 0.1, 0.7], 8000.0);
    assert!((ground.mass - 2240.0).abs() < 1e-11);
    let expected = [93.3333333333333, 3078.1333333333323, 2988.533333333333];
    for (i, value) in expected.iter().enumerate() {
        assert!((ground.inertia[(i, i)] / value - 1.0).abs() < 1e-13);
    }
}

#[test]
fn two_half_boxes_placed_and_turned_make_the_whole() {
    let whole = MassProperties::cuboid(&[2.0, 0.6, 0.4], 1.0);
    // The half has its long edge along its own y: turned by 90 degrees about z it lies along x.
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let half = MassProperties::cuboid(&[0.6, 1.0, 0.4], 1.0);
    let at = |x| posed(Vec3::new(x, 0.0, 0.0), rotation_matrix(&[h, 0.0, 0.0, h]));
    let both = half.placed(&at(-0.5)).combined(&half.placed(&at(0.5)));
    assert!((both.mass - whole.mass).abs() < 1e-15);
    assert!(both.center_of_mass.amax() < 1e-15);
    assert!((both.inertia - whole.inertia).amax() < 1e-15);
}

#[test]
fn beam_has_the_values_of_modia3d_along_every_axis() {
    // Modia3D test case BouncingBeams: 1 x 0.4 x 0.2 m of dry wood, 700 kg/m3.
    let beam = MassProperties::beam(1.0, 0.4, 0.2, 700.0);
    let (about_length, about_width, about_thickness) =
        (1.1679055848013717, 10.979468633160415, 11.656754758894436);
    for (axis, diagonal) in [
        (Axis::X, [about_length, about_width, about_thickness]),
        (Axis::Y, [about_thickness, about_length, about_width]),
        (Axis::Z, [about_width, about_thickness, about_length]),
    ] {
        let expected = MassProperties {
            mass: 73.59291886010286,
            center_of_mass: Vec3::zeros(),
            inertia: Mat3::from_diagonal(&Vec3::from(diagonal)),
        };
        assert_close(&along(axis, beam), &expected, 1e-15, "beam");
    }
}

#[test]
fn cylinder_has_the_textbook_values() {
    // m r^2/2 about the axis, m (3 r^2 + L^2)/12 across; a thin tube m r^2 about the axis.
    let cylinder = MassProperties::cylinder(0.2, 0.0, 1.0, 8000.0);
    let mass = 8000.0 * PI * 0.01;
    assert!((cylinder.mass / mass - 1.0).abs() < 1e-15);
    assert!((cylinder.inertia[(2, 2)] / (mass * 0.005) - 1.0).abs() < 1e-15);
    assert!((cylinder.inertia[(0, 0)] / (mass * 1.03 / 12.0) - 1.0).abs() < 1e-15);
    let tube = MassProperties::cylinder(0.2, 0.2 * (1.0 - 1e-12), 1.0, 8000.0);
    assert!((tube.inertia[(2, 2)] / (tube.mass * 0.01) - 1.0).abs() < 2e-12);
}

#[test]
fn cone_has_the_textbook_values() {
    // m = pi r^2 h/3, centre of mass at h/4 from the base, 3/10 m r^2 about the axis and
    // m (3/20 r^2 + 3/80 h^2) across [Meriam, Kraige: Dynamics, table of homogeneous solids].
    let (r, h, density) = (0.3, 0.7, 500.0);
    let cone = MassProperties::cone(2.0 * r, 0.0, h, density);
    let mass = density * PI * r * r * h / 3.0;
    let across = mass * (0.15 * r * r + 3.0 / 80.0 * h * h);
    let expected = MassProperties {
        mass,
        center_of_mass: Vec3::new(0.0, 0.0, h / 4.0),
        inertia: Mat3::from_diagonal(&Vec3::new(across, across, 0.3 * mass * r * r)),
    };
    assert_close(&cone, &expected, 1e-15, "cone");
}

#[test]
fn frustum_has_the_centre_of_mass_of_modia3d() {
    // Modia3D: L/4 (d^2 + 2 d D + 3 D^2)/(d^2 + d D + D^2), d base and D top diameter.
    let frustum = MassProperties::cone(0.2, 0.1, 0.6, 8000.0);
    let expected = 0.15 * (0.04 + 2.0 * 0.02 + 3.0 * 0.01) / (0.04 + 0.02 + 0.01);
    assert!((frustum.center_of_mass.z - expected).abs() < 1e-16);
}

#[test]
fn frustum_of_equal_ends_is_a_cylinder_and_of_nearly_equal_ends_nearly() {
    let length = 0.8;
    let shifted = |diameter| {
        MassProperties::cylinder(diameter, 0.0, length, 700.0).placed(&at(0.0, 0.0, 0.5 * length))
    };
    let cylinder = shifted(0.3);
    let frustum = MassProperties::cone(0.3, 0.3, length, 700.0);
    assert_close(&frustum, &cylinder, 1e-15, "equal ends");
    for difference in [1e-3, 1e-6, 1e-9, 1e-12] {
        let frustum = MassProperties::cone(0.3, 0.3 * (1.0 - difference), length, 700.0);
        assert_close(&frustum, &cylinder, 2.0 * difference, "nearly equal ends");
    }
}

#[test]
fn cone_and_cone_turned_over_are_the_same_solid() {
    let (base, top, length) = (0.5, 0.2, 0.9);
    let turned = MassProperties::cone(top, base, length, 700.0).placed(&posed(
        Vec3::new(0.0, 0.0, length),
        rotation_matrix(&[0.0, 1.0, 0.0, 0.0]),
    ));
    let cone = MassProperties::cone(base, top, length, 700.0);
    assert_close(&turned, &cone, 1e-15, "turned over");
}

#[test]
fn frustum_is_the_cone_without_its_tip() {
    // The tip from the middle of a cone up is a cone of half the size.
    let (cone, tip) = (
        MassProperties::cone(0.4, 0.0, 1.0, 700.0),
        MassProperties::cone(0.2, 0.0, 0.5, 700.0),
    );
    let frustum = MassProperties::cone(0.4, 0.2, 0.5, 700.0);
    let tip = tip.placed(&at(0.0, 0.0, 0.5));
    assert_close(&frustum.combined(&tip), &cone, 1e-15, "frustum and tip");
}

#[test]
fn ellipsoid_capsule_and_beam_have_their_limits() {
    let sphere = MassProperties::sphere(0.3, 700.0);
    let ellipsoid = MassProperties::ellipsoid(&[0.3; 3], 700.0);
    assert_close(&ellipsoid, &sphere, 1e-15, "ellipsoid of equal axes");
    let short = MassProperties::capsule(0.3, 0.0, 700.0);
    assert_close(&short, &sphere, 1e-15, "capsule without a cylinder");
    let disc = along(Axis::Y, MassProperties::cylinder(0.3, 0.0, 0.1, 700.0));
    let beam = MassProperties::beam(0.0, 0.3, 0.1, 700.0);
    assert_close(&beam, &disc, 1e-15, "beam without a box");
    for (diameter, length) in [(0.3, 0.7), (2.0, 1e-3)] {
        let capsule = MassProperties::capsule(diameter, length, 700.0);
        let tapered = MassProperties::tapered_capsule(diameter, diameter, length, 700.0);
        assert_close(&tapered, &capsule, 1e-15, "tapered capsule of equal ends");
    }
    // All but inside the large sphere, about whose centre it lies.
    let nearly = MassProperties::tapered_capsule(0.2, 0.8, 0.3 * (1.0 + 1e-9), 700.0);
    let sphere = lifted(MassProperties::sphere(0.8, 700.0), 0.15);
    assert_close(&nearly, &sphere, 1e-8, "tapered capsule in its sphere");
    let length = 1e6;
    let rod = MassProperties::cylinder(0.3, 0.0, length, 700.0);
    let capsule = MassProperties::capsule(0.3, length, 700.0);
    assert_close(&capsule, &rod, 1e-6, "long capsule");
}

#[test]
fn closed_forms_agree_with_quadrature() {
    let rule = Rule::new(24);
    let density = 730.0;
    for [a, b, c] in [[0.3, 0.7, 1.1], [1e-3, 0.02, 5.0], [2.0, 1.9, 0.05]] {
        // Solids of revolution in (radius, angle, z); s, u, v run from 0 to 1.
        let revolved = |inner: &dyn Fn(f64) -> f64, outer: &dyn Fn(f64) -> f64, z: [f64; 2]| {
            rule.solid(density, |[s, u, v]| {
                let (angle, z, height) = (2.0 * PI * u, z[0] + (z[1] - z[0]) * v, z[1] - z[0]);
                let (inner, outer) = (inner(z), outer(z));
                let r = inner + (outer - inner) * s;
                let jacobian = 2.0 * PI * height * (outer - inner) * r;
                ([r * angle.cos(), r * angle.sin(), z], jacobian)
            })
        };
        let zero = |_: f64| 0.0;
        let ellipsoid = rule.solid(density, |[s, u, v]| {
            let (polar, angle) = (PI * v, 2.0 * PI * u);
            let place = [
                0.5 * a * s * polar.sin() * angle.cos(),
                0.5 * b * s * polar.sin() * angle.sin(),
                0.5 * c * s * polar.cos(),
            ];
            let jacobian = a * b * c / 8.0 * s * s * polar.sin() * 2.0 * PI * PI;
            (place, jacobian)
        });
        let cuboid = rule.solid(density, |[s, u, v]| {
            ([a * (s - 0.5), b * (u - 0.5), c * (v - 0.5)], a * b * c)
        });
        let tube = revolved(&|_| 0.3 * a, &|_| 0.5 * a, [-0.5 * b, 0.5 * b]);
        let cone = revolved(&zero, &|z| 0.5 * a * (1.0 - z / b), [0.0, b]);
        let frustum = revolved(&zero, &|z| 0.5 * (a + (c - a) * z / b), [0.0, b]);
        // The half sphere in angles: the radius as a function of z has no derivative at the pole.
        let half_sphere = |sign: f64| {
            rule.solid(density, |[s, u, v]| {
                let (polar, angle, r) = (0.5 * PI * v, 2.0 * PI * u, 0.5 * a * s);
                let place = [
                    r * polar.sin() * angle.cos(),
                    r * polar.sin() * angle.sin(),
                    sign * (r * polar.cos() + 0.5 * b),
                ];
                (place, r * r * polar.sin() * 0.5 * a * PI * PI)
            })
        };
        let capsule = revolved(&zero, &|_| 0.5 * a, [-0.5 * b, 0.5 * b])
            .combined(&half_sphere(1.0))
            .combined(&half_sphere(-1.0));
        let half_disc = |sign: f64| {
            rule.solid(density, |[s, u, v]| {
                let (angle, r) = (PI * u, 0.5 * b * s);
                let place = [
                    r * angle.cos(),
                    c * (v - 0.5),
                    sign * (r * angle.sin() + 0.5 * a),
                ];
                (place, r * 0.5 * b * PI * c)
            })
        };
        let middle = rule.solid(density, |[s, u, v]| {
            ([b * (s - 0.5), c * (u - 0.5), a * (v - 0.5)], a * b * c)
        });
        let beam = middle.combined(&half_disc(1.0)).combined(&half_disc(-1.0));
        // Ends of a tapered capsule: all polar angles from the pole to that of the circle in which
        // the ball touches the lateral surface.
        let long = 0.5 * (a - c).abs() + b;
        let touching = (0.5 * (a - c) / long).acos();
        let end = |diameter: f64, sign: f64, reach: f64| {
            rule.solid(density, |[s, u, v]| {
                let (polar, angle) = (reach * v, 2.0 * PI * u);
                let round = 0.5 * diameter * polar.sin();
                let place = [
                    s * round * angle.cos(),
                    s * round * angle.sin(),
                    sign * (0.5 * diameter * polar.cos() + 0.5 * long),
                ];
                (place, round * reach * 2.0 * PI * s * round * round)
            })
        };
        let circle = |diameter: f64, at: f64| {
            let (sine, cosine) = touching.sin_cos();
            [at + 0.5 * diameter * cosine, 0.5 * diameter * sine]
        };
        let [[z0, r0], [z1, r1]] = [circle(a, -0.5 * long), circle(c, 0.5 * long)];
        let lateral = revolved(&zero, &|z| r0 + (r1 - r0) * (z - z0) / (z1 - z0), [z0, z1]);
        let tapered = lateral
            .combined(&end(a, -1.0, PI - touching))
            .combined(&end(c, 1.0, touching));
        #[rustfmt::skip]
        let cases = [
            ("tapered capsule", MassProperties::tapered_capsule(a, c, long, density), tapered),
            ("ellipsoid", MassProperties::ellipsoid(&[a, b, c], density), ellipsoid),
            ("box", MassProperties::cuboid(&[a, b, c], density), cuboid),
            ("tube", MassProperties::cylinder(a, 0.6 * a, b, density), tube),
            ("cone", MassProperties::cone(a, 0.0, b, density), cone),
            ("frustum", MassProperties::cone(a, c, b, density), frustum),
            ("capsule", MassProperties::capsule(a, b, density), capsule),
            ("beam", MassProperties::beam(a, b, c, density), beam),
        ];
        for (name, closed, numerical) in cases {
            assert_close(&closed, &numerical, 1e-12, name);
        }
    }
}
