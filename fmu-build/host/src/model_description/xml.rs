//! XML document as a tree of elements, names without their prefix. Text is dropped: modelDescription.xml has
//! none that matters here.

use fmu_core::instance::Standard;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::BTreeMap;
use std::str::FromStr;

/// Maximum depth of elements; modelDescription.xml needs five, annotations may need more.
const MAX_DEPTH: usize = 100;
/// Maximum number of attributes of an element, ten times that of the standards; they are compared pairwise.
const MAX_ATTRIBUTES: usize = 256;

#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Element {
    pub name: String,
    attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Names of the attributes that are true in XML Schema.
    pub(crate) fn true_attributes(&self) -> impl Iterator<Item = &str> {
        let is_true = |value: &str| matches!(value.trim(), "true" | "1");
        let attributes = self.attributes.iter();
        attributes.filter_map(move |(name, value)| is_true(value).then_some(name.as_str()))
    }

    /// Required attribute.
    ///
    /// # Errors
    /// It is missing.
    pub(crate) fn required(&self, name: &str) -> Result<String, String> {
        match self.attribute(name) {
            Some(value) => Ok(value.to_owned()),
            None => Err(format!("{} has no attribute {name}", self.label())),
        }
    }

    /// Optional number.
    ///
    /// # Errors
    /// It is not a number of this type.
    pub(crate) fn optional<T: FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        let Some(text) = self.attribute(name) else {
            return Ok(None);
        };
        text.trim().parse().map(Some).map_err(|_| {
            format!(
                "{} has {name}={text:?}, which is not a number of its kind",
                self.label()
            )
        })
    }

    /// Required number.
    ///
    /// # Errors
    /// It is missing, or not a number of this type.
    pub(crate) fn number<T: FromStr>(&self, name: &str) -> Result<T, String> {
        let value = self.optional(name)?;
        value.ok_or_else(|| format!("{} has no attribute {name}", self.label()))
    }

    /// The element with its attribute `name`, for messages.
    pub(crate) fn label(&self) -> String {
        match self.attribute("name") {
            Some(name) => format!("<{} name={name:?}>", self.name),
            None => format!("<{}>", self.name),
        }
    }

    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name)
    }

    pub(crate) fn children_of(&self, name: &str) -> &[Element] {
        self.child(name).map_or(&[], |c| &c.children)
    }
}

