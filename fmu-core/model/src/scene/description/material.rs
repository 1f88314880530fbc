//! Materials and pairs of materials, as plain data, and their keys.

use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Range, Value, units};
use contact_laws::response::LawChanges;
use serde::{Deserialize, Serialize};

/// Solid and elastic data of a material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Unique name.
    pub name: String,
    /// Density [kg/m3], >= 0.
    pub density: f64,
    /// Young's modulus [Pa], >= 0; > 0 if a law takes its stiffness from it.
    pub youngs_modulus: f64,
    /// Poisson's ratio [1], in 0..0.5; < 0.5 if the law `volume` divides by 1 - 2 nu.
    pub poissons_ratio: f64,
}

/// Contact data of an unordered pair of materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaterialPair {
    /// Names of the two materials.
    pub materials: [String; 2],
    /// What happens at contact; depths of layers in the order of `materials`.
    pub response: PairResponse,
}

/// What happens when two materials touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PairResponse {
    /// A force, or an event at least: what differs from the options of the scene, or from the law
    /// of the materials.
    Law(LawChanges),
    /// They never touch.
    None,
}

/// Poisson's ratios [1].
const POISSONS_RATIOS: Range = Range::within(0.0, 0.5, "in 0..0.5");
/// Young's modulus of a contact material.
pub const YOUNGS_MODULUS: Key = Key::new(
    "youngs_modulus",
    "Young's modulus",
    Value::Number(units::MODULUS, Range::NOT_NEGATIVE),
    "\"210 GPa\"",
);
/// Poisson's ratio of a contact material.
pub const POISSONS_RATIO: Key = Key::new(
    "poissons_ratio",
    "Poisson's ratio",
    Value::Number(units::COEFFICIENT, POISSONS_RATIOS),
    "0.3",
);

/// `[[material]]`.
#[rustfmt::skip]
pub const MATERIAL: [Row<Material>; 4] = [
    row::text(Key::new("name", "Unique name", Value::Name, "\"Rubber\""), |m, v| m.name = v.into()),
    row::number(
        Key::new("density", "Density", Value::Number(units::DENSITY, Range::NOT_NEGATIVE), "\"8 g/cm3\""),
        |m| Some(m.density), |m, v| m.density = v,
    ),
    row::number(YOUNGS_MODULUS, |m| Some(m.youngs_modulus), |m, v| m.youngs_modulus = v),
    row::number(POISSONS_RATIO, |m| Some(m.poissons_ratio), |m, v| m.poissons_ratio = v),
];
/// The materials of a pair.
pub const MATERIALS: Key = Key::new(
    "materials",
    "Names of the two materials",
    Value::Several(&Value::Text, 2),
    "[\"Steel\", \"Rubber\"]",
);
