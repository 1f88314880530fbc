//! What an evaluation reads and that stays between two events, and how far it has come.

use crate::contact::Ledger;
use crate::dynamics::Model;
use crate::dynamics::contacts::Contacts;

/// Everything that an evaluation reads and that stays between two events.
#[derive(Clone, Copy)]
pub struct Frozen<'a> {
    /// The model.
    pub model: &'a Model,
    /// The contacts, and the parts that they make.
    pub contacts: &'a Contacts,
    /// The ledger that the contacts are those of.
    pub ledger: &'a Ledger,
}

/// How far an evaluation has come at a time and states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum Progress {
    /// Nothing is computed.
    Nothing,
    /// Bodies and shapes are placed.
    Placed,
    /// Forces, and accelerations of trees, are known.
    Accelerated,
}
