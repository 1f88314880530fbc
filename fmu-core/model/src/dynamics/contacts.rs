//! The contacts of the ledger with the constants of their forces, unchanged between two events.
//!
//! An event creates only contacts that started, ended or got other slots; the others are kept. Shapes and
//! laws are referenced by index. Laws are bound once for all pairs whose shapes and bodies are alike, so that
//! a scene of equal balls has one law for all its contacts.

use crate::contact::{Contact, Hints, Ledger};
use crate::dynamics::Model;
use crate::dynamics::approach::{Approach, ShapePair};
use crate::dynamics::model::LawKind;
use crate::dynamics::parts::Parts;
use crate::dynamics::path::Path;
use crate::dynamics::scope::Scope;
use contact_geometry::math::{Pose, Real};
use contact_geometry::narrow_phase::PairRoutine;
use contact_laws::index::{
    ActiveId, BodyId, BoundLawId, DeflectionId, FrameId, LinkId, PairId, ShapeId, SlotId, TiSlice,
    TiVec,
};
use contact_laws::response::PairLaw;
use contact_laws::response::law::Onset;
use contact_laws::response::stick::StickLaw;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ActiveContact {
    /// |delta_dot| when the contact started [m/s].
    impact_speed: f64,
    /// Values frozen at the start, [`PairLaw::frozen`].
    pub frozen: Onset,
    /// Force on 2 of the last step of fixed length, world axes [N].
    pub stepped: Option<[f64; 3]>,
    pub(crate) pair: PairId,
    pub slot: SlotId,
    law: BoundLawId,
    /// `None` if its friction has none.
    pub deflection: Option<DeflectionId>,
    pub(crate) shapes: [ShapeId; 2],
    pub frames: [FrameId; 2],
    pub bodies: [BodyId; 2],
    /// Whether the bodies have states.
    pub moves: [bool; 2],
    pub fixed: [bool; 2],
    pub routine: PairRoutine,
    pub radii: [f64; 2],
    pub is_user: bool,
    pub over_area: bool,
}

impl ActiveContact {
    /// Returns true if it represents this entry of the ledger.
    fn is_of(&self, entry: &Contact) -> bool {
        let bits = |speed: f64, frozen: Onset| {
            let [x, y, z] = frozen.coupling;
            [speed, frozen.number, x, y, z].map(f64::to_bits)
        };
        (self.pair, self.slot) == (entry.pair, entry.slot)
            && bits(self.impact_speed, self.frozen) == bits(entry.impact_speed, entry.frozen)
            && self.stepped == entry.stepped.map(|stepped| stepped.force)
    }
}

/// Contacts of the ledger, in its order.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    list: TiVec<ActiveId, ActiveContact>,
    before: Vec<ActiveContact>,
    laws: Laws,
    /// Links partitioned by these contacts.
    pub parts: Parts,
    made: u64,
}

/// Laws bound to pairs, shared by equal pairs.
#[derive(Debug, Default)]
pub(crate) struct Laws {
    pub bound: TiVec<BoundLawId, PairLaw>,
    /// A pair of each.
    pairs: TiVec<BoundLawId, PairId>,
    /// By the common data of its pairs, and the pair if a user function gets its index.
    known: BTreeMap<(LawKind, Option<PairId>), BoundLawId>,
}

impl Laws {
    pub(crate) fn of_contact(&mut self, model: &Model, contact: &Contact) -> BoundLawId {
        let pair = model.scene.pairs().get(contact.pair);
        let law = model.scene.law_of(&pair);
        let own = model.calls_user(law).then_some(contact.pair);
        let next = self.bound.next_key();
        let kind = model.kind_of_law(&pair, law);
        let index = *self.known.entry((kind, own)).or_insert(next);
        if index == next {
            self.bound.push(model.law_of(&pair));
            self.pairs.push(contact.pair);
        }
        if own.is_some() {
            self.bound[index].set_impact_speed(contact.impact_speed);
        }
        index
    }
}

