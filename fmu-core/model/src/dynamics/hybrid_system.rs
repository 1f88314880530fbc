//! A [`System`] as an integrator sees it.

use crate::dynamics::deflections;
use crate::dynamics::event::placement;
use crate::dynamics::frozen::{Frozen, Progress};
use crate::dynamics::prescribed;
use crate::dynamics::sparsity::{Scope, add_blocks};
use crate::dynamics::system::{System, frozen};
use crate::hybrid::{
    Along, Blocks, Direction, Entry, EvaluationError, EventOutcome, HybridSystem, Role,
};
use crate::scene::Body;
use contact_geometry::math::all_finite;
use contact_geometry::math::dense::DenseStep;

impl System {
    /// Closes and opens latches, with the jumps of velocities that this makes. Returns true if a state has
    /// changed; the system is at the states then.
    fn update_latches(&mut self, time: f64, states: &mut [f64]) -> Result<bool, EvaluationError> {
        if self.model.scene.latches().is_empty() {
            return Ok(false);
        }
        let (model, ledger, work) = (&self.model, &mut self.ledger, &self.work);
        let all = model.scene.latches().keys();
        let at = (time, &*states);
        if !self.latches.switch(model, (ledger, all), &work.inputs, at) {
            return Ok(false);
        }
        self.forget();
        self.place();
        self.factor();
        let (model, ledger, work) = (&self.model, &mut self.ledger, &self.work);
        let links = &model.links.tree_indices;
        let changed = self.latches.respond(model, (ledger, links), work, states);
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
            (&self.model, &self.ledger, &self.work),
            self.watchers.watched(),
            (step, indicators),
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
            .take(&self.model, &self.work, (time, states))?;
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
            .update(&self.model, ledger, work, (time, states))?;
        let all = self.model.scene.layout().all_deflections();
        let known = (&self.contacts, &self.ledger);
        let released = deflections::release(&self.model, known, all, states);
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
            .respond(&frozen!(self), work, states, (starts, struck))
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

    fn set_carried(&mut self, step: (f64, f64), states: &[f64], coefficients: [&mut [f64]; 3]) {
        let links = &self.model.links;
        let members = links.indices.iter();
        let members = members.map(|index| (*index, links.all[*index].first_state()));
        prescribed::set_carried(&frozen!(self), members, step, states, coefficients);
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
