//! Inputs that change at communication points: forces, and driven bodies.

use crate::fixtures::*;
use crate::islands::comparing::*;

/// Overlap from which on there is force [m].
const STARTS: f64 = 2e-8;

/// Two balls in empty space that forces push at each other, with others for each millisecond, and a
/// third one that comes to where they meet.
#[test]
fn forces_that_change_at_communication_points_bring_islands_together_when_they_say() {
    let bodies = vec![
        ball("one", [-0.15, 0.0, 0.0]),
        ball("two", [0.15, 0.0, 0.0]),
        moving("three", [0.0, 0.6, 0.0], [0.0, -7.0, 0.0]),
    ];
    let mut description = without_gravity(scene(bodies, Some(FrictionKind::Off)));
    for name in ["one", "two"] {
        let profile = input_of(true, false);
        description
            .forces
            .push(force(&format!("push_{name}"), name, profile));
    }
    let mut both = Both::new("pushed", description, [FINE, TOLERANCE]);
    let mass = both.whole.system.model().bodies[BodyId::from(0)].mass;
    let step = 1e-3;
    let (mut gap, mut speed, mut met) = (0.1 + STARTS, 0.0, None);
    for point in 0..80 {
        let push = 8000.0 + 4000.0 * f64::from(point % 3);
        both.set_inputs(&[push, 0.0, 0.0, -push, 0.0, 0.0]);
        both.to(f64::from(point + 1) * step, step);
        // Each comes half of the way: gap - v t - a t^2 = 0 with a = F/m of each.
        let a = push / mass;
        if met.is_none() {
            let root = ((speed * speed + 4.0 * a * gap).sqrt() - speed) / (2.0 * a);
            if root <= step {
                met = Some(f64::from(point) * step + root);
            }
            gap -= speed * step + a * step * step;
            speed += 2.0 * a * step;
        }
    }
    both.were_divided();
    both.meet_the_same(1e-6);
    both.are_at_the_same(STATES);
    let (found, expected) = (
        starts_of(&both.divided, "one", "two")[0],
        met.expect("a time"),
    );
    assert!((found - expected).abs() < 1e-8, "{found} {expected}");
    let third = ["one", "two"].map(|name| starts_of(&both.divided, name, "three"));
    assert!(third.iter().any(|times| !times.is_empty()));
}

/// A driven ball runs into a free one, turns back, and runs into another one, while a third one
/// flies past. Driven bodies are in no island.
#[test]
fn a_driven_body_meets_bodies_of_several_islands_when_its_inputs_say() {
    let bodies = vec![
        body("hammer", Motion::Driven, sphere(0.2), [0.0; 3]),
        ball("right", [0.24, 0.0, 0.0]),
        ball("left", [-0.25, 0.01, 0.0]),
        moving("past", [0.0, 0.5, 0.0], [1.0, 0.1, 0.0]),
    ];
    let description = without_gravity(scene(bodies, Some(FrictionKind::Regularized)));
    let mut both = Both::new("driven", description, [FINE, TOLERANCE]);
    let inputs = both.whole.system.scene().inputs().to_vec();
    let (mut x, mut previous) = (0.0, 0.0);
    for point in 0..20 {
        let speed = if point < 6 { 2.0 } else { -3.0 };
        x += previous * 0.01;
        previous = speed;
        let value = |input: &Input| match input {
            Input::Position(_, 0) => x,
            Input::Velocity(_, 0) => speed,
            Input::Orientation(_, 0) => 1.0,
            _ => 0.0,
        };
        let values: Vec<f64> = inputs.iter().map(value).collect();
        both.set_inputs(&values);
        both.to(0.01 * f64::from(point + 1), 0.01);
    }
    both.were_divided();
    both.meet_the_same(1e-6);
    both.are_at_the_same(STATES);
    // 0.04 m at 2 m/s.
    let found = starts_of(&both.divided, "hammer", "right")[0];
    assert!((found - (0.04 + STARTS) / 2.0).abs() < 1e-9, "{found}");
    // From 0.12 m at 0.06 s back to where the centres are 0.2 m apart, at 3 m/s.
    let away = ((0.2 - STARTS).powi(2) - 1e-4).sqrt();
    let expected = 0.06 + (0.12 + 0.25 - away) / 3.0;
    let found = starts_of(&both.divided, "hammer", "left")[0];
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}
