//! The FMU: instances of a contact model behind the FMI C API.
//!
//! A C function of [`fmi2`] or [`fmi3`] checks its pointers, calls a method of [`instance::Instance`], and
//! maps a failure to a status. The instance has the rules of FMI without a version: which call is allowed
//! when, value references, initialisation, events, communication steps; it evaluates a
//! `contact_model::dynamics::System`. [`direct`] is a C interface to a system of driven bodies without
//! instance and integrator.
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - [`instance`]: one FMU instance, without an FMI version
//! - [`border`]: the common part of the C functions of all FMI versions
//! - [`direct`]: the C interface without FMI, forces and impulses for bodies that others integrate
//! - [`fmi2`]: the C functions of FMI 2.0
//! - [`fmi3`]: the C functions of FMI 3.0
//!
//! Glossary, beside those of the crates below:
//! - importer: the program that loads the FMU
//! - element: a number of a variable; a value reference means one or several
//! - known, unknown: variables that others depend on, and that depend on them (FMI 3.0 section 2.4.8)
//! - discard: a failure that a shorter step may avoid
//! - communication point: start or end of a step of Co-Simulation that the importer asks for

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
pub mod direct;
pub mod fmi2;
pub mod fmi3;
pub mod instance;

/// "contact-fmu source ", the stamp of the sources (see `build.rs`), and a zero, for C. The FMU binary
/// holds this text, so that a library that is not loaded can be asked for its stamp, too.
pub const SOURCE: &str = concat!("contact-fmu source ", env!("CONTACT_FMU_STAMP"), "\0");

#[cfg(test)]
#[path = "../model/tests/fixtures/mod.rs"]
mod fixtures;
