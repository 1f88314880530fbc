//! Exact derivatives along directions of time, states and inputs, by dual numbers.
//!
//! One evaluation gives the products of the Jacobian of state derivatives, event indicators and
//! outputs with up to [`DIRECTIONS`] directions. The work arrays are allocated once.

use crate::dynamics::contact_forces;
use crate::dynamics::event::placement;
use crate::dynamics::frozen::{Frozen, Progress};
use crate::dynamics::latches;
use crate::dynamics::outputs::{DistanceSearch, each_output};
use crate::dynamics::watchers::Watchers;
use crate::dynamics::workspace::Workspace;
use crate::hybrid::{Along, DIRECTIONS, Direction};
use contact_geometry::math::{Dual, Real};
use contact_laws::index::{LinkId, TiVec};
use contact_laws::response::options::ContactRule;
use std::ops::Range;

/// A number with a derivative along each direction.
type Number = Dual<DIRECTIONS>;

/// Work arrays of dual numbers.
pub struct Tangent {
    work: Workspace<Number>,
    states: Vec<Number>,
    rates: Vec<Number>,
    /// Whether a link of the tree with this root moves along the directions.
    moving: TiVec<LinkId, bool>,
    search: DistanceSearch<Number>,
}

impl Tangent {
    /// Arrays for a model.
    pub fn new(model: &crate::dynamics::Model) -> Self {
        let states = model.scene.layout().count();
        Tangent {
            work: Workspace::new(model),
            states: vec![Dual::from(0.0); states],
            rates: vec![Dual::from(0.0); states],
            moving: TiVec::with_capacity(model.links.all.len()),
            search: DistanceSearch::new(model),
        }
    }

    /// Forgets what contacts that have ended did.
    pub fn forget_contacts(&mut self) {
        self.work.forget_contacts();
    }

