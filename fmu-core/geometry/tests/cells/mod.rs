//! Bodies of cells: boxes, meshes and hulls under one law.
//!
//! - [`meshes`]: triangle meshes, and sums over a patch
//! - [`stated`]: wrenches that other programs found
//! - [`potential`]: the wrench is the gradient of the energy
//! - [`gears`]: two gears: work, lists of candidates, one copy for all
//! - [`refined`]: spheres of ever more triangles
//! - [`limits`]: work, memory, depth and poses at the limits
//! - [`same`]: other triangulations, numbers, frames and routines give the same

mod gears;
mod limits;
pub mod meshes;
mod potential;
mod refined;
mod same;
mod stated;
