//! The patch of a capsule against a mesh: the pressure of the capsule, summed over the faces within it.
//!
//! As for a [`ball`](super::ball) the mesh is rigid and p = kappa u^n, u = R - r, now with r the distance from
//! the segment. The planes across the segment at its ends cut each face in three: outside them the fields of
//! two half balls, between them that of a cylinder. With n = 1/2 and kappa = E/(pi sqrt R) the ends have
//! Hertz' force. A capsule that lies on a plane at the depth d has the force pi kappa sqrt(R/2) d = 0.707 E d
//! per length to first order, 2.1 to 3.5 times that of Hertz' line contact of steel cylinders, 0.2 to 0.33 E d.
//!
//! # A face as a sum over its edges
//!
//! In the plane of a face, from the foot of the centre c, y is across the axis a and the normal n, and x to the
//! right of it, so that a = x cos + n sin of the tilt. With z the height of c over the plane
//!   r^2 = q^2 + y^2,  q = x sin + z cos,  place along the axis = x cos - z sin.
//! The part between the ends has a range of x, and its borders x = const no part in
//!   P_f = -closed integral of Phi dx,  Phi(x, y) = integral of p dy to y.
//! At |y| = Y, Y^2 = R^2 - q^2, is the rim, beyond which Phi is that at the rim. It begins at y = 0, or, for a
//! face on one side of the axis, at the rim there: else what is left would be a difference of large numbers. The
//! first moments are those of x Phi and of the integral of p y dy, -kappa u^(n+1) (R/(n+1) - u/(n+2)) = -G(u).
//!
//! The energy is a sum over faces by the field -G(u)/r^2 across the axis, whose divergence is p but for a source
//! at the axis, and which does not cross the planes at the ends: U = sum over f of the integral of q cos G/r^2,
//! and 2 pi G(R) for each length of the axis inside the mesh.
//!
//! # Rule
//!
//! Along y = Y sin phi with t = tan(phi/2), as for a ball. Along an edge Phi is smooth but where it meets the
//! rim, and where q is 0 or R: there w^2 is the distance, and Gauss points are taken in w. An edge is evaluated
//! from its vertex of the lesser number, so that edges between faces in one plane cancel.

use crate::math::{Mat3, Pose, Real, Vec3};
use crate::narrow_phase::area::ball::{
    AT_EDGE, Ball, RoundPressure, Smoothness, Stored, gauss, is_flush,
};
use crate::narrow_phase::area::nodes::{Extent, Node, Nodes};
use crate::narrow_phase::surface;
use crate::shapes::mesh::cells::CellFace;
use crate::shapes::{Aabb, Cells, Mesh, Segment};
use std::f64::consts::TAU;

/// Part of an edge's length up to which a singular place matters.
const FAR: f64 = 4.0;
/// Cosine of the tilt up to which the direction of y is any.
const UPRIGHT: f64 = 1e-9;
/// Part of a distance in w to the rim that a step leaves, and how many such steps there are, for a pressure that
/// is no power of it.
const TO_RIM: f64 = 0.3;
const STEPS: usize = 8;
/// Ellipses of a range that is [`FAR`] from singular places, and of roots from one to the middle between two.
const BESIDE: f64 = 17.9;
const BETWEEN: f64 = 3.84;
/// Distance of the line of an edge from the axis, over R, up to which its nearest place counts as singular.
const NEAR_AXIS: f64 = 0.5;
/// The same, up to which the field about the axis is steep there, as the pressure is at the rim if no power of it.
const STEEP: f64 = 0.05;
/// Variance over the square of the place up to which the nodes of a face are one.
const NARROW: f64 = 1e-9;

