//! Exact derivatives along directions of time, states and inputs, by dual numbers.
//!
//! One evaluation gives the products of the Jacobian of state derivatives, event indicators and
//! outputs with up to [`DIRECTIONS`] directions. The work arrays are allocated once.
//!
//! # Sparsity of the Jacobian
//!
//! Which blocks of states the derivatives of a block depend on.
//!
//! A rigid link has four blocks: its position p, its orientation q, the velocity v of its origin and
//! its angular velocity w. Whatever acts on it, p' = v and q' follows from q and w, so most rows are
//! short and linear equations come down to those of v and w. The links of a tree are one block, each
//! deflection is one, and so is the dissipated work, which follows from all states.

use crate::dynamics::contacts::{Contacts, Frozen, Progress};
use crate::dynamics::event::placement;
use crate::dynamics::link::Link;
use crate::dynamics::outputs::{DistanceSearch, each_output};
use crate::dynamics::parts::Workspace;
use crate::dynamics::watchers::Watchers;
use crate::dynamics::{Model, contact_forces, latches};
use crate::hybrid::{Along, Blocks, DIRECTIONS, Direction};
use crate::scene::description::Gravity;
use contact_geometry::math::{Dual, Real};
use contact_laws::index::{BodyId, DeflectionId, LinkId, TiVec};
use contact_laws::response::choice::ContactRule;
use std::ops::Range;

/// A number with a derivative along each direction.
type Number = Dual<DIRECTIONS>;

/// Work arrays of dual numbers.
pub(crate) struct Tangent {
    work: Workspace<Number>,
    states: Vec<Number>,
    rates: Vec<Number>,
    /// Whether a link of the tree with this root moves along the directions.
    moving: TiVec<LinkId, bool>,
    search: DistanceSearch<Number>,
}

