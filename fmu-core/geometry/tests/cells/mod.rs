//! Bodies of cells: boxes, meshes and hulls under one law.
//!
//! - [`meshes`]: triangle meshes, and sums over a patch
//! - [`stated`]: wrenches that other programs found
//! - [`potential`]: the wrench is the gradient of the energy
//! - [`limits`]: work, memory, depth and poses at the limits
//! - [`same`]: other triangulations, numbers, frames and routines give the same

mod limits;
pub mod meshes;
mod potential;
mod same;
mod stated;
