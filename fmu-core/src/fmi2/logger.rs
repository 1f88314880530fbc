//! Messages to the log function of an importer, [FMI 2.0] section 2.1.5, `logger`.

use super::types::{fmi2CallbackFunctions, fmi2Status};
use crate::border::guard::Status;
use crate::border::pointers::message_texts;
use crate::instance::{Category, Degree, LogSink};
use std::ffi::CString;
use std::rc::Rc;

/// The log function of an importer with its environment and the name of the instance.
pub struct Logger {
    functions: fmi2CallbackFunctions,
    name: CString,
}

impl Logger {
    /// Messages of the instance called `name` to the log function among `functions`, if there is
    /// one.
    ///
    /// # Safety
    /// The log function may be called with its environment as long as this value or an instance
    /// that logs to it lives.
    pub unsafe fn new(functions: fmi2CallbackFunctions, name: Option<&str>) -> Self {
        Logger {
            functions,
            name: CString::new(name.unwrap_or_default()).unwrap_or_default(),
        }
    }

    /// As a sink for an instance.
    pub fn sink(self) -> Option<Rc<dyn LogSink>> {
        self.functions.logger.is_some().then(|| Rc::new(self) as _)
    }
}

impl LogSink for Logger {
    fn log(&self, degree: Option<Degree>, category: Category, message: &str) {
        let Some(function) = self.functions.logger else {
            return;
        };
        let Some((category, message)) = message_texts(category, message) else {
            return;
        };
        // SAFETY: [FMI 2.0] section 2.1.5: the importer provides this function to be called with
        // its environment and a format of printf with its arguments; `%s` takes one text, so that
        // a `%` in the message stands for itself. The texts live until it returns.
        unsafe {
            function(
                self.functions.componentEnvironment,
                self.name.as_ptr(),
                fmi2Status::of(degree),
                category.as_ptr(),
                c"%s".as_ptr(),
                message.as_ptr(),
            );
        }
    }
}
