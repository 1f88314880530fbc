//! `simulate`: runs a scene or an FMU and writes its results to a folder.
//!
//! A scene becomes an .fmu in that folder first; then the file is opened and run as by any importer. Rows are
//! written as they come, under temporary names until the run ends; each file is complete up to the time
//! reached, also after a failure or an interruption.

use super::answer::{Answer, Cause, Failure};
use super::build::{BuiltFmu, Extras, binaries_for, build_ready};
use super::options::{
    INTERFACES, LimitFlags, SOLVERS, STANDARDS, StartValues, count, scene_path, step, time,
    tolerance, word,
};
use super::results::{Tables, make_folder, write};
use super::scene;
use super::settings::{self, Known, Other, Setting};
use super::view::{self, Shown, Views};
use super::watch::{self, Outcome, Watcher, When};
use crate::package::binaries::Choice;
use crate::scene_file::{
    self, Diagnostics, GivenScene, InterfaceOverrides, STANDARD_INPUT, suggestion,
};
use clap::Args;
use contact_model::integrator::Solver;
use fmu_core::instance::variables::names;
use fmu_core::instance::{Category, Standard};
pub(crate) use fmu_host::Interface;
use fmu_host::model_description::{DataType, DefaultExperiment, Variable};
use fmu_host::{
    Fmu, HostError, InputTable, Limits, Live, ModelDescription, Options, ParameterStart, Run,
};
use fmu_view::number::{counted, rounded};
use fmu_view::report::summary::Summary;
use fmu_view::report::{figure, plot};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Default folder of the results, with a folder for each model in it.
const RESULTS: &str = "out";
const CONTACTS_FILE: &str = "events.csv";

/// What to simulate, and how.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SimulateRequest {
    /// Scene file, a folder with scene.toml, - for a scene from standard input, or FMU of any origin (FMI 2.0 or FMI 3.0)
    #[arg(value_name = "SCENE.toml|FILE.fmu", value_parser = scene_path())]
    pub input: PathBuf,
    /// FMI version of the FMU that is made of a scene; 3 unless given
    #[arg(long = "fmi", value_name = "VERSION", value_parser = word(STANDARDS))]
    pub standard: Option<Standard>,
    /// Who integrates: the FMU (cs) or this program (me); cs unless the FMU has me only
    #[arg(long, ignore_case = true, value_parser = word(INTERFACES))]
    pub interface: Option<Interface>,
    /// Stop time [s]; that of the FMU's default experiment unless given
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = time)]
    pub stop: Option<f64>,
    /// Relative tolerance; that of the FMU's default experiment unless given
    #[arg(long, value_name = "TOL", allow_negative_numbers = true, value_parser = tolerance)]
    pub tolerance: Option<f64>,
    /// In me: formula of this program; auto unless given
    #[arg(long, value_name = "FORMULA", ignore_case = true, value_parser = word(SOLVERS))]
    pub solver: Option<Solver>,
    /// Time between two rows of the result, the communication step of cs [s]; that of the FMU's
    /// default experiment unless given
    #[arg(long, value_name = "H", allow_negative_numbers = true, value_parser = step)]
    pub(crate) step: Option<f64>,
    /// Time between two rows that are kept [s], at the first step that reaches each multiple of it; all
    /// unless given
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = step)]
    pub every: Option<f64>,
    /// Outputs to keep, by name or by a pattern such as "sand.*", where * is any text and a leading ! leaves
    /// out; any other variable by its name. May be given several times; all outputs unless given
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub only: Vec<String>,
    /// File for the balls of [[grains]] at the rows that are kept, as extended XYZ, which OVITO opens
    #[arg(long, value_name = "FILE.xyz")]
    pub bodies: Option<PathBuf>,
    /// What shows the run.
    #[command(flatten)]
    pub views: Views,
    /// CSV file with values of inputs: first column time [s], the others named like inputs. In me
    /// on straight lines between the rows, discrete inputs as steps; two rows of one time are a jump; in cs those of each
    /// communication point until the next
    #[arg(long = "input", value_name = "FILE.csv")]
    pub inputs: Option<PathBuf>,
    /// Values of parameters before initialization.
    #[command(flatten)]
    pub(crate) start_values: StartValues,
    /// Folder for the results; ./out/<NAME> unless given
    #[arg(long = "out", value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Panels of the plot, such as "ball.position;hinge.angle,hinge.angular_velocity": names of variables or
    /// patterns as of --only, a semicolon begins a new panel; those that fit the run unless given
    #[arg(long, value_name = "NAMES")]
    pub plot: Option<String>,
    /// Internal steps at most, of a communication step in cs, of a row in me
    #[arg(long, value_name = "N", value_parser = count)]
    pub max_steps: Option<u64>,
    /// Show the time reached, the wall time left and what limits the steps on standard error: on a terminal
    /// (auto), always, or never; without a value always
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value = "auto",
        default_missing_value = "always"
    )]
    pub progress: When,
    /// What reading the FMU may cost.
    #[command(flatten)]
    pub limits: LimitFlags,
    /// Which binaries go into the FMU of a scene.
    #[command(flatten)]
    pub binaries: Choice,
    /// Scene in place of the file.
    #[arg(skip)]
    pub given: Option<GivenScene>,
    /// Folder for the FMU of a scene where no folder for the results is given, which are not written then.
    #[arg(skip)]
    pub scratch: Option<PathBuf>,
}

