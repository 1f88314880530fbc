//! Materials and material pairs: `[[material]]` and `[[material_pair]]` of the scene file, the
//! built-in table, and the choice of what a scene needs of it.
//!
//! Only what a scene uses of the built-in table enters its description, so that the token of an
//! FMU does not change when the table grows.
//!
//! # The keys of `[[material_pair]]` and `[[pair]]` that say what happens at contact
//!
//! Kinds of laws, their numbers, a wanted penetration.

use super::library;
use super::notes::Notes;
use super::walker::suggestion;
use crate::scene_file::contact::pair_name;
use crate::scene_file::walker::{Field, Section};
use contact_laws::finding::Finding;
use contact_laws::quantity::units;
use contact_laws::response::choice::{KINDS, LawOptions};
use contact_laws::response::number::{LAYER_DEPTH, USER, USER_NUMBERS};
use contact_laws::response::penetration::{Load, PENETRATION, PENETRATION_KEYS, Penetration};
use contact_laws::response::{LawChanges, LawChoice, LawKinds, Number};
use contact_model::scene::SceneItem;
use contact_model::scene::description::contact::{MATERIAL, MATERIALS, PAIR};
use contact_model::scene::description::{
    BodyDescription, GrainsDescription, Material, MaterialPair, PairDescription, PairResponse,
    ShapeDescription, ShapeName,
};
use toml::de::DeTable;

/// The built-in table, in the format of a scene file.
pub(crate) const BUILT_IN: &str = include_str!("materials.toml");

/// Materials a scene can use, by name.
pub(crate) struct Library {
    own: Vec<Material>,
    built_in: Vec<Material>,
    built_in_pairs: Vec<MaterialPair>,
    /// Some material of the file has no name that could be read, so any name might be its.
    incomplete: bool,
}

/// Materials and pairs of a scene description.
#[derive(Debug, PartialEq)]
pub(crate) struct Selection {
    /// Those of the file in its order, then the built-in ones in the order of the table.
    pub materials: Vec<Material>,
    /// The same for pairs.
    pub(crate) pairs: Vec<MaterialPair>,
}

impl Library {
    /// Reads `[[material]]` of a scene file and adds the built-in table.
    pub(super) fn read(root: &mut Section<'_>) -> Self {
        let notes = root.notes();
        let (built_in, built_in_pairs) = built_in(&Notes::default());
        let own = read_materials(root);
        for (index, material) in own.iter().enumerate() {
            if built_in.iter().any(|m| m.name == material.name) {
                notes.warn(
                    SceneItem::Material(index),
                    "name",
                    format!(
                        "material {:?} replaces the built-in material of this name; the built-in contact data of the \
                         name still apply",
                        material.name
                    ),
                );
            }
        }
        let incomplete = notes.is_unread(SceneItem::Scene, "material")
            || own.iter().any(|material| material.name.is_empty());
        Library {
            own,
            built_in,
            built_in_pairs,
            incomplete,
        }
    }

    /// Reads the name of a material that must be known.
    pub(crate) fn name(&self, field: Field<'_>) -> Option<String> {
        let name = field.clone().string()?;
        let mut known: Vec<&str> = self.own.iter().map(|m| m.name.as_str()).collect();
        for material in &self.built_in {
            if !known.contains(&material.name.as_str()) {
                known.push(&material.name);
            }
        }
        if known.contains(&name) || self.incomplete {
            return Some(name.to_owned());
        }
        let mut finding = Finding::from(format!("{name:?} is not known"));
        if let Some(likely) = suggestion(name, &known) {
            finding = finding.with_help(format!("did you mean {likely:?}?"));
        }
        field.fail(finding.with_help(format!(
            "known: {}; define others with [[material]]",
            known.join(", ")
        )));
        None
    }

    /// Reads `[[material_pair]]` of a scene file.
    pub(crate) fn read_pairs(&self, root: &mut Section<'_>) -> Vec<MaterialPair> {
        read_pairs(root, |field| self.name(field))
    }

    /// What the description of these bodies needs.
    pub(crate) fn select(
        self,
        own_pairs: Vec<MaterialPair>,
        bodies: &[BodyDescription],
        groups: &[GrainsDescription],
        options: &LawOptions,
    ) -> Selection {
        let of_scene = LawKinds::of_scene(options);
        let shapes = || bodies.iter().flat_map(|body| &body.shapes);
        let of_group = |name: &String| groups.iter().any(|group| group.material == *name);
        let meets = |name: &String| {
            of_group(name) || shapes().any(|s| s.collision && contact_name(s) == name)
        };
        let uses = |name: &String| {
            of_group(name)
                || own_pairs.iter().any(|pair| pair.materials.contains(name))
                || shapes().any(|s| s.material == *name || contact_name(s) == name)
        };
        let mut materials = self.own;
        for material in self.built_in {
            if uses(&material.name) && materials.iter().all(|m| m.name != material.name) {
                materials.push(material);
            }
        }
        let mut pairs = Vec::new();
        for pair in self.built_in_pairs {
            let given = own_pairs
                .iter()
                .any(|own| same_pair(&own.materials, &pair.materials));
            if !given && pair.materials.iter().all(meets) {
                pairs.extend(usable(&pair, &of_scene));
            }
        }
        pairs.splice(0..0, own_pairs);
        Selection { materials, pairs }
    }
}

