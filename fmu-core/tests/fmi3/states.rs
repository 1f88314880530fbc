//! The state as one value: copied, written to bytes, damaged.

use crate::fixtures;
use crate::fmi3::importer::*;
use contact_laws::response::choice::FrictionKind;
use contact_model::scene::description::{Form, Motion, Solver};
use fmu_core::fmi3::fmi3Status::*;
use fmu_core::fmi3::*;
use std::ptr::null_mut;

/// Middle of the first contact, in steps of 1 ms.
const IN_CONTACT: u32 = 145;

fn in_contact(importer: &Importer, fmu: &Fmu) -> bool {
    importer.value(reference(fmu, "energy.contact_elastic")) > 0.0
}

/// Runs on after a copy of the state was set, once as it is and once through bytes.
fn runs_on_to_the_bit(
    fmu: &Fmu,
    importer: &Importer,
    mut run: impl FnMut(u32, u32) -> Vec<Vec<f64>>,
) {
    run(0, IN_CONTACT);
    assert!(in_contact(importer, fmu));
    let saved = importer.state();
    let bytes = importer.serialize(saved);
    let expected = run(IN_CONTACT, 300);
    assert_eq!(importer.set_state(saved), fmi3OK);
    assert!(in_contact(importer, fmu));
    assert_eq!(run(IN_CONTACT, 300), expected);
    let read = importer.deserialize(&bytes).unwrap();
    assert_eq!(importer.serialize(read), bytes);
    assert_eq!(importer.set_state(read), fmi3OK);
    assert_eq!(run(IN_CONTACT, 300), expected);
    importer.free_state(saved);
    importer.free_state(read);
}

#[test]
fn a_co_simulation_runs_on_to_the_bit() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.initialize();
    runs_on_to_the_bit(&fmu, &importer, |first, count| {
        let steps = first..first + count;
        let row = |i| {
            importer.whole_step(f64::from(i) * 1e-3, 1e-3);
            importer.state_variables()
        };
        steps.map(row).collect()
    });
}

#[test]
fn a_model_exchange_runs_on_to_the_bit() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.model_exchange();
    importer.start_integration();
    runs_on_to_the_bit(&fmu, &importer, |first, count| {
        Runge::new(&importer, 1e-3, first).run(count)
    });
}

/// A spinning body of this form falls on a box: their nearest features are searched for.
fn searched(form: Form) -> Fmu {
    let mut description = falling_ball();
    let lengths = [2.0, 2.0, 0.1];
    description.bodies[0].shapes[0].form = Form::Box { lengths };
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
    let importer = fmu.model_exchange();
    importer.start_integration();
    let deflection = reference(&fmu, "contact.ground.ball.deflection[1]");
    Runge::new(&importer, 1e-3, 0).run(IN_CONTACT);
    assert!(in_contact(&importer, &fmu) && importer.value(deflection) != 0.0);
    let saved = importer.state();
    let bytes = importer.serialize(saved);
    let run = || Runge::new(&importer, 1e-3, IN_CONTACT).run(300);
    let expected = run();
    let read = importer.deserialize(&bytes).unwrap();
    for state in [saved, read] {
        assert_eq!(importer.set_state(state), fmi3OK);
        assert_eq!(run(), expected);
        importer.free_state(state);
    }
    let steps = fmu.co_simulation();
    steps.initialize();
    runs_on_to_the_bit(&fmu, &steps, |first, count| {
        let steps_of = first..first + count;
        let row = |i| {
            steps.whole_step(f64::from(i) * 1e-3, 1e-3);
            steps.state_variables()
        };
        steps_of.map(row).collect()
    });
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
        let lengths = [0.1; 3];
        let position = [0.5, 0.0, 0.051];
        let mut cube = fixtures::body("cube", Motion::Free, Form::Box { lengths }, position);
        let material = description.bodies[1].shapes[0].material.clone();
        cube.shapes[0].material = material;
        description.bodies.push(cube);
        let fmu = Fmu::new(description);
        let importer = fmu.co_simulation();
        importer.initialize();
        let run = |first: u32, count: u32| -> Vec<Vec<f64>> {
            let row = |i| {
                importer.whole_step(f64::from(i) * 0.01, 0.01);
                importer.state_variables()
            };
            (first..first + count).map(row).collect()
        };
        run(0, 15);
        let mut from = 15;
        for next in [30, 150, 300] {
            let saved = importer.state();
            let bytes = importer.serialize(saved);
            let expected = run(from, 60);
            let read = importer.deserialize(&bytes).unwrap();
            for state in [saved, read] {
                assert_eq!(importer.set_state(state), fmi3OK);
                assert_eq!(run(from, 60), expected, "{solver:?} from step {from}");
                importer.free_state(state);
            }
            run(from + 60, next);
            from += 60 + next;
        }
    }
}

