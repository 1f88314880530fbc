//! Calls of the system by the integrator, counted and without NaN or infinity; and the interface of a
//! one-step formula, [`Method`]. Step-size control, event location and dense output know only a step from
//! (t0, x0) to (t1, x1), an error estimate and its order, and the coefficients of a polynomial over the step.
//! Per leg, in this order:
//!
//! | call | when |
//! |---|---|
//! | [`Method::resume`], [`Method::start`] | once, at the start of the leg |
//! | [`Method::rest_step`], [`Method::finish`] | each attempt, unless it returns false |
//! | [`Method::step`], [`Method::finish`] | each attempt, unless the system rests |
//! | [`Method::error_rates`] | each attempt: rejected if an error is above its tolerance |
//! | [`Method::dense`] | each attempt whose error is small enough |
//! | [`Method::step`], [`Method::exchange`] | location of an event: the step is repeated, shorter |
//! | [`Method::finish`], [`Method::dense`] | if location shortens the step |
//! | [`Method::assess`] | after an accepted step of full length |
//! | [`Method::stiffness`], [`Method::kept_jacobian`], [`Method::is_implicit`] | after each accepted step |
//! | [`Method::go_on`] | after an accepted step, before the next attempt |
//!
//! ## Implicit methods
//! A Rosenbrock method evaluates the Jacobian df/dx in `start` and uses it in all attempts from there; the
//! matrix of a step, which depends on its length, is factored in `step`. Singular linear equations are a
//! discarded evaluation ([`EvaluationError::discard`]): control then tries a shorter step. The polynomial of
//! the dense output may have any degree, see [`contact_geometry::math::dense`].
//!
//! ## Reproducibility
//! A run resumed from (t, x, [`super::Memory`]) must be equal to the bit, so all data that a method keeps
//! from one step to the next must be a function of (t, x) at the start of the next one, or be part of its
//! [`Stiffness`] or [`Method::kept_jacobian`].

use super::memory::Statistics;
use crate::hybrid::{Along, Direction, Entry, EvaluationError, HybridSystem, Passing, Role};
use crate::integrator::memory::Stiffness;
use crate::integrator::settings::Solver;
use contact_geometry::math::dense::DenseStep;
use contact_geometry::math::{Exact, all_finite};

pub struct Evaluator<'a, S: ?Sized> {
    pub system: &'a mut S,
    pub(super) statistics: &'a mut Statistics,
}

