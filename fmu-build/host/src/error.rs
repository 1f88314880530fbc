//! Status of a call, and errors of opening and running an FMU.

use fmu_core::instance::Standard;
use std::borrow::Borrow;
use std::ffi::c_int;
use thiserror::Error;

const MOST_MESSAGES: usize = 20;

/// Name of a version for messages, and prefix of the names in its headers.
pub(crate) fn words(standard: Standard) -> (&'static str, &'static str) {
    match standard {
        Standard::Fmi2 => ("FMI 2.0", "fmi2"),
        Standard::Fmi3 => ("FMI 3.0", "fmi3"),
    }
}

/// Status of a call: `fmi2Status` and `fmi3Status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok,
    /// Success with a warning; the result can be used.
    Warning,
    /// No result for these arguments; others may succeed.
    Discard,
    /// The instance cannot continue.
    Error,
    /// No instance of this FMU can continue.
    Fatal,
    /// Asynchronous call in progress; FMI 2.0.
    Pending,
    /// Number outside the standard.
    Unknown(c_int),
}

impl Status {
    pub(crate) fn from_number(standard: Standard, number: c_int) -> Status {
        match number {
            0 => Status::Ok,
            1 => Status::Warning,
            2 => Status::Discard,
            3 => Status::Error,
            4 => Status::Fatal,
            5 if standard == Standard::Fmi2 => Status::Pending,
            other => Status::Unknown(other),
        }
    }

    /// Name in the header of a version: `fmi3Discard`.
    pub(crate) fn name(self, standard: Standard) -> String {
        let (version, prefix) = words(standard);
        let word = match self {
            Status::Ok => "OK",
            Status::Warning => "Warning",
            Status::Discard => "Discard",
            Status::Error => "Error",
            Status::Fatal => "Fatal",
            Status::Pending => "Pending",
            Status::Unknown(number) => {
                return format!("status {number}, which {version} does not know");
            }
        };
        format!("{prefix}{word}")
    }
}

/// Error of opening or running an FMU. The texts do not name the FMU's file, which the caller knows.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum HostError {
    /// Reason why the archive cannot be read or unpacked.
    #[error("{0}")]
    Archive(String),
    /// Reason why modelDescription.xml cannot be read.
    #[error("modelDescription.xml: {0}")]
    Description(String),
    /// The FMU has this other FMI version.
    #[error(
        "this is an FMU of FMI version {0:?}; only FMI 2.0 and FMI 3.0 can be used, export it as one of them"
    )]
    Version(String),
    /// The FMU has no binary for this platform.
    #[error(
        "no {wanted} in it; it has {}",
        joined("binaries for ", present, "no binaries")
    )]
    NoBinary {
        /// Expected path inside the FMU.
        wanted: String,
        /// Platforms with binaries in the FMU.
        present: Vec<String>,
    },
    /// Missing interface type as text, and the existing ones.
    #[error("has no {}; it has {}", .0, joined("", .1, "no interface type"))]
    NoInterface(&'static str, Vec<&'static str>),
    /// The binary cannot be loaded: path inside the FMU, reason.
    #[error("cannot load {0}: {1}")]
    Library(String, String),
    /// The binary lacks a function of the standard.
    #[error("{inside} lacks {function}, which {} asks for", words(*standard).0)]
    MissingFunction {
        /// Path of the binary inside the FMU.
        inside: String,
        /// Name of the function.
        function: String,
        /// FMI version that requires it.
        standard: Standard,
    },
    /// A call returned a status that ends the run, or no instance.
    #[error(
        "{function} returned {}; the FMU {}",
        status.map_or("no instance".into(), |status| status.name(*standard)),
        said(messages)
    )]
    Call {
        /// Name of the function.
        function: &'static str,
        /// FMI version of the FMU.
        standard: Standard,
        /// Status; `None` for an instantiation that returned no instance.
        status: Option<Status>,
        /// Last messages of the FMU.
        messages: Vec<String>,
    },
    /// Reason why the input table does not fit the FMU or the run.
    #[error("{0}")]
    Inputs(String),
    /// Failed run, with further messages logged by the FMU: warnings, discards and errors.
    #[error("{}\nmessages of the FMU: {}{}", .0, .1.len(), listed(.1))]
    Logged(Box<HostError>, Vec<String>),
    /// Time, step or tolerance out of range, as text; nothing has been called.
    #[error("{0}")]
    Argument(String),
    /// Impossible request, or violation of the standard by the FMU, as text.
    #[error("{0}")]
    Run(String),
}

impl HostError {
    /// Adds the messages that its text does not contain, unless it is about an input table.
    pub(crate) fn with_messages(self, mut messages: Vec<String>) -> HostError {
        let text = self.to_string();
        messages.retain(|message| !text.contains(message.as_str()));
        if messages.is_empty() || matches!(self, HostError::Inputs(_)) {
            return self;
        }
        HostError::Logged(Box::new(self), messages)
    }
}

/// Lists the items after `head`, or gives `none`.
fn joined(head: &str, items: &[impl Borrow<str>], none: &str) -> String {
    match items {
        [] => format!("{none} at all"),
        some => format!("{head}{}", some.join(", ")),
    }
}

fn said(messages: &[String]) -> String {
    match messages {
        [] => "logged no reason".into(),
        some => format!("says: {}", some.join("; ")),
    }
}

fn listed(messages: &[String]) -> String {
    let first = messages.iter().take(MOST_MESSAGES);
    let mut text: String = first.map(|message| format!("\n  {message}")).collect();
    if let more @ 1.. = messages.len().saturating_sub(MOST_MESSAGES) {
        text += &format!("\n  and {more} more");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_binary_names_the_platforms_that_are_there() {
        let mut error = HostError::NoBinary {
            wanted: "binaries/x86_64-linux/a.so".into(),
            present: vec!["x86_64-windows".into(), "aarch64-darwin".into()],
        };
        assert_eq!(
            error.to_string(),
            "no binaries/x86_64-linux/a.so in it; it has binaries for x86_64-windows, \
             aarch64-darwin"
        );
        if let HostError::NoBinary { present, .. } = &mut error {
            present.clear();
        }
        assert!(error.to_string().ends_with("it has no binaries at all"));
    }

    #[test]
    fn a_failed_call_says_function_status_and_what_the_fmu_logged() {
        let error = HostError::Call {
            function: "fmi3DoStep",
            standard: Standard::Fmi3,
            status: Some(Status::Discard),
            messages: vec!["step too long".into(), "gave up".into()],
        };
        assert_eq!(
            error.to_string(),
            "fmi3DoStep returned fmi3Discard; the FMU says: step too long; gave up"
        );
    }
    /// The numbers of the enumerations in fmi2FunctionTypes.h and fmi3FunctionTypes.h.
    #[test]
    fn a_status_has_the_name_of_its_version() {
        let name = |standard, number| Status::from_number(standard, number).name(standard);
        assert_eq!(name(Standard::Fmi2, 0), "fmi2OK");
        assert_eq!(name(Standard::Fmi3, 3), "fmi3Error");
        assert_eq!(name(Standard::Fmi2, 5), "fmi2Pending");
        assert_eq!(
            name(Standard::Fmi3, 5),
            "status 5, which FMI 3.0 does not know"
        );
    }
}
