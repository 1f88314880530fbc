//! Settings of an integrator (relative tolerance, largest step, formula), and step-size control.
//!
//! Next step: PI control with the exponents of K. Gustafsson (ACM Trans. Math. Softw. 17 (1991) 533-554;
//! [Hairer, Wanner: Solving Ordinary Differential Equations II] IV.2): with err the error of this step in
//! units of its tolerance and err_before the error of the previous accepted one,
//!   h_next = h 0.9 err^(-0.7/p) err_before^(0.4/p), within [1/5 h, 10 h],
//! where p is the order of the method's error estimate. The second factor damps the alternation of too long
//! and too short steps when the stability of the formula, not its accuracy, limits the step, as in stiff
//! contact at rest: 0.1 % of the steps are rejected there, against 12 % with the weaker 0.17 and 0.04 of
//! [Hairer, Nørsett, Wanner I]. It settles at err = 0.17, so that a smooth solution costs 20 % more steps
//! with 2.6 times less error. The figures hold for Dormand and Prince, p = 5.

pub use crate::scene::description::Solver;

use crate::hybrid::{EvaluationError, HybridSystem, Severity};
use crate::integrator::evaluator::{Evaluator, Method};
use crate::integrator::memory::LEAST_REMEMBERED_ERROR;
use contact_geometry::math::real::powf;

/// Smallest relative tolerance: some tens of rounding units, below which the error estimate is rounding
/// noise.
const SMALLEST_TOLERANCE: f64 = 1e-14;
/// Largest relative tolerance: the estimate is asymptotic and meaningless for coarser steps.
const LARGEST_TOLERANCE: f64 = 0.1;

/// Accuracy and largest step of an integration.
///
/// The error per step of state i is kept below w_i = rtol (nominal_i + min(max(|x_i(t0)|, |x_i(t1)|), reach
/// nominal_i)), for every state: the maximum norm. A mean over the states would let the error of one contact
/// grow with the number of bodies at rest. The reach is infinite by default; w_i is never below 1e-14 |x_i|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    relative_tolerance: f64,
    max_step: Option<f64>,
    reach: f64,
    budget: u64,
    solver: Solver,
}

/// Default number of attempts at a step on the way to one end: a second of work for one ball and more for
/// more, far beyond what a caller waits for between two communication points.
pub const DEFAULT_BUDGET: u64 = 1_000_000;

/// Magnitude of a state that its tolerance is relative to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Magnitude {
    reach: f64,
    /// Minimum as a fraction of |x|: below it the error estimate is rounding noise.
    least: f64,
}

impl Magnitude {
    /// nominal + min(|x|, reach nominal), at least as required by rounding of x.
    pub(crate) fn of(self, nominal: f64, x: f64) -> f64 {
        (nominal + x.min(self.reach * nominal)).max(self.least * x)
    }
}

/// Minimum number of steps for a length of time [s], none longer than `longest` [s].
pub fn least_steps(length: f64, longest: f64) -> f64 {
    (length / longest - PART_OF_STEP).ceil()
}

/// Fraction of a step that is rounding.
const PART_OF_STEP: f64 = 1e-6;

impl Settings {
    /// Settings with a relative tolerance in [1e-14, 0.1], without a largest step.
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

    /// Sets the maximum number of attempts at a step on the way to one end.
    pub fn with_budget(self, budget: u64) -> Self {
        Settings { budget, ..self }
    }

    /// Maximum number of attempts at a step on the way to one end.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// Sets the formula.
    pub fn with_solver(self, solver: Solver) -> Self {
        Settings { solver, ..self }
    }

    /// Integration formula.
    pub fn solver(&self) -> Solver {
        self.solver
    }

    /// Limits the step length to `max_step` [s], > 0.
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

    /// Limits the magnitude in tolerances to `reach` nominals of a state, > 0. For a system whose nominals
    /// are the relevant scale: penetration for a position, wherever the body is.
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

    /// Largest step [s]; `None`: only the tolerance limits the step.
    pub fn max_step(&self) -> Option<f64> {
        self.max_step
    }

