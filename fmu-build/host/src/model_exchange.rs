//! Simulation by Model Exchange: this program integrates the equations evaluated by the FMU. Order of calls
//! by [FMI 2.0] section 3.2.3 and [FMI 3.0] section 3.2.
//!
//! The FMU is a [`HybridSystem`] for the integrator of fmu-core, which stops at state events; time events and
//! completed steps are handled here. Outputs inside steps are read at interpolated states, before the step is
//! reported to the FMU as completed. If the FMU has directional derivatives the integrator may use its
//! implicit formula.

use super::error::{HostError, Status};
use super::fmu::Fmu;
use super::inputs::{Side, Writer};
use super::instance::{DiscreteUpdate, LiveInstance};
use super::model_description::ModelDescription;
use super::parameters;
use super::run::{self, Ended, EventGuard, Options, Recorder, Run};
use super::start;
use super::trajectory::{Experiment, Live};
use contact_model::hybrid::{
    Along, Direction, EvaluationError, EventOutcome, HybridSystem, Severity,
};
use contact_model::integrator::settings::DEFAULT_BUDGET;
use contact_model::integrator::{
    DenseStep, Integrator, LegEnd, Memory, Settings, Solver, Statistics,
};
use fmu_core::instance::record::{Pulse, StepLimit, Strain};
use fmu_core::instance::{Kind, Standard};

/// Relative tolerance [1] if neither the user nor the FMU gives one.
pub(crate) const DEFAULT_TOLERANCE: f64 = 1e-6;
/// Number of states up to which the Jacobian of an FMU is a dense matrix. The model description does not give
/// its zeros for the present contacts.
const MOST_DENSE: usize = 500;
/// Fraction of the last step over which a difference in time is taken.
const TIME_PART: f64 = 1e-3;

/// Simulates the Model Exchange interface of an FMU with the integrator of fmu-core and records its outputs
/// at equidistant times. Inputs are set at each evaluation.
///
/// # Errors
/// No Model Exchange or no binary for this platform, options out of range, a failed call, an output or
/// derivative that is not a number, endless events, an integration that cannot continue.
pub fn simulate_me(fmu: &Fmu, options: &Options) -> Result<Run, HostError> {
    let library = fmu.load(fmu.model_exchange()?)?;
    let kind = Kind::ModelExchange;
    let instance = start::instantiate(fmu, library, kind, true, options.live.as_ref())?;
    let live = instance.live();
    let run = integrate(instance, fmu, options);
    run.map_err(|error| error.with_messages(live.seen().warnings.clone()))
}

fn integrate(instance: LiveInstance, fmu: &Fmu, options: &Options) -> Result<Run, HostError> {
    let description = fmu.description();
    let mut recorder = Recorder::new(&instance, description, options)?;
    let mut experiment = options.experiment(&description.experiment, recorder.columns())?;
    let tolerance = experiment.tolerance.unwrap_or(DEFAULT_TOLERANCE);
    experiment.tolerance = Some(tolerance);
    recorder.keep(&experiment);
    let (settings, budget) = settings_of(options, &experiment, tolerance)?;
    let mut inputs = Writer::new(
        instance.library(),
        description,
        options.inputs.as_ref(),
        experiment.start,
        experiment.stop,
    )?;
    parameters::set(&instance, &options.parameters)?;
    instance.enter_initialization_mode(Some(tolerance), experiment.start, experiment.stop)?;
    inputs.write(&instance, experiment.start, Side::After)?;
    instance.exit_initialization_mode()?;
    let update = instance.update_discrete_states(experiment.start)?;
    let mut system = System::new(instance, fmu, inputs, experiment.start)?;
    let settings = settings.with_solver(system.solver(options.solver)?);
    let mut states = vec![0.0; system.state_count()];
    system.instance.states(&mut states)?;
    system.apply(&update)?;
    recorder.record(&system.instance, experiment.start)?;

    let mut sampler = Sampler {
        experiment,
        next: 1,
        states: states.clone(),
        recorder,
    };
    let mut run = Integration {
        integrator: Integrator::new(system.state_count(), system.indicator_count(), settings),
        memory: Memory::default(),
        time: experiment.start,
        states,
    };
    let mut guard = EventGuard::new(run.time);
    let watch = Watch::new(options.live.as_deref(), description);
    // What is noted of a step costs little beside the calls of it.
    run.integrator.watch(u64::from(options.live.is_some()));
    let failed = |e: EvaluationError| {
        let limit = watch.what_limits(e.severity, budget);
        HostError::Run(format!("the integration failed: {}{limit}", e.message))
    };
    while !system.terminate && run.time < experiment.stop && !watch.ends() {
        let end = system.start_leg(run.time, experiment.stop);
        let stop = sampler.take_leg(&mut system, &mut run, end, &watch);
        let Some(stop) = stop.map_err(failed)? else {
            break;
        };
        let has_event = system.has_event(run.time, experiment.stop);
        if system.terminate || stop == LegEnd::End && !has_event {
            continue;
        }
        guard.count(run.time)?;
        system
            .update_event(run.time, &mut run.states)
            .map_err(|e| HostError::Run(e.message))?;
        if stop == LegEnd::End {
            run.memory.restart();
        }
    }
    close(system, sampler, run.time, *run.memory.statistics())
}

