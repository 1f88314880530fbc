//! Calls out of order, by class; the complete table of function and state is tested through an
//! importer.

use crate::fmi3::importer::*;

#[test]
fn a_call_before_initialisation_names_itself_the_mode_and_the_allowed_modes() {
    let importer = Fmu::falling_ball().model_exchange();
    importer.log();
    importer.refused(
        importer.call(fmi3EnterContinuousTimeMode),
        &[
            "fmi3EnterContinuousTimeMode",
            "in Instantiated",
            "in Event Mode",
        ],
    );
    importer.refused(
        importer.call(fmi3ExitInitializationMode),
        &["Initialization Mode"],
    );
    importer.refused(
        importer.call(fmi3Terminate),
        &["Event Mode, Continuous-Time Mode"],
    );
    importer.start_integration();
}

#[test]
fn a_call_during_initialisation_changes_nothing() {
    let importer = Fmu::falling_ball().co_simulation();
    importer.enter_initialization();
    importer.log();
    importer.refused(importer.call(fmi3Terminate), &["in Initialization Mode"]);
    importer.refused(importer.step(0.0, 0.1).0, &["Step Mode"]);
    importer.ok(fmi3ExitInitializationMode);
    importer.whole_step(0.0, 0.1);
}

#[test]
fn initialisation_cannot_be_entered_twice() {
    let importer = Fmu::falling_ball().integrating();
    importer.log();
    let status = Three::enter(importer.instance, None, 0.0, None);
    importer.refused(status, &["in Continuous-Time Mode"]);
}

#[test]
fn a_function_of_the_other_interface_is_refused() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.integrating();
    importer.log();
    importer.refused(importer.step(0.0, 0.1).0, &["Model Exchange"]);
    let importer = fmu.stepping();
    importer.log();
    importer.refused(importer.set_time(0.0), &["Co-Simulation"]);
}

#[test]
fn without_event_mode_its_functions_are_refused() {
    let importer = Fmu::falling_ball().stepping();
    importer.log();
    importer.refused(importer.call(fmi3EnterEventMode), &["eventModeUsed"]);
    importer.refused(importer.call(fmi3EnterStepMode), &["in Step Mode"]);
    assert_eq!(importer.update().0, fmi3Error);
}

#[test]
fn after_the_end_only_reading_and_the_way_back_remain() {
    let importer = Fmu::falling_ball().integrating();
    importer.ok(fmi3Terminate);
    importer.log();
    importer.refused(importer.call(fmi3EnterEventMode), &["in Terminated"]);
    importer.refused(importer.set_time(1.0), &[]);
    assert_eq!(importer.set(&[2], &[0.5]), fmi3Error);
    assert_eq!(importer.derivatives()[VELOCITY + 2], -GRAVITY);
    importer.ok(fmi3Reset);
    importer.start_integration();
}

#[test]
fn event_mode_entered_twice_and_time_set_in_it_are_accepted_before_the_update() {
    let importer = Fmu::falling_ball().integrating();
    importer.ok(fmi3EnterEventMode);
    importer.ok(fmi3EnterEventMode);
    importer.fine(importer.set_time(0.25));
    assert_eq!(importer.event_indicators().len(), 1);
    assert_eq!(importer.update().0, fmi3OK);
    importer.fine(importer.set_time(0.25));
    assert_eq!(importer.set_time(0.5), fmi3Error);
}

#[test]
fn a_separate_evaluation_of_discrete_states_is_ignored_in_event_mode() {
    let importer = Fmu::falling_ball().model_exchange();
    importer.log();
    importer.refused(
        importer.call(fmi3EvaluateDiscreteStates),
        &["in Instantiated"],
    );
    importer.initialize();
    importer.ok(fmi3EvaluateDiscreteStates);
}

#[test]
fn mode_changes_are_logged_as_states() {
    let importer = Fmu::falling_ball().integrating();
    assert_eq!(
        importer.logged("states"),
        [
            "t=0.0 mode=Initialization Mode",
            "t=0.0 mode=Event Mode",
            "t=0.0 mode=Continuous-Time Mode"
        ]
    );
}
