//! The C functions of FMI 3.0 for the importer of both versions, and what only this version has.

pub use crate::fmi::importer::*;
pub use fmu_core::fmi3::fmi3Status::*;
pub use fmu_core::fmi3::*;
use fmu_core::instance::Standard;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char};
use std::ptr::null;

pub type Importer = crate::fmi::importer::Importer<Three>;
pub type Message = crate::fmi::importer::Message<Three>;
pub type Runge<'a> = crate::fmi::importer::Runge<'a, Three>;

/// Value reference of a variable.
pub fn reference(fmu: &Fmu, name: &str) -> u32 {
    Three::reference(fmu, name)
}

/// FMI 3.0.
pub struct Three;

impl Version for Three {
    type Status = fmi3Status;
    type Environment = Environment;
    const OK: fmi3Status = fmi3OK;
    const DISCARD: fmi3Status = fmi3Discard;
    const ERROR: fmi3Status = fmi3Error;
    const STANDARD: Standard = Standard::Fmi3;
    const PREFIX: &str = "fmi3";
    const TYPES: [&str; 2] = ["Float64", "Int32"];
    const RESET: Plain<Self> = fmi3Reset;
    const TERMINATE: Plain<Self> = fmi3Terminate;
    const EXIT_INITIALIZATION: Plain<Self> = fmi3ExitInitializationMode;
    const ENTER_EVENT: Plain<Self> = fmi3EnterEventMode;
    const ENTER_CONTINUOUS_TIME: Plain<Self> = fmi3EnterContinuousTimeMode;
    const SET_TIME: unsafe extern "C" fn(Handle, f64) -> fmi3Status = fmi3SetTime;
    const SET_STATES: unsafe extern "C" fn(Handle, *const f64, usize) -> fmi3Status =
        fmi3SetContinuousStates;
    const STATES: Fill<Self> = fmi3GetContinuousStates;
    const DERIVATIVES: Fill<Self> = fmi3GetContinuousStateDerivatives;
    const INDICATORS: Fill<Self> = fmi3GetEventIndicators;
    const NOMINALS: Fill<Self> = fmi3GetNominalsOfContinuousStates;
    const GET_STATE: Keep<Self> = fmi3GetFMUState;
    const FREE_STATE: Keep<Self> = fmi3FreeFMUState;
    const SET_STATE: unsafe extern "C" fn(Handle, Handle) -> fmi3Status = fmi3SetFMUState;
    const STATE_SIZE: unsafe extern "C" fn(Handle, Handle, *mut usize) -> fmi3Status =
        fmi3SerializedFMUStateSize;
    const FREE: unsafe extern "C" fn(Handle) = fmi3FreeInstance;

    fn instantiate(
        model_exchange: bool,
        [name, token, resources]: [Option<&str>; 3],
        logging_on: bool,
    ) -> Made<Self> {
        let interface = match model_exchange {
            true => Interface::ModelExchange,
            false => Interface::SIMPLE,
        };
        instantiate_watched(interface, name, token, resources, logging_on, None)
    }

    fn messages(environment: &Environment) -> &RefCell<Vec<Message>> {
        &environment.messages
    }

    fn enter(c: Handle, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> fmi3Status {
        let (t, s) = (tolerance.unwrap_or(0.0), stop.unwrap_or(0.0));
        // SAFETY: the instance lives.
        unsafe { fmi3EnterInitializationMode(c, tolerance.is_some(), t, start, stop.is_some(), s) }
    }

    fn update(c: Handle) -> (fmi3Status, bool) {
        let (status, [again, ..], _) = update(c);
        (status, again)
    }

    fn completed_step(c: Handle) -> (fmi3Status, [bool; 2]) {
        let (mut enter, mut terminate) = (true, true);
        // SAFETY: the pointers are those of local variables.
        let status =
            unsafe { fmi3CompletedIntegratorStep(c, true, &raw mut enter, &raw mut terminate) };
        (status, [enter, terminate])
    }

    fn do_step(c: Handle, point: f64, length: f64) -> fmi3Status {
        let (status, flags, time) = step(c, point, length);
        // Without event mode a step tells nothing but the time it has reached.
        if !c.is_null() {
            let mut reached = [f64::NAN];
            assert_eq!(Self::get(c, &[1], &mut reached), fmi3OK);
            assert_eq!((flags, time), ([false; 3], reached[0]));
        }
        status
    }

    fn reached(importer: &Importer) -> f64 {
        importer.value(1)
    }

    // SAFETY of the calls below: pointers and lengths are those of slices and local variables.
    fn get(c: Handle, references: &[u32], values: &mut [f64]) -> fmi3Status {
        let (pointer, count) = (references.as_ptr(), references.len());
        unsafe { fmi3GetFloat64(c, pointer, count, values.as_mut_ptr(), values.len()) }
    }

    fn set(c: Handle, references: &[u32], values: &[f64]) -> fmi3Status {
        let (pointer, count) = (references.as_ptr(), references.len());
        unsafe { fmi3SetFloat64(c, pointer, count, values.as_ptr(), values.len()) }
    }

    fn int32(c: Handle, reference: u32) -> (fmi3Status, i32) {
        let mut value = i32::MIN;
        let status = unsafe { fmi3GetInt32(c, &raw const reference, 1, &raw mut value, 1) };
        (status, value)
    }

    fn count(c: Handle, reference: u32) -> (fmi3Status, i64) {
        let mut value = i64::MIN;
        let status = unsafe { fmi3GetInt64(c, &raw const reference, 1, &raw mut value, 1) };
        (status, value)
    }

    fn set_int32(c: Handle, reference: u32, value: i32) -> fmi3Status {
        unsafe { fmi3SetInt32(c, &raw const reference, 1, &raw const value, 1) }
    }

    fn boolean(c: Handle, reference: u32) -> (fmi3Status, bool) {
        let mut value = false;
        let status = unsafe { fmi3GetBoolean(c, &raw const reference, 1, &raw mut value, 1) };
        (status, value)
    }

    fn serialize(c: Handle, state: Handle, bytes: &mut [u8]) -> fmi3Status {
        unsafe { fmi3SerializeFMUState(c, state, bytes.as_mut_ptr(), bytes.len()) }
    }

    fn deserialize(c: Handle, bytes: &[u8], state: &mut Handle) -> fmi3Status {
        unsafe { fmi3DeserializeFMUState(c, bytes.as_ptr(), bytes.len(), state) }
    }

    fn switch_log(c: Handle, on: bool, categories: &[*const c_char]) -> fmi3Status {
        unsafe { fmi3SetDebugLogging(c, on, categories.len(), categories.as_ptr()) }
    }
}

impl Fmu {
    pub fn model_exchange(&self) -> Importer {
        Three::model_exchange(self)
    }

