//! The ledger of pairs, end stops, latches and triggers: the discrete state.
//!
//! An indicator slot belongs to a pair; every pair in contact has one. Contacts with their impact speeds and
//! frozen values remain unchanged between events, even if the gap changes its sign. Completed steps may
//! reassign slots, but only between pairs with positive indicators, and the assignment of slots never enters
//! a derivative: contacts are kept in pair order, so sums run in that order.
//!
//! If the nearest features of any shapes are found by search, each slot also has a hint: the features of its
//! pair at the last event update or completed step. Searches start from it, and the last bits of their
//! results may depend on it; with hints in the ledger an evaluation remains a function of states, parameters
//! and ledger.
//!
//! For reported contacts the ledger counts the contacts that have started, and has the last start. Being part
//! of it, this history is rolled back with an event update, and a repeated update at one instant counts
//! nothing twice: a contact starts if the previous ledger had none.

use crate::broad_phase::Poses;
use crate::contact::select::SlotOrder;
use crate::scene::{Latch, LatchTrigger, Scene};
use contact_geometry::math::{Pose, all_finite};
use contact_geometry::narrow_phase::{
    Feature, Proximity, find_feature, gap, proximity, query, uses_warm_start,
};
use contact_geometry::shapes::{Kind, RoundedShape};
use contact_laws::index::{
    DrivenId, FrameId, LatchId, PairId, ReportId, ShapeId, SlotId, StopId, TiSlice, TiVec,
    TriggerId, ti_vec,
};
use contact_laws::response::law::Onset;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Pair in contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Pair in contact.
    pub pair: PairId,
    /// Indicator slot.
    pub slot: SlotId,
    /// |delta_dot| when the contact started [m/s].
    pub impact_speed: f64,
    /// Values frozen at the start by the law.
    pub frozen: Onset,
    /// State of the last step of fixed length.
    pub stepped: Option<Stepped>,
}

/// State of a contact after a step of fixed length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stepped {
    pub(crate) force: [f64; 3],
    /// Spring force of friction without a deflection state, world axes [N].
    pub spring: [f64; 3],
}

impl Stepped {
    pub(crate) fn is_finite(&self) -> bool {
        all_finite(&self.force) && all_finite(&self.spring)
    }
}

/// Pair in contact, without a slot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// Pair in contact.
    pub pair: PairId,
    /// |delta_dot| when the contact started [m/s].
    pub impact_speed: f64,
    /// Values frozen at the start by the law.
    pub frozen: Onset,
    /// State of the last step of fixed length.
    pub stepped: Option<Stepped>,
}

/// End stop in contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StopContact {
    /// Speed towards the stop when the contact started [m/s] or [rad/s].
    pub impact_speed: f64,
    /// Effective inertia along the coordinate frozen at the start [kg] or [kg.m2]; 0 without damping.
    pub frozen: f64,
}

/// History of a reported contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Impacts {
    /// Number of contacts that have started, including the first event update.
    pub count: u32,
    /// Time of the last start [s]; 0 before the first.
    pub last_time: f64,
    /// |delta_dot| of the last start [m/s]; 0 before the first.
    pub last_speed: f64,
}

/// Impulses on a driven body, in the axes of its contact force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Strike {
    /// Time of the last impulse [s]; 0 before the first.
    pub time: f64,
    /// Sum of the impulses since [`Ledger::clear_strikes`] [N.s].
    pub impulse: [f64; 3],
    /// Sum of their moments about the origin of the body [N.m.s].
    pub moment: [f64; 3],
}

/// Discrete state of a latch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LatchState {
    /// Whether it locks the coordinates of its joint.
    pub is_closed: bool,
    /// Whether the trigger closes it when its indicator becomes non-positive: the indicator has been positive
    /// since the last closing.
    pub(crate) is_armed: bool,
    /// Number of times of its schedule that have passed.
    pub passed: u32,
    /// Last impulse on the child of its joint, world axes [N.s].
    pub impulse: [f64; 3],
    /// Moment of that impulse about the origin of the joint's frame on the child [N.m.s].
    pub moment: [f64; 3],
}

