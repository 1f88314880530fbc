//! Errors of TOML's grammar, with advice. A key given twice is one after which the rest is still read; any
//! other ends the reading.

use super::diagnostics::{Diagnostic, LineStarts, Span};
use contact_laws::finding::Finding;
use toml::de::Error;

/// Message of the one grammar error after which the rest of a document is still understood.
const DUPLICATE_KEY: &str = "duplicate key";
/// Start of the message for a word without quotes, or for nothing where a value must be.
const UNQUOTED: &str = "string values must be quoted";
/// Start of the message for a word without quotes that begins like true or false.
const INVALID_BOOLEAN: &str = "invalid boolean";

/// Whether the errors leave open what the document says.
pub(crate) fn is_broken(errors: &[Error]) -> bool {
    !errors.iter().all(is_duplicate)
}

/// What is said of the errors: the first one of each line, up to one that is more than a word without quotes;
/// what a parser says behind that follows from it.
pub(crate) fn problems(text: &str, errors: &[Error]) -> Vec<Diagnostic> {
    let lines = LineStarts::new(text);
    let line = |error: &&Error| lines.line(start(error));
    let mut sorted: Vec<&Error> = errors.iter().collect();
    sorted.sort_by_key(|error| start(error));
    sorted.dedup_by_key(|error| line(error));
    let is_clear = |error: &&&Error| is_duplicate(error) || is_unquoted(error);
    let clear = sorted.iter().take_while(is_clear).count();
    sorted.truncate(clear + 1);
    let problem = |error: &Error| match is_duplicate(error) {
        true => duplicate(text, error),
        false => {
            let mut behind = errors.iter().filter(|other| start(other) >= start(error));
            let open = behind.find(|other| opens(other.message()));
            let opening = open.and_then(|open| opening(text, start(error), open.message()));
            problem(text, error, open.zip(opening))
        }
    };
    sorted.into_iter().map(problem).collect()
}

/// Whether a line begins like `[name` or `[[name`; an array has no bare word in it.
fn is_header(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('[') else {
        return false;
    };
    let name = rest.trim_start_matches('[').trim_start();
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_duplicate(error: &Error) -> bool {
    error.message() == DUPLICATE_KEY
}

/// Whether a word has no quotes, or there is nothing where a value must be.
fn is_unquoted(error: &Error) -> bool {
    let starts = [UNQUOTED, INVALID_BOOLEAN];
    starts
        .iter()
        .any(|start| error.message().starts_with(start))
}

/// Whether a bracket or a quote may be open from an earlier line on.
fn opens(message: &str) -> bool {
    let starts = ["unclosed array, ", "unclosed inline", "invalid multi-line"];
    starts.iter().any(|start| message.starts_with(start))
}

fn start(error: &Error) -> usize {
    error.span().unwrap_or(0..0).start
}

/// A key that is given twice, with the place of the first.
fn duplicate(text: &str, error: &Error) -> Diagnostic {
    let span = error.span().unwrap_or(0..0);
    let key = text.get(span.clone()).unwrap_or_default();
    let message = format!("the key {key} is given twice");
    let problem = Diagnostic::error(span.clone(), (message, "keep one of the two"));
    match first_of(text, &span, key) {
        Some(first) => problem.with_related(first, "the first one"),
        None => problem,
    }
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
    let unquoted = is_unquoted(error);
    if let Some((comma, number)) = decimal_comma(text, span.start) {
        let message = format!("{number}: a number has a decimal point, no comma");
        let help = format!("write {}", number.replace(',', "."));
        return Diagnostic::error(comma, (message, help));
    }
    if let Some((number, digits)) = bare_point(text, span.start) {
        let message = format!("{digits}: a decimal point has digits on both sides");
        let help = format!("write {}", with_zeros(digits));
        return Diagnostic::error(number, (message, help));
    }
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

/// A number with a decimal comma as the value of a key, at which the grammar breaks; its place.
fn decimal_comma(text: &str, offset: usize) -> Option<(Span, &str)> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?;
    let (key, value) = line.split_once('=')?;
    let number = value.split('#').next()?.trim();
    let (whole, decimals) = number.split_once(',')?;
    let is_whole = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !is_whole(whole.trim_start_matches(['-', '+'])) || !is_whole(decimals) {
        return None;
    }
    let at = start + key.len() + 1 + value.find(number)?;
    Some((at..at + number.len(), number))
}

/// A number that begins or ends with its decimal point, at which the grammar breaks; its place.
fn bare_point(text: &str, offset: usize) -> Option<(Span, &str)> {
    let is_other = |c: char| !c.is_ascii_alphanumeric() && !"+-._".contains(c);
    let before = text.get(..offset)?.rsplit(is_other).next()?;
    let start = offset - before.len();
    let number = text[start..].split(is_other).next()?;
    let is_bare = number.parse::<f64>().is_ok() && with_zeros(number) != number;
    is_bare.then(|| (start..start + number.len(), number))
}

/// A number with a zero where its decimal point has no digit.
fn with_zeros(number: &str) -> String {
    let Some((whole, decimals)) = number.split_once('.') else {
        return number.to_owned();
    };
    let zero = |has_digit| if has_digit { "" } else { "0" };
    let is_digit = |c: char| c.is_ascii_digit();
    let [left, right] = [whole.ends_with(is_digit), decimals.starts_with(is_digit)].map(zero);
    format!("{whole}{left}.{right}{decimals}")
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
