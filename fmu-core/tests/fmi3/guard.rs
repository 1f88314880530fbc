//! Event indicators that hold the minimum since the last completed step.
//!
//! A ball flies straight through a plate of 20 mm between two looks; where it is follows from its
//! speed alone.

use crate::fixtures::*;
use crate::fmi3::importer::*;

const RADIUS: f64 = 0.1;
const HALF_PLATE: f64 = 0.01;
const SPEED: f64 = 40.0;
/// Contact starts at this gap [m].
const THRESHOLD: f64 = -2e-8;

/// A ball 1 m above the middle of a plate that falls at 40 m/s, without gravity.
fn shot(guard: Guard) -> Fmu {
    let mut description = falling_ball();
    description.gravity = Gravity::None;
    description.interface.guard = guard;
    description.bodies[0].shapes[0].form = cuboid([2.0, 2.0, 2.0 * HALF_PLATE]);
    description.bodies[0].shapes[0].smoothing_radius = Some(0.0);
    description.bodies[0].position = [0.0; 3];
    description.bodies[1].position = [0.0, 0.0, 1.0];
    description.bodies[1].velocity = [0.0, 0.0, -SPEED];
    Fmu::new(description)
}

/// Gap [m] at a time [s].
fn gap(time: f64) -> f64 {
    (1.0 - SPEED * time).abs() - RADIUS - HALF_PLATE
}

fn touches_at() -> f64 {
    (1.0 - RADIUS - HALF_PLATE - THRESHOLD) / SPEED
}

/// Goes to a time [s]; the indicator there.
fn look(importer: &Importer, start: &[f64], time: f64) -> f64 {
    let mut states = start.to_vec();
    states[2] = 1.0 - SPEED * time;
    importer.fine(importer.set_time(time));
    importer.fine(importer.set_states(&states));
    importer.event_indicators()[0]
}

#[test]
fn a_passage_stays_negative_and_its_root_is_the_time_of_contact() {
    let fmu = shot(Guard::Importer);
    let importer = fmu.integrating();
    let start = importer.continuous_states();
    // Beyond the plate, where the gap is 0.89 m as at the start.
    assert!(look(&importer, &start, 0.05) < 0.0);
    let (mut before, mut after) = (0.0, 0.05);
    for _ in 0..60 {
        let middle = 0.5 * (before + after);
        match look(&importer, &start, middle) > 0.0 {
            true => before = middle,
            false => after = middle,
        }
    }
    near!(after, touches_at(), 1e-15);
    // On the way there it is the plain one.
    for part in [0.0, 0.3, 0.9, 0.999] {
        let time = part * touches_at();
        let found = look(&importer, &start, time);
        assert!((found - (gap(time) - THRESHOLD)).abs() < 1e-15, "{found}");
    }
    // The event there finds the contact.
    look(&importer, &start, after);
    importer.ok(fmi3EnterEventMode);
    importer.leave_event_mode();
    let started = &importer.logged("contacts")[0];
    assert!(started.starts_with("contact start: "), "{started}");
}

#[test]
fn without_guard_the_indicator_is_the_gap_wherever_the_body_was_before() {
    let fmu = shot(Guard::Off);
    let importer = fmu.integrating();
    let start = importer.continuous_states();
    for time in [0.0, 0.02, 0.025, 0.03, 0.05] {
        let found = look(&importer, &start, time);
        assert!((found - (gap(time) - THRESHOLD)).abs() < 1e-15);
    }
}

#[test]
fn what_was_before_the_last_completed_step_is_forgotten_and_an_earlier_time_has_no_past() {
    let fmu = shot(Guard::Importer);
    let importer = fmu.integrating();
    let start = importer.continuous_states();
    // A solver that does not look back goes on beyond the plate.
    assert!(look(&importer, &start, 0.04) < 0.0);
    assert!(!importer.completed_step());
    for time in [0.04, 0.05] {
        assert!((look(&importer, &start, time) - (gap(time) - THRESHOLD)).abs() < 1e-15);
    }
    // Back before that step: the present gap.
    let time = 0.01;
    assert!((look(&importer, &start, time) - (gap(time) - THRESHOLD)).abs() < 1e-15);
}

#[test]
fn a_restored_state_holds_the_minimum_of_the_saved_one() {
    let fmu = shot(Guard::Importer);
    let importer = fmu.integrating();
    let start = importer.continuous_states();
    look(&importer, &start, 0.01);
    assert!(!importer.completed_step());
    let expected = look(&importer, &start, 0.05);
    assert!(expected < 0.0);
    let saved = importer.state();
    let bytes = importer.serialize(saved);
    assert!(!importer.completed_step());
    let found = look(&importer, &start, 0.05);
    assert!(found > 0.0, "the passage is behind the last step");
    importer.fine(importer.set_state(saved));
    assert_eq!(importer.event_indicators()[0], expected);
    let other = fmu.integrating();
    other.restore(&bytes);
    assert_eq!(other.event_indicators()[0], expected);
    importer.free_state(saved);
}

