//! One instance of an FMU: the functions of the standard as methods that check the status.
//!
//! OK and Warning are good; any other status is a [`HostError::Call`] with the function's name and
//! what the FMU logged. The methods are in no version's words, but for the few at the top of the table of
//! [`Functions`] that the versions do not share. The order of calls is the user's: `co_simulation` and
//! `model_exchange` follow it.
#![allow(unsafe_code)]

use crate::c_api::{
    Access, AccessCall, BooleanFmi2, CallbackFunctions, EventInfo, FALSE, FreeInstance, Function,
    InstancePointer, LAST_SUCCESSFUL_TIME, SavedState, TERMINATED, TRUE, functions,
};
use crate::error::{HostError, Status, words};
use crate::library::Library;
use crate::logger::Logger;
use crate::trajectory::Live;
use fmu_core::instance::{Category, Kind, Standard};
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

/// A live instance. Freed when dropped.
pub(crate) struct LiveInstance {
    pointer: InstancePointer,
    kind: Kind,
    free: Function<FreeInstance>,
    functions: Functions,
    fatal: Cell<bool>,
    // Fields are dropped in this order: a library may still log while it is unloaded.
    library: Library,
    // The FMU has a pointer to it: it must not move, and outlive instance and library.
    logger: Arc<Logger>,
    // The FMU may keep a pointer to it [FMI 2.0] 2.1.5.
    _callbacks: Option<Box<CallbackFunctions>>,
}

// SAFETY: the pointers of the instance and its callbacks are used by its methods alone, so by one thread at a
// time, which is what [FMI 2.0] and [FMI 3.0] ask of an importer: neither ties an instance to a thread. The
// logger, which an FMU may call from threads of its own, is behind locks.
unsafe impl Send for LiveInstance {}

const BOTH: [Kind; 2] = [Kind::ModelExchange, Kind::CoSimulation];
const EXCHANGE: [Kind; 1] = [Kind::ModelExchange];
const SIMULATION: [Kind; 1] = [Kind::CoSimulation];
const NONE: [Kind; 0] = [];

