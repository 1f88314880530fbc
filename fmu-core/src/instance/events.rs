//! Event Mode: update of the ledger; contacts start and end.
//!
//! # Progress messages inside a communication step
//!
//! In log category `progress`. In Model Exchange, where the importer knows its progress, the stiffest contact
//! is reported in the same way.
//!
//! A message comes after a number of accepted internal steps, not after a time, so that a log is the same on
//! each machine. It gives the time reached, the length of the last internal step, and the limit of internal
//! steps, the first of
//! - events, if there is one in four steps or more often, with the last change;
//! - the maximum step;
//! - the stiffest contact, if a step is not short relative to the time in which its force changes;
//! - the error of a state, together with the stiffest contact.
//!
//! Without this category nothing is evaluated between two steps, and evaluations do not affect results.

use crate::instance::lifecycle::{Instance, LastBeat};
use crate::instance::log::{Category, Failure, Log};
use crate::instance::modes::{Call, Kind, Mode, Standard};
use crate::instance::state::InputChange;
use contact_geometry::math::Vec3;
use contact_laws::index::{PairId, StopId, TriggerId};
use contact_model::contact::Ledger;
use contact_model::dynamics::{Change, LatchChange, Limit, MotionJump, PairImpulse, Stiffest};
use contact_model::hybrid::{EvaluationError, EventOutcome, HybridSystem};
use contact_model::integrator::{Integrator, LegEnd, Memory, Statistics};
use contact_model::islands::{Beat, StepLoad};
use contact_model::scene::description::{Guard, InitialOverlap};

/// Maximum number of steps of the built-in integrator in a look ahead.
const FORESIGHT: usize = 100;
const FORESIGHT_LENGTH: f64 = 1000.0;
/// Relative delay of the time event after the predicted event [1].
const FORESIGHT_DELAY: f64 = 1e-7;

const MOST_OVERLAPS: usize = 10;

/// Result of an update of the discrete state. It is iterated to convergence inside, so no further update is
/// ever needed.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct DiscreteUpdate {
    pub states_changed: bool,
    /// Whether nominal values have changed, and an integrator has to restart.
    pub nominals_changed: bool,
    /// Time of the next time event [s], if known.
    pub next_event_time: Option<f64>,
}

impl Instance {
    /// Enters Event Mode; no effect in Event Mode.
    ///
    /// # Errors
    /// Not allowed now, or not for this instance.
    pub(crate) fn enter_event_mode(&mut self) -> Result<(), Failure> {
        if !self.options.event_mode_used && self.options.standard == Standard::Fmi3 {
            return Err(Failure::error(
                "this instance was made without event mode (eventModeUsed = false)",
            ));
        }
        self.allow(Call::EnterEvent)?;
        if self.run.mode != Mode::Event {
            self.run.updated = false;
            self.run.first_event_mode = false;
            self.run.states_changed = false;
            self.run.inputs.change = InputChange::None;
            if self.options.kind == Kind::ModelExchange {
                self.run.step_loads.fill(StepLoad::default());
            }
            self.entry.copy_from(self.system.ledger());
            self.enter(Mode::Event);
            self.apply_waiting_parameters();
        }
        Ok(())
    }

