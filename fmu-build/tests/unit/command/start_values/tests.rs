//! Each parameter and each state of a scene with one of everything is set alone, in the description,
//! and is then what the scene starts with.

use super::{StateStart, described, stated, with_states};
use crate::scene_file::{LoadedScene, parse};
use contact_laws::index::ParameterId;
use contact_model::scene::{Parameters, Scene};

/// Steel against Rubber is a mean; Wood is the first material of a turned pair with layers; the
/// pair of ball and post has a law of its own, which starts from that of the materials.
const SCENE: &str = r#"format = 1
name = "case"
world.gravity = [0, 0, -9.81]
experiment.stop_time = 1

[contact]
damping = "exact"

[[material]]
name = "Rubber"
density = 1100
youngs_modulus = "10 MPa"
poissons_ratio = 0.4

[[material]]
name = "Wood"
density = 700
youngs_modulus = "10 GPa"
poissons_ratio = 0.4

[[material_pair]]
materials = ["Steel", "Steel"]
restitution = 0.4
sliding_friction = 0.3

[[material_pair]]
materials = ["Rubber", "Rubber"]
restitution = 0.5
sliding_friction = 0.3

[[material_pair]]
materials = ["Wood", "Rubber"]
law = "volume"
layer_depth = ["2 mm", "3 mm"]
restitution = 0.5
sliding_friction = 0.3

[[material_pair]]
materials = ["Wood", "Steel"]
law = "spring"
penetration = { depth = "1 mm", force = "500 N" }
exponent = 1.5
restitution = 0.5
friction = "coulomb-dynamic"
sliding_friction = 0.3

[[body]]
name = "floor"
motion = "fixed"
[[body.shape]]
box = { lengths = [9, 9, 0.1] }
material = "Rubber"

[[body]]
name = "post"
motion = "fixed"
position = [5, 0, 3]
[[body.shape]]
box = { lengths = [0.1, 0.1, 0.1] }
material = "Steel"

[[body]]
name = "ball"
motion = "free"
position = [0, 0, 2]
[[body.shape]]
sphere = { diameter = 0.2 }
material = "Steel"

[[body]]
name = "log"
motion = "free"
position = [2, 0, 2]
mass = 2
inertia = { xx = 1, yy = 1.25, zz = 1.5, xy = 0.1 }
[[body.shape]]
sphere = { diameter = 0.2 }
material = "Wood"

[[pair]]
between = "post:ball"
restitution = 0.25

[[body]]
name = "table"
motion = "prescribed"
[[motion]]
body = "table"
sine = { displacement = [0, 0, 0.1], rotation = { axis = [0, 0, 1], angle = 0.1 }, frequency = 2 }

[[body]]
name = "belt"
motion = "prescribed"
[[motion]]
body = "belt"
velocity = [1, 0, 0]

[[body]]
name = "arm"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[[joint]]
name = "slide"
type = "cylindrical"
parent = "world"
child = "arm"
[joint.displacement]
damping = 1
spring = { stiffness = 2, rest = 0.1 }
friction = { force = 1, speed = 0.01 }
stop = { lower = -1, upper = 1, stiffness = 1e5, restitution = 0.5 }
[joint.angle]
damping = 2

[[body]]
name = "bob"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[[joint]]
name = "socket"
type = "spherical"
parent = "arm"
child = "bob"
damping = 0.1

[[force]]
name = "push"
body = "ball"
force = [1, 0, 0]
torque = [0, 1, 0]

[[force]]
name = "shake"
body = "log"
sine = { force = [1, 0, 0], frequency = 2 }
"#;

