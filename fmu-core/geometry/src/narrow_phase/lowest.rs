//! A half-space and any other core: one contact, at the deepest part of the core.
//!
//! With d the direction into the half-space in axes of the core, h(d) the support function of the
//! core and c the height of its frame over the plane, gap = c - h(d) - r_plane - r_core, exactly.
//! The contact point lies under the soft support point along d ([`soft`]), so that it wanders
//! across a face or an edge as that passes through parallel instead of jumping.
//!
//! [`soft`]: crate::shapes::soft

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::{Feature, Proximity};
use crate::shapes::{Core, RoundedShape};
use serde::{Deserialize, Serialize};

/// The lowest part of a core over a plane: the direction decides, so there is nothing to search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lowest;

/// The deepest part.
#[inline(always)]
pub fn feature(_plane: &Pose, _core: &Core, _pose: &Pose) -> Feature {
    Feature::Lowest(Lowest)
}

/// A half-space (1), its surface raised by `r_plane` [m], against another shape (2).
#[inline(always)]
pub fn solve<T: Real>(
    r_plane: f64,
    plane: &Pose<T>,
    shape: &RoundedShape,
    pose: &Pose<T>,
    _lowest: &Lowest,
) -> Proximity<T> {
    let normal_w: Vec3<T> = plane.rotation.column(2).into();
    let down = -pose.rotation.tr_mul(&normal_w);
    let center = pose.position - plane.position;
    let gap = normal_w.dot(&center)
        - shape.core.support_function(&down)
        - T::from(r_plane + shape.radius);
    let soft = pose.rotation * shape.core.soft_support(&down);
    let foot_w = pose.position + soft - normal_w * normal_w.dot(&(center + soft));
    Proximity {
        gap,
        normal_w,
        points_w: [
            foot_w + normal_w * T::from(r_plane),
            foot_w + normal_w * (gap + r_plane),
        ],
    }
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/lowest/tests.rs"]
mod tests;
