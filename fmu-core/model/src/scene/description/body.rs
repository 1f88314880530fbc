//! Bodies, as plain data, and their keys.
//!
//! # What a scene says about itself for those who get the FMU
//!
//! As plain data, and its keys. It goes into modelDescription.xml and the documentation, not into
//! the bytes of the scene.

use super::{Drive, ForceAxes, Form, OrientationInput};
use crate::scene::description::form::{ORIENTATION, POSITION, ROTATION};
use contact_laws::quantity;
use contact_laws::quantity::{Feeds, Key, Keyword, ParameterRow, Range, Row, Value, units};
use serde::{Deserialize, Serialize};
use std::slice::from_mut;

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
    pub(crate) fn is_dynamic(self) -> bool {
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
const INERTIA_ENTRY: Key = Key {
    text: "Inertia tensor",
    value: Value::Numbers(units::INERTIA, 6),
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

/// Parameters of a body.
#[derive(Clone, Debug)]
pub struct BodyNumbers {
    pub(crate) motion: Motion,
    /// Origin of a fixed body, world axes [m].
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z) of a fixed body, body to world.
    pub orientation: [f64; 4],
    /// Mass of a body that forces accelerate [kg].
    pub mass: f64,
    /// Its centre of mass, body frame [m].
    pub center_of_mass: [f64; 3],
    /// Entries xx, yy, zz, xy, xz, yz of its inertia about the centre of mass, body axes [kg.m2].
    pub inertia: [f64; 6],
}

/// Parameters of a body.
#[rustfmt::skip]
pub(crate) static PARAMETERS: [ParameterRow<BodyNumbers>; 5] = [
    ParameterRow::new(&POSITION.at("body origin, world axes"), Feeds::POSITION,
        |b| (b.motion == Motion::Fixed).then_some(&mut b.position)),
    ParameterRow::new(&ORIENTATION, Feeds::ORIENTATION, |b| (b.motion == Motion::Fixed).then_some(&mut b.orientation)),
    ParameterRow::new(&MASS, Feeds::MASS, |b| b.motion.is_dynamic().then_some(from_mut(&mut b.mass))),
    ParameterRow::new(&CENTER_OF_MASS, Feeds::CENTER_OF_MASS, |b| b.motion.is_dynamic().then_some(&mut b.center_of_mass)),
    ParameterRow::new(&INERTIA_ENTRY, Feeds::INERTIA, |b| b.motion.is_dynamic().then_some(&mut b.inertia)),
];

/// `[[body]]`, without its shapes.
#[rustfmt::skip]
pub const BODY: [Row<BodyDescription>; 14] = [
    quantity::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores", Value::Name, "\"ball\""),
        |b, v| b.name = v.into()),
    quantity::own(Key::new("motion", "How the body moves", Value::Word(Motion::words), "").unless("\"joint\" of the child of a joint")),
    quantity::vector(POSITION, |b| Some(b.position), |b, v| b.position = v),
    quantity::own(ORIENTATION),
    quantity::own(ROTATION),
    quantity::vector(
        Key::new("velocity", "Velocity at the start along",
            Value::Numbers(units::VELOCITY, 3), "[\"1 m/s\", 0, 0]").at("body origin, world axes").unless("[0, 0, 0]"),
        |b| Some(b.velocity), |b, v| b.velocity = v,
    ),
    quantity::vector(
        Key::new("angular_velocity", "Angular velocity at the start about",
            Value::Numbers(units::ANGULAR_VELOCITY, 3), "[0, \"90 deg/s\", 0]").at("body axes").unless("[0, 0, 0]"),
        |b| Some(b.angular_velocity), |b, v| b.angular_velocity = v,
    ),
    quantity::number(MASS, |b| b.mass.mass, |b, v| b.mass.mass = Some(v)),
    quantity::vector(CENTER_OF_MASS, |b| b.mass.center_of_mass, |b, v| b.mass.center_of_mass = Some(v)),
    quantity::own(INERTIA),
    quantity::own(Key::new("orientation_input", "Orientation input of a driven body",
        Value::Word(OrientationInput::words), "").unless("\"quaternion\"")),
    quantity::own(Key::new("wrench_axes", "Axes of the outputs contact_force and contact_torque of a driven body",
        Value::Word(ForceAxes::words), "").unless("\"world\"")),
    quantity::text(Key::new("collision_group", "Bodies of one group never touch each other", Value::Text, "\"chain\"").unless("none"),
        |b, v| b.collision_group = Some(v.into())),
    quantity::own(Key::new("shell", "Distance at which its shapes begin to touch", Value::Number(units::LENGTH, Range::NOT_NEGATIVE),
        "\"0.2 mm\"").unless("0")),
];

