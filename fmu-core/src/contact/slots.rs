//! Indicator slots in the order of their pairs.
//!
//! The ledger keeps the pair of each slot; this keeps the slots sorted by pair, so that the slot of a
//! pair is found by bisection and slots are given away by merging two sorted lists. The order is
//! checked against the slots by each update: it is never wrong, at most sorted again.

/// Slots with a pair, sorted by pair.
#[derive(Clone, Debug, Default)]
pub struct SlotOrder {
    /// Pair and slot.
    by_pair: Vec<(u32, u32)>,
    /// The order that follows.
    next: Vec<(u32, u32)>,
}

impl SlotOrder {
    /// Takes the pairs of the slots.
    pub fn update(&mut self, slots: &[Option<u32>]) {
        let holds = |(pair, slot): &(u32, u32)| slots.get(*slot as usize) == Some(&Some(*pair));
        let count = slots.iter().filter(|slot| slot.is_some()).count();
        if self.by_pair.len() == count && self.by_pair.iter().all(holds) {
            return;
        }
        self.by_pair.clear();
        let slots = slots.iter().enumerate();
        self.by_pair
            .extend(slots.filter_map(|(slot, pair)| Some(((*pair)?, slot as u32))));
        self.by_pair.sort_unstable();
    }

    /// The slot of a pair.
    pub fn slot_of(&self, pair: u32) -> Option<usize> {
        let found = self.by_pair.binary_search_by_key(&pair, |entry| entry.0);
        found.ok().map(|index| self.by_pair[index].1 as usize)
    }

    /// Gives the slots to `pairs` (ascending, no more than there are slots): pairs that have a slot
    /// keep it, the others take the free slots, both in their order. Calls `freed` with each
    /// slot that lost its pair. The slots must be those of the last update or assignment.
    pub fn assign(
        &mut self,
        slots: &mut [Option<u32>],
        pairs: &[u32],
        mut freed: impl FnMut(usize),
    ) {
        let mut wanted = pairs.iter().copied().peekable();
        let mut kept = 0;
        for (pair, slot) in &self.by_pair {
            while wanted.next_if(|new| new < pair).is_some() {}
            if wanted.next_if_eq(pair).is_some() {
                kept += 1;
            } else {
                slots[*slot as usize] = None;
                freed(*slot as usize);
            }
        }
        if kept == pairs.len() {
            let holds = |(pair, slot): &(u32, u32)| slots[*slot as usize] == Some(*pair);
            self.by_pair.retain(holds);
            return;
        }
        self.next.clear();
        let is_free = |slot: &u32| slots[*slot as usize].is_none();
        let mut free = (0..slots.len() as u32).filter(is_free);
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
            slots[*slot as usize] = Some(*pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_keep_their_slots_and_new_ones_take_the_free_in_order() {
        let mut order = SlotOrder::default();
        let mut slots = vec![None; 4];
        let mut freed = Vec::new();
        order.assign(&mut slots, &[3, 5, 8], |slot| freed.push(slot));
        assert_eq!(slots, [Some(3), Some(5), Some(8), None]);
        assert!(freed.is_empty());
        order.assign(&mut slots, &[1, 4, 5, 9], |slot| freed.push(slot));
        assert_eq!(slots, [Some(1), Some(5), Some(4), Some(9)]);
        assert_eq!(freed, [0, 2]);
        order.assign(&mut slots, &[4], |_| {});
        assert_eq!(slots, [None, None, Some(4), None]);
        assert_eq!((order.slot_of(4), order.slot_of(5)), (Some(2), None));
    }

    #[test]
    fn slots_changed_elsewhere_are_seen() {
        let mut order = SlotOrder::default();
        let mut slots = vec![None; 3];
        order.assign(&mut slots, &[1, 2, 3], |_| {});
        slots = vec![Some(7), None, Some(2)];
        order.update(&slots);
        assert_eq!((order.slot_of(7), order.slot_of(2)), (Some(0), Some(2)));
        order.assign(&mut slots, &[2, 6, 7], |_| {});
        assert_eq!(slots, [Some(7), Some(6), Some(2)]);
    }
}
