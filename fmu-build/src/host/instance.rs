//! One instance of an FMU: each function of the standard as a method that checks the status.
//!
//! fmi3OK and fmi3Warning are good; any other status is a [`HostError::Call`] with the function's
//! name and what the FMU logged. The methods that belong to one interface type exist on its type
//! only. The order of calls is the user's: `co_simulation` and `model_exchange` follow it.
#![allow(unsafe_code)]

use super::c_api::{CoSimulationFunctions, InstancePointer, ModelExchangeFunctions, Status};
use super::error::HostError;
use super::fmu::Fmu;
use super::library::Library;
use super::logger::{self, Logger, Message};
use super::messages;
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int};
use std::path::MAIN_SEPARATOR;
use std::ptr;

/// Event iterations at one instant at most. Real models need a few; an FMU that asks for more has
/// no consistent discrete state.
pub const MOST_EVENT_ITERATIONS: usize = 1000;

/// Answer of an event update that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct DiscreteUpdate {
    /// The FMU asks to end the simulation.
    pub terminate: bool,
    /// Nominal values of states are new.
    pub nominals_changed: bool,
    /// Values of states are new.
    pub states_changed: bool,
    /// Time of the next time event [s].
    pub next_event_time: Option<f64>,
}

/// An instance with the functions `F` of its interface type. Freed when dropped.
pub struct Instance<F> {
    pointer: InstancePointer,
    functions: F,
    fatal: Cell<bool>,
    // The FMU has a pointer to it: it must not move, and outlive the instance.
    logger: Box<Logger>,
    library: Library,
}

/// An instance for Model Exchange.
pub type ModelExchange = Instance<ModelExchangeFunctions>;
/// An instance for Co-Simulation.
pub type CoSimulation = Instance<CoSimulationFunctions>;

/// Strings that an instantiation passes.
struct Names {
    instance: CString,
    token: CString,
    resources: Option<CString>,
}

impl Names {
    fn new(fmu: &Fmu, library: &Library) -> Result<Names, HostError> {
        let description = fmu.description();
        let text = |text: &str| {
            CString::new(text)
                .map_err(|_| HostError::Run(format!("{text:?} has a null character in it")))
        };
        let resources = library.folder().join("resources");
        let resources = match resources.to_str() {
            _ if !resources.is_dir() => None,
            // [FMI 3.0] 2.3.1: an absolute path with a trailing separator.
            Some(path) => Some(text(&format!("{path}{MAIN_SEPARATOR}"))?),
            None => {
                return Err(HostError::Run(format!(
                    "the temporary folder {} is not UTF-8, which FMI asks for",
                    resources.display()
                )));
            }
        };
        Ok(Names {
            instance: text(&description.model_name)?,
            token: text(&description.instantiation_token)?,
            resources,
        })
    }

    fn resources(&self) -> *const c_char {
        self.resources.as_ref().map_or(ptr::null(), |r| r.as_ptr())
    }
}

impl ModelExchange {
    /// Instantiates Model Exchange, with the log switched to what this tool reads.
    ///
    /// # Errors
    /// The FMU has no Model Exchange or no binary for this platform, a function is missing, the
    /// FMU refuses.
    pub fn new(fmu: &Fmu) -> Result<Self, HostError> {
        let library = fmu.load(fmu.model_exchange()?)?;
        let functions = library.model_exchange()?;
        let names = Names::new(fmu, &library)?;
        let logger = Box::<Logger>::default();
        // SAFETY: [FMI 3.0] 2.3.1. The strings live during the call, the logger as long as the
        // instance; the resource path may be null.
        let pointer = unsafe {
            (functions.instantiate)(
                names.instance.as_ptr(),
                names.token.as_ptr(),
                names.resources(),
                false,
                true,
                ptr::from_ref::<Logger>(&logger).cast_mut().cast(),
                Some(logger::receive),
            )
        };
        let name = "fmi3InstantiateModelExchange";
        Instance::finish(fmu, name, pointer, functions, logger, library)
    }

    /// Number of continuous states.
    pub fn number_of_states(&self) -> Result<usize, HostError> {
        let mut count = 0;
        // SAFETY: the instance lives, the FMU writes one number.
        let status = unsafe { (self.functions.get_number_of_states)(self.pointer, &mut count) };
        self.check("fmi3GetNumberOfContinuousStates", status)?;
        Ok(count)
    }

