//! Facts about the elements of a scene as rows, printed by `check` as text and as JSON and by the page in
//! an FMU as lists.

use contact_laws::quantity::{Access, Row};
use fmu_mesh::solid::{seen, short};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Numbers in parentheses, `(0, 0, -9.81)`.
pub(crate) fn vector(values: &[f64]) -> String {
    let values: Vec<String> = seen(values).map(short).collect();
    format!("({})", values.join(", "))
}

#[derive(Clone, Debug, PartialEq)]
enum Datum {
    Number(f64),
    Vector(Vec<f64>),
    /// Text, and the same for programs.
    Other(String, Value),
}

/// A fact: key for programs, label, value and unit. One without a text is for programs alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fact {
    key: String,
    label: String,
    datum: Datum,
    unit: String,
}

impl Fact {
    fn data(&self) -> Value {
        match &self.datum {
            Datum::Number(value) => json!(value),
            Datum::Vector(values) => json!(values),
            Datum::Other(_, value) => value.clone(),
        }
    }

    pub(crate) fn value(&self) -> String {
        let value = match &self.datum {
            Datum::Number(value) => short(*value),
            Datum::Vector(values) => vector(values),
            Datum::Other(text, _) => text.clone(),
        };
        joined([&value, &self.unit])
    }

    fn text(&self) -> String {
        joined([&self.label, &self.value()])
    }

    fn numbers(&self) -> &[f64] {
        match &self.datum {
            Datum::Number(value) => std::slice::from_ref(value),
            Datum::Vector(values) => values,
            Datum::Other(..) => &[],
        }
    }

    /// Text of the same fact of several elements, with the range of each number; `None` if texts differ.
    fn text_of_all(facts: &[&Fact]) -> Option<String> {
        let first = *facts.first()?;
        if facts.iter().all(|fact| fact.datum == first.datum) {
            return Some(first.text());
        }
        let count = first.numbers().len();
        if count == 0 || facts.iter().any(|fact| fact.numbers().len() != count) {
            return None;
        }
        let range = |i: usize| {
            let values = || facts.iter().map(|fact| fact.numbers()[i]);
            let least = values().fold(f64::INFINITY, f64::min);
            range([least, values().fold(f64::NEG_INFINITY, f64::max)])
        };
        let ranges = Vec::from_iter((0..count).map(range)).join(", ");
        let ranges = match first.datum {
            Datum::Vector(_) => format!("({ranges})"),
            _ => ranges,
        };
        Some(joined([&first.label, &ranges, &first.unit]))
    }
}

/// `0.1 to 0.3`, or the one value.
pub(crate) fn range([least, largest]: [f64; 2]) -> String {
    let [least, largest] = [least, largest].map(short);
    match least == largest {
        true => least,
        false => format!("{least} to {largest}"),
    }
}

