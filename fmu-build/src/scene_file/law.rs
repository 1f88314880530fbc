//! The keys of `[[material_pair]]` and `[[pair]]` that say what happens at contact: kinds of laws,
//! their numbers, a wanted penetration.

use super::library;
use super::units::Quantity;
use super::walker::{Field, Section};
use super::words::{
    DAMPINGS, FRICTIONS, GEOMETRY_FACTORS, IMPACT_SPEEDS, LAWS, PULLINGS, RESTITUTION_RULES, STEPS,
};
use fmu_core::response::number::USER_NUMBERS;
use fmu_core::response::options::NormalKind;
use fmu_core::response::penetration::{Load, Penetration};
use fmu_core::response::{LawChanges, Number};
use fmu_core::scene::description::PairResponse;

/// The word for a pair that never touches.
const NONE: &str = "none";
/// A penetration that causes no problem.
const HARMLESS: Penetration = Penetration {
    depth: 1.0,
    load: Load::Force { force: 1.0 },
};
/// The key for both depths of layers.
const LAYERS: &str = "layer_depth";
/// The key for the numbers of a law of the user.
const USER: &str = "user";

/// Keys that choose kinds of laws; where one could not be read it is open which numbers are needed.
pub const KINDS: [&str; 11] = [
    "law",
    "geometry_factor",
    "restitution_rule",
    "damping",
    "impact_speed",
    "pulling",
    "friction",
    "step",
    "library",
    "normal_function",
    "friction_function",
];

/// Reads the keys of a pair. A value that cannot be read is replaced by one that causes no further
/// problem.
pub fn read(section: &mut Section<'_>) -> PairResponse {
    let laws: Vec<(&'static str, Option<NormalKind>)> = LAWS
        .iter()
        .map(|(word, kind)| (*word, Some(*kind)))
        .chain([(NONE, None)])
        .collect();
    let law = section.optional("law", |f| f.choice(&laws));
    if law == Some(None) {
        refuse_others(section);
        return PairResponse::None;
    }
    let mut changes = LawChanges {
        normal: law.flatten(),
        geometry_factor: section.optional("geometry_factor", |f| f.choice(GEOMETRY_FACTORS)),
        restitution: section.optional("restitution_rule", |f| f.choice(RESTITUTION_RULES)),
        damping: section.optional("damping", |f| f.choice(DAMPINGS)),
        impact_speed: section.optional("impact_speed", |f| f.choice(IMPACT_SPEEDS)),
        pulling: section.optional("pulling", |f| f.choice(PULLINGS)),
        friction: section.optional("friction", |f| f.choice(FRICTIONS)),
        step: section.optional("step", |f| f.choice(STEPS)),
        ..LawChanges::default()
    };
    library::read_functions(section, &mut changes.normal, &mut changes.friction);
    for number in own_keys() {
        let Some(field) = section.field(number.key()) else {
            continue;
        };
        let value = match number {
            // Its unit depends on the exponent.
            Number::Stiffness => field.power_stiffness().map(|(value, exponent)| {
                changes.stiffness_unit = exponent;
                value
            }),
            _ => field.quantity(Quantity::of(&number.row().declared)),
        };
        let harmless = if number == Number::Restitution {
            0.5
        } else {
            1.0
        };
        changes.numbers.push((number, value.unwrap_or(harmless)));
    }
    if let Some(field) = section.field_as(LAYERS, Number::LayerDepth1.key()) {
        let [first, second] = layers(field).unwrap_or([1.0; 2]);
        changes.numbers.push((Number::LayerDepth1, first));
        changes.numbers.push((Number::LayerDepth2, second));
    }
    let penetration = section.field("penetration");
    changes.penetration = penetration.map(|field| read_penetration(field).unwrap_or(HARMLESS));
    if let Some(field) = section.field_as(USER, Number::User(0).key()) {
        let numbers = user_numbers(field).unwrap_or_default().into_iter();
        let placed = (0..)
            .zip(numbers)
            .map(|(i, value)| (Number::User(i), value));
        changes.numbers.extend(placed);
    }
    PairResponse::Law(changes)
}

/// Numbers with a key of their own name.
fn own_keys() -> impl Iterator<Item = Number> {
    let layers = [Number::LayerDepth1, Number::LayerDepth2];
    Number::all()
        .filter(move |number| !layers.contains(number) && !matches!(number, Number::User(_)))
}

/// Reports what is said of a law beside `law = "none"`.
fn refuse_others(section: &mut Section<'_>) {
    let numbers = own_keys().map(Number::key);
    let keys = KINDS.into_iter().chain(numbers);
    for key in keys.chain([LAYERS, USER, "penetration"]) {
        if key == "law" {
            continue;
        }
        if let Some(field) = section.field(key) {
            field.fail_at(
                field.key_span(),
                "has no meaning with law = \"none\"; remove it".to_owned(),
            );
        }
    }
}

/// One depth for both layers, or one for each.
fn layers(field: Field<'_>) -> Option<[f64; 2]> {
    if field.is_array() {
        return field.quantities(Quantity::Length, "[\"2 mm\", \"3 mm\"]");
    }
    field.quantity(Quantity::Length).map(|depth| [depth; 2])
}

/// The numbers of a law of the user.
fn user_numbers(field: Field<'_>) -> Option<Vec<f64>> {
    let expected = format!("an array of at most {USER_NUMBERS} numbers such as [1e5, 0.3]");
    let entries = field.clone().list(&expected)?;
    if entries.len() > USER_NUMBERS {
        field.fail(format!(
            "has {} entries; expected {expected}",
            entries.len()
        ));
        return None;
    }
    // All are read before a failure ends it, so that each reports its problem.
    let numbers: Vec<Option<f64>> = entries
        .into_iter()
        .map(|entry| entry.quantity(Quantity::Number))
        .collect();
    numbers.into_iter().collect()
}

/// Reads `{ depth, force }` or `{ depth, mass, speed }`.
fn read_penetration(field: Field<'_>) -> Option<Penetration> {
    const EXAMPLE: &str = "{ depth = \"0.1 mm\", force = \"500 N\" } or { depth = \"0.1 mm\", mass = \"2 kg\", speed = 1 }";
    let mut table = field.clone().table(EXAMPLE)?;
    let depth = table.required("depth", "write it, such as depth = \"0.1 mm\"", |f| {
        f.quantity(Quantity::Length)
    });
    let has_force = table.has("force");
    let force = table.optional("force", |f| f.quantity(Quantity::Force));
    let mass = table.optional("mass", |f| f.quantity(Quantity::Mass));
    let speed = table.optional("speed", |f| f.quantity(Quantity::Velocity));
    let [has_mass, has_speed] = ["mass", "speed"].map(|key| table.has(key));
    table.finish();
    let load = match (has_force, has_mass, has_speed) {
        (true, false, false) => force.map(|force| Load::Force { force }),
        (false, true, true) => mass
            .zip(speed)
            .map(|(mass, speed)| Load::Impact { mass, speed }),
        _ => {
            field.fail(format!(
                "says not what causes the depth, or says it twice; write {EXAMPLE}"
            ));
            None
        }
    };
    Some(Penetration {
        depth: depth?,
        load: load?,
    })
}
