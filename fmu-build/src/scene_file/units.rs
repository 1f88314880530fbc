//! Physical quantities of a scene file: a number and a unit in, SI out.
//!
//! A bare number is in SI units. A string is a number and a unit of the key's quantity:
//! `"20 mm"`, `"8 g/cm3"`, `"2 kg*mm2"`. In a unit `.`, `*`, a middle dot and a space mean the
//! same, and `^` before an exponent may be written; `Nm`, `Nmm` and `Ns` are products too.
//!
//! A power of ten in a factor is added to the exponent of the decimal number before it is
//! rounded, so `"200 mm"` is the very number `0.2` and a scene keeps its token when units change.
//!
//! A stiffness of a power law has the exponent of the law in its unit: `"5e8 N/m^1.5"`, `"200 N/mm"`.
//! N/mm^n are 10^(3 n) N/m^n, lbf/in^n are 4.4482... / 0.0254^n N/m^n. Where the power of ten is whole it
//! is added to the exponent of the decimal number before it is rounded, as for all other units.
//!
//! The crate `uom` parses such strings too. It is not used: it scales in binary (`"9 mm"` is not
//! the number nearest to 0.009), knows no list of allowed units to show, and cannot say that a
//! unit belongs to another quantity.

pub use super::unit_table::Quantity;
use super::unit_table::{QUANTITIES, Unit};
use contact_geometry::math::real::powf;
use contact_laws::finding::Finding;
use contact_laws::quantity::{DeclaredType, units};

const NUMBER: &str = "1";

#[cfg(test)]
pub(super) fn symbols() -> impl Iterator<Item = &'static str> {
    QUANTITIES
        .iter()
        .flat_map(|quantity| quantity.units.iter().map(|unit| unit.symbol))
}

/// Factor of a unit of a quantity: a power of ten, and what it is multiplied with.
fn factor(declared: DeclaredType, symbol: &str) -> Option<(i32, f64)> {
    let mut units = Quantity::of(declared).units.iter();
    let unit = units.find(|unit| unit.symbol == symbol)?;
    Some((unit.exponent, unit.numerator / unit.denominator))
}

fn split(text: &str) -> (&str, String) {
    let trimmed = text.trim();
    let (number, symbol) = trimmed.split_at(number_length(trimmed));
    (number, canonical(symbol))
}

pub(crate) fn all() -> impl Iterator<Item = &'static Quantity> {
    QUANTITIES.iter()
}

