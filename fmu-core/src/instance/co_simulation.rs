//! Co-Simulation: communication steps with the built-in integrator.
//!
//! A step ends at its end, or at an event if the importer handles events: then it returns early,
//! or, without leave to do so, only where the event falls on the end and the scene is stepped as a
//! whole. All other events are handled inside, by the same rules. The integrator ends a leg at each
//! time event, so no step of it crosses one.
//!
//! A scene of several parts is stepped by windows of all its islands, see [`contact_model::islands`]. Where a
//! step may return early at events a window ends at the earliest one of any island; otherwise
//! islands handle theirs inside.
//!
//! A step with a listener stops at each accepted internal step, or at the end of each window,
//! and is then continued; it takes the same internal steps, so its numbers are the same to the bit.

use crate::instance::beat::{log_beat, steps_per_beat};
use crate::instance::failure::Failure;
use crate::instance::inputs::InputChange;
use crate::instance::intermediate::{IntermediatePoint, Progress};
use crate::instance::lifecycle::Instance;
use crate::instance::modes::{Call, Kind, Mode};
use contact_geometry::math::Exact;
use contact_model::dynamics::{ContactChange, StopChange, System};
use contact_model::hybrid::{EvaluationError, HybridSystem};
use contact_model::integrator::{DenseStep, Leg, LegEnd, Pace, Settings, Solver};
use contact_model::islands::{Beat, EventCount, StepLoad, Task, Windows};
use contact_model::scene::Parameter;

/// How a communication step ended.
#[derive(Clone, Debug, PartialEq)]
pub struct StepOutcome {
    /// There is an event at `time` that the importer has to handle.
    pub event_handling_needed: bool,
    /// The step ended before its end.
    pub early_return: bool,
    /// Time reached [s].
    pub time: f64,
    /// What the user should know although the step succeeded.
    pub remark: Option<String>,
}

/// A communication step between two calls.
pub(super) struct StepUnderWay {
    /// Communication point it started at and its end [s].
    point: f64,
    end: f64,
    /// Where it is to end [s]: at its end, or earlier if the importer has asked for that.
    until: f64,
    /// The integration towards there, none before it starts and after an event.
    leg: Option<Leg>,
    /// The time event that the leg may meet first [s].
    time_event: Option<f64>,
    events: EventCount,
    /// Pace of the integrator in legs before this one.
    pace: Pace,
    /// It ends where it is.
    ending: Option<Ending>,
    remark: Option<String>,
}

impl StepUnderWay {
    /// Where the integration is to end next [s].
    fn leg_end(&self) -> f64 {
        self.time_event.map_or(self.until, |t| t.min(self.until))
    }
}

/// Why a communication step ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// At an event the importer has to handle.
    Event,
    /// At its end, or where the importer has asked for.
    Reached,
}

/// Two times of importer and instance agree within this part of (|t| + step length): an importer
/// that adds up its steps is off by a rounding, 1e-16, for each, so ten million steps are fine.
const TIME_MATCH: f64 = 1e-9;
/// Tolerances are relative to at most so many nominals of a state. The nominal of a position is a
/// penetration: a body at rest 0.1 m from the origin is kept to its resting depth, not to 0.1 m.
/// A hundred leaves the steps of an impact as they are and the resting depth of 1 kg of steel
/// within 1.3e-7 of itself at a tolerance of 1e-8; without a reach it is 1.3e-6.
const TOLERANCE_REACH: f64 = 100.0;

impl Instance {
    /// Integrates from the communication point `point` [s], which must be the current time, over
    /// `length` [s], with or without a listener.
    ///
    /// # Errors
    /// As [`Self::begin_step`].
    pub fn do_step(&mut self, point: f64, length: f64) -> Result<StepOutcome, Failure> {
        let mut progress = self.begin_step(point, length)?;
        loop {
            match progress {
                Progress::Done(outcome) => return Ok(outcome),
                Progress::Intermediate(_) => progress = self.continue_step(None)?,
            }
        }
    }

