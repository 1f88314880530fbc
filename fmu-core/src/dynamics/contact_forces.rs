//! Contact forces on the bodies: the pairs of the ledger in pair order, each by its law.
//!
//! With p the contact point, v_rel = v_2(p) - v_1(p), the force f acts on 2 at p and -f on 1; the
//! torque about a body origin o is (p - o) x f plus the torque of rolling resistance.

use crate::dynamics::contacts::{ActiveContact, Contacts};
use crate::dynamics::frozen::Frozen;
use crate::dynamics::load::{ContactWrench, Load};
use crate::dynamics::model::Model;
use crate::dynamics::workspace::{AreaState, Workspace};
use crate::index::{ActiveId, BodyId, FrameId, ShapeId, TiSlice, each};
use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::area::{Patch, face_side};
use crate::narrow_phase::{Feature, Proximity};
use crate::response::PairLaw;
use crate::response::area::AreaMotion;
use crate::response::law::{ContactForce, ContactMotion};
use crate::response::stick::Bristle;

/// Nearest points of a contact.
#[inline(always)]
pub fn nearest<T: Real>(
    frozen: &Frozen<'_>,
    contact: &ActiveContact,
    frames: &TiSlice<FrameId, Pose<T>>,
) -> Proximity<T> {
    let (pose_1, pose_2) = (&frames[contact.frames[0]], &frames[contact.frames[1]]);
    if let Some(near) = contact.routine.query_balls(contact.radii, pose_1, pose_2) {
        return near;
    }
    let [form_1, form_2] = frozen.model.scene.forms_of(contact.shapes);
    let hint = match contact.routine.uses_warm_start() {
        true => frozen.ledger.hint(contact.slot),
        false => &Feature::None,
    };
    let routine = contact.routine;
    routine.query(form_1, pose_1, form_2, pose_2, hint)
}

/// Writes the wrenches of these pairs in contact and adds what they do to the bodies with states to
/// their loads. `single` is the position and load of the only body with states that they act on, if
/// these are at hand; then `work.loads` stay.
#[inline(always)]
pub fn apply<T: Real>(
    frozen: &Frozen<'_>,
    contacts: &[ActiveId],
    (work, states): (&mut Workspace<T>, &[T]),
    mut single: Option<(&Vec3<T>, &mut Load<T>)>,
) {
    let list = frozen.contacts.list();
    for index in contacts {
        let contact = &list[*index];
        if contact.over_area {
            let wrench = exert_over_area(frozen, contact, (work, states));
            work.dissipation += wrench.dissipation;
            work.wrenches[contact.first] = wrench;
            add(contact, &wrench, work, &mut single);
        } else if contact.count == 1 {
            let near = nearest(frozen, contact, &work.frames);
            let wrench = exert(frozen, contact, 0, &near, (work, states));
            work.dissipation += wrench.dissipation;
            work.wrenches[contact.first] = wrench;
            add(contact, &wrench, work, &mut single);
        } else {
            apply_patch(frozen, contact, work, states);
            for index in each(Contacts::range(contact)) {
                let wrench = work.wrenches[index];
                // Not by the weight: one that is zero may have a derivative.
                if wrench.gap.value() != f64::INFINITY {
                    add(contact, &wrench, work, &mut single);
                }
            }
        }
    }
}

/// [`apply`] for parts of several links: not inlined, because that would gain nothing there.
#[inline(never)]
pub fn apply_to_part<T: Real>(
    frozen: &Frozen<'_>,
    contacts: &[ActiveId],
    work: &mut Workspace<T>,
    states: &[T],
) {
    apply(frozen, contacts, (work, states), None);
}

/// Adds a wrench to the loads of its bodies with states.
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

/// Writes the wrenches of a pair that may have several contacts: each exerts its share of the
/// pair's force.
#[inline(never)]
fn apply_patch<T: Real>(
    frozen: &Frozen<'_>,
    contact: &ActiveContact,
    work: &mut Workspace<T>,
    states: &[T],
) {
    work.wrenches[Contacts::range(contact)].fill(ContactWrench::none());
    if let Some((_, first)) = frozen.contacts.bristle(contact) {
        work.deflection_rates[first..first.plus(contact.count)].fill(Vec3::zeros());
    }
    let poses = contact.frames.map(|frame| work.frames[frame]);
    each_point(frozen, contact, &poses, |point, near, weight| {
        if point < contact.count {
            let wrench = exert(frozen, contact, point, near, (work, states)).weighted(weight);
            work.dissipation += wrench.dissipation;
            work.wrenches[contact.first.plus(point)] = wrench;
        }
    });
}

