//! Values over time in CSV files, by appendix B of the rules: names in double quotes in the first
//! line, time in the first column and never falling, numbers as in C, Booleans 0 and 1. The
//! elements of an array of FMI 3.0 share a cell and are separated by spaces, as in FMPy.

use super::problem::Found;
use crate::host::model_description::Variable;
use crate::host::{ModelDescription, Trajectory};
use crate::number::{counted, exact};
use csv::{QuoteStyle, ReaderBuilder, WriterBuilder};

/// Bytes that a file has at most. FMPy's checks count 1e6 for the megabyte of the rules.
pub const MOST_BYTES: usize = 1_000_000;
/// Name of the first column.
pub const TIME: &str = "time";

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
    /// Row by row, all values of each variable.
    pub values: Vec<f64>,
}

impl Signals {
    /// These variables of a run.
    ///
    /// # Errors
    /// In words: the run has not recorded one of them.
    pub fn of_run(
        description: &ModelDescription,
        variables: &[&Variable],
        trajectory: &Trajectory,
    ) -> Result<Signals, String> {
        let (mut signals, mut columns) = (Vec::new(), Vec::new());
        for variable in variables {
            let entries = description.entry_names(variable)?;
            signals.push(Signal {
                name: variable.name.clone(),
                size: entries.len(),
            });
            for entry in entries {
                let column = trajectory.index_of(&entry);
                columns.push(column.ok_or_else(|| format!("{entry} was not recorded"))?);
            }
        }
        let times = trajectory.times().to_vec();
        let row = |index: usize| columns.iter().map(move |c| trajectory.row(index)[*c]);
        Ok(Signals {
            signals,
            values: (0..times.len()).flat_map(row).collect(),
            times,
        })
    }

    /// Every `step`-th row, and the last one.
    pub fn thinned(&self, step: usize) -> Signals {
        let last = self.times.len().saturating_sub(1);
        let rows: Vec<usize> = (0..self.times.len())
            .filter(|row| row % step == 0 || *row == last)
            .collect();
        Signals {
            signals: self.signals.clone(),
            times: rows.iter().map(|row| self.times[*row]).collect(),
            values: rows
                .iter()
                .flat_map(|row| self.row(*row).to_vec())
                .collect(),
        }
    }

    /// Number of values in a row.
    pub fn width(&self) -> usize {
        self.signals.iter().map(|signal| signal.size).sum()
    }

    /// Values of a row.
    pub fn row(&self, index: usize) -> &[f64] {
        let width = self.width();
        &self.values[index * width..(index + 1) * width]
    }

    /// Values over time of each column: name, with index from 1 for an element of an array.
    pub fn columns(&self) -> Vec<(String, Vec<f64>)> {
        let name = |signal: &Signal, element: usize| match signal.size {
            1 => signal.name.clone(),
            _ => format!("{}, element {}", signal.name, element + 1),
        };
        let elements = self.signals.iter();
        let names = elements.flat_map(|s| (0..s.size).map(move |i| name(s, i)));
        let rows = || 0..self.times.len();
        let column = |index: usize| rows().map(|row| self.row(row)[index]).collect();
        names
            .enumerate()
            .map(|(index, name)| (name, column(index)))
            .collect()
    }

    /// The content of a file.
    pub fn text(&self) -> String {
        let names = self.signals.iter().map(|signal| signal.name.as_str());
        let mut text = quoted([TIME].into_iter().chain(names));
        for (index, time) in self.times.iter().enumerate() {
            text += &exact(*time);
            let mut rest = self.row(index);
            for signal in &self.signals {
                let (own, others) = rest.split_at(signal.size);
                let numbers: Vec<String> = own.iter().map(|value| exact(*value)).collect();
                text.push(',');
                text += &numbers.join(" ");
                rest = others;
            }
            text.push('\n');
        }
        text
    }

    /// Reads the content of a file; none where its values cannot be had.
    pub fn read(content: &[u8], problems: &mut Found) -> Option<Signals> {
        if content.len() > MOST_BYTES {
            problems.whole(format!(
                "has {} bytes; {MOST_BYTES} are allowed: leave variables or rows away",
                content.len()
            ));
        }
        let Ok(text) = std::str::from_utf8(content) else {
            problems.whole("is not UTF-8; write names as modelDescription.xml has them");
            return None;
        };
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
        let names = match lines.next() {
            Some((_, line)) => header(line, problems)?,
            None => {
                problems.whole("is empty; the first line names the columns");
                return None;
            }
        };
        let mut rows = Rows::new(names);
        for (number, line) in lines {
            rows.add(number, line, problems);
        }
        rows.finish(problems)
    }
}

