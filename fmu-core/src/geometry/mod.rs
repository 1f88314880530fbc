//! Shapes as a convex core swept by a ball, without any body.
//!
//! - [`hull`]: convex polyhedra
//! - [`shape`]: cores and radii
//! - [`kind`]: kinds of cores
//! - [`support`]: the farthest point of a core along a direction
//! - [`bounds`]: axis-aligned bounding boxes
//! - [`mass`]: mass properties of shapes and of bodies made of them

pub mod bounds;
pub mod hull;
pub mod kind;
pub mod mass;
pub mod shape;
pub mod support;

pub use bounds::Aabb;
pub use hull::Hull;
pub use kind::Kind;
pub use mass::MassProperties;
pub use shape::{Axis, Core, RoundedShape};
