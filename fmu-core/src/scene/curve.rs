//! A curve through given values at given times: straight lines, or a cubic spline.
//!
//! On the interval from t_i of length h = t_(i+1) - t_i, with s = t - t_i:
//!   y = c_0 + c_1 s + c_2 s^2 + c_3 s^3;
//! before the first and after the last time the value of that time holds.
//!
//! Spline: the slopes m_i at the times make the second derivative continuous,
//!   h_i m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_(i-1) m_(i+1) = 3 (h_i d_(i-1) + h_(i-1) d_i),
//! d_i the slope of the chord of interval i; at the second and at the last but one time the third
//! derivative is continuous too ("not-a-knot"; C. de Boor, A Practical Guide to Splines, chapter
//! IV). So a cubic polynomial is met exactly, and the error of a smooth curve is of order h^4 up to
//! both ends; the natural spline would bend it straight there, an error of order h^2. Three values
//! give a parabola, two a straight line.

use crate::scene::description::Interpolation;

/// A curve with N components.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve<const N: usize> {
    /// Times [s], ascending, at least two.
    times: Vec<f64>,
    /// Coefficients c_0 to c_3 of each interval.
    pieces: Vec<[[f64; N]; 4]>,
    last: [f64; N],
    /// The slope is continuous between the first and the last time.
    smooth: bool,
}

impl<const N: usize> Curve<N> {
    /// The curve through `rows` at `times`, which ascend and are as many, at least two; none where
    /// they are not, or where a coefficient is not finite.
    pub fn new(times: &[f64], rows: &[[f64; N]], interpolation: Interpolation) -> Option<Self> {
        let ascend = times.windows(2).all(|pair| pair[0] < pair[1]);
        if times.len() < 2 || rows.len() != times.len() || !ascend {
            return None;
        }
        let mut pieces = vec![[[0.0; N]; 4]; times.len() - 1];
        for component in 0..N {
            let y: Vec<f64> = rows.iter().map(|row| row[component]).collect();
            let h: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
            let d: Vec<f64> = y
                .windows(2)
                .zip(&h)
                .map(|(y, h)| (y[1] - y[0]) / h)
                .collect();
            let slopes = match interpolation {
                Interpolation::Linear => None,
                Interpolation::Spline => Some(spline_slopes(&h, &d)),
            };
            for (i, piece) in pieces.iter_mut().enumerate() {
                let [c1, c2, c3] = match &slopes {
                    None => [d[i], 0.0, 0.0],
                    Some(m) => hermite(h[i], d[i], m[i], m[i + 1]),
                };
                for (row, c) in piece.iter_mut().zip([y[i], c1, c2, c3]) {
                    row[component] = c;
                }
            }
        }
        let mut numbers = pieces.iter().flatten().flatten();
        numbers.all(|c| c.is_finite()).then(|| Curve {
            times: times.to_vec(),
            pieces,
            last: rows[rows.len() - 1],
            smooth: interpolation == Interpolation::Spline,
        })
    }

    /// The values at a time [s].
    pub fn at(&self, time: f64) -> [f64; N] {
        let after = self.times.partition_point(|t| *t <= time);
        let Some(i) = after.checked_sub(1) else {
            return self.pieces[0][0];
        };
        let Some([c0, c1, c2, c3]) = self.pieces.get(i) else {
            return self.last;
        };
        let s = time - self.times[i];
        std::array::from_fn(|k| c0[k] + s * (c1[k] + s * (c2[k] + s * c3[k])))
    }

    /// First and second derivative at a time [s]; zero before the first and after the last time. At a
    /// time of the table they are those of the interval that begins there.
    pub fn derivatives_at(&self, time: f64) -> [[f64; N]; 2] {
        let after = self.times.partition_point(|t| *t <= time);
        let begun = after.checked_sub(1);
        let Some((i, piece)) = begun.and_then(|i| Some((i, self.pieces.get(i)?))) else {
            return [[0.0; N]; 2];
        };
        let [_, c1, c2, c3] = piece;
        let s = time - self.times[i];
        let slope = |k: usize| c1[k] + s * (2.0 * c2[k] + s * 3.0 * c3[k]);
        let bend = |k: usize| 2.0 * c2[k] + s * 6.0 * c3[k];
        [std::array::from_fn(slope), std::array::from_fn(bend)]
    }

