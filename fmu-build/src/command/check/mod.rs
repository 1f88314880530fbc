//! `check`: reads a scene and shows what a model made of it would have: bodies with their mass
//! properties, shapes, the pairs that can touch with their contact data, what these come to,
//! options and sizes. Nothing is written but the plots that are asked for.
//!
//! - `data`: what is shown, as data
//! - `shapes`: the lines on shapes
//! - `laws`: the lines on contact laws
//! - `joints`: the lines on joints, on bodies that are moved otherwise, and on forces

mod data;
mod joints;
mod laws;
mod shapes;

use super::answer::Answer;
use super::results::{make_folder, write};
use super::scene::{self, Ready};
use super::settings;
use crate::command::laws::{Laws, curves, warnings};
use crate::command::words::{
    Entry, Listing, USUAL_SPEEDS, group_words, inertia, material_names, short, vector,
};
use crate::scene_file::world::InterfaceOverrides;
use crate::scene_file::{Diagnostics, LoadedScene, Look};
use contact_geometry::math::Vec3;
use contact_geometry::math::real::atan2;
use contact_laws::index::{BodyId, PairId, each};
use contact_laws::quantity::Keyword;
use contact_laws::response::choice::{ContactRule, KINDS};
use contact_laws::response::flaws::stiffness_unit;
use contact_laws::response::{LawChoice, Number};
use contact_model::integrator::settings::DEFAULT_BUDGET;
use contact_model::scene::description::{BodyDescription, Gravity, Guard, Motion, Solver};
use contact_model::scene::parameter::INERTIA_ENTRIES;
use contact_model::scene::{Body, NamedPair, Pair, Scene};
use fmu_view::number::with_unit;
use fmu_view::report::plot;
use std::fmt::Write;
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

