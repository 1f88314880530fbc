//! Work arrays that one island after the other is stepped with.
//!
//! Arrays are as long as those of the whole scene, so that states and bodies keep their places;
//! only those of the island that is loaded are read and written, so loading costs as much as the
//! island is large.

use crate::contact::{Contact, Ledger};
use crate::dynamics::approach::ShapePair;
use crate::dynamics::contacts::{Contacts, Progress};
use crate::dynamics::event::placement;
use crate::dynamics::impulses::Impulses;
use crate::dynamics::island::{Change, Deviation, Island, Passed, Reference, division};
use crate::dynamics::latches::Latches;
use crate::dynamics::parts::Workspace;
use crate::dynamics::path::Path;
use crate::dynamics::system::System;
use crate::dynamics::tangent::Tangent;
use crate::hybrid::{EvaluationError, HybridSystem};
use contact_geometry::math::Vec3;
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::index::{
    ActiveId, DeflectionId, LatchId, LinkId, SlotId, StopId, TiSlice, TiVec,
};
use std::ops::Range;

/// Work arrays; what an island does does not depend on what was stepped with them before.
pub struct Bench {
    pub(super) work: Workspace<f64>,
    pub(super) path: Path,
    /// None before the first derivative along a direction.
    pub(super) tangent: Option<Box<Tangent>>,
    pub(super) contacts: Contacts,
    pub(super) ledger: Ledger,
    /// A state vector of the scene, of which the states of the island are filled in, and its rates.
    pub(super) all_states: Vec<f64>,
    pub(super) all_rates: Vec<f64>,
    /// States of the island at which the work arrays are; empty if they are nowhere.
    pub(super) present: Vec<f64>,
    pub(super) progress: Progress,
    pub(super) nominals: Vec<f64>,
    /// Shapes of the pairs of the island, by slot.
    pub(super) shapes: TiVec<SlotId, ShapePair>,
    /// Contact in each slot.
    pub(super) active: TiVec<SlotId, Option<ActiveId>>,
    /// Deflections that its pairs may have.
    pub(super) deflections: Vec<DeflectionId>,
    /// End stops of its joints.
    pub(super) stops: Vec<StopId>,
    /// Latches of its joints.
    pub(super) latches: Vec<LatchId>,
    /// Those with a trigger.
    pub(super) triggers: Vec<LatchId>,
    /// Its links of trees, parents before children.
    pub(super) trees: Vec<LinkId>,
    /// Searches for gaps read hints that change at completed steps.
    pub(super) hinted: bool,
    pub(super) deviations: Vec<Deviation>,
    pub(super) patch: Patch<f64>,
    pub(super) impulses: Impulses,
    pub(super) latch_jumps: Latches,
    /// Relative tolerance up to which contacts may start and end without an event, zero if none may.
    pub(super) tolerance: f64,
    /// Contacts that the step under way starts and ends without an event.
    pub(super) passed: Passed,
    /// Where the window starts [s].
    pub(super) start: f64,
    /// How often gaps were looked at inside steps.
    pub looks: u64,
}

impl Island {
    /// Steps a link in free flight that has a closed form over a time [s], see [`division`]. Its deviations are those
    /// expected.
    pub(crate) fn fly(&mut self, system: &System, gravity: &Vec3, time: f64) {
        let (model, layout) = (&system.model, system.model.scene.layout());
        self.ranges.clear();
        self.states.clear();
        self.contacts.clear();
        self.hints.clear();
        self.stops.clear();
        self.latches.clear();
        self.changes.clear();
        self.deviations.clear();
        for index in &self.links {
            let link = &model.links.all[*index];
            let own = link.first_state()..link.rates.end;
            self.states.extend_from_slice(&system.states[own.clone()]);
            self.ranges.push(own);
            division::fly(gravity, &mut self.states, time);
        }
        if let Some(work) = layout.work() {
            self.states.push(0.0);
            self.ranges.push(work..work + 1);
        }
    }
}

impl Bench {
    /// Arrays for the islands of a system.
    pub(crate) fn new(system: &System) -> Self {
        let model = &system.model;
        let count = model.scene.layout().count();
        Bench {
            work: Workspace::new(model),
            path: Path::new(model),
            tangent: None,
            contacts: Contacts::default(),
            ledger: Ledger::new(&model.scene),
            all_states: vec![0.0; count],
            all_rates: vec![0.0; count],
            present: Vec::new(),
            progress: Progress::Nothing,
            nominals: Vec::new(),
            shapes: TiVec::new(),
            active: TiVec::new(),
            deflections: Vec::new(),
            stops: Vec::new(),
            latches: Vec::new(),
            triggers: Vec::new(),
            trees: Vec::new(),
            hinted: false,
            deviations: Vec::new(),
            patch: Patch::with_room(model.scene.most_faces()),
            impulses: Impulses::new(model),
            latch_jumps: Latches::new(model),
            tolerance: 0.0,
            passed: Passed::default(),
            start: 0.0,
            looks: 0,
        }
    }

