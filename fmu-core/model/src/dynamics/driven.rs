//! Driven bodies in an evaluation: placed by the inputs, which are refused where they cannot be
//! used.

use crate::dynamics::Model;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::Real;
use contact_laws::index::{InputId, TiSlice};

/// Places the driven bodies by the inputs. One whose orientation is no rotation stays where it is:
/// [`flaw`] returns why.
pub fn place<T: Real>(model: &Model, work: &mut Workspace<T>) {
    let elapsed = work
        .inputs_since
        .map_or(T::zero(), |since| work.time - since);
    for driven in &model.driven {
        if let Some((pose, twist)) = driven.motion(&work.inputs, elapsed) {
            work.frames[driven.body.frame()] = pose;
            work.twists[driven.body] = twist;
        }
    }
}

/// What is wrong with these values of the inputs, in words that name body and input.
pub fn flaw(model: &Model, inputs: &TiSlice<InputId, f64>) -> Option<String> {
    let scene = &model.scene;
    if let Some(index) = inputs.position(|value| !value.is_finite()) {
        return Some(format!(
            "input {} is {}; must be finite",
            scene.input_name(index),
            inputs[index]
        ));
    }
    let mut driven = model.driven.iter();
    driven.find_map(|driven| {
        let reason = driven.flaw(inputs)?;
        let name = &scene.bodies()[driven.body].name;
        Some(format!("input {name}.{reason}"))
    })
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/driven/tests.rs"]
mod tests;
