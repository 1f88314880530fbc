//! The pages of the book in `book/src/reference/messages`: what the tool says of each scene there.
//!
//! A case is a heading `### TITLE` and a block: the lines of the scene that differ from the base of
//! the section, and below them the message. `bases.md` has the bases and says how lines differ.
//! Each case is a test `TOPIC::TITLE`. With `CONTACT_FMU_REWRITE_DIAGNOSTICS=1` the messages are
//! written again; look at the difference before you commit it.
//!
//! The whole scenes and their messages are left in `target/tmp/diagnostics` for the tests of Python.

use fmu_build::scene_file::{Look, Position, read};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Set to rewrite the expected messages.
const REWRITE: &str = "CONTACT_FMU_REWRITE_DIAGNOSTICS";

/// Characters that a page cannot show, and what stands for them.
const HIDDEN: [(&str, &str); 2] = [("<BOM>", "\u{feff}"), ("<CR>", "\r")];

/// Stands for a file that ends without a newline.
const NO_NEWLINE: &str = "<END>";

/// What can be missing at the top of a file, or be its first word; only that has no better place.
const MISSING_AT_TOP: [&str; 6] = [
    "unknown key \"formt\"",
    "format is missing",
    "name is missing",
    "world is missing",
    "experiment is missing",
    "there is no body",
];

/// Bases of scenes by their titles.
type Bases = BTreeMap<String, Vec<String>>;

struct Case {
    title: String,
    base: String,
    /// Lines of the scene that differ.
    lines: Vec<String>,
    expected: String,
    /// Lines of the page that hold the message.
    place: std::ops::Range<usize>,
}

fn is_header(line: &str) -> bool {
    line.starts_with('[') && line.ends_with(']')
}

/// Key of `KEY = VALUE`, `[` of a header.
fn key(line: &str) -> Option<&str> {
    if line.starts_with('[') {
        return Some("[");
    }
    let key = line.split_once('=')?.0.trim();
    (!key.starts_with('#')).then_some(key)
}

/// A base on the way to a scene.
struct Merged<'a> {
    lines: Vec<String>,
    /// The line of the case before.
    at: Option<usize>,
    /// Lines that the case has given so far.
    own: &'a [String],
}

impl Merged<'_> {
    /// A line of the base in the rest of the section.
    fn below(&self, same: impl Fn(&str) -> bool) -> Option<usize> {
        let start = self.at? + 1;
        let rest = self.lines[start..].iter();
        let end = rest.clone().position(|line| is_header(line));
        let mut found = rest.take(end.map_or(usize::MAX, |end| end + 1));
        let found = found.position(|line| same(line) && !self.own.contains(line));
        found.map(|index| start + index)
    }

    /// The line of the base, if there is one only.
    fn only(&self, same: impl Fn(&str) -> bool) -> Option<usize> {
        let is_found = |line: &String| same(line) && !self.own.contains(line);
        let indices = 0..self.lines.len();
        let found: Vec<usize> = indices.filter(|n| is_found(&self.lines[*n])).collect();
        let is_clear = found.len() < 2 || self.at.is_some();
        assert!(
            is_clear,
            "{} stands in the base twice",
            self.lines[found[0]]
        );
        (found.len() == 1).then(|| found[0])
    }

    fn insert(&mut self, line: &str) {
        let index = self.at.map_or(self.lines.len(), |at| at + 1);
        self.lines.insert(index, line.to_owned());
        self.at = Some(index);
    }

    fn replace(&mut self, index: usize, line: &str) {
        line.clone_into(&mut self.lines[index]);
        self.at = Some(index);
    }
}

/// The scene of a case; `bases.md` has the rules.
fn merge(base: &[String], case: &[String]) -> Vec<String> {
    let mut merged = Merged {
        lines: base.to_vec(),
        at: None,
        own: &[],
    };
    let mut taken = None;
    let mut is_in_section = false;
    for (index, line) in case.iter().enumerate() {
        merged.own = &case[..index];
        let away = line.strip_prefix("# ");
        let away = away.filter(|away| merged.lines.iter().any(|line| line == away));
        if let Some(away) = away {
            let same = |line: &str| line == away;
            let found = merged.below(same).or_else(|| merged.only(same));
            merged.replace(found.expect("one line to take away"), line);
            (taken, is_in_section) = (key(away), false);
            continue;
        }
        let key_of_line = key(line);
        if taken.take().is_some_and(|taken| key_of_line == Some(taken)) {
            merged.insert(line);
            continue;
        }
        let section = merged.lines.iter().position(|other| other == line);
        if is_header(line) {
            let Some(section) = section.filter(|_| !line.starts_with("[[")) else {
                let rest = case[index..].iter().cloned();
                let empty = (!merged.lines.is_empty()).then(String::new);
                return merged.lines.into_iter().chain(empty).chain(rest).collect();
            };
            (merged.at, is_in_section) = (Some(section), true);
            continue;
        }
        let same = |other: &str| other == line;
        let alike = |other: &str| key_of_line.is_some() && key(other) == key_of_line;
        let is_key = key_of_line != Some("[");
        let mut found = merged.below(same);
        found = found.or_else(|| is_key.then(|| merged.below(alike))?);
        if !is_in_section {
            found = found.or_else(|| merged.only(same));
            found = found.or_else(|| is_key.then(|| merged.only(alike))?);
        }
        match found {
            Some(index) => merged.replace(index, line),
            None => merged.insert(line),
        }
    }
    merged.lines
}

/// The text of the scene file.
fn scene(base: &[String], case: &[String]) -> String {
    let mut text = merge(base, case).join("\n") + "\n";
    for (shown, meant) in HIDDEN {
        text = text.replace(shown, meant);
    }
    let end = text.find(NO_NEWLINE).unwrap_or(text.len());
    text[..end].to_owned()
}

