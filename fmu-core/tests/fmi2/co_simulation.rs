//! Communication steps and their status.

use crate::fmi2::importer::*;
use crate::fmi3::importer::{Fmu, falling_ball};
use contact_model::scene::description::Motion;
use fmu_core::fmi2::fmi2Status::*;
use fmu_core::fmi2::*;
use std::ptr::{null, null_mut};

/// Height of the ball after a fall of `time` [s].
fn fallen(time: f64) -> f64 {
    0.1 + HEIGHT - 0.5 * GRAVITY * time * time
}

fn last_time(importer: &Importer) -> f64 {
    let mut time = f64::NAN;
    let kind = fmi2LastSuccessfulTime;
    // SAFETY: the pointer is that of a local variable.
    let status = unsafe { fmi2GetRealStatus(importer.component, kind, &raw mut time) };
    assert_eq!(status, fmi2OK, "{:?}", importer.log());
    time
}

#[test]
fn a_ball_falls_freely_until_it_touches() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.initialize();
    let height = reference(&fmu, "ball.position[3]");
    for index in 0..14 {
        importer.whole_step(f64::from(index) * 0.01, 0.01);
        let time = f64::from(index + 1) * 0.01;
        assert!(time < impact_time());
        assert!((importer.value(height) - fallen(time)).abs() < 1e-9);
        assert_eq!(last_time(&importer), f64::from(index) * 0.01 + 0.01);
    }
}

#[test]
fn a_refused_step_leaves_time_and_states() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.initialize();
    importer.whole_step(0.0, 0.1);
    let before = importer.state_variables();
    importer.log();
    for (point, length, word) in [
        (0.1, 0.0, "size is 0"),
        (0.1, -0.1, "size is -0.1"),
        (0.1, f64::NAN, "size is NaN"),
        (0.3, 0.1, "point is 0.3"),
    ] {
        assert_eq!(importer.step(point, length), fmi2Error, "{word}");
        let reason = importer.reason();
        assert!(reason.starts_with("fmi2DoStep: "), "{reason}");
        assert!(reason.contains(word), "{reason}");
    }
    assert_eq!(last_time(&importer), 0.1);
    assert_eq!(importer.state_variables(), before);
    importer.whole_step(0.1, 0.1);
}

// [FMI 2.0] section 4.2.2: fmi2Discard says that a part of the step was computed; 4.2.3: after it
// the time reached is asked for; 4.2.2: the step may be done again from a state saved before it.
#[test]
fn a_step_that_fails_inside_is_discarded_and_can_be_done_again() {
    // One ball rests on the ground; a second one falls, and there is one indicator only.
    let mut description = falling_ball();
    let mut resting = description.bodies[1].clone();
    resting.name = "resting".into();
    resting.shapes[0].name = "resting".into();
    resting.position = [1.0, 0.0, 0.1 - 1e-6];
    description.bodies.push(resting);
    description.contact.nz_max = Some(1);
    let fmu = Fmu::new(description);
    let importer = co_simulation(&fmu);
    importer.initialize();
    importer.log();
    let saved = importer.state();
    assert_eq!(importer.step(0.0, 0.5), fmi2Discard);
    assert!(importer.reason().contains("nz_max"));
    let last = last_time(&importer);
    assert!(last >= impact_time() && last < 0.5, "{last}");
    let height = reference(&fmu, "ball.position[3]");
    assert!((importer.value(height) - fallen(last)).abs() < 1e-9);
    // The event is not forgotten: the ball does not fall through the ground.
    assert_eq!(importer.step(last, 0.1), fmi2Error);
    assert!(importer.reason().contains("nz_max"));
    assert_eq!(last_time(&importer), last);
    assert_eq!(importer.set_state(saved), fmi2OK);
    importer.free_state(saved);
    importer.whole_step(0.0, 0.1);
    assert!((importer.value(height) - fallen(0.1)).abs() < 1e-9);
}

#[test]
fn the_run_never_asks_to_be_ended() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.initialize();
    let mut ended = 7;
    let kind = fmi2Terminated;
    // SAFETY: the pointer is that of a local variable.
    let status = unsafe { fmi2GetBooleanStatus(importer.component, kind, &raw mut ended) };
    assert_eq!((status, ended), (fmi2OK, fmi2False));
}

// [FMI 2.0] section 4.2.3: a slave that cannot give a status answers fmi2Discard; the kinds
// of a step that goes on can be asked after fmi2Pending only.
#[test]
fn a_status_that_does_not_exist_is_discarded_with_the_reason() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.initialize();
    importer.log();
    let c = importer.component;
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
    for ((answer, start), (_, logged, _, text)) in answers.into_iter().zip(log) {
        assert_eq!((answer, logged), (fmi2Discard, fmi2Discard));
        assert!(text.starts_with(start), "{text}");
    }
    assert_eq!((status, real, integer, text), (fmi2Fatal, 1.0, 1, null()));
}

#[test]
fn a_status_kind_out_of_range_is_an_error() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.initialize();
    importer.log();
    for kind in [-1, 4] {
        // SAFETY: refused before anything is written.
        let status = unsafe { fmi2GetRealStatus(importer.component, kind, null_mut()) };
        assert_eq!(status, fmi2Error);
        assert!(importer.reason().contains(&format!("argument s is {kind}")));
    }
}

#[test]
fn there_is_no_step_to_cancel() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.initialize();
    importer.log();
    assert_eq!(importer.call(fmi2CancelStep), fmi2Error);
    assert!(importer.reason().contains("fmi2Pending"));
    importer.whole_step(0.0, 0.1);
}

/// A driven ball that moves, over a fixed one in the origin, both of 0.1 m radius: the gap depends
/// on all of the position.
#[test]
fn one_call_sets_the_place_of_a_driven_body_in_whatever_order() {
    let mut description = falling_ball();
    let [fixed, driven] = &mut description.bodies[..] else {
        panic!("ground and ball");
    };
    fixed.shapes[0].form = driven.shapes[0].form.clone();
    (driven.motion, driven.velocity) = (Motion::Driven, [0.1, 0.2, -0.3]);
    let fmu = Fmu::new(description);
    let position = [1, 2, 3].map(|i| reference(&fmu, &format!("ball.position[{i}]")));
    let gap = reference(&fmu, "contact.indicator[1]");
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let importer = co_simulation(&fmu);
        importer.initialize();
        importer.whole_step(0.0, 0.2);
        let called = order.map(|i| position[i]);
        let values = order.map(|i| [0.3, -0.4, 1.2][i]);
        assert_eq!(importer.set(&called, &values), fmi2OK);
        // 0.3^2 + 0.4^2 + 1.2^2 = 1.3^2; the indicator has a hysteresis of 2e-8 m.
        let found = importer.value(gap);
        assert!((found - 1.1).abs() < 3e-8, "{order:?}: {found}");
    }
}
