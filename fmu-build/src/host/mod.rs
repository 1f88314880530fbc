//! Loads an .fmu of FMI 2.0 or FMI 3.0 as any importer does and simulates it; nothing here knows
//! how it was made, except for the form of two log messages.
//!
//! - [`limits`]: what reading an FMU may cost
//! - [`model_description`]: what the FMU says about itself
//! - [`fmu`]: an unpacked FMU
//! - `c_api`: types and prototypes of the standards
//! - `binary`: looks at the binary before it is loaded
//! - [`library`]: the loaded binary
//! - `logger`: collects what the FMU logs
//! - [`messages`]: the form of log messages about contacts and the integrator
//! - [`instance`]: one instance; each call with its status checked
//! - [`parameters`]: values of parameters before a run
//! - [`inputs`]: values of inputs over time
//! - `values`: reads variables of any type as numbers
//! - [`live`]: a run while it goes on, seen from another thread
//! - `states`: the state of an instance as bytes
//! - [`frames`]: what a replay shows, at rows of the result
//! - [`run`]: options, time grid, trajectory
//! - [`co_simulation`], [`model_exchange`]: an entire simulation
//! - [`interface`]: one by either interface type
//! - [`error`]: why it failed

pub mod binary;
mod c_api;
pub mod co_simulation;
pub mod error;
pub mod fmu;
pub mod frames;
pub mod inputs;
pub mod instance;
pub mod interface;
pub mod library;
pub mod limits;
pub mod live;
mod logger;
pub mod messages;
pub mod model_description;
pub mod model_exchange;
pub mod parameters;
pub mod run;
mod states;
mod values;

pub use co_simulation::simulate_cs;
pub use error::HostError;
pub use fmu::Fmu;
pub use inputs::InputTable;
pub use interface::Interface;
pub use limits::Limits;
pub use live::Live;
pub use messages::ContactEvent;
pub use model_description::ModelDescription;
pub use model_exchange::simulate_me;
pub use parameters::ParameterStart;
pub use run::{Experiment, Options, Run, Trajectory};
pub use values::Column;
