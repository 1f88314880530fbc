//! Coefficient of restitution e of an impact, and the damping of a force f_el(delta) (1 + d delta_dot) that
//! reproduces it.
//!
//! With u = d v0 and any elastic law f_el that vanishes at zero depth, the contact m x'' = -f_el(x)(1 + d x')
//! can be integrated once: m v dv/dx = -f_el (1 + d v) separates into m v dv/(1 + d v) = -f_el dx, whose
//! right side returns to zero when x does. From v0 to -e v0: (1 + e) u = ln((1 + u)/(1 - e u)), independent
//! of stiffness, exponent and mass. With a parameter s = (1 + e) u > 0 and E = exp(-s) it is solved by e(s) =
//! (1 - (1 + s) E)/(s - 1 + E), u(s) = (s - 1 + E)/(1 - E); [`exact`] solves the first for s, [`obtained`]
//! the second.

use crate::response::choice::RestitutionRule;
use contact_geometry::math::real::{exp, exp_m1, ln};

/// Restitution from which the damping coefficient follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    /// Given coefficient [1].
    pub given: f64,
    /// Dependence on the impact speed.
    pub rule: RestitutionRule,
    /// Regularisation speed [m/s].
    pub v_small: f64,
}

impl Restitution {
    pub(crate) fn at(&self, v0: f64) -> f64 {
        match self.rule {
            RestitutionRule::Regularized => regularized(self.given, v0, self.v_small),
            RestitutionRule::Threshold if v0 > self.v_small => self.given,
            RestitutionRule::Threshold => 0.0,
            RestitutionRule::Constant => self.given,
        }
    }
}

pub(crate) const COR_MIN: f64 = 1e-3;

/// Coefficient of restitution that decreases to [`COR_MIN`] with the impact speed `v0` [m/s]: cor_reg =
/// cor_lim + (cor_min - cor_lim) exp(ln(0.01) v0/v_small), cor_lim = max(cor_min, cor).
fn regularized(cor: f64, v0: f64, v_small: f64) -> f64 {
    let limited = cor.max(COR_MIN);
    limited + (COR_MIN - limited) * exp(ln(0.01) * v0 / v_small)
}

/// Below this parameter the closed expressions cancel; a series is used.
const SERIES_BELOW: f64 = 1.0;
/// Terms of the series: 1/20! is far below rounding.
const SERIES_TERMS: u32 = 20;
/// Newton needs four steps from the start values; the rest is reserve.
const NEWTON_STEPS: usize = 12;
/// Step relative to the parameter at which Newton has converged to rounding [1].
const NEWTON_ENDS: f64 = 1e-15;
/// Below this restitution e u = 1 - (1 + u) exp(-(1 + e) u) is 1 to rounding.
const FULLY_DAMPED_BELOW: f64 = 0.02;

/// u(e) [1] with (1 + e) u = ln((1 + u)/(1 - e u)), for 0 <= e, to rounding; infinite for e = 0, zero for e
/// >= 1.
pub(crate) fn exact(e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    if e < FULLY_DAMPED_BELOW {
        return 1.0 / e;
    }
    let loss = 1.0 - e;
    let mut s = loss * (1.0 + 2.0 * e) / e;
    for _ in 0..NEWTON_STEPS {
        let terms = Terms::at(s);
        let (d, slope) = (terms.denominator, terms.restitution_slope());
        // From the loss 1 - e, which keeps its digits as e goes to 1.
        let step = (loss - terms.loss / d) / slope;
        let next = s - step;
        // e(s) is convex and falls: a step never leaves s > 0 except by rounding at the root.
        s = if next > 0.0 { next } else { 0.5 * s };
        if step.abs() <= NEWTON_ENDS * s {
            break;
        }
    }
    Terms::at(s).relative_damping()
}

/// Restitution e [1] of f_el(delta) (1 + d delta_dot) with u = d v0 >= 0, for any elastic law, mass and
/// speed: e = (1 + W(-(1 + u) exp(-(1 + u))))/u with the principal branch of the Lambert function, to
/// rounding. 1 for u = 0, 0 for infinite u.
///
/// The clamp f_n >= 0 does not act in such a contact: 1 - e u > 0.
pub fn obtained(u: f64) -> f64 {
    if u <= 0.0 {
        return 1.0;
    }
    if u > 1.0 / FULLY_DAMPED_BELOW {
        return 1.0 / u;
    }
    // u(s) is convex, goes like s/2 at zero and like s - 1 far out: Newton from the right falls.
    let mut s = (2.0 * u).min(1.0 + u);
    for _ in 0..NEWTON_STEPS {
        let terms = Terms::at(s);
        let step = (terms.relative_damping() - u) / terms.relative_damping_slope();
        s -= step;
        if step.abs() <= NEWTON_ENDS * s {
            break;
        }
    }
    let terms = Terms::at(s);
    terms.numerator / terms.denominator
}

/// Terms of e(s) and u(s). Below [`SERIES_BELOW`] numerator, denominator and loss are divided by s^2, which
/// leaves e = numerator/denominator and 1 - e = loss/denominator unchanged.
struct Terms {
    s: f64,
    /// 1 - (1 + s) E.
    numerator: f64,
    /// s - 1 + E.
    denominator: f64,
    /// Denominator less numerator, s - 2 + (2 + s) E.
    loss: f64,
}

