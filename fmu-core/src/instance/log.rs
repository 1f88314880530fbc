//! Log messages of an instance, by category. A message is formatted only if the category is on.

use contact_model::hybrid::{EvaluationError, Severity};
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use thiserror::Error;

/// Number of discards reported per run with logging off. The first has the reason, and a solver that tries
/// shorter steps may discard without end.
const MOST_DISCARDS: u32 = 10;

/// Log category of modelDescription.xml.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Events and their changes.
    Events,
    /// Contacts that start and end.
    Contacts,
    /// Work of the integrator in Co-Simulation.
    Integrator,
    /// Progress of the integrator inside communication steps, and the limit of its steps.
    Progress,
    /// Mode changes of the instance.
    States,
    /// Failed calls.
    Errors,
}

impl Category {
    /// All categories, in the order of modelDescription.xml.
    pub const ALL: [Category; 6] = [
        Category::Events,
        Category::Contacts,
        Category::Integrator,
        Category::Progress,
        Category::States,
        Category::Errors,
    ];

    /// Name in modelDescription.xml and in calls of the logger.
    pub fn name(self) -> &'static str {
        match self {
            Category::Events => "events",
            Category::Contacts => "contacts",
            Category::Integrator => "integrator",
            Category::Progress => "progress",
            Category::States => "states",
            Category::Errors => "errors",
        }
    }

    /// The category with this name.
    pub fn from_name(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|c| c.name() == name)
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Receiver of messages.
pub trait LogSink {
    /// Takes one message. `degree` is `None` for plain information.
    fn log(&self, degree: Option<Degree>, category: Category, message: &str);
}

/// Log with its switches and its receiver.
pub struct Log {
    sink: Option<Rc<dyn LogSink>>,
    enabled: u8,
    /// Discards reported with logging off since the run was set up.
    discards: Cell<u32>,
}

impl Log {
    /// Log to `sink`, with all categories on or off.
    pub fn new(sink: Option<Rc<dyn LogSink>>, logging_on: bool) -> Self {
        Log {
            sink,
            enabled: if logging_on { u8::MAX } else { 0 },
            discards: Cell::new(0),
        }
    }

    /// Switches only these categories on, or switches these off; an empty list means all.
    pub(crate) fn switch(&mut self, on: bool, categories: &[Category]) {
        let bits = match categories {
            [] => u8::MAX,
            some => some.iter().fold(0, |bits, c| bits | c.bit()),
        };
        self.enabled = if on { bits } else { self.enabled & !bits };
    }

    /// Returns true if plain information of this category is logged.
    pub(crate) fn hears(&self, category: Category) -> bool {
        self.sink.is_some() && self.enabled & category.bit() != 0
    }

    /// Logs information; `message` is called only if the category is on.
    pub(crate) fn info<M: fmt::Display>(&self, category: Category, message: impl FnOnce() -> M) {
        self.say(None, category, message);
    }

    /// Logs a warning about a call that succeeded; `message` is called only if the category is on.
    pub(crate) fn warning<M: fmt::Display>(&self, category: Category, message: impl FnOnce() -> M) {
        self.say(Some(Degree::Warning), category, message);
    }

    fn say<M: fmt::Display>(
        &self,
        degree: Option<Degree>,
        category: Category,
        message: impl FnOnce() -> M,
    ) {
        if let (Some(sink), true) = (&self.sink, self.hears(category)) {
            sink.log(degree, category, &message().to_string());
        }
    }

    /// Logs a failure of the call named `call`.
    ///
    /// Warnings respect the switches. An error is reported even with logging off, since the user needs the
    /// reason: so [FMI 2.0] section 2.1.3, while by [FMI 3.0] section 2.2.3 errors "should" respect the
    /// switches too. The first ten discards of a run are also reported, although by [FMI 2.0] only "in debug
    /// mode": importers show nothing else of them, and they are the reason of a failed step.
    pub(crate) fn failure(&self, call: &str, failure: &Failure) {
        let Some(sink) = &self.sink else { return };
        let mut remark = "";
        if !self.hears(Category::Errors) {
            match failure.degree {
                Degree::Error => {}
                Degree::Discard if self.discards.get() < MOST_DISCARDS => {
                    self.discards.set(self.discards.get() + 1);
                    if self.discards.get() == MOST_DISCARDS {
                        remark = " (further discards are reported with logging on only)";
                    }
                }
                _ => return,
            }
        }
        let message = format!("{call}: {}{remark}", failure.message);
        sink.log(Some(failure.degree), Category::Errors, &message);
    }

