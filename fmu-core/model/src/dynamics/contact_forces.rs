//! Contact forces on the bodies: the contacts of the ledger in pair order, each by its law.
//!
//! With p the contact point, v_rel = v_2(p) - v_1(p), the force f acts on 2 at p and -f on 1; the torque
//! about a body origin o is (p - o) x f plus the torque of rolling resistance.
//!
//! # Stiffest contact or end stop of the present state, which limits the steps of a solver
//!
//! A contact of the effective mass m [kg] has the rate r = max(sqrt(k/m), c/m) [1/s], with the stiffness k =
//! df_el/d(depth) [N/m] of the elastic part and the damping c = df/d(depth rate) [N.s/m] of its normal force
//! f, where that does not pull. An explicit method of order 5 is stable for steps up to some 3.3/r.

use crate::dynamics::contacts::{ActiveContact, Mode};
use crate::dynamics::model::Model;
use crate::dynamics::tree;
use crate::dynamics::workspace::{AreaState, ContactWrench, Load, Workspace};
use crate::hybrid::EvaluationError;
use crate::scene::Scene;
use contact_geometry::math::{Pose, Real, Vec3, norm};
use contact_geometry::narrow_phase::area::{Patch, face_side};
use contact_geometry::narrow_phase::{Feature, Proximity};
use contact_laws::index::{ActiveId, BodyId, FrameId, ShapeId, StopId, TiSlice};
use contact_laws::response::PairLaw;
use contact_laws::response::area::{AreaBristle, AreaMotion, CANCELLED};
use contact_laws::response::law::{AreaPressure, ContactForce, ContactMotion};
use contact_laws::response::stick::{Bristle, Deflection};
use std::fmt;

#[inline(always)]
pub(crate) fn nearest<T: Real>(
    mode: &Mode,
    contact: &ActiveContact,
    frames: &TiSlice<FrameId, Pose<T>>,
) -> Proximity<T> {
    let (pose_1, pose_2) = (&frames[contact.frames[0]], &frames[contact.frames[1]]);
    if let Some(near) = contact.routine.query_balls(contact.radii, pose_1, pose_2) {
        return near;
    }
    let [form_1, form_2] = mode.model.scene.forms_of(contact.shapes);
    let hint = match contact.routine.uses_warm_start() {
        true => mode.ledger.hint(contact.slot),
        false => &Feature::None,
    };
    let routine = contact.routine;
    routine.query(form_1, pose_1, form_2, pose_2, hint)
}

/// Writes the wrenches of these contacts, except those of [`Workspace::constant`], and adds them to the loads
/// of bodies with states. `single` is the position and load of the only such body, if available; `work.loads`
/// then stay unchanged.
#[inline(always)]
pub(crate) fn apply<T: Real>(
    mode: &Mode,
    contacts: &[ActiveId],
    work: &mut Workspace<T>,
    states: &[T],
    mut single: Option<(&Vec3<T>, &mut Load<T>)>,
) {
    let list = mode.contacts.list();
    for index in contacts {
        let contact = &list[*index];
        if T::LANES > 0 && work.constant.get(*index) == Some(&true) {
            if let Some(own) = contact.deflection {
                work.deflection_rates[own] = Deflection::zero();
            }
            continue;
        }
        // Each branch passes its own wrench on: one of a point stays in registers.
        if contact.over_area {
            let wrench = exert_over_area(mode, *index, work, states);
            settle(*index, contact, &wrench, work, &mut single);
        } else {
            let near = nearest(mode, contact, &work.frames);
            let wrench = exert(mode, contact, &near, work, states);
            settle(*index, contact, &wrench, work, &mut single);
        }
    }
}

#[inline(always)]
fn settle<T: Real>(
    index: ActiveId,
    contact: &ActiveContact,
    wrench: &ContactWrench<T>,
    work: &mut Workspace<T>,
    single: &mut Option<(&Vec3<T>, &mut Load<T>)>,
) {
    work.dissipation += wrench.dissipation;
    work.wrenches[index] = *wrench;
    add(contact, wrench, work, single);
}

/// [`apply`] for parts of several links: not inlined, because that would gain nothing there.
#[inline(never)]
pub(crate) fn apply_to_part<T: Real>(
    mode: &Mode,
    contacts: &[ActiveId],
    work: &mut Workspace<T>,
    states: &[T],
) {
    apply(mode, contacts, work, states, None);
}

