//! A point (the core of a sphere) against segment, cylinder, cone, beam and ellipsoid.
//!
//! In the frame of the core the nearest part of its surface follows from a few comparisons, and distance,
//! normal and nearest point from that part. Inside the core the distance is negative, less the minimum
//! translation, found the same way, so that all is continuous through the surface. Ties go to the part named
//! first.
//!
//! # Segment, cylinder, cone and frustum
//!
//! Bodies of revolution whose profile is one straight ruling.
//!
//! In the plane through the axis and the point, with rho its distance from the axis, the body is the polygon
//! (0, z_0), (r_0, z_0), (r_1, z_1), (0, z_1): two flat ends, the lateral line and its two corners, the rims.
//! A rim of radius zero is an apex. Inside, the shortest way out is by the top, the bottom or the lateral
//! surface, in this order where equal; from the axis it leads along +x of the core frame.
//!
//! # Beam
//!
//! A stadium in the plane x, z, thick along y.
//!
//! With sigma the signed distance from the stadium in its plane and tau that from the slab
//! |y| <= half_thickness, the beam is the product of both: over a flat face the distance is tau,
//! around the stadium sigma, off a rim the root of both squared. Inside it is the larger one; where equal,
//! the way out by the face, and in the middle by the side at +x, +y.
//!
//! # Ellipsoid
//!
//! With semi-axes e_i, e_m the smallest, and y the point, its nearest point is x_i = e_i^2 g_i with g_i =
//! y_i/(s + d_i), d_i = e_i^2 - e_m^2, and g the gradient of sum (x_i/e_i)^2/2: the normal is g/|g| and the
//! distance (s - e_m^2) |g|. The number s >= 0 solves
//!
//! S(s) = sum (e_i y_i)^2/(s + d_i)^2 = 1,
//!
//! and the root with s >= 0 is the nearest of all points, inside as outside (D. Eberly, Distance from a Point
//! to an Ellipse, an Ellipsoid, or a Hyperellipsoid, Geometric Tools 2013). Measuring s from the pole at
//! -e_m^2 keeps the digits of flat ellipsoids and of points near the centre. 1/sqrt(S) is concave and nearly
//! straight, so Newton's method on it from below, where each term is at most 1 and one of them is 1, runs up
//! to the root without ever passing it.
//!
//! Where y_m = 0, S(0) may be less than 1: then s = 0 and g_m is what is missing, (g_m e_m)^2 = 1 - S(0), of
//! either sign; positive is taken. Of equal smallest axes it is the first, so that the centre of a ball
//! leaves along +x.

use crate::math::{Pose, Real, Vec3, norm};
use crate::narrow_phase::proximity::{Nearest, Proximity, in_core};
use crate::shapes::{Beam, Cone, Core, Cylinder, Ellipsoid, RoundedShape, Segment};
use serde::{Deserialize, Serialize};

/// Part of a round core nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum RoundFeature {
    Revolved(RevolvedPart),
    Beam(BeamPart),
    Ellipsoid(EllipsoidRoot),
}

/// Nearest part; `None` for cores not handled here.
#[inline(always)]
pub(super) fn part(core: &Core, pose: &Pose, point_pose: &Pose) -> Option<RoundFeature> {
    let c = in_core(pose, point_pose);
    Some(match core {
        Core::Segment(Segment { half }) => RoundFeature::Revolved(part_of_segment(*half, &c)),
        Core::Beam(beam) => RoundFeature::Beam(part_of_beam(beam, &c)),
        Core::Ellipsoid(Ellipsoid { semi_axes }) => RoundFeature::Ellipsoid(root(semi_axes, &c)),
        _ => RoundFeature::Revolved(Profile::of(core)?.part(&c)),
    })
}

