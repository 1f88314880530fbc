//! Which pairs are in contact and which are watched, [Modia3D contact detection].
//!
//! - [`ledger`]: the discrete state: contacts, frozen between events, indicator slots and hints
//! - [`select`]: which pairs get a slot when there are more pairs than slots
//! - [`detect`]: gaps of pairs at the present poses, the event update and the completed step

pub mod detect;
pub mod ledger;
pub mod select;

pub use detect::{Detection, Placement, TooManyContacts, overlaps_at_start};
pub use ledger::{Contact, Hints, Ledger};
