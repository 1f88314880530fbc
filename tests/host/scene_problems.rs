//! Every kind of problem of a scene file, through `check`, `build` and `simulate`: each line names
//! the file with line and column, never the top of the file, and all commands say the same.

use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// A good scene with one of each: material, pair, bodies of all kinds, joint, motion, force,
/// measurement.
const SCENE: &str = r#"format = 1
name = "case"

[world]
gravity = [0, 0, -9.81]

[contact]
k_red = 1

[experiment]
stop_time = "0.01 s"

[interface]
naming = "structured"

[[material]]
name = "Soft"
density = 1100
youngs_modulus = "10 MPa"
poissons_ratio = 0.5

[[material_pair]]
materials = ["Steel", "Soft"]
restitution = 0.4
sliding_friction = 0.9
rolling_resistance = 0.01

[[body]]
name = "floor"
motion = "fixed"

[[body.shape]]
box = { lengths = [1, 1, 0.1] }
material = "Steel"

[[body]]
name = "ball"
motion = "free"
position = [0, 0, 2]

[[body.shape]]
sphere = { diameter = 0.2 }
material = "Steel"

[[body]]
name = "mover"
motion = "prescribed"
position = [5, 0, 2]

[[motion]]
body = "mover"
table = { times = [0, 1], displacement = [[0, 0, 0], [1, 0, 0]], interpolation = "quintic" }

[[body]]
name = "arm"
motion = "joint"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }

[[joint]]
name = "hinge"
type = "revolute"
parent = "mover"
child = "arm"

[[force]]
name = "push"
body = "ball"
force = [0, 0, 1]

[[measurement]]
name = "tip"
from = "ball"
to = "arm"
"#;

fn run(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_fmu-build"))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

/// What the three commands say of a scene, the same of all.
fn problems(text: &str) -> String {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("scene.toml"), text).unwrap();
    fs::write(folder.path().join("text.so"), "no library").unwrap();
    fs::write(folder.path().join("text.obj"), "v 0 0 0\n").unwrap();
    let commands: [&[&str]; 4] = [
        &["check", "scene.toml"],
        &["build", "scene.toml", "-o", "a.fmu"],
        &["build", "scene.toml", "-o", "a.fmu", "--fmi", "2"],
        &["simulate", "scene.toml"],
    ];
    let said = commands.map(|command| run(&folder, command));
    for (command, other) in commands.iter().zip(&said) {
        assert_eq!(other.1, said[0].1, "{command:?}");
        assert_eq!(other.0, said[0].0, "{command:?}");
    }
    let [(code, text), ..] = said;
    assert!(
        code == Some(if text.is_empty() { 0 } else { 1 }),
        "{code:?}: {text}"
    );
    text
}

/// Each replaces a part of the scene and gives one problem: where, and a part of its text. The
/// place is the text at which line and column must point.
const CASES: [(&str, &str, &str, &str); 37] = [
    ("k_red = 1", "k_red = ", "\n\n[experiment", "TOML"),
    ("k_red = 1", "k_redd = 1", "k_redd", "unknown key"),
    ("k_red = 1", "k_red = true", "true", "k_red"),
    ("k_red = 1", "k_red = \"1 m\"", "\"1 m\"", "k_red"),
    (
        "k_red = 1",
        "k_red = 0",
        "0\n\n[exp",
        "must be in 1e-12..1e12",
    ),
    ("k_red = 1", "nz_max = 0", "0\n\n[exp", "nz_max"),
    ("k_red = 1", "z_eps = -1", "-1", "z_eps"),
    (
        "k_red = 1",
        "exclude = [\"ball:moon\"]",
        "\"ball:moon\"",
        "moon",
    ),
    (
        "k_red = 1",
        "report = [\"ball:moon\"]",
        "\"ball:moon",
        "moon",
    ),
    ("k_red = 1", "preset = \"modia\"", "\"modia\"", "preset"),
    ("\"0.01 s\"", "-1", "-1", "stop_time"),
    (
        "[experiment]\nstop_time = \"0.01 s\"",
        "[experiment]",
        "[experiment]",
        "stop_time",
    ),
    (
        "naming = \"structured\"",
        "expose = [\"moon.*\"]",
        "[\"moon",
        "moon",
    ),
    (
        "naming = \"structured\"",
        "naming = \"short\"",
        "\"short\"",
        "naming",
    ),
    ("[0, 0, -9.81]", "[0, 0]", "[0, 0]", "gravity"),
    ("density = 1100", "density = -1", "-1", "density"),
    (
        "name = \"floor\"",
        "name = \"the floor\"",
        "\"the floor\"",
        "ASCII",
    ),
    (
        "\"Steel\", \"Soft\"",
        "\"Steel\", \"Silk\"",
        "\"Silk\"",
        "Silk",
    ),
    (
        "restitution = 0.4",
        "restitution = 4",
        "4\nslid",
        "restitution",
    ),
    (
        "sliding_friction = 0.9\n",
        "",
        "[[material_pair]]",
        "sliding_friction",
    ),
    (
        "motion = \"fixed\"",
        "motion = \"fix\"",
        "\"fix\"",
        "motion",
    ),
    (
        "[[measurement]]",
        "[[measurement]]\nname = \"tip\"\nto = \"ball\"\nfrom = \"arm\"\n\n[[measurement]]",
        "\"tip\"\nfrom",
        "taken",
    ),
    ("name = \"floor\"", "name = \"time\"", "\"time\"", "time"),
    (
        "lengths = [1, 1, 0.1]",
        "lengths = [1, 1, 0]",
        "[1, 1, 0]",
        "lengths",
    ),
    (
        "box = { lengths = [1, 1, 0.1] }",
        "mesh = { file = \"text.obj\", unit = \"mm\" }",
        "\"text.obj\"",
        "text.obj",
    ),
    (
        "box = { lengths = [1, 1, 0.1] }",
        "mesh = { file = \"none.obj\", unit = \"mm\" }",
        "\"none.obj\"",
        "none.obj",
    ),
    (
        "box = { lengths = [1, 1, 0.1] }",
        "hull = { points = [[0,0,0],[1,0,0],[0,1,0],[1,1,0]] }",
        "[[0,0,0]",
        "points",
    ),
    (
        "[0, 0, 2]\n\n[[body.shape]]\nsph",
        "[0, 0, 0.1]\n\n[[body.shape]]\nsph",
        "[0, 0, 0.1]",
        "overlap",
    ),
    (
        "interpolation = \"quintic\"",
        "interpolation = \"cubic\"",
        "\"cubic\"",
        "interpolation",
    ),
    (
        "interpolation = \"quintic\"",
        "interpolation = \"linear\"",
        "{ times",
        "velocity jumps",
    ),
    ("times = [0, 1]", "times = [1, 0]", "[1, 0]", "times"),
    (
        "xx = 1, yy = 1, zz = 1",
        "xx = 0, yy = 0, zz = 0",
        "\"arm\"\n\n[[force",
        "moves no inertia",
    ),
    (
        "xx = 1, yy = 1, zz = 1",
        "xx = 9, yy = 1, zz = 1",
        "{ xx = 9",
        "inertia",
    ),
    (
        "parent = \"mover\"",
        "parent = \"arm\"",
        "\"arm\"\nchild",
        "arm",
    ),
    (
        "body = \"ball\"\nforce",
        "body = \"moon\"\nforce",
        "\"moon\"",
        "moon",
    ),
    ("to = \"arm\"", "to = \"moon\"", "\"moon\"", "moon"),
    (
        "[[force]]",
        "[[library]]\nname = \"laws\"\nfile = \"none.so\"\n\n[[force]]",
        "\"none.so\"",
        "none.so",
    ),
];

