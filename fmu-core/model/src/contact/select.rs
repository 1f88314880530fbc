//! Selection of the nearest pairs, exactly and with few gap evaluations.
//!
//! Order of pairs: contacts first by pair index; then by indicator, then by pair index (the DistanceKey of
//! [Modia3D contact detection]). The indicator of a pair out of contact is its gap plus a constant, so
//! ranking by gap is equivalent. Each candidate has bounds of its gap; the gap itself is computed only if the
//! bounds allow either side of the cut between the nearest and the rest.
//!
//! The cut moves little from one selection to the next. A window about it divides the candidates: closer ones
//! remain selected and farther ones unselected while the shapes travel less than the width of the window;
//! only the active pairs in the window are ranked and tested for overlap.
//!
//! # Indicator slots in the order of their pairs
//!
//! The ledger has the pair of each slot; this keeps the slots sorted by pair, so that the slot of a pair is
//! found by bisection and slots are reassigned by merging two sorted lists. Each update checks the order
//! against the slots and sorts again if necessary.

use crate::broad_phase::{Candidate, Candidates, Poses, TOUCHING};
use crate::scene::Scene;
use contact_laws::index::{PairId, SlotId, TiSlice};

/// Half the width of a window over the travel of the shapes since the last selection [1]: it lasts for a
/// quarter of that many selections.
const WIDTH: f64 = 64.0;
/// Half the width of a window if nothing moves [m].
const WIDTH_AT_REST: f64 = 1e-7;

/// Selection of pairs with work arrays; no allocation once they have grown to the scene.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    nearest: Vec<PairId>,
    /// Pairs that may overlap and their gaps [m], by pair.
    near: Vec<(PairId, f64)>,
    division: WindowSplit,
    selected: Vec<bool>,
    /// Active candidates about the cut.
    middle: Vec<Ranked>,
    touching: Vec<usize>,
    /// Gap at the last cut [m].
    cut: f64,
}

/// Candidates divided by a window.
#[derive(Clone, Debug, Default)]
struct WindowSplit {
    /// Window at its creation [m]; `None` if all candidates are active.
    window: Option<(f64, f64)>,
    /// Pairs closer than the window, ascending.
    inside: Vec<PairId>,
    /// Indices of the candidates that may be in the window or overlap, ascending.
    active: Vec<usize>,
    /// Generation of the divided list, and the pairs excluded from it.
    list: u64,
    left_out: Vec<PairId>,
    /// Largest travel of a shape at its creation [m].
    travelled: f64,
}

impl WindowSplit {
    /// Divides the list of candidates by a window, or makes all of them active.
    fn make(&mut self, candidates: &Candidates, left_out: &[PairId], window: Option<(f64, f64)>) {
        self.window = window;
        self.list = candidates.generation();
        self.left_out.clear();
        self.left_out.extend_from_slice(left_out);
        self.travelled = 0.0;
        self.inside.clear();
        self.active.clear();
        let (low, high) = window.unwrap_or(EVERYWHERE);
        let touching = TOUCHING + 0.5 * (high - low);
        let mut left_out = left_out.iter().peekable();
        for (index, candidate) in candidates.list().iter().enumerate() {
            while left_out.next_if(|pair| **pair < candidate.pair).is_some() {}
            if left_out.next_if(|pair| **pair == candidate.pair).is_some() {
                continue;
            }
            let (lower, upper) = candidates.bounds(candidate);
            if (upper >= low && lower <= high) || lower <= touching {
                self.active.push(index);
            } else if upper < low {
                self.inside.push(candidate.pair);
            }
        }
    }

    /// Remaining window: pairs inside are closer than its start, pairs neither inside nor active farther than
    /// its end and than touching. `None` if nothing remains.
    fn window(&self, candidates: &Candidates, left_out: &[PairId]) -> Option<(f64, f64)> {
        let (low, high) = self.window?;
        if self.list != candidates.generation() || self.left_out != left_out {
            return None;
        }
        let moved = 2.0 * self.travelled + candidates.largest_noise();
        let left = (low + moved, high - moved);
        (left.0 < left.1).then_some(left)
    }
}

