//! Exact derivatives along directions of time, states and inputs, by dual numbers.
//!
//! One evaluation gives the products of the Jacobian of state derivatives, event indicators and outputs with
//! up to [`DIRECTIONS`] directions. The work arrays are allocated once.
//!
//! # Sparsity of the Jacobian, by blocks of states
//!
//! A rigid link has four blocks: its position p, its orientation q, the velocity v of its origin and its
//! angular velocity w. For any load, p' = v and q' follows from q and w, so most rows are short and linear
//! equations reduce to those of v and w. The links of a tree are one block, each deflection is one, and so is
//! the dissipated work, which follows from all states.

use crate::dynamics::Model;
use crate::dynamics::contacts::{Mode, Progress};
use crate::dynamics::link::Link;
use crate::dynamics::outputs::{DistanceSearch, each_output};
use crate::dynamics::scope::Scope;
use crate::dynamics::source::{EventSource, Tangential};
use crate::dynamics::stage::Stage;
use crate::dynamics::workspace::Workspace;
use crate::hybrid::{Along, Blocks, Direction};
use crate::scene::description::Gravity;
use contact_geometry::math::{Dual, Real};
use contact_laws::index::{BodyId, DeflectionId, LinkId, TiVec};
use std::ops::Range;

pub(crate) struct Tangent {
    work: Workspace<Tangential>,
    states: Vec<Tangential>,
    rates: Vec<Tangential>,
    /// Whether a link of the tree with this root moves along the directions.
    moving: TiVec<LinkId, bool>,
    search: DistanceSearch<Tangential>,
}

impl Tangent {
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

    /// Clears the effects of contacts that have ended.
    pub(crate) fn forget_contacts(&mut self, mode: &Mode) {
        self.work.forget_contacts(&mode.model, &mode.scope);
    }

