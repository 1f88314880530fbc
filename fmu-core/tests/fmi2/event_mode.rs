//! Event Mode: one update is enough, and contacts belong to the states that it is left with.

use crate::fixtures::*;
use crate::fmi2::importer::*;

/// States of the ball: 1 mm deep, moving down at `speed` [m/s].
fn touching(importer: &Importer, speed: f64) -> Vec<f64> {
    let mut states = importer.continuous_states();
    states[POSITION + 2] = 0.099;
    states[VELOCITY + 2] = -speed;
    states
}

/// States of the ball 1 m above the ground.
fn flying(importer: &Importer) -> Vec<f64> {
    let mut states = importer.continuous_states();
    states[POSITION + 2] = 1.1;
    states
}

/// Derivatives and indicators of an importer that sets the states before it enters Event Mode.
fn careful(fmu: &Fmu, states: &[f64]) -> [Vec<f64>; 2] {
    let importer = model_exchange(fmu);
    importer.start_integration();
    importer.fine(importer.set_states(states));
    importer.event();
    [importer.derivatives(), importer.event_indicators()]
}

fn answers(importer: &Importer) -> [Vec<f64>; 2] {
    importer.ok(fmi2EnterContinuousTimeMode);
    [importer.derivatives(), importer.event_indicators()]
}

#[test]
fn one_update_is_enough_and_fills_all_of_the_event_info() {
    let nothing = fmi2EventInfo {
        newDiscreteStatesNeeded: fmi2False,
        terminateSimulation: fmi2False,
        nominalsOfContinuousStatesChanged: fmi2False,
        valuesOfContinuousStatesChanged: fmi2False,
        nextEventTimeDefined: fmi2False,
        nextEventTime: 0.0,
    };
    // A new contact asks importers to restart, strict or not.
    let restart = fmi2EventInfo {
        nominalsOfContinuousStatesChanged: fmi2True,
        ..nothing
    };
    for fmu in [Fmu::falling_ball(), Fmu::strict()] {
        let importer = integrating(&fmu);
        importer.fine(importer.set_states(&touching(&importer, 1.0)));
        importer.ok(fmi2EnterEventMode);
        let before = importer.nominals();
        assert_eq!(importer.update(), restart);
        let after = importer.nominals();
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(after / before, 1025.0 / 1024.0, "{before} {after}");
        }
        let first = importer.derivatives();
        assert!(first[VELOCITY + 2] > 0.0, "pushed up: {first:?}");
        assert_eq!(importer.update(), nothing);
        assert_eq!(importer.nominals(), after);
        assert_eq!(importer.derivatives(), first);
    }
}

#[test]
fn states_set_after_the_update_are_those_of_the_contacts() {
    let fmu = Fmu::falling_ball();
    for speed in [0.0, 0.3, 2.0] {
        let importer = integrating(&fmu);
        importer.ok(fmi2EnterEventMode);
        importer.update();
        let states = touching(&importer, speed);
        importer.fine(importer.set_states(&states));
        assert_eq!(answers(&importer), careful(&fmu, &states));
    }
}

#[test]
fn the_impact_speed_is_that_of_the_states_set_last() {
    let fmu = Fmu::falling_ball();
    let importer = integrating(&fmu);
    importer.ok(fmi2EnterEventMode);
    let (slow, fast) = (touching(&importer, 0.2), touching(&importer, 2.0));
    assert_ne!(careful(&fmu, &slow), careful(&fmu, &fast));
    importer.fine(importer.set_states(&slow));
    importer.update();
    importer.fine(importer.set_states(&fast));
    let expected = careful(&fmu, &fast);
    assert_eq!(answers(&importer), expected);
    // The same with an update of its own, and with variables.
    importer.event();
    importer.fine(importer.set_states(&flying(&importer)));
    importer.event();
    importer.ok(fmi2EnterEventMode);
    importer.fine(importer.set_states(&slow));
    importer.update();
    let references: Vec<u32> = (1..=importer.states as u32).collect();
    importer.fine(importer.set(&references, &fast));
    importer.update();
    assert_eq!(answers(&importer), expected);
}

#[test]
fn a_contact_whose_states_are_set_away_is_no_contact() {
    let importer = integrating(&Fmu::falling_ball());
    importer.ok(fmi2EnterEventMode);
    importer.fine(importer.set_states(&touching(&importer, 1.0)));
    importer.update();
    importer.fine(importer.set_states(&flying(&importer)));
    let [derivatives, indicators] = answers(&importer);
    assert_eq!(derivatives[VELOCITY + 2], -GRAVITY);
    assert!(indicators[0] > 0.0);
}

