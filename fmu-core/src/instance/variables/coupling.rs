//! Texts and types of inputs, and of outputs beside states and contact.

use super::words::{AXES, QUATERNION, Text, Words, axes};
use contact_laws::index::MeasurementId;
use contact_laws::quantity::units::{self, DeclaredType};
use contact_model::scene::outputs::{Output, OutputShape, Owner};
use contact_model::scene::{Input, Scene};

/// Entries of a rotation matrix, row by row.
const MATRIX: &[&str] = &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];

/// Type of an input.
pub(super) fn input_type(scene: &Scene, input: Input) -> DeclaredType {
    match input {
        Input::Position(..) => units::POSITION,
        Input::Orientation(..) => units::QUATERNION,
        Input::Rotation(..) | Input::Latch(_) => units::COEFFICIENT,
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
        Input::Latch(_) => Text::scalar("Command of the latch: above 0.5 to be closed, else open"),
    }
}

/// What an output is, in words.
pub(super) fn output_text(words: &Words, output: Output) -> Text {
    let row = output.item.row();
    let what = match output.owner {
        Owner::Measurement(m) => {
            let [from, to] = ends(words.scene, m);
            row.text.replace("{from}", &from).replace("{to}", &to)
        }
        Owner::Body(_) | Owner::Joint(_) | Owner::Latch(_) => row.text.to_owned(),
    };
    let what = match row.shape {
        OutputShape::Scalar => what,
        OutputShape::Vector => format!("{what} {}", words.component(AXES, output.index)),
        OutputShape::Quaternion => format!(
            "{what}, {} {} of the quaternion",
            words.number("component", "components"),
            words.component(QUATERNION, output.index)
        ),
    };
    Text::new(what).at(row.point).in_axes(row.axes)
}

/// Both frames of a measurement: `the frame in ball`, `the frame in the world`.
fn ends(scene: &Scene, measurement: MeasurementId) -> [String; 2] {
    let frames = &scene.measurements()[measurement].frames;
    [&frames[0], &frames[1]].map(|(body, _)| match body {
        Some(body) => format!("the frame in {}", scene.bodies()[*body].name),
        None => "the frame in the world".into(),
    })
}
