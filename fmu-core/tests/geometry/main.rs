//! Gap, normal and points of all pairs of shapes against an independent oracle.
//!
//! - [`random`]: seeded numbers, directions and poses
//! - [`solid`]: the shapes once more, from their outer definition
//! - [`oracle`]: certified global maximum of the separation function
//! - [`placing`]: two shapes whose gap and normal are known to rounding
//! - [`pairs`]: each pair of kinds at random poses
//! - [`cases`]: pairs whose answer others found

mod cases;
mod oracle;
mod pairs;
mod placing;
mod random;
mod solid;
