use super::*;
use crate::math::Dual;
use crate::shapes::samples::{Random, pyramid, shapes, surface};
use crate::shapes::{Core, Hull, RoundedShape};

#[test]
fn support_function_is_the_distance_of_the_tangent_plane() {
    let mut random = Random(1);
    for shape in shapes() {
        for stratum in 0..300 {
            let (q, normal) = surface(&shape.core, &mut random, stratum);
            let h = shape.core.support_function(&normal);
            assert!(
                (h - q.dot(&normal)).abs() < 3e-16,
                "{:?} {stratum}: {h} for {}",
                shape.kind(),
                q.dot(&normal)
            );
        }
    }
}

#[test]
fn soft_point_is_the_farthest_one_away_from_parallel_and_hardly_behind_it_near() {
    let mut random = Random(2);
    let mut exact = 0;
    for shape in shapes() {
        for stratum in 0..300 {
            let (q, normal) = surface(&shape.core, &mut random, stratum);
            let off = random.vector().normalize() * 1e-2;
            let d = (normal + off).normalize();
            if lone(&shape.core, &d) {
                let behind = shape.core.support_function(&d) - shape.core.soft_support(&d).dot(&d);
                assert!(behind.abs() < 3e-16, "{:?} {behind}", shape.kind());
                exact += 1;
            }
            // Parallel: in the face.
            let behind = q.dot(&normal) - shape.core.soft_support(&normal).dot(&normal);
            assert!(behind.abs() < 3e-16, "{:?} {behind}", shape.kind());
            // Near: a weight of the cubic times an edge times the angle.
            let near = (normal + off * (0.5e-2 * random.next())).normalize();
            let h = shape.core.support_function(&near);
            let behind = h - shape.core.soft_support(&near).dot(&near);
            assert!((-3e-16..BLEND).contains(&behind), "{behind}");
        }
    }
    assert!(exact > 2300, "{exact} of 2400 are away from parallel");
}

/// Whether no edge or face is farthest along a direction within 2 BLEND of `d`.
fn lone(core: &Core, d: &Vec3) -> bool {
    let point = core.support(d);
    (0..6).all(|side| {
        let mut near = *d;
        near[side / 2] += if side % 2 == 0 { 2.0 } else { -2.0 } * BLEND;
        (core.support(&near) - point).norm() < 0.1
    })
}

#[test]
fn soft_point_stands_in_the_middle_of_a_parallel_face_or_edge() {
    let x = Vec3::<f64>::x;
    let z = Vec3::<f64>::z;
    let at = |shape: &RoundedShape, d: Vec3| shape.core.soft_support(&d);
    assert_eq!(at(&RoundedShape::capsule(0.3, 0.8), x()), Vec3::zeros());
    let cube = RoundedShape::cuboid(&[1.0, 0.5, 0.25], 0.0);
    assert_eq!(at(&cube, -z()), z() * -0.125);
    let cylinder = RoundedShape::cylinder(1.0, 2.0, 0.0);
    assert_eq!(at(&cylinder, z()), z());
    assert_eq!(at(&cylinder, x()), x() * 0.5);
    let beam = RoundedShape::beam(3.0, 1.0, 0.5, 0.0);
    assert_eq!(at(&beam, Vec3::y()), Vec3::y() * 0.25);
    assert_eq!(at(&beam, x()), x() * 0.5);
    assert_eq!(at(&beam, z()), z() * 2.0);
    // A cone of 45 degrees from radius 2 at z = 0 to radius 1 at z = 1.
    let cone = RoundedShape::cone(4.0, 2.0, 1.0, 0.0);
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let middle = at(&cone, Vec3::new(h, 0.0, h));
    assert!((middle - Vec3::new(1.5, 0.0, 0.5)).amax() < 1e-15);
    assert_eq!(at(&cone, -z()), Vec3::zeros());
    let hull = RoundedShape::hull(pyramid(), 0.0);
    assert!((at(&hull, -z()) - z() * -0.2).amax() < 1e-16);
}

