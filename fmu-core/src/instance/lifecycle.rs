//! An instance: creating it, resetting it, copying its state.
//!
//! # The resources of an FMU
//!
//! Finds and reads the scene, checks that it is the one of the model description, and loads the user's shared
//! libraries for this platform from `<platform>/` in the resources.
//!
//! The importer gives the folder. Otherwise, as allowed by [FMI 3.0] section 2.3.1, the library locates its
//! own file: an FMU has its binary in `binaries/<platform>/`, two folders beside `resources/`.

use crate::instance::log::{Category, Failure, Log};
use crate::instance::modes::{Call, Gate, Kind, Mode, Rules, Standard};
use crate::instance::record::tell;
use crate::instance::state::{Run, State, StateError};
use crate::instance::variables::{Quantity, VariableTable};
use contact_laws::index::{InputId, TiVec};
use contact_model::contact::Ledger;
use contact_model::dynamics::{OutputPlaces, System};
use contact_model::granular::Granular;
use contact_model::hybrid::HybridSystem;
use contact_model::integrator::{Integrator, Leg, Pace, Settings};
use contact_model::islands::{EventCount, Recorder, Windows};
use contact_model::scene::description::Guard;
use contact_model::scene::{Element, Scene, UserFunctions, checked, user};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// Choices of the importer when it creates an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// FMI version of the importer.
    pub standard: Standard,
    /// Interface type.
    pub kind: Kind,
    /// Co-Simulation: whether the importer handles events in Event Mode.
    pub event_mode_used: bool,
    /// Co-Simulation: whether a communication step may end early.
    pub early_return_allowed: bool,
}

impl Options {
    /// Model Exchange of FMI 3.0.
    pub const MODEL_EXCHANGE: Options = Options {
        standard: Standard::Fmi3,
        kind: Kind::ModelExchange,
        event_mode_used: true,
        early_return_allowed: false,
    };
}

/// One FMU instance.
pub struct Instance {
    pub(super) options: Options,
    gate: Gate,
    pub(super) scene: Arc<Scene>,
    token: Arc<str>,
    pub(super) table: VariableTable,
    pub(super) log: Log,
    pub(super) system: System,
    /// Ledger from which updates of the present Event Mode start.
    pub(super) entry: Ledger,
    pub(super) run: Run,
    /// Whether the system is bound to the parameters of `run`.
    pub(super) bound: bool,
    /// Elements whose parameters, inputs of Model Exchange, were set since the system was bound.
    pub(super) unbound: Vec<Element>,
    pub(super) start: Start,
    pub(super) cache: Cache,
    /// Granular mode of Co-Simulation; `None` before its first step and after new parameter values.
    pub(super) granular: Option<Box<Granular>>,
    /// Used in Co-Simulation only; without arrays before the whole is stepped.
    pub(super) integrator: Integrator,
    pub(super) recorder: Recorder,
    /// Stepper of islands; `None` before the first communication step, and after parameter values have
    /// changed.
    pub(super) windows: Option<Box<Windows>>,
    /// Whether the scene has parts that may be islands.
    pub(super) is_divided: bool,
    /// Work arrays of partial derivatives; `None` before the first.
    pub(super) partial: Option<Box<PartialWork>>,
    /// Communication step that has stopped inside.
    pub(super) step: Option<StepUnderWay>,
    pub(super) intermediate: Intermediate,
    pub(super) gave_up: Option<String>,
    /// Work at the last message about progress.
    pub(super) last_beat: LastBeat,
    poisoned: bool,
}

/// States at the start of the run, derived from the start values: orientations of unit norm.
pub(super) struct Start {
    pub(crate) states: Vec<f64>,
    /// Whether `states` and the ledger of the system match the present start values.
    pub valid: bool,
}

/// Results at the current time and states.
pub(super) struct Cache {
    /// [`System::moves`] at which the system was ready and had the present states; [`NOWHERE`] if unknown.
    pub(crate) ready_at: u64,
    pub derivatives: Vec<f64>,
    pub(crate) derivatives_valid: bool,
    pub indicators: Vec<f64>,
    pub(crate) indicators_valid: bool,
}

/// Count that a system never reaches.
const NOWHERE: u64 = u64::MAX;

