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

use fmu_core::quantity::{DeclaredType, units};
use std::f64::consts::PI;

/// A physical quantity as scene files write it. The SI unit, which comes first, names it: the same one
/// that types of variables have.
pub struct Quantity {
    /// With its article.
    words: &'static str,
    /// Values as a scene file has them.
    examples: &'static str,
    units: &'static [Unit],
}

/// One unit: SI value = number * 10^exponent * numerator / denominator.
struct Unit {
    symbol: &'static str,
    exponent: i32,
    numerator: f64,
    denominator: f64,
}

const fn decimal(symbol: &'static str, exponent: i32) -> Unit {
    ratio(symbol, exponent, 1.0, 1.0)
}

const fn ratio(symbol: &'static str, exponent: i32, numerator: f64, denominator: f64) -> Unit {
    Unit {
        symbol,
        exponent,
        numerator,
        denominator,
    }
}

/// All quantities. Inch, foot and pound by the international agreement of 1959: 0.0254 m, 0.3048 m,
/// 0.45359237 kg; the force of a pound is that of standard gravity, 9.80665 m/s2, on it.
#[rustfmt::skip]
static QUANTITIES: [Quantity; 24] = [
    Quantity { words: "a length", examples: "0.2 or \"200 mm\"", units: &[
        decimal("m", 0), decimal("km", 3), decimal("cm", -2), decimal("mm", -3), decimal("um", -6),
        decimal("nm", -9), ratio("in", 0, 254.0, 1e4), ratio("ft", 0, 3048.0, 1e4),
    ] },
    Quantity { words: "an angle", examples: "0.5 or \"30 deg\"", units: &[
        decimal("rad", 0), decimal("mrad", -3), ratio("deg", 0, PI, 180.0), ratio("rev", 0, 2.0 * PI, 1.0),
    ] },
    Quantity { words: "a mass", examples: "2 or \"500 g\"", units: &[
        decimal("kg", 0), decimal("g", -3), decimal("mg", -6), decimal("t", 3),
        ratio("lb", 0, 45_359_237.0, 1e8),
    ] },
    Quantity { words: "a time", examples: "0.01 or \"10 ms\"", units: &[
        decimal("s", 0), decimal("ms", -3), decimal("us", -6), ratio("min", 0, 60.0, 1.0),
        ratio("h", 0, 3600.0, 1.0),
    ] },
    Quantity { words: "a velocity", examples: "2 or \"1.5 km/h\"", units: &[
        decimal("m/s", 0), decimal("mm/s", -3), decimal("cm/s", -2), decimal("km/s", 3),
        ratio("km/h", 3, 1.0, 3600.0),
    ] },
    Quantity { words: "an angular velocity", examples: "10 or \"90 deg/s\"", units: &[
        decimal("rad/s", 0), decimal("mrad/s", -3), ratio("deg/s", 0, PI, 180.0), ratio("rpm", 0, PI, 30.0),
    ] },
    Quantity { words: "an acceleration", examples: "-9.81 or \"20 mm/s2\"", units: &[
        decimal("m/s2", 0), decimal("mm/s2", -3), decimal("cm/s2", -2),
    ] },
    Quantity { words: "a density", examples: "8000 or \"8 g/cm3\"", units: &[
        decimal("kg/m3", 0), decimal("kg/dm3", 3), decimal("g/cm3", 3), decimal("t/m3", 3),
    ] },
    Quantity { words: "a pressure", examples: "2e11 or \"210 GPa\"", units: &[
        decimal("Pa", 0), decimal("kPa", 3), decimal("MPa", 6), decimal("GPa", 9), decimal("bar", 5),
        decimal("N/m2", 0), decimal("N/mm2", 6),
    ] },
    Quantity { words: "a moment of inertia", examples: "0.1 or \"200 kg.mm2\"", units: &[
        decimal("kg.m2", 0), decimal("kg.cm2", -4), decimal("kg.mm2", -6), decimal("g.m2", -3),
        decimal("g.cm2", -7), decimal("g.mm2", -9),
    ] },
    Quantity { words: "a damping coefficient", examples: "1000 or \"1 s/mm\"", units: &[
        decimal("s/m", 0), decimal("s/mm", 3),
    ] },
    Quantity { words: "a gravitational parameter", examples: "3.986e14 or \"398600 km3/s2\"", units: &[
        decimal("m3/s2", 0), decimal("km3/s2", 9),
    ] },
    Quantity { words: "a force", examples: "5 or \"1 kN\"", units: &[
        decimal("N", 0), decimal("mN", -3), decimal("kN", 3), decimal("MN", 6),
        ratio("lbf", 0, 44_482_216_152_605.0, 1e13),
    ] },
    Quantity { words: "an area", examples: "0.01 or \"100 cm2\"", units: &[
        decimal("m2", 0), decimal("cm2", -4), decimal("mm2", -6),
    ] },
    Quantity { words: "a stiffness", examples: "1e6 or \"1 kN/mm\"", units: &[
        decimal("N/m", 0), decimal("kN/m", 3), decimal("N/mm", 3), decimal("kN/mm", 6),
    ] },
    Quantity { words: "a stiffness per area", examples: "1e9 or \"1 N/mm3\"", units: &[
        decimal("N/m3", 0), decimal("N/mm3", 9), decimal("kN/mm3", 12), decimal("N/cm3", 6),
        decimal("Pa/m", 0), decimal("MPa/m", 6), decimal("GPa/m", 9), decimal("MPa/mm", 9),
    ] },
    Quantity { words: "a linear damping", examples: "100 or \"0.1 N.s/mm\"", units: &[
        decimal("N.s/m", 0), decimal("kN.s/m", 3), decimal("N.s/mm", 3),
    ] },
    Quantity { words: "a torque", examples: "0.5 or \"20 N.mm\"", units: &[
        decimal("N.m", 0), decimal("mN.m", -3), decimal("N.mm", -3), decimal("kN.m", 3),
    ] },
    Quantity { words: "a rotational stiffness", examples: "10 or \"0.2 N.m/deg\"", units: &[
        decimal("N.m/rad", 0), decimal("N.mm/rad", -3), decimal("kN.m/rad", 3),
        ratio("N.m/deg", 0, 180.0, PI), ratio("N.mm/deg", -3, 180.0, PI), ratio("kN.m/deg", 3, 180.0, PI),
    ] },
    Quantity { words: "a rotational damping", examples: "0.1 or \"20 N.mm.s/rad\"", units: &[
        decimal("N.m.s/rad", 0), decimal("N.m.s", 0), decimal("N.mm.s/rad", -3), decimal("kN.m.s/rad", 3),
        ratio("N.m.s/deg", 0, 180.0, PI), ratio("N.mm.s/deg", -3, 180.0, PI),
    ] },
    Quantity { words: "an impulse", examples: "5 or \"2 kN.s\"", units: &[
        decimal("N.s", 0), decimal("mN.s", -3), decimal("kN.s", 3),
    ] },
    Quantity { words: "a moment of impulse", examples: "0.1 or \"20 N.mm.s\"", units: &[
        decimal("N.m.s", 0), decimal("N.mm.s", -3), decimal("kN.m.s", 3),
    ] },
    Quantity { words: "a frequency", examples: "50 or \"1 kHz\"", units: &[
        decimal("Hz", 0), decimal("mHz", -3), decimal("kHz", 3),
    ] },
    Quantity { words: "a number", examples: "0.5 or \"50 %\"", units: &[
        decimal("1", 0), decimal("%", -2),
    ] },
];

