//! Sparsity of the Jacobian: which blocks of states the derivatives of a block depend on.
//!
//! A rigid link has four blocks: its position p, its orientation q, the velocity v of its origin and
//! its angular velocity w. Whatever acts on it, p' = v and q' follows from q and w, so most rows are
//! short and linear equations come down to those of v and w. The links of a tree are one block, each
//! deflection is one, and so is the dissipated work, which follows from all states.

use crate::dynamics::Model;
use crate::dynamics::contacts::Contacts;
use crate::dynamics::link::Link;
use crate::hybrid::Blocks;
use crate::scene::description::Gravity;
use contact_laws::index::{BodyId, DeflectionId, LinkId};
use std::ops::Range;

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
pub struct Scope<'a> {
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
pub fn add_blocks(model: &Model, contacts: &Contacts, scope: Scope<'_>, blocks: &mut Blocks) {
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
