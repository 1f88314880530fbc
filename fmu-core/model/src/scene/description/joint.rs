//! Joints between bodies, as plain data.
//!
//! A joint has a frame on its parent and one on its child; its coordinates give the pose of the
//! child's frame in the parent's. If all coordinates are zero both frames coincide.
//!
//! # Kinds of joints
//!
//! A row for each, from which everything about a kind follows.
//!
//! The position states of a joint are coordinates of one number each, or end with a quaternion.
//! Each coordinate moves the child's frame along or about an axis; the motions follow each other
//! in the order of the list. [`Joint::transform`](crate::scene::Joint::transform) has the formulas.

use super::form::{FRAME, LocalFrame, ORIENTATION, POSITION, ROTATION};
use contact_laws::quantity;
use contact_laws::quantity::{DeclaredType, Key, Keyword, Range, Row, Value, units};
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
    quantity::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores; no body has it", Value::Name, "\"hinge\""),
        |j, v| j.name = v.into()),
    quantity::own(Key::new("type", "Kind of the joint", Value::Word(JointKind::words), "\"revolute\"")),
    quantity::own(Key::new("parent", "Body that the joint hangs on, or \"world\"", Value::Name, "\"ground\"")),
    quantity::text(Key::new("child", "Body that the joint moves", Value::Name, "\"arm\""), |j, v| j.child = v.into()),
    quantity::own(Key::new("parent_frame", "Frame of the joint in the parent", Value::Table(|| FRAME.to_vec()), "")
        .unless("that of the parent")),
    quantity::own(Key::new("child_frame", "Frame of the joint in the child", Value::Table(|| FRAME.to_vec()), "")
        .unless("that of the child")),
    quantity::own(Key::new("axis", "Axis in the frames of the joint", Value::Numbers(units::DIRECTION, 3), "[0, 1, 0]")
        .unless("[0, 0, 1]")),
    quantity::own(Key::new("second_axis", "Second axis of a universal joint, first direction of a planar one, at right angles to axis",
        Value::Numbers(units::DIRECTION, 3), "[1, 0, 0]").unless("the coordinate axis after axis")),
    quantity::own(PITCH.unless("none")),
    quantity::own(Key::new("can_collide", "Parent and child may touch", Value::Flag, "true").unless("by type")),
    quantity::flag("reaction", "Force and torque on the child are outputs", |j, v| j.reaction = v),
    quantity::flag("power", "Power that its springs, dampers, friction, stops and inputs deliver to the bodies is an output", |j, v| j.power = v),
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

/// Which motions a joint leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// None.
    Fixed,
    /// Turning about the axis.
    Revolute,
    /// Sliding along the axis.
    Prismatic,
    /// Sliding along the axis and turning about it.
    Cylindrical,
    /// Turning about the axis, which the parent carries, then about the second one, which the child
    /// carries.
    Universal,
    /// Turning about a point.
    Spherical,
    /// Sliding in the plane at right angles to the axis and turning about it.
    Planar,
    /// All six.
    Free,
    /// Turning about the axis and sliding along it by the pitch for each turn.
    Screw,
}

/// What is said of a kind.
#[derive(Clone, Copy, Debug)]
pub struct JointKindRow {
    /// The kind.
    pub kind: JointKind,
    /// The word that a scene file gives it.
    pub key: &'static str,
    /// Its position states.
    pub freedom: Freedom,
}

/// The position states of a kind, and the motions that they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Coordinates of one number each, in the order of the states; their rates are the velocity
    /// states.
    Coordinates(&'static [Coordinate]),
    /// Orientation of the child (w, x, y, z). Velocity states are the angular velocity of the child
    /// against the parent in child axes [rad/s].
    Quaternion {
        /// The position comes before it [m], and the velocity before the angular velocity [m/s];
        /// parent axes.
        with_position: bool,
    },
}

/// A coordinate of a joint that is one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// The key that a scene file gives it, and the last part of the state's name.
    pub key: &'static str,
    /// The last part of the name of its rate.
    pub(crate) rate_key: &'static str,
    /// The last part of the name of a force or torque along it.
    pub force_key: &'static str,
    /// Words that follow `Angle` or `Displacement`.
    pub place: &'static str,
    /// Along or about which axis of the joint it moves the child.
    pub axis: JointAxis,
    /// How it moves the child.
    pub motion: CoordinateMotion,
}

