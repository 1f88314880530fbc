//! Arguments that no importer should pass: null, unknown, of the wrong length or type.

use crate::fmi2::importer::*;
use std::ptr::{null, null_mut};

#[test]
fn null_arrays_are_refused_by_name() {
    let fmu = Fmu::falling_ball();
    let importer = integrating(&fmu);
    importer.log();
    let (c, reference, mut value) = (importer.instance, 1_u32, 0.0);
    let (one, mut number, mut flag) = (&raw const reference, 0, 7);
    let named = |status, argument: &str| {
        assert_eq!(status, fmi2Error);
        let reason = importer.reason();
        let words = format!("argument {argument} is a null pointer");
        assert!(reason.ends_with(&words), "{reason}");
    };
    // SAFETY: null is refused; the other pointers are those of local variables.
    unsafe {
        named(fmi2GetReal(c, null(), 1, &raw mut value), "vr");
        named(fmi2GetReal(c, one, 1, null_mut()), "value");
        named(fmi2SetReal(c, null(), 1, &raw const value), "vr");
        named(fmi2SetReal(c, one, 1, null()), "value");
        named(fmi2GetInteger(c, null(), 1, &raw mut number), "vr");
        named(fmi2GetInteger(c, one, 1, null_mut()), "value");
        named(fmi2SetInteger(c, null(), 1, &raw const number), "vr");
        named(fmi2SetInteger(c, one, 1, null()), "value");
        named(fmi2GetBoolean(c, null(), 1, &raw mut number), "vr");
        named(fmi2SetBoolean(c, null(), 1, &raw const number), "vr");
        named(fmi2GetString(c, null(), 1, null_mut()), "vr");
        named(fmi2SetString(c, null(), 1, null()), "vr");
        named(fmi2SetContinuousStates(c, null(), 13), "x");
        named(fmi2GetContinuousStates(c, null_mut(), 13), "x");
        named(fmi2GetDerivatives(c, null_mut(), 13), "derivatives");
        named(fmi2GetEventIndicators(c, null_mut(), 1), "eventIndicators");
        named(
            fmi2GetNominalsOfContinuousStates(c, null_mut(), 13),
            "x_nominal",
        );
        named(
            fmi2CompletedIntegratorStep(c, 1, null_mut(), &raw mut flag),
            "enterEventMode",
        );
        named(
            fmi2CompletedIntegratorStep(c, 1, &raw mut flag, null_mut()),
            "terminateSimulation",
        );
        importer.ok(fmi2EnterEventMode);
        named(fmi2NewDiscreteStates(c, null_mut()), "fmi2eventInfo");
    }
    let importer = stepping(&fmu);
    importer.log();
    // SAFETY: null is refused.
    unsafe {
        let c = importer.instance;
        let status = fmi2GetRealStatus(c, fmi2LastSuccessfulTime, null_mut());
        importer.refused(status, &["value"]);
        let status = fmi2GetBooleanStatus(c, fmi2Terminated, null_mut());
        importer.refused(status, &["value"]);
    }
}

#[test]
fn types_without_variables_take_an_empty_list_only() {
    let importer = model_exchange(&Fmu::falling_ball());
    importer.log();
    let (c, reference) = (importer.instance, 1_u32);
    let (one, mut number, mut text) = (&raw const reference, 0, null());
    // SAFETY: the pointers are those of local variables.
    unsafe {
        assert_eq!(fmi2GetBoolean(c, null(), 0, null_mut()), fmi2OK);
        assert_eq!(fmi2SetString(c, null(), 0, null()), fmi2OK);
        let answers = [
            (fmi2GetBoolean(c, one, 1, &raw mut number), "GetBoolean"),
            (fmi2SetBoolean(c, one, 1, &raw const number), "SetBoolean"),
            (fmi2GetString(c, one, 1, &raw mut text), "GetString"),
            (fmi2SetString(c, one, 1, &raw const text), "SetString"),
        ];
        for ((status, name), (_, _, reason)) in answers.into_iter().zip(importer.log()) {
            assert_eq!(status, fmi2Error);
            let start = format!("fmi2{name}: variable ball.position[1]");
            assert!(reason.starts_with(&start), "{reason}");
            assert!(reason.ends_with(&format!("not {}", &name[3..])), "{reason}");
        }
    }
}

#[test]
fn derivatives_of_inputs_are_not_offered_and_say_so() {
    let importer = stepping(&Fmu::falling_ball());
    importer.log();
    let c = importer.instance;
    // SAFETY: the arguments are not looked at.
    unsafe {
        let status = fmi2SetRealInputDerivatives(c, null(), 1, null(), null());
        importer.refused(status, &["canInterpolateInputs"]);
    }
}