fn load(text: &str) -> LoadedScene {
    parse(text, "scene.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

/// Towards a point.
fn attracted() -> String {
    let gravity = "world.gravity = { mu = 3.986e14, center = [0, 0, -6.4e6] }";
    let text = SCENE.replace("world.gravity = [0, 0, -9.81]", gravity);
    assert_ne!(text, SCENE);
    text
}

fn set(loaded: &LoadedScene, values: &[(ParameterId, f64)]) -> (Parameters, Scene) {
    let mut wanted = Parameters::start(&loaded.scene);
    for (index, value) in values {
        wanted.set(&loaded.scene, *index, *value);
    }
    let given: Vec<ParameterId> = values.iter().map(|(index, _)| *index).collect();
    let (_, scene) = described(&loaded.description, &loaded.scene, &wanted, &given).unwrap();
    (wanted, scene)
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs()
}

#[test]
fn each_parameter_alone_is_what_the_scene_starts_with_and_the_others_stay() {
    for text in [SCENE.to_owned(), attracted()] {
        let loaded = load(&text);
        let scene = &loaded.scene;
        let start = Parameters::start(scene);
        for (index, parameter) in scene.parameters().iter_enumerated() {
            let name = scene.parameter_name(index);
            // A budget is a whole number, and orientations have norm 1.
            let value = match (parameter.key(), parameter.component()) {
                ("max_steps", _) => 1234.0,
                ("solver", _) => 3.0,
                ("orientation", Some(0)) => -1.0,
                ("orientation", _) => continue,
                ("poissons_ratio", _) => 0.25,
                ("exponent", _) => 1.125 * start.get(index),
                _ => 0.875 * start.get(index) + 1e-9,
            };
            let (wanted, found) = set(&loaded, &[(index, value)]);
            assert_eq!(found.parameters(), scene.parameters(), "{name}");
            let found = Parameters::start(&found);
            assert_eq!(found.get(index), value, "{name}");
            for (other, kind) in scene.parameters().iter_enumerated() {
                let same = match kind.key() {
                    "inertia" => near(found.get(other), wanted.get(other)),
                    _ => found.get(other) == wanted.get(other),
                };
                assert!(same, "{name} changes {}", scene.parameter_name(other));
            }
        }
    }
}

#[test]
fn each_state_alone_is_what_the_scene_starts_with_and_the_others_stay() {
    let loaded = load(SCENE);
    let scene = &loaded.scene;
    let start = scene.start_states();
    let states = stated(scene);
    // Two free bodies, and what a cylindrical and a spherical joint move by.
    assert_eq!(states.len(), 2 * 13 + 4 + 7);
    for state in states {
        let name = scene.state_name(state);
        if name.contains("orientation") {
            continue;
        }
        let value = 0.875 * start[state] + 1e-3;
        let change = [StateStart { state, value }];
        let (_, found) = with_states(&loaded.description, scene, &change).unwrap();
        let mut expected = start.clone();
        expected[state] = value;
        assert_eq!(found.start_states(), expected, "{name}");
    }
}

#[test]
fn an_orientation_of_which_a_component_is_given_has_norm_1() {
    let loaded = load(SCENE);
    let named = |name: &str| {
        let mut states = stated(&loaded.scene).into_iter();
        states
            .find(|state| loaded.scene.state_name(*state) == name)
            .unwrap()
    };
    let state = named("ball.orientation[4]");
    let change = [StateStart { state, value: 1.0 }];
    let (_, found) = with_states(&loaded.description, &loaded.scene, &change).unwrap();
    let found = found.start_states();
    let half = 0.5_f64.sqrt();
    assert!((found[state] - half).abs() < 1e-15);
    assert!((found[named("ball.orientation[1]")] - half).abs() < 1e-15);
}

#[test]
fn the_inertia_follows_the_mass_unless_an_entry_is_given_in_any_order() {
    let loaded = load(SCENE);
    let index = |name: &str| {
        let mut indices = loaded.scene.parameters().keys();
        indices
            .find(|i| loaded.scene.parameter_name(*i) == name)
            .unwrap()
    };
    let (mass, entry) = (index("log.mass"), index("log.inertia[2,2]"));
    let inertia = |values: &[(ParameterId, f64)]| -> [f64; 4] {
        let (_, scene) = set(&loaded, values);
        let start = Parameters::start(&scene);
        ["[1,1]", "[2,2]", "[3,3]", "[1,2]"].map(|i| start.get(index(&format!("log.inertia{i}"))))
    };
    // 2 kg with diag(1, 1.25, 1.5) and 0.1 beside it.
    assert_eq!(inertia(&[(mass, 4.0)]), [2.0, 2.5, 3.0, 0.2]);
    let given = [1.0, 1.375, 1.5, 0.1];
    assert_eq!(inertia(&[(mass, 4.0), (entry, 1.375)]), given);
    assert_eq!(inertia(&[(entry, 1.375), (mass, 4.0)]), given);
}