// Prototypes as in fmi2FunctionTypes.h, with the types platform `default` of fmi2TypesPlatform.h, and
// fmi3FunctionTypes.h.
functions! { Functions of LiveInstance {
    fmi2_set_debug_logging "fmi2SetDebugLogging" "" BOTH, (on: BooleanFmi2, names: in count [*const c_char]);
    fmi3_set_debug_logging "" "fmi3SetDebugLogging" BOTH, (on: bool, names: in count [*const c_char]);
    fmi2_setup_experiment "fmi2SetupExperiment" "" BOTH,
        (has_tolerance: BooleanFmi2, tolerance: f64, start: f64, has_stop: BooleanFmi2, stop: f64);
    fmi2_enter_initialization_mode "fmi2EnterInitializationMode" "" BOTH, ();
    fmi3_enter_initialization_mode "" "fmi3EnterInitializationMode" BOTH,
        (has_tolerance: bool, tolerance: f64, start: f64, has_stop: bool, stop: f64);
    fmi2_new_discrete_states "fmi2NewDiscreteStates" "" EXCHANGE, (info: out EventInfo);
    fmi3_update_discrete_states "" "fmi3UpdateDiscreteStates" BOTH, (again: out u8, terminate: out u8,
        nominals: out u8, states: out u8, has_next: out u8, next: out f64);
    fmi2_completed_integrator_step "fmi2CompletedIntegratorStep" "" EXCHANGE,
        (no_return: BooleanFmi2, event: out BooleanFmi2, terminate: out BooleanFmi2);
    fmi3_completed_integrator_step "" "fmi3CompletedIntegratorStep" EXCHANGE,
        (no_return: bool, event: out u8, terminate: out u8);
    fmi2_directional_derivative "fmi2GetDirectionalDerivative" "" NONE, (unknowns: in [u32],
        knowns: in [u32], seed: in [f64; ..], sensitivity: out [f64; ..]);
    fmi3_directional_derivative "" "fmi3GetDirectionalDerivative" NONE, (unknowns: in [u32],
        knowns: in [u32], seed: in [f64], sensitivity: out [f64]);
    fmi3_number_of_states "" "fmi3GetNumberOfContinuousStates" EXCHANGE, (count: out usize);
    fmi3_number_of_indicators "" "fmi3GetNumberOfEventIndicators" EXCHANGE, (count: out usize);
    fmi2_do_step "fmi2DoStep" "" SIMULATION, (time: f64, length: f64, no_return: BooleanFmi2);
    fmi3_do_step "" "fmi3DoStep" SIMULATION, (time: f64, length: f64, no_return: bool, event: out u8,
        terminate: out u8, early: out u8, reached: out f64);
    fmi2_real_status "fmi2GetRealStatus" "" SIMULATION, (kind: c_int, value: out f64);
    fmi2_boolean_status "fmi2GetBooleanStatus" "" SIMULATION, (kind: c_int, value: out BooleanFmi2);

    exit_initialization_mode "fmi2ExitInitializationMode" "fmi3ExitInitializationMode" BOTH, ();
    enter_event_mode "fmi2EnterEventMode" "fmi3EnterEventMode" EXCHANGE, ();
    enter_continuous_time_mode "fmi2EnterContinuousTimeMode" "fmi3EnterContinuousTimeMode" EXCHANGE, ();
    enter_step_mode "" "fmi3EnterStepMode" SIMULATION, ();
    terminate "fmi2Terminate" "fmi3Terminate" BOTH, ();
    set_time "fmi2SetTime" "fmi3SetTime" EXCHANGE, (time: f64);
    set_states "fmi2SetContinuousStates" "fmi3SetContinuousStates" EXCHANGE, (states: in [f64]);
    states "fmi2GetContinuousStates" "fmi3GetContinuousStates" EXCHANGE, (states: out [f64]);
    derivatives "fmi2GetDerivatives" "fmi3GetContinuousStateDerivatives" EXCHANGE, (derivatives: out [f64]);
    indicators "fmi2GetEventIndicators" "fmi3GetEventIndicators" EXCHANGE, (indicators: out [f64]);
    nominals "fmi2GetNominalsOfContinuousStates" "fmi3GetNominalsOfContinuousStates" EXCHANGE,
        (nominals: out [f64]);
    reset "fmi2Reset" "fmi3Reset" NONE, ();
    get_state "fmi2GetFMUstate" "fmi3GetFMUState" NONE, (state: out SavedState);
    set_state "fmi2SetFMUstate" "fmi3SetFMUState" NONE, (state: SavedState);
    free_state "fmi2FreeFMUstate" "fmi3FreeFMUState" NONE, (state: out SavedState);
    state_size "fmi2SerializedFMUstateSize" "fmi3SerializedFMUStateSize" NONE,
        (state: SavedState, size: out usize);
    serialize_state "fmi2SerializeFMUstate" "fmi3SerializeFMUState" NONE,
        (state: SavedState, bytes: out [u8]);
} }

impl LiveInstance {
    /// Takes over what the function `make` gives `instantiate`, which gets a pointer to a logger as the
    /// environment of the instance.
    ///
    /// # Safety
    /// The pointer that `instantiate` returns is null or an instance of `library` that logs to the
    /// environment.
    ///
    /// # Errors
    /// There is no instance; a function that the interface type needs is missing.
    pub(crate) unsafe fn new<F>(
        library: Library,
        kind: Kind,
        make: Function<F>,
        live: Arc<Live>,
        instantiate: impl FnOnce(F, *mut c_void) -> InstancePointer,
    ) -> Result<LiveInstance, HostError> {
        let functions = Functions::find(&library, kind)?;
        // SAFETY: the prototype of the function in both versions.
        let free = unsafe { library.function(["fmi2FreeInstance", "fmi3FreeInstance"], true)? };
        let logger = Arc::new(Logger::new(live));
        let environment = ptr::from_ref::<Logger>(&logger).cast_mut().cast();
        let call = make.call.ok_or_else(|| library.lacks(make.name))?;
        let pointer = instantiate(call, environment);
        if pointer.is_null() {
            return Err(HostError::Call {
                function: make.name,
                standard: library.standard(),
                status: None,
                messages: logger.last_reasons(),
            });
        }
        logger.call_succeeded();
        Ok(LiveInstance {
            pointer,
            kind,
            free,
            functions,
            fatal: Cell::new(false),
            logger,
            library,
            _callbacks: None,
        })
    }

    /// The same, with the callbacks that it uses.
    pub(crate) fn with_callbacks(mut self, callbacks: Box<CallbackFunctions>) -> LiveInstance {
        self._callbacks = Some(callbacks);
        self
    }

