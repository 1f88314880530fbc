//! Surfaces of triangles: hulls, their rounding.
//!
//! - [`hull`]: convex hull of points

pub mod hull;

#[cfg(test)]
mod tests;
