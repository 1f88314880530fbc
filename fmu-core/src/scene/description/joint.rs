//! Joints between bodies, as plain data.
//!
//! A joint has a frame on its parent and one on its child; its coordinates give the pose of the
//! child's frame in the parent's. If all coordinates are zero both frames coincide.

use serde::{Deserialize, Serialize};

/// A joint. The child's pose follows from the parent's and from the coordinates of the joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointDescription {
    /// Unique name; no body has it.
    pub name: String,
    /// Which motions it leaves.
    pub kind: JointKind,
    /// Name of the parent body; none for the world.
    pub parent: Option<String>,
    /// Name of the child body, whose motion is `joint`; a body is the child of one joint.
    pub child: String,
    /// The joint's frame in the parent's body frame.
    pub parent_frame: LocalFrame,
    /// The joint's frame in the child's body frame.
    pub child_frame: LocalFrame,
    /// Axis in the joint's frames, not zero; made unit. The first axis of a universal joint, the
    /// normal of a planar one; without meaning for fixed, spherical and free joints.
    pub axis: [f64; 3],
    /// Second axis of a universal joint, or first direction of a planar one, at right angles to
    /// `axis`; without meaning for others.
    pub second_axis: [f64; 3],
    /// Coordinates at start, as many as [`JointKind::position_count`].
    pub positions: Vec<f64>,
    /// Rates at start, as many as [`JointKind::rate_count`].
    pub rates: Vec<f64>,
    /// What acts along each of [`JointKind::coordinates`].
    pub forces: Vec<CoordinateForces>,
    /// What acts in a spherical joint.
    pub ball: BallForces,
    /// Parent and child may touch; by kind unless given, see [`JointKind::may_collide`].
    pub can_collide: Option<bool>,
    /// Force and torque on the child are outputs.
    pub reaction: bool,
}

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

/// Which motions a joint leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// None.
    Fixed,
    /// Turning about the axis.
    Revolute,
    /// Sliding along the axis.
    Prismatic,
    /// Sliding along the axis and turning about it.
    Cylindrical,
    /// Turning about the axis, which the parent carries, then about the second one, which the child
    /// carries.
    Universal,
    /// Turning about a point.
    Spherical,
    /// Sliding in the plane at right angles to the axis and turning about it.
    Planar,
    /// All six.
    Free,
}

/// A coordinate of a joint that is one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// Displacement along the axis [m].
    Displacement,
    /// Displacement along the first direction of a plane [m].
    Displacement1,
    /// Displacement along the second direction of a plane, axis x first direction [m].
    Displacement2,
    /// Angle about the axis [rad].
    Angle,
    /// Angle about the first axis [rad].
    Angle1,
    /// Angle about the second axis [rad].
    Angle2,
}

impl Coordinate {
    /// The key that a scene file gives it, and the last part of the state's name.
    pub fn key(self) -> &'static str {
        match self {
            Coordinate::Displacement => "displacement",
            Coordinate::Displacement1 => "displacement_1",
            Coordinate::Displacement2 => "displacement_2",
            Coordinate::Angle => "angle",
            Coordinate::Angle1 => "angle_1",
            Coordinate::Angle2 => "angle_2",
        }
    }

    /// The last part of the name of its rate.
    pub fn rate_key(self) -> &'static str {
        match self {
            Coordinate::Displacement => "velocity",
            Coordinate::Displacement1 => "velocity_1",
            Coordinate::Displacement2 => "velocity_2",
            Coordinate::Angle => "angular_velocity",
            Coordinate::Angle1 => "angular_velocity_1",
            Coordinate::Angle2 => "angular_velocity_2",
        }
    }

    /// The last part of the name of a force or torque along it.
    pub fn force_key(self) -> &'static str {
        match self {
            Coordinate::Displacement => "force",
            Coordinate::Displacement1 => "force_1",
            Coordinate::Displacement2 => "force_2",
            Coordinate::Angle => "torque",
            Coordinate::Angle1 => "torque_1",
            Coordinate::Angle2 => "torque_2",
        }
    }

    /// Returns true if it is an angle [rad]; a displacement [m] otherwise.
    pub fn is_angle(self) -> bool {
        matches!(
            self,
            Coordinate::Angle | Coordinate::Angle1 | Coordinate::Angle2
        )
    }
}

