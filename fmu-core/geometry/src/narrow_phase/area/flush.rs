//! Faces of two bodies that lie flush, such as the sides of equal crates on each other: one smooth pressure
//! for both.
//!
//! With two such faces i of A and m of B, min(l_i, l_m) makes the energy fall like -c |s| with the offset s
//! of one body along the normal, c = F d/(2 w): a cusp, a force to whichever side rounding shifts them.
//! Within a radius r the two faces therefore count as one, and a smooth h(s) replaces |s|: with u = |s|/r < 1
//!
//!   h = r u^3 (6 - 8 u + 3 u^2),   h = h' = h'' = 0 at 0,   h = |s| from r on,
//!
//! |h'| <= 1.51, |h''| <= 3.94/r: nothing changes where faces are exactly flush or farther apart than r, and
//! the force along them rises from 0 with a slope of 2 F d/(w r) or less.
//!
//! In pressures, D = l_i - l_m and e = k r: (l_i + l_m - h(D))/2. It is replaced by its tangent planes at the
//! value D_q that D has at a point x between both faces,
//!
//!   l = a l_i + (1 - a) l_m - (h - h' D_q)/2,   a = (1 - h')/2,
//!
//! one where D hardly varies, z = |grad D| R/e < 1/2, with R no smaller than the distance of the faces from
//! x, else two, at D_q = D(x) -+ f, f = e (z - 1/2)^2/2 >= e (z - 1). Where |D(x)| is beyond e + f, or z
//! beyond 4, these are l_i and l_m or cannot be the minimum, so both faces stay as they are. All planes are
//! smooth functions of the poses, and so is the integral of the minimum of all.
//!
//! The wrench is the exact gradient: let A move with the velocity field v. In the cell of l, of the volume V
//! and the first moment X, dl = a dl_i - h'' (D - D_q)/2 dD_q, so besides the pressure on the border of the
//! cell, of which A has the part a, A feels
//!
//! - a (1 - a) V grad D at X/V, as grad l is not grad l_i
//! - Q = -h''/2 integral of (D - D_q) dV: Q times the slopes of D_q. With x = b c_A + (1 - b) c_B of two
//!   points on the planes, dD(x) = -(1 - b) grad l_i . v(c_B) - b grad l_m . v(c_A), and df is that of a
//!   torque along grad l_i x grad l_m

use crate::math::{Mat3, Pose, Real, Vec3};
use crate::narrow_phase::area::nodes::{Node, Nodes};
use crate::narrow_phase::area::planes::{Linear, Stiffness};
use crate::shapes::{Core, Kind};

/// r/R [1]. For two dominoes of 54 mm from corner to corner r is 5.4 um: at 1e-12 m beside flush the force
/// along the face is 6e-13 of that at 5.4 um. The overlap of the faces counts as up to 0.2 r wider than it
/// is.
const RADIUS: f64 = 2e-4;
/// Limits of z: one plane below the first, both faces from the second on.
const ONE: f64 = 0.5;
const BOTH: f64 = 4.0;

/// Relative difference up to which stiffnesses count as equal: some rounding. Unequal pressures coincide in a
/// plane only, not along the faces, and the energy has no cusp.
const EQUAL: f64 = 1e-12;

#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Centre of the bounding box of each, in its frame [m].
    middles_b: [Vec3; 2],
    stiffness: Stiffness,
    /// R [m].
    reach: f64,
    /// Weight b of the point on the first body [1].
    weight: f64,
    /// e [Pa].
    softness: f64,
}

/// Flush pair of faces, and one of its planes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flush {
    pub faces: [usize; 2],
    /// 0 for a single plane, -1 and 1 for two.
    pub end: f64,
}

/// Radius of two shapes [m] within which their faces count as flush; `None` unless both are boxes or hulls.
pub fn radius(cores: [&Core; 2]) -> Option<f64> {
    Scale::of(cores, [1.0; 2]).map(|scale| scale.radius())
}

