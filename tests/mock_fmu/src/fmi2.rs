//! The C functions of FMI 2.0. A boolean is an integer there.
#![allow(unsafe_code)]

use crate::{
    DISCARD, ERROR, Log, Mock, Mode, OK, Pointer, WARNING, call, directional, instantiate, outputs,
};
use std::ffi::{CStr, c_char, c_int};
use std::ptr;

/// `fmi2Pending`.
const PENDING: c_int = 5;
/// `fmi2LastSuccessfulTime` and `fmi2Terminated` of `fmi2StatusKind`.
const LAST_SUCCESSFUL_TIME: c_int = 2;
const TERMINATED: c_int = 3;

type Logger =
    unsafe extern "C" fn(Pointer, *const c_char, c_int, *const c_char, *const c_char, ...);

#[repr(C)]
struct Callbacks {
    logger: Logger,
    allocate_memory: unsafe extern "C" fn(usize, usize) -> Pointer,
    free_memory: unsafe extern "C" fn(Pointer),
    step_finished: Option<unsafe extern "C" fn(Pointer, c_int)>,
    environment: Pointer,
}

#[repr(C)]
struct EventInfo {
    again: c_int,
    terminate: c_int,
    nominals_changed: c_int,
    states_changed: c_int,
    has_next: c_int,
    next: f64,
}

fn log_of(environment: Pointer, logger: Logger) -> Log {
    Box::new(move |status, text: &CStr| {
        let (category, format) = (c"logStatusError".as_ptr(), c"%s".as_ptr());
        // SAFETY: the importer's callback with the importer's pointer; the format takes one text.
        unsafe {
            logger(
                environment,
                c"mock".as_ptr(),
                status,
                category,
                format,
                text.as_ptr(),
            );
        }
    })
}

/// Logs in several formats, with their arguments.
///
/// # Safety
/// `logger` is the importer's callback for `environment`.
unsafe fn log_formats(environment: Pointer, logger: Logger) {
    let (name, category) = (c"mock".as_ptr(), c"logAll".as_ptr());
    let text = c"a % and a %d".as_ptr();
    // SAFETY: see above; each format has the arguments that it asks for.
    unsafe {
        logger(environment, name, WARNING, category, c"no format".as_ptr());
        logger(environment, name, WARNING, category, c"%s".as_ptr(), text);
        logger(
            environment,
            name,
            WARNING,
            category,
            c"100 %%: %s".as_ptr(),
            text,
        );
        logger(
            environment,
            name,
            WARNING,
            category,
            c"%g s".as_ptr(),
            0.5_f64,
        );
        logger(
            environment,
            name,
            WARNING,
            category,
            c"%d: %s".as_ptr(),
            7,
            text,
        );
        logger(environment, name, WARNING, ptr::null(), ptr::null());
    }
}

/// Whether memory of the importer is there and zero, as `calloc` gives it.
///
/// # Safety
/// The callbacks are those of an importer.
unsafe fn memory_is_good(callbacks: &Callbacks) -> bool {
    // SAFETY: see above; the memory has 24 bytes.
    unsafe {
        let memory = (callbacks.allocate_memory)(3, 8);
        if memory.is_null() {
            return false;
        }
        let bytes = std::slice::from_raw_parts(memory.cast::<u8>(), 24);
        let is_zero = bytes.iter().all(|b| *b == 0);
        (callbacks.free_memory)(memory);
        is_zero
    }
}

