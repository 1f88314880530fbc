//! documentation/index.html: the scene as a picture, its bodies, joints and contact laws, units and
//! frames, and every variable.
//!
//! # Equations of contact laws as HTML, for the page in an FMU
//!
//! A formula is written as in a text: `f_n = K δ^n (1 + d δ̇)`. Single letters are symbols and set
//! in italics, words of several letters are names of functions; `_` and `^` take the next letter,
//! or what is in braces, below or above.

use super::facts::{Chapter, Element, Fact, Facts};
use super::template::{Record, TemplateError};
use super::{DIGITS, ModelFacts, readable, template};
use contact_laws::index::{LawId, ShapeId};
use contact_laws::response::choice::{
    Damping, FrictionKind, ImpactSpeed, NormalKind, Pulling, RestitutionRule, Spinning,
};
use contact_laws::response::flaws::stiffness_unit;
use contact_laws::response::{LawChoice, Number};
use contact_model::scene::description::{About, Guard};
use contact_model::scene::{Pair, Scene};
use fmu_core::instance::variables::quantity::Subject;
use fmu_core::instance::variables::{Causality, Variable};
use fmu_view::number::rounded;
use std::collections::{BTreeMap, BTreeSet};

const TEMPLATE: &str = include_str!("../../../modelDescription.templates/documentation.html");

/// So many variables the page lists; nobody reads a list of more.
const LISTED: usize = 600;
const LISTED_BODIES: usize = 100;
const LISTED_LAWS: usize = 12;
const LISTED_PAIRS: usize = 40;
const SCENE_CHARACTERS: usize = 50_000;

pub(crate) fn documentation(facts: &ModelFacts, page: &Page) -> Result<String, TemplateError> {
    let scene = facts.scene;
    let interface = scene.interface();
    let tunable = interface.tunable;
    let waits = tunable && !interface.strict;
    let flag = |is_true: bool| is_true.then(String::new);
    let is_input = |v: &&Variable| v.causality == Causality::Input;
    let parameters = scene.parameters().len() - scene.parameter_inputs().count();
    let inputs = facts.variables.iter().filter(is_input).map(variable);
    let kinds = || scene.laws().iter().map(|law| law.choice.kinds);
    let creeps = |kind| !matches!(kind, FrictionKind::Off | FrictionKind::Stick);
    let creeps = kinds().any(|k| k.normal != NormalKind::Observer && creeps(k.friction));
    let record = facts
        .record()
        .optional("described", facts.about.description.clone())
        .optional("has_about", flag(!about(facts.about).is_empty()))
        .list("about_texts", about(facts.about))
        .text("parameter_count", parameters.to_string())
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
        .list("bodies", bodies(page))
        .optional("more_bodies", more(own_bodies(scene), LISTED_BODIES))
        .list("chapters", chapters(page))
        .optional("has_laws", flag(!page.laws.is_empty()))
        .list("laws", laws(scene, &page.laws))
        .optional("more_laws", more(page.laws.len(), LISTED_LAWS))
        .optional("has_inputs", flag(!scene.inputs().is_empty()))
        .list("inputs", inputs.take(LISTED).collect())
        .list("groups", groups(facts))
        .optional("more_variables", more(facts.variables.len(), LISTED));
    template::fill(TEMPLATE, &with_scene_file(record, page))
}

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

fn bodies(page: &Page) -> Vec<Record<'static>> {
    let record = |note: &BodyNote| {
        let body = &note.element;
        let shapes = note.shapes.iter().map(|s| Record::new().text("shape", s));
        let value = |list: &Facts, key: &str| list.get(key).map(Fact::value);
        let motion = body.kind.map_or("", |[_, word]| word);
        let place = value(&body.own, "position").or(value(&body.below, "lower"));
        let place = [place, value(&body.below, "upper")].into_iter().flatten();
        Record::new()
            .text("body", &body.name)
            .optional("color", note.color.clone())
            .list("shapes", shapes.collect())
            .text("motion", motion)
            .optional("mass", value(&body.below, "mass"))
            .text("position", Vec::from_iter(place).join(" to "))
    };
    let (groups, bodies): (Vec<_>, Vec<_>) = page.bodies.iter().partition(|note| note.is_group);
    let bodies = bodies.into_iter().take(LISTED_BODIES);
    bodies.chain(groups).map(record).collect()
}

