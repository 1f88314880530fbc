//! The C functions of FMI 3.0, [FMI 3.0] = Functional Mock-up Interface Specification 3.0.2.
//!
//! Each is four steps: [`guard`](crate::border), borrow slices, call a method of
//! [`Instance`](crate::instance::Instance), map the result to a status. No pointer of the importer
//! outlives its call, except its callbacks and its environment.
//!
//! - [`types`]: the C types
//! - [`values`]: variables by value reference, partial derivatives, dependencies
//! - [`model_exchange`]: the functions of each interface type

#![allow(unsafe_code)]
// The names are those of the standard's header.
#![allow(non_snake_case)]

pub(crate) mod model_exchange;
pub(crate) mod types;
pub(crate) mod values;

pub use model_exchange::*;
pub use types::*;
pub use values::*;

use crate::border;
use crate::border::{
    Request, Status, check_out, free, functions, guard, instantiate, message_texts, refuse, text,
    texts, values, write,
};
use crate::instance::{Category, Degree, Kind, LogSink, Options, Standard};
use std::ffi::c_char;
use std::path::PathBuf;
use std::rc::Rc;

// Version, making and freeing instances, logging, modes: [FMI 3.0] sections 2.2.4 and 2.3.

/// Version of the header file these functions follow.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0";
    /// Switches log categories; none given means all of them.
    fmi3SetDebugLogging(loggingOn: fmi3Boolean, nCategories: usize, categories: *const fmi3String), "2.3.1",
        |instance| {
            let names = texts(categories, nCategories, "categories")?;
            instance.set_debug_logging(loggingOn, &names)
        };
}

/// What the instantiation functions have in common.
///
/// # Safety
/// The texts are null or end with a zero byte; the log function may be called as long as the
/// instance lives.
unsafe fn request(
    instance_name: fmi3String,
    token: fmi3String,
    resource_path: fmi3String,
    logging_on: fmi3Boolean,
    environment: fmi3InstanceEnvironment,
    log_message: fmi3LogMessageCallback,
) -> Request {
    // SAFETY: the contract of this function.
    unsafe {
        let path = text(resource_path).filter(|path| !path.is_empty());
        Request {
            name: text(instance_name),
            token: text(token),
            resources: Ok(path.map(PathBuf::from)),
            logging_on,
            sink: Logger::new(log_message, environment).sink(),
        }
    }
}

/// Makes an instance for Model Exchange; null where that fails.
///
/// # Safety
/// As [FMI 3.0] section 2.3.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    instanceName: fmi3String,
    instantiationToken: fmi3String,
    resourcePath: fmi3String,
    _visible: fmi3Boolean,
    loggingOn: fmi3Boolean,
    instanceEnvironment: fmi3InstanceEnvironment,
    logMessage: fmi3LogMessageCallback,
) -> fmi3Instance {
    // SAFETY: section 2.3.1: texts end with a zero byte, callbacks stay valid.
    let request = unsafe {
        request(
            instanceName,
            instantiationToken,
            resourcePath,
            loggingOn,
            instanceEnvironment,
            logMessage,
        )
    };
    instantiate(
        "fmi3InstantiateModelExchange",
        request,
        Options::MODEL_EXCHANGE,
    )
}

