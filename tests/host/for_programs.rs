//! The command line as programs use it: scenes from standard input, JSON lines, progress.

use super::files::{BALL, mock_with};
use fmu_core::instance::Standard::{Fmi2, Fmi3};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Runs the tool with a text as standard input.
fn tool(arguments: &[&str], folder: &Path, input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fmu-build"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A tool that reads nothing may have ended by now.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// The lines of standard error that are not empty, each of which must be a JSON object with a type.
fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stderr).unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).expect(line));
    let lines: Vec<Value> = lines.collect();
    assert!(lines.iter().all(|line| line["type"].is_string()), "{text}");
    lines
}

fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

fn scene() -> String {
    fs::read_to_string(BALL).unwrap()
}

#[test]
fn a_scene_from_standard_input_is_built_into_a_folder_as_its_file_is() {
    let folder = TempDir::new().unwrap();
    let json = ["--format", "json"];
    let built = tool(
        &[&["build", "-"][..], &json].concat(),
        folder.path(),
        &scene(),
    );
    assert_eq!(built.status.code(), Some(0), "{built:?}");
    let written = json!({"type": "written", "file": "./bouncing_ball.fmu"});
    assert_eq!(lines(&built), [written]);
    let of_file = tool(&["build", BALL, "-o", "b.fmu"], folder.path(), "");
    assert_eq!(of_file.status.code(), Some(0), "{of_file:?}");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("bouncing_ball.fmu") == read("b.fmu"));
}

#[test]
fn problems_of_a_scene_from_standard_input_are_json_lines_with_their_places() {
    let folder = TempDir::new().unwrap();
    let bad = scene().replace("[experiment]", "[experimnt]\nx = ");
    for command in ["check", "build", "simulate"] {
        let output = tool(&[command, "-", "--format=json"], folder.path(), &bad);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let lines = lines(&output);
        let problems = of_type(&lines, "problem");
        assert_eq!(problems.len(), lines.len());
        let first = bad.lines().position(|line| line == "x = ").unwrap() + 1;
        let found = problems
            .iter()
            .find(|line| line["line"] == first)
            .expect("the line");
        assert_eq!(found["file"], "<stdin>");
        assert_eq!(found["severity"], "error");
        assert_eq!(found["kind"], "scene");
        assert!(found["column"].is_u64());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_wrong_command_line_and_a_wrong_setting_are_json_lines_of_their_kind() {
    let folder = TempDir::new().unwrap();
    let cases: [(&[&str], i32, &str); 3] = [
        (&["build", "-", "--fmi", "1"], 2, "usage"),
        (&["build", BALL, "--set", "bal.mass=1"], 1, "setting"),
        (&["inspect", "none.fmu"], 1, "other"),
    ];
    for (arguments, code, kind) in cases {
        let all = [arguments, &["--format", "json"]].concat();
        let output = tool(&all, folder.path(), "");
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let lines = lines(&output);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(lines[0]["kind"], kind, "{lines:?}");
        let message = lines[0]["message"].as_str().unwrap();
        assert!(!message.starts_with("error"), "{message}");
    }
    let help = tool(&["build", "--help", "--format", "json"], folder.path(), "");
    assert_eq!(help.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&help.stdout).contains("--format"));
}

#[test]
#[ignore = "long: each interface"]
fn progress_goes_up_to_the_stop_time_in_both_interfaces() {
    let folder = TempDir::new().unwrap();
    for interface in ["cs", "me"] {
        let options = ["--progress", "--interface", interface, "--stop", "0.2"];
        let command = [&["simulate", BALL, "--format", "json"][..], &options].concat();
        let output = tool(&command, folder.path(), "");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let lines = lines(&output);
        let progress = of_type(&lines, "progress");
        let times: Vec<f64> = progress
            .iter()
            .map(|x| x["time"].as_f64().unwrap())
            .collect();
        assert!(times.is_sorted(), "{times:?}");
        assert_eq!(times.last(), Some(&0.2));
        assert!(progress.iter().all(|line| line["stop"] == 0.2));
        assert_eq!(of_type(&lines, "written").len(), 4);
        let output = tool(
            &[&["simulate", BALL][..], &options].concat(),
            folder.path(),
            "",
        );
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap();
        assert!(last.starts_with("t = 0.2 s of 0.2 s, 100 %, "), "{said}");
        assert!(last.contains("0 s left"), "{said}");
    }
}

#[test]
fn words_of_an_fmu_without_an_end_of_line_do_not_spoil_objects() {
    for (standard, interface) in [(Fmi2, "cs"), (Fmi2, "me"), (Fmi3, "cs"), (Fmi3, "me")] {
        let folder = TempDir::new().unwrap();
        let fmu = mock_with(&folder, standard, "chatty", ("", ""));
        let options = ["--progress", "--interface", interface];
        let json = ["--format", "json"];
        let start = ["simulate", fmu.to_str().unwrap()];
        let command = [&start[..], &json, &options].concat();
        let output = tool(&command, folder.path(), "");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        let said = |line: &&str| !line.is_empty();
        let (words, objects): (Vec<&str>, Vec<&str>) = text
            .lines()
            .filter(said)
            .partition(|line| line.replace("abc", "").is_empty());
        assert!(!words.is_empty());
        let objects: Vec<Value> = objects
            .iter()
            .map(|line| serde_json::from_str(line).expect(line))
            .collect();
        assert_eq!(of_type(&objects, "written").len(), 2, "{text}");
        assert!(!of_type(&objects, "progress").is_empty(), "{text}");
    }
}

/// All files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths
        .flat_map(|path| match path.is_dir() {
            true => files_below(&path),
            false => vec![path],
        })
        .collect();
    files.sort();
    files
}

#[test]
fn all_files_of_the_commands_that_write_folders_have_a_line() {
    let hammer = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/driven_hammer/scene.toml"
    );
    let cases: [&[&str]; 3] = [
        &["new", "out"],
        &["man", "out"],
        &["modelica", hammer, "-o", "out"],
    ];
    for arguments in cases {
        let folder = TempDir::new().unwrap();
        let all = [arguments, &["--format", "json"]].concat();
        let output = tool(&all, folder.path(), "");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let lines = lines(&output);
        let named = |line: &&Value| folder.path().join(line["file"].as_str().unwrap());
        let mut written: Vec<_> = of_type(&lines, "written").iter().map(named).collect();
        written.sort();
        assert!(written.len() > 3, "{arguments:?}: {written:?}");
        assert_eq!(written, files_below(folder.path()), "{arguments:?}");
    }
}

#[test]
fn colours_are_there_where_they_are_asked_for() {
    let folder = TempDir::new().unwrap();
    let bad = scene().replace("stop_time", "stop_tme");
    for (option, has_colours) in [
        (&[][..], false),
        (&["--color", "auto"], false),
        (&["--color=never"], false),
        (&["--color", "always"], true),
    ] {
        let all = [&["check", "-"][..], option].concat();
        let output = tool(&all, folder.path(), &bad);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(output.stderr.contains(&0x1b), has_colours, "{option:?}");
        // A wrong command line too.
        let all = [&["check"][..], option].concat();
        let output = tool(&all, folder.path(), "");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(output.stderr.contains(&0x1b), has_colours, "{option:?}");
    }
    // Objects have none.
    let all = ["check", "-", "--format", "json", "--color", "always"];
    assert!(!tool(&all, folder.path(), &bad).stderr.contains(&0x1b));
}
