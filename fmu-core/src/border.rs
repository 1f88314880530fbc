//! What the C functions of all FMI versions share: the way from a pointer of the importer to an
//! [`Instance`](crate::instance::Instance) and back. FMI 2.0 and FMI 3.0 agree on all of it; names,
//! types and prototypes are in the skin of each version.
//!
//! # The one way from a C function to an [`Instance`]
//!
//! A null instance is refused, a panic is caught and poisons the instance, a failure is logged and
//! becomes a status.
//!
//! # Reads and writes through the pointers of the importer
//!
//! A null pointer is refused with its name; the standard asks careful implementations to guard
//! against it ([FMI 3.0] section 2.2).
//!
//! # Copies of the state of an instance, as values and as bytes
//!
//! A copy is a `Box<State>` of the importer's variable, null where there is none.
//!
//! The functions are those of [FMI 3.0] section 2.2.6.4 and [FMI 2.0] section 2.1.8. Safety of all
//! of them: `instance` as [`guard`] asks; a copy comes from [`get`] or [`deserialize`] and was not
//! freed; other pointers are those of variables or arrays of the importer, of the given length.

#![allow(unsafe_code)]

use crate::instance::{
    Category, Degree, Failure, Instance, Log, LogSink, Options, State, lifecycle,
};
use std::any::Any;
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::Rc;

/// The status type of an FMI version.
pub trait Status {
    /// The status of a call that succeeded, or that ended with a failure of this degree.
    fn of(degree: Option<Degree>) -> Self;
}

/// Runs `body` on the instance behind `instance`; `name` is that of the C function, for messages.
///
/// # Safety
/// [FMI 3.0] section 2.3.1: `instance` is null or comes from an instantiation function of this
/// library and was not freed; section 2.2: no other function of the same instance runs meanwhile.
#[inline(always)]
pub(crate) unsafe fn guard<S: Status>(
    instance: *mut c_void,
    name: &str,
    body: impl FnOnce(&mut Instance) -> Result<(), Failure>,
) -> S {
    let pointer = instance.cast::<Instance>();
    if pointer.is_null() {
        return S::of(Some(Degree::Error));
    }
    // SAFETY: made by `Box::into_raw` in an instantiation function, by the contract above, and
    // not used otherwise meanwhile.
    let instance = unsafe { &mut *pointer };
    let failure = match catch_unwind(AssertUnwindSafe(|| body(instance))) {
        Ok(Ok(())) => return S::of(None),
        Ok(Err(failure)) => failure,
        Err(payload) => poison(instance, payload),
    };
    S::of(Some(tell(instance, name, failure)))
}

