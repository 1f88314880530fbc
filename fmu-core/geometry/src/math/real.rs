//! The scalar of all generic code: `f64` or a dual number.
//!
//! Comparisons go through [`Real::value`], so that a branch is chosen by the value alone and both scalars
//! take the same path.
//!
//! # Dual numbers with several derivatives
//!
//! a + b_1 e_1 + ... + b_N e_N with e_i e_j = 0 carries the derivatives b_i along N directions beside the
//! value a. One evaluation with four directions costs a third of four with one each: roots, divisions and
//! branches are shared. (The dual numbers of crate `num-dual` flag whether they have derivatives; testing the
//! flag in each operation takes twice as long.)
//!
//! # Platform-independent functions
//!
//! Functions whose last bits a platform's C library chooses come from `libm` instead, so that a model has the
//! same bits everywhere. Square root, rounding and fused multiply-add are exact by IEEE 754 and come from the
//! standard library; `clippy.toml` forbids its other functions.

pub use libm::{
    atan, atan2, cos, exp, expm1 as exp_m1, hypot, log as ln, log1p as ln_1p, log10, pow as powf,
    sin, sincos as sin_cos, tan,
};

use crate::math::Vec3;
use num_traits::{One, Zero};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// The four arithmetic operations with a right operand of type `T`.
pub trait Operations<T>:
    Add<T, Output = Self>
    + Sub<T, Output = Self>
    + Mul<T, Output = Self>
    + Div<T, Output = Self>
    + AddAssign<T>
    + SubAssign<T>
    + MulAssign<T>
    + DivAssign<T>
    + Sized
{
}

impl<S, T> Operations<T> for S where
    S: Add<T, Output = S>
        + Sub<T, Output = S>
        + Mul<T, Output = S>
        + Div<T, Output = S>
        + AddAssign<T>
        + SubAssign<T>
        + MulAssign<T>
        + DivAssign<T>
{
}

/// Scalar of the generic parts of the model, with functions from the Rust port of musl's library.
pub trait Real:
    nalgebra::Scalar
    + Copy
    + Zero
    + One
    + Operations<Self>
    + Operations<f64>
    + Neg<Output = Self>
    + From<f64>
    + Send
    + Sync
{
    /// Number of derivatives; 0 for `f64`.
    const LANES: usize;

    /// The value without its derivatives.
    fn value(self) -> f64;

    /// Derivative `lane`, from 0 to [`Self::LANES`] - 1.
    fn derivative(self, lane: usize) -> f64;

    /// Number with a given value and the derivative `of_lane(lane)` in each lane, for functions known only by
    /// their values.
    fn with_derivatives(value: f64, of_lane: impl FnMut(usize) -> f64) -> Self;

    /// Returns true if all derivatives are zero.
    #[inline(always)]
    fn is_constant(self) -> bool {
        (0..Self::LANES).all(|lane| self.derivative(lane) == 0.0)
    }

    /// Square root.
    fn sqrt(self) -> Self;

    /// 1/self.
    fn recip(self) -> Self;

    /// Natural logarithm.
    fn ln(self) -> Self;

    /// Sine and cosine of an angle [rad].
    fn sin_cos(self) -> (Self, Self);

    /// `self`^`exponent` for `self` >= 0.
    fn powf(self, exponent: f64) -> Self;

    /// |self|; at zero its derivative is the derivative of `self` or of -`self`, by the sign bit.
    #[inline(always)]
    fn abs(self) -> Self {
        if self.value().is_sign_negative() {
            -self
        } else {
            self
        }
    }

    /// max(self, 0). NaN passes through: a force law must not turn a NaN state into zero force.
    fn positive_part(self) -> Self {
        if self.value() <= 0.0 {
            Self::from(0.0)
        } else {
            self
        }
    }
}

impl Real for f64 {
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }

    const LANES: usize = 0;

    #[inline(always)]
    fn derivative(self, _: usize) -> f64 {
        0.0
    }

    #[inline(always)]
    fn with_derivatives(value: f64, _: impl FnMut(usize) -> f64) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn recip(self) -> Self {
        self.recip()
    }

    #[inline(always)]
    fn ln(self) -> Self {
        ln(self)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        sin_cos(self)
    }

    #[inline(always)]
    fn powf(self, exponent: f64) -> Self {
        powf(self, exponent)
    }
}

// f(a + b e) = f(a) + f'(a) b e.
impl<const N: usize> Real for Dual<N> {
    const LANES: usize = N;

    #[inline(always)]
    fn value(self) -> f64 {
        self.re
    }

    #[inline(always)]
    fn derivative(self, lane: usize) -> f64 {
        self.eps[lane]
    }

    #[inline(always)]
    fn with_derivatives(value: f64, of_lane: impl FnMut(usize) -> f64) -> Self {
        Dual {
            re: value,
            eps: std::array::from_fn(of_lane),
        }
    }

    #[inline]
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        self.chain(root, root * self.re.recip() * 0.5)
    }

    #[inline]
    fn recip(self) -> Self {
        let inverse = self.re.recip();
        self.chain(inverse, -inverse * inverse)
    }

    #[inline]
    fn ln(self) -> Self {
        self.chain(ln(self.re), self.re.recip())
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = sin_cos(self.re);
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    #[inline]
    fn powf(self, exponent: f64) -> Self {
        let slope = exponent * powf(self.re, exponent - 1.0);
        self.chain(powf(self.re, exponent), slope)
    }
}

/// Length of a vector. A dual zero vector gives a NaN derivative: callers that may meet it regularise first.
pub fn norm<T: Real>(v: &Vec3<T>) -> T {
    v.dot(v).sqrt()
}

