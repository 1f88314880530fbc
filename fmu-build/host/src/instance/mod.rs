//! One instance of an FMU: the functions of the standard as methods that check the status.
//!
//! OK and Warning are good; any other status is a [`HostError::Call`] with the function's name and
//! what the FMU logged. The methods are in no version's words; the versions implement them with the
//! functions of their standard. Methods that belong to one interface type exist on its trait only.
//! The order of calls is the user's: `co_simulation` and `model_exchange` follow it.
//!
//! Below the versions are what an instance of any version is made of (the pointer with its library and log,
//! which checks the status of each call and frees the instance), and where the resources are, as the
//! versions want to hear it: FMI 2.0 a URI, FMI 3.0 a path.
//!
//! - `fmi2`, `fmi3`: the versions
#![allow(unsafe_code)]

use crate::c_api::{
    FreeInstance, Function, Getter, InstancePointer, Plain, ReadVector, Setter, WriteVector,
};
use crate::error::{HostError, Status};
use crate::library::Library;
use crate::logger::{Log, Logger};
use crate::messages;
use fmu_core::instance::Standard;
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{MAIN_SEPARATOR, Path};
use std::ptr;
use std::rc::Rc;

pub(crate) mod fmi2;
pub(crate) mod fmi3;

/// A live instance. Freed when dropped.
pub(crate) struct LiveInstance {
    pointer: InstancePointer,
    free: Function<FreeInstance>,
    fatal: Cell<bool>,
    // Fields are dropped in this order: a library may still log while it is unloaded.
    library: Library,
    // The FMU has a pointer to it: it must not move, and outlive instance and library.
    logger: Rc<Logger>,
}

impl LiveInstance {
    /// Takes over what the function `name` gives `instantiate`, which gets a pointer to a logger as
    /// the environment of the instance.
    ///
    /// # Safety
    /// The pointer that `instantiate` returns is null or an instance of `library`, which `free`
    /// frees and which logs to the environment.
    ///
    /// # Errors
    /// There is no instance.
    pub(crate) unsafe fn new(
        library: Library,
        name: &'static str,
        free: Function<FreeInstance>,
        instantiate: impl FnOnce(*mut c_void) -> InstancePointer,
    ) -> Result<LiveInstance, HostError> {
        let logger = Rc::<Logger>::default();
        let pointer = instantiate(ptr::from_ref::<Logger>(&logger).cast_mut().cast());
        if pointer.is_null() {
            return Err(HostError::Call {
                function: name,
                standard: library.standard(),
                status: None,
                messages: logger.last_reasons(),
            });
        }
        logger.call_succeeded();
        Ok(LiveInstance {
            pointer,
            free,
            fatal: Cell::new(false),
            logger,
            library,
        })
    }

    /// The instance for a call; it lives as long as this value.
    pub(crate) fn pointer(&self) -> InstancePointer {
        self.pointer
    }

    /// FMI version of the instance.
    pub(crate) fn standard(&self) -> Standard {
        self.library.standard()
    }

    /// The loaded binary.
    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    /// What the FMU logs; can be asked after the instance is freed.
    pub(crate) fn logger(&self) -> Rc<Logger> {
        Rc::clone(&self.logger)
    }

    /// Takes out all messages so far.
    pub(crate) fn take_messages(&self) -> Log {
        self.logger.take()
    }

    /// Judges the status of a call: OK and Warning are good.
    ///
    /// # Errors
    /// Any other status, with the function's name and what the FMU logged.
    pub(crate) fn check(&self, function: &'static str, number: c_int) -> Result<(), HostError> {
        let status = Status::from_number(self.standard(), number);
        if matches!(status, Status::Ok | Status::Warning) {
            self.logger.call_succeeded();
            return Ok(());
        }
        if status == Status::Fatal {
            self.fatal.set(true);
        }
        Err(HostError::Call {
            function,
            standard: self.standard(),
            status: Some(status),
            messages: self.logger.last_reasons(),
        })
    }

    /// Calls a function of this library that takes the instance only.
    pub(crate) fn call(&self, function: Function<Plain>) -> Result<(), HostError> {
        // SAFETY: the instance lives.
        let status = unsafe { (function.call)(self.pointer) };
        self.check(function.name, status)
    }

    /// Calls a function of this library that fills a vector.
    pub(crate) fn read_vector(
        &self,
        function: Function<ReadVector>,
        values: &mut [f64],
    ) -> Result<(), HostError> {
        // SAFETY: the instance lives, the FMU writes the given number of values.
        let status = unsafe { (function.call)(self.pointer, values.as_mut_ptr(), values.len()) };
        self.check(function.name, status)
    }

