//! Communication steps and their status.

use crate::fmi2::importer::*;
use std::ptr::{null, null_mut};

/// Height of the ball after a fall of `time` [s].
fn fallen(time: f64) -> f64 {
    0.1 + HEIGHT - 0.5 * GRAVITY * time * time
}

#[test]
fn a_ball_falls_freely_until_it_touches() {
    let fmu = Fmu::falling_ball();
    let importer = stepping(&fmu);
    let height = reference(&fmu, "ball.position[3]");
    for index in 0..14 {
        importer.whole_step(f64::from(index) * 0.01, 0.01);
        let time = f64::from(index + 1) * 0.01;
        assert!(time < impact_time());
        assert!((importer.value(height) - fallen(time)).abs() < 1e-9);
        assert_eq!(Two::reached(&importer), f64::from(index) * 0.01 + 0.01);
    }
}

#[test]
fn the_run_never_asks_to_be_ended() {
    let importer = stepping(&Fmu::falling_ball());
    let mut ended = 7;
    let kind = fmi2Terminated;
    // SAFETY: the pointer is that of a local variable.
    let status = unsafe { fmi2GetBooleanStatus(importer.instance, kind, &raw mut ended) };
    assert_eq!((status, ended), (fmi2OK, fmi2False));
}

// [FMI 2.0] section 4.2.3: a slave that cannot give a status answers fmi2Discard; the kinds
// of a step that goes on can be asked after fmi2Pending only.
#[test]
fn a_status_that_does_not_exist_is_discarded_with_the_reason() {
    let importer = stepping(&Fmu::falling_ball());
    importer.log();
    let c = importer.instance;
    let (mut status, mut real, mut integer, mut text) = (fmi2Fatal, 1.0, 1, null());
    // SAFETY: the pointers are those of local variables.
    let answers = unsafe {
        [
            (
                fmi2GetStatus(c, fmi2DoStepStatus, &raw mut status),
                "fmi2GetStatus: fmi2DoStepStatus asks for a step that goes on",
            ),
            (
                fmi2GetRealStatus(c, fmi2Terminated, &raw mut real),
                "fmi2GetRealStatus: fmi2Terminated is of type Boolean; fmi2GetBooleanStatus",
            ),
            (
                fmi2GetIntegerStatus(c, fmi2LastSuccessfulTime, &raw mut integer),
                "fmi2GetIntegerStatus: fmi2LastSuccessfulTime is of type Real; fmi2GetRealStatus",
            ),
            (
                fmi2GetBooleanStatus(c, fmi2DoStepStatus, &raw mut integer),
                "fmi2GetBooleanStatus: fmi2DoStepStatus asks for a step that goes on",
            ),
            (
                fmi2GetStringStatus(c, fmi2PendingStatus, &raw mut text),
                "fmi2GetStringStatus: fmi2PendingStatus asks for a step that goes on",
            ),
        ]
    };
    let log = importer.log();
    assert_eq!(log.len(), answers.len());
    for ((answer, start), (logged, _, text)) in answers.into_iter().zip(log) {
        assert_eq!((answer, logged), (fmi2Discard, fmi2Discard));
        assert!(text.starts_with(start), "{text}");
    }
    assert_eq!((status, real, integer, text), (fmi2Fatal, 1.0, 1, null()));
}

#[test]
fn a_status_kind_out_of_range_is_an_error() {
    let importer = stepping(&Fmu::falling_ball());
    importer.log();
    for kind in [-1, 4] {
        // SAFETY: refused before anything is written.
        let status = unsafe { fmi2GetRealStatus(importer.instance, kind, null_mut()) };
        importer.refused(status, &[&format!("argument s is {kind}")]);
    }
}

#[test]
fn there_is_no_step_to_cancel() {
    let importer = stepping(&Fmu::falling_ball());
    importer.log();
    importer.refused(importer.call(fmi2CancelStep), &["fmi2Pending"]);
    importer.whole_step(0.0, 0.1);
}
