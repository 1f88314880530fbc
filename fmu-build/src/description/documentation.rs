//! documentation/index.html: the scene as a picture, its bodies, joints and contact laws, units and
//! frames, and every variable.

use super::equations::{SYMBOLS, equations, html, symbol};
use super::page::{JointNote, LawNote, Page};
use super::template::{self, Record, TemplateError};
use super::{DIGITS, ModelFacts, readable};
use crate::number::{exact, rounded};
use contact_laws::index::{BodyId, LawId, each};
use contact_laws::quantity::Keyword;
use contact_laws::response::options::{FrictionKind, NormalKind};
use contact_laws::response::{LawChoice, Number};
use contact_model::scene::description::{About, Guard, Motion};
use contact_model::scene::{Joint, Scene};
use fmu_core::instance::variables::subjects::Subject;
use fmu_core::instance::variables::{Causality, Variable};
use std::collections::BTreeMap;

const TEMPLATE: &str = include_str!("../../../modelDescription.templates/documentation.html");

/// So many variables the page lists; nobody reads a list of more.
const LISTED: usize = 600;
/// So many bodies, and so many joints.
const LISTED_BODIES: usize = 100;
/// So many contact laws.
const LISTED_LAWS: usize = 12;
/// So many pairs of a law.
const LISTED_PAIRS: usize = 40;
/// So many characters of the scene file.
const SCENE_CHARACTERS: usize = 50_000;
/// Digits of a position.
const PLACE_DIGITS: usize = 5;

/// The text of documentation/index.html.
pub fn documentation(facts: &ModelFacts, page: &Page) -> Result<String, TemplateError> {
    let scene = facts.scene;
    let interface = scene.interface();
    let tunable = interface.tunable;
    let waits = tunable && !interface.strict;
    let flag = |is_true: bool| is_true.then(String::new);
    let is_input = |v: &&Variable| v.causality == Causality::Input;
    let inputs = facts.variables.iter().filter(is_input).map(variable);
    let kinds = || scene.laws().iter().map(|law| law.choice.kinds);
    let creeps = |kind| !matches!(kind, FrictionKind::Off | FrictionKind::Stick);
    let creeps = kinds().any(|k| k.normal != NormalKind::Observer && creeps(k.friction));
    let record = facts
        .record()
        .optional("described", facts.about.description.clone())
        .optional("has_about", flag(!about(facts.about).is_empty()))
        .list("about_texts", about(facts.about))
        .text("parameter_count", scene.parameters().len().to_string())
        .text("input_count", scene.inputs().len().to_string())
        .text("picture", &page.picture)
        .optional("has_plot", flag(page.plot.is_some()))
        .text("plot", page.plot.as_deref().unwrap_or_default())
        .text("symbols", html(SYMBOLS))
        .optional("has_fixed_parameters", flag(!tunable))
        .optional("has_tunable_parameters", flag(tunable))
        .optional("has_waiting_parameters", flag(waits))
        .optional("is_strict", flag(interface.strict))
        .optional("is_guarded", flag(interface.guard != Guard::Off))
        .optional("creeps", flag(creeps))
        .optional(
            "has_driven",
            flag(scene.bodies().iter().any(|b| b.is_driven())),
        )
        .list("bodies", bodies(scene, page))
        .optional("more_bodies", more(own_bodies(scene), LISTED_BODIES))
        .optional("has_joints", flag(!scene.joints().is_empty()))
        .list("joints", joints(scene, page))
        .optional("more_joints", more(scene.joints().len(), LISTED_BODIES))
        .optional("has_laws", flag(!page.laws.is_empty()))
        .list("laws", laws(scene, &page.laws))
        .optional("more_laws", more(page.laws.len(), LISTED_LAWS))
        .optional("has_inputs", flag(!scene.inputs().is_empty()))
        .list("inputs", inputs.take(LISTED).collect())
        .list("groups", groups(facts))
        .optional("more_variables", more(facts.variables.len(), LISTED));
    template::fill(TEMPLATE, &with_scene_file(record, page))
}

