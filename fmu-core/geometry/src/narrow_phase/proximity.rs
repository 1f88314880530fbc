//! Gap, normal and witness points of two shapes, and of a core and a ball.

use crate::math::{Pose, Real, Vec3};

/// Gap, normal and witness points of two shapes.
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

    /// Contact at a single point, where the gap [m] is known only there.
    pub fn at(gap: T, point_w: Vec3<T>, normal_w: Vec3<T>) -> Self {
        Proximity {
            gap,
            normal_w,
            points_w: [point_w; 2],
        }
    }

    /// Infinite gap: shapes that never touch.
    pub(super) fn never(pose_1: &Pose<T>, pose_2: &Pose<T>) -> Self {
        Proximity {
            gap: T::from(f64::INFINITY),
            normal_w: Vec3::x(),
            points_w: [pose_1.position, pose_2.position],
        }
    }

    pub(super) fn swapped(self) -> Self {
        Proximity {
            gap: self.gap,
            normal_w: -self.normal_w,
            points_w: [self.points_w[1], self.points_w[0]],
        }
    }
}

pub(super) struct Nearest<T: Real> {
    pub distance: T,
    pub(crate) normal: Vec3<T>,
    pub(crate) point: Vec3<T>,
}

impl<T: Real> Nearest<T> {
    /// Core (1) with radius `r_core` against the point (2) with radius `r_point` [m].
    #[inline(always)]
    pub(super) fn swept(
        self,
        r_core: f64,
        pose: &Pose<T>,
        r_point: f64,
        point_pose: &Pose<T>,
    ) -> Proximity<T> {
        let normal_w = pose.rotation * self.normal;
        Proximity {
            gap: self.distance - (r_core + r_point),
            normal_w,
            points_w: [
                pose.position + pose.rotation * (self.point + self.normal * T::from(r_core)),
                point_pose.position - normal_w * T::from(r_point),
            ],
        }
    }
}

#[inline(always)]
pub(super) fn in_core<T: Real>(pose: &Pose<T>, point_pose: &Pose<T>) -> Vec3<T> {
    pose.rotation.tr_mul(&(point_pose.position - pose.position))
}
