//! Contacts as sources of events: pairs in contact, and the values frozen by their laws.

use crate::contact::{Contact, Detection, Ledger};
use crate::dynamics::contacts::{Mode, Progress, Watched};
use crate::dynamics::path::{Path, PathEnd};
use crate::dynamics::scope::Slots;
use crate::dynamics::source::{
    Change, ContactChange, EventSource, Goal, LookAhead, STEEPNESS, Tangential,
};
use crate::dynamics::stage::Stage;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, contact_forces, guard, tree};
use crate::hybrid::EvaluationError;
use contact_geometry::narrow_phase::Proximity;
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::index::{PairId, TiSlice};
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::law::Onset;
use contact_laws::response::normal::NormalLaw;

/// Value of an indicator slot that watches no pair [m].
const UNUSED_INDICATOR: f64 = 1.0;

/// Contact detection, and the changes of the last event update.
#[derive(Debug)]
pub(crate) struct ContactEvents {
    pub detection: Detection,
    changes: Vec<ContactChange>,
    before: Vec<Contact>,
    found: Vec<Contact>,
    /// Patch of a contact over an area that starts.
    pub patch: Patch<f64>,
}

impl ContactEvents {
    pub(crate) fn new(model: &Model) -> Self {
        ContactEvents {
            detection: Detection::default(),
            changes: Vec::new(),
            before: Vec::new(),
            found: Vec::new(),
            patch: model.scene.patch(),
        }
    }

    /// Returns true if a contact started or ended, or a lasting one got another slot.
    pub(crate) fn has_changed(&self, ledger: &Ledger) -> bool {
        self.before != ledger.contacts()
    }

    pub(crate) fn started(&self, pair: PairId) -> bool {
        let found = self.changes.binary_search_by_key(&pair, |c| c.pair);
        found.is_ok_and(|place| self.changes[place].impact_speed.is_some())
    }

    /// Finds the pairs in contact among those in the slots.
    fn find_given(&mut self, stage: &mut Stage) {
        let Stage { mode, work, .. } = stage;
        let (model, ledger) = (&*mode.model, &mut mode.ledger);
        let rule = model.scene.contact().law.rule;
        let placement = work.placement(model);
        self.found.clear();
        for (slot, pair) in ledger.slots().iter_enumerated() {
            let (Some(pair), hint) = (*pair, ledger.hint(slot)) else {
                continue;
            };
            if !rule.in_contact(placement.gap(pair, hint)) {
                continue;
            }
            self.found.push(match ledger.contact(pair) {
                Some(known) => *known,
                None => {
                    let near = placement.proximity(pair, hint);
                    let (impact_speed, frozen) = start(model, work, pair, &near, &mut self.patch);
                    Contact {
                        pair,
                        slot,
                        impact_speed,
                        frozen,
                        stepped: None,
                    }
                }
            });
        }
        ledger.set_contacts(&self.found);
    }

    fn note_changes(&mut self, ledger: &Ledger) {
        self.changes.clear();
        let mut before = self.before.iter().map(|contact| contact.pair).peekable();
        let ended = |pair: PairId| ContactChange {
            pair,
            impact_speed: None,
        };
        for new in ledger.contacts() {
            while let Some(pair) = before.next_if(|old| *old < new.pair) {
                self.changes.push(ended(pair));
            }
            if before.next_if_eq(&new.pair).is_none() {
                self.changes.push(ContactChange {
                    pair: new.pair,
                    impact_speed: Some(new.impact_speed),
                });
            }
        }
        self.changes.extend(before.map(ended));
    }
}

impl EventSource for ContactEvents {
    fn count(&self, mode: &Mode) -> usize {
        mode.ledger.slots().len()
    }

    fn indicators(&self, stage: &mut Stage, indicators: &mut [f64]) {
        let Stage {
            mode, work, found, ..
        } = stage;
        let rule = mode.model.scene.contact().law.rule;
        let indicators = TiSlice::from_mut(indicators);
        let contacts = mode.contacts.list();
        if mode.watchers.len() + contacts.len() < indicators.len() {
            indicators.fill(UNUSED_INDICATOR);
        }
        let hints = mode.ledger.hints();
        mode.watchers
            .each_gap(&mode.model, &work.frames, hints, |slot, gap| {
                indicators[slot] = rule.indicator(gap, false);
            });
        for (index, contact) in contacts.iter_enumerated() {
            let slot = contact.slot;
            let gap = match stage.progress {
                Progress::Accelerated if !contact.over_area => {
                    contact_forces::gap_of(mode, index, work)
                }
                _ => {
                    let placement = work.placement(&mode.model);
                    found.gap(&placement, contact.pair, mode.ledger.hint(slot))
                }
            };
            indicators[slot] = rule.indicator(gap, true);
        }
    }

