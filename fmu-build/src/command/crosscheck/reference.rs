//! Runs of an FMU for its reference, and the variables of the reference.
//!
//! Up to ten variables: the outputs that move, lengths and angles first, then forces, then speeds; within a
//! kind those with the largest range, in the order of modelDescription.xml. If nothing moves, the first
//! lengths and angles.
//!
//! Forces that the rows do not resolve are omitted: rounding decides whether an impact between two rows
//! shows. Torques are omitted: those about the origin of a large body are differences of products with an
//! error of 0.4 % at a tolerance of 1e-8.
//!
//! # CSV files of the cross-check
//!
//! Appendix B of the rules: names in double quotes, time in the first column. The elements of an array of FMI
//! 3.0 share a cell, separated by spaces, as in FMPy.

use fmu_host::model_description::{DefaultExperiment, Variable};
use fmu_host::{Fmu, HostError, InputTable, Interface, ModelDescription, Options, Trajectory};
use fmu_view::number::exact;
use std::path::Path;

/// Upper bound of the relative tolerance of a reference [1].
pub(crate) const TOLERANCE: f64 = 1e-10;
/// Maximum number of rows of a reference: well below a megabyte with ten variables.
const MOST_ROWS: usize = 1001;
/// Maximum number of variables of a reference, as the rules recommend.
const MOST_VARIABLES: usize = 10;
/// Units of each kind, the most important first.
const KINDS: [&[&str]; 3] = [&["m", "rad"], &["N"], &["m/s", "rad/s"]];
/// Kind of forces.
const FORCES: usize = 1;
/// Range of a moving signal, relative to the largest range of its kind.
const MOVES: f64 = 1e-3;
/// Range of a signal at rest, relative to its largest magnitude, or to one unit: the solver's tolerance of a
/// constant.
const AT_REST: f64 = 1e-5;
/// Overshoot of a row beyond the range of its neighbours, relative to the range of the signal, that is
/// resolved.
const RESOLVED: f64 = 0.1;

pub(crate) struct Source<'a> {
    pub fmu: &'a Fmu,
    /// Inputs over time; `None` for start values.
    pub inputs: Option<&'a InputTable>,
    /// File of the inputs, for messages.
    pub file: Option<&'a Path>,
}

/// Settings of a run by one interface type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub interface: Interface,
    pub(crate) start: f64,
    pub stop: f64,
    /// Time between two rows of a run, in Co-Simulation the communication step size [s].
    pub(crate) step: f64,
    pub thin: usize,
    /// Relative tolerance suggested by the FMU [1].
    pub tolerance: f64,
}

/// Start and stop time suggested by an FMU, with another stop time if given [s].
fn span(suggested: &DefaultExperiment, stop: Option<f64>) -> [f64; 2] {
    let start = suggested.start_time.unwrap_or(0.0);
    [start, stop.or(suggested.stop_time).unwrap_or(start + 1.0)]
}

impl Plan {
    /// Settings suggested by the FMU, with another stop time if given [s].
    pub(crate) fn new(
        suggested: &DefaultExperiment,
        interface: Interface,
        stop: Option<f64>,
    ) -> Plan {
        let [start, stop] = span(suggested, stop);
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
            interface,
            start,
            stop,
            step,
            thin,
            tolerance: suggested.tolerance.unwrap_or(TOLERANCE),
        }
    }

    /// Runs to the stop time and records these variables.
    ///
    /// # Errors
    /// Text: a failed run, or an early end.
    pub(crate) fn run(
        &self,
        source: &Source,
        tolerance: f64,
        recorded: Vec<String>,
    ) -> Result<Trajectory, String> {
        let options = Options {
            stop: Some(self.stop),
            step: Some(self.step),
            tolerance: Some(tolerance),
            inputs: source.inputs.cloned(),
            recorded: Some(recorded),
            ..Options::default()
        };
        let run = self.interface.simulate(source.fmu, &options);
        let run = run.map_err(|error| match (&error, source.file) {
            (HostError::Inputs(reason), Some(table)) => format!("{}: {reason}", table.display()),
            _ => format!("{}: {error}", self.interface.name()),
        })?;
        match run.ended_by_fmu {
            Some(time) => Err(format!("the FMU ended the run at {time} s")),
            None => Ok(run.trajectory),
        }
    }

    pub(crate) fn interval(&self) -> f64 {
        self.step * self.thin as f64
    }

    /// Content of `_ref.opt`, section 9.1.4 of the rules.
    pub(crate) fn options(&self) -> String {
        let step = match self.interface {
            Interface::CoSimulation => self.step,
            Interface::ModelExchange => 0.0,
        };
        // No SolverType: FMPy reads numbers only.
        [
            ("StartTime", self.start),
            ("StopTime", self.stop),
            ("StepSize", step),
            ("RelTol", self.tolerance),
            ("OutputIntervalLength", self.interval()),
        ]
        .map(|(name, value)| format!("{name}, {}\n", exact(value)))
        .concat()
    }
}