    /// Updates the discrete state at the current time and states.
    ///
    /// # Errors
    /// Not allowed now; invalid states; more contacts than indicators; in the first Event Mode bodies that
    /// start in too deep overlap.
    pub(crate) fn update_discrete_states(&mut self) -> Result<DiscreteUpdate, Failure> {
        self.allow(Call::UpdateDiscreteStates)?;
        self.ready()?;
        let first = !self.run.updated;
        let find_again = first && *self.system.ledger() != self.entry;
        if find_again {
            self.find_contacts_again()?;
        }
        let outcome = self.handle_event()?;
        let states_changed = std::mem::take(&mut self.run.states_changed) || outcome.states_changed;
        // The derivatives jump with the set of contacts, and FMI has no flag for that. An importer that
        // restarts its integrator only where states or nominals changed, as FMPy 0.3.29 does, would carry the
        // flight on through the plate, or pass over a short pulse at a kink of a table. So the nominals do
        // change.
        let derivatives_jump = find_again
            || (first && self.scene.has_kink_at(self.run.time))
            || self.system.changes().iter().any(Change::is_switch);
        let restart = derivatives_jump && !self.run.first_event_mode;
        let parameters_changed = std::mem::take(&mut self.run.nominals_changed);
        let nominals_changed = parameters_changed || restart;
        // Before the first step no integrator has anything to restart.
        if nominals_changed && !self.run.first_event_mode {
            self.run.nominal_set.advance();
        }
        if self.run.first_event_mode {
            self.system.go_to(self.run.time, &self.run.states)?;
            self.check_overlaps_here()?;
        }
        self.run.updated = true;
        Ok(DiscreteUpdate {
            states_changed,
            nominals_changed,
            next_event_time: self.foresee(outcome.next_event_time)?,
        })
    }

    /// Time of the next event [s], if the scene requests it: predicted by the built-in integrator with
    /// constant inputs, or how far it came in [`FORESIGHT`] steps; `known` depends on time alone. Slightly
    /// late, so that an importer that sees the indicators change finds its own time. The states are
    /// unchanged.
    fn foresee(&mut self, known: Option<f64>) -> Result<Option<f64>, Failure> {
        if self.options.kind != Kind::ModelExchange || self.scene.interface().guard != Guard::Time {
            return Ok(known);
        }
        let last = self.run.stop_time.unwrap_or(f64::INFINITY);
        let now = self.run.time;
        let end = known
            .unwrap_or(f64::INFINITY)
            .min(last)
            .min(now + FORESIGHT_LENGTH);
        let (ledger, anchor) = (self.system.ledger().clone(), self.system.anchor().clone());
        let (mut time, mut states) = (now, self.run.states.clone());
        let mut integrator = Integrator::new(
            states.len(),
            self.system.indicator_count(),
            self.settings()?,
        );
        let mut memory = Memory::default();
        let mut go = || {
            let Some(mut leg) =
                integrator.start(&mut self.system, &mut memory, time, &states, end)?
            else {
                return Ok(Some(LegEnd::End));
            };
            let mut stop = None;
            for _ in 0..FORESIGHT {
                let reached = (&mut time, &mut states[..]);
                stop = integrator.accept_step(
                    &mut self.system,
                    &mut memory,
                    reached.0,
                    reached.1,
                    &mut leg,
                    None,
                )?;
                if stop.is_some() {
                    break;
                }
            }
            Ok::<_, EvaluationError>(stop)
        };
        let stop = go();
        self.system.set_ledger(&ledger);
        self.system.set_anchor(&anchor);
        self.system.go_to(now, &self.run.states)?;
        self.touch();
        let later = time + FORESIGHT_DELAY * (time - now);
        Ok(match stop {
            // Nothing is to be seen so far; at its end another look is due.
            Ok(Some(LegEnd::End)) => known.or((end < last).then_some(end)),
            // What fails here may fail the importer too, which has its own steps.
            Err(_) => known,
            Ok(_) => Some(known.map_or(later, |known| known.min(later))),
        })
    }

    /// Invalidates results of other states or inputs: an earlier update in Event Mode, and contacts of other
    /// start values.
    pub(super) fn states_moved(&mut self) {
        if self.run.mode == Mode::Event {
            self.run.updated = false;
            if self.run.first_event_mode {
                self.entry = Ledger::new(&self.scene);
            }
        }
    }

    /// No effect without a separate discrete evaluation, [FMI 3.0] section 2.3.5.
    ///
    /// # Errors
    /// Not allowed now.
    pub(crate) fn evaluate_discrete_states(&mut self) -> Result<(), Failure> {
        self.allow(Call::EvaluateDiscreteStates)
    }

