//! A session gives the bits of a fresh instance whatever was done with it before, and refuses what it cannot do
//! by name.

use super::files::{BOTH, mock_with};
use super::{EVENT_MODE, mock};
use crate::counting::count;
use fmu_build::command::build::{Target, build_fmu};
use fmu_core::instance::Standard::{self, Fmi2, Fmi3};
use fmu_host::parameters::entries;
use fmu_host::{
    Fmu, InputTable, Interface, Options, ParameterStart, Saved, Session, Start, simulate_cs,
};
use std::sync::LazyLock;
use std::{fs, thread};
use tempfile::TempDir;

/// A steel ball that falls 50 mm onto a plate, which takes 0.1 s, and that a force, an input, pushes.
const BOUNCE: &str = r#"
format = 1
name = "bounce"
[world]
gravity = [0, 0, -9.81]
[experiment]
stop_time = 0.5
step_size = 0.01
tolerance = 1e-8
[[body]]
name = "ground"
motion = "fixed"
position = [0, 0, "-50 mm"]
[[body.shape]]
box = { lengths = [1, 1, 0.1] }
material = "Steel"
[[body]]
name = "ball"
motion = "free"
position = [0, 0, "150 mm"]
[[body.shape]]
sphere = { diameter = "200 mm" }
material = "Steel"
[[force]]
name = "push"
body = "ball"
input = true
"#;
/// Communication step of the scene [s], and the number of them.
const STEP: f64 = 0.01;
const STEPS: usize = 50;

/// The scene as an FMU of both versions, packed once: that takes longer than most of these tests.
static BOUNCING: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    let scene = folder.path().join("bounce.toml");
    fs::write(&scene, BOUNCE).unwrap();
    BOTH.map(|standard| {
        let target = Target {
            standard,
            ..Target::default()
        };
        let path = folder.path().join("bounce.fmu");
        build_fmu(&scene, &path, &target).unwrap();
        fs::read(path).unwrap()
    })
});

fn bounce(folder: &TempDir, standard: Standard) -> Fmu {
    let path = folder.path().join("bounce.fmu");
    fs::write(&path, &BOUNCING[standard as usize]).unwrap();
    Fmu::open(&path).unwrap()
}

/// Both interface types in both versions.
fn each(check: impl Fn(&Fmu, Interface)) {
    for standard in BOTH {
        let folder = TempDir::new().unwrap();
        let fmu = bounce(&folder, standard);
        for interface in Interface::ALL {
            check(&fmu, interface);
        }
    }
}

fn opened(fmu: &Fmu, interface: Interface) -> Session {
    Session::open(fmu, interface, None, None, &Options::default()).unwrap()
}

/// From 0 s, as the default experiment of the scene.
fn start() -> Start<'static> {
    Start {
        stop: Some(0.5),
        tolerance: Some(1e-8),
        ..Start::default()
    }
}

/// A force that changes at some of the communication points [N].
fn force(step: usize) -> [f64; 3] {
    [3.0 * (step / 7) as f64, -1.0, (step / 10) as f64]
}

/// The outputs now, as bits.
fn outputs(session: &mut Session) -> Vec<u64> {
    let mut values = vec![0.0; session.outputs().len()];
    session.read(&mut values).unwrap();
    values.into_iter().map(f64::to_bits).collect()
}

/// The outputs after each of some steps.
fn walk(session: &mut Session, steps: std::ops::Range<usize>) -> Vec<Vec<u64>> {
    let mut rows = Vec::new();
    for step in steps {
        assert!(!session.step(STEP, Some(&force(step))).unwrap());
        rows.push(outputs(session));
    }
    rows
}

fn with_restitution(fmu: &Fmu, value: f64) -> Vec<ParameterStart> {
    let entries = entries(fmu.description()).unwrap();
    let is_it = |name: &str| name.ends_with("restitution");
    let chosen = entries.iter().filter(|entry| is_it(&entry.name));
    let starts = ParameterStart::of(chosen.map(|entry| (entry, value)));
    assert_eq!(starts.len(), 1);
    starts
}

fn fails_with<T>(result: Result<T, fmu_host::HostError>, parts: &[&str]) {
    let text = result.err().expect("an error").to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in {text:?}");
    }
}

