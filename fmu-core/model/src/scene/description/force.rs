//! Forces and torques on bodies that the scene prescribes over time, as plain data, and their keys.

use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Keyword, Range, Value, units};
use serde::{Deserialize, Serialize};

/// A force and a torque on a body, prescribed over time. Several on one body add up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceDescription {
    /// Unique name.
    pub name: String,
    /// Name of the body, which forces must accelerate.
    pub body: String,
    /// Where the force acts, body frame [m]; it moves with the body.
    pub point: [f64; 3],
    /// Axes of force and torque.
    pub axes: ForceAxes,
    /// Force and torque over time.
    pub profile: ForceProfile,
}

/// Axes in which a force is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ForceAxes {
    /// Fixed in the world.
    World,
    /// Turning with the body.
    Body,
}

/// A force and a torque over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ForceProfile {
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
    Table(ForceTable),
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
pub const SINE: [Key; 5] = [FORCE, TORQUE, FREQUENCY, ANGULAR_FREQUENCY, PHASE];
/// Times of a table.
pub const TIMES: Key = Key::new(
    "times",
    "Times, at least two, ascending",
    Value::List(&Value::Number(units::TIME, Range::ANY)),
    "[0, \"10 ms\", 1]",
);
/// What holds between the times of a table.
pub const INTERPOLATION: Key = Key::new(
    "interpolation",
    "What holds between the times",
    Value::Word(Interpolation::words),
    "",
)
.unless("\"linear\"");
/// A force as a table.
#[rustfmt::skip]
pub const TABLE: [Key; 4] = [
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
    row::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores", Value::Name, "\"thrust\""),
        |f, v| f.name = v.into()),
    row::text(Key::new("body", "The body it acts on: a free one, or the child of a joint", Value::Text, "\"ball\""),
        |f, v| f.body = v.into()),
    row::vector(
        Key::new("point", "Point where it acts", Value::Numbers(units::POSITION, 3), "[0, 0, \"10 cm\"]")
            .at("body frame").unless("the body origin"),
        |f| Some(f.point), |f, v| f.point = v,
    ),
    row::word::<_, ForceAxes>("axes", "Axes of force and torque", "\"world\"", |f, v| f.axes = ForceAxes::WORDS[v].1),
    row::own(FORCE),
    row::own(TORQUE),
    row::own(Key::new("sine", "Force and torque as a sine of time", Value::Table(|| SINE.to_vec()), "").unless("none")),
    row::own(Key::new("table", "Force and torque at given times", Value::Table(|| TABLE.to_vec()), "").unless("none")),
    row::own(Key::new("input", "Force, or what the list names, is an input", Value::Either(&[
        Value::Flag, Value::List(&Value::Word(|| vec!["force", "torque"])),
    ]), "true").unless("false")),
];
