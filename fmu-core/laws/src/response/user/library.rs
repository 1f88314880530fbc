//! Loads a shared library with user-defined laws and calls its functions. The only unsafe Rust of these laws:
//! all rests on the library adhering to the interface, just as whoever runs an FMU trusts it.
//!
//! A function keeps its library loaded; the library is closed with its last function.
#![allow(unsafe_code)]

use crate::response::user::interface::{CONTACT_LAW_VERSION, ContactLawInput, ContactLawOutput};
use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

const VERSION_SYMBOL: &str = "contact_law_version";

/// Loaded library of user-defined laws.
#[derive(Debug)]
pub struct UserLibrary {
    file: String,
    library: libloading::Library,
}

/// Function of a library, or the reason why it is missing.
#[derive(Clone, Debug)]
pub struct UserFunction {
    file: String,
    symbol: String,
    code: Result<Code, String>,
}

type Force = unsafe extern "C" fn(*const ContactLawInput, *mut ContactLawOutput) -> i32;
type Version = unsafe extern "C" fn() -> u32;

#[derive(Clone, Debug)]
struct Code {
    call: Force,
    /// Keeps the code in memory.
    _library: Arc<UserLibrary>,
}

impl UserLibrary {
    /// Loads a library and checks its version.
    ///
    /// # Errors
    /// The system cannot load it, it returns no version, or another one; the text gives file, symbol, actual
    /// and expected version.
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
            .and_then(|path| check_whole(&path).map(|()| path))
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

    /// Normal or friction function.
    ///
    /// # Errors
    /// There is no such symbol; the text gives file and symbol.
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

    /// Finds a symbol.
    ///
    /// # Safety
    /// `T` is a pointer to a function with the prototype of the symbol; it is not used after the library is
    /// closed.
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
    /// Missing function, which refuses every call with this reason.
    pub fn missing(file: &str, symbol: &str, reason: impl Into<String>) -> Self {
        UserFunction {
            file: file.into(),
            symbol: symbol.into(),
            code: Err(reason.into()),
        }
    }

    /// File as it was loaded.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    pub(crate) fn symbol(&self) -> &str {
        &self.symbol
    }

    /// Calls the function, which fills the output.
    ///
    /// # Errors
    /// Return value other than 0; `None` without a function.
    #[inline]
    pub(crate) fn call(
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

    pub(crate) fn reason_missing(&self) -> Option<&str> {
        self.code.as_ref().err().map(String::as_str)
    }
}

/// Refuses a 64-bit ELF file whose segments extend beyond its end: Linux maps it all the same, and kills the
/// process that touches the missing part (SIGBUS). Other systems check it themselves. Offsets by the ELF
/// specification: class at 4, byte order at 5, e_phoff at 32, e_phentsize at 54, e_phnum at 56; of a program
/// header p_offset at 8, p_filesz at 32.
fn check_whole(path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let cut_off = |what: String| {
        Err(io::Error::other(format!(
            "the file is cut off or damaged: it has {size} bytes, but {what}; copy or compile it again"
        )))
    };
    let mut head = [0; 64];
    if size < head.len() as u64 {
        return cut_off(format!("a library has {} at least", head.len()));
    }
    file.read_exact(&mut head)?;
    if head[..6] != *b"\x7fELF\x02\x01" {
        return Ok(());
    }
    let [at, each, count] = [(32, 8), (54, 2), (56, 2)].map(|(at, n)| number(&head[at..at + n]));
    if at.saturating_add(each * count) > size {
        return cut_off(format!(
            "its program headers are {} from byte {at}",
            each * count
        ));
    }
    let mut headers = vec![0; usize::try_from(each * count).unwrap_or(0)];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut headers)?;
    let headers = headers.chunks_exact(usize::try_from(each.max(56)).unwrap_or(56));
    for (index, header) in headers.enumerate() {
        let [start, length] = [8, 32].map(|at| number(&header[at..at + 8]));
        if start.saturating_add(length) > size {
            return cut_off(format!(
                "segment {index} is {length} bytes from byte {start}"
            ));
        }
    }
    Ok(())
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, byte| 256 * sum + u64::from(*byte))
}

/// Error with the system's message, which its own text leaves out.
fn in_full(error: &libloading::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// Loads a library with all its symbols bound: a missing one is reported now and does not kill the process at
/// the first call.
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_library_cut_off_anywhere_is_refused_before_it_is_loaded() {
        let whole = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let name = format!("cut_off_library_{}.so", std::process::id());
        let path = std::env::temp_dir().join(name);
        for kept in [0, 1, 63, 64, 300, whole.len() / 7, whole.len() / 2] {
            std::fs::write(&path, &whole[..kept]).unwrap();
            let error = UserLibrary::open(&path).unwrap_err();
            let is_told = error.contains("cut off") && error.contains(&format!("{kept} bytes"));
            assert!(is_told, "{kept}: {error}");
        }
        std::fs::write(&path, &whole).unwrap();
        assert!(check_whole(&path).is_ok());
        std::fs::remove_file(&path).unwrap();
    }
}
