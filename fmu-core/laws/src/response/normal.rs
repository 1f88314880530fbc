//! Normal forces f_n of depth delta [m] and its rate delta_dot [m/s].
//!
//! - power law: K delta^n (1 + d delta_dot); `hertz`, `spring` and `volume` are power laws, and d
//!   is frozen or, [`crate::response::inferred`], follows from depth and rate
//! - `impact`: K delta^n + c_max STEP(delta, 0, 0, depth, 1) delta_dot, [MotionSolve]
//! - `poisson`: p delta (1 + beta STEP(delta_dot, -v_n, -1, v_n, 1)), beta = (1 - e^2)/(1 + e^2):
//!   loading along p (1 + beta) delta, unloading along p (1 - beta) delta, so that the work given
//!   back is e^2 of the work put in where v_n is small
//! - `user`: a function of the user, [`crate::response::user`]
//! - `observer`: none
//!
//! When the contact starts d or beta is frozen, or the effective mass that d is inferred with.

use crate::response::damping::DampingLaw;
use crate::response::inferred::Inferred;
use crate::response::options::Step;
use crate::response::power::PowerLaw;
use crate::response::user::UserForce;
use contact_geometry::math::{Dual, Real};

/// A normal force with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum NormalLaw {
    /// K delta^n (1 + d delta_dot).
    Power(PowerLaw),
    /// The same with d from the impact speed that is inferred at each instant.
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
    /// The power law with this damping.
    pub fn damped(elastic: PowerLaw, damping: &DampingLaw) -> Self {
        match &damping.inferred {
            Some(damping) => NormalLaw::Inferred {
                elastic,
                damping: damping.clone(),
            },
            None => NormalLaw::Power(elastic),
        }
    }

    /// What a contact freezes that starts with this speed [m/s] and this effective mass [kg]: the
    /// damping coefficient d [s/m] of a power law, the mass if d is inferred, beta [1] of
    /// Poisson's.
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

    /// Slope of the elastic force over the depth [N/m] and of the total one over its rate [N.s/m],
    /// pulling or not; zero for a function of the user.
    pub fn slopes(&self, depth: f64, rate: f64, frozen: f64) -> (f64, f64) {
        let (depth_1, rate_1) = (Dual::new(depth, 1.0), Dual::new(rate, 1.0));
        let (elastic, _) = self.forces(depth_1, Dual::from(rate), frozen, Dual::from(1.0));
        let (_, total) = self.forces(Dual::from(depth), rate_1, frozen, Dual::from(1.0));
        (elastic.eps[0], total.eps[0])
    }

    /// Elastic and total force [N] at a depth [m] and its rate [m/s]; `frozen` is d [s/m] of a
    /// power law, the effective mass [kg] > 0 of an inferred one and beta [1] of Poisson's. That
    /// mass is divided by `mobility` [1] > 0, see [`crate::response::law::Onset`]. The total force
    /// may pull.
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

    /// The elastic part, to be changed; none if there is no force.
    pub fn elastic_mut(&mut self) -> Option<&mut PowerLaw> {
        match self {
            NormalLaw::Power(elastic)
            | NormalLaw::Inferred { elastic, .. }
            | NormalLaw::Impact { elastic, .. }
            | NormalLaw::Poisson { elastic, .. } => Some(elastic),
            NormalLaw::User(_) | NormalLaw::Observer => None,
        }
    }

    /// The elastic part; none if there is no force.
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
