//! Friction force on 2 from the slip velocity v_t [m/s] and the normal force f_n [N].
//!
//! - `regularized`: f_t = -mu f_n v_t/reg(|v_t|, v_small), [Modia3D collision handling]
//! - `coulomb`: f_t = -mu(|v_t|) f_n v_t/|v_t| with mu = STEP(v, -v_s, -mu_s, v_s, mu_s) up to v_s, STEP(v,
//!   v_s, mu_s, v_d, mu_d) up to v_d, mu_d beyond, [MotionSolve]
//! - `coulomb-dynamic`: the same with mu = STEP(v, -v_d, -mu_d, v_d, mu_d) up to v_d, [MotionSolve], where
//!   the page has lost the first minus sign
//! - `stick`: [`crate::response::stick`], which has a state
//! - `user`: user-defined function, [`crate::response::user`]
//!
//! Near rest mu(v)/v is a polynomial, so that nothing is divided by zero.
//!
//! # Step functions
//!
//! From h_0 at x_0 to h_1 at x_1, constant outside.
//!
//! With z = clamp((x - x_0)/(x_1 - x_0), 0, 1): STEP = h_0 + (h_1 - h_0) z^2 (3 - 2 z), C1; STEP5 = h_0 +
//! (h_1 - h_0) z^3 (10 - 15 z + 6 z^2), C2.

use crate::response::choice::Step;
use crate::response::stick::{Bristle, BristleForce, StickLaw};
use crate::response::user::UserForce;
use contact_geometry::math::{Dual, Real, Vec3, magnitude, reg, regularized};

/// Maximum iterations for the slip speed of friction behind a spring; regularised friction needs up to nine.
pub const MOST_ITERATIONS: usize = 60;
/// Relative residual of the force that ends the iteration; the rest is added by the slope of the force.
pub const CLOSE: f64 = 1e-7;

/// Friction law with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum FrictionLaw {
    /// No friction.
    Off,
    /// Regularised Coulomb friction mu v/reg(|v|).
    Regularized {
        /// Coefficient of sliding friction [1].
        sliding: f64,
        /// Regularisation speed [m/s].
        v_small: f64,
    },
    /// Static and dynamic friction.
    Coulomb {
        /// Static and sliding coefficients mu_s, mu_d [1].
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
    /// Sticking friction; its force depends on a deflection.
    Stick(StickLaw),
    /// User-defined function.
    User(UserForce),
}

impl FrictionLaw {
    /// Force on 2 [N]; for a law with a state, the force in steady sliding. The frequent kinds are inlined.
    #[inline(always)]
    pub fn force<T: Real>(&self, slip: &Vec3<T>, normal_force: T) -> Vec3<T> {
        match self {
            FrictionLaw::Off => Vec3::zeros(),
            FrictionLaw::Regularized { sliding, v_small } => {
                regularized(slip, *v_small, -normal_force * *sliding)
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
                slip * (-normal_force * self.per_speed(magnitude(slip)))
            }
            FrictionLaw::Stick(law) => {
                let v = magnitude(slip);
                if v.value() == 0.0 {
                    return Vec3::zeros();
                }
                slip * (-law.limit(slip, normal_force) / v)
            }
        }
    }

    /// mu(v)/v [s/m] at a slip speed [m/s], for laws that depend on the speed alone.
    #[inline(always)]
    pub(crate) fn per_speed<T: Real>(&self, v: T) -> T {
        match self {
            FrictionLaw::Regularized { sliding, v_small } => reg(v, *v_small).recip() * *sliding,
            _ => self.per_speed_of_other(v),
        }
    }

