//! Problems with the lines of the file that they are in, as compilers of C show them:
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

use super::diagnostics::{Diagnostic, Diagnostics, Severity};
use super::finding::Finding;
use super::walker::Span;
use annotate_snippets::renderer::{
    DEFAULT_EMPHASIS_STYLE, DEFAULT_ERROR_STYLE, DEFAULT_WARNING_STYLE,
};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

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
        let Finding { message, help, .. } = &problem.finding;
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

    /// The lines of a problem; none where it is of the entire file.
    fn lines(&self, problem: &Diagnostic) -> Option<Lines> {
        let span = problem.span.clone().filter(|span| *span != (0..0))?;
        let related = &problem.finding.related;
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

/// A part of a file.
struct Lines {
    text: String,
    /// Number of the first one, from 1.
    first: usize,
    /// The problem, in bytes of the text.
    span: Span,
    related: Vec<(Span, String)>,
}

#[cfg(test)]
mod tests {
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
        let finding = Finding::from(("\u{1b}]0;x\u{7}", "\u{9b}2J")).with_related(0..1, "\u{2066}");
        let problem = Diagnostic::error(4..5, finding);
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
