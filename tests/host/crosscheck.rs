//! `crosscheck` as the user calls it: what it writes of a scene against closed forms, what it says
//! of FMUs that do one thing wrong, and of files that break one rule.

use super::command_line::{text, tool};
use super::files::{BALL, BOTH, mock_with};
use fmu_build::package::platform::Platform;
use fmu_core::instance::Standard::{self, Fmi2, Fmi3};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zip::ZipArchive;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const PUSHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/scenes/pushed.toml");
const OPTIONS: &str = "StartTime, 0.0\nStopTime, 1.0\nStepSize, 0.125\nRelTol, 1e-9\n";

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

/// A repository with mock FMUs, x = e^-t.
struct Repository(TempDir);

impl Repository {
    fn new() -> Repository {
        Repository(TempDir::new().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// An exported mock of this tool, with the rows of x(t) as reference.
    fn add(
        &self,
        standard: Standard,
        kind: &str,
        tool: &str,
        change: (&str, &str),
        x: impl Fn(f64) -> f64,
    ) -> PathBuf {
        self.add_on(platform(), standard, kind, tool, change, x)
    }

    fn add_on(
        &self,
        platform: &str,
        standard: Standard,
        kind: &str,
        tool: &str,
        change: (&str, &str),
        x: impl Fn(f64) -> f64,
    ) -> PathBuf {
        let folder = [
            "fmus",
            number(standard),
            kind,
            platform,
            tool,
            "1.0",
            "mock",
        ];
        let folder = folder.iter().fold(self.path().to_owned(), |a, b| a.join(b));
        fs::create_dir_all(&folder).unwrap();
        let made = TempDir::new().unwrap();
        // The tool's name is the misbehaviour of its FMU.
        fs::copy(
            mock_with(&made, standard, tool, change),
            folder.join("mock.fmu"),
        )
        .unwrap();
        let times = (0..=8).map(|i| f64::from(i) / 8.0);
        let rows: String = times.map(|t| format!("{t},{}\n", x(t))).collect();
        for (name, content) in [
            ("mock_ref.csv", format!("\"time\",\"x\"\n{rows}")),
            ("mock_ref.opt", OPTIONS.to_owned()),
            ("README.md", "e^-t\n".to_owned()),
        ] {
            fs::write(folder.join(name), content).unwrap();
        }
        folder
    }

    fn results(&self) -> PathBuf {
        self.path().join("results")
    }

    /// Runs all; what is printed, and the exit code.
    fn validate(&self, more: &[&str]) -> (String, Option<i32>) {
        let arguments = [&["crosscheck", "validate", "fmus", "-o", "."], more].concat();
        let output = tool(&arguments, self.path());
        let said = text(&output.stdout).to_owned() + text(&output.stderr);
        (said, output.status.code())
    }

    /// Files that say what became of an FMU, and the readme.
    fn result(&self, standard: Standard, kind: &str, tool: &str) -> (Vec<String>, String) {
        let place = [
            number(standard),
            kind,
            platform(),
            "fmu-build",
            VERSION,
            tool,
            "1.0",
            "mock",
        ];
        let folder = place.iter().fold(self.results(), |a, b| a.join(b));
        let entries = fs::read_dir(&folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        (names, readme)
    }

    fn check(&self) -> (String, Option<i32>) {
        let output = tool(&["crosscheck", "check", "fmus"], self.path());
        (text(&output.stdout).to_owned(), output.status.code())
    }
}

const AS_IT_IS: (&str, &str) = ("", "");

fn decay(t: f64) -> f64 {
    (-t).exp()
}

#[test]
fn an_fmu_that_follows_its_reference_passes_in_both_versions_and_kinds() {
    let repository = Repository::new();
    for standard in BOTH {
        for kind in ["me", "cs"] {
            repository.add(standard, kind, "plain", AS_IT_IS, decay);
        }
    }
    let (said, code) = repository.validate(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("passed 4, failed 0, rejected 0"), "{said}");
    for standard in BOTH {
        for kind in ["me", "cs"] {
            let (files, _) = repository.result(standard, kind, "plain");
            assert_eq!(files, ["passed"]);
        }
    }
    let (said, code) = repository.check();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said, "FMUs: 4, breaches of the rules: 0, advice: 0\n");
}

#[test]
fn each_fmu_gets_its_own_verdict_whatever_the_others_do() {
    let repository = Repository::new();
    let token = |tool: &str| repository.add(Fmi3, "cs", tool, AS_IT_IS, decay);
    for tool in ["abort", "asleep", "discard", "terminate", "plain"] {
        token(tool);
    }
    // Off by 0.01 at the start, where 0.002 of it are within the width along time and 0.0013 within
    // the height of the tube.
    let wrong = |t: f64| decay(t) * 1.01;
    let folder = repository.add(Fmi3, "me", "plain", AS_IT_IS, wrong);
    let needs = (
        r#"hasEventMode="true""#,
        r#"hasEventMode="true" needsExecutionTool="true""#,
    );
    repository.add(Fmi3, "cs", "three-updates", needs, decay);
    let integer =
        r#"<Int32 name="i" valueReference="5" causality="input" start="0"/></ModelVariables>"#;
    let with_input = repository.add(Fmi3, "cs", "doubled", ("</ModelVariables>", integer), decay);
    fs::write(with_input.join("mock_in.csv"), "\"time\",\"i\"\n0,1\n1,1\n").unwrap();
    let without = repository.add(Fmi2, "cs", "plain", AS_IT_IS, decay);
    fs::remove_file(without.join("mock_ref.csv")).unwrap();

    let (said, code) = repository.validate(&["--time-limit", "2"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("passed 1, failed 5, rejected 3"), "{said}");
    let verdict = |kind, tool| repository.result(Fmi3, kind, tool);
    assert_eq!(verdict("cs", "plain").0, ["passed"]);
    for (kind, tool, word, reason) in [
        ("cs", "abort", "failed", "the FMU ended the process: "),
        ("cs", "asleep", "failed", "did not come to its end in 2 s"),
        ("cs", "discard", "failed", "nothing beyond 0.4 s"),
        (
            "cs",
            "terminate",
            "failed",
            "the FMU ended the run at 0.625 s; StopTime is 1 s",
        ),
        ("me", "plain", "failed", "x is outside of the tube in"),
        ("cs", "three-updates", "rejected", "needsExecutionTool"),
        ("cs", "doubled", "rejected", "input \"i\" is of type Int32"),
    ] {
        let (files, readme) = verdict(kind, tool);
        assert_eq!(files, ["README.md", word]);
        assert!(readme.contains(reason), "{tool}: {readme}");
    }
    let (files, readme) = repository.result(Fmi2, "cs", "plain");
    assert_eq!(files, ["README.md", "rejected"]);
    assert!(readme.contains("- mock_ref.csv: is missing"), "{readme}");

    // A later verdict takes the place of the former one.
    let rows = "\"time\",\"x\"\n0,1\n0.5,0.60653065971\n1,0.36787944117\n";
    fs::write(folder.join("mock_ref.csv"), rows).unwrap();
    repository.validate(&["--time-limit", "2"]);
    assert_eq!(verdict("me", "plain").0, ["passed"]);
}

/// What another platform's run has written stays, and nothing new is said.
#[test]
fn an_fmu_for_another_platform_is_skipped_and_its_result_stays() {
    let repository = Repository::new();
    for tool in ["judged", "unknown"] {
        // No archive: nothing may be opened.
        let folder = repository.add_on("win64", Fmi3, "cs", tool, AS_IT_IS, decay);
        fs::write(folder.join("mock.fmu"), "no archive").unwrap();
    }
    repository.add(Fmi3, "cs", "plain", AS_IT_IS, decay);
    let there = repository.results().join("3.0/cs/win64/fmu-build");
    let folder = there.join(VERSION).join("judged/1.0/mock");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("passed"), "on Windows").unwrap();
    let (said, code) = repository.validate(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("passed 1, failed 0, rejected 0, skipped 2"),
        "{said}"
    );
    assert!(
        said.contains("skipped  for the platform win64; this program runs on"),
        "{said}"
    );
    assert_eq!(
        contents(&folder),
        [("passed".to_owned(), b"on Windows".to_vec())]
    );
    assert!(!there.join(VERSION).join("unknown").exists());
}

/// An FMU of FMI 1.0, one that is not public, one beside the folders, one in a folder of another
/// name: each has its line, and the others run.
#[test]
fn what_a_tree_of_many_years_has_beside_fmus_ends_nothing() {
    let repository = Repository::new();
    let folder = repository.add(Fmi3, "cs", "plain", AS_IT_IS, decay);
    let root = repository.path().join("fmus");
    let of = |tool: &str| root.join(format!("2.0/cs/{}/{tool}/1.0/mock", platform()));
    let old = root.join(format!("1.0/me/{}/T/1/old", platform()));
    for (folder, name) in [
        (root.join("loose"), "a.fmu"),
        (old, "old.fmu"),
        (of("secret"), "mock.nofmu"),
        (of("named"), "other.fmu"),
    ] {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), "").unwrap();
    }
    let (said, code) = repository.validate(&[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("passed 1, failed 0, rejected 0, skipped 2, error 2"),
        "{said}"
    );
    for line in [
        "fmus/loose/a.fmu: its path is too short",
        "1.0/mock/other.fmu: its folder is named \"mock\", not like the file",
        "1/old/old.fmu: skipped: FMI 1.0 is not read",
        "1.0/mock/mock.nofmu: skipped: the FMU is not public",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert_eq!(repository.result(Fmi3, "cs", "plain").0, ["passed"]);
    assert!(!repository.results().join("1.0").exists());
    let (said, code) = repository.check();
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.ends_with("FMUs: 5, breaches of the rules: 2, advice: 0, skipped: 2\n"),
        "{said}"
    );

    // One that keeps older rules may break any.
    fs::remove_file(folder.join("mock_ref.csv")).unwrap();
    fs::write(folder.join("notCompliantWithLatestRules"), "").unwrap();
    for misplaced in [root.join("loose"), of("named")] {
        fs::remove_dir_all(misplaced).unwrap();
    }
    let (said, code) = repository.check();
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("skipped: notCompliantWithLatestRules is beside it"),
        "{said}"
    );
    assert!(
        said.ends_with("FMUs: 3, breaches of the rules: 0, advice: 0, skipped: 3\n"),
        "{said}"
    );
}

