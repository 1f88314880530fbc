//! The .fmu file.
//!
//! - [`platform`]: platforms by their FMI name
//! - [`archive`]: the archive as bytes, identical for identical content
//! - [`pack`]: the libraries of several platforms in one file
//! - [`binaries`]: finds the prebuilt library for each platform
//! - [`file`]: writes an archive, where nothing but an older one is

pub mod archive;
pub mod binaries;
pub mod file;
pub mod pack;
pub mod platform;
