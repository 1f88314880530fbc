//! One contact of several, the impulses of all others given: its own impulse p with
//! p_n >= floor, u_n >= bound, (p_n - floor) (u_n - bound) = 0, and resistance that opposes what moves,
//! at most its limit times p_n.
//!
//! With q the velocity without p, u = q + W p. For each p_n the resistance r(p_n) is the minimum of
//! r.W r/2 + r.(q + W_n p_n), [`Resistance::holding`], and u_n a continuous function of p_n: its rise for
//! large p_n is that of an impact from rest, du_n/dp_n >= 0. The root of u_n = bound lies between there
//! and the floor, where u_n < bound. Where slip drives the contact together there may be three; the
//! Illinois rule takes one of them, always the same.

use crate::impact::resistance::{Resistance, Six, Six2};

/// What a contact must keep to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Least normal impulse [N s], >= 0.
    pub floor: f64,
    /// Least normal velocity [m/s].
    pub bound: f64,
}

/// Times that the impulse is doubled to find one under which the contact does not approach.
const DOUBLINGS: usize = 60;
/// Part of an approach that a doubling must end to be followed by another [1].
const GAIN: f64 = 1e-3;
/// Steps of the Illinois rule; one if nothing slips, else about eight.
const STEPS: usize = 100;
/// Part of a velocity that is rounding, relative to its terms [1].
const SLIGHT: f64 = 1e-16;
/// Approach that counts as ended, relative to that before [1]: of rounding, where friction alone holds.
const ENDED: f64 = 1e-14;

/// p. Where friction alone holds the contact, and no impulse ends an approach, that from which on it
/// lessens no more.
pub fn solve(w: &Six2, q: &Six, resistance: &Resistance, limits: Limits) -> Six {
    let at = |p_n: f64| {
        let b = q + w.column(0) * p_n;
        let mut p = resistance.holding(w, &b, p_n, |_| true);
        p[0] = p_n;
        let u_n = q[0] + w.row(0).transpose().dot(&p);
        (p, u_n - limits.bound)
    };
    let low = limits.floor;
    let (p, f_low) = at(low);
    let w_nn = w[(0, 0)];
    if f_low >= 0.0 || w_nn <= 0.0 {
        return p;
    }
    let enough = ENDED * f_low;
    let (mut low, mut high) = ((low, f_low, p), low - f_low / w_nn);
    for _ in 0..DOUBLINGS {
        let (p, f) = at(high);
        if f >= enough {
            let slight = SLIGHT * (q[0].abs() + limits.bound.abs() + w_nn * high);
            return root(at, low, (high, f, p), slight);
        }
        if f < (1.0 - GAIN) * low.1 && high > low.0 && low.0 > limits.floor {
            return low.2;
        }
        low = (high, f, p);
        high = limits.floor + 2.0 * (high - limits.floor);
    }
    low.2
}

/// p_n, u_n above its bound and p.
type Found = (f64, f64, Six);

/// p with u_n at its bound between two, by the Illinois rule.
fn root(at: impl Fn(f64) -> (Six, f64), low: Found, high: Found, slight: f64) -> Six {
    let (mut low, mut high) = (low, high);
    let mut was_below = None;
    for _ in 0..STEPS {
        let width = high.0 - low.0;
        let last = 2.0 * f64::EPSILON * high.0;
        if high.1 <= slight || width <= last {
            break;
        }
        let x = high.0 - high.1 * width / (high.1 - low.1);
        let x = x.clamp(low.0 + 0.5 * last, high.0 - 0.5 * last);
        let (p, f) = at(x);
        if f.abs() <= slight {
            return p;
        }
        let is_below = f < 0.0;
        // The end that stays twice counts half.
        let weight = if was_below == Some(is_below) {
            0.5
        } else {
            1.0
        };
        if is_below {
            low = (x, f, p);
            high.1 *= weight;
        } else {
            high = (x, f, p);
            low.1 *= weight;
        }
        was_below = Some(is_below);
    }
    high.2
}