#[test]
fn soft_point_of_a_short_edge_wanders_over_a_depth_and_not_an_angle() {
    // A roof of extent 1 m whose ridge is 0.1 m long: a band of 1e-4 m is an angle of 1e-3 rad.
    let mut vertices = vec![[0.05, 0.0, 0.5], [-0.05, 0.0, 0.5]];
    for (x, y) in [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)] {
        vertices.push([x, y, 0.0]);
    }
    let triangles = vec![
        [0, 2, 3],
        [0, 3, 1],
        [1, 3, 4],
        [1, 4, 5],
        [1, 5, 0],
        [0, 5, 2],
        [2, 5, 4],
        [2, 4, 3],
    ];
    let roof = RoundedShape::hull(Hull::new(vertices, triangles).expect("a roof"), 0.0);
    // Of two vertices, the far one x bands behind, with weight w = (1 - x)^2: the mean lies
    // 0.1 w/(1 + w) from the near one.
    for (x, from_end) in [(0.5, 0.02), (0.9, 0.1 * 0.01 / 1.01), (1.01, 0.0)] {
        let sine: f64 = 10.0 * BLEND * x;
        let d = Vec3::new(sine, 0.0, (1.0 - sine * sine).sqrt());
        let soft = roof.core.soft_support(&d);
        let exact = Vec3::new(0.05 - from_end, 0.0, 0.5);
        assert!((soft - exact).amax() < 1e-15, "{x}: {soft:?}");
    }
}

/// Directions on a great circle through the normals of faces, edges and rulings.
fn on_path(normal: &Vec3, across: &Vec3, angle: f64) -> Vec3 {
    normal * angle.cos() + across * angle.sin()
}

#[test]
fn soft_point_moves_in_proportion_to_the_direction() {
    let mut random = Random(3);
    for shape in shapes() {
        for stratum in 0..30 {
            let (_, normal) = surface(&shape.core, &mut random, stratum);
            let across = normal.cross(&random.vector()).normalize();
            let step = 1e-6;
            let at = |k: i32| {
                let d = on_path(&normal, &across, f64::from(k) * step);
                shape.core.soft_support(&d)
            };
            let mut last = at(-300);
            for k in -299..300 {
                let now = at(k);
                // Slope 3/2 of s over two edges of 0.5 m, half of it for the ruling's ends.
                let moved = (now - last).norm();
                assert!(
                    moved <= 3.0 * step / BLEND,
                    "{:?} stratum {stratum} step {k}: {moved}",
                    shape.kind()
                );
                last = now;
            }
        }
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let mut random = Random(4);
    for shape in shapes() {
        for stratum in 0..60 {
            let (_, normal) = surface(&shape.core, &mut random, stratum);
            let off = random.vector().normalize();
            // Half the directions within the band, half far from it.
            let angle = if stratum < 30 { 0.4 * BLEND } else { 1e-2 };
            let d = (normal + off * angle).normalize();
            let across = d.cross(&random.vector()).normalize();
            let step = 1e-9;
            let [low, high] = [-step, step].map(|a| on_path(&d, &across, a));
            let dual = d.zip_map(&across, Dual::new);
            let difference =
                (shape.core.soft_support(&high) - shape.core.soft_support(&low)) / (2.0 * step);
            let exact = shape.core.soft_support(&dual).map(|c| c.eps[0]);
            // Values of order 1/BLEND; the cubic's third derivative over BLEND^3 times step^2.
            let error = (difference - exact).amax();
            assert!(error < 2e-5 / BLEND, "{:?} {error}", shape.kind());
            let slope = shape.core.support_function(&dual).eps[0];
            let [low, high] = [low, high].map(|d| shape.core.support_function(&d));
            assert!(((high - low) / (2.0 * step) - slope).abs() < 1e-6);
        }
    }
}

#[test]
fn directions_along_an_axis_and_nan_are_answered() {
    for shape in shapes() {
        for axis in 0..3 {
            let mut d: Vec3<Dual> = Vec3::repeat(Dual::from(0.0));
            d[axis] = Dual::from(1.0);
            let soft = shape.core.soft_support(&d);
            let h = shape.core.support_function(&d);
            assert!(soft.iter().all(|c| c.re.is_finite() && c.eps[0] == 0.0));
            assert!(h.re.is_finite() && h.eps[0] == 0.0, "{:?}", shape.kind());
        }
        let nan = Vec3::repeat(f64::NAN);
        assert!(shape.core.soft_support(&nan).iter().any(|c| c.is_nan()));
    }
}
