//! Physical quantities of a scene file: a number and a unit in, SI out.
//!
//! A bare number is in SI units. A string is a number and a unit of the key's quantity:
//! `"20 mm"`, `"8 g/cm3"`, `"2 kg*mm2"`. In a unit `.`, `*`, a middle dot and a space mean the
//! same, and `^` before an exponent may be written.
//!
//! A power of ten in a factor is added to the exponent of the decimal number before it is
//! rounded, so `"200 mm"` is the very number `0.2` and a scene keeps its token when units change.
//!
//! The crate `uom` parses such strings too. It is not used: it scales in binary (`"9 mm"` is not
//! the number nearest to 0.009), knows no list of allowed units to show, and cannot say that a
//! unit belongs to another quantity.

use fmu_core::quantity::DeclaredType;
use std::f64::consts::PI;

/// Kind of a physical quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Length [m].
    Length,
    /// Angle [rad].
    Angle,
    /// Mass [kg].
    Mass,
    /// Time [s].
    Time,
    /// Velocity [m/s].
    Velocity,
    /// Angular velocity [rad/s].
    AngularVelocity,
    /// Acceleration [m/s2].
    Acceleration,
    /// Density [kg/m3].
    Density,
    /// Pressure, modulus of elasticity [Pa].
    Pressure,
    /// Moment of inertia [kg.m2].
    Inertia,
    /// Damping coefficient of a contact [s/m].
    InverseVelocity,
    /// Gravitational parameter G M [m3/s2].
    GravitationalParameter,
    /// Force [N].
    Force,
    /// Area [m2].
    Area,
    /// Linear stiffness [N/m].
    Stiffness,
    /// Linear damping [N.s/m].
    LinearDamping,
    /// Torque [N.m].
    Torque,
    /// Rotational stiffness [N.m/rad].
    RotationalStiffness,
    /// Rotational damping [N.m.s/rad].
    RotationalDamping,
    /// Frequency, in turns [Hz].
    Frequency,
    /// Pure number.
    Number,
}

impl Quantity {
    /// The quantity whose SI unit a type has; a pure number if it has none.
    pub fn of(declared: &DeclaredType) -> Self {
        Self::of_symbol(declared.unit)
    }

    /// The quantity that has this SI unit; a pure number without one or with an unknown one.
    pub fn of_symbol(symbol: Option<&str>) -> Self {
        let si = UNITS.iter().find(|unit| Some(unit.symbol) == symbol);
        si.map_or(Number, |unit| unit.quantity)
    }
}

/// One unit: SI value = number * 10^exponent * numerator / denominator.
struct Unit {
    quantity: Quantity,
    symbol: &'static str,
    exponent: i32,
    numerator: f64,
    denominator: f64,
}

const fn decimal(quantity: Quantity, symbol: &'static str, exponent: i32) -> Unit {
    ratio(quantity, symbol, exponent, 1.0, 1.0)
}

const fn ratio(
    quantity: Quantity,
    symbol: &'static str,
    exponent: i32,
    numerator: f64,
    denominator: f64,
) -> Unit {
    Unit {
        quantity,
        symbol,
        exponent,
        numerator,
        denominator,
    }
}

use Quantity::*;

