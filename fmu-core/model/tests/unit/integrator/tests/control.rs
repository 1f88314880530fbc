//! Ends of an advance, step sizes, stiff rest, resumed runs.

use super::super::{DenseStep, Integrator, LegEnd, Memory, Settings};
use super::{Problem, Run};
use crate::hybrid::HybridSystem;
use crate::integrator::dormand_prince::DormandPrince;
use crate::integrator::settings::{next_step, step_end};

fn oscillator() -> Problem {
    Problem::new(&[1.0, 1.0], |_, x, f| {
        (f[0], f[1]) = (x[1], -x[0]);
        Ok(())
    })
}

/// The oscillator of a steel ball at rest: x'' = -omega^2 x - 2 d x' with omega = 6e4 rad/s,
/// 2 d = 9810 /s.
fn stiff_oscillator() -> Problem {
    Problem::new(&[1e-6, 1e-2], |_, x, f| {
        (f[0], f[1]) = (x[1], -6e4 * 6e4 * x[0] - 9810.0 * x[1]);
        Ok(())
    })
}

#[test]
fn end_is_met_to_the_bit() {
    let mut run = Run::new(oscillator(), 1e-8, &[1.0, 0.0]);
    for i in 1..=1000 {
        let end = f64::from(i) * 0.1 + f64::from(i % 7) * 1e-9;
        assert_eq!(run.to(end), LegEnd::End);
        assert_eq!(run.time.to_bits(), end.to_bits());
    }
    assert!((run.states[0] - run.time.cos()).abs() < 1e-5);
}

#[test]
fn an_end_at_the_present_time_does_nothing() {
    let mut run = Run::new(oscillator(), 1e-8, &[1.0, 0.0]);
    assert_eq!(run.to(0.0), LegEnd::End);
    assert_eq!(run.memory, Memory::default());
}

#[test]
fn an_end_one_rounding_away_is_met() {
    let mut run = Run::new(oscillator(), 1e-8, &[1.0, 0.0]);
    run.to(1.0);
    let end = 1.0_f64.next_up();
    assert_eq!(run.to(end), LegEnd::End);
    assert_eq!(run.time, end);
}

#[test]
fn last_two_steps_before_an_end_share_the_way() {
    let limit = f64::INFINITY;
    // Stretched, halved, free.
    assert_eq!(step_end(0.0, 1.0, 0.95, limit), 1.0);
    assert_eq!(step_end(0.0, 1.0, 0.9, limit), 0.5);
    assert_eq!(step_end(0.0, 1.0, 0.51, limit), 0.5);
    assert_eq!(step_end(0.0, 1.0, 0.25, limit), 0.25);
    // A largest step is not stretched.
    assert_eq!(step_end(0.0, 1.0, 0.95, 0.95), 0.5);
}

#[test]
fn a_cut_step_does_not_spoil_the_proposed_one() {
    let mut previous = 1e-4;
    // A cut to a millionth, with an estimate that is rounding, leaves the proposal and the memory.
    assert_eq!(
        next_step::<DormandPrince>(1e-6, 1.0, 1e-3, &mut previous, false),
        1.0
    );
    assert_eq!(
        next_step::<DormandPrince>(1e-6, 1.0, 0.9, &mut previous, false),
        1.0
    );
    assert_eq!(previous, 1e-4);
    // Half the proposed step with a tenth of the allowed error after a step with all of it: the
    // proposed one is too long.
    let expected = 0.5 * 0.9 * 0.1_f64.powf(-0.14);
    previous = 1.0;
    let next = next_step::<DormandPrince>(0.5, 1.0, 0.1, &mut previous, false);
    assert!((next - expected).abs() < 1e-15 && expected < 0.7);
    // Half the proposed step with no error at all: it was too short, up to tenfold growth.
    assert_eq!(
        next_step::<DormandPrince>(0.5, 1.0, 0.0, &mut previous, false),
        5.0
    );
}

#[test]
fn short_communication_steps_cost_one_step_each() {
    let mut run = Run::new(oscillator(), 1e-4, &[1.0, 0.0]);
    run.to(10.0);
    let proposed = run.memory.step;
    let before = *run.memory.statistics();
    for i in 1..=100 {
        run.to(10.0 + f64::from(i) * 1e-3);
    }
    let after = *run.memory.statistics();
    assert_eq!(after.steps - before.steps, 100);
    // k_1 to k_7 of each step.
    assert_eq!(after.derivative_calls - before.derivative_calls, 700);
    assert_eq!(run.memory.step, proposed);
}

#[test]
fn no_step_is_longer_than_the_largest() {
    let mut problem = Problem::ballistic(-9.81);
    let settings = Settings::new(1e-6).unwrap().with_max_step(0.03).unwrap();
    let mut integrator = Integrator::new(2, 0, settings);
    let (mut memory, mut time, mut states) = (Memory::default(), 0.0, [0.0, 10.0]);
    let (mut longest, mut steps) = (0.0_f64, 0);
    let mut observe = |_: &mut Problem, step: &DenseStep<'_>| {
        longest = longest.max(step.t1() - step.t0());
        steps += 1;
        Ok(())
    };
    integrator
        .advance(
            &mut problem,
            &mut memory,
            &mut time,
            &mut states,
            1.0,
            Some(&mut observe),
        )
        .unwrap();
    // One rounding of the time may come on top.
    assert!(longest <= 0.03 + f64::EPSILON, "{longest}");
    assert_eq!(steps, memory.statistics().steps);
}

