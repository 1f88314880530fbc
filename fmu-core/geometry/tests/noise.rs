//! What an integrator feels: the gap follows the motion without noise or jumps, and the normal of
//! smoothed shapes turns no faster than they move.

use crate::errors::{assert_none, raise, within};
use crate::kind::Kind;
use crate::placing::Placing;
use crate::random::{Random, posed};
use crate::solid::Solid;
use contact_geometry::math::{Pose, Vec3, rotation_matrix};
use contact_geometry::narrow_phase::{Feature, find_feature, gap, proximity, query};

/// Poses of each pair.
const POSES: usize = 20;

/// How much the gap between two places of shape 2 differs from its motion along the normal [m].
/// The motion is that of the rounded positions.
fn noise(placing: &Placing, gaps: [f64; 2]) -> f64 {
    let [s1, s2] = &placing.solids;
    let [here, there] = gaps.map(|g| placing.pose_2(g));
    let value = |p2: &Pose| gap(&s1.shape, &placing.pose_1, &s2.shape, p2, &Feature::None);
    let moved = placing.normal.dot(&(there.position - here.position));
    (value(&there) - value(&here) - moved).abs()
}

#[test]
fn a_step_of_1e_7_m_along_the_normal_shows_in_the_gap_to_2e_15_m() {
    let mut failures = Vec::new();
    for kinds in Kind::pairs() {
        let mut random = Random::new(7);
        let mut worst = 0.0;
        for _ in 0..POSES {
            let placing = Placing::next(kinds, &mut random);
            for gap in [1e-2, 1e-4, 0.0, -1e-5, -1e-3, -1e-2] {
                if placing.covers(gap) {
                    raise(&mut worst, noise(&placing, [gap, gap + 1e-7]));
                }
            }
        }
        println!("{kinds:?}: {worst:.1e} m");
        if !within(worst, 2e-15) {
            failures.push(format!("{kinds:?}: {worst:.1e} m"));
        }
    }
    assert_none(&failures);
}

#[test]
fn sweeps_through_touching_in_steps_of_1e_9_m_meet_no_jump_of_the_gap() {
    let mut failures = Vec::new();
    for kinds in Kind::pairs() {
        let mut random = Random::new(8);
        let mut worst = 0.0;
        for _ in 0..POSES {
            let placing = Placing::next(kinds, &mut random);
            let [s1, s2] = &placing.solids;
            let p1 = placing.pose_1;
            let mut hint = Feature::None;
            let mut last: Option<(f64, Vec3)> = None;
            for step in -50..=50 {
                let exact = -1e-9 * f64::from(step);
                if !placing.covers(exact) {
                    continue;
                }
                let p2 = placing.pose_2(exact);
                hint = find_feature(&s1.shape, &p1, &s2.shape, &p2, &hint);
                let gap = proximity(&s1.shape, &p1, &s2.shape, &p2, &hint).gap;
                if let Some((before, position)) = last {
                    let moved = placing.normal.dot(&(p2.position - position));
                    raise(&mut worst, (gap - before - moved).abs());
                }
                last = Some((gap, p2.position));
            }
        }
        println!("{kinds:?}: {worst:.1e} m");
        if !within(worst, 1e-14) {
            failures.push(format!("{kinds:?}: {worst:.1e} m"));
        }
    }
    assert_none(&failures);
}

/// A body that slides over the edge of a table and off it, tips and turns, while its core stays
/// between 1 and 3 smoothing radii from that of the table most of the way: `length` and `height`
/// are its half extents. Largest turn of the normal for the distance moved, in 1/r, and the number
/// of steps that counted.
fn fastest_turn(body: &Solid, length: f64, height: f64, r: f64) -> (f64, usize) {
    const STEPS: usize = 50_000;
    let table = Solid::cuboid([1.0, 1.0, 0.2], r);
    let at = |t: f64| {
        let wave = |rate: f64, phase: f64| (rate * t + phase).sin();
        let tip = 0.4 + 0.5 * wave(5.0, -1.0);
        let turn = 0.3 * wave(3.0, 0.2);
        let slide = 1.3 * length * wave(11.0, 0.4);
        // Axes: about y by the tip, then about the body's own z by the turn.
        let (s, c) = (0.5 * tip).sin_cos();
        let (u, w) = (0.5 * turn).sin_cos();
        let tipped = rotation_matrix(&[c, 0.0, s, 0.0]);
        let rotation = tipped * rotation_matrix(&[w, 0.0, 0.0, u]);
        // Over the edge of the core, x = 0.5 - r, z = 0.1 - r, lifted along the tipped normal.
        let edge = Vec3::new(0.5 - r, 0.0, 0.1 - r);
        let lift = height - r + r * (2.0 + wave(17.0, 0.0));
        let pose = posed(
            edge + tipped * Vec3::new(slide, 0.02 * wave(2.0, 0.0), lift),
            rotation,
        );
        (pose, tip, turn)
    };
    let (mut fastest, mut counted) = (0.0, 0);
    let mut last: Option<(Vec3, Pose, f64, f64)> = None;
    for step in 0..=STEPS {
        let (pose, tip, turn) = at(step as f64 / STEPS as f64);
        let found = query(
            &table.shape,
            &Pose::identity(),
            &body.shape,
            &pose,
            &Feature::None,
        );
        if found.gap + 2.0 * r < r {
            last = None;
            continue;
        }
        if let Some((normal, before, tip_before, turn_before)) = last {
            let moved = (pose.position - before.position).norm()
                + length * ((tip - tip_before).abs() + (turn - turn_before).abs());
            raise(&mut fastest, (found.normal_w - normal).norm() / (moved / r));
            counted += 1;
        }
        last = Some((found.normal_w, pose, tip, turn));
    }
    (fastest, counted)
}

#[test]
fn normal_of_a_smoothed_box_that_slides_and_tips_over_an_edge_turns_no_faster_than_it_moves() {
    let r = 1e-3;
    let bodies = [
        (Solid::cuboid([0.3, 0.2, 0.1], r), 0.15, 0.05),
        (Solid::cylinder(0.3, 0.1, r), 0.15, 0.05),
        (Solid::prism(6, 0.1, r), 0.4, 0.1 + r),
    ];
    for (body, length, height) in bodies {
        let (fastest, counted) = fastest_turn(&body, length, height, r);
        println!("{:?}: {fastest} over {counted} steps", body.body);
        assert!(counted > 25_000, "{counted} steps counted");
        // Round an edge the normal turns by 1/(2 r) where both cores are 2 r apart.
        assert!(fastest >= 0.3, "{:?}: {fastest}", body.body);
        assert!(fastest <= 2.0, "{:?}: {fastest}", body.body);
    }
}
