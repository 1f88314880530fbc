//! Faces that meet flat: over which area two shapes touch where one lies on the other.
//!
//! 1. the two faces: the most opposite ones as the shapes are placed, of these the farthest apart
//! 2. one shape turns by the smallest angle about the middle of its face until the faces are
//!    parallel, and moves along their normal until they are [`DEPTH`] deep in each other; if they
//!    have less than half of the smaller face in common there, its face goes to the middle of the
//!    other one, where that is more
//! 3. area, centre and second moments of area are sums over the nodes of the patch
//!
//! # Faces of two bodies that lie flush
//!
//! Such as the sides of equal crates on each other. Within a radius r they count as one face of
//! both.
//!
//! With two such faces i of A and m of B, min(l_i, l_m) lets the energy fall like -c |s| with the
//! offset s of one body along the normal, c = F d/(2 w): a cusp, a force to whichever side rounding
//! shifts them. Here |s| becomes h(s), so a smooth one: with u = |s|/r < 1
//!
//!   h = r u^3 (6 - 8 u + 3 u^2),   h = h' = h'' = 0 at 0,   h = |s| from r on,
//!
//! |h'| <= 1.51, |h''| <= 3.94/r: nothing changes where faces are exactly flush or farther apart
//! than r, and the force along them rises from 0 with a slope of at most 2 F d/(w r).
//!
//! In pressures, D = l_i - l_m and e = k r: (l_i + l_m - h(D))/2. Of this the planes are taken that
//! touch it at the value D_q that D has at a point x between both faces,
//!
//!   l = a l_i + (1 - a) l_m - (h - h' D_q)/2,   a = (1 - h')/2,
//!
//! one where D hardly varies, z = |grad D| R/e < 1/2, with R no smaller than the faces are far from
//! x, else two, at D_q = D(x) -+ f, f = e (z - 1/2)^2/2 >= e (z - 1). Where |D(x)| is beyond e + f,
//! or z beyond 4, these are l_i and l_m or cannot be the least, so both faces stay as they are. All
//! planes are smooth functions of the poses, and so is the integral of the least of all.
//!
//! It is the wrench that its gradient says: let A move with the velocity field v. In the cell of l,
//! of the volume V and the first moment X, dl = a dl_i - h'' (D - D_q)/2 dD_q, so besides the
//! pressure on the border of the cell, of which A has the part a, A feels
//!
//! - a (1 - a) V grad D at X/V, as grad l is not grad l_i
//! - Q = -h''/2 integral of (D - D_q) dV: Q times the slopes of D_q. With x = b c_A + (1 - b) c_B of
//!   two points on the planes, dD(x) = -(1 - b) grad l_i . v(c_B) - b grad l_m . v(c_A), and df is
//!   that of a torque along grad l_i x grad l_m

use crate::math::real::atan2;
use crate::math::spatial::exponential;
use crate::math::{Mat3, Pose, Real, Vec3};
use crate::narrow_phase::area::region::Linear;
use crate::narrow_phase::area::{Node, Nodes, Patch, Placed, Stiffness};
use crate::shapes::{Core, Kind, RoundedShape};
use std::f64::consts::PI;

/// Depth over the length of an edge [1]: so large a part of area and second moments is lost at the
/// edges, and rounding of places is less.
const DEPTH: f64 = 1e-7;
/// Cosines of angles between faces that differ by less are equal [1].
const SAME: f64 = 1e-6;

/// A flat face of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flat {
    /// Unit normal, out of the shape.
    pub normal: Vec3,
    /// Centre [m].
    pub center: Vec3,
    /// Area [m2]; infinite of a half-space.
    pub area: f64,
}

/// Two faces that meet flat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatContact {
    /// Area that they have in common [m2].
    pub area: f64,
    /// Pose of the shape that moved.
    pub pose: Pose,
    /// Centre of the area [m].
    pub center_w: Vec3,
    /// Unit normal, out of the shape that moved.
    pub normal_w: Vec3,
    /// Two unit vectors in the area, across each other.
    pub axes_w: [Vec3; 2],
    /// Integrals of y^2, x^2 and -x y over the area [m4], x and y along both axes from the centre:
    /// times the stiffness per area, the torque over an angle about both.
    pub second: [f64; 3],
}

