//! The loop over steps: from (t, x) to an end time or to the first event before it, at once or one
//! accepted step at a time.

use super::control;
use super::dormand_prince::{DENSE_ROWS, Stages};
use super::evaluator::Evaluator;
use super::locate::{Ending, Locator, Span};
use super::memory::Memory;
use super::settings::Settings;
use crate::hybrid::{EvaluationError, HybridSystem, Severity};
use crate::math::Exact;
use crate::math::dense::DenseStep;

/// Attempts after which the pace is looked at.
const PACE_ATTEMPTS: u64 = 8192;
/// A pace is hopeless at which the end is farther away than this many times the budget ...
const HOPELESS: f64 = 2.0;
/// ... so many looks in a row: an impact is over by then, and stiff beginnings give way.
const HOPELESS_LOOKS: u32 = 4;
/// Reductions in a row of a step whose evaluation was discarded: 0.25^30 = 1e-18 of it.
const MOST_DISCARDS: u32 = 30;

/// Why an advance ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time is the end asked for, to the bit.
    End,
    /// An indicator has changed its domain. Time and states are just past the change: at a time
    /// earlier by a few roundings none had changed yet.
    Event,
    /// The system asked for an event update when it was told of a completed step.
    StepEvent,
}

/// Called after each accepted step, before the system is told of it; may evaluate the system.
pub type Observer<'a, S> = &'a mut dyn FnMut(&mut S, &DenseStep<'_>) -> Result<(), EvaluationError>;

/// An integration under way to an end: [`Integrator::start`] makes it, [`Integrator::accept_step`]
/// takes it on. Between two steps the system may be evaluated, not changed.
#[derive(Clone, Debug)]
pub struct Leg {
    end: f64,
    /// Step to try next [s].
    step: f64,
    /// Attempts at a step so far.
    attempts: u64,
    /// Attempts and time [s] where the pace was looked at last.
    pace_from: (u64, f64),
    /// Looks in a row that found it hopeless.
    hopeless: u32,
    /// The last stage of the step before is the first one of the next.
    stepped: bool,
}

impl Leg {
    /// Attempts at a step so far, those of legs before included.
    pub fn attempts(&self) -> u64 {
        self.attempts
    }

    /// Counts on from the attempts of legs before, which share one budget with this one.
    pub fn count_from(&mut self, attempts: u64) {
        self.attempts = attempts;
        self.pace_from.0 = attempts;
    }

    /// Moves the end [s], not before the present time.
    pub fn set_end(&mut self, end: f64) {
        self.end = end;
    }
}

/// Work arrays of the integration of one system; nothing in them outlives a leg.
///
/// ```
/// use fmu_core::hybrid::{EvaluationError, EventOutcome, HybridSystem};
/// use fmu_core::integrator::{Integrator, Memory, Settings, Stop};
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
/// assert_eq!((stop, time), (Stop::End, 1.0));
/// assert!((states[0] - 1.0_f64.cos()).abs() < 1e-8);
/// # Ok::<(), EvaluationError>(())
/// ```
pub struct Integrator {
    settings: Settings,
    nominals: Vec<f64>,
    stages: Stages,
    /// Dense coefficients of the step.
    rows: Vec<f64>,
    locator: Locator,
    /// Indicators at the start and at the end of the step.
    z0: Vec<f64>,
    z1: Vec<f64>,
}

/// What became of an attempt at a step.
enum Attempt {
    /// Error in units of the tolerance, at most 1, and how the step ends.
    Accepted(f64, Ending),
    /// Error in units of the tolerance, above 1.
    Rejected(f64),
}

impl Integrator {
    /// Arrays for a system with `state_count` states and `indicator_count` event indicators;
    /// nothing is allocated later.
    pub fn new(state_count: usize, indicator_count: usize, settings: Settings) -> Self {
        Integrator {
            settings,
            nominals: vec![0.0; state_count],
            stages: Stages::new(state_count),
            rows: vec![0.0; DENSE_ROWS * state_count],
            locator: Locator::new(state_count, indicator_count),
            z0: vec![0.0; indicator_count],
            z1: vec![0.0; indicator_count],
        }
    }

    /// Tolerance and largest step.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes tolerance and largest step from the next call on; [`Memory::restart`] spares the
    /// rejections if they become much tighter.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Integrates from (`time`, `states`) to `end` [s] or to the first event before or at it.
    ///
    /// After [`Stop::Event`] and [`Stop::StepEvent`] the caller updates the system with
    /// [`HybridSystem::update_event`] and calls again; the step size is then chosen anew. Each
    /// accepted step is shown to `observer`, then told to the system. Events that follow each
    /// other without end are the caller's to notice.
    ///
    /// # Errors
    /// `time` and `states` are those of the last accepted step, and the message names the time:
    /// an error of the system; a discarded evaluation that shorter steps do not cure; a step
    /// shorter than 16 roundings of the time or 1e-15 s; more steps than the budget of the settings, or a pace
    /// at which the end is hopelessly far away; an `end` before `time`, lengths, nominals or a memory that do
    /// not fit.
    pub fn advance<S: HybridSystem + ?Sized>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        time: &mut f64,
        states: &mut [f64],
        end: f64,
        mut observer: Option<Observer<'_, S>>,
    ) -> Result<Stop, EvaluationError> {
        let Some(mut leg) = self.start(system, memory, *time, states, end)? else {
            return Ok(Stop::End);
        };
        loop {
            let observer = observer.as_mut().map(|observe| &mut **observe as _);
            let stop = self.accept_step(system, memory, time, states, &mut leg, observer)?;
            if let Some(stop) = stop {
                return Ok(stop);
            }
        }
    }

    /// Starts on the way from (`time`, `states`) to `end` [s]; none where it is there already.
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
        start_point(self.stages.start(&mut evaluator, time, states))?;
        self.read_indicators(&mut evaluator, time, states)?;
        let step = match memory.step {
            Some(step) => step,
            None => start_point(control::first_step(
                &mut evaluator,
                &mut self.stages,
                time,
                states,
                &self.nominals,
                &self.settings,
                end - time,
            ))?,
        };
        Ok(Some(Leg {
            end,
            step,
            attempts: 0,
            pace_from: (0, time),
            hopeless: 0,
            stepped: false,
        }))
    }

    /// Takes one accepted step of a leg; answers why the leg ended, or none if it goes on.
    ///
    /// A leg taken step by step gives the bits of [`Self::advance`].
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
    ) -> Result<Option<Stop>, EvaluationError> {
        let mut evaluator = Evaluator {
            system,
            statistics: &mut memory.statistics,
        };
        if leg.stepped {
            self.stages.shift();
            self.read_indicators(&mut evaluator, *time, states)?;
        }
        let end = leg.end;
        let limit = self.settings.step_limit();
        let mut discards = 0;
        let mut after_rejection = false;
        while leg.attempts < self.settings.budget() {
            self.check_pace(leg, *time)?;
            leg.attempts += 1;
            leg.step = leg.step.min(limit).max(control::least_step(*time));
            let t1 = control::step_end(*time, end, leg.step, limit);
            let h = t1 - *time;
            let (error, ending) = match self.attempt(&mut evaluator, *time, t1, states) {
                Ok(Attempt::Accepted(error, ending)) => (error, ending),
                Ok(Attempt::Rejected(error)) => {
                    evaluator.statistics.rejected_steps += 1;
                    leg.step = control::reduced_step(h, error);
                    after_rejection = true;
                    if leg.step < control::least_step(*time) {
                        return Err(self.underflow(evaluator.system, (*time, states), h, error));
                    }
                    continue;
                }
                Err(failure) if failure.severity == Severity::Discard => {
                    evaluator.statistics.rejected_steps += 1;
                    discards += 1;
                    leg.step = control::DISCARD_FACTOR * h;
                    after_rejection = true;
                    if discards > MOST_DISCARDS || leg.step < control::least_step(*time) {
                        return Err(EvaluationError::step_too_small(format!(
                            "no step from t = {} s succeeds, the shortest tried is {h:e} s: {}",
                            Exact(*time),
                            failure.message
                        )));
                    }
                    continue;
                }
                Err(failure) => return Err(failure),
            };

            let t1 = match ending {
                Ending::Whole => t1,
                Ending::Event(t) | Ending::Short(t) => t,
            };
            if let Some(observe) = observer {
                let step = DenseStep::new(*time, t1, states, &self.stages.end, &self.rows);
                observe(evaluator.system, &step)?;
            }
            *time = t1;
            states.copy_from_slice(&self.stages.end);
            evaluator.statistics.steps += 1;
            let asked = evaluator.completed_step(t1, states)?;
            if matches!(ending, Ending::Event(_)) {
                evaluator.statistics.events += 1;
                memory.restart();
                return Ok(Some(Stop::Event));
            }
            if asked {
                memory.restart();
                return Ok(Some(Stop::StepEvent));
            }
            if ending == Ending::Whole {
                let previous = &mut memory.previous_error;
                leg.step = control::next_step(h, leg.step, error, previous, after_rejection);
            }
            memory.step = Some(leg.step);
            leg.stepped = true;
            return Ok((t1 == end).then_some(Stop::End));
        }
        Err(EvaluationError::too_many_steps(format!(
            "{} steps did not lead to {} s, the last one tried is {:.3e} s",
            leg.attempts,
            Exact(end),
            leg.step
        )))
    }

    /// Refuses a pace at which the end is hopelessly far away.
    fn check_pace(&self, leg: &mut Leg, time: f64) -> Result<(), EvaluationError> {
        let (attempts, since) = leg.pace_from;
        if leg.attempts < attempts + PACE_ATTEMPTS {
            return Ok(());
        }
        let steps = (leg.end - time) / (time - since) * PACE_ATTEMPTS as f64;
        let is_hopeless = steps > HOPELESS * self.settings.budget() as f64;
        leg.hopeless = if is_hopeless { leg.hopeless + 1 } else { 0 };
        if leg.hopeless == HOPELESS_LOOKS {
            return Err(EvaluationError::too_many_steps(format!(
                "the last {PACE_ATTEMPTS} steps led from {} s to {} s: at this pace {} s is \
                 {steps:.1e} steps away, and {} are allowed",
                Exact(since),
                Exact(time),
                Exact(leg.end),
                self.settings.budget()
            )));
        }
        leg.pace_from = (leg.attempts, time);
        Ok(())
    }

    /// Refuses arguments that do not fit; reads the nominals.
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

    /// Reads the indicators at the start of a step.
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

    /// Tries a step; when it is accepted, stages and dense rows are those of its ending.
    fn attempt<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        t0: f64,
        t1: f64,
        x0: &[f64],
    ) -> Result<Attempt, EvaluationError> {
        let h = t1 - t0;
        self.stages.step(evaluator, t0, t1, x0)?;
        self.stages.finish(evaluator, t1)?;
        let error = self.stages.error(h, x0, &self.nominals, &self.settings);
        if error > 1.0 {
            return Ok(Attempt::Rejected(error));
        }
        self.stages.dense(h, x0, &mut self.rows);
        if self.z0.is_empty() {
            return Ok(Attempt::Accepted(error, Ending::Whole));
        }
        evaluator.indicators(t1, &self.stages.end, &mut self.z1)?;
        let span = Span {
            t0,
            t1,
            x0,
            z0: &self.z0,
            rows: &self.rows,
        };
        let ending = self
            .locator
            .run(evaluator, &span, &mut self.stages, &mut self.z1)?;
        if let Ending::Event(t) | Ending::Short(t) = ending {
            self.stages.finish(evaluator, t)?;
            self.stages.dense(t - t0, x0, &mut self.rows);
        }
        Ok(Attempt::Accepted(error, ending))
    }

    fn underflow<S: HybridSystem + ?Sized>(
        &self,
        system: &S,
        (time, states): (f64, &[f64]),
        h: f64,
        error: f64,
    ) -> EvaluationError {
        let worst = self
            .stages
            .state_of_largest_error(states, &self.nominals, &self.settings);
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

/// A discarded evaluation where a step starts is an error: no shorter step avoids it.
fn start_point<T>(result: Result<T, EvaluationError>) -> Result<T, EvaluationError> {
    result.map_err(|failure| EvaluationError {
        severity: Severity::Error,
        ..failure
    })
}
