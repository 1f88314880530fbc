//! What must not matter: which shape is first, and where in the world the pair is.

use crate::errors::assert_none;
use crate::kind::Kind;
use crate::pairs::Tolerance;
use crate::placing::{POSE_ROUNDING, Placing};
use crate::random::Random;
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::narrow_phase::{Feature, Proximity, query};

const POSES: usize = 20;
const GAPS: [f64; 6] = [1e-1, 1e-3, 0.0, -1e-5, -1e-3, -1e-2];

/// Random pairs at covered gaps whose normal and points the poses determine.
fn each_pair(seed: u64, mut check: impl FnMut([Kind; 2], &Placing, f64)) {
    for kinds in Kind::pairs() {
        let mut random = Random::new(seed);
        for _ in 0..POSES {
            let placing = Placing::next(kinds, &mut random);
            for gap in GAPS {
                let turn = POSE_ROUNDING * placing.normal_sensitivity(gap);
                if placing.covers(gap) && turn < 1e-10 {
                    check(kinds, &placing, gap);
                }
            }
        }
    }
}

fn ask(placing: &Placing, p1: &Pose, p2: &Pose) -> Proximity {
    let [s1, s2] = &placing.solids;
    query(&s1.shape, p1, &s2.shape, p2, &Feature::None)
}

#[test]
fn swapping_the_shapes_flips_the_normal_and_nothing_else() {
    let mut failures = Vec::new();
    each_pair(21, |kinds, placing, gap| {
        let (p1, p2) = (placing.pose_1, placing.pose_2(gap));
        let [s1, s2] = &placing.solids;
        let forth = ask(placing, &p1, &p2);
        let back = query(&s2.shape, &p2, &s1.shape, &p1, &Feature::None);
        let errors = [
            (forth.gap - back.gap).abs(),
            (forth.normal_w + back.normal_w).norm(),
            (forth.points_w[0] - back.points_w[1]).norm(),
            (forth.points_w[1] - back.points_w[0]).norm(),
        ];
        // Different cores go through the same routine in the same order: equal to the bit. Like
        // ones see each other from the other side.
        let same = errors == [0.0; 4];
        let tolerance = Tolerance::of(kinds);
        let alike = errors[0] <= tolerance.gap
            && errors[1] <= tolerance.normal
            && errors[2].max(errors[3]) <= 1e-8;
        let like_cores =
            std::mem::discriminant(&s1.shape.core) == std::mem::discriminant(&s2.shape.core);
        if !(same || like_cores && alike) {
            failures.push(format!("{kinds:?} at gap {gap}: {errors:?}"));
        }
    });
    assert_none(&failures);
}

/// Both poses turned and shifted; the exact gap of the rounded poses against the one found.
fn assert_unmoved(reach: f64, turn: bool, gap_tolerance: f64) {
    let mut failures = Vec::new();
    let mut random = Random::new(23);
    each_pair(22, |kinds, placing, gap| {
        let mut motion = Pose::identity();
        motion.position = random.direction() * reach;
        if turn {
            motion.rotation = random.rotation();
        }
        let (p1, p2) = (placing.pose_1, placing.pose_2(gap));
        let (q1, q2) = (motion.then(&p1), motion.then(&p2));
        // Far away the rounded places are another pair, its gap to first order that of the shift.
        let normal = motion.rotation * placing.normal;
        let shift: Vec3 = q2.position - q1.position - motion.rotation * (p2.position - p1.position);
        let exact = gap + normal.dot(&shift);
        let found = ask(placing, &q1, &q2);
        let tolerance = Tolerance::of(kinds);
        let across = shift.norm() * placing.normal_sensitivity(gap);
        let errors = [(found.gap - exact).abs(), (found.normal_w - normal).norm()];
        // To second order in the shift, which curvature and distance divide.
        let allowed = gap_tolerance.max(tolerance.gap) + POSE_ROUNDING + shift.norm() * across;
        if !(errors[0] <= allowed && errors[1] <= tolerance.normal + 2.0 * across) {
            failures.push(format!("{kinds:?} at gap {gap}: {errors:?}"));
        }
    });
    assert_none(&failures);
}

#[test]
fn moving_both_shapes_by_ten_metres_changes_nothing_beyond_rounding() {
    assert_unmoved(10.0, true, 1e-14);
}

#[test]
fn shapes_ten_kilometres_from_the_origin_are_as_near_as_their_rounded_poses() {
    assert_unmoved(1e4, false, 1e-14);
}
