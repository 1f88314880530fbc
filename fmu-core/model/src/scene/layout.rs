//! Where the states of bodies, joints and contacts lie in the state vector.
//!
//! Order: [free bodies in scene order | joints in scene order | contacts | dissipated work]. A
//! joint has its position states, then its velocity states. A free body has those of the joint of
//! kind `free` that connects it to the world: position (3), orientation (4), velocity (3), angular
//! velocity (3). A contact whose friction `stick` has a deflection as state has 3, in world axes, and,
//! if pairs of the scene hold over an area, a 4th, that of turning about the normal. If every pair
//! has an event indicator for ever these belong to the pair; otherwise to its indicator slot, which
//! a contact keeps while it lasts.

use crate::scene::description::JointKind;
use contact_laws::index::{BodyId, DeflectionId, JointId, PairId, SlotId, StateLinkId, TiVec};
use std::ops::Range;

/// Number of states of a contact in a point.
const POINT_STATES: usize = 3;

/// Offsets of the states; fixed when the scene is built.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StateLayout {
    /// First position state, first velocity state and end of each link.
    links: TiVec<StateLinkId, [usize; 3]>,
    /// Link of each free body; none for other bodies.
    links_of_free: TiVec<BodyId, Option<StateLinkId>>,
    /// Number of free bodies, the links before joints.
    free_count: usize,
    first_contact: usize,
    deflections: Deflections,
    turns: bool,
    work: bool,
}

/// What has a deflection.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Deflections {
    /// Nothing.
    #[default]
    None,
    /// The contacts of these pairs, ascending.
    OfPairs(TiVec<DeflectionId, PairId>),
    /// So many indicator slots, whatever pair is in them.
    OfSlots(usize),
}

impl StateLayout {
    /// Layout of bodies, `free[i]` for each in scene order, and of joints, numbers of position and
    /// velocity states for each, without contacts, with or without the work state.
    pub(crate) fn new(
        free: impl Iterator<Item = bool>,
        joints: impl Iterator<Item = [usize; 2]>,
        energy_balance: bool,
    ) -> Self {
        let mut layout = StateLayout {
            work: energy_balance,
            ..StateLayout::default()
        };
        let of_free = [
            JointKind::Free.position_count(),
            JointKind::Free.rate_count(),
        ];
        for is_free in free {
            layout
                .links_of_free
                .push(is_free.then_some(layout.links.next_key()));
            if is_free {
                layout.push(of_free);
            }
        }
        layout.free_count = layout.links.len();
        joints.for_each(|counts| layout.push(counts));
        layout
    }

    fn push(&mut self, [positions, rates]: [usize; 2]) {
        let start = self.first_contact;
        self.first_contact = start + positions + rates;
        self.links
            .push([start, start + positions, self.first_contact]);
    }

    /// This layout with the deflections of contacts, with or without a state of turning.
    pub(crate) fn with_deflections(self, deflections: Deflections, turns: bool) -> Self {
        StateLayout {
            deflections,
            turns,
            ..self
        }
    }

    /// Number of continuous states.
    pub fn count(&self) -> usize {
        self.contacts().end + usize::from(self.work)
    }

    /// Index of the first state of a body; none for one that is not free.
    pub fn body(&self, body: BodyId) -> Option<usize> {
        self.links_of_free[body].map(|link| self.links[link][0])
    }

    /// Number of free bodies.
    pub(crate) fn free_count(&self) -> usize {
        self.free_count
    }

    /// Number of joints.
    pub(crate) fn joint_count(&self) -> usize {
        self.links.len() - self.free_count
    }

    /// Link of a joint.
    pub(crate) fn link_of_joint(&self, joint: JointId) -> StateLinkId {
        StateLinkId::from(self.free_count + usize::from(joint))
    }

    /// Joint of a link; none for a free body.
    pub(crate) fn joint_of_link(&self, link: StateLinkId) -> Option<JointId> {
        let place = usize::from(link).checked_sub(self.free_count);
        place.map(JointId::from)
    }

    /// Position states of a joint.
    pub fn joint_positions(&self, joint: JointId) -> Range<usize> {
        self.positions(self.link_of_joint(joint))
    }

    /// Velocity states of a joint.
    pub fn joint_rates(&self, joint: JointId) -> Range<usize> {
        self.rates(self.link_of_joint(joint))
    }

    /// Position states of a link of [`Scene::links`].
    ///
    /// [`Scene::links`]: crate::scene::Scene::links
    pub fn positions(&self, link: StateLinkId) -> Range<usize> {
        let [start, middle, _] = self.links[link];
        start..middle
    }

    /// Velocity states of a link.
    pub fn rates(&self, link: StateLinkId) -> Range<usize> {
        let [_, middle, end] = self.links[link];
        middle..end
    }

    /// Link that a state belongs to; none for a state of contacts or the dissipated work.
    pub(crate) fn link_of(&self, state: usize) -> Option<StateLinkId> {
        let link = self.links.partition_point(|[_, _, end]| *end <= state);
        (link < self.links.next_key()).then_some(link)
    }

