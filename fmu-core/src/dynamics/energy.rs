//! Energies of the scene.

use crate::dynamics::Model;
use crate::dynamics::contacts::Contacts;
use crate::dynamics::workspace::Workspace;
use crate::math::Vec3;
use crate::scene::description::Gravity;

/// Kinetic energy [J]: 1/2 m v_c^2 + 1/2 w.I w over the bodies that forces move.
pub fn kinetic(model: &Model, work: &Workspace<f64>) -> f64 {
    total(moved(model).map(|body| {
        let (numbers, twist) = (&model.bodies[body], &work.twists[body]);
        // Not from the position in the world, which is rounded far away from its origin.
        let arm_w = work.frames[body].rotation * numbers.center_of_mass_b;
        let velocity = twist.velocity_w + twist.omega_w.cross(&arm_w);
        0.5 * numbers.mass * velocity.norm_squared()
            + 0.5 * twist.omega_b.dot(&(numbers.inertia_b * twist.omega_b))
    }))
}

/// Potential energy in the field of gravity [J]: -m g.r_c, zero at the world origin, or -m mu/|r|,
/// zero at infinity.
pub fn potential(model: &Model, work: &Workspace<f64>) -> f64 {
    total(moved(model).map(|body| {
        let mass = model.bodies[body].mass;
        let center_w = center_of_mass_w(model, work, body);
        match &model.gravity {
            Gravity::None => 0.0,
            Gravity::Uniform(g) => -mass * Vec3::from(*g).dot(&center_w),
            Gravity::Point { mu, center } => -mass * mu / (center_w - Vec3::from(*center)).norm(),
        }
    }))
}

/// Energy stored in the contacts [J].
pub fn elastic(model: &Model, contacts: &Contacts, work: &Workspace<f64>, states: &[f64]) -> f64 {
    let known = contacts.list().iter().zip(&work.wrenches);
    total(known.map(|(contact, wrench)| {
        let normal = contacts.law(contact).elastic_energy(wrench.gap);
        match contacts.bristle(contact) {
            Some((law, index)) => {
                let own = &states[model.scene.layout().deflection(index)];
                normal + law.energy(&Vec3::from_fn(|i, _| own[i]))
            }
            None => normal,
        }
    }))
}

/// The bodies that forces accelerate.
fn moved(model: &Model) -> impl Iterator<Item = usize> {
    let bodies = model.scene.bodies().iter().enumerate();
    bodies
        .filter(|(_, b)| b.is_dynamic())
        .map(|(index, _)| index)
}

/// Sum from +0: the sum of no floats is -0 in Rust, which a result file would show.
fn total(energies: impl Iterator<Item = f64>) -> f64 {
    energies.fold(0.0, std::ops::Add::add)
}

/// Centre of mass of a body in the world [m].
fn center_of_mass_w(model: &Model, work: &Workspace<f64>, body: usize) -> Vec3 {
    let pose = &work.frames[body];
    pose.position + pose.rotation * model.bodies[body].center_of_mass_b
}
