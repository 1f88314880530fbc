//! The C types of FMI 2.0, [FMI 2.0] sections 2.1.2 and 2.1.3, platform `default`.
//!
//! An enumeration that the importer passes is an integer here: a value that is none of its names
//! must be refused, not assumed away.
#![allow(non_camel_case_types)]

use crate::border::Status;
use crate::instance::Degree;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// An instance; in truth a `Box<Instance>`.
pub(crate) type fmi2Component = *mut c_void;
/// The importer's data, handed back to its callbacks.
pub type fmi2ComponentEnvironment = *mut c_void;
/// A copy of a state; in truth a `Box<State>`.
pub type fmi2FMUstate = *mut c_void;
/// Value reference of a variable.
pub(crate) type fmi2ValueReference = c_uint;
/// Floating point.
pub(crate) type fmi2Real = f64;
/// Signed integer.
pub(crate) type fmi2Integer = c_int;
/// False is 0, everything else is true.
pub(crate) type fmi2Boolean = c_int;
/// Text in UTF-8 that ends with a zero byte.
pub type fmi2String = *const c_char;
/// A byte.
pub(crate) type fmi2Byte = c_char;

/// True.
pub const fmi2True: fmi2Boolean = 1;
/// False.
pub const fmi2False: fmi2Boolean = 0;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
pub enum fmi2Status {
    /// It succeeded.
    fmi2OK,
    /// It succeeded, with a remark.
    fmi2Warning,
    /// It changed nothing, or did a part of a communication step; other arguments may succeed.
    fmi2Discard,
    /// It failed.
    fmi2Error,
    /// All instances are damaged; never used here.
    fmi2Fatal,
    /// A communication step goes on meanwhile; never used here.
    fmi2Pending,
}

impl Status for fmi2Status {
    fn of(degree: Option<Degree>) -> Self {
        match degree {
            None => fmi2Status::fmi2OK,
            Some(Degree::Warning) => fmi2Status::fmi2Warning,
            Some(Degree::Discard) => fmi2Status::fmi2Discard,
            Some(Degree::Error) => fmi2Status::fmi2Error,
        }
    }
}

/// Interface type.
pub type fmi2Type = c_int;
/// The importer integrates.
pub const fmi2ModelExchange: fmi2Type = 0;
/// The instance integrates.
pub const fmi2CoSimulation: fmi2Type = 1;

/// What is asked of the last communication step.
pub(crate) type fmi2StatusKind = c_int;
/// How it ended, where it went on after fmi2DoStep returned.
pub const fmi2DoStepStatus: fmi2StatusKind = 0;
/// How far it is, in words.
pub const fmi2PendingStatus: fmi2StatusKind = 1;
/// Time up to which it succeeded.
pub const fmi2LastSuccessfulTime: fmi2StatusKind = 2;
/// True if the instance requests the end of the run.
pub const fmi2Terminated: fmi2StatusKind = 3;

/// The importer's log function; `message` is a format of C's printf.
pub type fmi2CallbackLogger = Option<
    unsafe extern "C" fn(
        componentEnvironment: fmi2ComponentEnvironment,
        instanceName: fmi2String,
        status: fmi2Status,
        category: fmi2String,
        message: fmi2String,
        ...
    ),
>;
/// The importer's allocator; never used here.
pub(crate) type fmi2CallbackAllocateMemory =
    Option<unsafe extern "C" fn(nobj: usize, size: usize) -> *mut c_void>;
/// Its counterpart; never used here.
pub(crate) type fmi2CallbackFreeMemory = Option<unsafe extern "C" fn(obj: *mut c_void)>;
/// Called when a communication step ends that went on after fmi2DoStep returned; never used here.
pub(crate) type fmi2StepFinished = Option<
    unsafe extern "C" fn(componentEnvironment: fmi2ComponentEnvironment, status: fmi2Status),
>;

/// Functions of the importer.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct fmi2CallbackFunctions {
    /// Takes messages; may be null.
    pub logger: fmi2CallbackLogger,
    /// Not used.
    pub allocateMemory: fmi2CallbackAllocateMemory,
    /// Not used.
    pub freeMemory: fmi2CallbackFreeMemory,
    /// Not used.
    pub stepFinished: fmi2StepFinished,
    /// First argument of the log function.
    pub componentEnvironment: fmi2ComponentEnvironment,
}

/// What an update of the discrete states did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct fmi2EventInfo {
    /// Another update is needed.
    pub newDiscreteStatesNeeded: fmi2Boolean,
    /// The instance wants to end the run.
    pub terminateSimulation: fmi2Boolean,
    /// A nominal value of a state is another one.
    pub nominalsOfContinuousStatesChanged: fmi2Boolean,
    /// A state has another value.
    pub valuesOfContinuousStatesChanged: fmi2Boolean,
    /// There is a next time event.
    pub nextEventTimeDefined: fmi2Boolean,
    /// Its time [s].
    pub nextEventTime: fmi2Real,
}