impl Terms {
    fn at(s: f64) -> Self {
        if s >= SERIES_BELOW {
            let decay = exp(-s);
            return Terms {
                s,
                numerator: 1.0 - (1.0 + s) * decay,
                denominator: s - 1.0 + decay,
                loss: s - 2.0 + (2.0 + s) * decay,
            };
        }
        // Sums over (-s)^k/k!, k >= 2, with the weights k - 1, 1 and 2 - k.
        let (mut numerator, mut denominator, mut loss) = (0.0, 0.0, 0.0);
        let mut power = 0.5;
        for k in 2..2 + SERIES_TERMS {
            let weight = f64::from(k);
            numerator += (weight - 1.0) * power;
            denominator += power;
            loss += (2.0 - weight) * power;
            power *= -s / (weight + 1.0);
        }
        Terms {
            s,
            numerator,
            denominator,
            loss,
        }
    }

    /// s^2 if the terms are divided by it, else 1.
    fn scale(&self) -> f64 {
        if self.s < SERIES_BELOW {
            self.s * self.s
        } else {
            1.0
        }
    }

    /// de/ds [1] = (s E - e (1 - E))/denominator, written with 1 - e.
    fn restitution_slope(&self) -> f64 {
        let loss = self.loss / self.denominator;
        let rise = -exp_m1(-self.s);
        (loss * rise / self.scale() - self.numerator) / self.denominator
    }

    fn relative_damping(&self) -> f64 {
        self.denominator * self.scale() / -exp_m1(-self.s)
    }

    /// du/ds [1] = (1 - E - s E)/(1 - E)^2, the numerator of e over (1 - E)^2.
    fn relative_damping_slope(&self) -> f64 {
        let rise = -exp_m1(-self.s);
        self.numerator * self.scale() / (rise * rise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (e, u) with (1 + e) u = ln((1 + u)/(1 - e u)), from bisection in 60 digits.
    const TABLE: [(f64, f64); 14] = [
        (0.001, 1000.0),
        (0.01, 100.0),
        (0.05, 19.99999968153236),
        (0.1, 9.998159397495668),
        (0.2, 4.919166715790786),
        (0.3, 3.087081981129624),
        (0.4, 2.082498164147007),
        (0.5, 1.432750533271375),
        (0.6, 0.9748717108132653),
        (0.7, 0.6348282812664168),
        (0.8, 0.37314620336505366),
        (0.9, 0.1664819506853081),
        (0.99, 0.015151362109441005),
        (0.5936242600400401, 1.0),
    ];

    #[test]
    fn exact_damping_and_obtained_restitution_are_those_of_the_lambert_solution() {
        for (e, u) in TABLE {
            assert!(
                (exact(e) / u - 1.0).abs() < 4e-15,
                "u({e}) = {} for {u}",
                exact(e)
            );
            assert!(
                (obtained(u) / e - 1.0).abs() < 4e-15,
                "e({u}) = {} for {e}",
                obtained(u)
            );
        }
        assert_eq!(exact(1.0), 0.0);
        assert_eq!(exact(0.0), f64::INFINITY);
        assert_eq!((obtained(0.0), obtained(f64::INFINITY)), (1.0, 0.0));
    }

    #[test]
    fn near_elastic_contact_keeps_the_digits_of_its_loss() {
        // (1 + e) u = ln((1 + u)/(1 - e u)) expanded at e = 1: 1 - e = 2/3 u - 4/9 u^2 + O(u^3).
        for u in [1e-13_f64, 1e-9, 1e-7, 1e-6] {
            let loss = 2.0 / 3.0 * u - 4.0 / 9.0 * u * u;
            assert!((1.0 - obtained(u) - loss).abs() < 2e-16 + u * u * u);
            // 1 - e has the rounding of e: 1e-16 of the loss.
            assert!((exact(1.0 - loss) / u - 1.0).abs() < 2e-16 / loss + u * u);
        }
    }

    #[test]
    fn obtained_undoes_exact_for_all_restitutions() {
        let mut e = 1e-3;
        while e < 1.0 {
            assert!((obtained(exact(e)) / e - 1.0).abs() < 4e-15, "{e}");
            e += 1.37e-3;
        }
        for e in [1e-300, 1e-9, 0.019_999_999, 0.02, 0.020_000_001] {
            assert!((obtained(exact(e)) / e - 1.0).abs() < 4e-15, "{e}");
        }
    }

    #[test]
    fn obtained_restitution_falls_over_all_u_without_a_step() {
        // |de/du| is 2/3 at zero and smaller beyond.
        let (mut u, mut last) = (0.0, 1.0);
        while u < 60.0 {
            let next = u + 1e-3 + 1e-3 * u;
            let e = obtained(next);
            assert!(e < last && last - e < 0.67 * (next - u), "{next}");
            (u, last) = (next, e);
        }
    }

    #[test]
    fn series_joins_the_closed_expression() {
        let (below, above) = (
            Terms::at(SERIES_BELOW * (1.0 - 1e-15)),
            Terms::at(SERIES_BELOW),
        );
        for (x, y) in [
            (below.numerator, above.numerator),
            (below.denominator, above.denominator),
            (below.loss, above.loss),
        ] {
            assert!((x - y).abs() < 1e-14);
        }
    }

    #[test]
    fn restitution_is_the_given_one_at_speed_and_the_least_one_at_rest() {
        assert!((regularized(0.7, 0.0, 0.01) - COR_MIN).abs() < 1e-17);
        assert_eq!(regularized(0.7, 1.0, 0.01), 0.7);
        // At v_small one hundredth of the way is left.
        assert!((regularized(0.7, 0.01, 0.01) - (0.7 - 0.01 * 0.699)).abs() < 1e-15);
    }
}