    #[inline(never)]
    fn per_speed_of_other<T: Real>(&self, v: T) -> T {
        match self {
            FrictionLaw::Coulomb {
                coefficients,
                speeds,
                step,
            } => {
                if v.value() <= speeds[0] {
                    step.odd_slope(v, speeds[0]) * coefficients[0]
                } else {
                    step.between(v, *speeds, *coefficients) / v
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

    /// Returns true if the force depends on slip speed and normal force alone.
    pub fn is_of_speed(&self) -> bool {
        self.profile().is_some()
    }

    /// Friction of a speed-dependent law in series with a spring [N/m] and a damper [N.s/m] in parallel; the
    /// deflection of the bristle is the spring force p [N].
    ///
    /// With the trial force T = p + c v, the law slips along T with the speed u that solves |T| - c u = mu(u)
    /// f_n, and p' = k (v - u): steady sliding and rest have the force of the law.
    pub(crate) fn behind(
        &self,
        [stiffness, damping]: [f64; 2],
        slip: &Vec3,
        normal: &Vec3,
        normal_force: f64,
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

    /// mu(u) f_n [N] at the slip speed u that solves size - c u = mu(u) f_n, by Newton's method with bounds.
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

    /// The law if it has a deflection as state.
    #[inline(always)]
    pub fn stick(&self) -> Option<&StickLaw> {
        match self {
            FrictionLaw::Stick(law) => Some(law),
            _ => None,
        }
    }
}

impl Step {
    /// Step function at `x`, from `h_0` at `x_0` to `h_1` at `x_1` > `x_0`.
    #[inline(always)]
    pub(crate) fn between<T: Real>(self, x: T, [x_0, x_1]: [f64; 2], [h_0, h_1]: [f64; 2]) -> T {
        if x.value() <= x_0 {
            return T::from(h_0);
        }
        if x.value() >= x_1 {
            return T::from(h_1);
        }
        let z = (x - T::from(x_0)) / (x_1 - x_0);
        self.unit(z) * (h_1 - h_0) + T::from(h_0)
    }

    /// From 0 to 1 over z in 0..1, without the clamp.
    #[inline(always)]
    fn unit<T: Real>(self, z: T) -> T {
        match self {
            Step::Cubic => z * z * (T::from(3.0) - z * 2.0),
            Step::Quintic => z * z * z * (T::from(10.0) - z * 15.0 + z * z * 6.0),
        }
    }

    /// STEP(x, -w, -1, w, 1)/x for 0 <= x <= w, a polynomial: STEP is odd about zero, so the quotient has a
    /// limit there.
    ///
    /// With r = x/w the steps are r (3 - r^2)/2 and r (15 - 10 r^2 + 3 r^4)/8.
    #[inline(always)]
    pub(crate) fn odd_slope<T: Real>(self, x: T, w: f64) -> T {
        let r = x / w;
        let square = r * r;
        match self {
            Step::Cubic => (T::from(3.0) - square) * (0.5 / w),
            Step::Quintic => (T::from(15.0) - square * 10.0 + square * square * 3.0) * (0.125 / w),
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

#[cfg(test)]
mod step_tests {
    use super::*;
    use contact_geometry::math::Dual;

    const STEPS: [Step; 2] = [Step::Cubic, Step::Quintic];

    #[test]
    fn a_step_goes_from_one_value_to_the_other_and_joins_flat() {
        for step in STEPS {
            let at = |x: f64| step.between(Dual::new(x, 1.0), [-1.0, 3.0], [2.0, 5.0]);
            assert_eq!((at(-1.5).re, at(3.5).re), (2.0, 5.0));
            assert_eq!(at(1.0).re, 3.5);
            for end in [-1.0 + 1e-9, 3.0 - 1e-9] {
                assert!(at(end).eps[0].abs() < 1e-8, "{step:?}");
            }
        }
    }

    #[test]
    fn odd_slope_times_x_is_the_step_through_zero() {
        for step in STEPS {
            // The sums of the step have terms up to 15, so some 1e-15 of rounding.
            for i in 1..=20 {
                let (w, x) = (0.3, 0.3 * f64::from(i) / 20.0);
                let odd = step.between(x, [-w, w], [-1.0, 1.0]);
                assert!((step.odd_slope(x, w) * x - odd).abs() < 1e-14);
            }
        }
    }
}
