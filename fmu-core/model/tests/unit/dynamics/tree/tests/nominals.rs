//! Nominal magnitudes of states of joints.

use super::*;
use crate::dynamics::scale;

#[test]
fn nominals_of_a_hinge_are_the_penetration_over_the_arm() {
    let mut hammer = ball("hammer", [0.0; 3]);
    hammer.motion = Motion::Joint;
    let mut hinge = joint(JointKind::Revolute, None, "hammer");
    hinge.parent_frame.position = [0.0, 0.0, 1.2];
    hinge.axis = [0.0, 1.0, 0.0];
    hinge.child_frame.position = [-2.0, 0.0, 0.0];
    let mut free = steel_scene(vec![plate(), ball("hammer", [0.0, 0.0, 1.0])]);
    free.gravity = crate::scene::description::Gravity::None;
    // What the ball sinks in where it is free.
    let depth = scale::Scales::of(&bound(&free)).nominals[0];
    let mut description = steel_scene(vec![plate(), hammer]);
    description.joints = vec![hinge];
    let nominals = scale::Scales::of(&bound(&description)).nominals;
    // The far corner of the box about the ball is 2.1 m along x, 0.1 m along the others.
    let arm = f64::sqrt(2.1 * 2.1 + 0.1 * 0.1 + 0.1 * 0.1);
    assert!((nominals[0] / (depth / arm) - 1.0).abs() < 1e-12);
    assert!((nominals[1] * arm - 1.0).abs() < 1e-12);
}

#[test]
fn nominals_of_a_slide_are_those_of_a_free_body() {
    let mut plunger = ball("plunger", [0.0; 3]);
    plunger.motion = Motion::Joint;
    let slide = joint(JointKind::Prismatic, None, "plunger");
    let mut description = steel_scene(vec![plate(), plunger]);
    description.joints = vec![slide];
    let nominals = scale::Scales::of(&bound(&description)).nominals;
    let free = steel_scene(vec![plate(), ball("plunger", [0.0, 0.0, 1.0])]);
    let expected = scale::Scales::of(&bound(&free)).nominals;
    assert_eq!(nominals, [expected[2], expected[9]]);
}

/// A rod of 3 kg and 2 m on a hinge at its end, axis y, with a stop
/// of 1e6 N.m/rad: J = m l^2/3 = 4 kg.m2, its weight turns it by at most 3 * 9.81 * 1 N.m.
fn stopped_rod(gravity: Gravity, axis: [f64; 3]) -> Model {
    let rod = given_mass(3.0, [1.0, 0.0, 0.0], [1e-3, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let mut hinge = joint(JointKind::Revolute, None, "rod");
    hinge.axis = axis;
    hinge.forces[0].stops = Some(joint_stops(Some(-1.5), None, 1e6, 0.5));
    let mut description = steel_scene(vec![plain_body("rod", Motion::Joint, rod)]);
    description.gravity = gravity;
    description.joints = vec![hinge];
    bound(&description)
}

#[test]
fn a_stiff_stop_enters_the_nominal_and_the_tolerance() {
    let down = Gravity::Uniform([0.0, 0.0, -9.81]);
    let model = stopped_rod(down, [0.0, 1.0, 0.0]);
    let nominals = scale::Scales::of(&model).nominals;
    assert!((nominals[0] / f64::sqrt(3.0 / 1e6) - 1.0).abs() < 1e-12);
    let demand = scale::stop_demand(&model).expect("a stop");
    assert!((demand.depth / (3.0 * 9.81 / 1e6) - 1.0).abs() < 1e-12);
    assert_eq!((demand.stop, demand.reach), (0.into(), 1.5));
    // A hundredth of 2.9e-5 rad in 1.5 rad is 2e-7.
    assert!((scale::suggested_tolerance(&model) / 1e-7 - 1.0).abs() < 1e-12);
    let weightless = stopped_rod(Gravity::None, [0.0, 1.0, 0.0]);
    let demand = scale::stop_demand(&weightless).expect("a stop");
    assert!((demand.depth / (0.01 * f64::sqrt(4.0 / 1e6)) - 1.0).abs() < 1e-12);
}

#[test]
fn joints_of_bodies_that_touch_nothing_have_the_nominals_of_free_flight() {
    let body = plain_body("top", Motion::Joint, Random(5).mass(0.5));
    let mut description = steel_scene(vec![body]);
    description.joints = vec![joint(JointKind::Free, None, "top")];
    let nominals = scale::Scales::of(&bound(&description)).nominals;
    assert_eq!(nominals[..3], [1.0; 3]);
    assert_eq!(nominals[3..7], [1e-2; 4]);
    assert_eq!(nominals[7..10], [1.0; 3]);
    assert_eq!(nominals[10..], [1e-2; 3]);
}