impl Scale {
    /// `None` for cores without flat sides, or of unequal stiffness.
    pub(super) fn of(cores: [&Core; 2], stiffness: Stiffness) -> Option<Self> {
        let has_sides = |core: &&Core| matches!(core.kind(), Kind::Hull | Kind::Box);
        let [k_1, k_2] = stiffness;
        if !cores.iter().all(has_sides) || (k_1 - k_2).abs() > EQUAL * k_1 {
            return None;
        }
        let bounds = cores.map(|core| core.solid().bounds(&Mat3::identity()));
        let [one, two] = bounds.map(|[lower, upper]| 0.5 * (upper - lower).norm());
        // A point of a body down to half of the depth of its middle is no farther than `one` from the point
        // on its face that is nearest to the middle.
        let reach = 2.0 * one * two / (one + two);
        Some(Scale {
            middles_b: bounds.map(|[lower, upper]| (lower + upper) * 0.5),
            stiffness,
            reach,
            weight: two / (one + two),
            softness: RADIUS * reach * 0.5 * (stiffness[0] + stiffness[1]),
        })
    }

    pub(super) fn radius(&self) -> f64 {
        RADIUS * self.reach
    }

    /// Radius as a pressure [Pa].
    pub(super) fn softness(&self) -> f64 {
        self.softness
    }

    /// Centres of the bounding boxes at these poses.
    pub(super) fn middles<T: Real>(&self, poses: &[Pose<T>; 2]) -> [Vec3<T>; 2] {
        [0, 1].map(|side| {
            let pose = &poses[side];
            pose.position + pose.rotation * self.middles_b[side].map(T::from)
        })
    }

    /// The `end` values of the planes that replace two faces with these pressures; `None` if both stay.
    #[inline(always)]
    pub(super) fn ends(&self, pair: [&Linear; 2], middles: &[Vec3; 2]) -> &'static [f64] {
        let slope = pair[0].gradient - pair[1].gradient;
        let most = self.softness / self.reach;
        if slope.norm_squared() >= BOTH * BOTH * most * most {
            return &[];
        }
        let apart = Apart::new(pair, middles, self);
        match (apart.spread, apart.at_x.abs()) {
            (spread, at_x) if at_x >= self.softness + spread => &[],
            (0.0, _) => &[0.0],
            _ => &[-1.0, 1.0],
        }
    }
}

struct Apart<T: Real> {
    /// D.
    difference: Linear<T>,
    points: [Vec3<T>; 2],
    /// D(x) [Pa].
    at_x: T,
    /// f [Pa] and its derivative with respect to z^2.
    spread: T,
    spread_rate: T,
}

impl<T: Real> Apart<T> {
    fn new(pair: [&Linear<T>; 2], middles: &[Vec3<T>; 2], scale: &Scale) -> Self {
        let points = [0, 1].map(|side| {
            let k = scale.stiffness[side];
            middles[side] - pair[side].gradient * (pair[side].at(&middles[side]) / (k * k))
        });
        let difference = pair[0].less(pair[1]);
        let b = scale.weight;
        let x = points[0] * T::from(b) + points[1] * T::from(1.0 - b);
        let per = scale.reach / scale.softness;
        let slope = &difference.gradient;
        let square = slope.dot(slope) * (per * per);
        let [spread, spread_rate] = match square.value() > ONE * ONE {
            true => {
                let z = square.sqrt();
                let over = z - ONE;
                [
                    over * over * (0.5 * scale.softness),
                    over / z * (0.5 * scale.softness),
                ]
            }
            false => [T::zero(); 2],
        };
        Apart {
            at_x: difference.at(&x),
            difference,
            points,
            spread,
            spread_rate,
        }
    }
}

/// A plane that represents two flush faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixed<T: Real> {
    pub pressure: Linear<T>,
    /// Share a of A.
    pub share: T,
    pair: [Linear<T>; 2],
    flush: Flush,
    points: [Vec3<T>; 2],
    /// (h - h' D_q)/2 [Pa].
    off: T,
    /// D - D_q.
    beyond: Linear<T>,
    /// -h''/2 [1/Pa].
    bend: T,
    /// Twice the derivative of D_q with respect to |grad D|^2.
    turn: T,
    scale: Scale,
    /// Volume [m3] and first moment [m4] of the cell.
    volume: T,
    first: Vec3<T>,
}

