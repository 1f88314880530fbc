//! Messages to the log function of an importer, [FMI 3.0] section 2.3.1, `logMessage`.

use super::types::{fmi3InstanceEnvironment, fmi3LogMessageCallback, fmi3Status};
use crate::border::guard::Status;
use crate::border::pointers::message_texts;
use crate::instance::{Category, Degree, LogSink};
use std::rc::Rc;

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
    pub fn sink(self) -> Option<Rc<dyn LogSink>> {
        self.function.is_some().then(|| Rc::new(self) as _)
    }
}

impl LogSink for Logger {
    fn log(&self, degree: Option<Degree>, category: Category, message: &str) {
        let Some(function) = self.function else {
            return;
        };
        let Some((category, message)) = message_texts(category, message) else {
            return;
        };
        // SAFETY: [FMI 3.0] section 2.3.1: the importer provides this function to be called with
        // its environment; the texts live until it returns.
        unsafe {
            function(
                self.environment,
                fmi3Status::of(degree),
                category.as_ptr(),
                message.as_ptr(),
            );
        }
    }
}
