//! Nodes on a planar face.
//!
//! Where plane j is the nearest one the pressure is linear, and that region of the face is convex,
//! bounded by segments and arcs. It is cut into triangles and sectors from its point nearest to the
//! middle of the face, so that the nodes move little when an edge begins to cut the face, and that
//! a face turning about its middle has nodes along rays on which the slip is linear. On a ray the
//! rule is that for rho f(rho); along an arc the integrand is a polynomial in sine and cosine.

use super::field::{Chart, Depth, Part, Sample, Samples};
use super::outline::{Corner, Shape, Side, cross};
use super::rules::{RADIAL, Rule, TWO, arc};
use crate::math::Vec2;
use crate::math::transcendental::{atan2, sin_cos};
use crate::narrow_phase::area;
use std::f64::consts::PI;

/// A planar face of the body.
pub(super) struct Face {
    /// Origin in the middle of the face, third axis along its normal out of the body.
    pub chart: Chart,
    /// Its shape.
    pub shape: Shape,
}

/// Outlines of a region, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlines {
    now: Vec<Corner>,
    next: Vec<Corner>,
}

impl Outlines {
    /// Room for cuts by so many planes.
    pub fn reserve(&mut self, planes: usize) {
        // Each cut adds a corner to at most eight of a shape, segments and arcs.
        self.now.reserve(8 + 2 * planes);
        self.next.reserve(8 + 2 * planes);
    }
}

impl Face {
    /// Least and largest depth on the face [m].
    pub fn extent(&self, depth: &Depth) -> [f64; 2] {
        let reach = self.shape.reach(depth.slope.x, depth.slope.y);
        [depth.c - reach, depth.c + reach]
    }

    /// Pushes the nodes of the face. `active` are the depths over its chart.
    pub fn sample(&self, active: &[Depth], outlines: &mut Outlines, samples: &mut Samples) {
        for (j, depth) in active.iter().enumerate() {
            self.shape.outline(&mut outlines.now);
            let side = |depth: &Depth| [depth.c, depth.slope.x, depth.slope.y];
            let mut left = self.cut(&side(depth), outlines);
            for (m, other) in active.iter().enumerate() {
                left = left && (m == j || self.cut(&side(&other.beyond(depth)), outlines));
            }
            if left {
                let mut sink = Sink {
                    face: self,
                    plane: depth.plane,
                    samples,
                };
                sink.region(&outlines.now);
                sink.end(&outlines.now);
            }
        }
    }

    /// Keeps the region on one side and says whether anything is left of it.
    fn cut(&self, side: &Side, outlines: &mut Outlines) -> bool {
        let reach = self.shape.reach(side[1], side[2]);
        if side[0] >= reach {
            return true;
        }
        let Outlines { now, next } = outlines;
        let left = self.shape.cut(side, now, next);
        std::mem::swap(now, next);
        left
    }
}

/// Where the nodes of one region go.
struct Sink<'a> {
    face: &'a Face,
    plane: usize,
    samples: &'a mut Samples,
}

