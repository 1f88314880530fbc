//! Granular mode of Co-Simulation: fixed small steps for very many free bodies in contact.
//!
//! The discrete-element method [Cundall, Strack 1979] A discrete numerical model for granular assemblies,
//! Geotechnique 29, 47-65: a step that resolves the shortest contact, the exact contact laws, no error
//! control and no event location. Between communication points contacts are kept here; at one they are in the
//! ledger, and the deflections of friction are states, so that states, outputs and saved states are the same
//! as with the other solvers.
//!
//! - [`balls`]: free bodies in arrays, kicked, moved and turned, and their view for contacts
//! - [`lanes`]: contacts of balls and their forces by the frequent laws, several at once
//! - [`contacts`]: all contacts, and the forces of the others
//! - [`run`]: [`Granular`], length of a step, list of pairs that may touch; steps from one communication
//!   point to the next

pub mod balls;
pub mod contacts;
pub mod lanes;
pub(crate) mod run;

pub use contacts::{Held, Start};
pub use run::{Granular, Record, Span, Summary};
