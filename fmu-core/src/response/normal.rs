//! Normal forces f_n of depth delta [m] and its rate delta_dot [m/s].
//!
//! - power law: K delta^n (1 + d delta_dot); `hertz`, `spring` and `volume` are power laws
//! - `impact`: K delta^n + c_max STEP(delta, 0, 0, depth, 1) delta_dot, [MotionSolve]
//! - `poisson`: p delta (1 + beta STEP(delta_dot, -v_n, -1, v_n, 1)), beta = (1 - e^2)/(1 + e^2):
//!   loading along p (1 + beta) delta, unloading along p (1 - beta) delta, so that the work given
//!   back is e^2 of the work put in where v_n is small
//! - `user`: a function of the user, [`crate::response::user`]
//! - `observer`: none
//!
//! d or beta is frozen when the contact starts.

use crate::math::Real;
use crate::response::options::Step;
use crate::response::power::PowerLaw;
use crate::response::user::UserForce;

/// A normal force with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum NormalLaw {
    /// K delta^n (1 + d delta_dot).
    Power(PowerLaw),
    /// Spring and damper in parallel.
    Impact {
        /// Elastic part.
        elastic: PowerLaw,
        /// Largest damping c_max [N.s/m], >= 0.
        damping: f64,
        /// Depth at which it is reached [m], > 0.
        depth: f64,
        /// The step function.
        step: Step,
    },
    /// Penalty with stiffer loading than unloading.
    Poisson {
        /// Elastic part, linear.
        elastic: PowerLaw,
        /// Transition speed v_n [m/s], > 0.
        transition: f64,
        /// The step function.
        step: Step,
    },
    /// A function of the user.
    User(UserForce),
    /// No force.
    Observer,
}

impl NormalLaw {
    /// Elastic and whole force [N] at a depth [m] and its rate [m/s]; `frozen` is d [s/m] of a power
    /// law and beta [1] of Poisson's. The whole force may pull.
    #[inline(always)]
    pub fn forces<T: Real>(&self, depth: T, rate: T, frozen: f64) -> (T, T) {
        match self {
            NormalLaw::Power(law) => {
                let elastic = law.force(depth);
                (elastic, elastic * (T::one() + rate * frozen))
            }
            NormalLaw::Impact {
                elastic,
                damping,
                depth: full,
                step,
            } => {
                let elastic = elastic.force(depth);
                let damping = step.between(depth, (0.0, 0.0), (*full, *damping));
                (elastic, elastic + damping * rate)
            }
            NormalLaw::Poisson {
                elastic,
                transition,
                step,
            } => {
                let elastic = elastic.force(depth);
                let side = step.between(rate, (-transition, -frozen), (*transition, frozen));
                (elastic, elastic * (T::one() + side))
            }
            NormalLaw::Observer => (T::zero(), T::zero()),
            // It needs more than depth and rate: [`crate::response::PairLaw::force`] asks it.
            NormalLaw::User(_) => (T::zero(), T::from(f64::NAN)),
        }
    }

    /// The elastic part; none where there is no force.
    pub fn elastic(&self) -> Option<&PowerLaw> {
        match self {
            NormalLaw::Power(elastic)
            | NormalLaw::Impact { elastic, .. }
            | NormalLaw::Poisson { elastic, .. } => Some(elastic),
            NormalLaw::User(_) | NormalLaw::Observer => None,
        }
    }
}

/// beta [1] of Poisson's law for a restitution e [1].
pub fn poisson_beta(e: f64) -> f64 {
    (1.0 - e * e) / (1.0 + e * e)
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
            let (elastic, whole) = law.forces(depth, 0.5, 0.0);
            whole - elastic
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
        let (_, loading) = law.forces(1e-3, 1.0, beta);
        let (_, unloading) = law.forces(1e-3, -1.0, beta);
        // Work given back over work put in is e^2.
        assert!((unloading / loading - 0.25).abs() < 1e-15);
    }
}
