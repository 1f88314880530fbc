//! Energies of the scene.

use crate::dynamics::Model;
use crate::dynamics::contacts::Contacts;
use crate::dynamics::workspace::Workspace;
use crate::scene::description::Gravity;
use contact_geometry::math::{Mat3, Real, Vec3, norm, vec3};
use contact_laws::index::BodyId;
use contact_laws::response::stick::Deflection;

/// Kinetic energy [J]: 1/2 m v_c^2 + 1/2 w.I w over the bodies that forces move.
pub fn kinetic<T: Real>(model: &Model, work: &Workspace<T>) -> T {
    total(moved(model).map(|body| {
        let (numbers, twist) = (&model.bodies[body], &work.twists[body]);
        // Not from the position in the world, which is rounded far away from its origin.
        let arm_w = work.frames[body.frame()].rotation * numbers.center_of_mass_b.map(T::from);
        let velocity = twist.velocity_w + twist.omega_w.cross(&arm_w);
        let inertia_b: Mat3<T> = numbers.inertia_b.map(T::from);
        velocity.dot(&velocity) * (0.5 * numbers.mass)
            + twist.omega_b.dot(&(inertia_b * twist.omega_b)) * 0.5
    }))
}

/// Potential energy in the field of gravity [J]: -m g.r_c, zero at the world origin, or -m mu/|r|,
/// zero at infinity.
pub fn potential<T: Real>(model: &Model, work: &Workspace<T>) -> T {
    total(moved(model).map(|body| {
        let mass = model.bodies[body].mass;
        let center_w = center_of_mass_w(model, work, body);
        match &model.gravity {
            Gravity::None => T::zero(),
            Gravity::Uniform(g) => vec3::<T>(g).dot(&center_w) * -mass,
            Gravity::Point { mu, center } => T::from(-mass * mu) / norm(&(center_w - vec3(center))),
        }
    }))
}

/// Energy stored in the contacts [J].
pub fn elastic<T: Real>(
    model: &Model,
    contacts: &Contacts,
    work: &Workspace<T>,
    states: &[T],
) -> T {
    total(contacts.list().iter_enumerated().map(|(index, contact)| {
        let normal = match contact.over_area {
            true => work.areas[index].energy,
            false => contacts
                .law(contact)
                .elastic_energy(work.wrenches[index].gap),
        };
        match contacts.bristle(contact) {
            Some((law, deflection)) => {
                let own = &states[model.scene.layout().deflection(deflection)];
                normal + law.energy(&Deflection::read(own))
            }
            None => normal,
        }
    }))
}

/// The bodies that forces accelerate.
fn moved(model: &Model) -> impl Iterator<Item = BodyId> {
    let bodies = model.scene.bodies().iter_enumerated();
    bodies
        .filter(|(_, b)| b.is_dynamic())
        .map(|(index, _)| index)
}

/// Sum from +0: the sum of no floats is -0 in Rust, which a result file would show.
fn total<T: Real>(energies: impl Iterator<Item = T>) -> T {
    energies.fold(T::zero(), std::ops::Add::add)
}

/// Centre of mass of a body in the world [m].
fn center_of_mass_w<T: Real>(model: &Model, work: &Workspace<T>, body: BodyId) -> Vec3<T> {
    let pose = &work.frames[body.frame()];
    pose.position + pose.rotation * model.bodies[body].center_of_mass_b.map(T::from)
}