/// All units; the SI unit of a quantity comes first. Inch, foot and pound by the international
/// agreement of 1959: 0.0254 m, 0.3048 m, 0.45359237 kg; the force of a pound is that of standard
/// gravity, 9.80665 m/s2, on it.
const UNITS: &[Unit] = &[
    decimal(Length, "m", 0),
    decimal(Length, "km", 3),
    decimal(Length, "cm", -2),
    decimal(Length, "mm", -3),
    decimal(Length, "um", -6),
    decimal(Length, "nm", -9),
    ratio(Length, "in", 0, 254.0, 1e4),
    ratio(Length, "ft", 0, 3048.0, 1e4),
    decimal(Angle, "rad", 0),
    decimal(Angle, "mrad", -3),
    ratio(Angle, "deg", 0, PI, 180.0),
    ratio(Angle, "rev", 0, 2.0 * PI, 1.0),
    decimal(Mass, "kg", 0),
    decimal(Mass, "g", -3),
    decimal(Mass, "mg", -6),
    decimal(Mass, "t", 3),
    ratio(Mass, "lb", 0, 45_359_237.0, 1e8),
    decimal(Time, "s", 0),
    decimal(Time, "ms", -3),
    decimal(Time, "us", -6),
    ratio(Time, "min", 0, 60.0, 1.0),
    ratio(Time, "h", 0, 3600.0, 1.0),
    decimal(Velocity, "m/s", 0),
    decimal(Velocity, "mm/s", -3),
    decimal(Velocity, "cm/s", -2),
    decimal(Velocity, "km/s", 3),
    ratio(Velocity, "km/h", 3, 1.0, 3600.0),
    decimal(AngularVelocity, "rad/s", 0),
    decimal(AngularVelocity, "mrad/s", -3),
    ratio(AngularVelocity, "deg/s", 0, PI, 180.0),
    ratio(AngularVelocity, "rpm", 0, PI, 30.0),
    decimal(Acceleration, "m/s2", 0),
    decimal(Acceleration, "mm/s2", -3),
    decimal(Acceleration, "cm/s2", -2),
    decimal(Density, "kg/m3", 0),
    decimal(Density, "kg/dm3", 3),
    decimal(Density, "g/cm3", 3),
    decimal(Density, "t/m3", 3),
    decimal(Pressure, "Pa", 0),
    decimal(Pressure, "kPa", 3),
    decimal(Pressure, "MPa", 6),
    decimal(Pressure, "GPa", 9),
    decimal(Pressure, "bar", 5),
    decimal(Pressure, "N/m2", 0),
    decimal(Pressure, "N/mm2", 6),
    decimal(Inertia, "kg.m2", 0),
    decimal(Inertia, "kg.cm2", -4),
    decimal(Inertia, "kg.mm2", -6),
    decimal(Inertia, "g.m2", -3),
    decimal(Inertia, "g.cm2", -7),
    decimal(Inertia, "g.mm2", -9),
    decimal(InverseVelocity, "s/m", 0),
    decimal(InverseVelocity, "s/mm", 3),
    decimal(GravitationalParameter, "m3/s2", 0),
    decimal(GravitationalParameter, "km3/s2", 9),
    decimal(Force, "N", 0),
    decimal(Force, "mN", -3),
    decimal(Force, "kN", 3),
    decimal(Area, "m2", 0),
    decimal(Area, "cm2", -4),
    decimal(Area, "mm2", -6),
    decimal(Stiffness, "N/m", 0),
    decimal(Stiffness, "kN/m", 3),
    decimal(Stiffness, "N/mm", 3),
    decimal(Stiffness, "kN/mm", 6),
    decimal(LinearDamping, "N.s/m", 0),
    decimal(LinearDamping, "kN.s/m", 3),
    decimal(LinearDamping, "N.s/mm", 3),
    decimal(Force, "MN", 6),
    ratio(Force, "lbf", 0, 44_482_216_152_605.0, 1e13),
    decimal(Torque, "N.m", 0),
    decimal(Torque, "mN.m", -3),
    decimal(Torque, "N.mm", -3),
    decimal(Torque, "kN.m", 3),
    decimal(RotationalStiffness, "N.m/rad", 0),
    decimal(RotationalStiffness, "N.mm/rad", -3),
    decimal(RotationalStiffness, "kN.m/rad", 3),
    ratio(RotationalStiffness, "N.m/deg", 0, 180.0, PI),
    ratio(RotationalStiffness, "N.mm/deg", -3, 180.0, PI),
    ratio(RotationalStiffness, "kN.m/deg", 3, 180.0, PI),
    decimal(RotationalDamping, "N.m.s/rad", 0),
    decimal(RotationalDamping, "N.m.s", 0),
    decimal(RotationalDamping, "N.mm.s/rad", -3),
    decimal(RotationalDamping, "kN.m.s/rad", 3),
    ratio(RotationalDamping, "N.m.s/deg", 0, 180.0, PI),
    ratio(RotationalDamping, "N.mm.s/deg", -3, 180.0, PI),
    decimal(Frequency, "Hz", 0),
    decimal(Frequency, "mHz", -3),
    decimal(Frequency, "kHz", 3),
    decimal(Number, "1", 0),
    decimal(Number, "%", -2),
];