    /// Interface type of the instance.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// FMI version of the instance.
    pub(crate) fn standard(&self) -> Standard {
        self.library.standard()
    }

    /// The loaded binary.
    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    /// Has what belongs to the result, also after the instance is freed.
    pub(crate) fn live(&self) -> Arc<Live> {
        self.logger.live()
    }

    /// Gives what is logged from now on to another run.
    pub(crate) fn follow(&self, live: Arc<Live>) {
        self.logger.follow(live);
    }

    /// Returns true after the status Fatal: no function may be called any more.
    pub(crate) fn is_lost(&self) -> bool {
        self.fatal.get()
    }

    /// Judges the status of a call: OK and Warning are good.
    ///
    /// # Errors
    /// Any other status, with the function's name and what the FMU logged.
    fn check(&self, function: &'static str, number: c_int) -> Result<(), HostError> {
        let status = Status::from_number(self.standard(), number);
        if matches!(status, Status::Ok | Status::Warning) {
            self.logger.call_succeeded();
            return Ok(());
        }
        if status == Status::Fatal {
            self.fatal.set(true);
        }
        Err(HostError::Call {
            function,
            standard: self.standard(),
            status: Some(status),
            messages: self.logger.last_reasons(),
        })
    }

    /// Reads the values of some variables, whose total size is that of `values`.
    ///
    /// # Safety
    /// `getter` is one of [`Self::library`].
    pub(crate) unsafe fn get<T>(
        &self,
        getter: &Access<*mut T>,
        references: &[u32],
        values: &mut [T],
    ) -> Result<(), HostError> {
        let (place, size) = (values.as_mut_ptr(), values.len());
        // SAFETY: as the caller promises; the FMU writes the given number of items.
        unsafe { self.access(getter, references, place, size) }
    }

    /// Sets the values of some variables, whose total size is that of `values`.
    ///
    /// # Safety
    /// `setter` is one of [`Self::library`].
    pub(crate) unsafe fn set<T>(
        &self,
        setter: &Access<*const T>,
        references: &[u32],
        values: &[T],
    ) -> Result<(), HostError> {
        // SAFETY: as the caller promises; the FMU reads the given number of items.
        unsafe { self.access(setter, references, values.as_ptr(), values.len()) }
    }

    /// # Safety
    /// `access` is one of [`Self::library`]; there are `size` values at `place`.
    unsafe fn access<P: Copy>(
        &self,
        access: &Access<P>,
        references: &[u32],
        place: P,
        size: usize,
    ) -> Result<(), HostError> {
        let (list, count) = (references.as_ptr(), references.len());
        // SAFETY: the instance lives; the FMU reads and writes the given number of items. In
        // FMI 2.0 these are as many values as references, since every variable is a scalar.
        let status = unsafe {
            match access.call {
                AccessCall::Fmi2(call) => call(self.pointer, list, count, place),
                AccessCall::Fmi3(call) => call(self.pointer, list, count, place, size),
            }
        };
        self.check(access.name, status)
    }

    /// Instantiated with all categories on, so that a refusal is explained; from here on only those
    /// that this tool reads, and those of failures.
    pub(crate) fn select_categories(
        &self,
        declared: &[String],
        is_watched: bool,
    ) -> Result<(), HostError> {
        let is_read = |name: &&String| {
            let name = name.to_ascii_lowercase();
            let words = ["error", "fatal", "discard", "warning"];
            match Category::from_name(&name) {
                Some(Category::Contacts | Category::Integrator) => true,
                Some(Category::Progress) => is_watched,
                _ => words.iter().any(|word| name.contains(word)),
            }
        };
        let wanted = declared.iter().filter(is_read);
        let texts: Result<Vec<CString>, _> = wanted.map(|c| CString::new(c.as_str())).collect();
        let texts = texts.map_err(|_| HostError::Run("a log category has a null in it".into()))?;
        let list: Vec<*const c_char> = texts.iter().map(|t| t.as_ptr()).collect();
        if list.is_empty() {
            return Ok(());
        }
        // No categories mean all of them.
        for (on, list) in [(false, &[][..]), (true, &list)] {
            match self.standard() {
                Standard::Fmi2 => self.fmi2_set_debug_logging(c_int::from(on), list)?,
                Standard::Fmi3 => self.fmi3_set_debug_logging(on, list)?,
            }
        }
        Ok(())
    }