/// The flat faces of a shape in its own frame.
pub fn faces(core: &Core) -> Vec<Flat> {
    let both = |axis: usize, offset: f64, area: f64| {
        [1.0, -1.0].map(|side| {
            let mut normal = Vec3::zeros();
            normal[axis] = side;
            Flat {
                normal,
                center: normal * offset,
                area,
            }
        })
    };
    match core {
        Core::HalfSpace => vec![both(2, 0.0, f64::INFINITY)[0]],
        Core::Box(cuboid) => {
            let half = &cuboid.half;
            let of = |axis: usize| {
                let area = 4.0 * half[(axis + 1) % 3] * half[(axis + 2) % 3];
                both(axis, half[axis], area)
            };
            (0..3).flat_map(of).collect()
        }
        Core::Cylinder(cylinder) => {
            let area = PI * cylinder.radius * cylinder.radius;
            both(2, cylinder.half, area).to_vec()
        }
        Core::Cone(cone) => {
            let ends = cone.z.into_iter().zip(cone.radii).zip([-1.0, 1.0]);
            let flat = ends.filter(|((_, radius), _)| *radius > 0.0);
            let flat = flat.map(|((z, radius), side)| Flat {
                normal: Vec3::new(0.0, 0.0, side),
                center: Vec3::new(0.0, 0.0, z),
                area: PI * radius * radius,
            });
            flat.collect()
        }
        Core::Beam(beam) => {
            let (r, half) = (beam.radius, beam.half);
            let stadium = both(1, beam.half_thickness, PI * r * r + 4.0 * r * half);
            let sides = both(0, r, 4.0 * beam.half_thickness * half);
            stadium.into_iter().chain(sides).collect()
        }
        Core::Hull(hull) => {
            let mut list = Vec::new();
            hull.faces().for_each(|normal, edges| {
                let corner = |index: u32| hull.vertices()[index as usize];
                let first = corner(edges[0][0]);
                let (mut area, mut moment) = (0.0, Vec3::zeros());
                for [a, b] in edges {
                    let (a, b) = (corner(*a) - first, corner(*b) - first);
                    let part = 0.5 * a.cross(&b).dot(normal);
                    area += part;
                    moment += (a + b) * (part / 3.0);
                }
                list.push(Flat {
                    normal: *normal,
                    center: first + moment / area,
                    area,
                });
            });
            list
        }
        _ => Vec::new(),
    }
}

impl FlatContact {
    /// Two shapes that touch over an area, of which the one with this index moves; none if that has
    /// no flat face.
    pub fn of(shapes: [Placed<'_, f64>; 2], moving: usize) -> Option<Self> {
        let [own, other] = [shapes[moving], shapes[1 - moving]];
        let (face, target) = most_opposite(own, other)?;
        let (to, pose) = (-target.normal, turned(own.1, &face, &-target.normal));
        let depth = DEPTH * face.area.min(target.area).sqrt();
        // From the centre of the face to that of the other one.
        let way = target.center - face.center;
        let along = to * (to.dot(&way) + depth);
        let across = way - to * to.dot(&way);
        let at = |by: Vec3| {
            let mut pose = pose;
            pose.position += by;
            measure(own.0, pose, other, &to, depth)
        };
        let below = at(along);
        let common = below.map_or(0.0, |contact| contact.area);
        // Half of it in common is a half that rounding may have taken from.
        if common > 0.499 * face.area.min(target.area) {
            return below;
        }
        at(along + across)
            .filter(|middle| middle.area > common)
            .or(below)
    }
}

/// The two faces, placed.
fn most_opposite(own: Placed<'_, f64>, other: Placed<'_, f64>) -> Option<(Flat, Flat)> {
    let placed = |(shape, pose): Placed<'_, f64>| {
        let mut list = faces(&shape.core);
        for face in &mut list {
            face.normal = pose.rotation * face.normal;
            face.center = pose.position + pose.rotation * face.center;
        }
        list
    };
    let targets = placed(other);
    let mut best: Option<(f64, f64, Flat, Flat)> = None;
    for face in placed(own) {
        for target in &targets {
            let opposite = -face.normal.dot(&target.normal);
            let apart = target.normal.dot(&(face.center - target.center));
            let is_better = best.is_none_or(|(least, gap, ..)| {
                opposite > least + SAME || (opposite > least - SAME && apart > gap)
            });
            if is_better {
                best = Some((opposite, apart, face, *target));
            }
        }
    }
    best.map(|(_, _, face, target)| (face, target))
}

