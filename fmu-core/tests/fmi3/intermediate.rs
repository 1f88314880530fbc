//! Intermediate update: what the importer is told inside a communication step, what it may do
//! there, early return on its request.

use crate::fmi3::importer::*;
use fmu_core::instance::Instance;
use std::ptr::null_mut;

const ALLOWED: Interface = Interface::CoSimulation {
    event_mode: false,
    early_return: true,
};
const NOT_ALLOWED: Interface = Interface::SIMPLE;
const WITH_EVENTS: Interface = Interface::CoSimulation {
    event_mode: true,
    early_return: true,
};

/// An initialised instance in Step Mode whose steps are listened to.
fn watched(fmu: &Fmu, interface: Interface) -> Importer {
    let importer = Importer::watched(fmu, interface, Some(&[])).unwrap();
    importer.initialize();
    if interface == WITH_EVENTS {
        assert_eq!(importer.update().0, fmi3OK);
        importer.ok(fmi3EnterStepMode);
    }
    importer.log();
    importer
}

/// A step that nobody wants to end; what was told.
fn listen(importer: &Importer, point: f64, length: f64) -> Vec<Told> {
    let mut all = Vec::new();
    let (status, flags, time) = importer.step_with(point, length, &mut |told| {
        all.push(told);
        Wish::GoOn
    });
    importer.fine(status);
    assert_eq!((flags, time), ([false; 3], point + length));
    all
}

/// Height and vertical velocity of the falling ball before its first contact.
fn free_fall(time: f64) -> [f64; 2] {
    [0.1 + HEIGHT - GRAVITY * time * time / 2.0, -GRAVITY * time]
}

fn assert_free_fall(importer: &Importer, time: f64) {
    let states = importer.state_variables();
    let found = [states[POSITION + 2], states[VELOCITY + 2]];
    for (found, expected) in found.into_iter().zip(free_fall(time)) {
        assert!((found - expected).abs() < 1e-12, "{found} at {time} s");
    }
}

#[test]
fn times_ascend_within_the_step_and_the_last_is_its_end() {
    let fmu = Fmu::falling_ball();
    for (interface, allowed) in [(ALLOWED, true), (NOT_ALLOWED, false)] {
        let importer = watched(&fmu, interface);
        let (mut before, mut count) = (0.0, 0);
        for i in 0..4 {
            // The ball is in contact in the second of them.
            let (start, length) = (f64::from(i) / 8.0, 0.125);
            let all = listen(&importer, start, length);
            for told in &all {
                assert!(told.time > before, "{told:?} after {before} s");
                before = told.time;
                let flags = [told.set_requested, told.get_allowed, told.step_finished];
                assert_eq!(flags, [false, true, true]);
                let can_return = allowed && told.time < start + length;
                assert_eq!(told.can_return_early, can_return);
            }
            assert_eq!(before, start + length);
            count += all.len();
        }
        assert!(count > 4, "{count}");
    }
}

#[test]
fn values_read_inside_are_those_of_free_fall_at_that_time() {
    let fmu = Fmu::falling_ball();
    let names = ["ball.position[3]", "energy.kinetic"].map(|name| reference(&fmu, name));
    let importer = Importer::watched(&fmu, NOT_ALLOWED, Some(&names)).unwrap();
    importer.initialize();
    let mass = importer.value(reference(&fmu, "ball.mass"));
    let acceleration = reference(&fmu, "der(ball.velocity[3])");
    let mut count = 0;
    let (status, ..) = importer.step_with(0.0, 0.125, &mut |told| {
        count += 1;
        assert_eq!(importer.value(1), told.time);
        assert_free_fall(&importer, told.time);
        assert_eq!(importer.value(acceleration), -GRAVITY);
        let speed = GRAVITY * told.time;
        let kinetic = importer.value(names[1]);
        assert!((kinetic - mass * speed * speed / 2.0).abs() < 1e-12);
        Wish::GoOn
    });
    importer.fine(status);
    assert!(count > 1);
    assert_eq!(importer.value(1), 0.125);
}

/// Reads all Float64 variables, the formula and the number of contacts.
fn read_everything(fmu: &Fmu, importer: &Importer) {
    let count = reference(fmu, "contact.count");
    let solver = reference(fmu, "experiment.solver");
    assert_eq!(importer.int32(solver), 1);
    for variable in 1..=importer_count(fmu) {
        if variable != count && variable != solver {
            importer.value(variable);
        }
    }
    importer.int32(count);
}

fn importer_count(fmu: &Fmu) -> u32 {
    reference(fmu, "energy.contact_elastic")
}

