//! The keys of scene files as a JSON Schema, and as the tables of the book's page of all keys. Both come
//! from the tables of keys that the reader reads by.

use super::form::{self, FormTable};
use super::units::{self, Quantity};
use contact_laws::quantity::units::POWER_STIFFNESS;
use contact_laws::quantity::{DeclaredType, Key, Need, Range, Value, keys};
use contact_laws::response::Number;
use contact_laws::response::choice::KINDS;
use contact_laws::response::penetration::PENETRATION;
use contact_model::scene::coordinate;
use contact_model::scene::description::body::{ABOUT, BODY, SHAPE};
use contact_model::scene::description::contact::{
    CONTACT, FRICTION_FUNCTION, LIBRARIES, LIBRARY, MATERIAL, MATERIALS, NAMED, NORMAL_FUNCTION,
    OVERLAP, PAIR,
};
use contact_model::scene::description::force::{FORCES, MEASUREMENT, MOTIONS};
use contact_model::scene::description::form::PART;
use contact_model::scene::description::joint::{BALL, JOINT, LATCH, TRIGGER};
use contact_model::scene::description::world::{
    EXPERIMENT, EXPOSE, GRAINS, INTERFACE, PARAMETER_INPUTS, WORLD,
};
use contact_model::scene::description::{JointKind, SCENE};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;
use toml::de::{DeTable, DeValue};

/// Keys that stand for each other: a table that knows them all has one at most, and exactly one if the
/// first is required or the group is one of [`NEEDED`].
const ALTERNATIVES: [&[&str]; 7] = [
    &["diameter", "radius"],
    &["inner_diameter", "inner_radius"],
    &["top_diameter", "top_radius"],
    &["orientation", "rotation"],
    &["penetration", "stiffness"],
    NEEDED[0],
    NEEDED[1],
];
/// Alternatives of which a table needs one.
const NEEDED: [&[&str]; 2] = [&["frequency", "angular_frequency"], &["file", "files"]];
/// Time profiles, places of balls: a table has the keys of one of these groups.
const PROFILES: [(&str, &[&[&str]]); 3] = [
    ("[[grains]]", &[&["lattice"], &["fill"], &["file"]]),
    (
        "[[force]]",
        &[&["force", "torque"], &["sine"], &["table"], &["input"]],
    ),
    (
        "[[motion]]",
        &[&["velocity", "angular_velocity"], &["sine"], &["table"]],
    ),
];

/// A stiffness whose unit may have the exponent of a law.
const POWER: &str = "a stiffness of a law with an exponent";

struct Table {
    /// Its header: `[contact]`, `[[body.shape]]`.
    header: &'static str,
    /// Its keys, without those of arrays of tables in it.
    keys: Vec<Key>,
    /// It has the keys of a law too.
    has_law: bool,
    is_required: bool,
}

impl Table {
    fn all_keys(&self) -> Vec<Key> {
        let law = self.has_law.then(law_of_pair).unwrap_or_default();
        [self.keys.clone(), law].concat()
    }

    fn key(&self) -> &'static str {
        self.header.trim_matches(['[', ']'])
    }

    fn is_array(&self) -> bool {
        self.header.starts_with("[[")
    }
}

fn of_scene() -> Vec<Key> {
    [keys(&SCENE), keys(&ABOUT)].concat()
}

/// All tables of a scene file but those of shapes and parts.
fn tables() -> Vec<Table> {
    let table = |header, keys| Table {
        header,
        keys,
        has_law: ["[[material_pair]]", "[[pair]]"].contains(&header),
        is_required: ["[world]", "[experiment]", "[[body]]"].contains(&header),
    };
    let interface = [keys(&INTERFACE), vec![EXPOSE, PARAMETER_INPUTS]].concat();
    vec![
        table("[world]", WORLD.to_vec()),
        table("[experiment]", keys(&EXPERIMENT)),
        table("[interface]", interface),
        table("[contact]", contact()),
        table("[[material]]", keys(&MATERIAL)),
        table("[[material_pair]]", vec![MATERIALS]),
        table("[[library]]", LIBRARIES.to_vec()),
        table("[[pair]]", keys(&PAIR)),
        table("[[joint]]", joint()),
        table("[[latch]]", keys(&LATCH)),
        table("[[motion]]", MOTIONS.to_vec()),
        table("[[measurement]]", keys(&MEASUREMENT)),
        table("[[trigger]]", keys(&TRIGGER)),
        table("[[force]]", keys(&FORCES)),
        table("[[grains]]", keys(&GRAINS)),
        table("[[body]]", keys(&BODY)),
    ]
}

const FUNCTIONS: [Key; 3] = [LIBRARY, NORMAL_FUNCTION, FRICTION_FUNCTION];

