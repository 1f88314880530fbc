//! The host runs FMUs as the standards say: an own FMU against closed forms, a mock FMU that
//! misbehaves in one way at a time, and the command line around both; in FMI 2.0 and FMI 3.0.
//!
//! - `files`: the FMUs
//! - `command_line`: `simulate` and `inspect` as the user calls them
//! - `crosscheck`: FMUs with reference results, written
//! - `hostile`: FMUs that ask for too much, or are damaged
//! - `scene_problems`: what the commands say of bad scene files
//! - `for_programs`: scenes from standard input, JSON lines, progress
//! - `session`: instances that are kept, for runs and steps
//! - `settings`: start values of parameters on the command line

mod command_line;
mod crosscheck;
mod files;
mod for_programs;
mod hostile;
mod scene_problems;
mod session;
mod settings;

use contact_model::integrator::Solver;
use files::{BOTH, archive, ball, mock_with};
use fmu_build::command::build::{Target, build_fmu};
use fmu_core::instance::Standard::{self, Fmi2, Fmi3};
use fmu_host::{Fmu, HostError, InputTable, Options, Run, simulate_cs, simulate_me};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tempfile::TempDir;
use zip::ZipArchive;

fn mock(folder: &TempDir, standard: Standard, token: &str) -> Fmu {
    Fmu::open(&mock_with(folder, standard, token, ("", ""))).unwrap()
}

fn mock_me(standard: Standard, token: &str) -> Result<Run, HostError> {
    let folder = TempDir::new().unwrap();
    simulate_me(&mock(&folder, standard, token), &Options::default())
}

fn mock_cs(standard: Standard, token: &str) -> Result<Run, HostError> {
    let folder = TempDir::new().unwrap();
    simulate_cs(&mock(&folder, standard, token), &Options::default())
}

/// Co-Simulation of FMI 3.0 whose events the importer handles.
fn mock_cs_with_events(token: &str) -> Result<Run, HostError> {
    let folder = TempDir::new().unwrap();
    simulate_cs(&mock(&folder, Fmi3, token), &EVENT_MODE)
}

const EVENT_MODE: Options = Options {
    start: None,
    stop: None,
    step: None,
    tolerance: None,
    event_mode: true,
    inputs: None,
    parameters: Vec::new(),
    live: None,
    max_steps: None,
    solver: Solver::Auto,
    recorded: None,
    every: None,
    bodies: None,
    frames: None,
};

fn fails_with(result: Result<Run, HostError>, parts: &[&str]) {
    let text = result.unwrap_err().to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in {text:?}");
    }
}

/// Largest difference of the output of the mock from a closed form.
fn deviation(run: &Run, exact: impl Fn(f64) -> f64) -> f64 {
    let times = run.trajectory.times().iter();
    let pairs = times.zip(run.trajectory.column(0));
    pairs
        .map(|(t, x)| (x - exact(*t)).abs())
        .fold(0.0, f64::max)
}

#[test]
fn model_exchange_follows_the_closed_form_at_every_row() {
    for standard in BOTH {
        let run = mock_me(standard, "plain").unwrap();
        assert_eq!(
            run.trajectory.times(),
            [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]
        );
        assert!(deviation(&run, |t| (-t).exp()) < 1e-8);
        assert!(run.work.unwrap().steps > 0);
        assert_eq!(run.ended_by_fmu, None);
    }
}

/// The mock with these derivatives, declared or not.
fn stiff_me(standard: Standard, token: &str, declared: bool) -> Result<Run, HostError> {
    stiff_by(Solver::Auto, standard, token, declared)
}

fn stiff_by(
    solver: Solver,
    standard: Standard,
    token: &str,
    declared: bool,
) -> Result<Run, HostError> {
    let folder = TempDir::new().unwrap();
    let change = match (standard, declared) {
        (_, false) => ("", ""),
        (Fmi2, true) => (
            "modelIdentifier=\"mock\"",
            "modelIdentifier=\"mock\" providesDirectionalDerivative=\"true\"",
        ),
        (Fmi3, true) => (
            "modelIdentifier=\"mock\"",
            "modelIdentifier=\"mock\" providesDirectionalDerivatives=\"true\"",
        ),
    };
    let fmu = Fmu::open(&mock_with(&folder, standard, token, change)).unwrap();
    let options = Options {
        solver,
        ..Options::default()
    };
    simulate_me(&fmu, &options)
}

