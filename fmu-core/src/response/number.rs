//! The numbers of contact laws: one list from which the keys of scene files, the names and texts of
//! FMI parameters, ranges and defaults come.

use crate::math::{LARGEST_NUMBER, LARGEST_NUMBER_IN_WORDS};
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

/// What a number measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A plain number [1].
    One,
    /// A speed [m/s].
    Speed,
    /// An angular speed [rad/s].
    AngularSpeed,
    /// A length [m].
    Length,
    /// An area [m2].
    Area,
    /// A reciprocal speed [s/m].
    InverseSpeed,
    /// A linear damping [N.s/m].
    Damping,
    /// A linear stiffness [N/m].
    Stiffness,
    /// A stiffness [N/m^n], with the exponent n of the law.
    PowerStiffness,
}

impl Measure {
    /// Its unit in words; empty for a plain number.
    pub fn unit(self) -> &'static str {
        match self {
            Measure::One => "",
            Measure::Speed => "m/s",
            Measure::AngularSpeed => "rad/s",
            Measure::Length => "m",
            Measure::Area => "m2",
            Measure::InverseSpeed => "s/m",
            Measure::Damping => "N.s/m",
            Measure::Stiffness => "N/m",
            Measure::PowerStiffness => "N/m^n",
        }
    }
}

impl Number {
    /// How many there are.
    pub const COUNT: usize = 20 + USER_NUMBERS;

    /// All of them, in the order of [`Self::index`].
    pub const ALL: [Number; Self::COUNT] = {
        use Number::*;
        [
            Restitution,
            SlidingFriction,
            StaticFriction,
            RollingResistance,
            SpinningResistance,
            VSmall,
            WSmall,
            Stiffness,
            Exponent,
            DampingCoefficient,
            LargestDamping,
            DampingDepth,
            TransitionSpeed,
            StaticSpeed,
            DynamicSpeed,
            TangentialStiffness,
            TangentialDamping,
            LayerDepth1,
            LayerDepth2,
            Area,
            User(0),
            User(1),
            User(2),
            User(3),
            User(4),
            User(5),
            User(6),
            User(7),
        ]
    };

    /// Place in [`Self::ALL`].
    pub fn index(self) -> usize {
        match self {
            Number::Restitution => 0,
            Number::SlidingFriction => 1,
            Number::StaticFriction => 2,
            Number::RollingResistance => 3,
            Number::SpinningResistance => 4,
            Number::VSmall => 5,
            Number::WSmall => 6,
            Number::Stiffness => 7,
            Number::Exponent => 8,
            Number::DampingCoefficient => 9,
            Number::LargestDamping => 10,
            Number::DampingDepth => 11,
            Number::TransitionSpeed => 12,
            Number::StaticSpeed => 13,
            Number::DynamicSpeed => 14,
            Number::TangentialStiffness => 15,
            Number::TangentialDamping => 16,
            Number::LayerDepth1 => 17,
            Number::LayerDepth2 => 18,
            Number::Area => 19,
            Number::User(i) => 20 + i as usize % USER_NUMBERS,
        }
    }

