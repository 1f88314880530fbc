//! Surfaces of triangles: hulls, their rounding.
//!
//! - [`hull`]: convex hull of points
//! - [`round`]: a hull with round edges as core and radius

pub mod hull;
pub mod round;

#[cfg(test)]
mod tests;
