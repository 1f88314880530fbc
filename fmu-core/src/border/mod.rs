//! What the C functions of all FMI versions share: the way from a pointer of the importer to an
//! [`Instance`](crate::instance::Instance) and back. FMI 2.0 and FMI 3.0 agree on all of it; names,
//! types and prototypes are in the skin of each version.
//!
//! - [`pointers`]: slices, outputs and texts behind the pointers of the importer
//! - [`guard`]: checks the instance, catches panics, logs failures
//! - [`instantiate`]: makes and frees an instance
//! - [`state`]: copies of the state of an instance
#![allow(unsafe_code)]

pub mod guard;
pub mod instantiate;
pub mod pointers;
pub mod state;
