//! Creates and frees an instance. Failures are written to the log of the importer.

use super::guard::panic_text;
use crate::instance::resources;
use crate::instance::{Failure, Instance, Log, LogSink, Options};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::Rc;

/// What an importer says when it makes an instance.
pub struct Request {
    /// Name of the instance; must not be blank.
    pub name: Option<String>,
    /// Token from the model description.
    pub token: Option<String>,
    /// Folder of the resources, none where the importer names none; or why its words name none.
    pub resources: Result<Option<PathBuf>, String>,
    /// The importer wants information too, not only failures.
    pub logging_on: bool,
    /// The log function of the importer.
    pub sink: Option<Rc<dyn LogSink>>,
}

/// The new instance, a `Box<Instance>`; or null and a message that says why, logged like an error
/// with logging on or off. `function` is the name of the C function.
pub fn instantiate(function: &str, request: Request, options: Options) -> *mut c_void {
    let sink = request.sink.clone();
    let reason = match catch_unwind(AssertUnwindSafe(|| make(request, options))) {
        Ok(Ok(instance)) => return Box::into_raw(Box::new(instance)).cast(),
        Ok(Err(reason)) => reason,
        Err(payload) => format!(
            "failed inside this library, please report it: {}",
            panic_text(&*payload)
        ),
    };
    refuse(function, sink, reason)
}

/// Logs why there is no instance. Returns null.
pub fn refuse(
    function: &str,
    sink: Option<Rc<dyn LogSink>>,
    reason: impl Into<String>,
) -> *mut c_void {
    Log::new(sink, false).failure(function, &Failure::error(reason));
    std::ptr::null_mut()
}

fn make(request: Request, options: Options) -> Result<Instance, String> {
    // [FMI 3.0] section 2.3.1: at least one character that is not a white space. FMI 2.0 says the
    // same in section 2.1.5.
    if request.name.is_none_or(|name| name.trim().is_empty()) {
        return Err("argument instanceName is null or blank; give the instance a name".into());
    }
    let found = resources::load(request.resources?.as_deref(), request.token.as_deref())?;
    let log = Log::new(request.sink, request.logging_on);
    Instance::new(options, found, log).map_err(|failure| failure.message)
}

/// Frees an instance; null is ignored.
///
/// # Safety
/// The pointer is null or comes from [`instantiate`] and was not freed; nobody uses the instance
/// any more.
pub unsafe fn free(instance: *mut c_void) {
    if instance.is_null() {
        return;
    }
    // SAFETY: made by `Box::into_raw` in `instantiate`, by the contract above.
    let instance = unsafe { Box::from_raw(instance.cast::<Instance>()) };
    // Whatever happens, it must not unwind into the importer.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(instance)));
}
