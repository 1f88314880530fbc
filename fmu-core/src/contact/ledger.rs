//! The ledger of pairs: the whole discrete state of contact.
//!
//! An indicator slot belongs to a pair; every pair in contact has one. Contacts, their impact
//! speed and damping are frozen between events, even while the gap changes its sign. Slots may be
//! given to other pairs after a completed step, but only between pairs whose indicators are
//! positive, and never does the assignment of slots enter a derivative: contacts are kept in pair
//! order, so sums run in that order.

use crate::scene::Scene;
use serde::{Deserialize, Serialize};

/// A pair in contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Index of the pair.
    pub pair: u32,
    /// Index of its indicator slot.
    pub slot: u32,
    /// |delta_dot| when the contact started [m/s].
    pub impact_speed: f64,
    /// Damping coefficient, frozen from then on [s/m].
    pub damping: f64,
}

/// Contacts and slots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    slots: Vec<Option<u32>>,
    contacts: Vec<Contact>,
}

impl Ledger {
    /// No contact; slot i watches pair i where every pair has a slot, nothing otherwise.
    pub fn new(scene: &Scene) -> Self {
        let all = scene.monitors_all_pairs();
        let count = scene.indicator_count();
        Ledger {
            slots: (0..count as u32).map(|slot| all.then_some(slot)).collect(),
            contacts: Vec::with_capacity(count),
        }
    }

    /// Pair of each slot.
    pub fn slots(&self) -> &[Option<u32>] {
        &self.slots
    }

    /// Pairs in contact, in pair order.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The contact of a pair.
    pub fn contact(&self, pair: u32) -> Option<&Contact> {
        self.contacts
            .binary_search_by_key(&pair, |contact| contact.pair)
            .ok()
            .map(|i| &self.contacts[i])
    }

    /// Takes the values of another ledger of the same scene, without allocating.
    pub fn copy_from(&mut self, other: &Ledger) {
        self.slots.clone_from(&other.slots);
        self.contacts.clone_from(&other.contacts);
    }

    /// Whether this can belong to `scene`: as many slots, known pairs, contacts in order and in
    /// their slots.
    pub fn fits(&self, scene: &Scene) -> bool {
        let known = |pair: u32| (pair as usize) < scene.pairs().len();
        self.slots.len() == scene.indicator_count()
            && self.slots.iter().flatten().all(|pair| known(*pair))
            && self
                .contacts
                .windows(2)
                .all(|two| two[0].pair < two[1].pair)
            && self
                .contacts
                .iter()
                .all(|c| self.slots.get(c.slot as usize) == Some(&Some(c.pair)))
    }

    /// Gives the slots to `pairs` (ascending): pairs that have a slot keep it. `held` is scratch.
    pub(super) fn assign_slots(&mut self, pairs: &[u32], held: &mut Vec<u32>) {
        held.clear();
        let mut empty = 0;
        for slot in &mut self.slots {
            match slot {
                Some(pair) if pairs.binary_search(pair).is_ok() => held.push(*pair),
                _ => {
                    *slot = None;
                    empty += 1;
                }
            }
        }
        if empty == 0 {
            return;
        }
        held.sort_unstable();
        let mut new = pairs
            .iter()
            .filter(|pair| held.binary_search(pair).is_err());
        for slot in self.slots.iter_mut().filter(|slot| slot.is_none()) {
            *slot = new.next().copied();
        }
    }

    /// Replaces the contacts by `contacts`, in pair order, and writes the slot of each.
    pub(super) fn set_contacts(&mut self, contacts: &[Contact]) {
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
        for (slot, pair) in self.slots.iter().enumerate() {
            let Some(pair) = pair else { continue };
            if let Ok(index) = self
                .contacts
                .binary_search_by_key(pair, |contact| contact.pair)
            {
                self.contacts[index].slot = slot as u32;
            }
        }
    }
}
