//! Forces and torques on bodies that the scene prescribes over time, as plain data, and their keys.
//!
//! # Bodies whose motion is given
//!
//! By inputs, or over time by the scene. As plain data, and their keys.

use crate::scene::description::form::{FRAME, TURN};
use contact_laws::quantity;
use contact_laws::quantity::{Feeds, Key, Keyword, ParameterRow, Range, Row, Value, units};
use serde::{Deserialize, Serialize};
use std::slice::from_mut;

/// A force of a description: by the name of its body, with a table as it is given.
pub type ForceDescription = ForceOn<String, ForceTable>;

/// A force and a torque on a body, prescribed over time or inputs. Several on one body add up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceOn<B, T> {
    /// Unique name.
    pub name: String,
    /// The body, which forces must accelerate.
    pub body: B,
    /// Where the force acts, body frame [m]; it moves with the body.
    pub point: [f64; 3],
    /// Axes of force and torque.
    pub axes: ForceAxes,
    /// Force and torque over time.
    pub profile: ForceProfile<T>,
}

/// Axes in which a force is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ForceAxes {
    /// Fixed in the world.
    World,
    /// Turning with the body.
    Body,
}

/// A force and a torque over time; a table is as given, or a curve in a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ForceProfile<T = ForceTable> {
    /// Always the same.
    Constant(ForceVectors),
    /// amplitude sin(omega t + phase), t the time of the simulation.
    Sine {
        /// Largest values.
        amplitude: ForceVectors,
        /// Angular frequency omega [rad/s], > 0.
        angular_frequency: f64,
        /// Phase [rad].
        phase: f64,
    },
    /// Values at given times.
    Table(T),
    /// An input of the FMU.
    Input {
        /// The force is one.
        force: bool,
        /// The torque is one.
        torque: bool,
    },
}

/// A force and a torque; at least one is given, the other is zero.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ForceVectors {
    /// Force at the point [N].
    pub force: Option<[f64; 3]>,
    /// Torque beside that of the force [N.m]; the same about every point.
    pub torque: Option<[f64; 3]>,
}

impl ForceVectors {
    pub(crate) fn is_any(&self) -> bool {
        self.force.is_some() || self.torque.is_some()
    }
}

impl<T> ForceProfile<T> {
    /// The same with another table; `None` if there is none.
    pub fn with_table<U>(&self, make: impl FnOnce(&T) -> Option<U>) -> Option<ForceProfile<U>> {
        Some(match *self {
            ForceProfile::Constant(vectors) => ForceProfile::Constant(vectors),
            ForceProfile::Sine {
                amplitude,
                angular_frequency,
                phase,
            } => ForceProfile::Sine {
                amplitude,
                angular_frequency,
                phase,
            },
            ForceProfile::Table(ref table) => ForceProfile::Table(make(table)?),
            ForceProfile::Input { force, torque } => ForceProfile::Input { force, torque },
        })
    }
}

impl<T: 'static> ForceProfile<T> {
    /// Its parameters.
    #[rustfmt::skip]
    pub(crate) const PARAMETERS: [ParameterRow<Self>; 6] = [
        ParameterRow::new(&FORCE, Feeds::LOAD, |f| f.constant()?.force.as_mut().map(|v| &mut v[..])),
        ParameterRow::new(&Key { text: "Amplitude of the prescribed force along", ..FORCE }, Feeds::LOAD,
            |f| f.amplitude()?.force.as_mut().map(|v| &mut v[..])),
        ParameterRow::new(&TORQUE, Feeds::LOAD, |f| f.constant()?.torque.as_mut().map(|v| &mut v[..])),
        ParameterRow::new(&Key { text: "Amplitude of the prescribed torque about", ..TORQUE }, Feeds::LOAD,
            |f| f.amplitude()?.torque.as_mut().map(|v| &mut v[..])),
        ParameterRow::new(&ANGULAR_FREQUENCY, Feeds::LOAD,
            |f| match f { ForceProfile::Sine { angular_frequency, .. } => Some(from_mut(angular_frequency)), _ => None }),
        ParameterRow::new(&PHASE, Feeds::LOAD, |f| match f { ForceProfile::Sine { phase, .. } => Some(from_mut(phase)), _ => None }),
    ];

    fn constant(&mut self) -> Option<&mut ForceVectors> {
        match self {
            ForceProfile::Constant(vectors) => Some(vectors),
            _ => None,
        }
    }

    fn amplitude(&mut self) -> Option<&mut ForceVectors> {
        match self {
            ForceProfile::Sine { amplitude, .. } => Some(amplitude),
            _ => None,
        }
    }
}

