//! A curve through given values at given times: straight lines, a cubic spline, or steps from value
//! to value that begin and end at rest.
//!
//! On a piece that begins at t_i, with s = t - t_i: y = c_0 + c_1 s + c_2 s^2 + ...; before the
//! first and after the last time the value of that time holds. With h = t_(i+1) - t_i, d_i the
//! slope of the chord and D = h d_i:
//!
//! - linear: y = y_i + d_i s
//! - spline: cubics with slopes m_i at the times that make the second derivative continuous,
//!   h_i m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_(i-1) m_(i+1) = 3 (h_i d_(i-1) + h_(i-1) d_i).
//!   Clamped, the slopes of both ends are given. Otherwise the third derivative is continuous too at
//!   the second and at the last but one time ("not-a-knot"; both in C. de Boor, A Practical Guide to
//!   Splines, chapter IV). So a cubic polynomial is met exactly, and the error of a smooth curve is of
//!   order h^4 up to both ends; the natural spline would bend it straight there, an error of order
//!   h^2. Three values give a parabola, two a straight line.
//! - quintic: y = y_i + D (10 x^3 - 15 x^4 + 6 x^5), x = s/h, with first and second derivative zero
//!   at each time; largest slope 15/8 |D|/h, largest second derivative 10/sqrt(3) |D|/h^2
//! - trapezoid: a third of the time the slope rises, a third it is constant, a third it falls, as
//!   V (3 x^2 - 2 x^3) with x from 0 to 1 in a ramp of r = h/3, so that the second derivative is
//!   continuous; largest slope V = 3/2 |D|/h, largest second derivative 3/2 V/r = 27/4 |D|/h^2

use crate::scene::description::Interpolation;
use std::ops::Range;

/// Part of the terms of a polynomial [1], over the length of the piece to the order of a
/// derivative, below which that derivative is rounding: ten thousand roundings of the values.
const DERIVATIVE_ROUNDING: f64 = 1e-12;
/// Points of a piece at which the largest derivative is looked for before it is closed in on: of
/// two peaks within a part of 1/64 of a piece the lower one might be taken.
const PEAK_SAMPLES: u32 = 64;
/// Golden sections that close in on it: 0.618^40 = 4e-9 of the interval, so 1e-17 of a smooth peak.
const PEAK_SECTIONS: u32 = 40;

/// A curve with N components.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve<const N: usize> {
    /// Times at which pieces begin, and the last time [s], ascending, at least two.
    times: Vec<f64>,
    /// Coefficients c_0, c_1 ... of one piece after the other.
    coefficients: Vec<[f64; N]>,
    /// Number of coefficients of a piece.
    order: usize,
    last: [f64; N],
    interpolation: Interpolation,
    /// Number of given values.
    count: usize,
}

/// A time at which a derivative jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump<const N: usize> {
    /// When [s].
    pub time: f64,
    /// The derivative before it.
    pub before: [f64; N],
    /// The derivative after it.
    pub after: [f64; N],
}

impl<const N: usize> Curve<N> {
    /// The curve through `rows` at `times`, which ascend and are as many, at least two; a spline
    /// with the slopes `ends` at its first and last time, if they are given. None if times or rows
    /// are not so, or where a coefficient is not finite.
    pub(crate) fn new(
        times: &[f64],
        rows: &[[f64; N]],
        interpolation: Interpolation,
        ends: Option<[[f64; N]; 2]>,
    ) -> Option<Self> {
        if times.len() < 2 || rows.len() != times.len() {
            return None;
        }
        let order = match interpolation {
            Interpolation::Linear => 2,
            Interpolation::Spline => 4,
            Interpolation::Trapezoid => 5,
            Interpolation::Quintic => 6,
        };
        let mut begins = Vec::new();
        for pair in times.windows(2) {
            begins.push(pair[0]);
            if interpolation == Interpolation::Trapezoid {
                let ramp = (pair[1] - pair[0]) / 3.0;
                begins.extend([pair[0] + ramp, pair[0] + 2.0 * ramp]);
            }
        }
        begins.push(times[times.len() - 1]);
        if !begins.windows(2).all(|pair| pair[0] < pair[1]) {
            return None;
        }
        let h: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
        let mut coefficients = vec![[0.0; N]; order * (begins.len() - 1)];
        for component in 0..N {
            let y: Vec<f64> = rows.iter().map(|row| row[component]).collect();
            let chords = y.windows(2).zip(&h);
            let d: Vec<f64> = chords.map(|(y, h)| (y[1] - y[0]) / h).collect();
            let m = match interpolation {
                Interpolation::Spline => {
                    spline_slopes(&h, &d, ends.map(|m| m.map(|m| m[component])))
                }
                _ => Vec::new(),
            };
            let mut column = coefficients.iter_mut().map(|row| &mut row[component]);
            for i in 0..h.len() {
                match interpolation {
                    Interpolation::Linear => write(&mut column, &[y[i], d[i]]),
                    Interpolation::Spline => {
                        let [c1, c2, c3] = hermite(h[i], d[i], m[i], m[i + 1]);
                        write(&mut column, &[y[i], c1, c2, c3]);
                    }
                    Interpolation::Quintic => write(&mut column, &quintic(h[i], d[i], y[i])),
                    Interpolation::Trapezoid => {
                        write(&mut column, trapezoid(h[i], d[i], y[i]).as_flattened());
                    }
                }
            }
        }
        let finite = coefficients.iter().flatten().all(|c| c.is_finite());
        finite.then(|| Curve {
            times: begins,
            coefficients,
            order,
            last: rows[rows.len() - 1],
            interpolation,
            count: times.len(),
        })
    }

