//! Outputs of bodies, joints and measurements: a row for each quantity, from which names, texts,
//! types and dependencies come. The formulas are in `dynamics/observed.rs`.
//!
//! The list is fixed when the scene is built; an index into it is the address of a value.

use crate::index::{BodyId, JointId, MeasurementId, OutputId, TiSlice, TiVec};
use crate::math::Pose;
use crate::quantity::{DeclaredType, units};
use crate::scene::description::{Motion, SceneDescription};
use crate::scene::elements::Body;
use crate::scene::joint::{Joint, pose};

/// One output that is neither a state nor about contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// What it is.
    pub item: OutputItem,
    /// Of what.
    pub owner: Owner,
    /// Component, from 0.
    pub index: usize,
}

/// What has an output. Indices are those of [`Scene`](crate::scene::Scene).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A body without states of its own.
    Body(BodyId),
    /// A joint.
    Joint(JointId),
    /// A measurement.
    Measurement(MeasurementId),
}

/// A quantity that is an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputItem {
    /// Position of the origin of a body, world axes [m].
    Position,
    /// Orientation (w, x, y, z) of a body, body to world.
    Orientation,
    /// Velocity of the origin of a body, world axes [m/s].
    Velocity,
    /// Angular velocity of a body, body axes [rad/s].
    AngularVelocity,
    /// Force of a joint on its child at the child's joint frame, world axes [N].
    ReactionForce,
    /// Torque of a joint on its child about the origin of the child's joint frame, world axes
    /// [N.m].
    ReactionTorque,
    /// Power that the forces along the coordinates of a joint deliver to its bodies: springs,
    /// friction, stops and inputs [W].
    Power,
    /// Position of the second frame of a measurement in the first one, its axes [m].
    MeasuredPosition,
    /// Its orientation (w, x, y, z), second to first frame.
    MeasuredOrientation,
    /// Time derivative of that position [m/s].
    MeasuredVelocity,
    /// Angular velocity of the second frame against the first one, axes of the first one [rad/s].
    MeasuredAngularVelocity,
    /// Distance of the origins of both frames [m].
    MeasuredDistance,
}

/// What is said of a quantity.
#[derive(Clone, Copy, Debug)]
pub struct OutputRow {
    /// The quantity.
    pub item: OutputItem,
    /// Which elements have it.
    presence: Presence,
    /// The last part of the name.
    key: &'static str,
    /// What it is, before the component; `{from}` and `{to}` are the frames of a measurement.
    pub text: &'static str,
    /// Its reference point; may be empty.
    pub point: &'static str,
    /// Its axes; may be empty.
    pub axes: &'static str,
    /// Its components.
    pub shape: OutputShape,
    /// Its type, with the unit.
    pub declared: DeclaredType,
    /// What it is computed from.
    pub reads: Reads,
}

/// Which elements of a scene have an output.
#[derive(Clone, Copy, Debug)]
enum Presence {
    /// Bodies that joints or motions move.
    Bodies,
    /// These joints.
    Joints(fn(&Joint) -> bool),
    /// All measurements.
    Measurements,
}

/// Components of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputShape {
    /// One number.
    Scalar,
    /// x, y, z.
    Vector,
    /// w, x, y, z.
    Quaternion,
}

/// What an output is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Where the bodies of its owner are.
    Poses,
    /// Where they are and how they move.
    Twists,
    /// The accelerations of its tree, and so all forces in it.
    Accelerations,
    /// The forces along the coordinates of its joint, and the rates of these.
    JointForces,
}

/// All quantities, in the order of [`OutputItem`]. Those of one owner follow each other as in the
/// list of variables.
#[rustfmt::skip]
static ROWS: [OutputRow; 12] = {
    use OutputItem as I;
    use OutputShape::{Quaternion, Scalar, Vector};
    use Presence::{Bodies, Joints, Measurements};
    const ORIGIN: &str = "body origin";
    const JOINT: &str = "joint frame of the child";
    const WORLD: &str = "world axes";
    const FIRST: &str = "axes of the first frame";
    [
        row(I::Position, Bodies, "position", "Position", [ORIGIN, WORLD],
            Vector, units::POSITION, Reads::Poses),
        row(I::Orientation, Bodies, "orientation", "Orientation", ["", "body to world axes"],
            Quaternion, units::QUATERNION, Reads::Poses),
        row(I::Velocity, Bodies, "velocity", "Velocity along", [ORIGIN, WORLD],
            Vector, units::VELOCITY, Reads::Twists),
        row(I::AngularVelocity, Bodies, "angular_velocity", "Angular velocity of the body about",
            ["", "body axes"], Vector, units::ANGULAR_VELOCITY, Reads::Twists),
        row(I::ReactionForce, Joints(|joint| joint.reaction), "reaction_force",
            "Force of the joint on its child along", [JOINT, WORLD],
            Vector, units::FORCE, Reads::Accelerations),
        row(I::ReactionTorque, Joints(|joint| joint.reaction), "reaction_torque",
            "Torque of the joint on its child about", [JOINT, WORLD],
            Vector, units::TORQUE, Reads::Accelerations),
        row(I::Power, Joints(|joint| joint.power), "power",
            "Power of springs, dampers, friction, stops and inputs of the joint, positive if they drive its bodies",
            ["", ""], Scalar, units::POWER, Reads::JointForces),
        row(I::MeasuredPosition, Measurements, "position", "Position of {to} relative to {from},",
            ["", FIRST], Vector, units::POSITION, Reads::Poses),
        row(I::MeasuredOrientation, Measurements, "orientation", "Orientation of {to} relative to {from}",
            ["", "second to first frame axes"], Quaternion, units::QUATERNION, Reads::Poses),
        row(I::MeasuredVelocity, Measurements, "velocity", "Velocity of {to} relative to {from} along",
            ["", FIRST], Vector, units::VELOCITY, Reads::Twists),
        row(I::MeasuredAngularVelocity, Measurements, "angular_velocity",
            "Angular velocity of {to} relative to {from} about", ["", FIRST],
            Vector, units::ANGULAR_VELOCITY, Reads::Twists),
        row(I::MeasuredDistance, Measurements, "distance", "Distance between {from} and {to}", ["", ""],
            Scalar, units::LENGTH, Reads::Poses),
    ]
};

