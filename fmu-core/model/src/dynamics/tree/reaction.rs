//! What a joint does to its child: the force that constrains it, that of a closed latch among it, and
//! the one along its coordinates.

use crate::dynamics::Model;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::{Real, Spatial, Vec3};
use contact_laws::index::JointId;

/// Force [N] and torque [N.m] of a joint on its child at the origin of the joint's frame on the
/// child, world axes, if the accelerations are known: f = I a + p, moved there from the child's
/// origin.
pub fn on_child<T: Real>(model: &Model, work: &Workspace<T>, joint: JointId) -> [Vec3<T>; 2] {
    let known = &model.scene.joints()[joint];
    let child = known.child;
    let in_trees = model.links.index_in_trees(model.links.of_joints[joint]);
    if known.kind.is_free() && !work.tree.locked[in_trees] {
        return [Vec3::zeros(); 2];
    }
    let mut wrench: Spatial<T> = work.tree.inertias[child].times(&work.accelerations[child]);
    wrench.add(&work.tree.biases[child]);
    let there = wrench.wrench_from(&-work.tree.motions[in_trees].arm_w);
    [there.linear, there.angular]
}
