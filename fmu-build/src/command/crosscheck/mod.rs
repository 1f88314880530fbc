//! `crosscheck export`: FMUs of a scene in the folders of the FMI Cross-Check Rules, version 4.1, of the
//! Modelica Association, each with its reference, inputs, settings, the result of this tool's importer, and a
//! readme. `python -m contact_fmu crosscheck check` judges them and those of others.
//!
//! The reference is a run at the tolerance [`TOLERANCE`] or a tenth of the suggested one; the result of the
//! importer uses the settings suggested by the FMU. Both are of this platform; the numbers are the same on
//! all. Nothing is written before all runs have ended.
//!
//! The folders are those of section 9.1.5 of the rules, which cover FMI 2.0 and six platforms. An FMU of FMI
//! 3.0 gets the same folders under `3.0`; another platform has its name of FMI 3.0, `aarch64-linux`.
//!
//! - `reference`: runs for the reference, its variables, and the CSV files

mod reference;

use crate::command::answer::{Answer, Failure};
use crate::command::build::{Extras, binaries_for, build_ready, opened};
use crate::command::options::{INTERFACES, STANDARDS, scene_path, time, word};
use crate::command::results::{make_folder, write};
use crate::command::scene;
use crate::command::scene::Ready;
use crate::description::model_description::Reference;
use crate::description::{TOOL, VERSION, model_description};
use crate::package::binaries::{Binary, Choice};
use crate::package::platform::Platform;
use crate::scene_file::InterfaceOverrides;
use clap::Args;
use fmu_core::instance::Standard;
use fmu_host::model_description::Variable;
use fmu_host::{InputTable, Interface};
use fmu_view::number::exact;
use reference::{Plan, Signals, Source, TOLERANCE};
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Settings of the reference: suffix after the model name.
const OPTIONS: &str = "_ref.opt";
/// Reference: suffix after the model name.
const REFERENCE: &str = "_ref.csv";
/// Inputs over time: suffix after the model name.
const INPUTS: &str = "_in.csv";
/// Result of this tool's importer: suffix after the model name.
const OWN_RESULT: &str = "_cc.csv";
/// Maximum size of a file [bytes]. FMPy's checks use 1e6 for the megabyte of the rules.
const MOST_BYTES: usize = 1_000_000;

/// What to export.
#[derive(Clone, Debug, Args)]
pub(crate) struct CrosscheckRequest {
    /// Scene file, or a folder with scene.toml
    #[arg(value_name = "SCENE.toml", value_parser = scene_path())]
    pub scene: PathBuf,
    /// Folder that fmus/ is made in
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    pub folder: PathBuf,
    /// FMI version; both unless given
    #[arg(long = "fmi", value_name = "VERSION", value_parser = word(STANDARDS))]
    pub standard: Option<Standard>,
    /// Interface type; both unless given
    #[arg(long, ignore_case = true, value_parser = word(INTERFACES))]
    pub interface: Option<Interface>,
    /// CSV file with values of inputs, as of simulate; start values unless given
    #[arg(long = "input", value_name = "FILE.csv")]
    pub inputs: Option<PathBuf>,
    /// Variable of the reference; may be given up to ten times
    #[arg(long = "output", value_name = "NAME")]
    pub outputs: Vec<String>,
    /// Stop time [s]; that of the scene unless given
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = time)]
    pub stop: Option<f64>,
    /// Which binaries go into the FMU.
    #[command(flatten)]
    pub binaries: Choice,
}

struct File {
    path: PathBuf,
    content: Vec<u8>,
}

/// Exports. The answer has figures and files, and warnings about the scene.
///
/// # Errors
/// A bad scene, no binary for this platform, a failed run, a file that is too large or cannot be written.
pub(crate) fn export(request: &CrosscheckRequest) -> Result<Answer, Failure> {
    let mut ready = scene::read(&request.scene, None, InterfaceOverrides::default())?;
    let binaries = binaries_for(&mut ready, &request.binaries).map_err(|e| e.to_string())?;
    let host = Platform::host().filter(|host| binaries.iter().any(|b| b.platform == *host));
    let host = host.ok_or_else(|| {
        "the reference is computed with the binary for this platform, which is missing; name it \
         with --binary PLATFORM=FILE"
            .to_owned()
    })?;
    let table = request.inputs.as_deref().map(InputTable::from_file);
    let table = table.transpose()?;
    let mut files = Vec::new();
    let mut summary = String::new();
    let both = vec![Standard::Fmi2, Standard::Fmi3];
    for standard in &request.standard.map_or(both, |one| vec![one]) {
        let exported = Exported::compute(request, &ready, *standard, &binaries, table.as_ref())?;
        for case in &exported.cases {
            let name = format!("FMI {}, {}", exported.version, case.plan.interface.name());
            summary += &format!("{name}: {}\n", case.figures());
            for binary in &binaries {
                files.extend(exported.files(case, binary, binary.platform == host));
            }
        }
    }
    for file in &mut files {
        file.path = request.folder.join(&file.path);
        let (path, folder) = (&file.path, file.path.parent().unwrap_or(Path::new(".")));
        make_folder(folder)?;
        write(path, &file.content)?;
        summary += &format!("{}\n", path.display());
    }
    let files: Vec<PathBuf> = files.into_iter().map(|file| file.path).collect();
    remove_old(&files)?;
    Ok(Answer {
        text: summary,
        warnings: Some(ready.loaded.warnings),
        files,
        ..Answer::default()
    })
}

