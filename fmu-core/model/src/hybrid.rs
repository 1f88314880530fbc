//! Interface of a model to an integrator: an ordinary differential equation with event indicators.
//!
//! Between events x' = f(t, x) with frozen discrete state. An event indicator z is continuous between events;
//! an event is due when its domain changes, where the domains are z > 0 and z <= 0. After
//! [`HybridSystem::update_event`] no indicator is exactly zero.

use contact_geometry::math::dense::DenseStep;
use thiserror::Error;

/// Failed evaluation.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct EvaluationError {
    /// Possible reaction, such as a smaller step.
    pub severity: Severity,
    /// Cause, with names and numbers.
    pub message: String,
}

/// Possible reaction of the caller to an [`EvaluationError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The states are invalid (NaN, out of range); a smaller step may give valid ones.
    Discard,
    /// The model cannot continue.
    Error,
    /// The integrator would exceed its number of steps; a softer model, a looser tolerance or a larger budget
    /// may help.
    TooManySteps,
    /// No step of the integrator is small enough.
    StepTooSmall,
}

impl EvaluationError {
    /// Error that a smaller step may avoid.
    pub fn discard(message: impl Into<String>) -> Self {
        EvaluationError {
            severity: Severity::Discard,
            message: message.into(),
        }
    }

    pub(crate) fn too_many_steps(message: impl Into<String>) -> Self {
        EvaluationError {
            severity: Severity::TooManySteps,
            message: message.into(),
        }
    }

    pub(crate) fn step_too_small(message: impl Into<String>) -> Self {
        EvaluationError {
            severity: Severity::StepTooSmall,
            message: message.into(),
        }
    }

    /// Error that no step size avoids.
    pub fn error(message: impl Into<String>) -> Self {
        EvaluationError {
            severity: Severity::Error,
            message: message.into(),
        }
    }
}

/// Outcome of an event update, iterated to convergence.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct EventOutcome {
    /// Whether the update changed a continuous state.
    pub states_changed: bool,
    /// Time of the next time event [s], if known.
    pub next_event_time: Option<f64>,
}

/// Treatment of domain changes inside a step, see [`HybridSystem::pass_over`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// This number of changes needs no event: the step is valid.
    Passed(u64),
    /// They need no event, but have an effect within the step, which must be repeated.
    Repeat,
    /// The first change, if there is any, needs an event.
    Event,
}

/// Point of a step where a positive indicator may cease to be positive, as fractions of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Up to here all indicators positive at its start remain positive.
    pub before: f64,
    /// Here one is not; equal to `before` if nothing is known beyond it.
    pub after: f64,
}

/// Number of directions evaluated at once by a system with exact derivatives, see
/// [`HybridSystem::derivatives_along`]: more would cost about as much each.
pub(crate) const DIRECTIONS: usize = 4;

/// Direction in which time, states and inputs change.
#[derive(Clone, Copy, Debug)]
pub struct Direction<'a> {
    /// Change of time [s].
    pub time: f64,
    /// Change of each state.
    pub states: &'a [f64],
    /// Change of each input.
    pub inputs: &'a [f64],
}

/// Derivatives along a [`Direction`]; empty slices are not computed.
#[derive(Debug)]
pub struct Along<'a> {
    /// Derivatives of the state derivatives.
    pub rates: &'a mut [f64],
    /// Derivatives of the event indicators.
    pub indicators: &'a mut [f64],
    /// Derivatives of the outputs.
    pub outputs: &'a mut [f64],
}

/// Sparsity of the Jacobian: states divided into blocks.
///
/// The derivatives of a block's states depend only on the states of that block and of those listed for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Block of each state, counted from 0.
    pub of_states: Vec<usize>,
    /// Pairs [block, other]: the derivatives of the block also depend on states of the other one.
    pub depends: Vec<[usize; 2]>,
}

impl Blocks {
    pub(crate) fn clear(&mut self) {
        self.of_states.clear();
        self.depends.clear();
    }
}