fn own_bodies(scene: &Scene) -> usize {
    let first = scene.grains().first();
    first.map_or(scene.bodies().len(), |group| group.bodies.start.into())
}

/// A table for each list of elements: name and facts.
fn chapters(page: &Page) -> Vec<Record<'static>> {
    let element = |element: &Element| {
        let facts = element.texts().into_iter();
        let facts = facts.map(|fact| Record::new().text("fact", fact));
        Record::new()
            .text("element", &element.name)
            .list("facts", facts.collect())
    };
    let chapter = |chapter: &Chapter| {
        let shown = chapter.elements.iter().take(LISTED_BODIES);
        let mut title = chapter.title.to_owned();
        title[..1].make_ascii_uppercase();
        Record::new()
            .text("anchor", chapter.key)
            .text("chapter", title)
            .list("elements", shown.map(element).collect())
            .optional("more_elements", more(chapter.elements.len(), LISTED_BODIES))
    };
    let shown = page
        .chapters
        .iter()
        .filter(|chapter| !chapter.elements.is_empty());
    shown.map(chapter).collect()
}

/// Number of pairs for each value of a key, and the first ones. Pairs of a class are looked at one by one only
/// where the key differs among the convex parts of its shapes: balls have too many.
pub(crate) fn pairs_by<K: Ord>(
    scene: &Scene,
    most: usize,
    key: impl Fn(&Pair) -> K,
) -> BTreeMap<K, (usize, Vec<Pair>)> {
    let parts = |first: ShapeId| {
        let all = scene.shapes()[first..].iter().enumerate();
        let all = all.take_while(|(i, shape)| *i == 0 || shape.part > Some(0));
        all.map(move |(i, _)| first.plus(i))
    };
    let of_parts = |pair: Pair| {
        let [one, two] = pair.shapes;
        let ones = parts(one);
        ones.flat_map(move |one| {
            parts(two).map(move |two| Pair {
                shapes: [one, two],
                ..pair
            })
        })
    };
    let mut found: BTreeMap<K, (usize, Vec<Pair>)> = BTreeMap::new();
    for class in scene.pair_classes(&|_| 0).iter() {
        let keys = BTreeSet::from_iter(of_parts(class.first()).map(|pair| key(&pair)));
        let is_one = keys.len() == 1;
        let looked_at = if is_one { most } else { usize::MAX };
        for pair in class.pairs().take(looked_at).flat_map(of_parts) {
            let (count, firsts) = found.entry(key(&pair)).or_default();
            *count += usize::from(!is_one);
            firsts.push(pair);
        }
        if let (true, Some(key)) = (is_one, keys.into_iter().next()) {
            found.entry(key).or_default().0 += class.count_of_parts();
        }
    }
    for (_, firsts) in found.values_mut() {
        firsts.sort_unstable_by_key(|pair| pair.shapes);
        firsts.truncate(most);
    }
    found
}

