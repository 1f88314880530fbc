//! The C functions of FMI 2.0, [FMI 2.0] = Functional Mock-up Interface for Model Exchange and
//! Co-Simulation 2.0.
//!
//! Each is four steps: [`guard`](crate::border), borrow slices, call a method of
//! [`Instance`], map the result to a status. No pointer of the importer
//! outlives its call, except its log function and its environment.
//!
//! - [`types`]: the C types
//! - [`location`]: the folder that the URI of the resources names
//!
//! There are variables of types Real, Integer and Boolean; a reference of another type is a wrong
//! reference, while an empty list is fine. A communication step is over when fmi2DoStep returns; it never
//! returns fmi2Pending. So there is no step to cancel, and no status of a running one.

#![allow(unsafe_code)]
// The names are those of the standard's header.
#![allow(non_snake_case, non_upper_case_globals)]

pub(crate) mod location;
pub(crate) mod types;

pub use types::*;

use crate::border::{
    self, Place, Request, Status, free, functions, instantiate, refuse, sink, text, texts,
};
use crate::instance::{Call, Failure, Instance, Kind, LogSink, Options, Standard};
use std::ffi::{CString, c_char};
use std::rc::Rc;

/// Sizes of the C types these functions use.
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

/// Version of the header file these functions follow.
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

/// Makes an instance; null where that fails.
///
/// # Safety
/// As [FMI 2.0] section 2.1.5 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    instanceName: fmi2String,
    fmuType: fmi2Type,
    fmuGUID: fmi2String,
    fmuResourceLocation: fmi2String,
    functions: *const fmi2CallbackFunctions,
    _visible: fmi2Boolean,
    loggingOn: fmi2Boolean,
) -> fmi2Component {
    const NAME: &str = "fmi2Instantiate";
    // SAFETY: section 2.1.5: texts are null or end with a zero byte; the pointer is that of a
    // structure whose log function may be called as long as the instance lives.
    let (name, token, location, sink) = unsafe {
        if functions.is_null() || !functions.is_aligned() {
            return refuse(NAME, None, "argument functions is a null pointer");
        }
        let name = text(instanceName);
        let sink = logger(functions.read(), name.as_deref());
        (name, text(fmuGUID), text(fmuResourceLocation), sink)
    };
    let kind = match fmuType {
        fmi2ModelExchange => Kind::ModelExchange,
        fmi2CoSimulation => Kind::CoSimulation,
        other => {
            let reason = format!(
                "argument fmuType is {other}; there are {fmi2ModelExchange} (fmi2ModelExchange) \
                 and {fmi2CoSimulation} (fmi2CoSimulation)"
            );
            return refuse(NAME, sink, reason);
        }
    };
    let request = Request {
        name,
        token,
        resources: location::folder(location.as_deref().unwrap_or_default()),
        logging_on: loggingOn != fmi2False,
        sink,
    };
    // Co-Simulation of this version knows no Event Mode.
    let options = Options {
        standard: Standard::Fmi2,
        kind,
        event_mode_used: kind == Kind::ModelExchange,
        early_return_allowed: false,
    };
    instantiate(NAME, request, options)
}

/// Messages of the instance called `name` to the log function among `functions`, if there is one:
/// [FMI 2.0] section 2.1.5, `logger`.
///
/// That takes a format of printf and its arguments. The text itself is the format here, with `%%` for each
/// percent sign, and there are no arguments: a log function that fills formats in shows the text, and one
/// that does not, as of a language without variadic functions, shows it too, with percent signs doubled,
/// where `%s` would show nothing else.
///
/// # Safety
/// The log function may be called with its environment as long as the result or an instance that logs to it
/// lives.
unsafe fn logger(functions: fmi2CallbackFunctions, name: Option<&str>) -> Option<Rc<dyn LogSink>> {
    let function = functions.logger?;
    let name = CString::new(name.unwrap_or_default()).unwrap_or_default();
    Some(sink("%%", move |degree, category, format| {
        // SAFETY: [FMI 2.0] section 2.1.5: the importer provides this function to be called with
        // its environment and a format of printf with what it asks for, which is nothing: every `%`
        // in it is one of two. The texts live until it returns.
        unsafe {
            function(
                functions.componentEnvironment,
                name.as_ptr(),
                fmi2Status::of(degree),
                category.as_ptr(),
                format.as_ptr(),
            );
        }
    }))
}

/// Frees an instance; null is ignored.
///
/// # Safety
/// [FMI 2.0] section 2.1.5: the instance is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(c: fmi2Component) {
    // SAFETY: made in `fmi2Instantiate`, section 2.1.5.
    unsafe { free(c) }
}