/// Adds the nodes of a capsule at a pose in the frame of the mesh, relative to its centre and along axes to
/// which `axes` turns that frame, with outward normals.
pub(super) fn press<T: Real>(
    segment: &Segment,
    pose: &Pose<T>,
    radius: f64,
    pressure: &RoundPressure,
    mesh: &Mesh,
    axes: &Mat3<T>,
    nodes: &mut Nodes<T>,
) -> Stored<T> {
    let axis: Vec3<T> = pose.rotation.column(2).into();
    let mut stored = Stored::new();
    let mut ends = [None; 2];
    for (side, is_inside) in [-1.0, 1.0].into_iter().zip(&mut ends) {
        let off = axis * T::from(side * segment.half);
        let ball = Ball::new(pose.position + off, radius, *pressure);
        let mut end = ball.half(axis * T::from(side));
        stored.add(&end.press_off(mesh, axes, &(axes * off), nodes));
        *is_inside = end.is_inside;
    }
    let mut between = Between {
        center: pose.position,
        axis,
        half: segment.half,
        radius,
        pressure: *pressure,
        is_singular: false,
    };
    let is_inside = ends.into_iter().flatten().reduce(|one, other| one || other);
    stored.add(&Stored {
        energy: between.press(mesh, axes, is_inside, nodes),
        is_singular: between.is_singular,
    });
    stored
}

/// Part of a capsule between its ends, in the frame of the mesh.
struct Between<T: Real> {
    center: Vec3<T>,
    axis: Vec3<T>,
    half: f64,
    radius: f64,
    pressure: RoundPressure,
    /// Whether the axis is so close to an edge or in the plane of a face that rounding decides on the energy.
    is_singular: bool,
}

/// Plane of a face.
struct CapsulePlane<T: Real> {
    /// Unit vectors of x and y, and the normal.
    x: Vec3<T>,
    y: Vec3<T>,
    normal: Vec3<T>,
    z: T,
    cos: T,
    sin: T,
    /// Least and largest x, and whether q is R there.
    range: [T; 2],
    is_rim: [bool; 2],
}

/// Edge of a face over the share s = 0 .. 1 of its length, from its vertex of the lesser number.
struct CapsuleEdge<T: Real> {
    /// x, y and q at s = 0 and their slopes.
    x: [T; 2],
    y: [T; 2],
    q: [T; 2],
    /// Range of s inside the range of x.
    range: [T; 2],
    /// 1 if the face is to its left, else -1.
    sign: f64,
}

/// Integrals over a face, over kappa: of p, p x, p x^2, p y and of the energy.
struct FaceSums<T: Real> {
    p: T,
    x: T,
    xx: T,
    y: T,
    energy: T,
}

/// Where the axis goes through the surface.
struct Crossings {
    /// The first and the last place along the axis, and whether it comes out there.
    first: (f64, bool),
    last: (f64, bool),
}

impl<T: Real> Between<T> {
    /// `is_inside` says whether an end is inside the mesh, if a face in reach of one tells it.
    fn press(
        &mut self,
        mesh: &Mesh,
        axes: &Mat3<T>,
        is_inside: Option<bool>,
        nodes: &mut Nodes<T>,
    ) -> T {
        let (center, axis) = (self.center.map(Real::value), self.axis.map(Real::value));
        let end = axis * self.half;
        let bounds = Aabb::EMPTY.with(&(center + end)).with(&(center - end));
        let cells = mesh.cells();
        let (mut energy, mut length) = (T::zero(), T::zero());
        let mut crossings = Crossings {
            first: (f64::INFINITY, false),
            last: (f64::NEG_INFINITY, false),
        };
        // Place along the axis of a load.
        let mut pressed = None;
        cells.for_each_face_within(self.radius, &bounds, |face| {
            let Some(plane) = self.plane(&cells.faces[face]) else {
                return;
            };
            if let Some(place) = self.crossing(cells, face, &plane) {
                let sign = plane.sin.value().signum();
                length += place * sign;
                crossings.add(place.value(), sign > 0.0);
            }
            let sums = self.face(cells, face, &plane);
            energy += sums.energy;
            if sums.p.value() > 0.0 {
                let x = sums.x.value() / sums.p.value();
                pressed = Some(x * plane.cos.value() - plane.z.value() * plane.sin.value());
                self.push(&sums, &plane, axes, nodes);
            }
        });
        // Whether the ends are inside.
        let is_inside = || match (is_inside, pressed) {
            (Some(is_inside), _) => is_inside,
            (None, Some(place)) => surface::is_inside(cells, &(center + axis * place), self.radius),
            (None, None) => false,
        };
        let ends = crossings.ends(is_inside).map(f64::from);
        let count = ends[0] + ends[1];
        let all = self.pressure.moment(self.radius, self.radius);
        let of_ends = self.radius * all / (self.pressure.exponent + 3.0);
        energy += (length + count * self.half) * (TAU * all) + TAU * count * of_ends * 2.0;
        energy * self.pressure.factor
    }

