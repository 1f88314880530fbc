//! Inputs of a scene: of driven bodies, forces and joints.
//!
//! The list is fixed when the scene is built; an index into it is the address of a value.

use crate::index::{BodyId, ForceId, InputId, JointId, TiSlice, TiVec};
use crate::scene::description::{Motion, OrientationInput};
use crate::scene::elements::Body;
use crate::scene::forces::{Force, TimeProfile};
use crate::scene::joint::Joint;

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
}

impl Input {
    /// Index in the vector or matrix that the input is an element of, from 0; none for a scalar.
    pub fn component(self) -> Option<usize> {
        match self {
            Input::Joint(..) => None,
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

    /// Name, structured as importers see it: `hammer.position[1]`, `force.push.torque[3]`,
    /// `hinge.torque`.
    pub(super) fn name(
        self,
        bodies: &TiSlice<BodyId, Body>,
        forces: &TiSlice<ForceId, Force>,
        joints: &TiSlice<JointId, Joint>,
    ) -> String {
        let body = |b: BodyId| &bodies[b].name;
        let force = |f: ForceId| &forces[f].name;
        let joint = |j: JointId| &joints[j];
        match self {
            Input::Position(b, i) => format!("{}.position[{}]", body(b), i + 1),
            Input::Orientation(b, i) => format!("{}.orientation[{}]", body(b), i + 1),
            Input::Rotation(b, i) => {
                format!("{}.rotation[{},{}]", body(b), i / 3 + 1, i % 3 + 1)
            }
            Input::Velocity(b, i) => format!("{}.velocity[{}]", body(b), i + 1),
            Input::AngularVelocity(b, i) => format!("{}.angular_velocity[{}]", body(b), i + 1),
            Input::Force(f, i) => format!("force.{}.force[{}]", force(f), i + 1),
            Input::Torque(f, i) => format!("force.{}.torque[{}]", force(f), i + 1),
            Input::Joint(j, c) => {
                let coordinate = joint(j).kind.coordinates()[c];
                format!("{}.{}", joint(j).name, coordinate.force_key)
            }
            Input::BallTorque(j, i) => format!("{}.torque[{}]", joint(j).name, i + 1),
        }
    }

    /// Value until it is set: pose and velocities of a driven body at start, no force.
    pub(super) fn start(self, bodies: &TiSlice<BodyId, Body>) -> f64 {
        let body = |b: BodyId| &bodies[b];
        match self {
            Input::Position(b, i) => body(b).position[i],
            Input::Orientation(b, i) => body(b).orientation[i],
            Input::Rotation(b, i) => body(b).given_pose().rotation[(i / 3, i % 3)],
            Input::Velocity(b, i) => body(b).velocity[i],
            Input::AngularVelocity(b, i) => body(b).angular_velocity[i],
            _ => 0.0,
        }
    }
}

/// Inputs of a scene, in the order of its bodies, forces and joints.
pub(super) fn inputs(
    bodies: &TiSlice<BodyId, Body>,
    forces: &TiSlice<ForceId, Force>,
    joints: &TiSlice<JointId, Joint>,
) -> TiVec<InputId, Input> {
    let mut list = TiVec::new();
    for (b, body) in bodies.iter_enumerated() {
        if body.motion != Motion::Driven {
            continue;
        }
        list.extend((0..3).map(|i| Input::Position(b, i)));
        match body.drive.orientation {
            OrientationInput::Quaternion => {
                list.extend((0..4).map(|i| Input::Orientation(b, i)));
            }
            OrientationInput::Matrix => list.extend((0..9).map(|i| Input::Rotation(b, i))),
        }
        list.extend((0..3).map(|i| Input::Velocity(b, i)));
        list.extend((0..3).map(|i| Input::AngularVelocity(b, i)));
    }
    for (f, force) in forces.iter_enumerated() {
        if let TimeProfile::Input { force, torque } = force.profile {
            list.extend((0..3).filter(|_| force).map(|i| Input::Force(f, i)));
            list.extend((0..3).filter(|_| torque).map(|i| Input::Torque(f, i)));
        }
    }
    for (j, joint) in joints.iter_enumerated() {
        let forces = joint.forces.iter().enumerate();
        list.extend(
            forces
                .filter(|(_, f)| f.input)
                .map(|(c, _)| Input::Joint(j, c)),
        );
        if joint.kind.is_ball() && joint.ball.input {
            list.extend((0..3).map(|i| Input::BallTorque(j, i)));
        }
    }
    list
}