/// Symbols of all units.
#[cfg(test)]
pub(super) fn symbols() -> impl Iterator<Item = &'static str> {
    UNITS.iter().map(|unit| unit.symbol)
}

/// Power of ten of a unit that is one of its quantity's SI unit.
pub(super) fn power_of_ten(quantity: Quantity, symbol: &str) -> Option<i32> {
    let mut units = quantity.units();
    let unit = units.find(|unit| unit.symbol == symbol)?;
    (unit.numerator == unit.denominator).then_some(unit.exponent)
}

/// A number and the canonical spelling of the unit behind it.
pub(super) fn split(text: &str) -> (&str, String) {
    let trimmed = text.trim();
    let (number, symbol) = trimmed.split_at(number_length(trimmed));
    (number, canonical(symbol))
}

impl Quantity {
    /// The quantity in words, with its article.
    pub fn words(self) -> &'static str {
        match self {
            Length => "a length",
            Angle => "an angle",
            Mass => "a mass",
            Time => "a time",
            Velocity => "a velocity",
            AngularVelocity => "an angular velocity",
            Acceleration => "an acceleration",
            Density => "a density",
            Pressure => "a pressure",
            Inertia => "a moment of inertia",
            InverseVelocity => "a damping coefficient",
            GravitationalParameter => "a gravitational parameter",
            Force => "a force",
            Area => "an area",
            Stiffness => "a stiffness",
            LinearDamping => "a linear damping",
            Torque => "a torque",
            RotationalStiffness => "a rotational stiffness",
            RotationalDamping => "a rotational damping",
            Frequency => "a frequency",
            Number => "a number",
        }
    }

    /// What a value may look like: `a length in m such as 0.2 or "200 mm"`.
    pub fn expected(self) -> &'static str {
        match self {
            Length => "a length in m such as 0.2 or \"200 mm\"",
            Angle => "an angle in rad such as 0.5 or \"30 deg\"",
            Mass => "a mass in kg such as 2 or \"500 g\"",
            Time => "a time in s such as 0.01 or \"10 ms\"",
            Velocity => "a velocity in m/s such as 2 or \"1.5 km/h\"",
            AngularVelocity => "an angular velocity in rad/s such as 10 or \"90 deg/s\"",
            Acceleration => "an acceleration in m/s2 such as -9.81 or \"20 mm/s2\"",
            Density => "a density in kg/m3 such as 8000 or \"8 g/cm3\"",
            Pressure => "a pressure in Pa such as 2e11 or \"210 GPa\"",
            Inertia => "a moment of inertia in kg.m2 such as 0.1 or \"200 kg.mm2\"",
            InverseVelocity => "a damping coefficient in s/m such as 1000 or \"1 s/mm\"",
            GravitationalParameter => {
                "a gravitational parameter in m3/s2 such as 3.986e14 or \"398600 km3/s2\""
            }
            Force => "a force in N such as 5 or \"1 kN\"",
            Area => "an area in m2 such as 0.01 or \"100 cm2\"",
            Stiffness => "a stiffness in N/m such as 1e6 or \"1 kN/mm\"",
            LinearDamping => "a linear damping in N.s/m such as 100 or \"0.1 N.s/mm\"",
            Torque => "a torque in N.m such as 0.5 or \"20 N.mm\"",
            RotationalStiffness => {
                "a rotational stiffness in N.m/rad such as 10 or \"0.2 N.m/deg\""
            }
            RotationalDamping => {
                "a rotational damping in N.m.s/rad such as 0.1 or \"20 N.mm.s/rad\""
            }
            Frequency => "a frequency in Hz such as 50 or \"1 kHz\"",
            Number => "a number such as 0.5 or \"50 %\"",
        }
    }

    fn units(self) -> impl Iterator<Item = &'static Unit> {
        UNITS.iter().filter(move |unit| unit.quantity == self)
    }

    fn unit_list(self) -> String {
        let symbols: Vec<&str> = self.units().map(|unit| unit.symbol).collect();
        symbols.join(", ")
    }

    /// SI value of a number with a unit, or what is wrong with it, to follow `is "20 mm"`.
    pub fn parse(self, text: &str) -> Result<f64, String> {
        let trimmed = text.trim();
        let (number, symbol) = trimmed.split_at(number_length(trimmed));
        if number.is_empty() {
            return Err(format!("; expected {}", self.expected()));
        }
        if symbol.trim().is_empty() {
            return Err(format!(
                ", which has no unit; write {number} without quotes, or add one of {}",
                self.unit_list()
            ));
        }
        let canonical = canonical(symbol);
        match self.units().find(|unit| unit.symbol == canonical) {
            Some(unit) => convert(number, unit)
                .ok_or_else(|| ", which is too large; must be a finite number".to_owned()),
            None => Err(self.wrong_unit(symbol.trim(), &canonical)),
        }
    }

    fn wrong_unit(self, symbol: &str, canonical: &str) -> String {
        let list = self.unit_list();
        match UNITS.iter().find(|unit| unit.symbol == canonical) {
            Some(unit) => format!(
                "; {symbol:?} is {} unit, expected {} in one of {list}",
                unit.quantity.words(),
                self.words()
            ),
            None => format!(
                "; the unit {symbol:?} is not known, expected {} in one of {list}",
                self.words()
            ),
        }
    }
}