/// Root element of a document.
///
/// # Errors
/// Problem with the line: not well-formed, no root or two, too deep.
pub(super) fn parse(text: &str) -> Result<Element, String> {
    let mut reader = Reader::from_str(text);
    // The innermost open element is last; the bottom entry collects the document.
    let mut open = vec![Element::default()];
    if let Some((place, bad)) = text.char_indices().find(|(_, c)| !is_allowed(*c)) {
        let line = 1 + text[..place].matches('\n').count();
        return Err(format!("line {line}: {}", forbidden(bad)));
    }
    loop {
        // Counts from the start of the text: only for messages.
        let at = |position: u64| {
            let end = usize::try_from(position).map_or(text.len(), |p| p.min(text.len()));
            1 + text.as_bytes()[..end]
                .iter()
                .filter(|b| **b == b'\n')
                .count()
        };
        let event = reader
            .read_event()
            .map_err(|error| format!("line {}: {error}", at(reader.error_position())))?;
        let line = || at(reader.buffer_position());
        match event {
            Event::Start(start) => {
                if open.len() > MAX_DEPTH {
                    return Err(format!(
                        "line {}: elements nested deeper than {MAX_DEPTH}",
                        line()
                    ));
                }
                open.push(element(&start).map_err(|e| format!("line {}: {e}", line()))?);
            }
            Event::Empty(start) => {
                let child = element(&start).map_err(|e| format!("line {}: {e}", line()))?;
                add(&mut open, child);
            }
            // The reader has compared the name of the end with that of the start.
            Event::End(_) => {
                if let Some(child) = open.pop() {
                    add(&mut open, child);
                }
            }
            Event::GeneralRef(reference) => {
                let named = reference.resolve_char_ref();
                match named.map_err(|e| format!("line {}: {e}", line()))? {
                    Some(bad) if !is_allowed(bad) => {
                        return Err(format!("line {}: {}", line(), forbidden(bad)));
                    }
                    _ => {}
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let mut document = match open.len() {
        1 => open.swap_remove(0).children,
        _ => return Err(format!("the file ends inside <{}>", open[1].name)),
    };
    match document.len() {
        1 => Ok(document.swap_remove(0)),
        0 => Err("the file has no element".into()),
        n => Err(format!("the file has {n} root elements")),
    }
}

/// Returns true if a document may contain a character, also as a reference: `Char` of XML 1.0, section 2.2.
fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn forbidden(character: char) -> String {
    let number = u32::from(character);
    format!("the character U+{number:04X} is none that XML 1.0 allows; remove it")
}

fn add(open: &mut [Element], child: Element) {
    if let Some(parent) = open.last_mut() {
        parent.children.push(child);
    }
}

fn element(start: &BytesStart<'_>) -> Result<Element, String> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|e| e.to_string())?;
        if attributes.len() == MAX_ATTRIBUTES {
            return Err(format!(
                "an element has more than {MAX_ATTRIBUTES} attributes"
            ));
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|e| e.to_string())?.into_owned();
        if let Some(bad) = value.chars().find(|c| !is_allowed(*c)) {
            return Err(forbidden(bad));
        }
        attributes.push((attribute.key.local_name().as_ref().to_owned(), value));
    }
    Ok(Element {
        name: start.local_name().as_ref().to_owned(),
        attributes,
        children: Vec::new(),
    })
}

/// Type of a variable, by its name in FMI 3.0. FMI 2.0 has Real (Float64), Integer (Int32), Boolean, String
/// and Enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum DataType {
    Float64,
    Float32,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Boolean,
    String,
    Binary,
    Enumeration,
    Clock,
}

impl DataType {
    const NAMES_FMI3: [(&'static str, DataType); 15] = [
        ("Float64", DataType::Float64),
        ("Float32", DataType::Float32),
        ("Int8", DataType::Int8),
        ("UInt8", DataType::UInt8),
        ("Int16", DataType::Int16),
        ("UInt16", DataType::UInt16),
        ("Int32", DataType::Int32),
        ("UInt32", DataType::UInt32),
        ("Int64", DataType::Int64),
        ("UInt64", DataType::UInt64),
        ("Boolean", DataType::Boolean),
        ("String", DataType::String),
        ("Binary", DataType::Binary),
        ("Enumeration", DataType::Enumeration),
        ("Clock", DataType::Clock),
    ];

    const NAMES_FMI2: [(&'static str, DataType); 5] = [
        ("Real", DataType::Float64),
        ("Integer", DataType::Int32),
        ("Boolean", DataType::Boolean),
        ("String", DataType::String),
        ("Enumeration", DataType::Enumeration),
    ];

    fn names(standard: Standard) -> &'static [(&'static str, DataType)] {
        match standard {
            Standard::Fmi2 => &Self::NAMES_FMI2,
            Standard::Fmi3 => &Self::NAMES_FMI3,
        }
    }

    pub(super) fn from_name(standard: Standard, name: &str) -> Option<DataType> {
        let mut names = Self::names(standard).iter();
        names.find(|(n, _)| *n == name).map(|e| e.1)
    }

    /// Name in the model description of a version; empty for a type that the version lacks.
    pub fn name(self, standard: Standard) -> &'static str {
        let mut names = Self::names(standard).iter();
        names.find(|(_, t)| *t == self).map_or("", |e| e.0)
    }

    /// Returns true if values can be shown as numbers.
    pub fn is_numeric(self) -> bool {
        !matches!(self, DataType::String | DataType::Binary | DataType::Clock)
    }
}

/// Extent of an array variable along one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Given.
    Fixed(usize),
    /// Value of the structural parameter with this index in the list of variables.
    Parameter(usize),
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Unique name.
    pub name: String,
    /// Value reference. In FMI 2.0 several variables may share one: with different types and values, or with
    /// one type and the same value.
    pub reference: u32,
    /// Type.
    pub data_type: DataType,
    /// `parameter`, `input`, `output` ...; `local` by default.
    pub causality: String,
    /// `fixed`, `discrete`, `continuous` ...; by default that of its type.
    pub variability: String,
    /// Start value as written.
    pub start: Option<String>,
    /// Unit of the variable or of its declared type.
    pub unit: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Nominal value of the variable or of its declared type.
    pub nominal: Option<f64>,
    /// Index in the list of variables of the state of which this is the derivative.
    pub derivative_of: Option<usize>,
    /// Names and values of an enumeration, or of an integer parameter whose description lists them: "formula:
    /// 1 (auto), 2 (explicit)".
    pub items: Vec<(String, f64)>,
    /// Extents of an array; empty for a scalar.
    pub dimensions: Vec<Dimension>,
}

/// Element with its type-dependent part: in FMI 3.0 the element itself, in FMI 2.0 its child,
/// `<ScalarVariable><Real/></ScalarVariable>`.
#[derive(Clone, Copy)]
pub(super) struct TypedElement<'a> {
    pub element: &'a Element,
    pub(crate) body: &'a Element,
    pub data_type: DataType,
}

impl<'a> TypedElement<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        let own = self.element.attribute(name);
        own.or_else(|| self.body.attribute(name))
    }
}

impl Variable {
    /// Start values of its entries, 0 by default.
    pub fn starts(&self, size: usize) -> impl Iterator<Item = f64> + use<> {
        let text = self.start.as_deref().unwrap_or("");
        let words = text.split_whitespace();
        let given: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
        // One value may be given for all.
        (0..size).map(move |i| given.get(i).or(given.last()).copied().unwrap_or(0.0))
    }

