//! A small importer: unpacked FMUs in temporary folders, instances with a log.

use crate::fixtures::{ball, body, scene_of};
use contact_model::scene::description::*;
use contact_model::scene::{Scene, SceneDescription, checked};
use fmu_core::fmi3::fmi3Status::*;
use fmu_core::fmi3::*;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

/// Height from which the ball falls [m].
pub const HEIGHT: f64 = 0.1;
/// Gravity [m/s2].
pub const GRAVITY: f64 = 9.81;

/// A ball, `HEIGHT` above a plane, soft enough for some milliseconds of contact.
pub fn falling_ball() -> SceneDescription {
    let rubber = Material {
        name: "Rubber".into(),
        density: 1000.0,
        youngs_modulus: 1e7,
        poissons_ratio: 0.45,
    };
    let ground = body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3]);
    let mut description = scene_of(
        rubber,
        0.8,
        vec![ground, ball("ball", [0.0, 0.0, 0.1 + HEIGHT])],
    );
    description.name = "falling_ball".into();
    description.gravity = Gravity::Uniform([0.0, 0.0, -GRAVITY]);
    description
}

/// Three such balls side by side, at different heights: six pairs, of which three are monitored.
pub fn three_balls_with_three_indicators() -> SceneDescription {
    let mut description = falling_ball();
    for (name, position) in [("left", [-0.3, 0.0, 0.15]), ("right", [0.25, 0.0, 0.4])] {
        let mut copy = description.bodies[1].clone();
        copy.name = name.into();
        copy.position = position;
        description.bodies.push(copy);
    }
    description.contact.nz_max = Some(3);
    description
}

/// Time of the first impact [s]: free fall.
pub fn impact_time() -> f64 {
    (2.0 * HEIGHT / GRAVITY).sqrt()
}

/// A resources folder with a scene; gone when dropped.
pub struct Fmu {
    pub folder: PathBuf,
    pub token: String,
    pub scene: Scene,
}

impl Fmu {
    pub fn new(description: SceneDescription) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("fmu-core-test-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let data = checked::encode(&description).unwrap();
        std::fs::write(folder.join("scene.bin"), &data).unwrap();
        Fmu {
            folder,
            token: checked::token(&data),
            scene: checked::decode(&data).unwrap(),
        }
    }

    pub fn falling_ball() -> Self {
        Fmu::new(falling_ball())
    }

    pub fn model_exchange(&self) -> Importer {
        Importer::new(self, Interface::ModelExchange).unwrap()
    }

    pub fn co_simulation(&self) -> Importer {
        let interface = Interface::CoSimulation {
            event_mode: false,
            early_return: false,
        };
        Importer::new(self, interface).unwrap()
    }

    pub fn with_event_mode(&self, early_return: bool) -> Importer {
        let interface = Interface::CoSimulation {
            event_mode: true,
            early_return,
        };
        Importer::new(self, interface).unwrap()
    }

    pub fn path(&self) -> &str {
        self.folder.to_str().unwrap()
    }
}

impl Drop for Fmu {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
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

/// A logged message: status, category, text.
pub type Message = (fmi3Status, String, String);

type Messages = RefCell<Vec<Message>>;

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
    messages: Messages,
    listener: Cell<Option<*mut Listener<'static>>>,
}

/// An instance with what it logged.
pub struct Importer {
    pub instance: fmi3Instance,
    environment: Box<Environment>,
    pub states: usize,
    pub indicators: usize,
}

pub unsafe extern "C" fn keep(
    environment: fmi3InstanceEnvironment,
    status: fmi3Status,
    category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the environment is the `Messages` handed over at instantiation.
    unsafe {
        let text = |pointer| CStr::from_ptr(pointer).to_str().unwrap().to_owned();
        let messages = &*environment.cast::<Messages>();
        messages
            .borrow_mut()
            .push((status, text(category), text(message)));
    }
}

