//! An island as an integrator sees it.
//!
//! Its states are those of [`Island::states`]; its event indicators those of its pairs, by slot,
//! then those of the end stops of its joints and of the triggers of its latches.

use crate::contact::Contact;
use crate::dynamics::approach::Approach;
use crate::dynamics::contact_forces::Stiffest;
use crate::dynamics::contacts::{Frozen, Progress};
use crate::dynamics::event::{self, ContactChange};
use crate::dynamics::island::bench::Bench;
use crate::dynamics::island::{Change, Island, Reference};
use crate::dynamics::path::PathEnd;
use crate::dynamics::system::System;
use crate::dynamics::tangent::{Scope, Tangent, add_blocks};
use crate::dynamics::{contact_forces, guard, latches, pipeline, prescribed, pressing};
use crate::hybrid::{
    Along, Blocks, Direction, Entry, EvaluationError, EventOutcome, HybridSystem, Passing, Role,
};
use contact_geometry::math::dense::DenseStep;
use contact_geometry::math::{Vec3, all_finite, same_bits};
use contact_laws::index::{LinkId, ReportId, SlotId, TiSlice};
use contact_laws::response::choice::ContactRule;

/// An island on a bench. The whole system stays as it is at the start of the window.
pub struct IslandSystem<'a> {
    pub(super) system: &'a System,
    pub(super) bench: &'a mut Bench,
    pub(super) island: &'a mut Island,
    references: &'a TiSlice<LinkId, Reference>,
}

/// What an evaluation of the island reads; a macro, because it borrows a part of it only.
macro_rules! frozen {
    ($system:expr, $bench:expr) => {
        Frozen {
            model: &$system.model,
            contacts: &$bench.contacts,
            ledger: &$bench.ledger,
        }
    };
}

impl<'a> IslandSystem<'a> {
    /// Loads an island at the present time and states of the system.
    pub(crate) fn load(
        system: &'a System,
        bench: &'a mut Bench,
        island: &'a mut Island,
        references: &'a TiSlice<LinkId, Reference>,
    ) -> Self {
        bench.load(system, island);
        IslandSystem {
            system,
            bench,
            island,
            references,
        }
    }

    /// Relative tolerance up to which contacts may start and end without an event; zero, as it is
    /// after [`Self::load`], if none may.
    pub(crate) fn set_passing(&mut self, tolerance: f64) {
        self.bench.tolerance = tolerance;
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
        self.place();
        let mut slots = self.bench.active.iter_enumerated();
        Ok(slots.any(|(slot, active)| {
            active.is_none() && self.rule().indicator(self.gap(slot), false) <= 0.0
        }))
    }

    /// The stiffest contact or end stop of the island at a time [s] and states; none if nothing touches
    /// or the states cannot be used.
    pub(crate) fn stiffest(&mut self, time: f64, states: &[f64]) -> Option<Stiffest> {
        self.go_to(time, states).ok()?;
        self.place();
        self.factor();
        let bench = &*self.bench;
        contact_forces::find(&frozen!(self.system, bench), &bench.work, &bench.all_states)
    }

    /// States at the start of the window.
    pub(crate) fn start_states(&self) -> &[f64] {
        &self.island.states
    }

    /// Adds an accepted step to the deviations.
    pub(crate) fn observe(&mut self, step: &DenseStep<'_>) {
        let bench = &mut *self.bench;
        bench.path.follow(&self.system.model, step, &bench.work);
        let since = step.t0() - bench.start;
        bench.add_deviations(self.system, self.island, self.references, since);
    }

    /// Ends the window with these states.
    pub(crate) fn unload(self, states: &[f64]) {
        self.island.states.copy_from_slice(states);
        self.bench.unload(self.system, self.island);
    }

    fn rule(&self) -> ContactRule {
        self.system.rule
    }