struct Integration {
    integrator: Integrator,
    memory: Memory,
    time: f64,
    states: Vec<f64>,
}

/// Ends a run at a time [s], after this work.
fn close(
    system: System,
    mut sampler: Sampler,
    time: f64,
    work: Statistics,
) -> Result<Run, HostError> {
    let experiment = sampler.experiment;
    let System {
        instance,
        terminate,
        ..
    } = system;
    let by_user = !terminate && time < experiment.stop;
    match by_user {
        // Rows stay at equal distances.
        true => sampler.recorder.stop()?,
        false => sampler.recorder.finish(&instance, time)?,
    }
    instance.terminate()?;
    let last = sampler.recorder.last();
    run::finish(
        experiment,
        &instance.live(),
        Some(work),
        Ended {
            by_fmu: terminate.then_some(time),
            by_user: last.filter(|_| by_user),
        },
    )
}

/// Tolerance and maximum steps, for the run and for each row of it.
fn settings_of(
    options: &Options,
    experiment: &Experiment,
    tolerance: f64,
) -> Result<(Settings, u64), HostError> {
    let settings = Settings::new(tolerance).map_err(|e| HostError::Run(e.message))?;
    // One leg may be the entire run; each row of the result may cost what a communication step may.
    let rows = u64::try_from(experiment.steps).unwrap_or(u64::MAX).max(1);
    let budget = options.max_steps.unwrap_or(DEFAULT_BUDGET);
    Ok((settings.with_budget(budget.saturating_mul(rows)), budget))
}

struct Watch<'a> {
    live: Option<&'a Live>,
    names: Vec<&'a str>,
}

