//! Evaluations of a [`System`] at its present time and states.

use crate::dynamics::contact_forces::Stiffest;
use crate::dynamics::contacts::{Frozen, Progress};
use crate::dynamics::event::placement;
use crate::dynamics::guard::Meeting;
use crate::dynamics::intersections::{Intersection, Sparsified};
use crate::dynamics::link::Twist;
use crate::dynamics::outputs::{ContactReport, OutputPlaces, Outputs};
use crate::dynamics::overlap::Overlap;
use crate::dynamics::path::Instant;
use crate::dynamics::system::{System, first_not_finite, frozen};
use crate::dynamics::tangent::{Scope, Tangent, add_blocks};
use crate::dynamics::{contact_forces, latches, outputs, overlap, prescribed, pressing, tree};
use crate::hybrid::{
    Along, Blocks, DIRECTIONS, Direction, Entry, EvaluationError, EventOutcome, HybridSystem, Role,
};
use crate::scene::Body;
use crate::scene::outputs::Reads;
use contact_geometry::math::dense::DenseStep;
use contact_geometry::math::{Pose, Vec3, all_finite};
use contact_geometry::narrow_phase::Feature;
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::narrow_phase::overlap::Statistics;
use contact_laws::index::{
    BodyId, IntersectionId, JointId, NamedPairId, OutputId, PairId, ReportId, TiSlice,
};

/// The value of an indicator slot that watches no pair [m].
const UNUSED_INDICATOR: f64 = 1.0;

