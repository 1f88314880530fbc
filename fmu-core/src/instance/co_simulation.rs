//! Co-Simulation: communication steps with the built-in integrator.
//!
//! A step ends at its end, or at an event if the importer handles events: then it returns early, or, without
//! permission to do so, only if the event falls on the end and the scene is stepped as a whole. All other
//! events are handled inside, by the same rules. The integrator ends a leg at each time event, so no step of
//! it crosses one.
//!
//! A scene of several parts is stepped by windows of all its islands, see [`contact_model::islands`]. If a
//! step may return early at events a window ends at the earliest one of any island; otherwise islands handle
//! theirs inside.
//!
//! A step with a listener stops at each accepted internal step, or at the end of each window, where the
//! importer may read variables and request an early return: [FMI 3.0] section 4.2.2. It stops in Intermediate
//! Update Mode, so that nothing refers to the instance while the importer reads it: [`Instance::begin_step`]
//! and [`Instance::continue_step`] return [`Progress`]. The internal steps, and so the results, are the same
//! to the bit.
//!
//! In granular mode a communication step is a single span without events: contacts start and end inside, each
//! is logged with its time, and reported ones are counted and summed. An importer that handles events, or
//! watches intermediate steps, sees communication points only; distances are watched there.

use crate::instance::events::{log_beat, steps_per_beat};
use crate::instance::lifecycle::{
    Ending, Instance, Intermediate, IntermediatePoint, Progress, StepListener, StepOutcome,
    StepUnderWay,
};
use crate::instance::log::{Category, Failure, Log};
use crate::instance::modes::{Call, Kind, Mode};
use crate::instance::record::{Pulse, StepLimit, tell};
use crate::instance::state::InputChange;
use contact_geometry::math::{Exact, Vec3, norm};
use contact_laws::index::{PairId, ReportId, TiSlice};
use contact_model::contact::Ledger;
use contact_model::dynamics::{Change, ContactChange, System};
use contact_model::granular::{Granular, Record, Span, Start};
use contact_model::hybrid::{EvaluationError, HybridSystem, Severity};
use contact_model::integrator::settings::least_steps;
use contact_model::integrator::{DenseStep, LegEnd, Pace, Settings, Solver};
use contact_model::islands::{Beat, EventCount, Kept, StepLoad, Task, Windows};
use contact_model::scene::Scene;
use contact_model::scene::motions::MOST_TURNS;
use contact_model::threads::Crew;
use std::f64::consts::TAU;
use std::rc::Rc;

/// Relative tolerance of two times of importer and instance, over |t| + step length: the sum of an importer's
/// steps has a rounding of 1e-16 for each, so ten million steps are fine.
const TIME_MATCH: f64 = 1e-9;
/// Limit of the magnitude in tolerances, in nominals of a state. The nominal of a position is a penetration:
/// a body at rest 0.1 m from the origin is kept to its resting depth, not to 0.1 m. A hundred leaves the
/// steps of an impact unchanged and the resting depth of 1 kg of steel accurate to 1.3e-7 at a tolerance of
/// 1e-8; without a reach it is 1.3e-6.
const TOLERANCE_REACH: f64 = 100.0;

impl Instance {
    /// Integrates from the communication point `point` [s], which must be the current time, over `length`
    /// [s], with or without a listener.
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