    pub(super) fn go_to(&mut self, time: f64, states: &[f64]) -> Result<(), EvaluationError> {
        self.system.check_inputs()?;
        let bench = &mut *self.bench;
        let same_time = time == bench.work.time || !self.system.depends_on_time();
        bench.work.time = time;
        let known = bench.present.len() == states.len();
        if known && same_time && same_bits(&bench.present, states) {
            return Ok(());
        }
        if !all_finite(states) {
            bench.present.clear();
            let index = crate::dynamics::system::first_not_finite(states);
            return Err(EvaluationError::discard(format!(
                "state {} is {}; must be finite",
                self.state_name(index),
                states[index]
            )));
        }
        bench.present.clear();
        bench.present.extend_from_slice(states);
        let mut rest = states;
        for range in &self.island.ranges {
            let (own, behind) = rest.split_at(range.len());
            bench.all_states[range.clone()].copy_from_slice(own);
            rest = behind;
        }
        bench.progress = Progress::Nothing;
        Ok(())
    }

    pub(super) fn place(&mut self) {
        let bench = &mut *self.bench;
        if bench.progress == Progress::Nothing {
            let (model, links) = (&self.system.model, &self.island.links);
            pipeline::place(model, links, &mut bench.work, &bench.all_states);
            bench.progress = Progress::Placed;
        }
    }

    /// Inertias of trees, for impacts.
    pub(super) fn factor(&mut self) {
        let bench = &mut *self.bench;
        if bench.progress < Progress::Accelerated {
            let latches = bench.ledger.latches();
            pipeline::factor(&self.system.model, &bench.trees, latches, &mut bench.work);
        }
    }

    /// Gap of the pair in a slot [m].
    fn gap(&self, slot: SlotId) -> f64 {
        let bench = &*self.bench;
        match bench.active[slot] {
            Some(index)
                if bench.progress == Progress::Accelerated
                    && !bench.contacts.list()[index].over_area =>
            {
                contact_forces::gap_of(&frozen!(self.system, self.bench), index, &bench.work)
            }
            _ => {
                let (model, frames) = (&self.system.model, &bench.work.frames);
                bench.shapes[slot].gap(model, frames, bench.ledger.hints(), slot)
            }
        }
    }

    /// Why the last derivatives cannot be used.
    #[cold]
    fn refuse(&self) -> EvaluationError {
        let (model, work) = (&self.system.model, &self.bench.work);
        if work.refused.is_some() {
            let reason = contact_forces::refusal(&frozen!(self.system, self.bench), work);
            return EvaluationError::error(reason.unwrap_or_default());
        }
        if work.tree.singular
            && let Some(reason) = pressing::refusal(model, work)
        {
            return EvaluationError::discard(reason);
        }
        let mut states = self.island.ranges.iter().cloned().flatten();
        let rates = &self.bench.all_rates;
        let found = states.find(|state| !rates[*state].is_finite());
        EvaluationError::discard(match found {
            Some(state) => format!(
                "derivative of {} is {}",
                model.scene.state_name(state),
                rates[state]
            ),
            None => "a derivative is not finite".into(),
        })
    }

    /// Finds which pairs and stops are in contact; returns true if a deflection changed.
    fn update_contacts(&mut self, time: f64) -> Result<bool, EvaluationError> {
        let rule = self.rule();
        let model = &self.system.model;
        let mut contacts: Vec<Contact> = Vec::with_capacity(self.island.pairs.len());
        let bench = &mut *self.bench;
        for (slot, pair) in (0..).map(SlotId::from).zip(&self.island.pairs) {
            let near = {
                let placement = event::placement(model, &bench.work);
                let hint = bench.ledger.hint(slot);
                if !rule.in_contact(placement.gap(*pair, hint)) {
                    if bench.active[slot].is_some() {
                        let change = ContactChange {
                            pair: *pair,
                            impact_speed: None,
                        };
                        self.island.changes.push((time, Change::Contact(change)));
                    }
                    continue;
                }
                placement.proximity(*pair, hint)
            };
            if let Some(known) = bench.ledger.contact(*pair) {
                contacts.push(*known);
                continue;
            }
            let (impact_speed, frozen) =
                event::start(model, &bench.work, *pair, &near, &mut bench.patch);
            contacts.push(Contact {
                pair: *pair,
                slot,
                impact_speed,
                frozen,
                stepped: None,
            });
            let change = ContactChange {
                pair: *pair,
                impact_speed: Some(impact_speed),
            };
            self.island.changes.push((time, Change::Contact(change)));
        }
        bench.ledger.set_contacts(&contacts);
        let changes = &mut self.island.changes;
        let own = bench.stops.iter().copied();
        latches::update(
            model,
            &bench.work,
            &mut bench.ledger,
            own,
            &bench.all_states,
            |change| changes.push((time, Change::Stop(change))),
        );
        let (contacts, ledger) = (&bench.contacts, &bench.ledger);
        let own = bench.deflections.iter().copied();
        Ok(prescribed::release(
            model,
            contacts,
            ledger,
            own,
            &mut bench.all_states,
        ))
    }