    /// Largest sizes of the first and the second derivative of each component between two times [s];
    /// the second is infinite where the first jumps between them.
    pub fn derivative_bounds(&self, from: f64, to: f64) -> [[f64; N]; 2] {
        let mut bounds = [[0.0; N]; 2];
        for (i, piece) in self.pieces.iter().enumerate() {
            let (start, end) = (self.times[i], self.times[i + 1]);
            if end <= from || start >= to {
                continue;
            }
            // About the first time in the piece, by the sizes of all terms.
            let s = from.max(start) - start;
            let length = to.min(end) - start - s;
            for k in 0..N {
                let [_, c1, c2, c3] = piece.map(|c| c[k]);
                let (slope, bend) = (c1 + s * (2.0 * c2 + s * 3.0 * c3), c2 + 3.0 * c3 * s);
                let rate = slope.abs() + length * (2.0 * bend.abs() + length * 3.0 * c3.abs());
                bounds[0][k] = f64::max(bounds[0][k], rate);
                bounds[1][k] = f64::max(bounds[1][k], 2.0 * bend.abs() + 6.0 * c3.abs() * length);
            }
        }
        if self.kinks().any(|kink| from < kink && kink < to) {
            bounds[1] = [f64::INFINITY; N];
        }
        bounds
    }

    /// The times [s] at which the slope jumps, ascending.
    pub fn kinks(&self) -> impl Iterator<Item = f64> + '_ {
        let last = self.pieces.len();
        let jumps = move |i: &usize| match *i {
            0 => self.slope_at_start(0) != [0.0; N],
            i if i == last => self.slope_at_end(last - 1) != [0.0; N],
            i => !self.smooth && self.slope_at_end(i - 1) != self.slope_at_start(i),
        };
        (0..=last).filter(jumps).map(|i| self.times[i])
    }

    fn slope_at_start(&self, piece: usize) -> [f64; N] {
        self.pieces[piece][1]
    }

    fn slope_at_end(&self, piece: usize) -> [f64; N] {
        let [_, c1, c2, c3] = &self.pieces[piece];
        let h = self.times[piece + 1] - self.times[piece];
        std::array::from_fn(|k| c1[k] + h * (2.0 * c2[k] + h * 3.0 * c3[k]))
    }

    /// First and last time [s].
    pub fn span(&self) -> [f64; 2] {
        [self.times[0], self.times[self.pieces.len()]]
    }

    /// Number of values.
    pub fn count(&self) -> usize {
        self.times.len()
    }

    /// Whether it is a spline.
    pub fn is_smooth(&self) -> bool {
        self.smooth
    }
}

/// c_1 to c_3 of the cubic with chord slope `d` over the length `h` and slopes `m0`, `m1` at its ends.
fn hermite(h: f64, d: f64, m0: f64, m1: f64) -> [f64; 3] {
    [
        m0,
        (3.0 * d - 2.0 * m0 - m1) / h,
        (m0 + m1 - 2.0 * d) / (h * h),
    ]
}

/// Slopes at all times, from the lengths and chord slopes of the intervals.
fn spline_slopes(h: &[f64], d: &[f64]) -> Vec<f64> {
    match *h {
        [] => Vec::new(),
        [_] => vec![d[0]; 2],
        [h0, h1] => {
            // The parabola: its second divided difference is the same everywhere.
            let bend = (d[1] - d[0]) / (h0 + h1);
            vec![d[0] - h0 * bend, d[0] + h0 * bend, d[1] + h1 * bend]
        }
        _ => not_a_knot_slopes(h, d),
    }
}

