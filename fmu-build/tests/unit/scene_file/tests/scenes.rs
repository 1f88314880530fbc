//! What good files mean.

use super::super::read;
use super::fixtures::*;
use super::{load, problems};
use crate::scene_file::schema;
use crate::scene_file::world::InterfaceOverrides;
use contact_laws::index::PairId;
use contact_laws::quantity::Keyword;
use std::path::Path;

const FULL: &str = r#"
format = 1
name = "everything"
energy_balance = true

[world]
gravity = { mu = "398600 km3/s2", center = [0, "-6371 km", 1] }

[contact]
preset = "modia3d-0.12"
restitution_rule = "regularized"
damping = "inferred"
geometry_factor = "contact_sphere"
contact = "auto"
pulling = "clamped"
rule = "hysteresis"
z_eps = "10 nm"
d_max = 500
k_red = "50 %"
nz_max = 7
closest_distances = 3
exclude = ["floor.box_3:probe"]
report = ["probe:floor.ground", "floor:probe"]
smoothing_radius = "0.5 mm"

[experiment]
start_time = "1 min"
stop_time = 70
tolerance = 1e-9
step_size = "1 ms"

[interface]
arrays = true
naming = "flat"
tunable = true
strict = true
terminals = true
guard = "off"
expose_parameters = true

[[material]]
name = "Rubber"
density = "1.1 g/cm3"
youngs_modulus = "10 MPa"
poissons_ratio = 0.5

[[material_pair]]
materials = ["Steel", "Rubber"]
restitution = 0.4
sliding_friction = 1
rolling_resistance = "2 %"
v_small = "1 mm/s"
w_small = "360 deg/s"

[[material_pair]]
materials = ["Rubber", "Rubber"]
restitution = 0.3
sliding_friction = 0.9
rolling_resistance = 0

[[body]]
name = "floor"
motion = "fixed"
[[body.shape]]
name = "ground"
half_space = {}
material = "Rubber"
[[body.shape]]
box = { lengths = [1, "20 cm", 0x2] }
position = [0, 0, 1_0]
orientation = [0.5, 0.5, -0.5, 0.5]
material = "DryWood"
contact_material = "Steel"
smoothing_radius = 0
contact_sphere_radius = "1 in"
flat = false
[[body.shape]]
name = "box_2"
sphere = { radius = "15 mm" }
material = "Aluminium"
collision = false
[[body.shape]]
box = { lengths = [1, 1, 1] }
position = [0, 0, -20]
material = "Steel"

[[body]]
name = "probe"
motion = "free"
position = [0, 0, 100]
rotation = { axis = [0, -3, 0], angle = "180 deg" }
velocity = ["36 km/h", 0, -1.5]
angular_velocity = ["360 deg/s", 0, 0]
mass = "500 g"
collision_group = "apart"
center_of_mass = [0, "1 cm", 0]
inertia = [["2 kg.m2", 0.25, 0], [0.25, 3, 0.5], [0, 0.5, 4]]
[[body.shape]]
sphere = { diameter = 1 }
material = "Steel"

[[body]]
name = "bare"
collision_group = "apart"
motion = "free"
position = [0, 0, 200]
mass = 2
inertia = { xx = 1, yy = "2 kg.m2", zz = 2, yz = "-50000 kg.mm2" }

[[force]]
name = "thrust"
body = "bare"
point = [0, 0, "-10 cm"]
axes = "body"
force = [0, 0, "5 kN"]
torque = [0, "20 N.mm", 0]

[[force]]
name = "shaker"
body = "probe"
sine = { force = [8, 0, 0], frequency = "2 Hz", phase = "90 deg" }

[[force]]
name = "rotor"
body = "probe"
axes = "world"
sine.torque = [0, 0, 1]
sine.angular_frequency = "500 mrad/s"

[[force]]
name = "measured"
body = "bare"
table = { times = [0, "10 ms", 1], force = [[0, 0, 0], ["5 N", 0, 0], [5, 0, 0]] }

[[force]]
name = "driven"
body = "bare"

[force.table]
interpolation = "spline"
times = [-1, 2]
torque = [[0, 0, 0], [0, "3 N.m", 1]]
"#;

