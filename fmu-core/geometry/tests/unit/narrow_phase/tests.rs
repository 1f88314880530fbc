//! Closed forms, degenerate cases and invariants of the narrow phase.

use super::*;
use crate::math::{Mat3, Vec3};
use crate::shapes::samples::{Random, at, lift, posed, shapes};
use crate::shapes::{Core, Cuboid};

fn query(s1: &RoundedShape, p1: &Pose, s2: &RoundedShape, p2: &Pose) -> Proximity {
    super::query(s1, p1, s2, p2, &Feature::None)
}

/// Two half-spaces have no gap.
fn can_meet(a: &RoundedShape, b: &RoundedShape) -> bool {
    !matches!((&a.core, &b.core), (Core::HalfSpace, Core::HalfSpace))
}

const GAPS: [f64; 13] = [
    1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9, 0.0, -1e-9, -1e-7, -1e-5, -1e-4, -1e-3,
];

fn assert_gap_and_normal(found: &Proximity, gap: f64, normal: &Vec3) {
    let error = (found.gap - gap).abs();
    assert!(error <= 1e-13, "gap {} for {gap}", found.gap);
    let angle = found.normal_w.cross(normal).norm();
    assert!(
        angle <= 1e-9 && found.normal_w.dot(normal) > 0.0,
        "normal off by {angle} rad at gap {gap}"
    );
    let witness = (found.points_w[1] - found.points_w[0]).dot(normal);
    let off = (witness - gap).abs();
    assert!(off <= 1e-13, "points give {witness} for {gap}");
}

#[test]
fn spheres_have_the_gap_and_normal_they_were_placed_with() {
    let mut random = Random(1);
    for _ in 0..200 {
        let (a, b) = (
            RoundedShape::sphere(1.0),
            RoundedShape::sphere(0.3 + random.next().abs()),
        );
        for gap in GAPS {
            let pose_1 = random.pose(1.0);
            let normal = random.vector().normalize();
            let mut pose_2 = random.pose(1.0);
            pose_2.position = pose_1.position + normal * (a.radius + b.radius + gap);
            assert_gap_and_normal(&query(&a, &pose_1, &b, &pose_2), gap, &normal);
        }
    }
}

#[test]
fn sphere_over_face_edge_and_corner_of_a_box_has_the_gap_and_normal_it_was_placed_with() {
    let mut random = Random(2);
    for round in 0..600 {
        let lengths = [1.0, 0.7, 0.4];
        let shape = RoundedShape::cuboid(&lengths, 1e-3);
        let Core::Box(Cuboid { half }) = shape.core else {
            panic!("a box has a box core")
        };
        let ball = RoundedShape::sphere(0.2);
        // A point of the core's surface and a direction inside its normal cone.
        let mut q = Vec3::from_fn(|i, _| 0.9 * half[i] * random.next());
        let mut direction = Vec3::zeros();
        for i in 0..=(round % 3) {
            let side = random.next().signum();
            q[i] = side * half[i];
            direction[i] = side * (0.05 + random.next().abs());
        }
        let direction = direction.normalize();
        for gap in GAPS {
            let pose_1 = random.pose(1.0);
            let normal = pose_1.rotation * direction;
            let center = pose_1.position
                + pose_1.rotation * (q + direction * (shape.radius + ball.radius + gap));
            let pose_2 = posed(center, Mat3::identity());
            assert_gap_and_normal(&query(&shape, &pose_1, &ball, &pose_2), gap, &normal);
            assert_gap_and_normal(&query(&ball, &pose_2, &shape, &pose_1), gap, &-normal);
        }
    }
}

