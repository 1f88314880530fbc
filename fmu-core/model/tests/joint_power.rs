//! Power of what acts in joints, against closed forms and against the balance of energy.

use crate::fixtures::*;
use crate::trees::{G, mass};
use contact_laws::index::OutputId;

const ARM: f64 = 0.7;
const INPUTS: [f64; 5] = [2.0, 0.3, -0.4, 0.5, -1.5];

/// A hinge with all that may act, beyond its upper stop or not; on its child a ball joint with damper
/// and input, and on that a screw with damper and input.
fn arms(angle: f64) -> SceneDescription {
    let mut hinge = joint(JointKind::Revolute, None, "upper");
    hinge.axis = [1.0, 0.0, 0.0];
    (hinge.positions, hinge.rates) = (vec![angle], vec![1.3]);
    let forces = &mut hinge.forces[0];
    forces.spring = Some(joint_spring(30.0, 0.1));
    forces.damping = 0.6;
    forces.friction = Some(joint_friction(0.8, 0.01));
    forces.stops = Some(joint_stops(None, Some(0.5), 1e4, 0.6));
    forces.input = true;
    let mut socket = joint(JointKind::Spherical, Some("upper"), "lower");
    socket.parent_frame.position = [0.0, 0.0, -ARM];
    socket.rates = vec![0.3, -0.7, 1.1];
    (socket.ball.damping, socket.ball.input) = (0.4, true);
    let mut screw = joint(JointKind::Screw, Some("lower"), "nut");
    (screw.pitch, screw.rates) = (0.3, vec![-2.0]);
    screw.forces[0].damping = 0.05;
    screw.forces[0].input = true;
    let mut joints = vec![hinge, socket, screw];
    joints.iter_mut().for_each(|joint| joint.power = true);
    let arm = mass(2.0, [0.0, 0.1, -0.4], [0.3, 0.3, 0.1]);
    let bodies = ["upper", "lower", "nut"].map(|name| plain_body(name, Motion::Joint, arm));
    let mut description = steel_scene(bodies.to_vec());
    description.gravity = Gravity::Uniform([0.0, 0.0, -G]);
    description.joints = joints;
    description
}

fn started(description: SceneDescription) -> (System, Vec<f64>) {
    let scene = valid(description);
    let mut system = start_of(&scene);
    let mut states = scene.start_states();
    system.set_inputs(&INPUTS, None);
    update(&mut system, 0.0, &mut states);
    (system, states)
}

/// Powers of the joints, in their order [W].
fn powers(system: &mut System, states: &[f64]) -> Vec<f64> {
    let names = ["hinge", "socket", "screw"].len();
    system.go_to(0.0, states).expect("good states");
    let scene = Arc::clone(system.scene());
    let outputs = scene.outputs().keys();
    let named = outputs.filter(|index: &OutputId| scene.output_name(*index).ends_with(".power"));
    let values: Vec<f64> = named
        .map(|index| system.output_here(index).expect("an output"))
        .collect();
    assert_eq!(values.len(), names);
    values
}

#[test]
fn each_joint_has_the_power_of_its_own_forces() {
    let (mut system, states) = started(arms(0.4));
    let found = powers(&mut system, &states);
    let expected = [
        (INPUTS[0] - 30.0 * 0.3 - 0.6 * 1.3 - 0.8) * 1.3,
        0.3 * (INPUTS[1] - 0.4 * 0.3) - 0.7 * (INPUTS[2] + 0.4 * 0.7)
            + 1.1 * (INPUTS[3] - 0.4 * 1.1),
        -2.0 * (INPUTS[4] + 0.05 * 2.0),
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-13, "{found} {expected}");
    }
}

/// d(T + V)/dt = sum of all powers, with V the energy in the gravity field; the springs' own energy,
/// which potential energy has in it, grows by k (q - q_0) q'. The hinge swings free, then in its stop.
#[test]
fn kinetic_and_gravitational_energy_grow_by_the_sum_of_the_powers() {
    for angle in [0.4, 0.503, -1.2] {
        let (mut system, states) = started(arms(angle));
        let touches = system.ledger().stops().iter().any(|stop| stop.is_some());
        assert_eq!(touches, angle > 0.5);
        let rates = rates(&mut system, 0.0, &states);
        let h = 1e-5;
        let mut energy = |side: f64| {
            let moved = states.iter().zip(&rates).map(|(x, v)| x + side * h * v);
            let moved: Vec<f64> = moved.collect();
            let outputs = system.outputs(0.0, &moved).expect("outputs");
            outputs.kinetic_energy + outputs.potential_energy
        };
        let growth = (energy(1.0) - energy(-1.0)) / (2.0 * h);
        let of_spring = 30.0 * (angle - 0.1) * 1.3;
        let sum: f64 = powers(&mut system, &states).iter().sum();
        // Rounding of 1e-15 of 100 J over 2e-5 s; the third derivative of the energy times h^2.
        let off = (sum + of_spring - growth).abs();
        assert!(off < 1e-6 * (1.0 + sum.abs()), "{sum} {growth} {off:e}");
    }
}