    /// Leaves Event Mode in Model Exchange.
    ///
    /// # Errors
    /// Not allowed now; those of an omitted update.
    pub(crate) fn enter_continuous_time_mode(&mut self) -> Result<(), Failure> {
        self.allow(Call::EnterContinuousTime)?;
        self.leave_event_mode(Mode::ContinuousTime)
    }

    /// Leaves Event Mode in Co-Simulation.
    ///
    /// # Errors
    /// Not allowed now; those of an omitted update.
    pub(crate) fn enter_step_mode(&mut self) -> Result<(), Failure> {
        self.allow(Call::EnterStep)?;
        self.leave_event_mode(Mode::Step)
    }

    fn leave_event_mode(&mut self, next: Mode) -> Result<(), Failure> {
        // An importer that omitted the update would go on with stale contacts; what this one changed is
        // reported by the next update.
        if !self.run.updated || self.run.parameters_changed {
            self.run.nominals_changed = self.update_discrete_states()?.nominals_changed;
        }
        self.run.first_event_mode = false;
        self.watch_driven_bodies();
        self.enter(next);
        Ok(())
    }

    /// Event update, in Event Mode or inside a communication step.
    pub(super) fn handle_event(&mut self) -> Result<EventOutcome, Failure> {
        self.system.allow_surplus(self.is_granular());
        let outcome = self
            .system
            .update_event(self.run.time, &mut self.run.states)?;
        self.run.event_pending = false;
        self.run.memory.restart_after_event();
        self.run.memories.restart_after_event();
        self.touch();
        self.log_changes(|change| matches!(change, Change::Jump(_)));
        self.log_event();
        self.note_impulses();
        self.log_overlaps()?;
        self.watch_distances()?;
        Ok(outcome)
    }

    pub(super) fn watch_distances(&mut self) -> Result<(), Failure> {
        for (index, named) in self.scene.named_pairs().iter_enumerated() {
            let Some(limit) = named.warn_below else {
                continue;
            };
            self.system.go_to(self.run.time, &self.run.states)?;
            let distance = self.system.distance_here(index);
            let is_close = distance < limit;
            if is_close && !self.run.too_close[index] {
                self.log.warning(Category::Contacts, || {
                    let (t, [a, b]) = (self.run.time, &named.between);
                    format!("too close: t={t:?} pair={a}:{b} distance={distance:?} limit={limit:?}")
                });
            }
            self.run.too_close[index] = is_close;
        }
        Ok(())
    }

    /// Rejects the current states as start values if pairs overlap deeper than their loads explain, unless
    /// the scene accepts that.
    ///
    /// # Errors
    /// Such an overlap, by pair and depth.
    pub(super) fn check_overlaps_here(&mut self) -> Result<(), Failure> {
        if self.scene.contact().initial_overlap == InitialOverlap::Accept {
            return Ok(());
        }
        let overlaps = self.system.deep_overlaps_here();
        if overlaps.is_empty() {
            return Ok(());
        }
        let named = overlaps.iter().take(MOST_OVERLAPS);
        let named = named.map(|o| {
            let pair = self.scene.pair_name(o.pair);
            let limit = match o.limit {
                Limit::Depth(allowed) => format!("at most {allowed:.3e} m"),
                Limit::Load { found, allowed } => format!(
                    "{:.3e} N and {:.3e} J, at most {:.3e} N or {:.3e} J",
                    found.force, found.energy, allowed.force, allowed.energy
                ),
            };
            format!("{pair} by {:.3e} m ({limit})", o.depth)
        });
        let mut named: Vec<String> = named.collect();
        if overlaps.len() > MOST_OVERLAPS {
            named.push(format!("{} more pairs", overlaps.len() - MOST_OVERLAPS));
        }
        let separated = match self.scene.contact().initial_overlap {
            InitialOverlap::Separate => {
                " (\"separate\" moves the bodies of the scene file only, when the FMU is built)"
            }
            _ => "",
        };
        Err(Failure::error(format!(
            "start values make bodies overlap deeper than their loads press them together: {}; set start values that \
             leave them apart, or build the FMU with initial_overlap = \"accept\": then they are thrown apart with the \
             energy that their overlap stores{separated}",
            named.join(", ")
        )))
    }

