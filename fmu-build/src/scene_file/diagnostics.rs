//! Problems of a scene file, each with its line and column.

use std::fmt;
use std::ops::Range;

/// How the message of a problem starts that keeps nothing from being built.
pub const WARNING: &str = "warning: ";

/// Where a problem is.
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
    /// Where it is; none if it concerns the entire file.
    pub position: Option<Position>,
    /// What was found, what is allowed, what to do.
    pub message: String,
}

/// Problems of one file in source order; displayed as `scene.toml:14:9 message`, one per line.
/// A message that shows what to write goes on in further, indented lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    /// The file as the user named it.
    pub file: String,
    /// The problems.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// One problem of the entire file.
    pub(crate) fn of_file(file: &str, message: String) -> Self {
        Diagnostics {
            file: file.to_owned(),
            list: vec![Diagnostic {
                position: None,
                message,
            }],
        }
    }

    /// Places byte ranges of `text` at lines and columns and brings them into source order.
    pub(super) fn new(file: &str, text: &str, mut problems: Vec<(Range<usize>, String)>) -> Self {
        problems.sort_by_key(|(span, _)| span.start);
        let lines = LineStarts::new(text);
        Diagnostics {
            file: file.to_owned(),
            list: problems
                .into_iter()
                .map(|(span, message)| Diagnostic {
                    position: Some(lines.position(text, span.start)),
                    message,
                })
                .collect(),
        }
    }

    /// Whether there is no problem.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.list.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            match problem.position {
                Some(Position { line, column }) => {
                    write!(f, "{}:{line}:{column} {}", self.file, problem.message)?;
                }
                None => write!(f, "{}: {}", self.file, problem.message)?,
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
}