/// Candidate with bounds of its gap.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ranked {
    lower: f64,
    upper: f64,
    /// Index among the active candidates, in pair order.
    position: usize,
}

impl Selection {
    /// Selects the `count` nearest of all pairs except `left_out` (ascending), as sorting all gaps would, and
    /// finds every pair that overlaps. `gap` evaluates the gap of a candidate [m].
    ///
    /// [`Candidates::take_place`] must have taken the poses given here, and every time poses are taken there
    /// must be a selection.
    pub(crate) fn select(
        &mut self,
        candidates: &mut Candidates,
        scene: &Scene,
        poses: &impl Poses,
        left_out: &[PairId],
        count: usize,
        mut gap: impl FnMut(&Candidate) -> f64,
    ) {
        let listed = count + left_out.len();
        let count = count.min(scene.pairs().len() - left_out.len());
        self.division.travelled += candidates.step();
        let mut window = match self.division.window(candidates, left_out) {
            Some(window) => window,
            None => self.divide(candidates, left_out),
        };
        loop {
            match self.attempt(candidates, count, window.0, window.1, &mut gap) {
                Ok(cut) => {
                    self.cut = cut;
                    break;
                }
                Err(Flaw::Window) => {}
                Err(Flaw::List(needed)) => candidates.gather(scene, poses, listed, needed),
            }
            self.division.make(candidates, left_out, None);
            window = EVERYWHERE;
        }
        self.collect(candidates);
        self.near.clear();
        for index in &self.touching {
            let gap = candidates.gap(*index, &mut gap);
            self.near.push((candidates.list()[*index].pair, gap));
        }
    }

    pub(crate) fn nearest(&self) -> &[PairId] {
        &self.nearest
    }

    /// Pairs that may overlap, without the excluded ones, with their gaps [m], ascending by pair.
    pub(crate) fn near(&self) -> &[(PairId, f64)] {
        &self.near
    }

    /// Lower bound of the gaps of pairs neither selected nor excluded [m].
    pub(crate) fn cut(&self) -> f64 {
        self.cut
    }

    /// Divides the candidates again by a window about the last cut. Returns the remaining window, or
    /// [`EVERYWHERE`].
    fn divide(&mut self, candidates: &Candidates, left_out: &[PairId]) -> (f64, f64) {
        let width = WIDTH * candidates.step() + WIDTH_AT_REST + candidates.largest_noise();
        let window = (self.cut - width, self.cut + width);
        let finite = window.0.is_finite() && window.1.is_finite();
        self.division
            .make(candidates, left_out, finite.then_some(window));
        let left = self.division.window(candidates, left_out);
        left.unwrap_or(EVERYWHERE)
    }

    /// Marks the selected active candidates. Returns the cut [m].
    ///
    /// # Errors
    /// The cut lies outside the window from `low` to `high` [m], or the list is too short.
    fn attempt(
        &mut self,
        candidates: &mut Candidates,
        count: usize,
        low: f64,
        high: f64,
        gap: &mut impl FnMut(&Candidate) -> f64,
    ) -> Result<f64, Flaw> {
        let inside = self.division.inside.len() + self.compare(candidates, low, high, gap);
        let outside = candidates.outside();
        let Some(places) = count.checked_sub(inside) else {
            return Err(Flaw::Window);
        };
        if places > self.middle.len() {
            // Too few are nearer than the end of the window, or than the end of the list.
            return Err(if (low, high) == EVERYWHERE {
                Flaw::List(outside.max(TOUCHING))
            } else {
                Flaw::Window
            });
        }
        let cut = self.rank(candidates, places, high.min(outside), gap);
        let uppers = self.middle[..places].iter().map(|ranked| ranked.upper);
        let farthest = uppers.fold(TOUCHING.max(low), f64::max);
        // Those inside are nearer than the window begins, those left aside farther than it ends.
        if cut < low || farthest > high {
            return Err(Flaw::Window);
        }
        // Beyond a complete list there is no pair, and gaps too large for a number are infinite
        // too.
        if farthest >= outside && outside < f64::INFINITY {
            return Err(Flaw::List(farthest));
        }
        for ranked in &self.middle[..places] {
            self.selected[ranked.position] = true;
        }
        Ok(cut)
    }

