//! Output of a command beside its result: failure, warnings, files, progress; as text or as JSON lines.
//!
//! JSON objects are written one per line, after an empty line: an FMU that was run may have left an
//! incomplete line on standard error. The FMU's own output appears between the objects.
//!
//! [`SCHEMA`] defines an object by its `type`: `problem`, `log`, `written`, `progress`, `slow`,
//! `interrupted`, `scene` or `fmu`.

use super::watch::Reached;
use crate::scene_file::{Diagnostic, Diagnostics, Position, is_hidden};
pub(crate) use crate::scene_file::{Look, visible};
use fmu_host::Run;
use fmu_view::number::{counted, rounded};
use serde_json::{Value, json};
use std::fmt;
use std::path::PathBuf;

/// JSON Schema of the lines for programs.
pub(crate) const SCHEMA: &str = include_str!("../../messages.schema.json");

/// How a command speaks to standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Lines for people, problems of a scene with the lines that they are in
    Text,
    /// A JSON object a line, for programs
    Json,
}

/// Output of a successful command.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Answer {
    pub text: String,
    /// `text` as data.
    pub data: Option<Value>,
    pub warnings: Option<Diagnostics>,
    /// Whether `text` includes the warnings.
    pub(crate) text_has_warnings: bool,
    /// Warnings from the log of an FMU, also in `text`.
    pub logged: Vec<String>,
    pub files: Vec<PathBuf>,
    /// Remark about a command ended by the user, for the exit code.
    pub interrupted: Option<String>,
    /// The run of `simulate`.
    pub run: Option<Box<Run>>,
}

impl Answer {
    pub(crate) fn of_text(text: String) -> Answer {
        Answer {
            text,
            ..Answer::default()
        }
    }

    /// Answer of a command ended by the user, with a remark.
    pub(crate) fn interrupted(what: String, files: Vec<PathBuf>) -> Answer {
        Answer {
            interrupted: Some(what),
            files,
            ..Answer::default()
        }
    }

    pub(crate) fn remarks(&self, format: Format, look: Look) -> String {
        match format {
            Format::Text => {
                let warnings = match self.text_has_warnings {
                    true => String::new(),
                    false => text_of(&self.warnings, look),
                };
                let interrupted = visible(self.interrupted.as_deref().unwrap_or_default());
                let parts = [warnings.trim_end(), &interrupted];
                let parts = parts.into_iter().filter(|part| !part.is_empty());
                parts.collect::<Vec<_>>().join("\n")
            }
            Format::Json => {
                let mut lines = problems(self.warnings.as_ref());
                lines.extend(self.logged.iter().map(|message| logged(message)));
                let written =
                    |file: &PathBuf| json!({"type": "written", "file": file.display().to_string()});
                lines.extend(self.files.iter().map(written));
                let what = self.interrupted.iter();
                lines.extend(what.map(|what| json!({"type": "interrupted", "message": what})));
                lines.extend(self.data.clone());
                joined(&lines)
            }
        }
    }
}

/// Last line on problems that keep a scene from being checked to the end.
const FURTHER_CHECKS: &str = "Further checks follow once these are mended.";

/// Why a command failed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cause {
    Scene(Box<Diagnostics>),
    /// Invalid value of `--set`.
    Setting(String),
    /// Failed simulation.
    Simulation(String),
    Other(String),
}

/// Failure with further output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub cause: Cause,
    /// Warnings of the scene, often about the cause.
    pub warnings: Option<Box<Diagnostics>>,
    /// Remark about remaining results.
    pub left: Option<String>,
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        Failure {
            cause,
            warnings: None,
            left: None,
        }
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Cause::Other(reason).into()
    }
}

impl From<Diagnostics> for Failure {
    fn from(problems: Diagnostics) -> Self {
        Cause::Scene(Box::new(problems)).into()
    }
}