impl Contacts {
    /// Discards contacts and laws after a change of the model's numbers.
    pub(crate) fn forget(&mut self) {
        self.laws = Laws::default();
        self.list.clear();
    }

    /// Binds the laws to the model's present numbers; contacts keep the values frozen at their start.
    pub(crate) fn rebind(&mut self, model: &Model) {
        let Laws { bound, pairs, .. } = &mut self.laws;
        for (law, pair) in bound.iter_mut().zip(pairs) {
            *law = model.law_of(&model.scene.pairs().get(*pair));
        }
        for contact in self.list.iter().filter(|contact| contact.is_user) {
            bound[contact.law].set_impact_speed(contact.impact_speed);
        }
    }

    /// Takes the contacts of the ledger, which act on these links (ascending, complete trees). Contacts
    /// before the first change and after the last one are kept.
    pub(crate) fn update(&mut self, model: &Model, members: &[LinkId], ledger: &Ledger) {
        let entries = ledger.contacts();
        let stays = |(old, entry): &(&ActiveContact, &Contact)| old.is_of(entry);
        let head = self.list.iter().zip(entries).take_while(stays).count();
        let rest = (&self.list.raw[head..], &entries[head..]);
        let rest = rest.0.iter().rev().zip(rest.1.iter().rev());
        let tail = rest.take_while(stays).count();
        let changed = head..self.list.len() - tail;
        self.before.clear();
        self.before
            .extend_from_slice(&self.list.raw[changed.clone()]);
        let (made, laws) = (&mut self.made, &mut self.laws);
        let mut before = &self.before[..];
        let entries = entries[head..entries.len() - tail].iter().map(|entry| {
            while let [old, rest @ ..] = before
                && old.pair < entry.pair
            {
                before = rest;
            }
            match before.first() {
                Some(old) if old.is_of(entry) => *old,
                _ => {
                    *made += 1;
                    make(model, laws, entry)
                }
            }
        });
        self.list.raw.splice(changed, entries);
        let links = &model.links;
        let ends = self.list.iter().map(|contact| {
            let bodies = contact.bodies;
            bodies.map(|body| links.of_bodies[body])
        });
        self.parts.divide(links, members, ends);
    }

    #[inline(always)]
    pub(crate) fn list(&self) -> &TiSlice<ActiveId, ActiveContact> {
        &self.list
    }

    #[inline(always)]
    pub(crate) fn law(&self, contact: &ActiveContact) -> &PairLaw {
        &self.laws.bound[contact.law]
    }

    pub(crate) fn of_pair(&self, pair: PairId) -> Option<ActiveId> {
        let found = self
            .list
            .binary_search_by_key(&pair, |contact| contact.pair);
        found.ok()
    }

    /// Friction law of a contact with a deflection.
    #[inline(always)]
    pub(crate) fn bristle(&self, contact: &ActiveContact) -> Option<(&StickLaw, DeflectionId)> {
        let deflection = contact.deflection?;
        Some((self.law(contact).friction.stick()?, deflection))
    }

    /// Number of contacts created so far, for tests: an event creates those that start.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }
}

fn make(model: &Model, laws: &mut Laws, known: &Contact) -> ActiveContact {
    let pair = model.scene.pairs().get(known.pair);
    let bodies = model.bodies_of(&pair);
    let law = laws.of_contact(model, known);
    let bound = &laws.bound[law];
    let sticks = bound.friction.stick().is_some();
    let layout = model.scene.layout();
    let deflection = layout.deflection_of(known.pair, known.slot);
    ActiveContact {
        impact_speed: known.impact_speed,
        frozen: known.frozen,
        stepped: known.stepped.map(|stepped| stepped.force),
        pair: known.pair,
        slot: known.slot,
        law,
        deflection: deflection.filter(|_| sticks),
        shapes: pair.shapes,
        frames: pair.shapes.map(|shape| model.frames.of_shapes[shape]),
        bodies,
        moves: bodies.map(|body| model.links.of_bodies[body].is_some()),
        fixed: bodies.map(|body| model.scene.bodies()[body].is_fixed()),
        routine: model.routine_of(&pair),
        radii: model.scene.forms_of(pair.shapes).map(|form| form.radius),
        is_user: bound.is_user(),
        over_area: bound.area.is_some(),
    }
}

