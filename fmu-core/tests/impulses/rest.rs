//! Bouncing that ends.

use super::*;
use crate::running::{DividedRun, Run};

/// [Engelson 2000] section 2.4: a ball dropped from h = 10 m, g = 9.8 m/s2, e = 0.8.
fn engelson() -> SceneDescription {
    let law = Law {
        restitution: 0.8,
        rest_speed: 0.01,
        ..ELASTIC
    };
    let mut description = scene(
        vec![plate(), ball_of("ball", 0.2, 1.0, [0.0, 0.0, 10.1])],
        law,
    );
    description.gravity = Gravity::Uniform([0.0, 0.0, -9.8]);
    description
}

/// Impacts at t_1 = sqrt(2 h/g) = 10/7 s and t_k+1 = t_k + 2 e^k sqrt(2 h/g); their sum is 90/7 s, where the
/// ball has come to rest.
#[test]
fn a_ball_bounces_at_the_times_of_its_closed_form_and_comes_to_rest() {
    let mut run = Run::new(engelson(), 1e-9);
    let (mut hits, mut events, mut last) = (Vec::new(), 0, 0.0);
    while run.reach_event(20.0) {
        run.handle_event();
        events += 1;
        last = run.time;
        if !run.system.impulses().list().is_empty() {
            hits.push(run.time);
        }
    }
    let (mut time, mut flight) = (10.0 / 7.0, 2.0 * 10.0 / 7.0 * 0.8);
    for hit in &hits[..20] {
        assert!((hit - time).abs() < 1e-6, "{hit} {time}");
        (time, flight) = (time + flight, 0.8 * flight);
    }
    assert!(events <= 150, "{events}");
    assert!(last < 90.0 / 7.0 + 0.1, "{last}");
    assert!((run.states[2] - 0.1).abs() < 1e-6, "{}", run.states[2]);
    assert!(run.states[9].abs() < 1e-9);
}

#[test]
fn islands_bounce_as_the_whole_does() {
    let mut run = DividedRun::new(engelson(), 1e-9);
    run.to(20.0, 0.04);
    let hits = run.changes.iter();
    let hits: Vec<f64> = hits
        .filter(|(_, change)| matches!(change, Change::Impulse(_)))
        .map(|(time, _)| *time)
        .collect();
    let (mut time, mut flight) = (10.0 / 7.0, 2.0 * 10.0 / 7.0 * 0.8);
    for hit in &hits[..20] {
        assert!((hit - time).abs() < 1e-6, "{hit} {time}");
        (time, flight) = (time + flight, 0.8 * flight);
    }
    let last = run.changes.last().expect("a change").0;
    assert!(last < 90.0 / 7.0 + 0.1, "{last}");
    assert!(run.changes.len() <= 200, "{}", run.changes.len());
    assert!((run.states[2] - 0.1).abs() < 1e-6);
}

/// A ball rests on a table that goes up with 2 m/s from 0.5 s on: it leaves with (1 + e) 2 m/s, by an impulse
/// though its contact has lasted, whatever the motion says of joints.
#[test]
fn a_ball_at_rest_is_hit_by_a_table_whose_velocity_jumps() {
    for jump in [VelocityJump::Error, VelocityJump::Impulse] {
        let at = [0.0, 0.0, -0.05];
        let table = body("table", Motion::Prescribed, cuboid([1.0, 1.0, 0.1]), at);
        let law = Law {
            restitution: 0.5,
            rest_speed: 0.01,
            ..ELASTIC
        };
        let ball = ball_of("ball", 0.2, 1.0, [0.0, 0.0, 0.1 - 1.5e-8]);
        let mut description = scene(vec![table, ball], law);
        description.gravity = Gravity::Uniform([0.0, 0.0, -9.81]);
        description.experiment.stop_time = 1.0;
        description.motions.push(MotionDescription {
            body: "table".into(),
            profile: MotionProfile::Table(MotionTable {
                times: vec![0.0, 0.5, 1.0],
                displacements: vec![[0.0; 3], [0.0; 3], [0.0, 0.0, 1.0]],
                axis: [0.0, 0.0, 1.0],
                angles: vec![0.0; 3],
                interpolation: Interpolation::Linear,
                ends: None,
            }),
            jump,
        });
        let mut run = Run::new(description, 1e-9);
        run.to(0.5);
        run.handle_event();
        near!(run.states[9], 3.0, 1e-6, "{jump:?}");
    }
}
