//! Pure force laws: scalars and vectors in, force out. No body, no shape, no state.
//!
//! - [`material`]: contact data of a pair of materials
//! - [`options`]: which variant of each rule is used, and the presets that set all of them at once
//! - [`rule`]: when a pair is in contact, its event indicator, the depth that enters the force
//! - [`regularize`]: the smooth replacements of |v| and of the coefficient of restitution
//! - [`damping`]: damping coefficient of a contact from restitution and impact speed
//! - [`hertz`]: stiffness of two curved bodies, elastic force and energy
//! - [`law`]: the whole law of a pair: normal force, friction, rolling resistance

pub mod damping;
pub mod hertz;
pub mod law;
pub mod material;
pub mod options;
pub mod regularize;
pub mod rule;

pub use law::{ContactForce, PairLaw};