    /// Takes an island to the present time and states of the system, where the window starts.
    pub(super) fn load(&mut self, system: &System, island: &mut Island) {
        let model = &system.model;
        self.start = system.work.time;
        self.work.take_inputs(&system.work);
        let hints = system.ledger.take_pairs(&island.pairs, &mut self.ledger);
        self.shapes.clear();
        let shapes = island.pairs.iter().map(|pair| ShapePair::new(model, *pair));
        self.shapes.extend(shapes);
        self.hinted = hints && self.shapes.iter().any(ShapePair::uses_warm_start);
        self.trees.clear();
        let trees = island.links.iter().filter(|l| !model.links.is_rigid(**l));
        self.trees.extend(trees);
        self.stops.clear();
        self.latches.clear();
        for index in &self.trees {
            let link = &model.links.all[*index];
            self.stops
                .extend(contact_laws::index::each(link.stops.clone()));
            self.latches.extend(link.latch);
        }
        self.triggers.clear();
        let latches = self.latches.iter().copied();
        let triggered = |latch: &LatchId| model.scene.latches()[*latch].trigger.is_some();
        self.triggers.extend(latches.filter(triggered));
        self.find_states(system, island);
        self.nominals.clear();
        for range in &island.ranges {
            self.nominals
                .extend_from_slice(&system.nominals[0][range.clone()]);
        }
        let first_states = island.links.iter().scan(0, |next, index| {
            let link = &model.links.all[*index];
            let first = *next;
            *next += link.rates.end - link.first_state();
            Some((*index, first))
        });
        self.path.set_scope(model, first_states);
        self.deviations
            .resize_with(island.links.len(), Deviation::default);
        for (deviation, index) in self.deviations.iter_mut().zip(&island.links) {
            let body = model.links.all[*index].body;
            deviation.start(self.path.shapes_of(body).len());
        }
        island.changes.clear();
        self.present.clear();
        self.tolerance = 0.0;
        self.passed.clear();
        self.contacts_changed(system, island);
    }

    /// Finds the ranges of the states of an island and takes their values from the system.
    fn find_states(&mut self, system: &System, island: &mut Island) {
        let (model, layout) = (&system.model, system.model.scene.layout());
        let Island { ranges, states, .. } = island;
        ranges.clear();
        states.clear();
        for index in &island.links {
            let link = &model.links.all[*index];
            let own = link.first_state()..link.rates.end;
            states.extend_from_slice(&system.states[own.clone()]);
            append(ranges, own);
        }
        self.deflections.clear();
        let slots = (0..island.pairs.len()).map(SlotId::from);
        for (slot, pair) in slots.zip(&island.pairs) {
            let Some(own) = layout.deflection_of(*pair, slot) else {
                continue;
            };
            self.deflections.push(own);
            let range = layout.deflection(own);
            let known = system.ledger.contact(*pair);
            let known = known.and_then(|contact| layout.deflection_of(*pair, contact.slot));
            match known {
                Some(known) => states.extend_from_slice(&system.states[layout.deflection(known)]),
                None => states.extend(range.clone().map(|_| 0.0)),
            }
            append(ranges, range);
        }
        if let Some(work) = layout.work() {
            states.push(0.0);
            append(ranges, work..work + 1);
        }
    }

    /// Updates what follows from the contacts of the ledger.
    pub(super) fn contacts_changed(&mut self, system: &System, island: &Island) {
        for index in &island.links {
            let body = system.model.links.all[*index].body;
            self.work.loads[body] = crate::dynamics::load::Load::zero();
        }
        self.contacts
            .update(&system.model, &island.links, &self.ledger);
        self.active.clear();
        self.active.resize(island.pairs.len(), None);
        for (index, contact) in self.contacts.list().iter_enumerated() {
            self.active[contact.slot] = Some(index);
        }
        self.progress = Progress::Nothing;
    }

    /// Gives the island what the ledger has at the end of the window.
    pub(super) fn unload(&mut self, system: &System, island: &mut Island) {
        island.contacts.clear();
        island.contacts.extend_from_slice(self.ledger.contacts());
        island.hints.clear();
        if self.hinted {
            let slots = (0..island.pairs.len()).map(SlotId::from);
            island
                .hints
                .extend(slots.map(|slot| *self.ledger.hint(slot)));
        }
        island.stops.clear();
        let stops = self.stops.iter();
        island
            .stops
            .extend(stops.map(|stop| (*stop, self.ledger.stops()[*stop])));
        island.latches.clear();
        let latches = self.latches.iter();
        island
            .latches
            .extend(latches.map(|latch| (*latch, self.ledger.latches()[*latch])));
        island.deviations.clear();
        let deviations = (&island.links[..], &self.deviations[..]);
        let found =
            super::division::of_shapes(&system.model, &self.path, deviations.0, deviations.1);
        island.deviations.extend(found);
    }

    /// Adds an accepted step, which the path follows, to the deviations.
    pub(super) fn add_deviations(
        &mut self,
        system: &System,
        island: &Island,
        references: &TiSlice<LinkId, Reference>,
        since: f64,
    ) {
        for (deviation, index) in self.deviations.iter_mut().zip(&island.links) {
            let link = &system.model.links.all[*index];
            deviation.add(&system.model, &self.path, link, &references[*index], since);
        }
    }
}

/// Appends a range, to the last one if that ends where it begins.
fn append(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
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
