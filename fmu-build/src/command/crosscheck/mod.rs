//! `crosscheck`: files by which others see that an FMU runs as its maker says, and what this tool
//! says of the FMUs of others.
//!
//! - `choice`: the variables of a reference
//! - `plan`: how an FMU is run for its reference
//! - `readme`: the texts for people
//! - [`export`]: an FMU of a scene with its reference
//! - [`run`]: one FMU of any tool against its reference
//! - [`validate`]: many of them
//! - [`process`]: each in a process of its own
//! - [`check`]: exported FMUs against the rules

pub mod check;
mod choice;
pub mod export;
mod plan;
pub mod process;
mod readme;
pub mod run;
pub mod validate;

use crate::crosscheck::layout::NO_FMU;
use crate::description::{TOOL, VERSION};
use std::collections::HashSet;
use std::fs;
use std::path::{self, Path, PathBuf};

/// The FMUs that a path means: itself, or all files `*.fmu` in a folder and those that stand for
/// FMUs that are not public, sorted.
///
/// # Errors
/// In words: the path is neither, or a folder without FMU.
fn fmus(path: &Path) -> Result<Vec<PathBuf>, String> {
    let is_fmu = |path: &Path| path.extension().is_some_and(|e| e == "fmu" || e == NO_FMU);
    if path.is_file() {
        return match is_fmu(path) {
            true => Ok(vec![path.to_owned()]),
            false => Err(format!("{}: is no FMU and no folder", path.display())),
        };
    }
    let mut found = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        let unreadable = |e| format!("cannot read the folder {}: {e}", folder.display());
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = entry.path();
            // A link could lead back.
            match entry.file_type().map_err(unreadable)? {
                kind if kind.is_dir() => open.push(path),
                kind if kind.is_file() && is_fmu(&path) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    match found.is_empty() {
        true => Err(format!("{}: there is no FMU in it", path.display())),
        false => Ok(found),
    }
}

/// All FMUs that paths mean, each once.
///
/// # Errors
/// In words, for the first path that means none.
fn all_fmus(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    let mut known = HashSet::new();
    for path in paths {
        for fmu in fmus(path)? {
            let whole = path::absolute(&fmu).unwrap_or_else(|_| fmu.clone());
            if known.insert(whole) {
                all.push(fmu);
            }
        }
    }
    Ok(all)
}
