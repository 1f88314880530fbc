//! Contact slots: room for the contacts of pairs.
//!
//! Two shapes touch in one point or in several, at most as many as the routine of their kinds can find. So
//! a contact is named by its pair and its index among the contacts of the pair. An indicator slot belongs to
//! a pair; behind it lie contact slots for all contacts of that pair. Their number is fixed when the scene is
//! built.

use std::ops::Range;

/// A contact: its pair, and its index among the contacts of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactKey {
    /// Number of the pair.
    pub pair: u32,
    /// Index among the contacts of the pair.
    pub index: u32,
}

/// The contact slots behind each indicator slot.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ContactSlots {
    /// Number of indicator slots.
    slots: usize,
    /// Contact slots of each of them, if all have the same number.
    each: usize,
    /// Where the contact slots of each indicator slot end, if the numbers differ.
    ends: Vec<usize>,
}

impl ContactSlots {
    /// `each` contact slots behind each of so many indicator slots.
    pub fn uniform(slots: usize, each: usize) -> Self {
        ContactSlots {
            slots,
            each,
            ends: Vec::new(),
        }
    }

    /// As many contact slots behind each indicator slot as given.
    pub fn of(capacities: impl Iterator<Item = usize>) -> Self {
        let mut sum = 0;
        let ends = capacities.map(|capacity| {
            sum += capacity;
            sum
        });
        let ends: Vec<usize> = ends.collect();
        ContactSlots {
            slots: ends.len(),
            each: 0,
            ends,
        }
    }

    /// Number of contact slots.
    pub fn count(&self) -> usize {
        self.ends.last().copied().unwrap_or(self.slots * self.each)
    }

    /// Contact slots of an indicator slot, in the order of the indices of its contacts.
    pub fn behind(&self, slot: usize) -> Range<usize> {
        match self.ends.get(slot) {
            None => slot * self.each..(slot + 1) * self.each,
            Some(end) if slot > 0 => self.ends[slot - 1]..*end,
            Some(end) => 0..*end,
        }
    }

    /// Indicator slot that a contact slot lies behind.
    pub fn slot_of(&self, contact_slot: usize) -> usize {
        match self.ends.is_empty() {
            true => contact_slot / self.each.max(1),
            false => self.ends.partition_point(|end| *end <= contact_slot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_slots_follow_each_other_behind_their_indicator_slots() {
        let uniform = ContactSlots::uniform(3, 2);
        let given = ContactSlots::of([2, 2, 2].into_iter());
        for slots in [&uniform, &given] {
            assert_eq!(slots.count(), 6);
            for slot in 0..3 {
                assert_eq!(slots.behind(slot), 2 * slot..2 * slot + 2);
                assert!(
                    slots
                        .behind(slot)
                        .all(|contact| slots.slot_of(contact) == slot)
                );
            }
        }
        let mixed = ContactSlots::of([1, 3, 0, 2].into_iter());
        assert_eq!(mixed.count(), 6);
        let ranges: Vec<_> = (0..4).map(|slot| mixed.behind(slot)).collect();
        assert_eq!(ranges, [0..1, 1..4, 4..4, 4..6]);
        let owners: Vec<usize> = (0..6).map(|contact| mixed.slot_of(contact)).collect();
        assert_eq!(owners, [0, 1, 1, 1, 3, 3]);
        assert_eq!(ContactSlots::uniform(0, 1).count(), 0);
    }
}
