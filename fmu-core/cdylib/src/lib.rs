//! The FMU binary. It adds no code: rustc exports the `no_mangle` functions of every
//! crate it links into a `cdylib`, and nothing else, so the symbols of this library are the C
//! functions that `fmu_core::direct`, `fmu_core::fmi2` and `fmu_core::fmi3` define.
pub use fmu_core::{direct, fmi2, fmi3};
