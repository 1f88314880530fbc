//! The integrator of Co-Simulation as an importer sees it: formula and longest step as parameters,
//! its work as outputs.

use crate::fixtures::{ball, plate, steel_scene};
use crate::fmi3::importer::*;
use contact_model::scene::SceneDescription;
use fmu_core::fmi3::fmi3Status::*;
use fmu_core::fmi3::*;

const AUTO: i32 = 1;
const EXPLICIT: i32 = 2;
const IMPLICIT: i32 = 3;

/// A ball of steel that falls 1 mm onto a plate of steel, with statistics.
pub fn resting_ball() -> SceneDescription {
    let mut description = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 0.101])]);
    description.experiment.statistics = true;
    description.experiment.stop_time = 10.0;
    description
}

/// The statistics of an instance.
#[derive(Debug, PartialEq)]
struct Told {
    counts: [i64; 5],
    last_step: u64,
    implicit: bool,
}

impl Told {
    fn of(fmu: &Fmu, importer: &Importer) -> Told {
        let named = |name: &str| reference(fmu, &format!("experiment.statistics.{name}"));
        let counts = [
            "steps",
            "rejected_steps",
            "evaluations",
            "directions",
            "events",
        ];
        Told {
            counts: counts.map(|name| importer.int64(named(name))),
            last_step: importer.value(named("last_step")).to_bits(),
            implicit: importer.boolean(named("implicit")),
        }
    }

    fn last_step(&self) -> f64 {
        f64::from_bits(self.last_step)
    }

    fn nothing() -> Told {
        Told {
            counts: [0; 5],
            last_step: 0,
            implicit: false,
        }
    }
}

/// An instance with a formula and a longest step, initialized.
fn started(fmu: &Fmu, solver: i32, max_step: f64) -> Importer {
    let importer = fmu.co_simulation();
    importer.enter_initialization();
    set_up(fmu, &importer, solver, max_step);
    importer.ok(fmi3ExitInitializationMode);
    importer.log();
    importer
}

fn set_up(fmu: &Fmu, importer: &Importer, solver: i32, max_step: f64) {
    let status = importer.set_int32(reference(fmu, "experiment.solver"), solver);
    assert_eq!(status, fmi3OK, "{:?}", importer.log());
    let status = importer.set(&[reference(fmu, "experiment.max_step")], &[max_step]);
    assert_eq!(status, fmi3OK, "{:?}", importer.log());
}

/// Communication steps of 1/64 s from `from` on.
fn run(importer: &Importer, from: u32, count: u32) {
    for i in from..from + count {
        importer.whole_step(f64::from(i) / 64.0, 1.0 / 64.0);
    }
}

#[test]
fn the_formula_that_was_set_runs_and_the_statistics_tell_it() {
    let fmu = Fmu::new(resting_ball());
    for solver in [AUTO, EXPLICIT, IMPLICIT] {
        let importer = started(&fmu, solver, 0.0);
        assert_eq!(importer.int32(reference(&fmu, "experiment.solver")), solver);
        assert_eq!(Told::of(&fmu, &importer), Told::nothing());
        run(&importer, 0, 1);
        // Free flight asks for nothing but the explicit formula.
        let flying = Told::of(&fmu, &importer);
        assert_eq!(flying.implicit, solver == IMPLICIT, "{flying:?}");
        assert_eq!(flying.counts[3] > 0, solver == IMPLICIT, "{flying:?}");
        // At rest, after 3 s, stability limits it.
        run(&importer, 1, 200);
        let resting = Told::of(&fmu, &importer);
        assert_eq!(resting.implicit, solver != EXPLICIT, "{resting:?}");
        assert_eq!(resting.counts[3] > 0, solver != EXPLICIT, "{resting:?}");
        // It fell and bounced: an event each time it touched.
        assert!(resting.counts[4] > 4, "{resting:?}");
        assert!(
            resting
                .counts
                .iter()
                .zip(flying.counts)
                .all(|(new, old)| *new >= old)
        );
        // The log says the same.
        importer.ok(fmi3Terminate);
        let [steps, rejected, evaluations, directions, events] = resting.counts;
        let log = importer.logged("integrator").remove(0);
        let start = format!(
            "integrator: steps={steps} rejected={rejected} derivative_calls={evaluations} \
             direction_calls={directions} indicator_calls="
        );
        assert!(log.starts_with(&start), "{log} {start}");
        assert!(log.ends_with(&format!("events={events}")), "{log}");
    }
}

/// A listener is told of each accepted step.
#[test]
fn steps_are_those_that_a_listener_is_told_of_and_the_last_one_has_its_length() {
    let fmu = Fmu::new(resting_ball());
    let interface = Interface::CoSimulation {
        event_mode: false,
        early_return: false,
    };
    let importer = Importer::watched(&fmu, interface, Some(&[])).unwrap();
    importer.initialize();
    let (mut count, mut times) = (0, [0.0; 2]);
    for i in 0..32 {
        let (status, ..) = importer.step_with(f64::from(i) / 64.0, 1.0 / 64.0, &mut |told| {
            count += 1;
            times = [times[1], told.time];
            Wish::GoOn
        });
        assert_eq!(status, fmi3OK);
        let told = Told::of(&fmu, &importer);
        assert_eq!(told.counts[0], count);
        assert_eq!(told.last_step(), times[1] - times[0]);
    }
}

