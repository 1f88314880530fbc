//! The parts ("strata") of a core's boundary and their support functions.
//!
//! All points of one stratum have the same kind of normal cone, so the farthest point of the core along d,
//! restricted to the stratum, is a smooth function x(d, p) of d and, on most strata, one parameter p; f(d, p)
//! = d.x is the stratum's support function, x = df/dd. With rho the length of the part of d across an axis e
//! and m its direction:
//!
//! | stratum | f | parameter |
//! |---|---|---|
//! | vertex, straight edge, lateral of a cylinder, a beam and a cone | d.(q + p u) + (r + p r') rho | p in -1..1 along the edge or ruling |
//! | circle (rim of a cylinder or a cone, arc of a beam) | d.(q + r m(p)) | angle p [rad] |
//! | ellipsoid about q with matrix A of its semi-axes | d.q + \|A d\| | none |
//! | face | d = normal | none |
//!
//! A core that is a sum of segments and a disc (all but the ellipsoid and the hull) has a kink function for
//! each segment, d.u: positive where the end at p = 1 is farthest, negative where that at -1 is, zero on the
//! edge. The ruling of a cone counts as such a segment.
//!
//! # The soft support point of a face or edge, and the footprint of a core
//!
//! The farthest point of a core along a unit direction d jumps from one end of an edge or a face to the other
//! as d passes through its normal; its distance h(d) = max d.x, the support function, does not. A jumping
//! contact point makes a solver take ever smaller steps, so within [`BLEND`] of such a normal the soft
//! support point moves along the edge or across the face, with its middle where d is normal to it. With the
//! odd cubic s(x) = x (3 - x^2)/2, held at -1 and 1 beyond:
//!
//! - segment of half length a along e: a s(d.e/BLEND) e ([`step`])
//! - disc of radius R: R s(|t|/BLEND) t/|t|, t the part of d in the plane of the disc ([`on_disc`])
//! - sums of these (box, cylinder, beam): the sums
//! - cone: s of the cosine between d and the ruling blends between the two end circles, and the radius there
//!   is that of a disc
//! - polyhedron: mean of the vertices, each with weight (1 - depth/band)^2, depth [m] how far it lies behind
//!   the farthest one and band = BLEND times the largest extent. Across an edge shorter than the polyhedron
//!   that is an angle wider than BLEND, by the ratio of the two: the facets of a finely cut surface are
//!   crossed as smoothly as its long edges
//! - ellipsoid: the farthest point itself
//!
//! The soft point lies at most BLEND times the size of the face behind the farthest one, of a polyhedron less
//! than the band: no more than a loaded contact is deep, so the resultant of the real pressure moves as well.
//! The price: within the band the force is not the exact gradient of the elastic energy; a crate tumbling to
//! rest gains 1.3e-4 of its energy while it rocks.
//!
//! # Interface of a core to bounds, searches and contact
//!
//! With d a direction in the core frame, the support function is h(d) = max over the core of d.x. The strata
//! of a core are the parts of its boundary, see [`strata`](self). The defaults describe a point at the origin.
//!
//! Functions generic over the scalar, and the support mapping, are called for a known kind, so that they
//! inline; the rest also through `dyn Solid`.

use crate::math::real::{atan2, hypot};
use crate::math::{Mat3, Real, Vec3};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A kink function [1] this close to zero is zero: rounding of a direction.
pub(crate) const PARALLEL: f64 = 1e-12;
/// Distance, relative to the size of a stratum [1], by which a point of it may lie outside.
pub(crate) const INSIDE: f64 = 1e-12;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stratum {
    /// Stratum of a core made of segments and a disc, or of an ellipsoid.
    Ends(Ends),
    /// The complete core: strata are unknown, the normal is taken as found.
    Entire,
    /// One to three vertices of a polyhedron.
    Corners { corners: [u32; 3], count: u8 },
}

/// Stratum of a core made of segments and a disc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ends {
    /// End of the segment along each core axis, -1 or 1; 0 for the complete segment, or without one. A beam
    /// has no segment along x: there it is the side of the straight edges and of the flat side, else 0.
    pub along: [i8; 3],
    /// Whether the complete disc belongs to it.
    pub flat: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Element {
    /// Vertex, edge or lateral: d.(q + p u) + (r + p r') rho about `axis`.
    Line {
        /// Middle [m].
        q: Vec3,
        /// From the middle to the end at p = 1 [m].
        u: Vec3,
        /// Radius in the middle [m].
        r: f64,
        /// r' [m].
        slope: f64,
        /// The axis of the radius.
        axis: usize,
        /// Whether there is a parameter.
        long: bool,
    },
    Circle {
        q: Vec3,
        r: f64,
        /// The axis normal to its plane.
        axis: usize,
    },
    Ellipsoid {
        q: Vec3,
        semi_axes: Vec3,
    },
    Face {
        normal: Vec3,
        /// A point of its plane [m].
        q: Vec3,
    },
}

