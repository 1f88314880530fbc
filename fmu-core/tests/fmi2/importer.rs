//! A small importer: instances with a log.

use crate::fmi3::importer::Fmu;
use fmu_core::fmi2::fmi2Status::*;
use fmu_core::fmi2::*;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::{null, null_mut};

pub use crate::fmi3::importer::{GRAVITY, HEIGHT, POSITION, VELOCITY, falling_ball, impact_time};

/// A logged message: name of the instance, status, category, text.
pub type Message = (String, fmi2Status, String, String);

type Messages = RefCell<Vec<Message>>;

/// A log function without variadic arguments.
type Plain =
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
    // SAFETY: the environment is the `Messages` handed over at instantiation; the texts end with a
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
        let messages = &*environment.cast::<Messages>();
        messages
            .borrow_mut()
            .push((text(name), status, text(category), message));
    }
}

/// `keep` as a log function. Stable Rust cannot define a variadic function; its named arguments are
/// where a variadic call puts them.
pub fn logger() -> fmi2CallbackLogger {
    // SAFETY: both are C functions, and the calls agree as said above.
    unsafe { std::mem::transmute::<Plain, fmi2CallbackLogger>(keep) }
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
) -> Result<(fmi2Component, Box<Messages>), Vec<Message>> {
    let texts = [name, guid, location].map(|text| text.map(|t| CString::new(t).unwrap()));
    let [name, guid, location] = texts
        .each_ref()
        .map(|text| text.as_ref().map_or(null(), |t| t.as_ptr()));
    let messages = Box::new(Messages::default());
    let environment = (&raw const *messages).cast_mut().cast();
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
        Err(messages.take())
    } else {
        Ok((component, messages))
    }
}

/// An instance with what it logged.
pub struct Importer {
    pub component: fmi2Component,
    messages: Box<Messages>,
    pub states: usize,
    pub indicators: usize,
}

pub fn model_exchange(fmu: &Fmu) -> Importer {
    Importer::new(fmu, fmi2ModelExchange)
}

pub fn co_simulation(fmu: &Fmu) -> Importer {
    Importer::new(fmu, fmi2CoSimulation)
}

impl Importer {
    pub fn new(fmu: &Fmu, kind: fmi2Type) -> Self {
        let uri = format!("file://{}", fmu.path());
        let made = instantiate(kind, Some("test"), Some(&fmu.token), Some(&uri), true);
        let (component, messages) = made.unwrap_or_else(|log| panic!("{log:?}"));
        Importer {
            component,
            messages,
            states: fmu.scene.layout().count(),
            indicators: fmu.scene.indicator_count(),
        }
    }

    /// Takes what was logged so far.
    pub fn log(&self) -> Vec<Message> {
        self.messages.take()
    }

    /// Text of the only failure logged since the log was last taken.
    pub fn reason(&self) -> String {
        let mut failures = self.log();
        failures.retain(|(_, status, _, _)| *status != fmi2OK);
        assert_eq!(failures.len(), 1, "{failures:?}");
        let (name, _, category, text) = failures.remove(0);
        assert_eq!((name.as_str(), category.as_str()), ("test", "errors"));
        text
    }

    /// Logged texts of a category.
    pub fn logged(&self, category: &str) -> Vec<String> {
        let log = self.log().into_iter();
        log.filter(|(_, _, c, _)| c == category)
            .map(|(_, _, _, text)| text)
            .collect()
    }

    pub fn call(&self, function: unsafe extern "C" fn(fmi2Component) -> fmi2Status) -> fmi2Status {
        // SAFETY: the instance lives.
        unsafe { function(self.component) }
    }

    pub fn ok(&self, function: unsafe extern "C" fn(fmi2Component) -> fmi2Status) {
        assert_eq!(self.call(function), fmi2OK, "{:?}", self.log());
    }

