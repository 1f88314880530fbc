//! The C functions of FMI 2.0, [FMI 2.0] = Functional Mock-up Interface for Model Exchange and
//! Co-Simulation 2.0.
//!
//! Each is four steps: [`guard`](crate::border::guard), borrow slices, call a method of
//! [`Instance`](crate::instance::Instance), map the result to a status. No pointer of the importer
//! outlives its call, except its log function and its environment.
//!
//! - [`types`]: the C types
//! - [`logger`]: messages to the importer's log function
//! - [`location`]: the URI of the resources
//! - [`lifecycle`]: version, making, freeing, logging, initialisation, end
//! - [`values`]: variables by value reference
//! - [`derivatives`]: partial derivatives, and derivatives of outputs by time
//! - [`state`]: the state of an instance, and as bytes
//! - [`model_exchange`], [`co_simulation`]: the functions of one interface type
//! - [`unsupported`]: derivatives of inputs
#![allow(unsafe_code)]
// The names are those of the standard's header.
#![allow(non_snake_case, non_upper_case_globals)]

pub mod co_simulation;
pub mod derivatives;
pub mod lifecycle;
pub mod location;
pub mod logger;
pub mod model_exchange;
pub mod state;
pub mod types;
pub mod unsupported;
pub mod values;

pub use co_simulation::*;
pub use derivatives::*;
pub use lifecycle::*;
pub use model_exchange::*;
pub use state::*;
pub use types::*;
pub use unsupported::*;
pub use values::*;