#[test]
fn a_listener_who_reads_everything_changes_no_bit_and_no_work() {
    let fmu = Fmu::falling_ball();
    let (alone, listened) = (fmu.co_simulation(), watched(&fmu, NOT_ALLOWED));
    alone.initialize();
    alone.log();
    for i in 0..64 {
        let (start, length) = (f64::from(i) / 64.0, 1.0 / 64.0);
        alone.whole_step(start, length);
        let (status, ..) = listened.step_with(start, length, &mut |_| {
            read_everything(&fmu, &listened);
            Wish::GoOn
        });
        listened.fine(status);
        assert_eq!(alone.state_variables(), listened.state_variables());
    }
    for importer in [&alone, &listened] {
        importer.ok(fmi3Terminate);
    }
    // Contacts, events, and the counters of the integrator.
    assert_eq!(alone.log(), listened.log());
}

#[test]
fn an_event_the_instance_handles_is_handled_when_the_importer_is_told() {
    let fmu = Fmu::falling_ball();
    let importer = watched(&fmu, NOT_ALLOWED);
    let force = reference(&fmu, "ball.contact_force[3]");
    let mut starts = Vec::new();
    let mut forces = Vec::new();
    let (status, ..) = importer.step_with(0.0, 0.15, &mut |told| {
        let lines = importer.logged("contacts");
        starts.extend(lines.iter().map(|line| (line.clone(), told.time)));
        forces.push((told.time, importer.value(force)));
        Wish::GoOn
    });
    assert_eq!(status, fmi3OK);
    let [(line, time), ..] = &starts[..] else {
        panic!("no contact");
    };
    assert!(
        line.starts_with(&format!("contact start: t={time:?} ")),
        "{line} at {time}"
    );
    for (told, force) in forces {
        assert_eq!(force > 0.0, told >= *time, "{force} N at {told} s");
    }
}

#[test]
fn a_return_here_and_now_goes_on_to_the_same_bits() {
    let fmu = Fmu::falling_ball();
    let (whole, broken) = (fmu.co_simulation(), watched(&fmu, ALLOWED));
    whole.initialize();
    whole.log();
    let mut returns = 0;
    for i in 0..64 {
        let (start, end) = (f64::from(i) / 64.0, f64::from(i + 1) / 64.0);
        whole.whole_step(start, end - start);
        let mut time = start;
        while time < end {
            let (mut last, mut count) = (time, 0);
            let (status, flags, reached) = broken.step_with(time, end - time, &mut |told| {
                last = told.time;
                count += 1;
                // Both ways to say it; the second point, so that steps are longer than one.
                match (count, returns % 2) {
                    (1, _) => Wish::GoOn,
                    (_, 0) => Wish::Return,
                    _ => Wish::ReturnAt(told.time),
                }
            });
            broken.fine(status);
            assert_eq!((flags, reached), ([false, false, reached < end], last));
            assert!(reached == end || count == 2);
            returns += u32::from(reached < end);
            time = reached;
        }
        assert_eq!(whole.state_variables(), broken.state_variables());
    }
    assert!(returns > 64, "{returns}");
    assert_eq!(whole.logged("contacts"), broken.logged("contacts"));
}

#[test]
fn a_return_at_a_later_time_is_exact_and_the_motion_goes_on() {
    let fmu = Fmu::falling_ball();
    let (point, broken) = (fmu.co_simulation(), watched(&fmu, ALLOWED));
    point.initialize();
    // A time that no internal step meets by itself.
    let wanted = 0.123_456_789;
    let mut all = Vec::new();
    let (status, flags, reached) = broken.step_with(0.0, 0.5, &mut |told| {
        all.push(told);
        match all.len() {
            1 => Wish::ReturnAt(wanted),
            _ => Wish::GoOn,
        }
    });
    let expected = (fmi3OK, [false, false, true], wanted);
    assert_eq!((status, flags, reached), expected);
    assert!(all[0].time < wanted && all.last().unwrap().time == wanted);
    assert!(all.last().unwrap().can_return_early);
    assert_eq!(broken.value(1), wanted);
    assert_free_fall(&broken, wanted);
    // The same as with a communication point there.
    point.whole_step(0.0, wanted);
    for importer in [&broken, &point] {
        importer.whole_step(wanted, 0.5 - wanted);
    }
    assert_eq!(point.state_variables(), broken.state_variables());
}

