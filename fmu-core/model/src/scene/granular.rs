//! Which bodies and states are those of groups of balls; why steps of a fixed length are refused.

use crate::scene::Scene;
use crate::scene::description::SceneItem;
use crate::scene::flaw::{Rule, SceneFlaw};
use crate::scene::forms::{GRAIN_STATES, GrainsId};
use contact_laws::index::BodyId;

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

    /// Why the scene cannot have steps of a fixed length, `solver = "dem"`: items, their keys and
    /// what is wrong; empty if it can.
    pub(crate) fn granular_flaws(&self) -> Vec<(SceneItem, &'static str, SceneFlaw)> {
        let joints = self.joints().iter_enumerated();
        let mut flaws: Vec<_> = joints
            .map(|(index, joint)| {
                let child = self.bodies[joint.child].name.as_str();
                let flaw = SceneFlaw::broken(Rule::JointInDem, [child]);
                (SceneItem::Joint(index.into()), "name", flaw)
            })
            .collect();
        let latches = (0..self.latches.len()).map(SceneItem::Latch);
        flaws.extend(latches.map(|item| (item, "name", SceneFlaw::broken(Rule::LatchInDem, []))));
        let mut add = |rule| {
            flaws.push((SceneItem::Scene, "solver", SceneFlaw::broken(rule, [])));
        };
        if self.has_area() {
            add(Rule::AreaInDem);
        }
        if self.calls_user_functions() {
            add(Rule::UserLawInDem);
        }
        if self.has_impulses() {
            add(Rule::ImpulseInDem);
        }
        flaws
    }
}
