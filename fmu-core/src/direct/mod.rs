//! The C interface without FMI: contact forces and impulses on driven bodies, for a program or a Modelica
//! model that integrates the bodies itself.
//!
//! - [`rows`]: rows of the arrays, checked and converted to poses
//! - [`forces`]: [`DirectForces`](forces::DirectForces), a scene behind such arrays
//! - [`interface`]: the C functions; `fmu-core/include/contact_scene.h` follows from them
//!
//! Source: [Engelson 2000] section 7.3, function `doCollide`, whose 27 columns give the poses of the bodies;
//! velocities and events of impacts, which it lacks, are passed to the other functions. Impulses: section
//! 2.1.

pub mod forces;
pub mod interface;
pub(crate) mod rows;

pub use interface::*;
