//! From mesh files and points to contact geometry: hulls, convex parts, rounded edges; lengths in metres once
//! a file is read. Scene files are not known here.
//!
//! - [`file`]: mesh files by extension
//! - `boxes`: boxes that meet a box
//! - [`regions`]: cylinders, cones and spheres that a surface stands for
//! - [`repair`]: to a closed surface that faces outwards
//! - [`hull`]: surfaces; convex hull of points
//! - [`cut`]: a closed surface cut by a plane
//! - [`crossing`]: where a surface crosses itself
//! - [`decompose`]: a concave surface in nearly convex pieces
//! - [`solid`]: volume and hull of a mesh, and its report

// Results for a mesh are equal to the byte on all machines; see clippy.toml.
#![cfg_attr(
    not(test),
    deny(
        clippy::too_many_lines,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

mod boxes;
pub mod crossing;
mod cut;
pub mod decompose;
pub mod file;
pub mod hull;
pub mod regions;
pub mod repair;
pub mod solid;

#[cfg(test)]
#[path = "../tests/unit/mod.rs"]
mod tests;
