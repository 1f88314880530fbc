//! Walks a TOML document: typed reads of keys, with every problem recorded and none fatal.
//!
//! A [`Section`] is a table of the document seen as an item of the scene. Reading a key records
//! where its value is, so that an error of the scene can be placed; a value that cannot be
//! read is marked, so that its consequences are not reported as further problems. The keys a
//! reader asks for are the keys it knows: [`Section::finish`] reports all others.

use super::diagnostics::{Diagnostic, Span};
use super::notes::{Notes, Problem};
use super::synonyms;
use super::units::{Quantity, power_stiffness};
use contact_laws::finding::Finding;
use contact_laws::quantity::{Access, DeclaredType, Key, Keyword, Row, Value, units};
use contact_model::scene::SceneItem;
use contact_model::scene::description::body::SHAPE;
use fmu_core::instance::variables::names::UnmatchedPattern;
use std::f64::consts::TAU;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// How alike two keys must be to suggest one for the other (Jaro-Winkler, 1 = equal): catches a
/// slip or two, and plurals, without far-fetched guesses.
const SUGGESTION_SIMILARITY: f64 = 0.85;

/// Number of a key that cannot be read: no comparison with it finds anything.
const UNREAD: f64 = f64::NAN;

/// A table of the document, seen as an item of the scene or a part of one.
pub(crate) struct Section<'a> {
    notes: &'a Notes,
    table: &'a DeTable<'a>,
    header: Span,
    item: SceneItem,
    subject: String,
    path: String,
    /// The keys of the arrays of tables that lead here, such as `body.shape`.
    arrays: String,
    asked: Vec<&'static str>,
}

impl<'a> Section<'a> {
    pub(crate) fn root(notes: &'a Notes, table: &'a DeTable<'a>) -> Self {
        notes.locate(SceneItem::Scene, "", 0..0);
        Section {
            notes,
            table,
            header: 0..0,
            item: SceneItem::Scene,
            subject: String::new(),
            path: String::new(),
            arrays: String::new(),
            asked: Vec::new(),
        }
    }

    pub(crate) fn item(&self) -> SceneItem {
        self.item
    }