#[test]
fn time_set_after_the_states_is_seen() {
    let fmu = shot(Guard::Importer);
    let importer = fmu.integrating();
    let mut states = importer.continuous_states();
    states[2] = 1.0 - SPEED * 0.05;
    importer.fine(importer.set_states(&states));
    importer.fine(importer.set_time(0.05));
    assert!(importer.event_indicators()[0] < 0.0);
}

/// A ball or a box that tumbles falls on the plate.
fn drop(seed: &mut u64, guard: Guard) -> Fmu {
    let mut description = falling_ball();
    description.interface.guard = guard;
    description.bodies[0].shapes[0].form = cuboid([20.0, 20.0, 2.0 * HALF_PLATE]);
    description.bodies[0].shapes[0].smoothing_radius = Some(0.0);
    description.bodies[0].position = [0.0; 3];
    let body = &mut description.bodies[1];
    body.position = [0.0, 0.0, 2.0 + 6.0 * fraction(seed)];
    body.velocity = [0, 1, 2].map(|_| fraction(seed) - 0.5);
    if fraction(seed) < 0.5 {
        body.shapes[0].form = cuboid([0, 1, 2].map(|_| 0.1 + 0.2 * fraction(seed)));
        body.angular_velocity = [0, 1, 2].map(|_| 10.0 * (fraction(seed) - 0.5));
    }
    Fmu::new(description)
}

/// The contacts that have started until `end` [s] in a master with steps of 0.1 s by the classical
/// formula of Runge and Kutta, which looks at indicators after it has called a step completed, at
/// each trial point too, or never calls it.
fn fall(importer: &Importer, completes: bool, end: f64) -> Vec<String> {
    importer.initialize();
    let event = || {
        let (status, flags, next) = importer.update();
        assert_eq!(status, fmi3OK);
        importer.ok(fmi3EnterContinuousTimeMode);
        if flags[4] { next } else { f64::INFINITY }
    };
    let mut next = event();
    let (mut time, mut states) = (0.0, importer.continuous_states());
    let mut positive: Vec<bool> = importer
        .event_indicators()
        .iter()
        .map(|z| *z > 0.0)
        .collect();
    while time < end {
        let h = f64::min(0.1, next - time);
        let rates = |part: f64, rates: Option<&[f64]>| {
            let moved = states.iter().enumerate();
            let moved: Vec<f64> = moved
                .map(|(i, x)| x + rates.map_or(0.0, |r| part * h * r[i]))
                .collect();
            importer.fine(importer.set_time(time + part * h));
            importer.fine(importer.set_states(&moved));
            let rates = importer.derivatives();
            if completes {
                importer.completed_step();
            }
            rates
        };
        let k_1 = rates(0.0, None);
        let k_2 = rates(0.5, Some(&k_1));
        let k_3 = rates(0.5, Some(&k_2));
        let k_4 = rates(1.0, Some(&k_3));
        for (i, x) in states.iter_mut().enumerate() {
            *x += h * (k_1[i] + 2.0 * (k_2[i] + k_3[i]) + k_4[i]) / 6.0;
        }
        time = if h < 0.1 { next } else { time + h };
        importer.fine(importer.set_time(time));
        importer.fine(importer.set_states(&states));
        if completes {
            importer.completed_step();
        }
        let now: Vec<bool> = importer
            .event_indicators()
            .iter()
            .map(|z| *z > 0.0)
            .collect();
        if time >= next || completes && now != positive {
            importer.ok(fmi3EnterEventMode);
            next = event();
            states = importer.continuous_states();
            let started = importer.logged("contacts");
            if !started.is_empty() {
                return started;
            }
        }
        positive = now;
    }
    importer.logged("contacts")
}

#[test]
fn time_events_find_contacts_for_masters_that_look_too_late() {
    time_events_find_contacts(20);
}

#[test]
#[ignore = "long: a hundred scenes"]
fn time_events_find_contacts_for_many_masters_that_look_too_late() {
    time_events_find_contacts(100);
}

fn time_events_find_contacts(cases: usize) {
    let mut missed = [0; 2];
    for (place, guard) in [Guard::Time, Guard::Importer].into_iter().enumerate() {
        let mut seed = 7;
        for case in 0..cases {
            let fmu = drop(&mut seed, guard);
            let importer = fmu.model_exchange();
            let started = fall(&importer, case % 2 == 0, 3.0);
            let found = started
                .iter()
                .any(|line| line.starts_with("contact start: "));
            // At the time event the body is not deeper than it falls in 1e-7 of its flight.
            let is_shallow = importer.continuous_states()[2] > HALF_PLATE;
            missed[place] += usize::from(!(found && is_shallow));
        }
    }
    assert_eq!(missed[0], 0);
    assert!(missed[1] > cases / 10 * 9, "{missed:?}");
}
