//! Stiffness of a power law with its unit: `"5e8 N/m^1.5"`, `"200 N/mm"`. The exponent of the
//! length in the unit is that of the law, so it is returned too.
//!
//! N/mm^n are 10^(3 n) N/m^n, lbf/in^n are 4.4482... / 0.0254^n N/m^n. Where the power of ten is whole it
//! is added to the exponent of the decimal number before it is rounded, as for all other units.

use super::diagnostics::Finding;
use super::units::{factor, split};
use contact_geometry::math::real::powf;
use contact_laws::quantity::units;

const EXPECTED: &str = "expected a stiffness in N/m^n, with the exponent n of the law, such as 1e6, \"1 kN/mm\" or \"5e8 N/m^1.5\"";

/// Value [N/m^n] and exponent n of the unit, or what is wrong with the text, to follow `is "2 kg"`.
pub fn parse(text: &str) -> Result<(f64, f64), Finding> {
    let (number, unit) = split(text);
    if number.is_empty() {
        return Err(format!("; {EXPECTED}").into());
    }
    if unit.is_empty() {
        let help = format!("write {number} without quotes, or add a unit");
        return Err(Finding::from((", which has no unit", help)).with_help(EXPECTED));
    }
    let unknown = || Finding::from((format!("; the unit {unit:?} is not known"), EXPECTED));
    let (exponent, power, factor) = unit_of(&unit).ok_or_else(unknown)?;
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
fn unit_of(unit: &str) -> Option<(f64, f64, f64)> {
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
            assert_eq!(parse(text), Ok((value, exponent)), "{text}");
        }
        // (1000)^1.5 = 31622.776601683795.
        // 4.4482216152605 / 0.0254 and 4.4482216152605 / 0.0254^1.5.
        for (text, expected) in [
            ("1 lbf/in", 175.126_835_246_476_4),
            ("1 lbf/in^1.5", 1_098.843_494_108_754_8),
        ] {
            let (value, _) = parse(text).unwrap();
            assert!((value / expected - 1.0).abs() < 1e-12, "{text}: {value}");
        }
        let (value, exponent) = parse("2 N/mm^1.5").unwrap();
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
            let found = parse(text).unwrap_err().in_one_line();
            assert!(found.starts_with(reason), "{text}: {found}");
        }
    }
}