    pub(super) fn step_limit(&self) -> f64 {
        self.max_step.unwrap_or(f64::INFINITY)
    }
}

/// Safety factor of the next step.
const SAFETY: f64 = 0.9;
/// Exponent of the error of this step, times p.
const SHARE: f64 = 0.7;
/// Exponent of the error of the previous step, times p.
const SHARE_BEFORE: f64 = 0.4;
/// Strongest reduction of a step by its error.
const LEAST_FACTOR: f64 = 0.2;
const LARGEST_FACTOR: f64 = 10.0;
/// Reduction of a step whose evaluation was discarded, where the required amount is unknown.
pub(super) const DISCARD_FACTOR: f64 = 0.25;
/// Factor by which a step may be stretched to meet an end: the error grows by 1.1^p, which the safety factor,
/// 0.9^-p, has left room for.
const STRETCH: f64 = 1.1;
/// A step cut to less than this fraction of the proposed one provides no information about the proposed one:
/// its error estimate may be pure rounding.
const TELLING_PART: f64 = 0.1;
/// Minimum step in roundings of the time: below it the stages would not differ in time.
const LEAST_STEP_ROUNDINGS: f64 = 16.0;
/// Minimum step near t = 0 [s], where roundings of the time become arbitrarily small: sound takes 1e5 times
/// as long through a grain of one micrometre, and at t = 1 s roundings give a similar limit.
const LEAST_STEP: f64 = 1e-15;
/// Largest movement of a state in the first trial, relative to its nominal.
const FIRST_PART: f64 = 0.01;
/// First trial step of a system nearly at rest, relative to the time to go. A body at rest that has just been
/// touched feels nothing yet: a longer trial may skip the entire impact, and so may all stages of a long step
/// except the second, which does not enter the result.
const RESTING_PART: f64 = 1e-6;
/// A movement slower than this counts as rest in the first trial, and bounds the time to go there [s].
const LONGEST_REST: f64 = 1.0;
/// Maximum number of tenfold reductions of the first trial when the system discards it.
const FIRST_TRIALS: usize = 20;

/// Estimated errors of an attempt at a step, for comparison with the tolerances w_i of [`Settings`].
pub(super) struct Errors<'a> {
    /// Estimated error of each state divided by the length of the step [1/s].
    pub rates: &'a [f64],
    pub x0: &'a [f64],
    pub x1: &'a [f64],
    pub nominals: &'a [f64],
    pub settings: &'a Settings,
}

impl Errors<'_> {
    fn relative_rates(&self) -> impl Iterator<Item = f64> {
        let magnitude = self.settings.magnitude();
        let ends = self.x0.iter().zip(self.x1);
        let states = self.rates.iter().zip(self.nominals).zip(ends);
        states.map(move |((rate, nominal), (x0, x1))| {
            rate.abs() / magnitude.of(*nominal, x0.abs().max(x1.abs()))
        })
    }

    pub(crate) fn largest(&self, h: f64) -> f64 {
        let largest = self.relative_rates().fold(0.0, f64::max);
        largest * h / self.settings.relative_tolerance()
    }

    /// State with the largest error in units of its tolerance, counted from 0.
    pub(crate) fn worst_state(&self) -> usize {
        let (mut worst, mut largest) = (0, 0.0);
        for (state, rate) in self.relative_rates().enumerate() {
            if rate > largest {
                (worst, largest) = (state, rate);
            }
        }
        worst
    }
}

pub(super) fn least_step(time: f64) -> f64 {
    (LEAST_STEP_ROUNDINGS * f64::EPSILON * time.abs()).max(LEAST_STEP)
}

/// End of the step to try from `time` with the proposed length `step`, limited to `limit`; exactly `end` when
/// it is near enough. Before an end the last two steps share the remainder, so that no sliver is left.
pub(super) fn step_end(time: f64, end: f64, step: f64, limit: f64) -> f64 {
    let remaining = end - time;
    if remaining <= (STRETCH * step).min(limit) {
        end
    } else if remaining < 2.0 * step {
        time + 0.5 * remaining
    } else {
        time + step
    }
}

