//! First zero and minimum of a function on [0, 1], certified by lower bounds.
//!
//! A search starts where the function is known, advances as far as a bound from there allows, and evaluates
//! again. Where the function is positive and the bound exact to first order, the distance to a zero shrinks
//! as in Newton's method, from the safe side.

use crate::hybrid::Entry;
use contact_geometry::math::Quartic;

/// Fraction of the distance to the zero of the bound that a step takes [1]: near a zero, where the bound is
/// exact, the rest shrinks by a thousand at each evaluation.
const PART_GONE: f64 = 0.999;
/// Smallest factor on a trial interval [1]: the secant through its ends is far too short for a parabolic
/// bound.
const LARGEST_CUT: f64 = 0.125;
const MOST_TRIALS: usize = 64;
/// Number of trials that may be longer than the secant.
const BOLD_TRIALS: usize = 8;
/// Maximum number of intervals: some hundred are many. Beyond it the rest is unknown.
const MOST_INTERVALS: usize = 4096;
/// Depth below zero at which a polynomial may be missed, in its unit.
const PASSED_OVER: f64 = 1e-13;
/// Relative error bound of [`least_value`] [1].
const CLOSENESS: f64 = 0.05;

pub(crate) trait Bounded {
    /// Data of an evaluation for bounds.
    type Look;

    fn value(&mut self, theta: f64) -> f64;

    /// Evaluation at `theta`; `None` if there is no value.
    fn look(&mut self, theta: f64) -> Option<Known<Self::Look>>;

    /// Lower bound over the length `length` from the evaluation on.
    fn bound(&self, look: &Self::Look, length: f64) -> f64;
}

pub(crate) struct Known<L> {
    pub(crate) value: f64,
    /// Depth below zero at which a value may be missed.
    pub tolerance: f64,
    pub look: L,
}

impl Bounded for Quartic {
    type Look = f64;

    fn value(&mut self, theta: f64) -> f64 {
        self.at(theta)
    }

    fn look(&mut self, theta: f64) -> Option<Known<f64>> {
        Some(Known {
            value: self.at(theta),
            tolerance: PASSED_OVER,
            look: theta,
        })
    }

    fn bound(&self, theta: &f64, length: f64) -> f64 {
        self.part(*theta, theta + length).least()
    }
}

/// First point before `limit` where a function that is positive at 0 may be zero or less.
pub(crate) fn first_entry<B: Bounded>(function: &mut B, limit: f64) -> Option<Entry> {
    let mut before = 0.0;
    let mut length = limit;
    for _ in 0..MOST_INTERVALS {
        let known = function.look(before)?;
        let most = limit - before;
        let reached = length_above(function, &known, -known.tolerance, length.min(most));
        if reached >= most {
            return None;
        }
        let after = before + reached;
        if after <= before {
            break;
        }
        if function.value(after) <= 0.0 {
            return Some(Entry { before, after });
        }
        length = 2.0 * reached;
        before = after;
    }
    Some(Entry {
        before,
        after: before,
    })
}

/// Zero of a function that is positive at `before` and not at `after`, by the Illinois rule: a point where it
/// is not positive, within `width` of one where it is.
pub(crate) fn root(
    mut function: impl FnMut(f64) -> f64,
    Entry { before, after }: Entry,
    width: f64,
) -> f64 {
    /// Maximum number of evaluations; bisection needs as many for a width of 1e-18.
    const MOST_LOOKS: usize = 60;
    let (mut low, mut high) = (before, after);
    let (mut above, mut below) = (function(low), function(high));
    let mut rose = None;
    for _ in 0..MOST_LOOKS {
        if high - low <= width || above <= 0.0 {
            break;
        }
        let trial = low + (high - low) * (above / (above - below)).clamp(0.0, 1.0);
        let value = function(trial);
        // The end that stays for the second time counts half.
        if value > 0.0 {
            below *= if rose == Some(true) { 0.5 } else { 1.0 };
            (low, above, rose) = (trial, value, Some(true));
        } else {
            above *= if rose == Some(false) { 0.5 } else { 1.0 };
            (high, below, rose) = (trial, value, Some(false));
        }
    }
    high
}

/// Minimum of a function whose value at 1 is `end`, with a relative error of up to a twentieth; if it is
/// above `enough`, any value above that. Without a value, the smallest one seen; below zero if more than
/// [`MOST_INTERVALS`] were needed or the bound is not finite, since the rest may be.
pub(crate) fn least_value<B: Bounded>(function: &mut B, end: f64, enough: f64) -> f64 {
    let mut least = end;
    let (mut theta, mut length) = (0.0, 1.0_f64);
    let mut tolerance = 0.0;
    for _ in 0..MOST_INTERVALS {
        let Some(known) = function.look(theta) else {
            return least;
        };
        least = least.min(known.value);
        tolerance = known.tolerance;
        let near = least - CLOSENESS * least.abs() - tolerance;
        let most = 1.0 - theta;
        let reached = length_above(function, &known, near.min(enough), length.min(most));
        if reached >= most {
            return least;
        }
        if theta + reached <= theta {
            break;
        }
        theta += reached;
        length = 2.0 * reached;
    }
    least.min(-tolerance)
}

