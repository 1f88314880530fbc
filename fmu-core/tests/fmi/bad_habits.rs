//! Importers with bad habits get the motion of a careful one.

use super::importer::*;
use crate::fixtures::*;
use crate::habits::{Habits, habits_do_not_matter, run};
use fmu_core::instance::Standard;

in_each_version!(
    calls_of_open_modelica_give_the_motion_of_a_careful_importer,
    so_they_do_where_indicators_go_from_pair_to_pair,
);

/// OpenModelica's import: Event Mode after initialisation and entered twice, evaluations in any order and before
/// any update, which is one for each event, a completed step after every evaluation; in FMI 2.0 states are set
/// in Event Mode.
fn check<V: Version>(description: SceneDescription, duration: f64, least_events: u32) {
    let habits = Habits {
        completes_every_evaluation: true,
        goes_back: true,
        enters_event_mode_twice: true,
        sets_states_in_event_mode: V::STANDARD == Standard::Fmi2,
        updates_once: true,
    };
    let fmu = Fmu::new(description);
    habits_do_not_matter(habits, least_events, |habits| {
        let importer = V::model_exchange(&fmu);
        importer.initialize();
        run(&importer, habits, 1e-10, duration / 50.0, 50)
    });
}

fn calls_of_open_modelica_give_the_motion_of_a_careful_importer<V: Version>() {
    check::<V>(falling_ball(), 1.0, 8);
}

fn so_they_do_where_indicators_go_from_pair_to_pair<V: Version>() {
    check::<V>(three_balls_with_three_indicators(), 0.6, 6);
}