    /// From Instantiated to Initialization Mode. `tolerance` is relative [1], times in [s].
    pub(crate) fn enter_initialization_mode(
        &self,
        tolerance: Option<f64>,
        start: f64,
        stop: Option<f64>,
    ) -> Result<(), HostError> {
        let (has, tolerance) = (tolerance.is_some(), tolerance.unwrap_or_default());
        let (has_stop, stop) = (stop.is_some(), stop.unwrap_or_default());
        match self.standard() {
            Standard::Fmi2 => {
                let (has, has_stop) = (c_int::from(has), c_int::from(has_stop));
                self.fmi2_setup_experiment(has, tolerance, start, has_stop, stop)?;
                self.fmi2_enter_initialization_mode()
            }
            Standard::Fmi3 => {
                self.fmi3_enter_initialization_mode(has, tolerance, start, has_stop, stop)
            }
        }
    }

    /// Numbers of continuous states and event indicators, by the binary if its version reports them, else
    /// those that are declared.
    pub(crate) fn counts(&self, declared: [usize; 2]) -> Result<[usize; 2], HostError> {
        let [mut states, mut indicators] = declared;
        if self.standard() == Standard::Fmi3 {
            self.fmi3_number_of_states(&mut states)?;
            self.fmi3_number_of_indicators(&mut indicators)?;
        }
        Ok([states, indicators])
    }

