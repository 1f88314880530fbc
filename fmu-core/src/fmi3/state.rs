//! The state of an instance, and as bytes: [FMI 3.0] section 2.2.6.4.

use super::types::*;
use crate::border::state;

/// Copies the state out, into a new copy or over the one given.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.4 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(
    instance: fmi3Instance,
    FMUState: *mut fmi3FMUState,
) -> fmi3Status {
    // SAFETY: section 2.2.6.4: the pointer is that of a variable of the importer, which holds null
    // or a state that was not freed.
    unsafe { state::get(instance, "fmi3GetFMUState", FMUState) }
}

/// Continues from a copy.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.4 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFMUState(
    instance: fmi3Instance,
    FMUState: fmi3FMUState,
) -> fmi3Status {
    // SAFETY: section 2.2.6.4: null or a state that was not freed.
    unsafe { state::set(instance, "fmi3SetFMUState", FMUState) }
}

/// Frees a copy; null is ignored.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.4 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(
    instance: fmi3Instance,
    FMUState: *mut fmi3FMUState,
) -> fmi3Status {
    // SAFETY: section 2.2.6.4: null, or the pointer of a variable that holds null or a state that
    // was not freed.
    unsafe { state::free(instance, "fmi3FreeFMUState", FMUState) }
}

/// Number of bytes that hold a copy.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.4 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    instance: fmi3Instance,
    FMUState: fmi3FMUState,
    size: *mut usize,
) -> fmi3Status {
    // SAFETY: section 2.2.6.4: a state that was not freed, the pointer of a variable.
    unsafe { state::size(instance, "fmi3SerializedFMUStateSize", FMUState, size) }
}

/// Writes a copy to bytes.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.4 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    instance: fmi3Instance,
    FMUState: fmi3FMUState,
    serializedState: *mut fmi3Byte,
    size: usize,
) -> fmi3Status {
    let name = "fmi3SerializeFMUState";
    // SAFETY: section 2.2.6.4: a state that was not freed, an array of the given length.
    unsafe { state::serialize(instance, name, FMUState, serializedState, size) }
}

/// Makes a copy from bytes.
///
/// # Safety
/// As [FMI 3.0] section 2.2.6.4 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    instance: fmi3Instance,
    serializedState: *const fmi3Byte,
    size: usize,
    FMUState: *mut fmi3FMUState,
) -> fmi3Status {
    let name = "fmi3DeserializeFMUState";
    // SAFETY: section 2.2.6.4: an array of the given length; the pointer of a variable that holds
    // null or a state that was not freed.
    unsafe { state::deserialize(instance, name, serializedState, size, FMUState) }
}