#[inline(always)]
fn add<T: Real>(
    contact: &ActiveContact,
    wrench: &ContactWrench<T>,
    work: &mut Workspace<T>,
    single: &mut Option<(&Vec3<T>, &mut Load<T>)>,
) {
    if let Some((position, load)) = single {
        let sign = if contact.moves[0] { -1.0 } else { 1.0 };
        return wrench.load(position, sign, load);
    }
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        if contact.moves[side] {
            let body = contact.bodies[side];
            let origin = &work.frames[body.frame()].position;
            wrench.load(origin, sign, &mut work.loads[body]);
        }
    }
}

/// Wrench of a point contact; writes the rate of its deflection.
#[inline(always)]
fn exert<T: Real>(
    mode: &Mode,
    contact: &ActiveContact,
    near: &Proximity<T>,
    work: &mut Workspace<T>,
    states: &[T],
) -> ContactWrench<T> {
    let motion = motion_of(near, contact.bodies, contact.fixed, work);
    let mut exerted = match contact.deflection {
        None => mode.contacts.law(contact).force(&motion, contact.frozen),
        Some(_) => hold(mode, contact, &motion, work, states),
    };
    if T::LANES == 0
        && let Some(force) = contact.stepped
    {
        exerted.replace(&motion, &Vec3::from(force.map(T::from)));
    }
    let wrench = ContactWrench::exerted(mode.model.energy_balance, &motion, &exerted);
    if contact.is_user && !wrench.is_finite() {
        work.refused = Some(contact.pair);
    }
    wrench
}

/// Wrench of a contact over an area; writes the other results of its patch, and the rate of its deflection.
/// It does not give the gap: [`gap_of`].
#[inline(never)]
fn exert_over_area<T: Real>(
    mode: &Mode,
    index: ActiveId,
    work: &mut Workspace<T>,
    states: &[T],
) -> ContactWrench<T> {
    let (model, contact) = (&*mode.model, &mode.contacts.list()[index]);
    let law = mode.contacts.law(contact);
    let poses = contact.frames.map(|frame| &work.frames[frame]);
    find_patch(
        model,
        law,
        contact.shapes,
        poses,
        law.rule.overlap_without_force(),
        &mut work.patch,
    );
    if T::LANES == 0
        && let Some(force) = contact.stepped
        && let Some(near) = in_one_point(law, &work.patch, contact.radii)
    {
        let motion = motion_of(&near, contact.bodies, contact.fixed, work);
        let mut exerted = law.force(&motion, contact.frozen);
        exerted.replace(&motion, &Vec3::from(force.map(T::from)));
        if let Some(own) = contact.deflection {
            work.deflection_rates[own] = Deflection::zero();
        }
        work.areas[index] = AreaState {
            energy: work.patch.energy,
            normal_w: near.normal_w,
        };
        return ContactWrench::exerted(model.energy_balance, &motion, &exerted);
    }
    let motion = area_motion(&work.patch.origin_w, contact.bodies, contact.fixed, work);
    let bristle = mode.contacts.bristle(contact).map(|(law, deflection)| {
        let own = &states[model.scene.layout().deflection(deflection)];
        let [omega_1, omega_2] = contact.bodies.map(|body| work.twists[body].omega_w);
        let mean = (omega_1 + omega_2) * T::from(0.5);
        let forms = model.scene.forms_of(contact.shapes);
        let held = AreaBristle {
            law,
            deflection: Deflection::read(own),
            mean,
            of_face: match face_side(forms.map(|form| &form.core)) {
                Some(0) => omega_1,
                Some(_) => omega_2,
                None => mean,
            },
        };
        (deflection, held)
    });
    let held = bristle.as_ref().map(|(_, held)| held);
    let found = law.force_over_area(&work.patch, &motion, contact.frozen, held);
    let area = &mut work.areas[index];
    let Some((exerted, rate)) = found else {
        *area = AreaState::zero();
        let mut wrench = ContactWrench::zero();
        if let Some((own, held)) = &bristle {
            let (rate, lost) = held.law.relax(&held.deflection);
            work.deflection_rates[*own] = rate;
            if model.energy_balance {
                wrench.dissipation = lost;
            }
        }
        return wrench;
    };
    if let Some((own, _)) = &bristle {
        work.deflection_rates[*own] = rate;
    }
    *area = AreaState {
        energy: work.patch.energy,
        normal_w: exerted.normal,
    };
    ContactWrench {
        point_w: work.patch.origin_w + exerted.center,
        force_w: exerted.force,
        torque_w: exerted.torque,
        dissipation: match model.energy_balance {
            true => exerted.dissipation,
            false => T::zero(),
        },
        ..ContactWrench::zero()
    }
}

