//! State derivatives by the Newton-Euler equations about the body origin o.
//!
//! With c the centre of mass, r = R c_b from o to c, F and tau_o the contact force and its torque
//! about o, g the gravity at c (which has no torque about c):
//! I w' + w x I w = tau_o - r x F (body axes), a_c = F/m + g, a_o = a_c - w' x r - w x (w x r).

use crate::dynamics::Model;
use crate::dynamics::workspace::Workspace;
use crate::math::{Mat3, Real, Vec3, norm, quaternion_rate, vec3};
use crate::scene::StateLayout;
use crate::scene::description::Gravity;
use crate::scene::layout::FREE_BODY_STATES;

/// Writes f(x) from a workspace that holds kinematics and forces of x.
pub fn derivatives<T: Real>(model: &Model, work: &Workspace<T>, states: &[T], rates: &mut [T]) {
    let layout = model.scene.layout();
    for (index, body) in work.bodies.iter().enumerate() {
        let Some(offset) = layout.body(index) else {
            continue;
        };
        let numbers = &model.bodies[index];
        let x = &states[offset..offset + FREE_BODY_STATES];
        let rates = &mut rates[offset..offset + FREE_BODY_STATES];

        let r_w = body.pose.rotation * numbers.center_of_mass_b.map(T::from);
        let torque_w = body.torque_w - r_w.cross(&body.force_w);
        let torque_b = body.pose.rotation.tr_mul(&torque_w);
        let inertia: Mat3<T> = numbers.inertia_b.map(T::from);
        let inverse: Mat3<T> = numbers.inverse_inertia_b.map(T::from);
        let alpha_b = inverse * (torque_b - body.omega_b.cross(&(inertia * body.omega_b)));
        let alpha_w = body.pose.rotation * alpha_b;
        let acceleration_w = body.force_w / T::from(numbers.mass)
            + gravity(&model.gravity, &(body.pose.position + r_w))
            - alpha_w.cross(&r_w)
            - body.omega_w.cross(&body.omega_w.cross(&r_w));

        rates[StateLayout::position(0)].copy_from_slice(body.velocity_w.as_slice());
        let q = [x[3], x[4], x[5], x[6]];
        rates[StateLayout::orientation(0)].copy_from_slice(&quaternion_rate(&q, &body.omega_b));
        rates[StateLayout::velocity(0)].copy_from_slice(acceleration_w.as_slice());
        rates[StateLayout::angular_velocity(0)].copy_from_slice(alpha_b.as_slice());
    }
    if let Some(work_state) = layout.work() {
        rates[work_state] = work.dissipation;
    }
}

/// Acceleration of gravity at a world point [m/s2].
fn gravity<T: Real>(gravity: &Gravity, point_w: &Vec3<T>) -> Vec3<T> {
    match gravity {
        Gravity::None => Vec3::zeros(),
        Gravity::Uniform(g) => vec3(g),
        Gravity::Point { mu, center } => {
            let to_center = vec3(center) - point_w;
            let distance = norm(&to_center);
            to_center * (T::from(*mu) / (distance * distance * distance))
        }
    }
}
