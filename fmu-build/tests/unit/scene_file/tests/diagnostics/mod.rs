//! What the reader says of small scenes, as data: `fmu-build/tests/diagnostics/TOPIC/NAME.toml` is
//! a scene, `NAME.txt` beside it what a user reads of it in a file or pipe, or `no problem`.
//!
//! `CONTACT_FMU_REWRITE_DIAGNOSTICS=1 cargo test -p fmu-build --lib diagnostics` writes the texts
//! anew; look at the difference before you commit it.

mod flaws;

use crate::scene_file::{Diagnostics, Look, Position, read};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Set to rewrite the expected texts.
const REWRITE: &str = "CONTACT_FMU_REWRITE_DIAGNOSTICS";

/// What can be missing at the top of a file, or be its first word; only that has no better place.
const MISSING_AT_TOP: [&str; 6] = [
    "unknown key \"formt\"",
    "format is missing",
    "name is missing",
    "world is missing",
    "experiment is missing",
    "there is no body",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn scenes() -> Vec<PathBuf> {
    let topics = entries(&folder());
    let files = topics.iter().flat_map(|topic| entries(topic));
    files.filter(|file| has_extension(file, "toml")).collect()
}

/// `TOPIC/NAME`.
fn short_name(scene: &Path) -> String {
    let name = scene.strip_prefix(folder()).unwrap().with_extension("");
    name.display().to_string()
}

/// What is said of a scene, as its text expects it. Fails where a problem has no place of its own,
/// or the places do not ascend.
fn said(scene: &Path) -> String {
    let problems = match read(scene) {
        Ok(loaded) if loaded.warnings.is_empty() => return "no problem\n".to_owned(),
        Ok(loaded) => loaded.warnings,
        Err(problems) => problems,
    };
    let problems = Diagnostics {
        file: "scene.toml".to_owned(),
        ..problems
    };
    let mut places: Vec<Position> = Vec::new();
    for problem in &problems.list {
        let Some(place) = problems.position(problem) else {
            panic!("no place: {problems}");
        };
        let at_top = |text: &&str| problem.finding.message.starts_with(*text);
        let top = (place.line, place.column) == (1, 1);
        assert!(!top || MISSING_AT_TOP.iter().any(at_top), "{problems}");
        places.push(place);
    }
    assert!(places.is_sorted(), "{problems}");
    problems.render(Look::PLAIN) + "\n"
}

/// The lines of both texts: ` ` in both, `-` expected only, `+` found only.
fn difference(expected: &str, found: &str) -> String {
    let [expected, found] = [expected, found].map(|text| text.lines().collect::<Vec<_>>());
    let mut text = String::new();
    for line in &expected {
        let sign = if found.contains(line) { ' ' } else { '-' };
        writeln!(text, "{sign} {line}").unwrap();
    }
    for line in found.iter().filter(|line| !expected.contains(line)) {
        writeln!(text, "+ {line}").unwrap();
    }
    text
}

#[test]
fn every_scene_gets_the_text_beside_it() {
    let rewrites = std::env::var_os(REWRITE).is_some();
    let mut differences = String::new();
    for scene in scenes() {
        let found = said(&scene);
        let text = scene.with_extension("txt");
        let expected = fs::read_to_string(&text).unwrap_or_default();
        if found == expected {
            continue;
        }
        if rewrites {
            fs::write(&text, &found).unwrap();
            continue;
        }
        let name = short_name(&scene);
        let difference = difference(&expected, &found);
        writeln!(differences, "{name}:\n{difference}").unwrap();
    }
    assert!(
        differences.is_empty(),
        "{differences}{REWRITE}=1 rewrites the texts"
    );
}

#[test]
fn every_scene_has_a_text_and_every_file_a_scene() {
    assert!(scenes().len() > 300);
    for topic in entries(&folder()) {
        let files = entries(&topic);
        let of_topic = files.iter().filter(|file| has_extension(file, "toml"));
        let scenes: Vec<String> = of_topic.map(|s| fs::read_to_string(s).unwrap()).collect();
        for file in &files {
            let name = file.file_name().unwrap().to_str().unwrap();
            if has_extension(file, "toml") {
                let text = fs::read_to_string(file.with_extension("txt"));
                let text = text.unwrap_or_else(|_| panic!("{} has no text", file.display()));
                assert!(
                    text.lines().count() > 0,
                    "{} expects nothing",
                    file.display()
                );
            } else if has_extension(file, "txt") {
                let scene = file.with_extension("toml");
                assert!(scene.is_file(), "{} has no scene", file.display());
            } else {
                let named = |text: &String| text.contains(&format!("{name:?}"));
                assert!(
                    scenes.iter().any(named),
                    "no scene names {}",
                    file.display()
                );
            }
        }
    }
}