    /// Logs the last event update of the system, and its changes of contacts, stops, latches and triggers.
    pub(super) fn log_event(&self) {
        self.log_event_at(self.run.time);
        self.log_changes(|change| change.is_switch() || matches!(change, Change::Trigger { .. }));
    }

    fn log_event_at(&self, t: f64) {
        self.log.info(Category::Events, || {
            let contacts = self.system.ledger().contacts().len();
            format!("event: t={t:?} contacts={contacts}")
        });
    }

    /// Logs the changes of the last event update of the system selected by `wanted`.
    pub(super) fn log_changes(&self, wanted: impl Fn(&Change) -> bool) {
        if self.log.hears(Category::Contacts) {
            let changes = self.system.changes().iter();
            for change in changes.filter(|change| wanted(change)) {
                self.log_change(self.run.time, change);
            }
        }
    }

    pub(super) fn log_changes_of_islands(&self) {
        let Some(windows) = &self.windows else { return };
        for (time, change) in windows.changes() {
            self.log_event_at(*time);
            self.log_change(*time, change);
        }
    }

    fn log_change(&self, t: f64, change: &Change) {
        match change {
            Change::Jump(jump) => self.log_jump(t, jump),
            Change::Contact(change) => self.log_contact(t, change.pair, change.impact_speed),
            Change::Stop(change) => self.log_stop(t, change.stop, change.impact_speed),
            Change::Latch(change) => self.log_latch(t, change),
            Change::Impulse(impulse) => self.log_impulse(t, impulse),
            Change::Trigger { trigger, is_on } => self.log_trigger(t, *trigger, *is_on),
        }
    }

    fn log_jump(&self, t: f64, known: &MotionJump) {
        self.log.info(Category::Contacts, || {
            format!(
                "velocity jump: t={t:?} body={} velocity={} angular_velocity={} impulse={} moment={}",
                self.scene.bodies()[known.body].name,
                vector(&known.jump.linear),
                vector(&known.jump.angular),
                vector(&known.impulse.linear),
                vector(&known.impulse.angular)
            )
        });
    }

    /// Logs the impulses of the last event update of the system, and adds those of reported pairs to their
    /// loads.
    pub(super) fn note_impulses(&mut self) {
        let impulses = self.system.impulses();
        for impulse in impulses.list() {
            for report in self.scene.reports_with(impulse.pair) {
                self.run.step_loads[report].strike(&impulse.impulse_w);
            }
        }
        self.log_changes(|change| matches!(change, Change::Impulse(_)));
        let summary = impulses.summary();
        if summary.capped {
            self.log.warning(Category::Contacts, || {
                format!(
                    "impulses: t={:?} did not settle after {} hits; what still approaches is left to the force of its \
                     law; a smaller restitution, or multi_impact = \"together\", needs fewer",
                    self.run.time, summary.hits
                )
            });
        }
    }

    fn log_impulse(&self, t: f64, impulse: &PairImpulse) {
        self.log.info(Category::Contacts, || {
            let pair = self.scene.pair_name(impulse.pair);
            let impulse = vector(&impulse.impulse_w);
            format!("impulse: t={t:?} pair={pair} impulse={impulse}")
        });
    }

    /// Logs that a latch closed or opened at a time [s], with its impulse.
    fn log_latch(&self, t: f64, change: &LatchChange) {
        self.log.info(Category::Contacts, || {
            let name = &self.scene.latches()[change.latch].name;
            let verb = match (change.is_closed, change.was_closed) {
                (true, true) => "stops",
                (true, false) => "closes",
                (false, _) => "opens",
            };
            let (impulse, moment) = (vector(&change.impulse_w), vector(&change.moment_w));
            format!("latch {verb}: t={t:?} latch={name} impulse={impulse} moment={moment}")
        });
    }

