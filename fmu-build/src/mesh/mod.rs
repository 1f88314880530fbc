//! From mesh files and points to what touches: hulls, convex parts, rounded edges. Geometry only;
//! lengths in metres once a file is read.
//!
//! - [`file`]: mesh files by their ending
//! - [`stl`], [`obj`]: the formats
//! - [`polygon`]: triangles of plane polygons
//! - [`repair`]: to a closed surface that faces outwards
//! - [`hull`]: surfaces; convex hull of points
//! - [`round`]: a hull with round edges as core and radius
//! - [`cut`]: a closed surface cut by a plane
//! - [`decompose`]: a concave surface in nearly convex pieces
//! - [`nearest`]: distance of points from a surface
//! - [`deviation`]: how far a hull stands out of its piece
//! - [`solid`]: volume and hull of a mesh, and its report

mod cut;
pub mod decompose;
pub mod deviation;
pub mod file;
pub mod hull;
mod nearest;
mod obj;
mod polygon;
pub mod repair;
pub mod round;
pub mod solid;
mod stl;

#[cfg(test)]
#[path = "../../tests/unit/mesh/tests/mod.rs"]
mod tests;
