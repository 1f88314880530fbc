//! Prescribed forces of a checked scene, and when they have a kink.
//!
//! A force is a function of the present time alone, and continuous: a solver that goes back in
//! time, or one that asks for a time past the next event, gets the right value. No part of a table
//! is frozen between events. At a kink its slope jumps; kinks are time events, so that no step of a
//! solver needs to cross one.

use crate::scene::curve::Curve;
use crate::scene::description::force::ForceOn;
use crate::scene::description::{ForceProfile, ForceTable, SceneDescription, SceneItem};
use crate::scene::flaw::SceneError;
use contact_laws::index::{BodyId, ForceId, TiVec};
use std::sync::Arc;

/// A force of a scene.
pub type Force = ForceOn<BodyId, Arc<Curve<6>>>;

/// A force and a torque over time, with values of the parameters; a table has forces [N] and torques [N.m], one after the other.
pub type ForceTimeProfile = ForceProfile<Arc<Curve<6>>>;

impl Force {
    /// Returns true if it changes with time.
    pub fn depends_on_time(&self) -> bool {
        matches!(
            self.profile,
            ForceTimeProfile::Sine { .. } | ForceTimeProfile::Table(_)
        )
    }
}

/// What is said of a table that has no curve.
pub(super) const TOO_STEEP: (&str, &str) = (
    "table: the slopes between its values are beyond 1.8e308",
    "give times that lie farther apart",
);

/// The forces of a description that was checked, and the times of their kinks [s].
pub(super) fn build(
    description: &SceneDescription,
    errors: &mut Vec<SceneError>,
) -> (TiVec<ForceId, Force>, Vec<f64>) {
    let mut forces = TiVec::new();
    let mut kinks = Vec::new();
    for (index, given) in description.forces.iter().enumerate() {
        let Some(body) = description.body_id(&given.body) else {
            continue;
        };
        let curve = |table: &ForceTable| {
            let curve = Curve::new(&table.times, &rows(table), table.interpolation, None);
            curve.map(Arc::new)
        };
        let Some(profile) = given.profile.with_table(curve) else {
            let item = SceneItem::Force(index);
            errors.push(SceneError::new(description, item, "table", TOO_STEEP));
            continue;
        };
        if let ForceTimeProfile::Table(curve) = &profile {
            kinks.extend(curve.kinks(1));
        }
        forces.push(Force {
            name: given.name.clone(),
            body,
            point: given.point,
            axes: given.axes,
            profile,
        });
    }
    (forces, kinks)
}

/// Force and torque at each time, one after the other.
fn rows(table: &ForceTable) -> Vec<[f64; 6]> {
    let row = |i: usize| {
        let [f, t] = [&table.forces, &table.torques].map(|list| list.get(i).copied());
        let ([fx, fy, fz], [tx, ty, tz]) = (f.unwrap_or_default(), t.unwrap_or_default());
        [fx, fy, fz, tx, ty, tz]
    };
    (0..table.times.len()).map(row).collect()
}

/// A time this many roundings before a kink counts as the kink: who comes there by adding up steps
/// is not sent on to an event a rounding later.
const KINK_ROUNDINGS: f64 = 64.0;

/// The latest time that counts as this one [s].
pub(crate) fn with_rounding(time: f64) -> f64 {
    time + KINK_ROUNDINGS * f64::EPSILON * time.abs()
}
