//! What `check` says of the contact laws: for each the pair of shapes that asks most of it, what
//! its impacts come to over impact speed, how deep a body rests, how friction holds.
//!
//! # Tangential stiffness and damping of friction that sticks
//!
//! Where they are not given they follow from the normal stiffness and the masses, so each pair of
//! bodies has its own. Over an area a stiffness that is not given is one per area that touches.
//!
//! # Where the stiffness of a law comes from
//!
//! The formula, with its numbers.
//!
//! - moduli: K = 4/3 c sqrt(R) with 1/c = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2
//! - elastic layers: k = k_1 k_2/(k_1 + k_2) with k_i = E_i (1 - nu_i)/((1 + nu_i)(1 - 2 nu_i))/h_i
//! - over an area the same of layers that are given, k_i = E_i/h of those that are not
//! - a stiffness that is given
//! - a wanted penetration: K = F/depth^n, or K = (n + 1) m v^2/(2 depth^(n+1)), or k = p/depth^n

use crate::command::laws::area::{AreaFacts, Layer};
use crate::command::laws::bounce::Ways;
use crate::command::laws::{LawFacts, Laws};
use crate::command::words::{consequences, material_names};
use crate::description::documentation::unit_of;
use crate::description::facts::{Element, Facts, range};
use crate::scene_file::LoadedScene;
use contact_laws::index::{LawId, TiVec, ti_vec};
use contact_laws::response::choice::{GeometryFactor, NormalKind};
use contact_laws::response::flaws::stiffness_unit;
use contact_laws::response::penetration::{Load, Penetration};
use contact_laws::response::{LawChanges, LawChoice, Number, normal};
use contact_model::dynamics::pressing;
use contact_model::scene::description::PairResponse;
use contact_model::scene::{ContactLaw, Pair, Parameters, Scene, UserFunctions};
use fmu_mesh::solid::short;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Width of a label and of a cell [characters].
const WIDTHS: (usize, usize) = (20, 11);

/// The laws with what they come to.
pub(super) fn elements(laws: &Laws, speeds: &[f64]) -> Vec<Element> {
    laws.list.iter().map(|facts| law(facts, speeds)).collect()
}

fn law(facts: &LawFacts, speeds: &[f64]) -> Element {
    let mut element = Element::new(&facts.name, ": ");
    let line = &mut element.line;
    line.text("law:", facts.normal_word());
    match facts.damping_word() {
        Some(word) => line.text("damping", word),
        None => line.data("damping", Value::Null),
    };
    line.text("friction", facts.friction_word());
    line.data("numbers", numbers(&facts.choice, |_| true).object());
    let note = consequences(facts, speeds);
    let impact = |i: usize| {
        let values = note
            .impacts
            .iter()
            .map(|row| (row.key.to_owned(), json!(row.values[i])));
        Value::from(Map::from_iter(values))
    };
    let met = facts.meeting.as_ref().map(|meeting| {
        let depth = meeting.rest_depth().map(|depth| meeting.penetration(depth));
        json!({
            "pair": meeting.pair,
            "mass": meeting.mass,
            "load": meeting.load(),
            "rest_penetration": depth,
            "impacts": Vec::from_iter((0..speeds.len()).map(impact)),
        })
    });
    line.data("met", met);
    element.notes.push(note.at.clone());
    element.notes.extend(note.shown().map(|row| {
        let cells = row
            .cells
            .iter()
            .map(|c| format!("{c:>width$}", width = WIDTHS.1));
        format!(
            "{:<width$}{}",
            row.label,
            cells.collect::<String>(),
            width = WIDTHS.0
        )
    }));
    element.notes.extend(note.notes);
    element
}

/// The numbers of a law of which `shown` is true.
fn numbers(choice: &LawChoice, shown: impl Fn(&Number) -> bool) -> Facts {
    let mut facts = Facts::default();
    for number in choice.used().filter(shown) {
        let key = number.key();
        let name = match number {
            Number::VSmall | Number::WSmall => format!("{key}: {key}"),
            _ => key.to_owned(),
        };
        facts.number(&name, choice.number(number), &unit_of(choice, number));
    }
    facts
}

