//! Forces that joints transmit, against statics and d'Alembert.

use super::*;
use contact_laws::index::JointId;

fn near(found: Vec3, expected: [f64; 3], size: f64) {
    let expected = Vec3::from(expected);
    let off = (found - expected).amax();
    assert!(off <= 1e-13 * size, "{found:?} is not {expected:?}");
}

/// A rod of 2 kg and 1 m along x from its origin.
fn rod() -> GivenMass {
    given_mass(
        2.0,
        [0.5, 0.0, 0.0],
        [0.0, 1.0 / 6.0, 1.0 / 6.0, 0.0, 0.0, 0.0],
    )
}

#[test]
fn a_clamped_beam_is_held_by_its_weight_and_the_moment_of_it() {
    let mut description = steel_scene(vec![plain_body("beam", Motion::Joint, rod())]);
    description.joints = vec![joint(JointKind::Fixed, None, "beam")];
    let (mut system, _) = system(description);
    let [force, torque] = system.reaction_here(0.into()).expect("a reaction");
    near(force, [0.0, 0.0, 2.0 * 9.81], 20.0);
    // The weight at 0.5 m turns the beam about +y: the wall turns it back.
    near(torque, [0.0, -9.81, 0.0], 20.0);
}

#[test]
fn a_clamp_at_the_far_end_tells_its_torque_there() {
    let mut description = steel_scene(vec![plain_body("beam", Motion::Joint, rod())]);
    let mut clamp = joint(JointKind::Fixed, None, "beam");
    clamp.child_frame.position = [1.0, 0.0, 0.0];
    description.joints = vec![clamp];
    let (mut system, _) = system(description);
    let [force, torque] = system.reaction_here(0.into()).expect("a reaction");
    near(force, [0.0, 0.0, 2.0 * 9.81], 20.0);
    near(torque, [0.0, 9.81, 0.0], 20.0);
}

#[test]
fn a_pendulum_at_rest_hangs_by_the_weight_of_all_that_hangs_on_it() {
    let links = ["upper", "lower"].map(|name| plain_body(name, Motion::Joint, rod()));
    let mut description = steel_scene(links.to_vec());
    description.gravity = crate::scene::description::Gravity::Uniform([9.81, 0.0, 0.0]);
    let mut below = joint(JointKind::Revolute, Some("upper"), "lower");
    below.parent_frame.position = [1.0, 0.0, 0.0];
    description.joints = vec![joint(JointKind::Revolute, None, "upper"), below];
    let (mut system, _) = system(description);
    for (index, hung) in [(0, 4.0), (1, 2.0)] {
        let [force, torque] = system.reaction_here(index.into()).expect("a reaction");
        near(force, [-9.81 * hung, 0.0, 0.0], 40.0);
        near(torque, [0.0; 3], 40.0);
    }
}

#[test]
fn a_rotating_bar_is_pulled_by_the_centripetal_force() {
    let mut description = steel_scene(vec![plain_body("bar", Motion::Joint, rod())]);
    description.gravity = crate::scene::description::Gravity::None;
    let mut hinge = joint(JointKind::Revolute, None, "bar");
    hinge.rates = vec![3.0];
    description.joints = vec![hinge];
    let (mut system, _) = system(description);
    let [force, torque] = system.reaction_here(0.into()).expect("a reaction");
    // m r w^2 towards the axis.
    near(force, [-2.0 * 0.5 * 9.0, 0.0, 0.0], 9.0);
    near(torque, [0.0; 3], 9.0);
}

#[test]
fn a_spring_pulls_through_the_joint_along_which_it_acts() {
    let mut description = steel_scene(vec![plain_body("bob", Motion::Joint, rod())]);
    description.gravity = crate::scene::description::Gravity::None;
    let mut slide = joint(JointKind::Prismatic, None, "bob");
    slide.positions = vec![0.3];
    slide.forces[0].spring = Some(crate::scene::description::JointSpring {
        stiffness: 50.0,
        rest: 0.1,
    });
    description.joints = vec![slide];
    let (mut system, states) = system(description);
    assert!((rates(&mut system, 0.0, &states)[1] + 50.0 * 0.2 / 2.0).abs() < 1e-14);
    let [force, _] = system.reaction_here(0.into()).expect("a reaction");
    near(force, [0.0, 0.0, -10.0], 10.0);
    // 1/2 k x^2; no gravity.
    let outputs = system.outputs_here().expect("outputs");
    assert!((outputs.potential_energy - 0.5 * 50.0 * 0.04).abs() < 1e-15);
}