    pub(super) fn log_trigger(&self, t: f64, trigger: TriggerId, is_on: bool) {
        self.log.info(Category::Contacts, || {
            let state = if is_on { "on" } else { "off" };
            let name = &self.scene.triggers()[trigger].given.name;
            format!("trigger {state}: t={t:?} trigger={name}")
        });
    }

    pub(super) fn log_overlaps(&mut self) -> Result<(), Failure> {
        let has_rules = self.scene.contact().sparsification.is_some();
        if !(has_rules && self.log.hears(Category::Contacts)) {
            return Ok(());
        }
        self.system.go_to(self.run.time, &self.run.states)?;
        if let (_, Some(count)) = self.system.sparsified_here() {
            self.log.info(Category::Contacts, || {
                format!(
                    "overlaps: t={:?} found={} kept={} smallest_area={} threshold={} smallest_distance={}",
                    self.run.time,
                    count.found(),
                    count.kept,
                    count.small,
                    count.minor,
                    count.close
                )
            });
        }
        Ok(())
    }

    /// Logs that a contact started at a time [s] with a speed [m/s], or ended.
    pub(super) fn log_contact(&self, t: f64, pair: PairId, impact_speed: Option<f64>) {
        self.log.info(Category::Contacts, || {
            let name = self.scene.pair_name(pair);
            match impact_speed {
                Some(speed) => format!("contact start: t={t:?} pair={name} speed={speed:?}"),
                None => format!("contact end: t={t:?} pair={name}"),
            }
        });
    }

    /// Logs that a joint stop was hit at a time [s] with a speed [m/s] or [rad/s], or released.
    pub(super) fn log_stop(&self, t: f64, stop: StopId, impact_speed: Option<f64>) {
        self.log.info(Category::Contacts, || {
            let [joint, side] = self.scene.stop_names(stop);
            match impact_speed {
                Some(speed) => {
                    format!("stop start: t={t:?} joint={joint} side={side} speed={speed:?}")
                }
                None => format!("stop end: t={t:?} joint={joint} side={side}"),
            }
        });
    }
}

/// Vector as a value of a message, without spaces.
fn vector(v: &Vec3) -> String {
    format!("{:?},{:?},{:?}", v.x, v.y, v.z)
}

/// State values written by the steps between two messages: a message costs little beside them.
const VALUES_PER_BEAT: usize = 20_000;
/// Maximum number of steps between two messages.
const MOST_STEPS: usize = 1000;
/// Steps per event up to which events count as the limit.
const STEPS_PER_EVENT: u64 = 4;
/// Fraction of the maximum step from which the last one counts as limited by it.
const NEARLY: f64 = 0.5;
/// Fraction of the time in which a contact's force changes from which steps count as limited by the contact.
/// Accuracy requires a tenth or so in an impact, stability some three times as much at rest.
const PART_OF_CHANGE: f64 = 0.03;

/// Steps between messages for this number of states; 0 if nobody listens.
pub(super) fn steps_per_beat(log: &Log, state_count: usize) -> u64 {
    match log.hears(Category::Progress) {
        true => (VALUES_PER_BEAT / state_count.max(1)).clamp(1, MOST_STEPS) as u64,
        false => 0,
    }
}

/// Message about steps in an island, whose counters start at zero, after the work `before`.
pub(super) fn log_beat(log: &Log, beat: &Beat, before: &Statistics) {
    log.info(Category::Progress, || {
        let limit = limit_of(beat.step, beat.stiffest.as_ref(), beat.state.as_deref());
        format!(
            "progress: t={:?} step={:?} steps={} events={}{limit}",
            beat.time,
            beat.step,
            before.steps + beat.steps,
            before.events + beat.events
        )
    });
}

impl Instance {
    /// Steps between messages; 0 if nobody listens.
    pub(super) fn steps_per_beat(&self) -> u64 {
        steps_per_beat(&self.log, self.run.states.len())
    }

