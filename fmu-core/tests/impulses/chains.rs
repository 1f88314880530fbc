//! Bodies that touch when one of them is hit.

use super::*;
use crate::running::Run;

/// Overlap of balls that touch [m]: in contact from 1e-8 m on, with a force from 2e-8 m on.
const TOUCH: f64 = 1.5e-8;

/// Balls of 1 kg in a row that touch, the first one on its way to the second at 1 m/s.
fn cradle(count: usize, multi: MultiImpact, restitution: f64) -> SceneDescription {
    let place = |i: usize| match i {
        0 => -0.21,
        _ => i as f64 * (0.2 - TOUCH) - 0.2,
    };
    let ball = |i: usize| ball_of(&format!("b{i}"), 0.2, 1.0, [place(i), 0.0, 0.0]);
    let mut bodies: Vec<_> = (0..count).map(ball).collect();
    bodies[0].velocity[0] = 1.0;
    let law = law(restitution, 0.0);
    let mut description = scene(bodies, law);
    description.contact.multi_impact = multi;
    description
}

/// Velocities right after the first impact.
fn after(description: SceneDescription) -> Vec<f64> {
    let mut run = Run::new(description, 1e-9);
    loop {
        assert!(run.reach_event(1.0));
        run.handle_event();
        if !run.system.impulses().list().is_empty() {
            return run.states.chunks(13).map(|x| x[7]).collect();
        }
    }
}

fn assert_near(found: &[f64], expected: &[f64], bar: f64) {
    let differences = found.iter().zip(expected).map(|(f, e)| (f - e).abs());
    let value = differences.fold(0.0, f64::max);
    assert!(value < bar, "{found:?} {expected:?}");
}

/// An impact that goes through touching balls one after the other leaves the last one with all of it;
/// Moreau's law at once gives the first one back (2 - n)/n and all others 2/n, the inverse of the
/// mass-weighted projection; springs disperse as Hertz chains do.
#[test]
fn a_cradle_passes_an_impact_on_shares_it_or_disperses_it() {
    let bar = 1e-12;
    use MultiImpact::{Compliant, Propagate, Together};
    let expected = &[0.0, 0.0, 0.0, 0.0, 1.0];
    assert_near(&after(cradle(5, Propagate, 1.0)), expected, bar);
    assert_near(&after(cradle(3, Propagate, 1.0)), &[0.0, 0.0, 1.0], bar);
    let expected = &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0];
    assert_near(&after(cradle(3, Together, 1.0)), expected, bar);
    let expected = &[-0.6, 0.4, 0.4, 0.4, 0.4];
    assert_near(&after(cradle(5, Together, 1.0)), expected, bar);
    // Chains of Hertz springs without a gap, integrated on their own.
    let hertz = [-0.0711, -0.0303, -0.0145, 0.1270, 0.9888];
    assert_near(&after(cradle(5, Compliant, 1.0)), &hertz, 2e-4);
}

/// Three equal balls that meet with the centres on a circle, each with the same speed towards the middle,
/// turn back with that speed, by symmetry.
#[test]
fn three_balls_that_meet_at_once_turn_back() {
    for multi in [
        MultiImpact::Propagate,
        MultiImpact::Together,
        MultiImpact::Compliant,
    ] {
        let distance = 0.2 / 3.0_f64.sqrt() + 0.01;
        let ball = |i: usize| {
            let (sin, cos) = (f64::from(i as u32) * std::f64::consts::TAU / 3.0).sin_cos();
            let mut ball = ball_of(
                &format!("b{i}"),
                0.2,
                1.0,
                [distance * cos, distance * sin, 0.0],
            );
            ball.velocity = [-cos, -sin, 0.0];
            ball
        };
        let mut description = scene((0..3).map(ball).collect(), ELASTIC);
        description.contact.multi_impact = multi;
        let mut run = Run::new(description, 1e-9);
        run.to(0.1);
        for x in run.states.chunks(13) {
            let outwards = x[0].hypot(x[1]);
            let speed = (x[0] * x[7] + x[1] * x[8]) / outwards;
            assert!((speed - 1.0).abs() < 1e-6, "{multi:?} {speed}");
            assert!((x[0] * x[8] - x[1] * x[7]).abs() < 1e-6, "{multi:?}");
        }
    }
}

/// A plate on four feet falls flat: all feet at once, no spin, v+ = -e v-.
#[test]
fn a_plate_on_four_feet_lands_without_turning() {
    let radius = 0.02;
    let at = [0.0, 0.0, 0.101];
    let mut table = body("table", Motion::Free, sphere(2.0 * radius), at);
    let foot = table.shapes.remove(0);
    for (i, [x, y]) in [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]]
        .into_iter()
        .enumerate()
    {
        let mut own = foot.clone();
        own.name = format!("foot_{i}");
        own.position = [0.3 * x, 0.2 * y, radius - 0.1];
        table.shapes.push(own);
    }
    table.velocity = [0.0, 0.0, -1.0];
    table.mass = given_mass(2.0, [0.0; 3], [0.03, 0.06, 0.09, 0.0, 0.0, 0.0]);
    let law = law(0.5, 0.3);
    let mut description = scene(vec![plate(), table], law);
    description.gravity = Gravity::None;
    let mut run = Run::new(description, 1e-9);
    run.to(0.01);
    assert!((run.states[9] - 0.5).abs() < 1e-9, "{:?}", &run.states[7..]);
    let others = [7, 8, 10, 11, 12].map(|i| run.states[i].abs());
    assert!(others.iter().all(|v| *v < 1e-9), "{others:?}");
}