    /// Starts a communication step from the communication point `point` [s], which must be the
    /// current time, over `length` [s]. Without a listener it is done at once.
    ///
    /// # Errors
    /// Not allowed now. Arguments that [FMI 3.0] section 4.2.1 excludes, which 2.2.3 makes errors:
    /// a length that is not positive and finite, another communication point than the present
    /// time; an end past the stop time (2.3.2); more internal steps of the longest length allowed
    /// than are allowed; a body whose given motion turns it too often. An integration that cannot go on, or events
    /// without end: the instance then stays at the last accepted step, [`Self::time`].
    pub fn begin_step(&mut self, point: f64, length: f64) -> Result<Progress, Failure> {
        self.allow(Call::DoStep)?;
        let end = self.check_step(point, length)?;
        // Before they are looked at: they may replace one that is out of range.
        self.apply_waiting_parameters();
        self.ready()?;
        self.run.inputs.change = InputChange::None;
        self.watch_driven_bodies();
        let settings = self.settings()?;
        self.check_max_step(&settings, point, end)?;
        self.check_turns(point, end)?;
        self.integrator.set_settings(settings);
        self.integrator.watch(self.steps_per_beat());
        self.touch();
        // An importer may go on without handling the event the last step ended at.
        self.run.step_loads.fill(StepLoad::default());
        self.system.clear_strikes();
        if self.run.event_pending {
            self.handle_event()?;
        }
        self.integrate(StepUnderWay {
            point,
            end,
            until: end,
            leg: None,
            time_event: None,
            events: EventCount::new(self.run.time),
            pace: Pace::default(),
            ending: None,
            remark: None,
        })
    }

    /// Continues a step that has stopped inside. With `early_return` [s] it ends there; that time
    /// holds until another one is given.
    ///
    /// # Errors
    /// No step has stopped; a time to return at outside of the step ([FMI 3.0] section 4.2.2),
    /// which ends the step at the current time; those of [`Self::begin_step`].
    pub fn continue_step(&mut self, early_return: Option<f64>) -> Result<Progress, Failure> {
        let Some(mut step) = self.step.take() else {
            return Err(Failure::error("no communication step is under way"));
        };
        self.run.mode = Mode::Step;
        // A call of the importer inside the step may have made the instance unusable.
        self.allow(Call::DoStep)?;
        if let Some(time) = early_return {
            self.end_early(&mut step, time)?;
        }
        match step.ending {
            Some(ending) => Ok(Progress::Done(self.outcome(step, ending))),
            None => self.integrate(step),
        }
    }

    /// Integrates to the next stop of a step, and remembers why it gave up if it did.
    fn integrate(&mut self, step: StepUnderWay) -> Result<Progress, Failure> {
        let progress = self.integrate_on(step);
        self.gave_up = progress
            .as_ref()
            .err()
            .map(|failure| failure.message.clone());
        progress
    }

    fn integrate_on(&mut self, mut step: StepUnderWay) -> Result<Progress, Failure> {
        loop {
            let stop = self.accept_internal_step(&mut step)?;
            self.beat();
            self.watch_distances()?;
            let time = self.run.time;
            step.ending = match stop {
                None => None,
                Some(LegEnd::End) => Some(Ending::Reached),
                Some(LegEnd::Event | LegEnd::StepEvent) => {
                    step.pace = step.leg.take().map_or(step.pace, |leg| leg.pace());
                    // Until it is handled; an update that fails does not make it undone.
                    self.run.event_pending = true;
                    let early = time < step.end;
                    if self.options.event_mode_used && (self.options.early_return_allowed || !early)
                    {
                        Some(Ending::Event)
                    } else {
                        self.handle_event()?;
                        if let Some(what) = step.events.count(time) {
                            return Err(Failure::error(format!(
                                "{what} at {time} s in the step from {} s to {} s; the last one {}",
                                Exact(step.point),
                                Exact(step.end),
                                self.last_changes(),
                                time = Exact(time)
                            )));
                        }
                        (time == step.until).then_some(Ending::Reached)
                    }
                }
            };
            if self.is_watched() {
                let can_return_early = self.options.early_return_allowed && time < step.end;
                self.touch();
                self.run.mode = Mode::IntermediateUpdate;
                self.step = Some(step);
                return Ok(Progress::Intermediate(IntermediatePoint {
                    time,
                    can_return_early,
                }));
            }
            if let Some(ending) = step.ending {
                return Ok(Progress::Done(self.outcome(step, ending)));
            }
        }
    }

    /// One accepted step of the integrator, or one window of all islands.
    fn accept_internal_step(&mut self, step: &mut StepUnderWay) -> Result<Option<LegEnd>, Failure> {
        if self.integrator.settings().solver() == Solver::Dem {
            self.take_granular_steps(step.point, step.until)?;
            return Ok(Some(LegEnd::End));
        }
        // What granular mode has left means nothing to the other solvers.
        self.run.beyond_ledger.clear();
        self.system.forget_steps();
        let stop = match self.is_divided && step.leg.is_none() {
            true => self.advance_islands(step),
            false => Ok(None),
        };
        let stop = stop.and_then(|window| match window {
            Some(stop) => Ok(stop),
            None => self.accept_step_of_whole(step),
        });
        // One within a rounding of the end of a step is no time event of the next one.
        let jump_due = self.system.motion_jumps().is_due(self.run.time);
        let stop = stop.map(|stop| match jump_due {
            true => Some(LegEnd::Event),
            false => stop,
        });
        stop.map_err(|error: EvaluationError| {
            let mut text = format!(
                "the step from {} s to {} s failed at {} s: {}",
                Exact(step.point),
                Exact(step.end),
                Exact(self.run.time),
                error.message
            );
            text.push_str(&self.what_limits_steps(error.severity));
            Failure::error(text)
        })
    }

