//! Tests of the reader on whole files.
//!
//! - `scenes`: what good files mean
//! - `forms`: forms of shapes
//! - `polyhedra`: hulls of points and mesh files
//! - `keys`, `values`, `layers`: text and place of each problem
//! - `forces`: prescribed forces
//! - `joints`: joints, motions, measurements, driven bodies, inputs
//! - `overlaps`: overlap at the start
//! - `pairs`: shells and named pairs
//! - `laws`: laws of contact
//! - `mutations`: damaged files never panic

mod forces;
mod forms;
mod joints;
mod keys;
mod laws;
mod layers;
mod mutations;
mod overlaps;
mod pairs;
mod polyhedra;
mod scenes;
mod values;

use super::{LoadedScene, Position, parse};

/// A good file: format 1, world 4, contact 7, experiment 10, material 13, pair 19, floor 25 with
/// shape 29, ball 34 with shape 41.
const BASE: &str = r#"format = 1
name = "case"

[world]
gravity = [0, 0, -9.81]

[contact]
k_red = 1

[experiment]
stop_time = "3 s"

[[material]]
name = "Rubber"
density = 1100
youngs_modulus = "10 MPa"
poissons_ratio = 0.5

[[material_pair]]
materials = ["Steel", "Rubber"]
restitution = 0.4
sliding_friction = 0.9
rolling_resistance = 0.01

[[body]]
name = "floor"
motion = "fixed"

[[body.shape]]
name = "plate"
box = { lengths = [1, 1, 0.1] }
material = "Rubber"

[[body]]
name = "ball"
motion = "free"
position = [0, 0, 2]
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }

[[body.shape]]
sphere = { diameter = "20 cm" }
material = "Steel"
"#;

/// What can be missing at the top of a file; only that has no better place.
const MISSING_AT_TOP: [&str; 5] = [
    "format is missing",
    "name is missing",
    "world is missing",
    "experiment is missing",
    "there is no body",
];

/// The problems of a text, as a user sees them. Fails for one without a place of its own, so that
/// every refusal of these tests is looked at.
fn problems(text: &str) -> String {
    let problems = match parse(text, "scene.toml") {
        Ok(_) => return "no problem".to_owned(),
        Err(problems) => problems,
    };
    for problem in &problems.list {
        let Some(Position { line, column }) = problem.position else {
            panic!("no place: {problems}");
        };
        let at_top = MISSING_AT_TOP.iter();
        let mut at_top = at_top.filter(|text| problem.message.starts_with(**text));
        assert!(
            (line, column) != (1, 1) || at_top.next().is_some(),
            "{problems}"
        );
    }
    problems.to_string()
}

fn load(text: &str) -> LoadedScene {
    parse(text, "scene.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

/// Each case replaces a part of [`BASE`] and gives all problems of the result; the places are
/// counted by hand.
fn check(cases: &[(&str, &str, &str)]) {
    assert_eq!(problems(BASE), "no problem");
    for (part, replacement, expected) in cases {
        assert_eq!(BASE.matches(part).count(), 1, "{part:?}");
        let text = BASE.replace(part, replacement);
        assert_eq!(problems(&text), *expected, "{replacement:?}");
    }
}