impl System {
    /// State derivatives at the present time and states.
    ///
    /// # Errors
    /// A derivative that is not finite, by name; a smaller step may help.
    #[inline(always)]
    pub fn derivatives_here(&mut self, derivatives: &mut [f64]) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        let (work, states) = (&mut self.work, &self.states);
        let deflections = self.model.scene.layout().contacts();
        // Without a contact a deflection stays; a call to fill nothing costs as much as a flight.
        if !deflections.is_empty() {
            derivatives[deflections].fill(0.0);
        }
        let finite = frozen!(self).evaluate(self.progress, work, states, derivatives);
        self.progress = Progress::Accelerated;
        if finite && !self.work.tree.singular {
            return Ok(());
        }
        Err(self.refuse_rate(derivatives))
    }

    /// Event indicators at the present time and states.
    ///
    /// # Errors
    /// Inputs that cannot be used, by name.
    pub fn indicators_here(&mut self, indicators: &mut [f64]) -> Result<(), EvaluationError> {
        self.indicators_inlined(indicators)
    }

    /// [`Self::indicators_here`] for the integrator.
    #[inline(always)]
    pub(super) fn indicators_inlined(
        &mut self,
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.place();
        self.plain_indicators(indicators);
        if self.guarded {
            self.guard.remember(
                &self.model,
                &self.ledger,
                &self.anchor,
                Instant::new(self.work.time, &self.states, &self.work.inputs.raw),
                self.watchers.watched(),
                indicators,
            );
        }
        Ok(())
    }

    /// Event indicators of the present time and states alone.
    #[inline(always)]
    fn plain_indicators(&mut self, indicators: &mut [f64]) {
        let rule = self.rule;
        let (indicators, others) = indicators.split_at_mut(self.model.scene.slot_count());
        let (stops, triggers) = others.split_at_mut(self.model.stops.len());
        let indicators = TiSlice::from_mut(indicators);
        for (indicator, latch) in triggers.iter_mut().zip(self.model.scene.triggers()) {
            let state = &self.ledger.latches()[*latch];
            *indicator = latches::indicator(&self.model, *latch, state, &self.states);
        }
        let known = self.model.stops.iter().zip(self.ledger.stops());
        for (indicator, (stop, contact)) in stops.iter_mut().zip(known) {
            *indicator = stop.indicator(&self.states, contact.is_some());
        }
        let contacts = self.contacts.list();
        if self.watchers.len() + contacts.len() < indicators.len() {
            indicators.fill(UNUSED_INDICATOR);
        }
        let frames = &self.work.frames;
        let hints = self.ledger.hints();
        self.watchers
            .each_gap(&self.model, frames, hints, |slot, gap| {
                indicators[slot] = rule.indicator(gap, false);
            });
        for (index, contact) in contacts.iter_enumerated() {
            let slot = contact.slot;
            let gap = match self.progress {
                Progress::Accelerated if !contact.over_area => {
                    contact_forces::gap_of(&frozen!(self), index, &self.work)
                }
                _ => {
                    let hint = self.ledger.hint(slot);
                    placement(&self.model, &self.work).gap(contact.pair, hint)
                }
            };
            indicators[slot] = rule.indicator(gap, true);
        }
    }

    /// Quantities beside the derivative at (t, x); shares the work of the other evaluations.
    ///
    /// # Errors
    /// A state that is not finite, by name.
    pub fn outputs(&mut self, time: f64, states: &[f64]) -> Result<&Outputs, EvaluationError> {
        self.go_to(time, states)?;
        self.outputs_here()
    }

    /// Quantities beside the derivative at the present time and states.
    ///
    /// # Errors
    /// A function of the user gave no force; inputs that cannot be used.
    pub fn outputs_here(&mut self) -> Result<&Outputs, EvaluationError> {
        self.check_inputs()?;
        self.accelerate();
        self.check_forces()?;
        let frozen = frozen!(self);
        let (work, states) = (&mut self.work, &self.states);
        Ok(self.results.outputs(&frozen, &self.watchers, work, states))
    }

    /// Distance of a pair of [`Scene::named_pairs`] at the present time and states [m];
    /// [`NO_PAIR`](crate::dynamics::approach::NO_PAIR) if there is no such pair.
    pub fn distance_here(&mut self, named: NamedPairId) -> f64 {
        self.place();
        let placement = placement(&self.model, &self.work);
        self.results.distance(&placement, named)
    }

    /// Intersection of a pair of [`Scene::intersections`] at the present time and states.
    pub fn intersection_here(&mut self, index: IntersectionId) -> Intersection {
        self.place();
        self.results.intersection(&self.model, &self.work, index)
    }

    /// Which pairs of [`Scene::intersections`] are kept of each two bodies at the present time and
    /// states, and how many; none if the scene has no rules for that.
    pub fn sparsified_here(&mut self) -> (&Sparsified, Option<Statistics>) {
        self.place();
        self.results.sparsified(&self.model, &self.work)
    }

    /// Pose and velocities of a body at the present time and states.
    ///
    /// # Errors
    /// Inputs that cannot be used, by name.
    pub fn body_here(&mut self, body: BodyId) -> Result<(Pose, Twist<f64>), EvaluationError> {
        self.check_inputs()?;
        self.place();
        Ok((self.work.frames[body.frame()], self.work.twists[body]))
    }

    /// Force [N] and torque [N.m] of a joint on its child at the origin of the joint's frame on the
    /// child, world axes, at the present time and states.
    ///
    /// # Errors
    /// Inputs that cannot be used; a function of the user that gave no force.
    pub fn reaction_here(&mut self, joint: JointId) -> Result<[Vec3; 2], EvaluationError> {
        self.check_inputs()?;
        self.accelerate();
        self.check_forces()?;
        Ok(tree::on_child(&self.model, &self.work, joint))
    }

    /// Value of the output of [`Scene::outputs`] with this index at the present time and states.
    ///
    /// # Errors
    /// Inputs that cannot be used; a function of the user that gave no force.
    pub fn output_here(&mut self, index: OutputId) -> Result<f64, EvaluationError> {
        self.check_inputs()?;
        let output = self.model.scene.outputs()[index];
        match output.item.row().reads {
            Reads::Accelerations | Reads::JointForces => {
                self.accelerate();
                self.check_forces()?;
            }
            Reads::Poses | Reads::Twists => self.place(),
            Reads::Ledger => return Ok(outputs::of_ledger(&self.model, &self.ledger, output)),
        }
        Ok(outputs::value(
            &self.model,
            &self.work,
            &self.states,
            output,
        ))
    }

    /// Calls `visit` with each contact that exerts a force at the present time and states, in pair
    /// order: pair, point [m] and force on body 2 [N], world frame.
    ///
    /// # Errors
    /// Inputs that cannot be used; a function of the user that gave no force.
    pub fn contact_forces_here(
        &mut self,
        mut visit: impl FnMut(PairId, Vec3, Vec3),
    ) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.accelerate();
        self.check_forces()?;
        for (contact, wrench) in self.contacts.list().iter().zip(&self.work.wrenches) {
            if wrench.force_w != Vec3::zeros() {
                visit(contact.pair, wrench.point_w, wrench.force_w);
            }
        }
        Ok(())
    }

    /// The contacts of the ledger whose laws have an impulse, at the present time and states, in pair order.
    /// `starts` returns true for a pair whose contact starts now.
    ///
    /// # Errors
    /// Inputs that cannot be used.
    pub fn meetings_here(
        &mut self,
        starts: impl Fn(PairId) -> bool,
    ) -> Result<Vec<Meeting>, EvaluationError> {
        self.check_inputs()?;
        self.place();
        let mut patch = Patch::with_room(self.model.scene.most_faces());
        let (frozen, contacts) = (frozen!(self), self.contacts.list().iter());
        let meetings = contacts.filter_map(|contact| {
            Meeting::of(
                &frozen,
                contact,
                &self.work,
                starts(contact.pair),
                &mut patch,
            )
        });
        Ok(meetings.collect())
    }

    /// Where each quantity is among the outputs of [`Self::along_here`].
    pub fn output_places(&self) -> OutputPlaces {
        OutputPlaces::new(&self.model)
    }

    /// Derivatives of state derivatives, event indicators and outputs along directions at the
    /// present time and states, as
    /// [`HybridSystem::derivatives_along`](crate::hybrid::HybridSystem::derivatives_along). Exact,
    /// by dual numbers.
    ///
    /// # Errors
    /// Inputs that cannot be used; a function of the user that gives no force here or close by; a
    /// derivative that is not finite.
    pub fn along_here(
        &mut self,
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.accelerate();
        if let Some(refusal) = self.refuse_singular() {
            return Err(refusal);
        }
        let model = &self.model;
        let tangent = self
            .tangent
            .get_or_insert_with(|| Box::new(Tangent::new(model)));
        let chunks = directions
            .chunks(DIRECTIONS)
            .zip(along.chunks_mut(DIRECTIONS));
        for (directions, along) in chunks {
            let (watchers, here, states) = (&self.watchers, &self.work, &self.states);
            if !tangent.along(&frozen!(self), watchers, here, states, directions, along) {
                return Err(self.refuse_jacobian());
            }
        }
        let mut numbers = along
            .iter()
            .flat_map(|of| [&*of.rates, &*of.indicators, &*of.outputs]);
        match numbers.all(all_finite) {
            true => Ok(()),
            false => Err(EvaluationError::discard(
                "a derivative along the direction is not finite",
            )),
        }
    }

    /// Pairs in contact that overlap deeper at the present time and states than their loads
    /// explain.
    pub fn deep_overlaps_here(&mut self) -> Vec<Overlap> {
        self.place();
        let placement = placement(&self.model, &self.work);
        let contacts = self.ledger.contacts().iter();
        let gap = |pair| placement.gap(pair, &Feature::None);
        let gaps = contacts.map(|contact| (contact.pair, gap(contact.pair)));
        overlap::too_deep(&self.model, &placement, gaps)
    }

    /// The stiffest contact or end stop at a time [s] and states; none if nothing touches or the
    /// states cannot be used.
    pub fn stiffest(&mut self, time: f64, states: &[f64]) -> Option<Stiffest> {
        self.go_to(time, states).ok()?;
        self.place();
        self.factor();
        contact_forces::find(&frozen!(self), &self.work, &self.states)
    }

    /// What is reported of each pair of [`Scene::reported`] at the present time and states.
    ///
    /// # Errors
    /// A function of the user gave no force.
    pub fn reports_here(&mut self) -> Result<&TiSlice<ReportId, ContactReport>, EvaluationError> {
        self.outputs_here()?;
        Ok(self.results.reports(&frozen!(self), &self.work))
    }

    /// Returns true if a reported pair is in contact.
    pub(crate) fn reports_contact(&self) -> bool {
        !self.reported.is_empty()
    }

    /// For each reported pair in contact, calls `report` with its index among the reported ones and
    /// the force on 2, world axes [N], at the present time and states.
    ///
    /// # Errors
    /// A function of the user gave no force; inputs that cannot be used.
    pub(crate) fn reported_forces_here(
        &mut self,
        mut report: impl FnMut(ReportId, Vec3),
    ) -> Result<(), EvaluationError> {
        self.check_inputs()?;
        self.accelerate();
        self.check_forces()?;
        for (contact, index) in &self.reported {
            report(*index, self.work.wrenches[*contact].force_w);
        }
        Ok(())
    }

    #[cold]
    pub(super) fn refuse_rate(&self, derivatives: &[f64]) -> EvaluationError {
        if let Err(refusal) = self.check_inputs().and_then(|()| self.check_forces()) {
            return refusal;
        }
        if let Some(refusal) = self.refuse_singular() {
            return refusal;
        }
        let index = first_not_finite(derivatives);
        EvaluationError::discard(format!(
            "derivative of {} is {}",
            self.model.scene.state_name(index),
            derivatives[index]
        ))
    }

    /// Why the computed accelerations mean nothing; none if they mean something.
    pub(super) fn refuse_singular(&self) -> Option<EvaluationError> {
        let is_singular = self.work.tree.singular;
        let reason = is_singular.then(|| pressing::refusal(&self.model, &self.work))?;
        reason.map(EvaluationError::discard)
    }

    /// # Errors
    /// A function of the user gave no force at the present time and states.
    #[inline]
    pub(super) fn check_forces(&self) -> Result<(), EvaluationError> {
        match self.work.refused {
            None => Ok(()),
            Some(_) => Err(self.refuse_force()),
        }
    }

    /// A function of the user gave no force here, or close by, where its derivative is taken.
    #[cold]
    pub(super) fn refuse_jacobian(&mut self) -> EvaluationError {
        self.accelerate();
        match self.check_forces() {
            Err(refusal) => refusal,
            Ok(()) => contact_forces::refusal_of_derivative(),
        }
    }

    #[cold]
    pub(super) fn refuse_force(&self) -> EvaluationError {
        let reason = contact_forces::refusal(&frozen!(self), &self.work);
        EvaluationError::error(reason.unwrap_or_default())
    }
}

