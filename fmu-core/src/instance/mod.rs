//! One FMU instance, in no FMI version's words. A skin of an FMI version checks pointers, calls
//! [`Instance`] and maps a [`Failure`] to its status.
//!
//! - [`variables`]: the variable table: value references and what they mean
//! - [`resources`]: finds and reads the scene of an FMU
//! - [`modes`]: which call is allowed when
//! - [`failure`], [`log`]: why a call fails, and log messages
//! - [`state`]: the state as one value and as bytes
//! - [`lifecycle`]: [`Instance`]: making, resetting, copying the state
//! - [`initialization`]: start values, first contacts
//! - [`events`]: Event Mode
//! - `inputs`: setting inputs, and what that does to a run
//! - `velocity_fit`: compares velocity inputs of driven bodies with their poses
//! - [`values`]: reading and writing variables
//! - [`view`]: poses, contact forces and energies for who draws the scene
//! - `partial_derivatives`: derivatives of unknowns by knowns, and of outputs by time
//! - [`model_exchange`]: states, derivatives, indicators
//! - `nominal_set`: nominal values that change where an integrator has to restart
//! - `step_limits`: why a communication step takes too many internal steps
//! - `beat`: heartbeat of long communication steps
//! - `granular_step`: communication steps in granular mode
//! - [`co_simulation`]: communication steps
//! - [`intermediate`]: what happens between communication points

mod beat;
pub mod co_simulation;
pub mod events;
pub mod failure;
mod granular_step;
pub mod initialization;
mod inputs;
pub mod intermediate;
pub mod lifecycle;
pub mod log;
pub mod model_exchange;
pub mod modes;
mod nominal_set;
mod partial_derivatives;
pub mod resources;
pub mod state;
mod step_limits;
pub mod values;
pub mod variables;
mod velocity_fit;
pub mod view;

pub use failure::{Degree, Failure};
pub use intermediate::{IntermediatePoint, Progress, StepListener};
pub use lifecycle::{Instance, Options};
pub use log::{Category, Log, LogSink};
pub use modes::{Call, Kind, Mode, Standard};
pub use state::State;