/// Support function of a stratum with its first derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SupportPoint<T: Real> {
    /// f [m].
    pub f: T,
    /// x = df/dd [m].
    pub x: Vec3<T>,
    /// dx/dp [m]; df/dp = d.u.
    pub u: Vec3<T>,
}

impl Ends {
    /// Sign of a kink function, 0 within `parallel` of zero.
    pub(crate) fn by_kink(kink: f64, parallel: f64) -> i8 {
        if kink > parallel {
            1
        } else if kink < -parallel {
            -1
        } else {
            0
        }
    }

    /// End of a segment at which a point lies, from its coordinate over the half length [1].
    pub(crate) fn at_end(v: f64) -> i8 {
        /// Fraction of a half length from which on a point is at its end.
        const AT_END: f64 = 1.0 - 1e-9;
        if v >= AT_END {
            1
        } else if v <= -AT_END {
            -1
        } else {
            0
        }
    }

    /// End of a segment of half length `half` [m] beyond which a coordinate lies, 0 within.
    pub(crate) fn beyond(v: f64, half: f64) -> i8 {
        if v.abs() <= half * (1.0 + INSIDE) {
            0
        } else if v < 0.0 {
            -1
        } else {
            1
        }
    }

    pub(crate) fn toward(v: f64) -> i8 {
        if v < 0.0 { -1 } else { 1 }
    }

    /// Returns true if a point (a, b) [m] near the surface lies in a disc of radius r [m], not on its rim;
    /// (da, db) is the unit normal's component in the plane of the disc.
    pub(crate) fn in_disc([a, b]: [f64; 2], r: f64, [da, db]: [f64; 2]) -> bool {
        /// Fraction of the radius within which a point lies in a disc, and the largest sine of the angle
        /// between the normals.
        const IN_DISC: (f64, f64) = (0.9, 0.2);
        hypot(a, b) < IN_DISC.0 * r && hypot(da, db) < IN_DISC.1
    }

    pub(crate) fn with_end(mut self, axis: usize, end: i8) -> Ends {
        self.along[axis] = end;
        self
    }

    pub(crate) fn with_flat(mut self, value: bool) -> Ends {
        self.flat = value;
        self
    }
}

impl Stratum {
    pub(crate) fn corner(index: usize) -> Stratum {
        Stratum::Corners {
            corners: [index as u32, 0, 0],
            count: 1,
        }
    }

    /// Returns true if both have the same vertices of a polyhedron, in any order.
    pub(crate) fn has_corners_of(&self, other: &Stratum) -> bool {
        match (self, other) {
            (
                Stratum::Corners { corners, .. },
                Stratum::Corners {
                    corners: others, ..
                },
            ) => corners.iter().all(|corner| others.contains(corner)),
            _ => false,
        }
    }
}

impl Element {
    pub(crate) fn point(q: Vec3) -> Element {
        Element::Line {
            q,
            u: Vec3::zeros(),
            r: 0.0,
            slope: 0.0,
            axis: 2,
            long: false,
        }
    }

    /// Straight edge from q - u to q + u [m].
    pub(crate) fn edge(q: Vec3, u: Vec3) -> Element {
        Element::lateral(q, u, 2, 0.0, 0.0)
    }

    /// Lateral surface about `axis` from q - u to q + u, with radius r - slope to r + slope [m].
    pub(crate) fn lateral(q: Vec3, u: Vec3, axis: usize, r: f64, slope: f64) -> Element {
        Element::Line {
            q,
            u,
            r,
            slope,
            axis,
            long: true,
        }
    }

    /// End, or all for 0, of a segment of half length `half` [m] along a core axis.
    pub(crate) fn along(q: Vec3, axis: usize, half: f64, end: i8) -> Element {
        if end == 0 {
            let mut u = Vec3::zeros();
            u[axis] = half;
            Element::edge(q, u)
        } else {
            Element::point(q)
        }
    }

    #[inline(always)]
    pub(crate) fn across(d: &Vec3, axis: usize) -> f64 {
        let (a, b) = (d[(axis + 1) % 3], d[(axis + 2) % 3]);
        (a * a + b * b).sqrt()
    }

