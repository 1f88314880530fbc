//! Contact detection: pairs in contact and watched pairs, [Modia3D contact detection].
//!
//! - [`select`]: selection of the pairs that get a slot if there are more pairs than slots
//! - [`ledger`]: the discrete state: contacts, frozen between events, indicator slots and hints
//!
//! # The two places where the ledger changes
//!
//! Event update: for every pair, contact = rule(gap); the nearest others are watched. A pair that was in
//! contact keeps its impact speed and frozen values; for a new one they are computed. Completed step:
//! contacts remain; the watched pairs are selected again. Both end with the hints of their poses. Everything
//! else only reads.

pub(crate) mod ledger;
pub(crate) mod select;

pub use ledger::{
    Contact, Found, Hints, Impacts, LatchState, Ledger, Placement, Started, Stepped, StopContact,
    Strike,
};

use crate::broad_phase::{Candidate, Candidates, Work};
use crate::contact::select::{Selection, SlotOrder};
use crate::scene::Scene;
use contact_geometry::math::Pose;
use contact_geometry::narrow_phase::{Feature, Proximity};
use contact_laws::index::{FrameId, PairId, ShapeId, TiVec};
use contact_laws::response::law::Onset;

/// More pairs in contact than indicators: text with nz_max, the required number and the pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TooManyContacts(pub String);

/// Shapes of a scene with all bodies at their start poses.
pub struct AtStart<'a> {
    scene: &'a Scene,
    frames: TiVec<FrameId, Pose>,
    shape_frames: TiVec<ShapeId, FrameId>,
}

impl<'a> AtStart<'a> {
    /// Computes the start poses of a scene.
    pub fn of(scene: &'a Scene) -> Self {
        let shapes = scene.shapes().iter();
        let frames: TiVec<FrameId, Pose> = shapes
            .map(|shape| scene.start_pose(shape.body).then(&shape.pose_b))
            .collect();
        let shape_frames = frames.keys().collect();
        AtStart {
            scene,
            frames,
            shape_frames,
        }
    }

    /// Shapes at their start poses.
    pub fn placement(&self) -> Placement<'_> {
        Placement {
            scene: self.scene,
            frames: &self.frames,
            shape_frames: &self.shape_frames,
        }
    }
}

/// Pairs that overlap with all bodies at their start poses, in order, and their gaps [m].
pub fn overlaps_at_start(scene: &Scene) -> Vec<(PairId, f64)> {
    overlaps(&AtStart::of(scene).placement())
}

/// Pairs that overlap, in order, and their gaps [m].
pub fn overlaps(placement: &Placement) -> Vec<(PairId, f64)> {
    let scene = placement.scene;
    let mut candidates = Candidates::new(scene, placement);
    if !candidates.take_place(placement) {
        return Vec::new();
    }
    candidates.gather(scene, placement, 0, 0.0);
    let touching = candidates.list().iter().filter(|candidate| {
        let (lower, _) = candidates.bounds(candidate);
        lower <= 0.0
    });
    touching
        .map(|c| (c.pair, placement.gap_between(c.shapes, &Feature::None)))
        .filter(|(_, gap)| *gap < 0.0)
        .collect()
}

/// Contact detection with work arrays. Results depend on the placement and the ledger alone; but the poses of
/// fixed bodies must stay constant.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    candidates: Option<Candidates>,
    selection: Selection,
    touching: Vec<PairId>,
    contacts: Vec<Contact>,
    watched: Vec<PairId>,
    left_out: Vec<PairId>,
    slots: SlotOrder,
    /// Lower bound of the gaps of pairs without a slot at the last assignment [m].
    nearest: Option<f64>,
    /// Whether to leave contacts beyond the number of indicators to the caller instead of an error.
    pub(crate) surplus: bool,
}

fn hint<'a>(ledger: &'a Ledger, slots: &SlotOrder, pair: PairId) -> &'a Feature {
    let slot = ledger.has_hints().then(|| slots.slot_of(pair)).flatten();
    slot.map_or(&Feature::None, |slot| ledger.hint(slot))
}

