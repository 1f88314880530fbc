//! Polytopes (hull, box, segment, point) against each other.

use crate::geometry::{Core, RoundedShape};
use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::{Feature, Proximity};
use serde::{Deserialize, Serialize};

/// The feature pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parts {}

/// Finds it.
pub fn feature(_a: &Core, _pose_a: &Pose, _b: &Core, _pose_b: &Pose, _last: &Feature) -> Feature {
    Feature::None
}

/// Solves it.
pub fn solve<T: Real>(
    _a: &RoundedShape,
    pose_a: &Pose<T>,
    _b: &RoundedShape,
    pose_b: &Pose<T>,
    _parts: &Parts,
) -> Proximity<T> {
    Proximity {
        gap: T::from(f64::INFINITY),
        normal_w: Vec3::x(),
        points_w: [pose_a.position, pose_b.position],
    }
}
