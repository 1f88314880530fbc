//! Data of an integration that persist from one call to the next.

use crate::hybrid::EvaluationError;
use contact_geometry::math::all_finite;
use serde::{Deserialize, Serialize};

/// Error assumed before the first step: just at its tolerance.
const FIRST_PREVIOUS_ERROR: f64 = 1.0;
/// Smallest error that is remembered. A step without error, in free flight, says little about the next one,
/// and would forbid it to grow.
pub(super) const LEAST_REMEMBERED_ERROR: f64 = 1e-4;

/// Stiffness data of a system that select the formula, see [`super::automatic`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stiffness {
    pub(super) implicit: bool,
    /// Signs in favour of the other one.
    pub(super) signs: u32,
    /// Whether a far longer step has been tried since the first sign.
    pub(super) leapt: bool,
    /// Number of times that the implicit formula did not pay.
    pub(super) failures: u32,
    /// Length of explicit steps limited by stability, a running mean [s]; 0 before the first.
    pub(super) length: f64,
    /// Spectral radius of the first Jacobian since [1/s]; 0 before that.
    pub(super) rate: f64,
    /// Steps at rest since the Jacobian was evaluated.
    pub(super) rests: u32,
}

/// All data of an integration beside time, states and the discrete state of the system.
///
/// Plain data: to resume a run to the bit, restore it together with these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Step to try next [s]; `None`: choose it from the derivatives.
    pub(super) step: Option<f64>,
    /// Step proposed at the last event [s]; `None` if unknown.
    pub(super) step_before: Option<f64>,
    /// Error of the last accepted step in units of its tolerance [-].
    pub(super) previous_error: f64,
    pub(super) stiffness: Stiffness,
    /// Jacobian that steps at rest reuse, see [`super::rosenbrock`]; empty if there is none.
    pub(super) jacobian: Vec<f64>,
    pub(super) statistics: Statistics,
    pub(super) last_step: LastStep,
    pub(super) largest_overlap: f64,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            step: None,
            step_before: None,
            previous_error: FIRST_PREVIOUS_ERROR,
            stiffness: Stiffness::default(),
            jacobian: Vec::new(),
            statistics: Statistics::default(),
            last_step: LastStep::default(),
            largest_overlap: 0.0,
        }
    }
}

impl Memory {
    /// Clears the step size after a change of the equations: an event of the caller, a jump of an input, a
    /// change of the tolerance. Counters and formula continue: what was stiff before an event mostly is so
    /// after it.
    pub fn restart(&mut self) {
        self.step = None;
        self.step_before = None;
        self.jacobian.clear();
        self.previous_error = FIRST_PREVIOUS_ERROR;
    }

    /// [`Self::restart`] after an event: the first step after it is no longer than the one proposed before
    /// it.
    pub fn restart_after_event(&mut self) {
        let before = self.step.or(self.step_before);
        self.restart();
        self.step_before = before;
    }

    /// Memory after a step of this length [s] without error.
    pub fn after_step(length: f64) -> Self {
        let last_step = LastStep {
            length,
            implicit: false,
        };
        Memory {
            step: Some(length),
            previous_error: LEAST_REMEMBERED_ERROR,
            last_step,
            ..Memory::default()
        }
    }

    /// Merges the memory of another integration whose system becomes part of this one: the shorter step, and
    /// the implicit formula if one of them uses it.
    pub(crate) fn join(&mut self, other: &Memory) {
        let shorter = |one: Option<f64>, two: Option<f64>| Some(one?.min(two?));
        let bound = |memory: &Memory| memory.step.or(memory.step_before);
        let least = shorter(bound(self), bound(other))
            .or(bound(self))
            .or(bound(other));
        self.step = shorter(self.step, other.step);
        self.step_before = match self.step {
            Some(_) => None,
            None => least,
        };
        self.previous_error = self.previous_error.max(other.previous_error);
        if other.stiffness.implicit && !self.stiffness.implicit {
            self.stiffness = other.stiffness;
        }
        self.jacobian.clear();
    }

    pub(crate) fn forget_jacobian(&mut self) {
        self.jacobian.clear();
    }

    /// Moves the counters of another integration to this one, together with its last step.
    pub(crate) fn take_work(&mut self, other: &mut Memory) {
        self.statistics.add(&other.statistics);
        other.statistics = Statistics::default();
        self.last_step = other.last_step;
    }

    /// Returns true if [`super::automatic`] has selected the implicit formula for the next step.
    pub fn is_implicit(&self) -> bool {
        self.stiffness.implicit
    }

    /// Work done so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Last accepted step; of zero length before the first one.
    pub fn last_step(&self) -> LastStep {
        self.last_step
    }

    /// Records steps of a fixed length [s] taken by another formula, and the largest overlap of two shapes in
    /// them [m].
    pub fn note_fixed_steps(&mut self, count: u64, length: f64, largest_overlap: f64) {
        self.statistics.steps += count;
        self.statistics.derivative_calls += count + 1;
        self.last_step = LastStep {
            length,
            implicit: false,
        };
        self.largest_overlap = self.largest_overlap.max(largest_overlap);
    }

    /// Largest overlap of two shapes in steps of fixed length so far [m].
    pub fn largest_overlap(&self) -> f64 {
        self.largest_overlap
    }

    /// Rejects numbers that no integration writes, as foreign bytes may contain.
    pub(super) fn check(&self) -> Result<(), EvaluationError> {
        let is_sound = |step: Option<f64>| step.is_none_or(|h| h > 0.0 && h.is_finite());
        if is_sound(self.step)
            && is_sound(self.step_before)
            && (LEAST_REMEMBERED_ERROR..=1.0).contains(&self.previous_error)
            && all_finite(&self.jacobian)
            && (0.0..f64::INFINITY).contains(&self.last_step.length)
            && (0.0..f64::INFINITY).contains(&self.largest_overlap)
            && (0.0..f64::INFINITY).contains(&self.stiffness.length)
            && (0.0..f64::INFINITY).contains(&self.stiffness.rate)
        {
            return Ok(());
        }
        Err(EvaluationError::error(format!(
            "integrator memory is damaged: next step is {:?} s, must be positive and finite; \
             error of the last step is {}, must be in [{LEAST_REMEMBERED_ERROR:e}, 1]; length of \
             the last step is {} s, must be finite and not negative; the Jacobian must be finite",
            self.step, self.previous_error, self.last_step.length
        )))
    }
}

/// Accepted step, for information only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LastStep {
    /// Its length [s].
    pub length: f64,
    /// Whether it was one of the implicit formula.
    pub implicit: bool,
}

/// Work counters of an integration, for information only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Accepted steps, including those that ended at an event.
    pub steps: u64,
    /// Attempts rejected because of the error or a discarded evaluation.
    pub rejected_steps: u64,
    /// Calls of the state derivatives, including repeated steps of the event location.
    pub derivative_calls: u64,
    /// Derivatives along a direction: columns of the Jacobian, or several columns at once.
    pub direction_calls: u64,
    /// Calls of the event indicators.
    pub indicator_calls: u64,
    /// Events located, i.e. domain changes of an indicator.
    pub events: u64,
}

impl Statistics {
    fn add(&mut self, other: &Statistics) {
        self.steps += other.steps;
        self.rejected_steps += other.rejected_steps;
        self.derivative_calls += other.derivative_calls;
        self.direction_calls += other.direction_calls;
        self.indicator_calls += other.indicator_calls;
        self.events += other.events;
    }
}