    /// The coefficients of the piece that a time [s] is in, and the time since its begin [s]; none
    /// before the first and from the last time on.
    fn piece_at(&self, time: f64) -> Option<(&[[f64; N]], f64)> {
        let begun = self.times.partition_point(|t| *t <= time).checked_sub(1)?;
        let first = begun * self.order;
        let piece = self.coefficients.get(first..first + self.order)?;
        Some((piece, time - self.times[begun]))
    }

    /// The values at a time [s].
    pub(crate) fn at(&self, time: f64) -> [f64; N] {
        let Some((piece, s)) = self.piece_at(time) else {
            return match time < self.times[self.times.len() - 1] {
                true => self.coefficients[0],
                false => self.last,
            };
        };
        // The number of coefficients is known to the compiler: no loop is left for a few of them.
        match piece.len() {
            2 => value_of(&piece[..2], s),
            4 => value_of(&piece[..4], s),
            _ => value_of(piece, s),
        }
    }

    /// The values at a time [s] with their first and second derivatives, which are zero before the
    /// first and after the last time. At a time of the table all are those of the piece that begins
    /// there.
    pub(crate) fn with_derivatives_at(&self, time: f64) -> [[f64; N]; 3] {
        let Some((piece, s)) = self.piece_at(time) else {
            return [self.at(time), [0.0; N], [0.0; N]];
        };
        match piece.len() {
            2 => derivatives_of(&piece[..2], s),
            4 => derivatives_of(&piece[..4], s),
            _ => derivatives_of(piece, s),
        }
    }

    /// The values with their first and second derivatives at a time [s] from `until` [s] on, as if the
    /// piece before that time went on; `until` is one at which pieces meet.
    pub(crate) fn extrapolated_at(&self, until: f64, time: f64) -> [[f64; N]; 3] {
        match self.piece_before(until) {
            Some((piece, start)) => derivatives_of(piece, time - start),
            None => [self.coefficients[0], [0.0; N], [0.0; N]],
        }
    }

    /// The third derivative that goes with [`Self::extrapolated_at`].
    pub(crate) fn extrapolated_jerk_at(&self, until: f64, time: f64) -> [f64; N] {
        match self.piece_before(until) {
            Some((piece, start)) => derivative_of(piece, 3, time - start),
            None => [0.0; N],
        }
    }

    /// The piece that ends at a time [s] and when it begins [s]; none before the first one.
    fn piece_before(&self, until: f64) -> Option<(&[[f64; N]], f64)> {
        let begun = self.times.partition_point(|t| *t < until).checked_sub(1)?;
        let last = self.times.len() - 2;
        Some((self.piece(begun.min(last)), self.times[begun.min(last)]))
    }

    /// The derivative of this order, at least 1, at a time [s]; zero before the first and after the
    /// last time. At a time of the table it is that of the piece that begins there.
    pub(crate) fn derivative_at(&self, derivative: usize, time: f64) -> [f64; N] {
        match self.piece_at(time) {
            Some((piece, s)) => derivative_of(piece, derivative, s),
            None => [0.0; N],
        }
    }

