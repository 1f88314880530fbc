//! A system over an island: takes states from the whole at the start of a window, returns them at its end,
//! and handles contacts that need no event.
//!
//! # Contacts that start and end within a step without an event
//!
//! The force of a contact that grows from zero like t^(3/2) or more smoothly has a kink at its start and its
//! end. In a step of length h at the speed u the force is bounded by F(u h), and the formula misses less than
//! [`KINK`] F(u h) h of its momentum, of which the error estimate sees only a part. If that is below the
//! tolerance of velocities no event is needed. The step is then repeated with the contact, whose force is
//! zero up to its start, and whose impact speed is that on the dense output there. A contact that has ended
//! is removed at the end of the step. In an island of many bodies some contact starts or ends in nearly every
//! step, and an event would restart all.

use crate::contact::Contact;
use crate::dynamics::approach::ShapePair;
use crate::dynamics::contacts::{Mode, Watched};
use crate::dynamics::guard;
use crate::dynamics::island::division::{self, Drift, Island, Reference};
use crate::dynamics::path::PathEnd;
use crate::dynamics::source::contacts::start;
use crate::dynamics::source::{Change, ContactChange, meet};
use crate::dynamics::stage::Stage;
use crate::dynamics::system::System;
use crate::hybrid::{Entry, EvaluationError, HybridSystem, Passing};
use contact_geometry::math::Vec3;
use contact_geometry::math::dense::DenseStep;
use contact_geometry::narrow_phase::Proximity;
use contact_laws::index::{LinkId, PairId, SlotId, TiSlice};
use contact_laws::response::choice::ContactRule;
use std::sync::Arc;

impl Island {
    /// Steps a link in free flight with a closed form over a time [s], see [`division`]. Its deviations are
    /// the estimated ones.
    pub(crate) fn fly(&mut self, system: &System, gravity: &Vec3, time: f64) {
        let model = system.model();
        self.states.clear();
        self.contacts.clear();
        self.hints.clear();
        self.stops.clear();
        self.latches.clear();
        self.changes.clear();
        self.deviations.clear();
        for index in &self.links {
            let own = model.links.all[*index].states();
            self.states.extend_from_slice(&system.stage.states[own]);
            division::fly(gravity, &mut self.states, time);
        }
        if model.scene.layout().work().is_some() {
            self.states.push(0.0);
        }
    }
}

impl System {
    /// Loads an island at the present time and states of the whole, where the window starts. Contacts may
    /// start and end without an event up to a relative tolerance; zero: none may.
    pub(crate) fn load(
        &mut self,
        whole: &System,
        island: &mut Island,
        tolerance: f64,
        drift: &mut Drift,
    ) {
        self.input_flaw.clone_from(&whole.input_flaw);
        self.scales = Arc::clone(&whole.scales);
        let Stage {
            mode, work, states, ..
        } = &mut self.stage;
        mode.model = Arc::clone(&whole.stage.mode.model);
        let Mode {
            model,
            scope,
            ledger,
            ..
        } = mode;
        scope.take(model, &island.links, &island.pairs);
        work.take_inputs(&whole.stage.work);
        whole.ledger().take_pairs(&island.pairs, ledger);
        for index in &scope.links {
            let own = model.links.all[*index].states();
            states[own.clone()].copy_from_slice(&whole.stage.states[own]);
        }
        let layout = model.scene.layout();
        for (slot, pair) in (0..).map(SlotId::from).zip(&island.pairs) {
            let Some(own) = layout.deflection_of(*pair, slot) else {
                continue;
            };
            let known = whole.ledger().contact(*pair);
            let known = known.and_then(|contact| layout.deflection_of(*pair, contact.slot));
            let own = &mut states[layout.deflection(own)];
            match known {
                Some(known) => own.copy_from_slice(&whole.stage.states[layout.deflection(known)]),
                None => own.fill(0.0),
            }
        }
        if let Some(work) = layout.work() {
            states[work] = 0.0;
        }
        island.states.resize(scope.state_count(), 0.0);
        scope.read(states, &mut island.states);
        let path = &mut self.guard.path;
        path.set_scope(model, scope.first_states(model));
        drift.begin(model, path, &scope.links, work.time);
        island.changes.clear();
        self.passed.clear();
        self.passed.changes.clear();
        self.passed.tolerance = tolerance;
        self.contacts_changed(false);
    }