/// The tridiagonal system of the slopes for at least three intervals, by elimination; no pivot
/// vanishes: h_1 first, h_0 + h_1 then, and each later one is larger than its h_(i-1) + h_i.
fn not_a_knot_slopes(h: &[f64], d: &[f64]) -> Vec<f64> {
    let n = h.len();
    // Rows (below, pivot, above, right side).
    let mut rows: Vec<[f64; 4]> = Vec::with_capacity(n + 1);
    let end = |h0: f64, h1: f64, d0: f64, d1: f64| {
        let w = h0 + h1;
        ((2.0 * w + h0) * h1 * d0 + h0 * h0 * d1) / w
    };
    rows.push([0.0, h[1], h[0] + h[1], end(h[0], h[1], d[0], d[1])]);
    for i in 1..n {
        let right = 3.0 * (h[i] * d[i - 1] + h[i - 1] * d[i]);
        rows.push([h[i], 2.0 * (h[i - 1] + h[i]), h[i - 1], right]);
    }
    let (a, b) = (h[n - 1], h[n - 2]);
    rows.push([a + b, b, 0.0, end(a, b, d[n - 1], d[n - 2])]);
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

    const UNEVEN: [f64; 7] = [-1.0, -0.3, 0.0, 0.2, 1.1, 1.5, 3.0];

    fn curve(times: &[f64], y: impl Fn(f64) -> f64, interpolation: Interpolation) -> Curve<1> {
        let rows: Vec<[f64; 1]> = times.iter().map(|t| [y(*t)]).collect();
        Curve::new(times, &rows, interpolation).expect("a curve")
    }

    fn within(times: &[f64], count: u32) -> impl Iterator<Item = f64> {
        let (first, last) = (times[0], times[times.len() - 1]);
        (0..=count).map(move |i| first + (last - first) * f64::from(i) / f64::from(count))
    }

    #[test]
    fn both_kinds_go_through_the_values_and_hold_those_of_the_ends() {
        for interpolation in [Interpolation::Linear, Interpolation::Spline] {
            for count in 2..=UNEVEN.len() {
                let times = &UNEVEN[..count];
                let found = curve(times, f64::sin, interpolation);
                for t in times {
                    assert!((found.at(*t)[0] - t.sin()).abs() < 1e-15);
                    let before = found.at(t.next_down())[0];
                    assert!((before - t.sin()).abs() < 1e-15, "continuous at {t}");
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
            let [[slope], [bend]] = found.derivatives_at(t);
            assert!((slope - (-1.0 + t - 0.75 * t * t)).abs() < 1e-13, "{t}");
            assert!((bend - (1.0 - 1.5 * t)).abs() < 1e-12, "{t}");
        }
        for t in [-1.1, 3.0, 7.0] {
            assert_eq!(found.derivatives_at(t), [[0.0]; 2]);
        }
        let lines = curve(&[0.0, 1.0, 3.0], |t| t * t, Interpolation::Linear);
        for (t, slope) in [(0.0, 1.0), (0.99, 1.0), (1.0, 4.0), (2.0, 4.0)] {
            assert_eq!(lines.derivatives_at(t), [[slope], [0.0]]);
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
            let found = Curve::new(&times, &rows, interpolation).expect("a curve");
            found.kinks().collect::<Vec<f64>>()
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

    #[test]
    fn values_that_are_no_curve_are_refused() {
        let row = [[0.0], [1.0]];
        let make =
            |times: &[f64], rows: &[[f64; 1]]| Curve::new(times, rows, Interpolation::Spline);
        assert!(make(&[0.0, 1.0], &row).is_some());
        assert!(make(&[0.0], &row[..1]).is_none());
        assert!(make(&[0.0, 1.0, 2.0], &row).is_none());
        assert!(make(&[0.0, 0.0], &row).is_none());
        assert!(make(&[0.0, f64::NAN], &row).is_none());
        assert!(make(&[0.0, 1e-308], &[[0.0], [1e10]]).is_none());
    }
}
