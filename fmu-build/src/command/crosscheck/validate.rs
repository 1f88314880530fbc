//! `crosscheck validate`: runs FMUs of any tool as their settings say, compares them with their
//! references and writes what the rules ask of an importer, `passed`, `failed` or `rejected`.
//!
//! Results of another platform are those of a run there: an FMU that this platform cannot run is
//! skipped, and what is written of it stays. One FMU that cannot be judged ends nothing.

use super::process;
use super::run::Verdict;
use super::{TOOL, VERSION, all_fmus, readme};
use crate::command::answer::Answer;
use crate::crosscheck::layout::{self, Place, README, Unplaced};
use crate::host::Limits;
use crate::package::platform::Platform;
use crate::report::summary::aligned;
use crate::whole_file::write_whole;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Characters of a reason in the table.
const REASON_CHARACTERS: usize = 100;

/// What to validate.
#[derive(Clone, Debug)]
pub struct Request {
    /// FMUs, or folders of them.
    pub paths: Vec<PathBuf>,
    /// Folder that the folder `results` is made in.
    pub folder: PathBuf,
    /// Time that an FMU may take.
    pub time_limit: Duration,
    /// What reading an FMU may cost.
    pub limits: Limits,
    /// Is told of each FMU when its result is known.
    pub progress: fn(&Judged),
}

/// What became of one FMU of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The FMU.
    pub fmu: PathBuf,
    /// One of [`Outcome`]'s words.
    pub result: &'static str,
    /// Why, one line; empty where there is nothing to say.
    pub reason: String,
    /// Place among the FMUs, from 1.
    pub number: usize,
    /// Number of FMUs.
    pub of: usize,
}

/// What became of an FMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Its verdict is written.
    Judged(Verdict),
    /// It is not for this tool on this platform.
    Skipped,
    /// Its path is not of the rules, or its result could not be had or written.
    Unknown,
}

impl Outcome {
    fn word(self) -> &'static str {
        match self {
            Outcome::Judged(verdict) => verdict.word(),
            Outcome::Skipped => "skipped",
            Outcome::Unknown => "error",
        }
    }
}

/// Validates. The answer is a table of the results with their numbers; bad if an FMU failed, or
/// nothing can be said of one.
///
/// # Errors
/// In words: a path means no FMU.
pub fn run(request: &Request) -> Result<Answer, String> {
    let fmus = all_fmus(&request.paths)?;
    let head = [
        "tool", "version", "model", "FMI", "kind", "platform", "result", "",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    let mut outcomes = Vec::new();
    for (index, fmu) in fmus.iter().enumerate() {
        let place = Place::of_fmu(fmu);
        let (outcome, reason) = match &place {
            Ok(place) => treat(request, fmu, place),
            Err(Unplaced::Skipped(reason)) => (Outcome::Skipped, reason.clone()),
            Err(Unplaced::Misplaced(reason)) => (Outcome::Unknown, reason.clone()),
        };
        (request.progress)(&Judged {
            fmu: fmu.clone(),
            result: outcome.word(),
            reason: reason.lines().next().unwrap_or("").to_owned(),
            number: index + 1,
            of: fmus.len(),
        });
        rows.push(row(fmu, place.ok().as_ref(), outcome, &reason));
        outcomes.push(outcome);
    }
    let has = |outcome: &Outcome| outcomes.contains(outcome);
    Ok(Answer {
        text: format!("{}{}", aligned(&rows, [false; 8]), numbers(&outcomes)),
        is_bad: has(&Outcome::Judged(Verdict::Failed)) || has(&Outcome::Unknown),
        ..Answer::default()
    })
}

/// How many FMUs have each result; those that hardly any run has only where there are some.
fn numbers(outcomes: &[Outcome]) -> String {
    let verdicts = Verdict::ALL.map(Outcome::Judged);
    let all = verdicts.iter().chain(&[Outcome::Skipped, Outcome::Unknown]);
    let count = |outcome: &Outcome| outcomes.iter().filter(|known| *known == outcome).count();
    let numbers = all.map(|outcome| (*outcome, count(outcome)));
    let told = numbers.filter(|(outcome, count)| verdicts.contains(outcome) || *count > 0);
    let told: Vec<String> = told
        .map(|(outcome, count)| format!("{} {count}", outcome.word()))
        .collect();
    told.join(", ")
}

/// Line of the table; without a place it has the path.
fn row(fmu: &Path, place: Option<&Place>, outcome: Outcome, reason: &str) -> [String; 8] {
    let word = outcome.word().to_owned();
    let Some(place) = place else {
        let none = [(); 6].map(|()| "-".to_owned());
        let [a, b, c, d, e, f] = none;
        return [
            a,
            b,
            c,
            d,
            e,
            f,
            word,
            format!("{}: {reason}", fmu.display()),
        ];
    };
    [
        place.tool.clone(),
        place.tool_version.clone(),
        place.model.clone(),
        place.fmi_version.clone(),
        place.interface.name().to_owned(),
        place.platform.clone(),
        word,
        first_line(reason),
    ]
}

fn first_line(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or("");
    match line.chars().count() > REASON_CHARACTERS {
        true => line.chars().take(REASON_CHARACTERS - 3).collect::<String>() + "...",
        false => line.to_owned(),
    }
}

/// Judges an FMU and writes its result.
fn treat(request: &Request, fmu: &Path, place: &Place) -> (Outcome, String) {
    if let Some(reason) = other_platform(place) {
        return (Outcome::Skipped, reason);
    }
    match process::judge(fmu, &request.limits, request.time_limit) {
        Err(reason) => (Outcome::Unknown, reason),
        Ok((verdict, reason)) => match write(request, place, verdict, &reason) {
            Ok(()) => (Outcome::Judged(verdict), reason),
            Err(error) => (Outcome::Unknown, format!("{}, but {error}", verdict.word())),
        },
    }
}

/// Why an FMU is for another platform than this one.
fn other_platform(place: &Place) -> Option<String> {
    let host = Platform::host().map(|host| layout::platform_folder(host.name));
    (host != Some(&place.platform)).then(|| {
        format!(
            "for the platform {}; this program runs on {}",
            place.platform,
            host.unwrap_or("another")
        )
    })
}

/// Writes the file of the verdict and the readme where one is due; then takes older ones away.
fn write(request: &Request, place: &Place, verdict: Verdict, reason: &str) -> Result<(), String> {
    let folder = request.folder.join(place.imported(TOOL, VERSION));
    let fail = |e: io::Error| format!("cannot write into {}: {e}", folder.display());
    fs::create_dir_all(&folder).map_err(fail)?;
    write_whole(&folder.join(verdict.word()), b"").map_err(fail)?;
    let mut old: Vec<&str> = Verdict::ALL.map(Verdict::word).to_vec();
    old.retain(|word| *word != verdict.word());
    match verdict {
        Verdict::Passed => old.push(README),
        Verdict::Failed | Verdict::Rejected => {
            let text = readme::imported(place, verdict, reason);
            write_whole(&folder.join(README), text.as_bytes()).map_err(fail)?;
        }
    }
    for name in old {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(fail(error)),
            _ => {}
        }
    }
    Ok(())
}
