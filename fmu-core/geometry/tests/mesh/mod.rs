//! A mesh against other shapes, as it is.
//!
//! - [`distance`]: points and bodies that are apart
//! - [`overlap`]: bodies that overlap
//! - [`brute`]: distances by all triangles

mod brute;
mod distance;
mod overlap;