#[test]
fn the_last_wish_counts_and_the_end_of_the_step_is_no_early_return() {
    let fmu = Fmu::falling_ball();
    let importer = watched(&fmu, ALLOWED);
    let mut wishes = [Wish::ReturnAt(0.1), Wish::ReturnAt(0.07), Wish::GoOn].into_iter();
    let (status, flags, time) =
        importer.step_with(0.0, 0.125, &mut |_| wishes.next().unwrap_or(Wish::GoOn));
    assert_eq!((status, flags, time), (fmi3OK, [false, false, true], 0.07));
    let (status, flags, time) = importer.step_with(0.07, 0.055, &mut |_| Wish::ReturnAt(0.125));
    assert_eq!((status, flags, time), (fmi3OK, [false; 3], 0.125));
    // At the end there is nothing left to return from.
    let (status, flags, time) =
        importer.step_with(0.125, 0.001, &mut |told| match told.can_return_early {
            true => Wish::GoOn,
            false => Wish::Return,
        });
    assert_eq!((status, flags, time), (fmi3OK, [false; 3], 0.126));
    assert_free_fall(&importer, 0.126);
}

#[test]
fn a_time_to_return_at_outside_of_the_step_is_an_error_with_the_range() {
    let fmu = Fmu::falling_ball();
    for wanted in [-0.5, 0.05, 0.1875, 7.0, f64::INFINITY, f64::NAN] {
        let importer = watched(&fmu, ALLOWED);
        importer.whole_step(0.0, 0.0625);
        importer.log();
        let mut here = f64::NAN;
        let (status, flags, time) = importer.step_with(0.0625, 0.0625, &mut |told| {
            here = told.time;
            Wish::ReturnAt(wanted)
        });
        assert_eq!((status, flags, time), (fmi3Error, [false; 3], here));
        importer.says(&["fmi3DoStep", &format!("{wanted} s"), "0.0625 s to 0.125 s"]);
        // It stays where it was and can go on.
        assert_eq!(importer.value(1), here);
        importer.step(here, 0.125 - here);
        assert_free_fall(&importer, importer.value(1));
    }
}

#[test]
fn a_time_that_has_passed_ends_the_step_with_a_remark() {
    let fmu = Fmu::falling_ball();
    let importer = watched(&fmu, ALLOWED);
    let mut first = None;
    let mut here = 0.0;
    let (status, flags, time) = importer.step_with(0.0, 0.125, &mut |told| {
        here = told.time;
        match first {
            None => {
                first = Some(told.time);
                Wish::GoOn
            }
            Some(passed) => Wish::ReturnAt(passed),
        }
    });
    let expected = (fmi3Warning, [false, false, true], here);
    assert_eq!((status, flags, time), expected);
    let reason = importer.reason();
    assert!(
        reason.contains(&format!("{} s", first.unwrap())) && reason.contains(&format!("{here} s")),
        "{reason}"
    );
    assert_free_fall(&importer, here);
}

#[test]
fn without_leave_a_request_is_remarked_and_the_step_goes_to_its_end() {
    let fmu = Fmu::falling_ball();
    let importer = watched(&fmu, NOT_ALLOWED);
    let (status, flags, time) = importer.step_with(0.0, 0.125, &mut |_| Wish::Return);
    assert_eq!((status, flags, time), (fmi3Warning, [false; 3], 0.125));
    importer.says(&["earlyReturnAllowed"]);
    assert_free_fall(&importer, 0.125);
}

#[test]
fn with_event_mode_the_importer_is_told_of_the_event_before_the_step_returns() {
    let fmu = Fmu::falling_ball();
    let (plain, importer) = (fmu.with_event_mode(true), watched(&fmu, WITH_EVENTS));
    plain.initialize();
    plain.ok(fmi3EnterStepMode);
    plain.log();
    let mut time = 0.0;
    while time < 0.5 {
        let mut last = 0.0;
        // A wish beyond the event does not keep the event back.
        let answer = importer.step_with(time, 0.5 - time, &mut |told| {
            last = told.time;
            Wish::ReturnAt(0.5)
        });
        assert_eq!(answer, plain.step(time, 0.5 - time));
        let (status, [event, ..], reached) = answer;
        assert_eq!((status, reached), (fmi3OK, last));
        assert_eq!(event, reached < 0.5);
        if event {
            plain.event(fmi3EnterStepMode);
            importer.event(fmi3EnterStepMode);
        }
        assert_eq!(plain.state_variables(), importer.state_variables());
        time = reached;
    }
    assert_eq!(plain.log(), importer.log());
}

