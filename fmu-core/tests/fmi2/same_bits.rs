//! The same calls through FMI 2.0 and FMI 3.0 give the same bits.

use crate::fixtures::*;
use crate::fmi2::importer::*;
use crate::fmi3::importer::{Fmu, reference as fmi3_reference, three_balls_with_three_indicators};
use crate::habits::{Exchange, Habits, Motion, run};
use contact_model::scene::description::Motion as BodyMotion;

fn bits(rows: &[Vec<f64>]) -> Vec<u64> {
    rows.iter().flatten().map(|x| x.to_bits()).collect()
}

fn exchange(description: SceneDescription, duration: f64) {
    let fmu = Fmu::new(description);
    fn motion(importer: &impl Exchange, duration: f64) -> Motion {
        run(importer, Habits::default(), 1e-8, duration / 40.0, 40)
    }
    let (two, three) = (model_exchange(&fmu), fmu.model_exchange());
    two.initialize();
    three.initialize();
    let (of_two, of_three) = (motion(&two, duration), motion(&three, duration));
    assert!(of_two.events > 5, "{}", of_two.events);
    assert_eq!(of_two.events, of_three.events);
    assert_eq!(bits(&of_two.rows), bits(&of_three.rows));
    let ends = [two.derivatives(), two.event_indicators(), two.nominals()];
    let others = [
        three.derivatives(),
        three.event_indicators(),
        three.nominals(),
    ];
    assert_eq!(bits(&ends), bits(&others));
}

#[test]
fn model_exchange_of_a_bouncing_ball() {
    exchange(falling_ball(), 1.0);
}

#[test]
fn model_exchange_where_indicators_go_from_pair_to_pair() {
    exchange(three_balls_with_three_indicators(), 0.6);
}

#[test]
fn co_simulation_in_states_and_outputs() {
    let fmu = Fmu::falling_ball();
    let (two, three) = (co_simulation(&fmu), fmu.co_simulation());
    two.initialize();
    three.initialize();
    let names = [
        "ball.contact_force[3]",
        "energy.kinetic",
        "der(ball.velocity[3])",
    ];
    let mut touched = false;
    for index in 0..100 {
        let point = f64::from(index) * 0.01;
        two.whole_step(point, 0.01);
        three.whole_step(point, 0.01);
        let found = bits(&[two.state_variables()]);
        assert_eq!(found, bits(&[three.state_variables()]));
        for name in names {
            let one = two.value(reference(&fmu, name));
            let other = three.value(fmi3_reference(&fmu, name));
            assert_eq!(one.to_bits(), other.to_bits(), "{name} after {point} s");
            touched |= name == names[0] && one > 0.0;
        }
    }
    assert!(touched);
}

/// A ball that a driven one carries, with a force on it.
fn carried() -> SceneDescription {
    let mut description = falling_ball();
    let mut driven = description.bodies[1].clone();
    driven.name = "hammer".into();
    driven.motion = BodyMotion::Driven;
    driven.position = [0.0, 0.0, 0.3];
    description.bodies[1].position = [0.0, 0.0, 0.4999];
    description.bodies.push(driven);
    description.contact.initial_overlap = InitialOverlap::Accept;
    description.forces = vec![crate::fixtures::force(
        "push",
        "ball",
        input_of(true, false),
    )];
    description
}

/// Notes of the tables of 3.2.3 and 4.2.4: inputs are set in every mode but the last.
#[test]
fn inputs_are_set_in_every_mode_and_give_the_same_bits() {
    let fmu = Fmu::new(carried());
    let names = [
        "hammer.velocity[3]",
        "force.push.force[1]",
        "hammer.position[1]",
    ];
    let outputs = [
        "hammer.contact_force[3]",
        "der(ball.velocity[1])",
        "contact.indicator[3]",
    ];
    let two_of = |name: &&str| reference(&fmu, name);
    let three_of = |name: &&str| fmi3_reference(&fmu, name);
    let in_two: Vec<u32> = names.iter().map(two_of).collect();
    let in_three: Vec<u32> = names.iter().map(three_of).collect();
    for exchange in [true, false] {
        let (two, three) = match exchange {
            true => (model_exchange(&fmu), fmu.model_exchange()),
            false => (co_simulation(&fmu), fmu.co_simulation()),
        };
        let count = std::cell::Cell::new(0.0);
        let check = || {
            count.set(count.get() + 1.0);
            let values = [0.01 * count.get(), count.get(), 1e-4 * count.get()];
            two.fine(two.set(&in_two, &values));
            three.fine(three.set(&in_three, &values));
            let found: Vec<f64> = in_two.iter().map(|r| two.value(*r)).collect();
            assert_eq!(found, values);
            for name in &outputs {
                let (one, other) = (two.value(two_of(name)), three.value(three_of(name)));
                assert_eq!(one.to_bits(), other.to_bits(), "{name}");
            }
        };
        check();
        two.enter_initialization();
        three.enter_initialization();
        check();
        two.ok(fmu_core::fmi2::fmi2ExitInitializationMode);
        three.ok(fmu_core::fmi3::fmi3ExitInitializationMode);
        check();
        if exchange {
            two.update();
            three.update();
            check();
            two.ok(fmu_core::fmi2::fmi2EnterContinuousTimeMode);
            three.ok(fmu_core::fmi3::fmi3EnterContinuousTimeMode);
            check();
        } else {
            for index in 0..20 {
                check();
                two.whole_step(f64::from(index) * 1e-3, 1e-3);
                three.whole_step(f64::from(index) * 1e-3, 1e-3);
            }
            let found = two.value(two_of(&outputs[0]));
            assert!(found < 0.0, "the ball presses down");
        }
        two.ok(fmu_core::fmi2::fmi2Terminate);
        two.log();
        assert_eq!(two.set(&in_two, &[0.0; 3]), fmi2Error);
        two.says(&["in Terminated"]);
    }
}

#[test]
fn every_variable_has_the_reference_before_that_of_fmi_3() {
    let fmu = Fmu::falling_ball();
    for name in ["ball.position[1]", "ball.mass", "contact.count"] {
        assert_eq!(reference(&fmu, name) + 1, fmi3_reference(&fmu, name));
    }
    assert_eq!(reference(&fmu, "ball.position[1]"), 1);
}
