//! The C functions of FMI 2.0 for the importer of both versions, and what only this version has.

pub use crate::fmi::importer::*;
pub use fmu_core::fmi2::fmi2Status::*;
pub use fmu_core::fmi2::*;
use fmu_core::instance::Standard;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::null;

pub type Importer = crate::fmi::importer::Importer<Two>;
pub type Message = crate::fmi::importer::Message<Two>;

pub fn model_exchange(fmu: &Fmu) -> Importer {
    Two::model_exchange(fmu)
}

pub fn co_simulation(fmu: &Fmu) -> Importer {
    Two::co_simulation(fmu)
}

pub fn stepping(fmu: &Fmu) -> Importer {
    Two::stepping(fmu)
}

pub fn integrating(fmu: &Fmu) -> Importer {
    Two::integrating(fmu)
}

/// Value reference of a variable.
pub fn reference(fmu: &Fmu, name: &str) -> u32 {
    Two::reference(fmu, name)
}

/// FMI 2.0.
pub struct Two;

impl Version for Two {
    type Status = fmi2Status;
    type Environment = Environment;
    const OK: fmi2Status = fmi2OK;
    const DISCARD: fmi2Status = fmi2Discard;
    const ERROR: fmi2Status = fmi2Error;
    const STANDARD: Standard = Standard::Fmi2;
    const PREFIX: &str = "fmi2";
    const TYPES: [&str; 2] = ["Real", "Integer"];
    const RESET: Plain<Self> = fmi2Reset;
    const TERMINATE: Plain<Self> = fmi2Terminate;
    const EXIT_INITIALIZATION: Plain<Self> = fmi2ExitInitializationMode;
    const ENTER_EVENT: Plain<Self> = fmi2EnterEventMode;
    const ENTER_CONTINUOUS_TIME: Plain<Self> = fmi2EnterContinuousTimeMode;
    const SET_TIME: unsafe extern "C" fn(Handle, f64) -> fmi2Status = fmi2SetTime;
    const SET_STATES: unsafe extern "C" fn(Handle, *const f64, usize) -> fmi2Status =
        fmi2SetContinuousStates;
    const STATES: Fill<Self> = fmi2GetContinuousStates;
    const DERIVATIVES: Fill<Self> = fmi2GetDerivatives;
    const INDICATORS: Fill<Self> = fmi2GetEventIndicators;
    const NOMINALS: Fill<Self> = fmi2GetNominalsOfContinuousStates;
    const GET_STATE: Keep<Self> = fmi2GetFMUstate;
    const FREE_STATE: Keep<Self> = fmi2FreeFMUstate;
    const SET_STATE: unsafe extern "C" fn(Handle, Handle) -> fmi2Status = fmi2SetFMUstate;
    const STATE_SIZE: unsafe extern "C" fn(Handle, Handle, *mut usize) -> fmi2Status =
        fmi2SerializedFMUstateSize;
    const FREE: unsafe extern "C" fn(Handle) = fmi2FreeInstance;

    fn instantiate(
        model_exchange: bool,
        [name, guid, location]: [Option<&str>; 3],
        logging_on: bool,
    ) -> Made<Self> {
        let kind = match model_exchange {
            true => fmi2ModelExchange,
            false => fmi2CoSimulation,
        };
        instantiate(kind, name, guid, location, logging_on)
    }

    fn messages(environment: &Environment) -> &Environment {
        environment
    }

