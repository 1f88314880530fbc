//! Outputs of bodies, joints and measurements: a row for each quantity, from which names, texts,
//! types and dependencies come. The formulas are in `dynamics/outputs.rs`.
//!
//! The list is fixed when the scene is built; an index into it is the address of a value.
//!
//! # Inputs of a scene: of driven bodies, forces and joints
//!
//! The list is fixed when the scene is built; an index into it is the address of a value.

use crate::scene::description::{CloseFrom, SceneDescription, TriggerDescription};
use crate::scene::elements::Body;
use crate::scene::joint::{Joint, Latch, pose};
use crate::scene::parameter::Address;
use contact_geometry::math::{Pose, Real};
use contact_laws::index::{
    BodyId, ForceId, JointId, LatchId, MeasurementId, OutputId, TiSlice, TiVec, TriggerId,
};
use contact_laws::quantity::{DeclaredType, units};

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
    /// A latch.
    Latch(LatchId),
    /// A trigger.
    Trigger(TriggerId),
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
    /// The last impulse without duration of contacts on a driven body [N.s].
    Impulse,
    /// Its moment about the origin of the body [N.m.s].
    ImpulseMoment,
    /// When it was [s].
    ImpulseTime,
    /// A latch is closed (1) or open (0).
    Closed,
    /// The last impulse of a latch on the child of its joint [N.s].
    LatchImpulse,
    /// Its moment about the origin of the joint frame of the child [N.m.s].
    LatchMoment,
    /// A trigger is on: a truth value.
    On,
}

/// What is said of a quantity.
#[derive(Clone, Copy, Debug)]
pub struct OutputRow {
    /// The quantity.
    pub item: OutputItem,
    /// Which elements have it.
    pub(super) presence: Presence,
    /// The last part of the name.
    pub(super) key: &'static str,
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
pub(super) enum Presence {
    /// Bodies that joints or motions move.
    Bodies,
    /// These joints.
    Joints(fn(&Joint) -> bool),
    /// All measurements.
    Measurements,
    /// Driven bodies, where contacts have impulses.
    Driven,
    /// All latches.
    Latches,
    /// All triggers.
    Triggers,
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
    /// What the ledger has of impulses, latches and triggers, which changes at events only.
    Ledger,
}

/// All quantities, in the order of [`OutputItem`]. Those of one owner follow each other as in the
/// list of variables.
#[rustfmt::skip]
pub(super) static ROWS: [OutputRow; 19] = {
    use OutputItem as I;
    use OutputShape::{Quaternion, Scalar, Vector};
    use Presence::{Bodies, Driven, Joints, Latches, Measurements, Triggers};
    const ORIGIN: &str = "body origin";
    const JOINT: &str = "joint frame of the child";
    const WORLD: &str = "world axes";
    const FIRST: &str = "axes of the first frame";
    const FORCE: &str = "axes of contact_force";
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
        row(I::Impulse, Driven, "impulse", "Impulses of contacts since the last communication point, in Model Exchange since the start, along", [ORIGIN, FORCE],
            Vector, units::IMPULSE, Reads::Ledger),
        row(I::ImpulseMoment, Driven, "impulse_moment", "Moment of the impulses of contacts since the last communication point, in Model Exchange since the start, about", [ORIGIN, FORCE],
            Vector, units::ANGULAR_IMPULSE, Reads::Ledger),
        row(I::ImpulseTime, Driven, "impulse_time", "Time of the last impulse of contacts, 0 before the first", ["", ""],
            Scalar, units::TIME, Reads::Ledger),
        row(I::Closed, Latches, "closed", "1 if the latch is closed, 0 if it is open", ["", ""],
            Scalar, units::COEFFICIENT, Reads::Ledger),
        row(I::LatchImpulse, Latches, "impulse", "Last impulse of the latch on the child of its joint along", [JOINT, WORLD],
            Vector, units::IMPULSE, Reads::Ledger),
        row(I::LatchMoment, Latches, "moment", "Moment of the last impulse of the latch on the child of its joint about",
            [JOINT, WORLD], Vector, units::ANGULAR_IMPULSE, Reads::Ledger),
        row(I::On, Triggers, "on", "The trigger is on", ["", ""], Scalar, units::COEFFICIENT, Reads::Ledger),
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
    /// Returns true if the value changes at events only.
    pub fn is_discrete(self) -> bool {
        self.item.row().reads == Reads::Ledger
    }

    /// Returns true if the value is a truth value.
    pub fn is_boolean(self) -> bool {
        self.item == OutputItem::On
    }

    /// Index in the vector that the output is an element of, from 0; none for a scalar.
    pub fn component(self) -> Option<usize> {
        (self.item.row().shape != OutputShape::Scalar).then_some(self.index)
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

/// A truth value that switches where an output comes to a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// Its name and numbers.
    pub given: TriggerDescription,
    /// The output.
    pub watched: WatchedOutput,
    /// Bodies whose motion it shows.
    pub(crate) bodies: Vec<BodyId>,
}

/// The output that a trigger watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchedOutput {
    /// A state.
    State(usize),
    /// One of [`Scene::outputs`](crate::scene::Scene::outputs).
    Output(OutputId),
}

impl Trigger {
    /// Event indicator where the output has a value: positive until the trigger switches.
    pub(crate) fn indicator<T: Real>(&self, output: T, is_on: bool) -> T {
        let given = &self.given;
        let beyond = match given.from {
            CloseFrom::Below => output - given.value,
            CloseFrom::Above => -(output - given.value),
        };
        match is_on {
            true => beyond + given.hysteresis,
            false => -beyond,
        }
    }
}

/// Meaning of one input. Indices are those of [`Scene`](crate::scene::Scene), the last one is a
/// component from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Position of the origin of a driven body, world axes [m].
    Position(BodyId, usize),
    /// Orientation (w, x, y, z) of a driven body, body to world.
    Orientation(BodyId, usize),
    /// Entry of the rotation matrix of a driven body, body to world, row by row.
    Rotation(BodyId, usize),
    /// Velocity of the origin of a driven body, world axes [m/s].
    Velocity(BodyId, usize),
    /// Angular velocity of a driven body, body axes [rad/s].
    AngularVelocity(BodyId, usize),
    /// Force, in the axes that the scene states for it [N].
    Force(ForceId, usize),
    /// Torque, in the same axes [N.m].
    Torque(ForceId, usize),
    /// Force [N] or torque [N.m] along a coordinate of a joint.
    Joint(JointId, usize),
    /// Torque on the child of a spherical joint, in the axes of its joint frame [N.m].
    BallTorque(JointId, usize),
    /// Command of a latch: above 0.5 it is to be closed, else open.
    Latch(LatchId),
    /// A parameter, which acts through the [`Parameters`](crate::scene::Parameters) of the model.
    Parameter(Address),
}

