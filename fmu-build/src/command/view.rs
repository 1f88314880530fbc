//! Views of a run: the replay page, an animated glTF file, pictures. `simulate` makes them from recorded
//! frames, `replay` from a table of results.
//!
//! `replay` shows a table of results, of any program, as a page with the animated scene: the columns are
//! variables of the FMU. Events are those of `events.csv` beside it. Contacts have arrows if they are
//! reported as outputs; `simulate --replay` has all of them.

use crate::command::answer::{Answer, Failure};
use crate::command::options::{LimitFlags, time};
use crate::command::results::{make_folder, write};
use crate::description::{TOOL, VERSION};
use clap::Args;
use contact_geometry::math::{Pose, Vec3};
use contact_model::scene::{Scene, SceneDescription, checked};
use fmu_core::instance::lifecycle::SCENE_FILE;
use fmu_host::frames::{Frame, Frames};
use fmu_host::{ContactEvent, Fmu, ModelDescription, Trajectory};
use fmu_view::number::{counted, rounded};
use fmu_view::picture::drawing::{Drawing, Format};
use fmu_view::picture::svg::{Legend, png, svg};
use fmu_view::replay::visual::Visual;
use fmu_view::replay::{gltf, page, table, visual};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Width of a picture [units], and of its PNG form [px].
const PICTURE: (i32, u32) = (1000, 2000);

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct Views {
    /// Write NAME.html: one page with the scene in motion, contact forces and variables, which any
    /// browser shows without a network
    #[arg(long = "replay")]
    pub page: bool,
    /// Write NAME.glb, an animated glTF 2.0 file
    #[arg(long)]
    pub gltf: bool,
    /// Write a picture of this time [s], as SVG and PNG; may be given several times
    #[arg(long = "picture", value_name = "T", allow_negative_numbers = true, value_parser = time)]
    pub pictures: Vec<f64>,
}

impl Views {
    pub(crate) fn is_any(&self) -> bool {
        self.page || self.gltf || !self.pictures.is_empty()
    }

    /// Removes pictures after a time [s] that a run has not reached.
    pub(crate) fn until(&self, last: Option<f64>) -> Views {
        let pictures = self.pictures.iter().copied();
        Views {
            pictures: pictures
                .filter(|time| last.is_some_and(|last| *time <= last))
                .collect(),
            ..*self
        }
    }
}

pub(crate) struct Shown<'a> {
    pub title: &'a str,
    pub fmu: &'a Fmu,
    /// Visual description of the scene in the FMU.
    pub visual: &'a Visual,
    pub frames: &'a Frames,
    pub trajectory: &'a Trajectory,
    pub events: &'a [ContactEvent],
    /// Remarks on the page.
    pub notes: Vec<String>,
}

/// Visual description in an FMU.
///
/// # Errors
/// Text: missing or unreadable.
pub(crate) fn visual_of(fmu: &Fmu) -> Result<Visual, String> {
    let path = fmu.folder().join(visual::FILE);
    let text = fs::read_to_string(path).map_err(|_| {
        format!(
            "has no {}, by which it could be drawn; FMUs of other programs and of older versions of this \
             one have none: build it again",
            visual::FILE
        )
    })?;
    Visual::from_json(&text).map_err(|reason| format!("{}: {reason}", visual::FILE))
}

/// Names, with the prefix `name`, and contents of the files.
///
/// # Errors
/// Text: a picture of an FMU of another version or at a time outside of the run, a file that cannot be made.
pub(crate) fn files(
    shown: &Shown,
    views: &Views,
    name: &str,
) -> Result<Vec<(String, Vec<u8>)>, String> {
    let generator = format!("{TOOL} {VERSION}");
    let of_balls = shown.visual.balls.iter().map(|balls| balls.radii.len());
    let described = shown.visual.bodies.len() + of_balls.sum::<usize>();
    let moved = shown
        .frames
        .list
        .first()
        .map_or(described, |frame| frame.poses.len());
    if described != moved {
        return Err(format!(
            "{} describes {described} bodies, and the scene of the FMU has {moved}; build the FMU again",
            visual::FILE
        ));
    }
    let scene = scene_of(shown.fmu).and_then(|scene| match scene.0.bodies().len() == moved {
        true => Ok(scene),
        false => Err("the table has no positions of a group of balls".to_owned()),
    });
    let mut files = Vec::new();
    for time in &views.pictures {
        let (scene, description) = scene
            .as_ref()
            .map_err(|reason| format!("no picture: {reason}"))?;
        let drawing = drawing(scene, description, shown.frames, *time)?;
        let text = format!("{} at {} s", shown.title, rounded(*time, 9));
        let legend = Legend {
            title: shown.title,
            text: &text,
        };
        let start = format!("{name}_t{}", rounded(*time, 9));
        files.push((
            format!("{start}.svg"),
            svg(&drawing, Some(legend)).into_bytes(),
        ));
        files.push((format!("{start}.png"), png(&drawing, PICTURE.1)?));
    }
    if views.page {
        let (events, note) = page::most_events(shown.events);
        let places = match &scene {
            Ok((scene, _)) => table::places(scene, shown.frames, &events),
            Err(_) => Vec::new(),
        };
        let content = page::Content {
            title: shown.title,
            generator: &generator,
            visual: shown.visual,
            frames: shown.frames,
            trajectory: shown.trajectory,
            events: &events,
            places: &places,
            notes: shown.notes.iter().cloned().chain(note).collect(),
        };
        files.push((format!("{name}.html"), page::page(&content)?.into_bytes()));
    }
    if views.gltf {
        let file = gltf::glb(shown.title, &generator, shown.visual, shown.frames)?;
        files.push((format!("{name}.glb"), file));
    }
    Ok(files)
}