    /// Largest sizes of the first and the second derivative of each component between two times
    /// [s], or a little more: sums of the sizes of all Taylor terms about the first time. The
    /// second is infinite if the first may jump between them.
    pub(crate) fn derivative_bounds(&self, from: f64, to: f64) -> [[f64; N]; 2] {
        let mut bounds = [[0.0_f64; N]; 2];
        let last = self.times.len() - 1;
        let first = self.times.partition_point(|t| *t <= from);
        let end = self.times.partition_point(|t| *t < to);
        for i in first.saturating_sub(1)..end.min(last) {
            let start = from.max(self.times[i]);
            let length = to.min(self.times[i + 1]) - start;
            let mut sums = [[0.0; N]; 2];
            // Length to the power of the order less one, over its factorial.
            let mut weights = [1.0, 0.0];
            for derivative in 1..self.order {
                let sizes = derivative_of(self.piece(i), derivative, start - self.times[i]);
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    for (sum, size) in sum.iter_mut().zip(sizes) {
                        *sum += size.abs() * weight;
                    }
                }
                weights = [weights[0] * length / derivative as f64, weights[0]];
            }
            for (bound, sum) in bounds.iter_mut().zip(sums) {
                for (bound, sum) in bound.iter_mut().zip(sum) {
                    *bound = bound.max(sum);
                }
            }
        }
        let may_jump =
            |knot: usize| self.continuous_derivatives() == 0 || knot == 0 || knot == last;
        if (first..end).any(|knot| from < self.times[knot] && may_jump(knot)) {
            bounds[1] = [f64::INFINITY; N];
        }
        bounds
    }

    fn piece(&self, index: usize) -> &[[f64; N]] {
        &self.coefficients[index * self.order..][..self.order]
    }

    /// Times at which pieces meet, with the first and the last one, where the derivative of this
    /// order (at least 1) jumps, ascending.
    pub fn jumps(&self, derivative: usize) -> impl Iterator<Item = Jump<N>> + '_ {
        let last = self.times.len() - 1;
        let of = move |i: usize| {
            let before = i.checked_sub(1).map(|b| (self.piece(b), self.length(b)));
            let after = (i < last).then(|| (self.piece(i), self.length(i)));
            let meets = before.is_some() && after.is_some();
            if meets && derivative <= self.continuous_derivatives() {
                return None;
            }
            let side = |side: Option<(&[[f64; N]], f64)>, s: fn(f64) -> f64| {
                side.map_or(([0.0; N], [0.0; N]), |(piece, h)| {
                    let power = (0..derivative).fold(1.0, |power, _| power * h);
                    let scale = DERIVATIVE_ROUNDING / power;
                    let noise = magnitude(piece, h).map(|size| size * scale);
                    (derivative_of(piece, derivative, s(h)), noise)
                })
            };
            let (before, noise_before) = side(before, |h| h);
            let (after, noise_after) = side(after, |_| 0.0);
            let jumps =
                (0..N).any(|k| (after[k] - before[k]).abs() > noise_before[k] + noise_after[k]);
            jumps.then_some(Jump {
                time: self.times[i],
                before,
                after,
            })
        };
        (0..=last).filter_map(of)
    }

    /// The times [s] at which a derivative up to the order `highest` jumps, ascending. Where the
    /// cubics of a spline meet is none: the third derivative jumps, but a table may have thousands
    /// of them, and an event each would cost more than the steps that the error control shortens
    /// there.
    pub fn kinks(&self, highest: usize) -> Vec<f64> {
        let jumps = (1..=highest).flat_map(|derivative| self.jumps(derivative));
        let inner = |time: &f64| self.times[0] < *time && *time < self.span()[1];
        let is_spline = self.interpolation == Interpolation::Spline;
        let times = jumps.map(|jump| jump.time);
        let mut times: Vec<f64> = times.filter(|time| !(is_spline && inner(time))).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// How many derivatives are continuous where two pieces meet.
    fn continuous_derivatives(&self) -> usize {
        match self.interpolation {
            Interpolation::Linear => 0,
            Interpolation::Spline | Interpolation::Quintic | Interpolation::Trapezoid => 2,
        }
    }

    fn length(&self, piece: usize) -> f64 {
        self.times[piece + 1] - self.times[piece]
    }

    /// Largest length that the vector of these components of the derivative of this order has
    /// anywhere.
    pub fn peak(&self, derivative: usize, components: Range<usize>) -> f64 {
        let pieces = self.coefficients.chunks_exact(self.order).enumerate();
        let peaks = pieces.map(|(i, piece)| {
            let length = |s: f64| {
                let values = derivative_of(piece, derivative, s);
                let squares = values[components.clone()].iter().map(|v| v * v);
                squares.sum::<f64>().sqrt()
            };
            largest(length, self.length(i))
        });
        peaks.fold(0.0, f64::max)
    }

    /// First and last time [s].
    pub fn span(&self) -> [f64; 2] {
        [self.times[0], self.times[self.times.len() - 1]]
    }

    /// Number of values.
    pub fn count(&self) -> usize {
        self.count
    }

    /// What holds between the values.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }
}

fn write<'a>(column: &mut impl Iterator<Item = &'a mut f64>, coefficients: &[f64]) {
    // In this order nothing is taken from the column behind the last coefficient.
    for (from, to) in coefficients.iter().zip(column) {
        *to = *from;
    }
}

