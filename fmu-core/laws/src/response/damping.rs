//! Damping coefficient of a force f_el(delta) (1 + d delta_dot) from a desired restitution e. u = d v0 from
//! [`exact`], or from published formulas for u(e), which reproduce e approximately:
//! - [Flores 2011] P. Flores, M. Machado, M. T. Silva, J. M. Martins, On the continuous contact force models
//!   for soft materials in multibody dynamics, Multibody System Dynamics 25
//! - [Engelson 2000] V. Engelson, Integration of collision detection with the multibody system library in
//!   Modelica, Linkoping University
//! - [Hunt 1975] K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in
//!   vibroimpact, Journal of Applied Mechanics 42
//! - [Lankarani 1990] H. M. Lankarani, P. E. Nikravesh, A contact force model with hysteresis damping for
//!   impact analysis of multibody systems, Journal of Mechanical Design 112
//! - [Gonthier 2004] Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedboeuf, A regularized contact model with
//!   asymmetric damping and dwell-time dependent friction, Multibody System Dynamics 11
//! - [Hu 2015] S. Hu, X. Guo, A dissipative contact force model for impact analysis in multibody dynamics,
//!   Multibody System Dynamics 35
//! - [Herbert 1977] R. G. Herbert, D. C. McWhannell, Shape and frequency composition of pulses from an impact
//!   pair, Journal of Engineering for Industry 99

use crate::response::choice::{Damping, ImpactSpeed, LawChoice};
use crate::response::inferred::{Inferred, Tables};
use crate::response::number::Number;
use crate::response::restitution::{Restitution, exact};
use contact_geometry::math::real::{atan2, exp, hypot, powf, sin_cos};
use contact_geometry::math::reg;

/// Damping coefficient of a power law.
#[derive(Clone, Debug, PartialEq)]
pub struct DampingLaw {
    /// The formula.
    pub kind: Damping,
    /// Rule for the impact speed.
    pub impact_speed: ImpactSpeed,
    /// Restitution.
    pub restitution: Restitution,
    /// Constant coefficient [s/m], if `kind` is constant.
    pub constant: f64,
    /// Upper bound otherwise [s/m]; not used by `inferred`.
    pub d_max: f64,
    /// Inferred coefficient, if nonzero.
    pub inferred: Option<Inferred>,
}

impl DampingLaw {
    /// Damping of a choice of laws, with its table if it is inferred.
    pub fn new(choice: &LawChoice, d_max: f64, tables: &mut Tables) -> Self {
        let kinds = &choice.kinds;
        let law = DampingLaw {
            kind: kinds.damping,
            impact_speed: kinds.impact_speed,
            restitution: Restitution {
                given: choice.number(Number::Restitution),
                rule: kinds.restitution,
                v_small: choice.number(Number::VSmall),
            },
            constant: choice.number(Number::DampingCoefficient),
            d_max,
            inferred: None,
        };
        match kinds.is_inferred() {
            true => DampingLaw {
                d_max,
                ..Self::inferred(law.restitution, tables)
            },
            false => law,
        }
    }

    /// Inferred damping for a restitution.
    pub fn inferred(restitution: Restitution, tables: &mut Tables) -> Self {
        DampingLaw {
            kind: Damping::Inferred,
            impact_speed: ImpactSpeed::Plain,
            restitution,
            constant: 0.0,
            d_max: f64::INFINITY,
            inferred: Inferred::new(&restitution, tables),
        }
    }

    /// Desired restitution [1] of a first impact at a speed [m/s].
    pub fn asked(&self, v0: f64) -> f64 {
        match (&self.inferred, self.kind) {
            (Some(inferred), _) => inferred.restitution(v0),
            (None, Damping::Inferred) => self.restitution.given,
            _ => self.restitution.at(v0),
        }
    }

