//! Motion of the bodies under gravity and contact.
//!
//! In the order in which data flows; a module uses those above it.
//!
//! The model and its evaluated part
//! - [`link`]: the bodies with states, each with its joint
//! - [`model`]: [`Model`], a scene bound to parameter values: masses, gravity, law constants
//! - [`scope`]: index lists of what is evaluated and stepped together: all, or an island
//!
//! One evaluation
//! - [`parts`]: the links divided into sets that do not act on each other
//! - [`workspace`]: work arrays; loads of bodies and contacts
//! - [`path`]: motion of the bodies over an interval of time, with bounds
//! - [`search`]: first zero and minimum of functions with lower bounds
//! - [`approach`]: when two shapes may touch on a path
//! - [`contacts`]: the contacts of the ledger, watching slots, and all constants between two events
//! - [`prescribed`]: prescribed and driven bodies; applied forces; deflections
//! - [`rigid`]: poses and accelerations of bodies without joints
//! - [`tree`]: bodies connected by joints, and their end stops
//! - [`contact_forces`]: contact forces; the only place where contact and response meet
//! - [`pipeline`]: the stages of an evaluation, in order
//! - [`stage`]: a scope of a model at a time and states, with its evaluation
//!
//! Events
//! - [`source`]: sources of events and their changes: contacts, end stops, latches, jumps of prescribed
//!   motions
//! - [`guard`]: event indicators as minima since the last step; meetings of bodies
//! - [`pressing`]: the impulse of a contact over an area
//! - [`impulses`]: jumps of velocities where contacts start
//!
//! Results
//! - [`intersections`]: intersections of polyhedra
//! - [`outputs`]: all outputs and reports, computed once for a state
//! - [`tangent`]: derivatives of state derivatives, indicators and outputs along a direction
//! - [`scale`]: nominal magnitudes of states, and the tolerance that resolves the contacts
//! - [`overlap`]: overlaps at the start that are too deep
//! - [`system`]: [`System`]: a stage with its sources of events, as an integrator sees it
//! - [`results`]: results of a system beside derivatives and indicators
//!
//! Islands
//! - [`island`]: links that are stepped together, independently of all others

pub(crate) mod approach;
pub(crate) mod contact_forces;
pub(crate) mod contacts;
pub(crate) mod guard;
pub(crate) mod impulses;
pub(crate) mod intersections;
pub(crate) mod island;
pub(crate) mod link;
pub mod model;
pub(crate) mod outputs;
pub(crate) mod overlap;
pub(crate) mod parts;
pub(crate) mod path;
pub mod pipeline;
pub(crate) mod prescribed;
pub mod pressing;
pub(crate) mod results;
pub(crate) mod rigid;
pub mod scale;
pub(crate) mod scope;
pub(crate) mod search;
pub(crate) mod source;
pub(crate) mod stage;
pub(crate) mod system;
pub(crate) mod tangent;
pub(crate) mod tree;
pub(crate) mod workspace;

#[cfg(test)]
#[path = "../../tests/unit/dynamics/own_laws.rs"]
mod own_laws;
#[cfg(test)]
#[path = "../../tests/unit/dynamics/pair_classes.rs"]
mod pair_classes;
#[cfg(test)]
#[path = "../../tests/unit/dynamics/tests.rs"]
mod tests;

pub use self::{
    contact_forces::Stiffest,
    guard::{Anchor, Meeting},
    intersections::Intersection,
    island::system::KINK,
    model::Model,
    outputs::{ContactReport, OutputPlaces, Outputs, ReportNumber, SumReport},
    overlap::{Limit, Overlap, stored_energy, too_deep},
    source::{Change, ContactChange, LatchChange, MotionJump, PairImpulse, StopChange},
    system::System,
    workspace::Workspace,
};
