//! Heartbeat of long communication steps, log category `progress`: it tells how far a step has come and
//! what limits its internal steps, and changes nothing.

use crate::fixtures::*;
use crate::fmi3::importer::*;
use std::ffi::CString;

/// A run of one communication step [s] with these categories: states at its end, and what was said of
/// progress.
fn run(fmu: &Fmu, length: f64, categories: &[&str]) -> (Vec<f64>, Vec<String>) {
    let importer = fmu.co_simulation();
    let names: Vec<CString> = categories
        .iter()
        .map(|name| CString::new(*name).unwrap())
        .collect();
    let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    // SAFETY: pointers and length are those of a vector of texts that live.
    let status =
        unsafe { fmi3SetDebugLogging(importer.instance, true, pointers.len(), pointers.as_ptr()) };
    assert_eq!(status, fmi3OK);
    importer.initialize();
    importer.whole_step(0.0, length);
    let said = importer.logged("progress");
    (importer.state_variables(), said)
}

fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

/// Fields of each line as numbers.
fn numbers(lines: &[String], key: &str) -> Vec<f64> {
    let number = |line: &String| field(line, key).unwrap().parse().unwrap();
    lines.iter().map(number).collect()
}

/// Runs with and without the category end in the same states, to the bit; the lines of the one with it.
fn beats(description: SceneDescription, length: f64) -> Vec<String> {
    let fmu = Fmu::new(description);
    let (watched, lines) = run(&fmu, length, &["progress"]);
    let (alone, silence) = run(&fmu, length, &["errors"]);
    assert_eq!(silence, [""; 0]);
    assert_eq!(watched, alone);
    for line in &lines {
        assert!(line.starts_with("progress: t="), "{line}");
    }
    for key in ["t", "steps"] {
        let values = numbers(&lines, key);
        assert!(values.is_sorted(), "{key}: {values:?}");
    }
    let times = numbers(&lines, "t");
    assert!(times.iter().all(|t| (0.0..=length).contains(t)));
    lines
}

#[test]
fn a_ball_at_rest_is_limited_by_its_contact_where_the_formula_is_explicit() {
    let mut description = falling_ball();
    description.experiment.solver = Solver::Explicit;
    let lines = beats(description, 60.0);
    assert!(lines.len() > 2, "{lines:?}");
    let last = lines.last().unwrap();
    assert_eq!(field(last, "limit"), Some("contact"), "{last}");
    assert_eq!(field(last, "name"), Some("ground:ball"), "{last}");
    let value = |key: &str| -> f64 { field(last, key).unwrap().parse().unwrap() };
    // Stability: some 3.3 of the time in which the force changes.
    let part = value("step") / value("duration");
    assert!((0.3..5.0).contains(&part), "{last}");
    assert!(value("depth") > 0.0 && value("stiffness") > 0.0);
}

#[test]
fn the_longest_step_that_is_allowed_is_named_where_it_is_the_limit() {
    let mut description = falling_ball();
    description.experiment.max_step = 1e-5;
    // In free flight.
    let lines = beats(description, 0.1);
    assert!(lines.len() >= 9, "{}", lines.len());
    for line in &lines {
        assert_eq!(field(line, "limit"), Some("max_step"), "{line}");
    }
    // A line each thousand steps.
    let steps = numbers(&lines, "steps");
    assert!(
        steps.windows(2).all(|pair| pair[1] - pair[0] == 1000.0),
        "{steps:?}"
    );
}

#[test]
fn islands_tell_too_and_name_a_contact_of_their_own() {
    let mut description = three_balls_with_three_indicators();
    description.contact.nz_max = None;
    description.experiment.solver = Solver::Explicit;
    let lines = beats(description, 20.0);
    assert!(lines.len() > 3, "{lines:?}");
    let named = lines.iter().filter_map(|line| field(line, "name"));
    let named: Vec<&str> = named.collect();
    let known = ["ground:ball", "ground:left", "ground:right"];
    assert!(!named.is_empty());
    assert!(named.iter().all(|name| known.contains(name)), "{named:?}");
}

#[test]
fn granular_mode_tells_its_fixed_step() {
    let mut description = falling_ball();
    description.experiment.solver = Solver::Dem;
    let lines = beats(description, 2.0);
    assert!(lines.len() > 2, "{lines:?}");
    for line in &lines {
        assert_eq!(field(line, "limit"), Some("fixed"), "{line}");
        assert!(field(line, "step").unwrap().parse::<f64>().unwrap() > 0.0);
    }
}

#[test]
fn in_model_exchange_the_stiffest_contact_is_told() {
    let importer = Fmu::falling_ball().model_exchange();
    // Steps of a tenth of the duration of the contact, at rest in it.
    let integrate = |count: usize| {
        importer.start_integration();
        let mut time = 0.0;
        let mut states = importer.continuous_states();
        states[2] = 0.1 - 1e-4;
        for _ in 0..count {
            time += 1e-5;
            importer.fine(importer.set_time(time));
            importer.fine(importer.set_states(&states));
            if importer.completed_step() {
                importer.event(fmi3EnterContinuousTimeMode);
            }
        }
    };
    integrate(2500);
    importer.ok(fmi3Reset);
    // Counted from the start of the run.
    integrate(1200);
    let lines = importer.logged("progress");
    assert_eq!(numbers(&lines, "steps"), [1000.0, 2000.0, 1000.0]);
    for line in &lines {
        assert!(
            line.contains("step=") && line.contains("events=0"),
            "{line}"
        );
    }
}