/// Patch of a pair that touches over an area, with pressures from an overlap of `hysteresis` [m] on.
pub(crate) fn find_patch<T: Real>(
    model: &Model,
    law: &PairLaw,
    shapes: [ShapeId; 2],
    [pose_1, pose_2]: [&Pose<T>; 2],
    hysteresis: f64,
    patch: &mut Patch<T>,
) {
    let [form_1, form_2] = model.scene.forms_of(shapes);
    let shapes = [(form_1, pose_1), (form_2, pose_2)];
    match &law.area {
        Some(AreaPressure::Layers(stiffness)) => patch.find(shapes, *stiffness, hysteresis),
        Some(AreaPressure::Round(pressure)) => patch.find_round(shapes, pressure, hysteresis),
        None => {}
    }
}

/// Contact of a ball on a mesh in one point, as steps of fixed length have it, for their law: along the force of its
/// patch, as deep as gives that force, through the centre of the ball; `None` without force. The mesh has no radius.
pub(crate) fn in_one_point<T: Real>(
    law: &PairLaw,
    patch: &Patch<T>,
    [r_1, r_2]: [f64; 2],
) -> Option<Proximity<T>> {
    let force = patch
        .nodes
        .sum(Vec3::zeros(), |node| node.normal * node.force);
    let all = patch.nodes.sum(T::zero(), |node| node.force);
    let size = norm(&force);
    let depth = law.depth_under_force(size.value());
    let is_pressed = |depth: &f64| *depth > 0.0 && size.value() > CANCELLED * all.value();
    let gap = law.rule.gap(depth.filter(is_pressed)?);
    let arm = if r_1 > 0.0 {
        r_1 + 0.5 * gap
    } else {
        -r_2 - 0.5 * gap
    };
    let normal = force / size;
    let point = patch.origin_w + normal * T::from(arm);
    Some(Proximity::at(T::from(gap), point, normal))
}

/// Relative motion at a point; `bodies` as for [`motion_of`].
fn area_motion<T: Real>(
    point_w: &Vec3<T>,
    bodies: [BodyId; 2],
    fixed: [bool; 2],
    work: &Workspace<T>,
) -> AreaMotion<T> {
    let (velocity, angular_velocity) = relative(point_w, bodies, fixed, work);
    AreaMotion {
        velocity,
        angular_velocity,
    }
}

/// Force of a contact whose friction has a deflection; writes its rate.
#[inline(never)]
fn hold<T: Real>(
    mode: &Mode,
    contact: &ActiveContact,
    motion: &ContactMotion<T>,
    work: &mut Workspace<T>,
    states: &[T],
) -> ContactForce<T> {
    let bound = mode.contacts.law(contact);
    let Some((law, index)) = mode.contacts.bristle(contact) else {
        return bound.force(motion, contact.frozen);
    };
    let [omega_1, omega_2] = contact.bodies.map(|body| work.twists[body].omega_w);
    let own = &states[mode.model.scene.layout().deflection(index)];
    let bristle = Bristle {
        deflection: Vec3::from_fn(|i, _| own[i]),
        spin: (omega_1 + omega_2).dot(&motion.normal) * 0.5,
    };
    let (exerted, rate) = bound.force_of_bristle(law, motion, contact.frozen, &bristle);
    work.deflection_rates[index] = rate.into();
    exerted
}

#[inline(always)]
pub(crate) fn gap_of<T: Real>(mode: &Mode, index: ActiveId, work: &Workspace<T>) -> T {
    let contact = &mode.contacts.list()[index];
    match contact.over_area {
        true => nearest(mode, contact, &work.frames).gap,
        false => work.wrenches[index].gap,
    }
}

