//! Compares signals with a reference by a tube around it.
//!
//! The reference y_ref is taken linearly between its rows. A value y at the time t of one of them
//! is inside where
//!
//! ```text
//!   min y_ref(s) - h <= y <= max y_ref(s) + h     over s in [t - d, t + d]
//! ```
//!
//! d is 0.2 % of the duration, so that a jump or an impact a little early is no failure, and h
//! 0.2 % of the range of the signal: the relative width of 0.002 in both directions by which
//! csv-compare, the tool of the Modelica Association, compares the results of its libraries, and
//! with which importers judged submitted FMUs (results of SimulationX 4.0.4 in the repository of
//! the cross-check). The rules lay no number down; FMPy takes 1 % of the duration, 10 % of the
//! range and lets a tenth of the values be outside.

use super::signals::Signals;

/// Half width of the tube along time, relative to the duration.
pub const WIDTH: f64 = 2e-3;
/// Half height of the tube, relative to the range of the signal; to its size if it is constant.
pub const HEIGHT: f64 = 2e-3;
/// Half height at least, relative to the largest size of the signal: what a solver and few digits
/// in a file leave of one that hardly moves.
const LEAST_RELATIVE: f64 = 1e-5;
/// Half height at least, in the unit of the signal: a zero that is rounded stays inside.
const LEAST: f64 = 1e-9;

/// How far a signal is from its reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// Name of the signal.
    pub name: String,
    /// Largest distance from the reference within its width along time, in half heights of the
    /// tube: inside up to 1.
    pub largest: f64,
    /// Where that is [s].
    pub time: f64,
    /// Value there.
    pub found: f64,
    /// Limits of the tube there.
    pub limits: [f64; 2],
    /// Rows of the reference at which the signal is outside.
    pub outside: usize,
}

impl Deviation {
    /// Whether the signal is inside everywhere.
    pub fn is_inside(&self) -> bool {
        self.outside == 0
    }
}

/// The deviation of each signal from the reference, which has the same signals in the same order.
pub fn compare(reference: &Signals, found: &Signals) -> Vec<Deviation> {
    let pairs = reference.columns().into_iter().zip(found.columns());
    pairs
        .map(|((name, expected), (_, values))| {
            let tube = Tube::new(&reference.times, &expected);
            tube.deviation(name, &found.times, &values)
        })
        .collect()
}

/// The tube around one signal.
struct Tube<'a> {
    times: &'a [f64],
    values: &'a [f64],
    half_width: f64,
    half_height: f64,
}

impl Tube<'_> {
    fn new<'a>(times: &'a [f64], values: &'a [f64]) -> Tube<'a> {
        let duration = times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0);
        Tube {
            times,
            values,
            half_width: WIDTH * duration,
            half_height: half_height(values),
        }
    }

    fn deviation(&self, name: String, times: &[f64], values: &[f64]) -> Deviation {
        let mut deviation = Deviation {
            name,
            largest: 0.0,
            time: self.times.first().copied().unwrap_or(0.0),
            found: values.first().copied().unwrap_or(0.0),
            limits: [f64::NEG_INFINITY, f64::INFINITY],
            outside: 0,
        };
        for time in self.times {
            let [low, high] = self.range(*time);
            // At a jump the side that is nearer.
            let sides = sides(times, values, *time);
            let distance = |value: &f64| match value.is_nan() {
                true => f64::INFINITY,
                false => (low - value).max(value - high).max(0.0),
            };
            let nearer = match distance(&sides[0]) <= distance(&sides[1]) {
                true => sides[0],
                false => sides[1],
            };
            let relative = distance(&nearer) / self.half_height;
            deviation.outside += usize::from(relative > 1.0);
            if relative > deviation.largest {
                deviation.largest = relative;
                deviation.time = *time;
                deviation.found = nearer;
                deviation.limits = [low - self.half_height, high + self.half_height];
            }
        }
        deviation
    }

    /// Smallest and largest value of the reference around a time [s].
    fn range(&self, time: f64) -> [f64; 2] {
        let [from, to] = [time - self.half_width, time + self.half_width];
        let first = self.times.partition_point(|t| *t < from);
        let last = self.times.partition_point(|t| *t <= to);
        let ends = [from, to].map(|end| sides(self.times, self.values, end));
        let inner = self.values[first..last].iter();
        let all = ends.iter().flatten().chain(inner);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
            [low.min(*value), high.max(*value)]
        })
    }
}

