//! Box and half-space.

use crate::math::{Mat3, Real, Vec3};
use crate::shapes::mass::MassProperties;
use crate::shapes::strata::{Element, Ends, Footprint, Solid, is_flat, size, step, within};
use std::ops::Range;

/// Box about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// Half edge lengths along x, y, z [m], >= 0.
    pub half: Vec3,
}

impl Solid for Cuboid {
    #[inline(always)]
    fn support(&self, d: &Vec3) -> Vec3 {
        self.half.zip_map(d, f64::copysign)
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        let half = &self.half;
        size(d.x) * half.x + size(d.y) * half.y + size(d.z) * half.z
    }

    #[inline(always)]
    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        d.zip_map(&self.half, |d, half| step(d) * half)
    }

    fn footprint<T: Real>(&self, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Footprint<T>> {
        let mut shown = Footprint::nothing();
        for axis in 0..3 {
            shown.add_along(axis, self.half[axis], d, basis);
        }
        shown.shown()
    }

    fn clamped<T: Real>(&self, d: &Vec3<T>, mut p: Vec3<T>) -> Vec3<T> {
        for i in 0..3 {
            if is_flat(d[i]) {
                p[i] = within(p[i], self.half[i]);
            }
        }
        p
    }

    fn largest_coordinate(&self) -> f64 {
        self.half.amax()
    }

    fn bounds(&self, rotation: &Mat3) -> [Vec3; 2] {
        let extent = rotation.abs() * self.half;
        [-extent, extent]
    }

    fn segments(&self) -> Range<usize> {
        0..3
    }

    fn has_ends(&self, ends: &Ends) -> bool {
        !ends.flat && ends.along != [0; 3]
    }

    fn settled(&self, ends: Ends, d: &Vec3) -> Ends {
        if ends.along != [0; 3] {
            return ends;
        }
        let axis = d.iamax();
        ends.with_end(axis, Ends::toward(d[axis]))
    }

    fn ends_near(&self, x: &Vec3, _d: &Vec3) -> Ends {
        Ends {
            along: [0, 1, 2].map(|i| Ends::at_end(x[i] / self.half[i])),
            flat: false,
        }
    }

    fn ends_below(&self, ends: &Ends, y: &Vec3) -> Ends {
        let mut new = *ends;
        for axis in 0..3 {
            if ends.along[axis] == 0 {
                new = new.with_end(axis, Ends::beyond(y[axis], self.half[axis]));
            }
        }
        new
    }

    fn nearest_on_border(&self, ends: &Ends, to: &Vec3) -> Option<Vec3> {
        let half = &self.half;
        Some(Vec3::from_fn(|i, _| match ends.along[i] {
            0 => to[i].clamp(-half[i], half[i]),
            end => f64::from(end) * half[i],
        }))
    }

    fn element_of_ends(&self, ends: &Ends) -> Element {
        let [x, y, z] = ends.along.map(f64::from);
        let side = Vec3::new(x, y, z);
        let q = side.component_mul(&self.half);
        let free = ends.along.iter().filter(|end| **end == 0).count();
        let axis = ends.along.iter().position(|end| *end == 0).unwrap_or(0);
        match free {
            0 => Element::point(q),
            1 => Element::along(q, axis, self.half[axis], 0),
            _ => Element::Face { normal: side, q },
        }
    }

    fn inner_radius(&self, ends: &Ends, x: &Vec3) -> f64 {
        if ends.along.iter().filter(|end| **end == 0).count() != 2 {
            return 0.0;
        }
        let to_face = |i: usize| match ends.along[i] {
            0 => self.half[i] - x[i].abs(),
            _ => self.half[i],
        };
        (0..3).map(to_face).fold(f64::INFINITY, f64::min)
    }
}

impl MassProperties {
    /// Homogeneous box of edge `lengths` [m]: I_xx = m (b^2 + c^2)/12.
    pub fn cuboid(lengths: &[f64; 3], density: f64) -> Self {
        let [a, b, c] = *lengths;
        let mass = density * a * b * c;
        let inertia = Vec3::new(b * b + c * c, c * c + a * a, a * a + b * b) * (mass / 12.0);
        MassProperties {
            mass,
            center_of_mass: Vec3::zeros(),
            inertia: Mat3::from_diagonal(&inertia),
        }
    }
}

/// All points with z <= 0; outward normal +z. Without farthest points, size and strata: only special routines
/// handle it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace;

impl Solid for HalfSpace {
    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    /// Bounded only where the normal is along an outer axis to rounding; infinite in all other directions.
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
