//! The parts ("strata") of a core's boundary and their support functions.
//!
//! All points of one stratum have the same kind of normal cone, so the farthest point of the core
//! along d, restricted to the stratum, is a smooth function x(d, p) of d and of at most one
//! parameter p; f(d, p) = d.x is the stratum's support function, x = df/dd. With rho the length of
//! the part of d across an axis e and m its direction:
//!
//! | stratum | f | parameter |
//! |---|---|---|
//! | vertex, straight edge, lateral of a cylinder, a beam and a cone | d.(q + p u) + (r + p r') rho | p in -1..1 along the edge or ruling |
//! | circle (rim of a cylinder or a cone, arc of a beam) | d.(q + r m(p)) | angle p [rad] |
//! | ellipsoid about q with matrix A of its semi-axes | d.q + \|A d\| | none |
//! | face | d = normal | none |
//!
//! A core that is a sum of segments and a disc (all but the ellipsoid and the hull) has a kink
//! function for each segment, d.u: positive where the end at p = 1 is farthest, negative where
//! that at -1 is, zero on the edge. The ruling of a cone counts as such a segment.

use crate::math::transcendental::{atan2, hypot};
use crate::math::{Real, Vec3};
use serde::{Deserialize, Serialize};

/// A kink function [1] this near to zero is zero: rounding of a direction.
pub const PARALLEL: f64 = 1e-12;
/// How far [1, relative to the size of the stratum] a point may lie outside its stratum.
pub const INSIDE: f64 = 1e-12;

/// Name of a stratum of a core.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stratum {
    /// Of a core made of segments and a disc, and of an ellipsoid.
    Ends(Ends),
    /// All of the core: the strata are not known, the normal is taken as it was found.
    Entire,
    /// Of a polyhedron: one, two or three of its vertices.
    Corners {
        /// Their indices.
        corners: [u32; 3],
        /// How many of them count.
        count: u8,
    },
}

/// Which ends of its segments and how much of its disc a stratum has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ends {
    /// For each segment, by the core axis that it lies along, the end that is farthest, -1 or 1; 0
    /// for all of it. A beam has no segment along x: there it is the side of the straight edges and
    /// of the flat side, 0 elsewhere.
    pub along: [i8; 3],
    /// All of the disc.
    pub flat: bool,
}

/// Numbers of a stratum, core frame.
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
    /// Circle.
    Circle {
        /// Centre [m].
        q: Vec3,
        /// Radius [m].
        r: f64,
        /// The axis across its plane.
        axis: usize,
    },
    /// Ellipsoid along the axes of the core.
    Ellipsoid {
        /// Centre [m].
        q: Vec3,
        /// Semi-axes [m].
        semi_axes: Vec3,
    },
    /// Face.
    Face {
        /// Outward unit normal.
        normal: Vec3,
        /// A point of its plane [m].
        q: Vec3,
    },
}

/// Support function of a stratum with its first derivatives.
#[derive(Clone, Copy, Debug)]
pub struct Support<T: Real> {
    /// f [m].
    pub f: T,
    /// x = df/dd [m].
    pub x: Vec3<T>,
    /// dx/dp [m]; df/dp = d.u.
    pub u: Vec3<T>,
}

impl Ends {
    /// -1, 0 or 1 by the sign of a kink function, 0 within `parallel` of zero.
    pub fn by_kink(kink: f64, parallel: f64) -> i8 {
        if kink > parallel {
            1
        } else if kink < -parallel {
            -1
        } else {
            0
        }
    }

    /// The end of a segment at which a point lies, by its coordinate relative to the half length
    /// [1].
    pub fn at_end(v: f64) -> i8 {
        /// Part of a half length beyond which a point is taken to be at its end.
        const AT_END: f64 = 1.0 - 1e-9;
        if v >= AT_END {
            1
        } else if v <= -AT_END {
            -1
        } else {
            0
        }
    }

    /// The end of a segment of half length `half` [m] beyond which a coordinate lies, 0 within.
    pub fn beyond(v: f64, half: f64) -> i8 {
        if v.abs() <= half * (1.0 + INSIDE) {
            0
        } else if v < 0.0 {
            -1
        } else {
            1
        }
    }

    /// The side of zero on which a number lies, -1 or 1.
    pub fn toward(v: f64) -> i8 {
        if v < 0.0 { -1 } else { 1 }
    }