impl SimulateRequest {
    fn keeps_results(&self) -> bool {
        self.folder.is_some() || self.scratch.is_none()
    }
}

/// Simulates. The answer has files, contacts, final poses, work, and the run.
///
/// # Errors
/// A bad scene or FMU, a failed simulation, a file that cannot be written.
pub(crate) fn run(request: &SimulateRequest, watcher: &mut Watcher<'_>) -> Result<Answer, Failure> {
    let input = &request.input;
    let extension = input.extension().map(|e| e.to_ascii_lowercase());
    let is = |wanted: &str| extension.as_deref() == Some(wanted.as_ref());
    if is("toml") || input == Path::new(STANDARD_INPUT) {
        let built = build(request)?;
        let own = SimulateRequest {
            tolerance: request.tolerance.or(built.tolerance),
            ..request.clone()
        };
        let results = simulate(
            &own,
            &built.file,
            &built.folder,
            &built.name,
            match request.keeps_results() {
                true => vec![built.file.clone()],
                false => Vec::new(),
            },
            watcher,
        );
        match results {
            Ok(answer) => Ok(Answer {
                warnings: Some(built.warnings),
                ..answer
            }),
            Err(failure) if !request.keeps_results() => Err(Failure {
                warnings: Some(Box::new(built.warnings)),
                ..failure
            }),
            Err(failure) => {
                let left = failure.left.clone();
                let left = left.unwrap_or_else(|| "no results were written".to_owned());
                Err(Failure {
                    // One is often the cause.
                    warnings: Some(Box::new(built.warnings)),
                    left: Some(format!("{left}; the FMU is {}", built.file.display())),
                    ..failure
                })
            }
        }
    } else if is("fmu") {
        let name = input.file_stem().unwrap_or_default().to_string_lossy();
        let folder = folder_of(request, &name);
        simulate(request, input, &folder, &name, Vec::new(), watcher)
    } else {
        if ["urdf", "sdf", "xml", "xacro"].into_iter().any(is) {
            scene_file::read(input)?;
        }
        let reason = "is neither a scene file (.toml) nor an FMU (.fmu)";
        Err(format!("{}: {reason}", input.display()).into())
    }
}

struct Built {
    file: PathBuf,
    folder: PathBuf,
    name: String,
    /// Relative tolerance of the scene for Co-Simulation [1].
    tolerance: Option<f64>,
    warnings: Diagnostics,
}

fn folder_of(request: &SimulateRequest, name: &str) -> PathBuf {
    let default = || Path::new(RESULTS).join(name);
    let given = request.folder.as_ref().or(request.scratch.as_ref());
    given.cloned().unwrap_or_else(default)
}

fn build(request: &SimulateRequest) -> Result<Built, Failure> {
    let given = request.given.as_ref();
    let ready = scene::read(&request.input, given, InterfaceOverrides::default())?;
    let mut ready = ready
        .with(&request.start_values.settings)
        .map_err(Cause::Setting)?;
    let binaries = binaries_for(&mut ready, &request.binaries).map_err(|e| e.to_string())?;
    let standard = request.standard.unwrap_or(Standard::Fmi3);
    let fmu = build_ready(&ready, standard, &binaries, Extras::default())?;
    check_choice(request, &fmu, !ready.loaded.scene.grains().is_empty())?;
    let folder = folder_of(request, &fmu.model);
    let file = folder.join(format!("{}.fmu", fmu.model));
    make_folder(&folder)?;
    write(&file, &fmu.archive)?;
    Ok(Built {
        file,
        folder,
        tolerance: match request.interface {
            Some(Interface::ModelExchange) => None,
            _ => fmu.own_tolerance,
        },
        name: fmu.model,
        warnings: ready.loaded.warnings,
    })
}