    /// Writes the derivatives along [`DIRECTIONS`] directions at most at the time and inputs of
    /// `here`, which has the bodies placed, and these states. Returns false if a function of the
    /// user gives no force close by.
    pub fn along(
        &mut self,
        frozen: &Frozen<'_>,
        watchers: &Watchers,
        (here, states): (&Workspace<f64>, &[f64]),
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> bool {
        let all = 0..self.states.len();
        if !self.along_some(frozen, &[all], (here, states), directions, along) {
            return false;
        }
        if along.iter().any(|along| !along.indicators.is_empty()) {
            self.indicators(frozen, watchers, along);
        }
        if along.iter().any(|along| !along.outputs.is_empty()) {
            let mut index = 0;
            let (placement, search) = (placement(frozen.model, here), &mut self.search);
            let dual = (&mut self.work, &self.states[..]);
            each_output((frozen, watchers), &placement, dual, search, |output| {
                for (lane, along) in along.iter_mut().enumerate() {
                    if let Some(derivative) = along.outputs.get_mut(index) {
                        *derivative = output.eps[lane];
                    }
                }
                index += 1;
            });
        }
        true
    }

    /// The derivatives of the state derivatives alone, of the states in these ranges, which are those
    /// of the links that the contacts were divided by and more. States and rates of the directions
    /// are those in the ranges, one range after the other.
    pub fn along_some(
        &mut self,
        frozen: &Frozen<'_>,
        ranges: &[Range<usize>],
        (here, states): (&Workspace<f64>, &[f64]),
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> bool {
        self.work.take_inputs(here);
        // A direction for each lane; no change in those that are left.
        let seeded = |value: f64, change: &dyn Fn(&Direction<'_>) -> f64| {
            Dual::with_derivatives(value, |lane| directions.get(lane).map_or(0.0, change))
        };
        self.work.time = seeded(self.work.time.re, &|direction| direction.time);
        for (i, input) in self.work.inputs.iter_mut().enumerate() {
            *input = seeded(input.re, &|direction| direction.inputs[i]);
        }
        for (place, state) in ranges.iter().cloned().flatten().enumerate() {
            self.states[state] = seeded(states[state], &|direction| direction.states[place]);
            self.rates[state] = Dual::from(0.0);
        }
        self.mark_constant(frozen, directions, along);
        let (work, states) = (&mut self.work, &self.states);
        frozen.evaluate(Progress::Nothing, work, states, &mut self.rates);
        if work.refused.is_some() {
            return false;
        }
        for (lane, along) in along.iter_mut().enumerate() {
            let states = ranges.iter().cloned().flatten();
            for (derivative, state) in along.rates.iter_mut().zip(states) {
                *derivative = self.rates[state].eps[lane];
            }
        }
        true
    }

    /// Marks the contacts that derivatives of the states do not need: between bodies that do not
    /// move along the directions. All links of a tree move if one does, since the force on one
    /// accelerates the others by the inertias of all.
    fn mark_constant(
        &mut self,
        frozen: &Frozen<'_>,
        directions: &[Direction<'_>],
        along: &[Along<'_>],
    ) {
        self.work.constant.clear();
        let (links, layout) = (&frozen.model.links, frozen.model.scene.layout());
        let changes = |direction: &Direction<'_>| {
            direction.time != 0.0 || direction.inputs.iter().any(|change| *change != 0.0)
        };
        let wants_all = |along: &Along<'_>| {
            let wanted = [&*along.indicators, &*along.outputs];
            wanted.iter().any(|wanted| !wanted.is_empty())
        };
        if directions.iter().any(changes) || along.iter().any(wants_all) {
            return;
        }
        let states = &self.states;
        let moves =
            |range: std::ops::Range<usize>| states[range].iter().any(|state| !state.is_constant());
        self.moving.resize(links.all.len(), false);
        let members = frozen.contacts.parts.links();
        for index in members {
            self.moving[links.roots[*index]] = false;
        }
        for index in members {
            let (root, link) = (links.roots[*index], &links.all[*index]);
            self.moving[root] |= moves(link.positions.clone()) || moves(link.rates.clone());
        }
        let moving = &self.moving;
        let contacts = frozen.contacts.list().iter();
        self.work.constant.extend(contacts.map(|contact| {
            let of_bodies = contact.bodies.map(|body| links.of_bodies[body]);
            let mut own = contact
                .deflection
                .map(|own| layout.deflection(own))
                .into_iter();
            let bodies_move = of_bodies
                .into_iter()
                .flatten()
                .any(|link| moving[links.roots[link]]);
            !bodies_move && !own.any(moves)
        }));
    }

    /// Derivatives of the event indicators without what they hold of the past; zero for unused
    /// slots.
    fn indicators(&self, frozen: &Frozen<'_>, watchers: &Watchers, along: &mut [Along<'_>]) {
        let (model, ledger) = (frozen.model, frozen.ledger);
        let rule: ContactRule = model.scene.contact().law.rule;
        let slot_count = model.scene.slot_count();
        let wanted = |along: &Along<'_>| !along.indicators.is_empty();
        for along in along.iter_mut().filter(|along| wanted(along)) {
            along.indicators[..slot_count].fill(0.0);
        }
        let mut set = |index: usize, found: Number| {
            for (lane, along) in along.iter_mut().enumerate() {
                if wanted(along) {
                    along.indicators[index] = found.eps[lane];
                }
            }
        };
        let (frames, hints) = (&self.work.frames, ledger.hints());
        watchers.each_gap_along(model, frames, hints, |slot, gap| {
            set(slot.into(), rule.indicator(gap, false));
        });
        for (index, contact) in frozen.contacts.list().iter_enumerated() {
            let gap = contact_forces::gap_of(frozen, index, &self.work);
            set(contact.slot.into(), rule.indicator(gap, true));
        }
        let known = model.stops.iter().zip(ledger.stops());
        for (index, (stop, contact)) in known.enumerate() {
            let indicator = stop.indicator(&self.states, contact.is_some());
            set(slot_count + index, indicator);
        }
        let first = slot_count + model.stops.len();
        for (index, latch) in model.scene.triggers().iter().enumerate() {
            let state = &ledger.latches()[*latch];
            set(
                first + index,
                latches::indicator(model, *latch, state, &self.states),
            );
        }
    }
}