/// Who made the model, and what may be done with it.
fn about(about: &About) -> Vec<Record<'static>> {
    let texts = [
        ("Version", &about.version),
        ("Author", &about.author),
        ("Copyright", &about.copyright),
        ("Licence", &about.license),
    ];
    let given = texts
        .into_iter()
        .filter_map(|(name, text)| Some((name, text.as_deref()?)));
    let record = |(name, text)| {
        Record::new()
            .text("about_name", name)
            .text("about_text", text)
    };
    given.map(record).collect()
}

/// How many are not listed.
fn more(count: usize, listed: usize) -> Option<String> {
    (count > listed).then(|| (count - listed).to_string())
}

fn with_scene_file(record: Record<'static>, page: &Page) -> Record<'static> {
    let text = page.scene_text.as_deref();
    let cut = |text: &str| -> String { text.chars().take(SCENE_CHARACTERS).collect() };
    let is_cut = text.is_some_and(|text| text.chars().count() > SCENE_CHARACTERS);
    let settings = page.settings.join(", ");
    record
        .optional("scene_text", text.map(cut))
        .optional("scene_cut", is_cut.then(|| SCENE_CHARACTERS.to_string()))
        .optional("settings", (!settings.is_empty()).then_some(settings))
}

fn bodies(scene: &Scene, page: &Page) -> Vec<Record<'static>> {
    let listed = own_bodies(scene).min(LISTED_BODIES);
    let bodies = scene.bodies().iter_enumerated().take(listed);
    let record = |(index, body): (BodyId, &contact_model::scene::Body)| {
        let note = page
            .bodies
            .get(usize::from(index))
            .cloned()
            .unwrap_or_default();
        let position = scene.start_pose(index).position;
        let position: Vec<String> = position.iter().map(|x| rounded(*x, PLACE_DIGITS)).collect();
        let shapes = note.shapes.iter().map(|s| Record::new().text("shape", s));
        Record::new()
            .text("body", &body.name)
            .optional("color", note.color)
            .text("motion", body.motion.word())
            .optional(
                "mass",
                body.is_dynamic().then(|| rounded(body.mass.mass, 6)),
            )
            .text("position", format!("({})", position.join(", ")))
            .list("shapes", shapes.collect())
    };
    bodies
        .map(record)
        .chain(groups_of_balls(scene, page))
        .collect()
}

/// A row for each group of balls: mass of all, and the box that they start in.
fn groups_of_balls(scene: &Scene, page: &Page) -> impl Iterator<Item = Record<'static>> {
    let first = own_bodies(scene);
    let groups = scene.grains().iter().enumerate();
    groups.map(move |(index, group)| {
        let note = page.bodies.get(first + index).cloned().unwrap_or_default();
        let shapes = note.shapes.iter().map(|s| Record::new().text("shape", s));
        let bodies = || each(group.bodies.clone()).map(|body| &scene.bodies()[body]);
        let mass: f64 = bodies().map(|body| body.mass.mass).sum();
        let ends = [f64::min, f64::max].map(|end| {
            let corner = (0..3).map(|axis| {
                let along = bodies().map(|body| body.position[axis]);
                along
                    .reduce(end)
                    .map_or(String::new(), |x| rounded(x, PLACE_DIGITS))
            });
            corner.collect::<Vec<_>>().join(", ")
        });
        Record::new()
            .text("body", &group.name)
            .optional("color", note.color)
            .text("motion", Motion::Free.word())
            .optional("mass", Some(rounded(mass, 6)))
            .text("position", format!("({}) to ({})", ends[0], ends[1]))
            .list("shapes", shapes.collect())
    })
}

/// Number of bodies that are not in groups.
fn own_bodies(scene: &Scene) -> usize {
    let first = scene.grains().first();
    first.map_or(scene.bodies().len(), |group| group.bodies.start.into())
}

