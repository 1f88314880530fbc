//! The C functions of FMI 3.0.
#![allow(unsafe_code)]

use crate::{Log, Mock, Mode, OK, Pointer, call, directional, instantiate, outputs};
use std::ffi::{CStr, c_char, c_int, c_void};

type LogMessage = unsafe extern "C" fn(Pointer, c_int, *const c_char, *const c_char);

fn log_of(environment: Pointer, function: Option<LogMessage>) -> Log {
    Box::new(move |status, text: &CStr| {
        if let Some(function) = function {
            // SAFETY: the importer's callback with the importer's pointer.
            unsafe { function(environment, status, c"errors".as_ptr(), text.as_ptr()) };
        }
    })
}

in_both_versions! {
    bool: bool;
    SetDebugLogging: fmi3SetDebugLogging;
    FreeInstance: fmi3FreeInstance;
    Reset: fmi3Reset;
    ExitInitializationMode: fmi3ExitInitializationMode;
    Terminate: fmi3Terminate;
    EnterEventMode: fmi3EnterEventMode, [Mode::Continuous, Mode::Step];
    EnterContinuousTimeMode: fmi3EnterContinuousTimeMode;
    SetTime: fmi3SetTime, [Mode::Continuous];
    SetContinuousStates: fmi3SetContinuousStates;
    CompletedIntegratorStep: fmi3CompletedIntegratorStep;
    vectors: {
        fmi3GetContinuousStates, |m: &mut Mock| Ok(m.x);
        fmi3GetContinuousStateDerivatives, Mock::derivative;
        fmi3GetEventIndicators, |m: &mut Mock| Ok(1.0 + m.x);
        fmi3GetNominalsOfContinuousStates, Mock::nominal;
    }
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
    log: Option<LogMessage>,
) -> Pointer {
    // SAFETY: as the importer promises.
    unsafe { instantiate(token, log_of(environment, log), true) }
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
    log: Option<LogMessage>,
    _update: *const c_void,
) -> Pointer {
    // SAFETY: as the importer promises.
    unsafe { instantiate(token, log_of(environment, log), event_mode_used) }
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
        m.time = start;
        m.enter_initialization()
    };
    let modes = [Mode::Instantiated];
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "EnterInitializationMode", &modes, body) }
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
        let update = m.update();
        // SAFETY: the importer passes places for the answers.
        unsafe {
            *again = update.again;
            *terminate = false;
            *nominals_changed = false;
            *states_changed = update.states_changed;
            *has_next = update.next_time.is_some();
            *next = update.next_time.unwrap_or_default();
        }
        OK
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "UpdateDiscreteStates", &[Mode::Event], body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3EnterStepMode(instance: Pointer) -> c_int {
    // SAFETY: an instance of the importer.
    unsafe {
        call(instance, "EnterStepMode", &[Mode::Event], |m| {
            m.enter(Mode::Step)
        })
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetFloat64(
    instance: Pointer,
    references: *const u32,
    reference_count: usize,
    values: *mut f64,
    _value_count: usize,
) -> c_int {
    // SAFETY: an instance and vectors of the importer; all variables are scalars.
    unsafe { outputs(instance, "GetFloat64", references, values, reference_count) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetDirectionalDerivative(
    instance: Pointer,
    unknowns: *const u32,
    _unknown_count: usize,
    knowns: *const u32,
    _known_count: usize,
    seed: *const f64,
    _seed_count: usize,
    sensitivity: *mut f64,
    _sensitivity_count: usize,
) -> c_int {
    // SAFETY: an instance and vectors of the importer, with the one state and its derivative.
    unsafe { directional(instance, [unknowns, knowns], seed, sensitivity) }
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
    let body = |m: &mut Mock| match m.step(time, length) {
        Ok(step) => {
            // SAFETY: places of the importer.
            unsafe {
                *event = step.event;
                *terminate = step.terminate;
                *early = step.early;
                *reached = m.time;
            }
            OK
        }
        Err(status) => status,
    };
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "DoStep", &[Mode::Step], body) }
}