/// Role of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Role {
    /// A position.
    Position,
    /// The velocity of a position with this nominal magnitude.
    Velocity(f64),
    /// Neither.
    #[default]
    Other,
}

/// Ordinary differential equation with event indicators and a discrete state.
///
/// Slices have the lengths [`Self::state_count`] and [`Self::indicator_count`].
pub trait HybridSystem {
    /// Number of continuous states; constant.
    fn state_count(&self) -> usize;

    /// Number of event indicators; constant.
    fn indicator_count(&self) -> usize;

    /// Name of a state, for messages.
    fn state_name(&self, index: usize) -> String {
        format!("state {}", index + 1)
    }

    /// Nominal magnitude of each state; times a relative tolerance the absolute one.
    fn nominals(&self, nominals: &mut [f64]);

    /// Role of each state; [`Role::Other`] by default.
    fn roles(&self, roles: &mut [Role]) {
        roles.fill(Role::Other);
    }

    /// State derivatives f(t, x).
    fn derivatives(
        &mut self,
        time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError>;

    /// Event indicators z(t, x).
    fn indicators(
        &mut self,
        time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError>;

    /// Bounds the indicators over a step with the solution `step` and the values `indicators` at its start.
    /// Returns the first point in which an indicator that is positive at the start, or a quantity without an
    /// indicator that would need an event, may be zero or less, even if it is positive again at the end.
    ///
    /// `None`, also without bounds, as by default: an integrator then detects changes at the ends of steps
    /// only.
    fn first_entry(
        &mut self,
        step: &DenseStep<'_>,
        indicators: &[f64],
    ) -> Result<Option<Entry>, EvaluationError> {
        let _ = (step, indicators);
        Ok(None)
    }

    /// Judges the domain changes inside a step with the solution `step` and the indicators at its start and
    /// end. Where the right-hand side continues so smoothly that the step misses less than the tolerance, as
    /// at the start of a contact whose force grows from zero, the integrator need not stop: it repeats the
    /// step with the changes while the result is [`Passing::Repeat`]. [`Self::completed_step`] makes the
    /// discrete state changes permanent, [`Self::forget_passed`] reverts them.
    ///
    /// By default every change is an event.
    ///
    /// # Errors
    /// Invalid states or inputs.
    fn pass_over(
        &mut self,
        step: &DenseStep<'_>,
        indicators: [&[f64]; 2],
    ) -> Result<Passing, EvaluationError> {
        let _ = (step, indicators);
        Ok(Passing::Event)
    }

    /// Reverts [`Self::pass_over`] for a step that is not taken. Returns true if that changes anything.
    fn forget_passed(&mut self) -> bool {
        false
    }

    /// Called when a step has ended at (t, x). Returns true to request an event update. Changes nothing
    /// irrevocably: it may be called twice for a step, and time may go back.
    fn completed_step(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError>;

    /// Event update at (t, x), iterated to convergence: updates the discrete state and may change `states`.
    fn update_event(
        &mut self,
        time: f64,
        states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError>;

    /// Number of inputs; constant.
    fn input_count(&self) -> usize {
        0
    }

    /// Number of outputs with derivatives in [`Self::derivatives_along`]; constant.
    fn output_count(&self) -> usize {
        0
    }

    /// Sparsity of the Jacobian until the next event; a single block by default.
    fn blocks(&self, blocks: &mut Blocks) {
        blocks.of_states.resize(self.state_count(), 0);
    }

    /// Returns false if state derivatives depend on states alone, not on time; true by default.
    fn depends_on_time(&self) -> bool {
        true
    }

    /// Prescribed motion in the states of bodies that it carries: sets the coefficients of theta^2, theta^3
    /// and theta^4, theta the fraction of the step, for the step between two times [s] from these states.
    /// None by default.
    fn set_carried(&mut self, t0: f64, t1: f64, states: &[f64], coefficients: [&mut [f64]; 3]) {
        let _ = (t0, t1, states, coefficients);
    }

    /// Derivatives of state derivatives, event indicators and outputs along directions of time, states and
    /// inputs, at (t, x) with frozen discrete state: the products of the Jacobian with the directions.
    /// `along` has an entry for each direction.
    ///
    /// The default takes finite differences of second order of the first two, with a step scaled by the
    /// nominals: central ones, or forward ones if time changes, since the equation may have been different
    /// before. A system with exact derivatives overrides it, and one with inputs or outputs must.
    fn derivatives_along(
        &mut self,
        time: f64,
        states: &[f64],
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> Result<(), EvaluationError> {
        for (direction, along) in directions.iter().zip(along) {
            self.differences_along(time, states, direction, along)?;
        }
        Ok(())
    }

    /// Finite differences of second order along a direction, see [`Self::derivatives_along`].
    fn differences_along(
        &mut self,
        time: f64,
        states: &[f64],
        direction: &Direction<'_>,
        along: &mut Along<'_>,
    ) -> Result<(), EvaluationError> {
        /// Relative step: the cube root of the rounding unit balances truncation and rounding.
        const RELATIVE_STEP: f64 = 6e-6;
        let n = self.state_count();
        let mut nominals = vec![0.0; n];
        self.nominals(&mut nominals);
        let mut h = match direction.time == 0.0 {
            true => f64::INFINITY,
            false => RELATIVE_STEP * time.abs().max(1.0) / direction.time.abs(),
        };
        for i in (0..n).filter(|i| direction.states[*i] != 0.0) {
            let scale = nominals[i].max(f64::EPSILON * states[i].abs() / RELATIVE_STEP);
            h = h.min(RELATIVE_STEP * scale / direction.states[i].abs());
        }
        if h == f64::INFINITY {
            along.rates.fill(0.0);
            along.indicators.fill(0.0);
            return Ok(());
        }
        // Weights of f at multiples of h, over 2 h.
        let terms: &[(f64, f64)] = match direction.time == 0.0 {
            true => &[(1.0, 1.0), (-1.0, -1.0)],
            false => &[(0.0, -3.0), (1.0, 4.0), (2.0, -1.0)],
        };
        along.rates.fill(0.0);
        along.indicators.fill(0.0);
        let mut values = vec![0.0; n.max(self.indicator_count())];
        for (multiple, weight) in terms {
            let (far, weight) = (multiple * h, weight / (2.0 * h));
            let both = states.iter().zip(direction.states);
            let there: Vec<f64> = both.map(|(x, d)| x + far * d).collect();
            let time = time + far * direction.time;
            let rates = &mut values[..n];
            self.derivatives(time, &there, rates)?;
            let sums = along.rates.iter_mut().zip(rates);
            sums.for_each(|(sum, value)| *sum += weight * *value);
            if !along.indicators.is_empty() {
                let indicators = &mut values[..along.indicators.len()];
                self.indicators(time, &there, indicators)?;
                let sums = along.indicators.iter_mut().zip(indicators);
                sums.for_each(|(sum, value)| *sum += weight * *value);
            }
        }
        Ok(())
    }

    /// Jacobian df/dx, column by column: entry (i, j) at `jacobian[j * n + i]`.
    fn jacobian(
        &mut self,
        time: f64,
        states: &[f64],
        jacobian: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let n = self.state_count();
        let inputs = vec![0.0; self.input_count()];
        let mut unit = vec![0.0; n];
        for (column, rates) in jacobian.chunks_exact_mut(n.max(1)).enumerate() {
            unit[column] = 1.0;
            let direction = Direction {
                time: 0.0,
                states: &unit,
                inputs: &inputs,
            };
            let along = Along {
                rates,
                indicators: &mut [],
                outputs: &mut [],
            };
            self.derivatives_along(time, states, &[direction], &mut [along])?;
            unit[column] = 0.0;
        }
        Ok(())
    }
}