/// x' = -l (x - cos t), x(0) = 1, l = 1e5, at t.
fn stiff_solution(t: f64) -> f64 {
    let l = 1e5;
    (l * l * t.cos() + l * t.sin() + (-l * t).exp()) / (l * l + 1.0)
}

#[test]
fn directional_derivatives_spare_steps_in_model_exchange() {
    for standard in BOTH {
        let counts = [true, false].map(|declared| {
            let run = stiff_me(standard, "stiff", declared).unwrap();
            assert!(
                deviation(&run, stiff_solution) < 1e-8,
                "{standard:?} {declared}"
            );
            let work = run.work.unwrap();
            assert_eq!(work.direction_calls > 0, declared);
            work.steps
        });
        // Stability allows steps of 3.3e-5 s.
        assert!(counts[0] < 500 && counts[1] > 25_000, "{counts:?}");
    }
}

#[test]
fn either_solver_may_be_asked_for_in_model_exchange() {
    for standard in BOTH {
        let explicit = stiff_by(Solver::Explicit, standard, "stiff", true).unwrap();
        assert_eq!(explicit.work.unwrap().direction_calls, 0);
        let implicit = stiff_by(Solver::Implicit, standard, "stiff", true).unwrap();
        assert!(implicit.work.unwrap().steps < 500);
        for run in [explicit, implicit] {
            assert!(deviation(&run, stiff_solution) < 1e-8);
        }
        let refused = stiff_by(Solver::Implicit, standard, "stiff", false);
        fails_with(
            refused,
            &["no directional derivatives", "choose auto or explicit"],
        );
        let failed = stiff_by(Solver::Implicit, standard, "stiff-discard", true);
        fails_with(
            failed,
            &["GetDirectionalDerivative", "no slope beyond 0.4 s"],
        );
    }
}

#[test]
fn without_a_directional_derivative_model_exchange_goes_on_by_explicit_steps() {
    for standard in BOTH {
        for token in ["stiff-discard", "stiff-nan"] {
            let run = stiff_me(standard, token, true).unwrap();
            assert!(
                deviation(&run, stiff_solution) < 1e-8,
                "{standard:?} {token}"
            );
            let work = run.work.unwrap();
            assert!(work.direction_calls > 0 && work.steps > 15_000, "{work:?}");
        }
        let failed = stiff_me(standard, "stiff-error", true);
        fails_with(
            failed,
            &["GetDirectionalDerivative", "the slope broke at 0.4 s"],
        );
        // The mock ends the process if anything is called after the status Fatal.
        let failed = stiff_me(standard, "stiff-fatal", true);
        fails_with(failed, &["GetDirectionalDerivative", "all is lost"]);
    }
}

#[test]
fn a_time_event_that_changes_a_state_is_met_at_its_time() {
    // At the event itself the row shows the value before it.
    let exact = |t: f64| {
        if t > 0.5 {
            2.0 * (-t).exp()
        } else {
            (-t).exp()
        }
    };
    for standard in BOTH {
        let run = mock_me(standard, "doubled").unwrap();
        assert!(deviation(&run, exact) < 1e-8);
    }
}

#[test]
fn discrete_states_are_updated_until_they_need_no_more_updates() {
    for standard in BOTH {
        mock_me(standard, "three-updates").unwrap();
    }
    mock_cs_with_events("three-updates").unwrap();
}

#[test]
fn an_event_without_end_is_an_error_that_says_so() {
    for (standard, update) in [
        (Fmi2, "calls of fmi2NewDiscreteStates"),
        (Fmi3, "calls of fmi3UpdateDiscreteStates"),
    ] {
        fails_with(
            mock_me(standard, "endless-update"),
            &["no end", "1000", update],
        );
        let result = mock_me(standard, "standstill");
        fails_with(result, &["events without end", "t = 0 s"]);
    }
    fails_with(mock_cs_with_events("endless-update"), &["no end", "1000"]);
    fails_with(mock_cs_with_events("stuck"), &["events without end"]);
}

