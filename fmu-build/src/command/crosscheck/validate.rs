//! `crosscheck validate`: runs FMUs of any tool as their settings say, compares them with their
//! references and writes what the rules ask of an importer, `passed`, `failed` or `rejected`.
//!
//! Each FMU runs in a process of its own, so that one that ends it, or never comes back, is a
//! failure of this FMU alone.

use super::run::{self, Judgement, Verdict};
use super::{TOOL, VERSION, all_fmus, readme};
use crate::command::answer::Answer;
use crate::crosscheck::layout::{Place, README};
use crate::host::Limits;
use crate::host::limits::MIB;
use crate::package::file::write_whole;
use crate::report::summary::aligned;
use std::env;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Name of the command that runs one FMU.
pub const ONE: &str = "run";
/// Time between two looks at a process.
const PATIENCE: Duration = Duration::from_millis(10);
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
}

/// Validates. The answer is a table of the verdicts with their numbers; bad if one failed.
///
/// # Errors
/// In words: a path means no FMU or has not the form of the rules; a result cannot be written.
pub fn run(request: &Request) -> Result<Answer, String> {
    let fmus = all_fmus(&request.paths)?;
    let places: Vec<Place> = fmus
        .iter()
        .map(|fmu| Place::of_fmu(fmu))
        .collect::<Result<_, _>>()?;
    let head = [
        "tool", "version", "model", "FMI", "kind", "platform", "result", "",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    let mut counts = [0_usize; Verdict::ALL.len()];
    for (fmu, place) in fmus.iter().zip(&places) {
        let (verdict, reason) = judge(request, fmu)?;
        write(request, place, verdict, &reason)?;
        let index = Verdict::ALL.iter().position(|known| *known == verdict);
        counts[index.unwrap_or_default()] += 1;
        rows.push([
            place.tool.clone(),
            place.tool_version.clone(),
            place.model.clone(),
            place.fmi_version.clone(),
            place.interface.name().to_owned(),
            place.platform.clone(),
            verdict.word().to_owned(),
            first_line(&reason),
        ]);
    }
    let numbers = Verdict::ALL.iter().zip(counts);
    let numbers: Vec<String> = numbers
        .map(|(verdict, count)| format!("{} {count}", verdict.word()))
        .collect();
    Ok(Answer {
        text: format!("{}{}", aligned(&rows, [false; 8]), numbers.join(", ")),
        is_bad: counts[1] > 0,
        ..Answer::default()
    })
}

fn first_line(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or("");
    match line.chars().count() > REASON_CHARACTERS {
        true => line.chars().take(REASON_CHARACTERS - 3).collect::<String>() + "...",
        false => line.to_owned(),
    }
}

/// Runs one FMU in a process of its own.
///
/// # Errors
/// In words: there is no process or no temporary folder to be had.
fn judge(request: &Request, fmu: &Path) -> Result<Judgement, String> {
    let no_process = |e: std::io::Error| format!("cannot run {}: {e}", fmu.display());
    let folder = tempfile::tempdir().map_err(no_process)?;
    let [verdict, log] = ["verdict", "log"].map(|name| folder.path().join(name));
    let output = File::create(&log).map_err(no_process)?;
    let errors = output.try_clone().map_err(no_process)?;
    let limits = &request.limits;
    let mut child = Command::new(env::current_exe().map_err(no_process)?)
        .args(["crosscheck", ONE])
        .arg(fmu)
        .arg(&verdict)
        .args(["--max-unpacked", &(limits.unpacked / MIB).to_string()])
        .args(["--max-description", &(limits.description / MIB).to_string()])
        .args(["--max-values", &limits.values.to_string()])
        // What an FMU that ends the process leaves goes with this folder.
        .envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path())))
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .spawn()
        .map_err(no_process)?;
    let status = wait(&mut child, request.time_limit).map_err(no_process)?;
    let written = fs::read_to_string(&verdict).ok();
    Ok(match (written.as_deref().and_then(run::read), status) {
        (Some(judgement), _) => judgement,
        (None, None) => (
            Verdict::Failed,
            format!(
                "did not come to its end in {} s; --time-limit allows more",
                request.time_limit.as_secs_f64()
            ),
        ),
        (None, Some(status)) => {
            let said = fs::read(&log).unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            let ended = format!("the FMU ended the process: {status}");
            (Verdict::Failed, format!("{ended}\n{}", said.trim_end()))
        }
    })
}

/// Waits for the end of a process; ends it when its time is over, and answers none then.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(PATIENCE);
    }
}

/// Writes the file of the verdict, and no other, and the readme where one is due.
fn write(request: &Request, place: &Place, verdict: Verdict, reason: &str) -> Result<(), String> {
    let folder = request.folder.join(place.imported(TOOL, VERSION));
    let fail = |e: std::io::Error| format!("cannot write into {}: {e}", folder.display());
    fs::create_dir_all(&folder).map_err(fail)?;
    let words = Verdict::ALL.map(Verdict::word);
    for old in words.into_iter().chain([README]) {
        match fs::remove_file(folder.join(old)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(fail(error)),
            _ => {}
        }
    }
    if verdict != Verdict::Passed {
        let text = readme::imported(place, verdict, reason);
        write_whole(&folder.join(README), text.as_bytes()).map_err(fail)?;
    }
    write_whole(&folder.join(verdict.word()), b"").map_err(fail)
}