    /// Compares the bounds of the active candidates with the window: marks those below, keeps those that may
    /// be in it, and those that may overlap, whose gaps are needed anyway: if more pairs than slots overlap,
    /// ranking by bounds would resolve only a slot's worth at a time. Returns the number below.
    fn compare(
        &mut self,
        candidates: &mut Candidates,
        low: f64,
        high: f64,
        gap: &mut impl FnMut(&Candidate) -> f64,
    ) -> usize {
        self.middle.clear();
        self.touching.clear();
        self.selected.clear();
        let mut inside = 0;
        for (position, index) in self.division.active.iter().enumerate() {
            let (mut lower, mut upper) = candidates.bounds(&candidates.list()[*index]);
            if lower <= TOUCHING {
                self.touching.push(*index);
                lower = candidates.gap(*index, &mut *gap);
                upper = lower;
            }
            let below = upper < low;
            self.selected.push(below);
            if below {
                inside += 1;
            } else if lower <= high {
                self.middle.push(Ranked {
                    lower,
                    upper,
                    position,
                });
            }
        }
        inside
    }

    fn collect(&mut self, candidates: &Candidates) {
        let active = self.division.active.iter().zip(&self.selected);
        let mut chosen = active
            .filter(|(_, selected)| **selected)
            .map(|(index, _)| candidates.list()[*index].pair)
            .peekable();
        self.nearest.clear();
        for inside in &self.division.inside {
            while let Some(pair) = chosen.next_if(|pair| pair < inside) {
                self.nearest.push(pair);
            }
            self.nearest.push(*inside);
        }
        self.nearest.extend(chosen);
    }

    /// Partitions the middle: its `count` nearest come first; all others have gaps of at least `beyond` [m].
    /// Returns a lower bound of the gaps of the others.
    fn rank(
        &mut self,
        candidates: &mut Candidates,
        count: usize,
        beyond: f64,
        gap: &mut impl FnMut(&Candidate) -> f64,
    ) -> f64 {
        // The gap is computed of candidates that are among the first by the lower bound and may be
        // farther than the next one, until there is none: then no lower bound behind them hides a
        // smaller gap.
        loop {
            candidates.work.ranked += self.middle.len() as u64;
            let next = if count < self.middle.len() {
                let (_, next, _) = self.middle.select_nth_unstable_by(count, Ranked::order);
                next.lower.min(beyond)
            } else {
                beyond
            };
            let mut settled = true;
            for ranked in &mut self.middle[..count] {
                if ranked.upper >= next && ranked.lower < ranked.upper {
                    let index = self.division.active[ranked.position];
                    let gap = candidates.gap(index, &mut *gap);
                    (ranked.lower, ranked.upper) = (gap, gap);
                    settled = false;
                }
            }
            if settled {
                return next;
            }
        }
    }
}

impl Ranked {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.lower
            .total_cmp(&other.lower)
            .then(self.position.cmp(&other.position))
    }
}

const EVERYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Reason why an attempt failed.
enum Flaw {
    /// The cut is outside the remaining window.
    Window,
    /// A pair beyond the list may be this close [m].
    List(f64),
}

/// Slots with a pair, sorted by pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotOrder {
    by_pair: Vec<(PairId, SlotId)>,
    /// Work array for the next order.
    next: Vec<(PairId, SlotId)>,
}

impl SlotOrder {
    pub(crate) fn update(&mut self, slots: &TiSlice<SlotId, Option<PairId>>) {
        let holds = |(pair, slot): &(PairId, SlotId)| slots.get(*slot) == Some(&Some(*pair));
        let count = slots.iter().filter(|slot| slot.is_some()).count();
        if self.by_pair.len() == count && self.by_pair.iter().all(holds) {
            return;
        }
        self.by_pair.clear();
        let slots = slots.iter_enumerated();
        self.by_pair
            .extend(slots.filter_map(|(slot, pair)| Some(((*pair)?, slot))));
        self.by_pair.sort_unstable();
    }

