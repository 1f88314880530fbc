//! Motion of the bodies under gravity and contact.
//!
//! - [`model`]: [`Model`], a scene bound to parameter values: masses, gravity, law constants
//! - [`workspace`]: poses and velocities of all bodies and shapes at one state
//! - [`driven`]: bodies that inputs place
//! - [`prescribed`]: bodies that move over time as the scene says
//! - [`forces`]: contact forces on the bodies; the only place where contact and response meet
//! - [`applied`]: prescribed forces on the bodies
//! - [`motion`]: accelerations by the Newton-Euler equations, state derivatives
//! - [`tree`]: motion of bodies that hang together by joints
//! - [`path`]: where the bodies are over an interval of time, and bounds of their motion
//! - [`search`]: first zero and least value of functions with lower bounds
//! - [`approach`]: when two shapes may touch on a path
//! - [`guard`]: event indicators that hold the minimum since the last step
//! - [`deflections`]: what of the states of contacts an event changes
//! - [`energy`]: kinetic, potential and elastic energy
//! - [`distances`]: distances of pairs as results
//! - [`observed`]: poses and relative motions as results
//! - [`overlap`]: which overlaps at the start are mistakes
//! - [`report`]: what is reported of a pair
//! - [`scale`]: nominal magnitudes of states, and the tolerance that resolves the contacts
//! - [`stiffest`]: what keeps the steps of a solver small
//! - [`stops`]: end stops of joints
//! - [`system`]: [`System`], which puts these behind [`crate::hybrid::HybridSystem`]

pub mod applied;
pub mod approach;
pub mod deflections;
pub mod distances;
pub mod driven;
pub mod energy;
pub mod forces;
pub mod guard;
pub mod model;
pub mod motion;
pub mod observed;
pub mod overlap;
pub mod path;
pub mod prescribed;
pub mod report;
pub mod scale;
pub mod search;
pub mod stiffest;
pub mod stops;
pub mod system;
pub mod tree;
pub mod workspace;

pub use model::Model;
#[cfg(test)]
#[path = "../../tests/unit/dynamics/own_laws.rs"]
mod own_laws;
#[cfg(test)]
#[path = "../../tests/unit/dynamics/tests.rs"]
mod tests;

pub use stops::StopChange;
pub use system::{ContactChange, Outputs, System};
