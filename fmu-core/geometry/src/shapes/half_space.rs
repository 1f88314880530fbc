//! Half-space. It has no farthest point, no size and no strata: only routines of its own meet it.

use crate::math::{Mat3, Real, Vec3};
use crate::shapes::solid::Solid;

/// All points with z <= 0; outward normal +z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace;

impl Solid for HalfSpace {
    /// The origin: there is no such point.
    #[inline(always)]
    fn support(&self, _d: &Vec3) -> Vec3 {
        Vec3::zeros()
    }

    /// Zero: there is no such number.
    #[inline(always)]
    fn support_function<T: Real>(&self, _d: &Vec3<T>) -> T {
        T::zero()
    }

    /// The origin: there is no such point.
    #[inline(always)]
    fn soft_support<T: Real>(&self, _d: &Vec3<T>) -> Vec3<T> {
        Vec3::zeros()
    }

    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    fn largest_coordinate(&self) -> f64 {
        0.0
    }

    /// Bounded only where the normal lies along an outer axis to rounding; in every other
    /// direction, and for a tilted one, it reaches to infinity.
    fn bounds(&self, rotation: &Mat3) -> [Vec3; 2] {
        let mut lower = Vec3::repeat(f64::NEG_INFINITY);
        let mut upper = Vec3::repeat(f64::INFINITY);
        let normal = rotation.column(2);
        for i in 0..3 {
            if normal[i] == 1.0 {
                upper[i] = 0.0;
            } else if normal[i] == -1.0 {
                lower[i] = 0.0;
            }
        }
        [lower, upper]
    }
}