#[test]
fn a_next_event_in_the_past_is_an_error() {
    for standard in BOTH {
        fails_with(mock_me(standard, "past-event"), &["-1 s", "0 s already"]);
    }
}

#[test]
fn values_that_are_no_numbers_end_the_run_with_time_and_name() {
    for standard in BOTH {
        let result = mock_me(standard, "nan-output");
        fails_with(result, &["x is not a number", "t = 0 s"]);
        fails_with(mock_cs(standard, "nan-output"), &["x is not a number"]);
        fails_with(mock_me(standard, "nan"), &["integration failed", "NaN"]);
    }
}

#[test]
fn a_bad_status_ends_the_run_with_function_and_reason() {
    for (standard, derivatives, instantiate, prefix) in [
        (
            Fmi2,
            "fmi2GetDerivatives",
            "fmi2Instantiate returned",
            "fmi2",
        ),
        (
            Fmi3,
            "fmi3GetContinuousStateDerivatives",
            "fmi3InstantiateModelExchange returned",
            "fmi3",
        ),
    ] {
        let me = |token| mock_me(standard, token);
        let [error, discard, fatal] =
            ["Error", "Discard", "Fatal"].map(|word| format!("{prefix}{word}"));
        fails_with(
            me("error"),
            &[derivatives, &error, "the model broke at 0.4 s"],
        );
        fails_with(
            me("discard"),
            &[derivatives, &discard, "nothing beyond 0.4 s"],
        );
        let step = format!("{prefix}DoStep returned {discard}");
        fails_with(mock_cs(standard, "discard"), &[&step, "beyond 0.4 s"]);
        fails_with(
            me("refused"),
            &[instantiate, "no instance", "token is refused"],
        );
        // The mock ends the process if anything is called after the status Fatal.
        fails_with(me("fatal"), &[&fatal, "all is lost"]);
    }
}

#[test]
fn a_step_that_goes_on_after_its_call_is_an_error() {
    let result = mock_cs(Fmi2, "pending");
    fails_with(result, &["fmi2DoStep returned fmi2Pending"]);
}

#[test]
fn an_fmu_may_end_the_run() {
    for standard in BOTH {
        let run = mock_me(standard, "terminate").unwrap();
        let time = run.ended_by_fmu.unwrap();
        assert!(time > 0.6 && time < 1.0, "{time}");
        assert_eq!(run.trajectory.times().last(), Some(&time));
        // The first communication point after 0.6 s.
        let run = mock_cs(standard, "terminate").unwrap();
        assert_eq!(run.ended_by_fmu, Some(0.625));
        assert_eq!(run.trajectory.times().last(), Some(&0.625));
    }
}

#[test]
fn co_simulation_records_each_communication_point() {
    for result in [
        mock_cs(Fmi2, "plain"),
        mock_cs(Fmi3, "plain"),
        mock_cs_with_events("plain"),
    ] {
        let run = result.unwrap();
        assert_eq!(run.trajectory.times().len(), 9);
        assert!(deviation(&run, |t| (-t).exp()) < 1e-15);
    }
}

#[test]
fn co_simulation_of_fmi_2_has_no_event_mode_even_if_its_description_says_so() {
    let folder = TempDir::new().unwrap();
    let result = simulate_cs(&mock(&folder, Fmi2, "plain"), &EVENT_MODE);
    fails_with(result, &["no Event Mode"]);
}

#[test]
fn an_early_return_without_leave_is_an_error() {
    fails_with(mock_cs(Fmi3, "early"), &["returned early at 0.0625 s"]);
    assert!(deviation(&mock_cs_with_events("early").unwrap(), |t| (-t).exp()) < 1e-15);
}

#[test]
fn a_warning_is_kept_and_ends_nothing() {
    for standard in BOTH {
        let run = mock_me(standard, "warning").unwrap();
        assert_eq!(run.warnings, ["something is odd"]);
    }
}