    /// One window of all islands; none if the scene has to be stepped as a whole.
    fn advance_islands(
        &mut self,
        step: &mut StepUnderWay,
    ) -> Result<Option<Option<LegEnd>>, EvaluationError> {
        let is_watched = self.is_watched();
        // Where the importer handles events all parts have to be at the time of each.
        let stops_at_events = self.options.event_mode_used && self.options.early_return_allowed;
        let (system, run) = (&mut self.system, &mut self.run);
        step.time_event = system.next_event_time(run.time);
        let settings = *self.integrator.settings();
        let task = Task {
            end: step.leg_end(),
            settings: &settings,
            attempts: step.pace.attempts,
            is_watched,
            threads: system.threads(),
            stops_at_events,
            steps_per_beat: steps_per_beat(&self.log, run.states.len()),
        };
        if task.end <= run.time {
            return Ok(Some(Some(LegEnd::End)));
        }
        system.go_to(run.time, &run.states)?;
        let windows = self
            .windows
            .get_or_insert_with(|| Box::new(Windows::new(system)));
        let before = run.memory.statistics();
        let before = (before.steps, before.events);
        let log = &self.log;
        let mut hear = |beat: &Beat| log_beat(log, beat, before);
        let memory = (&mut run.memories, &mut run.memory);
        let loads = &mut run.step_loads;
        let window = windows.advance(system, memory, (&mut run.states, loads), &task, &mut hear)?;
        let Some(window) = window else {
            return Ok(None);
        };
        run.time = window.end;
        step.pace = Pace::after(window.attempts);
        self.touch();
        self.log_changes_of_islands();
        let at_time_event = step.time_event == Some(window.end);
        Ok(Some(match window.end == task.end {
            _ if window.at_event || at_time_event => Some(LegEnd::Event),
            true => Some(LegEnd::End),
            false => None,
        }))
    }

    /// One accepted step of the integrator of all states.
    fn accept_step_of_whole(
        &mut self,
        step: &mut StepUnderWay,
    ) -> Result<Option<LegEnd>, EvaluationError> {
        let (system, run) = (&mut self.system, &mut self.run);
        if step.leg.is_none() {
            let size = (system.state_count(), system.indicator_count());
            self.integrator.fit(size.0, size.1);
            let memory = &mut run.memory;
            step.time_event = system.next_event_time(run.time);
            let until = step.leg_end();
            step.leg = self
                .integrator
                .start(system, memory, run.time, &run.states, until)?;
            if let Some(leg) = &mut step.leg {
                leg.go_on(step.pace);
            }
        }
        let Some(leg) = &mut step.leg else {
            return Ok(Some(LegEnd::End));
        };
        let (memory, time, states) = (&mut run.memory, &mut run.time, &mut run.states);
        let (recorder, loads) = (&mut self.recorder, &mut run.step_loads);
        let mut record =
            |system: &mut System, step: &DenseStep<'_>| recorder.add(system, step, loads);
        let observer = Some(&mut record as _);
        let stop = self
            .integrator
            .accept_step(system, memory, time, states, leg, observer)?;
        // The integrator knows of no time events; to the system it is one like any other.
        let at_time_event = stop == Some(LegEnd::End) && step.time_event == Some(run.time);
        Ok(match at_time_event {
            true => Some(LegEnd::Event),
            false => stop,
        })
    }

    /// Takes the importer's wish to return at `time` [s].
    fn end_early(&self, step: &mut StepUnderWay, time: f64) -> Result<(), Failure> {
        let now = self.run.time;
        if !self.options.early_return_allowed {
            step.remark.get_or_insert_with(|| {
                format!(
                    "early return requested at {now} s, where canReturnEarly was false: this \
                     instance was made with earlyReturnAllowed = false; the step went on",
                    now = Exact(now)
                )
            });
            return Ok(());
        }
        let length = step.end - step.point;
        let close = |other: f64| is_close(time, other, length);
        let in_range = step.point <= time && time <= step.end;
        if !(in_range || close(step.point) || close(step.end)) {
            return Err(Failure::error(format!(
                "earlyReturnTime is {time} s; it must be within the step from {} s to {} s; the \
                 step ended at {now} s",
                Exact(step.point),
                Exact(step.end),
                time = Exact(time),
                now = Exact(now)
            )));
        }
        if time > now {
            step.until = time.min(step.end);
            let end = step.leg_end();
            if let Some(leg) = &mut step.leg {
                leg.set_end(end);
            }
            return Ok(());
        }
        if time < now && !close(now) {
            step.remark = Some(format!(
                "earlyReturnTime is {time} s, but this step had come to {now} s already and \
                 returned there",
                time = Exact(time),
                now = Exact(now)
            ));
        }
        step.ending = step.ending.or(Some(Ending::Reached));
        Ok(())
    }