fn laws(scene: &Scene, notes: &[LawNote]) -> Vec<Record<'static>> {
    let mut pairs = pairs_by(scene, LISTED_PAIRS, |pair| scene.law_of(pair));
    let laws = scene.laws().iter_enumerated().zip(notes);
    let record = |((index, law), note): ((LawId, &contact_model::scene::ContactLaw), &LawNote)| {
        let (count, firsts) = pairs.remove(&index).unwrap_or_default();
        let place = |pair: &Pair| scene.pairs().index_of(pair.shapes[0], pair.shapes[1]);
        let names = firsts
            .iter()
            .filter_map(place)
            .map(|index| scene.pair_name(index));
        let mut listed = Vec::from_iter(names);
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
        let mut rows = note.shown();
        let head = rows.next().map(|row| impact(row, "speed"));
        let impacts = Vec::from_iter(rows.map(|row| impact(row, "cell")));
        Record::new()
            .text("law", &note.name)
            .text("pair_count", count.to_string())
            .text("pairs", listed.join(", "))
            .list("equations", equations.collect())
            .optional("has_numbers", (!numbers.is_empty()).then(String::new))
            .list("numbers", numbers)
            .text("at", &note.at)
            .optional("has_impacts", head.is_some().then(String::new))
            .list("heads", head.into_iter().collect())
            .list("impacts", impacts)
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

/// A row of a table: a label and a cell for each speed.
fn impact(row: &ImpactRow, name: &'static str) -> Record<'static> {
    let cells = row.cells.iter().map(|cell| Record::new().text(name, cell));
    Record::new()
        .text("label", row.label)
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
        let unit = match unit_of(choice, number) {
            none if none.is_empty() => "1".to_owned(),
            unit => unit,
        };
        let text = number.file_key().text.to_owned();
        rows.push(row(&symbol(number), text, choice.number(number), &unit));
    }
    rows
}

/// Unit of a number of a law; empty if it has none.
pub(crate) fn unit_of(choice: &LawChoice, number: Number) -> String {
    match number {
        Number::Stiffness if choice.kinds.uses(Number::Exponent) => {
            stiffness_unit(choice.number(Number::Exponent))
        }
        Number::Stiffness => stiffness_unit(1.0),
        _ => number.unit().to_owned(),
    }
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

/// The formulas of a law: what each one gives, and the formula.
pub(crate) fn equations(choice: &LawChoice) -> Vec<(&'static str, String)> {
    let kinds = &choice.kinds;
    let mut list = vec![("Normal force", normal(choice).to_owned())];
    if kinds.normal == NormalKind::Observer {
        return list;
    }
    if kinds.may_cover_area() {
        list.push(("Pressure over an area", PRESSURE.to_owned()));
    }
    if kinds.is_damped() {
        list.extend(damping(choice));
    }
    let pulling = match kinds.pulling {
        Pulling::Clamped => "f_n = max(f_n, 0)",
        Pulling::Signed => "f_n as it is, also below 0",
    };
    list.push(("Pulling", pulling.to_owned()));
    list.push((
        "Friction on the second body",
        friction(kinds.friction).to_owned(),
    ));
    if choice.number(Number::RollingResistance) > 0.0 || kinds.spinning == Spinning::Own {
        let turning = match kinds.spinning {
            Spinning::AsRolling => "τ = −μ_r R f_n ω/reg(|ω|, ω_{small})",
            Spinning::Own => {
                "τ = −μ_r R f_n ω_t/reg(|ω_t|, ω_{small}) − μ_n R f_n ω_n/reg(|ω_n|, ω_{small})"
            }
        };
        list.push(("Resistance to turning", turning.to_owned()));
    }
    if kinds.has_impulse() {
        list.push(("Impact", IMPACT.to_owned()));
    }
    list
}

const IMPACT: &str = "where bodies meet faster than v_{rest}, velocities jump by impulses p_n along the normal, \
     with the restitution e, and p_t along the surfaces, |p_t| ≤ μ_k p_n";

const PRESSURE: &str = "p = min(k_1 δ_1, k_2 δ_2), δ_i the depth below the nearest face, k_i = 2 k_A or \
     E_i (1 − ν_i)/((1 + ν_i) (1 − 2 ν_i) h_i); without h_i E_i over half of the smaller thickness";

fn normal(choice: &LawChoice) -> &'static str {
    match choice.kinds.normal {
        NormalKind::Hertz => {
            "f_n = K δ^{3/2} (1 + d δ̇), K = (4/3) c √R, 1/c = (1 − ν_1^2)/E_1 + (1 − ν_2^2)/E_2"
        }
        NormalKind::Spring => "f_n = K δ^n (1 + d δ̇)",
        NormalKind::Impact => "f_n = K δ^n + c_{max} STEP(δ, 0, 0, δ_{max}, 1) δ̇",
        NormalKind::Poisson => {
            "f_n = K δ (1 + β STEP(δ̇, −v_n, −1, v_n, 1)), β = (1 − e^2)/(1 + e^2)"
        }
        NormalKind::Volume if choice.number(Number::Area) > 0.0 => {
            "f_n = A k δ^n (1 + d δ̇), k = k_A or k_1 k_2/(k_1 + k_2), \
             k_i = E_i (1 − ν_i)/((1 + ν_i) (1 − 2 ν_i) h_i)"
        }
        NormalKind::Volume => {
            "f_n = 2 π R k δ^{n+1}/(n + 1) (1 + d δ̇), k = k_A or k_1 k_2/(k_1 + k_2), \
             k_i = E_i (1 − ν_i)/((1 + ν_i) (1 − 2 ν_i) h_i)"
        }
        NormalKind::User(_) => "f_n: a function of the user",
        NormalKind::Observer => "f_n = 0",
    }
}

fn damping(choice: &LawChoice) -> Vec<(&'static str, String)> {
    let kinds = &choice.kinds;
    if kinds.normal == NormalKind::Poisson {
        return Vec::new();
    }
    let ratio = match kinds.damping {
        Damping::Inferred | Damping::Exact => "u solves (1 + e) u = ln((1 + u)/(1 − e u))",
        Damping::Flores => "u = 8 (1 − e)/(5 e)",
        Damping::Constant => return Vec::new(),
        Damping::EngelsonFraction => "u = (1 − e)/e",
        Damping::EngelsonPolynomial => "u = exp(s(e)), s the root of a cubic",
        Damping::HuntCrossley => "u = 3 (1 − e)/2",
        Damping::LankaraniNikravesh => "u = 3 (1 − e^2)/4",
        Damping::Gonthier => "u = (1 − e^2)/e",
        Damping::HuGuo => "u = 3 (1 − e)/(2 e)",
        Damping::HerbertMcWhannell => "u = 6 (1 − e)/((2 e − 1)^2 + 3)",
    };
    let speed = match (kinds.damping, kinds.impact_speed) {
        (Damping::Inferred, _) => {
            "d = u/v_0, v_0 the speed of the impact through the present δ and δ̇"
        }
        (_, ImpactSpeed::Plain) => "d = u/v_0, v_0 the speed at the start of the contact",
        (_, ImpactSpeed::Regularized) => {
            "d = u/reg(v_0, v_{small}), v_0 the speed at the start of the contact"
        }
    };
    let rule = match kinds.restitution {
        RestitutionRule::Regularized if kinds.damping == Damping::Inferred => {
            "e + (e_s − e) 0.01^{v_0/v_{small}} in place of e < 1, e_s = min(e, 1/4)"
        }
        RestitutionRule::Regularized => {
            "e + (e_s − e) 0.01^{v_0/v_{small}} in place of e, e_s = 0.001"
        }
        RestitutionRule::Threshold => "e for v_0 > v_{small}, else 0",
        RestitutionRule::Constant => "e at any speed",
    };
    vec![
        ("Damping coefficient", format!("{speed}; {ratio}")),
        ("Restitution", rule.to_owned()),
    ]
}

fn friction(kind: FrictionKind) -> &'static str {
    match kind {
        FrictionKind::Off => "f_t = 0",
        FrictionKind::Regularized => "f_t = −μ_k f_n v_t/reg(|v_t|, v_{small})",
        FrictionKind::Coulomb => {
            "f_t = −μ(|v_t|) f_n v_t/|v_t|, μ rises to μ_s at v_s, is μ_k from v_d on"
        }
        FrictionKind::CoulombDynamic => "f_t = −μ(|v_t|) f_n v_t/|v_t|, μ rises to μ_k at v_d",
        FrictionKind::Stick => {
            "|f_t| ≤ μ(|v_t|) f_n, by a spring k_t and a damper c_t that hold at rest; \
             μ is μ_s up to v_s and μ_k from v_d on"
        }
        FrictionKind::User(_) => "f_t: a function of the user",
    }
}

