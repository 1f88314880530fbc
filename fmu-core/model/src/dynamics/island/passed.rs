//! Contacts that the step under way starts and ends without an event.

use crate::hybrid::Entry;
use contact_geometry::math::dense::DenseStep;
use contact_laws::index::SlotId;

/// What has started and ended in the step that is looked at.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    /// Contacts that start, with their times [s]. They are in the ledger.
    pub(super) started: Vec<(SlotId, f64)>,
    /// Contacts that end, with their times [s]. They are in the ledger until the step is completed.
    pub(super) ended: Vec<(SlotId, f64)>,
    /// Entries found, while they are looked at.
    pub(super) found: Vec<(SlotId, Entry)>,
    /// States at such a time.
    pub(super) states: Vec<f64>,
}

impl Passed {
    /// Nothing has.
    pub fn clear(&mut self) {
        self.started.clear();
        self.ended.clear();
    }

    /// Where in a step the contact in a slot has started, as part of it; 0 if it did before.
    pub(super) fn start_of(&self, slot: SlotId, step: &DenseStep<'_>) -> f64 {
        let mut started = self.started.iter();
        let known = started.find(|(other, _)| *other == slot);
        known.map_or(0.0, |(_, time)| {
            (time - step.t0()) / (step.t1() - step.t0())
        })
    }
}