    /// Returns true if a pair out of contact needs an event at this time [s] and states: rounding brought it
    /// into reach unwatched.
    ///
    /// # Errors
    /// Invalid states or inputs.
    pub(crate) fn is_overdue(
        &mut self,
        time: f64,
        states: &[f64],
    ) -> Result<bool, EvaluationError> {
        self.go_to(time, states)?;
        self.stage.place();
        let Stage { mode, work, .. } = &self.stage;
        let rule: ContactRule = mode.model.scene.contact().law.rule;
        let mut is_overdue = false;
        mode.watchers
            .each_gap(&mode.model, &work.frames, mode.ledger.hints(), |_, gap| {
                is_overdue |= rule.indicator(gap, false) <= 0.0;
            });
        Ok(is_overdue)
    }

    /// Adds an accepted step to the drift of the links.
    pub(crate) fn observe(
        &mut self,
        step: &DenseStep<'_>,
        references: &TiSlice<LinkId, Reference>,
        drift: &mut Drift,
    ) {
        let Stage { mode, work, .. } = &self.stage;
        let path = &mut self.guard.path;
        path.follow(&mode.model, step, work);
        drift.add(&mode.model, path, &mode.scope.links, references, step.t0());
    }

    /// Moves the changes by completed steps, and with its time [s] by the last event, to an island.
    pub(crate) fn hand_on_changes(&mut self, event: Option<f64>, island: &mut Island) {
        island.changes.append(&mut self.passed.changes);
        if let Some(time) = event {
            let changes = self.changes().iter().map(|change| (time, *change));
            island.changes.extend(changes);
        }
    }

    pub(crate) fn unload(&self, states: &[f64], island: &mut Island, drift: &Drift) {
        let Mode {
            model,
            scope,
            ledger,
            ..
        } = &self.stage.mode;
        island.states.copy_from_slice(states);
        island.contacts.clear();
        island.contacts.extend_from_slice(ledger.contacts());
        island.hints.clear();
        if self.hinted {
            let slots = ledger.slots().keys();
            island.hints.extend(slots.map(|slot| *ledger.hint(slot)));
        }
        island.stops.clear();
        let stops = scope.stops.iter();
        island
            .stops
            .extend(stops.map(|stop| (*stop, ledger.stops()[*stop])));
        island.latches.clear();
        let latches = scope.latches.iter();
        island
            .latches
            .extend(latches.map(|latch| (*latch, ledger.latches()[*latch])));
        island.deviations.clear();
        island
            .deviations
            .extend(drift.of_shapes(model, &self.guard.path, &scope.links));
    }
}

impl System {
    /// Takes over the islands' states and contacts at a time [s]; the islands must have started from the
    /// present time and states. Returns true if an event update is needed. Slots of pairs out of contact only
    /// affect outputs: they go to the nearest ones if the time `is_seen`.
    ///
    /// # Errors
    /// More contacts than indicator slots; a state that is not finite.
    pub(crate) fn take_islands(
        &mut self,
        islands: &[Island],
        time: f64,
        is_seen: bool,
        states: &mut [f64],
    ) -> Result<bool, EvaluationError> {
        let before = self.ledger().contacts().to_vec();
        let mut contacts: Vec<Contact> = Vec::new();
        for island in islands {
            contacts.extend_from_slice(&island.contacts);
        }
        contacts.sort_unstable_by_key(|contact| contact.pair);
        let scene = self.scene();
        if contacts.len() > scene.slot_count() {
            let pairs: Vec<_> = contacts.iter().map(|contact| contact.pair).collect();
            return Err(EvaluationError::error(
                crate::contact::too_many(scene, &pairs).0,
            ));
        }
        self.stage.mode.ledger.replace_contacts(&mut contacts);
        states[self.scene().layout().contacts()].fill(0.0);
        for island in islands {
            self.take_island(island, states);
        }
        self.note_starts(islands);
        match self.ledger().contacts() == before {
            true => self.slots_changed(),
            false => self.contacts_changed(false),
        }
        self.go_to(time, states)?;
        match is_seen || self.hinted {
            true => self.complete_islands(time, states),
            false => Ok(false),
        }
    }