    pub(crate) fn start_run(&self) {
        self.discards.set(0);
    }
}

/// Severity of a [`Failure`]; the order is that of FMI's status values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// The call succeeded with a remark for the user.
    Warning,
    /// The call changed nothing; other arguments may succeed.
    Discard,
    /// The call failed.
    Error,
}

/// Result of a call that did not simply succeed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Failure {
    /// Severity.
    pub degree: Degree,
    /// Finding with names and numbers; what is allowed; what to do.
    pub message: String,
}

impl Failure {
    pub(crate) fn warning(message: impl Into<String>) -> Self {
        Failure {
            degree: Degree::Warning,
            message: message.into(),
        }
    }

    pub(crate) fn discard(message: impl Into<String>) -> Self {
        Failure {
            degree: Degree::Discard,
            message: message.into(),
        }
    }

    pub(crate) fn error(message: impl Into<String>) -> Self {
        Failure {
            degree: Degree::Error,
            message: message.into(),
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[derive(Clone, Default)]
    struct Kept(Rc<RefCell<Vec<String>>>);

    impl LogSink for Kept {
        fn log(&self, degree: Option<Degree>, category: Category, message: &str) {
            let line = format!("{degree:?} {} {message}", category.name());
            self.0.borrow_mut().push(line);
        }
    }

    #[test]
    fn a_message_that_is_not_logged_is_not_formatted() {
        let log = Log::new(Some(Rc::new(Kept::default())), false);
        log.info(Category::Events, || -> String { panic!("formatted") });
        let silent = Log::new(None, true);
        silent.info(Category::Events, || -> String { panic!("formatted") });
    }

    #[test]
    fn with_logging_off_errors_and_the_first_discards_are_reported_and_warnings_are_not() {
        let kept = Kept::default();
        let log = Log::new(Some(Rc::new(kept.clone())), false);
        for _ in 0..2 {
            log.failure("call", &Failure::warning("w"));
            for _ in 0..11 {
                log.failure("call", &Failure::discard("d"));
            }
            log.failure("call", &Failure::error("e"));
            let mut reported = vec!["Some(Discard) errors call: d".to_owned(); 9];
            reported.push(
                "Some(Discard) errors call: d (further discards are reported with logging on only)"
                    .into(),
            );
            reported.push("Some(Error) errors call: e".into());
            assert_eq!(std::mem::take(&mut *kept.0.borrow_mut()), reported);
            log.start_run();
        }
    }

    #[test]
    fn with_logging_on_every_discard_is_reported() {
        let kept = Kept::default();
        let log = Log::new(Some(Rc::new(kept.clone())), true);
        for _ in 0..20 {
            log.failure("call", &Failure::discard("d"));
        }
        assert_eq!(*kept.0.borrow(), vec!["Some(Discard) errors call: d"; 20]);
    }

    #[test]
    fn one_category_can_be_heard_alone() {
        let kept = Kept::default();
        let mut log = Log::new(Some(Rc::new(kept.clone())), true);
        log.switch(true, &[Category::Contacts]);
        log.info(Category::Events, || "event");
        log.info(Category::Contacts, || "contact");
        log.switch(false, &[]);
        log.info(Category::Contacts, || "contact");
        assert_eq!(*kept.0.borrow(), ["None contacts contact"]);
    }

    #[test]
    fn every_category_is_found_by_its_name() {
        for category in Category::ALL {
            assert_eq!(Category::from_name(category.name()), Some(category));
        }
        assert_eq!(Category::from_name("logAll"), None);
    }
}
