//! State derivatives by the Newton-Euler equations about the body origin o.
//!
//! With c the centre of mass, r = R c_b from o to c, F and tau_o the force of contacts and of what is
//! prescribed and its torque about o, g the gravity at c (which has no torque about c):
//! I w' + w x I w = tau_o - r x F (body axes), a_c = F/m + g, a_o = a_c - w' x r - w x (w x r).

use crate::contact::Hints;
use crate::dynamics::Model;
use crate::dynamics::forces::{ActiveContact, touch_fixed};
use crate::dynamics::model::BodyModel;
use crate::dynamics::tree::rates as tree_rates;
use crate::dynamics::workspace::{Load, Twist, Workspace, kinematics};
use crate::math::{Mat3, Pose, Real, Vec3, norm, quaternion_rate, vec3};
use crate::scene::description::Gravity;
use crate::scene::layout::FREE_BODY_STATES;
use std::array::from_fn;

/// Writes f(x) from a workspace that holds kinematics, forces and accelerations of trees of x.
pub fn derivatives<T: Real>(model: &Model, work: &Workspace<T>, states: &[T], rates: &mut [T]) {
    for free in model.free.iter().filter(|free| !free.in_tree) {
        let mut load = work.loads[free.body];
        if let Some(applied) = work.applied.get(free.body) {
            load = load.with(applied);
        }
        let placed = (&work.frames[free.body], &work.twists[free.body]);
        let own = body_rates(
            model,
            &model.bodies[free.body],
            placed,
            load.acts.then_some(&load),
            &free.states(states),
        );
        rates[free.offset..free.offset + FREE_BODY_STATES].copy_from_slice(&own);
    }
    tree_rates::derivatives(model, work, states, rates);
    let layout = model.scene.layout();
    let deflections = rates[layout.contacts()].chunks_exact_mut(3);
    for (own, rate) in deflections.zip(&work.deflection_rates) {
        own.copy_from_slice(rate.as_slice());
    }
    if let Some(work_state) = layout.work() {
        rates[work_state] = work.dissipation;
    }
}

/// Places the bodies by x and writes f(x), every body for itself: possible where there are no
/// joints and no two free bodies touch, and faster, because what was computed for a body is still at
/// hand. `contacts` are in the order of their free bodies, none has a deflection. Answers whether all
/// derivatives are finite.
pub fn place_and_derive(
    model: &Model,
    mut contacts: &[ActiveContact],
    hints: &Hints,
    work: &mut Workspace<f64>,
    states: &[f64],
    rates: &mut [f64],
) -> bool {
    let mut finite = true;
    work.dissipation = 0.0;
    for free in &model.free {
        let x = &states[free.offset..free.offset + FREE_BODY_STATES];
        let rates = &mut rates[free.offset..free.offset + FREE_BODY_STATES];
        // Contacts come in the order of their free bodies.
        let count = contacts
            .iter()
            .take_while(|c| c.ball_on_fixed() == Some(free.body))
            .count();
        let (own, rest) = contacts.split_at(count);
        contacts = rest;
        finite &= if own.is_empty() {
            fly(model, free.body, work, x, rates)
        } else {
            touch(model, free.body, own, hints, work, x, rates)
        };
    }
    work.place_shapes(model);
    let layout = model.scene.layout();
    let deflections = layout.contacts();
    // Measured: a call to fill nothing takes half as long as a flight.
    if !deflections.is_empty() {
        rates[deflections].fill(0.0);
        // Who asks again at the same state reads them from here.
        work.deflection_rates.fill(Vec3::zeros());
    }
    if let Some(work_state) = layout.work() {
        rates[work_state] = work.dissipation;
        finite &= work.dissipation.is_finite();
    }
    finite
}

/// Places a body that nothing touches and writes its derivatives.
#[inline(always)]
fn fly(
    model: &Model,
    body: usize,
    work: &mut Workspace<f64>,
    x: &[f64],
    rates: &mut [f64],
) -> bool {
    let x = from_fn(|i| x[i]);
    let (pose, twist) = kinematics(&x);
    let own = body_rates(model, &model.bodies[body], (&pose, &twist), None, &x);
    rates.copy_from_slice(&own);
    work.frames[body] = pose;
    work.twists[body] = twist;
    are_finite(&own)
}

