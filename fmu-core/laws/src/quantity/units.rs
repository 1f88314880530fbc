//! Units and declared types of variables: every number of the FMU has one of these types, which carries the
//! unit. Units are SI; display units are alternatives for users.

/// Unit as a product of SI base units, with the conversion factor 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Name used by types.
    pub name: &'static str,
    /// Exponent of the kilogram.
    pub kg: i32,
    /// Exponent of the metre.
    pub m: i32,
    /// Exponent of the second.
    pub s: i32,
    /// Exponent of the radian.
    pub rad: i32,
    /// Alternative units for display.
    pub display: &'static [DisplayUnit],
}

/// Alternative unit of the same quantity: value in it = factor * value in the unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DisplayUnit {
    /// Name, unique within its unit.
    pub name: &'static str,
    /// Factor [display unit per unit].
    pub factor: f64,
}

/// Type of a floating-point variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeclaredType {
    /// Unique name.
    pub name: &'static str,
    /// Physical quantity.
    pub quantity: &'static str,
    /// Unit name; `None` for a pure number.
    pub unit: Option<&'static str>,
    /// Name of the default display unit.
    pub display_unit: Option<&'static str>,
}

impl DeclaredType {
    const fn new(name: &'static str, quantity: &'static str, unit: &'static str) -> Self {
        DeclaredType {
            name,
            quantity,
            unit: Some(unit),
            display_unit: None,
        }
    }

    const fn shown_in(mut self, display_unit: &'static str) -> Self {
        self.display_unit = Some(display_unit);
        self
    }

    /// Unit name; empty for a pure number.
    pub const fn unit_or_empty(&self) -> &'static str {
        match self.unit {
            Some(unit) => unit,
            None => "",
        }
    }

    const fn number(name: &'static str, quantity: &'static str) -> Self {
        DeclaredType {
            name,
            quantity,
            unit: None,
            display_unit: None,
        }
    }

    /// Unit as shown in texts, `1` for a pure number.
    pub fn unit_text(&self) -> &'static str {
        self.unit.unwrap_or("1")
    }
}

const fn unit(name: &'static str, kg: i32, m: i32, s: i32, rad: i32) -> Unit {
    Unit {
        name,
        kg,
        m,
        s,
        rad,
        display: &[],
    }
}

const DEGREES: f64 = 180.0 / std::f64::consts::PI;
/// rpm per rad/s.
const TURNS_PER_MINUTE: f64 = 30.0 / std::f64::consts::PI;

/// All units.
#[rustfmt::skip]
pub const UNITS: [Unit; 26] = [
    unit("s", 0, 0, 1, 0),
    Unit { display: &[DisplayUnit { name: "mm", factor: 1e3 }], ..unit("m", 0, 1, 0, 0) },
    Unit { display: &[DisplayUnit { name: "deg", factor: DEGREES }], ..unit("rad", 0, 0, 0, 1) },
    unit("m/s", 0, 1, -1, 0),
    unit("m/s2", 0, 1, -2, 0),
    Unit {
        display: &[DisplayUnit { name: "deg/s", factor: DEGREES }, DisplayUnit { name: "rpm", factor: TURNS_PER_MINUTE }],
        ..unit("rad/s", 0, 0, -1, 1)
    },
    Unit { display: &[DisplayUnit { name: "deg/s2", factor: DEGREES }], ..unit("rad/s2", 0, 0, -2, 1) },
    unit("1/s", 0, 0, -1, 0),
    unit("s/m", 0, -1, 1, 0),
    unit("m3/s2", 0, 3, -2, 0),
    unit("kg", 1, 0, 0, 0),
    unit("kg.m2", 1, 2, 0, 0),
    unit("N", 1, 1, -2, 0),
    unit("N.m", 1, 2, -2, 0),
    unit("N/m", 1, 0, -2, 0),
    unit("N/m3", 1, -2, -2, 0),
    unit("N.s/m", 1, 0, -1, 0),
    unit("N.m/rad", 1, 2, -2, -1),
    unit("N.m.s/rad", 1, 2, -1, -1),
    unit("m2", 0, 2, 0, 0),
    unit("m3", 0, 3, 0, 0),
    unit("N.s", 1, 1, -1, 0),
    unit("N.m.s", 1, 2, -1, 0),
    unit("J", 1, 2, -2, 0),
    unit("W", 1, 2, -3, 0),
    Unit { display: &[DisplayUnit { name: "GPa", factor: 1e-9 }], ..unit("Pa", 1, -1, -2, 0) },
];

