//! Polynomials of degree 4 over an interval, in Bernstein form.
//!
//! With theta in [0, 1] along the interval and coefficients c_0..c_4
//!   y(theta) = sum_k binomial(4, k) theta^k (1 - theta)^(4 - k) c_k.
//! The weights are non-negative and add up to 1, so y is bounded by the smallest and the largest
//! coefficient; the derivatives have coefficients 4 (c_(k+1) - c_k) and 12 (c_(k+2) - 2 c_(k+1) +
//! c_k) in the forms of degree 3 and 2, with the same property. Subdivision (de Casteljau) tightens
//! the bounds with the square of the length. G. Farin: Curves and Surfaces for CAGD, 5th ed.
//! (2002), chapters 4 and 5.

/// Bernstein coefficients c_0..c_4 over an interval; c_0 and c_4 are the values at its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartic(pub [f64; 5]);

impl Quartic {
    /// Constant polynomial.
    pub fn constant(value: f64) -> Self {
        Quartic([value; 5])
    }

    /// Straight line from `start` to `end`.
    pub fn line(start: f64, end: f64) -> Self {
        let rise = end - start;
        Quartic([
            start,
            start + 0.25 * rise,
            start + 0.5 * rise,
            end - 0.25 * rise,
            end,
        ])
    }

    /// Cubic Hermite polynomial on an interval of length 1, from the values and derivatives at both
    /// ends.
    pub fn hermite(start: f64, start_rate: f64, end: f64, end_rate: f64) -> Self {
        let (inner_start, inner_end) = (start + start_rate / 3.0, end - end_rate / 3.0);
        Quartic([
            start,
            0.25 * (start + 3.0 * inner_start),
            0.5 * (inner_start + inner_end),
            0.25 * (3.0 * inner_end + end),
            end,
        ])
    }

    /// Value at theta.
    #[inline(always)]
    pub fn at(&self, theta: f64) -> f64 {
        let [a, b, c, d, e] = self.0;
        let (t, s) = (theta, 1.0 - theta);
        let (t2, s2) = (t * t, s * s);
        s2 * (s2 * a + t * (4.0 * s * b + 6.0 * t * c)) + t2 * t * (4.0 * s * d + t * e)
    }

    /// Derivative with respect to theta.
    #[inline(always)]
    pub fn rate_at(&self, theta: f64) -> f64 {
        let [a, b, c, d, e] = self.0;
        let (t, s) = (theta, 1.0 - theta);
        4.0 * (s * s * (s * (b - a) + 3.0 * t * (c - b))
            + t * t * (3.0 * s * (d - c) + t * (e - d)))
    }

    /// Differences c_(k+1) - c_k: a quarter of the coefficients of the derivative.
    #[inline(always)]
    pub fn differences(&self) -> [f64; 4] {
        let [a, b, c, d, e] = self.0;
        [b - a, c - b, d - c, e - d]
    }

    /// Second differences c_(k+2) - 2 c_(k+1) + c_k: a twelfth of the second derivative's
    /// coefficients.
    #[inline(always)]
    pub fn second_differences(&self) -> [f64; 3] {
        let [a, b, c, d] = self.differences();
        [b - a, c - b, d - c]
    }

    /// Restriction to the part [`from`, `to`] of the interval.
    #[inline]
    pub fn part(&self, from: f64, to: f64) -> Self {
        let mut c = self.0;
        if to != 1.0 {
            // Of each column the first entry is a coefficient of the left part.
            for level in 1..5 {
                for k in (level..5).rev() {
                    c[k] = c[k - 1] + to * (c[k] - c[k - 1]);
                }
            }
        }
        if from != 0.0 {
            let start = from / to;
            for level in 1..5 {
                for k in 0..5 - level {
                    c[k] += start * (c[k + 1] - c[k]);
                }
            }
        }
        Quartic(c)
    }

