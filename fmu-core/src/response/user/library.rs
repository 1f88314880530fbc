//! Loads a shared library with laws of the user and calls its functions. The only place of these
//! laws that is not safe Rust: everything rests on the library keeping to the interface, as an FMU
//! is trusted by whoever runs it.
//!
//! A function keeps its library loaded; the library goes when its last function goes.
#![allow(unsafe_code)]

use crate::response::user::interface::{CONTACT_LAW_VERSION, ContactLawInput, ContactLawOutput};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// Name of the function that returns the version.
const VERSION_SYMBOL: &str = "contact_law_version";

/// A library, loaded.
#[derive(Debug)]
pub struct UserLibrary {
    file: String,
    library: libloading::Library,
}

/// A function of a library, or why there is none.
#[derive(Clone, Debug)]
pub struct UserFunction {
    file: String,
    symbol: String,
    code: Result<Code, String>,
}

/// Prototype of normal and friction functions.
type Force = unsafe extern "C" fn(*const ContactLawInput, *mut ContactLawOutput) -> i32;
/// Prototype of `contact_law_version`.
type Version = unsafe extern "C" fn() -> u32;

#[derive(Clone, Debug)]
struct Code {
    call: Force,
    /// Keeps the code in memory.
    _library: Arc<UserLibrary>,
}

impl UserLibrary {
    /// Loads a library and asks for its version.
    ///
    /// # Errors
    /// The system does not load it, it returns no version, or another one; the text holds file,
    /// symbol, found and wanted version.
    pub fn open(path: &Path) -> Result<Arc<Self>, String> {
        let file = path.display().to_string();
        if !path.is_file() {
            return Err(format!(
                "user library {file}: there is no such file; wanted are contact laws of version \
                 {CONTACT_LAW_VERSION}"
            ));
        }
        // A bare file name would be looked for among the libraries of the system.
        let library = std::path::absolute(path)
            .map_err(|error| error.to_string())
            .and_then(|path| load(&path).map_err(|error| in_full(&error)))
            .map_err(|error| format!("user library {file} cannot be loaded: {error}"))?;
        let library = UserLibrary { file, library };
        // SAFETY: the prototype of the interface.
        let version: Version = unsafe { library.find(VERSION_SYMBOL)? };
        // SAFETY: it takes nothing and touches nothing of ours.
        let found = unsafe { version() };
        if found != CONTACT_LAW_VERSION {
            return Err(format!(
                "user library {}: {VERSION_SYMBOL} returns {found}, expected is \
                 {CONTACT_LAW_VERSION}; compile it with the contact_law.h of that version",
                library.file
            ));
        }
        Ok(Arc::new(library))
    }

    /// A normal or friction function.
    ///
    /// # Errors
    /// There is no such symbol; the text holds file and symbol.
    pub fn function(self: &Arc<Self>, symbol: &str) -> Result<UserFunction, String> {
        // SAFETY: that a symbol named in a scene is a function of the interface is what the user
        // states with it; nothing in a shared library could prove it.
        let call: Force = unsafe { self.find(symbol)? };
        Ok(UserFunction {
            file: self.file.clone(),
            symbol: symbol.into(),
            code: Ok(Code {
                call,
                _library: Arc::clone(self),
            }),
        })
    }

    /// A symbol.
    ///
    /// # Safety
    /// `T` is a pointer to a function with the prototype of the symbol; it is not used after the
    /// library is closed.
    unsafe fn find<T: Copy>(&self, symbol: &str) -> Result<T, String> {
        // SAFETY: as the caller promises.
        let found = unsafe { self.library.get::<T>(symbol.as_bytes()) };
        found.map(|found| *found).map_err(|error| {
            format!(
                "user library {} has no function {symbol} (version {CONTACT_LAW_VERSION} of \
                 contact_law.h is wanted): {}",
                self.file,
                in_full(&error)
            )
        })
    }
}

impl UserFunction {
    /// A function that is not there: it refuses every call, with this reason.
    pub fn missing(file: &str, symbol: &str, reason: impl Into<String>) -> Self {
        UserFunction {
            file: file.into(),
            symbol: symbol.into(),
            code: Err(reason.into()),
        }
    }

    /// The file, as it was loaded.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Its name.
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// Calls it; what it computes is in the output.
    ///
    /// # Errors
    /// Another return value than 0; none if there is no function.
    #[inline]
    pub fn call(
        &self,
        input: &ContactLawInput,
        output: &mut ContactLawOutput,
    ) -> Result<(), Option<i32>> {
        let Ok(code) = &self.code else {
            return Err(None);
        };
        // SAFETY: the library is loaded. Both pointers are valid, and of the structures that the
        // version of the library promises to expect.
        match unsafe { (code.call)(input, output) } {
            0 => Ok(()),
            other => Err(Some(other)),
        }
    }

    /// Why there is no function; none if there is one.
    pub fn reason_missing(&self) -> Option<&str> {
        self.code.as_ref().err().map(String::as_str)
    }
}

/// An error with what the system says of it, which its own text leaves out.
fn in_full(error: &libloading::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// Loads a library with all its symbols bound: one that is missing is reported now, and does not
/// end the process at the first call.
#[cfg(unix)]
fn load(path: &Path) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: loading runs the initialisers of the library. The user has put it into the FMU, and
    // an FMU is code: there is no way to run one without trusting it.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
}

#[cfg(not(unix))]
fn load(path: &Path) -> Result<libloading::Library, libloading::Error> {
    // SAFETY: loading runs the initialisers of the library. The user has put it into the FMU, and
    // an FMU is code: there is no way to run one without trusting it.
    unsafe { libloading::Library::new(path) }
}
