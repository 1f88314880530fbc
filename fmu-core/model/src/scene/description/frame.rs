//! Frames in bodies and shapes, as plain data, and their keys.

use contact_laws::quantity::{Key, Range, Value, units};
use serde::{Deserialize, Serialize};

/// Pose of a frame in another one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalFrame {
    /// Origin [m].
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z); unit within 1e-6, made exactly unit.
    pub orientation: [f64; 4],
}

impl Default for LocalFrame {
    /// The frame itself.
    fn default() -> Self {
        LocalFrame {
            position: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0],
        }
    }
}

/// Position of a frame, in the frame of what carries it.
pub const POSITION: Key = Key::new(
    "position",
    "Position",
    Value::Numbers(units::POSITION, 3),
    "[0, 0, \"10 cm\"]",
)
.at("origin of this frame in the one that carries it")
.unless("[0, 0, 0]");
/// Orientation of a frame in the frame of what carries it.
pub const ORIENTATION: Key = Key::new(
    "orientation",
    "Quaternion",
    Value::Numbers(units::QUATERNION, 4),
    "[1, 0, 0, 0]",
)
.at("from this frame to the one that carries it")
.unless("[1, 0, 0, 0]");
/// Orientation by axis and angle.
pub const ROTATION: Key = Key::new(
    "rotation",
    "Rotation about an axis, instead of orientation",
    Value::Table(|| TURN.to_vec()),
    "",
)
.unless("orientation");
/// Axis and angle of a rotation.
#[rustfmt::skip]
pub const TURN: [Key; 2] = [
    Key::new("axis", "Axis, of any length", Value::Numbers(units::DIRECTION, 3), "[0, 0, 1]"),
    Key::new("angle", "Angle", Value::Number(units::ANGLE, Range::ANY), "\"30 deg\""),
];
/// A frame in a body.
pub const FRAME: [Key; 3] = [POSITION, ORIENTATION, ROTATION];