pub(crate) const SYMBOLS: &str = "δ is the depth [m] and δ̇ its rate [m/s], positive while the bodies \
     approach; v_0 is the rate when the contact starts, v_t the slip velocity [m/s], ω the relative \
     angular velocity [rad/s], R the effective radius [m]; the parameter contact.k_{red} multiplies \
     f_n. reg(v, s) is v from s on, \
     v^2/s (1 − v/(3 s)) + s/3 below. STEP(x, x_0, h_0, x_1, h_1) goes smoothly from h_0 at x_0 to \
     h_1 at x_1.";

pub(crate) fn symbol(number: Number) -> String {
    match number {
        Number::Restitution => "e",
        Number::SlidingFriction => "μ_k",
        Number::StaticFriction => "μ_s",
        Number::RollingResistance => "μ_r",
        Number::SpinningResistance => "μ_n",
        Number::VSmall => "v_{small}",
        Number::WSmall => "ω_{small}",
        Number::Stiffness => "K",
        Number::Exponent => "n",
        Number::DampingCoefficient => "d",
        Number::LargestDamping => "c_{max}",
        Number::DampingDepth => "δ_{max}",
        Number::TransitionSpeed => "v_n",
        Number::StaticSpeed => "v_s",
        Number::DynamicSpeed => "v_d",
        Number::TangentialStiffness => "k_t",
        Number::TangentialDamping => "c_t",
        Number::LayerDepth1 => "h_1",
        Number::LayerDepth2 => "h_2",
        Number::StiffnessPerArea => "k_A",
        Number::Area => "A",
        Number::RestSpeed => "v_{rest}",
        Number::User(i) => return format!("p_{}", i + 1),
    }
    .to_owned()
}

