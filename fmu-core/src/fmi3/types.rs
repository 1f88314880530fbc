//! The C types of FMI 3.0, [FMI 3.0] sections 2.2.2 to 2.2.4.
#![allow(non_camel_case_types)]

use crate::border::Status;
use crate::instance::Degree;
use std::ffi::{c_char, c_void};

/// An instance; in truth a `Box<Instance>`.
pub type fmi3Instance = *mut c_void;
/// The importer's data, handed back to its callbacks.
pub type fmi3InstanceEnvironment = *mut c_void;
/// A copy of a state; in truth a `Box<State>`.
pub type fmi3FMUState = *mut c_void;
/// Value reference of a variable.
pub(crate) type fmi3ValueReference = u32;
/// 32-bit floating point.
pub(crate) type fmi3Float32 = f32;
/// 64-bit floating point.
pub(crate) type fmi3Float64 = f64;
/// 8-bit signed integer.
pub(crate) type fmi3Int8 = i8;
/// 8-bit unsigned integer.
pub(crate) type fmi3UInt8 = u8;
/// 16-bit signed integer.
pub(crate) type fmi3Int16 = i16;
/// 16-bit unsigned integer.
pub(crate) type fmi3UInt16 = u16;
/// 32-bit signed integer.
pub(crate) type fmi3Int32 = i32;
/// 32-bit unsigned integer.
pub(crate) type fmi3UInt32 = u32;
/// 64-bit signed integer.
pub(crate) type fmi3Int64 = i64;
/// 64-bit unsigned integer.
pub(crate) type fmi3UInt64 = u64;
/// True or false.
pub(crate) type fmi3Boolean = bool;
/// Text in UTF-8 that ends with a zero byte.
pub(crate) type fmi3String = *const c_char;
/// A byte.
pub(crate) type fmi3Byte = u8;
/// Bytes whose number is passed beside them.
pub(crate) type fmi3Binary = *const fmi3Byte;
/// A clock is active or not.
pub(crate) type fmi3Clock = bool;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
pub enum fmi3Status {
    /// It succeeded.
    fmi3OK,
    /// It succeeded, with a remark.
    fmi3Warning,
    /// It changed nothing; other arguments may succeed.
    fmi3Discard,
    /// It failed.
    fmi3Error,
    /// All instances are damaged; never used here.
    fmi3Fatal,
}

impl Status for fmi3Status {
    fn of(degree: Option<Degree>) -> Self {
        match degree {
            None => fmi3Status::fmi3OK,
            Some(Degree::Warning) => fmi3Status::fmi3Warning,
            Some(Degree::Discard) => fmi3Status::fmi3Discard,
            Some(Degree::Error) => fmi3Status::fmi3Error,
        }
    }
}

/// How a variable depends on another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum fmi3DependencyKind {
    /// Not at all.
    fmi3Independent,
    /// Linearly, with a constant factor.
    fmi3Constant,
    /// Linearly, with a factor fixed by parameters.
    fmi3Fixed,
    /// Linearly, with a factor that tunable parameters change.
    fmi3Tunable,
    /// Linearly, with a factor that events change.
    fmi3Discrete,
    /// In any way.
    fmi3Dependent,
}

/// What is known of the interval of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum fmi3IntervalQualifier {
    /// Nothing yet.
    fmi3IntervalNotYetKnown,
    /// The last one still holds.
    fmi3IntervalUnchanged,
    /// A new one.
    fmi3IntervalChanged,
}

/// The importer's log function.
pub(crate) type fmi3LogMessageCallback = Option<
    unsafe extern "C" fn(
        instanceEnvironment: fmi3InstanceEnvironment,
        status: fmi3Status,
        category: fmi3String,
        message: fmi3String,
    ),
>;

/// Called when a clock ticks; never used here.
pub(crate) type fmi3ClockUpdateCallback =
    Option<unsafe extern "C" fn(instanceEnvironment: fmi3InstanceEnvironment)>;

/// Called between communication points.
pub(crate) type fmi3IntermediateUpdateCallback = Option<
    unsafe extern "C" fn(
        instanceEnvironment: fmi3InstanceEnvironment,
        intermediateUpdateTime: fmi3Float64,
        intermediateVariableSetRequested: fmi3Boolean,
        intermediateVariableGetAllowed: fmi3Boolean,
        intermediateStepFinished: fmi3Boolean,
        canReturnEarly: fmi3Boolean,
        earlyReturnRequested: *mut fmi3Boolean,
        earlyReturnTime: *mut fmi3Float64,
    ),
>;

/// Forbids preemption; never used here.
pub(crate) type fmi3LockPreemptionCallback = Option<unsafe extern "C" fn()>;
/// Allows preemption; never used here.
pub(crate) type fmi3UnlockPreemptionCallback = Option<unsafe extern "C" fn()>;
