//! Contact slots: room for the contacts of pairs.
//!
//! Two shapes touch in one point or in several, at most as many as the routine of their kinds can
//! find. So a contact is named by its pair and its index among the contacts of the pair. An
//! indicator slot belongs to a pair; behind it lie contact slots for all contacts of that pair.
//! Their number is fixed when the scene is built.

use crate::index::{ContactSlotId, PairId, SlotId, TiVec};
use std::ops::Range;

/// A contact: its pair, and its index among the contacts of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactKey {
    /// Number of the pair.
    pub pair: PairId,
    /// Index among the contacts of the pair.
    pub index: usize,
}

/// The contact slots behind each indicator slot.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ContactSlots {
    /// Number of indicator slots.
    slots: usize,
    /// Contact slots of each of them, if all have the same number.
    each: usize,
    /// Where the contact slots of each indicator slot end, if the numbers differ.
    ends: TiVec<SlotId, ContactSlotId>,
}

impl ContactSlots {
    /// `each` contact slots behind each of so many indicator slots.
    pub fn uniform(slots: usize, each: usize) -> Self {
        ContactSlots {
            slots,
            each,
            ends: TiVec::new(),
        }
    }

    /// As many contact slots behind each indicator slot as given.
    pub fn of(capacities: impl Iterator<Item = usize>) -> Self {
        let mut sum = 0;
        let ends = capacities.map(|capacity| {
            sum += capacity;
            ContactSlotId::from(sum)
        });
        let ends: TiVec<SlotId, ContactSlotId> = ends.collect();
        ContactSlots {
            slots: ends.len(),
            each: 0,
            ends,
        }
    }

    /// Number of contact slots.
    pub fn count(&self) -> usize {
        match self.ends.last() {
            Some(end) => usize::from(*end),
            None => self.slots * self.each,
        }
    }

    /// Contact slots of an indicator slot, in the order of the indices of its contacts.
    pub fn behind(&self, slot: SlotId) -> Range<ContactSlotId> {
        let place = usize::from(slot);
        let end = match self.ends.get(slot) {
            None => ContactSlotId::from((place + 1) * self.each),
            Some(end) => *end,
        };
        let before = place.checked_sub(1).map(SlotId::from);
        let start = match before.and_then(|before| self.ends.get(before)) {
            None => ContactSlotId::from(place * self.each),
            Some(start) => *start,
        };
        start..end
    }

    /// Indicator slot that a contact slot lies behind.
    pub fn slot_of(&self, contact_slot: ContactSlotId) -> SlotId {
        match self.ends.is_empty() {
            true => SlotId::from(usize::from(contact_slot) / self.each.max(1)),
            false => self.ends.partition_point(|end| *end <= contact_slot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::each;

    #[test]
    fn contact_slots_follow_each_other_behind_their_indicator_slots() {
        let uniform = ContactSlots::uniform(3, 2);
        let given = ContactSlots::of([2, 2, 2].into_iter());
        for slots in [&uniform, &given] {
            assert_eq!(slots.count(), 6);
            for place in 0..3 {
                let (slot, first) = (SlotId::from(place), ContactSlotId::from(2 * place));
                let behind = slots.behind(slot);
                assert_eq!(behind, first..first.plus(2));
                assert!(each(behind).all(|contact| slots.slot_of(contact) == slot));
            }
        }
        let mixed = ContactSlots::of([1, 3, 0, 2].into_iter());
        assert_eq!(mixed.count(), 6);
        let ranges = (0..4).map(|slot| mixed.behind(SlotId::from(slot)));
        let expected = [0..1, 1..4, 4..4, 4..6];
        assert!(ranges.eq(expected.map(|r| r.start.into()..r.end.into())));
        let owners = (0..6).map(|contact| mixed.slot_of(ContactSlotId::from(contact)));
        assert!(owners.eq([0, 1, 1, 1, 3, 3].map(SlotId::from)));
        assert_eq!(ContactSlots::uniform(0, 1).count(), 0);
    }
}