impl Quantity {
    /// The quantity whose SI unit a type has; a pure number if it has none.
    pub(crate) fn of(declared: DeclaredType) -> &'static Self {
        let known = Self::of_symbol(declared.unit);
        known.unwrap_or(&QUANTITIES[QUANTITIES.len() - 1])
    }

    /// The quantity that has this SI unit, a pure number without one; none if the unit is not known.
    pub(crate) fn of_symbol(symbol: Option<&str>) -> Option<&'static Self> {
        let symbol = symbol.unwrap_or(NUMBER);
        let mut all = QUANTITIES.iter();
        all.find(|quantity| quantity.units[0].symbol == symbol)
    }

    /// What a value may look like: `a length in m such as 0.2 or "200 mm"`.
    pub(crate) fn expected(&self) -> String {
        let unit = match self.units[0].symbol {
            NUMBER => String::new(),
            symbol => format!(" in {symbol}"),
        };
        format!("{}{unit} such as {}", self.words, self.examples)
    }

    pub(crate) fn words(&self) -> &'static str {
        self.words
    }

    /// A regular expression for texts with a number and a unit.
    pub(crate) fn pattern(&self) -> String {
        let units: Vec<String> = self.symbols().into_iter().map(spellings).collect();
        format!("^\\s*{NUMBER_PATTERN}\\s*({})\\s*$", units.join("|"))
    }

    pub(crate) fn symbols(&self) -> Vec<&'static str> {
        self.units.iter().map(|unit| unit.symbol).collect()
    }

    /// SI value of a number with a unit, or what is wrong with it, to follow `is "20 mm"`.
    pub fn parse(&self, text: &str) -> Result<f64, Finding> {
        let trimmed = text.trim();
        let (number, symbol) = trimmed.split_at(number_length(trimmed));
        if number.is_empty() {
            return Err(format!("; expected {}", self.expected()).into());
        }
        if let Some(finding) = comma(trimmed, symbol) {
            return Err(finding);
        }
        if symbol.trim().is_empty() {
            let help = format!("write {number} without quotes, or add a unit");
            let finding = Finding::from((", which has no unit", help));
            return Err(finding.with_help(self.own_units()));
        }
        let canonical = canonical(symbol);
        match self.units.iter().find(|unit| unit.symbol == canonical) {
            Some(unit) => convert(number, unit)
                .ok_or_else(|| ", which is too large; must be a finite number".into()),
            None => Err(self.wrong_unit(symbol.trim(), &canonical)),
        }
    }

    fn wrong_unit(&self, symbol: &str, canonical: &str) -> Finding {
        let likely = self.likely(canonical);
        let mut others = QUANTITIES.iter();
        let other = others.find(|other| other.symbols().contains(&canonical));
        let finding = Finding::from(match other {
            Some(other) => format!(
                "; {symbol:?} is {} unit, expected {}",
                other.words, self.words
            ),
            None => format!("; the unit {symbol:?} is not known"),
        });
        let finding = match likely.as_slice() {
            [] => finding,
            likely => finding.with_help(format!("did you mean {}?", quoted(likely))),
        };
        finding.with_help(self.own_units())
    }

    /// Units that may be meant: those that differ in capitals only, what a name or a habit stands for, or
    /// those of the same letters. None that is only spelled like it: that would be off by powers of ten.
    fn likely(&self, canonical: &str) -> Vec<&'static str> {
        let symbols = self.symbols();
        let is_own = |symbol: &str| symbols.iter().find(|own| **own == symbol).copied();
        let small = canonical.to_lowercase();
        let mut own = symbols.iter().copied();
        let same: Vec<_> = own.by_ref().filter(|x| x.to_lowercase() == small).collect();
        if !same.is_empty() {
            return same;
        }
        let is_meant = |habits: &str| habits.split(' ').any(|habit| habit == small);
        let habits = HABITS.iter().filter(|(_, habits)| is_meant(habits));
        let meant: Vec<_> = habits.filter_map(|(symbol, _)| is_own(symbol)).collect();
        if !meant.is_empty() {
            return meant;
        }
        let letters = |symbol: &str| symbol.to_lowercase().replace(['.', '/', '-'], "");
        let wanted = letters(canonical);
        symbols
            .iter()
            .copied()
            .filter(|own| letters(own) == wanted)
            .collect()
    }

    /// `units of a length: m, km`.
    fn own_units(&self) -> String {
        format!("units of {}: {}", self.words, self.symbols().join(", "))
    }
}

