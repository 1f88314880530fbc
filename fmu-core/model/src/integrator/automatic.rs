//! Selection of the explicit or the implicit formula, whichever costs less.
//!
//! Accuracy limits an explicit step, and so does stability: 1/rho for oscillations and 3.3/rho for creep, rho
//! the spectral radius of df/dx. A step of the implicit formula costs some times as much. So:
//! - the explicit formula is left when stability limited it in some steps: h rho was near the limit
//! - the implicit one is left when explicit steps as long as its own, longer as rho has decreased since,
//!   would have cost less in some steps
//!
//! Before that, one step many times as long is tried. The error of a stiff force that is pure rounding is
//! largest at gamma h rho = 1 and falls like 1/h beyond: a body that rests 0.5 m above the origin with a
//! nominal of 1e-8 m is held there by rounding while its step has nothing to resolve.
//!
//! "Some" grows with each attempt that did not pay, so that a borderline system does not alternate: an
//! attempt costs about a third of the explicit steps before it. The data of both tests are in [`Stiffness`],
//! part of the memory of an integration: a run resumed from it is equal to the bit. An event does not affect
//! it. If the Jacobian cannot be evaluated the explicit formula continues.

use super::dormand_prince::DormandPrince;
use super::evaluator::{Assessed, Evaluator, Method, Units};
use super::memory::Stiffness;
use super::rosenbrock::Rosenbrock;
use super::settings::Solver;
use crate::hybrid::{EvaluationError, HybridSystem};

/// h rho from which on a step counts as limited by stability: the limit on the imaginary axis, where ringing
/// steel nearly is.
const NEAR: f64 = 1.0;
/// Weight of a new step in the mean length of these [1].
const NEW: f64 = 0.125;
/// Evaluations of an explicit step.
const EXPLICIT_COST: f64 = 6.0;
/// Evaluations of an implicit step, without those of the Jacobian.
const IMPLICIT_COST: f64 = 8.0;
/// Multiplications of the linear equations that cost as much as the share of one state in an evaluation.
const MULTIPLICATIONS: f64 = 20.0;
/// Cost of derivatives along a direction in evaluations; several are found at once.
const DIRECTION_COST: f64 = 1.0;
/// Steps limited by stability before the implicit formula is tried.
const PATIENCE: u32 = 15;
/// Maximum number of doublings of that.
const MOST_DOUBLINGS: u32 = 8;
/// Signs required before the implicit formula is left: a growing step gives one.
const GIVE_UP: u32 = 12;
/// Allowed cost of an attempt with error-limited steps, relative to the steps limited by stability before it;
/// three times that while steps grow. Ringing at the end of those has to decay first, at its own pace.
const ALLOWANCE: f64 = 0.3;
/// Length of the trial step before the implicit formula is left, in lengths of the previous one. Where the
/// user has chosen that formula, a step whose h rho is beyond this pays.
const LEAP: f64 = 30.0;
/// Largest movement of a state in the previous step, in units of its tolerance, for such a trial: it must not
/// step over an impact.
const CALM: f64 = 100.0;
/// Signs of an error-limited step.
const CLEAR_SIGN: u32 = 3;
/// Error in units of the tolerance from which on a step is error-limited.
const LIMITS: f64 = 0.02;

/// Maximum number of steps at rest with one Jacobian: together they move no state by more than its tolerance,
/// which bounds the effect of an outdated one.
const MOST_RESTS: u32 = 1000;

/// Both formulas; the implicit one allocates at its first use.
pub struct Automatic {
    solver: Solver,
    stiffness: Stiffness,
    /// Whether the implicit one made the last start.
    implicit_start: bool,
    explicit: DormandPrince,
    implicit: Option<Box<Rosenbrock>>,
    state_count: usize,
}

/// Calls the same method of the formula in use.
macro_rules! in_use {
    ($self:ident, $formula:ident => $call:expr) => {
        match &$self.implicit {
            Some($formula) if $self.implicit_start => $call,
            _ => {
                let $formula = &$self.explicit;
                $call
            }
        }
    };
    (mut $self:ident, $formula:ident => $call:expr) => {
        match &mut $self.implicit {
            Some($formula) if $self.implicit_start => $call,
            _ => {
                let $formula = &mut $self.explicit;
                $call
            }
        }
    };
}

impl Automatic {
    fn wants_implicit(&self) -> bool {
        match self.solver {
            Solver::Auto => self.stiffness.implicit,
            // Steps of a fixed length are not taken here.
            Solver::Explicit | Solver::Dem => false,
            Solver::Implicit => true,
        }
    }

    fn implicit(&mut self) -> &mut Rosenbrock {
        let new = || Box::new(Rosenbrock::new(self.state_count));
        self.implicit.get_or_insert_with(new)
    }