/// Values of a force and a torque at given times; before the first and after the last time those
/// of that time hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceTable {
    /// Times [s], at least two, ascending.
    pub times: Vec<f64>,
    /// Forces at these times [N]; empty for none at all.
    pub forces: Vec<[f64; 3]>,
    /// Torques at these times [N.m]; empty for none at all.
    pub torques: Vec<[f64; 3]>,
    /// What holds between the times.
    pub interpolation: Interpolation,
}

/// What holds between the times of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Interpolation {
    /// Straight lines.
    Linear,
    /// Cubic spline.
    Spline,
    /// Steps of degree 5 that begin and end at rest, without acceleration.
    Quintic,
    /// Steps that begin and end at rest, with a constant slope in between.
    Trapezoid,
}

impl Keyword for ForceAxes {
    const WORDS: &'static [(&'static str, Self)] =
        &[("world", ForceAxes::World), ("body", ForceAxes::Body)];
}

impl Keyword for Interpolation {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("linear", Interpolation::Linear),
        ("spline", Interpolation::Spline),
        ("quintic", Interpolation::Quintic),
        ("trapezoid", Interpolation::Trapezoid),
    ];
}

/// Prescribed force, constant or its amplitude.
pub const FORCE: Key = Key::new(
    "force",
    "Prescribed force along",
    Value::Numbers(units::FORCE, 3),
    "[0, 0, \"5 N\"]",
)
.unless("[0, 0, 0]");
/// Prescribed torque, constant or its amplitude.
pub const TORQUE: Key = Key::new(
    "torque",
    "Prescribed torque about",
    Value::Numbers(units::TORQUE, 3),
    "[0, 0, \"20 N.mm\"]",
)
.unless("[0, 0, 0]");
/// Angular frequency of a sine.
pub const ANGULAR_FREQUENCY: Key = Key::new(
    "angular_frequency",
    "Angular frequency",
    Value::Number(units::ANGULAR_VELOCITY, Range::POSITIVE),
    "\"1 rad/s\"",
)
.unless("frequency");
/// Frequency of a sine.
pub const FREQUENCY: Key = Key::new(
    "frequency",
    "Frequency, in turns",
    Value::Number(units::FREQUENCY, Range::POSITIVE),
    "\"2 Hz\"",
)
.unless("angular_frequency");
/// Phase of a sine.
pub const PHASE: Key = Key::new(
    "phase",
    "Phase at time 0",
    Value::Number(units::ANGLE, Range::ANY),
    "\"90 deg\"",
)
.unless("0");
/// A force as a sine.
pub(crate) const SINE: [Key; 5] = [FORCE, TORQUE, FREQUENCY, ANGULAR_FREQUENCY, PHASE];
/// Times of a table.
pub const TIMES: Key = Key::new(
    "times",
    "Times, at least two, ascending",
    Value::List(&Value::Number(units::TIME, Range::ANY)),
    "[0, \"10 ms\", 1]",
);
/// What holds between the times of a table.
const INTERPOLATION: Key = Key::new(
    "interpolation",
    "What holds between the times",
    Value::Word(Interpolation::words),
    "",
)
.unless("\"linear\"");
/// A force as a table.
#[rustfmt::skip]
pub(crate) const TABLE: [Key; 4] = [
    TIMES,
    Key::new("force", "Forces at these times", Value::List(&Value::Numbers(units::FORCE, 3)), "[[0, 0, 0], [8, 0, 0], [5, 0, 0]]")
        .unless("zero"),
    Key::new("torque", "Torques at these times", Value::List(&Value::Numbers(units::TORQUE, 3)), "[[0, 0, 0], [0, 0, 1], [0, 0, 0]]")
        .unless("zero"),
    INTERPOLATION,
];

