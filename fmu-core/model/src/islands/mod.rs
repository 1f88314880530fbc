//! Steps of a scene island by island: parts that do not touch have separate step sizes and events, and an
//! event restarts only its island.
//!
//! - [`impulse`]: impulse and peak force of reported pairs
//! - [`windows`]: all islands over a window, see [`crate::dynamics::island`]
//!
//! Threads share the islands of a window. An island does not depend on the others, and threads have separate
//! work arrays, so the bits depend neither on their number nor on which thread steps which island, see
//! [`crate::threads`].

pub(crate) mod impulse;
pub(crate) mod windows;

pub use impulse::{Recorder, StepLoad};
pub use windows::{Kept, Window, Windows};

use crate::dynamics::System;
use crate::dynamics::contact_forces::Stiffest;
use crate::dynamics::island::division::Drift;
use crate::dynamics::island::{Island, Reference};
use crate::hybrid::{EvaluationError, HybridSystem};
use crate::integrator::{Integrator, LegEnd, Memory, Pace, Settings};
use crate::threads::Crew;
use contact_geometry::math::Exact;
use contact_geometry::math::dense::DenseStep;
use contact_laws::index::{LinkId, ReportId, TiSlice, TiVec, ti_vec};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Largest number of states for which an integrator is kept for the next island.
const MOST_KEPT: usize = 64;

/// Task over a window.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// End of the window [s].
    pub end: f64,
    /// Tolerances, formula and largest step.
    pub settings: &'a Settings,
    /// Attempts at a step already used.
    pub attempts: u64,
    /// Whether outputs may be requested at the end of each window.
    pub is_watched: bool,
    /// Threads that share the islands.
    pub crew: &'a Crew,
    /// Whether to end at the earliest event, which is left to the caller.
    pub stops_at_events: bool,
    /// Interval of an island's accepted steps between progress reports; 0: never.
    pub steps_per_beat: u64,
}

/// Progress report of an island inside a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Beat {
    /// Time reached [s].
    pub time: f64,
    /// Length of the last step [s].
    pub step: f64,
    /// Steps in this window so far.
    pub steps: u64,
    /// Events in this window so far.
    pub events: u64,
    /// Name of the state whose error limits the steps, if known.
    pub state: Option<String>,
    /// Stiffest contact or end stop, if anything is in contact.
    pub stiffest: Option<Stiffest>,
}

pub(crate) type Hear<'a> = &'a mut dyn FnMut(&Beat);

#[derive(Clone, Debug, Default)]
pub(crate) struct IslandProgress {
    /// Memory of its integration, with the work of this window alone.
    pub memory: Memory,
    pub time: f64,
    /// Whether it has stopped at an event, which is not handled.
    pub at_event: bool,
    /// Attempts at a step, including those used before.
    pub attempts: u64,
    /// Loads of its reported contacts.
    pub loads: Vec<(ReportId, StepLoad)>,
}

impl IslandProgress {
    /// Adds the loads of reported contacts.
    fn take_loads(&mut self, loads: &TiSlice<ReportId, StepLoad>) {
        let loads = loads.iter_enumerated();
        let used = loads.filter(|(_, load)| **load != StepLoad::default());
        self.loads.clear();
        self.loads
            .extend(used.map(|(report, load)| (report, *load)));
    }
}

pub(crate) struct Stepper {
    system: System,
    drift: Drift,
    integrators: BTreeMap<(usize, usize), Integrator>,
    states: Vec<f64>,
    recorder: Recorder,
    loads: TiVec<ReportId, StepLoad>,
}

impl Stepper {
    /// Arrays for the islands of a system.
    pub(crate) fn new(whole: &System) -> Self {
        let reported = whole.scene().report_count();
        Stepper {
            system: whole.for_islands(),
            drift: Drift::default(),
            integrators: BTreeMap::new(),
            states: Vec::new(),
            recorder: Recorder::new(reported),
            loads: ti_vec![StepLoad::default(); reported],
        }
    }

