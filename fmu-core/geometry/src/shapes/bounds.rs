//! Axis-aligned bounding boxes in world axes.

use crate::math::{Pose, Vec3};
use crate::shapes::shape::RoundedShape;

/// Axis-aligned box; unbounded directions reach to infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lower corner [m].
    pub lower: Vec3,
    /// Upper corner [m].
    pub upper: Vec3,
}

impl Aabb {
    /// Bounds of a shape at a pose.
    ///
    /// A half-space is bounded only where its normal lies along a world axis to rounding; in
    /// every other direction, and for a tilted one, it reaches to infinity.
    pub fn of(shape: &RoundedShape, pose: &Pose) -> Self {
        let [lower, upper] = shape.core.solid().bounds(&pose.rotation);
        Aabb {
            lower: pose.position + lower.add_scalar(-shape.radius),
            upper: pose.position + upper.add_scalar(shape.radius),
        }
    }

    /// Bounds of a shape at a pose without a look at all vertices of a hull: those of the box about
    /// it in its own frame, no smaller than [`Self::of`]; of any other shape equal to that.
    pub fn around(shape: &RoundedShape, pose: &Pose) -> Self {
        let Some([lower, upper]) = shape.core.solid().own_box() else {
            return Aabb::of(shape, pose);
        };
        let (middle, half) = (0.5 * (lower + upper), 0.5 * (upper - lower));
        let center = pose.position + pose.rotation * middle;
        let extent = (pose.rotation.abs() * half).add_scalar(shape.radius);
        Aabb {
            lower: center - extent,
            upper: center + extent,
        }
    }

    /// Distance between two boxes [m]; zero where they touch or overlap. Never more than the
    /// distance between what they bound.
    pub fn distance(&self, other: &Aabb) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            let apart = (self.lower[i] - other.upper[i])
                .max(other.lower[i] - self.upper[i])
                .max(0.0);
            sum += apart * apart;
        }
        sum.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation_matrix;

    #[test]
    fn turned_box_is_bounded_by_its_diagonal() {
        let h = (std::f64::consts::PI / 8.0).sin_cos();
        let pose = Pose {
            position: Vec3::new(1.0, 2.0, 3.0),
            rotation: rotation_matrix(&[h.1, 0.0, 0.0, h.0]),
        };
        let bounds = Aabb::of(&RoundedShape::cuboid(&[2.0, 2.0, 2.0], 0.0), &pose);
        let d = std::f64::consts::SQRT_2;
        assert!((bounds.upper - Vec3::new(1.0 + d, 2.0 + d, 4.0)).amax() < 1e-15);
        assert!((bounds.lower - Vec3::new(1.0 - d, 2.0 - d, 2.0)).amax() < 1e-15);
    }

    #[test]
    fn distance_is_that_of_the_nearest_corners() {
        let unit = |x, y, z| Aabb {
            lower: Vec3::new(x, y, z),
            upper: Vec3::new(x + 1.0, y + 1.0, z + 1.0),
        };
        assert_eq!(unit(0.0, 0.0, 0.0).distance(&unit(4.0, 5.0, 0.5)), 5.0);
        assert_eq!(unit(0.0, 0.0, 0.0).distance(&unit(0.5, 0.5, 0.5)), 0.0);
    }

    #[test]
    fn level_half_space_is_bounded_above_only() {
        let ground = Aabb::of(&RoundedShape::half_space(), &Pose::identity());
        let ball = Pose {
            position: Vec3::new(7.0, -3.0, 2.0),
            rotation: crate::math::Mat3::identity(),
        };
        assert_eq!(
            Aabb::of(&RoundedShape::sphere(1.0), &ball).distance(&ground),
            1.5
        );
        assert_eq!(ground.lower.z, f64::NEG_INFINITY);
    }
}