    pub(crate) fn notes(&self) -> &'a Notes {
        self.notes
    }

    /// Records what is to be said of the item beside its values.
    pub(crate) fn tell(&self, lines: Vec<String>) {
        let lines = lines.into_iter().map(|line| (self.item, line));
        self.notes.remarks.borrow_mut().extend(lines);
    }

    /// Name of the item at the head of messages, such as `body "ball": `.
    pub(crate) fn subject(&self) -> &str {
        &self.subject
    }

    /// How messages start to name a key of this table: `sphere.` in a table inside the item's own.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Whether the table has a key. Does not count as asking for it.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The text of a key, where it is one. Does not count as asking for it.
    pub(crate) fn peek(&self, key: &str) -> Option<&'a str> {
        text_of(self.table, key)
    }

    /// The `name` of the table for messages, the body of a motion, or a word for its number.
    fn title(table: &DeTable<'_>, kind: &str, index: usize) -> String {
        match (text_of(table, "name"), text_of(table, "body")) {
            (Some(name), _) => format!("{kind} {name:?}"),
            (None, Some(body)) if kind == "motion" => format!("{kind} of {body:?}"),
            _ => format!("{kind} number {}", index + 1),
        }
    }

    /// The value of a key, which the scene calls `field`.
    pub(crate) fn field_as(&mut self, key: &'static str, field: &'static str) -> Option<Field<'a>> {
        self.asked.push(key);
        let (key_text, value) = self.table.get_key_value(key)?;
        self.notes.locate(self.item, field, value.span());
        Some(Field {
            notes: self.notes,
            item: self.item,
            key: field,
            subject: self.subject.clone(),
            name: format!("{}{key}", self.path),
            arrays: self.arrays.clone(),
            key_span: key_text.span(),
            span: value.span(),
            value: value.get_ref(),
        })
    }

    pub(crate) fn field(&mut self, key: &'static str) -> Option<Field<'a>> {
        self.field_as(key, key)
    }

    pub(crate) fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(Field<'a>) -> Option<T>,
    ) -> Option<T> {
        self.field(key).and_then(read)
    }

    /// Reads a key that must be there; `help` says what to write where it is not.
    pub(crate) fn required<T>(
        &mut self,
        key: &'static str,
        help: &str,
        read: impl FnOnce(Field<'a>) -> Option<T>,
    ) -> Option<T> {
        match self.field(key) {
            Some(field) => read(field),
            None => {
                self.missing(key, (format!("{}{key} is missing", self.path), help));
                None
            }
        }
    }

    /// Reads the keys of an element into it. What cannot be read leaves the element as it is, a number NaN. Keys that
    /// need code of their own go to `own`.
    pub(crate) fn rows<E>(
        &mut self,
        rows: &[Row<E>],
        element: &mut E,
        mut own: impl FnMut(&mut Section<'a>, Key, &mut E),
    ) {
        for row in rows {
            match row.access {
                Access::Own => own(self, row.key, element),
                _ => drop(self.row(row, element)),
            }
        }
    }

    /// Reads a key of an element into it; false if it must be there and is not, or cannot be read.
    pub(crate) fn row<E>(&mut self, row: &Row<E>, element: &mut E) -> bool {
        match self.key(row.key) {
            Some(field) => field.store(&row.key, row.access, element),
            None => !row.key.is_required(),
        }
    }

    /// The value of a key; a problem if it is missing and must be there.
    pub(crate) fn key(&mut self, key: Key) -> Option<Field<'a>> {
        match key.is_required() {
            true => self.required(key.key, &what_to_write(&key), Some),
            false => self.field(key.key),
        }
    }

    pub(crate) fn number(&mut self, key: Key) -> Option<f64> {
        self.key(key)?.quantity(key.declared())
    }

    /// The number of a key, in its range: nothing else checks it.
    pub(crate) fn checked_number(&mut self, key: Key) -> Option<f64> {
        let (declared, range) = key.number()?;
        let field = self.key(key)?;
        let value = field.clone().quantity(declared)?;
        if let Some(allowed) = range.violated(value) {
            let number = format!("{value} {}", declared.unit_or_empty());
            let message = format!("is {}; must be {allowed}", number.trim_end());
            field.fail(match key.key == "scale" && value < 0.0 {
                true => (message, "mirror the part in the program it comes from").into(),
                false => Finding::from(message),
            });
            return None;
        }
        Some(value)
    }

    pub(crate) fn vector(&mut self, key: Key) -> Option<[f64; 3]> {
        self.key(key)?.vector(key.declared())
    }

    pub(crate) fn missing(&self, field: &'static str, finding: impl Into<Finding>) {
        self.missing_one_of(vec![field], field, finding);
    }

    /// Records that a field is missing, which one of several keys gives.
    pub(crate) fn missing_one_of(
        &self,
        keys: Vec<&'static str>,
        field: &'static str,
        finding: impl Into<Finding>,
    ) {
        let finding = finding.into().of(&self.subject);
        let problem = Problem {
            diagnostic: Diagnostic::error(self.header.clone(), finding),
            missing: keys,
        };
        self.notes.problem(self.item, field, problem);
    }

    /// A table of the document root that has its own place in the scene, such as `[contact]`.
    pub(crate) fn table(&mut self, key: &'static str, item: SceneItem) -> Option<Section<'a>> {
        let section = self.field(key)?.table(&format!("[{key}]"))?;
        if item != SceneItem::Scene {
            self.notes.locate(item, "", section.header.clone());
        }
        Some(Section {
            item,
            subject: format!("{key}: "),
            path: String::new(),
            ..section
        })
    }

    /// The tables of an array such as `[[body]]`; `item` gives the item of each by its index.
    pub(crate) fn tables(
        &mut self,
        key: &'static str,
        item: impl Fn(usize) -> SceneItem,
    ) -> Vec<Section<'a>> {
        self.field(key)
            .map_or_else(Vec::new, |field| field.tables(item))
    }

    pub(crate) fn each<T>(
        &mut self,
        key: &'static str,
        item: impl Fn(usize) -> SceneItem,
        read: impl FnMut(Section<'a>) -> T,
    ) -> Vec<T> {
        self.tables(key, item).into_iter().map(read).collect()
    }

    /// Reads an array that may be absent: no elements then.
    pub(crate) fn optional_list<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl Fn(Field<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        match self.field(key) {
            Some(field) => field.all(expected, read),
            None => Some(Vec::new()),
        }
    }

    pub(crate) fn finish(self) {
        for (key, value) in self.table.iter() {
            let name = key.get_ref().as_ref();
            if self.asked.contains(&name) {
                continue;
            }
            let value = self.notes.source(value.span());
            let synonym = synonyms::advice(name, value, &self.asked);
            let likely = match &synonym {
                Some((_, key)) => *key,
                None if is_beside(self.item, &self.path, name) => None,
                None => suggestion(name, &self.asked),
            };
            if let Some(likely) = likely {
                self.notes.is_not_missing(&self.header, likely);
            }
            let advice = match likely {
                _ if let Some((text, _)) = synonym => text,
                Some(known) => format!("did you mean {known:?}?"),
                None if is_beside(self.item, &self.path, name) => {
                    let form = self.path.trim_end_matches('.');
                    format!(
                        "it is a key of the shape: write {name} = {value} in the [[body.shape]], beside {form}"
                    )
                }
                None if self.asked.is_empty() => "no key is known here".to_owned(),
                None => format!("known keys: {}", self.asked.join(", ")),
            };
            let at = match self.path.trim_end_matches('.') {
                "" => String::new(),
                path => format!(" in {path}"),
            };
            let message = format!("{}unknown key {name:?}{at}", self.subject);
            let problem = Diagnostic::error(key.span(), (message, advice));
            self.notes.problem(self.item, "", problem.into());
        }
    }
}

/// Whether a key in a table inside a shape, which is its form, is one of the shape.
fn is_beside(item: SceneItem, path: &str, key: &str) -> bool {
    let is_form = matches!(item, SceneItem::Shape(..)) && !path.is_empty();
    is_form && SHAPE.iter().any(|row| row.key.key == key)
}

/// What to write where a key is missing: `write radius = 0.1`, with what the key is where that is not
/// its name.
fn what_to_write(key: &Key) -> String {
    let example = key.example().unwrap_or_default();
    let spelled = key.text.to_lowercase().replace('\'', "").replace(' ', "_");
    match spelled == key.key {
        true => format!("write {} = {example}", key.key),
        false => format!("write {} = {example} ({})", key.key, key.meaning()),
    }
}

#[derive(Clone)]
pub(crate) struct Field<'a> {
    notes: &'a Notes,
    item: SceneItem,
    key: &'static str,
    subject: String,
    name: String,
    arrays: String,
    key_span: Span,
    span: Span,
    value: &'a DeValue<'a>,
}

impl<'a> Field<'a> {
    pub(crate) fn item(&self) -> SceneItem {
        self.item
    }

    pub(crate) fn key_span(&self) -> Span {
        self.key_span.clone()
    }

    /// Records a problem of the value; the text follows the name of the key.
    pub(crate) fn fail(&self, finding: impl Into<Finding>) {
        self.fail_at(self.span.clone(), finding);
    }

    pub(crate) fn fail_at(&self, span: Span, finding: impl Into<Finding>) {
        self.problem(self.error(span, finding));
    }

    fn error(&self, span: Span, finding: impl Into<Finding>) -> Diagnostic {
        let head = format!("{}{} ", self.subject, self.name);
        Diagnostic::error(span, finding.into().of(&head))
    }

    fn problem(&self, problem: Diagnostic) {
        self.notes.problem(self.item, self.key, problem.into());
    }

    /// Records that the key must not be there; the text follows its name.
    pub(crate) fn refuse(&self, finding: impl Into<Finding>) {
        self.fail_at(self.key_span(), finding);
    }

    /// Refuses the key beside another one that says the same; `place` labels that.
    pub(crate) fn refuse_beside(&self, other: &Field<'_>, help: &str, place: &str) {
        let message = format!("and {} are both given", other.name);
        let problem = self.error(self.key_span(), (message, help));
        self.problem(problem.with_related(other.key_span(), place));
    }

    pub(crate) fn wrong(&self, expected: &str) {
        self.fail(format!("is {}; expected {expected}", found(self.value)));
    }

    fn unexpected<T>(&self, expected: &str) -> Option<T> {
        self.wrong(expected);
        None
    }

    pub(crate) fn string(self) -> Option<&'a str> {
        match self.value {
            DeValue::String(text) => Some(text),
            _ => self.unexpected("a string in quotes"),
        }
    }

    pub(crate) fn boolean(self) -> Option<bool> {
        match self.value {
            DeValue::Boolean(value) => Some(*value),
            _ => self.unexpected("true or false"),
        }
    }

    pub(crate) fn count(self) -> Option<u32> {
        let count = match self.value {
            DeValue::Integer(integer) => {
                u32::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
            _ => None,
        };
        count.or_else(|| self.unexpected("a whole number in 0..4294967295"))
    }

    /// Sets the value at an element as a row says; false if it cannot be read.
    fn store<E>(self, key: &Key, access: Access<E>, element: &mut E) -> bool {
        let done = match access {
            Access::Number(_, set) => {
                let number = self.quantity(key.declared());
                set(element, number.unwrap_or(UNREAD));
                number.map(|_| ())
            }
            Access::Vector(_, set) => {
                let vector = self.quantities(key.declared(), key.example);
                vector.map(|v| set(element, v))
            }
            Access::Flag(set) => self.boolean().map(|v| set(element, v)),
            Access::Count(_, set) => self.count().map(|v| set(element, v)),
            Access::Text(set) => self.string().map(|v| set(element, v)),
            Access::Word(set) => match key.value {
                Value::Word(words) => self.word(&words()).map(|v| set(element, v)),
                _ => None,
            },
            Access::Own => None,
        };
        done.is_some()
    }

    pub(crate) fn keyword<K: Keyword>(self) -> Option<K> {
        Some(K::WORDS[self.word(&K::words())?].1)
    }

    /// One of a few words, by its index.
    pub(crate) fn word(self, words: &[&'static str]) -> Option<usize> {
        if let DeValue::String(text) = self.value {
            if let Some(index) = words.iter().position(|word| word == text) {
                return Some(index);
            }
            let help = match synonyms::of_word(text, words) {
                Some(word) => Some(format!(
                    "write {} = {word:?}{}",
                    self.key,
                    synonyms::or_else(self.key, word)
                )),
                None => suggestion(text, words).map(|word| format!("did you mean {word:?}?")),
            };
            if let Some(help) = help {
                self.fail((format!("is {text:?}"), help));
                return None;
            }
        }
        let quoted: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
        let expected = match quoted.as_slice() {
            [only] => only.clone(),
            _ => format!("one of {}", quoted.join(", ")),
        };
        let is_number = match self.value {
            DeValue::String(text) => text.starts_with(|c: char| c.is_ascii_digit()),
            _ => matches!(self.value, DeValue::Integer(_) | DeValue::Float(_)),
        };
        let is_of_pair = matches!(self.item, SceneItem::Pair(_) | SceneItem::MaterialPair(_));
        let value = self.notes.source(self.span.clone());
        let help = synonyms::of_number(self.key, value, is_of_pair).filter(|_| is_number);
        let message = format!("is {}; expected {expected}", found(self.value));
        self.fail(match help {
            Some(help) => Finding::from((message, help)),
            None => message.into(),
        });
        None
    }

    pub(crate) fn quantity(self, declared: DeclaredType) -> Option<f64> {
        let value = match self.value {
            DeValue::Integer(integer) => integer_value(integer),
            DeValue::Float(float) => float.as_str().parse().unwrap_or(f64::NAN),
            DeValue::String(text) => match Quantity::of(declared).parse(text) {
                Ok(value) => value,
                Err(wrong) => {
                    self.fail(wrong.of(&format!("is {text:?}")));
                    return None;
                }
            },
            _ => return self.unexpected(&Quantity::of(declared).expected()),
        };
        if !value.is_finite() {
            self.fail(format!(
                "is {}; must be a finite number",
                number_text(self.value)
            ));
            return None;
        }
        if declared == units::ANGLE {
            self.warn_of_degrees(value);
        }
        Some(value)
    }

    /// Warns of an angle [rad] of more than a turn that has no unit, but for entries of a list.
    fn warn_of_degrees(&self, value: f64) {
        let turns = value.abs() / TAU;
        if turns > 1.0 && !self.is_string() && !self.name.ends_with(']') {
            let name = format!("{}{}", self.subject, self.name);
            let message =
                format!("{name} is {value} rad, {turns:.1} turns: a bare number is in radians");
            let help = format!("write \"{value} deg\" if degrees are meant");
            self.notes.warn_at(self.span.clone(), (message, help));
        }
    }

    /// A stiffness [N/m^n], and the exponent n of its unit where it has one.
    pub(crate) fn power_stiffness(self) -> Option<(f64, Option<f64>)> {
        let DeValue::String(text) = self.value else {
            let value = self.quantity(units::STIFFNESS)?;
            return Some((value, None));
        };
        match power_stiffness(text) {
            Ok((value, exponent)) => Some((value, Some(exponent))),
            Err(wrong) => {
                self.fail(wrong.of(&format!("is {text:?}")));
                None
            }
        }
    }

    /// The elements of an array of a given length; `example` shows one.
    pub(crate) fn elements<const N: usize>(self, example: &str) -> Option<[Field<'a>; N]> {
        let DeValue::Array(array) = self.value else {
            return self.unexpected(&format!("an array of {N} such as {example}"));
        };
        let mut index = 0;
        let elements: Vec<Field<'a>> = array
            .iter()
            .map(|element| {
                index += 1;
                self.element(index, element)
            })
            .collect();
        let count = elements.len();
        elements.try_into().ok().or_else(|| {
            self.fail(format!(
                "has {count} {}; expected {N} such as {example}",
                if count == 1 { "entry" } else { "entries" }
            ));
            None
        })
    }

    /// The elements of an array of any length, each read before a failure ends it, so that each reports
    /// its problem.
    pub(crate) fn all<T>(
        self,
        expected: &str,
        read: impl Fn(Field<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let values: Vec<Option<T>> = self.list(expected)?.into_iter().map(read).collect();
        values.into_iter().collect()
    }

    pub(crate) fn list(self, expected: &str) -> Option<Vec<Field<'a>>> {
        let DeValue::Array(array) = self.value else {
            return self.unexpected(expected);
        };
        let elements = array.iter().enumerate();
        Some(elements.map(|(i, e)| self.element(i + 1, e)).collect())
    }

    fn element(&self, index: usize, value: &'a Spanned<DeValue<'a>>) -> Field<'a> {
        Field {
            name: format!("{}[{index}]", self.name),
            span: value.span(),
            value: value.get_ref(),
            ..self.clone()
        }
    }

    pub(crate) fn quantities<const N: usize>(
        self,
        kind: DeclaredType,
        example: &str,
    ) -> Option<[f64; N]> {
        self.warn_of_comma();
        let values = self.elements::<N>(example)?.map(|e| e.quantity(kind));
        // All elements are read before any failure ends it, so that each reports its problem.
        let mut numbers = [0.0; N];
        for (number, value) in numbers.iter_mut().zip(values) {
            *number = value?;
        }
        Some(numbers)
    }

    /// Warns of a comma between two digits in an array that has blanks behind other commas: `[0, -9,81]`.
    fn warn_of_comma(&self) {
        let text = self.notes.source(self.span.clone());
        let has_blanks = text.contains(", ") && !text.contains('"');
        let is_decimal = |three: &[u8]| {
            three[1] == b',' && three[0].is_ascii_digit() && three[2].is_ascii_digit()
        };
        if has_blanks && text.as_bytes().windows(3).any(is_decimal) {
            let name = format!("{}{}", self.subject, self.name);
            let message = format!("{name} is {text}: a comma separates two numbers");
            let help = "write decimals behind a point, or a blank behind the comma";
            self.notes.warn_at(self.span.clone(), (message, help));
        }
    }

    pub(crate) fn vector(self, kind: DeclaredType) -> Option<[f64; 3]> {
        self.quantities(kind, "[0, 0, 0.5]")
    }

    /// A table inside the value, which belongs to the same item; `example` shows one.
    pub(crate) fn table(self, example: &str) -> Option<Section<'a>> {
        match self.value {
            DeValue::Table(table) => Some(Section {
                notes: self.notes,
                table,
                header: self.span,
                item: self.item,
                subject: self.subject,
                path: format!("{}.", self.name),
                arrays: self.arrays,
                asked: Vec::new(),
            }),
            _ => self.unexpected(&format!("a table such as {example}")),
        }
    }

    /// The tables of an array such as `[[body]]`; `item` gives the item of each by its index.
    pub(crate) fn tables(self, item: impl Fn(usize) -> SceneItem) -> Vec<Section<'a>> {
        let arrays = match self.arrays.as_str() {
            "" => self.name.clone(),
            outer => format!("{outer}.{}", self.name),
        };
        let DeValue::Array(array) = self.value else {
            self.fail((
                format!("is {}", found(self.value)),
                format!("write [[{arrays}]]"),
            ));
            return Vec::new();
        };
        let outer = if self.subject.is_empty() {
            String::new()
        } else {
            format!("{}, ", self.subject.trim_end_matches(": "))
        };
        let mut sections = Vec::new();
        for (index, element) in array.iter().enumerate() {
            let DeValue::Table(table) = element.get_ref() else {
                self.fail_at(
                    element.span(),
                    format!(
                        "has {} in it; expected tables only",
                        found(element.get_ref())
                    ),
                );
                continue;
            };
            let item = item(sections.len());
            self.notes.locate(item, "", element.span());
            let title = Section::title(table, &self.name.replace('_', " "), index);
            sections.push(Section {
                notes: self.notes,
                table,
                header: element.span(),
                item,
                subject: format!("{outer}{title}: "),
                path: String::new(),
                arrays: arrays.clone(),
                asked: Vec::new(),
            });
        }
        sections
    }

    pub(crate) fn text(&self) -> Option<&'a str> {
        match self.value {
            DeValue::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn is_table(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    pub(crate) fn is_boolean(&self) -> bool {
        matches!(self.value, DeValue::Boolean(_))
    }

    pub(crate) fn is_array(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    pub(crate) fn is_integer(&self, expected: u32) -> bool {
        matches!(self.value, DeValue::Integer(i) if integer_value(i) == f64::from(expected))
    }

    pub(crate) fn is_string(&self) -> bool {
        matches!(self.value, DeValue::String(_))
    }
}

fn text_of<'a>(table: &'a DeTable<'a>, key: &str) -> Option<&'a str> {
    match table.get(key)?.get_ref() {
        DeValue::String(text) => Some(text),
        _ => None,
    }
}

/// The known word most like `word`, where one is alike enough.
pub(crate) fn suggestion<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    let best = alike(word, known.iter().copied()).into_iter().next();
    best.filter(|(similarity, _)| *similarity > SUGGESTION_SIMILARITY)
        .map(|(_, word)| word)
}

/// Known words with their similarity to `word`, the most similar ones first.
fn alike<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Vec<(f64, &'w str)> {
    let similarity =
        |known: &str| strsim::jaro_winkler(&word.to_lowercase(), &known.to_lowercase());
    let mut all = Vec::from_iter(known.map(|known| (similarity(known), known)));
    all.sort_by(|(one, _), (two, _)| two.total_cmp(one));
    all
}

/// What to say of a pattern of `expose` that matches nothing.
pub(crate) fn unmatched(error: &UnmatchedPattern) -> Finding {
    let pattern = error.pattern.trim_start_matches('!');
    let names = alike(pattern, error.names.iter().map(String::as_str));
    let names = names.iter().take(3).map(|(_, name)| *name);
    let nearest = format!("nearest names: {}", Vec::from_iter(names).join(", "));
    let signs = "`*` matches any text, a leading `!` excludes outputs";
    Finding::from((error.to_string(), nearest)).with_help(signs)
}

/// Value of an integer of any length; NaN cannot occur, TOML has checked the digits.
fn integer_value(integer: &DeInteger<'_>) -> f64 {
    let text = integer.as_str();
    match integer.radix() {
        10 => text.parse().unwrap_or(f64::NAN),
        radix => i128::from_str_radix(text, radix).map_or(f64::NAN, |value| value as f64),
    }
}

fn number_text(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(integer) => integer.to_string(),
        DeValue::Float(float) => float.to_string(),
        _ => String::new(),
    }
}

/// A value in words, as messages show it.
fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the string {text:?}"),
        DeValue::Integer(_) | DeValue::Float(_) => format!("the number {}", number_text(value)),
        DeValue::Boolean(value) => format!("{value}"),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(array) => format!("an array of {}", array.len()),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
