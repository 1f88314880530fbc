//! Normal forces f_n of depth delta [m] and its rate delta_dot [m/s].
//!
//! - power law: K delta^n (1 + d delta_dot); `hertz`, `spring` and `volume` are power laws, and d is frozen
//!   or, [`crate::response::inferred`], follows from depth and rate
//! - `impact`: K delta^n + c_max STEP(delta, 0, 0, depth, 1) delta_dot, [MotionSolve]
//! - `poisson`: p delta (1 + beta STEP(delta_dot, -v_n, -1, v_n, 1)), beta = (1 - e^2)/(1 + e^2): loading
//!   along p (1 + beta) delta, unloading along p (1 - beta) delta, so that the recovered work is e^2 of the
//!   work done where v_n is small
//! - `user`: user-defined function, [`crate::response::user`]
//! - `observer`: none
//!
//! When the contact starts d or beta is frozen, or the effective mass that d is inferred with.

use crate::response::choice::Step;
use crate::response::damping::DampingLaw;
use crate::response::inferred::Inferred;
use crate::response::user::UserForce;
use contact_geometry::math::real::powf;
use contact_geometry::math::{Dual, Real};

/// Normal force with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum NormalLaw {
    /// K delta^n (1 + d delta_dot).
    Power(PowerLaw),
    /// Power law with d from the impact speed inferred at each instant.
    Inferred {
        /// Elastic part.
        elastic: PowerLaw,
        /// Damping.
        damping: Inferred,
    },
    /// Spring and damper in parallel.
    Impact {
        /// Elastic part.
        elastic: PowerLaw,
        /// Largest damping c_max [N.s/m], >= 0.
        damping: f64,
        /// Depth of full damping [m], > 0.
        depth: f64,
        /// The step function.
        step: Step,
    },
    /// Penalty law, stiffer in loading than in unloading.
    Poisson {
        /// Elastic part, linear.
        elastic: PowerLaw,
        /// Transition speed v_n [m/s], > 0.
        transition: f64,
        /// The step function.
        step: Step,
    },
    /// User-defined function.
    User(UserForce),
    /// No force.
    Observer,
}

impl NormalLaw {
    /// Power law with this damping.
    pub fn damped(elastic: PowerLaw, damping: &DampingLaw) -> Self {
        match &damping.inferred {
            Some(damping) => NormalLaw::Inferred {
                elastic,
                damping: damping.clone(),
            },
            None => NormalLaw::Power(elastic),
        }
    }

    /// Value frozen at the start of a contact with this speed [m/s] and this effective mass [kg]: the damping
    /// coefficient d [s/m] of a power law, the mass if d is inferred, beta [1] of Poisson's law.
    pub fn frozen(&self, damping: &DampingLaw, impact_speed: f64, effective_mass: f64) -> f64 {
        match self {
            NormalLaw::Power(_) => damping.coefficient(impact_speed),
            NormalLaw::Inferred { damping, .. } => {
                damping.make_table();
                effective_mass
            }
            NormalLaw::Poisson { .. } => poisson_beta(damping.restitution.at(impact_speed)),
            NormalLaw::Impact { .. } | NormalLaw::User(_) | NormalLaw::Observer => 0.0,
        }
    }

    /// Slope of the elastic force over the depth [N/m] and of the total force over its rate [N.s/m], also
    /// where it pulls; zero for a user function.
    pub fn slopes(&self, depth: f64, rate: f64, frozen: f64) -> (f64, f64) {
        let (depth_1, rate_1) = (Dual::new(depth, 1.0), Dual::new(rate, 1.0));
        let (elastic, _) = self.forces(depth_1, Dual::from(rate), frozen, Dual::from(1.0));
        let (_, total) = self.forces(Dual::from(depth), rate_1, frozen, Dual::from(1.0));
        (elastic.eps[0], total.eps[0])
    }

    /// Elastic and total force [N] at a depth [m] and its rate [m/s]; `frozen` is d [s/m] of a power law, the
    /// effective mass [kg] > 0 of an inferred one, beta [1] of Poisson's law. The mass is divided by
    /// `mobility` [1] > 0, see [`crate::response::law::Onset`]. The total force may pull.
    #[inline(always)]
    pub fn forces<T: Real>(&self, depth: T, rate: T, frozen: f64, mobility: T) -> (T, T) {
        match self {
            NormalLaw::Power(law) => {
                let elastic = law.force(depth);
                (elastic, elastic * (T::one() + rate * frozen))
            }
            NormalLaw::Inferred { elastic, damping } => {
                let (force, s_2) = elastic.force_and_speed(depth, frozen);
                (force, force * damping.factor(rate, s_2 * mobility))
            }
            NormalLaw::Impact {
                elastic,
                damping,
                depth: full,
                step,
            } => {
                let elastic = elastic.force(depth);
                let damping = step.between(depth, [0.0, *full], [0.0, *damping]);
                (elastic, elastic + damping * rate)
            }
            NormalLaw::Poisson {
                elastic,
                transition,
                step,
            } => {
                let elastic = elastic.force(depth);
                let side = step.between(rate, [-transition, *transition], [-frozen, frozen]);
                (elastic, elastic * (T::one() + side))
            }
            NormalLaw::Observer => (T::zero(), T::zero()),
            // It needs more than depth and rate: [`crate::response::PairLaw::force`] asks it.
            NormalLaw::User(_) => (T::zero(), T::from(f64::NAN)),
        }
    }

