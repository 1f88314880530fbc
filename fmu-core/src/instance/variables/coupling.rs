//! Texts and types of inputs, and of outputs beside states and contact.

use super::words::{AXES, QUATERNION, Text, Words, axes};
use crate::index::MeasurementId;
use crate::quantity::units::{self, DeclaredType};
use crate::scene::{Input, Output, Scene};

/// Entries of a rotation matrix, row by row.
const MATRIX: &[&str] = &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];

/// Type of an input.
pub(super) fn input_type(scene: &Scene, input: Input) -> DeclaredType {
    match input {
        Input::Position(..) => units::POSITION,
        Input::Orientation(..) => units::QUATERNION,
        Input::Rotation(..) => units::COEFFICIENT,
        Input::Velocity(..) => units::VELOCITY,
        Input::AngularVelocity(..) => units::ANGULAR_VELOCITY,
        Input::Force(..) => units::FORCE,
        Input::Torque(..) | Input::BallTorque(..) => units::TORQUE,
        Input::Joint(j, c) => match scene.joints()[j].kind.coordinates()[c].is_angle() {
            true => units::TORQUE,
            false => units::FORCE,
        },
    }
}

/// What an input is, in words.
pub(super) fn input_text(words: &Words, input: Input) -> Text {
    let scene = words.scene;
    match input {
        Input::Position(_, i) => Text::new(format!("Position {}", words.component(AXES, i)))
            .at("body origin")
            .in_axes("world axes"),
        Input::Orientation(_, i) => Text::new(format!(
            "Orientation, {} {} of the quaternion",
            words.number("component", "components"),
            words.component(QUATERNION, i)
        ))
        .in_axes("body to world axes"),
        Input::Rotation(_, i) => Text::new(format!(
            "Orientation, {} {} of the rotation matrix",
            words.number("entry", "entries"),
            words.component(MATRIX, i)
        ))
        .in_axes("body to world axes"),
        Input::Velocity(_, i) => Text::new(format!("Velocity along {}", words.component(AXES, i)))
            .at("body origin")
            .in_axes("world axes"),
        Input::AngularVelocity(_, i) => Text::new(format!(
            "Angular velocity of the body about {}",
            words.component(AXES, i)
        ))
        .in_axes("body axes"),
        Input::Force(f, i) => {
            let force = &scene.forces()[f];
            let [x, y, z] = [0, 1, 2].map(|i| force.point_b[i]);
            Text::new(format!(
                "Force on {} along {}",
                scene.bodies()[force.body].name,
                words.component(AXES, i)
            ))
            .at(format!("point ({x:?}, {y:?}, {z:?}) m in the body"))
            .in_axes(axes(force.axes))
        }
        Input::Torque(f, i) => {
            let force = &scene.forces()[f];
            let which = words.component(AXES, i);
            let body = &scene.bodies()[force.body].name;
            Text::new(format!("Torque on {body} about {which}")).in_axes(axes(force.axes))
        }
        Input::Joint(j, c) => {
            let joint = &scene.joints()[j];
            let coordinate = joint.kind.coordinates()[c];
            let what = match coordinate.is_angle() {
                true => "Torque about",
                false => "Force along",
            };
            Text::new(format!(
                "{what} the joint coordinate {}, on {}",
                coordinate.key,
                scene.bodies()[joint.child].name
            ))
        }
        Input::BallTorque(j, i) => Text::new(format!(
            "Torque of the joint on {} about {}",
            scene.bodies()[scene.joints()[j].child].name,
            words.component(AXES, i)
        ))
        .in_axes("joint frame of the child"),
    }
}

/// Type of an output.
pub(super) fn output_type(output: Output) -> DeclaredType {
    match output {
        Output::Position(..) | Output::MeasuredPosition(..) => units::POSITION,
        Output::Orientation(..) | Output::MeasuredOrientation(..) => units::QUATERNION,
        Output::Velocity(..) | Output::MeasuredVelocity(..) => units::VELOCITY,
        Output::AngularVelocity(..) | Output::MeasuredAngularVelocity(..) => {
            units::ANGULAR_VELOCITY
        }
        Output::ReactionForce(..) => units::FORCE,
        Output::ReactionTorque(..) => units::TORQUE,
        Output::MeasuredDistance(_) => units::LENGTH,
    }
}

/// What an output is, in words.
pub(super) fn output_text(words: &Words, output: Output) -> Text {
    let vector = |what: &str, i: usize| Text::new(format!("{what} {}", words.component(AXES, i)));
    let quaternion = |what: &str, i: usize| {
        Text::new(format!(
            "{what}, {} {} of the quaternion",
            words.number("component", "components"),
            words.component(QUATERNION, i)
        ))
    };
    match output {
        Output::Position(_, i) => vector("Position", i)
            .at("body origin")
            .in_axes("world axes"),
        Output::Orientation(_, i) => quaternion("Orientation", i).in_axes("body to world axes"),
        Output::Velocity(_, i) => vector("Velocity along", i)
            .at("body origin")
            .in_axes("world axes"),
        Output::AngularVelocity(_, i) => {
            vector("Angular velocity of the body about", i).in_axes("body axes")
        }
        Output::ReactionForce(_, i) => vector("Force of the joint on its child along", i)
            .at("joint frame of the child")
            .in_axes("world axes"),
        Output::ReactionTorque(_, i) => vector("Torque of the joint on its child about", i)
            .at("joint frame of the child")
            .in_axes("world axes"),
        Output::MeasuredPosition(m, i) => {
            let [from, to] = ends(words.scene, m);
            vector(&format!("Position of {to} relative to {from},"), i)
                .in_axes("axes of the first frame")
        }
        Output::MeasuredOrientation(m, i) => {
            let [from, to] = ends(words.scene, m);
            quaternion(&format!("Orientation of {to} relative to {from}"), i)
                .in_axes("second to first frame axes")
        }
        Output::MeasuredVelocity(m, i) => {
            let [from, to] = ends(words.scene, m);
            vector(&format!("Velocity of {to} relative to {from} along"), i)
                .in_axes("axes of the first frame")
        }
        Output::MeasuredAngularVelocity(m, i) => {
            let [from, to] = ends(words.scene, m);
            vector(
                &format!("Angular velocity of {to} relative to {from} about"),
                i,
            )
            .in_axes("axes of the first frame")
        }
        Output::MeasuredDistance(m) => {
            let [from, to] = ends(words.scene, m);
            Text::new(format!("Distance between {from} and {to}"))
        }
    }
}

/// Both frames of a measurement: `the frame in ball`, `the frame in the world`.
fn ends(scene: &Scene, measurement: MeasurementId) -> [String; 2] {
    let frames = &scene.measurements()[measurement].frames;
    [&frames[0], &frames[1]].map(|(body, _)| match body {
        Some(body) => format!("the frame in {}", scene.bodies()[*body].name),
        None => "the frame in the world".into(),
    })
}
