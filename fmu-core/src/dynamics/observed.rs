//! Poses of bodies without states of their own, reactions of joints, and motions of frames against
//! each other, as results.
//!
//! A measurement goes from a frame A to a frame B. With p and R their poses in the world, v the
//! velocities of their origins and w their angular velocities, world axes:
//! - position r = R_A^T (p_B - p_A), orientation R_A^T R_B
//! - velocity r' = R_A^T (v_B - v_A - w_A x (p_B - p_A)), what an observer on A sees
//! - angular velocity R_A^T (w_B - w_A)
//! - distance |p_B - p_A|
//!
//! An orientation is written as the quaternion with w >= 0. A body that turns on past half a turn
//! changes the sign of all four numbers, not the rotation: without a memory no choice is
//! continuous.

use crate::dynamics::Model;
use crate::dynamics::tree::reaction;
use crate::dynamics::twist::Twist;
use crate::dynamics::workspace::Workspace;
use crate::index::{BodyId, MeasurementId};
use crate::math::{Pose, Real, Vec3, length, quaternion};
use crate::scene::Output;

/// A frame that moves: pose, velocity of its origin [m/s] and angular velocity [rad/s], world axes.
struct Moving<T: Real> {
    pose: Pose<T>,
    velocity_w: Vec3<T>,
    omega_w: Vec3<T>,
}

/// The motion of an end of a measurement: a frame of a body, or of the world.
fn moving<T: Real>(work: &Workspace<T>, (body, frame): &(Option<BodyId>, Pose)) -> Moving<T> {
    let Some(body) = body else {
        return Moving {
            pose: frame.lift(),
            velocity_w: Vec3::zeros(),
            omega_w: Vec3::zeros(),
        };
    };
    let (own, twist) = (&work.frames[body.frame()], &work.twists[*body]);
    let pose = own.then(frame);
    Moving {
        velocity_w: twist.velocity_at(&own.position, &pose.position),
        omega_w: twist.omega_w,
        pose,
    }
}

/// The value of an output where the bodies are placed and, for one of a joint, accelerated.
pub fn value<T: Real>(model: &Model, work: &Workspace<T>, output: Output) -> T {
    let body = |b: BodyId| -> (&Pose<T>, &Twist<T>) { (&work.frames[b.frame()], &work.twists[b]) };
    let ends = |m: MeasurementId| {
        let [from, to] = &model.scene.measurements()[m].frames;
        [moving(work, from), moving(work, to)]
    };
    match output {
        Output::Position(b, i) => body(b).0.position[i],
        Output::Orientation(b, i) => quaternion(&body(b).0.rotation)[i],
        Output::Velocity(b, i) => body(b).1.velocity_w[i],
        Output::AngularVelocity(b, i) => body(b).1.omega_b[i],
        Output::MeasuredPosition(m, i) => {
            let [from, to] = ends(m);
            let way = to.pose.position - from.pose.position;
            from.pose.rotation.tr_mul(&way)[i]
        }
        Output::MeasuredOrientation(m, i) => {
            let [from, to] = ends(m);
            quaternion(&from.pose.rotation.tr_mul(&to.pose.rotation))[i]
        }
        Output::MeasuredVelocity(m, i) => {
            let [from, to] = ends(m);
            let way = to.pose.position - from.pose.position;
            let seen = to.velocity_w - from.velocity_w - from.omega_w.cross(&way);
            from.pose.rotation.tr_mul(&seen)[i]
        }
        Output::MeasuredAngularVelocity(m, i) => {
            let [from, to] = ends(m);
            let turning = to.omega_w - from.omega_w;
            from.pose.rotation.tr_mul(&turning)[i]
        }
        Output::MeasuredDistance(m) => {
            let [from, to] = ends(m);
            length(&(to.pose.position - from.pose.position))
        }
        Output::ReactionForce(joint, i) => reaction::on_child(model, work, joint)[0][i],
        Output::ReactionTorque(joint, i) => reaction::on_child(model, work, joint)[1][i],
    }
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/observed/tests.rs"]
mod tests;
