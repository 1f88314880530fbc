//! Model Exchange: states, derivatives, indicators, events.

use crate::fmi3::importer::*;

#[test]
fn a_ball_in_flight_is_accelerated_by_gravity() {
    let importer = Fmu::falling_ball().integrating();
    let mut states = importer.continuous_states();
    states[VELOCITY..VELOCITY + 3].copy_from_slice(&[1.0, -2.0, 3.0]);
    importer.fine(importer.set_states(&states));
    let rates = importer.derivatives();
    assert_eq!(rates[POSITION..POSITION + 3], [1.0, -2.0, 3.0]);
    assert_eq!(rates[VELOCITY..VELOCITY + 3], [0.0, 0.0, -GRAVITY]);
}

#[test]
fn vectors_equal_the_variables_behind_them() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.integrating();
    let mut states = importer.continuous_states();
    for height in [0.7, 0.4, 0.3] {
        states[POSITION + 2] = height;
        importer.fine(importer.set_states(&states));
        assert_eq!(importer.state_variables(), states);
        let first = 2 + importer.states as u32;
        let rates: Vec<f64> = (0..importer.states as u32)
            .map(|i| importer.value(first + i))
            .collect();
        assert_eq!(rates, importer.derivatives());
        let indicator = reference(&fmu, "contact.indicator[1]");
        assert_eq!([importer.value(indicator)], *importer.event_indicators());
    }
    importer.fine(importer.set_time(0.125));
    assert_eq!(importer.value(1), 0.125);
}

#[test]
fn the_indicator_is_the_gap_and_two_hysteresis_widths() {
    let importer = Fmu::falling_ball().integrating();
    // Not in contact: gap + 2 zEps, zEps = 1e-8 m.
    let expected = HEIGHT + 2e-8;
    assert!((importer.event_indicators()[0] - expected).abs() < 1e-15);
}

#[test]
fn an_impact_is_an_event_that_changes_no_state() {
    let importer = Fmu::falling_ball().integrating();
    let mut states = importer.continuous_states();
    let speed = (2.0 * GRAVITY * HEIGHT).sqrt();
    states[POSITION + 2] = 0.1 - 3e-8;
    states[VELOCITY + 2] = -speed;
    importer.fine(importer.set_time(impact_time()));
    importer.fine(importer.set_states(&states));
    assert!(importer.event_indicators()[0] < 0.0);
    assert!(!importer.completed_step());
    importer.ok(fmi3EnterEventMode);
    importer.log();
    let (status, flags, _) = importer.update();
    // Nominal values are said to have changed: the one flag that makes every importer restart its
    // integrator.
    let restart = [false, false, true, false, false];
    assert_eq!((status, flags), (fmi3OK, restart));
    assert_eq!(
        importer.logged("contacts"),
        [format!(
            "contact start: t={:?} pair=ground:ball speed={speed:?}",
            impact_time()
        )]
    );
    assert_eq!(importer.continuous_states(), states);
    // In contact the domain has changed: below zero now, above zero where it ends.
    assert!(importer.event_indicators()[0] < 0.0);
    importer.ok(fmi3EnterContinuousTimeMode);
    states[POSITION + 2] = 0.1 + 1e-9;
    importer.fine(importer.set_states(&states));
    assert!(importer.event_indicators()[0] > 0.0);
    importer.event(fmi3EnterContinuousTimeMode);
    let expected = format!("contact end: t={:?} pair=ground:ball", impact_time());
    assert_eq!(importer.logged("contacts"), [expected]);
}

#[test]
fn a_left_out_update_is_made_up_for() {
    let importer = Fmu::falling_ball().integrating();
    let mut states = importer.continuous_states();
    states[POSITION + 2] = 0.1 - 1e-3;
    importer.fine(importer.set_states(&states));
    importer.ok(fmi3EnterEventMode);
    importer.log();
    importer.ok(fmi3EnterContinuousTimeMode);
    assert_eq!(importer.logged("contacts").len(), 1);
}

#[test]
fn time_may_go_back_and_a_step_may_be_told_twice() {
    let importer = Fmu::falling_ball().integrating();
    for time in [0.5, 0.25, 0.5] {
        importer.fine(importer.set_time(time));
        assert!(!importer.completed_step());
        assert!(!importer.completed_step());
    }
}

#[test]
fn the_fall_ends_at_the_time_of_free_fall() {
    let importer = Fmu::falling_ball().integrating();
    let step = 1e-4;
    Runge::new(&importer, step, 0).run(1500);
    let starts = importer.logged("contacts");
    let time = starts[0]
        .split(' ')
        .find_map(|word| word.strip_prefix("t="));
    let time: f64 = time.unwrap().parse().unwrap();
    // This importer notices an event at the end of its step.
    assert!((time - impact_time()).abs() <= step, "{time}");
}