/// Name of the material that gives a shape its pair data.
pub(crate) fn contact_name(shape: &ShapeDescription) -> &String {
    shape.contact_material.as_ref().unwrap_or(&shape.material)
}

fn same_pair(one: &[String; 2], other: &[String; 2]) -> bool {
    one == other || (one[0] == other[1] && one[1] == other[0])
}

/// The built-in table; a test shows that it reads without a problem.
fn built_in(notes: &Notes) -> (Vec<Material>, Vec<MaterialPair>) {
    let (table, _) = DeTable::parse_recoverable(BUILT_IN);
    let mut root = Section::root(notes, table.get_ref());
    let materials = read_materials(&mut root);
    let pairs = read_pairs(&mut root, |field| field.string().map(str::to_owned));
    root.finish();
    (materials, pairs)
}

fn read_materials(root: &mut Section<'_>) -> Vec<Material> {
    root.each("material", SceneItem::Material, read_material)
}

/// Numbers that cannot be read are replaced by ones that cause no further problem.
fn read_material(mut section: Section<'_>) -> Material {
    let mut material = Material {
        name: String::new(),
        density: 1000.0,
        youngs_modulus: 1e9,
        poissons_ratio: 0.3,
    };
    section.rows(&MATERIAL, &mut material, |_, _, _| {});
    section.finish();
    material
}

fn read_pairs(
    root: &mut Section<'_>,
    name: impl Fn(Field<'_>) -> Option<String>,
) -> Vec<MaterialPair> {
    root.each("material_pair", SceneItem::MaterialPair, |section| {
        read_pair(section, &name)
    })
}

fn read_pair(mut section: Section<'_>, name: impl Fn(Field<'_>) -> Option<String>) -> MaterialPair {
    let materials = section
        .key(MATERIALS)
        .and_then(|f| Some(f.elements::<2>(MATERIALS.example)?.map(&name)));
    let response = read(&mut section);
    section.finish();
    MaterialPair {
        materials: materials
            .unwrap_or_default()
            .map(|name| name.unwrap_or_default()),
        response,
    }
}

/// What a scene of these options can use of a built-in pair; none where its laws need a number that
/// the table does not have, so that the scene must give the pair.
fn usable(pair: &MaterialPair, of_scene: &LawKinds) -> Option<MaterialPair> {
    let mut pair = pair.clone();
    if let PairResponse::Law(changes) = &mut pair.response {
        let kinds = of_scene.changed(changes);
        changes.numbers.retain(|(number, _)| kinds.uses(*number));
        LawChoice::of_pair(of_scene, changes).ok()?;
    }
    Some(pair)
}

// `[[pair]]`: what is set for two bodies or shapes against each other.

/// Reads a named pair; its names are left open where not all `bodies` are known.
pub(crate) fn read_named_pair(
    mut section: Section<'_>,
    bodies: Option<&[BodyDescription]>,
) -> PairDescription {
    let unknown = || ShapeName {
        body: String::new(),
        shape: None,
    };
    let mut pair = PairDescription {
        between: [unknown(), unknown()],
        threshold: None,
        warn_below: None,
        distance: false,
        response: None,
    };
    section.rows(&PAIR, &mut pair, |section, key, pair| {
        if key.key == "between" {
            let given = section.key(key).zip(bodies);
            let names = given.and_then(|(field, bodies)| pair_name(&field, bodies));
            pair.between = names.unwrap_or_else(|| [unknown(), unknown()]);
        }
    });
    pair.response = match read(&mut section) {
        PairResponse::Law(changes) if changes.is_empty() => None,
        response => Some(response),
    };
    section.finish();
    pair
}

/// The word for a pair that never touches.
const NONE: &str = "none";

/// Reads the keys of a pair.
pub(super) fn read(section: &mut Section<'_>) -> PairResponse {
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
        changes.numbers.extend(value.map(|value| (number, value)));
    }
    changes.penetration = section.key(PENETRATION).and_then(read_penetration);
    if let Some(field) = section.field_as(LAYER_DEPTH.key, Number::LayerDepth1.key())
        && let Some([first, second]) = layers(field.clone())
    {
        if first > 0.0 || second > 0.0 {
            refuse_layers(&field, &changes);
        }
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
            field.refuse(("has no meaning with law = \"none\"", "remove it"));
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
    field.refuse((message, "keep one"));
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
    field.all(&expected, |entry| entry.quantity(units::COEFFICIENT))
}