/// `[[force]]`; of the time profiles one must be there.
#[rustfmt::skip]
pub const FORCES: [Row<ForceDescription>; 9] = [
    quantity::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores", Value::Name, "\"thrust\""),
        |f, v| f.name = v.into()),
    quantity::text(Key::new("body", "The body it acts on: a free one, or the child of a joint", Value::Text, "\"ball\""),
        |f, v| f.body = v.into()),
    quantity::vector(
        Key::new("point", "Point where it acts", Value::Numbers(units::POSITION, 3), "[0, 0, \"10 cm\"]")
            .at("body frame").unless("the body origin"),
        |f| Some(f.point), |f, v| f.point = v,
    ),
    quantity::word::<_, ForceAxes>("axes", "Axes of force and torque", "\"world\"", |f, v| f.axes = ForceAxes::WORDS[v].1),
    quantity::own(FORCE),
    quantity::own(TORQUE),
    quantity::own(Key::new("sine", "Force and torque as a sine of time", Value::Table(|| SINE.to_vec()), "").unless("none")),
    quantity::own(Key::new("table", "Force and torque at given times", Value::Table(|| TABLE.to_vec()), "").unless("none")),
    quantity::own(Key::new("input", "Force, or what the list names, is an input", Value::Either(&[
        Value::Flag, Value::List(&Value::Word(|| vec!["force", "torque"])),
    ]), "true").unless("false")),
];

/// What the inputs and outputs of a driven body are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drive {
    /// Form of its orientation input.
    pub orientation: OrientationInput,
    /// Axes of the outputs contact force and contact torque.
    pub wrench_axes: ForceAxes,
}

impl Default for Drive {
    fn default() -> Self {
        Drive {
            orientation: OrientationInput::Quaternion,
            wrench_axes: ForceAxes::World,
        }
    }
}

/// Form of the orientation input of a driven body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrientationInput {
    /// Quaternion (w, x, y, z), body to world.
    Quaternion,
    /// Rotation matrix, body to world, row by row.
    Matrix,
}

/// The motion of a body whose `motion` is `prescribed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionDescription {
    /// Name of the body; one motion for each prescribed body.
    pub body: String,
    /// Motion over time.
    pub profile: MotionProfile,
    /// What a jump of its velocity does to what hangs on the body.
    pub jump: VelocityJump,
}

/// What happens where the velocity of a prescribed body jumps on which joints hang. Without joints
/// it does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VelocityJump {
    /// The scene is refused.
    #[default]
    Error,
    /// The joints transmit impulses.
    Impulse,
}

/// A motion over time t [s]. The origin moves by a displacement in world axes from the position of
/// the body; the body turns by an angle about an axis through its origin that keeps its direction
/// in the world, from the orientation of the body. A table is as given, or a curve in a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MotionProfile<T = MotionTable> {
    /// Constant velocity from the start time on.
    Constant {
        /// Velocity of the origin, world axes [m/s].
        velocity: [f64; 3],
        /// Angular velocity, world axes [rad/s].
        angular_velocity: [f64; 3],
        /// The body stays where it is and only its surface moves, as the belt of a conveyor does.
        surface: bool,
    },
    /// amplitude sin(omega t + phase), t the time of the simulation.
    Sine {
        /// Largest displacement, world axes [m].
        displacement: [f64; 3],
        /// Largest rotation about a fixed axis, world axes [rad].
        rotation: [f64; 3],
        /// Angular frequency omega [rad/s], > 0.
        angular_frequency: f64,
        /// Phase [rad].
        phase: f64,
    },
    /// Values at given times; before the first and after the last those of that time hold.
    Table(T),
}

