//! The loop over steps: from (t, x) to an end time or to the first event before it, at once or one accepted
//! step at a time.

use super::automatic::Automatic;
use super::evaluator::{Assessed, Evaluator, Method, Units, first_not_finite};
use super::locate::{Ending, Locator, StepSpan};
use super::memory::{LastStep, Memory};
use super::settings;
use super::settings::{Errors, Settings};
use crate::hybrid::{EvaluationError, HybridSystem, Passing, Role, Severity};
use contact_geometry::math::Exact;
use contact_geometry::math::dense::DenseStep;
use contact_geometry::math::real::powf;

/// Largest movement of a state in a step at rest, in units of its tolerance.
const REST: f64 = 1e-3;
/// Attempts between two checks of the pace.
const PACE_ATTEMPTS: u64 = 8192;
/// A pace is hopeless if the end is this many budgets away ...
const HOPELESS: f64 = 2.0;
/// ... in this many consecutive checks: by then an impact is over, and a stiff transient has decayed.
const HOPELESS_CHECKS: u32 = 4;
/// Maximum number of repetitions of a step with additional domain changes passed over: one change causing
/// another within a step that resolves both is rare.
const MOST_REPEATS: u32 = 4;
/// Maximum number of consecutive reductions of a step whose evaluation was discarded: 0.25^30 = 1e-18 of it.
const MOST_DISCARDS: u32 = 30;

/// Reason why an advance ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegEnd {
    /// The requested end time, to the bit.
    End,
    /// An indicator has changed its domain. Time and states are just past the change: a few roundings of the
    /// time earlier none had changed.
    Event,
    /// The system requested an event update from its `completed_step`.
    StepEvent,
}

/// Called after each accepted step, before `completed_step` of the system; may evaluate the system.
pub type Observer<'a, S> = &'a mut dyn FnMut(&mut S, &DenseStep<'_>) -> Result<(), EvaluationError>;

/// Progress of consecutive legs that share one budget of attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Number of attempts so far.
    pub attempts: u64,
    /// Attempts and time [s] at the last check; `None` before the first leg.
    from: Option<(u64, f64)>,
    /// Consecutive checks that found it hopeless.
    hopeless: u32,
}

impl Pace {
    /// Pace after this many attempts of earlier legs.
    pub fn after(attempts: u64) -> Pace {
        Pace {
            attempts,
            ..Pace::default()
        }
    }
}

/// Integration in progress: created by [`Integrator::start`], advanced by [`Integrator::accept_step`].
/// Between two steps the system may be evaluated but not changed.
#[derive(Clone, Debug)]
pub struct Leg {
    end: f64,
    step: f64,
    pace: Pace,
    /// Whether a step of this leg has been accepted, from whose end the method continues.
    stepped: bool,
    /// Whether the leg starts where the equations have changed, as by the start of a contact.
    is_onset: bool,
}

impl Leg {
    /// Pace so far, including earlier legs.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Continues the pace of earlier legs.
    pub fn go_on(&mut self, pace: Pace) {
        self.pace = pace;
    }

    /// Sets the end [s], not before the current time.
    pub fn set_end(&mut self, end: f64) {
        self.end = end;
    }
}

