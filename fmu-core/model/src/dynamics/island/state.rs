//! An island with its states and contacts.

use crate::contact::{Contact, LatchState, StopContact};
use crate::dynamics::event::ContactChange;
use crate::dynamics::impulses::PairImpulse;
use crate::dynamics::latches::LatchChange;
use crate::dynamics::stops::StopChange;
use contact_geometry::narrow_phase::Feature;
use contact_laws::index::{LatchId, LinkId, PairId, ShapeId, StopId};
use std::ops::Range;

/// Links that are stepped together, and how far they have come.
#[derive(Clone, Debug, Default)]
pub struct Island {
    /// Its links, ascending, whole trees.
    pub links: Vec<LinkId>,
    /// The pairs that it watches or that are in contact, ascending: each has the slot of its place
    /// here.
    pub pairs: Vec<PairId>,
    /// Its states as ranges of a state vector of the scene: those of its links, of the deflections
    /// that its pairs may have, by their slots here, and of the dissipated work.
    pub(super) ranges: Vec<Range<usize>>,
    /// Values of these states. The work is what was dissipated since the window began.
    pub states: Vec<f64>,
    /// Its contacts, by their slots here.
    pub(super) contacts: Vec<Contact>,
    /// Hints of its pairs; empty if there are none.
    pub(super) hints: Vec<Feature>,
    /// Contacts of the end stops of its joints.
    pub(super) stops: Vec<(StopId, Option<StopContact>)>,
    /// Latches of its joints.
    pub(super) latches: Vec<(LatchId, LatchState)>,
    /// How far its shapes are off their reference motions at most [m].
    pub(super) deviations: Vec<(ShapeId, f64)>,
    /// What its events changed, with their times [s].
    pub changes: Vec<(f64, Change)>,
}

/// What an event changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// A contact started or ended.
    Contact(ContactChange),
    /// The contact with an end stop did.
    Stop(StopChange),
    /// Velocities jumped where a pair met.
    Impulse(PairImpulse),
    /// A latch closed or opened.
    Latch(LatchChange),
}
