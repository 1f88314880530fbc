//! Damping coefficient of a force f_el(delta) (1 + d delta_dot) from a wanted restitution e.
//!
//! With u = d v0 and any elastic law f_el that vanishes at zero depth, the contact
//! m x'' = -f_el(x)(1 + d x') can be integrated once: m v dv/dx = -f_el (1 + d v) separates into
//! m v dv/(1 + d v) = -f_el dx, whose right side returns to zero when x does. From v0 to -e v0:
//! u + e u = ln((1 + u)/(1 - e u)), whatever stiffness, exponent and mass. With a parameter
//! s > 0 and E = exp(-s) it is solved by
//! e(s) = (1 - (1 + s) E)/(s - 1 + E), u(s) = (s - 1 + E)/(1 - E).

use crate::response::options::{Damping, ImpactSpeed, RestitutionRule};
use crate::response::regularize;

/// What the damping coefficient of a contact is computed from when it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    /// The given coefficient [1].
    pub given: f64,
    /// How it depends on the impact speed.
    pub rule: RestitutionRule,
    /// Regularization speed [m/s].
    pub v_small: f64,
}

impl Restitution {
    /// The coefficient [1] used at an impact speed [m/s].
    pub fn at(&self, v0: f64) -> f64 {
        match self.rule {
            RestitutionRule::Regularized => regularize::restitution(self.given, v0, self.v_small),
            RestitutionRule::Threshold if v0 > self.v_small => self.given,
            RestitutionRule::Threshold => 0.0,
            RestitutionRule::Constant => self.given,
        }
    }
}

/// Damping coefficient of a power law, from its formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DampingLaw {
    /// The formula.
    pub kind: Damping,
    /// Which impact speed enters.
    pub impact_speed: ImpactSpeed,
    /// Restitution.
    pub restitution: Restitution,
    /// The coefficient where it is constant [s/m].
    pub constant: f64,
    /// Upper bound otherwise [s/m].
    pub d_max: f64,
}

impl DampingLaw {
    /// Damping coefficient [s/m] of a contact that starts with the speed `v0` [m/s].
    ///
    /// d = u(e)/v0, at most d_max; d_max for a contact that starts without speed.
    pub fn coefficient(&self, v0: f64) -> f64 {
        let e = self.restitution.at(v0);
        let u = match self.kind {
            Damping::Constant => return self.constant,
            _ if e <= 0.0 => return self.d_max,
            Damping::Exact => exact(e),
            Damping::Flores => 8.0 * (1.0 - e) / (5.0 * e),
        };
        let speed = match self.impact_speed {
            ImpactSpeed::Plain => v0,
            ImpactSpeed::Regularized => regularize::reg(v0, self.restitution.v_small),
        };
        if speed == 0.0 {
            return self.d_max;
        }
        self.d_max.min(u / speed)
    }
}

/// Below this parameter the closed expressions cancel; a series is used.
const SERIES_BELOW: f64 = 0.1;
/// Terms of the series: 0.1^12/12! is far below rounding.
const SERIES_TERMS: u32 = 12;
/// Newton needs four steps from the start value; the rest is reserve.
const NEWTON_STEPS: usize = 12;

/// u(e) [1] with (1 + e) u = ln((1 + u)/(1 - e u)), for 0 < e; zero for e >= 1.
pub fn exact(e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    let mut s = (1.0 - e) * (1.0 + 2.0 * e) / e;
    for _ in 0..NEWTON_STEPS {
        let (n, d, dn, dd) = numerator_and_denominator(s);
        let step = (n / d - e) * d * d / (dn * d - n * dd);
        let next = s - step;
        // e(s) is convex and falls: a step never leaves s > 0 except by rounding at the root.
        s = if next > 0.0 { next } else { 0.5 * s };
        if step.abs() <= 1e-15 * s {
            break;
        }
    }
    let (_, d, _, _) = numerator_and_denominator(s);
    if s < SERIES_BELOW {
        d * s * s / -(-s).exp_m1()
    } else {
        d / -(-s).exp_m1()
    }
}

