//! Deflections of contacts at an event: without a contact there is none.
//!
//! A contact starts with no deflection, keeps it while it lasts, and loses it at its end; the
//! energy that was stored in it is dissipated then. A deflection that is set before the first
//! event, where the contacts at start are found, stays.

use crate::contact::Ledger;
use crate::dynamics::Model;
use crate::dynamics::contacts::Contacts;
use crate::scene::layout::Deflections;
use contact_laws::index::{DeflectionId, SlotId};
use contact_laws::response::stick::Deflection;

/// Makes those of these deflections zero that no contact of the ledger has any more, in the states.
/// `contacts` are those before the event. Returns true if a state changed.
pub fn release(
    model: &Model,
    (contacts, ledger): (&Contacts, &Ledger),
    deflections: impl Iterator<Item = DeflectionId>,
    states: &mut [f64],
) -> bool {
    let layout = model.scene.layout();
    if layout.contacts().is_empty() {
        return false;
    }
    let mut changed = false;
    let mut clear = |index: DeflectionId, states: &mut [f64]| {
        for state in &mut states[layout.deflection(index)] {
            changed |= *state != 0.0;
            *state = 0.0;
        }
    };
    let mut lost = 0.0;
    for contact in contacts.list() {
        let Some((law, deflection)) = contacts.bristle(contact) else {
            continue;
        };
        if ledger.contact(contact.pair).is_some() {
            continue;
        }
        let own = &states[layout.deflection(deflection)];
        lost += law.energy(&Deflection::read(own));
        clear(deflection, states);
    }
    let held = |index: DeflectionId| {
        let pair = match layout.deflections() {
            Deflections::None => None,
            Deflections::OfPairs(pairs) => pairs.get(index).copied(),
            Deflections::OfSlots(_) => {
                let slot = SlotId::from(usize::from(index));
                ledger.slots().get(slot).copied().flatten()
            }
        };
        pair.is_some_and(|pair| ledger.contact(pair).is_some())
    };
    for index in deflections.filter(|index| !held(*index)) {
        clear(index, states);
    }
    if let Some(work) = layout.work()
        && lost > 0.0
    {
        states[work] += lost;
        changed = true;
    }
    changed
}
