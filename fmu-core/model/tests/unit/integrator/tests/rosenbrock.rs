//! The linearly implicit formula: its order, its dense output, stiff systems with known solutions.

use super::super::{LegEnd, Settings, Statistics};
use super::{Outcome, Problem, Run, error_in_tolerances, order};
use crate::integrator::evaluator::{Evaluator, Method};
use crate::integrator::rosenbrock::Rosenbrock;
use contact_geometry::math::dense::evaluate;

const ROWS: usize = Rosenbrock::DENSE_ROWS;

/// x' = -2 t x^2, y' = x from (1, 0) has the solution x = 1/(1 + t^2), y = atan t.
fn bell() -> Problem {
    Problem::new(&[1.0, 1.0], |t, x, f| {
        (f[0], f[1]) = (-2.0 * t * x[0] * x[0], x[0]);
        Ok(())
    })
}

fn bell_at(t: f64) -> [f64; 2] {
    [1.0 / (1.0 + t * t), t.atan()]
}

fn oscillator() -> Problem {
    Problem::new(&[1.0, 1.0], |_, x, f| {
        (f[0], f[1]) = (x[1], -x[0]);
        Ok(())
    })
}

fn run(problem: Problem, settings: Settings, states: &[f64]) -> Run<Rosenbrock> {
    Run::with_method(problem, settings, states)
}

/// One step from the exact solution at `t0`.
fn single_step(t0: f64, h: f64) -> (Rosenbrock, [f64; 2]) {
    let mut statistics = Statistics::default();
    let mut evaluator = Evaluator {
        system: &mut bell(),
        statistics: &mut statistics,
    };
    let x0 = bell_at(t0);
    let mut method = Rosenbrock::new(2);
    method.start(&mut evaluator, t0, &x0).unwrap();
    method.step(&mut evaluator, t0, t0 + h, &x0).unwrap();
    method.finish(&mut evaluator, t0 + h).unwrap();
    (method, x0)
}

fn distance(x: &[f64], y: [f64; 2]) -> f64 {
    (x[0] - y[0]).hypot(x[1] - y[1])
}

/// A tolerance so loose that all steps have the length `h`.
fn steps_of(h: f64) -> Settings {
    Settings::new(0.1).unwrap().with_max_step(h).unwrap()
}

#[test]
fn local_error_falls_with_the_sixth_power_estimate_and_dense_output_with_the_fifth() {
    let local = |h: f64| {
        let (method, _) = single_step(0.3, h);
        distance(method.end(), bell_at(0.3 + h))
    };
    let local = order(local, 1.0 / 64.0);
    // From above: what is subtracted leaves little of the sixth power here.
    assert!((5.8..6.4).contains(&local), "order {local}");
    let estimate = |h: f64| {
        let (method, x0) = single_step(0.3, h);
        error_in_tolerances(&method, h, &x0)
    };
    let estimated = order(estimate, 1.0 / 64.0);
    assert!((4.8..5.4).contains(&estimated), "order {estimated}");
    let inside = |h: f64| {
        let (method, x0) = single_step(0.3, h);
        let mut rows = [0.0; 2 * ROWS];
        method.dense(h, &x0, &mut rows);
        let error = |part: f64| {
            let mut x = [0.0; 2];
            evaluate(&rows, part, &mut x);
            distance(&x, bell_at(0.3 + part * h))
        };
        (0..=20)
            .map(|i| error(f64::from(i) / 20.0))
            .fold(0.0, f64::max)
    };
    let inside = order(inside, 1.0 / 64.0);
    assert!((4.8..5.4).contains(&inside), "order {inside}");
}

#[test]
fn error_at_the_end_falls_with_the_fifth_power_of_the_step() {
    let error = |h: f64| {
        let mut run = run(bell(), steps_of(h), &[1.0, 0.0]);
        assert_eq!(run.to(1.0), LegEnd::End);
        distance(&run.states, bell_at(1.0))
    };
    let order = order(error, 1.0 / 64.0);
    // From above, 5.45 at 1/16.
    assert!((4.8..5.3).contains(&order), "order {order}");
}

#[test]
fn time_of_an_event_errs_with_the_fifth_power_of_the_step() {
    let error = |h: f64| {
        let problem = oscillator().with_gap(1.0, |x| x[0] + 0.9);
        let mut run = run(problem, steps_of(h), &[1.0, 0.0]);
        let time = run.event_before(4.0).unwrap();
        // The event is where the formula meets the level, to a rounding of the time.
        assert!(run.states[0] + 0.9 <= 0.0 && run.states[0] + 0.9 > -1e-14);
        (time - (-0.9_f64).acos()).abs()
    };
    let order = order(error, 1.0 / 4.0);
    assert!((order - 5.0).abs() < 0.3, "order {order}");
}

#[test]
fn a_dip_inside_a_step_is_found() {
    // x = (t - 1/2)^2 - 1/100, which the formula and its dense output follow exactly.
    let problem = Problem::ballistic(2.0).with_gap(2.0, |x| x[0]);
    let mut run = run(problem, Settings::new(1e-3).unwrap(), &[0.24, -1.0]);
    let time = run.event_before(1.0).unwrap();
    assert!((time - 0.4).abs() < 1e-12, "{time}");
    let statistics = run.memory.statistics();
    assert!(statistics.steps < 10, "{} steps", statistics.steps);
}

