//! All islands over a window of time.
//!
//! The window is as long as the communication step allows, and so short that few links share an island only
//! because they are close: links stepped together have one step size.

use crate::dynamics::System;
use crate::dynamics::island::{Division, Island};
use crate::dynamics::source::Change;
use crate::hybrid::EvaluationError;
use crate::integrator::Memory;
use crate::islands;
pub(crate) use crate::islands::Task;
use crate::islands::impulse::StepLoad;
use crate::islands::{Hear, IslandProgress, Job, Memories, Stepper};
use contact_laws::index::{ReportId, TiSlice};

/// Divisor of the number of links that may be in islands by proximity alone [1], beside [`FEW`].
const PART: usize = 8;
/// Number of links that may be so in any case.
const FEW: usize = 2;
/// Factor that shortens a window that is too long ...
const SHORTER: f64 = 0.25;
/// ... down to this fraction of the time to the end [1].
const SHORTEST: f64 = 1.0 / 64.0;
/// Number of links in islands by proximity relative to the shortest window that is acceptable [1].
const MORE: f64 = 1.5;
/// Relative difference from the remaining time at which a window ends with it.
const PART_OF_WINDOW: f64 = 1e-6;

/// Result of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Its end [s].
    pub end: f64,
    /// Whether an event update of the whole is needed at its end.
    pub at_event: bool,
    /// Largest number of attempts at a step of an island, including those used before.
    pub attempts: u64,
}

/// Stepper of all islands of a scene over windows; its data do not outlive a window.
pub struct Windows {
    division: Division,
    steppers: Vec<Stepper>,
    islands: Vec<Island>,
    progress: Vec<IslandProgress>,
    /// Previous index of each island, and its progress.
    origins: Vec<Option<usize>>,
    before: Vec<IslandProgress>,
    /// Whether each island must be stepped.
    stale: Vec<bool>,
    changes: Vec<(f64, Change)>,
    /// Length of the shortest window to this end [s], and the acceptable number of links in islands by
    /// proximity.
    shortest: f64,
    most_joined: usize,
}

enum Outcome {
    /// All islands are at its end, or at an event that is left to the caller.
    Done { at_event: bool },
    /// Too many links are in islands by proximity.
    TooLong,
    /// An island has to watch more pairs than there are indicator slots.
    TooManyPairs,
}

/// Data of a run beside the states.
pub struct Kept<'a> {
    /// Memory of the integrator.
    pub memory: &'a mut Memory,
    /// Memories of the islands.
    pub memories: &'a mut Memories,
    /// Loads of each reported pair's contact since the last communication point.
    pub loads: &'a mut TiSlice<ReportId, StepLoad>,
}

impl Windows {
    /// Arrays for a system with its present parameter values.
    pub fn new(system: &System) -> Self {
        Windows {
            division: Division::new(system),
            steppers: vec![Stepper::new(system)],
            islands: Vec::new(),
            progress: Vec::new(),
            origins: Vec::new(),
            before: Vec::new(),
            stale: Vec::new(),
            changes: Vec::new(),
            shortest: 0.0,
            most_joined: 0,
        }
    }

    /// Steps all islands from the present time and states of the system over a window that ends at or before
    /// the end of the task. The system and `states` are at its end afterwards. Returns `None` without changes
    /// if an island has to watch more pairs than there are indicator slots: then only the whole can be
    /// stepped.
    ///
    /// # Errors
    /// Those of [`Stepper::step`], which change nothing, and of [`System::take_islands`].
    pub fn advance(
        &mut self,
        system: &mut System,
        states: &mut [f64],
        kept: Kept<'_>,
        task: &Task<'_>,
        hear: Hear<'_>,
    ) -> Result<Option<Window>, EvaluationError> {
        let Kept {
            memories,
            memory,
            loads,
        } = kept;
        if !self.division.start(system) {
            return Err(EvaluationError::error("a pose is not finite"));
        }
        let mut window = self.choose(system, memories, task);
        let at_event = loop {
            let end = end_of(system.time(), window, task);
            let is_shortest = window <= self.shortest;
            let task_here = Task { end, ..*task };
            match self.run(system, memories, &task_here, is_shortest, hear)? {
                Outcome::TooManyPairs => return Ok(None),
                Outcome::TooLong => {
                    window = (SHORTER * window).max(self.shortest);
                    self.divide(system, window, task);
                }
                Outcome::Done { at_event } => break at_event,
            }
        };
        memories.set_window(window);
        let first = self.progress.first();
        let end = first.map_or(task.end, |first| first.time);
        let is_seen = task.is_watched || at_event || end == task.end;
        let asked = system.take_islands(&self.islands, end, is_seen, states)?;
        self.keep(system, memories, memory, loads);
        let attempts = self.progress.iter().map(|island| island.attempts).max();
        Ok(Some(Window {
            end,
            at_event: asked || at_event,
            attempts: attempts.unwrap_or(task.attempts),
        }))
    }

    /// Changes by the events of the last window, in the order of their times [s].
    pub fn changes(&self) -> &[(f64, Change)] {
        &self.changes
    }

    /// Number of islands of the last window.
    pub fn count(&self) -> usize {
        self.islands.len()
    }

    /// Number of links of the largest one.
    pub fn largest(&self) -> usize {
        let counts = self.islands.iter().map(|island| island.links.len());
        counts.max().unwrap_or(0)
    }

