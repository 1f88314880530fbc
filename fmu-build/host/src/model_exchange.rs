//! Model Exchange of an instance: this program integrates the equations evaluated by the FMU. Order of calls
//! by [FMI 2.0] section 3.2.3 and [FMI 3.0] section 3.2.
//!
//! The FMU is a [`HybridSystem`] for the integrator of fmu-core, which stops at state events; time events and
//! completed steps are handled here. Outputs inside steps are read at interpolated states, before the step is
//! reported to the FMU as completed. If the FMU has directional derivatives the integrator may use its
//! implicit formula.
//!
//! A run is integrated in legs, which end at events, at kinks of the inputs and at the stop time. A step of a
//! session is a leg at least, as its end may not be passed over: the next inputs are not known yet.

use super::error::{HostError, Status};
use super::fmu::Fmu;
use super::inputs::{Side, Writer};
use super::instance::{DiscreteUpdate, LiveInstance};
use super::model_description::ModelDescription;
use super::run::{DEFAULT_TOLERANCE, EventGuard, Options, Reached, Recorder};
use super::start::{self, Start};
use super::trajectory::Live;
use contact_model::hybrid::{
    Along, Direction, EvaluationError, EventOutcome, HybridSystem, Severity,
};
use contact_model::integrator::settings::DEFAULT_BUDGET;
use contact_model::integrator::{DenseStep, Integrator, LegEnd, Memory, Settings, Solver};
use fmu_core::instance::record::{Pulse, StepLimit, Strain};
use fmu_core::instance::{Kind, Standard};

/// Number of states up to which the Jacobian of an FMU is a dense matrix. The model description does not give
/// its zeros for the present contacts.
const MOST_DENSE: usize = 500;
/// Fraction of the last step over which a difference in time is taken.
const TIME_PART: f64 = 1e-3;

/// Instantiates Model Exchange.
///
/// # Errors
/// The FMU has no Model Exchange, or no binary for this platform; a missing function; a refusal of the FMU.
pub(super) fn instantiate(fmu: &Fmu) -> Result<LiveInstance, HostError> {
    let library = fmu.load(fmu.model_exchange()?)?;
    start::instantiate(fmu, library, Kind::ModelExchange, true)
}

/// Simulates a begun instance, with rows at equidistant times. Inputs are set at each evaluation.
///
/// # Errors
/// See [`super::simulate_me`].
pub(super) fn simulate(
    instance: &LiveInstance,
    description: &ModelDescription,
    options: &Options,
    inputs: &mut Writer,
    recorder: &mut Recorder,
) -> Result<Reached, HostError> {
    let experiment = recorder.experiment;
    // One leg may be the entire run; each row of the result may cost what a communication step may.
    let rows = u64::try_from(experiment.steps).unwrap_or(u64::MAX).max(1);
    let budget = options.max_steps.unwrap_or(DEFAULT_BUDGET);
    let all = budget.saturating_mul(rows);
    let start = options.start_of(&experiment);
    let (solver, time) = (options.solver, start.start);
    let mut exchange = Exchange::initialize(instance, description, &start, solver, all, inputs)?;
    recorder.record(instance, time)?;
    let watch = Watch::new(options.live.as_deref(), description, budget);
    // What is noted of a step costs little beside the calls of it.
    exchange.integrator.watch(u64::from(options.live.is_some()));
    let mut sampler = Sampler {
        next: 1,
        states: exchange.now.states.clone(),
        recorder,
    };
    let mut sample = |system: &mut System<'_>, step: &DenseStep<'_>| sampler.sample(system, step);
    let stop = experiment.stop;
    exchange.advance(instance, inputs, stop, false, &mut sample, &watch)?;
    Ok(Reached {
        time: exchange.now.time,
        is_end: exchange.now.equations.terminate,
        work: Some(*exchange.now.memory.statistics()),
    })
}

/// Integration of an instance in Continuous-Time Mode.
pub(super) struct Exchange {
    integrator: Integrator,
    pub(crate) now: Point,
}

/// What the future of an integration depends on, beside the FMU's own state.
#[derive(Clone)]
pub(super) struct Point {
    settings: Settings,
    memory: Memory,
    time: f64,
    states: Vec<f64>,
    equations: Equations,
}