/// The pose after the smallest turn about the middle of a face that lets its normal be `to`.
fn turned(pose: &Pose, face: &Flat, to: &Vec3) -> Pose {
    let cross = face.normal.cross(to);
    let (sine, cosine) = (cross.norm(), face.normal.dot(to));
    let angle = atan2(sine, cosine);
    let axis = match sine > 1e-12 {
        true => cross / sine,
        // Half a turn, about any axis across.
        false => axes_across(to)[0],
    };
    let turn = exponential(&(axis * angle));
    Pose {
        position: face.center + turn * (pose.position - face.center),
        rotation: turn * pose.rotation,
    }
}

/// Two unit vectors across a unit vector and each other.
fn axes_across(normal: &Vec3) -> [Vec3; 2] {
    let mut axis = Vec3::zeros();
    axis[normal.abs().imin()] = 1.0;
    let first = (axis - normal * normal.dot(&axis)).normalize();
    [first, normal.cross(&first)]
}

/// Sums over the patch of a shape at a pose; none if there is none.
fn measure(
    shape: &RoundedShape,
    pose: Pose,
    other: Placed<'_, f64>,
    normal: &Vec3,
    depth: f64,
) -> Option<FlatContact> {
    let mut patch = Patch::with_room(0);
    // In series 1 N/m3.
    patch.find([(shape, &pose), other], [2.0; 2], 0.0);
    let nodes = &patch.nodes;
    let force = nodes.sum(0.0, |node| node.force);
    // What is no number is none.
    if force.is_nan() || force <= 0.0 {
        return None;
    }
    let first = nodes.sum(Vec3::zeros(), |node| node.point * node.force);
    let center = first / force;
    let axes = axes_across(normal);
    let moment = |of: &dyn Fn([f64; 2]) -> f64| {
        nodes.sum(0.0, |node| {
            let off = node.point - center;
            node.force * of(axes.map(|axis| axis.dot(&off)))
        }) / depth
    };
    Some(FlatContact {
        area: force / depth,
        pose,
        center_w: patch.origin_w + center,
        normal_w: *normal,
        axes_w: axes,
        second: [
            moment(&|[_, y]| y * y),
            moment(&|[x, _]| x * x),
            moment(&|[x, y]| -x * y),
        ],
    })
}

/// r/R [1]. Of two dominoes of 54 mm from corner to corner r is 5.4 um: 1e-12 m beside flush makes
/// 6e-13 of the force along the face that 5.4 um make. The width that faces have in common counts
/// as up to 0.2 r larger than it is.
const RADIUS: f64 = 2e-4;
/// z up to which one plane is taken, and from which on both faces are.
const ONE: f64 = 0.5;
const BOTH: f64 = 4.0;

/// Part by which stiffnesses may differ that are equal, some rounding [1]. Pressures of others are
/// equal in a plane, not all along the faces, and the energy has no cusp.
const EQUAL: f64 = 1e-12;

/// Lengths of two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Middle of the box around each, in its frame [m].
    middles_b: [Vec3; 2],
    stiffness: Stiffness,
    /// R [m].
    reach: f64,
    /// The weight b of the point on the first body [1].
    weight: f64,
    /// e [Pa].
    softness: f64,
}

/// Which plane of two flush faces.
#[derive(Clone, Copy, Debug)]
pub struct Flush {
    /// The faces.
    pub faces: [usize; 2],
    /// 0 of one plane, -1 and 1 of two.
    pub end: f64,
}

/// Radius of two shapes [m]: within it, their faces count as flush. None of others than boxes and
/// hulls.
pub fn radius(cores: [&Core; 2]) -> Option<f64> {
    Scale::of(cores, [1.0; 2]).map(|scale| scale.radius())
}

