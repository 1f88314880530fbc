//! Joints between bodies, as plain data.
//!
//! A joint has a frame on its parent and one on its child; its coordinates give the pose of the
//! child's frame in the parent's. If all coordinates are zero both frames coincide.

use super::frame::{FRAME, LocalFrame, ORIENTATION, POSITION, ROTATION};
use super::joint_kind::JointKind;
use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Keyword, Range, Value, units};
use serde::{Deserialize, Serialize};

/// A joint. The child's pose follows from the parent's and from the coordinates of the joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointDescription {
    /// Unique name; no body has it.
    pub name: String,
    /// Which motions it leaves.
    pub kind: JointKind,
    /// Name of the parent body; none for the world.
    pub parent: Option<String>,
    /// Name of the child body, whose motion is `joint`; a body is the child of one joint.
    pub child: String,
    /// The joint's frame in the parent's body frame.
    pub parent_frame: LocalFrame,
    /// The joint's frame in the child's body frame.
    pub child_frame: LocalFrame,
    /// Axis in the joint's frames, not zero; made unit. The first axis of a universal joint, the
    /// normal of a planar one; without meaning where [`JointKind::axis_count`] is 0.
    pub axis: [f64; 3],
    /// Second axis of a universal joint, or first direction of a planar one, at right angles to
    /// `axis`; without meaning where [`JointKind::axis_count`] is below 2.
    pub second_axis: [f64; 3],
    /// Displacement along the axis for each turn about it [m], not 0; positive if right-handed.
    /// Without meaning unless [`JointKind::has_pitch`].
    pub pitch: f64,
    /// Coordinates at start, as many as [`JointKind::position_count`].
    pub positions: Vec<f64>,
    /// Rates at start, as many as [`JointKind::rate_count`].
    pub rates: Vec<f64>,
    /// What acts along each of [`JointKind::coordinates`].
    pub forces: Vec<CoordinateForces>,
    /// What acts in a spherical joint.
    pub ball: BallForces,
    /// Parent and child may touch; by kind unless given, see [`JointKind::may_collide`].
    pub can_collide: Option<bool>,
    /// Force and torque on the child are outputs.
    pub reaction: bool,
    /// The power of what acts along the coordinates is an output.
    pub power: bool,
}

impl Default for JointDescription {
    /// A fixed joint on the world.
    fn default() -> Self {
        JointDescription {
            name: String::new(),
            kind: JointKind::Fixed,
            parent: None,
            child: String::new(),
            parent_frame: LocalFrame::default(),
            child_frame: LocalFrame::default(),
            axis: [0.0, 0.0, 1.0],
            second_axis: [1.0, 0.0, 0.0],
            pitch: 0.0,
            positions: Vec::new(),
            rates: Vec::new(),
            forces: Vec::new(),
            ball: BallForces::default(),
            can_collide: None,
            reaction: false,
            power: false,
        }
    }
}

/// What acts along a coordinate q with rate v: force [N] along a displacement, torque [N.m] about
/// an angle, positive where it increases q.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CoordinateForces {
    /// Linear spring.
    pub spring: Option<JointSpring>,
    /// Viscous friction -damping v [N.s/m], [N.m.s/rad], >= 0.
    pub damping: f64,
    /// Coulomb friction.
    pub friction: Option<JointFriction>,
    /// End stops.
    pub stops: Option<JointStops>,
    /// A force or torque is an input.
    pub input: bool,
}

/// A linear spring: -stiffness (q - rest).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointSpring {
    /// Stiffness [N/m], [N.m/rad], >= 0.
    pub stiffness: f64,
    /// Coordinate at which it exerts nothing [m], [rad].
    pub rest: f64,
}

/// Coulomb friction, regularized: -limit v/reg(|v|, speed), with the limit from `speed` on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointFriction {
    /// Friction while sliding [N], [N.m], >= 0.
    pub limit: f64,
    /// Speed above which it has its full value [m/s], [rad/s], > 0.
    pub speed: f64,
}

