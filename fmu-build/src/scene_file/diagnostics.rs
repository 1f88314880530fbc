//! Problems of a scene file, each with its place in the text.
//!
//! # Problems with the lines of the file that they are in
//!
//!
//! ```text
//! scene.toml:14:9: error: body "ball": mass is -0.2 kg; must be > 0
//!    |
//! 14 | mass = -0.2
//!    |        ^^^^
//! ```
//!
//! The first line of each problem stands alone: `FILE:LINE:COLUMN: SEVERITY: MESSAGE`, the form of the GNU
//! coding standards that editors know and `grep` finds. So the name of the file is not in a line of its
//! own, as rustc has it.

use annotate_snippets::renderer::{
    DEFAULT_EMPHASIS_STYLE, DEFAULT_ERROR_STYLE, DEFAULT_WARNING_STYLE,
};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use contact_laws::finding::Finding;
use contact_model::scene::SceneItem;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub(super) type Span = Range<usize>;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// No FMU can be built.
    Error,
    /// Allowed, but deserves a word.
    Warning,
}

impl Severity {
    pub(crate) fn word(self) -> &'static str {
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
    /// Other places that have to do with it, and what is there.
    pub(crate) related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// One that keeps an FMU from being built.
    pub(crate) fn error(span: Span, finding: impl Into<Finding>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            span: Some(span),
            finding: finding.into(),
            related: Vec::new(),
        }
    }

    /// One that is allowed.
    pub(crate) fn warning(span: Span, finding: impl Into<Finding>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(span, finding)
        }
    }

    /// The same with another place that has to do with it.
    pub(crate) fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    pub(crate) fn of_file(self) -> Self {
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
    /// Other checks follow once these problems are mended.
    pub(crate) has_more: bool,
}

impl Diagnostics {
    pub(crate) fn of_file(file: &str, finding: impl Into<Finding>) -> Self {
        let problem = Diagnostic::error(0..0, finding).of_file();
        Diagnostics {
            file: file.to_owned(),
            text: "".into(),
            list: vec![problem],
            has_more: false,
        }
    }

    /// Brings problems into source order.
    pub(super) fn new(file: &str, text: &str, mut list: Vec<Diagnostic>) -> Self {
        list.sort_by_key(|problem| problem.span.as_ref().map(|span| span.start));
        Diagnostics {
            file: file.to_owned(),
            text: text.into(),
            list,
            has_more: false,
        }
    }

    pub(super) fn early(self) -> Self {
        Diagnostics {
            has_more: true,
            ..self
        }
    }

    /// Whether there is no problem.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Where a range of bytes starts, and the place behind its last character.
    pub(crate) fn positions(&self, span: &Span) -> [Position; 2] {
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
            let Finding { message, help } = &problem.finding;
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

/// What some editors put before the text of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Width where there is no terminal, in columns.
const WIDTH: usize = 120;

/// How problems are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether with colours, as ANSI escape sequences.
    pub has_colours: bool,
    /// Columns that a line of the file may take; a longer one is cut around the place.
    pub width: usize,
}

impl Look {
    /// For files and pipes.
    pub const PLAIN: Look = Look {
        has_colours: false,
        width: WIDTH,
    };
}

/// Whether a terminal acts on a character instead of showing it: control characters, among them
/// escape, and those that change the direction of text or end a line.
pub fn is_hidden(character: char) -> bool {
    let is_space = matches!(character, '\n' | '\t');
    let has_effect = matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !is_space && (character.is_control() || has_effect)
}

/// A text for a terminal, in which names and messages of others may be: hidden characters as
/// `\u{1b}`.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match is_hidden(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    shown
}

impl Diagnostics {
    /// The problems with their lines, an empty line between two of them; no newline at the end.
    pub fn render(&self, look: Look) -> String {
        let texts: Vec<String> = self.list.iter().map(|x| self.render_one(x, look)).collect();
        texts.join("\n\n")
    }

    fn render_one(&self, problem: &Diagnostic, look: Look) -> String {
        let Finding { message, help } = &problem.finding;
        let (place, message) = (visible(&self.place(problem)), visible(message));
        let word = problem.severity.word();
        let (level, style) = match problem.severity {
            Severity::Error => (Level::ERROR, DEFAULT_ERROR_STYLE),
            Severity::Warning => (Level::WARNING, DEFAULT_WARNING_STYLE),
        };
        let bold = DEFAULT_EMPHASIS_STYLE;
        let head = match look.has_colours {
            true => format!("{bold}{place}{bold:#}{style}{word}{style:#}{bold}: {message}{bold:#}"),
            false => format!("{place}{word}: {message}"),
        };
        let mut group = Group::with_level(level);
        let lines = self.lines(problem);
        if let Some(lines) = &lines {
            let snippet = Snippet::source(lines.text.as_str()).line_start(lines.first);
            let primary = AnnotationKind::Primary.span(lines.span.clone());
            let related = lines.related.iter().map(|(span, label)| {
                let label = label.as_str();
                AnnotationKind::Context.span(span.clone()).label(label)
            });
            group = group.element(snippet.annotation(primary).annotations(related));
        }
        group = group.elements(help.iter().map(|help| Level::HELP.message(visible(help))));
        if group.is_empty() {
            return head;
        }
        let renderer = match look.has_colours {
            true => Renderer::styled(),
            false => Renderer::plain(),
        };
        let body = renderer.term_width(look.width).render(&[group]);
        let lines: Vec<&str> = body.lines().map(str::trim_end).collect();
        format!("{head}\n{}", lines.join("\n"))
    }

