//! Exact derivatives along a direction of states and inputs, by dual numbers.
//!
//! One evaluation gives the product of the Jacobian of state derivatives, event indicators and
//! outputs with one direction. The work arrays are allocated once.

use crate::dynamics::contact_forces;
use crate::dynamics::event::placement;
use crate::dynamics::frozen::{Frozen, Progress};
use crate::dynamics::outputs::{DistanceSearch, each_output};
use crate::dynamics::watchers::Watchers;
use crate::dynamics::workspace::Workspace;
use crate::hybrid::{Along, Direction};
use crate::index::TiSlice;
use crate::math::Dual;
use crate::response::options::ContactRule;

/// Work arrays of dual numbers.
pub struct Tangent {
    work: Workspace<Dual>,
    states: Vec<Dual>,
    rates: Vec<Dual>,
    search: DistanceSearch<Dual>,
}

impl Tangent {
    /// Arrays for a model.
    pub fn new(model: &crate::dynamics::Model) -> Self {
        let states = model.scene.layout().count();
        Tangent {
            work: Workspace::new(model),
            states: vec![Dual::from(0.0); states],
            rates: vec![Dual::from(0.0); states],
            search: DistanceSearch::new(model),
        }
    }

    /// Forgets what contacts that have ended did.
    pub fn forget_contacts(&mut self) {
        self.work.forget_contacts();
    }

    /// Writes the derivatives along a direction at the time and inputs of `work`, which has the
    /// bodies placed, and these states. Returns false if a function of the user gives no force close
    /// by.
    pub fn along(
        &mut self,
        frozen: &Frozen<'_>,
        watchers: &Watchers,
        (here, states): (&Workspace<f64>, &[f64]),
        direction: &Direction<'_>,
        along: &mut Along<'_>,
    ) -> bool {
        self.work.take_inputs(here);
        self.work.time.eps = direction.time;
        for (input, change) in self.work.inputs.iter_mut().zip(direction.inputs) {
            input.eps = *change;
        }
        for (i, state) in self.states.iter_mut().enumerate() {
            *state = Dual::new(states[i], direction.states[i]);
        }
        let (work, states) = (&mut self.work, &self.states);
        frozen.evaluate(Progress::Nothing, work, states, &mut self.rates);
        if work.refused.is_some() {
            return false;
        }
        for (derivative, rate) in along.rates.iter_mut().zip(&self.rates) {
            *derivative = rate.eps;
        }
        if !along.indicators.is_empty() {
            self.indicators(frozen, watchers, along.indicators);
        }
        if !along.outputs.is_empty() {
            let mut outputs = along.outputs.iter_mut();
            let (placement, search) = (placement(frozen.model, here), &mut self.search);
            let dual = (&mut self.work, &self.states[..]);
            each_output((frozen, watchers), &placement, dual, search, |output| {
                if let Some(derivative) = outputs.next() {
                    *derivative = output.eps;
                }
            });
        }
        true
    }

    /// Derivatives of the event indicators without what they hold of the past; zero for unused
    /// slots.
    fn indicators(&self, frozen: &Frozen<'_>, watchers: &Watchers, indicators: &mut [f64]) {
        let (model, ledger) = (frozen.model, frozen.ledger);
        let rule: ContactRule = model.scene.contact().law.rule;
        let (slots, stops) = indicators.split_at_mut(model.scene.slot_count());
        slots.fill(0.0);
        let slots = TiSlice::from_mut(slots);
        let (frames, hints) = (&self.work.frames, ledger.hints());
        watchers.each_gap_along(model, frames, hints, |slot, gap| {
            slots[slot] = rule.indicator(gap, false).eps;
        });
        for (index, contact) in frozen.contacts.list().iter_enumerated() {
            let gap = contact_forces::gap_of(frozen, index, &self.work);
            slots[contact.slot] = rule.indicator(gap, true).eps;
        }
        let known = model.stops.iter().zip(ledger.stops());
        for (derivative, (stop, contact)) in stops.iter_mut().zip(known) {
            *derivative = stop.indicator(&self.states, contact.is_some()).eps;
        }
    }
}