    /// Steps an island from the present time and states of the whole to the end of the window. `progress` has
    /// the initial memory.
    ///
    /// # Errors
    /// Errors of the integrator; endless events.
    pub(crate) fn step(
        &mut self,
        whole: &System,
        island: &mut Island,
        references: &TiSlice<LinkId, Reference>,
        task: &Task<'_>,
        progress: &mut IslandProgress,
        mut hear: Option<Hear<'_>>,
    ) -> Result<(), EvaluationError> {
        let every = hear.as_ref().map_or(0, |_| task.steps_per_beat);
        let tolerance = match task.stops_at_events {
            true => 0.0,
            false => task.settings.relative_tolerance(),
        };
        let Stepper {
            system,
            drift,
            integrators,
            states,
            recorder,
            loads,
        } = self;
        system.load(whole, island, tolerance, drift);
        let size = (system.state_count(), system.indicator_count());
        integrators.retain(|kept, _| *kept == size || kept.0 <= MOST_KEPT);
        let new = || Integrator::new(size.0, size.1, *task.settings);
        let integrator = integrators.entry(size).or_insert_with(new);
        integrator.set_settings(*task.settings);
        integrator.watch(every);
        states.clear();
        states.extend_from_slice(&island.states);
        loads.fill(StepLoad::default());
        let memory = &mut progress.memory;
        let mut time = whole.time();
        let mut events = EventCount::new(time);
        let mut pace = Pace::after(task.attempts);
        progress.at_event = false;
        let is_overdue = system.is_overdue(time, states)?;
        if is_overdue && !task.stops_at_events {
            switch(system, time, states, loads, island)?;
            memory.restart_after_event();
        }
        progress.at_event = is_overdue && task.stops_at_events;
        while !progress.at_event
            && let Some(mut leg) = integrator.start(system, memory, time, states, task.end)?
        {
            leg.go_on(pace);
            let mut observe = |system: &mut System, step: &DenseStep<'_>| {
                system.observe(step, references, drift);
                recorder.add(system, step, loads)
            };
            let stop = loop {
                let observe = Some(&mut observe as _);
                let stop =
                    integrator.accept_step(system, memory, &mut time, states, &mut leg, observe)?;
                if let Some(hear) = &mut hear
                    && is_due(every, memory)
                {
                    hear(&beat(system, integrator, memory, time, states));
                }
                if let Some(stop) = stop {
                    break stop;
                }
            };
            pace = leg.pace();
            if stop == LegEnd::End {
                break;
            }
            if task.stops_at_events {
                progress.at_event = true;
                continue;
            }
            switch(system, time, states, loads, island)?;
            memory.restart_after_event();
            if let Some(what) = events.count(time) {
                return Err(EvaluationError::error(format!(
                    "{what} at {} s",
                    Exact(time)
                )));
            }
        }
        (progress.attempts, progress.time) = (pace.attempts, time);
        progress.take_loads(loads);
        system.hand_on_changes(None, island);
        system.unload(states, island, drift);
        Ok(())
    }
}

/// Updates an event of an island, and adds its impulses to the loads.
fn switch(
    system: &mut System,
    time: f64,
    states: &mut [f64],
    loads: &mut TiSlice<ReportId, StepLoad>,
    island: &mut Island,
) -> Result<(), EvaluationError> {
    system.update_event(time, states)?;
    system.hand_on_changes(Some(time), island);
    for impulse in system.impulses().list() {
        for report in system.scene().reports_with(impulse.pair) {
            loads[report].strike(&impulse.impulse_w);
        }
    }
    Ok(())
}

/// Returns true after every `every` steps; never for 0.
fn is_due(every: u64, memory: &Memory) -> bool {
    every != 0 && memory.statistics().steps.is_multiple_of(every)
}

/// Progress report of an island at a time [s] and states.
fn beat(
    system: &mut System,
    integrator: &Integrator,
    memory: &Memory,
    time: f64,
    states: &[f64],
) -> Beat {
    let work = memory.statistics();
    Beat {
        time,
        step: memory.last_step().length,
        steps: work.steps,
        events: work.events,
        state: integrator.limiting_state().map(|x| system.state_name(x)),
        stiffest: system.stiffest(time, states),
    }
}

/// Number of links per additional thread: one is woken in some 10 us, or started in some 20, and a link in
/// contact takes at least some 10 us per window.
const LINKS_PER_THREAD: usize = 8;

pub(crate) struct Job<'a> {
    pub island: &'a mut Island,
    pub progress: &'a mut IslandProgress,
}

/// Steps islands over a window, with a stepper for each thread. `hear` receives progress reports of the
/// islands stepped by this thread.
///
/// # Errors
/// As for [`Stepper::step`]; if several islands have one, always the same.
pub(crate) fn share(
    steppers: &mut Vec<Stepper>,
    system: &System,
    references: &TiSlice<LinkId, Reference>,
    task: &Task<'_>,
    mut jobs: Vec<Job<'_>>,
    hear: Hear<'_>,
) -> Result<(), EvaluationError> {
    let links: usize = jobs.iter().map(|job| job.island.links.len()).sum();
    let most = (links / LINKS_PER_THREAD).min(jobs.len());
    let threads = task.crew.threads().min(most).max(1);
    while steppers.len() < threads {
        steppers.push(Stepper::new(system));
    }
    // The long ones first, so that none is left alone at the end.
    jobs.sort_unstable_by_key(|job| std::cmp::Reverse(job.island.pairs.len()));
    let queue = jobs.into_iter().enumerate();
    let first: Mutex<Option<(usize, EvaluationError)>> = Mutex::new(None);
    let work = |stepper: &mut Stepper, place: usize, job: Job<'_>, hear: Option<Hear<'_>>| {
        let Job { island, progress } = job;
        if let Err(failure) = stepper.step(system, island, references, task, progress, hear) {
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            if first.as_ref().is_none_or(|(other, _)| place < *other) {
                *first = Some((place, failure));
            }
        }
    };
    task.crew.share(
        &mut steppers[..threads],
        vec![queue],
        |stepper, (place, job)| work(stepper, place, job, Some(hear)),
        |stepper, (place, job)| work(stepper, place, job, None),
    );
    match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, failure)) => Err(failure),
        None => Ok(()),
    }
}

