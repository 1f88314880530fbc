//! Round shapes with a pressure of their own against meshes.
//!
//! - [`pressed`]: a ball on a mesh, and sums over its patch
//! - [`quadrature`]: the force on a face by integration in the plane
//! - [`stated`]: closed forms, numbers of others, faces cut into pieces
//! - [`gradient`]: the wrench is the gradient of the energy
//! - [`round`]: capsules and ellipsoids on planes, and as balls
//! - [`tilted`]: their wrench is the gradient of the energy
//! - [`exact`]: with the centre or the axis on an edge, and walls in the plane of an end
//! - [`inside`]: the energy of what is inside, which few faces tell

mod exact;
pub mod gradient;
mod inside;
pub mod pressed;
mod quadrature;
pub mod round;
pub mod stated;
mod tilted;
