//! Nominal magnitudes of states of joints.

use super::*;
use crate::dynamics::scale;
use crate::fixtures::{ball, plate};

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
    let depth = scale::nominals(&bound(&free))[0];
    let mut description = steel_scene(vec![plate(), hammer]);
    description.joints = vec![hinge];
    let nominals = scale::nominals(&bound(&description));
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
    let nominals = scale::nominals(&bound(&description));
    let free = steel_scene(vec![plate(), ball("plunger", [0.0, 0.0, 1.0])]);
    let expected = scale::nominals(&bound(&free));
    assert_eq!(nominals, [expected[2], expected[9]]);
}

#[test]
fn joints_of_bodies_that_touch_nothing_have_the_nominals_of_free_flight() {
    let body = plain_body("top", Motion::Joint, Random(5).mass());
    let mut description = steel_scene(vec![body]);
    description.joints = vec![joint(JointKind::Free, None, "top")];
    let nominals = scale::nominals(&bound(&description));
    assert_eq!(nominals[..3], [1.0; 3]);
    assert_eq!(nominals[3..7], [1e-2; 4]);
    assert_eq!(nominals[7..10], [1.0; 3]);
    assert_eq!(nominals[10..], [1e-2; 3]);
}
