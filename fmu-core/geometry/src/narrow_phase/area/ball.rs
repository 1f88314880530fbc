//! The patch of a ball against a mesh: the pressure of the ball, summed over the faces within it.
//!
//! The mesh is rigid and the ball soft: its pressure is p = kappa u^n at the depth u = R - r below its surface,
//! r the distance from its centre. U = integral of p over what mesh and ball have in common, and its gradient
//! is a force n_f P_f on the ball for each face f, P_f = integral of p over the face inside the ball, n_f its
//! outward normal. On a plane at the depth d the force is 2 pi kappa (R d^(n+1)/(n+1) - d^(n+2)/(n+2)); so
//! n = 1/2 with kappa = E/(pi sqrt R) is Hertz' force but for the part 0.6 d/R. Faces in one plane add up to
//! the plane, faces of a fine tessellation to the curved surface, and edges of a body are softer than faces.
//!
//! # A face as a sum over its edges
//!
//! z is the height of the centre above the plane, rho the distance from its foot there, a^2 = R^2 - z^2, and
//!   T(u) = integral from 0 to u of p(t) (R - t) dt = kappa u^(n+1) (R/(n+1) - u/(n+2)).
//! In polar coordinates P_f = T(R - |z|) W - sum of Q, W the angle of the face seen from the foot, that is 2 pi
//! or 0, and Q of an edge the integral of T dtheta = T h/rho^2 ds inside the ball: h the distance of its line
//! from the foot, s along it, rho^2 = h^2 + s^2, T = 0 at the rim s^2 = b^2 = a^2 - h^2. With grad T = -p rho
//!   integral of p rho dA = -sum over edges of e integral of T ds, e the outward normal of the edge.
//! As T is a function of r alone, both faces at an edge have the same integral of T ds, and the torque about
//! the centre vanishes. The energy is a sum over faces as well, by the field -q r with q = r^-3 integral from r
//! to R of p t^2 dt, whose divergence is p but for a source at the centre: U = sum over f of z integral of q dA,
//! and the energy of the entire ball in addition if its centre is inside the mesh. In polar coordinates
//!   V(u) = integral from r to R of q t dt = kappa u^(n+2) (R/((n+1)(n+2)) - u/((n+2)(n+3)))/r
//! takes the place of T.
//!
//! # An ellipsoid, and half a ball
//!
//! With S the inverse of the semi-axes and a length l the map x -> l S x makes an ellipsoid a ball of the radius l,
//! whose depth is u = l (1 - |S x|). Planes stay planes. Energies are those of the ball times the volume V of the
//! ellipsoid over its, and a face with the normal n has the force n P_f V/|n/(l S)|; it no longer points at the
//! centre, but the centre of pressure is mapped back, so the torque is exact. Of half a ball a face is cut at the
//! plane across, and the cut is one more edge; the radial fields do not cross that plane.
//!
//! # Rule
//!
//! h/rho^2 has a peak where an edge passes near the foot. Its part T_0 (1 - x)^2, x = rho^2/a^2, T_0 = T at the
//! foot, is integrated in closed form: with the angle I_0 = integral of dtheta,
//!   integral of (1 - x)^2 dtheta = I_0 - h/a^2 (integral of (1 - x) ds + integral of ds).
//! The rest has no peak. Edges inside the ball beyond 0.95 a only have none to begin with; for them this part
//! would be far larger than Q. With s = b sin phi and t = tan(phi/2) all is rational in t but for the roots,
//! and smooth at the rim, t = 1: Gauss points in t from the middle of the edge, in steps of the distance of the
//! nearest singularity, r = 0, at t = i q, q = g/(b + R), g^2 = h^2 + z^2.
//!
//! An edge is evaluated from its vertex of the lesser number, so that faces in one plane have the same bits and
//! edges between them cancel. The angle at a vertex near the foot belongs to two edges and cancels in the face
//! too: it has no derivative here. Near a vertex W is the sum of the angles of the edges, with their rounding.
//!
//! With the centre on an edge or a vertex rounding decides on which sides of the faces the source is; such a place is
//! singular, and [`Patch::find_round`](super::Patch::find_round) takes its energy from two beside it.