/// Reads `{ depth, force }`, `{ depth, mass, speed }` or `{ depth, pressure }`.
fn read_penetration(field: Field<'_>) -> Option<Penetration> {
    const EXAMPLE: &str = "{ depth = \"0.1 mm\", force = \"500 N\" }, { depth = \"0.1 mm\", mass = \"2 kg\", speed = 1 } \
                           or, of a contact over an area, { depth = \"0.1 mm\", pressure = \"1 MPa\" }";
    let mut table = field.clone().table(EXAMPLE)?;
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
    Some(Penetration {
        depth: depth?,
        load: load?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_laws::response::choice::NormalKind;
    use contact_laws::response::{LawChanges, Number};

    #[test]
    fn built_in_table_reads_without_a_problem() {
        let (_, syntax_errors) = DeTable::parse_recoverable(BUILT_IN);
        assert!(syntax_errors.is_empty());
        let notes = Notes::default();
        built_in(&notes);
        assert!(notes.problems().is_empty(), "{:?}", notes.problems());
    }

    /// Density [kg/m3], Young's modulus [N/m2], Poisson's ratio: Modia3D's solid material palette.
    #[test]
    fn built_in_materials_are_those_of_modia3d() {
        let expected = [
            ("Steel", 8000.0, 2.0e11, 0.30),
            ("Aluminium", 2700.0, 6.9e10, 0.32),
            ("DryWood", 700.0, 1.1e10, 0.40),
            ("BilliardBall", 1768.0, 5.4e9, 0.34),
            ("BilliardCushion", 700.0, 1.1e10, 0.40),
            ("BilliardTable", 700.0, 1.1e10, 0.40),
            ("BilliardCue", 700.0, 1.1e10, 0.40),
            ("Observer", 0.0, 0.0, 0.0),
        ]
        .map(|(name, density, youngs_modulus, poissons_ratio)| Material {
            name: name.to_owned(),
            density,
            youngs_modulus,
            poissons_ratio,
        });
        let materials = built_in(&Notes::default()).0;
        assert_eq!(materials[..expected.len()], expected);
    }

    /// Specific gravity 0.68 at 12 % moisture; 24 kN/m3 under standard gravity.
    #[test]
    fn densities_of_wood_and_concrete_follow_from_what_is_published() {
        let materials = built_in(&Notes::default()).0;
        let density = |name: &str| {
            let found = materials.iter().find(|material| material.name == name);
            found.unwrap().density
        };
        assert!((density("WhiteOak") - 680.0 * 1.12).abs() < 0.5);
        assert!((density("Concrete") - 24_000.0 / 9.80665).abs() < 0.5);
    }

    /// Restitution, sliding friction, rolling resistance: Modia3D's contact pair material
    /// palette, where vsmall = 0.01 m/s and wsmall = 0.01 rad/s throughout.
    #[test]
    fn built_in_pairs_are_those_of_modia3d() {
        let expected = [
            ("Steel", "Steel", 0.7, 0.5, 0.001),
            ("DryWood", "DryWood", 0.6, 0.3, 0.001),
            ("BilliardBall", "BilliardBall", 1.0, 0.0, 0.0),
            ("BilliardBall", "BilliardTable", 0.0, 0.8, 0.01),
            ("BilliardBall", "BilliardCushion", 0.98, 0.0, 0.0),
            ("BilliardBall", "BilliardCue", 0.98, 0.0, 0.0),
            ("BilliardTable", "BilliardCue", 0.0, 0.8, 0.01),
            ("BilliardCue", "BilliardCue", 0.98, 0.0, 0.0),
        ]
        .map(
            |(one, two, restitution, sliding_friction, rolling_resistance)| MaterialPair {
                materials: [one.to_owned(), two.to_owned()],
                response: PairResponse::Law(LawChanges {
                    numbers: vec![
                        (Number::Restitution, restitution),
                        (Number::SlidingFriction, sliding_friction),
                        (Number::RollingResistance, rolling_resistance),
                    ],
                    ..LawChanges::default()
                }),
            },
        );
        let observed =
            [("Observer", "Steel"), ("Observer", "Observer")].map(|(one, two)| MaterialPair {
                materials: [one.to_owned(), two.to_owned()],
                response: PairResponse::Law(LawChanges {
                    normal: Some(NormalKind::Observer),
                    ..LawChanges::default()
                }),
            });
        let pairs = built_in(&Notes::default()).1;
        assert_eq!(pairs[..expected.len()], expected);
        assert_eq!(pairs[expected.len()..], observed);
    }
}