/// Length of a vector that may be zero, where it counts as constant.
pub fn length<T: Real>(v: &Vec3<T>) -> T {
    match v.iter().all(|component| component.value() == 0.0) {
        true => T::zero(),
        false => norm(v),
    }
}

/// Regularised speed: v above v_small, below it a cubic with minimum v_small/3 at v = 0; twice continuously
/// differentiable.
///
/// reg = v^2/vs (1 - v/(3 vs)) + vs/3 for v < vs. Takes and returns [m/s] or [rad/s]; `v` >= 0.
#[inline(always)]
pub fn reg<T: Real>(v: T, v_small: f64) -> T {
    if v.value() >= v_small {
        return v;
    }
    v * v / v_small * (T::one() - v / (3.0 * v_small)) + T::from(v_small / 3.0)
}

/// size v/reg(|v|, v_small): a vector of length `size` at high speed that goes smoothly to zero with v. The
/// size is divided, not the vector: division is the most expensive operation here.
#[inline(always)]
pub fn regularized<T: Real>(v: &Vec3<T>, v_small: f64, size: T) -> Vec3<T> {
    // reg is flat at zero, so the missing derivative of |v| there does not matter.
    v * (size / reg(magnitude(v), v_small))
}

/// |v| for functions even in v: without a derivative at zero, and below 1.5e-154, where the square is too
/// small for a finite one.
#[inline(always)]
pub fn magnitude<T: Real>(v: &Vec3<T>) -> T {
    even_root(v.dot(v))
}

/// [`magnitude`] of a vector by its square.
#[inline(always)]
pub fn even_root<T: Real>(square: T) -> T {
    if square.value() < f64::MIN_POSITIVE {
        T::zero()
    } else {
        square.sqrt()
    }
}

/// Returns true if no number is infinite or NaN.
#[inline(always)]
pub fn all_finite(numbers: &[f64]) -> bool {
    // 0 v is 0, or NaN where v is not finite. Several sums at once and no early end, because this
    // runs at each evaluation; sixteen keep the adders busy, four serve short lists.
    let (sixteens, rest) = numbers.as_chunks::<16>();
    let (fours, rest) = rest.as_chunks::<4>();
    let mut sums = [0.0; 4];
    if !sixteens.is_empty() {
        sums = sums_of_sixteens(sixteens);
    }
    for four in fours {
        for (sum, v) in sums.iter_mut().zip(four) {
            *sum += 0.0 * v;
        }
    }
    for (sum, v) in sums.iter_mut().zip(rest) {
        *sum += 0.0 * v;
    }
    sums[0] + sums[1] + sums[2] + sums[3] == 0.0
}

fn sums_of_sixteens(sixteens: &[[f64; 16]]) -> [f64; 4] {
    let mut sums = [0.0; 16];
    for sixteen in sixteens {
        for (sum, v) in sums.iter_mut().zip(sixteen) {
            *sum += 0.0 * v;
        }
    }
    std::array::from_fn(|i| sums[i] + sums[i + 4] + sums[i + 8] + sums[i + 12])
}

/// Compares two lists of equal length bit by bit.
#[inline(always)]
pub fn same_bits(one: &[f64], other: &[f64]) -> bool {
    // Eight at once; most that differ do so at the first.
    let differ = |sum: u64, (a, b): (&f64, &f64)| sum | (a.to_bits() ^ b.to_bits());
    let (eights, rest) = one.as_chunks::<8>();
    let (other_eights, other_rest) = other.as_chunks::<8>();
    for (eight, other) in eights.iter().zip(other_eights) {
        if eight.iter().zip(other).fold(0, differ) != 0 {
            return false;
        }
    }
    rest.iter().zip(other_rest).fold(0, differ) == 0
}

/// Constant vector.
pub fn vec3<T: Real>(v: &[f64; 3]) -> Vec3<T> {
    Vec3::new(T::from(v[0]), T::from(v[1]), T::from(v[2]))
}

/// Dual number with `N` derivatives, one by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize = 1> {
    /// Value.
    pub re: f64,
    /// Derivatives.
    pub eps: [f64; N],
}

impl Dual {
    /// Dual number with one derivative.
    #[inline(always)]
    pub fn new(value: f64, derivative: f64) -> Self {
        Dual {
            re: value,
            eps: [derivative],
        }
    }
}

impl<const N: usize> Dual<N> {
    /// Chain rule: the given value, with the derivatives of `self` times `slope`.
    #[inline(always)]
    pub(crate) fn chain(self, value: f64, slope: f64) -> Self {
        Dual {
            re: value,
            eps: self.eps.map(|b| b * slope),
        }
    }

    /// Combines derivatives with `f(own, other)`.
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
        let e = regularized(&v, 0.01, Dual::from(1.0));
        assert_eq!(e.x.re, 0.0);
        // d(v/reg)/dv at rest is 1/reg(0) = 3/v_small.
        assert!((e.x.eps[0] - 300.0).abs() < 1e-10);
    }

    #[test]
    fn one_number_that_is_not_finite_is_found_wherever_it_stands() {
        for length in 0..70 {
            let mut numbers: Vec<f64> =
                (0..length).map(|i| f64::MAX * (-1.0_f64).powi(i)).collect();
            assert!(all_finite(&numbers));
            for place in 0..numbers.len() {
                for flaw in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let known = std::mem::replace(&mut numbers[place], flaw);
                    assert!(!all_finite(&numbers), "{flaw} at {place} of {length}");
                    numbers[place] = known;
                }
            }
        }
    }
}

#[cfg(test)]
mod dual_tests {
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
