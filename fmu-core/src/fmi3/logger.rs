//! Messages to the log function of an importer, [FMI 3.0] section 2.3.1, `logMessage`.

use super::types::{fmi3InstanceEnvironment, fmi3LogMessageCallback, fmi3Status};
use crate::instance::{Category, Degree, LogSink};
use std::ffi::CString;

/// Status that goes with a message or ends a call.
pub fn status(degree: Option<Degree>) -> fmi3Status {
    match degree {
        None => fmi3Status::fmi3OK,
        Some(Degree::Warning) => fmi3Status::fmi3Warning,
        Some(Degree::Discard) => fmi3Status::fmi3Discard,
        Some(Degree::Error) => fmi3Status::fmi3Error,
    }
}

/// The log function of an importer with its environment.
#[derive(Clone, Copy)]
pub struct Logger {
    function: fmi3LogMessageCallback,
    environment: fmi3InstanceEnvironment,
}

impl Logger {
    /// Messages to `function`, if there is one.
    ///
    /// # Safety
    /// `function` may be called with `environment` as long as this value or an instance that logs
    /// to it lives.
    pub unsafe fn new(
        function: fmi3LogMessageCallback,
        environment: fmi3InstanceEnvironment,
    ) -> Self {
        Logger {
            function,
            environment,
        }
    }

    /// As a sink for an instance.
    pub fn sink(self) -> Option<Box<dyn LogSink>> {
        self.function.is_some().then(|| Box::new(self) as _)
    }
}

impl LogSink for Logger {
    fn log(&self, degree: Option<Degree>, category: Category, message: &str) {
        let Some(function) = self.function else {
            return;
        };
        // `#` would start a reference to a variable; two stand for itself. A zero byte would end
        // the text.
        let message = message.replace('#', "##").replace('\0', "\\0");
        let (Ok(category), Ok(message)) = (CString::new(category.name()), CString::new(message))
        else {
            return;
        };
        // SAFETY: [FMI 3.0] section 2.3.1: the importer provides this function to be called with
        // its environment; the texts live until it returns.
        unsafe {
            function(
                self.environment,
                status(degree),
                category.as_ptr(),
                message.as_ptr(),
            );
        }
    }
}
