//! The state as one value, and as bytes.

use crate::fmi2::importer::*;
use crate::fmi3::importer::Fmu;
use crate::habits::{Habits, run};
use fmu_core::fmi2::fmi2Status::*;
use fmu_core::fmi2::*;
use std::ptr::{null, null_mut};

/// Steps of 1 ms until the middle of the first contact.
const IN_CONTACT: u32 = 145;

fn steps(importer: &Importer, first: u32, count: u32) -> Vec<Vec<f64>> {
    let row = |i| {
        importer.whole_step(f64::from(i) * 1e-3, 1e-3);
        importer.state_variables()
    };
    (first..first + count).map(row).collect()
}

#[test]
fn a_co_simulation_runs_on_to_the_bit_here_and_in_another_instance() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.initialize();
    steps(&importer, 0, IN_CONTACT);
    assert!(importer.value(reference(&fmu, "energy.contact_elastic")) > 0.0);
    let saved = importer.state();
    let bytes = importer.serialize(saved);
    let expected = steps(&importer, IN_CONTACT, 300);
    assert_eq!(importer.set_state(saved), fmi2OK);
    assert_eq!(steps(&importer, IN_CONTACT, 300), expected);
    importer.free_state(saved);
    // The other one was never initialised; the state brings it into Step Mode.
    let other = co_simulation(&fmu);
    let read = other.deserialize(&bytes).unwrap();
    assert_eq!(other.serialize(read), bytes);
    assert_eq!(other.set_state(read), fmi2OK);
    other.free_state(read);
    assert_eq!(steps(&other, IN_CONTACT, 300), expected);
}

#[test]
fn a_model_exchange_runs_on_to_the_bit() {
    let fmu = Fmu::falling_ball();
    let importer = model_exchange(&fmu);
    importer.initialize();
    let saved = importer.state();
    let bytes = importer.serialize(saved);
    let motion = || run(&importer, Habits::default(), 1e-8, 0.025, 40).rows;
    let expected = motion();
    assert_eq!(importer.set_state(saved), fmi2OK);
    assert_eq!(motion(), expected);
    let read = importer.deserialize(&bytes).unwrap();
    assert_eq!(importer.set_state(read), fmi2OK);
    assert_eq!(motion(), expected);
    importer.free_state(saved);
    importer.free_state(read);
}

#[test]
fn the_experiment_belongs_to_the_state() {
    let fmu = strict();
    let importer = co_simulation(&fmu);
    assert_eq!(importer.setup(None, 2.0, None), fmi2OK);
    let saved = importer.state();
    importer.ok(fmi2Reset);
    assert_eq!(importer.set_state(saved), fmi2OK);
    importer.free_state(saved);
    importer.ok(fmi2EnterInitializationMode);
    importer.ok(fmi2ExitInitializationMode);
    importer.whole_step(2.0, 0.1);
}

#[test]
fn a_copy_is_reused_when_given() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.initialize();
    let mut saved = importer.state();
    let (pointer, before) = (saved, importer.serialize(saved));
    importer.whole_step(0.0, 0.1);
    assert_eq!(importer.serialize(saved), before);
    // SAFETY: the copy was not freed.
    let status = unsafe { fmi2GetFMUstate(importer.component, &raw mut saved) };
    assert_eq!((status, saved), (fmi2OK, pointer));
    assert_ne!(importer.serialize(saved), before);
    importer.free_state(saved);
}

#[test]
fn bytes_that_are_no_state_are_refused_by_the_name_of_the_function() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    let saved = importer.state();
    let mut bytes = importer.serialize(saved);
    importer.log();
    let refused = |bytes: &[u8]| {
        assert_eq!(importer.deserialize(bytes), Err(fmi2Error));
        let reason = importer.reason();
        assert!(reason.starts_with("fmi2DeSerializeFMUstate: "), "{reason}");
        reason
    };
    refused(&bytes[..bytes.len() - 1]);
    refused(b"no state");
    refused(b"");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    assert!(refused(&bytes).contains("corrupt"));
    importer.free_state(saved);
}

#[test]
fn a_state_of_the_other_interface_type_is_refused() {
    let fmu = Fmu::falling_ball();
    let (exchange, simulation) = (model_exchange(&fmu), co_simulation(&fmu));
    let saved = exchange.state();
    simulation.log();
    assert_eq!(simulation.set_state(saved), fmi2Error);
    assert!(simulation.reason().contains("Model Exchange"));
    exchange.free_state(saved);
}

#[test]
fn null_states_are_refused_and_freeing_null_is_ignored() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    let c = importer.component;
    let (mut none, mut size, mut byte) = (null_mut(), 0, 0);
    // SAFETY: null is allowed or refused; the other pointers are those of local variables.
    unsafe {
        assert_eq!(fmi2FreeFMUstate(c, null_mut()), fmi2OK);
        assert_eq!(fmi2FreeFMUstate(c, &raw mut none), fmi2OK);
        for status in [
            fmi2GetFMUstate(c, null_mut()),
            fmi2SetFMUstate(c, none),
            fmi2SerializedFMUstateSize(c, none, &raw mut size),
            fmi2SerializeFMUstate(c, none, &raw mut byte, 1),
            fmi2DeSerializeFMUstate(c, null(), 100, &raw mut none),
            fmi2DeSerializeFMUstate(c, &raw const byte, 1, null_mut()),
        ] {
            assert_eq!(status, fmi2Error);
        }
    }
    let saved = importer.state();
    importer.log();
    // SAFETY: null is refused, and a place of the wrong size before anything is written.
    unsafe {
        assert_eq!(fmi2SerializedFMUstateSize(c, saved, null_mut()), fmi2Error);
        importer.reason();
        assert_eq!(fmi2SerializeFMUstate(c, saved, &raw mut byte, 1), fmi2Error);
        assert!(importer.reason().contains("size is 1"));
    }
    importer.free_state(saved);
}