impl Exchange {
    /// Initializes an instance, for attempts at steps up to a budget for each leg.
    ///
    /// # Errors
    /// A failed call; sizes that the binary denies; a solver that the FMU has no derivatives for.
    pub(crate) fn initialize(
        instance: &LiveInstance,
        description: &ModelDescription,
        start: &Start<'_>,
        solver: Solver,
        budget: u64,
        inputs: &mut Writer,
    ) -> Result<Exchange, HostError> {
        let (time, tolerance) = (start.start, start.tolerance.unwrap_or(DEFAULT_TOLERANCE));
        let settings = Settings::new(tolerance).map_err(|e| HostError::Run(e.message))?;
        let tolerance = Some(tolerance);
        Start {
            tolerance,
            ..*start
        }
        .initialize(instance, inputs)?;
        let update = instance.update_discrete_states(time)?;
        let mut equations = Equations::new(instance, description, time)?;
        let settings = settings
            .with_budget(budget)
            .with_solver(equations.solver(solver)?);
        let mut states = vec![0.0; equations.nominals.len()];
        instance.states(&mut states)?;
        let mut system = System {
            instance,
            inputs,
            equations: &mut equations,
        };
        system.apply(&update)?;
        Ok(Exchange {
            integrator: Integrator::new(states.len(), equations.indicator_count, settings),
            now: Point {
                settings,
                memory: Memory::default(),
                time,
                states,
                equations,
            },
        })
    }

    /// Takes a step to a time [s], from an event if the inputs are new. Returns the time reached, and true if the
    /// FMU requests the end of the run.
    ///
    /// # Errors
    /// A failed call, endless events, an integration that cannot continue.
    pub(crate) fn step(
        &mut self,
        instance: &LiveInstance,
        inputs: &mut Writer,
        end: f64,
        are_new: bool,
    ) -> Result<(f64, bool), HostError> {
        self.integrator.set_settings(self.now.settings);
        let watch = Watch {
            budget: self.now.settings.budget(),
            ..Watch::default()
        };
        self.advance(instance, inputs, end, are_new, &mut |_, _| Ok(()), &watch)?;
        Ok((self.now.time, self.terminates()))
    }

    /// Returns true if the FMU has requested the end of the run.
    pub(crate) fn terminates(&self) -> bool {
        self.now.equations.terminate
    }

    /// Integrates to a time [s], unless the FMU or the user ends the run, from an event if there is one. Events
    /// are handled up to that time and at it. `observe` sees each step.
    ///
    /// # Errors
    /// A failed call, endless events, an integration that cannot continue.
    fn advance(
        &mut self,
        instance: &LiveInstance,
        inputs: &mut Writer,
        end: f64,
        is_event: bool,
        observe: Observe<'_>,
        watch: &Watch<'_>,
    ) -> Result<(), HostError> {
        let Exchange { integrator, now } = self;
        let (memory, time, states) = (&mut now.memory, &mut now.time, &mut now.states);
        let mut system = System {
            instance,
            inputs,
            equations: &mut now.equations,
        };
        let failed = |e: EvaluationError| {
            let limit = watch.what_limits(e.severity);
            HostError::Run(format!("the integration failed: {}{limit}", e.message))
        };
        if is_event {
            system.event(*time, states)?;
            memory.restart();
        }
        let mut guard = EventGuard::new(*time);
        while !system.equations.terminate && *time < end && !watch.ends() {
            let leg_end = system.start_leg(*time, end);
            let leg = integrator.start(&mut system, memory, *time, states, leg_end);
            let mut leg = leg.map_err(&failed)?;
            let mut stop = leg.is_none().then_some(LegEnd::End);
            while let (None, Some(leg), false) = (stop, &mut leg, watch.ends()) {
                let mut observe = |s: &mut System<'_>, step: &DenseStep<'_>| observe(s, step);
                let observe = Some(&mut observe as _);
                let step = integrator.accept_step(&mut system, memory, time, states, leg, observe);
                stop = step.map_err(&failed)?;
                watch.beat(*time, memory, integrator);
            }
            let Some(stop) = stop else {
                break;
            };
            let has_event = system.has_event(*time, end);
            if system.equations.terminate || stop == LegEnd::End && !has_event {
                continue;
            }
            guard.count(*time)?;
            let update = system.update_event(*time, states);
            update.map_err(|e| HostError::Run(e.message))?;
            if stop == LegEnd::End {
                memory.restart();
            }
        }
        Ok(())
    }
}

/// Observer of the steps of a leg.
type Observe<'a> =
    &'a mut dyn FnMut(&mut System<'_>, &DenseStep<'_>) -> Result<(), EvaluationError>;

#[derive(Default)]
struct Watch<'a> {
    live: Option<&'a Live>,
    names: Vec<&'a str>,
    /// Maximum number of attempts for each row.
    budget: u64,
}

