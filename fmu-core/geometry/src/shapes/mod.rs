//! Shapes as a convex core swept by a ball, without any body.
//!
//! - [`mass`]: mass properties of bodies made of shapes
//! - [`soft`]: the point that represents an entire face or edge
//! - [`strata`]: the parts of a core's boundary
//! - [`solid`]: what a kind of core implements
//! - [`point`]: the core of a sphere
//! - [`segment`]: the core of a capsule
//! - [`cuboid`]: the core of a box
//! - [`beam`]: box with two half cylinders
//! - [`cylinder`]: the core of a cylinder
//! - [`cone`]: cone and frustum
//! - [`round_cone`]: the core of a tapered capsule
//! - [`ellipsoid`]: an ellipsoid, which has no edges
//! - [`hull`]: convex polyhedra
//! - [`half_space`]: a half-space, which has no end
//! - [`shape`]: the kinds together: cores and radii
//! - [`bounds`]: axis-aligned bounding boxes

pub mod beam;
pub mod bounds;
pub mod cone;
pub mod cuboid;
pub mod cylinder;
pub mod ellipsoid;
pub mod half_space;
pub mod hull;
pub mod mass;
pub mod point;
pub mod round_cone;
pub mod segment;
pub mod shape;
pub mod soft;
pub mod solid;
pub mod strata;

pub use beam::Beam;
pub use bounds::Aabb;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use half_space::HalfSpace;
pub use hull::Hull;
pub use mass::MassProperties;
pub use point::Point;
pub use round_cone::RoundCone;
pub use segment::Segment;
pub use shape::{Axis, Core, Kind, RoundedShape};
pub use solid::Solid;

#[cfg(test)]
#[path = "../../tests/unit/shapes/samples.rs"]
pub(crate) mod samples;
