//! A scene that the built-in integrator takes from event to event.
#![allow(dead_code, reason = "each of them uses its part")]

use fmu_core::dynamics::System;
use fmu_core::hybrid::HybridSystem;
use fmu_core::integrator::{Integrator, LegEnd, Memory, Settings, Solver};
use fmu_core::scene::description::SceneDescription;
use fmu_core::scene::{Parameters, Scene};
use std::sync::Arc;

/// A run over events.
pub struct Run {
    pub system: System,
    integrator: Integrator,
    pub memory: Memory,
    pub time: f64,
    pub states: Vec<f64>,
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
        Run {
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
        loop {
            let (system, memory) = (&mut self.system, &mut self.memory);
            let (time, states) = (&mut self.time, &mut self.states);
            let stop = self
                .integrator
                .advance(system, memory, time, states, end, None)
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
