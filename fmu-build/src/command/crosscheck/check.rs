//! `crosscheck check`: exported FMUs of any tool against the rules.

use super::all_fmus;
use crate::command::answer::Answer;
use crate::crosscheck::layout::{NOT_COMPLIANT, Place, Unplaced};
use crate::crosscheck::rules;
use crate::host::Limits;
use std::path::{Path, PathBuf};

/// Checks the FMUs that `paths` mean, with the files beside them. The answer is a line for each
/// problem, and their number; bad if a rule is broken, which advice does not count for. What the
/// rules exempt, and FMI 1.0, gets a line and no check.
///
/// # Errors
/// In words: a path means no FMU.
pub fn run(paths: &[PathBuf], limits: &Limits) -> Result<Answer, String> {
    let fmus = all_fmus(paths)?;
    let mut text = String::new();
    let (mut breaches, mut advice, mut skipped) = (0_usize, 0_usize, 0_usize);
    for fmu in &fmus {
        if let Some(reason) = exemption(fmu) {
            text += &format!("{}: skipped: {reason}\n", fmu.display());
            skipped += 1;
            continue;
        }
        let (_, problems) = rules::read(fmu, limits);
        for problem in problems {
            text += &format!("{problem}\n");
            match problem.is_advice {
                true => advice += 1,
                false => breaches += 1,
            }
        }
    }
    text += &format!(
        "FMUs: {}, breaches of the rules: {breaches}, advice: {advice}",
        fmus.len()
    );
    if skipped > 0 {
        text += &format!(", skipped: {skipped}");
    }
    Ok(Answer {
        text,
        is_bad: breaches > 0,
        ..Answer::default()
    })
}

/// Why an FMU is not checked.
fn exemption(fmu: &Path) -> Option<String> {
    if fmu.with_file_name(NOT_COMPLIANT).exists() {
        return Some(format!("{NOT_COMPLIANT} is beside it"));
    }
    match Place::of_fmu(fmu) {
        Err(Unplaced::Skipped(reason)) => Some(reason),
        _ => None,
    }
}