// Shapes and parts of compounds, as plain data, and their keys.

/// A shape fixed to a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapeDescription {
    /// Unique within the body.
    pub name: String,
    /// Form and size.
    pub form: Form,
    /// Origin of the shape frame in the body frame [m].
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z), shape to body; unit within 1e-6.
    pub orientation: [f64; 4],
    /// Material that gives the density; its name.
    pub material: String,
    /// Material that gives elasticity and pair data; the same as `material` unless given.
    pub contact_material: Option<String>,
    /// Takes part in contact detection.
    pub collision: bool,
    /// Distance from the surface at which the shape begins to touch [m], >= 0; mass and Hertz
    /// factor do not depend on it.
    pub shell: f64,
    /// Smoothing radius [m] unless the scene's; of the forms that are shrunk when the scene is
    /// built (hulls and meshes carry theirs).
    pub smoothing_radius: Option<f64>,
    /// Contact sphere radius [m] unless the form's default.
    pub contact_sphere_radius: Option<f64>,
    /// Counts as flat in the Hertz factor, unless the form's default.
    pub flat: Option<bool>,
}

/// `[[body.shape]]`, without its form.
#[rustfmt::skip]
pub const SHAPE: [Row<ShapeDescription>; 11] = [
    quantity::text(Key::new("name", "Name, unique within the body", Value::Name, "\"tyre\"").unless("the form, with a number"),
        |s, v| s.name = v.into()),
    quantity::vector(POSITION, |s| Some(s.position), |s, v| s.position = v),
    quantity::own(ORIENTATION),
    quantity::own(ROTATION),
    quantity::own(Key::new("material", "Material that gives the density, and the contact data unless contact_material does", Value::Text,
        "\"Steel\"")),
    quantity::own(Key::new("contact_material", "Material that gives the contact data", Value::Text, "\"Rubber\"").unless("material")),
    quantity::own(Key::new("collision", "Takes part in contact; false: counts for the mass only", Value::Flag, "false").unless("true")),
    quantity::number(
        Key::new("shell", "Distance at which it begins to touch", Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"0.2 mm\"")
            .unless("that of the body, or 0"),
        |s| Some(s.shell), |s, v| s.shell = v,
    ),
    quantity::number(
        Key::new("smoothing_radius", "Radius of edges; at most 10 % of the shape's smallest dimension is used",
            Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"1 mm\"").unless("that of the scene"),
        |s| s.smoothing_radius, |s, v| s.smoothing_radius = Some(v),
    ),
    quantity::number(
        Key::new("contact_sphere_radius", "Radius in the Hertz factor", Value::Number(units::LENGTH, Range::POSITIVE), "\"50 mm\"")
            .unless("that of the form"),
        |s| s.contact_sphere_radius, |s, v| s.contact_sphere_radius = Some(v),
    ),
    quantity::own(Key::new("flat", "Counts as flat in the Hertz factor", Value::Flag, "true").unless("that of the form")),
];

/// Texts about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What the model is, in a sentence.
    pub description: Option<String>,
    /// Who made it: names, organisation.
    pub author: Option<String>,
    /// Whose it is, with year.
    pub copyright: Option<String>,
    /// Under which licence it may be used.
    pub license: Option<String>,
    /// Its version.
    pub version: Option<String>,
}

/// Keys of a scene file about itself.
#[rustfmt::skip]
pub const ABOUT: [Row<About>; 5] = [
    quantity::text(Key::new("description", "What the model is, in a sentence", Value::Text, "\"A crate slides down a chute\"")
        .unless("a sentence about rigid bodies in contact"), |a, v| a.description = Some(v.into())),
    quantity::text(Key::new("author", "Who made the model", Value::Text, "\"A. Author, Example Ltd\"")
        .unless("none"), |a, v| a.author = Some(v.into())),
    quantity::text(Key::new("copyright", "Whose the model is", Value::Text, "\"(c) 2026 Example Ltd\"")
        .unless("none"), |a, v| a.copyright = Some(v.into())),
    quantity::text(Key::new("license", "Licence of the model", Value::Text, "\"CC-BY-4.0\"")
        .unless("none"), |a, v| a.license = Some(v.into())),
    quantity::text(Key::new("version", "Version of the model", Value::Text, "\"1.2\"")
        .unless("none"), |a, v| a.version = Some(v.into())),
];