/// Discrete state: contacts, slots, hints, history, stops, latches and triggers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    slots: TiVec<SlotId, Option<PairId>>,
    contacts: Vec<Contact>,
    hints: Hints,
    impacts: TiVec<ReportId, Impacts>,
    stops: TiVec<StopId, Option<StopContact>>,
    /// Empty if no contact has impulses.
    strikes: TiVec<DrivenId, Strike>,
    latches: TiVec<LatchId, LatchState>,
    triggers: TiVec<TriggerId, bool>,
}

/// Hint of each slot; empty if no pair of the scene uses hints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hints(TiVec<SlotId, Feature>);

impl Hints {
    fn count(scene: &Scene) -> usize {
        // One shape of each kind is enough for all of the kind that move, and one for all that do
        // not.
        let mut kinds: Vec<(Kind, bool)> = Vec::new();
        for shape in scene.shapes() {
            let new = (shape.form.kind(), !scene.bodies()[shape.body].is_fixed());
            if !kinds.contains(&new) {
                kinds.push(new);
            }
        }
        let used = |a: &(Kind, bool)| {
            let mut others = kinds.iter();
            others.any(|b| (a.1 || b.1) && uses_warm_start(a.0, b.0))
        };
        if kinds.iter().any(used) {
            scene.slot_count()
        } else {
            0
        }
    }

    #[inline(always)]
    pub(crate) fn of(&self, slot: SlotId) -> &Feature {
        self.0.get(slot).unwrap_or(&Feature::None)
    }
}

impl Ledger {
    /// Initial ledger without contacts; slot i watches pair i if every pair has a slot, else none.
    pub fn new(scene: &Scene) -> Self {
        let count = scene.slot_count();
        let slots = (0..count).map(SlotId::from);
        Ledger {
            slots: slots.map(|slot| scene.own_pair(slot)).collect(),
            contacts: Vec::with_capacity(count),
            hints: Hints(ti_vec![Feature::None; Hints::count(scene)]),
            impacts: ti_vec![Impacts::default(); scene.report_count()],
            stops: ti_vec![None; scene.stops().len()],
            strikes: ti_vec![Strike::default(); strike_count(scene)],
            latches: scene.latches().iter().map(at_start).collect(),
            triggers: ti_vec![false; scene.triggers().len()],
        }
    }

    /// Pair of each slot.
    pub fn slots(&self) -> &TiSlice<SlotId, Option<PairId>> {
        &self.slots
    }

    /// Pairs in contact, in pair order.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Warm start of the search for the nearest features of the pair in a slot.
    #[inline(always)]
    pub(crate) fn hint(&self, slot: SlotId) -> &Feature {
        self.hints.of(slot)
    }

    pub(crate) fn hints(&self) -> &Hints {
        &self.hints
    }

    pub(crate) fn has_hints(&self) -> bool {
        !self.hints.0.is_empty()
    }

    /// Contact of a pair.
    pub fn contact(&self, pair: PairId) -> Option<&Contact> {
        self.contacts
            .binary_search_by_key(&pair, |contact| contact.pair)
            .ok()
            .map(|i| &self.contacts[i])
    }

    /// History of each pair of [`Scene::reported`].
    pub fn impacts(&self) -> &TiSlice<ReportId, Impacts> {
        &self.impacts
    }

    /// Contact of each stop of [`Scene::stops`].
    pub fn stops(&self) -> &TiSlice<StopId, Option<StopContact>> {
        &self.stops
    }

    pub(crate) fn stops_mut(&mut self) -> &mut TiSlice<StopId, Option<StopContact>> {
        &mut self.stops
    }

    /// Latches, in the order of [`Scene::latches`].
    pub fn latches(&self) -> &TiSlice<LatchId, LatchState> {
        &self.latches
    }

    pub(crate) fn latches_mut(&mut self) -> &mut TiSlice<LatchId, LatchState> {
        &mut self.latches
    }

    /// States of triggers, in the order of [`Scene::triggers`].
    pub fn triggers(&self) -> &TiSlice<TriggerId, bool> {
        &self.triggers
    }

    pub(crate) fn triggers_mut(&mut self) -> &mut TiSlice<TriggerId, bool> {
        &mut self.triggers
    }

