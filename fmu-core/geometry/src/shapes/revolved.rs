//! Cores of revolution about z (cone and frustum, round cone, cylinder), and the ellipsoid.
//!
//! # Round cone
//!
//! The hull of a ball and a point, the core of a tapered capsule.
//!
//! With rho the radius of the ball and l the distance of the apex from its centre, the straight lines from
//! the apex touch the ball in a circle; they rise at the angle alpha to the axis, sin alpha = rho/l. The
//! circle has the radius rho cos alpha and lies rho sin alpha from the centre towards the apex. Along d, at
//! the angle theta to the axis, the ball is farthest where cos(theta + alpha) < 0 and the apex where it is >
//! 0: the kink function of the ruling. Ball and lateral surface have the same normal on the circle.

use crate::math::real::hypot;
use crate::math::{Mat3, Pose, Real, Vec3, norm};
use crate::shapes::mass::MassProperties;
use crate::shapes::strata::{
    BLEND, Element, Ends, Footprint, Solid, is_flat, length, on_circle, on_disc, size, step,
    within, within_circle,
};
use std::f64::consts::PI;
use std::ops::Range;

/// Cone or frustum about z; an apex is an end with radius zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// z [m] of the bottom circle, then of the top circle.
    pub z: [f64; 2],
    /// Radius [m] of the bottom circle and of the top circle, >= 0, not both zero.
    pub radii: [f64; 2],
}

impl Cone {
    /// Height [m], and difference of the radii [m].
    #[inline(always)]
    fn slope(&self) -> [f64; 2] {
        [self.z[1] - self.z[0], self.radii[1] - self.radii[0]]
    }

    /// Unit vector along the ruling farthest along d, from bottom to top, and its length [m]; `None` if d is
    /// along the axis.
    fn ruling<T: Real>(&self, d: &Vec3<T>) -> Option<(Vec3<T>, f64)> {
        let [rise, spread] = self.slope();
        let slant = hypot(rise, spread);
        let rho = length(d.x, d.y);
        (rho.value() > BLEND).then(|| {
            let along = Vec3::new(d.x / rho * spread, d.y / rho * spread, T::from(rise));
            (along / T::from(slant), slant)
        })
    }

    /// Radius [m] of the end that faces d.
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
    /// Homogeneous cone or frustum from the base about the origin to the top at z = L. With radii R of the
    /// base and r of the top and S = R^2 + R r + r^2: m = density pi L S/3, z_c = L/4 (R^2 + 2 R r + 3
    /// r^2)/S, q_x = q_y = 3 m/20 (R^4 + R^3 r + R^2 r^2 + R r^3 + r^4)/S, q_z = 3 m L^2/80 (R^4 + 4 R^3 r +
    /// 10 R^2 r^2 + 4 R r^3 + r^4)/S^2.
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

/// Convex hull of a ball and a point outside it, both on the z axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundCone {
    /// rho [m], > 0.
    pub radius: f64,
    /// z [m] of the centre of the ball, then of the apex, farther apart than rho.
    pub z: [f64; 2],
}

struct Lateral {
    /// sin alpha and cos alpha [1].
    sine: f64,
    cosine: f64,
    /// 1 if the apex is above the ball, -1 if below.
    up: f64,
    slant: f64,
    /// z [m] and radius [m] at mid-length of the rulings.
    middle: [f64; 2],
    /// z [m] from there to the apex.
    rise: f64,
}

impl RoundCone {
    #[inline(always)]
    fn lateral(&self) -> Lateral {
        let along = self.z[1] - self.z[0];
        let sine = self.radius / along.abs();
        let cosine = ((1.0 - sine) * (1.0 + sine)).sqrt();
        let rise = 0.5 * along * (cosine * cosine);
        Lateral {
            sine,
            cosine,
            up: 1.0f64.copysign(along),
            slant: along.abs() * cosine,
            middle: [self.z[1] - rise, 0.5 * self.radius * cosine],
            rise,
        }
    }
}

impl Lateral {
    /// cos(theta + alpha) for the unit vector d.
    #[inline(always)]
    fn kink<T: Real>(&self, d: &Vec3<T>) -> T {
        d.z * (self.up * self.cosine) - length(d.x, d.y) * self.sine
    }

    /// Unit vector towards the apex along the ruling farthest along d, and its middle [m]; `None` if d is
    /// along the axis.
    fn ruling<T: Real>(&self, d: &Vec3<T>) -> Option<[Vec3<T>; 2]> {
        let rho = length(d.x, d.y);
        (rho.value() > BLEND).then(|| {
            let [x, y] = [d.x / rho, d.y / rho];
            let [z, radius] = self.middle;
            let up = T::from(self.up * self.cosine);
            [
                Vec3::new(-x * self.sine, -y * self.sine, up),
                Vec3::new(x * radius, y * radius, T::from(z)),
            ]
        })
    }
}