impl<'a> Watch<'a> {
    fn new(live: Option<&'a Live>, description: &'a ModelDescription, budget: u64) -> Watch<'a> {
        let variables = &description.variables;
        let name = |index: &usize| {
            let state = variables[*index].derivative_of;
            state.map_or("", |state| variables[state].name.as_str())
        };
        let derivatives = description.structure.state_derivatives.iter();
        Watch {
            live,
            names: match live {
                Some(_) => derivatives.map(name).collect(),
                None => Vec::new(),
            },
            budget,
        }
    }

    fn ends(&self) -> bool {
        self.live.is_some_and(Live::ends)
    }

    /// Limit of the internal steps with a remedy, as the end of a message; empty for unrelated failures.
    fn what_limits(&self, severity: Severity) -> String {
        let pulse = self.live.and_then(|live| live.seen().pulse.clone());
        let allowed = match severity {
            Severity::TooManySteps => format!(
                "; --max-steps allows {} for each row: loosen the tolerance, or allow more",
                self.budget
            ),
            Severity::StepTooSmall => String::new(),
            _ => return String::new(),
        };
        match pulse.and_then(|pulse| pulse.limit) {
            Some(StepLimit::Contact(Strain {
                name,
                depth,
                stiffness,
                ..
            })) => format!(
                "; the stiffest contact is {name}: depth {depth:.3e}, stiffness {stiffness:.3e} in SI units: make \
                 it softer (stiffness, k_red) or less damped, let the bodies start apart or slower{allowed}"
            ),
            Some(StepLimit::Error(state, _)) => {
                format!("; steps are limited by the error of {state}{allowed}")
            }
            _ => allowed,
        }
    }

    fn beat(&self, time: f64, memory: &Memory, integrator: &Integrator) {
        let Some(live) = self.live else { return };
        let state = integrator.limiting_state();
        let name = state.and_then(|state| self.names.get(state));
        let mut seen = live.seen();
        // Only the FMU knows the stiff contact; it reports it if it is the cause.
        let known = seen.pulse.take().and_then(|pulse| pulse.limit);
        let known =
            known.filter(|limit| matches!(limit, StepLimit::Contact(_) | StepLimit::Events(_)));
        seen.pulse = Some(Pulse {
            time,
            step: memory.last_step().length,
            steps: memory.statistics().steps,
            events: memory.statistics().events,
            limit: known.or_else(|| name.map(|name| StepLimit::Error((*name).to_owned(), None))),
        });
    }
}

/// Value references for a Jacobian, in the order of the states.
#[derive(Clone)]
struct References {
    /// States; arrays have one reference.
    states: Vec<u32>,
    derivatives: Vec<u32>,
}

impl References {
    /// `None` if the FMU declares no directional derivatives.
    fn new(description: &ModelDescription) -> Option<References> {
        let capability = match description.standard {
            Standard::Fmi2 => "providesDirectionalDerivative",
            Standard::Fmi3 => "providesDirectionalDerivatives",
        };
        if !description.model_exchange.as_ref()?.can(capability) {
            return None;
        }
        let variables = &description.variables;
        let derivatives = description.structure.state_derivatives.iter();
        let pairs = derivatives.map(|index| {
            let derivative = &variables[*index];
            let state = derivative.derivative_of?;
            Some((variables[state].reference, derivative.reference))
        });
        let (states, derivatives) = pairs.collect::<Option<Vec<_>>>()?.into_iter().unzip();
        Some(References {
            states,
            derivatives,
        })
    }
}

/// Equations of an instance: sizes and nominals, the leg, the next event.
#[derive(Clone)]
struct Equations {
    nominals: Vec<f64>,
    indicator_count: usize,
    next_event_time: Option<f64>,
    /// States and their derivatives, if the FMU has directional derivatives.
    jacobian: Option<References>,
    /// Time of the last event or kink of the inputs, and of the next one [s].
    leg_start: f64,
    leg_end: f64,
    /// End of the last completed step, and its length [s].
    step_end: f64,
    step_length: Option<f64>,
    terminate: bool,
    /// Message of a failed call for directional derivatives after which the instance cannot continue.
    failure: Option<String>,
}

impl Equations {
    fn new(
        instance: &LiveInstance,
        description: &ModelDescription,
        start: f64,
    ) -> Result<Equations, HostError> {
        let declared = [description.state_count(), description.indicator_count];
        let found = instance.counts(declared)?;
        for (i, what) in ["states", "event indicators"].into_iter().enumerate() {
            let (declared, found) = (declared[i], found[i]);
            if declared != found {
                return Err(HostError::Run(format!(
                    "modelDescription.xml lists {declared} {what}, the binary says {found}"
                )));
            }
        }
        let [states, indicator_count] = found;
        let mut nominals = vec![0.0; states];
        instance.nominals(&mut nominals)?;
        Ok(Equations {
            nominals,
            indicator_count,
            jacobian: References::new(description),
            next_event_time: None,
            leg_start: start,
            leg_end: start,
            step_end: start,
            step_length: None,
            terminate: false,
            failure: None,
        })
    }

