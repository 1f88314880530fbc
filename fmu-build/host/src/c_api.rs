//! C functions of FMI called by an importer: types that both versions share, and the lookup of functions in a
//! library. The tables of a version are beside its instances. A status is the integer of a C enumeration.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};

pub(crate) type InstancePointer = *mut c_void;
/// `fmi2FreeInstance` and `fmi3FreeInstance`.
pub(crate) type FreeInstance = unsafe extern "C" fn(InstancePointer);
/// `fmi2Instantiate`.
pub(crate) type InstantiateFmi2 = unsafe extern "C" fn(
    *const c_char,
    c_int,
    *const c_char,
    *const c_char,
    *const CallbackFunctions,
    BooleanFmi2,
    BooleanFmi2,
) -> InstancePointer;
/// `fmi3InstantiateModelExchange`.
pub(crate) type InstantiateModelExchange = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    bool,
    bool,
    *mut c_void,
    LogMessage,
) -> InstancePointer;
/// `fmi3InstantiateCoSimulation`.
pub(crate) type InstantiateCoSimulation = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    bool,
    bool,
    bool,
    bool,
    *const u32,
    usize,
    *mut c_void,
    LogMessage,
    Option<IntermediateUpdate>,
) -> InstancePointer;
/// `fmi2CallbackLogger`: environment, instance name, status, category, message, and what the
/// message as a format of printf asks for.
pub(crate) type CallbackLogger =
    unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);
/// `fmi3LogMessageCallback`.
pub(crate) type LogMessage = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);
/// `fmi3IntermediateUpdateCallback`; only null is ever passed.
pub(crate) type IntermediateUpdate =
    unsafe extern "C" fn(*mut c_void, f64, bool, bool, bool, bool, *mut u8, *mut f64);

/// `fmi2Boolean`; true is any number but 0 for what the FMU writes.
pub(crate) type BooleanFmi2 = c_int;
/// `fmi2False`.
pub(crate) const FALSE: BooleanFmi2 = 0;
/// `fmi2True`.
pub(crate) const TRUE: BooleanFmi2 = 1;

/// `fmi2StatusKind`: time that a step which was not finished came to.
pub(crate) const LAST_SUCCESSFUL_TIME: c_int = 2;
/// `fmi2StatusKind`: whether the FMU asks to end the simulation.
pub(crate) const TERMINATED: c_int = 3;

/// `fmi2CallbackFunctions`.
#[repr(C)]
pub(crate) struct CallbackFunctions {
    pub logger: Option<CallbackLogger>,
    /// Memory for some objects of a size, all bytes zero.
    pub allocate_memory: Option<unsafe extern "C" fn(usize, usize) -> *mut c_void>,
    pub free_memory: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Only null is ever passed.
    pub step_finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    pub component_environment: *mut c_void,
}

/// `fmi2EventInfo`.
#[repr(C)]
#[derive(Default)]
pub(crate) struct EventInfo {
    pub new_discrete_states_needed: BooleanFmi2,
    pub terminate_simulation: BooleanFmi2,
    pub nominals_of_continuous_states_changed: BooleanFmi2,
    pub values_of_continuous_states_changed: BooleanFmi2,
    pub next_event_time_defined: BooleanFmi2,
    pub next_event_time: f64,
}

/// `fmi2FMUstate` and `fmi3FMUState`: null, or a state of an instance.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct SavedState(*mut c_void);

// SAFETY: a handle, which only calls of its instance give meaning.
unsafe impl Send for SavedState {}

impl SavedState {
    pub(crate) const NONE: SavedState = SavedState(std::ptr::null_mut());
}

/// A function of a library, with its name in the standard; no call where the library lacks it.
#[derive(Clone, Copy)]
pub(crate) struct Function<F> {
    pub(crate) name: &'static str,
    pub(crate) call: Option<F>,
}

/// Reads (`P = *mut T`) or sets (`P = *const T`) values of type `T`: `fmi2GetReal`, `fmi3SetFloat64` ...
pub(crate) struct Access<P> {
    pub(crate) name: &'static str,
    pub(crate) call: AccessCall<P>,
}

#[derive(Clone, Copy)]
pub(crate) enum AccessCall<P> {
    /// As many values as references.
    Fmi2(unsafe extern "C" fn(InstancePointer, *const u32, usize, P) -> c_int),
    /// The number of values is passed, as a variable may be an array.
    Fmi3(unsafe extern "C" fn(InstancePointer, *const u32, usize, P, usize) -> c_int),
}

