//! A point against segment, beam, cylinder, cone and ellipsoid.

use crate::geometry::{Core, RoundedShape};
use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::{Feature, Proximity};
use serde::{Deserialize, Serialize};

/// The feature pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {}

/// Finds it.
pub fn feature(_a: &Core, _pose_a: &Pose, _pose_b: &Pose) -> Feature {
    Feature::None
}

/// Solves it.
pub fn solve<T: Real>(
    _a: &RoundedShape,
    pose_a: &Pose<T>,
    _r_b: f64,
    pose_b: &Pose<T>,
    _part: &Part,
) -> Proximity<T> {
    Proximity {
        gap: T::from(f64::INFINITY),
        normal_w: Vec3::x(),
        points_w: [pose_a.position, pose_b.position],
    }
}