/// Reason why a user function gave no force in the last [`apply`], if one failed.
#[cold]
pub(crate) fn refusal(mode: &Mode, work: &Workspace<f64>) -> Option<String> {
    let contact = &mode.contacts.list()[mode.contacts.of_pair(work.refused?)?];
    let near = nearest(mode, contact, &work.frames);
    let motion = motion_of(&near, contact.bodies, contact.fixed, work);
    let law = mode.contacts.law(contact);
    let reason = law.refusal(&motion, contact.frozen);
    let reason = reason.unwrap_or_else(|| {
        "a law of the user refused once, and not when it was asked the same again; a law must not \
         remember"
            .into()
    });
    let scene = &mode.model.scene;
    Some(format!("{}: {reason}", scene.pair_name(contact.pair)))
}

#[cold]
pub(crate) fn refusal_of_derivative() -> EvaluationError {
    EvaluationError::error(
        "a law of the user gives a force here, but none close by, where its derivative is taken",
    )
}

/// Writes the contact loads on bodies without states, which no derivative needs.
pub(crate) fn load_others<T: Real>(mode: &Mode, work: &mut Workspace<T>) {
    for (load, link) in work.loads.iter_mut().zip(&mode.model.links.of_bodies) {
        if link.is_none() {
            *load = Load::zero();
        }
    }
    for (contact, wrench) in mode.contacts.list().iter().zip(&work.wrenches) {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if !contact.moves[side] {
                let body = contact.bodies[side];
                let origin = &work.frames[body.frame()].position;
                wrench.load(origin, sign, &mut work.loads[body]);
            }
        }
    }
}

/// Relative motion at the contact point. `bodies` gives each body and whether it is fixed.
#[inline(always)]
pub(crate) fn motion_of<T: Real>(
    near: &Proximity<T>,
    bodies: [BodyId; 2],
    fixed: [bool; 2],
    work: &Workspace<T>,
) -> ContactMotion<T> {
    let point_w = near.contact_point_w();
    let (velocity, angular_velocity) = relative(&point_w, bodies, fixed, work);
    ContactMotion {
        gap: near.gap,
        normal: near.normal_w,
        velocity,
        angular_velocity,
        point: point_w,
        time: work.time,
    }
}

#[inline(always)]
pub(crate) fn relative<T: Real>(
    point_w: &Vec3<T>,
    bodies: [BodyId; 2],
    fixed: [bool; 2],
    work: &Workspace<T>,
) -> (Vec3<T>, Vec3<T>) {
    let motion = |side: usize| {
        let body = bodies[side];
        let twist = &work.twists[body];
        let velocity = twist.velocity_at(&work.frames[body.frame()].position, point_w);
        (velocity, twist.omega_w)
    };
    if fixed[0] {
        motion(1)
    } else if fixed[1] {
        let (velocity, omega) = motion(0);
        (-velocity, -omega)
    } else {
        let ((velocity_1, omega_1), (velocity_2, omega_2)) = (motion(0), motion(1));
        (velocity_2 - velocity_1, omega_2 - omega_1)
    }
}

/// Contact or end stop with the largest rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Stiffest {
    /// Shapes of the pair, `body.shape:body.shape`, or `the lower stop of JOINT`.
    pub(crate) name: String,
    /// Name without spaces: `body.shape:body.shape`, or `JOINT:lower`.
    pub key: String,
    /// Depth [m] or [rad].
    pub depth: f64,
    /// Stiffness [N/m] or [N.m/rad].
    pub stiffness: f64,
    /// Damping [N.s/m] or [N.m.s/rad].
    pub damping: f64,
    /// Effective mass [kg] or inertia [kg.m2].
    pub mass: f64,
    /// Whether it is an end stop of an angle.
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

/// Stiffest contact or end stop; `None` without forces. The workspace has the bodies placed, and the inertias
/// of the trees.
pub(crate) fn find(mode: &Mode, work: &Workspace<f64>, states: &[f64]) -> Option<Stiffest> {
    let model = &*mode.model;
    let contacts = mode.contacts.list().iter().map(|contact| {
        let near = nearest(mode, contact, &work.frames);
        let bodies = contact.bodies;
        let motion = motion_of(&near, bodies, contact.fixed, work);
        let law = mode.contacts.law(contact);
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
            mass: tree::along_normal(model, work, bodies, point, normal),
            is_angular: false,
        }
    });
    let stops = model.stops.iter_enumerated().zip(mode.ledger.stops());
    let stops = stops.filter_map(|((index, stop), contact)| {
        let (depth, stiffness, damping) = stop.strain(states, contact.as_ref()?);
        let known = model.scene.stops()[index];
        let inertia = tree::along_coordinate(model, work, known.joint, known.coordinate);
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
