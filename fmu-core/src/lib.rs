//! The FMU: instances of a contact model behind the FMI C API.
//!
//! [`instance::Instance`] shows a `contact_model::dynamics::System` to an importer through [`fmi2`] or
//! [`fmi3`]; [`direct`] shows a system of driven bodies without FMI.
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - [`instance`]: one FMU instance, speaking no FMI version
//! - [`border`]: what the C functions of all FMI versions share
//! - [`direct`]: the C interface without FMI, forces and impulses for bodies that others integrate
//! - [`fmi2`]: the C functions of FMI 2.0
//! - [`fmi3`]: the C functions of FMI 3.0

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
