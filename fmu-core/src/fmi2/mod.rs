//! The C functions of FMI 2.0, [FMI 2.0] = Functional Mock-up Interface for Model Exchange and
//! Co-Simulation 2.0.
//!
//! Each is four steps: [`guard`](crate::border), borrow slices, call a method of
//! [`Instance`](crate::instance::Instance), map the result to a status. No pointer of the importer
//! outlives its call, except its log function and its environment.
//!
//! - [`types`]: the C types
//! - [`values`]: variables by value reference, partial derivatives, the URI of the resources
//! - [`model_exchange`]: the functions of each interface type
//!
//! # Lifecycle
//!
//! Version, making and freeing instances, logging, initialisation and end. [FMI 2.0] sections 2.1.4 to
//! 2.1.6.
//!
//! # Messages to the log function of an importer
//!
//! [FMI 2.0] section 2.1.5, `logger`.
//!
//! The function takes a format of printf and its arguments. The text itself is the format here,
//! with `%%` for each percent sign, and there are no arguments: a log function that fills formats
//! in shows the text, and one that does not, as of a language without variadic functions, shows it
//! too, with percent signs doubled, where `%s` would show nothing else.
//!
//! # Functions of features that the model description does not offer
//!
//! Derivatives of inputs with respect to time. Each logs so and returns fmi2Error.

#![allow(unsafe_code)]
// The names are those of the standard's header.
#![allow(non_snake_case, non_upper_case_globals)]

pub(crate) mod model_exchange;
pub(crate) mod types;
pub(crate) mod values;

pub use model_exchange::*;
pub use types::*;
pub use values::*;

use crate::border;
use crate::border::{
    Request, Status, free, functions, instantiate, message_texts, refuse, text, texts,
};
use crate::instance::{Category, Degree, Failure, Kind, LogSink, Options, Standard};
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

functions! { c: fmi2Component => fmi2Status, "FMI 2.0";
    /// Switches log categories; none given means all of them.
    fmi2SetDebugLogging(loggingOn: fmi2Boolean, nCategories: usize, categories: *const fmi2String), "2.1.5",
        |instance| {
            let names = texts(categories, nCategories, "categories")?;
            instance.set_debug_logging(loggingOn != fmi2False, &names)
        };
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
        let sink = LoggerOfFmi2::new(functions.read(), name.as_deref()).sink();
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
        resources: values::folder(location.as_deref().unwrap_or_default()),
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
    /// Sets tolerance and times of the run.
    fmi2SetupExperiment(toleranceDefined: fmi2Boolean, tolerance: fmi2Real, startTime: fmi2Real,
        stopTimeDefined: fmi2Boolean, stopTime: fmi2Real), "2.1.6",
        |instance| {
            let tolerance = (toleranceDefined != fmi2False).then_some(tolerance);
            let stop_time = (stopTimeDefined != fmi2False).then_some(stopTime);
            instance.setup_experiment(tolerance, startTime, stop_time)
        };
    /// Starts initialisation.
    fmi2EnterInitializationMode(), "2.1.6", |instance| instance.enter_initialization_as_set_up();
    /// Ends initialisation.
    fmi2ExitInitializationMode(), "2.1.6", |instance| instance.exit_initialization();
    /// Ends the run.
    fmi2Terminate(), "2.1.6", |instance| instance.terminate();
    /// Back to where the instance was made.
    fmi2Reset(), "2.1.6", |instance| instance.reset();
}

/// The log function of an importer with its environment and the name of the instance.
pub(crate) struct LoggerOfFmi2 {
    functions: fmi2CallbackFunctions,
    name: CString,
}

impl LoggerOfFmi2 {
    /// Messages of the instance called `name` to the log function among `functions`, if there is
    /// one.
    ///
    /// # Safety
    /// The log function may be called with its environment as long as this value or an instance
    /// that logs to it lives.
    pub(crate) unsafe fn new(functions: fmi2CallbackFunctions, name: Option<&str>) -> Self {
        LoggerOfFmi2 {
            functions,
            name: CString::new(name.unwrap_or_default()).unwrap_or_default(),
        }
    }

    /// As a sink for an instance.
    pub(crate) fn sink(self) -> Option<Rc<dyn LogSink>> {
        self.functions.logger.is_some().then(|| Rc::new(self) as _)
    }
}

impl LogSink for LoggerOfFmi2 {
    fn log(&self, degree: Option<Degree>, category: Category, message: &str) {
        let Some(function) = self.functions.logger else {
            return;
        };
        let format = message.replace('%', "%%");
        let Some((category, format)) = message_texts(category, &format) else {
            return;
        };
        // SAFETY: [FMI 2.0] section 2.1.5: the importer provides this function to be called with
        // its environment and a format of printf with what it asks for, which is nothing: every `%`
        // in it is one of two. The texts live until it returns.
        unsafe {
            function(
                self.functions.componentEnvironment,
                self.name.as_ptr(),
                fmi2Status::of(degree),
                category.as_ptr(),
                format.as_ptr(),
            );
        }
    }
}

// The state of an instance, and as bytes: [FMI 2.0] section 2.1.8.

functions! { c: fmi2Component => fmi2Status, "FMI 2.0";
    /// Copies the state out, into a new copy or over the one given.
    fmi2GetFMUstate(FMUstate: *mut fmi2FMUstate), "2.1.8",
        |instance| border::get(instance, FMUstate);
    /// Continues from a copy.
    fmi2SetFMUstate(FMUstate: fmi2FMUstate), "2.1.8", |instance| border::set(instance, FMUstate);
    /// Frees a copy; null is ignored.
    fmi2FreeFMUstate(FMUstate: *mut fmi2FMUstate), "2.1.8",
        |instance| border::free_state(instance, FMUstate);
    /// Number of bytes that hold a copy.
    fmi2SerializedFMUstateSize(FMUstate: fmi2FMUstate, size: *mut usize), "2.1.8",
        |instance| border::size(instance, FMUstate, size);
    /// Writes a copy to bytes.
    fmi2SerializeFMUstate(FMUstate: fmi2FMUstate, serializedState: *mut fmi2Byte, size: usize), "2.1.8",
        |instance| border::serialize(instance, FMUstate, serializedState.cast(), size);
    /// Makes a copy from bytes.
    fmi2DeSerializeFMUstate(serializedState: *const fmi2Byte, size: usize,
        FMUstate: *mut fmi2FMUstate), "2.1.8",
        |instance| border::deserialize(instance, serializedState.cast(), size, FMUstate);
    /// Not supported: canInterpolateInputs of this FMU is false.
    fmi2SetRealInputDerivatives(_vr: *const fmi2ValueReference, _nvr: usize,
        _order: *const fmi2Integer, _value: *const fmi2Real), "2.1.5",
        |_| Err(Failure::error("not supported: canInterpolateInputs of this FMU is false"));
}
