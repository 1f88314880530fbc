//! Numbers with a first and a second derivative, for tests of crates above this one. No other crate may
//! implement [`Real`] for them.
#![allow(clippy::disallowed_types, reason = "tests may differ in the last bit")]

use crate::math::Real;
use num_dual::{Dual2, DualNum};

impl Real for Dual2<f64> {
    fn value(self) -> f64 {
        self.re
    }

    const LANES: usize = 1;

    fn derivative(self, _: usize) -> f64 {
        self.v1
    }

    fn with_derivatives(value: f64, mut of_lane: impl FnMut(usize) -> f64) -> Self {
        Dual2::new(value, of_lane(0), 0.0)
    }

    fn sqrt(self) -> Self {
        DualNum::sqrt(&self)
    }

    fn recip(self) -> Self {
        DualNum::recip(&self)
    }

    fn ln(self) -> Self {
        DualNum::ln(&self)
    }

    fn sin_cos(self) -> (Self, Self) {
        DualNum::sin_cos(&self)
    }

    fn powf(self, exponent: f64) -> Self {
        DualNum::powf(&self, exponent)
    }
}
