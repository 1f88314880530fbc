//! A run while it goes on, as another thread sees it: rows so far, contacts, time reached, what limits
//! the steps. The same thread may ask it to end early.
//!
//! The run writes what it has under a lock at its rows and where the FMU logs; it waits while a reader
//! copies or writes what is new.

use super::messages::ContactEvent;
use super::run::{Experiment, Trajectory};
use super::values::Column;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How an integration goes on.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pulse {
    /// Time reached [s].
    pub time: f64,
    /// Length of the last internal step [s].
    pub step: f64,
    /// Internal steps so far.
    pub steps: u64,
    /// Events so far.
    pub events: u64,
    /// What keeps the steps from being longer, if it is known.
    pub limit: Option<Limit>,
}

/// What keeps internal steps from being longer.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// A stiff contact, or an end stop of a joint.
    Contact(Strain),
    /// The error of a state, by its name, and the stiffest contact beside it.
    Error(String, Option<Strain>),
    /// Events in quick succession; the last contact, stop or latch that changed, if it is known.
    Events(Option<String>),
    /// The longest step that is allowed.
    LongestStep,
    /// All steps are of one length, from the stiffest contact that there can be.
    Fixed,
}

/// A contact or an end stop under load.
#[derive(Clone, Debug, PartialEq)]
pub struct Strain {
    /// Shapes of the pair, `body.shape:body.shape`, or `joint:lower` or `joint:upper`.
    pub name: String,
    /// Depth [m] or [rad].
    pub depth: f64,
    /// Stiffness [N/m] or [N.m/rad].
    pub stiffness: f64,
    /// Time in which the force changes [s].
    pub duration: f64,
    /// Of an end stop of an angle.
    pub is_angular: bool,
}

/// What there is of a run.
#[derive(Debug)]
pub struct Seen {
    /// What is run; none before the times are known.
    pub experiment: Option<Experiment>,
    /// Rows so far.
    pub trajectory: Trajectory,
    /// Contacts so far.
    pub contacts: Vec<ContactEvent>,
    /// Texts of warnings and worse so far.
    pub warnings: Vec<String>,
    /// Row, or end of a communication step, that was reached last [s]; none before the first.
    pub reached: Option<f64>,
    /// How the integration goes on, if that is known.
    pub pulse: Option<Pulse>,
}

/// A run while it goes on.
#[derive(Debug)]
pub struct Live {
    seen: Mutex<Seen>,
    ends: AtomicBool,
    /// Files that are removed where the run is left.
    temporary: Mutex<Vec<PathBuf>>,
}

impl Default for Live {
    fn default() -> Live {
        Live {
            seen: Mutex::new(Seen {
                experiment: None,
                trajectory: Trajectory::new(Vec::new()),
                contacts: Vec::new(),
                warnings: Vec::new(),
                reached: None,
                pulse: None,
            }),
            ends: AtomicBool::new(false),
            temporary: Mutex::default(),
        }
    }
}

impl Live {
    /// What there is. The run waits while this is held.
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        // It is whole after every single change, so a panic elsewhere does not spoil it.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the run to end at the next row or communication point.
    pub fn end(&self) {
        self.ends.store(true, Ordering::Relaxed);
    }

    /// Whether the run is asked to end.
    pub fn ends(&self) -> bool {
        self.ends.load(Ordering::Relaxed)
    }

    /// The files that a run which is left behind would not remove itself.
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