/// Removes files of an earlier export that this one lacks: old inputs would seem to be those of this
/// reference.
fn remove_old(files: &[PathBuf]) -> Result<(), String> {
    let is_fmu = |file: &&PathBuf| file.extension().is_some_and(|end| end == "fmu");
    for fmu in files.iter().filter(is_fmu) {
        let model = fmu.file_stem().unwrap_or_default().to_string_lossy();
        for suffix in [OPTIONS, REFERENCE, INPUTS, OWN_RESULT] {
            let file = fmu.with_file_name(format!("{model}{suffix}"));
            if files.contains(&file) {
                continue;
            }
            match fs::remove_file(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(format!("cannot remove {}: {error}", file.display()));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

struct Exported {
    version: &'static str,
    model: String,
    archive: Vec<u8>,
    inputs: Option<Signals>,
    cases: Vec<Case>,
}

impl Exported {
    fn compute(
        request: &CrosscheckRequest,
        ready: &Ready,
        standard: Standard,
        binaries: &[Binary],
        table: Option<&InputTable>,
    ) -> Result<Exported, String> {
        let plain = build_ready(ready, standard, binaries, Extras::default());
        let plain = plain.map_err(|e| e.to_string())?;
        let fmu = opened(&plain)?;
        let inputs = reference::inputs(fmu.description(), table, request.stop)?;
        let source = Source {
            fmu: &fmu,
            inputs: inputs.as_ref().map(|inputs| &inputs.table),
            file: request.inputs.as_deref(),
        };
        let both = Interface::ALL.to_vec();
        let interfaces = request.interface.map_or(both, |one| vec![one]);
        let cases = interfaces.iter();
        let cases = cases.map(|interface| Case::compute(request, &source, *interface));
        let cases: Vec<Case> = cases.collect::<Result<_, String>>()?;
        let inputs = inputs.map(|inputs| inputs.signals);
        let name = |case: &Case| format!("{}_{}{REFERENCE}", plain.model, case.folder());
        let references = cases.iter().map(|case| Reference {
            kind: case.plan.interface.name(),
            start: case.plan.start,
            stop: case.plan.stop,
            tolerance: case.plan.tolerance,
            step: case.plan.interval(),
            results: (name(case), case.reference.text()),
        });
        let references: Vec<Reference> = references.collect();
        let stimuli = inputs.as_ref();
        let stimuli = stimuli.map(|inputs| (format!("{}{INPUTS}", plain.model), inputs.text()));
        let files = model_description::files(&plain.model, &references, stimuli.as_ref());
        let files = files.map_err(|e| e.to_string())?;
        if let Some((name, content)) = files.iter().find(|(_, file)| file.len() > MOST_BYTES) {
            return Err(format!(
                "{name} has {} bytes; {MOST_BYTES} are allowed: name fewer variables with --output, \
                 or give fewer rows of inputs",
                content.len()
            ));
        }
        let extras = Extras {
            files,
            ..Extras::default()
        };
        let built = build_ready(ready, standard, binaries, extras).map_err(|e| e.to_string())?;
        Ok(Exported {
            version: match standard {
                Standard::Fmi2 => "2.0",
                Standard::Fmi3 => "3.0",
            },
            model: built.model,
            archive: built.archive,
            inputs,
            cases,
        })
    }

    /// Files of a case for one platform.
    fn files(&self, case: &Case, binary: &Binary, is_host: bool) -> Vec<File> {
        let model = &self.model;
        // The rules have the names of FMI 2.0.
        let platform = binary.platform.folder(Standard::Fmi2);
        let kind = case.folder();
        let folder = ["fmus", self.version, kind, platform, TOOL, VERSION, model];
        let folder: PathBuf = folder.iter().collect();
        let named = |suffix: &str| format!("{model}{suffix}");
        let inputs = self.inputs.as_ref();
        let texts = [
            ("README.md".to_owned(), Some(self.readme(case, is_host))),
            (named(OPTIONS), Some(case.plan.options())),
            (named(REFERENCE), Some(case.reference.text())),
            (named(INPUTS), inputs.map(Signals::text)),
            (named(OWN_RESULT), is_host.then(|| case.own.text())),
        ];
        let texts = texts.into_iter();
        let texts = texts.filter_map(|(name, text)| Some((name, text?.into_bytes())));
        let archive = (named(".fmu"), self.archive.clone());
        let file = |(name, content)| File {
            path: folder.join(name),
            content,
        };
        [archive].into_iter().chain(texts).map(file).collect()
    }
}

struct Case {
    plan: Plan,
    reference_tolerance: f64,
    reference: Signals,
    own: Signals,
    variables: Vec<Variable>,
}

impl Case {
    fn compute(
        request: &CrosscheckRequest,
        source: &Source,
        interface: Interface,
    ) -> Result<Case, String> {
        let description = source.fmu.description();
        let plan = Plan::new(&description.experiment, interface, request.stop);
        let named = reference::by_name(description, &request.outputs)?;
        let is_output = |v: &&Variable| v.causality == "output";
        let outputs = description.variables.iter().filter(is_output);
        let others = named.iter().copied().filter(|v| !is_output(v));
        let recorded = outputs.chain(others).map(|v| v.name.clone()).collect();
        let own = plan.run(source, plan.tolerance, recorded)?;
        let chosen = match named.is_empty() {
            true => reference::choose(description, &own)?,
            false => named,
        };
        let names = chosen.iter().map(|variable| variable.name.clone());
        let reference_tolerance = TOLERANCE.min(plan.tolerance / 10.0);
        let reference = plan.run(source, reference_tolerance, names.collect())?;
        let signals = |run| Signals::of_run(description, &chosen, run, plan.thin);
        let (reference, own) = (signals(&reference)?, signals(&own)?);
        Ok(Case {
            plan,
            reference_tolerance,
            reference,
            own,
            variables: chosen.into_iter().cloned().collect(),
        })
    }

    fn folder(&self) -> &'static str {
        match self.plan.interface {
            Interface::CoSimulation => "cs",
            Interface::ModelExchange => "me",
        }
    }

    fn figures(&self) -> String {
        let (variables, rows) = (self.variables.len(), self.reference.times.len());
        format!("{variables} variables, {rows} rows")
    }
}

impl Exported {
    /// Readme (Markdown) beside the FMU of a case; `has_own`: with the result of this tool's importer.
    fn readme(&self, case: &Case, has_own: bool) -> String {
        let (model, plan) = (&self.model, &case.plan);
        let (run, inputs) = match plan.interface {
            Interface::CoSimulation => (
                format!("communication step size {} s", exact(plan.step)),
                "they are set at each communication point",
            ),
            Interface::ModelExchange => (
                "a solver with variable steps".to_owned(),
                "on straight lines between the rows",
            ),
        };
        let mut text = format!(
            "# {model}\n\nRigid bodies in contact, exported by {TOOL} {VERSION} as an FMU of FMI {} with \
             {}. Units and frames are in documentation/index.html inside the FMU.\n\n\
             - `{model}_ref.csv`: reference, by the FMU at a relative tolerance of {:e}\n\
             - `{model}_ref.opt`: settings to run it with: {} s to {} s, relative tolerance {:e}, \
             {run}\n",
            self.version,
            plan.interface.name(),
            case.reference_tolerance,
            exact(plan.start),
            exact(plan.stop),
            plan.tolerance,
        );
        if self.inputs.is_some() {
            text += &format!("- `{model}_in.csv`: inputs; {inputs}\n");
        }
        if has_own {
            text += &format!(
                "- `{model}_cc.csv`: result of the importer of {TOOL} {VERSION} with these settings\n"
            );
        }
        text += &format!(
            "\nRelTol in `{model}_ref.opt` is the tolerance that the FMU suggests, coarser than that of the \
             reference. This departs from section 9.1.4 of the rules, options used to create the \
             reference: importers are compared at the settings that users run the FMU with, and the \
             reference is to have no part in the difference.\n\n| variable | meaning |\n|---|---|\n"
        );
        for variable in &case.variables {
            let meaning = variable.description.as_deref().unwrap_or_default();
            let meaning = meaning.replace('|', "\\|");
            // Writing to a String never fails.
            let _ = writeln!(text, "| `{}` | {meaning} |", variable.name);
        }
        text
    }
}
