//! Numbers of contact laws: a single list that defines scene-file keys, names and texts of FMI parameters,
//! ranges and defaults.

use crate::quantity::{DeclaredType, Feeds, Key, ParameterFacts, Range, Value, units};
use serde::{Deserialize, Serialize};

/// Maximum number of user parameters of a user-defined law.
pub const USER_NUMBERS: usize = 8;

/// Number of a contact law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Number {
    /// Coefficient of restitution e.
    Restitution,
    /// Coefficient of sliding friction, mu_k or mu_d.
    SlidingFriction,
    /// Coefficient of static friction, mu_s.
    StaticFriction,
    /// Coefficient of rolling resistance mu_r.
    RollingResistance,
    /// Coefficient of spinning resistance about the normal.
    SpinningResistance,
    /// Speed below which friction and restitution are regularised.
    VSmall,
    /// Angular speed below which rolling resistance is regularised.
    WSmall,
    /// Stiffness K of a power law, f = K delta^n; the penalty of Poisson's law.
    Stiffness,
    /// Exponent n of a power law.
    Exponent,
    /// Damping coefficient d of f = f_el (1 + d delta_dot).
    DampingCoefficient,
    /// Largest damping c_max of the law `impact`.
    LargestDamping,
    /// Depth at which the law `impact` reaches its largest damping.
    DampingDepth,
    /// Normal transition velocity v_n of Poisson's law.
    TransitionSpeed,
    /// Slip speed v_s at which friction is largest.
    StaticSpeed,
    /// Slip speed v_d above which friction is sliding friction.
    DynamicSpeed,
    /// Tangential stiffness k_t of a sticking contact; 0: derived from the normal stiffness.
    TangentialStiffness,
    /// Tangential damping of a sticking contact; 0: derived from stiffness and masses.
    TangentialDamping,
    /// Depth of the elastic layer on the first material; 0: derived from the shapes.
    LayerDepth1,
    /// Depth of the elastic layer on the second material; 0: derived from the shapes.
    LayerDepth2,
    /// Stiffness per area, pressure over depth; 0: derived from moduli and layers.
    StiffnessPerArea,
    /// Area of the contact patch; 0: paraboloid with the effective radius.
    Area,
    /// Approach speed below which there is no impulse.
    RestSpeed,
    /// User parameter, from 0.
    User(u8),
}

/// Number with its key in the table of a pair; a stiffness with an exponent has the type
/// [`units::POWER_STIFFNESS`].
struct NumberRow {
    number: Number,
    key: Key,
    feeds: Feeds,
}

const fn row(
    number: Number,
    key: &'static str,
    text: &'static str,
    declared: DeclaredType,
    range: Range,
    example: &'static str,
    feeds: Feeds,
) -> NumberRow {
    let key = Key::new(key, text, Value::Number(declared, range), example);
    NumberRow {
        number,
        key: key.unless("see the laws"),
        feeds,
    }
}

const fn user(place: u8, key: &'static str) -> NumberRow {
    let text = "Number of a user-defined contact law";
    row(
        Number::User(place),
        key,
        text,
        units::COEFFICIENT,
        Range::ANY,
        "1",
        Feeds::LAW,
    )
}

/// Tangential stiffnesses [N/m]: more than a kilometre of the stiffest solid only makes steps short.
const TANGENTIAL_STIFFNESSES: Range = Range::within(0.0, 1e15, "in 0..1e15 N/m");

