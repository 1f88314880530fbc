//! Capsules and ellipsoids on planes against integrals over the plane, and where they are balls.

use super::gradient::{RADIUS, places, pressures};
use super::pressed::{MODULUS, block, body, hertz, placed, pressed};
use super::quadrature::integral;
use super::stated::floor;
use crate::random::{Random, posed};
use contact_geometry::math::{Mat3, Pose, Vec3};
use contact_geometry::narrow_phase::area::{Extent, Patch, RoundPressure};
use contact_geometry::shapes::RoundedShape;
use std::f64::consts::{FRAC_PI_2, PI};

const HALF: f64 = 0.08;

fn capsule() -> RoundedShape {
    RoundedShape::capsule(2.0 * RADIUS, 2.0 * HALF)
}

/// Rotation that lifts the z axis from x towards z by an angle, then turns about z.
pub fn tilted(tilt: f64, turn: f64) -> Mat3 {
    let ((s, c), (ss, cc)) = (tilt.sin_cos(), turn.sin_cos());
    let axis = Vec3::new(c * cc, c * ss, s);
    let across = Vec3::new(-ss, cc, 0.0);
    Mat3::from_columns(&[across, axis.cross(&across), axis])
}

/// Height of the centre whose deepest point is at a depth.
fn height(tilt: f64, depth: f64) -> f64 {
    HALF * tilt.sin().abs() + RADIUS - depth
}

/// Integral of u^n over the plane z = 0, along lines across the capsule, with its centre at a height.
fn on_plane(tilt: f64, z: f64, exponent: f64) -> f64 {
    let (s, c) = tilt.sin_cos();
    let squared = RADIUS * RADIUS;
    let rim = |x: f64| {
        let place = (x * c - z * s).clamp(-HALF, HALF);
        let (off, up) = (x - place * c, -z - place * s);
        off * off + up * up
    };
    let mut cuts = vec![(-HALF + z * s) / c, (HALF + z * s) / c];
    for side in [-HALF, HALF] {
        let up = z + side * s;
        if up.abs() < RADIUS {
            let reach = (squared - up * up).sqrt();
            cuts.extend([side * c - reach, side * c + reach]);
        }
    }
    if s != 0.0 {
        cuts.extend([-RADIUS, RADIUS].map(|q| (q - z * c) / s));
    }
    let most = HALF + 2.0 * RADIUS;
    cuts.iter_mut()
        .for_each(|cut| *cut = cut.clamp(-most, most));
    cuts.sort_by(f64::total_cmp);
    let strip = |x: f64| {
        let rest = squared - rim(x);
        if rest <= 0.0 {
            return 0.0;
        }
        let widest = rest.sqrt();
        let depth = |y: f64| {
            let square = (widest - y) * (widest + y);
            square / (RADIUS + (squared - square).sqrt())
        };
        2.0 * integral([0.0, widest], |y| depth(y).max(0.0).powf(exponent))
    };
    let pieces = cuts.windows(2).filter(|cut| cut[1] - cut[0] > 1e-15);
    pieces.map(|cut| integral([cut[0], cut[1]], strip)).sum()
}