#[test]
fn a_run_of_a_used_instance_equals_one_of_a_fresh_instance() {
    each(|fmu, interface| {
        let options = Options::default();
        let fresh = interface.simulate(fmu, &options).unwrap();
        assert!(!fresh.contacts.is_empty());
        let other = Options {
            parameters: with_restitution(fmu, 0.3),
            stop: Some(0.3),
            ..Options::default()
        };
        let changed = interface.simulate(fmu, &other).unwrap();
        let mut session = opened(fmu, interface);
        assert_eq!(session.run(&options).unwrap(), fresh);
        assert_eq!(session.run(&other).unwrap(), changed);
        session.reset(&start(), Some(&force(20))).unwrap();
        walk(&mut session, 0..20);
        assert_eq!(session.run(&options).unwrap(), fresh);
        assert_ne!(changed.trajectory, fresh.trajectory);
    });
}

/// Held inputs are a table with a jump at each communication point; in Model Exchange its rows end the legs of
/// the run where steps do.
#[test]
fn steps_equal_the_rows_of_a_run() {
    each(|fmu, interface| {
        let mut session = opened(fmu, interface);
        let names = session.inputs().iter().map(|column| column.name.clone());
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for step in 0..STEPS {
            let end = match step + 1 {
                STEPS => 0.5,
                next => next as f64 * STEP,
            };
            let start = step as f64 * STEP;
            if step > 0 && force(step) == force(step - 1) {
                times.push(end);
                values.extend(force(step));
                continue;
            }
            times.extend([start, end]);
            values.extend(force(step).into_iter().chain(force(step)));
        }
        let options = Options {
            inputs: Some(InputTable::new(names.collect(), times, values)),
            recorded: Some(
                session_variables(fmu)
                    .into_iter()
                    .map(str::to_owned)
                    .collect(),
            ),
            ..Options::default()
        };
        let run = interface.simulate(fmu, &options).unwrap();
        assert!(run.contacts.len() > 3);
        session.reset(&start(), Some(&force(0))).unwrap();
        let mut rows = vec![outputs(&mut session)];
        rows.extend(walk(&mut session, 0..STEPS));
        assert_eq!(session.time(), 0.5);
        for (index, row) in rows.iter().enumerate() {
            let expected: Vec<u64> = run
                .trajectory
                .row(index)
                .iter()
                .map(|v| v.to_bits())
                .collect();
            assert_eq!(*row, expected, "{interface:?} row {index}");
        }
        assert_eq!(run.trajectory.times().len(), rows.len());
        assert_eq!(session.take_events().unwrap(), run.contacts);
        assert_eq!(session.take_events().unwrap(), []);
    });
}

fn session_variables(fmu: &Fmu) -> Vec<&str> {
    let variables = fmu.description().variables.iter();
    let outputs = variables.filter(|variable| variable.causality == "output");
    outputs.map(|variable| variable.name.as_str()).collect()
}

#[test]
fn steps_from_a_restored_state_are_the_same_again() {
    each(|fmu, interface| {
        let mut session = opened(fmu, interface);
        session.reset(&start(), None).unwrap();
        walk(&mut session, 0..7);
        let early = session.save().unwrap();
        walk(&mut session, 7..24);
        // After the first impact.
        assert!(!session.take_events().unwrap().is_empty());
        let late = session.save().unwrap();
        let after_late = walk(&mut session, 24..40);
        session.restore(&early).unwrap();
        assert!((session.time() - 0.07).abs() < 1e-15);
        let after_early = walk(&mut session, 7..40);
        assert_eq!(after_early[17..], after_late);
        drop(early);
        // The FMU's copy of the first one is used again.
        let last = session.save().unwrap();
        session.restore(&late).unwrap();
        assert_eq!(walk(&mut session, 24..40), after_late);
        // After a run of other times and tolerance, and an error about an argument.
        let options = Options {
            tolerance: Some(1e-3),
            ..Options::default()
        };
        session.run(&options).unwrap();
        session.restore(&late).unwrap();
        assert!(session.step(-1.0, None).is_err());
        assert_eq!(walk(&mut session, 24..40), after_late);
        session.restore(&last).unwrap();
        walk(&mut session, 40..STEPS);
    });
}

#[test]
fn a_reset_puts_all_values_back() {
    each(|fmu, interface| {
        let parameters = with_restitution(fmu, 0.3);
        let changed = Start {
            parameters: &parameters,
            ..start()
        };
        let mut session = opened(fmu, interface);
        session.reset(&start(), None).unwrap();
        let plain = walk(&mut session, 0..30);
        session.reset(&changed, Some(&[9.0, 9.0, 9.0])).unwrap();
        assert_ne!(walk(&mut session, 0..30), plain);
        session.reset(&start(), None).unwrap();
        assert_eq!(session.time(), 0.0);
        assert_eq!(walk(&mut session, 0..30), plain);
        let mut fresh = opened(fmu, interface);
        fresh.reset(&start(), None).unwrap();
        assert_eq!(walk(&mut fresh, 0..30), plain);
    });
}