/// An axis of a joint, by its index among [`Joint::axes`](crate::scene::Joint::axes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointAxis {
    /// `axis`.
    First = 0,
    /// `second_axis`.
    Second = 1,
    /// `axis` x `second_axis`.
    Cross = 2,
}

/// How a coordinate moves the child. The axes of slides are carried by the parent, and so is that
/// of a turn if nothing else is said; a kind has one turn of these at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateMotion {
    /// It slides the child along the axis [m].
    Slide,
    /// It turns the child about the axis [rad].
    Turn,
    /// It turns the child about an axis that the child carries [rad]; the last motion of its kind.
    TurnOnChild,
    /// It turns the child about the axis [rad] and slides it along by the pitch of the joint for
    /// each turn.
    Screw,
}

const DISPLACEMENT: Coordinate = Coordinate {
    key: "displacement",
    rate_key: "velocity",
    force_key: "force",
    place: "along the axis of the joint",
    axis: JointAxis::First,
    motion: CoordinateMotion::Slide,
};
const DISPLACEMENT_1: Coordinate = Coordinate {
    key: "displacement_1",
    rate_key: "velocity_1",
    force_key: "force_1",
    place: "along the first direction of the plane of the joint",
    axis: JointAxis::Second,
    motion: CoordinateMotion::Slide,
};
const DISPLACEMENT_2: Coordinate = Coordinate {
    key: "displacement_2",
    rate_key: "velocity_2",
    force_key: "force_2",
    place: "along the second direction of the plane of the joint",
    axis: JointAxis::Cross,
    motion: CoordinateMotion::Slide,
};
const ANGLE: Coordinate = Coordinate {
    key: "angle",
    rate_key: "angular_velocity",
    force_key: "torque",
    place: "about the axis of the joint",
    axis: JointAxis::First,
    motion: CoordinateMotion::Turn,
};
const ANGLE_1: Coordinate = Coordinate {
    key: "angle_1",
    rate_key: "angular_velocity_1",
    force_key: "torque_1",
    place: "about the first axis of the joint",
    axis: JointAxis::First,
    motion: CoordinateMotion::Turn,
};
const ANGLE_2: Coordinate = Coordinate {
    key: "angle_2",
    rate_key: "angular_velocity_2",
    force_key: "torque_2",
    place: "about the second axis of the joint",
    axis: JointAxis::Second,
    motion: CoordinateMotion::TurnOnChild,
};

/// All kinds, in the order of [`JointKind`].
#[rustfmt::skip]
static ROWS: [JointKindRow; 9] = [
    row(JointKind::Fixed, "fixed", Freedom::Coordinates(&[])),
    row(JointKind::Revolute, "revolute", Freedom::Coordinates(&[ANGLE])),
    row(JointKind::Prismatic, "prismatic", Freedom::Coordinates(&[DISPLACEMENT])),
    row(JointKind::Cylindrical, "cylindrical", Freedom::Coordinates(&[DISPLACEMENT, ANGLE])),
    row(JointKind::Universal, "universal", Freedom::Coordinates(&[ANGLE_1, ANGLE_2])),
    row(JointKind::Spherical, "spherical", Freedom::Quaternion { with_position: false }),
    row(JointKind::Planar, "planar", Freedom::Coordinates(&[DISPLACEMENT_1, DISPLACEMENT_2, ANGLE])),
    row(JointKind::Free, "free", Freedom::Quaternion { with_position: true }),
    row(JointKind::Screw, "screw", Freedom::Coordinates(&[Coordinate { motion: CoordinateMotion::Screw, ..ANGLE }])),
];

const fn row(kind: JointKind, key: &'static str, freedom: Freedom) -> JointKindRow {
    JointKindRow { kind, key, freedom }
}

impl Coordinate {
    /// Returns true if it is an angle [rad]; a displacement [m] otherwise.
    #[inline(always)]
    pub fn is_angle(&self) -> bool {
        self.motion != CoordinateMotion::Slide
    }

    /// Returns true if it slides the child.
    #[inline(always)]
    pub(crate) fn slides(&self) -> bool {
        matches!(
            self.motion,
            CoordinateMotion::Slide | CoordinateMotion::Screw
        )
    }
}

impl Keyword for JointKind {
    const WORDS: &'static [(&'static str, Self)] = &{
        let mut words = [("", JointKind::Fixed); ROWS.len()];
        let mut i = 0;
        while i < words.len() {
            words[i] = (ROWS[i].key, ROWS[i].kind);
            i += 1;
        }
        words
    };
}