/// Integrator of one system with step-size control and event location; its state does not outlive a leg.
///
/// ```
/// use contact_model::hybrid::{EvaluationError, EventOutcome, HybridSystem};
/// use contact_model::integrator::{Integrator, Memory, Settings, LegEnd};
///
/// /// x'' = -x
/// struct Oscillator;
/// impl HybridSystem for Oscillator {
///     fn state_count(&self) -> usize { 2 }
///     fn indicator_count(&self) -> usize { 0 }
///     fn nominals(&self, nominals: &mut [f64]) { nominals.fill(1.0); }
///     fn derivatives(&mut self, _: f64, x: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
///         (f[0], f[1]) = (x[1], -x[0]);
///         Ok(())
///     }
///     fn indicators(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), EvaluationError> {
///         Ok(())
///     }
///     fn completed_step(&mut self, _: f64, _: &[f64]) -> Result<bool, EvaluationError> {
///         Ok(false)
///     }
///     fn update_event(&mut self, _: f64, _: &mut [f64]) -> Result<EventOutcome, EvaluationError> {
///         Ok(EventOutcome::default())
///     }
/// }
///
/// let mut integrator = Integrator::new(2, 0, Settings::new(1e-9)?);
/// let (mut memory, mut time, mut states) = (Memory::default(), 0.0, [1.0, 0.0]);
/// let stop = integrator.advance(&mut Oscillator, &mut memory, &mut time, &mut states, 1.0, None)?;
/// assert_eq!((stop, time), (LegEnd::End, 1.0));
/// assert!((states[0] - 1.0_f64.cos()).abs() < 1e-8);
/// # Ok::<(), EvaluationError>(())
/// ```
pub struct Integrator<M: Method = Automatic> {
    settings: Settings,
    nominals: Vec<f64>,
    roles: Vec<Role>,
    method: M,
    /// Dense coefficients of the step.
    rows: Vec<f64>,
    error_rates: Vec<f64>,
    /// States of the trial for the first step size.
    trial: Vec<f64>,
    locator: Locator<M>,
    z0: Vec<f64>,
    z1: Vec<f64>,
    /// Error of the present step over its estimate, see [`Method::onset_ratio`].
    weight: f64,
    /// Interval of steps at which the limiting state is recorded; 0: never.
    watched: u64,
    limiting: Option<usize>,
}

enum Attempt {
    Accepted(f64, Ending),
    Rejected(f64),
}

struct Accepted {
    /// End of the step as tried [s].
    tried: f64,
    /// Error in units of the tolerance, <= 1.
    error: f64,
    ending: Ending,
    after_rejection: bool,
}

impl Integrator {
    /// Integrator with the formula of the settings for a system with `state_count` states and
    /// `indicator_count` event indicators. The explicit formula allocates nothing later, the implicit one at
    /// its first use and when the sparsity changes.
    pub fn new(state_count: usize, indicator_count: usize, settings: Settings) -> Self {
        Self::with_method(state_count, indicator_count, settings)
    }
}

impl<M: Method> Integrator<M> {
    /// Integrator with the method `M`, otherwise as [`Integrator::new`].
    pub(crate) fn with_method(
        state_count: usize,
        indicator_count: usize,
        settings: Settings,
    ) -> Self {
        Integrator {
            settings,
            nominals: vec![0.0; state_count],
            roles: vec![Role::Other; state_count],
            method: M::new(state_count),
            rows: vec![0.0; M::DENSE_ROWS * state_count],
            error_rates: vec![0.0; state_count],
            trial: vec![0.0; state_count],
            locator: Locator::new(state_count, indicator_count),
            z0: vec![0.0; indicator_count],
            z1: vec![0.0; indicator_count],
            weight: 1.0,
            watched: 0,
            limiting: None,
        }
    }

    /// Resizes the arrays.
    pub fn fit(&mut self, state_count: usize, indicator_count: usize) {
        if (self.nominals.len(), self.z0.len()) != (state_count, indicator_count) {
            let watched = self.watched;
            *self = Self::with_method(state_count, indicator_count, self.settings);
            self.watched = watched;
        }
    }

    /// Records the limiting state at each `every`-th accepted step; never for 0. Steps are not affected.
    pub fn watch(&mut self, every: u64) {
        self.watched = every;
    }

    /// State with the largest error in units of its tolerance in the last recorded step.
    pub fn limiting_state(&self) -> Option<usize> {
        self.limiting
    }

