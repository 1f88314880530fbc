//! What is reported of a contact at one state, whether its pair is in contact or not.
//!
//! With v the velocity of 2 less that of 1 at the contact point, n the normal from 1 to 2 and F the
//! force on 2 as it entered the motion: gap rate v.n, slip |v - (v.n) n|, normal force F.n,
//! tangential force F - (F.n) n. Computed on demand: evaluations keep nothing for it.

use crate::dynamics::contact_forces::motion_of;
use crate::dynamics::frozen::Frozen;
use crate::dynamics::load::ContactWrench;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::{Real, Vec3, length};
use contact_geometry::narrow_phase::{Feature, Proximity};
use contact_laws::index::{PairId, ShapeId};

/// The contact of a reported pair at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReport<T: Real = f64> {
    /// The pair is in contact.
    pub in_contact: bool,
    /// Gap [m], negative where the shapes overlap.
    pub gap: T,
    /// Its time derivative [m/s].
    pub gap_rate: T,
    /// Middle of the nearest points of both shapes, world frame [m].
    pub point_w: Vec3<T>,
    /// Unit normal from 1 to 2, world axes.
    pub normal_w: Vec3<T>,
    /// Force on 2 along the normal [N].
    pub normal_force: T,
    /// Force on 2 across the normal, world axes [N].
    pub tangential_force_w: Vec3<T>,
    /// Total force on 2, world axes [N].
    pub force_w: Vec3<T>,
    /// Speed of 2 against 1 across the normal, at the contact point [m/s].
    pub slip_speed: T,
    /// Torque of rolling and spinning resistance on 2, world axes [N.m].
    pub torque_w: Vec3<T>,
}

impl ContactReport {
    /// Before anything was computed.
    pub fn zero() -> Self {
        ContactReport {
            in_contact: false,
            gap: 0.0,
            gap_rate: 0.0,
            point_w: Vec3::zeros(),
            normal_w: Vec3::zeros(),
            normal_force: 0.0,
            tangential_force_w: Vec3::zeros(),
            force_w: Vec3::zeros(),
            slip_speed: 0.0,
            torque_w: Vec3::zeros(),
        }
    }
}

/// The report of a pair, from a workspace that holds kinematics and forces.
pub fn of_pair<T: Real>(
    frozen: &Frozen<'_>,
    work: &Workspace<T>,
    pair: PairId,
) -> ContactReport<T> {
    let model = frozen.model;
    let index = frozen.contacts.of_pair(pair);
    let contact = index.map(|index| (index, &frozen.contacts.list()[index]));
    let slot = match contact {
        Some((_, contact)) => Some(contact.slot),
        // Elsewhere a hint would spare time only.
        None => model.scene.own_slot(pair),
    };
    let hint = slot.map_or(&Feature::None, |slot| frozen.ledger.hint(slot));
    let pair = model.scene.pairs().get(pair);
    let [form_1, form_2] = model.scene.forms_of(pair.shapes);
    let frame = |shape: ShapeId| &work.frames[model.frames.of_shapes[shape]];
    let [pose_1, pose_2] = pair.shapes.map(frame);
    let routine = model.routine_of(&pair);
    let mut near = routine.query(form_1, pose_1, form_2, pose_2, hint);
    let wrench = match index {
        Some(index) => work.wrenches[index],
        None => ContactWrench::zero(),
    };
    if let Some((index, _)) = contact.filter(|(_, contact)| contact.over_area) {
        let normal_w = work.areas[index].normal_w;
        if normal_w.iter().any(|c| c.value() != 0.0) {
            near = Proximity::at(near.gap, wrench.point_w, normal_w);
        }
    }
    let bodies = model.bodies_of(&pair);
    let fixed = bodies.map(|body| model.scene.bodies()[body].is_fixed());
    let motion = motion_of(&near, (bodies, fixed), work);
    let normal_w = near.normal_w;
    let gap_rate = motion.velocity.dot(&normal_w);
    let slip = motion.velocity - normal_w * gap_rate;
    let normal_force = wrench.force_w.dot(&normal_w);
    ContactReport {
        in_contact: contact.is_some(),
        gap: near.gap,
        gap_rate,
        point_w: near.contact_point_w(),
        normal_w,
        normal_force,
        tangential_force_w: wrench.force_w - normal_w * normal_force,
        force_w: wrench.force_w,
        slip_speed: length(&slip),
        torque_w: wrench.torque_w,
    }
}
