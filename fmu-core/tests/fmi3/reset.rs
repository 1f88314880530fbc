//! Reset in the middle of a run: a new run on the same instance is that of a fresh one.

use crate::fmi3::importer::*;

/// A ball that tumbles and slides, so that every state moves.
fn tumbling() -> Fmu {
    let mut description = falling_ball();
    let ball = &mut description.bodies[1];
    ball.velocity = [0.5, -0.25, -0.125];
    ball.angular_velocity = [3.0, 5.0, -2.0];
    Fmu::new(description)
}

/// All states and outputs, as bits of the numbers.
fn rows(
    fmu: &Fmu,
    importer: &Importer,
    run: impl FnOnce(&Importer) -> Vec<Vec<f64>>,
) -> Vec<Vec<u64>> {
    let mut rows = run(importer);
    let outputs = [
        "ball.contact_force[1]",
        "ball.contact_torque[2]",
        "energy.kinetic",
    ];
    rows.push(
        outputs
            .map(|name| importer.value(reference(fmu, name)))
            .to_vec(),
    );
    rows.into_iter()
        .map(|row| row.into_iter().map(f64::to_bits).collect())
        .collect()
}

fn simulate(importer: &Importer) -> Vec<Vec<f64>> {
    let rows = (0..100).map(|i| {
        let (status, [event, ..], time) = importer.step(f64::from(i) / 128.0, 1.0 / 128.0);
        assert_eq!((status, event), (fmi3OK, false), "{:?}", importer.log());
        assert_eq!(time, f64::from(i + 1) / 128.0);
        importer.state_variables()
    });
    rows.collect()
}

fn exchange(importer: &Importer) -> Vec<Vec<f64>> {
    Runge::new(importer, 1e-3, 0).run(400)
}

/// From Instantiated to where steps are taken.
fn start(importer: &Importer, model_exchange: bool) {
    if model_exchange {
        importer.start_integration();
    } else {
        importer.initialize();
    }
}

#[test]
fn after_a_reset_in_the_middle_the_run_is_that_of_a_fresh_instance_to_the_bit() {
    let fmu = tumbling();
    for model_exchange in [true, false] {
        let make = || Importer::of(&fmu, model_exchange);
        // With another mass and another height.
        let start_otherwise = |importer: &Importer| {
            importer.enter_initialization();
            let references = ["ball.mass", "ball.position[3]"].map(|name| reference(&fmu, name));
            importer.fine(importer.set(&references, &[7.0, 0.25]));
            importer.ok(fmi3ExitInitializationMode);
            if model_exchange {
                importer.leave_event_mode();
            }
        };
        let run = if model_exchange { exchange } else { simulate };
        let fresh = make();
        start(&fresh, model_exchange);
        let expected = rows(&fmu, &fresh, run);

        // Leaves everything different: start values, parameters, contacts, step size.
        let used = make();
        start_otherwise(&used);
        let other = rows(&fmu, &used, run);
        assert_ne!(other, expected);
        used.ok(fmi3Reset);
        let found = used.value(reference(&fmu, "ball.mass"));
        assert_eq!(found, fresh.value(reference(&fmu, "ball.mass")));
        start(&used, model_exchange);
        assert_eq!(rows(&fmu, &used, run), expected);

        // And the run with other start values once more, after the plain one.
        used.ok(fmi3Terminate);
        used.ok(fmi3Reset);
        start_otherwise(&used);
        assert_eq!(rows(&fmu, &used, run), other);
    }
}

#[test]
fn a_reset_instance_has_the_state_bytes_of_a_fresh_one() {
    let fmu = tumbling();
    let (fresh, used) = (fmu.co_simulation(), fmu.co_simulation());
    used.initialize();
    simulate(&used);
    used.ok(fmi3Reset);
    assert!(fresh.bytes() == used.bytes());
    let expected = (0.0, fresh.state_variables());
    assert_eq!((used.value(1), used.state_variables()), expected);
}

#[test]
fn a_reset_at_an_event_that_nobody_handled_forgets_it() {
    let fmu = tumbling();
    let (fresh, used) = (fmu.event_stepping(true), fmu.event_stepping(true));
    let event = used.step(0.0, 0.5);
    assert_eq!(event.1, [true, false, true]);
    used.ok(fmi3Reset);
    used.initialize();
    used.ok(fmi3EnterStepMode);
    assert_eq!(used.step(0.0, 0.5), event);
    assert_eq!(fresh.step(0.0, 0.5), event);
    assert_eq!(fresh.state_variables(), used.state_variables());
}