unsafe extern "C" fn update(
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

/// Instantiates with any arguments; the messages of a refusal.
pub fn instantiate(
    interface: Interface,
    name: Option<&str>,
    token: Option<&str>,
    resources: Option<&str>,
    logging_on: bool,
) -> Result<(fmi3Instance, Box<Environment>), Vec<Message>> {
    instantiate_watched(interface, name, token, resources, logging_on, None)
}

/// As [`instantiate`], with a listener to the steps, who wants these variables.
pub fn instantiate_watched(
    interface: Interface,
    name: Option<&str>,
    token: Option<&str>,
    resources: Option<&str>,
    logging_on: bool,
    watched: Option<&[u32]>,
) -> Result<(fmi3Instance, Box<Environment>), Vec<Message>> {
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
                watched.map(|_| update as _),
            ),
        }
    };
    if instance.is_null() {
        Err(kept.messages.take())
    } else {
        Ok((instance, kept))
    }
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
        let (instance, environment) =
            instantiate_watched(interface, name, token, path, true, wanted)?;
        Ok(Importer {
            instance,
            environment,
            states: fmu.scene.layout().count(),
            indicators: fmu.scene.indicator_count(),
        })
    }

    /// Takes what was logged so far.
    pub fn log(&self) -> Vec<Message> {
        self.environment.messages.take()
    }

    /// Text of the only failure logged since the log was last taken.
    pub fn reason(&self) -> String {
        let mut failures = self.log();
        failures.retain(|(status, _, _)| *status != fmi3OK);
        assert_eq!(failures.len(), 1, "{failures:?}");
        let (_, category, text) = failures.remove(0);
        assert_eq!(category, "errors");
        text
    }

    /// Logged texts of a category.
    pub fn logged(&self, category: &str) -> Vec<String> {
        let log = self.log().into_iter();
        log.filter(|(_, c, _)| c == category)
            .map(|(_, _, text)| text)
            .collect()
    }

    pub fn enter_initialization(&self) {
        // SAFETY: the instance lives.
        let status =
            unsafe { fmi3EnterInitializationMode(self.instance, true, 1e-8, 0.0, false, 0.0) };
        assert_eq!(status, fmi3OK, "{:?}", self.log());
    }

    pub fn call(&self, function: unsafe extern "C" fn(fmi3Instance) -> fmi3Status) -> fmi3Status {
        // SAFETY: the instance lives.
        unsafe { function(self.instance) }
    }

    pub fn ok(&self, function: unsafe extern "C" fn(fmi3Instance) -> fmi3Status) {
        assert_eq!(self.call(function), fmi3OK, "{:?}", self.log());
    }

    /// Status and answers: (needs update, terminate, nominals, values, time defined, time).
    pub fn update(&self) -> (fmi3Status, [bool; 5], f64) {
        let (mut flags, mut time) = ([true; 5], f64::NAN);
        let [a, b, c, d, e] = flags.each_mut().map(|flag| flag as *mut bool);
        // SAFETY: all pointers are those of local variables.
        let status =
            unsafe { fmi3UpdateDiscreteStates(self.instance, a, b, c, d, e, &raw mut time) };
        (status, flags, time)
    }

    /// From Instantiated to Event Mode, or Step Mode without event mode.
    pub fn initialize(&self) {
        self.enter_initialization();
        self.ok(fmi3ExitInitializationMode);
    }

    /// From Instantiated to Continuous-Time Mode.
    pub fn start_integration(&self) {
        self.initialize();
        assert_eq!(self.update().0, fmi3OK);
        self.ok(fmi3EnterContinuousTimeMode);
    }

    /// A whole event, from Continuous-Time or Step Mode and back.
    pub fn event(&self, leave: unsafe extern "C" fn(fmi3Instance) -> fmi3Status) {
        self.ok(fmi3EnterEventMode);
        assert_eq!(self.update().0, fmi3OK);
        self.ok(leave);
    }

    pub fn set_time(&self, time: f64) -> fmi3Status {
        // SAFETY: the instance lives.
        unsafe { fmi3SetTime(self.instance, time) }
    }

    pub fn set_states(&self, states: &[f64]) -> fmi3Status {
        // SAFETY: pointer and length are those of a slice.
        unsafe { fmi3SetContinuousStates(self.instance, states.as_ptr(), states.len()) }
    }

    fn vector(
        &self,
        function: unsafe extern "C" fn(fmi3Instance, *mut f64, usize) -> fmi3Status,
        length: usize,
    ) -> Vec<f64> {
        let mut vector = vec![f64::NAN; length];
        // SAFETY: pointer and length are those of a vector.
        let status = unsafe { function(self.instance, vector.as_mut_ptr(), length) };
        assert_eq!(status, fmi3OK, "{:?}", self.log());
        vector
    }

    pub fn continuous_states(&self) -> Vec<f64> {
        self.vector(fmi3GetContinuousStates, self.states)
    }

    pub fn derivatives(&self) -> Vec<f64> {
        self.vector(fmi3GetContinuousStateDerivatives, self.states)
    }

    pub fn event_indicators(&self) -> Vec<f64> {
        self.vector(fmi3GetEventIndicators, self.indicators)
    }

    pub fn nominals(&self) -> Vec<f64> {
        self.vector(fmi3GetNominalsOfContinuousStates, self.states)
    }

    /// Whether the integrator of the importer must enter Event Mode.
    pub fn completed_step(&self) -> bool {
        let (mut enter, mut terminate) = (true, true);
        // SAFETY: the pointers are those of local variables.
        let status = unsafe {
            fmi3CompletedIntegratorStep(self.instance, true, &raw mut enter, &raw mut terminate)
        };
        assert_eq!((status, terminate), (fmi3OK, false), "{:?}", self.log());
        enter
    }

    pub fn get(&self, references: &[u32], values: &mut [f64]) -> fmi3Status {
        // SAFETY: pointers and lengths are those of slices.
        unsafe {
            fmi3GetFloat64(
                self.instance,
                references.as_ptr(),
                references.len(),
                values.as_mut_ptr(),
                values.len(),
            )
        }
    }

    pub fn value(&self, reference: u32) -> f64 {
        let mut value = [f64::NAN];
        let status = self.get(&[reference], &mut value);
        assert_eq!(status, fmi3OK, "{:?}", self.log());
        value[0]
    }

    pub fn set(&self, references: &[u32], values: &[f64]) -> fmi3Status {
        // SAFETY: pointers and lengths are those of slices.
        unsafe {
            fmi3SetFloat64(
                self.instance,
                references.as_ptr(),
                references.len(),
                values.as_ptr(),
                values.len(),
            )
        }
    }

    pub fn int64(&self, reference: u32) -> i64 {
        let mut value = [i64::MIN];
        let references = [reference];
        // SAFETY: pointers and lengths are those of arrays.
        let status =
            unsafe { fmi3GetInt64(self.instance, references.as_ptr(), 1, value.as_mut_ptr(), 1) };
        assert_eq!(status, fmi3OK, "{:?}", self.log());
        value[0]
    }

    pub fn int32(&self, reference: u32) -> i32 {
        let mut value = [i32::MIN];
        let references = [reference];
        // SAFETY: pointers and lengths are those of arrays.
        let status =
            unsafe { fmi3GetInt32(self.instance, references.as_ptr(), 1, value.as_mut_ptr(), 1) };
        assert_eq!(status, fmi3OK, "{:?}", self.log());
        value[0]
    }

    pub fn set_int32(&self, reference: u32, value: i32) -> fmi3Status {
        let (references, values) = ([reference], [value]);
        // SAFETY: pointers and lengths are those of arrays.
        unsafe { fmi3SetInt32(self.instance, references.as_ptr(), 1, values.as_ptr(), 1) }
    }

    pub fn set_int64(&self, reference: u32, value: i64) -> fmi3Status {
        let (references, values) = ([reference], [value]);
        // SAFETY: pointers and lengths are those of arrays.
        unsafe { fmi3SetInt64(self.instance, references.as_ptr(), 1, values.as_ptr(), 1) }
    }

    pub fn boolean(&self, reference: u32) -> bool {
        let mut value = [false];
        let references = [reference];
        // SAFETY: pointers and lengths are those of arrays.
        let status =
            unsafe { fmi3GetBoolean(self.instance, references.as_ptr(), 1, value.as_mut_ptr(), 1) };
        assert_eq!(status, fmi3OK, "{:?}", self.log());
        value[0]
    }

    /// All states, read as variables: they follow the time, which has reference 1.
    pub fn state_variables(&self) -> Vec<f64> {
        (0..self.states).map(|i| self.value(2 + i as u32)).collect()
    }

    /// Status and answers of a communication step: (event, terminate, early return), time.
    pub fn step(&self, point: f64, length: f64) -> (fmi3Status, [bool; 3], f64) {
        let (mut flags, mut time) = ([true; 3], f64::NAN);
        let [event, terminate, early] = flags.each_mut().map(|flag| flag as *mut bool);
        // SAFETY: all pointers are those of local variables.
        let status = unsafe {
            fmi3DoStep(
                self.instance,
                point,
                length,
                true,
                event,
                terminate,
                early,
                &raw mut time,
            )
        };
        (status, flags, time)
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

    /// A step that must end at its end.
    pub fn whole_step(&self, point: f64, length: f64) {
        let (status, flags, time) = self.step(point, length);
        assert_eq!(status, fmi3OK, "{:?}", self.log());
        assert_eq!((flags, time), ([false; 3], point + length));
    }

    pub fn state(&self) -> fmi3FMUState {
        let mut state = null_mut();
        // SAFETY: the pointer is that of a local variable that holds null.
        let status = unsafe { fmi3GetFMUState(self.instance, &raw mut state) };
        assert_eq!(status, fmi3OK, "{:?}", self.log());
        state
    }

    pub fn set_state(&self, state: fmi3FMUState) -> fmi3Status {
        // SAFETY: the state comes from `state` or `deserialize` and was not freed.
        unsafe { fmi3SetFMUState(self.instance, state) }
    }

    pub fn free_state(&self, mut state: fmi3FMUState) {
        // SAFETY: as in `set_state`.
        let status = unsafe { fmi3FreeFMUState(self.instance, &raw mut state) };
        assert_eq!((status, state), (fmi3OK, null_mut()));
    }

    pub fn serialize(&self, state: fmi3FMUState) -> Vec<u8> {
        let mut size = 0;
        // SAFETY: as in `set_state`; pointers and lengths are those of local variables.
        unsafe {
            let status = fmi3SerializedFMUStateSize(self.instance, state, &raw mut size);
            assert_eq!(status, fmi3OK, "{:?}", self.log());
            let mut bytes = vec![0; size];
            let status = fmi3SerializeFMUState(self.instance, state, bytes.as_mut_ptr(), size);
            assert_eq!(status, fmi3OK, "{:?}", self.log());
            bytes
        }
    }

    pub fn deserialize(&self, bytes: &[u8]) -> Result<fmi3FMUState, fmi3Status> {
        let mut state = null_mut();
        // SAFETY: pointers and length are those of a slice and of a local variable.
        let status = unsafe {
            fmi3DeserializeFMUState(self.instance, bytes.as_ptr(), bytes.len(), &raw mut state)
        };
        if status == fmi3OK {
            Ok(state)
        } else {
            Err(status)
        }
    }
}