use crate::math::real::atan2;
use crate::math::{Mat3, Pose, Real, Vec3};
use crate::narrow_phase::area::curved::energy::arc_with_poles;
use crate::narrow_phase::area::nodes::{Extent, Node, Nodes};
use crate::shapes::mesh::Mesh;
use crate::shapes::mesh::cells::CellFace;
use crate::shapes::{Aabb, Cells, Ellipsoid};
use std::f64::consts::{PI, TAU};

/// Pressure of a round shape against rigid faces: factor u^exponent at the depth u [m] below its surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundPressure {
    /// [Pa/m^exponent].
    pub factor: f64,
    /// Not negative: 0 is a linear spring.
    pub exponent: f64,
}

impl RoundPressure {
    /// u^n.
    pub(super) fn power<S: Real>(&self, u: S) -> S {
        match self.exponent {
            0.5 => u.sqrt(),
            1.0 => u,
            n => u.powf(n),
        }
    }

    /// Integral of p t from t = R - u to R, over kappa.
    pub(super) fn moment<S: Real>(&self, u: S, radius: f64) -> S {
        let m = self.exponent + 1.0;
        self.power(u) * u * (-u / (m + 1.0) + radius / m)
    }

    /// Returns true if the pressure has no power series in the root of u.
    pub(super) fn is_rough(&self) -> bool {
        (2.0 * self.exponent).fract() != 0.0
    }
}

/// Square of the least rho/a inside the ball up to which an edge has a peak.
const PEAK: f64 = 0.95 * 0.95;
/// rho^2 over a^2 and z^2 up to which a peak is the limit of its rest.
const AT_FOOT: f64 = 1e-8;
/// x of a vertex up to which its angle has no derivative.
const INNER: f64 = 0.25;
/// x of a vertex, and of the line of an edge, up to which W is a sum of angles.
const NEAR_VERTEX: f64 = 1e-6;
const NEAR_LINE: f64 = 1e-12;
/// (b^2 - s^2)/b^2 up to which a vertex is on the rim.
const RIM: f64 = 1e-14;
/// Length of a step over the distance of the singularity from its start.
const STEP: f64 = 1.25;
/// Distance of the centre from an edge, over R, up to which the place is singular.
pub(super) const AT_EDGE: f64 = 1e-5;
/// Distance of a plane from the centre, over R, and sine of its angle to the plane across a half, up to which it lies
/// in that: r is continuous there, so the error is of second order.
const FLUSH: f64 = 1e-9;
/// Relative difference of two squares that is rounding: above a face, close to its edge, the faces beyond are as near.
const SAME: f64 = 1e-12;
/// Least distance of the singularity.
const LEAST: f64 = 1e-12;
/// Part of the way to the rim that is a step, and way from which on the rim is reached in one, if T is a power
/// there that is not of cos phi.
const TO_RIM: f64 = 0.65;
const ROUGH: f64 = 0.1;
/// Longer half axis of the ellipse for the last step.
const LEAST_AXIS: f64 = 2.1;

/// Ball in the frame of the mesh, its half, or an ellipsoid that a linear map makes a ball.
pub(super) struct Ball<T: Real> {
    center: Vec3<T>,
    radius: f64,
    pressure: RoundPressure,
    /// Largest distance of its surface from the centre.
    reach: f64,
    stretch: Option<Stretch<T>>,
    /// Unit vector from the centre into the half.
    half: Option<Vec3<T>>,
    /// Whether the centre is inside the mesh, if a face in reach tells it.
    pub(super) is_inside: Option<bool>,
    is_singular: bool,
    /// Evaluations of the rule.
    evaluations: usize,
}

/// Energy of a round shape [J].
pub(super) struct Stored<T: Real> {
    pub(super) energy: T,
    /// Whether rounding decides on it.
    pub(super) is_singular: bool,
}