#[test]
fn a_run_that_fails_shows_the_warnings_before_it() {
    for standard in BOTH {
        for result in [
            mock_me(standard, "warned-error"),
            mock_cs(standard, "warned-error"),
        ] {
            let error = result.unwrap_err().to_string();
            let (reason, messages) = error.split_once("\nmessages of the FMU: 1\n").unwrap();
            assert!(reason.contains("the model broke at 0.4 s"), "{reason}");
            assert_eq!(messages, "  something is odd");
        }
        // Without a warning the error stands alone.
        let error = mock_me(standard, "error").unwrap_err().to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn messages_of_fmi_2_are_filled_in_as_far_as_one_text_goes() {
    let run = mock_me(Fmi2, "formats").unwrap();
    assert_eq!(
        run.warnings,
        [
            "no format",
            "a % and a %d",
            "100 %: a % and a %d",
            "%g s",
            "%d: %s",
            "",
        ]
    );
}

#[test]
fn variables_of_other_types_are_read_by_the_function_of_their_type() {
    let folder = TempDir::new().unwrap();
    let integers = r#"<ScalarVariable name="i" valueReference="2" causality="output"><Integer/></ScalarVariable>
      <ScalarVariable name="e" valueReference="3" causality="output"><Enumeration/></ScalarVariable></ModelVariables>"#;
    let change = ("</ModelVariables>", integers);
    let fmu = Fmu::open(&mock_with(&folder, Fmi2, "plain", change)).unwrap();
    let run = simulate_cs(&fmu, &Options::default()).unwrap();
    let names: Vec<&str> = run
        .trajectory
        .columns()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["x", "i", "e"]);
    assert_eq!(run.trajectory.row(0), [1.0, 7.0, 7.0]);
}

#[test]
fn a_missing_function_is_named() {
    let scalar = r#"<ScalarVariable name="b" valueReference="5" causality="output"><Boolean/></ScalarVariable></ModelVariables>"#;
    let boolean = r#"<Boolean name="b" valueReference="5" causality="output"/></ModelVariables>"#;
    for (standard, variable, reason) in [
        (Fmi2, scalar, "lacks fmi2GetBoolean, which FMI 2.0 asks for"),
        (
            Fmi3,
            boolean,
            "lacks fmi3GetBoolean, which FMI 3.0 asks for",
        ),
    ] {
        let folder = TempDir::new().unwrap();
        let path = mock_with(&folder, standard, "plain", ("</ModelVariables>", variable));
        let fmu = Fmu::open(&path).unwrap();
        fails_with(simulate_me(&fmu, &Options::default()), &[reason]);
    }
}

#[test]
fn sizes_that_the_binary_denies_are_an_error() {
    let folder = TempDir::new().unwrap();
    let change = (r#"<EventIndicator valueReference="4"/>"#, "");
    let fmu = Fmu::open(&mock_with(&folder, Fmi3, "plain", change)).unwrap();
    let result = simulate_me(&fmu, &Options::default());
    fails_with(result, &["lists 0 event indicators", "says 1"]);
}

#[test]
fn a_ball_touches_the_plate_when_and_as_fast_as_free_fall_says() {
    let folder = TempDir::new().unwrap();
    let fmu = Fmu::open(&ball(&folder, Fmi3)).unwrap();
    // h = 1 m: t = sqrt(2 h / g), v = sqrt(2 g h). The contact is said to start at a gap below
    // zero of some 1e-8 m, which the ball passes in 1e-8 s.
    let (time, speed) = ((2.0_f64 / 9.81).sqrt(), (2.0_f64 * 9.81).sqrt());
    let runs = [
        simulate_cs(&fmu, &Options::default()).unwrap(),
        simulate_me(&fmu, &Options::default()).unwrap(),
    ];
    for run in runs {
        let first = &run.contacts[0];
        assert!((first.time - time).abs() < 1e-7, "{}", first.time);
        assert!((first.impact_speed.unwrap() - speed).abs() < 1e-6);
        assert!(run.work.unwrap().events as usize >= run.contacts.len());
        let starts = run.contacts.iter().filter(|c| c.impact_speed.is_some());
        let ends = run.contacts.iter().filter(|c| c.impact_speed.is_none());
        // It rests at the end, in contact.
        assert_eq!(starts.count(), ends.count() + 1);
    }
}

#[test]
fn events_handled_by_the_importer_or_inside_give_the_same_motion_to_the_bit() {
    let folder = TempDir::new().unwrap();
    let fmu = Fmu::open(&ball(&folder, Fmi3)).unwrap();
    let run = |options| simulate_cs(&fmu, &options).unwrap();
    let (inside, outside) = (run(Options::default()), run(EVENT_MODE));
    assert_eq!(inside.trajectory, outside.trajectory);
    assert_eq!(inside.contacts, outside.contacts);
}

/// 4 N/s t on 2 kg, from 0.5 s on 3 N: v = t^2 1 m/s^3 up to 0.25 m/s, then 1.5 m/s^2 more.
/// x(0.5) = 0.5^3/3 m and x(1) = x(0.5) + 0.25 0.5 m + 1.5 0.5^2/2 m.
#[test]
fn an_input_that_jumps_acts_with_the_value_of_each_side() {
    let folder = TempDir::new().unwrap();
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/scenes/pushed.toml");
    let file = folder.path().join("pushed.fmu");
    build_fmu(Path::new(scene), &file, &Target::default()).unwrap();
    let table = b"time,force.push.force[1]\n0,0\n0.5,2\n0.5,3\n1,3\n";
    let options = Options {
        inputs: Some(InputTable::from_csv(table).unwrap()),
        recorded: Some(vec!["ball.position[1]".into()]),
        ..Options::default()
    };
    let run = simulate_me(&Fmu::open(&file).unwrap(), &options).unwrap();
    assert_eq!(run.trajectory.columns().len(), 1);
    let at = |time: f64| {
        let row = run.trajectory.times().iter().position(|t| *t == time);
        run.trajectory.row(row.unwrap())[0]
    };
    let half = 0.125 / 3.0;
    assert!((at(0.5) - half).abs() < 1e-8, "{}", at(0.5));
    let end = half + 0.25 * 0.5 + 0.5 * 1.5 * 0.25;
    assert!((at(1.0) - end).abs() < 1e-8, "{}", at(1.0));
    // The step ends at the jump, so there is nothing to search for.
    assert!(run.work.unwrap().rejected_steps <= 2, "{:?}", run.work);
}

#[test]
fn a_variable_to_record_that_is_not_there_is_an_error() {
    for standard in BOTH {
        let folder = TempDir::new().unwrap();
        let options = Options {
            recorded: Some(vec!["x".into(), "y".into()]),
            ..Options::default()
        };
        let result = simulate_cs(&mock(&folder, standard, "plain"), &options);
        fails_with(result, &["no variable \"y\""]);
    }
}

#[test]
fn an_fmu_with_a_wrong_token_refuses_and_says_why() {
    for (standard, key, function) in [
        (Fmi2, "guid=\"", "fmi2Instantiate"),
        (Fmi3, "instantiationToken=\"", "fmi3InstantiateCoSimulation"),
    ] {
        let folder = TempDir::new().unwrap();
        let mut zip = ZipArchive::new(File::open(ball(&folder, standard)).unwrap()).unwrap();
        let mut entries = Vec::new();
        for i in 0..zip.len() {
            let mut entry = zip.by_index(i).unwrap();
            let name = entry.name().unwrap().into_owned();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            if name == "modelDescription.xml" {
                let text = String::from_utf8(content).unwrap();
                assert_eq!(text.matches(key).count(), 1);
                content = text.replace(key, &format!("{key}x")).into_bytes();
            }
            entries.push((name, content));
        }
        let path = folder.path().join("wrong.fmu");
        archive(&path, &entries);
        let result = simulate_cs(&Fmu::open(&path).unwrap(), &Options::default());
        fails_with(
            result,
            &[&format!("{function} returned no instance"), "oken"],
        );
    }
}