/// End stops, compliant: a spring with the damping that gives the restitution exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointStops {
    /// Smallest coordinate before the stop is touched [m], [rad].
    pub lower: Option<f64>,
    /// Largest one [m], [rad]; above the lower one.
    pub upper: Option<f64>,
    /// Stiffness of a stop [N/m], [N.m/rad], > 0.
    pub stiffness: f64,
    /// Coefficient of restitution [1], 0..1.
    pub restitution: f64,
}

/// What acts in a spherical joint.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct BallForces {
    /// Viscous friction: torque -damping times the angular velocity [N.m.s/rad], >= 0.
    pub damping: f64,
    /// A torque on the child, in the axes of its joint frame, is an input; its negative acts on the
    /// parent.
    pub input: bool,
}

/// Pitch of a joint that has one.
pub const PITCH: Key = Key::new(
    "pitch",
    "Displacement per turn, positive for a right-handed thread; a screw must have it",
    Value::Number(units::LENGTH, Range::ANY),
    "\"5 mm\"",
);

/// `[[joint]]`, without what its coordinates have.
#[rustfmt::skip]
pub const JOINT: [Row<JointDescription>; 12] = [
    row::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores; no body has it", Value::Name, "\"hinge\""),
        |j, v| j.name = v.into()),
    row::own(Key::new("type", "Kind of the joint", Value::Word(JointKind::words), "\"revolute\"")),
    row::own(Key::new("parent", "Body that the joint hangs on, or \"world\"", Value::Name, "\"ground\"")),
    row::text(Key::new("child", "Body that the joint moves", Value::Name, "\"arm\""), |j, v| j.child = v.into()),
    row::own(Key::new("parent_frame", "Frame of the joint in the parent", Value::Table(|| FRAME.to_vec()), "")
        .unless("that of the parent")),
    row::own(Key::new("child_frame", "Frame of the joint in the child", Value::Table(|| FRAME.to_vec()), "")
        .unless("that of the child")),
    row::own(Key::new("axis", "Axis in the frames of the joint", Value::Numbers(units::DIRECTION, 3), "[0, 1, 0]")
        .unless("[0, 0, 1]")),
    row::own(Key::new("second_axis", "Second axis of a universal joint, first direction of a planar one, at right angles to axis",
        Value::Numbers(units::DIRECTION, 3), "[1, 0, 0]").unless("the coordinate axis after axis")),
    row::own(PITCH.unless("none")),
    row::own(Key::new("can_collide", "Parent and child may touch", Value::Flag, "true").unless("by type")),
    row::flag("reaction", "Force and torque on the child are outputs", |j, v| j.reaction = v),
    row::flag("power", "Power that its springs, dampers, friction, stops and inputs deliver to the bodies is an output", |j, v| j.power = v),
];

/// Keys of a joint that has no coordinates of one number each.
#[rustfmt::skip]
pub const BALL: [Key; 7] = [
    POSITION,
    ORIENTATION,
    ROTATION,
    Key::new("velocity", "Velocity of the child of a free joint at the start along", Value::Numbers(units::VELOCITY, 3), "[1, 0, 0]")
        .at("joint frame of the child, axes of the parent").unless("[0, 0, 0]"),
    Key::new("angular_velocity", "Angular velocity of the child of a spherical or free joint at the start about", Value::Numbers(units::ANGULAR_VELOCITY, 3), "[0, 0, 1]")
        .at("joint frame of the child").unless("[0, 0, 0]"),
    Key::new("damping", "Viscous damping coefficient of a spherical joint", Value::Number(units::ROTATIONAL_DAMPING, Range::NOT_NEGATIVE),
        "\"0.1 N.m.s/rad\"").unless("0"),
    Key::new("input", "A torque on the child of a spherical joint is an input", Value::Flag, "true").unless("false"),
];