#[test]
fn states_that_the_end_of_a_contact_changes_are_announced_once() {
    let fmu = sticking();
    let importer = fmu.model_exchange();
    importer.start_integration();
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
    assert_eq!(importer.set_states(&states), fmi3OK);
    assert!(!update(), "a contact starts without a deflection");
    states[13..16].copy_from_slice(&[1e-5, 2e-5, 0.0]);
    assert_eq!(importer.set_states(&states), fmi3OK);
    assert!(!update(), "a contact goes on");
    let stored = importer.value(reference(&fmu, "energy.contact_elastic"));
    states[13..16].fill(0.0);
    assert_eq!(importer.set_states(&states), fmi3OK);
    let stored = stored - importer.value(reference(&fmu, "energy.contact_elastic"));
    states[13..16].copy_from_slice(&[1e-5, 2e-5, 0.0]);
    states[2] = 0.2;
    assert_eq!(importer.set_states(&states), fmi3OK);
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
    for form in [Form::Ellipsoid { lengths }, Form::Box { lengths }] {
        let fmu = searched(form);
        let importer = fmu.model_exchange();
        importer.start_integration();
        let mut count = 0;
        while !in_contact(&importer, &fmu) {
            assert!(count < 1000, "no contact");
            Runge::new(&importer, 1e-3, count).run(1);
            count += 1;
        }
        let run = || Runge::new(&importer, 1e-3, count).run(200);
        let saved = importer.state();
        let bytes = importer.serialize(saved);
        let here = importer.derivatives();
        let expected = run();
        let read = importer.deserialize(&bytes).unwrap();
        for state in [saved, read] {
            assert_eq!(importer.set_state(state), fmi3OK);
            assert_eq!(importer.derivatives(), here);
            assert_eq!(run(), expected);
        }
        // Another instance has no memory of its own.
        let other = fmu.model_exchange();
        assert_eq!(other.set_state(read), fmi3OK);
        assert_eq!(other.derivatives(), here);
        assert_eq!(Runge::new(&other, 1e-3, count).run(200), expected);
        importer.free_state(saved);
        importer.free_state(read);
    }
}

#[test]
fn bytes_move_a_run_to_another_instance() {
    let fmu = Fmu::falling_ball();
    let (one, other) = (fmu.co_simulation(), fmu.co_simulation());
    one.initialize();
    one.whole_step(0.0, 0.145);
    let saved = one.state();
    let read = other.deserialize(&one.serialize(saved)).unwrap();
    // The other one was never initialised; the state brings it into Step Mode.
    assert_eq!(other.set_state(read), fmi3OK);
    for importer in [&one, &other] {
        importer.whole_step(0.145, 0.2);
    }
    assert_eq!(one.state_variables(), other.state_variables());
    one.free_state(saved);
    other.free_state(read);
}

#[test]
fn parameters_and_mode_belong_to_the_state() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.model_exchange();
    let mass = reference(&fmu, "ball.mass");
    let potential = reference(&fmu, "energy.potential");
    importer.enter_initialization();
    assert_eq!(importer.set(&[mass], &[2.0]), fmi3OK);
    let saved = importer.state();
    let energy = importer.value(potential);
    importer.ok(fmi3Reset);
    importer.start_integration();
    assert_ne!(importer.value(potential), energy);
    assert_eq!(importer.set_state(saved), fmi3OK);
    assert_eq!(importer.value(potential), energy);
    assert_eq!(importer.set(&[mass], &[3.0]), fmi3OK);
    importer.ok(fmi3ExitInitializationMode);
    importer.free_state(saved);
}

