//! One island over a window.

use crate::dynamics::System;
use crate::dynamics::island::deviation::Reference;
use crate::dynamics::island::{Bench, Island, IslandSystem};
use crate::dynamics::stiffest::Stiffest;
use crate::hybrid::{EvaluationError, HybridSystem};
use crate::integrator::{Integrator, LegEnd, Memory, Pace, Settings};
use crate::islands::event_count::EventCount;
use crate::islands::impulse::{Recorder, StepLoad};
use contact_geometry::math::Exact;
use contact_geometry::math::dense::DenseStep;
use contact_laws::index::{LinkId, ReportId, TiSlice, TiVec, ti_vec};
use std::collections::BTreeMap;

/// An integrator is kept for the next island with as many states up to this number.
const MOST_KEPT: usize = 64;

/// What is to be done over a window.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// End of the window [s].
    pub end: f64,
    /// Tolerances, formula and largest step.
    pub settings: &'a Settings,
    /// Attempts at a step that are used up already.
    pub attempts: u64,
    /// Outputs may be asked for at the end of each window.
    pub is_watched: bool,
    /// Threads that share the islands.
    pub threads: usize,
    /// Ends at the earliest event, which is left to the caller.
    pub stops_at_events: bool,
    /// Accepted steps of an island after which it tells how it goes on; 0: never.
    pub steps_per_beat: u64,
}

/// How an island goes on inside a window.
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
    /// The stiffest contact or end stop, if anything is in contact.
    pub stiffest: Option<Stiffest>,
}

/// Gets how an island goes on.
pub type Hear<'a> = &'a mut dyn FnMut(&Beat);

/// How far an island has come over a window.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// What its integration remembers, with the work of this window alone.
    pub memory: Memory,
    /// Time reached [s].
    pub time: f64,
    /// It has stopped at an event, which is not handled.
    pub at_event: bool,
    /// Attempts at a step, with those used up before.
    pub attempts: u64,
    /// What its reported contacts did.
    pub loads: Vec<(ReportId, StepLoad)>,
}

/// Work arrays that one island after the other is stepped with.
pub struct Stepper {
    bench: Bench,
    integrators: BTreeMap<(usize, usize), Integrator>,
    states: Vec<f64>,
    recorder: Recorder,
    loads: TiVec<ReportId, StepLoad>,
}

impl Stepper {
    /// Arrays for the islands of a system.
    pub fn new(system: &System) -> Self {
        let reported = system.scene().reported().len();
        Stepper {
            bench: Bench::new(system),
            integrators: BTreeMap::new(),
            states: Vec::new(),
            recorder: Recorder::new(reported),
            loads: ti_vec![StepLoad::default(); reported],
        }
    }

    /// Steps an island from the present time and states of the system to the end of the window.
    /// `progress` has the memory to begin with.
    ///
    /// # Errors
    /// Those of the integrator; events without end.
    pub fn step(
        &mut self,
        system: &System,
        island: &mut Island,
        references: &TiSlice<LinkId, Reference>,
        task: &Task<'_>,
        progress: &mut Progress,
        mut hear: Option<Hear<'_>>,
    ) -> Result<(), EvaluationError> {
        let every = hear.as_ref().map_or(0, |_| task.steps_per_beat);
        let mut view = IslandSystem::load(system, &mut self.bench, island, references);
        if !task.stops_at_events {
            view.set_passing(task.settings.relative_tolerance());
        }
        let size = (view.state_count(), view.indicator_count());
        self.integrators
            .retain(|kept, _| *kept == size || kept.0 <= MOST_KEPT);
        let new = || Integrator::new(size.0, size.1, *task.settings);
        let integrator = self.integrators.entry(size).or_insert_with(new);
        integrator.set_settings(*task.settings);
        integrator.watch(every);
        self.states.clear();
        self.states.extend_from_slice(view.start_states());
        self.loads.fill(StepLoad::default());
        let (states, memory) = (&mut self.states[..], &mut progress.memory);
        let mut time = system.time();
        let mut events = EventCount::new(time);
        let mut pace = Pace::after(task.attempts);
        progress.at_event = false;
        let is_overdue = view.is_overdue(time, states)?;
        if is_overdue && !task.stops_at_events {
            view.update_event(time, states)?;
            view.reported_impulses(|report, impulse| self.loads[report].strike(&impulse));
            memory.restart_after_event();
        }
        progress.at_event = is_overdue && task.stops_at_events;
        while !progress.at_event
            && let Some(mut leg) = integrator.start(&mut view, memory, time, states, task.end)?
        {
            leg.go_on(pace);
            let (recorder, loads) = (&mut self.recorder, &mut self.loads);
            let mut observe = |view: &mut IslandSystem<'_>, step: &DenseStep<'_>| {
                view.observe(step);
                recorder.add(view, step, loads)
            };
            let stop = loop {
                let observe = Some(&mut observe as _);
                let stop = integrator
                    .accept_step(&mut view, memory, &mut time, states, &mut leg, observe)?;
                if let Some(hear) = &mut hear
                    && is_due(every, memory)
                {
                    hear(&beat(&mut view, integrator, memory, (time, states)));
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
            view.update_event(time, states)?;
            view.reported_impulses(|report, impulse| self.loads[report].strike(&impulse));
            memory.restart_after_event();
            if let Some(what) = events.count(time) {
                return Err(EvaluationError::error(format!(
                    "{what} at {} s",
                    Exact(time)
                )));
            }
        }
        progress.attempts = pace.attempts;
        progress.time = time;
        progress.loads.clear();
        let loads = self.loads.iter_enumerated();
        let used = loads.filter(|(_, load)| **load != StepLoad::default());
        progress
            .loads
            .extend(used.map(|(report, load)| (report, *load)));
        view.unload(states);
        Ok(())
    }

    /// How often gaps were looked at inside steps.
    pub fn looks(&self) -> u64 {
        self.bench.looks
    }
}

/// Whether each so many steps are done; never with 0.
fn is_due(every: u64, memory: &Memory) -> bool {
    every != 0 && memory.statistics().steps.is_multiple_of(every)
}

/// How an island goes on at a time [s] and states.
fn beat(
    view: &mut IslandSystem<'_>,
    integrator: &Integrator,
    memory: &Memory,
    (time, states): (f64, &[f64]),
) -> Beat {
    let work = memory.statistics();
    Beat {
        time,
        step: memory.last_step().length,
        steps: work.steps,
        events: work.events,
        state: integrator.limiting_state().map(|x| view.state_name(x)),
        stiffest: view.stiffest(time, states),
    }
}