/// A header: every name in double quotes.
fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut writer = WriterBuilder::new()
        .quote_style(QuoteStyle::Always)
        .from_writer(Vec::new());
    // A writer into memory does not fail.
    let _ = writer.write_record(names);
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Names of the columns but the first.
fn header(line: &str, problems: &mut Found) -> Option<Vec<String>> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .from_reader(line.as_bytes());
    let record = match reader.records().next() {
        Some(Ok(record)) => record,
        _ => {
            problems.at(1, "names no columns; it must be \"time\",\"name\", ...");
            return None;
        }
    };
    // Quotes after a space are part of what the reader takes for the name.
    let bare = |name: &str| name.trim().trim_matches('"').to_owned();
    let names: Vec<String> = record.iter().map(bare).collect();
    let good = quoted(names.iter().map(String::as_str));
    if good.trim_end() != line.trim_end() {
        problems.at(
            1,
            format!(
                "names must be in double quotes, separated by commas only: {}",
                good.trim_end()
            ),
        );
    }
    if !names[0].eq_ignore_ascii_case(TIME) {
        problems.at(
            1,
            format!("the first column is {:?}; it must be \"{TIME}\"", names[0]),
        );
    }
    if names.len() < 2 {
        problems.at(1, "there is no column of a variable; add one");
        return None;
    }
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            problems.at(1, format!("column {name:?} is there twice; leave one away"));
            return None;
        }
    }
    Some(names[1..].to_vec())
}

/// What is read so far.
struct Rows {
    names: Vec<String>,
    /// Number of values of each column; none before the first row.
    sizes: Option<Vec<usize>>,
    times: Vec<f64>,
    values: Vec<f64>,
    is_whole: bool,
}

impl Rows {
    fn new(names: Vec<String>) -> Rows {
        Rows {
            names,
            sizes: None,
            times: Vec::new(),
            values: Vec::new(),
            is_whole: true,
        }
    }

    /// Adds a line; one that cannot be read is told.
    fn add(&mut self, number: usize, line: &str, problems: &mut Found) {
        let fault = match self.cells(line) {
            Ok(cells) => self.push(&cells),
            Err(text) => Err(text),
        };
        if let Err(text) = fault {
            problems.at(number, text);
            self.is_whole = false;
        }
    }

    /// The numbers of a line, cell by cell.
    fn cells(&self, line: &str) -> Result<Vec<Vec<f64>>, String> {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let expected = self.names.len() + 1;
        if cells.len() == expected + 1 && cells.last() == Some(&"") {
            return Err("ends with a comma; commas stand between the columns only".into());
        }
        if cells.len() != expected {
            return Err(format!(
                "has {}; the first line names {expected}",
                counted(cells.len(), "column")
            ));
        }
        let names = [TIME]
            .into_iter()
            .chain(self.names.iter().map(String::as_str));
        let values = |(name, cell): (&str, &str)| {
            let numbers = cell.split_whitespace().map(number);
            let numbers: Option<Vec<f64>> = numbers.collect();
            let good = numbers.filter(|list| !list.is_empty());
            good.ok_or_else(|| format!("{name} is {cell:?}; {}", advice(cell)))
        };
        names.zip(cells).map(values).collect()
    }

    fn push(&mut self, cells: &[Vec<f64>]) -> Result<(), String> {
        let (time, cells) = match cells {
            [time, cells @ ..] if time.len() == 1 => (time[0], cells),
            _ => return Err(format!("{TIME} is an array; it must be one number")),
        };
        if let Some(last) = self.times.last().filter(|last| time < **last) {
            return Err(format!(
                "time is {time:?} s after {last:?} s; it must not fall"
            ));
        }
        let found: Vec<usize> = cells.iter().map(Vec::len).collect();
        let sizes = self.sizes.get_or_insert_with(|| found.clone());
        let differs = sizes.iter().zip(&found).position(|(a, b)| a != b);
        if let Some(column) = differs {
            return Err(format!(
                "{} has {} here and {} before",
                self.names[column],
                counted(found[column], "element"),
                sizes[column]
            ));
        }
        self.times.push(time);
        self.values.extend(cells.iter().flatten());
        Ok(())
    }

    fn finish(self, problems: &mut Found) -> Option<Signals> {
        if self.is_whole && self.times.is_empty() {
            problems.whole("has no row of values below the names");
        }
        let sizes = self.sizes.filter(|_| self.is_whole)?;
        let signals = self.names.into_iter().zip(sizes);
        Some(Signals {
            signals: signals.map(|(name, size)| Signal { name, size }).collect(),
            times: self.times,
            values: self.values,
        })
    }
}