/// The map of an ellipsoid to a ball.
struct Stretch<T: Real> {
    to_ball: Mat3<T>,
    from_ball: Mat3<T>,
    /// Volume over that of the ball.
    volume: f64,
}

/// Plane of a face, with T and z V over kappa at the foot.
struct Disc<T: Real> {
    normal: Vec3<T>,
    z: T,
    /// Force and energy of the shape over those of the ball.
    shares: [T; 2],
    /// Side of the plane that cuts it.
    half: Option<Vec3<T>>,
    /// a^2 and its inverse.
    square: T,
    per: T,
    at_foot: [T; 2],
    /// Limits of their rests over rho^2 there, and the rho^2 up to which they hold.
    rest: [T; 2],
    close: f64,
}

/// Edge of a face, from its vertex of the lesser number.
struct EdgeLine<T: Real> {
    /// Unit normal in the plane of the face, to the right.
    out: Vec3<T>,
    /// Places of both ends, from the point nearest to the foot.
    s: [T; 2],
    h: T,
    /// g^2.
    square: T,
    /// r^2 of both ends, and of the point of its line nearest to the centre: the same for both faces.
    ends: [f64; 2],
    line: f64,
    /// 1 if the face is to its left, else -1.
    sign: f64,
}

/// The angle W of a face or of its half.
struct Turn {
    is_empty: bool,
    is_inside: bool,
    near_line: bool,
    near_vertex: bool,
}

/// Where the outline of a face crosses the border of the half.
struct Crossing<T: Real> {
    point: Vec3<T>,
    square: f64,
}

/// Part of an edge inside the ball.
struct Chord<T: Real> {
    s: [T; 2],
    t: [T; 2],
    /// b^2 and b.
    square: T,
    half: T,
    is_rim: [bool; 2],
}

/// The surface point nearest to the centre, as far as it is known.
struct NearestFace {
    square: f64,
    /// Height of the centre above the faces there, weighted by their angles.
    height: f64,
}

impl<T: Real> Ball<T> {
    pub(super) fn new(center: Vec3<T>, radius: f64, pressure: RoundPressure) -> Self {
        Ball {
            center,
            radius,
            pressure,
            reach: radius,
            stretch: None,
            half: None,
            is_inside: None,
            is_singular: false,
            evaluations: 0,
        }
    }

    /// The half on the side of a unit vector, without the energy of a half that is inside.
    pub(super) fn half(self, side: Vec3<T>) -> Self {
        Ball {
            half: Some(side),
            ..self
        }
    }

    /// Ellipsoid at a pose in the frame of the mesh, its surface moved inwards by `inset` where the normal
    /// meets it at the length.
    pub(super) fn ellipsoid(
        of: &Ellipsoid,
        pose: &Pose<T>,
        inset: f64,
        pressure: RoundPressure,
    ) -> Self {
        let length = of.length();
        let (scale, turn) = (of.semi_axes / length, &pose.rotation);
        let mut from_ball = *turn;
        let mut to_ball = turn.transpose();
        for k in 0..3 {
            from_ball.column_mut(k).apply(|c| *c *= scale[k]);
            to_ball.row_mut(k).apply(|c| *c /= scale[k]);
        }
        let stretch = Stretch {
            to_ball,
            from_ball,
            volume: scale.product(),
        };
        Ball {
            reach: of.semi_axes.amax(),
            stretch: Some(stretch),
            ..Ball::new(pose.position, length - inset, pressure)
        }
    }

    /// Adds its nodes against a mesh, relative to its centre and along axes to which `axes` turns the frame of
    /// the mesh, with outward normals.
    pub(super) fn press(&mut self, mesh: &Mesh, axes: &Mat3<T>, nodes: &mut Nodes<T>) -> Stored<T> {
        self.press_off(mesh, axes, &Vec3::zeros(), nodes)
    }

