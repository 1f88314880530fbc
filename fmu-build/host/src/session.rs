//! An instance of an FMU that is kept: it runs again and again, or is stepped by its user.
//!
//! Order of calls: [`Session::reset`], then [`Session::step`] and [`Session::read`] in turns; at any time
//! [`Session::run`]. [`Session::save`] and [`Session::restore`] return to an earlier time. Every run and every
//! reset gives the bits of a fresh instance.
//!
//! A step costs three calls of the FMU in Co-Simulation: the inputs are set if they are new, then the step,
//! then the outputs of each type are read. In Model Exchange the integrator takes at least one step of its own
//! for each, and starts again where inputs are new or an event has happened.

use super::c_api::SavedState;
use super::co_simulation;
use super::error::HostError;
use super::fmu::Fmu;
use super::inputs::{Side, Writer, is_settable};
use super::instance::LiveInstance;
use super::model_description::{InterfaceDescription, ModelDescription, Variable};
use super::model_exchange::{self, Exchange, Point};
use super::run::{self, EventGuard, Options, ROUNDING_REST, Recorder, Run, chosen, settle};
use super::start::{self, Start};
use super::trajectory::Column;
use super::values::{Reader, columns};
use contact_model::integrator::Solver;
use contact_model::integrator::settings::DEFAULT_BUDGET;
use fmu_core::instance::record::ContactEvent;
use fmu_core::instance::{Kind, Standard};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Interface type of an FMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The FMU integrates.
    CoSimulation,
    /// This program integrates.
    ModelExchange,
}

impl Interface {
    /// All interface types.
    pub const ALL: [Interface; 2] = [Interface::CoSimulation, Interface::ModelExchange];

    /// Name in FMI.
    pub fn name(self) -> &'static str {
        match self {
            Interface::CoSimulation => "Co-Simulation",
            Interface::ModelExchange => "Model Exchange",
        }
    }

    /// Interface type of the core.
    pub fn kind(self) -> Kind {
        match self {
            Interface::CoSimulation => Kind::CoSimulation,
            Interface::ModelExchange => Kind::ModelExchange,
        }
    }

    /// Co-Simulation if available, else Model Exchange.
    pub fn usual(description: &ModelDescription) -> Interface {
        match (&description.co_simulation, &description.model_exchange) {
            (None, Some(_)) => Interface::ModelExchange,
            _ => Interface::CoSimulation,
        }
    }

    /// Simulates this interface of an FMU, by an instance for this run.
    ///
    /// # Errors
    /// See [`simulate_cs`] and [`simulate_me`].
    pub fn simulate(self, fmu: &Fmu, options: &Options) -> Result<Run, HostError> {
        Session::open(fmu, self, Some(&[]), Some(&[]), options)?.run(options)
    }
}

/// Simulates the Co-Simulation interface of an FMU and records its outputs at each communication point.
/// Inputs are set at communication points and held until the next one. [`Options::live`] can end the run at a
/// communication point.
///
/// Events are handled inside the FMU, or, with [`Options::event_mode`] and an FMU that supports it, by this
/// program.
///
/// # Errors
/// No Co-Simulation or no binary for this platform, options out of range, a failed call, an output that is
/// not a number, endless events.
pub fn simulate_cs(fmu: &Fmu, options: &Options) -> Result<Run, HostError> {
    Interface::CoSimulation.simulate(fmu, options)
}

/// Simulates the Model Exchange interface of an FMU with the integrator of fmu-core and records its outputs
/// at equidistant times. Inputs are set at each evaluation.
///
/// # Errors
/// No Model Exchange or no binary for this platform, options out of range, a failed call, an output or
/// derivative that is not a number, endless events, an integration that cannot continue.
pub fn simulate_me(fmu: &Fmu, options: &Options) -> Result<Run, HostError> {
    Interface::ModelExchange.simulate(fmu, options)
}

/// An instance of an FMU that is kept between runs. It may move to another thread, and is used by one at a time.
///
/// After an error of the FMU it must be reset or restored, or run; an error about an argument changes nothing.
/// After the status Fatal every function is refused.
pub struct Session {
    instance: LiveInstance,
    description: Arc<ModelDescription>,
    event_mode: bool,
    solver: Solver,
    budget: u64,
    inputs: Writer,
    input_columns: Vec<Column>,
    outputs: Reader,
    /// Why it cannot be stepped; outputs may be read after [`ENDED`].
    refusal: Option<Reason>,
    grid: Grid,
    /// Integration of Model Exchange since the first reset.
    exchange: Option<Exchange>,
    /// States that the FMU has saved, and those of them that nobody needs any more.
    slots: Vec<SavedState>,
    free: Arc<Mutex<Vec<usize>>>,
}