/// Slot that watches a pair out of contact, and the shapes of the pair.
pub(crate) struct Watched<'a> {
    pub slot: SlotId,
    pub shapes: &'a ShapePair,
}

#[derive(Clone, Copy, Debug)]
struct Watcher {
    slot: SlotId,
    pair: PairId,
    shapes: ShapePair,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Watchers {
    list: Vec<Watcher>,
    before: Vec<Watcher>,
    in_contact: TiVec<SlotId, bool>,
}

impl Watchers {
    /// Takes the slots of the ledger; unchanged watchers are kept.
    pub(crate) fn update(&mut self, model: &Model, ledger: &Ledger) {
        std::mem::swap(&mut self.list, &mut self.before);
        self.list.clear();
        self.in_contact.clear();
        self.in_contact.resize(ledger.slots().len(), false);
        for contact in ledger.contacts() {
            self.in_contact[contact.slot] = true;
        }
        let mut before = self.before.iter().peekable();
        for (slot, pair) in ledger.slots().iter_enumerated() {
            while before.next_if(|old| old.slot < slot).is_some() {}
            let Some(pair) = pair.filter(|_| !self.in_contact[slot]) else {
                continue;
            };
            let kept = before.next_if(|old| (old.slot, old.pair) == (slot, pair));
            let made = || Watcher {
                slot,
                pair,
                shapes: ShapePair::new(model, pair),
            };
            self.list.push(kept.copied().unwrap_or_else(made));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn use_warm_starts(&self) -> bool {
        let mut list = self.list.iter();
        list.any(|watcher| watcher.shapes.uses_warm_start())
    }

    /// Calls `visit` with each slot and the gap [m] of its pair with the shapes in these frames.
    #[inline(always)]
    pub(crate) fn each_gap(
        &self,
        model: &Model,
        frames: &TiSlice<FrameId, Pose>,
        hints: &Hints,
        mut visit: impl FnMut(SlotId, f64),
    ) {
        for watcher in &self.list {
            let gap = watcher.shapes.gap(model, frames, hints, watcher.slot);
            visit(watcher.slot, gap);
        }
    }

    /// [`Self::each_gap`] with derivatives.
    pub(crate) fn each_gap_along<T: Real>(
        &self,
        model: &Model,
        frames: &TiSlice<FrameId, Pose<T>>,
        hints: &Hints,
        mut visit: impl FnMut(SlotId, T),
    ) {
        for watcher in &self.list {
            let gap = watcher.shapes.gap_along(model, frames, hints, watcher.slot);
            visit(watcher.slot, gap);
        }
    }

    pub(crate) fn watched(&self) -> impl Iterator<Item = Watched<'_>> + Clone {
        self.list.iter().map(|watcher| Watched {
            slot: watcher.slot,
            shapes: &watcher.shapes,
        })
    }
}

/// All inputs of an evaluation that are constant between two events.
#[derive(Debug)]
pub(crate) struct Mode {
    pub model: Arc<Model>,
    pub scope: Scope,
    pub ledger: Ledger,
    pub contacts: Contacts,
    /// Slots of the ledger that watch a pair out of contact.
    pub watchers: Watchers,
}

impl Mode {
    /// Approach of the pair in a slot on a path.
    pub(crate) fn approach<'a>(
        &'a self,
        slot: SlotId,
        shapes: &'a ShapePair,
        path: &'a mut Path,
        looks: &'a mut u64,
    ) -> Approach<'a> {
        Approach {
            model: &self.model,
            path,
            shapes,
            hint: self.ledger.hint(slot),
            rule: self.model.scene.contact().law.rule,
            looks,
        }
    }
}

/// Progress of an evaluation at a time and states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Progress {
    Nothing,
    Placed,
    Accelerated,
}