    /// [`Ball::press`], with nodes relative to a point from which the centre is at `off`.
    pub(super) fn press_off(
        &mut self,
        mesh: &Mesh,
        axes: &Mat3<T>,
        off: &Vec3<T>,
        nodes: &mut Nodes<T>,
    ) -> Stored<T> {
        let center = self.center.map(Real::value);
        let bounds = Aabb::EMPTY.with(&center);
        let RoundPressure { factor, exponent } = self.pressure;
        let (cells, mut energy) = (mesh.cells(), T::zero());
        let mut nearest = NearestFace {
            square: f64::INFINITY,
            height: 0.0,
        };
        cells.for_each_face_within(self.reach, &bounds, |face| {
            let of = &cells.faces[face];
            let Some(disc) = self.disc(of) else {
                return;
            };
            let ([force, own], moment) = self.face(cells, face, &disc, &mut nearest);
            let [of_force, of_energy] = disc.shares;
            energy += own * of_energy * factor;
            if force.value() > 0.0 {
                let mut point = moment / force - disc.normal * disc.z;
                if let Some(stretch) = &self.stretch {
                    point = stretch.from_ball * point;
                }
                nodes.push(Node {
                    point: axes * point + off,
                    normal: axes * of.normal.map(T::from),
                    force: force * of_force * factor,
                });
                nodes.end_facet(Extent::Nodes);
            }
        });
        let is_near = nearest.square < self.radius * self.radius;
        self.is_inside = is_near.then_some(nearest.height < 0.0);
        if self.is_inside == Some(true) && self.half.is_none() {
            let m = exponent + 1.0;
            let all = self.pressure.power(self.radius) * self.radius * self.radius * self.radius;
            let volume = self.stretch.as_ref().map_or(1.0, |stretch| stretch.volume);
            energy += T::from(8.0 * PI / (m * (m + 1.0) * (m + 2.0)) * volume * factor * all);
        }
        Stored {
            energy,
            is_singular: self.is_singular,
        }
    }

    /// T and r V over kappa.
    fn integrals(&self, u: T) -> [T; 2] {
        let (m, first) = (self.pressure.exponent + 1.0, self.pressure.power(u) * u);
        let of_v = -u / ((m + 1.0) * (m + 2.0)) + self.radius / (m * (m + 1.0));
        [first * (-u / (m + 1.0) + self.radius / m), first * u * of_v]
    }

    /// The plane of a face, if it cuts the ball.
    fn disc(&self, face: &CellFace) -> Option<Disc<T>> {
        let mut normal = face.normal.map(T::from);
        // Without a negative zero.
        let mut z = normal.dot(&self.center) - face.height + 0.0;
        let half = self
            .half
            .filter(|side| !is_flush(face, &self.center, side, self.radius));
        let mut shares = [T::one(); 2];
        if let Some(stretch) = &self.stretch {
            let across = stretch.from_ball.tr_mul(&normal);
            let per = across.dot(&across).sqrt().recip();
            (normal, z) = (across * per, z * per);
            shares = [per * stretch.volume, T::from(stretch.volume)];
        }
        let u = -z.abs() + self.radius;
        if u.value().is_nan() || u.value() <= 0.0 {
            return None;
        }
        let square = u * (z.abs() + self.radius);
        let per = square.recip();
        let [t, v] = self.integrals(u);
        let v = v * z.value().signum();
        Some(Disc {
            normal,
            z,
            shares,
            half,
            square,
            per,
            at_foot: [t, v],
            rest: [
                t * per * 2.0 - self.pressure.power(u) * 0.5,
                v * per * 2.0 - (v + z * t) / (z * z * 2.0),
            ],
            close: AT_FOOT * square.value().min(z.value() * z.value()),
        })
    }