impl Failure {
    pub(crate) fn remarks(&self, format: Format, look: Look) -> String {
        match format {
            Format::Text => self.text(|problems| problems.render(look), "\n\n"),
            Format::Json => {
                let mut lines = problems(self.warnings.as_deref());
                let single = |kind, reason: &str| vec![error(kind, reason, self.left.as_deref())];
                lines.extend(match &self.cause {
                    Cause::Scene(found) => problems(Some(found)),
                    Cause::Setting(reason) => reason
                        .lines()
                        .map(|line| error("setting", line, None))
                        .collect(),
                    Cause::Simulation(reason) => single("simulation", reason),
                    Cause::Other(reason) => single("other", reason),
                });
                joined(&lines)
            }
        }
    }
}

impl Failure {
    fn text(&self, show: impl Fn(&Diagnostics) -> String, between: &str) -> String {
        let warnings = self.warnings.as_deref().map_or(String::new(), &show);
        let cause = match &self.cause {
            Cause::Scene(problems) => show(problems),
            Cause::Setting(reason) | Cause::Simulation(reason) | Cause::Other(reason) => {
                visible(reason)
            }
        };
        let more = match &self.cause {
            Cause::Scene(problems) if problems.has_more => FURTHER_CHECKS.to_owned(),
            _ => String::new(),
        };
        let left = visible(self.left.as_deref().unwrap_or_default());
        let parts = [warnings, cause, more, left];
        let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(between)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Diagnostics::to_string, "\n"))
    }
}

pub(crate) fn usage_error(message: &str) -> String {
    let message = message.trim_end();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    joined(&[error("usage", message, None)])
}

/// Warning in the log of an FMU.
fn logged(message: &str) -> Value {
    json!({"type": "log", "severity": "warning", "message": message})
}

/// Progress report as a line.
pub(crate) fn progress(format: Format, reached: &Reached) -> String {
    let Reached {
        time,
        stop,
        part,
        speed,
        ..
    } = *reached;
    let remaining = reached.remaining.map(f64::round);
    match format {
        Format::Text => {
            let mut parts = vec![
                format!("t = {} s of {stop} s", rounded(time, 6)),
                percent(part),
            ];
            // What says most first: a narrow terminal cuts the rest.
            parts.extend(remaining.map(|seconds| format!("{} left", duration(seconds))));
            if let Some(pulse) = &reached.pulse {
                parts.push(format!("steps of {} s", rounded(pulse.step, 2)));
            }
            parts.extend(reached.limit().map(|limit| format!("limited by {limit}")));
            if let Some(pulse) = &reached.pulse {
                parts.push(counted(pulse.steps as usize, "step"));
                parts.push(counted(pulse.events as usize, "event"));
            }
            parts.extend(speed.map(|speed| format!("{} s/s", rounded(speed, 2))));
            format!("{}\n", parts.join(", "))
        }
        Format::Json => {
            let pulse = reached.pulse.as_ref();
            joined(&[json!({
                "type": "progress",
                "time": time,
                "stop": stop,
                "remaining": remaining,
                "speed": speed,
                "events": pulse.map(|pulse| pulse.events),
                "steps": pulse.map(|pulse| pulse.steps),
                "step": pulse.map(|pulse| pulse.step),
                "limit": reached.limit(),
            })])
        }
    }
}

/// Reason for a slow run as a line.
pub(crate) fn slow(format: Format, reason: &str) -> String {
    match format {
        Format::Text => format!("{reason}\n"),
        Format::Json => joined(&[json!({"type": "slow", "message": reason})]),
    }
}

