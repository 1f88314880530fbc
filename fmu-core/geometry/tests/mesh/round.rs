//! Capsules, cylinders, cones, beams and ellipsoids that are apart from a mesh.

use crate::cells::meshes::{bumpy, ell, grid_box, holed, notched};
use crate::mesh::brute::{corners, shape, signed, terrain, torus};
use crate::random::{Random, at, lifted, moved, soak};
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::narrow_phase::{Feature, find_feature, gap, proximity, query};
use contact_geometry::shapes::{Core, RoundedShape};

pub fn round_shapes() -> Vec<RoundedShape> {
    vec![
        RoundedShape::capsule(0.02, 0.05),
        RoundedShape::tapered_capsule(0.03, 0.01, 0.05),
        RoundedShape::ellipsoid(&[0.02, 0.04, 0.07]),
        RoundedShape::cylinder(0.04, 0.03, 0.0),
        RoundedShape::cylinder(0.02, 0.06, 1e-3),
        RoundedShape::cone(0.04, 0.0, 0.05, 0.0),
        RoundedShape::cone(0.04, 0.02, 0.03, 5e-4),
        RoundedShape::beam(0.06, 0.02, 0.01, 0.0),
        RoundedShape::beam(0.05, 0.03, 0.02, 1e-3),
    ]
}

const POINT: RoundedShape = RoundedShape {
    core: Core::Point,
    radius: 0.0,
};

/// Minimum of a convex function on 0..1, by golden sections.
fn least(of: impl Fn(f64) -> f64) -> f64 {
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, 1.0);
    let mut best = of(low).min(of(high));
    let (mut x, mut y) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_x, mut at_y) = (of(x), of(y));
    while high - low > 1e-10 {
        best = best.min(at_x).min(at_y);
        if at_x < at_y {
            (high, y, at_y) = (y, x, at_x);
            x = high - golden * (high - low);
            at_x = of(x);
        } else {
            (low, x, at_x) = (x, y, at_y);
            y = low + golden * (high - low);
            at_y = of(y);
        }
    }
    best
}

/// Gap of a shape and the nearest of all triangles: the least of its points' distances.
fn brute(triangles: &[[Vec3; 3]], body: &RoundedShape, pose: &Pose) -> f64 {
    let of = |x: &Vec3| gap(body, pose, &POINT, &at(x.x, x.y, x.z), &Feature::None);
    let mut best = f64::INFINITY;
    for [a, b, c] in triangles {
        let middle = (a + b + c) / 3.0;
        let reach = [a, b, c].map(|v| (v - middle).norm());
        if of(&middle) - reach.into_iter().fold(0.0, f64::max) > best {
            continue;
        }
        let along = |u: f64| {
            let (p, q) = (a + (b - a) * u, a + (c - a) * u);
            least(|v| of(&(p + (q - p) * v)))
        };
        best = best.min(least(along));
    }
    best
}

#[test]
fn round_bodies_have_the_distance_of_all_triangles() {
    let mut random = Random::new(11);
    let meshes = [
        ell(),
        notched(),
        holed(),
        bumpy(),
        terrain(&mut random),
        torus(7, 5),
    ];
    let bodies = meshes.each_ref().map(shape);
    let (mut apart, mut inside, mut meeting, mut worst) = (0, 0, 0, 0.0_f64);
    let mut hint = Feature::None;
    for round in 0..soak(300) {
        for other in round_shapes() {
            let number = random.index(6);
            let (mesh, body) = (&meshes[number], &bodies[number]);
            let mut poses = [random.pose(0.05), random.pose(0.2)];
            let cold =
                |poses: &[Pose; 2]| query(body, &poses[0], &other, &poses[1], &Feature::None);
            let near = cold(&poses);
            if round % 2 == 1 && near.gap > 0.0 {
                let far = 10_f64.powf(random.between(-12.0, -3.0));
                poses[1].position -= near.normal_w * (near.gap - far);
            }
            let near = cold(&poses);
            hint = find_feature(&other, &poses[1], body, &poses[0], &hint);
            let warm = proximity(&other, &poses[1], body, &poses[0], &hint);
            assert!(
                (warm.gap - near.gap).abs() < 1e-14,
                "{} {}",
                warm.gap,
                near.gap
            );
            let triangles = corners(mesh, &poses[0]);
            let expected = brute(&triangles, &other, &poses[1]);
            // Closer than that the minimum is a kink, found no better.
            if expected <= -other.radius + 1e-9 {
                meeting += 1;
                let deeper = -other.radius - near.gap;
                assert!(deeper >= -1e-9, "{}", near.gap);
                if let Core::Segment(_) | Core::RoundCone(_) = other.core {
                    assert!(deeper <= 1e-9, "{}", near.gap);
                }
                continue;
            }
            let [p, q] = near.points_w;
            assert!((near.normal_w.norm() - 1.0).abs() < 1e-12);
            assert!((q - p - near.normal_w * near.gap).norm() < 1e-14);
            if signed(&triangles, &poses[1].position) < 0.0 {
                inside += 1;
                assert!(near.gap <= -(expected + 2.0 * other.radius) + 1e-12);
            } else {
                apart += 1;
                worst = worst.max((near.gap - expected).abs());
                assert!(
                    (near.gap - expected).abs() < 1e-12,
                    "{:?} at {number}: {} is not {expected}",
                    other.core,
                    near.gap
                );
            }
        }
    }
    println!("{apart} apart, {inside} inside, {meeting} meeting: off by {worst:e}");
    assert!(
        apart > soak(300) * 4 && meeting > 20,
        "{apart} {inside} {meeting}"
    );
}

