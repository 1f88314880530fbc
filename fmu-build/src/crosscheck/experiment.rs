//! `_ref.opt`: the settings of the reference, lines `Name, value`. Section 9.1.4 of the rules.

use super::problem::Found;
use crate::number::exact;

/// Settings of a reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Start time [s].
    pub start: f64,
    /// Stop time, > start [s].
    pub stop: f64,
    /// Step size of a solver with fixed steps, in Co-Simulation the communication step size; 0 for
    /// a variable step [s].
    pub step: f64,
    /// Relative tolerance [1]; 0 where the tool has none.
    pub tolerance: f64,
    /// Absolute tolerance, in the unit of each variable.
    pub absolute_tolerance: Option<f64>,
    /// Solver, in the words of the tool.
    pub solver: Option<String>,
    /// Time between two rows of the reference [s].
    pub output_interval: Option<f64>,
}

/// The numbers that a file must have, and those that it may.
const REQUIRED: [&str; 4] = ["StartTime", "StopTime", "StepSize", "RelTol"];
const OPTIONAL: [&str; 2] = ["AbsTol", "OutputIntervalLength"];
const SOLVER: &str = "SolverType";

impl Experiment {
    /// Reads the content of a file; none where a number is missing that must be there, or out of
    /// range.
    pub fn read(text: &str, problems: &mut Found) -> Option<Experiment> {
        let mut numbers: [Option<f64>; 6] = [None; 6];
        let mut solver = None;
        let names = || REQUIRED.iter().chain(&OPTIONAL);
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let content = line.split("//").next().unwrap_or(line).trim();
            if content.is_empty() {
                continue;
            }
            let Some((name, value)) = content.split_once(',') else {
                problems.at(
                    number,
                    format!("{content:?} is no line \"Name, value\", as \"StopTime, 1.0\""),
                );
                continue;
            };
            let (name, value) = (name.trim(), value.trim());
            if name == SOLVER {
                solver = Some(value.to_owned());
                continue;
            }
            let Some(place) = names().position(|known| *known == name) else {
                let known: Vec<&str> = names().copied().collect();
                problems.at(
                    number,
                    format!(
                        "{name:?} is no setting; there are {}, {SOLVER}",
                        known.join(", ")
                    ),
                );
                continue;
            };
            match value.parse::<f64>().ok().filter(|value| value.is_finite()) {
                Some(_) if numbers[place].is_some() => {
                    problems.at(number, format!("{name} is given twice; give it once"));
                }
                Some(value) => numbers[place] = Some(value),
                None => problems.at(
                    number,
                    format!("{name} is {value:?}; it must be a number such as 1e-4"),
                ),
            }
        }
        for (name, number) in REQUIRED.iter().zip(numbers) {
            if number.is_none() {
                problems.whole(format!("{name} is missing; add a line \"{name}, value\""));
            }
        }
        let [
            start,
            stop,
            step,
            tolerance,
            absolute_tolerance,
            output_interval,
        ] = numbers;
        let experiment = Experiment {
            start: start?,
            stop: stop?,
            step: step?,
            tolerance: tolerance?,
            absolute_tolerance,
            solver,
            output_interval,
        };
        experiment.is_in_range(problems).then_some(experiment)
    }

    fn is_in_range(&self, problems: &mut Found) -> bool {
        let duration = self.stop - self.start;
        let interval = self.output_interval;
        let faults = [
            (
                duration <= 0.0,
                format!(
                    "StopTime is {} s, StartTime {} s; the stop must be later",
                    self.stop, self.start
                ),
            ),
            (
                !(0.0..=duration.max(0.0)).contains(&self.step),
                format!(
                    "StepSize is {} s; it must be 0 for a variable step, or > 0 and at most the \
                     duration",
                    self.step
                ),
            ),
            (
                !(0.0..1.0).contains(&self.tolerance),
                format!("RelTol is {}; it must be in [0, 1)", self.tolerance),
            ),
            (
                interval.is_some_and(|length| length <= 0.0),
                format!(
                    "OutputIntervalLength is {} s; it must be > 0",
                    interval.unwrap_or_default()
                ),
            ),
        ];
        let mut good = true;
        for (is_faulty, text) in faults {
            if is_faulty {
                problems.whole(text);
                good = false;
            }
        }
        good
    }

    /// The content of a file.
    pub fn text(&self) -> String {
        let numbers = [
            ("StartTime", Some(self.start)),
            ("StopTime", Some(self.stop)),
            ("StepSize", Some(self.step)),
            ("RelTol", Some(self.tolerance)),
            ("AbsTol", self.absolute_tolerance),
            ("OutputIntervalLength", self.output_interval),
        ];
        let numbers = numbers.into_iter();
        let given = numbers.filter_map(|(name, value)| Some((name, exact(value?))));
        let solver = self.solver.clone().map(|name| (SOLVER, name));
        given
            .chain(solver)
            .map(|(name, value)| format!("{name}, {value}\n"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<Experiment>, String) {
        let mut problems = Found::of("m_ref.opt");
        let found = Experiment::read(text, &mut problems);
        let list = problems.list();
        let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
        (found, lines.join("\n"))
    }

    /// The example of section 9.1.4 of the rules, with a stop time after the start.
    #[test]
    fn the_example_of_the_rules_is_read_and_written() {
        let text = "StartTime, 0.0         // in seconds\nStopTime, 2.5\nStepSize, 0.01\n\
                    RelTol, 0.0001\n// optional elements:\nAbsTol, 2\nSolverType, FixedStep\n";
        let (found, problems) = read(text);
        let found = found.unwrap();
        assert_eq!(problems, "");
        assert_eq!((found.start, found.stop, found.step), (0.0, 2.5, 0.01));
        assert_eq!(
            (found.tolerance, found.absolute_tolerance),
            (1e-4, Some(2.0))
        );
        assert_eq!(found.solver.as_deref(), Some("FixedStep"));
        assert_eq!(read(&found.text()).0, Some(found));
    }

    #[test]
    fn each_fault_is_named_with_its_line() {
        const GOOD: &str = "StartTime,0\nStopTime,1\nStepSize,0\nRelTol,1e-4\n";
        assert_eq!(read(GOOD).1, "");
        for (old, new, problem) in [
            ("StopTime,1\n", "", "m_ref.opt: StopTime is missing"),
            (
                "RelTol,1e-4",
                "RelTol 1e-4",
                "m_ref.opt:4: \"RelTol 1e-4\" is no line",
            ),
            (
                "StepSize,0",
                "StepSize,fast",
                "m_ref.opt:3: StepSize is \"fast\"",
            ),
            (
                "StepSize,0",
                "StepSize,nan",
                "m_ref.opt:3: StepSize is \"nan\"",
            ),
            ("StepSize,0", "StepSize,-1", "m_ref.opt: StepSize is -1 s"),
            ("StepSize,0", "StepSize,2", "m_ref.opt: StepSize is 2 s"),
            ("StopTime,1", "StopTime,0", "m_ref.opt: StopTime is 0 s"),
            ("RelTol,1e-4", "RelTol,1", "m_ref.opt: RelTol is 1;"),
            ("RelTol", "Reltol", "m_ref.opt:4: \"Reltol\" is no setting"),
            (
                "RelTol",
                "StartTime,0\nRelTol",
                "m_ref.opt:4: StartTime is given twice",
            ),
            (
                "RelTol",
                "OutputIntervalLength,0\nRelTol",
                "OutputIntervalLength is 0 s",
            ),
        ] {
            let (_, problems) = read(&GOOD.replace(old, new));
            assert!(problems.contains(problem), "{problem}: {problems}");
        }
    }
}
