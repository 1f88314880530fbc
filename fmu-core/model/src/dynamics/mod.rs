//! Motion of the bodies under gravity and contact.
//!
//! In the order in which data flows; a module uses those above it.
//!
//! The model, and the results of an evaluation
//! - [`link`]: the bodies with states, each with the joint that it is the child of
//! - [`load`]: force and torque on a body and of a contact
//! - [`model`]: [`Model`], a scene bound to parameter values: masses, gravity, law constants
//! - [`tree_work`]: work arrays of trees
//!
//! One evaluation
//! - [`parts`]: the links divided into sets that do not act on each other
//! - [`contacts`]: the contacts of the ledger with what their forces need between two events
//! - [`prescribed`]: bodies that move as the scene or the importer says; applied forces; deflections
//! - [`rigid`]: bodies on which no joint hangs: their poses and their accelerations
//! - [`tree`]: bodies connected by joints
//! - [`contact_forces`]: contact forces; the only place where contact and response meet
//! - [`path`]: where the bodies are over an interval of time, and bounds of their motion
//! - [`search`]: first zero and least value of functions with lower bounds
//! - [`latches`]: end stops of joints; which joints are held, and impulses of latches that close and open
//! - [`pipeline`]: [`contacts::Frozen::evaluate`], which calls these part by part
//!
//! Events
//! - [`approach`]: when two shapes may touch on a path
//! - [`guard`]: meetings of bodies; event indicators that hold the minimum since the last step
//! - [`event`]: which contacts and stops start and end, jumps of prescribed motions
//! - [`pressing`]: the impulse of a contact over an area
//! - [`impulses`]: jumps of velocities where contacts start
//! - [`watchers`]: indicator slots that watch a pair out of contact
//!
//! Results
//! - [`intersections`]: intersections of polyhedra
//! - [`outputs`]: all of these, computed once for a state
//! - [`tangent`]: derivatives of state derivatives, indicators and outputs along a direction
//! - [`scale`]: nominal magnitudes of states, and the tolerance that resolves the contacts
//! - [`overlap`]: which overlaps at the start are mistakes
//! - [`system`]: [`System`]: model, ledger, and what is computed at the present time and states
//! - [`evaluations`]: evaluations at the present time and states
//!
//! Parts alone
//! - [`island`]: links that are stepped together, apart from all others

pub mod approach;
pub mod contact_forces;
pub mod contacts;
pub mod evaluations;
pub mod event;
pub mod guard;
pub mod impulses;
pub mod intersections;
pub mod island;
pub mod latches;
pub mod link;
pub mod load;
pub mod model;
pub mod outputs;
pub mod overlap;
pub mod parts;
pub mod path;
pub mod pipeline;
pub mod prescribed;
pub mod pressing;
pub mod rigid;
pub mod scale;
pub mod search;
pub mod system;
pub mod tangent;
pub mod tree;
pub(crate) mod tree_work;
pub(crate) mod watchers;

pub use model::Model;
#[cfg(test)]
#[path = "../../tests/unit/dynamics/own_laws.rs"]
mod own_laws;
#[cfg(test)]
#[path = "../../tests/unit/dynamics/pair_classes.rs"]
mod pair_classes;
#[cfg(test)]
#[path = "../../tests/unit/dynamics/tests.rs"]
mod tests;

pub use event::ContactChange;
pub use latches::StopChange;
pub use outputs::Outputs;
pub use system::System;