// A [`System`] as an integrator sees it.

impl System {
    /// Closes and opens latches, with the jumps of velocities that this makes. Returns true if a state has
    /// changed; the system is at the states then.
    fn update_latches(&mut self, time: f64, states: &mut [f64]) -> Result<bool, EvaluationError> {
        if self.model.scene.latches().is_empty() {
            return Ok(false);
        }
        let (model, ledger, work) = (&self.model, &mut self.ledger, &self.work);
        let all = model.scene.latches().keys();
        let latches = &mut self.latches;
        if !latches.switch(model, ledger, all, &work.inputs, time, states) {
            return Ok(false);
        }
        self.forget();
        self.place();
        self.factor();
        let (model, ledger, work) = (&self.model, &mut self.ledger, &self.work);
        let links = &model.links.tree_indices;
        let changed = self.latches.respond(model, ledger, links, work, states);
        self.go_to(time, states)?;
        Ok(changed)
    }
}

impl HybridSystem for System {
    fn state_count(&self) -> usize {
        self.model.scene.layout().count()
    }

    fn indicator_count(&self) -> usize {
        self.model.scene.indicator_count()
    }

    fn state_name(&self, index: usize) -> String {
        self.model.scene.state_name(index)
    }

    fn nominals(&self, nominals: &mut [f64]) {
        nominals.copy_from_slice(&self.nominals[0]);
    }