    /// The key of a scene file, and the last part of the name of the FMI parameter.
    pub fn key(self) -> &'static str {
        match self {
            Number::Restitution => "restitution",
            Number::SlidingFriction => "sliding_friction",
            Number::StaticFriction => "static_friction",
            Number::RollingResistance => "rolling_resistance",
            Number::SpinningResistance => "spinning_resistance",
            Number::VSmall => "v_small",
            Number::WSmall => "w_small",
            Number::Stiffness => "stiffness",
            Number::Exponent => "exponent",
            Number::DampingCoefficient => "damping_coefficient",
            Number::LargestDamping => "largest_damping",
            Number::DampingDepth => "damping_depth",
            Number::TransitionSpeed => "transition_speed",
            Number::StaticSpeed => "static_speed",
            Number::DynamicSpeed => "dynamic_speed",
            Number::TangentialStiffness => "tangential_stiffness",
            Number::TangentialDamping => "tangential_damping",
            Number::LayerDepth1 => "layer_depth_1",
            Number::LayerDepth2 => "layer_depth_2",
            Number::Area => "area",
            Number::User(i) => [
                "user_1", "user_2", "user_3", "user_4", "user_5", "user_6", "user_7", "user_8",
            ][i as usize % USER_NUMBERS],
        }
    }

    /// What it is, as the text of the FMI parameter.
    pub fn text(self) -> &'static str {
        match self {
            Number::Restitution => "Coefficient of restitution",
            Number::SlidingFriction => "Coefficient of sliding friction",
            Number::StaticFriction => "Coefficient of static friction",
            Number::RollingResistance => "Coefficient of rolling resistance",
            Number::SpinningResistance => "Coefficient of spinning (drilling) friction",
            Number::VSmall => "Speed below which friction and restitution are regularized",
            Number::WSmall => "Angular speed below which rolling resistance is regularized",
            Number::Stiffness => "Normal stiffness",
            Number::Exponent => "Exponent of the penetration",
            Number::DampingCoefficient => "Damping coefficient of the normal force",
            Number::LargestDamping => "Largest damping of the normal force",
            Number::DampingDepth => "Penetration at which the damping is largest",
            Number::TransitionSpeed => "Normal speed of the change from loading to unloading",
            Number::StaticSpeed => "Slip speed of the largest friction",
            Number::DynamicSpeed => "Slip speed above which friction has its sliding value",
            Number::TangentialStiffness => {
                "Tangential stiffness of a sticking contact, 0: from the normal stiffness"
            }
            Number::TangentialDamping => {
                "Tangential damping of a sticking contact, 0: from stiffness and masses"
            }
            Number::LayerDepth1 => "Depth of the elastic layer on the first material",
            Number::LayerDepth2 => "Depth of the elastic layer on the second material",
            Number::Area => "Area of the contact patch, 0: from the contact radii",
            Number::User(_) => "Number of a user-defined contact law",
        }
    }

    /// What it measures.
    pub fn measure(self) -> Measure {
        match self {
            Number::Restitution
            | Number::SlidingFriction
            | Number::StaticFriction
            | Number::RollingResistance
            | Number::SpinningResistance
            | Number::Exponent
            | Number::User(_) => Measure::One,
            Number::VSmall
            | Number::TransitionSpeed
            | Number::StaticSpeed
            | Number::DynamicSpeed => Measure::Speed,
            Number::WSmall => Measure::AngularSpeed,
            Number::Stiffness => Measure::PowerStiffness,
            Number::DampingCoefficient => Measure::InverseSpeed,
            Number::LargestDamping | Number::TangentialDamping => Measure::Damping,
            Number::DampingDepth | Number::LayerDepth1 | Number::LayerDepth2 => Measure::Length,
            Number::TangentialStiffness => Measure::Stiffness,
            Number::Area => Measure::Area,
        }
    }

    /// The allowed range in words if the value is outside; none otherwise.
    pub fn violated_range(self, value: f64) -> Option<&'static str> {
        let (good, allowed) = match self {
            Number::Restitution => ((0.0..=1.0).contains(&value), "in 0..1"),
            Number::Exponent => (value >= 1.0, ">= 1"),
            Number::VSmall
            | Number::WSmall
            | Number::Stiffness
            | Number::DampingDepth
            | Number::TransitionSpeed
            | Number::StaticSpeed
            | Number::DynamicSpeed
            | Number::LayerDepth1
            | Number::LayerDepth2 => (value > 0.0, "> 0"),
            Number::User(_) => (true, ""),
            Number::SlidingFriction
            | Number::StaticFriction
            | Number::RollingResistance
            | Number::SpinningResistance
            | Number::DampingCoefficient
            | Number::LargestDamping
            | Number::TangentialStiffness
            | Number::TangentialDamping
            | Number::Area => (value >= 0.0, ">= 0"),
        };
        if !value.is_finite() {
            return Some("a finite number");
        }
        if !good {
            return Some(allowed);
        }
        (value.abs() > LARGEST_NUMBER).then_some(LARGEST_NUMBER_IN_WORDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_its_own_place_and_key() {
        for (index, number) in Number::ALL.iter().enumerate() {
            assert_eq!(number.index(), index);
            let same = Number::ALL.iter().filter(|n| n.key() == number.key());
            assert_eq!(same.count(), 1, "{}", number.key());
        }
    }

    #[test]
    fn no_number_may_be_infinite_or_not_a_number() {
        for number in Number::ALL {
            for value in [f64::NAN, f64::INFINITY] {
                assert_eq!(number.violated_range(value), Some("a finite number"));
            }
        }
    }
}
