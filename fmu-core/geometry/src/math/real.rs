//! The scalar of `math`, `response`, contact kinematics and `dynamics`: `f64` or a dual number.
//!
//! Comparisons go through [`Real::value`], so that a branch is chosen by the value alone and both
//! scalars take the same path.

use crate::math::{Dual, Vec3, transcendental};
use num_traits::{One, Zero};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// The four operations with numbers of a type, on the right.
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

/// Scalar of the generic parts of the model. Its functions are those of [`transcendental`], so that
/// generic code cannot reach those of the platform.
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
    /// Number of derivatives; none of a plain number.
    const LANES: usize;

    /// The value without its derivatives.
    fn value(self) -> f64;

    /// A derivative, counted from 0, below [`Self::LANES`].
    fn derivative(self, lane: usize) -> f64;

    /// A number with this value and the derivative `of_lane(lane)` in each lane. For functions
    /// that are known by their values only.
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

    /// This number, >= 0, to the power of `exponent`.
    fn powf(self, exponent: f64) -> Self;

    /// |self|, with the derivative of `self` or -`self` by the sign, also at zero.
    #[inline(always)]
    fn abs(self) -> Self {
        if self.value().is_sign_negative() {
            -self
        } else {
            self
        }
    }

    /// `self` where its value is positive, zero elsewhere. NaN passes through: a force law must
    /// not turn a NaN state into zero force.
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
        transcendental::ln(self)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        transcendental::sin_cos(self)
    }

    #[inline(always)]
    fn powf(self, exponent: f64) -> Self {
        transcendental::powf(self, exponent)
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
        self.chain(transcendental::ln(self.re), self.re.recip())
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = transcendental::sin_cos(self.re);
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    #[inline]
    fn powf(self, exponent: f64) -> Self {
        let slope = exponent * transcendental::powf(self.re, exponent - 1.0);
        self.chain(transcendental::powf(self.re, exponent), slope)
    }
}

/// Length of a vector. At the zero vector the derivative of a dual length is NaN, because the
/// length has none there: callers that may meet it regularise first.
pub fn norm<T: Real>(v: &Vec3<T>) -> T {
    v.dot(v).sqrt()
}

/// Length of a vector that may be zero: there it counts as constant, since it has no derivative.
pub fn length<T: Real>(v: &Vec3<T>) -> T {
    match v.iter().all(|component| component.value() == 0.0) {
        true => T::zero(),
        false => norm(v),
    }
}

/// Whether no number is infinite or NaN.
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

/// Returns true if two lists of one length have the same numbers to the bit.
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

/// A vector of constants.
pub fn vec3<T: Real>(v: &[f64; 3]) -> Vec3<T> {
    Vec3::new(T::from(v[0]), T::from(v[1]), T::from(v[2]))
}

#[cfg(test)]
mod tests {
    use super::all_finite;

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
