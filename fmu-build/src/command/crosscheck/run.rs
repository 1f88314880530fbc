//! One FMU of any tool, run as its settings say and compared with its reference.

use super::readme;
use crate::crosscheck::layout::{INPUTS, OPTIONS, Unplaced};
use crate::crosscheck::rules::{self, Exported, Unusable};
use crate::crosscheck::signals::Signals;
use crate::crosscheck::tube::{self, Deviation};
use crate::host::model_description::{DataType, Variable};
use crate::host::{self, Fmu, HostError, InputTable, Interface, Limits, Options};
use crate::number::rounded;
use crate::whole_file::write_whole;
use contact_model::integrator::Settings;
use std::path::Path;

/// Rows of a run at least where the reference has rows at irregular times.
const LEAST_ROWS: f64 = 1000.0;
/// Difference of two distances between rows, relative, that is rounding.
const ROUNDING: f64 = 1e-3;

/// What this tool says of an FMU, in the words of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It ran to its end and is in the tube.
    Passed,
    /// It ran and something was wrong, or it ended the process.
    Failed,
    /// This tool cannot run or compare it.
    Rejected,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 3] = [Verdict::Passed, Verdict::Failed, Verdict::Rejected];

    /// Name of its file.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::Rejected => "rejected",
        }
    }
}

/// A verdict with its reason, some lines of text.
pub type Judgement = (Verdict, String);

/// Judges the FMU in `path` and writes verdict and readme into `file`: this runs in a process of
/// its own.
///
/// # Errors
/// In words: the file cannot be written.
pub fn run(path: &Path, file: &Path, limits: &Limits) -> Result<(), String> {
    let (exported, problems) = rules::read(path, limits);
    let judged = match exported {
        Ok(exported) => judge(&exported),
        Err(Unusable::Path(Unplaced::Skipped(reason) | Unplaced::Misplaced(reason))) => {
            Err((Verdict::Rejected, reason))
        }
        Err(Unusable::Fmu(error)) => Err((Verdict::Rejected, format!("the FMU {error}"))),
        Err(Unusable::File(reason)) => Err((Verdict::Rejected, reason)),
    };
    let (verdict, reason) = judged.unwrap_or_else(|judgement| judgement);
    let text = format!(
        "{}\n{reason}\n{}",
        verdict.word(),
        readme::problems(&problems)
    );
    write_whole(file, text.as_bytes()).map_err(|e| format!("cannot write {}: {e}", file.display()))
}

/// The other way round: what [`run`] wrote.
pub fn read(text: &str) -> Option<Judgement> {
    let (word, reason) = text.split_once('\n')?;
    let verdict = Verdict::ALL.into_iter().find(|v| v.word() == word)?;
    Some((verdict, reason.trim_end().to_owned()))
}

/// The judgement of an FMU whose files can be read; as an error the one of an FMU that was not
/// compared.
fn judge(exported: &Exported) -> Result<Judgement, Judgement> {
    let rejected = |reason: String| (Verdict::Rejected, reason);
    let failed = |reason: String| (Verdict::Failed, reason);
    let fmu = &exported.fmu;
    let interface = exported.place.interface;
    check_fmu(fmu, interface).map_err(rejected)?;
    let table = exported.inputs.as_ref();
    let table = table.map(|signals| input_table(exported, signals));
    let in_inputs = |reason| rejected(exported.in_file(INPUTS, reason));
    let options = options(exported, table.transpose().map_err(in_inputs)?);
    check_settings(exported, &options)
        .map_err(|reason| rejected(exported.in_file(OPTIONS, reason)))?;
    let run = interface
        .simulate(fmu, &options)
        .map_err(|error| match error {
            HostError::Inputs(reason) => in_inputs(reason),
            error => (verdict_of(&error), error.to_string()),
        })?;
    if let Some(time) = run.ended_by_fmu {
        return Err(failed(format!(
            "the FMU ended the run at {time} s; StopTime is {} s",
            exported.experiment.stop
        )));
    }
    let description = fmu.description();
    let variables = variables(exported);
    let found = Signals::of_run(description, &variables, &run.trajectory).map_err(rejected)?;
    let deviations = tube::compare(&exported.reference, &found);
    Ok(match deviations.iter().all(Deviation::is_inside) {
        true => (Verdict::Passed, largest(&deviations)),
        false => failed(outside(&deviations)),
    })
}

fn check_fmu(fmu: &Fmu, interface: Interface) -> Result<(), String> {
    let of_fmu = match interface {
        Interface::CoSimulation => fmu.co_simulation(),
        Interface::ModelExchange => fmu.model_exchange(),
    };
    let of_fmu = of_fmu.map_err(|error| format!("the FMU {error}"))?;
    match of_fmu.can("needsExecutionTool") {
        true => Err("the FMU needs the tool that made it (needsExecutionTool)".into()),
        false => Ok(()),
    }
}

/// Whether a run with the settings can begin.
fn check_settings(exported: &Exported, options: &Options) -> Result<(), String> {
    let of_fmu = &exported.fmu.description().experiment;
    let width = exported.reference.width();
    let experiment = host::Experiment::new(options, of_fmu, width).map_err(|e| e.to_string())?;
    match (exported.place.interface, experiment.tolerance) {
        (Interface::ModelExchange, Some(tolerance)) => {
            let settings = Settings::new(tolerance);
            settings.map(|_| ()).map_err(|error| error.message)
        }
        _ => Ok(()),
    }
}