fn joints(scene: &Scene, page: &Page) -> Vec<Record<'static>> {
    let record = |(index, joint): (usize, &Joint)| {
        let parent = joint.parent.map(|body| scene.bodies()[body].name.as_str());
        let empty = JointNote::default();
        let note = page.joints.get(index).unwrap_or(&empty);
        let all = std::iter::once(&note.text).chain(&note.coordinates);
        let all = all.map(|text| Record::new().text("coordinate", text));
        Record::new()
            .text("joint", &joint.name)
            .text("parent", parent.unwrap_or("world"))
            .text("child", &scene.bodies()[joint.child].name)
            .list("coordinates", all.collect())
    };
    let joints = scene.joints().iter().enumerate().take(LISTED_BODIES);
    joints.map(record).collect()
}

/// Number of pairs of each law, and names of the first ones. Balls have too many pairs to look at each.
fn pairs_by_law(scene: &Scene) -> BTreeMap<LawId, (usize, Vec<String>)> {
    let mut pairs: BTreeMap<LawId, (usize, Vec<String>)> = BTreeMap::new();
    let mut unnamed = 0;
    for class in scene.pair_classes(&|_| 0).iter() {
        let (count, _) = pairs.entry(scene.law_of(&class.first())).or_default();
        unnamed -= LISTED_PAIRS.min(*count);
        *count += class.count_of_parts();
        unnamed += LISTED_PAIRS.min(*count);
    }
    let mut all = scene.pairs().ids().zip(scene.pairs().iter());
    while unnamed > 0
        && let Some((index, pair)) = all.next()
    {
        let (_, listed) = pairs.entry(scene.law_of(&pair)).or_default();
        if listed.len() < LISTED_PAIRS {
            listed.push(scene.pair_name(index));
            unnamed -= 1;
        }
    }
    pairs
}

fn laws(scene: &Scene, notes: &[LawNote]) -> Vec<Record<'static>> {
    let mut pairs = pairs_by_law(scene);
    let laws = scene.laws().iter_enumerated().zip(notes);
    let record = |((index, law), note): ((LawId, &contact_model::scene::ContactLaw), &LawNote)| {
        let (count, mut listed) = pairs.remove(&index).unwrap_or_default();
        listed.extend(more(count, LISTED_PAIRS).map(|more| format!("and {more} more")));
        if listed.is_empty() {
            listed.push("none".to_owned());
        }
        let equations = equations(&law.choice).into_iter().map(|(label, formula)| {
            Record::new()
                .text("label", label)
                .text("equation", html(&formula))
        });
        let numbers = numbers(scene, law);
        Record::new()
            .text("law", &note.name)
            .text("pair_count", count.to_string())
            .text("pairs", listed.join(", "))
            .list("equations", equations.collect())
            .optional("has_numbers", (!numbers.is_empty()).then(String::new))
            .list("numbers", numbers)
            .text("at", &note.at)
            .optional("has_impacts", (!note.impacts.is_empty()).then(String::new))
            .list("speeds", speeds(note))
            .list("impacts", note.impacts.iter().skip(1).map(impact).collect())
            .list(
                "notes",
                note.notes
                    .iter()
                    .map(|n| Record::new().text("note", n))
                    .collect(),
            )
    };
    laws.take(LISTED_LAWS).map(record).collect()
}

/// The label and the impact speeds, as the head of a table.
fn speeds(note: &LawNote) -> Vec<Record<'static>> {
    let Some((label, speeds)) = note.impacts.first() else {
        return Vec::new();
    };
    let cells = std::iter::once(label).chain(speeds);
    cells
        .map(|cell| Record::new().text("speed", cell))
        .collect()
}

fn impact((label, cells): &(String, Vec<String>)) -> Record<'static> {
    let cells = cells.iter().map(|cell| Record::new().text("cell", cell));
    Record::new()
        .text("label", label)
        .list("cells", cells.collect())
}

