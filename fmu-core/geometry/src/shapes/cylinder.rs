//! Cylinder.

use crate::math::transcendental::hypot;
use crate::math::{Real, Vec3};
use crate::shapes::mass::MassProperties;
use crate::shapes::soft::{
    Footprint, is_flat, length, on_circle, on_disc, size, step, within, within_circle,
};
use crate::shapes::solid::Solid;
use crate::shapes::strata::{Element, Ends};
use std::f64::consts::PI;
use std::ops::Range;

/// Cylinder about z with its centre in the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Radius [m], > 0.
    pub radius: f64,
    /// Half length [m], > 0.
    pub half: f64,
}

impl Solid for Cylinder {
    fn is_revolved(&self) -> bool {
        true
    }

    #[inline(always)]
    fn support(&self, d: &Vec3) -> Vec3 {
        let [x, y] = on_circle(self.radius, d.x, d.y);
        Vec3::new(x, y, self.half.copysign(d.z))
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        length(d.x, d.y) * self.radius + size(d.z) * self.half
    }

    #[inline(always)]
    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        let [x, y] = on_disc(self.radius, d.x, d.y);
        Vec3::new(x, y, step(d.z) * self.half)
    }

    fn footprint<T: Real>(&self, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Footprint<T>> {
        let mut shown = Footprint::nothing();
        shown.add_along(2, self.half, d, basis);
        shown.add_disc(length(d.x, d.y), self.radius);
        shown.shown()
    }

    fn clamped<T: Real>(&self, d: &Vec3<T>, mut p: Vec3<T>) -> Vec3<T> {
        if is_flat(d.z) {
            p.z = within(p.z, self.half);
        }
        if is_flat(length(d.x, d.y)) {
            [p.x, p.y] = within_circle(p.x, p.y, self.radius);
        }
        p
    }

    fn largest_coordinate(&self) -> f64 {
        self.radius.max(self.half)
    }

    fn segments(&self) -> Range<usize> {
        2..3
    }

    fn disc_axis(&self) -> Option<usize> {
        Some(2)
    }

    fn has_ends(&self, ends: &Ends) -> bool {
        let [x, y, z] = ends.along;
        x == 0 && y == 0 && (z != 0 || !ends.flat)
    }

    fn settled(&self, ends: Ends, d: &Vec3) -> Ends {
        match ends.flat && ends.along[2] == 0 {
            true => ends.with_end(2, Ends::toward(d.z)),
            false => ends,
        }
    }

    fn ends_near(&self, x: &Vec3, d: &Vec3) -> Ends {
        let z = Ends::at_end(x.z / self.half);
        Ends {
            along: [0, 0, z],
            flat: z != 0 && Ends::in_disc([x.x, x.y], self.radius, [d.x, d.y]),
        }
    }

    fn ends_below(&self, ends: &Ends, y: &Vec3) -> Ends {
        ends.with_flat(Ends::beyond(hypot(y.x, y.y), self.radius) == 0)
    }

    fn element_of_ends(&self, ends: &Ends) -> Element {
        let z = f64::from(ends.along[2]);
        let q = Vec3::new(0.0, 0.0, z * self.half);
        if ends.flat {
            let normal = Vec3::new(0.0, 0.0, z);
            Element::Face { normal, q }
        } else if ends.along[2] == 0 {
            let u = Vec3::new(0.0, 0.0, self.half);
            Element::lateral(q, u, 2, self.radius, 0.0)
        } else {
            let r = self.radius;
            Element::Circle { q, r, axis: 2 }
        }
    }

    fn inner_radius(&self, ends: &Ends, x: &Vec3) -> f64 {
        if ends.flat {
            self.half.min(self.radius - hypot(x.x, x.y))
        } else if ends.along[2] == 0 {
            self.radius.min(self.half - x.z.abs())
        } else {
            0.0
        }
    }
}

impl MassProperties {
    /// Homogeneous cylinder with a bore along its axis: with radii R and r,
    /// q_x = q_y = m (R^2 + r^2)/4, q_z = m L^2/12.
    pub fn cylinder(diameter: f64, inner_diameter: f64, length: f64, density: f64) -> Self {
        let (outer, inner) = (0.5 * diameter, 0.5 * inner_diameter);
        let mass = density * PI * (outer - inner) * (outer + inner) * length;
        let across = mass * (outer * outer + inner * inner) / 4.0;
        let along = mass * length * length / 12.0;
        MassProperties::from_moments(mass, 0.0, &Vec3::new(across, across, along))
    }
}
