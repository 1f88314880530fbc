//! Which bodies, states and links are those of groups of balls.

use crate::scene::Scene;
use crate::scene::forms::{GRAIN_STATES, Grains, GrainsId};
use contact_laws::index::{BodyId, StateLinkId};
use std::ops::Range;

impl Scene {
    /// Returns true if a body is one of a group.
    pub fn is_grain(&self, body: BodyId) -> bool {
        self.grains
            .first()
            .is_some_and(|first| body >= first.bodies.start)
    }

    /// Group that a body is of.
    pub fn grains_of(&self, body: BodyId) -> Option<GrainsId> {
        let first_behind = self
            .grains
            .raw
            .partition_point(|group| group.bodies.end <= body);
        let found = self.is_grain(body).then_some(GrainsId::from(first_behind));
        found.filter(|index| self.grains.get(*index).is_some())
    }

    /// Group that a state is of.
    pub fn grains_of_state(&self, state: usize) -> Option<GrainsId> {
        let first_behind = self
            .grains
            .raw
            .partition_point(|group| group.states.end <= state);
        let found = self.grains.raw.get(first_behind);
        found
            .is_some_and(|group| group.states.contains(&state))
            .then_some(GrainsId::from(first_behind))
    }

    /// Finds where the states of the groups lie, once the layout is made.
    pub(super) fn place_grains(&mut self) {
        for group in &mut self.grains {
            let start = self.layout.body(group.bodies.start).unwrap_or(0);
            group.states = start..start + GRAIN_STATES * group.len();
        }
    }

    /// Links of the balls of all groups; they follow each other.
    pub fn grain_links(&self) -> Range<StateLinkId> {
        let count: usize = self.grains.iter().map(Grains::len).sum();
        let end = StateLinkId::from(self.layout.free_count());
        end.minus(count)..end
    }
}
