//! Point: the core of a sphere.

use crate::math::{Mat3, Real, Vec3};
use crate::shapes::mass::MassProperties;
use crate::shapes::solid::Solid;
use std::f64::consts::PI;

/// The origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point;

impl Solid for Point {
    #[inline(always)]
    fn support(&self, _d: &Vec3) -> Vec3 {
        Vec3::zeros()
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, _d: &Vec3<T>) -> T {
        T::zero()
    }

    #[inline(always)]
    fn soft_support<T: Real>(&self, _d: &Vec3<T>) -> Vec3<T> {
        Vec3::zeros()
    }

    fn reach(&self) -> f64 {
        0.0
    }

    fn largest_coordinate(&self) -> f64 {
        0.0
    }

    fn bounds(&self, _rotation: &Mat3) -> [Vec3; 2] {
        [Vec3::zeros(); 2]
    }
}

impl MassProperties {
    /// Homogeneous sphere of `diameter` [m] and `density` [kg/m3]: I = 2/5 m r^2.
    pub fn sphere(diameter: f64, density: f64) -> Self {
        let r = 0.5 * diameter;
        let mass = density * 4.0 / 3.0 * PI * (r * r * r);
        MassProperties {
            mass,
            center_of_mass: Vec3::zeros(),
            inertia: Mat3::identity() * (0.4 * mass * r * r),
        }
    }
}
