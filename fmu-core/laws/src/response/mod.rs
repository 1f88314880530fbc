//! Pure force laws: scalars and vectors in, force out. No body, no shape, no state.
//!
//! - [`options`]: which variant of each rule is used, and the presets that set all of them at once
//! - [`number`]: the numbers of all laws
//! - [`choice`]: the laws and numbers of one pair
//! - [`penetration`]: stiffness from a wanted penetration
//! - [`flaws`]: what is wrong with a choice
//! - [`rule`]: when a pair is in contact, its event indicator, the depth that enters the force
//! - [`regularize`]: the smooth replacements of |v| and of the coefficient of restitution
//! - [`step`]: step functions
//! - [`damping`]: damping coefficient of a contact from restitution and impact speed
//! - [`inferred`]: damping from the impact speed that follows from energy and depth rate at each
//!   instant
//! - [`hertz`]: stiffness of two curved bodies
//! - [`power`]: elastic force and energy of a power law
//! - [`normal`]: normal forces
//! - [`friction`]: friction forces
//! - [`sliding`]: friction of a patch that slides and turns
//! - [`stick`]: friction that holds at rest, with a state
//! - [`user`]: forces from functions of the user, in a shared library
//! - [`law`]: the law of a pair: normal force, friction, rolling resistance

pub mod area;
pub mod choice;
pub mod damping;
pub mod flaws;
pub mod friction;
pub mod hertz;
pub mod inferred;
pub mod law;
pub mod normal;
pub mod number;
pub mod options;
pub mod penetration;
pub mod power;
pub mod regularize;
pub mod rule;
pub mod sliding;
pub mod step;
pub mod stick;
pub mod user;

pub use choice::{LawChanges, LawChoice, LawKinds};
pub use law::{ContactForce, PairLaw};
pub use number::Number;

#[cfg(test)]
#[path = "../../tests/unit/response/tests/mod.rs"]
mod tests;
