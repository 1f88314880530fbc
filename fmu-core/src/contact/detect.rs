//! Gaps at the present poses, and the two places where the ledger changes.
//!
//! Event update: every pair is looked at; contact = rule(gap), and the nearest others are watched.
//! A pair that was in contact keeps its impact speed and damping; a new one gets them computed.
//! Completed step: contacts stay; the pairs watched out of contact are chosen anew. Everything
//! else only reads.

use crate::broad_phase::BroadPhase;
use crate::contact::ledger::{Contact, Ledger};
use crate::contact::select::Selection;
use crate::math::Pose;
use crate::narrow_phase::{Feature, Proximity, gap, query};
use crate::scene::Scene;

/// More pairs are in contact than there are indicators: nz_max, the number needed and the pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyContacts(pub String);

/// The shapes of a scene at one state.
#[derive(Clone, Copy)]
pub struct Placement<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Poses in the world, one or more of them shared by several shapes.
    pub frames: &'a [Pose],
    /// Which of them is that of each shape.
    pub shape_frames: &'a [usize],
}

impl Placement<'_> {
    /// Gap, normal and points of a pair.
    pub fn proximity(&self, pair: u32) -> Proximity {
        let [a, b] = self.scene.pairs().get(pair as usize).shapes;
        let [form_a, form_b] = [a, b].map(|shape| &self.scene.shapes()[shape].form);
        query(form_a, self.pose(a), form_b, self.pose(b), &Feature::None)
    }

    /// Gap of a pair [m].
    pub fn gap(&self, pair: u32) -> f64 {
        let [a, b] = self.scene.pairs().get(pair as usize).shapes;
        let [form_a, form_b] = [a, b].map(|shape| &self.scene.shapes()[shape].form);
        gap(form_a, self.pose(a), form_b, self.pose(b), &Feature::None)
    }

    /// Pose of a shape.
    fn pose(&self, shape: usize) -> &Pose {
        &self.frames[self.shape_frames[shape]]
    }
}

/// Pairs that overlap with all bodies where the scene starts them, in order, and their gaps [m].
pub fn overlaps_at_start(scene: &Scene) -> Vec<(usize, f64)> {
    let frames: Vec<Pose> = scene
        .shapes()
        .iter()
        .map(|shape| scene.bodies()[shape.body].start_pose().then(&shape.pose_b))
        .collect();
    let placement = Placement {
        scene,
        frames: &frames,
        shape_frames: &(0..frames.len()).collect::<Vec<usize>>(),
    };
    let mut broad_phase = BroadPhase::default();
    let forms = scene.shapes().iter().map(|shape| &shape.form);
    broad_phase.update(forms.zip(&frames));
    let pairs = scene.pairs().iter().enumerate();
    let near = pairs.filter(|(_, pair)| broad_phase.least_gap(pair.shapes) <= 0.0);
    near.map(|(index, _)| (index, placement.gap(index as u32)))
        .filter(|(_, gap)| *gap < 0.0)
        .collect()
}

/// Work arrays of detection.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    broad_phase: BroadPhase,
    selection: Selection,
    contacts: Vec<Contact>,
    watched: Vec<u32>,
    held: Vec<u32>,
}

impl Detection {
    /// Event update of the ledger. `start` gives impact speed [m/s] and damping [s/m] of a new
    /// contact.
    ///
    /// # Errors
    /// More pairs in contact than indicators: the message has nz_max, the number needed and the
    /// pairs.
    pub fn update_event(
        &mut self,
        placement: &Placement,
        ledger: &mut Ledger,
        mut start: impl FnMut(u32, &Proximity) -> (f64, f64),
    ) -> Result<(), TooManyContacts> {
        let scene = placement.scene;
        let rule = scene.contact().law.rule;
        self.contacts.clear();
        self.watched.clear();
        if scene.monitors_all_pairs() {
            self.watched.extend(0..scene.pairs().len() as u32);
            self.contacts.extend(
                self.watched
                    .iter()
                    .filter(|p| rule.in_contact(placement.gap(**p)))
                    .map(|p| bare(*p)),
            );
        } else {
            self.rank(placement, |_| true);
            for (pair, gap) in self.selection.nearest() {
                if rule.in_contact(gap) {
                    self.contacts.push(bare(pair));
                }
                if self.watched.len() < scene.indicator_count() {
                    self.watched.push(pair);
                }
            }
            self.contacts.sort_unstable_by_key(|contact| contact.pair);
        }
        if self.contacts.len() > scene.indicator_count() {
            return Err(too_many(scene, &self.contacts));
        }
        self.watched.sort_unstable();
        ledger.assign_slots(&self.watched, &mut self.held);
        for contact in &mut self.contacts {
            if let Some(old) = ledger.contact(contact.pair) {
                (contact.impact_speed, contact.damping) = (old.impact_speed, old.damping);
            } else {
                let near = placement.proximity(contact.pair);
                (contact.impact_speed, contact.damping) = start(contact.pair, &near);
            }
        }
        // Contacts are the nearest pairs of all, so each is watched and has a slot.
        ledger.set_contacts(&self.contacts);
        Ok(())
    }

    /// Chooses the watched pairs anew after a completed step. Answers whether an event update is
    /// needed because a pair that nobody watched overlaps; then nothing is chosen.
    pub fn completed_step(&mut self, placement: &Placement, ledger: &mut Ledger) -> bool {
        let scene = placement.scene;
        if scene.monitors_all_pairs() {
            return false;
        }
        let rule = scene.contact().law.rule;
        self.rank(placement, |pair| ledger.contact(pair).is_none());
        self.watched.clear();
        self.watched
            .extend(ledger.contacts().iter().map(|contact| contact.pair));
        for (pair, gap) in self.selection.nearest() {
            let due = rule.indicator(gap, false) <= 0.0;
            if due && !ledger.slots().contains(&Some(pair)) {
                return true;
            }
            if self.watched.len() == scene.indicator_count() {
                break;
            }
            self.watched.push(pair);
        }
        self.watched.sort_unstable();
        ledger.assign_slots(&self.watched, &mut self.held);
        false
    }

    fn rank(&mut self, placement: &Placement, wanted: impl Fn(u32) -> bool) {
        let scene = placement.scene;
        let shapes = scene.shapes().iter().enumerate();
        self.broad_phase
            .update(shapes.map(|(index, shape)| (&shape.form, placement.pose(index))));
        let broad_phase = &self.broad_phase;
        self.selection.rank(
            scene.pairs().len(),
            scene.indicator_count(),
            wanted,
            |pair| broad_phase.least_gap(scene.pairs().get(pair as usize).shapes),
            |pair| placement.gap(pair),
        );
    }
}

/// A contact whose start is not known yet.
fn bare(pair: u32) -> Contact {
    Contact {
        pair,
        slot: pair,
        impact_speed: 0.0,
        damping: 0.0,
    }
}

fn too_many(scene: &Scene, contacts: &[Contact]) -> TooManyContacts {
    let names: Vec<String> = contacts
        .iter()
        .map(|contact| scene.pair_name(contact.pair as usize))
        .collect();
    TooManyContacts(format!(
        "{needed} pairs are in contact, but nz_max = {nz}; set nz_max >= {needed} in [contact] and build the FMU again; \
         pairs in contact: {names}",
        needed = contacts.len(),
        nz = scene.indicator_count(),
        names = names.join(", "),
    ))
}