/// The laws of materials that can meet, with their numbers and where their stiffness comes from.
pub(super) fn materials(loaded: &LoadedScene, laws: &Laws) -> Vec<Element> {
    let scene = &loaded.scene;
    let tangential = Tangential::of(scene);
    let element = |(index, law): (LawId, &ContactLaw)| {
        let names = material_names(scene, index);
        let pairs = loaded.description.material_pairs.iter();
        let mut pairs = pairs.map(|pair| &pair.materials);
        let is_given = law.between.is_some()
            || pairs.any(|[one, two]| names == [one, two] || names == [two, one]);
        let mut element = Element::new(&laws.list[index].name, ": ");
        element.kind = (!is_given).then_some(["origin", "mean of the two self pairs"]);
        // Zero means a value that follows from others.
        let shown = |number: &Number| {
            use Number::{
                Area, LayerDepth1, LayerDepth2, StiffnessPerArea, TangentialDamping,
                TangentialStiffness,
            };
            let follows = matches!(
                number,
                Area | LayerDepth1
                    | LayerDepth2
                    | StiffnessPerArea
                    | TangentialStiffness
                    | TangentialDamping
            );
            !follows || law.choice.number(*number) > 0.0
        };
        element.line = numbers(&law.choice, shown);
        if element.common().is_empty() {
            element.line.other("numbers:", "no numbers", ());
        }
        element
            .notes
            .extend(origin(loaded, index, laws.touching.of_law(index)));
        element.notes.extend(tangential.notes(loaded, index));
        element
    };
    scene.laws().iter_enumerated().map(element).collect()
}

/// Tangential numbers of the laws of a scene.
struct Tangential {
    /// By law: the least and the largest k_t [N/m] and c [N.s/m] of its pairs.
    ranges: TiVec<LawId, Option<[[f64; 2]; 2]>>,
    /// By law: the least and the largest k_t over the area [N/m3] of those that touch over one.
    per_area: TiVec<LawId, Option<[f64; 2]>>,
}

impl Tangential {
    /// Those of a scene with its start values.
    fn of(scene: &Scene) -> Self {
        let mut ranges: TiVec<LawId, _> = ti_vec![None; scene.laws().len()];
        let mut per_area: TiVec<LawId, _> = ti_vec![None; scene.laws().len()];
        let scene = Arc::new(scene.clone());
        // What cannot be bound is refused elsewhere; functions of the user have no part in this.
        let functions = UserFunctions::not_loaded(&scene);
        let bound = pressing::bind(&scene, &Parameters::start(&scene), &functions).ok();
        let classes = bound.iter().map(|model| (model, model.pair_classes()));
        let firsts = classes.flat_map(|(model, classes)| {
            let firsts: Vec<Pair> = classes.iter().map(|class| class.first()).collect();
            firsts.into_iter().map(move |pair| (model, pair))
        });
        for (model, pair) in firsts {
            let law = model.law_of(&pair);
            let Some(stick) = law.friction.stick() else {
                continue;
            };
            if let (Some(k), Some(normal)) = (law.stiffness_per_area(), stick.follows) {
                let value: f64 = k * stick.stiffness / normal;
                let range: &mut [f64; 2] = per_area[scene.law_of(&pair)].get_or_insert([value; 2]);
                *range = [range[0].min(value), range[1].max(value)];
                continue;
            }
            let values = [stick.stiffness, stick.damping];
            let range = ranges[scene.law_of(&pair)].get_or_insert(values.map(|value| [value; 2]));
            for ([least, largest], value) in range.iter_mut().zip(values) {
                *least = least.min(value);
                *largest = largest.max(value);
            }
        }
        Tangential { ranges, per_area }
    }