impl JointKind {
    /// All kinds.
    pub const ALL: [JointKind; ROWS.len()] = {
        let mut all = [JointKind::Fixed; ROWS.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] = ROWS[i].kind;
            i += 1;
        }
        all
    };

    /// What is said of it.
    #[inline(always)]
    pub fn row(self) -> &'static JointKindRow {
        &ROWS[self as usize]
    }

    /// Coordinates that are one number each, in the order of the states; none if the
    /// coordinates hold a quaternion.
    #[inline(always)]
    pub fn coordinates(self) -> &'static [Coordinate] {
        match self.row().freedom {
            Freedom::Coordinates(list) => list,
            Freedom::Quaternion { .. } => &[],
        }
    }

    /// The coordinates of all kinds, each key once.
    pub fn all_coordinates() -> impl Iterator<Item = &'static Coordinate> {
        let all = || ROWS.iter().flat_map(|row| row.kind.coordinates());
        let first = move |key| all().position(|c| c.key == key);
        let listed = all().enumerate();
        listed.filter_map(move |(index, c)| (first(c.key) == Some(index)).then_some(c))
    }

    /// Index among the position states of the first component of a quaternion, if it has one.
    #[inline(always)]
    pub fn quaternion(self) -> Option<usize> {
        match self.row().freedom {
            Freedom::Coordinates(_) => None,
            Freedom::Quaternion { with_position } => Some(if with_position { 3 } else { 0 }),
        }
    }

    /// How the position or velocity state of this index moves the child; each component of an
    /// orientation turns it.
    pub(crate) fn motion(self, index: usize) -> CoordinateMotion {
        match self.row().freedom {
            Freedom::Coordinates(list) => list[index].motion,
            Freedom::Quaternion { with_position } => match with_position && index < 3 {
                true => CoordinateMotion::Slide,
                false => CoordinateMotion::Turn,
            },
        }
    }

    /// Number of position states: the coordinates, or components of position and orientation.
    pub fn position_count(self) -> usize {
        self.quaternion()
            .map_or(self.coordinates().len(), |first| first + 4)
    }

    /// Number of velocity states, the degrees of freedom: rates of the coordinates, or components
    /// of velocity and angular velocity.
    pub fn rate_count(self) -> usize {
        self.quaternion()
            .map_or(self.coordinates().len(), |first| first + 3)
    }

    /// Returns true if it leaves all turns and no slide, so that it has
    /// [`BallForces`](super::BallForces).
    pub fn is_ball(self) -> bool {
        self.quaternion() == Some(0)
    }

    /// Returns true if it leaves all six motions, so that it exerts nothing.
    pub fn is_free(self) -> bool {
        self.quaternion() == Some(3)
    }

    /// Number of axes that a description must give it, `axis` first: 0, 1 or 2.
    pub fn axis_count(self) -> usize {
        let given = |c: &Coordinate| match c.axis {
            JointAxis::First => 1,
            JointAxis::Second | JointAxis::Cross => 2,
        };
        self.coordinates().iter().map(given).max().unwrap_or(0)
    }

    /// Returns true if a description must give it a pitch.
    pub fn has_pitch(self) -> bool {
        let mut coordinates = self.coordinates().iter();
        coordinates.any(|c| c.motion == CoordinateMotion::Screw)
    }

    /// Returns true if parent and child may touch unless the joint says so. If the joint holds a
    /// point of them together, because it leaves no slide, they overlap there by design.
    pub(crate) fn may_collide(self) -> bool {
        self.is_free() || self.coordinates().iter().any(Coordinate::slides)
    }
}

// Latches of joints, as plain data: which joint a latch holds, when it closes and when it opens.

/// A latch. Closed, it holds all coordinates of its joint where they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatchDescription {
    /// Unique name among latches.
    pub name: String,
    /// Name of the joint that it holds; a joint has one latch.
    pub joint: String,
    /// It is closed at start; unless given it is if nothing else closes it.
    pub closed: Option<bool>,
    /// Time at which it opens [s].
    pub open_time: Option<f64>,
    /// Time at which it closes [s].
    pub close_time: Option<f64>,
    /// An input commands it: above 0.5 it is to be closed, else open.
    pub input: bool,
    /// Value of a coordinate of the joint at which it closes [m] or [rad].
    pub close_at: Option<f64>,
    /// Key of that coordinate; the first one unless given.
    pub coordinate: Option<String>,
    /// The side from which the coordinate comes to that value.
    pub close_from: CloseFrom,
    /// Distance of the origins of both frames of the joint below which it closes [m], > 0.
    pub close_distance: Option<f64>,
    /// Impulse that drives the bodies apart where it opens, along the first coordinate of the joint
    /// [N.s] or [N.m.s], of a free joint along `release_direction`.
    pub release_impulse: f64,
    /// Direction of that impulse on the child of a free joint, axes of the parent's joint frame,
    /// not zero; made unit.
    pub release_direction: Option<[f64; 3]>,
}

