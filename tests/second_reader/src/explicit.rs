//! An explicit solver with event location: Dormand-Prince 5(4).
//!
//! A step of size h [s] is accepted where the root mean square of error/(tolerance (|x| + nominal))
//! is at most 1. Where a step changes the domain of an indicator, z > 0 or z <= 0, it is repeated
//! with sizes that enclose the change by halving, so the event is at the end of a whole step.
//!
//! Tableau: Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19-26.

use crate::Failure;
use crate::versions::{Model, References};

const NODES: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
const STAGES: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
    ],
    &[
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
    ],
    &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];
const ERROR_WEIGHTS: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// Relative tolerance: the one that the examples suggest.
const TOLERANCE: f64 = 1e-8;
/// First step after a start or an event [s]; the error control lets it grow.
const FIRST_STEP: f64 = 1e-6;
/// Share of the step that an error estimate allows, and the limits of its change.
const SAFETY: f64 = 0.9;
const SHRINK: f64 = 0.2;
const GROW: f64 = 5.0;
/// Halvings of a step that enclose an event: 2^-60 of a step is below rounding of the time.
const HALVINGS: u32 = 60;

/// The state of an integration.
pub struct Solver {
    time: f64,
    states: Vec<f64>,
    nominals: Vec<f64>,
    positive: Vec<bool>,
    size: f64,
}

impl Solver {
    /// Starts at a time [s] in Continuous-Time Mode.
    ///
    /// # Errors
    /// The FMU refuses a call.
    pub fn new(
        instance: &mut impl Model,
        time: f64,
        references: &References,
    ) -> Result<Self, Failure> {
        let mut solver = Solver {
            time,
            states: vec![0.0; references.states],
            nominals: vec![0.0; references.states],
            positive: vec![false; references.indicators],
            size: FIRST_STEP,
        };
        solver.restart(instance)?;
        Ok(solver)
    }

    /// Present time [s].
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Starts anew after an event.
    ///
    /// # Errors
    /// The FMU refuses a call.
    pub fn restart(&mut self, instance: &mut impl Model) -> Result<(), Failure> {
        instance.get_continuous_states(&mut self.states)?;
        instance.get_nominals_of_continuous_states(&mut self.nominals)?;
        self.positive = domains(instance, self.positive.len())?;
        self.size = FIRST_STEP;
        Ok(())
    }

    /// One accepted step, at most to `target` [s]; answers whether an event ended it. The instance
    /// is left at the end of the step.
    ///
    /// # Errors
    /// The FMU refuses a call.
    pub fn step(&mut self, instance: &mut impl Model, target: f64) -> Result<bool, Failure> {
        let room = target - self.time;
        let (size, mut end) = loop {
            let size = self.size.min(room);
            let (end, error) = self.attempt(instance, size)?;
            let change = (SAFETY * error.powf(-0.2)).clamp(SHRINK, GROW);
            if error <= 1.0 {
                // A step cut short by the target says nothing against the size it was cut from.
                let floor = if size < self.size { self.size } else { 0.0 };
                self.size = (size * change).max(floor);
                break (size, end);
            }
            self.size = size * change;
        };
        let mut after = if size < room {
            self.time + size
        } else {
            target
        };
        let at_event = self.crossed(instance, after, &end)?;
        if at_event {
            let (mut low, mut high) = (0.0, size);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                let (states, _) = self.attempt(instance, middle)?;
                if self.crossed(instance, self.time + middle, &states)? {
                    (high, end, after) = (middle, states, self.time + middle);
                } else {
                    low = middle;
                }
            }
            move_to(instance, after, &end)?;
        }
        self.time = after;
        self.states = end;
        Ok(at_event)
    }

    /// States after a step of `size` [s], and the size of its error [1].
    fn attempt(&self, instance: &mut impl Model, size: f64) -> Result<(Vec<f64>, f64), Failure> {
        let n = self.states.len();
        let mut slopes: Vec<Vec<f64>> = Vec::with_capacity(NODES.len());
        let mut end = self.states.clone();
        for (node, weights) in NODES.iter().zip(STAGES) {
            end = (0..n)
                .map(|i| self.states[i] + size * combine(weights, &slopes, i))
                .collect();
            move_to(instance, self.time + node * size, &end)?;
            let mut slope = vec![0.0; n];
            instance.get_continuous_state_derivatives(&mut slope)?;
            slopes.push(slope);
        }
        let squares: f64 = (0..n)
            .map(|i| {
                let magnitude = self.states[i].abs().max(end[i].abs()) + self.nominals[i];
                let error = size * combine(&ERROR_WEIGHTS, &slopes, i);
                (error / (TOLERANCE * magnitude)).powi(2)
            })
            .sum();
        Ok((end, (squares / n as f64).sqrt()))
    }

    /// Whether an indicator has left its domain at a time [s] and states.
    fn crossed(
        &self,
        instance: &mut impl Model,
        time: f64,
        states: &[f64],
    ) -> Result<bool, Failure> {
        move_to(instance, time, states)?;
        Ok(domains(instance, self.positive.len())? != self.positive)
    }
}

fn combine(weights: &[f64], slopes: &[Vec<f64>], i: usize) -> f64 {
    weights
        .iter()
        .zip(slopes)
        .map(|(w, slope)| w * slope[i])
        .sum()
}

fn move_to(instance: &mut impl Model, time: f64, states: &[f64]) -> Result<(), Failure> {
    instance.set_time(time)?;
    instance.set_continuous_states(states)?;
    Ok(())
}

fn domains(instance: &mut impl Model, count: usize) -> Result<Vec<bool>, Failure> {
    let mut indicators = vec![0.0; count];
    if !instance.get_event_indicators(&mut indicators)? {
        return Err("the FMU cannot compute its indicators".into());
    }
    Ok(indicators.iter().map(|z| *z > 0.0).collect())
}
