//! `replay`: a table of results becomes a page with the scene in motion.
//!
//! Events are those of `events.csv` beside it. The table may be of any program: its columns are variables
//! of the FMU. Contacts have arrows where
//! they are reported as outputs; `simulate --replay` has all of them.

use super::answer::{Answer, Failure};
use super::view::{self, Shown, Views};
use crate::host::{ContactEvent, Fmu, Limits, ModelDescription, Trajectory};
use crate::number::counted;
use crate::replay::table;
use crate::whole_file::write_whole;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The table of events that `simulate` leaves beside its results.
const EVENTS: &str = "events.csv";

/// What to show.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A CSV file with the time in its first column.
    pub table: PathBuf,
    /// The FMU that it is of; that of the same name beside it if not given.
    pub fmu: Option<PathBuf>,
    /// Folder of the files; that of the table if not given.
    pub folder: Option<PathBuf>,
    /// What to write beside the page.
    pub views: Views,
    /// What reading the FMU may cost.
    pub limits: Limits,
}

/// Writes the files.
///
/// # Errors
/// A table or an FMU that cannot be read; a table that is not of the FMU; a file that cannot be
/// written.
pub fn run(request: &Request) -> Result<Answer, Failure> {
    check_table(&request.table)?;
    let file = fmu_of(request)?;
    let in_fmu = |reason: String| format!("{}: {reason}", file.display());
    let in_table = |reason: String| format!("{}: {reason}", request.table.display());
    let fmu = Fmu::open_within(&file, &request.limits).map_err(|e| in_fmu(e.to_string()))?;
    let mut visual = view::visual_of(&fmu).map_err(in_fmu)?;
    let mut trajectory = table::read(&request.table)?;
    describe(&mut trajectory, fmu.description());
    let (frames, notes) = table::frames(&mut visual, &trajectory).map_err(in_table)?;
    let name = request
        .table
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let beside = request.table.parent().unwrap_or(Path::new(""));
    let events = beside.join(EVENTS);
    let events = match events.is_file() {
        true => table::read_events(&events)?,
        false => Vec::new(),
    };
    let range = trajectory.times().first().zip(trajectory.times().last());
    let is_in = |event: &&ContactEvent| {
        range.is_some_and(|(first, last)| (*first..=*last).contains(&event.time))
    };
    let events: Vec<ContactEvent> = events.iter().filter(is_in).cloned().collect();
    let shown = Shown {
        title: &name,
        fmu: &fmu,
        visual: &visual,
        frames: &frames,
        trajectory: &trajectory,
        events: &events,
        notes: notes.clone(),
    };
    let views = Views {
        page: true,
        ..request.views.clone()
    };
    let folder = request.folder.as_deref().unwrap_or(beside);
    if folder != Path::new("") {
        fs::create_dir_all(folder)
            .map_err(|e| format!("cannot make the folder {}: {e}", folder.display()))?;
    }
    let mut files = Vec::new();
    for (file, content) in view::files(&shown, &views, &name)? {
        let file = folder.join(file);
        write_whole(&file, &content)
            .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        files.push(file);
    }
    let count = frames.list.len();
    let mut text = format!(
        "{count} frames of {}, {}\n",
        request.table.display(),
        counted(events.len(), "event")
    );
    for note in &notes {
        text += &format!("note: {note}\n");
    }
    for file in &files {
        text += &format!("{}\n", file.display());
    }
    Ok(Answer {
        text,
        files,
        ..Answer::default()
    })
}

/// Refuses what is no table before its FMU is looked for.
fn check_table(table: &Path) -> Result<(), String> {
    let is_fmu = table
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("fmu"));
    if is_fmu {
        return Err(format!(
            "{}: is an FMU, not a table of its results; fmu-build simulate --replay runs it and shows it",
            table.display()
        ));
    }
    fs::metadata(table)
        .map(drop)
        .map_err(|error| format!("{}: cannot be read: {error}", table.display()))
}

/// The FMU of a table.
fn fmu_of(request: &Request) -> Result<PathBuf, String> {
    if let Some(given) = &request.fmu {
        return Ok(given.clone());
    }
    let beside = request.table.with_extension("fmu");
    match beside.is_file() {
        true => Ok(beside),
        false => Err(format!(
            "{}: there is no {} beside it; --fmu names the FMU that the table is of",
            request.table.display(),
            beside.file_name().unwrap_or_default().to_string_lossy()
        )),
    }
}

/// Gives the columns the units and descriptions of the variables that they are of.
fn describe(trajectory: &mut Trajectory, description: &ModelDescription) {
    let mut known = BTreeMap::new();
    for variable in &description.variables {
        for name in description.entry_names(variable).unwrap_or_default() {
            known.insert(name, variable);
        }
    }
    for column in trajectory.columns_mut() {
        if let Some(variable) = known.get(&column.name) {
            column.unit.clone_from(&variable.unit);
            column.description.clone_from(&variable.description);
        }
    }
}