/// Options of a run of the FMU in `file`.
fn options(
    request: &SimulateRequest,
    file: &Path,
    description: &ModelDescription,
    interface: Interface,
) -> Result<Options, Failure> {
    // An FMU that is made of a scene has them already.
    let settings = match file == request.input {
        true => request.start_values.settings.as_slice(),
        false => &[],
    };
    Ok(Options {
        stop: request.stop,
        step: request.step,
        every: request.every,
        bodies: request.bodies.clone(),
        frames: request.views.is_any().then_some(interface.kind()),
        recorded: None,
        max_steps: request.max_steps,
        tolerance: request.tolerance,
        inputs: request
            .inputs
            .as_deref()
            .map(InputTable::from_file)
            .transpose()?,
        parameters: parameters(description, settings).map_err(Cause::Setting)?,
        solver: request.solver.unwrap_or_default(),
        ..Options::default()
    })
}

/// The FMU in `file` and its interface to run.
fn open(request: &SimulateRequest, file: &Path) -> Result<(Arc<Fmu>, Interface), Failure> {
    if file == request.input && request.binaries.is_limited() {
        let reason = "is an FMU with binaries of its own; --binary and --platform choose those of an FMU \
                      that is made of a scene";
        return Err(format!("{}: {reason}", file.display()).into());
    }
    let limits = match file == request.input {
        true => request.limits.limits(),
        false => Limits::NONE,
    };
    let fmu = Fmu::open_within(file, &limits);
    let fmu = Arc::new(fmu.map_err(|e| of_file(file, &e))?);
    let description = fmu.description();
    if request
        .standard
        .is_some_and(|asked| asked != description.standard)
    {
        let reason = format!(
            "{}: is an FMU of FMI version {}; --fmi chooses the version of an FMU that is made of a \
             scene",
            file.display(),
            description.fmi_version
        );
        return Err(reason.into());
    }
    let interface = request.interface;
    let interface = interface.unwrap_or_else(|| Interface::usual(description));
    if request.solver.is_some() && interface == Interface::CoSimulation {
        let reason = "in Co-Simulation the FMU integrates: --solver is for --interface me; of an FMU of \
                      this program --set experiment.solver=explicit chooses it";
        return Err(Cause::Other(reason.to_owned()).into());
    }
    if request.views.is_any() {
        // Before the run, which may be long.
        view::visual_of(&fmu).map_err(|reason| format!("{}: {reason}", file.display()))?;
        check_pictures(request, &fmu.description().experiment)?;
    }
    Ok((fmu, interface))
}

/// Rejects pictures of times beyond the run.
fn check_pictures(request: &SimulateRequest, of_fmu: &DefaultExperiment) -> Result<(), Failure> {
    let start = of_fmu.start_time.unwrap_or(0.0);
    let stop = request.stop.or(of_fmu.stop_time).unwrap_or(f64::INFINITY);
    let mut times = request.views.pictures.iter();
    match times.find(|time| !(start..=stop).contains(*time)) {
        Some(time) => {
            let reason = format!("--picture {time}: the run is from {start} s to {stop} s");
            Err(Cause::Other(reason).into())
        }
        None => Ok(()),
    }
}

fn of_file(file: &Path, error: &HostError) -> String {
    format!("{}: {error}", file.display())
}