impl<T> MotionProfile<T> {
    /// The same with another table; `None` if there is none.
    pub fn with_table<U>(&self, make: impl FnOnce(&T) -> Option<U>) -> Option<MotionProfile<U>> {
        Some(match *self {
            MotionProfile::Constant {
                velocity,
                angular_velocity,
                surface,
            } => MotionProfile::Constant {
                velocity,
                angular_velocity,
                surface,
            },
            MotionProfile::Sine {
                displacement,
                rotation,
                angular_frequency,
                phase,
            } => MotionProfile::Sine {
                displacement,
                rotation,
                angular_frequency,
                phase,
            },
            MotionProfile::Table(ref table) => MotionProfile::Table(make(table)?),
        })
    }
}

impl<T: 'static> MotionProfile<T> {
    /// Its parameters.
    #[rustfmt::skip]
    pub(crate) const PARAMETERS: [ParameterRow<Self>; 6] = [
        Self::row(&VELOCITY, |m| match m { MotionProfile::Constant { velocity, .. } => Some(velocity), _ => None }),
        Self::row(&ANGULAR_VELOCITY,
            |m| match m { MotionProfile::Constant { angular_velocity, .. } => Some(angular_velocity), _ => None }),
        Self::row(&DISPLACEMENT, |m| match m { MotionProfile::Sine { displacement, .. } => Some(displacement), _ => None }),
        Self::row(&ROTATION_VECTOR, |m| match m { MotionProfile::Sine { rotation, .. } => Some(rotation), _ => None }),
        Self::row(&ANGULAR_FREQUENCY,
            |m| match m { MotionProfile::Sine { angular_frequency, .. } => Some(from_mut(angular_frequency)), _ => None }),
        Self::row(&PHASE, |m| match m { MotionProfile::Sine { phase, .. } => Some(from_mut(phase)), _ => None }),
    ];

    const fn row(key: &Key, at: fn(&mut Self) -> Option<&mut [f64]>) -> ParameterRow<Self> {
        ParameterRow::new(key, Feeds::POSE.and(Feeds::MOTION), at)
    }
}

/// Values of a motion at given times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionTable {
    /// Times [s], at least two, ascending.
    pub times: Vec<f64>,
    /// Displacements at these times, world axes [m]; empty for none at all.
    pub displacements: Vec<[f64; 3]>,
    /// Axis of the rotation, world axes, not zero; made unit.
    pub axis: [f64; 3],
    /// Angles at these times [rad]; empty for none at all.
    pub angles: Vec<f64>,
    /// What holds between the times.
    pub interpolation: Interpolation,
    /// Velocities at the first and last time, which clamp a spline; not-a-knot without.
    pub ends: Option<EndSpeeds>,
}

/// Velocities of a body at the first and at the last time of its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EndSpeeds {
    /// Of the displacement, world axes [m/s].
    pub velocities: [[f64; 3]; 2],
    /// Of the angle [rad/s].
    pub angular_speeds: [f64; 2],
}

/// The motion of a point, and of the axes, of one body against another, as outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasurementDescription {
    /// Unique name.
    pub name: String,
    /// From this frame.
    pub from: FrameName,
    /// To this one.
    pub to: FrameName,
}

/// A frame fixed to a body, or in the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameName {
    /// Name of the body; none for the world.
    pub body: Option<String>,
    /// Pose of the frame in the body.
    pub frame: super::LocalFrame,
}

impl Keyword for OrientationInput {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("quaternion", OrientationInput::Quaternion),
        ("matrix", OrientationInput::Matrix),
    ];
}

impl Keyword for VelocityJump {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("error", VelocityJump::Error),
        ("impulse", VelocityJump::Impulse),
    ];
}

