//! What each subcommand does.
//!
//! - [`answer`]: what a command has to say, as text or JSON lines
//! - [`new`]: writes a first scene to start from
//! - [`check`]: reads a scene and shows what it holds
//! - [`laws`]: what the contact laws of a scene mean
//! - `words`: shapes, joints and laws in words
//! - `page`: what the page in an FMU shows
//! - [`build`]: makes an FMU of a scene
//! - [`watch`]: a run in a thread of its own, shown and ended by the user
//! - [`apart`]: a command in a process of its own, where it calls code of a user
//! - `results`: tables that grow with a run
//! - [`simulate`]: runs a scene or an FMU and leaves its results
//! - [`view`]: replay pages, glTF and pictures of a run
//! - [`options`]: options that several commands have
//! - [`settings`]: start values of parameters given on the command line
//! - `start_values`: parameters back into a description
//! - `scene`: a scene file with what the commands need of it
//! - [`merge`]: one FMU with the binaries of several
//! - [`modelica`]: writes a Modelica package for a scene
//! - [`ssp`]: makes an SSP of a scene
//! - [`crosscheck`]: writes FMUs with reference results for other tools
//! - [`inspect`]: shows what an FMU says of itself
//! - [`validate`]: whether importers take an FMU

pub mod answer;
pub mod apart;
pub mod build;
pub mod check;
pub mod crosscheck;
pub mod inspect;
pub mod laws;
pub mod merge;
pub mod modelica;
pub mod new;
pub mod options;
pub mod page;
mod results;
mod scene;
pub mod settings;
pub mod simulate;
pub mod ssp;
mod start_values;
pub mod validate;
pub mod view;
pub mod watch;
mod words;