/// Rate of the momentum of everything on the joint, by differences along the motion, less the
/// weight.
#[test]
fn a_joint_carries_the_weight_and_inertia_of_all_that_hangs_on_it() {
    let (mut random, mut worst) = (Random(4), 0.0_f64);
    for _ in 0..20 {
        let description = random_scene(&mut random, 20);
        let (mut system, states) = system(description);
        let accelerations = rates(&mut system, 0.0, &states);
        let model = system.model().clone();
        // Momentum of the bodies a moment earlier and later, along the motion.
        let h = 1e-5;
        let momenta = |system: &mut System, sign: f64| -> Vec<[Vec3; 2]> {
            let step = sign * h;
            let mut x = states.clone();
            // q(t + h) = q + h q' + h^2/2 q'' to second order; q'' from the rates at x + h q'.
            for (place, value) in x.iter_mut().enumerate() {
                *value += 0.5 * step * accelerations[place];
            }
            let middle = rates(system, 0.0, &x);
            for (place, value) in x.iter_mut().enumerate() {
                *value = states[place] + step * middle[place];
            }
            let bodies = model.bodies.keys();
            bodies
                .map(|body| -> [Vec3; 2] {
                    let (pose, twist) = {
                        system.go_to(0.0, &x).expect("finite states");
                        system.body_here(body).expect("a body")
                    };
                    let numbers = &model.bodies[body];
                    let center = pose.position + pose.rotation * numbers.center_of_mass_b;
                    let velocity = twist.velocity_at(&pose.position, &center);
                    let spin = pose.rotation * (numbers.inertia_b * twist.omega_b);
                    let momentum = velocity * numbers.mass;
                    // About the world origin, which stands.
                    [momentum, spin + center.cross(&momentum)]
                })
                .collect()
        };
        let (before, after) = (momenta(&mut system, -1.0), momenta(&mut system, 1.0));
        system.go_to(0.0, &states).expect("finite states");
        for (index, joint) in model.scene.joints().iter().enumerate() {
            let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
            for body in model.bodies.keys() {
                if !hangs_on(&model, body, index) {
                    continue;
                }
                let numbers = &model.bodies[body];
                let (pose, _) = system.body_here(body).expect("a body");
                let center = pose.position + pose.rotation * numbers.center_of_mass_b;
                let weight = Vec3::new(0.0, 0.0, -9.81 * numbers.mass);
                force += (after[usize::from(body)][0] - before[usize::from(body)][0]) / (2.0 * h)
                    - weight;
                torque += (after[usize::from(body)][1] - before[usize::from(body)][1]) / (2.0 * h)
                    - center.cross(&weight);
            }
            let (pose, _) = system.body_here(joint.child).expect("a body");
            let point = pose.then(&joint.child_frame).position;
            torque -= point.cross(&force);
            let found = system.reaction_here(index.into()).expect("a reaction");
            let size = force.norm() + torque.norm() + 100.0;
            // Differences err by h^2 and by the rounding over h, 1e-11 at most times rates in the
            // tens.
            for (found, expected) in found.iter().zip([force, torque]) {
                let error = (found - expected).norm() / size;
                worst = worst.max(error);
            }
        }
    }
    assert!(worst < 1e-6, "{worst:e}");
}

/// Whether a body is the child of a joint or hangs on that.
fn hangs_on(model: &Model, body: BodyId, joint: usize) -> bool {
    let mut above = Some(body);
    while let Some(body) = above {
        let joints = model.scene.joints();
        let Some(index) = joints.iter().position(|j| j.child == body) else {
            return false;
        };
        if index == joint {
            return true;
        }
        above = joints[JointId::from(index)].parent;
    }
    false
}