/// Units, and what people write for each, in small letters.
const HABITS: &[(&str, &str)] = &[
    ("m", "meter metre"),
    ("mm", "millimeter millimetre"),
    ("um", "micron"),
    ("in", "inches \""),
    ("ft", "feet foot '"),
    ("mi", "mile miles"),
    ("mil", "thou"),
    ("deg", "degree degrees"),
    ("rad", "radian radians"),
    ("rev", "turn"),
    ("g", "gram"),
    ("kg", "kilogram kilo kilos"),
    ("lb", "lbs lbm pound pounds"),
    ("lbf", "lbs lb pound pounds"),
    ("oz", "ounce"),
    ("t", "ton tons tonne"),
    ("s", "sec second seconds"),
    ("ms", "msec"),
    ("min", "minute minutes"),
    ("h", "hr hour hours"),
    ("km/h", "kmh kph"),
    ("m/s", "m/sec mps"),
    ("ft/s", "fps"),
    ("rad/s", "rad/sec"),
    ("deg/s", "deg/sec"),
    ("rpm", "1/min u/min"),
    ("rev/s", "hz"),
    ("m/s2", "m/s/s m/sec2"),
    ("gn", "g"),
    ("g/cm3", "g/ccm g/cc g/ml"),
    ("kg/l", "kg/liter"),
    ("lb/in3", "pci lbm/in3"),
    ("lb/ft3", "lbm/ft3 pcf"),
    ("Pa", "pascal"),
    ("psi", "lb/in2"),
    ("lbf/ft2", "psf"),
    ("N", "newton newtons"),
    ("kgf", "kp"),
    ("kip", "kips"),
    ("lbf/in", "lb/in"),
    ("lbf/ft", "lb/ft"),
    ("N.m", "j nm"),
    ("N.mm", "nmm"),
    ("lbf.ft", "ft-lb ft-lbs ftlb ft.lb lb-ft lb.ft"),
    ("lbf.in", "in-lb in.lb lb-in lb.in"),
    ("%", "percent pct"),
];

/// `"mN" or "MN"`.
fn quoted(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    quoted.join(" or ")
}

/// A decimal number, as a regular expression.
const NUMBER_PATTERN: &str = "[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?";

/// A regular expression for texts with a number and a unit N/m^n with any exponent n.
pub(crate) fn power_pattern() -> String {
    let symbols = |declared| Quantity::of(declared).symbols().join("|");
    let [force, length] = [units::FORCE, units::LENGTH].map(symbols);
    format!(
        "^\\s*{NUMBER_PATTERN}\\s*({force})\\s*/\\s*({length})([\u{b2}\u{b3}]|\\^?[0-9.]+)?\\s*$"
    )
}

