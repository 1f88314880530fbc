//! A mesh against other shapes, as it is.
//!
//! - [`distance`]: points and bodies that are apart
//! - [`pressed`]: round bodies that overlap
//! - [`round`]: round bodies that are apart
//! - [`overlap`]: bodies that overlap
//! - [`ellipsoid`]: ellipsoids that do
//! - [`brute`]: distances by all triangles

mod brute;
mod distance;
mod ellipsoid;
mod overlap;
mod pressed;
mod round;
