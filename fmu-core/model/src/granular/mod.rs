//! Granular mode of Co-Simulation: fixed small steps for very many free bodies in contact.
//!
//! The discrete-element method [Cundall, Strack 1979] A discrete numerical model for granular
//! assemblies, Geotechnique 29, 47-65: a step that resolves the shortest contact, the true laws of
//! contact, no error control and no event location. Between communication points contacts are kept
//! here; at one they are those of the ledger, and the deflections of friction are states, so that
//! states, outputs and saved states are what they are with the other solvers.
//!
//! - [`step`]: the length of a step
//! - [`rotor`]: free rotation of a body
//! - [`grains`]: free bodies in arrays, kicked and moved
//! - [`surroundings`]: what grains and other bodies look like to a contact
//! - [`watch`]: when which pair may touch
//! - [`contacts`]: contacts and their forces
//! - [`lanes`]: those of balls by the frequent laws, several at once
//! - [`crew`]: threads that share the forces
//! - [`run`]: [`Granular`], which steps from one communication point to the next

pub mod contacts;
pub mod crew;
pub mod grains;
pub mod lanes;
pub mod rotor;
pub mod run;
pub mod step;
pub mod surroundings;
pub mod watch;

pub use contacts::{Held, Start};
pub use run::{Granular, Record, Span, Summary};