fn shape(name: &str, form: Form, material: &str) -> ShapeDescription {
    let mut body = body(name, Motion::Free, form, [0.0; 3]);
    body.shapes[0].material = material.to_owned();
    body.shapes.remove(0)
}

/// Restitution, sliding friction, rolling resistance, and v_small and w_small where they are given.
fn pair(one: &str, two: &str, numbers: &[f64]) -> MaterialPair {
    let keys = [
        Number::Restitution,
        Number::SlidingFriction,
        Number::RollingResistance,
        Number::VSmall,
        Number::WSmall,
    ];
    MaterialPair {
        materials: [one.to_owned(), two.to_owned()],
        response: PairResponse::Law(LawChanges {
            numbers: keys.into_iter().zip(numbers.iter().copied()).collect(),
            ..LawChanges::default()
        }),
    }
}

fn shape_name(body: &str, shape: Option<&str>) -> ShapeName {
    ShapeName {
        body: body.to_owned(),
        shape: shape.map(str::to_owned),
    }
}

fn full_forces() -> Vec<ForceDescription> {
    let turn = std::f64::consts::TAU;
    vec![
        ForceDescription {
            point: [0.0, 0.0, -0.1],
            axes: ForceAxes::Body,
            ..force(
                "thrust",
                "bare",
                ForceProfile::Constant(vectors(Some([0.0, 0.0, 5000.0]), Some([0.0, 0.02, 0.0]))),
            )
        },
        force(
            "shaker",
            "probe",
            ForceProfile::Sine {
                amplitude: vectors(Some([8.0, 0.0, 0.0]), None),
                angular_frequency: 2.0 * turn,
                phase: 0.25 * turn,
            },
        ),
        force(
            "rotor",
            "probe",
            ForceProfile::Sine {
                amplitude: vectors(None, Some([0.0, 0.0, 1.0])),
                angular_frequency: 0.5,
                phase: 0.0,
            },
        ),
        force(
            "measured",
            "bare",
            ForceProfile::Table(ForceTable {
                times: vec![0.0, 0.01, 1.0],
                forces: vec![[0.0; 3], [5.0, 0.0, 0.0], [5.0, 0.0, 0.0]],
                torques: Vec::new(),
                interpolation: Interpolation::Linear,
            }),
        ),
        force(
            "driven",
            "bare",
            ForceProfile::Table(ForceTable {
                times: vec![-1.0, 2.0],
                forces: Vec::new(),
                torques: vec![[0.0; 3], [0.0, 3.0, 1.0]],
                interpolation: Interpolation::Spline,
            }),
        ),
    ]
}

