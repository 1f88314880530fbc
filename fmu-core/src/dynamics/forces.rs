//! Contact forces on the bodies: the pairs of the ledger in pair order, each by its law.
//!
//! With p the contact point, v_rel = v_2(p) - v_1(p), the force f acts on 2 at p and -f on 1; the
//! torque about a body origin o is (p - o) x f plus the torque of rolling resistance.

use crate::contact::Contact;
use crate::dynamics::Model;
use crate::dynamics::workspace::Workspace;
use crate::math::{Real, Vec3};
use crate::narrow_phase::{Proximity, find_feature, proximity};
use crate::response::PairLaw;
use crate::response::law::ContactMotion;

/// Writes forces and torques of all contacts into the workspace; `laws` are those of `contacts`.
pub fn apply<T: Real>(
    model: &Model,
    contacts: &[Contact],
    laws: &[PairLaw],
    work: &mut Workspace<T>,
) {
    for body in &mut work.bodies {
        body.force_w = Vec3::zeros();
        body.torque_w = Vec3::zeros();
    }
    work.contact_gaps.clear();
    work.dissipation = T::zero();
    for (contact, law) in contacts.iter().zip(laws) {
        let near = proximity_of(model, contact.pair as usize, work);
        work.contact_gaps.push(near.gap);
        let bodies = model.pair_bodies(contact.pair as usize);
        let point_w = near.contact_point_w();
        let on_2 = law.force(&motion_of(&near, bodies, work), contact.damping);
        work.dissipation += on_2.dissipation;
        for (body, sign) in [(bodies[0], -1.0), (bodies[1], 1.0)] {
            let body = &mut work.bodies[body];
            let force = on_2.force * T::from(sign);
            body.force_w += force;
            body.torque_w +=
                (point_w - body.pose.position).cross(&force) + on_2.torque * T::from(sign);
        }
    }
}

/// Motion of a pair at its contact point.
pub fn motion_of<T: Real>(
    near: &Proximity<T>,
    bodies: [usize; 2],
    work: &Workspace<T>,
) -> ContactMotion<T> {
    let point_w = near.contact_point_w();
    let [body_1, body_2] = bodies.map(|b| &work.bodies[b]);
    ContactMotion {
        gap: near.gap,
        normal: near.normal_w,
        velocity: body_2.velocity_at(&point_w) - body_1.velocity_at(&point_w),
        angular_velocity: body_2.omega_w - body_1.omega_w,
    }
}

/// Gap, normal and points of a pair for any scalar: the feature comes from the values alone.
fn proximity_of<T: Real>(model: &Model, pair: usize, work: &Workspace<T>) -> Proximity<T> {
    let [a, b] = model.scene.pairs()[pair].shapes;
    let (form_a, form_b) = (&model.scene.shapes()[a].form, &model.scene.shapes()[b].form);
    let (pose_a, pose_b) = (&work.shape_poses[a], &work.shape_poses[b]);
    let feature = find_feature(form_a, &pose_a.values(), form_b, &pose_b.values());
    proximity(form_a, pose_a, form_b, pose_b, feature)
}