    /// Reads the derivatives of `unknowns` along the direction `seed` of `knowns`, variables by
    /// their value references, at the time and states set last. An array counts with all elements.
    ///
    /// # Errors
    /// Those of the call; the binary has no such function.
    pub(crate) fn directional_derivative(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> Result<(), HostError> {
        if self.standard() == Standard::Fmi3 {
            return self.fmi3_directional_derivative(unknowns, knowns, seed, sensitivity);
        }
        // The version has no arrays: the FMU reads and writes a number for each reference.
        assert_eq!(
            [unknowns.len(), knowns.len()],
            [sensitivity.len(), seed.len()]
        );
        self.fmi2_directional_derivative(unknowns, knowns, seed, sensitivity)
    }

    /// Reports the end of an integrator step to the FMU. Returns whether it wants Event Mode, and
    /// whether it wants the simulation to end.
    pub(crate) fn completed_integrator_step(&self) -> Result<(bool, bool), HostError> {
        Ok(match self.standard() {
            Standard::Fmi2 => {
                let (mut event, mut terminate) = (FALSE, FALSE);
                self.fmi2_completed_integrator_step(TRUE, &mut event, &mut terminate)?;
                (event != FALSE, terminate != FALSE)
            }
            Standard::Fmi3 => {
                let (mut event, mut terminate) = (0, 0);
                self.fmi3_completed_integrator_step(true, &mut event, &mut terminate)?;
                (event != 0, terminate != 0)
            }
        })
    }

    /// Updates the discrete states once, in Event Mode. Returns also whether they need one more
    /// update.
    fn update_discrete_states_once(&self) -> Result<(DiscreteUpdate, bool), HostError> {
        let (mut again, mut terminate, mut nominals, mut states) = (0, 0, 0, 0);
        let (mut has_next, mut next) = (0, 0.0);
        if self.standard() == Standard::Fmi2 {
            let mut info = EventInfo::default();
            self.fmi2_new_discrete_states(&mut info)?;
            let is = |flag| u8::from(flag != FALSE);
            again = is(info.new_discrete_states_needed);
            terminate = is(info.terminate_simulation);
            nominals = is(info.nominals_of_continuous_states_changed);
            states = is(info.values_of_continuous_states_changed);
            (has_next, next) = (is(info.next_event_time_defined), info.next_event_time);
        } else {
            self.fmi3_update_discrete_states(
                &mut again,
                &mut terminate,
                &mut nominals,
                &mut states,
                &mut has_next,
                &mut next,
            )?;
        }
        let update = DiscreteUpdate {
            terminate: terminate != 0,
            nominals_changed: nominals != 0,
            states_changed: states != 0,
            next_event_time: (has_next != 0).then_some(next),
        };
        Ok((update, again != 0))
    }

    /// Updates the discrete states at `time` [s], in Event Mode, until they need no more updates.
    ///
    /// # Errors
    /// A failed call; more than [`MOST_EVENT_ITERATIONS`]; a next event before `time`.
    pub(crate) fn update_discrete_states(&self, time: f64) -> Result<DiscreteUpdate, HostError> {
        let name = match self.standard() {
            Standard::Fmi2 => self.functions.fmi2_new_discrete_states.name,
            Standard::Fmi3 => self.functions.fmi3_update_discrete_states.name,
        };
        let mut sum = DiscreteUpdate::default();
        for _ in 0..MOST_EVENT_ITERATIONS {
            let (update, again) = self.update_discrete_states_once()?;
            sum.terminate |= update.terminate;
            sum.nominals_changed |= update.nominals_changed;
            sum.states_changed |= update.states_changed;
            sum.next_event_time = update.next_event_time;
            if !again || sum.terminate {
                return match sum.next_event_time {
                    Some(next) if next.is_nan() || next < time => Err(HostError::Run(format!(
                        "{name} announces the next event for {next} s; it is {time} s already"
                    ))),
                    _ => Ok(sum),
                };
            }
        }
        Err(HostError::Run(format!(
            "the event at {time} s has no end: after {MOST_EVENT_ITERATIONS} calls of {name} the \
             FMU still asks for another one"
        )))
    }

    /// Name of the function that takes a communication step.
    pub(crate) fn step_function(&self) -> String {
        format!("{}DoStep", words(self.standard()).1)
    }

    /// Runs from the communication point `time` [s] over `length` [s].
    pub(crate) fn do_step(&self, time: f64, length: f64) -> Result<StepAnswer, HostError> {
        if self.standard() == Standard::Fmi2 {
            return self.do_step_without_events(time, length);
        }
        let (mut event, mut terminate, mut early) = (0, 0, 0);
        let mut reached = time;
        self.fmi3_do_step(
            time,
            length,
            true,
            &mut event,
            &mut terminate,
            &mut early,
            &mut reached,
        )?;
        Ok(StepAnswer {
            event_handling_needed: event != 0,
            terminate: terminate != 0,
            early_return: early != 0,
            time: reached,
        })
    }

    fn do_step_without_events(&self, time: f64, length: f64) -> Result<StepAnswer, HostError> {
        let mut answer = StepAnswer {
            event_handling_needed: false,
            terminate: false,
            early_return: false,
            time: time + length,
        };
        if let Err(error) = self.fmi2_do_step(time, length, TRUE) {
            // [FMI 2.0] 4.2.2: a discarded step may be the end that the FMU asks for.
            let is_discard = matches!(
                error,
                HostError::Call {
                    status: Some(Status::Discard),
                    ..
                }
            );
            let mut ends = FALSE;
            if !is_discard
                || self.fmi2_boolean_status(TERMINATED, &mut ends).is_err()
                || ends == FALSE
            {
                return Err(error);
            }
            (answer.terminate, answer.early_return) = (true, true);
            answer.time = f64::NAN;
            self.fmi2_real_status(LAST_SUCCESSFUL_TIME, &mut answer.time)?;
        }
        Ok(answer)
    }
}

impl Drop for LiveInstance {
    fn drop(&mut self) {
        // [FMI 2.0] 2.1.3, [FMI 3.0] 2.2.3: after Fatal no function may be called, this one
        // included.
        if let (Some(free), false) = (self.free.call, self.fatal.get()) {
            // SAFETY: the instance lives until here, and nobody has its pointer.
            unsafe { free(self.pointer) };
        }
    }
}

/// Event iterations at one instant at most. Real models need a few; an FMU that asks for more has
/// no consistent discrete state.
pub(crate) const MOST_EVENT_ITERATIONS: usize = 1000;

/// Result of a completed event update.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct DiscreteUpdate {
    /// The FMU asks to end the simulation.
    pub terminate: bool,
    /// Nominal values of states are new.
    pub nominals_changed: bool,
    /// Values of states are new.
    pub states_changed: bool,
    /// Time of the next time event [s].
    pub next_event_time: Option<f64>,
}

/// How a communication step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StepAnswer {
    /// There is an event to be handled at `time`.
    pub event_handling_needed: bool,
    /// The FMU asks to end the simulation.
    pub terminate: bool,
    /// The step ended before its end.
    pub early_return: bool,
    /// Time reached [s].
    pub(crate) time: f64,
}
