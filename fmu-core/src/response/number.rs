//! The numbers of contact laws: one list from which the keys of scene files, the names and texts of
//! FMI parameters, ranges and defaults come.

use crate::quantity::{DeclaredType, Range, units};
use serde::{Deserialize, Serialize};

/// So many numbers a law of the user can have.
pub const USER_NUMBERS: usize = 8;

/// A number of a contact law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Number {
    /// Coefficient of restitution e.
    Restitution,
    /// Coefficient of friction while sliding, mu_k or mu_d.
    SlidingFriction,
    /// Coefficient of friction before sliding, mu_s.
    StaticFriction,
    /// Coefficient of rolling resistance mu_r.
    RollingResistance,
    /// Coefficient of resistance to turning about the normal.
    SpinningResistance,
    /// Speed below which friction and restitution are regularized.
    VSmall,
    /// Angular speed below which rolling resistance is regularized.
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
    /// Slip speed v_d from which on friction is that of sliding.
    DynamicSpeed,
    /// Tangential stiffness k_t of a sticking contact; 0 for the one that follows from the normal
    /// stiffness.
    TangentialStiffness,
    /// Tangential damping of a sticking contact; 0 for the one that follows from stiffness and
    /// masses.
    TangentialDamping,
    /// Depth of the elastic layer on the first material.
    LayerDepth1,
    /// Depth of the elastic layer on the second material.
    LayerDepth2,
    /// Area of the contact patch; 0 for that of a paraboloid with the effective radius.
    Area,
    /// A number of a law of the user, from 0.
    User(u8),
}

/// What is said of a number, once for scene files, FMI parameters and checks.
#[derive(Clone, Copy, Debug)]
pub struct NumberRow {
    /// The number.
    number: Number,
    /// The key of a scene file, and the last part of the name of the FMI parameter.
    pub key: &'static str,
    /// What it is, as the text of the FMI parameter.
    pub text: &'static str,
    /// Its type; of a stiffness of a law with an exponent, [`units::POWER_STIFFNESS`].
    pub declared: DeclaredType,
    /// Allowed values.
    pub range: Range,
}

const fn row(
    number: Number,
    key: &'static str,
    text: &'static str,
    declared: DeclaredType,
    range: Range,
) -> NumberRow {
    NumberRow {
        number,
        key,
        text,
        declared,
        range,
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
    )
}

/// All numbers, in the order of [`Number::index`].
#[rustfmt::skip]
static ROWS: [NumberRow; Number::COUNT] = [
    row(Number::Restitution, "restitution", "Coefficient of restitution",
        units::COEFFICIENT, Range::FRACTION),
    row(Number::SlidingFriction, "sliding_friction", "Coefficient of sliding friction",
        units::COEFFICIENT, Range::NOT_NEGATIVE),
    row(Number::StaticFriction, "static_friction", "Coefficient of static friction",
        units::COEFFICIENT, Range::NOT_NEGATIVE),
    row(Number::RollingResistance, "rolling_resistance", "Coefficient of rolling resistance",
        units::COEFFICIENT, Range::NOT_NEGATIVE),
    row(Number::SpinningResistance, "spinning_resistance", "Coefficient of spinning (drilling) friction",
        units::COEFFICIENT, Range::NOT_NEGATIVE),
    row(Number::VSmall, "v_small", "Speed below which friction and restitution are regularized",
        units::VELOCITY, Range::POSITIVE),
    row(Number::WSmall, "w_small", "Angular speed below which rolling resistance is regularized",
        units::ANGULAR_VELOCITY, Range::POSITIVE),
    row(Number::Stiffness, "stiffness", "Normal stiffness",
        units::POWER_STIFFNESS, Range::POSITIVE),
    row(Number::Exponent, "exponent", "Exponent of the penetration",
        units::COEFFICIENT, Range::within(1.0, f64::INFINITY, ">= 1")),
    row(Number::DampingCoefficient, "damping_coefficient", "Damping coefficient of the normal force",
        units::DAMPING, Range::NOT_NEGATIVE),
    row(Number::LargestDamping, "largest_damping", "Largest damping of the normal force",
        units::LINEAR_DAMPING, Range::NOT_NEGATIVE),
    row(Number::DampingDepth, "damping_depth", "Penetration at which the damping is largest",
        units::LENGTH, Range::POSITIVE),
    row(Number::TransitionSpeed, "transition_speed", "Normal speed of the change from loading to unloading",
        units::VELOCITY, Range::POSITIVE),
    row(Number::StaticSpeed, "static_speed", "Slip speed of the largest friction",
        units::VELOCITY, Range::POSITIVE),
    row(Number::DynamicSpeed, "dynamic_speed", "Slip speed above which friction has its sliding value",
        units::VELOCITY, Range::POSITIVE),
    row(Number::TangentialStiffness, "tangential_stiffness",
        "Tangential stiffness of a sticking contact, 0: from the normal stiffness",
        units::STIFFNESS, Range::NOT_NEGATIVE),
    row(Number::TangentialDamping, "tangential_damping",
        "Tangential damping of a sticking contact, 0: from stiffness and masses",
        units::LINEAR_DAMPING, Range::NOT_NEGATIVE),
    row(Number::LayerDepth1, "layer_depth_1", "Depth of the elastic layer on the first material",
        units::LENGTH, Range::POSITIVE),
    row(Number::LayerDepth2, "layer_depth_2", "Depth of the elastic layer on the second material",
        units::LENGTH, Range::POSITIVE),
    row(Number::Area, "area", "Area of the contact patch, 0: from the contact radii",
        units::AREA, Range::NOT_NEGATIVE),
    user(0, "user_1"),
    user(1, "user_2"),
    user(2, "user_3"),
    user(3, "user_4"),
    user(4, "user_5"),
    user(5, "user_6"),
    user(6, "user_7"),
    user(7, "user_8"),
];

impl Number {
    /// How many there are.
    pub const COUNT: usize = 20 + USER_NUMBERS;

    /// All of them, in the order of [`Self::index`].
    pub fn all() -> impl Iterator<Item = Number> {
        ROWS.iter().map(|row| row.number)
    }

    /// Place among all numbers.
    pub fn index(self) -> usize {
        let found = ROWS.iter().position(|row| row.number == self);
        // A number of the user beyond the last one: there is none.
        found.unwrap_or(Self::COUNT - 1)
    }

    /// What is said of it.
    pub fn row(self) -> &'static NumberRow {
        &ROWS[self.index()]
    }

    /// The key of a scene file, and the last part of the name of the FMI parameter.
    pub fn key(self) -> &'static str {
        self.row().key
    }

    /// Its unit in words; empty for a plain number.
    pub fn unit(self) -> &'static str {
        match self {
            Number::Stiffness => "N/m^n",
            _ => self.row().declared.unit.unwrap_or_default(),
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
