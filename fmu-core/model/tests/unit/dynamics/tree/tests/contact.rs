//! A tree whose last body touches the ground.

use super::*;

/// A ball at the end of a universal joint, a slide with a spring and a ball joint, pressed into a
/// plate and moving; its carriage is free.
pub(super) fn leg_scene(depth: f64) -> SceneDescription {
    let mut random = Random(6);
    let mut carriage = plain_body("carriage", Motion::Free, random.mass(0.5));
    carriage.position = [0.1, -0.2, 1.5];
    carriage.velocity = [0.3, 0.1, -0.2];
    carriage.angular_velocity = [0.2, -0.3, 0.5];
    let mut foot = ball("foot", [0.0; 3]);
    foot.motion = Motion::Joint;
    let links = ["thigh", "shank"].map(|name| plain_body(name, Motion::Joint, random.mass(0.5)));
    let [thigh, shank] = links;
    let mut hip = joint(JointKind::Universal, Some("carriage"), "thigh");
    hip.axis = [1.0, 0.0, 0.0];
    hip.second_axis = [0.0, 1.0, 0.0];
    hip.positions = vec![0.2, -0.1];
    hip.rates = vec![0.4, 0.7];
    hip.forces[1].friction = Some(joint_friction(0.5, 1.0));
    let mut slide = joint(JointKind::Prismatic, Some("thigh"), "shank");
    slide.parent_frame.position = [0.0, 0.0, -0.5];
    slide.rates = vec![-0.3];
    slide.forces[0].spring = Some(joint_spring(300.0, 0.1));
    slide.forces[0].damping = 2.0;
    let mut ankle = joint(JointKind::Spherical, Some("shank"), "foot");
    ankle.parent_frame.position = [0.0, 0.0, -0.5];
    ankle.positions = random.quaternion().to_vec();
    ankle.rates = random.vector().to_vec();
    ankle.ball.damping = 0.3;
    let mut description = steel_scene(vec![plate(), carriage, thigh, shank, foot]);
    description.joints = vec![hip, slide, ankle];
    description.energy_balance = true;
    let height = Scene::new(description.clone())
        .expect("a valid scene")
        .bodies()[BodyId::from(4)]
    .position
    .z;
    description.bodies[1].position[2] += 0.1 - depth - height;
    description
}

/// The same, its contact found.
fn leg(depth: f64) -> (System, Vec<f64>) {
    let (system, states) = at_event(leg_scene(depth));
    assert_eq!(system.ledger().contacts().len(), 1);
    (system, states)
}

#[test]
fn exact_jacobian_of_a_tree_in_contact_equals_central_differences() {
    let (mut system, states) = leg(1e-4);
    let n = states.len();
    let jacobian = jacobian(&mut system, 0.0, &states);
    let mut x = states.clone();
    for column in 0..n {
        let h = 1e-7;
        x[column] = states[column] + h;
        let above = rates(&mut system, 0.0, &x);
        x[column] = states[column] - h;
        let below = rates(&mut system, 0.0, &x);
        x[column] = states[column];
        let exact = &jacobian[column * n..(column + 1) * n];
        let size = exact.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        for row in 0..n {
            let difference = (above[row] - below[row]) / (2.0 * h);
            near!(exact[row], difference, 1e-5 * size, "{row} {column}");
        }
    }
}

#[test]
fn power_of_all_forces_is_the_rate_of_the_energies() {
    let (mut system, states) = leg(1e-4);
    let profile = rates(&mut system, 0.0, &states);
    let energy = |system: &mut System, x: &[f64]| {
        let outputs = system.outputs(0.0, x).expect("outputs");
        outputs.kinetic_energy + outputs.potential_energy + outputs.elastic_energy
    };
    let h = 1e-8;
    let at = |sign: f64| -> Vec<f64> {
        let pairs = states.iter().zip(&profile);
        pairs.map(|(x, rate)| x + sign * h * rate).collect()
    };
    let rate = (energy(&mut system, &at(1.0)) - energy(&mut system, &at(-1.0))) / (2.0 * h);
    let dissipated = profile[profile.len() - 1];
    assert!(dissipated > 1.0);
    let off = (rate + dissipated).abs();
    assert!(off < 1e-5 * dissipated, "{rate} {dissipated}");
}
