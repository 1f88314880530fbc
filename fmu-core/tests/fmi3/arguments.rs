//! Arguments that no importer should pass: null, unknown, of the wrong length or type.

use crate::fmi3::importer::*;
use std::ptr::{null, null_mut};

#[test]
fn the_time_is_no_variable_to_set() {
    let importer = Fmu::falling_ball().model_exchange();
    importer.log();
    importer.refused(importer.set(&[1], &[1.0]), &["time"]);
}

#[test]
fn counts_that_differ_are_refused_with_both() {
    let importer = Fmu::falling_ball().model_exchange();
    importer.log();
    assert_eq!(importer.get(&[1, 2], &mut [0.0; 3]), fmi3Error);
    importer.says(&["2", "3"]);
    importer.refused(importer.set(&[2, 3], &[0.0]), &[]);
    importer.fine(importer.get(&[], &mut []));
}

#[test]
fn null_arrays_are_refused_by_name() {
    let importer = Fmu::falling_ball().integrating();
    importer.log();
    let (instance, reference, mut value) = (importer.instance, [1_u32], [0.0_f64]);
    let named = |status, argument: &str| {
        importer.refused(status, &[argument, "null"]);
    };
    // SAFETY: null is refused; the other pointers are those of local arrays.
    unsafe {
        let status = fmi3GetFloat64(instance, null(), 1, value.as_mut_ptr(), 1);
        named(status, "valueReferences");
        let status = fmi3GetFloat64(instance, reference.as_ptr(), 1, null_mut(), 1);
        named(status, "values");
        let status = fmi3SetFloat64(instance, reference.as_ptr(), 1, null(), 1);
        named(status, "values");
        let status = fmi3SetContinuousStates(instance, null(), 13);
        named(status, "continuousStates");
        let status = fmi3GetContinuousStateDerivatives(instance, null_mut(), 13);
        named(status, "derivatives");
        let status = fmi3GetNumberOfContinuousStates(instance, null_mut());
        named(status, "nContinuousStates");
        let mut flag = false;
        let status = fmi3CompletedIntegratorStep(instance, true, &raw mut flag, null_mut());
        named(status, "terminateSimulation");
    }
}

#[test]
fn a_null_output_is_refused_before_anything_happens() {
    let importer = Fmu::falling_ball().stepping();
    let before = importer.state_variables();
    let mut flag = false;
    // SAFETY: null is refused.
    let status = unsafe {
        let (c, flag) = (importer.instance, &raw mut flag);
        fmi3DoStep(c, 0.0, 0.1, true, flag, flag, flag, null_mut())
    };
    assert_eq!(status, fmi3Error);
    assert_eq!(importer.value(1), 0.0);
    assert_eq!(importer.state_variables(), before);
}

#[test]
fn types_without_variables_take_an_empty_list_only() {
    let importer = Fmu::falling_ball().model_exchange();
    importer.log();
    let (instance, reference, mut value) = (importer.instance, 2_u32, [0_u8; 16]);
    // SAFETY: the values are not looked at.
    unsafe {
        let place = value.as_mut_ptr();
        assert_eq!(fmi3GetBoolean(instance, null(), 0, null_mut(), 0), fmi3OK);
        let status = fmi3GetInt8(instance, &raw const reference, 1, place.cast(), 1);
        let reason = importer.refused(status, &["ball.position[1]"]);
        assert!(reason.contains("Int8"), "{reason}");
        let status = fmi3SetString(instance, &raw const reference, 1, null(), 1);
        importer.refused(status, &["String"]);
    }
}

#[test]
fn features_that_are_not_offered_say_so() {
    let importer = Fmu::falling_ball().model_exchange();
    importer.log();
    // SAFETY: the arguments are not looked at.
    unsafe {
        let instance = importer.instance;
        importer.refused(fmi3GetClock(instance, null(), 0, null_mut()), &["clocks"]);
        assert_eq!(fmi3EnterConfigurationMode(instance), fmi3Error);
        importer.says(&["fmi3EnterConfigurationMode"]);
        assert_eq!(fmi3ActivateModelPartition(instance, 1, 0.0), fmi3Error);
        importer.says(&["Scheduled Execution"]);
    }
}

#[test]
fn dependencies_are_those_of_the_motion() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.integrating();
    let rate = reference(&fmu, "der(ball.position[1])");
    let (mut count, mut known, mut kind) = (7, [0], [fmi3DependencyKind::fmi3Independent]);
    let (mut of_rate, mut of_known) = ([7], [7]);
    // SAFETY: the pointers are those of local variables and arrays.
    unsafe {
        let instance = importer.instance;
        let status = fmi3GetNumberOfVariableDependencies(instance, rate, &raw mut count);
        assert_eq!((status, count), (fmi3OK, 1));
        let status = fmi3GetVariableDependencies(
            instance,
            rate,
            of_rate.as_mut_ptr(),
            known.as_mut_ptr(),
            of_known.as_mut_ptr(),
            kind.as_mut_ptr(),
            1,
        );
        importer.fine(status);
        importer.log();
        let status = fmi3GetNumberOfVariableDependencies(instance, 0, &raw mut count);
        assert_eq!(status, fmi3Error);
    }
    let expected = ([reference(&fmu, "ball.velocity[1]")], [0], [0]);
    assert_eq!((known, of_rate, of_known), expected);
    assert_eq!(kind, [fmi3DependencyKind::fmi3Dependent]);
}
