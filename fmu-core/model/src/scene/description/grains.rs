//! Groups of equal free bodies, as plain data, and their keys.
//!
//! A group of N balls is N free bodies without N tables: where they start is a list of points. A
//! scene file says how the points are found; here are the points, so that the same file gives the
//! same bodies whatever program reads it.

use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Range, Value, units};
use serde::{Deserialize, Serialize};

/// Free balls of one material that a scene names together; body `i` of the group `sand` is
/// `sand[i]`, from 1.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct GrainsDescription {
    /// Unique name, among those of bodies and joints too.
    pub name: String,
    /// Material of all balls; its name.
    pub material: String,
    /// Centres at start, world axes [m].
    pub positions: Vec<[f64; 3]>,
    /// Diameter of each ball [m], > 0.
    pub diameters: Vec<f64>,
    /// Velocity of all at start, world axes [m/s].
    pub velocity: [f64; 3],
    /// Boxes in which balls are counted.
    pub regions: Vec<RegionDescription>,
}

/// A box in which the balls of a group are counted by their centres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionDescription {
    /// Unique in its group.
    pub name: String,
    /// Lower and upper bound along x, y, z of the world [m], a centre on the lower one is inside;
    /// infinite where the box is open.
    pub bounds: [[f64; 2]; 3],
}

impl Default for RegionDescription {
    /// All of space.
    fn default() -> Self {
        RegionDescription {
            name: String::new(),
            bounds: [[f64::NEG_INFINITY, f64::INFINITY]; 3],
        }
    }
}

/// Sizes that a spread of diameters has: few, so that pairs of one law stay few.
pub const SIZES: usize = 8;
/// Diameter of the balls, or the bounds of a spread.
const DIAMETERS: Value = Value::Either(&[
    Value::Number(units::LENGTH, Range::POSITIVE),
    Value::Several(&Value::Number(units::LENGTH, Range::POSITIVE), 2),
]);
/// Distances of a lattice.
const SPACING: Value = Value::Either(&[
    Value::Number(units::LENGTH, Range::POSITIVE),
    Value::Several(&Value::Number(units::LENGTH, Range::POSITIVE), 3),
]);
/// Whole numbers from 1.
const FROM_ONE: Range = Range::whole(1.0, 4e9, "in 1..4e9");
/// Numbers that a generator starts from.
const SEEDS: Range = Range::whole(0.0, 4294967295.0, "in 0..4294967295");