fn half_height(values: &[f64]) -> f64 {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let size = low.abs().max(high.abs());
    let range = if high > low { high - low } else { size };
    (HEIGHT * range).max(LEAST_RELATIVE * size).max(LEAST)
}

/// Value of a signal before and after a time [s], different at a jump only; outside of the rows
/// that of the nearest row.
fn sides(times: &[f64], values: &[f64], time: f64) -> [f64; 2] {
    let before = times.partition_point(|t| *t < time);
    let after = times.partition_point(|t| *t <= time);
    if before < after {
        return [values[before], values[after - 1]];
    }
    let value = match before {
        0 => values[0],
        n if n == times.len() => values[n - 1],
        n => {
            let part = (time - times[n - 1]) / (times[n] - times[n - 1]);
            values[n - 1] + part * (values[n] - values[n - 1])
        }
    };
    [value, value]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crosscheck::signals::Signal;

    fn signals(rows: impl Iterator<Item = (f64, f64)>) -> Signals {
        let (times, values) = rows.unzip();
        Signals {
            signals: vec![Signal {
                name: "x".into(),
                size: 1,
            }],
            times,
            values,
        }
    }

    /// 0..=1 s in steps of 1 ms.
    fn sampled(x: impl Fn(f64) -> f64) -> Signals {
        signals((0..=1000).map(|i| f64::from(i) * 1e-3).map(|t| (t, x(t))))
    }

    fn compared(reference: &Signals, found: &Signals) -> Deviation {
        compare(reference, found).swap_remove(0)
    }

    #[test]
    fn the_height_is_0_2_percent_of_the_range_wherever_the_signal_lies() {
        let wave = |t: f64| 100.0 + 5.0 * (std::f64::consts::TAU * t).sin();
        let reference = sampled(wave);
        for (offset, is_inside) in [(0.0199, true), (0.0201, false), (-0.0201, false)] {
            let deviation = compared(&reference, &sampled(|t| wave(t) + offset));
            assert_eq!(deviation.is_inside(), is_inside, "{offset}: {deviation:?}");
        }
        // Where the slope is zero: elsewhere the width along time helps.
        let deviation = compared(&reference, &sampled(|t| wave(t) + 0.03));
        assert!((deviation.largest - 1.5).abs() < 0.01, "{deviation:?}");
        assert!((deviation.time - 0.25).abs() < 0.01, "{deviation:?}");
    }

    #[test]
    fn a_jump_may_be_0_2_percent_of_the_duration_early_or_late() {
        let step = |at: f64| signals([(0.0, 0.0), (at, 0.0), (at, 1.0), (1.0, 1.0)].into_iter());
        let reference = sampled(|t| if t < 0.5 { 0.0 } else { 1.0 });
        for (at, is_inside) in [
            (0.4985, true),
            (0.5015, true),
            (0.496, false),
            (0.504, false),
        ] {
            let deviation = compared(&reference, &step(at));
            assert_eq!(deviation.is_inside(), is_inside, "{at}: {deviation:?}");
        }
        assert!(compared(&step(0.5), &step(0.5)).is_inside());
    }

    #[test]
    fn a_constant_has_a_height_of_its_size_and_zero_that_of_rounding() {
        let off = |value: f64, by: f64| {
            compared(&sampled(|_| value), &sampled(|_| value + by)).is_inside()
        };
        assert!(off(50.0, 0.09) && !off(50.0, 0.11));
        assert!(off(0.0, 9e-10) && !off(0.0, 2e-9));
    }

    #[test]
    fn rows_at_other_times_are_interpolated_and_no_number_is_outside() {
        let reference = sampled(|t| 3.0 * t);
        let coarse = signals((0..=7).map(|i| f64::from(i) / 7.0).map(|t| (t, 3.0 * t)));
        assert!(compared(&reference, &coarse).largest < 1e-6);
        let nan = sampled(|t| if t > 0.7 { f64::NAN } else { 3.0 * t });
        assert!(compared(&reference, &nan).outside >= 300);
    }
}
