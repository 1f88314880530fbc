//! Why a call to an instance did not simply succeed.

use contact_model::hybrid::{EvaluationError, Severity};
use std::fmt;

/// How bad a [`Failure`] is; the order is that of FMI's status values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// The call did its work, yet the user should look at the message.
    Warning,
    /// The call changed nothing; other arguments may succeed.
    Discard,
    /// The call failed.
    Error,
}

/// The answer of a call that did not simply succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// How bad it is.
    pub degree: Degree,
    /// What was found, with names and numbers; what is allowed; what to do.
    pub message: String,
}

impl Failure {
    /// The call did its work, with this remark.
    pub fn warning(message: impl Into<String>) -> Self {
        Failure {
            degree: Degree::Warning,
            message: message.into(),
        }
    }

    /// The call changed nothing and may be tried with other arguments.
    pub fn discard(message: impl Into<String>) -> Self {
        Failure {
            degree: Degree::Discard,
            message: message.into(),
        }
    }

    /// The call failed.
    pub fn error(message: impl Into<String>) -> Self {
        Failure {
            degree: Degree::Error,
            message: message.into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<EvaluationError> for Failure {
    fn from(error: EvaluationError) -> Self {
        match error.severity {
            Severity::Discard => Failure::discard(error.message),
            Severity::Error | Severity::TooManySteps | Severity::StepTooSmall => {
                Failure::error(error.message)
            }
        }
    }
}