/// x' = -1e6 (x - cos t) - sin t: x = cos t (A. Prothero, A. Robinson, Math. Comp. 28 (1974)
/// 145-162). The stability of Dormand and Prince allows steps of 3.3e-6 s, 3e6 of them.
#[test]
fn a_stiff_system_takes_steps_of_its_slow_motion() {
    let problem = Problem::new(&[1.0, 1.0], |t, x, f| {
        (f[0], f[1]) = (-1e6 * (x[0] - t.cos()) - t.sin(), x[0]);
        Ok(())
    });
    let mut run = run(problem, Settings::new(1e-6).unwrap(), &[1.0, 0.0]);
    run.to(10.0);
    assert!(distance(&run.states, [10.0_f64.cos(), 10.0_f64.sin()]) < 1e-5);
    let statistics = run.memory.statistics();
    assert!(statistics.steps < 200, "{} steps", statistics.steps);
}

/// Rates of the problem of Robertson.
fn robertson(_: f64, x: &[f64], f: &mut [f64]) -> Outcome<()> {
    f[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    f[2] = 3e7 * x[1] * x[1];
    f[1] = -f[0] - f[2];
    Ok(())
}

/// Rates of the equation of van der Pol with mu = 1e3, in its slow time.
fn van_der_pol(_: f64, x: &[f64], f: &mut [f64]) -> Outcome<()> {
    (f[0], f[1]) = (x[1], 1e6 * ((1.0 - x[0] * x[0]) * x[1] - x[0]));
    Ok(())
}

/// Rates of HIRES, how plants grow in light.
fn hires(_: f64, x: &[f64], f: &mut [f64]) -> Outcome<()> {
    f[0] = -1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2] + 0.0007;
    f[1] = 1.71 * x[0] - 8.75 * x[1];
    f[2] = -10.03 * x[2] + 0.43 * x[3] + 0.035 * x[4];
    f[3] = 8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3];
    f[4] = -1.745 * x[4] + 0.43 * x[5] + 0.43 * x[6];
    f[5] = -280.0 * x[5] * x[7] + 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6];
    f[6] = 280.0 * x[5] * x[7] - 1.81 * x[6];
    f[7] = -f[6];
    Ok(())
}

/// Largest error of the states at the end, as part of them.
fn largest(found: &[f64], expected: &[f64]) -> f64 {
    let errors = found.iter().zip(expected).map(|(a, b)| (a / b - 1.0).abs());
    errors.fold(0.0, f64::max)
}

/// References: van der Pol and HIRES: F. Mazzia, C. Magherini, Test Set for Initial Value Problem
/// Solvers, release 2.4 (2008); Robertson: A. C. Hindmarsh, ODEPACK, with five digits.
#[test]
fn robertson_van_der_pol_and_hires_meet_their_references() {
    let settings = Settings::new(1e-8).unwrap();
    let mut kinetics = run(
        Problem::new(&[1e-3, 1e-7, 1e-3], robertson),
        settings,
        &[1.0, 0.0, 0.0],
    );
    kinetics.to(40.0);
    let expected = [7.1583e-1, 9.1855e-6, 2.8416e-1];
    assert!(largest(&kinetics.states, &expected) < 2e-5);
    // Dormand and Prince would take 3e4, limited by stability.
    assert!(kinetics.memory.statistics().steps < 1000);

    let mut relaxation = run(
        Problem::new(&[1.0, 1.0], van_der_pol),
        settings,
        &[2.0, 0.0],
    );
    relaxation.to(2.0);
    let expected = [0.1706167732170483e1, -0.8928097010247975];
    assert!(largest(&relaxation.states, &expected) < 1e-5);
    // They would take 2e6: the eigenvalue is -3e6 1/s on the slow branch.
    assert!(relaxation.memory.statistics().steps < 5000);

    let mut growth = run(
        Problem::new(&[1e-3; 8], hires),
        settings,
        &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057],
    );
    growth.to(321.8122);
    let expected = [
        0.7371312573325668e-3,
        0.1442485726316185e-3,
        0.5888729740967575e-4,
        0.1175651343283149e-2,
        0.2386356198831331e-2,
        0.6238968252742796e-2,
        0.2849998395185769e-2,
        0.2850001604814231e-2,
    ];
    assert!(largest(&growth.states, &expected) < 1e-6);
}

#[test]
fn error_follows_the_tolerance() {
    let error = |rtol: f64| {
        let mut run = run(oscillator(), Settings::new(rtol).unwrap(), &[1.0, 0.0]);
        run.to(10.0);
        distance(&run.states, [10.0_f64.cos(), -(10.0_f64.sin())])
    };
    // The estimate is that of order 4, the step of order 5: the error falls faster.
    let ratio = error(1e-4) / error(1e-8);
    assert!((3e3..3e5).contains(&ratio), "ratio {ratio:e}");
}
