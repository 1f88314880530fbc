//! Co-Simulation: communication steps, events inside and outside, arguments.

use crate::fmi3::importer::*;
use fmu_core::fmi3::fmi3Status::*;
use fmu_core::fmi3::*;

/// The number after `key=` in a logged line.
fn number(line: &str, key: &str) -> f64 {
    let word = line.split(' ').find_map(|w| w.strip_prefix(key));
    word.unwrap().parse().unwrap()
}

#[test]
fn a_ball_lands_when_and_as_fast_as_free_fall_says() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.initialize();
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
    let importer = fmu.with_event_mode(true);
    importer.initialize();
    importer.ok(fmi3EnterStepMode);
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
fn step_sizes_that_are_not_positive_and_finite_are_errors_with_the_value() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.initialize();
    let before = importer.state_variables();
    for (length, word) in [
        (0.0, "is 0 s"),
        (-0.5, "-0.5"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "inf"),
    ] {
        importer.log();
        let (status, flags, time) = importer.step(0.0, length);
        assert_eq!((status, flags, time), (fmi3Error, [false; 3], 0.0));
        let reason = importer.reason();
        assert!(reason.contains(word), "{reason}");
    }
    assert_eq!(importer.state_variables(), before);
    importer.whole_step(0.0, 0.1);
}

#[test]
fn the_communication_point_must_be_the_present_time() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.initialize();
    importer.whole_step(0.0, 0.1);
    importer.log();
    for point in [0.0, 0.2, f64::NAN] {
        assert_eq!(importer.step(point, 0.1).0, fmi3Error);
        let reason = importer.reason();
        assert!(reason.contains("0.1 s"), "{reason}");
    }
    // A rounding of the importer's sum is no other time.
    let (status, _, time) = importer.step(0.1 + 1e-16, 0.1);
    assert_eq!((status, time), (fmi3OK, 0.1 + 1e-16 + 0.1));
}

#[test]
fn a_step_past_the_stop_time_is_an_error() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    // SAFETY: the instance lives.
    let status =
        unsafe { fmi3EnterInitializationMode(importer.instance, false, 0.0, 0.0, true, 0.3) };
    assert_eq!(status, fmi3OK);
    importer.ok(fmi3ExitInitializationMode);
    importer.whole_step(0.0, 0.2);
    importer.log();
    assert_eq!(importer.step(0.2, 0.2).0, fmi3Error);
    let reason = importer.reason();
    assert!(
        reason.contains("stop time") && reason.contains("0.3"),
        "{reason}"
    );
    assert_eq!(importer.step(0.2, 0.1).0, fmi3OK);
}

#[test]
fn a_step_that_fails_inside_tells_the_last_time_it_reached() {
    // One ball rests on the ground; a second one falls, and there is one indicator only.
    let mut description = falling_ball();
    let mut resting = description.bodies[1].clone();
    resting.name = "resting".into();
    resting.shapes[0].name = "resting".into();
    resting.position = [1.0, 0.0, 0.1 - 1e-6];
    description.bodies.push(resting);
    description.contact.nz_max = Some(1);
    let fmu = Fmu::new(description);
    let importer = fmu.co_simulation();
    importer.initialize();
    importer.log();
    let (status, flags, last) = importer.step(0.0, 0.5);
    assert_eq!((status, flags), (fmi3Error, [false; 3]));
    let reason = importer.reason();
    assert!(reason.contains("nz_max"), "{reason}");
    // It failed when the ball touched, at the end of an accepted step.
    assert!(last >= impact_time() && last < 0.5, "{last}");
    assert_eq!(importer.value(1), last);
    let height = importer.value(reference(&fmu, "ball.position[3]"));
    let expected = 0.1 + HEIGHT - GRAVITY * last * last / 2.0;
    assert!((height - expected).abs() < 1e-9, "{height} at {last} s");
    // The instance stays there: another communication point is refused.
    assert_eq!(importer.step(0.0, 0.5).0, fmi3Error);
    assert!(importer.reason().contains(&format!("is at {last} s")));
    // The event is not forgotten: the ball does not fall through the ground.
    assert_eq!(importer.step(last, 0.1), (fmi3Error, [false; 3], last));
    assert!(importer.reason().contains("nz_max"));
}

#[test]
fn the_work_done_is_logged_at_the_end() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.initialize();
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
    let importer = fmu.co_simulation();
    importer.initialize();
    importer.log();
    let height = reference(&fmu, "ball.position[3]");
    assert_eq!(importer.set(&[height], &[1.0]), fmi3Error);
    let reason = importer.reason();
    assert!(reason.contains("ball.position[3]"), "{reason}");
}

#[test]
fn interleaved_instances_do_not_know_each_other() {
    let fmu = Fmu::falling_ball();
    let run = |importer: &Importer, i: u32| importer.whole_step(f64::from(i) / 64.0, 1.0 / 64.0);
    let alone = fmu.co_simulation();
    alone.initialize();
    (0..64).for_each(|i| run(&alone, i));
    let (one, other) = (fmu.co_simulation(), fmu.co_simulation());
    let speed = reference(&fmu, "ball.velocity[1]");
    assert_eq!(other.set(&[speed], &[1.0]), fmi3OK);
    one.initialize();
    other.initialize();
    for i in 0..64 {
        run(&one, i);
        run(&other, i);
    }
    assert_eq!(one.state_variables(), alone.state_variables());
    assert_ne!(other.state_variables(), alone.state_variables());
}
