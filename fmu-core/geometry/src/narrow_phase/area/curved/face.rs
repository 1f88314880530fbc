//! Nodes on a planar face and on a lateral surface.
//!
//! Where plane j is the nearest one the pressure is linear, and that region of the face is convex, bounded by
//! segments and arcs. It is divided into triangles and sectors from its point nearest to the middle of the
//! face, so that the nodes move little when an edge begins to cut the face, and a face spinning about its
//! middle has nodes along rays on which the slip is linear. On a ray the rule is that for rho f(rho); along
//! an arc the integrand is a polynomial in sine and cosine.
//!
//! # Outline of a convex planar region of segments and arcs, and its cut by a half-plane
//!
//! Corners run counter-clockwise. An arc spans at most a quarter of a circle, so that the sign of cross
//! products decides whether a point is on it. Along an arc a depth is c' + |slope| r cos(t - t0): it leaves
//! the inside at t0 + alpha and enters it at t0 - alpha, cos alpha = -c'/(|slope| r), whichever way it is
//! cut.
//!
//! # Nodes on the lateral surface of a cylinder or a cone
//!
//! The surface is ruled by generators: phi fixed, radius rho + s z. Along one, min_j g_j is concave and
//! piecewise linear, so the part of B on it is an interval of straight pieces, exactly. Between the angles at
//! which an end of a piece changes its plane ([`Breaks`]) the integral along the generator is a polynomial in
//! sine and cosine of phi (cylinder) or has poles where a generator is parallel to a plane that ends a piece
//! (cone): Gauss points in phi, with more points or shorter arcs near a pole.
//!
//! # Angles at which the ends of the pieces of the generators change their planes
//!
//! Four kinds: on a rim a depth is zero, or the two smallest depths are equal; inside, the edge of B where
//! two depths are zero, or the line where the three smallest are equal, meets the surface. A rim gives a cos
//! phi + b sin phi = c, a line a quadratic equation.
//!
//! The integral over phi is continuous there, so its derivative by the pose needs no derivative of the
//! angles; they are plain numbers.

use crate::math::real::{atan2, ln, sin_cos};
use crate::math::{Vec2, Vec3};
use crate::narrow_phase::area::curved::energy::{
    Chart, Depth, Part, RADIAL, Rule, SMALLEST_ELLIPSE, Sample, Samples, THREE, TWO, WALL, arc,
    arc_with_poles,
};
use crate::narrow_phase::area::nodes::OutlineCorner;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

pub(super) struct PlanarFace {
    /// Origin in the middle of the face, third axis along its outward normal.
    pub chart: Chart,
    pub(crate) shape: Shape,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Outlines {
    now: Vec<FaceCorner>,
    next: Vec<FaceCorner>,
}

impl Outlines {
    pub(super) fn reserve(&mut self, planes: usize) {
        // Each cut adds a corner to at most eight of a shape, segments and arcs.
        self.now.reserve(8 + 2 * planes);
        self.next.reserve(8 + 2 * planes);
    }
}

impl PlanarFace {
    /// Smallest and largest depth on the face [m].
    pub(super) fn extent(&self, depth: &Depth) -> [f64; 2] {
        let reach = self.shape.reach(depth.slope.x, depth.slope.y);
        [depth.c - reach, depth.c + reach]
    }

