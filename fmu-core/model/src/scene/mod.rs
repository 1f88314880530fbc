//! The scene: the elements of a model, checked once and immutable from then on.
//!
//! Plain data
//! - [`description`]: plain data, as a scene file or the bytes in an FMU give it
//! - [`curve`]: curves through given values
//! - [`flaw`]: problems of a description
//!
//! Elements of a scene
//! - `forms`: convex shapes, mass and contact sphere of a form
//! - [`joint`]: a joint, and how its coordinates place bodies
//! - `tree`: joints in the order of their trees; forbidden trees
//! - [`layout`]: where the states of bodies and contacts lie in the state vector
//! - [`pairs`]: which shapes can touch, numbered
//! - [`coordinate`]: the numbers of a coordinate of a joint
//! - [`parameter`]: elements with parameters, and addresses of these
//! - [`forces`]: prescribed forces over time
//! - [`motions`]: prescribed motions over time
//! - [`elements`]: bodies, shapes, end stops, laws, named pairs
//! - [`outputs`]: outputs of bodies, joints and measurements
//!
//! The scene
//! - [`checked`]: [`Scene`], immutable
//! - [`pair_classes`]: pairs that are alike
//! - `lists`: which inputs and outputs a scene has
//! - `names`: names of inputs, outputs, states, stops, laws and pairs
//! - [`parameters`]: which parameters a scene has, their names and values
//! - [`user`]: user functions that laws of a scene call, loaded
//!
//! From a description to the scene
//! - `pairing`: contact data of pairs of shapes
//! - `area`: which pairs touch over an area, and with which shapes
//! - `reported`: whose contact is reported
//! - `check`: the checks behind [`Scene::new`]
//! - `build`: [`Scene::new`]; every invariant is checked here

mod area;
mod build;
mod check;
pub mod checked;
pub mod coordinate;
pub mod curve;
pub mod description;
pub(crate) mod elements;
pub mod flaw;
pub mod forces;
pub mod forms;
pub(crate) mod joint;
pub mod layout;
pub mod lists;
pub mod motions;
mod names;
pub mod outputs;
pub mod pair_classes;
mod pairing;
pub(crate) mod pairs;
pub mod parameter;
pub(crate) mod parameters;
mod reported;
#[cfg(test)]
#[path = "../../tests/unit/scene/tests/mod.rs"]
mod tests;
mod tree;
pub mod user;

pub use self::{
    checked::Scene,
    coordinate::JointItem,
    description::{SceneDescription, SceneItem},
    elements::{Body, ContactLaw, Indicator, NamedPair, Shape, Stop},
    flaw::SceneError,
    forces::Force,
    forms::{Grains, GrainsId, mass_properties, touching_shapes},
    joint::{Joint, Latch, LatchTrigger},
    layout::StateLayout,
    outputs::{Input, Measurement, Output, OutputItem, Trigger, WatchedOutput},
    pairs::{Pair, Pairs},
    parameter::{Address, Element, ElementNumbers},
    parameters::Parameters,
    user::UserFunctions,
};
pub(crate) use motions::PrescribedMotion;