/// Makes an instance for Co-Simulation; null where that fails.
///
/// # Safety
/// As [FMI 3.0] section 2.3.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    instanceName: fmi3String,
    instantiationToken: fmi3String,
    resourcePath: fmi3String,
    _visible: fmi3Boolean,
    loggingOn: fmi3Boolean,
    eventModeUsed: fmi3Boolean,
    earlyReturnAllowed: fmi3Boolean,
    requiredIntermediateVariables: *const fmi3ValueReference,
    nRequiredIntermediateVariables: usize,
    instanceEnvironment: fmi3InstanceEnvironment,
    logMessage: fmi3LogMessageCallback,
    intermediateUpdate: fmi3IntermediateUpdateCallback,
) -> fmi3Instance {
    // SAFETY: section 2.3.1: texts end with a zero byte, callbacks stay valid.
    let request = unsafe {
        request(
            instanceName,
            instantiationToken,
            resourcePath,
            loggingOn,
            instanceEnvironment,
            logMessage,
        )
    };
    let options = Options {
        standard: Standard::Fmi3,
        kind: Kind::CoSimulation,
        event_mode_used: eventModeUsed,
        early_return_allowed: earlyReturnAllowed,
    };
    let name = "fmi3InstantiateCoSimulation";
    let instance = instantiate(name, request, options);
    if instance.is_null() {
        return instance;
    }
    // SAFETY: the instance was just made; section 2.3.1: the array has the given length, callbacks
    // stay valid.
    unsafe {
        let update = IntermediateUpdate::new(intermediateUpdate, instanceEnvironment);
        let status: fmi3Status = guard(instance, name, |instance| {
            let required = values(
                requiredIntermediateVariables,
                nRequiredIntermediateVariables,
                "requiredIntermediateVariables",
            )?;
            instance.watch_steps(update.listener(), required)
        });
        if status == fmi3Status::fmi3OK {
            return instance;
        }
        free(instance);
    }
    std::ptr::null_mut()
}

/// Always null: there is no Scheduled Execution.
///
/// # Safety
/// As [FMI 3.0] section 2.3.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    _instanceName: fmi3String,
    _instantiationToken: fmi3String,
    _resourcePath: fmi3String,
    _visible: fmi3Boolean,
    _loggingOn: fmi3Boolean,
    instanceEnvironment: fmi3InstanceEnvironment,
    logMessage: fmi3LogMessageCallback,
    _clockUpdate: fmi3ClockUpdateCallback,
    _lockPreemption: fmi3LockPreemptionCallback,
    _unlockPreemption: fmi3UnlockPreemptionCallback,
) -> fmi3Instance {
    // SAFETY: section 2.3.1: the log function may be called with its environment.
    let logger = unsafe { Logger::new(logMessage, instanceEnvironment) };
    refuse(
        "fmi3InstantiateScheduledExecution",
        logger.sink(),
        "this FMU has no Scheduled Execution; it has Model Exchange and Co-Simulation",
    )
}

/// Frees an instance; null is ignored. Inside its own communication step the instance stays.
///
/// # Safety
/// [FMI 3.0] section 2.3.1: the instance is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(instance: fmi3Instance) {
    // SAFETY: made in an instantiation function, section 2.3.1.
    unsafe {
        let status: fmi3Status = guard(instance, "fmi3FreeInstance", |i| i.check_free());
        if status == fmi3Status::fmi3OK {
            free(instance);
        }
    }
}

functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0";
    /// Starts initialisation.
    fmi3EnterInitializationMode(toleranceDefined: fmi3Boolean, tolerance: fmi3Float64,
        startTime: fmi3Float64, stopTimeDefined: fmi3Boolean, stopTime: fmi3Float64), "2.3.2",
        |instance| {
            let stop_time = stopTimeDefined.then_some(stopTime);
            instance.enter_initialization(toleranceDefined.then_some(tolerance), startTime, stop_time)
        };
    /// Ends initialisation.
    fmi3ExitInitializationMode(), "2.3", |instance| instance.exit_initialization();
    /// Enters Event Mode.
    fmi3EnterEventMode(), "2.3", |instance| instance.enter_event_mode();
    /// Ignored: there is no separate evaluation of discrete states, section 2.3.5.
    fmi3EvaluateDiscreteStates(), "2.3", |instance| instance.evaluate_discrete_states();
    /// Leaves Event Mode in Model Exchange.
    fmi3EnterContinuousTimeMode(), "2.3", |instance| instance.enter_continuous_time_mode();
    /// Leaves Event Mode in Co-Simulation.
    fmi3EnterStepMode(), "2.3", |instance| instance.enter_step_mode();
    /// Ends the run.
    fmi3Terminate(), "2.3", |instance| instance.terminate();
    /// Back to where the instance was made.
    fmi3Reset(), "2.3", |instance| instance.reset();
    /// Handles the event at the current time.
    fmi3UpdateDiscreteStates(discreteStatesNeedUpdate: *mut fmi3Boolean,
        terminateSimulation: *mut fmi3Boolean, nominalsOfContinuousStatesChanged: *mut fmi3Boolean,
        valuesOfContinuousStatesChanged: *mut fmi3Boolean, nextEventTimeDefined: *mut fmi3Boolean,
        nextEventTime: *mut fmi3Float64), "2.3.5", |instance| {
        let flags = [
            (discreteStatesNeedUpdate, "discreteStatesNeedUpdate"),
            (terminateSimulation, "terminateSimulation"),
            (nominalsOfContinuousStatesChanged, "nominalsOfContinuousStatesChanged"),
            (valuesOfContinuousStatesChanged, "valuesOfContinuousStatesChanged"),
            (nextEventTimeDefined, "nextEventTimeDefined"),
        ];
        for (pointer, argument) in flags {
            check_out(pointer, argument)?;
        }
        check_out(nextEventTime, "nextEventTime")?;
        let update = instance.update_discrete_states()?;
        let (nominals, states) = (update.nominals_changed, update.states_changed);
        let results = [false, false, nominals, states, update.next_event_time.is_some()];
        for ((pointer, argument), result) in flags.into_iter().zip(results) {
            write(pointer, result, argument)?;
        }
        write(nextEventTime, update.next_event_time.unwrap_or(0.0), "nextEventTime")
    };
}