    /// Whether a point (a, b) [m] near the surface lies in a disc of radius r [m], not on its rim;
    /// (da, db) are the parts of the unit normal there in the plane of the disc.
    pub fn in_disc([a, b]: [f64; 2], r: f64, [da, db]: [f64; 2]) -> bool {
        /// Part of the radius within which a point is taken to lie in a disc, and the largest sine
        /// of the angle between normals of the two.
        const IN_DISC: (f64, f64) = (0.9, 0.2);
        hypot(a, b) < IN_DISC.0 * r && hypot(da, db) < IN_DISC.1
    }

    /// The same with one end changed.
    pub fn with_end(mut self, axis: usize, end: i8) -> Ends {
        self.along[axis] = end;
        self
    }

    /// The same with all of the disc or not.
    pub fn with_flat(mut self, value: bool) -> Ends {
        self.flat = value;
        self
    }
}

impl Stratum {
    /// One vertex of a polyhedron.
    pub fn corner(index: usize) -> Stratum {
        Stratum::Corners {
            corners: [index as u32, 0, 0],
            count: 1,
        }
    }

    /// Whether both are made of the same vertices of a polyhedron, in any order.
    pub fn has_corners_of(&self, other: &Stratum) -> bool {
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
    /// A vertex.
    pub fn point(q: Vec3) -> Element {
        Element::Line {
            q,
            u: Vec3::zeros(),
            r: 0.0,
            slope: 0.0,
            axis: 2,
            long: false,
        }
    }

    /// A straight edge from q - u to q + u [m].
    pub fn edge(q: Vec3, u: Vec3) -> Element {
        Element::lateral(q, u, 2, 0.0, 0.0)
    }

    /// A lateral surface about `axis` from q - u to q + u, of radius r - slope to r + slope [m].
    pub fn lateral(q: Vec3, u: Vec3, axis: usize, r: f64, slope: f64) -> Element {
        Element::Line {
            q,
            u,
            r,
            slope,
            axis,
            long: true,
        }
    }

    /// An end or all of a segment of half length `half` [m] along a core axis.
    pub fn along(q: Vec3, axis: usize, half: f64, end: i8) -> Element {
        if end == 0 {
            let mut u = Vec3::zeros();
            u[axis] = half;
            Element::edge(q, u)
        } else {
            Element::point(q)
        }
    }

    /// Length of the part of d across an axis.
    #[inline(always)]
    pub fn across(d: &Vec3, axis: usize) -> f64 {
        let (a, b) = (d[(axis + 1) % 3], d[(axis + 2) % 3]);
        (a * a + b * b).sqrt()
    }

    /// Whether the stratum has a parameter.
    pub fn has_parameter(&self) -> bool {
        matches!(
            self,
            Element::Line { long: true, .. } | Element::Circle { .. }
        )
    }

    /// Parameter of the stratum's point nearest to x, or farthest along d where x does not
    /// determine it.
    pub fn parameter(&self, x: &Vec3, d: &Vec3) -> f64 {
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
    pub fn support<T: Real>(&self, d: &Vec3<T>, p: T) -> Support<T> {
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
                Support { f, x, u: tangent }
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
                Support { f: d.dot(&x), x, u }
            }
            Element::Ellipsoid { q, semi_axes } => {
                let stretched = d.zip_map(semi_axes, |d, a| d * a);
                let f = stretched.dot(&stretched).sqrt();
                let q = q.map(T::from);
                Support {
                    f: f + d.dot(&q),
                    x: stretched.zip_map(semi_axes, |s, a| s * a / f) + q,
                    u: Vec3::zeros(),
                }
            }
            Element::Face { normal, q } => Support {
                f: T::from(normal.dot(q)),
                x: q.map(T::from),
                u: Vec3::zeros(),
            },
        }
    }

    /// x where p is the parameter that d gives where it gives one: that of a circle.
    pub fn farthest<T: Real>(&self, d: &Vec3<T>, p: f64) -> Vec3<T> {
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
    pub fn bend(&self, d: &Vec3, p: f64, v: &Vec3) -> Vec3 {
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

    /// d2f/dp2 [m] where the support function has the value f [m].
    #[inline(always)]
    pub fn bend_of_parameter(&self, d: &Vec3, f: f64) -> f64 {
        match self {
            // -r d.m(p)
            Element::Circle { q, .. } => d.dot(q) - f,
            _ => 0.0,
        }
    }
}
