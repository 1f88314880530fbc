//! An FMU binary that does one thing wrong, or something rare: its instantiation token says what.
//!
//! Model: x' = -x, x(0) = 1, so x(t) = e^-t; output x (value reference 2). One event indicator,
//! 1 + x, never changes its domain. Calls in a mode that the standard does not allow them in are
//! refused with Error, so that an importer that passes keeps the order of the standard. Only the
//! functions that the tests need are there; the others are missing on purpose.
//!
//! - [`Mock`]: the model with its misbehaviour, in no FMI version's words
//! - `fmi2`, `fmi3`: the C functions of the versions
//!
//! Tokens: `plain`; `doubled` (a time event at 0.5 s doubles x); `three-updates` (each event takes
//! three updates); `endless-update`; `past-event` (announces an event before the present time);
//! `standstill` (announces the next event for the present time); `nan`, `discard`, `error` (from
//! the derivatives after 0.4 s); `nan-output`; `fatal` (from the nominals; a later call ends the
//! process); `terminate` (asks for the end at the first step after 0.6 s); `early` (ends a
//! communication step early without leave); `stuck` (each communication step ends where it started,
//! with an event); `warning`; `warned-error` (both, in steps too); `refused` (no instance); `abort`
//! (ends the process in the first step or derivative), `asleep` (never comes back from it), `chatty`
//! (leaves words without an end of line on standard error in each of them); `stiff`
//! (x' = -1e5 (x - cos t) with directional derivatives), `stiff-discard`, `stiff-error`,
//! `stiff-fatal`, `stiff-nan` (from these derivatives after 0.4 s). FMI 2.0
//! only: `pending` (a step that goes on after its call); `formats` (logs in several formats of
//! printf); `location` (logs where its resources are).
#![allow(unsafe_code)]