    fn lines(&self, problem: &Diagnostic) -> Option<Lines> {
        let span = problem.span.clone().filter(|span| *span != (0..0))?;
        let related = &problem.related;
        let spans = || std::iter::once(&span).chain(related.iter().map(|(span, _)| span));
        let first = spans().map(|span| span.start).min()?;
        let last = spans().map(|span| span.end).max()?;
        let start = match self.text.get(..first)?.rfind('\n') {
            Some(at) => at + 1,
            // No terminal gives it a column either.
            None if self.text.starts_with(BYTE_ORDER_MARK) => BYTE_ORDER_MARK.len_utf8(),
            None => 0,
        };
        let rest = self.text.get(last..)?;
        let end = rest.find('\n').map_or(self.text.len(), |at| last + at);
        let shift = |at: usize| at.saturating_sub(start);
        let place = |span: &Span| shift(span.start)..shift(span.end);
        Some(Lines {
            // The end of the last line is cut off, on Windows too.
            text: shown(self.text.get(start..end)?.trim_end_matches('\r')),
            first: self.positions(&(start..start))[0].line,
            span: place(&span),
            related: related
                .iter()
                .map(|(at, text)| (place(at), visible(text)))
                .collect(),
        })
    }
}

/// A line of a file with as many bytes: control characters of two bytes are dots. The renderer replaces
/// the others.
fn shown(line: &str) -> String {
    let dot = |c| match matches!(c, '\u{80}'..='\u{9f}') {
        true => '\u{b7}',
        false => c,
    };
    line.chars().map(dot).collect()
}

struct Lines {
    text: String,
    first: usize,
    span: Span,
    related: Vec<(Span, String)>,
}

// Where items of a scene and their fields are in its file.

/// A place, a byte range or a position, of each item (field "") and of the fields that the file
/// has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Places<T>(HashMap<(SceneItem, &'static str), T>);

impl<T> Default for Places<T> {
    fn default() -> Self {
        Places(HashMap::new())
    }
}

impl<T: Clone> Places<T> {
    pub(crate) fn insert(&mut self, item: SceneItem, field: &'static str, place: T) {
        self.0.insert((item, field), place);
    }

    /// True if the file has the field, or with "" the item.
    pub(crate) fn has(&self, item: SceneItem, field: &'static str) -> bool {
        self.0.contains_key(&(item, field))
    }

    /// Place of a field, of its item where the file does not have the field, or of what the item is
    /// part of where it does not have the item.
    pub(crate) fn find(&self, item: SceneItem, field: &'static str) -> Option<T> {
        let own = self
            .0
            .get(&(item, field))
            .or_else(|| self.0.get(&(item, "")));
        match own {
            Some(place) => Some(place.clone()),
            None => self.find(whole_of(item)?, ""),
        }
    }
}

/// The item that another one is part of; none for the scene.
fn whole_of(item: SceneItem) -> Option<SceneItem> {
    match item {
        SceneItem::Scene => None,
        SceneItem::Shape(body, _) => Some(SceneItem::Body(body)),
        SceneItem::Part(body, shape, _) => Some(SceneItem::Shape(body, shape)),
        _ => Some(SceneItem::Scene),
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

#[cfg(test)]
mod snippet_tests {
    use super::*;

    fn rendered(text: &str, problems: Vec<Diagnostic>, look: Look) -> String {
        Diagnostics::new("a.toml", text, problems).render(look)
    }

    #[test]
    fn errors_and_warnings_differ_in_colour_and_without_colours_in_their_word_only() {
        let list = || {
            vec![
                Diagnostic::error(4..5, "bad"),
                Diagnostic::warning(0..1, "odd"),
            ]
        };
        let coloured = Look {
            has_colours: true,
            ..Look::PLAIN
        };
        let text = rendered("a = 1\n", list(), coloured);
        // Bright red and yellow, both bold.
        for sequence in ["\u{1b}[1m\u{1b}[91merror", "\u{1b}[1m\u{1b}[33mwarning"] {
            assert!(text.contains(sequence), "{text:?}");
        }
        let plain = rendered("a = 1\n", list(), Look::PLAIN);
        assert!(!plain.contains('\u{1b}'));
        assert_eq!(anstream::adapter::strip_str(&text).to_string(), plain);
    }

    #[test]
    fn what_a_terminal_would_act_on_is_shown_as_text() {
        let text = "a = '\u{9b}31m' # \u{202e}";
        let finding = ("\u{1b}]0;x\u{7}", "\u{9b}2J");
        let problem = Diagnostic::error(4..5, finding).with_related(0..1, "\u{2066}");
        let shown = rendered(text, vec![problem], Look::PLAIN);
        assert!(!shown.contains(is_hidden), "{shown:?}");
        for part in ["\\u{1b}]0;x\\u{7}", "\\u{9b}2J", "\\u{2066}", "'\u{b7}31m'"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert_eq!(visible("a\tb\n\u{e9}\r"), "a\tb\n\u{e9}\\u{d}");
    }

    #[test]
    fn a_line_is_cut_around_the_place_to_the_width() {
        let text = format!("a = [{}7, {}]\n", "1, ".repeat(90), "2, ".repeat(90));
        let at = text.find('7').unwrap();
        for width in [40, 60, 100] {
            let look = Look {
                width,
                ..Look::PLAIN
            };
            let shown = rendered(&text, vec![Diagnostic::error(at..at + 1, "bad")], look);
            let lines: Vec<&str> = shown.lines().collect();
            assert!(lines[2].chars().count() <= width, "{width}: {shown}");
            let column = |line: &str, c| line.chars().position(|other| other == c);
            assert_eq!(column(lines[2], '7'), column(lines[3], '^'), "{shown}");
        }
    }
}
