//! Power law of the elastic force, f = K delta^n.

use contact_geometry::math::Real;
use contact_geometry::math::transcendental::powf;

/// K delta^n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// Stiffness K [N/m^n], > 0.
    pub stiffness: f64,
    /// Exponent n [1], >= 1.
    pub exponent: f64,
}

impl PowerLaw {
    /// Force K delta |delta|^(n-1) [N]; odd in the depth [m], so that a law that does not clamp
    /// stays finite on the wrong side.
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

    /// The force [N], and twice the energy over a mass [kg]: s^2 [m2/s2], f delta = (n + 1) E.
    #[inline(always)]
    pub fn force_and_speed<T: Real>(&self, depth: T, mass: f64) -> (T, T) {
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
    pub fn depth_under_force(&self, force: f64) -> f64 {
        powf(force / self.stiffness, 1.0 / self.exponent)
    }

    /// Largest depth [m] of an undamped impact of mass [kg] at speed [m/s]: there m v^2/2 is
    /// stored.
    pub fn depth_after_impact(&self, mass: f64, speed: f64) -> f64 {
        let n = self.exponent + 1.0;
        powf(0.5 * n * mass * speed * speed / self.stiffness, 1.0 / n)
    }
}

/// Depth [m] below which a force with an exponent above 1 counts as zero: no force of a body comes
/// near K 1e-100^n, and above it no part of a derivative overflows.
const NEGLIGIBLE_DEPTH: f64 = 1e-100;

#[cfg(test)]
mod tests {
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
