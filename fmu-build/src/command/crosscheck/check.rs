//! `crosscheck check`: exported FMUs of any tool against the rules.

use super::all_fmus;
use crate::command::answer::Answer;
use crate::crosscheck::rules;
use crate::host::Limits;
use std::path::PathBuf;

/// Checks the FMUs that `paths` mean, with the files beside them. The answer is a line for each problem, and
/// their number; bad if a rule is broken, which advice does not count for.
///
/// # Errors
/// In words: a path means no FMU.
pub fn run(paths: &[PathBuf], limits: &Limits) -> Result<Answer, String> {
    let fmus = all_fmus(paths)?;
    let mut text = String::new();
    let (mut breaches, mut advice) = (0_usize, 0_usize);
    for fmu in &fmus {
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
    Ok(Answer {
        text,
        is_bad: breaches > 0,
        ..Answer::default()
    })
}