#[test]
fn sessions_on_two_threads_do_not_disturb_each_other() {
    each(|fmu, interface| {
        let parameters = [0.3, 0.9].map(|value| with_restitution(fmu, value));
        let rows = |parameters: &[ParameterStart], mut session: Session| {
            let start = Start {
                parameters,
                ..start()
            };
            session.reset(&start, None).unwrap();
            walk(&mut session, 0..40)
        };
        let alone = parameters
            .each_ref()
            .map(|parameters| rows(parameters, opened(fmu, interface)));
        assert_ne!(alone[0], alone[1]);
        let sessions = [(); 2].map(|()| opened(fmu, interface));
        let beside = thread::scope(|scope| {
            let pairs = sessions.into_iter().zip(&parameters);
            let threads: Vec<_> = pairs
                .map(|(session, parameters)| scope.spawn(|| rows(parameters, session)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect::<Vec<_>>()
        });
        assert_eq!(beside, alone);
    });
}

#[test]
fn a_step_of_co_simulation_allocates_nothing() {
    for standard in BOTH {
        let folder = TempDir::new().unwrap();
        let fmu = bounce(&folder, standard);
        let mut session = opened(&fmu, Interface::CoSimulation);
        session.reset(&start(), None).unwrap();
        let mut values = vec![0.0; session.outputs().len()];
        // Before the impact, as the FMU logs contacts.
        for step in 0..9 {
            let before = count();
            session.step(STEP, Some(&force(step))).unwrap();
            session.read(&mut values).unwrap();
            assert!(step == 0 || count() == before, "step {step}");
        }
        assert!(session.take_events().unwrap().is_empty());
        session.step(5.0 * STEP, None).unwrap();
        assert!(!session.take_events().unwrap().is_empty());
    }
}

#[test]
fn inputs_and_outputs_are_chosen_by_name() {
    let folder = TempDir::new().unwrap();
    let fmu = bounce(&folder, Fmi3);
    let open = |inputs: &[&str], outputs: &[&str]| {
        let [inputs, outputs] =
            [inputs, outputs].map(|names| names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>());
        let options = Options::default();
        Session::open(
            &fmu,
            Interface::CoSimulation,
            Some(&inputs),
            Some(&outputs),
            &options,
        )
    };
    let session = open(&["force.push.force[2]"], &["ball.position[3]"]).unwrap();
    for (columns, name, unit) in [
        (session.inputs(), "force.push.force[2]", "N"),
        (session.outputs(), "ball.position[3]", "m"),
    ] {
        assert_eq!(columns.len(), 1);
        assert_eq!(columns[0].name, name);
        assert_eq!(columns[0].unit.as_deref(), Some(unit));
        assert!(columns[0].description.is_some());
    }
    fails_with(open(&[], &["ball.place"]), &["no variable \"ball.place\""]);
    fails_with(
        open(&["ball.position[1]"], &[]),
        &["ball.position[1]", "no input"],
    );
}

#[test]
fn what_a_session_cannot_do_is_refused_and_changes_nothing() {
    each(|fmu, interface| {
        let mut session = opened(fmu, interface);
        fails_with(
            session.step(STEP, None),
            &["cannot step", "no start values", "reset it"],
        );
        fails_with(session.read(&mut []), &["cannot read", "reset it"]);
        fails_with(session.save(), &["cannot save", "reset it"]);
        for (tolerance, stop, part) in [
            (Some(2.0), None, "relative tolerance is 2e0"),
            (None, Some(0.0), "stop time is 0 s"),
            (None, Some(f64::NAN), "stop time is NaN s"),
        ] {
            let bad = Start {
                tolerance,
                stop,
                ..Start::default()
            };
            fails_with(session.reset(&bad, None), &[part]);
        }
        fails_with(
            session.reset(&start(), Some(&[1.0])),
            &["1 inputs; there must be 3"],
        );
        session.reset(&start(), None).unwrap();
        for length in [0.0, -0.01, f64::NAN, f64::INFINITY] {
            fails_with(
                session.step(length, None),
                &[&format!("step is {length} s at 0 s")],
            );
        }
        fails_with(
            session.step(STEP, Some(&[1.0])),
            &["1 inputs; there must be 3"],
        );
        fails_with(session.read(&mut [0.0]), &["1 values; there must be"]);
        let mut other = opened(fmu, interface);
        other.reset(&start(), None).unwrap();
        let foreign: Saved = other.save().unwrap();
        fails_with(session.restore(&foreign), &["another instance"]);
        let mut fresh = opened(fmu, interface);
        fresh.reset(&start(), None).unwrap();
        assert_eq!(walk(&mut session, 0..15), walk(&mut fresh, 0..15));
        // A state may outlive its session.
        drop(other);
        drop(foreign);
        session.run(&Options::default()).unwrap();
        fails_with(session.step(STEP, None), &["cannot step", "run is over"]);
    });
}

#[test]
fn a_session_ends_with_the_fmu_and_fails_with_it() {
    for standard in BOTH {
        for interface in Interface::ALL {
            let folder = TempDir::new().unwrap();
            let mut session = opened(&mock(&folder, standard, "terminate"), interface);
            session.reset(&Start::default(), None).unwrap();
            let mut steps = 1;
            while !session.step(0.125, None).unwrap() {
                steps += 1;
            }
            assert_eq!(steps, 5);
            assert!(session.time() > 0.6 && session.time() <= 0.625);
            session.read(&mut [0.0]).unwrap();
            fails_with(
                session.step(0.125, None),
                &["requested the end", "reset it"],
            );
            session.reset(&Start::default(), None).unwrap();
            assert!(!session.step(0.125, None).unwrap());

            let mut session = opened(&mock(&folder, standard, "warned-error"), interface);
            session.reset(&Start::default(), None).unwrap();
            let error = (0..8)
                .find_map(|_| session.step(0.125, None).err())
                .unwrap();
            let text = error.to_string();
            assert!(text.contains("the model broke at 0.4 s"), "{text}");
            assert!(text.ends_with("  something is odd"), "{text}");
            fails_with(session.step(0.125, None), &["its last call failed"]);
            session.reset(&Start::default(), None).unwrap();
            assert!(!session.step(0.125, None).unwrap());
        }
        // The mock ends the process if anything is called after the status Fatal.
        let folder = TempDir::new().unwrap();
        let mut session = opened(&mock(&folder, standard, "fatal"), Interface::ModelExchange);
        let first = session.reset(&Start::default(), None);
        fails_with(first, &["Fatal; the FMU says: all is lost"]);
        fails_with(session.reset(&Start::default(), None), &["status Fatal"]);
        fails_with(session.run(&Options::default()), &["status Fatal"]);
        fails_with(session.step(0.125, None), &["status Fatal"]);
    }
}

#[test]
fn a_state_is_saved_where_the_fmu_says_so_and_a_function_that_it_lacks_is_named() {
    for (standard, capability, function) in [
        (Fmi2, "canGetAndSetFMUstate", "fmi2GetFMUstate"),
        (Fmi3, "canGetAndSetFMUState", "fmi3GetFMUState"),
    ] {
        let folder = TempDir::new().unwrap();
        let mut session = opened(&mock(&folder, standard, "plain"), Interface::CoSimulation);
        session.reset(&Start::default(), None).unwrap();
        fails_with(session.save(), &["cannot save", capability]);
        session.step(0.125, None).unwrap();
        let others = r#"hasEventMode="true""#;
        let all = format!(r#"{others} {capability}="true""#);
        let path = mock_with(&folder, standard, "plain", (others, &all));
        let mut session = opened(&Fmu::open(&path).unwrap(), Interface::CoSimulation);
        session.reset(&Start::default(), None).unwrap();
        fails_with(session.save(), &["lacks", function]);
        fails_with(session.step(0.125, None), &["its last call failed"]);
    }
}

#[test]
fn a_session_whose_user_handles_events_keeps_to_it() {
    let folder = TempDir::new().unwrap();
    let fmu = bounce(&folder, Fmi3);
    let interface = Interface::CoSimulation;
    let mut session = Session::open(&fmu, interface, None, None, &EVENT_MODE).unwrap();
    fails_with(session.run(&Options::default()), &["events", "opened"]);
    let run = simulate_cs(&fmu, &EVENT_MODE).unwrap();
    assert_eq!(session.run(&EVENT_MODE).unwrap(), run);
    session.reset(&start(), None).unwrap();
    let handled = walk(&mut session, 0..40);
    let mut session = opened(&fmu, interface);
    session.reset(&start(), None).unwrap();
    assert_eq!(walk(&mut session, 0..40), handled);
}
