//! A scene that the built-in integrator takes from event to event.
#![allow(dead_code, reason = "each of them uses its part")]

use contact_laws::index::{ReportId, TiVec, ti_vec};
use contact_model::dynamics::System;
use contact_model::dynamics::island::Change;
use contact_model::hybrid::HybridSystem;
use contact_model::integrator::{DenseStep, Integrator, LegEnd, Memory, Settings, Solver};
use contact_model::islands::{Memories, Recorder, StepLoad, Task, Windows};
use contact_model::scene::description::SceneDescription;
use contact_model::scene::{Parameters, Scene};
use std::sync::Arc;

/// A run over events.
pub struct Run {
    pub system: System,
    integrator: Integrator,
    pub memory: Memory,
    pub time: f64,
    pub states: Vec<f64>,
    recorder: Recorder,
    /// What the reported pairs have done since the start.
    pub loads: TiVec<ReportId, StepLoad>,
}

impl Run {
    /// From the start of a scene on.
    pub fn new(description: SceneDescription, tolerance: f64) -> Self {
        let scene = Arc::new(Scene::new(description).expect("a valid scene"));
        let parameters = Parameters::start(&scene);
        let mut system = System::new(Arc::clone(&scene), &parameters).expect("valid parameters");
        let mut states = scene.start_states();
        let result = system.update_event(0.0, &mut states);
        result.expect("an event update");
        let settings = Settings::new(tolerance).expect("a tolerance");
        let reported = scene.reported().len();
        Run {
            recorder: Recorder::new(reported),
            loads: ti_vec![StepLoad::default(); reported],
            integrator: Integrator::new(states.len(), system.indicator_count(), settings),
            system,
            memory: Memory::default(),
            time: 0.0,
            states,
        }
    }

    /// The same run by this formula.
    pub fn with_solver(mut self, solver: Solver) -> Self {
        let settings = self.integrator.settings().with_solver(solver);
        self.integrator.set_settings(settings);
        self
    }

    /// Goes on to a time, or to the first event at which `ends` holds.
    pub fn until(&mut self, end: f64, mut ends: impl FnMut(&System) -> bool) {
        let (recorder, loads) = (&mut self.recorder, &mut self.loads);
        let mut record =
            |system: &mut System, step: &DenseStep<'_>| recorder.add(system, step, loads);
        loop {
            let (system, memory) = (&mut self.system, &mut self.memory);
            let (time, states) = (&mut self.time, &mut self.states);
            let stop = self
                .integrator
                .advance(system, memory, time, states, end, Some(&mut record))
                .expect("an integration");
            if stop == LegEnd::End {
                return;
            }
            let result = self.system.update_event(self.time, &mut self.states);
            result.expect("an event update");
            self.memory.restart();
            if ends(&self.system) {
                return;
            }
        }
    }

    /// Goes on to the next event, which is not handled, or to a time [s]. Returns true at an event.
    pub fn reach_event(&mut self, end: f64) -> bool {
        let (system, memory) = (&mut self.system, &mut self.memory);
        let (time, states) = (&mut self.time, &mut self.states);
        let stop = self
            .integrator
            .advance(system, memory, time, states, end, None)
            .expect("an integration");
        stop != LegEnd::End
    }

    /// Handles an event at the present time and states.
    pub fn handle_event(&mut self) {
        let result = self.system.update_event(self.time, &mut self.states);
        result.expect("an event update");
        self.memory.restart();
    }

    /// Goes on to a time [s].
    pub fn to(&mut self, end: f64) {
        self.until(end, |_| false);
    }

    /// Kinetic, potential and elastic energy [J].
    pub fn energy(&mut self) -> f64 {
        let outputs = self.system.outputs(self.time, &self.states);
        let outputs = outputs.expect("outputs");
        outputs.kinetic_energy + outputs.potential_energy + outputs.elastic_energy
    }
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
        let task = Task {
            end,
            settings: &self.settings,
            attempts: 0,
            is_watched: false,
            threads: self.threads,
            stops_at_events: false,
            steps_per_beat: 0,
        };
        let result = self.system.go_to(self.time, &self.states);
        result.expect("good states");
        let memory = (&mut self.memories, &mut self.memory);
        let window = self
            .windows
            .advance(
                &mut self.system,
                memory,
                (&mut self.states, &mut self.loads),
                &task,
                &mut |_| {},
            )
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
        let outputs = self.system.outputs(self.time, &self.states);
        let outputs = outputs.expect("outputs");
        outputs.kinetic_energy + outputs.potential_energy + outputs.elastic_energy
    }
}
