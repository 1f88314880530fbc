//! The C functions of FMI 3.0, [FMI 3.0] = Functional Mock-up Interface Specification 3.0.2.
//!
//! Each is four steps: [`guard`], borrow slices, call a method of
//! [`Instance`], map the result to a status. No pointer of the importer
//! outlives its call, except its callbacks and its environment.
//!
//! - [`types`]: the C types
//!
//! A reference of a type that no variable has is a wrong reference, an error by [FMI 3.0] section 2.2.3; an
//! empty list is fine where variables may be accessed. Functions of features that the model description does
//! not offer log so and return fmi3Error: clocks, configuration modes, scheduled execution.

#![allow(unsafe_code)]
// The names are those of the standard's header.
#![allow(non_snake_case)]

pub(crate) mod types;

pub use types::*;

use crate::border::{
    self, Place, Request, Status, free, functions, guard, instantiate, place, refuse, sink, text,
    texts, values, values_out,
};
use crate::instance::{
    Call, Failure, Instance, IntermediatePoint, Kind, LogSink, Options, Progress, Standard,
    StepListener,
};
use std::ffi::c_char;
use std::path::PathBuf;
use std::rc::Rc;

/// Version of the header file these functions follow.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

/// What the instantiation functions have in common: name of the instance, token and path of the resources.
///
/// # Safety
/// The texts are null or end with a zero byte.
unsafe fn request(
    [name, token, path]: [fmi3String; 3],
    logging_on: fmi3Boolean,
    sink: Option<Rc<dyn LogSink>>,
) -> Request {
    // SAFETY: the contract of this function.
    let [name, token, path] = unsafe { [text(name), text(token), text(path)] };
    let path = path.filter(|path| !path.is_empty());
    Request {
        name,
        token,
        resources: Ok(path.map(PathBuf::from)),
        logging_on,
        sink,
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
    let texts = [instanceName, instantiationToken, resourcePath];
    // SAFETY: section 2.3.1: texts end with a zero byte, callbacks stay valid.
    let request = unsafe { request(texts, loggingOn, logger(logMessage, instanceEnvironment)) };
    let name = "fmi3InstantiateModelExchange";
    instantiate(name, request, Options::MODEL_EXCHANGE)
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
    let texts = [instanceName, instantiationToken, resourcePath];
    // SAFETY: section 2.3.1: texts end with a zero byte, callbacks stay valid.
    let request = unsafe { request(texts, loggingOn, logger(logMessage, instanceEnvironment)) };
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
        let listener = listener(intermediateUpdate, instanceEnvironment);
        let status: fmi3Status = guard(instance, name, |instance| {
            let required = values(
                requiredIntermediateVariables,
                nRequiredIntermediateVariables,
                "requiredIntermediateVariables",
            )?;
            instance.watch_steps(listener, required)
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
    let sink = unsafe { logger(logMessage, instanceEnvironment) };
    refuse(
        "fmi3InstantiateScheduledExecution",
        sink,
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

/// Messages to the log function of an importer, if there is one: [FMI 3.0] section 2.3.1, `logMessage`.
///
/// # Safety
/// `function` may be called with `environment` as long as the result or an instance that logs to it lives.
unsafe fn logger(
    function: fmi3LogMessageCallback,
    environment: fmi3InstanceEnvironment,
) -> Option<Rc<dyn LogSink>> {
    let function = function?;
    Some(sink("%", move |degree, category, message| {
        let status = fmi3Status::of(degree);
        // SAFETY: [FMI 3.0] section 2.3.1: the importer provides this function to be called with
        // its environment; the texts live until it returns.
        unsafe { function(environment, status, category.as_ptr(), message.as_ptr()) };
    }))
}

/// The intermediate update function of an importer as the listener of an instance, if there is one.
///
/// # Safety
/// `function` may be called with `environment` as long as an instance with this listener lives.
unsafe fn listener(
    function: fmi3IntermediateUpdateCallback,
    environment: fmi3InstanceEnvironment,
) -> Option<Rc<StepListener>> {
    let function = function?;
    Some(Rc::new(move |point: IntermediatePoint| {
        let mut requested = false;
        // An importer that leaves it alone means here and now.
        let mut return_time = point.time;
        // There are no inputs to be set; values are those of an accepted step.
        let (set_requested, get_allowed, step_finished) = (false, true, true);
        // SAFETY: [FMI 3.0] section 4.2.2: the importer provides this function to be called with
        // its environment; both pointers are those of local variables.
        unsafe {
            function(
                environment,
                point.time,
                set_requested,
                get_allowed,
                step_finished,
                point.can_return_early,
                &raw mut requested,
                &raw mut return_time,
            );
        }
        requested.then_some(return_time)
    }))
}

/// Getters and setters of the types that no variable has.
macro_rules! no_variables {
    ($($type_name:literal $value:ty: $get:ident, $set:ident;)+) => {
        functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0"; $(
            /// There are no variables of this type: any reference is refused.
            $get(valueReferences: in [fmi3ValueReference; nValueReferences], _values: *mut $value, _nValues: usize)
                => |i| i.no_variables_of_type(Call::GetVariables, $type_name, valueReferences), "2.2.6.2";
            /// There are no variables of this type: any reference is refused.
            $set(valueReferences: in [fmi3ValueReference; nValueReferences], _values: *const $value, _nValues: usize)
                => |i| i.no_variables_of_type(Call::SetVariables, $type_name, valueReferences), "2.2.6.2";
        )+ }
    };
}

no_variables! {
    "Float32" fmi3Float32: fmi3GetFloat32, fmi3SetFloat32;
    "Int8" fmi3Int8: fmi3GetInt8, fmi3SetInt8;
    "UInt8" fmi3UInt8: fmi3GetUInt8, fmi3SetUInt8;
    "Int16" fmi3Int16: fmi3GetInt16, fmi3SetInt16;
    "UInt16" fmi3UInt16: fmi3GetUInt16, fmi3SetUInt16;
    "UInt32" fmi3UInt32: fmi3GetUInt32, fmi3SetUInt32;
    "UInt64" fmi3UInt64: fmi3GetUInt64, fmi3SetUInt64;
    "String" fmi3String: fmi3GetString, fmi3SetString;
}

/// Functions that are not supported, for the reason given.
macro_rules! unsupported {
    ($reason:literal: $($name:ident($($argument:ident: $kind:ty),*);)+) => {
        functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0"; $(
            #[doc = concat!("Not supported: ", $reason, ".")]
            $name($($argument: $kind),*) => |_i| {
                // No argument beside the instance is looked at.
                $(let _ = $argument;)*
                Err(Failure::error(concat!("not supported: ", $reason)))
            }, "2.3.1";
        )+ }
    };
}

unsupported! { "this FMU has no clocks":
    fmi3GetClock(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        values: *mut fmi3Clock);
    fmi3SetClock(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        values: *const fmi3Clock);
    fmi3GetIntervalDecimal(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        intervals: *mut fmi3Float64, qualifiers: *mut fmi3IntervalQualifier);
    fmi3GetIntervalFraction(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        counters: *mut fmi3UInt64, resolutions: *mut fmi3UInt64,
        qualifiers: *mut fmi3IntervalQualifier);
    fmi3GetShiftDecimal(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        shifts: *mut fmi3Float64);
    fmi3GetShiftFraction(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        counters: *mut fmi3UInt64, resolutions: *mut fmi3UInt64);
    fmi3SetIntervalDecimal(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        intervals: *const fmi3Float64);
    fmi3SetIntervalFraction(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        counters: *const fmi3UInt64, resolutions: *const fmi3UInt64);
    fmi3SetShiftDecimal(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        shifts: *const fmi3Float64);
    fmi3SetShiftFraction(valueReferences: *const fmi3ValueReference, nValueReferences: usize,
        counters: *const fmi3UInt64, resolutions: *const fmi3UInt64);
}

unsupported! { "this FMU has no structural parameters":
    fmi3EnterConfigurationMode();
    fmi3ExitConfigurationMode();
}

unsupported! { "this FMU has no Scheduled Execution":
    fmi3ActivateModelPartition(clockReference: fmi3ValueReference, activationTime: fmi3Float64);
}

functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0";
    fmi3SetDebugLogging(loggingOn: fmi3Boolean, nCategories: usize, categories: *const fmi3String) =>
        |i| i.set_debug_logging(loggingOn, &texts(categories, nCategories, "categories")?), "2.3.1";
    fmi3EnterInitializationMode(toleranceDefined: fmi3Boolean, tolerance: fmi3Float64,
        startTime: fmi3Float64, stopTimeDefined: fmi3Boolean, stopTime: fmi3Float64) => |i| {
        let stop_time = stopTimeDefined.then_some(stopTime);
        i.enter_initialization(toleranceDefined.then_some(tolerance), startTime, stop_time)
    }, "2.3.2";
    fmi3ExitInitializationMode() => exit_initialization, "2.3";
    fmi3EnterEventMode() => enter_event_mode, "2.3";
    /// Ignored: there is no separate evaluation of discrete states, section 2.3.5.
    fmi3EvaluateDiscreteStates() => evaluate_discrete_states, "2.3";
    fmi3EnterContinuousTimeMode() => enter_continuous_time_mode, "2.3";
    fmi3EnterStepMode() => enter_step_mode, "2.3";
    fmi3Terminate() => terminate, "2.3";
    fmi3Reset() => reset, "2.3";
    fmi3UpdateDiscreteStates(discreteStatesNeedUpdate: out fmi3Boolean, terminateSimulation: out fmi3Boolean,
        nominalsOfContinuousStatesChanged: out fmi3Boolean, valuesOfContinuousStatesChanged: out fmi3Boolean,
        nextEventTimeDefined: out fmi3Boolean, nextEventTime: out fmi3Float64) =>
        |i| i.update_discrete_states().map(|update| {
            discreteStatesNeedUpdate.write(false);
            terminateSimulation.write(false);
            nominalsOfContinuousStatesChanged.write(update.nominals_changed);
            valuesOfContinuousStatesChanged.write(update.states_changed);
            nextEventTimeDefined.write(update.next_event_time.is_some());
            nextEventTime.write(update.next_event_time.unwrap_or(0.0));
        }), "2.3.5";

    fmi3GetFloat64(valueReferences: in [fmi3ValueReference; nValueReferences], values: out [fmi3Float64; nValues])
        => get_float64, "2.2.6.2";
    fmi3SetFloat64(valueReferences: in [fmi3ValueReference; nValueReferences], values: in [fmi3Float64; nValues])
        => set_float64, "2.2.6.2";
    fmi3GetInt32(valueReferences: in [fmi3ValueReference; nValueReferences], values: out [fmi3Int32; nValues])
        => get_int32, "2.2.6.2";
    fmi3SetInt32(valueReferences: in [fmi3ValueReference; nValueReferences], values: in [fmi3Int32; nValues])
        => set_int32, "2.2.6.2";
    fmi3GetInt64(valueReferences: in [fmi3ValueReference; nValueReferences], values: out [fmi3Int64; nValues])
        => get_int64, "2.2.6.2";
    fmi3SetInt64(valueReferences: in [fmi3ValueReference; nValueReferences], values: in [fmi3Int64; nValues])
        => set_int64, "2.2.6.2";
    /// As bytes: what the importer has left in them may be no truth value.
    fmi3GetBoolean(valueReferences: in [fmi3ValueReference; nValueReferences],
        values: out [fmi3Boolean as u8; nValues]) => get_boolean, "2.2.6.2";
    /// As bytes: what the importer has left in them may be no truth value.
    fmi3SetBoolean(valueReferences: in [fmi3ValueReference; nValueReferences],
        values: in [fmi3Boolean as u8; nValues]) => set_boolean, "2.2.6.2";
    /// There are no variables of type Binary: any reference is refused.
    fmi3GetBinary(valueReferences: in [fmi3ValueReference; nValueReferences], _valueSizes: *mut usize,
        _values: *mut fmi3Binary, _nValues: usize) =>
        |i| i.no_variables_of_type(Call::GetVariables, "Binary", valueReferences), "2.2.6.2";
    /// There are no variables of type Binary: any reference is refused.
    fmi3SetBinary(valueReferences: in [fmi3ValueReference; nValueReferences], _valueSizes: *const usize,
        _values: *const fmi3Binary, _nValues: usize) =>
        |i| i.no_variables_of_type(Call::SetVariables, "Binary", valueReferences), "2.2.6.2";

    fmi3GetFMUState(FMUState: *mut fmi3FMUState) => border::get, "2.2.6.4";
    fmi3SetFMUState(FMUState: fmi3FMUState) => border::set, "2.2.6.4";
    fmi3FreeFMUState(FMUState: *mut fmi3FMUState) => border::free_state, "2.2.6.4";
    fmi3SerializedFMUStateSize(FMUState: fmi3FMUState, size: out usize) => border::size, "2.2.6.4";
    fmi3SerializeFMUState(FMUState: fmi3FMUState, serializedState: out [fmi3Byte; size])
        => border::serialize, "2.2.6.4";
    fmi3DeserializeFMUState(serializedState: in [fmi3Byte; size], FMUState: *mut fmi3FMUState)
        => border::deserialize, "2.2.6.4";

    /// Elements of arrays count from 1; 0 means the variable itself, here for each scalar. No dependency is
    /// claimed to be linear.
    fmi3GetVariableDependencies(dependent: fmi3ValueReference, elementIndicesOfDependent: *mut usize,
        independents: *mut fmi3ValueReference, elementIndicesOfIndependents: *mut usize,
        dependencyKinds: *mut fmi3DependencyKind, nDependencies: usize) => |i| {
        let found = i.dependencies(dependent)?;
        if found.len() != nDependencies {
            return Err(Failure::error(format!(
                "nDependencies is {nDependencies}; the variable with value reference \
                 {dependent} has {} dependencies",
                found.len()
            )));
        }
        let n = nDependencies;
        let of_dependent = values_out(elementIndicesOfDependent, n, "elementIndicesOfDependent")?;
        let references = values_out(independents, n, "independents")?;
        let of_known = values_out(elementIndicesOfIndependents, n, "elementIndicesOfIndependents")?;
        let kinds = values_out(dependencyKinds.cast::<i32>(), n, "dependencyKinds")?;
        for (i, dependency) in found.iter().enumerate() {
            of_dependent[i] = dependency.element;
            references[i] = dependency.known;
            of_known[i] = dependency.known_element;
        }
        // As integers: what the importer's array holds before need not be a valid kind.
        kinds.fill(fmi3DependencyKind::fmi3Dependent as i32);
        Ok(())
    }, "2.2.8";
    fmi3GetNumberOfVariableDependencies(valueReference: fmi3ValueReference, nDependencies: out usize) =>
        |i| i.dependencies(valueReference).map(|found| nDependencies.write(found.len())), "2.2.8";
    fmi3GetDirectionalDerivative(unknowns: in [fmi3ValueReference; nUnknowns],
        knowns: in [fmi3ValueReference; nKnowns], seed: in [fmi3Float64; nSeed],
        sensitivity: out [fmi3Float64; nSensitivity]) =>
        |i| i.directional_derivative([unknowns, knowns], seed, sensitivity), "2.2.11";
    fmi3GetAdjointDerivative(unknowns: in [fmi3ValueReference; nUnknowns],
        knowns: in [fmi3ValueReference; nKnowns], seed: in [fmi3Float64; nSeed],
        sensitivity: out [fmi3Float64; nSensitivity]) =>
        |i| i.adjoint_derivative([unknowns, knowns], seed, sensitivity), "2.2.11";
    /// First derivatives of continuous outputs by time.
    fmi3GetOutputDerivatives(valueReferences: in [fmi3ValueReference; nValueReferences],
        orders: in [fmi3Int32; =nValueReferences], values: out [fmi3Float64; nValues])
        => output_derivatives, "2.2.12";

    fmi3SetTime(time: fmi3Float64) => set_time, "3.2.1";
    fmi3SetContinuousStates(continuousStates: in [fmi3Float64; nContinuousStates])
        => set_continuous_states, "3.2.1";
    fmi3GetContinuousStates(continuousStates: out [fmi3Float64; nContinuousStates])
        => continuous_states, "2.3.3";
    fmi3GetNominalsOfContinuousStates(nominals: out [fmi3Float64; nContinuousStates]) => nominals, "2.3.3";
    fmi3GetContinuousStateDerivatives(derivatives: out [fmi3Float64; nContinuousStates])
        => derivatives, "3.2.1";
    fmi3GetEventIndicators(eventIndicators: out [fmi3Float64; nEventIndicators]) => indicators, "3.2.1";
    fmi3GetNumberOfContinuousStates(nContinuousStates: out usize) =>
        |i| i.state_count().map(|count| nContinuousStates.write(count)), "2.3.2";
    fmi3GetNumberOfEventIndicators(nEventIndicators: out usize) =>
        |i| i.indicator_count().map(|count| nEventIndicators.write(count)), "2.3.2";
    fmi3CompletedIntegratorStep(_noSetFMUStatePriorToCurrentPoint: fmi3Boolean,
        enterEventMode: out fmi3Boolean, terminateSimulation: out fmi3Boolean) =>
        |i| i.completed_integrator_step().map(|wanted| {
            enterEventMode.write(wanted);
            terminateSimulation.write(false);
        }), "3.2.1";
}

