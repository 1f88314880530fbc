//! What cannot be integrated, and what is said of it.

use super::super::{LegEnd, Memory, Settings};
use super::{Problem, Run};
use crate::hybrid::{EvaluationError, Severity};

fn failure_of(run: &mut Run, end: f64, severity: Severity) -> String {
    let failure = run.try_to(end).unwrap_err();
    assert_eq!(failure.severity, severity, "{failure}");
    failure.message
}

fn message_of(run: &mut Run, end: f64) -> String {
    failure_of(run, end, Severity::Error)
}

fn assert_names(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no {part:?} in {message:?}");
    }
}

#[test]
fn a_step_into_a_forbidden_region_is_shortened() {
    // The first trial steps of this decay overshoot below zero, where there is no derivative.
    let decay = Problem::new(&[1e-3], |_, x, f| {
        if x[0] < 0.0 {
            return Err(EvaluationError::discard("state is negative"));
        }
        f[0] = -1e3 * x[0].sqrt();
        Ok(())
    });
    let mut run = Run::new(decay, 1e-3, &[1.0]);
    assert_eq!(run.to(1.9e-3), LegEnd::End);
    // sqrt(x) = 1 - 500 t.
    let exact = (1.0_f64 - 500.0 * 1.9e-3).powi(2);
    assert!((run.states[0] - exact).abs() < 1e-5);
}

#[test]
fn a_wall_without_a_way_around_names_time_and_reason() {
    let wall = Problem::new(&[1.0], |t, _, f| {
        if t > 0.75 {
            return Err(EvaluationError::discard("there is nothing beyond"));
        }
        f[0] = 1.0;
        Ok(())
    });
    let mut run = Run::new(wall, 1e-6, &[0.0]);
    let message = failure_of(&mut run, 1.0, Severity::StepTooSmall);
    assert_names(&message, &["t = 0.7", "there is nothing beyond"]);
    assert!(run.time <= 0.75 && run.time > 0.75 - 1e-9, "{}", run.time);
    assert!((run.states[0] - run.time).abs() < 1e-14);
    assert!(run.memory.statistics().rejected_steps < 200);
}

#[test]
fn a_discarded_start_is_an_error_at_once() {
    let nowhere = Problem::new(&[1.0], |_, _, _| {
        Err(EvaluationError::discard("bodies too deep"))
    });
    let mut run = Run::new(nowhere, 1e-6, &[0.0]);
    let message = message_of(&mut run, 1.0);
    assert_names(&message, &["t = 0 s", "bodies too deep"]);
    assert_eq!(run.memory.statistics().derivative_calls, 1);
}

#[test]
fn an_error_of_the_system_ends_the_run_at_the_last_step() {
    let broken = Problem::new(&[1.0], |t, _, f| {
        if t > 0.5 {
            return Err(EvaluationError::error("too many contacts"));
        }
        f[0] = 1.0;
        Ok(())
    });
    let mut run = Run::new(broken, 1e-6, &[0.0]);
    let message = message_of(&mut run, 1.0);
    assert_names(&message, &["too many contacts", "t = "]);
    assert!(run.time <= 0.5 && (run.states[0] - run.time).abs() < 1e-15);
}

#[test]
fn a_derivative_that_is_not_a_number_counts_as_discarded() {
    let root = Problem::new(&[1.0, 1.0], |t, _, f| {
        f[0] = 1.0;
        f[1] = (0.75 - t).sqrt();
        Ok(())
    });
    let mut run = Run::new(root, 1e-6, &[0.0, 0.0]);
    let message = failure_of(&mut run, 1.0, Severity::StepTooSmall);
    assert_names(&message, &["derivative of state 2 is NaN", "t = 0.7"]);
    assert!(run.states.iter().all(|x| x.is_finite()));
}

#[test]
fn an_indicator_that_is_not_a_number_counts_as_discarded() {
    let problem = Problem::ballistic(0.0)
        .with_indicators(2, |t, _, z| (z[0], z[1]) = (1.0, (2.0 - t).sqrt() + 1.0));
    let mut run = Run::new(problem, 1e-6, &[0.0, 1.0]);
    assert_names(
        &failure_of(&mut run, 3.0, Severity::StepTooSmall),
        &["event indicator 2 is NaN"],
    );
}

#[test]
fn a_singularity_names_the_state_that_does_not_pass_it() {
    // x' = x^2 from 1 has the solution 1/(1 - t); the second state is quiet.
    let blow_up = Problem::new(&[1.0, 1.0, 1.0], |_, x, f| {
        (f[0], f[1], f[2]) = (0.0, x[1] * x[1], 0.0);
        Ok(())
    });
    let mut run = Run::new(blow_up, 1e-8, &[0.0, 1.0, 0.0]);
    let message = failure_of(&mut run, 2.0, Severity::StepTooSmall);
    assert_names(&message, &["t = ", "1e-8"]);
    assert!(message.contains("state 2"), "{message}");
    assert!((run.time - 1.0).abs() < 1e-6, "{}", run.time);
}

