//! Values over time in the CSV files of the cross-check, and how far they are from a reference.
//!
//! Appendix B of the rules: names in double quotes, time in the first column. The elements of an array
//! of FMI 3.0 share a cell, separated by spaces, as in FMPy.
//!
//! The tube: the reference y_ref is taken linearly between its rows. A value y at the time t of one of
//! them is inside where
//!
//! ```text
//!   min y_ref(s) - h <= y <= max y_ref(s) + h     over s in [t - d, t + d]
//! ```
//!
//! d is 0.2 % of the duration and h 0.2 % of the range of the signal, as in csv-compare of the Modelica
//! Association. `_crosscheck.py` of the Python package, which judges the FMUs of others, has the same
//! tube and the reasons for its numbers.

use crate::host::model_description::Variable;
use crate::host::{ModelDescription, Trajectory};
use crate::number::exact;

/// Half width of the tube along time, relative to the duration.
pub const WIDTH: f64 = 2e-3;
/// Half height of the tube, relative to the range of the signal; to its size if it is constant.
pub const HEIGHT: f64 = 2e-3;
/// Half height at least, relative to the largest size of the signal: what a solver leaves of one that
/// hardly moves.
const LEAST_RELATIVE: f64 = 1e-5;
/// Half height at least, in the unit of the signal: a zero that is rounded stays inside.
const LEAST: f64 = 1e-9;

/// A variable of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Name as in modelDescription.xml.
    pub name: String,
    /// Number of values in a cell, 1 for a scalar.
    pub size: usize,
}

/// Values of variables over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Signals {
    /// The variables.
    pub signals: Vec<Signal>,
    /// Times of the rows, never falling; a jump has its time twice [s].
    pub times: Vec<f64>,
    /// All values of each variable, row by row.
    pub rows: Vec<Vec<f64>>,
}

impl Signals {
    /// These variables of a run, at every `every`-th row and the last one.
    ///
    /// # Errors
    /// In words: the run has not recorded one of them.
    pub fn of_run(
        description: &ModelDescription,
        variables: &[&Variable],
        run: &Trajectory,
        every: usize,
    ) -> Result<Signals, String> {
        let (mut signals, mut columns) = (Vec::new(), Vec::new());
        for variable in variables {
            let entries = description.entry_names(variable)?;
            signals.push(Signal {
                name: variable.name.clone(),
                size: entries.len(),
            });
            for entry in entries {
                let column = run.index_of(&entry);
                columns.push(column.ok_or_else(|| format!("{entry} was not recorded"))?);
            }
        }
        let last = run.times().len().saturating_sub(1);
        let kept = (0..run.times().len()).filter(|row| row % every == 0 || *row == last);
        let row = |index: usize| columns.iter().map(|c| run.row(index)[*c]).collect();
        let (times, rows) = kept.map(|i| (run.times()[i], row(i))).unzip();
        Ok(Signals {
            signals,
            times,
            rows,
        })
    }

    /// The content of a file.
    pub fn text(&self) -> String {
        let quoted = |signal: &Signal| format!(",\"{}\"", signal.name.replace('"', "\"\""));
        let names: String = self.signals.iter().map(quoted).collect();
        let mut text = format!("\"time\"{names}\n");
        for (time, row) in self.times.iter().zip(&self.rows) {
            text += &exact(*time);
            let mut values = row.iter().map(|value| exact(*value));
            for signal in &self.signals {
                let cell: Vec<String> = values.by_ref().take(signal.size).collect();
                text += &format!(",{}", cell.join(" "));
            }
            text.push('\n');
        }
        text
    }

    /// A column, by its place in a row.
    fn curve(&self, column: usize) -> Curve<'_> {
        Curve {
            times: &self.times,
            values: self.rows.iter().map(|row| row[column]).collect(),
        }
    }
}

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
}

