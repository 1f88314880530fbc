//! Input variables over time, from a table of the user.
//!
//! Values are interpolated linearly between rows; two rows with one time are a jump. Each column is an input
//! variable, or an entry of one that is an array. Entries without a column keep their start values.
#![allow(unsafe_code)]

use super::c_api::Access;
use super::error::HostError;
use super::instance::LiveInstance;
use super::library::Library;
use super::model_description::{DataType, ModelDescription, Variable};
use super::trajectory::Experiment;
use std::fs;
use std::path::Path;

/// Name of the first column of a table.
const TIME: &str = "time";

/// Input values at given times.
#[derive(Clone, Debug, PartialEq)]
pub struct InputTable {
    names: Vec<String>,
    /// Times in ascending order; a jump has its time twice [s].
    times: Vec<f64>,
    /// Row by row.
    values: Vec<f64>,
}

impl InputTable {
    /// Reads a table from CSV: a header whose first word is `time` [s] and whose others are names of inputs,
    /// then rows of numbers in SI units in ascending time.
    ///
    /// # Errors
    /// Text with the line.
    pub fn from_csv(text: &[u8]) -> Result<InputTable, String> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(text);
        let header = reader.headers().map_err(|e| words(&e))?.clone();
        let first = header.get(0).unwrap_or("");
        if first != TIME {
            let advice = match first.starts_with(TIME) && first.contains([';', '\t']) {
                true => "; columns are separated by commas, decimals by a point",
                false => "",
            };
            return Err(format!(
                "line 1: the first column is {first:?}; it must be \"{TIME}\"{advice}"
            ));
        }
        if let Some(half) = header
            .iter()
            .find(|name| name.contains('[') && !name.contains(']'))
        {
            return Err(format!(
                "line 1: column {half:?} is half a name; put a name with a comma into quotes, as in \
                 \"hammer.rotation[1,1]\""
            ));
        }
        let names: Vec<String> = header.iter().skip(1).map(str::to_owned).collect();
        if names.is_empty() {
            return Err("line 1: there is no column of an input".into());
        }
        if let Some(i) = (1..names.len()).find(|i| names[..*i].contains(&names[*i])) {
            return Err(format!("line 1: column {:?} is there twice", names[i]));
        }
        let mut table = InputTable {
            names,
            times: Vec::new(),
            values: Vec::new(),
        };
        for record in reader.records() {
            let record = record.map_err(|e| words(&e))?;
            let line = record.position().map_or(0, csv::Position::line);
            for (field, name) in record.iter().zip(&header) {
                let value: Option<f64> = field.parse().ok();
                let Some(value) = value.filter(|v| v.is_finite()) else {
                    return Err(format!(
                        "line {line}: {name} is {field:?}; it must be a finite number"
                    ));
                };
                if name != TIME {
                    table.values.push(value);
                    continue;
                }
                if let Some(last) = table.times.last().filter(|last| value < **last) {
                    return Err(format!(
                        "line {line}: time is {value:?} s after {last:?} s; times must not fall"
                    ));
                }
                table.times.push(value);
            }
        }
        match table.times.is_empty() {
            true => Err("there is no row of values below the header".into()),
            false => Ok(table),
        }
    }

    /// Reads a file, see [`Self::from_csv`].
    ///
    /// # Errors
    /// Text with the file.
    pub fn from_file(file: &Path) -> Result<InputTable, String> {
        let text = fs::read(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        InputTable::from_csv(&text).map_err(|reason| format!("{}: {reason}", file.display()))
    }

    /// Table with these columns; `times` [s] in ascending order, `values` row by row.
    pub fn new(names: Vec<String>, times: Vec<f64>, values: Vec<f64>) -> InputTable {
        debug_assert!(!times.is_empty() && times.is_sorted());
        debug_assert_eq!(values.len(), times.len() * names.len());
        InputTable {
            names,
            times,
            values,
        }
    }

    /// The table with these columns as steps: a value is held until the next row.
    fn with_steps(&self, is_step: &[bool]) -> InputTable {
        let mut table = InputTable::new(
            self.names.clone(),
            vec![self.times[0]],
            self.row(0).to_vec(),
        );
        for (index, time) in self.times.iter().enumerate().skip(1) {
            let (held, row) = (self.row(index - 1), self.row(index));
            let before = is_step.iter().zip(held.iter().zip(row));
            let before = before.map(|(is_step, (held, own))| if *is_step { *held } else { *own });
            let before: Vec<f64> = before.collect();
            if before != row {
                table.times.push(*time);
                table.values.extend(before);
            }
            table.times.push(*time);
            table.values.extend(row);
        }
        table
    }

    /// Names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Times of the rows in ascending order [s].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Values of a row, one for each column.
    pub fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.names.len()..][..self.names.len()]
    }

    /// Checks that the table covers the time of a run [s].
    fn check_times(&self, start: f64, stop: f64) -> Result<(), String> {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        if first <= start && stop <= last {
            return Ok(());
        }
        Err(format!(
            "the table of inputs goes from {first:?} s to {last:?} s, the simulation from {start:?} s \
             to {stop:?} s; add rows, the last one with the stop time"
        ))
    }

    /// Value of a column at a time in the range of the table [s]; at a jump on this side.
    fn at(&self, column: usize, time: f64, side: Side) -> f64 {
        let value = |row: usize| self.values[row * self.names.len() + column];
        let after = match side {
            Side::Before => self.times.partition_point(|t| *t < time),
            Side::After => self.times.partition_point(|t| *t <= time),
        };
        let exact = match side {
            Side::Before => Some(after),
            Side::After => after.checked_sub(1),
        };
        match exact.filter(|row| self.times.get(*row) == Some(&time)) {
            Some(row) => return value(row),
            None if after == 0 => return value(0),
            None if after == self.times.len() => return value(after - 1),
            None => {}
        }
        let before = after - 1;
        let part = (time - self.times[before]) / (self.times[after] - self.times[before]);
        value(before) + part * (value(after) - value(before))
    }

    fn jumps_at(&self, time: f64) -> bool {
        let first = self.times.partition_point(|t| *t < time);
        self.times.get(first + 1) == Some(&time)
    }

    fn next_row(&self, time: f64) -> Option<f64> {
        let after = self.times.partition_point(|t| *t <= time);
        self.times.get(after).copied()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Left limit: end of a step.
    Before,
    /// Right limit: start of a step.
    After,
}

