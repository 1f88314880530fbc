//! Balls with a pressure of their own against meshes.
//!
//! - [`pressed`]: a ball on a mesh, and sums over its patch
//! - [`quadrature`]: the force on a face by integration in the plane
//! - [`stated`]: closed forms, numbers of others, faces cut into pieces
//! - [`gradient`]: the wrench is the gradient of the energy

mod gradient;
mod pressed;
mod quadrature;
mod stated;