    fn indicators_along(
        &self,
        mode: &Mode,
        work: &Workspace<Tangential>,
        _: &[Tangential],
        set: &mut dyn FnMut(usize, Tangential),
    ) {
        let rule = mode.model.scene.contact().law.rule;
        let (frames, hints) = (&work.frames, mode.ledger.hints());
        mode.watchers
            .each_gap_along(&mode.model, frames, hints, |slot, gap| {
                set(slot.into(), rule.indicator(gap, false));
            });
        for (index, contact) in mode.contacts.list().iter_enumerated() {
            let gap = contact_forces::gap_of(mode, index, work);
            set(contact.slot.into(), rule.indicator(gap, true));
        }
    }

    fn look_ahead(&self, mode: &Mode, path: &mut Path, ahead: &mut LookAhead<'_>) {
        for Watched { slot, shapes } in mode.watchers.watched() {
            let index = usize::from(slot);
            let is_far = match &ahead.goal {
                Goal::Entry { start, .. } => {
                    let z = start[index];
                    z <= 0.0 || z - shapes.travel(path, PathEnd::Start) > 0.0
                }
                Goal::Least(now) => {
                    let z = now[index];
                    z - shapes.travel(path, PathEnd::End) > z.max(0.0) / STEEPNESS
                }
            };
            if is_far {
                continue;
            }
            let mut approach = mode.approach(slot, shapes, path, ahead.looks);
            ahead.goal.meet(index, &mut approach);
        }
    }

    fn switch(&mut self, stage: &mut Stage, time: f64) -> Result<(), EvaluationError> {
        self.before.clear();
        self.before.extend_from_slice(stage.mode.ledger.contacts());
        match stage.mode.scope.slots {
            Slots::Given => self.find_given(stage),
            Slots::Chosen => {
                let Stage { mode, work, .. } = &mut *stage;
                let (model, patch) = (&*mode.model, &mut self.patch);
                let start = |pair, near: &Proximity| start(model, work, pair, near, patch);
                self.detection
                    .update_event(&work.placement(model), &mut mode.ledger, start)
                    .map_err(|too_many| EvaluationError::error(too_many.0))?;
            }
        }
        let Mode { model, ledger, .. } = &mut stage.mode;
        self.note_changes(ledger);
        for change in &self.changes {
            if let Some(speed) = change.impact_speed {
                ledger.note_start(&model.scene, change.pair, time, speed);
            }
        }
        Ok(())
    }

    fn log(&self, changes: &mut Vec<Change>) {
        changes.extend(self.changes.iter().copied().map(Change::Contact));
    }
}

/// Impact speed [m/s] of a contact that starts, and the values frozen by its law. The bodies are placed and
/// the inertias of trees known.
pub(crate) fn start(
    model: &Model,
    work: &Workspace<f64>,
    pair: PairId,
    near: &Proximity,
    patch: &mut Patch<f64>,
) -> (f64, Onset) {
    let bodies = model.pair_bodies(pair);
    let fixed = bodies.map(|body| model.scene.bodies()[body].is_fixed());
    let law = model.law(pair);
    let mut near = *near;
    let mut stored = law.energy_at_start(near.gap);
    if law.area.is_some() {
        let shapes = model.scene.pairs().get(pair).shapes;
        let poses = shapes.map(|shape| &work.frames[model.frames.of_shapes[shape]]);
        // Not where it touches first: faces meet at their middle.
        near = guard::deepest(model, &law, shapes, bodies, near, work, patch);
        contact_forces::find_patch(
            model,
            &law,
            shapes,
            poses,
            law.rule.overlap_without_force(),
            patch,
        );
        stored = patch.energy;
    }
    let motion = contact_forces::motion_of(&near, bodies, fixed, work);
    let speed = motion.compression_rate().abs();
    let mass = tree::along_normal(model, work, bodies, &motion.point, &motion.normal);
    // Two bodies that no force moves have no known mass, and nothing can separate them.
    let moved = bodies.iter().any(|b| model.scene.bodies()[*b].is_dynamic());
    let of_impact = match moved {
        true => speed_of_impact(speed, stored, mass),
        false => speed,
    };
    // Velocities jump if it is faster; the force continues from there.
    let of_force = law
        .impulse
        .map_or(of_impact, |i| of_impact.min(i.rest_speed));
    let number = law.frozen(of_force, mass);
    let rubs = !matches!(law.friction, FrictionLaw::Off | FrictionLaw::User(_));
    let coupling = match matches!(law.normal, NormalLaw::Inferred { .. }) && rubs && moved {
        true => tree::coupling(model, work, bodies, &motion.point, &motion.normal),
        false => [0.0; 3],
    };
    (speed, Onset { number, coupling })
}

/// Impact speed [m/s] of a contact that starts with this speed [m/s], this elastic energy beyond the start of
/// contacts [J] and this effective mass along the normal [kg]: v0^2 = v^2 + 2 E/m. So bodies that start in
/// overlap separate as after a lossless impact to that depth, and not the slower the deeper they are.
fn speed_of_impact(speed: f64, stored: f64, effective_mass: f64) -> f64 {
    match stored > 0.0 {
        true => (speed * speed + 2.0 * stored / effective_mass).sqrt(),
        false => speed,
    }
}
