//! The C functions of FMI 3.0, [FMI 3.0] = Functional Mock-up Interface Specification 3.0.2.
//!
//! Each is four steps: [`guard`](crate::border::guard), borrow slices, call a method of
//! [`Instance`](crate::instance::Instance), map the result to a status. No pointer of the importer
//! outlives its call, except its callbacks and its environment.
//!
//! - [`types`]: the C types
//! - [`logger`]: messages to the importer's log function
//! - [`lifecycle`]: version, making, freeing, logging, modes
//! - [`values`]: variables of the types there are: Float64, Int32, Boolean
//! - [`other_types`]: variables of the types there are not
//! - [`dependencies`]: what depends on what
//! - [`derivatives`]: partial derivatives, and derivatives of outputs by time
//! - [`state`]: the state of an instance, and as bytes
//! - [`model_exchange`], [`co_simulation`]: the functions of one interface type
//! - [`unsupported`]: clocks, configuration, scheduled execution
#![allow(unsafe_code)]
// The names are those of the standard's header.
#![allow(non_snake_case)]

pub mod co_simulation;
pub mod dependencies;
pub mod derivatives;
pub mod lifecycle;
pub mod logger;
pub mod model_exchange;
pub mod other_types;
pub mod state;
pub mod types;
pub mod unsupported;
pub mod values;

pub use co_simulation::*;
pub use dependencies::*;
pub use derivatives::*;
pub use lifecycle::*;
pub use model_exchange::*;
pub use other_types::*;
pub use state::*;
pub use types::*;
pub use unsupported::*;
pub use values::*;
