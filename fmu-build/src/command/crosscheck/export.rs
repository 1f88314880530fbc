//! `crosscheck export`: the FMUs of a scene in the folders of the rules, each with its reference,
//! inputs, settings, the result of this tool's own importer, and a readme.
//!
//! The reference is a run at a tolerance of [`TOLERANCE`] or a tenth of the suggested one; the
//! result of the own importer is one with the settings that the FMU suggests. Both are of this
//! platform; the numbers are the same on all. Nothing is written before all runs have come to their
//! end.

use super::choice;
use super::plan::{self, Plan, TOLERANCE};
use super::readme::{self, Facts};
use super::{TOOL, VERSION};
use crate::command::answer::{Answer, Failure};
use crate::command::build::{Extras, binaries_for, build_ready, opened};
use crate::command::scene::{self, Ready};
use crate::crosscheck::experiment::Experiment;
use crate::crosscheck::layout::{self, Place};
use crate::crosscheck::signals::{MOST_BYTES, Signals};
use crate::crosscheck::tube::{self, Deviation};
use crate::description::references::{self, Reference};
use crate::host::model_description::Variable;
use crate::host::{Fmu, InputTable, Interface, Trajectory};
use crate::number::rounded;
use crate::package::binaries::{Binary, Choice};
use crate::package::platform::Platform;
use crate::scene_file::InterfaceOverrides;
use crate::whole_file::write_whole;
use fmu_core::instance::Standard;
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What to export.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scene file.
    pub scene: PathBuf,
    /// Folder that the folder `fmus` is made in.
    pub folder: PathBuf,
    /// FMI versions.
    pub standards: Vec<Standard>,
    /// Interface types.
    pub interfaces: Vec<Interface>,
    /// Inputs over time; those without keep their start values.
    pub inputs: Option<PathBuf>,
    /// Names of the variables of the reference; chosen if empty.
    pub outputs: Vec<String>,
    /// Stop time [s]; that of the scene if not given.
    pub stop: Option<f64>,
    /// Which binaries go into the FMU.
    pub binaries: Choice,
}

/// Exports. The answer tells figures and files; warnings are about the scene, and about runs that differ
/// from their reference.
///
/// # Errors
/// The scene is bad, there is no binary for this platform, a run fails, a file is too
/// large or cannot be written.
pub fn run(request: &Request) -> Result<Answer, Failure> {
    let mut ready = scene::read(&request.scene, InterfaceOverrides::default())?;
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
    let mut deviating = Vec::new();
    for standard in &request.standards {
        let computed = compute(request, &ready, *standard, &binaries, table.as_ref())?;
        for case in &computed.cases {
            let version = layout::version_folder(*standard);
            let name = format!("FMI {version}, {}", case.interface.name());
            // Writing to a String never fails.
            let _ = writeln!(summary, "{name}: {}", case.figures());
            deviating.extend(case.warning(&name));
            for binary in &binaries {
                let is_host = binary.platform == host;
                files.extend(computed.files(case, *standard, binary, is_host));
            }
        }
    }
    for (file, content) in &files {
        let file = request.folder.join(file);
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .map_err(|e| format!("cannot make the folder {}: {e}", folder.display()))?;
        write_whole(&file, content).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        let _ = writeln!(summary, "{}", file.display());
    }
    remove_old(&request.folder, &files)?;
    ready.loaded.warn(deviating);
    Ok(Answer {
        text: summary,
        warnings: Some(ready.loaded.warnings),
        files: files
            .iter()
            .map(|(file, _)| request.folder.join(file))
            .collect(),
        ..Answer::default()
    })
}

