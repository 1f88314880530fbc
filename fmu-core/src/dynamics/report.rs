//! What is reported of a pair at one state, in contact or not.
//!
//! With v the velocity of 2 less that of 1 at the contact point, n the normal from 1 to 2 and F the
//! force on 2 as it entered the motion: gap rate v.n, slip |v - (v.n) n|, normal force F.n,
//! tangential force F - (F.n) n. Computed on demand: evaluations keep nothing for it.

use crate::contact::{Ledger, Placement};
use crate::dynamics::Model;
use crate::dynamics::contact_forces::motion_of;
use crate::dynamics::load::ContactWrench;
use crate::dynamics::workspace::Workspace;
use crate::math::Vec3;
use crate::narrow_phase::Feature;

/// A reported pair at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReport {
    /// The contact acts.
    pub in_contact: bool,
    /// Gap [m], negative where the shapes overlap.
    pub gap: f64,
    /// Its time derivative [m/s].
    pub gap_rate: f64,
    /// Middle of the nearest points of both shapes, world frame [m].
    pub point_w: Vec3,
    /// Unit normal from 1 to 2, world axes.
    pub normal_w: Vec3,
    /// Force on 2 along the normal [N].
    pub normal_force: f64,
    /// Force on 2 across the normal, world axes [N].
    pub tangential_force_w: Vec3,
    /// Total force on 2, world axes [N].
    pub force_w: Vec3,
    /// Speed of 2 against 1 across the normal, at the contact point [m/s].
    pub slip_speed: f64,
    /// Torque of rolling and spinning resistance on 2, world axes [N.m].
    pub torque_w: Vec3,
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
pub fn of_pair(model: &Model, ledger: &Ledger, work: &Workspace<f64>, pair: u32) -> ContactReport {
    let placement = Placement {
        scene: &model.scene,
        frames: &work.frames,
        shape_frames: &model.frames.of_shapes,
    };
    let contacts = ledger.contacts();
    let index = contacts.binary_search_by_key(&pair, |contact| contact.pair);
    let slot = match index {
        Ok(index) => Some(contacts[index].slot as usize),
        // Elsewhere a hint would spare time only.
        Err(_) => model.scene.monitors_all_pairs().then_some(pair as usize),
    };
    let hint = slot.map_or(&Feature::None, |slot| ledger.hint(slot));
    let near = placement.proximity(pair, hint);
    let motion = motion_of(&near, model.pair_bodies(pair as usize), work);
    let wrench = match index {
        Ok(index) => work.wrenches[index],
        Err(_) => ContactWrench {
            gap: near.gap,
            ..ContactWrench::zero()
        },
    };
    let normal_w = near.normal_w;
    let gap_rate = motion.velocity.dot(&normal_w);
    let normal_force = wrench.force_w.dot(&normal_w);
    ContactReport {
        in_contact: index.is_ok(),
        gap: wrench.gap,
        gap_rate,
        point_w: near.contact_point_w(),
        normal_w,
        normal_force,
        tangential_force_w: wrench.force_w - normal_w * normal_force,
        force_w: wrench.force_w,
        slip_speed: (motion.velocity - normal_w * gap_rate).norm(),
        torque_w: wrench.torque_w,
    }
}
