//! Rigid links: free bodies without joints, by the Newton-Euler equations about the body origin o.
//!
//! With c the centre of mass, r = R c_b from o to c, F and tau_o the resultant of contact and applied forces
//! and its torque about o, g the gravity at c (which has no torque about c): I w' + w x I w = tau_o - r x F
//! (body axes), a_c = F/m + g, a_o = a_c - w' x r - w x (w x r).

use crate::dynamics::Model;
use crate::dynamics::link::{Link, Twist};
use crate::dynamics::model::BodyModel;
use crate::dynamics::workspace::Load;
use crate::scene::description::Gravity;
use contact_geometry::math::{
    Mat3, Pose, Real, Vec3, norm, quaternion_rate, rotation_matrix, vec3,
};

/// Number of states of a free body: position (3), orientation (4), velocity (3), angular velocity (3).
pub(crate) const FREE_STATES: usize = 13;

#[inline(always)]
pub(crate) fn free_states<T: Copy>(link: &Link, states: &[T]) -> [T; FREE_STATES] {
    let own = &states[link.first_state()..link.first_state() + FREE_STATES];
    std::array::from_fn(|i| own[i])
}

#[inline(always)]
pub(crate) fn kinematics<T: Real>(x: &[T; FREE_STATES]) -> (Pose<T>, Twist<T>) {
    let rotation = rotation_matrix(&[x[3], x[4], x[5], x[6]]);
    let omega_b = Vec3::new(x[10], x[11], x[12]);
    let pose = Pose {
        position: Vec3::new(x[0], x[1], x[2]),
        rotation,
    };
    let twist = Twist {
        velocity_w: Vec3::new(x[7], x[8], x[9]),
        omega_b,
        omega_w: rotation * omega_b,
    };
    (pose, twist)
}

/// Derivatives of the states x of a rigid link; `load` is `None` without forces.
#[inline(always)]
pub(crate) fn rates<T: Real>(
    model: &Model,
    numbers: &BodyModel,
    pose: &Pose<T>,
    twist: &Twist<T>,
    load: Option<&Load<T>>,
    x: &[T; FREE_STATES],
) -> [T; FREE_STATES] {
    let rotation = &pose.rotation;
    let inertia: Mat3<T> = numbers.inertia_b.map(T::from);
    let inverse: Mat3<T> = numbers.inverse_inertia_b.map(T::from);
    let mut torque_b = -twist.omega_b.cross(&(inertia * twist.omega_b));
    let mut r_w = Vec3::zeros();
    if !numbers.centered {
        r_w = rotation * numbers.center_of_mass_b.map(T::from);
    }
    let mut acceleration_w = gravity(&model.gravity, &(pose.position + r_w));
    if let Some(load) = load {
        let mut torque_w = load.torque_w;
        if !numbers.centered {
            torque_w -= r_w.cross(&load.force_w);
        }
        torque_b += rotation.tr_mul(&torque_w);
        acceleration_w += load.force_w / T::from(numbers.mass);
    }
    let alpha_b = inverse * torque_b;
    if !numbers.centered {
        acceleration_w -= (rotation * alpha_b).cross(&r_w);
        acceleration_w -= twist.omega_w.cross(&twist.omega_w.cross(&r_w));
    }

    let (v, a) = (twist.velocity_w, acceleration_w);
    let [q_w, q_x, q_y, q_z] = quaternion_rate(&[x[3], x[4], x[5], x[6]], &twist.omega_b);
    [
        v.x, v.y, v.z, q_w, q_x, q_y, q_z, a.x, a.y, a.z, alpha_b.x, alpha_b.y, alpha_b.z,
    ]
}

/// Returns true if the derivatives of a rigid link are finite: 0 v is 0, or NaN if v is not finite. For
/// values in registers, because memory just written one by one is slow to read in pairs; summed as a tree,
/// because a chain of sums is slow too.
#[inline(always)]
pub(crate) fn are_finite<T: Real>(rates: &[T; FREE_STATES]) -> bool {
    let [.., a, b, c, d, e, f, g, h, i, j] = rates.map(|rate| 0.0 * rate.value());
    // The first three are velocities, which are states and finite.
    ((a + b) + (c + d)) + ((e + f) + (g + h)) + (i + j) == 0.0
}

/// Acceleration of gravity at a world point [m/s2].
#[inline(always)]
pub(crate) fn gravity<T: Real>(gravity: &Gravity, point_w: &Vec3<T>) -> Vec3<T> {
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