impl<T: Real> Mixed<T> {
    pub(super) fn new(
        pair: [Linear<T>; 2],
        middles: &[Vec3<T>; 2],
        scale: Scale,
        flush: Flush,
    ) -> Self {
        let end = flush.end;
        let apart = Apart::new([&pair[0], &pair[1]], middles, &scale);
        let e = scale.softness;
        let at = apart.at_x + apart.spread * end;
        let u = at.abs() * (1.0 / e);
        let sign = at.value().signum();
        let [h, slope, bend] = match u.value() < 1.0 {
            true => [
                u * u * u * (u * (u * 3.0 - 8.0) + 6.0),
                u * u * (u * (u * 15.0 - 32.0) + 18.0),
                u * (u * (u * 60.0 - 96.0) + 36.0),
            ],
            false => [u, T::one(), T::zero()],
        };
        let slope = slope * sign;
        let [a, b] = [(-slope + 1.0) * 0.5, (slope + 1.0) * 0.5];
        let [one, two] = &pair;
        let off = (h * e - slope * at) * 0.5;
        let per = scale.reach / e;
        Mixed {
            pressure: Linear {
                gradient: one.gradient * a + two.gradient * b,
                at_0: one.at_0 * a + two.at_0 * b - off,
            },
            share: a,
            flush,
            off,
            points: apart.points,
            beyond: Linear {
                gradient: apart.difference.gradient,
                at_0: apart.difference.at_0 - at,
            },
            bend: bend * (-0.5 / e),
            turn: apart.spread_rate * (2.0 * end * per * per),
            pair,
            scale,
            volume: T::zero(),
            first: Vec3::zeros(),
        }
    }

    /// Difference of the pressures; of two planes of the same faces without the cancellation of subtracting
    /// them.
    pub(super) fn less(&self, other: &Self) -> Linear<T> {
        if self.flush.faces != other.flush.faces {
            return self.pressure.less(&other.pressure);
        }
        let part = self.share - other.share;
        let [one, two] = &self.pair;
        let apart = one.less(two);
        Linear {
            gradient: apart.gradient * part,
            at_0: apart.at_0 * part - (self.off - other.off),
        }
    }

    /// Adds the contribution of a facet to the cell: the integrals of pressure, of pressure times position
    /// and of the pressure squared, and the component of the outward normal along the slope.
    pub(super) fn add_facet(&mut self, force: T, moment: Vec3<T>, squares: T, along: T) {
        let slope = &self.pressure.gradient;
        let way = slope * slope.dot(slope).recip();
        self.volume += along * force;
        self.first += (moment - way * (squares * 0.5)) * along;
    }

    /// Appends the nodes of the loads besides the pressure on the border of the cell; `axes` are those of its
    /// coordinates.
    pub(super) fn push_nodes(&self, axes: &Mat3<T>, nodes: &mut Nodes<T>) {
        if self.volume.value() <= 0.0 {
            return;
        }
        let [one, two] = [0, 1].map(|side| {
            let k = self.scale.stiffness[side];
            (self.pair[side].gradient * T::from(-1.0 / k), k)
        });
        // The force on 1 is the factor times the slope of the pressure of a face.
        let mut push = |point: Vec3<T>, (normal, k): (Vec3<T>, f64), factor: T| {
            let sign = T::from(factor.value().signum());
            nodes.push(Node {
                point: axes * point,
                normal: axes * (normal * sign),
                force: factor * sign * k,
            });
        };
        let both = self.share * (-self.share + 1.0) * self.volume;
        let middle = self.first * self.volume.recip();
        push(middle, one, both);
        push(middle, two, -both);
        if self.bend.value() == 0.0 {
            return;
        }
        let [on_one, on_two] = self.points;
        let Scale { weight, reach, .. } = self.scale;
        let beyond = self.beyond.gradient.dot(&self.first) + self.beyond.at_0 * self.volume;
        let q = self.bend * beyond;
        let turn = q * self.turn * (one.1 / reach);
        push(on_two, one, q * (1.0 - weight));
        push(on_one, two, q * weight + turn);
        push(on_one + one.0 * T::from(reach), two, -turn);
    }
}
