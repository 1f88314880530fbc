//! Ellipsoid: smooth everywhere, so its only stratum is all of its surface.

use crate::math::{Real, Vec3, norm};
use crate::shapes::mass::MassProperties;
use crate::shapes::solid::Solid;
use crate::shapes::strata::{Element, Ends};
use std::f64::consts::PI;

/// Ellipsoid about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// Semi-axes along x, y, z [m], > 0.
    pub semi_axes: Vec3,
}

impl Solid for Ellipsoid {
    #[inline(always)]
    fn support(&self, d: &Vec3) -> Vec3 {
        let stretched = self.semi_axes.component_mul(d);
        let length = stretched.norm();
        if length > 0.0 {
            self.semi_axes.component_mul(&(stretched / length))
        } else {
            Vec3::zeros()
        }
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        norm(&d.zip_map(&self.semi_axes, |d, a| d * a))
    }

    /// The farthest point itself.
    #[inline(always)]
    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        let stretched = d.zip_map(&self.semi_axes, |d, a| d * a);
        let length = norm(&stretched);
        stretched.zip_map(&self.semi_axes, |s, a| s * a / length)
    }

    fn largest_coordinate(&self) -> f64 {
        self.semi_axes.amax()
    }

    fn element_of_ends(&self, _ends: &Ends) -> Element {
        Element::Ellipsoid {
            q: Vec3::zeros(),
            semi_axes: self.semi_axes,
        }
    }

    /// The least radius of curvature.
    fn inner_radius(&self, _ends: &Ends, _x: &Vec3) -> f64 {
        let semi_axes = &self.semi_axes;
        semi_axes.min() * semi_axes.min() / semi_axes.max()
    }
}

impl MassProperties {
    /// Homogeneous ellipsoid of `lengths` [m], its diameters: q_x = m a^2/5 with the semi-axis a.
    pub fn ellipsoid(lengths: &[f64; 3], density: f64) -> Self {
        let [a, b, c] = lengths.map(|length| 0.5 * length);
        let mass = density * 4.0 / 3.0 * PI * a * b * c;
        let moments = Vec3::new(a * a, b * b, c * c) * (mass / 5.0);
        MassProperties::from_moments(mass, 0.0, &moments)
    }
}
