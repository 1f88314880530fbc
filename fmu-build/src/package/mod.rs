//! The .fmu file.
//!
//! - [`platform`]: platforms by their FMI name
//! - [`binaries`]: finds the prebuilt library for each platform
//! - [`archive`]: the archive as bytes, identical for identical content
//! - [`file`]: a file that is written completely or not at all

pub mod archive;
pub mod binaries;
pub mod file;
pub mod platform;
