//! `crosscheck export` as the user calls it: what it writes of a scene against closed forms.
//! `tests/importers/test_crosscheck.py` has the FMUs judged.

use super::command_line::{text, tool};
use super::files::{BALL, BOTH};
use fmu_build::package::platform::Platform;
use fmu_core::instance::Standard::{self, Fmi2, Fmi3};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zip::ZipArchive;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const PUSHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/scenes/pushed.toml");

fn number(standard: Standard) -> &'static str {
    match standard {
        Fmi2 => "2.0",
        Fmi3 => "3.0",
    }
}

/// The platform of this program by the names of the rules, which are those of FMI 2.0.
fn platform() -> &'static str {
    Platform::host().unwrap().folder(Fmi2)
}

/// Name and content of the files in a folder, sorted.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn exported(folder: &Path, standard: Standard, kind: &str, model: &str) -> PathBuf {
    let place = [
        "fmus",
        number(standard),
        kind,
        platform(),
        "fmu-build",
        VERSION,
        model,
    ];
    place.iter().fold(folder.to_owned(), |a, b| a.join(b))
}

fn export(arguments: &[&str], folder: &Path) -> Result<String, String> {
    let arguments = [&["crosscheck", "export"], arguments, &["-o", "."]].concat();
    let output = tool(&arguments, folder);
    match output.status.code() {
        Some(0) => Ok(text(&output.stdout).to_owned()),
        _ => Err(text(&output.stderr).to_owned()),
    }
}

/// The ball falls from rest: 1.1 m - g t^2/2 until it touches at 0.45 s.
#[test]
#[ignore = "long: seven references"]
fn an_export_has_the_files_of_the_rules_and_follows_free_fall() {
    let folder = TempDir::new().unwrap();
    export(&[BALL], folder.path()).unwrap();
    let mut all = Vec::new();
    for standard in BOTH {
        for kind in ["me", "cs"] {
            let place = exported(folder.path(), standard, kind, "bouncing_ball");
            let files = contents(&place);
            let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
            let expected = [
                "README.md",
                "bouncing_ball.fmu",
                "bouncing_ball_cc.csv",
                "bouncing_ball_ref.csv",
                "bouncing_ball_ref.opt",
            ];
            assert_eq!(names, expected);
            let reference = text(&files[3].1);
            let mut lines = reference.lines();
            let head = lines.next().unwrap();
            assert_eq!(head, "\"time\",\"ball.position[3]\",\"ball.velocity[3]\"");
            let rows: Vec<Vec<f64>> = lines
                .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
                .collect();
            let (rows_there, interval) = match kind {
                "me" => (1001, "0.003"),
                _ => (501, "0.006"),
            };
            assert_eq!(rows.len(), rows_there);
            for row in rows.iter().filter(|row| row[0] < 0.45) {
                let fallen = 1.1 - 4.905 * row[0] * row[0];
                assert!((row[1] - fallen).abs() < 1e-9, "{row:?}");
            }
            let options = text(&files[4].1);
            let step = if kind == "me" { "0" } else { "0.006" };
            let expected = format!(
                "StartTime, 0\nStopTime, 3\nStepSize, {step}\nRelTol, 1e-8\nOutputIntervalLength, {interval}\n"
            );
            assert_eq!(options, expected);
            all.push(files);
        }
    }
    // Made again, it is the same to the byte; restricted, it is a part of it.
    let again = TempDir::new().unwrap();
    export(&[BALL, "--fmi", "2", "--interface", "cs"], again.path()).unwrap();
    let place = exported(again.path(), Fmi2, "cs", "bouncing_ball");
    let part = contents(&place);
    assert!(!again.path().join("fmus/3.0").exists());
    assert!(!again.path().join("fmus/2.0/me").exists());
    assert_eq!(part[3], all[1][3]);
    export(&[BALL, "--fmi", "2", "--interface", "cs"], again.path()).unwrap();
    assert_eq!(contents(&place), part);
}