/// Out arguments of a communication step.
struct StepPlaces {
    flags: [Place<fmi3Boolean>; 3],
    last_successful_time: Place<fmi3Float64>,
}

impl StepPlaces {
    /// Writes the out arguments of a step that has ended or failed; otherwise returns the point at
    /// which to call the importer.
    fn settle(
        &self,
        instance: &Instance,
        progress: Result<Progress, Failure>,
    ) -> Result<Option<IntermediatePoint>, Failure> {
        let outcome = match progress {
            Ok(Progress::Intermediate(point)) => return Ok(Some(point)),
            Ok(Progress::Done(outcome)) => Ok(outcome),
            Err(failure) => Err(failure),
        };
        let results = match &outcome {
            Ok(step) => [step.event_handling_needed, false, step.early_return],
            Err(_) => [false; 3],
        };
        for (place, result) in self.flags.iter().zip(results) {
            place.write(result);
        }
        self.last_successful_time.write(instance.time());
        match outcome?.remark {
            None => Ok(None),
            Some(remark) => Err(Failure::warning(remark)),
        }
    }
}

/// Takes a communication step. The time reached is written even if the step fails.
///
/// The importer's intermediate update function calls functions of this instance, so it is called
/// while nothing here refers to the instance.
///
/// # Safety
/// As [FMI 3.0] section 4.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    instance: fmi3Instance,
    currentCommunicationPoint: fmi3Float64,
    communicationStepSize: fmi3Float64,
    _noSetFMUStatePriorToCurrentPoint: fmi3Boolean,
    eventHandlingNeeded: *mut fmi3Boolean,
    terminateSimulation: *mut fmi3Boolean,
    earlyReturn: *mut fmi3Boolean,
    lastSuccessfulTime: *mut fmi3Float64,
) -> fmi3Status {
    const NAME: &str = "fmi3DoStep";
    let (mut under_way, mut point) = (None, None);
    // SAFETY: section 4.2.1: the pointers are those of variables of the importer.
    let mut status = unsafe {
        guard(instance, NAME, |instance| {
            let places = StepPlaces {
                flags: [
                    place(eventHandlingNeeded, "eventHandlingNeeded")?,
                    place(terminateSimulation, "terminateSimulation")?,
                    place(earlyReturn, "earlyReturn")?,
                ],
                last_successful_time: place(lastSuccessfulTime, "lastSuccessfulTime")?,
            };
            let progress = instance.begin_step(currentCommunicationPoint, communicationStepSize);
            point = places.settle(instance, progress)?;
            under_way = instance.step_listener().map(|listener| (places, listener));
            Ok(())
        })
    };
    while let (Some(inside), Some((places, listener))) = (point.take(), &under_way) {
        let early_return = listener(inside);
        // SAFETY: as above; the instance cannot have been freed meanwhile.
        status = unsafe {
            guard(instance, NAME, |instance| {
                let progress = instance.continue_step(early_return);
                point = places.settle(instance, progress)?;
                Ok(())
            })
        };
    }
    status
}