#[test]
fn a_jump_in_the_derivative_that_no_step_resolves_is_an_underflow() {
    for time in [0.0, 1.0] {
        // Noise: the derivative has no limit, whatever the step.
        let mut sign = 1.0;
        let noise = Problem::new(&[1e-9, 1e-9], move |_, _, f| {
            sign = -sign;
            (f[0], f[1]) = (0.0, sign * 1e9);
            Ok(())
        });
        let mut run = Run::new(noise, 1e-10, &[0.0, 0.0]);
        run.time = time;
        let message = failure_of(&mut run, 2.0, Severity::StepTooSmall);
        assert_names(
            &message,
            &[
                &format!("step size underflow at t = {time} s"),
                "state 2",
                "1e-10",
                "nominal 1e-9",
            ],
        );
        // No time but 0 has steps of 1e-30 s to try in vain.
        assert!(run.memory.statistics().rejected_steps < 30, "{message}");
    }
}

/// An oscillation of 1e6 rad/s.
fn ringing() -> Problem {
    Problem::new(&[1.0, 1e6], |_, x, f| {
        (f[0], f[1]) = (x[1], -1e12 * x[0]);
        Ok(())
    })
}

#[test]
fn more_steps_than_the_budget_are_given_up() {
    let mut run = Run::new(ringing(), 1e-6, &[1.0, 0.0]);
    run.integrator
        .set_settings(Settings::new(1e-6).unwrap().with_budget(1000));
    let message = failure_of(&mut run, 1.0, Severity::TooManySteps);
    assert_names(
        &message,
        &["1000 steps did not lead to 1 s, the last one tried is "],
    );
    let done = run.memory.statistics();
    assert_eq!(done.steps + done.rejected_steps, 1000);
    // Another call has a budget of its own.
    failure_of(&mut run, 1.0, Severity::TooManySteps);
    let done = run.memory.statistics();
    assert_eq!(done.steps + done.rejected_steps, 2000);
}

#[test]
fn an_end_that_is_hopelessly_far_away_is_given_up_early() {
    let mut run = Run::new(ringing(), 1e-6, &[1.0, 0.0]);
    let message = failure_of(&mut run, 1e30, Severity::TooManySteps);
    assert_names(
        &message,
        &["at this pace 1e30 s is ", "and 1000000 are allowed"],
    );
    let done = run.memory.statistics();
    assert_eq!(done.steps + done.rejected_steps, 4 * 8192);
    // One that is a hundred times the budget away may still come nearer.
    let mut run = Run::new(ringing(), 1e-6, &[1.0, 0.0]);
    run.integrator
        .set_settings(Settings::new(1e-6).unwrap().with_budget(10_000));
    let message = failure_of(&mut run, 1.0, Severity::TooManySteps);
    assert_names(&message, &["10000 steps did not lead to 1 s"]);
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let run = || Run::new(Problem::ballistic(0.0), 1e-6, &[0.0, 0.0]);
    assert_names(&message_of(&mut run(), -1.0), &["t = 0 s to -1 s"]);
    assert_names(&message_of(&mut run(), f64::NAN), &["NaN"]);
    assert_names(&message_of(&mut run(), f64::INFINITY), &["inf"]);

    let mut longer = run();
    longer.states.push(0.0);
    assert_names(
        &message_of(&mut longer, 1.0),
        &["2 states", "state vector 3"],
    );

    let mut without_size = run();
    without_size.problem.nominals[1] = 0.0;
    assert_names(
        &message_of(&mut without_size, 1.0),
        &["nominal of state 2 is 0"],
    );
}

#[test]
fn a_damaged_memory_is_refused() {
    let mut run = Run::new(Problem::ballistic(0.0), 1e-6, &[0.0, 0.0]);
    for step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        run.memory = Memory {
            step: Some(step),
            ..Memory::default()
        };
        assert_names(&message_of(&mut run, 1.0), &["memory is damaged"]);
    }
}

#[test]
fn settings_outside_their_range_are_refused() {
    for tolerance in [0.0, -1e-6, 1e-15, 0.2, f64::NAN] {
        let refusal = Settings::new(tolerance).unwrap_err();
        assert_names(&refusal.message, &["relative tolerance is", "[1e-14, 0.1]"]);
    }
    for step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let settings = Settings::new(1e-6).unwrap();
        assert!(settings.with_max_step(step).is_err());
    }
}
