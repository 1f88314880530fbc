//! Contact laws: forces and impulses from gap, velocities and material, as pure functions of scalars and
//! vectors. Bodies, scenes and time are not known here.
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - [`quantity`]: units, types and ranges of numbers
//! - [`index`]: indices as types
//! - [`response`]: pure contact laws of scalars and vectors
//! - [`impact`]: impulses of contacts that share an impact
//!
//! Conventions: SI units and radians; vector names end in `_w` (world axes) or `_b` (body axes);
//! `rotation_wb` maps body axes to world axes; a pair is (1, 2) and its normal points from 1 to 2.
//!
//! Glossary:
//! - depth: what of -gap enters the force [m]; it counts from the hysteresis on
//! - impulse: change of momentum in no time, at an event; velocities jump, poses stay
//! - meeting: a contact with the velocities at its point, as an impact sees it
//! - deflection (bristle): stretch of the spring by which friction `stick` holds; a state
//! - wrench: force and torque of one contact on body 2, with the point where the force acts

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

pub mod impact;
pub mod index;
pub mod quantity;
pub mod response;