    /// Impulses on each driven body; empty if no contact has impulses.
    pub fn strikes(&self) -> &TiSlice<DrivenId, Strike> {
        &self.strikes
    }

    /// Clears the impulses on driven bodies, but not the time of the last one.
    pub(crate) fn clear_strikes(&mut self) {
        for strike in &mut self.strikes {
            *strike = Strike {
                time: strike.time,
                ..Strike::default()
            };
        }
    }

    pub(crate) fn note_strike(&mut self, body: DrivenId, new: &Strike) {
        let Some(known) = self.strikes.get_mut(body) else {
            return;
        };
        known.time = known.time.max(new.time);
        for i in 0..3 {
            known.impulse[i] += new.impulse[i];
            known.moment[i] += new.moment[i];
        }
    }

    /// Records the start of a pair's contact at a time [s] with a speed [m/s].
    pub fn note_start(&mut self, scene: &Scene, pair: PairId, time: f64, speed: f64) {
        for report in scene.reports_with(pair) {
            let impacts = &mut self.impacts[report];
            *impacts = Impacts {
                count: impacts.count.saturating_add(1),
                last_time: time,
                last_speed: speed,
            };
        }
    }

    /// Ends the contacts of the pairs for which `left_out` returns true.
    pub fn leave_out(&mut self, mut left_out: impl FnMut(PairId) -> bool) {
        self.contacts.retain(|contact| !left_out(contact.pair));
    }

    /// Copies a ledger of the same scene without allocating.
    pub fn copy_from(&mut self, other: &Ledger) {
        self.slots.clone_from(&other.slots);
        self.contacts.clone_from(&other.contacts);
        self.hints.0.clone_from(&other.hints.0);
        self.impacts.clone_from(&other.impacts);
        self.stops.clone_from(&other.stops);
        self.strikes.clone_from(&other.strikes);
        self.latches.clone_from(&other.latches);
        self.triggers.clone_from(&other.triggers);
    }

    /// Takes over effects of an earlier update of the same event on velocities that are not repeated:
    /// switched latches and impulses on driven bodies. At the start of a run latches with a trigger are
    /// evaluated again.
    pub(crate) fn keep_done(&mut self, scene: &Scene, done: &Ledger, at_start: bool) {
        self.strikes.clone_from(&done.strikes);
        let states = self.latches.iter_mut().zip(&done.latches);
        for (latch, (own, done)) in scene.latches().iter().zip(states) {
            if !at_start || latch.trigger.is_none() {
                *own = *done;
            }
        }
    }

    /// Returns true if it is consistent with `scene`: numbers of slots, hints, reported pairs and stops,
    /// known pairs, contacts in order and in their slots.
    pub fn fits(&self, scene: &Scene) -> bool {
        self.slots.len() == scene.slot_count()
            && self.hints.0.len() == Hints::count(scene)
            && self.impacts.len() == scene.report_count()
            && self.stops.len() == scene.stops().len()
            && self.strikes.len() == strike_count(scene)
            && self.latches.len() == scene.latches().len()
            && self.triggers.len() == scene.triggers().len()
            && self
                .slots
                .iter()
                .flatten()
                .all(|pair| scene.pairs().has(*pair))
            && self
                .contacts
                .windows(2)
                .all(|two| two[0].pair < two[1].pair)
            && self
                .contacts
                .iter()
                .all(|c| self.slots.get(c.slot) == Some(&Some(c.pair)))
    }

    /// Writes a ledger of these ascending pairs only, pair i in slot i, with its contacts and hints, all
    /// stops, latches and triggers. Returns true if slots have hints.
    pub(crate) fn take_pairs(&self, pairs: &[PairId], part: &mut Ledger) -> bool {
        part.slots.clear();
        part.slots.extend(pairs.iter().map(|pair| Some(*pair)));
        part.contacts.clear();
        for (slot, pair) in (0..).map(SlotId::from).zip(pairs) {
            let known = self.contact(*pair);
            part.contacts
                .extend(known.map(|known| Contact { slot, ..*known }));
        }
        part.stops.clone_from(&self.stops);
        part.latches.clone_from(&self.latches);
        part.triggers.clone_from(&self.triggers);
        part.hints.0.clear();
        if self.has_hints() {
            part.hints.0.resize(pairs.len(), Feature::None);
            for (slot, pair) in self.slots.iter_enumerated() {
                let known = pair.and_then(|pair| pairs.binary_search(&pair).ok());
                if let Some(place) = known {
                    part.hints.0[SlotId::from(place)] = self.hints.0[slot];
                }
            }
        }
        self.has_hints()
    }