    /// Number of event indicators.
    pub fn number_of_indicators(&self) -> Result<usize, HostError> {
        let mut count = 0;
        // SAFETY: the instance lives, the FMU writes one number.
        let status = unsafe { (self.functions.get_number_of_indicators)(self.pointer, &mut count) };
        self.check("fmi3GetNumberOfEventIndicators", status)?;
        Ok(count)
    }

    /// From Event Mode to Continuous-Time Mode.
    pub fn enter_continuous_time_mode(&self) -> Result<(), HostError> {
        // SAFETY: the instance lives.
        let status = unsafe { (self.functions.enter_continuous_time_mode)(self.pointer) };
        self.check("fmi3EnterContinuousTimeMode", status)
    }

    /// Sets the time [s].
    pub fn set_time(&self, time: f64) -> Result<(), HostError> {
        // SAFETY: the instance lives.
        let status = unsafe { (self.functions.set_time)(self.pointer, time) };
        self.check("fmi3SetTime", status)
    }

    /// Sets the continuous states, all of them.
    pub fn set_states(&self, states: &[f64]) -> Result<(), HostError> {
        // SAFETY: the instance lives, the FMU reads as many values as it is told.
        let status = unsafe {
            (self.functions.set_continuous_states)(self.pointer, states.as_ptr(), states.len())
        };
        self.check("fmi3SetContinuousStates", status)
    }

    /// Reads the continuous states, all of them.
    pub fn states(&self, states: &mut [f64]) -> Result<(), HostError> {
        let function = self.functions.get_continuous_states;
        self.read_vector("fmi3GetContinuousStates", function, states)
    }

    /// Reads the state derivatives at the time and states set last.
    pub fn derivatives(&self, derivatives: &mut [f64]) -> Result<(), HostError> {
        let function = self.functions.get_derivatives;
        self.read_vector("fmi3GetContinuousStateDerivatives", function, derivatives)
    }

    /// Reads the event indicators at the time and states set last.
    pub fn indicators(&self, indicators: &mut [f64]) -> Result<(), HostError> {
        let function = self.functions.get_event_indicators;
        self.read_vector("fmi3GetEventIndicators", function, indicators)
    }

    /// Reads the nominal values of the states.
    pub fn nominals(&self, nominals: &mut [f64]) -> Result<(), HostError> {
        let function = self.functions.get_nominals;
        self.read_vector("fmi3GetNominalsOfContinuousStates", function, nominals)
    }

    fn read_vector(
        &self,
        name: &'static str,
        function: unsafe extern "C" fn(InstancePointer, *mut f64, usize) -> c_int,
        values: &mut [f64],
    ) -> Result<(), HostError> {
        // SAFETY: the instance lives, the FMU writes as many values as it is told.
        let status = unsafe { function(self.pointer, values.as_mut_ptr(), values.len()) };
        self.check(name, status)
    }

    /// Tells the FMU that an integrator step ended. Answers whether it wants Event Mode, and
    /// whether it wants the simulation to end.
    pub fn completed_integrator_step(&self) -> Result<(bool, bool), HostError> {
        let (mut event, mut terminate) = (0, 0);
        // SAFETY: the instance lives, the FMU writes two booleans.
        let status = unsafe {
            (self.functions.completed_integrator_step)(
                self.pointer,
                true,
                &mut event,
                &mut terminate,
            )
        };
        self.check("fmi3CompletedIntegratorStep", status)?;
        Ok((event != 0, terminate != 0))
    }
}

/// How a communication step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepAnswer {
    /// There is an event to be handled at `time`.
    pub event_handling_needed: bool,
    /// The FMU asks to end the simulation.
    pub terminate: bool,
    /// The step ended before its end.
    pub early_return: bool,
    /// Time reached [s].
    pub time: f64,
}