    /// Logs the progress of a communication step, if due.
    pub(super) fn beat(&mut self) {
        let every = self.steps_per_beat();
        if every == 0 {
            return;
        }
        let work = *self.run.memory.statistics();
        if work.steps < self.last_beat.steps {
            // An earlier state was restored.
            self.last_beat = LastBeat::default();
        }
        if work.steps / every == self.last_beat.steps / every || self.is_granular() {
            return;
        }
        let limit = self.limit();
        self.last_beat = LastBeat {
            steps: work.steps,
            events: work.events,
            time: self.run.time,
        };
        let (time, step) = (self.run.time, self.run.memory.last_step().length);
        self.log.info(Category::Progress, || {
            format!(
                "progress: t={time:?} step={step:?} steps={} events={}{limit}",
                work.steps, work.events
            )
        });
    }

    /// Model Exchange: counts a completed step, and logs the stiffest contact if due.
    pub(super) fn beat_of_importer(&mut self) {
        let every = self.steps_per_beat();
        if every == 0 {
            return;
        }
        let time = self.run.time;
        let step = time - self.last_beat.time;
        self.last_beat.time = time;
        self.last_beat.steps += 1;
        let steps = self.last_beat.steps;
        if !steps.is_multiple_of(every) {
            return;
        }
        let stiffest = self.system.stiffest(time, &self.run.states);
        self.touch();
        self.log.info(Category::Progress, || {
            let limit = limit_of(step, stiffest.as_ref(), None);
            format!("progress: t={time:?} step={step:?} steps={steps} events=0{limit}")
        });
    }

    /// Limit of the internal steps, as fields of the message.
    fn limit(&mut self) -> String {
        let work = self.run.memory.statistics();
        let steps = work.steps - self.last_beat.steps;
        let events = work.events.saturating_sub(self.last_beat.events);
        let step = self.run.memory.last_step().length;
        if events * STEPS_PER_EVENT >= steps {
            return match self.last_change() {
                Some(name) => format!(" limit=events name={name}"),
                None => " limit=events".to_owned(),
            };
        }
        let longest = self.integrator.settings().max_step();
        if longest.is_some_and(|longest| step >= NEARLY * longest) {
            return " limit=max_step".to_owned();
        }
        let stiffest = self.system.stiffest(self.run.time, &self.run.states);
        self.touch();
        let state = self.integrator.limiting_state();
        let state = state.filter(|state| *state < self.system.state_count());
        let state = state.map(|state| self.system.state_name(state));
        limit_of(step, stiffest.as_ref(), state.as_deref())
    }

    fn last_change(&self) -> Option<String> {
        let name = |change: &Change| match change {
            Change::Contact(change) => Some(self.scene.pair_name(change.pair)),
            Change::Stop(change) => Some(self.scene.stop_names(change.stop).join(":")),
            Change::Latch(change) => Some(self.scene.latches()[change.latch].name.clone()),
            Change::Trigger { trigger, .. } => {
                Some(self.scene.triggers()[*trigger].given.name.clone())
            }
            Change::Impulse(impulse) => Some(self.scene.pair_name(impulse.pair)),
            Change::Jump(_) => None,
        };
        self.system.changes().iter().find_map(name)
    }
}

/// Limit of a step [s]: the stiffest contact, or the error of a state.
fn limit_of(step: f64, stiffest: Option<&Stiffest>, state: Option<&str>) -> String {
    let contact = stiffest.map_or(String::new(), |stiffest| {
        format!(
            " name={} depth={:?} stiffness={:?} duration={:?} angular={}",
            stiffest.key,
            stiffest.depth,
            stiffest.stiffness,
            1.0 / stiffest.rate(),
            u8::from(stiffest.is_angular)
        )
    });
    match (stiffest, state) {
        (Some(stiffest), _) if step * stiffest.rate() >= PART_OF_CHANGE => {
            format!(" limit=contact{contact}")
        }
        (_, Some(state)) => format!(" limit=error state={state}{contact}"),
        _ => String::new(),
    }
}
