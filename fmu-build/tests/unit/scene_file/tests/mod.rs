//! Tests of the reader on whole files.
//!
//! - `scenes`: what good files mean
//! - `findings`: each message about a scene has a case on the book's pages on messages
//! - `forms`: forms of shapes
//! - `grains`: groups of balls
//! - `polyhedra`: hulls of points and mesh files
//! - `joints`: joints, motions, measurements, driven bodies, inputs
//! - `overlaps`: overlap at the start
//! - `pairs`: shells and named pairs
//! - `laws`: laws of contact
//! - `layers`: files that are no text, and problems as data
//! - `mutations`: damaged files never panic

mod findings;
#[allow(
    clippy::duplicate_mod,
    reason = "those of the description see no tests of the reader"
)]
#[path = "../../../../../fmu-core/model/tests/fixtures/mod.rs"]
mod fixtures;
mod forms;
mod grains;
mod joints;
mod laws;
mod layers;
mod mutations;
mod overlaps;
mod pairs;
mod polyhedra;
mod scenes;

use super::{LoadedScene, parse};

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

/// The problems of a text, as a user sees them.
fn problems(text: &str) -> String {
    match parse(text, "scene.toml") {
        Ok(_) => "no problem".to_owned(),
        Err(problems) => problems.to_string(),
    }
}

fn load(text: &str) -> LoadedScene {
    parse(text, "scene.toml").unwrap_or_else(|problems| panic!("{problems}"))
}
