//! One importer for both versions of FMI: unpacked FMUs in temporary folders, instances with a log.

use crate::fixtures::*;
use contact_model::scene::checked;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::VariableTable;
use std::cell::RefCell;
use std::ffi::c_void;
use std::fmt::Debug;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

/// Height from which the ball falls [m].
pub const HEIGHT: f64 = 0.1;
/// Gravity [m/s2].
pub const GRAVITY: f64 = 9.81;

/// A ball, `HEIGHT` above a plane, soft enough for some milliseconds of contact.
pub fn falling_ball() -> SceneDescription {
    let rubber = material("Rubber", 1000.0, 1e7, 0.45);
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

    /// A falling ball that refuses all leniencies.
    pub fn strict() -> Self {
        let mut description = falling_ball();
        description.interface.strict = true;
        Fmu::new(description)
    }

    pub fn path(&self) -> &str {
        self.folder.to_str().unwrap()
    }

    /// Value reference of a variable.
    pub fn reference(&self, standard: Standard, name: &str) -> u32 {
        let table = VariableTable::new(&self.scene, standard);
        let mut all = table.quantities();
        all.find(|(_, quantity)| table.name(&self.scene, *quantity) == name)
            .unwrap_or_else(|| panic!("no variable {name}"))
            .0
    }
}