fn full_description() -> SceneDescription {
    let turn = std::f64::consts::TAU;
    let floor = vec![
        shape("ground", Form::HalfSpace, "Rubber"),
        ShapeDescription {
            position: [0.0, 0.0, 10.0],
            orientation: [0.5, 0.5, -0.5, 0.5],
            contact_material: Some("Steel".to_owned()),
            smoothing_radius: Some(0.0),
            contact_sphere_radius: Some(0.0254),
            flat: Some(false),
            ..shape("box", cuboid([1.0, 0.2, 2.0]), "DryWood")
        },
        ShapeDescription {
            collision: false,
            ..shape("box_2", sphere(0.03), "Aluminium")
        },
        ShapeDescription {
            position: [0.0, 0.0, -20.0],
            ..shape("box_3", cuboid([1.0; 3]), "Steel")
        },
    ];
    let body = |name: &str, motion, height, shapes| BodyDescription {
        position: [0.0, 0.0, height],
        shapes,
        ..plain_body(name, motion, GivenMass::default())
    };
    let defaults = steel_scene(Vec::new());
    SceneDescription {
        name: "everything".to_owned(),
        gravity: Gravity::Point {
            mu: 3.986e14,
            center: [0.0, -6.371e6, 1.0],
        },
        bodies: vec![
            body("floor", Motion::Fixed, 0.0, floor),
            BodyDescription {
                // A half turn about -y: (cos 90 deg, -sin 90 deg y).
                orientation: [(0.25 * turn).cos(), 0.0, -1.0, 0.0],
                velocity: [10.0, 0.0, -1.5],
                angular_velocity: [turn, 0.0, 0.0],
                collision_group: Some("apart".to_owned()),
                mass: given_mass(0.5, [0.0, 0.01, 0.0], [2.0, 3.0, 4.0, 0.25, 0.0, 0.5]),
                ..body(
                    "probe",
                    Motion::Free,
                    100.0,
                    vec![shape("sphere", sphere(1.0), "Steel")],
                )
            },
            BodyDescription {
                collision_group: Some("apart".to_owned()),
                mass: GivenMass {
                    mass: Some(2.0),
                    center_of_mass: None,
                    inertia: Some([1.0, 2.0, 2.0, 0.0, 0.0, -0.05]),
                },
                ..body("bare", Motion::Free, 200.0, Vec::new())
            },
        ],
        materials: vec![
            material("Rubber", 1100.0, 1e7, 0.5),
            material("Steel", 8000.0, 2.0e11, 0.30),
            material("Aluminium", 2700.0, 6.9e10, 0.32),
            material("DryWood", 700.0, 1.1e10, 0.40),
        ],
        material_pairs: vec![
            pair("Steel", "Rubber", &[0.4, 1.0, 0.02, 0.001, turn]),
            pair("Rubber", "Rubber", &[0.3, 0.9, 0.0]),
            pair("Steel", "Steel", &[0.7, 0.5, 0.001]),
        ],
        forces: full_forces(),
        contact: ContactOptions {
            law: LawOptions {
                d_max: 500.0,
                flat_meshes: false,
                ..LawOptions::DEFAULT
            },
            k_red: 0.5,
            nz_max: Some(7),
            closest_distances: 3,
            smoothing_radius: 5e-4,
            ..defaults.contact
        },
        excluded: vec![[
            shape_name("floor", Some("box_3")),
            shape_name("probe", None),
        ]],
        report: Report::Pairs(vec![
            [
                shape_name("probe", None),
                shape_name("floor", Some("ground")),
            ],
            [shape_name("floor", None), shape_name("probe", None)],
        ]),
        experiment: Experiment {
            start_time: 60.0,
            stop_time: 70.0,
            tolerance: Some(1e-9),
            step_size: Some(1e-3),
            ..defaults.experiment
        },
        energy_balance: true,
        interface: InterfaceOptions {
            arrays: true,
            naming: Naming::Flat,
            tunable: true,
            strict: true,
            terminals: true,
            guard: Guard::Off,
            expose_parameters: true,
        },
        ..defaults
    }
}

#[test]
fn a_file_with_every_key_means_the_description_built_by_hand() {
    let loaded = load(FULL);
    assert_eq!(loaded.description, full_description());
    // Inferred damping has no bound.
    let warnings = loaded.warnings.to_string();
    assert_eq!(loaded.warnings.list.len(), 1, "{warnings}");
    assert!(warnings.contains("d_max has no effect"), "{warnings}");
}

fn minimal(contact: &str) -> String {
    format!(
        "format = 1\nname = \"a\"\n[world]\ngravity = \"none\"\n[contact]\n{contact}\n[experiment]\nstop_time = 1\n\
         [[body]]\nname = \"b\"\nmotion = \"free\"\n[[body.shape]]\nsphere = {{ diameter = 1 }}\nmaterial = \"Steel\"\n"
    )
}

#[test]
fn what_is_not_given_has_the_documented_default() {
    let loaded = load(&minimal(""));
    let defaults = steel_scene(Vec::new());
    let shapes = vec![shape("sphere", sphere(1.0), "Steel")];
    let expected = SceneDescription {
        name: "a".to_owned(),
        gravity: Gravity::None,
        bodies: vec![BodyDescription {
            shapes,
            ..plain_body("b", Motion::Free, GivenMass::default())
        }],
        materials: vec![material("Steel", 8000.0, 2.0e11, 0.30)],
        material_pairs: vec![pair("Steel", "Steel", &[0.7, 0.5, 0.001])],
        contact: ContactOptions {
            smoothing_radius: 1e-3,
            ..defaults.contact
        },
        ..defaults
    };
    assert_eq!(loaded.description, expected);
}