/// A finite number as C writes it.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// What to write in place of a cell that is no number.
fn advice(cell: &str) -> &'static str {
    let lower = cell.to_ascii_lowercase();
    match lower.as_str() {
        "" => "each cell has a number",
        "true" | "false" => "Booleans are 0 and 1",
        "nan" | "inf" | "-inf" | "+inf" | "infinity" => "only finite numbers are allowed",
        _ if cell.starts_with('"') => "numbers stand without quotes",
        _ => "it must be a number as in C, such as -1.5e-3; no units, labels or comments",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<Signals>, String) {
        let mut problems = Found::of("m_ref.csv");
        let found = Signals::read(text.as_bytes(), &mut problems);
        let list = problems.list();
        let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
        (found, lines.join("\n"))
    }

    /// The example of appendix B of the rules.
    const EXAMPLE: &str =
        "\"time\",\"input[1]\",\"input[2]\"\n0.0,1,-1.5\n0.5,1,-2.1\n0.5,2,-2.1\n1.0,2,-2.1\n";

    #[test]
    fn the_example_of_the_rules_is_read_and_written() {
        let (found, problems) = read(EXAMPLE);
        let found = found.unwrap();
        assert_eq!(problems, "");
        assert_eq!(found.times, [0.0, 0.5, 0.5, 1.0]);
        let columns = found.columns();
        assert_eq!(columns[0], ("input[1]".into(), vec![1.0, 1.0, 2.0, 2.0]));
        assert_eq!(columns[1].1, [-1.5, -2.1, -2.1, -2.1]);
        let text = found.text();
        assert!(
            text.starts_with("\"time\",\"input[1]\",\"input[2]\"\n0,1,-1.5\n"),
            "{text}"
        );
        assert_eq!(read(&text).0, Some(found));
    }

    #[test]
    fn a_name_with_a_comma_and_an_array_come_back() {
        let text = "\"time\",\"m[1,2]\",\"x\"\n0,5,1 2 3\n1,6,4 5 6.5\n";
        let (found, problems) = read(text);
        let found = found.unwrap();
        assert_eq!(problems, "");
        assert_eq!((found.width(), found.signals[1].size), (4, 3));
        assert_eq!(found.row(1), [6.0, 4.0, 5.0, 6.5]);
        assert_eq!(found.text(), text);
    }

    #[test]
    fn each_fault_is_named_with_its_line() {
        for (old, new, problem) in [
            (
                "\"time\",",
                "\"time\", ",
                "separated by commas only: \"time\",\"input[1]\",",
            ),
            (
                "\"input[1]\"",
                "input[1]",
                "m_ref.csv:1: names must be in double quotes",
            ),
            (
                "\"time\"",
                "\"t\"",
                "m_ref.csv:1: the first column is \"t\"",
            ),
            (
                "\"input[2]\"",
                "\"input[1]\"",
                "m_ref.csv:1: column \"input[1]\" is there twice",
            ),
            ("0.5,2,", "0.4,2,", "m_ref.csv:4: time is 0.4 s after 0.5 s"),
            (
                "0.5,1,-2.1",
                "0.5,1,nan",
                "m_ref.csv:3: input[2] is \"nan\"; only finite",
            ),
            (
                "0.5,1,-2.1",
                "0.5,true,-2.1",
                "m_ref.csv:3: input[1] is \"true\"; Booleans",
            ),
            (
                "0.5,1,-2.1",
                "0.5,1,-2.1,",
                "m_ref.csv:3: ends with a comma",
            ),
            ("0.5,1,-2.1", "0.5,1", "m_ref.csv:3: has 2 columns"),
            (
                "0.5,1,-2.1",
                "0.5,\"1\",-2.1",
                "m_ref.csv:3: input[1] is \"\\\"1\\\"\"; numbers stand",
            ),
            (
                "0.5,1,-2.1",
                "s,m,m",
                "m_ref.csv:3: time is \"s\"; it must be a number as in C",
            ),
            (
                "0.5,1,-2.1",
                "0.5,1 2,-2.1",
                "m_ref.csv:3: input[1] has 2 elements here and 1",
            ),
            ("0.5,1,-2.1", "0.5;1;-2.1", "m_ref.csv:3: has 1 column;"),
        ] {
            let (_, problems) = read(&EXAMPLE.replacen(old, new, 1));
            assert!(problems.contains(problem), "{problem}: {problems}");
        }
        for (text, problem) in [
            ("", "m_ref.csv: is empty"),
            ("\"time\",\"x\"\n", "m_ref.csv: has no row"),
            (
                "\"time\"\n0\n",
                "m_ref.csv:1: there is no column of a variable",
            ),
        ] {
            let (found, problems) = read(text);
            assert!(found.is_none() && problems.contains(problem), "{problems}");
        }
    }

    #[test]
    fn a_file_of_more_than_a_megabyte_is_told_and_still_read() {
        let rows: String = (0..200_000).map(|i| format!("{i},1\n")).collect();
        let (found, problems) = read(&format!("\"time\",\"x\"\n{rows}"));
        assert!(
            problems.contains("bytes; 1000000 are allowed"),
            "{problems}"
        );
        assert_eq!(found.unwrap().times.len(), 200_000);
    }

    #[test]
    fn of_many_faults_the_first_and_their_number_are_told() {
        let rows = "x,1\n".repeat(50);
        let (_, problems) = read(&format!("\"time\",\"x\"\n{rows}"));
        assert_eq!(problems.lines().count(), 11);
        assert!(
            problems.ends_with("40 more problems like these"),
            "{problems}"
        );
    }
}
