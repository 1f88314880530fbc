//! `[contact]`: a preset of the contact law, and the items that override it.

use super::library;
use super::walker::{Field, Section, suggestion};
use contact_geometry::narrow_phase::overlap::Sparsification;
use contact_laws::finding::Finding;
use contact_laws::quantity::units;
use contact_laws::response::choice::{ContactRule, KINDS, LawOptions};
use contact_model::scene::description::contact::{CONTACT, OVERLAP, RULES, SPARSIFICATION};
use contact_model::scene::description::{BodyDescription, ContactOptions, Report, ShapeName};

/// Fields of `[contact]` with names that are known later.
#[derive(Default)]
pub(crate) struct NamedFields<'a> {
    /// Shapes that never touch each other.
    pub(crate) exclusions: Option<Field<'a>>,
    /// Pairs whose contact is reported.
    pub report: Option<Field<'a>>,
    /// Pairs that are reported with their intersection.
    pub overlap: Option<Field<'a>>,
}

/// Reads `[contact]`: the options, and the fields to read when names are known.
pub(crate) fn read(mut section: Section<'_>) -> (ContactOptions, NamedFields<'_>) {
    let mut options = ContactOptions::DEFAULT;
    let (preset, others) = CONTACT.split_at(1);
    section.rows(preset, &mut options, |_, _, _| {});
    for kind in &KINDS {
        let words = kind.words();
        if let Some(index) = section.optional(kind.key.key, |f| f.word(&words)) {
            (kind.of_scene)(&mut options.law, index);
        }
    }
    let law = &mut options.law;
    let (mut normal, mut friction) = (Some(law.normal), Some(law.friction));
    library::read_functions(&mut section, &mut normal, &mut friction);
    law.normal = normal.unwrap_or(law.normal);
    law.friction = friction.unwrap_or(law.friction);
    section.rows(others, &mut options, |section, key, options| {
        if key.key == "rule" {
            read_rule(section, &mut options.law.rule);
        }
    });
    let named = NamedFields {
        exclusions: section.field("exclude"),
        report: section.field("report"),
        overlap: section.field("overlap"),
    };
    section.rows(&OVERLAP, &mut options, |section, key, options| {
        options.sparsification = section.optional(key.key, read_sparsification);
    });
    section.finish();
    (options, named)
}

/// Reads `{ threshold, smallest_area, smallest_distance }`, each with a default.
fn read_sparsification(field: Field<'_>) -> Option<Sparsification> {
    let mut table = field.table("{ threshold = 0.1, smallest_area = \"1 mm2\" }")?;
    let mut rules = Sparsification::DEFAULT;
    table.rows(&SPARSIFICATION, &mut rules, |_, _, _| {});
    table.finish();
    Some(rules)
}

/// Reads the shapes that never touch each other.
pub(crate) fn exclusions(field: Field<'_>, bodies: &[BodyDescription]) -> Vec<[ShapeName; 2]> {
    const EXPECTED: &str = "an array of pairs such as [\"ball:cup\", \"arm.hand:table\"]";
    pairs(field, EXPECTED, bodies)
}

/// Reads whose contact is reported: `"all"`, or pairs such as `"ball:table.cushion"`.
pub(crate) fn report(field: Field<'_>, bodies: &[BodyDescription]) -> Report {
    const EXPECTED: &str =
        "\"all\" or an array of pairs such as [\"ball:ground\", \"ball:table.cushion\"]";
    if field.text() == Some("all") {
        return Report::All;
    }
    Report::Pairs(pairs(field, EXPECTED, bodies))
}

/// Reads an array of pairs.
fn pairs(field: Field<'_>, expected: &str, bodies: &[BodyDescription]) -> Vec<[ShapeName; 2]> {
    if let Some(text) = field.text() {
        let finding = Finding::from(format!("is {text:?}; must be {expected}"));
        field.fail(match text.contains(':') {
            true => finding.with_help(format!("write [{text:?}] for one pair")),
            false => finding,
        });
        return Vec::new();
    }
    let entries = field.list(expected).unwrap_or_default().into_iter();
    entries
        .filter_map(|entry| pair_name(&entry, bodies))
        .collect()
}