/// A polynomial at s.
#[inline(always)]
fn value_of<const N: usize>(piece: &[[f64; N]], s: f64) -> [f64; N] {
    let Some((highest, lower)) = piece.split_last() else {
        return [0.0; N];
    };
    let mut value = *highest;
    for c in lower.iter().rev() {
        value = std::array::from_fn(|k| value[k] * s + c[k]);
    }
    value
}

/// A polynomial and its first and second derivative at s.
#[inline(always)]
fn derivatives_of<const N: usize>(piece: &[[f64; N]], s: f64) -> [[f64; N]; 3] {
    let (mut value, mut slope, mut half_bend) = ([0.0; N], [0.0; N], [0.0; N]);
    for c in piece.iter().rev() {
        half_bend = std::array::from_fn(|k| half_bend[k] * s + slope[k]);
        slope = std::array::from_fn(|k| slope[k] * s + value[k]);
        value = std::array::from_fn(|k| value[k] * s + c[k]);
    }
    [value, slope, half_bend.map(|b| 2.0 * b)]
}

/// A derivative of a polynomial at s.
fn derivative_of<const N: usize>(piece: &[[f64; N]], derivative: usize, s: f64) -> [f64; N] {
    let mut value = [0.0; N];
    for (power, c) in piece.iter().enumerate().skip(derivative).rev() {
        let factor: f64 = (power + 1 - derivative..=power).map(|p| p as f64).product();
        value = std::array::from_fn(|k| value[k] * s + factor * c[k]);
    }
    value
}

/// Sum of the sizes of the terms of a polynomial at s.
fn magnitude<const N: usize>(piece: &[[f64; N]], s: f64) -> [f64; N] {
    let mut sum = [0.0; N];
    for c in piece.iter().rev() {
        sum = std::array::from_fn(|k| sum[k] * s + c[k].abs());
    }
    sum
}

/// The largest value of a function between 0 and h.
fn largest(f: impl Fn(f64) -> f64, h: f64) -> f64 {
    let at = |i: u32| h * f64::from(i) / f64::from(PEAK_SAMPLES);
    let (mut best, mut found) = (0, f(0.0));
    for i in 1..=PEAK_SAMPLES {
        let value = f(at(i));
        if value > found {
            (best, found) = (i, value);
        }
    }
    let (mut low, mut high) = (at(best.saturating_sub(1)), at(PEAK_SAMPLES.min(best + 1)));
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..PEAK_SECTIONS {
        let width = golden * (high - low);
        let [left, right] = [high - width, low + width];
        let [at_left, at_right] = [f(left), f(right)];
        found = found.max(at_left).max(at_right);
        match at_left > at_right {
            true => high = right,
            false => low = left,
        }
    }
    found
}

/// c_1 to c_3 of the cubic with chord slope `d` over the length `h` and slopes `m0`, `m1` at its
/// ends.
fn hermite(h: f64, d: f64, m0: f64, m1: f64) -> [f64; 3] {
    [
        m0,
        (3.0 * d - 2.0 * m0 - m1) / h,
        (m0 + m1 - 2.0 * d) / (h * h),
    ]
}

/// c_0 to c_5 of the step from `y` with chord slope `d` over the length `h`.
fn quintic(h: f64, d: f64, y: f64) -> [f64; 6] {
    let h2 = h * h;
    [
        y,
        0.0,
        0.0,
        10.0 * d / h2,
        -15.0 * d / (h2 * h),
        6.0 * d / (h2 * h2),
    ]
}

/// c_0 to c_4 of the rising ramp, the straight line and the falling ramp from `y` with chord slope
/// `d` over the length `h`: they cover D/4, D/2 and D/4.
fn trapezoid(h: f64, d: f64, y: f64) -> [[f64; 5]; 3] {
    let (r, v, quarter) = (h / 3.0, 1.5 * d, 0.25 * d * h);
    let [c3, c4] = [v / (r * r), -0.5 * v / (r * r * r)];
    [
        [y, 0.0, 0.0, c3, c4],
        [y + quarter, v, 0.0, 0.0, 0.0],
        [y + 3.0 * quarter, v, 0.0, -c3, -c4],
    ]
}

/// Slopes at all times, from the lengths and chord slopes of the intervals, with the slopes of both
/// ends if they are given.
fn spline_slopes(h: &[f64], d: &[f64], ends: Option<[f64; 2]>) -> Vec<f64> {
    if let Some([first, last]) = ends {
        return slopes(h, d, [1.0, 0.0, first], [1.0, 0.0, last]);
    }
    match *h {
        [] => Vec::new(),
        [_] => vec![d[0]; 2],
        [h0, h1] => {
            // The parabola: its second divided difference is the same everywhere.
            let bend = (d[1] - d[0]) / (h0 + h1);
            vec![d[0] - h0 * bend, d[0] + h0 * bend, d[1] + h1 * bend]
        }
        _ => {
            let n = h.len();
            // No pivot vanishes: h_1 first, h_0 + h_1 then, and each later one is larger than its
            // h_(i-1) + h_i.
            let end = |h0: f64, h1: f64, d0: f64, d1: f64| {
                let w = h0 + h1;
                [h1, w, ((2.0 * w + h0) * h1 * d0 + h0 * h0 * d1) / w]
            };
            let first = end(h[0], h[1], d[0], d[1]);
            slopes(h, d, first, end(h[n - 1], h[n - 2], d[n - 1], d[n - 2]))
        }
    }
}

