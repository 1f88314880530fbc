//! Pure force laws: scalars and vectors in, force out. No body, no shape, no state.
//!
//! - [`options`]: which variant of each rule is used, and the presets that set all of them at once
//! - [`regularize`]: the smooth replacements of |v| and of the coefficient of restitution
//! - [`damping`]: damping coefficient of a contact from restitution and impact speed
//! - [`normal`]: normal force and elastic energy
//! - [`friction`]: tangential force and rolling torque

pub mod options;
