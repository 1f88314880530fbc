//! Shapes as a convex core swept by a ball, without any body.
//!
//! - [`shape`]: cores and radii
//! - [`bounds`]: axis-aligned bounding boxes
//! - [`mass`]: mass properties of shapes and of bodies made of them

pub mod bounds;
pub mod mass;
pub mod shape;

pub use bounds::Aabb;
pub use mass::MassProperties;
pub use shape::{Core, RoundedShape};
