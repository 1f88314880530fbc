//! Motion of the bodies under gravity and contact.
//!
//! In the order in which data flows; a module uses those above it.
//!
//! The model and what an evaluation writes
//! - [`link`]: the bodies with states, each with the joint that it is the child of
//! - [`twist`]: velocities of a body
//! - [`load`]: force and torque on a body, and those of a contact
//! - [`model`]: [`Model`], a scene bound to parameter values: masses, gravity, law constants
//! - [`tree_work`]: work arrays of bodies that hang together by joints
//! - [`workspace`]: work arrays of an evaluation: poses, velocities, loads, accelerations
//!
//! One evaluation
//! - [`parts`]: the links divided into sets that do not act on each other
//! - [`contacts`]: the contacts of the ledger with what their forces need between two events
//! - [`sparsity`]: which states the derivatives of a state depend on
//! - [`frozen`]: what an evaluation reads and that stays between two events
//! - [`driven`]: bodies whose poses are inputs
//! - [`prescribed`]: bodies that move over time as the scene says
//! - [`rigid`]: bodies on which no joint hangs: their poses and their accelerations
//! - [`tree`]: bodies that hang together by joints
//! - [`contact_forces`]: contact forces; the only place where contact and response meet
//! - [`applied`]: prescribed forces
//! - [`stops`]: end stops of joints
//! - [`pipeline`]: [`frozen::Frozen::evaluate`], which calls these part by part
//! - [`start`]: binds a model, and refuses trees whose masses cannot be accelerated at start
//!
//! Events
//! - [`meetings`]: where bodies in contact meet, and how fast
//! - [`event`]: which contacts and stops start and end
//! - [`pressing`]: the impulse of a contact over an area
//! - [`impulses`]: jumps of velocities where contacts start
//! - [`deflections`]: deflections that an event changes
//! - [`motion_jumps`]: jumps of the velocity of prescribed bodies, and of the joints on them
//! - [`path`]: where the bodies are over an interval of time, and bounds of their motion
//! - [`search`]: first zero and least value of functions with lower bounds
//! - [`approach`]: when two shapes may touch on a path
//! - [`latches`]: which joints are held, and impulses of latches that close and open
//! - [`guard`]: event indicators that hold the minimum since the last step
//! - [`watchers`]: indicator slots that watch a pair out of contact
//!
//! Results
//! - [`energy`]: kinetic, potential and elastic energy
//! - [`distances`]: distances of pairs
//! - [`observed`]: poses and relative motions
//! - [`grains`]: sums over the balls of a group
//! - [`report`]: what is reported of a contact
//! - [`intersections`]: what polyhedra have in common
//! - [`sparsified`]: which of these stay of each two bodies
//! - [`outputs`]: all of these, computed once for a state
//! - [`output_places`]: the order in which derivatives of these come
//! - [`tangent`]: derivatives of state derivatives, indicators and outputs along a direction
//! - [`magnitudes`]: magnitudes that nominal values are made of
//! - [`carried`]: masses and loads that end stops have to hold
//! - [`joint_nominals`]: nominal magnitudes of the states of joints
//! - [`scale`]: nominal magnitudes of states, and the tolerance that resolves the contacts
//! - [`overlap`]: which overlaps at the start are mistakes
//! - [`stiffest`]: what keeps the steps of a solver small
//! - [`system`]: [`System`]: model, ledger, and what is computed at the present time and states
//! - [`evaluations`]: evaluations at the present time and states
//! - [`hybrid_system`]: [`System`] as a [`crate::hybrid::HybridSystem`]
//!
//! Parts alone
//! - [`island`]: links that are stepped together, apart from all others

pub mod applied;
pub mod approach;
pub mod carried;
pub mod contact_forces;
pub mod contacts;
pub mod deflections;
pub mod distances;
pub mod driven;
pub mod energy;
pub mod evaluations;
pub mod event;
pub mod frozen;
pub mod grains;
pub mod guard;
pub mod hybrid_system;
pub mod impulses;
pub mod intersections;
pub mod island;
pub mod joint_nominals;
pub mod latches;
pub mod link;
pub mod load;
pub mod magnitudes;
pub mod meetings;
pub mod model;
pub mod motion_jumps;
pub mod observed;
pub mod output_places;
pub mod outputs;
pub mod overlap;
pub mod parts;
pub mod path;
pub mod pipeline;
pub mod prescribed;
pub mod pressing;
pub mod report;
pub mod rigid;
pub mod scale;
pub mod search;
pub mod sparsified;
pub mod sparsity;
pub mod start;
pub mod stiffest;
pub mod stops;
pub mod system;
pub mod tangent;
pub mod tree;
pub mod tree_work;
pub mod twist;
pub mod watchers;
pub mod workspace;

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
pub use outputs::Outputs;
pub use stops::StopChange;
pub use system::System;
