//! Importers with bad habits get the motion of a careful one.

use crate::fmi2::importer::*;
use crate::habits::{Habits, run};

#[test]
fn parameters_set_after_initialisation_are_those_of_the_start() {
    let fmu = Fmu::falling_ball();
    let run_of = |value: f64, late: bool| {
        let importer = model_exchange(&fmu);
        importer.enter_initialization();
        if late {
            importer.ok(fmi2ExitInitializationMode);
        }
        importer.fine(importer.set(&[reference(&fmu, "ball.mass")], &[value]));
        if !late {
            importer.ok(fmi2ExitInitializationMode);
        }
        run(&importer, Habits::default(), 1e-10, 0.02, 50).rows
    };
    let early = run_of(2.0, false);
    assert_eq!(early, run_of(2.0, true));
    assert_ne!(early, run_of(3.0, true));
}

/// OpenModelica's import sets every parameter: one that has the value of the description counts as
/// not set, so that the inertia follows the mass.
#[test]
fn an_inertia_set_to_the_value_of_the_description_follows_the_mass() {
    let fmu = Fmu::falling_ball();
    let mass = reference(&fmu, "ball.mass");
    let entries = ["1,1", "2,2", "3,3", "1,2", "1,3", "2,3"]
        .map(|entry| reference(&fmu, &format!("ball.inertia[{entry}]")));
    let importer = model_exchange(&fmu);
    let values = |importer: &Importer| entries.map(|entry| importer.value(entry));
    let (stated, m) = (values(&importer), importer.value(mass));
    let doubled = stated.map(|entry| 2.0 * entry);
    for mass_first in [true, false] {
        let importer = model_exchange(&fmu);
        if mass_first {
            importer.fine(importer.set(&[mass], &[2.0 * m]));
        }
        importer.fine(importer.set(&entries, &stated));
        if !mass_first {
            importer.fine(importer.set(&[mass], &[2.0 * m]));
        }
        importer.enter_initialization();
        importer.ok(fmi2ExitInitializationMode);
        assert_eq!(values(&importer), doubled, "mass first: {mass_first}");
    }
}

#[test]
fn a_strict_instance_refuses_them_and_runs_a_careful_importer() {
    let fmu = Fmu::strict();
    let importer = model_exchange(&fmu);
    importer.initialize();
    importer.log();
    let states = importer.continuous_states();
    assert_eq!(importer.set_states(&states), fmi2Error);
    assert_eq!(
        importer.reason(),
        "fmi2SetContinuousStates: not allowed in Event Mode; allowed in Continuous-Time Mode"
    );
    let mass = reference(&fmu, "ball.mass");
    assert_eq!(importer.set(&[mass], &[2.0]), fmi2Error);
    assert!(importer.reason().starts_with("fmi2SetReal: "));
    assert!(run(&importer, Habits::default(), 1e-8, 0.1, 5).events > 2);
}
