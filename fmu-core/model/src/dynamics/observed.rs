//! Poses of bodies without states of their own, reactions and power of joints, and motions of
//! frames against each other, as results.
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

use crate::contact::{LatchState, Ledger};
use crate::dynamics::Model;
use crate::dynamics::tree::{forces, reaction};
use crate::dynamics::twist::Twist;
use crate::dynamics::workspace::Workspace;
use crate::scene::outputs::{Output, OutputItem, Owner};
use contact_geometry::math::{Pose, Real, Vec3, length, quaternion};
use contact_laws::index::{BodyId, JointId};

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

/// The value of an output where the bodies are placed and, for one that
/// [reads](crate::scene::outputs::Reads) accelerations or forces, accelerated.
pub fn value<T: Real>(model: &Model, (work, states): (&Workspace<T>, &[T]), output: Output) -> T {
    let i = output.index;
    match output.owner {
        Owner::Body(b) => of_body(&work.frames[b.frame()], &work.twists[b], output.item)[i],
        Owner::Joint(j) => of_joint(model, (work, states), j, output.item)[i],
        Owner::Measurement(m) => {
            let [from, to] = &model.scene.measurements()[m].frames;
            of_measurement(&moving(work, from), &moving(work, to), output.item)[i]
        }
        // It has no derivatives.
        Owner::Latch(_) => T::zero(),
    }
}

/// The value of an output that reads the ledger: impulses on driven bodies, latches.
pub fn of_ledger(model: &Model, ledger: &Ledger, output: Output) -> f64 {
    let body = match output.owner {
        Owner::Body(body) => body,
        Owner::Latch(latch) => return of_latch(&ledger.latches()[latch], output),
        _ => return 0.0,
    };
    let driven = model.driven.position(|driven| driven.body == body);
    let strike = driven.and_then(|driven| ledger.strikes().get(driven));
    strike.map_or(0.0, |strike| match output.item {
        OutputItem::Impulse => strike.impulse[output.index],
        OutputItem::ImpulseMoment => strike.moment[output.index],
        _ => strike.time,
    })
}

fn of_latch(latch: &LatchState, output: Output) -> f64 {
    match output.item {
        OutputItem::LatchImpulse => latch.impulse[output.index],
        OutputItem::LatchMoment => latch.moment[output.index],
        _ => f64::from(u8::from(latch.is_closed)),
    }
}

/// The components of an output; those that it does not have are zero.
type Components<T> = [T; 4];

fn scalar<T: Real>(number: T) -> Components<T> {
    [number, T::zero(), T::zero(), T::zero()]
}

fn vector<T: Real>(v: Vec3<T>) -> Components<T> {
    [v.x, v.y, v.z, T::zero()]
}

fn of_body<T: Real>(pose: &Pose<T>, twist: &Twist<T>, item: OutputItem) -> Components<T> {
    match item {
        OutputItem::Position => vector(pose.position),
        OutputItem::Orientation => quaternion(&pose.rotation),
        OutputItem::Velocity => vector(twist.velocity_w),
        OutputItem::AngularVelocity => vector(twist.omega_b),
        _ => [T::zero(); 4],
    }
}

fn of_joint<T: Real>(
    model: &Model,
    (work, states): (&Workspace<T>, &[T]),
    joint: JointId,
    item: OutputItem,
) -> Components<T> {
    match item {
        OutputItem::ReactionForce => vector(reaction::on_child(model, work, joint)[0]),
        OutputItem::ReactionTorque => vector(reaction::on_child(model, work, joint)[1]),
        OutputItem::Power => {
            let link = &model.links.all[model.links.of_joints[joint]];
            scalar(forces::power(link, work, states))
        }
        _ => [T::zero(); 4],
    }
}

fn of_measurement<T: Real>(from: &Moving<T>, to: &Moving<T>, item: OutputItem) -> Components<T> {
    let axes = &from.pose.rotation;
    let way = to.pose.position - from.pose.position;
    match item {
        OutputItem::MeasuredPosition => vector(axes.tr_mul(&way)),
        OutputItem::MeasuredOrientation => quaternion(&axes.tr_mul(&to.pose.rotation)),
        OutputItem::MeasuredVelocity => {
            let seen = to.velocity_w - from.velocity_w - from.omega_w.cross(&way);
            vector(axes.tr_mul(&seen))
        }
        OutputItem::MeasuredAngularVelocity => vector(axes.tr_mul(&(to.omega_w - from.omega_w))),
        OutputItem::MeasuredDistance => scalar(length(&way)),
        _ => [T::zero(); 4],
    }
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/observed/tests.rs"]
mod tests;
