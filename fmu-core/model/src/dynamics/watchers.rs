//! Indicator slots that watch a pair out of contact.

use crate::contact::{Hints, Ledger};
use crate::dynamics::Model;
use crate::dynamics::approach::ShapePair;
use crate::dynamics::guard::Watched;
use contact_geometry::math::{Pose, Real};
use contact_laws::index::{FrameId, PairId, SlotId, TiSlice, TiVec};

/// A slot and the pair out of contact that it watches.
#[derive(Clone, Copy, Debug)]
struct Watcher {
    slot: SlotId,
    pair: PairId,
    shapes: ShapePair,
}

/// All of them, in the order of the slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watchers {
    list: Vec<Watcher>,
    before: Vec<Watcher>,
    /// Slots whose pair is in contact.
    in_contact: TiVec<SlotId, bool>,
}

impl Watchers {
    /// Takes the slots of the ledger; those that watch the pair of before are kept.
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

    /// Number of slots that watch a pair.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns true if the search for a gap reads a hint.
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

    /// The same for gaps with derivatives.
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

    /// Slots and shapes.
    pub(crate) fn watched(&self) -> impl Iterator<Item = Watched<'_>> + Clone {
        self.list.iter().map(|watcher| Watched {
            slot: watcher.slot,
            shapes: &watcher.shapes,
        })
    }
}