#[rustfmt::skip]
const ROWS: [NumberRow; Number::COUNT] = [
    row(Number::Restitution, "restitution", "Coefficient of restitution",
        units::COEFFICIENT, Range::FRACTION, "0.5", Feeds::LAW),
    row(Number::SlidingFriction, "sliding_friction", "Coefficient of sliding friction",
        units::COEFFICIENT, Range::NOT_NEGATIVE, "0.3", Feeds::LAW),
    row(Number::StaticFriction, "static_friction", "Coefficient of static friction",
        units::COEFFICIENT, Range::NOT_NEGATIVE, "0.4", Feeds::LAW),
    row(Number::RollingResistance, "rolling_resistance", "Coefficient of rolling resistance",
        units::COEFFICIENT, Range::NOT_NEGATIVE, "0.01", Feeds::LAW),
    row(Number::SpinningResistance, "spinning_resistance", "Coefficient of spinning (drilling) friction",
        units::COEFFICIENT, Range::NOT_NEGATIVE, "0.01", Feeds::LAW),
    row(Number::VSmall, "v_small", "Speed below which friction and restitution are regularized",
        units::VELOCITY, Range::POSITIVE, "\"10 mm/s\"", Feeds::LAW),
    row(Number::WSmall, "w_small", "Angular speed below which rolling resistance is regularized",
        units::ANGULAR_VELOCITY, Range::POSITIVE, "\"0.01 rad/s\"", Feeds::LAW),
    row(Number::Stiffness, "stiffness", "Normal stiffness",
        units::POWER_STIFFNESS, Range::POSITIVE, "1e6", Feeds::ELASTIC),
    row(Number::Exponent, "exponent", "Exponent of the penetration",
        units::COEFFICIENT, Range::within(1.0, f64::INFINITY, ">= 1"), "1", Feeds::ELASTIC),
    row(Number::DampingCoefficient, "damping_coefficient", "Damping coefficient of the normal force",
        units::DAMPING, Range::NOT_NEGATIVE, "0.1", Feeds::LAW),
    row(Number::LargestDamping, "largest_damping", "Largest damping of the normal force",
        units::LINEAR_DAMPING, Range::NOT_NEGATIVE, "100", Feeds::LAW),
    row(Number::DampingDepth, "damping_depth", "Penetration at which the damping is largest",
        units::LENGTH, Range::POSITIVE, "\"0.1 mm\"", Feeds::LAW),
    row(Number::TransitionSpeed, "transition_speed", "Normal speed of the change from loading to unloading",
        units::VELOCITY, Range::POSITIVE, "\"10 mm/s\"", Feeds::LAW),
    row(Number::StaticSpeed, "static_speed", "Slip speed of the largest friction",
        units::VELOCITY, Range::POSITIVE, "\"1 mm/s\"", Feeds::LAW),
    row(Number::DynamicSpeed, "dynamic_speed", "Slip speed above which friction has its sliding value",
        units::VELOCITY, Range::POSITIVE, "\"10 mm/s\"", Feeds::LAW),
    row(Number::TangentialStiffness, "tangential_stiffness",
        "Tangential stiffness of a sticking contact, 0: from the normal stiffness",
        units::STIFFNESS, TANGENTIAL_STIFFNESSES, "1", Feeds::ELASTIC),
    row(Number::TangentialDamping, "tangential_damping",
        "Tangential damping of a sticking contact, 0: from stiffness and masses",
        units::LINEAR_DAMPING, Range::NOT_NEGATIVE, "1", Feeds::LAW),
    row(Number::LayerDepth1, "layer_depth_1", "Depth of the elastic layer on the first material, 0: from the shapes",
        units::LENGTH, Range::NOT_NEGATIVE, "\"2 mm\"", Feeds::ELASTIC),
    row(Number::LayerDepth2, "layer_depth_2", "Depth of the elastic layer on the second material, 0: from the shapes",
        units::LENGTH, Range::NOT_NEGATIVE, "\"2 mm\"", Feeds::ELASTIC),
    row(Number::StiffnessPerArea, "stiffness_per_area", "Normal stiffness per area, 0: from moduli and layers",
        units::STIFFNESS_PER_AREA, Range::NOT_NEGATIVE, "\"1 N/mm3\"", Feeds::ELASTIC),
    row(Number::Area, "area", "Area of the contact patch, 0: from the contact radii",
        units::AREA, Range::NOT_NEGATIVE, "\"1 cm2\"", Feeds::ELASTIC),
    row(Number::RestSpeed, "rest_speed", "Approach speed below which velocities do not jump and the force of the law acts",
        units::VELOCITY, Range::POSITIVE, "\"10 mm/s\"", Feeds::LAW),
    user(0, "user_1"),
    user(1, "user_2"),
    user(2, "user_3"),
    user(3, "user_4"),
    user(4, "user_5"),
    user(5, "user_6"),
    user(6, "user_7"),
    user(7, "user_8"),
];