    /// Calls a function of this library that takes a vector.
    pub(crate) fn write_vector(
        &self,
        function: Function<WriteVector>,
        values: &[f64],
    ) -> Result<(), HostError> {
        // SAFETY: the instance lives, the FMU reads the given number of values.
        let status = unsafe { (function.call)(self.pointer, values.as_ptr(), values.len()) };
        self.check(function.name, status)
    }

    /// Reads the values of some variables, whose total size is that of `values`.
    ///
    /// # Safety
    /// `getter` is the function of the standard called `name`, found in [`Self::library`].
    pub(crate) unsafe fn get<T>(
        &self,
        name: &'static str,
        getter: &Getter<T>,
        references: &[u32],
        values: &mut [T],
    ) -> Result<(), HostError> {
        let (list, count) = (references.as_ptr(), references.len());
        let (place, size) = (values.as_mut_ptr(), values.len());
        // SAFETY: the instance lives; the FMU reads and writes the given number of items. In
        // FMI 2.0 these are as many values as references, since every variable is a scalar.
        let status = unsafe {
            match getter {
                Getter::Fmi2(getter) => getter(self.pointer, list, count, place),
                Getter::Fmi3(getter) => getter(self.pointer, list, count, place, size),
            }
        };
        self.check(name, status)
    }

    /// Sets the values of some variables, whose total size is that of `values`.
    ///
    /// # Safety
    /// `setter` is the function of the standard called `name`, found in [`Self::library`].
    pub(crate) unsafe fn set<T>(
        &self,
        name: &'static str,
        setter: &Setter<T>,
        references: &[u32],
        values: &[T],
    ) -> Result<(), HostError> {
        let (list, count) = (references.as_ptr(), references.len());
        let (place, size) = (values.as_ptr(), values.len());
        // SAFETY: the instance lives; the FMU reads the given number of items. In FMI 2.0 these
        // are as many values as references, since every variable is a scalar.
        let status = unsafe {
            match setter {
                Setter::Fmi2(setter) => setter(self.pointer, list, count, place),
                Setter::Fmi3(setter) => setter(self.pointer, list, count, place, size),
            }
        };
        self.check(name, status)
    }

    /// Instantiated with all categories on, so that a refusal is explained; from here on only those
    /// that this tool reads, and those of failures. `set`, which calls the function `name`, gets
    /// the instance, on or off, the number of categories and their names.
    pub(crate) fn select_categories(
        &self,
        declared: &[String],
        is_watched: bool,
        name: &'static str,
        set: impl Fn(InstancePointer, bool, usize, *const *const c_char) -> c_int,
    ) -> Result<(), HostError> {
        let is_read = |name: &&String| {
            let name = name.to_ascii_lowercase();
            [messages::CONTACTS, messages::INTEGRATOR].contains(&name.as_str())
                || is_watched && name == messages::PROGRESS
                || ["error", "fatal", "discard", "warning"]
                    .iter()
                    .any(|w| name.contains(w))
        };
        let wanted = declared.iter().filter(is_read);
        let texts: Result<Vec<CString>, _> = wanted.map(|c| CString::new(c.as_str())).collect();
        let texts = texts.map_err(|_| HostError::Run("a log category has a null in it".into()))?;
        let list: Vec<*const c_char> = texts.iter().map(|t| t.as_ptr()).collect();
        if list.is_empty() {
            return Ok(());
        }
        // No categories mean all of them.
        self.check(name, set(self.pointer, false, 0, ptr::null()))?;
        self.check(name, set(self.pointer, true, list.len(), list.as_ptr()))
    }
}

impl Drop for LiveInstance {
    fn drop(&mut self) {
        // [FMI 2.0] 2.1.3, [FMI 3.0] 2.2.3: after Fatal no function may be called, this one
        // included.
        if !self.fatal.get() {
            // SAFETY: the instance lives until here, and nobody has its pointer.
            unsafe { (self.free.call)(self.pointer) };
        }
    }
}

