//! Inputs of a scene: of driven bodies, forces and joints.
//!
//! The list is fixed when the scene is built; an index into it is the address of a value.

use crate::scene::elements::Body;
use crate::scene::latch::Latch;
use contact_laws::index::{BodyId, ForceId, JointId, LatchId, TiSlice};

/// Meaning of one input. Indices are those of [`Scene`](crate::scene::Scene), the last one is a
/// component from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Position of the origin of a driven body, world axes [m].
    Position(BodyId, usize),
    /// Orientation (w, x, y, z) of a driven body, body to world.
    Orientation(BodyId, usize),
    /// Entry of the rotation matrix of a driven body, body to world, row by row.
    Rotation(BodyId, usize),
    /// Velocity of the origin of a driven body, world axes [m/s].
    Velocity(BodyId, usize),
    /// Angular velocity of a driven body, body axes [rad/s].
    AngularVelocity(BodyId, usize),
    /// Force, in the axes that the scene states for it [N].
    Force(ForceId, usize),
    /// Torque, in the same axes [N.m].
    Torque(ForceId, usize),
    /// Force [N] or torque [N.m] along a coordinate of a joint.
    Joint(JointId, usize),
    /// Torque on the child of a spherical joint, in the axes of its joint frame [N.m].
    BallTorque(JointId, usize),
    /// Command of a latch: above 0.5 it is to be closed, else open.
    Latch(LatchId),
}

impl Input {
    /// Index in the vector or matrix that the input is an element of, from 0; none for a scalar.
    pub fn component(self) -> Option<usize> {
        match self {
            Input::Joint(..) | Input::Latch(_) => None,
            Input::Position(_, i)
            | Input::Orientation(_, i)
            | Input::Rotation(_, i)
            | Input::Velocity(_, i)
            | Input::AngularVelocity(_, i)
            | Input::Force(_, i)
            | Input::Torque(_, i)
            | Input::BallTorque(_, i) => Some(i),
        }
    }

    /// Number of columns of the matrix that the input is an entry of, row by row; none elsewhere.
    pub fn columns(self) -> Option<usize> {
        matches!(self, Input::Rotation(..)).then_some(3)
    }

    /// The driven body that the input moves; none for a force.
    pub fn driven_body(self) -> Option<BodyId> {
        match self {
            Input::Position(body, _)
            | Input::Orientation(body, _)
            | Input::Rotation(body, _)
            | Input::Velocity(body, _)
            | Input::AngularVelocity(body, _) => Some(body),
            _ => None,
        }
    }

    /// Returns true if the value has an effect at events only.
    pub fn is_discrete(self) -> bool {
        matches!(self, Input::Latch(_))
    }

    /// Value until it is set: pose and velocities of a driven body at start, no force, a latch as it
    /// is at start.
    pub(super) fn start(
        self,
        bodies: &TiSlice<BodyId, Body>,
        latches: &TiSlice<LatchId, Latch>,
    ) -> f64 {
        let body = |b: BodyId| &bodies[b];
        match self {
            Input::Position(b, i) => body(b).position[i],
            Input::Orientation(b, i) => body(b).orientation[i],
            Input::Rotation(b, i) => body(b).given_pose().rotation[(i / 3, i % 3)],
            Input::Velocity(b, i) => body(b).velocity[i],
            Input::AngularVelocity(b, i) => body(b).angular_velocity[i],
            Input::Latch(l) if latches[l].starts_closed => 1.0,
            _ => 0.0,
        }
    }
}
