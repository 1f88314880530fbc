//! `--set` of `build` and `simulate`: an FMU with other start values is that of the scene file with
//! these values, and a run with them set through FMI gives the same numbers.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use zip::ZipArchive;

/// A ball on a plate, and an arm on a spring; Soft on Steel has a pair of its own.
const SCENE: &str = r#"format = 1
name = "case"
world.gravity = [0, 0, -9.81]
experiment.stop_time = 0.5

[[material]]
name = "Soft"
density = 1100
youngs_modulus = "10 MPa"
poissons_ratio = 0.4

[[material_pair]]
materials = ["Steel", "Soft"]
restitution = 0.4
sliding_friction = 0.9

[[body]]
name = "plate"
motion = "fixed"
[[body.shape]]
half_space = {}
material = "Steel"

[[body]]
name = "ball"
motion = "free"
position = [0, 0, 0.15]
mass = 2
inertia = { xx = 0.01, yy = 0.01, zz = 0.01 }
[[body.shape]]
sphere = { diameter = 0.2 }
material = "Soft"

[[body]]
name = "arm"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }

[[joint]]
name = "slide"
type = "prismatic"
parent = "world"
child = "arm"
displacement = { start = 0.1, spring = { stiffness = 100 } }
"#;

/// What is set, and what the scene file has in place of what.
const CHANGES: [(&str, &str, &str); 6] = [
    ("ball.position[3]=16 cm", "[0, 0, 0.15]", "[0, 0, 0.16]"),
    ("slide.displacement=150 mm", "start = 0.1", "start = 0.15"),
    ("world.gravity[3]=-1625 mm/s2", "-9.81", "-1.625"),
    (
        "material_pair.Steel.Soft.restitution=25 %",
        "restitution = 0.4",
        "restitution = 0.25",
    ),
    (
        "slide.displacement_spring_stiffness=0.25 N/mm",
        "stiffness = 100",
        "stiffness = 250",
    ),
    (
        "slide.displacement_spring_rest=0.0625",
        "= 100",
        "= 100, rest = 0.0625",
    ),
];

fn tool(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_fmu-build"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn good(folder: &Path, arguments: &[&str]) {
    assert_eq!(
        tool(folder, arguments),
        (Some(0), String::new()),
        "{arguments:?}"
    );
}

