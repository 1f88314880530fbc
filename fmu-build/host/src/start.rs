//! Makes an instance and brings it to its initial state, again and again: its log, parameters, times and
//! inputs. An instance hears where its resources are: in FMI 2.0 by a URI, in FMI 3.0 by a path.
#![allow(unsafe_code)]

use crate::c_api::{
    CallbackFunctions, FALSE, Function, InstantiateCoSimulation, InstantiateFmi2,
    InstantiateModelExchange, TRUE,
};
use crate::error::HostError;
use crate::fmu::Fmu;
use crate::inputs::{Side, Writer};
use crate::instance::LiveInstance;
use crate::library::Library;
use crate::logger;
use crate::model_description::ModelDescription;
use crate::parameters::{self, ParameterStart};
use crate::trajectory::Live;
use fmu_core::instance::{Kind, Standard};
use std::ffi::{CString, c_int, c_void};
use std::path::{MAIN_SEPARATOR, Path};
use std::ptr;
use std::sync::Arc;

// Memory for FMUs that want none of their own, from the C library that Rust's own is linked to.
unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// Values before a run: parameters, times and tolerance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start<'a> {
    /// Parameters with values other than the FMU's start values.
    pub parameters: &'a [ParameterStart],
    /// Start time [s].
    pub start: f64,
    /// Stop time [s], > start, if known.
    pub stop: Option<f64>,
    /// Relative tolerance [1].
    pub tolerance: Option<f64>,
}

/// Checks times [s] and a relative tolerance [1].
///
/// # Errors
/// One is out of range.
pub(crate) fn check(start: f64, end: Option<f64>, tolerance: Option<f64>) -> Result<(), HostError> {
    let stop = end.unwrap_or(f64::INFINITY);
    if !(start.is_finite() && stop > start && end.is_none_or(f64::is_finite)) {
        return Err(HostError::Argument(format!(
            "stop time is {stop} s, start time {start} s; the stop must be later, both finite"
        )));
    }
    match tolerance.filter(|tolerance| !(*tolerance > 0.0 && *tolerance < 1.0)) {
        None => Ok(()),
        Some(tolerance) => Err(HostError::Argument(format!(
            "relative tolerance is {tolerance:e}; it must be in (0, 1)"
        ))),
    }
}

impl Start<'_> {
    /// Initializes an instance in mode Instantiated with these values and the inputs.
    ///
    /// # Errors
    /// A refusal of the FMU.
    pub(crate) fn initialize(
        &self,
        instance: &LiveInstance,
        inputs: &mut Writer,
    ) -> Result<(), HostError> {
        parameters::set(instance, self.parameters)?;
        instance.enter_initialization_mode(self.tolerance, self.start, self.stop)?;
        inputs.write(instance, self.start, Side::After)?;
        instance.exit_initialization_mode()
    }
}

/// Begins a run of an instance, which is reset unless it is fresh, with the log switched to what this tool
/// reads. Where the run is watched, the FMU also logs how it goes on, if it can.
///
/// # Errors
/// A function is missing; the FMU refuses.
pub(crate) fn begin(
    instance: &LiveInstance,
    description: &ModelDescription,
    watched: Option<&Arc<Live>>,
) -> Result<(), HostError> {
    let live = watched.cloned().unwrap_or_default();
    let before = instance.follow(Arc::clone(&live));
    if instance.is_used.replace(true) {
        instance.reset()?;
    } else {
        live.seen().warnings = std::mem::take(&mut before.seen().warnings);
    }
    instance.select_categories(&description.log_categories, watched.is_some())
}

/// Makes an instance of an interface type. With `event_mode` the user of Co-Simulation handles events and gets
/// early returns for them.
///
/// # Errors
/// A function is missing; the FMU refuses.
pub(crate) fn instantiate(
    fmu: &Fmu,
    library: Library,
    kind: Kind,
    event_mode: bool,
) -> Result<LiveInstance, HostError> {
    let description = fmu.description();
    let live = Arc::<Live>::default();
    let name = c_text(&description.model_name)?;
    let token = c_text(&description.instantiation_token)?;
    let (name, token) = (name.as_ptr(), token.as_ptr());
    let location = match library.standard() {
        Standard::Fmi2 => Some(resource_uri(library.folder())?),
        Standard::Fmi3 => resource_path(library.folder())?,
    };
    let location = location.as_deref().map(c_text).transpose()?;
    let location = location.as_ref().map_or(ptr::null(), |text| text.as_ptr());
    let mut callbacks = Box::new(CallbackFunctions {
        logger: Some(logger::fmi2_callback()),
        allocate_memory: Some(calloc),
        free_memory: Some(free),
        step_finished: None,
        component_environment: ptr::null_mut(),
    });
    // SAFETY: the prototypes of the functions; [FMI 2.0] 2.1.5 and [FMI 3.0] 2.3.1: the texts live during
    // the call, callbacks and environment as long as the instance. There are no intermediate variables, and
    // no intermediate update.
    let instance = unsafe {
        match (library.standard(), kind) {
            (Standard::Fmi2, _) => {
                let interface = c_int::from(kind == Kind::CoSimulation);
                let names = ["fmi2Instantiate", ""];
                let make: Function<InstantiateFmi2> = library.function(names, true)?;
                LiveInstance::new(library, kind, make, live, |make, environment| {
                    callbacks.component_environment = environment;
                    let callbacks = &raw const *callbacks;
                    make(name, interface, token, location, callbacks, FALSE, TRUE)
                })?
            }
            (Standard::Fmi3, Kind::ModelExchange) => {
                let names = ["", "fmi3InstantiateModelExchange"];
                let make: Function<InstantiateModelExchange> = library.function(names, true)?;
                LiveInstance::new(library, kind, make, live, |make, environment| {
                    let log = logger::receive_fmi3;
                    make(name, token, location, false, true, environment, log)
                })?
            }
            (Standard::Fmi3, Kind::CoSimulation) => {
                let names = ["", "fmi3InstantiateCoSimulation"];
                let make: Function<InstantiateCoSimulation> = library.function(names, true)?;
                LiveInstance::new(library, kind, make, live, |make, environment| {
                    let (log, no_list, update) = (logger::receive_fmi3, ptr::null(), None);
                    let modes = event_mode;
                    make(
                        name,
                        token,
                        location,
                        false,
                        true,
                        modes,
                        modes,
                        no_list,
                        0,
                        environment,
                        log,
                        update,
                    )
                })?
            }
        }
    };
    Ok(instance.with_callbacks(callbacks))
}

/// A text as C wants it.
fn c_text(text: &str) -> Result<CString, HostError> {
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
fn resource_uri(folder: &Path) -> Result<String, HostError> {
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
fn resource_path(folder: &Path) -> Result<Option<String>, HostError> {
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