impl JointKind {
    /// The word that a scene file gives it.
    pub fn key(self) -> &'static str {
        match self {
            JointKind::Fixed => "fixed",
            JointKind::Revolute => "revolute",
            JointKind::Prismatic => "prismatic",
            JointKind::Cylindrical => "cylindrical",
            JointKind::Universal => "universal",
            JointKind::Spherical => "spherical",
            JointKind::Planar => "planar",
            JointKind::Free => "free",
        }
    }

    /// Coordinates that are one number each, in the order of the states; none if the
    /// coordinates hold a quaternion (spherical, free).
    pub fn coordinates(self) -> &'static [Coordinate] {
        match self {
            JointKind::Fixed | JointKind::Spherical | JointKind::Free => &[],
            JointKind::Revolute => &[Coordinate::Angle],
            JointKind::Prismatic => &[Coordinate::Displacement],
            JointKind::Cylindrical => &[Coordinate::Displacement, Coordinate::Angle],
            JointKind::Universal => &[Coordinate::Angle1, Coordinate::Angle2],
            JointKind::Planar => &[
                Coordinate::Displacement1,
                Coordinate::Displacement2,
                Coordinate::Angle,
            ],
        }
    }

    /// Number of position states: the coordinates; orientation (w, x, y, z) of a spherical joint;
    /// position and orientation of a free one.
    pub fn position_count(self) -> usize {
        match self {
            JointKind::Spherical => 4,
            JointKind::Free => 7,
            _ => self.coordinates().len(),
        }
    }

    /// Number of velocity states, the degrees of freedom: rates of the coordinates; the angular
    /// velocity of the child against the parent in child axes [rad/s]; for a free joint before it
    /// the velocity in parent axes [m/s]. Axes are those of the joint's frames.
    pub fn rate_count(self) -> usize {
        match self {
            JointKind::Spherical => 3,
            JointKind::Free => 6,
            _ => self.coordinates().len(),
        }
    }

    /// Returns true if parent and child may touch unless the joint says so: if the joint holds a
    /// point of them together they overlap there by design.
    pub fn may_collide(self) -> bool {
        matches!(
            self,
            JointKind::Prismatic | JointKind::Cylindrical | JointKind::Planar | JointKind::Free
        )
    }
}

/// What acts along a coordinate q with rate v: force [N] along a displacement, torque [N.m] about
/// an angle, positive where it increases q.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CoordinateForces {
    /// Linear spring.
    pub spring: Option<JointSpring>,
    /// Viscous friction -damping v [N.s/m], [N.m.s/rad], >= 0.
    pub damping: f64,
    /// Coulomb friction.
    pub friction: Option<JointFriction>,
    /// End stops.
    pub stops: Option<JointStops>,
    /// A force or torque is an input.
    pub input: bool,
}

/// A linear spring: -stiffness (q - rest).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointSpring {
    /// Stiffness [N/m], [N.m/rad], >= 0.
    pub stiffness: f64,
    /// Coordinate at which it exerts nothing [m], [rad].
    pub rest: f64,
}

/// Coulomb friction, regularized: -limit v/reg(|v|, speed), with the limit from `speed` on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointFriction {
    /// Friction while sliding [N], [N.m], >= 0.
    pub limit: f64,
    /// Speed above which it has its full value [m/s], [rad/s], > 0.
    pub speed: f64,
}

/// End stops, compliant: a spring with the damping that gives the restitution exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointStops {
    /// Smallest coordinate before the stop is touched [m], [rad].
    pub lower: Option<f64>,
    /// Largest one [m], [rad]; above the lower one.
    pub upper: Option<f64>,
    /// Stiffness of a stop [N/m], [N.m/rad], > 0.
    pub stiffness: f64,
    /// Coefficient of restitution [1], 0..1.
    pub restitution: f64,
}

/// What acts in a spherical joint.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct BallForces {
    /// Viscous friction: torque -damping times the angular velocity [N.m.s/rad], >= 0.
    pub damping: f64,
    /// A torque on the child, in the axes of its joint frame, is an input; its negative acts on the
    /// parent.
    pub input: bool,
}
