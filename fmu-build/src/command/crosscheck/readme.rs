//! The texts for people in the folders, in Markdown.

use super::run::Verdict;
use super::{TOOL, VERSION};
use crate::crosscheck::experiment::Experiment;
use crate::crosscheck::layout::Place;
use crate::crosscheck::problem::Problem;
use crate::crosscheck::tube::{Deviation, HEIGHT, WIDTH};
use crate::host::Interface;
use crate::number::{exact, rounded};
use std::fmt::Write;

/// What the readme of an exported FMU says.
pub struct Facts<'a> {
    /// The FMU.
    pub place: &'a Place,
    /// Settings of the reference.
    pub experiment: &'a Experiment,
    /// Relative tolerance of the reference [1].
    pub reference_tolerance: f64,
    /// Name of each variable and what it is, with its unit.
    pub variables: &'a [(String, String)],
    /// How far the result of the own importer is from the reference; none where it was not run.
    pub deviations: Option<&'a [Deviation]>,
    /// Whether there is a file of inputs.
    pub has_inputs: bool,
}

/// The readme of an exported FMU.
pub fn exported(facts: &Facts) -> String {
    let Facts {
        place, experiment, ..
    } = facts;
    let model = &place.model;
    let mut text = format!(
        "# {model}\n\nRigid bodies in contact, exported by {TOOL} {VERSION} as an FMU of FMI {} with \
         {}. Units and frames are in documentation/index.html inside the FMU.\n\n",
        place.fmi_version,
        place.interface.name()
    );
    let mut line = |line: String| {
        text += &line;
        text.push('\n');
    };
    line(format!(
        "- `{model}_ref.csv`: reference, by the FMU at a relative tolerance of {:e}",
        facts.reference_tolerance
    ));
    line(format!(
        "- `{model}_ref.opt`: settings to run it with: {} s to {} s, relative tolerance {:e}, {}",
        exact(experiment.start),
        exact(experiment.stop),
        experiment.tolerance,
        match place.interface {
            Interface::CoSimulation =>
                format!("communication step size {} s", exact(experiment.step)),
            Interface::ModelExchange => "a solver with variable steps".to_owned(),
        }
    ));
    if facts.has_inputs {
        line(format!(
            "- `{model}_in.csv`: inputs; {}",
            match place.interface {
                Interface::CoSimulation => "they are set at each communication point",
                Interface::ModelExchange => "on straight lines between the rows",
            }
        ));
    }
    if facts.deviations.is_some() {
        line(format!(
            "- `{model}_cc.csv`: result of the importer of {TOOL} {VERSION} with these settings"
        ));
    }
    line(format!(
        "\nRelTol in `{model}_ref.opt` is the tolerance that the FMU suggests, coarser than that of the \
         reference. This departs from section 9.1.4 of the rules, options used to create the \
         reference: importers are compared at the settings that users run the FMU with, and the \
         reference is to have no part in the difference."
    ));
    line("\n| variable | meaning |\n|---|---|".to_owned());
    for (name, meaning) in facts.variables {
        line(format!("| `{name}` | {} |", meaning.replace('|', "\\|")));
    }
    if let Some(deviations) = facts.deviations {
        line(format!("\n{}", compared(deviations)));
    }
    text
}

/// The figures of the comparison.
fn compared(deviations: &[Deviation]) -> String {
    let mut text = format!(
        "Compared by a tube around the reference: {} % of the duration to either side, {} % of the \
         range of a signal above and below. Inside are deviations up to 1, in half heights of the \
         tube.\n\n| variable | largest deviation | at |\n|---|---|---|\n",
        rounded(100.0 * WIDTH, 3),
        rounded(100.0 * HEIGHT, 3)
    );
    for deviation in deviations {
        // Writing to a String never fails.
        let _ = writeln!(
            text,
            "| `{}` | {} | {} s |",
            deviation.name,
            rounded(deviation.largest, 2),
            rounded(deviation.time, 6)
        );
    }
    text
}

/// The readme beside a verdict that is not `passed`.
pub fn imported(place: &Place, verdict: Verdict, reason: &str) -> String {
    format!(
        "# {model}\n\n{model} of {} {}, FMI {}, {}, {}: {} by {TOOL} {VERSION}.\n\n{}\n",
        place.tool,
        place.tool_version,
        place.fmi_version,
        place.interface.name(),
        place.platform,
        verdict.word(),
        reason.trim_end(),
        model = place.model,
    )
}

/// A list of what is against the rules, without advice; nothing where nothing is.
pub fn problems(problems: &[Problem]) -> String {
    let problems = problems.iter().filter(|problem| !problem.is_advice);
    let line = |problem: &Problem| {
        let file = problem.file.file_name().unwrap_or_default();
        let line = problem
            .line
            .map_or(String::new(), |line| format!(":{line}"));
        format!("- {}{line}: {}\n", file.to_string_lossy(), problem.text)
    };
    let lines: String = problems.map(line).collect();
    match lines.is_empty() {
        true => lines,
        false => format!("\nAgainst the rules of the cross-check:\n\n{lines}"),
    }
}
