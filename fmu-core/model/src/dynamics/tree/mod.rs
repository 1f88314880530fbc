//! Motion of bodies that hang together by joints.
//!
//! A tree hangs on the world, on a fixed or prescribed body, or on a free body with
//! states of its own, which then moves with the tree. All vectors are in world axes and about the
//! origins of the bodies, as loads and velocities are elsewhere; distances between bodies come from
//! the frames of the joints, never as differences of positions in the world, so that a scene far
//! away loses nothing.
//!
//! - [`kinematics`]: poses and velocities of the bodies, motions that each joint leaves
//! - [`forces`]: springs, friction and inputs along the coordinates
//! - [`articulated`]: accelerations, in time proportional to the number of joints
//! - [`rates`]: derivatives of the states
//! - [`response`]: effective masses along a normal or a coordinate
//! - [`impulse`]: jumps of velocities under impulses
//! - [`reaction`]: forces that joints transmit

pub mod articulated;
pub mod forces;
pub mod impulse;
pub mod kinematics;
pub mod rates;
pub mod reaction;
pub mod response;

#[cfg(test)]
#[path = "../../../tests/unit/dynamics/tree/tests/mod.rs"]
mod tests;
