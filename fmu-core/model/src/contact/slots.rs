//! Indicator slots in the order of their pairs.
//!
//! The ledger keeps the pair of each slot; this keeps the slots sorted by pair, so that the slot of
//! a pair is found by bisection and slots are given away by merging two sorted lists. The order is
//! checked against the slots by each update: it is never wrong, at most sorted again.

use contact_laws::index::{PairId, SlotId, TiSlice};

/// Slots with a pair, sorted by pair.
#[derive(Clone, Debug, Default)]
pub struct SlotOrder {
    /// Pair and slot.
    by_pair: Vec<(PairId, SlotId)>,
    /// The order that follows.
    next: Vec<(PairId, SlotId)>,
}

impl SlotOrder {
    /// Takes the pairs of the slots.
    pub fn update(&mut self, slots: &TiSlice<SlotId, Option<PairId>>) {
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

    /// The slot of a pair.
    pub fn slot_of(&self, pair: PairId) -> Option<SlotId> {
        let found = self.by_pair.binary_search_by_key(&pair, |entry| entry.0);
        found.ok().map(|index| self.by_pair[index].1)
    }

    /// Gives the slots to `pairs` (ascending, no more than there are slots): pairs that have a slot
    /// keep it, the others take the free slots, both in their order. Calls `freed` with each
    /// slot that lost its pair. The slots must be those of the last update or assignment.
    pub fn assign(
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
