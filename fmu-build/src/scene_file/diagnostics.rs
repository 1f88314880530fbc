//! Problems of a scene file, each with its place in the text.

use super::finding::Finding;
use super::walker::Span;
use std::fmt;
use std::sync::Arc;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// No FMU can be built.
    Error,
    /// Allowed, but deserves a word.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where it is, in bytes of the text; none if it concerns the entire file.
    pub span: Option<Span>,
    /// What is wrong and what to do.
    pub finding: Finding,
}

impl Diagnostic {
    /// One that keeps an FMU from being built.
    pub fn error(span: Span, finding: impl Into<Finding>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            span: Some(span),
            finding: finding.into(),
        }
    }

    /// One that is allowed.
    pub fn warning(span: Span, finding: impl Into<Finding>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(span, finding)
        }
    }

    /// The same without a place.
    pub fn of_file(self) -> Self {
        Diagnostic { span: None, ..self }
    }
}

/// Problems of one file in source order; displayed as `scene.toml:14:9: error: message`, with what to
/// do in indented lines below. `snippet` shows them with the lines of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    /// The file as the user named it.
    pub file: String,
    /// Its text, empty where it could not be read.
    pub text: Arc<str>,
    /// The problems.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// One problem of the entire file.
    pub(crate) fn of_file(file: &str, finding: impl Into<Finding>) -> Self {
        let problem = Diagnostic::error(0..0, finding).of_file();
        Diagnostics {
            file: file.to_owned(),
            text: "".into(),
            list: vec![problem],
        }
    }

    /// Brings problems into source order.
    pub(super) fn new(file: &str, text: &str, mut list: Vec<Diagnostic>) -> Self {
        list.sort_by_key(|problem| problem.span.as_ref().map(|span| span.start));
        Diagnostics {
            file: file.to_owned(),
            text: text.into(),
            list,
        }
    }

    /// Whether there is no problem.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Where a range of bytes starts, and the place behind its last character.
    pub fn positions(&self, span: &Span) -> [Position; 2] {
        let lines = LineStarts::new(&self.text);
        [span.start, span.end].map(|offset| lines.position(&self.text, offset))
    }

    /// Where a problem starts.
    pub fn position(&self, problem: &Diagnostic) -> Option<Position> {
        let span = problem.span.as_ref()?;
        Some(self.positions(span)[0])
    }

    /// `scene.toml:14:9: `, or without a place `scene.toml: `.
    pub(super) fn place(&self, problem: &Diagnostic) -> String {
        match self.position(problem) {
            Some(Position { line, column }) => format!("{}:{line}:{column}: ", self.file),
            None => format!("{}: ", self.file),
        }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.list.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let word = problem.severity.word();
            let Finding { message, help, .. } = &problem.finding;
            write!(f, "{}{word}: {message}", self.place(problem))?;
            for help in help {
                write!(f, "\n  help: {}", help.replace('\n', "\n  "))?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// Byte offsets where lines start.
pub(super) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(super) fn new(text: &str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        LineStarts(std::iter::once(0).chain(after_breaks).collect())
    }

    /// Index of the line of a byte offset.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|start| *start <= offset) - 1
    }

    /// The bytes of a line, with the end of line.
    pub(super) fn span(&self, text: &str, line: usize) -> Span {
        self.0[line]..self.0.get(line + 1).map_or(text.len(), |next| *next)
    }

    /// Line and column of a byte offset. A byte order mark takes no column: no editor shows it.
    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let line = self.line(offset);
        let before = text.get(self.0[line]..offset).unwrap_or_default();
        Position {
            line: line + 1,
            column: before.chars().filter(|c| *c != '\u{feff}').count() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let text = "a\r\n\u{e9}\u{e9}x\n";
        let at = |offset| LineStarts::new(text).position(text, offset);
        let position = |line, column| Position { line, column };
        assert_eq!(at(0), position(1, 1));
        assert_eq!(at(3), position(2, 1));
        assert_eq!(at(7), position(2, 3));
        assert_eq!(at(text.len()), position(3, 1));
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let text = "\u{feff}ab";
        assert_eq!(LineStarts::new(text).position(text, 4).column, 2);
    }

    #[test]
    fn what_to_do_is_below_the_message() {
        let finding = Finding::from(("x is missing", "add\n  x = 1")).with_help("or y");
        let list = vec![
            Diagnostic::error(4..5, finding),
            Diagnostic::warning(0..1, "soft"),
        ];
        let problems = Diagnostics::new("scene.toml", "a\nb c", list);
        assert_eq!(
            problems.to_string(),
            "scene.toml:1:1: warning: soft\nscene.toml:2:3: error: x is missing\n  help: add\n    x = 1\n  help: or y"
        );
    }
}