#[test]
fn a_path_may_start_in_any_folder_but_not_go_up_below_fmus() {
    let repository = Repository::new();
    let folder = repository.add(Fmi3, "cs", "plain", AS_IT_IS, decay);
    let out = repository.path().to_str().unwrap();
    let from = |folder: &Path, path: &str| {
        let output = tool(&["crosscheck", "validate", path, "-o", out], folder);
        text(&output.stdout).to_owned()
    };
    let said = from(&folder, "mock.fmu");
    assert!(said.ends_with("passed 1, failed 0, rejected 0\n"), "{said}");
    assert_eq!(repository.result(Fmi3, "cs", "plain").0, ["passed"]);
    let said = from(&folder, "../mock/mock.fmu");
    assert!(said.contains("\"..\" is one of its last folders"), "{said}");
    assert!(said.ends_with("rejected 0, error 1\n"), "{said}");
    // Twice the same is judged once.
    let output = tool(
        &["crosscheck", "check", "fmus", "./fmus", out],
        repository.path(),
    );
    assert!(text(&output.stdout).starts_with("FMUs: 1,"));
}

/// What is wrong with the files beside an FMU is no failure of its FMU.
#[test]
fn a_fault_of_the_files_beside_an_fmu_is_rejected_with_the_file_at_fault() {
    let reference = |rows: &str| format!("\"time\",\"x\"\n{rows}");
    let step = |step: &str| OPTIONS.replace("0.125", step);
    let exact = |name: &str, content: String| (name.to_owned(), content);
    let cases = [
        (
            "me",
            exact("mock_ref.csv", reference("0,1\n")),
            "mock_ref.csv: has one row",
        ),
        (
            "cs",
            exact("mock_ref.csv", reference("0,1\n0,1\n")),
            "mock_ref.csv: has all rows at 0 s",
        ),
        (
            "cs",
            exact("mock_ref.csv", reference("0,1\n1,0.4\n2,0.1\n")),
            "mock_ref.csv: ends at 2 s; StopTime in _ref.opt is 1 s",
        ),
        (
            "cs",
            exact("mock_ref.csv", reference("0\n1,0.4\n")),
            "mock_ref.csv: has 1 column; the first line names 2",
        ),
        (
            "cs",
            exact("mock_ref.opt", step("1e-12")),
            "mock_ref.opt: 1000000000000 rows of 1 variables are too many to keep",
        ),
        (
            "me",
            exact("mock_ref.opt", OPTIONS.replace("1e-9", "1e-30")),
            "mock_ref.opt: ",
        ),
        (
            "cs",
            exact("mock_in.csv", "\"time\",\"x\"\n0,1\n".to_owned()),
            "mock_in.csv: column \"x\" is no input",
        ),
        (
            "cs",
            exact("other_in.csv", "\"time\",\"u\"\n0,1\n".to_owned()),
            "mock_in.csv: is missing; rename other_in.csv",
        ),
    ];
    for (kind, (name, content), reason) in cases {
        let repository = Repository::new();
        let folder = repository.add(Fmi3, kind, "plain", AS_IT_IS, decay);
        fs::write(folder.join(name), content).unwrap();
        let (said, code) = repository.validate(&[]);
        assert!(said.contains("passed 0, failed 0, rejected 1"), "{said}");
        assert_eq!(code, Some(0), "{said}");
        let (files, readme) = repository.result(Fmi3, kind, "plain");
        assert_eq!(files, ["README.md", "rejected"]);
        assert!(readme.contains(reason), "{reason}: {readme}");
    }
    let repository = Repository::new();
    let folder = repository.add(Fmi2, "cs", "plain", AS_IT_IS, decay);
    fs::rename(folder.join("mock_ref.csv"), folder.join("Mock1_ref.csv")).unwrap();
    let (said, _) = repository.validate(&[]);
    assert!(
        said.contains("mock_ref.csv: is missing; rename Mock1_ref.csv, named unlike its folder"),
        "{said}"
    );
}