impl Drop for Fmu {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// An instance, a state.
pub type Handle = *mut c_void;
/// A C function without arguments.
pub type Plain<V> = unsafe extern "C" fn(Handle) -> <V as Version>::Status;
/// One that fills a vector.
pub type Fill<V> = unsafe extern "C" fn(Handle, *mut f64, usize) -> <V as Version>::Status;
/// One that makes or frees a state.
pub type Keep<V> = unsafe extern "C" fn(Handle, *mut Handle) -> <V as Version>::Status;

/// A logged message: status, category, text.
pub type Message<V> = (<V as Version>::Status, String, String);

/// An instance, or the messages of a refusal.
pub type Made<V> = Result<(Handle, Box<<V as Version>::Environment>), Vec<Message<V>>>;

/// The C functions of a version, with what a test says of both. Functions that take an instance get
/// one that lives.
pub trait Version: Sized + 'static {
    type Status: Copy + Debug + PartialEq;
    /// What the callbacks of an instance get.
    type Environment;
    const OK: Self::Status;
    const DISCARD: Self::Status;
    const ERROR: Self::Status;
    const STANDARD: Standard;
    /// Start of the names of functions.
    const PREFIX: &str;
    /// Types of real and of integer variables.
    const TYPES: [&str; 2];
    const RESET: Plain<Self>;
    const TERMINATE: Plain<Self>;
    const EXIT_INITIALIZATION: Plain<Self>;
    const ENTER_EVENT: Plain<Self>;
    const ENTER_CONTINUOUS_TIME: Plain<Self>;
    const SET_TIME: unsafe extern "C" fn(Handle, f64) -> Self::Status;
    const SET_STATES: unsafe extern "C" fn(Handle, *const f64, usize) -> Self::Status;
    const STATES: Fill<Self>;
    const DERIVATIVES: Fill<Self>;
    const INDICATORS: Fill<Self>;
    const NOMINALS: Fill<Self>;
    const GET_STATE: Keep<Self>;
    const FREE_STATE: Keep<Self>;
    const SET_STATE: unsafe extern "C" fn(Handle, Handle) -> Self::Status;
    const STATE_SIZE: unsafe extern "C" fn(Handle, Handle, *mut usize) -> Self::Status;
    const FREE: unsafe extern "C" fn(Handle);
    /// Instantiates with any name, token, place of the resources and logging.
    fn instantiate(model_exchange: bool, texts: [Option<&str>; 3], logging_on: bool) -> Made<Self>;
    fn messages(environment: &Self::Environment) -> &RefCell<Vec<Message<Self>>>;
    /// Enters Initialization Mode with tolerance, start and stop time.
    fn enter(c: Handle, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> Self::Status;
    /// Updates the discrete states; whether they need one more update.
    fn update(c: Handle) -> (Self::Status, bool);
    /// Enter Event Mode, terminate.
    fn completed_step(c: Handle) -> (Self::Status, [bool; 2]);
    fn do_step(c: Handle, point: f64, length: f64) -> Self::Status;
    /// Time [s] that the last step has reached.
    fn reached(importer: &Importer<Self>) -> f64;
    fn get(c: Handle, references: &[u32], values: &mut [f64]) -> Self::Status;
    fn set(c: Handle, references: &[u32], values: &[f64]) -> Self::Status;
    fn int32(c: Handle, reference: u32) -> (Self::Status, i32);
    /// An integer of the type that counts have.
    fn count(c: Handle, reference: u32) -> (Self::Status, i64);
    fn set_int32(c: Handle, reference: u32, value: i32) -> Self::Status;
    fn boolean(c: Handle, reference: u32) -> (Self::Status, bool);
    fn serialize(c: Handle, state: Handle, bytes: &mut [u8]) -> Self::Status;
    fn deserialize(c: Handle, bytes: &[u8], state: &mut Handle) -> Self::Status;
    fn switch_log(c: Handle, on: bool, categories: &[*const std::ffi::c_char]) -> Self::Status;

    fn model_exchange(fmu: &Fmu) -> Importer<Self> {
        Importer::of(fmu, true)
    }

    fn co_simulation(fmu: &Fmu) -> Importer<Self> {
        Importer::of(fmu, false)
    }

    /// An instance in Step Mode.
    fn stepping(fmu: &Fmu) -> Importer<Self> {
        let importer = Self::co_simulation(fmu);
        importer.initialize();
        importer
    }

    /// One in Continuous-Time Mode.
    fn integrating(fmu: &Fmu) -> Importer<Self> {
        let importer = Self::model_exchange(fmu);
        importer.start_integration();
        importer
    }

    fn reference(fmu: &Fmu, name: &str) -> u32 {
        fmu.reference(Self::STANDARD, name)
    }

    /// References of all continuous states, which are the first variables but the time.
    fn state_references(importer: &Importer<Self>) -> Vec<u32> {
        let first = if Self::STANDARD == Standard::Fmi3 {
            2
        } else {
            1
        };
        (first..first + importer.states as u32).collect()
    }
}

/// Makes each of these functions of a version a test of each version.
macro_rules! in_each_version {
    ($($name:ident),* $(,)?) => {
        mod fmi2 {
            $(#[test] fn $name() { super::$name::<crate::fmi2::importer::Two>() })*
        }
        mod fmi3 {
            $(#[test] fn $name() { super::$name::<crate::fmi3::importer::Three>() })*
        }
    };
}
pub(crate) use in_each_version;

/// An instance with what it logged.
pub struct Importer<V: Version> {
    pub instance: Handle,
    pub environment: Box<V::Environment>,
    pub states: usize,
    pub indicators: usize,
}

impl<V: Version> Importer<V> {
    pub fn of(fmu: &Fmu, model_exchange: bool) -> Self {
        let texts = [Some("test"), Some(&*fmu.token), Some(fmu.path())];
        let made = V::instantiate(model_exchange, texts, true);
        Importer::made(fmu, made).unwrap_or_else(|log| panic!("{log:?}"))
    }

    pub fn made(fmu: &Fmu, made: Made<V>) -> Result<Self, Vec<Message<V>>> {
        made.map(|(instance, environment)| Importer {
            instance,
            environment,
            states: fmu.scene.layout().count(),
            indicators: fmu.scene.indicator_count(),
        })
    }

    /// Takes what was logged so far.
    pub fn log(&self) -> Vec<Message<V>> {
        V::messages(&self.environment).take()
    }

    /// Text of the only failure logged since the log was last taken.
    pub fn reason(&self) -> String {
        let mut failures = self.log();
        failures.retain(|(status, _, _)| *status != V::OK);
        assert_eq!(failures.len(), 1, "{failures:?}");
        let (_, category, text) = failures.remove(0);
        assert_eq!(category, "errors");
        text
    }

    /// The only failure since then has all these words; its text.
    #[track_caller]
    pub fn says(&self, words: &[&str]) -> String {
        let reason = self.reason();
        for word in words {
            assert!(reason.contains(word), "no {word:?} in {reason:?}");
        }
        reason
    }

    /// A call was an error, and the only failure that was logged has all these words; its text.
    #[track_caller]
    pub fn refused(&self, status: V::Status, words: &[&str]) -> String {
        assert_eq!(status, V::ERROR);
        self.says(words)
    }

    /// Logged texts of a category.
    pub fn logged(&self, category: &str) -> Vec<String> {
        let log = self.log().into_iter().filter(|(_, c, _)| c == category);
        log.map(|(_, _, text)| text).collect()
    }

    /// The status of a call that must be fine.
    #[track_caller]
    pub fn fine(&self, status: V::Status) {
        assert_eq!(status, V::OK, "{:?}", self.log());
    }

    pub fn call(&self, function: Plain<V>) -> V::Status {
        // SAFETY: the instance lives.
        unsafe { function(self.instance) }
    }

    #[track_caller]
    pub fn ok(&self, function: Plain<V>) {
        self.fine(self.call(function));
    }

    pub fn enter_initialization(&self) {
        self.fine(V::enter(self.instance, Some(1e-8), 0.0, None));
    }

    /// From Instantiated to Event Mode, or Step Mode without event mode.
    pub fn initialize(&self) {
        self.enter_initialization();
        self.ok(V::EXIT_INITIALIZATION);
    }

    /// From Instantiated to Continuous-Time Mode.
    pub fn start_integration(&self) {
        self.initialize();
        self.fine(V::update(self.instance).0);
        self.ok(V::ENTER_CONTINUOUS_TIME);
    }

    pub fn set_time(&self, time: f64) -> V::Status {
        // SAFETY: the instance lives.
        unsafe { V::SET_TIME(self.instance, time) }
    }

    pub fn set_states(&self, states: &[f64]) -> V::Status {
        // SAFETY: pointer and length are those of a slice.
        unsafe { V::SET_STATES(self.instance, states.as_ptr(), states.len()) }
    }

    pub fn try_vector(&self, function: Fill<V>, length: usize) -> (V::Status, Vec<f64>) {
        let mut vector = vec![f64::NAN; length];
        // SAFETY: pointer and length are those of a vector.
        let status = unsafe { function(self.instance, vector.as_mut_ptr(), length) };
        (status, vector)
    }

    fn vector(&self, function: Fill<V>, length: usize) -> Vec<f64> {
        let (status, vector) = self.try_vector(function, length);
        self.fine(status);
        vector
    }

    pub fn continuous_states(&self) -> Vec<f64> {
        self.vector(V::STATES, self.states)
    }

    pub fn derivatives(&self) -> Vec<f64> {
        self.vector(V::DERIVATIVES, self.states)
    }

    pub fn event_indicators(&self) -> Vec<f64> {
        self.vector(V::INDICATORS, self.indicators)
    }

    pub fn nominals(&self) -> Vec<f64> {
        self.vector(V::NOMINALS, self.states)
    }

    /// Whether the integrator of the importer must enter Event Mode.
    pub fn completed_step(&self) -> bool {
        let (status, [enter, terminate]) = V::completed_step(self.instance);
        self.fine(status);
        assert!(!terminate);
        enter
    }

    pub fn get(&self, references: &[u32], values: &mut [f64]) -> V::Status {
        V::get(self.instance, references, values)
    }

    pub fn value(&self, reference: u32) -> f64 {
        let mut value = [f64::NAN];
        self.fine(self.get(&[reference], &mut value));
        value[0]
    }

    pub fn set(&self, references: &[u32], values: &[f64]) -> V::Status {
        V::set(self.instance, references, values)
    }

    pub fn int32(&self, reference: u32) -> i32 {
        let (status, value) = V::int32(self.instance, reference);
        self.fine(status);
        value
    }

    pub fn count(&self, reference: u32) -> i64 {
        let (status, value) = V::count(self.instance, reference);
        self.fine(status);
        value
    }

    pub fn set_int32(&self, reference: u32, value: i32) -> V::Status {
        V::set_int32(self.instance, reference, value)
    }

    pub fn boolean(&self, reference: u32) -> bool {
        let (status, value) = V::boolean(self.instance, reference);
        self.fine(status);
        value
    }

    /// All states, read as variables.
    pub fn state_variables(&self) -> Vec<f64> {
        let references = V::state_references(self).into_iter();
        references.map(|reference| self.value(reference)).collect()
    }

    /// A step that must end at its end.
    pub fn whole_step(&self, point: f64, length: f64) {
        self.fine(V::do_step(self.instance, point, length));
        assert_eq!(V::reached(self), point + length);
    }

    /// Steps of a length [s] from the one of this number on; the states after each.
    pub fn steps(&self, length: f64, first: u32, count: u32) -> Vec<Vec<f64>> {
        let row = |i| {
            self.whole_step(f64::from(i) * length, length);
            self.state_variables()
        };
        (first..first + count).map(row).collect()
    }

    pub fn state(&self) -> Handle {
        let mut state = null_mut();
        // SAFETY: the pointer is that of a local variable that holds null.
        self.fine(unsafe { V::GET_STATE(self.instance, &raw mut state) });
        state
    }

    pub fn set_state(&self, state: Handle) -> V::Status {
        // SAFETY: the state comes from `state` or `deserialize` and was not freed.
        unsafe { V::SET_STATE(self.instance, state) }
    }

    pub fn free_state(&self, mut state: Handle) {
        // SAFETY: as in `set_state`.
        let status = unsafe { V::FREE_STATE(self.instance, &raw mut state) };
        assert_eq!((status, state), (V::OK, null_mut()));
    }

    pub fn serialize(&self, state: Handle) -> Vec<u8> {
        let mut size = 0;
        // SAFETY: as in `set_state`; the pointer is that of a local variable.
        self.fine(unsafe { V::STATE_SIZE(self.instance, state, &raw mut size) });
        let mut bytes = vec![0; size];
        self.fine(V::serialize(self.instance, state, &mut bytes));
        bytes
    }

    pub fn deserialize(&self, bytes: &[u8]) -> Result<Handle, V::Status> {
        let mut state = null_mut();
        match V::deserialize(self.instance, bytes, &mut state) {
            status if status == V::OK => Ok(state),
            status => Err(status),
        }
    }

    /// Takes up the state of these bytes.
    #[track_caller]
    pub fn restore(&self, bytes: &[u8]) {
        let read = self.deserialize(bytes).unwrap();
        self.fine(self.set_state(read));
        self.free_state(read);
    }

    /// Runs on alike after a copy of the present state was set, once as it is and once through bytes.
    pub fn runs_on_alike<T: PartialEq + Debug>(&self, mut run: impl FnMut() -> T) {
        let saved = self.state();
        let bytes = self.serialize(saved);
        let expected = run();
        let read = self.deserialize(&bytes).unwrap();
        assert_eq!(self.serialize(read), bytes);
        for state in [saved, read] {
            self.fine(self.set_state(state));
            assert_eq!(run(), expected);
            self.free_state(state);
        }
    }

    /// The state as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let state = self.state();
        let bytes = self.serialize(state);
        self.free_state(state);
        bytes
    }
}

impl<V: Version> Drop for Importer<V> {
    fn drop(&mut self) {
        // SAFETY: not used any more.
        unsafe { V::FREE(self.instance) };
    }
}

/// The number after `key=` in a logged line.
pub fn number(line: &str, key: &str) -> f64 {
    let word = line.split(' ').find_map(|w| w.strip_prefix(key));
    word.unwrap().parse().unwrap()
}

/// Index of the first state of the ball: position 0..3, orientation 3..7, velocity 7..10.
pub const POSITION: usize = 0;
pub const ORIENTATION: usize = 3;
pub const VELOCITY: usize = 7;

/// A fixed-step Runge-Kutta integration of order 4 of a Model Exchange instance: a plain function
/// of the instance's answers, so equal instances give equal bits.
pub struct Runge<'a, V: Version> {
    pub importer: &'a Importer<V>,
    pub step: f64,
    pub count: u32,
    pub positive: Vec<bool>,
}

impl<'a, V: Version> Runge<'a, V> {
    pub fn new(importer: &'a Importer<V>, step: f64, count: u32) -> Self {
        let positive = signs(importer);
        Runge {
            importer,
            step,
            count,
            positive,
        }
    }

    fn slope(&self, time: f64, states: &[f64]) -> Vec<f64> {
        self.importer.fine(self.importer.set_time(time));
        self.importer.fine(self.importer.set_states(states));
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
            self.importer
                .fine(self.importer.set_time(f64::from(self.count) * h));
            self.importer
                .fine(self.importer.set_states(&add(&x, h, &mean)));
            let asked = self.importer.completed_step();
            if asked || signs(self.importer) != self.positive {
                self.importer.ok(V::ENTER_EVENT);
                self.importer.fine(V::update(self.importer.instance).0);
                self.importer.ok(V::ENTER_CONTINUOUS_TIME);
                self.positive = signs(self.importer);
            }
            rows.push(self.importer.continuous_states());
        }
        rows
    }
}

fn signs<V: Version>(importer: &Importer<V>) -> Vec<bool> {
    importer
        .event_indicators()
        .iter()
        .map(|z| *z > 0.0)
        .collect()
}