impl Solid for RoundCone {
    fn is_revolved(&self) -> bool {
        true
    }

    #[inline(always)]
    fn support(&self, d: &Vec3) -> Vec3 {
        let [ball, apex] = self.z;
        let length = d.norm();
        if length > 0.0 && self.radius * length >= (apex - ball) * d.z {
            d * (self.radius / length) + Vec3::new(0.0, 0.0, ball)
        } else {
            Vec3::new(0.0, 0.0, apex)
        }
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        let ball = norm(d) * self.radius + d.z * self.z[0];
        let apex = d.z * self.z[1];
        if apex.value() > ball.value() {
            apex
        } else {
            ball
        }
    }

    /// Blends from the point of the ball to the apex.
    #[inline(always)]
    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        let [ball, apex] = self.z;
        let blend = (step(self.lateral().kink(d)) + T::from(1.0)) * 0.5;
        let mut soft = d * ((T::from(1.0) - blend) * self.radius);
        soft.z += blend * (apex - ball) + T::from(ball);
        soft
    }

    fn footprint<T: Real>(&self, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Footprint<T>> {
        let lateral = self.lateral();
        let [ruling, _] = lateral.ruling(d)?;
        let mut shown = Footprint::nothing();
        shown.add_segment(ruling.dot(d), 0.5 * lateral.slant, &ruling, basis);
        shown.shown()
    }

    fn clamped<T: Real>(&self, d: &Vec3<T>, mut p: Vec3<T>) -> Vec3<T> {
        let lateral = self.lateral();
        if let Some([ruling, middle]) = lateral.ruling(d)
            && is_flat(ruling.dot(d))
        {
            let along = ruling.dot(&(p - middle));
            p += ruling * (within(along, 0.5 * lateral.slant) - along);
        }
        p
    }

    fn largest_coordinate(&self) -> f64 {
        (self.z[0].abs() + self.radius).max(self.z[1].abs())
    }

    fn segments(&self) -> Range<usize> {
        2..3
    }

    fn kink(&self, _axis: usize, d: &Vec3) -> f64 {
        self.lateral().kink(d)
    }

    fn has_ends(&self, ends: &Ends) -> bool {
        let [x, y, _] = ends.along;
        x == 0 && y == 0 && !ends.flat
    }

    fn ends_near(&self, x: &Vec3, _d: &Vec3) -> Ends {
        let lateral = self.lateral();
        // From the circle to the apex: from -1 to 1.
        let from_ball = (x.z - self.z[0]) * lateral.up;
        let along = from_ball * lateral.cosine - hypot(x.x, x.y) * lateral.sine;
        Ends::default().with_end(2, Ends::at_end(2.0 * along / lateral.slant - 1.0))
    }

    fn element_of_ends(&self, ends: &Ends) -> Element {
        let [ball, apex] = self.z;
        match ends.along[2] {
            0 => {
                let lateral = self.lateral();
                let [z, radius] = lateral.middle;
                let u = Vec3::new(0.0, 0.0, lateral.rise);
                Element::lateral(Vec3::new(0.0, 0.0, z), u, 2, radius, -radius)
            }
            end if end < 0 => Element::Ellipsoid {
                q: Vec3::new(0.0, 0.0, ball),
                semi_axes: Vec3::repeat(self.radius),
            },
            _ => Element::point(Vec3::new(0.0, 0.0, apex)),
        }
    }

    /// Radius of the ball itself, or of the one about the axis point below x.
    fn inner_radius(&self, ends: &Ends, x: &Vec3) -> f64 {
        match ends.along[2] {
            0 => hypot(x.x, x.y) / self.lateral().cosine,
            end if end < 0 => self.radius,
            _ => 0.0,
        }
    }
}

impl MassProperties {
    /// Homogeneous tapered capsule: the hull of two spheres with centres at z = -L/2 (radius R) and z = L/2
    /// (radius r). With c = (R - r)/L < 1 it is a frustum with the radii R s and r s, s^2 = 1 - c^2, and the
    /// length L s^2, between the parts of the spheres beyond its ends: of the large one all z from -R to R c
    /// about its centre, of the small one all from r c to r.
    pub fn tapered_capsule(diameter: f64, top_diameter: f64, length: f64, density: f64) -> Self {
        let [base, top] = [diameter, top_diameter].map(|diameter| 0.5 * diameter);
        let c = (base - top) / length;
        let square = (1.0 - c) * (1.0 + c);
        let sine = square.sqrt();
        let frustum = MassProperties::cone(
            diameter * sine,
            top_diameter * sine,
            length * square,
            density,
        );
        let at = |z: f64, rotation| Pose {
            position: Vec3::new(0.0, 0.0, z),
            rotation,
        };
        let half = 0.5 * length;
        let about_x = Mat3::from_diagonal(&Vec3::new(1.0, -1.0, -1.0));
        let lower = sphere_below(base, c, density).placed(&at(-half, Mat3::identity()));
        let upper = sphere_below(top, -c, density).placed(&at(half, about_x));
        let middle = frustum.placed(&at(base * c - half, Mat3::identity()));
        lower.combined(&middle).combined(&upper)
    }
}

