//! The scene: what a model is made of, checked once and immutable from then on.
//!
//! - [`description`]: plain data, as a scene file or the bytes in an FMU give it
//! - [`build`]: [`Scene`], made from a description; every invariant is checked here
//! - `forms`: convex shapes, mass and contact sphere of a form
//! - `check`: the checks behind [`Scene::new`]
//! - [`pairs`]: which shapes can touch, numbered
//! - [`flaw`]: what is wrong with a description
//! - `filter`: which shapes never touch
//! - `pairing`: contact data of pairs of shapes
//! - `named_pairs`: what is set for two bodies or shapes against each other
//! - `reported`: whose contact is reported
//! - [`joint`]: a joint, and how its coordinates place bodies
//! - `tree`: joints in the order of their trees; what a tree may not be
//! - [`inputs`]: inputs and outputs of bodies, forces, joints and measurements
//! - [`forces`]: prescribed forces over time
//! - [`motions`]: prescribed motions over time
//! - [`curve`]: curves through given values
//! - [`parameters`]: the numbers that may change after the FMU was built
//! - [`contact_slots`]: contacts of pairs, and room for them
//! - [`layout`]: where the states of bodies and contacts lie in the state vector
//! - [`user`]: functions of the user that laws of a scene call, loaded
//! - [`bytes`]: the description as bytes, and the token that names them

pub mod build;
pub mod bytes;
mod check;
pub mod contact_slots;
pub mod curve;
pub mod description;
mod filter;
pub mod flaw;
pub mod forces;
mod forms;
pub mod inputs;
pub mod joint;
pub mod layout;
pub mod motions;
mod named_pairs;
mod pairing;
pub mod pairs;
pub mod parameters;
mod reported;
#[cfg(test)]
#[path = "../../tests/unit/scene/tests/mod.rs"]
mod tests;
mod tree;
pub mod user;

pub use build::{Body, Scene, Shape, Stop};
pub use contact_slots::{ContactKey, ContactSlots};
pub use description::{SceneDescription, SceneItem};
pub use flaw::{SceneError, SceneFlaw};
pub use forces::Force;
pub use forms::mass_properties;
pub use inputs::{Input, Measurement, Output};
pub use joint::Joint;
pub use layout::StateLayout;
pub use motions::PrescribedMotion;
pub use named_pairs::NamedPair;
pub use pairs::{Pair, Pairs};
pub use parameters::{JointItem, MotionItem, Parameter, Parameters};
pub use user::UserFunctions;
