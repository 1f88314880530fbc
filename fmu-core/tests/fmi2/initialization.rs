//! The experiment: times and tolerance, told or not.

use crate::fmi2::importer::*;

#[test]
fn the_run_starts_at_the_start_time_told_last() {
    let importer = co_simulation(&Fmu::falling_ball());
    assert_eq!(importer.setup(None, 1.0, None), fmi2OK);
    assert_eq!(importer.setup(Some(1e-6), 2.0, Some(3.0)), fmi2OK);
    importer.ok(fmi2EnterInitializationMode);
    importer.ok(fmi2ExitInitializationMode);
    importer.log();
    importer.refused(importer.step(1.0, 0.1), &["this instance is at 2 s"]);
    importer.whole_step(2.0, 1.0);
    importer.log();
    importer.refused(importer.step(3.0, 0.1), &["stop time"]);
}

#[test]
fn values_that_are_not_defined_are_not_looked_at() {
    let importer = co_simulation(&Fmu::falling_ball());
    // The importer hands over NaN for both.
    assert_eq!(importer.setup(None, 0.0, None), fmi2OK);
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
    let importer = co_simulation(&Fmu::new(description));
    importer.log();
    importer.refused(importer.call(fmi2EnterInitializationMode), &["not set up"]);
    importer.initialize();
}

#[test]
fn a_reset_forgets_the_experiment() {
    let importer = stepping(&Fmu::strict());
    importer.ok(fmi2Reset);
    assert_eq!(importer.call(fmi2EnterInitializationMode), fmi2Error);
}

#[test]
fn the_time_set_before_initialisation_is_the_start_time() {
    let importer = model_exchange(&Fmu::falling_ball());
    importer.fine(importer.set_time(4.0));
    importer.ok(fmi2EnterInitializationMode);
    importer.ok(fmi2ExitInitializationMode);
    let log = importer.logged("states");
    let expected = ["t=4.0 mode=Initialization Mode", "t=4.0 mode=Event Mode"];
    assert_eq!(log, expected);
}
