//! Invariants, derivatives, continuity and degenerate cases of curved cores.

use super::{facing, pairs, query, stone};
use crate::math::{Mat3, Pose, Vec3, rotation_matrix};
use crate::narrow_phase::{Feature, find_feature, proximity};
use crate::shapes::RoundedShape;
use crate::shapes::samples::{Random, at, lift, moving, posed, surface};

/// One placement of each pair, `gap` [m] apart, with generic strata.
fn placements(seed: u64, gap: f64) -> Vec<(RoundedShape, Pose, RoundedShape, Pose)> {
    let mut random = Random(seed);
    pairs()
        .into_iter()
        .enumerate()
        .map(|(i, (a, b))| {
            let first = surface(&a.core, &mut random, i);
            let second = surface(&b.core, &mut random, i / 7);
            let (p, mut q, n) = facing(
                &mut random,
                (&a, first.0, first.1),
                (&b, second.0, second.1),
            );
            q.position += n * gap;
            (a, p, b, q)
        })
        .collect()
}

/// A placement turned a little, so that nothing is exactly parallel.
fn turned(random: &mut Random, pose: &Pose, angle: f64) -> Pose {
    let v = random.vector() * angle;
    posed(
        pose.position,
        pose.rotation * rotation_matrix(&[1.0, v.x, v.y, v.z]),
    )
}

#[test]
fn swapping_the_shapes_flips_the_normal_and_nothing_else() {
    for gap in [0.1, 1e-3, -5e-4] {
        for (a, p, b, q) in placements(31, gap) {
            let (forth, back) = (query(&a, &p, &b, &q), query(&b, &q, &a, &p));
            assert!((forth.gap - back.gap).abs() <= 2e-15);
            let core_gap = (gap + a.radius + b.radius).abs();
            if forth.gap > 0.0 {
                let turn = (forth.normal_w + back.normal_w).amax();
                assert!(turn <= 1e-10f64.max(4e-15 / core_gap), "{turn}");
            }
        }
    }
}

#[test]
fn rigid_motion_of_both_changes_nothing_beyond_rounding_of_the_positions() {
    let mut random = Random(32);
    for (a, p, b, q) in placements(33, 1e-2) {
        let mut motion = random.pose(1.0);
        motion.position *= 1e4;
        let here = query(&a, &p, &b, &q);
        let there = query(&a, &motion.then(&p), &b, &motion.then(&q));
        // Positions of 1e4 m have steps of 1.8e-12 m.
        assert!((here.gap - there.gap).abs() < 1e-11);
        let turn = (motion.rotation * here.normal_w - there.normal_w).amax();
        assert!(turn < 1e-8, "{turn}");
    }
}

#[test]
fn a_hint_never_changes_the_answer() {
    let mut random = Random(34);
    for gap in [1e-2, 1e-6, -1e-4, -1e-2] {
        for (a, p, b, q) in placements(35, gap) {
            let here = find_feature(&a, &p, &b, &q, &Feature::None);
            let near = turned(&mut random, &q, 1e-3);
            let far = random.pose(1.0);
            for hinted in [near, far] {
                let cold = find_feature(&a, &p, &b, &hinted, &Feature::None);
                let warm = find_feature(&a, &p, &b, &hinted, &here);
                let cold = proximity(&a, &p, &b, &hinted, &cold).gap;
                let warm = proximity(&a, &p, &b, &hinted, &warm).gap;
                assert!((cold - warm).abs() <= 1e-14, "{cold} {warm}");
            }
        }
    }
}

#[test]
fn gap_grows_with_the_way_along_the_normal_without_noise() {
    for (a, p, b, q) in placements(36, 1e-4) {
        let here = query(&a, &p, &b, &q);
        let mut moved = q;
        moved.position += here.normal_w * 1e-7;
        let noise = query(&a, &p, &b, &moved).gap - here.gap - 1e-7;
        let off = noise.abs();
        assert!(off <= 2e-15, "{:?} {:?}: {noise}", a.kind(), b.kind());
    }
}