impl Drop for Importer {
    fn drop(&mut self) {
        // SAFETY: not used any more.
        unsafe { fmi3FreeInstance(self.instance) };
    }
}

/// Index of the first state of the ball: position 0..3, orientation 3..7, velocity 7..10.
pub const POSITION: usize = 0;
pub const ORIENTATION: usize = 3;
pub const VELOCITY: usize = 7;

/// Value reference of a variable.
pub fn reference(fmu: &Fmu, name: &str) -> u32 {
    use fmu_core::instance::Standard;
    use fmu_core::instance::variables::VariableTable;
    use fmu_core::instance::variables::describe::Describer;
    let table = VariableTable::new(&fmu.scene, Standard::Fmi3);
    let describer = Describer::new(&fmu.scene, &table);
    let mut all = table.quantities();
    all.find(|(_, quantity)| describer.name(*quantity) == name)
        .unwrap_or_else(|| panic!("no variable {name}"))
        .0
}

/// A fixed-step Runge-Kutta integration of order 4 of a Model Exchange instance: a plain function
/// of the instance's answers, so equal instances give equal bits.
pub struct Runge<'a> {
    pub importer: &'a Importer,
    pub step: f64,
    pub count: u32,
    pub positive: Vec<bool>,
}

impl<'a> Runge<'a> {
    pub fn new(importer: &'a Importer, step: f64, count: u32) -> Self {
        let positive = signs(importer);
        Runge {
            importer,
            step,
            count,
            positive,
        }
    }