impl Default for LatchDescription {
    /// A latch of no joint.
    fn default() -> Self {
        LatchDescription {
            name: String::new(),
            joint: String::new(),
            closed: None,
            open_time: None,
            close_time: None,
            input: false,
            close_at: None,
            coordinate: None,
            close_from: CloseFrom::Below,
            close_distance: None,
            release_impulse: 0.0,
            release_direction: None,
        }
    }
}

impl LatchDescription {
    /// Returns true if it is closed at start.
    pub fn starts_closed(&self) -> bool {
        let closes = self.close_time.is_some()
            || self.close_at.is_some()
            || self.close_distance.is_some()
            || self.input;
        self.closed.unwrap_or(!closes)
    }
}

/// The side from which a coordinate or an output comes to a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CloseFrom {
    /// It rises to the value.
    #[default]
    Below,
    /// It falls to the value.
    Above,
}

impl Keyword for CloseFrom {
    const WORDS: &'static [(&'static str, Self)] =
        &[("below", CloseFrom::Below), ("above", CloseFrom::Above)];
}

/// `[[latch]]`.
#[rustfmt::skip]
pub const LATCH: [Row<LatchDescription>; 12] = [
    quantity::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores", Value::Name, "\"separation\""),
        |l, v| l.name = v.into()),
    quantity::text(Key::new("joint", "Joint whose coordinates it holds while it is closed", Value::Name, "\"interstage\""),
        |l, v| l.joint = v.into()),
    quantity::own(Key::new("closed", "It is closed at start", Value::Flag, "true").unless("true if nothing else closes it")),
    quantity::number(Key::new("open_time", "Time at which it opens", Value::Number(units::TIME, Range::ANY), "\"12 s\"").unless("never"),
        |l| l.open_time, |l, v| l.open_time = Some(v)),
    quantity::number(Key::new("close_time", "Time at which it closes", Value::Number(units::TIME, Range::ANY), "\"2 s\"").unless("never"),
        |l| l.close_time, |l, v| l.close_time = Some(v)),
    quantity::flag("input", "An input commands it: above 0.5 it is to be closed, else open", |l, v| l.input = v),
    quantity::own(Key::new("close_at", "Value of a coordinate of the joint at which it closes",
        Value::Either(&[Value::Number(units::LENGTH, Range::ANY), Value::Number(units::ANGLE, Range::ANY)]), "\"30 deg\"").unless("none")),
    quantity::own(Key::new("coordinate", "Coordinate that close_at is a value of", Value::Name, "\"angle\"").unless("the first one of the joint")),
    quantity::word::<_, CloseFrom>("close_from", "Side from which the coordinate comes to close_at", "\"below\"",
        |l, v| l.close_from = CloseFrom::WORDS[v].1),
    quantity::number(Key::new("close_distance", "Distance of the origins of both frames of the joint below which it closes",
        Value::Number(units::LENGTH, Range::POSITIVE), "\"1 mm\"").unless("none"),
        |l| l.close_distance, |l, v| l.close_distance = Some(v)),
    quantity::own(Key::new("release_impulse", "Impulse on the child, and its negative on the parent, where it opens, along the first \
        coordinate of the joint, of an angle its moment", Value::Either(&[Value::Number(units::IMPULSE, Range::ANY), Value::Number(units::ANGULAR_IMPULSE, Range::ANY)]),
        "\"5 N.s\"").unless("0")),
    quantity::vector(Key::new("release_direction", "Direction of that impulse in a free joint", Value::Numbers(units::DIRECTION, 3), "[0, 0, 1]")
        .at("joint frame of the parent").unless("[1, 0, 0]"),
        |l| l.release_direction, |l, v| l.release_direction = Some(v)),
];

// Triggers, as plain data: which output is watched, and where it switches.

