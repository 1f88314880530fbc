//! What `check` shows as data: a line of `--format json`, in SI units, numbers unrounded.

use crate::command::laws::{LawFacts, Laws, Meeting};
use crate::command::words::material_names;
use crate::scene_file::LoadedScene;
use contact_laws::index::{BodyId, each};
use contact_laws::quantity::Keyword;
use contact_model::scene::Scene;
use contact_model::scene::description::Gravity;
use contact_model::scene::parameter::INERTIA_ENTRIES;
use serde_json::{Map, Value, json};

/// Candidate pairs that are listed one by one; a scene of a hundred balls has 4950.
const LISTED_PAIRS: usize = 40;

/// The line on a scene from the file of this name.
pub(super) fn line(file: &str, loaded: &LoadedScene, laws: &Laws, speeds: &[f64]) -> Value {
    let scene = &loaded.scene;
    let experiment = scene.experiment();
    json!({
        "type": "scene",
        "file": file,
        "name": scene.name(),
        "gravity": gravity(scene.gravity()),
        "experiment": {
            "start_time": experiment.start_time,
            "stop_time": experiment.stop_time,
            "tolerance": experiment.tolerance,
            "step_size": experiment.step_size,
            "max_steps": experiment.max_steps,
            "solver": experiment.solver.word(),
        },
        "bodies": bodies(scene),
        "grains": grains(scene),
        "joints": joints(scene),
        "shapes": shapes(loaded),
        "pairs": pairs(scene),
        "pair_count": scene.pairs().len(),
        "laws": laws.list.iter().map(|facts| law(facts, speeds)).collect::<Vec<_>>(),
        "states": scene.layout().count(),
        "event_indicators": scene.indicator_count(),
        "inputs": scene.inputs().len(),
        "tolerance": laws.tolerance,
    })
}

fn gravity(gravity: Gravity) -> Value {
    match gravity {
        Gravity::None => Value::Null,
        Gravity::Uniform(g) => json!({"acceleration": g}),
        Gravity::Point { mu, center } => json!({"gravitational_parameter": mu, "center": center}),
    }
}

fn bodies(scene: &Scene) -> Vec<Value> {
    let bodies = scene.bodies().iter_enumerated();
    let bodies = bodies.take_while(|(index, _)| !scene.is_grain(*index));
    let of_body = bodies.map(|(index, body)| {
        let mut line = json!({
            "name": body.name,
            "motion": body.motion.word(),
            "position": scene.start_pose(index).position.as_slice(),
        });
        if body.is_dynamic() {
            line["mass"] = json!(body.mass.mass);
            line["center_of_mass"] = json!(body.mass.center_of_mass.as_slice());
            line["inertia"] = json!(INERTIA_ENTRIES.map(|at| body.mass.inertia[at]));
        }
        line
    });
    of_body.collect()
}

fn grains(scene: &Scene) -> Vec<Value> {
    let of_group = scene.grains().iter().map(|group| {
        let mass: f64 = each(group.bodies.clone())
            .map(|body| scene.bodies()[body].mass.mass)
            .sum();
        json!({"name": group.name, "count": each(group.bodies.clone()).count(), "mass": mass})
    });
    of_group.collect()
}

fn joints(scene: &Scene) -> Vec<Value> {
    let name = |body: BodyId| scene.bodies()[body].name.as_str();
    let of_joint = scene.joints().iter().map(|joint| {
        json!({
            "name": joint.name,
            "type": joint.kind.word(),
            "parent": joint.parent.map_or("world", name),
            "child": name(joint.child),
        })
    });
    of_joint.collect()
}

fn shapes(loaded: &LoadedScene) -> Vec<Value> {
    let bodies = loaded.description.bodies.iter();
    let shapes = bodies.flat_map(|body| body.shapes.iter().map(move |shape| (body, shape)));
    let of_shape = shapes.map(
        |(body, shape)| json!({"body": body.name, "name": shape.name, "material": shape.material}),
    );
    of_shape.collect()
}

/// As many as the text lists.
fn pairs(scene: &Scene) -> Vec<Value> {
    let pairs = scene.pairs().ids().zip(scene.pairs().iter());
    let of_pair = pairs.take(LISTED_PAIRS).map(|(index, pair)| {
        json!({
            "name": scene.pair_name(index),
            "materials": material_names(scene, pair.material_pair),
            "area": scene.is_area(&pair),
            "threshold": scene.threshold_of(pair.shapes),
        })
    });
    of_pair.collect()
}

fn law(facts: &LawFacts, speeds: &[f64]) -> Value {
    let choice = &facts.choice;
    let used = choice.used();
    json!({
        "name": facts.name,
        "law": facts.normal_word(),
        "damping": facts.damping_word(),
        "friction": facts.friction_word(),
        "numbers": used.map(|n| (n.key().to_owned(), json!(choice.number(n)))).collect::<Map<_, _>>(),
        "met": facts.meeting.as_ref().map(|meeting| met(facts, meeting, speeds)),
    })
}

/// Where a law asks most, and its impacts.
fn met(facts: &LawFacts, meeting: &Meeting, speeds: &[f64]) -> Value {
    let depth = meeting.rest_depth();
    let impacts = speeds.iter().map(|speed| {
        let impact = meeting.impact(*speed);
        let of_impact = impact.as_ref();
        json!({
            "speed": speed,
            "restitution_asked": facts.asks_restitution().then(|| meeting.asked(*speed)),
            "restitution": meeting.obtained(*speed),
            "duration": of_impact.map(|impact| impact.duration),
            "penetration": of_impact.map(|impact| meeting.penetration(impact.largest_depth)),
            "force": of_impact.map(|impact| impact.largest_force),
        })
    });
    json!({
        "pair": meeting.pair,
        "mass": meeting.mass,
        "load": meeting.load(),
        "rest_penetration": depth.map(|depth| meeting.penetration(depth)),
        "impacts": impacts.collect::<Vec<_>>(),
    })
}
