//! The state of an instance, and as bytes: [FMI 3.0] section 2.2.6.4.

use super::guard::guard;
use super::pointers::{check_out, values, values_out, write};
use super::types::*;
use crate::instance::{Failure, State};

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
    unsafe {
        guard(instance, "fmi3GetFMUState", |instance| {
            check_out(FMUState, "FMUState")?;
            let state = instance.state()?;
            match FMUState.read().cast::<State>().as_mut() {
                Some(known) => {
                    *known = state;
                    Ok(())
                }
                None => write(FMUState, Box::into_raw(Box::new(state)).cast(), "FMUState"),
            }
        })
    }
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
    unsafe {
        guard(instance, "fmi3SetFMUState", |instance| {
            instance.set_state(borrow(FMUState)?)
        })
    }
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
    unsafe {
        guard(instance, "fmi3FreeFMUState", |_| {
            if FMUState.is_null() {
                return Ok(());
            }
            check_out(FMUState, "FMUState")?;
            let state = FMUState.read().cast::<State>();
            if !state.is_null() {
                drop(Box::from_raw(state));
            }
            write(FMUState, std::ptr::null_mut(), "FMUState")
        })
    }
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
    unsafe {
        guard(instance, "fmi3SerializedFMUStateSize", |instance| {
            let bytes = instance.state_to_bytes(borrow(FMUState)?)?;
            write(size, bytes.len(), "size")
        })
    }
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
    // SAFETY: section 2.2.6.4: a state that was not freed, an array of the length told.
    unsafe {
        guard(instance, "fmi3SerializeFMUState", |instance| {
            let bytes = instance.state_to_bytes(borrow(FMUState)?)?;
            let place = values_out(serializedState, size, "serializedState")?;
            if place.len() != bytes.len() {
                return Err(Failure::error(format!(
                    "size is {size}; this state has {} bytes",
                    bytes.len()
                )));
            }
            place.copy_from_slice(&bytes);
            Ok(())
        })
    }
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
    // SAFETY: section 2.2.6.4: an array of the length told; the pointer of a variable that holds
    // null or a state that was not freed.
    unsafe {
        guard(instance, "fmi3DeserializeFMUState", |instance| {
            check_out(FMUState, "FMUState")?;
            let bytes = values(serializedState, size, "serializedState")?;
            let state = instance.state_from_bytes(bytes)?;
            write(FMUState, Box::into_raw(Box::new(state)).cast(), "FMUState")
        })
    }
}

/// The copy behind a pointer.
///
/// # Safety
/// The pointer is null or comes from [`fmi3GetFMUState`] or [`fmi3DeserializeFMUState`] and was
/// not freed.
unsafe fn borrow<'a>(state: fmi3FMUState) -> Result<&'a State, Failure> {
    // SAFETY: the contract of this function.
    unsafe { state.cast::<State>().as_ref() }
        .ok_or_else(|| Failure::error("argument FMUState is a null pointer"))
}
