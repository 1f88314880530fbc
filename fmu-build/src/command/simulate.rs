//! `simulate`: runs a scene or an FMU and leaves its results in a folder.
//!
//! A scene becomes an .fmu in that folder first; then the file is opened and run as any importer
//! does. Results are written after the run has come to its end, each file completely or not at all.

use super::answer::{Answer, Cause, Failure};
use super::build::{Extras, binaries_for, build_ready};
use super::libraries;
use super::scene;
use super::settings::{self, Known, Other, Setting};
pub use crate::host::Interface;
use crate::host::model_description::{DataType, Variable};
use crate::host::{
    self, Fmu, HostError, InputTable, Limits, ModelDescription, Options, ParameterStart, Progress,
    Run, messages,
};
use crate::package::binaries::Choice;
use crate::report::summary::Summary;
use crate::report::{figure, plot, table};
use crate::scene_file::{Diagnostics, InterfaceOverrides, STANDARD_INPUT};
use crate::whole_file::write_whole;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::expose;
use fmu_core::integrator::Solver;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Folder of the results unless another is given, with a folder for each model in it.
const RESULTS: &str = "out";
/// File of the contacts.
const CONTACTS_FILE: &str = "events.csv";

/// What to simulate, and how.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A scene file (`.toml`), [`STANDARD_INPUT`] for one, or an FMU (`.fmu`).
    pub input: PathBuf,
    /// FMI version of the FMU that is made of a scene; FMI 3.0 if not given. An FMU has its own.
    pub standard: Option<Standard>,
    /// Interface type; Co-Simulation unless the FMU has Model Exchange only.
    pub interface: Option<Interface>,
    /// Stop time [s]; that of the FMU's default experiment if not given.
    pub stop: Option<f64>,
    /// Relative tolerance [1]; that of the FMU's default experiment if not given.
    pub tolerance: Option<f64>,
    /// Time between two rows of the result [s]; that of the FMU's default experiment if not given.
    pub step: Option<f64>,
    /// Time between two rows that are kept [s]; all if not given.
    pub every: Option<f64>,
    /// Patterns of the names of what is kept; the outputs if there are none.
    pub only: Vec<String>,
    /// File for the balls of groups over time.
    pub bodies: Option<PathBuf>,
    /// Formula by which this program integrates; Model Exchange only.
    pub solver: Option<Solver>,
    /// A CSV file with values of inputs over time.
    pub inputs: Option<PathBuf>,
    /// Values of parameters before initialization.
    pub settings: Vec<Setting>,
    /// Folder of the results; `out/<name>` if not given.
    pub folder: Option<PathBuf>,
    /// Which binaries go into the FMU of a scene.
    pub binaries: Choice,
    /// What reading the FMU may cost.
    pub limits: Limits,
    /// Gets the time reached.
    pub progress: Option<Progress>,
}

/// Simulates. The answer tells files, contacts, final poses, work.
///
/// # Errors
/// The scene or the FMU is bad, the simulation fails, a file cannot be written.
pub fn run(request: &Request) -> Result<Answer, Failure> {
    let input = &request.input;
    let extension = input.extension().map(|e| e.to_ascii_lowercase());
    let is = |wanted: &str| extension.as_deref() == Some(wanted.as_ref());
    if is("toml") || input == Path::new(STANDARD_INPUT) {
        let built = build(request)?;
        let results = simulate(
            request,
            &built.file,
            &built.folder,
            &built.name,
            vec![built.file.clone()],
        );
        match results {
            Ok(answer) => Ok(Answer {
                warnings: Some(built.warnings),
                ..answer
            }),
            Err(failure) => Err(Failure {
                // One is often the cause.
                warnings: Some(built.warnings),
                left: Some(format!(
                    "no results were written; the FMU is {}",
                    built.file.display()
                )),
                ..failure
            }),
        }
    } else if is("fmu") {
        let name = input.file_stem().unwrap_or_default().to_string_lossy();
        let folder = folder_of(request, &name);
        simulate(request, input, &folder, &name, Vec::new())
    } else {
        let reason = "is neither a scene file (.toml) nor an FMU (.fmu)";
        Err(format!("{}: {reason}", input.display()).into())
    }
}

/// The FMU of a scene, written.
struct Built {
    file: PathBuf,
    folder: PathBuf,
    name: String,
    warnings: Diagnostics,
}

fn folder_of(request: &Request, name: &str) -> PathBuf {
    let default = || Path::new(RESULTS).join(name);
    request.folder.clone().unwrap_or_else(default)
}

fn build(request: &Request) -> Result<Built, Failure> {
    let ready = scene::read(&request.input, InterfaceOverrides::default())?;
    let mut ready = ready.with(&request.settings).map_err(Cause::Setting)?;
    let binaries = binaries_for(&mut ready, &request.binaries).map_err(|e| e.to_string())?;
    let standard = request.standard.unwrap_or(Standard::Fmi3);
    let fmu = build_ready(&ready, standard, &binaries, Extras::default())?;
    let folder = folder_of(request, &fmu.model);
    let file = folder.join(format!("{}.fmu", fmu.model));
    make_folder(&folder)?;
    write(&file, &fmu.archive)?;
    Ok(Built {
        file,
        folder,
        name: fmu.model,
        warnings: ready.loaded.warnings,
    })
}

/// What a request asks of a run of the FMU in `file`.
fn options(
    request: &Request,
    file: &Path,
    description: &ModelDescription,
) -> Result<Options, Failure> {
    // An FMU that is made of a scene has them already.
    let settings = match file == request.input {
        true => request.settings.as_slice(),
        false => &[],
    };
    Ok(Options {
        stop: request.stop,
        step: request.step,
        every: request.every,
        bodies: request.bodies.clone(),
        recorded: chosen(description, request)?,
        tolerance: request.tolerance,
        inputs: request
            .inputs
            .as_deref()
            .map(InputTable::from_file)
            .transpose()?,
        parameters: parameters(description, settings).map_err(Cause::Setting)?,
        progress: request.progress,
        solver: request.solver.unwrap_or_default(),
        ..Options::default()
    })
}