/// Why a session cannot be stepped.
type Reason = &'static str;
const FRESH: Reason = "it has no start values yet; reset it first";
const RUN_OVER: Reason = "its run is over; reset it first";
const ENDED: Reason = "the FMU has requested the end; reset it first";
const FAILED: Reason = "its last call failed; reset it first";
const LOST: Reason =
    "the FMU has returned the status Fatal, after which none of its functions may be called";

/// Communication points. Equal steps end at multiples of their length, as the rows of a run do.
#[derive(Clone, Copy, Debug, Default)]
struct Grid {
    time: f64,
    /// Start, length and number of the equal steps taken last.
    base: f64,
    length: f64,
    count: u64,
    stop: Option<f64>,
}

impl Grid {
    /// Grid after a step of this length [s].
    fn after(mut self, length: f64) -> Grid {
        if length != self.length {
            (self.base, self.length, self.count) = (self.time, length, 0);
        }
        self.count += 1;
        let end = self.base + self.count as f64 * length;
        let is_end = |stop: &f64| (end - stop).abs() <= ROUNDING_REST * length;
        self.time = self.stop.filter(is_end).unwrap_or(end);
        self
    }
}

/// A state of a [`Session`], saved. The FMU keeps it until this is dropped.
pub struct Saved {
    slot: usize,
    free: Arc<Mutex<Vec<usize>>>,
    refusal: Option<Reason>,
    grid: Grid,
    inputs: Vec<f64>,
    exchange: Option<Point>,
}

impl Drop for Saved {
    fn drop(&mut self) {
        unused(&self.free).push(self.slot);
    }
}

