//! Friction force on 2 from the slip velocity v_t [m/s] and the normal force f_n [N].
//!
//! - `regularized`: f_t = -mu f_n v_t/reg(|v_t|, v_small), [Modia3D collision handling]
//! - `coulomb`: f_t = -mu(|v_t|) f_n v_t/|v_t| with mu = STEP(v, -v_s, -mu_s, v_s, mu_s) up to v_s,
//!   STEP(v, v_s, mu_s, v_d, mu_d) up to v_d, mu_d beyond, [MotionSolve]
//! - `coulomb-dynamic`: the same with mu = STEP(v, -v_d, -mu_d, v_d, mu_d) up to v_d,
//!   [MotionSolve], where the page has lost the first minus sign
//! - `stick`: [`crate::response::stick`], which has a state
//! - `user`: a function of the user, [`crate::response::user`]
//!
//! Near rest mu(v)/v is a polynomial, so that nothing is divided by zero.

use crate::response::options::Step;
use crate::response::regularize;
use crate::response::stick::{Bristle, BristleForce, StickLaw};
use crate::response::user::UserForce;
use contact_geometry::math::{Dual, Real, Vec3};

/// Most iterations for the speed of friction behind a spring: regularized friction takes up to nine.
pub const MOST_ITERATIONS: usize = 60;
/// Part of the force up to which they go on: what is left goes into the force by its slope.
pub const CLOSE: f64 = 1e-7;

/// A friction law with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum FrictionLaw {
    /// No friction.
    Off,
    /// mu v/reg(|v|).
    Regularized {
        /// Coefficient of sliding friction [1].
        sliding: f64,
        /// Regularization speed [m/s].
        v_small: f64,
    },
    /// Static and dynamic friction.
    Coulomb {
        /// Coefficients of static and of sliding friction mu_s, mu_d [1].
        coefficients: [f64; 2],
        /// Transition speeds v_s, v_d [m/s], ascending.
        speeds: [f64; 2],
        /// The step function.
        step: Step,
    },
    /// Dynamic friction.
    CoulombDynamic {
        /// Coefficient of sliding friction mu_d [1].
        sliding: f64,
        /// Transition speed v_d [m/s].
        speed: f64,
        /// The step function.
        step: Step,
    },
    /// Friction that holds at rest; its force depends on a deflection.
    Stick(StickLaw),
    /// A function of the user.
    User(UserForce),
}

impl FrictionLaw {
    /// Force on 2 [N]; of a law with a state that of steady sliding. The frequent kinds are inlined.
    #[inline(always)]
    pub fn force<T: Real>(&self, slip: &Vec3<T>, normal_force: T) -> Vec3<T> {
        match self {
            FrictionLaw::Off => Vec3::zeros(),
            FrictionLaw::Regularized { sliding, v_small } => {
                regularize::along(slip, *v_small, -normal_force * *sliding)
            }
            _ => self.force_of_other(slip, normal_force),
        }
    }

    #[inline(never)]
    fn force_of_other<T: Real>(&self, slip: &Vec3<T>, normal_force: T) -> Vec3<T> {
        match self {
            FrictionLaw::Off | FrictionLaw::Regularized { .. } => self.force(slip, normal_force),
            // It needs more than slip and force: [`crate::response::PairLaw::force`] asks it.
            FrictionLaw::User(_) => Vec3::repeat(T::from(f64::NAN)),
            FrictionLaw::Coulomb { .. } | FrictionLaw::CoulombDynamic { .. } => {
                slip * (-normal_force * self.per_speed(regularize::magnitude(slip)))
            }
            FrictionLaw::Stick(law) => {
                let v = regularize::magnitude(slip);
                if v.value() == 0.0 {
                    return Vec3::zeros();
                }
                slip * (-law.limit(slip, normal_force) / v)
            }
        }
    }