/// The result of one FMU cannot be written: the others have theirs, the former one of it stays.
#[test]
fn one_result_that_cannot_be_written_loses_no_other() {
    let repository = Repository::new();
    for tool in ["a", "z", "plain"] {
        let folder = repository.add(Fmi3, "cs", "plain", AS_IT_IS, decay);
        let tools = folder.ancestors().nth(3).unwrap();
        if tool != "plain" {
            fs::rename(tools.join("plain"), tools.join(tool)).unwrap();
        }
    }
    let importer = format!("3.0/cs/{}/fmu-build/{VERSION}", platform());
    let importer = repository.results().join(importer);
    fs::create_dir_all(&importer).unwrap();
    fs::write(importer.join("plain"), "a file in place of a folder").unwrap();
    let (said, code) = repository.validate(&["--format", "json"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("passed 2, failed 0, rejected 0, error 1"),
        "{said}"
    );
    assert!(said.contains("passed, but cannot write into"), "{said}");
    for tool in ["a", "z"] {
        assert_eq!(repository.result(Fmi3, "cs", tool).0, ["passed"]);
    }
    let lines = said
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let told: Vec<(String, u64)> = lines
        .filter(|line: &serde_json::Value| line["type"] == "judged" && line["of"] == 3)
        .map(|line| {
            let result = line["result"].as_str().unwrap().to_owned();
            (result, line["number"].as_u64().unwrap())
        })
        .collect();
    let expected = [("passed", 1), ("error", 2), ("passed", 3)];
    assert_eq!(
        told,
        expected.map(|(result, number)| (result.to_owned(), number))
    );
}

/// One breach at a time, each with the file it is in.
#[test]
fn each_breach_of_the_rules_is_told_with_its_file() {
    let replace = |name: &'static str, old: &'static str, new: &'static str| {
        move |folder: &Path| {
            let file = folder.join(name);
            let good = fs::read_to_string(&file).unwrap();
            assert!(good.contains(old), "{good}");
            fs::write(file, good.replacen(old, new, 1)).unwrap();
        }
    };
    let remove =
        |name: &'static str| move |folder: &Path| fs::remove_file(folder.join(name)).unwrap();
    let write = |name: &'static str, content: &'static str| {
        move |folder: &Path| fs::write(folder.join(name), content).unwrap()
    };
    let ten: String = (0..11).map(|i| format!(",\"x{i}\"")).collect();
    let eleven: &'static str = Box::leak(format!("\"time\"{ten}\n").into_boxed_str());
    type Change = Box<dyn Fn(&Path)>;
    let cases: [(Change, &str, &str); 15] = [
        (
            Box::new(remove("mock_ref.csv")),
            "mock_ref.csv: ",
            "is missing",
        ),
        (
            Box::new(remove("mock_ref.opt")),
            "mock_ref.opt: ",
            "is missing",
        ),
        (
            Box::new(replace("mock_ref.opt", "StopTime, 1.0\n", "")),
            "mock_ref.opt: ",
            "StopTime is missing",
        ),
        (
            Box::new(replace("mock_ref.opt", "1.0\n", "1.5\n")),
            "mock_ref.csv:10: ",
            "ends at 1 s; StopTime in _ref.opt is 1.5 s",
        ),
        (
            Box::new(replace("mock_ref.opt", "0.0\n", "-1\n")),
            "mock_ref.csv:2: ",
            "starts at 0 s; StartTime in _ref.opt is -1 s",
        ),
        (
            Box::new(replace("mock_ref.csv", "\"x\"", "\"y\"")),
            "mock_ref.csv:1: ",
            "\"y\" is no variable of the FMU",
        ),
        (
            Box::new(replace("mock_ref.csv", "\"x\"", "x")),
            "mock_ref.csv:1: ",
            "double quotes",
        ),
        (
            Box::new(replace("mock_ref.csv", "\n0.125,", "\n-0.125,")),
            "mock_ref.csv:3: ",
            "must not fall",
        ),
        (
            Box::new(replace("mock_ref.csv", "\n0,1\n", "\n0,nan\n")),
            "mock_ref.csv:2: ",
            "finite",
        ),
        (
            Box::new(replace("mock_ref.csv", "\n0,1\n", "\n0,1 2\n")),
            "mock_ref.csv:3: ",
            "x has 1 element here and 2 before",
        ),
        (
            Box::new(write("mock_in.csv", "\"time\",\"x\"\n0,1\n1,1\n")),
            "mock_in.csv:1: ",
            "\"x\" is no input",
        ),
        (
            Box::new(write("mock_cc.csv", "\"time\",\"q\"\n0,1\n1,1\n")),
            "mock_cc.csv:1: ",
            "\"q\" is no variable",
        ),
        (
            Box::new(write("mock_ref.csv", eleven)),
            "mock_ref.csv: ",
            "has no row",
        ),
        (
            Box::new(write("mock.fmu", "no archive")),
            "mock.fmu: ",
            "not a ZIP",
        ),
        (
            Box::new(replace("mock_ref.opt", "RelTol", "RelTal")),
            "mock_ref.opt:4: ",
            "\"RelTal\" is no setting",
        ),
    ];
    for (change, place, problem) in &cases {
        let repository = Repository::new();
        let folder = repository.add(Fmi3, "cs", "plain", AS_IT_IS, decay);
        change(&folder);
        let (said, code) = repository.check();
        let mut lines = said.lines();
        let found = lines.any(|line| line.contains(place) && line.contains(problem));
        assert!(found && code == Some(1), "{place}{problem}: {said}");
    }
}

