//! External actions on the bodies: prescribed and driven bodies, applied forces; and the deflections of
//! contacts.
//!
//! # Prescribed forces and force inputs
//!
//! A force F at a point p of a body with origin o and a torque M are equivalent to the force F and the torque
//! (p - o) x F + M about o. F and M are those of the present time, in world axes or rotated with the body by
//! R: F_w = R F_b; p - o = R p_b.
//!
//! # Deflections of contacts at an event
//!
//! A contact starts with zero deflection, keeps it while it lasts, and loses it at its end; the energy stored
//! in it is dissipated then. A deflection that is set before the first event, where the contacts at start are
//! found, remains.

use crate::dynamics::Model;
use crate::dynamics::contacts::Mode;
use crate::dynamics::link::Link;
use crate::dynamics::model::driven::PrescribedBody;
use crate::dynamics::parts::Part;
use crate::dynamics::workspace::{Load, Workspace};
use crate::scene::StateLayout;
use crate::scene::description::ForceAxes;
use crate::scene::layout::Deflections;
use contact_geometry::math::{Real, Vec3, vec3};
use contact_laws::index::{DeflectionId, InputId, SlotId, TiSlice};
use contact_laws::response::stick::Deflection;

/// A body rests on a moving one if the difference of their motions is below this fraction of its speed [1].
const CARRIED: f64 = 0.5;

/// Places the prescribed bodies by the time, and writes their accelerations if there are joints.
pub(crate) fn place<T: Real>(model: &Model, work: &mut Workspace<T>) {
    for prescribed in &model.prescribed {
        let (pose, twist) = prescribed.motion_along(&model.scene, work.time);
        work.frames[prescribed.body.frame()] = pose;
        work.twists[prescribed.body] = twist;
        if let Some(acceleration) = work.accelerations.get_mut(prescribed.body) {
            let [angular, linear] = prescribed.acceleration_along(&model.scene, work.time);
            (acceleration.angular, acceleration.linear) = (angular, linear);
        }
    }
}

/// Applies the translation of prescribed bodies to the free bodies that rest on them, directly or on others,
/// see [`HybridSystem::set_carried`](crate::hybrid::HybridSystem::set_carried). With the displacement p(t) of
/// a prescribed body, p - p(t0) - p' h theta - p'' h^2 theta^2/2 is c theta^3 + d theta^4 through its values
/// at theta = 1/2 and 1; velocities follow.
pub(crate) fn set_carried(
    mode: &Mode,
    t0: f64,
    t1: f64,
    states: &[f64],
    [squares, cubes, fourths]: [&mut [f64]; 3],
) {
    let (model, parts) = (&*mode.model, &mode.contacts.parts);
    let h = t1 - t0;
    let mut known = None;
    let members = mode.scope.first_states(model);
    for (link, first) in members.filter(|(link, _)| model.links.all[*link].is_free) {
        let part = parts.of_links()[link];
        let carrier = match known {
            Some((of, carrier)) if of == part => carrier,
            _ => carrier(mode, &parts.list()[part]),
        };
        known = Some((part, carrier));
        let Some(carrier) = carrier else {
            continue;
        };
        let at = |time| carrier.motion(&model.scene, time);
        let (start, twist) = at(t0);
        let velocity = &twist.velocity_w;
        let own = &states[StateLayout::velocity(first)];
        let along: f64 = own.iter().zip(velocity).map(|(v, u)| (v - u) * u).sum();
        if along.abs() > CARRIED * velocity.norm_squared() {
            continue;
        }
        let [_, acceleration] = carrier.acceleration(&model.scene, t0);
        let beyond = |part: f64| {
            let since = part * h;
            let moved = at(t0 + since).0.position - start.position;
            moved - velocity * since - acceleration * (0.5 * since * since)
        };
        let (half, whole) = (beyond(0.5), beyond(1.0));
        let third = half * 16.0 - whole;
        let fourth = whole - third;
        for i in 0..3 {
            let (position, velocity) = (
                StateLayout::position(first).start + i,
                StateLayout::velocity(first).start + i,
            );
            squares[position] = 0.5 * h * h * acceleration[i];
            cubes[position] = third[i];
            fourths[position] = fourth[i];
            squares[velocity] = 3.0 * third[i] / h;
            cubes[velocity] = 4.0 * fourth[i] / h;
        }
    }
}

