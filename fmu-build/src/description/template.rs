//! Fills a template. A template is a well-formed XML document, so quick-xml reads and writes it
//! and does the escaping. Instructions:
//!
//! - `{field}` in an attribute or a text is replaced by the field's value; an attribute that is
//!   nothing but a field without value is left away
//! - `<t:each of="list">` is replaced by its content, once for each record of the list
//! - `<t:xml of="field"/>` is replaced by the field's value, which is well-formed XML, unescaped
//! - `t:if="field"` on an element: the element is kept only where the field has a value
//!
//! A field is looked up in the innermost record first. Comments and the white space between
//! elements are not copied; the writer indents. A field or list that no record has is an error, so
//! a mistyped template does not pass.

use quick_xml::events::{BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer, XmlVersion, escape};
use std::fmt;

/// What is wrong with a template or with what it is filled with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("template: {0}")]
pub struct TemplateError(String);

fn error<T>(message: impl Into<String>) -> Result<T, TemplateError> {
    Err(TemplateError(message.into()))
}

/// What is called with each record of a list, one after the other.
type Take<'t> = &'t mut dyn FnMut(&Record<'_>) -> Result<(), TemplateError>;
/// Makes the records of a list, one at a time.
type List<'a> = dyn Fn(Take<'_>) -> Result<(), TemplateError> + 'a;

enum Value<'a> {
    Text(Option<String>),
    List(Box<List<'a>>),
}

/// Named values that a template is filled with; one that is added later counts.
#[derive(Default)]
pub(crate) struct Record<'a>(Vec<(&'static str, Value<'a>)>);

impl<'a> Record<'a> {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn text(self, name: &'static str, value: impl Into<String>) -> Self {
        self.optional(name, Some(value.into()))
    }

    pub(crate) fn optional(mut self, name: &'static str, value: Option<String>) -> Self {
        self.0.push((name, Value::Text(value)));
        self
    }

    pub(crate) fn list(mut self, name: &'static str, records: Vec<Record<'a>>) -> Self {
        let list = move |take: Take<'_>| records.iter().try_for_each(take);
        self.0.push((name, Value::List(Box::new(list))));
        self
    }

    /// Adds a list with a record of each item; they are made when the template is filled and never
    /// all there at once.
    pub(crate) fn each<'r: 'a, T>(
        mut self,
        name: &'static str,
        items: &'a [T],
        record: impl Fn(&'a T) -> Record<'r> + 'a,
    ) -> Self {
        let list = move |take: Take<'_>| items.iter().try_for_each(|item| take(&record(item)));
        self.0.push((name, Value::List(Box::new(list))));
        self
    }

    fn value(&self, name: &str) -> Option<&Value<'a>> {
        let mut later = self.0.iter().rev();
        later
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }
}

#[derive(Clone, Copy)]
struct Scope<'s> {
    record: &'s Record<'s>,
    outer: Option<&'s Scope<'s>>,
}

pub(crate) fn fill(template: &str, record: &Record) -> Result<String, TemplateError> {
    let nodes = parse(template)?;
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let scope = Scope {
        record,
        outer: None,
    };
    render(&nodes, &scope, &mut writer)?;
    let mut bytes = writer.into_inner();
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(|e| TemplateError(e.to_string()))
}

