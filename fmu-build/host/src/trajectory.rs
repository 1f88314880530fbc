//! Times, columns and rows of a run. During it, [`Live`] shows another thread its rows, contacts, the time
//! reached and the limit of the steps; that thread may request an early end.
//!
//! The run writes its data under a lock at its rows and when the FMU logs; it waits while a reader copies or
//! writes.

use super::frames::Frames;
use contact_model::integrator::Statistics;
use fmu_core::instance::record::{ContactEvent, Pulse};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Times and tolerance of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experiment {
    /// Start time [s].
    pub start: f64,
    /// Stop time [s], > start.
    pub stop: f64,
    /// Time between two rows [s], > 0; the last one may be shorter.
    pub step: f64,
    /// Relative tolerance [1], if given.
    pub tolerance: Option<f64>,
    /// Number of steps.
    pub steps: usize,
    /// Time between the rows that are kept [s]; all if `None`.
    pub every: Option<f64>,
}

impl Experiment {
    /// Time of row `index` in 0..=steps [s]; the last one is the stop time to the bit.
    pub(crate) fn time(&self, index: usize) -> f64 {
        match index {
            i if i >= self.steps => self.stop,
            i => self.start + i as f64 * self.step,
        }
    }
}

/// Column of a result: a scalar, or one entry of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name of the variable, with indices from 1 for an entry of an array.
    pub name: String,
    /// Unit.
    pub unit: Option<String>,
    /// Description of the variable.
    pub description: Option<String>,
}

/// Values of variables over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    columns: Vec<Column>,
    times: Vec<f64>,
    values: Vec<f64>,
    /// Frames for a replay, if requested.
    pub frames: Option<Frames>,
}

impl Trajectory {
    /// An empty trajectory of these columns.
    pub fn new(columns: Vec<Column>) -> Trajectory {
        Trajectory {
            columns,
            ..Trajectory::default()
        }
    }

    /// Adds a row; `row` has a value for each column.
    pub fn push(&mut self, time: f64, row: &[f64]) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.times.push(time);
        self.values.extend_from_slice(row);
    }

    /// Replaces the last row.
    pub fn replace_last(&mut self, row: &[f64]) {
        debug_assert_eq!(row.len(), self.columns.len());
        let start = self.values.len() - row.len();
        self.values[start..].copy_from_slice(row);
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns, for descriptions to be added.
    pub fn columns_mut(&mut self) -> &mut [Column] {
        &mut self.columns
    }

    /// Times of the rows [s].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// A row.
    pub fn row(&self, index: usize) -> &[f64] {
        let n = self.columns.len();
        &self.values[index * n..(index + 1) * n]
    }

    /// Index of the column with this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name == name)
    }

    /// Values of a column.
    pub fn column(&self, index: usize) -> impl Iterator<Item = f64> + Clone {
        (0..self.times.len()).map(move |i| self.row(i)[index])
    }
}

/// Data of a run so far.
#[derive(Debug, Default)]
pub struct Seen {
    /// Times and tolerance; `None` before they are known.
    pub experiment: Option<Experiment>,
    /// Rows so far.
    pub trajectory: Trajectory,
    /// Contacts so far.
    pub contacts: Vec<ContactEvent>,
    /// Texts of warnings and worse so far.
    pub warnings: Vec<String>,
    /// Row, or end of a communication step, reached last [s]; `None` before the first.
    pub reached: Option<f64>,
    /// Progress of the integration, if known.
    pub pulse: Option<Pulse>,
    /// Work of the integrator, if the FMU has logged it.
    pub(super) work: Option<Statistics>,
    /// Reason why a record of the FMU cannot be read, if any.
    pub(super) unreadable: Option<String>,
    /// Number of contacts and warnings that were not kept.
    pub(super) dropped: usize,
}

/// Run in progress.
#[derive(Debug, Default)]
pub struct Live {
    seen: Mutex<Seen>,
    ends: AtomicBool,
    /// Temporary files to remove if the run is abandoned.
    temporary: Mutex<Vec<PathBuf>>,
}

impl Live {
    /// Data so far. The run waits while this is held.
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        // It is whole after every single change, so a panic elsewhere does not spoil it.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests the end of the run at the next row or communication point.
    pub fn end(&self) {
        self.ends.store(true, Ordering::Relaxed);
    }

    pub(crate) fn ends(&self) -> bool {
        self.ends.load(Ordering::Relaxed)
    }

    /// Temporary files that an abandoned run would not remove itself.
    pub fn temporary_files(&self) -> Vec<PathBuf> {
        self.temporary().clone()
    }

    pub(super) fn note_temporary(&self, file: PathBuf) {
        self.temporary().push(file);
    }

    pub(super) fn begin(&self, columns: Vec<Column>) {
        self.seen().trajectory = Trajectory::new(columns);
    }

    pub(super) fn plan(&self, experiment: &Experiment) {
        self.seen().experiment = Some(*experiment);
    }

    pub(super) fn reached(&self, time: f64) {
        self.seen().reached = Some(time);
    }

    fn temporary(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        let list = self.temporary.lock();
        list.unwrap_or_else(PoisonError::into_inner)
    }
}
