//! `[contact]`: a preset of the contact law, and the items that override it.

use super::library;
use super::units::Quantity;
use super::walker::{Field, Section, suggestion};
use super::words::{
    DAMPINGS, DEPTHS, FRICTIONS, GEOMETRY_FACTORS, IMPACT_SPEEDS, LAWS, PULLINGS,
    RESTITUTION_RULES, STEPS,
};
use fmu_core::response::options::{
    ContactRule, DEFAULT_Z_EPS, DepthRule, LawOptions, RestitutionRule,
};
use fmu_core::scene::description::{
    BodyDescription, ContactOptions, DEFAULT_SMOOTHING_RADIUS, InitialOverlap, Report, ShapeName,
};

/// Words for the values of `rule`; `z_eps` comes from a key of its own.
pub const RULES: &[(&str, ContactRule)] = &[
    (
        "hysteresis",
        ContactRule::Hysteresis {
            z_eps: DEFAULT_Z_EPS,
            depth: DepthRule::PastHysteresis,
        },
    ),
    ("touching", ContactRule::Touching),
];

/// Words for the values of `initial_overlap`.
pub const INITIAL_OVERLAPS: &[(&str, InitialOverlap)] = &[
    ("refuse", InitialOverlap::Refuse),
    ("accept", InitialOverlap::Accept),
    ("separate", InitialOverlap::Separate),
];

/// Options of a scene without `[contact]`.
pub const DEFAULT: ContactOptions = ContactOptions {
    law: LawOptions::DEFAULT,
    k_red: 1.0,
    nz_max: None,
    closest_distances: 0,
    smoothing_radius: DEFAULT_SMOOTHING_RADIUS,
    initial_overlap: InitialOverlap::Refuse,
};

/// Fields of `[contact]` with names that are known later.
#[derive(Default)]
pub struct NamedFields<'a> {
    /// Shapes that never touch each other.
    pub exclusions: Option<Field<'a>>,
    /// Pairs whose contact is reported.
    pub report: Option<Field<'a>>,
}

/// Reads `[contact]`: the options, and the fields to read when names are known.
pub fn read(mut section: Section<'_>) -> (ContactOptions, NamedFields<'_>) {
    let mut options = DEFAULT;
    let law = &mut options.law;
    set(
        law,
        section.optional("preset", |f| f.choice(&LawOptions::PRESETS)),
    );
    set(&mut law.normal, section.optional("law", |f| f.choice(LAWS)));
    set(
        &mut law.geometry_factor,
        section.optional("geometry_factor", |f| f.choice(GEOMETRY_FACTORS)),
    );
    set(&mut law.restitution, restitution_rule(&mut section));
    set(
        &mut law.damping,
        section.optional("damping", |f| f.choice(DAMPINGS)),
    );
    set(
        &mut law.impact_speed,
        section.optional("impact_speed", |f| f.choice(IMPACT_SPEEDS)),
    );
    set(
        &mut law.pulling,
        section.optional("pulling", |f| f.choice(PULLINGS)),
    );
    set(
        &mut law.friction,
        section.optional("friction", |f| f.choice(FRICTIONS)),
    );
    set(&mut law.step, section.optional("step", |f| f.choice(STEPS)));
    let (mut normal, mut friction) = (Some(law.normal), Some(law.friction));
    library::read_functions(&mut section, &mut normal, &mut friction);
    set(&mut law.normal, normal);
    set(&mut law.friction, friction);
    read_rule(&mut section, &mut law.rule);
    set(
        &mut law.d_max,
        section.optional("d_max", |f| f.quantity(Quantity::InverseVelocity)),
    );
    set(
        &mut options.k_red,
        section.optional("k_red", |f| f.quantity(Quantity::Number)),
    );
    options.nz_max = section.optional("nz_max", |f| f.count());
    set(
        &mut options.closest_distances,
        section.optional("closest_distances", |f| f.count()),
    );
    set(
        &mut options.smoothing_radius,
        section.optional("smoothing_radius", |f| f.quantity(Quantity::Length)),
    );
    set(
        &mut options.initial_overlap,
        section.optional("initial_overlap", |f| f.choice(INITIAL_OVERLAPS)),
    );
    let named = NamedFields {
        exclusions: section.field("exclude"),
        report: section.field("report"),
    };
    section.finish();
    (options, named)
}

/// Reads the shapes that never touch each other.
pub fn exclusions(field: Field<'_>, bodies: &[BodyDescription]) -> Vec<[ShapeName; 2]> {
    const EXAMPLE: &str = "[[\"ball\", \"cup\"], [\"arm.hand\", \"table\"]]";
    let entries = field.list(&format!("an array such as {EXAMPLE}"));
    let entries = entries.unwrap_or_default().into_iter();
    let read = |entry: Field<'_>| {
        let names = entry.elements::<2>("[\"ball\", \"cup\"]")?;
        // Both are read before a failure ends it, so that each reports its problem.
        let [name_1, name_2] = names.map(|name| shape_name(name, bodies));
        Some([name_1?, name_2?])
    };
    entries.filter_map(read).collect()
}