functions! { c: fmi2Component => fmi2Status, "FMI 2.0";
    fmi2SetDebugLogging(loggingOn: fmi2Boolean, nCategories: usize, categories: *const fmi2String) => |i| {
        i.set_debug_logging(loggingOn != fmi2False, &texts(categories, nCategories, "categories")?)
    }, "2.1.5";
    fmi2SetupExperiment(toleranceDefined: fmi2Boolean, tolerance: fmi2Real, startTime: fmi2Real,
        stopTimeDefined: fmi2Boolean, stopTime: fmi2Real) => |i| {
        let stop_time = (stopTimeDefined != fmi2False).then_some(stopTime);
        i.setup_experiment((toleranceDefined != fmi2False).then_some(tolerance), startTime, stop_time)
    }, "2.1.6";
    fmi2EnterInitializationMode() => enter_initialization_as_set_up, "2.1.6";
    fmi2ExitInitializationMode() => exit_initialization, "2.1.6";
    fmi2Terminate() => terminate, "2.1.6";
    fmi2Reset() => reset, "2.1.6";

    fmi2GetReal(vr: in [fmi2ValueReference; nvr], value: out [fmi2Real; =nvr]) => get_float64, "2.1.7";
    fmi2SetReal(vr: in [fmi2ValueReference; nvr], value: in [fmi2Real; =nvr]) => set_float64, "2.1.7";
    fmi2GetInteger(vr: in [fmi2ValueReference; nvr], value: out [fmi2Integer; =nvr]) => get_int32, "2.1.7";
    fmi2SetInteger(vr: in [fmi2ValueReference; nvr], value: in [fmi2Integer; =nvr]) => set_int32, "2.1.7";
    fmi2GetBoolean(vr: in [fmi2ValueReference; nvr], value: out [fmi2Boolean; =nvr]) => get_boolean, "2.1.7";
    fmi2SetBoolean(vr: in [fmi2ValueReference; nvr], value: in [fmi2Boolean; =nvr]) => set_boolean, "2.1.7";
    /// There are no variables of type String: any reference is refused.
    fmi2GetString(vr: in [fmi2ValueReference; nvr], _value: *mut fmi2String) =>
        |i| i.no_variables_of_type(Call::GetVariables, "String", vr), "2.1.7";
    /// There are no variables of type String: any reference is refused.
    fmi2SetString(vr: in [fmi2ValueReference; nvr], _value: *const fmi2String) =>
        |i| i.no_variables_of_type(Call::SetDiscreteVariables, "String", vr), "2.1.7";

    fmi2GetFMUstate(FMUstate: *mut fmi2FMUstate) => border::get, "2.1.8";
    fmi2SetFMUstate(FMUstate: fmi2FMUstate) => border::set, "2.1.8";
    fmi2FreeFMUstate(FMUstate: *mut fmi2FMUstate) => border::free_state, "2.1.8";
    fmi2SerializedFMUstateSize(FMUstate: fmi2FMUstate, size: out usize) => border::size, "2.1.8";
    fmi2SerializeFMUstate(FMUstate: fmi2FMUstate, serializedState: out [fmi2Byte as u8; size])
        => border::serialize, "2.1.8";
    fmi2DeSerializeFMUstate(serializedState: in [fmi2Byte as u8; size], FMUstate: *mut fmi2FMUstate)
        => border::deserialize, "2.1.8";

    fmi2GetDirectionalDerivative(vUnknown_ref: in [fmi2ValueReference; nUnknown],
        vKnown_ref: in [fmi2ValueReference; nKnown], dvKnown: in [fmi2Real; =nKnown],
        dvUnknown: out [fmi2Real; =nUnknown]) =>
        |i| i.directional_derivative([vUnknown_ref, vKnown_ref], dvKnown, dvUnknown), "2.1.9";
    /// First derivatives of continuous outputs by time.
    fmi2GetRealOutputDerivatives(vr: in [fmi2ValueReference; nvr], order: in [fmi2Integer; =nvr],
        value: out [fmi2Real; =nvr]) => output_derivatives, "4.2.1";
    /// Not supported: canInterpolateInputs of this FMU is false.
    fmi2SetRealInputDerivatives(_vr: *const fmi2ValueReference, _nvr: usize, _order: *const fmi2Integer,
        _value: *const fmi2Real) =>
        |_i| Err(Failure::error("not supported: canInterpolateInputs of this FMU is false")), "2.1.5";

    fmi2EnterEventMode() => enter_event_mode, "3.2.2";
    fmi2EnterContinuousTimeMode() => enter_continuous_time_mode, "3.2.2";
    fmi2GetContinuousStates(x: out [fmi2Real; nx]) => continuous_states, "3.2.1";
    fmi2GetNominalsOfContinuousStates(x_nominal: out [fmi2Real; nx]) => nominals, "3.2.1";
    fmi2GetDerivatives(derivatives: out [fmi2Real; nx]) => derivatives, "3.2.1";
    fmi2GetEventIndicators(eventIndicators: out [fmi2Real; ni]) => indicators, "3.2.1";
    fmi2SetTime(time: fmi2Real) => set_time, "3.2.1";
    fmi2SetContinuousStates(x: in [fmi2Real; nx]) => set_continuous_states, "3.2.1";
    /// Handles the event at the current time; one call is enough.
    fmi2NewDiscreteStates(fmi2eventInfo: out fmi2EventInfo) => self::new_discrete_states, "3.2.2";
    fmi2CompletedIntegratorStep(_noSetFMUStatePriorToCurrentPoint: fmi2Boolean,
        enterEventMode: out fmi2Boolean, terminateSimulation: out fmi2Boolean) =>
        |i| i.completed_integrator_step().map(|wanted| {
            enterEventMode.write(wanted.into());
            terminateSimulation.write(fmi2False);
        }), "3.2.2";
    /// One that fails inside is fmi2Discard, by section 4.2.2: a part of the step was computed, up to
    /// fmi2LastSuccessfulTime.
    fmi2DoStep(currentCommunicationPoint: fmi2Real, communicationStepSize: fmi2Real,
        _noSetFMUStatePriorToCurrentPoint: fmi2Boolean) => |i| {
        let before = i.time();
        let done = i.do_step(currentCommunicationPoint, communicationStepSize);
        done.map(|_| ()).map_err(|failure| match i.time() > before {
            true => Failure::discard(failure.message),
            false => failure,
        })
    }, "4.2.2";
    fmi2CancelStep() => |_i| Err(Failure::error(
        "there is no step to cancel: fmi2DoStep of this FMU never returns fmi2Pending")), "4.2.2";

    fmi2GetStatus(s: fmi2StatusKind, value: *mut fmi2Status) => |i| answer(i, s, value, None), "4.2.3";
    fmi2GetRealStatus(s: fmi2StatusKind, value: *mut fmi2Real) =>
        |i| answer(i, s, value, (s == fmi2LastSuccessfulTime).then_some(i.time())), "4.2.3";
    fmi2GetIntegerStatus(s: fmi2StatusKind, value: *mut fmi2Integer) => |i| answer(i, s, value, None), "4.2.3";
    fmi2GetBooleanStatus(s: fmi2StatusKind, value: *mut fmi2Boolean) =>
        |i| answer(i, s, value, (s == fmi2Terminated).then_some(fmi2False)), "4.2.3";
    fmi2GetStringStatus(s: fmi2StatusKind, value: *mut fmi2String) => |i| answer(i, s, value, None), "4.2.3";
}

