//! What is found wrong, and what to do about it, before it is known where.

use super::walker::Span;

/// What is wrong and what to do, of a place that is known already.
///
/// Made of a text alone, or of a text and what to do: `("x is given twice", "keep one of the two")`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// What was found, what is allowed.
    pub message: String,
    /// What to do, one entry for each way; an entry of several lines shows lines to write.
    pub help: Vec<String>,
    /// Other places that have to do with it, and what is there.
    pub related: Vec<(Span, String)>,
}

impl Finding {
    /// The same with a text before the message, such as the name of the item.
    pub fn of(mut self, subject: &str) -> Self {
        self.message.insert_str(0, subject);
        self
    }

    /// The message and what to do, separated by semicolons.
    pub fn in_one_line(&self) -> String {
        let texts = [&self.message].into_iter().chain(&self.help);
        texts.cloned().collect::<Vec<_>>().join("; ")
    }

    /// The same with another way to help it.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The same with another place that has to do with it.
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }
}

impl From<String> for Finding {
    fn from(message: String) -> Self {
        Finding {
            message,
            ..Finding::default()
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
