//! `simulate` and `inspect` as the user calls them: output, exit codes, files.

use super::files::{BALL, BOTH, archive, ball, mock_with};
use fmu_core::instance::Standard::{Fmi2, Fmi3};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The tool, run in a folder.
pub fn tool(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fmu-build"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// What the tool says.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn simulate_leaves_fmu_csv_plot_and_events_in_a_folder_of_the_name_of_the_scene() {
    let folder = TempDir::new().unwrap();
    let output = tool(&["simulate", BALL], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let results = folder.path().join("out").join("bouncing_ball");
    let expected = [
        "bouncing_ball.csv",
        "bouncing_ball.fmu",
        "bouncing_ball.svg",
        "events.csv",
    ];
    assert_eq!(names(&results), expected);
    let said = text(&output.stdout);
    for part in [
        "13 states, 1 event indicators",
        "0.4515236",
        "4.4294",
        "final pose at 3 s",
        "derivative calls",
        "wall time",
        "bouncing_ball.svg",
    ] {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
    // Start, and the 500 steps of the default experiment.
    let csv = fs::read_to_string(results.join("bouncing_ball.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 501);
    assert!(csv.starts_with("time,ball.position[1],"), "{}", &csv[..60]);
    assert!(csv.lines().last().unwrap().starts_with("3,"));
}

/// A column of a CSV file.
fn column(csv: &str, name: &str) -> Vec<f64> {
    let place = csv
        .lines()
        .next()
        .unwrap()
        .split(',')
        .position(|n| n == name);
    let rows = csv.lines().skip(1);
    let cell = |row: &str| row.split(',').nth(place.expect(name)).unwrap().to_owned();
    rows.map(|row| cell(row).parse().expect(name)).collect()
}

/// The ball bounces from rest to rest in 3 s: the impulses of all steps are m g T.
#[test]
fn reported_contacts_are_columns_and_a_truth_value_is_0_or_1() {
    let folder = TempDir::new().unwrap();
    let scene = fs::read_to_string(BALL).unwrap();
    let reporting = "[contact]\nreport = [\"ball:ground\"]";
    let scene = scene.replace("[contact]", reporting);
    fs::write(folder.path().join("scene.toml"), scene).unwrap();
    let mut of_versions = Vec::new();
    for version in ["2", "3"] {
        let options = [
            "simulate",
            "scene.toml",
            "--interface",
            "cs",
            "--fmi",
            version,
        ];
        let output = tool(&options, folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let results = folder.path().join("out").join("bouncing_ball");
        let csv = fs::read_to_string(results.join("bouncing_ball.csv")).unwrap();
        let of = |name: &str| column(&csv, &format!("contact.ground.ball.{name}"));
        let touching = of("in_contact");
        assert!(touching.iter().all(|truth| *truth == 0.0 || *truth == 1.0));
        let both = touching.contains(&0.0) && touching.contains(&1.0);
        assert!(both, "steps end in flight and at rest");
        let events = fs::read_to_string(results.join("events.csv")).unwrap();
        let starts = events.lines().filter(|line| line.contains("start")).count();
        assert_eq!(of("count").last(), Some(&(starts as f64)));
        let sum: f64 = of("impulse[3]").iter().sum();
        let weight = 8000.0 * std::f64::consts::PI / 6.0 * 0.2_f64.powi(3) * 9.81;
        assert!((sum / (3.0 * weight) - 1.0).abs() < 1e-6, "{sum}");
        of_versions.push((touching, of("impulse[3]"), of("count")));
    }
    assert_eq!(of_versions[0], of_versions[1]);
}

/// The tool with this folder for its temporary files.
#[cfg(unix)]
fn tool_with_temporary(temporary: &Path, arguments: &[&str], folder: &Path) -> Output {
    fs::create_dir_all(temporary).unwrap();
    Command::new(env!("CARGO_BIN_EXE_fmu-build"))
        .args(arguments)
        .current_dir(folder)
        .env("TMPDIR", temporary)
        .output()
        .unwrap()
}

#[test]
#[cfg(unix)]
fn an_fmu_of_fmi_2_hears_the_uri_of_its_resources() {
    let folder = TempDir::new().unwrap();
    mock_with(&folder, Fmi2, "location", ("", ""));
    let temporary = folder.path().join("gr\u{fc}n %41 #?");
    let output = tool_with_temporary(&temporary, &["simulate", "mock.fmu"], folder.path());
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let place = said.find("file:///").expect("a URI");
    let uri = said[place..].split_whitespace().next().unwrap();
    assert!(uri.contains("/gr%C3%BCn%20%2541%20%23%3F/"), "{uri}");
    assert!(uri.ends_with("/resources"), "{uri}");
}

#[test]
#[cfg(unix)]
#[ignore = "long: each interface"]
fn a_scene_runs_as_fmi_2_from_any_folder_with_the_numbers_of_fmi_3() {
    let folder = TempDir::new().unwrap();
    let temporary = folder.path().join("gr\u{fc}n %41 #?");
    let run = |version: &str, interface: &str| {
        let out = format!("{version}{interface}");
        let [scene, fmi] = [["simulate", BALL], ["--fmi", version]];
        let line = [scene, fmi, ["--interface", interface], ["--out", &out]].concat();
        let output = tool_with_temporary(&temporary, &line, folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let out = folder.path().join(out);
        let inspected = tool(&["inspect", "bouncing_ball.fmu"], &out);
        let head = format!("FMI version       {version}.0");
        assert!(text(&inspected.stdout).contains(&head));
        ["bouncing_ball.csv", "events.csv"].map(|name| fs::read(out.join(name)).unwrap())
    };
    for interface in ["cs", "me"] {
        assert!(run("2", interface) == run("3", interface), "{interface}");
    }
}

#[test]
fn an_fmu_of_any_origin_is_simulated_by_the_interface_asked_for() {
    let folder = TempDir::new().unwrap();
    for standard in BOTH {
        mock_with(&folder, standard, "plain", ("", ""));
        for (interface, word) in [("cs", "Co-Simulation"), ("me", "Model Exchange")] {
            let line = [
                "simulate",
                "mock.fmu",
                "--interface",
                interface,
                "--out",
                interface,
            ];
            let output = tool(&line, folder.path());
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            assert!(text(&output.stdout).starts_with(&format!("mock: {word}, 0 s to 1 s")));
            let results = folder.path().join(interface);
            assert_eq!(names(&results), ["mock.csv", "mock.svg"]);
            fs::remove_dir_all(results).unwrap();
        }
    }
}

#[test]
fn a_failed_simulation_leaves_its_rows_and_ends_with_1() {
    let folder = TempDir::new().unwrap();
    mock_with(&folder, Fmi3, "discard", ("", ""));
    let output = tool(&["simulate", "mock.fmu"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(
        text(&output.stderr).starts_with("mock.fmu: fmi3DoStep"),
        "{}",
        text(&output.stderr)
    );
    let left = "mock.csv has 5 rows up to t = 0.5 s";
    let said = text(&output.stderr);
    assert!(said.trim_end().ends_with(left), "{said}");
    let results = folder.path().join("out").join("mock");
    assert_eq!(names(&results), ["mock.csv", "mock.svg"]);
    let csv = fs::read_to_string(results.join("mock.csv")).unwrap();
    assert_eq!(csv.lines().count(), 6);
}

#[test]
fn bad_files_end_with_1_and_bad_command_lines_with_2() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("bad.toml"), "format = 1\nname = 3\n").unwrap();
    fs::write(folder.path().join("bad.fmu"), "no archive").unwrap();
    let one = r#"<fmiModelDescription fmiVersion="1.0" modelName="m" guid="g"/>"#;
    let entry = ("modelDescription.xml".to_owned(), one.as_bytes().to_vec());
    archive(&folder.path().join("one.fmu"), &[entry]);
    mock_with(&folder, Fmi3, "plain", ("", ""));
    let cases: [(&[&str], i32, &str); 11] = [
        (&["simulate", "bad.toml"], 1, "bad.toml:2:"),
        (&["check", "bad.toml"], 1, "bad.toml:2:"),
        (&["build", "bad.toml", "-o", "a.fmu"], 1, "bad.toml:2:"),
        (&["simulate", "bad.fmu"], 1, "bad.fmu: "),
        (&["inspect", "one.fmu"], 1, "FMI version \"1.0\""),
        (
            &["simulate", "mock.fmu", "--fmi", "2"],
            1,
            "FMI version 3.0",
        ),
        (
            &["simulate", "mock.fmu", "--binary", "x86_64-linux=a.so"],
            1,
            "choose those of an FMU that is made of a scene",
        ),
        (
            &["build", BALL, "-o", "nowhere/a.fmu"],
            1,
            "cannot write nowhere/a.fmu: there is no such folder",
        ),
        (&["simulate", BALL, "--stop", "-1"], 1, "stop time is -1 s"),
        (&["simulate"], 2, "Usage"),
        (&["simulate", BALL, "--interface", "both"], 2, "both"),
    ];
    for (arguments, code, part) in cases {
        let output = tool(arguments, folder.path());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
}

#[test]
fn a_reader_that_stops_listening_is_no_error() {
    let folder = TempDir::new().unwrap();
    let path = ball(&folder, Fmi2);
    let mut child = Command::new(env!("CARGO_BIN_EXE_fmu-build"))
        .arg("inspect")
        .arg(path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

/// The commands that the project's own README shows, in its folder.
#[test]
fn the_commands_of_the_readme_of_a_new_project_work() {
    let folder = TempDir::new().unwrap();
    let output = tool(&["new", "rig"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout).lines().last(),
        Some("next: fmu-build simulate rig/rig.toml")
    );
    let project = folder.path().join("rig");
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    let (_, block) = readme.split_once("```\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let commands = block.lines().map(|line| line.split('#').next().unwrap());
    let mut count = 0;
    for command in commands {
        let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
        let output = tool(&arguments, &project);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "", "{command}");
        count += 1;
    }
    assert_eq!(count, 3);
    // It bounces: more than one contact starts.
    let events = fs::read_to_string(project.join("out/rig/events.csv")).unwrap();
    assert!(events.matches(",start,").count() > 2, "{events}");
    assert!(project.join("rig.fmu").is_file() && project.join("laws/impact.svg").is_file());
    let again = tool(&["new", "rig"], folder.path());
    assert_eq!(again.status.code(), Some(1));
}

/// Escape and bell are no characters of XML; U+009B is that of a terminal, U+202E turns text around.
#[test]
fn control_characters_of_a_foreign_fmu_do_not_reach_the_terminal() {
    let folder = TempDir::new().unwrap();
    let change = |text: &str| format!("modelName=\"mock\" description=\"{text}\"");
    let inspect = |text: &str| {
        let change = change(text);
        let path = mock_with(&folder, Fmi3, "token", ("modelName=\"mock\"", &change));
        tool(&["inspect", path.to_str().unwrap()], folder.path())
    };
    let output = inspect("a&#x9b;2J\u{202e}b\u{2066}");
    assert_eq!(output.status.code(), Some(0));
    let shown = text(&output.stdout);
    assert!(shown.contains("a\\u{9b}2J\\u{202e}b\\u{2066}\n"), "{shown}");
    let output = inspect("&#x1b;[2J");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("U+001B"), "{output:?}");
}
