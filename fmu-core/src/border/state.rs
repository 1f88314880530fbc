//! Copies of the state of an instance, as values and as bytes. A copy is a `Box<State>` of the
//! importer's variable, null where there is none.
//!
//! The functions are those of [FMI 3.0] section 2.2.6.4 and [FMI 2.0] section 2.1.8. Safety of all
//! of them: `instance` as [`guard`] asks; a copy comes from [`get`] or [`deserialize`] and was not
//! freed; other pointers are those of variables or arrays of the importer, of the given length.

use super::guard::{Status, guard};
use super::pointers::{check_out, values, values_out, write};
use crate::instance::{Failure, State};
use std::ffi::c_void;

const ARGUMENT: &str = "FMUState";

/// Copies the state out, into a new copy or over the one given.
///
/// # Safety
/// See the module; `state` points to null or to a copy.
pub unsafe fn get<S: Status>(instance: *mut c_void, function: &str, state: *mut *mut c_void) -> S {
    // SAFETY: the contract of this function.
    unsafe {
        guard(instance, function, |instance| {
            check_out(state, ARGUMENT)?;
            let taken = instance.state()?;
            match state.read().cast::<State>().as_mut() {
                Some(known) => {
                    *known = taken;
                    Ok(())
                }
                None => write(state, Box::into_raw(Box::new(taken)).cast(), ARGUMENT),
            }
        })
    }
}

/// Continues from a copy.
///
/// # Safety
/// See the module.
pub unsafe fn set<S: Status>(instance: *mut c_void, function: &str, state: *mut c_void) -> S {
    // SAFETY: the contract of this function.
    unsafe {
        guard(instance, function, |instance| {
            instance.set_state(borrow(state)?)
        })
    }
}

/// Frees a copy; null is ignored.
///
/// # Safety
/// See the module; `state` points to null or to a copy.
pub unsafe fn free<S: Status>(instance: *mut c_void, function: &str, state: *mut *mut c_void) -> S {
    // SAFETY: the contract of this function.
    unsafe {
        guard(instance, function, |_| {
            if state.is_null() {
                return Ok(());
            }
            check_out(state, ARGUMENT)?;
            let copy = state.read().cast::<State>();
            if !copy.is_null() {
                drop(Box::from_raw(copy));
            }
            write(state, std::ptr::null_mut(), ARGUMENT)
        })
    }
}

/// Number of bytes that hold a copy.
///
/// # Safety
/// See the module.
pub unsafe fn size<S: Status>(
    instance: *mut c_void,
    function: &str,
    state: *mut c_void,
    size: *mut usize,
) -> S {
    // SAFETY: the contract of this function.
    unsafe {
        guard(instance, function, |instance| {
            let bytes = instance.state_to_bytes(borrow(state)?)?;
            write(size, bytes.len(), "size")
        })
    }
}

/// Writes a copy to bytes.
///
/// # Safety
/// See the module.
pub unsafe fn serialize<S: Status>(
    instance: *mut c_void,
    function: &str,
    state: *mut c_void,
    serialized: *mut u8,
    size: usize,
) -> S {
    // SAFETY: the contract of this function.
    unsafe {
        guard(instance, function, |instance| {
            let bytes = instance.state_to_bytes(borrow(state)?)?;
            let place = values_out(serialized, size, "serializedState")?;
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
/// See the module; `state` points to null or to a copy, which is then replaced.
pub unsafe fn deserialize<S: Status>(
    instance: *mut c_void,
    function: &str,
    serialized: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> S {
    // SAFETY: the contract of this function.
    unsafe {
        guard(instance, function, |instance| {
            check_out(state, ARGUMENT)?;
            let bytes = values(serialized, size, "serializedState")?;
            let made = instance.state_from_bytes(bytes)?;
            write(state, Box::into_raw(Box::new(made)).cast(), ARGUMENT)
        })
    }
}

/// The copy behind a pointer.
///
/// # Safety
/// The pointer is null or that of a copy.
unsafe fn borrow<'a>(state: *mut c_void) -> Result<&'a State, Failure> {
    // SAFETY: the contract of this function.
    unsafe { state.cast::<State>().as_ref() }
        .ok_or_else(|| Failure::error(format!("argument {ARGUMENT} is a null pointer")))
}
