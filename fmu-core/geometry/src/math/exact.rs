//! Numbers as text for messages and files, and how large they may be.

use std::fmt;

/// Numbers of a scene are no larger than this in SI units, so that products and squares of some of
/// them stay finite: the moment of inertia of the Earth is 8e37 kg.m2.
pub const LARGEST_NUMBER: f64 = 1e40;
/// [`LARGEST_NUMBER`] in words.
pub const LARGEST_NUMBER_IN_WORDS: &str = "of a size up to 1e40";

/// A number with the shortest text that reads back as the same one, with an exponent where it is
/// very large or small: `0.1`, `3`, `1e-7`, `1e300`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact(pub f64);

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        f.pad(text.strip_suffix(".0").unwrap_or(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_short_and_reads_back() {
        for (value, text) in [
            (3.0, "3"),
            (0.1, "0.1"),
            (-0.0, "-0"),
            (1e-7, "1e-7"),
            (1e300, "1e300"),
            (1.5e16, "1.5e16"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(Exact(value).to_string(), text);
            assert!(text == "NaN" || text.parse() == Ok(value));
        }
    }
}