pub(crate) struct Inputs {
    pub(crate) signals: Signals,
    pub table: InputTable,
}

/// Inputs of the run: those of the table, or all with their start values. `None` for an FMU without inputs.
///
/// # Errors
/// Text: an input of unknown size.
pub(crate) fn inputs(
    description: &ModelDescription,
    table: Option<&InputTable>,
    stop: Option<f64>,
) -> Result<Option<Inputs>, String> {
    let is_input = |v: &&Variable| v.causality == "input";
    let (mut signals, mut names) = (Vec::new(), Vec::new());
    let (mut starts, mut given) = (Vec::new(), Vec::new());
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
    let (times, rows): (Vec<f64>, Vec<Vec<f64>>) = match table {
        // A column that is no input: the run says so.
        Some(table) if given.iter().flatten().count() < table.names().len() => {
            let signals = Signals {
                signals,
                times: Vec::new(),
                rows: Vec::new(),
            };
            let table = table.clone();
            return Ok(Some(Inputs { signals, table }));
        }
        _ if signals.is_empty() => return Ok(None),
        Some(table) => {
            let cells = given.iter().zip(&starts);
            let row = |index: usize| {
                let value = |(place, start): (&Option<usize>, &f64)| {
                    place.map_or(*start, |place| table.row(index)[place])
                };
                cells.clone().map(value).collect()
            };
            let times = table.times().to_vec();
            (times, (0..table.times().len()).map(row).collect())
        }
        None => {
            let times = span(&description.experiment, stop);
            (times.to_vec(), vec![starts; 2])
        }
    };
    let table = InputTable::new(names, times.clone(), rows.concat());
    let signals = Signals {
        signals,
        times,
        rows,
    };
    Ok(Some(Inputs { signals, table }))
}

/// Steps per row: the smallest number that gives up to [`MOST_ROWS`] rows, a divisor of the steps if there is
/// one near.
fn row_distance(steps: usize) -> usize {
    let least = steps.div_ceil(MOST_ROWS - 1).max(1);
    let mut near = least..=4 * least;
    near.find(|every| steps.is_multiple_of(*every))
        .unwrap_or(least)
}

struct Candidate<'a> {
    place: usize,
    variable: &'a Variable,
    kind: usize,
    range: f64,
    is_at_rest: bool,
    is_resolved: bool,
}

/// Selects variables for the reference, from a run that has recorded all outputs.
///
/// # Errors
/// Text: no output to select.
pub(crate) fn choose<'a>(
    description: &'a ModelDescription,
    run: &Trajectory,
) -> Result<Vec<&'a Variable>, String> {
    let mut candidates = Vec::new();
    for (place, variable) in description.variables.iter().enumerate() {
        let unit = variable.unit.as_deref().unwrap_or("");
        let kind = KINDS.iter().position(|units| units.contains(&unit));
        let (true, Some(kind)) = (variable.causality == "output", kind) else {
            continue;
        };
        let entries = description.entry_names(variable)?;
        let columns = entries.iter().filter_map(|name| run.index_of(name));
        let columns: Vec<Vec<f64>> = columns.map(|c| run.column(c).collect()).collect();
        candidates.push(Candidate {
            place,
            variable,
            kind,
            range: columns.iter().map(|c| range(c)).fold(0.0, f64::max),
            is_at_rest: columns.iter().all(|column| is_at_rest(column)),
            is_resolved: columns.iter().all(|column| is_resolved(column)),
        });
    }
    let largest: [f64; KINDS.len()] = std::array::from_fn(|kind| {
        let of_kind = candidates.iter().filter(|c| c.kind == kind);
        of_kind.map(|c| c.range).fold(0.0, f64::max)
    });
    let moves = |c: &Candidate| {
        let is_moving = !c.is_at_rest && c.range > MOVES * largest[c.kind];
        is_moving && (c.is_resolved || c.kind != FORCES)
    };
    match candidates.iter().any(moves) {
        true => candidates.retain(moves),
        false => candidates.retain(|c| c.kind == 0),
    }
    candidates.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.range.total_cmp(&a.range)));
    candidates.truncate(MOST_VARIABLES);
    candidates.sort_by_key(|candidate| candidate.place);
    match candidates.is_empty() {
        true => Err(
            "no output moves, and none is a length or an angle; name variables with --output"
                .into(),
        ),
        false => Ok(candidates.iter().map(|c| c.variable).collect()),
    }
}