/// Methods of Model Exchange whose functions have the same prototypes in all versions.
macro_rules! continuous_time {
    () => {
        fn enter_continuous_time_mode(&self) -> Result<(), HostError> {
            self.core.call(self.functions.enter_continuous_time_mode)
        }

        fn set_time(&self, time: f64) -> Result<(), HostError> {
            let function = self.functions.set_time;
            // SAFETY: the instance lives.
            let status = unsafe { (function.call)(self.core.pointer(), time) };
            self.core.check(function.name, status)
        }

        fn set_states(&self, states: &[f64]) -> Result<(), HostError> {
            let function = self.functions.set_continuous_states;
            self.core.write_vector(function, states)
        }

        fn states(&self, states: &mut [f64]) -> Result<(), HostError> {
            let function = self.functions.get_continuous_states;
            self.core.read_vector(function, states)
        }

        fn derivatives(&self, derivatives: &mut [f64]) -> Result<(), HostError> {
            let function = self.functions.get_derivatives;
            self.core.read_vector(function, derivatives)
        }

        fn indicators(&self, indicators: &mut [f64]) -> Result<(), HostError> {
            let function = self.functions.get_event_indicators;
            self.core.read_vector(function, indicators)
        }

        fn nominals(&self, nominals: &mut [f64]) -> Result<(), HostError> {
            let function = self.functions.get_nominals;
            self.core.read_vector(function, nominals)
        }
    };
}

pub(super) use continuous_time;

/// Event iterations at one instant at most. Real models need a few; an FMU that asks for more has
/// no consistent discrete state.
pub(crate) const MOST_EVENT_ITERATIONS: usize = 1000;

/// Result of a completed event update.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct DiscreteUpdate {
    /// The FMU asks to end the simulation.
    pub terminate: bool,
    /// Nominal values of states are new.
    pub nominals_changed: bool,
    /// Values of states are new.
    pub states_changed: bool,
    /// Time of the next time event [s].
    pub next_event_time: Option<f64>,
}

/// How a communication step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StepAnswer {
    /// There is an event to be handled at `time`.
    pub event_handling_needed: bool,
    /// The FMU asks to end the simulation.
    pub terminate: bool,
    /// The step ended before its end.
    pub early_return: bool,
    /// Time reached [s].
    pub(crate) time: f64,
}

/// An instance of any interface type.
pub(crate) trait Instance {
    /// What it is made of.
    fn core(&self) -> &LiveInstance;

    /// From Instantiated to Initialization Mode. `tolerance` is relative [1], times in [s].
    fn enter_initialization_mode(
        &self,
        tolerance: Option<f64>,
        start: f64,
        stop: f64,
    ) -> Result<(), HostError>;

    /// Ends Initialization Mode.
    fn exit_initialization_mode(&self) -> Result<(), HostError>;

    /// Ends the run; values stay readable.
    fn terminate(&self) -> Result<(), HostError>;
}

/// An instance whose events the importer handles.
pub(crate) trait EventMode: Instance {
    /// Enters Event Mode.
    fn enter_event_mode(&self) -> Result<(), HostError>;

    /// Name of the function that updates the discrete states.
    fn update_function(&self) -> &'static str;

    /// Updates the discrete states once, in Event Mode. Returns also whether they need one more
    /// update.
    fn update_discrete_states_once(&self) -> Result<(DiscreteUpdate, bool), HostError>;

    /// Updates the discrete states at `time` [s], in Event Mode, until they need no more updates.
    ///
    /// # Errors
    /// A failed call; more than [`MOST_EVENT_ITERATIONS`]; a next event before `time`.
    fn update_discrete_states(&self, time: f64) -> Result<DiscreteUpdate, HostError> {
        let name = self.update_function();
        let mut sum = DiscreteUpdate::default();
        for _ in 0..MOST_EVENT_ITERATIONS {
            let (update, again) = self.update_discrete_states_once()?;
            sum.terminate |= update.terminate;
            sum.nominals_changed |= update.nominals_changed;
            sum.states_changed |= update.states_changed;
            sum.next_event_time = update.next_event_time;
            if !again || sum.terminate {
                return match sum.next_event_time {
                    Some(next) if next.is_nan() || next < time => Err(HostError::Run(format!(
                        "{name} announces the next event for {next} s; it is {time} s already"
                    ))),
                    _ => Ok(sum),
                };
            }
        }
        Err(HostError::Run(format!(
            "the event at {time} s has no end: after {MOST_EVENT_ITERATIONS} calls of {name} the \
             FMU still asks for another one"
        )))
    }
}

/// An instance that the importer integrates.
pub(crate) trait ModelExchange: EventMode {
    /// Number of continuous states, by the binary if its version reports it.
    fn number_of_states(&self) -> Result<usize, HostError>;

    /// Number of event indicators, by the binary if its version reports it.
    fn number_of_indicators(&self) -> Result<usize, HostError>;

    /// From Event Mode to Continuous-Time Mode.
    fn enter_continuous_time_mode(&self) -> Result<(), HostError>;

    /// Sets the time [s].
    fn set_time(&self, time: f64) -> Result<(), HostError>;

    /// Sets the continuous states, all of them.
    fn set_states(&self, states: &[f64]) -> Result<(), HostError>;

    /// Reads the continuous states, all of them.
    fn states(&self, states: &mut [f64]) -> Result<(), HostError>;