/// Maximum number of events at one instant. A pair changes twice or less; chains of impacts through a pile
/// stay below this.
const MOST_EVENTS_AT_INSTANT: u32 = 100;
/// Events closer than this many roundings of the time are simultaneous.
const INSTANT_ROUNDINGS: f64 = 64.0;
/// Maximum number of events of one island in a window, or of the whole in a communication step; far beyond an
/// acceptable computing time.
const MOST_EVENTS_PER_STEP: u32 = 100_000;

/// Detector of endless sequences of events.
pub struct EventCount {
    instant: f64,
    at_instant: u32,
    in_step: u32,
}

impl EventCount {
    /// No events yet, at a time [s].
    pub fn new(time: f64) -> Self {
        EventCount {
            instant: time,
            at_instant: 0,
            in_step: 0,
        }
    }

    /// Counts an event; text of the exceeded limit, if any.
    pub fn count(&mut self, time: f64) -> Option<String> {
        if time - self.instant > INSTANT_ROUNDINGS * f64::EPSILON * time.abs() {
            self.at_instant = 0;
        }
        self.instant = time;
        self.at_instant += 1;
        self.in_step += 1;
        if self.at_instant > MOST_EVENTS_AT_INSTANT {
            return Some(format!(
                "more than {MOST_EVENTS_AT_INSTANT} events in a row"
            ));
        }
        (self.in_step > MOST_EVENTS_PER_STEP)
            .then(|| format!("more than {MOST_EVENTS_PER_STEP} events"))
    }
}

/// Memory of each island of the last window; empty before the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memories {
    links: TiVec<LinkId, Remembered>,
    /// Length of the last window [s].
    window: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Remembered {
    /// First link of its island.
    leader: LinkId,
    /// For a first link: number of links, and the memory.
    island: Option<(u32, Memory)>,
}

impl Memories {
    /// Returns true if they are consistent with this number of links.
    pub fn fit(&self, links: usize) -> bool {
        let is_known = |link: &Remembered| usize::from(link.leader) < links;
        (self.links.is_empty() || self.links.len() == links)
            && self.links.iter().all(is_known)
            && self.window.is_none_or(|w| w > 0.0 && w.is_finite())
    }

    /// Length of the last window [s]; `None` before the first.
    pub(crate) fn window(&self) -> Option<f64> {
        self.window
    }

    pub(crate) fn set_window(&mut self, window: f64) {
        self.window = Some(window);
    }

    /// Restarts all, see [`Memory::restart`].
    pub fn restart(&mut self) {
        self.each(Memory::restart);
    }

    /// Restarts all after a common event, see [`Memory::restart_after_event`].
    pub fn restart_after_event(&mut self) {
        self.each(Memory::restart_after_event);
    }

    fn each(&mut self, change: impl Fn(&mut Memory)) {
        let islands = self
            .links
            .iter_mut()
            .filter_map(|link| link.island.as_mut());
        islands.for_each(|(_, memory)| change(memory));
    }

    /// Initial memory of an island: its own if it existed before, otherwise merged from the previous islands
    /// of its links.
    pub(crate) fn of_island(&self, island: &Island) -> Memory {
        let links = island.links.iter().filter_map(|link| self.links.get(*link));
        let mut leaders: Vec<LinkId> = links.map(|link| link.leader).collect();
        leaders.sort_unstable();
        leaders.dedup();
        let known = leaders
            .iter()
            .filter_map(|leader| self.links[*leader].island.as_ref());
        let mut found: Option<Memory> = None;
        let mut count = 0;
        for (links, memory) in known {
            count += *links as usize;
            match &mut found {
                None => found = Some(memory.clone()),
                Some(found) => found.join(memory),
            }
        }
        let mut memory = found.unwrap_or_default();
        if count != island.links.len() {
            memory.forget_jacobian();
        }
        memory
    }

    /// Stores the memory of an island in a scene with this number of links.
    pub(crate) fn keep(&mut self, links: usize, island: &Island, memory: Memory) {
        let Some(leader) = island.links.first().copied() else {
            return;
        };
        if self.links.len() != links {
            self.links.clear();
            let alone = |leader| Remembered {
                leader,
                island: None,
            };
            self.links
                .extend((0..links).map(|link| alone(LinkId::from(link))));
        }
        for link in &island.links {
            self.links[*link] = Remembered {
                leader,
                island: None,
            };
        }
        self.links[leader].island = Some((island.links.len() as u32, memory));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_at_one_instant_are_counted_until_time_moves_on() {
        let mut guard = EventCount::new(1.0);
        for _ in 0..MOST_EVENTS_AT_INSTANT {
            assert_eq!(guard.count(1.0), None);
        }
        assert!(guard.count(1.0).is_some());
        assert_eq!(guard.count(1.0 + 1e-9), None);
    }

    #[test]
    fn events_that_creep_by_roundings_are_at_one_instant() {
        let mut guard = EventCount::new(1.0);
        let mut time = 1.0;
        let exceeded = (0..=MOST_EVENTS_AT_INSTANT).any(|_| {
            time += 8.0 * f64::EPSILON;
            guard.count(time).is_some()
        });
        assert!(exceeded);
    }
}