/// The numbers that a law uses, and the elastic data of its materials where it takes these.
fn numbers(scene: &Scene, law: &contact_model::scene::ContactLaw) -> Vec<Record<'static>> {
    let choice: &LawChoice = &law.choice;
    let row = |symbol: &str, text: String, value: f64, unit: &str| {
        Record::new()
            .text("symbol", html(symbol))
            .text("text", text)
            .text("value", rounded(value, DIGITS))
            .text("unit", unit)
    };
    let mut rows = Vec::new();
    if matches!(choice.kinds.normal, NormalKind::Hertz | NormalKind::Volume) {
        for (place, index) in law.materials.iter().enumerate() {
            let (material, i) = (&scene.materials()[*index], place + 1);
            let modulus = format!("Young's modulus of {}", material.name);
            rows.push(row(
                &format!("E_{i}"),
                modulus,
                material.youngs_modulus,
                "Pa",
            ));
            let ratio = format!("Poisson's ratio of {}", material.name);
            rows.push(row(&format!("ν_{i}"), ratio, material.poissons_ratio, "1"));
        }
    }
    for number in choice.used() {
        let unit = match number {
            Number::Stiffness if choice.kinds.uses(Number::Exponent) => {
                match choice.number(Number::Exponent) {
                    1.0 => "N/m".to_owned(),
                    n => format!("N/m^{}", exact(n)),
                }
            }
            Number::Stiffness => "N/m".to_owned(),
            _ => Some(number.unit())
                .filter(|u| !u.is_empty())
                .unwrap_or("1")
                .to_owned(),
        };
        let text = number.file_key().text.to_owned();
        rows.push(row(&symbol(number), text, choice.number(number), &unit));
    }
    rows
}

/// Variables by what they are of, in the order of the table.
fn groups(facts: &ModelFacts) -> Vec<Record<'static>> {
    let mut groups: BTreeMap<Subject, Vec<Record<'static>>> = BTreeMap::new();
    for listed in facts.variables.iter().take(LISTED) {
        groups
            .entry(listed.subject)
            .or_default()
            .push(variable(listed));
    }
    let record = |(subject, variables): (Subject, Vec<Record<'static>>)| {
        let kind = match subject {
            Subject::Scene => "the scene",
            Subject::Body(_) => "body",
            Subject::Grains(_) => "group",
            Subject::Joint(_) => "joint",
            Subject::Force(_) => "force",
            Subject::Measurement(_) => "measurement",
            Subject::Latch(_) => "latch",
            Subject::Contact(_) => "contact",
            Subject::Law(_) => "law",
            Subject::Material(_) => "material",
        };
        let name = format!("{kind} {}", subject.name(facts.scene));
        let count = match variables.len() {
            1 => "1 variable".to_owned(),
            count => format!("{count} variables"),
        };
        Record::new()
            .text("group", name.trim_end())
            .text("variable_count", count)
            .list("variables", variables)
    };
    groups.into_iter().map(record).collect()
}