/// Velocity of a prescribed motion.
pub const VELOCITY: Key = Key::new(
    "velocity",
    "Velocity of the prescribed motion along",
    Value::Numbers(units::VELOCITY, 3),
    "[\"0.5 m/s\", 0, 0]",
)
.at("world axes")
.unless("[0, 0, 0]");
/// Angular velocity of a prescribed motion.
pub const ANGULAR_VELOCITY: Key = Key::new(
    "angular_velocity",
    "Angular velocity of the prescribed motion about",
    Value::Numbers(units::ANGULAR_VELOCITY, 3),
    "[0, 0, \"10 rpm\"]",
)
.at("world axes")
.unless("[0, 0, 0]");
/// Amplitude of a displacement.
pub const DISPLACEMENT: Key = Key::new(
    "displacement",
    "Amplitude of the prescribed displacement along",
    Value::Numbers(units::POSITION, 3),
    "[0, 0, \"5 mm\"]",
)
.at("world axes")
.unless("[0, 0, 0]");
/// Amplitude of a rotation, as the vector of axis times angle.
pub(crate) const ROTATION_VECTOR: Key = Key::new(
    "rotation",
    "Amplitude of the prescribed rotation about",
    Value::Numbers(units::ANGLE, 3),
    "",
)
.at("world axes");
/// A motion as a sine.
#[rustfmt::skip]
const MOTION_SINE: [Key; 5] = [
    DISPLACEMENT,
    Key::new("rotation", "Amplitude of the prescribed rotation about an axis, world axes", Value::Table(|| TURN.to_vec()), "")
        .unless("none"),
    FREQUENCY,
    ANGULAR_FREQUENCY,
    PHASE,
];
/// A motion as a table.
#[rustfmt::skip]
const MOTION_TABLE: [Key; 6] = [
    TIMES,
    Key::new("displacement", "Displacements at these times, world axes", Value::List(&Value::Numbers(units::POSITION, 3)),
        "[[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]]").unless("zero"),
    Key::new("axis", "Axis of the rotation, world axes; required beside angle", Value::Numbers(units::DIRECTION, 3), "[0, 0, 1]")
        .unless("no rotation"),
    Key::new("angle", "Angles at these times", Value::List(&Value::Number(units::ANGLE, Range::ANY)), "[0, \"30 deg\", 0]")
        .unless("zero"),
    INTERPOLATION,
    Key::new("end_speeds", "Speeds at the first and the last time, which clamp a spline; 0: rest", Value::Either(&[
        Value::Number(units::COEFFICIENT, Range::within(0.0, 0.0, "0")), Value::Table(|| END_SPEEDS.to_vec()),
    ]), "0").unless("not clamped"),
];
/// Speeds at the ends of a table.
#[rustfmt::skip]
pub(crate) const END_SPEEDS: [Key; 2] = [
    Key::new("velocity", "Velocities, world axes", Value::Several(&Value::Numbers(units::VELOCITY, 3), 2), "[[0, 0, 0], [1, 0, 0]]")
        .unless("zero"),
    Key::new("angular_speed", "Speeds of the angle", Value::Numbers(units::ANGULAR_VELOCITY, 2), "[0, \"10 deg/s\"]").unless("zero"),
];
/// `[[motion]]`; of the time profiles one must be there.
#[rustfmt::skip]
pub const MOTIONS: [Key; 7] = [
    Key::new("body", "The prescribed body that it moves", Value::Text, "\"belt\""),
    VELOCITY,
    ANGULAR_VELOCITY,
    Key::new("surface", "The body stays and only its surface moves, as a belt", Value::Flag, "true").unless("false"),
    Key::new("sine", "Motion as a sine of time", Value::Table(|| MOTION_SINE.to_vec()), "").unless("none"),
    Key::new("table", "Motion at given times", Value::Table(|| MOTION_TABLE.to_vec()), "").unless("none"),
    Key::new("jump", "What a jump of the velocity in the table does to bodies on joints", Value::Word(VelocityJump::words), "\"impulse\"")
        .unless("\"error\""),
];
/// Frame of a measurement.
const END: Value = Value::Either(&[
    Value::Text,
    Value::Table(|| {
        let body = Key::new("body", "Its body", Value::Text, "\"arm\"").unless("the world");
        [&[body], &FRAME[..]].concat()
    }),
]);
/// `[[measurement]]`.
#[rustfmt::skip]
pub const MEASUREMENT: [Row<MeasurementDescription>; 3] = [
    quantity::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores", Value::Name, "\"tip\""),
        |m, v| m.name = v.into()),
    quantity::own(Key::new("from", "Frame to measure from: a body, \"world\", or a table", END, "\"ground\"")),
    quantity::own(Key::new("to", "Frame to measure to: a body, \"world\", or a table", END, "\"ball\"")),
];
