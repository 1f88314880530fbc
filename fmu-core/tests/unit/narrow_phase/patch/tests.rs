//! A patch of two points, which only tests have, and that all other patches are queries.

use super::*;
use crate::geometry::samples::{Random, lift, shapes};
use crate::geometry::{Core, Segment};
use crate::math::Vec3;
use crate::narrow_phase::{capacity, query};
use std::cell::Cell;

thread_local! {
    /// Half-spaces touch capsules with both ends. Nothing else but balls may be over them.
    static WITH_ENDS: Cell<bool> = const { Cell::new(false) };
}

/// Runs a test in which half-spaces touch capsules with both ends, and meet only these and balls.
pub fn with_ends(test: impl FnOnce()) {
    WITH_ENDS.set(true);
    test();
    WITH_ENDS.set(false);
}

/// Whether the shapes of this routine, a half-space and one that is no ball, touch with both ends.
pub fn has_ends(routine: PairRoutine) -> bool {
    WITH_ENDS.get() && routine.routine == Routine::Lowest
}

/// A capsule over a half-space touches with both ends: index 0 at -half, 1 at half, each with half
/// the weight.
pub fn for_each_end<T: Real>(
    routine: PairRoutine,
    of_1: (&RoundedShape, &Pose<T>),
    of_2: (&RoundedShape, &Pose<T>),
    mut visit: impl FnMut(usize, &Proximity<T>, T),
) {
    let ((plane, plane_pose), (capsule, pose)) = match routine.swapped {
        true => (of_2, of_1),
        false => (of_1, of_2),
    };
    let Core::Segment(Segment { half }) = capsule.core else {
        panic!("not a capsule")
    };
    for (index, side) in [-1.0, 1.0].into_iter().enumerate() {
        let axis: Vec3<T> = pose.rotation.column(2).into();
        let end = Pose {
            position: pose.position + axis * T::from(side * half),
            rotation: pose.rotation,
        };
        let ball = RoundedShape::sphere(2.0 * capsule.radius);
        let near = query(plane, plane_pose, &ball, &end, &Feature::None);
        let near = match routine.swapped {
            true => near.swapped(),
            false => near,
        };
        visit(index, &near, T::from(0.5));
    }
}

/// The points of a patch.
fn points<T: Real>(
    routine: PairRoutine,
    of_1: (&RoundedShape, &Pose<T>),
    of_2: (&RoundedShape, &Pose<T>),
) -> Vec<(usize, Proximity<T>, T)> {
    let mut points = Vec::new();
    routine.for_each_point(
        of_1.0,
        of_1.1,
        of_2.0,
        of_2.1,
        &Feature::None,
        |i, near, w| {
            points.push((i, *near, w));
        },
    );
    points
}

/// The points of a half-space and a capsule that touch with both ends.
fn ends<T: Real>(
    of_1: (&RoundedShape, &Pose<T>),
    of_2: (&RoundedShape, &Pose<T>),
) -> Vec<(usize, Proximity<T>, T)> {
    let routine = PairRoutine::of(of_1.0.kind(), of_2.0.kind());
    let mut found = Vec::new();
    with_ends(|| {
        assert_eq!(routine.capacity(), 2);
        found = points(routine, of_1, of_2);
    });
    found
}

#[test]
fn a_patch_of_two_points_has_both_with_weights_of_sum_one_and_its_least_gap_is_that_of_the_query() {
    let mut random = Random(21);
    let (plane, capsule) = (RoundedShape::half_space(), RoundedShape::capsule(0.3, 0.8));
    for _ in 0..200 {
        let (p, q) = (random.pose(1.0), random.pose(1.0));
        let found = ends((&plane, &p), (&capsule, &q));
        let indices: Vec<usize> = found.iter().map(|point| point.0).collect();
        assert_eq!(indices, [0, 1]);
        assert_eq!(found.iter().map(|point| point.2).sum::<f64>(), 1.0);
        let apart = found[1].1.contact_point_w() - found[0].1.contact_point_w();
        let along = q.rotation * Vec3::z() * 0.8;
        let normal = found[0].1.normal_w;
        // Contact points are halfway between surface and plane: half the rise of the axis.
        let expected = along - normal * (0.5 * normal.dot(&along));
        assert!((apart - expected).amax() < 1e-14);
        let least = found[0].1.gap.min(found[1].1.gap);
        let nearest = query(&plane, &p, &capsule, &q, &Feature::None).gap;
        assert!((least - nearest).abs() < 1e-14, "{least} {nearest}");
    }
}

#[test]
fn swapped_shapes_give_the_same_patch_with_normals_flipped() {
    let mut random = Random(22);
    let (plane, capsule) = (RoundedShape::half_space(), RoundedShape::capsule(0.3, 0.8));
    for _ in 0..50 {
        let (p, q) = (random.pose(1.0), random.pose(1.0));
        let forth = ends((&plane, &p), (&capsule, &q));
        let back = ends((&capsule, &q), (&plane, &p));
        let swapped = back.iter().map(|(i, near, w)| (*i, near.swapped(), *w));
        assert_eq!(forth, swapped.collect::<Vec<_>>());
    }
}

#[test]
fn each_point_of_a_patch_has_its_own_exact_derivative() {
    let mut random = Random(23);
    let (plane, capsule) = (RoundedShape::half_space(), RoundedShape::capsule(0.3, 0.8));
    let (p, q) = (random.pose(1.0), random.pose(1.0));
    let values = ends((&plane, &p), (&capsule, &q));
    for axis in 0..3 {
        let mut moved = lift(&q);
        moved.position[axis].eps = 1.0;
        let found = ends((&plane, &lift(&p)), (&capsule, &moved));
        for (point, value) in found.iter().zip(&values) {
            assert_eq!(point.1.gap.re, value.1.gap);
            assert!((point.1.gap.eps - value.1.normal_w[axis]).abs() < 1e-14);
        }
    }
}

#[test]
fn the_patch_of_every_pair_is_its_query_with_weight_one() {
    let mut random = Random(24);
    let mut all = shapes();
    all.extend([RoundedShape::sphere(0.5), RoundedShape::half_space()]);
    for a in &all {
        for b in &all {
            assert_eq!(capacity(a, b), 1);
            let routine = PairRoutine::of(a.kind(), b.kind());
            for _ in 0..10 {
                let (p, q) = (random.pose(0.8), random.pose(0.8));
                let near = query(a, &p, b, &q, &Feature::None);
                assert_eq!(points(routine, (a, &p), (b, &q)), [(0, near, 1.0)]);
            }
        }
    }
}
