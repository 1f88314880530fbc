//! Scenes of several parts, integrated as a whole and island by island.
//!
//! Both have a tolerance of 1e-8, so that before chaos sets in their states agree to 1e-6; they
//! meet the same contacts, and the energy closes: what the bodies lose is what contacts dissipate.

use crate::fixtures::*;
use crate::islands::comparing::*;
use crate::running::{DividedRun, Run};

fn falling(count: usize, apart: f64, friction: Option<FrictionKind>) -> SceneDescription {
    let mut bodies = vec![plate()];
    for i in 0..count {
        let i = i as f64;
        let at = [apart * i - 0.7, 0.01 * i, 0.1 + 0.02 * (i + 1.0)];
        bodies.push(at_speed(ball(&format!("b{i}"), at), [0.1 * i, -0.2, 0.0]));
    }
    scene(bodies, friction)
}

#[test]
fn balls_that_fall_beside_each_other() {
    use FrictionKind::{Coulomb, Off, Regularized, Stick};
    for friction in [Off, Regularized, Coulomb, Stick] {
        let name = format!("falling, {friction:?}");
        compare(&name, falling(3, 0.45, Some(friction)), 0.25, 0.01);
    }
    compare("falling, two", falling(2, 0.6, Some(Stick)), 0.2, 0.002);
    compare(
        "falling, five",
        falling(5, 0.3, Some(Regularized)),
        0.15,
        0.01,
    );
    compare(
        "falling, long steps",
        falling(3, 0.45, Some(Stick)),
        0.25,
        0.25,
    );
    compare("falling, close", falling(4, 0.2002, Some(Off)), 0.12, 0.01);
}

#[test]
fn rows_and_cradles() {
    for (name, gaps) in [
        ("apart", [0.01, 0.02, 0.03]),
        ("near", [1e-3, 1e-5, 1e-3]),
        ("touching", [0.02, -1e-8, -1e-8]),
    ] {
        let mut x = 0.0;
        let mut bodies = vec![at_speed(ball("b0", [0.0; 3]), [2.0, 0.0, 0.0])];
        for (i, gap) in gaps.into_iter().enumerate() {
            x += 0.2 + gap;
            bodies.push(ball(&format!("b{}", i + 1), [x, 0.0, 0.0]));
        }
        let description = without_gravity(scene(bodies, Some(FrictionKind::Off)));
        compare(name, description, 0.06, 0.005);
    }
}

#[test]
fn balls_on_a_table_meet_at_angles() {
    for (offset, step) in [(0.05, 0.01), (0.08, 0.005), (0.12, 0.01), (0.17, 0.1)] {
        let bodies = vec![
            at_speed(ball("cue", [0.0, offset, 0.0]), [3.0, 0.0, 0.0]),
            ball("one", [0.4, 0.0, 0.0]),
            ball("two", [0.62, 0.15, 0.0]),
            ball("three", [0.62, -0.2, 0.0]),
            at_speed(ball("far", [-3.0, 1.0, 0.0]), [0.0, -1.0, 0.0]),
        ];
        let description = without_gravity(scene(bodies, Some(FrictionKind::Regularized)));
        compare(&format!("table {offset}"), description, 0.3, step);
    }
}

#[test]
fn boxes_tumble_and_rest_beside_each_other() {
    let cube = |name: &str, at, velocity| {
        at_speed(
            body(name, Motion::Free, cuboid([0.2, 0.2, 0.2]), at),
            velocity,
        )
    };
    let mut one = cube("one", [-0.4, 0.0, 0.14], [0.3, 0.0, 0.0]);
    one.angular_velocity = [0.0, 2.0, 0.0];
    let two = cube("two", [0.3, 0.0, 0.1005], [0.0, 0.2, 0.0]);
    let description = scene(vec![plate(), one, two], Some(FrictionKind::Regularized));
    // At 1e-8 the whole is off by 1.4e-6, at 1e-9 by 2e-8: corners amplify what is off.
    compare_at(0.1 * TOLERANCE, "boxes", description, (0.05, 0.01));
}

/// Two arms that swing into each other and then into a ball.
#[test]
fn trees_that_touch() {
    for (angle, step) in [(0.3, 0.02), (0.4, 0.01), (0.5, 0.05)] {
        let bob = |name: &str| body(name, Motion::Joint, sphere(0.2), [0.0; 3]);
        let bodies = vec![bob("left"), bob("right"), ball("free", [0.8, 0.0, -0.45])];
        let mut description = scene(bodies, Some(FrictionKind::Off));
        for (name, x, start) in [("left", -0.11, angle), ("right", 0.11, 0.0)] {
            let mut arm = joint(JointKind::Revolute, None, name);
            arm.name = format!("arm_{name}");
            arm.axis = [0.0, 1.0, 0.0];
            arm.parent_frame.position = [x, 0.0, 0.0];
            arm.child_frame.position = [0.0, 0.0, 0.5];
            arm.positions = vec![start];
            description.joints.push(arm);
        }
        compare(&format!("arms {angle}"), description, 0.6, step);
    }
}

/// A floor that goes up and down under some balls, of which one is caught by it.
#[test]
fn a_floor_that_moves() {
    let mut bodies = vec![at_speed(ball("one", [0.0, 0.0, 0.15]), [0.0; 3])];
    bodies.push(ball("two", [0.5, 0.0, 0.3]));
    let mut floor = plate();
    floor.name = "floor".into();
    floor.motion = Motion::Prescribed;
    bodies.push(floor);
    let mut description = scene(bodies, Some(FrictionKind::Off));
    description.energy_balance = false;
    description.motions.push(motion_of(
        "floor",
        sine([0.0, 0.0, 0.01], [0.0; 3], 30.0, 0.0),
    ));
    // Each bounce amplifies what is off: both differ by 1.3e-6 at 1e-8, 6e-8 at 1e-9, 3e-9 at 1e-10.
    let tolerance = 0.1 * TOLERANCE;
    let mut whole = Run::new(description.clone(), tolerance);
    let mut divided = DividedRun::new(description, tolerance);
    whole.to(0.4);
    divided.to(0.4, 0.01);
    assert!(divided.changes.len() >= 4);
    for (one, other) in whole.states.iter().zip(&divided.states) {
        near!(*one, *other, STATES * (1.0 + one.abs()));
    }
}
