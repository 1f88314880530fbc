//! The state of an instance, and as bytes: [FMI 2.0] section 2.1.8.

use super::types::*;
use crate::border::state;

/// Copies the state out, into a new copy or over the one given.
///
/// # Safety
/// As [FMI 2.0] section 2.1.8 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(
    c: fmi2Component,
    FMUstate: *mut fmi2FMUstate,
) -> fmi2Status {
    // SAFETY: section 2.1.8: the pointer is that of a variable of the importer, which holds null
    // or a state that was not freed.
    unsafe { state::get(c, "fmi2GetFMUstate", FMUstate) }
}

/// Continues from a copy.
///
/// # Safety
/// As [FMI 2.0] section 2.1.8 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetFMUstate(c: fmi2Component, FMUstate: fmi2FMUstate) -> fmi2Status {
    // SAFETY: section 2.1.8: null or a state that was not freed.
    unsafe { state::set(c, "fmi2SetFMUstate", FMUstate) }
}

/// Frees a copy; null is ignored.
///
/// # Safety
/// As [FMI 2.0] section 2.1.8 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(
    c: fmi2Component,
    FMUstate: *mut fmi2FMUstate,
) -> fmi2Status {
    // SAFETY: section 2.1.8: null, or the pointer of a variable that holds null or a state that
    // was not freed.
    unsafe { state::free(c, "fmi2FreeFMUstate", FMUstate) }
}

/// Number of bytes that hold a copy.
///
/// # Safety
/// As [FMI 2.0] section 2.1.8 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    c: fmi2Component,
    FMUstate: fmi2FMUstate,
    size: *mut usize,
) -> fmi2Status {
    // SAFETY: section 2.1.8: a state that was not freed, the pointer of a variable.
    unsafe { state::size(c, "fmi2SerializedFMUstateSize", FMUstate, size) }
}

/// Writes a copy to bytes.
///
/// # Safety
/// As [FMI 2.0] section 2.1.8 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(
    c: fmi2Component,
    FMUstate: fmi2FMUstate,
    serializedState: *mut fmi2Byte,
    size: usize,
) -> fmi2Status {
    let name = "fmi2SerializeFMUstate";
    // SAFETY: section 2.1.8: a state that was not freed, an array of the given length.
    unsafe { state::serialize(c, name, FMUstate, serializedState.cast(), size) }
}

/// Makes a copy from bytes.
///
/// # Safety
/// As [FMI 2.0] section 2.1.8 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    c: fmi2Component,
    serializedState: *const fmi2Byte,
    size: usize,
    FMUstate: *mut fmi2FMUstate,
) -> fmi2Status {
    let name = "fmi2DeSerializeFMUstate";
    // SAFETY: section 2.1.8: an array of the given length; the pointer of a variable that holds
    // null or a state that was not freed.
    unsafe { state::deserialize(c, name, serializedState.cast(), size, FMUstate) }
}
