//! Support mapping: the point of a core farthest along a direction.
//!
//! h(d) = max over the core of d.x. Where an entire edge or face is farthest, the middle of a flat
//! round end is taken and a fixed corner of the others.

use crate::geometry::Core;
use crate::math::Vec3;
use crate::math::transcendental::hypot;

impl Core {
    /// A point of the core farthest along `direction` (any length > 0), core frame [m].
    ///
    /// A half-space has no such point; the result is the origin.
    #[inline(always)]
    pub fn support(&self, direction: &Vec3) -> Vec3 {
        let d = direction;
        match self {
            Core::Point | Core::HalfSpace => Vec3::zeros(),
            Core::Segment { half } => Vec3::new(0.0, 0.0, half.copysign(d.z)),
            Core::Box { half } => half.zip_map(d, f64::copysign),
            Core::Cylinder { radius, half } => {
                let [x, y] = on_circle(*radius, d.x, d.y);
                Vec3::new(x, y, half.copysign(d.z))
            }
            Core::Cone { z, radii } => {
                let across = hypot(d.x, d.y);
                let top = radii[1] * across + z[1] * d.z > radii[0] * across + z[0] * d.z;
                let end = usize::from(top);
                let [x, y] = on_circle(radii[end], d.x, d.y);
                Vec3::new(x, y, z[end])
            }
            Core::Ellipsoid { semi_axes } => {
                let stretched = semi_axes.component_mul(d);
                let length = stretched.norm();
                if length > 0.0 {
                    semi_axes.component_mul(&(stretched / length))
                } else {
                    Vec3::zeros()
                }
            }
            Core::Beam {
                half,
                radius,
                half_thickness,
            } => {
                let [x, z] = on_circle(*radius, d.x, d.z);
                Vec3::new(x, half_thickness.copysign(d.y), z + half.copysign(d.z))
            }
            Core::Hull(hull) => hull.vertices()[hull.farthest(d)],
        }
    }

    /// No less than the distance of any point of the core from the origin of its frame [m].
    pub fn reach(&self) -> f64 {
        match self {
            Core::Point => 0.0,
            Core::HalfSpace => f64::INFINITY,
            Core::Hull(hull) => hull.vertices().iter().map(|v| v.norm()).fold(0.0, f64::max),
            _ => {
                let axis = |i: usize| {
                    let along = Vec3::ith(i, 1.0);
                    let reach = self.support(&along)[i].max(-self.support(&-along)[i]);
                    reach * reach
                };
                (axis(0) + axis(1) + axis(2)).sqrt()
            }
        }
    }
}

/// Point of a circle farthest along (x, y); its centre where that is no direction.
#[inline(always)]
fn on_circle(radius: f64, x: f64, y: f64) -> [f64; 2] {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 {
        [radius * x / length, radius * y / length]
    } else {
        [0.0; 2]
    }
}