    /// Integrals over a face inside the ball, over kappa: those of p and of z q, and of p rho.
    fn face(
        &mut self,
        cells: &Cells,
        face: usize,
        disc: &Disc<T>,
        nearest: &mut NearestFace,
    ) -> ([T; 2], Vec3<T>) {
        let count = cells.corners(face).len();
        let mut turn = Turn::new();
        let (mut sums, mut moment) = ([T::zero(); 2], Vec3::zeros());
        let (mut best, mut is_over) = ((f64::INFINITY, 0), true);
        let mut crossings = [None, None];
        for k in 0..=count {
            let line = if k < count {
                let line = self.line(cells, face, k, disc);
                is_over &= line.h.value() * line.sign > 0.0;
                let (square, corner) = line.nearest(k, count);
                if square < best.0 {
                    best = (square, corner);
                }
                self.clipped(line, cells, face, k, disc, &mut crossings)
            } else {
                Self::border(disc, &crossings)
            };
            let Some(line) = line else {
                continue;
            };
            turn.look(&line, disc);
            let [q, of_energy, along] = self.edge(&line, disc);
            sums[0] -= q * line.sign;
            sums[1] -= of_energy * line.sign;
            moment -= line.out * (along * line.sign);
        }
        let turn = turn.value(|| {
            let lines = (0..=count).filter_map(|k| match k < count {
                true => {
                    let line = self.line(cells, face, k, disc);
                    self.clipped(line, cells, face, k, disc, &mut crossings)
                }
                false => Self::border(disc, &crossings),
            });
            lines.map(|line| line.angle()).sum()
        });
        match (&self.half, &disc.half) {
            (None, _) => is_over = turn > PI,
            (Some(_), None) => self.is_singular |= turn > PI,
            _ => {}
        }
        self.is_singular |= best.0 < AT_EDGE * AT_EDGE * self.radius * self.radius;
        let z = disc.z.value();
        let (square, angle) = match is_over {
            true => (z * z, TAU),
            false if best.1 < count => (best.0, self.corner_angle(cells, face, best.1)),
            false => (best.0, PI),
        };
        nearest.look(square, angle * z);
        for (sum, at_foot) in sums.iter_mut().zip(disc.at_foot) {
            *sum += at_foot * turn;
        }
        (sums, moment)
    }

    /// Vector from the centre to a point of the mesh, where the shape is a ball.
    fn seen(&self, point: &Vec3) -> Vec3<T> {
        self.in_ball(point.map(T::from) - self.center)
    }

    fn in_ball(&self, vector: Vec3<T>) -> Vec3<T> {
        match &self.stretch {
            Some(stretch) => stretch.to_ball * vector,
            None => vector,
        }
    }

    /// Angle of a face at a corner [rad], where the shape is a ball.
    fn corner_angle(&self, cells: &Cells, face: usize, k: usize) -> f64 {
        let corners = cells.corners(face);
        let count = corners.len();
        let [before, at, after] = [k + count - 1, k, k + 1].map(|k| {
            self.seen(&cells.vertex(corners[k % count]).point)
                .map(Real::value)
        });
        let (u, v) = (before - at, after - at);
        atan2(u.cross(&v).norm(), u.dot(&v))
    }

    fn line(&self, cells: &Cells, face: usize, k: usize, disc: &Disc<T>) -> EdgeLine<T> {
        let [a, b] = cells.edge(face, k);
        let [first, last] = [a.min(b), a.max(b)].map(|v| &cells.vertex(v).point);
        let span = self.in_ball((last - first).map(T::from));
        let length = span.dot(&span).sqrt();
        let along = span * length.recip();
        let (out, start) = (along.cross(&disc.normal), self.seen(first));
        let s = along.dot(&start);
        // Without a negative zero.
        let h = out.dot(&start) + 0.0;
        EdgeLine {
            out,
            s: [s, s + length],
            h,
            square: disc.z * disc.z + h * h,
            ends: [start, self.seen(last)].map(|v| v.map(Real::value).norm_squared()),
            line: (start - along * s).map(Real::value).norm_squared(),
            sign: if a < b { 1.0 } else { -1.0 },
        }
    }