/// Step after an accepted one of length `h`, `proposed` before it was cut or stretched to meet an end; after
/// a rejection (`after_rejection`) it may not grow.
pub(super) fn next_step<M: Method>(
    h: f64,
    proposed: f64,
    error: f64,
    previous_error: &mut f64,
    after_rejection: bool,
) -> f64 {
    let largest = if after_rejection { 1.0 } else { LARGEST_FACTOR };
    let (exponent, exponent_before) = (SHARE / M::ERROR_ORDER, SHARE_BEFORE / M::ERROR_ORDER);
    let factor = SAFETY * powf(error, -exponent) * powf(*previous_error, exponent_before);
    let next = h * factor.clamp(LEAST_FACTOR, largest);
    if h >= proposed {
        *previous_error = error.max(LEAST_REMEMBERED_ERROR);
        return next;
    }
    // The step was cut: a longer one is proof that the proposed one was too short; otherwise the proposed one
    // is kept unless this error, scaled up, speaks against it.
    if next >= proposed || h < TELLING_PART * proposed {
        return next.max(proposed);
    }
    proposed.min(h * factor).max(next)
}

pub(super) fn reduced_step<M: Method>(h: f64, error: f64) -> f64 {
    h * (SAFETY * powf(error, -1.0 / M::ERROR_ORDER)).clamp(LEAST_FACTOR, 1.0)
}

pub(super) struct StepStart<'a> {
    pub(crate) time: f64,
    pub(crate) states: &'a [f64],
    pub rate: &'a [f64],
}

/// First step after a start or an event [s], limited to `span`; one derivative call.
///
/// [Hairer, Nørsett, Wanner I, II.4]: an Euler step of length h0, in which no state moves by more than 1 % of
/// its nominal, gives the second derivative; then
///   h = min(100 h0, (0.01 / max(|x'|, |x''|))^(1/p)), norms in units of the tolerance.
/// Here h0 is measured by the nominals alone, not by the states: the nominal of a position is of the size of
/// a penetration, while its value may be metres. `rate` is x', the scratch arrays are overwritten.
pub(super) fn first_step<M: Method, S: HybridSystem + ?Sized>(
    evaluator: &mut Evaluator<'_, S>,
    start: StepStart<'_>,
    [trial, rate_after]: [&mut [f64]; 2],
    nominals: &[f64],
    settings: &Settings,
    span: f64,
) -> Result<f64, EvaluationError> {
    let StepStart { time, states, rate } = start;
    let mut speed = 0.0_f64;
    for (f, nominal) in rate.iter().zip(nominals) {
        speed = speed.max(f.abs() / nominal);
    }
    let mut h0 = if speed * LONGEST_REST > FIRST_PART {
        (FIRST_PART / speed).min(span)
    } else {
        RESTING_PART * span.min(LONGEST_REST)
    };
    let mut trials = 0;
    loop {
        for ((y, x), f) in trial.iter_mut().zip(states).zip(rate) {
            *y = x + h0 * f;
        }
        match evaluator.derivatives(time + h0, trial, rate_after) {
            Ok(()) => break,
            Err(error) if error.severity == Severity::Discard && trials < FIRST_TRIALS => {
                trials += 1;
                h0 *= 0.1;
            }
            Err(error) => return Err(error),
        }
    }
    let (mut first, mut second) = (0.0_f64, 0.0_f64);
    for i in 0..states.len() {
        let magnitude = settings.magnitude().of(nominals[i], states[i].abs());
        let tolerance = settings.relative_tolerance() * magnitude;
        first = first.max(rate[i].abs() / tolerance);
        second = second.max((rate_after[i] - rate[i]).abs() / tolerance);
    }
    let largest = first.max(second / h0);
    Ok((100.0 * h0)
        .min(powf(0.01 / largest, 1.0 / M::ERROR_ORDER))
        .min(span))
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