    /// States, stops, latches and hints of an island; the contacts have their slots.
    fn take_island(&mut self, island: &Island, states: &mut [f64]) {
        let Mode { model, ledger, .. } = &mut self.stage.mode;
        let layout = model.scene.layout();
        let mut rest = &island.states[..];
        for index in &island.links {
            let own = model.links.all[*index].states();
            let (values, behind) = rest.split_at(own.len());
            states[own].copy_from_slice(values);
            rest = behind;
        }
        let slots = (0..).map(SlotId::from).zip(&island.pairs);
        for (slot, pair) in slots {
            if layout.deflection_of(*pair, slot).is_none() {
                continue;
            }
            let (values, behind) = rest.split_at(layout.contact_states());
            rest = behind;
            let known = ledger.contact(*pair);
            let own = known.and_then(|contact| layout.deflection_of(*pair, contact.slot));
            if let Some(own) = own {
                states[layout.deflection(own)].copy_from_slice(values);
            }
        }
        if let (Some(work), [dissipated]) = (layout.work(), rest) {
            states[work] += dissipated;
        }
        for (stop, contact) in &island.stops {
            ledger.stops_mut()[*stop] = *contact;
        }
        for (latch, state) in &island.latches {
            ledger.latches_mut()[*latch] = *state;
        }
        for (pair, hint) in island.pairs.iter().zip(&island.hints) {
            if let Some(slot) = ledger.contact(*pair).map(|contact| contact.slot) {
                ledger.set_hint(slot, *hint);
            }
        }
    }

    /// Records the contacts that have started, and triggers, each pair and trigger in the order of time.
    fn note_starts(&mut self, islands: &[Island]) {
        let Mode { model, ledger, .. } = &mut self.stage.mode;
        let changes = islands.iter().flat_map(|island| &island.changes);
        let mut strikes: Vec<_> = changes
            .filter_map(|(_, change)| match change {
                Change::Impulse(impulse) => Some(impulse.strikes.iter().flatten()),
                _ => None,
            })
            .flatten()
            .collect();
        // Islands that strike the same body each have their own order of time.
        strikes.sort_by(|(_, a), (_, b)| a.time.total_cmp(&b.time));
        for (body, strike) in strikes {
            ledger.note_strike(*body, strike);
        }
        let changes = islands.iter().flat_map(|island| &island.changes);
        for (time, change) in changes {
            match change {
                Change::Contact(change) => {
                    if let Some(speed) = change.impact_speed {
                        ledger.note_start(&model.scene, change.pair, *time, speed);
                    }
                }
                Change::Trigger { trigger, is_on } => ledger.triggers_mut()[*trigger] = *is_on,
                _ => {}
            }
        }
    }

    /// Assigns slots and hints for the present state.
    fn complete_islands(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        if !self.scene().monitors_all_pairs() {
            self.stage.place();
            self.guard.prepare(&self.stage.placement());
        }
        self.completed_step(time, states)
    }
}

/// Bound of the error of a step in F(u h) h [1]. With a force (t - t_0)^(3/2) that starts or ends anywhere in
/// the step, the formula of Dormand and Prince misses up to 0.0056; other formulas have as many stages.
pub const KINK: f64 = 0.02;
/// Width to which the start of a contact is located, relative to the step [1]; the dense output is no better.
const WIDTH: f64 = 1e-9;

fn time_at(step: &DenseStep<'_>, part: f64) -> f64 {
    step.t0() + part * (step.t1() - step.t0())
}