/// Calls `visit` with index, point and weight of each contact of a pair, with its shapes at these
/// poses.
fn each_point<T: Real>(
    frozen: &Frozen<'_>,
    contact: &ActiveContact,
    [pose_1, pose_2]: &[Pose<T>; 2],
    visit: impl FnMut(usize, &Proximity<T>, T),
) {
    let [form_1, form_2] = frozen.model.scene.forms_of(contact.shapes);
    let hint = frozen.ledger.hint(contact.slot);
    let routine = contact.routine;
    routine.for_each_point(form_1, pose_1, form_2, pose_2, hint, visit);
}

/// The wrench of the contact of a pair with this index; writes the rate of its deflection.
#[inline(always)]
fn exert<T: Real>(
    frozen: &Frozen<'_>,
    contact: &ActiveContact,
    point: usize,
    near: &Proximity<T>,
    (work, states): (&mut Workspace<T>, &[T]),
) -> ContactWrench<T> {
    let motion = motion_of(near, (contact.bodies, contact.fixed), work);
    let exerted = match contact.deflection {
        None => frozen.contacts.law(contact).force(&motion, contact.frozen),
        Some(_) => hold(frozen, contact, point, &motion, (work, states)),
    };
    let wrench = ContactWrench::exerted(frozen.model.energy_balance, &motion, &exerted);
    if contact.is_user && !wrench.is_finite() {
        work.refused = Some((contact.pair, point));
    }
    wrench
}