    /// Two nodes with the load, its centre and its variance along x.
    fn push(
        &self,
        sums: &FaceSums<T>,
        plane: &CapsulePlane<T>,
        axes: &Mat3<T>,
        nodes: &mut Nodes<T>,
    ) {
        let per = sums.p.recip();
        let (x, y) = (sums.x * per, sums.y * per);
        let variance = sums.xx * per - x * x;
        let force = sums.p * self.pressure.factor;
        let normal = axes * plane.normal;
        let mut push = |x: T, force: T| {
            nodes.push(Node {
                point: axes * (plane.x * x + plane.y * y - plane.normal * plane.z),
                normal,
                force,
            });
        };
        if variance.value() > NARROW * sums.xx.value() * per.value() {
            let off = variance.sqrt();
            push(x + off, force * 0.5);
            push(x - off, force * 0.5);
            nodes.end_facet(Extent::Line);
        } else {
            push(x, force);
            nodes.end_facet(Extent::Nodes);
        }
    }

    /// The plane of a face, if it cuts this part.
    fn plane(&self, face: &CellFace) -> Option<CapsulePlane<T>> {
        let normal = face.normal.map(T::from);
        let z = normal.dot(&self.center) - face.height;
        let sin = normal.dot(&self.axis);
        let least = z.value().abs() - self.half * sin.value().abs();
        // NaN is not near.
        let is_near = least < self.radius;
        let is_at_end = |side: f64| {
            let end = self.center + self.axis * T::from(side * self.half);
            is_flush(face, &end, &self.axis, self.radius)
        };
        if !is_near || is_at_end(-1.0) || is_at_end(1.0) {
            return None;
        }
        let mut y = normal.cross(&self.axis);
        if y.map(Real::value).norm() < UPRIGHT {
            let mut any = Vec3::zeros();
            any[normal.map(Real::value).iamin()] = T::one();
            y = normal.cross(&any);
        }
        // Twice: of nearly equal vectors the cross product is not quite across.
        for _ in 0..2 {
            y -= normal * normal.dot(&y);
            y *= y.dot(&y).sqrt().recip();
        }
        let x = y.cross(&normal);
        let cos = x.dot(&self.axis);
        let mut plane = CapsulePlane {
            x,
            y,
            normal,
            z,
            cos,
            sin,
            range: [T::from(f64::NEG_INFINITY), T::from(f64::INFINITY)],
            is_rim: [false; 2],
        };
        plane.limit(cos, z * sin, self.half, false);
        plane.limit(sin, -(z * cos), self.radius, true);
        let [from, to] = plane.range.map(Real::value);
        (from < to).then_some(plane)
    }

