//! Binds parameter values, and refuses joints with a motion that moves no inertia.
//!
//! A body that hangs on a joint may be a point mass, which does not resist turning about its
//! centre. Where a motion of a joint moves no mass at all its acceleration is undefined.

use crate::contact::LatchState;
use crate::dynamics::tree::articulated;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, pipeline};
use crate::hybrid::EvaluationError;
use crate::scene::description::JointKind;
use crate::scene::{Parameters, Scene, UserFunctions};
use contact_laws::index::{JointId, ti_vec};
use std::sync::Arc;

/// Binds parameter values to a scene.
///
/// # Errors
/// A value out of range: the message names the parameter, the value and the range. A motion of a
/// joint that moves no inertia: the message names both.
pub fn bind(
    scene: &Arc<Scene>,
    parameters: &Parameters,
    functions: &Arc<UserFunctions>,
) -> Result<Model, EvaluationError> {
    checked(Model::bind(scene, parameters, functions)?)
}

/// Binds other values to the scene of a model; tables that still hold are kept.
///
/// # Errors
/// Those of [`bind`].
pub fn rebind(model: &Model, parameters: &Parameters) -> Result<Model, EvaluationError> {
    checked(model.rebind(parameters)?)
}

fn checked(model: Model) -> Result<Model, EvaluationError> {
    match without_inertia(&model) {
        Some((_, flaw)) => Err(EvaluationError::error(flaw)),
        None => Ok(model),
    }
}

/// What is wrong with a scene at its start beyond its single values: the joint with a motion that
/// moves no inertia, by index and in words.
pub fn flaw(scene: &Arc<Scene>) -> Option<(JointId, String)> {
    let functions = UserFunctions::not_loaded(scene);
    // Values that cannot be bound have problems of their own.
    let model = Model::bind(scene, &Parameters::start(scene), &functions).ok()?;
    without_inertia(&model)
}

/// What is wrong with the inertia of the trees at start, with the index of the joint; none if all
/// can be accelerated.
fn without_inertia(model: &Model) -> Option<(JointId, String)> {
    if model.links.of_trees().is_empty() {
        return None;
    }
    let mut work: Workspace<f64> = Workspace::new(model);
    let states = model.scene.start_states();
    pipeline::place(model, &model.links.indices, &mut work, &states);
    // Of a closed latch all have to be able to move when it opens.
    let open = ti_vec![LatchState::default(); model.scene.latches().len()];
    pipeline::factor(model, &model.links.tree_indices, &open, &mut work);
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
fn singular(model: &Model, work: &Workspace<f64>) -> Option<(JointId, String)> {
    // Leaves first: what hangs on a coordinate without inertia has none for its parents either.
    for (in_trees, link) in model.links.of_trees().iter_enumerated().rev() {
        let Some(index) = model.scene.layout().joint_of_link(link.joint) else {
            continue;
        };
        if work.tree.locked[in_trees] {
            continue;
        }
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
        Some(coordinate) => format!("coordinate {}", coordinate.key),
        None => "turning the child".into(),
    }
}