    /// mu(v)/v [s/m] at a slip speed [m/s], of the laws in which the speed alone matters.
    pub fn per_speed<T: Real>(&self, v: T) -> T {
        match self {
            FrictionLaw::Regularized { sliding, v_small } => {
                regularize::reg(v, *v_small).recip() * *sliding
            }
            FrictionLaw::Coulomb {
                coefficients: [mu_s, mu_d],
                speeds: [v_s, v_d],
                step,
            } => {
                if v.value() <= *v_s {
                    step.odd_slope(v, *v_s) * *mu_s
                } else {
                    step.between(v, (*v_s, *mu_s), (*v_d, *mu_d)) / v
                }
            }
            FrictionLaw::CoulombDynamic {
                sliding,
                speed,
                step,
            } => {
                if v.value() <= *speed {
                    step.odd_slope(v, *speed) * *sliding
                } else {
                    T::from(*sliding) / v
                }
            }
            _ => T::zero(),
        }
    }

    /// Returns true if the slip speed and the normal force alone matter.
    pub fn is_of_speed(&self) -> bool {
        self.profile().is_some()
    }

    /// The force of a law in which the speed alone matters, where it acts through a spring [N/m] and a
    /// damper [N.s/m] in parallel; the deflection of the bristle is the force p of the spring [N].
    ///
    /// With the trial force T = p + c v, the law slips along T with the speed u that leaves |T| - c u =
    /// mu(u) f_n, and p' = k (v - u): steady sliding and rest have the force of the law.
    pub fn behind(
        &self,
        [stiffness, damping]: [f64; 2],
        slip: &Vec3,
        (normal, normal_force): (&Vec3, f64),
        bristle: &Bristle<f64>,
    ) -> BristleForce<f64> {
        let along = bristle.deflection.dot(normal);
        let spring = bristle.deflection - normal * along;
        let trial = spring + slip * damping;
        let size = trial.norm();
        let mut held = Vec3::zeros();
        if size > 0.0 {
            let exerted = self.in_series(size, damping, normal_force.max(0.0));
            held = trial * (exerted / size);
        }
        let rate = (held - spring) * (stiffness / damping);
        let leak = along * stiffness / damping;
        BristleForce {
            friction: -held,
            deflection_rate: rate + normal.cross(&spring) * bristle.spin - normal * leak,
            dissipation: held.dot(slip),
        }
    }

    /// mu(u) f_n [N] at the slip speed u where it is size - c u, by Newton's method between bounds.
    fn in_series(&self, size: f64, c: f64, normal_force: f64) -> f64 {
        let (mut low, mut high, mut u) = (0.0, size / c, 0.0);
        let mut exerted = 0.0;
        for _ in 0..MOST_ITERATIONS {
            let speed: Dual = Dual::new(u, 1.0);
            let asked = self.per_speed(speed) * speed * normal_force;
            let lacks = size - asked.re - c * u;
            let step = lacks / (asked.eps[0] + c);
            exerted = asked.re + asked.eps[0] * step;
            if lacks.abs() <= CLOSE * size {
                break;
            }
            *(if lacks > 0.0 { &mut low } else { &mut high }) = u;
            u += step;
            if u <= low || u >= high {
                u = 0.5 * (low + high);
            }
        }
        exerted
    }

    /// The law, if it has a deflection as state.
    #[inline(always)]
    pub fn stick(&self) -> Option<&StickLaw> {
        match self {
            FrictionLaw::Stick(law) => Some(law),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without its deflection the law is that of steady sliding: mu_s f_n up to v_s, mu_k f_n from
    /// v_d on, against the slip velocity; nothing at rest, where it has no direction.
    #[test]
    fn stick_without_a_deflection_slides_with_its_limit_and_exerts_nothing_at_rest() {
        let law = FrictionLaw::Stick(StickLaw {
            coefficients: [0.5, 0.3],
            speeds: [0.01, 0.1],
            step: Step::Quintic,
            stiffness: 1e6,
            damping: 1e3,
            follows: None,
            is_damping_derived: false,
        });
        for (speed, mu) in [(1e-9, 0.5), (0.01, 0.5), (0.1, 0.3), (20.0, 0.3)] {
            let direction = Vec3::new(0.6, -0.8, 0.0);
            let force = law.force(&(direction * speed), 200.0);
            let error = (force + direction * (mu * 200.0)).norm();
            assert!(error < 1e-12 * mu * 200.0, "{speed} m/s: {force:?}");
        }
        assert_eq!(law.force(&Vec3::zeros(), 200.0), Vec3::zeros());
    }
}