/// The FMU has its references inside, by the layered standard.
#[test]
fn the_exported_fmu_has_the_reference_inside() {
    let folder = TempDir::new().unwrap();
    export(&[PUSHED, "--fmi", "3"], folder.path()).unwrap();
    let place = exported(folder.path(), Fmi3, "me", "pushed");
    let mut zip = ZipArchive::new(File::open(place.join("pushed.fmu")).unwrap()).unwrap();
    let mut inside = |name: &str| {
        let mut content = String::new();
        let path = format!("extra/org.fmi-standard.fmi-ls-ref/{name}");
        let mut file = zip.by_name(&path).unwrap();
        file.read_to_string(&mut content).unwrap();
        content
    };
    let manifest = inside("fmi-ls-manifest.xml");
    assert!(manifest.contains("fmi-ls:fmi-ls-name=\"org.fmi-standard.fmi-ls-ref\""));
    assert!(manifest.contains("source=\"experiments.exp\" role=\"experiment/smoke-test\""));
    let experiments = inside("experiments.exp");
    assert!(
        experiments.contains("<Stimuli source=\"pushed_in.csv\""),
        "{experiments}"
    );
    for (kind, name) in [("me", "pushed_me_ref.csv"), ("cs", "pushed_cs_ref.csv")] {
        assert!(experiments.contains(&format!("<References source=\"{name}\"")));
        assert!(manifest.contains(&format!("source=\"{name}\" role=\"result\"")));
        let beside = exported(folder.path(), Fmi3, kind, "pushed").join("pushed_ref.csv");
        assert_eq!(inside(name), fs::read_to_string(beside).unwrap());
    }
    let inputs = fs::read_to_string(place.join("pushed_in.csv")).unwrap();
    assert_eq!(inside("pushed_in.csv"), inputs);
    // Without a table the inputs keep their start values; nothing moves then.
    let head = "\"time\",\"force.push.force[1]\",\"force.push.force[2]\",\"force.push.force[3]\"\n";
    assert_eq!(inputs, format!("{head}0,0,0,0\n1,0,0,0\n"));
}

/// 4 N/s t on 2 kg until 0.5 s, then 3 N: see
/// `an_input_that_jumps_acts_with_the_value_of_each_side`.
#[test]
fn inputs_with_a_jump_are_those_of_the_reference_also_as_arrays() {
    let folder = TempDir::new().unwrap();
    let table = "time,force.push.force[1]\n0,0\n0.5,2\n0.5,3\n1,3\n";
    fs::write(folder.path().join("table.csv"), table).unwrap();
    let scene = fs::read_to_string(PUSHED).unwrap() + "\n[interface]\narrays = true\n";
    fs::write(folder.path().join("pushed.toml"), scene).unwrap();
    let arguments = ["pushed.toml", "--interface", "me", "--input", "table.csv"];
    export(&arguments, folder.path()).unwrap();
    for (standard, head, input, width) in [
        (
            Fmi2,
            "\"time\",\"force.push.force[1]\"\n0,0\n0.5,2\n0.5,3\n",
            "ball.position[1]",
            1,
        ),
        (
            Fmi3,
            "\"time\",\"force.push.force\"\n0,0 0 0\n0.5,2 0 0\n0.5,3 0 0\n",
            "ball.position",
            3,
        ),
    ] {
        let place = exported(folder.path(), standard, "me", "pushed");
        let inputs = fs::read_to_string(place.join("pushed_in.csv")).unwrap();
        assert!(inputs.starts_with(head), "{inputs}");
        let reference = fs::read_to_string(place.join("pushed_ref.csv")).unwrap();
        assert!(
            reference.starts_with(&format!("\"time\",\"{input}\",")),
            "{reference}"
        );
        let last: Vec<&str> = reference.lines().last().unwrap().split(',').collect();
        let x: Vec<f64> = last[1].split(' ').map(|v| v.parse().unwrap()).collect();
        assert_eq!(x.len(), width);
        let end = 0.125 / 3.0 + 0.25 * 0.5 + 0.5 * 1.5 * 0.25;
        assert!((x[0] - end).abs() < 1e-9, "{x:?}");
    }
}