in_both_versions! {
    bool: c_int;
    SetDebugLogging: fmi2SetDebugLogging;
    FreeInstance: fmi2FreeInstance;
    Reset: fmi2Reset;
    ExitInitializationMode: fmi2ExitInitializationMode;
    Terminate: fmi2Terminate;
    EnterEventMode: fmi2EnterEventMode, [Mode::Continuous];
    EnterContinuousTimeMode: fmi2EnterContinuousTimeMode;
    SetTime: fmi2SetTime, [Mode::Event, Mode::Continuous];
    SetContinuousStates: fmi2SetContinuousStates;
    CompletedIntegratorStep: fmi2CompletedIntegratorStep;
    vectors: {
        fmi2GetContinuousStates, |m: &mut Mock| Ok(m.x);
        fmi2GetDerivatives, Mock::derivative;
        fmi2GetEventIndicators, |m: &mut Mock| Ok(1.0 + m.x);
        fmi2GetNominalsOfContinuousStates, Mock::nominal;
    }
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2Instantiate(
    _name: *const c_char,
    interface: c_int,
    token: *const c_char,
    location: *const c_char,
    callbacks: *const Callbacks,
    _visible: c_int,
    _logging_on: c_int,
) -> Pointer {
    // SAFETY: as the importer promises.
    unsafe {
        let callbacks = &*callbacks;
        if callbacks.step_finished.is_some() || !memory_is_good(callbacks) {
            return ptr::null_mut();
        }
        let (environment, logger) = (callbacks.environment, callbacks.logger);
        match CStr::from_ptr(token).to_bytes() {
            b"formats" => log_formats(environment, logger),
            b"location" => {
                let category = c"logAll".as_ptr();
                logger(environment, c"mock".as_ptr(), WARNING, category, location);
            }
            _ => {}
        }
        instantiate(token, log_of(environment, logger), interface == 0)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2SetupExperiment(
    instance: Pointer,
    _has_tolerance: c_int,
    _tolerance: f64,
    start: f64,
    _has_stop: c_int,
    _stop: f64,
) -> c_int {
    let body = |m: &mut Mock| {
        m.time = start;
        m.is_set_up = true;
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "SetupExperiment", &[Mode::Instantiated], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2EnterInitializationMode(instance: Pointer) -> c_int {
    let body = |m: &mut Mock| match m.is_set_up {
        true => m.enter_initialization(),
        false => m.fail(ERROR, "the experiment is not set up"),
    };
    let modes = [Mode::Instantiated];
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "EnterInitializationMode", &modes, body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetReal(
    instance: Pointer,
    references: *const u32,
    count: usize,
    values: *mut f64,
) -> c_int {
    // SAFETY: an instance and vectors of the importer.
    unsafe { outputs(instance, "GetReal", references, values, count) }
}

/// Value reference 2 is another variable than that of the same reference among the reals: 7.
#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetInteger(
    _instance: Pointer,
    _references: *const u32,
    count: usize,
    values: *mut c_int,
) -> c_int {
    // SAFETY: the importer passes as many items as it says.
    unsafe { std::slice::from_raw_parts_mut(values, count) }.fill(7);
    OK
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2NewDiscreteStates(instance: Pointer, info: *mut EventInfo) -> c_int {
    let body = |m: &mut Mock| {
        let update = m.update();
        let answer = EventInfo {
            again: c_int::from(update.again),
            terminate: 0,
            nominals_changed: 0,
            // Any number but 0 is true.
            states_changed: -c_int::from(update.states_changed),
            has_next: c_int::from(update.next_time.is_some()),
            next: update.next_time.unwrap_or_default(),
        };
        // SAFETY: the importer passes a place for the answer.
        unsafe { info.write(answer) };
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "NewDiscreteStates", &[Mode::Event], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetDirectionalDerivative(
    instance: Pointer,
    unknowns: *const u32,
    _unknown_count: usize,
    knowns: *const u32,
    _known_count: usize,
    seed: *const f64,
    sensitivity: *mut f64,
) -> c_int {
    // SAFETY: an instance and vectors of the importer, with the one state and its derivative.
    unsafe { directional(instance, [unknowns, knowns], seed, sensitivity) }
}

/// A step that asks for the end is discarded, as FMI 2.0 has it.
#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2DoStep(
    instance: Pointer,
    time: f64,
    length: f64,
    _no_earlier_state: c_int,
) -> c_int {
    let body = |m: &mut Mock| match m.step(time, length) {
        _ if m.is("pending") => PENDING,
        Ok(step) if step.terminate => DISCARD,
        Ok(_) => OK,
        Err(status) => status,
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "DoStep", &[Mode::Step], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetBooleanStatus(
    instance: Pointer,
    kind: c_int,
    value: *mut c_int,
) -> c_int {
    let body = |m: &mut Mock| {
        if kind != TERMINATED {
            return m.fail(ERROR, "no boolean status of this kind");
        }
        // SAFETY: a place of the importer.
        unsafe { *value = c_int::from(m.ends()) };
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "GetBooleanStatus", &[Mode::Step], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2GetRealStatus(instance: Pointer, kind: c_int, value: *mut f64) -> c_int {
    let body = |m: &mut Mock| {
        if kind != LAST_SUCCESSFUL_TIME {
            return m.fail(ERROR, "no real status of this kind");
        }
        // SAFETY: a place of the importer.
        unsafe { *value = m.time };
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "GetRealStatus", &[Mode::Step], body) }
}
