//! Prescribed forces on the bodies, and those that are inputs.
//!
//! A force F at a point p of a body with origin o, with a torque M beside it, does to the body what
//! the force F and the torque (p - o) x F + M about o do. F and M are those of the present time, in
//! world axes or turned by the body's rotation R: F_w = R F_b; p - o = R p_b.

use crate::dynamics::Model;
use crate::dynamics::link::Link;
use crate::dynamics::load::Load;
use crate::dynamics::workspace::Workspace;
use crate::scene::description::ForceAxes;
use contact_geometry::math::{Real, Vec3};

/// Writes what these forces do to a link, which is placed, into the workspace.
pub fn apply<T: Real>(model: &Model, link: &Link, work: &mut Workspace<T>) {
    let rotation = work.frames[link.body.frame()].rotation;
    let mut load = Load::zero();
    for index in &model.links.applied[link.applied.clone()] {
        let force = &model.scene.forces()[*index];
        let numbers = &model.applied[*index];
        let [force_given, torque_given] = numbers.at(&force.profile, work.time, &work.inputs);
        let turned = |vector: &Vec3<T>| -> Vec3<T> {
            match force.axes {
                ForceAxes::World => *vector,
                ForceAxes::Body => rotation * vector,
            }
        };
        let (force_w, torque_w) = (turned(&force_given), turned(&torque_given));
        let arm_w = rotation * force.point_b.map(T::from);
        load.acts = true;
        load.force_w += force_w;
        load.torque_w += arm_w.cross(&force_w) + torque_w;
    }
    work.applied[link.body] = load;
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/applied/tests.rs"]
mod tests;