#[expect(clippy::too_many_arguments, reason = "the columns of the table")]
const fn row(
    item: OutputItem,
    presence: Presence,
    key: &'static str,
    text: &'static str,
    [point, axes]: [&'static str; 2],
    shape: OutputShape,
    declared: DeclaredType,
    reads: Reads,
) -> OutputRow {
    OutputRow {
        item,
        presence,
        key,
        text,
        point,
        axes,
        shape,
        declared,
        reads,
    }
}

impl OutputItem {
    /// What is said of it.
    pub fn row(self) -> &'static OutputRow {
        &ROWS[self as usize]
    }
}

impl Output {
    /// Index in the vector that the output is an element of, from 0; none for a scalar.
    pub fn component(self) -> Option<usize> {
        (self.item.row().shape != OutputShape::Scalar).then_some(self.index)
    }

    /// Name, structured as importers see it: `link.position[1]`,
    /// `hinge.reaction_force[2]`, `measure.tip.distance`.
    pub(super) fn name(
        self,
        bodies: &TiSlice<BodyId, Body>,
        joints: &TiSlice<JointId, Joint>,
        measurements: &TiSlice<MeasurementId, Measurement>,
    ) -> String {
        let (prefix, owner) = match self.owner {
            Owner::Body(b) => ("", &bodies[b].name),
            Owner::Joint(j) => ("", &joints[j].name),
            Owner::Measurement(m) => ("measure.", &measurements[m].name),
        };
        let component = self.component().map(|i| format!("[{}]", i + 1));
        let key = self.item.row().key;
        format!("{prefix}{owner}.{key}{}", component.unwrap_or_default())
    }
}

/// The motion of one frame relative to another, as outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Unique name.
    pub name: String,
    /// From this frame to the other: body, none for the world, and pose in it.
    pub frames: [(Option<BodyId>, Pose); 2],
}

pub(super) fn measurements(description: &SceneDescription) -> TiVec<MeasurementId, Measurement> {
    let index = |name: &String| description.body_id(name);
    let given = description.measurements.iter();
    given
        .map(|given| Measurement {
            name: given.name.clone(),
            frames: [&given.from, &given.to].map(|end| {
                let body = end.body.as_ref().and_then(index);
                (body, pose(&end.frame))
            }),
        })
        .collect()
}

/// Outputs of a scene beside states and contact, in the order of its bodies, joints and
/// measurements.
pub(super) fn outputs(
    bodies: &TiSlice<BodyId, Body>,
    joints: &TiSlice<JointId, Joint>,
    measurements: &TiSlice<MeasurementId, Measurement>,
) -> TiVec<OutputId, Output> {
    let mut list = TiVec::new();
    let mut push = |owner: Owner, has: &dyn Fn(&Presence) -> bool| {
        for row in ROWS.iter().filter(|row| has(&row.presence)) {
            let count = match row.shape {
                OutputShape::Scalar => 1,
                OutputShape::Vector => 3,
                OutputShape::Quaternion => 4,
            };
            list.extend((0..count).map(|index| Output {
                item: row.item,
                owner,
                index,
            }));
        }
    };
    for (b, body) in bodies.iter_enumerated() {
        if matches!(body.motion, Motion::Joint | Motion::Prescribed) {
            push(Owner::Body(b), &|has| matches!(has, Presence::Bodies));
        }
    }
    for (j, joint) in joints.iter_enumerated() {
        let has = |has: &Presence| matches!(has, Presence::Joints(has) if has(joint));
        push(Owner::Joint(j), &has);
    }
    for m in measurements.keys() {
        let has = |has: &Presence| matches!(has, Presence::Measurements);
        push(Owner::Measurement(m), &has);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_quantity_has_its_row() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.item as usize, index);
        }
    }
}
