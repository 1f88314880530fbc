//! The FMU binary. It holds nothing of its own: linking fmu-core as a `cdylib`
//! exports the C functions that `fmu_core::fmi3` defines.
pub use fmu_core::fmi3;
