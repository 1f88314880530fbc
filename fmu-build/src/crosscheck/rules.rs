//! Checks the files of an exported FMU and reads them: section 9.1 and appendix B of the rules.

use super::experiment::Experiment;
use super::layout::{self, INPUTS, OPTIONS, OWN_RESULT, Place, README, REFERENCE, Unplaced};
use super::problem::{Found, Problem};
use super::signals::Signals;
use crate::host::model_description::Variable;
use crate::host::{Fmu, HostError, Interface, Limits, ModelDescription};
use crate::number::counted;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Variables that a reference has at most, as the rules recommend.
pub const MOST_VARIABLES: usize = 10;
/// Bytes of an FMU at most; the checks of the repository refuse more.
const MOST_FMU_BYTES: u64 = 10_000_000;
/// Difference of the reference's first and last time from the settings, relative to the duration,
/// that is rounding.
const ROUNDING: f64 = 1e-6;

/// An exported FMU with its files.
#[derive(Debug)]
pub struct Exported {
    /// What the path says.
    pub place: Place,
    /// The FMU.
    pub fmu: Fmu,
    /// Settings of the reference.
    pub experiment: Experiment,
    /// The reference.
    pub reference: Signals,
    /// Inputs over time, if there are some.
    pub inputs: Option<Signals>,
}

impl Exported {
    /// A text about the file of the model with this end of its name.
    pub fn in_file(&self, suffix: &str, text: String) -> String {
        format!("{}{suffix}: {text}", self.place.model)
    }
}

/// Why an exported FMU cannot be run and compared.
#[derive(Debug)]
pub enum Unusable {
    /// The path says that this tool does not read it, or has not the form of the rules.
    Path(Unplaced),
    /// The FMU cannot be opened.
    Fmu(HostError),
    /// A file is missing, or cannot be used: its problem.
    File(String),
}

/// Reads the FMU in `path` and the files beside it, and lists what is against the rules.
pub fn read(path: &Path, limits: &Limits) -> (Result<Exported, Unusable>, Vec<Problem>) {
    let mut problems = Vec::new();
    let exported = read_into(path, limits, &mut problems);
    if let Err(Unusable::Path(Unplaced::Misplaced(text))) = &exported {
        problems.push(whole(path, text.clone()));
    }
    if let Err(Unusable::Fmu(error)) = &exported {
        problems.push(whole(path, error.to_string()));
    }
    (exported, problems)
}

fn whole(file: &Path, text: String) -> Problem {
    Problem {
        file: file.to_owned(),
        line: None,
        text,
        is_advice: false,
    }
}

fn read_into(
    path: &Path,
    limits: &Limits,
    problems: &mut Vec<Problem>,
) -> Result<Exported, Unusable> {
    let place = Place::of_fmu(path).map_err(Unusable::Path)?;
    let fmu = Fmu::open_within(path, limits).map_err(Unusable::Fmu)?;
    let mut of_fmu = Found::of(path);
    check_fmu(path, &place, &fmu, &mut of_fmu);
    problems.extend(of_fmu.list());

    let mut files = Files { path, problems };
    let experiment = files.content(OPTIONS, true, |content, found| {
        Experiment::read(&String::from_utf8_lossy(content), found)
    });
    let description = fmu.description();
    let span = experiment.as_ref().map(|e| (e.start, e.stop));
    let reference = files.content(REFERENCE, true, |content, found| {
        let signals = Signals::read(content, found)?;
        let is_within = is_within(&signals, span, found);
        if signals.signals.len() > MOST_VARIABLES {
            found.advice(format!(
                "has {} variables; {MOST_VARIABLES} important ones are recommended",
                signals.signals.len()
            ));
        }
        let are_known = are_known(&signals, description, false, found);
        (is_within && are_known).then_some(signals)
    });
    let has_inputs = files.file(INPUTS).exists() || files.misnamed(INPUTS).is_some();
    let inputs = files.content(INPUTS, has_inputs, |content, found| {
        let signals = Signals::read(content, found)?;
        are_known(&signals, description, true, found).then_some(signals)
    });
    files.content(OWN_RESULT, false, |content, found| {
        let signals = Signals::read(content, found)?;
        are_known(&signals, description, false, found).then_some(())
    });
    let causality = |v: &Variable| v.causality == "input";
    if !has_inputs && description.variables.iter().any(causality) {
        let mut found = Found::of(files.file(INPUTS));
        found.advice("is missing, and the FMU has inputs; without it they keep their start values");
        files.problems.extend(found.list());
    }
    files.readme();
    Ok(Exported {
        experiment: experiment.ok_or_else(|| files.unusable(OPTIONS))?,
        reference: reference.ok_or_else(|| files.unusable(REFERENCE))?,
        inputs: match inputs {
            None if has_inputs => return Err(files.unusable(INPUTS)),
            inputs => inputs,
        },
        place,
        fmu,
    })
}

/// The files beside an FMU.
struct Files<'a> {
    path: &'a Path,
    problems: &'a mut Vec<Problem>,
}

