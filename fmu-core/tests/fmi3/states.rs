//! The state as one value: copied, written to bytes, damaged.

use crate::fixtures;
use crate::fixtures::*;
use crate::fmi::states::{IN_CONTACT, in_contact, runs_on_to_the_bit};
use crate::fmi3::importer::*;

/// A spinning body of this form falls on a box: their nearest features are searched for.
fn searched(form: Form) -> Fmu {
    let mut description = falling_ball();
    description.bodies[0].shapes[0].form = cuboid([2.0, 2.0, 0.1]);
    description.bodies[0].position = [0.0, 0.0, -0.05];
    let falling = &mut description.bodies[1];
    falling.shapes[0].form = form;
    falling.angular_velocity = [2.0, -3.0, 1.0];
    Fmu::new(description)
}

/// A ball that falls askew, with spin, and sticks.
fn sticking() -> Fmu {
    let mut description = falling_ball();
    description.contact.law.friction = FrictionKind::Stick;
    description.energy_balance = true;
    description.bodies[1].velocity = [0.3, 0.1, 0.0];
    description.bodies[1].angular_velocity = [2.0, -3.0, 1.0];
    Fmu::new(description)
}

#[test]
fn a_run_with_deflections_runs_on_to_the_bit() {
    let fmu = sticking();
    let importer = fmu.integrating();
    let deflection = reference(&fmu, "contact.ground.ball.deflection[1]");
    Runge::new(&importer, 1e-3, 0).run(IN_CONTACT);
    assert!(in_contact(&importer, &fmu) && importer.value(deflection) != 0.0);
    importer.runs_on_alike(|| Runge::new(&importer, 1e-3, IN_CONTACT).run(300));
    let steps = fmu.stepping();
    runs_on_to_the_bit(&fmu, &steps, |first, count| steps.steps(1e-3, first, count));
}

/// A ball and a box come to rest with `stick`: from the first rebound on, at rest with a Jacobian of
/// an earlier step, with each solver.
#[test]
fn a_run_that_comes_to_rest_by_implicit_steps_runs_on_to_the_bit() {
    for solver in [Solver::Auto, Solver::Implicit] {
        let mut description = falling_ball();
        description.experiment.solver = solver;
        description.contact.law.friction = FrictionKind::Stick;
        description.bodies[1].velocity = [0.1, 0.0, 0.0];
        let position = [0.5, 0.0, 0.051];
        let mut cube = fixtures::body("cube", Motion::Free, cuboid([0.1; 3]), position);
        let material = description.bodies[1].shapes[0].material.clone();
        cube.shapes[0].material = material;
        description.bodies.push(cube);
        let importer = Fmu::new(description).stepping();
        importer.steps(0.01, 0, 15);
        let mut from = 15;
        for next in [30, 150, 300] {
            println!("{solver:?} from step {from}");
            importer.runs_on_alike(|| importer.steps(0.01, from, 60));
            importer.steps(0.01, from + 60, next);
            from += 60 + next;
        }
    }
}

#[test]
fn states_that_the_end_of_a_contact_changes_are_announced_once() {
    let fmu = sticking();
    let importer = fmu.integrating();
    let update = || {
        importer.ok(fmi3EnterEventMode);
        let (status, [_, _, _, values_changed, _], _) = importer.update();
        assert_eq!(status, fmi3OK);
        importer.ok(fmi3EnterContinuousTimeMode);
        values_changed
    };
    // States: 13 of the ball, 3 of the contact, the work.
    let mut states = importer.continuous_states();
    assert_eq!(states.len(), 17);
    states[2] = 0.0999;
    importer.fine(importer.set_states(&states));
    assert!(!update(), "a contact starts without a deflection");
    states[13..16].copy_from_slice(&[1e-5, 2e-5, 0.0]);
    importer.fine(importer.set_states(&states));
    assert!(!update(), "a contact goes on");
    let stored = importer.value(reference(&fmu, "energy.contact_elastic"));
    states[13..16].fill(0.0);
    importer.fine(importer.set_states(&states));
    let stored = stored - importer.value(reference(&fmu, "energy.contact_elastic"));
    states[13..16].copy_from_slice(&[1e-5, 2e-5, 0.0]);
    states[2] = 0.2;
    importer.fine(importer.set_states(&states));
    assert!(update(), "a contact ends");
    let after = importer.continuous_states();
    assert_eq!(after[13..16], [0.0; 3]);
    assert!((after[16] - states[16] - stored).abs() < 1e-12 * stored);
    assert_eq!(after[..13], states[..13]);
    assert!(!update());
}

/// The search starts from what it found at the last step, which belongs to the state.
#[test]
fn a_run_with_searched_features_runs_on_to_the_bit() {
    let lengths = [0.3, 0.25, 0.2];
    for form in [ellipsoid(lengths), cuboid(lengths)] {
        let fmu = searched(form);
        let importer = fmu.integrating();
        let mut count = 0;
        while !in_contact(&importer, &fmu) {
            assert!(count < 1000, "no contact");
            Runge::new(&importer, 1e-3, count).run(1);
            count += 1;
        }
        let run = |importer: &Importer| {
            let here = importer.derivatives();
            (here, Runge::new(importer, 1e-3, count).run(200))
        };
        let bytes = importer.bytes();
        importer.runs_on_alike(|| run(&importer));
        importer.restore(&bytes);
        // Another instance has no memory of its own.
        let other = fmu.model_exchange();
        other.restore(&bytes);
        assert_eq!(run(&other), run(&importer));
    }
}

#[test]
fn parameters_and_mode_belong_to_the_state() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.model_exchange();
    let mass = reference(&fmu, "ball.mass");
    let potential = reference(&fmu, "energy.potential");
    importer.enter_initialization();
    importer.fine(importer.set(&[mass], &[2.0]));
    let saved = importer.state();
    let energy = importer.value(potential);
    importer.ok(fmi3Reset);
    importer.start_integration();
    assert_ne!(importer.value(potential), energy);
    importer.fine(importer.set_state(saved));
    assert_eq!(importer.value(potential), energy);
    importer.fine(importer.set(&[mass], &[3.0]));
    importer.ok(fmi3ExitInitializationMode);
    importer.free_state(saved);
}