    /// Writes the derivatives along up to [`DIRECTIONS`] directions at the stage, which has the bodies
    /// placed. Returns false if a user function fails close by.
    pub(crate) fn along(
        &mut self,
        stage: &Stage,
        sources: &[&dyn EventSource],
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> bool {
        if !self.rates_along(stage, directions, along) {
            return false;
        }
        if along.iter().any(|along| !along.indicators.is_empty()) {
            self.indicators(&stage.mode, sources, along);
        }
        if along.iter().any(|along| !along.outputs.is_empty()) {
            let mut index = 0;
            let (placement, search) = (stage.placement(), &mut self.search);
            let (work, states) = (&mut self.work, &self.states[..]);
            each_output(&stage.mode, &placement, work, states, search, |output| {
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

    fn rates_along(
        &mut self,
        stage: &Stage,
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> bool {
        let Stage {
            mode,
            work: here,
            states,
            ..
        } = stage;
        self.work.take_inputs(here);
        // A direction for each lane; no change in those that are left.
        let seeded = |value: f64, change: &dyn Fn(&Direction<'_>) -> f64| {
            Dual::with_derivatives(value, |lane| directions.get(lane).map_or(0.0, change))
        };
        self.work.time = seeded(self.work.time.re, &|direction| direction.time);
        for (i, input) in self.work.inputs.iter_mut().enumerate() {
            *input = seeded(input.re, &|direction| direction.inputs[i]);
        }
        for (place, state) in mode.scope.indices().enumerate() {
            self.states[state] = seeded(states[state], &|direction| direction.states[place]);
            self.rates[state] = Dual::from(0.0);
        }
        self.mark_constant(mode, directions, along);
        let (work, states) = (&mut self.work, &self.states);
        mode.evaluate(Progress::Nothing, work, states, &mut self.rates);
        if work.refused.is_some() {
            return false;
        }
        for (lane, along) in along.iter_mut().enumerate() {
            let states = mode.scope.indices();
            for (derivative, state) in along.rates.iter_mut().zip(states) {
                *derivative = self.rates[state].eps[lane];
            }
        }
        true
    }

    /// Marks the contacts that derivatives of the states do not need: between bodies that do not move along
    /// the directions. All links of a tree move if one does, since the force on one accelerates the others.
    fn mark_constant(&mut self, mode: &Mode, directions: &[Direction<'_>], along: &[Along<'_>]) {
        self.work.constant.clear();
        let (links, layout) = (&mode.model.links, mode.model.scene.layout());
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
        let members = mode.contacts.parts.links();
        for index in members {
            self.moving[links.roots[*index]] = false;
        }
        for index in members {
            let (root, link) = (links.roots[*index], &links.all[*index]);
            self.moving[root] |= moves(link.positions.clone()) || moves(link.rates.clone());
        }
        let moving = &self.moving;
        let contacts = mode.contacts.list().iter();
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

    /// Derivatives of the plain event indicators; zero for unused slots.
    fn indicators(&self, mode: &Mode, sources: &[&dyn EventSource], along: &mut [Along<'_>]) {
        for along in along.iter_mut() {
            along.indicators.fill(0.0);
        }
        let mut first = 0;
        for source in sources {
            let mut set = |index: usize, found: Tangential| {
                for (lane, along) in along.iter_mut().enumerate() {
                    if let Some(derivative) = along.indicators.get_mut(first + index) {
                        *derivative = found.eps[lane];
                    }
                }
            };
            source.indicators_along(mode, &self.work, &self.states, &mut set);
            first += source.count(mode);
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

/// Numbering of the blocks of a scope: links, then deflections, then the dissipated work if it is a state.
#[derive(Clone, Copy)]
struct ScopeBlocks<'a> {
    model: &'a Model,
    scope: &'a Scope,
}

impl ScopeBlocks<'_> {
    /// First block of a link; for a tree link of its root.
    fn first(&self, link: LinkId) -> usize {
        let root = self.model.links.roots[link];
        OF_LINK * self.scope.links.binary_search(&root).unwrap_or(0)
    }

    fn of_deflection(&self, wanted: DeflectionId) -> Option<usize> {
        let place = self.scope.deflections.binary_search(&wanted).ok()?;
        Some(OF_LINK * self.scope.links.len() + place)
    }

    /// Blocks whose derivatives depend on the load on a body, and those that this load depends on; empty for
    /// a body without states.
    fn of_body(&self, body: BodyId) -> (Range<usize>, Range<usize>) {
        let Some(link) = self.model.links.of_bodies[body] else {
            return (0..0, 0..0);
        };
        let first = self.first(link);
        match self.model.links.is_rigid(link) {
            true => (first + VELOCITY..first + OF_LINK, first..first + OF_LINK),
            false => (first..first + 1, first..first + 1),
        }
    }

    /// Assigns a block to this range of the scene's states.
    fn put(&self, range: Range<usize>, block: usize, of_states: &mut Vec<usize>) {
        if self.scope.is_all() {
            of_states.resize(of_states.len().max(range.end), 0);
            of_states[range].fill(block);
        } else {
            of_states.extend(std::iter::repeat_n(block, range.len()));
        }
    }
}

/// Adds the blocks of a scope's states and their dependencies, including contacts.
pub(crate) fn add_blocks(mode: &Mode, blocks: &mut Blocks) {
    let (model, scope) = (&*mode.model, &mode.scope);
    let known = ScopeBlocks { model, scope };
    let (layout, states) = (model.scene.layout(), &mut blocks.of_states);
    for index in &scope.links {
        let (link, first) = (&model.links.all[*index], known.first(*index));
        let mut at = link.first_state();
        if !model.links.is_rigid(*index) {
            known.put(link.states(), first, states);
            continue;
        }
        for (part, count) in STATES.into_iter().enumerate() {
            known.put(at..at + count, first + part, states);
            at += count;
        }
        depend_on_own(model, link, first, &mut blocks.depends);
    }
    let mut own = OF_LINK * scope.links.len();
    for deflection in &scope.deflections {
        known.put(layout.deflection(*deflection), own, states);
        own += 1;
    }
    couple(mode, known, &mut blocks.depends);
    if let Some(work) = layout.work() {
        known.put(work..work + 1, own, &mut blocks.of_states);
        blocks.depends.extend((0..own).map(|other| [own, other]));
    }
}

/// Dependencies of a rigid link's blocks on each other, without contacts.
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

/// Dependencies due to contacts.
fn couple(mode: &Mode, known: ScopeBlocks<'_>, depends: &mut Vec<[usize; 2]>) {
    for contact in mode.contacts.list() {
        let [one, other] = contact.bodies.map(|body| known.of_body(body));
        let moved = || one.0.clone().chain(other.0.clone());
        let seen = || one.1.clone().chain(other.1.clone());
        depends.extend(moved().flat_map(|row| seen().map(move |column| [row, column])));
        if let Some(own) = contact.deflection.and_then(|own| known.of_deflection(own)) {
            depends.extend(seen().map(|column| [own, column]));
            depends.extend(moved().map(|row| [row, own]));
        }
    }
}
