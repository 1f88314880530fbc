//! Importer of FMUs of FMI 2.0 and FMI 3.0: loads and simulates them, whichever tool made them. Only the form
//! of two log messages, and frames, depend on FMUs of this program.
//!
//! Data flow: a file -> [`Fmu`] -> [`Session`], an instance that is kept -> a [`Run`] with a [`Trajectory`],
//! visible to another thread as [`Live`]; or steps, with inputs and outputs at each of them. [`simulate_cs`] and
//! [`simulate_me`] open a session for one run.
//!
//! Glossary:
//! - column: a scalar variable, or one entry of an array
//! - row: values of all columns at one time
//! - frame: poses, contact forces and energies at a row, for a replay
//! - session: an instance that is kept for further runs, or for steps
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
//! - `inputs`: values of inputs over time, or held
//! - [`parameters`]: values of parameters before a run
//! - `start`: makes an instance and initializes it
//! - `values`: reads variables of any type as numbers
//! - `states`: frames from the state of an instance
//! - [`extended_xyz`]: files of balls over time
//! - `run`: options, recorder, result
//! - `co_simulation`: runs and steps of Co-Simulation
//! - `model_exchange`: runs and steps of Model Exchange
//! - `session`: an instance of either interface type that is kept, for runs and steps

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
mod library;
mod logger;
pub mod model_description;
mod model_exchange;
pub mod parameters;
mod run;
mod session;
mod start;
mod states;
pub mod trajectory;
mod values;
pub mod whole_file;

pub use error::{HostError, Status};
pub use fmu::Fmu;
pub use fmu_core::instance::record::ContactEvent;
pub use inputs::InputTable;
pub use library::{forbid_user_code, is_user_code_forbidden};
pub use model_description::{Limits, MIB, ModelDescription};
pub use parameters::ParameterStart;
pub use run::{Options, Run};
pub use session::{Interface, Saved, Session, simulate_cs, simulate_me};
pub use start::Start;
pub use trajectory::{Column, Experiment, Live, Trajectory};

/// Stack of a thread that runs an FMU [bytes]; the main thread has 8 MiB on most systems.
pub const STACK: usize = 32 << 20;