impl Input {
    /// Index in the vector or matrix that the input is an element of, from 0; none for a scalar.
    pub fn component(self) -> Option<usize> {
        match self {
            Input::Joint(..) | Input::Latch(_) => None,
            Input::Parameter(address) => address.component(),
            Input::Position(_, i)
            | Input::Orientation(_, i)
            | Input::Rotation(_, i)
            | Input::Velocity(_, i)
            | Input::AngularVelocity(_, i)
            | Input::Force(_, i)
            | Input::Torque(_, i)
            | Input::BallTorque(_, i) => Some(i),
        }
    }

    /// Number of columns of the matrix that the input is an entry of, row by row; none elsewhere.
    pub fn columns(self) -> Option<usize> {
        matches!(self, Input::Rotation(..)).then_some(3)
    }

    /// The driven body that the input moves; none for a force.
    pub fn driven_body(self) -> Option<BodyId> {
        match self {
            Input::Position(body, _)
            | Input::Orientation(body, _)
            | Input::Rotation(body, _)
            | Input::Velocity(body, _)
            | Input::AngularVelocity(body, _) => Some(body),
            _ => None,
        }
    }

    /// Returns true if the value has an effect at events only.
    pub fn is_discrete(self) -> bool {
        matches!(self, Input::Latch(_))
    }

    /// Value until it is set: pose and velocities of a driven body at start, no force, a latch as it
    /// is at start.
    pub(super) fn start(
        self,
        bodies: &TiSlice<BodyId, Body>,
        latches: &TiSlice<LatchId, Latch>,
    ) -> f64 {
        let body = |b: BodyId| &bodies[b];
        match self {
            Input::Position(b, i) => body(b).position[i],
            Input::Orientation(b, i) => body(b).orientation[i],
            Input::Rotation(b, i) => body(b).given_pose().rotation[(i / 3, i % 3)],
            Input::Velocity(b, i) => body(b).velocity[i],
            Input::AngularVelocity(b, i) => body(b).angular_velocity[i],
            Input::Latch(l) if latches[l].starts_closed => 1.0,
            _ => 0.0,
        }
    }
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
