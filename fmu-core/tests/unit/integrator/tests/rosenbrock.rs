//! A Rosenbrock method of order 2 goes through the control and the event location that Dormand and
//! Prince go through: the seam [`Method`] is wide enough for an implicit formula.
//!
//! With J = df/dx and T = df/dt at the start, d = 1/(2 + sqrt 2) and W = 1 - h d J:
//!   W k_1 = f(t0, x0) + h d T,
//!   W (k_2 - k_1) = f(t0 + h/2, x0 + h/2 k_1) - k_1,   x1 = x0 + h k_2,
//!   W k_3 = f(t1, x1) - (6 + sqrt 2) (k_2 - f_half) - 2 (k_1 - f(t0, x0)) + h d T,
//!   error h/6 (k_1 - 2 k_2 + k_3), which falls with h^3,
//!   dense output of order 2: r2 = x1 - x0, r3 = h (k_1 - k_2)/(1 - 2 d).
//! Source: L. F. Shampine, M. W. Reichelt: The MATLAB ODE suite, SIAM J. Sci. Comput. 18 (1997)
//! 1-22.

use super::super::{Evaluator, LegEnd, Method, Settings, Statistics};
use super::{Outcome, Problem, Run, error_in_tolerances, order};
use crate::hybrid::{EvaluationError, HybridSystem};
use crate::math::dense::evaluate;
use nalgebra::{Matrix2, Vector2};
use std::f64::consts::SQRT_2;

const D: f64 = 1.0 / (2.0 + SQRT_2);
const E32: f64 = 6.0 + SQRT_2;
/// Width of the difference quotient for df/dt [s].
const TIME_WIDTH: f64 = 1e-7;

/// The method for two states.
#[derive(Default)]
struct Rosenbrock {
    /// At the start: f, df/dx and df/dt.
    f0: Vector2<f64>,
    jacobian: Matrix2<f64>,
    time_derivative: Vector2<f64>,
    /// Of the step: its length, W^-1, f in the middle, k_1, k_2 and x1.
    h: f64,
    inverse: Matrix2<f64>,
    f_half: Vector2<f64>,
    k1: Vector2<f64>,
    k2: Vector2<f64>,
    end: Vector2<f64>,
    /// At its end: k_3.
    k3: Vector2<f64>,
}

fn rates<S: HybridSystem + ?Sized>(
    evaluator: &mut Evaluator<'_, S>,
    time: f64,
    x: Vector2<f64>,
) -> Outcome<Vector2<f64>> {
    let mut f = Vector2::zeros();
    evaluator.derivatives(time, x.as_slice(), f.as_mut_slice())?;
    Ok(f)
}

impl Method for Rosenbrock {
    const ERROR_ORDER: f64 = 3.0;
    const DENSE_ROWS: usize = 3;

    fn new(state_count: usize) -> Self {
        assert_eq!(state_count, 2);
        Rosenbrock::default()
    }

    fn start<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Outcome<()> {
        let x = Vector2::from_column_slice(x0);
        self.f0 = rates(evaluator, t0, x)?;
        self.time_derivative = (rates(evaluator, t0 + TIME_WIDTH, x)? - self.f0) / TIME_WIDTH;
        let jacobian = self.jacobian.as_mut_slice();
        evaluator.system.jacobian(t0, x0, jacobian)
    }

    fn start_derivatives(&self) -> &[f64] {
        self.f0.as_slice()
    }

    fn step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Outcome<()> {
        let (h, x0) = (t1 - t0, Vector2::from_column_slice(x0));
        let matrix = Matrix2::identity() - h * D * self.jacobian;
        let singular = || EvaluationError::discard("the matrix of the step is singular");
        self.h = h;
        self.inverse = matrix.try_inverse().ok_or_else(singular)?;
        self.k1 = self.inverse * (self.f0 + h * D * self.time_derivative);
        self.f_half = rates(evaluator, t0 + 0.5 * h, x0 + 0.5 * h * self.k1)?;
        self.k2 = self.inverse * (self.f_half - self.k1) + self.k1;
        self.end = x0 + h * self.k2;
        Ok(())
    }

    fn end(&self) -> &[f64] {
        self.end.as_slice()
    }