    /// Replaces the contacts by these, ascending by pair, and assigns slots: pairs that have one keep it, and
    /// pairs out of contact lose theirs if needed, the last ones first. There must be enough slots.
    pub(crate) fn replace_contacts(&mut self, contacts: &mut [Contact]) {
        let mut fresh = Vec::new();
        for (place, contact) in contacts.iter_mut().enumerate() {
            match self.contact(contact.pair) {
                Some(known) => contact.slot = known.slot,
                None => fresh.push(place),
            }
        }
        if !fresh.is_empty() {
            self.find_slots(contacts, &fresh);
        }
        self.set_contacts(contacts);
    }

    fn find_slots(&mut self, contacts: &mut [Contact], fresh: &[usize]) {
        let is_contact = |pair: &PairId, contacts: &[Contact]| {
            contacts.binary_search_by_key(pair, |c| c.pair).is_ok()
        };
        let mut places = BTreeMap::new();
        // Slots to be reassigned: empty ones, then those of the last pairs.
        let mut others: Vec<(bool, Option<PairId>, SlotId)> = Vec::new();
        for (slot, pair) in self.slots.iter_enumerated() {
            match pair {
                Some(pair) if is_contact(pair, contacts) => {
                    places.insert(*pair, slot);
                }
                _ => others.push((pair.is_none(), *pair, slot)),
            }
        }
        others.sort_unstable();
        for place in fresh {
            let contact = &mut contacts[*place];
            if let Some(slot) = places.get(&contact.pair) {
                contact.slot = *slot;
            } else if let Some((_, _, slot)) = others.pop() {
                self.slots[slot] = Some(contact.pair);
                self.set_hint(slot, Feature::None);
                contact.slot = slot;
            }
        }
    }

    pub(crate) fn set_hint(&mut self, slot: SlotId, hint: Feature) {
        if let Some(known) = self.hints.0.get_mut(slot) {
            *known = hint;
        }
    }

    /// Assigns the slots to `pairs` (ascending): pairs that have a slot keep it. `order` is the order of the
    /// slots.
    pub(super) fn assign_slots(&mut self, pairs: &[PairId], order: &mut SlotOrder) {
        let hints = &mut self.hints.0;
        order.assign(&mut self.slots, pairs, |slot| {
            if let Some(hint) = hints.get_mut(slot) {
                *hint = Feature::None;
            }
        });
    }

    /// Sets the hint of each slot to the features of its pair at the present poses, some of them found already.
    pub(crate) fn refresh_hints(&mut self, placement: &Placement, found: &Found) {
        for (slot, hint) in self.slots.iter().zip(&mut self.hints.0) {
            let Some(pair) = slot else { continue };
            let [(form_1, pose_1), (form_2, pose_2)] = placement.placed(*pair);
            if uses_warm_start(form_1.kind(), form_2.kind()) {
                *hint = found
                    .of(*pair)
                    .unwrap_or_else(|| find_feature(form_1, pose_1, form_2, pose_2, hint));
            }
        }
    }

    /// Replaces the contacts by these, in pair order, and assigns slots; other slots become free unless every
    /// pair has its own. Contacts beyond the number of slots are dropped.
    pub(crate) fn take_contacts(&mut self, scene: &Scene, contacts: impl Iterator<Item = Started>) {
        let known: Vec<Started> = contacts.take(scene.slot_count()).collect();
        let mut order = SlotOrder::default();
        if !scene.monitors_all_pairs() {
            let pairs: Vec<PairId> = known.iter().map(|contact| contact.pair).collect();
            order.update(&self.slots);
            self.assign_slots(&pairs, &mut order);
        }
        self.contacts.clear();
        for contact in known {
            let own = scene.own_slot(contact.pair);
            if let Some(slot) = own.or_else(|| order.slot_of(contact.pair)) {
                self.contacts.push(Contact {
                    pair: contact.pair,
                    slot,
                    impact_speed: contact.impact_speed,
                    frozen: contact.frozen,
                    stepped: contact.stepped,
                });
            }
        }
        self.hints.0.fill(Feature::None);
    }