/// Length of the decimal number at the start of a text, 0 where there is none.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let sign = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut end = sign(0);
    let whole = digits(end);
    end += whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        if whole + fraction > 0 {
            end += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return 0;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let start = end + 1 + sign(end + 1);
        let exponent = digits(start);
        if exponent > 0 {
            end = start + exponent;
        }
    }
    end
}

/// The one spelling of a unit that the table has.
fn canonical(symbol: &str) -> String {
    let mut result = String::new();
    for c in symbol.trim().chars() {
        match c {
            '^' => {}
            '*' | '.' | '\u{b7}' | '\u{22c5}' => result.push('.'),
            '\u{b2}' => result.push('2'),
            '\u{b3}' => result.push('3'),
            '\u{b5}' | '\u{3bc}' => result.push('u'),
            '\u{b0}' => result.push_str("deg"),
            c if c.is_whitespace() => {
                if !result.ends_with(['.', '/']) {
                    result.push('.');
                }
            }
            c => result.push(c),
        }
    }
    result.replace("..", ".").replace("./", "/")
}

/// SI value; none where it is not finite.
fn convert(number: &str, unit: &Unit) -> Option<f64> {
    let (digits, exponent) = match number.split_once(['e', 'E']) {
        // An exponent beyond i32 is zero or infinite either way.
        Some((digits, exponent)) => (
            digits,
            exponent.parse().unwrap_or(if exponent.starts_with('-') {
                i32::MIN
            } else {
                i32::MAX
            }),
        ),
        None => (number, 0),
    };
    let exponent = exponent.saturating_add(unit.exponent);
    let scaled: f64 = format!("{digits}e{exponent}").parse().ok()?;
    Some(scaled * unit.numerator / unit.denominator).filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Value, unit, SI value: from the definitions of the units, typed by hand.
    #[test]
    fn units_have_their_defined_factors() {
        let cases: &[(Quantity, &str, f64)] = &[
            (Length, "20 mm", 0.02),
            (Length, "9 mm", 0.009),
            (Length, "0.7mm", 0.0007),
            (Length, "-50 mm", -0.05),
            (Length, "2.5 km", 2500.0),
            (Length, "3 cm", 0.03),
            (Length, "7 um", 7e-6),
            (Length, "7 \u{b5}m", 7e-6),
            (Length, "5 nm", 5e-9),
            (Length, "1 in", 0.0254),
            (Length, "10 ft", 3.048),
            (Length, "+1.5e-1 m", 0.15),
            (Length, ".5 m", 0.5),
            (Length, "5. m", 5.0),
            (Angle, "1 rad", 1.0),
            (Angle, "2 mrad", 0.002),
            (Angle, "180 deg", PI),
            (Angle, "30 deg", PI / 6.0),
            (Angle, "90\u{b0}", PI / 2.0),
            (Angle, "1 rev", 2.0 * PI),
            (Mass, "2 kg", 2.0),
            (Mass, "5 g", 0.005),
            (Mass, "5 mg", 5e-6),
            (Mass, "1.2 t", 1200.0),
            (Mass, "100 lb", 45.359237),
            (Time, "3 s", 3.0),
            (Time, "1 ms", 1e-3),
            (Time, "4 us", 4e-6),
            (Time, "2 min", 120.0),
            (Time, "1.5 h", 5400.0),
            (Velocity, "36 km/h", 10.0),
            (Velocity, "1.8 km/h", 0.5),
            (Velocity, "4 m/s", 4.0),
            (Velocity, "4 mm/s", 0.004),
            (Velocity, "4 cm/s", 0.04),
            (Velocity, "7.9 km/s", 7900.0),
            (AngularVelocity, "2 rad/s", 2.0),
            (AngularVelocity, "2 mrad/s", 0.002),
            (AngularVelocity, "360 deg/s", 2.0 * PI),
            (AngularVelocity, "60 rpm", 2.0 * PI),
            (Acceleration, "-9.81 m/s^2", -9.81),
            (Acceleration, "5 mm/s2", 0.005),
            (Acceleration, "981 cm/s2", 9.81),
            (Density, "8000 kg/m3", 8000.0),
            (Density, "8 g/cm3", 8000.0),
            (Density, "7.85 g/cm^3", 7850.0),
            (Density, "7.85 kg/dm3", 7850.0),
            (Density, "2.7 t/m\u{b3}", 2700.0),
            (Pressure, "210 GPa", 210e9),
            (Pressure, "3 MPa", 3e6),
            (Pressure, "3 kPa", 3e3),
            (Pressure, "1.01325 bar", 101325.0),
            (Pressure, "70 N/mm2", 70e6),
            (Pressure, "7 N/m2", 7.0),
            (Pressure, "7 Pa", 7.0),
            (Inertia, "2 kg.m2", 2.0),
            (Inertia, "2 kg*mm2", 2e-6),
            (Inertia, "2 kg mm^2", 2e-6),
            (Inertia, "2 kg \u{b7} mm\u{b2}", 2e-6),
            (Inertia, "2 kg cm2", 2e-4),
            (Inertia, "2 g.m2", 2e-3),
            (Inertia, "2 g.cm2", 2e-7),
            (Inertia, "2 g mm2", 2e-9),
            (InverseVelocity, "1 s/mm", 1000.0),
            (InverseVelocity, "7 s / m", 7.0),
            (GravitationalParameter, "398600 km3/s2", 3.986e14),
            (GravitationalParameter, "5 m3/s2", 5.0),
            (Force, "1 kN", 1000.0),
            (Force, "3 N", 3.0),
            (Force, "3 mN", 0.003),
            (Area, "0.5 m2", 0.5),
            (Area, "100 cm2", 0.01),
            (Area, "3 mm^2", 3e-6),
            (Stiffness, "7 N/m", 7.0),
            (Stiffness, "7 kN/m", 7000.0),
            (Stiffness, "0.2 N/mm", 200.0),
            (Stiffness, "0.3 kN/mm", 3e5),
            (LinearDamping, "7 N.s/m", 7.0),
            (LinearDamping, "7 kN*s/m", 7000.0),
            (LinearDamping, "7 N s/mm", 7000.0),
            (Force, "2 MN", 2e6),
            // 0.45359237 kg * 9.80665 m/s2.
            (Force, "1 lbf", 4.4482216152605),
            (Torque, "3 N.m", 3.0),
            (Torque, "3 N mm", 0.003),
            (Torque, "3 mN.m", 0.003),
            (Torque, "1.5 kN*m", 1500.0),
            (RotationalStiffness, "3 N.m/rad", 3.0),
            (RotationalStiffness, "3 N mm / rad", 0.003),
            (RotationalStiffness, "0.3 kN*m/rad", 300.0),
            // One degree is pi/180 rad.
            (RotationalStiffness, "2 N.m/deg", 360.0 / PI),
            (RotationalStiffness, "2 N.mm/\u{b0}", 0.36 / PI),
            (RotationalStiffness, "2 kN.m/deg", 360e3 / PI),
            (RotationalDamping, "3 N.m.s/rad", 3.0),
            (RotationalDamping, "3 N m s", 3.0),
            (RotationalDamping, "3 N.mm.s/rad", 0.003),
            (RotationalDamping, "3 kN.m.s/rad", 3000.0),
            (RotationalDamping, "2 N.m.s/deg", 360.0 / PI),
            (RotationalDamping, "2 N.mm.s/deg", 0.36 / PI),
            (Frequency, "50 Hz", 50.0),
            (Frequency, "50 mHz", 0.05),
            (Frequency, "2 kHz", 2000.0),
            (Number, "5 %", 0.05),
            (Number, "7 1", 7.0),
        ];
        for (quantity, text, expected) in cases {
            let value = quantity.parse(text).unwrap();
            assert!(
                (value - expected).abs() <= f64::EPSILON * expected.abs(),
                "{text}: {value} instead of {expected}"
            );
        }
        for unit in UNITS {
            assert!(
                cases.iter().any(|(quantity, text, _)| {
                    *quantity == unit.quantity
                        && canonical(&text[number_length(text)..]) == unit.symbol
                }),
                "{} is not tested",
                unit.symbol
            );
        }
    }

    #[test]
    fn decimal_units_give_the_nearest_number() {
        for n in 1..2000 {
            for (unit, exponent) in [("mm", -3), ("um", -6), ("km", 3), ("cm", -2)] {
                let text = format!("{n}.{n} {unit}");
                let nearest: f64 = format!("{n}.{n}e{exponent}").parse().unwrap();
                assert_eq!(Length.parse(&text), Ok(nearest), "{text}");
            }
        }
    }

    #[test]
    fn symbols_are_unique() {
        for (index, unit) in UNITS.iter().enumerate() {
            assert!(UNITS[..index].iter().all(|u| u.symbol != unit.symbol));
            assert_eq!(canonical(unit.symbol), unit.symbol);
        }
    }

    #[test]
    fn a_unit_of_another_quantity_is_named() {
        assert_eq!(
            Length.parse("2 kg").unwrap_err(),
            "; \"kg\" is a mass unit, expected a length in one of m, km, cm, mm, um, nm, in, ft"
        );
        assert_eq!(
            Mass.parse("2 kN").unwrap_err(),
            "; \"kN\" is a force unit, expected a mass in one of kg, g, mg, t, lb"
        );
    }

    #[test]
    fn an_unknown_unit_lists_the_known_ones() {
        assert_eq!(
            Time.parse("3 sec").unwrap_err(),
            "; the unit \"sec\" is not known, expected a time in one of s, ms, us, min, h"
        );
        assert_eq!(
            Number.parse("3 MM").unwrap_err(),
            "; the unit \"MM\" is not known, expected a number in one of 1, %"
        );
    }

    #[test]
    fn a_string_without_unit_or_number_is_refused() {
        assert_eq!(
            Mass.parse("2").unwrap_err(),
            ", which has no unit; write 2 without quotes, or add one of kg, g, mg, t, lb"
        );
        for text in [
            "", "abc", "kg", "-", ".", "e5 kg", "inf kg", "nan kg", "--2 kg",
        ] {
            assert_eq!(
                Mass.parse(text).unwrap_err(),
                "; expected a mass in kg such as 2 or \"500 g\"",
                "{text:?}"
            );
        }
    }

    #[test]
    fn numbers_beyond_the_range_are_refused() {
        let too_large = Err(", which is too large; must be a finite number".to_owned());
        assert_eq!(Length.parse("1e306 km"), too_large);
        assert_eq!(Length.parse("1e99999999999 mm"), too_large);
        assert_eq!(Length.parse("1e-99999999999 km"), Ok(0.0));
    }
}