#[test]
#[ignore = "long: each interface"]
fn every_problem_has_its_place_in_every_command() {
    assert_eq!(problems(SCENE), "");
    for (part, replacement, place, text) in CASES {
        assert_eq!(SCENE.matches(part).count(), 1, "{part:?}");
        let scene = SCENE.replace(part, replacement);
        assert_eq!(scene.matches(place).count(), 1, "{place:?}");
        let said = problems(&scene);
        let heads = said.lines().filter(|line| line.starts_with("scene.toml:"));
        assert_eq!(heads.count(), 1, "{replacement:?}: {said}");
        let at = scene.find(place).unwrap();
        let line = scene[..at].matches('\n').count() + 1;
        let column = at - scene[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
        let head = format!("scene.toml:{line}:{column}: error: ");
        assert!(
            said.starts_with(&head),
            "{replacement:?}: {head}, but {said}"
        );
        assert!(said.contains(text), "{said}");
    }
}

/// A library that is no library, and laws that are not for the built-in pair that the scene uses.
#[test]
fn problems_beyond_the_text_have_a_place_too() {
    let library = "[[library]]\nname = \"laws\"\nfile = \"text.so\"\n\n[[force]]";
    let user = "law = \"user\"\nlibrary = \"laws\"\nnormal_function = \"f\"";
    let scene = SCENE
        .replace("[[force]]", library)
        .replace("restitution = 0.4", user);
    let said = problems(&scene);
    let line = scene[..scene.find("\"text.so\"").unwrap()]
        .matches('\n')
        .count()
        + 1;
    assert!(
        said.starts_with(&format!("scene.toml:{line}:8: error: ")),
        "{said}"
    );
    // A library before it that no law uses is not at fault.
    let unused = "[[library]]\nname = \"unused\"\nfile = \"text.obj\"\n\n[[library]]";
    let said = problems(&scene.replace("[[library]]", unused));
    let line = line + unused.matches('\n').count();
    assert!(
        said.starts_with(&format!("scene.toml:{line}:8: error: ")),
        "{said}"
    );
    // The built-in pair of steel is not in the file; the option that it does not suit is.
    let option = "restitution_rule = \"threshold\"";
    let said = problems(&SCENE.replace("k_red = 1", option));
    assert!(said.starts_with("scene.toml:8:20: error: "), "{said}");
    assert!(said.contains("\n"), "{said}");
    // With flat names `der(ball.position[1])` and `der_ball.position[1]` are one; the message
    // is at the ball, in line 37.
    let flat = SCENE.replace("naming = \"structured\"", "naming = \"flat\"");
    let second = "\n[[body]]\nname = \"der_ball\"\nmotion = \"free\"\nposition = [0, 0, 9]\nmass = 1\n\
        inertia = { xx = 1, yy = 1, zz = 1 }\n";
    let said = problems(&(flat + second));
    assert!(
        said.starts_with("scene.toml:37:8: error: ") && said.contains("der_ball"),
        "{said}"
    );
}
