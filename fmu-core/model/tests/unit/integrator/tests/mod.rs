//! Claims about the integrator, each against a closed form.
//!
//! - `automatic`: the formula that is chosen, linear equations
//! - `accuracy`: order of the formula and of the dense output, known orbits
//! - `control`: ends, step sizes, stiff rest, resumed runs, counters
//! - `events`: times of events, dips inside a step, cost
//! - `failures`: what cannot be integrated, and what is said of it
//! - `rest`: steps at rest
//! - `rosenbrock`: the implicit formula

mod accuracy;
mod automatic;
mod control;
mod events;
mod failures;
mod rest;
mod rosenbrock;

use super::settings::Errors;
use super::{DenseStep, Integrator, LegEnd, Memory, Settings};
use crate::hybrid::{Entry, EvaluationError, EventOutcome, HybridSystem};
use crate::integrator::dormand_prince::DormandPrince;
use crate::integrator::evaluator::Method;

type Outcome<T> = Result<T, EvaluationError>;
type Equation = Box<dyn FnMut(f64, &[f64], &mut [f64]) -> Outcome<()>>;
type CompletedStep = Box<dyn FnMut(f64, &[f64]) -> Outcome<bool>>;
type Update = Box<dyn FnMut(f64, &mut [f64])>;
type FirstEntry = Box<dyn FnMut(&DenseStep<'_>) -> Option<Entry>>;

/// A system given by closures.
struct Problem {
    nominals: Vec<f64>,
    indicator_count: usize,
    derivatives: Equation,
    indicators: Equation,
    first_entry: FirstEntry,
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
            first_entry: Box::new(|_| None),
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

impl Problem {
    /// One indicator, a gap [m] between bodies that come nearer by no more than `speed` [m/s]; in a
    /// step it is marched along, and no dip of more than 1e-10 m passed over.
    fn with_gap(mut self, speed: f64, gap: impl Fn(&[f64]) -> f64 + Clone + 'static) -> Self {
        let count = self.nominals.len();
        let indicator = gap.clone();
        self = self.with_indicators(1, move |_, x, z| z[0] = indicator(x));
        self.first_entry = Box::new(move |step| {
            let length = step.t1() - step.t0();
            let mut x = vec![0.0; count];
            let (mut before, mut after) = (0.0, 0.0);
            loop {
                step.interpolate(step.t0() + after * length, &mut x);
                let z = gap(&x);
                if z <= 0.0 {
                    // Already there at the start: no entry.
                    return (after > 0.0).then_some(Entry { before, after });
                }
                before = after;
                after += z.max(1e-10) / speed / length;
                if after >= 1.0 {
                    return None;
                }
            }
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
    fn first_entry(&mut self, step: &DenseStep<'_>, _: &[f64]) -> Outcome<Option<Entry>> {
        Ok((self.first_entry)(step))
    }
    fn completed_step(&mut self, time: f64, x: &[f64]) -> Outcome<bool> {
        (self.completed_step)(time, x)
    }
    fn update_event(&mut self, time: f64, x: &mut [f64]) -> Outcome<EventOutcome> {
        (self.update)(time, x);
        Ok(EventOutcome::default())
    }
}

/// log2 of the ratio of the errors with the steps h and h/2.
fn order(error: impl Fn(f64) -> f64, h: f64) -> f64 {
    (error(h) / error(0.5 * h)).log2()
}

/// Estimated error of a finished step of length `h` at a relative tolerance of 0.1, nominals 1.
fn error_in_tolerances(method: &impl Method, h: f64, x0: &[f64]) -> f64 {
    let mut rates = vec![0.0; x0.len()];
    method.error_rates(&mut rates);
    let errors = Errors {
        rates: &rates,
        x0,
        x1: method.end(),
        nominals: &vec![1.0; x0.len()],
        settings: &Settings::new(0.1).unwrap(),
    };
    errors.largest(h)
}

/// A run of a problem from t = 0.
struct Run<M: Method = DormandPrince> {
    problem: Problem,
    integrator: Integrator<M>,
    memory: Memory,
    time: f64,
    states: Vec<f64>,
}

impl Run {
    fn new(problem: Problem, relative_tolerance: f64, states: &[f64]) -> Self {
        let settings = Settings::new(relative_tolerance).unwrap();
        Run::with_method(problem, settings, states)
    }
}

impl<M: Method> Run<M> {
    fn with_method(problem: Problem, settings: Settings, states: &[f64]) -> Self {
        let (n, indicators) = (problem.state_count(), problem.indicator_count);
        Run {
            integrator: Integrator::with_method(n, indicators, settings),
            problem,
            memory: Memory::default(),
            time: 0.0,
            states: states.to_vec(),
        }
    }

    fn try_to(&mut self, end: f64) -> Outcome<LegEnd> {
        self.integrator.advance(
            &mut self.problem,
            &mut self.memory,
            &mut self.time,
            &mut self.states,
            end,
            None,
        )
    }

    fn to(&mut self, end: f64) -> LegEnd {
        self.try_to(end).unwrap()
    }

    /// Runs to the next event and updates there. Returns its time, none if it came to `end`.
    fn event_before(&mut self, end: f64) -> Option<f64> {
        match self.to(end) {
            LegEnd::End => None,
            LegEnd::Event | LegEnd::StepEvent => {
                self.problem
                    .update_event(self.time, &mut self.states)
                    .unwrap();
                Some(self.time)
            }
        }
    }
}
