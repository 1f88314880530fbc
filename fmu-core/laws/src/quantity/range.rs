//! Which values a number may have. The same range holds in a scene file and for an importer.

use contact_geometry::math::{LARGEST_NUMBER, LARGEST_NUMBER_IN_WORDS};

/// An interval of the values that a number may have, besides that every number is finite and at most
/// [`LARGEST_NUMBER`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Least value.
    pub least: f64,
    /// Largest value.
    pub most: f64,
    /// The least value itself is not allowed.
    pub is_open: bool,
    /// Whole numbers only.
    pub is_whole: bool,
    /// The range in words, such as `>= 0`.
    pub words: &'static str,
}

impl Range {
    /// Any finite number.
    pub const ANY: Range = Range::within(f64::NEG_INFINITY, f64::INFINITY, "finite");
    /// Zero and more.
    pub const NOT_NEGATIVE: Range = Range::within(0.0, f64::INFINITY, ">= 0");
    /// More than zero.
    pub const POSITIVE: Range = Range {
        is_open: true,
        ..Range::within(0.0, f64::INFINITY, "> 0")
    };
    /// From zero to one.
    pub const FRACTION: Range = Range::within(0.0, 1.0, "in 0..1");

    /// From a least value to a largest one, which are allowed themselves.
    pub const fn within(least: f64, most: f64, words: &'static str) -> Range {
        Range {
            least,
            most,
            is_open: false,
            is_whole: false,
            words,
        }
    }

    /// Whole numbers from a least to a largest one.
    pub const fn whole(least: f64, most: f64, words: &'static str) -> Range {
        Range {
            is_whole: true,
            ..Range::within(least, most, words)
        }
    }

    /// The same range in other words.
    pub const fn called(self, words: &'static str) -> Range {
        Range { words, ..self }
    }

    /// The allowed range in words if a value is outside; none otherwise.
    pub fn violated(&self, value: f64) -> Option<&'static str> {
        if !value.is_finite() {
            return Some("a finite number");
        }
        let above = match self.is_open {
            true => value > self.least,
            false => value >= self.least,
        };
        if !above || value > self.most || (self.is_whole && value.fract() != 0.0) {
            return Some(self.words);
        }
        (value.abs() > LARGEST_NUMBER).then_some(LARGEST_NUMBER_IN_WORDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_its_ends_unless_it_is_open() {
        let budget = Range::whole(1.0, 1e12, "a whole number in 1..1e12");
        for (range, good, bad) in [
            (Range::ANY, vec![-1e3, 0.0, 7.0], vec![]),
            (Range::NOT_NEGATIVE, vec![0.0, 1e-300], vec![-1e-300]),
            (Range::POSITIVE, vec![1e-300], vec![0.0, -1.0]),
            (
                Range::FRACTION,
                vec![0.0, 0.5, 1.0],
                vec![-1e-9, 1.0 + 1e-9],
            ),
            (budget, vec![1.0, 1e12], vec![0.0, 1.5, 1e12 + 1.0]),
        ] {
            for value in good {
                assert_eq!(range.violated(value), None, "{value} in {range:?}");
            }
            for value in bad {
                assert_eq!(range.violated(value), Some(range.words), "{value}");
            }
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert_eq!(range.violated(value), Some("a finite number"));
            }
        }
        let largest = Range::ANY.violated(-2.0 * LARGEST_NUMBER);
        assert_eq!(largest, Some(LARGEST_NUMBER_IN_WORDS));
    }
}