/// A regular expression for the spellings of a unit that [`canonical`] reads.
fn spellings(symbol: &str) -> String {
    let mut pattern = String::new();
    let symbol = symbol.replace("N.m", "N\u{b7}m").replace("N.c", "N\u{b7}c");
    let symbol = symbol.replace("N.s", "N\u{b7}s").replace("deg", "\u{b0}");
    for c in symbol.chars() {
        match c {
            // The one product that may be written without a sign.
            '\u{b7}' => pattern.push_str("\\s*[.*\u{b7}\u{22c5} ]?\\s*"),
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
            'm' | 'c' | 's' if result.ends_with('N') => {
                result.push('.');
                result.push(c);
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

/// SI value of a number in `unit`, or of one with a unit; what is wrong with it follows `is "500 s"`.
pub(crate) fn si_value(text: &str, unit: Option<&str>) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err("; must be a finite number".to_owned()),
        Err(_) => match Quantity::of_symbol(unit) {
            Some(quantity) => quantity.parse(text).map_err(|wrong| wrong.in_one_line()),
            None => Err(format!(
                "; expected a number in {} without its unit, which this tool does not know",
                unit.unwrap_or_default()
            )),
        },
    }
}

/// What is wrong with a text that has a comma in its number, before `rest`.
fn comma(text: &str, rest: &str) -> Option<Finding> {
    let behind = rest.strip_prefix(',')?;
    let is_digit = |c: char| c.is_ascii_digit();
    let unit = text.trim_start_matches(|c: char| is_digit(c) || "+-.,".contains(c));
    let number = &text[..text.len() - unit.len()];
    let digits = behind.len() - behind.trim_start_matches(is_digit).len();
    let bare = |sign: char| format!("{}{unit}", number.replace(sign, ""));
    let point = format!("{}{unit}", number.replace('.', "").replace(',', "."));
    let help = match (digits, number.matches(',').count()) {
        (0, _) => return None,
        (_, 1) if number.rfind('.') > number.rfind(',') => format!("write {:?}", bare(',')),
        (3, 1) if !number.contains('.') => format!("write {point:?} or {:?}", bare(',')),
        (_, 1) => format!("write {point:?}"),
        _ => format!("write {:?}", bare(',')),
    };
    Some(Finding::from((
        "; a number has a decimal point, no comma",
        help,
    )))
}

/// What a stiffness of a power law may look like.
const STIFFNESS_EXPECTED: &str = "expected a stiffness in N/m^n, with the exponent n of the law, such as 1e6, \"1 kN/mm\" or \"5e8 N/m^1.5\"";

/// Value [N/m^n] and exponent n of the unit, or what is wrong with the text, to follow `is "2 kg"`.
pub(crate) fn power_stiffness(text: &str) -> Result<(f64, f64), Finding> {
    let (number, unit) = split(text);
    if number.is_empty() {
        return Err(format!("; {STIFFNESS_EXPECTED}").into());
    }
    let trimmed = text.trim();
    if let Some(finding) = comma(trimmed, &trimmed[number.len()..]) {
        return Err(finding);
    }
    if unit.is_empty() {
        let help = format!("write {number} without quotes, or add a unit");
        return Err(Finding::from((", which has no unit", help)).with_help(STIFFNESS_EXPECTED));
    }
    let unknown = || {
        Finding::from((
            format!("; the unit {unit:?} is not known"),
            STIFFNESS_EXPECTED,
        ))
    };
    let (exponent, power, factor) = power_unit(&unit).ok_or_else(unknown)?;
    let value = if power == power.trunc() {
        scaled(number, power as i32).map(|n| n * factor)
    } else {
        number
            .parse()
            .ok()
            .map(|n: f64| n * powf(10.0, power) * factor)
    };
    match value.filter(|v| v.is_finite()) {
        Some(value) => Ok((value, exponent)),
        None => Err(", which is too large; must be a finite number".into()),
    }
}

/// Exponent of the length, power of ten and factor of a unit such as `kN/mm1.5`.
fn power_unit(unit: &str) -> Option<(f64, f64, f64)> {
    let (force, length) = unit.split_once('/')?;
    let digits = length.find(|c: char| c.is_ascii_digit());
    let (length, exponent) = length.split_at(digits.unwrap_or(length.len()));
    let exponent: f64 = match exponent {
        "" => 1.0,
        _ => exponent.parse().ok()?,
    };
    let (force, force_factor) = factor(units::FORCE, force)?;
    let (length, length_factor) = factor(units::LENGTH, length)?;
    let power = f64::from(force) - f64::from(length) * exponent;
    let factor = match length_factor == 1.0 {
        true => force_factor,
        false => force_factor / powf(length_factor, exponent),
    };
    (power.abs() < 1e6 && factor.is_finite()).then_some((exponent, power, factor))
}

/// number x 10^power, rounded once.
fn scaled(number: &str, power: i32) -> Option<f64> {
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent: i32 = exponent.parse().ok()?;
    format!("{digits}e{}", exponent.saturating_add(power))
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_laws::quantity::units::*;
    use std::f64::consts::PI;

    /// Value, unit, SI value: from the definitions of the units, typed by hand; of units that are not metric as
    /// the number nearest to the exact fraction.
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
            // Exact fractions of the definitions, to the nearest number.
            (LENGTH, "1 dm", 0.1),
            (LENGTH, "1 inch", 0.0254),
            (LENGTH, "1 ft", 0.3048),
            (LENGTH, "1 yd", 0.9144),
            (LENGTH, "1 mi", 1609.344),
            (LENGTH, "1 mil", 2.54e-05),
            (MASS, "1 ug", 1e-09),
            (MASS, "1 lb", 0.45359237),
            (MASS, "1 oz", 0.028349523125),
            (MASS, "1 slug", 14.593902937206364),
            (TIME, "1 ns", 1e-09),
            (TIME, "1 min", 60.0),
            (TIME, "1 h", 3600.0),
            (TIME, "1 d", 86400.0),
            (VELOCITY, "1 km/h", 0.2777777777777778),
            (VELOCITY, "1 m/min", 0.016666666666666666),
            (VELOCITY, "1 mm/min", 1.6666666666666667e-05),
            (VELOCITY, "1 in/s", 0.0254),
            (VELOCITY, "1 ft/s", 0.3048),
            (VELOCITY, "1 mph", 0.44704),
            (ACCELERATION, "1 in/s2", 0.0254),
            (ACCELERATION, "1 ft/s2", 0.3048),
            (ACCELERATION, "1 gn", 9.80665),
            (DENSITY, "1 kg/l", 1000.0),
            (DENSITY, "1 kg/cm3", 1e6),
            (DENSITY, "1 g/mm3", 1000000.0),
            (DENSITY, "1 kg/mm3", 1000000000.0),
            (DENSITY, "1 t/mm3", 1000000000000.0),
            (DENSITY, "1 lb/in3", 27679.90471020312),
            (DENSITY, "1 lb/ft3", 16.018463373960138),
            (DENSITY, "1 slug/ft3", 515.3788183931962),
            (MODULUS, "1 hPa", 100.0),
            (MODULUS, "1 mbar", 100.0),
            (MODULUS, "1 N/cm2", 10000.0),
            (MODULUS, "1 kN/m2", 1000.0),
            (MODULUS, "1 kN/mm2", 1000000000.0),
            (MODULUS, "1 atm", 101325.0),
            (MODULUS, "1 psi", 6894.757293168362),
            (MODULUS, "1 ksi", 6894757.293168361),
            (MODULUS, "1 lbf/in2", 6894.757293168362),
            (MODULUS, "1 lbf/ft2", 47.880258980335846),
            (INERTIA, "1 t.mm2", 0.001),
            (INERTIA, "1 lb.in2", 0.0002926396534292),
            (INERTIA, "1 lb.ft2", 0.0421401100938048),
            (INERTIA, "1 slug.ft2", 1.3558179483314003),
            (DAMPING, "1 s/cm", 100.0),
            (DAMPING, "1 s/in", 39.37007874015748),
            (DAMPING, "1 s/ft", 3.2808398950131235),
            (FORCE, "1 uN", 1e-06),
            (FORCE, "1 dyn", 1e-05),
            (FORCE, "1 kgf", 9.80665),
            (FORCE, "1 kip", 4448.2216152605),
            (AREA, "1 dm2", 0.01),
            (AREA, "1 um2", 1e-12),
            (AREA, "1 in2", 0.00064516),
            (AREA, "1 ft2", 0.09290304),
            (STIFFNESS, "1 MN/m", 1000000.0),
            (STIFFNESS, "1 N/cm", 100.0),
            (STIFFNESS, "1 N/um", 1000000.0),
            (STIFFNESS, "1 lbf/in", 175.1268352464764),
            (STIFFNESS, "1 lbf/ft", 14.593902937206364),
            (STIFFNESS_PER_AREA, "1 lbf/in3", 271447.1375263134),
            (LINEAR_DAMPING, "1 lbf.s/in", 175.1268352464764),
            (LINEAR_DAMPING, "1 lbf.s/ft", 14.593902937206364),
            (TORQUE, "1 N.cm", 0.01),
            (TORQUE, "1 MN.m", 1000000.0),
            (TORQUE, "1 kgf.m", 9.80665),
            (TORQUE, "1 lbf.in", 0.1129848290276167),
            (TORQUE, "1 in.lbf", 0.1129848290276167),
            (TORQUE, "1 lbf.ft", 1.3558179483314003),
            (TORQUE, "1 ft.lbf", 1.3558179483314003),
            (ROTATIONAL_STIFFNESS, "1 lbf.in/rad", 0.1129848290276167),
            (ROTATIONAL_STIFFNESS, "1 lbf.ft/rad", 1.3558179483314003),
            (ROTATIONAL_DAMPING, "1 lbf.in.s/rad", 0.1129848290276167),
            (ROTATIONAL_DAMPING, "1 lbf.ft.s/rad", 1.3558179483314003),
            (IMPULSE, "1 kg.m/s", 1.0),
            (IMPULSE, "1 lbf.s", 4.4482216152605),
            (ANGULAR_IMPULSE, "1 kg.m2/s", 1.0),
            (ANGULAR_IMPULSE, "1 lbf.ft.s", 1.3558179483314003),
            (FREQUENCY, "1 1/s", 1.0),
            (ANGLE, "90 arcmin", PI / 120.0),
            (ANGLE, "2 arcsec", PI / 324_000.0),
            (ANGLE, "100 gon", PI / 2.0),
            (ANGULAR_VELOCITY, "60 rev/min", 2.0 * PI),
            (ANGULAR_VELOCITY, "1 rev/s", 2.0 * PI),
            (TORQUE, "3 Nm", 3.0),
            (TORQUE, "3 kNm", 3000.0),
            (TORQUE, "3 Nmm", 0.003),
            (LINEAR_DAMPING, "7 Ns/m", 7.0),
            (ROTATIONAL_STIFFNESS, "3 Nm/rad", 3.0),
            (IMPULSE, "5 Ns", 5.0),
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

    fn refusal(quantity: DeclaredType, text: &str) -> (String, Vec<String>) {
        let Finding { message, help, .. } = Quantity::of(quantity).parse(text).unwrap_err();
        (message, help)
    }

    #[test]
    fn a_unit_of_another_quantity_is_named() {
        let (message, help) = refusal(LENGTH, "2 kg");
        assert_eq!(message, "; \"kg\" is a mass unit, expected a length");
        assert_eq!(
            help,
            ["units of a length: m, km, dm, cm, mm, um, nm, in, inch, ft, yd, mi, mil"]
        );
        let (message, help) = refusal(MASS, "2 kN");
        assert_eq!(message, "; \"kN\" is a force unit, expected a mass");
        assert_eq!(help, ["units of a mass: kg, g, mg, ug, t, lb, oz, slug"]);
    }

    #[test]
    fn capitals_habits_and_slips_get_a_suggestion() {
        for (quantity, text, likely) in [
            (MASS, "2 KG", "\"kg\""),
            (LENGTH, "2 Mm", "\"mm\""),
            (LENGTH, "2 MM", "\"mm\""),
            (MODULUS, "2 mpa", "\"MPa\""),
            (MODULUS, "2 mPa", "\"MPa\""),
            (MODULUS, "2 PSI", "\"psi\""),
            (FORCE, "2 mn", "\"mN\" or \"MN\""),
            (FORCE, "2 kn", "\"kN\""),
            (FORCE, "2 lb", "\"lbf\""),
            (TIME, "3 sec", "\"s\""),
            (TIME, "3 S", "\"s\""),
            (TORQUE, "3 ft-lbs", "\"lbf.ft\""),
            (TORQUE, "3 nm", "\"N.m\""),
            (INERTIA, "3 kgm2", "\"kg.m2\""),
            (ACCELERATION, "1 g", "\"gn\""),
            (ANGULAR_VELOCITY, "9 1/min", "\"rpm\""),
        ] {
            let (message, help) = refusal(quantity, text);
            assert!(message.starts_with("; "), "{text}: {message}");
            assert_eq!(help[0], format!("did you mean {likely}?"), "{text}");
            assert!(help[1].starts_with("units of "), "{text}: {help:?}");
        }
    }

    #[test]
    fn habits_stand_for_units() {
        for (symbol, habits) in HABITS {
            assert!(symbols().any(|known| known == *symbol), "{habits}");
            assert_eq!(habits.to_lowercase(), *habits);
        }
    }

    #[test]
    fn a_comma_becomes_a_point_or_goes() {
        for (text, help) in [
            ("10,5 cm", "write \"10.5 cm\""),
            ("1,234.5 mm", "write \"1234.5 mm\""),
            ("1.234,5 mm", "write \"1234.5 mm\""),
            ("1,234,567 mm", "write \"1234567 mm\""),
            ("1,234 mm", "write \"1.234 mm\" or \"1234 mm\""),
        ] {
            let (message, found) = refusal(LENGTH, text);
            assert_eq!(message, "; a number has a decimal point, no comma");
            assert_eq!(found, [help]);
        }
        assert!(
            power_stiffness("1,5e6 N/m").is_err_and(|wrong| wrong.in_one_line().contains("1.5e6"))
        );
    }

    #[test]
    fn an_unknown_unit_lists_the_known_ones() {
        let (message, help) = refusal(TIME, "3 fortnights");
        assert_eq!(message, "; the unit \"fortnights\" is not known");
        assert_eq!(help, ["units of a time: s, ms, us, ns, min, h, d"]);
        let (message, help) = refusal(COEFFICIENT, "3 MM");
        assert_eq!(message, "; the unit \"MM\" is not known");
        assert_eq!(help, ["units of a number: 1, %"]);
    }

    #[test]
    fn a_string_without_unit_or_number_is_refused() {
        let (message, help) = refusal(MASS, "2");
        assert_eq!(message, ", which has no unit");
        assert_eq!(help[0], "write 2 without quotes, or add a unit");
        for text in [
            "", "abc", "kg", "-", ".", "e5 kg", "inf kg", "nan kg", "--2 kg",
        ] {
            assert_eq!(
                refusal(MASS, text),
                (
                    "; expected a mass in kg such as 2 or \"500 g\"".to_owned(),
                    Vec::new()
                ),
                "{text:?}"
            );
        }
    }

    #[test]
    fn numbers_beyond_the_range_are_refused() {
        let too_large = Err(", which is too large; must be a finite number".into());
        assert_eq!(Quantity::of(LENGTH).parse("1e306 km"), too_large);
        assert_eq!(Quantity::of(LENGTH).parse("1e99999999999 mm"), too_large);
        assert_eq!(Quantity::of(LENGTH).parse("1e-99999999999 km"), Ok(0.0));
    }

    #[test]
    fn the_exponent_of_the_unit_is_that_of_the_law() {
        for (text, value, exponent) in [
            ("5e8 N/m^1.5", 5e8, 1.5),
            ("200 N/mm", 2e5, 1.0),
            ("1.5 kN/mm", 1.5e6, 1.0),
            ("7 N/m", 7.0, 1.0),
            ("2 N/mm^2", 2e6, 2.0),
            ("2 N/mm\u{b2}", 2e6, 2.0),
            ("3 kN/cm^2", 3e7, 2.0),
        ] {
            assert_eq!(power_stiffness(text), Ok((value, exponent)), "{text}");
        }
        // (1000)^1.5 = 31622.776601683795.
        // 4.4482216152605 / 0.0254 and 4.4482216152605 / 0.0254^1.5.
        for (text, expected) in [
            ("1 lbf/in", 175.126_835_246_476_4),
            ("1 lbf/in^1.5", 1_098.843_494_108_754_8),
        ] {
            let (value, _) = power_stiffness(text).unwrap();
            assert!((value / expected - 1.0).abs() < 1e-12, "{text}: {value}");
        }
        let (value, exponent) = power_stiffness("2 N/mm^1.5").unwrap();
        assert!((value / 63_245.553_203_367_59 - 1.0).abs() < 1e-15);
        assert_eq!(exponent, 1.5);
    }

    #[test]
    fn what_is_no_stiffness_says_what_one_is() {
        for (text, reason) in [
            ("2 kg", "; the unit \"kg\" is not known; "),
            ("2 N", "; the unit \"N\" is not known; "),
            ("2 N/kg", "; the unit \"N/kg\" is not known; "),
            ("N/m", "; expected "),
            ("2", ", which has no unit; write 2 without quotes"),
            ("1e308 kN/m", ", which is too large"),
        ] {
            let found = power_stiffness(text).unwrap_err().in_one_line();
            assert!(found.starts_with(reason), "{text}: {found}");
        }
    }
}