/// Part below z = R c, -1 < c <= 1, of a homogeneous sphere of radius R about the origin: m = density pi R^3
/// (1 + c)^2 (2 - c)/3, z_c = -3/4 R (1 - c)^2/(2 - c), q_x = q_y = density pi R^5/4 (8/15 + c - 2 c^3/3 +
/// c^5/5), q_z = density pi R^5 (2/15 + c^3/3 - c^5/5) - m z_c^2.
fn sphere_below(radius: f64, c: f64, density: f64) -> MassProperties {
    let square = radius * radius;
    let scale = density * PI * square * radius;
    let mass = scale * (1.0 + c) * (1.0 + c) * (2.0 - c) / 3.0;
    let center = -0.75 * radius * (1.0 - c) * (1.0 - c) / (2.0 - c);
    let (c3, c5) = (c * c * c, c * c * c * c * c);
    let across = scale * square / 4.0 * (8.0 / 15.0 + c - 2.0 / 3.0 * c3 + c5 / 5.0);
    let along = scale * square * (2.0 / 15.0 + c3 / 3.0 - c5 / 5.0) - mass * center * center;
    MassProperties::from_moments(mass, center, &Vec3::new(across, across, along))
}

/// Cylinder about z, centred at the origin.
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
    /// Homogeneous cylinder with a bore along its axis: with radii R and r, q_x = q_y = m (R^2 + r^2)/4, q_z
    /// = m L^2/12.
    pub fn cylinder(diameter: f64, inner_diameter: f64, length: f64, density: f64) -> Self {
        let (outer, inner) = (0.5 * diameter, 0.5 * inner_diameter);
        let mass = density * PI * (outer - inner) * (outer + inner) * length;
        let across = mass * (outer * outer + inner * inner) / 4.0;
        let along = mass * length * length / 12.0;
        MassProperties::from_moments(mass, 0.0, &Vec3::new(across, across, along))
    }
}

/// Ellipsoid about the origin. Smooth everywhere: its entire surface is its only stratum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// Semi-axes along x, y, z [m], > 0.
    pub semi_axes: Vec3,
}

impl Ellipsoid {
    pub(crate) fn is_ball(&self) -> bool {
        self.semi_axes.max() == self.semi_axes.min()
    }

    /// Index of the axis of revolution, if there is just one.
    pub(crate) fn axis(&self) -> Option<usize> {
        let of = &self.semi_axes;
        let is_axis = |k: &usize| of[(k + 1) % 3] == of[(k + 2) % 3];
        (0..3).find(is_axis).filter(|_| !self.is_ball())
    }

    /// Length l [m] of the depth u = l (1 - |S x|) below its surface, S the inverse of the semi-axes
    /// a <= b <= c, and height of its support where u is the distance from the surface to first order.
    ///
    /// A plane with the support height h at the depth d cuts in by u = d l/h. The force of a pressure
    /// proportional to u^n is then K (l/h)^(n+2) d^(n+1), K the stiffness at h = l. Hertz' stiffness there is
    /// proportional to the root of the mean radius a b c/h^2. So with n = 1/2 and K of the radius a, the law is
    /// l^(5/2)/((b c)^(1/2) h^(3/2)) times that of Hertz, for h = a as much above it as below it for h = c if
    /// l^5 = (a c)^(3/2) b c: by (c/a)^(3/4).
    pub fn length(&self) -> f64 {
        let a = self.semi_axes.min();
        let longest = self.semi_axes.max() / a;
        let product = (self.semi_axes / a).product();
        // A ball has exactly its radius.
        a * Real::powf(longest * longest.sqrt() * product, 0.2)
    }
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

    fn inner_radius(&self, _ends: &Ends, _x: &Vec3) -> f64 {
        let semi_axes = &self.semi_axes;
        semi_axes.min() * semi_axes.min() / semi_axes.max()
    }
}

impl MassProperties {
    /// Homogeneous ellipsoid with the diameters `lengths` [m]: q_x = m a^2/5 with the semi-axis a.
    pub fn ellipsoid(lengths: &[f64; 3], density: f64) -> Self {
        let [a, b, c] = lengths.map(|length| 0.5 * length);
        let mass = density * 4.0 / 3.0 * PI * a * b * c;
        let moments = Vec3::new(a * a, b * b, c * c) * (mass / 5.0);
        MassProperties::from_moments(mass, 0.0, &moments)
    }
}