/// Sets the inputs of an instance, if any, from a table or to values that are held.
pub(super) struct Writer {
    target: Option<Target>,
}

struct Target {
    /// The table, and the column of each value; `None` for a constant start value.
    table: Option<(InputTable, Vec<Option<usize>>)>,
    setter: Access<*const f64>,
    references: Vec<u32>,
    starts: Vec<f64>,
    values: Vec<f64>,
    /// Without a table: the FMU has yet to get the values.
    is_new: bool,
}

impl Writer {
    /// Writer of the columns of `table` for the times of a run.
    ///
    /// # Errors
    /// A column that is no input of the FMU; a table that is too short; a setter that the library lacks.
    pub(crate) fn new(
        library: &Library,
        description: &ModelDescription,
        table: Option<&InputTable>,
        experiment: &Experiment,
    ) -> Result<Writer, HostError> {
        let Some(table) = table else {
            return Ok(Writer { target: None });
        };
        table
            .check_times(experiment.start, experiment.stop)
            .map_err(HostError::Inputs)?;
        let mut known = Vec::new();
        let mut used = vec![false; table.names.len()];
        let mut is_step = used.clone();
        let (mut references, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for variable in description.variables.iter().filter(|v| is_settable(v)) {
            let names = description.entry_names(variable).map_err(HostError::Run)?;
            let own: Vec<Option<usize>> = names
                .iter()
                .map(|name| table.names.iter().position(|column| column == name))
                .collect();
            let size = names.len();
            known.extend(names);
            if own.iter().all(Option::is_none) {
                continue;
            }
            let is_discrete = variable.variability == "discrete";
            for column in own.iter().flatten() {
                used[*column] = true;
                is_step[*column] = is_discrete;
            }
            references.push(variable.reference);
            columns.extend(own);
            values.extend(variable.starts(size));
        }
        if let Some(column) = used.iter().position(|is_used| !is_used) {
            let column = &table.names[column];
            let other = description.variables.iter().find(|variable| {
                let array = column.split_once('[').map(|(name, _)| name);
                variable.name == *column || array == Some(variable.name.as_str())
            });
            let reason = match other.filter(|variable| !is_settable(variable)) {
                Some(variable) => other_kind(column, variable),
                None => unknown(column, &known),
            };
            return Err(HostError::Inputs(reason));
        }
        let table = Some((table.with_steps(&is_step), columns));
        Writer::with(library, table, references, values)
    }

    /// Writer of values for these variables, which are held until they change.
    ///
    /// # Errors
    /// A variable that is no input of 64-bit numbers; a setter that the library lacks.
    pub(crate) fn held(
        library: &Library,
        description: &ModelDescription,
        variables: &[&Variable],
    ) -> Result<Writer, HostError> {
        let (mut references, mut values) = (Vec::new(), Vec::new());
        for variable in variables {
            if !is_settable(variable) {
                return Err(HostError::Inputs(other_kind(&variable.name, variable)));
            }
            let size = description.size(variable).map_err(HostError::Run)?;
            references.push(variable.reference);
            values.extend(variable.starts(size));
        }
        Writer::with(library, None, references, values)
    }

    fn with(
        library: &Library,
        table: Option<(InputTable, Vec<Option<usize>>)>,
        references: Vec<u32>,
        values: Vec<f64>,
    ) -> Result<Writer, HostError> {
        if references.is_empty() {
            return Ok(Writer { target: None });
        }
        let target = Target {
            table,
            // SAFETY: the setters of 64-bit numbers; a writer is used with an instance, which keeps its
            // library open.
            setter: unsafe { library.access(SETTERS)? },
            references,
            starts: values.clone(),
            values,
            is_new: false,
        };
        Ok(Writer {
            target: Some(target),
        })
    }

    /// Values that are held.
    pub(crate) fn values(&self) -> &[f64] {
        self.target.as_ref().map_or(&[], |target| &target.values)
    }

    /// Holds other values, which [`Self::write`] sets if they differ. Returns whether they do.
    pub(crate) fn hold(&mut self, values: &[f64]) -> bool {
        let Some(target) = &mut self.target else {
            return false;
        };
        target.is_new |= target.values != values;
        target.values.copy_from_slice(values);
        target.is_new
    }

    /// Holds what the FMU has itself: start values, or these of a state that was saved.
    pub(crate) fn agree(&mut self, values: Option<&[f64]>) {
        if let Some(target) = &mut self.target {
            target
                .values
                .copy_from_slice(values.unwrap_or(&target.starts));
            target.is_new = false;
        }
    }

    /// Sets the inputs to their values at `time` [s], at a jump on this side.
    ///
    /// # Errors
    /// A refusal of the FMU.
    pub(crate) fn write(
        &mut self,
        instance: &LiveInstance,
        time: f64,
        side: Side,
    ) -> Result<(), HostError> {
        let Some(target) = &mut self.target else {
            return Ok(());
        };
        if let Some((table, columns)) = &target.table {
            for (value, column) in target.values.iter_mut().zip(columns) {
                if let Some(column) = column {
                    *value = table.at(*column, time, side);
                }
            }
        } else if !std::mem::take(&mut target.is_new) {
            return Ok(());
        }
        // SAFETY: the setter is one of the library; there is a value for each entry.
        unsafe { instance.set(&target.setter, &target.references, &target.values) }
    }

    pub(crate) fn jumps_at(&self, time: f64) -> bool {
        self.table().is_some_and(|table| table.jumps_at(time))
    }

    /// Next kink of the inputs after `time` [s].
    pub(crate) fn next_kink(&self, time: f64) -> Option<f64> {
        self.table()?.next_row(time)
    }

    fn table(&self) -> Option<&InputTable> {
        self.target.as_ref()?.table.as_ref().map(|(table, _)| table)
    }
}

/// The function that sets numbers of 64 bits.
pub(super) const SETTERS: [&str; 2] = ["fmi2SetReal", "fmi3SetFloat64"];

pub(super) fn is_settable(variable: &Variable) -> bool {
    variable.causality == "input" && variable.data_type == DataType::Float64
}

/// Error of the CSV reader, with the line as counted by an editor.
fn words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => format!(
            "line {}: there are {len} values; the header has {expected_len} columns",
            pos.as_ref().map_or(0, csv::Position::line)
        ),
        _ => error.to_string(),
    }
}

