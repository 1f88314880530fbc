//! Rigid bodies in contact: from the description of a scene to motion over time. FMI is not known here.
//!
//! A [`scene::Scene`] is the immutable structure (bodies, shapes, materials, pairs, state layout),
//! [`scene::Parameters`] the numbers a user may change, [`dynamics::Model`] the two bound together.
//! [`dynamics::System`] adds the ledger of contacts and evaluates; it implements [`hybrid::HybridSystem`],
//! which [`integrator`] integrates.
//!
//! | when | computed |
//! |---|---|
//! | the scene is built | checks, convex parts, pairs and their laws, state layout, all lists |
//! | parameters are bound | masses, numbers of laws, tables of inferred damping, work arrays |
//! | an event | latches, jumps of motions; contacts, slots, end stops, deflections; parts; impulses |
//! | a completed step | slots and hints |
//! | time, states or inputs change | everything else, on demand, stage by stage ([`dynamics::pipeline`]) |
//!
//! The integrator takes a step, accepts or repeats it, and ends it at the first event inside; its caller
//! updates the event. In Co-Simulation it integrates the [`islands`] over a window one by one, while the
//! system stays at its start. In [`granular`] mode there are no events.
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - [`threads`]: a crew of threads that share work and have ended when a call returns
//! - [`scene`]: the elements of a model, checked once and immutable
//! - [`broad_phase`]: candidate pairs from bounding boxes
//! - [`contact`]: ledger of pairs, slots and event indicators
//! - [`hybrid`]: the interface of a model to an integrator
//! - [`dynamics`]: equations of motion; contact and response meet here
//! - [`integrator`]: steps with error control, dense output and event location
//! - [`islands`]: parts of a scene that do not touch, with separate steps
//! - [`granular`]: fixed small steps for very many bodies
//!
//! Glossary, beside those of `contact_geometry` and `contact_laws`:
//! - pair: two shapes that can touch; its index is its number among all pairs of the scene
//! - contact: a pair whose law acts, at a point or over a patch, from one event update to another
//! - ledger: the discrete state: contacts, stops in contact, slots, hints, history of impacts
//! - indicator slot: an event indicator and the pair it watches; which pair may change
//! - link: a body with states, with the joint that it is the child of (kind `free` for a free body) - rigid
//!   link: a free body without joints on it
//! - tree: links connected by joints
//! - part: links that act on each other, by joints and contacts, until the next event
//! - island: links that are stepped together over a window of time, independently of all others
//! - factor, solve: articulated-body inertias from poses alone, then accelerations from loads
//! - load: sum of the forces on a body, and of their torques about its origin
//! - twist: velocity of a body's origin and angular velocity of the body
//! - stop (joint limit): end of the range of a coordinate of a joint; compliant, with events
//! - latch: locks all coordinates of a joint while it is closed
//! - time profile: a prescribed force or motion as a function of time
//! - anchor: time, states and inputs at the last completed step or event, where the guard starts
//! - guard: detects contacts that start and end between two evaluations of the indicators - event update:
//!   determines the pairs and stops in contact, and assigns the slots - completed step: end of a step of the
//!   integrator; assigns slots and hints, changes no contact
//! - frozen: constant between two events; of a contact, numbers that its law keeps from its start
//! - nominal: expected magnitude of a state, to which tolerances are relative

// A panic inside an importer ends the importer's work: what may fail returns an error. Functions
// whose last bits follow the platform are called through `math::transcendental`.
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::too_many_lines,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod broad_phase;
pub mod contact;
pub mod dynamics;
pub mod granular;
pub mod hybrid;
pub mod integrator;
pub mod islands;
pub mod scene;
pub mod threads;

// The fixtures say `contact_model`, as integration tests and benchmarks must.
#[cfg(test)]
extern crate self as contact_model;
#[cfg(test)]
#[path = "../tests/fixtures/mod.rs"]
mod fixtures;
