//! Forces and torques on bodies that the scene prescribes over time, as plain data.

use serde::{Deserialize, Serialize};

/// A force and a torque on a body, prescribed over time. Several on one body add up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceDescription {
    /// Unique name.
    pub name: String,
    /// Name of the body, which forces must accelerate.
    pub body: String,
    /// Where the force acts, body frame [m]; it moves with the body.
    pub point: [f64; 3],
    /// Axes of force and torque.
    pub axes: ForceAxes,
    /// Force and torque over time.
    pub profile: ForceProfile,
}

/// Axes in which a force is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ForceAxes {
    /// Fixed in the world.
    World,
    /// Turning with the body.
    Body,
}

/// A force and a torque over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ForceProfile {
    /// Always the same.
    Constant(ForceVectors),
    /// amplitude sin(omega t + phase), t the time of the simulation.
    Sine {
        /// Largest values.
        amplitude: ForceVectors,
        /// Angular frequency omega [rad/s], > 0.
        angular_frequency: f64,
        /// Phase [rad].
        phase: f64,
    },
    /// Values at given times.
    Table(ForceTable),
    /// An input of the FMU.
    Input {
        /// The force is one.
        force: bool,
        /// The torque is one.
        torque: bool,
    },
}

/// A force and a torque; at least one is given, the other is zero.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ForceVectors {
    /// Force at the point [N].
    pub force: Option<[f64; 3]>,
    /// Torque beside that of the force [N.m]; the same about every point.
    pub torque: Option<[f64; 3]>,
}

/// Values of a force and a torque at given times; before the first and after the last time those
/// of that time hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceTable {
    /// Times [s], at least two, ascending.
    pub times: Vec<f64>,
    /// Forces at these times [N]; empty for none at all.
    pub forces: Vec<[f64; 3]>,
    /// Torques at these times [N.m]; empty for none at all.
    pub torques: Vec<[f64; 3]>,
    /// What holds between the times.
    pub interpolation: Interpolation,
}

/// What holds between the times of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Interpolation {
    /// Straight lines.
    Linear,
    /// Cubic spline.
    Spline,
    /// Steps of degree 5 that begin and end at rest, without acceleration.
    Quintic,
    /// Steps that begin and end at rest, with a constant slope in between.
    Trapezoid,
}
