//! The keys of `[[material_pair]]` and `[[pair]]` that say what happens at contact: kinds of laws,
//! their numbers, a wanted penetration.

use super::library;
use super::walker::{Field, Section};
use contact_laws::quantity::units;
use contact_laws::response::choice::KINDS;
use contact_laws::response::number::{LAYER_DEPTH, USER, USER_NUMBERS};
use contact_laws::response::penetration::{Load, PENETRATION, PENETRATION_KEYS, Penetration};
use contact_laws::response::{LawChanges, Number};
use contact_model::scene::description::PairResponse;

/// The word for a pair that never touches.
const NONE: &str = "none";
/// Returns true for a key that chooses kinds of laws; where one cannot be read it is open which numbers
/// are needed.
pub fn is_kind(key: &str) -> bool {
    KINDS.iter().any(|kind| kind.key.key == key) || library::KEYS.contains(&key)
}

/// Reads the keys of a pair. A value that cannot be read is replaced by one that causes no further
/// problem.
pub fn read(section: &mut Section<'_>) -> PairResponse {
    let mut changes = LawChanges::default();
    for kind in &KINDS {
        let mut words = kind.words();
        if kind.key.key == "law" {
            words.push(NONE);
        }
        match section.optional(kind.key.key, |f| f.word(&words)) {
            Some(index) if words[index] == NONE => {
                refuse_others(section);
                return PairResponse::None;
            }
            Some(index) => (kind.of_pair)(&mut changes, index),
            None => {}
        }
    }
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
            _ => field.quantity(number.declared()),
        };
        let harmless = if number == Number::Restitution {
            0.5
        } else {
            1.0
        };
        changes.numbers.push((number, value.unwrap_or(harmless)));
    }
    let penetration = section.key(PENETRATION);
    changes.penetration =
        penetration.map(|field| read_penetration(field).unwrap_or_else(|harmless| harmless));
    if let Some(field) = section.field_as(LAYER_DEPTH.key, Number::LayerDepth1.key()) {
        let depths = layers(field.clone());
        if let Some([first, second]) = depths
            && (first > 0.0 || second > 0.0)
        {
            refuse_layers(&field, &changes);
        }
        let [first, second] = depths.unwrap_or([1.0; 2]);
        changes.numbers.push((Number::LayerDepth1, first));
        changes.numbers.push((Number::LayerDepth2, second));
    }
    if let Some(field) = section.field_as(USER.key, Number::User(0).key()) {
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
    Number::all().filter(|number| number.has_own_key())
}

/// Reports what is said of a law beside `law = "none"`.
fn refuse_others(section: &mut Section<'_>) {
    let numbers = own_keys().map(Number::key);
    let kinds = KINDS.iter().map(|kind| kind.key.key).chain(library::KEYS);
    let others = [LAYER_DEPTH.key, USER.key, PENETRATION.key];
    let keys = kinds.chain(numbers).chain(others);
    for key in keys.filter(|key| *key != "law") {
        if let Some(field) = section.field(key) {
            field.fail_at(
                field.key_span(),
                ("has no meaning with law = \"none\"", "remove it"),
            );
        }
    }
}

/// Reports layers beside a stiffness per area, which would count before them.
fn refuse_layers(field: &Field<'_>, changes: &LawChanges) {
    let per_area = Number::StiffnessPerArea;
    let wanted = changes.penetration.map(|wanted| wanted.number());
    let other = match changes.number(per_area) {
        Some(given) if given > 0.0 => per_area.key(),
        _ if wanted == Some(per_area) => PENETRATION.key,
        _ => return,
    };
    let message = format!("and {other} both say how stiff the contact is");
    field.fail_at(field.key_span(), (message, "keep one"));
}

/// One depth for both layers, or one for each.
fn layers(field: Field<'_>) -> Option<[f64; 2]> {
    if field.is_array() {
        return field.quantities(units::LENGTH, "[\"2 mm\", \"3 mm\"]");
    }
    field.quantity(units::LENGTH).map(|depth| [depth; 2])
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
        .map(|entry| entry.quantity(units::COEFFICIENT))
        .collect();
    numbers.into_iter().collect()
}

/// Reads `{ depth, force }`, `{ depth, mass, speed }` or `{ depth, pressure }`.
///
/// # Errors
/// One that causes no further problem, where it cannot be read: of the same kind as far as that is
/// known.
fn read_penetration(field: Field<'_>) -> Result<Penetration, Penetration> {
    const EXAMPLE: &str = "{ depth = \"0.1 mm\", force = \"500 N\" }, { depth = \"0.1 mm\", mass = \"2 kg\", speed = 1 } \
                           or, of a contact over an area, { depth = \"0.1 mm\", pressure = \"1 MPa\" }";
    let harmless = |load| Penetration { depth: 1.0, load };
    let force_1 = Load::Force { force: 1.0 };
    let mut table = field.clone().table(EXAMPLE).ok_or(harmless(force_1))?;
    let has_force = table.has("force");
    let [depth, force, mass, speed, pressure] = PENETRATION_KEYS.map(|key| table.number(key));
    let [has_mass, has_speed, has_pressure] =
        ["mass", "speed", "pressure"].map(|key| table.has(key));
    table.finish();
    let load = match (has_force, has_mass, has_speed, has_pressure) {
        (true, false, false, false) => force.map(|force| Load::Force { force }),
        (false, true, true, false) => mass
            .zip(speed)
            .map(|(mass, speed)| Load::Impact { mass, speed }),
        (false, false, false, true) => pressure.map(|pressure| Load::Pressure { pressure }),
        _ => {
            field.fail((
                "says not what causes the depth, or says it twice",
                format!("write {EXAMPLE}"),
            ));
            None
        }
    };
    let harmless = match (has_force || has_mass || has_speed, has_pressure) {
        (false, true) => harmless(Load::Pressure { pressure: 1.0 }),
        _ => harmless(force_1),
    };
    match (depth, load) {
        (Some(depth), Some(load)) => Ok(Penetration { depth, load }),
        _ => Err(harmless),
    }
}
