//! The same calls through FMI 2.0 and FMI 3.0 give the same bits.

use crate::fmi3::importer::{Fmu, reference as fmi3_reference, three_balls_with_three_indicators};
use crate::habits::{Exchange, Habits, Motion, run};
use crate::importer::*;
use fmu_core::scene::SceneDescription;

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
        assert_eq!(
            bits(&[two.state_variables()]),
            bits(&[three.state_variables()])
        );
        for name in names {
            let one = two.value(reference(&fmu, name));
            let other = three.value(fmi3_reference(&fmu, name));
            assert_eq!(one.to_bits(), other.to_bits(), "{name} after {point} s");
            touched |= name == names[0] && one > 0.0;
        }
    }
    assert!(touched);
}

#[test]
fn every_variable_has_the_reference_before_that_of_fmi_3() {
    let fmu = Fmu::falling_ball();
    for name in ["ball.position[1]", "ball.mass", "contact.count"] {
        assert_eq!(reference(&fmu, name) + 1, fmi3_reference(&fmu, name));
    }
    assert_eq!(reference(&fmu, "ball.position[1]"), 1);
}
