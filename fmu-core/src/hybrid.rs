//! What an integrator sees of a model: an ordinary differential equation with event indicators.
//!
//! Between events x' = f(t, x) with discrete state frozen. An event indicator z is continuous
//! between events; an event is due when its domain changes, where the domains are z > 0 and
//! z <= 0. After [`HybridSystem::update_event`] no indicator is exactly zero.

use crate::math::dense::DenseStep;
use std::fmt;

/// Why an evaluation has no result.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationError {
    /// What the caller can do, such as try a smaller step.
    pub severity: Severity,
    /// What was wrong, with names and numbers.
    pub message: String,
}

/// What the caller can do about an [`EvaluationError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The states are not usable (NaN, too far out); a smaller step may give usable ones.
    Discard,
    /// The model cannot go on.
    Error,
    /// The integrator would take more steps than it may; a softer model, a looser tolerance or a
    /// larger budget may help.
    TooManySteps,
    /// No step of the integrator is small enough.
    StepTooSmall,
}

impl EvaluationError {
    /// An evaluation that a smaller step may rescue.
    pub fn discard(message: impl Into<String>) -> Self {
        EvaluationError {
            severity: Severity::Discard,
            message: message.into(),
        }
    }

    /// An integration that would take too many steps.
    pub fn too_many_steps(message: impl Into<String>) -> Self {
        EvaluationError {
            severity: Severity::TooManySteps,
            message: message.into(),
        }
    }

    /// An integration for which no step is small enough.
    pub fn step_too_small(message: impl Into<String>) -> Self {
        EvaluationError {
            severity: Severity::StepTooSmall,
            message: message.into(),
        }
    }

    /// An evaluation that no step size rescues.
    pub fn error(message: impl Into<String>) -> Self {
        EvaluationError {
            severity: Severity::Error,
            message: message.into(),
        }
    }
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EvaluationError {}

/// Outcome of an event update, iterated to its end.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct EventOutcome {
    /// The update changed a continuous state.
    pub states_changed: bool,
    /// Time of the next time event [s], if one is known.
    pub next_event_time: Option<f64>,
}

/// Where in a step a positive indicator may cease to be positive, as parts of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Up to here all that are positive at its start remain positive.
    pub before: f64,
    /// Here one is not; equal to `before` if nothing is known beyond it.
    pub after: f64,
}

/// An ordinary differential equation with event indicators and a discrete state.
///
/// Slices have the lengths that [`Self::state_count`] and [`Self::indicator_count`] give.
pub trait HybridSystem {
    /// Number of continuous states; fixed.
    fn state_count(&self) -> usize;

    /// Number of event indicators; fixed.
    fn indicator_count(&self) -> usize;

    /// Name of a state, for messages.
    fn state_name(&self, index: usize) -> String {
        format!("state {}", index + 1)
    }

    /// Nominal magnitude of each state; with a relative tolerance it gives the absolute one.
    fn nominals(&self, nominals: &mut [f64]);

    /// State derivatives f(t, x).
    fn derivatives(
        &mut self,
        time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError>;

    /// Event indicators z(t, x).
    fn indicators(
        &mut self,
        time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError>;

    /// Bounds the indicators over a step with the solution `step` and the values `indicators` at
    /// its start. Returns the first part of it in which one that is positive at the start, or a
    /// quantity without an indicator that would need an event, may be zero or less, even if it is
    /// positive again at the end; none if there is none.
    ///
    /// A system that knows no bound returns none, as this default does: then an integrator sees
    /// changes at the ends of steps only.
    fn first_entry(
        &mut self,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Result<Option<Entry>, EvaluationError> {
        let _ = (step, indicators);
        Ok(None)
    }

    /// Called when a step has ended at (t, x). Returns true to request an event update. Changes
    /// nothing irrevocably: it may be called twice for a step, and time may go back.
    fn completed_step(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError>;

    /// Event update at (t, x), iterated to its end: updates the discrete state and may change
    /// `states`.
    fn update_event(
        &mut self,
        time: f64,
        states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError>;

    /// Jacobian df/dx, column by column: entry (i, j) at `jacobian[j * n + i]`.
    ///
    /// This default takes central differences with steps scaled by the nominals; a model that
    /// knows its derivatives overrides it.
    fn jacobian(
        &mut self,
        time: f64,
        states: &[f64],
        jacobian: &mut [f64],
    ) -> Result<(), EvaluationError> {
        /// Relative step: the cube root of the rounding unit balances truncation and rounding.
        const RELATIVE_STEP: f64 = 6e-6;
        let n = self.state_count();
        let mut nominals = vec![0.0; n];
        self.nominals(&mut nominals);
        let mut x = states.to_vec();
        let (mut forward, mut backward) = (vec![0.0; n], vec![0.0; n]);
        for j in 0..n {
            let h = RELATIVE_STEP * nominals[j].max(f64::EPSILON * states[j].abs() / RELATIVE_STEP);
            x[j] = states[j] + h;
            let up = x[j];
            self.derivatives(time, &x, &mut forward)?;
            x[j] = states[j] - h;
            let width = up - x[j];
            self.derivatives(time, &x, &mut backward)?;
            x[j] = states[j];
            for i in 0..n {
                jacobian[j * n + i] = (forward[i] - backward[i]) / width;
            }
        }
        Ok(())
    }
}