    /// Position states of a free body whose first state is `offset`.
    pub fn position(offset: usize) -> Range<usize> {
        offset..offset + 3
    }

    /// Orientation states (w, x, y, z) of a free body whose first state is `offset`.
    pub fn orientation(offset: usize) -> Range<usize> {
        offset + 3..offset + 7
    }

    /// Velocity states of a free body whose first state is `offset`.
    pub fn velocity(offset: usize) -> Range<usize> {
        offset + 7..offset + 10
    }

    /// Angular velocity states (body axes) of a free body whose first state is `offset`.
    pub fn angular_velocity(offset: usize) -> Range<usize> {
        offset + 10..offset + 13
    }

    /// What has a deflection.
    pub fn deflections(&self) -> &Deflections {
        &self.deflections
    }

    /// Number of deflections.
    pub fn deflection_count(&self) -> usize {
        match &self.deflections {
            Deflections::None => 0,
            Deflections::OfPairs(pairs) => pairs.len(),
            Deflections::OfSlots(slots) => *slots,
        }
    }

    /// All deflections.
    pub fn all_deflections(&self) -> impl Iterator<Item = DeflectionId> + use<> {
        (0..self.deflection_count()).map(DeflectionId::from)
    }

    /// Which deflection a contact has whose friction has one, by its pair and its indicator slot.
    pub fn deflection_of(&self, pair: PairId, slot: SlotId) -> Option<DeflectionId> {
        match &self.deflections {
            Deflections::None => None,
            Deflections::OfPairs(pairs) => pairs.binary_search(&pair).ok(),
            Deflections::OfSlots(slots) => Some(usize::from(slot))
                .filter(|slot| slot < slots)
                .map(DeflectionId::from),
        }
    }

    /// Number of states of a contact.
    pub fn contact_states(&self) -> usize {
        POINT_STATES + usize::from(self.turns)
    }

    /// States of a deflection [m].
    pub fn deflection(&self, deflection: DeflectionId) -> Range<usize> {
        let start = self.first_contact + self.contact_states() * usize::from(deflection);
        start..start + self.contact_states()
    }

    /// Deflection that a state belongs to.
    pub(crate) fn deflection_of_state(&self, state: usize) -> Option<DeflectionId> {
        let states = self.contacts();
        states
            .contains(&state)
            .then(|| DeflectionId::from((state - states.start) / self.contact_states()))
    }

    /// States of all deflections.
    pub fn contacts(&self) -> Range<usize> {
        self.first_contact..self.first_contact + self.contact_states() * self.deflection_count()
    }

    /// Index of the dissipated work, if the scene keeps an energy balance.
    pub fn work(&self) -> Option<usize> {
        self.work.then(|| self.contacts().end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_laws::index::ti_vec;

    #[test]
    fn states_of_joints_lie_behind_those_of_all_free_bodies() {
        let joints = [[1, 1], [0, 0], [4, 3]].into_iter();
        let layout = StateLayout::new([true, false].into_iter(), joints, true);
        assert_eq!(layout.joint_positions(0.into()), 13..14);
        assert_eq!(layout.joint_rates(0.into()), 14..15);
        assert_eq!(layout.joint_rates(1.into()), 15..15);
        assert_eq!(layout.joint_positions(2.into()), 15..19);
        assert_eq!(layout.joint_rates(2.into()), 19..22);
        assert_eq!((layout.count(), layout.work()), (23, Some(22)));
    }

    #[test]
    fn states_of_contacts_lie_between_the_bodies_and_the_work() {
        let bodies = StateLayout::new([false, true, true].into_iter(), std::iter::empty(), true);
        assert_eq!((bodies.count(), bodies.work()), (27, Some(26)));
        assert_eq!(bodies.contacts(), 26..26);
        let [first, second, other] = [1, 4, 2].map(PairId::from);
        let pairs = bodies
            .clone()
            .with_deflections(Deflections::OfPairs(ti_vec![first, second]), false);
        assert_eq!((pairs.count(), pairs.work()), (33, Some(32)));
        let slots = [0, 1, 2].map(SlotId::from);
        let deflections = [0, 1, 2].map(DeflectionId::from);
        let found = pairs.deflection_of(second, slots[0]);
        assert_eq!(found, Some(deflections[1]));
        assert_eq!(pairs.deflection_of(other, slots[1]), None);
        assert_eq!(pairs.deflection(deflections[1]), 29..32);
        let few = bodies
            .clone()
            .with_deflections(Deflections::OfSlots(3), false);
        assert_eq!((few.count(), few.contacts()), (36, 26..35));
        assert_eq!(few.deflection_of(second, slots[2]), Some(deflections[2]));
        let turning = bodies.with_deflections(Deflections::OfSlots(3), true);
        assert_eq!((turning.count(), turning.contacts()), (39, 26..38));
        assert_eq!(turning.deflection(deflections[1]), 30..34);
        assert_eq!(turning.deflection_of_state(33), Some(deflections[1]));
    }
}
