//! Bodies whose motion is given: by inputs, or over time by the scene. As plain data.

use super::{ForceAxes, Interpolation};
use serde::{Deserialize, Serialize};

/// What the inputs and outputs of a driven body are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drive {
    /// Form of its orientation input.
    pub orientation: OrientationInput,
    /// Axes of the outputs contact force and contact torque.
    pub wrench_axes: ForceAxes,
}

impl Default for Drive {
    fn default() -> Self {
        Drive {
            orientation: OrientationInput::Quaternion,
            wrench_axes: ForceAxes::World,
        }
    }
}

/// Form of the orientation input of a driven body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrientationInput {
    /// Quaternion (w, x, y, z), body to world.
    Quaternion,
    /// Rotation matrix, body to world, row by row.
    Matrix,
}

/// The motion of a body whose `motion` is `prescribed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionDescription {
    /// Name of the body; one motion for each prescribed body.
    pub body: String,
    /// Motion over time.
    pub profile: MotionProfile,
}

/// A motion over time t [s]. The origin moves by a displacement in world axes from the position of
/// the body; the body turns by an angle about an axis through its origin that keeps its direction
/// in the world, from the orientation of the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MotionProfile {
    /// Constant velocity from the start time on.
    Constant {
        /// Velocity of the origin, world axes [m/s].
        velocity: [f64; 3],
        /// Angular velocity, world axes [rad/s].
        angular_velocity: [f64; 3],
        /// The body stays where it is and only its surface moves, as the belt of a conveyor does.
        surface: bool,
    },
    /// amplitude sin(omega t + phase), t the time of the simulation.
    Sine {
        /// Largest displacement, world axes [m].
        displacement: [f64; 3],
        /// Largest rotation about a fixed axis, world axes [rad].
        rotation: [f64; 3],
        /// Angular frequency omega [rad/s], > 0.
        angular_frequency: f64,
        /// Phase [rad].
        phase: f64,
    },
    /// Values at given times; before the first and after the last those of that time hold.
    Table {
        /// Times [s], at least two, ascending.
        times: Vec<f64>,
        /// Displacements at these times, world axes [m]; empty for none at all.
        displacements: Vec<[f64; 3]>,
        /// Axis of the rotation, world axes, not zero; made unit.
        axis: [f64; 3],
        /// Angles at these times [rad]; empty for none at all.
        angles: Vec<f64>,
        /// What holds between the times.
        interpolation: Interpolation,
        /// Velocities at the first and last time, which clamp a spline; not-a-knot without.
        ends: Option<EndSpeeds>,
    },
}

/// Velocities of a body at the first and at the last time of its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EndSpeeds {
    /// Of the displacement, world axes [m/s].
    pub velocities: [[f64; 3]; 2],
    /// Of the angle [rad/s].
    pub angular_speeds: [f64; 2],
}

/// The motion of a point, and of the axes, of one body against another, as outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasurementDescription {
    /// Unique name.
    pub name: String,
    /// From this frame.
    pub from: FrameName,
    /// To this one.
    pub to: FrameName,
}

/// A frame fixed to a body, or in the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameName {
    /// Name of the body; none for the world.
    pub body: Option<String>,
    /// Pose of the frame in the body.
    pub frame: super::LocalFrame,
}
