//! Errors of grammar, and what of a file is understood without the lines that have them.
//!
//! The line of the first error is replaced by spaces, so that all places stay, and the rest is parsed
//! again until there is no error. Where a bracket or a quote is open over several lines, the rest of its
//! table is replaced, below the header; where a header is broken, all of its table. What a reader misses
//! in such a table may have been in the spaces.

use super::diagnostics::{Diagnostic, LineStarts, Span};
use contact_laws::finding::Finding;
use std::ops::Range;
use toml::de::{DeTable, Error};

/// Message of the one grammar error after which the rest of a document is still understood.
const DUPLICATE_KEY: &str = "duplicate key";
/// Start of the message for a word without quotes, or for nothing where a value must be.
const UNQUOTED: &str = "string values must be quoted";
/// Start of the message for a word without quotes that begins like true or false.
const INVALID_BOOLEAN: &str = "invalid boolean";
/// Errors of grammar that are looked for; after so many the rest is left alone.
const MOST_ERRORS: usize = 50;

/// Tables that may lack keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Damage {
    /// From a header up to the next one.
    tables: Vec<Range<usize>>,
    /// Entire tables may be missing.
    takes_tables: bool,
}

impl Damage {
    /// Whether the table of a header, or of a value, at an offset may lack keys.
    pub(crate) fn is_in(&self, offset: usize) -> bool {
        self.tables.iter().any(|table| table.contains(&offset))
    }

    /// Whether tables may be missing.
    pub(crate) fn takes_tables(&self) -> bool {
        self.takes_tables
    }

    /// Whether nothing is missing.
    pub(crate) fn is_none(&self) -> bool {
        self.tables.is_empty() && !self.takes_tables
    }
}

/// A text without what is no TOML.
pub(crate) struct Mended {
    /// As long as the original, with spaces for what cannot be understood.
    pub(crate) text: String,
    /// Errors of grammar.
    pub problems: Vec<Diagnostic>,
    /// What may be missing.
    pub(crate) damage: Damage,
}

/// Finds the errors of grammar of a text.
pub(crate) fn mend(original: &str) -> Mended {
    let mut mended = Mended {
        text: original.to_owned(),
        problems: Vec::new(),
        damage: Damage::default(),
    };
    let lines = LineStarts::new(original);
    let tables = tables(original);
    for _ in 0..MOST_ERRORS {
        let (_, errors) = DeTable::parse_recoverable(&mended.text);
        let grammar = errors.iter().filter(|error| !is_duplicate(error));
        let Some(first) = grammar.clone().min_by_key(|error| start(error)) else {
            mended.problems.extend(duplicates(original, &errors));
            return mended;
        };
        let open = grammar.clone().find(|error| opens(error.message()));
        let opening = open.and_then(|open| opening(&mended.text, start(first), open.message()));
        let found = problem(original, first, open.zip(opening.clone()));
        if !mended.problems.contains(&found) {
            mended.problems.push(found);
        }
        // The end of the text is in no line with text.
        let last = mended.text.trim_end().len().saturating_sub(1);
        let at = opening.map_or(start(first).min(last), |opening| opening.start);
        let line = lines.span(original, lines.line(at));
        let table = tables.iter().find(|table| table.contains(&line.start));
        let table = table.cloned().unwrap_or(0..original.len());
        let is_blank = |range: &Range<usize>| mended.text[range.clone()].trim().is_empty();
        let takes_header = open.is_none() && is_header(&original[line.clone()]);
        let mut taken = match (takes_header, open.is_some() || is_blank(&line)) {
            (true, _) => table.start..end_of_subtables(original, &tables, &table),
            (false, true) => below_header(original, &table),
            (false, false) => line,
        };
        let is_stuck = is_blank(&taken);
        if is_stuck {
            taken = last_table(&mended.text, &tables);
        }
        mended.damage.takes_tables |= takes_header || is_stuck;
        mended.damage.tables.push(table);
        blank(&mut mended.text, taken);
    }
    blank(&mut mended.text, 0..original.len());
    mended.damage.takes_tables = true;
    mended
}

/// The end of the tables that follow a header and are parts of its table: without it they would be of none.
fn end_of_subtables(text: &str, tables: &[Range<usize>], table: &Range<usize>) -> usize {
    let name = |table: &Range<usize>| {
        let header = text[table.clone()].trim_start().trim_start_matches('[');
        let end = header.find(|c: char| !c.is_ascii_alphanumeric() && !"_-.".contains(c));
        &header[..end.unwrap_or(header.len())]
    };
    let prefix = format!("{}.", name(table));
    let later = tables.iter().filter(|other| other.start >= table.end);
    let parts = later.take_while(|other| name(other).starts_with(&prefix));
    parts.last().map_or(table.end, |last| last.end)
}