/// The tridiagonal system of the slopes, by elimination. The equations of the ends are given:
/// pivot, coefficient of the neighbour, right side.
fn slopes(h: &[f64], d: &[f64], first: [f64; 3], last: [f64; 3]) -> Vec<f64> {
    let n = h.len();
    // Rows (below, pivot, above, right side).
    let mut rows: Vec<[f64; 4]> = Vec::with_capacity(n + 1);
    rows.push([0.0, first[0], first[1], first[2]]);
    for i in 1..n {
        let right = 3.0 * (h[i] * d[i - 1] + h[i - 1] * d[i]);
        rows.push([h[i], 2.0 * (h[i - 1] + h[i]), h[i - 1], right]);
    }
    rows.push([last[1], last[0], 0.0, last[2]]);
    for i in 1..=n {
        let [_, pivot, above, right] = rows[i - 1];
        let factor = rows[i][0] / pivot;
        rows[i][1] -= factor * above;
        rows[i][3] -= factor * right;
    }
    let mut slopes = vec![0.0; n + 1];
    let mut next = 0.0;
    for (slope, [_, pivot, above, right]) in slopes.iter_mut().zip(&rows).rev() {
        next = (right - above * next) / pivot;
        *slope = next;
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_derivative_between_two_times_is_above_its_bound() {
        let kinds = [
            Interpolation::Linear,
            Interpolation::Spline,
            Interpolation::Quintic,
            Interpolation::Trapezoid,
        ];
        let rows: Vec<[f64; 2]> = UNEVEN.iter().map(|t| [t.sin(), (3.0 * t).cos()]).collect();
        for interpolation in kinds {
            let curve = Curve::new(&UNEVEN, &rows, interpolation, None).expect("a curve");
            for i in 0..400 {
                let from = -1.5 + 0.012 * f64::from(i);
                for length in [0.01, 0.1, 0.7] {
                    let [first, second] = curve.derivative_bounds(from, from + length);
                    for part in 0..=50 {
                        let t = from + length * f64::from(part) / 50.0;
                        let [_, slope, bend] = curve.with_derivatives_at(t);
                        // At its very end the derivatives are those of the next piece.
                        let at_knot = UNEVEN.iter().any(|knot| (t - knot).abs() < 1e-9);
                        for k in 0..2 {
                            assert!(at_knot || slope[k].abs() <= first[k] * (1.0 + 1e-12) + 1e-12);
                            assert!(at_knot || bend[k].abs() <= second[k] * (1.0 + 1e-12) + 1e-12);
                        }
                    }
                }
            }
        }
        let line = Curve::new(&UNEVEN, &rows, Interpolation::Linear, None).expect("a curve");
        assert_eq!(line.derivative_bounds(0.05, 0.15)[1], [0.0; 2]);
        assert_eq!(line.derivative_bounds(0.05, 0.25)[1], [f64::INFINITY; 2]);
        // A smooth peak is not overestimated by much over a short time.
        let spline = Curve::new(&UNEVEN, &rows, Interpolation::Spline, None).expect("a curve");
        let [first, _] = spline.derivative_bounds(0.3, 0.301);
        let [_, slope, _] = spline.with_derivatives_at(0.3);
        assert!((first[0] - slope[0].abs()).abs() < 1e-2 * slope[0].abs());
    }

    const UNEVEN: [f64; 7] = [-1.0, -0.3, 0.0, 0.2, 1.1, 1.5, 3.0];

    fn curve(times: &[f64], y: impl Fn(f64) -> f64, interpolation: Interpolation) -> Curve<1> {
        let rows: Vec<[f64; 1]> = times.iter().map(|t| [y(*t)]).collect();
        Curve::new(times, &rows, interpolation, None).expect("a curve")
    }

    fn within(times: &[f64], count: u32) -> impl Iterator<Item = f64> {
        let (first, last) = (times[0], times[times.len() - 1]);
        (0..=count).map(move |i| first + (last - first) * f64::from(i) / f64::from(count))
    }

    #[test]
    fn all_kinds_go_through_the_values_and_hold_those_of_the_ends() {
        for interpolation in [
            Interpolation::Linear,
            Interpolation::Spline,
            Interpolation::Quintic,
            Interpolation::Trapezoid,
        ] {
            for count in 2..=UNEVEN.len() {
                let times = &UNEVEN[..count];
                let found = curve(times, f64::sin, interpolation);
                for t in times {
                    assert!((found.at(*t)[0] - t.sin()).abs() < 1e-15);
                    let before = found.at(t.next_down())[0];
                    // Terms of steps are up to 15 times as long as the chord.
                    let roundings = match interpolation {
                        Interpolation::Linear | Interpolation::Spline => 1e-15,
                        Interpolation::Quintic | Interpolation::Trapezoid => 1e-14,
                    };
                    assert!((before - t.sin()).abs() < roundings, "continuous at {t}");
                }
                let last = times[count - 1];
                assert_eq!(found.at(-5.0), [times[0].sin()]);
                assert_eq!(found.at(last + 1e-9), [last.sin()]);
                assert_eq!(found.at(1e300), [last.sin()]);
            }
        }
    }

    #[test]
    fn straight_lines_hold_between_the_values() {
        let found = curve(&[0.0, 1.0, 3.0], |t| t * t, Interpolation::Linear);
        for (t, y) in [(0.25, 0.25), (1.5, 3.0), (2.0, 5.0)] {
            assert_eq!(found.at(t), [y]);
        }
    }

    #[test]
    fn a_spline_meets_the_polynomial_of_its_degree_exactly() {
        let cubic = |t: f64| 2.0 - t + 0.5 * t * t - 0.25 * t * t * t;
        let parabola = |t: f64| 2.0 - t + 0.5 * t * t;
        let line = |t: f64| 2.0 - t;
        let degrees: [(usize, &dyn Fn(f64) -> f64); 4] =
            [(2, &line), (3, &parabola), (4, &cubic), (7, &cubic)];
        for (count, y) in degrees {
            let times = &UNEVEN[..count];
            let found = curve(times, y, Interpolation::Spline);
            for t in within(times, 50) {
                assert!((found.at(t)[0] - y(t)).abs() < 1e-14, "{count} values, {t}");
            }
        }
    }

    #[test]
    fn derivatives_of_a_spline_through_a_cubic_are_those_of_the_cubic_and_zero_outside() {
        let cubic = |t: f64| 2.0 - t + 0.5 * t * t - 0.25 * t * t * t;
        let found = curve(&UNEVEN, cubic, Interpolation::Spline);
        for t in within(&UNEVEN, 50).filter(|t| *t < 3.0) {
            let [_, [slope], [bend]] = found.with_derivatives_at(t);
            assert!((slope - (-1.0 + t - 0.75 * t * t)).abs() < 1e-13, "{t}");
            assert!((bend - (1.0 - 1.5 * t)).abs() < 1e-12, "{t}");
        }
        for t in [-1.1, 3.0, 7.0] {
            assert_eq!(found.with_derivatives_at(t)[1..], [[0.0]; 2]);
        }
        let lines = curve(&[0.0, 1.0, 3.0], |t| t * t, Interpolation::Linear);
        for (t, slope) in [(0.0, 1.0), (0.99, 1.0), (1.0, 4.0), (2.0, 4.0)] {
            assert_eq!(lines.with_derivatives_at(t)[1..], [[slope], [0.0]]);
        }
    }

    /// All conditions on the coefficients of all pieces as one linear system, solved in rational
    /// numbers outside of this project; values sin(t).
    #[test]
    fn a_spline_through_uneven_times_is_that_of_an_independent_implementation() {
        let found = curve(&UNEVEN, f64::sin, Interpolation::Spline);
        for (t, y) in [
            (-0.9, -0.7841276880070478),
            (-0.1, -0.09982901861736398),
            (0.1, 0.09987535727493312),
            (0.7, 0.6432164877511349),
            (1.3, 0.9629080967527399),
            (2.0, 0.925959940990073),
            (2.9, 0.2563618679819471),
        ] {
            assert!(
                (found.at(t)[0] - y).abs() < 1e-14,
                "{t}: {}",
                found.at(t)[0]
            );
        }
    }

    /// Half the interval gives a sixteenth of the error, up to the ends.
    #[test]
    fn the_error_of_a_spline_falls_with_the_fourth_power_of_the_interval() {
        let error = |count: u32| {
            let times: Vec<f64> = (0..=count)
                .map(|i| f64::from(i) / f64::from(count))
                .collect();
            let found = curve(&times, |t| (3.0 * t).cos(), Interpolation::Spline);
            let errors = within(&times, 1000).map(|t| (found.at(t)[0] - (3.0 * t).cos()).abs());
            errors.fold(0.0, f64::max)
        };
        let ratio = error(32) / error(64);
        assert!((12.0..20.0).contains(&ratio), "{ratio}");
    }

    #[test]
    fn kinks_are_where_the_slope_jumps() {
        let kinks = |y: &[f64], interpolation| {
            let times: Vec<f64> = (0..y.len()).map(|i| i as f64).collect();
            let rows: Vec<[f64; 1]> = y.iter().map(|y| [*y]).collect();
            let found = Curve::new(&times, &rows, interpolation, None).expect("a curve");
            found.kinks(1)
        };
        use Interpolation::{Linear, Spline};
        assert_eq!(kinks(&[1.0, 1.0, 1.0], Linear), [0.0; 0]);
        assert_eq!(
            kinks(&[0.0, 1.0, 2.0, 2.0, 0.0], Linear),
            [0.0, 2.0, 3.0, 4.0]
        );
        assert_eq!(kinks(&[0.0, 1.0, 0.0, 2.0], Spline), [0.0, 3.0]);
        // Slope 0 at the start: y = t^2.
        assert_eq!(kinks(&[0.0, 1.0, 4.0], Spline), [2.0]);
    }

    /// Four conditions determine a cubic: two values with two slopes, or more values with the
    /// slopes.
    #[test]
    fn a_clamped_spline_meets_the_cubic_with_its_end_slopes_exactly() {
        let cubic = |t: f64| 2.0 - t + 0.5 * t * t - 0.25 * t * t * t;
        let slope = |t: f64| -1.0 + t - 0.75 * t * t;
        for count in 2..=UNEVEN.len() {
            let times = &UNEVEN[..count];
            let rows: Vec<[f64; 1]> = times.iter().map(|t| [cubic(*t)]).collect();
            let ends = [times[0], times[count - 1]].map(|t| [slope(t)]);
            let found = Curve::new(times, &rows, Interpolation::Spline, Some(ends));
            let found = found.expect("a curve");
            for t in within(times, 50).filter(|t| *t < times[count - 1]) {
                assert!((found.at(t)[0] - cubic(t)).abs() < 1e-14, "{count}, {t}");
                let [_, [m], _] = found.with_derivatives_at(t);
                assert!((m - slope(t)).abs() < 1e-13, "{count}, {t}");
            }
        }
    }

    /// As the independent implementation of not-a-knot; values sin(t), end slopes 1/2 and -1/4.
    #[test]
    fn a_clamped_spline_is_that_of_an_independent_implementation() {
        let rows = UNEVEN.map(|t| [t.sin()]);
        let ends = Some([[0.5], [-0.25]]);
        let found = Curve::new(&UNEVEN, &rows, Interpolation::Spline, ends).expect("a curve");
        for (t, y, m) in [
            (-0.9, -0.7862502533213632, 0.602378403040408),
            (-0.1, -0.09975159777102265, 0.9933950546135991),
            (0.1, 0.09997843361563923, 0.996165059738015),
            (0.7, 0.6378494317091061, 0.7598761466549021),
            (1.3, 0.9706847067304005, 0.28383264822206733),
            (2.0, 0.7957288592738471, -0.6778888698170553),
            (2.9, 0.17359805606550519, -0.3957476717866499),
        ] {
            assert!((found.at(t)[0] - y).abs() < 1e-14, "{t}");
            assert!(
                (found.with_derivatives_at(t)[1][0] - m).abs() < 1e-14,
                "{t}"
            );
        }
    }

    /// Largest slopes and second derivatives by the closed forms, for steps of 3 in 2 s and of -1
    /// in 0.5 s: 15/8 and 3/2 of D/h, 10/sqrt(3) and 27/4 of D/h^2.
    #[test]
    fn steps_rest_at_each_time_and_peak_where_their_closed_forms_say() {
        let (times, y) = ([1.0, 3.0, 3.5], [[2.0], [5.0], [4.0]]);
        for (interpolation, speed, bend) in [
            (Interpolation::Quintic, 1.875, 10.0 / 3.0_f64.sqrt()),
            (Interpolation::Trapezoid, 1.5, 6.75),
        ] {
            let found = Curve::new(&times, &y, interpolation, None).expect("a curve");
            for (t, [y]) in times.into_iter().zip(y) {
                assert!((found.at(t)[0] - y).abs() < 1e-14);
                for near in [t - 1e-7, t, t + 1e-7] {
                    let [_, [slope], [second]] = found.with_derivatives_at(near);
                    assert!(slope.abs() < 1e-11, "slope {slope} near {t}");
                    // The third derivative is 60 D/h^3 or 6 V/r^2 at most, below 2000.
                    assert!(second.abs() < 2e-4, "{second} near {t}");
                }
            }
            // Half of the way in half of the time, at the largest slope.
            assert!((found.at(2.0)[0] - 3.5).abs() < 1e-14);
            assert!((found.with_derivatives_at(2.0)[1][0] - 1.5 * speed).abs() < 1e-14);
            assert!((found.peak(1, 0..1) - 2.0 * speed).abs() < 1e-13);
            assert!((found.peak(2, 0..1) - 4.0 * bend).abs() < 1e-12);
            assert!(found.jumps(1).next().is_none() && found.jumps(2).next().is_none());
        }
    }

    /// Third derivatives: 60 D/h^3 at both ends of a quintic; 6 V/r^2 at the ends of the ramps,
    /// where V (3 x^2 - 2 x^3) bends by 6 V/r^2 (1 - 2 x).
    #[test]
    fn third_derivatives_of_steps_jump_where_pieces_meet_and_not_while_the_value_stays() {
        let (times, y) = ([0.0, 1.0, 3.0, 4.0], [[0.0], [1.0], [1.0], [1.0]]);
        let jumps = |interpolation| {
            let found = Curve::new(&times, &y, interpolation, None).expect("a curve");
            let jumps = found.jumps(3).map(|j| (j.time, j.after[0] - j.before[0]));
            jumps.collect::<Vec<(f64, f64)>>()
        };
        assert_eq!(jumps(Interpolation::Quintic), [(0.0, 60.0), (1.0, -60.0)]);
        let size = 6.0 * 1.5 * 9.0;
        let third = 1.0 / 3.0;
        let expected = [
            (0.0, size),
            (third, size),
            (2.0 * third, -size),
            (1.0, -size),
        ];
        for ((time, jump), (at, by)) in jumps(Interpolation::Trapezoid).into_iter().zip(expected) {
            assert!(
                (time - at).abs() < 1e-15 && (jump - by).abs() < 1e-11,
                "{time} {jump}"
            );
        }
        assert_eq!(jumps(Interpolation::Trapezoid).len(), 4);
    }

    #[test]
    fn jumps_of_the_slope_are_told_with_both_sides_and_rounding_is_none() {
        let jumps = |times: &[f64], y: &[f64], interpolation, ends| {
            let rows: Vec<[f64; 1]> = y.iter().map(|y| [*y]).collect();
            let found = Curve::new(times, &rows, interpolation, ends).expect("a curve");
            let jumps = found.jumps(1).map(|j| (j.time, j.before[0], j.after[0]));
            jumps.collect::<Vec<(f64, f64, f64)>>()
        };
        use Interpolation::{Linear, Spline};
        let line = [0.0, 0.1, 0.3];
        assert_eq!(
            jumps(&[1.0, 2.0, 4.0], &[0.0, 2.0, 0.0], Linear, None),
            [(1.0, 0.0, 2.0), (2.0, 2.0, -1.0), (4.0, -1.0, 0.0)]
        );
        // 0.1 and 0.3 are no multiples of each other to the bit.
        assert_eq!(jumps(&line, &line, Linear, None).len(), 2);
        let ends = Some([[0.0]; 2]);
        assert_eq!(jumps(&UNEVEN, &UNEVEN.map(f64::sin), Spline, ends), []);
        // y = t^2, far from the origin.
        let parabola = [1e3, 1e3 + 1.0, 1e3 + 4.0];
        assert_eq!(
            jumps(&[0.0, 1.0, 2.0], &parabola, Spline, None),
            [(2.0, 4.0, 0.0)]
        );
    }

    /// |(cos, sin)| of a circle is met by a spline to the fourth order; the components alone are not.
    #[test]
    fn a_peak_is_that_of_the_vector_of_its_components() {
        let times: Vec<f64> = (0..=64).map(|i| f64::from(i) / 10.0).collect();
        let rows: Vec<[f64; 3]> = times.iter().map(|t| [t.cos(), t.sin(), 3.0 * t]).collect();
        let found = Curve::new(&times, &rows, Interpolation::Spline, None).expect("a curve");
        assert!((found.peak(1, 0..2) - 1.0).abs() < 1e-3);
        assert!((found.peak(2, 0..2) - 1.0).abs() < 1e-2);
        assert!((found.peak(1, 2..3) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn values_that_are_no_curve_are_refused() {
        let row = [[0.0], [1.0]];
        let make =
            |times: &[f64], rows: &[[f64; 1]]| Curve::new(times, rows, Interpolation::Spline, None);
        assert!(make(&[0.0, 1.0], &row).is_some());
        assert!(make(&[0.0], &row[..1]).is_none());
        assert!(make(&[0.0, 1.0, 2.0], &row).is_none());
        assert!(make(&[0.0, 0.0], &row).is_none());
        assert!(make(&[0.0, f64::NAN], &row).is_none());
        assert!(make(&[0.0, 1e-308], &[[0.0], [1e10]]).is_none());
    }
}