/// Length, up to `most`, over which the function certainly stays at `floor` or above.
fn length_above<B: Bounded>(function: &B, known: &Known<B::Look>, floor: f64, most: f64) -> f64 {
    let margin = known.value - floor;
    let mut length = most;
    for trial in 0..MOST_TRIALS {
        let bound = function.bound(&known.look, length);
        if bound >= floor {
            return length;
        }
        // A concave bound lies above the secant from the start.
        let secant = (PART_GONE * margin / (known.value - bound)).max(0.0);
        length *= match trial < BOLD_TRIALS {
            true => secant.max(LARGEST_CUT),
            false => secant,
        };
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// height + (t - at)^2 - bend (t - at)^4 with |bend| < 1/6: second derivative in
    /// [-12 |bend|, 2 + ..].
    struct Dip {
        height: f64,
        at: f64,
        bend: f64,
        looks: usize,
    }

    impl Bounded for Dip {
        type Look = (f64, f64, f64);

        fn value(&mut self, t: f64) -> f64 {
            let x = t - self.at;
            self.height + x * x - self.bend * x.powi(4)
        }

        fn look(&mut self, t: f64) -> Option<Known<Self::Look>> {
            self.looks += 1;
            let x = t - self.at;
            let (value, slope) = (self.value(t), 2.0 * x - 4.0 * self.bend * x.powi(3));
            Some(Known {
                value,
                tolerance: 1e-12,
                look: (t, value, slope),
            })
        }

        fn bound(&self, (_, value, slope): &Self::Look, length: f64) -> f64 {
            // |f''| <= 4, so that the bound is off as it is for shapes.
            value + (slope * length).min(0.0) - 2.0 * length * length
        }
    }

    #[test]
    fn a_dip_below_zero_is_found_from_the_safe_side_and_one_above_is_not() {
        for i in 0..1000 {
            let s = |k: f64| (0.5 + 0.5 * (f64::from(i) * k).sin()).clamp(0.0, 1.0);
            for depth in [1e-1, 1e-3, 1e-6, 1e-9] {
                for sign in [-1.0, 1.0] {
                    let mut dip = Dip {
                        height: sign * depth,
                        at: s(1.3),
                        bend: 0.1 * s(2.9),
                        looks: 0,
                    };
                    if dip.value(0.0) <= 0.0 {
                        continue;
                    }
                    let found = first_entry(&mut dip, 1.0);
                    // Roots of the parabola in x^2: b x^4 - x^2 + depth = 0.
                    let square = 2.0 * depth / (1.0 + (1.0 - 4.0 * dip.bend * depth).sqrt());
                    let root = dip.at - square.sqrt();
                    match found {
                        Some(entry) => {
                            assert!(sign < 0.0 && root < 1.0, "{i} {depth}");
                            assert!(entry.before <= root + 1e-9 && root <= entry.after + 1e-9);
                        }
                        None => assert!(sign > 0.0 || root > 1.0 - 1e-9, "{i} {depth}"),
                    }
                    assert!(dip.looks < 80, "{} looks at depth {depth:e}", dip.looks);
                    let (end, at) = (dip.value(1.0), dip.at);
                    let least = least_value(&mut dip, end, f64::INFINITY);
                    let exact = dip.value(at);
                    assert!(
                        (least - exact).abs() <= 0.05 * exact.abs() + 2e-12,
                        "{least:e}, {exact:e}"
                    );
                }
            }
        }
    }

    /// A constant with a bound that falls fast, then a dip below zero that no search gets to.
    struct Crawl;

    impl Bounded for Crawl {
        type Look = f64;

        fn value(&mut self, t: f64) -> f64 {
            if (0.5..0.6).contains(&t) { -1.0 } else { 1e-6 }
        }

        fn look(&mut self, t: f64) -> Option<Known<f64>> {
            Some(Known {
                value: self.value(t),
                tolerance: 1e-11,
                look: self.value(t),
            })
        }

        fn bound(&self, value: &f64, length: f64) -> f64 {
            value - 10.0 * length
        }
    }

    #[test]
    fn what_a_search_does_not_get_to_counts_as_below_zero() {
        let entry = first_entry(&mut Crawl, 1.0).expect("no knowledge of the rest");
        assert!(entry.before < 0.5 && entry.after < 0.5);
        assert!(least_value(&mut Crawl, 1e-6, f64::INFINITY) < 0.0);
    }

    #[test]
    fn where_enough_is_known_the_search_ends() {
        let mut dip = Dip {
            height: 0.1,
            at: 0.5,
            bend: 0.0,
            looks: 0,
        };
        let end = dip.value(1.0);
        assert!(least_value(&mut dip, end, 0.05) > 0.05);
        assert!(dip.looks < 12, "{}", dip.looks);
    }
}