    pub(crate) fn elastic_mut(&mut self) -> Option<&mut PowerLaw> {
        match self {
            NormalLaw::Power(elastic)
            | NormalLaw::Inferred { elastic, .. }
            | NormalLaw::Impact { elastic, .. }
            | NormalLaw::Poisson { elastic, .. } => Some(elastic),
            NormalLaw::User(_) | NormalLaw::Observer => None,
        }
    }

    /// Elastic part; `None` without a force.
    pub fn elastic(&self) -> Option<&PowerLaw> {
        match self {
            NormalLaw::Power(elastic)
            | NormalLaw::Inferred { elastic, .. }
            | NormalLaw::Impact { elastic, .. }
            | NormalLaw::Poisson { elastic, .. } => Some(elastic),
            NormalLaw::User(_) | NormalLaw::Observer => None,
        }
    }
}

/// beta [1] of Poisson's law for a restitution e [1].
pub(crate) fn poisson_beta(e: f64) -> f64 {
    (1.0 - e * e) / (1.0 + e * e)
}

/// Power law of the elastic force, f = K delta^n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// Stiffness K [N/m^n], > 0.
    pub stiffness: f64,
    /// Exponent n [1], >= 1.
    pub exponent: f64,
}

impl PowerLaw {
    /// Force K delta |delta|^(n-1) [N]; odd in the depth [m], so that an unclamped law stays finite for
    /// negative depth.
    #[inline(always)]
    pub fn force<T: Real>(&self, depth: T) -> T {
        if self.exponent == 1.0 {
            return depth * self.stiffness;
        }
        if depth.value().abs() < NEGLIGIBLE_DEPTH {
            // Root and power have no derivative at zero, their products with the depth have: zero.
            return T::zero();
        }
        if self.exponent == 1.5 {
            return depth * depth.abs().sqrt() * self.stiffness;
        }
        if self.exponent == 2.0 {
            return depth * depth.abs() * self.stiffness;
        }
        depth * depth.abs().powf(self.exponent - 1.0) * self.stiffness
    }

    /// Force [N], and twice the energy over a mass [kg]: s^2 [m2/s2], f delta = (n + 1) E.
    #[inline(always)]
    pub(crate) fn force_and_speed<T: Real>(&self, depth: T, mass: f64) -> (T, T) {
        let force = self.force(depth);
        let s_2 = force * depth * (2.0 / ((self.exponent + 1.0) * mass));
        (force, s_2)
    }

    /// Energy stored at a depth [J]: K |delta|^(n+1)/(n + 1).
    pub fn energy<T: Real>(&self, depth: T) -> T {
        let size = depth.abs();
        let power = if self.exponent == 1.5 {
            if size.value() < NEGLIGIBLE_DEPTH {
                return T::zero();
            }
            size * size * size.sqrt()
        } else {
            size.powf(self.exponent + 1.0)
        };
        power * self.stiffness / (self.exponent + 1.0)
    }

    /// Depth [m] at which the force is `force` [N].
    pub(crate) fn depth_under_force(&self, force: f64) -> f64 {
        powf(force / self.stiffness, 1.0 / self.exponent)
    }

    /// Maximum depth [m] of an undamped impact of mass [kg] at speed [m/s], where m v^2/2 is stored.
    pub fn depth_after_impact(&self, mass: f64, speed: f64) -> f64 {
        let n = self.exponent + 1.0;
        powf(0.5 * n * mass * speed * speed / self.stiffness, 1.0 / n)
    }
}

/// Depth [m] below which a force with an exponent above 1 counts as zero: K 1e-100^n is negligible, and above
/// it no derivative overflows.
const NEGLIGIBLE_DEPTH: f64 = 1e-100;

// Hertz contact of two curved bodies: f = k delta^(3/2), k = c_res 4/3 sqrt(R).

/// Contact modulus c_res [Pa] of two materials: c_i = E_i/(1 - nu_i^2), 1/c_res = 1/c_1 + 1/c_2.
///
/// `youngs_moduli` [Pa] > 0, `poissons_ratios` [1] in 0..1.
pub fn modulus(youngs_moduli: [f64; 2], poissons_ratios: [f64; 2]) -> f64 {
    let [c_1, c_2] =
        [0, 1].map(|i| youngs_moduli[i] / (1.0 - poissons_ratios[i] * poissons_ratios[i]));
    1.0 / (1.0 / c_1 + 1.0 / c_2)
}

