//! Findings: errors in user input, with help. Written where they are found, in terms of scene-file keys.

use contact_geometry::math::Exact;
use std::fmt::Display;

/// Error in user input with help, without its location.
///
/// Created from a message, or from a message and help: `("x is given twice", "keep one of the two")`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// What was found and what is allowed.
    pub message: String,
    /// Remedies, one entry for each alternative; an entry of several lines shows lines to write.
    pub help: Vec<String>,
}

impl Finding {
    /// Finding for a value outside its range; `unit` is empty for a plain number, `allowed` for example `>
    /// 0`.
    pub fn out_of_range(
        quantity: impl Display,
        value: f64,
        unit: &str,
        allowed: impl Display,
    ) -> Self {
        let value = Exact(value);
        let space = if unit.is_empty() { "" } else { " " };
        format!("{quantity} is {value}{space}{unit}; must be {allowed}").into()
    }

    /// Prefixes the message with a subject, such as the name of the item.
    #[must_use]
    pub fn of(mut self, subject: &str) -> Self {
        self.message.insert_str(0, subject);
        self
    }

    /// Adds an alternative remedy.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Message and help, separated by semicolons.
    pub fn in_one_line(&self) -> String {
        let texts = [&self.message].into_iter().chain(&self.help);
        texts.cloned().collect::<Vec<_>>().join("; ")
    }
}

impl From<String> for Finding {
    fn from(message: String) -> Self {
        Finding {
            message,
            help: Vec::new(),
        }
    }
}

impl From<&str> for Finding {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl<M: Into<String>, H: Into<String>> From<(M, H)> for Finding {
    fn from((message, help): (M, H)) -> Self {
        Finding::from(message.into()).with_help(help)
    }
}