#[test]
fn sphere_over_a_half_space_has_the_gap_and_normal_it_was_placed_with() {
    let mut random = Random(3);
    for _ in 0..200 {
        let ball = RoundedShape::sphere(0.4 + random.next().abs());
        for gap in GAPS {
            let pose_1 = random.pose(1.0);
            let normal = pose_1.rotation * Vec3::z();
            let along = pose_1.rotation * Vec3::new(random.next(), random.next(), 0.0);
            let mut pose_2 = random.pose(1.0);
            pose_2.position = pose_1.position + along + normal * (ball.radius + gap);
            assert_gap_and_normal(
                &query(&RoundedShape::half_space(), &pose_1, &ball, &pose_2),
                gap,
                &normal,
            );
        }
    }
}

#[test]
fn concentric_spheres_have_the_sum_of_radii_as_depth_and_x_as_normal() {
    let p = query(
        &RoundedShape::sphere(1.0),
        &Pose::identity(),
        &RoundedShape::sphere(0.5),
        &Pose::identity(),
    );
    assert_eq!((p.gap, p.normal_w), (-0.75, Vec3::x()));
}

#[test]
fn a_sphere_inside_a_box_leaves_by_the_nearest_face_continuously() {
    let shape = RoundedShape::cuboid(&[1.0, 1.0, 1.0], 1e-3);
    let ball = RoundedShape::sphere(0.02);
    let at = |z| {
        let pose = at(0.1, 0.05, z);
        query(&shape, &Pose::identity(), &ball, &pose)
    };
    // From outside to well inside: the gap is the height over the face all the way.
    for step in 0..400 {
        let z = 0.6 - 1e-3 * f64::from(step);
        let p = at(z);
        assert!((p.gap - (z - 0.51)).abs() < 1e-15, "z {z} gap {}", p.gap);
        assert_eq!(p.normal_w, Vec3::z());
    }
    let middle = query(&shape, &Pose::identity(), &ball, &Pose::identity());
    assert!((middle.gap + 0.51).abs() < 1e-15 && middle.normal_w == Vec3::x());
}