/// Reads whose contact is reported: `"all"`, or pairs such as `"ball:table.cushion"`.
pub fn report(field: Field<'_>, bodies: &[BodyDescription]) -> Report {
    const EXPECTED: &str =
        "\"all\" or an array of pairs such as [\"ball:ground\", \"ball:table.cushion\"]";
    if field.is_string() {
        match field.clone().string() {
            Some("all") => return Report::All,
            Some(text) => {
                let pair = match text.contains(':') {
                    true => format!("; write [{text:?}] for one pair"),
                    false => String::new(),
                };
                field.fail(format!("is {text:?}; must be {EXPECTED}{pair}"));
            }
            None => {}
        }
        return Report::default();
    }
    let entries = field.list(EXPECTED).unwrap_or_default().into_iter();
    let pairs = entries.filter_map(|entry| pair_name(&entry, bodies));
    Report::Pairs(pairs.collect())
}

/// Reads `"ball:table.cushion"`, of known names.
fn pair_name(field: &Field<'_>, bodies: &[BodyDescription]) -> Option<[ShapeName; 2]> {
    let text = field.clone().string()?;
    let Some((name_1, name_2)) = text.split_once(':') else {
        field.fail(format!(
            "is {text:?}; must be two names with a colon between them, such as \"ball:ground\""
        ));
        return None;
    };
    // Both are read before a failure ends it, so that each reports its problem.
    let [name_1, name_2] = [name_1, name_2].map(|name| known_shape(field, name.trim(), bodies));
    Some([name_1?, name_2?])
}

/// Reads `"body"` or `"body.shape"`, which must be known.
pub fn shape_name(field: Field<'_>, bodies: &[BodyDescription]) -> Option<ShapeName> {
    let text = field.clone().string()?;
    known_shape(&field, text, bodies)
}

/// The shape, or all of the body, with a name.
fn known_shape(field: &Field<'_>, text: &str, bodies: &[BodyDescription]) -> Option<ShapeName> {
    let (body_name, shape_name) = match text.split_once('.') {
        Some((body, shape)) => (body, Some(shape)),
        None => (text, None),
    };
    let unknown = |kind: &str, name: &str, known: Vec<&str>| {
        let guess = match suggestion(name, &known) {
            Some(likely) => format!("did you mean {likely:?}? "),
            None => String::new(),
        };
        field.fail(format!(
            "is {text:?}; there is no {kind} {name:?}; {guess}known: {}",
            known.join(", ")
        ));
    };
    let Some(body) = bodies.iter().find(|body| body.name == body_name) else {
        unknown(
            "body",
            body_name,
            bodies.iter().map(|b| b.name.as_str()).collect(),
        );
        return None;
    };
    if let Some(name) = shape_name
        && body.shapes.iter().all(|shape| shape.name != name)
    {
        let known = body.shapes.iter().map(|shape| shape.name.as_str());
        unknown(
            &format!("shape of body {body_name:?} named"),
            name,
            known.collect(),
        );
        return None;
    }
    Some(ShapeName {
        body: body_name.to_owned(),
        shape: shape_name.map(str::to_owned),
    })
}

fn read_rule(section: &mut Section<'_>, rule: &mut ContactRule) {
    let item = section.item();
    let known = |field| move |i, f| i == item && f == field;
    let given = section.optional("rule", |f| f.choice(RULES));
    match (given, *rule) {
        // A preset's own half-width stays unless another rule is named.
        (Some(ContactRule::Hysteresis { .. }), ContactRule::Hysteresis { .. }) => {}
        _ => set(rule, given),
    }
    let half_width = section.field("z_eps");
    let depth_field = section.field("depth");
    match rule {
        ContactRule::Hysteresis { z_eps, depth } => {
            set(z_eps, half_width.and_then(|f| f.quantity(Quantity::Length)));
            set(depth, depth_field.and_then(|f| f.choice(DEPTHS)));
        }
        ContactRule::Touching => {
            let notes = section.notes();
            if notes.any_bad(known("rule")) || notes.any_bad(known("preset")) {
                return;
            }
            for field in [half_width, depth_field].into_iter().flatten() {
                field.fail_at(
                    field.key_span(),
                    "has a meaning only with rule = \"hysteresis\"; remove it or change the rule"
                        .to_owned(),
                );
            }
        }
    }
}

/// Reads `restitution_rule`, which here may be called `restitution`: no number of that name is
/// near.
fn restitution_rule(section: &mut Section<'_>) -> Option<RestitutionRule> {
    let short = section.field_as("restitution", "restitution_rule");
    let long = section.field("restitution_rule");
    if let (Some(_), Some(long)) = (&short, &long) {
        long.fail_at(
            long.key_span(),
            "and restitution are one key here; keep one of the two".to_owned(),
        );
        return None;
    }
    short.or(long)?.choice(RESTITUTION_RULES)
}

fn set<T>(place: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *place = value;
    }
}
