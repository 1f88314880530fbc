//! The experiment: times and tolerance, told or not.

use crate::fmi2::importer::*;
use crate::fmi3::importer::Fmu;
use fmu_core::fmi2::fmi2Status::*;
use fmu_core::fmi2::*;

#[test]
fn the_run_starts_at_the_start_time_told_last() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    assert_eq!(importer.setup(None, 1.0, None), fmi2OK);
    assert_eq!(importer.setup(Some(1e-6), 2.0, Some(3.0)), fmi2OK);
    importer.ok(fmi2EnterInitializationMode);
    importer.ok(fmi2ExitInitializationMode);
    importer.log();
    assert_eq!(importer.step(1.0, 0.1), fmi2Error);
    assert!(importer.reason().contains("this instance is at 2 s"));
    importer.whole_step(2.0, 1.0);
    importer.log();
    assert_eq!(importer.step(3.0, 0.1), fmi2Error);
    assert!(importer.reason().contains("stop time"));
}

#[test]
fn values_that_are_not_defined_are_not_looked_at() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    // The importer hands over NaN for both.
    assert_eq!(importer.setup(None, 0.0, None), fmi2OK);
}

#[test]
fn times_and_tolerances_out_of_range_are_refused_with_the_value() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.log();
    let inf = f64::INFINITY;
    for (tolerance, start, stop, word) in [
        (None, f64::NAN, None, "start time is NaN"),
        (None, inf, None, "start time is inf"),
        (None, 1.0, Some(0.5), "stop time is 0.5"),
        (None, 0.0, Some(inf), "stop time is inf"),
        (Some(0.0), 0.0, None, "tolerance is 0"),
        (Some(-1e-6), 0.0, None, "tolerance is -1e-6"),
        (Some(1.0), 0.0, None, "1"),
    ] {
        assert_eq!(importer.setup(tolerance, start, stop), fmi2Error, "{word}");
        let reason = importer.reason();
        assert!(reason.starts_with("fmi2SetupExperiment: "), "{reason}");
        assert!(reason.contains(word), "{reason}");
    }
    importer.initialize();
}

#[test]
fn an_experiment_nobody_told_is_that_of_the_scene_unless_the_instance_is_strict() {
    let mut description = falling_ball();
    description.experiment.start_time = 5.0;
    description.experiment.stop_time = 6.0;
    let fmu = Fmu::new(description.clone());
    let importer = co_simulation(&fmu);
    importer.ok(fmi2EnterInitializationMode);
    importer.ok(fmi2ExitInitializationMode);
    // The stop time of the scene is a proposal, no limit.
    importer.whole_step(5.0, 1.5);
    description.interface.strict = true;
    let fmu = Fmu::new(description);
    let importer = co_simulation(&fmu);
    importer.log();
    assert_eq!(importer.call(fmi2EnterInitializationMode), fmi2Error);
    let reason = importer.reason();
    assert!(reason.contains("not set up"), "{reason}");
    importer.initialize();
}

#[test]
fn a_reset_forgets_the_experiment() {
    let fmu = strict();
    let importer = co_simulation(&fmu);
    importer.initialize();
    importer.ok(fmi2Reset);
    assert_eq!(importer.call(fmi2EnterInitializationMode), fmi2Error);
}

#[test]
fn the_time_set_before_initialisation_is_the_start_time() {
    let fmu = Fmu::falling_ball();
    let importer = model_exchange(&fmu);
    assert_eq!(importer.set_time(4.0), fmi2OK);
    importer.ok(fmi2EnterInitializationMode);
    importer.ok(fmi2ExitInitializationMode);
    let log = importer.logged("states");
    assert_eq!(
        log,
        ["t=4.0 mode=Initialization Mode", "t=4.0 mode=Event Mode"]
    );
}

#[test]
fn start_values_are_those_of_the_scene_until_they_are_set() {
    let fmu = Fmu::falling_ball();
    let importer = model_exchange(&fmu);
    importer.enter_initialization();
    let height = reference(&fmu, "ball.position[3]");
    assert_eq!(importer.value(height), 0.1 + HEIGHT);
    assert_eq!(importer.set(&[height], &[0.5]), fmi2OK);
    importer.ok(fmi2ExitInitializationMode);
    assert_eq!(importer.continuous_states()[POSITION + 2], 0.5);
    importer.ok(fmi2EnterContinuousTimeMode);
    assert_eq!(importer.derivatives()[VELOCITY + 2], -GRAVITY);
}
