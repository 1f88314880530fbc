//! The state as one value, and as bytes.

use crate::fmi2::importer::*;
use crate::habits::{Habits, run};
use std::ptr::{null, null_mut};

#[test]
fn a_model_exchange_runs_on_to_the_bit() {
    let importer = model_exchange(&Fmu::falling_ball());
    importer.initialize();
    importer.runs_on_alike(|| run(&importer, Habits::default(), 1e-8, 0.025, 40).rows);
}

#[test]
fn the_experiment_belongs_to_the_state() {
    let importer = co_simulation(&Fmu::strict());
    assert_eq!(importer.setup(None, 2.0, None), fmi2OK);
    let saved = importer.state();
    importer.ok(fmi2Reset);
    importer.fine(importer.set_state(saved));
    importer.free_state(saved);
    importer.ok(fmi2EnterInitializationMode);
    importer.ok(fmi2ExitInitializationMode);
    importer.whole_step(2.0, 0.1);
}

#[test]
fn bytes_from_null_or_into_null_are_refused() {
    let importer = co_simulation(&Fmu::falling_ball());
    let (c, mut none, byte) = (importer.instance, null_mut(), 0);
    // SAFETY: null is refused; the other pointers are those of local variables.
    unsafe {
        for status in [
            fmi2DeSerializeFMUstate(c, null(), 100, &raw mut none),
            fmi2DeSerializeFMUstate(c, &raw const byte, 1, null_mut()),
        ] {
            assert_eq!(status, fmi2Error);
        }
    }
}