    /// Closes and opens latches, with the jumps of velocities that this makes. Returns true if a state has
    /// changed.
    fn update_latches(&mut self, time: f64) -> bool {
        if self.bench.latches.is_empty() {
            return false;
        }
        let (model, bench) = (&self.system.model, &mut *self.bench);
        let (ledger, own) = (&mut bench.ledger, bench.latches.iter().copied());
        let (inputs, states) = (&bench.work.inputs, &bench.all_states);
        if !(bench.latch_jumps).switch(model, ledger, own, inputs, time, states) {
            return false;
        }
        bench.progress = Progress::Nothing;
        self.place();
        self.factor();
        let bench = &mut *self.bench;
        let (ledger, states) = (&mut bench.ledger, &mut bench.all_states);
        let jumps = &mut bench.latch_jumps;
        let changed = jumps.respond(model, ledger, &bench.trees, &bench.work, states);
        bench.progress = Progress::Nothing;
        let changes = bench.latch_jumps.changes().iter();
        let changes = changes.map(|change| (time, Change::Latch(*change)));
        self.island.changes.extend(changes);
        changed
    }

    /// Adds the jumps of velocities where contacts started, which are among the changes from `known` on;
    /// `struck` says that velocities have jumped before. Returns true if there are any.
    fn add_impulses(&mut self, time: f64, known: usize, struck: bool) -> bool {
        let bench = &mut *self.bench;
        let frozen = frozen!(self.system, bench);
        let new = &self.island.changes[known..];
        let starts = |pair| {
            new.iter().any(|(_, change)| {
                matches!(change, Change::Contact(c) if c.pair == pair && c.impact_speed.is_some())
            })
        };
        let impulses = &mut bench.impulses;
        let changed = impulses.respond(&frozen, &bench.work, &mut bench.all_states, starts, struck);
        let impulses = impulses.list().iter();
        let changes = &mut self.island.changes;
        changes.extend(impulses.map(|impulse| (time, Change::Impulse(*impulse))));
        changed
    }

    /// For each reported pair of which the last event had an impulse, calls `report` with its index among
    /// the reported ones and the impulse on 2, world axes [N.s].
    pub(crate) fn reported_impulses(&self, mut report: impl FnMut(ReportId, Vec3)) {
        let reported = self.system.model.scene.reported();
        for impulse in self.bench.impulses.list() {
            if let Ok(place) = reported.binary_search(&impulse.pair) {
                report(place, impulse.impulse_w);
            }
        }
    }

    /// Returns true if a reported pair is in contact.
    pub(crate) fn reports_contact(&self) -> bool {
        let reported = self.system.model.scene.reported();
        let mut contacts = self.bench.ledger.contacts().iter();
        !reported.is_empty() && contacts.any(|c| reported.binary_search(&c.pair).is_ok())
    }

    /// For each reported pair in contact, calls `report` with its index among the reported ones and
    /// the force on 2, world axes [N], at a time [s] and states.
    ///
    /// # Errors
    /// States or inputs that cannot be used; a function of the user gave no force.
    pub(crate) fn reported_forces(
        &mut self,
        time: f64,
        states: &[f64],
        report: &mut dyn FnMut(ReportId, Vec3),
    ) -> Result<(), EvaluationError> {
        self.go_to(time, states)?;
        if self.bench.progress < Progress::Accelerated {
            let bench = &mut *self.bench;
            let frozen = frozen!(self.system, bench);
            frozen.accelerate(bench.progress, &mut bench.work, &bench.all_states);
            self.bench.progress = Progress::Accelerated;
        }
        if self.bench.work.refused.is_some() {
            return Err(self.refuse());
        }
        let reported = self.system.model.scene.reported();
        for (index, contact) in self.bench.contacts.list().iter_enumerated() {
            if let Ok(place) = reported.binary_search(&contact.pair) {
                report(place, self.bench.work.wrenches[index].force_w);
            }
        }
        Ok(())
    }
}

