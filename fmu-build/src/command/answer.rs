//! What a command has to say beside its result: why it failed, warnings, files, progress; as text
//! or as JSON lines.
//!
//! JSON goes out in lines of its own, with an empty one before them: an FMU that was run may have left
//! a line without its end on standard error. What an FMU writes there stands between the objects.
//!
//! Each JSON line is an object whose `type` is
//! - `problem`: `severity` (`error` or `warning`), `kind` (`scene`, `setting`, `simulation`,
//!   `usage`, `other`), `file`, `line` and `column` (from 1, null where there is none), `message`,
//!   `hint` (what to write, or null)
//! - `written`: `file`, one that the command wrote
//! - `progress`: `time` and `stop` [s], `remaining`: wall time that the rest will take [s]
//! - `judged`: `fmu`, one that was compared with its reference; `result`, `reason`, and which one of
//!   how many it is: `number`, `of`

use crate::command::crosscheck::validate::Judged;
use crate::host::Reached;
use crate::scene_file::{Diagnostic, Diagnostics, WARNING};
use serde_json::{Value, json};
use std::fmt;
use std::path::PathBuf;

/// How a command speaks to standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Lines for people
    Text,
    /// A JSON object a line, for programs
    Json,
}

/// What a command that succeeded has to say.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Answer {
    /// For standard output.
    pub text: String,
    /// Warnings of the scene.
    pub warnings: Option<Diagnostics>,
    /// Whether `text` has the warnings too.
    pub text_has_warnings: bool,
    /// Files that were written.
    pub files: Vec<PathBuf>,
    /// Whether what was judged is found bad: the exit code says so.
    pub is_bad: bool,
}

impl Answer {
    /// Only a text.
    pub fn of_text(text: String) -> Answer {
        Answer {
            text,
            ..Answer::default()
        }
    }

    /// What standard error gets.
    pub fn remarks(&self, format: Format) -> String {
        match format {
            Format::Text if self.text_has_warnings => String::new(),
            Format::Text => text_of(&self.warnings),
            Format::Json => {
                let mut lines = problems(&self.warnings);
                let written =
                    |file: &PathBuf| json!({"type": "written", "file": file.display().to_string()});
                lines.extend(self.files.iter().map(written));
                joined(&lines)
            }
        }
    }
}

/// Why a command failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// The scene file has these problems.
    Scene(Diagnostics),
    /// A value of `--set` cannot be had.
    Setting(String),
    /// The simulation did not come to its end.
    Simulation(String),
    /// Something else, such as a file that cannot be written.
    Other(String),
}

/// A failure with what else there is to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Why.
    pub cause: Cause,
    /// Warnings of the scene, often of what has failed now.
    pub warnings: Option<Diagnostics>,
    /// What was left behind.
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
        Cause::Scene(problems).into()
    }
}