    fn outcome(&self, step: StepUnderWay, ending: Ending) -> StepOutcome {
        StepOutcome {
            event_handling_needed: ending == Ending::Event,
            early_return: self.run.time < step.end,
            time: self.run.time,
            remark: step.remark,
        }
    }

    /// Checks the arguments of a step; its end [s].
    fn check_step(&self, point: f64, length: f64) -> Result<f64, Failure> {
        if !(length > 0.0 && length.is_finite()) {
            return Err(Failure::error(format!(
                "communication step size is {length} s; it must be > 0 and finite",
                length = Exact(length)
            )));
        }
        let now = self.run.time;
        if !is_close(point, now, length) {
            return Err(Failure::error(format!(
                "communication point is {point} s; this instance is at {now} s{}",
                match &self.gave_up {
                    Some(reason) => format!(", where a step ended: {reason}"),
                    None => String::new(),
                },
                point = Exact(point),
                now = Exact(now)
            )));
        }
        // From the importer's own numbers, so that its sum of them and the time here agree.
        let end = point + length;
        if !(end > now && end.is_finite()) {
            return Err(Failure::error(format!(
                "communication step size {length} s is below the resolution of the time, {now} s",
                length = Exact(length),
                now = Exact(now)
            )));
        }
        match self.run.stop_time {
            Some(stop) if end > stop && !is_close(end, stop, length) => {
                Err(Failure::error(format!(
                    "communication step from {point} s over {length} s ends past the stop time, \
                 {stop} s",
                    point = Exact(point),
                    length = Exact(length),
                    stop = Exact(stop)
                )))
            }
            _ => Ok(end),
        }
    }

    pub(super) fn settings(&self) -> Result<Settings, Failure> {
        let tolerance = self.run.tolerance;
        let tolerance = tolerance.unwrap_or_else(|| self.system.suggested_tolerance());
        let number = |parameter| {
            let index = self.scene.parameter_index(parameter)?;
            Some(self.run.parameters.get(index))
        };
        let mut settings = Settings::new(tolerance)?.with_reach(TOLERANCE_REACH)?;
        if let Some(budget) = number(Parameter::MaxSteps) {
            settings = settings.with_budget(budget as u64);
        }
        if let Some(longest) = number(Parameter::MaxStep).filter(|longest| *longest > 0.0) {
            settings = settings.with_max_step(longest)?;
        }
        let solver = number(Parameter::Solver).and_then(Solver::of_number);
        Ok(settings.with_solver(solver.unwrap_or_default()))
    }

    /// Returns true if communication steps are those of granular mode.
    pub(super) fn is_granular(&self) -> bool {
        let index = self.scene.parameter_index(Parameter::Solver);
        let number = index.map(|index| self.run.parameters.get(index));
        self.run.kind == Kind::CoSimulation
            && number.and_then(Solver::of_number) == Some(Solver::Dem)
    }

    /// What the last event update changed, in words.
    fn last_changes(&self) -> String {
        let (contacts, stops) = (self.system.contact_changes(), self.system.stop_changes());
        if contacts.is_empty() && stops.is_empty() {
            return "changed no contact".into();
        }
        let verb = |impact_speed: Option<f64>| match impact_speed {
            Some(_) => "started",
            None => "ended",
        };
        let of_pair = |change: &ContactChange| {
            let verb = verb(change.impact_speed);
            format!("{verb} {}", self.scene.pair_name(change.pair))
        };
        let of_stop = |change: &StopChange| {
            let [joint, side] = self.scene.stop_names(change.stop);
            format!("{} the {side} stop of {joint}", verb(change.impact_speed))
        };
        let mut texts: Vec<String> = contacts.iter().map(of_pair).collect();
        texts.extend(stops.iter().map(of_stop));
        texts.join(", ")
    }
}

/// Returns true if a time [s] of the importer equals one of this instance within rounding, in a
/// step of `length` [s].
fn is_close(time: f64, own: f64, length: f64) -> bool {
    (time - own).abs() <= TIME_MATCH * (own.abs() + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_model::scene::description::world::TOLERANCES;

    #[test]
    fn a_scene_may_ask_for_exactly_the_tolerances_that_the_integrator_keeps() {
        for kept in [TOLERANCES.least, 1e-8, TOLERANCES.most] {
            assert!(Settings::new(kept).is_ok(), "{kept}");
        }
        for outside in [TOLERANCES.least.next_down(), TOLERANCES.most.next_up()] {
            assert!(Settings::new(outside).is_err(), "{outside}");
        }
    }
}