/// The deviation of each signal from the reference, which has the same signals in the same order.
pub fn compare(reference: &Signals, found: &Signals) -> Vec<Deviation> {
    let name = |signal: &Signal, element: usize| match signal.size {
        1 => signal.name.clone(),
        _ => format!("{}, element {element}", signal.name),
    };
    let signals = reference.signals.iter();
    let names = signals.flat_map(|signal| (1..=signal.size).map(move |i| name(signal, i)));
    names
        .enumerate()
        .map(|(i, name)| deviation(name, &reference.curve(i), &found.curve(i)))
        .collect()
}

fn deviation(name: String, reference: &Curve, found: &Curve) -> Deviation {
    let times = reference.times;
    let first = times.first().copied().unwrap_or(0.0);
    let half_width = WIDTH * (times.last().unwrap_or(&first) - first);
    let [low, high] = extremes(reference.values.iter());
    let size = low.abs().max(high.abs());
    let range = if high > low { high - low } else { size };
    let half_height = (HEIGHT * range).max(LEAST_RELATIVE * size).max(LEAST);
    let mut deviation = Deviation {
        name,
        largest: 0.0,
        time: first,
    };
    for time in times {
        let [low, high] = reference.around(*time, half_width);
        let distance = |value: f64| match value.is_nan() {
            true => f64::INFINITY,
            false => (low - value).max(value - high).max(0.0),
        };
        // At a jump the side that is nearer.
        let [before, after] = found.sides(*time).map(distance);
        let relative = before.min(after) / half_height;
        if relative > deviation.largest {
            deviation.largest = relative;
            deviation.time = *time;
        }
    }
    deviation
}

/// One value over time.
struct Curve<'a> {
    times: &'a [f64],
    values: Vec<f64>,
}

impl Curve<'_> {
    /// Smallest and largest value within `half_width` of a time [s].
    fn around(&self, time: f64, half_width: f64) -> [f64; 2] {
        let [from, to] = [time - half_width, time + half_width];
        let first = self.times.partition_point(|t| *t < from);
        let last = self.times.partition_point(|t| *t <= to);
        let ends = [self.sides(from), self.sides(to)];
        extremes(ends.iter().flatten().chain(&self.values[first..last]))
    }

    /// Value before and after a time [s], different at a jump only; outside of the rows the one of the
    /// nearest row.
    fn sides(&self, time: f64) -> [f64; 2] {
        let (times, values) = (self.times, &self.values);
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
}

/// Smallest and largest value.
pub fn extremes<'a>(values: impl Iterator<Item = &'a f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(*value), high.max(*value)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(x: impl Fn(f64) -> f64) -> Signals {
        let times: Vec<f64> = (0..=1000).map(|i| f64::from(i) * 1e-3).collect();
        let named = |name: &str, size| Signal {
            name: name.into(),
            size,
        };
        Signals {
            signals: vec![named("x", 1), named("m[1,2]", 2)],
            rows: times.iter().map(|t| vec![x(*t), 0.0, *t]).collect(),
            times,
        }
    }

    #[test]
    fn names_are_quoted_and_an_array_is_in_one_cell() {
        let text = signals(|t| 100.0 - t).text();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("\"time\",\"x\",\"m[1,2]\""));
        assert_eq!(lines.next(), Some("0,100,0 0"));
        assert_eq!(lines.last(), Some("1,99,0 1"));
    }

    /// The Python package tests the tube in full.
    #[test]
    fn the_tube_is_0_2_percent_high_and_wide_and_no_number_is_outside() {
        let wave = |t: f64| 100.0 + 5.0 * (std::f64::consts::TAU * t).sin();
        let reference = signals(wave);
        let off = |x: &dyn Fn(f64) -> f64| compare(&reference, &signals(x)).swap_remove(0);
        // Where the slope is zero: elsewhere the width along time helps.
        let deviation = off(&|t| wave(t) + 0.03);
        assert!((deviation.largest - 1.5).abs() < 0.01, "{deviation:?}");
        assert!((deviation.time - 0.25).abs() < 0.01, "{deviation:?}");
        assert!(off(&|t| wave((t - 0.0019).max(0.0))).largest < 0.01);
        assert!(off(&|t| if t > 0.7 { f64::NAN } else { wave(t) }).largest > 1e9);
    }
}