/// Runs the FMU in `file`, writes the results into `folder`. `files` were written before.
fn simulate(
    request: &Request,
    file: &Path,
    folder: &Path,
    name: &str,
    mut files: Vec<PathBuf>,
) -> Result<Answer, Failure> {
    let of_file = |e: HostError| format!("{}: {e}", file.display());
    if file == request.input && request.binaries != Choice::default() {
        let reason = "is an FMU with binaries of its own; --binary and --platform choose those of an FMU \
                      that is made of a scene";
        return Err(format!("{}: {reason}", file.display()).into());
    }
    let fmu = Fmu::open_within(file, &request.limits).map_err(of_file)?;
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
    let options = options(request, file, description)?;
    let start = Instant::now();
    let run = interface.simulate(&fmu, &options);
    let run = run.map_err(|error| match (&error, &request.inputs) {
        (HostError::Inputs(reason), Some(table)) => {
            Cause::Other(format!("{}: {reason}", table.display()))
        }
        _ => Cause::Simulation(of_file(error)),
    })?;
    let wall_time = start.elapsed();

    files.extend(request.bodies.clone());
    let contents = results(&fmu, &run, name, interface)?;
    make_folder(folder)?;
    for (file, content) in contents {
        let file = folder.join(file);
        write(&file, &content)?;
        files.push(file);
    }
    let summary = Summary {
        description,
        interface: interface.name(),
        run: &run,
        files: &files,
        wall_time,
    };
    let mut text = summary.text();
    for line in libraries::in_fmu(&fmu) {
        text += &format!("\nuser library {line}\n");
    }
    Ok(Answer {
        text,
        files,
        ..Answer::default()
    })
}

/// Names of the variables that the patterns choose, in document order; none if there are no patterns.
/// A pattern is for outputs, and with a table for inputs; a name is for any variable.
fn chosen(
    description: &ModelDescription,
    request: &Request,
) -> Result<Option<Vec<String>>, Failure> {
    let patterns = &request.only;
    if patterns.is_empty() {
        return Ok(None);
    }
    let is_usual = |variable: &Variable| match variable.causality.as_str() {
        "output" => true,
        "input" => request.inputs.is_some(),
        _ => false,
    };
    let variables = description.variables.iter();
    let chosen = variables.filter(|v| match is_usual(v) {
        true => expose::is_shown(patterns, &v.name),
        false => patterns.contains(&v.name),
    });
    let chosen: Vec<String> = chosen.map(|v| v.name.clone()).collect();
    let is_idle = |pattern: &&String| {
        let text = pattern.trim_start_matches('!');
        let mut names = description.variables.iter();
        !names.any(|v| v.name == text || is_usual(v) && expose::matches_name(text, &v.name))
    };
    match patterns.iter().find(is_idle) {
        Some(pattern) => {
            let reason = format!(
                "--only {pattern:?} matches no output and is no variable; fmu-build inspect lists all"
            );
            Err(Cause::Other(reason).into())
        }
        None if chosen.is_empty() => Err(Cause::Other("--only leaves no output".to_owned()).into()),
        None => Ok(Some(chosen)),
    }
}

/// The parameters of an FMU that settings mean.
fn parameters(
    description: &ModelDescription,
    settings: &[Setting],
) -> Result<Vec<ParameterStart>, String> {
    if settings.is_empty() {
        return Ok(Vec::new());
    }
    let entries = host::parameters::entries(description).map_err(|error| error.to_string())?;
    let known = entries.iter().map(|entry| Known {
        name: entry.name.clone(),
        unit: entry.variable.unit.clone(),
        words: entry.variable.items.clone(),
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

/// Names and contents of the result files.
fn results(
    fmu: &Fmu,
    run: &Run,
    name: &str,
    interface: Interface,
) -> Result<Vec<(String, Vec<u8>)>, String> {
    let title = format!("{} ({})", fmu.description().model_name, interface.name());
    let fail = |e: std::io::Error| e.to_string();
    let mut contents = vec![
        (
            format!("{name}.csv"),
            table::trajectory(&run.trajectory).map_err(fail)?,
        ),
        (
            format!("{name}.svg"),
            plot::svg(&figure::of_run(&title, run))?.into_bytes(),
        ),
    ];
    let categories = &fmu.description().log_categories;
    if categories.iter().any(|c| c == messages::CONTACTS) {
        let text = table::contacts(&run.contacts).map_err(fail)?;
        contents.push((CONTACTS_FILE.to_owned(), text));
    }
    Ok(contents)
}

fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder)
        .map_err(|e| format!("cannot make the folder {}: {e}", folder.display()))
}

fn write(file: &Path, content: &[u8]) -> Result<(), String> {
    write_whole(file, content).map_err(|e| format!("cannot write {}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn a_file_of_another_kind_is_refused_by_name() {
        for input in ["scene.txt", "scene", ".toml"] {
            let request = Request {
                input: input.into(),
                ..Request::default()
            };
            let error = run(&request).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("{input}: is neither")),
                "{error}"
            );
        }
    }

    #[test]
    fn a_missing_file_is_an_error_and_makes_no_folder() {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("results");
        for input in ["none.fmu", "none.toml"] {
            let request = Request {
                input: folder.path().join(input),
                folder: Some(out.clone()),
                ..Request::default()
            };
            let error = run(&request).unwrap_err().to_string();
            assert!(error.contains(input), "{error}");
            assert!(!out.exists());
        }
    }
}