/// Takes away what an earlier export wrote beside the FMUs and this one does not: inputs of a scene
/// that had some would be those of this reference.
fn remove_old(root: &Path, files: &[(PathBuf, Vec<u8>)]) -> Result<(), String> {
    let all = [
        layout::OPTIONS,
        layout::REFERENCE,
        layout::INPUTS,
        layout::OWN_RESULT,
    ];
    let is_fmu = |file: &&PathBuf| file.extension().is_some_and(|end| end == "fmu");
    for fmu in files.iter().map(|(file, _)| file).filter(is_fmu) {
        let model = fmu.file_stem().unwrap_or_default().to_string_lossy();
        for suffix in all {
            let file = fmu.with_file_name(format!("{model}{suffix}"));
            if files.iter().any(|(written, _)| *written == file) {
                continue;
            }
            let file = root.join(file);
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

/// The FMU of one FMI version, with what was computed with it.
struct Computed {
    model: String,
    archive: Vec<u8>,
    inputs: Option<Signals>,
    cases: Vec<Case>,
}

/// One interface type.
struct Case {
    interface: Interface,
    experiment: Experiment,
    reference_tolerance: f64,
    reference: Signals,
    own: Signals,
    deviations: Vec<Deviation>,
    variables: Vec<(String, String)>,
}

fn compute(
    request: &Request,
    ready: &Ready,
    standard: Standard,
    binaries: &[Binary],
    table: Option<&InputTable>,
) -> Result<Computed, String> {
    let plain = build_ready(ready, standard, binaries, Extras::default());
    let plain = plain.map_err(|e| e.to_string())?;
    let fmu = opened(&plain)?;
    let inputs = plan::inputs(fmu.description(), table, request.stop)?;
    let mut cases: Vec<Case> = Vec::new();
    for interface in &request.interfaces {
        cases.push(Case::compute(request, &fmu, *interface, inputs.as_ref())?);
    }
    let suffixed = |suffix: &str| format!("{}{suffix}", plain.model);
    let references: Vec<Reference> = cases
        .iter()
        .map(|case| Reference {
            kind: case.interface.name(),
            start: case.experiment.start,
            stop: case.experiment.stop,
            tolerance: case.experiment.tolerance,
            step: case.row_interval(),
            results: (
                suffixed(&format!(
                    "_{}{}",
                    layout::interface_folder(case.interface),
                    layout::REFERENCE
                )),
                case.reference.text(),
            ),
        })
        .collect();
    let stimuli = inputs.as_ref().map(|(signals, _)| {
        let name = suffixed(layout::INPUTS);
        (name, signals.text())
    });
    let extra = references::files(&plain.model, &references, stimuli.as_ref());
    let extra = extra.map_err(|e| e.to_string())?;
    for (name, content) in &extra {
        if content.len() > MOST_BYTES {
            return Err(format!(
                "{name} has {} bytes; {MOST_BYTES} are allowed: name fewer variables with --output, \
                 or give fewer rows of inputs",
                content.len()
            ));
        }
    }
    let extras = Extras {
        files: extra,
        ..Extras::default()
    };
    let built = build_ready(ready, standard, binaries, extras).map_err(|e| e.to_string())?;
    Ok(Computed {
        model: built.model,
        archive: built.archive,
        inputs: inputs.map(|(signals, _)| signals),
        cases,
    })
}

impl Case {
    fn compute(
        request: &Request,
        fmu: &Fmu,
        interface: Interface,
        inputs: Option<&(Signals, InputTable)>,
    ) -> Result<Case, String> {
        let description = fmu.description();
        let inputs = inputs.map(|(_, table)| table);
        let file = request.inputs.as_deref();
        let plan = Plan::new(description, interface, request.stop, inputs, file);
        let named = choice::by_name(description, &request.outputs)?;
        let is_output = |v: &&Variable| v.causality == "output";
        let outputs = description.variables.iter().filter(is_output);
        let others = named.iter().copied().filter(|v| !is_output(v));
        let recorded = outputs.chain(others).map(|v| v.name.clone()).collect();
        let own: Trajectory = plan.run(fmu, plan.tolerance, recorded)?;
        let chosen = match named.is_empty() {
            true => choice::choose(description, &own)?,
            false => named,
        };
        let names = chosen
            .iter()
            .map(|variable| variable.name.clone())
            .collect();
        let reference_tolerance = TOLERANCE.min(plan.tolerance / 10.0);
        let reference = plan.run(fmu, reference_tolerance, names)?;
        let [reference, own] = [reference, own]
            .map(|run| Signals::of_run(description, &chosen, &run).map(|s| s.thinned(plan.thin)));
        let (reference, own) = (reference?, own?);
        let text = |v: &&Variable| (v.name.clone(), v.description.clone().unwrap_or_default());
        Ok(Case {
            interface,
            experiment: plan.experiment(),
            reference_tolerance,
            deviations: tube::compare(&reference, &own),
            reference,
            own,
            variables: chosen.iter().map(text).collect(),
        })
    }

    fn row_interval(&self) -> f64 {
        self.experiment.output_interval.unwrap_or(0.0)
    }

    fn largest(&self) -> Option<&Deviation> {
        let deviations = self.deviations.iter();
        deviations.max_by(|a, b| a.largest.total_cmp(&b.largest))
    }

    fn figures(&self) -> String {
        let largest = self.largest().map_or(0.0, |d| d.largest);
        format!(
            "{} variables, {} rows; the run at tolerance {:e} takes {} of the tube",
            self.variables.len(),
            self.reference.times.len(),
            self.experiment.tolerance,
            rounded(largest, 2)
        )
    }

    /// A run at the suggested settings that is not like the reference.
    fn warning(&self, name: &str) -> Option<String> {
        let outside: Vec<&str> = self
            .deviations
            .iter()
            .filter(|d| !d.is_inside())
            .map(|d| d.name.as_str())
            .collect();
        (!outside.is_empty()).then(|| {
            format!(
                "{name}: the run at tolerance {:e} leaves the tube around the reference in {}; other \
                 importers will too: choose an earlier --stop, a finer tolerance in the scene, or \
                 other variables with --output",
                self.experiment.tolerance,
                outside.join(", ")
            )
        })
    }
}

impl Computed {
    /// Paths and contents of the files of a case for one platform.
    fn files(
        &self,
        case: &Case,
        standard: Standard,
        binary: &Binary,
        is_host: bool,
    ) -> Vec<(PathBuf, Vec<u8>)> {
        let place = Place {
            fmi_version: layout::version_folder(standard).to_owned(),
            interface: case.interface,
            platform: layout::platform_folder(binary.platform.name).to_owned(),
            tool: TOOL.to_owned(),
            tool_version: VERSION.to_owned(),
            model: self.model.clone(),
        };
        let folder = place.exported();
        let own = is_host.then(|| case.own.text());
        let facts = Facts {
            place: &place,
            experiment: &case.experiment,
            reference_tolerance: case.reference_tolerance,
            variables: &case.variables,
            deviations: is_host.then_some(case.deviations.as_slice()),
            has_inputs: self.inputs.is_some(),
        };
        let texts = [
            (layout::OPTIONS, Some(case.experiment.text())),
            (layout::REFERENCE, Some(case.reference.text())),
            (layout::INPUTS, self.inputs.as_ref().map(Signals::text)),
            (layout::OWN_RESULT, own),
        ];
        let texts = texts.into_iter();
        let named = texts.filter_map(|(suffix, text)| {
            Some((format!("{}{suffix}", self.model), text?.into_bytes()))
        });
        let mut files = vec![
            (format!("{}.fmu", self.model), self.archive.clone()),
            (
                layout::README.to_owned(),
                readme::exported(&facts).into_bytes(),
            ),
        ];
        files.extend(named);
        let inside = |(name, content)| (folder.join(name), content);
        files.into_iter().map(inside).collect()
    }
}