impl Scale {
    /// None for cores without flat sides, or of unequal stiffness.
    pub fn of(cores: [&Core; 2], stiffness: Stiffness) -> Option<Self> {
        let has_sides = |core: &&Core| matches!(core.kind(), Kind::Hull | Kind::Box);
        let [k_1, k_2] = stiffness;
        if !cores.iter().all(has_sides) || (k_1 - k_2).abs() > EQUAL * k_1 {
            return None;
        }
        let bounds = cores.map(|core| core.solid().bounds(&Mat3::identity()));
        let [one, two] = bounds.map(|[lower, upper]| 0.5 * (upper - lower).norm());
        // A point of a body down to half of the depth of its middle is no farther than `one` from
        // the point on its face that is nearest to the middle.
        let reach = 2.0 * one * two / (one + two);
        Some(Scale {
            middles_b: bounds.map(|[lower, upper]| (lower + upper) * 0.5),
            stiffness,
            reach,
            weight: two / (one + two),
            softness: RADIUS * reach * 0.5 * (stiffness[0] + stiffness[1]),
        })
    }

    /// r [m].
    pub fn radius(&self) -> f64 {
        RADIUS * self.reach
    }

    /// The middles of two bodies at their poses.
    pub fn middles<T: Real>(&self, poses: &[Pose<T>; 2]) -> [Vec3<T>; 2] {
        [0, 1].map(|side| {
            let pose = &poses[side];
            pose.position + pose.rotation * self.middles_b[side].map(T::from)
        })
    }