impl<'a> Watch<'a> {
    fn new(live: Option<&'a Live>, description: &'a ModelDescription) -> Watch<'a> {
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
        }
    }

    fn ends(&self) -> bool {
        self.live.is_some_and(Live::ends)
    }

    /// Limit of the internal steps with a remedy, as the end of a message; empty for unrelated failures.
    fn what_limits(&self, severity: Severity, budget: u64) -> String {
        let pulse = self.live.and_then(|live| live.seen().pulse.clone());
        let allowed = match severity {
            Severity::TooManySteps => format!(
                "; --max-steps allows {budget} for each row: loosen the tolerance, or allow more"
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

/// Instance in Continuous-Time Mode, as a system of the integrator.
struct System {
    instance: LiveInstance,
    inputs: Writer,
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

impl System {
    fn new(
        instance: LiveInstance,
        fmu: &Fmu,
        inputs: Writer,
        start: f64,
    ) -> Result<System, HostError> {
        let description = fmu.description();
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
        Ok(System {
            instance,
            inputs,
            nominals,
            indicator_count,
            jacobian: References::new(fmu.description()),
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

    /// Derivatives of the state derivatives along a direction of the states.
    fn along_states(
        &mut self,
        time: f64,
        states: &[f64],
        direction: &[f64],
        rates: &mut [f64],
    ) -> Result<(), HostError> {
        self.set(time, states)?;
        let Some(references) = &self.jacobian else {
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
        let room = self.leg_end - time;
        let length = self.step_length.unwrap_or(TIME_PART * room);
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

    /// Applies the result of an event update and leaves Event Mode.
    fn apply(&mut self, update: &DiscreteUpdate) -> Result<(), HostError> {
        self.terminate |= update.terminate;
        self.next_event_time = update.next_event_time;
        if update.nominals_changed {
            self.instance.nominals(&mut self.nominals)?;
        }
        match self.terminate {
            true => Ok(()),
            false => self.instance.enter_continuous_time_mode(),
        }
    }

    /// Starts a leg at `time`; returns its end, not after `stop` [s]. A step that ends at a kink of the
    /// inputs need not see it.
    fn start_leg(&mut self, time: f64, stop: f64) -> f64 {
        self.leg_start = time;
        let stops = [self.next_event_time, self.inputs.next_kink(time)];
        self.leg_end = stops.into_iter().flatten().fold(stop, f64::min);
        (self.step_end, self.step_length) = (time, None);
        self.leg_end
    }

    /// Returns true if the end of a leg is a time event, or the inputs jump there before `stop` [s].
    fn has_event(&self, time: f64, stop: f64) -> bool {
        let is_time_event = self.next_event_time.is_some_and(|t| time >= t);
        is_time_event || time < stop && self.inputs.jumps_at(time)
    }

    fn set(&mut self, time: f64, states: &[f64]) -> Result<(), HostError> {
        if let Some(failure) = &self.failure {
            return Err(HostError::Run(failure.clone()));
        }
        self.instance.set_time(time)?;
        // A step that ends at a jump of the inputs sees their values before it.
        let side = match time > self.leg_start {
            true => Side::Before,
            false => Side::After,
        };
        self.inputs.write(&self.instance, time, side)?;
        self.instance.set_states(states)
    }

    fn event(&mut self, time: f64, states: &mut [f64]) -> Result<EventOutcome, HostError> {
        self.leg_start = time;
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

impl HybridSystem for System {
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
        self.terminate |= terminate;
        self.step_length = Some(time - self.step_end).filter(|length| *length > 0.0);
        self.step_end = time;
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
                self.failure = match error {
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
struct Sampler {
    experiment: Experiment,
    next: usize,
    states: Vec<f64>,
    recorder: Recorder,
}

impl Sampler {
    /// Integrates to the end of a leg [s] or the first event before it; `None` if the user ends the run.
    fn take_leg(
        &mut self,
        system: &mut System,
        run: &mut Integration,
        end: f64,
        watch: &Watch<'_>,
    ) -> Result<Option<LegEnd>, EvaluationError> {
        let Integration {
            integrator,
            memory,
            time,
            states,
        } = run;
        let Some(mut leg) = integrator.start(system, memory, *time, states, end)? else {
            return Ok(Some(LegEnd::End));
        };
        let mut observe = |system: &mut System, step: &DenseStep<'_>| self.sample(system, step);
        while !watch.ends() {
            let observe = Some(&mut observe as _);
            let stop = integrator.accept_step(system, memory, time, states, &mut leg, observe)?;
            watch.beat(*time, memory, integrator);
            if stop.is_some() {
                return Ok(stop);
            }
        }
        Ok(None)
    }

    fn sample(&mut self, system: &mut System, step: &DenseStep<'_>) -> Result<(), EvaluationError> {
        while self.next <= self.experiment.steps
            && self.experiment.time(self.next) <= step.t1()
            && !self.recorder.ends()
        {
            let time = self.experiment.time(self.next);
            step.interpolate(time, &mut self.states);
            system
                .set(time, &self.states)
                .and_then(|()| self.recorder.record(&system.instance, time))
                .map_err(|e| EvaluationError::error(e.to_string()))?;
            self.next += 1;
        }
        Ok(())
    }
}