#[test]
fn an_fmu_in_a_folder_of_another_kind_is_told() {
    for (change, folders, problem) in [
        (
            AS_IT_IS,
            ("cs", platform(), Fmi2),
            "is an FMU of FMI 2.0 in a folder 3.0",
        ),
        (
            (
                r#"<CoSimulation modelIdentifier="mock" hasEventMode="true"/>"#,
                "",
            ),
            ("cs", platform(), Fmi3),
            "has no Co-Simulation; its folder is named cs",
        ),
        (
            AS_IT_IS,
            ("me", "darwin64", Fmi3),
            "has no binary for the platform of its folder, darwin64",
        ),
    ] {
        let (kind, platform, standard) = folders;
        let repository = Repository::new();
        repository.add_on(platform, standard, kind, "plain", change, decay);
        if standard == Fmi2 {
            let [from, to] = ["2.0", "3.0"].map(|v| repository.path().join("fmus").join(v));
            fs::rename(from, to).unwrap();
        }
        let (said, code) = repository.check();
        assert!(said.contains(problem) && code == Some(1), "{said}");
    }
}

#[test]
fn what_is_only_recommended_is_advice_and_no_breach() {
    let repository = Repository::new();
    let input =
        r#"<Float64 name="u" valueReference="5" causality="input" start="0"/></ModelVariables>"#;
    let folder = repository.add(Fmi3, "cs", "plain", ("</ModelVariables>", input), decay);
    fs::remove_file(folder.join("README.md")).unwrap();
    let (said, code) = repository.check();
    assert_eq!(code, Some(0), "{said}");
    for line in [
        "mock_in.csv: advice: is missing, and the FMU has inputs",
        "README.md: advice: is missing",
        "FMUs: 1, breaches of the rules: 0, advice: 2",
    ] {
        assert!(said.contains(line), "{said}");
    }
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
    let output = tool(&["crosscheck", "check", "fmus"], folder.path());
    let said = text(&output.stdout);
    assert!(
        said.ends_with("FMUs: 4, breaches of the rules: 0, advice: 0\n"),
        "{said}"
    );
    let output = tool(
        &["crosscheck", "validate", "fmus", "-o", "."],
        folder.path(),
    );
    let said = text(&output.stdout);
    assert!(said.ends_with("passed 4, failed 0, rejected 0\n"), "{said}");
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
    let output = tool(
        &["crosscheck", "validate", "fmus", "-o", "."],
        folder.path(),
    );
    let said = text(&output.stdout);
    assert!(said.ends_with("passed 2, failed 0, rejected 0\n"), "{said}");
}

/// The least library for 64-bit Windows, with the stamp of these sources: the PE header at 0x40 names the
/// machine 0x8664, no section, and an optional header of 240 bytes with 16 empty directories.
#[test]
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
    let output = tool(&["crosscheck", "check", "fmus"], folder.path());
    let said = text(&output.stdout);
    assert!(
        said.ends_with("FMUs: 4, breaches of the rules: 0, advice: 0\n"),
        "{said}"
    );
    let output = tool(
        &["crosscheck", "validate", "fmus", "-o", "."],
        folder.path(),
    );
    let said = text(&output.stdout);
    assert!(
        said.ends_with("passed 2, failed 0, rejected 0, skipped 2\n"),
        "{said}"
    );
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
