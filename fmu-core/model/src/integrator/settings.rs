//! What the user of an integrator chooses: relative tolerance, largest step and formula.

use crate::hybrid::EvaluationError;
pub use crate::scene::description::Solver;

/// Smallest relative tolerance: some tens of rounding units, below which the error estimate is
/// rounding noise.
const SMALLEST_TOLERANCE: f64 = 1e-14;
/// Largest relative tolerance: the estimate is asymptotic, coarser steps make it meaningless.
const LARGEST_TOLERANCE: f64 = 0.1;

/// Accuracy and largest step of an integration.
///
/// The error per step of state i is kept below
/// w_i = rtol (nominal_i + min(max(|x_i(t0)|, |x_i(t1)|), reach nominal_i)), for every state: the
/// maximum norm. A mean over the states would let the error of one contact grow with the number of
/// bodies at rest. The reach is infinite unless set; w_i is never below 1e-14 |x_i|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    relative_tolerance: f64,
    max_step: Option<f64>,
    reach: f64,
    budget: u64,
    solver: Solver,
}

/// Attempts at a step on the way to one end, unless set otherwise: a second of work for one ball
/// and more for more, far beyond what a caller waits for between two communication points.
pub const DEFAULT_BUDGET: u64 = 1_000_000;

/// Magnitude of a state that its tolerance is relative to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Magnitude {
    reach: f64,
    /// Part of |x| that counts in any case: below it the error estimate is rounding noise.
    least: f64,
}

impl Magnitude {
    /// nominal + min(|x|, reach nominal), at least what rounding of x asks for.
    pub fn of(self, nominal: f64, x: f64) -> f64 {
        (nominal + x.min(self.reach * nominal)).max(self.least * x)
    }
}

/// Steps that a length of time [s] takes at least, none longer than `longest` [s].
pub fn least_steps(length: f64, longest: f64) -> f64 {
    (length / longest - PART_OF_STEP).ceil()
}

/// What is left over by rounding is no step of its own, up to this part of one.
const PART_OF_STEP: f64 = 1e-6;

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
            reach: f64::INFINITY,
            budget: DEFAULT_BUDGET,
            solver: Solver::default(),
        })
    }

    /// The same settings with at most so many attempts at a step on the way to one end.
    pub fn with_budget(self, budget: u64) -> Self {
        Settings { budget, ..self }
    }

    /// Attempts at a step on the way to one end at most.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// The same settings with this formula.
    pub fn with_solver(self, solver: Solver) -> Self {
        Settings { solver, ..self }
    }

    /// Formula.
    pub fn solver(&self) -> Solver {
        self.solver
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

    /// The same settings with tolerances relative to at most `reach` nominals of a state, > 0. For
    /// a system whose nominals are the scale that matters: a position by penetration, wherever in
    /// the world the body is.
    ///
    /// # Errors
    /// A reach that is not a positive number.
    pub fn with_reach(self, reach: f64) -> Result<Self, EvaluationError> {
        if reach.is_nan() || reach <= 0.0 {
            return Err(EvaluationError::error(format!(
                "reach is {reach} nominals; it must be positive"
            )));
        }
        Ok(Settings { reach, ..self })
    }

    pub(super) fn magnitude(&self) -> Magnitude {
        Magnitude {
            reach: self.reach,
            least: SMALLEST_TOLERANCE / self.relative_tolerance,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerance_is_relative_to_the_state_only_up_to_the_reach() {
        let plain = Settings::new(1e-6).unwrap();
        assert_eq!(plain.magnitude().of(1e-3, 5.0), 1e-3 + 5.0);
        let near = plain.with_reach(100.0).unwrap().magnitude();
        assert_eq!(near.of(1e-3, 5.0), 1e-3 + 0.1);
        assert_eq!(near.of(1e-3, 0.05), 1e-3 + 0.05);
        // Far out the rounding of the state is the limit: 1e-14 of it.
        let far = near.of(1e-3, 1e12) * 1e-6;
        assert!((far / 1e-2 - 1.0).abs() < 1e-12);
        assert!(plain.with_reach(0.0).is_err() && plain.with_reach(f64::NAN).is_err());
    }
}