    /// Starts the explicit formula because the other one cannot continue: a law may have no derivative here,
    /// or none at all, such as a user-defined one.
    fn start_explicit<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        self.stiffness.give_up();
        self.implicit_start = false;
        self.explicit.start(evaluator, t0, x0)
    }

    fn assess_explicit(&mut self, h: f64, units: Units<'_>) {
        let known = &mut self.stiffness;
        match h * self.explicit.spectral_radius(units) > NEAR {
            true => {
                known.signs = known.signs.saturating_add(1);
                let before = if known.length > 0.0 { known.length } else { h };
                known.length = before + (h - before) * NEW;
            }
            false => known.signs = known.signs.saturating_sub(1),
        }
        if known.signs >= known.patience() {
            (known.implicit, known.signs, known.rate) = (true, 0, 0.0);
        }
    }

    fn assess_implicit(&mut self, step: &Assessed, units: Units<'_>) -> bool {
        let nominals = units.nominals;
        let Some(implicit) = &mut self.implicit else {
            return false;
        };
        implicit.assess(step, units);
        let rests = self.stiffness.rests + 1;
        self.stiffness.rests = match implicit.is_at_rest() {
            true if rests < MOST_RESTS => rests,
            true => {
                implicit.forget_jacobian();
                0
            }
            false => 0,
        };
        let jacobian = implicit.jacobian();
        let multiplications = jacobian.multiplications() as f64 / nominals.len() as f64;
        let cost = IMPLICIT_COST
            + DIRECTION_COST * jacobian.directions() as f64
            + multiplications / MULTIPLICATIONS;
        let known = &mut self.stiffness;
        let rate = jacobian.spectral_radius(nominals);
        if known.rate == 0.0 && rate.is_finite() {
            known.rate = rate;
        }
        let pays = match self.solver {
            Solver::Auto => step.h * rate > known.length * known.rate * cost / EXPLICIT_COST,
            _ => step.h * rate > LEAP,
        };
        if pays {
            (known.signs, known.leapt) = (0, false);
            known.failures = known.failures.saturating_sub(1);
            return false;
        }
        let sign = if step.error > LIMITS { CLEAR_SIGN } else { 1 };
        known.signs = known.signs.saturating_add(sign);
        let paid_before = f64::from(known.patience()) * EXPLICIT_COST;
        let allowed = ALLOWANCE * paid_before / cost * f64::from(CLEAR_SIGN);
        if known.signs < GIVE_UP.max(allowed as u32) {
            return false;
        }
        let leaps = !known.leapt && step.movement <= CALM;
        match leaps {
            true => known.leapt = true,
            false => known.give_up(),
        }
        leaps
    }
}

impl Stiffness {
    fn patience(&self) -> u32 {
        PATIENCE << self.failures.min(MOST_DOUBLINGS)
    }

    /// Returns to the explicit formula because the implicit one did not pay.
    fn give_up(&mut self) {
        (self.implicit, self.signs, self.leapt) = (false, 0, false);
        self.failures = self.failures.saturating_add(1).min(MOST_DOUBLINGS);
    }
}

impl Method for Automatic {
    const ERROR_ORDER: f64 = 5.0;
    const DENSE_ROWS: usize = 5;

    fn new(state_count: usize) -> Self {
        Automatic {
            solver: Solver::default(),
            stiffness: Stiffness::default(),
            implicit_start: false,
            explicit: DormandPrince::new(state_count),
            implicit: None,
            state_count,
        }
    }

    fn resume(&mut self, stiffness: Stiffness, jacobian: &[f64], solver: Solver) {
        (self.stiffness, self.solver) = (stiffness, solver);
        if self.wants_implicit() {
            self.implicit().resume(stiffness, jacobian, solver);
        }
    }

    fn kept_jacobian(&self) -> &[f64] {
        in_use!(self, formula => formula.kept_jacobian())
    }

    fn stiffness(&self) -> Stiffness {
        self.stiffness
    }

    fn onset_ratio(&self) -> f64 {
        in_use!(self, formula => formula.onset_ratio())
    }

    fn is_implicit(&self) -> bool {
        self.implicit_start
    }

    fn assess(&mut self, step: &Assessed, units: Units<'_>) -> f64 {
        if self.implicit_start {
            return match self.assess_implicit(step, units) {
                true => LEAP,
                false => 0.0,
            };
        }
        if self.solver == Solver::Auto {
            self.assess_explicit(step.h, units);
        }
        0.0
    }

    fn start<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        self.implicit_start = self.wants_implicit();
        if !self.implicit_start {
            return self.explicit.start(evaluator, t0, x0);
        }
        let started = self.implicit().start(evaluator, t0, x0);
        if started.is_err() && self.solver == Solver::Auto {
            return self.start_explicit(evaluator, t0, x0);
        }
        started
    }

    fn go_on<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        match self.implicit_start || self.wants_implicit() {
            true => self.start(evaluator, t0, x0),
            false => self.explicit.go_on(evaluator, t0, x0),
        }
    }

    fn start_derivatives(&self) -> &[f64] {
        in_use!(self, formula => formula.start_derivatives())
    }

    fn rest_step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<bool, EvaluationError> {
        in_use!(mut self, formula => formula.rest_step(evaluator, t0, t1, x0))
    }

    fn step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<(), EvaluationError> {
        if self.implicit_start {
            let prepared = self.implicit().linearize(evaluator, t0, x0);
            match self.solver {
                Solver::Auto if prepared.is_err() => self.start_explicit(evaluator, t0, x0)?,
                _ => prepared?,
            }
        }
        in_use!(mut self, formula => formula.step(evaluator, t0, t1, x0))
    }

    fn end(&self) -> &[f64] {
        in_use!(self, formula => formula.end())
    }

    fn finish<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t1: f64,
    ) -> Result<(), EvaluationError> {
        in_use!(mut self, formula => formula.finish(evaluator, t1))
    }

    fn error_rates(&self, rates: &mut [f64]) {
        in_use!(self, formula => formula.error_rates(rates));
    }

    fn dense(&self, h: f64, x0: &[f64], rows: &mut [f64]) {
        in_use!(self, formula => formula.dense(h, x0, rows));
    }

    fn exchange(&mut self, other: &mut Self) {
        match &mut self.implicit {
            Some(own) if self.implicit_start => own.exchange(other.implicit()),
            _ => self.explicit.exchange(&mut other.explicit),
        }
    }
}