impl Files<'_> {
    /// The file of the model with this end of its name.
    fn file(&self, suffix: &str) -> PathBuf {
        let stem = self.path.file_stem().unwrap_or_default();
        self.path
            .with_file_name(format!("{}{suffix}", stem.to_string_lossy()))
    }

    /// Name of a file with this end in the folder that is not named like the model.
    fn misnamed(&self, suffix: &str) -> Option<String> {
        let own = self.file(suffix);
        let folder = own.parent().filter(|folder| *folder != Path::new(""));
        let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
        let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
        let others = names.filter(|name| Some(name.as_os_str()) != own.file_name());
        others
            .map(|name| name.to_string_lossy().into_owned())
            .filter(|name| name.ends_with(suffix))
            .min()
    }

    /// Why a file cannot be used: its first breach.
    fn unusable(&self, suffix: &str) -> Unusable {
        let file = self.file(suffix);
        let mut breaches = self.problems.iter().filter(|problem| !problem.is_advice);
        let first = breaches.find(|problem| problem.file == file);
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let text = first.map_or("cannot be used", |problem| problem.text.as_str());
        Unusable::File(format!("{name}: {text}"))
    }

    /// What `read` makes of a file; none where it is missing, which is a breach if it is required.
    fn content<T>(
        &mut self,
        suffix: &str,
        is_required: bool,
        read: impl FnOnce(&[u8], &mut Found) -> Option<T>,
    ) -> Option<T> {
        let file = self.file(suffix);
        let mut found = Found::of(&file);
        let result = match fs::read(&file) {
            Ok(content) => read(&content, &mut found),
            Err(error) if error.kind() == ErrorKind::NotFound && !is_required => None,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                found.whole(match self.misnamed(suffix) {
                    Some(other) => format!("is missing; rename {other}, named unlike its folder"),
                    None => "is missing; an exported FMU has it beside it".to_owned(),
                });
                None
            }
            Err(error) => {
                found.whole(format!("cannot be read: {error}"));
                None
            }
        };
        self.problems.extend(found.list());
        result
    }

    fn readme(&mut self) {
        let names = [README, "ReadMe.md", "readme.md", "README.txt", "readme.txt"];
        if !names
            .iter()
            .any(|name| self.path.with_file_name(name).exists())
        {
            let mut found = Found::of(self.path.with_file_name(README));
            found.advice("is missing; it tells others what the FMU shows and how it was run");
            self.problems.extend(found.list());
        }
    }
}

/// What the folders say of an FMU and what it says of itself.
fn check_fmu(path: &Path, place: &Place, fmu: &Fmu, problems: &mut Found) {
    let description = fmu.description();
    let version = layout::version_folder(description.standard);
    if version != place.fmi_version {
        problems.whole(format!(
            "is an FMU of FMI {version} in a folder {}; move it to fmus/{version}",
            place.fmi_version
        ));
    }
    let interface = match place.interface {
        Interface::CoSimulation => &description.co_simulation,
        Interface::ModelExchange => &description.model_exchange,
    };
    if interface.is_none() {
        problems.whole(format!(
            "has no {}; its folder is named {}",
            place.interface.name(),
            layout::interface_folder(place.interface)
        ));
    }
    let folders = layout::binary_folders(&place.platform);
    let has_binary = |folder: &&str| fmu.platforms().iter().any(|own| own == folder);
    if place.platform != "c-code" && !folders.iter().any(has_binary) {
        problems.whole(format!(
            "has no binary for the platform of its folder, {}; it has: {}",
            place.platform,
            fmu.platforms().join(", ")
        ));
    }
    let size = fs::metadata(path).map_or(0, |data| data.len());
    if size > MOST_FMU_BYTES {
        problems.whole(format!(
            "has {size} bytes; the checks of the repository allow {MOST_FMU_BYTES}"
        ));
    }
}

/// Whether the reference covers some time, and none beyond the run.
fn is_within(signals: &Signals, span: Option<(f64, f64)>, problems: &mut Found) -> bool {
    let [first, .., last] = signals.times.as_slice() else {
        problems.whole("has one row; at least those of StartTime and StopTime are needed");
        return false;
    };
    if first == last {
        problems.whole(format!("has all rows at {first} s; it must cover the run"));
        return false;
    }
    let Some((start, stop)) = span else {
        return true;
    };
    let rounding = ROUNDING * (stop - start);
    if (first - start).abs() > rounding {
        problems.at(
            2,
            format!("starts at {first} s; StartTime in {OPTIONS} is {start} s"),
        );
    }
    if (last - stop).abs() > rounding {
        problems.at(
            signals.times.len() + 1,
            format!("ends at {last} s; StopTime in {OPTIONS} is {stop} s"),
        );
    }
    *first >= start - rounding && *last <= stop + rounding
}

/// Whether each signal is a variable of the FMU with as many values, and an input if it has to be.
fn are_known(
    signals: &Signals,
    description: &ModelDescription,
    is_input: bool,
    problems: &mut Found,
) -> bool {
    let mut good = true;
    for signal in &signals.signals {
        let name = &signal.name;
        let mut variables = description.variables.iter();
        let fault = match variables.find(|variable| variable.name == *name) {
            None => format!(
                "column {name:?} is no variable of the FMU; names are those of modelDescription.xml"
            ),
            Some(variable) if is_input && variable.causality != "input" => format!(
                "column {name:?} is no input; its causality is {}: leave the column away",
                variable.causality
            ),
            Some(variable) if !variable.data_type.is_numeric() => {
                format!("column {name:?} is no number; leave the column away")
            }
            Some(variable) => match description.size(variable) {
                Ok(size) if size == signal.size => continue,
                Ok(size) => format!(
                    "column {name:?} has {}; the variable has {size}, separated by spaces",
                    counted(signal.size, "element")
                ),
                Err(reason) => reason,
            },
        };
        problems.at(1, fault);
        good = false;
    }
    good
}
