//! The binary of an FMU, loaded.
#![allow(unsafe_code)]

use super::binary;
use super::c_api::{Access, AccessCall, Function, text_at};
use super::error::{HostError, words};
use fmu_core::instance::Standard;
use std::error::Error;
use std::ffi::c_char;
use std::fs;
use std::path::MAIN_SEPARATOR;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// The only types platform of FMI 2.0 supported here, [FMI 2.0] 2.1.2.
const TYPES_PLATFORM: &str = "default";

/// See [`forbid_user_code`]. Global: the request allows no exception.
static IS_USER_CODE_FORBIDDEN: AtomicBool = AtomicBool::new(false);

/// Forbids this process to load user libraries, and FMUs that carry one.
pub fn forbid_user_code() {
    IS_USER_CODE_FORBIDDEN.store(true, Ordering::Relaxed);
}

/// Returns true after [`forbid_user_code`].
pub fn is_user_code_forbidden() -> bool {
    IS_USER_CODE_FORBIDDEN.load(Ordering::Relaxed)
}

pub(crate) struct Library {
    standard: Standard,
    inside: String,
    // Dropped before the folder of the file.
    library: libloading::Library,
    folder: Arc<TempDir>,
}

impl Library {
    /// Loads the file `inside` of an unpacked FMU of this version.
    ///
    /// # Errors
    /// It is truncated or for another platform; the system cannot load it; a function is missing; it has
    /// another FMI version.
    pub(super) fn open(
        folder: &Arc<TempDir>,
        inside: String,
        standard: Standard,
    ) -> Result<Library, HostError> {
        let path = folder.path().join(&inside);
        let fail = |reason| HostError::Library(inside.clone(), reason);
        let content = fs::read(&path).map_err(|e| fail(e.to_string()))?;
        binary::check(&content).map_err(fail)?;
        drop(content);
        // SAFETY: loading runs the initialisers of the library. The user asked for this FMU to be
        // run, and an FMU is code: there is no way to run one without trusting it.
        let library = unsafe { libloading::Library::new(&path) }
            .map_err(|e| HostError::Library(inside.clone(), reason(&e, folder)))?;
        let library = Library {
            standard,
            inside,
            library,
            folder: Arc::clone(folder),
        };
        let (name, prefix) = words(standard);
        let expected = name.trim_start_matches("FMI ");
        let major = |version: &str| version.split('.').next().map(str::to_owned);
        library.expect_text(&format!("{prefix}GetVersion"), expected, |text| {
            major(text) == major(expected)
        })?;
        if standard == Standard::Fmi2 {
            library.expect_text("fmi2GetTypesPlatform", TYPES_PLATFORM, |text| {
                text == TYPES_PLATFORM
            })?;
        }
        Ok(library)
    }

    /// Calls a function that returns a text, and rejects an unexpected one.
    fn expect_text(
        &self,
        function: &str,
        expected: &str,
        is_good: impl Fn(&str) -> bool,
    ) -> Result<(), HostError> {
        type Text = unsafe extern "C" fn() -> *const c_char;
        // SAFETY: the prototype of fmi2GetVersion, fmi2GetTypesPlatform and fmi3GetVersion.
        let call: Option<Text> = unsafe { self.find(function) };
        let call = call.ok_or_else(|| self.lacks(function))?;
        // SAFETY: [FMI 2.0] 2.1.4, [FMI 3.0] 2.2.4: it may be called at any time and returns
        // a null-terminated string that the FMU owns.
        let text = unsafe { text_at(call()) };
        if is_good(&text) {
            return Ok(());
        }
        let reason = format!("{function} returns {text:?}; it must be {expected}");
        Err(HostError::Library(self.inside.clone(), reason))
    }

    pub(super) fn standard(&self) -> Standard {
        self.standard
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Error for a missing function.
    pub(super) fn lacks(&self, function: &str) -> HostError {
        HostError::MissingFunction {
            inside: self.inside.clone(),
            function: function.to_owned(),
            standard: self.standard,
        }
    }

    /// # Safety
    /// `F` is the function pointer type of the prototype that the version's standard gives for `name`; it
    /// is not used after the library is closed.
    unsafe fn find<F: Copy>(&self, name: &str) -> Option<F> {
        // SAFETY: as the caller promises.
        unsafe { self.library.get::<F>(name) }
            .ok()
            .map(|found| *found)
    }

    /// Function by its names in FMI 2.0 and FMI 3.0; empty if a version does not have it.
    ///
    /// # Safety
    /// `F` is the function pointer type of the prototype that the version's standard gives for its name; it
    /// is not used after the library is closed.
    ///
    /// # Errors
    /// A missing function of the FMU's version.
    pub(super) unsafe fn function<F: Copy>(
        &self,
        names: [&'static str; 2],
        is_needed: bool,
    ) -> Result<Function<F>, HostError> {
        let name = names[self.standard as usize];
        // SAFETY: as the caller promises.
        let call = unsafe { self.find(name) };
        match call {
            None if is_needed && !name.is_empty() => Err(self.lacks(name)),
            _ => Ok(Function { name, call }),
        }
    }

    /// Getter (`P` is `*mut T`) or setter (`*const T`) of values of type `T`, by its names in FMI 2.0 and FMI 3.0.
    ///
    /// # Safety
    /// The name is that of the getter or setter of the version's standard for values of type `T`; it is not
    /// used after the library is closed.
    pub(super) unsafe fn access<P>(
        &self,
        names: [&'static str; 2],
    ) -> Result<Access<P>, HostError> {
        let name = names[self.standard as usize];
        // SAFETY: as the caller promises.
        let call = unsafe {
            match self.standard {
                Standard::Fmi2 => self.find(name).map(AccessCall::Fmi2),
                Standard::Fmi3 => self.find(name).map(AccessCall::Fmi3),
            }
        };
        let call = call.ok_or_else(|| self.lacks(name))?;
        Ok(Access { name, call })
    }
}

/// The system's reason for refusing a library, without the temporary folder.
fn reason(error: &libloading::Error, folder: &TempDir) -> String {
    let said = error.source().map(ToString::to_string);
    let text = said.unwrap_or_else(|| error.to_string());
    let folder = format!("{}{MAIN_SEPARATOR}", folder.path().display());
    text.replace(&folder, "")
}
