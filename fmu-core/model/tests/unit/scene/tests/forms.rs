use super::{AXES, part, sized_forms, tetrahedron};
use crate::fixtures::*;
use crate::scene::forms::{contact_sphere, mass_properties, touching_shapes};
use contact_geometry::shapes::mass::solid_integrals;
use contact_geometry::shapes::{Aabb, RoundedShape};
use std::f64::consts::PI;

/// Steps of the directions around an axis and from pole to pole.
const AROUND: u32 = 240;
const DOWN: u32 = 121;

/// Mass properties of a shape at a pose, from the points that its support mapping finds along
/// directions on a grid: a polyhedron inside it, closer the finer the grid.
fn of_support_points(shape: &RoundedShape, pose: &Pose) -> MassProperties {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for down in 0..DOWN {
        for around in 0..AROUND {
            let polar = PI * (f64::from(down) + 0.5) / f64::from(DOWN);
            let angle = 2.0 * PI * (f64::from(around) + 0.5) / f64::from(AROUND);
            let ((s, c), (y, x)) = (polar.sin_cos(), angle.sin_cos());
            let direction = Vec3::new(s * x, s * y, c);
            let inner = pose.rotation.transpose() * direction;
            let point = shape.core.support(&inner) + inner * shape.radius;
            vertices.push((pose.position + pose.rotation * point).into());
            let [row, next] = [around, (around + 1) % AROUND];
            if down > 0 {
                let [a, b] = [(down - 1) * AROUND + row, (down - 1) * AROUND + next];
                let [c, d] = [down * AROUND + row, down * AROUND + next];
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    for around in 1..AROUND - 1 {
        let last = (DOWN - 1) * AROUND;
        triangles.push([0, around, around + 1]);
        triangles.push([last, last + around + 1, last + around]);
    }
    let found = solid_integrals(&vertices, &triangles).unwrap();
    MassProperties::solid(found.volume, found.centroid, found.inertia, 1.0)
}

fn assert_close(found: &MassProperties, expected: &MassProperties, tolerance: f64, of: &str) {
    let length = (expected.inertia.trace() / expected.mass).sqrt();
    let errors = [
        found.mass / expected.mass - 1.0,
        (found.center_of_mass - expected.center_of_mass).amax() / length,
        (found.inertia - expected.inertia).amax() / (expected.mass * length * length),
    ];
    assert!(
        errors.iter().all(|error| error.abs() <= tolerance),
        "{of}: {errors:?}\n{found:?}\n{expected:?}"
    );
}

#[test]
fn mass_is_that_of_the_shape_that_touches() {
    // The chords of the grid cut off about (pi/120)^2/3 = 2e-4 of the volume.
    for axis in AXES {
        for form in sized_forms(axis) {
            let shapes = touching_shapes(&form, 0.0).unwrap();
            let [(shape, pose)] = shapes.as_slice() else {
                panic!("{form:?} is one shape");
            };
            let seen = of_support_points(shape, pose);
            let found = mass_properties(&form, 1.0);
            assert_close(&found, &seen, 2e-3, &format!("{form:?}"));
        }
    }
}

#[test]
fn hull_weighs_what_its_surface_bounds() {
    // Right-angled tetrahedron with legs a, b, c: volume a b c/6, centroid a quarter of each leg
    // from the corner, int x^2 = V a^2/10 and int x y = V a b/20 about the corner.
    let (solid, part) = tetrahedron();
    let volume = 0.3 * 0.4 * 0.5 / 6.0;
    let legs = Vec3::new(0.3, 0.4, 0.5);
    let second = (legs * legs.transpose() + Mat3::from_diagonal(&legs.component_mul(&legs)))
        * (volume / 20.0);
    let centroid = legs / 4.0;
    let about_centroid = second - centroid * centroid.transpose() * volume;
    let expected = MassProperties {
        mass: 700.0 * volume,
        center_of_mass: Vec3::new(1.0, 2.0, 3.0) + centroid,
        inertia: (Mat3::identity() * about_centroid.trace() - about_centroid) * 700.0,
    };
    let mesh = Form::Mesh {
        solid,
        parts: vec![part.clone()],
    };
    let hull = Form::Hull { solid, part };
    assert_close(&mass_properties(&hull, 700.0), &expected, 1e-14, "hull");
    assert_close(&mass_properties(&mesh, 700.0), &expected, 1e-14, "mesh");
}

#[test]
fn compound_of_turned_halves_is_the_whole() {
    let h = std::f64::consts::FRAC_1_SQRT_2;
    // Half a cylinder along x: its own axis is z, turned by 90 degrees about y.
    let tube = |length, axis| Form::Cylinder {
        diameter: 0.3,
        length,
        axis,
        inner_diameter: 0.1,
    };
    let half = |x| CompoundPart {
        form: tube(0.5, Axis::Z),
        position: [x, 2.0, 0.0],
        orientation: [h, 0.0, h, 0.0],
    };
    let compound = Form::Compound {
        parts: vec![half(-0.25), half(0.25)],
    };
    let whole = tube(1.0, Axis::X);
    let mut moved = Pose::identity();
    moved.position.y = 2.0;
    let expected = mass_properties(&whole, 700.0).placed(&moved);
    let found = mass_properties(&compound, 700.0);
    assert_close(&found, &expected, 1e-14, "halves");
}

#[test]
fn half_space_has_no_mass() {
    let found = mass_properties(&Form::HalfSpace, 8000.0);
    assert_eq!(found, MassProperties::zero());
}

#[test]
fn sharp_and_smoothed_shapes_have_the_size_and_the_place_that_the_form_states() {
    for (index, axis) in AXES.into_iter().enumerate() {
        // (along the axis from .. to, along the next one, along the third one) [m]; the sharp apex
        // and the acute rim of a cone lose size to smoothing.
        let along_axis = [
            None,
            None,
            None,
            Some([-0.45, 0.45, 0.4, 0.4]),
            None,
            None,
            Some([-0.5, 0.5, 0.4, 0.4]),
            Some([-0.5, 0.425, 0.4, 0.4]),
            Some([-0.5, 0.5, 0.4, 0.1]),
        ];
        for (form, expected) in sized_forms(axis).into_iter().zip(along_axis) {
            for smoothing in [0.0, 1e-3, 0.01, 1.0] {
                let shapes = touching_shapes(&form, smoothing).unwrap();
                let bounds = Aabb::of(&shapes[0].0, &shapes[0].1);
                let (lower, upper) = match (&form, expected) {
                    (_, Some([from, to, width, thickness])) => {
                        let mut half = Vec3::zeros();
                        half[(index + 1) % 3] = 0.5 * width;
                        half[(index + 2) % 3] = 0.5 * thickness;
                        let (mut lower, mut upper) = (-half, half);
                        (lower[index], upper[index]) = (from, to);
                        (lower, upper)
                    }
                    (Form::Sphere { diameter: d }, _) => {
                        [-0.5, 0.5].map(|h| Vec3::repeat(h * d)).into()
                    }
                    (Form::Ellipsoid { lengths } | Form::Box { lengths }, _) => {
                        [-0.5, 0.5].map(|h| Vec3::from(*lengths) * h).into()
                    }
                    (
                        Form::Cone {
                            diameter,
                            top_diameter,
                            ..
                        },
                        _,
                    ) if smoothing == 0.0 => {
                        let mut half = Vec3::repeat(0.5 * diameter.max(*top_diameter));
                        half[index] = 0.0;
                        let (lower, mut upper) = (-half, half);
                        upper[index] = 0.7;
                        (lower, upper)
                    }
                    _ => continue,
                };
                let error = (bounds.lower - lower)
                    .amax()
                    .max((bounds.upper - upper).amax());
                assert!(error < 1e-15, "{form:?}, {smoothing}: {bounds:?}");
            }
        }
    }
}

#[test]
fn contact_spheres_are_those_of_modia3d() {
    // Modia3D 0.12: sphere d/2, ellipsoid min/2, box min/2 (flat), cylinder min(d, l)/2,
    // cone (d + top)/4, capsule d/2, beam min/2 (flat), mesh half the shortest edge of its box. A
    // tapered capsule, which it has not, as a cone.
    let expected = [
        (0.2, false),
        (0.15, false),
        (0.15, true),
        (0.2, false),
        (0.1, false),
        (0.25, false),
        (0.2, false),
        (0.1625, false),
        (0.05, true),
    ];
    for axis in AXES {
        for (form, expected) in sized_forms(axis).iter().zip(expected) {
            assert_eq!(contact_sphere(form), expected, "{form:?}");
        }
    }
    let wide = cylinder(0.9, 0.1, Axis::Z);
    assert_eq!(contact_sphere(&wide), (0.05, false));
    assert_eq!(contact_sphere(&Form::HalfSpace), (f64::INFINITY, true));
    let (solid, part) = tetrahedron();
    let parts = vec![part.clone()];
    for form in [Form::Hull { solid, part }, Form::Mesh { solid, parts }] {
        let (radius, flat) = contact_sphere(&form);
        assert!((radius - 0.15).abs() < 1e-15);
        assert!(!flat);
    }
}

#[test]
fn contact_sphere_of_a_compound_is_half_the_shortest_edge_of_its_bounding_box() {
    // Dumb-bell: two balls of 0.2 m, 1 m apart along y, and a rod of 0.05 m.
    let ball = |y| part(sphere(0.2), [0.0, y, 0.0]);
    let rod = capsule(0.05, 1.0, Axis::Y);
    let dumb_bell = Form::Compound {
        parts: vec![ball(-0.5), ball(0.5), part(rod, [0.0; 3])],
    };
    let (radius, flat) = contact_sphere(&dumb_bell);
    assert!((radius - 0.1).abs() < 1e-15);
    assert!(!flat);
    // A cube turned by 45 degrees about z is sqrt 2 wide; a tetrahedron counts with its vertices.
    let eighth = PI / 8.0;
    let turned = CompoundPart {
        orientation: [eighth.cos(), 0.0, 0.0, eighth.sin()],
        ..part(cuboid([1.0; 3]), [0.0; 3])
    };
    let (solid, hull) = tetrahedron();
    let hull = part(Form::Hull { solid, part: hull }, [-1.0, -2.0, 0.0]);
    let both = Form::Compound {
        parts: vec![turned, hull],
    };
    // Along z from -0.5 to 3.5; along x and y the cube is wider.
    let (radius, _) = contact_sphere(&both);
    assert!((radius - 0.5 * 2.0_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn parts_of_a_compound_stand_where_the_compound_puts_them() {
    let h = std::f64::consts::FRAC_1_SQRT_2;
    // A cone along x, turned by 90 degrees about z: from its base at (1, 2, 3) towards +y.
    let cone = CompoundPart {
        form: cone(0.2, 0.0, 0.5, Axis::X),
        position: [1.0, 2.0, 3.0],
        orientation: [h, 0.0, 0.0, h],
    };
    let ball = part(sphere(0.4), [-1.0, 0.0, 0.0]);
    let compound = Form::Compound {
        parts: vec![cone, ball],
    };
    let shapes = touching_shapes(&compound, 0.0).unwrap();
    assert_eq!(shapes.len(), 2);
    let bounds = Aabb::of(&shapes[0].0, &shapes[0].1);
    assert!((bounds.lower - Vec3::new(0.9, 2.0, 2.9)).amax() < 1e-15);
    assert!((bounds.upper - Vec3::new(1.1, 2.5, 3.1)).amax() < 1e-15);
    let center = mass_properties(&compound, 1.0).center_of_mass;
    let (cone, ball) = (PI * 0.01 * 0.5 / 3.0, 4.0 / 3.0 * PI * 0.008);
    let expected = (Vec3::new(1.0, 2.125, 3.0) * cone - Vec3::x() * ball) / (cone + ball);
    assert!((center - expected).amax() < 1e-15);
}