    /// Clears the states of steps of fixed length. Returns true if there were any.
    pub(crate) fn forget_steps(&mut self) -> bool {
        let left = self.contacts.iter_mut().map(|known| known.stepped.take());
        left.fold(false, |any, left| any | left.is_some())
    }

    pub(crate) fn set_contacts(&mut self, contacts: &[Contact]) {
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
    }
}

/// Latch before the first event update. One that closes when a coordinate reaches a value must observe it
/// arriving.
fn at_start(latch: &Latch) -> LatchState {
    LatchState {
        is_closed: latch.starts_closed,
        is_armed: matches!(latch.trigger, Some(LatchTrigger::Distance(_))),
        ..LatchState::default()
    }
}

fn strike_count(scene: &Scene) -> usize {
    let driven = scene.bodies().iter().filter(|body| body.is_driven());
    match scene.has_impulses() {
        true => driven.count(),
        false => 0,
    }
}

/// Shapes of a scene at one state.
#[derive(Clone, Copy)]
pub struct Placement<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// World poses of the frames; shapes may share a frame.
    pub frames: &'a TiSlice<FrameId, Pose>,
    /// Frame of each shape.
    pub shape_frames: &'a TiSlice<ShapeId, FrameId>,
}

/// Nearest features of pairs with a mesh that were found at the present poses, ascending by pair: those that a search
/// finds again if it starts from them, so that no result depends on whether they are known. Among two meshes a search
/// is long, and the indicators at the end of a step, the hints and the indicators after them need the same one.
#[derive(Debug, Default)]
pub struct Found(Vec<(PairId, Feature)>);

impl Found {
    /// With room for one for each slot of a scene with meshes.
    pub(crate) fn with_room(scene: &Scene, ledger: &Ledger) -> Self {
        let room = if scene.has_meshes() {
            ledger.slots.len()
        } else {
            0
        };
        Found(Vec::with_capacity(room))
    }

    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    fn place(&self, pair: PairId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&pair, |(known, _)| *known)
    }

    pub(crate) fn of(&self, pair: PairId) -> Option<Feature> {
        self.place(pair).ok().map(|place| self.0[place].1)
    }

    /// [`Placement::gap`].
    pub(crate) fn gap(&mut self, placement: &Placement, pair: PairId, hint: &Feature) -> f64 {
        let [(form_a, pose_a), (form_b, pose_b)] = placement.placed(pair);
        if ![form_a, form_b]
            .map(|form| form.kind())
            .contains(&Kind::Mesh)
        {
            return gap(form_a, pose_a, form_b, pose_b, hint);
        }
        let feature = match self.place(pair) {
            Ok(place) => self.0[place].1,
            Err(place) => {
                let feature = find_feature(form_a, pose_a, form_b, pose_b, hint);
                if feature.is_found_again() {
                    self.0.insert(place, (pair, feature));
                }
                feature
            }
        };
        proximity(form_a, pose_a, form_b, pose_b, &feature).gap
    }
}

impl Placement<'_> {
    /// Gap, normal and points of a pair. The search starts from `hint`, as in the following methods.
    pub fn proximity(&self, pair: PairId, hint: &Feature) -> Proximity {
        let [(form_a, pose_a), (form_b, pose_b)] = self.placed(pair);
        query(form_a, pose_a, form_b, pose_b, hint)
    }

    pub(crate) fn gap(&self, pair: PairId, hint: &Feature) -> f64 {
        self.gap_between(self.scene.pairs().get(pair).shapes, hint)
    }

    #[inline(always)]
    pub(crate) fn gap_between(&self, shapes: [ShapeId; 2], hint: &Feature) -> f64 {
        let [form_1, form_2] = self.scene.forms_of(shapes);
        let [pose_1, pose_2] = shapes.map(|shape| self.pose(shape));
        gap(form_1, pose_1, form_2, pose_2, hint)
    }

    #[inline(always)]
    pub(crate) fn placed(&self, pair: PairId) -> [(&RoundedShape, &Pose); 2] {
        let [a, b] = self.scene.pairs().get(pair).shapes;
        let [form_a, form_b] = self.scene.forms_of([a, b]);
        [(form_a, self.pose(a)), (form_b, self.pose(b))]
    }
}

