//! What a system over an island takes from the whole at the start of a window, and what the whole takes
//! from its islands at the end.

use crate::contact::Contact;
use crate::dynamics::contacts::Mode;
use crate::dynamics::island::division::{self, Drift, Island, Reference};
use crate::dynamics::source::Change;
use crate::dynamics::stage::Stage;
use crate::dynamics::system::System;
use crate::hybrid::{EvaluationError, HybridSystem};
use contact_geometry::math::Vec3;
use contact_geometry::math::dense::DenseStep;
use contact_laws::index::{LinkId, SlotId, TiSlice};
use contact_laws::response::choice::ContactRule;
use std::sync::Arc;

impl Island {
    /// Steps a link in free flight that has a closed form over a time [s], see [`division`]. Its deviations are those
    /// expected.
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
    /// Takes an island to the present time and states of the whole, where the window starts. Contacts may
    /// start and end without an event up to a relative tolerance; none may with zero.
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

    /// Returns true if a pair out of contact needs an event at this time [s] and states: it came into
    /// reach by rounding where nothing watched it.
    ///
    /// # Errors
    /// States or inputs that cannot be used.
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

    /// Adds an accepted step to what the links have come off their reference motions.
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

    /// Hands what completed steps, and with its time [s] the last event, have changed on to an island.
    pub(crate) fn hand_on_changes(&mut self, event: Option<f64>, island: &mut Island) {
        island.changes.append(&mut self.passed.changes);
        if let Some(time) = event {
            let changes = self.changes().iter().map(|change| (time, *change));
            island.changes.extend(changes);
        }
    }

    /// Gives an island what it has at the end of the window, with these states.
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

// What islands did over a window becomes the state of the system.

impl System {
    /// Takes what these islands, which are all of the present time and states, did until a time
    /// [s], and writes the states there. Returns true if an event update is needed. Slots of pairs out
    /// of contact matter to nothing but outputs: they go to the nearest ones if the time `is_seen`.
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

    /// Notes the contacts that have started; those of a pair are in the order of time.
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
            if let Change::Contact(change) = change
                && let Some(speed) = change.impact_speed
            {
                ledger.note_start(&model.scene, change.pair, *time, speed);
            }
        }
    }

    /// Gives slots and hints for the present place.
    fn complete_islands(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        if !self.scene().monitors_all_pairs() {
            self.stage.place();
            self.guard.prepare(&self.stage.placement());
        }
        self.completed_step(time, states)
    }
}