    /// The ends of the planes that stand for two faces with these pressures; none if both stay.
    #[inline(always)]
    pub fn ends(&self, pair: [&Linear; 2], middles: &[Vec3; 2]) -> &'static [f64] {
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

/// How two faces differ.
struct Apart<T: Real> {
    /// D.
    difference: Linear<T>,
    /// The points on the planes.
    points: [Vec3<T>; 2],
    /// D(x) [Pa].
    at_x: T,
    /// f [Pa], and its derivative by z^2.
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

/// A plane of two flush faces.
#[derive(Clone, Copy, Debug)]
pub struct Mixed<T: Real> {
    /// Its pressure l.
    pub pressure: Linear<T>,
    /// The part a of it that is A's.
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
    /// Derivative of D_q by |grad D|^2, times 2.
    turn: T,
    scale: Scale,
    /// Volume [m3] and first moment [m4] of the cell.
    volume: T,
    first: Vec3<T>,
}

impl<T: Real> Mixed<T> {
    /// Of the pressures of two faces.
    pub fn new(pair: [Linear<T>; 2], middles: &[Vec3<T>; 2], scale: Scale, flush: Flush) -> Self {
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

    /// This plane less the other one of the same faces, which differs little, so not from their
    /// pressures; none of other faces.
    pub fn less(&self, other: &Self) -> Option<Linear<T>> {
        let part = self.share - other.share;
        let [one, two] = &self.pair;
        let apart = one.less(two);
        (self.flush.faces == other.flush.faces).then(|| Linear {
            gradient: apart.gradient * part,
            at_0: apart.at_0 * part - (self.off - other.off),
        })
    }

    /// Adds what a facet says of the cell: the integrals of pressure, of pressure times place and
    /// of the square of the pressure, and the part of the normal out of the cell along its slope.
    pub fn add_facet(&mut self, (force, moment): (T, Vec3<T>), squares: T, along: T) {
        let slope = &self.pressure.gradient;
        let way = slope * slope.dot(slope).recip();
        self.volume += along * force;
        self.first += (moment - way * (squares * 0.5)) * along;
    }

    /// Pushes the nodes of what acts besides the pressure on the border of the cell.
    pub fn push_nodes(&self, nodes: &mut Nodes<T>) {
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
                point,
                normal: normal * sign,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::shapes::Hull;

    /// The edges of a patch lose 1e-7 of their length.
    fn near(found: f64, expected: f64) {
        let off = (found - expected).abs();
        let scale = expected.abs().max(1e-12);
        assert!(off <= 2e-6 * scale, "{found:e} is not {expected:e}");
    }

    fn at(position: [f64; 3], turn: [f64; 3]) -> Pose {
        Pose {
            position: Vec3::from(position),
            rotation: exponential(&Vec3::from(turn)),
        }
    }

    /// Both second moments about axes of the world [m4].
    fn seconds(contact: &FlatContact, axes: [Vec3; 2]) -> [f64; 2] {
        let [i_11, i_22, i_12] = contact.second;
        axes.map(|axis| {
            let [x, y] = contact.axes_w.map(|own| own.dot(&axis));
            i_11 * x * x + i_22 * y * y + 2.0 * i_12 * x * y
        })
    }

    #[test]
    fn a_tilted_brick_comes_to_lie_on_its_nearest_face() {
        let brick = RoundedShape::cuboid(&[0.3, 0.2, 0.1], 0.0);
        let (ground, origin) = (RoundedShape::half_space(), Pose::identity());
        let contact = |turn| {
            let pose = at([1.0, 2.0, 3.0], turn);
            FlatContact::of([(&ground, &origin), (&brick, &pose)], 1).unwrap()
        };
        let flat = contact([0.0, 0.4, 0.0]);
        near(flat.area, 0.06);
        let [about_x, about_y] = seconds(&flat, [Vec3::x(), Vec3::y()]);
        near(about_x, 0.3 * 0.2_f64.powi(3) / 12.0);
        near(about_y, 0.2 * 0.3_f64.powi(3) / 12.0);
        near(flat.normal_w.z, -1.0);
        assert!((flat.pose.rotation - Mat3::identity()).norm() < 1e-9);
        // On the face of 0.2 m x 0.1 m, whose normal is along -x of the brick or along x.
        near(contact([0.0, 1.2, 0.0]).area, 0.02);
        near(contact([1.2, 0.0, 0.0]).area, 0.03);
    }

    #[test]
    fn an_overhanging_brick_has_the_common_area_and_one_beside_comes_to_the_middle() {
        let [below, above] =
            [[0.4, 0.4, 0.1], [0.2, 0.1, 0.05]].map(|l| RoundedShape::cuboid(&l, 0.0));
        let contact = |x: f64| {
            let poses = [at([0.0; 3], [0.0; 3]), at([x, 0.0, 0.08], [0.0; 3])];
            FlatContact::of([(&below, &poses[0]), (&above, &poses[1])], 1).unwrap()
        };
        let over = contact(0.15);
        near(over.area, 0.015);
        near(over.center_w.x, 0.125);
        near(over.center_w.z, 0.05);
        let [about_x, about_y] = seconds(&over, [Vec3::x(), Vec3::y()]);
        near(about_x, 0.15 * 1e-3 / 12.0);
        near(about_y, 0.1 * 0.15_f64.powi(3) / 12.0);
        // Beside it, and higher, the faces of the sides are the farthest apart.
        let beside = contact(0.35);
        near(beside.area, 0.1 * 0.05);
        near(beside.center_w.x, 0.2);
        assert!(beside.center_w.z.abs() < 1e-9);
        // With a fifth of its face above the other one it would fall.
        near(contact(0.26).area, 0.02);
        // Half of it stays.
        near(contact(0.2).area, 0.01);
    }

    #[test]
    fn round_ends_and_hulls_have_their_areas() {
        let r = 0.05_f64;
        let ground = RoundedShape::half_space();
        let stand = |shape: &RoundedShape| {
            let (origin, pose) = (Pose::identity(), at([0.0, 0.0, 1.0], [0.1, 0.2, 0.0]));
            FlatContact::of([(shape, &pose), (&ground, &origin)], 0).unwrap()
        };
        let cylinder = stand(&RoundedShape::cylinder(2.0 * r, 0.1, 0.0));
        near(cylinder.area, PI * r * r);
        near(cylinder.second[0], PI * r.powi(4) / 4.0);
        near(cylinder.second[1], PI * r.powi(4) / 4.0);
        assert!(cylinder.second[2].abs() < 1e-6 * r.powi(4));
        let cone = stand(&RoundedShape::cone(2.0 * r, 0.0, 0.1, 0.0));
        near(cone.area, PI * r * r);
        // A tetrahedron stands on a right-angled triangle.
        let corners = vec![[0.0; 3], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let hull = RoundedShape::hull(Hull::new(corners, triangles).unwrap(), 0.0);
        let tetrahedron = stand(&hull);
        near(tetrahedron.area, 0.045);
        let [i_11, i_22, _] = tetrahedron.second;
        // b h^3/36 about each leg's parallel.
        near(i_11 + i_22, 2.0 * 0.3_f64.powi(4) / 36.0);
        let list = faces(&hull.core);
        assert_eq!(list.len(), 4);
        let slanted = list.iter().find(|face| face.normal.min() > 0.0).unwrap();
        near(slanted.area, 0.5 * 3f64.sqrt() * 0.09);
        near(slanted.center.x, 0.1);
        near(slanted.center.z, 0.1);
    }
}