fn contact() -> Vec<Key> {
    let kinds = KINDS
        .iter()
        .map(|kind| kind.key.unless("that of the preset"));
    let (preset, others) = CONTACT.split_at(1);
    let own = keys(preset).into_iter().chain(kinds).chain(FUNCTIONS);
    let named = NAMED.into_iter().chain(keys(&OVERLAP));
    own.chain(keys(others)).chain(named).collect()
}

/// The keys of a pair that say what happens at contact; its `law` may be `"none"`.
fn law_of_pair() -> Vec<Key> {
    let kinds = KINDS.iter().map(|kind| match kind.key.key {
        "law" => Key {
            value: Value::Either(&[Value::Word(|| vec!["none"]), Value::Word(laws)]),
            example: "\"none\"",
            ..kind.key
        },
        _ => kind.key,
    });
    let numbers = Number::keys().into_iter();
    kinds
        .chain(FUNCTIONS)
        .chain(numbers)
        .chain([PENETRATION])
        .collect()
}

fn laws() -> Vec<&'static str> {
    KINDS[0].words()
}

fn joint() -> Vec<Key> {
    let coordinates = JointKind::all_coordinates().map(|coordinate| {
        let keys: fn() -> Vec<Key> = match coordinate.is_angle() {
            true => || coordinate::keys(true),
            false => || coordinate::keys(false),
        };
        let text = "Coordinate of a joint that has it, with what acts along it";
        Key::new(coordinate.key, text, Value::Table(keys), "")
            .unless("at 0, and nothing acts along it")
    });
    keys(&JOINT)
        .into_iter()
        .chain(coordinates)
        .chain(BALL)
        .collect()
}

/// The schema of the format, as the text of a file.
pub(crate) fn json() -> String {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in of_scene() {
        properties.insert(key.key.to_owned(), described(&key));
        required.extend(key.is_required().then_some(key.key));
    }
    for table in tables() {
        let mut schema = object(&table.all_keys());
        if let Some((_, groups)) = PROFILES.iter().find(|(header, _)| *header == table.header) {
            // An input that is none counts as not there.
            let none = json!({ "properties": { "input": { "const": false } } });
            let one_of = |keys: &&[&str]| match *keys == ["input"] {
                true => json!({ "required": keys, "not": none }),
                false => json!({ "anyOf": one_required(keys) }),
            };
            schema["oneOf"] = groups.iter().map(one_of).collect();
        }
        if table.key() == "body" {
            schema["properties"]["shape"] = json!({ "type": "array", "items": shape() });
        }
        required.extend(table.is_required.then_some(table.key()));
        let schema = match table.is_array() {
            true => json!({ "type": "array", "items": schema }),
            false => schema,
        };
        properties.insert(table.key().to_owned(), schema);
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Scene file of fmu-build",
        "description": "Bodies, shapes, materials, joints and contact settings from which fmu-build makes an FMU",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
        "$defs": definitions(),
    });
    format!("{schema:#}\n")
}

fn shape() -> Json {
    let mut schema = with_form(&keys(&SHAPE), form::tables());
    let forms = form::tables().filter(|form| form.key != "half_space");
    let part = with_form(&PART, forms);
    schema["properties"]["part"] = json!({ "type": "array", "items": part, "minItems": 1 });
    if let Some(forms) = schema["oneOf"].as_array_mut() {
        forms.push(json!({ "required": ["part"] }));
    }
    schema
}

/// A table of keys that has exactly one form.
fn with_form(keys: &[Key], forms: impl Iterator<Item = FormTable>) -> Json {
    let mut schema = object(keys);
    let mut names = Vec::new();
    for FormTable { key, text, keys } in forms {
        let mut form = object(&keys);
        form["description"] = text.into();
        schema["properties"][key] = form;
        names.push(key);
    }
    schema["oneOf"] = one_required(&names);
    schema
}

fn one_required(keys: &[&str]) -> Json {
    keys.iter()
        .map(|key| json!({ "required": [key] }))
        .collect()
}

fn object(keys: &[Key]) -> Json {
    let find = |name: &str| keys.iter().find(|key| key.key == name);
    let mut required: Vec<&str> = Vec::new();
    required.extend(
        keys.iter()
            .filter(|key| key.is_required())
            .map(|key| key.key),
    );
    let mut rules = Vec::new();
    for group in ALTERNATIVES {
        if !group.iter().all(|name| find(name).is_some()) {
            continue;
        }
        let is_needed = NEEDED.contains(&group) || required.contains(&group[0]);
        required.retain(|name| !group.contains(name));
        rules.push(match is_needed {
            true => json!({ "oneOf": one_required(group) }),
            false => json!({ "not": { "required": group } }),
        });
    }
    let properties = keys.iter().map(|key| (key.key.to_owned(), described(key)));
    let mut schema = json!({
        "type": "object",
        "properties": properties.collect::<Map<String, Json>>(),
        "required": required,
        "additionalProperties": false,
    });
    if !rules.is_empty() {
        schema["allOf"] = rules.into();
    }
    schema
}

