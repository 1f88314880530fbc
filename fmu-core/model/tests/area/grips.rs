//! A load between two flat jaws, held by friction.
//!
//! Each jaw presses with F on a face of side a. Under a weight W that acts at b beside the middle
//! both patches together are a spring 2 k_t for the weight and 2 k_t c^2 for its torque W b, c the
//! mean distance of the pressure from its centre, a (sqrt 2 + ln(1 + sqrt 2))/6 of a square. They
//! hold what friction of each point of the faces can hold.

use super::*;

/// Side of the load, which is a cube [m].
const SIDE: f64 = 0.1;
/// How far the weight is off the middle [m].
const OFFSET: f64 = 0.03;
/// The weight [N].
const WEIGHT: f64 = 80.0;
/// W/2 over mu F at the limit: force with a torque of b times it on a square that turns about the
/// point 45.53 mm beside its middle, by sums over 1500 x 1500 points.
const LIMIT: f64 = 0.740087;
/// Friction.
const MU: f64 = 0.4;
/// Tangential stiffness [N/m].
const TANGENTIAL: f64 = 5e5;
/// Stiffness per area [N/m3], soft so that solving takes less.
const SOFT: f64 = 1e9;

/// The load between a fixed jaw and one on a rail that is pushed by the force [N]; within 1 s the
/// weight is put on.
fn gripper(push: f64) -> SceneDescription {
    let depth = STARTS + push / (SOFT * SIDE * SIDE);
    let jaw = |name, motion, x| body(name, motion, cuboid([0.04, 0.3, 0.3]), [x, 0.0, 0.0]);
    let away = 0.5 * SIDE + 0.02 - depth;
    let mut load = crate_of("load", [SIDE; 3], [0.0; 3]);
    let left = jaw("left", Motion::Fixed, -away);
    let mut right = jaw("right", Motion::Joint, 0.0);
    // Heavy, so that all swings slowly.
    load.mass.mass = Some(100.0);
    right.mass.mass = Some(100.0);
    let numbers = [
        (Number::StiffnessPerArea, SOFT),
        (Number::Restitution, 0.7),
        (Number::SlidingFriction, MU),
        (Number::StaticFriction, MU),
        (Number::TangentialStiffness, TANGENTIAL),
    ];
    let mut description = scene(vec![left, right, load], FrictionKind::Stick, &numbers);
    let mut rail = joint(JointKind::Prismatic, None, "right");
    rail.axis = [1.0, 0.0, 0.0];
    rail.positions = vec![away];
    description.joints = vec![rail];
    description.gravity = Gravity::None;
    let pushes = ForceProfile::Constant(vectors(Some([-push, 0.0, 0.0]), None));
    let mut weighs = force(
        "weight",
        "load",
        ForceProfile::Table(ForceTable {
            times: vec![0.0, 1.0],
            forces: vec![[0.0; 3], [0.0, 0.0, -WEIGHT]],
            torques: Vec::new(),
            interpolation: Interpolation::Linear,
        }),
    );
    weighs.point = [0.0, OFFSET, 0.0];
    description.forces = vec![force("push", "right", pushes), weighs];
    description
}

#[test]
fn jaws_hold_an_eccentric_load_by_the_springs_of_their_friction_and_let_go_at_its_limit() {
    let c = SIDE * (2.0_f64.sqrt() + (1.0 + 2.0_f64.sqrt()).ln()) / 6.0;
    let least = 0.5 * WEIGHT / (LIMIT * MU);
    let at = |run: &Run| (run.states[2], 2.0 * run.states[4].asin());
    let mut run = Run::new(gripper(1.02 * least), 1e-8);
    run.to(1.5);
    let (height, turn) = at(&run);
    let sinks = 0.5 * WEIGHT / TANGENTIAL;
    assert!((height / -sinks - 1.0).abs() < 1e-6, "{height:e} {sinks:e}");
    // The rule of six points in each quarter of the face gives a c that is 4e-4 less.
    let turns = sinks * OFFSET / (c * c);
    assert!((turn / -turns - 1.0).abs() < 1e-3, "{turn:e} {turns:e}");
    run.to(11.5);
    let (lower, further) = at(&run);
    assert!((lower - height).abs() < 1e-12 && (further - turn).abs() < 1e-10);
    let mut run = Run::new(gripper(0.98 * least), 1e-8);
    run.to(1.5);
    let (lower, further) = at(&run);
    assert!(lower < -1e-3 && further < -1e-2, "{lower} {further}");
}
