//! The integrator of Co-Simulation: what listeners are told, and steps that come to no end.

use crate::fmi::integrator::*;
use crate::fmi3::importer::*;

#[test]
fn counts_are_computed() {
    let fmu = Fmu::new(resting_ball());
    let importer = fmu.co_simulation();
    importer.log();
    let steps = reference(&fmu, "experiment.statistics.steps");
    assert_eq!(importer.set_int64(steps, 1), fmi3Error);
    importer.says(&["is computed and cannot be set"]);
}

/// A listener is told of each accepted step.
#[test]
fn steps_are_those_that_a_listener_is_told_of_and_the_last_one_has_its_length() {
    let fmu = Fmu::new(resting_ball());
    let interface = Interface::SIMPLE;
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
        let told = Work::of(&fmu, &importer);
        assert_eq!(told.counts[0], count);
        assert_eq!(told.last_step(), times[1] - times[0]);
    }
}

#[test]
fn a_step_that_the_longest_step_makes_hopeless_fails_at_once_and_says_what_to_change() {
    let fmu = Fmu::new(resting_ball());
    // A million steps are allowed: 1/64 s takes 15.6 million of 1 ns.
    let importer = started::<Three>(&fmu, AUTO, 1e-9);
    let (status, ..) = importer.step(0.0, 1.0 / 64.0);
    assert_eq!(status, fmi3Error);
    importer.says(&[
        "the step from 0 s to 0.015625 s takes at least 1.5625e7 internal steps",
        "experiment.max_step, now 1e-9 s",
        "experiment.max_steps allows 1000000",
        "set experiment.max_step to 1.6e-8 s or more, or to 0",
    ]);
    assert_eq!(Work::of(&fmu, &importer), Work::nothing());

    // Some more than the length asks for are enough: the first steps are shorter.
    let allowed = |steps: f64| {
        let importer = fmu.co_simulation();
        importer.enter_initialization();
        set_up(&fmu, &importer, AUTO, 1e-4);
        importer.fine(importer.set(&[reference(&fmu, "experiment.max_steps")], &[steps]));
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
    importer.fine(importer.set(&[reference(&fmu, "experiment.max_steps")], &[100.0]));
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
    assert_eq!(Work::of(&fmu, &importer), Work::nothing());
}