impl Poses for Placement<'_> {
    fn pose(&self, shape: ShapeId) -> &Pose {
        &self.frames[self.shape_frames[shape]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::AtStart;
    use crate::fixtures::{ball, body, plate, steel_scene};
    use crate::scene::description::{BodyDescription, Form, Motion, SharpPart, Solid};
    use contact_geometry::shapes::mass::solid_integrals;

    fn crate_of(motion: Motion, position: [f64; 3]) -> BodyDescription {
        let lengths = [0.2; 3];
        body("crate", motion, Form::Box { lengths }, position)
    }

    #[test]
    fn slots_have_hints_only_where_shapes_that_can_touch_are_searched() {
        let hints = |bodies: Vec<BodyDescription>| {
            let scene = Scene::new(steel_scene(bodies)).unwrap();
            let ledger = Ledger::new(&scene);
            assert!(ledger.fits(&scene));
            ledger.has_hints()
        };
        let (above, beside) = ([0.0, 0.0, 1.0], [3.0, 0.0, 0.0]);
        assert!(!hints(vec![plate(), ball("ball", above)]));
        // Two boxes that never move are no pair.
        let still = crate_of(Motion::Fixed, beside);
        assert!(!hints(vec![plate(), still, ball("ball", above)]));
        let moving = crate_of(Motion::Free, above);
        assert!(hints(vec![plate(), moving]));
    }

    /// Corner of a cube as a mesh.
    fn corner() -> Form {
        let vertices = vec![[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let integrals = solid_integrals(&vertices, &triangles).unwrap();
        Form::Surface {
            solid: Solid::from(&integrals),
            surface: SharpPart {
                vertices,
                triangles,
            },
        }
    }

    #[test]
    fn features_that_indicators_found_at_the_same_poses_are_the_hints() {
        let at = |name, motion, z| body(name, motion, corner(), [0.0, 0.0, z]);
        let bodies = vec![at("a", Motion::Fixed, 0.0), at("b", Motion::Free, 0.09)];
        let scene = Scene::new(steel_scene(bodies)).unwrap();
        let places = AtStart::of(&scene);
        let placement = places.placement();
        let pair = PairId::from(0);
        let (mut found, mut anew) = (Found::default(), Ledger::new(&scene));
        let mut ledger = anew.clone();
        let gap = found.gap(&placement, pair, &Feature::None);
        assert!(gap < 0.0 && gap == placement.gap(pair, &Feature::None));
        anew.refresh_hints(&placement, &Found::default());
        ledger.refresh_hints(&placement, &found);
        assert!(ledger == anew && ledger.hints.0[SlotId::from(0)] != Feature::None);
        // Without another search, which would find the same.
        found.0[0].1 = Feature::Points;
        ledger.refresh_hints(&placement, &found);
        assert_eq!(ledger.hints.0.raw, [Feature::Points]);
        found.forget();
        ledger.refresh_hints(&placement, &found);
        assert!(ledger == anew);
    }

    #[test]
    fn a_slot_that_goes_to_another_pair_forgets_the_hint() {
        let bodies = [
            plate(),
            crate_of(Motion::Free, [0.0, 0.0, 1.0]),
            ball("b", [1.0; 3]),
        ];
        let mut description = steel_scene(bodies.to_vec());
        description.contact.nz_max = Some(2);
        let scene = Scene::new(description).unwrap();
        let mut ledger = Ledger::new(&scene);
        let mut order = SlotOrder::default();
        ledger.assign_slots(&[0, 1].map(PairId::from), &mut order);
        ledger.hints.0 = ti_vec![Feature::Points, Feature::Plane];
        ledger.assign_slots(&[1, 2].map(PairId::from), &mut order);
        let pairs = [2, 1].map(|pair| Some(PairId::from(pair)));
        assert_eq!(ledger.slots().raw, pairs);
        assert_eq!(ledger.hints.0.raw, [Feature::None, Feature::Plane]);
    }
}
