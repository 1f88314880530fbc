//! Values over time in the CSV files of the cross-check.
//!
//! Appendix B of the rules: names in double quotes, time in the first column. The elements of an array
//! of FMI 3.0 share a cell, separated by spaces, as in FMPy.

use crate::host::model_description::Variable;
use crate::host::{ModelDescription, Trajectory};
use crate::number::exact;

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

    #[test]
    fn names_are_quoted_and_an_array_is_in_one_cell() {
        let named = |name: &str, size| Signal {
            name: name.into(),
            size,
        };
        let signals = Signals {
            signals: vec![named("x", 1), named("m[1,2]", 2)],
            times: vec![0.0, 0.5],
            rows: vec![vec![100.0, 0.0, 1e-30], vec![99.5, 0.0, 0.25]],
        };
        let expected = "\"time\",\"x\",\"m[1,2]\"\n0,100,0 1e-30\n0.5,99.5,0 0.25\n";
        assert_eq!(signals.text(), expected);
    }
}