#[test]
fn gap_has_no_jump_through_touching_of_shapes_and_of_cores() {
    let mut random = Random(37);
    for (a, p, b, q) in placements(38, 0.0) {
        let q = turned(&mut random, &q, 1e-3);
        let here = query(&a, &p, &b, &q);
        for level in [0.0, -(a.radius + b.radius)] {
            let at = |k: i32| {
                let mut moved = q;
                let away = level - here.gap + f64::from(k) * 1e-9;
                moved.position += here.normal_w * away;
                query(&a, &p, &b, &moved).gap
            };
            let mut last = at(-6);
            for k in -5..6 {
                let now = at(k);
                let step = now - last;
                // No more than the way; less where sharp edges pass each other.
                let off = step.abs();
                assert!(off <= 1e-9 + 1e-14, "{:?} {:?}: {step}", a.kind(), b.kind());
                last = now;
            }
        }
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let mut random = Random(39);
    let mut compared = 0;
    for (a, p, b, q) in placements(40, 0.05) {
        let q = turned(&mut random, &q, 0.05);
        let (v, w) = (random.vector(), random.vector());
        let at = |h: f64| {
            posed(
                q.position + v * h,
                (Mat3::identity() + w.cross_matrix() * h) * q.rotation,
            )
        };
        let moving = moving(&q, &v, &w);
        let feature = find_feature(&a, &p, &b, &q, &Feature::None);
        let exact = proximity(&a, &lift(&p), &b, &moving, &feature);
        let values = proximity(&a, &p, &b, &q, &feature);
        assert!((exact.gap.re - values.gap).abs() <= 1e-15);
        let h = 1e-6;
        let (plus, minus) = (query(&a, &p, &b, &at(h)), query(&a, &p, &b, &at(-h)));
        let step = (query(&a, &p, &b, &at(2.0 * h)).normal_w - plus.normal_w)
            - (minus.normal_w - query(&a, &p, &b, &at(-2.0 * h)).normal_w);
        // Between the points of the difference the nearest strata may change.
        if step.norm() > 1e-7 {
            continue;
        }
        let gap = (plus.gap - minus.gap) / (2.0 * h);
        let off = (exact.gap.eps[0] - gap).abs();
        assert!(off < 1e-7, "{} {gap}", exact.gap.eps[0]);
        for i in 0..3 {
            let normal = (plus.normal_w[i] - minus.normal_w[i]) / (2.0 * h);
            let scale = 1.0 + normal.abs();
            let found = exact.normal_w[i].eps[0];
            assert!((found - normal).abs() < 1e-5 * scale, "{found} {normal}");
            let point = (plus.contact_point_w()[i] - minus.contact_point_w()[i]) / (2.0 * h);
            let found = exact.contact_point_w()[i].eps[0];
            let scale = 10.0 + point.abs();
            assert!((found - point).abs() < 1e-4 * scale, "{found} {point}");
        }
        compared += 1;
    }
    assert!(compared > 400, "{compared}");
}

#[test]
fn poses_that_are_not_numbers_end() {
    for (a, p, b, mut q) in placements(41, 1e-2) {
        q.position.x = f64::NAN;
        let found = query(&a, &p, &b, &q);
        assert!(found.gap.is_nan() || found.gap.is_infinite());
        q.position.x = 0.0;
        q.rotation[(1, 1)] = f64::NAN;
        query(&a, &p, &b, &q);
    }
}

/// Rotation about x by `angle` [rad].
fn about_x(angle: f64) -> Mat3 {
    let (s, c) = (0.5 * angle).sin_cos();
    rotation_matrix(&[c, s, 0.0, 0.0])
}

#[test]
fn coaxial_and_concentric_shapes_have_the_depth_of_the_shortest_way_out() {
    for smoothing in [0.0, 1e-3] {
        let rod = RoundedShape::cylinder(0.2, 1.0, smoothing);
        let disc = RoundedShape::cylinder(0.6, 0.1, smoothing);
        let crate_ = RoundedShape::cuboid(&[0.4, 0.5, 0.3], smoothing);
        let beam = RoundedShape::beam(0.7, 0.4, 0.3, smoothing);
        let ball = RoundedShape::ellipsoid(&[0.5, 0.4, 0.3]);
        let cone = RoundedShape::cone(0.6, 0.0, 0.8, smoothing);
        // The shortest way out by hand: sum of the half sizes along the best direction.
        let cases = [
            (&rod, &rod, 0.2),
            (&disc, &disc, 0.1),
            (&rod, &disc, 0.4),
            (&crate_, &rod, 0.3),
            (&crate_, &disc, 0.2),
            (&beam, &beam, 0.3),
            (&ball, &ball, 0.3),
            (&crate_, &ball, 0.3),
        ];
        for (a, b, depth) in cases {
            let found = query(a, &at(0.0, 0.0, 0.0), b, &at(0.0, 0.0, 0.0));
            assert!((found.gap + depth).abs() < 1e-13, "{} {depth}", found.gap);
        }
        // A rod along the axis of a cone, level with its base circle: down or sideways.
        let down = query(&cone, &at(0.0, 0.0, 0.0), &rod, &at(0.0, 0.0, -0.4));
        assert!((down.gap + 0.1).abs() < 1e-13, "{}", down.gap);
        assert!((down.normal_w + Vec3::z()).norm() < 1e-9);
    }
}

#[test]
fn standing_and_lying_shapes_touch_in_the_overlap_exactly() {
    let s = 1e-3;
    let plate = RoundedShape::cuboid(&[2.0, 2.0, 0.2], s);
    let rod = RoundedShape::cylinder(0.2, 1.0, s);
    let lying = Mat3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
    for gap in [1e-2, 1e-9, 0.0, -1e-9, -1e-5, -1e-3] {
        // Standing, and lying with a third beyond the edge of the plate.
        let standing = query(&plate, &at(0.0, 0.0, 0.0), &rod, &at(0.3, -0.2, 0.6 + gap));
        assert!((standing.gap - gap).abs() < 1e-15 && standing.normal_w == Vec3::z());
        let point = standing.contact_point_w();
        let off = (point - Vec3::new(0.3, -0.2, 0.1 + 0.5 * gap)).norm();
        assert!(off < 1e-3, "{point} {gap}");
        let over = posed(Vec3::new(0.8, 0.1, 0.2 + gap), lying);
        let found = query(&plate, &at(0.0, 0.0, 0.0), &rod, &over);
        assert!((found.gap - gap).abs() < 1e-15, "{} {gap}", found.gap);
        assert!((found.normal_w - Vec3::z()).norm() < 1e-12);
        let point = found.contact_point_w();
        assert!(point.x > 0.3 && point.x <= 1.0 && (point.y - 0.1).abs() < 1e-9);
    }
    // Rods side by side, a capsule along a rod, a hull's face on a disc.
    let side = query(&rod, &at(0.0, 0.0, 0.0), &rod, &at(0.25, 0.0, 0.4));
    assert!((side.gap - 0.05).abs() < 1e-15 && (side.normal_w - Vec3::x()).norm() < 1e-12);
    let capsule = RoundedShape::capsule(0.1, 0.5);
    let along = query(&rod, &at(0.0, 0.0, 0.0), &capsule, &at(0.0, 0.2, 0.6));
    assert!((along.gap - 0.05).abs() < 1e-15 && (along.normal_w - Vec3::y()).norm() < 1e-12);
    let height = along.contact_point_w().z;
    assert!((0.35..=0.5).contains(&height), "{height}");
}

#[test]
fn contact_point_wanders_without_a_jump_as_a_shape_tips_through_parallel() {
    let s = 1e-3;
    let plate = RoundedShape::cuboid(&[2.0, 2.0, 0.2], s);
    let disc = RoundedShape::cylinder(1.0, 0.3, s);
    let rod = RoundedShape::cylinder(0.2, 1.0, s);
    let shapes = [
        disc.clone(),
        rod.clone(),
        RoundedShape::cone(0.8, 0.4, 0.5, s),
        RoundedShape::beam(0.7, 0.4, 0.3, s),
        RoundedShape::hull(stone(), s),
    ];
    let lying = about_x(0.5 * std::f64::consts::PI);
    for below in [&plate, &disc] {
        for (i, shape) in shapes.iter().enumerate() {
            for base in [Mat3::identity(), lying] {
                if matches!(below.core, crate::shapes::Core::Box(_)) && i == 4 {
                    continue;
                }
                // Tipped about y while turned a little about x, past parallel and back.
                let at_angle = |angle: f64| {
                    let tip = rotation_matrix(&[1.0, 1e-5, 0.5 * angle, 0.0]);
                    let mut pose = posed(Vec3::new(0.1, 0.05, 2.0), tip * base);
                    let first = query(below, &at(0.0, 0.0, 0.0), shape, &pose);
                    pose.position -= first.normal_w * (first.gap - 1e-5);
                    query(below, &at(0.0, 0.0, 0.0), shape, &pose)
                };
                let mut last = at_angle(-3e-4);
                for k in -149..150 {
                    let now = at_angle(f64::from(k) * 2e-6);
                    let moved = (now.contact_point_w() - last.contact_point_w()).norm();
                    // Within the band of 1e-4 rad by slope 3/2 over half the size and a bit more.
                    assert!(
                        moved < 0.1,
                        "{:?} {:?} {i} {k}: {moved}",
                        below.kind(),
                        shape.kind()
                    );
                    last = now;
                }
            }
        }
    }
}