    fn roles(&self, roles: &mut [Role]) {
        roles.copy_from_slice(&self.roles);
    }

    fn derivatives(
        &mut self,
        time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.go_to_inlined(time, states)?;
        self.derivatives_here(derivatives)
    }

    fn indicators(
        &mut self,
        time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.go_to_inlined(time, states)?;
        self.indicators_inlined(indicators)
    }

    fn first_entry(
        &mut self,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Result<Option<Entry>, EvaluationError> {
        Ok(self.guard.first_entry(
            &self.model,
            &self.ledger,
            &self.work,
            self.watchers.watched(),
            step,
            indicators,
        ))
    }

    fn completed_step(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        if self.guarded && all_finite(states) {
            self.anchor.set(time, states, &self.work.inputs.raw);
        }
        let all = self.model.scene.monitors_all_pairs();
        if all && !self.hinted {
            return Ok(false);
        }
        self.go_to(time, states)?;
        self.place();
        let placement = placement(&self.model, &self.work);
        let detection = &mut self.events.detection;
        let asked = detection.completed_step(&placement, &mut self.ledger);
        if !all {
            self.note_chosen(time, states);
            self.slots_taken();
            // The closest pairs are those that are watched.
            self.results.forget();
        }
        if self.hinted {
            // What was found from the hints before is not what the ledger says now.
            self.progress = Progress::Placed;
            self.results.forget();
        }
        Ok(asked)
    }

    fn update_event(
        &mut self,
        time: f64,
        states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError> {
        self.go_to(time, states)?;
        let latched = self.update_latches(time, states)?;
        self.place();
        self.factor();
        let jumped = self
            .motion_jumps
            .take(&self.model, &self.work, time, states)?;
        self.hold_motions();
        if jumped {
            self.go_to(time, states)?;
            // The bodies move otherwise now, even if no state has changed.
            self.forget();
            self.moves += 1;
            self.place();
            self.factor();
        }
        let (ledger, work) = (&mut self.ledger, &self.work);
        self.events.detection.surplus = self.surplus;
        self.events
            .update(&self.model, ledger, work, time, states)?;
        let all = self.model.scene.layout().all_deflections();
        let (contacts, ledger) = (&self.contacts, &self.ledger);
        let released = prescribed::release(&self.model, contacts, ledger, all, states);
        match self.events.changed_contacts(&self.ledger) {
            true => self.contacts_changed(false),
            false => self.slots_changed(),
        }
        let (events, work) = (&self.events, &self.work);
        let starts = |pair| events.started(pair);
        let scene = &self.model.scene;
        let moved = !scene.motions().is_empty() && scene.has_kink_at(time);
        let struck = latched || jumped || moved;
        let states_changed = self
            .impulses
            .respond(&frozen!(self), work, states, starts, struck)
            | released
            | latched;
        for impulse in self.impulses.list() {
            for (body, strike) in impulse.strikes.iter().flatten() {
                self.ledger.note_strike(*body, strike);
            }
        }
        if states_changed {
            self.go_to(time, states)?;
        }
        if self.guarded {
            self.anchor.set(time, states, &self.work.inputs.raw);
        }
        if !self.model.scene.monitors_all_pairs() {
            self.place();
            self.guard.prepare(&placement(&self.model, &self.work));
            self.note_chosen(time, states);
        }
        Ok(EventOutcome {
            states_changed: states_changed || jumped,
            next_event_time: self.next_event_time(time),
        })
    }

    fn input_count(&self) -> usize {
        self.model.scene.inputs().len()
    }

    fn output_count(&self) -> usize {
        self.output_places().count()
    }

    fn blocks(&self, blocks: &mut Blocks) {
        let scope = Scope {
            links: &self.model.links.indices,
            deflections: None,
        };
        add_blocks(&self.model, &self.contacts, scope, blocks);
    }

    /// Bodies that are driven move on from what their inputs say.
    fn depends_on_time(&self) -> bool {
        let mut bodies = self.model.scene.bodies().iter();
        self.model.depends_on_time || bodies.any(Body::is_driven)
    }

    fn set_carried(&mut self, t0: f64, t1: f64, states: &[f64], coefficients: [&mut [f64]; 3]) {
        let links = &self.model.links;
        let members = links.indices.iter();
        let members = members.map(|index| (*index, links.all[*index].first_state()));
        prescribed::set_carried(&frozen!(self), members, t0, t1, states, coefficients);
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
        self.along_here(directions, along)
    }
}