macro_rules! types {
    ($($(#[$doc:meta])* $constant:ident = $value:expr;)*) => {
        $($(#[$doc])* pub const $constant: DeclaredType = $value;)*
        /// All declared types.
        pub const TYPES: &[DeclaredType] = &[$($constant),*];
    };
}

types! {
    /// Time [s].
    TIME = DeclaredType::new("Time", "Time", "s");
    /// Point in space [m].
    POSITION = DeclaredType::new("Position", "Length", "m").shown_in("mm");
    /// Distance [m].
    LENGTH = DeclaredType::new("Length", "Length", "m").shown_in("mm");
    /// Velocity [m/s].
    VELOCITY = DeclaredType::new("Velocity", "Velocity", "m/s");
    /// Acceleration [m/s2].
    ACCELERATION = DeclaredType::new("Acceleration", "Acceleration", "m/s2");
    /// Component of a quaternion [1].
    QUATERNION = DeclaredType::number("Quaternion", "Orientation");
    /// Rate of a component of a quaternion [1/s].
    QUATERNION_RATE = DeclaredType::new("QuaternionRate", "OrientationRate", "1/s");
    /// Angle [rad].
    ANGLE = DeclaredType::new("Angle", "Angle", "rad").shown_in("deg");
    /// Angular velocity [rad/s].
    ANGULAR_VELOCITY = DeclaredType::new("AngularVelocity", "AngularVelocity", "rad/s").shown_in("rpm");
    /// Angular acceleration [rad/s2].
    ANGULAR_ACCELERATION = DeclaredType::new("AngularAcceleration", "AngularAcceleration", "rad/s2").shown_in("deg/s2");
    /// Mass [kg].
    MASS = DeclaredType::new("Mass", "Mass", "kg");
    /// Entry of an inertia tensor [kg.m2].
    INERTIA = DeclaredType::new("Inertia", "MomentOfInertia", "kg.m2");
    /// Force [N].
    FORCE = DeclaredType::new("Force", "Force", "N");
    /// Torque [N.m].
    TORQUE = DeclaredType::new("Torque", "Torque", "N.m");
    /// Impulse [N.s].
    IMPULSE = DeclaredType::new("Impulse", "Impulse", "N.s");
    /// Moment of an impulse [N.m.s].
    ANGULAR_IMPULSE = DeclaredType::new("AngularImpulse", "AngularImpulse", "N.m.s");
    /// Component of a unit vector [1].
    DIRECTION = DeclaredType::number("Direction", "Direction");
    /// Energy [J].
    ENERGY = DeclaredType::new("Energy", "Energy", "J");
    /// Power [W].
    POWER = DeclaredType::new("Power", "Power", "W");
    /// Modulus of elasticity [Pa].
    MODULUS = DeclaredType::new("Modulus", "Pressure", "Pa").shown_in("GPa");
    /// Gravitational parameter [m3/s2].
    GRAVITATIONAL_PARAMETER = DeclaredType::new("GravitationalParameter", "GravitationalParameter", "m3/s2");
    /// Damping coefficient of a contact force [s/m].
    DAMPING = DeclaredType::new("Damping", "Damping", "s/m");
    /// Linear damping [N.s/m].
    LINEAR_DAMPING = DeclaredType::new("LinearDamping", "Damping", "N.s/m");
    /// Linear stiffness [N/m].
    STIFFNESS = DeclaredType::new("Stiffness", "Stiffness", "N/m");
    /// Rotational stiffness [N.m/rad].
    ROTATIONAL_STIFFNESS = DeclaredType::new("RotationalStiffness", "RotationalStiffness", "N.m/rad");
    /// Rotational damping [N.m.s/rad].
    ROTATIONAL_DAMPING = DeclaredType::new("RotationalDamping", "RotationalDamping", "N.m.s/rad");
    /// Stiffness [N/m^n] of a force proportional to a power n of the depth; FMI units have integer exponents
    /// only.
    POWER_STIFFNESS = DeclaredType::number("PowerStiffness", "Stiffness");
    /// Stiffness per area [N/m3].
    STIFFNESS_PER_AREA = DeclaredType::new("StiffnessPerArea", "StiffnessPerArea", "N/m3");
    /// Area [m2].
    AREA = DeclaredType::new("Area", "Area", "m2");
    /// Volume [m3].
    VOLUME = DeclaredType::new("Volume", "Volume", "m3");
    /// Number of a face of a polyhedron [1].
    FACE = DeclaredType::number("Face", "Face");
    /// Truth value, 1 or 0, that changes at events only [1].
    TRUTH = DeclaredType::number("Truth", "Truth");
    /// Material coefficient [1].
    COEFFICIENT = DeclaredType::number("Coefficient", "Coefficient");
}

/// Density [kg/m3]; not used by variables.
pub const DENSITY: DeclaredType = DeclaredType::new("Density", "Density", "kg/m3");
/// Frequency [Hz]; not used by variables.
pub const FREQUENCY: DeclaredType = DeclaredType::new("Frequency", "Frequency", "Hz");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_and_display_unit_of_a_type_is_defined() {
        for declared in TYPES {
            let Some(name) = declared.unit else {
                assert_eq!(declared.display_unit, None, "{}", declared.name);
                continue;
            };
            let units: Vec<_> = UNITS.iter().filter(|u| u.name == name).collect();
            assert_eq!(units.len(), 1, "{} of {}", name, declared.name);
            if let Some(display) = declared.display_unit {
                assert!(units[0].display.iter().any(|d| d.name == display));
            }
        }
    }

    /// One turn in a second is 360 deg/s and 60 rpm; FMI: value in the display unit = factor *
    /// value.
    #[test]
    fn display_units_show_a_turn_in_a_second_and_a_metre_as_people_count_them() {
        let shown = |unit: &str, display: &str, value: f64| {
            let unit = UNITS.iter().find(|u| u.name == unit).unwrap();
            let found = unit.display.iter().find(|d| d.name == display).unwrap();
            found.factor * value
        };
        let turn = std::f64::consts::TAU;
        for (unit, display, value, expected) in [
            ("m", "mm", 1.0, 1000.0),
            ("rad/s", "deg/s", turn, 360.0),
            ("rad", "deg", turn, 360.0),
            ("rad/s", "rpm", turn, 60.0),
            ("rad/s2", "deg/s2", turn, 360.0),
            ("Pa", "GPa", 2e11, 200.0),
        ] {
            let found = shown(unit, display, value);
            assert!((found / expected - 1.0).abs() < 1e-15, "{display}: {found}");
        }
    }

    #[test]
    fn lengths_angular_velocities_and_moduli_have_a_display_unit_of_their_own() {
        for (declared, display) in [
            (POSITION, "mm"),
            (LENGTH, "mm"),
            (ANGULAR_VELOCITY, "rpm"),
            (ANGULAR_ACCELERATION, "deg/s2"),
            (MODULUS, "GPa"),
        ] {
            assert_eq!(declared.display_unit, Some(display), "{}", declared.name);
        }
    }

    /// The name of a unit, read as `kg.m2` or `m3/s2` with the named units N, J, W, Pa expanded by
    /// their definitions in the SI, gives its exponents.
    #[test]
    fn names_of_units_tell_their_exponents() {
        let named = |symbol: &str| match symbol {
            "kg" => [1, 0, 0, 0],
            "m" => [0, 1, 0, 0],
            "s" => [0, 0, 1, 0],
            "rad" => [0, 0, 0, 1],
            "N" => [1, 1, -2, 0],
            "J" => [1, 2, -2, 0],
            "W" => [1, 2, -3, 0],
            "Pa" => [1, -1, -2, 0],
            "1" => [0; 4],
            other => panic!("symbol {other}"),
        };
        for unit in &UNITS {
            let mut sum = [0; 4];
            for (part, sign) in unit.name.split('/').zip([1, -1]) {
                for factor in part.split('.') {
                    let symbol = match factor {
                        "1" => factor,
                        _ => factor.trim_end_matches(|c: char| c.is_ascii_digit()),
                    };
                    let exponent = factor[symbol.len()..].parse().unwrap_or(1);
                    for (total, e) in sum.iter_mut().zip(named(symbol)) {
                        *total += sign * exponent * e;
                    }
                }
            }
            assert_eq!(sum, [unit.kg, unit.m, unit.s, unit.rad], "{}", unit.name);
        }
    }
}