#[test]
fn an_override_of_the_interface_replaces_its_key_alone() {
    let file = InterfaceOptions {
        arrays: true,
        naming: Naming::Flat,
        ..InterfaceOptions::default()
    };
    let overrides = InterfaceOverrides {
        arrays: Some(false),
        strict: Some(true),
        ..InterfaceOverrides::default()
    };
    let expected = InterfaceOptions {
        arrays: false,
        naming: Naming::Flat,
        tunable: false,
        strict: true,
        terminals: false,
        guard: Guard::Importer,
        expose_parameters: false,
    };
    let text = minimal("") + "[interface]\narrays = true\nnaming = \"flat\"\n";
    let loaded = load(&text);
    assert_eq!(loaded.description.interface, file);
    let loaded = loaded.with_interface(overrides).unwrap();
    assert_eq!(loaded.description.interface, expected);
    assert_eq!(*loaded.scene.interface(), expected);
}

#[test]
fn a_preset_sets_every_item_and_an_item_overrides_it_alone() {
    let law = |contact: &str| load(&minimal(contact)).description.contact.law;
    for (name, preset) in LawOptions::WORDS.iter().copied() {
        let with = |item: &str| law(&format!("preset = {name:?}\n{item}"));
        assert_eq!(with(""), preset);
        for (word, restitution) in [
            ("regularized", RestitutionRule::Regularized),
            ("threshold", RestitutionRule::Threshold),
            ("constant", RestitutionRule::Constant),
        ] {
            // The default damping refuses a threshold.
            let damping = Damping::Exact;
            let expected = LawOptions {
                restitution,
                damping,
                ..preset
            };
            let text = format!("damping = \"exact\"\nrestitution_rule = {word:?}");
            assert_eq!(with(&text), expected);
        }
        for (word, damping) in [("exact", Damping::Exact), ("flores", Damping::Flores)] {
            if preset.restitution == RestitutionRule::Threshold {
                assert!(
                    problems(&minimal(&format!(
                        "preset = {name:?}\ndamping = \"inferred\""
                    )))
                    .contains("restitution_rule = \"threshold\" jumps with the impact speed")
                );
            }
            let expected = LawOptions { damping, ..preset };
            assert_eq!(with(&format!("damping = {word:?}")), expected);
        }
        for (word, pulling) in [("clamped", Pulling::Clamped), ("signed", Pulling::Signed)] {
            let expected = LawOptions { pulling, ..preset };
            assert_eq!(with(&format!("pulling = {word:?}")), expected);
        }
        // The depth that a preset with hysteresis has stays, as its half-width does.
        let depth = match preset.rule {
            ContactRule::Hysteresis { depth, .. } => depth,
            ContactRule::Touching => DepthRule::PastHysteresis,
        };
        let with_depth = |z_eps, depth| ContactRule::Hysteresis { z_eps, depth };
        for (item, rule) in [
            ("rule = \"touching\"", ContactRule::Touching),
            ("rule = \"hysteresis\"", with_depth(1e-8, depth)),
            (
                "z_eps = \"1 um\"\nrule = \"hysteresis\"",
                with_depth(1e-6, depth),
            ),
            (
                "depth = \"whole\"\nrule = \"hysteresis\"",
                with_depth(1e-8, DepthRule::Whole),
            ),
            (
                "depth = \"past_hysteresis\"\nrule = \"hysteresis\"",
                with_depth(1e-8, DepthRule::PastHysteresis),
            ),
        ] {
            assert_eq!(with(item), LawOptions { rule, ..preset });
        }
        let expected = LawOptions {
            d_max: 250.0,
            ..preset
        };
        assert_eq!(with("d_max = \"0.25 s/mm\""), expected);
    }
    let z_eps = 1e-7;
    let expected = LawOptions {
        rule: ContactRule::Hysteresis {
            z_eps,
            depth: DepthRule::PastHysteresis,
        },
        ..LawOptions::DEFAULT
    };
    assert_eq!(law("z_eps = 1e-7"), expected);
}

#[test]
fn a_quarter_turn_about_x_is_the_known_quaternion() {
    let text = minimal("").replace(
        "motion = \"free\"",
        "motion = \"free\"\nrotation = { axis = [1e-200, 0, 0], angle = \"90 deg\" }",
    );
    let [w, x, y, z] = load(&text).description.bodies[0].orientation;
    let h = std::f64::consts::FRAC_1_SQRT_2;
    assert!((w - h).abs() < 1e-15 && (x - h).abs() < 1e-15);
    assert_eq!([y, z], [0.0, 0.0]);
}