    /// Place where the axis goes through a face, if it does.
    fn crossing(&self, cells: &Cells, face: usize, plane: &CapsulePlane<T>) -> Option<T> {
        let (axis, center) = (self.axis.map(Real::value), self.center.map(Real::value));
        let towards = plane.sin.value().signum();
        let count = cells.corners(face).len();
        // The same for both faces at an edge.
        let is_through = (0..count).all(|k| {
            let [a, b] = cells.edge(face, k);
            let [first, last] = [a.min(b), a.max(b)].map(|v| cells.vertex(v).point - center);
            let turn = axis.dot(&first.cross(&last));
            (turn >= 0.0) == ((a < b) == (towards > 0.0))
        });
        let place = -plane.z / plane.sin;
        if !is_through || place.value().abs() > self.half {
            return None;
        }
        // Rounding decides on an axis in the plane of the face, where it may be beside it.
        let at = center + axis * place.value();
        let normal = plane.normal.map(Real::value);
        let is_within = (0..count).all(|k| {
            let [a, b] = cells.edge(face, k).map(|v| cells.vertex(v).point);
            let across = normal.cross(&(b - a));
            across.dot(&(at - a)) >= -AT_EDGE * self.radius * across.norm()
        });
        is_within.then_some(place)
    }

    fn face(&mut self, cells: &Cells, face: usize, plane: &CapsulePlane<T>) -> FaceSums<T> {
        let mut sums = FaceSums {
            p: T::zero(),
            x: T::zero(),
            xx: T::zero(),
            y: T::zero(),
            energy: T::zero(),
        };
        let count = cells.corners(face).len();
        let edges = || (0..count).filter_map(|k| Self::edge(&self.center, cells, face, k, plane));
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let close = AT_EDGE * self.radius;
        let mut is_singular = false;
        for edge in edges() {
            is_singular |= edge.is_within(close);
            for s in edge.range {
                let y = (edge.y[0] + edge.y[1] * s).value();
                (least, most) = (least.min(y), most.max(y));
            }
        }
        // The side of the axis on which the face is, 0 if on both.
        let side = f64::from(least > 0.0) - f64::from(most < 0.0);
        let is_in_plane = plane.z.value().abs() + self.half * plane.sin.value().abs() < close;
        is_singular |= side == 0.0 && is_in_plane && least < most;
        for edge in edges() {
            self.add(&edge, side, plane, &mut sums);
        }
        self.is_singular |= is_singular;
        sums
    }

    /// Edge k, if it has a part in the range of x.
    fn edge(
        center: &Vec3<T>,
        cells: &Cells,
        face: usize,
        k: usize,
        plane: &CapsulePlane<T>,
    ) -> Option<CapsuleEdge<T>> {
        let [a, b] = cells.edge(face, k);
        let [first, last] = [a.min(b), a.max(b)].map(|v| cells.vertex(v).point);
        let start = first.map(T::from) - center;
        let span = (last - first).map(T::from);
        let (x, y) = (plane.x.dot(&start), plane.y.dot(&start));
        let (dx, dy) = (plane.x.dot(&span), plane.y.dot(&span));
        let mut range = plane.range.map(|end| (end - x) / dx);
        if dx.value() < 0.0 {
            range.swap(0, 1);
        }
        if range[0].value() < 0.0 {
            range[0] = T::zero();
        }
        if range[1].value() > 1.0 {
            range[1] = T::one();
        }
        // An edge across has no part.
        (range[0].value() < range[1].value()).then(|| CapsuleEdge {
            x: [x, dx],
            y: [y, dy],
            q: [x * plane.sin + plane.z * plane.cos, dx * plane.sin],
            range,
            sign: if a < b { 1.0 } else { -1.0 },
        })
    }

    /// Adds the integrals along an edge, piece by piece.
    fn add(
        &self,
        edge: &CapsuleEdge<T>,
        side: f64,
        plane: &CapsulePlane<T>,
        sums: &mut FaceSums<T>,
    ) {
        let singular = self.singular(edge, plane);
        let is_rough = self.pressure.is_rough() || edge.is_within(STEEP * self.radius);
        let [from, to] = edge.range;
        let mut start = from;
        loop {
            let mut end = to;
            for place in singular.into_iter().flatten() {
                if place.value() > start.value() && place.value() < end.value() {
                    end = place;
                }
            }
            let middle = (start + end) * 0.5;
            let [q, y] = [edge.q, edge.y].map(|of| (of[0] + of[1] * middle).value());
            let is_inside = (self.radius - q.abs()) * (self.radius + q.abs()) > y * y;
            if is_inside || side == 0.0 {
                let nearest = |ways: f64, from: T| {
                    let places = singular.into_iter().flatten();
                    let off = places.map(|place| (place, ways * (place - from).value()));
                    let off = off.filter(|(_, off)| *off >= 0.0);
                    off.min_by(|a, b| a.1.total_cmp(&b.1))
                        .map(|(place, _)| place)
                };
                let at = |s: T, weight: T| {
                    self.at(edge, side, plane, is_inside, [s, weight], sums);
                };
                let ends = [nearest(-1.0, start), nearest(1.0, end)];
                integrate([start, end], ends, is_rough, at);
            }
            if end.value() >= to.value() {
                return;
            }
            start = end;
        }
    }

