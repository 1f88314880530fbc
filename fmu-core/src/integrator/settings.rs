//! What the user of an integrator chooses: relative tolerance and largest step.

use crate::hybrid::EvaluationError;

/// Smallest relative tolerance: some tens of rounding units, below which the error estimate is
/// rounding noise.
const SMALLEST_TOLERANCE: f64 = 1e-14;
/// Largest relative tolerance: the estimate is asymptotic, coarser steps make it meaningless.
const LARGEST_TOLERANCE: f64 = 0.1;

/// Accuracy and largest step of an integration.
///
/// The error per step of state i is kept below
/// w_i = rtol (nominal_i + max(|x_i(t0)|, |x_i(t1)|)), for every state: the maximum norm. A mean
/// over the states would let the error of one contact grow with the number of bodies at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    relative_tolerance: f64,
    max_step: Option<f64>,
}

impl Settings {
    /// Settings with a relative tolerance in [1e-14, 0.1] and no largest step.
    ///
    /// # Errors
    /// A tolerance outside this range.
    pub fn new(relative_tolerance: f64) -> Result<Self, EvaluationError> {
        if !(SMALLEST_TOLERANCE..=LARGEST_TOLERANCE).contains(&relative_tolerance) {
            return Err(EvaluationError::error(format!(
                "relative tolerance is {relative_tolerance:e}; it must be in \
                 [{SMALLEST_TOLERANCE:e}, {LARGEST_TOLERANCE}]"
            )));
        }
        Ok(Settings {
            relative_tolerance,
            max_step: None,
        })
    }

    /// The same settings with no step longer than `max_step` [s], > 0.
    ///
    /// # Errors
    /// A largest step that is not a positive finite number.
    pub fn with_max_step(self, max_step: f64) -> Result<Self, EvaluationError> {
        if !(max_step > 0.0 && max_step.is_finite()) {
            return Err(EvaluationError::error(format!(
                "largest step is {max_step} s; it must be positive and finite"
            )));
        }
        Ok(Settings {
            max_step: Some(max_step),
            ..self
        })
    }

    /// Relative tolerance of each state [-].
    pub fn relative_tolerance(&self) -> f64 {
        self.relative_tolerance
    }

    /// Largest step [s]; none: only the tolerance limits the step.
    pub fn max_step(&self) -> Option<f64> {
        self.max_step
    }

    /// Largest step as a number [s].
    pub(super) fn step_limit(&self) -> f64 {
        self.max_step.unwrap_or(f64::INFINITY)
    }
}
