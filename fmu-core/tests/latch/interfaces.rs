//! What importers see of latches.

use super::*;
use crate::fmi3::importer::{Fmu, Importer, reference};
use fmu_core::fmi3::fmi3Status::*;
use fmu_core::fmi3::*;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::describe::Describer;
use fmu_core::instance::variables::{Causality, Variability, Variable, VariableTable};

/// A free body that comes to a gripper on a cart, which an input commands; another free body far away.
fn gripper() -> SceneDescription {
    let mut grip = latch("thing");
    (grip.input, grip.close_distance) = (true, Some(0.2));
    let mut free = joint(JointKind::Free, Some("cart"), "thing");
    free.positions[0] = 1.0;
    free.rates[0] = -1.0;
    let mut far = plain_body(
        "far",
        Motion::Free,
        given_mass(1.0, [0.0; 3], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
    );
    (far.position, far.velocity) = ([100.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let bodies = vec![lump("cart", 3.0), lump("thing", 1.0), far];
    scene(
        bodies,
        vec![slide(None, "cart", 0.0, 0.0), free],
        vec![grip],
    )
}

fn variables(fmu: &Fmu) -> Vec<Variable> {
    let table = VariableTable::new(&fmu.scene, Standard::Fmi3);
    let nominals = vec![1.0; fmu.scene.layout().count()];
    Describer::new(&fmu.scene, &table).variables(&nominals)
}

#[test]
fn command_and_state_are_discrete_and_velocities_of_the_tree_may_jump() {
    let all = variables(&Fmu::new(gripper()));
    let find = |name: &str| all.iter().find(|v| v.name == name).expect("a variable");
    let command = find("latch.thing.command");
    let expected = (Causality::Input, Variability::Discrete);
    assert_eq!((command.causality, command.variability), expected);
    assert_eq!(command.start, [0.0]);
    for name in [
        "latch.thing.closed",
        "latch.thing.impulse[1]",
        "latch.thing.moment[3]",
    ] {
        let own = find(name);
        let expected = (Causality::Output, Variability::Discrete);
        assert_eq!((own.causality, own.variability), expected);
    }
    assert!(find("joint_cart.velocity").reinit && find("joint_thing.velocity[2]").reinit);
    assert!(!find("joint_cart.displacement").reinit && !find("far.velocity[1]").reinit);
}

/// In Co-Simulation the command counts from the communication point on: the gripper grasps what is near
/// when it is commanded, or comes near while it is, and lets go at once. The cart of 3 kg and the body of
/// 1 kg with -1 m/s then have -1/4 m/s.
#[test]
fn a_gripper_follows_its_command_in_co_simulation() {
    let fmu = Fmu::new(gripper());
    let of = |name: &str| reference(&fmu, name);
    let (command, closed) = (of("latch.thing.command"), of("latch.thing.closed"));
    let (speed, relative) = (of("joint_cart.velocity"), of("joint_thing.velocity[1]"));
    for early in [true, false] {
        let importer = fmu.stepping();
        let values = |references: [u32; 3]| references.map(|r| importer.value(r));
        importer.whole_step(0.0, 0.5);
        if early {
            importer.fine(importer.set(&[command], &[1.0]));
            assert_eq!(importer.value(closed), 0.0);
        }
        importer.whole_step(0.5, 0.4);
        if !early {
            assert_eq!(values([closed, speed, relative]), [0.0, 0.0, -1.0]);
            importer.fine(importer.set(&[command], &[1.0]));
        }
        assert_eq!(values([closed, speed, relative]), [1.0, -0.25, 0.0]);
        let impulse = importer.value(of("latch.thing.impulse[1]"));
        near(impulse, 0.75, 1e-13);
        let place = importer.value(of("joint_thing.position[1]"));
        near(place, if early { 0.2 } else { 0.1 }, 1e-9);
        importer.whole_step(0.9, 0.1);
        assert_eq!(values([closed, speed, relative]), [1.0, -0.25, 0.0]);
        importer.fine(importer.set(&[command], &[0.0]));
        assert_eq!(values([closed, speed, relative]), [0.0, -0.25, 0.0]);
        let log = importer.logged("contacts");
        let told = |word: &str| log.iter().filter(|text| text.starts_with(word)).count();
        let found = [told("latch closes: t="), told("latch opens: t=")];
        assert_eq!(found, [1, 1], "{log:?}");
    }
}

/// In Model Exchange it counts at the event update, whose flag says that states have changed where
/// velocities jump, and only there.
#[test]
fn a_gripper_follows_its_command_in_model_exchange() {
    let mut description = gripper();
    description.latches[0].close_distance = Some(2.0);
    let fmu = Fmu::new(description);
    let importer = fmu.integrating();
    let event = |value: f64| {
        importer.ok(fmi3EnterEventMode);
        importer.fine(importer.set(&[reference(&fmu, "latch.thing.command")], &[value]));
        let (status, [again, _, nominals, states, _], _) = importer.update();
        assert_eq!((status, again), (fmi3OK, false));
        importer.ok(fmi3EnterContinuousTimeMode);
        [states, nominals]
    };
    assert_eq!(event(1.0), [true, true]);
    let speed = |importer: &Importer| importer.continuous_states()[14];
    near(speed(&importer), -0.25, 1e-15);
    assert_eq!(event(0.0), [false, true]);
    assert_eq!(event(0.0), [false, false]);
    near(speed(&importer), -0.25, 1e-15);
}

/// A state that is saved while the latch is closed is closed when it is restored.
#[test]
fn a_saved_state_has_its_latches() {
    let mut description = gripper();
    description.latches[0] = LatchDescription {
        close_time: Some(0.25),
        open_time: Some(0.75),
        release_impulse: 0.5,
        ..latch("thing")
    };
    let fmu = Fmu::new(description);
    let closed = reference(&fmu, "latch.thing.closed");
    let importer = fmu.stepping();
    importer.whole_step(0.0, 0.5);
    assert_eq!(importer.value(closed), 1.0);
    let bytes = importer.bytes();
    importer.whole_step(0.5, 0.5);
    assert_eq!(importer.value(closed), 0.0);
    let first = importer.state_variables();
    let other = fmu.stepping();
    other.restore(&bytes);
    assert_eq!(other.value(closed), 1.0);
    other.whole_step(0.5, 0.5);
    assert_eq!((other.value(closed), other.state_variables()), (0.0, first));
}

/// An importer that steps in Model Exchange with the time events that it is told.
#[test]
fn time_events_are_told_to_importers() {
    let mut description = gripper();
    description.latches[0] = LatchDescription {
        close_time: Some(0.25),
        open_time: Some(0.75),
        ..latch("thing")
    };
    let fmu = Fmu::new(description);
    let closed = reference(&fmu, "latch.thing.closed");
    let importer = fmu.model_exchange();
    importer.initialize();
    let mut times = Vec::new();
    loop {
        let (status, flags, time) = importer.update();
        assert_eq!(status, fmi3OK);
        importer.ok(fmi3EnterContinuousTimeMode);
        times.push(importer.value(closed));
        if !flags[4] {
            break;
        }
        times.push(time);
        importer.fine(importer.set_time(time));
        importer.ok(fmi3EnterEventMode);
    }
    assert_eq!(times, [0.0, 0.25, 1.0, 0.75, 0.0]);
}

/// An event that is updated again, since the importer has set something at it, has no second release
/// impulse, and tells the first one still. 0.6 N.s drive 3 kg and 1 kg apart with 0.2 m/s and 0.6 m/s.
#[test]
fn an_event_that_is_updated_again_releases_once() {
    let mut description = gripper();
    description.joints[1].rates[0] = 0.0;
    description.joints[0].forces[0].input = true;
    description.latches[0] = LatchDescription {
        open_time: Some(0.25),
        release_impulse: 0.6,
        ..latch("thing")
    };
    let fmu = Fmu::new(description);
    let importer = fmu.integrating();
    importer.fine(importer.set_time(0.25));
    importer.ok(fmi3EnterEventMode);
    let of = |name: &str| importer.value(reference(&fmu, name));
    for _ in 0..2 {
        let (status, ..) = importer.update();
        assert_eq!(status, fmi3OK);
        near(of("joint_cart.velocity"), -0.2, 1e-14);
        near(of("joint_thing.velocity[1]"), 0.8, 1e-14);
        near(of("latch.thing.impulse[1]"), 0.6, 1e-14);
        near(of("latch.thing.closed"), 0.0, 0.0);
        importer.fine(importer.set(&[reference(&fmu, "joint_cart.force")], &[0.0]));
    }
}

/// A latch that is closed from the start on holds its joint: a start velocity of it does nothing, reads 0 in
/// Initialization Mode as after it, and is told. A command that opens it there gives the velocity back.
#[test]
fn a_closed_latch_holds_what_is_to_start_with_a_velocity() {
    let mut description = gripper();
    description.joints[1].rates[0] = 0.0;
    description.latches[0].closed = Some(true);
    let fmu = Fmu::new(description);
    let of = |name: &str| reference(&fmu, name);
    let (command, rate) = (of("latch.thing.command"), of("joint_thing.velocity[1]"));
    let others = ["joint_cart.velocity", "energy.kinetic"].map(of);
    let importer = fmu.co_simulation();
    importer.enter_initialization();
    let read = || [rate, others[0], others[1]].map(|r| importer.value(r));
    let before = read();
    importer.fine(importer.set(&[rate], &[2.0]));
    assert_eq!(read(), before);
    importer.fine(importer.set(&[command], &[0.0]));
    assert_eq!(importer.value(rate), 2.0);
    importer.fine(importer.set(&[command], &[1.0]));
    assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Warning);
    assert_eq!(read(), before);
    let told = format!("{:?}", importer.log());
    let text = "start value of joint_thing.velocity[1] is 2; 0 was taken, since latch \\\"thing\\\" holds joint";
    assert!(told.contains(text), "{told}");
}
