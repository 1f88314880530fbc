//! What each subcommand does.
//!
//! - [`answer`]: what a command has to say, as text or JSON lines
//! - [`new`]: writes a first scene to start from
//! - [`check`]: reads a scene and shows what it holds
//! - [`laws`]: what the contact laws of a scene mean
//! - [`build`]: makes an FMU of a scene
//! - [`simulate`]: runs a scene or an FMU and leaves its results
//! - [`settings`]: start values of parameters given on the command line
//! - `start_values`: parameters back into a description
//! - `scene`: a scene file with what the commands need of it
//! - `libraries`: contact laws of the user in an FMU
//! - [`merge`]: one FMU with the binaries of several
//! - [`modelica`]: writes a Modelica package for a scene
//! - [`inspect`]: shows what an FMU says of itself
//! - [`pages`]: completions for shells and manual pages

pub mod answer;
pub mod build;
pub mod check;
pub mod inspect;
pub mod laws;
mod libraries;
pub mod merge;
pub mod modelica;
pub mod new;
pub mod pages;
mod scene;
pub mod settings;
pub mod simulate;
mod start_values;
