//! Beam, segment and point. A beam is a stadium (rectangle with half discs at two ends) with a thickness.

use crate::math::real::hypot;
use crate::math::{Mat3, Real, Vec3};
use crate::shapes::mass::MassProperties;
use crate::shapes::strata::{
    Element, Ends, Footprint, PARALLEL, Solid, is_flat, length, on_circle, on_disc, size, step,
    within, within_circle,
};
use std::f64::consts::PI;
use std::ops::Range;

/// Stadium in the x-z plane (rectangle with half discs at the ends in z), thick along y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Half length of the rectangle along z [m], > 0.
    pub half: f64,
    /// Radius of the half discs: half the width along x [m], > 0.
    pub radius: f64,
    /// Half thickness along y [m], > 0.
    pub half_thickness: f64,
}

impl Solid for Beam {
    #[inline(always)]
    fn support(&self, d: &Vec3) -> Vec3 {
        let [x, z] = on_circle(self.radius, d.x, d.z);
        let y = self.half_thickness.copysign(d.y);
        Vec3::new(x, y, z + self.half.copysign(d.z))
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        length(d.x, d.z) * self.radius + size(d.y) * self.half_thickness + size(d.z) * self.half
    }

    #[inline(always)]
    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        let [x, z] = on_disc(self.radius, d.x, d.z);
        Vec3::new(
            x,
            step(d.y) * self.half_thickness,
            z + step(d.z) * self.half,
        )
    }

    fn footprint<T: Real>(&self, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Footprint<T>> {
        let mut shown = Footprint::nothing();
        shown.add_along(2, self.half, d, basis);
        shown.add_along(1, self.half_thickness, d, basis);
        shown.add_disc(length(d.x, d.z), self.radius);
        shown.shown()
    }

    fn clamped<T: Real>(&self, d: &Vec3<T>, mut p: Vec3<T>) -> Vec3<T> {
        if is_flat(d.y) {
            p.y = within(p.y, self.half_thickness);
        }
        let across = length(d.x, d.z);
        if is_flat(across) {
            let straight = within(p.z, self.half);
            let [x, beyond] = within_circle(p.x, p.z - straight, self.radius);
            (p.x, p.z) = (x, straight + beyond);
        } else if is_flat(d.z) {
            // The point of the disc farthest along d, moved along the segment.
            let disc = d.z / across * self.radius;
            p.z = within(p.z - disc, self.half) + disc;
        }
        p
    }

    fn largest_coordinate(&self) -> f64 {
        (self.half + self.radius).max(self.half_thickness)
    }

    fn segments(&self) -> Range<usize> {
        1..3
    }

    fn disc_axis(&self) -> Option<usize> {
        Some(1)
    }

    fn has_ends(&self, ends: &Ends) -> bool {
        let [x, y, z] = ends.along.map(|end| end != 0);
        (x || z) && (y || !ends.flat)
    }

    fn settled(&self, mut ends: Ends, d: &Vec3) -> Ends {
        let along = &mut ends.along;
        // The side of the straight edges and of the flat side.
        if along[2] != 0 {
            along[0] = 0;
        } else if along[0] == 0 {
            along[0] = Ends::toward(d.x);
        }
        if along[1] == 0 && along[2] == 0 {
            ends.flat = false;
        } else if ends.flat && along[1] == 0 {
            along[1] = Ends::toward(d.y);
        }
        ends
    }

    fn ends_near(&self, x: &Vec3, d: &Vec3) -> Ends {
        let y = Ends::at_end(x.y / self.half_thickness);
        let beyond = (x.z.abs() - self.half).max(0.0);
        Ends {
            along: [0, y, Ends::at_end(x.z / self.half)],
            flat: y != 0 && Ends::in_disc([x.x, beyond], self.radius, [d.x, d.z]),
        }
    }

    fn ends_below(&self, ends: &Ends, y: &Vec3) -> Ends {
        if !ends.flat {
            return ends
                .with_end(1, Ends::beyond(y.y, self.half_thickness))
                .with_end(2, Ends::beyond(y.z, self.half));
        }
        let over = y.z.abs() - self.half;
        let (out, side) = if over <= 0.0 {
            (y.x.abs(), Ends::beyond(y.x, self.radius))
        } else {
            (hypot(y.x, over), 0)
        };
        if Ends::beyond(out, self.radius) == 0 {
            *ends
        } else {
            ends.with_flat(false)
                .with_end(0, side)
                .with_end(2, Ends::beyond(y.z, self.half))
        }
    }

    fn hides(&self, ends: &Ends, d: &Vec3) -> bool {
        ends.along[1] != 0 && d.x * f64::from(ends.along[0]) < -PARALLEL
    }

    fn element_of_ends(&self, ends: &Ends) -> Element {
        let [x, y, z] = ends.along.map(f64::from);
        let q = Vec3::new(0.0, y * self.half_thickness, z * self.half);
        match (ends.flat, ends.along[1], ends.along[2]) {
            (true, ..) => Element::Face {
                normal: Vec3::new(0.0, y, 0.0),
                q: Vec3::new(0.0, q.y, 0.0),
            },
            (_, 0, 0) => Element::Face {
                normal: Vec3::new(x, 0.0, 0.0),
                q: Vec3::new(x * self.radius, 0.0, 0.0),
            },
            (_, 0, _) => {
                let u = Vec3::new(0.0, self.half_thickness, 0.0);
                Element::lateral(q, u, 1, self.radius, 0.0)
            }
            (_, _, 0) => Element::edge(
                Vec3::new(x * self.radius, q.y, 0.0),
                Vec3::new(0.0, 0.0, self.half),
            ),
            _ => Element::Circle {
                q,
                r: self.radius,
                axis: 1,
            },
        }
    }

    fn inner_radius(&self, ends: &Ends, x: &Vec3) -> f64 {
        let across = self.radius - hypot(x.x, (x.z.abs() - self.half).max(0.0));
        let along = self.half_thickness - x.y.abs();
        match (ends.along[1], ends.along[2]) {
            _ if ends.flat => self.half_thickness.min(across),
            (0, 0) => self.radius.min(along).min(self.half - x.z.abs()),
            (0, _) => self.radius.min(along),
            _ => 0.0,
        }
    }
}

impl MassProperties {
    /// Homogeneous beam: box of length L along z, width 2 r along x and thickness t along y (mass m_b) with
    /// two half cylinders of radius r about y at its ends in z (together m_c). q_x = m_b r^2/3 + m_c r^2/4,
    /// q_y = (m_b + m_c) t^2/12, q_z = m_b L^2/12 + m_c (r^2/4 + L^2/4 + 4 r L/(3 pi)).
    pub fn beam(length: f64, width: f64, thickness: f64, density: f64) -> Self {
        let r = 0.5 * width;
        let middle = density * length * width * thickness;
        let ends = density * PI * r * r * thickness;
        let moments = Vec3::new(
            (middle / 3.0 + ends / 4.0) * r * r,
            (middle + ends) * thickness * thickness / 12.0,
            middle * length * length / 12.0
                + ends * (r * r / 4.0 + length * length / 4.0 + 4.0 / (3.0 * PI) * r * length),
        );
        MassProperties::from_moments(middle + ends, 0.0, &moments)
    }
}

/// Segment along z, from -half to half: the core of a capsule.
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
    /// Homogeneous capsule: cylinder of length L (mass m_c) with two half spheres of radius r (together m_s).
    /// q_x = q_y = m_c r^2/4 + m_s r^2/5, q_z = m_c L^2/12 + m_s (r^2/5 + L^2/4 + 3 r L/8).
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

/// The origin: the core of a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point;

impl Solid for Point {
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