/// Round core (1) with its radius against a point (2) with radius `r_point` [m].
#[inline(always)]
pub(super) fn solve<T: Real>(
    shape: &RoundedShape,
    pose: &Pose<T>,
    r_point: f64,
    point_pose: &Pose<T>,
    part: &RoundFeature,
) -> Proximity<T> {
    let c = in_core(pose, point_pose);
    let nearest = match (&shape.core, part) {
        (core, RoundFeature::Revolved(part)) => Profile::of(core).map(|it| it.nearest(&c, part)),
        (Core::Beam(beam), RoundFeature::Beam(part)) => Some(from_beam(beam, &c, part)),
        (Core::Ellipsoid(Ellipsoid { semi_axes }), RoundFeature::Ellipsoid(root)) => {
            Some(from_ellipsoid(semi_axes, &c, root))
        }
        _ => None,
    };
    // Of a part of another core nothing is near.
    let nearest = nearest.unwrap_or_else(|| Nearest {
        distance: T::from(f64::INFINITY),
        normal: Vec3::x(),
        point: Vec3::zeros(),
    });
    nearest.swept(shape.radius, pose, r_point, point_pose)
}

/// Ruling that is revolved about the axis.
struct Profile {
    z: [f64; 2],
    /// Distances of its ends from the axis [m].
    radii: [f64; 2],
    /// Unit vector from the first end to the second: radial, axial.
    along: [f64; 2],
    length: f64,
}

