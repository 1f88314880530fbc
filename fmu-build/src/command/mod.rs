//! What each subcommand does.
//!
//! - [`check`]: reads a scene and shows what it holds
//! - [`build`]: makes an FMU of a scene

pub mod build;
pub mod check;