/// Scene inside an FMU of this version.
fn scene_of(fmu: &Fmu) -> Result<(Scene, SceneDescription), String> {
    let path = fmu.folder().join("resources").join(SCENE_FILE);
    let data = fs::read(path).map_err(|_| format!("the FMU has no resources/{SCENE_FILE}"))?;
    let description = checked::decode_description(&data).map_err(|error| error.to_string())?;
    let scene = checked::decode(&data).map_err(|error| error.to_string())?;
    Ok((scene, description))
}

fn drawing(
    scene: &Scene,
    description: &SceneDescription,
    frames: &Frames,
    time: f64,
) -> Result<Drawing, String> {
    let range = frames.list.first().zip(frames.list.last());
    let (first, last) = range.map_or((0.0, 0.0), |(a, b)| (a.time, b.time));
    if !(first..=last).contains(&time) {
        return Err(format!(
            "no picture at {time} s: the run is from {first} s to {last} s"
        ));
    }
    let poses = frames.poses_at(time).unwrap_or_default();
    let poses: Vec<Pose> = poses.iter().map(table::pose).collect();
    let arrows = arrows(scene, frames, time);
    let format = Format::Wide(PICTURE.0);
    Ok(Drawing::at(scene, description, &poses, &arrows, format))
}

/// Contact forces of the frame nearest to a time [s]: point and force on the second body of the pair, or on
/// the first one if only that moves.
fn arrows(scene: &Scene, frames: &Frames, time: f64) -> Vec<[Vec3; 2]> {
    let far = |frame: &&Frame| (frame.time - time).abs();
    let nearest = frames.list.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    let is_fixed = |pair: &str| {
        let second = pair.split(':').nth(1).unwrap_or_default();
        let name = second.split(['.', '[']).next().unwrap_or_default();
        let mut bodies = scene.bodies().iter();
        bodies.any(|body| body.name == name && body.is_fixed())
    };
    let contacts = nearest.into_iter().flat_map(|frame| &frame.contacts);
    contacts
        .map(|contact| {
            let sign = match is_fixed(&frames.pairs[contact.pair]) {
                true => -1.0,
                false => 1.0,
            };
            [contact.point, contact.force * sign]
        })
        .collect()
}

/// Table of events that `simulate` writes beside its results.
const EVENTS: &str = "events.csv";

/// What to show.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReplayRequest {
    /// CSV file: time in the first column, then variables of the FMU by name
    #[arg(value_name = "RESULT.csv")]
    pub table: PathBuf,
    /// FMU that the table is of; that of the same name beside it unless given
    #[arg(long, value_name = "FILE.fmu")]
    pub fmu: Option<PathBuf>,
    /// Folder for the files; that of the table unless given
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Write NAME.glb too, an animated glTF 2.0 file
    #[arg(long)]
    pub gltf: bool,
    /// Write a picture of this time [s] too, as SVG and PNG; may be given several times
    #[arg(long = "picture", value_name = "T", allow_negative_numbers = true, value_parser = time)]
    pub pictures: Vec<f64>,
    /// What reading the FMU may cost.
    #[command(flatten)]
    pub limits: LimitFlags,
}

/// Writes the files.
///
/// # Errors
/// A table or an FMU that cannot be read; a table of another FMU; a file that cannot be written.
pub(crate) fn run(request: &ReplayRequest) -> Result<Answer, Failure> {
    check_table(&request.table)?;
    let file = fmu_of(request)?;
    let in_fmu = |reason: String| format!("{}: {reason}", file.display());
    let in_table = |reason: String| format!("{}: {reason}", request.table.display());
    let fmu =
        Fmu::open_within(&file, &request.limits.limits()).map_err(|e| in_fmu(e.to_string()))?;
    let mut visual = visual_of(&fmu).map_err(in_fmu)?;
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
        gltf: request.gltf,
        pictures: request.pictures.clone(),
    };
    let folder = request.folder.as_deref().unwrap_or(beside);
    if folder != Path::new("") {
        make_folder(folder)?;
    }
    let mut written = Vec::new();
    for (file, content) in files(&shown, &views, &name)? {
        let file = folder.join(file);
        write(&file, &content)?;
        written.push(file);
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
    for file in &written {
        text += &format!("{}\n", file.display());
    }
    Ok(Answer {
        text,
        files: written,
        ..Answer::default()
    })
}

/// Rejects an unusable table before its FMU is searched.
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

/// FMU of a table.
fn fmu_of(request: &ReplayRequest) -> Result<PathBuf, String> {
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

/// Adds units and descriptions of the variables to the columns.
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