#[test]
fn a_material_of_the_file_replaces_the_built_in_one_with_a_warning() {
    let own = "[[material]]\nname = \"Steel\"\ndensity = 7850\nyoungs_modulus = \"210 GPa\"\npoissons_ratio = 0.3\n";
    let loaded = load(&format!("{}{own}", minimal("")));
    assert_eq!(
        loaded.description.materials,
        [material("Steel", 7850.0, 2.1e11, 0.3)]
    );
    assert_eq!(
        loaded.warnings.to_string(),
        "scene.toml:16:8: warning: material \"Steel\" replaces the built-in material of this name; the built-in \
         contact data of the name still apply"
    );
}

#[test]
fn a_pair_of_the_file_replaces_the_built_in_one_in_either_order() {
    let text = minimal("")
        + "[[body.shape]]\nposition = [9, 9, 9]\nsphere = { radius = 1 }\nmaterial = \"BilliardCue\"\n\
           [[material_pair]]\nmaterials = [\"BilliardCue\", \"BilliardBall\"]\nrestitution = 0.1\n\
           sliding_friction = 0.2\nrolling_resistance = 0.3\n\
           [[body.shape]]\nposition = [9, 9, 1]\nsphere = { radius = 1 }\nmaterial = \"BilliardBall\"\n";
    assert_eq!(
        load(&text).description.material_pairs,
        [
            pair("BilliardCue", "BilliardBall", &[0.1, 0.2, 0.3]),
            pair("Steel", "Steel", &[0.7, 0.5, 0.001]),
            pair("BilliardBall", "BilliardBall", &[1.0, 0.0, 0.0]),
            pair("BilliardCue", "BilliardCue", &[0.98, 0.0, 0.0]),
        ]
    );
}

#[test]
fn units_do_not_change_the_scene() {
    let bare = load(&minimal("smoothing_radius = 0.0007"));
    let with_unit = load(&minimal("smoothing_radius = \"0.7 mm\""));
    assert_eq!(bare.description, with_unit.description);
}

#[test]
fn other_spellings_of_toml_mean_the_same() {
    let dotted = "\u{feff}format = 1\r\nname = 'a'\r\nworld.gravity = \"none\"\r\nexperiment.stop_time = 1\r\n\
                  body = [{ name = 'b', motion = 'free', shape = [{ sphere.diameter = 1, material = 'Steel' }] }]";
    assert_eq!(load(dotted).description, load(&minimal("")).description);
}

/// Case TwoCollidingBalls of Modia3D: mass and inertia from its own computation.
#[test]
fn example_two_balls_has_the_bodies_of_the_case() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/two_balls/scene.toml");
    let loaded = read(&path).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(loaded.warnings.is_empty());
    let scene = &loaded.scene;
    assert_eq!(loaded.description.contact.law, LawOptions::MODIA3D_0_12);
    let [table, ball1, ball2] = &scene.bodies().raw else {
        panic!("three bodies");
    };
    assert_eq!(table.position.as_slice(), [0.0, 0.0, -0.01]);
    assert_eq!(ball1.position.as_slice(), [-1.3, 0.0, 0.03]);
    assert_eq!(ball1.velocity.as_slice(), [3.0, 0.0, 0.0]);
    assert_eq!(ball2.position.as_slice(), [0.0, 0.0, 0.03]);
    assert_eq!(ball2.velocity.as_slice(), [0.0; 3]);
    for ball in [ball1, ball2] {
        assert!((ball.mass.mass - 0.19995608921568309).abs() < 1e-15);
        for axis in 0..3 {
            let moment = ball.mass.inertia[(axis, axis)];
            assert!((moment - 7.198419211764591e-5).abs() < 1e-19);
        }
    }
    let radii: Vec<f64> = scene
        .shapes()
        .iter()
        .map(|s| s.contact_sphere_radius)
        .collect();
    assert_eq!(radii, [0.01, 0.03, 0.03]);
    let names: Vec<String> = scene.pairs().ids().map(|p| scene.pair_name(p)).collect();
    assert_eq!(names, ["table:ball1", "table:ball2", "ball1:ball2"]);
    let data = |pair: usize| {
        let choice = &scene.laws()[scene.pairs().get(PairId::from(pair)).material_pair].choice;
        [Number::Restitution, Number::SlidingFriction].map(|number| choice.number(number))
    };
    assert_eq!(data(0), [0.0, 0.8]);
    assert_eq!(data(2), [1.0, 0.0]);
}