    fn slope(&self, time: f64, states: &[f64]) -> Vec<f64> {
        assert_eq!(self.importer.set_time(time), fmi3OK);
        assert_eq!(self.importer.set_states(states), fmi3OK);
        self.importer.derivatives()
    }

    /// Takes steps; the states after each.
    pub fn run(&mut self, steps: u32) -> Vec<Vec<f64>> {
        let add = |x: &[f64], h: f64, f: &[f64]| -> Vec<f64> {
            x.iter().zip(f).map(|(x, f)| x + h * f).collect()
        };
        let mut rows = Vec::new();
        for _ in 0..steps {
            let h = self.step;
            let t = f64::from(self.count) * h;
            let x = self.importer.continuous_states();
            let a = self.slope(t, &x);
            let b = self.slope(t + h / 2.0, &add(&x, h / 2.0, &a));
            let c = self.slope(t + h / 2.0, &add(&x, h / 2.0, &b));
            let d = self.slope(t + h, &add(&x, h, &c));
            let mean: Vec<f64> = (0..x.len())
                .map(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0)
                .collect();
            self.count += 1;
            assert_eq!(self.importer.set_time(f64::from(self.count) * h), fmi3OK);
            assert_eq!(self.importer.set_states(&add(&x, h, &mean)), fmi3OK);
            let asked = self.importer.completed_step();
            if asked || signs(self.importer) != self.positive {
                self.importer.event(fmi3EnterContinuousTimeMode);
                self.positive = signs(self.importer);
            }
            rows.push(self.importer.continuous_states());
        }
        rows
    }
}

fn signs(importer: &Importer) -> Vec<bool> {
    importer
        .event_indicators()
        .iter()
        .map(|z| *z > 0.0)
        .collect()
}