/// The least library for 64-bit Windows, with the stamp of these sources: the PE header at 0x40 names the
/// machine 0x8664, no section, and an optional header of 240 bytes with 16 empty directories.
#[test]
#[ignore = "long: seven references"]
fn each_platform_of_the_fmu_has_its_folder_and_only_this_one_an_own_result() {
    let folder = TempDir::new().unwrap();
    let mut library = vec![0; 0x200];
    library[..2].copy_from_slice(b"MZ");
    library[0x3c] = 0x40;
    library[0x40..0x46].copy_from_slice(b"PE\0\0\x64\x86");
    library[0x54..0x5a].copy_from_slice(&[0xf0, 0, 0x22, 0x20, 0x0b, 0x02]);
    library[0xc4] = 16;
    library.extend(fmu_core::SOURCE.bytes());
    fs::write(folder.path().join("contact.dll"), library).unwrap();
    let arguments = [
        PUSHED,
        "--interface",
        "cs",
        "--binary",
        "x86_64-windows=contact.dll",
    ];
    export(&arguments, folder.path()).unwrap();
    for standard in BOTH {
        let place = exported(folder.path(), standard, "cs", "pushed");
        let here = contents(&place);
        let platform = std::path::Component::Normal(platform().as_ref());
        let parts = place.components().map(|part| match part == platform {
            true => std::path::Component::Normal("win64".as_ref()),
            false => part,
        });
        let there = contents(&parts.collect::<PathBuf>());
        let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
            files.iter().map(|(name, _)| name.clone()).collect()
        };
        let mut expected = names(&here);
        expected.retain(|name| name != "pushed_cc.csv");
        assert_eq!(names(&here).len(), expected.len() + 1);
        assert_eq!(names(&there), expected);
    }
    // Exported again without inputs of the same name, nothing of the former export is left.
    for standard in BOTH {
        let place = exported(folder.path(), standard, "cs", "pushed");
        let there = place.to_str().unwrap().replace(platform(), "win64");
        fs::write(Path::new(&there).join("pushed_cc.csv"), "old").unwrap();
        fs::write(Path::new(&there).join("notes.txt"), "mine").unwrap();
    }
    export(&arguments, folder.path()).unwrap();
    for standard in BOTH {
        let place = exported(folder.path(), standard, "cs", "pushed");
        let there = PathBuf::from(place.to_str().unwrap().replace(platform(), "win64"));
        assert!(!there.join("pushed_cc.csv").exists());
        assert!(there.join("notes.txt").exists() && there.join("pushed_in.csv").exists());
        assert!(place.join("pushed_cc.csv").exists());
    }
    // The same model without inputs.
    let scene = fs::read_to_string(BALL).unwrap();
    let scene = scene.replace("\"bouncing_ball\"", "\"pushed\"");
    fs::write(folder.path().join("pushed.toml"), scene).unwrap();
    let scene = ["pushed.toml", "--fmi", "2", "--interface", "cs"];
    let place = exported(folder.path(), Fmi2, "cs", "pushed");
    assert!(place.join("pushed_in.csv").exists());
    export(&scene, folder.path()).unwrap();
    assert!(!place.join("pushed_in.csv").exists());
}

#[test]
#[ignore = "long: each command and interface"]
fn named_variables_are_the_reference_and_a_fault_writes_nothing() {
    let folder = TempDir::new().unwrap();
    let scene = ["--fmi", "2", "--interface", "cs", "--stop", "0.3"];
    let with = |more: &[&str]| export(&[&[BALL], &scene[..], more].concat(), folder.path());
    let error = with(&["--output", "ball.positon[3]"]).unwrap_err();
    assert!(
        error.contains("the nearest name is \"ball.position[3]\""),
        "{error}"
    );
    fs::write(folder.path().join("table.csv"), "time,u\n0,0\n1,1\n").unwrap();
    let error = with(&["--input", "table.csv"]).unwrap_err();
    assert!(error.contains("no input"), "{error}");
    let error = export(&[BALL, "--stop", "-1"], folder.path()).unwrap_err();
    assert!(error.contains("stop time is -1 s"), "{error}");
    let eleven = ["--output", "ball.mass"].repeat(11);
    let error = with(&eleven).unwrap_err();
    assert!(error.contains("names 11 variables"), "{error}");
    assert!(!folder.path().join("fmus").exists());
    with(&["--output", "energy.kinetic", "--output", "ball.mass"]).unwrap();
    let place = exported(folder.path(), Fmi2, "cs", "bouncing_ball");
    let reference = fs::read_to_string(place.join("bouncing_ball_ref.csv")).unwrap();
    assert!(
        reference.starts_with("\"time\",\"energy.kinetic\",\"ball.mass\"\n"),
        "{reference}"
    );
    assert!(reference.lines().last().unwrap().starts_with("0.3,"));
}
