//! Cone and frustum.

use crate::math::transcendental::hypot;
use crate::math::{Real, Vec3};
use crate::shapes::mass::MassProperties;
use crate::shapes::soft::{
    BLEND, Footprint, is_flat, length, on_circle, on_disc, step, within, within_circle,
};
use crate::shapes::solid::Solid;
use crate::shapes::strata::{Element, Ends};
use std::f64::consts::PI;
use std::ops::Range;

/// Cone or frustum about z. Where it ends in an apex, that end has radius zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// z [m] of the bottom circle and of the top circle, the first less than the second.
    pub z: [f64; 2],
    /// Radius [m] of the bottom circle and of the top circle, >= 0, not both zero.
    pub radii: [f64; 2],
}

impl Cone {
    /// z [m] from the bottom to the top, and how much the radius grows [m].
    #[inline(always)]
    fn slope(&self) -> [f64; 2] {
        [self.z[1] - self.z[0], self.radii[1] - self.radii[0]]
    }

    /// Unit vector along the ruling farthest along d, from bottom to top, and its length [m].
    /// None where d is along the axis.
    fn ruling<T: Real>(&self, d: &Vec3<T>) -> Option<(Vec3<T>, f64)> {
        let [rise, spread] = self.slope();
        let slant = hypot(rise, spread);
        let rho = length(d.x, d.y);
        (rho.value() > BLEND).then(|| {
            let along = Vec3::new(d.x / rho * spread, d.y / rho * spread, T::from(rise));
            (along / T::from(slant), slant)
        })
    }

    /// Radius [m] of the end to which d is nearer.
    fn radius_toward<T: Real>(&self, d: &Vec3<T>) -> f64 {
        self.radii[usize::from(d.z.value() > 0.0)]
    }
}

impl Solid for Cone {
    fn is_revolved(&self) -> bool {
        true
    }

    #[inline(always)]
    fn support(&self, d: &Vec3) -> Vec3 {
        let Cone { z, radii } = self;
        let across = hypot(d.x, d.y);
        let top = radii[1] * across + z[1] * d.z > radii[0] * across + z[0] * d.z;
        let end = usize::from(top);
        let [x, y] = on_circle(radii[end], d.x, d.y);
        Vec3::new(x, y, z[end])
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        let across = length(d.x, d.y);
        let [bottom, top] = [0, 1].map(|end| across * self.radii[end] + d.z * self.z[end]);
        if top.value() > bottom.value() {
            top
        } else {
            bottom
        }
    }

