//! Claims about the integrator, each against a closed form.
//!
//! - `accuracy`: order of the formula and of the dense output, known orbits
//! - `control`: ends, step sizes, stiff rest, resumed runs, counters
//! - `events`: times of events, dips inside a step, cost
//! - `failures`: what cannot be integrated, and what is said of it

mod accuracy;
mod control;
mod events;
mod failures;

use super::{Integrator, Memory, Settings, Stop};
use crate::hybrid::{EvaluationError, EventOutcome, HybridSystem};

type Outcome<T> = Result<T, EvaluationError>;
type Equation = Box<dyn FnMut(f64, &[f64], &mut [f64]) -> Outcome<()>>;
type CompletedStep = Box<dyn FnMut(f64, &[f64]) -> Outcome<bool>>;
type Update = Box<dyn FnMut(f64, &mut [f64])>;

/// A system given by closures.
struct Problem {
    nominals: Vec<f64>,
    indicator_count: usize,
    derivatives: Equation,
    indicators: Equation,
    completed_step: CompletedStep,
    update: Update,
}

impl Problem {
    fn new(
        nominals: &[f64],
        derivatives: impl FnMut(f64, &[f64], &mut [f64]) -> Outcome<()> + 'static,
    ) -> Self {
        Problem {
            nominals: nominals.to_vec(),
            indicator_count: 0,
            derivatives: Box::new(derivatives),
            indicators: Box::new(|_, _, _| Ok(())),
            completed_step: Box::new(|_, _| Ok(false)),
            update: Box::new(|_, _| ()),
        }
    }

    /// A mass point under the constant acceleration `a`, states position and velocity.
    fn ballistic(a: f64) -> Self {
        Problem::new(&[1.0, 1.0], move |_, x, f| {
            (f[0], f[1]) = (x[1], a);
            Ok(())
        })
    }

    fn with_indicators(
        mut self,
        count: usize,
        mut indicators: impl FnMut(f64, &[f64], &mut [f64]) + 'static,
    ) -> Self {
        self.indicator_count = count;
        self.indicators = Box::new(move |t, x, z| {
            indicators(t, x, z);
            Ok(())
        });
        self
    }
}

impl HybridSystem for Problem {
    fn state_count(&self) -> usize {
        self.nominals.len()
    }
    fn indicator_count(&self) -> usize {
        self.indicator_count
    }
    fn nominals(&self, nominals: &mut [f64]) {
        nominals.copy_from_slice(&self.nominals);
    }
    fn derivatives(&mut self, time: f64, x: &[f64], f: &mut [f64]) -> Outcome<()> {
        (self.derivatives)(time, x, f)
    }
    fn indicators(&mut self, time: f64, x: &[f64], z: &mut [f64]) -> Outcome<()> {
        (self.indicators)(time, x, z)
    }
    fn completed_step(&mut self, time: f64, x: &[f64]) -> Outcome<bool> {
        (self.completed_step)(time, x)
    }
    fn update_event(&mut self, time: f64, x: &mut [f64]) -> Outcome<EventOutcome> {
        (self.update)(time, x);
        Ok(EventOutcome::default())
    }
}

/// A run of a problem from t = 0.
struct Run {
    problem: Problem,
    integrator: Integrator,
    memory: Memory,
    time: f64,
    states: Vec<f64>,
}

impl Run {
    fn new(problem: Problem, relative_tolerance: f64, states: &[f64]) -> Self {
        let settings = Settings::new(relative_tolerance).unwrap();
        Run {
            integrator: Integrator::new(problem.state_count(), problem.indicator_count, settings),
            problem,
            memory: Memory::default(),
            time: 0.0,
            states: states.to_vec(),
        }
    }

    fn try_to(&mut self, end: f64) -> Outcome<Stop> {
        self.integrator.advance(
            &mut self.problem,
            &mut self.memory,
            &mut self.time,
            &mut self.states,
            end,
            None,
        )
    }

    fn to(&mut self, end: f64) -> Stop {
        self.try_to(end).unwrap()
    }

    /// Runs to the next event, updates there and answers its time; none: it came to `end`.
    fn event_before(&mut self, end: f64) -> Option<f64> {
        match self.to(end) {
            Stop::End => None,
            Stop::Event | Stop::StepEvent => {
                self.problem
                    .update_event(self.time, &mut self.states)
                    .unwrap();
                Some(self.time)
            }
        }
    }
}
