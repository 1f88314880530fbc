//! Rigid-body contact model behind the FMI C API.
//!
//! A [`scene::Scene`] is the immutable structure (bodies, shapes, materials, pairs, state layout),
//! [`scene::Parameters`] the numbers a user may change, [`dynamics::Model`] the two bound together.
//! [`dynamics::System`] adds the ledger of contacts and evaluates; it implements
//! [`hybrid::HybridSystem`], which [`integrator`] integrates and [`instance::Instance`] shows to
//! an importer through [`fmi2`] or [`fmi3`]. [`direct`] shows a system of driven bodies without
//! FMI.
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - [`index`]: indices as types
//! - [`math`]: vectors, quaternions and poses over a generic scalar
//! - [`quantity`]: units, types and ranges of numbers
//! - [`threads`]: threads that have ended when a function returns
//! - [`geometry`]: shapes as core and radius, without bodies
//! - [`narrow_phase`]: gap, normal and contact points of two shapes
//! - [`response`]: pure contact laws of scalars and vectors
//! - [`impact`]: impulses of contacts that share an impact
//! - [`scene`]: what a model is made of, checked once and immutable
//! - [`broad_phase`]: candidate pairs from bounding boxes
//! - [`contact`]: ledger of pairs, slots and event indicators
//! - [`hybrid`]: what an integrator sees of a model
//! - [`dynamics`]: equations of motion; contact and response meet here
//! - [`integrator`]: steps with error control, dense output and event location
//! - [`islands`]: parts of a scene that do not touch, each with steps of its own
//! - [`granular`]: fixed small steps for very many bodies
//! - [`instance`]: one FMU instance, speaking no FMI version
//! - [`border`]: what the C functions of all FMI versions share
//! - [`direct`]: the C interface without FMI, forces and impulses for bodies that others integrate
//! - [`fmi2`]: the C functions of FMI 2.0
//! - [`fmi3`]: the C functions of FMI 3.0
//!
//! Conventions for all of them: SI units and radians; vector names end in `_w` (world axes) or
//! `_b` (body axes); `rotation_wb` maps body axes to world axes; a pair is (1, 2) and its normal
//! points from 1 to 2.
//!
//! Glossary:
//! - gap: signed distance of the surfaces of two shapes [m], negative if they overlap
//! - depth: what of -gap enters the force [m]; it counts from the hysteresis on
//! - normal: unit vector from shape 1 to shape 2 of a pair
//! - pair: two shapes that can touch; its index is its number among all pairs of the scene
//! - patch: where two shapes press on each other over an area; nodes with normal and force
//! - impulse: change of momentum in no time, at an event; velocities jump, poses stay
//! - meeting: a contact with the velocities at its point, as an impact sees it
//! - contact: a pair whose law acts, at a point or over a patch, from one event update to another
//! - ledger: the discrete state: contacts, stops in contact, slots, hints, history of impacts
//! - indicator slot: an event indicator and the pair it watches; which pair may change
//! - warm start (hint): nearest features at an earlier state, where the search begins
//! - link: a body with states, with the joint that it is the child of; of a free body kind `free`
//! - rigid link: a free body on which no joint hangs
//! - tree: links connected by joints
//! - part: links that act on each other, by joints and contacts, until the next event
//! - factor, solve: inertias of trees from poses alone, then accelerations from loads
//! - frame: origin and axes fixed in a body, a shape or a joint
//! - load: sum of the forces on a body, and of their torques about its origin
//! - wrench: force and torque of one contact on body 2, with the point where the force acts
//! - twist: velocity of a body's origin and angular velocity of the body
//! - pose: position and rotation of a frame
//! - deflection (bristle): stretch of the spring by which friction `stick` holds; a state
//! - stop (joint limit): end of the range of a coordinate of a joint; compliant, with events
//! - time profile: a prescribed force or motion as a function of time
//! - anchor: time, states and inputs at the last completed step or event, where the guard starts
//! - guard: finds contacts that start and end again between two looks at the indicators
//! - event update: finds which pairs and stops are in contact, and gives the slots
//! - completed step: end of a step of the integrator; gives slots and hints, changes no contact
//! - frozen: constant between two events; of a contact, what its law keeps from its start
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

pub mod border;
pub mod broad_phase;
pub mod contact;
pub mod direct;
pub mod dynamics;
pub mod fmi2;
pub mod fmi3;
pub mod geometry;
pub mod granular;
pub mod hybrid;
pub mod impact;
pub mod index;
pub mod instance;
pub mod integrator;
pub mod islands;
pub mod math;
pub mod narrow_phase;
pub mod quantity;
pub mod response;
pub mod scene;
pub mod threads;

/// "contact-fmu source ", the stamp of the sources (see `build.rs`), and a zero, for C. The FMU binary
/// holds this text, so that a library that is not loaded can be asked for its stamp, too.
pub const SOURCE: &str = concat!("contact-fmu source ", env!("CONTACT_FMU_STAMP"), "\0");

// The fixtures say `fmu_core`, as integration tests and benchmarks must.
#[cfg(test)]
extern crate self as fmu_core;
#[cfg(test)]
#[path = "../tests/fixtures/mod.rs"]
mod fixtures;