/// The C functions that both versions have, by their names; a flag is of the version's type. The importer passes
/// an instance, and places and vectors of the one state.
macro_rules! in_both_versions {
    (
        bool: $bool:ty;
        SetDebugLogging: $set_log:ident;
        FreeInstance: $free:ident;
        Reset: $reset:ident;
        ExitInitializationMode: $exit_initialization:ident;
        Terminate: $terminate:ident;
        EnterEventMode: $enter_event:ident, [$($event_mode:expr),*];
        EnterContinuousTimeMode: $enter_continuous:ident;
        SetTime: $set_time:ident, [$($time_mode:expr),*];
        SetContinuousStates: $set_states:ident;
        CompletedIntegratorStep: $completed_step:ident;
        vectors: { $($vector:ident, $value:expr;)* }
    ) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $set_log(
            _: Pointer,
            _on: $bool,
            _count: usize,
            _categories: *const *const c_char,
        ) -> c_int {
            OK
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $free(instance: Pointer) {
            // SAFETY: an instance of the importer, freed once.
            unsafe { crate::free(instance) };
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $reset(c: Pointer) -> c_int {
            // SAFETY: an instance of the importer.
            unsafe { call(c, "Reset", &crate::ALL, Mock::reset) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $exit_initialization(c: Pointer) -> c_int {
            let (name, modes) = ("ExitInitializationMode", [Mode::Initialization]);
            // SAFETY: an instance of the importer.
            unsafe { call(c, name, &modes, Mock::exit_initialization) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $terminate(c: Pointer) -> c_int {
            let modes = [Mode::Event, Mode::Continuous, Mode::Step];
            // SAFETY: an instance of the importer.
            unsafe { call(c, "Terminate", &modes, |m| m.enter(Mode::Terminated)) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $enter_event(c: Pointer) -> c_int {
            // SAFETY: an instance of the importer.
            unsafe { call(c, "EnterEventMode", &[$($event_mode),*], Mock::enter_event) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $enter_continuous(c: Pointer) -> c_int {
            let name = "EnterContinuousTimeMode";
            // SAFETY: an instance of the importer.
            unsafe { call(c, name, &[Mode::Event], Mock::enter_continuous) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $set_time(c: Pointer, time: f64) -> c_int {
            let body = |m: &mut Mock| {
                m.time = time;
                OK
            };
            // SAFETY: an instance of the importer.
            unsafe { call(c, "SetTime", &[$($time_mode),*], body) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $set_states(c: Pointer, states: *const f64, _: usize) -> c_int {
            let body = |m: &mut Mock| {
                // SAFETY: the importer passes the one state.
                m.x = unsafe { *states };
                OK
            };
            // SAFETY: an instance of the importer.
            unsafe { call(c, "SetContinuousStates", &[Mode::Continuous], body) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $completed_step(
            c: Pointer,
            _no_earlier_state: $bool,
            event: *mut $bool,
            terminate: *mut $bool,
        ) -> c_int {
            let body = |m: &mut Mock| {
                // SAFETY: places of the importer.
                unsafe {
                    *event = <$bool>::from(false);
                    *terminate = <$bool>::from(m.ends());
                }
                OK
            };
            // SAFETY: an instance of the importer.
            unsafe { call(c, "CompletedIntegratorStep", &[Mode::Continuous], body) }
        }

        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $vector(c: Pointer, place: *mut f64, _count: usize) -> c_int {
                // SAFETY: an instance and a place of the importer.
                unsafe { crate::answer(c, &stringify!($vector)["fmi2".len()..], place, $value) }
            }
        )*
    };
}

mod fmi2;
mod fmi3;

use std::ffi::{CStr, CString, c_char, c_int, c_void};

/// An instance, or the environment of an importer.
type Pointer = *mut c_void;

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

const ALL: [Mode; 6] = [
    Mode::Instantiated,
    Mode::Initialization,
    Mode::Event,
    Mode::Continuous,
    Mode::Step,
    Mode::Terminated,
];

/// Modes in which values may be read.
const READABLE: [Mode; 4] = [
    Mode::Initialization,
    Mode::Event,
    Mode::Continuous,
    Mode::Step,
];

/// The log function of an importer: status and text.
type Log = Box<dyn Fn(c_int, &CStr)>;

struct Mock {
    behaviour: String,
    log: Log,
    mode: Mode,
    has_event_mode: bool,
    time: f64,
    x: f64,
    doubled: bool,
    updates: u32,
    dead: bool,
    /// FMI 2.0: the experiment is set up.
    is_set_up: bool,
}

/// Answer of an event update.
struct Update {
    again: bool,
    states_changed: bool,
    next_time: Option<f64>,
}

/// Answer of a communication step.
struct Step {
    event: bool,
    terminate: bool,
    early: bool,
}

impl Mock {
    fn is(&self, behaviour: &str) -> bool {
        self.behaviour == behaviour
    }

    fn say(&self, status: c_int, text: &str) {
        (self.log)(status, &CString::new(text).unwrap_or_default());
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

    fn enter(&mut self, mode: Mode) -> c_int {
        self.mode = mode;
        OK
    }

    fn reset(&mut self) -> c_int {
        (self.time, self.x, self.doubled) = (0.0, 1.0, false);
        (self.updates, self.is_set_up) = (0, false);
        self.enter(Mode::Instantiated)
    }

    fn enter_initialization(&mut self) -> c_int {
        self.mode = Mode::Initialization;
        if self.is("warning") || self.is("warned-error") {
            return self.fail(WARNING, "something is odd");
        }
        OK
    }

    fn exit_initialization(&mut self) -> c_int {
        self.mode = match self.has_event_mode {
            true => Mode::Event,
            false => Mode::Step,
        };
        OK
    }

    fn enter_event(&mut self) -> c_int {
        self.updates = 0;
        self.enter(Mode::Event)
    }

    fn update(&mut self) -> Update {
        self.updates += 1;
        let doubles = self.is("doubled") && self.time >= 0.5 && !self.doubled;
        if doubles {
            self.doubled = true;
            self.x *= 2.0;
        }
        Update {
            again: self.is("endless-update") || self.is("three-updates") && self.updates < 3,
            states_changed: doubles,
            next_time: match self.behaviour.as_str() {
                "doubled" if !self.doubled => Some(0.5),
                "past-event" => Some(self.time - 1.0),
                "standstill" => Some(self.time),
                _ => None,
            },
        }
    }

    fn enter_continuous(&mut self) -> c_int {
        if self.is("three-updates") && self.updates < 3 {
            return self.fail(ERROR, "the event update is not finished");
        }
        self.enter(Mode::Continuous)
    }

    /// What some behaviours do in a step or a derivative; two of them do not return.
    fn survive(&self) {
        match self.behaviour.as_str() {
            "abort" => std::process::abort(),
            "asleep" => loop {
                std::thread::sleep(std::time::Duration::from_secs(60));
            },
            "chatty" => eprint!("abc"),
            _ => {}
        }
    }

    fn derivative(&mut self) -> Result<f64, c_int> {
        self.survive();
        match self.behaviour.as_str() {
            "nan" if self.time > 0.4 => Ok(f64::NAN),
            "discard" if self.time > 0.4 => Err(self.fail(DISCARD, "nothing beyond 0.4 s")),
            "error" | "warned-error" if self.time > 0.4 => {
                Err(self.fail(ERROR, "the model broke at 0.4 s"))
            }
            name if name.starts_with("stiff") => Ok(-1e5 * (self.x - self.time.cos())),
            _ => Ok(-self.x),
        }
    }

    /// Derivative of the derivative along a direction of the state.
    fn directional(&mut self, seed: f64) -> Result<f64, c_int> {
        if !self.behaviour.starts_with("stiff") {
            return Err(self.fail(ERROR, "no directional derivatives were declared"));
        }
        match self.behaviour.as_str() {
            "stiff-discard" if self.time > 0.4 => Err(self.fail(DISCARD, "no slope beyond 0.4 s")),
            "stiff-error" if self.time > 0.4 => Err(self.fail(ERROR, "the slope broke at 0.4 s")),
            "stiff-nan" if self.time > 0.4 => Ok(f64::NAN),
            "stiff-fatal" if self.time > 0.4 => {
                self.say(FATAL, "all is lost");
                self.dead = true;
                Err(FATAL)
            }
            _ => Ok(-1e5 * seed),
        }
    }

    fn nominal(&mut self) -> Result<f64, c_int> {
        if self.is("fatal") {
            self.say(FATAL, "all is lost");
            self.dead = true;
            return Err(FATAL);
        }
        Ok(1.0)
    }

    fn output(&mut self, reference: u32) -> Result<f64, c_int> {
        match reference {
            2 if self.is("nan-output") => Ok(f64::NAN),
            2 => Ok(self.x),
            _ => Err(self.fail(ERROR, "unknown value reference")),
        }
    }

    /// Whether the end is asked for.
    fn ends(&self) -> bool {
        self.is("terminate") && self.time > 0.6
    }

    fn step(&mut self, time: f64, length: f64) -> Result<Step, c_int> {
        self.survive();
        let part = match self.behaviour.as_str() {
            "stuck" => 0.0,
            "early" => 0.5,
            _ => 1.0,
        };
        if self.is("discard") && time > 0.4 {
            return Err(self.fail(DISCARD, "nothing beyond 0.4 s"));
        }
        if self.is("warned-error") && time > 0.4 {
            return Err(self.fail(ERROR, "the model broke at 0.4 s"));
        }
        self.time = time + part * length;
        self.x = (-self.time).exp();
        Ok(Step {
            event: self.is("stuck"),
            terminate: self.ends(),
            early: part < 1.0,
        })
    }
}

/// Runs a call on the instance.
///
/// # Safety
/// `instance` comes from [`instantiate`] and is not freed.
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

/// Writes the only value of a vector.
///
/// # Safety
/// As for [`call`]; `place` is a place for a number.
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

/// Writes the derivative along a direction of the state.
///
/// # Safety
/// As for [`answer`]; `references` are of one unknown and one known, `seed` is a number.
unsafe fn directional(
    instance: Pointer,
    [unknown, known]: [*const u32; 2],
    seed: *const f64,
    place: *mut f64,
) -> c_int {
    // SAFETY: see above.
    let (unknown, known, seed) = unsafe { (*unknown, *known, *seed) };
    let value = |m: &mut Mock| match [unknown, known] {
        [3, 2] => m.directional(seed),
        _ => Err(m.fail(ERROR, "unknown value reference")),
    };
    // SAFETY: as the caller promises.
    unsafe { answer(instance, "GetDirectionalDerivative", place, value) }
}

/// Reads outputs.
///
/// # Safety
/// As for [`call`]; `references` and `values` have `count` items.
unsafe fn outputs(
    instance: Pointer,
    name: &str,
    references: *const u32,
    values: *mut f64,
    count: usize,
) -> c_int {
    let body = |m: &mut Mock| {
        // SAFETY: see above.
        let (references, values) = unsafe {
            (
                std::slice::from_raw_parts(references, count),
                std::slice::from_raw_parts_mut(values, count),
            )
        };
        for (reference, value) in references.iter().zip(values) {
            match m.output(*reference) {
                Ok(output) => *value = output,
                Err(status) => return status,
            }
        }
        OK
    };
    // SAFETY: as the caller promises.
    unsafe { call(instance, name, &READABLE, body) }
}

/// Makes an instance.
///
/// # Safety
/// The token is null-terminated.
unsafe fn instantiate(token: *const c_char, log: Log, has_event_mode: bool) -> Pointer {
    // SAFETY: a string of the importer.
    let behaviour = unsafe { CStr::from_ptr(token) }
        .to_string_lossy()
        .into_owned();
    let mock = Mock {
        behaviour,
        log,
        mode: Mode::Instantiated,
        has_event_mode,
        time: 0.0,
        x: 1.0,
        doubled: false,
        updates: 0,
        dead: false,
        is_set_up: false,
    };
    if mock.is("refused") {
        mock.say(ERROR, "this token is refused");
        return std::ptr::null_mut();
    }
    Box::into_raw(Box::new(mock)).cast()
}

/// Frees an instance.
///
/// # Safety
/// `instance` comes from [`instantiate`] and is not freed.
unsafe fn free(instance: Pointer) {
    // SAFETY: see above.
    let mock = unsafe { Box::from_raw(instance.cast::<Mock>()) };
    if mock.dead {
        std::process::abort();
    }
}
