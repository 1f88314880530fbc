//! Runs Model Exchange in two ways: as a careful importer does, and with the habits of generated
//! importers that know no modes of an FMU, such as OpenModelica's `importFMU`: equations that call
//! the FMU whenever they are evaluated, in whatever order, forwards and backwards in time.
//!
//! Both use the same integrator, so that a difference in the motion comes from the calls.

use contact_model::hybrid::{EvaluationError, EventOutcome, HybridSystem};
use contact_model::integrator::{Integrator, LegEnd, Memory, Settings};

/// An instance in Continuous-Time Mode, in no FMI version's words. Each call must succeed.
pub trait Exchange {
    fn set_time(&self, time: f64);
    fn set_states(&self, states: &[f64]);
    fn states(&self) -> Vec<f64>;
    fn nominals(&self) -> Vec<f64>;
    fn derivatives(&self) -> Vec<f64>;
    fn indicators(&self) -> Vec<f64>;
    fn completed_step(&self) -> bool;
    /// Enters Event Mode, in which the instance may be already.
    fn enter_event_mode(&self);
    /// Updates the discrete states as often as the instance asks for it, or once only.
    fn update(&self, once: bool);
    fn enter_continuous_time_mode(&self);
}

/// What an importer does beyond what it should.
#[derive(Clone, Copy, Debug, Default)]
pub struct Habits {
    /// Each evaluation asks for everything and ends with CompletedIntegratorStep, also where the
    /// step is rejected later.
    pub completes_every_evaluation: bool,
    /// Evaluates at earlier times after each accepted step.
    pub goes_back: bool,
    /// Enters Event Mode twice, and evaluates in it before the update.
    pub enters_event_mode_twice: bool,
    /// Sets the states in Event Mode, before and after the update.
    pub sets_states_in_event_mode: bool,
    /// Updates the discrete states once, whatever the answer.
    pub updates_once: bool,
}

/// The instance as the integrator sees it.
struct Driver<'a, E> {
    instance: &'a E,
    habits: Habits,
    nominals: Vec<f64>,
    indicator_count: usize,
    /// A completed step that was none asked for an event.
    event_asked: bool,
    /// Start of the present step, to go back to.
    last: (f64, Vec<f64>),
}

impl<E: Exchange> Driver<'_, E> {
    fn place(&mut self, time: f64, states: &[f64]) {
        self.instance.set_time(time);
        self.instance.set_states(states);
    }

    fn evaluate(&mut self, time: f64, states: &[f64]) -> (Vec<f64>, Vec<f64>) {
        self.place(time, states);
        let answer = (self.instance.derivatives(), self.instance.indicators());
        self.event_asked |= self.instance.completed_step();
        answer
    }
}

impl<E: Exchange> HybridSystem for Driver<'_, E> {
    fn state_count(&self) -> usize {
        self.nominals.len()
    }

    fn indicator_count(&self) -> usize {
        self.indicator_count
    }

    fn nominals(&self, nominals: &mut [f64]) {
        nominals.copy_from_slice(&self.nominals);
    }

    fn derivatives(
        &mut self,
        time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let values = if self.habits.completes_every_evaluation {
            self.evaluate(time, states).0
        } else {
            self.place(time, states);
            self.instance.derivatives()
        };
        derivatives.copy_from_slice(&values);
        Ok(())
    }

    fn indicators(
        &mut self,
        time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let values = if self.habits.completes_every_evaluation {
            self.evaluate(time, states).1
        } else {
            self.place(time, states);
            self.instance.indicators()
        };
        indicators.copy_from_slice(&values);
        Ok(())
    }

    fn completed_step(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        if self.habits.goes_back {
            let (before, there) = std::mem::replace(&mut self.last, (time, states.to_vec()));
            self.evaluate(before, &there);
        }
        self.place(time, states);
        let asked = self.instance.completed_step();
        Ok(asked || std::mem::take(&mut self.event_asked))
    }

    fn update_event(
        &mut self,
        time: f64,
        states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError> {
        let (instance, habits) = (self.instance, self.habits);
        self.place(time, states);
        instance.enter_event_mode();
        if habits.enters_event_mode_twice {
            instance.set_time(time);
            instance.derivatives();
            instance.indicators();
            instance.enter_event_mode();
        }
        if habits.sets_states_in_event_mode {
            instance.set_states(states);
        }
        instance.update(habits.updates_once);
        if habits.sets_states_in_event_mode {
            instance.set_states(&instance.states());
        }
        instance.enter_continuous_time_mode();
        states.copy_from_slice(&instance.states());
        self.nominals = instance.nominals();
        self.event_asked = false;
        Ok(EventOutcome::default())
    }
}

/// A run: states at equal distances of time, and the number of events.
pub struct Motion {
    pub rows: Vec<Vec<f64>>,
    pub events: u32,
}

/// Integrates an instance that has just left Initialization Mode, with a relative tolerance, and
/// gives the states at `count` times `distance` [s] apart.
pub fn run<E: Exchange>(
    instance: &E,
    habits: Habits,
    tolerance: f64,
    distance: f64,
    count: usize,
) -> Motion {
    let mut time = 0.0;
    let mut states = instance.states();
    let mut driver = Driver {
        instance,
        habits,
        nominals: instance.nominals(),
        indicator_count: instance.indicators().len(),
        event_asked: false,
        last: (time, states.clone()),
    };
    if habits.enters_event_mode_twice {
        // Equations are evaluated in Event Mode after initialisation, before any update.
        instance.set_time(time);
        instance.derivatives();
        instance.enter_event_mode();
    }
    instance.update(habits.updates_once);
    instance.enter_continuous_time_mode();
    let settings = Settings::new(tolerance).unwrap();
    let mut integrator = Integrator::new(states.len(), driver.indicator_count, settings);
    let mut memory = Memory::default();
    let mut motion = Motion {
        rows: Vec::new(),
        events: 0,
    };
    for index in 1..=count {
        let end = distance * index as f64;
        while integrator
            .advance(&mut driver, &mut memory, &mut time, &mut states, end, None)
            .unwrap()
            != LegEnd::End
        {
            motion.events += 1;
            driver.update_event(time, &mut states).unwrap();
            memory.restart();
        }
        motion.rows.push(states.clone());
    }
    motion
}

/// Claims that `habits` give the events of a careful importer and its states
/// within 1e-9 [SI]; `run` makes an instance of its own for each.
pub fn habits_do_not_matter(habits: Habits, least_events: u32, run: impl Fn(Habits) -> Motion) {
    let (careful, careless) = (run(Habits::default()), run(habits));
    assert!(careful.events >= least_events, "{}", careful.events);
    assert_eq!(careless.events, careful.events);
    let difference = difference(&careful, &careless);
    assert!(difference <= 1e-9, "{difference}");
}

/// Largest difference of two motions [SI units of the states].
fn difference(a: &Motion, b: &Motion) -> f64 {
    let rows = a.rows.iter().zip(&b.rows);
    rows.flat_map(|(a, b)| a.iter().zip(b))
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}
