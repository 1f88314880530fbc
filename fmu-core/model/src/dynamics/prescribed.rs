//! Prescribed bodies in an evaluation: placed by the time. And how free bodies move with them.

use crate::dynamics::Model;
use crate::dynamics::frozen::Frozen;
use crate::dynamics::model::prescribed::PrescribedBody;
use crate::dynamics::parts::Part;
use crate::dynamics::workspace::Workspace;
use crate::scene::StateLayout;
use contact_geometry::math::Real;
use contact_laws::index::LinkId;

/// A body rests on another one that moves if along its motion both differ by less than this part of
/// its speed [1].
const CARRIED: f64 = 0.5;

/// Places the prescribed bodies by the time, and writes their accelerations if there are joints.
pub fn place<T: Real>(model: &Model, work: &mut Workspace<T>) {
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

/// Sets the translation of prescribed bodies to the free bodies that rest on them, directly or on
/// others, see [`HybridSystem::set_carried`](crate::hybrid::HybridSystem::set_carried). With the
/// displacement p(t) of a prescribed body, p - p(t0) - p' h theta - p'' h^2 theta^2/2 is c theta^3 +
/// d theta^4 through its values at theta = 1/2 and 1; velocities follow. `members` are links with the
/// place of their first state.
pub fn set_carried(
    frozen: &Frozen<'_>,
    members: impl Iterator<Item = (LinkId, usize)>,
    (t0, t1): (f64, f64),
    states: &[f64],
    [squares, cubes, fourths]: [&mut [f64]; 3],
) {
    let (model, parts) = (frozen.model, &frozen.contacts.parts);
    let h = t1 - t0;
    let mut known = None;
    for (link, first) in members.filter(|(link, _)| model.links.all[*link].is_free) {
        let part = parts.of_links()[link];
        let carrier = match known {
            Some((of, carrier)) if of == part => carrier,
            _ => carrier(frozen, &parts.list()[part]),
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

/// The first prescribed body that a part rests on and that moves; none if there is none.
fn carrier<'a>(frozen: &Frozen<'a>, part: &Part) -> Option<&'a PrescribedBody> {
    let (model, contacts) = (frozen.model, frozen.contacts);
    let touched = contacts.parts.contacts(part).iter();
    let mut bodies = touched.flat_map(|index| contacts.list()[*index].bodies);
    bodies.find_map(|body| {
        let mut prescribed = model.prescribed.iter();
        prescribed.find(|known| known.body == body && known.moves(&model.scene))
    })
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/prescribed/tests.rs"]
mod tests;