    /// Selects the formula. The implicit one needs the FMU's own derivatives: finite differences would
    /// evaluate states that the FMU may refuse, and cost as much as they save.
    fn solver(&self, asked: Solver) -> Result<Solver, HostError> {
        let count = self.nominals.len();
        let reason = match (asked, &self.jacobian) {
            (Solver::Implicit, None) => {
                "the FMU has no directional derivatives of its states, which \
                                         the implicit solver needs"
                    .to_owned()
            }
            (Solver::Implicit, _) if count > MOST_DENSE => format!(
                "the FMU has {count} states; the implicit solver takes up to {MOST_DENSE} in Model \
                 Exchange"
            ),
            (Solver::Auto, Some(_)) if count <= MOST_DENSE => return Ok(Solver::Auto),
            (Solver::Auto, _) => return Ok(Solver::Explicit),
            _ => return Ok(asked),
        };
        Err(HostError::Run(format!("{reason}: choose auto or explicit")))
    }
}

/// Instance in Continuous-Time Mode, as a system of the integrator.
struct System<'a> {
    instance: &'a LiveInstance,
    inputs: &'a mut Writer,
    equations: &'a mut Equations,
}

impl System<'_> {
    /// Applies the result of an event update and leaves Event Mode.
    fn apply(&mut self, update: &DiscreteUpdate) -> Result<(), HostError> {
        self.equations.terminate |= update.terminate;
        self.equations.next_event_time = update.next_event_time;
        if update.nominals_changed {
            self.instance.nominals(&mut self.equations.nominals)?;
        }
        match self.equations.terminate {
            true => Ok(()),
            false => self.instance.enter_continuous_time_mode(),
        }
    }

    /// Starts a leg at `time`; returns its end, not after `stop` [s]. A step that ends at a kink of the
    /// inputs need not see it.
    fn start_leg(&mut self, time: f64, stop: f64) -> f64 {
        self.equations.leg_start = time;
        let stops = [self.equations.next_event_time, self.inputs.next_kink(time)];
        self.equations.leg_end = stops.into_iter().flatten().fold(stop, f64::min);
        (self.equations.step_end, self.equations.step_length) = (time, None);
        self.equations.leg_end
    }

    /// Returns true if the end of a leg is a time event, or the inputs jump there before `stop` [s].
    fn has_event(&self, time: f64, stop: f64) -> bool {
        let is_time_event = self.equations.next_event_time.is_some_and(|t| time >= t);
        is_time_event || time < stop && self.inputs.jumps_at(time)
    }

    /// Derivatives of the state derivatives along a direction of the states.
    fn along_states(
        &mut self,
        time: f64,
        states: &[f64],
        direction: &[f64],
        rates: &mut [f64],
    ) -> Result<(), HostError> {
        self.set(time, states)?;
        let Some(references) = &self.equations.jacobian else {
            let what = "the FMU declares no directional derivatives";
            return Err(HostError::Run(what.to_owned()));
        };
        let (unknowns, knowns) = (&references.derivatives, &references.states);
        self.instance
            .directional_derivative(unknowns, knowns, direction, rates)
    }

    /// Time derivative of the state derivatives, inputs included: a forward difference over a small part of
    /// the last step, not close to events. FMI 2.0 has no derivative by the time, and neither version knows
    /// how the inputs change.
    fn along_time(
        &mut self,
        time: f64,
        states: &[f64],
        rates: &mut [f64],
    ) -> Result<(), HostError> {
        let room = self.equations.leg_end - time;
        let length = self.equations.step_length.unwrap_or(TIME_PART * room);
        let distance = (TIME_PART * length).min(0.25 * room);
        if time + distance <= time {
            rates.fill(0.0);
            return Ok(());
        }
        let mut differences = std::array::from_fn::<_, 3, _>(|_| vec![0.0; rates.len()]);
        for (i, rates) in differences.iter_mut().enumerate() {
            self.set(time + i as f64 * distance, states)?;
            self.instance.derivatives(rates)?;
        }
        let [start, middle, end] = &differences;
        for (i, rate) in rates.iter_mut().enumerate() {
            let change = 4.0 * (middle[i] - start[i]) - (end[i] - start[i]);
            *rate = change / (2.0 * distance);
        }
        Ok(())
    }

    fn set(&mut self, time: f64, states: &[f64]) -> Result<(), HostError> {
        if let Some(failure) = &self.equations.failure {
            return Err(HostError::Run(failure.clone()));
        }
        self.instance.set_time(time)?;
        // A step that ends at a jump of the inputs sees their values before it.
        let side = match time > self.equations.leg_start {
            true => Side::Before,
            false => Side::After,
        };
        self.inputs.write(self.instance, time, side)?;
        self.instance.set_states(states)
    }

    fn event(&mut self, time: f64, states: &mut [f64]) -> Result<EventOutcome, HostError> {
        self.equations.leg_start = time;
        self.set(time, states)?;
        self.instance.enter_event_mode()?;
        let update = self.instance.update_discrete_states(time)?;
        if update.states_changed {
            self.instance.states(states)?;
        }
        self.apply(&update)?;
        Ok(EventOutcome {
            states_changed: update.states_changed,
            next_event_time: update.next_event_time,
        })
    }
}