    /// The part of edge k in the half; notes where the outline leaves it and comes back.
    fn clipped(
        &self,
        mut line: EdgeLine<T>,
        cells: &Cells,
        face: usize,
        k: usize,
        disc: &Disc<T>,
        crossings: &mut [Option<Crossing<T>>; 2],
    ) -> Option<EdgeLine<T>> {
        let Some(side) = &disc.half else {
            return Some(line);
        };
        let [a, b] = cells.edge(face, k);
        let [first, last] = [a.min(b), a.max(b)].map(|v| self.seen(&cells.vertex(v).point));
        let heights = [first.dot(side), last.dot(side)];
        let is_in = heights.map(|height| height.value() >= 0.0);
        if is_in == [true; 2] {
            return Some(line);
        }
        if is_in == [false; 2] {
            return None;
        }
        let share = heights[0] / (heights[0] - heights[1]);
        let point = first + (last - first) * share;
        let square = point.map(Real::value).norm_squared();
        let away = usize::from(is_in[0]);
        line.s[away] = line.s[0] + (line.s[1] - line.s[0]) * share;
        line.ends[away] = square;
        // Along the outline the edge leaves at its end if it begins inside.
        let is_leaving = is_in[0] == (line.sign > 0.0);
        crossings[usize::from(is_leaving)] = Some(Crossing { point, square });
        Some(line)
    }

    /// The border of the half in a face, from where the outline comes back to where it leaves.
    fn border(disc: &Disc<T>, crossings: &[Option<Crossing<T>>; 2]) -> Option<EdgeLine<T>> {
        let (Some(side), [Some(back), Some(leaving)]) = (&disc.half, crossings) else {
            return None;
        };
        let across = disc.normal.cross(side);
        let per = across.dot(&across).sqrt().recip();
        let along = across * per;
        let h = disc.z * disc.normal.dot(side) * per + 0.0;
        let s = [back, leaving].map(|crossing| along.dot(&crossing.point));
        (s[0].value() < s[1].value()).then(|| EdgeLine {
            out: along.cross(&disc.normal),
            s,
            h,
            square: disc.z * disc.z + h * h,
            ends: [back.square, leaving.square],
            line: (disc.z * disc.z + h * h).value(),
            sign: -1.0,
        })
    }

    /// Q by T and by z V, and the integral of T ds, over kappa.
    fn edge(&mut self, line: &EdgeLine<T>, disc: &Disc<T>) -> [T; 3] {
        let (mut sums, mut along) = ([T::zero(); 2], T::zero());
        let Some(chord) = line.chord(disc.square) else {
            return [along; 3];
        };
        let (h, b, per) = (line.h, chord.half, disc.per);
        let x = h * h * per;
        let [from, to] = chord.s.map(Real::value);
        let off = from.max(-to).max(0.0);
        let has_peak = x.value() + off * off * per.value() <= PEAK;
        let mut pole = line.square.value().sqrt() / (b.value() + self.radius);
        if !has_peak {
            let a = disc.square.value().sqrt();
            pole = pole.min(h.value().abs() / (b.value() + a));
        }
        let smoothness = Smoothness {
            pole,
            is_rough: self.pressure.is_rough(),
        };
        let mut evaluations = 0;
        let mut at = |t: T, weight: T| {
            evaluations += 1;
            let k = (t * t + 1.0).recip();
            let cosine = (-t * t + 1.0) * k;
            let s = b * t * k * 2.0;
            let ds = b * cosine * k * weight * 2.0;
            let r = (line.square + s * s).sqrt();
            let u = chord.square * cosine * cosine / (r + self.radius);
            let [of_t, of_v] = self.integrals(u);
            let square = h * h + s * s;
            let both = [of_t, of_v * disc.z / r];
            let y = -square * per + 1.0;
            for i in 0..2 {
                sums[i] += ds
                    * match has_peak {
                        true if square.value() < disc.close => disc.rest[i],
                        true => (both[i] - disc.at_foot[i] * (y * y)) / square,
                        false => both[i] / square,
                    };
            }
            along += ds * of_t;
        };
        let [from, to] = chord.t;
        match (from.value() < 0.0, to.value() > 0.0) {
            (true, true) if chord.is_rim == [true; 2] => {
                smoothness.integrate([T::zero(), to], |t, weight| at(t, weight * 2.0));
            }
            (true, true) => {
                smoothness.integrate([T::zero(), -from], &mut at);
                smoothness.integrate([T::zero(), to], &mut at);
            }
            (true, false) => smoothness.integrate([-to, -from], &mut at),
            (false, _) => smoothness.integrate([from, to], &mut at),
        }
        self.evaluations += evaluations;
        let mut closed = T::zero();
        if has_peak {
            let [s, e] = chord.s;
            let length = e - s;
            let once = length * (-x + 1.0) - (e * e * e - s * s * s) * per / 3.0;
            closed = line.inner_angle(&chord, disc) - h * per * (once + length);
        }
        for (sum, at_foot) in sums.iter_mut().zip(disc.at_foot) {
            *sum = *sum * h + at_foot * closed;
        }
        let [q, of_energy] = sums;
        [q, of_energy, along]
    }
}