impl CoSimulation {
    /// Instantiates Co-Simulation, with the log switched to what this tool reads. With
    /// `event_mode` the user handles events and gets early returns for them.
    ///
    /// # Errors
    /// The FMU has no Co-Simulation or no binary for this platform, a function is missing, the FMU
    /// refuses.
    pub fn new(fmu: &Fmu, event_mode: bool) -> Result<Self, HostError> {
        let library = fmu.load(fmu.co_simulation()?)?;
        let functions = library.co_simulation()?;
        let names = Names::new(fmu, &library)?;
        let logger = Box::<Logger>::default();
        // SAFETY: as for Model Exchange; no intermediate variables, no intermediate update.
        let pointer = unsafe {
            (functions.instantiate)(
                names.instance.as_ptr(),
                names.token.as_ptr(),
                names.resources(),
                false,
                true,
                event_mode,
                event_mode,
                ptr::null(),
                0,
                ptr::from_ref::<Logger>(&logger).cast_mut().cast(),
                Some(logger::receive),
                None,
            )
        };
        let name = "fmi3InstantiateCoSimulation";
        Instance::finish(fmu, name, pointer, functions, logger, library)
    }

    /// From Event Mode to Step Mode.
    pub fn enter_step_mode(&self) -> Result<(), HostError> {
        // SAFETY: the instance lives.
        let status = unsafe { (self.functions.enter_step_mode)(self.pointer) };
        self.check("fmi3EnterStepMode", status)
    }

    /// Runs from the communication point `time` [s] over `length` [s].
    pub fn do_step(&self, time: f64, length: f64) -> Result<StepAnswer, HostError> {
        let (mut event, mut terminate, mut early) = (0, 0, 0);
        let mut reached = time;
        // SAFETY: the instance lives, the FMU writes three booleans and a number.
        let status = unsafe {
            (self.functions.do_step)(
                self.pointer,
                time,
                length,
                true,
                &mut event,
                &mut terminate,
                &mut early,
                &mut reached,
            )
        };
        self.check("fmi3DoStep", status)?;
        Ok(StepAnswer {
            event_handling_needed: event != 0,
            terminate: terminate != 0,
            early_return: early != 0,
            time: reached,
        })
    }
}

impl<F> Instance<F> {
    fn finish(
        fmu: &Fmu,
        name: &'static str,
        pointer: InstancePointer,
        functions: F,
        logger: Box<Logger>,
        library: Library,
    ) -> Result<Self, HostError> {
        if pointer.is_null() {
            return Err(HostError::Call {
                function: name,
                status: None,
                messages: logger.last_reasons(),
            });
        }
        let instance = Instance {
            pointer,
            functions,
            fatal: Cell::new(false),
            logger,
            library,
        };
        instance.logger.call_succeeded();
        instance.select_categories(&fmu.description().log_categories)?;
        Ok(instance)
    }

    /// Instantiated with all categories on, so that a refusal is explained; from here on only those
    /// that this tool reads, and those of failures.
    fn select_categories(&self, declared: &[String]) -> Result<(), HostError> {
        let is_read = |name: &&String| {
            let name = name.to_ascii_lowercase();
            [messages::CONTACTS, messages::INTEGRATOR].contains(&name.as_str())
                || ["error", "fatal", "discard", "warning"]
                    .iter()
                    .any(|w| name.contains(w))
        };
        let wanted: Vec<&String> = declared.iter().filter(is_read).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        self.set_debug_logging(false, &[])?;
        self.set_debug_logging(true, &wanted)
    }

    /// Switches log categories; an empty list means all of them.
    fn set_debug_logging(&self, on: bool, categories: &[&String]) -> Result<(), HostError> {
        let texts: Result<Vec<CString>, _> = categories
            .iter()
            .map(|c| CString::new(c.as_str()))
            .collect();
        let texts = texts.map_err(|_| HostError::Run("a log category has a null in it".into()))?;
        let pointers: Vec<*const c_char> = texts.iter().map(|t| t.as_ptr()).collect();
        let (count, list) = match pointers.len() {
            0 => (0, ptr::null()),
            n => (n, pointers.as_ptr()),
        };
        let function = self.library.common().set_debug_logging;
        // SAFETY: the instance lives, the texts live during the call.
        let status = unsafe { function(self.pointer, on, count, list) };
        self.check("fmi3SetDebugLogging", status)
    }

    /// From Instantiated to Initialization Mode. `tolerance` is relative [1], times in [s].
    pub fn enter_initialization_mode(
        &self,
        tolerance: Option<f64>,
        start: f64,
        stop: f64,
    ) -> Result<(), HostError> {
        let function = self.library.common().enter_initialization_mode;
        // SAFETY: the instance lives.
        let status = unsafe {
            function(
                self.pointer,
                tolerance.is_some(),
                tolerance.unwrap_or_default(),
                start,
                true,
                stop,
            )
        };
        self.check("fmi3EnterInitializationMode", status)
    }