#[test]
fn stiff_rest_is_calm_and_exact() {
    let mut run = Run::new(stiff_oscillator(), 1e-7, &[0.0, 1e-3]);
    run.to(0.02);
    let settled = *run.memory.statistics();
    // After 0.02 s the motion has decayed by exp(-98); what is left is noise within the tolerance,
    // 1e-13 m, at the limit of stability.
    assert!(run.states[0].abs() < 1e-12, "{:e}", run.states[0]);
    let counts = (
        settled.steps,
        settled.rejected_steps,
        settled.derivative_calls,
    );
    assert_eq!(counts, (701, 4, 4232));
    run.to(1.02);
    let rested = *run.memory.statistics();
    assert!(run.states[0].abs() < 1e-12, "{:e}", run.states[0]);
    // The stability function of the formula, 1 + z + ... + z^5/120 + z^6/600, has modulus 1 along
    // the direction of the eigenvalue at h = 4.33e-5 s: no fewer than 23 095 steps.
    let steps = rested.steps - settled.steps;
    let rejected = rested.rejected_steps - settled.rejected_steps;
    assert!((23_000..24_500).contains(&steps), "{steps} steps");
    let most = steps / 500;
    assert!(rejected < most, "{rejected} of {steps} steps rejected");
}

#[test]
fn stiff_oscillation_meets_the_closed_form() {
    let mut run = Run::new(stiff_oscillator(), 1e-9, &[0.0, 1e-3]);
    let end = 2e-4;
    run.to(end);
    // x = v0/w exp(-d t) sin(w t) with d = 4905, w^2 = omega^2 - d^2.
    let w = (6e4_f64.powi(2) - 4905.0_f64.powi(2)).sqrt();
    let x = 1e-3 / w * (-4905.0 * end).exp() * (w * end).sin();
    assert!((run.states[0] - x).abs() < 1e-13, "{:e}", run.states[0] - x);
}

#[test]
fn a_run_resumed_from_saved_values_is_equal_to_the_bit() {
    let build = || {
        let mut problem = Problem::ballistic(-9.8).with_indicators(1, |_, x, z| z[0] = x[0]);
        problem.update = Box::new(|_, x| (x[0], x[1]) = (x[0].abs().max(1e-13), -0.8 * x[1]));
        Run::new(problem, 1e-7, &[10.0, 0.0])
    };
    let follow = |run: &mut Run, from: usize| {
        for i in from..40 {
            let end = i as f64 * 0.2;
            while run.event_before(end).is_some() {}
        }
    };
    let mut whole = build();
    follow(&mut whole, 0);

    let mut first = build();
    for i in 0..17 {
        while first.event_before(f64::from(i) * 0.2).is_some() {}
    }
    let bytes = postcard::to_stdvec(&first.memory).unwrap();
    let mut second = build();
    second.memory = postcard::from_bytes(&bytes).unwrap();
    second.time = first.time;
    second.states.clone_from(&first.states);
    follow(&mut second, 17);

    assert_eq!(second.memory, whole.memory);
    for (a, b) in second.states.iter().zip(&whole.states) {
        assert_eq!(a.to_bits(), b.to_bits());
    }
}

#[test]
fn observed_steps_join_and_interpolate_the_solution() {
    let mut problem = oscillator();
    let mut integrator = Integrator::new(2, 0, Settings::new(1e-8).unwrap());
    let (mut memory, mut time, mut states) = (Memory::default(), 0.0, [1.0, 0.0]);
    let (mut reached, mut last, mut worst) = (0.0, vec![1.0, 0.0], 0.0_f64);
    let mut observe = |_: &mut Problem, step: &DenseStep<'_>| {
        assert_eq!(step.t0(), reached);
        assert_eq!(step.start(), last);
        let mut x = [0.0; 2];
        for i in 0..=10 {
            let t = step.t0() + (step.t1() - step.t0()) * f64::from(i) / 10.0;
            step.interpolate(t, &mut x);
            worst = worst.max((x[0] - t.cos()).abs());
        }
        step.interpolate(step.t1(), &mut x);
        assert_eq!(x, step.end());
        reached = step.t1();
        last = x.to_vec();
        Ok(())
    };
    integrator
        .advance(
            &mut problem,
            &mut memory,
            &mut time,
            &mut states,
            7.0,
            Some(&mut observe),
        )
        .unwrap();
    assert_eq!(reached, 7.0);
    assert_eq!(last, states);
    // About 40 steps, each may err by 2e-8.
    assert!(worst < 40.0 * 2e-8, "{worst:e}");
}

#[test]
fn a_system_without_states_reaches_its_end() {
    let clock = Problem::new(&[], |_, _, _| Ok(())).with_indicators(1, |t, _, z| z[0] = 2.5 - t);
    let mut run = Run::new(clock, 1e-6, &[]);
    let event = run.event_before(4.0).unwrap();
    assert!((event - 2.5).abs() <= 4.0 * f64::EPSILON * 4.0, "{event}");
}

#[test]
fn a_system_behind_a_trait_object_takes_the_same_path() {
    let mut direct = Run::new(oscillator(), 1e-8, &[1.0, 0.0]);
    direct.to(3.0);
    let mut problem = oscillator();
    let system: &mut dyn HybridSystem = &mut problem;
    let mut integrator = Integrator::new(2, 0, Settings::new(1e-8).unwrap());
    let (mut memory, mut time, mut states) = (Memory::default(), 0.0, [1.0, 0.0]);
    let stop = integrator.advance(system, &mut memory, &mut time, &mut states, 3.0, None);
    assert_eq!(stop, Ok(LegEnd::End));
    let expected = (&*direct.states, direct.memory);
    assert_eq!((states.as_slice(), memory), expected);
}