    /// Reads a variable without its references to others: `derivative_of` and `dimensions` are empty. `types`
    /// are the declared types by name.
    ///
    /// # Errors
    /// A missing or unreadable attribute, an unknown declared type.
    pub(super) fn read(
        variable: TypedElement<'_>,
        types: &BTreeMap<&str, TypedElement<'_>>,
    ) -> Result<Variable, String> {
        let TypedElement {
            element,
            body,
            data_type,
        } = variable;
        let declared = match body.attribute("declaredType") {
            None => None,
            Some(name) => Some(types.get(name).ok_or_else(|| {
                format!(
                    "{} has declaredType={name:?}, which TypeDefinitions does not have",
                    element.label()
                )
            })?),
        };
        let own_or_declared = |name| {
            let own = variable.attribute(name);
            let text = own.or_else(|| declared.and_then(|d| d.attribute(name)));
            text.map(str::to_owned)
        };
        let nominal = match body.optional("nominal")? {
            Some(nominal) => Some(nominal),
            None => declared.map_or(Ok(None), |d| d.body.optional("nominal"))?,
        };
        let causality = element.attribute("causality").unwrap_or("local");
        let description = own_or_declared("description");
        let items = match (data_type, declared, &description) {
            (DataType::Enumeration, Some(declared), _) => items(declared.body),
            (DataType::Int32, _, Some(text)) if causality == "parameter" => listed(text),
            _ => Vec::new(),
        };
        let default_variability = match (causality, data_type) {
            ("parameter" | "calculatedParameter" | "structuralParameter", _) => "fixed",
            (_, DataType::Float64 | DataType::Float32) => "continuous",
            _ => "discrete",
        };
        let variability = element.attribute("variability");
        let start = body
            .attribute("start")
            .or_else(|| body.child("Start").and_then(|s| s.attribute("value")));
        Ok(Variable {
            name: element.required("name")?,
            reference: element.number("valueReference")?,
            data_type,
            causality: causality.to_owned(),
            variability: variability.unwrap_or(default_variability).to_owned(),
            start: start.map(str::to_owned),
            unit: own_or_declared("unit"),
            description,
            nominal,
            derivative_of: None,
            items,
            dimensions: Vec::new(),
        })
    }
}

/// Names and values of an enumeration; incomplete items are ignored.
fn items(declared: &Element) -> Vec<(String, f64)> {
    let items = declared
        .children
        .iter()
        .filter(|child| child.name == "Item");
    let item = |item: &Element| {
        let number: i32 = item.attribute("value")?.trim().parse().ok()?;
        Some((item.attribute("name")?.to_owned(), f64::from(number)))
    };
    items.filter_map(item).collect()
}

/// Words and values listed in a description.
fn listed(description: &str) -> Vec<(String, f64)> {
    let item = |part: &str| {
        let (number, rest) = part.trim().split_once(" (")?;
        let (word, _) = rest.split_once(')')?;
        let number: i32 = number.parse().ok()?;
        Some((word.to_owned(), f64::from(number)))
    };
    description.split([':', ',']).filter_map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_becomes_a_tree_with_unescaped_values() {
        let root =
            parse("<?xml version='1.0'?><!-- c -->\n<a b='1 &lt; 2 &#x4d;'><x:c/><c d=''/>t</a>");
        let root = root.unwrap();
        assert_eq!(root.name, "a");
        assert_eq!(root.attribute("b"), Some("1 < 2 M"));
        assert_eq!(root.children.len(), 2);
        assert_eq!(root.children[0].name, "c");
        assert_eq!(root.children[1].attribute("d"), Some(""));
        assert_eq!(root.attribute("d"), None);
    }

    /// Work that grows with the square of the length would take minutes for these 0.6 MB.
    #[test]
    fn a_long_document_is_read_and_its_last_line_named() {
        let many = "<b c='12345678901234567890'/>\n".repeat(20_000);
        let root = parse(&format!("<a>\n{many}</a>")).unwrap();
        assert_eq!(root.children.len(), 20_000);
        let error = parse(&format!("<a>\n{many}<b c='&no;'/></a>")).unwrap_err();
        assert!(error.starts_with("line 20002: "), "{error}");
    }

    #[test]
    fn what_is_not_well_formed_is_refused_with_its_line() {
        let error = parse("<a>\n<b>\n</a>").unwrap_err();
        assert!(error.starts_with("line 3: "), "{error}");
        for bad in [
            "",
            "text",
            "<a>",
            "<a/><b/>",
            "<a b=c/>",
            "<a b='&no;'/>",
            "<a b='1' b='2'/>",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        for (bad, name) in [
            ("<a>\n<b c='&#27;[2J'/></a>", "U+001B"),
            ("<a>\n&#x7;</a>", "U+0007"),
            ("<a>\n<!-- \u{c} --></a>", "U+000C"),
            ("<a>\n<b c='\u{ffff}'/></a>", "U+FFFF"),
        ] {
            let error = parse(bad).unwrap_err();
            assert!(
                error.starts_with("line 2: ") && error.contains(name),
                "{error}"
            );
        }
        assert!(parse("<a b='&#9;&#x202e;\u{85}'>&#10;</a>").is_ok());
        let deep = "<a>".repeat(1000);
        assert!(parse(&deep).unwrap_err().contains("deeper"));
    }
}
