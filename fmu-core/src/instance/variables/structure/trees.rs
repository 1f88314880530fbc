//! Bodies that accelerate each other through joints, and the inputs of bodies, forces and joints.
//!
//! A body that forces do not accelerate (fixed, driven, prescribed) parts what hangs on it: each of
//! its joints starts a tree of its own. A free body is part of the tree below it.

use crate::index::{BodyId, ForceId, InputId, JointId, TiVec, ti_vec};
use crate::scene::description::Motion;
use crate::scene::{Input, Scene};
use std::ops::Range;

#[derive(Default)]
struct Tree {
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
}

/// Trees of a scene.
pub(super) struct Trees {
    trees: Vec<Tree>,
    /// Tree of each body, where joints accelerate it.
    of_bodies: TiVec<BodyId, Option<usize>>,
    /// Joint that each body is the child of.
    joint_of: TiVec<BodyId, Option<JointId>>,
    /// Inputs of each body, force and joint; they follow each other in the list.
    of_body: TiVec<BodyId, Range<InputId>>,
    of_force: TiVec<ForceId, Range<InputId>>,
    of_joint: TiVec<JointId, Range<InputId>>,
}

impl Trees {
    pub(super) fn new(scene: &Scene) -> Self {
        let bodies = scene.bodies().len();
        let mut made = Trees {
            trees: Vec::new(),
            of_bodies: ti_vec![None; bodies],
            joint_of: ti_vec![None; bodies],
            of_body: ti_vec![InputId::FIRST..InputId::FIRST; bodies],
            of_force: ti_vec![InputId::FIRST..InputId::FIRST; scene.forces().len()],
            of_joint: ti_vec![InputId::FIRST..InputId::FIRST; scene.joints().len()],
        };
        for index in scene.tree_order() {
            made.add(scene, *index);
        }
        for (index, input) in scene.inputs().iter_enumerated() {
            let range = match *input {
                Input::Force(f, _) | Input::Torque(f, _) => &mut made.of_force[f],
                Input::Joint(j, _) | Input::BallTorque(j, _) => &mut made.of_joint[j],
                Input::Position(b, _)
                | Input::Orientation(b, _)
                | Input::Rotation(b, _)
                | Input::Velocity(b, _)
                | Input::AngularVelocity(b, _) => &mut made.of_body[b],
            };
            if range.start == range.end {
                range.start = index;
            }
            range.end = index.plus(1);
        }
        made
    }

    /// Adds a joint whose parent was added before.
    fn add(&mut self, scene: &Scene, index: JointId) {
        let joint = &scene.joints()[index];
        let is_moved = |body: &BodyId| scene.bodies()[*body].is_dynamic();
        let parent = joint.parent.filter(is_moved);
        let known = parent.and_then(|body| self.of_bodies[body]);
        let tree = known.unwrap_or_else(|| {
            self.trees.push(Tree::default());
            let tree = self.trees.len() - 1;
            if let Some(root) = parent {
                self.trees[tree].bodies.push(root);
                self.of_bodies[root] = Some(tree);
            }
            tree
        });
        self.trees[tree].bodies.push(joint.child);
        self.trees[tree].joints.push(index);
        self.of_bodies[joint.child] = Some(tree);
        self.joint_of[joint.child] = Some(index);
    }

    /// Tree that a body is accelerated with; none for one without joints.
    pub(super) fn of_body(&self, body: BodyId) -> Option<usize> {
        self.of_bodies[body]
    }

    pub(super) fn bodies(&self, tree: usize) -> &[BodyId] {
        &self.trees[tree].bodies
    }

    pub(super) fn joints(&self, tree: usize) -> &[JointId] {
        &self.trees[tree].joints
    }

    /// Joints from a body up to its root.
    pub(super) fn above(&self, scene: &Scene, body: BodyId) -> impl Iterator<Item = JointId> {
        let next = |joint: &JointId| scene.joints()[*joint].parent.and_then(|b| self.joint_of[b]);
        std::iter::successors(self.joint_of[body], next)
    }

    /// The body that everything above a child of a joint hangs on; none for the world.
    pub(super) fn root(&self, scene: &Scene, body: BodyId) -> Option<BodyId> {
        let last = self.above(scene, body).last()?;
        let root = scene.joints()[last].parent;
        root.filter(|root| scene.bodies()[*root].motion != Motion::Joint)
    }

    pub(super) fn inputs_of_body(&self, body: BodyId) -> Range<InputId> {
        self.of_body[body].clone()
    }

    pub(super) fn inputs_of_force(&self, force: ForceId) -> Range<InputId> {
        self.of_force[force].clone()
    }

    pub(super) fn inputs_of_joint(&self, joint: JointId) -> Range<InputId> {
        self.of_joint[joint].clone()
    }
}