impl System {
    /// See [`HybridSystem::pass_over`](crate::hybrid::HybridSystem::pass_over).
    pub(in crate::dynamics) fn pass_contacts_over(
        &mut self,
        step: &DenseStep<'_>,
        indicators: [&[f64]; 2],
    ) -> Result<Passing, EvaluationError> {
        let Stage { mode, work, .. } = &self.stage;
        self.guard.path.follow(&mode.model, step, work);
        let [contacts, others @ ..] = self.sources.list();
        let mut at = contacts.count(mode);
        let of_pairs = indicators.map(|values| &values[..at]);
        for source in others {
            let own = at..at + source.count(mode);
            at = own.end;
            let own = indicators.map(|values| &values[own.clone()]);
            if self.guard.changes(mode, source, own) {
                return Ok(Passing::Event);
            }
        }
        if !self.find_changes(step, of_pairs) || !self.ends_are_harmless(step, of_pairs) {
            return Ok(Passing::Event);
        }
        if self.passed.found.is_empty() {
            let count = self.passed.started.len() + self.passed.ended.len();
            return Ok(Passing::Passed(count as u64));
        }
        match self.start_contacts(step)? {
            true => Ok(Passing::Repeat),
            false => Ok(Passing::Event),
        }
    }

    /// Finds the contacts that end in the step and the entries of others. Returns false if an event is
    /// needed.
    fn find_changes(&mut self, step: &DenseStep<'_>, [start, end]: [&[f64]; 2]) -> bool {
        let (mode, passed) = (&self.stage.mode, &mut self.passed);
        passed.ended.clear();
        passed.found.clear();
        for contact in mode.contacts.list() {
            let slot = contact.slot;
            if end[usize::from(slot)] <= 0.0 {
                continue;
            }
            if !mode.contacts.law(contact).starts_smoothly() {
                return false;
            }
            let between = Entry {
                before: passed.start_of(slot, step),
                after: 1.0,
            };
            let shapes = ShapePair::new(&mode.model, contact.pair);
            let guard = &mut self.guard;
            let mut approach = mode.approach(slot, &shapes, &mut guard.path, &mut guard.looks);
            let part = guard::change_of(&mut approach, between, WIDTH, false);
            passed.ended.push((slot, time_at(step, part)));
        }
        for Watched { slot, shapes } in mode.watchers.watched() {
            let [start, end] = [start, end].map(|values| values[usize::from(slot)]);
            let path = &mut self.guard.path;
            if start > 0.0 && start - shapes.travel(path, PathEnd::Start) > 0.0 {
                continue;
            }
            let mut entry = None;
            let mut approach = mode.approach(slot, shapes, path, &mut self.guard.looks);
            meet(&mut entry, &mut approach);
            match entry {
                Some(entry) if start > 0.0 && entry.after > entry.before => {
                    passed.found.push((slot, entry));
                }
                None if end > 0.0 && start > 0.0 => {}
                _ => return false,
            }
        }
        true
    }

    /// Returns true if no contact that ends in the step, at whose end the bodies are placed, needs an event.
    fn ends_are_harmless(&mut self, step: &DenseStep<'_>, [start, end]: [&[f64]; 2]) -> bool {
        if self.passed.ended.is_empty() {
            return true;
        }
        self.stage.place();
        let length = step.t1() - step.t0();
        let placement = self.stage.placement();
        self.passed.ended.iter().all(|(slot, _)| {
            let (at, pair) = (usize::from(*slot), self.pair_in(*slot));
            let near = placement.proximity(pair, self.ledger().hint(*slot));
            let speed = (end[at] - start[at]).abs() / length;
            self.is_harmless(pair, &near, speed, length)
        })
    }

    fn pair_in(&self, slot: SlotId) -> PairId {
        self.ledger().slots()[slot].unwrap_or(PairId::FIRST)
    }

