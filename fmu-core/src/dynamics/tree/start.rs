//! Whether every coordinate of a joint has something to accelerate, at start.
//!
//! A body that hangs on a joint may be a point mass, which does not resist turning about its centre.
//! Where a motion of a joint moves no mass at all its acceleration is undefined.

use crate::dynamics::Model;
use crate::dynamics::tree::articulated;
use crate::dynamics::workspace::Workspace;
use crate::math::{Mat3, Spatial, SpatialInertia};
use crate::scene::description::JointKind;

/// Inertia along a coordinate that is rounding, relative to the terms that it is the sum of: some
/// hundred times the rounding of one.
const NO_INERTIA: f64 = 1e-13;

/// What is wrong with the inertia of the trees at start; none where all can be accelerated.
pub fn flaw(model: &Model) -> Option<String> {
    if model.joints.is_empty() {
        return None;
    }
    let mut work: Workspace<f64> = Workspace::new(model);
    let states = model.scene.start_states();
    work.place(model, &states);
    articulated::inward(model, &mut work);
    // Leaves first: what hangs on a coordinate without inertia has none for its parents either.
    for index in model.scene.tree_order().iter().rev() {
        let joint = &model.scene.joints()[*index];
        let inertia = &work.tree.inertias[joint.child];
        let columns = work.tree.motions[*index].columns.iter();
        let count = joint.kind.rate_count();
        let known = columns.zip(&work.tree.eliminations[*index]).take(count);
        for (place, (column, known)) in known.enumerate().rev() {
            let least = NO_INERTIA * size(inertia, column);
            if known.pivot.is_nan() || known.pivot <= least {
                let body = &model.scene.bodies()[joint.child].name;
                return Some(format!(
                    "joint {:?}: {} moves no inertia at start; give body {body:?}, or one that hangs on it, an \
                     inertia that resists it",
                    joint.name,
                    motion_name(joint.kind, place)
                ));
            }
        }
    }
    None
}

fn motion_name(kind: JointKind, place: usize) -> String {
    match kind.coordinates().get(place) {
        Some(coordinate) => format!("coordinate {}", coordinate.key()),
        None => "turning the child".into(),
    }
}

/// Size of the terms whose sum is the inertia along a column.
fn size(inertia: &SpatialInertia, column: &Spatial) -> f64 {
    let (angular, linear) = (column.angular.norm(), column.linear.norm());
    let norm = |m: &Mat3| m.norm();
    angular * angular * norm(&inertia.rotational)
        + 2.0 * angular * linear * norm(&inertia.coupling)
        + linear * linear * norm(&inertia.translational)
}