/// Runs the FMU in `file`, writes the results into `folder`. `files` were written before.
fn simulate(
    request: &SimulateRequest,
    file: &Path,
    folder: &Path,
    name: &str,
    files: Vec<PathBuf>,
    watcher: &mut Watcher<'_>,
) -> Result<Answer, Failure> {
    let (fmu, interface) = open(request, file)?;
    let description = fmu.description();
    let panels = plotted(description, request)?;
    let mut options = options(request, file, description, interface)?;
    options.recorded = recorded(description, request, &panels)?;
    if interface == Interface::CoSimulation {
        options.parameters.extend(most_steps(description, request)?);
    }
    let mut categories = description.log_categories.iter();
    let has_contacts = categories.any(|c| c == Category::Contacts.name());
    let contacts = has_contacts.then_some(CONTACTS_FILE);
    let tables = || Tables::new(folder, &format!("{name}.csv"), contacts);
    let mut tables = request.keeps_results().then(tables);
    let start = Instant::now();
    let live = Arc::new(Live::default());
    let outcome = watch::simulate(&fmu, interface, options, &live, &mut tables, watcher)?;
    let report = Report {
        fmu: &fmu,
        name,
        folder,
        interface,
        panels: &panels,
        views: &request.views,
        wall_time: start.elapsed(),
    };
    match outcome {
        Outcome::Ended(Ok(run)) => {
            let bodies = request.bodies.clone();
            let files = files.into_iter().chain(bodies).collect();
            report.answer(run, &mut tables, files)
        }
        Outcome::Left(Some(mut run)) => {
            let last = run.trajectory.times().last().copied();
            run.interrupted = last.filter(|last| *last < run.experiment.stop);
            let answer = report.answer(run, &mut tables, files);
            watch::clean_up(&fmu, &live);
            answer
        }
        Outcome::Left(None) => {
            watch::clean_up(&fmu, &live);
            Ok(Answer::interrupted(NO_ROW.to_owned(), files))
        }
        Outcome::Ended(Err(error)) => {
            let cause = match (&error, &request.inputs) {
                (HostError::Inputs(reason), Some(table)) => {
                    Cause::Other(format!("{}: {reason}", table.display()))
                }
                _ => Cause::Simulation(of_file(file, &error)),
            };
            let so_far = tables.as_ref().and_then(|_| Run::so_far(&live));
            let left = so_far.map(|run| match report.write(&run, &mut tables) {
                Ok(files) => report.what_there_is(&run, &files),
                Err(reason) => reason,
            });
            Err(Failure {
                left,
                ..cause.into()
            })
        }
    }
}

/// Message for a run that was ended before its first row.
const NO_ROW: &str = "interrupted before the first row; no results were written";

struct Report<'a> {
    fmu: &'a Fmu,
    name: &'a str,
    folder: &'a Path,
    interface: Interface,
    /// Panels of the plot.
    panels: &'a [Vec<String>],
    views: &'a Views,
    wall_time: Duration,
}

impl Report<'_> {
    fn write(&self, run: &Run, tables: &mut Option<Tables>) -> Result<Vec<PathBuf>, String> {
        let Some(tables) = tables else {
            return Ok(Vec::new());
        };
        let model = &self.fmu.description().model_name;
        let title = format!("{model} ({})", self.interface.name());
        let picture = plot::svg(&figure::of_run(&title, run, self.panels))?;
        let mut files = tables.finish(&run.trajectory, &run.contacts)?;
        let file = self.folder.join(format!("{}.svg", self.name));
        write(&file, picture.as_bytes())?;
        files.insert(1.min(files.len()), file);
        files.extend(self.show(run, &title)?);
        Ok(files)
    }

    /// Writes plots and views of the run; returns the files.
    fn show(&self, run: &Run, title: &str) -> Result<Vec<PathBuf>, String> {
        let Some(frames) = &run.trajectory.frames else {
            return Ok(Vec::new());
        };
        let shown = Shown {
            title,
            fmu: self.fmu,
            visual: &view::visual_of(self.fmu)?,
            frames,
            trajectory: &run.trajectory,
            events: &run.contacts,
            notes: Vec::new(),
        };
        let mut files = Vec::new();
        let views = self.views.until(frames.list.last().map(|frame| frame.time));
        for (file, content) in view::files(&shown, &views, self.name)? {
            let file = self.folder.join(file);
            write(&file, &content)?;
            files.push(file);
        }
        Ok(files)
    }

    /// Writes the remaining results and summarises the run; `files` were written before.
    fn answer(
        &self,
        run: Run,
        tables: &mut Option<Tables>,
        mut files: Vec<PathBuf>,
    ) -> Result<Answer, Failure> {
        let written = self.write(&run, tables).map_err(|reason| Failure {
            left: Some(self.what_there_is(&run, &[])),
            ..reason.into()
        })?;
        let interrupted = run.interrupted.map(|time| {
            let there_is = self.what_there_is(&run, &written);
            format!("interrupted at t = {} s; {there_is}", rounded(time, 9))
        });
        files.extend(written);
        let summary = Summary {
            description: self.fmu.description(),
            interface: self.interface.name(),
            run: &run,
            files: &files,
            wall_time: self.wall_time,
        };
        let mut text = summary.text();
        for line in settings::in_fmu(self.fmu) {
            text += &format!("\nuser library {line}\n");
        }
        Ok(Answer {
            text,
            logged: run.warnings.clone(),
            files,
            interrupted,
            run: Some(Box::new(run)),
            ..Answer::default()
        })
    }

    /// Remark about the results of an incomplete run.
    fn what_there_is(&self, run: &Run, files: &[PathBuf]) -> String {
        let times = run.trajectory.times();
        let last = times.last().copied().unwrap_or(run.experiment.start);
        let table = self.folder.join(format!("{}.csv", self.name));
        let table = files.first().unwrap_or(&table).display();
        format!(
            "{table} has {} up to t = {} s",
            counted(times.len(), "row"),
            rounded(last, 9)
        )
    }
}

