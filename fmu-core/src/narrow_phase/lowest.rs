//! A rounded box over a half-space: one contact, at the deepest point of the box.
//!
//! With m the plane's normal in box axes, the deepest corner of the core is -sign(m_i) half_i; it
//! gives the gap, exactly. The contact point would jump from corner to corner as a face or an edge
//! passes through parallel, and a solver that meets the jump in a resting box takes ever smaller
//! steps. So within [`BLEND`] of parallel the point wanders along the edge or across the face:
//! -half_i s(m_i/BLEND) with the odd cubic s(x) = x (3 - x^2)/2, in the middle where parallel. The
//! corners differ in depth by 2 BLEND half_i there, no more than a loaded contact is deep, so the
//! resultant of the real pressure wanders as well. The price: within the band the force is not the
//! exact gradient of the elastic energy; a crate that tumbles to rest gains 1.3e-4 of its energy by
//! it while it rocks.

use crate::geometry::{Core, RoundedShape};
use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::{Feature, Proximity};
use serde::{Deserialize, Serialize};

/// Angle [rad] from parallel within which the contact point is blended.
const BLEND: f64 = 1e-4;

/// The lowest part of a core over a plane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Lowest {
    /// The deepest corner of a box by its sides; 0 for an axis parallel to the plane, where the
    /// middle is taken.
    Corner([i8; 3]),
}

/// The deepest corner.
pub fn feature(plane: &Pose, _core: &Core, box_pose: &Pose) -> Feature {
    let m = box_pose.rotation.tr_mul(&plane.rotation.column(2));
    let side = |v: f64| {
        if v > 0.0 {
            -1
        } else if v < 0.0 {
            1
        } else {
            0
        }
    };
    Feature::Lowest(Lowest::Corner([side(m.x), side(m.y), side(m.z)]))
}

/// A half-space (1), its surface raised by `r_plane` [m], against another shape (2).
pub fn solve<T: Real>(
    r_plane: f64,
    plane: &Pose<T>,
    shape: &RoundedShape,
    box_pose: &Pose<T>,
    feature: &Lowest,
) -> Proximity<T> {
    let Lowest::Corner(sides) = feature;
    let half = match &shape.core {
        Core::Box { half } => *half,
        _ => Vec3::zeros(),
    };
    let normal_w: Vec3<T> = plane.rotation.column(2).into();
    let m = box_pose.rotation.tr_mul(&normal_w);
    let (mut corner, mut blended) = (Vec3::zeros(), Vec3::zeros());
    for i in 0..3 {
        let side = f64::from(sides[i]);
        corner[i] = T::from(side * half[i]);
        blended[i] = -step(m[i] / BLEND, -side) * half[i];
    }
    let corner_w = box_pose.position + box_pose.rotation * corner;
    let blended_w = box_pose.position + box_pose.rotation * blended;
    let height = normal_w.dot(&(corner_w - plane.position));
    let on_plane = blended_w - normal_w * normal_w.dot(&(blended_w - plane.position));
    let gap = height - (r_plane + shape.radius);
    Proximity {
        gap,
        normal_w,
        points_w: [
            on_plane + normal_w * T::from(r_plane),
            on_plane + normal_w * (gap + r_plane),
        ],
    }
}

/// s(x) within -1..1, `side` outside.
fn step<T: Real>(x: T, side: f64) -> T {
    if x.value().abs() < 1.0 {
        x * (T::from(3.0) - x * x) * 0.5
    } else {
        T::from(side)
    }
}
