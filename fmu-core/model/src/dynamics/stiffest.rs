//! What keeps the steps of a solver small: the stiffest contact or end stop of the present state.
//!
//! A contact of the effective mass m [kg] has the rate r = max(sqrt(k/m), c/m) [1/s], with the
//! stiffness k = df_el/d(depth) [N/m] of the elastic part and the damping c = df/d(depth rate)
//! [N.s/m] of its normal force f, where that does not pull yet. An explicit method of order 5 is
//! stable for steps up to some 3.3/r.

use crate::dynamics::frozen::Frozen;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{contact_forces, tree};
use crate::scene::Scene;
use contact_laws::index::StopId;
use std::fmt;

/// The contact or end stop with the largest rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Stiffest {
    /// Shapes of the pair, `body.shape:body.shape`, or `the lower stop of JOINT`.
    pub name: String,
    /// The same without spaces: `body.shape:body.shape`, or `JOINT:lower`.
    pub key: String,
    /// Depth [m] or [rad].
    pub depth: f64,
    /// Stiffness [N/m] or [N.m/rad].
    pub stiffness: f64,
    /// Damping [N.s/m] or [N.m.s/rad].
    pub damping: f64,
    /// Effective mass [kg] or inertia [kg.m2].
    pub mass: f64,
    /// Of an end stop of an angle.
    pub is_angular: bool,
}

impl Stiffest {
    /// max(sqrt(k/m), c/m) [1/s].
    pub fn rate(&self) -> f64 {
        let (k, c) = (self.stiffness.abs(), self.damping.abs());
        (k / self.mass).sqrt().max(c / self.mass)
    }
}

impl fmt::Display for Stiffest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [length, stiffness, damping, mass] = match self.is_angular {
            true => ["rad", "N.m/rad", "N.m.s/rad", "kg.m2"],
            false => ["m", "N/m", "N.s/m", "kg"],
        };
        write!(
            f,
            "{}: depth {:.3e} {length}, stiffness {:.3e} {stiffness}, damping {:.3e} {damping}, effective mass \
             {:.3e} {mass}",
            self.name, self.depth, self.stiffness, self.damping, self.mass
        )
    }
}

/// The stiffest among the contacts and end stops; none if nothing exerts a force. The workspace has
/// the bodies placed, and the inertias of the trees.
pub fn find(frozen: &Frozen<'_>, work: &Workspace<f64>, states: &[f64]) -> Option<Stiffest> {
    let model = frozen.model;
    let contacts = frozen.contacts.list().iter().map(|contact| {
        let near = contact_forces::nearest(frozen, contact, &work.frames);
        let bodies = contact.bodies;
        let motion = contact_forces::motion_of(&near, (bodies, contact.fixed), work);
        let law = frozen.contacts.law(contact);
        let (depth, rate) = (law.rule.depth(motion.gap), motion.compression_rate());
        let (stiffness, damping) = law.slopes(depth, rate, contact.frozen.number);
        let (point, normal) = (&motion.point, &motion.normal);
        let name = model.scene.pair_name(contact.pair);
        Stiffest {
            key: name.clone(),
            name,
            depth,
            stiffness,
            damping,
            mass: tree::response::along_normal(model, work, bodies, point, normal),
            is_angular: false,
        }
    });
    let stops = model.stops.iter_enumerated().zip(frozen.ledger.stops());
    let stops = stops.filter_map(|((index, stop), contact)| {
        let (depth, stiffness, damping) = stop.strain(states, contact.as_ref()?);
        let known = model.scene.stops()[index];
        let inertia = tree::response::along_coordinate(model, work, known.joint, known.coordinate);
        Some(Stiffest {
            name: stop_name(&model.scene, index),
            key: model.scene.stop_names(index).join(":"),
            depth,
            stiffness,
            damping,
            mass: inertia,
            is_angular: {
                let joint = &model.scene.joints()[known.joint];
                joint.kind.coordinates()[known.coordinate].is_angle()
            },
        })
    });
    contacts
        .chain(stops)
        .filter(|known| known.rate().is_finite() && known.rate() > 0.0)
        .max_by(|a, b| a.rate().total_cmp(&b.rate()))
}

fn stop_name(scene: &Scene, stop: StopId) -> String {
    let [joint, side] = scene.stop_names(stop);
    format!("the {side} stop of {joint}")
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/stiffest/tests.rs"]
mod tests;