fn unused(slots: &Mutex<Vec<usize>>) -> MutexGuard<'_, Vec<usize>> {
    // The list is whole after every single change, so a panic elsewhere does not spoil it.
    slots.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// Instantiates an interface of an FMU, with variables chosen by name as inputs and outputs; by default all
    /// inputs of type Float64, and all outputs. An array has a column for each entry. Of the options,
    /// `event_mode` holds for the instance, `solver` and `max_steps` for steps of Model Exchange.
    ///
    /// # Errors
    /// The interface or a binary for this platform is missing; a function is missing; an unknown name; an input
    /// that cannot be set; a refusal of the FMU.
    pub fn open(
        fmu: &Fmu,
        interface: Interface,
        inputs: Option<&[String]>,
        outputs: Option<&[String]>,
        options: &Options,
    ) -> Result<Session, HostError> {
        let event_mode = options.event_mode && interface == Interface::CoSimulation;
        let instance = match interface {
            Interface::CoSimulation => co_simulation::instantiate(fmu, event_mode)?,
            Interface::ModelExchange => model_exchange::instantiate(fmu)?,
        };
        let description = fmu.description();
        let is_of_type = |v: &&Variable| inputs.is_some() || is_settable(v);
        let set = chosen(description, inputs, &["input"])?;
        let set: Vec<&Variable> = set.into_iter().filter(is_of_type).collect();
        let read = chosen(description, outputs, &["output"])?;
        Ok(Session {
            inputs: Writer::held(instance.library(), description, &set)?,
            input_columns: columns(description, &set)?,
            outputs: Reader::new(instance.library(), description, &read)?,
            description: fmu.shared_description(),
            event_mode,
            solver: options.solver,
            budget: options.max_steps.unwrap_or(DEFAULT_BUDGET),
            refusal: Some(FRESH),
            grid: Grid::default(),
            exchange: None,
            slots: Vec::new(),
            free: Arc::default(),
            instance,
        })
    }

    /// Columns of the inputs.
    pub fn inputs(&self) -> &[Column] {
        &self.input_columns
    }

    /// Columns of the outputs.
    pub fn outputs(&self) -> &[Column] {
        self.outputs.columns()
    }

    /// Time reached [s].
    pub fn time(&self) -> f64 {
        self.grid.time
    }

    /// Whether it can be stepped: not before a reset, after a run or the end, or after an error of the FMU.
    pub fn is_ready(&self) -> bool {
        self.refusal.is_none()
    }

    /// Starts again: all values are the FMU's start values, but for those given here. Inputs are the start
    /// values by default.
    ///
    /// # Errors
    /// Values out of range, the wrong number of inputs; a failed call, a missing function.
    pub fn reset(&mut self, start: &Start<'_>, inputs: Option<&[f64]>) -> Result<(), HostError> {
        start::check(start.start, start.stop, start.tolerance)?;
        self.check_inputs(inputs)?;
        self.attempt(|session| {
            start::begin(&session.instance, &session.description, None)?;
            session.inputs.agree(None);
            if let Some(inputs) = inputs {
                session.inputs.hold(inputs);
            }
            let is_end = session.initialize(start)?;
            session.refusal = is_end.then_some(ENDED);
            session.grid = Grid {
                time: start.start,
                stop: start.stop,
                ..Grid::default()
            };
            Ok(())
        })
    }

    fn initialize(&mut self, start: &Start<'_>) -> Result<bool, HostError> {
        let (instance, inputs) = (&self.instance, &mut self.inputs);
        if instance.kind == Kind::CoSimulation {
            return co_simulation::initialize(instance, self.event_mode, start, inputs);
        }
        let (description, solver) = (&self.description, self.solver);
        let made = Exchange::initialize(instance, description, start, solver, self.budget, inputs)?;
        Ok(self.exchange.insert(made).terminates())
    }

    /// Sets the inputs, which are held until they are given again, and takes a step [s]. Returns true if the FMU
    /// requests the end of the run, which may be before the end of the step. Events up to the end, and at it in
    /// Model Exchange, are handled.
    ///
    /// # Errors
    /// Not reset; a length out of range, the wrong number of inputs; a failed call, endless events, an
    /// integration that cannot continue.
    pub fn step(&mut self, length: f64, inputs: Option<&[f64]>) -> Result<bool, HostError> {
        self.allow("step", &[])?;
        self.check_inputs(inputs)?;
        let (start, mut grid) = (self.grid.time, self.grid.after(length));
        if !(length > 0.0 && length.is_finite() && grid.time > start) {
            return Err(HostError::Argument(format!(
                "step is {length} s at {start} s; it must be > 0, finite and move the time"
            )));
        }
        let are_new = inputs.is_some_and(|inputs| self.inputs.hold(inputs));
        self.attempt(|session| {
            let (instance, inputs) = (&session.instance, &mut session.inputs);
            let (time, is_end) = match &mut session.exchange {
                Some(exchange) => exchange.step(instance, inputs, grid.time, are_new)?,
                None => {
                    inputs.write(instance, start, Side::After)?;
                    let (mode, mut guard) = (session.event_mode, EventGuard::new(start));
                    co_simulation::advance(instance, mode, start, grid.time, &mut guard)?
                }
            };
            grid.time = time;
            session.grid = grid;
            session.refusal = is_end.then_some(ENDED);
            Ok(is_end)
        })
    }

    /// Reads the outputs, a value for each column.
    ///
    /// # Errors
    /// Not reset; the wrong number of values; a failed call; a value that is not a number.
    pub fn read(&mut self, values: &mut [f64]) -> Result<(), HostError> {
        self.allow("read", &[ENDED])?;
        check_count(values.len(), "values", self.outputs())?;
        let time = self.grid.time;
        self.attempt(|session| session.outputs.read(&session.instance, time, values))
    }

    /// Saves the present state.
    ///
    /// # Errors
    /// Not reset; an FMU that cannot save it; a failed call, a missing function.
    pub fn save(&mut self) -> Result<Saved, HostError> {
        self.allow("save its state", &[ENDED])?;
        let (interface, capability) = self.saving();
        if !interface.is_some_and(|interface| interface.can(capability)) {
            return Err(HostError::Run(format!(
                "it cannot save its state: modelDescription.xml does not say {capability}"
            )));
        }
        let free = unused(&self.free).pop();
        let slot = free.unwrap_or(self.slots.len());
        if slot == self.slots.len() {
            self.slots.push(SavedState::NONE);
        }
        // Made first, so that the slot is free again if the FMU refuses.
        let saved = Saved {
            slot,
            free: Arc::clone(&self.free),
            refusal: self.refusal,
            grid: self.grid,
            inputs: self.inputs.values().to_vec(),
            exchange: self.exchange.as_ref().map(|exchange| exchange.now.clone()),
        };
        self.attempt(|session| session.instance.get_state(&mut session.slots[slot]))?;
        Ok(saved)
    }

    /// The interface type, and its capability to save states.
    fn saving(&self) -> (Option<&InterfaceDescription>, &'static str) {
        let description = &self.description;
        let interface = match self.instance.kind {
            Kind::CoSimulation => &description.co_simulation,
            Kind::ModelExchange => &description.model_exchange,
        };
        let capability = match description.standard {
            Standard::Fmi2 => "canGetAndSetFMUstate",
            Standard::Fmi3 => "canGetAndSetFMUState",
        };
        (interface.as_ref(), capability)
    }

    /// Returns to a state of this session, also after an error or a run. Events after its time are forgotten,
    /// warnings are not.
    ///
    /// # Errors
    /// A state of another session; a failed call.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), HostError> {
        if !Arc::ptr_eq(&self.free, &saved.free) {
            return Err(HostError::Run(
                "the saved state is one of another instance; restore it there".into(),
            ));
        }
        self.attempt(|session| {
            session.instance.set_state(session.slots[saved.slot])?;
            session.inputs.agree(Some(&saved.inputs));
            if let (Some(exchange), Some(point)) = (&mut session.exchange, &saved.exchange) {
                exchange.now.clone_from(point);
            }
            (session.refusal, session.grid) = (saved.refusal, saved.grid);
            let live = session.instance.live();
            let mut seen = live.seen();
            settle(&mut seen)?;
            seen.contacts.retain(|event| event.time <= saved.grid.time);
            Ok(())
        })
    }

    /// Contacts that started or ended since the reset or the last call.
    ///
    /// # Errors
    /// A record of the FMU that cannot be read.
    pub fn take_events(&mut self) -> Result<Vec<ContactEvent>, HostError> {
        let live = self.instance.live();
        let mut seen = live.seen();
        settle(&mut seen)?;
        Ok(mem::take(&mut seen.contacts))
    }

    /// Texts of warnings and worse logged by the FMU since the reset or the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        mem::take(&mut self.instance.live().seen().warnings)
    }

    /// Simulates from start to stop by this instance, as [`Interface::simulate`] does by a new one. It must be
    /// reset before it is stepped again.
    ///
    /// # Errors
    /// See [`simulate_cs`] and [`simulate_me`]; an `event_mode` other than that of the instance.
    pub fn run(&mut self, options: &Options) -> Result<Run, HostError> {
        let kind = self.instance.kind;
        if kind == Kind::CoSimulation && options.event_mode != self.event_mode {
            let reason =
                "events are handled as chosen when the session was opened; open another one";
            return Err(HostError::Run(reason.to_owned()));
        }
        options.experiment(&self.description.experiment, 1)?;
        self.attempt(|session| {
            let (instance, description) = (&session.instance, &session.description);
            start::begin(instance, description, options.live.as_ref())?;
            let mut recorder = Recorder::new(instance, description, options)?;
            let (table, experiment) = (options.inputs.as_ref(), recorder.experiment);
            let mut inputs = Writer::new(instance.library(), description, table, &experiment)?;
            let simulate = match kind {
                Kind::CoSimulation => co_simulation::simulate,
                Kind::ModelExchange => model_exchange::simulate,
            };
            let reached = simulate(instance, description, options, &mut inputs, &mut recorder)?;
            session.refusal = Some(RUN_OVER);
            run::finish(instance, recorder, &reached)
        })
    }

    /// Calls the FMU. The session has failed if that does, and the error has the warnings before it.
    fn attempt<T>(
        &mut self,
        call: impl FnOnce(&mut Session) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        if self.instance.is_lost() {
            return Err(HostError::Run(LOST.to_owned()));
        }
        call(self).map_err(|error| {
            let is_lost = self.instance.is_lost();
            self.refusal = Some(if is_lost { LOST } else { FAILED });
            error.with_messages(self.instance.live().seen().warnings.clone())
        })
    }

    fn allow(&self, what: &str, also: &[Reason]) -> Result<(), HostError> {
        match self.refusal.filter(|reason| !also.contains(reason)) {
            None => Ok(()),
            Some(reason) => Err(HostError::Run(format!("it cannot {what}: {reason}"))),
        }
    }

    fn check_inputs(&self, inputs: Option<&[f64]>) -> Result<(), HostError> {
        let Some(inputs) = inputs else {
            return Ok(());
        };
        check_count(inputs.len(), "inputs", &self.input_columns)?;
        let mut named = self.input_columns.iter().zip(inputs);
        named
            .find(|(_, value)| !value.is_finite())
            .map_or(Ok(()), |(column, value)| {
                let name = &column.name;
                Err(HostError::Inputs(format!(
                    "input {name} is {value}; it must be finite"
                )))
            })
    }
}

fn check_count(found: usize, what: &str, columns: &[Column]) -> Result<(), HostError> {
    match columns.len() {
        count if count == found => Ok(()),
        count => Err(HostError::Inputs(format!(
            "there are {found} {what}; there must be {count}"
        ))),
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        for state in &mut self.slots {
            if !self.instance.is_lost() {
                // The instance is freed next, whatever the FMU says.
                let _ = self.instance.free_state(state);
            }
        }
    }
}
