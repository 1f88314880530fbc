//! Step functions: from h_0 at x_0 to h_1 at x_1, constant outside.
//!
//! With z = clamp((x - x_0)/(x_1 - x_0), 0, 1): STEP = h_0 + (h_1 - h_0) z^2 (3 - 2 z), C1;
//! STEP5 = h_0 + (h_1 - h_0) z^3 (10 - 15 z + 6 z^2), C2.

use crate::response::options::Step;
use contact_geometry::math::Real;

impl Step {
    /// The step function at `x`, from `(x, h)` at its start to `(x, h)` at its end; the end must
    /// lie after the start.
    #[inline(always)]
    pub fn between<T: Real>(self, x: T, (x_0, h_0): (f64, f64), (x_1, h_1): (f64, f64)) -> T {
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

    /// (STEP(x, -w, -1, w, 1))/x for 0 <= x <= w, a polynomial: STEP is odd about zero, so the
    /// quotient has a value there.
    ///
    /// With r = x/w the steps are r (3 - r^2)/2 and r (15 - 10 r^2 + 3 r^4)/8.
    #[inline(always)]
    pub fn odd_slope<T: Real>(self, x: T, w: f64) -> T {
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
    use contact_geometry::math::Dual;

    const STEPS: [Step; 2] = [Step::Cubic, Step::Quintic];

    #[test]
    fn a_step_goes_from_one_value_to_the_other_and_joins_flat() {
        for step in STEPS {
            let at = |x: f64| step.between(Dual::new(x, 1.0), (-1.0, 2.0), (3.0, 5.0));
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
                let odd = step.between(x, (-w, -1.0), (w, 1.0));
                assert!((step.odd_slope(x, w) * x - odd).abs() < 1e-14);
            }
        }
    }
}