    /// Sentences on a law whose friction sticks.
    fn notes(&self, loaded: &LoadedScene, law: LawId) -> Vec<String> {
        let choice = &loaded.scene.laws()[law].choice;
        let over_area = self.per_area[law].map(|stiffness| {
            let damping = match choice.number(Number::TangentialDamping) {
                given if given > 0.0 => format!("{} N.s/m, given", short(given)),
                _ => "sqrt(k_t m)".to_owned(),
            };
            format!(
                "sticks over an area with k_t = {} N/m^3 x what touches, 2 (1 - nu)/(2 - nu) of the normal stiffness; \
                 c = {damping}",
                range(stiffness),
            )
        });
        let origin = |number, formula: &'static str| match choice.number(number) > 0.0 {
            true => "given",
            false => formula,
        };
        let in_points = self.ranges[law].map(|[stiffness, damping]| {
            let stiffness_origin = origin(
                Number::TangentialStiffness,
                "2 (1 - nu)/(2 - nu) of the normal stiffness under m g",
            );
            let damping_origin = origin(Number::TangentialDamping, "sqrt(k_t m)");
            format!(
                "sticks with k_t = {} N/m, {stiffness_origin}; c = {} N.s/m, {damping_origin}",
                range(stiffness),
                range(damping)
            )
        });
        over_area.into_iter().chain(in_points).collect()
    }
}

/// How the stiffness of a law of the scene was computed whose pairs touch in these ways; none for a
/// law without force, and of Hertz for one without pairs.
fn origin(loaded: &LoadedScene, law: LawId, ways: Ways) -> Option<String> {
    let law = &loaded.scene.laws()[law];
    let text = match law.choice.kinds.normal {
        NormalKind::Hertz if !ways.point => {
            let below = "all its pairs touch over an area, see below";
            return ways.area.then(|| below.to_owned());
        }
        NormalKind::Hertz if ways.area => format!(
            "{} in a point; over an area see below",
            from_moduli(&loaded.scene, law)
        ),
        NormalKind::Hertz => from_moduli(&loaded.scene, law),
        NormalKind::Volume => from_layers(loaded, law),
        _ if law.choice.kinds.uses(Number::Stiffness) => from_numbers(loaded, law),
        _ => return None,
    };
    let k_red = loaded.scene.contact().k_red;
    Some(match k_red == 1.0 {
        true => text,
        false => format!("{text}; multiplied by k_red = {}", short(k_red)),
    })
}

/// The same of a pair that touches over an area, with its number.
pub(super) fn over_area(loaded: &LoadedScene, facts: &AreaFacts) -> String {
    let law = &loaded.scene.laws()[facts.law];
    let k_red = loaded.scene.contact().k_red;
    let text = match &facts.layers {
        None => {
            let origin = per_area(loaded, law, law.choice.number(Number::StiffnessPerArea));
            origin.replace("stiffness per area", "k =")
        }
        Some(layers) => {
            let [one, two] = layers.each_ref().map(layer_in_numbers);
            let default = match layers.iter().all(|layer| layer.is_given) {
                true => "",
                false => "; without a layer_depth E/h, h half of the smaller thickness",
            };
            let k = short(facts.stiffness / k_red);
            format!("k = {k} N/m^3 = k_1 k_2/(k_1 + k_2), k_1 = {one}, k_2 = {two}{default}")
        }
    };
    match k_red {
        1.0 => text,
        k_red => {
            let product = short(facts.stiffness);
            format!("{text}; times k_red = {}: {product} N/m^3", short(k_red))
        }
    }
}

/// `2e11 Pa (1 - 0.3)/((1 + 0.3)(1 - 2 x 0.3))/(0.002 m) of Steel`, or `2e11 Pa/(0.05 m) of Steel`.
fn layer_in_numbers(layer: &Layer) -> String {
    let [e, nu, h] = [layer.youngs_modulus, layer.poissons_ratio, layer.depth].map(short);
    let name = &layer.name;
    match layer.is_given {
        true => format!("{e} Pa (1 - {nu})/((1 + {nu})(1 - 2 x {nu}))/({h} m) of {name}"),
        false => format!("{e} Pa/({h} m) of {name}"),
    }
}

