//! Round cone: the hull of a ball and a point, the core of a tapered capsule.
//!
//! With rho the radius of the ball and l the distance of the apex from its centre, the straight
//! lines from the apex touch the ball in a circle; they rise at the angle alpha to the axis, sin
//! alpha = rho/l. The circle has the radius rho cos alpha and lies rho sin alpha from the centre
//! towards the apex. Along d, at the angle theta to the axis, the ball is farthest where
//! cos(theta + alpha) < 0 and the apex where it is > 0: the kink function of the ruling. Ball and
//! lateral surface have the same normal on the circle.

use crate::math::transcendental::hypot;
use crate::math::{Mat3, Pose, Real, Vec3, norm};
use crate::shapes::mass::MassProperties;
use crate::shapes::soft::{BLEND, Footprint, is_flat, length, step, within};
use crate::shapes::solid::Solid;
use crate::shapes::strata::{Element, Ends};
use std::f64::consts::PI;
use std::ops::Range;

/// Convex hull of a ball and a point outside it, both on the z axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundCone {
    /// rho [m], > 0.
    pub radius: f64,
    /// z [m] of the centre of the ball and of the apex, farther apart than rho.
    pub z: [f64; 2],
}

/// The lateral surface.
struct Lateral {
    /// sin alpha and cos alpha [1].
    sine: f64,
    cosine: f64,
    /// 1 where the apex is above the ball, -1 where it is below.
    up: f64,
    /// Length of the rulings [m].
    slant: f64,
    /// z [m] and radius [m] in the middle of the rulings.
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
    /// cos(theta + alpha) of the unit vector d.
    #[inline(always)]
    fn kink<T: Real>(&self, d: &Vec3<T>) -> T {
        d.z * (self.up * self.cosine) - length(d.x, d.y) * self.sine
    }

    /// Unit vector towards the apex along the ruling farthest along d, and its middle [m]. None
    /// where d is along the axis.
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

    /// Of the ball, or of the one about the point of the axis below x.
    fn inner_radius(&self, ends: &Ends, x: &Vec3) -> f64 {
        match ends.along[2] {
            0 => hypot(x.x, x.y) / self.lateral().cosine,
            end if end < 0 => self.radius,
            _ => 0.0,
        }
    }
}

impl MassProperties {
    /// Homogeneous tapered capsule: the hull of two spheres whose centres lie at z = -L/2 (radius
    /// R) and z = L/2 (radius r). With c = (R - r)/L < 1 it is a frustum of the radii R s and r s,
    /// s^2 = 1 - c^2, and of the length L s^2, between the parts of the spheres beyond its ends: of
    /// the large one all z from -R to R c about its centre, of the small one all from r c to r.
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

/// The part of a homogeneous sphere of radius R about the origin below z = R c, -1 < c <= 1:
/// m = density pi R^3 (1 + c)^2 (2 - c)/3, z_c = -3/4 R (1 - c)^2/(2 - c),
/// q_x = q_y = density pi R^5/4 (8/15 + c - 2 c^3/3 + c^5/5),
/// q_z = density pi R^5 (2/15 + c^3/3 - c^5/5) - m z_c^2.
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