/// The wrench of a pair that touches over an area; writes what else its patch has, and the rate of
/// its deflection. The gap is not known from it: [`gap_of`].
#[inline(never)]
fn exert_over_area<T: Real>(
    frozen: &Frozen<'_>,
    contact: &ActiveContact,
    (work, states): (&mut Workspace<T>, &[T]),
) -> ContactWrench<T> {
    let model = frozen.model;
    let law = frozen.contacts.law(contact);
    let poses = contact.frames.map(|frame| &work.frames[frame]);
    find_patch(
        model,
        law,
        (contact.shapes, poses),
        law.rule.overlap_without_force(),
        &mut work.patch,
    );
    let motion = area_motion(&work.patch.origin_w, (contact.bodies, contact.fixed), work);
    let bristle = frozen.contacts.bristle(contact).map(|(law, deflection)| {
        let own = &states[model.scene.layout().deflection(deflection)];
        let [omega_1, omega_2] = contact.bodies.map(|body| work.twists[body].omega_w);
        let mean = (omega_1 + omega_2) * T::from(0.5);
        let forms = model.scene.forms_of(contact.shapes);
        let tilting = match face_side(forms.map(|form| &form.core)) {
            Some(0) => omega_1,
            Some(_) => omega_2,
            None => mean,
        };
        (
            law,
            deflection,
            Vec3::from_fn(|i, _| own[i]),
            [mean, tilting],
        )
    });
    let stretched = bristle
        .as_ref()
        .map(|(law, _, s, turning)| (*law, s, turning));
    let found = law.force_over_area(&work.patch, &motion, contact.frozen, stretched);
    if let Some((law, index, deflection, turning)) = &bristle {
        work.deflection_rates[*index] = match &found {
            Some((_, rate)) => *rate,
            // Nothing presses: it relaxes.
            None => {
                let free = Vec3::zeros();
                let idle = law.force_over_area(&free, T::zero(), deflection, &turning[0]);
                idle.deflection_rate
            }
        };
    }
    let area = &mut work.areas[contact.first];
    let Some((exerted, _)) = found else {
        *area = AreaState::zero();
        return ContactWrench::zero();
    };
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

/// Finds the patch of a pair that touches over an area, with pressures from an overlap of
/// `hysteresis` [m] on.
pub fn find_patch<T: Real>(
    model: &Model,
    law: &PairLaw,
    (shapes, [pose_1, pose_2]): ([ShapeId; 2], [&Pose<T>; 2]),
    hysteresis: f64,
    patch: &mut Patch<T>,
) {
    let [form_1, form_2] = model.scene.forms_of(shapes);
    if let Some(stiffness) = law.area {
        patch.find([(form_1, pose_1), (form_2, pose_2)], stiffness, hysteresis);
    }
}

/// Motion of a pair at a point; `bodies` as for [`motion_of`].
pub fn area_motion<T: Real>(
    point_w: &Vec3<T>,
    (bodies, fixed): ([BodyId; 2], [bool; 2]),
    work: &Workspace<T>,
) -> AreaMotion<T> {
    let (velocity, angular_velocity) = relative(point_w, (bodies, fixed), work);
    AreaMotion {
        velocity,
        angular_velocity,
    }
}

/// The force of a contact whose friction has a deflection; writes the rate of that.
#[inline(never)]
fn hold<T: Real>(
    frozen: &Frozen<'_>,
    contact: &ActiveContact,
    point: usize,
    motion: &ContactMotion<T>,
    (work, states): (&mut Workspace<T>, &[T]),
) -> ContactForce<T> {
    let bound = frozen.contacts.law(contact);
    let Some((law, first)) = frozen.contacts.bristle(contact) else {
        return bound.force(motion, contact.frozen);
    };
    let index = first.plus(point);
    let [omega_1, omega_2] = contact.bodies.map(|body| work.twists[body].omega_w);
    let own = &states[frozen.model.scene.layout().deflection(index)];
    let bristle = Bristle {
        deflection: Vec3::from_fn(|i, _| own[i]),
        spin: (omega_1 + omega_2).dot(&motion.normal) * 0.5,
    };
    let (exerted, rate) = bound.force_of_bristle(law, motion, contact.frozen, &bristle);
    work.deflection_rates[index] = rate;
    exerted
}

/// Gap of a pair in contact [m]: the least of its contacts.
#[inline(always)]
pub fn gap_of<T: Real>(frozen: &Frozen<'_>, contact: &ActiveContact, work: &Workspace<T>) -> T {
    if contact.over_area {
        return nearest(frozen, contact, &work.frames).gap;
    }
    let first = work.wrenches[contact.first].gap;
    if contact.count == 1 {
        return first;
    }
    let all = work.wrenches[Contacts::range(contact)].iter();
    all.fold(first, |least, wrench| {
        match wrench.gap.value() < least.value() {
            true => wrench.gap,
            false => least,
        }
    })
}

/// Why a function of the user gave no force in the last [`apply`]; none if each did.
#[cold]
pub fn refusal(frozen: &Frozen<'_>, work: &Workspace<f64>) -> Option<String> {
    let (pair, point) = work.refused?;
    let contact = frozen.contacts.of_pair(pair)?;
    let mut near = nearest(frozen, contact, &work.frames);
    if contact.count > 1 {
        let poses = contact.frames.map(|frame| work.frames[frame]);
        each_point(frozen, contact, &poses, |index, found, _| {
            if index == point {
                near = *found;
            }
        });
    }
    let motion = motion_of(&near, (contact.bodies, contact.fixed), work);
    let law = frozen.contacts.law(contact);
    let reason = law.refusal(&motion, contact.frozen);
    let reason = reason.unwrap_or_else(|| {
        "a law of the user refused once, and not when it was asked the same again; a law must not \
         remember"
            .into()
    });
    let scene = &frozen.model.scene;
    Some(format!("{}: {reason}", scene.pair_name(contact.pair)))
}

/// Writes what the contacts do to the bodies without states, which no derivative needs.
pub fn load_others<T: Real>(frozen: &Frozen<'_>, work: &mut Workspace<T>) {
    for (load, link) in work.loads.iter_mut().zip(&frozen.model.links.of_bodies) {
        if link.is_none() {
            *load = Load::zero();
        }
    }
    for contact in frozen.contacts.list() {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if !contact.moves[side] {
                let body = contact.bodies[side];
                for wrench in &work.wrenches[Contacts::range(contact)] {
                    wrench.load(
                        &work.frames[body.frame()].position,
                        sign,
                        &mut work.loads[body],
                    );
                }
            }
        }
    }
}

/// Motion of a pair at its contact point. `bodies` says of each body which one it is and whether it
/// is fixed.
#[inline(always)]
pub fn motion_of<T: Real>(
    near: &Proximity<T>,
    (bodies, fixed): ([BodyId; 2], [bool; 2]),
    work: &Workspace<T>,
) -> ContactMotion<T> {
    let point_w = near.contact_point_w();
    let (velocity, angular_velocity) = relative(&point_w, (bodies, fixed), work);
    ContactMotion {
        gap: near.gap,
        normal: near.normal_w,
        velocity,
        angular_velocity,
        point: point_w,
        time: work.time,
    }
}

/// Velocity [m/s] of 2 less that of 1 at a point, and angular velocity [rad/s].
#[inline(always)]
fn relative<T: Real>(
    point_w: &Vec3<T>,
    (bodies, fixed): ([BodyId; 2], [bool; 2]),
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