/// First moving prescribed body that a part rests on.
fn carrier<'a>(mode: &'a Mode, part: &Part) -> Option<&'a PrescribedBody> {
    let (model, contacts) = (&*mode.model, &mode.contacts);
    let touched = contacts.parts.contacts(part).iter();
    let mut bodies = touched.flat_map(|index| contacts.list()[*index].bodies);
    bodies.find_map(|body| {
        let mut prescribed = model.prescribed.iter();
        prescribed.find(|known| known.body == body && known.moves(&model.scene))
    })
}

/// Adds these forces on a link, which is placed, to the workspace.
pub(crate) fn apply<T: Real>(model: &Model, link: &Link, work: &mut Workspace<T>) {
    let rotation = work.frames[link.body.frame()].rotation;
    let mut load = Load::zero();
    for index in &model.links.applied[link.applied.clone()] {
        let force = &model.scene.forces()[*index];
        let [force_given, torque_given] = model.applied[*index].at(work.time, &work.inputs);
        let turned = |vector: &Vec3<T>| -> Vec3<T> {
            match force.axes {
                ForceAxes::World => *vector,
                ForceAxes::Body => rotation * vector,
            }
        };
        let (force_w, torque_w) = (turned(&force_given), turned(&torque_given));
        let arm_w = rotation * vec3(&force.point);
        load.acts = true;
        load.force_w += force_w;
        load.torque_w += arm_w.cross(&force_w) + torque_w;
    }
    work.applied[link.body] = load;
}

/// Places the driven bodies by the inputs. One with an invalid orientation stays where it is: [`flaw`] gives
/// the reason.
pub(crate) fn place_driven<T: Real>(model: &Model, work: &mut Workspace<T>) {
    let elapsed = work
        .inputs_since
        .map_or(T::zero(), |since| work.time - since);
    for driven in &model.driven {
        if let Some((pose, twist)) = driven.motion(&work.inputs, elapsed) {
            work.frames[driven.body.frame()] = pose;
            work.twists[driven.body] = twist;
        }
    }
}

/// Problem with these input values as text with body and input.
pub(crate) fn flaw(model: &Model, inputs: &TiSlice<InputId, f64>) -> Option<String> {
    let scene = &model.scene;
    if let Some(index) = inputs.position(|value| !value.is_finite()) {
        return Some(format!(
            "input {} is {}; must be finite",
            scene.input_name(index),
            inputs[index]
        ));
    }
    let mut driven = model.driven.iter();
    driven.find_map(|driven| {
        let reason = driven.flaw(inputs)?;
        let name = &scene.bodies()[driven.body].name;
        Some(format!("input {name}.{reason}"))
    })
}

/// Clears the deflections without a contact in the ledger, in the states. The contacts are those before the
/// event. Returns true if a state changed.
pub(crate) fn release(mode: &Mode, states: &mut [f64]) -> bool {
    let Mode {
        model,
        scope,
        ledger,
        contacts,
        ..
    } = mode;
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
    for index in scope.deflections.iter().filter(|index| !held(**index)) {
        clear(*index, states);
    }
    if let Some(work) = layout.work()
        && lost > 0.0
    {
        states[work] += lost;
        changed = true;
    }
    changed
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/prescribed/tests.rs"]
mod tests;

#[cfg(test)]
#[path = "../../tests/unit/dynamics/applied/tests.rs"]
mod applied_tests;

#[cfg(test)]
#[path = "../../tests/unit/dynamics/driven/tests.rs"]
mod driven_tests;
