//! Slip velocity along a line of a patch, and the integrals of powers over its magnitude.

use contact_geometry::math::{Real, Vec2, even_root};

/// Change of v over the sum of the speeds at both ends below which a Gauss rule is exact to rounding, and
/// closed forms would lose digits.
const SHORT: f64 = 0.1;

/// Slip along a line: from + t d, t = 0 .. 1.
pub(super) struct SlipLine<T: Real> {
    pub(super) from: Vec2<T>,
    pub(super) d: Vec2<T>,
}

impl<T: Real> SlipLine<T> {
    pub(super) fn between(from: Vec2<T>, to: Vec2<T>) -> Self {
        SlipLine { from, d: to - from }
    }

    #[inline(always)]
    pub(super) fn speed(&self, t: f64) -> T {
        speed(self.from + self.d * T::from(t))
    }

    /// Range of t in 0 .. 1 where |from + t d| is below v; plain numbers, since the derivatives of the bounds
    /// cancel.
    pub(super) fn within(&self, v: f64) -> [f64; 2] {
        let [from, d] = [self.from, self.d].map(|v| v.map(Real::value));
        let (length2, b) = (d.dot(&d), from.dot(&d));
        let c = from.dot(&from) - v * v;
        if length2 <= f64::MIN_POSITIVE {
            return if c < 0.0 { [0.0, 1.0] } else { [1.0, 1.0] };
        }
        let side = from.perp(&d);
        let root = v * v * length2 - side * side;
        if root <= 0.0 {
            return [1.0, 1.0];
        }
        let root = root.sqrt();
        let ends = [-b - root, -b + root].map(|end| (end / length2).clamp(0.0, 1.0));
        if ends[1] > ends[0] { ends } else { [1.0, 1.0] }
    }

    /// t of the smallest |from + t d|.
    pub(super) fn foot(&self) -> f64 {
        let [from, d] = [self.from, self.d].map(|v| v.map(Real::value));
        -from.dot(&d) / d.dot(&d).max(f64::MIN_POSITIVE)
    }

    /// Integrals of t^k/|v|, v = from + t d, k = 0 .. N - 1, over a range of t.
    ///
    /// With s = |v|, b = from.d, l = |d|: k l^2 I_k = [t^(k-1) s] - (2k - 1) b I_k-1 - (k - 1) from^2 I_k-2,
    /// from the derivative of t^(k-1) s; I_0 = ln((s_0 + s_1 + e)/(s_0 + s_1 - e))/l, e = l (t_1 - t_0).
    pub(super) fn over_speed<const N: usize>(&self, [t_0, t_1]: [f64; 2]) -> [T; N] {
        let SlipLine { from, d } = self;
        let (length2, s_0, s_1) = (d.dot(d), self.speed(t_0), self.speed(t_1));
        let sum = s_0 + s_1;
        let e2 = length2.value() * (t_1 - t_0) * (t_1 - t_0);
        let mut all = [T::zero(); N];
        if e2 <= SHORT * SHORT * sum.value() * sum.value() {
            if sum.value() > 0.0 {
                for (t, weight) in gauss(t_0, t_1) {
                    let mut part = self.speed(t).recip() * weight;
                    for own in &mut all {
                        *own += part;
                        part *= t;
                    }
                }
            }
            return all;
        }
        let length = length2.sqrt();
        let e = length * (t_1 - t_0);
        let (b, c) = (from.dot(d), from.dot(from));
        // c on the line: what is multiplied by the logarithm is zero.
        let apart = sum - e;
        let apart = match apart.value() > 1e-16 * sum.value() {
            true => apart,
            false => T::from(1e-16 * sum.value()),
        };
        let per = length2.recip();
        all[0] = ((sum + e) / apart).ln() / length;
        let (mut low, mut high) = (s_0, s_1);
        for k in 1..N {
            let n = k as f64;
            let mut own = high - low - b * all[k - 1] * (2.0 * n - 1.0);
            if k > 1 {
                own -= c * all[k - 2] * (n - 1.0);
            }
            all[k] = own * per * n.recip();
            low *= t_0;
            high *= t_1;
        }
        all
    }
}

/// Five-point Gauss rule, exact to degree 9, on a range: abscissas and weights.
pub(super) fn gauss(from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    FIVE.iter()
        .map(move |[x, weight]| (middle + half * x, half * weight))
}

/// [Abramowitz, Stegun 1964, 25.4.30].
const FIVE: [[f64; 2]; 5] = [
    [-0.906_179_845_938_664, 0.236_926_885_056_189_09],
    [-0.538_469_310_105_683_1, 0.478_628_670_499_366_47],
    [0.0, 0.568_888_888_888_888_9],
    [0.538_469_310_105_683_1, 0.478_628_670_499_366_47],
    [0.906_179_845_938_664, 0.236_926_885_056_189_09],
];

/// |v|, zero without a derivative at zero.
#[inline(always)]
pub(super) fn speed<T: Real>(v: Vec2<T>) -> T {
    even_root(v.dot(&v))
}
