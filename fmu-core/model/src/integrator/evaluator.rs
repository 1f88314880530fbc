//! The system as the integrator calls it: every call counted, no NaN or infinity accepted.

use super::memory::Statistics;
use crate::hybrid::{Along, Direction, Entry, EvaluationError, HybridSystem, Passing};
use contact_geometry::math::dense::DenseStep;
use contact_geometry::math::{Exact, all_finite};

/// A system with the counters of its calls.
pub struct Evaluator<'a, S: ?Sized> {
    /// The system.
    pub system: &'a mut S,
    /// Counters that go up with each call.
    pub(super) statistics: &'a mut Statistics,
}

impl<S: HybridSystem + ?Sized> Evaluator<'_, S> {
    /// Writes the state derivatives.
    ///
    /// # Errors
    /// Those of the system, with the time; discarded if a derivative is not finite.
    pub fn derivatives(
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

    /// Writes derivatives along directions, see [`HybridSystem::derivatives_along`].
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

    /// Writes the event indicators; discarded if one is not finite.
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

    /// Where indicators may leave their domain inside a step, see [`HybridSystem::first_entry`].
    pub(super) fn first_entry(
        &mut self,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Result<Option<Entry>, EvaluationError> {
        let entry = self.system.first_entry(step, indicators);
        entry.map_err(|failure| at(step.t0(), failure))
    }

    /// What is to be done about changes of domain, see [`HybridSystem::pass_over`].
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

/// The first number that is not finite, with its index.
pub(super) fn first_not_finite(values: &[f64]) -> Option<(usize, f64)> {
    if all_finite(values) {
        return None;
    }
    let index = values.iter().position(|v| !v.is_finite()).unwrap_or(0);
    Some((index, values[index]))
}