/// What an error means: what cannot be loaded or set is rejected.
fn verdict_of(error: &HostError) -> Verdict {
    match error {
        HostError::Logged(inner, _) => verdict_of(inner),
        HostError::Archive(_)
        | HostError::Description(_)
        | HostError::Version(_)
        | HostError::NoBinary { .. }
        | HostError::NoInterface(..)
        | HostError::Library(..)
        | HostError::Inputs(_) => Verdict::Rejected,
        HostError::MissingFunction { .. } | HostError::Call { .. } | HostError::Run(_) => {
            Verdict::Failed
        }
    }
}

/// The variables of the reference.
fn variables(exported: &Exported) -> Vec<&Variable> {
    let signals = exported.reference.signals.iter();
    let description = exported.fmu.description();
    let variable = |name: &str| description.variables.iter().find(|v| v.name == name);
    signals
        .filter_map(|signal| variable(&signal.name))
        .collect()
}

/// The inputs as the host takes them. Before the first row and after the last one they keep its
/// values.
fn input_table(exported: &Exported, signals: &Signals) -> Result<InputTable, String> {
    let description = exported.fmu.description();
    let mut names = Vec::new();
    for signal in &signals.signals {
        let mut variables = description.variables.iter();
        let Some(variable) = variables.find(|v| v.name == signal.name) else {
            continue;
        };
        if variable.data_type != DataType::Float64 {
            return Err(format!(
                "input {:?} is of type {}; only numbers of 64 bits can be set",
                signal.name,
                variable.data_type.name(description.standard)
            ));
        }
        names.extend(description.entry_names(variable)?);
    }
    let (mut times, mut values) = (signals.times.clone(), signals.values.clone());
    let experiment = &exported.experiment;
    if times[0] > experiment.start {
        times.insert(0, experiment.start);
        values.splice(0..0, signals.row(0).to_vec());
    }
    let last = signals.times.len() - 1;
    if signals.times[last] < experiment.stop {
        times.push(experiment.stop);
        values.extend_from_slice(signals.row(last));
    }
    Ok(InputTable::new(names, times, values))
}

/// The settings of the reference as the host takes them.
fn options(exported: &Exported, inputs: Option<InputTable>) -> Options {
    let experiment = &exported.experiment;
    let positive = |value: f64| Some(value).filter(|value| *value > 0.0);
    let step = match exported.place.interface {
        Interface::CoSimulation => positive(experiment.step)
            .or(experiment.output_interval)
            .or(exported.fmu.description().experiment.step_size),
        Interface::ModelExchange => experiment.output_interval,
    };
    Options {
        start: Some(experiment.start),
        stop: Some(experiment.stop),
        step: Some(step.unwrap_or_else(|| row_distance(&exported.reference.times))),
        tolerance: positive(experiment.tolerance),
        inputs,
        recorded: Some(variables(exported).iter().map(|v| v.name.clone()).collect()),
        ..Options::default()
    }
}

/// Distance of the rows of the reference where they are regular, else one that shows as much [s].
fn row_distance(times: &[f64]) -> f64 {
    let duration = times[times.len() - 1] - times[0];
    let steps = times.len().saturating_sub(1).max(1) as f64;
    let mean = duration / steps;
    let is_regular = times
        .windows(2)
        .all(|pair| (pair[1] - pair[0] - mean).abs() < ROUNDING * mean);
    match is_regular {
        true => mean,
        false => duration / (2.0 * steps).max(LEAST_ROWS),
    }
}

/// A line about the signal that is farthest from its reference.
fn largest(deviations: &[Deviation]) -> String {
    let farthest = deviations
        .iter()
        .max_by(|a, b| a.largest.total_cmp(&b.largest));
    farthest.map_or(String::new(), |d| {
        format!("{} of the tube, {}", rounded(d.largest, 2), d.name)
    })
}

/// Lines about the signals outside of their tubes.
fn outside(deviations: &[Deviation]) -> String {
    let outside = deviations.iter().filter(|d| !d.is_inside());
    let lines: Vec<String> = outside
        .map(|d| {
            format!(
                "{} is outside of the tube in {} rows; the farthest at {} s: {}, the tube goes from {} \
                 to {}",
                d.name,
                d.outside,
                rounded(d.time, 6),
                rounded(d.found, 6),
                rounded(d.limits[0], 6),
                rounded(d.limits[1], 6)
            )
        })
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_rows_are_met_and_irregular_ones_surrounded() {
        assert_eq!(row_distance(&[0.0, 0.5, 1.0]), 0.5);
        assert_eq!(row_distance(&[0.0, 0.5, 0.5, 1.0]), 1e-3);
        assert_eq!(row_distance(&[2.0, 2.1, 3.0]), 1e-3);
    }

    #[test]
    fn a_verdict_comes_back_from_its_text() {
        for verdict in Verdict::ALL {
            let text = format!("{}\nreason\nmore\n", verdict.word());
            assert_eq!(read(&text), Some((verdict, "reason\nmore".into())));
        }
        assert_eq!(read("perhaps\nreason"), None);
        assert_eq!(read(""), None);
    }
}