enum Node {
    Element {
        name: String,
        condition: Option<String>,
        attributes: Vec<(String, String)>,
        children: Vec<Node>,
        /// Written as `<name/>` in the template.
        empty: bool,
    },
    Each {
        list: String,
        children: Vec<Node>,
    },
    Text(String),
    Xml(String),
    /// XML declaration or document type, copied.
    Head(Event<'static>),
}

fn parse(template: &str) -> Result<Vec<Node>, TemplateError> {
    let fail = |e: &dyn fmt::Display| TemplateError(e.to_string());
    let mut reader = Reader::from_str(template);
    // The innermost open element is last; the bottom entry collects the document.
    let mut open: Vec<(BytesStart<'static>, Vec<Node>)> = vec![(BytesStart::new(""), Vec::new())];
    loop {
        let event = reader.read_event().map_err(|e| fail(&e))?;
        let (start, children) = match &event {
            Event::Start(start) => {
                open.push((start.to_owned(), Vec::new()));
                continue;
            }
            Event::End(_) => match open.pop() {
                Some((start, children)) if !open.is_empty() => (start, Some(children)),
                _ => return error("an element ends that was not started"),
            },
            Event::Empty(start) => (start.to_owned(), None),
            Event::Eof => break,
            _ => {
                let node = match event {
                    Event::Text(text) => Some(Node::Text(text.xml10_content().into_owned())),
                    Event::GeneralRef(reference) => Some(Node::Text(resolve(&reference)?)),
                    Event::Decl(_) | Event::DocType(_) => Some(Node::Head(event.into_owned())),
                    Event::CData(_) | Event::PI(_) => {
                        return error("CDATA and processing instructions are not supported");
                    }
                    _ => None,
                };
                if let Some((_, siblings)) = open.last_mut() {
                    siblings.extend(node);
                }
                continue;
            }
        };
        let node = element(&start, children)?;
        if let Some((_, siblings)) = open.last_mut() {
            siblings.push(node);
        }
    }
    match open.pop() {
        Some((_, nodes)) if open.is_empty() => Ok(nodes),
        _ => error("an element is not closed"),
    }
}

fn resolve(reference: &quick_xml::events::BytesRef<'_>) -> Result<String, TemplateError> {
    if let Ok(Some(letter)) = reference.resolve_char_ref() {
        return Ok(letter.to_string());
    }
    let name = reference.xml10_content();
    match escape::resolve_predefined_entity(&name) {
        Some(text) => Ok(text.to_owned()),
        None => error(format!("entity &{name}; is not known")),
    }
}

fn element(start: &BytesStart<'_>, children: Option<Vec<Node>>) -> Result<Node, TemplateError> {
    let name = start.name().as_ref().to_owned();
    let mut attributes = Vec::new();
    let mut condition = None;
    let mut list = None;
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|e| TemplateError(e.to_string()))?;
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|e| TemplateError(e.to_string()))?
            .into_owned();
        match attribute.key.as_ref() {
            "xmlns:t" => {}
            "t:if" => condition = Some(value),
            "of" if name == "t:each" || name == "t:xml" => list = Some(value),
            key => attributes.push((key.to_owned(), value)),
        }
    }
    let empty = children.is_none();
    let children = children.unwrap_or_default();
    match (name.as_str(), list) {
        ("t:each", Some(list)) => Ok(Node::Each { list, children }),
        ("t:xml", Some(field)) if children.is_empty() => Ok(Node::Xml(field)),
        (instruction, _) if instruction.starts_with("t:") => {
            error(format!("instruction <{instruction}> is not known"))
        }
        _ => Ok(Node::Element {
            name,
            condition,
            attributes,
            children,
            empty,
        }),
    }
}

fn render(
    nodes: &[Node],
    scope: &Scope<'_>,
    writer: &mut Writer<Vec<u8>>,
) -> Result<(), TemplateError> {
    let fail = |e: std::io::Error| TemplateError(e.to_string());
    for node in nodes {
        match node {
            Node::Head(event) => writer.write_event(event.borrow()).map_err(fail)?,
            Node::Text(text) if text.trim().is_empty() => {}
            Node::Text(text) => {
                let text = substitute(text, scope)?.unwrap_or_default();
                let event = Event::Text(BytesText::new(&text));
                writer.write_event(event).map_err(fail)?;
            }
            Node::Xml(field) => {
                let xml = text(field, scope)?.unwrap_or_default();
                let event = Event::Text(BytesText::from_escaped(xml));
                writer.write_event(event).map_err(fail)?;
            }
            Node::Each { list, children } => {
                let Some(Value::List(records)) = find(list, scope) else {
                    return error(format!("there is no list {list:?}"));
                };
                records(&mut |record| {
                    let outer = Some(scope);
                    render(children, &Scope { record, outer }, writer)
                })?;
            }
            Node::Element {
                name,
                condition,
                attributes,
                children,
                empty,
            } => {
                if let Some(field) = condition
                    && text(field, scope)?.is_none()
                {
                    continue;
                }
                let mut start = BytesStart::new(name);
                for (key, value) in attributes {
                    if let Some(value) = substitute(value, scope)? {
                        start.push_attribute((key.as_str(), value.as_str()));
                    }
                }
                if *empty {
                    writer.write_event(Event::Empty(start)).map_err(fail)?;
                } else {
                    writer
                        .write_event(Event::Start(start.borrow()))
                        .map_err(fail)?;
                    render(children, scope, writer)?;
                    writer
                        .write_event(Event::End(start.to_end()))
                        .map_err(fail)?;
                }
            }
        }
    }
    Ok(())
}

fn find<'s>(name: &str, scope: &'s Scope<'s>) -> Option<&'s Value<'s>> {
    let found = scope.record.value(name);
    found.or_else(|| find(name, scope.outer?))
}

fn text<'s>(name: &str, scope: &'s Scope<'s>) -> Result<Option<&'s str>, TemplateError> {
    match find(name, scope) {
        Some(Value::Text(value)) => Ok(value.as_deref()),
        _ => error(format!("there is no field {name:?}")),
    }
}