/// Result of a communication step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepOutcome {
    /// Whether there is an event at `time` that the importer has to handle.
    pub event_handling_needed: bool,
    /// Whether the step ended early.
    pub early_return: bool,
    /// Time reached [s].
    pub time: f64,
    /// Remark for the user although the step succeeded.
    pub remark: Option<String>,
}

/// Point inside a communication step at which the importer may read variables. Events handled by the instance
/// have been handled, as at a communication point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IntermediatePoint {
    /// Time [s]; it never goes back.
    pub time: f64,
    /// Whether the step may end early.
    pub can_return_early: bool,
}

/// Listener called at points inside communication steps. Returns the time [s] of an early return, if
/// requested. Reads the instance through its C functions, so no reference to it may exist meanwhile.
pub(crate) type StepListener = dyn Fn(IntermediatePoint) -> Option<f64>;

/// Progress of a communication step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Progress {
    /// Stopped inside; call the listener, then [`Instance::continue_step`].
    Intermediate(IntermediatePoint),
    /// Ended.
    Done(StepOutcome),
}

/// Intermediate updates requested by the importer.
#[derive(Default)]
pub(super) struct Intermediate {
    pub listener: Option<Rc<StepListener>>,
    /// Value references of the variables to be read, ascending.
    pub required: Vec<u32>,
}

/// Communication step between two calls.
pub(super) struct StepUnderWay {
    /// Communication point at its start [s].
    pub(crate) point: f64,
    pub end: f64,
    /// End [s], or the earlier time requested by the importer.
    pub until: f64,
    /// Integration towards it; `None` before it starts and after an event.
    pub leg: Option<Leg>,
    /// Time event that the leg may reach first [s].
    pub time_event: Option<f64>,
    pub events: EventCount,
    /// Pace of the integrator in earlier legs.
    pub pace: Pace,
    /// Reason if it ends at the present time.
    pub ending: Option<Ending>,
    pub remark: Option<String>,
}

