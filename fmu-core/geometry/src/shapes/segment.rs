//! Segment: the core of a capsule.

use crate::math::{Real, Vec3};
use crate::shapes::mass::MassProperties;
use crate::shapes::soft::{Footprint, is_flat, size, step, within};
use crate::shapes::solid::Solid;
use crate::shapes::strata::{Element, Ends};
use std::f64::consts::PI;
use std::ops::Range;

/// Segment along z, from -half to half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Half length [m], > 0.
    pub half: f64,
}

impl Solid for Segment {
    fn is_revolved(&self) -> bool {
        true
    }

    #[inline(always)]
    fn support(&self, d: &Vec3) -> Vec3 {
        Vec3::new(0.0, 0.0, self.half.copysign(d.z))
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        size(d.z) * self.half
    }

    #[inline(always)]
    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        Vec3::new(T::zero(), T::zero(), step(d.z) * self.half)
    }

    fn footprint<T: Real>(&self, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Footprint<T>> {
        let mut shown = Footprint::nothing();
        shown.add_along(2, self.half, d, basis);
        shown.shown()
    }

    fn clamped<T: Real>(&self, d: &Vec3<T>, mut p: Vec3<T>) -> Vec3<T> {
        if is_flat(d.z) {
            p.z = within(p.z, self.half);
        }
        p
    }

    fn largest_coordinate(&self) -> f64 {
        self.half
    }

    fn segments(&self) -> Range<usize> {
        2..3
    }

    fn has_ends(&self, ends: &Ends) -> bool {
        let [x, y, _] = ends.along;
        x == 0 && y == 0 && !ends.flat
    }

    fn ends_near(&self, x: &Vec3, _d: &Vec3) -> Ends {
        Ends::default().with_end(2, Ends::at_end(x.z / self.half))
    }

    fn element_of_ends(&self, ends: &Ends) -> Element {
        let end = ends.along[2];
        let q = Vec3::new(0.0, 0.0, f64::from(end) * self.half);
        Element::along(q, 2, self.half, end)
    }
}

impl MassProperties {
    /// Homogeneous capsule: cylinder of length L (mass m_c) with two half spheres of radius r
    /// (together m_s). q_x = q_y = m_c r^2/4 + m_s r^2/5,
    /// q_z = m_c L^2/12 + m_s (r^2/5 + L^2/4 + 3 r L/8).
    pub fn capsule(diameter: f64, length: f64, density: f64) -> Self {
        let r = 0.5 * diameter;
        let cylinder = density * PI * r * r * length;
        let ends = density * 4.0 / 3.0 * PI * r * r * r;
        let across = (cylinder / 4.0 + ends / 5.0) * r * r;
        let along = cylinder * length * length / 12.0
            + ends * (r * r / 5.0 + length * length / 4.0 + 3.0 / 8.0 * r * length);
        MassProperties::from_moments(cylinder + ends, 0.0, &Vec3::new(across, across, along))
    }
}