/// SI unit of a pure number.
const NUMBER: &str = "1";

/// Symbols of all units.
#[cfg(test)]
pub(super) fn symbols() -> impl Iterator<Item = &'static str> {
    QUANTITIES
        .iter()
        .flat_map(|quantity| quantity.units.iter().map(|unit| unit.symbol))
}

/// Power of ten of a unit that is one of its quantity's SI unit.
pub(super) fn power_of_ten(declared: DeclaredType, symbol: &str) -> Option<i32> {
    let mut units = Quantity::of(declared).units.iter();
    let unit = units.find(|unit| unit.symbol == symbol)?;
    (unit.numerator == unit.denominator).then_some(unit.exponent)
}

/// A number and the canonical spelling of the unit behind it.
pub(super) fn split(text: &str) -> (&str, String) {
    let trimmed = text.trim();
    let (number, symbol) = trimmed.split_at(number_length(trimmed));
    (number, canonical(symbol))
}

/// All quantities.
pub fn all() -> impl Iterator<Item = &'static Quantity> {
    QUANTITIES.iter()
}

impl Quantity {
    /// The quantity whose SI unit a type has; a pure number if it has none.
    pub fn of(declared: DeclaredType) -> &'static Self {
        let known = Self::of_symbol(declared.unit);
        known.unwrap_or(&QUANTITIES[QUANTITIES.len() - 1])
    }

    /// The quantity that has this SI unit, a pure number without one; none if the unit is not known.
    pub fn of_symbol(symbol: Option<&str>) -> Option<&'static Self> {
        let symbol = symbol.unwrap_or(NUMBER);
        let mut all = QUANTITIES.iter();
        all.find(|quantity| quantity.units[0].symbol == symbol)
    }

    /// What a value may look like: `a length in m such as 0.2 or "200 mm"`.
    pub fn expected(&self) -> String {
        let unit = match self.units[0].symbol {
            NUMBER => String::new(),
            symbol => format!(" in {symbol}"),
        };
        format!("{}{unit} such as {}", self.words, self.examples)
    }

    /// The quantity in words, with its article.
    pub fn words(&self) -> &'static str {
        self.words
    }

    /// A regular expression for texts with a number and a unit.
    pub fn pattern(&self) -> String {
        let units: Vec<String> = self.symbols().into_iter().map(spellings).collect();
        format!("^\\s*{NUMBER_PATTERN}\\s*({})\\s*$", units.join("|"))
    }

    /// The symbols of its units.
    pub fn symbols(&self) -> Vec<&'static str> {
        self.units.iter().map(|unit| unit.symbol).collect()
    }

    /// SI value of a number with a unit, or what is wrong with it, to follow `is "20 mm"`.
    pub fn parse(&self, text: &str) -> Result<f64, String> {
        let trimmed = text.trim();
        let (number, symbol) = trimmed.split_at(number_length(trimmed));
        if number.is_empty() {
            return Err(format!("; expected {}", self.expected()));
        }
        if symbol.trim().is_empty() {
            return Err(format!(
                ", which has no unit; write {number} without quotes, or add one of {}",
                self.symbols().join(", ")
            ));
        }
        let canonical = canonical(symbol);
        match self.units.iter().find(|unit| unit.symbol == canonical) {
            Some(unit) => convert(number, unit)
                .ok_or_else(|| ", which is too large; must be a finite number".to_owned()),
            None => Err(self.wrong_unit(symbol.trim(), &canonical)),
        }
    }

    fn wrong_unit(&self, symbol: &str, canonical: &str) -> String {
        let list = self.symbols().join(", ");
        let mut others = QUANTITIES.iter();
        match others.find(|other| other.symbols().contains(&canonical)) {
            Some(other) => format!(
                "; {symbol:?} is {} unit, expected {} in one of {list}",
                other.words, self.words
            ),
            None => format!(
                "; the unit {symbol:?} is not known, expected {} in one of {list}",
                self.words
            ),
        }
    }
}