/// The report on a good scene, warnings last; the problems of a bad one, or what kept a plot from
/// being written.
pub fn run(path: &Path, request: &CheckRequest) -> Result<Answer, Diagnostics> {
    let file = path.display().to_string();
    let of_file = |message| Diagnostics::of_file(&file, message);
    let Ready {
        mut loaded, laws, ..
    } = scene::read(path, request.interface)?;
    let plots = match &request.plots {
        Some(folder) => plots(folder, &loaded, &laws, request).map_err(of_file)?,
        None => Vec::new(),
    };
    warnings::add(&mut loaded, &laws, request.judged());
    Ok(Answer {
        data: Some(data::line(&file, &loaded, &laws, request.speeds())),
        text: report(&file, &loaded, &laws, request, &plots),
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

/// The report on a scene from the file of this name.
fn report(
    file: &str,
    loaded: &LoadedScene,
    laws: &Laws,
    request: &CheckRequest,
    plots: &[PathBuf],
) -> String {
    let mut out = Listing::default();
    let scene = &loaded.scene;
    out.line(format!("{file}: scene {} is valid", scene.name()));
    out.line(format!("  gravity     {}", gravity(scene.gravity())));
    out.line(format!("  experiment  {}", experiment(scene)));
    bodies(&mut out, scene, request.all);
    joints::report(&mut out, loaded);
    shapes::report(&mut out, loaded, &laws.touching, request.all);
    pairs(&mut out, loaded, laws, request.all);
    laws::report(&mut out, laws, request.speeds());
    shapes::report_area(&mut out, loaded, laws);
    for line in settings::lines(&loaded.description) {
        out.line(format!("  user laws   {line}"));
    }
    joints::forces(&mut out, scene);
    options(&mut out, scene);
    interface(&mut out, scene);
    sizes(&mut out, loaded, laws);
    if !plots.is_empty() {
        out.heading("plots");
        plots
            .iter()
            .for_each(|file| out.line(format!("  {}", file.display())));
    }
    if !loaded.warnings.is_empty() {
        out.line(loaded.warnings.render(Look::PLAIN));
    }
    out.0
}

fn gravity(gravity: Gravity) -> String {
    match gravity {
        Gravity::None => "none".to_owned(),
        Gravity::Uniform(g) => format!("{} m/s2", vector(&g)),
        Gravity::Point { mu, center } => {
            format!("G M = {} m3/s2 at {} m", short(mu), vector(&center))
        }
    }
}

fn experiment(scene: &Scene) -> String {
    let experiment = scene.experiment();
    let mut text = format!(
        "{} s to {} s",
        short(experiment.start_time),
        short(experiment.stop_time)
    );
    if let Some(tolerance) = experiment.tolerance {
        let _ = write!(text, ", tolerance {}", short(tolerance));
    }
    if let Some(step) = experiment.step_size {
        let _ = write!(text, ", step {} s", short(step));
    }
    if experiment.max_steps != DEFAULT_BUDGET as f64 {
        let _ = write!(
            text,
            ", at most {} internal steps",
            short(experiment.max_steps)
        );
    }
    if experiment.max_step > 0.0 {
        let longest = short(experiment.max_step);
        let _ = write!(text, ", internal steps up to {longest} s");
    }
    if experiment.solver != Solver::Auto {
        let _ = write!(text, ", {} solver", experiment.solver.word());
    }
    if experiment.statistics {
        text.push_str(", statistics as outputs");
    }
    text
}

fn bodies(out: &mut Listing, scene: &Scene, all: bool) {
    out.heading(format!("bodies ({})", scene.bodies().len()));
    let bodies = scene.bodies().iter_enumerated();
    let bodies = bodies.take_while(|(index, _)| !scene.is_grain(*index));
    let entry = |(index, body): (BodyId, &Body)| {
        let start = scene.start_pose(index).position;
        let mut own = format!(" at {} m", vector(start.as_slice()));
        let [w, axis @ ..] = body.orientation;
        let sine = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        if sine > 0.0 && body.motion != Motion::Joint {
            let angle = short((2.0 * atan2(sine, w)).to_degrees());
            let axis = vector(&axis.map(|x| x / sine));
            let _ = write!(own, ", turned by {angle} deg about {axis}");
        }
        let mut below = Listing::default();
        if body.is_dynamic() {
            let center = vector(body.mass.center_of_mass.as_slice());
            below.line(format!("    mass            {} kg", short(body.mass.mass)));
            below.line(format!("    centre of mass  {center} m"));
            below.line(format!(
                "    inertia         {}",
                inertia(INERTIA_ENTRIES.map(|at| body.mass.inertia[at]))
            ));
            let rates = [
                ("velocity       ", &body.velocity, "m/s"),
                ("turns with     ", &body.angular_velocity, "rad/s"),
            ];
            for (what, rate, unit) in rates {
                if *rate != Vec3::zeros() {
                    below.line(format!("    {what} {} {unit}", vector(rate.as_slice())));
                }
            }
        }
        Entry {
            name: body.name.clone(),
            kind: format!(" ({})", body.motion.word()),
            own,
            below: below.0,
        }
    };
    out.classes(bodies.map(entry).collect(), all);
    for group in scene.grains() {
        let bodies = each(group.bodies.clone());
        let mass: f64 = bodies.map(|body| scene.bodies()[body].mass.mass).sum();
        out.line(format!("  {} (group): {}", group.name, group_words(group)));
        out.line(format!("    mass of all     {} kg", short(mass)));
        for region in &group.regions {
            out.line(format!("    counted in      {}", region.name));
        }
    }
}

/// Pairs that are looked at for their kind.
const MOST_PAIRS: usize = 100_000;

fn pairs(out: &mut Listing, loaded: &LoadedScene, laws: &Laws, all: bool) {
    let scene = &loaded.scene;
    out.heading(format!("pairs that can touch ({})", scene.pairs().len()));
    let most = if all { usize::MAX } else { MOST_PAIRS };
    let pairs = scene.pairs().ids().zip(scene.pairs().iter()).take(most);
    let entry = |(index, pair): (PairId, Pair)| {
        let mut kind = format!(
            "  {}, {}",
            material_names(scene, pair.material_pair).join("-"),
            match scene.is_area(&pair) {
                true => "over an area",
                false => "in a point",
            }
        );
        let threshold = scene.threshold_of(pair.shapes);
        if threshold > 0.0 {
            let _ = write!(kind, ", touch from {} m", short(threshold));
        }
        Entry {
            name: scene.pair_name(index),
            kind,
            ..Entry::default()
        }
    };
    out.classes(pairs.map(entry).collect(), all);
    out.more(scene.pairs().len(), most);
    never_touching(out, loaded);
    watched(out, scene);
    reported(out, scene, all);
    out.heading(format!(
        "material pairs that can meet ({})",
        scene.laws().len()
    ));
    let tangential = laws::Tangential::of(scene);
    for (index, law) in scene.laws().iter_enumerated() {
        let names = material_names(scene, index);
        let pairs = loaded.description.material_pairs.iter();
        let mut pairs = pairs.map(|pair| &pair.materials);
        let given = law.between.is_some()
            || pairs.any(|[one, two]| names == [one, two] || names == [two, one]);
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
        let data = |number: Number| {
            let value = short(law.choice.number(number));
            format!("{} {value}{}", words(number), unit(&law.choice, number))
        };
        let mut data: Vec<String> = law.choice.used().filter(shown).map(data).collect();
        if data.is_empty() {
            data.push("no numbers".to_owned());
        }
        out.line(format!(
            "  {}{}: {}",
            laws.list[index].name,
            if given {
                ""
            } else {
                " (mean of the two self pairs)"
            },
            data.join(", ")
        ));
        if let Some(origin) = laws::origin(loaded, index, laws.touching.of_law(index)) {
            out.line(format!("    {origin}"));
        }
        tangential.report(out, loaded, index);
    }
}

/// A number of a law by its key, in words where it consists of words.
fn words(number: Number) -> String {
    match number {
        Number::VSmall | Number::WSmall => number.key().to_owned(),
        _ => number.key().replace('_', " "),
    }
}

fn unit(choice: &LawChoice, number: Number) -> String {
    match number {
        Number::Stiffness if choice.kinds.uses(Number::Exponent) => {
            format!(" {}", stiffness_unit(choice.number(Number::Exponent)))
        }
        Number::Stiffness => format!(" {}", stiffness_unit(1.0)),
        _ if number.unit().is_empty() => String::new(),
        _ => format!(" {}", number.unit()),
    }
}

/// Named pairs whose distance somebody wants to know.
fn watched(out: &mut Listing, scene: &Scene) {
    let watched = |named: &&NamedPair| named.distance || named.warn_below.is_some();
    let mut named = scene.named_pairs().iter().filter(watched).peekable();
    if named.peek().is_none() {
        return;
    }
    out.heading("distances");
    for named in named {
        let [a, b] = &named.between;
        let mut line = format!("  {a}:{b}");
        if named.distance {
            line.push_str(", an output");
        }
        if let Some(limit) = named.warn_below {
            let _ = write!(line, ", a warning below {} m", short(limit));
        }
        out.line(line);
    }
}

/// So many reported pairs are listed.
const MOST_LISTED: usize = 20;

/// Reported contacts, by the names of their variables.
fn reported(out: &mut Listing, scene: &Scene, all: bool) {
    let count = scene.report_count();
    if count == 0 {
        return;
    }
    out.heading("reported contacts");
    let most = if all { usize::MAX } else { MOST_LISTED };
    for sum in scene.sums().keys().take(most) {
        let [a, b] = scene.report_names(scene.report_of(sum));
        let named = &scene.named_pairs()[scene.sums()[sum].named];
        let pairs = named
            .parts
            .iter()
            .map(|parts| parts.clone().map(|p| each(p).len()));
        let pairs: usize = pairs.map(|[a, b]| a * b).sum();
        out.line(format!("  {a}:{b}, the sum over {pairs} pairs"));
    }
    let left = most.saturating_sub(scene.sums().len());
    for pair in scene.reported().iter().take(left) {
        out.line(format!("  {}", scene.pair_name(*pair)));
    }
    out.more(count, most);
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
fn never_touching(out: &mut Listing, loaded: &LoadedScene) {
    let bodies = &loaded.description.bodies;
    let mut lines = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        let Some(name) = &body.collision_group else {
            continue;
        };
        let same = |other: &&BodyDescription| other.collision_group.as_ref() == Some(name);
        if bodies[..index].iter().any(|other| same(&other)) {
            continue;
        }
        let members = bodies.iter().filter(same).map(|other| other.name.as_str());
        let members: Vec<&str> = members.collect();
        lines.push(format!("  group {name}: {}", members.join(", ")));
    }
    let excluded = loaded.description.excluded.iter();
    lines.extend(excluded.map(|[one, two]| format!("  {one}:{two}")));
    for joint in loaded.scene.joints().iter().filter(|j| !j.can_collide) {
        if let Some(parent) = joint.parent {
            let [parent, child] = [parent, joint.child].map(|b| &loaded.scene.bodies()[b].name);
            lines.push(format!("  {parent}:{child}, of joint {}", joint.name));
        }
    }
    if !lines.is_empty() {
        out.heading("never touching each other");
        lines.iter().for_each(|line| out.line(line));
    }
}

fn options(out: &mut Listing, scene: &Scene) {
    let options = scene.contact();
    let law = &options.law;
    let rule = match law.rule {
        ContactRule::Hysteresis { z_eps, depth } => format!(
            "hysteresis, z_eps = {} m, depth = {}",
            short(z_eps),
            depth.word()
        ),
        ContactRule::Touching => "touching".to_owned(),
    };
    out.heading("contact, unless a pair says otherwise");
    let mut line = |key: &str, value: &str| out.line(format!("  {key:<16}  {value}"));
    for kind in &KINDS {
        line(kind.key.key, (kind.word)(law));
    }
    if scene.has_impulses() {
        line("impact_law", options.impact_law.word());
        line("multi_impact", options.multi_impact.word());
    }
    for (key, value) in [
        ("rule", rule),
        ("d_max", format!("{} s/m", short(law.d_max))),
        ("k_red", short(options.k_red)),
        (
            "smoothing_radius",
            format!("{} m", short(options.smoothing_radius)),
        ),
    ] {
        line(key, &value);
    }
}

fn interface(out: &mut Listing, scene: &Scene) {
    out.heading("interface");
    let options = scene.interface();
    if !scene.grains().is_empty() {
        out.line(format!(
            "  {:<16}  {CO_SIMULATION_ALONE}",
            "interface types"
        ));
    }
    let vectors = match options.arrays {
        true => "arrays in FMI 3.0, scalars in FMI 2.0",
        false => "scalars",
    };
    let parameters = match options.tunable {
        true => "tunable",
        false => "fixed",
    };
    let calls = match options.strict {
        true => "as the standard allows, no others",
        false => "as the standard allows, and those of real importers",
    };
    let guard = match options.guard {
        Guard::Importer => {
            "contacts are seen; in Model Exchange the indicators hold the smallest gap"
        }
        Guard::Time => "each contact is a time event of Model Exchange too",
        Guard::Off => "contacts are seen in Co-Simulation only",
    };
    for (key, value) in [
        ("vectors", vectors),
        ("names", options.naming.word()),
        ("parameters", parameters),
        ("calls", calls),
        ("within a step", guard),
    ] {
        out.line(format!("  {key:<16}  {value}"));
    }
}

fn sizes(out: &mut Listing, loaded: &LoadedScene, laws: &Laws) {
    let scene = &loaded.scene;
    out.heading("model");
    let states = scene.layout().count();
    let work = match scene.layout().work() {
        Some(_) => ", one of them the dissipated work",
        None => "",
    };
    let deflections = match scene.layout().contacts().len() {
        0 => String::new(),
        count => format!(", {count} of contacts that stick"),
    };
    out.line(format!("  states            {states}{deflections}{work}"));
    out.line(format!("  event indicators  {}", indicators(scene)));
    if !scene.inputs().is_empty() {
        out.line(format!("  inputs            {}", scene.inputs().len()));
    }
    let of_stop = laws.stop_demand.as_ref().map(|(stop, depth, unit)| {
        let depth = with_unit(*depth, unit);
        format!(", for {stop} that yields by {depth}")
    });
    let demand = laws.demand.as_ref().map(|(pair, body, depth)| {
        let depth = with_unit(*depth, "m");
        format!(", for {body} that sinks in by {depth} at {pair}")
    });
    let demand = of_stop.or(demand);
    let own = scene
        .experiment()
        .tolerance
        .map(|own| match own > laws.tolerance {
            true => format!(
                "; the scene's {} holds in Co-Simulation, importers are given {}",
                short(own),
                short(laws.tolerance)
            ),
            false => format!("; the scene's {} is for importers, too", short(own)),
        });
    out.line(format!(
        "  tolerance         {} suggested{}{}",
        short(laws.tolerance),
        demand.unwrap_or_default(),
        own.unwrap_or_default()
    ));
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
mod tests {
    use super::*;

    pub(super) fn report_of(text: &str) -> String {
        report_by(text, &CheckRequest::default())
    }

    fn report_by(text: &str, request: &CheckRequest) -> String {
        let mut loaded = crate::scene_file::parse(text, "scene.toml").unwrap();
        let laws = Laws::of(&loaded.scene, &Default::default()).unwrap();
        warnings::add(&mut loaded, &laws, request.judged());
        report("scene.toml", &loaded, &laws, request, &[])
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
  vectors           scalars
  names             structured
  parameters        fixed
  calls             as the standard allows, and those of real importers
  within a step     contacts are seen; in Model Exchange the indicators hold the smallest gap

model
  states            13
  event indicators  1, one for each pair
  tolerance         1e-8 suggested, for ball that sinks in by 3.69 um at ground:ball
"
        );
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
            "  gravity     G M = 3.986e14 m3/s2 at (0, 0, -6.371e6) m",
            "  experiment  0 s to 1 s, tolerance 1e-9, step 0.001 s",
            "shapes (12)",
            "  floor.half_space: half-space of DryWood, flat",
            "  floor.sphere: sphere, diameter 2 m, 4.18879 m3, 11309.7 kg of Aluminium, touches nothing (collision = false)",
            "  ball0.sphere, ball1.sphere, ball2.sphere and 7 more: sphere, diameter 0.5 m, 0.0654498 m3, 45.8149 kg of DryWood (contact as Steel), contact sphere radius 0.25 m, curved",
            "  ball0, ball1, ball2 and 7 more (free)",
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
                "never touching each other",
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
        let line = format!("  interface types   {CO_SIMULATION_ALONE}");
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
            "distances",
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
        let report = run(&scene, &request).unwrap().text;
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
        let refused = run(&scene, &request).unwrap_err().to_string();
        assert!(refused.contains("cannot make the folder"), "{refused}");
    }

    #[test]
    fn a_bad_scene_gives_its_problems() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.toml");
        std::fs::write(&path, "format = 3\n").unwrap();
        let problems = run(&path, &CheckRequest::default())
            .unwrap_err()
            .to_string();
        assert!(problems.ends_with(
            "bad.toml:1:10: error: format is the number 3; expected format = 1, the one this version of fmu-build reads"
        ));
    }
}
