//! The subcommands.
//!
//! - [`answer`]: output of a command, as text or JSON lines
//! - [`new`]: writes an example scene
//! - [`check`]: reads a scene and shows its contents
//! - [`laws`]: impacts, rest depths and forces by the contact laws of a scene
//! - `words`: shapes, joints and laws as text
//! - `page`: contents of the page in an FMU
//! - [`build`]: makes an FMU of a scene
//! - [`watch`]: a run in another thread, with progress and interruption
//! - [`apart`]: a command in another process, if it calls user code
//! - `results`: tables that grow with a run
//! - [`simulate`]: runs a scene or an FMU and writes its results
//! - [`view`]: replay pages, glTF and pictures of a run
//! - [`options`]: options that several commands have
//! - [`settings`]: start values of parameters given on the command line
//! - `start_values`: parameters back into a description
//! - `scene`: a scene file with derived data for commands
//! - [`merge`]: one FMU with the binaries of several
//! - [`modelica`]: writes a Modelica package for a scene
//! - [`ssp`]: makes an SSP of a scene
//! - [`crosscheck`]: writes FMUs with reference results for other tools
//! - [`inspect`]: shows the description of an FMU
//! - [`validate`]: acceptance of an FMU by importers

pub(crate) mod answer;
pub(crate) mod apart;
pub mod build;
pub mod check;
pub(crate) mod crosscheck;
mod elements;
pub mod inspect;
pub(crate) mod laws;
pub(crate) mod merge;
pub(crate) mod modelica;
pub(crate) mod new;
pub(crate) mod options;
pub(crate) mod page;
mod results;
mod scene;
pub(crate) mod settings;
pub mod simulate;
pub(crate) mod ssp;
mod start_values;
pub(crate) mod validate;
pub(crate) mod view;
pub(crate) mod watch;
mod words;
