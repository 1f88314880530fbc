//! From mesh files and points to contact geometry: closed surfaces, hulls, rounded edges; lengths in metres
//! once a file is read. Scene files are not known here.
//!
//! - [`file`]: mesh files by extension
//! - [`height_field`]: heights over a grid, and the solid below them
//! - `boxes`: boxes that meet a box or are near a point
//! - [`regions`]: cylinders, cones and spheres that a surface stands for
//! - [`repair`]: to a closed surface that faces outwards
//! - [`hull`]: surfaces; convex hull of points
//! - `polygon`: triangulation of plane polygons
//! - [`crossing`]: where a surface crosses itself
//! - [`concavity`]: how far the hull of a surface stands out of it
//! - `thicken`: an open surface as a shell
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
pub mod concavity;
pub mod crossing;
pub mod file;
pub mod height_field;
pub mod hull;
mod polygon;
pub mod regions;
pub mod repair;
pub mod solid;
mod thicken;

#[cfg(test)]
#[path = "../tests/unit/mod.rs"]
mod tests;