/// A decimal number, as a regular expression.
const NUMBER_PATTERN: &str = "[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?";

/// A regular expression for texts with a number and a unit N/m^n with any exponent n.
pub fn power_pattern() -> String {
    let symbols = |declared| Quantity::of(declared).symbols().join("|");
    let [force, length] = [units::FORCE, units::LENGTH].map(symbols);
    format!(
        "^\\s*{NUMBER_PATTERN}\\s*({force})\\s*/\\s*({length})([\u{b2}\u{b3}]|\\^?[0-9.]+)?\\s*$"
    )
}

/// A regular expression for the spellings of a unit that [`canonical`] reads.
fn spellings(symbol: &str) -> String {
    let mut pattern = String::new();
    for c in symbol.replace("deg", "\u{b0}").chars() {
        match c {
            '.' => pattern.push_str("\\s*[.*\u{b7}\u{22c5} ]\\s*"),
            '/' => pattern.push_str("\\s*/\\s*"),
            '2' => pattern.push_str("(\\^?2|\u{b2})"),
            '3' => pattern.push_str("(\\^?3|\u{b3})"),
            'u' => pattern.push_str("[u\u{b5}\u{3bc}]"),
            '\u{b0}' => pattern.push_str("(deg|\u{b0})"),
            c => pattern.push(c),
        }
    }
    pattern
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
    use fmu_core::quantity::units::*;

    /// Value, unit, SI value: from the definitions of the units, typed by hand.
    #[test]
    fn units_have_their_defined_factors() {
        let cases: &[(DeclaredType, &str, f64)] = &[
            (LENGTH, "20 mm", 0.02),
            (LENGTH, "9 mm", 0.009),
            (LENGTH, "0.7mm", 0.0007),
            (LENGTH, "-50 mm", -0.05),
            (LENGTH, "2.5 km", 2500.0),
            (LENGTH, "3 cm", 0.03),
            (LENGTH, "7 um", 7e-6),
            (LENGTH, "7 \u{b5}m", 7e-6),
            (LENGTH, "5 nm", 5e-9),
            (LENGTH, "1 in", 0.0254),
            (LENGTH, "10 ft", 3.048),
            (LENGTH, "+1.5e-1 m", 0.15),
            (LENGTH, ".5 m", 0.5),
            (LENGTH, "5. m", 5.0),
            (ANGLE, "1 rad", 1.0),
            (ANGLE, "2 mrad", 0.002),
            (ANGLE, "180 deg", PI),
            (ANGLE, "30 deg", PI / 6.0),
            (ANGLE, "90\u{b0}", PI / 2.0),
            (ANGLE, "1 rev", 2.0 * PI),
            (MASS, "2 kg", 2.0),
            (MASS, "5 g", 0.005),
            (MASS, "5 mg", 5e-6),
            (MASS, "1.2 t", 1200.0),
            (MASS, "100 lb", 45.359237),
            (TIME, "3 s", 3.0),
            (TIME, "1 ms", 1e-3),
            (TIME, "4 us", 4e-6),
            (TIME, "2 min", 120.0),
            (TIME, "1.5 h", 5400.0),
            (VELOCITY, "36 km/h", 10.0),
            (VELOCITY, "1.8 km/h", 0.5),
            (VELOCITY, "4 m/s", 4.0),
            (VELOCITY, "4 mm/s", 0.004),
            (VELOCITY, "4 cm/s", 0.04),
            (VELOCITY, "7.9 km/s", 7900.0),
            (ANGULAR_VELOCITY, "2 rad/s", 2.0),
            (ANGULAR_VELOCITY, "2 mrad/s", 0.002),
            (ANGULAR_VELOCITY, "360 deg/s", 2.0 * PI),
            (ANGULAR_VELOCITY, "60 rpm", 2.0 * PI),
            (ACCELERATION, "-9.81 m/s^2", -9.81),
            (ACCELERATION, "5 mm/s2", 0.005),
            (ACCELERATION, "981 cm/s2", 9.81),
            (DENSITY, "8000 kg/m3", 8000.0),
            (DENSITY, "8 g/cm3", 8000.0),
            (DENSITY, "7.85 g/cm^3", 7850.0),
            (DENSITY, "7.85 kg/dm3", 7850.0),
            (DENSITY, "2.7 t/m\u{b3}", 2700.0),
            (MODULUS, "210 GPa", 210e9),
            (MODULUS, "3 MPa", 3e6),
            (MODULUS, "3 kPa", 3e3),
            (MODULUS, "1.01325 bar", 101325.0),
            (MODULUS, "70 N/mm2", 70e6),
            (MODULUS, "7 N/m2", 7.0),
            (MODULUS, "7 Pa", 7.0),
            (INERTIA, "2 kg.m2", 2.0),
            (INERTIA, "2 kg*mm2", 2e-6),
            (INERTIA, "2 kg mm^2", 2e-6),
            (INERTIA, "2 kg \u{b7} mm\u{b2}", 2e-6),
            (INERTIA, "2 kg cm2", 2e-4),
            (INERTIA, "2 g.m2", 2e-3),
            (INERTIA, "2 g.cm2", 2e-7),
            (INERTIA, "2 g mm2", 2e-9),
            (DAMPING, "1 s/mm", 1000.0),
            (DAMPING, "7 s / m", 7.0),
            (GRAVITATIONAL_PARAMETER, "398600 km3/s2", 3.986e14),
            (GRAVITATIONAL_PARAMETER, "5 m3/s2", 5.0),
            (FORCE, "1 kN", 1000.0),
            (FORCE, "3 N", 3.0),
            (FORCE, "3 mN", 0.003),
            (AREA, "0.5 m2", 0.5),
            (AREA, "100 cm2", 0.01),
            (AREA, "3 mm^2", 3e-6),
            (STIFFNESS, "7 N/m", 7.0),
            (STIFFNESS, "7 kN/m", 7000.0),
            (STIFFNESS, "0.2 N/mm", 200.0),
            (STIFFNESS, "0.3 kN/mm", 3e5),
            (STIFFNESS_PER_AREA, "7 N/m3", 7.0),
            (STIFFNESS_PER_AREA, "0.3 N/cm3", 3e5),
            (STIFFNESS_PER_AREA, "2 N/mm^3", 2e9),
            (STIFFNESS_PER_AREA, "2 kN/mm3", 2e12),
            (STIFFNESS_PER_AREA, "7 Pa/m", 7.0),
            (STIFFNESS_PER_AREA, "3 MPa/m", 3e6),
            (STIFFNESS_PER_AREA, "3 GPa/m", 3e9),
            (STIFFNESS_PER_AREA, "3 MPa/mm", 3e9),
            (IMPULSE, "5 N.s", 5.0),
            (IMPULSE, "5 mN.s", 0.005),
            (IMPULSE, "2 kN s", 2000.0),
            (ANGULAR_IMPULSE, "3 N.m.s", 3.0),
            (ANGULAR_IMPULSE, "3 N.mm.s", 0.003),
            (ANGULAR_IMPULSE, "2 kN m s", 2000.0),
            (LINEAR_DAMPING, "7 N.s/m", 7.0),
            (LINEAR_DAMPING, "7 kN*s/m", 7000.0),
            (LINEAR_DAMPING, "7 N s/mm", 7000.0),
            (FORCE, "2 MN", 2e6),
            // 0.45359237 kg * 9.80665 m/s2.
            (FORCE, "1 lbf", 4.4482216152605),
            (TORQUE, "3 N.m", 3.0),
            (TORQUE, "3 N mm", 0.003),
            (TORQUE, "3 mN.m", 0.003),
            (TORQUE, "1.5 kN*m", 1500.0),
            (ROTATIONAL_STIFFNESS, "3 N.m/rad", 3.0),
            (ROTATIONAL_STIFFNESS, "3 N mm / rad", 0.003),
            (ROTATIONAL_STIFFNESS, "0.3 kN*m/rad", 300.0),
            // One degree is pi/180 rad.
            (ROTATIONAL_STIFFNESS, "2 N.m/deg", 360.0 / PI),
            (ROTATIONAL_STIFFNESS, "2 N.mm/\u{b0}", 0.36 / PI),
            (ROTATIONAL_STIFFNESS, "2 kN.m/deg", 360e3 / PI),
            (ROTATIONAL_DAMPING, "3 N.m.s/rad", 3.0),
            (ROTATIONAL_DAMPING, "3 N m s", 3.0),
            (ROTATIONAL_DAMPING, "3 N.mm.s/rad", 0.003),
            (ROTATIONAL_DAMPING, "3 kN.m.s/rad", 3000.0),
            (ROTATIONAL_DAMPING, "2 N.m.s/deg", 360.0 / PI),
            (ROTATIONAL_DAMPING, "2 N.mm.s/deg", 0.36 / PI),
            (FREQUENCY, "50 Hz", 50.0),
            (FREQUENCY, "50 mHz", 0.05),
            (FREQUENCY, "2 kHz", 2000.0),
            (COEFFICIENT, "5 %", 0.05),
            (COEFFICIENT, "7 1", 7.0),
        ];
        for (quantity, text, expected) in cases {
            let value = Quantity::of(*quantity).parse(text).unwrap();
            assert!(
                (value - expected).abs() <= f64::EPSILON * expected.abs(),
                "{text}: {value} instead of {expected}"
            );
        }
        for symbol in symbols() {
            let has_symbol = |text: &str| canonical(&text[number_length(text)..]) == symbol;
            let is_tested = cases.iter().any(|(_, text, _)| has_symbol(text));
            assert!(is_tested, "{symbol} is not tested");
        }
    }

    #[test]
    fn decimal_units_give_the_nearest_number() {
        for n in 1..2000 {
            for (unit, exponent) in [("mm", -3), ("um", -6), ("km", 3), ("cm", -2)] {
                let text = format!("{n}.{n} {unit}");
                let nearest: f64 = format!("{n}.{n}e{exponent}").parse().unwrap();
                assert_eq!(Quantity::of(LENGTH).parse(&text), Ok(nearest), "{text}");
            }
        }
    }

    #[test]
    fn symbols_are_unique() {
        let all: Vec<&str> = symbols().collect();
        for (index, symbol) in all.iter().enumerate() {
            // A damping per radian, and a moment of impulse.
            assert!(!all[..index].contains(symbol) || *symbol == "N.m.s");
            assert_eq!(canonical(symbol), *symbol);
        }
    }

    #[test]
    fn a_unit_of_another_quantity_is_named() {
        assert_eq!(
            Quantity::of(LENGTH).parse("2 kg").unwrap_err(),
            "; \"kg\" is a mass unit, expected a length in one of m, km, cm, mm, um, nm, in, ft"
        );
        assert_eq!(
            Quantity::of(MASS).parse("2 kN").unwrap_err(),
            "; \"kN\" is a force unit, expected a mass in one of kg, g, mg, t, lb"
        );
    }

    #[test]
    fn an_unknown_unit_lists_the_known_ones() {
        assert_eq!(
            Quantity::of(TIME).parse("3 sec").unwrap_err(),
            "; the unit \"sec\" is not known, expected a time in one of s, ms, us, min, h"
        );
        assert_eq!(
            Quantity::of(COEFFICIENT).parse("3 MM").unwrap_err(),
            "; the unit \"MM\" is not known, expected a number in one of 1, %"
        );
    }

    #[test]
    fn a_string_without_unit_or_number_is_refused() {
        assert_eq!(
            Quantity::of(MASS).parse("2").unwrap_err(),
            ", which has no unit; write 2 without quotes, or add one of kg, g, mg, t, lb"
        );
        for text in [
            "", "abc", "kg", "-", ".", "e5 kg", "inf kg", "nan kg", "--2 kg",
        ] {
            assert_eq!(
                Quantity::of(MASS).parse(text).unwrap_err(),
                "; expected a mass in kg such as 2 or \"500 g\"",
                "{text:?}"
            );
        }
    }

    #[test]
    fn numbers_beyond_the_range_are_refused() {
        let too_large = Err(", which is too large; must be a finite number".to_owned());
        assert_eq!(Quantity::of(LENGTH).parse("1e306 km"), too_large);
        assert_eq!(Quantity::of(LENGTH).parse("1e99999999999 mm"), too_large);
        assert_eq!(Quantity::of(LENGTH).parse("1e-99999999999 km"), Ok(0.0));
    }
}