    pub fn co_simulation(&self) -> Importer {
        Three::co_simulation(self)
    }

    pub fn stepping(&self) -> Importer {
        Three::stepping(self)
    }

    pub fn integrating(&self) -> Importer {
        Three::integrating(self)
    }

    pub fn with_event_mode(&self, early_return: bool) -> Importer {
        let interface = Interface::CoSimulation {
            event_mode: true,
            early_return,
        };
        Importer::new(self, interface).unwrap()
    }

    /// An instance with Event Mode in Step Mode.
    pub fn event_stepping(&self, early_return: bool) -> Importer {
        let importer = self.with_event_mode(early_return);
        importer.initialize();
        importer.ok(fmi3EnterStepMode);
        importer
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Interface {
    ModelExchange,
    CoSimulation {
        event_mode: bool,
        early_return: bool,
    },
}

impl Interface {
    /// Events are handled inside, and steps go to their end.
    pub const SIMPLE: Interface = Interface::CoSimulation {
        event_mode: false,
        early_return: false,
    };
}

/// What an instance tells inside a communication step: time [s], set requested, get allowed, step
/// finished, can return early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    pub time: f64,
    pub set_requested: bool,
    pub get_allowed: bool,
    pub step_finished: bool,
    pub can_return_early: bool,
}

/// What the importer answers to that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    GoOn,
    /// Return early, with the time left as it was.
    Return,
    /// Return early at this time [s].
    ReturnAt(f64),
}

/// Listens inside a communication step.
pub type Listener<'a> = &'a mut dyn FnMut(Told) -> Wish;

/// What the callbacks of an instance get.
#[repr(C)]
#[derive(Default)]
pub struct Environment {
    messages: RefCell<Vec<Message>>,
    listener: Cell<Option<*mut Listener<'static>>>,
}

pub unsafe extern "C" fn keep(
    environment: fmi3InstanceEnvironment,
    status: fmi3Status,
    category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the environment is the `Environment` handed over at instantiation.
    unsafe {
        let text = |pointer| CStr::from_ptr(pointer).to_str().unwrap().to_owned();
        let messages = &(*environment.cast::<Environment>()).messages;
        messages
            .borrow_mut()
            .push((status, text(category), text(message)));
    }
}

unsafe extern "C" fn listen(
    environment: fmi3InstanceEnvironment,
    time: f64,
    set_requested: bool,
    get_allowed: bool,
    step_finished: bool,
    can_return_early: bool,
    early_return_requested: *mut bool,
    early_return_time: *mut f64,
) {
    let told = Told {
        time,
        set_requested,
        get_allowed,
        step_finished,
        can_return_early,
    };
    // SAFETY: the environment is the one handed over at instantiation; its listener lives as long
    // as the step; the pointers are valid by the standard.
    unsafe {
        let environment = &*environment.cast::<Environment>();
        let Some(listener) = environment.listener.get() else {
            return;
        };
        let wish = (*listener)(told);
        early_return_requested.write(wish != Wish::GoOn);
        if let Wish::ReturnAt(time) = wish {
            early_return_time.write(time);
        }
    }
}

/// Instantiates with any arguments, with a listener to the steps who wants these variables; the messages of a
/// refusal.
pub fn instantiate_watched(
    interface: Interface,
    name: Option<&str>,
    token: Option<&str>,
    resources: Option<&str>,
    logging_on: bool,
    watched: Option<&[u32]>,
) -> Made<Three> {
    let texts = [name, token, resources].map(|text| text.map(|t| CString::new(t).unwrap()));
    let [name, token, resources] = texts
        .each_ref()
        .map(|text| text.as_ref().map_or(null(), |t| t.as_ptr()));
    let kept = Box::new(Environment::default());
    let environment = (&raw const *kept).cast_mut().cast();
    let required = watched.unwrap_or(&[]);
    // SAFETY: the texts live through the call, the environment as long as the instance.
    let instance = unsafe {
        match interface {
            Interface::ModelExchange => fmi3InstantiateModelExchange(
                name,
                token,
                resources,
                false,
                logging_on,
                environment,
                Some(keep),
            ),
            Interface::CoSimulation {
                event_mode,
                early_return,
            } => fmi3InstantiateCoSimulation(
                name,
                token,
                resources,
                false,
                logging_on,
                event_mode,
                early_return,
                required.as_ptr(),
                required.len(),
                environment,
                Some(keep),
                watched.map(|_| listen as _),
            ),
        }
    };
    if instance.is_null() {
        Err(kept.messages.take())
    } else {
        Ok((instance, kept))
    }
}

/// Status and answers: (needs update, terminate, nominals, values, time defined, time).
fn update(c: Handle) -> (fmi3Status, [bool; 5], f64) {
    let (mut flags, mut time) = ([true; 5], f64::NAN);
    let [a, b, c1, d, e] = flags.each_mut().map(|flag| flag as *mut bool);
    // SAFETY: all pointers are those of local variables.
    let status = unsafe { fmi3UpdateDiscreteStates(c, a, b, c1, d, e, &raw mut time) };
    (status, flags, time)
}

/// Status and answers of a communication step: (event, terminate, early return), time.
fn step(c: Handle, point: f64, length: f64) -> (fmi3Status, [bool; 3], f64) {
    let (mut flags, mut time) = ([true; 3], f64::NAN);
    let [event, terminate, early] = flags.each_mut().map(|flag| flag as *mut bool);
    let time_place = &raw mut time;
    // SAFETY: all pointers are those of local variables.
    let status = unsafe { fmi3DoStep(c, point, length, true, event, terminate, early, time_place) };
    (status, flags, time)
}

impl Importer {
    pub fn new(fmu: &Fmu, interface: Interface) -> Result<Self, Vec<Message>> {
        Importer::watched(fmu, interface, None)
    }

