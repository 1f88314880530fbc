//! Bounding boxes.

use crate::math::Vec3;

/// Axis-aligned bounding box in world axes; infinite in unbounded directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lower corner [m].
    pub lower: Vec3,
    /// Upper corner [m].
    pub upper: Vec3,
}

impl Aabb {
    /// Box without a point.
    pub(crate) const EMPTY: Aabb = Aabb {
        lower: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        upper: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    pub(crate) fn with(&self, point: &Vec3) -> Self {
        Aabb {
            lower: self.lower.inf(point),
            upper: self.upper.sup(point),
        }
    }

    pub(crate) fn grown(&self, by: f64) -> Self {
        Aabb {
            lower: self.lower.add_scalar(-by),
            upper: self.upper.add_scalar(by),
        }
    }

    pub(crate) fn common(&self, other: &Aabb) -> Self {
        Aabb {
            lower: self.lower.sup(&other.lower),
            upper: self.upper.inf(&other.upper),
        }
    }

    #[inline(always)]
    pub(crate) fn middle(&self) -> Vec3 {
        (self.lower + self.upper) * 0.5
    }

    /// Half of its extents.
    #[inline(always)]
    pub(crate) fn half(&self) -> Vec3 {
        (self.upper - self.lower) * 0.5
    }

    /// Largest x.d [m] of its points x.
    #[inline(always)]
    pub(crate) fn most(&self, d: &Vec3) -> f64 {
        let along = |k: usize| {
            d[k] * if d[k] < 0.0 {
                self.lower[k]
            } else {
                self.upper[k]
            }
        };
        along(0) + along(1) + along(2)
    }

    pub(crate) fn is_empty(&self) -> bool {
        (0..3).any(|k| self.lower[k] > self.upper[k])
    }

    /// Distance between two boxes [m], zero if they touch or overlap: a lower bound of the distance of their
    /// contents.
    pub fn distance(&self, other: &Aabb) -> f64 {
        self.square_distance(other).sqrt()
    }

    #[inline(always)]
    pub(crate) fn square_distance(&self, other: &Aabb) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            let apart = (self.lower[i] - other.upper[i])
                .max(other.lower[i] - self.upper[i])
                .max(0.0);
            sum += apart * apart;
        }
        sum
    }
}
