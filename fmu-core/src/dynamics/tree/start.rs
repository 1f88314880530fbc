//! Whether every coordinate of a joint has something to accelerate.
//!
//! A body that hangs on a joint may be a point mass, which does not resist turning about its centre.
//! Where a motion of a joint moves no mass at all its acceleration is undefined.

use crate::dynamics::tree::articulated;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, pipeline};
use crate::scene::description::JointKind;

/// What is wrong with the inertia of the trees at start, with the index of the joint; none if all
/// can be accelerated.
pub fn flaw(model: &Model) -> Option<(usize, String)> {
    if model.links.of_trees().is_empty() {
        return None;
    }
    let mut work: Workspace<f64> = Workspace::new(model);
    let states = model.scene.start_states();
    pipeline::place_all(model, &mut work, &states);
    pipeline::factor_all(model, &mut work);
    let (index, motion) = singular(model, &work)?;
    let joint = &model.scene.joints()[index];
    let body = &model.scene.bodies()[joint.child].name;
    let text = format!(
        "joint {:?}: {motion} moves no inertia at start; give body {body:?}, or one that hangs on it, an \
         inertia that resists it",
        joint.name
    );
    Some((index, text))
}

/// Why the accelerations of a workspace mean nothing; none if they mean something.
pub fn refusal(model: &Model, work: &Workspace<f64>) -> Option<String> {
    let (joint, motion) = singular(model, work)?;
    Some(format!(
        "joint {:?}: {motion} moves no inertia in this position; its acceleration is undefined",
        model.scene.joints()[joint].name
    ))
}

/// A joint with a motion that moves no inertia, and which; none if there is none.
fn singular(model: &Model, work: &Workspace<f64>) -> Option<(usize, String)> {
    let first_joint = model.scene.link_of_joint(0);
    // Leaves first: what hangs on a coordinate without inertia has none for its parents either.
    for (in_trees, link) in model.links.of_trees().iter().enumerate().rev() {
        let Some(index) = link.joint.checked_sub(first_joint) else {
            continue;
        };
        let inertia = &work.tree.inertias[link.body];
        let columns = work.tree.motions[in_trees].columns.iter();
        let known = columns.zip(&work.tree.eliminations[in_trees]);
        for (coordinate, (column, known)) in known.take(link.rates.len()).enumerate().rev() {
            if articulated::is_singular(known.pivot, column, inertia) {
                let kind = model.scene.joints()[index].kind;
                return Some((index, motion_name(kind, coordinate)));
            }
        }
    }
    None
}

fn motion_name(kind: JointKind, dof: usize) -> String {
    match kind.coordinates().get(dof) {
        Some(coordinate) => format!("coordinate {}", coordinate.key()),
        None => "turning the child".into(),
    }
}