    pub fn setup(&self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> fmi2Status {
        // SAFETY: the instance lives.
        unsafe {
            fmi2SetupExperiment(
                self.component,
                tolerance.is_some().into(),
                tolerance.unwrap_or(f64::NAN),
                start,
                stop.is_some().into(),
                stop.unwrap_or(f64::NAN),
            )
        }
    }

    pub fn enter_initialization(&self) {
        assert_eq!(self.setup(Some(1e-8), 0.0, None), fmi2OK);
        self.ok(fmi2EnterInitializationMode);
    }

    /// From Instantiated to Event Mode, or Step Mode in Co-Simulation.
    pub fn initialize(&self) {
        self.enter_initialization();
        self.ok(fmi2ExitInitializationMode);
    }

    /// From Instantiated to Continuous-Time Mode.
    pub fn start_integration(&self) {
        self.initialize();
        self.update();
        self.ok(fmi2EnterContinuousTimeMode);
    }

    pub fn try_update(&self) -> (fmi2Status, fmi2EventInfo) {
        let mut info = fmi2EventInfo {
            newDiscreteStatesNeeded: 7,
            terminateSimulation: 7,
            nominalsOfContinuousStatesChanged: 7,
            valuesOfContinuousStatesChanged: 7,
            nextEventTimeDefined: 7,
            nextEventTime: f64::NAN,
        };
        // SAFETY: the pointer is that of a local variable.
        let status = unsafe { fmi2NewDiscreteStates(self.component, &raw mut info) };
        (status, info)
    }

    pub fn update(&self) -> fmi2EventInfo {
        let (status, info) = self.try_update();
        assert_eq!(status, fmi2OK, "{:?}", self.log());
        info
    }

    /// A whole event, from Continuous-Time Mode and back.
    pub fn event(&self) {
        self.ok(fmi2EnterEventMode);
        self.update();
        self.ok(fmi2EnterContinuousTimeMode);
    }

    pub fn set_time(&self, time: f64) -> fmi2Status {
        // SAFETY: the instance lives.
        unsafe { fmi2SetTime(self.component, time) }
    }

    pub fn set_states(&self, states: &[f64]) -> fmi2Status {
        // SAFETY: pointer and length are those of a slice.
        unsafe { fmi2SetContinuousStates(self.component, states.as_ptr(), states.len()) }
    }

    pub fn vector(
        &self,
        function: unsafe extern "C" fn(fmi2Component, *mut f64, usize) -> fmi2Status,
        length: usize,
    ) -> (fmi2Status, Vec<f64>) {
        let mut vector = vec![f64::NAN; length];
        // SAFETY: pointer and length are those of a vector.
        let status = unsafe { function(self.component, vector.as_mut_ptr(), length) };
        (status, vector)
    }

    fn whole_vector(
        &self,
        function: unsafe extern "C" fn(fmi2Component, *mut f64, usize) -> fmi2Status,
        length: usize,
    ) -> Vec<f64> {
        let (status, vector) = self.vector(function, length);
        assert_eq!(status, fmi2OK, "{:?}", self.log());
        vector
    }

    pub fn continuous_states(&self) -> Vec<f64> {
        self.whole_vector(fmi2GetContinuousStates, self.states)
    }

    pub fn derivatives(&self) -> Vec<f64> {
        self.whole_vector(fmi2GetDerivatives, self.states)
    }

    pub fn event_indicators(&self) -> Vec<f64> {
        self.whole_vector(fmi2GetEventIndicators, self.indicators)
    }

    pub fn nominals(&self) -> Vec<f64> {
        self.whole_vector(fmi2GetNominalsOfContinuousStates, self.states)
    }

    /// Status and answers: (enter Event Mode, terminate).
    pub fn completed_step(&self) -> (fmi2Status, [fmi2Boolean; 2]) {
        let (mut enter, mut terminate) = (7, 7);
        // SAFETY: the pointers are those of local variables.
        let status = unsafe {
            let (enter, terminate) = (&raw mut enter, &raw mut terminate);
            fmi2CompletedIntegratorStep(self.component, fmi2True, enter, terminate)
        };
        (status, [enter, terminate])
    }

    pub fn get(&self, references: &[u32], values: &mut [f64]) -> fmi2Status {
        assert_eq!(references.len(), values.len());
        // SAFETY: pointers and lengths are those of slices.
        unsafe {
            fmi2GetReal(
                self.component,
                references.as_ptr(),
                references.len(),
                values.as_mut_ptr(),
            )
        }
    }

    pub fn value(&self, reference: u32) -> f64 {
        let mut value = [f64::NAN];
        let status = self.get(&[reference], &mut value);
        assert_eq!(status, fmi2OK, "{:?}", self.log());
        value[0]
    }

    pub fn set(&self, references: &[u32], values: &[f64]) -> fmi2Status {
        assert_eq!(references.len(), values.len());
        // SAFETY: pointers and lengths are those of slices.
        unsafe {
            fmi2SetReal(
                self.component,
                references.as_ptr(),
                references.len(),
                values.as_ptr(),
            )
        }
    }

    pub fn integer(&self, reference: u32) -> i32 {
        let (references, mut value) = ([reference], [i32::MIN]);
        // SAFETY: pointers and lengths are those of arrays.
        let status =
            unsafe { fmi2GetInteger(self.component, references.as_ptr(), 1, value.as_mut_ptr()) };
        assert_eq!(status, fmi2OK, "{:?}", self.log());
        value[0]
    }

    pub fn set_integer(&self, reference: u32, value: i32) -> fmi2Status {
        let (references, values) = ([reference], [value]);
        // SAFETY: pointers and lengths are those of arrays.
        unsafe { fmi2SetInteger(self.component, references.as_ptr(), 1, values.as_ptr()) }
    }

    pub fn boolean(&self, reference: u32) -> bool {
        let (references, mut value) = ([reference], [-1]);
        // SAFETY: pointers and lengths are those of arrays.
        let status =
            unsafe { fmi2GetBoolean(self.component, references.as_ptr(), 1, value.as_mut_ptr()) };
        assert_eq!(status, fmi2OK, "{:?}", self.log());
        value[0] != fmi2False
    }

    /// All states, read as variables: they are the first ones, no time stands before them.
    pub fn state_variables(&self) -> Vec<f64> {
        (0..self.states).map(|i| self.value(1 + i as u32)).collect()
    }

    pub fn step(&self, point: f64, length: f64) -> fmi2Status {
        // SAFETY: the instance lives.
        unsafe { fmi2DoStep(self.component, point, length, fmi2True) }
    }

    pub fn whole_step(&self, point: f64, length: f64) {
        assert_eq!(self.step(point, length), fmi2OK, "{:?}", self.log());
    }

    pub fn state(&self) -> fmi2FMUstate {
        let mut state = null_mut();
        // SAFETY: the pointer is that of a local variable that holds null.
        let status = unsafe { fmi2GetFMUstate(self.component, &raw mut state) };
        assert_eq!(status, fmi2OK, "{:?}", self.log());
        state
    }

    pub fn set_state(&self, state: fmi2FMUstate) -> fmi2Status {
        // SAFETY: the state comes from `state` or `deserialize` and was not freed.
        unsafe { fmi2SetFMUstate(self.component, state) }
    }

    pub fn free_state(&self, mut state: fmi2FMUstate) {
        // SAFETY: as in `set_state`.
        let status = unsafe { fmi2FreeFMUstate(self.component, &raw mut state) };
        assert_eq!((status, state), (fmi2OK, null_mut()));
    }

    pub fn serialize(&self, state: fmi2FMUstate) -> Vec<u8> {
        let mut size = 0;
        // SAFETY: as in `set_state`; pointers and lengths are those of local variables.
        unsafe {
            let status = fmi2SerializedFMUstateSize(self.component, state, &raw mut size);
            assert_eq!(status, fmi2OK, "{:?}", self.log());
            let mut bytes = vec![0_u8; size];
            let place = bytes.as_mut_ptr().cast();
            let status = fmi2SerializeFMUstate(self.component, state, place, size);
            assert_eq!(status, fmi2OK, "{:?}", self.log());
            bytes
        }
    }

    pub fn deserialize(&self, bytes: &[u8]) -> Result<fmi2FMUstate, fmi2Status> {
        let mut state = null_mut();
        // SAFETY: pointers and length are those of a slice and of a local variable.
        let status = unsafe {
            let place = bytes.as_ptr().cast();
            fmi2DeSerializeFMUstate(self.component, place, bytes.len(), &raw mut state)
        };
        if status == fmi2OK {
            Ok(state)
        } else {
            Err(status)
        }
    }
}

impl Drop for Importer {
    fn drop(&mut self) {
        // SAFETY: not used any more.
        unsafe { fmi2FreeInstance(self.component) };
    }
}

/// Value reference of a variable.
pub fn reference(fmu: &Fmu, name: &str) -> u32 {
    use fmu_core::instance::Standard;
    use fmu_core::instance::variables::VariableTable;
    use fmu_core::instance::variables::describe::Describer;
    let table = VariableTable::new(&fmu.scene, Standard::Fmi2);
    let describer = Describer::new(&fmu.scene, &table);
    let mut all = table.quantities();
    all.find(|(_, quantity)| describer.name(*quantity) == name)
        .unwrap_or_else(|| panic!("no variable {name}"))
        .0
}

/// A falling ball that refuses all leniencies.
pub fn strict() -> Fmu {
    let mut description = falling_ball();
    description.interface.strict = true;
    Fmu::new(description)
}