fn to_lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

/// Blocks of a page: headings of second and third rank, and lines from one fence to the other.
fn blocks<'a>(page: &[&'a str]) -> Vec<([&'a str; 2], std::ops::Range<usize>)> {
    let (mut section, mut title, mut start) = ("", "", None);
    let mut blocks = Vec::new();
    for (number, line) in page.iter().enumerate() {
        match start {
            Some(begin) if *line == "```" => {
                blocks.push(([section, title], begin..number));
                start = None;
            }
            Some(_) => {}
            None if line.starts_with("```") => start = Some(number + 1),
            None => {
                section = line.strip_prefix("## ").unwrap_or(section);
                title = line.strip_prefix("### ").unwrap_or(title);
            }
        }
    }
    blocks
}

fn cases(page: &[&str]) -> Vec<Case> {
    let blocks = blocks(page).into_iter();
    let cases = blocks.map(|([base, title], block)| {
        let is_message = |line: &&str| line.starts_with("scene.toml:") || *line == "no problem";
        let lines = &page[block.clone()];
        let message = lines.iter().position(is_message).unwrap_or(lines.len());
        let end = lines[..message].iter().rposition(|line| !line.is_empty());
        let changed = &lines[..end.map_or(0, |end| end + 1)];
        Case {
            title: title.to_owned(),
            base: base.to_owned(),
            lines: to_lines(changed),
            expected: lines[message..].join("\n"),
            place: block.start + changed.len()..block.end,
        }
    });
    cases.collect()
}

/// What is said of a scene. Fails where a problem has no place of its own, or the places do not
/// ascend.
fn said(scene: &Path) -> String {
    let mut problems = match read(scene) {
        Ok(loaded) if loaded.warnings.is_empty() => return "no problem".to_owned(),
        Ok(loaded) => loaded.warnings,
        Err(problems) => problems,
    };
    problems.file = "scene.toml".to_owned();
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
    problems.render(Look::PLAIN)
}

/// The lines of both texts: ` ` in both, `-` expected only, `+` found only.
fn difference(expected: &str, found: &str) -> String {
    let [expected, found] = [expected, found].map(|text| text.lines().collect::<Vec<_>>());
    let sign = |line: &&str| if found.contains(line) { ' ' } else { '-' };
    let lines = expected
        .iter()
        .map(|line| format!("{} {line}\n", sign(line)));
    let new = found.iter().filter(|line| !expected.contains(line));
    lines.chain(new.map(|line| format!("+ {line}\n"))).collect()
}

/// A page with its messages written again.
fn rewritten(page: &[&str], cases: &[Case], scenes: &[PathBuf]) -> String {
    let mut lines = to_lines(page);
    for (case, scene) in cases.iter().zip(scenes).rev() {
        let empty = (!case.lines.is_empty()).then(String::new);
        let message = said(scene);
        let message = message.lines().map(str::to_owned);
        lines.splice(case.place.clone(), empty.into_iter().chain(message));
    }
    lines.join("\n") + "\n"
}

fn main() {
    // cargo test gives the times of tests to every target, and this harness takes no such option.
    let arguments = std::env::args().filter(|argument| argument != "--report-time");
    let arguments = Arguments::from_iter(arguments);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("book/src/reference/messages");
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diagnostics");
    let _ = fs::remove_dir_all(&work);

    let bases = fs::read_to_string(folder.join("bases.md")).unwrap();
    let bases: Vec<&str> = bases.lines().collect();
    let mut bases: Bases = blocks(&bases)
        .into_iter()
        .fold(Bases::new(), |mut all, block| {
            let ([title, _], place) = block;
            all.insert(title.to_owned(), to_lines(&bases[place]));
            all
        });
    bases.insert("A scene of its own".to_owned(), Vec::new());

    let mut trials = Vec::new();
    let pages = fs::read_dir(&folder)
        .unwrap()
        .map(|page| page.unwrap().path());
    for path in pages.collect::<BTreeSet<PathBuf>>() {
        let topic = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if topic == "bases" {
            continue;
        }
        let files = work.join(&topic);
        fs::create_dir_all(&files).unwrap();
        for given in fs::read_dir(root.join("tests/diagnostics")).unwrap() {
            let given = given.unwrap();
            fs::copy(given.path(), files.join(given.file_name())).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let page: Vec<&str> = text.lines().collect();
        let cases = cases(&page);
        let titles: BTreeSet<&String> = cases.iter().map(|case| &case.title).collect();
        assert_eq!(
            titles.len(),
            cases.len(),
            "{topic}: each case has a title of its own"
        );
        let write = |(number, case): (usize, &Case)| {
            let base = bases.get(&case.base);
            let base = base.unwrap_or_else(|| panic!("{topic}: there is no base {}", case.base));
            let file = files.join(format!("{:02}.toml", number + 1));
            fs::write(&file, scene(base, &case.lines)).unwrap();
            fs::write(file.with_extension("txt"), &case.expected).unwrap();
            file
        };
        let scenes: Vec<PathBuf> = cases.iter().enumerate().map(write).collect();
        if std::env::var_os(REWRITE).is_some() {
            fs::write(&path, rewritten(&page, &cases, &scenes)).unwrap();
            continue;
        }
        for (case, scene) in cases.into_iter().zip(scenes) {
            trials.push(Trial::test(format!("{topic}::{}", case.title), move || {
                let found = said(&scene);
                if found == case.expected {
                    return Ok(());
                }
                let difference = difference(&case.expected, &found);
                let scene = scene.display();
                Err(Failed::from(format!(
                    "{scene}:\n{difference}{REWRITE}=1 rewrites the message"
                )))
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