/// Letters of a run that is a word or a function; the article is a word too.
const UPRIGHT_FROM: usize = 2;

pub(crate) fn html(formula: &str) -> String {
    let letters: Vec<char> = formula.chars().collect();
    let mut out = String::new();
    let mut i = 0;
    while let Some(letter) = letters.get(i).copied() {
        i += 1;
        match letter {
            '_' | '^' => {
                let element = if letter == '_' { "sub" } else { "sup" };
                let (inner, next) = argument(&letters, i);
                i = next;
                out.push_str(&format!("<{element}>{}</{element}>", html(&inner)));
            }
            // A unit is no product of symbols.
            '[' => {
                let unit: String = letters[i..].iter().take_while(|c| **c != ']').collect();
                i += unit.chars().count();
                out.push_str(&format!("[{unit}"));
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            _ if letter.is_alphabetic() => {
                let is_word = |c: &&char| c.is_alphabetic() || is_mark(**c);
                let more = letters[i..].iter().take_while(is_word);
                let run: String = std::iter::once(&letter).chain(more).collect();
                i += run.chars().count() - 1;
                let count = run.chars().filter(|c| !is_mark(*c)).count();
                match count < UPRIGHT_FROM && run != "a" {
                    true => out.push_str(&format!("<i>{run}</i>")),
                    false => out.push_str(&run),
                }
            }
            _ => out.push(letter),
        }
    }
    out
}

/// Whether a character is set over the one before it.
fn is_mark(letter: char) -> bool {
    letter == '\u{307}'
}

/// What `_` or `^` takes, and the place after it.
fn argument(letters: &[char], from: usize) -> (String, usize) {
    if letters.get(from) != Some(&'{') {
        return (letters.get(from).iter().copied().collect(), from + 1);
    }
    let mut depth = 0;
    for (offset, letter) in letters[from..].iter().enumerate() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let end = from + offset;
            return (letters[from + 1..end].iter().collect(), end + 1);
        }
    }
    (letters[from + 1..].iter().collect(), letters.len())
}

// What the page in an FMU shows beside the variables: plain texts and pictures.

/// What the page shows of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Page {
    /// The scene as an SVG element; it names itself.
    pub picture: String,
    /// The bodies in the order of the scene, then groups of balls.
    pub bodies: Vec<BodyNote>,
    /// Joints, forces and what else it has.
    pub(crate) chapters: Vec<Chapter>,
    /// The contact laws, in the order of the scene.
    pub laws: Vec<LawNote>,
    /// Plot of the default experiment as an SVG element; none where it was not run.
    pub plot: Option<String>,
    /// The text of the scene file; none where there is no file.
    pub(crate) scene_text: Option<String>,
    /// Values set otherwise than in that text, `ball.mass=2`.
    pub settings: Vec<String>,
}

/// A body, or a group of balls.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BodyNote {
    pub(crate) element: Element,
    pub(crate) is_group: bool,
    /// Its colour in the picture, `#2a83be`; `None` if the picture does not have it.
    pub color: Option<String>,
    pub(crate) shapes: Vec<String>,
}