/// Name of a group or of a region of it.
const NAME: Key = Key::new(
    "name",
    "Unique name: a letter, then letters, digits and underscores",
    Value::Name,
    "\"sand\"",
);
/// Diameter of the balls of a group.
pub const DIAMETER: Key = Key::new(
    "diameter",
    "Diameter of the balls; two: 8 sizes evenly spread between them, each as likely",
    DIAMETERS,
    "\"5 mm\"",
)
.unless("those of the file");
/// Material of a group.
pub const MATERIAL: Key = Key::new(
    "material",
    "Material of the balls, of their density and their contact data",
    Value::Text,
    "\"Steel\"",
);
/// Balls at the points of a lattice.
#[rustfmt::skip]
pub const LATTICE: [Key; 3] = [
    Key::new("counts", "Number of points along x, y, z", Value::Several(&Value::Count(FROM_ONE), 3), "[10, 10, 20]"),
    Key::new("spacing", "Distance of neighbours, or the distances along x, y, z", SPACING, "\"6 mm\"")
        .unless("1.01 times the largest diameter, and twice the jitter"),
    Key::new("origin", "Position of the first point, the lowest one, along", Value::Numbers(units::POSITION, 3), "[0, 0, \"3 mm\"]")
        .at("world axes").unless("[0, 0, 0]"),
];
/// Balls in a box, layer by layer.
#[rustfmt::skip]
pub const FILL: [Key; 5] = [
    Key::new("lower", "Corner of the box, which holds the balls entirely", Value::Numbers(units::POSITION, 3), "[-0.1, -0.1, 0]")
        .at("world axes"),
    Key::new("upper", "The opposite corner", Value::Numbers(units::POSITION, 3), "[0.1, 0.1, 0.5]").at("world axes"),
    Key::new("radius", "Only balls within a vertical cylinder of this radius about the middle of the box",
        Value::Number(units::LENGTH, Range::POSITIVE), "0.1").unless("the box"),
    Key::new("spacing", "Distance of neighbours, or the distances along x, y, z", SPACING, "\"6 mm\"")
        .unless("1.01 times the largest diameter, and twice the jitter"),
    Key::new("count", "Number of balls, the lowest ones; an error if there is no room for them",
        Value::Count(FROM_ONE), "10000").unless("as many as the box holds"),
];
/// A box in which balls are counted.
#[rustfmt::skip]
pub const REGION: [Row<RegionDescription>; 7] = [
    row::text(Key { text: "Name, unique in the group", example: "\"out\"", ..NAME }, |r, v| r.name = v.into()),
    row::number(bound("x_min", "Lower bound along x, of the world"), |r| given(r.bounds[0][0]), |r, v| r.bounds[0][0] = v),
    row::number(bound("x_max", "Upper bound along x, of the world"), |r| given(r.bounds[0][1]), |r, v| r.bounds[0][1] = v),
    row::number(bound("y_min", "Lower bound along y, of the world"), |r| given(r.bounds[1][0]), |r, v| r.bounds[1][0] = v),
    row::number(bound("y_max", "Upper bound along y, of the world"), |r| given(r.bounds[1][1]), |r, v| r.bounds[1][1] = v),
    row::number(bound("z_min", "Lower bound along z, of the world"), |r| given(r.bounds[2][0]), |r, v| r.bounds[2][0] = v),
    row::number(bound("z_max", "Upper bound along z, of the world"), |r| given(r.bounds[2][1]), |r, v| r.bounds[2][1] = v),
];

const fn bound(key: &'static str, text: &'static str) -> Key {
    Key::new(
        key,
        text,
        Value::Number(units::POSITION, Range::ANY),
        "\"-10 mm\"",
    )
    .unless("none")
}

/// A bound, where there is one.
fn given(bound: f64) -> Option<f64> {
    bound.is_finite().then_some(bound)
}

/// `[[grains]]`; `lattice`, `fill` or `file` must be there.
#[rustfmt::skip]
pub const GRAINS: [Row<GrainsDescription>; 10] = [
    row::text(NAME, |g, v| g.name = v.into()),
    row::own(DIAMETER),
    row::own(MATERIAL),
    row::vector(
        Key::new("velocity", "Velocity of all balls at the start along", Value::Numbers(units::VELOCITY, 3), "[0, 0, \"-1 m/s\"]")
            .at("world axes").unless("[0, 0, 0]"),
        |g| Some(g.velocity), |g, v| g.velocity = v,
    ),
    row::own(Key::new("lattice", "Balls at the points of a lattice, x fastest, z slowest", Value::Table(|| LATTICE.to_vec()), "")
        .unless("none")),
    row::own(Key::new("fill", "Balls at the points of a lattice in a box or cylinder, from its floor up",
        Value::Table(|| FILL.to_vec()), "").unless("none")),
    row::own(Key::new("file", "Balls where those of this name are at the end of a file of simulate --bodies",
        Value::Text, "\"settled.xyz\"").unless("none")),
    row::own(Key::new("jitter", "Each coordinate of each ball is moved by at most this, evenly spread",
        Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"0.1 mm\"").unless("0")),
    row::own(Key::new("seed", "Number that jitter and spread of diameters follow from", Value::Count(SEEDS), "1").unless("1")),
    row::own(Key::new("region", "Boxes in which balls are counted, as outputs",
        Value::List(&Value::Table(|| row::keys(&REGION))), "").unless("none")),
];