/// What may be written for a key, with what the key is.
fn described(key: &Key) -> Json {
    let mut schema = written(&key.value);
    schema["description"] = description(key).into();
    if let Some(example) = key.example() {
        let text = format!("it = {example}");
        let (table, _) = DeTable::parse_recoverable(&text);
        let value = table
            .get_ref()
            .get("it")
            .map(|value| json_of(value.get_ref()));
        schema["examples"] = value.into_iter().collect();
    }
    schema
}

fn json_of(value: &DeValue<'_>) -> Json {
    match value {
        DeValue::String(text) => Json::from(text.as_ref()),
        DeValue::Boolean(flag) => Json::from(*flag),
        DeValue::Integer(number) => number
            .as_str()
            .parse::<i64>()
            .map_or(Json::Null, Json::from),
        DeValue::Float(number) => number
            .as_str()
            .parse::<f64>()
            .map_or(Json::Null, Json::from),
        DeValue::Array(array) => array.iter().map(|value| json_of(value.get_ref())).collect(),
        DeValue::Table(table) => {
            let entries = table
                .iter()
                .map(|(key, value)| (key.get_ref().to_string(), json_of(value.get_ref())));
            Json::Object(entries.collect())
        }
        DeValue::Datetime(_) => Json::Null,
    }
}

/// What a key is: unit, frame and default too.
fn description(key: &Key) -> String {
    let mut text = key.meaning();
    if let Need::Unless(default) = key.need {
        let _ = write!(text, ". Unless given: {default}");
    }
    text
}

fn written(value: &Value) -> Json {
    match value {
        Value::Number(declared, range) => number(*declared, *range),
        Value::Numbers(declared, count) => several(number(*declared, Range::ANY), *count),
        Value::Flag => json!({ "type": "boolean" }),
        Value::Count(range) => bounded(json!({ "type": "integer", "minimum": 0 }), *range),
        Value::Text => json!({ "type": "string" }),
        Value::Name => json!({ "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]*$" }),
        Value::Word(words) => json!({ "enum": words() }),
        Value::List(one) => json!({ "type": "array", "items": written(one) }),
        Value::Several(one, count) => several(written(one), *count),
        Value::Table(keys) => object(&keys()),
        Value::Map(words) => {
            let text = |word: &'static str| json!({ "type": "string", "description": format!("That of {word}") });
            let texts = words()
                .into_iter()
                .map(|word| (word.to_owned(), text(word)));
            let texts: Map<String, Json> = texts.collect();
            json!({ "type": "object", "properties": texts, "additionalProperties": false })
        }
        Value::Either(several) => {
            let several: Vec<Json> = several.iter().map(written).collect();
            json!({ "anyOf": several })
        }
    }
}

fn several(one: Json, count: usize) -> Json {
    json!({ "type": "array", "items": one, "minItems": count, "maxItems": count })
}

/// A number in SI units, or a text with a unit.
fn number(declared: DeclaredType, range: Range) -> Json {
    let with_unit = match declared == POWER_STIFFNESS {
        true => POWER,
        false => Quantity::of(declared).words(),
    };
    let mut text = json!({ "$ref": format!("#/$defs/{}", definition(with_unit)) });
    if range.least >= 0.0 {
        text["not"] = json!({ "pattern": "^\\s*-" });
    }
    json!({ "anyOf": [bounded(json!({ "type": "number" }), range), text] })
}

/// Name of the definition of a quantity, as a reference may have it: `angular_velocity`.
fn definition(words: &str) -> String {
    let name = words.trim_start_matches("an ").trim_start_matches("a ");
    name.replace(' ', "_")
}

fn definitions() -> Map<String, Json> {
    let text = |pattern: String| json!({ "type": "string", "pattern": pattern });
    let all = units::all().map(|quantity| (definition(quantity.words()), text(quantity.pattern())));
    all.chain([(definition(POWER), text(units::power_pattern()))])
        .collect()
}

fn bounded(mut schema: Json, range: Range) -> Json {
    if range.least.is_finite() {
        let bound = if range.is_open {
            "exclusiveMinimum"
        } else {
            "minimum"
        };
        schema[bound] = range.least.into();
    }
    if range.most.is_finite() {
        schema["maximum"] = range.most.into();
    }
    if range.is_whole {
        schema["multipleOf"] = 1.into();
    }
    schema
}

