//! From mesh files and points to what touches: hulls, convex parts, rounded edges. Geometry only;
//! lengths in metres once a file is read.
//!
//! - [`file`]: mesh files by their ending
//! - [`repair`]: to a closed surface that faces outwards
//! - [`hull`]: surfaces; convex hull of points
//! - [`cut`]: a closed surface cut by a plane
//! - [`decompose`]: a concave surface in nearly convex pieces
//! - [`solid`]: volume and hull of a mesh, and its report

mod cut;
pub(crate) mod decompose;
pub(crate) mod file;
pub(crate) mod hull;
pub(crate) mod repair;
pub(crate) mod solid;

#[cfg(test)]
#[path = "../../tests/unit/mesh/tests/mod.rs"]
mod tests;