/// Places a body that touches fixed ones and writes its derivatives. A function of its own, so
/// that what the contacts keep at hand does not slow [`fly`].
#[inline(never)]
fn touch(
    model: &Model,
    body: usize,
    contacts: &[ActiveContact],
    hints: &Hints,
    work: &mut Workspace<f64>,
    x: &[f64],
    rates: &mut [f64],
) -> bool {
    let x = from_fn(|i| x[i]);
    let (pose, twist) = kinematics(&x);
    let mut load = Load::zero();
    for contact in contacts {
        let placed = (&pose, &twist);
        let wrench = touch_fixed(model, contact, hints, &work.frames, placed, &mut load);
        work.dissipation += wrench.dissipation;
        work.wrenches[contact.index] = wrench;
    }
    let own = body_rates(model, &model.bodies[body], (&pose, &twist), Some(&load), &x);
    rates.copy_from_slice(&own);
    work.loads[body] = load;
    work.frames[body] = pose;
    work.twists[body] = twist;
    are_finite(&own)
}

/// Whether the derivatives of a body are finite: 0 v is 0, or NaN where v is not finite. Asked of
/// the values at hand, because memory just written one by one is slow to read by twos; summed as a
/// tree, because a chain of sums is slow too.
#[inline(always)]
fn are_finite(rates: &[f64; FREE_BODY_STATES]) -> bool {
    let [.., a, b, c, d, e, f, g, h, i, j] = rates.map(|rate| 0.0 * rate);
    // The first three are velocities, which are states and finite.
    ((a + b) + (c + d)) + ((e + f) + (g + h)) + (i + j) == 0.0
}

/// The derivatives of one body with states x; `load` is none where nothing touches it.
#[inline(always)]
fn body_rates<T: Real>(
    model: &Model,
    numbers: &BodyModel,
    (pose, twist): (&Pose<T>, &Twist<T>),
    load: Option<&Load<T>>,
    x: &[T; FREE_BODY_STATES],
) -> [T; FREE_BODY_STATES] {
    let rotation = &pose.rotation;
    let inertia: Mat3<T> = numbers.inertia_b.map(T::from);
    let inverse: Mat3<T> = numbers.inverse_inertia_b.map(T::from);
    let mut torque_b = -twist.omega_b.cross(&(inertia * twist.omega_b));
    let mut r_w = Vec3::zeros();
    if !numbers.centered {
        r_w = rotation * numbers.center_of_mass_b.map(T::from);
    }
    let mut acceleration_w = gravity(&model.gravity, &(pose.position + r_w));
    if let Some(load) = load {
        let mut torque_w = load.torque_w;
        if !numbers.centered {
            torque_w -= r_w.cross(&load.force_w);
        }
        torque_b += rotation.tr_mul(&torque_w);
        acceleration_w += load.force_w / T::from(numbers.mass);
    }
    let alpha_b = inverse * torque_b;
    if !numbers.centered {
        acceleration_w -= (rotation * alpha_b).cross(&r_w);
        acceleration_w -= twist.omega_w.cross(&twist.omega_w.cross(&r_w));
    }

    let (v, a) = (twist.velocity_w, acceleration_w);
    let [q_w, q_x, q_y, q_z] = quaternion_rate(&[x[3], x[4], x[5], x[6]], &twist.omega_b);
    [
        v.x, v.y, v.z, q_w, q_x, q_y, q_z, a.x, a.y, a.z, alpha_b.x, alpha_b.y, alpha_b.z,
    ]
}

/// Acceleration of gravity at a world point [m/s2].
#[inline(always)]
pub fn gravity<T: Real>(gravity: &Gravity, point_w: &Vec3<T>) -> Vec3<T> {
    match gravity {
        Gravity::None => Vec3::zeros(),
        Gravity::Uniform(g) => vec3(g),
        Gravity::Point { mu, center } => {
            let to_center = vec3(center) - point_w;
            let distance = norm(&to_center);
            to_center * (T::from(*mu) / (distance * distance * distance))
        }
    }
}
