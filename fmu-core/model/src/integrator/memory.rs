//! What an integrator keeps from one call to the next.

use crate::hybrid::EvaluationError;
use contact_geometry::math::all_finite;
use serde::{Deserialize, Serialize};

/// Error taken for that of the step before the first one: as if it had just met its tolerance.
const FIRST_PREVIOUS_ERROR: f64 = 1.0;
/// Smallest error that is remembered. A step without error, in free flight, says little of the
/// next one; remembered as it is, it would forbid the next step to grow.
pub(super) const LEAST_REMEMBERED_ERROR: f64 = 1e-4;

/// What an integration has learnt of the stiffness of the system: which formula it uses, see
/// [`super::automatic`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stiffness {
    /// The implicit formula is in use.
    pub(super) implicit: bool,
    /// Signs that the other one would be better.
    pub(super) signs: u32,
    /// A far longer step has been tried since the first of them.
    pub(super) leapt: bool,
    /// How often the implicit one did not pay.
    pub(super) failures: u32,
    /// Length of explicit steps limited by stability, a running mean [s]; 0 before the first.
    pub(super) length: f64,
    /// Spectral radius of the first Jacobian since [1/s]; 0 before that.
    pub(super) rate: f64,
    /// Steps at rest since the Jacobian was evaluated.
    pub(super) rests: u32,
}

/// Everything an integration remembers beside time, states and the discrete state of the system.
///
/// Plain data: to resume a run to the bit, restore it together with these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Step to try next [s]; none: choose it from the derivatives.
    pub(super) step: Option<f64>,
    /// Step that was proposed when the last event came [s]; none if nothing is known.
    pub(super) step_before: Option<f64>,
    /// Error of the last accepted step in units of its tolerance [-].
    pub(super) previous_error: f64,
    /// Which formula is in use, and why.
    pub(super) stiffness: Stiffness,
    /// Jacobian that steps at rest go on with, see [`super::rosenbrock`]; empty if there is none.
    pub(super) jacobian: Vec<f64>,
    /// Work done so far.
    pub(super) statistics: Statistics,
    /// The last accepted step.
    pub(super) last_step: LastStep,
    /// Largest overlap of two shapes in steps of a fixed length so far [m].
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
    /// Forgets the step size, because the right side of the equation is another one from here on:
    /// after an event of the caller's, a jump of an input, a change of the tolerance. The counters
    /// go on, and so does the formula: what was stiff before an event mostly is so after it.
    pub fn restart(&mut self) {
        self.step = None;
        self.step_before = None;
        self.jacobian.clear();
        self.previous_error = FIRST_PREVIOUS_ERROR;
    }

    /// The same after an event: the first step after it is no longer than the one proposed before it.
    pub fn restart_after_event(&mut self) {
        let before = self.step.or(self.step_before);
        self.restart();
        self.step_before = before;
    }

    /// Of a system whose last step was one of this length [s] without error.
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

    /// Takes over what another integration remembers whose system becomes part of this one: the
    /// shorter step, and the implicit formula if one of them uses it.
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

    /// Forgets the Jacobian: it is that of another system.
    pub(crate) fn forget_jacobian(&mut self) {
        self.jacobian.clear();
    }

    /// Moves the counters of another integration to those of this one, which gets its last step.
    pub(crate) fn take_work(&mut self, other: &mut Memory) {
        self.statistics.add(&other.statistics);
        other.statistics = Statistics::default();
        self.last_step = other.last_step;
    }

    /// Returns true if the next step is tried with the implicit formula by the choice of
    /// [`super::automatic`].
    pub fn is_implicit(&self) -> bool {
        self.stiffness.implicit
    }

    /// Work done so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The last accepted step; before the first one, one of no length.
    pub fn last_step(&self) -> LastStep {
        self.last_step
    }

    /// Notes steps of a fixed length [s] that another formula has taken, and the largest overlap
    /// of two shapes in them [m].
    pub fn note_fixed_steps(&mut self, count: u64, length: f64, largest_overlap: f64) {
        self.statistics.steps += count;
        self.statistics.derivative_calls += count + 1;
        self.last_step = LastStep {
            length,
            implicit: false,
        };
        self.largest_overlap = self.largest_overlap.max(largest_overlap);
    }

    /// Largest overlap of two shapes in steps of a fixed length so far [m].
    pub fn largest_overlap(&self) -> f64 {
        self.largest_overlap
    }

    /// Refuses numbers that no integration writes, as foreign bytes may hold them.
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

/// An accepted step, as users see it; it never influences an integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LastStep {
    /// Its length [s].
    pub length: f64,
    /// It was one of the implicit formula.
    pub implicit: bool,
}

/// Counters of the work of an integration; they never influence it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Accepted steps, those that ended at an event included.
    pub steps: u64,
    /// Attempts given up because the error was too large or an evaluation was discarded.
    pub rejected_steps: u64,
    /// Calls of the state derivatives, repeated steps of the event location included.
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