impl Failure {
    /// What standard error gets.
    pub fn remarks(&self, format: Format) -> String {
        match format {
            Format::Text => self.to_string(),
            Format::Json => {
                let mut lines = problems(&self.warnings);
                let single = |kind, reason: &str| vec![error(kind, reason, self.left.as_deref())];
                lines.extend(match &self.cause {
                    Cause::Scene(found) => problems(&Some(found.clone())),
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let warnings = text_of(&self.warnings);
        let cause = match &self.cause {
            Cause::Scene(problems) => problems.to_string(),
            Cause::Setting(reason) | Cause::Simulation(reason) | Cause::Other(reason) => {
                reason.clone()
            }
        };
        let left = self.left.clone().unwrap_or_default();
        let parts = [warnings, cause, left];
        let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join("\n"))
    }
}

/// A wrong command line as a JSON line.
pub fn usage_error(message: &str) -> String {
    let message = message.trim_end();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    joined(&[error("usage", message, None)])
}

/// A report of progress as a line.
pub fn progress(format: Format, reached: Reached) -> String {
    let Reached {
        time,
        stop,
        part,
        remaining,
    } = reached;
    let remaining = remaining.round();
    match format {
        Format::Text => format!(
            "t = {time} s of {stop} s, {:.0} %, {remaining} s left\n",
            100.0 * part
        ),
        Format::Json => joined(&[json!({
            "type": "progress",
            "time": time,
            "stop": stop,
            "remaining": remaining,
        })]),
    }
}

/// What became of one FMU of many as a line.
pub fn judged(format: Format, judged: &Judged) -> String {
    let Judged {
        fmu,
        result,
        reason,
        number,
        of,
    } = judged;
    match format {
        Format::Text => {
            let colon = if reason.is_empty() { "" } else { ": " };
            format!(
                "{number} of {of}: {}: {result}{colon}{reason}\n",
                fmu.display()
            )
        }
        Format::Json => joined(&[json!({
            "type": "judged",
            "fmu": fmu.display().to_string(),
            "result": result,
            "reason": reason,
            "number": number,
            "of": of,
        })]),
    }
}

fn text_of(warnings: &Option<Diagnostics>) -> String {
    warnings
        .as_ref()
        .map_or(String::new(), Diagnostics::to_string)
}

/// Lines that do not go on with one that an FMU has begun; nothing of none.
fn joined(lines: &[Value]) -> String {
    let start = if lines.is_empty() { "" } else { "\n" };
    let lines = lines.iter().map(|line| format!("{line}\n"));
    start.to_owned() + &lines.collect::<String>()
}

fn error(kind: &str, message: &str, hint: Option<&str>) -> Value {
    json!({
        "type": "problem", "severity": "error", "kind": kind,
        "file": null, "line": null, "column": null, "message": message, "hint": hint,
    })
}

/// A line for each problem of a scene; what the text of one goes on with is its hint.
fn problems(diagnostics: &Option<Diagnostics>) -> Vec<Value> {
    let Some(diagnostics) = diagnostics else {
        return Vec::new();
    };
    let problem = |problem: &Diagnostic| {
        let (severity, text) = match problem.message.strip_prefix(WARNING) {
            Some(rest) => ("warning", rest),
            None => ("error", problem.message.as_str()),
        };
        let (message, hint) = match text.split_once('\n') {
            Some((message, rest)) => {
                let lines: Vec<&str> = rest.lines().map(str::trim).collect();
                (message, Some(lines.join("\n")))
            }
            None => (text, None),
        };
        json!({
            "type": "problem", "severity": severity, "kind": "scene",
            "file": diagnostics.file,
            "line": problem.position.map(|position| position.line),
            "column": problem.position.map(|position| position.column),
            "message": message, "hint": hint,
        })
    };
    diagnostics.list.iter().map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file::Position;

    fn diagnostics(list: &[(Option<(usize, usize)>, &str)]) -> Diagnostics {
        let list = list.iter().map(|(position, message)| Diagnostic {
            position: position.map(|(line, column)| Position { line, column }),
            message: (*message).to_owned(),
        });
        Diagnostics {
            file: "scene.toml".to_owned(),
            list: list.collect(),
        }
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
            warnings: Some(diagnostics(&[(
                Some((4, 2)),
                "warning: soft\n  write 1\n  or 2",
            )])),
            left: Some("the FMU is a.fmu".to_owned()),
            ..Cause::Simulation("events \"without\" end".to_owned()).into()
        };
        let text = "scene.toml:4:2 warning: soft\n  write 1\n  or 2\nevents \"without\" end\nthe FMU is a.fmu";
        assert_eq!(failure.remarks(Format::Text), text);
        let lines = read(&failure.remarks(Format::Json));
        let warning = json!({
            "type": "problem", "severity": "warning", "kind": "scene", "file": "scene.toml",
            "line": 4, "column": 2, "message": "soft", "hint": "write 1\nor 2",
        });
        let error = json!({
            "type": "problem", "severity": "error", "kind": "simulation", "file": null,
            "line": null, "column": null, "message": "events \"without\" end",
            "hint": "the FMU is a.fmu",
        });
        assert_eq!(lines, [warning, error]);
    }

    #[test]
    fn each_problem_and_each_setting_has_a_line() {
        let found = diagnostics(&[(Some((1, 1)), "name is missing"), (None, "cannot be read")]);
        let lines = read(&Failure::from(found).remarks(Format::Json));
        let place = |line: &Value| [line["line"].clone(), line["column"].clone()];
        assert_eq!(
            lines.iter().map(place).collect::<Vec<_>>(),
            [[json!(1), json!(1)], [Value::Null, Value::Null]]
        );
        let failure = Failure::from(Cause::Setting("--set a: no\n--set b: no".to_owned()));
        let lines = read(&failure.remarks(Format::Json));
        let facts = |line: &Value| (line["kind"].clone(), line["message"].clone());
        let told = ["--set a: no", "--set b: no"].map(|text| (json!("setting"), json!(text)));
        assert_eq!(lines.iter().map(facts).collect::<Vec<_>>(), told);
    }

    #[test]
    fn warnings_that_the_text_has_are_not_told_twice() {
        let answer = Answer {
            warnings: Some(diagnostics(&[(None, "warning: soft")])),
            files: vec!["a.fmu".into()],
            ..Answer::of_text("report".to_owned())
        };
        assert_eq!(answer.remarks(Format::Text), "scene.toml: warning: soft");
        let lines = read(&answer.remarks(Format::Json));
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1], json!({"type": "written", "file": "a.fmu"}));
        let told = Answer {
            text_has_warnings: true,
            ..answer
        };
        assert_eq!(told.remarks(Format::Text), "");
        assert_eq!(read(&told.remarks(Format::Json)), lines);
    }

    #[test]
    fn progress_is_a_line() {
        let reached = Reached {
            time: 0.5,
            stop: 2.0,
            part: 0.25,
            remaining: 61.6,
        };
        let text = progress(Format::Text, reached);
        assert_eq!(text, "t = 0.5 s of 2 s, 25 %, 62 s left\n");
        let line = json!({"type": "progress", "time": 0.5, "stop": 2.0, "remaining": 62.0});
        assert_eq!(read(&progress(Format::Json, reached)), [line]);
    }
}