    /// Listens to its steps if it wants variables, even none.
    pub fn watched(
        fmu: &Fmu,
        interface: Interface,
        wanted: Option<&[u32]>,
    ) -> Result<Self, Vec<Message>> {
        let (name, token, path) = (Some("test"), Some(&*fmu.token), Some(fmu.path()));
        let made = instantiate_watched(interface, name, token, path, true, wanted);
        Importer::made(fmu, made)
    }

    /// Status and answers: (needs update, terminate, nominals, values, time defined, time).
    pub fn update(&self) -> (fmi3Status, [bool; 5], f64) {
        update(self.instance)
    }

    /// A whole event, from Continuous-Time or Step Mode and back.
    pub fn event(&self, leave: unsafe extern "C" fn(fmi3Instance) -> fmi3Status) {
        self.ok(fmi3EnterEventMode);
        self.fine(self.update().0);
        self.ok(leave);
    }

    /// Updates, and goes from Event Mode to Continuous-Time Mode.
    pub fn leave_event_mode(&self) {
        self.fine(self.update().0);
        self.ok(fmi3EnterContinuousTimeMode);
    }

    pub fn set_int64(&self, reference: u32, value: i64) -> fmi3Status {
        // SAFETY: the pointers are those of arguments.
        unsafe { fmi3SetInt64(self.instance, &raw const reference, 1, &raw const value, 1) }
    }

    /// Status and answers of a communication step: (event, terminate, early return), time.
    pub fn step(&self, point: f64, length: f64) -> (fmi3Status, [bool; 3], f64) {
        step(self.instance, point, length)
    }

    /// Derivatives of unknowns along a seed of the knowns.
    pub fn directional(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> fmi3Status {
        // SAFETY: pointers and lengths are those of slices.
        unsafe {
            fmi3GetDirectionalDerivative(
                self.instance,
                unknowns.as_ptr(),
                unknowns.len(),
                knowns.as_ptr(),
                knowns.len(),
                seed.as_ptr(),
                seed.len(),
                sensitivity.as_mut_ptr(),
                sensitivity.len(),
            )
        }
    }

    /// A step with a listener, who may call functions of this instance.
    pub fn step_with(
        &self,
        point: f64,
        length: f64,
        mut listener: Listener<'_>,
    ) -> (fmi3Status, [bool; 3], f64) {
        let pointer: *mut Listener<'_> = &raw mut listener;
        self.environment.listener.set(Some(pointer.cast()));
        let answer = self.step(point, length);
        self.environment.listener.set(None);
        answer
    }
}