impl Profile {
    #[inline(always)]
    fn of(core: &Core) -> Option<Self> {
        match core {
            Core::Segment(Segment { half }) => Some(Self::cylinder(0.0, *half)),
            Core::Cylinder(Cylinder { radius, half }) => Some(Self::cylinder(*radius, *half)),
            Core::Cone(Cone { z, radii }) => {
                let (spread, rise) = (radii[1] - radii[0], z[1] - z[0]);
                let length = (spread * spread + rise * rise).sqrt();
                Some(Profile {
                    z: *z,
                    radii: *radii,
                    along: [spread / length, rise / length],
                    length,
                })
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn cylinder(radius: f64, half: f64) -> Self {
        Profile {
            z: [-half, half],
            radii: [radius, radius],
            along: [0.0, 1.0],
            length: 2.0 * half,
        }
    }

    #[inline(always)]
    fn part(&self, c: &Vec3) -> RevolvedPart {
        let (rho, z) = ((c.x * c.x + c.y * c.y).sqrt(), c.z);
        let Profile {
            radii,
            along,
            length,
            ..
        } = self;
        let (out, up) = (rho - radii[0], z - self.z[0]);
        let over_top = z - self.z[1];
        let beside = out * along[1] - up * along[0];
        let place = if up >= 0.0 && over_top <= 0.0 && beside <= 0.0 {
            if over_top >= -up && over_top >= beside {
                RevolvedPlace::Flat(1)
            } else if -up >= beside {
                RevolvedPlace::Flat(0)
            } else {
                RevolvedPlace::Lateral
            }
        } else if over_top >= 0.0 && rho <= radii[1] {
            RevolvedPlace::Flat(1)
        } else if up <= 0.0 && rho <= radii[0] {
            RevolvedPlace::Flat(0)
        } else {
            let along_ruling = out * along[0] + up * along[1];
            if along_ruling < 0.0 {
                RevolvedPlace::Rim(0)
            } else if along_ruling > *length {
                RevolvedPlace::Rim(1)
            } else {
                RevolvedPlace::Lateral
            }
        };
        RevolvedPart {
            place,
            on_axis: rho == 0.0,
        }
    }

    #[inline(always)]
    fn nearest<T: Real>(&self, c: &Vec3<T>, part: &RevolvedPart) -> Nearest<T> {
        let Profile {
            z, radii, along, ..
        } = self;
        match part.place {
            RevolvedPlace::Flat(end) => {
                let end = usize::from(end != 0);
                let side = [-1.0, 1.0][end];
                Nearest {
                    distance: (c.z - z[end]) * side,
                    normal: Vec3::z() * T::from(side),
                    point: Vec3::new(c.x, c.y, T::from(z[end])),
                }
            }
            RevolvedPlace::Lateral => {
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
            RevolvedPlace::Rim(end) => {
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
}

/// Nearest part of the surface, and whether the point is on the axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RevolvedPart {
    place: RevolvedPlace,
    on_axis: bool,
}

/// Ends are 0 for the bottom and 1 for the top.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum RevolvedPlace {
    Flat(u8),
    Lateral,
    Rim(u8),
}

/// Nearest part of a segment: a cylinder without radius and inside.
#[inline(always)]
fn part_of_segment(half: f64, c: &Vec3) -> RevolvedPart {
    let place = if c.z > half {
        RevolvedPlace::Rim(1)
    } else if c.z < -half {
        RevolvedPlace::Rim(0)
    } else {
        RevolvedPlace::Lateral
    };
    RevolvedPart {
        place,
        on_axis: c.x * c.x + c.y * c.y == 0.0,
    }
}

/// Distance from the axis and the radial direction.
#[inline(always)]
fn from_axis<T: Real>(c: &Vec3<T>, on_axis: bool) -> (T, [T; 2]) {
    if on_axis {
        (c.x, [T::one(), T::zero()])
    } else {
        let rho = (c.x * c.x + c.y * c.y).sqrt();
        (rho, [c.x / rho, c.y / rho])
    }
}

/// Nearest part of the surface, and the side of the point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BeamPart {
    place: BeamPlace,
    /// Side along x and along y, -1 or 1.
    sides: [i8; 2],
    /// End of the stadium with the nearest half disc, -1 or 1; 0 beside the rectangle.
    end: i8,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum BeamPlace {
    /// Flat face normal to y.
    Face,
    Around,
    Rim,
}

#[inline(always)]
fn part_of_beam(beam: &Beam, c: &Vec3) -> BeamPart {
    let side = |v: f64| if v < 0.0 { -1 } else { 1 };
    let sides = [side(c.x), side(c.y)];
    let end = i8::from(c.z > beam.half) - i8::from(c.z < -beam.half);
    let sigma = stadium(beam, c, sides[0], end).0;
    let tau = c.y.abs() - beam.half_thickness;
    let place = if sigma <= 0.0 && tau >= sigma {
        BeamPlace::Face
    } else if tau <= 0.0 {
        BeamPlace::Around
    } else {
        BeamPlace::Rim
    };
    BeamPart { place, sides, end }
}

#[inline(always)]
fn from_beam<T: Real>(beam: &Beam, c: &Vec3<T>, part: &BeamPart) -> Nearest<T> {
    let side = f64::from(part.sides[1]);
    let tau = c.y * side - beam.half_thickness;
    let face = Vec3::y() * T::from(side);
    let (distance, normal) = match part.place {
        BeamPlace::Face => (tau, face),
        BeamPlace::Around => stadium(beam, c, part.sides[0], part.end),
        BeamPlace::Rim => {
            let (sigma, around) = stadium(beam, c, part.sides[0], part.end);
            let distance = (sigma * sigma + tau * tau).sqrt();
            (distance, (around * sigma + face * tau) / distance)
        }
    };
    Nearest {
        distance,
        normal,
        point: c - normal * distance,
    }
}

/// sigma and its gradient.
#[inline(always)]
fn stadium<T: Real>(beam: &Beam, c: &Vec3<T>, side: i8, end: i8) -> (T, Vec3<T>) {
    if end == 0 {
        let side = f64::from(side);
        (c.x * side - beam.radius, Vec3::x() * T::from(side))
    } else {
        let z = c.z - T::from(beam.half * f64::from(end));
        let rho = (c.x * c.x + z * z).sqrt();
        (rho - beam.radius, Vec3::new(c.x / rho, T::zero(), z / rho))
    }
}

/// Root s for the nearest point of an ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum EllipsoidRoot {
    /// s [m^2], > 0.
    Regular(f64),
    /// s = 0: the shortest way out is along the smallest axis.
    Middle,
}

/// Relative distance from the middle plane that counts as zero.
const IN_THE_MIDDLE: f64 = 1e-100;

/// Newton's method gains a factor of at least 3/2 per step and converges quadratically in the end. The
/// longest path, from [`IN_THE_MIDDLE`], takes fewer steps than this; the usual one four.
const MAX_STEPS: usize = 250;

/// A relative step in s below this is followed by one below rounding.
const LAST_STEP: f64 = 1e-9;

#[inline(always)]
fn root(semi_axes: &Vec3, y: &Vec3) -> EllipsoidRoot {
    let (_, d) = from_smallest(semi_axes);
    let c = semi_axes.zip_map(y, |e, y| {
        let c = e * y.abs();
        if c < IN_THE_MIDDLE * e * e { 0.0 } else { c }
    });
    // Each term at most 1.
    let mut s = (c - d).max().max(0.0);
    for _ in 0..MAX_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for i in 0..3 {
            if c[i] != 0.0 {
                let term = c[i] / (s + d[i]);
                sum += term * term;
                slope += term * term / (s + d[i]);
            }
        }
        let beyond = sum > 1.0;
        if !beyond {
            break;
        }
        let step = sum * (sum - 1.0) / ((sum.sqrt() + 1.0) * slope);
        s += step;
        if step <= LAST_STEP * s {
            break;
        }
    }
    if s > 0.0 {
        EllipsoidRoot::Regular(s)
    } else {
        EllipsoidRoot::Middle
    }
}

#[inline(always)]
fn from_ellipsoid<T: Real>(semi_axes: &Vec3, y: &Vec3<T>, root: &EllipsoidRoot) -> Nearest<T> {
    let (smallest, d) = from_smallest(semi_axes);
    let least = semi_axes[smallest];
    let (s, g) = match root {
        EllipsoidRoot::Regular(s) => regular(semi_axes, &d, y, *s),
        EllipsoidRoot::Middle => middle(semi_axes, smallest, &d, y),
    };
    let length = norm(&g);
    Nearest {
        distance: (s - least * least) * length,
        normal: g / length,
        point: g.zip_map(semi_axes, |g, e| g * (e * e)),
    }
}

/// s by one Newton step on S in the scalar of y, from its value; and g.
#[inline(always)]
fn regular<T: Real>(semi_axes: &Vec3, d: &Vec3, y: &Vec3<T>, s: f64) -> (T, Vec3<T>) {
    let (mut sum, mut slope) = (T::zero(), 0.0);
    for i in 0..3 {
        let term = y[i] * (semi_axes[i] / (s + d[i]));
        sum += term * term;
        slope += term.value() * term.value() / (s + d[i]);
    }
    let s = (sum - T::one()) / (2.0 * slope) + T::from(s);
    (s, y.zip_map(d, |y, d| y / (s + T::from(d))))
}

/// s and g in the middle plane, near the centre.
#[inline(always)]
fn middle<T: Real>(semi_axes: &Vec3, smallest: usize, d: &Vec3, y: &Vec3<T>) -> (T, Vec3<T>) {
    let least = semi_axes[smallest];
    let missing = |g: &Vec3<T>| {
        let terms = g.zip_map(semi_axes, |g, e| g * e);
        T::one() - terms.dot(&terms)
    };
    let across = |s: T| {
        y.zip_map(d, |y, d| {
            if d == 0.0 {
                T::zero()
            } else {
                y / (s + T::from(d))
            }
        })
    };
    let g_m = missing(&across(T::zero())).value().max(0.0).sqrt() / least;
    if g_m == 0.0 {
        return (T::zero(), across(T::zero()));
    }
    // s = y_m/g_m is zero, but not its derivative.
    let s = y[smallest] / g_m;
    let mut g = across(s);
    g[smallest] = missing(&g).sqrt() / least;
    (s, g)
}

/// Index of the first of the smallest axes, and d_i [m^2].
#[inline(always)]
fn from_smallest(semi_axes: &Vec3) -> (usize, Vec3) {
    let smallest = semi_axes.imin();
    let least = semi_axes[smallest];
    (smallest, semi_axes.map(|e| (e - least) * (e + least)))
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/round/tests/mod.rs"]
mod tests;
