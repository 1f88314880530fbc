//! Reads and writes through the pointers of the importer. A null pointer is refused with its name;
//! the standard asks careful implementations to guard against it ([FMI 3.0] section 2.2).

use crate::instance::{Category, Failure};
use std::ffi::{CStr, CString, c_char};

#[cold]
#[inline(never)]
fn null(argument: &str) -> Failure {
    Failure::error(format!("argument {argument} is a null pointer"))
}

#[cold]
#[inline(never)]
fn misfit<T>(argument: &str, count: usize) -> Failure {
    Failure::error(format!(
        "argument {argument}: {count} values of {} bytes do not fit there (too many, or not aligned)",
        size_of::<T>()
    ))
}

/// Refuses what cannot be a slice: null, misaligned, larger than the address space allows.
#[inline(always)]
fn check<T>(pointer: *const T, count: usize, argument: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(null(argument));
    }
    if !pointer.is_aligned() || count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(misfit::<T>(argument, count));
    }
    Ok(())
}

/// The `count` values at `pointer`; with `count` 0 the pointer does not matter.
///
/// # Safety
/// A pointer that is not null points to `count` values that stay unchanged for 'a.
#[inline(always)]
pub unsafe fn values<'a, T>(
    pointer: *const T,
    count: usize,
    argument: &str,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check(pointer, count, argument)?;
    // SAFETY: not null, aligned, of allowed size by `check`; valid by the contract of this
    // function.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// The `count` values at `pointer`, to be written; with `count` 0 the pointer does not matter.
///
/// # Safety
/// A pointer that is not null points to `count` initialised values that nobody else uses for 'a.
#[inline(always)]
pub unsafe fn values_out<'a, T>(
    pointer: *mut T,
    count: usize,
    argument: &str,
) -> Result<&'a mut [T], Failure> {
    if count == 0 {
        return Ok(&mut []);
    }
    check(pointer, count, argument)?;
    // SAFETY: as in `values`, and used by nobody else by the contract of this function.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// Writes one value.
///
/// # Safety
/// A pointer that is not null points to a place for a T that nobody else uses meanwhile.
pub unsafe fn write<T: Copy>(pointer: *mut T, value: T, argument: &str) -> Result<(), Failure> {
    check(pointer, 1, argument)?;
    // SAFETY: not null and aligned by `check`; valid for writes by the contract of this function.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Refuses an output pointer before anything is done that its value would tell of.
pub fn check_out<T>(pointer: *mut T, argument: &str) -> Result<(), Failure> {
    check(pointer, 1, argument)
}

/// A text; bytes that are not UTF-8 become replacement characters. None where it is null.
///
/// # Safety
/// A pointer that is not null points to bytes that end with a zero byte.
pub unsafe fn text(pointer: *const c_char) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null; ends with a zero byte by the contract of this function.
    let text = unsafe { CStr::from_ptr(pointer) };
    Some(text.to_string_lossy().into_owned())
}

/// The `count` texts at `pointer`, as [`text`] reads them.
///
/// # Safety
/// As [`values`] says; each text is null or ends with a zero byte.
pub unsafe fn texts(
    pointer: *const *const c_char,
    count: usize,
    argument: &str,
) -> Result<Vec<String>, Failure> {
    // SAFETY: the contract of this function.
    let pointers = unsafe { values(pointer, count, argument) }?;
    let mut found = Vec::with_capacity(pointers.len());
    for pointer in pointers {
        // SAFETY: the contract of this function.
        found.push(unsafe { text(*pointer) }.ok_or_else(|| {
            Failure::error(format!(
                "an element of argument {argument} is a null pointer"
            ))
        })?);
    }
    Ok(found)
}

/// A message and its category as texts for the log function of the importer, who reads `#` in both
/// FMI versions as the start of a reference to a variable: two stand for itself. A zero byte would
/// end the text.
pub fn message_texts(category: Category, message: &str) -> Option<(CString, CString)> {
    let message = message.replace('#', "##").replace('\0', "\\0");
    Some((
        CString::new(category.name()).ok()?,
        CString::new(message).ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_with_a_count_is_refused_by_name_and_without_is_empty() {
        // SAFETY: null is allowed.
        let (none, some) = unsafe {
            (
                values::<f64>(std::ptr::null(), 0, "values"),
                values::<f64>(std::ptr::null(), 3, "values"),
            )
        };
        assert_eq!(none.unwrap(), &[] as &[f64]);
        assert!(some.unwrap_err().message.contains("values"));
    }

    #[test]
    fn a_count_beyond_the_address_space_is_refused() {
        let one = [0.0_f64];
        // SAFETY: refused before anything is read.
        let refused = unsafe { values(one.as_ptr(), usize::MAX, "values") };
        assert!(refused.is_err());
    }

    #[test]
    fn a_misaligned_pointer_is_refused() {
        let bytes = [0_u8; 32];
        let odd = (0..8)
            .map(|i| bytes[i..].as_ptr().cast::<f64>())
            .find(|p| !p.is_aligned());
        // SAFETY: refused before anything is read.
        let refused = odd.map(|p| unsafe { values(p, 2, "values") }.is_err());
        assert_eq!(refused, Some(true));
    }
}
