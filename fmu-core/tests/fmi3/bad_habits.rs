//! Importers with bad habits get the motion of a careful one.

use super::importer::*;
use crate::habits::{Habits, habits_do_not_matter, run};
use contact_model::scene::SceneDescription;
use fmu_core::fmi3::*;

/// OpenModelica's import of FMI 3.0: Event Mode after initialisation, evaluations before any
/// update, Event Mode entered twice, time going back, a completed step after every evaluation.
const OPEN_MODELICA: Habits = Habits {
    completes_every_evaluation: true,
    goes_back: true,
    enters_event_mode_twice: true,
    sets_states_in_event_mode: false,
    updates_once: true,
};

fn check(description: SceneDescription, duration: f64, least_events: u32) {
    let fmu = Fmu::new(description);
    habits_do_not_matter(OPEN_MODELICA, least_events, |habits| {
        let importer = fmu.model_exchange();
        importer.initialize();
        run(&importer, habits, 1e-10, duration / 50.0, 50)
    });
}

#[test]
fn calls_of_open_modelica_give_the_motion_of_a_careful_importer() {
    check(falling_ball(), 1.0, 8);
}

#[test]
fn so_they_do_where_indicators_go_from_pair_to_pair() {
    check(three_balls_with_three_indicators(), 0.6, 6);
}

#[test]
fn a_strict_instance_refuses_the_calls_that_the_standard_does_not_allow() {
    let mut description = falling_ball();
    description.interface.strict = true;
    let fmu = Fmu::new(description);
    let importer = fmu.model_exchange();
    importer.initialize();
    let refused = importer.call(fmi3EnterEventMode);
    assert_eq!(refused, fmi3Status::fmi3Error);
    assert_eq!(
        importer.reason(),
        "fmi3EnterEventMode: not allowed in Event Mode; allowed in Continuous-Time Mode"
    );
    assert_eq!(Importer::set_time(&importer, 0.0), fmi3Status::fmi3Error);
    let careful = run(&importer, Habits::default(), 1e-8, 0.1, 5);
    assert!(careful.events > 2);
}