    #[inline(always)]
    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        let [rise, spread] = self.slope();
        let along_ruling = (length(d.x, d.y) * spread + d.z * rise) / hypot(rise, spread);
        let blend = (step(along_ruling) + T::from(1.0)) * 0.5;
        let [x, y] = on_disc(1.0, d.x, d.y);
        let radius = blend * spread + T::from(self.radii[0]);
        Vec3::new(x * radius, y * radius, blend * rise + T::from(self.z[0]))
    }

    fn footprint<T: Real>(&self, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Footprint<T>> {
        let mut shown = Footprint::nothing();
        if let Some((ruling, slant)) = self.ruling(d) {
            shown.add_segment(ruling.dot(d), 0.5 * slant, &ruling, basis);
        }
        let radius = self.radius_toward(d);
        if radius > 0.0 {
            shown.add_disc(length(d.x, d.y), radius);
        }
        shown.shown()
    }

    fn clamped<T: Real>(&self, d: &Vec3<T>, mut p: Vec3<T>) -> Vec3<T> {
        let rho = length(d.x, d.y);
        if is_flat(rho) {
            [p.x, p.y] = within_circle(p.x, p.y, self.radius_toward(d));
        } else if let Some((ruling, slant)) = self.ruling(d)
            && is_flat(ruling.dot(d))
        {
            let mean = 0.5 * (self.radii[0] + self.radii[1]);
            let height = T::from(0.5 * (self.z[0] + self.z[1]));
            let middle = Vec3::new(d.x / rho * mean, d.y / rho * mean, height);
            let along = ruling.dot(&(p - middle));
            p += ruling * (within(along, 0.5 * slant) - along);
        }
        p
    }

    fn largest_coordinate(&self) -> f64 {
        let Cone { z, radii } = self;
        z[0].abs().max(z[1].abs()).max(radii[0]).max(radii[1])
    }

    fn segments(&self) -> Range<usize> {
        2..3
    }

    fn disc_axis(&self) -> Option<usize> {
        Some(2)
    }

    fn kink(&self, _axis: usize, d: &Vec3) -> f64 {
        let [rise, spread] = self.slope();
        (rise * d.z + spread * Element::across(d, 2)) / hypot(rise, spread)
    }

    fn has_ends(&self, ends: &Ends) -> bool {
        let [x, y, z] = ends.along;
        let radius = self.radii[usize::from(z > 0)];
        x == 0 && y == 0 && (!ends.flat || z != 0 && radius > 0.0)
    }

    fn settled(&self, mut ends: Ends, d: &Vec3) -> Ends {
        if ends.flat {
            if ends.along[2] == 0 {
                ends.along[2] = Ends::toward(d.z);
            }
            // The apex has no face.
            ends.flat = self.radii[usize::from(ends.along[2] > 0)] > 0.0;
        }
        ends
    }

    fn ends_near(&self, x: &Vec3, d: &Vec3) -> Ends {
        let Cone { z, radii } = self;
        let end = Ends::at_end((2.0 * x.z - z[0] - z[1]) / (z[1] - z[0]));
        let radius = radii[usize::from(end > 0)];
        Ends {
            along: [0, 0, end],
            flat: end != 0 && Ends::in_disc([x.x, x.y], radius, [d.x, d.y]),
        }
    }

    fn ends_below(&self, ends: &Ends, y: &Vec3) -> Ends {
        let radius = self.radii[usize::from(ends.along[2] > 0)];
        ends.with_flat(Ends::beyond(hypot(y.x, y.y), radius) == 0)
    }

    fn element_of_ends(&self, ends: &Ends) -> Element {
        let Cone { z, radii } = self;
        let end = ends.along[2];
        if end == 0 {
            let [rise, spread] = self.slope();
            let q = Vec3::new(0.0, 0.0, 0.5 * (z[0] + z[1]));
            let u = Vec3::new(0.0, 0.0, 0.5 * rise);
            return Element::lateral(q, u, 2, 0.5 * (radii[0] + radii[1]), 0.5 * spread);
        }
        let top = usize::from(end > 0);
        let (q, r) = (Vec3::new(0.0, 0.0, z[top]), radii[top]);
        if ends.flat {
            let normal = Vec3::new(0.0, 0.0, f64::from(end));
            Element::Face { normal, q }
        } else if r > 0.0 {
            Element::Circle { q, r, axis: 2 }
        } else {
            Element::point(q)
        }
    }
}

impl MassProperties {
    /// Homogeneous cone or frustum from the base about the origin to the top at z = L. With radii R
    /// of the base and r of the top and S = R^2 + R r + r^2:
    /// m = density pi L S/3, z_c = L/4 (R^2 + 2 R r + 3 r^2)/S,
    /// q_x = q_y = 3 m/20 (R^4 + R^3 r + R^2 r^2 + R r^3 + r^4)/S,
    /// q_z = 3 m L^2/80 (R^4 + 4 R^3 r + 10 R^2 r^2 + 4 R r^3 + r^4)/S^2.
    ///
    /// Differences of powers are divided out, so that R = r is no special case.
    pub fn cone(diameter: f64, top_diameter: f64, length: f64, density: f64) -> Self {
        // Relative to the larger radius, so that no fourth power over- or underflows.
        let scale = 0.5 * diameter.max(top_diameter);
        let (base, top) = (0.5 * diameter / scale, 0.5 * top_diameter / scale);
        let powers = |c: [f64; 5]| {
            // c0 R^4 + c1 R^3 r + c2 R^2 r^2 + c3 R r^3 + c4 r^4
            let [b2, t2] = [base * base, top * top];
            c[0] * b2 * b2
                + c[1] * b2 * base * top
                + c[2] * b2 * t2
                + c[3] * base * t2 * top
                + c[4] * t2 * t2
        };
        let section = base * base + base * top + top * top;
        let mass = density * PI * length / 3.0 * section * scale * scale;
        let center = length / 4.0 * (base * base + 2.0 * base * top + 3.0 * top * top) / section;
        let across = 3.0 * mass / 20.0 * powers([1.0; 5]) / section * scale * scale;
        let along = 3.0 * mass * length * length / 80.0 * powers([1.0, 4.0, 10.0, 4.0, 1.0])
            / (section * section);
        MassProperties::from_moments(mass, center, &Vec3::new(across, across, along))
    }
}