// Messages to the log function of an importer, [FMI 3.0] section 2.3.1, `logMessage`.

/// The log function of an importer with its environment.
#[derive(Clone, Copy)]
pub(crate) struct Logger {
    function: fmi3LogMessageCallback,
    environment: fmi3InstanceEnvironment,
}

impl Logger {
    /// Messages to `function`, if there is one.
    ///
    /// # Safety
    /// `function` may be called with `environment` as long as this value or an instance that logs
    /// to it lives.
    pub(crate) unsafe fn new(
        function: fmi3LogMessageCallback,
        environment: fmi3InstanceEnvironment,
    ) -> Self {
        Logger {
            function,
            environment,
        }
    }

    /// As a sink for an instance.
    pub(crate) fn sink(self) -> Option<Rc<dyn LogSink>> {
        self.function.is_some().then(|| Rc::new(self) as _)
    }
}

impl LogSink for Logger {
    fn log(&self, degree: Option<Degree>, category: Category, message: &str) {
        let Some(function) = self.function else {
            return;
        };
        let Some((category, message)) = message_texts(category, message) else {
            return;
        };
        // SAFETY: [FMI 3.0] section 2.3.1: the importer provides this function to be called with
        // its environment; the texts live until it returns.
        unsafe {
            function(
                self.environment,
                fmi3Status::of(degree),
                category.as_ptr(),
                message.as_ptr(),
            );
        }
    }
}

// The state of an instance, and as bytes: [FMI 3.0] section 2.2.6.4.

functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0";
    /// Copies the state out, into a new copy or over the one given.
    fmi3GetFMUState(FMUState: *mut fmi3FMUState), "2.2.6.4",
        |instance| border::get(instance, FMUState);
    /// Continues from a copy.
    fmi3SetFMUState(FMUState: fmi3FMUState), "2.2.6.4", |instance| border::set(instance, FMUState);
    /// Frees a copy; null is ignored.
    fmi3FreeFMUState(FMUState: *mut fmi3FMUState), "2.2.6.4",
        |instance| border::free_state(instance, FMUState);
    /// Number of bytes that hold a copy.
    fmi3SerializedFMUStateSize(FMUState: fmi3FMUState, size: *mut usize), "2.2.6.4",
        |instance| border::size(instance, FMUState, size);
    /// Writes a copy to bytes.
    fmi3SerializeFMUState(FMUState: fmi3FMUState, serializedState: *mut fmi3Byte, size: usize), "2.2.6.4",
        |instance| border::serialize(instance, FMUState, serializedState, size);
    /// Makes a copy from bytes.
    fmi3DeserializeFMUState(serializedState: *const fmi3Byte, size: usize,
        FMUState: *mut fmi3FMUState), "2.2.6.4",
        |instance| border::deserialize(instance, serializedState, size, FMUState);
}