    /// Appends the nodes of the face. `active` are the depths in its chart.
    pub(super) fn sample(&self, active: &[Depth], outlines: &mut Outlines, samples: &mut Samples) {
        for (j, depth) in active
            .iter()
            .enumerate()
            .filter(|(_, depth)| depth.plane != WALL)
        {
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

    fn cut(&self, side: &Affine, outlines: &mut Outlines) -> bool {
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

struct Sink<'a> {
    face: &'a PlanarFace,
    plane: usize,
    samples: &'a mut Samples,
}

impl Sink<'_> {
    fn region(&mut self, corners: &[FaceCorner]) {
        let center = middle(corners);
        let count = corners.len();
        let next = |i: usize| &corners[(i + 1) % count];
        let round = self.face.shape.center(1.0)[0] == 0.0;
        // Successive pieces of one circle form one arc.
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

    /// Closes the region with these corners.
    fn end(&mut self, corners: &[FaceCorner]) {
        let places = corners.iter().map(|corner| Vec2::from(corner.at));
        let middle = places.sum::<Vec2>() / corners.len() as f64;
        let from_middle = |p: [f64; 2]| Vec2::from(p) - middle;
        let shape = &self.face.shape;
        let start = self.samples.corners.len();
        let corners = corners.iter().map(|corner| OutlineCorner {
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

    fn span(&self, from: &FaceCorner, to: &FaceCorner) -> f64 {
        let center = self.face.shape.center(from.arc);
        let [a, b] = [from, to].map(|c| [c.at[0] - center[0], c.at[1] - center[1]]);
        atan2(cross(&a, &b), a[0] * b[0] + a[1] * b[1]).max(0.0)
    }

    /// Nodes of the full disc: twelve rays at equal angles, exact for polynomials of degree 11 in sine and
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

    /// Nodes of the sector between a point and an arc that begins at `first` and has the half angle `half`
    /// [rad].
    fn sector(&mut self, from: &[f64; 2], first: &FaceCorner, half: f64) {
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

    /// Nodes on the ray from a point to the outline; `weight` is twice the area [m2].
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
fn middle(corners: &[FaceCorner]) -> [f64; 2] {
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

/// Calls `f` with abscissa and weight, opposite abscissas in succession.
pub(super) fn for_each(rule: &Rule, mut f: impl FnMut(f64, f64)) {
    for &[x, weight] in rule {
        f(x, weight);
        if x > 0.0 {
            f(-x, weight);
        }
    }
}

/// Corner of an outline: start and kind of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceCorner {
    pub(crate) at: [f64; 2],
    /// Which half disc's arc it is, 1 or -1 along the first axis; 0 for a segment.
    pub arc: f64,
}

/// Outline of a planar face about the origin of its chart.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// Rectangle with half discs about (-half, 0) and (half, 0); a disc if half is 0.
    Stadium {
        /// Half the distance between the centres [m].
        half: f64,
        radius: f64,
    },
    /// Half lengths of a rectangle [m].
    Rectangle([f64; 2]),
}

/// Affine function c + x p_x + y p_y, positive inside.
pub(super) type Affine = [f64; 3];

fn evaluate(side: &Affine, p: &[f64; 2]) -> f64 {
    side[0] + side[1] * p[0] + side[2] * p[1]
}

pub(super) fn cross(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

impl Shape {
    /// Centre of the circle of an arc.
    pub(super) fn center(&self, arc: f64) -> [f64; 2] {
        match self {
            Shape::Stadium { half, .. } => [arc * half, 0.0],
            Shape::Rectangle(_) => [0.0; 2],
        }
    }

    pub(super) fn radius(&self) -> f64 {
        match self {
            Shape::Stadium { radius, .. } => *radius,
            Shape::Rectangle(_) => 0.0,
        }
    }

    /// Largest deviation of an affine function with this slope from its value at the origin.
    pub(super) fn reach(&self, x: f64, y: f64) -> f64 {
        match self {
            Shape::Stadium { half, radius } => (x * x + y * y).sqrt() * radius + half * x.abs(),
            Shape::Rectangle([a, b]) => a * x.abs() + b * y.abs(),
        }
    }

    pub(super) fn outline(&self, corners: &mut Vec<FaceCorner>) {
        corners.clear();
        let mut add = |x: f64, y: f64, arc: f64| corners.push(FaceCorner { at: [x, y], arc });
        match *self {
            Shape::Stadium { half, radius } => {
                let straight = half > 0.0;
                add(half, -radius, 1.0);
                add(half + radius, 0.0, 1.0);
                if straight {
                    add(half, radius, 0.0);
                }
                add(-half, radius, -1.0);
                add(-half - radius, 0.0, -1.0);
                if straight {
                    add(-half, -radius, 0.0);
                }
            }
            Shape::Rectangle([a, b]) => {
                add(a, b, 0.0);
                add(-a, b, 0.0);
                add(-a, -b, 0.0);
                add(a, -b, 0.0);
            }
        }
    }

    /// Cuts an outline by a half-plane; returns false if nothing is left.
    pub(super) fn cut(&self, side: &Affine, from: &[FaceCorner], to: &mut Vec<FaceCorner>) -> bool {
        to.clear();
        for (i, corner) in from.iter().enumerate() {
            let next = &from[(i + 1) % from.len()];
            let [l, l_next] = [corner, next].map(|corner| evaluate(side, &corner.at));
            if l >= 0.0 {
                to.push(*corner);
            }
            if corner.arc == 0.0 {
                if (l >= 0.0) != (l_next >= 0.0) {
                    let t = l / (l - l_next);
                    let at = [0, 1].map(|k| corner.at[k] + t * (next.at[k] - corner.at[k]));
                    to.push(FaceCorner { at, arc: 0.0 });
                }
            } else {
                self.cut_arc(side, corner, next, [l, l_next], to);
            }
        }
        to.len() > 1
    }

    fn cut_arc(
        &self,
        side: &Affine,
        corner: &FaceCorner,
        next: &FaceCorner,
        [l, l_next]: [f64; 2],
        to: &mut Vec<FaceCorner>,
    ) {
        let steep = (side[1] * side[1] + side[2] * side[2]).sqrt();
        let (r, center) = (self.radius(), self.center(corner.arc));
        let middle = evaluate(side, &center);
        if steep == 0.0 {
            return;
        }
        let up = [side[1] / steep, side[2] / steep];
        let on_arc = |e: [f64; 2]| {
            let [a, b] = [corner, next].map(|c| [c.at[0] - center[0], c.at[1] - center[1]]);
            cross(&a, &e) > 0.0 && cross(&e, &b) > 0.0
        };
        let (leaves, enters) = match (l >= 0.0, l_next >= 0.0) {
            (true, false) => (true, false),
            (false, true) => (false, true),
            (true, true) => {
                let both = middle < steep * r && on_arc([-up[0], -up[1]]);
                (both, both)
            }
            (false, false) => {
                let both = middle > -steep * r && on_arc(up);
                (both, both)
            }
        };
        if !(leaves || enters) {
            return;
        }
        let reach = steep * r;
        let cos = (-middle / reach).clamp(-1.0, 1.0);
        let sin = ((reach - middle) * (reach + middle)).max(0.0).sqrt() / reach;
        let at = |sin: f64| {
            let e = [up[0] * cos - up[1] * sin, up[1] * cos + up[0] * sin];
            [center[0] + r * e[0], center[1] + r * e[1]]
        };
        let leave = FaceCorner {
            at: at(sin),
            arc: 0.0,
        };
        let enter = FaceCorner {
            at: at(-sin),
            arc: corner.arc,
        };
        match (leaves, enters, l >= 0.0) {
            (true, true, true) => to.extend([leave, enter]),
            (true, true, false) => to.extend([enter, leave]),
            (true, ..) => to.push(leave),
            _ => to.push(enter),
        }
    }
}

/// Lateral surface about the third axis of a chart: (r cos phi, r sin phi, z), r = radius + slope z.
pub(super) struct Tube {
    pub chart: Chart,
    /// Range of z [m].
    pub z: [f64; 2],
    /// Radius at z = 0 [m].
    pub radius: f64,
    /// dr/dz.
    pub slope: f64,
    /// Whether phi covers the full circle, or only -pi/2 to pi/2.
    pub closed: bool,
}

/// Shorter arcs [rad] hold nothing but rounding error.
const SHORTEST: f64 = 1e-15;
/// Maximum number of bisections of an arc to get away from poles.
const HALVINGS: u32 = 40;

impl Tube {
    pub(super) fn radius_at(&self, z: f64) -> f64 {
        self.radius + self.slope * z
    }

    /// Bounds of the depth on the surface [m].
    pub(super) fn extent(&self, depth: &Depth) -> [f64; 2] {
        let across = depth.across();
        let ends = self.z.map(|z| {
            let middle = depth.c + depth.slope.z * z;
            let reach = across * self.radius_at(z);
            [middle - reach, middle + reach]
        });
        [ends[0][0].min(ends[1][0]), ends[0][1].max(ends[1][1])]
    }

    /// Calls `f` for the straight pieces of min_j g_j > 0 on a generator, with the index of the depth and
    /// both ends.
    fn pieces(&self, depths: &[Depth], e: [f64; 2], mut f: impl FnMut(usize, f64, f64)) {
        // g = c + x cos r + y sin r + e z = a + b z.
        let line = |depth: &Depth| {
            let toward = depth.slope.x * e[0] + depth.slope.y * e[1];
            let a = depth.c + self.radius * toward;
            (a, depth.slope.z + self.slope * toward)
        };
        let [mut z, top] = self.z;
        let mut now: Option<(usize, f64, f64)> = None;
        for (j, depth) in depths.iter().enumerate() {
            let (a, b) = line(depth);
            let least = now.is_none_or(|(_, a_now, b_now)| {
                let (g, g_now) = (a + b * z, a_now + b_now * z);
                g < g_now || g == g_now && b < b_now
            });
            if least {
                now = Some((j, a, b));
            }
        }
        while let Some((j, a, b)) = now {
            let mut end = top;
            let mut then = None;
            for (m, depth) in depths.iter().enumerate() {
                let (a_m, b_m) = line(depth);
                if m != j && b_m < b {
                    let meets = ((a_m - a) / (b - b_m)).max(z);
                    if meets < end {
                        end = meets;
                        then = Some((m, a_m, b_m));
                    }
                }
            }
            let (mut from, mut to) = (z, end);
            if b > 0.0 {
                from = from.max(-a / b);
            } else if b < 0.0 {
                to = to.min(-a / b);
            } else if a <= 0.0 {
                to = from;
            }
            if to > from {
                f(j, from, to);
            }
            z = end;
            now = then;
        }
    }

    /// Appends the nodes of the surface. `active` are the depths in its chart.
    pub(super) fn sample(&self, active: &[Depth], breaks: &mut Breaks, samples: &mut Samples) {
        let angles = breaks.find(self, active);
        if self.closed && angles.is_empty() {
            self.whole(active, samples);
            return;
        }
        let count = angles.len();
        for i in 0..count {
            let end = match angles.get(i + 1) {
                Some(end) => *end,
                None if self.closed => angles[0] + TAU,
                None => break,
            };
            let half = 0.5 * (end - angles[i]);
            if half > SHORTEST {
                self.piece(active, angles[i] + half, half, HALVINGS, samples);
            }
        }
    }

    /// Nodes of a surface on which the pieces of all generators end on the same planes.
    fn whole(&self, active: &[Depth], samples: &mut Samples) {
        // exp(-count y) is lost in rounding, for poles at a distance y from the real axis.
        let cosh = self.poles(active, [1.0, 0.0], |[kappa, _]| kappa.abs());
        let count = match cosh {
            12.0.. => 12,
            2.6.. => 24,
            1.35.. => 48,
            _ => {
                for middle in [-FRAC_PI_2, FRAC_PI_2] {
                    self.piece(active, middle, FRAC_PI_2, HALVINGS, samples);
                }
                return;
            }
        };
        let weight = TAU / f64::from(count);
        for k in 0..count / 4 {
            let (sin, cos) = sin_cos(weight * f64::from(k));
            for e in [[cos, sin], [-cos, -sin], [-sin, cos], [sin, -cos]] {
                self.generator(active, e, weight, samples);
            }
        }
    }

    fn piece(
        &self,
        active: &[Depth],
        middle: f64,
        half: f64,
        halvings: u32,
        samples: &mut Samples,
    ) {
        let (sin, cos) = sin_cos(middle);
        let mut rule = arc(half);
        if self.slope != 0.0 {
            let ellipse = self.poles(active, [cos, sin], |pole| ellipse(pole, middle, half));
            if ellipse < SMALLEST_ELLIPSE && halvings > 0 {
                let quarter = 0.5 * half;
                for middle in [middle - quarter, middle + quarter] {
                    self.piece(active, middle, quarter, halvings - 1, samples);
                }
                return;
            }
            rule = arc_with_poles(half, ellipse);
        }
        for_each(rule, |t, weight| {
            let (sin_t, cos_t) = sin_cos(half * t);
            let e = [cos * cos_t - sin * sin_t, sin * cos_t + cos * sin_t];
            self.generator(active, e, half * weight, samples);
        });
    }

    /// Smallest value of a measure over the poles of the ends of the pieces on a generator. A pole is the
    /// cosine and the angle in cos(phi - angle) = kappa.
    fn poles(&self, active: &[Depth], e: [f64; 2], measure: impl Fn([f64; 2]) -> f64) -> f64 {
        let mut least = f64::INFINITY;
        if self.slope == 0.0 {
            return least;
        }
        let mut look = |depth: &Depth| {
            let across = self.slope * depth.across();
            if across != 0.0 {
                let angle = atan2(depth.slope.y, depth.slope.x);
                least = least.min(measure([-depth.slope.z / across, angle]));
            }
        };
        let mut before: Option<(usize, f64)> = None;
        let [low, high] = self.z;
        self.pieces(active, e, |j, from, to| {
            let depth = &active[j];
            match before {
                Some((i, _)) => look(&depth.beyond(&active[i])),
                None if from > low => look(depth),
                None => {}
            }
            before = Some((j, to));
        });
        match before {
            Some((j, to)) if to < high => look(&active[j]),
            _ => {}
        }
        least
    }

    /// Nodes of a generator with the weight `angle` [rad].
    fn generator(&self, active: &[Depth], e: [f64; 2], angle: f64, samples: &mut Samples) {
        let slant = (1.0 + self.slope * self.slope).sqrt();
        let out = self.chart.direction(e[0], e[1], -self.slope) / slant;
        // Radius, pressure, slip and arm are linear in z; the radius of a cylinder is constant.
        let rule = if self.slope == 0.0 { TWO } else { THREE };
        self.pieces(active, e, |j, from, to| {
            if active[j].plane == WALL {
                return;
            }
            let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
            for_each(rule, |t, weight| {
                let z = middle + half * t;
                let r = self.radius_at(z);
                samples.push(Sample {
                    point: self.chart.point(r * e[0], r * e[1], z),
                    normal: out,
                    area: weight * half * slant * r * angle,
                    plane: active[j].plane,
                });
            });
            samples.end(Part::Line);
        });
    }
}

/// Size of the largest ellipse with foci at the ends of an arc that encloses no pole: the sum of its half
/// axes over half the distance of the foci.
fn ellipse([kappa, angle]: [f64; 2], middle: f64, half: f64) -> f64 {
    let size = |x: f64, y: f64| {
        let [one, other] = [x - half, x + half].map(|x| (x * x + y * y).sqrt());
        let axis = 0.5 * (one + other) / half;
        axis + (axis * axis - 1.0).max(0.0).sqrt()
    };
    let near = |phi: f64| {
        let (sin, cos) = sin_cos(phi - middle);
        atan2(sin, cos)
    };
    if kappa.abs() > 1.0 {
        let y = ln(kappa.abs() + (kappa * kappa - 1.0).sqrt());
        let real = if kappa > 0.0 { angle } else { angle + PI };
        size(near(real), y)
    } else {
        let alpha = atan2((1.0 - kappa * kappa).sqrt(), kappa);
        size(near(angle - alpha), 0.0).min(size(near(angle + alpha), 0.0))
    }
}

/// Break angles, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Breaks {
    angles: Vec<f64>,
}

/// A candidate whose depth is this much, relative to the size of the surface, above the smallest one or below
/// zero is no break: a missed break is no larger, a superfluous one is harmless.
const TOLERANCE: f64 = 1e-10;

/// Angles [rad] closer than this coincide: a horizontal cylinder has the same break on both rims. The error
/// of dividing at a wrong angle is quadratic.
const SAME: f64 = 1e-12;

impl Breaks {
    pub(super) fn reserve(&mut self, planes: usize) {
        self.angles.reserve(16 * planes);
    }

    /// Break angles in ascending order, with the ends of an open range.
    pub(super) fn find(&mut self, tube: &Tube, depths: &[Depth]) -> &[f64] {
        self.angles.clear();
        if !tube.closed {
            self.angles.extend([-FRAC_PI_2, FRAC_PI_2]);
        }
        let mut search = Search {
            tube,
            depths,
            tolerance: TOLERANCE * (tube.radius_at(tube.z[0]) + tube.radius_at(tube.z[1])),
            angles: &mut self.angles,
        };
        for (i, one) in depths.iter().enumerate() {
            search.rims(one, None);
            for (j, two) in depths.iter().enumerate().skip(i + 1) {
                let differ = two.beyond(one);
                search.rims(&differ, Some(one));
                search.line(one, two, None);
                for three in &depths[j + 1..] {
                    search.line(&differ, &three.beyond(one), Some(one));
                }
            }
        }
        self.angles.sort_unstable_by(f64::total_cmp);
        self.angles.dedup_by(|next, kept| *next - *kept < SAME);
        &self.angles
    }
}

struct Search<'a> {
    tube: &'a Tube,
    depths: &'a [Depth],
    tolerance: f64,
    angles: &'a mut Vec<f64>,
}

impl Search<'_> {
    /// Adds the angle of a point where the smallest depth equals the depth of `level`, or zero.
    fn add(&mut self, p: &Vec3, level: Option<&Depth>) {
        let least = level.map_or(0.0, |depth| depth.at(p)).max(0.0) - self.tolerance;
        if level.is_some_and(|depth| depth.at(p) < -self.tolerance) {
            return;
        }
        if self.depths.iter().all(|depth| depth.at(p) >= least) {
            let angle = atan2(p.y, p.x);
            if self.tube.closed || angle.abs() < FRAC_PI_2 - SAME {
                self.angles.push(angle);
            }
        }
    }

    /// Finds the points of both rims where a depth is zero.
    fn rims(&mut self, depth: &Depth, level: Option<&Depth>) {
        let across = depth.across();
        if across == 0.0 {
            return;
        }
        let up = [depth.slope.x / across, depth.slope.y / across];
        for z in self.tube.z {
            let r = self.tube.radius_at(z);
            let (middle, reach) = (depth.c + depth.slope.z * z, r * across);
            if middle.abs() >= reach {
                continue;
            }
            let cos = -middle / reach;
            let sin = ((reach - middle) * (reach + middle)).sqrt() / reach;
            for sin in [sin, -sin] {
                let x = r * (up[0] * cos - up[1] * sin);
                let y = r * (up[1] * cos + up[0] * sin);
                self.add(&Vec3::new(x, y, z), level);
            }
        }
    }

    /// Finds the points of the surface on the line where two depths are zero.
    fn line(&mut self, one: &Depth, two: &Depth, level: Option<&Depth>) {
        let along = one.slope.cross(&two.slope);
        let length2 = along.norm_squared();
        if length2 < f64::EPSILON * one.slope.norm_squared() * two.slope.norm_squared() {
            return;
        }
        let foot = (two.slope.cross(&along) * -one.c + along.cross(&one.slope) * -two.c) / length2;
        let Tube { radius, slope, .. } = *self.tube;
        // x^2 + y^2 = (radius + slope z)^2 along foot + t along.
        let r = radius + slope * foot.z;
        let grows = slope * along.z;
        let a = along.x * along.x + along.y * along.y - grows * grows;
        let b = along.x * foot.x + along.y * foot.y - grows * r;
        let c = foot.x * foot.x + foot.y * foot.y - r * r;
        let discriminant = b * b - a * c;
        if discriminant < 0.0 {
            return;
        }
        let q = -(b + discriminant.sqrt().copysign(b));
        for t in [q / a, c / q] {
            let p = foot + along * t;
            let [low, high] = self.tube.z;
            let inside = p.z > low && p.z < high && self.tube.radius_at(p.z) > 0.0;
            if t.is_finite() && inside {
                self.add(&p, level);
            }
        }
    }
}