#[test]
fn swapping_the_shapes_flips_the_normal_and_nothing_else() {
    let mut random = Random(5);
    let shapes = [
        RoundedShape::sphere(0.5),
        RoundedShape::cuboid(&[1.0, 0.7, 0.4], 1e-3),
        RoundedShape::half_space(),
    ];
    let mut compared = 0;
    for _ in 0..100 {
        for a in &shapes {
            for b in &shapes {
                // Two boxes are exchanged in the tests of polytopes: each order has its frame.
                let boxes = matches!((&a.core, &b.core), (Core::Box(_), Core::Box(_)));
                if boxes || !can_meet(a, b) {
                    continue;
                }
                let (p, q) = (random.pose(1.0), random.pose(1.0));
                let (forth, back) = (query(a, &p, b, &q), query(b, &q, a, &p));
                assert!((forth.gap - back.gap).abs() <= 4e-16);
                assert!((forth.normal_w + back.normal_w).amax() <= 4e-16);
                assert!((forth.points_w[0] - back.points_w[1]).amax() <= 4e-16);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 700);
}

#[test]
fn moving_both_shapes_rigidly_changes_nothing_beyond_rounding() {
    let mut random = Random(6);
    let (a, b) = (
        RoundedShape::cuboid(&[1.0, 0.7, 0.4], 1e-3),
        RoundedShape::sphere(0.5),
    );
    for _ in 0..200 {
        let (p, q, move_both) = (random.pose(1.0), random.pose(1.0), random.pose(5.0));
        let here = query(&a, &p, &b, &q);
        let there = query(&a, &move_both.then(&p), &b, &move_both.then(&q));
        assert!((here.gap - there.gap).abs() < 1e-14);
        assert!((move_both.rotation * here.normal_w - there.normal_w).amax() < 1e-13);
    }
}

#[test]
fn gap_alone_is_that_of_the_query_to_the_bit() {
    let mut random = Random(11);
    let shapes = [
        RoundedShape::sphere(0.5),
        RoundedShape::cuboid(&[1.0, 0.7, 0.4], 1e-3),
        RoundedShape::half_space(),
    ];
    // Close, so that faces, edges, corners and the inside of the box are all met.
    for _ in 0..2000 {
        let (p, q) = (random.pose(0.6), random.pose(0.6));
        for a in &shapes {
            for b in &shapes {
                assert_eq!(gap(a, &p, b, &q, &Feature::None), query(a, &p, b, &q).gap);
            }
        }
    }
    let p = random.pose(1.0);
    assert_eq!(gap(&shapes[0], &p, &shapes[0], &p, &Feature::None), -0.5);
}

#[test]
fn derivative_of_the_gap_is_the_normal() {
    // d gap/d(position of 2) = normal, for every feature.
    let mut random = Random(7);
    let shapes = [
        RoundedShape::sphere(0.5),
        RoundedShape::cuboid(&[1.0, 0.7, 0.4], 1e-3),
        RoundedShape::half_space(),
    ];
    for _ in 0..100 {
        for a in &shapes {
            for b in &shapes {
                if !can_meet(a, b) {
                    continue;
                }
                let (p, q) = (random.pose(1.0), random.pose(1.0));
                let feature = find_feature(a, &p, b, &q, &Feature::None);
                let values = proximity(a, &p, b, &q, &feature);
                for axis in 0..3 {
                    let mut moved = lift(&q);
                    moved.position[axis].eps[0] = 1.0;
                    let gap = proximity(a, &lift(&p), b, &moved, &feature).gap;
                    assert_eq!(gap.re, values.gap);
                    assert!((gap.eps[0] - values.normal_w[axis]).abs() < 1e-14);
                }
            }
        }
    }
}

#[test]
fn gap_is_free_of_noise_across_touching() {
    let plate = RoundedShape::cuboid(&[1.0, 1.0, 0.1], 1e-3);
    let ball = RoundedShape::sphere(0.2);
    let mut last = None;
    for step in -500..500 {
        let z = 0.15 + f64::from(step) * 1e-9;
        let pose = at(0.3, -0.2, z);
        let gap = query(&plate, &Pose::identity(), &ball, &pose).gap;
        if let Some(before) = last {
            let jump: f64 = gap - before - 1e-9;
            assert!(jump.abs() < 1e-15, "jump {jump}");
        }
        last = Some(gap);
    }
}

#[test]
fn every_pair_that_can_meet_has_a_routine() {
    let shapes = [
        RoundedShape::sphere(0.5),
        RoundedShape::cuboid(&[1.0, 0.7, 0.4], 1e-3),
        RoundedShape::half_space(),
    ];
    for a in &shapes {
        for b in &shapes {
            let p = query(a, &Pose::identity(), b, &Pose::identity());
            assert_eq!(p.gap.is_finite(), can_meet(a, b));
        }
    }
}

#[test]
fn every_entry_has_the_bits_of_the_feature_pair_for_each_two_kinds_in_both_orders() {
    let mut random = Random(12);
    let mut all = shapes();
    all.extend([RoundedShape::sphere(0.5), RoundedShape::half_space()]);
    for a in &all {
        for b in &all {
            let routine = PairRoutine::of(a.kind(), b.kind());
            let found = routine.uses_warm_start();
            assert_eq!(found, uses_warm_start(b.kind(), a.kind()));
            let mut last = Feature::None;
            for _ in 0..30 {
                let (p, q) = (random.pose(0.8), random.pose(0.8));
                for start in [Feature::None, last] {
                    let feature = find_feature(a, &p, b, &q, &start);
                    let near = proximity(a, &p, b, &q, &feature);
                    assert_eq!(super::query(a, &p, b, &q, &start), near);
                    assert_eq!(gap(a, &p, b, &q, &start).to_bits(), near.gap.to_bits());
                    assert_eq!(feature == Feature::None, !can_meet(a, b));
                    last = feature;
                }
            }
        }
    }
}