    pub(crate) fn has_parameter(&self) -> bool {
        matches!(
            self,
            Element::Line { long: true, .. } | Element::Circle { .. }
        )
    }

    /// Parameter of the stratum's point nearest to x, or farthest along d if x does not determine it.
    pub(crate) fn parameter(&self, x: &Vec3, d: &Vec3) -> f64 {
        match self {
            Element::Line { q, u, .. } => {
                let square = u.norm_squared();
                if square > 0.0 {
                    ((x - q).dot(u) / square).clamp(-1.0, 1.0)
                } else {
                    0.0
                }
            }
            Element::Circle { q, axis, r } => {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let (a, b) = (x[i] - q[i], x[j] - q[j]);
                if a * a + b * b > 0.01 * r * r {
                    atan2(b, a)
                } else {
                    atan2(d[j], d[i])
                }
            }
            _ => 0.0,
        }
    }

    /// f, x and u for direction d and parameter p.
    #[inline(always)]
    pub(crate) fn support<T: Real>(&self, d: &Vec3<T>, p: T) -> SupportPoint<T> {
        match self {
            Element::Line {
                q,
                u,
                r,
                slope,
                axis,
                long,
            } => {
                let mut x = q.zip_map(u, |q, u| p * u + T::from(q));
                let mut tangent = u.map(T::from);
                let mut f = d.dot(&x);
                if *r > 0.0 {
                    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                    let rho = (d[i] * d[i] + d[j] * d[j]).sqrt();
                    let (a, b) = (d[i] / rho, d[j] / rho);
                    let radius = if *long {
                        p * *slope + T::from(*r)
                    } else {
                        T::from(*r)
                    };
                    f += radius * rho;
                    x[i] += radius * a;
                    x[j] += radius * b;
                    tangent[i] += a * *slope;
                    tangent[j] += b * *slope;
                }
                SupportPoint { f, x, u: tangent }
            }
            Element::Circle { q, r, axis } => {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let (sin, cos) = p.sin_cos();
                let mut x = q.map(T::from);
                x[i] += cos * *r;
                x[j] += sin * *r;
                let mut u = Vec3::zeros();
                u[i] = -sin * *r;
                u[j] = cos * *r;
                SupportPoint { f: d.dot(&x), x, u }
            }
            Element::Ellipsoid { q, semi_axes } => {
                let stretched = d.zip_map(semi_axes, |d, a| d * a);
                let f = stretched.dot(&stretched).sqrt();
                let q = q.map(T::from);
                SupportPoint {
                    f: f + d.dot(&q),
                    x: stretched.zip_map(semi_axes, |s, a| s * a / f) + q,
                    u: Vec3::zeros(),
                }
            }
            Element::Face { normal, q } => SupportPoint {
                f: T::from(normal.dot(q)),
                x: q.map(T::from),
                u: Vec3::zeros(),
            },
        }
    }

    /// Farthest point x; p is used where d does not determine the parameter.
    pub(crate) fn farthest<T: Real>(&self, d: &Vec3<T>, p: f64) -> Vec3<T> {
        if let Element::Circle { q, r, axis } = self {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            let rho = d[i] * d[i] + d[j] * d[j];
            if rho.value() > 0.0 {
                let scale = T::from(*r) / rho.sqrt();
                let mut x = q.map(T::from);
                x[i] += d[i] * scale;
                x[j] += d[j] * scale;
                return x;
            }
        }
        self.support(d, T::from(p)).x
    }

    /// d2f/dd2 times v [m].
    #[inline(always)]
    pub(crate) fn bend(&self, d: &Vec3, p: f64, v: &Vec3) -> Vec3 {
        match self {
            Element::Line { r, slope, axis, .. } if *r > 0.0 => {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let rho = (d[i] * d[i] + d[j] * d[j]).sqrt();
                let (a, b) = (d[i] / rho, d[j] / rho);
                let turn = (r + p * slope) / rho * (a * v[j] - b * v[i]);
                let mut bent = Vec3::zeros();
                bent[i] = -b * turn;
                bent[j] = a * turn;
                bent
            }
            Element::Ellipsoid { semi_axes, .. } => {
                let squares = semi_axes.component_mul(semi_axes);
                let x = squares.component_mul(d);
                let f = d.dot(&x).sqrt();
                (squares.component_mul(v) - x * (x.dot(v) / (f * f))) / f
            }
            _ => Vec3::zeros(),
        }
    }

