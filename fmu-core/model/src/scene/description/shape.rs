//! Shapes and parts of compounds, as plain data, and their keys.

use super::Form;
use super::frame::{ORIENTATION, POSITION, ROTATION};
use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Range, Value, units};
use serde::{Deserialize, Serialize};

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
    row::text(Key::new("name", "Name, unique within the body", Value::Name, "\"tyre\"").unless("the form, with a number"),
        |s, v| s.name = v.into()),
    row::vector(POSITION, |s| Some(s.position), |s, v| s.position = v),
    row::own(ORIENTATION),
    row::own(ROTATION),
    row::own(Key::new("material", "Material that gives the density, and the contact data unless contact_material does", Value::Text,
        "\"Steel\"")),
    row::own(Key::new("contact_material", "Material that gives the contact data", Value::Text, "\"Rubber\"").unless("material")),
    row::own(Key::new("collision", "Takes part in contact; false: counts for the mass only", Value::Flag, "false").unless("true")),
    row::number(
        Key::new("shell", "Distance at which it begins to touch", Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"0.2 mm\"")
            .unless("that of the body, or 0"),
        |s| Some(s.shell), |s, v| s.shell = v,
    ),
    row::number(
        Key::new("smoothing_radius", "Radius of edges; at most 10 % of the shape's smallest dimension is used",
            Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"1 mm\"").unless("that of the scene"),
        |s| s.smoothing_radius, |s, v| s.smoothing_radius = Some(v),
    ),
    row::number(
        Key::new("contact_sphere_radius", "Radius in the Hertz factor", Value::Number(units::LENGTH, Range::POSITIVE), "\"50 mm\"")
            .unless("that of the form"),
        |s| s.contact_sphere_radius, |s, v| s.contact_sphere_radius = Some(v),
    ),
    row::own(Key::new("flat", "Counts as flat in the Hertz factor", Value::Flag, "true").unless("that of the form")),
];