    /// Product of degree 8, with the coefficients sum over i + j = k of binomial(4, i) binomial(4,
    /// j)/binomial(8, k) a_i b_j.
    pub fn times(&self, other: &Self) -> [f64; 9] {
        const FOUR: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
        const EIGHT: [f64; 9] = [1.0, 8.0, 28.0, 56.0, 70.0, 56.0, 28.0, 8.0, 1.0];
        let mut product = [0.0; 9];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += FOUR[i] * FOUR[j] * a * b;
            }
        }
        for (c, weight) in product.iter_mut().zip(EIGHT) {
            *c /= weight;
        }
        product
    }

    /// Lower bound of the values: the smallest coefficient.
    #[inline(always)]
    pub fn least(&self) -> f64 {
        let [a, b, c, d, e] = self.0;
        a.min(b).min(c.min(d)).min(e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 - 2 t + 3 t^2 - 4 t^3 + 5 t^4: coefficients sum_j (binomial(k, j)/binomial(4, j)) a_j.
    const SAMPLE: Quartic = Quartic([1.0, 0.5, 0.5, 0.0, 3.0]);

    fn sample(t: f64) -> f64 {
        1.0 - 2.0 * t + 3.0 * t * t - 4.0 * t.powi(3) + 5.0 * t.powi(4)
    }

    #[test]
    fn values_and_derivative_are_those_of_the_polynomial() {
        for i in 0..=20 {
            let t = f64::from(i) / 20.0;
            assert!((SAMPLE.at(t) - sample(t)).abs() < 1e-15);
            let rate = -2.0 + 6.0 * t - 12.0 * t * t + 20.0 * t.powi(3);
            assert!((SAMPLE.rate_at(t) - rate).abs() < 1e-14);
        }
    }

    #[test]
    fn a_part_is_the_same_polynomial_and_bounds_it_closer() {
        for (from, to) in [
            (0.0, 1.0),
            (0.0, 0.3),
            (0.3, 1.0),
            (0.55, 0.7),
            (0.999, 1.0),
        ] {
            let part = SAMPLE.part(from, to);
            let mut least = f64::INFINITY;
            for i in 0..=100 {
                let t = f64::from(i) / 100.0;
                let value = sample(from + t * (to - from));
                assert!((part.at(t) - value).abs() < 1e-14);
                least = least.min(value);
            }
            // Coefficients and polynomial differ by no more than half the largest second difference
            // (D. Nairn, J. Peters, D. Lutterkort, Computer Aided Geometric Design 16 (1999) 613),
            // which is a twelfth of |y''| <= 6 + 24 + 60 over a squared length.
            let width: f64 = to - from;
            assert!(part.least() <= least + 1e-15);
            assert!(least - part.least() <= 3.75 * width * width + 1e-4 * width);
        }
    }

    #[test]
    fn a_product_has_the_values_of_both() {
        let other = Quartic([2.0, -1.0, 0.5, 3.0, -2.0]);
        let product = SAMPLE.times(&other);
        let binomials = [1.0, 8.0, 28.0, 56.0, 70.0, 56.0, 28.0, 8.0, 1.0];
        for i in 0..=10 {
            let t = f64::from(i) / 10.0;
            let term = |k: usize| {
                binomials[k] * t.powi(k as i32) * (1.0 - t).powi(8 - k as i32) * product[k]
            };
            let value: f64 = (0..9).map(term).sum();
            assert!((value - SAMPLE.at(t) * other.at(t)).abs() < 1e-14);
        }
    }

    #[test]
    fn a_cubic_has_the_values_and_slopes_it_was_asked_for() {
        // t^3 - t over [1, 3]: values 0 and 24, slopes 2 and 26 times the length 2.
        let cubic = Quartic::hermite(0.0, 4.0, 24.0, 52.0);
        for i in 0..=10 {
            let theta = f64::from(i) / 10.0;
            let t = 1.0 + 2.0 * theta;
            assert!((cubic.at(theta) - (t.powi(3) - t)).abs() < 1e-13);
        }
        assert_eq!(Quartic::line(2.0, 6.0).at(0.25), 3.0);
    }
}
