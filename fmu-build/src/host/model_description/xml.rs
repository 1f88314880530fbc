//! An XML document as a tree of elements, names without their prefix. Text is not kept:
//! modelDescription.xml has none that matters here.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::str::FromStr;

/// Depth of elements at most; modelDescription.xml needs five, annotations may need more.
const MAX_DEPTH: usize = 100;
/// Attributes of an element at most, ten times those that the standards have; each is compared with
/// all the others.
const MAX_ATTRIBUTES: usize = 256;

/// An element.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Element {
    /// Name without prefix.
    pub name: String,
    attributes: Vec<(String, String)>,
    /// Elements inside.
    pub children: Vec<Element>,
}

impl Element {
    /// Value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Names of the attributes that are true, as XML Schema writes booleans.
    pub fn true_attributes(&self) -> impl Iterator<Item = &str> {
        let is_true = |value: &str| matches!(value.trim(), "true" | "1");
        let attributes = self.attributes.iter();
        attributes.filter_map(move |(name, value)| is_true(value).then_some(name.as_str()))
    }

    /// Value of an attribute that has to be there.
    ///
    /// # Errors
    /// It is not there.
    pub fn required(&self, name: &str) -> Result<String, String> {
        match self.attribute(name) {
            Some(value) => Ok(value.to_owned()),
            None => Err(format!("{} has no attribute {name}", self.label())),
        }
    }

    /// Value of an attribute as a number, if it is there.
    ///
    /// # Errors
    /// It is not a number of this type.
    pub fn optional<T: FromStr>(&self, name: &str) -> Result<Option<T>, String> {
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

    /// Value of an attribute as a number that has to be there.
    ///
    /// # Errors
    /// It is not there, or not a number of this type.
    pub fn number<T: FromStr>(&self, name: &str) -> Result<T, String> {
        let value = self.optional(name)?;
        value.ok_or_else(|| format!("{} has no attribute {name}", self.label()))
    }

    /// The element with its attribute `name`, for messages.
    pub fn label(&self) -> String {
        match self.attribute("name") {
            Some(name) => format!("<{} name={name:?}>", self.name),
            None => format!("<{}>", self.name),
        }
    }

    /// First child with this name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name)
    }

    /// Children of the first child with this name; none where there is no such child.
    pub fn children_of(&self, name: &str) -> &[Element] {
        self.child(name).map_or(&[], |c| &c.children)
    }
}

/// The root element of a document.
///
/// # Errors
/// What is wrong and at which line: not well-formed, no root or two, too deep.
pub fn parse(text: &str) -> Result<Element, String> {
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

/// Whether a document may have a character, also as a reference: `Char` of XML 1.0, section 2.2.
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
