//! Rigid-body contact model behind the FMI C API.
//!
//! A [`scene::Scene`] is the immutable structure (bodies, shapes, materials, pairs, state layout),
//! [`scene::Parameters`] the numbers a user may change, [`dynamics::Model`] the two bound together.
//! [`dynamics::System`] adds the ledger of contacts and evaluates; it implements
//! [`hybrid::HybridSystem`], which [`integrator`] integrates and [`instance::Instance`] shows to
//! an importer through [`fmi2`] or [`fmi3`]. [`direct`] shows a system of driven bodies without FMI.
//!
//! Modules stand bottom up: each knows those above it in this list, never those below.
//! - [`math`]: vectors, quaternions and poses over a generic scalar
//! - [`geometry`]: shapes as core and radius, without bodies
//! - [`response`]: pure contact laws of scalars and vectors
//! - [`scene`]: what a model is made of, checked once and immutable
//! - [`broad_phase`]: candidate pairs from bounding boxes
//! - [`narrow_phase`]: gap, normal and contact points of two shapes
//! - [`contact`]: ledger of pairs, slots and event indicators
//! - [`hybrid`]: what an integrator sees of a model
//! - [`dynamics`]: equations of motion; contact and response meet here
//! - [`integrator`]: steps with error control, dense output and event location
//! - [`instance`]: one FMU instance, speaking no FMI version
//! - [`border`]: what the C functions of all FMI versions share
//! - [`direct`]: the C interface without FMI, for bodies that others integrate
//! - [`fmi2`]: the C functions of FMI 2.0
//! - [`fmi3`]: the C functions of FMI 3.0
//!
//! Conventions for all of them: SI units and radians; vector names end in `_w` (world axes) or
//! `_b` (body axes); `rotation_wb` maps body axes to world axes; a pair is (1, 2) and its normal
//! points from 1 to 2.

// A panic inside an importer ends the importer's work: what may fail returns an error. Functions whose
// last bits follow the platform are called through `math::transcendental`.
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
pub mod hybrid;
pub mod instance;
pub mod integrator;
pub mod math;
pub mod narrow_phase;
pub mod response;
pub mod scene;

// The fixtures say `fmu_core`, as integration tests and benchmarks must.
#[cfg(test)]
extern crate self as fmu_core;
#[cfg(test)]
#[path = "../tests/fixtures/mod.rs"]
mod fixtures;
