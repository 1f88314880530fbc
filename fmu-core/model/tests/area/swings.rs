//! Energy of bodies that rock and spin down: kinetic, potential and elastic energy and what is lost
//! add up to what there was.

use super::*;

/// A plank of 0.6 m that stands on an edge, tilted by 0.2 rad, and rocks from edge to edge.
fn plank() -> (BodyDescription, f64) {
    let turn = 0.2_f64;
    let lengths = [0.6, 0.2, 0.02];
    let z = 0.3 * turn.sin() + 0.01 * turn.cos();
    let mut plank = crate_of("plank", lengths, [0.0, 0.0, z + 1e-3]);
    plank.orientation = quaternion(&exponential(&Vec3::new(0.0, turn, 0.0)));
    (plank, 8000.0 * 0.6 * 0.2 * 0.02 * G * z)
}

/// A coin that falls on its rim, tilted by 0.4 rad and spinning with 20 rad/s, and rolls.
fn coin() -> (BodyDescription, f64) {
    let (turn, r, thick) = (0.4_f64, 0.025, 0.005);
    let z = r * turn.sin() + 0.5 * thick * turn.cos();
    let at = [0.0, 0.0, z + 2e-3];
    let mut coin = body("coin", Motion::Free, cylinder(2.0 * r, thick, Axis::Z), at);
    coin.orientation = quaternion(&exponential(&Vec3::new(turn, 0.0, 0.0)));
    coin.angular_velocity = [0.0, 0.0, 20.0];
    (coin, 8000.0 * std::f64::consts::PI * r * r * thick * G * z)
}

#[test]
#[ignore = "long: areas that rock and spin until they rest"]
fn a_plank_that_rocks_and_a_coin_that_spins_down_lose_what_their_balance_says() {
    for ((body, start), ends_flat) in [(plank(), true), (coin(), false)] {
        for friction in [FrictionKind::Regularized, FrictionKind::Stick] {
            for ground in grounds() {
                let mut numbers = vec![
                    (Number::Restitution, 0.4),
                    (Number::SlidingFriction, 0.3),
                    (Number::StiffnessPerArea, 1e9),
                ];
                if friction == FrictionKind::Stick {
                    numbers.push((Number::StaticFriction, 0.3));
                }
                let mut description = scene(vec![ground, body.clone()], friction, &numbers);
                description.energy_balance = true;
                let mut run = Run::new(description, 1e-8);
                let work = run.system.scene().layout().work().expect("a balance");
                let all = run.energy();
                let mut lost = 0.0;
                for i in 1..=100 {
                    run.to(0.005 * f64::from(i));
                    let error = (run.energy() + run.states[work] - all).abs();
                    assert!(error < 1e-6 * start, "{friction:?}: {:e}", error / start);
                    assert!(run.states[work] > lost - 1e-9 * start, "{friction:?}");
                    lost = run.states[work];
                }
                // Rolling on its rim takes nothing but friction, so the coin goes on.
                if !ends_flat {
                    continue;
                }
                // It lies flat at the end: all but the height of its middle is lost.
                let left = all - lost;
                let rest = run.states[7..13]
                    .iter()
                    .fold(0.0_f64, |m, v| m.max(v.abs()));
                assert!(rest < 1e-6, "{friction:?}: {rest:e}");
                assert!(
                    lost > 0.8 * start && left > 0.0,
                    "{friction:?}: {lost} {left}"
                );
            }
        }
    }
}
