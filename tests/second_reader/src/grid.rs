//! The reference that a run follows, and the result that it writes: CSV files, the time first.

use crate::Failure;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Times and variables that are wanted.
pub struct Grid {
    /// Increasing times [s].
    pub times: Vec<f64>,
    /// Names of floating-point variables.
    pub names: Vec<String>,
}

impl Grid {
    /// Times and names of a reference; its values are not looked at.
    ///
    /// # Errors
    /// The file cannot be read, has no row, or a time is no number.
    pub fn read(path: &str) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|failure| format!("{path}: {failure}"))?;
        let mut lines = text.lines();
        let header = lines.next().ok_or_else(|| format!("{path} is empty"))?;
        let names = header.split(',').skip(1).map(str::to_owned).collect();
        let times = lines
            .map(|line| line.split(',').next().unwrap_or_default().parse())
            .collect::<Result<Vec<f64>, _>>()
            .map_err(|failure| format!("{path}: {failure}"))?;
        if times.is_empty() {
            return Err(format!("{path} has no row").into());
        }
        Ok(Grid { times, names })
    }

    /// First time [s].
    pub fn start(&self) -> f64 {
        self.times[0]
    }

    /// Last time [s].
    pub fn stop(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// Times to the one in the middle, and times from it on; both hold it.
    pub fn halves(&self) -> (&[f64], &[f64]) {
        let middle = self.times.len() / 2;
        (&self.times[..=middle], &self.times[middle..])
    }

    /// Writes rows of the time and the values, with all digits.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path, rows: &[Vec<f64>]) -> Result<(), Failure> {
        let mut text = format!("time,{}\n", self.names.join(","));
        for row in rows {
            let fields: Vec<String> = row.iter().map(f64::to_string).collect();
            writeln!(text, "{}", fields.join(","))?;
        }
        Ok(fs::write(path, text).map_err(|failure| format!("{}: {failure}", path.display()))?)
    }
}
