//! Gap, normal and witness points of two shapes.
//!
//! A [`query`] has two steps. [`find_feature`] decides, on values alone, which part of each shape is
//! nearest (the feature pair). [`proximity`] solves the closed conditions of that feature pair for
//! any scalar, so that dual numbers give exact derivatives without differentiating the search.
//! [`gap`] is for event indicators, which need nothing else.
//!
//! - [`point`]: point against point, box and half-space
//! - [`box_half_space`]: the deepest corner of a box
//!
//! Gaps are signed distances between the outer surfaces: distance between the cores less both
//! radii. They are formed from the relative position, so noise grows with the distance between the
//! shape frames, not with their distance from the world origin.

pub mod box_half_space;
pub mod point;

use crate::geometry::{Core, RoundedShape};
use crate::math::{Pose, Real, Vec3, norm};

/// Which parts of two shapes are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Feature {
    /// Two different points.
    Points,
    /// Two points in the same place: the normal is +x by convention.
    CoincidentPoints,
    /// A point over a face of a box, or inside and nearest to it: axis and side, -1 or 1.
    Face(usize, f64),
    /// A point off an edge or a corner of a box; for each axis the side it lies on, 0 where it lies
    /// between the faces. Two non-zero sides are an edge, three a corner.
    EdgeOrCorner([f64; 3]),
    /// A point and the plane of a half-space.
    Plane,
    /// The deepest corner of a box over a half-space by its sides; 0 for an axis parallel to the
    /// plane, where the middle is taken.
    Corner([i8; 3]),
    /// No routine for these shapes; a scene cannot hold such a pair.
    None,
}

/// Where two shapes stand to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity<T: Real = f64> {
    /// Signed distance [m], negative where the shapes overlap.
    pub gap: T,
    /// Unit normal from 1 to 2, world axes.
    pub normal_w: Vec3<T>,
    /// Witness points on 1 and on 2, world frame [m].
    pub points_w: [Vec3<T>; 2],
}

impl<T: Real> Proximity<T> {
    /// Contact point: the middle of the witness points [m].
    pub fn contact_point_w(&self) -> Vec3<T> {
        (self.points_w[0] + self.points_w[1]) * T::from(0.5)
    }

    /// The same pair seen with 1 and 2 exchanged.
    fn swapped(self) -> Self {
        Proximity {
            gap: self.gap,
            normal_w: -self.normal_w,
            points_w: [self.points_w[1], self.points_w[0]],
        }
    }
}

/// Gap, normal and points of two shapes at two poses.
#[inline(always)]
pub fn query<T: Real>(
    shape_1: &RoundedShape,
    pose_1: &Pose<T>,
    shape_2: &RoundedShape,
    pose_2: &Pose<T>,
) -> Proximity<T> {
    let feature = find_feature(shape_1, &pose_1.values(), shape_2, &pose_2.values());
    proximity(shape_1, pose_1, shape_2, pose_2, feature)
}

/// [`query`] of a shape and a ball of the given radius [m]: the ball is 2, and all is in line.
#[inline(always)]
pub fn query_ball<T: Real>(
    shape: &RoundedShape,
    pose: &Pose<T>,
    radius: f64,
    ball: &Pose<T>,
) -> Proximity<T> {
    match &shape.core {
        Core::Point => {
            let feature = point::feature_to_point(&pose.values(), &ball.values());
            point::to_point(shape.radius, pose, radius, ball, feature)
        }
        Core::Box { half } => {
            let feature = point::feature_to_box(half, &pose.values(), &ball.values());
            point::to_box(half, shape.radius, pose, radius, ball, feature)
        }
        Core::HalfSpace => point::to_half_space(pose, radius, ball),
    }
}

/// The gap alone [m], equal to that of [`query`] to the bit.
#[inline(always)]
pub fn gap(shape_1: &RoundedShape, pose_1: &Pose, shape_2: &RoundedShape, pose_2: &Pose) -> f64 {
    let radii = shape_1.radius + shape_2.radius;
    match (&shape_1.core, &shape_2.core) {
        (Core::Box { half }, Core::Point) => point::distance_to_box(half, pose_1, pose_2) - radii,
        (Core::Point, Core::Box { half }) => point::distance_to_box(half, pose_2, pose_1) - radii,
        (Core::Point, Core::Point) => norm(&(pose_2.position - pose_1.position)) - radii,
        _ => query(shape_1, pose_1, shape_2, pose_2).gap,
    }
}

/// The nearest features of two shapes at two poses.
#[inline(always)]
pub fn find_feature(
    shape_1: &RoundedShape,
    pose_1: &Pose,
    shape_2: &RoundedShape,
    pose_2: &Pose,
) -> Feature {
    match (&shape_1.core, &shape_2.core) {
        (Core::Point, Core::Point) => point::feature_to_point(pose_1, pose_2),
        (Core::Box { half }, Core::Point) => point::feature_to_box(half, pose_1, pose_2),
        (Core::Point, Core::Box { half }) => point::feature_to_box(half, pose_2, pose_1),
        (Core::HalfSpace, Core::Point) | (Core::Point, Core::HalfSpace) => Feature::Plane,
        (Core::HalfSpace, Core::Box { .. }) => box_half_space::feature(pose_1, pose_2),
        (Core::Box { .. }, Core::HalfSpace) => box_half_space::feature(pose_2, pose_1),
        (Core::Box { .. }, Core::Box { .. }) | (Core::HalfSpace, Core::HalfSpace) => Feature::None,
    }
}

/// Gap, normal and points for a feature pair that [`find_feature`] found.
///
/// For [`Feature::None`] the gap is infinite: such a pair never touches.
#[inline(always)]
pub fn proximity<T: Real>(
    shape_1: &RoundedShape,
    pose_1: &Pose<T>,
    shape_2: &RoundedShape,
    pose_2: &Pose<T>,
    feature: Feature,
) -> Proximity<T> {
    let (r_1, r_2) = (shape_1.radius, shape_2.radius);
    match (&shape_1.core, &shape_2.core) {
        (Core::Point, Core::Point) => point::to_point(r_1, pose_1, r_2, pose_2, feature),
        (Core::Box { half }, Core::Point) => point::to_box(half, r_1, pose_1, r_2, pose_2, feature),
        (Core::Point, Core::Box { half }) => {
            point::to_box(half, r_2, pose_2, r_1, pose_1, feature).swapped()
        }
        (Core::HalfSpace, Core::Point) => point::to_half_space(pose_1, r_2, pose_2),
        (Core::Point, Core::HalfSpace) => point::to_half_space(pose_2, r_1, pose_1).swapped(),
        (Core::HalfSpace, Core::Box { half }) => {
            box_half_space::solve(pose_1, half, r_2, pose_2, feature)
        }
        (Core::Box { half }, Core::HalfSpace) => {
            box_half_space::solve(pose_2, half, r_1, pose_1, feature).swapped()
        }
        (Core::Box { .. }, Core::Box { .. }) | (Core::HalfSpace, Core::HalfSpace) => Proximity {
            gap: T::from(f64::INFINITY),
            normal_w: Vec3::x(),
            points_w: [pose_1.position, pose_2.position],
        },
    }
}

#[cfg(test)]
mod tests;
