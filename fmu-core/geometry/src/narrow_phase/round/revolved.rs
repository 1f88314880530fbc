//! A point against a body of revolution whose profile is one straight ruling: segment, cylinder,
//! cone and frustum.
//!
//! In the plane through the axis and the point, with rho its distance from the axis, the body is
//! the polygon (0, z_0), (r_0, z_0), (r_1, z_1), (0, z_1): two flat ends, the lateral line and its
//! two corners, the rims. A rim of radius zero is an apex. Inside, the shortest way out is by the
//! top, the bottom or the lateral surface, in this order where equal; from the axis it leads
//! along +x of the core frame.

use crate::math::{Real, Vec3, norm};
use crate::narrow_phase::round::Nearest;
use serde::{Deserialize, Serialize};

/// The ruling that turns about the axis.
pub struct Profile {
    /// z of its ends [m].
    z: [f64; 2],
    /// Distance of its ends from the axis [m].
    radii: [f64; 2],
    /// Unit vector from the first end to the second: along the radius, along z.
    along: [f64; 2],
    /// Length [m].
    length: f64,
}

impl Profile {
    /// Of a cylinder, in the same words as [`crate::shapes::Core::Cylinder`].
    #[inline(always)]
    pub fn cylinder(radius: f64, half: f64) -> Self {
        Profile {
            z: [-half, half],
            radii: [radius, radius],
            along: [0.0, 1.0],
            length: 2.0 * half,
        }
    }

    /// Of a cone, in the same words as [`crate::shapes::Core::Cone`].
    #[inline(always)]
    pub fn cone(z: &[f64; 2], radii: &[f64; 2]) -> Self {
        let (spread, rise) = (radii[1] - radii[0], z[1] - z[0]);
        let length = (spread * spread + rise * rise).sqrt();
        Profile {
            z: *z,
            radii: *radii,
            along: [spread / length, rise / length],
            length,
        }
    }
}

/// Part of the surface, and whether the point is on the axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    place: Place,
    on_axis: bool,
}

/// Ends are 0 for the bottom and 1 for the top.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Place {
    Flat(u8),
    Lateral,
    Rim(u8),
}

/// The part of a cylinder or a cone nearest to `c`.
#[inline(always)]
pub fn part(profile: &Profile, c: &Vec3) -> Region {
    let (rho, z) = ((c.x * c.x + c.y * c.y).sqrt(), c.z);
    let Profile {
        radii,
        along,
        length,
        ..
    } = profile;
    let (out, up) = (rho - radii[0], z - profile.z[0]);
    let over_top = z - profile.z[1];
    let beside = out * along[1] - up * along[0];
    let place = if up >= 0.0 && over_top <= 0.0 && beside <= 0.0 {
        if over_top >= -up && over_top >= beside {
            Place::Flat(1)
        } else if -up >= beside {
            Place::Flat(0)
        } else {
            Place::Lateral
        }
    } else if over_top >= 0.0 && rho <= radii[1] {
        Place::Flat(1)
    } else if up <= 0.0 && rho <= radii[0] {
        Place::Flat(0)
    } else {
        let along_ruling = out * along[0] + up * along[1];
        if along_ruling < 0.0 {
            Place::Rim(0)
        } else if along_ruling > *length {
            Place::Rim(1)
        } else {
            Place::Lateral
        }
    };
    Region {
        place,
        on_axis: rho == 0.0,
    }
}

/// The part of a segment nearest to `c`: a cylinder of no radius, without inside.
#[inline(always)]
pub fn of_segment(half: f64, c: &Vec3) -> Region {
    let place = if c.z > half {
        Place::Rim(1)
    } else if c.z < -half {
        Place::Rim(0)
    } else {
        Place::Lateral
    };
    Region {
        place,
        on_axis: c.x * c.x + c.y * c.y == 0.0,
    }
}

/// Distance, normal and nearest point for the part.
#[inline(always)]
pub fn solve<T: Real>(profile: &Profile, c: &Vec3<T>, part: &Region) -> Nearest<T> {
    let Profile {
        z, radii, along, ..
    } = profile;
    match part.place {
        Place::Flat(end) => {
            let end = usize::from(end != 0);
            let side = [-1.0, 1.0][end];
            Nearest {
                distance: (c.z - z[end]) * side,
                normal: Vec3::z() * T::from(side),
                point: Vec3::new(c.x, c.y, T::from(z[end])),
            }
        }
        Place::Lateral => {
            let (rho, around) = from_axis(c, part.on_axis);
            let distance = (rho - radii[0]) * along[1] - (c.z - z[0]) * along[0];
            let [x, y] = around.map(|a| a * along[1]);
            let normal = Vec3::new(x, y, T::from(-along[0]));
            Nearest {
                distance,
                normal,
                point: c - normal * distance,
            }
        }
        Place::Rim(end) => {
            let end = usize::from(end != 0);
            let away = if radii[end] == 0.0 {
                Vec3::new(c.x, c.y, c.z - z[end])
            } else {
                let (rho, around) = from_axis(c, part.on_axis);
                let [x, y] = around.map(|a| a * (rho - radii[end]));
                Vec3::new(x, y, c.z - z[end])
            };
            let distance = norm(&away);
            Nearest {
                distance,
                normal: away / distance,
                point: c - away,
            }
        }
    }
}

/// Distance from the axis and the direction away from it.
#[inline(always)]
fn from_axis<T: Real>(c: &Vec3<T>, on_axis: bool) -> (T, [T; 2]) {
    if on_axis {
        (c.x, [T::one(), T::zero()])
    } else {
        let rho = (c.x * c.x + c.y * c.y).sqrt();
        (rho, [c.x / rho, c.y / rho])
    }
}
