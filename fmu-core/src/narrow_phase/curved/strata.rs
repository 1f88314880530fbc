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
//! | ellipsoid of semi-axes A | \|A d\| | none |
//! | face | d = normal | none |
//!
//! A core that is a sum of segments and a disc (all but the ellipsoid and the hull) has a kink
//! function for each segment, d.u: positive where the end at p = 1 is farthest, negative where
//! that at -1 is, zero on the edge. The ruling of a cone counts as such a segment.

use crate::geometry::{Core, Hull};
use crate::math::transcendental::{atan2, hypot};
use crate::math::{Real, Vec3};
use crate::narrow_phase::soft;
use serde::{Deserialize, Serialize};

/// A kink function [1] this near to zero is zero: rounding of a direction.
pub const PARALLEL: f64 = 1e-12;
/// How far [1, relative to the size of the stratum] a point may lie outside its stratum.
pub const INSIDE: f64 = 1e-12;

/// Name of a stratum of a core.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stratum {
    /// Of a core made of segments and a disc: for each segment by the core axis it lies along the
    /// end that is farthest, 0 for all of it; and whether all of the disc is.
    Ends {
        /// -1, 0 or 1 for each axis. A beam has no segment along x: there it is the side of the
        /// straight edges and of the flat side, 0 elsewhere.
        ends: [i8; 3],
        /// All of the disc.
        flat: bool,
    },
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

/// Numbers of a stratum, core frame.
#[derive(Clone, Copy, Debug)]
pub enum Element {
    /// Vertex, edge or lateral: d.(q + p u) + (r + p r') rho about `axis`.
    Line {
        q: Vec3,
        u: Vec3,
        r: f64,
        slope: f64,
        axis: usize,
        /// Whether there is a parameter.
        long: bool,
    },
    /// Circle of radius r about q in the plane across `axis`.
    Circle { q: Vec3, r: f64, axis: usize },
    /// Ellipsoid.
    Ellipsoid { semi_axes: Vec3 },
    /// Face with its outward unit normal, through q.
    Face { normal: Vec3, q: Vec3 },
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

/// The axes whose segment a core has.
pub fn segments(core: &Core) -> std::ops::Range<usize> {
    match core {
        Core::Box { .. } => 0..3,
        Core::Beam { .. } => 1..3,
        Core::Cylinder { .. } | Core::Cone { .. } | Core::Segment { .. } => 2..3,
        _ => 0..0,
    }
}

/// The axis of the disc of a core.
fn disc_axis(core: &Core) -> usize {
    if matches!(core, Core::Beam { .. }) {
        1
    } else {
        2
    }
}

/// Kink function of the segment along `axis`: cosine [1] of the angle between d and it.
pub fn kink(core: &Core, axis: usize, d: &Vec3) -> f64 {
    match core {
        Core::Cone { z, radii } => {
            let (rise, spread) = (z[1] - z[0], radii[1] - radii[0]);
            (rise * d.z + spread * across(d, 2)) / hypot(rise, spread)
        }
        _ => d[axis],
    }
}

/// Length of the part of d across an axis.
#[inline(always)]
fn across(d: &Vec3, axis: usize) -> f64 {
    let (a, b) = (d[(axis + 1) % 3], d[(axis + 2) % 3]);
    (a * a + b * b).sqrt()
}

/// -1, 0 or 1 by the sign of a kink function, 0 within `parallel` of zero.
fn end(kink: f64, parallel: f64) -> i8 {
    if kink > parallel {
        1
    } else if kink < -parallel {
        -1
    } else {
        0
    }
}

impl Stratum {
    /// The farthest stratum along d: all of an edge or a face to which d is normal within the angle
    /// `parallel` [rad].
    pub fn farthest(core: &Core, d: &Vec3, parallel: f64) -> Stratum {
        if let Core::Hull(hull) = core {
            return Stratum::corner(hull.farthest(d));
        }
        let mut ends = [0; 3];
        for axis in segments(core) {
            ends[axis] = end(kink(core, axis, d), parallel);
        }
        let part = Stratum::Ends { ends, flat: false };
        let has_disc = matches!(
            core,
            Core::Cylinder { .. } | Core::Cone { .. } | Core::Beam { .. }
        );
        if has_disc && across(d, disc_axis(core)) <= parallel {
            return part.with_flat(true).settled(core, d);
        }
        part.settled(core, d)
    }