/// Parameter of an FMU of this program that limits the internal steps of a communication step, in both naming
/// conventions.
const MAX_STEPS: [&str; 2] = ["experiment.max_steps", "experiment_max_steps"];

/// Requested limit of the internal steps of an FMU that integrates.
fn most_steps(
    description: &ModelDescription,
    request: &SimulateRequest,
) -> Result<Vec<ParameterStart>, Failure> {
    let Some(most) = request.max_steps else {
        return Ok(Vec::new());
    };
    let mut variables = description.variables.iter();
    let Some(known) = variables.find(|v| MAX_STEPS.contains(&v.name.as_str())) else {
        let reason = format!(
            "--max-steps: the FMU has no parameter {}, and in Co-Simulation it integrates itself",
            MAX_STEPS[0]
        );
        return Err(Cause::Other(reason).into());
    };
    let setting = Setting {
        name: known.name.clone(),
        value: most.to_string(),
    };
    Ok(parameters(description, &[setting]).map_err(Cause::Setting)?)
}

/// Requested panels, each by the names of its variables.
fn plotted(
    description: &ModelDescription,
    request: &SimulateRequest,
) -> Result<Vec<Vec<String>>, Failure> {
    let Some(text) = &request.plot else {
        return Ok(Vec::new());
    };
    let mut panels = Vec::new();
    for panel in text
        .split(';')
        .map(str::trim)
        .filter(|panel| !panel.is_empty())
    {
        let mut names: Vec<String> = Vec::new();
        for pattern in between_commas(panel) {
            let variables = description.variables.iter();
            let named = variables.filter(|v| names::matches_name(pattern, &v.name));
            let is_output = |v: &&Variable| v.causality == "output" || !pattern.contains('*');
            let new: Vec<String> = named.filter(is_output).map(|v| v.name.clone()).collect();
            if new.is_empty() {
                return Err(Cause::Other(idle("--plot", pattern, description)).into());
            }
            names.extend(new);
        }
        panels.push(names);
    }
    match panels.is_empty() {
        true => Err(Cause::Other("--plot names no variable".to_owned()).into()),
        false => Ok(panels),
    }
}