    /// Freezes the impact speed at the start of the contact instead of inferring it.
    pub fn latched(self) -> Self {
        match self.inferred {
            Some(_) => DampingLaw {
                kind: Damping::Exact,
                inferred: None,
                ..self
            },
            None => self,
        }
    }

    /// Damping coefficient [s/m] of a contact that starts with the speed `v0` [m/s].
    ///
    /// d = u(e)/v0, bounded by d_max; d_max for a contact that starts at zero speed. `inferred` gives the
    /// coefficient of a first impact: without a bound, and zero for a restitution of 1.
    pub fn coefficient(&self, v0: f64) -> f64 {
        match self.kind {
            Damping::Constant => return self.constant,
            Damping::Inferred => {
                let coefficient = |known: &Inferred| known.coefficient(v0);
                return self.inferred.as_ref().map_or(0.0, coefficient);
            }
            _ => {}
        }
        let speed = match self.impact_speed {
            ImpactSpeed::Plain => v0,
            ImpactSpeed::Regularized => reg(v0, self.restitution.v_small),
        };
        if speed == 0.0 {
            return self.d_max;
        }
        let u = self.kind.relative(self.restitution.at(v0));
        self.d_max.min(u / speed)
    }
}

impl Damping {
    /// u [1], the damping coefficient times the impact speed, for a restitution e in 0..1; infinite for
    /// formulas singular at e = 0. Zero for a constant coefficient, which does not follow from e.
    pub fn relative(self, e: f64) -> f64 {
        match self {
            Damping::Constant => 0.0,
            Damping::Exact | Damping::Inferred => exact(e),
            Damping::Flores => 8.0 * (1.0 - e) / (5.0 * e),
            Damping::EngelsonFraction => (1.0 - e) / e,
            Damping::EngelsonPolynomial => engelson_polynomial(e),
            Damping::HuntCrossley => 1.5 * (1.0 - e),
            Damping::LankaraniNikravesh => 0.75 * (1.0 - e * e),
            Damping::Gonthier => (1.0 - e * e) / e,
            Damping::HuGuo => 1.5 * (1.0 - e) / e,
            Damping::HerbertMcWhannell => {
                let shifted = 2.0 * e - 1.0;
                6.0 * (1.0 - e) / (shifted * shifted + 3.0)
            }
        }
    }
}