    /// Starts a communication step from the communication point `point` [s], which must be the current time,
    /// over `length` [s]. Without a listener it is completed at once.
    ///
    /// # Errors
    /// Not allowed now. Arguments excluded by [FMI 3.0] section 4.2.1, errors by 2.2.3: a length that is not
    /// positive and finite, a communication point other than the present time; an end past the stop time
    /// (2.3.2); more internal steps of the maximum length than allowed; a body with prescribed motion that
    /// turns too often. An integration that cannot continue, or endless events: the instance then remains at
    /// the last accepted step, [`Self::time`].
    pub(crate) fn begin_step(&mut self, point: f64, length: f64) -> Result<Progress, Failure> {
        self.allow(Call::DoStep)?;
        let end = self.check_step(point, length)?;
        // Before validation: they may replace one that is out of range.
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

    /// Continues a step that has stopped inside. With `early_return` [s] it ends there; that time holds until
    /// another one is given.
    ///
    /// # Errors
    /// No step has stopped; a return time outside of the step ([FMI 3.0] section 4.2.2), which ends the step
    /// at the current time; those of [`Self::begin_step`].
    pub(crate) fn continue_step(&mut self, early_return: Option<f64>) -> Result<Progress, Failure> {
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

    /// Integrates to the next stop of a step, and stores the reason if it fails.
    fn integrate(&mut self, step: StepUnderWay) -> Result<Progress, Failure> {
        // Its threads end with the call of the importer.
        let progress = self.integrate_on(step, &Crew::new(self.system.threads()));
        let failure = progress.as_ref().err();
        self.gave_up = failure.map(|failure| failure.message.clone());
        progress
    }

    fn integrate_on(&mut self, mut step: StepUnderWay, crew: &Crew) -> Result<Progress, Failure> {
        loop {
            let stop = self.accept_internal_step(&mut step, crew)?;
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
    fn accept_internal_step(
        &mut self,
        step: &mut StepUnderWay,
        crew: &Crew,
    ) -> Result<Option<LegEnd>, Failure> {
        if self.integrator.settings().solver() == Solver::Dem {
            self.take_granular_steps(step, crew)?;
            return Ok(Some(LegEnd::End));
        }
        // Data of granular mode are meaningless to the other solvers.
        self.run.beyond_ledger.clear();
        self.system.forget_steps();
        let stop = match self.is_divided && step.leg.is_none() {
            true => self.advance_islands(step, crew),
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

    /// One window of all islands; `None` if the scene has to be stepped as a whole.
    fn advance_islands(
        &mut self,
        step: &mut StepUnderWay,
        crew: &Crew,
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
            crew,
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
        let before = *run.memory.statistics();
        let log = &self.log;
        let mut hear = |beat: &Beat| log_beat(log, beat, &before);
        let kept = Kept {
            memory: &mut run.memory,
            memories: &mut run.memories,
            loads: &mut run.step_loads,
        };
        let window = windows.advance(system, &mut run.states, kept, &task, &mut hear)?;
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
        // The integrator has no time events; to the system it is one like any other.
        let at_time_event = stop == Some(LegEnd::End) && step.time_event == Some(run.time);
        Ok(match at_time_event {
            true => Some(LegEnd::Event),
            false => stop,
        })
    }

    /// Applies the importer's request to return at `time` [s].
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

    /// Validates the arguments of a step; its end [s].
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
        let own = self.run.parameters.integration(&self.scene);
        let mut settings = Settings::new(tolerance)?.with_reach(TOLERANCE_REACH)?;
        settings = settings.with_budget(own.max_steps as u64);
        if own.max_step > 0.0 {
            settings = settings.with_max_step(own.max_step)?;
        }
        Ok(settings.with_solver(own.solver()))
    }

    pub(super) fn is_granular(&self) -> bool {
        let solver = self.run.parameters.integration(&self.scene).solver();
        self.run.kind == Kind::CoSimulation && solver == Solver::Dem
    }

    fn last_changes(&self) -> String {
        let verb = |impact_speed: Option<f64>| match impact_speed {
            Some(_) => "started",
            None => "ended",
        };
        let text = |change: &Change| match change {
            Change::Contact(change) => {
                let pair = self.scene.pair_name(change.pair);
                Some(format!("{} {pair}", verb(change.impact_speed)))
            }
            Change::Stop(change) => {
                let [joint, side] = self.scene.stop_names(change.stop);
                let verb = verb(change.impact_speed);
                Some(format!("{verb} the {side} stop of {joint}"))
            }
            _ => None,
        };
        let texts: Vec<String> = self.system.changes().iter().filter_map(text).collect();
        if texts.is_empty() {
            return "changed no contact".into();
        }
        texts.join(", ")
    }
}

impl Instance {
    /// Makes communication steps stop at each accepted internal step for `listener`, who reads the variables
    /// `required` there; by leniency also others.
    ///
    /// # Errors
    /// An unknown value reference; for a strict instance also one of a variable without intermediate values.
    pub(crate) fn watch_steps(
        &mut self,
        listener: Option<Rc<StepListener>>,
        required: &[u32],
    ) -> Result<(), Failure> {
        let refuse = |reason| {
            let argument = "argument requiredIntermediateVariables";
            Err(Failure::error(format!("{argument}: {reason}")))
        };
        for reference in required {
            let Some(quantity) = self.table.quantity(*reference) else {
                return refuse(self.unknown(*reference).message);
            };
            if self.rules().strict && !self.table.has_intermediate_values(&self.scene, quantity) {
                return refuse(format!(
                    "variable {} (value reference {reference}) has no intermediateUpdate in the \
                     model description",
                    self.name(quantity)
                ));
            }
        }
        let mut required = required.to_vec();
        required.sort_unstable();
        self.intermediate = Intermediate { listener, required };
        Ok(())
    }

    /// The listener of communication steps.
    pub(crate) fn step_listener(&self) -> Option<Rc<StepListener>> {
        self.intermediate.listener.clone()
    }

    /// Rejects reading unannounced variables inside a communication step if the instance is strict.
    pub(super) fn check_intermediate(&self, references: &[u32]) -> Result<(), Failure> {
        if self.run.mode != Mode::IntermediateUpdate || !self.rules().strict {
            return Ok(());
        }
        let known = &self.intermediate.required;
        match references.iter().find(|r| known.binary_search(r).is_err()) {
            None => Ok(()),
            Some(reference) => Err(Failure::error(format!(
                "value reference {reference} is not in requiredIntermediateVariables, so it \
                 cannot be read in Intermediate Update Mode"
            ))),
        }
    }

    /// Returns true if communication steps stop at inner points.
    pub(super) fn is_watched(&self) -> bool {
        self.intermediate.listener.is_some()
    }
}

/// Returns true if a time [s] of the importer equals one of this instance within rounding, in a step of
/// `length` [s].
fn is_close(time: f64, own: f64, length: f64) -> bool {
    (time - own).abs() <= TIME_MATCH * (own.abs() + length)
}

struct Recorder<'a> {
    scene: &'a Scene,
    ledger: &'a mut Ledger,
    loads: &'a mut TiSlice<ReportId, StepLoad>,
    log: &'a Log,
    is_heard: bool,
    /// Steps between messages about progress; 0 for none.
    every: u64,
    step: f64,
    /// Steps and events before this span.
    before: (u64, u64),
    /// Times [s] and contacts that started or ended.
    changes: Vec<(f64, Change)>,
}

impl Recorder<'_> {
    fn note(&mut self, pair: PairId, time: f64, impact_speed: Option<f64>) {
        if self.is_heard {
            let change = ContactChange { pair, impact_speed };
            self.changes.push((time, Change::Contact(change)));
        }
    }
}

impl Record for Recorder<'_> {
    fn started(&mut self, start: Start) {
        let Start { pair, time, speed } = start;
        self.ledger.note_start(self.scene, pair, time, speed);
        self.note(pair, time, Some(speed));
    }

    fn ended(&mut self, pair: PairId, time: f64) {
        self.note(pair, time, None);
    }

    fn pushed(&mut self, report: ReportId, force: &Vec3, time: f64) {
        let load = &mut self.loads[report];
        for (sum, force) in load.impulse.iter_mut().zip(force.iter()) {
            *sum += force * time;
        }
        load.peak_force = load.peak_force.max(force.norm());
    }

    fn stepped(&mut self, steps: u64, time: f64) {
        if self.every != 0 && steps != 0 && steps.is_multiple_of(self.every) {
            let (before, events) = self.before;
            tell(self.log, || Pulse {
                time,
                step: self.step,
                steps: before + steps,
                events,
                limit: Some(StepLimit::Fixed),
            });
        }
    }
}

impl Instance {
    /// Steps from the present time to the end of a communication step.
    fn take_granular_steps(&mut self, step: &StepUnderWay, crew: &Crew) -> Result<(), Failure> {
        let (point, until) = (step.point, step.until);
        if until <= self.run.time {
            return Ok(());
        }
        let known = self.granular.take();
        let mut granular = known.map_or_else(|| self.make_granular(), Ok)?;
        let done = self.step_granular(&mut granular, until, crew);
        self.granular = Some(granular);
        done.map_err(|failure| {
            Failure::error(format!(
                "the step from {} s to {} s failed: {}",
                Exact(point),
                Exact(until),
                failure.message
            ))
        })
    }

    fn make_granular(&mut self) -> Result<Box<Granular>, Failure> {
        let granular = Granular::new(self.system.model())?;
        self.log.info(Category::Integrator, || {
            format!(
                "granular mode: longest step {:?} s, from the stiffest contact",
                granular.longest_step()
            )
        });
        Ok(Box::new(granular))
    }

    fn step_granular(
        &mut self,
        granular: &mut Granular,
        until: f64,
        crew: &Crew,
    ) -> Result<(), Failure> {
        let settings = *self.integrator.settings();
        let span = Span {
            start: self.run.time,
            end: until,
            longest: settings.max_step().unwrap_or(f64::INFINITY),
            crew,
        };
        let (count, length) = granular.steps(&span);
        if count > settings.budget() {
            return Err(Failure::error(format!(
                "{count} steps of {length:e} s are needed; experiment.max_steps allows {}: allow \
                 more, take shorter communication steps, or make the contacts softer",
                settings.budget()
            )));
        }
        let (system, run) = (&self.system, &mut self.run);
        let mut ledger = system.ledger().clone();
        let held = Granular::held(system.model(), &ledger, &run.beyond_ledger, &run.states);
        let work = run.memory.statistics();
        let mut recorder = Recorder {
            every: steps_per_beat(&self.log, run.states.len()),
            step: length,
            before: (work.steps, work.events),
            log: &self.log,
            scene: &self.scene,
            ledger: &mut ledger,
            loads: &mut run.step_loads,
            is_heard: self.log.hears(Category::Contacts),
            changes: Vec::new(),
        };
        let summary = granular.advance(system, &span, &held, &mut run.states, &mut recorder)?;
        let changes = recorder.changes;
        run.beyond_ledger = granular.store(system.model(), &mut ledger, &mut run.states);
        run.memory
            .note_fixed_steps(summary.steps, summary.step, summary.largest_overlap);
        run.time = until;
        self.system.set_ledger(&ledger);
        self.touch();
        for (time, change) in changes {
            self.log_change(time, &change);
        }
        self.warn_of_missing_slots(&mut granular.warned);
        Ok(())
    }

    /// Warns if forces on bodies leave contacts out, and again at twice as many. Contacts between balls of
    /// `[[grains]]` need no slot: no force on a ball is an output.
    fn warn_of_missing_slots(&mut self, warned: &mut usize) {
        let scene = &self.scene;
        let is_of_body = |pair: PairId| {
            let shapes = scene.pairs().get(pair).shapes;
            !shapes
                .iter()
                .all(|shape| scene.is_grain(scene.shapes()[*shape].body))
        };
        let held = self.run.beyond_ledger.iter().map(|held| held.started.pair);
        let beyond = held.filter(|pair| is_of_body(*pair)).count();
        if beyond > 2 * *warned {
            *warned = beyond;
            let known = self.system.ledger().contacts().iter();
            let known = known.filter(|contact| is_of_body(contact.pair)).count();
            self.log.warning(Category::Contacts, || {
                format!(
                    "t={:?}: {beyond} contacts of bodies have no indicator slot: the motion has them, but not \
                     the outputs of contacts; set nz_max >= {} in [contact]",
                    self.run.time,
                    beyond + known
                )
            });
        }
    }
}

/// Fraction of the maximum internal step from which the last step counts as limited by it: the last steps
/// before an end or an event are shorter.
const NEARLY: f64 = 0.5;

impl Instance {
    /// Refuses a communication step from `point` to `end` [s] that needs more internal steps than allowed,
    /// before any of them is done. One that may return early is tried.
    pub(super) fn check_max_step(
        &self,
        settings: &Settings,
        point: f64,
        end: f64,
    ) -> Result<(), Failure> {
        let Some(longest) = settings.max_step() else {
            return Ok(());
        };
        let (length, budget) = (end - self.run.time, settings.budget() as f64);
        let steps = least_steps(length, longest);
        if steps <= budget || self.options.early_return_allowed {
            return Ok(());
        }
        Err(Failure::error(format!(
            "the step from {} s to {} s takes at least {steps:e} internal steps, since \
             experiment.max_step, now {longest:e} s, allows no longer ones; experiment.max_steps \
             allows {budget} of them: set experiment.max_step to {:.1e} s or more, or to 0 for no \
             limit, or take shorter communication steps",
            Exact(point),
            Exact(end),
            1.05 * length / budget
        )))
    }

    /// Refuses a communication step from `point` to `end` [s] in which a body with prescribed motion turns
    /// more than [`MOST_TURNS`] times.
    pub(super) fn check_turns(&self, point: f64, end: f64) -> Result<(), Failure> {
        let (model, length) = (self.system.model(), end - self.run.time);
        let driven = model.driven.iter().filter_map(|driven| {
            let (_, twist) = driven.motion(&self.run.inputs.held, 0.0)?;
            Some((driven.body, norm(&twist.omega_b)))
        });
        let prescribed = model.prescribed.iter().map(|prescribed| {
            let bound = prescribed.profile.bounds(self.run.time, end);
            (prescribed.body, bound.angular_speed)
        });
        for (body, speed) in driven.chain(prescribed) {
            let turns = speed * length / TAU;
            let mut shapes = self.scene.shapes().iter();
            if turns > MOST_TURNS && shapes.any(|shape| shape.body == body) {
                return Err(Failure::error(format!(
                    "the step from {} s to {} s: body {:?} turns at {speed:.3e} rad/s, {turns:.1e} times in \
                     it; its contacts are followed over {MOST_TURNS:.0} turns: let it turn more slowly, or \
                     take communication steps of {:.1e} s or less",
                    Exact(point),
                    Exact(end),
                    self.scene.bodies()[body].name,
                    MOST_TURNS * TAU / speed
                )));
            }
        }
        Ok(())
    }

    /// Limit of the internal steps with a remedy, as the end of a message; empty for unrelated failures.
    pub(super) fn what_limits_steps(&mut self, severity: Severity) -> String {
        let settings = *self.integrator.settings();
        let allow_more = format!(
            ", or allow more internal steps, experiment.max_steps, now {}",
            settings.budget()
        );
        let last = self.run.memory.last_step().length;
        match (severity, settings.max_step()) {
            (Severity::TooManySteps, Some(longest)) if last >= NEARLY * longest => format!(
                "; steps are no longer than experiment.max_step, now {longest:e} s: set it higher, \
                 or to 0 for no limit{allow_more}"
            ),
            (Severity::TooManySteps, _) => {
                let loosen = format!(
                    "loosen the tolerance, now {:e}",
                    settings.relative_tolerance()
                );
                match self.limit() {
                    Some(StepLimit::Error(state, Some(strain))) => format!(
                        "; steps of {last:.1e} s are limited by the error of {state}, not by the stiffness of the \
                         contacts, of which {} is the stiffest: {loosen}, let friction change over larger speeds \
                         (v_small, w_small) or be regularized rather than stick{allow_more}",
                        strain.name
                    ),
                    _ => format!("{}, {loosen}{allow_more}", self.what_is_stiff()),
                }
            }
            (Severity::StepTooSmall, _) => self.what_is_stiff(),
            _ => String::new(),
        }
    }

    fn what_is_stiff(&mut self) -> String {
        let stiffest = self.system.stiffest(self.run.time, &self.run.states);
        self.touch();
        match stiffest {
            Some(stiffest) => format!(
                "; the stiffest contact is {stiffest}, which changes within {:.1e} s: make it softer \
                 (stiffness, k_red) or less damped, let the bodies start apart or slower",
                1.0 / stiffest.rate()
            ),
            None => {
                "; nothing is in contact: look for a stiff spring or damper, a huge force or a body that spins fast".into()
            }
        }
    }
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