macro_rules! column {
    ($first:expr, |$row:ident| $value:expr) => {{
        let mut column = [$first; Number::COUNT];
        let mut i = 0;
        while i < column.len() {
            let $row = &ROWS[i];
            column[i] = $value;
            i += 1;
        }
        column
    }};
}

const NUMBERS: [Number; Number::COUNT] = column!(Number::Restitution, |row| row.number);
/// Columns that the FMU binary needs.
static FACTS: [ParameterFacts; Number::COUNT] =
    column!(ParameterFacts::of(&ROWS[0].key, Feeds::NOTHING), |row| {
        ParameterFacts::of(&row.key, row.feeds)
    });

/// Depths of both layers in one key.
pub const LAYER_DEPTH: Key = Key::new(
    "layer_depth",
    "Depth of the elastic layers, of both or of each, 0: from the shapes",
    Value::Either(&[
        Value::Number(units::LENGTH, Range::NOT_NEGATIVE),
        Value::Numbers(units::LENGTH, 2),
    ]),
    "\"2 mm\"",
)
.unless("see the laws");
/// All user parameters in one key.
pub const USER: Key = Key::new(
    "user",
    "Numbers of a user-defined contact law, at most 8",
    Value::List(&Value::Number(units::COEFFICIENT, Range::ANY)),
    "[1e5, 0.3]",
)
.unless("0");

impl Number {
    pub(crate) const COUNT: usize = 22 + USER_NUMBERS;

    /// Keys of a pair that give numbers: one for each, or one for several.
    pub fn keys() -> Vec<Key> {
        let own = Number::all().filter(|number| number.has_own_key());
        own.map(Number::file_key)
            .chain([LAYER_DEPTH, USER])
            .collect()
    }

    /// Returns true if a scene file gives it in a separate key.
    pub fn has_own_key(self) -> bool {
        !matches!(
            self,
            Number::LayerDepth1 | Number::LayerDepth2 | Number::User(_)
        )
    }

    /// All numbers, in the order of [`Self::index`].
    pub fn all() -> impl Iterator<Item = Number> {
        NUMBERS.into_iter()
    }

    /// Index among all numbers.
    pub fn index(self) -> usize {
        let found = NUMBERS.iter().position(|number| *number == self);
        // A user parameter beyond the last one: there is none.
        found.unwrap_or(Self::COUNT - 1)
    }

    /// Its description as a parameter.
    pub fn parameter(self) -> &'static ParameterFacts {
        &FACTS[self.index()]
    }

    /// Key in the table of a pair.
    pub fn file_key(self) -> Key {
        ROWS[self.index()].key
    }

    /// Scene-file key, and last part of the FMI parameter name.
    pub fn key(self) -> &'static str {
        self.parameter().quantity.key
    }

    /// Type, with the unit; a stiffness with an exponent has a type without unit.
    pub fn declared(self) -> DeclaredType {
        self.parameter().quantity.declared
    }

    /// Unit as text; empty for a plain number.
    pub fn unit(self) -> &'static str {
        match self {
            Number::Stiffness => "N/m^n",
            _ => self.declared().unit.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_its_own_place_and_key() {
        for (index, number) in Number::all().enumerate() {
            assert_eq!(number.index(), index);
            let same = Number::all().filter(|n| n.key() == number.key());
            assert_eq!(same.count(), 1, "{}", number.key());
        }
    }
}