    fn finish<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t1: f64,
    ) -> Outcome<()> {
        let f1 = rates(evaluator, t1, self.end)?;
        let right_side = f1 - E32 * (self.k2 - self.f_half) - 2.0 * (self.k1 - self.f0)
            + self.h * D * self.time_derivative;
        self.k3 = self.inverse * right_side;
        Ok(())
    }

    fn error_rates(&self, rates: &mut [f64]) {
        let error = (self.k1 - 2.0 * self.k2 + self.k3) / 6.0;
        rates.copy_from_slice(error.as_slice());
    }

    fn dense(&self, h: f64, x0: &[f64], rows: &mut [f64]) {
        let x0 = Vector2::from_column_slice(x0);
        let bend = h * (self.k1 - self.k2) / (1.0 - 2.0 * D);
        for (row, value) in rows.chunks_exact_mut(2).zip([x0, self.end - x0, bend]) {
            row.copy_from_slice(value.as_slice());
        }
    }

    fn exchange(&mut self, other: &mut Self) {
        std::mem::swap(self, other);
        // What belongs to the start stays.
        std::mem::swap(&mut self.f0, &mut other.f0);
        std::mem::swap(&mut self.jacobian, &mut other.jacobian);
        std::mem::swap(&mut self.time_derivative, &mut other.time_derivative);
    }
}

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

fn run(problem: Problem, settings: Settings, states: [f64; 2]) -> Run<Rosenbrock> {
    Run::with_method(problem, settings, &states)
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
fn estimate_and_dense_output_fall_with_the_third_power_of_the_step() {
    let estimate = |h: f64| {
        let (method, x0) = single_step(0.3, h);
        error_in_tolerances(&method, h, &x0)
    };
    let estimated = order(estimate, 1.0 / 128.0);
    assert!((estimated - 3.0).abs() < 0.1, "order {estimated}");
    let inside = |h: f64| {
        let (method, x0) = single_step(0.3, h);
        let mut rows = [0.0; 6];
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
    let inside = order(inside, 1.0 / 128.0);
    assert!((inside - 3.0).abs() < 0.15, "order {inside}");
}

#[test]
fn error_at_the_end_falls_with_the_square_of_the_step() {
    let error = |h: f64| {
        let mut run = run(bell(), steps_of(h), [1.0, 0.0]);
        assert_eq!(run.to(1.0), LegEnd::End);
        distance(&run.states, bell_at(1.0))
    };
    let order = order(error, 1.0 / 64.0);
    assert!((order - 2.0).abs() < 0.1, "order {order}");
}

#[test]
fn time_of_an_event_errs_with_the_square_of_the_step() {
    let error = |h: f64| {
        let problem = oscillator().with_gap(1.0, |x| x[0] + 0.9);
        let mut run = run(problem, steps_of(h), [1.0, 0.0]);
        let time = run.event_before(4.0).unwrap();
        // The event is where the formula meets the level, to a rounding of the time.
        assert!(run.states[0] + 0.9 <= 0.0 && run.states[0] + 0.9 > -1e-14);
        (time - (-0.9_f64).acos()).abs()
    };
    let order = order(error, 1.0 / 64.0);
    assert!((order - 2.0).abs() < 0.1, "order {order}");
}

#[test]
fn a_dip_inside_a_step_is_found() {
    // x = (t - 1/2)^2 - 1/100, which the formula and its dense output follow exactly.
    let problem = Problem::ballistic(2.0).with_gap(2.0, |x| x[0]);
    let mut run = run(problem, Settings::new(1e-3).unwrap(), [0.24, -1.0]);
    let time = run.event_before(1.0).unwrap();
    assert!((time - 0.4).abs() < 1e-12, "{time}");
    let statistics = run.memory.statistics();
    assert!(statistics.steps < 10, "{} steps", statistics.steps);
}

#[test]
fn error_follows_the_tolerance() {
    let error = |rtol: f64| {
        let mut run = run(oscillator(), Settings::new(rtol).unwrap(), [1.0, 0.0]);
        run.to(10.0);
        distance(&run.states, [10.0_f64.cos(), -(10.0_f64.sin())])
    };
    // The local error of order 3 is proportional to the tolerance, the number of steps to its
    // power -1/3: the global error falls with the power 2/3, by 100 in 1e3.
    let ratio = error(1e-4) / error(1e-7);
    assert!((50.0..200.0).contains(&ratio), "ratio {ratio}");
}

#[test]
fn a_stiff_system_takes_steps_of_its_slow_motion() {
    // x' = -1e6 (x - cos t) - sin t: x = cos t. The stability of Dormand and Prince allows steps of
    // 3.3e-6 s, 3e6 of them. The stiff part of this estimate falls with h^2 only (order reduction),
    // so that steps are some 1e-3 s long.
    let problem = Problem::new(&[1.0, 1.0], |t, x, f| {
        (f[0], f[1]) = (-1e6 * (x[0] - t.cos()) - t.sin(), x[0]);
        Ok(())
    });
    let mut run = run(problem, Settings::new(1e-6).unwrap(), [1.0, 0.0]);
    run.to(10.0);
    assert!(distance(&run.states, [10.0_f64.cos(), 10.0_f64.sin()]) < 1e-3);
    let statistics = run.memory.statistics();
    assert!(statistics.steps < 10_000, "{} steps", statistics.steps);
}
