//! What an event changes: which pairs and end stops are in contact, and what their laws freeze.

use crate::contact::{Contact, Detection, Ledger, Placement};
use crate::dynamics::stops::{self, StopChange};
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, contact_forces, meetings, tree};
use crate::hybrid::EvaluationError;
use contact_geometry::narrow_phase::Proximity;
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::index::PairId;
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::law::Onset;
use contact_laws::response::normal::NormalLaw;

/// A contact that started or ended at the last event update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactChange {
    /// The pair.
    pub pair: PairId,
    /// Impact speed if the contact started [m/s]; none if it ended.
    pub impact_speed: Option<f64>,
}

/// Detection, and what the last event update changed.
#[derive(Debug)]
pub struct Events {
    /// Detection of contacts.
    pub detection: Detection,
    contacts: Vec<ContactChange>,
    stops: Vec<StopChange>,
    /// Contacts before the update.
    before: Vec<Contact>,
    /// Patch of a contact over an area that starts.
    patch: Patch<f64>,
}

impl Events {
    /// Nothing has changed; room for the contacts and stops of a model.
    pub fn new(model: &Model) -> Self {
        Events {
            detection: Detection::default(),
            contacts: Vec::new(),
            stops: Vec::with_capacity(model.stops.len()),
            before: Vec::with_capacity(model.scene.slot_count()),
            patch: Patch::with_room(model.scene.most_faces()),
        }
    }

    /// Updates the ledger at a time [s] and states at which the bodies are placed and the inertias
    /// of trees are known.
    ///
    /// # Errors
    /// More pairs in contact than indicator slots.
    pub fn update(
        &mut self,
        model: &Model,
        ledger: &mut Ledger,
        work: &Workspace<f64>,
        (time, states): (f64, &[f64]),
    ) -> Result<(), EvaluationError> {
        self.contacts.clear();
        self.stops.clear();
        self.before.clear();
        self.before.extend_from_slice(ledger.contacts());
        let patch = &mut self.patch;
        let start = |pair, near: &Proximity| start(model, work, (pair, near), patch);
        self.detection
            .update_event(&placement(model, work), ledger, start)
            .map_err(|too_many| EvaluationError::error(too_many.0))?;
        let (all, changes) = (model.stops.keys(), &mut self.stops);
        stops::update(model, work, (ledger, all), states, |change| {
            changes.push(change)
        });
        self.note_changes(ledger);
        for change in &self.contacts {
            if let Some(speed) = change.impact_speed {
                ledger.note_start(&model.scene, change.pair, time, speed);
            }
        }
        Ok(())
    }

    /// True if a contact started or ended, or one that lasts got another slot.
    pub fn changed_contacts(&self, ledger: &Ledger) -> bool {
        self.before != ledger.contacts()
    }

    /// Contacts that started and ended, in pair order.
    pub fn contacts(&self) -> &[ContactChange] {
        &self.contacts
    }

    /// Returns true if the contact of a pair started.
    pub fn started(&self, pair: PairId) -> bool {
        let found = self.contacts.binary_search_by_key(&pair, |c| c.pair);
        found.is_ok_and(|place| self.contacts[place].impact_speed.is_some())
    }

    /// Stops whose contact started or ended, in the order of
    /// [`Scene::stops`](crate::scene::Scene::stops).
    pub fn stops(&self) -> &[StopChange] {
        &self.stops
    }

    fn note_changes(&mut self, ledger: &Ledger) {
        self.contacts.clear();
        let mut before = self.before.iter().map(|contact| contact.pair).peekable();
        let ended = |pair: PairId| ContactChange {
            pair,
            impact_speed: None,
        };
        for new in ledger.contacts() {
            while let Some(pair) = before.next_if(|old| *old < new.pair) {
                self.contacts.push(ended(pair));
            }
            if before.next_if_eq(&new.pair).is_none() {
                self.contacts.push(ContactChange {
                    pair: new.pair,
                    impact_speed: Some(new.impact_speed),
                });
            }
        }
        self.contacts.extend(before.map(ended));
    }
}

/// Impact speed [m/s] of a contact that starts, and what its law freezes. The bodies are placed and
/// the inertias of trees known.
pub fn start(
    model: &Model,
    work: &Workspace<f64>,
    (pair, near): (PairId, &Proximity),
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
        near = meetings::deepest(model, &law, (shapes, bodies), near, work, patch);
        contact_forces::find_patch(
            model,
            &law,
            (shapes, poses),
            law.rule.overlap_without_force(),
            patch,
        );
        stored = patch.energy;
    }
    let motion = contact_forces::motion_of(&near, (bodies, fixed), work);
    let speed = motion.compression_rate().abs();
    let mass = tree::response::along_normal(model, work, bodies, &motion.point, &motion.normal);
    // Of two bodies that no force moves no mass is known, and nothing can part them.
    let moved = bodies.iter().any(|b| model.scene.bodies()[*b].is_dynamic());
    let of_impact = match moved {
        true => speed_of_impact(speed, stored, mass),
        false => speed,
    };
    // Velocities jump where it is faster; the force goes on from there.
    let of_force = law
        .impulse
        .map_or(of_impact, |i| of_impact.min(i.rest_speed));
    let number = law.frozen(of_force, mass);
    let rubs = !matches!(law.friction, FrictionLaw::Off | FrictionLaw::User(_));
    let coupling = match matches!(law.normal, NormalLaw::Inferred { .. }) && rubs && moved {
        true => tree::response::coupling(model, work, bodies, &motion.point, &motion.normal),
        false => [0.0; 3],
    };
    (speed, Onset { number, coupling })
}

/// Speed [m/s] of the impact that a contact is part of which starts with this speed [m/s], this
/// elastic energy beyond that where contacts start [J] and this effective mass along the normal
/// [kg]: v0^2 = v^2 + 2 E/m. So bodies that start in each other part as after the impact that would
/// have brought them there without losses, and not the slower the deeper they are.
fn speed_of_impact(speed: f64, stored: f64, effective_mass: f64) -> f64 {
    match stored > 0.0 {
        true => (speed * speed + 2.0 * stored / effective_mass).sqrt(),
        false => speed,
    }
}

/// The shapes with the frames of a workspace.
pub fn placement<'a>(model: &'a Model, work: &'a Workspace<f64>) -> Placement<'a> {
    Placement {
        scene: &model.scene,
        frames: &work.frames,
        shape_frames: &model.frames.of_shapes,
    }
}
