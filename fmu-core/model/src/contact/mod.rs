//! Which pairs are in contact and which are watched, [Modia3D contact detection].
//!
//! - [`placement`]: the shapes of a scene at one state
//! - [`slots`]: the slots in the order of their pairs
//! - [`ledger`]: the discrete state: contacts, frozen between events, indicator slots and hints
//! - [`select`]: which pairs get a slot when there are more pairs than slots
//! - [`detect`]: gaps of pairs at the present poses, the event update and the completed step

pub mod detect;
pub mod ledger;
pub mod placement;
pub mod select;
pub mod slots;

pub use detect::{AtStart, Detection, TooManyContacts, overlaps, overlaps_at_start, too_many};
pub use ledger::{
    Contact, Hints, Impacts, LatchState, Ledger, Started, Stepped, StopContact, Strike,
};
pub use placement::Placement;

#[cfg(test)]
#[path = "../../tests/unit/contact/tests.rs"]
mod tests;