/// Error of a failed call for the integrator: a shorter step may avoid a discard.
fn evaluation(error: HostError) -> EvaluationError {
    match error {
        HostError::Call {
            status: Some(Status::Discard),
            ..
        } => EvaluationError::discard(error.to_string()),
        other => EvaluationError::error(other.to_string()),
    }
}

impl HybridSystem for System<'_> {
    fn state_count(&self) -> usize {
        self.equations.nominals.len()
    }

    fn indicator_count(&self) -> usize {
        self.equations.indicator_count
    }

    fn nominals(&self, nominals: &mut [f64]) {
        nominals.copy_from_slice(&self.equations.nominals);
    }

    fn derivatives(
        &mut self,
        time: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let result = self.set(time, states);
        result
            .and_then(|()| self.instance.derivatives(derivatives))
            .map_err(evaluation)
    }

    fn indicators(
        &mut self,
        time: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let result = self.set(time, states);
        result
            .and_then(|()| self.instance.indicators(indicators))
            .map_err(evaluation)
    }

    fn completed_step(&mut self, time: f64, states: &[f64]) -> Result<bool, EvaluationError> {
        let result = self.set(time, states);
        let answer = result.and_then(|()| self.instance.completed_integrator_step());
        let (event, terminate) = answer.map_err(evaluation)?;
        self.equations.terminate |= terminate;
        self.equations.step_length =
            Some(time - self.equations.step_end).filter(|length| *length > 0.0);
        self.equations.step_end = time;
        Ok(event || terminate)
    }

    fn derivatives_along(
        &mut self,
        time: f64,
        states: &[f64],
        directions: &[Direction<'_>],
        along: &mut [Along<'_>],
    ) -> Result<(), EvaluationError> {
        for (direction, along) in directions.iter().zip(along) {
            let found = match direction.time != 0.0 {
                true => self.along_time(time, states, along.rates),
                false => self.along_states(time, states, direction.states, along.rates),
            };
            if let Err(error) = found {
                // The integrator goes on without them where there are none here, or none at all.
                let message = error.to_string();
                self.equations.failure = match error {
                    HostError::MissingFunction { .. } => None,
                    HostError::Call {
                        status: Some(Status::Discard),
                        ..
                    } => None,
                    _ => Some(message.clone()),
                };
                return Err(EvaluationError::error(message));
            }
            if !along.rates.iter().all(|rate| rate.is_finite()) {
                return Err(EvaluationError::error(format!(
                    "a directional derivative at t = {time} s is not finite"
                )));
            }
        }
        Ok(())
    }

    fn update_event(
        &mut self,
        time: f64,
        states: &mut [f64],
    ) -> Result<EventOutcome, EvaluationError> {
        self.event(time, states).map_err(evaluation)
    }
}

/// Records the rows inside each step.
struct Sampler<'a> {
    next: usize,
    states: Vec<f64>,
    recorder: &'a mut Recorder,
}

impl Sampler<'_> {
    fn sample(
        &mut self,
        system: &mut System<'_>,
        step: &DenseStep<'_>,
    ) -> Result<(), EvaluationError> {
        let experiment = self.recorder.experiment;
        while self.next <= experiment.steps
            && experiment.time(self.next) <= step.t1()
            && !self.recorder.ends()
        {
            let time = experiment.time(self.next);
            step.interpolate(time, &mut self.states);
            system
                .set(time, &self.states)
                .and_then(|()| self.recorder.record(system.instance, time))
                .map_err(|e| EvaluationError::error(e.to_string()))?;
            self.next += 1;
        }
        Ok(())
    }
}
