//! `check`: reads a scene and shows what a model made of it would have: bodies with their mass
//! properties, shapes, the pairs that can touch with their contact data, what these come to,
//! options and sizes. Nothing is written but the plots that are asked for.
//!
//! - `shapes`: shapes, and pairs that touch over an area
//! - `laws`: contact laws

mod laws;
pub(crate) mod shapes;

use super::answer::Answer;
use super::elements;
use super::results::{make_folder, write};
use super::scene::{self, Ready};
use super::settings;
use crate::command::laws::{Laws, curves, warnings};
use crate::command::words::{USUAL_SPEEDS, material_names};
use crate::description::documentation::pairs_by;
use crate::description::facts::{Chapter, Element, Facts, Listing, NAMED, objects, of_many};
use crate::scene_file::world::InterfaceOverrides;
use crate::scene_file::{Diagnostics, GivenScene, LoadedScene, Look};
use contact_laws::index::{BodyId, PairId, each};
use contact_laws::quantity::Keyword;
use contact_laws::response::choice::{ContactRule, KINDS};
use contact_model::integrator::settings::DEFAULT_BUDGET;
use contact_model::scene::description::{BodyDescription, Gravity, Guard, ShapeName, Solver};
use contact_model::scene::{NamedPair, Pair, Scene};
use fmu_mesh::solid::short;
use fmu_view::number::with_unit;
use fmu_view::report::plot;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What to show of a scene.
#[derive(Clone, Debug, Default)]
pub struct CheckRequest {
    /// What replaces that of the file.
    pub interface: InterfaceOverrides,
    /// Impact speeds [m/s]; the usual ones where none are given.
    pub speeds: Vec<f64>,
    /// Folder for plots of the contact laws; no plots without.
    pub plots: Option<PathBuf>,
    /// Each body, shape and pair on a line of its own, also where many are alike.
    pub all: bool,
    /// Scene in place of the file.
    pub given: Option<GivenScene>,
}

impl CheckRequest {
    /// Impact speeds of the tables.
    fn speeds(&self) -> &[f64] {
        match self.speeds.as_slice() {
            [] => &USUAL_SPEEDS,
            given => given,
        }
    }

    /// Impact speeds that laws are judged at, and drawn at.
    fn judged(&self) -> &[f64] {
        match self.speeds.as_slice() {
            [] => &[warnings::USUAL_SPEED],
            given => given,
        }
    }
}

/// The report on a good scene, warnings last; a long one goes to `stream` while it grows.
///
/// # Errors
/// The problems of a bad scene, or what kept a plot from being written.
pub fn run(
    path: &Path,
    request: &CheckRequest,
    stream: &mut dyn FnMut(&str),
) -> Result<Answer, Diagnostics> {
    let file = path.display().to_string();
    let of_file = |message| Diagnostics::of_file(&file, message);
    let Ready {
        mut loaded, laws, ..
    } = scene::read(path, request.given.as_ref(), request.interface)?;
    let plots = match &request.plots {
        Some(folder) => plots(folder, &loaded, &laws, request).map_err(of_file)?,
        None => Vec::new(),
    };
    warnings::add(&mut loaded, &laws, request.judged());
    let mut out = Listing {
        stream: Some(stream),
        ..Listing::default()
    };
    let content = Overview::of(&loaded, &laws, request);
    content.print(&mut out, &file, &loaded, request.all);
    if !plots.is_empty() {
        out.heading("plots");
        plots
            .iter()
            .for_each(|file| out.line(format!("  {}", file.display())));
    }
    if !loaded.warnings.is_empty() {
        out.line(loaded.warnings.render(Look::PLAIN));
    }
    let text = std::mem::take(&mut out.text);
    Ok(Answer {
        data: Some(content.data(&file, &loaded.scene)),
        text,
        warnings: Some(loaded.warnings),
        text_has_warnings: true,
        files: plots,
        ..Answer::default()
    })
}

/// Draws the laws and writes the pictures, after all of them are drawn.
fn plots(
    folder: &Path,
    loaded: &LoadedScene,
    laws: &Laws,
    request: &CheckRequest,
) -> Result<Vec<PathBuf>, String> {
    let speed = request.judged().first().copied();
    let speed = speed.unwrap_or(warnings::USUAL_SPEED);
    let figures = curves::figures(loaded.scene.name(), laws, speed);
    let mut pictures = Vec::new();
    for (name, figure) in figures {
        pictures.push((folder.join(name), plot::svg(&figure)?));
    }
    make_folder(folder)?;
    for (file, picture) in &pictures {
        write(file, picture.as_bytes())?;
    }
    Ok(pictures.into_iter().map(|(file, _)| file).collect())
}

/// What a scene with groups is for.
const CO_SIMULATION_ALONE: &str =
    "Co-Simulation alone: the states of [[grains]] are more than importers can integrate";