#[test]
fn beside_the_mesh_of_a_box_the_gap_is_that_of_the_box() {
    let mut random = Random::new(12);
    let lengths = [0.1, 0.08, 0.06];
    let cuboid = RoundedShape::cuboid(&lengths, 0.0);
    let body = shape(&grid_box(lengths, 2, &mut random));
    let mut hint = Feature::None;
    let mut apart = 0;
    for _ in 0..soak(1000) {
        for other in round_shapes() {
            let mut poses = [random.pose(0.05), random.pose(0.15)];
            let of =
                |poses: &[Pose; 2]| query(&cuboid, &poses[0], &other, &poses[1], &Feature::None);
            let far = of(&poses);
            if far.gap <= 0.0 {
                continue;
            }
            if random.index(2) == 0 {
                // Also as deep as the rounding lets the cores be apart.
                let wanted = 10_f64.powf(random.between(-12.0, -3.0)) - 0.999 * other.radius;
                poses[1].position -= far.normal_w * (far.gap - wanted);
            }
            let expected = of(&poses);
            apart += 1;
            hint = find_feature(&body, &poses[0], &other, &poses[1], &hint);
            let found = proximity(&body, &poses[0], &other, &poses[1], &hint);
            let off = (found.gap - expected.gap).abs();
            assert!(
                off < 1e-14,
                "{:?}: {} {}",
                other.core,
                found.gap,
                expected.gap
            );
            let turn = (found.normal_w - expected.normal_w).norm();
            let core = expected.gap + other.radius;
            assert!(
                turn < 1e-9 + 1e-15 / core,
                "{:?}: {turn} at {core}",
                other.core
            );
        }
    }
    assert!(apart > soak(1000) * 4, "{apart}");
}

/// Of a box the depth is the largest inset at which the box that is left still meets the core.
#[test]
fn in_the_mesh_of_a_box_the_depth_is_the_inset_of_the_smaller_box_that_a_core_touches() {
    let mut random = Random::new(14);
    let lengths = [0.1, 0.08, 0.06];
    let body = shape(&grid_box(lengths, 2, &mut random));
    let mut hint = Feature::None;
    for _ in 0..soak(200) {
        // Capsules have no depth there, and ellipsoids one of their own.
        for other in round_shapes().drain(3..) {
            let mut poses = [random.pose(0.05), random.pose(0.15)];
            let of_box = |inset: f64, poses: &[Pose; 2]| {
                let left = RoundedShape::cuboid(&lengths.map(|length| length - 2.0 * inset), 0.0);
                query(&left, &poses[0], &other, &poses[1], &Feature::None)
            };
            let far = of_box(0.0, &poses);
            if far.gap <= 0.0 {
                continue;
            }
            let most = 10_f64.powf(random.between(-7.0, -2.7));
            poses[1].position -= far.normal_w * (far.gap + other.radius + most);
            // Inside the core up to the inset `low`, outside of it from `high`.
            let (mut low, mut high) = (0.0, most * 1.001);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                let meets = of_box(middle, &poses).gap <= -other.radius;
                *(if meets { &mut low } else { &mut high }) = middle;
            }
            let expected = -low - other.radius;
            hint = find_feature(&body, &poses[0], &other, &poses[1], &hint);
            let found = proximity(&body, &poses[0], &other, &poses[1], &hint).gap;
            assert!(
                (found - expected).abs() < 1e-13,
                "{:?}: {found} is not {expected}",
                other.core
            );
        }
    }
}

#[test]
fn derivatives_of_the_gap_of_round_bodies_are_differences() {
    let mut random = Random::new(13);
    let bodies = [shape(&ell()), shape(&notched())];
    let (mut compared, mut all) = (0, 0);
    for _ in 0..soak(100) {
        for other in round_shapes() {
            let body = &bodies[random.index(2)];
            let poses = [random.pose(0.05), random.pose(0.15)];
            let motions = [(); 2].map(|()| [random.vector(), random.vector() * 5.0]);
            let [one, two] = [0, 1].map(|k| lifted(&poses[k], &motions[k][0], &motions[k][1]));
            let found = query(body, &one, &other, &two, &Feature::None);
            if found.gap.re <= -other.radius {
                continue;
            }
            let gaps = [-1e-6, -5e-7, 5e-7, 1e-6].map(|time| {
                let [one, two] =
                    [0, 1].map(|k| moved(&poses[k], &motions[k][0], &motions[k][1], time));
                gap(body, &one, &other, &two, &Feature::None)
            });
            let rates = [(gaps[3] - gaps[0]) / 2e-6, (gaps[2] - gaps[1]) / 1e-6];
            all += 1;
            // Not across a change of the nearest features.
            if (rates[0] - rates[1]).abs() < 1e-6 {
                compared += 1;
                let off = (found.gap.eps[0] - rates[1]).abs();
                assert!(
                    off < 1e-6,
                    "{:?}: {} {rates:?}",
                    other.core,
                    found.gap.eps[0]
                );
            }
        }
    }
    assert!(
        compared > soak(100) && compared > all * 3 / 4,
        "{compared} of {all}"
    );
}
