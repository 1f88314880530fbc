//! Gaps at the present poses, and the two places where the ledger changes.
//!
//! Event update: every pair is looked at; contact = rule(gap), and the nearest others are watched.
//! A pair that was in contact keeps its impact speed and damping; a new one gets them computed.
//! Completed step: contacts stay; the pairs watched out of contact are chosen anew. Both end with
//! the hints of the poses they were made at. Everything else only reads.

use crate::broad_phase::BroadPhase;
use crate::contact::ledger::{Contact, Ledger};
use crate::contact::select::Selection;
use crate::geometry::RoundedShape;
use crate::math::Pose;
use crate::narrow_phase::{Feature, Proximity, find_feature, gap, query};
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
    /// Gap, normal and points of a pair. The search starts from `hint`, here and below.
    pub fn proximity(&self, pair: u32, hint: &Feature) -> Proximity {
        let [(form_a, pose_a), (form_b, pose_b)] = self.placed(pair);
        query(form_a, pose_a, form_b, pose_b, hint)
    }

    /// Gap of a pair [m].
    pub fn gap(&self, pair: u32, hint: &Feature) -> f64 {
        let [(form_a, pose_a), (form_b, pose_b)] = self.placed(pair);
        gap(form_a, pose_a, form_b, pose_b, hint)
    }

    /// The nearest features of a pair.
    pub fn feature(&self, pair: u32, hint: &Feature) -> Feature {
        let [(form_a, pose_a), (form_b, pose_b)] = self.placed(pair);
        find_feature(form_a, pose_a, form_b, pose_b, hint)
    }

    /// The shapes of a pair and their poses.
    #[inline(always)]
    pub fn placed(&self, pair: u32) -> [(&RoundedShape, &Pose); 2] {
        let [a, b] = self.scene.pairs().get(pair as usize).shapes;
        let [form_a, form_b] = self.scene.forms_of([a, b]);
        [(form_a, self.pose(a)), (form_b, self.pose(b))]
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
    let forms = scene.shapes().iter().map(|shape| &shape.bounding_form);
    broad_phase.update(forms.zip(&frames));
    let pairs = scene.pairs().iter().enumerate();
    let near = pairs.filter(|(_, pair)| broad_phase.least_gap(pair.shapes) <= 0.0);
    near.map(|(index, _)| (index, placement.gap(index as u32, &Feature::None)))
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
    known: Known,
}

/// Pairs in slots with hints, and their slots, in pair order.
#[derive(Clone, Debug, Default)]
struct Known(Vec<(u32, usize)>);

impl Known {
    /// Takes the slots of a ledger.
    fn update(&mut self, ledger: &Ledger) {
        self.0.clear();
        if ledger.has_hints() {
            let slots = ledger.slots().iter().enumerate();
            self.0
                .extend(slots.filter_map(|(slot, pair)| Some(((*pair)?, slot))));
            self.0.sort_unstable();
        }
    }

    /// The hint for a pair; none where it has no slot.
    fn hint<'a>(&self, ledger: &'a Ledger, pair: u32) -> &'a Feature {
        match self.0.binary_search_by_key(&pair, |entry| entry.0) {
            Ok(index) => ledger.hint(self.0[index].1),
            Err(_) => &Feature::None,
        }
    }
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
        self.known.update(ledger);
        if scene.monitors_all_pairs() {
            self.watched.extend(0..scene.pairs().len() as u32);
            let gap = |pair| placement.gap(pair, self.known.hint(ledger, pair));
            self.contacts.extend(
                self.watched
                    .iter()
                    .filter(|p| rule.in_contact(gap(**p)))
                    .map(|p| bare(*p)),
            );
        } else {
            self.rank(placement, ledger, |_| true);
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
        ledger.refresh_hints(placement);
        self.known.update(ledger);
        for contact in &mut self.contacts {
            if let Some(old) = ledger.contact(contact.pair) {
                (contact.impact_speed, contact.damping) = (old.impact_speed, old.damping);
            } else {
                let hint = self.known.hint(ledger, contact.pair);
                let near = placement.proximity(contact.pair, hint);
                (contact.impact_speed, contact.damping) = start(contact.pair, &near);
            }
        }
        // Contacts are the nearest pairs of all, so each is watched and has a slot.
        ledger.set_contacts(&self.contacts);
        Ok(())
    }

    /// Chooses the watched pairs anew after a completed step. Answers whether an event update is
    /// needed because a pair that nobody watched overlaps; then nothing is chosen. Either way the
    /// hints are made new.
    pub fn completed_step(&mut self, placement: &Placement, ledger: &mut Ledger) -> bool {
        let asked = !placement.scene.monitors_all_pairs() && self.choose(placement, ledger);
        ledger.refresh_hints(placement);
        asked
    }

    /// What [`Self::completed_step`] says, without the hints.
    fn choose(&mut self, placement: &Placement, ledger: &mut Ledger) -> bool {
        let scene = placement.scene;
        let rule = scene.contact().law.rule;
        self.known.update(ledger);
        self.rank(placement, ledger, |pair| ledger.contact(pair).is_none());
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

    fn rank(&mut self, placement: &Placement, ledger: &Ledger, wanted: impl Fn(u32) -> bool) {
        let scene = placement.scene;
        let shapes = scene.shapes().iter().enumerate();
        self.broad_phase
            .update(shapes.map(|(index, shape)| (&shape.bounding_form, placement.pose(index))));
        let (broad_phase, known) = (&self.broad_phase, &self.known);
        self.selection.rank(
            scene.pairs().len(),
            scene.indicator_count(),
            wanted,
            |pair| broad_phase.least_gap(scene.pairs().get(pair as usize).shapes),
            |pair| placement.gap(pair, known.hint(ledger, pair)),
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