fn from_moduli(scene: &Scene, law: &ContactLaw) -> String {
    let materials = law.materials.map(|m| &scene.materials()[m]);
    let c = normal::modulus(
        materials.map(|m| m.youngs_modulus),
        materials.map(|m| m.poissons_ratio),
    );
    let [one, two] = materials.map(|m| {
        format!(
            "(1 - {}^2)/({} Pa)",
            short(m.poissons_ratio),
            short(m.youngs_modulus)
        )
    });
    let stiffness = match law.choice.kinds.geometry_factor {
        GeometryFactor::ContactSphere => "4/3 c sqrt(R)",
        GeometryFactor::Document => "4/3 c sqrt(R), or c where no shape is a sphere",
    };
    format!(
        "stiffness {stiffness}; c = 1/({one} + {two}) = {} Pa",
        short(c)
    )
}

fn from_layers(loaded: &LoadedScene, law: &ContactLaw) -> String {
    let scene = &loaded.scene;
    let given_k = law.choice.number(Number::StiffnessPerArea);
    if given_k > 0.0 {
        return per_area(loaded, law, given_k);
    }
    let depths = [Number::LayerDepth1, Number::LayerDepth2].map(|n| law.choice.number(n));
    if depths.contains(&0.0) {
        return "layers k_i = E_i/h, h half of the smaller thickness of the two shapes".to_owned();
    }
    let layer = |i: usize| {
        let material = &scene.materials()[law.materials[i]];
        let (e, nu, h) = (material.youngs_modulus, material.poissons_ratio, depths[i]);
        let k = e * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) / h;
        let [e, nu, h] = [e, nu, h].map(short);
        let text = format!("{e} Pa (1 - {nu})/((1 + {nu})(1 - 2 x {nu}))/({h} m)");
        (k, text)
    };
    let [(k_1, one), (k_2, two)] = [layer(0), layer(1)];
    let n = law.choice.number(Number::Exponent);
    format!(
        "layers k = k_1 k_2/(k_1 + k_2) = {} {}; k_1 = {one}, k_2 = {two}",
        short(k_1 * k_2 / (k_1 + k_2)),
        stiffness_unit(n + 2.0)
    )
}

/// A stiffness per area that is given, or that follows from a wanted penetration.
fn per_area(loaded: &LoadedScene, law: &ContactLaw, k: f64) -> String {
    let n = exponent(&law.choice);
    let value = format!("{} {}", short(k), stiffness_unit(n + 2.0));
    match given(loaded, law).and_then(|changes| changes.penetration.as_ref()) {
        Some(wanted) if wanted.number() == Number::StiffnessPerArea => {
            format!("stiffness per area {} = {value}", formula(wanted, n))
        }
        _ => format!("stiffness per area {value}, given"),
    }
}

fn from_numbers(loaded: &LoadedScene, law: &ContactLaw) -> String {
    let exponent = exponent(&law.choice);
    let stiffness = law.choice.number(Number::Stiffness);
    let value = format!("{} {}", short(stiffness), stiffness_unit(exponent));
    match given(loaded, law) {
        Some(LawChanges {
            penetration: Some(wanted),
            ..
        }) if wanted.number() == Number::Stiffness => {
            format!("stiffness {} = {value}", formula(wanted, exponent))
        }
        Some(_) => format!("stiffness {value}, given"),
        None => format!("stiffness {value}, the mean of those of the self pairs"),
    }
}

/// The changes that say how stiff a law is: of its named pair, or of its materials.
fn given<'l>(loaded: &'l LoadedScene, law: &ContactLaw) -> Option<&'l LawChanges> {
    let says = |changes: &&LawChanges| {
        let keys = [Number::Stiffness, Number::StiffnessPerArea];
        changes.penetration.is_some() || keys.iter().any(|key| changes.number(*key).is_some())
    };
    let changes = |response: &'l PairResponse| match response {
        PairResponse::Law(changes) => Some(changes),
        PairResponse::None => None,
    };
    let description = &loaded.description;
    let own = description.pairs.iter().filter_map(|pair| {
        let is_own = law.between.as_ref() == Some(&pair.between);
        changes(pair.response.as_ref()?).filter(|_| is_own)
    });
    let names = law.materials.map(|m| &loaded.scene.materials()[m].name);
    let of_materials = description.material_pairs.iter().filter_map(|pair| {
        let [one, two] = &pair.materials;
        let is_theirs = names == [one, two] || names == [two, one];
        changes(&pair.response).filter(|_| is_theirs)
    });
    own.chain(of_materials).find(says)
}