    fn enter(c: Handle, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> fmi2Status {
        match set_up(c, tolerance, start, stop) {
            // SAFETY: the instance lives.
            fmi2OK => unsafe { fmi2EnterInitializationMode(c) },
            status => status,
        }
    }

    fn update(c: Handle) -> (fmi2Status, bool) {
        let (status, info) = update(c);
        (status, info.newDiscreteStatesNeeded != fmi2False)
    }

    fn completed_step(c: Handle) -> (fmi2Status, [bool; 2]) {
        let (mut enter, mut terminate) = (7, 7);
        // SAFETY: the pointers are those of local variables.
        let status =
            unsafe { fmi2CompletedIntegratorStep(c, 1, &raw mut enter, &raw mut terminate) };
        assert!(status != fmi2OK || enter.max(terminate) < 2);
        (status, [enter, terminate].map(|flag| flag != fmi2False))
    }

    fn do_step(c: Handle, point: f64, length: f64) -> fmi2Status {
        // SAFETY: the instance lives.
        unsafe { fmi2DoStep(c, point, length, fmi2True) }
    }

    fn reached(importer: &Importer) -> f64 {
        let mut time = f64::NAN;
        let (c, kind) = (importer.instance, fmi2LastSuccessfulTime);
        // SAFETY: the pointer is that of a local variable.
        importer.fine(unsafe { fmi2GetRealStatus(c, kind, &raw mut time) });
        time
    }

    // SAFETY of the calls below: pointers and lengths are those of slices and local variables.
    fn get(c: Handle, references: &[u32], values: &mut [f64]) -> fmi2Status {
        assert_eq!(references.len(), values.len());
        unsafe {
            fmi2GetReal(
                c,
                references.as_ptr(),
                references.len(),
                values.as_mut_ptr(),
            )
        }
    }

    fn set(c: Handle, references: &[u32], values: &[f64]) -> fmi2Status {
        assert_eq!(references.len(), values.len());
        unsafe { fmi2SetReal(c, references.as_ptr(), references.len(), values.as_ptr()) }
    }

    fn int32(c: Handle, reference: u32) -> (fmi2Status, i32) {
        let mut value = i32::MIN;
        let status = unsafe { fmi2GetInteger(c, &raw const reference, 1, &raw mut value) };
        (status, value)
    }

    fn count(c: Handle, reference: u32) -> (fmi2Status, i64) {
        let (status, value) = Self::int32(c, reference);
        (status, value.into())
    }

    fn set_int32(c: Handle, reference: u32, value: i32) -> fmi2Status {
        unsafe { fmi2SetInteger(c, &raw const reference, 1, &raw const value) }
    }

    fn boolean(c: Handle, reference: u32) -> (fmi2Status, bool) {
        let mut value = -1;
        let status = unsafe { fmi2GetBoolean(c, &raw const reference, 1, &raw mut value) };
        (status, value != fmi2False)
    }

    fn serialize(c: Handle, state: Handle, bytes: &mut [u8]) -> fmi2Status {
        unsafe { fmi2SerializeFMUstate(c, state, bytes.as_mut_ptr().cast(), bytes.len()) }
    }

    fn deserialize(c: Handle, bytes: &[u8], state: &mut Handle) -> fmi2Status {
        unsafe { fmi2DeSerializeFMUstate(c, bytes.as_ptr().cast(), bytes.len(), state) }
    }

    fn switch_log(c: Handle, on: bool, categories: &[*const c_char]) -> fmi2Status {
        // Any value but 0 is true.
        let on = if on { 42 } else { fmi2False };
        unsafe { fmi2SetDebugLogging(c, on, categories.len(), categories.as_ptr()) }
    }
}

/// What the log function of an instance gets.
type Environment = RefCell<Vec<Message>>;

thread_local! {
    /// Name of the instance in the last message.
    pub static NAME: RefCell<String> = RefCell::default();
}

/// A log function without variadic arguments.
type PlainLog =
    unsafe extern "C" fn(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String);

unsafe extern "C" {
    /// Of the C library.
    fn snprintf(text: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
}

/// A format of printf that asks for nothing, filled in by the C library, as a variadic log function
/// does; and as one without variadic arguments shows it.
unsafe fn both_ways(format: fmi2String) -> (String, String) {
    let mut filled = vec![0_u8; 100_000];
    // SAFETY: the buffer has this size; the format ends with a zero byte and asks for no argument,
    // which the caller checks.
    let length = unsafe { snprintf(filled.as_mut_ptr().cast(), filled.len(), format) };
    filled.truncate(length as usize);
    // SAFETY: as above.
    let plain = unsafe { CStr::from_ptr(format) };
    (
        String::from_utf8(filled).unwrap(),
        plain.to_str().unwrap().to_owned(),
    )
}

unsafe extern "C" fn keep(
    environment: fmi2ComponentEnvironment,
    name: fmi2String,
    status: fmi2Status,
    category: fmi2String,
    format: fmi2String,
) {
    // SAFETY: the environment is the `Environment` handed over at instantiation; the texts end with a
    // zero byte; a format that asks for an argument fails the test before it is filled in.
    unsafe {
        let text = |pointer| CStr::from_ptr(pointer).to_str().unwrap().to_owned();
        assert!(
            !text(format).replace("%%", "").contains('%'),
            "{}",
            text(format)
        );
        let (message, plain) = both_ways(format);
        assert_eq!(plain.replace("%%", "%"), message);
        NAME.set(text(name));
        let messages = &*environment.cast::<Environment>();
        messages
            .borrow_mut()
            .push((status, text(category), message));
    }
}

/// `keep` as a log function. Stable Rust cannot define a variadic function; its named arguments are
/// where a variadic call puts them.
pub fn logger() -> fmi2CallbackLogger {
    // SAFETY: both are C functions, and the calls agree as said above.
    unsafe { std::mem::transmute::<PlainLog, fmi2CallbackLogger>(keep) }
}

/// Callbacks of an importer that gives no functions but `logger`.
pub fn callbacks(
    logger: fmi2CallbackLogger,
    environment: fmi2ComponentEnvironment,
) -> fmi2CallbackFunctions {
    fmi2CallbackFunctions {
        logger,
        allocateMemory: None,
        freeMemory: None,
        stepFinished: None,
        componentEnvironment: environment,
    }
}

/// Instantiates with any arguments; the messages of a refusal.
pub fn instantiate(
    kind: fmi2Type,
    name: Option<&str>,
    guid: Option<&str>,
    location: Option<&str>,
    logging_on: bool,
) -> Made<Two> {
    let texts = [name, guid, location].map(|text| text.map(|t| CString::new(t).unwrap()));
    let [name, guid, location] = texts
        .each_ref()
        .map(|text| text.as_ref().map_or(null(), |t| t.as_ptr()));
    let kept = Box::new(Environment::default());
    let environment = (&raw const *kept).cast_mut().cast();
    let functions = callbacks(logger(), environment);
    // SAFETY: the texts live through the call, the messages as long as the instance.
    let component = unsafe {
        fmi2Instantiate(
            name,
            kind,
            guid,
            location,
            &raw const functions,
            fmi2False,
            logging_on.into(),
        )
    };
    if component.is_null() {
        Err(kept.take())
    } else {
        Ok((component, kept))
    }
}

/// Tells the experiment.
fn set_up(c: Handle, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> fmi2Status {
    let (has_tolerance, has_stop) = (tolerance.is_some().into(), stop.is_some().into());
    let (tolerance, stop) = (tolerance.unwrap_or(f64::NAN), stop.unwrap_or(f64::NAN));
    // SAFETY: the instance lives.
    unsafe { fmi2SetupExperiment(c, has_tolerance, tolerance, start, has_stop, stop) }
}

fn update(c: Handle) -> (fmi2Status, fmi2EventInfo) {
    let mut info = fmi2EventInfo {
        newDiscreteStatesNeeded: 7,
        terminateSimulation: 7,
        nominalsOfContinuousStatesChanged: 7,
        valuesOfContinuousStatesChanged: 7,
        nextEventTimeDefined: 7,
        nextEventTime: f64::NAN,
    };
    // SAFETY: the pointer is that of a local variable.
    let status = unsafe { fmi2NewDiscreteStates(c, &raw mut info) };
    (status, info)
}

impl Importer {
    pub fn setup(&self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> fmi2Status {
        set_up(self.instance, tolerance, start, stop)
    }

    pub fn update(&self) -> fmi2EventInfo {
        let (status, info) = update(self.instance);
        self.fine(status);
        info
    }

    /// A whole event, from Continuous-Time Mode and back.
    pub fn event(&self) {
        self.ok(fmi2EnterEventMode);
        self.update();
        self.ok(fmi2EnterContinuousTimeMode);
    }

    pub fn step(&self, point: f64, length: f64) -> fmi2Status {
        Two::do_step(self.instance, point, length)
    }
}