    /// Whether a core has this stratum: that of another kind of core, or of a polyhedron with other
    /// vertices, is of no use.
    pub fn is_of(&self, core: &Core) -> bool {
        match (self, core) {
            (Stratum::Corners { corners, count }, Core::Hull(hull)) => {
                let used = corners.get(..usize::from(*count)).unwrap_or_default();
                let known = |i: &u32| (*i as usize) < hull.vertices().len();
                let repeated = (1..used.len()).any(|i| used[..i].contains(&used[i]));
                !used.is_empty() && used.iter().all(known) && !repeated
            }
            (_, Core::Hull(_)) | (Stratum::Corners { .. } | Stratum::Entire, _) => false,
            (Stratum::Ends { ends, flat }, _) => {
                let [x, y, z] = ends.map(|end| end != 0);
                ends.iter().all(|end| (-1..=1).contains(end))
                    && match core {
                        Core::Box { .. } => !flat && (x || y || z),
                        Core::Beam { .. } => (x || z) && (y || !flat),
                        Core::Cylinder { .. } => !x && !y && (z || !flat),
                        Core::Cone { radii, .. } => {
                            let end = usize::from(ends[2] > 0);
                            !x && !y && (!flat || z && radii[end] > 0.0)
                        }
                        Core::Segment { .. } => !x && !y && !flat,
                        _ => !x && !y && !z && !flat,
                    }
            }
        }
    }

    /// One vertex of a polyhedron.
    pub fn corner(index: usize) -> Stratum {
        Stratum::Corners {
            corners: [index as u32, 0, 0],
            count: 1,
        }
    }