    /// d2f/dp2 [m], where the support function has the value f [m].
    #[inline(always)]
    pub(crate) fn bend_of_parameter(&self, d: &Vec3, f: f64) -> f64 {
        match self {
            // -r d.m(p)
            Element::Circle { q, .. } => d.dot(q) - f,
            _ => 0.0,
        }
    }
}

/// Angle [rad] from the normal of an edge or a face within which its soft point moves.
pub(crate) const BLEND: f64 = 1e-4;

/// s(cosine/BLEND), for the cosine of the angle between d and an edge.
#[inline(always)]
pub(crate) fn step<T: Real>(cosine: T) -> T {
    let x = cosine.value() / BLEND;
    if x.abs() < 1.0 {
        let x = cosine / BLEND;
        x * (T::from(3.0) - x * x) * 0.5
    } else {
        T::from(x.signum())
    }
}

/// Point of a circle farthest along (x, y); its centre for the zero vector.
#[inline(always)]
pub(crate) fn on_circle(radius: f64, x: f64, y: f64) -> [f64; 2] {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 {
        [radius * x / length, radius * y / length]
    } else {
        [0.0; 2]
    }
}

/// Soft point of a disc of the given radius [m] in the plane of (x, y), components of d.
#[inline(always)]
pub(crate) fn on_disc<T: Real>(radius: f64, x: T, y: T) -> [T; 2] {
    let squared = x * x + y * y;
    // s(|t|/BLEND)/|t|, without dividing by zero.
    let scale = if squared.value() < BLEND * BLEND {
        (T::from(3.0) - squared / (BLEND * BLEND)) * (0.5 * radius / BLEND)
    } else {
        T::from(radius) / squared.sqrt()
    };
    [x * scale, y * scale]
}

#[inline(always)]
pub(crate) fn size<T: Real>(v: T) -> T {
    if v.value() == 0.0 {
        T::zero()
    } else if v.value() < 0.0 {
        -v
    } else {
        v
    }
}

#[inline(always)]
pub(crate) fn length<T: Real>(x: T, y: T) -> T {
    let squared = x * x + y * y;
    if squared.value() == 0.0 {
        T::zero()
    } else {
        squared.sqrt()
    }
}

#[inline(always)]
pub(crate) fn dot<T: Real>(a: &Vec3, d: &Vec3<T>) -> T {
    d.x * a.x + d.y * a.y + d.z * a.z
}

/// Soft point of a polyhedron with this largest extent [m] along d. `for_each` calls with all vertices that
/// are behind `farthest` by no more than a band [m], and may with others.
pub(crate) fn soft_vertex<T: Real>(
    farthest: &Vec3,
    d: &Vec3<T>,
    size: f64,
    for_each: impl FnOnce(f64, &mut dyn FnMut(&Vec3)),
) -> Vec3<T> {
    let (direction, band) = (d.map(Real::value), BLEND * size);
    let (mut sum, mut weights) = (Vec3::zeros(), T::zero());
    for_each(band, &mut |vertex| {
        let behind = farthest - vertex;
        if behind.dot(&direction) < band {
            let weight = T::from(1.0) - dot(&behind, d) / band;
            let weight = weight * weight;
            // Relative to the farthest one, which is the exact point where it is alone.
            sum += behind.map(|c| weight * c);
            weights += weight;
        }
    });
    farthest.zip_map(&sum, |f, s| T::from(f) - s / weights)
}

/// (1 - x^2)^2 with x = angle/BLEND, `None` beyond.
pub(crate) fn fade<T: Real>(sine: T) -> Option<T> {
    let x = sine / BLEND;
    (x.value().abs() < 1.0).then(|| {
        let rest = T::from(1.0) - x * x;
        rest * rest
    })
}

/// Returns true if an edge or a face is perpendicular to d to within [`BLEND`], by the sine of the angle.
#[inline(always)]
pub(crate) fn is_flat<T: Real>(sine: T) -> bool {
    sine.value().abs() < BLEND
}

#[inline(always)]
pub(crate) fn within<T: Real>(v: T, half: f64) -> T {
    if v.value() > half {
        T::from(half)
    } else if v.value() < -half {
        T::from(-half)
    } else {
        v
    }
}

#[inline(always)]
pub(crate) fn within_circle<T: Real>(x: T, y: T, r: f64) -> [T; 2] {
    let length = length(x, y);
    if length.value() > r {
        [x / length * r, y / length * r]
    } else {
        [x, y]
    }
}