/// Reads `"ball:table.cushion"`, of known names.
pub(crate) fn pair_name(field: &Field<'_>, bodies: &[BodyDescription]) -> Option<[ShapeName; 2]> {
    const EXPECTED: &str =
        "two names with a colon between them in quotes, such as \"ball:table.cushion\"";
    if field.is_array() {
        // How format 1 had it before a pair was one text.
        let names = field.clone().list(EXPECTED).unwrap_or_default();
        let names: Vec<&str> = names.iter().filter_map(Field::text).collect();
        let finding = Finding::from("is an array; a pair is one text");
        field.fail(match names.as_slice() {
            [a, b] => finding.with_help(format!("write \"{a}:{b}\"")),
            _ => finding.with_help(format!("write {EXPECTED}")),
        });
        return None;
    }
    let Some(text) = field.text() else {
        field.wrong(EXPECTED);
        return None;
    };
    let Some((name_1, name_2)) = text.split_once(':') else {
        field.fail(format!("is {text:?}; must be {EXPECTED}"));
        return None;
    };
    // Both are read before a failure ends it, so that each reports its problem.
    let [name_1, name_2] = [name_1, name_2].map(|name| known_shape(field, name.trim(), bodies));
    Some([name_1?, name_2?])
}

/// The shape, or all of the body, with a name.
fn known_shape(field: &Field<'_>, text: &str, bodies: &[BodyDescription]) -> Option<ShapeName> {
    let (body_name, shape_name) = match text.split_once('.') {
        Some((body, shape)) => (body, Some(shape)),
        None => (text, None),
    };
    let unknown = |kind: &str, name: &str, known: Vec<&str>| {
        let whole = field.text().unwrap_or_default();
        let mut finding = Finding::from(format!("is {whole:?}; there is no {kind} {name:?}"));
        if let Some(likely) = suggestion(name, &known) {
            finding = finding.with_help(format!("did you mean {likely:?}?"));
        }
        field.fail(finding.with_help(format!("known: {}", known.join(", "))));
    };
    let Some(body) = bodies.iter().find(|body| body.name == body_name) else {
        let known = bodies.iter().map(|body| body.name.as_str());
        unknown("body", body_name, known.collect());
        return None;
    };
    if let Some(name) = shape_name
        && body.shapes.iter().all(|shape| shape.name != name)
    {
        let known = body.shapes.iter().map(|shape| shape.name.as_str());
        let kind = format!("shape of body {body_name:?} named");
        unknown(&kind, name, known.collect());
        return None;
    }
    Some(ShapeName {
        body: body_name.to_owned(),
        shape: shape_name.map(str::to_owned),
    })
}

/// Reads `rule`, and what only a hysteresis has.
fn read_rule(section: &mut Section<'_>, rule: &mut ContactRule) {
    let item = section.item();
    let given = section.optional("rule", |f| f.word(&RULES));
    match (given, *rule) {
        // A preset's own half-width stays unless another rule is named.
        (Some(0), ContactRule::Touching) => *rule = LawOptions::DEFAULT.rule,
        (Some(1), _) => *rule = ContactRule::Touching,
        _ => {}
    }
    let half_width = section.field("z_eps");
    let depth_field = section.field("depth");
    match rule {
        ContactRule::Hysteresis { z_eps, depth } => {
            *z_eps = half_width
                .and_then(|f| f.quantity(units::LENGTH))
                .unwrap_or(*z_eps);
            *depth = depth_field.and_then(Field::keyword).unwrap_or(*depth);
        }
        ContactRule::Touching => {
            let notes = section.notes();
            if notes.is_unread(item, "rule") || notes.is_unread(item, "preset") {
                return;
            }
            for field in [half_width, depth_field].into_iter().flatten() {
                field.refuse((
                    "has a meaning only with rule = \"hysteresis\"",
                    "remove it or change the rule",
                ));
            }
        }
    }
}