/// The last table that has anything left.
fn last_table(text: &str, tables: &[Range<usize>]) -> Range<usize> {
    let mut tables = tables.iter().rev();
    let left = tables.find(|table| !text[(*table).clone()].trim().is_empty());
    left.cloned().unwrap_or(0..text.len())
}

/// Replaces what is visible by as many bytes of spaces.
fn blank(text: &mut String, range: Range<usize>) {
    let blank = |c: char| match c {
        '\n' | '\r' => c.to_string(),
        c => " ".repeat(c.len_utf8()),
    };
    let spaces: String = text[range.clone()].chars().map(blank).collect();
    text.replace_range(range, &spaces);
}

/// From each header to the next one; what is before the first one, first.
fn tables(text: &str) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && is_header(line) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts[1..].iter().copied().chain([text.len() + 1]);
    let ranges = starts.iter().zip(ends).map(|(start, end)| *start..end);
    ranges
        .map(|range| range.start..range.end.min(text.len()))
        .collect()
}

/// Whether a line begins like `[name` or `[[name`; an array has no bare word in it.
fn is_header(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('[') else {
        return false;
    };
    let name = rest.trim_start_matches('[').trim_start();
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// A table without its header.
fn below_header(text: &str, table: &Range<usize>) -> Range<usize> {
    let own = &text[table.clone()];
    match is_header(own) {
        true => table.start + own.find('\n').map_or(own.len(), |at| at + 1)..table.end,
        false => table.clone(),
    }
}

fn is_duplicate(error: &Error) -> bool {
    error.message() == DUPLICATE_KEY
}

/// Whether a bracket or a quote may be open from an earlier line on.
fn opens(message: &str) -> bool {
    let starts = ["unclosed array, ", "unclosed inline", "invalid multi-line"];
    starts.iter().any(|start| message.starts_with(start))
}

fn start(error: &Error) -> usize {
    error.span().unwrap_or(0..0).start
}

/// Keys that are given twice, each with the place of the first.
fn duplicates(text: &str, errors: &[Error]) -> Vec<Diagnostic> {
    let of = |error: &Error| {
        let span = error.span().unwrap_or(0..0);
        let key = text.get(span.clone()).unwrap_or_default();
        let message = format!("the key {key} is given twice");
        let problem = Diagnostic::error(span.clone(), (message, "keep one of the two"));
        match first_of(text, &span, key) {
            Some(first) => problem.with_related(first, "the first one"),
            None => problem,
        }
    };
    let mut found: Vec<Diagnostic> = errors.iter().filter(|e| is_duplicate(e)).map(of).collect();
    let lines = LineStarts::new(text);
    found.dedup_by_key(|problem| problem.span.clone().map(|span| lines.line(span.start)));
    found
}

/// The same key before a key, in the same table.
fn first_of(text: &str, span: &Span, key: &str) -> Option<Span> {
    let before = text.get(..span.start)?;
    let mut end = before.len();
    for line in before.split_inclusive('\n').rev() {
        let start = end - line.len();
        let indent = line.len() - line.trim_start().len();
        let own = line.trim_start();
        let rest = own.strip_prefix(key).map(str::trim_start);
        if rest.is_some_and(|rest| rest.starts_with('=')) {
            let at = start + indent;
            return Some(at..at + key.len());
        }
        if is_header(line) {
            return None;
        }
        end = start;
    }
    None
}

/// What is said of an error; `open` is one of a bracket or quote that is never closed, and where that is.
fn problem(text: &str, error: &Error, open: Option<(&Error, Span)>) -> Diagnostic {
    let span = error.span().unwrap_or(0..0);
    let found = text.get(span.clone()).unwrap_or_default();
    let message = error.message();
    let unquoted = message.starts_with(UNQUOTED) || message.starts_with(INVALID_BOOLEAN);
    let finding: Finding = match (found, open) {
        (_, Some((open, opening))) => {
            let message = format!("not valid TOML: {}", open.message());
            return Diagnostic::error(span, message).with_related(opening, "opened here");
        }
        ("", None) if unquoted => "not valid TOML: there is no value after =".into(),
        (word, None) if unquoted => (
            format!("not valid TOML: {word} is not a value"),
            "write a string in quotes, true or false",
        )
            .into(),
        _ => format!("not valid TOML: {message}").into(),
    };
    Diagnostic::error(span, finding)
}

/// The last bracket or quotes before an offset that are open there.
fn opening(text: &str, offset: usize, message: &str) -> Option<Span> {
    let before = text.get(..offset)?;
    if message.starts_with("invalid multi-line") {
        let at = before.rfind("\"\"\"").max(before.rfind("'''"))?;
        return Some(at..at + 3);
    }
    let mut starts = before.match_indices(['[', '{']).filter(|(at, _)| {
        let statement = before[..*at].trim_end();
        statement.ends_with('=')
    });
    let (at, _) = starts.next_back()?;
    let count = |signs: [char; 2]| before[at..].matches(signs).count();
    (count(['[', '{']) > count([']', '}'])).then_some(at..at + 1)
}