/// Variables with these names.
///
/// # Errors
/// Text: a name is no variable of the FMU, or is not numeric; too many names.
pub(crate) fn by_name<'a>(
    description: &'a ModelDescription,
    named: &[String],
) -> Result<Vec<&'a Variable>, String> {
    if named.len() > MOST_VARIABLES {
        return Err(format!(
            "--output names {} variables; a reference has {MOST_VARIABLES} at most",
            named.len()
        ));
    }
    let find = |name: &String| {
        let variables = || description.variables.iter();
        match variables().find(|variable| variable.name == *name) {
            Some(variable) if variable.data_type.is_numeric() => Ok(variable),
            Some(_) => Err(format!("--output {name}: is no number")),
            None => {
                let near = |v: &&Variable| strsim::jaro_winkler(name, &v.name);
                let nearest = variables().max_by(|a, b| near(a).total_cmp(&near(b)));
                Err(format!(
                    "--output {name}: there is no such variable; the nearest name is {:?}",
                    nearest.map_or("", |v| v.name.as_str())
                ))
            }
        }
    };
    named.iter().map(find).collect()
}

fn range(values: &[f64]) -> f64 {
    let [low, high] = extremes(values.iter());
    high - low
}

fn is_at_rest(values: &[f64]) -> bool {
    let size = values
        .iter()
        .fold(1.0, |size: f64, value| size.max(value.abs()));
    range(values) <= AT_REST * size
}

/// Returns true if each row lies within the range of its two remaining neighbours when every second row is
/// removed.
fn is_resolved(values: &[f64]) -> bool {
    let margin = RESOLVED * range(values);
    let around = |row: usize| {
        let rows = [row.wrapping_sub(3), row - 1, row + 1, row + 3];
        let [low, high] = extremes(rows.iter().filter_map(|row| values.get(*row)));
        low - margin..=high + margin
    };
    let last = values.len().saturating_sub(1);
    (1..last).all(|row| around(row).contains(&values[row]))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signal {
    pub(crate) name: String,
    /// Number of values in a cell, 1 for a scalar.
    pub size: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Signals {
    pub(crate) signals: Vec<Signal>,
    /// Times of the rows in ascending order; a jump has its time twice [s].
    pub times: Vec<f64>,
    pub rows: Vec<Vec<f64>>,
}

impl Signals {
    /// Variables of a run, at every `every`-th row and the last one.
    ///
    /// # Errors
    /// Text: a variable that the run has not recorded.
    pub(crate) fn of_run(
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

    pub(crate) fn text(&self) -> String {
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

pub(crate) fn extremes<'a>(values: impl Iterator<Item = &'a f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(*value), high.max(*value)]
    })
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

    #[test]
    fn a_peak_in_one_row_is_not_resolved_and_a_slow_one_is() {
        let wave: Vec<f64> = (0..100).map(|i| (f64::from(i) * 0.1).sin()).collect();
        assert!(is_resolved(&wave));
        for row in [40, 41] {
            let mut peak = vec![0.0; 100];
            peak[row] = 1.0;
            assert!(!is_resolved(&peak), "{row}");
        }
        let step: Vec<f64> = (0..100).map(|i| f64::from(u8::from(i > 50))).collect();
        assert!(is_resolved(&step));
    }
}

#[cfg(test)]
mod signals_tests {
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