impl<T: Real> Stored<T> {
    pub(super) fn new() -> Self {
        Stored {
            energy: T::zero(),
            is_singular: false,
        }
    }

    pub(super) fn add(&mut self, other: &Stored<T>) {
        self.energy += other.energy;
        self.is_singular |= other.is_singular;
    }
}

impl Turn {
    fn new() -> Self {
        Turn {
            is_empty: true,
            is_inside: true,
            near_line: false,
            near_vertex: false,
        }
    }

    fn look<T: Real>(&mut self, line: &EdgeLine<T>, disc: &Disc<T>) {
        let (h, s) = (line.h.value(), line.s.map(Real::value));
        let per = disc.per.value();
        self.is_empty = false;
        self.is_inside &= h * line.sign > 0.0;
        self.near_line |= h * h * per < NEAR_LINE;
        self.near_vertex |= s.iter().any(|s| (h * h + s * s) * per < NEAR_VERTEX);
    }

    fn value(&self, angles: impl FnOnce() -> f64) -> f64 {
        match (self.near_line, self.near_vertex) {
            (_, true) => angles(),
            (true, false) => (angles() / TAU).round() * TAU,
            (false, false) if self.is_inside && !self.is_empty => TAU,
            (false, false) => 0.0,
        }
    }
}

impl<T: Real> EdgeLine<T> {
    /// Angle seen from the foot, counter-clockwise about the face.
    fn angle(&self) -> f64 {
        let ([from, to], h) = (self.s.map(Real::value), self.h.value());
        self.sign * angle_over(h, from, to)
    }

    /// Square of the distance of the centre, and the corner that is nearest, or `count` for none; the edge
    /// begins at corner k.
    fn nearest(&self, k: usize, count: usize) -> (f64, usize) {
        let corner = |is_start: bool| match is_start {
            true => k,
            false => (k + 1) % count,
        };
        match self.s.map(|s| s.value() < 0.0) {
            [false, _] => (self.ends[0], corner(self.sign > 0.0)),
            [true, true] => (self.ends[1], corner(self.sign < 0.0)),
            [true, false] => (self.line, count),
        }
    }

    /// The part inside a disc.
    fn chord(&self, of_disc: T) -> Option<Chord<T>> {
        let square = of_disc - self.h * self.h;
        if square.value().is_nan() || square.value() <= 0.0 {
            return None;
        }
        let half = square.sqrt();
        let left = self.s.map(|s| square - s * s);
        let is_rim = left.map(|left| left.value() <= RIM * square.value());
        let at = |k: usize| match is_rim[k] {
            true => {
                let sign = self.s[k].value().signum();
                (half * sign, T::from(sign))
            }
            false => (self.s[k], self.s[k] / (left[k].sqrt() + half)),
        };
        let ((s, from), (e, to)) = (at(0), at(1));
        (from.value() < to.value()).then_some(Chord {
            s: [s, e],
            t: [from, to],
            square,
            half,
            is_rim,
        })
    }