fn other_kind(column: &str, variable: &Variable) -> String {
    let advice = match variable.causality.as_str() {
        "parameter" | "structuralParameter" => {
            "; it has one value for the entire run: set it with --set"
        }
        "input" => "; only inputs of type Float64 can be set",
        _ => "; the FMU computes it",
    };
    format!(
        "column {column:?} is no input to set: its causality is {:?}{advice}",
        variable.causality
    )
}

fn unknown(column: &str, known: &[String]) -> String {
    if known.is_empty() {
        return format!("column {column:?} of the inputs: this FMU has no input of type Float64");
    }
    let near = |name: &&String| strsim::jaro_winkler(column, name);
    let nearest = known.iter().max_by(|a, b| near(a).total_cmp(&near(b)));
    let nearest = nearest.map_or("", String::as_str);
    format!(
        "column {column:?} is no input of this FMU; the nearest of its {} inputs is {nearest:?}",
        known.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_on_straight_lines_between_the_rows() {
        let table = InputTable::from_csv(b"time,a,b\n0,1,10\n2, 5, 20\n3,5,-20\n").unwrap();
        for (time, a, b) in [
            (0.0, 1.0, 10.0),
            (0.5, 2.0, 12.5),
            (2.0, 5.0, 20.0),
            (2.25, 5.0, 10.0),
            (3.0, 5.0, -20.0),
        ] {
            for side in [Side::Before, Side::After] {
                let found = (table.at(0, time, side), table.at(1, time, side));
                assert_eq!(found, (a, b), "{time}");
            }
            assert!(!table.jumps_at(time));
        }
        assert_eq!(table.next_row(0.0), Some(2.0));
        assert_eq!(table.next_row(2.5), Some(3.0));
        assert_eq!(table.next_row(3.0), None);
    }

    #[test]
    fn two_rows_of_one_time_are_a_jump_with_a_value_on_each_side() {
        let table = InputTable::from_csv(b"time,a\n0,1\n1,3\n1,-4\n2,-4\n2,0\n").unwrap();
        for (time, before, after) in [
            (0.0, 1.0, 1.0),
            (0.5, 2.0, 2.0),
            (1.0, 3.0, -4.0),
            (1.5, -4.0, -4.0),
            (2.0, -4.0, 0.0),
        ] {
            let found = [Side::Before, Side::After].map(|side| table.at(0, time, side));
            assert_eq!(found, [before, after], "{time}");
            assert_eq!(table.jumps_at(time), before != after, "{time}");
        }
        assert_eq!(table.next_row(1.0), Some(2.0));
    }

    #[test]
    fn what_is_wrong_with_a_table_is_told_with_its_line() {
        for (text, reason) in [
            (
                "t,a\n0,1\n",
                "line 1: the first column is \"t\"; it must be \"time\"",
            ),
            (
                "time;a\n0;1\n",
                "line 1: the first column is \"time;a\"; it must be \"time\"; columns are separated by commas, \
                 decimals by a point",
            ),
            (
                "time,m[1,1],m[1,2]\n0,1,2\n",
                "line 1: column \"m[1\" is half a name; put a name with a comma into quotes, as in \
                 \"hammer.rotation[1,1]\"",
            ),
            (
                "time,a\n0,1\n1\n",
                "line 3: there are 1 values; the header has 2 columns",
            ),
            (
                "time,a\n0,1,2\n",
                "line 2: there are 3 values; the header has 2 columns",
            ),
            ("time\n0\n", "line 1: there is no column of an input"),
            ("time,a,a\n0,1,1\n", "line 1: column \"a\" is there twice"),
            ("time,a\n", "there is no row of values below the header"),
            (
                "time,a\n0,1\n1,x\n",
                "line 3: a is \"x\"; it must be a finite number",
            ),
            (
                "time,a\n0,inf\n",
                "line 2: a is \"inf\"; it must be a finite number",
            ),
            (
                "time,a\n1,1\n0,2\n",
                "line 3: time is 0.0 s after 1.0 s; times must not fall",
            ),
        ] {
            assert_eq!(InputTable::from_csv(text.as_bytes()).unwrap_err(), reason);
        }
        let short = InputTable::from_csv(b"time,a\n0,1\n").unwrap();
        assert!(
            short
                .check_times(0.0, 1.0)
                .unwrap_err()
                .contains("add rows")
        );
    }

    #[test]
    fn a_column_that_is_a_parameter_or_an_output_is_told_so() {
        let document = "<fmiModelDescription fmiVersion='3.0' modelName='m' instantiationToken='t'>\
            <ModelVariables><Float64 name='p' valueReference='1' causality='parameter' start='0'/>\
            <Float64 name='o' valueReference='2' causality='output'/></ModelVariables>\
            <ModelStructure/></fmiModelDescription>";
        let description = ModelDescription::parse(document).unwrap();
        for (variable, part) in description
            .variables
            .iter()
            .zip(["one value", "computes it"])
        {
            let text = other_kind(&variable.name, variable);
            assert!(
                text.contains(&variable.causality) && text.contains(part),
                "{text}"
            );
        }
    }

    #[test]
    fn discrete_inputs_hold_their_value_until_the_next_row() {
        let table =
            InputTable::from_csv(b"time,force,command\n0,1,0\n1,3,1\n2,3,1\n3,5,0\n").unwrap();
        let table = table.with_steps(&[false, true]);
        for (time, force, [before, after]) in [
            (0.5, 2.0, [0.0, 0.0]),
            (1.0, 3.0, [0.0, 1.0]),
            (1.5, 3.0, [1.0, 1.0]),
            (2.0, 3.0, [1.0, 1.0]),
            (2.5, 4.0, [1.0, 1.0]),
            (3.0, 5.0, [1.0, 0.0]),
        ] {
            assert_eq!(table.at(0, time, Side::Before), force);
            assert_eq!(table.at(0, time, Side::After), force);
            assert_eq!(table.at(1, time, Side::Before), before, "{time}");
            assert_eq!(table.at(1, time, Side::After), after, "{time}");
            assert_eq!(table.jumps_at(time), before != after, "{time}");
        }
    }

    #[test]
    fn an_unknown_column_is_answered_with_the_nearest_input() {
        let known = ["hammer.position[1]".to_owned(), "push.force[1]".to_owned()];
        let text = unknown("hamer.position[1]", &known);
        assert!(text.ends_with("is \"hammer.position[1]\""), "{text}");
    }
}
