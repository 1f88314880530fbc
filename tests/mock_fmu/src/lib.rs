//! An FMU binary that does one thing wrong, or something rare: its instantiation token says what.
//!
//! Model: x' = -x, x(0) = 1, so x(t) = e^-t; output x (value reference 2). One event indicator,
//! 1 + x, never changes its domain. Calls in a mode that FMI 3.0 does not allow them in are refused
//! with fmi3Error, so that an importer that passes keeps the order of the standard. Only the
//! functions that the tests need are there; the others are missing on purpose.
//!
//! Tokens: `plain`; `doubled` (a time event at 0.5 s doubles x); `three-updates` (each event takes
//! three updates); `endless-update`; `past-event` (announces an event before the present time);
//! `standstill` (announces the next event for the present time); `nan`, `discard`, `error` (from
//! the derivatives after 0.4 s); `nan-output`; `fatal` (from the nominals; a later call ends the
//! process); `terminate` (asks for the end at the first step after 0.6 s); `early` (ends a
//! communication step early without leave); `stuck` (each communication step ends where it
//! started, with an event); `warning`; `refused` (no instance).
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};

type Pointer = *mut c_void;
type Log = unsafe extern "C" fn(Pointer, c_int, *const c_char, *const c_char);

const OK: c_int = 0;
const WARNING: c_int = 1;
const DISCARD: c_int = 2;
const ERROR: c_int = 3;
const FATAL: c_int = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Instantiated,
    Initialization,
    Event,
    Continuous,
    Step,
    Terminated,
}

struct Mock {
    behaviour: String,
    environment: Pointer,
    log: Option<Log>,
    mode: Mode,
    event_mode_used: bool,
    is_model_exchange: bool,
    time: f64,
    x: f64,
    doubled: bool,
    updates: u32,
    dead: bool,
}

impl Mock {
    fn is(&self, behaviour: &str) -> bool {
        self.behaviour == behaviour
    }

    fn say(&self, status: c_int, text: &str) {
        let text = CString::new(text).unwrap_or_default();
        if let Some(log) = self.log {
            // SAFETY: the importer's callback with the importer's pointer.
            unsafe { log(self.environment, status, c"errors".as_ptr(), text.as_ptr()) };
        }
    }

    fn fail(&self, status: c_int, text: &str) -> c_int {
        self.say(status, text);
        status
    }

    /// Refuses a call outside these modes.
    fn allow(&self, call: &str, modes: &[Mode]) -> Result<(), c_int> {
        if modes.contains(&self.mode) {
            return Ok(());
        }
        let text = format!("{call} is not allowed in mode {:?}", self.mode);
        Err(self.fail(ERROR, &text))
    }
}

/// Runs a call on the instance.
///
/// # Safety
/// `instance` comes from `instantiate` and is not freed.
unsafe fn call(
    instance: Pointer,
    name: &str,
    modes: &[Mode],
    body: impl FnOnce(&mut Mock) -> c_int,
) -> c_int {
    // SAFETY: see above; importers call one function at a time.
    let mock = unsafe { &mut *instance.cast::<Mock>() };
    if mock.dead {
        std::process::abort();
    }
    match mock.allow(name, modes) {
        Ok(()) => body(mock),
        Err(status) => status,
    }
}

/// # Safety
/// The strings are null-terminated.
unsafe fn instantiate(
    token: *const c_char,
    environment: Pointer,
    log: Option<Log>,
    is_model_exchange: bool,
    event_mode_used: bool,
) -> Pointer {
    // SAFETY: a string of the importer.
    let behaviour = unsafe { CStr::from_ptr(token) }
        .to_string_lossy()
        .into_owned();
    let mock = Mock {
        behaviour,
        environment,
        log,
        mode: Mode::Instantiated,
        event_mode_used,
        is_model_exchange,
        time: 0.0,
        x: 1.0,
        doubled: false,
        updates: 0,
        dead: false,
    };
    if mock.is("refused") {
        mock.say(ERROR, "this token is refused");
        return std::ptr::null_mut();
    }
    Box::into_raw(Box::new(mock)).cast()
}

