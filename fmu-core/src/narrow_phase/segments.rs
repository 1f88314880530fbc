//! Two segments.

use crate::geometry::RoundedShape;
use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::{Feature, Proximity};
use serde::{Deserialize, Serialize};

/// The feature pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meeting {}

/// Finds it.
pub fn feature(_half_a: f64, _pose_a: &Pose, _half_b: f64, _pose_b: &Pose) -> Feature {
    Feature::None
}

/// Solves it.
pub fn solve<T: Real>(
    _a: &RoundedShape,
    pose_a: &Pose<T>,
    _b: &RoundedShape,
    pose_b: &Pose<T>,
    _meeting: &Meeting,
) -> Proximity<T> {
    Proximity {
        gap: T::from(f64::INFINITY),
        normal_w: Vec3::x(),
        points_w: [pose_a.position, pose_b.position],
    }
}