/// Percent, with a decimal if small; never rounded up.
fn percent(part: f64) -> String {
    match 100.0 * part {
        few if few < 10.0 => format!("{:.1} %", (10.0 * few).floor() / 10.0),
        many => format!("{} %", many.floor()),
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

fn text_of(warnings: &Option<Diagnostics>, look: Look) -> String {
    warnings
        .as_ref()
        .map_or(String::new(), |warnings| warnings.render(look))
}

/// Lines that do not continue an incomplete one of an FMU. Hidden characters, which occur in texts only, are
/// escaped as in JSON.
fn joined(lines: &[Value]) -> String {
    let mut text = String::from(if lines.is_empty() { "" } else { "\n" });
    for line in lines {
        for character in line.to_string().chars() {
            match is_hidden(character) {
                true => text += &format!("\\u{:04x}", u32::from(character)),
                false => text.push(character),
            }
        }
        text.push('\n');
    }
    text
}

fn error(kind: &str, message: &str, help: Option<&str>) -> Value {
    json!({
        "type": "problem", "severity": "error", "kind": kind,
        "file": null, "line": null, "column": null, "end_line": null, "end_column": null,
        "message": message, "help": Vec::from_iter(help), "related": [],
    })
}

/// Line for each problem of a scene.
fn problems(diagnostics: Option<&Diagnostics>) -> Vec<Value> {
    let Some(diagnostics) = diagnostics else {
        return Vec::new();
    };
    let problem = |problem: &Diagnostic| {
        let span = problem.span.as_ref();
        let [start, end] = match span.map(|span| diagnostics.positions(span)) {
            Some(positions) => positions.map(Some),
            None => [None; 2],
        };
        let line = |position: Option<Position>| position.map(|position| position.line);
        let column = |position: Option<Position>| position.map(|position| position.column);
        let (finding, related) = (&problem.finding, problem.related.iter());
        let related = related.map(|(span, label)| {
            let [start, end] = diagnostics.positions(span);
            json!({
                "line": start.line, "column": start.column,
                "end_line": end.line, "end_column": end.column, "message": label,
            })
        });
        json!({
            "type": "problem", "severity": problem.severity.word(), "kind": "scene",
            "file": diagnostics.file,
            "line": line(start), "column": column(start),
            "end_line": line(end), "end_column": column(end),
            "message": finding.message, "help": finding.help, "related": Vec::from_iter(related),
        })
    };
    diagnostics.list.iter().map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_laws::finding::Finding;
    use fmu_core::instance::record::{Pulse, StepLimit};

    const TEXT: &str = "first\n second = 5\n";

    fn diagnostics(list: Vec<Diagnostic>) -> Diagnostics {
        Diagnostics {
            file: "scene.toml".to_owned(),
            text: TEXT.into(),
            list,
            has_more: false,
        }
    }

    fn soft() -> Diagnostic {
        let finding = Finding::from(("soft", "write\n  1")).with_help("or 2");
        Diagnostic::warning(7..13, finding).with_related(0..5, "the other")
    }

    fn read(lines: &str) -> Vec<Value> {
        let lines = lines.strip_prefix('\n').expect("an empty line");
        let lines = lines.lines().map(serde_json::from_str::<Value>);
        lines
            .map(|line| line.expect("a JSON object a line"))
            .collect()
    }

    #[test]
    fn a_failed_simulation_is_told_after_the_warnings_of_its_scene() {
        let failure = Failure {
            warnings: Some(Box::new(diagnostics(vec![soft()]))),
            left: Some("the FMU is a.fmu".to_owned()),
            ..Cause::Simulation("events \"without\" end".to_owned()).into()
        };
        let text = "scene.toml:2:2: warning: soft\n  help: write\n    1\n  help: or 2\nevents \"without\" \
                    end\nthe FMU is a.fmu";
        assert_eq!(failure.to_string(), text);
        let text = "scene.toml:2:2: warning: soft\n  |\n1 | first\n  | ----- the other\n2 |  second = 5\n  |  \
                    ^^^^^^\n  |\n  = help: write\n            1\n  = help: or 2\n\nevents \"without\" end\n\nthe \
                    FMU is a.fmu";
        assert_eq!(failure.remarks(Format::Text, Look::PLAIN), text);
        let lines = read(&failure.remarks(Format::Json, Look::PLAIN));
        let other = json!({
            "line": 1, "column": 1, "end_line": 1, "end_column": 6, "message": "the other",
        });
        let warning = json!({
            "type": "problem", "severity": "warning", "kind": "scene", "file": "scene.toml",
            "line": 2, "column": 2, "end_line": 2, "end_column": 8,
            "message": "soft", "help": ["write\n  1", "or 2"], "related": [other],
        });
        let error = json!({
            "type": "problem", "severity": "error", "kind": "simulation", "file": null,
            "line": null, "column": null, "end_line": null, "end_column": null,
            "message": "events \"without\" end", "help": ["the FMU is a.fmu"], "related": [],
        });
        assert_eq!(lines, [warning, error]);
    }

    #[test]
    fn names_of_others_do_not_act_on_a_terminal() {
        let foreign = "a\u{1b}[2J\u{7}\u{85}\u{202e}";
        let failure = Failure {
            left: Some(foreign.to_owned()),
            ..Cause::Simulation(foreign.to_owned()).into()
        };
        let answer = Answer::interrupted(foreign.to_owned(), vec![foreign.into()]);
        for text in [Format::Text, Format::Json].map(|format| {
            failure.remarks(format, Look::PLAIN) + &answer.remarks(format, Look::PLAIN)
        }) {
            assert!(!text.contains(is_hidden), "{text:?}");
        }
        let lines = read(&failure.remarks(Format::Json, Look::PLAIN));
        assert_eq!(lines[0]["message"], foreign);
    }

    #[test]
    fn each_problem_and_each_setting_has_a_line() {
        let of_file = Diagnostic::error(0..0, "cannot be read").of_file();
        let found = diagnostics(vec![Diagnostic::error(0..0, "name is missing"), of_file]);
        let lines = read(&Failure::from(found).remarks(Format::Json, Look::PLAIN));
        let place = |line: &Value| [line["line"].clone(), line["column"].clone()];
        assert_eq!(
            lines.iter().map(place).collect::<Vec<_>>(),
            [[json!(1), json!(1)], [Value::Null, Value::Null]]
        );
        let failure = Failure::from(Cause::Setting("--set a: no\n--set b: no".to_owned()));
        let lines = read(&failure.remarks(Format::Json, Look::PLAIN));
        let facts = |line: &Value| (line["kind"].clone(), line["message"].clone());
        let told = ["--set a: no", "--set b: no"].map(|text| (json!("setting"), json!(text)));
        assert_eq!(lines.iter().map(facts).collect::<Vec<_>>(), told);
    }

    #[test]
    fn warnings_that_the_text_has_are_not_told_twice() {
        let of_file = Diagnostic::warning(0..0, "soft").of_file();
        let answer = Answer {
            warnings: Some(diagnostics(vec![of_file])),
            logged: vec!["2 s: deep".to_owned()],
            files: vec!["a.fmu".into()],
            ..Answer::of_text("report".to_owned())
        };
        assert_eq!(
            answer.remarks(Format::Text, Look::PLAIN),
            "scene.toml: warning: soft"
        );
        let lines = read(&answer.remarks(Format::Json, Look::PLAIN));
        let log = json!({"type": "log", "severity": "warning", "message": "2 s: deep"});
        assert_eq!(
            lines[1..],
            [log, json!({"type": "written", "file": "a.fmu"})]
        );
        let told = Answer {
            text_has_warnings: true,
            ..answer
        };
        assert_eq!(told.remarks(Format::Text, Look::PLAIN), "");
        assert_eq!(read(&told.remarks(Format::Json, Look::PLAIN)), lines);
    }

    #[test]
    fn progress_is_a_line() {
        let mut reached = Reached {
            time: 0.5,
            stop: 2.0,
            part: 0.25,
            row: Some(0.5),
            step: 0.1,
            speed: Some(0.0243),
            remaining: Some(61.6),
            pulse: None,
        };
        let text = progress(Format::Text, &reached);
        assert_eq!(text, "t = 0.5 s of 2 s, 25 %, 62 s left, 0.024 s/s\n");
        reached.pulse = Some(Pulse {
            time: 0.5,
            step: 1.25e-5,
            steps: 1000,
            events: 1,
            limit: Some(StepLimit::Error("arm.velocity[2]".into(), None)),
        });
        let text = progress(Format::Text, &reached);
        let end = "62 s left, steps of 1.3e-5 s, limited by arm, 1000 steps, 1 event, 0.024 s/s\n";
        assert!(text.ends_with(end), "{text}");
        let line = json!({
            "type": "progress", "time": 0.5, "stop": 2.0, "remaining": 62.0, "speed": 0.0243,
            "events": 1, "steps": 1000, "step": 1.25e-5, "limit": "arm",
        });
        assert_eq!(read(&progress(Format::Json, &reached)), [line]);
        let lasting = [59.0, 600.0, 7200.0].map(duration);
        assert_eq!(lasting, ["59 s", "10 min", "2 h"]);
    }
}