impl Detection {
    /// Event update of the ledger. `start` gives the impact speed [m/s] of a new contact and the values
    /// frozen by its law.
    ///
    /// # Errors
    /// More pairs in contact than indicators, unless [`Self::surplus`] allows it.
    pub(crate) fn update_event(
        &mut self,
        placement: &Placement,
        ledger: &mut Ledger,
        mut start: impl FnMut(PairId, &Proximity) -> (f64, Onset),
    ) -> Result<(), TooManyContacts> {
        let scene = placement.scene;
        let rule = scene.contact().law.rule;
        self.touching.clear();
        self.watched.clear();
        self.nearest = None;
        self.slots.update(ledger.slots());
        if scene.monitors_all_pairs() {
            self.watched.extend(scene.pairs().ids());
            let gap = |pair| placement.gap(pair, hint(ledger, &self.slots, pair));
            let touching = self.watched.iter().filter(|p| rule.in_contact(gap(**p)));
            self.touching.extend(touching);
        } else {
            self.left_out.clear();
            if !self.select(placement, ledger) {
                return Ok(());
            }
            let near = self.selection.near().iter();
            let touching = near.filter(|(_, gap)| rule.in_contact(*gap));
            self.touching.extend(touching.map(|(pair, _)| *pair));
            self.watched.extend_from_slice(self.selection.nearest());
            self.nearest = self.beyond();
        }
        if self.touching.len() > scene.slot_count() && !self.surplus {
            return Err(too_many(scene, &self.touching));
        }
        ledger.assign_slots(&self.watched, &mut self.slots);
        ledger.refresh_hints(placement, &Found::default());
        self.contacts.clear();
        for pair in &self.touching {
            // Contacts are the nearest pairs of all, so each is watched and has a slot.
            let Some(slot) = self.slots.slot_of(*pair) else {
                continue;
            };
            let known = ledger.contact(*pair);
            let (impact_speed, frozen) = match known {
                Some(old) => (old.impact_speed, old.frozen),
                None => {
                    let near = placement.proximity(*pair, ledger.hint(slot));
                    start(*pair, &near)
                }
            };
            self.contacts.push(Contact {
                pair: *pair,
                slot,
                impact_speed,
                frozen,
                stepped: known.and_then(|old| old.stepped),
            });
        }
        ledger.set_contacts(&self.contacts);
        Ok(())
    }

    /// Selects the watched pairs again after a completed step, and refreshes the hints. Returns true, without
    /// a selection, if a pair without a slot overlaps, so that an event update is needed.
    pub(crate) fn completed_step(
        &mut self,
        placement: &Placement,
        ledger: &mut Ledger,
        found: &Found,
    ) -> bool {
        let asked = !placement.scene.monitors_all_pairs() && self.watch_nearest(placement, ledger);
        ledger.refresh_hints(placement, found);
        asked
    }

    /// [`Self::completed_step`] without the hints, for a scene with more pairs than slots.
    pub fn watch_nearest(&mut self, placement: &Placement, ledger: &mut Ledger) -> bool {
        let rule = placement.scene.contact().law.rule;
        self.nearest = None;
        self.slots.update(ledger.slots());
        self.left_out.clear();
        self.left_out
            .extend(ledger.contacts().iter().map(|contact| contact.pair));
        if !self.select(placement, ledger) {
            return false;
        }
        let mut near = self.selection.near().iter();
        let missed = |(pair, gap): &(PairId, f64)| {
            rule.indicator(*gap, false) <= 0.0 && self.slots.slot_of(*pair).is_none()
        };
        if near.any(missed) {
            return true;
        }
        self.nearest = self.beyond();
        merge(&self.left_out, self.selection.nearest(), &mut self.watched);
        ledger.assign_slots(&self.watched, &mut self.slots);
        false
    }

    /// Selects the nearest pairs for all slots that do not hold excluded pairs. Returns false if a pose is
    /// not finite: gaps are then unknown.
    fn select(&mut self, placement: &Placement, ledger: &Ledger) -> bool {
        let scene = placement.scene;
        let candidates = self
            .candidates
            .get_or_insert_with(|| Candidates::new(scene, placement));
        if !candidates.take_place(placement) {
            return false;
        }
        let count = scene.slot_count().saturating_sub(self.left_out.len());
        let (slots, left_out) = (&self.slots, &self.left_out);
        let gap = |candidate: &Candidate| {
            placement.gap_between(candidate.shapes, hint(ledger, slots, candidate.pair))
        };
        self.selection
            .select(candidates, scene, placement, left_out, count, gap);
        true
    }

    pub(crate) fn nearest_without_slot(&self) -> Option<f64> {
        self.nearest
    }

    /// Lower bound of the gaps of pairs that were not selected [m].
    fn beyond(&self) -> Option<f64> {
        let candidates = self.candidates.as_ref()?;
        Some(self.selection.cut() - candidates.largest_noise())
    }

    /// Work counters.
    pub fn work(&self) -> Work {
        self.candidates.as_ref().map_or(Work::default(), |c| c.work)
    }
}

fn merge(a: &[PairId], b: &[PairId], merged: &mut Vec<PairId>) {
    merged.clear();
    let mut b = b.iter().copied().peekable();
    for a in a {
        while let Some(before) = b.next_if(|b| b < a) {
            merged.push(before);
        }
        merged.push(*a);
    }
    merged.extend(b);
}

pub(crate) fn too_many(scene: &Scene, touching: &[PairId]) -> TooManyContacts {
    let names: Vec<String> = touching.iter().map(|pair| scene.pair_name(*pair)).collect();
    TooManyContacts(format!(
        "{needed} pairs are in contact, but nz_max = {nz}; set nz_max >= {needed} in [contact] and build the FMU again; \
         pairs in contact: {names}",
        needed = touching.len(),
        nz = scene.slot_count(),
        names = names.join(", "),
    ))
}

#[cfg(test)]
#[path = "../../tests/unit/contact/tests.rs"]
mod tests;
