//! What a checked scene consists of: bodies, shapes, end stops, laws, named pairs.

use crate::scene::description::body::BodyNumbers;
use crate::scene::description::{Drive, Motion, ShapeName};
use crate::scene::parameter::INERTIA_ENTRIES;
use contact_geometry::math::{Pose, Vec3, rotation_matrix};
use contact_geometry::shapes::{MassProperties, RoundedShape};
use contact_laws::index::{
    BodyId, JointId, LatchId, LawId, MaterialId, NamedPairId, ShapeId, SlotId, StopId, TriggerId,
};
use contact_laws::response::LawChoice;
use std::ops::Range;

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// How it moves.
    pub motion: Motion,
    /// Origin of the body frame in world axes [m], at start; where a prescribed body moves from.
    pub position: Vec3,
    /// Unit quaternion (w, x, y, z), body to world, at start.
    pub orientation: [f64; 4],
    /// Velocity of the origin, world axes [m/s], at start.
    pub velocity: Vec3,
    /// Angular velocity, body axes [rad/s], at start.
    pub angular_velocity: Vec3,
    /// Mass properties in the body frame; zero for a body that forces do not accelerate, save that
    /// a driven one has the mass of its shapes, or the given one, which scales nominal values.
    pub mass: MassProperties,
    /// Whether the file gives the mass: of a driven body it is then what its contacts meet, without
    /// turning unless the inertia is given too.
    pub(crate) is_mass_given: bool,
    /// What the inputs and outputs of a driven body are.
    pub drive: Drive,
    /// Number of shapes.
    pub shape_count: usize,
}

impl Body {
    /// Pose of the body frame in the world as the scene gives it: at start, save of a prescribed
    /// body, which moves from there, see
    /// [`Scene::start_pose`](crate::scene::Scene::start_pose).
    pub(crate) fn given_pose(&self) -> Pose {
        Pose {
            position: self.position,
            rotation: rotation_matrix(&self.orientation),
        }
    }

    /// Its parameters.
    pub(super) fn numbers(&self) -> BodyNumbers {
        BodyNumbers {
            motion: self.motion,
            position: self.position.into(),
            orientation: self.orientation,
            mass: self.mass.mass,
            center_of_mass: self.mass.center_of_mass.into(),
            inertia: INERTIA_ENTRIES.map(|at| self.mass.inertia[at]),
        }
    }

    /// Returns true if the body has states of its own.
    pub fn is_free(&self) -> bool {
        self.motion == Motion::Free
    }

    /// Returns true if forces accelerate the body.
    pub fn is_dynamic(&self) -> bool {
        self.motion.is_dynamic()
    }

    /// Returns true if inputs place the body.
    pub fn is_driven(&self) -> bool {
        self.motion == Motion::Driven
    }

    /// Returns true if the body never moves.
    pub fn is_fixed(&self) -> bool {
        self.motion == Motion::Fixed
    }
}

/// An end stop of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Its joint.
    pub joint: JointId,
    /// Index of the coordinate among those of its kind.
    pub coordinate: usize,
    /// It keeps the coordinate below its value; above it otherwise.
    pub is_upper: bool,
}

/// What an event indicator watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indicator {
    /// The pair in this slot.
    Slot(SlotId),
    /// This stop.
    Stop(StopId),
    /// Where this latch closes.
    Latch(LatchId),
    /// Where this trigger switches.
    Trigger(TriggerId),
}

/// A shape that takes part in contact detection.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Unique within its body.
    pub name: String,
    /// Index of its body.
    pub body: BodyId,
    /// Which part of a shape that consists of several convex ones.
    pub part: Option<usize>,
    /// Form and size, the shell included.
    pub form: RoundedShape,
    /// Form with sharp edges, the shell included, for pairs that touch over an area; none if
    /// `form` is it, or if no pair of the shape touches so.
    pub sharp: Option<RoundedShape>,
    /// Smallest extent along the axes of the core, without the shell [m]; infinite for a
    /// half-space.
    pub thickness: f64,
    /// Product of the two smallest extents [m2]; infinite for a half-space.
    pub flat_area: f64,
    /// Radius of the form without the shell [m], >= 0.
    pub own_radius: f64,
    /// Distance from the surface at which the shape begins to touch [m], >= 0.
    pub shell: f64,
    /// The largest form with which the shape touches others.
    pub(crate) bounding_form: RoundedShape,
    /// Pose of the core's frame in the body frame.
    pub pose_b: Pose,
    /// Its contact material.
    pub material: MaterialId,
    /// Contact sphere radius [m]; infinite for a half-space.
    pub contact_sphere_radius: f64,
    /// Counts as flat in the Hertz factor.
    pub flat: bool,
}

/// The law of two materials that can meet, or of two shapes that have their own.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactLaw {
    /// The materials, the smaller first.
    pub materials: [MaterialId; 2],
    /// The shapes that have it; none for all of these materials that have none of their own.
    pub between: Option<[ShapeName; 2]>,
    /// Laws and numbers, at start.
    pub choice: LawChoice,
}

/// Bodies or shapes whose distance somebody wants to know.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPair {
    /// The names, as the description has them.
    pub between: [ShapeName; 2],
    /// The shapes that can touch each other, each by its convex parts among the shapes of the
    /// scene.
    pub parts: Vec<[Range<ShapeId>; 2]>,
    /// Distance below which the log warns [m].
    pub warn_below: Option<f64>,
    /// Their distance is an output.
    pub distance: bool,
}

/// All contacts between two bodies or shapes, reported as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactSum {
    /// Names and convex parts of both sides in the order of the scene; forces act on the second.
    pub named: NamedPairId,
    /// Shapes of each side, ascending.
    pub(super) sides: [Vec<Range<ShapeId>>; 2],
}

impl ContactSum {
    /// Returns true if a pair of shapes is one of the sum.
    pub(super) fn has(&self, shapes: [ShapeId; 2]) -> bool {
        let mut sides = self.sides.iter().zip(shapes);
        sides.all(|(side, shape)| {
            let behind = side.partition_point(|range| range.end <= shape);
            side.get(behind).is_some_and(|range| range.start <= shape)
        })
    }
}

/// The shapes of two groups of convex parts as they touch each other under a threshold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OwnThreshold {
    /// First shape of either group.
    pub(super) first: [ShapeId; 2],
    /// The threshold [m].
    pub(super) value: f64,
    /// Shapes of either group, raised by half the threshold.
    pub(super) forms: [Vec<RoundedShape>; 2],
}

/// The law of two shapes of the description.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OwnLaw {
    /// First part of either shape.
    pub(super) first: [ShapeId; 2],
    /// The law.
    pub(super) law: LawId,
}