/// Parts of a list, whose commas in brackets belong to indices.
fn between_commas(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = list.split(|sign| {
        match sign {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        sign == ',' && depth == 0
    });
    parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

/// Names of the recorded variables: variables to keep or to plot; `None` for the default.
fn recorded(
    description: &ModelDescription,
    request: &SimulateRequest,
    panels: &[Vec<String>],
) -> Result<Option<Vec<String>>, Failure> {
    let kept = chosen(description, request)?;
    let is_usual = |v: &&Variable| is_usual(v, request);
    let usual = || {
        description
            .variables
            .iter()
            .filter(is_usual)
            .map(|v| v.name.clone())
    };
    let mut names = kept.clone().unwrap_or_else(|| usual().collect());
    let before = names.len();
    for name in panels.iter().flatten() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    Ok(match names.len() > before {
        true => Some(names),
        false => kept,
    })
}

fn is_usual(variable: &Variable, request: &SimulateRequest) -> bool {
    match variable.causality.as_str() {
        "output" => true,
        "input" => request.inputs.is_some(),
        _ => false,
    }
}

/// Rejects impossible selections for the FMU of a scene before it is written.
fn check_choice(
    request: &SimulateRequest,
    fmu: &BuiltFmu,
    has_grains: bool,
) -> Result<(), Failure> {
    let has_groups = has_grains && request.standard != Some(Standard::Fmi2);
    if request.bodies.is_some() && !has_groups {
        let reason = "--bodies: the scene has no [[grains]] to write, or is built for FMI 2.0, which has no arrays";
        return Err(Cause::Other(reason.to_owned()).into());
    }
    if request.only.is_empty() {
        return Ok(());
    }
    let description = fmu.model_description()?;
    let description = ModelDescription::parse_within(&description, &Limits::NONE)?;
    chosen(&description, request).map(drop)
}

/// Names of the variables selected by the patterns, in document order; `None` without patterns. A pattern is
/// for outputs, and with a table for inputs; a name is for any variable.
fn chosen(
    description: &ModelDescription,
    request: &SimulateRequest,
) -> Result<Option<Vec<String>>, Failure> {
    let patterns = &request.only;
    if patterns.is_empty() {
        return Ok(None);
    }
    let is_usual = |variable: &Variable| is_usual(variable, request);
    let variables = description.variables.iter();
    let chosen = variables.filter(|v| match is_usual(v) {
        true => names::is_shown(patterns, &v.name),
        false => patterns.contains(&v.name),
    });
    let chosen: Vec<String> = chosen.map(|v| v.name.clone()).collect();
    let is_idle = |pattern: &&String| {
        let text = pattern.trim_start_matches('!');
        let mut names = description.variables.iter();
        !names.any(|v| v.name == text || is_usual(v) && names::matches_name(text, &v.name))
    };
    match patterns.iter().find(is_idle) {
        Some(pattern) => Err(Cause::Other(idle("--only", pattern, description)).into()),
        None if chosen.is_empty() => Err(Cause::Other("--only leaves no output".to_owned()).into()),
        None => Ok(Some(chosen)),
    }
}

/// Message about a pattern that matches no variable.
fn idle(option: &str, pattern: &str, description: &ModelDescription) -> String {
    let names = description
        .variables
        .iter()
        .map(|v| match pattern.contains('[') {
            true => &v.name[..],
            false => v.name.split('[').next().unwrap_or_default(),
        });
    let guess = suggestion(pattern, &names.collect::<Vec<_>>());
    let guess = guess.map_or(String::new(), |likely| {
        format!("; did you mean {likely:?}?")
    });
    format!(
        "{option} {pattern:?} matches no output and is no variable{guess}; fmu-build inspect lists all"
    )
}

/// Parameters of an FMU, and start values of states, from texts such as `ball.mass=500 g`.
///
/// # Errors
/// Text: no such text, an unknown name, a value that is invalid or out of range.
pub fn starts(
    description: &ModelDescription,
    texts: &[String],
) -> Result<Vec<ParameterStart>, String> {
    let settings: Result<Vec<Setting>, _> = texts.iter().map(|text| text.parse()).collect();
    parameters(description, &settings?)
}

/// Parameters of an FMU selected by settings.
fn parameters(
    description: &ModelDescription,
    settings: &[Setting],
) -> Result<Vec<ParameterStart>, String> {
    if settings.is_empty() {
        return Ok(Vec::new());
    }
    let entries = fmu_host::parameters::entries(description).map_err(|error| error.to_string())?;
    let known = entries.iter().map(|entry| Known {
        name: entry.name.clone(),
        unit: entry.variable.unit.clone(),
        words: entry.variable.items.clone(),
        is_integer: entry.variable.data_type == DataType::Int32,
    });
    let known: Vec<Known> = known.collect();
    let other = |name: &str| {
        let mut variables = description.variables.iter();
        let found = variables.find(|variable| variable.name == name)?;
        Some(Other {
            causality: found.causality.clone(),
            is_array: found.data_type == DataType::Float64 && !found.dimensions.is_empty(),
        })
    };
    let chosen = settings::choose(settings, &known, other)?;
    let values = chosen
        .into_iter()
        .map(|(index, value)| (&entries[index], value));
    Ok(ParameterStart::of(values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn unseen() -> Watcher<'static> {
        Watcher {
            show: None,
            ends: Box::new(|| 0),
            is_alone: true,
        }
    }

    #[test]
    fn a_file_of_another_kind_is_refused_by_name() {
        for input in ["scene.txt", "scene", ".toml"] {
            let request = SimulateRequest {
                input: input.into(),
                ..SimulateRequest::default()
            };
            let error = run(&request, &mut unseen()).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("{input}: is neither")),
                "{error}"
            );
        }
    }

    #[test]
    fn commas_of_indices_do_not_part_names() {
        assert_eq!(
            between_commas("a.b[1,2], c ,,d[3]"),
            ["a.b[1,2]", "c", "d[3]"]
        );
    }

    #[test]
    fn a_missing_file_is_an_error_and_makes_no_folder() {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("results");
        for input in ["none.fmu", "none.toml"] {
            let request = SimulateRequest {
                input: folder.path().join(input),
                folder: Some(out.clone()),
                ..SimulateRequest::default()
            };
            let error = run(&request, &mut unseen()).unwrap_err().to_string();
            assert!(error.contains(input), "{error}");
            assert!(!out.exists());
        }
    }
}