    /// Places along an edge where the integrand is singular: at the rim, where q is 0, R or -R, and near the axis.
    fn singular(&self, edge: &CapsuleEdge<T>, plane: &CapsulePlane<T>) -> [Option<T>; 6] {
        let ([q, dq], [y, dy]) = (edge.q, edge.y);
        let radius = self.radius;
        let squares = dq * dq + dy * dy;
        let mut places = [None; 6];
        let cross = q * dy - y * dq;
        let along = -(q * dq + y * dy);
        let root = squares * (radius * radius) - cross * cross;
        if root.value() > 0.0 {
            let root = root.sqrt();
            let left = -(q * q + y * y) + radius * radius;
            let both = match along.value() >= 0.0 {
                true => [-left / (along + root), (along + root) / squares],
                false => [(along - root) / squares, -left / (along - root)],
            };
            places[..2].copy_from_slice(&both.map(Some));
        }
        if (cross * cross).value() < (squares * (NEAR_AXIS * NEAR_AXIS * radius * radius)).value() {
            places[5] = Some(along / squares);
        }
        if plane.sin.value() != 0.0 {
            places[2] = Some(-q / dq);
            for k in 0..2 {
                if plane.is_rim[k] {
                    places[3 + k] = Some((plane.range[k] - edge.x[0]) / edge.x[1]);
                }
            }
        }
        places.map(|place| place.filter(|place| place.value().is_finite()))
    }

    /// Adds a point of the rule along an edge: its place and weight.
    fn at(
        &self,
        edge: &CapsuleEdge<T>,
        side: f64,
        plane: &CapsulePlane<T>,
        is_inside: bool,
        [s, weight]: [T; 2],
        sums: &mut FaceSums<T>,
    ) {
        let [x, y, q] = [edge.x, edge.y, edge.q].map(|[start, slope]| start + slope * s);
        let (near, off) = (q.abs(), y.abs());
        let square = (-near + self.radius) * (near + self.radius);
        if square.value() <= 0.0 {
            return;
        }
        let rim = square.sqrt();
        let rest = (rim - off) * (rim + off);
        let mut range = [T::zero(), T::one()];
        let weight = weight * edge.x[1] * edge.sign;
        if is_inside && rest.value() > 0.0 {
            range[usize::from(side == 0.0)] = off / (rim + rest.sqrt());
            let r = (q * q + y * y).sqrt();
            sums.y += weight * self.pressure.moment(rest / (r + self.radius), self.radius);
        } else if side != 0.0 {
            return;
        }
        let smoothness = Smoothness {
            pole: near.value() / (rim.value() + self.radius),
            is_rough: self.pressure.is_rough(),
        };
        let (mut phi, mut of_energy) = (T::zero(), T::zero());
        smoothness.integrate(range, |t, weight| {
            let k = (t * t + 1.0).recip();
            let cosine = (-t * t + 1.0) * k;
            let along = rim * t * k * 2.0;
            let step = rim * cosine * k * weight * 2.0;
            let squared = q * q + along * along;
            let u = square * cosine * cosine / (squared.sqrt() + self.radius);
            phi += step * self.pressure.power(u);
            of_energy += step * self.pressure.moment(u, self.radius) / squared;
        });
        let sign = match side == 0.0 {
            true => -y.value().signum(),
            false => y.value().signum(),
        };
        let phi = phi * weight * sign;
        sums.p += phi;
        sums.x += phi * x;
        sums.xx += phi * x * x;
        sums.energy += of_energy * weight * sign * q * plane.cos;
    }
}