impl StepUnderWay {
    /// Next end of the integration [s].
    pub(crate) fn leg_end(&self) -> f64 {
        self.time_event.map_or(self.until, |t| t.min(self.until))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// An event that the importer has to handle.
    Event,
    /// Its end, or the time requested by the importer.
    Reached,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastBeat {
    pub steps: u64,
    pub events: u64,
    pub time: f64,
}

/// Work arrays of partial derivatives: a direction, and the derivatives along it.
pub(super) struct PartialWork {
    pub places: OutputPlaces,
    pub time: f64,
    /// Changes of the states, in Initialization Mode of the start values.
    pub given: Vec<f64>,
    /// Changes of the states that the model uses.
    pub(crate) states: Vec<f64>,
    pub inputs: TiVec<InputId, f64>,
    pub moved: TiVec<InputId, f64>,
    pub rates: Vec<f64>,
    pub indicators: Vec<f64>,
    pub outputs: Vec<f64>,
    /// Values of the unknowns, and their derivatives by a parameter that is an input.
    pub(crate) values: Vec<f64>,
    pub slopes: Vec<f64>,
}

/// Tolerance of an integrator before the first step; every step sets its own.
const UNSET_TOLERANCE: f64 = 1e-6;

/// Returns true if event indicators are minima since the last step.
fn is_guarded(scene: &Scene, kind: Kind) -> bool {
    kind == Kind::ModelExchange && scene.interface().guard != Guard::Off
}

/// Returns true if a scene has parts that may be islands. Limits of distances are checked after each step of
/// the whole.
fn is_divided(system: &System) -> bool {
    let mut named = system.scene().named_pairs().iter();
    system.tree_count() > 1 && !named.any(|pair| pair.warn_below.is_some())
}

impl Instance {
    /// Instance in mode Instantiated, with the start values of the scene.
    ///
    /// # Errors
    /// Never for a checked scene; the text of the model otherwise.
    pub fn new(options: Options, resources: Resources, log: Log) -> Result<Self, Failure> {
        let Resources {
            scene,
            token,
            functions,
        } = resources;
        let table = VariableTable::new(&scene, options.standard);
        if options.kind == Kind::ModelExchange && !table.has_model_exchange() {
            return Err(Failure::error(
                "this FMU has groups of balls and is for Co-Simulation: their states are more than \
                 importers can integrate; instantiate it for Co-Simulation",
            ));
        }
        let run = Run::start(options.kind, &scene);
        let mut system = System::with_functions(Arc::clone(&scene), &run.parameters, &functions)?;
        system.set_guarded(is_guarded(&scene, options.kind));
        let (states, indicators) = (system.state_count(), system.indicator_count());
        let is_divided = is_divided(&system);
        Ok(Instance {
            options,
            gate: Gate::new(Rules {
                standard: options.standard,
                kind: options.kind,
                strict: scene.interface().strict,
            }),
            token,
            table,
            log,
            entry: system.ledger().clone(),
            system,
            run,
            bound: true,
            unbound: Vec::with_capacity(scene.parameter_inputs().count()),
            start: Start {
                states: vec![0.0; states],
                valid: false,
            },
            cache: Cache {
                ready_at: NOWHERE,
                derivatives: vec![0.0; states],
                derivatives_valid: false,
                indicators: vec![0.0; indicators],
                indicators_valid: false,
            },
            recorder: Recorder::new(scene.report_count()),
            integrator: Integrator::new(0, 0, Settings::new(UNSET_TOLERANCE)?),
            windows: None,
            is_divided,
            granular: None,
            partial: None,
            step: None,
            intermediate: Intermediate::default(),
            gave_up: None,
            last_beat: LastBeat::default(),
            poisoned: false,
            scene,
        })
    }

    pub(crate) fn time(&self) -> f64 {
        self.run.time
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// Switches these log categories on or off; an empty list means all.
    ///
    /// # Errors
    /// An unknown category, by name; nothing is changed.
    pub(crate) fn set_debug_logging(
        &mut self,
        on: bool,
        categories: &[String],
    ) -> Result<(), Failure> {
        self.allow(Call::SetDebugLogging)?;
        let mut known = Vec::with_capacity(categories.len());
        for name in categories {
            known.push(Category::from_name(name).ok_or_else(|| {
                let names = Category::ALL.map(Category::name);
                Failure::error(format!(
                    "unknown log category {name:?}; there are {}",
                    names.join(", ")
                ))
            })?);
        }
        self.log.switch(on, &known);
        Ok(())
    }

    /// Returns to mode Instantiated, with the start values of the scene. The log stays as switched.
    ///
    /// # Errors
    /// Not allowed now; otherwise never for a checked scene.
    pub(crate) fn reset(&mut self) -> Result<(), Failure> {
        // A poisoned instance may be reset.
        self.gate.check(Call::Reset, self.run.mode)?;
        let run = Run::start(self.options.kind, &self.scene);
        // Replaced rather than emptied: after a panic nothing in it can be relied on.
        let functions = Arc::clone(&self.system.model().functions);
        self.system = System::with_functions(Arc::clone(&self.scene), &run.parameters, &functions)?;
        self.system
            .set_guarded(is_guarded(&self.scene, self.options.kind));
        self.entry = self.system.ledger().clone();
        self.run = run;
        self.granular = None;
        self.windows = None;
        self.step = None;
        self.gave_up = None;
        self.last_beat = LastBeat::default();
        self.log.start_run();
        self.bound = true;
        self.unbound.clear();
        self.poisoned = false;
        self.start.valid = false;
        self.hold_inputs();
        self.enter(Mode::Instantiated);
        Ok(())
    }

    /// Checks that the instance may be freed now.
    ///
    /// # Errors
    /// A communication step in progress, which would continue with a freed instance.
    pub(crate) fn check_free(&self) -> Result<(), Failure> {
        // A poisoned instance may be freed.
        self.gate.check(Call::Free, self.run.mode)
    }

    /// Ends the run; values remain readable.
    ///
    /// # Errors
    /// Not allowed now.
    pub(crate) fn terminate(&mut self) -> Result<(), Failure> {
        self.allow(Call::Terminate)?;
        if self.options.kind == Kind::CoSimulation {
            tell(&self.log, || *self.run.memory.statistics());
        }
        self.enter(Mode::Terminated);
        Ok(())
    }

    /// Copy of the current state.
    ///
    /// # Errors
    /// Not allowed now.
    pub fn state(&self) -> Result<State, Failure> {
        self.allow(Call::GetState)?;
        Ok(State {
            run: self.run.clone(),
            ledger: self.system.ledger().clone(),
            entry: self.entry.clone(),
            anchor: self.system.anchor().clone(),
            jumps_taken_to: self.system.motion_jumps().taken_to(),
        })
    }

    /// Restores a state of an instance of the same scene and interface type.
    ///
    /// # Errors
    /// A state that does not match; nothing is changed.
    pub fn set_state(&mut self, state: &State) -> Result<(), Failure> {
        self.allow(Call::SetState)?;
        self.check_state(state)
            .map_err(|error| Failure::error(error.to_string()))?;
        self.bound = self.bound && self.run.parameters.equal_to_the_bit(&state.run.parameters);
        self.run = state.run.clone();
        self.system.set_ledger(&state.ledger);
        self.system.set_anchor(&state.anchor);
        self.system.set_jumps_taken_to(state.jumps_taken_to);
        self.entry.copy_from(&state.entry);
        self.start.valid = false;
        self.gave_up = None;
        self.hold_inputs();
        Ok(())
    }

    fn check_state(&self, state: &State) -> Result<(), StateError> {
        let run = &state.run;
        if run.kind != self.options.kind {
            return Err(StateError::OtherKind(run.kind, self.options.kind));
        }
        if !state.fits(&self.scene) {
            return Err(StateError::DoesNotFit);
        }
        if run.mode == Mode::Event && !self.options.event_mode_used {
            return Err(StateError::NoEventMode);
        }
        Ok(())
    }

    /// Serialises a state.
    ///
    /// # Errors
    /// Not allowed now.
    pub fn state_to_bytes(&self, state: &State) -> Result<Vec<u8>, Failure> {
        self.allow(Call::SerializeState)?;
        let bytes = state.to_bytes(&self.token);
        bytes.map_err(|error| Failure::error(error.to_string()))
    }

    /// Deserialises a state from [`Self::state_to_bytes`].
    ///
    /// # Errors
    /// Invalid bytes; the text says why.
    pub fn state_from_bytes(&self, bytes: &[u8]) -> Result<State, Failure> {
        self.allow(Call::SerializeState)?;
        State::from_bytes(bytes, &self.token, &self.scene)
            .and_then(|state| self.check_state(&state).map(|()| state))
            .map_err(|error| Failure::error(error.to_string()))
    }

    /// Marks the instance as unusable after a panic, until it is reset.
    pub fn poison(&mut self) {
        self.poisoned = true;
    }

    /// Checks that `call` is allowed now.
    ///
    /// # Errors
    /// It is not; the text has the modes in which it is.
    #[inline(always)]
    pub(crate) fn allow(&self, call: Call) -> Result<(), Failure> {
        if self.poisoned {
            return Err(refuse_poisoned());
        }
        self.gate.check(call, self.run.mode)
    }

    pub(super) fn rules(&self) -> Rules {
        self.gate.rules()
    }

    pub(super) fn enter(&mut self, mode: Mode) {
        self.run.mode = mode;
        self.touch();
        let time = self.run.time;
        self.log.info(Category::States, || {
            format!("t={time:?} mode={}", mode.name())
        });
    }

    /// Invalidates results: to be called after a change of time, states, parameters, inputs, ledger or mode.
    #[inline(always)]
    pub(super) fn touch(&mut self) {
        self.cache.derivatives_valid = false;
        self.cache.indicators_valid = false;
        self.cache.ready_at = NOWHERE;
    }

    /// Name of the variable that has a quantity among its elements, for messages.
    pub(super) fn name(&self, quantity: Quantity) -> String {
        self.table.name(&self.scene, quantity)
    }

    /// Name of an element, also of an array (`ball.position[3]`), for messages.
    pub(super) fn element_name(&self, quantity: Quantity) -> String {
        self.table.element_name(&self.scene, quantity)
    }
}

#[cold]
fn refuse_poisoned() -> Failure {
    Failure::error(
        "an earlier call failed inside this library (see its message); only reset and free remain",
    )
}

/// File name of the scene in the resources folder.
pub const SCENE_FILE: &str = "scene.bin";

/// A scene with the token of its bytes, and its user functions.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The scene.
    pub scene: Arc<Scene>,
    /// Token, 64 hexadecimal digits.
    pub token: Arc<str>,
    /// Functions of the user that its laws call.
    pub functions: Arc<UserFunctions>,
}

/// Reads the scene from `folder`, or from the library's own location if `None`, and compares its token with
/// the one of the model description.
///
/// # Errors
/// Text with the path tried, what was found and what is expected.
pub fn load(folder: Option<&Path>, token: Option<&str>) -> Result<Resources, String> {
    let folder = match folder {
        Some(given) => given.to_path_buf(),
        None => own_resources()?,
    };
    let path = folder.join(SCENE_FILE);
    let data = std::fs::read(&path).map_err(|error| {
        format!(
            "cannot read {}: {error}; the resource path must name the resources folder of the \
             unpacked FMU",
            path.display()
        )
    })?;
    let expected = checked::token(&data);
    match token {
        Some(given) if given == expected => {}
        Some(given) => {
            return Err(format!(
                "instantiation token (guid in FMI 2.0) is {given:?}, that of {} with this binary is {expected:?}; \
                 modelDescription.xml and scene do not belong together, or one is damaged: build the FMU \
                 again",
                path.display()
            ));
        }
        None => {
            return Err(format!(
                "instantiation token (guid in FMI 2.0) is null; expected {expected:?}, as in modelDescription.xml"
            ));
        }
    }
    decode(&path, &data, expected)
}

/// Reads the scene at `place` without a model description: the bytes of a scene, or a folder with
/// [`SCENE_FILE`] in it, or an unpacked FMU.
///
/// # Errors
/// Text with the path tried, what was found and what is expected.
pub fn open(place: &Path) -> Result<Resources, String> {
    let path = match place.is_dir() {
        true => {
            let unpacked = place.join("resources").join(SCENE_FILE);
            match unpacked.is_file() {
                true => unpacked,
                false => place.join(SCENE_FILE),
            }
        }
        false => place.to_path_buf(),
    };
    let data = std::fs::read(&path).map_err(|error| {
        format!(
            "cannot read {}: {error}; the path must name {SCENE_FILE}, a folder that holds it, or an \
             unpacked FMU",
            path.display()
        )
    })?;
    decode(&path, &data, checked::token(&data))
}

/// Scene of the bytes in `path` with their token, and the libraries beside it.
fn decode(path: &Path, data: &[u8], token: String) -> Result<Resources, String> {
    let scene = checked::decode(data).map_err(|error| format!("{}: {error}", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let functions = UserFunctions::load(&scene, |library| {
        let file = user::own_file(library)?;
        Ok(folder.join(&file.platform).join(&file.file))
    })?;
    Ok(Resources {
        functions,
        scene: Arc::new(scene),
        token: token.into(),
    })
}

/// `../../resources` relative to the folder of the file that holds this code.
fn own_resources() -> Result<PathBuf, String> {
    let unknown = "no resource path was given, and this library does not know its own place";
    let library = own_file().ok_or_else(|| format!("{unknown}; pass the path"))?;
    let root = library.ancestors().nth(3).ok_or_else(|| {
        format!(
            "{unknown} inside an FMU: it is {}; pass the path",
            library.display()
        )
    })?;
    Ok(root.join("resources"))
}

/// File mapped at the address of this function. Linux lists the mappings of a process in lines `start-end
/// permissions offset device inode path`.
#[cfg(target_os = "linux")]
fn own_file() -> Option<PathBuf> {
    let address = own_file as *const () as usize;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let start = usize::from_str_radix(start, 16).ok()?;
        let end = usize::from_str_radix(end, 16).ok()?;
        if !(start..end).contains(&address) {
            return None;
        }
        // The path is the only field that may hold blanks, and it starts with a slash.
        Some(PathBuf::from(&rest[rest.find('/')?..]))
    })
}

/// Elsewhere the standard library offers no way; the importer has to pass the path.
#[cfg(not(target_os = "linux"))]
fn own_file() -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_file_of_this_code_is_the_running_test() {
        assert_eq!(own_file(), std::env::current_exe().ok());
    }

    #[test]
    fn a_missing_scene_is_refused_with_its_path() {
        let refused = load(Some(Path::new("/nowhere/resources")), Some("x")).unwrap_err();
        assert!(
            refused.contains("/nowhere/resources/scene.bin"),
            "{refused}"
        );
    }
}