    /// Ends Initialization Mode.
    pub fn exit_initialization_mode(&self) -> Result<(), HostError> {
        // SAFETY: the instance lives.
        let status = unsafe { (self.library.common().exit_initialization_mode)(self.pointer) };
        self.check("fmi3ExitInitializationMode", status)
    }

    /// Enters Event Mode.
    pub fn enter_event_mode(&self) -> Result<(), HostError> {
        // SAFETY: the instance lives.
        let status = unsafe { (self.library.common().enter_event_mode)(self.pointer) };
        self.check("fmi3EnterEventMode", status)
    }

    /// Updates the discrete states at `time` [s], in Event Mode, until they need no more updates.
    ///
    /// # Errors
    /// A failed call; more than [`MOST_EVENT_ITERATIONS`]; a next event before `time`.
    pub fn update_discrete_states(&self, time: f64) -> Result<DiscreteUpdate, HostError> {
        let function = self.library.common().update_discrete_states;
        let mut sum = DiscreteUpdate::default();
        for _ in 0..MOST_EVENT_ITERATIONS {
            let (mut again, mut terminate, mut nominals, mut states) = (0, 0, 0, 0);
            let (mut has_next, mut next) = (0, 0.0);
            // SAFETY: the instance lives, the FMU writes five booleans and a number.
            let status = unsafe {
                function(
                    self.pointer,
                    &mut again,
                    &mut terminate,
                    &mut nominals,
                    &mut states,
                    &mut has_next,
                    &mut next,
                )
            };
            self.check("fmi3UpdateDiscreteStates", status)?;
            sum.terminate |= terminate != 0;
            sum.nominals_changed |= nominals != 0;
            sum.states_changed |= states != 0;
            sum.next_event_time = (has_next != 0).then_some(next);
            if again == 0 || sum.terminate {
                return match sum.next_event_time {
                    Some(next) if next.is_nan() || next < time => Err(HostError::Run(format!(
                        "fmi3UpdateDiscreteStates announces the next event for {next} s; it is \
                         {time} s already"
                    ))),
                    _ => Ok(sum),
                };
            }
        }
        Err(HostError::Run(format!(
            "the event at {time} s has no end: after {MOST_EVENT_ITERATIONS} calls of \
             fmi3UpdateDiscreteStates the FMU still asks for another one"
        )))
    }

    /// Ends the run; values stay readable.
    pub fn terminate(&self) -> Result<(), HostError> {
        // SAFETY: the instance lives.
        let status = unsafe { (self.library.common().terminate)(self.pointer) };
        self.check("fmi3Terminate", status)
    }

    /// Takes out all messages so far, with the number of those that were too many to keep.
    pub fn take_messages(&self) -> (Vec<Message>, usize) {
        self.logger.take()
    }

    /// The loaded binary.
    pub(super) fn library(&self) -> &Library {
        &self.library
    }

    /// Reads the values of some variables, whose total size is that of `values`.
    ///
    /// # Safety
    /// `getter` is the function of the standard called `name`, found in [`Self::library`].
    pub(super) unsafe fn get<T>(
        &self,
        name: &'static str,
        getter: super::c_api::Getter<T>,
        references: &[u32],
        values: &mut [T],
    ) -> Result<(), HostError> {
        // SAFETY: the instance lives; the FMU reads and writes as many items as it is told.
        let status = unsafe {
            getter(
                self.pointer,
                references.as_ptr(),
                references.len(),
                values.as_mut_ptr(),
                values.len(),
            )
        };
        self.check(name, status)
    }

    fn check(&self, function: &'static str, number: c_int) -> Result<(), HostError> {
        let status = Status::from_number(number);
        if matches!(status, Status::Ok | Status::Warning) {
            self.logger.call_succeeded();
            return Ok(());
        }
        if status == Status::Fatal {
            self.fatal.set(true);
        }
        Err(HostError::Call {
            function,
            status: Some(status),
            messages: self.logger.last_reasons(),
        })
    }
}

impl<F> Drop for Instance<F> {
    fn drop(&mut self) {
        // [FMI 3.0] 2.2.3: after fmi3Fatal no function may be called, this one included.
        if !self.fatal.get() {
            // SAFETY: the instance lives until here, and nobody has its pointer.
            unsafe { (self.library.common().free_instance)(self.pointer) };
        }
    }
}
