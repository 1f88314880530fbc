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
use crate::instance::record::{ContactEvent, EventKind, Pulse, StepLimit, Strain, tell};
use crate::instance::state::InputChange;
use contact_laws::index::PairId;
use contact_model::contact::Ledger;
use contact_model::dynamics::{Change, Limit, Overlap, Stiffest};
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

    /// Warns once a contact of what is pressed so deep into a mesh that it may soon go through it.
    fn watch_depths(&mut self) -> Result<(), Failure> {
        let (ledger, beyond) = (self.system.ledger(), &self.run.beyond_ledger);
        let is_beyond = |pair: &PairId| beyond.iter().any(|held| held.started.pair == *pair);
        let is_on = |pair: &PairId| ledger.contact(*pair).is_some() || is_beyond(pair);
        self.run.deep.retain(is_on);
        let is_none = ledger.contacts().is_empty() && beyond.is_empty();
        if is_none || !self.log.hears(Category::Contacts) || !self.scene.has_meshes() {
            return Ok(());
        }
        let deepest = match self.is_granular() {
            true => MOST_DEPTH * self.run.memory.largest_overlap(),
            false => f64::INFINITY,
        };
        self.system.go_to(self.run.time, &self.run.states)?;
        let beyond = self.run.beyond_ledger.iter().map(|held| held.started.pair);
        for Overlap { pair, depth, limit } in self.system.deep_in_meshes_here(beyond, deepest) {
            let known = self.run.deep.contains(&pair);
            if let (Limit::Depth(limit), false) = (limit, known) {
                self.run.deep.push(pair);
                self.log.warning(Category::Contacts, || {
                    let (t, pair) = (self.run.time, self.scene.pair_name(pair));
                    format!(
                        "deep in a mesh: t={t:?} pair={pair} depth={depth:?} limit={limit:?}; from the limit on \
                         nothing pushes the two apart there; make the contact stiffer, by youngs_modulus of the \
                         materials or, of flat shapes, stiffness_per_area"
                    )
                });
            }
        }
        Ok(())
    }

    pub(super) fn watch_distances(&mut self) -> Result<(), Failure> {
        self.watch_depths()?;
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
                Limit::Inside => {
                    "inside a mesh, where no force acts and \"accept\" does not help".into()
                }
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

    /// Logs a change at a time [s].
    pub(super) fn log_change(&self, time: f64, change: &Change) {
        tell(&self.log, || self.event_of(time, change));
    }

    fn event_of(&self, time: f64, change: &Change) -> ContactEvent {
        use EventKind as Kind;
        let scene = &self.scene;
        let mut event = ContactEvent {
            time,
            ..ContactEvent::default()
        };
        let either = |is: bool, [no, yes]: [Kind; 2]| if is { yes } else { no };
        (event.kind, event.pair) = match change {
            Change::Contact(change) => {
                event.impact_speed = change.impact_speed;
                let kinds = [Kind::ContactEnd, Kind::ContactStart];
                let kind = either(change.impact_speed.is_some(), kinds);
                (kind, scene.pair_name(change.pair))
            }
            Change::Stop(change) => {
                event.impact_speed = change.impact_speed;
                let kinds = [Kind::StopEnd, Kind::StopStart];
                let kind = either(change.impact_speed.is_some(), kinds);
                (kind, scene.stop_names(change.stop).join(":"))
            }
            Change::Latch(change) => {
                event.impulse = Some(change.impulse_w.into());
                event.moment = Some(change.moment_w.into());
                let closed = either(change.was_closed, [Kind::LatchCloses, Kind::LatchStops]);
                let kind = either(change.is_closed, [Kind::LatchOpens, closed]);
                (kind, scene.latches()[change.latch].name.clone())
            }
            Change::Impulse(impulse) => {
                event.impulse = Some(impulse.impulse_w.into());
                (Kind::Impulse, scene.pair_name(impulse.pair))
            }
            Change::Trigger { trigger, is_on } => {
                let kind = either(*is_on, [Kind::TriggerOff, Kind::TriggerOn]);
                (kind, scene.triggers()[*trigger].given.name.clone())
            }
            Change::Jump(known) => {
                event.impulse = Some(known.impulse.linear.into());
                event.moment = Some(known.impulse.angular.into());
                event.velocity = Some(known.jump.linear.into());
                event.angular_velocity = Some(known.jump.angular.into());
                (Kind::Jump, scene.bodies()[known.body].name.clone())
            }
        };
        event
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

    /// Logs how many overlaps the rules of the scene keep and drop, if it has such rules.
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
}

/// Maximum depth of a ball in a mesh relative to the overlap that fixed steps have [1], that of points with the same
/// force: at half of the radius 1.3 on a plane, some 5 on a corner of a cube.
const MOST_DEPTH: f64 = 10.0;

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
    tell(log, || Pulse {
        time: beat.time,
        step: beat.step,
        steps: before.steps + beat.steps,
        events: before.events + beat.events,
        limit: limit_of(beat.step, beat.stiffest.as_ref(), beat.state.as_deref()),
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
        tell(&self.log, || Pulse {
            time: self.run.time,
            step: self.run.memory.last_step().length,
            steps: work.steps,
            events: work.events,
            limit,
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
        tell(&self.log, || Pulse {
            time,
            step,
            steps,
            events: 0,
            limit: limit_of(step, stiffest.as_ref(), None),
        });
    }

    /// Limit of the internal steps, if known.
    pub(super) fn limit(&mut self) -> Option<StepLimit> {
        let work = self.run.memory.statistics();
        let steps = work.steps - self.last_beat.steps;
        let events = work.events.saturating_sub(self.last_beat.events);
        let step = self.run.memory.last_step().length;
        if events * STEPS_PER_EVENT >= steps {
            let mut changes = self.system.changes().iter();
            let last = changes.find(|change| !matches!(change, Change::Jump(_)));
            let name = last.map(|change| self.event_of(self.run.time, change).pair);
            return Some(StepLimit::Events(name));
        }
        let longest = self.integrator.settings().max_step();
        if longest.is_some_and(|longest| step >= NEARLY * longest) {
            return Some(StepLimit::LongestStep);
        }
        let stiffest = self.system.stiffest(self.run.time, &self.run.states);
        self.touch();
        let state = self.integrator.limiting_state();
        let state = state.filter(|state| *state < self.system.state_count());
        let state = state.map(|state| self.system.state_name(state));
        limit_of(step, stiffest.as_ref(), state.as_deref())
    }
}

/// Limit of a step [s]: the stiffest contact, or the error of a state.
fn limit_of(step: f64, stiffest: Option<&Stiffest>, state: Option<&str>) -> Option<StepLimit> {
    let strain = |stiffest: &Stiffest| Strain {
        name: stiffest.key.clone(),
        depth: stiffest.depth,
        stiffness: stiffest.stiffness,
        duration: 1.0 / stiffest.rate(),
        is_angular: stiffest.is_angular,
    };
    match (stiffest, state) {
        (Some(stiffest), _) if step * stiffest.rate() >= PART_OF_CHANGE => {
            Some(StepLimit::Contact(strain(stiffest)))
        }
        (_, Some(state)) => Some(StepLimit::Error(state.to_owned(), stiffest.map(strain))),
        _ => None,
    }
}
