//! One FMU instance, independent of the FMI version. The layer of an FMI version checks pointers, calls
//! [`Instance`] and maps a [`Failure`] to its status.
//!
//! - [`variables`]: the variable table: value references and their meaning
//! - [`modes`]: calls allowed in each mode
//! - [`log`]: messages and failures
//! - [`record`]: messages for programs, with their readers
//! - `velocity_fit`: compares velocity inputs of driven bodies with their poses
//! - [`state`]: the state as one value and as bytes
//! - [`lifecycle`]: [`Instance`]: creating, resetting, copying the state
//! - [`initialization`]: start values, first contacts
//! - [`events`]: Event Mode
//! - [`values`]: reading and writing variables
//! - `partial_derivatives`: derivatives of unknowns with respect to knowns, and of outputs with respect to
//!   time
//! - [`model_exchange`]: states, derivatives, indicators
//! - [`co_simulation`]: communication steps

pub(crate) mod co_simulation;
pub(crate) mod events;
pub(crate) mod initialization;
pub mod lifecycle;
pub(crate) mod log;
pub(crate) mod model_exchange;
pub(crate) mod modes;
mod partial_derivatives;
pub mod record;
pub(crate) mod state;
pub mod values;
pub mod variables;
mod velocity_fit;

pub use lifecycle::{Instance, Options};
pub(crate) use lifecycle::{IntermediatePoint, Progress, StepListener};
pub use log::{Category, Degree, Failure, Log, LogSink};
pub(crate) use modes::Call;
pub use modes::{Kind, Standard};
pub use state::State;