/// `F/depth^n = (500 N)/(0.0001 m)^1.5`.
fn formula(wanted: &Penetration, n: f64) -> String {
    let depth = short(wanted.depth);
    match wanted.load {
        Load::Force { force } => {
            format!("F/depth^n = {} N/({depth} m)^{}", short(force), short(n))
        }
        Load::Impact { mass, speed } => format!(
            "(n + 1) m v^2/(2 depth^(n+1)) = {} x {} kg x ({} m/s)^2/(2 ({depth} m)^{})",
            short(n + 1.0),
            short(mass),
            short(speed),
            short(n + 1.0)
        ),
        Load::Pressure { pressure } => {
            let pressure = short(pressure);
            format!("p/depth^n = {pressure} Pa/({depth} m)^{}", short(n))
        }
    }
}

fn exponent(choice: &LawChoice) -> f64 {
    match choice.kinds.uses(Number::Exponent) {
        true => choice.number(Number::Exponent),
        false => choice.kinds.default_exponent(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::words::USUAL_SPEEDS;
    use crate::description::facts::{Chapter, Listing};
    use crate::scene_file;
    use fmu_view::number::with_unit;
    use std::f64::consts::PI;

    /// A ball of the given mass [kg] and a radius of 0.1 m on a plate of its material.
    fn scene(mass: f64, pair: &str) -> String {
        format!(
            "format = 1\nname = \"fall\"\nworld.gravity = [0, 0, -9.81]\nexperiment.stop_time = 1\n\
             [[material_pair]]\nmaterials = [\"Steel\", \"Steel\"]\nsliding_friction = 0.3\n\
             rolling_resistance = 0\n{pair}\n\
             [[body]]\nname = \"plate\"\nmotion = \"fixed\"\n\
             shape = [{{ half_space = {{}}, material = \"Steel\" }}]\n\
             [[body]]\nname = \"ball\"\nmotion = \"free\"\nposition = [0, 0, 1]\nmass = {mass}\n\
             shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
        )
    }

    fn report_of(text: &str, speeds: &[f64]) -> String {
        let loaded = scene_file::parse(text, "scene.toml").unwrap_or_else(|e| panic!("{e}"));
        let laws = Laws::of(&loaded.scene, &Default::default()).unwrap();
        let mut out = Listing::default();
        let title = "contact laws at work";
        out.first(&Chapter::new("laws", title, elements(&laws, speeds)), 8);
        out.text
    }

    /// The cells of a row, and all lines that are no rows.
    fn cell(report: &str, label: &str) -> String {
        let line = report.lines().find(|l| l.trim_start().starts_with(label));
        let line = line.unwrap_or_else(|| panic!("{label} in {report}"));
        line.trim_start()[label.len()..].trim().to_owned()
    }

    #[test]
    fn a_spring_shows_its_closed_forms() {
        let pair =
            "law = \"spring\"\nstiffness = 1e6\nrestitution = 1\nrestitution_rule = \"constant\"";
        let report = report_of(&scene(2.0, pair), &[0.3]);
        let (m, k, v) = (2.0_f64, 1e6, 0.3);
        let root = (m / k).sqrt();
        for (label, expected) in [
            (
                "Steel-Steel:",
                "spring, damping inferred, friction regularized".to_owned(),
            ),
            (
                "at plate:ball,",
                "effective mass 2 kg, stiffness 1e6 N/m".to_owned(),
            ),
            ("impact speed", "0.3 m/s".to_owned()),
            ("restitution asked", "1".to_owned()),
            ("restitution obtained", "1".to_owned()),
            ("contact time", with_unit(PI * root, "s")),
            ("largest penetration", with_unit(v * root, "m")),
            ("largest force", with_unit(v * (k * m).sqrt(), "N")),
            (
                "at rest",
                format!("{} deep under 19.6 N", with_unit(m * 9.81 / k, "m")),
            ),
        ] {
            assert_eq!(cell(&report, label), expected, "{label}");
        }
    }

    #[test]
    fn laws_without_closed_form_show_what_another_program_integrates() {
        // Extrapolation with steps of 1e-7 s: k = 1e8 N/m^1.5, c_max = 1000 N.s/m from 0.1 mm
        // on, 2 kg at 0.5 m/s; and p = 1e5 N/m, e = 0.5, v_n = 0.5 m/s, 1 kg at 1 m/s.
        let pair =
            "law = \"impact\"\nstiffness = 1e8\nlargest_damping = 1000\ndamping_depth = 1e-4";
        let impact = report_of(&scene(2.0, pair), &[0.5]);
        assert!(!impact.contains("asked"), "{impact}");
        assert_eq!(
            cell(&impact, "Steel-Steel:"),
            "impact, friction regularized"
        );
        assert_eq!(cell(&impact, "restitution obtained"), "0.5095");
        assert_eq!(cell(&impact, "contact time"), "3.38 ms");
        assert_eq!(cell(&impact, "largest penetration"), "400 um");
        let pair = "law = \"poisson\"\nstiffness = 1e5\nrestitution = 0.5\nrestitution_rule = \"constant\"\n\
                    transition_speed = 0.5";
        let poisson = report_of(&scene(1.0, pair), &[1.0]);
        assert_eq!(
            cell(&poisson, "Steel-Steel:"),
            "poisson, friction regularized"
        );
        assert_eq!(cell(&poisson, "restitution asked"), "0.5");
        assert_eq!(cell(&poisson, "restitution obtained"), "0.5506");
        assert_eq!(cell(&poisson, "contact time"), "10.6 ms");
        assert_eq!(cell(&poisson, "largest penetration"), "2.53 mm");
    }

    #[test]
    fn layers_rest_where_their_stiffness_bears_the_weight() {
        let pair = "law = \"volume\"\nlayer_depth = 0.01\narea = 0.002\nrestitution = 0.5";
        let report = report_of(&scene(2.0, pair), &[1.0]);
        // Two layers in series, each E (1 - nu)/((1 + nu)(1 - 2 nu))/h per area.
        let k = 0.002 * 2e11 * 0.7 / (1.3 * 0.4) / 0.01 / 2.0;
        // The force sets in 2 z_eps deep.
        let depth = with_unit(2.0 * 9.81 / k + 2e-8, "m");
        assert_eq!(
            cell(&report, "at rest"),
            format!("{depth} deep under 19.6 N")
        );
        assert_eq!(cell(&report, "restitution obtained"), "0.5");
    }

    #[test]
    fn friction_creeps_sticks_or_slides() {
        let friction = |keys: &str| {
            let pair = format!("restitution = 0.5\n{keys}");
            report_of(&scene(2.0, &pair), &[1.0])
                .lines()
                .last()
                .unwrap()
                .trim()
                .to_owned()
        };
        // mu_s (3 r - r^3)/2 = tan 10 deg with mu_s = 0.3: r = 0.4158 of v_s.
        assert_eq!(
            friction(
                "friction = \"coulomb\"\nstatic_speed = \"100 mm/s\"\ndynamic_speed = \"1 m/s\""
            ),
            "creeps at 41.6 mm/s on a slope of 10 deg"
        );
        // Half way from v_s to v_d the step is half way from 0.1 to 0.3: the slope of 0.2.
        let rising = "friction = \"coulomb\"\nstatic_friction = 0.052654\n\
                      static_speed = \"100 mm/s\"\ndynamic_speed = \"300 mm/s\"";
        assert_eq!(friction(rising), "creeps at 200 mm/s on a slope of 10 deg");
        // atan 0.4 = 21.8 deg.
        assert_eq!(
            friction("friction = \"stick\"\nstatic_friction = 0.4\ntangential_stiffness = 1e6"),
            // 2 kg x 9.81 m/s2 x sin(21.8 deg)/1e6 N/m = 7.287 um.
            "sticks without creeping on slopes of up to 21.8 deg; what is round rolls; gives by 7.29 um there"
        );
        let none = scene(2.0, "restitution = 0.5\nfriction = \"off\"");
        let none = report_of(&none.replace("sliding_friction = 0.3\n", ""), &[1.0]);
        assert!(none.ends_with("    slides without friction\n"), "{none}");
        // mu v/reg(v) = mu/2: r/(r^2 (1 - r/3) + 1/3) = 1/2 at r = 0.1830; atan 0.05 = 2.86 deg.
        let slippery = scene(2.0, "restitution = 0.5").replace("friction = 0.3", "friction = 0.1");
        assert_eq!(
            report_of(&slippery, &[1.0]).lines().last().unwrap().trim(),
            "slides on a slope of 10 deg; creeps at 1.82 mm/s on one of 2.86 deg, half the limit"
        );
    }

    #[test]
    fn an_observer_has_no_numbers_and_shapes_with_a_law_of_their_own_have_a_place() {
        let numbers = "sliding_friction = 0.3\nrolling_resistance = 0\n";
        let observer = scene(2.0, "law = \"observer\"").replace(numbers, "");
        let observer = report_of(&observer, &[1.0]);
        assert!(
            observer.ends_with("an event and a line in the log, no force\n"),
            "{observer}"
        );
        let text = scene(2.0, "restitution = 0.7")
            + "[[pair]]\nbetween = \"plate:ball\"\nrestitution = 0.2\n";
        let own = report_of(&text, &[1.0]);
        assert!(own.starts_with("\ncontact laws at work (2)\n"), "{own}");
        assert_eq!(
            cell(&own, "Steel-Steel:"),
            "hertz, damping inferred, friction regularized"
        );
        assert_eq!(own.lines().nth(3), Some("    no two shapes have it"));
        assert_eq!(
            cell(&own, "Steel-Steel at plate:ball:"),
            "hertz, damping inferred, friction regularized"
        );
        assert_eq!(cell(&own, "restitution asked"), "0.2");
    }

    #[test]
    fn of_many_laws_the_first_are_shown_and_the_others_counted() {
        let mut text = scene(2.0, "restitution = 0.7");
        for ball in 0..12 {
            text += &format!(
                "[[body]]\nname = \"b{ball}\"\nmotion = \"free\"\nposition = [{ball}, 9, 9]\n\
                 shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n\
                 [[pair]]\nbetween = \"plate:b{ball}\"\nrestitution = 0.2\n"
            );
        }
        let report = report_of(&text, &USUAL_SPEEDS);
        assert!(report.ends_with("\n  and 5 more\n"), "{report}");
        assert!(report.lines().count() < 90);
    }
}

#[cfg(test)]
mod stick_tests {
    use super::*;
    use crate::scene_file;

    /// The line on balls of 1 kg and 4 kg over a floor, with keys of their pair.
    fn line(keys: &str) -> String {
        of_law("law = \"spring\"\nstiffness = 8.5e5", "\"none\"", keys)
    }

    fn of_law(law: &str, gravity: &str, keys: &str) -> String {
        let ball = |name: &str, x: f64, mass: f64| {
            format!(
                "[[body]]\nname = \"{name}\"\nmotion = \"free\"\nposition = [{x}, 0, 1]\nmass = {mass}\n\
                 shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
            )
        };
        let text = format!(
            "format = 1\nname = \"s\"\nworld.gravity = {gravity}\nexperiment.stop_time = 1\n\
             contact.friction = \"stick\"\ncontact.exclude = [\"one:two\"]\n\
             [[material_pair]]\nmaterials = [\"Steel\", \"Steel\"]\n{law}\nrestitution = 0.5\n\
             sliding_friction = 0.1\n{keys}\n\
             [[body]]\nname = \"floor\"\nmotion = \"fixed\"\nshape = [{{ half_space = {{}}, material = \"Steel\" }}]\n\
             {}{}",
            ball("one", 0.0, 1.0),
            ball("two", 1.0, 4.0)
        );
        let loaded = scene_file::parse(&text, "scene.toml").unwrap();
        Tangential::of(&loaded.scene)
            .notes(&loaded, 0.into())
            .join("\n")
    }

    #[test]
    fn stiffness_and_damping_are_shown_with_where_they_come_from() {
        // 8.5e5 x 1.4/1.7 = 7e5 N/m; its root is 836.66, and twice that for 4 kg.
        assert_eq!(
            line(""),
            "sticks with k_t = 700000 N/m, 2 (1 - nu)/(2 - nu) of the normal stiffness under m g; \
             c = 836.66 to 1673.32 N.s/m, sqrt(k_t m)"
        );
        assert_eq!(
            line("tangential_stiffness = \"9 kN/m\"\ntangential_damping = 8"),
            "sticks with k_t = 9000 N/m, given; c = 8 N.s/m, given"
        );
    }

    /// Hertz: depth goes with the weight to 2/3, and the stiffness with it to 1/3.
    #[test]
    fn stiffness_is_that_under_the_gravity_of_the_scene() {
        let least = |gravity: &str| {
            let line = of_law("law = \"hertz\"", gravity, "");
            let number = line
                .split("k_t = ")
                .nth(1)
                .unwrap()
                .split(' ')
                .next()
                .unwrap();
            number.parse::<f64>().unwrap()
        };
        let moon = least("[0, -1.62, 0]") / least("[0, 0, -9.81]");
        assert!(
            (moon / (1.62_f64 / 9.81).cbrt() - 1.0).abs() < 1e-5,
            "{moon}"
        );
        assert_eq!(least("\"none\""), least("[0, 0, -9.81]"));
    }
}

#[cfg(test)]
mod stiffness_tests {
    use super::*;
    use crate::scene_file;

    /// What is said of a ball of steel on rubber, with keys of their pair.
    fn of(pair: &str) -> String {
        let text = format!(
            "format = 1\nname = \"s\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
             [[material]]\nname = \"Soft\"\ndensity = 1000\nyoungs_modulus = 1e7\npoissons_ratio = 0.25\n\
             [[material_pair]]\nmaterials = [\"Soft\", \"Steel\"]\nrestitution = 0.5\nsliding_friction = 0.1\n{pair}\n\
             [[body]]\nname = \"floor\"\nmotion = \"fixed\"\nshape = [{{ half_space = {{}}, material = \"Soft\" }}]\n\
             [[body]]\nname = \"ball\"\nmotion = \"free\"\nposition = [0, 0, 1]\n\
             shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
        );
        let loaded = scene_file::parse(&text, "scene.toml").unwrap();
        let in_a_point = Ways {
            area: false,
            point: true,
        };
        origin(&loaded, 0.into(), in_a_point).unwrap_or_default()
    }

    #[test]
    fn the_stiffness_is_shown_with_its_formula_and_its_numbers() {
        // 1/c = 0.9375e-7 + 0.455e-11 per Pa.
        assert_eq!(
            of(""),
            "stiffness 4/3 c sqrt(R); c = 1/((1 - 0.25^2)/(1e7 Pa) + (1 - 0.3^2)/(2e11 Pa)) = 1.06661e7 Pa"
        );
        assert_eq!(
            of("law = \"spring\"\nstiffness = \"200 N/mm\""),
            "stiffness 200000 N/m, given"
        );
        assert_eq!(
            of(
                "law = \"spring\"\nexponent = 1.5\npenetration = { depth = \"0.1 mm\", force = 500 }"
            ),
            "stiffness F/depth^n = 500 N/(1e-4 m)^1.5 = 5e8 N/m^1.5"
        );
        assert_eq!(
            of("law = \"spring\"\npenetration = { depth = 0.001, mass = 2, speed = 3 }"),
            "stiffness (n + 1) m v^2/(2 depth^(n+1)) = 2 x 2 kg x (3 m/s)^2/(2 (0.001 m)^2) = 1.8e7 N/m"
        );
        // 1e7 x 0.75/(1.25 x 0.5)/0.002 = 6e9, 2e11 x 0.7/(1.3 x 0.4)/0.002 = 1.346154e14.
        assert_eq!(
            of("law = \"volume\"\nlayer_depth = \"2 mm\""),
            "layers k = k_1 k_2/(k_1 + k_2) = 5.99973e9 N/m^3; k_1 = 1e7 Pa (1 - 0.25)/((1 + 0.25)(1 - 2 x 0.25))/(0.002 m), \
             k_2 = 2e11 Pa (1 - 0.3)/((1 + 0.3)(1 - 2 x 0.3))/(0.002 m)"
        );
    }
}