    /// One to three vertices of a polyhedron, repeated ones counted once; three in the order that
    /// makes d an outward direction.
    pub fn through(hull: &Hull, indices: impl Iterator<Item = u32>, d: &Vec3) -> Stratum {
        let mut corners = [0; 3];
        let mut count = 0;
        for index in indices {
            if count < 3 && !corners[..count].contains(&index) {
                corners[count] = index;
                count += 1;
            }
        }
        if count == 3 {
            let at = |i: u32| {
                let last = hull.vertices().len().saturating_sub(1);
                hull.vertices()[(i as usize).min(last)]
            };
            let [p, q, r] = corners.map(at);
            if (q - p).cross(&(r - p)).dot(d) < 0.0 {
                corners.swap(0, 1);
            }
        }
        Stratum::Corners {
            corners,
            count: count as u8,
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

    /// The same with one end changed.
    pub fn with_end(mut self, axis: usize, end: i8) -> Stratum {
        if let Stratum::Ends { ends, .. } = &mut self {
            ends[axis] = end;
        }
        self
    }

    /// The same with all of the disc or not.
    pub fn with_flat(mut self, value: bool) -> Stratum {
        if let Stratum::Ends { flat, .. } = &mut self {
            *flat = value;
        }
        self
    }

    /// A combination of edges that only a face has, made that face, near direction d.
    pub fn settled(mut self, core: &Core, d: &Vec3) -> Stratum {
        let Stratum::Ends { ends, flat } = &mut self else {
            return self;
        };
        let toward = |v: f64| if v < 0.0 { -1 } else { 1 };
        match core {
            Core::Box { .. } if *ends == [0; 3] => {
                let axis = d.iamax();
                ends[axis] = toward(d[axis]);
            }
            Core::Beam { .. } => {
                // The side of the straight edges and of the flat side.
                if ends[2] != 0 {
                    ends[0] = 0;
                } else if ends[0] == 0 {
                    ends[0] = toward(d.x);
                }
                if ends[1] == 0 && ends[2] == 0 {
                    *flat = false;
                } else if *flat && ends[1] == 0 {
                    ends[1] = toward(d.y);
                }
            }
            Core::Cylinder { .. } | Core::Cone { .. } if *flat && ends[2] == 0 => {
                ends[2] = toward(d.z);
            }
            _ => {}
        }
        if let (Core::Cone { radii, .. }, true) = (core, *flat) {
            // The apex has no face.
            *flat = radii[usize::from(ends[2] > 0)] > 0.0;
        }
        self
    }

    /// The numbers of the stratum.
    pub fn element(&self, core: &Core) -> Element {
        match (self, core) {
            (Stratum::Corners { corners, count }, Core::Hull(hull)) => {
                of_corners(hull, corners, *count)
            }
            (Stratum::Ends { ends, flat }, _) => match core {
                Core::Segment { half } => {
                    let q = Vec3::new(0.0, 0.0, f64::from(ends[2]) * half);
                    along(q, 2, *half, ends[2])
                }
                Core::Box { half } => of_box(half, ends),
                Core::Cylinder { radius, half } => of_cylinder(*radius, *half, ends[2], *flat),
                Core::Cone { z, radii } => of_cone(z, radii, ends[2], *flat),
                Core::Beam {
                    half,
                    radius,
                    half_thickness,
                } => of_beam([*half, *radius, *half_thickness], ends, *flat),
                Core::Ellipsoid { semi_axes } => Element::Ellipsoid {
                    semi_axes: *semi_axes,
                },
                _ => point(Vec3::zeros()),
            },
            _ => point(Vec3::zeros()),
        }
    }
}

/// Vertex, edge or face of a hull by one, two or three of its corners.
fn of_corners(hull: &Hull, corners: &[u32; 3], count: u8) -> Element {
    let at = |i: usize| {
        let last = hull.vertices().len().saturating_sub(1);
        hull.vertices()[(corners[i] as usize).min(last)]
    };
    match count {
        1 => point(at(0)),
        2 => edge((at(0) + at(1)) * 0.5, (at(1) - at(0)) * 0.5),
        _ => {
            let normal = (at(1) - at(0)).cross(&(at(2) - at(0)));
            Element::Face {
                normal: normal / normal.norm(),
                q: at(0),
            }
        }
    }
}

fn of_box(half: &Vec3, ends: &[i8; 3]) -> Element {
    let [x, y, z] = ends.map(f64::from);
    let q = Vec3::new(x, y, z).component_mul(half);
    let free = ends.iter().filter(|end| **end == 0).count();
    let axis = ends.iter().position(|end| *end == 0).unwrap_or(0);
    match free {
        0 => point(q),
        1 => along(q, axis, half[axis], 0),
        _ => Element::Face {
            normal: Vec3::new(x, y, z),
            q,
        },
    }
}

fn of_cylinder(radius: f64, half: f64, end: i8, flat: bool) -> Element {
    let z = f64::from(end);
    let q = Vec3::new(0.0, 0.0, z * half);
    if flat {
        Element::Face {
            normal: Vec3::new(0.0, 0.0, z),
            q,
        }
    } else if end == 0 {
        lateral(q, Vec3::new(0.0, 0.0, half), 2, radius, 0.0)
    } else {
        Element::Circle {
            q,
            r: radius,
            axis: 2,
        }
    }
}

fn of_cone(heights: &[f64; 2], radii: &[f64; 2], end: i8, flat: bool) -> Element {
    let top = usize::from(end > 0);
    let q = Vec3::new(0.0, 0.0, heights[top]);
    if end == 0 {
        let middle = 0.5 * (heights[0] + heights[1]);
        let half = 0.5 * (heights[1] - heights[0]);
        let slope = 0.5 * (radii[1] - radii[0]);
        lateral(
            Vec3::new(0.0, 0.0, middle),
            Vec3::new(0.0, 0.0, half),
            2,
            0.5 * (radii[0] + radii[1]),
            slope,
        )
    } else if flat {
        Element::Face {
            normal: Vec3::new(0.0, 0.0, f64::from(end)),
            q,
        }
    } else if radii[top] > 0.0 {
        Element::Circle {
            q,
            r: radii[top],
            axis: 2,
        }
    } else {
        point(q)
    }
}

fn of_beam([half, radius, half_thickness]: [f64; 3], ends: &[i8; 3], flat: bool) -> Element {
    let [x, y, z] = ends.map(f64::from);
    let q = Vec3::new(0.0, y * half_thickness, z * half);
    if flat {
        Element::Face {
            normal: Vec3::new(0.0, y, 0.0),
            q: Vec3::new(0.0, y * half_thickness, 0.0),
        }
    } else if ends[1] == 0 && ends[2] == 0 {
        Element::Face {
            normal: Vec3::new(x, 0.0, 0.0),
            q: Vec3::new(x * radius, 0.0, 0.0),
        }
    } else if ends[1] == 0 {
        lateral(q, Vec3::new(0.0, half_thickness, 0.0), 1, radius, 0.0)
    } else if ends[2] == 0 {
        edge(Vec3::new(x * radius, q.y, 0.0), Vec3::new(0.0, 0.0, half))
    } else {
        Element::Circle {
            q,
            r: radius,
            axis: 1,
        }
    }
}

fn point(q: Vec3) -> Element {
    Element::Line {
        q,
        u: Vec3::zeros(),
        r: 0.0,
        slope: 0.0,
        axis: 2,
        long: false,
    }
}

fn edge(q: Vec3, u: Vec3) -> Element {
    lateral(q, u, 2, 0.0, 0.0)
}

fn lateral(q: Vec3, u: Vec3, axis: usize, r: f64, slope: f64) -> Element {
    Element::Line {
        q,
        u,
        r,
        slope,
        axis,
        long: true,
    }
}

/// An end or all of a segment along a core axis.
fn along(q: Vec3, axis: usize, half: f64, end: i8) -> Element {
    if end == 0 {
        let mut u = Vec3::zeros();
        u[axis] = half;
        edge(q, u)
    } else {
        point(q)
    }
}

impl Element {
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
            Element::Ellipsoid { semi_axes } => {
                let stretched = d.zip_map(semi_axes, |d, a| d * a);
                let f = stretched.dot(&stretched).sqrt();
                Support {
                    f,
                    x: stretched.zip_map(semi_axes, |s, a| s * a / f),
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
            Element::Ellipsoid { semi_axes } => {
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

/// h(d) of an entire core [m].
#[inline(always)]
pub fn height<T: Real>(core: &Core, d: &Vec3<T>) -> T {
    soft::support_function(core, d)
}