/// C functions of an instance, a row each: its name and, beside the instance, its arguments as in the header
/// of the standard; what is done with the instance and these; the section that says what an importer passes.
///
/// An argument is of a C type, or one of
/// - `x: in [T; n]`: a pointer and a number of values, of which the instance gets a slice;
///   `in [T; =n]` is the pointer alone, of as many values as an argument before it
/// - `x: out [T; n]`, `out [T; =n]`: the same of values that the instance writes
/// - `x: out T`: a pointer to one value, of which the instance gets a [`Place`]
///
/// `[T as U; n]` takes values of `T` for those of `U`, of the same size. What is done is a method of the
/// instance, the path of a function that takes the instance first, or an expression of all of them.
macro_rules! functions {
    (@row $head:tt) => {};
    (@row $head:tt $(#[$doc:meta])* $name:ident($($x:tt)*) => $method:ident, $section:literal; $($rest:tt)*) => {
        $crate::border::functions! { @of $head {$(#[$doc])* $name $section [Instance::$method]} [] [] [] $($x)*, }
        $crate::border::functions! { @row $head $($rest)* }
    };
    (@row $head:tt $(#[$doc:meta])* $name:ident($($x:tt)*) => |$i:ident| $do:expr, $section:literal; $($rest:tt)*) => {
        $crate::border::functions! { @of $head {$(#[$doc])* $name $section (|$i| $do)} [] [] [] $($x)*, }
        $crate::border::functions! { @row $head $($rest)* }
    };
    (@row $head:tt $(#[$doc:meta])* $name:ident($($x:tt)*) => $do:path, $section:literal; $($rest:tt)*) => {
        $crate::border::functions! { @of $head {$(#[$doc])* $name $section [$do]} [] [] [] $($x)*, }
        $crate::border::functions! { @row $head $($rest)* }
    };
    // Arguments are moved one by one from the end to three lists: parameters, bindings and names.
    (@of $head:tt $row:tt $p:tt $b:tt $n:tt $x:ident: $way:ident [$t:ty; $($count:tt)+], $($rest:tt)*) => {
        $crate::border::functions! { @of $head $row $p $b $n $x: $way [$t as $t; $($count)+], $($rest)* }
    };
    (@of $head:tt $row:tt [$($p:tt)*] [$($b:tt)*] [$($n:tt)*]
        $x:ident: in [$t:ty as $own:ty; $(= $known:ident)? $($count:ident)?], $($rest:tt)*) => {
        $crate::border::functions! { @of $head $row [$($p)* $x: *const $t, $($count: usize,)?]
            [$($b)* let $x = $crate::border::values($x.cast::<$own>(), $($known)? $($count)?, stringify!($x))?;]
            [$($n)* $x,] $($rest)* }
    };
    (@of $head:tt $row:tt [$($p:tt)*] [$($b:tt)*] [$($n:tt)*]
        $x:ident: out [$t:ty as $own:ty; $(= $known:ident)? $($count:ident)?], $($rest:tt)*) => {
        $crate::border::functions! { @of $head $row [$($p)* $x: *mut $t, $($count: usize,)?]
            [$($b)* let $x = $crate::border::values_out($x.cast::<$own>(), $($known)? $($count)?, stringify!($x))?;]
            [$($n)* $x,] $($rest)* }
    };
    (@of $head:tt $row:tt [$($p:tt)*] [$($b:tt)*] [$($n:tt)*] $x:ident: out $t:ty, $($rest:tt)*) => {
        $crate::border::functions! { @of $head $row [$($p)* $x: *mut $t,]
            [$($b)* let $x = $crate::border::place($x, stringify!($x))?;] [$($n)* $x,] $($rest)* }
    };
    (@of $head:tt $row:tt [$($p:tt)*] $b:tt [$($n:tt)*] $x:ident: $t:ty, $($rest:tt)*) => {
        $crate::border::functions! { @of $head $row [$($p)* $x: $t,] $b [$($n)* $x,] $($rest)* }
    };
    (@of ($pointer:ident: $type:ty => $status:ty, $standard:literal)
        {$(#[$doc:meta])* $name:ident $section:literal $do:tt} [$($p:tt)*] $b:tt $n:tt $(,)?) => {
        #[doc = concat!("`", stringify!($name), "` of [", $standard, "] section ", $section, ".")]
        $(#[$doc])*
        ///
        /// # Safety
        /// As that section says of an importer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($pointer: $type, $($p)*) -> $status {
            // SAFETY: the section that the row names: pointers are those of variables of the importer,
            // arrays have the given lengths, texts end with a zero byte, states were not freed.
            unsafe { $crate::border::guard($pointer, stringify!($name), functions!(@do $do $b $n)) }
        }
    };
    (@do [$do:path] [$($b:tt)*] [$($n:tt)*]) => { |instance| { $($b)* $do(instance, $($n)*) } };
    (@do (|$i:ident| $do:expr) [$($b:tt)*] $n:tt) => { |$i| { $($b)* $do } };
    ($pointer:ident: $type:ty => $status:ty, $standard:literal; $($rows:tt)+) => {
        $crate::border::functions! { @row ($pointer: $type => $status, $standard) $($rows)+ }
    };
}
pub(crate) use functions;

/// A panic may leave the instance in any condition: afterwards only reset and free are allowed.
#[cold]
#[inline(never)]
fn poison(instance: &mut Instance, payload: Box<dyn Any + Send>) -> Failure {
    instance.poison();
    Failure::error(format!(
        "failed inside this library, please report it: {}; only reset and free remain for this \
         instance",
        panic_text(&*payload)
    ))
}

/// Logs a failure. The log function is the importer's; a panic of ours on the way
/// there must not cross either.
#[cold]
#[inline(never)]
fn tell(instance: &Instance, name: &str, failure: Failure) -> Degree {
    let _ = catch_unwind(AssertUnwindSafe(|| instance.log().failure(name, &failure)));
    failure.degree
}

/// The text of a panic.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

// Creates and frees an instance. Failures are written to the log of the importer.

/// What an importer says when it makes an instance.
pub(crate) struct Request {
    /// Name of the instance; must not be blank.
    pub(crate) name: Option<String>,
    /// Token from the model description.
    pub token: Option<String>,
    /// Folder of the resources, none where the importer names none; or why its words name none.
    pub resources: Result<Option<PathBuf>, String>,
    /// The importer wants information too, not only failures.
    pub logging_on: bool,
    /// The log function of the importer.
    pub sink: Option<Rc<dyn LogSink>>,
}

/// The new instance, a `Box<Instance>`; or null and a message that says why, logged like an error
/// with logging on or off. `function` is the name of the C function.
pub(crate) fn instantiate(function: &str, request: Request, options: Options) -> *mut c_void {
    let sink = request.sink.clone();
    let reason = match catch_unwind(AssertUnwindSafe(|| make(request, options))) {
        Ok(Ok(instance)) => return Box::into_raw(Box::new(instance)).cast(),
        Ok(Err(reason)) => reason,
        Err(payload) => format!(
            "failed inside this library, please report it: {}",
            panic_text(&*payload)
        ),
    };
    refuse(function, sink, reason)
}

/// Logs why there is no instance. Returns null.
pub(crate) fn refuse(
    function: &str,
    sink: Option<Rc<dyn LogSink>>,
    reason: impl Into<String>,
) -> *mut c_void {
    Log::new(sink, false).failure(function, &Failure::error(reason));
    std::ptr::null_mut()
}

fn make(request: Request, options: Options) -> Result<Instance, String> {
    // [FMI 3.0] section 2.3.1: at least one character that is not a white space. FMI 2.0 says the
    // same in section 2.1.5.
    if request.name.is_none_or(|name| name.trim().is_empty()) {
        return Err("argument instanceName is null or blank; give the instance a name".into());
    }
    let found = lifecycle::load(request.resources?.as_deref(), request.token.as_deref())?;
    let log = Log::new(request.sink, request.logging_on);
    Instance::new(options, found, log).map_err(|failure| failure.message)
}

/// Frees an instance; null is ignored.
///
/// # Safety
/// The pointer is null or comes from [`instantiate`] and was not freed; nobody uses the instance
/// any more.
pub(crate) unsafe fn free(instance: *mut c_void) {
    if instance.is_null() {
        return;
    }
    // SAFETY: made by `Box::into_raw` in `instantiate`, by the contract above.
    let instance = unsafe { Box::from_raw(instance.cast::<Instance>()) };
    // Whatever happens, it must not unwind into the importer.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(instance)));
}

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
pub(crate) unsafe fn values<'a, T>(
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
pub(crate) unsafe fn values_out<'a, T>(
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

/// Room for one value of the importer.
pub(crate) struct Place<T>(*mut T);

impl<T: Copy> Place<T> {
    pub(crate) fn write(&self, value: T) {
        // SAFETY: not null and aligned by `place`; valid for writes by its contract.
        unsafe { self.0.write(value) };
    }
}

/// The place for a value; refused before anything is done that the value would tell of.
///
/// # Safety
/// A pointer that is not null points to room for a T that nobody else uses as long as the place lives.
pub(crate) unsafe fn place<T>(pointer: *mut T, argument: &str) -> Result<Place<T>, Failure> {
    check(pointer, 1, argument)?;
    Ok(Place(pointer))
}

/// A text; bytes that are not UTF-8 become replacement characters. None where it is null.
///
/// # Safety
/// A pointer that is not null points to bytes that end with a zero byte.
pub(crate) unsafe fn text(pointer: *const c_char) -> Option<String> {
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
pub(crate) unsafe fn texts(
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

/// Messages to the log function of an importer, which gets category and message as texts.
struct Sink<F> {
    percent: &'static str,
    function: F,
}

impl<F: Fn(Option<Degree>, &CStr, &CStr)> LogSink for Sink<F> {
    fn log(&self, degree: Option<Degree>, category: Category, message: &str) {
        // Importers of both FMI versions read `#` as the start of a reference to a variable: two stand
        // for itself. A zero byte would end the text.
        let message = message.replace('#', "##").replace('\0', "\\0");
        let message = message.replace('%', self.percent);
        let texts = (CString::new(category.name()), CString::new(message));
        if let (Ok(category), Ok(message)) = texts {
            (self.function)(degree, &category, &message);
        }
    }
}

/// Messages of an instance to `function`, which reads `percent` as a percent sign.
pub(crate) fn sink(
    percent: &'static str,
    function: impl Fn(Option<Degree>, &CStr, &CStr) + 'static,
) -> Rc<dyn LogSink> {
    Rc::new(Sink { percent, function })
}

const ARGUMENT: &str = "FMUState";

/// Copies the state out, into a new copy or over the one given.
///
/// # Safety
/// See the module; `state` points to null or to a copy.
pub(crate) unsafe fn get(instance: &mut Instance, state: *mut *mut c_void) -> Result<(), Failure> {
    // SAFETY: the contract of this function.
    unsafe {
        let place = place(state, ARGUMENT)?;
        let taken = instance.state()?;
        match state.read().cast::<State>().as_mut() {
            Some(known) => *known = taken,
            None => place.write(Box::into_raw(Box::new(taken)).cast()),
        }
        Ok(())
    }
}

/// Continues from a copy.
///
/// # Safety
/// See the module.
pub(crate) unsafe fn set(instance: &mut Instance, state: *mut c_void) -> Result<(), Failure> {
    // SAFETY: the contract of this function.
    unsafe { instance.set_state(borrow(state)?) }
}

/// Frees a copy; null is ignored.
///
/// # Safety
/// See the module; `state` points to null or to a copy.
pub(crate) unsafe fn free_state(_: &mut Instance, state: *mut *mut c_void) -> Result<(), Failure> {
    // SAFETY: the contract of this function.
    unsafe {
        if state.is_null() {
            return Ok(());
        }
        let place = place(state, ARGUMENT)?;
        let copy = state.read().cast::<State>();
        if !copy.is_null() {
            drop(Box::from_raw(copy));
        }
        place.write(std::ptr::null_mut());
        Ok(())
    }
}

/// Number of bytes that hold a copy.
///
/// # Safety
/// See the module.
pub(crate) unsafe fn size(
    instance: &mut Instance,
    state: *mut c_void,
    size: Place<usize>,
) -> Result<(), Failure> {
    // SAFETY: the contract of this function.
    let state = unsafe { borrow(state)? };
    size.write(instance.state_to_bytes(state)?.len());
    Ok(())
}

/// Writes a copy to bytes.
///
/// # Safety
/// See the module.
pub(crate) unsafe fn serialize(
    instance: &mut Instance,
    state: *mut c_void,
    serialized: &mut [u8],
) -> Result<(), Failure> {
    // SAFETY: the contract of this function.
    let bytes = instance.state_to_bytes(unsafe { borrow(state)? })?;
    if serialized.len() != bytes.len() {
        return Err(Failure::error(format!(
            "size is {}; this state has {} bytes",
            serialized.len(),
            bytes.len()
        )));
    }
    serialized.copy_from_slice(&bytes);
    Ok(())
}

/// Makes a copy from bytes.
///
/// # Safety
/// See the module; `state` points to null or to a copy, which is then replaced.
pub(crate) unsafe fn deserialize(
    instance: &mut Instance,
    serialized: &[u8],
    state: *mut *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: the contract of this function.
    let place = unsafe { place(state, ARGUMENT)? };
    let made = instance.state_from_bytes(serialized)?;
    place.write(Box::into_raw(Box::new(made)).cast());
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::lifecycle::Resources;
    use crate::instance::variables::tests::scene;
    use crate::instance::{Category, Log, LogSink, Options};
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::Arc;

    #[derive(Debug, PartialEq)]
    struct Answer(Option<Degree>);

    impl Status for Answer {
        fn of(degree: Option<Degree>) -> Self {
            Answer(degree)
        }
    }

    #[derive(Clone, Default)]
    struct Messages(Rc<RefCell<Vec<String>>>);

    impl LogSink for Messages {
        fn log(&self, _: Option<Degree>, _: Category, message: &str) {
            self.0.borrow_mut().push(message.to_owned());
        }
    }

    #[test]
    fn a_panic_is_told_and_leaves_reset_and_free_only() {
        let messages = Messages::default();
        let resources = Resources {
            scene: Arc::new(scene()),
            functions: Arc::default(),
            token: "token".into(),
        };
        let log = Log::new(Some(Rc::new(messages.clone())), false);
        let instance = Instance::new(Options::MODEL_EXCHANGE, resources, log).unwrap();
        let pointer: *mut c_void = Box::into_raw(Box::new(instance)).cast();
        let (fine, refused) = (Answer(None), Answer(Some(Degree::Error)));
        let count = |instance: &mut Instance| instance.state_count().map(|_| ());
        // SAFETY: the instance lives until it is freed at the end.
        unsafe {
            assert_eq!(guard::<Answer>(pointer, "count", count), fine);
            let answer: Answer = guard(pointer, "test", |_| panic!("number {}", 42));
            assert_eq!(answer, refused);
            let logged = messages.0.borrow_mut().pop().unwrap();
            assert!(
                logged.starts_with("test: ") && logged.contains("number 42"),
                "{logged}"
            );
            assert_eq!(guard::<Answer>(pointer, "count", count), refused);
            let terminate = Instance::terminate;
            assert_eq!(guard::<Answer>(pointer, "terminate", terminate), refused);
            assert_eq!(guard::<Answer>(pointer, "reset", Instance::reset), fine);
            assert_eq!(guard::<Answer>(pointer, "count", count), fine);
            drop(Box::from_raw(pointer.cast::<Instance>()));
        }
    }

    #[test]
    fn a_null_instance_is_an_error() {
        // SAFETY: null is allowed.
        let answer: Answer = unsafe { guard(std::ptr::null_mut(), "test", |_| Ok(())) };
        assert_eq!(answer, Answer(Some(Degree::Error)));
    }
}

#[cfg(test)]
mod pointers_tests {
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
