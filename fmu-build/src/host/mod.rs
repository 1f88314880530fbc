//! Loads an .fmu of FMI 2.0 or FMI 3.0 as any importer does and simulates it; nothing here knows
//! how it was made, except for the form of two log messages.
//!
//! - [`limits`]: limits on reading an FMU
//! - [`model_description`]: modelDescription.xml
//! - [`fmu`]: an unpacked FMU
//! - `c_api`: types and prototypes of the standards
//! - `binary`: inspects the binary before it is loaded
//! - [`library`]: the loaded binary
//! - `logger`: collects what the FMU logs
//! - [`messages`]: the form of log messages about contacts and the integrator
//! - [`instance`]: one instance; each call with its status checked
//! - [`parameters`]: values of parameters before a run
//! - [`inputs`]: values of inputs over time
//! - `values`: reads variables of any type as numbers
//! - [`live`]: a run in progress, seen from another thread
//! - `states`: the state of an instance as bytes
//! - [`frames`]: poses and forces for a replay, at rows of the result
//! - [`run`]: options, time grid, trajectory
//! - [`co_simulation`], [`model_exchange`]: an entire simulation
//! - [`interface`]: one by either interface type
//! - [`error`]: causes of failure

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
