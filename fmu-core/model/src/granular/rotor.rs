//! Free rotation of a body with any inertia, by its angular momentum L about the centre of mass in
//! world axes, which no free motion changes.
//!
//! Over a step h the orientation q turns by the angular velocity at the middle of the step: w(q) =
//! R J R^T L with the inverse inertia J in body axes, q_m = q turned by h/2 w(q), q' = q turned by
//! h w(q_m). Second order. With kicks of half a step of the torque before and after it, this is the
//! leapfrog rule for rotations; L of a body on which nothing acts is kept to the bit.

use contact_geometry::math::{Mat3, Vec3, multiply, rotation_matrix};

/// A quaternion turned by a rotation vector in world axes [rad], to the second order, of unit norm
/// to rounding if the first one is.
#[inline(always)]
pub fn turned(q: &[f64; 4], angle: &Vec3) -> [f64; 4] {
    let half = angle * 0.5;
    let turn = [1.0 - 0.5 * half.norm_squared(), half.x, half.y, half.z];
    let q = multiply(&turn, q);
    // One step of Newton for 1/|q|: the norm is off by |angle|^4/128 at most.
    let square = q.iter().map(|c| c * c).sum::<f64>();
    let factor = 1.5 - 0.5 * square;
    q.map(|c| c * factor)
}

/// Angular velocity in world axes [rad/s] of a body with this orientation matrix, inverse inertia
/// in body axes [1/(kg.m2)] and angular momentum in world axes [kg.m2/s].
#[inline]
pub fn angular_velocity(rotation: &Mat3, inverse_b: &Mat3, momentum: &Vec3) -> Vec3 {
    rotation * (inverse_b * rotation.tr_mul(momentum))
}

/// The orientation after a step [s], and the angular velocity over it [rad/s].
pub fn turn(q: &[f64; 4], inverse_b: &Mat3, momentum: &Vec3, step: f64) -> ([f64; 4], Vec3) {
    let start = angular_velocity(&rotation_matrix(q), inverse_b, momentum);
    let middle = turned(q, &(start * (0.5 * step)));
    let omega = angular_velocity(&rotation_matrix(&middle), inverse_b, momentum);
    (turned(q, &(omega * step)), omega)
}
