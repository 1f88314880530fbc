//! Derivatives of the states of joints, and of free bodies on which joints hang.

use crate::dynamics::Model;
use crate::dynamics::workspace::Workspace;
use crate::math::{Real, Vec3, quaternion_rate};
use crate::scene::layout::StateLayout;

/// Writes the derivatives from a workspace that holds the accelerations.
pub fn derivatives<T: Real>(model: &Model, work: &Workspace<T>, states: &[T], rates: &mut [T]) {
    for (joint, numbers) in model.scene.joints().iter().zip(&model.joints) {
        let (positions, velocities) = (
            &states[numbers.positions.clone()],
            &states[numbers.rates.clone()],
        );
        let own = &mut rates[numbers.positions.clone()];
        // Before a quaternion there are coordinates; its rate is by the last three velocities.
        let plain = joint.quaternion().unwrap_or(own.len());
        own[..plain].copy_from_slice(&velocities[..plain]);
        if let ([w, x, y, z], [.., a, b, c]) = (&positions[plain..], velocities) {
            let rate = quaternion_rate(&[*w, *x, *y, *z], &Vec3::new(*a, *b, *c));
            own[plain..].copy_from_slice(&rate);
        }
        let accelerations = &work.joint_accelerations[numbers.dofs.clone()];
        rates[numbers.rates.clone()].copy_from_slice(accelerations);
    }
    for root in &model.floating_roots {
        let (rotation, twist) = (&work.frames[root.body].rotation, &work.twists[root.body]);
        let acceleration = &work.accelerations[root.body];
        let x = root.states(states);
        let turning = quaternion_rate(&[x[3], x[4], x[5], x[6]], &twist.omega_b);
        let offset = root.offset;
        let mut write = |at: std::ops::Range<usize>, values: &[T]| {
            rates[at].copy_from_slice(values);
        };
        write(StateLayout::position(offset), twist.velocity_w.as_slice());
        write(StateLayout::orientation(offset), &turning);
        write(
            StateLayout::velocity(offset),
            acceleration.linear.as_slice(),
        );
        // d(R^T w)/dt = R^T w', because R^T (w x w) is zero.
        let alpha_b = rotation.tr_mul(&acceleration.angular);
        write(StateLayout::angular_velocity(offset), alpha_b.as_slice());
    }
}