fn joined<const N: usize>(parts: [&str; N]) -> String {
    Vec::from_iter(parts.into_iter().filter(|part| !part.is_empty())).join(" ")
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts(Vec<Fact>);

impl Facts {
    /// Adds a fact by its name: `key: label`, or a key whose words are the label.
    fn add(&mut self, name: &str, datum: Datum, unit: &str) -> &mut Self {
        let (key, label) = match name.split_once(':') {
            Some((key, label)) => (key, label.trim_start().to_owned()),
            None => (name, name.replace('_', " ")),
        };
        self.0.push(Fact {
            key: key.to_owned(),
            label,
            datum,
            unit: unit.to_owned(),
        });
        self
    }

    pub(crate) fn number(&mut self, name: &str, value: f64, unit: &str) -> &mut Self {
        self.add(name, Datum::Number(value), unit)
    }

    /// A number; `null` for programs without.
    pub(crate) fn optional(&mut self, name: &str, value: Option<f64>, unit: &str) -> &mut Self {
        match value {
            Some(value) => self.number(name, value, unit),
            None => self.data(name.split(':').next().unwrap_or(name), Value::Null),
        }
    }

    pub(crate) fn vector(&mut self, name: &str, values: &[f64], unit: &str) -> &mut Self {
        self.add(name, Datum::Vector(values.to_vec()), unit)
    }

    /// A vector unless it is zero.
    pub(crate) fn nonzero(&mut self, name: &str, values: &[f64], unit: &str) -> &mut Self {
        match values.iter().all(|value| *value == 0.0) {
            true => self,
            false => self.vector(name, values, unit),
        }
    }

    pub(crate) fn text(&mut self, name: &str, text: impl Into<String>) -> &mut Self {
        let text = text.into();
        let data = json!(text);
        self.add(name, Datum::Other(text, data), "")
    }

    /// A text, and other data for programs.
    pub(crate) fn other(
        &mut self,
        name: &str,
        text: impl Into<String>,
        data: impl Into<Value>,
    ) -> &mut Self {
        self.add(name, Datum::Other(text.into(), data.into()), "")
    }

    /// Numbers and vectors that an element has, by the rows of its keys.
    pub(crate) fn rows<E>(&mut self, rows: &[Row<E>], element: &E) {
        for Row { key, access } in rows {
            let unit = key.declared().unit_or_empty();
            match access {
                Access::Number(get, _) => get(element).map(|x| self.number(key.key, x, unit)),
                Access::Vector(get, _) => get(element).map(|x| self.vector(key.key, &x, unit)),
                _ => None,
            };
        }
    }

    /// A fact whose label says it all, if it holds.
    pub(crate) fn flag(&mut self, name: &str, is_true: bool) -> &mut Self {
        match is_true {
            true => self.other(name, "", true),
            false => self,
        }
    }

    /// For programs alone.
    pub(crate) fn data(&mut self, key: &str, data: impl Into<Value>) -> &mut Self {
        self.other(&format!("{key}:"), "", data)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Fact> {
        self.0.iter().find(|fact| fact.key == key)
    }

    /// Returns true if the data of a key are this text.
    pub(crate) fn has(&self, key: &str, text: &str) -> bool {
        self.get(key).is_some_and(|fact| fact.data() == text)
    }

    fn texts(&self) -> impl Iterator<Item = String> {
        self.0
            .iter()
            .map(Fact::text)
            .filter(|text| !text.is_empty())
    }

    /// Facts separated by commas.
    pub(crate) fn sentence(&self) -> String {
        Vec::from_iter(self.texts()).join(", ")
    }

    /// A line for each, the values below each other.
    pub(crate) fn table(&self, indent: &str) -> String {
        let width = self
            .0
            .iter()
            .map(|fact| fact.label.len())
            .max()
            .unwrap_or(0);
        let shown = self.0.iter().filter(|fact| !fact.text().is_empty());
        let lines = shown.map(|fact| match fact.label.is_empty() {
            true => format!("{indent}{}\n", fact.value()),
            false => format!("{indent}{:<width$}  {}\n", fact.label, fact.value()),
        });
        lines.collect()
    }

    /// An object with a value for each key.
    pub(crate) fn object(&self) -> Value {
        let facts = self.0.iter().map(|fact| (fact.key.clone(), fact.data()));
        Value::from(Map::from_iter(facts))
    }
}

/// What is said of an element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// Body that has it, named before it.
    pub(crate) owner: Option<String>,
    /// Key and word of its kind, which follows the name in parentheses.
    pub(crate) kind: Option<[&'static str; 2]>,
    /// Text between name and facts.
    pub(crate) lead: &'static str,
    /// Facts on the line of its name.
    pub(crate) line: Facts,
    /// Facts after these, in which it may differ from others that are alike.
    pub(crate) own: Facts,
    pub(crate) below: Facts,
    pub(crate) notes: Vec<String>,
    pub(crate) parts: Vec<Element>,
}

impl Element {
    pub(crate) fn new(name: &str, lead: &'static str) -> Self {
        Element {
            name: name.to_owned(),
            lead,
            ..Element::default()
        }
    }

    fn title(&self) -> String {
        let owner = self.owner.iter();
        Vec::from_iter(owner.chain([&self.name]).map(String::as_str)).join(".")
    }

    /// All on the line of the name that alike elements have in common.
    pub(crate) fn common(&self) -> String {
        let kind = self.kind.map(|[_, word]| format!(" ({word})"));
        let (kind, line) = (kind.unwrap_or_default(), self.line.sentence());
        let lead = if line.is_empty() { "" } else { self.lead };
        format!("{kind}{lead}{line}")
    }

    /// Facts of its own behind those in common.
    fn special(&self, own: &str) -> String {
        match (own, self.line.sentence().is_empty()) {
            ("", _) => String::new(),
            (own, true) => format!("{}{own}", self.lead),
            (own, false) => format!(", {own}"),
        }
    }

    /// Lines below that of its name.
    pub(crate) fn lines(&self, indent: &str) -> String {
        let mut text = self.below.table(indent);
        text.extend(self.notes.iter().map(|note| format!("{indent}{note}\n")));
        for part in &self.parts {
            let own = part.special(&part.own.sentence());
            text += &format!("{indent}{}{}{own}\n", part.title(), part.common());
            text += &part.lines(&format!("{indent}  "));
        }
        text
    }

    /// All as texts, an entry each.
    pub(crate) fn texts(&self) -> Vec<String> {
        let kind = self.kind.map(|[_, word]| word.to_owned());
        let facts = [&self.line, &self.own, &self.below];
        let facts = facts.into_iter().flat_map(Facts::texts);
        let notes = self.notes.iter().cloned();
        let parts = self.parts.iter();
        let parts = parts.map(|part| format!("{}{}", part.title(), part.common()));
        let all = kind.into_iter().chain(facts).chain(notes);
        all.chain(parts).collect()
    }

    /// An object for programs.
    pub(crate) fn object(&self) -> Value {
        let mut facts = Facts::default();
        facts.data("name", self.name.as_str());
        if let Some(owner) = &self.owner {
            facts.data("body", owner.as_str());
        }
        if let Some([key, word]) = self.kind {
            facts.data(key, word);
        }
        for list in [&self.line, &self.own, &self.below] {
            facts.0.extend_from_slice(&list.0);
        }
        if !self.notes.is_empty() {
            facts.data("notes", self.notes.clone());
        }
        if !self.parts.is_empty() {
            facts.data("parts", objects(&self.parts));
        }
        facts.object()
    }
}

pub(crate) fn objects(elements: &[Element]) -> Value {
    elements.iter().map(Element::object).collect()
}

/// A list of elements with its title.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chapter {
    pub(crate) key: &'static str,
    pub(crate) title: &'static str,
    pub(crate) elements: Vec<Element>,
}

impl Chapter {
    pub(crate) fn new(key: &'static str, title: &'static str, elements: Vec<Element>) -> Self {
        Chapter {
            key,
            title,
            elements,
        }
    }
}

/// Elements of one kind are listed together from this many on.
const CLASS: usize = 6;
pub(crate) const NAMED: usize = 3;

/// Text of a report, line by line. With a stream a long one is written there while it grows.
#[derive(Default)]
pub(crate) struct Listing<'w> {
    /// Text that is not written.
    pub(crate) text: String,
    pub(crate) stream: Option<&'w mut dyn FnMut(&str)>,
}

