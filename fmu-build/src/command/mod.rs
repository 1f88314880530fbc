//! What each subcommand does.
//!
//! - [`check`]: reads a scene and shows what it holds

pub mod check;