/// The tables of all keys, as the book's page has them.
pub fn page() -> String {
    let mut text = String::new();
    let mut table = |header: &str, keys: &[Key]| {
        let _ = writeln!(
            text,
            "\n| {header} | value | what it is | unless given |\n|---|---|---|---|"
        );
        list(&mut text, "", keys);
    };
    table("the scene", &of_scene());
    for Table { header, keys, .. } in tables() {
        table(header, &keys);
    }
    table("law of `[[material_pair]]` and `[[pair]]`", &law_of_pair());
    table("[[body.shape]], beside its form", &keys(&SHAPE));
    table("[[body.shape.part]], beside its form", &PART);
    let _ = writeln!(text, "\n| quantity | units |\n|---|---|");
    for quantity in units::all() {
        let _ = writeln!(
            text,
            "| {} | {} |",
            quantity.words(),
            quantity.symbols().join(", ")
        );
    }
    text
}

fn list(text: &mut String, outer: &str, keys: &[Key]) {
    for key in keys {
        let default = match key.need {
            Need::Required => "required",
            Need::Unless(default) => default,
        };
        let _ = writeln!(
            text,
            "| `{outer}{}` | {} | {} | {default} |",
            key.key,
            in_words(&key.value).replace('|', "\\|"),
            key.meaning()
        );
        for inner in inner_tables(&key.value) {
            list(text, &format!("{outer}{}.", key.key), &inner());
        }
    }
}

fn inner_tables(value: &Value) -> Vec<fn() -> Vec<Key>> {
    match value {
        Value::Table(keys) => vec![*keys],
        Value::Either(several) => several.iter().flat_map(inner_tables).collect(),
        _ => Vec::new(),
    }
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Number(declared, range) => {
            let words = match *declared == POWER_STIFFNESS {
                true => POWER,
                false => Quantity::of(*declared).words(),
            };
            match range.words {
                _ if *range == Range::ANY => words.to_owned(),
                whole if range.is_whole => whole.to_owned(),
                others => format!("{words} {others}"),
            }
        }
        Value::Numbers(declared, count) => {
            format!("an array of {count}: {}", Quantity::of(*declared).words())
        }
        Value::Flag => "`true`, `false`".to_owned(),
        Value::Count(range) => format!("a whole number {}", range.words),
        Value::Text => "a text".to_owned(),
        Value::Name => "a name".to_owned(),
        Value::Word(words) => {
            let words: Vec<String> = words().iter().map(|word| format!("`{word:?}`")).collect();
            words.join(", ")
        }
        Value::List(one) => format!("an array: {}", in_words(one)),
        Value::Several(one, count) => format!("an array of {count}: {}", in_words(one)),
        Value::Table(_) | Value::Map(_) => "a table".to_owned(),
        Value::Either(several) => {
            let several: Vec<String> = several.iter().map(in_words).collect();
            several.join("; or ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file::parse;

    /// The lines of a key, and of all keys in its table.
    fn lines(outer: &str, keys: &[Key], list: &mut Vec<String>) {
        for key in keys {
            let name = format!("{outer}{}", key.key);
            if let Some(example) = key.example() {
                list.push(format!("{name} = {example}"));
            }
            for inner in inner_tables(&key.value) {
                lines(&format!("{name}."), &inner(), list);
            }
        }
    }

    #[test]
    fn each_example_of_a_key_is_what_the_reader_expects() {
        let shape = "[[body]]\n[[body.shape]]";
        let part = "[[body]]\n[[body.shape]]\n[[body.shape.part]]";
        let mut scenes = vec![("", of_scene()[1..].to_vec())];
        scenes.extend(
            tables()
                .iter()
                .map(|table| (table.header, table.all_keys())),
        );
        scenes.extend([(shape, keys(&SHAPE)), (part, PART.to_vec())]);
        let mut texts = Vec::new();
        for (header, keys) in scenes {
            let mut list = Vec::new();
            lines("", &keys, &mut list);
            texts.extend(list.into_iter().map(|line| format!("{header}\n{line}\n")));
        }
        for FormTable { key, keys, .. } in form::tables() {
            let mut list = Vec::new();
            lines(&format!("{key}."), &keys, &mut list);
            texts.extend(list.into_iter().map(|line| format!("{shape}\n{line}\n")));
        }
        assert!(texts.len() > 300);
        for text in texts {
            let scene = format!("format = 1\n{text}");
            let Err(problems) = parse(&scene, "scene.toml") else {
                panic!("no scene has a single key: {text}");
            };
            let last = text.lines().count() + 1;
            for problem in &problems.list {
                let of_key = problems
                    .position(problem)
                    .is_some_and(|place| place.line == last);
                let message = &problem.finding.message;
                let wrong = ["unknown key", "; expected", "not valid TOML", "must be"];
                let is_wrong = wrong.iter().any(|part| message.contains(part));
                assert!(!(of_key && is_wrong), "{text}: {message}");
            }
        }
    }
}
