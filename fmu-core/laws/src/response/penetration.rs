//! Stiffness of a law from a desired penetration.
//!
//! - under a force F [N]: K delta^n = F, so K = F/delta^n
//! - in an impact of mass m [kg] at speed v [m/s] without losses, all energy is stored at the largest
//!   penetration: K delta^(n+1)/(n+1) = m v^2/2, so K = (n+1) m v^2/(2 delta^(n+1))
//! - under a pressure p [Pa]: k delta^n = p, so the stiffness per area is k = p/delta^n

use crate::quantity::{Key, Range, Value, units};
use crate::response::number::Number;
use contact_geometry::math::real::powf;
use serde::{Deserialize, Serialize};

/// Desired penetration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Penetration {
    /// Penetration delta [m], > 0.
    pub depth: f64,
    /// Load that causes it.
    pub load: Load,
}

/// Load that causes a penetration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Load {
    /// A constant force F.
    Force {
        /// F [N], > 0.
        force: f64,
    },
    /// Impact without losses.
    Impact {
        /// Effective mass m [kg], > 0: the mass of a body that hits a fixed one.
        mass: f64,
        /// Impact speed v [m/s], > 0.
        speed: f64,
    },
    /// Constant pressure p over an area.
    Pressure {
        /// p [Pa], > 0.
        pressure: f64,
    },
}

/// Key of the desired penetration of a pair.
pub const PENETRATION: Key = Key::new(
    "penetration",
    "Wanted depth under a force or pressure or in an impact, from which the stiffness follows",
    Value::Table(|| PENETRATION_KEYS.to_vec()),
    "",
)
.unless("stiffness");
/// Keys of its table.
#[rustfmt::skip]
pub const PENETRATION_KEYS: [Key; 5] = [
    Key::new("depth", "Depth", Value::Number(units::LENGTH, Range::POSITIVE), "\"0.1 mm\""),
    Key::new("force", "Constant force", Value::Number(units::FORCE, Range::POSITIVE), "\"500 N\"").unless("mass and speed, or pressure"),
    Key::new("mass", "Effective mass of an impact", Value::Number(units::MASS, Range::POSITIVE), "\"2 kg\"").unless("force or pressure"),
    Key::new("speed", "Speed of the impact", Value::Number(units::VELOCITY, Range::POSITIVE), "1").unless("force or pressure"),
    Key::new("pressure", "Constant pressure over an area", Value::Number(units::MODULUS, Range::POSITIVE), "\"1 MPa\"").unless("force, or mass and speed"),
];

impl Penetration {
    /// Stiffness K [N/m^n] of the law with this exponent n [1]; `None` for a pressure.
    pub(crate) fn stiffness(&self, exponent: f64) -> Option<f64> {
        match self.load {
            Load::Force { force } => Some(force / powf(self.depth, exponent)),
            Load::Impact { mass, speed } => {
                let power = exponent + 1.0;
                Some(power * mass * speed * speed / (2.0 * powf(self.depth, power)))
            }
            Load::Pressure { .. } => None,
        }
    }

    /// Stiffness per area k [N/m^(2+n)] of the law with this exponent n [1], for a pressure.
    pub(crate) fn stiffness_per_area(&self, exponent: f64) -> Option<f64> {
        match self.load {
            Load::Pressure { pressure } => Some(pressure / powf(self.depth, exponent)),
            Load::Force { .. } | Load::Impact { .. } => None,
        }
    }

    /// The number that it determines.
    pub fn number(&self) -> Number {
        match self.load {
            Load::Pressure { .. } => Number::StiffnessPerArea,
            Load::Force { .. } | Load::Impact { .. } => Number::Stiffness,
        }
    }

    /// First value that is not finite and > 0: key, value and unit.
    pub(crate) fn flaw(&self) -> Option<(&'static str, f64, &'static str)> {
        let depth = ("depth", self.depth, "m");
        let values: [(&str, f64, &str); 3] = match self.load {
            Load::Force { force } => [depth, ("force", force, "N"), ("force", force, "N")],
            Load::Impact { mass, speed } => [depth, ("mass", mass, "kg"), ("speed", speed, "m/s")],
            Load::Pressure { pressure } => {
                let pressure = ("pressure", pressure, "Pa");
                [depth, pressure, pressure]
            }
        };
        let mut values = values.into_iter();
        values.find(|(_, value, _)| !(value.is_finite() && *value > 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::normal::PowerLaw;

    #[test]
    fn a_law_of_the_stiffness_has_the_wanted_penetration() {
        for exponent in [1.0, 1.5, 2.0] {
            let under = |load| {
                let wanted = Penetration { depth: 1e-4, load };
                PowerLaw {
                    stiffness: wanted.stiffness(exponent).unwrap(),
                    exponent,
                }
            };
            let static_law = under(Load::Force { force: 500.0 });
            assert!((static_law.depth_under_force(500.0) / 1e-4 - 1.0).abs() < 1e-14);
            let (mass, speed) = (2.0, 3.0);
            let impact_law = under(Load::Impact { mass, speed });
            let depth = impact_law.depth_after_impact(mass, speed);
            assert!((depth / 1e-4 - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_linear_spring_that_yields_a_tenth_of_a_millimetre_under_500_newtons_has_5e6_newtons_per_metre()
     {
        let load = Load::Force { force: 500.0 };
        let wanted = Penetration { depth: 1e-4, load };
        assert!((wanted.stiffness(1.0).unwrap() / 5e6 - 1.0).abs() < 1e-14);
        // m v^2/delta^2 for n = 1.
        let load = Load::Impact {
            mass: 2.0,
            speed: 3.0,
        };
        let wanted = Penetration { depth: 1e-4, load };
        assert!((wanted.stiffness(1.0).unwrap() / 1.8e9 - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_pressure_over_the_depth_it_causes_is_the_stiffness_per_area() {
        let load = Load::Pressure { pressure: 2e6 };
        let wanted = Penetration { depth: 1e-3, load };
        let per_area = wanted.stiffness_per_area(1.0).unwrap();
        assert!((per_area / 2e9 - 1.0).abs() < 1e-14);
        assert_eq!(wanted.stiffness(1.0), None);
        let load = Load::Force { force: 500.0 };
        assert_eq!(
            Penetration { depth: 1e-3, load }.stiffness_per_area(1.0),
            None
        );
    }

    #[test]
    fn lengths_loads_and_speeds_must_be_positive() {
        let load = Load::Impact {
            mass: 2.0,
            speed: 0.0,
        };
        let flaw = Penetration { depth: 1e-4, load }.flaw();
        assert_eq!(flaw, Some(("speed", 0.0, "m/s")));
        let load = Load::Force { force: 500.0 };
        let flaw = Penetration { depth: -1.0, load }.flaw();
        assert_eq!(flaw, Some(("depth", -1.0, "m")));
    }
}