#[test]
fn a_copy_is_reused_when_given() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.initialize();
    let mut saved = importer.state();
    let pointer = saved;
    let before = importer.serialize(saved);
    importer.whole_step(0.0, 0.1);
    assert_eq!(importer.serialize(saved), before);
    // SAFETY: the copy was not freed.
    let status = unsafe { fmi3GetFMUState(importer.instance, &raw mut saved) };
    assert_eq!((status, saved), (fmi3OK, pointer));
    assert_ne!(importer.serialize(saved), before);
    importer.free_state(saved);
}

#[test]
fn damaged_bytes_are_refused_wherever_the_damage_is() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.initialize();
    importer.whole_step(0.0, 0.145);
    let saved = importer.state();
    let good = importer.serialize(saved);
    let before = importer.state_variables();
    importer.log();
    for place in 0..good.len() {
        let mut bytes = good.clone();
        bytes[place] ^= 0x10;
        assert_eq!(importer.deserialize(&bytes), Err(fmi3Error), "byte {place}");
        importer.reason();
    }
    for length in 0..good.len() {
        assert_eq!(importer.deserialize(&good[..length]), Err(fmi3Error));
        importer.reason();
    }
    let longer = [&good[..], &[0]].concat();
    assert_eq!(importer.deserialize(&longer), Err(fmi3Error));
    assert_eq!(importer.state_variables(), before);
    importer.free_state(saved);
}

#[test]
fn refusals_of_bytes_say_why() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    let saved = importer.state();
    let good = importer.serialize(saved);
    importer.log();
    let reason = |bytes: &[u8]| {
        assert_eq!(importer.deserialize(bytes), Err(fmi3Error));
        importer.reason()
    };
    assert!(reason(b"").contains("not a state"));
    assert!(reason(b"FMUSTATE").contains("8"));
    let mut newer = good.clone();
    newer[8] = 77;
    assert!(reason(&newer).contains("format 77"));
    assert!(reason(&good[..good.len() - 3]).contains("announces"));
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(reason(&damaged).contains("corrupt"));
    importer.free_state(saved);
}

#[test]
fn a_state_of_another_scene_or_interface_is_refused() {
    let fmu = Fmu::falling_ball();
    let mut other = falling_ball();
    other.name = "other".into();
    let other = Fmu::new(other);
    let importer = fmu.co_simulation();
    importer.log();
    let foreign = other.co_simulation();
    let saved = foreign.state();
    let bytes = foreign.serialize(saved);
    assert_eq!(importer.deserialize(&bytes), Err(fmi3Error));
    let reason = importer.reason();
    assert!(
        reason.contains(&other.token) && reason.contains(&fmu.token),
        "{reason}"
    );
    foreign.free_state(saved);
    let exchange = fmu.model_exchange();
    let saved = exchange.state();
    let bytes = exchange.serialize(saved);
    assert_eq!(importer.deserialize(&bytes), Err(fmi3Error));
    assert!(importer.reason().contains("Model Exchange"));
    assert_eq!(importer.set_state(saved), fmi3Error);
    assert!(importer.reason().contains("Model Exchange"));
    exchange.free_state(saved);
}

#[test]
fn null_states_are_refused_and_freeing_null_is_ignored() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.log();
    assert_eq!(importer.set_state(null_mut()), fmi3Error);
    assert!(importer.reason().contains("FMUState"));
    let mut size = 0;
    // SAFETY: null is refused or ignored.
    unsafe {
        let instance = importer.instance;
        assert_eq!(fmi3GetFMUState(instance, null_mut()), fmi3Error);
        assert_eq!(
            fmi3SerializedFMUStateSize(instance, null_mut(), &raw mut size),
            fmi3Error
        );
        assert_eq!(fmi3FreeFMUState(instance, null_mut()), fmi3OK);
    }
    importer.free_state(null_mut());
}

#[test]
fn a_buffer_of_another_size_is_refused_with_the_right_one() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    let saved = importer.state();
    let size = importer.serialize(saved).len();
    importer.log();
    let mut bytes = vec![0; size + 1];
    for wrong in [size - 1, size + 1] {
        // SAFETY: the buffer is that long.
        let status =
            unsafe { fmi3SerializeFMUState(importer.instance, saved, bytes.as_mut_ptr(), wrong) };
        assert_eq!(status, fmi3Error);
        let reason = importer.reason();
        assert!(reason.contains(&size.to_string()), "{reason}");
    }
    importer.free_state(saved);
}