impl HybridSystem for IslandSystem<'_> {
    fn state_count(&self) -> usize {
        self.island.states.len()
    }

    fn indicator_count(&self) -> usize {
        self.island.pairs.len() + self.bench.stops.len() + self.bench.triggers.len()
    }

    fn state_name(&self, index: usize) -> String {
        let mut states = self.island.ranges.iter().cloned().flatten();
        let state = states.nth(index).unwrap_or(index);
        self.system.model.scene.state_name(state)
    }

    fn nominals(&self, nominals: &mut [f64]) {
        nominals.copy_from_slice(&self.bench.nominals);
    }

    fn roles(&self, roles: &mut [Role]) {
        let ranges = self.island.ranges.iter();
        let own = ranges.flat_map(|range| &self.system.roles[range.clone()]);
        for (role, own) in roles.iter_mut().zip(own) {
            *role = *own;
        }
    }

    fn derivatives(
        &mut self,
        time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.go_to(time, states)?;
        let bench = &mut *self.bench;
        let layout = self.system.model.scene.layout();
        for own in &bench.deflections {
            bench.all_rates[layout.deflection(*own)].fill(0.0);
        }
        let frozen = frozen!(self.system, bench);
        let (work, rates) = (&mut bench.work, &mut bench.all_rates);
        let finite = frozen.evaluate(bench.progress, work, &bench.all_states, rates);
        bench.progress = Progress::Accelerated;
        if !finite || bench.work.tree.singular {
            return Err(self.refuse());
        }
        let mut rest = derivatives;
        for range in &self.island.ranges {
            let (own, behind) = rest.split_at_mut(range.len());
            own.copy_from_slice(&bench.all_rates[range.clone()]);
            rest = behind;
        }
        Ok(())
    }

    fn indicators(
        &mut self,
        time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.go_to(time, states)?;
        self.place();
        let rule = self.rule();
        let (pairs, others) = indicators.split_at_mut(self.island.pairs.len());
        let (stops, triggers) = others.split_at_mut(self.bench.stops.len());
        for (slot, indicator) in (0..).map(SlotId::from).zip(pairs) {
            let in_contact = self.bench.active[slot].is_some();
            *indicator = rule.indicator(self.gap(slot), in_contact);
        }
        for (indicator, stop) in stops.iter_mut().zip(&self.bench.stops) {
            let in_contact = self.bench.ledger.stops()[*stop].is_some();
            let model = &self.system.model.stops[*stop];
            *indicator = model.indicator(&self.bench.all_states, in_contact);
        }
        let bench = &*self.bench;
        for (indicator, latch) in triggers.iter_mut().zip(&bench.triggers) {
            let (model, state) = (&self.system.model, &bench.ledger.latches()[*latch]);
            *indicator = latches::indicator(model, *latch, state, &bench.all_states);
        }
        Ok(())
    }

    fn first_entry(
        &mut self,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Result<Option<Entry>, EvaluationError> {
        let (model, rule) = (&self.system.model, self.system.rule);
        let bench = &mut *self.bench;
        bench.path.follow(model, step, &bench.work);
        let mut first: Option<Entry> = None;
        for (slot, shapes) in bench.shapes.iter_enumerated() {
            let start = indicators[usize::from(slot)];
            if bench.active[slot].is_some()
                || start <= 0.0
                || start - shapes.travel(&bench.path, PathEnd::Start) > 0.0
            {
                continue;
            }
            let mut approach = Approach {
                model,
                path: &mut bench.path,
                shapes,
                hint: bench.ledger.hint(slot),
                rule,
                looks: &mut bench.looks,
            };
            guard::meet(&mut first, &mut approach);
        }
        for (stop, start) in bench.stops.iter().zip(&indicators[bench.shapes.len()..]) {
            if bench.ledger.stops()[*stop].is_none() && *start > 0.0 {
                guard::meet_stop(&mut first, &bench.path, &model.stops[*stop]);
            }
        }
        let behind = bench.shapes.len() + bench.stops.len();
        for (latch, start) in bench.triggers.iter().zip(&indicators[behind..]) {
            if !bench.ledger.latches()[*latch].is_closed && *start > 0.0 {
                guard::meet_trigger(&mut first, &bench.path, model, *latch);
            }
        }
        Ok(first)
    }

    fn pass_over(
        &mut self,
        step: &DenseStep<'_>,
        indicators: [&[f64]; 2],
    ) -> Result<Passing, EvaluationError> {
        match self.bench.tolerance > 0.0 {
            true => self.pass_contacts_over(step, indicators),
            false => Ok(Passing::Event),
        }
    }

    fn forget_passed(&mut self) -> bool {
        self.forget_started()
    }

    fn completed_step(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        self.take_passed();
        if self.bench.hinted {
            self.go_to(time, states)?;
            self.place();
            let bench = &mut *self.bench;
            let placement = event::placement(&self.system.model, &bench.work);
            bench.ledger.refresh_hints(&placement);
            // What was found from the hints before is not what the ledger says now.
            bench.progress = Progress::Placed;
        }
        Ok(false)
    }

    fn update_event(
        &mut self,
        time: f64,
        states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError> {
        self.go_to(time, states)?;
        let latched = self.update_latches(time);
        self.place();
        self.factor();
        let known = self.island.changes.len();
        let mut changed = self.update_contacts(time)? | latched;
        self.bench.contacts_changed(self.system, self.island);
        changed |= self.add_impulses(time, known, latched);
        let bench = &mut *self.bench;
        if changed {
            let mut rest = &mut *states;
            for range in &self.island.ranges {
                let (own, behind) = rest.split_at_mut(range.len());
                own.copy_from_slice(&bench.all_states[range.clone()]);
                rest = behind;
            }
            bench.present.clear();
            bench.present.extend_from_slice(states);
        }
        if bench.hinted {
            let placement = event::placement(&self.system.model, &bench.work);
            bench.ledger.refresh_hints(&placement);
        }
        Ok(EventOutcome {
            states_changed: changed,
            next_event_time: None,
        })
    }

    fn input_count(&self) -> usize {
        self.system.model.scene.inputs().len()
    }

    fn blocks(&self, blocks: &mut Blocks) {
        let scope = Scope {
            links: &self.island.links,
            deflections: Some(&self.bench.deflections),
        };
        add_blocks(&self.system.model, &self.bench.contacts, scope, blocks);
    }

    fn depends_on_time(&self) -> bool {
        self.system.depends_on_time()
    }

    fn set_carried(&mut self, t0: f64, t1: f64, states: &[f64], coefficients: [&mut [f64]; 3]) {
        let links = &self.system.model.links;
        let members = self.island.links.iter().scan(0, |next, index| {
            let first = *next;
            *next += links.all[*index].rates.end - links.all[*index].first_state();
            Some((*index, first))
        });
        let frozen = frozen!(self.system, self.bench);
        prescribed::set_carried(&frozen, members, t0, t1, states, coefficients);
    }

    /// Exact, by dual numbers.
    fn derivatives_along(
        &mut self,
        time: f64,
        states: &[f64],
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> Result<(), EvaluationError> {
        self.go_to(time, states)?;
        self.place();
        let model = &self.system.model;
        let bench = &mut *self.bench;
        let tangent = bench
            .tangent
            .get_or_insert_with(|| Box::new(Tangent::new(model)));
        let frozen = frozen!(self.system, bench);
        let ranges = &self.island.ranges;
        let (here, states) = (&bench.work, &bench.all_states);
        if !tangent.along_some(&frozen, ranges, here, states, directions, along) {
            return Err(contact_forces::refusal_of_derivative());
        }
        match along.iter().all(|along| all_finite(along.rates)) {
            true => Ok(()),
            false => Err(EvaluationError::discard(
                "a derivative along the direction is not finite",
            )),
        }
    }
}