impl<T: Real> CapsuleEdge<T> {
    /// Returns true if its part between the ends comes this close to the axis.
    fn is_within(&self, close: f64) -> bool {
        let [from, to] = self.range.map(Real::value);
        let [[q, dq], [y, dy]] = [self.q, self.y].map(|of| of.map(Real::value));
        let squares = dq * dq + dy * dy;
        let mut s = from;
        if squares > 0.0 {
            s = (-(q * dq + y * dy) / squares).clamp(from, to);
        }
        let [q, y] = [q + dq * s, y + dy * s];
        q * q + y * y < close * close
    }
}

impl<T: Real> CapsulePlane<T> {
    /// Bounds x to |slope x - at| <= most.
    fn limit(&mut self, slope: T, at: T, most: f64, is_rim: bool) {
        if slope.value() == 0.0 {
            if at.value().abs() >= most {
                self.range = [T::one(), T::zero()];
            }
            return;
        }
        let mut ends = [-most, most].map(|end| (at + end) / slope);
        if slope.value() < 0.0 {
            ends.swap(0, 1);
        }
        if ends[0].value() > self.range[0].value() {
            (self.range[0], self.is_rim[0]) = (ends[0], is_rim);
        }
        if ends[1].value() < self.range[1].value() {
            (self.range[1], self.is_rim[1]) = (ends[1], is_rim);
        }
    }
}

impl Crossings {
    fn add(&mut self, place: f64, is_out: bool) {
        if place < self.first.0 {
            self.first = (place, is_out);
        }
        if place > self.last.0 {
            self.last = (place, is_out);
        }
    }

    /// Whether the ends are inside, if not told by a crossing as given.
    fn ends(&self, is_inside: impl FnOnce() -> bool) -> [bool; 2] {
        match self.first.0 <= self.last.0 {
            true => [self.first.1, !self.last.1],
            false => [is_inside(); 2],
        }
    }
}

/// Calls `at` with the points and weights of a rule for a function that is singular at places before and after a
/// range.
fn integrate<T: Real>(
    [from, to]: [T; 2],
    singular: [Option<T>; 2],
    is_rough: bool,
    mut at: impl FnMut(T, T),
) {
    let most = FAR * (to - from).value();
    let near = |place: Option<T>, end: T| place.filter(|place| (*place - end).value().abs() < most);
    match [near(singular[0], from), near(singular[1], to)] {
        [None, None] => gauss([from, to], BESIDE, at),
        [Some(place), None] => roots([from, to], place, is_rough, &mut at),
        [None, Some(place)] => roots([to, from], place, is_rough, &mut at),
        [Some(before), Some(after)] => {
            let middle = (from + to) * 0.5;
            roots([from, middle], before, is_rough, &mut at);
            roots([to, middle], after, is_rough, &mut at);
        }
    }
}

/// The same with the root of the distance from a singular place, before the first end, as variable.
fn roots<T: Real>(ends: [T; 2], place: T, is_rough: bool, at: &mut impl FnMut(T, T)) {
    let way = (ends[1] - ends[0]).value().signum();
    let [start, mut end] = ends.map(|end| match end.value() == place.value() {
        true => T::zero(),
        false => ((end - place) * way).sqrt(),
    });
    let mut steps = if is_rough { STEPS } else { 0 };
    loop {
        let near = end * TO_RIM;
        let is_last = steps == 0 || near.value() <= start.value();
        let from = if is_last { start } else { near };
        gauss([from, end], BETWEEN, |w, weight| {
            at(place + w * w * way, w * weight * 2.0);
        });
        if is_last {
            return;
        }
        (end, steps) = (near, steps - 1);
    }
}