#[test]
fn states_set_in_the_first_event_mode_are_start_values() {
    let fmu = Fmu::falling_ball();
    for update_first in [false, true] {
        let started = |importer: &Importer, states: &[f64]| {
            importer.enter_initialization();
            let references: Vec<u32> = (1..=importer.states as u32).collect();
            importer.fine(importer.set(&references, states));
            importer.ok(fmi2ExitInitializationMode);
        };
        let direct = model_exchange(&fmu);
        let (slow, fast) = (
            touching(&direct_states(&fmu), 0.2),
            touching(&direct_states(&fmu), 2.0),
        );
        started(&direct, &fast);
        direct.update();
        let expected = answers(&direct);
        let importer = model_exchange(&fmu);
        started(&importer, &slow);
        if update_first {
            importer.update();
        }
        importer.fine(importer.set_states(&fast));
        assert_eq!(answers(&importer), expected);
    }
}

/// An instance whose states are the start values.
fn direct_states(fmu: &Fmu) -> Importer {
    let importer = model_exchange(fmu);
    importer.initialize();
    importer
}

#[test]
fn states_written_back_as_they_are_keep_the_contacts_of_the_run() {
    // With a damping that remembers the start of the contact.
    let mut description = falling_ball();
    description.contact.law.damping = Damping::Exact;
    let fmu = Fmu::new(description);
    let importer = integrating(&fmu);
    let fast = touching(&importer, 2.0);
    importer.fine(importer.set_states(&fast));
    importer.event();
    // Deeper and slower: the damping of the impact stays.
    let slow = touching(&importer, 0.2);
    importer.fine(importer.set_states(&slow));
    let before = importer.derivatives();
    importer.ok(fmi2EnterEventMode);
    importer.update();
    importer.fine(importer.set_states(&slow));
    assert_eq!(answers(&importer)[0], before);
    assert_ne!(before, careful(&fmu, &slow)[0]);
}

#[test]
fn a_later_event_may_follow_without_leaving_event_mode() {
    let importer = integrating(&Fmu::falling_ball());
    let fast = touching(&importer, 2.0);
    importer.fine(importer.set_states(&fast));
    importer.ok(fmi2EnterEventMode);
    importer.update();
    importer.fine(importer.set_time(0.25));
    importer.ok(fmi2EnterEventMode);
    // The contact of the event before goes on, with the damping of its impact.
    importer.fine(importer.set_states(&touching(&importer, 0.2)));
    let going_on = importer.derivatives();
    importer.update();
    assert_eq!(answers(&importer)[0], going_on);
}

#[test]
fn an_update_taken_back_is_part_of_the_state() {
    let fmu = Fmu::falling_ball();
    let importer = integrating(&fmu);
    let (slow, fast) = (touching(&importer, 0.2), touching(&importer, 2.0));
    importer.ok(fmi2EnterEventMode);
    importer.fine(importer.set_states(&slow));
    importer.update();
    let saved = importer.state();
    let bytes = importer.serialize(saved);
    let other = model_exchange(&fmu);
    other.restore(&bytes);
    importer.free_state(saved);
    for instance in [&importer, &other] {
        instance.fine(instance.set_states(&fast));
        assert_eq!(answers(instance), careful(&fmu, &fast));
    }
}

/// In FMI 2.0 states may be set in Event Mode: an update that came before is taken back, and with
/// it the contact that it counted.
#[test]
fn contacts_are_counted_at_the_states_set_last() {
    let mut description = falling_ball();
    description.report = Report::All;
    let fmu = Fmu::new(description);
    let importer = model_exchange(&fmu);
    let report = |name: &str| reference(&fmu, &format!("contact.ground.ball.{name}"));
    let (touching_now, count) = (report("in_contact"), report("count"));
    let history = || {
        let (mut truth, mut number) = ([7], [7]);
        // SAFETY: the pointers are those of local variables.
        let status = unsafe {
            let c = importer.instance;
            [
                fmi2GetBoolean(c, &raw const touching_now, 1, truth.as_mut_ptr()),
                fmi2GetInteger(c, &raw const count, 1, number.as_mut_ptr()),
            ]
        };
        assert_eq!(status, [fmi2OK; 2]);
        (
            truth[0],
            number[0],
            importer.value(report("last_impact_speed")),
        )
    };
    importer.start_integration();
    assert_eq!(history(), (fmi2False, 0, 0.0));
    let up = flying(&importer);
    importer.fine(importer.set_states(&touching(&importer, 1.0)));
    importer.ok(fmi2EnterEventMode);
    importer.update();
    importer.update();
    assert_eq!(history(), (fmi2True, 1, 1.0));
    for (states, expected) in [
        (touching(&importer, 3.0), (fmi2True, 1, 3.0)),
        (up, (fmi2False, 0, 0.0)),
        (touching(&importer, 2.0), (fmi2True, 1, 2.0)),
    ] {
        importer.fine(importer.set_states(&states));
        importer.update();
        assert_eq!(history(), expected);
    }
    importer.ok(fmi2EnterContinuousTimeMode);
    importer.event();
    assert_eq!(history(), (fmi2True, 1, 2.0));
    let refused = fmi2True;
    // SAFETY: the pointers are those of local variables.
    let set = unsafe {
        fmi2SetBoolean(
            importer.instance,
            &raw const touching_now,
            1,
            &raw const refused,
        )
    };
    assert_eq!(set, fmi2Error);
}