fn variable(variable: &Variable) -> Record<'static> {
    let unit = variable.declared_type.map(|declared| declared.unit_text());
    Record::new()
        .text("reference", variable.reference.to_string())
        .text("name", &variable.name)
        .optional("unit", unit.map(str::to_owned))
        .text("causality", variable.causality.word())
        .text("variability", variable.variability.word())
        .optional("start", readable(variable))
        .text("description", &variable.description)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::sample::bouncing_ball;
    use contact_model::scene::Scene;
    use fmu_core::instance::Standard;
    use fmu_core::instance::variables::VariableTable;
    use fmu_core::instance::variables::describe::Describer;

    fn page_of(scene: &Scene, table: &VariableTable) -> String {
        let nominals = vec![1.0; scene.layout().count()];
        let facts = ModelFacts {
            scene,
            table,
            variables: &Describer::new(scene, table).variables(&nominals),
            suggested_tolerance: 1e-8,
            token: "abc",
            about: &About {
                description: Some("A ball & a plate".into()),
                author: Some("A. Author".into()),
                ..About::default()
            },
        };
        documentation(&facts, &Page::default()).unwrap()
    }

    #[test]
    fn the_page_names_the_fmi_version_and_when_parameters_may_be_set() {
        for (standard, tunable, version, words) in [
            (
                Standard::Fmi3,
                false,
                "for FMI 3.0.",
                "<p>Parameters, initial poses",
            ),
            (
                Standard::Fmi2,
                true,
                "for FMI 2.0.",
                "parameters also at events",
            ),
        ] {
            let mut description = bouncing_ball();
            description.interface.tunable = tunable;
            let scene = Scene::new(description).unwrap();
            let page = page_of(&scene, &VariableTable::new(&scene, standard));
            assert!(page.contains("<p>A ball &amp; a plate</p>"), "{page}");
            assert!(page.contains("A. Author</dd>") && !page.contains("Copyright"));
            assert!(page.contains(version) && page.contains(words), "{page}");
            assert_eq!(page.matches("may be set until").count(), 1);
        }
    }

    #[test]
    fn the_page_of_a_strict_fmu_promises_no_leniency() {
        for strict in [false, true] {
            let mut description = bouncing_ball();
            description.interface.tunable = true;
            description.interface.strict = strict;
            let scene = Scene::new(description).unwrap();
            let page = page_of(&scene, &VariableTable::new(&scene, Standard::Fmi3));
            assert_eq!(page.contains("takes effect at the next event"), !strict);
            assert_eq!(page.contains("is strict"), strict);
        }
    }

    #[test]
    fn the_page_tells_what_guarded_indicators_ask_of_an_importer() {
        for guard in [Guard::Importer, Guard::Time, Guard::Off] {
            let mut description = bouncing_ball();
            description.interface.guard = guard;
            let scene = Scene::new(description).unwrap();
            let page = page_of(&scene, &VariableTable::new(&scene, Standard::Fmi3));
            let asked = "Call CompletedIntegratorStep after each step";
            assert_eq!(page.contains(asked), guard != Guard::Off);
        }
    }

    #[test]
    fn the_page_has_a_row_for_each_body_and_each_variable() {
        let scene = Scene::new(bouncing_ball()).unwrap();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let page = page_of(&scene, &table);
        assert!(page.starts_with("<!DOCTYPE html>"));
        // A head row in the list of bodies and in each group of variables, four rows of the
        // experiment.
        let rows = page.matches("<tr>").count();
        let groups = page.matches("<details>").count();
        assert_eq!(rows, 4 + 1 + scene.bodies().len() + groups + table.count());
        let describer = Describer::new(&scene, &table);
        for (_, quantity) in table.quantities() {
            let cell = format!("<th scope=\"row\">{}</th>", describer.name(quantity));
            assert!(page.contains(&cell), "{cell}");
        }
        // A browser reads a cell without end tag as open.
        assert!(!page.contains("<td/>") && !page.contains("<td class=\"number\"/>"));
    }

    #[test]
    fn long_lists_and_files_are_cut_with_a_word() {
        let mut description = bouncing_ball();
        let ball = description.bodies[1].clone();
        for index in 0..150 {
            let mut other = ball.clone();
            other.name = format!("ball_{index}");
            other.position[0] = f64::from(index);
            description.bodies.push(other);
        }
        let scene = Scene::new(description).unwrap();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let nominals = vec![1.0; scene.layout().count()];
        let facts = ModelFacts {
            scene: &scene,
            table: &table,
            variables: &Describer::new(&scene, &table).variables(&nominals),
            suggested_tolerance: 1e-8,
            token: "abc",
            about: &About::default(),
        };
        let law = LawNote {
            name: "Steel-Steel".into(),
            at: "nowhere".into(),
            ..LawNote::default()
        };
        let page = Page {
            laws: vec![law],
            scene_text: Some("#<&>\n".repeat(20_000)),
            settings: vec!["ball.mass=2".into()],
            ..Page::default()
        };
        let page = documentation(&facts, &page).unwrap();
        assert!(page.len() < 450_000, "{}", page.len());
        for part in [
            format!("{} more variables", table.count() - LISTED),
            "52 more bodies".to_owned(),
            format!("and {} more.", scene.pairs().len() - LISTED_PAIRS),
            "first 50000 characters".to_owned(),
            "than the file has: ball.mass=2.".to_owned(),
            "#&lt;&amp;&gt;\n#&lt;".to_owned(),
        ] {
            assert!(page.contains(&part), "{part}");
        }
    }
}
