//! Shapes as a convex core swept by a ball, independent of bodies.
//!
//! - [`bounds`]: bounding boxes
//! - [`mass`]: mass properties of bodies made of shapes
//! - [`strata`]: the parts of a core's boundary
//! - [`cuboid`]: box and half-space
//! - [`beam`]: beam, segment and point
//! - [`revolved`]: cone, round cone, cylinder, ellipsoid
//! - [`hull`]: convex polyhedra
//! - [`mesh`]: closed triangle meshes
//! - [`shape`]: cores of all kinds, shapes of core and radius

mod beam;
mod bounds;
mod cuboid;
mod hull;
pub mod mass;
pub(crate) mod mesh;
mod revolved;
mod shape;
pub(crate) mod strata;

pub use beam::{Beam, Point, Segment};
pub use bounds::Aabb;
pub use cuboid::{Cuboid, HalfSpace};
pub use hull::Hull;
pub use mass::MassProperties;
pub use mesh::{Mesh, cells::Cells};
pub use revolved::{Cone, Cylinder, Ellipsoid, RoundCone};
pub use shape::{Axis, Core, Kind, RoundedShape, axis_rotation};
pub use strata::Solid;

#[cfg(test)]
#[path = "../../tests/unit/shapes/samples.rs"]
pub(crate) mod samples;
