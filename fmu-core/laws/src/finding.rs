//! What is wrong with what a user wrote, and what to do about it. It is written where it is found: texts
//! name the keys of scene files.

use contact_geometry::math::Exact;
use std::fmt::Display;

/// What is wrong and what to do, without the place.
///
/// Made of a text alone, or of a text and what to do: `("x is given twice", "keep one of the two")`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// What was found, what is allowed.
    pub message: String,
    /// What to do, one entry for each way; an entry of several lines shows lines to write.
    pub help: Vec<String>,
}

impl Finding {
    /// A number with its unit, empty for a plain number, and what is allowed: `> 0`.
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

    /// The same with a text before the message, such as the name of the item.
    #[must_use]
    pub fn of(mut self, subject: &str) -> Self {
        self.message.insert_str(0, subject);
        self
    }

    /// The same with another way to help it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The message and what to do, separated by semicolons.
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
