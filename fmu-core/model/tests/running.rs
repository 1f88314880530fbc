//! A scene that the built-in integrator takes from event to event.
#![allow(dead_code, reason = "each of them uses its part")]

use crate::fixtures::*;
use contact_model::dynamics::StopChange;
use contact_model::integrator::Observer;
use contact_model::islands::{Kept, Memories, Recorder, StepLoad, Task, Windows};
use contact_model::threads::Crew;

/// A run over events.
pub struct Run {
    pub system: System,
    integrator: Integrator,
    pub memory: Memory,
    pub time: f64,
    pub states: Vec<f64>,
    recorder: Recorder,
    /// Changes of stops with their times.
    pub stops: Vec<(f64, StopChange)>,
    /// What the reported pairs have done since the start.
    pub loads: TiVec<ReportId, StepLoad>,
}

impl Run {
    /// From the start of a scene on.
    pub fn new(description: SceneDescription, tolerance: f64) -> Self {
        let scene = valid(description);
        Run::from(start_of(&scene), scene.start_states(), tolerance)
    }

    /// From these states on.
    pub fn from(system: System, states: Vec<f64>, tolerance: f64) -> Self {
        let settings = Settings::new(tolerance).expect("a tolerance");
        let reported = system.scene().reported().len();
        let mut run = Run {
            recorder: Recorder::new(reported),
            loads: ti_vec![StepLoad::default(); reported],
            integrator: Integrator::new(states.len(), system.indicator_count(), settings),
            system,
            memory: Memory::default(),
            time: 0.0,
            states,
            stops: Vec::new(),
        };
        run.handle_event();
        run
    }

    /// The same run by this formula.
    pub fn with_solver(mut self, solver: Solver) -> Self {
        let settings = self.integrator.settings().with_solver(solver);
        self.integrator.set_settings(settings);
        self
    }

    /// Goes on to a time, or to the first event at which `ends` holds.
    pub fn until(&mut self, end: f64, mut ends: impl FnMut(&System) -> bool) {
        loop {
            let (recorder, loads) = (&mut self.recorder, &mut self.loads);
            let mut record =
                |system: &mut System, step: &DenseStep<'_>| recorder.add(system, step, loads);
            let (system, memory) = (&mut self.system, &mut self.memory);
            let (time, states) = (&mut self.time, &mut self.states);
            let stop = self
                .integrator
                .advance(system, memory, time, states, end, Some(&mut record))
                .expect("an integration");
            if stop == LegEnd::End {
                return;
            }
            self.handle_event();
            if ends(&self.system) {
                return;
            }
        }
    }

    /// Goes on to the next event, which is not handled, or to a time [s].
    pub fn leg(&mut self, end: f64, observer: Option<Observer<'_, System>>) -> LegEnd {
        let (system, memory) = (&mut self.system, &mut self.memory);
        let (time, states) = (&mut self.time, &mut self.states);
        let stop = self
            .integrator
            .advance(system, memory, time, states, end, observer);
        stop.expect("an integration")
    }

    /// The same. Returns true at an event.
    pub fn reach_event(&mut self, end: f64) -> bool {
        self.leg(end, None) != LegEnd::End
    }

    /// Handles an event at the present time and states.
    pub fn handle_event(&mut self) {
        let result = self.system.update_event(self.time, &mut self.states);
        result.expect("an event update");
        self.memory.restart();
        for change in self.system.changes() {
            if let Change::Stop(change) = change {
                self.stops.push((self.time, *change));
            }
        }
    }

    /// Goes on to a time [s] before which there is no event.
    pub fn smoothly_to(&mut self, end: f64) {
        assert!(!self.reach_event(end), "an event at {} s", self.time);
    }

    /// Goes on to a time [s].
    pub fn to(&mut self, end: f64) {
        self.until(end, |_| false);
    }

    /// Kinetic, potential and elastic energy [J].
    pub fn energy(&mut self) -> f64 {
        energy(&mut self.system, self.time, &self.states)
    }

    /// The energy and what was dissipated [J].
    pub fn balance(&mut self) -> f64 {
        let work = self.system.scene().layout().work();
        self.energy() + work.map_or(0.0, |work| self.states[work])
    }
}

fn energy(system: &mut System, time: f64, states: &[f64]) -> f64 {
    let outputs = system.outputs(time, states).expect("outputs");
    outputs.kinetic_energy + outputs.potential_energy + outputs.elastic_energy
}

/// A run island by island.
pub struct DividedRun {
    pub system: System,
    windows: Windows,
    pub settings: Settings,
    pub memories: Memories,
    pub memory: Memory,
    pub time: f64,
    pub states: Vec<f64>,
    /// Contacts and stops that started and ended, with their times.
    pub changes: Vec<(f64, Change)>,
    /// Number of links of the largest island of each window, and number of islands.
    pub sizes: Vec<(usize, usize)>,
    /// What the reported pairs have done since the start.
    pub loads: TiVec<ReportId, StepLoad>,
    /// Threads that share the islands.
    pub threads: usize,
}

impl DividedRun {
    /// From the start of a scene on.
    pub fn new(description: SceneDescription, tolerance: f64) -> Self {
        let whole = Run::new(description, tolerance);
        DividedRun {
            windows: Windows::new(&whole.system),
            settings: *whole.integrator.settings(),
            memories: Memories::default(),
            memory: Memory::default(),
            system: whole.system,
            time: 0.0,
            states: whole.states,
            changes: Vec::new(),
            sizes: Vec::new(),
            loads: whole.loads,
            threads: 1,
        }
    }

    /// Goes on to a time [s] by communication steps of a length [s].
    pub fn to(&mut self, end: f64, step: f64) {
        let start = self.time;
        for count in 1.. {
            let point = (start + f64::from(count) * step).min(end);
            while self.time < point {
                self.window(point);
            }
            if point == end {
                return;
            }
        }
    }

    /// One window, which ends at a time [s] or before.
    pub fn window(&mut self, end: f64) {
        let crew = Crew::new(self.threads);
        let task = Task {
            end,
            settings: &self.settings,
            attempts: 0,
            is_watched: false,
            crew: &crew,
            stops_at_events: false,
            steps_per_beat: 0,
        };
        let result = self.system.go_to(self.time, &self.states);
        result.expect("good states");
        let kept = Kept {
            memory: &mut self.memory,
            memories: &mut self.memories,
            loads: &mut self.loads,
        };
        let window = self
            .windows
            .advance(&mut self.system, &mut self.states, kept, &task, &mut |_| {})
            .expect("an integration")
            .expect("enough slots");
        self.time = window.end;
        self.changes.extend_from_slice(self.windows.changes());
        self.sizes
            .push((self.windows.largest(), self.windows.count()));
        assert!(!window.at_event);
    }

    /// Kinetic, potential and elastic energy [J].
    pub fn energy(&mut self) -> f64 {
        energy(&mut self.system, self.time, &self.states)
    }
}
