//! The C functions of FMI 3.0.
#![allow(unsafe_code)]

use crate::{
    Log, Mock, Mode, OK, Pointer, answer, call, directional, free as free_mock, instantiate,
    outputs,
};
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
unsafe extern "C" fn fmi3FreeInstance(instance: Pointer) {
    // SAFETY: an instance of the importer, freed once.
    unsafe { free_mock(instance) };
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
        m.time = start;
        m.enter_initialization()
    };
    let modes = [Mode::Instantiated];
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "EnterInitializationMode", &modes, body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3ExitInitializationMode(instance: Pointer) -> c_int {
    let modes = [Mode::Initialization];
    let body = Mock::exit_initialization;
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "ExitInitializationMode", &modes, body) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3EnterEventMode(instance: Pointer) -> c_int {
    let modes = [Mode::Continuous, Mode::Step];
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "EnterEventMode", &modes, Mock::enter_event) }
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
unsafe extern "C" fn fmi3EnterContinuousTimeMode(instance: Pointer) -> c_int {
    let body = Mock::enter_continuous;
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
    _value_count: usize,
) -> c_int {
    // SAFETY: an instance and vectors of the importer; all variables are scalars.
    unsafe { outputs(instance, "GetFloat64", references, values, reference_count) }
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
    let name = "GetContinuousStateDerivatives";
    // SAFETY: an instance and a place of the importer.
    unsafe { answer(instance, name, derivatives, Mock::derivative) }
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
unsafe extern "C" fn fmi3GetEventIndicators(
    instance: Pointer,
    indicators: *mut f64,
    _count: usize,
) -> c_int {
    let name = "GetEventIndicators";
    // SAFETY: an instance and a place of the importer.
    unsafe { answer(instance, name, indicators, |m| Ok(1.0 + m.x)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3GetNominalsOfContinuousStates(
    instance: Pointer,
    nominals: *mut f64,
    _count: usize,
) -> c_int {
    let name = "GetNominalsOfContinuousStates";
    // SAFETY: an instance and a place of the importer.
    unsafe { answer(instance, name, nominals, Mock::nominal) }
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
            *terminate = m.ends();
        }
        OK
    };
    let modes = [Mode::Continuous];
    // SAFETY: an instance of the importer.
    unsafe { call(instance, "CompletedIntegratorStep", &modes, body) }
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
