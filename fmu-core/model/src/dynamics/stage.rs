//! The stage: a scope of a model at a time and states, with its evaluation.
//!
//! Evaluations at the same time and states share their work: bodies are placed once, and the event indicators
//! reuse the gaps computed for the forces of pairs in contact.

use crate::contact::{Found, Ledger, Placement};
use crate::dynamics::contact_forces::{self, Stiffest};
use crate::dynamics::contacts::{Contacts, Mode, Progress, Watchers};
use crate::dynamics::scope::Scope;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, pipeline};
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct Stage {
    /// Constants between two events.
    pub mode: Mode,
    pub work: Workspace<f64>,
    /// State vector of the scene; only the states of the scope are current.
    pub states: Vec<f64>,
    /// Work array for their derivatives, unless the scope is all of the model.
    rates: Vec<f64>,
    pub progress: Progress,
    /// Features found since bodies were placed.
    pub found: Found,
}

impl Stage {
    pub(crate) fn new(model: Arc<Model>, scope: Scope) -> Self {
        let ledger = Ledger::new(&model.scene);
        Stage {
            work: Workspace::new(&model),
            states: model.scene.start_states(),
            rates: match scope.is_all() {
                true => Vec::new(),
                false => vec![0.0; model.scene.layout().count()],
            },
            progress: Progress::Nothing,
            found: Found::with_room(&model.scene, &ledger),
            mode: Mode {
                ledger,
                contacts: Contacts::default(),
                watchers: Watchers::default(),
                scope,
                model,
            },
        }
    }

    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.progress = Progress::Nothing;
        self.found.forget();
    }

    pub(crate) fn depends_on_time(&self) -> bool {
        let model = &self.mode.model;
        model.depends_on_time || (self.work.inputs_since.is_some() && !model.driven.is_empty())
    }

    #[inline]
    pub(crate) fn place(&mut self) {
        if self.progress == Progress::Nothing {
            let Mode { model, scope, .. } = &self.mode;
            pipeline::place(model, &scope.links, &mut self.work, &self.states);
            self.progress = Progress::Placed;
        }
    }

    #[inline]
    pub(crate) fn accelerate(&mut self) {
        if self.progress < Progress::Accelerated {
            let (work, states) = (&mut self.work, &self.states);
            self.mode.accelerate(self.progress, work, states);
            self.progress = Progress::Accelerated;
        }
    }

    /// Computes the inertias of trees, from which effective masses follow; bodies are placed.
    pub(crate) fn factor(&mut self) {
        if self.progress < Progress::Accelerated {
            let Mode {
                model,
                scope,
                ledger,
                ..
            } = &self.mode;
            pipeline::factor(model, &scope.trees, ledger.latches(), &mut self.work);
        }
    }

    /// Writes the derivatives of the scope's states. Returns false if one is not finite.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, derivatives: &mut [f64]) -> bool {
        let (mode, work, states) = (&self.mode, &mut self.work, &self.states);
        let layout = mode.model.scene.layout();
        let finite = if mode.scope.is_all() {
            let deflections = layout.contacts();
            // Without a contact a deflection stays; a call to fill nothing costs as much as a flight.
            if !deflections.is_empty() {
                derivatives[deflections].fill(0.0);
            }
            mode.evaluate(self.progress, work, states, derivatives)
        } else {
            for own in &mode.scope.deflections {
                self.rates[layout.deflection(*own)].fill(0.0);
            }
            let finite = mode.evaluate(self.progress, work, states, &mut self.rates);
            mode.scope.read(&self.rates, derivatives);
            finite
        };
        self.progress = Progress::Accelerated;
        finite
    }

    pub(crate) fn placement(&self) -> Placement<'_> {
        self.work.placement(&self.mode.model)
    }

    /// Stiffest contact or end stop, if any. Inertias of trees are known.
    pub(crate) fn stiffest(&self) -> Option<Stiffest> {
        contact_forces::find(&self.mode, &self.work, &self.states)
    }
}