/// Numerator and denominator of e(s) and their derivatives; below [`SERIES_BELOW`] both divided by
/// s^2, which leaves the quotient as it is.
fn numerator_and_denominator(s: f64) -> (f64, f64, f64, f64) {
    if s >= SERIES_BELOW {
        let decay = (-s).exp();
        return (
            1.0 - (1.0 + s) * decay,
            s - 1.0 + decay,
            s * decay,
            1.0 - decay,
        );
    }
    // 1 - (1 + s) E = sum (k - 1) (-s)^k/k!, s - 1 + E = sum (-s)^k/k!, k >= 2.
    let (mut n, mut d, mut dn, mut dd) = (0.0, 0.0, 0.0, 0.0);
    let (mut power, mut last, mut factorial) = (1.0, 0.0, 2.0);
    for k in 2..2 + SERIES_TERMS {
        let (weight, order) = (f64::from(k - 1), f64::from(k - 2));
        n += weight * power / factorial;
        d += power / factorial;
        dn += weight * order * last / factorial;
        dd += order * last / factorial;
        last = -power;
        power *= -s;
        factorial *= f64::from(k + 1);
    }
    (n, d, dn, dd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_damping_has_the_values_of_the_lambert_solution() {
        // From e(u) = [1 + W0(-(1+u) exp(-(1+u)))]/u, evaluated independently.
        let table = [
            (0.01, 100.0),
            (0.1, 9.9981593975),
            (0.3, 3.0870819811),
            (0.5, 1.4327505333),
            (0.7, 0.6348282813),
            (0.9, 0.1664819507),
            (0.99, 0.0151513621),
        ];
        for (e, u) in table {
            assert!(
                (exact(e) - u).abs() < 6e-11 * u.max(1.0),
                "e {e} u {}",
                exact(e)
            );
        }
        assert_eq!(exact(1.0), 0.0);
    }

    #[test]
    fn exact_damping_satisfies_its_equation() {
        let mut e = 1e-3;
        while e < 0.9999 {
            let u = exact(e);
            // 1 - e u goes to zero with e, where the logarithm amplifies rounding.
            let gap = 1.0 - e * u;
            if gap > 1e-9 {
                let residual = (1.0 + e) * u - ((1.0 + u) / gap).ln();
                assert!(
                    residual.abs() < 1e-15 * u + 4e-16 / gap,
                    "e {e} residual {residual}"
                );
            }
            e += 1.37e-3;
        }
    }

    #[test]
    fn series_joins_the_closed_expression() {
        let (n, d, ..) = numerator_and_denominator(SERIES_BELOW * (1.0 - 1e-12));
        let (m, c, ..) = numerator_and_denominator(SERIES_BELOW);
        assert!((n / d - m / c).abs() < 1e-12);
    }

    fn law(kind: Damping, rule: RestitutionRule, given: f64, d_max: f64) -> DampingLaw {
        DampingLaw {
            kind,
            impact_speed: ImpactSpeed::Plain,
            restitution: Restitution {
                given,
                rule,
                v_small: 0.01,
            },
            constant: 0.0,
            d_max,
        }
    }

    #[test]
    fn damping_coefficients_are_those_of_the_published_run() {
        // Modia3D case BouncingSphere: cor 0.7, impact speed g t of the first fall.
        let law = law(Damping::Flores, RestitutionRule::Threshold, 0.7, 2000.0);
        assert!((law.coefficient(9.81 * 0.451523640986) - 0.154808).abs() < 5e-7);
        assert_eq!(law.coefficient(0.005), 2000.0);
    }

    #[test]
    fn a_contact_without_speed_has_the_largest_damping() {
        let law = law(Damping::Exact, RestitutionRule::Regularized, 1.0, 1000.0);
        assert_eq!(law.coefficient(0.0), 1000.0);
        assert_eq!(law.coefficient(2.0), 0.0);
    }
}
