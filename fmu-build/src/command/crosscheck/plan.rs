//! How an FMU is run for its reference: settings, rows, inputs.

use crate::crosscheck::experiment::Experiment;
use crate::crosscheck::signals::{Signal, Signals};
use crate::host::model_description::Variable;
use crate::host::{Fmu, HostError, InputTable, Interface, ModelDescription, Options, Trajectory};
use std::path::Path;

/// Relative tolerance of a reference at most [1].
pub const TOLERANCE: f64 = 1e-10;
/// Rows of a reference at most: well below a megabyte with ten variables.
const MOST_ROWS: usize = 1001;

/// How one interface type is run.
pub struct Plan<'a> {
    /// File of the inputs, for messages.
    file: Option<&'a Path>,
    interface: Interface,
    inputs: Option<&'a InputTable>,
    start: f64,
    /// Stop time [s].
    stop: f64,
    /// Time between two rows of a run, in Co-Simulation the communication step size [s].
    step: f64,
    /// Every how many rows of a run one goes into the files.
    pub thin: usize,
    /// Relative tolerance that the FMU suggests [1].
    pub tolerance: f64,
}

impl Plan<'_> {
    /// By what the FMU suggests, with another stop time if one is given [s]; `inputs` come from
    /// `file`.
    pub fn new<'a>(
        description: &ModelDescription,
        interface: Interface,
        stop: Option<f64>,
        inputs: Option<&'a InputTable>,
        file: Option<&'a Path>,
    ) -> Plan<'a> {
        let suggested = description.experiment;
        let start = suggested.start_time.unwrap_or(0.0);
        let stop = stop.or(suggested.stop_time).unwrap_or(start + 1.0);
        let step = suggested.step_size.unwrap_or((stop - start) / 500.0);
        let steps = ((stop - start) / step).round().max(1.0) as usize;
        let every = row_distance(steps);
        // Model Exchange has no communication points. Importers with CVODE do better with more
        // rows: they allow it 500 steps from one to the next.
        let (step, thin) = match interface {
            Interface::CoSimulation => (step, every),
            Interface::ModelExchange => {
                let parts = ((MOST_ROWS - 1) / steps).max(1);
                (step * every as f64 / parts as f64, 1)
            }
        };
        Plan {
            file,
            interface,
            inputs,
            start,
            stop,
            step,
            thin,
            tolerance: suggested.tolerance.unwrap_or(TOLERANCE),
        }
    }

    /// A run to the stop time that records these variables.
    ///
    /// # Errors
    /// In words: it fails, or ends early.
    pub fn run(
        &self,
        fmu: &Fmu,
        tolerance: f64,
        recorded: Vec<String>,
    ) -> Result<Trajectory, String> {
        let options = Options {
            stop: Some(self.stop),
            step: Some(self.step),
            tolerance: Some(tolerance),
            inputs: self.inputs.cloned(),
            recorded: Some(recorded),
            ..Options::default()
        };
        let run = self.interface.simulate(fmu, &options);
        let run = run.map_err(|error| match (&error, self.file) {
            (HostError::Inputs(reason), Some(table)) => format!("{}: {reason}", table.display()),
            _ => format!("{}: {error}", self.interface.name()),
        })?;
        match run.ended_by_fmu {
            Some(time) => Err(format!("the FMU ended the run at {time} s")),
            None => Ok(run.trajectory),
        }
    }

    /// The settings for others.
    pub fn experiment(&self) -> Experiment {
        Experiment {
            start: self.start,
            stop: self.stop,
            step: match self.interface {
                Interface::CoSimulation => self.step,
                Interface::ModelExchange => 0.0,
            },
            tolerance: self.tolerance,
            absolute_tolerance: None,
            // FMPy reads numbers only.
            solver: None,
            output_interval: Some(self.step * self.thin as f64),
        }
    }
}

/// The inputs of the run, as a file has them and as the host takes them: those of the table, or all
/// with their start values. None where the FMU has no inputs.
///
/// # Errors
/// In words: an input of unknown size.
pub fn inputs(
    description: &ModelDescription,
    table: Option<&InputTable>,
    stop: Option<f64>,
) -> Result<Option<(Signals, InputTable)>, String> {
    let is_input = |v: &&Variable| v.causality == "input";
    let mut signals = Vec::new();
    let (mut names, mut starts, mut given) = (Vec::new(), Vec::new(), Vec::new());
    for variable in description.variables.iter().filter(is_input) {
        let entries = description.entry_names(variable)?;
        let column = |name: &String| table?.names().iter().position(|column| column == name);
        let columns: Vec<Option<usize>> = entries.iter().map(column).collect();
        if table.is_some() && columns.iter().all(Option::is_none) {
            continue;
        }
        signals.push(Signal {
            name: variable.name.clone(),
            size: entries.len(),
        });
        starts.extend(variable.starts(entries.len()));
        names.extend(entries);
        given.extend(columns);
    }
    // A table with a column that is no input: the run says so.
    if let Some(table) = table
        && given.iter().flatten().count() < table.names().len()
    {
        return Ok(Some((
            Signals {
                signals,
                times: Vec::new(),
                values: Vec::new(),
            },
            table.clone(),
        )));
    }
    if signals.is_empty() {
        return Ok(None);
    }
    let (times, values): (Vec<f64>, Vec<f64>) = match table {
        Some(table) => {
            let cell = |row: usize, column: usize| {
                given[column].map_or(starts[column], |place| table.row(row)[place])
            };
            let cells = |row| (0..starts.len()).map(move |column| cell(row, column));
            let values = (0..table.times().len()).flat_map(cells);
            (table.times().to_vec(), values.collect())
        }
        None => {
            let experiment = &description.experiment;
            let start = experiment.start_time.unwrap_or(0.0);
            let stop = stop.or(experiment.stop_time).unwrap_or(start + 1.0);
            (vec![start, stop], [starts.clone(), starts].concat())
        }
    };
    let own = InputTable::new(names, times.clone(), values.clone());
    let signals = Signals {
        signals,
        times,
        values,
    };
    Ok(Some((signals, own)))
}

/// Every how many steps a row is written: the least number with at most [`MOST_ROWS`] rows, a
/// divisor of the steps if there is one near.
fn row_distance(steps: usize) -> usize {
    let least = steps.div_ceil(MOST_ROWS - 1).max(1);
    let mut near = least..=4 * least;
    near.find(|every| steps.is_multiple_of(*every))
        .unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_a_divisor_of_the_steps_and_no_more_than_a_thousand() {
        for (steps, every) in [(1, 1), (500, 1), (1000, 1), (1001, 7), (2500, 4), (8000, 8)] {
            assert_eq!(row_distance(steps), every, "{steps}");
        }
        // A prime has no divisor.
        assert_eq!(row_distance(7919), 8);
        for steps in 1..5000_usize {
            let rows = steps.div_ceil(row_distance(steps)) + 1;
            assert!(rows <= MOST_ROWS, "{steps}");
        }
    }
}
