//! C functions of FMI called by an importer: types that both versions share, and the lookup of functions in a
//! library. The tables of a version are beside its instances. A status is the integer of a C enumeration.
#![allow(unsafe_code)]

use super::error::HostError;
use fmu_core::instance::Standard;
use std::ffi::{CStr, c_char, c_int, c_void};

pub(crate) type InstancePointer = *mut c_void;
pub(crate) type Plain = unsafe extern "C" fn(InstancePointer) -> c_int;
pub(crate) type ReadVector = unsafe extern "C" fn(InstancePointer, *mut f64, usize) -> c_int;
pub(crate) type WriteVector = unsafe extern "C" fn(InstancePointer, *const f64, usize) -> c_int;
pub(crate) type FreeInstance = unsafe extern "C" fn(InstancePointer);

/// Getter of values of type `T`: `fmi2GetReal`, `fmi3GetFloat64` ...
pub(crate) enum Getter<T> {
    /// FMI 2.0: as many values as references.
    Fmi2(unsafe extern "C" fn(InstancePointer, *const u32, usize, *mut T) -> c_int),
    /// FMI 3.0: the number of values is passed, as a variable may be an array.
    Fmi3(unsafe extern "C" fn(InstancePointer, *const u32, usize, *mut T, usize) -> c_int),
}

/// Setter of values of type `T`: `fmi2SetReal`, `fmi3SetFloat64`.
pub(crate) enum Setter<T> {
    /// FMI 2.0: as many values as references.
    Fmi2(unsafe extern "C" fn(InstancePointer, *const u32, usize, *const T) -> c_int),
    /// FMI 3.0: the number of values is passed, as a variable may be an array.
    Fmi3(unsafe extern "C" fn(InstancePointer, *const u32, usize, *const T, usize) -> c_int),
}

#[derive(Clone, Copy)]
pub(crate) struct Function<F> {
    pub(crate) name: &'static str,
    pub call: F,
}

/// Looks up one function.
///
/// # Safety
/// `F` is the function pointer type of the standard's prototype for `name`, and the pointer is not used after
/// the library is closed.
pub(crate) unsafe fn find<F: Copy>(
    library: &libloading::Library,
    standard: Standard,
    inside: &str,
    name: &str,
) -> Result<F, HostError> {
    // SAFETY: the caller vouches for the type.
    let symbol = unsafe { library.get::<F>(name) };
    match symbol {
        Ok(symbol) => Ok(*symbol),
        Err(_) => Err(HostError::MissingFunction {
            inside: inside.to_owned(),
            function: name.to_owned(),
            standard,
        }),
    }
}

pub(crate) trait Table: Sized {
    /// Looks up all functions.
    ///
    /// # Safety
    /// `library` follows the standard: a function with a name of the standard has its prototype. The table is
    /// not used after the library is closed.
    ///
    /// # Errors
    /// The first function that is missing; `inside` names the library.
    unsafe fn find(library: &libloading::Library, inside: &str) -> Result<Self, HostError>;
}

macro_rules! functions {
    ($(#[$doc:meta])* $standard:ident $table:ident { $($field:ident $name:literal ($($arg:ty),* $(,)?) $(-> $ret:ty)?;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $table {
            $(#[doc = concat!("`", $name, "`.")]
            $field: $crate::c_api::Function<
                unsafe extern "C" fn($($arg),*) $(-> $ret)?
            >,)*
        }

        impl $crate::c_api::Table for $table {
            unsafe fn find(
                library: &libloading::Library,
                inside: &str,
            ) -> Result<Self, $crate::error::HostError> {
                let standard = fmu_core::instance::Standard::$standard;
                Ok($table {
                    $($field: $crate::c_api::Function {
                        name: $name,
                        // SAFETY: the prototypes are those of the standard, and the caller vouches
                        // for the library.
                        call: unsafe {
                            $crate::c_api::find(library, standard, inside, $name)?
                        },
                    },)*
                })
            }
        }
    };
}
pub(crate) use functions;

/// Copy of a C string, empty for null, with replacements for invalid UTF-8.
///
/// # Safety
/// `pointer` is null or points to a null-terminated string.
pub(crate) unsafe fn text_at(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: not null, and null-terminated as the caller promises.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_string_lossy().into_owned()
}
