//! The C functions of FMI 3.0 that an importer calls: types, prototypes and their lookup in a
//! library. Prototypes as in fmi3FunctionTypes.h of the standard.
//!
//! A boolean that the FMU writes is taken as a byte, because a Rust `bool` other than 0 or 1 is
//! undefined; a status is taken as the integer that a C enumeration is.
#![allow(unsafe_code)]

use super::error::HostError;
use std::ffi::{c_char, c_int, c_void};
use std::fmt;

/// `fmi3Instance`.
pub type InstancePointer = *mut c_void;
/// `fmi3LogMessageCallback`.
pub type LogMessage = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);
/// `fmi3IntermediateUpdateCallback`; only null is ever passed.
pub type IntermediateUpdate =
    unsafe extern "C" fn(*mut c_void, f64, bool, bool, bool, bool, *mut u8, *mut f64);
/// `fmi3Get{Float64, Int32, ...}` for values of type `T`.
pub type Getter<T> =
    unsafe extern "C" fn(InstancePointer, *const u32, usize, *mut T, usize) -> c_int;

/// `fmi3Status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All is well.
    Ok,
    /// Something is odd; the result can be used.
    Warning,
    /// The arguments have no result; others may have one.
    Discard,
    /// The instance cannot go on.
    Error,
    /// No instance of this FMU can go on.
    Fatal,
    /// A number that the standard does not know.
    Unknown(c_int),
}

impl Status {
    /// The status behind a number.
    pub fn from_number(number: c_int) -> Status {
        match number {
            0 => Status::Ok,
            1 => Status::Warning,
            2 => Status::Discard,
            3 => Status::Error,
            4 => Status::Fatal,
            other => Status::Unknown(other),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Ok => f.write_str("fmi3OK"),
            Status::Warning => f.write_str("fmi3Warning"),
            Status::Discard => f.write_str("fmi3Discard"),
            Status::Error => f.write_str("fmi3Error"),
            Status::Fatal => f.write_str("fmi3Fatal"),
            Status::Unknown(number) => write!(f, "status {number}, which FMI 3.0 does not know"),
        }
    }
}

/// Looks up one function.
///
/// # Safety
/// `F` is the function pointer type of the prototype that the standard gives for `name`, and the
/// pointer is not used after the library is closed.
pub unsafe fn find<F: Copy>(
    library: &libloading::Library,
    inside: &str,
    name: &str,
) -> Result<F, HostError> {
    // SAFETY: the caller vouches for the type.
    let symbol = unsafe { library.get::<F>(name) };
    match symbol {
        Ok(symbol) => Ok(*symbol),
        Err(_) => Err(HostError::MissingFunction(
            inside.to_owned(),
            name.to_owned(),
        )),
    }
}

/// Declares a table of functions and its lookup.
macro_rules! functions {
    ($(#[$doc:meta])* $table:ident { $($field:ident $name:literal ($($arg:ty),*) $(-> $ret:ty)?;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $table {
            $(#[doc = concat!("`", $name, "`.")]
            pub $field: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
        }

        impl $table {
            /// Looks up all functions.
            ///
            /// # Safety
            /// `library` follows the standard: a function with a name of the standard has the
            /// prototype of the standard. The table is not used after the library is closed.
            ///
            /// # Errors
            /// The first function that is missing; `inside` names the library.
            pub unsafe fn find(
                library: &libloading::Library,
                inside: &str,
            ) -> Result<Self, HostError> {
                Ok($table {
                    // SAFETY: the prototypes are those of the standard, and the caller vouches
                    // for the library.
                    $($field: unsafe { find(library, inside, $name)? },)*
                })
            }
        }
    };
}

functions! {
    /// Functions of every interface type.
    Common {
        get_version "fmi3GetVersion" () -> *const c_char;
        set_debug_logging "fmi3SetDebugLogging"
            (InstancePointer, bool, usize, *const *const c_char) -> c_int;
        free_instance "fmi3FreeInstance" (InstancePointer);
        enter_initialization_mode "fmi3EnterInitializationMode"
            (InstancePointer, bool, f64, f64, bool, f64) -> c_int;
        exit_initialization_mode "fmi3ExitInitializationMode" (InstancePointer) -> c_int;
        enter_event_mode "fmi3EnterEventMode" (InstancePointer) -> c_int;
        update_discrete_states "fmi3UpdateDiscreteStates"
            (InstancePointer, *mut u8, *mut u8, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
        terminate "fmi3Terminate" (InstancePointer) -> c_int;
    }
}

functions! {
    /// Functions of Model Exchange.
    ModelExchangeFunctions {
        instantiate "fmi3InstantiateModelExchange"
            (*const c_char, *const c_char, *const c_char, bool, bool, *mut c_void, Option<LogMessage>)
            -> InstancePointer;
        enter_continuous_time_mode "fmi3EnterContinuousTimeMode" (InstancePointer) -> c_int;
        completed_integrator_step "fmi3CompletedIntegratorStep"
            (InstancePointer, bool, *mut u8, *mut u8) -> c_int;
        set_time "fmi3SetTime" (InstancePointer, f64) -> c_int;
        set_continuous_states "fmi3SetContinuousStates"
            (InstancePointer, *const f64, usize) -> c_int;
        get_continuous_states "fmi3GetContinuousStates" (InstancePointer, *mut f64, usize) -> c_int;
        get_derivatives "fmi3GetContinuousStateDerivatives"
            (InstancePointer, *mut f64, usize) -> c_int;
        get_event_indicators "fmi3GetEventIndicators" (InstancePointer, *mut f64, usize) -> c_int;
        get_nominals "fmi3GetNominalsOfContinuousStates"
            (InstancePointer, *mut f64, usize) -> c_int;
        get_number_of_states "fmi3GetNumberOfContinuousStates"
            (InstancePointer, *mut usize) -> c_int;
        get_number_of_indicators "fmi3GetNumberOfEventIndicators"
            (InstancePointer, *mut usize) -> c_int;
    }
}

functions! {
    /// Functions of Co-Simulation.
    CoSimulationFunctions {
        instantiate "fmi3InstantiateCoSimulation"
            (*const c_char, *const c_char, *const c_char, bool, bool, bool, bool, *const u32, usize,
             *mut c_void, Option<LogMessage>, Option<IntermediateUpdate>) -> InstancePointer;
        enter_step_mode "fmi3EnterStepMode" (InstancePointer) -> c_int;
        do_step "fmi3DoStep"
            (InstancePointer, f64, f64, bool, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
    }
}
