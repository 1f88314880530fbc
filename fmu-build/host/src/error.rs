//! The status of a call, and why an FMU could not be opened or run.

use fmu_core::instance::Standard;
use std::borrow::Borrow;
use std::ffi::c_int;
use thiserror::Error;

/// Messages that such an error repeats at most.
const MOST_MESSAGES: usize = 20;

/// Name of a version for messages, and how the names in its headers start.
pub(crate) fn words(standard: Standard) -> (&'static str, &'static str) {
    match standard {
        Standard::Fmi2 => ("FMI 2.0", "fmi2"),
        Standard::Fmi3 => ("FMI 3.0", "fmi3"),
    }
}

/// `fmi2Status` and `fmi3Status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All is well.
    Ok,
    /// Something is odd; the result can be used.
    Warning,
    /// The arguments have no result; others may have one.
    Discard,
    /// The instance cannot go on.
    Error,
    /// No instance of this FMU can go on.
    Fatal,
    /// The call goes on after its return; FMI 2.0.
    Pending,
    /// A number that the standard does not know.
    Unknown(c_int),
}

impl Status {
    /// The status behind a number.
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

/// Why an FMU could not be opened or run. The texts do not name the FMU's file: whoever opened it
/// knows it.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum HostError {
    /// The archive cannot be read or unpacked, for this reason.
    #[error("{0}")]
    Archive(String),
    /// modelDescription.xml cannot be read, for this reason.
    #[error("modelDescription.xml: {0}")]
    Description(String),
    /// The FMU is of this other FMI version.
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
        /// What was looked for, a path inside the FMU.
        wanted: String,
        /// Platforms that the FMU has binaries for.
        present: Vec<String>,
    },
    /// The FMU does not have this interface type, in words, but those.
    #[error("has no {}; it has {}", .0, joined("", .1, "no interface type"))]
    NoInterface(&'static str, Vec<&'static str>),
    /// The binary cannot be loaded: path inside the FMU, reason.
    #[error("cannot load {0}: {1}")]
    Library(String, String),
    /// The binary lacks a function of the standard.
    #[error("{inside} lacks {function}, which {} asks for", words(*standard).0)]
    MissingFunction {
        /// The binary, a path inside the FMU.
        inside: String,
        /// The function.
        function: String,
        /// The version that asks for it.
        standard: Standard,
    },
    /// A call returned a status that ends the run, or no instance.
    #[error(
        "{function} returned {}; the FMU {}",
        status.map_or("no instance".into(), |status| status.name(*standard)),
        said(messages)
    )]
    Call {
        /// The function of the standard.
        function: &'static str,
        /// FMI version of the FMU.
        standard: Standard,
        /// Its status; none for an instantiation that returned no instance.
        status: Option<Status>,
        /// Last messages of the FMU.
        messages: Vec<String>,
    },
    /// The table of inputs does not fit the FMU or the run, for this reason.
    #[error("{0}")]
    Inputs(String),
    /// The run failed with this error, without these messages that the FMU logged: warnings,
    /// discards and errors.
    #[error("{}\nmessages of the FMU: {}{}", .0, .1.len(), listed(.1))]
    Logged(Box<HostError>, Vec<String>),
    /// What was asked for cannot be done, or the FMU breaks a rule: in words.
    #[error("{0}")]
    Run(String),
}

impl HostError {
    /// The same error with the messages that its text does not have; one about a table of inputs
    /// stays as it is, since it is not of the FMU.
    pub(crate) fn with_messages(self, mut messages: Vec<String>) -> HostError {
        let text = self.to_string();
        messages.retain(|message| !text.contains(message.as_str()));
        if messages.is_empty() || matches!(self, HostError::Inputs(_)) {
            return self;
        }
        HostError::Logged(Box::new(self), messages)
    }
}

/// The items behind `head`; without one that there are none at all.
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

/// The first messages, one a line.
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