    /// I_0, with the derivatives of those ends whose angles do not cancel.
    fn inner_angle(&self, chord: &Chord<T>, disc: &Disc<T>) -> T {
        let ([s, e], h) = (chord.s.map(Real::value), self.h.value());
        let z = disc.z.value();
        let counts =
            |k: usize| chord.is_rim[k] || (self.ends[k] - z * z) * disc.per.value() > INNER;
        T::with_derivatives(angle_over(h, s, e), |lane| {
            let of_end = |k: usize| {
                let (place, rate) = (chord.s[k].value(), chord.s[k].derivative(lane));
                match counts(k) {
                    true => (h * rate - place * self.h.derivative(lane)) / (h * h + place * place),
                    false => 0.0,
                }
            };
            of_end(1) - of_end(0)
        })
    }
}

/// Returns true if a face lies in the plane through a point across a unit vector: all of it is on that side.
pub(super) fn is_flush<T: Real>(
    face: &CellFace,
    point: &Vec3<T>,
    side: &Vec3<T>,
    radius: f64,
) -> bool {
    let [point, side] = [point, side].map(|v| v.map(Real::value));
    (face.normal.dot(&point) - face.height).abs() <= FLUSH * radius
        && face.normal.cross(&side).norm() <= FLUSH
}

/// Angle over a piece of a line at the distance h, without underflow.
fn angle_over(h: f64, from: f64, to: f64) -> f64 {
    // A half may leave nothing of an edge but an end.
    if from == to {
        return 0.0;
    }
    let per = (to - from).recip();
    atan2(h, h * (h * per) + from * (to * per))
}

impl NearestFace {
    fn look(&mut self, square: f64, height: f64) {
        if square < self.square * (1.0 - SAME) {
            (self.square, self.height) = (square, height);
        } else if square <= self.square * (1.0 + SAME) {
            self.height += height;
        }
    }
}

/// Calls `at` with Gauss points and weights over a range for a function that is analytic in an ellipse about it,
/// given by the sum of its half axes over half of the range.
pub(super) fn gauss<T: Real>([from, to]: [T; 2], ellipse: f64, mut at: impl FnMut(T, T)) {
    let (middle, half) = ((from + to) * 0.5, (to - from) * 0.5);
    for [abscissa, weight] in arc_with_poles(0.0, ellipse) {
        let (off, weight) = (half * *abscissa, half * *weight);
        at(middle + off, weight);
        if *abscissa > 0.0 {
            at(middle - off, weight);
        }
    }
}

/// Function of t >= 0 that is analytic but at `pole` i, -`pole` i and, if it is rough at the rim, 1.
#[derive(Clone, Copy)]
pub(super) struct Smoothness {
    pub(super) pole: f64,
    pub(super) is_rough: bool,
}

impl Smoothness {
    /// Calls `at` with the points and weights of a rule over a range.
    pub(super) fn integrate<T: Real>(self, [mut from, to]: [T; 2], mut at: impl FnMut(T, T)) {
        let pole = self.pole.max(LEAST);
        let away = |t: f64| (t * t + pole * pole).sqrt();
        loop {
            let start = from.value();
            let is_rough = self.is_rough && 1.0 - start > ROUGH;
            let mut next = start + STEP * away(start);
            if is_rough {
                next = next.min(start + TO_RIM * (1.0 - start));
            }
            // NaN is the last.
            let is_next = next < to.value();
            let end = if is_next { T::from(next) } else { to };
            // Sum of the half axes of the ellipse about the range that ends at a pole.
            let (last, length) = (end.value(), end.value() - start);
            let mut axis = (away(start) + away(last)) / length;
            if is_rough {
                axis = axis.min((2.0 - start - last) / length);
            } else if self.is_rough {
                axis = axis.min(LEAST_AXIS);
            }
            let ellipse = axis + (axis * axis - 1.0).sqrt();
            gauss([from, end], ellipse, &mut at);
            if !is_next {
                return;
            }
            from = end;
        }
    }
}

impl Cells {
    /// Vertices of edge k of a face, counter-clockwise.
    pub(super) fn edge(&self, face: usize, k: usize) -> [u32; 2] {
        let corners = self.corners(face);
        [corners[k], corners[(k + 1) % corners.len()]]
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/narrow_phase/area/ball.rs"]
mod tests;