#[test]
fn what_is_not_allowed_inside_a_step_is_refused_and_the_step_goes_on() {
    let fmu = Fmu::falling_ball();
    let (alone, importer) = (fmu.with_event_mode(true), watched(&fmu, WITH_EVENTS));
    alone.initialize();
    alone.ok(fmi3EnterStepMode);
    let saved = importer.state();
    let mass = reference(&fmu, "ball.mass");
    let refused = |status: fmi3Status| {
        importer.refused(status, &["in Intermediate Update Mode"]);
    };
    #[rustfmt::skip]
    let plain: [unsafe extern "C" fn(fmi3Instance) -> fmi3Status; 7] = [
        fmi3Reset, fmi3Terminate, fmi3EnterEventMode, fmi3EnterStepMode, fmi3ExitInitializationMode,
        fmi3EvaluateDiscreteStates, fmi3EnterContinuousTimeMode,
    ];
    let (status, ..) = importer.step_with(0.0, 0.125, &mut |told| {
        for function in plain {
            importer.refused(importer.call(function), &[]);
        }
        refused(importer.call(fmi3Reset));
        refused(importer.step(told.time, 0.01).0);
        refused(importer.update().0);
        refused(importer.set(&[mass], &[2.0]));
        refused(importer.set_state(saved));
        let mut state = null_mut();
        // SAFETY: the instance lives, the pointer is that of a local variable.
        refused(unsafe { fmi3GetFMUState(importer.instance, &raw mut state) });
        assert_eq!(state, null_mut());
        // SAFETY: refused before anything is freed.
        unsafe { fmi3FreeInstance(importer.instance) };
        importer.says(&["fmi3FreeInstance"]);
        importer.refused(importer.get(&[99_999], &mut [0.0]), &[]);
        Wish::GoOn
    });
    assert_eq!(status, fmi3OK);
    assert_eq!(importer.log(), []);
    alone.whole_step(0.0, 0.125);
    assert_eq!(alone.state_variables(), importer.state_variables());
    importer.free_state(saved);
}

#[test]
fn an_instance_made_unusable_inside_a_step_ends_it_with_an_error_and_can_be_reset() {
    let fmu = Fmu::falling_ball();
    let importer = watched(&fmu, NOT_ALLOWED);
    let (status, flags, _) = importer.step_with(0.0, 0.125, &mut |_| {
        // SAFETY: the instance lives and nobody refers to it inside the callback.
        unsafe { (*importer.instance.cast::<Instance>()).poison() };
        Wish::GoOn
    });
    assert_eq!((status, flags), (fmi3Error, [false; 3]));
    importer.says(&["only reset and free"]);
    importer.ok(fmi3Reset);
    importer.initialize();
    listen(&importer, 0.0, 0.125);
    assert_free_fall(&importer, 0.125);
}

#[test]
fn variables_wanted_inside_steps_must_exist() {
    let fmu = Fmu::falling_ball();
    let known = reference(&fmu, "ball.position[3]");
    assert!(Importer::watched(&fmu, ALLOWED, Some(&[known])).is_ok());
    let Err(messages) = Importer::watched(&fmu, ALLOWED, Some(&[known, 77_777])) else {
        panic!("an instance was made");
    };
    let [(status, category, text)] = &messages[..] else {
        panic!("{messages:?}");
    };
    assert_eq!((*status, category.as_str()), (fmi3Error, "errors"));
    for part in [
        "fmi3InstantiateCoSimulation",
        "requiredIntermediateVariables",
        "77777",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_strict_instance_reads_inside_steps_only_what_was_announced() {
    let mut description = falling_ball();
    description.interface.strict = true;
    let fmu = Fmu::new(description);
    let [height, speed, mass] =
        ["ball.position[3]", "ball.velocity[3]", "ball.mass"].map(|name| reference(&fmu, name));
    let importer = Importer::watched(&fmu, ALLOWED, Some(&[height])).unwrap();
    importer.initialize();
    importer.log();
    let (status, ..) = importer.step_with(0.0, 0.125, &mut |told| {
        assert!((importer.value(height) - free_fall(told.time)[0]).abs() < 1e-12);
        assert_eq!(importer.get(&[height, speed], &mut [0.0; 2]), fmi3Error);
        importer.says(&[&format!("reference {speed} ")]);
        Wish::GoOn
    });
    assert_eq!(status, fmi3OK);
    importer.value(speed);
    // A parameter has no intermediateUpdate in the model description.
    let refused = Importer::watched(&fmu, ALLOWED, Some(&[mass]));
    assert!(refused.err().unwrap()[0].2.contains("ball.mass"));
}