/// Footprint: the edge or face that a core shows along a direction d, in a tangent basis normal to d. The
/// sum, for each segment of half length a along u, of the dyad a u u', and for a disc of radius R of the unit
/// matrix times R, each faded out ([`fade`]) as it turns away from perpendicular.
pub struct Footprint<T: Real> {
    /// Components (xx, xy, yy) of the sum [m].
    pub extents: [T; 3],
    /// Share of an edge or a face [1]: 1 where d is normal to it.
    pub edge: T,
    /// Share of a face alone [1].
    pub face: T,
}

impl<T: Real> Footprint<T> {
    pub(crate) fn nothing() -> Self {
        Footprint {
            extents: [T::zero(); 3],
            edge: T::zero(),
            face: T::zero(),
        }
    }

    pub(crate) fn add_segment(&mut self, cosine: T, half: f64, u: &Vec3<T>, basis: &[Vec3<T>; 2]) {
        let Some(fade) = fade(cosine) else {
            return;
        };
        let [x, y] = [basis[0].dot(u), basis[1].dot(u)];
        let length = fade * half;
        self.extents[0] += length * x * x;
        self.extents[1] += length * x * y;
        self.extents[2] += length * y * y;
        // The second of two edges makes a face.
        let both = self.edge * fade;
        if both.value() > self.face.value() {
            self.face = both;
        }
        if fade.value() > self.edge.value() {
            self.edge = fade;
        }
    }

    pub(crate) fn add_along(&mut self, axis: usize, half: f64, d: &Vec3<T>, basis: &[Vec3<T>; 2]) {
        let mut u = Vec3::zeros();
        u[axis] = T::one();
        self.add_segment(d[axis], half, &u, basis);
    }

    /// Adds a disc of this radius [m], after all segments; `sine` is the length of d's component in its
    /// plane.
    pub(crate) fn add_disc(&mut self, sine: T, radius: f64) {
        let Some(fade) = fade(sine) else {
            return;
        };
        self.extents[0] += fade * radius;
        self.extents[2] += fade * radius;
        self.face = fade;
        if fade.value() > self.edge.value() {
            self.edge = fade;
        }
    }

    /// `None` for a single point.
    pub(crate) fn shown(self) -> Option<Self> {
        (self.edge.value() > 0.0).then_some(self)
    }
}

/// Convex core in its own frame; the defaults describe a point at the origin.
pub trait Solid {
    /// Whether the core is a body of revolution about z.
    fn is_revolved(&self) -> bool {
        false
    }

    /// Support mapping: a point of the core farthest along `d` (any length > 0) [m]. For an entire edge or
    /// face, the middle of a flat round end or a fixed corner.
    #[inline(always)]
    fn support(&self, _d: &Vec3) -> Vec3 {
        Vec3::zeros()
    }

    /// Support function h(d) [m] of the unit vector `d`. Where d is normal to a face or an edge the
    /// derivative is the middle of that feature.
    #[inline(always)]
    fn support_function<T: Real>(&self, _d: &Vec3<T>) -> T
    where
        Self: Sized,
    {
        T::zero()
    }

    /// Soft support point for the unit vector `d` [m], see [`soft`](self).
    #[inline(always)]
    fn soft_support<T: Real>(&self, _d: &Vec3<T>) -> Vec3<T>
    where
        Self: Sized,
    {
        Vec3::zeros()
    }

    /// Footprint along the unit vector `d`, in a tangent basis normal to it; `None` for a single point.
    fn footprint<T: Real>(&self, _d: &Vec3<T>, _basis: &[Vec3<T>; 2]) -> Option<Footprint<T>>
    where
        Self: Sized,
    {
        None
    }

    /// Clamps the point p [m] into the edge or face farthest along the unit vector `d`, if d is nearly normal
    /// to one; keeps its height over it.
    fn clamped<T: Real>(&self, _d: &Vec3<T>, p: Vec3<T>) -> Vec3<T>
    where
        Self: Sized,
    {
        p
    }

    /// Upper bound of the distance of the core's points from the origin of its frame [m].
    fn reach(&self) -> f64 {
        let [lower, upper] = bounds(&|d| self.support(d), &Mat3::identity());
        upper.sup(&-lower).norm()
    }

    /// Largest absolute coordinate of the core's points [m].
    fn largest_coordinate(&self) -> f64 {
        0.0
    }

    /// Lower and upper corner [m] of the bounding box along the axes of an outer frame with the same origin;
    /// `rotation` maps to that frame.
    fn bounds(&self, rotation: &Mat3) -> [Vec3; 2] {
        bounds(&|d| self.support(d), rotation)
    }