    pub(crate) fn slot_of(&self, pair: PairId) -> Option<SlotId> {
        let found = self.by_pair.binary_search_by_key(&pair, |entry| entry.0);
        found.ok().map(|index| self.by_pair[index].1)
    }

    /// Assigns the slots to `pairs` (ascending, no more than there are slots): pairs that have a slot keep
    /// it, the others take the free slots, both in their order. Calls `freed` with each slot that lost its
    /// pair. The slots must be those of the last update or assignment.
    pub(crate) fn assign(
        &mut self,
        slots: &mut TiSlice<SlotId, Option<PairId>>,
        pairs: &[PairId],
        mut freed: impl FnMut(SlotId),
    ) {
        let mut wanted = pairs.iter().copied().peekable();
        let mut kept = 0;
        for (pair, slot) in &self.by_pair {
            while wanted.next_if(|new| new < pair).is_some() {}
            if wanted.next_if_eq(pair).is_some() {
                kept += 1;
            } else {
                slots[*slot] = None;
                freed(*slot);
            }
        }
        if kept == pairs.len() {
            let holds = |(pair, slot): &(PairId, SlotId)| slots[*slot] == Some(*pair);
            self.by_pair.retain(holds);
            return;
        }
        self.next.clear();
        let is_free = |slot: &SlotId| slots[*slot].is_none();
        let mut free = slots.keys().filter(is_free);
        let mut old = self.by_pair.iter().peekable();
        for pair in pairs {
            while old.next_if(|entry| entry.0 < *pair).is_some() {}
            match old.next_if(|entry| entry.0 == *pair) {
                Some(entry) => self.next.push(*entry),
                None => {
                    if let Some(slot) = free.next() {
                        self.next.push((*pair, slot));
                    }
                }
            }
        }
        std::mem::swap(&mut self.by_pair, &mut self.next);
        for (pair, slot) in &self.by_pair {
            slots[*slot] = Some(*pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_laws::index::TiVec;

    /// The pairs of slots; 0 stands for none.
    fn slots_of(pairs: &[usize]) -> TiVec<SlotId, Option<PairId>> {
        let pair = |pair: &usize| (*pair > 0).then(|| PairId::from(*pair));
        pairs.iter().map(pair).collect()
    }

    fn slot_of(order: &SlotOrder, pair: usize) -> Option<usize> {
        order.slot_of(PairId::from(pair)).map(usize::from)
    }

    #[test]
    fn pairs_keep_their_slots_and_new_ones_take_the_free_in_order() {
        let mut order = SlotOrder::default();
        let mut slots = slots_of(&[0; 4]);
        let mut freed = Vec::new();
        let mut assign = |order: &mut SlotOrder, slots: &mut _, pairs: &[usize]| {
            let pairs: Vec<PairId> = pairs.iter().copied().map(PairId::from).collect();
            freed.clear();
            order.assign(slots, &pairs, |slot| freed.push(usize::from(slot)));
            freed.clone()
        };
        assert!(assign(&mut order, &mut slots, &[3, 5, 8]).is_empty());
        assert_eq!(slots, slots_of(&[3, 5, 8, 0]));
        assert_eq!(assign(&mut order, &mut slots, &[1, 4, 5, 9]), [0, 2]);
        assert_eq!(slots, slots_of(&[1, 5, 4, 9]));
        assign(&mut order, &mut slots, &[4]);
        assert_eq!(slots, slots_of(&[0, 0, 4, 0]));
        assert_eq!((slot_of(&order, 4), slot_of(&order, 5)), (Some(2), None));
    }

    #[test]
    fn slots_changed_elsewhere_are_seen() {
        let mut order = SlotOrder::default();
        let mut slots = slots_of(&[0; 3]);
        order.assign(&mut slots, &[1, 2, 3].map(PairId::from), |_| {});
        slots = slots_of(&[7, 0, 2]);
        order.update(&slots);
        assert_eq!((slot_of(&order, 7), slot_of(&order, 2)), (Some(0), Some(2)));
        order.assign(&mut slots, &[2, 6, 7].map(PairId::from), |_| {});
        assert_eq!(slots, slots_of(&[7, 6, 2]));
    }
}
