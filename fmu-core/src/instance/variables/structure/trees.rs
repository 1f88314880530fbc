//! Bodies that accelerate each other through joints.
//!
//! A body that forces do not accelerate (fixed, driven, prescribed) parts what hangs on it: each of
//! its joints starts a tree of its own. A free body is part of the tree below it.

use contact_laws::index::{BodyId, JointId, TiVec, ti_vec};
use contact_model::scene::Scene;
use contact_model::scene::description::Motion;

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
}

impl Trees {
    pub(super) fn new(scene: &Scene) -> Self {
        let bodies = scene.bodies().len();
        let mut made = Trees {
            trees: Vec::new(),
            of_bodies: ti_vec![None; bodies],
            joint_of: ti_vec![None; bodies],
        };
        for index in scene.tree_order() {
            made.add(scene, *index);
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
}