    /// Starts the contacts found. Returns false if one needs an event.
    fn start_contacts(&mut self, step: &DenseStep<'_>) -> Result<bool, EvaluationError> {
        let length = step.t1() - step.t0();
        let mut contacts: Vec<Contact> = self.ledger().contacts().to_vec();
        for place in 0..self.passed.found.len() {
            let (slot, entry) = self.passed.found[place];
            let pair = self.pair_in(slot);
            let law = self.model().law(pair);
            if !law.starts_smoothly() {
                return Ok(false);
            }
            let mode = &self.stage.mode;
            let shapes = ShapePair::new(&mode.model, pair);
            let guard = &mut self.guard;
            let mut approach = mode.approach(slot, &shapes, &mut guard.path, &mut guard.looks);
            let part = guard::change_of(&mut approach, entry, WIDTH, true);
            let time = time_at(step, part);
            let mut states = std::mem::take(&mut self.passed.states);
            states.resize(step.start().len(), 0.0);
            step.interpolate(time, &mut states);
            let placed = self.go_to(time, &states);
            self.passed.states = states;
            placed?;
            self.stage.place();
            self.stage.factor();
            let Stage { mode, work, .. } = &self.stage;
            let near = self
                .stage
                .placement()
                .proximity(pair, mode.ledger.hint(slot));
            let patch = &mut self.sources.contacts.patch;
            let (impact_speed, frozen) = start(&mode.model, work, pair, &near, patch);
            let jumps = law.impulse.is_some_and(|i| impact_speed > i.rest_speed);
            if jumps || !self.is_harmless(pair, &near, impact_speed, length) {
                return Ok(false);
            }
            contacts.push(Contact {
                pair,
                slot,
                impact_speed,
                frozen,
                stepped: None,
            });
            self.passed.started.push((slot, time));
        }
        self.set_contacts(contacts);
        Ok(true)
    }

    /// Returns true if the kink of a contact that starts or ends with this speed [m/s] in a step of this
    /// length [s] is below the tolerance of the velocities of both bodies.
    fn is_harmless(&self, pair: PairId, near: &Proximity, speed: f64, length: f64) -> bool {
        let Stage { mode, work, .. } = &self.stage;
        let model = &*mode.model;
        let Some(law) = model.law(pair).normal.elastic().copied() else {
            return false;
        };
        let impulse = KINK * law.force(speed * length) * length;
        let (nominals, tolerance) = (&self.scales.nominals, self.passed.tolerance);
        model.pair_bodies(pair).iter().all(|body| {
            let Some(link) = model.links.of_bodies[*body] else {
                return true;
            };
            // The effect of a force on a joint is not known here.
            if !model.links.is_rigid(link) {
                return false;
            }
            let numbers = &model.bodies[*body];
            let arm = near.contact_point_w() - work.frames[body.frame()].position;
            // Friction acts at the same arm as well, across the normal.
            let turning = impulse * arm.norm() * numbers.inverse_inertia_b.norm();
            let rates = &nominals[model.links.all[link].rates.clone()];
            impulse / numbers.mass <= tolerance * rates[0] && turning <= tolerance * rates[3]
        })
    }

    /// Removes the contacts started by [`Self::start_contacts`]. Returns true if there are any.
    pub(in crate::dynamics) fn forget_started(&mut self) -> bool {
        let passed = &mut self.passed;
        let started = std::mem::take(&mut passed.started);
        passed.clear();
        if started.is_empty() {
            return false;
        }
        let mut contacts = self.ledger().contacts().to_vec();
        contacts.retain(|contact| started.iter().all(|(slot, _)| *slot != contact.slot));
        self.set_contacts(contacts);
        true
    }

    pub(in crate::dynamics) fn take_passed(&mut self) {
        let passed = &mut self.passed;
        if passed.started.is_empty() && passed.ended.is_empty() {
            return;
        }
        let (started, ended) = (
            std::mem::take(&mut passed.started),
            std::mem::take(&mut passed.ended),
        );
        let mut contacts = self.ledger().contacts().to_vec();
        let speed = |slot: SlotId| {
            let mut known = contacts.iter();
            known.find(|c| c.slot == slot).map(|c| c.impact_speed)
        };
        let starts = started
            .iter()
            .map(|(slot, time)| (*slot, *time, speed(*slot)));
        let ends = ended.iter().map(|(slot, time)| (*slot, *time, None));
        for (slot, time, impact_speed) in starts.chain(ends) {
            let change = ContactChange {
                pair: self.pair_in(slot),
                impact_speed,
            };
            self.passed.changes.push((time, Change::Contact(change)));
        }
        contacts.retain(|contact| ended.iter().all(|(slot, _)| *slot != contact.slot));
        self.set_contacts(contacts);
    }

    fn set_contacts(&mut self, mut contacts: Vec<Contact>) {
        contacts.sort_unstable_by_key(|contact| contact.pair);
        self.stage.mode.ledger.set_contacts(&contacts);
        self.contacts_changed(false);
    }
}
