//! Loads an .fmu of FMI 2.0 or FMI 3.0 as any importer does and simulates it; nothing here knows
//! how it was made, except for records in its log (`fmu_core::instance::record`), and frames, which are of
//! FMUs of this program.
//!
//! Data flow: a file -> [`Fmu`] -> an instance -> its run by [`simulate_cs`] or [`simulate_me`] -> [`Run`] with
//! a [`Trajectory`], which another thread sees as [`Live`].
//!
//! Glossary:
//! - column: a scalar variable, or one entry of an array
//! - row: values of all columns at one time
//! - frame: poses, contact forces and energies at a row, for a replay
//! - watched run: one that another thread sees and may end; its FMU logs its progress
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - `error`: the status of a call, and why a run failed
//! - [`whole_file`]: files that are written completely or not at all
//! - [`frames`]: poses and forces for a replay, at rows of the result
//! - [`trajectory`]: the rows of a run, while it goes on and afterwards
//! - [`model_description`]: the file modelDescription.xml, and limits for reading it
//! - `c_api`: types of the standards, and the form of the table of functions
//! - [`binary`]: looks at the binary before it is loaded
//! - `logger`: collects what the FMU logs
//! - `library`: the loaded binary
//! - `fmu`: an unpacked FMU
//! - `instance`: one instance; the table of functions, each call with its status checked
//! - `inputs`: values of inputs over time
//! - [`parameters`]: values of parameters before a run
//! - `values`: reads variables of any type as numbers
//! - `states`: frames from the state of an instance
//! - [`extended_xyz`]: files of balls over time
//! - `run`: options, recorder, result
//! - `co_simulation`: runs Co-Simulation
//! - `model_exchange`: runs Model Exchange
//! - `interface`: an entire simulation by either interface type

// What two machines make of a run is equal to the byte; see clippy.toml.
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