#[test]
fn a_run_saved_and_restored_amid_implicit_steps_tells_the_same_to_the_bit() {
    let fmu = Fmu::new(resting_ball());
    for solver in [AUTO, IMPLICIT] {
        let importer = started(&fmu, solver, 0.01);
        run(&importer, 0, 200);
        let (saved, before) = (importer.state(), Told::of(&fmu, &importer));
        assert!(before.implicit);
        let bytes = importer.serialize(saved);
        run(&importer, 200, 50);
        let expected = (Told::of(&fmu, &importer), importer.state_variables());
        assert_ne!(expected.0, before);

        importer.set_state(saved);
        assert_eq!(Told::of(&fmu, &importer), before);
        run(&importer, 200, 50);
        let again = (Told::of(&fmu, &importer), importer.state_variables());
        assert_eq!(again, expected);

        // In another instance, which has other parameters until then.
        let other = started(&fmu, EXPLICIT, 1e-3);
        let state = other.deserialize(&bytes).unwrap();
        assert_eq!(other.set_state(state), fmi3OK);
        assert_eq!(Told::of(&fmu, &other), before);
        assert_eq!(other.int32(reference(&fmu, "experiment.solver")), solver);
        assert_eq!(other.value(reference(&fmu, "experiment.max_step")), 0.01);
        run(&other, 200, 50);
        let elsewhere = (Told::of(&fmu, &other), other.state_variables());
        assert_eq!(elsewhere, expected);
        other.free_state(state);
        importer.free_state(saved);
    }
}

#[test]
fn a_reset_restores_formula_and_longest_step_and_begins_to_count_anew() {
    let fmu = Fmu::new(resting_ball());
    let fresh = fmu.co_simulation();
    fresh.initialize();
    run(&fresh, 0, 100);
    let importer = started(&fmu, IMPLICIT, 1e-3);
    run(&importer, 0, 20);
    assert_ne!(Told::of(&fmu, &importer), Told::nothing());
    importer.ok(fmi3Reset);
    importer.initialize();
    assert_eq!(Told::of(&fmu, &importer), Told::nothing());
    assert_eq!(importer.int32(reference(&fmu, "experiment.solver")), AUTO);
    assert_eq!(importer.value(reference(&fmu, "experiment.max_step")), 0.0);
    run(&importer, 0, 100);
    assert_eq!(Told::of(&fmu, &importer), Told::of(&fmu, &fresh));
}

#[test]
fn no_step_is_longer_than_the_longest_one_allowed() {
    let fmu = Fmu::new(resting_ball());
    for solver in [AUTO, EXPLICIT, IMPLICIT] {
        // Free flight of 1 mm takes 14 ms; 2^-10 s is exact.
        let longest = 1.0 / 1024.0;
        let importer = started(&fmu, solver, longest);
        importer.whole_step(0.0, 1.0 / 128.0);
        let told = Told::of(&fmu, &importer);
        assert!(told.last_step() <= longest, "{told:?}");
        assert!(told.counts[0] >= 8, "{told:?}");
        let free = started(&fmu, solver, 0.0);
        free.whole_step(0.0, 1.0 / 128.0);
        assert!(Told::of(&fmu, &free).counts[0] < 8);
    }
}

#[test]
fn tunable_parameters_change_formula_and_longest_step_between_communication_steps() {
    let mut description = resting_ball();
    description.interface.tunable = true;
    let fmu = Fmu::new(description);
    let importer = started(&fmu, EXPLICIT, 0.0);
    run(&importer, 0, 200);
    let explicit = Told::of(&fmu, &importer);
    assert!(!explicit.implicit);
    set_up(&fmu, &importer, IMPLICIT, 1.0 / 1024.0);
    run(&importer, 200, 1);
    let implicit = Told::of(&fmu, &importer);
    assert!(implicit.implicit && implicit.last_step() <= 1.0 / 1024.0);
    // Nothing else has changed: no event, and the ball stays at rest.
    assert_eq!(implicit.counts[4], explicit.counts[4]);
    set_up(&fmu, &importer, AUTO, 0.0);
    run(&importer, 201, 1);
    set_up(&fmu, &importer, EXPLICIT, 0.0);
    run(&importer, 202, 1);
    assert!(!Told::of(&fmu, &importer).implicit);
}

