//! Dual numbers with several derivatives.
//!
//! a + b_1 e_1 + ... + b_N e_N with e_i e_j = 0 carries the derivatives b_i along N directions
//! beside the value a. One evaluation with four directions costs a third of four with one each: the
//! value, with its roots, divisions and branches, is the same for all. (Crate `num-dual` has such
//! numbers too, each with a flag that tells whether there are derivatives; to ask it at each
//! operation takes twice as long.)

use num_traits::{One, Zero};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// Dual number with `N` derivatives, one unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize = 1> {
    /// Value.
    pub re: f64,
    /// Derivatives.
    pub eps: [f64; N],
}

impl Dual {
    /// A number with one derivative.
    #[inline(always)]
    pub fn new(value: f64, derivative: f64) -> Self {
        Dual {
            re: value,
            eps: [derivative],
        }
    }
}

impl<const N: usize> Dual<N> {
    /// The number with this value whose derivatives are those of `self` times `slope`.
    #[inline(always)]
    pub fn chain(self, value: f64, slope: f64) -> Self {
        Dual {
            re: value,
            eps: self.eps.map(|b| b * slope),
        }
    }

    /// The number with this value and the derivatives `f(own, other)`.
    #[inline(always)]
    fn zip(self, other: Self, value: f64, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut eps = self.eps;
        for (own, other) in eps.iter_mut().zip(other.eps) {
            *own = f(*own, other);
        }
        Dual { re: value, eps }
    }
}

impl<const N: usize> From<f64> for Dual<N> {
    #[inline(always)]
    fn from(value: f64) -> Self {
        Dual {
            re: value,
            eps: [0.0; N],
        }
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, self.re + other.re, |a, b| a + b)
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, self.re - other.re, |a, b| a - b)
    }
}

impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        product(self, other)
    }
}

impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        quotient(self, other)
    }
}

/// d(a b) = da b + a db.
#[inline(always)]
fn product<const N: usize>(first: Dual<N>, second: Dual<N>) -> Dual<N> {
    first.zip(second, first.re * second.re, |a, b| {
        a * second.re + first.re * b
    })
}

/// d(a/b) = (da - a/b db)/b.
#[inline(always)]
fn quotient<const N: usize>(numerator: Dual<N>, denominator: Dual<N>) -> Dual<N> {
    let (value, inverse) = (numerator.re / denominator.re, denominator.re.recip());
    numerator.zip(denominator, value, |a, b| (a - value * b) * inverse)
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.chain(-self.re, -1.0)
    }
}

impl<const N: usize> Add<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: f64) -> Self {
        Dual {
            re: self.re + other,
            ..self
        }
    }
}

impl<const N: usize> Sub<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: f64) -> Self {
        Dual {
            re: self.re - other,
            ..self
        }
    }
}

impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: f64) -> Self {
        self.chain(self.re * other, other)
    }
}

impl<const N: usize> Div<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: f64) -> Self {
        self.chain(self.re / other, other.recip())
    }
}

macro_rules! assign {
    ($($trait:ident :: $function:ident by $operator:tt),*) => {$(
        impl<const N: usize> $trait for Dual<N> {
            #[inline(always)]
            fn $function(&mut self, other: Self) {
                *self = *self $operator other;
            }
        }

        impl<const N: usize> $trait<f64> for Dual<N> {
            #[inline(always)]
            fn $function(&mut self, other: f64) {
                *self = *self $operator other;
            }
        }
    )*};
}

assign!(AddAssign::add_assign by +, SubAssign::sub_assign by -);
assign!(MulAssign::mul_assign by *, DivAssign::div_assign by /);

impl<const N: usize> Zero for Dual<N> {
    #[inline(always)]
    fn zero() -> Self {
        Dual::from(0.0)
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl<const N: usize> One for Dual<N> {
    #[inline(always)]
    fn one() -> Self {
        Dual::from(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Real;

    /// Derivatives by hand at x = 0.7, y = -1.3, along (1, 0), (0, 1) and (2, -3).
    #[test]
    fn operations_have_the_derivatives_of_the_textbook() {
        let (x, y) = (0.7_f64, -1.3_f64);
        let dual = |re, eps| Dual::<3> { re, eps };
        let (p, q) = (dual(x, [1.0, 0.0, 2.0]), dual(y, [0.0, 1.0, -3.0]));
        let check = |found: Dual<3>, value: f64, by_x: f64, by_y: f64| {
            let wanted = [by_x, by_y, 2.0 * by_x - 3.0 * by_y];
            assert!((found.re - value).abs() < 1e-15 * (1.0 + value.abs()));
            for (found, wanted) in found.eps.iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-14 * (1.0 + wanted.abs()));
            }
        };
        check(p + q, x + y, 1.0, 1.0);
        check(p - q, x - y, 1.0, -1.0);
        check(p * q, x * y, y, x);
        check(p / q, x / y, 1.0 / y, -x / (y * y));
        check(-p, -x, -1.0, 0.0);
        check(p * q + p * 3.0 - 0.5, x * y + 3.0 * x - 0.5, y + 3.0, x);
        check(q / 4.0 + 1.0, y / 4.0 + 1.0, 0.0, 0.25);
        check(Real::sqrt(p), x.sqrt(), 0.5 / x.sqrt(), 0.0);
        check(Real::recip(q), 1.0 / y, 0.0, -1.0 / (y * y));
        let (sin, cos) = Real::sin_cos(p * q);
        let (s, c) = (x * y).sin_cos();
        check(sin, s, c * y, c * x);
        check(cos, c, -s * y, -s * x);
        check(
            Real::powf(p, 2.5),
            x * x * x.sqrt(),
            2.5 * x * x.sqrt(),
            0.0,
        );
        check(Real::abs(q), -y, 0.0, -1.0);
        let mut sum = p;
        sum += q;
        sum *= p;
        sum -= 1.0;
        sum /= 2.0;
        check(sum, ((x + y) * x - 1.0) / 2.0, (2.0 * x + y) / 2.0, x / 2.0);
        assert!(Dual::<3>::zero().is_zero() && Dual::<3>::one() == Dual::from(1.0));
    }
}
