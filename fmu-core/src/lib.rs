//! Rigid-body contact model behind the FMI C API.
//!
//! A [`scene::Scene`] is the immutable structure (bodies, shapes, materials, pairs, state layout),
//! [`scene::Parameters`] the numbers a user may change, [`dynamics::Model`] the two bound together.
//! [`dynamics::System`] adds the ledger of contacts and evaluates; it implements
//! [`hybrid::HybridSystem`], which [`integrator`] integrates and [`instance::Instance`] shows to
//! an importer through [`fmi3`].
//!
//! Modules stand bottom up: each knows those above it in this list, never those below.
//! Conventions for all of them: SI units and radians; vector names end in `_w` (world axes) or
//! `_b` (body axes); `rotation_wb` maps body axes to world axes; a pair is (1, 2) and its normal
//! points from 1 to 2.

pub mod broad_phase;
pub mod contact;
pub mod dynamics;
pub mod fmi3;
pub mod geometry;
pub mod hybrid;
pub mod instance;
pub mod integrator;
pub mod math;
pub mod narrow_phase;
pub mod response;
pub mod scene;