#[test]
fn fixed_parameters_of_the_integrator_are_set_before_initialisation_ends() {
    let fmu = Fmu::new(resting_ball());
    let importer = started(&fmu, AUTO, 0.0);
    let solver = reference(&fmu, "experiment.solver");
    assert_eq!(importer.set_int32(solver, EXPLICIT), fmi3Error);
    let reason = importer.reason();
    let text = "experiment.solver (value reference ";
    assert!(reason.contains(text), "{reason}");
    assert!(
        reason.contains("is a fixed parameter and cannot be set"),
        "{reason}"
    );
}

#[test]
fn wrong_values_are_refused_with_what_is_allowed() {
    let fmu = Fmu::new(resting_ball());
    for wrong in [0, 5, -1, i32::MAX] {
        let importer = fmu.co_simulation();
        importer.enter_initialization();
        set_up(&fmu, &importer, wrong, 0.0);
        assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Error);
        let reason = importer.reason();
        assert!(
            reason.contains("parameter experiment.solver is "),
            "{reason}"
        );
        let allowed = "must be 1 (auto), 2 (explicit), 3 (implicit) or 4 (dem)";
        assert!(reason.ends_with(allowed), "{reason}");
        // The right one makes it good.
        set_up(&fmu, &importer, IMPLICIT, 0.0);
        importer.ok(fmi3ExitInitializationMode);
    }
    let importer = fmu.co_simulation();
    importer.enter_initialization();
    set_up(&fmu, &importer, AUTO, -1e-3);
    assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Error);
    let reason = importer.reason();
    assert!(
        reason.contains("parameter experiment.max_step is -0.001"),
        "{reason}"
    );
    assert!(reason.ends_with("must be >= 0"), "{reason}");

    let solver = reference(&fmu, "experiment.solver");
    assert_eq!(importer.set(&[solver], &[1.0]), fmi3Error);
    assert!(importer.reason().contains("is of type Int32, not Float64"));
    let steps = reference(&fmu, "experiment.statistics.steps");
    assert_eq!(importer.set_int64(steps, 1), fmi3Error);
    assert!(importer.reason().contains("is computed and cannot be set"));
}

#[test]
fn a_step_that_the_longest_step_makes_hopeless_fails_at_once_and_says_what_to_change() {
    let fmu = Fmu::new(resting_ball());
    // A million steps are allowed: 1/64 s takes 15.6 million of 1 ns.
    let importer = started(&fmu, AUTO, 1e-9);
    let (status, ..) = importer.step(0.0, 1.0 / 64.0);
    assert_eq!(status, fmi3Error);
    let reason = importer.reason();
    for part in [
        "the step from 0 s to 0.015625 s takes at least 1.5625e7 internal steps",
        "experiment.max_step, now 1e-9 s",
        "experiment.max_steps allows 1000000",
        "set experiment.max_step to 1.6e-8 s or more, or to 0",
    ] {
        assert!(reason.contains(part), "no {part:?} in {reason:?}");
    }
    assert_eq!(Told::of(&fmu, &importer), Told::nothing());

    // Some more than the length asks for are enough: the first steps are shorter.
    let allowed = |steps: f64| {
        let importer = fmu.co_simulation();
        importer.enter_initialization();
        set_up(&fmu, &importer, AUTO, 1e-4);
        let budget = reference(&fmu, "experiment.max_steps");
        assert_eq!(importer.set(&[budget], &[steps]), fmi3OK);
        importer.ok(fmi3ExitInitializationMode);
        importer.step(0.0, 0.01).0
    };
    assert_eq!([allowed(130.0), allowed(99.0)], [fmi3OK, fmi3Error]);
}

#[test]
fn a_step_that_may_return_early_is_tried_and_then_names_the_longest_step() {
    let fmu = Fmu::new(resting_ball());
    let importer = fmu.with_event_mode(true);
    importer.enter_initialization();
    set_up(&fmu, &importer, AUTO, 1e-4);
    let budget = reference(&fmu, "experiment.max_steps");
    assert_eq!(importer.set(&[budget], &[100.0]), fmi3OK);
    importer.ok(fmi3ExitInitializationMode);
    importer.update();
    importer.ok(fmi3EnterStepMode);
    importer.log();
    // The ball touches after 14 ms, 143 steps.
    assert_eq!(importer.step(0.0, 1.0).0, fmi3Error);
    let reason = importer.reason();
    let part = "steps are no longer than experiment.max_step, now 1e-4 s: set it higher, or to 0 \
                for no limit, or allow more internal steps, experiment.max_steps, now 100";
    assert!(reason.ends_with(part), "{reason}");
}

#[test]
fn model_exchange_has_them_without_any_work() {
    let fmu = Fmu::new(resting_ball());
    let importer = fmu.model_exchange();
    importer.enter_initialization();
    set_up(&fmu, &importer, IMPLICIT, 1e-3);
    importer.ok(fmi3ExitInitializationMode);
    importer.update();
    importer.ok(fmi3EnterContinuousTimeMode);
    importer.log();
    Runge::new(&importer, 1e-3, 0).run(10);
    assert_eq!(Told::of(&fmu, &importer), Told::nothing());
}
