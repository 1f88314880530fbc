//! Bodies, as plain data, and their keys.

use super::frame::{ORIENTATION, POSITION, ROTATION};
use super::{Drive, ForceAxes, OrientationInput, ShapeDescription};
use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Keyword, Range, Value, units};
use serde::{Deserialize, Serialize};

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Motion {
    /// Part of the world.
    Fixed,
    /// Six degrees of freedom.
    Free,
    /// The child of a joint.
    Joint,
    /// Pose and velocities are inputs, contact force and torque outputs.
    Driven,
    /// Pose and velocities are given over time.
    Prescribed,
}

impl Motion {
    /// Returns true if forces accelerate the body: it needs a mass.
    pub fn is_dynamic(self) -> bool {
        matches!(self, Motion::Free | Motion::Joint)
    }
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDescription {
    /// Unique name.
    pub name: String,
    /// How it moves.
    pub motion: Motion,
    /// Origin of the body frame in world axes [m], at start.
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z), body to world, at start; unit within 1e-6, made exactly unit.
    pub orientation: [f64; 4],
    /// Velocity of the origin in world axes [m/s], at start; zero for a fixed body.
    pub velocity: [f64; 3],
    /// Angular velocity in body axes [rad/s], at start; zero for a fixed body.
    pub angular_velocity: [f64; 3],
    /// Mass properties given instead of those of the shapes.
    pub mass: GivenMass,
    /// What the inputs and outputs of a driven body are.
    pub drive: Drive,
    /// Bodies of one collision group never touch each other; its name.
    pub collision_group: Option<String>,
    /// Shapes fixed to the body; may be none.
    pub shapes: Vec<ShapeDescription>,
}

/// Mass properties that replace those computed from the shapes, each alone or together.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct GivenMass {
    /// Mass [kg], > 0. Alone, it scales the inertia of the shapes.
    pub mass: Option<f64>,
    /// Centre of mass in the body frame [m].
    pub center_of_mass: Option<[f64; 3]>,
    /// Inertia tensor about the centre of mass in body axes [kg.m2]: xx, yy, zz, xy, xz, yz
    /// (tensor entries, with their sign).
    pub inertia: Option<[f64; 6]>,
}

impl Keyword for Motion {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("free", Motion::Free),
        ("fixed", Motion::Fixed),
        ("joint", Motion::Joint),
        ("driven", Motion::Driven),
        ("prescribed", Motion::Prescribed),
    ];
}

impl Default for BodyDescription {
    /// A fixed body: it needs no mass and no contact data.
    fn default() -> Self {
        BodyDescription {
            name: String::new(),
            motion: Motion::Fixed,
            position: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0],
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            mass: GivenMass::default(),
            drive: Drive::default(),
            collision_group: None,
            shapes: Vec::new(),
        }
    }
}

/// Masses of a body [kg]; an electron has 9e-31 kg.
const MASSES: Range = Range::within(1e-40, f64::INFINITY, ">= 1e-40");
/// Mass of a body.
pub const MASS: Key = Key::new(
    "mass",
    "Mass of the body; its inertia scales with it unless an entry was changed",
    Value::Number(units::MASS, MASSES),
    "\"500 g\"",
)
.unless("that of the shapes");
/// Centre of mass of a body.
pub const CENTER_OF_MASS: Key = Key::new(
    "center_of_mass",
    "Centre of mass along",
    Value::Numbers(units::POSITION, 3),
    "[0, 0, \"1 cm\"]",
)
.at("from the body origin, body axes")
.unless("that of the shapes");
/// Inertia of a body.
#[rustfmt::skip]
pub const INERTIA: Key = Key::new(
    "inertia",
    "Inertia tensor",
    Value::Either(&[
        Value::Several(&Value::Numbers(units::INERTIA, 3), 3),
        Value::Table(|| TENSOR.to_vec()),
    ]),
    "{ xx = 0.1, yy = 0.1, zz = \"200 kg.cm2\" }",
)
.unless("that of the shapes");
/// Entry of the inertia tensor of a body.
pub const INERTIA_ENTRY: Key = Key {
    text: "Inertia tensor",
    ..tensor("inertia")
};
/// Entries of an inertia tensor about the centre of mass, body axes.
#[rustfmt::skip]
pub const TENSOR: [Key; 6] = [
    tensor("xx"), tensor("yy"), tensor("zz"),
    tensor("xy").unless("0"), tensor("xz").unless("0"), tensor("yz").unless("0"),
];

const fn tensor(key: &'static str) -> Key {
    Key::new(
        key,
        "Entry of the inertia tensor",
        Value::Number(units::INERTIA, Range::ANY),
        "0.1",
    )
}

/// `[[body]]`, without its shapes.
#[rustfmt::skip]
pub const BODY: [Row<BodyDescription>; 14] = [
    row::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores", Value::Name, "\"ball\""),
        |b, v| b.name = v.into()),
    row::own(Key::new("motion", "How the body moves", Value::Word(Motion::words), "").unless("\"joint\" of the child of a joint")),
    row::vector(POSITION, |b| Some(b.position), |b, v| b.position = v),
    row::own(ORIENTATION),
    row::own(ROTATION),
    row::vector(
        Key::new("velocity", "Velocity at the start along",
            Value::Numbers(units::VELOCITY, 3), "[\"1 m/s\", 0, 0]").at("body origin, world axes").unless("[0, 0, 0]"),
        |b| Some(b.velocity), |b, v| b.velocity = v,
    ),
    row::vector(
        Key::new("angular_velocity", "Angular velocity at the start about",
            Value::Numbers(units::ANGULAR_VELOCITY, 3), "[0, \"90 deg/s\", 0]").at("body axes").unless("[0, 0, 0]"),
        |b| Some(b.angular_velocity), |b, v| b.angular_velocity = v,
    ),
    row::number(MASS, |b| b.mass.mass, |b, v| b.mass.mass = Some(v)),
    row::vector(CENTER_OF_MASS, |b| b.mass.center_of_mass, |b, v| b.mass.center_of_mass = Some(v)),
    row::own(INERTIA),
    row::own(Key::new("orientation_input", "Orientation input of a driven body",
        Value::Word(OrientationInput::words), "").unless("\"quaternion\"")),
    row::own(Key::new("wrench_axes", "Axes of the outputs contact_force and contact_torque of a driven body",
        Value::Word(ForceAxes::words), "").unless("\"world\"")),
    row::text(Key::new("collision_group", "Bodies of one group never touch each other", Value::Text, "\"chain\"").unless("none"),
        |b, v| b.collision_group = Some(v.into())),
    row::own(Key::new("shell", "Distance at which its shapes begin to touch", Value::Number(units::LENGTH, Range::NOT_NEGATIVE),
        "\"0.2 mm\"").unless("0")),
];
