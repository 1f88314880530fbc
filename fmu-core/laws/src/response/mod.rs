//! Pure force laws of scalars and vectors, without bodies, shapes and states.
//!
//! - [`number`]: the numbers of all laws
//! - [`choice`]: the laws and numbers of one pair
//! - [`penetration`]: stiffness from a desired penetration
//! - [`flaws`]: problems of a choice
//! - [`rule`]: when a pair is in contact, its event indicator, the depth that enters the force
//! - [`restitution`]: coefficient of restitution, and the damping that reproduces it
//! - [`inferred`]: damping from the impact speed that follows from energy and depth rate at each instant
//! - [`damping`]: damping coefficient of a contact from restitution and impact speed
//! - [`normal`]: normal forces
//! - [`friction`]: friction forces
//! - [`stick`]: sticking friction, with a state
//! - [`area`]: pressure and damping over a patch
//! - [`user`]: user-defined forces, functions of a shared library
//! - [`sliding`]: friction of a patch that slides and spins
//! - [`slip_line`]: the slip velocity along a line
//! - [`law`]: the law of a pair: normal force, friction, rolling resistance

pub mod area;
pub mod choice;
pub mod damping;
pub mod flaws;
pub mod friction;
pub mod inferred;
pub mod law;
pub mod normal;
pub mod number;
pub mod penetration;
pub mod restitution;
mod rule;
mod sliding;
mod slip_line;
pub mod stick;
pub mod user;

pub use choice::{LawChanges, LawChoice, LawKinds};
pub use law::{ContactForce, PairLaw};
pub use number::Number;

#[cfg(test)]
#[path = "../../tests/unit/response/tests/mod.rs"]
mod tests;