/// Replaces the fields in a text; none where the text is nothing but a field without value.
fn substitute(template: &str, scope: &Scope<'_>) -> Result<Option<String>, TemplateError> {
    let mut result = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, name, after)) = next_field(rest) {
        match text(name, scope)? {
            Some(value) => {
                result.push_str(before);
                result.push_str(value);
            }
            None if before.len() + after.len() + name.len() + 2 == template.len()
                && before.is_empty()
                && after.is_empty() =>
            {
                return Ok(None);
            }
            None => {
                return error(format!(
                    "field {name:?} has no value and does not stand alone in {template:?}"
                ));
            }
        }
        rest = after;
    }
    result.push_str(rest);
    Ok(Some(result))
}

/// Splits at the first `{field}`; other braces, as in a style sheet, are text.
fn next_field(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text[from..].find('{')?;
        let inner = &text[open + 1..];
        let length = inner
            .find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'))
            .unwrap_or(inner.len());
        if length > 0 && inner[length..].starts_with('}') {
            return Some((&text[..open], &inner[..length], &inner[length + 1..]));
        }
        from = open + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str, record: &Record) -> String {
        fill(template, record).unwrap()
    }

    #[test]
    fn xml_is_copied_where_text_is_escaped() {
        let record = Record::new().text("a", "<b/>");
        let filled = fill("<r xmlns:t=\"template\"><t:xml of=\"a\"/>{a}</r>", &record);
        assert_eq!(filled.unwrap(), "<r><b/>&lt;b/&gt;</r>\n");
        let missing = fill("<r><t:xml of=\"b\"/></r>", &record).unwrap_err();
        assert!(missing.to_string().contains("\"b\""), "{missing}");
    }

    #[test]
    fn special_characters_of_a_value_are_escaped() {
        let nasty = "a < b > c & \"d\" 'e'";
        let record = Record::new().text("x", nasty);
        let output = filled(r#"<p a="{x}">{x}</p>"#, &record);
        assert!(!output.contains("< b"), "{output}");
        let mut reader = Reader::from_str(&output);
        let Event::Start(start) = reader.read_event().unwrap() else {
            panic!("{output}");
        };
        let attribute = start.try_get_attribute("a").unwrap().unwrap();
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).unwrap();
        assert_eq!(value, nasty);
        let text = reader.read_text(start.name()).unwrap();
        assert_eq!(escape::unescape(&text.xml10_content()).unwrap(), nasty);
    }

    #[test]
    fn an_element_is_repeated_for_each_record_of_a_list() {
        let item = |n: &str| Record::new().text("n", n);
        let record = Record::new()
            .text("model", "m")
            .list("items", vec![item("1"), item("2")]);
        let output = filled(
            r#"<a xmlns:t="template"><t:each of="items"><b n="{n}" m="{model}"/></t:each></a>"#,
            &record,
        );
        assert_eq!(
            output,
            "<a>\n  <b n=\"1\" m=\"m\"/>\n  <b n=\"2\" m=\"m\"/>\n</a>\n"
        );
    }

    #[test]
    fn what_has_no_value_is_left_away() {
        let record = Record::new().optional("no", None).text("yes", "1");
        let output = filled(
            r#"<a><b x="{no}" y="{yes}"/><c t:if="no"/><d t:if="yes"/><e>{no}</e></a>"#,
            &record,
        );
        assert_eq!(output, "<a>\n  <b y=\"1\"/>\n  <d/>\n  <e></e>\n</a>\n");
        assert!(fill(r#"<a x="v{no}"/>"#, &record).is_err());
    }

    #[test]
    fn braces_that_name_no_field_are_text() {
        let output = filled("<s>p { color: red } {}{A}</s>", &Record::new());
        assert_eq!(output, "<s>p { color: red } {}{A}</s>\n");
    }

    #[test]
    fn a_value_is_not_read_as_a_template() {
        let record = Record::new().text("x", "{y}");
        assert_eq!(filled("<a>{x}{x}</a>", &record), "<a>{y}{y}</a>\n");
    }

    #[test]
    fn mistakes_in_a_template_are_errors() {
        let record = Record::new().text("x", "1").list("l", Vec::new());
        for template in [
            "<a>{unknown}</a>",
            r#"<a b="{unknown}"/>"#,
            r#"<a><t:each of="unknown"/></a>"#,
            r#"<a><t:each of="x"/></a>"#,
            r#"<a><t:each/></a>"#,
            r#"<a><t:other/></a>"#,
            r#"<a t:if="unknown"/>"#,
            "<a>{l}</a>",
            "<a>",
            "<a></b>",
            "<a>&unknown;</a>",
        ] {
            assert!(fill(template, &record).is_err(), "{template}");
        }
    }
}