#[test]
fn a_capsule_on_triangles_has_the_integral_of_its_pressure_over_the_plane() {
    let mut random = Random::new(31);
    let floors = [
        block([0.8, 0.8, 0.4]),
        body(&floor(8, 0.8, &mut random)),
        body(&floor(8, 0.4, &mut random)),
    ];
    for tilt in [0.0, 1e-7, 1e-4, -3e-3, 0.3, -1.2, 1.5] {
        for depth in [1e-6, 1e-4, 3e-3] {
            for pressure in [
                hertz(RADIUS),
                RoundPressure {
                    factor: 1e13,
                    exponent: 1.0,
                },
            ] {
                let z = height(tilt, depth);
                let wanted = pressure.factor * on_plane(tilt, z, pressure.exponent);
                for (number, floor) in floors.iter().enumerate() {
                    for _ in 0..4 {
                        let place = [(); 2].map(|()| random.between(-0.04, 0.04));
                        let at = Vec3::new(place[0], place[1], z);
                        let pose = posed(at, tilted(tilt, random.between(-PI, PI)));
                        let found = placed(floor, &capsule(), &pose, &pressure);
                        let off = (found.force.z / wanted - 1.0).abs();
                        let least = 1e-9_f64.max(4e-17 / depth);
                        assert!(off < least, "{tilt} {depth} floor {number}: {off:e}");
                        let aside = found.force.xy().amax() / wanted;
                        assert!(aside < 1e-12, "{tilt} {depth}: aside {aside:e}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_capsule_moves_over_seams_without_a_ripple() {
    let mut random = Random::new(32);
    let floor = body(&floor(8, 0.4, &mut random));
    for (tilt, depth) in [(0.0, 1.163e-6), (0.0, 1e-4), (1e-5, 2e-6), (0.02, 1e-4)] {
        let z = height(tilt, depth);
        let at = |share: f64| {
            let place = [share, (40.0 * share).sin() * 0.1].map(|c| 0.1 * c);
            let pose = posed(Vec3::new(place[0], place[1], z), tilted(tilt, 6.0 * share));
            placed(&floor, &capsule(), &pose, &hertz(RADIUS))
        };
        let (first, mut most) = (at(-0.5), 0);
        for k in 1..=40 {
            let found = at(f64::from(k) / 40.0 - 0.5);
            let force = (found.force - first.force).norm() / first.force.z;
            let torque = (found.torque.norm() - first.torque.norm()).abs();
            let energy = (found.energy / first.energy - 1.0).abs();
            assert!(
                force < 1e-9 && energy < 1e-9,
                "{tilt}: {force:e} {energy:e}"
            );
            assert!(torque < 1e-9 * first.force.z * HALF, "{tilt}: {torque:e}");
            most = most.max(found.nodes);
        }
        // Two of a face between the ends.
        assert!(most >= 10, "{tilt}: {most} nodes");
    }
}

/// Force and energy are continuous, so they are those of 1e-10 m beside.
#[test]
fn ends_and_the_axis_over_edges_press_as_beside_them() {
    let mut random = Random::new(33);
    let block = block([0.8, 0.8, 0.4]);
    let floor = body(&floor(8, 0.8, &mut random));
    let (half, c) = (0.4, 0.4 - HALF);
    // An end over the rim of a face, both over corners, over a seam, the axis along the rim.
    let places = [
        [c, 0.03],
        [c, -half],
        [-c, half],
        [0.0, half],
        [0.1 - HALF, 0.0],
    ];
    for (mesh, place, turn) in [&block, &floor]
        .into_iter()
        .flat_map(|mesh| places.map(|place| (mesh, place)))
        .flat_map(|(mesh, [x, y])| [(mesh, [x, y], 0.0), (mesh, [y, x], FRAC_PI_2)])
    {
        let at = |off: Vec3| {
            let height = Vec3::new(place[0], place[1], RADIUS - 1e-5);
            let pose = posed(height + off, tilted(0.0, turn));
            placed(mesh, &capsule(), &pose, &hertz(RADIUS))
        };
        let (on, beside) = (at(Vec3::zeros()), at(Vec3::new(-1e-10, 0.7e-10, 0.0)));
        let force = (on.force - beside.force).norm() / beside.force.z;
        assert!(
            beside.force.z > 0.0 && force < 1e-6,
            "{place:?} {turn}: {force:e}"
        );
        let energy = on.energy / beside.energy - 1.0;
        assert!(
            beside.energy > 0.0 && energy.abs() < 1e-6,
            "{place:?} {turn}: {energy:e}"
        );
    }
}

#[test]
fn a_lying_capsule_has_the_force_of_its_length_and_of_a_ball() {
    let pressure = RoundPressure {
        factor: 1e13,
        exponent: 1.0,
    };
    let floor = block([0.8, 0.8, 0.4]);
    for depth in [1e-5, 1e-3, 0.03] {
        let z = RADIUS - depth;
        let widest = (depth * (RADIUS + z)).sqrt();
        let section = RADIUS * widest - z * z * (widest / z).asinh();
        let ball = PI * (RADIUS * depth * depth - depth.powi(3) / 1.5);
        let wanted = pressure.factor * (2.0 * HALF * section + ball);
        let pose = posed(Vec3::new(0.0, 0.0, z), tilted(0.0, 0.7));
        let found = placed(&floor, &capsule(), &pose, &pressure);
        let off = (found.force.z / wanted - 1.0).abs();
        // The closed form of the section is a difference.
        let least = 1e-12 * (RADIUS / depth).powf(1.5).min(1e3);
        assert!(off < least, "{depth}: {off:e}");
        assert!(found.torque.norm() < 1e-12 * found.force.z * HALF);
    }
    // Friction takes the part between as a line of its length: Gauss points of it.
    let pose = posed(Vec3::new(0.0, 0.0, RADIUS - 1e-5), tilted(0.0, 0.7));
    let mut patch = Patch::with_room(0);
    patch.find_round(
        [(&floor, &Pose::identity()), (&capsule(), &pose)],
        &pressure,
        0.0,
    );
    let mut facets = patch.nodes.facets();
    let line = facets.find(|(_, extent)| matches!(extent, Extent::Line));
    let (nodes, _) = line.expect("a line");
    for (node, side) in nodes.iter().zip([1.0, -1.0]) {
        let place = node.point.dot(&pose.rotation.column(2)).abs();
        assert!((place * 3_f64.sqrt() / HALF - 1.0).abs() < 1e-9, "{place}");
        let apart = (nodes[0].point - nodes[1].point).dot(&node.point) * side;
        assert!(apart > 0.0, "on both sides of the middle");
    }
    // Hertz' exponent at a small depth: 0.707 E d per length, beyond what a ball of the ends has.
    let depth = 1e-6;
    let pose = posed(Vec3::new(0.0, 0.0, RADIUS - depth), tilted(0.0, 0.0));
    let force = placed(&floor, &capsule(), &pose, &hertz(RADIUS)).force.z;
    let ends = pressed(&floor, pose.position, RADIUS, &hertz(RADIUS))
        .force
        .z;
    let per_length = (force - ends) / (2.0 * HALF);
    assert!((per_length / (0.5_f64.sqrt() * MODULUS * depth) - 1.0).abs() < 1e-5);
}

#[test]
fn the_energy_is_the_work_of_the_force() {
    let floor = block([0.8, 0.8, 0.4]);
    for tilt in [0.0_f64, 1e-4, 0.3, 1.4] {
        for (exponent, depth) in [(0.5, 1e-5), (1.0, 2e-3)] {
            let pressure = RoundPressure {
                factor: 1e11,
                exponent,
            };
            // Kinks: where the part between the ends is reached, and where the other end.
            let mut cuts = [
                0.0,
                RADIUS * (1.0 - tilt.cos()),
                2.0 * HALF * tilt.sin(),
                depth,
            ]
            .map(|cut| cut.min(depth));
            cuts.sort_by(f64::total_cmp);
            let force = |depth: f64| on_plane(tilt, height(tilt, depth), exponent);
            let pieces = cuts.windows(2).filter(|cut| cut[0] < cut[1]);
            let work: f64 = pieces.map(|cut| integral([cut[0], cut[1]], force)).sum();
            let pose = posed(Vec3::new(0.0, 0.0, height(tilt, depth)), tilted(tilt, 0.4));
            let found = placed(&floor, &capsule(), &pose, &pressure);
            let off = (found.energy / (pressure.factor * work) - 1.0).abs();
            assert!(off < 1e-9, "{tilt} {exponent}: {off:e}");
        }
    }
}

#[test]
fn a_short_capsule_and_one_on_its_end_are_balls() {
    for (name, mesh, center) in places() {
        for pressure in pressures() {
            let wanted = pressed(&mesh, center, RADIUS, &pressure);
            for (tilt, turn) in [(0.0, 0.3), (0.7, 1.0), (FRAC_PI_2, 0.0), (0.0, 0.0)] {
                let short = RoundedShape::capsule(2.0 * RADIUS, 1e-15);
                let pose = posed(center, tilted(tilt, turn));
                let found = placed(&mesh, &short, &pose, &pressure);
                let off = (found.force - wanted.force).norm() / wanted.force.norm();
                assert!(off < 1e-9, "{name} {tilt}: {off:e}");
                let off = (found.energy / wanted.energy - 1.0).abs();
                assert!(off < 1e-9, "{name} {tilt}: energy {off:e}");
            }
        }
    }
    let floor = block([0.8, 0.8, 0.4]);
    for turn in [1.0, -1.0] {
        let mut pose = posed(Vec3::new(0.01, 0.02, 0.0), tilted(turn * FRAC_PI_2, 0.0));
        pose.position.z = HALF + RADIUS - 1e-5;
        let found = placed(&floor, &capsule(), &pose, &hertz(RADIUS));
        let end = pose.position - Vec3::new(0.0, 0.0, HALF);
        let wanted = pressed(&floor, end, RADIUS, &hertz(RADIUS));
        assert!((found.force.z / wanted.force.z - 1.0).abs() < 1e-11);
        assert!((found.energy / wanted.energy - 1.0).abs() < 1e-11);
    }
}

#[test]
fn an_ellipsoid_with_equal_axes_is_a_ball() {
    let mut random = Random::new(33);
    let round = RoundedShape::ellipsoid(&[2.0 * RADIUS; 3]);
    for (name, mesh, center) in places() {
        for pressure in pressures() {
            let wanted = pressed(&mesh, center, RADIUS, &pressure);
            for rotation in [Mat3::identity(), random.rotation()] {
                let found = placed(&mesh, &round, &posed(center, rotation), &pressure);
                let size = wanted.force.norm();
                let off = (found.force - wanted.force).norm() / size;
                // The depth, 1e-5 m or more, is off by the rounding of places.
                let least = if rotation == Mat3::identity() {
                    1e-12
                } else {
                    1e-10
                };
                assert!(off < least, "{name} {}: {off:e}", pressure.exponent);
                let off = (found.energy / wanted.energy - 1.0).abs();
                assert!(off < least, "{name} {}: energy {off:e}", pressure.exponent);
                assert!(found.torque.norm() < 1e-10 * size * RADIUS, "{name}");
            }
        }
    }
}

/// Integral of (l (1 - |S x|))^n over the plane z = 0, along lines: |S x| < 1 is a quadratic form in x and y.
fn ellipsoid_on_plane(axes: &Vec3, pose: &Pose, length: f64, exponent: f64) -> f64 {
    let form = Mat3::from_diagonal(&axes.map(|a| 1.0 / (a * a)));
    let form = pose.rotation * form * pose.rotation.transpose();
    let value = |x: f64, y: f64| {
        let off = Vec3::new(x, y, 0.0) - pose.position;
        off.dot(&(form * off))
    };
    // f(x, y) = form_yy (y - y_0(x))^2 + least(x), the least value a parabola in x with its vertex at x_0.
    let (yy, xy) = (form[(1, 1)], form[(0, 1)]);
    let at_line = |x: f64| {
        let (dx, dz) = (x - pose.position.x, -pose.position.z);
        pose.position.y - (xy * dx + form[(1, 2)] * dz) / yy
    };
    let least = |x: f64| value(x, at_line(x));
    let curvature = form[(0, 0)] - xy * xy / yy;
    let x_0 = pose.position.x
        - (least(pose.position.x + 1.0) - least(pose.position.x - 1.0)) / (4.0 * curvature);
    let all = 1.0 - least(x_0);
    // Over a quarter of the ellipse.
    4.0 * integral([0.0, FRAC_PI_2], |angle| {
        let rest = all * angle.cos().powi(2);
        let inner = integral([0.0, FRAC_PI_2], |turn| {
            let square = rest * turn.cos().powi(2);
            let depth = length * square / (1.0 + (1.0 - square).sqrt());
            depth.powf(exponent) * turn.cos()
        });
        inner * (rest / yy).sqrt() * (all / curvature).sqrt() * angle.cos()
    })
}

#[test]
fn an_ellipsoid_on_triangles_has_the_integral_of_its_pressure_over_the_plane() {
    let mut random = Random::new(34);
    let floor = body(&floor(8, 0.4, &mut random));
    let axes = Vec3::new(0.03, 0.05, 0.08);
    let shape = RoundedShape::ellipsoid(&(axes * 2.0).into());
    let length = (0.03_f64 * 0.08).powf(0.3) * (0.05_f64 * 0.08).powf(0.2);
    for exponent in [0.5, 1.0] {
        for depth in [1e-5, 1e-3] {
            for _ in 0..6 {
                let rotation = random.rotation();
                let support = axes.component_mul(&rotation.row(2).transpose()).norm();
                let place = [(); 2].map(|()| random.between(-0.1, 0.1));
                let pose = posed(Vec3::new(place[0], place[1], support - depth), rotation);
                let pressure = RoundPressure {
                    factor: 1e11,
                    exponent,
                };
                let found = placed(&floor, &shape, &pose, &pressure);
                let wanted = 1e11 * ellipsoid_on_plane(&axes, &pose, length, exponent);
                let off = (found.force.z / wanted - 1.0).abs();
                assert!(off < 1e-9, "{exponent} {depth}: {off:e}");
                assert!(found.force.xy().amax() < 1e-12 * wanted);
                // Depth by depth the contact is at the lowest point, to first order.
                let lowest = axes
                    .component_mul(&axes)
                    .component_mul(&rotation.row(2).transpose())
                    / support;
                let arm = rotation * -lowest;
                let torque = arm.cross(&found.force);
                let off = (found.torque - torque).norm() / (found.force.z * 0.08);
                assert!(off < 2.0 * depth / 0.03, "{off:e}");
            }
        }
    }
}

#[test]
fn hertz_force_of_an_ellipsoid_is_met_from_above_and_below() {
    let floor = block([0.8, 0.8, 0.4]);
    for axes in [[0.03, 0.05, 0.08], [0.03, 0.03, 0.06], [0.02, 0.05, 0.05]] {
        let shape = RoundedShape::ellipsoid(&axes.map(|a| 2.0 * a));
        let stiffness = 4.0 / 3.0 * MODULUS * axes[0].sqrt();
        let radius = shape.round_radius().unwrap();
        let pressure = RoundPressure {
            factor: stiffness * 1.5 / (2.0 * PI * radius),
            exponent: 0.5,
        };
        let ratio = |up: usize| {
            let depth = 1e-7;
            // A cyclic turn that brings an axis up.
            let rotation = Mat3::from_fn(|i, k| f64::from((k + 2) % 3 == (i + up) % 3));
            let height = (rotation * Vec3::from(axes)).z;
            let pose = posed(Vec3::new(0.0, 0.0, height - depth), rotation);
            let found = placed(&floor, &shape, &pose, &pressure).force.z;
            let mean = axes.iter().product::<f64>() / (height * height);
            (
                found / (4.0 / 3.0 * MODULUS * mean.sqrt() * depth.powf(1.5)),
                height,
            )
        };
        let all = [0, 1, 2].map(ratio);
        let part = (axes[2] / axes[0]).powf(0.75);
        for (ratio, height) in all {
            let wanted = match height {
                h if h == axes[0] => part,
                h if h == axes[2] => 1.0 / part,
                _ => continue,
            };
            assert!(
                (ratio / wanted - 1.0).abs() < 1e-4,
                "{axes:?} {height}: {ratio}"
            );
        }
    }
}

/// A ring of 32 facets; near a corner of its bore, 1e-10 m from the edges, the inner walls are as near as the top.
#[test]
fn the_energy_near_a_corner_is_that_of_the_top_at_any_distance() {
    let ring = body(&super::pressed::ring());
    let at = |y: f64| {
        let center = Vec3::new(0.1, y, 0.05 + RADIUS - 1e-5);
        super::pressed::pressed(&ring, center, RADIUS, &hertz(RADIUS))
    };
    let wanted = at(1e-7).energy;
    for y in [0.0, 1e-11, 1e-10, 1e-9, 3e-9, 1e-8, 3e-8] {
        let energy = at(y).energy;
        assert!((energy / wanted - 1.0).abs() < 1e-3, "{y}: {energy}");
    }
}
