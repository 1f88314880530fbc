//! Island by island as all at once.

use super::*;
use crate::running::{DividedRun, Run};

/// Balls that are thrown at each other over a plate.
fn thrown(seed: u64) -> SceneDescription {
    let mut random = Random(seed);
    let mut bodies = vec![plate()];
    for i in 0..6 {
        let [x, y, z] = random.vector();
        let place = [
            0.25 * f64::from(i % 3) + 0.02 * x,
            0.3 * f64::from(i / 3) + 0.02 * y,
            0.3 + 0.1 * z,
        ];
        let mut ball = ball_of(&format!("b{i}"), 0.1, 1.0 + 0.3 * x, place);
        ball.velocity = [-2.0 * (place[0] - 0.25), -2.0 * (place[1] - 0.15), z];
        bodies.push(ball);
    }
    let law = Law {
        restitution: 0.6,
        friction: 0.3,
        rolling: 0.001,
        rest_speed: 0.01,
    };
    let mut description = scene(bodies, law);
    description.gravity = Gravity::Uniform([0.0, 0.0, -9.81]);
    description.report = Report::All;
    description
}

#[test]
fn islands_have_the_impulses_of_the_whole() {
    for seed in 0..4 {
        let mut whole = Run::new(thrown(seed), 1e-10);
        let mut impulses = Vec::new();
        while whole.reach_event(0.5) {
            whole.handle_event();
            let list = whole.system.impulses().list();
            impulses.extend(list.iter().map(|i| (whole.time, i.pair, i.impulse_w)));
        }
        let mut divided = DividedRun::new(thrown(seed), 1e-10);
        divided.to(0.5, 0.01);
        assert!(impulses.len() > 5);
        for (found, expected) in divided.states.iter().zip(&whole.states) {
            near!(*found, *expected, 1e-6, "{seed}");
        }
        // Impulses and forces together are what changed the momentum.
        let change: f64 = (1..=6)
            .map(|b| divided.system.model().bodies[contact_laws::index::BodyId::from(b)].mass)
            .zip(
                divided
                    .states
                    .chunks(13)
                    .zip(thrown(seed).bodies[1..].iter()),
            )
            .map(|(mass, (x, body))| mass * (x[9] - body.velocity[2] + 9.81 * 0.5))
            .sum();
        let reported = divided.system.scene().reported().to_vec();
        let on_plate = reported.iter().zip(&divided.loads).filter(|(pair, _)| {
            let bodies = divided.system.model().pair_bodies(**pair);
            bodies.contains(&contact_laws::index::BodyId::from(0))
        });
        let sum: f64 = on_plate.map(|(_, load)| load.impulse[2]).sum();
        assert!((sum - change).abs() < 1e-4 * change.abs(), "{sum} {change}");
    }
}