#[test]
fn example_bouncing_ball_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bouncing_ball/scene.toml");
    let loaded = read(&path).unwrap_or_else(|problems| panic!("{problems}"));
    let [ground, ball] = &loaded.scene.bodies().raw else {
        panic!("two bodies");
    };
    assert_eq!(ground.position.as_slice(), [0.0, 0.0, -0.05]);
    assert_eq!(ball.position.as_slice(), [0.0, 0.0, 1.1]);
    assert_eq!(loaded.scene.layout().count(), 13);
    assert_eq!(loaded.scene.pair_name(PairId::from(0)), "ground:ball");
}

/// Pages of the book: a scene of all elements, the tables of all keys.
const SCENE_PAGE: &str = include_str!("../../../../book/src/reference/scene/index.md");
const KEYS_PAGE: &str = include_str!("../../../../book/src/reference/scene/keys.md");

#[test]
fn the_scene_of_the_documentation_is_read_without_a_problem() {
    let (_, rest) = SCENE_PAGE.split_once("```toml,scene\n").expect("a scene");
    let (scene, _) = rest.split_once("```").expect("its end");
    let loaded = crate::scene_file::parse(scene, "index.md").expect("a good scene");
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    assert_eq!(loaded.scene.pairs().len(), 1);
}

/// Set to write the schema and the tables of the page anew.
const REWRITE: &str = "CONTACT_FMU_REWRITE_SCHEMA";

fn is_up_to_date(file: &str, found: &str, expected: &str) -> bool {
    if found != expected && std::env::var_os(REWRITE).is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        std::fs::write(path, expected).unwrap();
        return true;
    }
    found == expected
}

#[test]
fn the_schema_in_the_repository_is_that_of_the_tables_of_keys() {
    let found = include_str!("../../../../scene.schema.json");
    let is_good = is_up_to_date("scene.schema.json", found, &schema::json());
    assert!(is_good, "{REWRITE}=1 rewrites scene.schema.json");
}

#[test]
fn the_tables_of_the_page_are_those_of_the_tables_of_keys() {
    let (before, rest) = KEYS_PAGE.split_once("<!-- keys: generated").unwrap();
    let (start, rest) = rest.split_once("-->\n").unwrap();
    let (_, after) = rest.split_once("<!-- keys: end -->").unwrap();
    let expected = format!(
        "{before}<!-- keys: generated{start}-->\n{}\n<!-- keys: end -->{after}",
        schema::page()
    );
    let is_good = is_up_to_date("book/src/reference/scene/keys.md", KEYS_PAGE, &expected);
    assert!(is_good, "{REWRITE}=1 rewrites the page of all keys");
}

#[test]
fn groups_and_exclusions_take_pairs_out() {
    let mut text = String::from(
        "format = 1\nname = \"a\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
         contact.exclude = [\"b0:floor\", \"floor.box:b1\"]\n\
         [[body]]\nname = \"floor\"\nmotion = \"fixed\"\n\
         shape = [{ half_space = {}, material = \"Steel\" }, { box.lengths = [1, 1, 1], material = \"Steel\" }]\n",
    );
    for ball in 0..4 {
        let group = ["", "collision_group = \"odd\""][ball % 2];
        text += &format!(
            "[[body]]\nname = \"b{ball}\"\nmotion = \"free\"\nposition = [{ball}, 0, 9]\n{group}\n\
             shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
        );
    }
    let scene = load(&text).scene;
    let names: Vec<String> = scene.pairs().ids().map(|p| scene.pair_name(p)).collect();
    assert_eq!(
        names,
        [
            "floor.half_space:b1",
            "floor.half_space:b2",
            "floor.half_space:b3",
            "floor.box:b2",
            "floor.box:b3",
            "b0:b1",
            "b0:b2",
            "b0:b3",
            "b1:b2",
            "b2:b3",
        ]
    );
}