    /// Divides the links for the longest window that leaves most islands small; its length [s].
    fn choose(&mut self, system: &System, memories: &Memories, task: &Task<'_>) -> f64 {
        let longest = task.end - system.time();
        self.shortest = SHORTEST * longest;
        let least = self.divide(system, self.shortest, task);
        self.most_joined = (system.link_count() / PART + FEW).max((MORE * least as f64) as usize);
        let last = memories.window().map_or(longest, |last| last / SHORTER);
        let mut window = last.clamp(self.shortest, longest);
        while self.divide(system, window, task) > self.most_joined && window > self.shortest {
            window = (SHORTER * window).max(self.shortest);
        }
        window
    }

    /// Divides the links up to the end of a window, to the bit: the certificate ends there.
    fn divide(&mut self, system: &System, window: f64, task: &Task<'_>) -> usize {
        let is_shortest = window <= self.shortest;
        let way = end_of(system.time(), window, task) - system.time();
        self.division.divide(system, way, is_shortest)
    }

    /// Steps the islands until no unwatched pair may have touched.
    fn run(
        &mut self,
        system: &System,
        memories: &Memories,
        task: &Task<'_>,
        is_shortest: bool,
        hear: Hear<'_>,
    ) -> Result<Outcome, EvaluationError> {
        let most = system.scene().slot_count();
        Division::forget(&mut self.islands);
        loop {
            self.division
                .make(system, &mut self.islands, &mut self.origins);
            if self.islands.iter().any(|island| island.pairs.len() > most) {
                return Ok(Outcome::TooManyPairs);
            }
            self.run_anew(system, memories, task, hear)?;
            let at_event = self.meet(system, memories, task, hear)?;
            if self.division.check(system, &self.islands) {
                return Ok(Outcome::Done { at_event });
            }
            if self.division.joined(system) > self.most_joined && !is_shortest {
                return Ok(Outcome::TooLong);
            }
        }
    }

    fn run_anew(
        &mut self,
        system: &System,
        memories: &Memories,
        task: &Task<'_>,
        hear: Hear<'_>,
    ) -> Result<(), EvaluationError> {
        std::mem::swap(&mut self.progress, &mut self.before);
        self.progress.clear();
        self.progress
            .resize_with(self.islands.len(), IslandProgress::default);
        self.stale.clear();
        for (progress, origin) in self.progress.iter_mut().zip(&self.origins) {
            let old = origin.and_then(|place| self.before.get_mut(place));
            self.stale.push(old.is_none());
            if let Some(old) = old {
                *progress = std::mem::take(old);
            }
        }
        self.run_stale(system, memories, task, hear)
    }

    fn run_stale(
        &mut self,
        system: &System,
        memories: &Memories,
        task: &Task<'_>,
        hear: Hear<'_>,
    ) -> Result<(), EvaluationError> {
        let mut jobs = Vec::new();
        let places = self.islands.iter_mut().zip(&mut self.progress);
        for ((island, progress), _) in places.zip(&self.stale).filter(|(_, stale)| **stale) {
            *progress = IslandProgress::default();
            if let Some(gravity) = self.division.flight(system, island) {
                let length = task.end - system.time();
                island.fly(system, &gravity, length);
                progress.memory = Memory::after_step(length);
                (progress.time, progress.attempts) = (task.end, task.attempts);
                continue;
            }
            progress.memory = memories.of_island(island);
            jobs.push(Job { island, progress });
        }
        let references = self.division.references();
        islands::share(&mut self.steppers, system, references, task, jobs, hear)
    }

    /// Brings all islands to the earliest event that one has stopped at, or to the end of the window. Returns
    /// true if there is an event.
    fn meet(
        &mut self,
        system: &System,
        memories: &Memories,
        task: &Task<'_>,
        hear: Hear<'_>,
    ) -> Result<bool, EvaluationError> {
        loop {
            let stopped = self.progress.iter().filter(|progress| progress.at_event);
            let event = stopped.map(|progress| progress.time).reduce(f64::min);
            let end = event.unwrap_or(task.end);
            self.stale.clear();
            let is_elsewhere = self.progress.iter().map(|progress| progress.time != end);
            self.stale.extend(is_elsewhere);
            if !self.stale.contains(&true) {
                return Ok(event.is_some());
            }
            // On the shorter way one may meet an event earlier, by rounding.
            self.run_stale(system, memories, &Task { end, ..*task }, hear)?;
        }
    }

    /// Stores memories, work and loads of the islands.
    fn keep(
        &mut self,
        system: &System,
        memories: &mut Memories,
        memory: &mut Memory,
        loads: &mut TiSlice<ReportId, StepLoad>,
    ) {
        self.changes.clear();
        for (island, progress) in self.islands.iter().zip(&mut self.progress) {
            self.changes.extend_from_slice(&island.changes);
            for (report, load) in &progress.loads {
                loads[*report].add(load);
            }
            memory.take_work(&mut progress.memory);
            memories.keep(
                system.link_count(),
                island,
                std::mem::take(&mut progress.memory),
            );
        }
        self.changes.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
}

/// End of a window of a length [s] from a start [s].
fn end_of(start: f64, window: f64, task: &Task<'_>) -> f64 {
    let longest = task.end - start;
    let end = start + window;
    match longest - window <= PART_OF_WINDOW * longest || end <= start {
        true => task.end,
        false => end,
    }
}