/// Engelson's cubic: u = exp(s) with the root s = 0.620898 + (-0.163279 + 0.282808 i)/R - (15.6309 + 27.0735
/// i) R, where R is the cube root of T = -0.000833598 + 0.00193378 (e + sqrt(e - 0.983167) sqrt(e +
/// 0.121024)).
///
/// Up to e = 0.983167 the cubic has three real roots, and the imaginary part of s is the rounding of its
/// coefficients; above, s is complex and its real part is taken.
fn engelson_polynomial(e: f64) -> f64 {
    let (under, factor) = (e - 0.983167, (e + 0.121024).sqrt());
    // Real and imaginary part of the root.
    let [re, im] = match under < 0.0 {
        true => [0.0, (-under).sqrt() * factor],
        false => [under.sqrt() * factor, 0.0],
    };
    let [re, im] = [-0.000833598 + (re + e) * 0.00193378, im * 0.00193378];
    // R = r (cos a + i sin a).
    let r = powf(hypot(re, im), 1.0 / 3.0);
    let (sin, cos) = sin_cos(atan2(im, re) / 3.0);
    let first = (-0.163279 * cos + 0.282808 * sin) / r;
    let second = (15.6309 * cos - 27.0735 * sin) * r;
    exp(0.620898 + (first - second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::choice::RestitutionRule;
    use crate::response::restitution::obtained;

    #[test]
    fn published_formulas_have_the_values_of_their_papers() {
        let rows = [
            (Damping::Flores, 1.6),
            (Damping::EngelsonFraction, 1.0),
            (Damping::HuntCrossley, 0.75),
            (Damping::LankaraniNikravesh, 0.5625),
            (Damping::Gonthier, 1.5),
            (Damping::HuGuo, 1.5),
            (Damping::HerbertMcWhannell, 1.0),
            (Damping::Constant, 0.0),
        ];
        for (kind, u) in rows {
            assert!((kind.relative(0.5) - u).abs() < 1e-15, "{kind:?}");
            if kind != Damping::Constant {
                assert!(kind.relative(0.25) > kind.relative(0.75));
            }
            assert_eq!(kind.relative(1.0), 0.0, "{kind:?}");
        }
    }

    #[test]
    fn engelson_polynomial_has_the_values_of_its_complex_root() {
        // The published expression in independent complex arithmetic.
        for (e, u) in [
            (0.001, 12.123837670570497),
            (0.1, 7.244535759262093),
            (0.5, 1.4252456242757638),
            (0.9, 0.2232048764214622),
            (0.983, 0.07975935158565489),
            (0.984, 0.07617229639153313),
            (1.0, 0.07539624796427544),
        ] {
            let found = Damping::EngelsonPolynomial.relative(e);
            assert!((found / u - 1.0).abs() < 1e-12, "{e}: {found}");
        }
    }

    #[test]
    fn each_published_formula_obtains_what_is_known_of_it() {
        let error = |kind: Damping, e: f64| obtained(kind.relative(e)) - e;
        let largest = |kind: Damping, from: f64| {
            let at = |i: i32| from + (1.0 - from) * f64::from(i) / 4000.0;
            (1..4000).fold((0.0_f64, 0.0), |best, i| {
                let size = error(kind, at(i)).abs();
                if size > best.0 { (size, at(i)) } else { best }
            })
        };
        let (size, place) = largest(Damping::EngelsonFraction, 0.0);
        assert!((size - 0.0936).abs() < 5e-5 && (place - 0.505).abs() < 5e-3);
        let (size, place) = largest(Damping::Flores, 0.0);
        assert!((size - 0.0454).abs() < 5e-5 && (place - 0.240).abs() < 5e-3);
        assert!(largest(Damping::EngelsonPolynomial, 0.069).0 < 0.05);
        assert!(error(Damping::EngelsonPolynomial, 0.067) > 0.05);
        // Hunt and Crossley, Lankarani and Nikravesh: right at e = 1 to first order in 1 - e.
        for kind in [Damping::HuntCrossley, Damping::LankaraniNikravesh] {
            assert!(error(kind, 0.999).abs() < 1e-5, "{kind:?}");
        }
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
            inferred: None,
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

    #[test]
    fn no_formula_gives_more_than_the_largest_damping_or_less_than_none() {
        let kinds = [
            Damping::Exact,
            Damping::Flores,
            Damping::EngelsonFraction,
            Damping::EngelsonPolynomial,
            Damping::HuntCrossley,
            Damping::LankaraniNikravesh,
            Damping::Gonthier,
            Damping::HuGuo,
            Damping::HerbertMcWhannell,
        ];
        for kind in kinds {
            for e in [0.0, 1e-3, 0.5, 1.0] {
                for v0 in [0.0, 5e-324, 1e-9, 0.01, 1.0, 1e3] {
                    let law = law(kind, RestitutionRule::Constant, e, 50.0);
                    let d = law.coefficient(v0);
                    let plain = kind.relative(e) / v0;
                    assert!((0.0..=50.0).contains(&d), "{kind:?} {e} {v0}");
                    assert!(v0 == 0.0 || d == 50.0 || d == plain);
                }
            }
        }
    }

    #[test]
    fn a_constant_coefficient_is_the_given_one_at_all_speeds() {
        let law = DampingLaw {
            constant: 3.0,
            ..law(Damping::Constant, RestitutionRule::Constant, 0.5, 1.0)
        };
        assert_eq!([0.0, 0.1, 10.0].map(|v0| law.coefficient(v0)), [3.0; 3]);
    }
}
