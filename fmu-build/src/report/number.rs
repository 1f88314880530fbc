//! Numbers as text.

/// The shortest text that reads back as the same number: `0.1`, `1e-7`, `3`.
pub fn exact(value: f64) -> String {
    let mut text = format!("{value:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

/// About `digits` significant digits, for reading: plain between 1e-4 and 1e7, with an exponent
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
}
