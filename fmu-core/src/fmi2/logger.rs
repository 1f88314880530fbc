//! Messages to the log function of an importer, [FMI 2.0] section 2.1.5, `logger`.
//!
//! The function takes a format of printf and its arguments. The text itself is the format here,
//! with `%%` for each percent sign, and there are no arguments: a log function that fills formats
//! in shows the text, and one that does not, as of a language without variadic functions, shows it
//! too, with percent signs doubled, where `%s` would show nothing else.

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
        let format = message.replace('%', "%%");
        let Some((category, format)) = message_texts(category, &format) else {
            return;
        };
        // SAFETY: [FMI 2.0] section 2.1.5: the importer provides this function to be called with
        // its environment and a format of printf with what it asks for, which is nothing: every `%`
        // in it is one of two. The texts live until it returns.
        unsafe {
            function(
                self.functions.componentEnvironment,
                self.name.as_ptr(),
                fmi2Status::of(degree),
                category.as_ptr(),
                format.as_ptr(),
            );
        }
    }
}