impl<S: HybridSystem + ?Sized> Evaluator<'_, S> {
    /// State derivatives.
    ///
    /// # Errors
    /// Those of the system, with the time; discarded if a derivative is not finite.
    pub(crate) fn derivatives(
        &mut self,
        time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.statistics.derivative_calls += 1;
        self.system
            .derivatives(time, states, derivatives)
            .map_err(|failure| at(time, failure))?;
        match first_not_finite(derivatives) {
            None => Ok(()),
            Some((index, value)) => Err(EvaluationError::discard(format!(
                "derivative of {} is {value} at t = {time} s; it must be finite",
                self.system.state_name(index),
                time = Exact(time)
            ))),
        }
    }

    /// Derivatives along directions, see [`HybridSystem::derivatives_along`].
    pub(super) fn derivatives_along(
        &mut self,
        time: f64,
        states: &[f64],
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> Result<(), EvaluationError> {
        self.statistics.direction_calls += directions.len() as u64;
        self.system
            .derivatives_along(time, states, directions, along)
            .map_err(|failure| at(time, failure))
    }

    /// Event indicators; discarded if one is not finite.
    pub(super) fn indicators(
        &mut self,
        time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.statistics.indicator_calls += 1;
        self.system
            .indicators(time, states, indicators)
            .map_err(|failure| at(time, failure))?;
        match first_not_finite(indicators) {
            None => Ok(()),
            Some((index, value)) => Err(EvaluationError::discard(format!(
                "event indicator {} is {value} at t = {time} s; it must be finite",
                index + 1,
                time = Exact(time)
            ))),
        }
    }

    /// See [`HybridSystem::first_entry`].
    pub(super) fn first_entry(
        &mut self,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Result<Option<Entry>, EvaluationError> {
        let entry = self.system.first_entry(step, indicators);
        entry.map_err(|failure| at(step.t0(), failure))
    }

    /// See [`HybridSystem::pass_over`].
    pub(super) fn pass_over(
        &mut self,
        step: &DenseStep<'_>,
        indicators: [&[f64]; 2],
    ) -> Result<Passing, EvaluationError> {
        let passing = self.system.pass_over(step, indicators);
        passing.map_err(|failure| at(step.t0(), failure))
    }

    /// Calls `completed_step` of the system. Returns true if it requests an event update.
    pub(super) fn completed_step(
        &mut self,
        time: f64,
        states: &[f64],
    ) -> Result<bool, EvaluationError> {
        self.system
            .completed_step(time, states)
            .map_err(|failure| at(time, failure))
    }
}

fn at(time: f64, failure: EvaluationError) -> EvaluationError {
    EvaluationError {
        message: format!("{} (at t = {time} s)", failure.message, time = Exact(time)),
        ..failure
    }
}

pub(super) fn first_not_finite(values: &[f64]) -> Option<(usize, f64)> {
    if all_finite(values) {
        return None;
    }
    let index = values.iter().position(|v| !v.is_finite()).unwrap_or(0);
    Some((index, values[index]))
}

/// Accepted step of full length.
#[derive(Clone, Copy, Debug)]
pub struct Assessed {
    pub h: f64,
    /// Largest estimated error of a state in units of its tolerance.
    pub error: f64,
    /// Largest movement of a state in units of its tolerance.
    pub(crate) movement: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct Units<'a> {
    /// See [`HybridSystem::nominals`].
    pub nominals: &'a [f64],
    pub(crate) roles: &'a [Role],
}

/// One-step formula with the work arrays of one step from a start (t0, x0).
///
/// Slices have one entry for each state. Nothing is allocated after [`Self::new`].
pub trait Method {
    /// Order of the error estimate in the step: one more than the lower one of the two orders compared.
    const ERROR_ORDER: f64;
    /// Rows of coefficients of the dense output, at least 1: one more than its degree. With more than 5 the
    /// bounds of gaps over a step (`HybridSystem::first_entry` of a scene) hold only for a close polynomial
    /// of degree 4.
    const DENSE_ROWS: usize;

    fn new(state_count: usize) -> Self;

    /// Restores the data of earlier legs, their Jacobian and the user's choice; no effect by default.
    fn resume(&mut self, stiffness: Stiffness, jacobian: &[f64], solver: Solver) {
        let _ = (stiffness, jacobian, solver);
    }

    /// Judges an accepted step. Returns the minimum length of the next one, in lengths of this one; 0, the
    /// default, if only its error matters.
    fn assess(&mut self, step: &Assessed, units: Units<'_>) -> f64 {
        let _ = (step, units);
        0.0
    }

    /// Data for later steps and legs; empty by default.
    fn stiffness(&self) -> Stiffness {
        Stiffness::default()
    }

    /// Jacobian that the next step can reuse; empty, the default, if it needs a new one.
    fn kept_jacobian(&self) -> &[f64] {
        &[]
    }

    /// Ratio of error to estimate in a step at whose start a force begins to grow like t^(3/2) [1], as in a
    /// contact; 1, the default, if the estimate is reliable.
    fn onset_ratio(&self) -> f64 {
        1.0
    }

    /// Returns true if the last step was by an implicit formula; false by default.
    fn is_implicit(&self) -> bool {
        false
    }

    /// Evaluates the data of the start, at least the derivatives there.
    ///
    /// # Errors
    /// Those of the system.
    fn start<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError>;

    /// Makes the end of the step just finished, (`t0`, `x0`), the start of the next one.
    ///
    /// The default evaluates as [`Self::start`]; a formula whose last stage is the first one of the next step
    /// overrides it.
    ///
    /// # Errors
    /// Those of the system.
    fn go_on<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        self.start(evaluator, t0, x0)
    }

    /// Derivatives at the start, for the first step size.
    fn start_derivatives(&self) -> &[f64];

    /// Computes the states at `t1` by a step of first order, which suffices if no state moves by more than a
    /// small part of its tolerance; [`Self::error_rates`] then gives the movement of the states. Returns
    /// false, the default, if there is no such step.
    ///
    /// # Errors
    /// Those of the system.
    fn rest_step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<bool, EvaluationError> {
        let _ = (evaluator, t0, t1, x0);
        Ok(false)
    }

    /// Computes the states at `t1` by a step from the start.
    ///
    /// # Errors
    /// Those of the system; discarded if the equations of an implicit step cannot be solved.
    fn step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError>;

    fn end(&self) -> &[f64];

    /// Completes the data for error estimate and dense output; the states at the end of the step are finite.
    ///
    /// # Errors
    /// Those of the system.
    fn finish<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t1: f64,
    ) -> Result<(), EvaluationError>;

    /// Estimated error of each state over the finished step, divided by the length of the step [unit of the
    /// state/s].
    fn error_rates(&self, rates: &mut [f64]);

    /// Coefficients of the dense output over the finished step of length `h` [s] in the form of
    /// [`contact_geometry::math::dense`]: row r of state i at `rows[r * n + i]`. The polynomial interpolates
    /// the states at both ends.
    fn dense(&self, h: f64, x0: &[f64], rows: &mut [f64]);

    /// Exchanges the results of [`Self::step`] with another step. Data of the start stay: `other` has none.
    fn exchange(&mut self, other: &mut Self);
}
