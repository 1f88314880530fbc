//! Smooth replacements near zero speed, [Modia3D collision handling].

use contact_geometry::math::real::{exp, ln};
use contact_geometry::math::{Real, Vec3};

/// Least coefficient of restitution [1].
pub const COR_MIN: f64 = 1e-3;

/// reg(v, v_small): v above v_small, a cubic with minimum v_small/3 at v = 0 below; first and
/// second derivative are continuous.
///
/// reg = v^2/vs (1 - v/(3 vs)) + vs/3 for v < vs. Takes and returns [m/s] or [rad/s]; `v` >= 0.
#[inline(always)]
pub fn reg<T: Real>(v: T, v_small: f64) -> T {
    if v.value() >= v_small {
        return v;
    }
    v * v / v_small * (T::one() - v / (3.0 * v_small)) + T::from(v_small / 3.0)
}

/// size v/reg(|v|, v_small): a vector of this size along fast motion, going smoothly to zero with
/// the speed. One division, of the size: of all vector operations that is the dearest.
#[inline(always)]
pub fn along<T: Real>(v: &Vec3<T>, v_small: f64, size: T) -> Vec3<T> {
    // reg is flat at zero, so the missing derivative of |v| there does not matter.
    v * (size / reg(magnitude(v), v_small))
}

/// |v|, for functions that are even in v: zero without a derivative at zero, and where the square
/// is so small that its root has no finite derivative in floating point, below 1.5e-154.
#[inline(always)]
pub(super) fn magnitude<T: Real>(v: &Vec3<T>) -> T {
    let square = v.dot(v);
    if square.value() < f64::MIN_POSITIVE {
        T::zero()
    } else {
        square.sqrt()
    }
}

/// Coefficient of restitution that goes to [`COR_MIN`] with the impact speed `v0` [m/s]:
/// cor_reg = cor_lim + (cor_min - cor_lim) exp(ln(0.01) v0/v_small), cor_lim = max(cor_min, cor).
pub fn restitution(cor: f64, v0: f64, v_small: f64) -> f64 {
    let limited = cor.max(COR_MIN);
    limited + (COR_MIN - limited) * exp(ln(0.01) * v0 / v_small)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_geometry::math::Dual;

    #[test]
    fn reg_has_its_minimum_of_a_third_and_joins_with_two_derivatives() {
        assert_eq!(reg(0.0, 0.3), 0.3 / 3.0);
        assert_eq!(reg(0.4, 0.3), 0.4);
        let vs = 0.01;
        let below = reg(Dual::new(vs * (1.0 - 1e-9), 1.0), vs);
        assert!((below.re - vs).abs() < 1e-10);
        assert!((below.eps[0] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn vector_along_motion_is_zero_with_a_finite_derivative_at_rest() {
        let v = Vec3::new(
            Dual::new(0.0, 1.0),
            Dual::new(0.0, 0.0),
            Dual::new(0.0, 0.0),
        );
        let e = along(&v, 0.01, Dual::from(1.0));
        assert_eq!(e.x.re, 0.0);
        // d(v/reg)/dv at rest is 1/reg(0) = 3/v_small.
        assert!((e.x.eps[0] - 300.0).abs() < 1e-10);
    }

    #[test]
    fn restitution_is_the_given_one_at_speed_and_the_least_one_at_rest() {
        assert!((restitution(0.7, 0.0, 0.01) - COR_MIN).abs() < 1e-17);
        assert_eq!(restitution(0.7, 1.0, 0.01), 0.7);
        // At v_small one hundredth of the way is left.
        assert!((restitution(0.7, 0.01, 0.01) - (0.7 - 0.01 * 0.699)).abs() < 1e-15);
    }
}