/// Length of a text from which it is written [bytes].
const WRITTEN: usize = 1 << 16;

impl Listing<'_> {
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
        if let Some(stream) = self.stream.as_mut().filter(|_| self.text.len() > WRITTEN) {
            stream(&self.text);
            self.text.clear();
        }
    }

    pub(crate) fn heading(&mut self, text: impl AsRef<str>) {
        self.text.push('\n');
        self.line(text);
    }

    /// What follows the first entries of a list with more than `most`.
    pub(crate) fn more(&mut self, count: usize, most: usize) {
        if count > most {
            self.line(format!("  and {} more", count - most));
        }
    }

    /// A heading with the number of elements, and these; nothing without any.
    pub(crate) fn list(&mut self, chapter: &Chapter, all: bool) {
        if !chapter.elements.is_empty() {
            self.heading(format!("{} ({})", chapter.title, chapter.elements.len()));
            self.elements(&chapter.elements, all);
        }
    }

    /// The same of the first elements.
    pub(crate) fn first(&mut self, chapter: &Chapter, most: usize) {
        let Chapter {
            title, elements, ..
        } = chapter;
        if !elements.is_empty() {
            self.heading(format!("{title} ({})", elements.len()));
            self.elements(&elements[..most.min(elements.len())], true);
            self.more(elements.len(), most);
        }
    }

    /// Lists elements, those that are alike in the place of the first of them unless `all` are wanted.
    pub(crate) fn elements(&mut self, elements: &[Element], all: bool) {
        let texts = elements.iter().map(|one| (one.common(), one.lines("    ")));
        let texts = Vec::from_iter(texts);
        let mut classes: HashMap<&(String, String), Vec<usize>> = HashMap::new();
        for (i, text) in texts.iter().enumerate() {
            classes.entry(text).or_default().push(i);
        }
        for (i, element) in elements.iter().enumerate() {
            let class = &classes[&texts[i]];
            let (names, own) = match all || class.len() < CLASS {
                true => (element.title(), element.own.sentence()),
                false if class[0] != i => continue,
                false => {
                    let members = Vec::from_iter(class.iter().map(|i| &elements[*i]));
                    let named = members.iter().take(NAMED).map(|one| one.title());
                    (
                        of_many(&Vec::from_iter(named), class.len()),
                        own_of_all(&members),
                    )
                }
            };
            self.line(format!("  {names}{}{}", texts[i].0, element.special(&own)));
            self.text.push_str(&texts[i].1);
        }
    }
}

/// `a, b, c and 4 more`.
pub(crate) fn of_many(named: &[String], count: usize) -> String {
    let names = named.join(", ");
    match count - named.len() {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

/// Facts of their own that all elements have, with their ranges.
fn own_of_all(elements: &[&Element]) -> String {
    let of_all = |fact: &Fact| {
        let same = elements.iter().map(|element| element.own.get(&fact.key));
        Fact::text_of_all(&same.collect::<Option<Vec<_>>>()?).filter(|text| !text.is_empty())
    };
    Vec::from_iter(elements[0].own.0.iter().filter_map(of_all)).join(", ")
}