/// What a contact law comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LawNote {
    /// The materials, and the shapes where the law is theirs.
    pub(crate) name: String,
    /// Where the numbers below hold, or why there are none.
    pub(crate) at: String,
    /// Rows over impact speed; the speeds come first.
    pub impacts: Vec<ImpactRow>,
    /// Sentences on rest and friction.
    pub notes: Vec<String>,
}

impl LawNote {
    /// Rows with cells; none if there are only the speeds.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &ImpactRow> {
        let has_cells = |row: &&ImpactRow| row.cells.iter().any(|cell| !cell.is_empty());
        self.impacts.iter().filter(has_cells)
    }
}

/// A number of impacts over impact speed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ImpactRow {
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
    /// A text for each speed.
    pub(crate) cells: Vec<String>,
    /// The number for each speed, SI units.
    pub(crate) values: Vec<Option<f64>>,
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
        documentation(&facts, &of_bodies(scene)).unwrap()
    }

    fn of_bodies(scene: &Scene) -> Page {
        let note = |body: &contact_model::scene::Body| BodyNote {
            element: Element::new(&body.name, " "),
            ..BodyNote::default()
        };
        Page {
            bodies: scene.bodies().iter().map(note).collect(),
            ..Page::default()
        }
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
        for (_, quantity) in table.quantities() {
            let cell = format!("<th scope=\"row\">{}</th>", table.name(&scene, quantity));
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
            ..of_bodies(&scene)
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

#[cfg(test)]
mod equations_tests {
    use super::*;
    use contact_laws::quantity::Keyword;
    use contact_laws::response::LawKinds;
    use contact_laws::response::choice::{LawOptions, Response};

    #[test]
    fn symbols_are_italic_and_functions_words_and_units_upright() {
        for (formula, expected) in [
            (
                "f_n = K δ^n",
                "<i>f</i><sub><i>n</i></sub> = <i>K</i> <i>δ</i><sup><i>n</i></sup>",
            ),
            ("d δ\u{307}", "<i>d</i> <i>δ\u{307}</i>"),
            ("v_{small}", "<i>v</i><sub>small</sub>"),
            ("x^{3/2}", "<i>x</i><sup>3/2</sup>"),
            (
                "0.01^{v_0/v_{small}}",
                "0.01<sup><i>v</i><sub>0</sub>/<i>v</i><sub>small</sub></sup>",
            ),
            ("max(a, 0) < 1 [m/s]", "max(a, 0) &lt; 1 [m/s]"),
        ] {
            assert_eq!(html(formula), expected);
        }
    }

    fn choice(
        normal: NormalKind,
        damping: Damping,
        friction: FrictionKind,
        response: Response,
    ) -> LawChoice {
        let kinds = LawKinds {
            normal,
            damping,
            friction,
            response,
            ..LawKinds::of_scene(&LawOptions::DEFAULT)
        };
        LawChoice::new(kinds, |_| Some(0.5)).unwrap()
    }

    /// Every number of a law is in one of its formulas, the layers of a material by their index.
    #[test]
    fn formulas_have_the_symbols_of_all_numbers_that_a_law_uses() {
        for (_, normal) in NormalKind::WORDS.iter().copied() {
            for (_, damping) in Damping::WORDS.iter().copied() {
                let frictions = FrictionKind::WORDS.iter().copied();
                let responses = Response::WORDS.iter().copied();
                for ((_, friction), (_, response)) in
                    frictions.flat_map(|friction| responses.clone().map(move |r| (friction, r)))
                {
                    let choice = choice(normal, damping, friction, response);
                    let formulas = equations(&choice);
                    let all: String = formulas.iter().map(|(_, f)| f.as_str()).collect();
                    for number in choice.used() {
                        let known = match number {
                            Number::LayerDepth1 | Number::LayerDepth2 => "h_i".to_owned(),
                            // Regularize what friction and rolling do not have here.
                            Number::VSmall | Number::WSmall => continue,
                            Number::User(_) => continue,
                            _ => symbol(number),
                        };
                        assert!(
                            all.contains(&known),
                            "{normal:?} {damping:?} {friction:?}: {known} in {all}"
                        );
                    }
                }
            }
        }
    }
}
