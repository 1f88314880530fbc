//! Derivatives of the states of the links of trees.

use crate::dynamics::Model;
use crate::dynamics::link::Link;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::{Real, Vec3, quaternion_rate};

/// Writes the derivatives of the states of a link from a workspace that holds the accelerations.
pub fn write<T: Real>(
    model: &Model,
    link: &Link,
    work: &Workspace<T>,
    states: &[T],
    rates: &mut [T],
) {
    let (positions, velocities) = (&states[link.positions.clone()], &states[link.rates.clone()]);
    let own = &mut rates[link.positions.clone()];
    // Before a quaternion there are coordinates; its rate is by the last three velocities.
    let joint = &model.scene.links()[link.joint];
    let plain = joint.kind.quaternion().unwrap_or(own.len());
    own[..plain].copy_from_slice(&velocities[..plain]);
    if let ([w, x, y, z], [.., a, b, c]) = (&positions[plain..], velocities) {
        let rate = quaternion_rate(&[*w, *x, *y, *z], &Vec3::new(*a, *b, *c));
        own[plain..].copy_from_slice(&rate);
    }
    let accelerations = &work.joint_accelerations[link.dofs.clone()];
    rates[link.rates.clone()].copy_from_slice(accelerations);
}
