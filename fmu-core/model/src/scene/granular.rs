//! What a scene must not have for steps of a fixed length, `solver = "dem"`.

use crate::scene::Scene;
use crate::scene::description::SceneItem;
use crate::scene::flaw::{Rule, SceneFlaw};

impl Scene {
    /// Why the scene cannot be stepped so: items, their keys and what is wrong; empty if it can.
    pub fn granular_flaws(&self) -> Vec<(SceneItem, &'static str, SceneFlaw)> {
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
