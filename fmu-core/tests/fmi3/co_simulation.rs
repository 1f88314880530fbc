//! Co-Simulation: communication steps, events inside and outside, arguments.

use crate::fmi3::importer::*;

#[test]
fn a_ball_lands_when_and_as_fast_as_free_fall_says() {
    let importer = Fmu::falling_ball().stepping();
    importer.whole_step(0.0, 0.2);
    let lines = importer.logged("contacts");
    // Contact starts 2 zEps = 2e-8 m deep.
    let fall = HEIGHT + 2e-8;
    let (time, speed) = ((2.0 * fall / GRAVITY).sqrt(), (2.0 * GRAVITY * fall).sqrt());
    assert!((number(&lines[0], "t=") - time).abs() < 1e-10, "{lines:?}");
    assert!((number(&lines[0], "speed=") - speed).abs() < 1e-8);
    assert!(lines[0].starts_with("contact start: t=") && lines[0].contains(" pair=ground:ball "));
    assert!(lines[1].starts_with("contact end: t=") && lines[1].ends_with(" pair=ground:ball"));
}

#[test]
fn early_returns_give_the_motion_of_events_handled_inside_to_the_bit() {
    let fmu = Fmu::falling_ball();
    let (inside, outside) = (fmu.co_simulation(), fmu.with_event_mode(true));
    inside.initialize();
    outside.initialize();
    assert_eq!(outside.update().0, fmi3OK);
    outside.ok(fmi3EnterStepMode);
    let mut events = 0;
    for i in 0..64 {
        // Multiples of 2^-6 s: point + (end - point) is the end exactly.
        let (start, end) = (f64::from(i) / 64.0, f64::from(i + 1) / 64.0);
        inside.whole_step(start, end - start);
        let mut time = start;
        while time < end {
            let (status, [event, terminate, early], last) = outside.step(time, end - time);
            assert_eq!((status, terminate), (fmi3OK, false), "{:?}", outside.log());
            assert_eq!(early, last < end);
            assert!(event || last == end);
            if event {
                events += 1;
                assert_eq!(outside.value(1), last);
                outside.event(fmi3EnterStepMode);
            }
            time = last;
        }
        let (a, b) = (inside.state_variables(), outside.state_variables());
        assert_eq!(a, b, "after {end} s");
    }
    assert!(events >= 6, "{events}");
    assert_eq!(inside.logged("contacts"), outside.logged("contacts"));
}

#[test]
fn without_leave_to_return_early_events_are_handled_inside() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.with_event_mode(false);
    importer.initialize();
    assert_eq!(importer.update().0, fmi3OK);
    importer.ok(fmi3EnterStepMode);
    importer.whole_step(0.0, 0.5);
    assert!(importer.logged("contacts").len() >= 2);
}

#[test]
fn an_event_that_the_importer_does_not_handle_is_handled_by_the_next_step() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.event_stepping(true);
    let (status, [event, _, early], time) = importer.step(0.0, 0.5);
    assert_eq!((status, event, early), (fmi3OK, true, true));
    assert_eq!(importer.logged("contacts"), [""; 0]);
    let (status, _, next) = importer.step(time, 0.5 - time);
    assert_eq!(status, fmi3OK);
    assert!(next > time);
    let lines = importer.logged("contacts");
    assert_eq!(number(&lines[0], "t="), time);
}

#[test]
fn the_work_done_is_logged_at_the_end() {
    let importer = Fmu::falling_ball().stepping();
    importer.whole_step(0.0, 0.5);
    importer.ok(fmi3Terminate);
    let lines = importer.logged("integrator");
    let [line] = &lines[..] else {
        panic!("{lines:?}");
    };
    assert!(line.starts_with("integrator: steps="), "{line}");
    for key in [
        "steps=",
        "rejected=",
        "derivative_calls=",
        "indicator_calls=",
    ] {
        assert!(number(line, key) >= 0.0);
    }
    // Two contacts, each with start and end.
    assert!(number(line, "events=") >= 2.0);
    assert!(number(line, "derivative_calls=") >= 6.0 * number(line, "steps="));
}

#[test]
fn states_cannot_be_set_in_step_mode() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.stepping();
    importer.log();
    let position = reference(&fmu, "ball.position[3]");
    importer.refused(importer.set(&[position], &[1.0]), &["ball.position[3]"]);
}