/// Declares the table of functions that return a status, their lookup, and methods of their instance that
/// call them and check the status. A row: the method, the names in FMI 2.0 and FMI 3.0, empty where a version
/// has none, the interface types that cannot do without it, the arguments beside the instance.
///
/// An argument is of a C type, or one of
/// - `x: in [T]`, `x: out [T]`: a pointer and a number of values, of which the method takes a slice; with
///   `[T; ..]` the pointer alone, with `count [T]` the number first
/// - `x: out T`: a pointer to a value that the FMU writes
macro_rules! functions {
    ($table:ident of $owner:ident {
        $($name:ident $fmi2:literal $fmi3:literal $need:expr, ($($x:tt)*);)+
    }) => {
        /// The functions of a library.
        #[derive(Clone, Copy)]
        pub(crate) struct $table {
            $($name: Function<$crate::c_api::functions!(@type [] $($x)*,)>,)+
        }

        impl $table {
            fn find(library: &Library, kind: Kind) -> Result<$table, HostError> {
                Ok($table {
                    // SAFETY: the model description says that the binary follows the standard, so a function
                    // of this name has the prototype of the standard, which the row has; the table is beside
                    // its library.
                    $($name: unsafe { library.function([$fmi2, $fmi3], $need.contains(&kind))? },)+
                })
            }
        }

        impl $owner {
            $($crate::c_api::functions! { @method $name [] [] $($x)*, })+
        }
    };
    (@type [$($c:tt)*] $x:ident: in [$t:ty], $($rest:tt)*) =>
        { $crate::c_api::functions!(@type [$($c)* *const $t, usize,] $($rest)*) };
    (@type [$($c:tt)*] $x:ident: in [$t:ty; ..], $($rest:tt)*) =>
        { $crate::c_api::functions!(@type [$($c)* *const $t,] $($rest)*) };
    (@type [$($c:tt)*] $x:ident: in count [$t:ty], $($rest:tt)*) =>
        { $crate::c_api::functions!(@type [$($c)* usize, *const $t,] $($rest)*) };
    (@type [$($c:tt)*] $x:ident: out [$t:ty], $($rest:tt)*) =>
        { $crate::c_api::functions!(@type [$($c)* *mut $t, usize,] $($rest)*) };
    (@type [$($c:tt)*] $x:ident: out [$t:ty; ..], $($rest:tt)*) =>
        { $crate::c_api::functions!(@type [$($c)* *mut $t,] $($rest)*) };
    (@type [$($c:tt)*] $x:ident: out $t:ty, $($rest:tt)*) =>
        { $crate::c_api::functions!(@type [$($c)* *mut $t,] $($rest)*) };
    (@type [$($c:tt)*] $x:ident: $t:ty, $($rest:tt)*) =>
        { $crate::c_api::functions!(@type [$($c)* $t,] $($rest)*) };
    (@type [$($c:tt)*] $(,)?) => { unsafe extern "C" fn(InstancePointer, $($c)*) -> c_int };
    (@method $name:ident [$($p:tt)*] [$($v:tt)*] $x:ident: in [$t:ty], $($rest:tt)*) =>
        { $crate::c_api::functions! { @method $name [$($p)* $x: &[$t],] [$($v)* $x.as_ptr(), $x.len(),] $($rest)* } };
    (@method $name:ident [$($p:tt)*] [$($v:tt)*] $x:ident: in [$t:ty; ..], $($rest:tt)*) =>
        { $crate::c_api::functions! { @method $name [$($p)* $x: &[$t],] [$($v)* $x.as_ptr(),] $($rest)* } };
    (@method $name:ident [$($p:tt)*] [$($v:tt)*] $x:ident: in count [$t:ty], $($rest:tt)*) =>
        { $crate::c_api::functions! { @method $name [$($p)* $x: &[$t],] [$($v)* $x.len(), $x.as_ptr(),] $($rest)* } };
    (@method $name:ident [$($p:tt)*] [$($v:tt)*] $x:ident: out [$t:ty], $($rest:tt)*) =>
        { $crate::c_api::functions! { @method $name [$($p)* $x: &mut [$t],] [$($v)* $x.as_mut_ptr(), $x.len(),] $($rest)* } };
    (@method $name:ident [$($p:tt)*] [$($v:tt)*] $x:ident: out [$t:ty; ..], $($rest:tt)*) =>
        { $crate::c_api::functions! { @method $name [$($p)* $x: &mut [$t],] [$($v)* $x.as_mut_ptr(),] $($rest)* } };
    (@method $name:ident [$($p:tt)*] [$($v:tt)*] $x:ident: out $t:ty, $($rest:tt)*) =>
        { $crate::c_api::functions! { @method $name [$($p)* $x: &mut $t,] [$($v)* $x,] $($rest)* } };
    (@method $name:ident [$($p:tt)*] [$($v:tt)*] $x:ident: $t:ty, $($rest:tt)*) =>
        { $crate::c_api::functions! { @method $name [$($p)* $x: $t,] [$($v)* $x,] $($rest)* } };
    (@method $name:ident [$($p:tt)*] [$($v:tt)*] $(,)?) => {
        #[allow(clippy::too_many_arguments, reason = "arguments as C has them")]
        pub(crate) fn $name(&self, $($p)*) -> Result<(), HostError> {
            let Function { name, call } = self.functions.$name;
            let call = call.ok_or_else(|| self.library.lacks(name))?;
            // SAFETY: the instance lives; slices, places and what they point to live during the call, and
            // the FMU reads and writes the given number of values.
            let status = unsafe { call(self.pointer, $($v)*) };
            self.check(name, status)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    /// Sizes by the rules of C for five integers of 4 bytes and a number aligned to 8, and for
    /// five pointers.
    #[test]
    fn structures_are_laid_out_as_c_lays_them_out() {
        assert_eq!(offset_of!(EventInfo, next_event_time), 24);
        assert_eq!(size_of::<EventInfo>(), 32);
        assert_eq!(size_of::<CallbackFunctions>(), 5 * size_of::<usize>());
    }
}