fn new_discrete_states(
    instance: &mut Instance,
    event_info: Place<fmi2EventInfo>,
) -> Result<(), Failure> {
    let update = instance.update_discrete_states()?;
    event_info.write(fmi2EventInfo {
        newDiscreteStatesNeeded: fmi2False,
        terminateSimulation: fmi2False,
        nominalsOfContinuousStatesChanged: update.nominals_changed.into(),
        valuesOfContinuousStatesChanged: update.states_changed.into(),
        nextEventTimeDefined: update.next_event_time.is_some().into(),
        nextEventTime: update.next_event_time.unwrap_or(0.0),
    });
    Ok(())
}

/// Writes the status of the last step that is asked for, if it has a value of this type.
///
/// # Safety
/// A pointer that is not null is that of a variable of the importer.
unsafe fn answer<T: Copy>(
    instance: &Instance,
    kind: fmi2StatusKind,
    value: *mut T,
    known: Option<T>,
) -> Result<(), Failure> {
    instance.allow(Call::GetStepStatus)?;
    let known = known.ok_or_else(|| no_status(kind))?;
    // SAFETY: the contract of this function.
    unsafe { border::place(value, "value") }?.write(known);
    Ok(())
}

/// The answer of a function that does not answer for this kind of status.
fn no_status(kind: fmi2StatusKind) -> Failure {
    let pending =
        "asks for a step that goes on, and fmi2DoStep of this FMU never returns fmi2Pending";
    Failure::discard(match kind {
        fmi2DoStepStatus => format!("fmi2DoStepStatus {pending}"),
        fmi2PendingStatus => format!("fmi2PendingStatus {pending}"),
        fmi2LastSuccessfulTime => {
            "fmi2LastSuccessfulTime is of type Real; fmi2GetRealStatus returns it".into()
        }
        fmi2Terminated => {
            "fmi2Terminated is of type Boolean; fmi2GetBooleanStatus returns it".into()
        }
        _ => {
            return Failure::error(format!(
                "argument s is {kind}; a status kind is {fmi2DoStepStatus} to {fmi2Terminated}"
            ));
        }
    })
}
