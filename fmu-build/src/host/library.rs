//! The binary of an FMU, loaded.
#![allow(unsafe_code)]

use super::c_api::{CoSimulationFunctions, Common, Getter, ModelExchangeFunctions, find};
use super::error::HostError;
use super::logger::text_at;
use std::path::Path;
use std::rc::Rc;
use tempfile::TempDir;

/// A loaded binary and the functions that every interface type has.
pub struct Library {
    inside: String,
    common: Common,
    // Dropped after the functions above are out of reach, and before the folder of the file.
    library: libloading::Library,
    folder: Rc<TempDir>,
}

impl Library {
    /// Loads the file `inside` of an unpacked FMU.
    ///
    /// # Errors
    /// The system does not load it; a function is missing; it is of another FMI version.
    pub(super) fn open(folder: &Rc<TempDir>, inside: String) -> Result<Library, HostError> {
        let path = folder.path().join(&inside);
        // SAFETY: loading runs the initialisers of the library. The user asked for this FMU to be
        // run, and an FMU is code: there is no way to run one without trusting it.
        let library = unsafe { libloading::Library::new(&path) }
            .map_err(|e| HostError::Library(inside.clone(), e.to_string()))?;
        // SAFETY: the model description says that this is an FMI 3 binary, so its functions have
        // the prototypes of the standard. The table lives beside the library.
        let common = unsafe { Common::find(&library, &inside)? };
        // SAFETY: [FMI 3.0] 2.2.4: the function may be called at any time and answers with a
        // null-terminated string that the FMU owns.
        let version = unsafe { text_at((common.get_version)()) };
        if version.split('.').next() != Some("3") {
            let reason = format!("fmi3GetVersion answers {version:?}; it must be 3.0");
            return Err(HostError::Library(inside, reason));
        }
        Ok(Library {
            inside,
            common,
            library,
            folder: Rc::clone(folder),
        })
    }

    /// Functions of every interface type.
    pub(super) fn common(&self) -> &Common {
        &self.common
    }

    /// Folder that the FMU is unpacked in.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Functions of Model Exchange.
    pub(super) fn model_exchange(&self) -> Result<ModelExchangeFunctions, HostError> {
        // SAFETY: as in `open`; instances keep the library.
        unsafe { ModelExchangeFunctions::find(&self.library, &self.inside) }
    }

    /// Functions of Co-Simulation.
    pub(super) fn co_simulation(&self) -> Result<CoSimulationFunctions, HostError> {
        // SAFETY: as in `open`; instances keep the library.
        unsafe { CoSimulationFunctions::find(&self.library, &self.inside) }
    }

    /// A function that reads values of type `T`.
    ///
    /// # Safety
    /// `name` is the getter of the standard for values of type `T`; it is not used after the
    /// library is closed.
    pub(super) unsafe fn getter<T>(&self, name: &str) -> Result<Getter<T>, HostError> {
        // SAFETY: as the caller promises.
        unsafe { find(&self.library, &self.inside, name) }
    }
}