/// Pairs of a kind that are listed one by one.
const LISTED: usize = 5;
/// Laws, and kinds of pairs that touch over an area, that are shown.
const LISTED_LAWS: usize = 8;
/// Reported pairs, and pairs for programs.
const MOST_LISTED: [usize; 2] = [20, 40];

/// All that is said of a scene: lists of elements, and tables.
struct Overview {
    experiment: Facts,
    chapters: Vec<Chapter>,
    /// Options of contact and of the interface, and sizes of the model, each with its title.
    tables: [(&'static str, Facts); 3],
}

impl Overview {
    fn of(loaded: &LoadedScene, laws: &Laws, request: &CheckRequest) -> Self {
        let (scene, description) = (&loaded.scene, &loaded.description);
        let mut chapters = vec![
            Chapter::new("bodies", "bodies", elements::bodies(scene)),
            Chapter::new("grains", "groups of balls", elements::grains(scene)),
        ];
        chapters.extend(elements::chapters(scene, description));
        let shapes = shapes::elements(scene, description, &laws.touching, &loaded.remarks);
        let materials = laws::materials(loaded, laws);
        let areas = match laws.area_pairs == laws.areas.len() {
            true => "contact over an area",
            false => "contact over an area, the first pair of each kind",
        };
        chapters.extend([
            Chapter::new("shapes", "shapes", shapes),
            Chapter::new(
                "never_touching",
                "never touching each other",
                never_touching(loaded),
            ),
            Chapter::new("distances", "distances", distances(scene)),
            Chapter::new("reported", "reported contacts", reports(scene)),
            Chapter::new("material_pairs", "material pairs that can meet", materials),
            Chapter::new(
                "laws",
                "contact laws at work",
                laws::elements(laws, request.speeds()),
            ),
            Chapter::new("areas", areas, shapes::areas(loaded, laws)),
        ]);
        Overview {
            experiment: experiment(scene),
            chapters,
            tables: [
                ("contact, unless a pair says otherwise", contact(scene)),
                ("interface", interface(scene)),
                ("model", sizes(scene, laws)),
            ],
        }
    }

    fn print(&self, out: &mut Listing, file: &str, loaded: &LoadedScene, all: bool) {
        let scene = &loaded.scene;
        out.line(format!("{file}: scene {} is valid", scene.name()));
        let gravity = gravity(scene.gravity()).map_or("none".to_owned(), |g| g.sentence());
        out.line(format!("  gravity     {gravity}"));
        out.line(format!("  experiment  {}", self.experiment.sentence()));
        for chapter in &self.chapters {
            let first = |most| if all { usize::MAX } else { most };
            match chapter.key {
                "joints" => trees(out, scene, &chapter.elements),
                "laws" | "areas" => out.first(chapter, first(LISTED_LAWS)),
                "reported" => out.first(chapter, first(MOST_LISTED[0])),
                "material_pairs" => out.list(chapter, true),
                _ => out.list(chapter, all),
            }
            match chapter.key {
                "shapes" => pairs(out, scene, all),
                "reported" => intersections(out, scene),
                _ => {}
            }
        }
        for line in settings::lines(&loaded.description) {
            out.line(format!("  user laws   {line}"));
        }
        for (title, facts) in &self.tables {
            out.heading(title);
            out.text.push_str(&facts.table("  "));
        }
    }

    /// A line of `--format json`, in SI units, numbers unrounded.
    fn data(&self, file: &str, scene: &Scene) -> Value {
        let pairs = scene.pairs().ids().zip(scene.pairs().iter());
        let pairs = pairs.take(MOST_LISTED[1]);
        let pairs = Vec::from_iter(pairs.map(|(index, one)| pair(scene, index, &one)));
        let [contact, interface, sizes] = &self.tables;
        let mut line = sizes.1.object();
        for (key, value) in [
            ("type", json!("scene")),
            ("file", json!(file)),
            ("name", json!(scene.name())),
            (
                "gravity",
                gravity(scene.gravity()).map_or(Value::Null, |g| g.object()),
            ),
            ("experiment", self.experiment.object()),
            ("pairs", objects(&pairs)),
            ("pair_count", json!(scene.pairs().len())),
            ("contact", contact.1.object()),
            ("interface", interface.1.object()),
        ] {
            line[key] = value;
        }
        for chapter in &self.chapters {
            line[chapter.key] = objects(&chapter.elements);
        }
        line
    }
}

fn gravity(gravity: Gravity) -> Option<Facts> {
    let mut facts = Facts::default();
    match gravity {
        Gravity::None => return None,
        Gravity::Uniform(g) => facts.vector("acceleration:", &g, "m/s2"),
        Gravity::Point { mu, center } => facts
            .number("gravitational_parameter: G M =", mu, "m3/s2")
            .vector("center: at", &center, "m"),
    };
    Some(facts)
}

fn experiment(scene: &Scene) -> Facts {
    let experiment = scene.experiment();
    let [start, stop] = [experiment.start_time, experiment.stop_time];
    let mut facts = Facts::default();
    let span = format!("{} s to {} s", short(start), short(stop));
    facts
        .other("start_time:", span, start)
        .data("stop_time", stop);
    facts.optional("tolerance", experiment.tolerance, "");
    facts.optional("step_size: step", experiment.step_size, "s");
    match experiment.max_steps {
        usual if usual == DEFAULT_BUDGET as f64 => facts.data("max_steps", usual),
        most => facts.number("max_steps: at most", most, "internal steps"),
    };
    let longest = Some(experiment.max_step).filter(|step| *step > 0.0);
    facts.optional("max_step: internal steps up to", longest, "s");
    match experiment.solver {
        Solver::Auto => facts.data("solver", Solver::Auto.word()),
        solver => facts.other(
            "solver:",
            format!("{} solver", solver.word()),
            solver.word(),
        ),
    };
    facts.flag("statistics: statistics as outputs", experiment.statistics);
    facts
}

/// Every tree from its root, joints indented under the body that they hang on. Trees may be as deep as a
/// chain is long, so no call goes with them.
fn trees(out: &mut Listing, scene: &Scene, elements: &[Element]) {
    let joints = scene.joints();
    if !joints.is_empty() {
        out.heading(format!("joints ({})", joints.len()));
    }
    let is_child = |body: BodyId| joints.iter().any(|joint| joint.child == body);
    let bodies = scene.bodies().keys();
    let roots = bodies.filter(|body| !is_child(*body)).map(Some);
    for root in std::iter::once(None).chain(roots) {
        let below = |parent: Option<BodyId>, depth: usize| {
            let all = joints.iter().zip(elements);
            let below = all.filter(move |(joint, _)| joint.parent == parent);
            below
                .map(move |(joint, element)| (joint, element, depth))
                .rev()
        };
        let mut open = Vec::from_iter(below(root, 2));
        if !open.is_empty() {
            let name = root.map_or("world", |body| scene.bodies()[body].name.as_str());
            out.line(format!("  {name}"));
        }
        while let Some((joint, element, depth)) = open.pop() {
            let indent = "  ".repeat(depth);
            let (child, common) = (&scene.bodies()[joint.child].name, element.common());
            out.line(format!("{indent}{child} by {}{common}", joint.name));
            out.text.push_str(&element.lines(&format!("{indent}    ")));
            open.extend(below(Some(joint.child), depth + 1));
        }
    }
}

fn pair(scene: &Scene, index: PairId, pair: &Pair) -> Element {
    let mut element = Element::new(&scene.pair_name(index), "  ");
    let names = material_names(scene, pair.material_pair);
    // With fixed steps the force of a ball on a mesh acts in a point.
    let is_area = scene.is_area(pair) && scene.experiment().solver != Solver::Dem;
    let line = &mut element.line;
    line.other("materials:", names.join("-"), names.to_vec());
    line.other(
        "area:",
        if is_area {
            "over an area"
        } else {
            "in a point"
        },
        is_area,
    );
    match scene.threshold_of(pair.shapes) {
        0.0 => line.data("threshold", 0.0),
        threshold => line.number("threshold: touch from", threshold, "m"),
    };
    element
}

/// Pairs that can touch; of many that are alike the first ones and their number.
fn pairs(out: &mut Listing, scene: &Scene, all: bool) {
    out.heading(format!("pairs that can touch ({})", scene.pairs().len()));
    if all {
        for (index, one) in scene.pairs().ids().zip(scene.pairs().iter()) {
            let one = pair(scene, index, &one);
            out.line(format!("  {}{}", one.name, one.common()));
        }
        return;
    }
    let alike = pairs_by(scene, LISTED, |pair| {
        let threshold = scene.threshold_of(pair.shapes).to_bits();
        (pair.material_pair, scene.is_area(pair), threshold)
    });
    let mut lines = Vec::new();
    for (count, firsts) in alike.into_values() {
        let place = |pair: &Pair| scene.pairs().index_of(pair.shapes[0], pair.shapes[1]);
        let known = firsts
            .iter()
            .filter_map(|one| Some((place(one)?, pair(scene, place(one)?, one))));
        let known = Vec::from_iter(known);
        if count <= LISTED {
            lines.extend(
                known
                    .into_iter()
                    .map(|(index, one)| (index, one.name.clone(), one.common())),
            );
        } else if let Some((index, first)) = known.first() {
            let names = known.iter().take(NAMED).map(|(_, one)| one.name.clone());
            lines.push((
                *index,
                of_many(&Vec::from_iter(names), count),
                first.common(),
            ));
        }
    }
    lines.sort();
    lines
        .iter()
        .for_each(|(_, names, common)| out.line(format!("  {names}{common}")));
}

fn joined([one, two]: &[ShapeName; 2]) -> String {
    format!("{one}:{two}")
}

/// Named pairs whose distance somebody wants to know.
fn distances(scene: &Scene) -> Vec<Element> {
    let watched = |named: &&NamedPair| named.distance || named.warn_below.is_some();
    let named = scene.named_pairs().iter().filter(watched);
    let element = |named: &NamedPair| {
        let mut element = Element::new(&joined(&named.between), ", ");
        let facts = &mut element.line;
        facts.flag("output: an output", named.distance);
        facts.optional("warn_below: a warning below", named.warn_below, "m");
        element
    };
    named.map(element).collect()
}

/// Reported contacts, by the names of their variables.
fn reports(scene: &Scene) -> Vec<Element> {
    let sums = scene.sums().iter_enumerated().map(|(index, sum)| {
        let names = scene.report_names(scene.report_of(index));
        let mut element = Element::new(&names.join(":"), ", ");
        let parts = scene.named_pairs()[sum.named].parts.iter();
        let pairs = parts.map(|parts| parts.clone().map(|part| each(part).len()));
        let pairs: usize = pairs.map(|[a, b]| a * b).sum();
        element
            .line
            .other("pairs:", format!("the sum over {pairs} pairs"), pairs);
        element
    });
    let pairs = scene.reported().iter();
    let pairs = pairs.map(|pair| Element::new(&scene.pair_name(*pair), ""));
    sums.chain(pairs).collect()
}

/// What is reported of overlaps.
fn intersections(out: &mut Listing, scene: &Scene) {
    let count = scene.intersections().len();
    if count == 0 {
        return;
    }
    out.line(format!("  with the intersection of {count} of them"));
    if let Some(rules) = scene.contact().sparsification {
        out.line(format!(
            "  kept of each two bodies: areas from {} m2 and {} of the largest, points {} m apart",
            short(rules.smallest_area),
            short(rules.threshold),
            short(rules.smallest_distance)
        ));
    }
}

/// What the file keeps from touching.
fn never_touching(loaded: &LoadedScene) -> Vec<Element> {
    let bodies = &loaded.description.bodies;
    let mut elements = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        let Some(name) = &body.collision_group else {
            continue;
        };
        let same = |other: &&BodyDescription| other.collision_group.as_ref() == Some(name);
        if !bodies[..index].iter().any(|other| same(&other)) {
            let members = bodies.iter().filter(same).map(|other| other.name.as_str());
            let mut element = Element::new(&format!("group {name}"), ": ");
            element
                .line
                .text("bodies:", Vec::from_iter(members).join(", "));
            elements.push(element);
        }
    }
    let excluded = loaded.description.excluded.iter();
    elements.extend(excluded.map(|pair| Element::new(&joined(pair), "")));
    for joint in loaded.scene.joints().iter().filter(|j| !j.can_collide) {
        if let Some(parent) = joint.parent {
            let pair = [parent, joint.child].map(|b| &loaded.scene.bodies()[b].name[..]);
            let mut element = Element::new(&pair.join(":"), ", ");
            element.line.text("joint: of joint", &joint.name);
            elements.push(element);
        }
    }
    elements
}

fn contact(scene: &Scene) -> Facts {
    let options = scene.contact();
    let law = &options.law;
    let mut facts = Facts::default();
    for kind in &KINDS {
        let key = kind.key.key;
        facts.text(&format!("{key}: {key}"), (kind.word)(law));
    }
    if scene.has_impulses() {
        facts.text("impact_law: impact_law", options.impact_law.word());
        facts.text("multi_impact: multi_impact", options.multi_impact.word());
    }
    let rule = match law.rule {
        ContactRule::Hysteresis { z_eps, depth } => format!(
            "hysteresis, z_eps = {} m, depth = {}",
            short(z_eps),
            depth.word()
        ),
        ContactRule::Touching => "touching".to_owned(),
    };
    facts.text("rule", rule);
    facts.number("d_max: d_max", law.d_max, "s/m");
    facts.number("k_red: k_red", options.k_red, "");
    facts.number(
        "smoothing_radius: smoothing_radius",
        options.smoothing_radius,
        "m",
    );
    facts
}

fn interface(scene: &Scene) -> Facts {
    let options = scene.interface();
    let mut facts = Facts::default();
    if !scene.grains().is_empty() {
        facts.other(
            "model_exchange: interface types",
            CO_SIMULATION_ALONE.to_owned(),
            false,
        );
    }
    const CALLS: [&str; 2] = [
        "as the standard allows, and those of real importers",
        "as the standard allows, no others",
    ];
    let vectors = ["scalars", "arrays in FMI 3.0, scalars in FMI 2.0"];
    for (name, value, texts) in [
        ("arrays: vectors", options.arrays, vectors),
        ("tunable: parameters", options.tunable, ["fixed", "tunable"]),
        ("strict: calls", options.strict, CALLS),
    ] {
        facts.other(name, texts[usize::from(value)], value);
    }
    facts.text("naming: names", options.naming.word());
    let guard = match options.guard {
        Guard::Importer => {
            "contacts are seen; in Model Exchange the indicators hold the smallest gap"
        }
        Guard::Time => "each contact is a time event of Model Exchange too",
        Guard::Off => "contacts are seen in Co-Simulation only",
    };
    facts.other(
        "guard: within a step",
        guard.to_owned(),
        options.guard.word(),
    );
    facts
}

fn sizes(scene: &Scene, laws: &Laws) -> Facts {
    let mut facts = Facts::default();
    let states = scene.layout().count();
    let work = match scene.layout().work() {
        Some(_) => ", one of them the dissipated work",
        None => "",
    };
    let deflections = match scene.layout().contacts().len() {
        0 => String::new(),
        count => format!(", {count} of contacts that stick"),
    };
    facts.other("states", format!("{states}{deflections}{work}"), states);
    let count = scene.indicator_count();
    facts.other("event_indicators", indicators(scene), count);
    match scene.inputs().len() {
        0 => facts.data("inputs", 0),
        count => facts.other("inputs", count.to_string(), count),
    };
    let of_stop = laws.stop_demand.as_ref().map(|(stop, depth, unit)| {
        let depth = with_unit(*depth, unit);
        format!(", for {stop} that yields by {depth}")
    });
    let demand = laws.demand.as_ref().map(|(pair, body, depth)| {
        let depth = with_unit(*depth, "m");
        format!(", for {body} that sinks in by {depth} at {pair}")
    });
    let demand = of_stop.or(demand).unwrap_or_default();
    let suggested = short(laws.tolerance);
    let own = match scene.experiment().tolerance {
        None => String::new(),
        Some(own) if own > laws.tolerance => format!(
            "; the scene's {} holds in Co-Simulation, importers are given {suggested}",
            short(own)
        ),
        Some(own) => format!("; the scene's {} is for importers, too", short(own)),
    };
    let text = format!("{suggested} suggested{demand}{own}");
    facts.other("tolerance", text, laws.tolerance);
    facts
}

/// How many event indicators there are, and what of.
fn indicators(scene: &Scene) -> String {
    let of_pairs = match scene.monitors_all_pairs() {
        true => "one for each pair".to_owned(),
        false => format!("for the nearest of {} pairs", scene.pairs().len()),
    };
    let (count, slots) = (scene.indicator_count(), scene.slot_count());
    let stops = scene.stops().len();
    let parts = [
        (slots, of_pairs),
        (stops, "one for each end stop of a joint".to_owned()),
        (count - slots - stops, "of latches and triggers".to_owned()),
    ];
    let parts: Vec<_> = parts.iter().filter(|(count, _)| *count > 0).collect();
    match parts.as_slice() {
        [] => count.to_string(),
        [(_, text)] => format!("{count}, {text}"),
        several => {
            let several = several
                .iter()
                .map(|(count, text)| format!("{count}, {text}"));
            format!("{count}: {}", several.collect::<Vec<_>>().join("; "))
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/command/elements.rs"]
mod element_tests;
#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn report_of(text: &str) -> String {
        report_by(text, &CheckRequest::default())
    }

    fn report_by(text: &str, request: &CheckRequest) -> String {
        let mut loaded = crate::scene_file::parse(text, "scene.toml").unwrap();
        let laws = Laws::of(&loaded.scene, &Default::default()).unwrap();
        warnings::add(&mut loaded, &laws, request.judged());
        let mut out = Listing::default();
        Overview::of(&loaded, &laws, request).print(&mut out, "scene.toml", &loaded, request.all);
        match loaded.warnings.render(Look::PLAIN) {
            none if none.is_empty() => out.text,
            warnings => out.text + &warnings + "\n",
        }
    }

    #[test]
    fn numbers_are_short_and_recognisable() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-9.81, "-9.81"),
            (33.510321638291124, "33.5103"),
            (0.1 + 0.2, "0.3"),
            (1e-3, "0.001"),
            (999_999.9, "1e6"),
            (2.1e11, "2.1e11"),
            (7.198419211764591e-5, "7.19842e-5"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }

    /// Steel ball, 8000 kg/m3, d = 0.2 m: m = 8000 pi/6 d^3 = 33.51032 kg, I = m d^2/10. Its
    /// impacts from the first integral m (v0 - v)/d - m ln((1 + d v0)/(1 + d v))/d^2 = 2 k
    /// delta^2.5/5 and a quadrature over v with 60 digits: at 1 m/s 0.74448 ms, 0.21050 mm, 156.93
    /// kN. It rests at (m g/k)^(2/3) = 3.6923e-6 m.
    #[test]
    fn the_bouncing_ball_is_shown_with_all_its_data() {
        let text = include_str!("../../../../examples/bouncing_ball/scene.toml");
        assert_eq!(
            report_of(text),
            "scene.toml: scene bouncing_ball is valid
  gravity     (0, 0, -9.81) m/s2
  experiment  0 s to 3 s

bodies (2)
  ground (fixed) at (0, 0, -0.05) m
  ball (free) at (0, 0, 1.1) m
    mass            33.5103 kg
    centre of mass  (0, 0, 0) m
    inertia         xx 0.134041, yy 0.134041, zz 0.134041 kg.m2 about it

shapes (2)
  ground.plate: box (1, 1, 0.1) m, 0.1 m3, 800 kg of Steel, edges rounded by 0.001 m, contact sphere radius 0.05 m, flat
  ball.ball: sphere, diameter 0.2 m, 0.00418879 m3, 33.5103 kg of Steel, contact sphere radius 0.1 m, curved

pairs that can touch (1)
  ground:ball  Steel-Steel, in a point

material pairs that can meet (1)
  Steel-Steel: restitution 0.7, sliding friction 0.5, rolling resistance 0.001, v_small 0.01 m/s, w_small 0.01 rad/s
    stiffness 4/3 c sqrt(R); c = 1/((1 - 0.3^2)/(2e11 Pa) + (1 - 0.3^2)/(2e11 Pa)) = 1.0989e11 Pa

contact laws at work (1)
  Steel-Steel: hertz, damping inferred, friction regularized
    at ground:ball, effective mass 33.5103 kg, stiffness 4.63337e10 N/m^1.5
    impact speed          0.001 m/s   0.01 m/s    0.1 m/s      1 m/s     10 m/s
    restitution asked        0.4161     0.6955        0.7        0.7        0.7
    restitution obtained     0.4161     0.6955        0.7        0.7        0.7
    contact time            3.31 ms    1.87 ms    1.18 ms     744 us     470 us
    largest penetration      721 nm     5.3 um    33.4 um     211 um    1.33 mm
    largest force              42 N      625 N     9.9 kN     157 kN    2.49 MN
    at rest 3.71 um deep under 329 N
    creeps at 1.23 mm/s on a slope of 10 deg

contact, unless a pair says otherwise
  law               hertz
  geometry_factor   contact_sphere
  restitution_rule  regularized
  damping           inferred
  impact_speed      plain
  pulling           clamped
  friction          regularized
  step              cubic
  contact           auto
  response          force
  rule              hysteresis, z_eps = 1e-8 m, depth = past_hysteresis
  d_max             1000 s/m
  k_red             1
  smoothing_radius  0.001 m

interface
  vectors        scalars
  parameters     fixed
  calls          as the standard allows, and those of real importers
  names          structured
  within a step  contacts are seen; in Model Exchange the indicators hold the smallest gap

model
  states            13
  event indicators  1, one for each pair
  tolerance         1e-8 suggested, for ball that sinks in by 3.69 um at ground:ball
"
        );
    }

    #[test]
    fn a_ball_touches_the_ground_over_an_area_and_with_fixed_steps_in_a_point() {
        for (solver, way) in [("auto", "over an area"), ("dem", "in a point")] {
            let report = report_of(&format!(
                "format = 1\nname = \"grain\"\nworld.gravity = \"none\"\n\
                 experiment = {{ stop_time = 1, solver = {solver:?} }}\n\
                 [[body]]\nname = \"ground\"\nmotion = \"fixed\"\nshape = [{{ material = \"Steel\",\n\
                 height_field = {{ file = \"tests/diagnostics/hills.csv\", spacing = 1 }} }}]\n\
                 [[body]]\nname = \"ball\"\nmotion = \"free\"\nposition = [1, 1, 5]\n\
                 shape = [{{ sphere.diameter = 0.5, material = \"Steel\" }}]\n"
            ));
            let line = format!("  ground:ball  Steel-Steel, {way}");
            assert!(report.lines().any(|l| l == line), "{report}");
        }
    }

    #[test]
    fn what_is_out_of_the_ordinary_is_said() {
        let mut text = String::from(
            "format = 1\nname = \"many\"\nenergy_balance = true\n\
             world.gravity = { mu = 3.986e14, center = [0, 0, -6.371e6] }\n\
             contact = { preset = \"modia3d-0.12\", nz_max = 2 }\n\
             experiment = { stop_time = 1, tolerance = 1e-9, step_size = \"1 ms\" }\n\
             [[material]]\nname = \"Steel\"\ndensity = 7850\nyoungs_modulus = 2e11\npoissons_ratio = 0.3\n\
             [[body]]\nname = \"floor\"\nmotion = \"fixed\"\n\
             shape = [{ half_space = {}, material = \"DryWood\" },\n\
             { sphere.radius = 1, material = \"Aluminium\", collision = false }]\n",
        );
        for ball in 0..10 {
            text += &format!(
                "[[body]]\nname = \"ball{ball}\"\nmotion = \"free\"\nposition = [{ball}, 0, 5]\n\
                 shape = [{{ sphere.diameter = 0.5, material = \"DryWood\", contact_material = \"Steel\" }}]\n"
            );
        }
        let report = report_of(&text);
        for line in [
            "  gravity     G M = 3.986e14 m3/s2, at (0, 0, -6.371e6) m",
            "  experiment  0 s to 1 s, tolerance 1e-9, step 0.001 s",
            "shapes (12)",
            "  floor.half_space: half-space, of DryWood, flat",
            "  floor.sphere: sphere, diameter 2 m, 4.18879 m3, 11309.7 kg of Aluminium, touches nothing (collision = false)",
            "  ball0.sphere, ball1.sphere, ball2.sphere and 7 more: sphere, diameter 0.5 m, 0.0654498 m3, 45.8149 kg of DryWood (contact as Steel), contact sphere radius 0.25 m, curved",
            "  ball0, ball1, ball2 and 7 more (free) at (0 to 9, 0, 5) m",
            "pairs that can touch (55)",
            "  floor.half_space:ball0, floor.half_space:ball1, floor.half_space:ball2 and 7 more  DryWood-Steel, in a point",
            "  ball0:ball1, ball0:ball2, ball0:ball3 and 42 more  Steel-Steel, in a point",
            // Means of 0.6 and 0.7, 0.3 and 0.5, 0.001 and 0.001.
            "  DryWood-Steel (mean of the two self pairs): restitution 0.65, sliding friction 0.4, \
             rolling resistance 0.001, v_small 0.01 m/s, w_small 0.01 rad/s",
            "  rule              touching",
            "  states            131, one of them the dissipated work",
            "  event indicators  2, for the nearest of 55 pairs",
            "scene.toml:8:8: warning: material \"Steel\" replaces the built-in material of this name; the built-in \
             contact data of the name still apply",
        ] {
            assert!(
                report.lines().any(|l| l == line),
                "{line}\n-- in --\n{report}"
            );
        }
        let request = CheckRequest {
            all: true,
            ..CheckRequest::default()
        };
        let all = report_by(&text, &request);
        let lines = [
            ("  ball7 (free) at (7, 0, 5) m", 1),
            ("Steel-Steel, in a point", 45),
        ];
        for (end, count) in lines {
            assert_eq!(
                all.lines().filter(|l| l.ends_with(end)).count(),
                count,
                "{all}"
            );
        }
        assert!(report.contains(" suggested, for "), "{report}");
        assert!(report.contains("; the scene's 1e-9 is for importers, too\n"));
        let coarse = report_of(&text.replace("tolerance = 1e-9", "tolerance = 1e-3"));
        let own = "; the scene's 0.001 holds in Co-Simulation, importers are given 1e-";
        assert!(coarse.contains(own), "{coarse}");
    }

    #[test]
    fn what_never_touches_is_listed() {
        let mut text = String::from(
            "format = 1\nname = \"apart\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
             contact.exclude = [\"floor.half_space:b1\"]\n\
             [[body]]\nname = \"floor\"\nmotion = \"fixed\"\nshape = [{ half_space = {}, material = \"Steel\" }]\n",
        );
        for ball in 0..3 {
            let group = ["collision_group = \"even\"", ""][ball % 2];
            text += &format!(
                "[[body]]\nname = \"b{ball}\"\nmotion = \"free\"\nposition = [{ball}, 0, 9]\n{group}\n\
                 shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
            );
        }
        let report = report_of(&text);
        let heading = report.find("pairs that can touch").unwrap_or_default();
        let listed: Vec<&str> = report[heading..].lines().take(9).collect();
        assert_eq!(
            listed,
            [
                "pairs that can touch (4)",
                "  floor:b0  Steel-Steel, in a point",
                "  floor:b2  Steel-Steel, in a point",
                "  b0:b1  Steel-Steel, in a point",
                "  b1:b2  Steel-Steel, in a point",
                "",
                "never touching each other (2)",
                "  group even: b0, b2",
                "  floor.half_space:b1",
            ]
        );
    }

    #[test]
    fn reported_contacts_are_listed_up_to_twenty() {
        let scene = |balls: usize| {
            let mut text = String::from(
                "format = 1\nname = \"many\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
                 contact.report = \"all\"\n",
            );
            for ball in 0..balls {
                text += &format!(
                    "[[body]]\nname = \"b{ball}\"\nmotion = \"free\"\nposition = [{ball}, 0, 9]\n\
                     shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
                );
            }
            let report = report_of(&text);
            let heading = report.find("reported contacts").unwrap_or(report.len());
            let lines = report[heading..]
                .lines()
                .take_while(|line| !line.is_empty());
            lines.map(str::to_owned).collect::<Vec<String>>()
        };
        assert_eq!(scene(1), [""; 0]);
        assert_eq!(scene(3)[1..], ["  b0:b1", "  b0:b2", "  b1:b2"]);
        // 28 pairs of eight balls.
        let many = scene(8);
        assert_eq!((many.len(), &*many[21]), (22, "  and 8 more"));
    }

    #[test]
    fn rules_for_overlaps_are_shown() {
        let report = report_of(
            "format = 1\nname = \"a\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
             contact.overlap = \"all\"\ncontact.sparsification.smallest_area = \"2 mm2\"\n\
             [[body]]\nname = \"floor\"\nmotion = \"fixed\"\n\
             shape = [{ half_space = {}, material = \"Steel\" }]\n\
             [[body]]\nname = \"crate\"\nmotion = \"free\"\nposition = [0, 0, 9]\n\
             shape = [{ box.lengths = [1, 1, 1], material = \"Steel\", smoothing_radius = 0 }]\n",
        );
        for line in [
            "  with the intersection of 1 of them",
            "  kept of each two bodies: areas from 2e-6 m2 and 0.01 of the largest, points 2e-6 m apart",
        ] {
            assert!(report.lines().any(|l| l == line), "{line}\n{report}");
        }
    }

    #[test]
    fn a_scene_with_groups_is_for_co_simulation_alone() {
        let bodies = include_str!("../../../../examples/two_balls/scene.toml");
        let grains = "[[grains]]\nname = \"sand\"\nmaterial = \"BilliardBall\"\ndiameter = 0.02\n\
                      lattice = { counts = [1, 1, 1], spacing = 0.03, origin = [0, 0, 5] }\n";
        assert!(!report_of(bodies).contains("interface types"));
        let report = report_of(&format!("{bodies}{grains}"));
        let line = format!("  interface types  {CO_SIMULATION_ALONE}");
        assert!(report.lines().any(|l| l == line), "{report}");
    }

    #[test]
    fn shells_and_the_distances_at_which_pairs_touch_are_shown() {
        let text = include_str!("../../../../examples/two_balls/scene.toml")
            .replace("name = \"ball1\"\n", "name = \"ball1\"\nshell = \"1 mm\"\n")
            .replace("[contact]\n", "[contact]\ninitial_overlap = \"accept\"\n")
            + "[[pair]]\nbetween = \"ball2:ball1\"\nthreshold = 0.003\n\
               warn_below = \"2 cm\"\ndistance = true\n";
        let report = report_of(&text);
        for line in [
            "  table:ball1  BilliardTable-BilliardBall, in a point, touch from 0.001 m",
            "  table:ball2  BilliardTable-BilliardBall, in a point",
            "  ball1:ball2  BilliardBall-BilliardBall, in a point, touch from 0.003 m",
            "distances (1)",
            "  ball2:ball1, an output, a warning below 0.02 m",
        ] {
            assert!(report.lines().any(|l| l == line), "{line}\n{report}");
        }
        assert!(report.contains("curved, shell 0.001 m\n"), "{report}");
    }

    #[test]
    fn the_speeds_and_pictures_that_are_asked_for_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let scene = folder.path().join("scene.toml");
        let text = include_str!("../../../../examples/two_balls/scene.toml");
        std::fs::write(&scene, text).unwrap();
        let plots = folder.path().join("plots");
        let request = CheckRequest {
            speeds: vec![0.25],
            plots: Some(plots.clone()),
            ..CheckRequest::default()
        };
        let report = run(&scene, &request, &mut |_| {}).unwrap().text;
        assert!(
            report.contains("    impact speed           0.25 m/s\n"),
            "{report}"
        );
        let mut names: Vec<String> = std::fs::read_dir(&plots)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let all = [
            "damping.svg",
            "friction.svg",
            "impact.svg",
            "reg.svg",
            "restitution.svg",
        ];
        assert_eq!(names, all);
        for name in all {
            assert!(report.contains(name));
            let picture = std::fs::read_to_string(plots.join(name)).unwrap();
            assert!(
                picture.starts_with("<svg") && !picture.contains("NaN"),
                "{name}"
            );
        }
        let friction = std::fs::read_to_string(plots.join("friction.svg")).unwrap();
        assert!(friction.contains("slip speed [m/s]") && friction.contains("Bil\u{2026}able-Bil"));
        // A file where the folder should be.
        let request = CheckRequest {
            plots: Some(scene.clone()),
            ..CheckRequest::default()
        };
        let refused = run(&scene, &request, &mut |_| {}).unwrap_err().to_string();
        assert!(refused.contains("cannot make the folder"), "{refused}");
    }

    #[test]
    fn a_bad_scene_gives_its_problems() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.toml");
        std::fs::write(&path, "format = 3\n").unwrap();
        let problems = run(&path, &CheckRequest::default(), &mut |_| {})
            .unwrap_err()
            .to_string();
        assert!(problems.ends_with(
            "bad.toml:1:10: error: format is the number 3; expected format = 1, the one this version of fmu-build reads"
        ));
    }
}
