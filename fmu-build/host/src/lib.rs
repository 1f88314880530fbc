//! Importer of FMUs of FMI 2.0 and FMI 3.0: loads and simulates them, whichever tool made them. Only the form
//! of two log messages, and frames, depend on FMUs of this program.
//!
//! Data flow: a file -> [`Fmu`] -> an instance -> its run by [`simulate_cs`] or [`simulate_me`] -> [`Run`]
//! with a [`Trajectory`], visible to another thread as [`Live`].
//!
//! Glossary:
//! - column: a scalar variable, or one entry of an array
//! - row: values of all columns at one time
//! - frame: poses, contact forces and energies at a row, for a replay
//! - watched run: one observed by another thread, which may end it; its FMU logs its progress
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - `error`: status of a call, and errors
//! - [`whole_file`]: files that are written completely or not at all
//! - [`frames`]: poses and forces for a replay, at rows of the result
//! - [`trajectory`]: the rows of a run, during it and afterwards
//! - [`model_description`]: the file modelDescription.xml, and limits for reading it
//! - `c_api`: types and prototypes of the standards
//! - [`binary`]: checks of the binary before it is loaded
//! - `logger`: collects what the FMU logs
//! - `library`: the loaded binary
//! - `fmu`: an unpacked FMU
//! - `instance`: one instance; the table of functions, each call with its status checked
//! - `start`: makes an instance
//! - `inputs`: values of inputs over time
//! - [`parameters`]: values of parameters before a run
//! - `values`: reads variables of any type as numbers
//! - `states`: frames from the state of an instance
//! - [`extended_xyz`]: files of balls over time
//! - `run`: options, recorder, result
//! - `co_simulation`: runs Co-Simulation
//! - `model_exchange`: runs Model Exchange
//! - `interface`: complete simulation by either interface type

// Results of a run are equal to the byte on all machines; see clippy.toml.
#![cfg_attr(
    not(test),
    deny(
        clippy::too_many_lines,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

pub mod binary;
mod c_api;
mod co_simulation;
mod error;
pub mod extended_xyz;
mod fmu;
pub mod frames;
mod inputs;
mod instance;
mod interface;
mod library;
mod logger;
pub mod model_description;
mod model_exchange;
pub mod parameters;
mod run;
mod start;
mod states;
pub mod trajectory;
mod values;
pub mod whole_file;

pub use co_simulation::simulate_cs;
pub use error::{HostError, Status};
pub use fmu::Fmu;
pub use fmu_core::instance::record::ContactEvent;
pub use inputs::InputTable;
pub use interface::Interface;
pub use library::{forbid_user_code, is_user_code_forbidden};
pub use model_description::{Limits, MIB, ModelDescription};
pub use model_exchange::simulate_me;
pub use parameters::ParameterStart;
pub use run::{Options, Run};
pub use trajectory::{Column, Experiment, Live, Trajectory};