    /// Tolerance and largest step.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes tolerance and largest step for the next calls; [`Memory::restart`] avoids rejected steps if
    /// they become much tighter.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Integrates from (`time`, `states`) to `end` [s] or to the first event up to it.
    ///
    /// After [`LegEnd::Event`] and [`LegEnd::StepEvent`] the caller updates the system with
    /// [`HybridSystem::update_event`] and calls again; a new first step is then chosen. After each accepted
    /// step `observer` is called, then [`HybridSystem::completed_step`]. The caller must detect endless
    /// sequences of events.
    ///
    /// # Errors
    /// `time` and `states` are those of the last accepted step, and the message has the time: an error of the
    /// system; a discarded evaluation that shorter steps do not avoid; a step shorter than 16 roundings of
    /// the time or 1e-15 s; more steps than the budget of the settings, or a hopeless pace; an `end` before
    /// `time`; inconsistent lengths, nominals or memory.
    pub fn advance<S: HybridSystem + ?Sized>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        time: &mut f64,
        states: &mut [f64],
        end: f64,
        mut observer: Option<Observer<'_, S>>,
    ) -> Result<LegEnd, EvaluationError> {
        let Some(mut leg) = self.start(system, memory, *time, states, end)? else {
            return Ok(LegEnd::End);
        };
        loop {
            let observer = observer.as_mut().map(|observe| &mut **observe as _);
            let stop = self.accept_step(system, memory, time, states, &mut leg, observer)?;
            if let Some(stop) = stop {
                return Ok(stop);
            }
        }
    }

    /// Starts the integration from (`time`, `states`) to `end` [s]; `None` if `time` is `end`.
    ///
    /// # Errors
    /// As [`Self::advance`].
    pub fn start<S: HybridSystem + ?Sized>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        time: f64,
        states: &[f64],
        end: f64,
    ) -> Result<Option<Leg>, EvaluationError> {
        self.check(system, memory, time, states, end)?;
        if time == end {
            return Ok(None);
        }
        let mut evaluator = Evaluator {
            system,
            statistics: &mut memory.statistics,
        };
        let solver = self.settings.solver();
        self.method
            .resume(memory.stiffness, &memory.jacobian, solver);
        start_point(self.method.start(&mut evaluator, time, states))?;
        self.read_indicators(&mut evaluator, time, states)?;
        let step = match memory.step {
            Some(step) => step,
            None => start_point(settings::first_step::<M, _>(
                &mut evaluator,
                settings::StepStart {
                    time,
                    states,
                    rate: self.method.start_derivatives(),
                },
                [&mut self.trial, &mut self.error_rates],
                &self.nominals,
                &self.settings,
                end - time,
            ))?
            // Of an impact that has just begun nothing is felt yet; others go on as before.
            .min(
                memory.step_before.unwrap_or(f64::INFINITY)
                    * powf(self.method.onset_ratio(), -1.0 / M::ERROR_ORDER),
            ),
        };
        Ok(Some(Leg {
            end,
            step,
            pace: Pace::default(),
            stepped: false,
            is_onset: memory.step.is_none(),
        }))
    }

    /// Takes one accepted step of a leg. Returns the reason if the leg has ended.
    ///
    /// A leg taken step by step gives the same bits as [`Self::advance`].
    ///
    /// # Errors
    /// As [`Self::advance`]; the leg has ended then.
    pub fn accept_step<S: HybridSystem + ?Sized>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        time: &mut f64,
        states: &mut [f64],
        leg: &mut Leg,
        observer: Option<Observer<'_, S>>,
    ) -> Result<Option<LegEnd>, EvaluationError> {
        let mut evaluator = Evaluator {
            system,
            statistics: &mut memory.statistics,
        };
        if leg.stepped {
            start_point(self.method.go_on(&mut evaluator, *time, states))?;
            self.read_indicators(&mut evaluator, *time, states)?;
        }
        self.weight = match leg.is_onset && !leg.stepped {
            true => self.method.onset_ratio(),
            false => 1.0,
        };
        let accepted = self.find_step(&mut evaluator, *time, states, leg)?;
        let (ending, h) = (accepted.ending, accepted.tried - *time);
        let t1 = match ending {
            Ending::Full => accepted.tried,
            Ending::Event(t) | Ending::Short(t) => t,
        };
        let x1 = self.method.end();
        if let Some(observe) = observer {
            let step = DenseStep::new(*time, t1, states, x1, &self.rows);
            observe(evaluator.system, &step)?;
        }
        let number = evaluator.statistics.steps + 1;
        if self.watched != 0 && number.is_multiple_of(self.watched) {
            self.limiting = Some(self.errors(states).worst_state());
        }
        let movement = self.movement(states);
        memory.last_step = LastStep {
            length: t1 - *time,
            implicit: self.method.is_implicit(),
        };
        *time = t1;
        states.copy_from_slice(self.method.end());
        evaluator.statistics.steps += 1;
        let update_requested = evaluator.completed_step(t1, states)?;
        memory.stiffness = self.method.stiffness();
        if matches!(ending, Ending::Event(_)) {
            evaluator.statistics.events += 1;
            memory.step = Some(leg.step);
            memory.restart_after_event();
            return Ok(Some(LegEnd::Event));
        }
        if update_requested {
            memory.step = Some(leg.step);
            memory.restart_after_event();
            return Ok(Some(LegEnd::StepEvent));
        }
        if ending == Ending::Full {
            let step = Assessed {
                h,
                error: accepted.error,
                movement,
            };
            let units = Units {
                nominals: &self.nominals,
                roles: &self.roles,
            };
            let least = h * self.method.assess(&step, units);
            memory.stiffness = self.method.stiffness();
            leg.step = settings::next_step::<M>(
                h,
                leg.step,
                accepted.error,
                &mut memory.previous_error,
                accepted.after_rejection,
            )
            .max(least);
        }
        if memory.jacobian != self.method.kept_jacobian() {
            memory.jacobian.clear();
            let kept = self.method.kept_jacobian();
            memory.jacobian.extend_from_slice(kept);
        }
        memory.step = Some(leg.step);
        leg.stepped = true;
        Ok((t1 == leg.end).then_some(LegEnd::End))
    }

    /// Reduces the step until an attempt is accepted.
    fn find_step<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        time: f64,
        states: &[f64],
        leg: &mut Leg,
    ) -> Result<Accepted, EvaluationError> {
        let limit = self.settings.step_limit();
        let mut discards = 0;
        let mut after_rejection = false;
        while leg.pace.attempts < self.settings.budget() {
            self.check_pace(leg, time)?;
            leg.pace.attempts += 1;
            leg.step = leg.step.min(limit).max(settings::least_step(time));
            let t1 = settings::step_end(time, leg.end, leg.step, limit);
            let h = t1 - time;
            match self.attempt(evaluator, time, t1, states) {
                Ok(Attempt::Accepted(error, ending)) => {
                    return Ok(Accepted {
                        tried: t1,
                        error,
                        ending,
                        after_rejection,
                    });
                }
                Ok(Attempt::Rejected(error)) => {
                    evaluator.statistics.rejected_steps += 1;
                    leg.step = settings::reduced_step::<M>(h, error);
                    if leg.step < settings::least_step(time) {
                        return Err(self.underflow(evaluator.system, time, states, h, error));
                    }
                }
                Err(failure) if failure.severity == Severity::Discard => {
                    evaluator.statistics.rejected_steps += 1;
                    discards += 1;
                    leg.step = settings::DISCARD_FACTOR * h;
                    if discards > MOST_DISCARDS || leg.step < settings::least_step(time) {
                        return Err(EvaluationError::step_too_small(format!(
                            "no step from t = {} s succeeds, the shortest tried is {h:e} s: {}",
                            Exact(time),
                            failure.message
                        )));
                    }
                }
                Err(failure) => return Err(failure),
            }
            after_rejection = true;
        }
        Err(EvaluationError::too_many_steps(format!(
            "{} steps did not lead to {} s, the last one tried is {:.3e} s",
            leg.pace.attempts,
            Exact(leg.end),
            leg.step
        )))
    }

    /// Fails if the pace is hopeless.
    fn check_pace(&self, leg: &mut Leg, time: f64) -> Result<(), EvaluationError> {
        let pace = &mut leg.pace;
        let (attempts, since) = *pace.from.get_or_insert((pace.attempts, time));
        if pace.attempts < attempts + PACE_ATTEMPTS {
            return Ok(());
        }
        let steps = (leg.end - time) / (time - since) * PACE_ATTEMPTS as f64;
        let is_hopeless = steps > HOPELESS * self.settings.budget() as f64;
        pace.hopeless = if is_hopeless { pace.hopeless + 1 } else { 0 };
        if pace.hopeless == HOPELESS_CHECKS {
            return Err(EvaluationError::too_many_steps(format!(
                "the last {PACE_ATTEMPTS} steps led from {} s to {} s: at this pace {} s is \
                 {steps:.1e} steps away, and {} are allowed",
                Exact(since),
                Exact(time),
                Exact(leg.end),
                self.settings.budget()
            )));
        }
        pace.from = Some((pace.attempts, time));
        Ok(())
    }

    /// Validates the arguments and reads the nominals.
    fn check<S: HybridSystem + ?Sized>(
        &mut self,
        system: &S,
        memory: &Memory,
        time: f64,
        states: &[f64],
        end: f64,
    ) -> Result<(), EvaluationError> {
        memory.check()?;
        let n = self.nominals.len();
        let of_system = (system.state_count(), system.indicator_count());
        if of_system != (n, self.z0.len()) || states.len() != n {
            return Err(EvaluationError::error(format!(
                "the integrator was made for {n} states and {} event indicators; the system has \
                 {} and {}, the state vector {}",
                self.z0.len(),
                of_system.0,
                of_system.1,
                states.len()
            )));
        }
        if !(time <= end && time.is_finite() && end.is_finite()) {
            return Err(EvaluationError::error(format!(
                "cannot integrate from t = {} s to {} s; both must be finite, the end not \
                 before the start",
                Exact(time),
                Exact(end)
            )));
        }
        system.nominals(&mut self.nominals);
        system.roles(&mut self.roles);
        let is_sound = |nominal: &f64| *nominal > 0.0 && nominal.is_finite();
        if let Some(i) = self.nominals.iter().position(|nominal| !is_sound(nominal)) {
            return Err(EvaluationError::error(format!(
                "nominal of state {} is {}; it must be positive and finite",
                i + 1,
                self.nominals[i]
            )));
        }
        Ok(())
    }

    fn read_indicators<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        time: f64,
        states: &[f64],
    ) -> Result<(), EvaluationError> {
        if self.z0.is_empty() {
            return Ok(());
        }
        start_point(evaluator.indicators(time, states, &mut self.z0))
    }

    /// Tries a step; if accepted, the method and the dense rows belong to its ending.
    fn attempt<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<Attempt, EvaluationError> {
        evaluator.system.forget_passed();
        for _ in 0..MOST_REPEATS {
            let error = self.form(evaluator, t0, t1, x0)?;
            if error > 1.0 {
                return Ok(Attempt::Rejected(error));
            }
            if self.z0.is_empty() {
                return Ok(Attempt::Accepted(error, Ending::Full));
            }
            evaluator.indicators(t1, self.method.end(), &mut self.z1)?;
            let step = DenseStep::new(t0, t1, x0, self.method.end(), &self.rows);
            match evaluator.pass_over(&step, [&self.z0, &self.z1])? {
                Passing::Passed(count) => {
                    evaluator.statistics.events += count;
                    return Ok(Attempt::Accepted(error, Ending::Full));
                }
                Passing::Repeat => {}
                Passing::Event if evaluator.system.forget_passed() => break,
                Passing::Event => return self.locate(evaluator, t0, t1, x0, error),
            }
        }
        // What was passed over is not: the step is formed once more without it.
        evaluator.system.forget_passed();
        let error = self.form(evaluator, t0, t1, x0)?;
        if error > 1.0 {
            return Ok(Attempt::Rejected(error));
        }
        evaluator.indicators(t1, self.method.end(), &mut self.z1)?;
        self.locate(evaluator, t0, t1, x0, error)
    }

    /// Forms a step; returns its error in units of the tolerance. If that is <= 1, the dense rows are those
    /// of the step.
    fn form<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<f64, EvaluationError> {
        let h = t1 - t0;
        let error = match self.rest(evaluator, t0, t1, x0)? {
            Some(error) => error,
            None => {
                self.method.step(evaluator, t0, t1, x0)?;
                self.finish(evaluator, t1)?;
                self.method.error_rates(&mut self.error_rates);
                self.weight * self.errors(x0).largest(h)
            }
        };
        if error > 1.0 {
            return Ok(error);
        }
        self.method.dense(h, x0, &mut self.rows);
        Ok(error)
    }

    /// Shortens the step to its first event if it has one.
    fn locate<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
        error: f64,
    ) -> Result<Attempt, EvaluationError> {
        let span = StepSpan {
            t0,
            t1,
            x0,
            z0: &self.z0,
            rows: &self.rows,
        };
        let ending = self
            .locator
            .run(evaluator, &span, &mut self.method, &mut self.z1)?;
        if let Ending::Event(t) | Ending::Short(t) = ending {
            self.finish(evaluator, t)?;
            self.method.dense(t - t0, x0, &mut self.rows);
        }
        Ok(Attempt::Accepted(error, ending))
    }

    /// Tries a step at rest; returns its error in units of the tolerance, `None` if the system moves.
    fn rest<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<Option<f64>, EvaluationError> {
        if !self.method.rest_step(evaluator, t0, t1, x0)? {
            return Ok(None);
        }
        self.method.error_rates(&mut self.error_rates);
        let error = self.errors(x0).largest(t1 - t0);
        if error.is_nan() || error > REST {
            return Ok(None);
        }
        self.finish(evaluator, t1)?;
        Ok(Some(error))
    }

    /// Completes a step to `t1`, whose states at the end must be finite.
    fn finish<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t1: f64,
    ) -> Result<(), EvaluationError> {
        if let Some((index, value)) = first_not_finite(self.method.end()) {
            return Err(EvaluationError::discard(format!(
                "{} is {value} at t = {t1} s; it must be finite",
                evaluator.system.state_name(index),
                t1 = Exact(t1)
            )));
        }
        self.method.finish(evaluator, t1)
    }

    fn errors<'a>(&'a self, x0: &'a [f64]) -> Errors<'a> {
        Errors {
            rates: &self.error_rates,
            x0,
            x1: self.method.end(),
            nominals: &self.nominals,
            settings: &self.settings,
        }
    }

    fn movement(&mut self, x0: &[f64]) -> f64 {
        let ends = x0.iter().zip(self.method.end());
        for (rate, (x0, x1)) in self.error_rates.iter_mut().zip(ends) {
            *rate = x1 - x0;
        }
        self.errors(x0).largest(1.0)
    }

    fn underflow<S: HybridSystem + ?Sized>(
        &self,
        system: &S,
        time: f64,
        states: &[f64],
        h: f64,
        error: f64,
    ) -> EvaluationError {
        let worst = self.errors(states).worst_state();
        EvaluationError::step_too_small(format!(
            "step size underflow at t = {} s: with a step of {h:e} s the error of {} is \
             {error:.3e} times its tolerance (relative {:e}, nominal {:e}, value {:e}); loosen the \
             tolerance, or look for a jump in the derivative of this state",
            Exact(time),
            system.state_name(worst),
            self.settings.relative_tolerance(),
            self.nominals[worst],
            states[worst]
        ))
    }
}

/// Makes a discarded evaluation at the start of a step an error: no shorter step avoids it.
fn start_point<T>(result: Result<T, EvaluationError>) -> Result<T, EvaluationError> {
    result.map_err(|failure| EvaluationError {
        severity: Severity::Error,
        ..failure
    })
}