/// A folder with the scene and the edited one.
fn scenes(changes: &[(&str, &str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    let edited = changes
        .iter()
        .rev()
        .fold(SCENE.to_owned(), |text, (_, old, new)| {
            assert_eq!(text.matches(old).count(), 1, "{old}");
            text.replace(old, new)
        });
    fs::write(folder.path().join("edited.toml"), edited).unwrap();
    folder
}

fn with_settings<'a>(arguments: &[&'a str], changes: &[(&'a str, &str, &str)]) -> Vec<&'a str> {
    let settings = changes.iter().flat_map(|(setting, ..)| ["--set", setting]);
    arguments.iter().copied().chain(settings).collect()
}

/// Names and bytes of the files in an FMU; of the page what comes before the scene file and the
/// values that are set, which it shows as they are.
fn contents(fmu: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(File::open(fmu).unwrap()).unwrap();
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        if name == "documentation/index.html" {
            let page = String::from_utf8(content).unwrap();
            let (before, scene) = page.split_once("<h2 id=\"scene\">").unwrap();
            assert!(scene.contains("format = 1"), "{scene}");
            content = before.into();
        }
        files.push((name, content));
    }
    files
}

#[test]
fn build_makes_the_fmu_of_the_edited_scene_file_to_the_byte() {
    let folder = scenes(&CHANGES);
    let folder = folder.path();
    for fmi in ["2", "3"] {
        let set = ["build", "scene.toml", "-o", "set.fmu", "--fmi", fmi];
        good(folder, &with_settings(&set, &CHANGES));
        good(
            folder,
            &["build", "edited.toml", "-o", "edited.fmu", "--fmi", fmi],
        );
        let [set, edited] = ["set.fmu", "edited.fmu"].map(|file| contents(&folder.join(file)));
        assert!(set == edited, "FMI {fmi}");
    }
}

/// Of a scene file and of an FMU, in both versions, with both interfaces.
#[test]
#[ignore = "long: FMUs of each interface"]
fn simulate_gives_the_numbers_of_the_edited_scene_file_to_the_bit() {
    let folder = scenes(&CHANGES);
    let folder = folder.path();
    let csv = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    for (fmi, interface) in [("2", "cs"), ("2", "me"), ("3", "cs"), ("3", "me")] {
        let fmi = ["--fmi", fmi];
        let build = ["build", "scene.toml", "-o", "case.fmu"];
        good(folder, &[&build[..], &fmi].concat());
        let run = |input, out| {
            let run = ["simulate", input, "--out", out, "--interface", interface];
            [&run[..], &fmi].concat()
        };
        good(folder, &run("edited.toml", "edited"));
        good(folder, &run("scene.toml", "plain"));
        assert_ne!(csv("plain/case.csv"), csv("edited/case.csv"));
        for input in ["scene.toml", "case.fmu"] {
            good(folder, &with_settings(&run(input, "set"), &CHANGES));
            assert!(
                csv("set/case.csv") == csv("edited/case.csv"),
                "{input} {fmi:?} {interface}"
            );
        }
    }
}

/// The mass scales the inertia, as for every importer: 0.01 kg.m2 of 2 kg are 0.0025 of 0.5 kg.
#[test]
#[ignore = "long: each command and interface"]
fn a_mass_means_the_same_in_build_and_in_simulate() {
    let changes = [
        ("ball.mass=500 g", "mass = 2", "mass = 0.5"),
        (
            "",
            "xx = 0.01, yy = 0.01, zz = 0.01",
            "xx = 0.0025, yy = 0.0025, zz = 0.0025",
        ),
    ];
    let folder = scenes(&changes);
    let folder = folder.path();
    let set = &changes[..1];
    good(
        folder,
        &with_settings(&["build", "scene.toml", "-o", "set.fmu"], set),
    );
    good(folder, &["build", "edited.toml", "-o", "edited.fmu"]);
    let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(contents(&folder.join("set.fmu")) == contents(&folder.join("edited.fmu")));
    good(folder, &["simulate", "edited.fmu", "--out", "edited"]);
    good(
        folder,
        &with_settings(&["simulate", "scene.toml", "--out", "set"], set),
    );
    assert!(bytes("set/case.csv") == bytes("edited/edited.csv"));
}

#[test]
#[ignore = "long: FMUs of each interface"]
fn names_are_those_of_the_fmu_whatever_its_interface() {
    let folder = scenes(&[]);
    let folder = folder.path();
    for (naming, arrays, names) in [
        (
            "structured",
            "false",
            ["world.gravity[3]", "ball.inertia[1,2]"],
        ),
        (
            "structured",
            "true",
            ["world.gravity[3]", "ball.inertia[4]"],
        ),
        ("flat", "false", ["world_gravity_3", "ball_inertia_1_2"]),
        ("flat", "true", ["world_gravity[3]", "ball_inertia[4]"]),
    ] {
        let naming = format!("--naming={naming}");
        let arrays = format!("--arrays={arrays}");
        let [gravity, inertia] = names;
        let settings = [format!("{gravity}=-1.5"), format!("{inertia}=0.001")];
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let settings: Vec<&str> = settings.collect();
        let build = |file| ["build", "scene.toml", "-o", file, &naming, &arrays];
        good(folder, &build("plain.fmu"));
        good(folder, &[&build("set.fmu")[..], &settings].concat());
        good(
            folder,
            &[&["simulate", "plain.fmu"][..], &settings].concat(),
        );
        good(folder, &["simulate", "set.fmu"]);
        let csv = |name: &str| fs::read(folder.join(format!("out/{name}/{name}.csv"))).unwrap();
        assert!(csv("plain") == csv("set"), "{naming} {arrays}");
    }
}

#[test]
fn both_commands_refuse_with_the_same_words_and_write_nothing() {
    let folder = scenes(&[]);
    let folder = folder.path();
    for (settings, said) in [
        (
            &["bal.mass=1"][..],
            "--set bal.mass: is not known; did you mean \"ball.mass\"?; fmu-build inspect FILE.fmu lists all ",
        ),
        (
            &["ball.mass=1 s"],
            "--set ball.mass: is \"1 s\"; \"s\" is a time unit, expected a mass; units of a mass: kg, g, mg, ug, t, lb, oz, slug\n",
        ),
        (
            &["ball.mass=1", "ball.mass=2"],
            "--set ball.mass: is given twice; keep one of the two\n",
        ),
        (
            &["ball.contact_force[3]=1"],
            "--set ball.contact_force[3]: has causality \"output\" and no start value; only parameters and states can be set\n",
        ),
        (
            &["ball.mass=-1"],
            "parameter ball.mass is -1; must be >= 1e-40\n",
        ),
        (
            &["material_pair.Steel.Soft.restitution=1.5"],
            "parameter material_pair.Steel.Soft.restitution is 1.5; must be in 0..1\n",
        ),
    ] {
        let settings = settings.iter().flat_map(|setting| ["--set", *setting]);
        let settings: Vec<&str> = settings.collect();
        for command in [
            &["build", "scene.toml", "-o", "a.fmu"][..],
            &["simulate", "scene.toml"],
        ] {
            let (code, found) = tool(folder, &[command, &settings[..]].concat());
            assert_eq!(code, Some(1), "{settings:?}");
            assert!(found.contains(said), "{said}, but {found}");
        }
        assert!(!folder.join("a.fmu").exists());
        assert!(!folder.join("out/case/case.csv").exists());
    }
    let (code, _) = tool(folder, &["simulate", "scene.toml", "--set", "ball.mass"]);
    assert_eq!(code, Some(2));
}