#[unsafe(no_mangle)]
extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging_on: bool,
    environment: Pointer,
    log: Option<Log>,
) -> Pointer {
    // SAFETY: as the importer promises.
    unsafe { instantiate(token, environment, log, true, false) }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging_on: bool,
    event_mode_used: bool,
    _early_return_allowed: bool,
    _variables: *const u32,
    _variable_count: usize,
    environment: Pointer,
    log: Option<Log>,
    _update: *const c_void,
) -> Pointer {
    // SAFETY: as the importer promises.
    unsafe { instantiate(token, environment, log, false, event_mode_used) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3FreeInstance(instance: Pointer) {
    // SAFETY: from `instantiate`, freed once.
    let mock = unsafe { Box::from_raw(instance.cast::<Mock>()) };
    if mock.dead {
        std::process::abort();
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3SetDebugLogging(
    _instance: Pointer,
    _on: bool,
    _count: usize,
    _categories: *const *const c_char,
) -> c_int {
    OK
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3EnterInitializationMode(
    instance: Pointer,
    _has_tolerance: bool,
    _tolerance: f64,
    start: f64,
    _has_stop: bool,
    _stop: f64,
) -> c_int {
    let body = |m: &mut Mock| {
        m.mode = Mode::Initialization;
        m.time = start;
        if m.is("warning") {
            return m.fail(WARNING, "something is odd");
        }
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe {
        call(
            instance,
            "EnterInitializationMode",
            &[Mode::Instantiated],
            body,
        )
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3ExitInitializationMode(instance: Pointer) -> c_int {
    let body = |m: &mut Mock| {
        let event = m.is_model_exchange || m.event_mode_used;
        m.mode = if event { Mode::Event } else { Mode::Step };
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe {
        call(
            instance,
            "ExitInitializationMode",
            &[Mode::Initialization],
            body,
        )
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3EnterEventMode(instance: Pointer) -> c_int {
    let body = |m: &mut Mock| {
        m.mode = Mode::Event;
        m.updates = 0;
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe {
        call(
            instance,
            "EnterEventMode",
            &[Mode::Continuous, Mode::Step],
            body,
        )
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3UpdateDiscreteStates(
    instance: Pointer,
    again: *mut bool,
    terminate: *mut bool,
    nominals_changed: *mut bool,
    states_changed: *mut bool,
    has_next: *mut bool,
    next: *mut f64,
) -> c_int {
    let body = |m: &mut Mock| {
        m.updates += 1;
        let doubles = m.is("doubled") && m.time >= 0.5 && !m.doubled;
        if doubles {
            m.doubled = true;
            m.x *= 2.0;
        }
        let next_time = match m.behaviour.as_str() {
            "doubled" if !m.doubled => Some(0.5),
            "past-event" => Some(m.time - 1.0),
            "standstill" => Some(m.time),
            _ => None,
        };
        // SAFETY: the importer passes places for the answers.
        unsafe {
            *again = m.is("endless-update") || m.is("three-updates") && m.updates < 3;
            *terminate = false;
            *nominals_changed = false;
            *states_changed = doubles;
            *has_next = next_time.is_some();
            *next = next_time.unwrap_or_default();
        }
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "UpdateDiscreteStates", &[Mode::Event], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3EnterContinuousTimeMode(instance: Pointer) -> c_int {
    let body = |m: &mut Mock| {
        if m.is("three-updates") && m.updates < 3 {
            return m.fail(ERROR, "the event update is not finished");
        }
        m.mode = Mode::Continuous;
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "EnterContinuousTimeMode", &[Mode::Event], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3EnterStepMode(instance: Pointer) -> c_int {
    let body = |m: &mut Mock| {
        m.mode = Mode::Step;
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "EnterStepMode", &[Mode::Event], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3Terminate(instance: Pointer) -> c_int {
    let body = |m: &mut Mock| {
        m.mode = Mode::Terminated;
        OK
    };
    let modes = [Mode::Event, Mode::Continuous, Mode::Step];
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "Terminate", &modes, body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetFloat64(
    instance: Pointer,
    references: *const u32,
    reference_count: usize,
    values: *mut f64,
    value_count: usize,
) -> c_int {
    let body = |m: &mut Mock| {
        // SAFETY: the importer passes as many items as it says.
        let (references, values) = unsafe {
            (
                std::slice::from_raw_parts(references, reference_count),
                std::slice::from_raw_parts_mut(values, value_count),
            )
        };
        for (reference, value) in references.iter().zip(values) {
            *value = match reference {
                2 if m.is("nan-output") => f64::NAN,
                2 => m.x,
                _ => return m.fail(ERROR, "unknown value reference"),
            };
        }
        OK
    };
    let modes = [
        Mode::Initialization,
        Mode::Event,
        Mode::Continuous,
        Mode::Step,
    ];
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "GetFloat64", &modes, body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3SetTime(instance: Pointer, time: f64) -> c_int {
    let body = |m: &mut Mock| {
        m.time = time;
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "SetTime", &[Mode::Continuous], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3SetContinuousStates(
    instance: Pointer,
    states: *const f64,
    _count: usize,
) -> c_int {
    let body = |m: &mut Mock| {
        // SAFETY: the importer passes the one state.
        m.x = unsafe { *states };
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "SetContinuousStates", &[Mode::Continuous], body) }
}

/// Writes the only value of a vector.
///
/// # Safety
/// As for `call`; `place` is a place for a number.
unsafe fn answer(
    instance: Pointer,
    name: &str,
    place: *mut f64,
    value: impl FnOnce(&mut Mock) -> Result<f64, c_int>,
) -> c_int {
    let body = |m: &mut Mock| match value(m) {
        Ok(value) => {
            // SAFETY: see above.
            unsafe { *place = value };
            OK
        }
        Err(status) => status,
    };
    // SAFETY: as the caller promises.
    unsafe { call(instance, name, &[Mode::Event, Mode::Continuous], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetContinuousStates(
    instance: Pointer,
    states: *mut f64,
    _count: usize,
) -> c_int {
    // SAFETY: an instance and a place of the importer.
    unsafe { answer(instance, "GetContinuousStates", states, |m| Ok(m.x)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetContinuousStateDerivatives(
    instance: Pointer,
    derivatives: *mut f64,
    _count: usize,
) -> c_int {
    let value = |m: &mut Mock| match m.behaviour.as_str() {
        "nan" if m.time > 0.4 => Ok(f64::NAN),
        "discard" if m.time > 0.4 => Err(m.fail(DISCARD, "nothing beyond 0.4 s")),
        "error" if m.time > 0.4 => Err(m.fail(ERROR, "the model broke at 0.4 s")),
        _ => Ok(-m.x),
    };
    // SAFETY: an instance and a place of the importer.
    unsafe {
        answer(
            instance,
            "GetContinuousStateDerivatives",
            derivatives,
            value,
        )
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetEventIndicators(
    instance: Pointer,
    indicators: *mut f64,
    _count: usize,
) -> c_int {
    // SAFETY: an instance and a place of the importer.
    unsafe {
        answer(
            instance,
            "GetEventIndicators",
            indicators,
            |m| Ok(1.0 + m.x),
        )
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetNominalsOfContinuousStates(
    instance: Pointer,
    nominals: *mut f64,
    _count: usize,
) -> c_int {
    let value = |m: &mut Mock| {
        if m.is("fatal") {
            m.say(FATAL, "all is lost");
            m.dead = true;
            return Err(FATAL);
        }
        Ok(1.0)
    };
    // SAFETY: an instance and a place of the importer.
    unsafe { answer(instance, "GetNominalsOfContinuousStates", nominals, value) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetNumberOfContinuousStates(_: Pointer, count: *mut usize) -> c_int {
    // SAFETY: a place of the importer.
    unsafe { *count = 1 };
    OK
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetNumberOfEventIndicators(_: Pointer, count: *mut usize) -> c_int {
    // SAFETY: a place of the importer.
    unsafe { *count = 1 };
    OK
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3CompletedIntegratorStep(
    instance: Pointer,
    _no_earlier_state: bool,
    event: *mut bool,
    terminate: *mut bool,
) -> c_int {
    let body = |m: &mut Mock| {
        // SAFETY: places of the importer.
        unsafe {
            *event = false;
            *terminate = m.is("terminate") && m.time > 0.6;
        }
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe {
        call(
            instance,
            "CompletedIntegratorStep",
            &[Mode::Continuous],
            body,
        )
    }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn fmi3DoStep(
    instance: Pointer,
    time: f64,
    length: f64,
    _no_earlier_state: bool,
    event: *mut bool,
    terminate: *mut bool,
    early: *mut bool,
    reached: *mut f64,
) -> c_int {
    let body = |m: &mut Mock| {
        let stuck = m.is("stuck");
        let part = match m.behaviour.as_str() {
            "stuck" => 0.0,
            "early" => 0.5,
            _ => 1.0,
        };
        if m.is("discard") && time > 0.4 {
            return m.fail(DISCARD, "nothing beyond 0.4 s");
        }
        m.time = time + part * length;
        m.x = (-m.time).exp();
        // SAFETY: places of the importer.
        unsafe {
            *event = stuck;
            *terminate = m.is("terminate") && m.time > 0.6;
            *early = part < 1.0;
            *reached = m.time;
        }
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "DoStep", &[Mode::Step], body) }
}