    /// Reads the state derivatives at the time and states set last.
    fn derivatives(&self, derivatives: &mut [f64]) -> Result<(), HostError>;

    /// Reads the derivatives of `unknowns` along the direction `seed` of `knowns`, variables by
    /// their value references, at the time and states set last. An array counts with all elements.
    ///
    /// # Errors
    /// Those of the call; the binary has no such function.
    fn directional_derivative(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> Result<(), HostError>;

    /// Reads the event indicators at the time and states set last.
    fn indicators(&self, indicators: &mut [f64]) -> Result<(), HostError>;

    /// Reads the nominal values of the states.
    fn nominals(&self, nominals: &mut [f64]) -> Result<(), HostError>;

    /// Reports the end of an integrator step to the FMU. Returns whether it wants Event Mode, and
    /// whether it wants the simulation to end.
    fn completed_integrator_step(&self) -> Result<(bool, bool), HostError>;
}

/// An instance that integrates.
pub(crate) trait CoSimulation: Instance {
    /// The instance with its Event Mode; none where it handles its events itself.
    fn events(&self) -> Option<&dyn StepEvents>;

    /// Name of the function that takes a communication step.
    fn step_function(&self) -> &'static str;

    /// Runs from the communication point `time` [s] over `length` [s].
    fn do_step(&self, time: f64, length: f64) -> Result<StepAnswer, HostError>;
}

/// Co-Simulation whose events the importer handles.
pub(crate) trait StepEvents: EventMode {
    /// From Event Mode to Step Mode.
    fn enter_step_mode(&self) -> Result<(), HostError>;
}

/// A text as C wants it.
pub(super) fn c_text(text: &str) -> Result<CString, HostError> {
    CString::new(text).map_err(|_| HostError::Run(format!("{text:?} has a null character in it")))
}

/// Folder of the resources in an FMU.
const RESOURCES: &str = "resources";

/// Characters of a path that a URI holds as they are: the unreserved ones of RFC 3986 section 2.3
/// and the separator.
fn stays(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte)
}

/// `fmuResourceLocation` of [FMI 2.0] 2.1.5 for the FMU unpacked in `folder`: a URI of the scheme
/// `file` without host, with percent-encoded UTF-8.
///
/// # Errors
/// The path is not UTF-8.
pub(super) fn resource_uri(folder: &Path) -> Result<String, HostError> {
    let resources = folder.join(RESOURCES);
    let path = utf8(&resources)?;
    Ok(uri_of(path, cfg!(windows)))
}

fn uri_of(path: &str, on_windows: bool) -> String {
    let mut uri = String::from("file://");
    let path = match on_windows {
        // C:\folder becomes /C:/folder, \\host\folder becomes //host/folder
        true => path.replace('\\', "/"),
        false => path.to_owned(),
    };
    if !path.starts_with('/') {
        uri.push('/');
    }
    for (index, byte) in path.bytes().enumerate() {
        if stays(byte) || on_windows && index == 1 && byte == b':' {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

/// `resourcePath` of [FMI 3.0] 2.3.1 for the FMU unpacked in `folder`: an absolute path with a
/// separator at its end; none where the FMU has no resources.
///
/// # Errors
/// The path is not UTF-8.
pub(super) fn resource_path(folder: &Path) -> Result<Option<String>, HostError> {
    let resources = folder.join(RESOURCES);
    if !resources.is_dir() {
        return Ok(None);
    }
    Ok(Some(format!("{}{MAIN_SEPARATOR}", utf8(&resources)?)))
}

fn utf8(path: &Path) -> Result<&str, HostError> {
    path.to_str().ok_or_else(|| {
        HostError::Run(format!(
            "the temporary folder {} is not UTF-8, which FMI asks for",
            path.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By RFC 3986 section 2.1 and RFC 8089 appendix E.2.
    #[test]
    fn a_uri_encodes_all_but_letters_digits_and_separators() {
        assert_eq!(
            uri_of("/tmp/a b/ü%#?:/~x", false),
            "file:///tmp/a%20b/%C3%BC%25%23%3F%3A/~x"
        );
        assert_eq!(
            uri_of("C:\\Users\\a b\\r", true),
            "file:///C:/Users/a%20b/r"
        );
    }

    #[test]
    fn a_missing_folder_of_resources_is_no_path() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(resource_path(folder.path()), Ok(None));
        std::fs::create_dir(folder.path().join("resources")).unwrap();
        let found = resource_path(folder.path()).unwrap().unwrap();
        assert!(
            found.ends_with(&format!("resources{MAIN_SEPARATOR}")),
            "{found}"
        );
    }
}
