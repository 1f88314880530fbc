//! Contact laws: forces and impulses from gap, velocities and material, as pure functions of scalars and
//! vectors. Bodies, scenes and time are not known here.
//!
//! In this order: [`response::LawKinds`] and numbers are the choice of a pair ([`response::LawChoice`]). With
//! the stiffness of the two shapes it becomes a [`response::PairLaw`], which says when the pair is in
//! contact, what it freezes at the start of a contact, and the force at a point or over a patch, for any
//! scalar. [`impact`] solves for the impulses of simultaneous contacts, given their inverse mass.
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - [`finding`]: errors in user input, with help
//! - [`quantity`]: units, types and ranges of numbers
//! - [`index`]: index types
//! - [`response`]: contact forces
//! - [`impact`]: impulses of simultaneous contacts
//!
//! Glossary:
//! - depth: penetration depth that enters the force [m], measured from the hysteresis
//! - impact speed: approach speed along the normal where a contact starts [m/s]
//! - restitution: speed after an impact over speed before it [1]
//! - impulse: instantaneous change of momentum at an event; velocities jump, poses stay
//! - meeting: a contact with its relative velocities, as input of an impact
//! - deflection (bristle): stretch of the spring by which friction `stick` holds; a state
//! - wrench: force and torque of one contact on body 2, with the point where the force acts
//! - key, row: a key of scene files; a key with its accessors

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

pub mod finding;
pub mod impact;
pub mod index;
pub mod quantity;
pub mod response;
