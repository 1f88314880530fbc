//! Steps at rest.

use super::super::{LegEnd, Settings, Solver};
use super::{Problem, Run};
use crate::integrator::automatic::Automatic;

const GRAVITY: f64 = 9.81;

fn implicit(problem: Problem, states: &[f64]) -> Run<Automatic> {
    let settings = Settings::new(1e-6).unwrap().with_solver(Solver::Implicit);
    Run::with_method(problem, settings, states)
}

/// x'' = -g - k (x - x_0) - 2e4 x', a stiff contact that carries a weight; stiffness over mass and
/// place by the time [1/s2, m].
fn carried(at: impl Fn(f64) -> [f64; 2] + 'static) -> Problem {
    Problem::new(&[1e-6, 1e-2], move |t, x, f| {
        let [stiffness, place] = at(t);
        (f[0], f[1]) = (x[1], -GRAVITY - stiffness * (x[0] - place) - 2e4 * x[1]);
        Ok(())
    })
}

/// Legs of 10 ms; what each of them ends with.
fn legs(run: &mut Run<Automatic>, from: usize, to: usize) -> Vec<[u64; 2]> {
    let leg = |i| {
        run.to(0.01 * i as f64);
        [run.states[0].to_bits(), run.states[1].to_bits()]
    };
    (from + 1..=to).map(leg).collect()
}

#[test]
fn at_rest_a_leg_is_one_step_without_a_jacobian_and_the_force_is_the_weight() {
    let stiffness = 1e9;
    let mut run = implicit(carried(move |_| [stiffness, 0.0]), &[0.0, 0.0]);
    legs(&mut run, 0, 50);
    let before = *run.memory.statistics();
    for i in 51..=900 {
        run.to(0.01 * f64::from(i));
        let force = -stiffness * run.states[0];
        assert!((force / GRAVITY - 1.0).abs() < 1e-12, "{force}");
    }
    let after = run.memory.statistics();
    assert_eq!(after.steps - before.steps, 850);
    // What may depend on the time is evaluated at both ends, and along the time.
    assert_eq!(after.derivative_calls - before.derivative_calls, 2 * 850);
    assert_eq!(after.direction_calls - before.direction_calls, 850);
    assert_eq!(after.rejected_steps, before.rejected_steps);
}

#[test]
fn a_thousand_steps_at_rest_are_followed_by_one_with_a_new_jacobian() {
    let mut run = implicit(carried(|_| [1e9, 0.0]), &[0.0, 0.0]);
    legs(&mut run, 0, 50);
    let mut columns = Vec::new();
    for leg in 50..2150 {
        let before = run.memory.statistics().direction_calls;
        legs(&mut run, leg, leg + 1);
        columns.push(run.memory.statistics().direction_calls - before);
    }
    // Two columns and the time in a step of order 5, the time alone in one at rest.
    let new: Vec<usize> = (0..columns.len()).filter(|i| columns[*i] > 2).collect();
    assert_eq!(new.len(), 2, "{new:?}");
    assert_eq!(new[1] - new[0], 1001);
}

#[test]
fn what_carries_may_become_stiffer_softer_or_move_away() {
    // The place of rest is x_0 - g/k; the damping lags behind it by 2e4 x'/k.
    let stiffer = |t: f64| [1e9 * (1.0 + t), 0.0];
    let softer = |t: f64| [1e9 / (1.0 + t), 0.0];
    let rest_then_move = |t: f64| [1e9, 1e-3 * (t - 1.0).max(0.0).powi(2)];
    let creep = |t: f64| [1e9, 1e-11 * t];
    let all: [fn(f64) -> [f64; 2]; 4] = [stiffer, softer, rest_then_move, creep];
    for (case, at) in all.into_iter().enumerate() {
        let mut run = implicit(carried(at), &[-GRAVITY / 1e9, 0.0]);
        for i in 1..=300 {
            let time = 0.01 * f64::from(i);
            run.to(time);
            let place = |t: f64| {
                let [stiffness, place] = at(t);
                place - GRAVITY / stiffness
            };
            let slope = (place(time + 1e-4) - place(time - 1e-4)) / 2e-4;
            let expected = place(time) - 2e4 * slope / at(time)[0];
            let tolerance = 1e-6 * expected.abs().max(1e-6);
            let error = (run.states[0] - expected).abs();
            let most = 2.0 * tolerance;
            assert!(error < most, "{case} {time}: {error:e} {tolerance:e}");
        }
    }
}

/// The step that starts to move, its repetition where an event is located, and what follows.
#[test]
fn an_event_that_ends_the_rest_is_met() {
    let at = |t: f64| [1e9, 1e-9 * (t - 1.0).max(0.0)];
    let limit = 5e-10 - GRAVITY / 1e9;
    let problem = carried(at).with_indicators(1, move |_, x, z| z[0] = limit - x[0]);
    let mut run = implicit(problem, &[-GRAVITY / 1e9, 0.0]);
    let mut event = None;
    for i in 1..=200 {
        if run.to(0.01 * f64::from(i)) == LegEnd::Event {
            event = Some(run.time);
            break;
        }
    }
    // The place is there at 1.5 s, the damping lags by 2e4/1e9 s.
    let expected = 1.5 + 2e-5;
    let found = event.expect("an event");
    assert!((found - expected).abs() < 2e-3, "{found}");
    assert!((run.states[0] - limit).abs() < 1e-18, "{}", run.states[0]);
}

#[test]
fn a_run_at_rest_is_resumed_to_the_bit() {
    for solver in [Solver::Auto, Solver::Implicit] {
        let new = || {
            let settings = Settings::new(1e-6).unwrap().with_solver(solver);
            let problem = carried(|t| [1e9 * (1.0 + 1e-5 * (20.0 * t).sin()), 0.0]);
            Run::<Automatic>::with_method(problem, settings, &[0.0, 0.0])
        };
        let mut whole = new();
        let mut expected = Vec::new();
        let mut kept = Vec::new();
        for leg in 0..120 {
            expected.extend(legs(&mut whole, leg, leg + 1));
            kept.push(!whole.memory.jacobian.is_empty());
        }
        assert!(kept.contains(&true) && kept[60..].contains(&false));
        for middle in (1..120).step_by(7) {
            let mut first = new();
            legs(&mut first, 0, middle);
            let bytes = postcard::to_stdvec(&first.memory).unwrap();
            let mut second = new();
            second.memory = postcard::from_bytes(&bytes).unwrap();
            second.time = first.time;
            second.states.clone_from(&first.states);
            assert_eq!(
                legs(&mut second, middle, 120),
                expected[middle..],
                "{middle}"
            );
            assert_eq!(second.memory, whole.memory, "{middle}");
        }
    }
}

#[test]
fn a_jacobian_that_does_not_fit_is_not_used_and_one_that_is_not_finite_is_refused() {
    let new = || implicit(carried(|_| [1e9, 0.0]), &[0.0, 0.0]);
    let mut run = new();
    legs(&mut run, 0, 50);
    let states = run.states.clone();
    run.memory.jacobian.push(1.0);
    legs(&mut run, 50, 51);
    assert!((run.states[0] - states[0]).abs() < 1e-18);
    run.memory.jacobian[0] = f64::NAN;
    let refused = run.try_to(0.6).unwrap_err();
    assert!(refused.message.contains("damaged"), "{}", refused.message);
}