impl Sink<'_> {
    fn region(&mut self, corners: &[Corner]) {
        let center = middle(corners);
        let count = corners.len();
        let next = |i: usize| &corners[(i + 1) % count];
        let round = self.face.shape.center(1.0)[0] == 0.0;
        // Pieces of one circle that follow each other are one arc.
        let joined = |i: usize| {
            corners[i].arc != 0.0 && (next(i).arc == corners[i].arc || round && next(i).arc != 0.0)
        };
        let Some(last) = (0..count).find(|i| !joined(*i)) else {
            self.disc();
            return;
        };
        let (mut begin, mut span) = (None, 0.0);
        for i in (1..=count).map(|i| (last + i) % count) {
            let corner = &corners[i];
            if corner.arc == 0.0 {
                self.triangle(&center, &corner.at, &next(i).at);
                continue;
            }
            begin = begin.or(Some(corner));
            span += self.span(corner, next(i));
            if !joined(i)
                && let Some(first) = begin
            {
                self.sector(&center, first, 0.5 * span);
                (begin, span) = (None, 0.0);
            }
        }
    }

    /// Ends the region of these corners.
    fn end(&mut self, corners: &[Corner]) {
        let places = corners.iter().map(|corner| Vec2::from(corner.at));
        let middle = places.sum::<Vec2>() / corners.len() as f64;
        let from_middle = |p: [f64; 2]| Vec2::from(p) - middle;
        let shape = &self.face.shape;
        let start = self.samples.corners.len();
        let corners = corners.iter().map(|corner| area::Corner {
            place: from_middle(corner.at),
            center: (corner.arc != 0.0).then(|| from_middle(shape.center(corner.arc))),
        });
        self.samples.corners.extend(corners);
        self.samples.end(Part::Region {
            chart: self.face.chart,
            middle,
            corners: (start, self.samples.corners.len()),
            plane: self.plane,
        });
    }

    /// Angle of an arc of at most a quarter of a circle [rad].
    fn span(&self, from: &Corner, to: &Corner) -> f64 {
        let center = self.face.shape.center(from.arc);
        let [a, b] = [from, to].map(|c| [c.at[0] - center[0], c.at[1] - center[1]]);
        atan2(cross(&a, &b), a[0] * b[0] + a[1] * b[1]).max(0.0)
    }

    /// The whole disc: twelve rays at equal angles, exact for polynomials of degree 11 in sine and
    /// cosine. Opposite nodes have exactly opposite coordinates.
    fn disc(&mut self) {
        const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;
        let radius = self.face.shape.radius();
        let weight = radius * radius * (PI / 6.0);
        for [x, y] in [[1.0, 0.0], [HALF_ROOT_3, 0.5], [0.5, HALF_ROOT_3]] {
            for e in [[x, y], [-x, -y], [-y, x], [y, -x]] {
                self.ray(&[0.0; 2], &e.map(|e| radius * e), weight);
            }
        }
    }

    fn triangle(&mut self, center: &[f64; 2], a: &[f64; 2], b: &[f64; 2]) {
        let [to_a, to_b] = [a, b].map(|p| [p[0] - center[0], p[1] - center[1]]);
        let twice = cross(&to_a, &to_b);
        if twice > 0.0 {
            for_each(TWO, |t, weight| {
                let end = [0, 1].map(|k| 0.5 * (a[k] + b[k]) + 0.5 * t * (b[k] - a[k]));
                self.ray(center, &end, 0.5 * weight * twice);
            });
        }
    }

    /// Sector from a point to an arc that begins at a corner and has a half angle [rad].
    fn sector(&mut self, from: &[f64; 2], first: &Corner, half: f64) {
        let (radius, center) = (self.face.shape.radius(), self.face.shape.center(first.arc));
        let begin = [0, 1].map(|k| (first.at[k] - center[k]) / radius);
        let turned = |e: &[f64; 2], angle: f64| {
            let (sin, cos) = sin_cos(angle);
            [e[0] * cos - e[1] * sin, e[1] * cos + e[0] * sin]
        };
        let middle = turned(&begin, half);
        for_each(arc(half), |t, weight| {
            let e = turned(&middle, half * t);
            let end = [0, 1].map(|k| center[k] + radius * e[k]);
            let height = (end[0] - from[0]) * e[0] + (end[1] - from[1]) * e[1];
            self.ray(from, &end, weight * half * radius * height);
        });
    }

    /// Nodes from a point to a point on the outline; `weight` is twice the area [m2].
    fn ray(&mut self, from: &[f64; 2], to: &[f64; 2], weight: f64) {
        for [rho, w] in RADIAL {
            let [x, y] = [0, 1].map(|k| from[k] + rho * (to[k] - from[k]));
            self.samples.push(Sample {
                point: self.face.chart.point(x, y, 0.0),
                normal: self.face.chart.axes[2],
                area: w * weight,
                plane: self.plane,
            });
        }
    }
}

/// Point of a region nearest to the origin.
fn middle(corners: &[Corner]) -> [f64; 2] {
    let mut inside = true;
    let mut nearest = ([0.0; 2], f64::INFINITY);
    for (i, corner) in corners.iter().enumerate() {
        if corner.arc != 0.0 {
            continue;
        }
        let (a, b) = (&corner.at, &corners[(i + 1) % corners.len()].at);
        let along = [b[0] - a[0], b[1] - a[1]];
        inside = inside && cross(a, b) >= 0.0;
        let length2 = along[0] * along[0] + along[1] * along[1];
        let t = match length2 > 0.0 {
            true => (-(a[0] * along[0] + a[1] * along[1]) / length2).clamp(0.0, 1.0),
            false => 0.0,
        };
        let p = [a[0] + t * along[0], a[1] + t * along[1]];
        let distance2 = p[0] * p[0] + p[1] * p[1];
        if distance2 < nearest.1 {
            nearest = (p, distance2);
        }
    }
    match inside {
        true => [0.0; 2],
        false => nearest.0,
    }
}

/// Runs over the abscissas of a rule, opposite ones after each other, and their weights.
pub(super) fn for_each(rule: &Rule, mut f: impl FnMut(f64, f64)) {
    for &[x, weight] in rule {
        f(x, weight);
        if x > 0.0 {
            f(-x, weight);
        }
    }
}
