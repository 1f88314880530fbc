//! End stops in an evaluation and at an event; their law is that of
//! [`StopModel`](crate::dynamics::model::StopModel).

use crate::contact::{Ledger, StopContact};
use crate::dynamics::Model;
use crate::dynamics::link::Link;
use crate::dynamics::tree::response;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::Real;
use contact_laws::index::{StopId, TiSlice};

/// A stop whose contact started or ended at the last event update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopChange {
    /// Index among [`Scene::stops`](crate::scene::Scene::stops).
    pub stop: StopId,
    /// Impact speed if the contact started [m/s] or [rad/s]; none if it ended.
    pub impact_speed: Option<f64>,
}

/// Adds what the stops of a link in contact do to the forces of its joint, and what they take from
/// the mechanical energy.
pub fn apply<T: Real>(
    model: &Model,
    link: &Link,
    contacts: &TiSlice<StopId, Option<StopContact>>,
    work: &mut Workspace<T>,
    states: &[T],
) {
    let stops = model.stops[link.stops.clone()].iter();
    for (stop, contact) in stops.zip(&contacts[link.stops.clone()]) {
        let Some(contact) = contact else { continue };
        let rate = stop.depth_rate(states);
        let (elastic, damped) = stop
            .law
            .forces(stop.depth(states), rate, contact.frozen, T::one());
        let force = damped.positive_part();
        work.joint_forces[stop.force] += force * stop.sign;
        if model.energy_balance {
            work.dissipation += (force - elastic) * rate;
        }
    }
}

/// Energy stored in the stops in contact [J].
pub fn energy<T: Real>(
    model: &Model,
    contacts: &TiSlice<StopId, Option<StopContact>>,
    states: &[T],
) -> T {
    let stops = model.stops.iter().zip(contacts);
    let touched = stops.filter(|(_, contact)| contact.is_some());
    touched.fold(T::zero(), |sum, (stop, _)| {
        sum + stop.elastic.energy(stop.depth(states))
    })
}

/// Finds at an event which of these stops are in contact, and calls `note` with what changed. One
/// that goes on keeps what it froze. The workspace has the inertias of the trees.
pub fn update(
    model: &Model,
    work: &Workspace<f64>,
    (ledger, stops): (&mut Ledger, impl Iterator<Item = StopId>),
    states: &[f64],
    mut note: impl FnMut(StopChange),
) {
    for index in stops {
        let (stop, contact) = (&model.stops[index], &mut ledger.stops_mut()[index]);
        let touches = stop.touches(states);
        if touches == contact.is_some() {
            continue;
        }
        let speed = stop.depth_rate(states).abs();
        *contact = touches.then(|| {
            let known = model.scene.stops()[index];
            let inertia = response::along_coordinate(model, work, known.joint, known.coordinate);
            StopContact {
                impact_speed: speed,
                frozen: stop.law.frozen(&stop.damping, speed, inertia),
            }
        });
        note(StopChange {
            stop: index,
            impact_speed: touches.then_some(speed),
        });
    }
}