/// A trigger: a truth value that switches where an output comes to a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TriggerDescription {
    /// Unique name among triggers.
    pub name: String,
    /// Name of the output, as importers see it.
    pub output: String,
    /// Where it switches on, in the unit of the output.
    pub value: f64,
    /// How far the output is back from there where it switches off.
    pub hysteresis: f64,
    /// The side from which the output comes to the value.
    pub from: CloseFrom,
}

impl TriggerDescription {
    /// Type of the output, by the last part of its name; `None` if none that can be watched has such a name.
    pub fn declared(&self) -> Option<DeclaredType> {
        let (_, key) = self.output.rsplit_once('.')?;
        Some(
            match key.trim_end_matches(|c: char| !c.is_ascii_alphabetic()) {
                "position" | "displacement" | "distance" => units::LENGTH,
                "velocity" => units::VELOCITY,
                "angle" => units::ANGLE,
                "angular_velocity" => units::ANGULAR_VELOCITY,
                "orientation" => units::COEFFICIENT,
                _ => return None,
            },
        )
    }
}

/// Numbers in the unit of any output that a trigger watches: where it switches, and how far that is back.
const WATCHED: Value = Value::Either(&of_outputs(Range::ANY));
const BACK: Value = Value::Either(&of_outputs(Range::POSITIVE));

const fn of_outputs(range: Range) -> [Value; 5] {
    [
        Value::Number(units::LENGTH, range),
        Value::Number(units::VELOCITY, range),
        Value::Number(units::ANGLE, range),
        Value::Number(units::ANGULAR_VELOCITY, range),
        Value::Number(units::COEFFICIENT, range),
    ]
}

/// `[[trigger]]`.
#[rustfmt::skip]
pub const TRIGGER: [Row<TriggerDescription>; 5] = [
    quantity::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores", Value::Name, "\"gate\""),
        |t, v| t.name = v.into()),
    quantity::text(Key::new("output", "Output that it watches: a position or velocity of a body or a measurement, a coordinate or rate of a joint",
        Value::Text, "\"ball.position[1]\""), |t, v| t.output = v.into()),
    quantity::own(Key::new("value", "Where it switches on", WATCHED, "\"0.5 m\"")),
    quantity::own(Key::new("hysteresis", "How far the output has to go back from value until it switches off", BACK, "\"1 mm\"")),
    quantity::word::<_, CloseFrom>("from", "Side from which the output comes to value", "\"below\"",
        |t, v| t.from = CloseFrom::WORDS[v].1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_row_and_its_word() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.kind as usize, index);
            let others = ROWS.iter().filter(|other| other.key == row.key);
            assert_eq!(others.count(), 1, "{}", row.key);
        }
    }

    /// What the formulas of the motion take for granted.
    #[test]
    fn one_turn_at_most_is_about_an_axis_of_the_parent_and_one_of_the_child_comes_last() {
        for (_, kind) in JointKind::WORDS {
            let motions: Vec<_> = kind.coordinates().iter().map(|c| c.motion).collect();
            let on_parent = [CoordinateMotion::Turn, CoordinateMotion::Screw];
            let on_parent = motions.iter().filter(|motion| on_parent.contains(motion));
            assert!(on_parent.count() <= 1, "{kind:?}");
            let before = motions.iter().rev().skip(1);
            let early = before.filter(|motion| **motion == CoordinateMotion::TurnOnChild);
            assert_eq!(early.count(), 0, "{kind:?}");
        }
    }

    #[test]
    fn kinds_have_the_states_and_axes_of_the_page_of_the_format() {
        let counts = JointKind::WORDS.iter().map(|(word, kind)| {
            let states = [kind.position_count(), kind.rate_count()];
            (*word, states, kind.axis_count(), kind.may_collide())
        });
        let expected = [
            ("fixed", [0, 0], 0, false),
            ("revolute", [1, 1], 1, false),
            ("prismatic", [1, 1], 1, true),
            ("cylindrical", [2, 2], 1, true),
            ("universal", [2, 2], 2, false),
            ("spherical", [4, 3], 0, false),
            ("planar", [3, 3], 2, true),
            ("free", [7, 6], 0, true),
            ("screw", [1, 1], 1, true),
        ];
        assert_eq!(counts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn coordinates_of_several_kinds_are_listed_once() {
        let keys: Vec<&str> = JointKind::all_coordinates().map(|c| c.key).collect();
        let expected = [
            "angle",
            "displacement",
            "angle_1",
            "angle_2",
            "displacement_1",
            "displacement_2",
        ];
        assert_eq!(keys, expected);
    }
}