    /// Lower and upper corner [m] of the bounding box along the core's axes, for a core whose
    /// [`Self::bounds`] are expensive.
    fn own_box(&self) -> Option<[Vec3; 2]> {
        None
    }

    /// Axes along which the core has a segment, or a ruling that counts as one.
    fn segments(&self) -> Range<usize> {
        0..0
    }

    /// Axis of the core's disc.
    fn disc_axis(&self) -> Option<usize> {
        None
    }

    /// Kink function of the segment along `axis`: cosine [1] of its angle to d.
    fn kink(&self, axis: usize, d: &Vec3) -> f64 {
        d[axis]
    }

    /// Returns true if the core has the stratum with these ends, all of them -1, 0 or 1.
    fn has_ends(&self, ends: &Ends) -> bool {
        *ends == Ends::default()
    }

    /// Changes ends that occur only in a face to the ends of that face, near direction d.
    fn settled(&self, ends: Ends, _d: &Vec3) -> Ends {
        ends
    }

    /// Ends of the stratum at a point x [m] near the surface with direction d.
    fn ends_near(&self, _x: &Vec3, _d: &Vec3) -> Ends {
        Ends::default()
    }

    /// Ends of the neighbour of a face over which a point y [m] lies; unchanged if it lies over the face.
    fn ends_below(&self, ends: &Ends, _y: &Vec3) -> Ends {
        *ends
    }

    /// Returns true if a straight edge with these ends is on the far side of the adjacent flat face, seen
    /// along d, so that the face is nearer.
    fn hides(&self, _ends: &Ends, _d: &Vec3) -> bool {
        false
    }

    /// Nearest point [m] to another one on the stratum with these ends, for a core where that takes more than
    /// one parameter.
    fn nearest_on_border(&self, _ends: &Ends, _to: &Vec3) -> Option<Vec3> {
        None
    }

    /// Numbers of the stratum with these ends.
    fn element_of_ends(&self, _ends: &Ends) -> Element {
        Element::point(Vec3::zeros())
    }

    /// Radius [m] of a ball inside the core that touches its surface in x, a point of the stratum or over it:
    /// any lower bound, zero if none is known.
    fn inner_radius(&self, _ends: &Ends, _x: &Vec3) -> f64 {
        0.0
    }

    /// Returns true if the core has this stratum; false for a stratum of another kind of core or polyhedron.
    fn has(&self, part: &Stratum) -> bool {
        match part {
            Stratum::Ends(ends) => {
                ends.along.iter().all(|end| (-1..=1).contains(end)) && self.has_ends(ends)
            }
            _ => false,
        }
    }

    /// Farthest stratum along d: a complete edge or face if d is normal to it within the angle `parallel`
    /// [rad].
    fn farthest_stratum(&self, d: &Vec3, parallel: f64) -> Stratum {
        let mut ends = Ends::default();
        for axis in self.segments() {
            ends.along[axis] = Ends::by_kink(self.kink(axis, d), parallel);
        }
        let is_across = |axis| Element::across(d, axis) <= parallel;
        ends.flat = self.disc_axis().is_some_and(is_across);
        Stratum::Ends(self.settled(ends, d))
    }

    /// Numbers of a stratum.
    fn element(&self, part: &Stratum) -> Element {
        match part {
            Stratum::Ends(ends) => self.element_of_ends(ends),
            _ => Element::point(Vec3::zeros()),
        }
    }

    /// Neighbour of a face over which a point y [m] lies; `None` if it lies over the face.
    fn exit(&self, part: &Stratum, y: &Vec3) -> Option<Stratum> {
        let Stratum::Ends(ends) = part else {
            return None;
        };
        let new = self.ends_below(ends, y);
        (new != *ends).then_some(Stratum::Ends(new))
    }
}

/// [`Solid::bounds`] by the support mapping, one function for all kinds.
fn bounds(support: &dyn Fn(&Vec3) -> Vec3, rotation: &Mat3) -> [Vec3; 2] {
    let (mut lower, mut upper) = (Vec3::zeros(), Vec3::zeros());
    for i in 0..3 {
        // The outer axis in the axes of the core.
        let axis = rotation.row(i).transpose();
        upper[i] = axis.dot(&support(&axis));
        lower[i] = axis.dot(&support(&-axis));
    }
    [lower, upper]
}

#[cfg(test)]
#[path = "../../tests/unit/shapes/soft/tests.rs"]
mod tests;