impl Tangent {
    /// Arrays for a model.
    pub(crate) fn new(model: &crate::dynamics::Model) -> Self {
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
    pub(crate) fn forget_contacts(&mut self) {
        self.work.forget_contacts();
    }

    /// Writes the derivatives along [`DIRECTIONS`] directions at most at the time and inputs of
    /// `here`, which has the bodies placed, and these states. Returns false if a function of the
    /// user gives no force close by.
    pub(crate) fn along(
        &mut self,
        frozen: &Frozen<'_>,
        watchers: &Watchers,
        here: &Workspace<f64>,
        states: &[f64],
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> bool {
        let all = 0..self.states.len();
        if !self.along_some(frozen, &[all], here, states, directions, along) {
            return false;
        }
        if along.iter().any(|along| !along.indicators.is_empty()) {
            self.indicators(frozen, watchers, along);
        }
        if along.iter().any(|along| !along.outputs.is_empty()) {
            let mut index = 0;
            let (placement, search) = (placement(frozen.model, here), &mut self.search);
            let (work, states) = (&mut self.work, &self.states[..]);
            each_output(
                frozen,
                watchers,
                &placement,
                work,
                states,
                search,
                |output| {
                    for (lane, along) in along.iter_mut().enumerate() {
                        if let Some(derivative) = along.outputs.get_mut(index) {
                            *derivative = output.eps[lane];
                        }
                    }
                    index += 1;
                },
            );
        }
        true
    }

    /// The derivatives of the state derivatives alone, of the states in these ranges, which are those
    /// of the links that the contacts were divided by and more. States and rates of the directions
    /// are those in the ranges, one range after the other.
    pub(crate) fn along_some(
        &mut self,
        frozen: &Frozen<'_>,
        ranges: &[Range<usize>],
        here: &Workspace<f64>,
        states: &[f64],
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

/// Blocks of a rigid link; a tree uses the first one of its root.
const POSITION: usize = 0;
const ORIENTATION: usize = 1;
const VELOCITY: usize = 2;
const ANGULAR_VELOCITY: usize = 3;
const OF_LINK: usize = 4;
/// Number of states of each block of a rigid link.
const STATES: [usize; OF_LINK] = [3, 4, 3, 3];

/// Whose states the blocks are of: links, then deflections, then the dissipated work if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    /// Links, ascending, whole trees.
    pub links: &'a [LinkId],
    /// Deflections, ascending, whose states follow those of the links, which follow each other. None
    /// for all links and deflections of the scene, with states in its order.
    pub deflections: Option<&'a [DeflectionId]>,
}

impl Scope<'_> {
    /// First block of a link, that of its root for a link of a tree.
    fn first(&self, model: &Model, link: LinkId) -> usize {
        let root = model.links.roots[link];
        OF_LINK * self.links.binary_search(&root).unwrap_or(0)
    }

    fn deflection_count(&self, model: &Model) -> usize {
        let all = || model.scene.layout().deflection_count();
        self.deflections.map_or_else(all, <[_]>::len)
    }

    fn of_deflection(&self, wanted: DeflectionId) -> Option<usize> {
        let place = match self.deflections {
            Some(own) => own.binary_search(&wanted).ok()?,
            None => wanted.into(),
        };
        Some(OF_LINK * self.links.len() + place)
    }

    /// Blocks whose derivatives depend on what acts on a body, and those that what acts there depends
    /// on; none of a body without states.
    fn of_body(&self, model: &Model, body: BodyId) -> (Range<usize>, Range<usize>) {
        let Some(link) = model.links.of_bodies[body] else {
            return (0..0, 0..0);
        };
        let first = self.first(model, link);
        match model.links.is_rigid(link) {
            true => (first + VELOCITY..first + OF_LINK, first..first + OF_LINK),
            false => (first..first + 1, first..first + 1),
        }
    }

    /// Writes the block of states, which are in this range of the scene.
    fn put(&self, range: Range<usize>, block: usize, of_states: &mut Vec<usize>) {
        match self.deflections {
            Some(_) => of_states.extend(std::iter::repeat_n(block, range.len())),
            None => {
                of_states.resize(of_states.len().max(range.end), 0);
                of_states[range].fill(block);
            }
        }
    }
}

/// Adds the blocks of the states in a scope and what they depend on with these contacts.
pub(crate) fn add_blocks(
    model: &Model,
    contacts: &Contacts,
    scope: Scope<'_>,
    blocks: &mut Blocks,
) {
    let (layout, states) = (model.scene.layout(), &mut blocks.of_states);
    for index in scope.links {
        let (link, first) = (&model.links.all[*index], scope.first(model, *index));
        let mut at = link.first_state();
        if !model.links.is_rigid(*index) {
            scope.put(at..link.rates.end, first, states);
            continue;
        }
        for (part, count) in STATES.into_iter().enumerate() {
            scope.put(at..at + count, first + part, states);
            at += count;
        }
        depend_on_own(model, link, first, &mut blocks.depends);
    }
    let deflections = (0..scope.deflection_count(model)).map(DeflectionId::from);
    for (place, deflection) in deflections.enumerate() {
        // Of some of them only the number matters.
        let own = OF_LINK * scope.links.len() + place;
        scope.put(layout.deflection(deflection), own, states);
    }
    couple(model, contacts, scope, &mut blocks.depends);
    if let Some(work) = layout.work() {
        let own = OF_LINK * scope.links.len() + scope.deflection_count(model);
        scope.put(work..work + 1, own, &mut blocks.of_states);
        blocks.depends.extend((0..own).map(|other| [own, other]));
    }
}

/// What the blocks of a rigid link depend on without contacts, beside themselves.
fn depend_on_own(model: &Model, link: &Link, first: usize, depends: &mut Vec<[usize; 2]>) {
    depends.push([first + POSITION, first + VELOCITY]);
    depends.push([first + ORIENTATION, first + ANGULAR_VELOCITY]);
    let is_uniform = !matches!(model.gravity, Gravity::Point { .. });
    let is_driven = !link.applied.is_empty() || link.inputs.iter().any(Option::is_some);
    if is_uniform && !is_driven && model.bodies[link.body].centered {
        return;
    }
    for block in [VELOCITY, ANGULAR_VELOCITY] {
        depends.extend((0..OF_LINK).map(|other| [first + block, first + other]));
    }
}

/// Which blocks the contacts couple.
fn couple(model: &Model, contacts: &Contacts, scope: Scope<'_>, depends: &mut Vec<[usize; 2]>) {
    for contact in contacts.list() {
        let [one, other] = contact.bodies.map(|body| scope.of_body(model, body));
        let moved = || one.0.clone().chain(other.0.clone());
        let seen = || one.1.clone().chain(other.1.clone());
        depends.extend(moved().flat_map(|row| seen().map(move |column| [row, column])));
        if let Some(own) = contact.deflection.and_then(|own| scope.of_deflection(own)) {
            depends.extend(seen().map(|column| [own, column]));
            depends.extend(moved().map(|row| [row, own]));
        }
    }
}
