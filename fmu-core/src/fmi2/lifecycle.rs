//! Version, making and freeing instances, logging, initialisation and end: [FMI 2.0] sections 2.1.4
//! to 2.1.6.

use super::location;
use super::logger::Logger;
use super::types::*;
use crate::border::guard::guard;
use crate::border::instantiate::{Request, free, instantiate, refuse};
use crate::border::pointers::{text, texts};
use crate::instance::{Instance, Kind, Options, Standard};
use std::ffi::c_char;

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

/// Switches log categories; none given means all of them.
///
/// # Safety
/// As [FMI 2.0] section 2.1.5 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetDebugLogging(
    c: fmi2Component,
    loggingOn: fmi2Boolean,
    nCategories: usize,
    categories: *const fmi2String,
) -> fmi2Status {
    // SAFETY: section 2.1.5: `categories` has `nCategories` texts.
    unsafe {
        guard(c, "fmi2SetDebugLogging", |instance| {
            let names = texts(categories, nCategories, "categories")?;
            instance.set_debug_logging(loggingOn != fmi2False, &names)
        })
    }
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
        let sink = Logger::new(functions.read(), name.as_deref()).sink();
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

/// Frees an instance; null is ignored.
///
/// # Safety
/// [FMI 2.0] section 2.1.5: the instance is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(c: fmi2Component) {
    // SAFETY: made in `fmi2Instantiate`, section 2.1.5.
    unsafe { free(c) }
}

/// Sets tolerance and times of the run.
///
/// # Safety
/// As [FMI 2.0] section 2.1.6 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
    c: fmi2Component,
    toleranceDefined: fmi2Boolean,
    tolerance: fmi2Real,
    startTime: fmi2Real,
    stopTimeDefined: fmi2Boolean,
    stopTime: fmi2Real,
) -> fmi2Status {
    // SAFETY: section 2.1.5.
    unsafe {
        guard(c, "fmi2SetupExperiment", |instance| {
            instance.setup_experiment(
                (toleranceDefined != fmi2False).then_some(tolerance),
                startTime,
                (stopTimeDefined != fmi2False).then_some(stopTime),
            )
        })
    }
}

/// A function that takes the instance only.
macro_rules! plain {
    ($(#[$doc:meta])* $name:ident, $method:ident) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// As [FMI 2.0] section 2.1.6 says of an importer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(c: fmi2Component) -> fmi2Status {
            // SAFETY: section 2.1.5.
            unsafe { guard(c, stringify!($name), Instance::$method) }
        }
    };
}

plain! {
    /// Starts initialisation.
    fmi2EnterInitializationMode, enter_initialization_as_set_up
}
plain! {
    /// Ends initialisation.
    fmi2ExitInitializationMode, exit_initialization
}
plain! {
    /// Ends the run.
    fmi2Terminate, terminate
}
plain! {
    /// Back to where the instance was made.
    fmi2Reset, reset
}
