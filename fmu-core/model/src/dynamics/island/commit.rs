//! What islands did over a window becomes the state of the system.

use crate::contact::Contact;
use crate::dynamics::event::placement;
use crate::dynamics::island::state::{Change, Island};
use crate::dynamics::system::System;
use crate::hybrid::{EvaluationError, HybridSystem};
use contact_laws::index::SlotId;

impl System {
    /// Takes what these islands, which are all of the present time and states, did until a time
    /// [s], and writes the states there. Returns true if an event update is needed. Slots of pairs out
    /// of contact matter to nothing but outputs: they go to the nearest ones if the time `is_seen`.
    ///
    /// # Errors
    /// More contacts than indicator slots; a state that is not finite.
    pub fn take_islands(
        &mut self,
        islands: &[Island],
        (time, is_seen): (f64, bool),
        states: &mut [f64],
    ) -> Result<bool, EvaluationError> {
        let before = self.ledger.contacts().to_vec();
        let mut contacts: Vec<Contact> = Vec::new();
        for island in islands {
            contacts.extend_from_slice(&island.contacts);
        }
        contacts.sort_unstable_by_key(|contact| contact.pair);
        let scene = &self.model.scene;
        if contacts.len() > scene.slot_count() {
            let pairs: Vec<_> = contacts.iter().map(|contact| contact.pair).collect();
            return Err(EvaluationError::error(
                crate::contact::too_many(scene, &pairs).0,
            ));
        }
        self.ledger.replace_contacts(&mut contacts);
        states[self.model.scene.layout().contacts()].fill(0.0);
        for island in islands {
            self.take_island(island, states);
        }
        self.note_starts(islands);
        match self.ledger.contacts() == before {
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
        let (model, layout) = (&self.model, self.model.scene.layout());
        let mut rest = &island.states[..];
        for index in &island.links {
            let link = &model.links.all[*index];
            let own = link.first_state()..link.rates.end;
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
            let known = self.ledger.contact(*pair);
            let own = known.and_then(|contact| layout.deflection_of(*pair, contact.slot));
            if let Some(own) = own {
                states[layout.deflection(own)].copy_from_slice(values);
            }
        }
        if let (Some(work), [dissipated]) = (layout.work(), rest) {
            states[work] += dissipated;
        }
        for (stop, contact) in &island.stops {
            self.ledger.stops_mut()[*stop] = *contact;
        }
        for (latch, state) in &island.latches {
            self.ledger.latches_mut()[*latch] = *state;
        }
        for (pair, hint) in island.pairs.iter().zip(&island.hints) {
            if let Some(slot) = self.ledger.contact(*pair).map(|contact| contact.slot) {
                self.ledger.set_hint(slot, *hint);
            }
        }
    }

    /// Notes the contacts that have started; those of a pair are in the order of time.
    fn note_starts(&mut self, islands: &[Island]) {
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
            self.ledger.note_strike(*body, strike);
        }
        if self.model.scene.reported().is_empty() {
            return;
        }
        let changes = islands.iter().flat_map(|island| &island.changes);
        for (time, change) in changes {
            if let Change::Contact(change) = change
                && let Some(speed) = change.impact_speed
            {
                let scene = &self.model.scene;
                self.ledger.note_start(scene, change.pair, *time, speed);
            }
        }
    }

    /// Gives slots and hints for the present place.
    fn complete_islands(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        if !self.model.scene.monitors_all_pairs() {
            self.place();
            self.guard.prepare(&placement(&self.model, &self.work));
        }
        self.completed_step(time, states)
    }
}
