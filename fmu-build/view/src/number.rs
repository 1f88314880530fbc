//! Numbers as text.

use contact_geometry::math::Exact;

/// Shortest text that reads back as the same number: `0.1`, `1e-7`, `3`.
pub fn exact(value: f64) -> String {
    Exact(value).to_string()
}

/// Readable text with about `digits` significant digits: plain between 1e-4 and 1e7, with an exponent
/// outside, no trailing zeros.
pub fn rounded(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return exact(value + 0.0);
    }
    // The exponent of the rounded number: 9.99 with two digits is 10.
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..7).contains(&exponent) {
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    let decimals = i32::try_from(digits).unwrap_or(i32::MAX) - 1 - exponent;
    let decimals = usize::try_from(decimals).unwrap_or(0);
    without_zeros(&format!("{value:.decimals$}")).to_owned()
}

/// Unit prefix for one to three digits before the point, and its factor: 2e-5 gives `u`, 1e-6. No prefix for
/// zero.
pub fn unit_prefix(size: f64) -> (&'static str, f64) {
    const PREFIXES: [(&str, f64); 6] = [
        ("n", 1e-9),
        ("u", 1e-6),
        ("m", 1e-3),
        ("", 1.0),
        ("k", 1e3),
        ("M", 1e6),
    ];
    if size == 0.0 || !size.is_finite() {
        return ("", 1.0);
    }
    // A size that reads 1000 with three digits belongs to the next prefix.
    let fits = |factor: f64| size.abs() >= 0.9995 * factor;
    let largest = PREFIXES.iter().rev().find(|(_, factor)| fits(*factor));
    *largest.unwrap_or(&PREFIXES[0])
}

/// Three significant digits and the unit with a prefix: `20.1 um`, `3.4 kN`.
pub fn with_unit(size: f64, unit: &str) -> String {
    let (prefix, factor) = unit_prefix(size);
    format!("{} {prefix}{unit}", rounded(size / factor, 3))
}

/// Count with a noun: `1 row`, `2 rows`.
pub fn counted(count: usize, word: &str) -> String {
    match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    }
}

fn without_zeros(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_texts_read_back_to_the_bit_and_are_short() {
        let mut value = 1e-310_f64;
        while value < 1e300 {
            for v in [value, -value / 3.0] {
                assert_eq!(exact(v).parse::<f64>().unwrap().to_bits(), v.to_bits());
            }
            value *= 7.3;
        }
        let cases = [
            (0.1, "0.1"),
            (3.0, "3"),
            (-0.0, "-0"),
            (1e-7, "1e-7"),
            (1e22, "1e22"),
        ];
        for (value, text) in cases {
            assert_eq!(exact(value), text);
        }
    }

    #[test]
    fn sizes_have_the_prefix_that_makes_them_readable() {
        let cases = [
            (0.0, "0 m"),
            (2.005e-5, "20.1 um"),
            (0.99951e-3, "1 mm"),
            (0.25, "250 mm"),
            (999.4, "999 m"),
            (999.6, "1 km"),
            (3e-12, "0.003 nm"),
            (-4.56e7, "-45.6 Mm"),
        ];
        for (size, text) in cases {
            assert_eq!(with_unit(size, "m"), text);
        }
    }

    #[test]
    fn rounded_numbers_keep_their_digits_and_drop_zeros() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (0.123456789, "0.1235"),
            (123456.789, "123457"),
            (9.99999, "10"),
            (99999.96, "100000"),
            (1.5e-5, "1.5e-5"),
            (0.00012345, "0.0001234"),
            (12345678.0, "1.235e7"),
            (-2.5, "-2.5"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ];
        for (value, text) in cases {
            assert_eq!(rounded(value, 4), text);
        }
    }

    #[test]
    fn only_one_thing_is_in_the_singular() {
        let texts = [0, 1, 2].map(|count| counted(count, "row"));
        assert_eq!(texts, ["0 rows", "1 row", "2 rows"]);
    }
}