/// Effective radius R [m] of two contact spheres: r1 r2/(r1 + r2) if both are curved or both flat; the curved
/// one's radius if one is flat. An infinite radius (half-space) leaves the other one.
pub(crate) fn effective_radius(radii: [f64; 2], flat: [bool; 2]) -> f64 {
    let [r_1, r_2] = radii;
    match flat {
        [true, false] => r_2,
        [false, true] => r_1,
        _ if r_1.is_infinite() => r_2,
        _ if r_2.is_infinite() => r_1,
        _ => r_1 * r_2 / (r_1 + r_2),
    }
}

/// Stiffness k [N/m^1.5] from modulus [Pa] and effective radius [m].
pub(crate) fn stiffness(modulus: f64, radius: f64) -> f64 {
    modulus * 4.0 / 3.0 * radius.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELASTIC: PowerLaw = PowerLaw {
        stiffness: 1e5,
        exponent: 1.5,
    };

    #[test]
    fn impact_has_no_damping_at_touching_and_all_of_it_from_its_depth_on() {
        let law = NormalLaw::Impact {
            elastic: ELASTIC,
            damping: 40.0,
            depth: 1e-3,
            step: Step::Cubic,
        };
        let damped = |depth| {
            let (elastic, total) = law.forces(depth, 0.5, 0.0, 1.0);
            total - elastic
        };
        assert_eq!(damped(0.0), 0.0);
        // Half of it at half the depth, by symmetry of the step.
        assert!((damped(5e-4) - 10.0).abs() < 1e-12);
        assert!((damped(2e-3) - 20.0).abs() < 1e-12);
    }

    #[test]
    fn poisson_loads_and_unloads_along_lines_whose_areas_have_the_ratio_of_the_energies() {
        let law = NormalLaw::Poisson {
            elastic: PowerLaw {
                stiffness: 1e5,
                exponent: 1.0,
            },
            transition: 0.01,
            step: Step::Cubic,
        };
        let beta = poisson_beta(0.5);
        let (_, loading) = law.forces(1e-3, 1.0, beta, 1.0);
        let (_, unloading) = law.forces(1e-3, -1.0, beta, 1.0);
        // Work given back over work put in is e^2.
        assert!((unloading / loading - 0.25).abs() < 1e-15);
    }
}

#[cfg(test)]
mod power_tests {
    use super::*;
    use contact_geometry::math::Dual;

    fn laws() -> [PowerLaw; 4] {
        [1.0, 1.5, 2.0, 2.7].map(|exponent| PowerLaw {
            stiffness: 3e9,
            exponent,
        })
    }

    #[test]
    fn force_doubles_when_stiffness_doubles_and_is_the_slope_of_the_energy() {
        for law in laws() {
            let double = PowerLaw {
                stiffness: 6e9,
                ..law
            };
            let x = 2e-5;
            assert_eq!(double.force(x), 2.0 * law.force(x));
            let h = 1e-9;
            let slope = (law.energy(x + h) - law.energy(x - h)) / (2.0 * h);
            assert!((slope / law.force(x) - 1.0).abs() < 1e-8);
        }
    }

    #[test]
    fn force_has_a_finite_derivative_at_touching() {
        let [linear, rest @ ..] = laws();
        assert_eq!(linear.force(Dual::new(0.0, 1.0)).eps[0], 3e9);
        for law in rest {
            let f = law.force(Dual::new(0.0, 1.0));
            assert_eq!((f.re, f.eps[0]), (0.0, 0.0));
        }
    }

    #[test]
    fn all_kinetic_energy_is_stored_at_the_largest_depth() {
        for law in laws() {
            let (m, v) = (1.0, 2.0);
            assert!(
                (law.energy(law.depth_after_impact(m, v)) / (0.5 * m * v * v) - 1.0).abs() < 1e-13
            );
            assert!((law.force(law.depth_under_force(9.81)) / 9.81 - 1.0).abs() < 1e-13);
        }
    }
}

#[cfg(test)]
mod hertz_tests {
    use super::*;

    #[test]
    fn steel_on_steel_has_the_textbook_modulus() {
        // E/(2 (1 - nu^2)) for equal materials.
        let c = modulus([2e11, 2e11], [0.3, 0.3]);
        assert!((c / (2e11 / (2.0 * 0.91)) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_flat_partner_leaves_the_curved_radius() {
        assert_eq!(effective_radius([0.1, 0.3], [false, true]), 0.1);
        assert_eq!(effective_radius([0.1, 0.3], [true, false]), 0.3);
        assert!((effective_radius([0.1, 0.3], [false, false]) - 0.075).abs() < 1e-17);
        assert_eq!(effective_radius([f64::INFINITY, 0.3], [true, true]), 0.3);
    }
}
