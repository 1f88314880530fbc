//! Polytopes (hull, box, segment, point) against each other.
//!
//! The Minkowski difference D = {x2 - x1} of two polytopes is a polytope. Its corners are pairs of vertices,
//! its edges and faces are made of vertex-edge, vertex-face and edge-edge pairs. So one feature pair is one
//! to three corners of D, whichever kinds of features they come from, and gap, normal n and witness points
//! are those of the plane, line or point through them:
//! - three corners c0, c1, c2: n along (c1 - c0) x (c2 - c0), gap n.c0
//! - two: the point v of the line through them nearest to the origin, n = v/|v|, gap |v|
//! - one: v itself
//!
//! Separate cores are searched by [`gjk`], overlapping ones by [`expand`], two overlapping boxes by
//! [`search_boxes`]. Vertices and edges of D take the normal of the difference vector, faces the normal of
//! their plane, which is exact through touching.
//!
//! Divisions of the closed forms are products with the inverse: dual numbers divide that way, and so their
//! values are those of plain numbers to the bit.
//!
//! Gap and normal are continuous in the pose, the witness points of a single feature pair are not: they would
//! jump as faces or edges pass through parallel. [`supports`] moves them continuously.
//!
//! # Two boxes
//!
//! Separating axis test, then the distance search if an axis separates them.
//!
//! The signed gap along a unit vector n from 1 to 2 is s(n) = n.p - h1(n) - h2(n), with p the centre of 2
//! from that of 1 and h the half extent of a box along n. The Minkowski difference of two boxes has faces
//! along the three axes of either box and along the nine cross products of an edge of one and an edge of the
//! other. The largest s over these 15 axes, each taken towards 2, is the signed gap where the boxes overlap.
//!
//! Where an axis separates the boxes it is the start of the distance search. Cross products of nearly
//! parallel edges have noisy directions; as s(n) is evaluated for the noisy n itself it never exceeds the
//! gap, and an edge pair must beat the faces by more than rounding.

pub(super) mod supports;

use crate::math::{Mat3, Pose, Real, Vec3, norm};
use crate::narrow_phase::expand::nearest_facet;
use crate::narrow_phase::gjk;
use crate::narrow_phase::gjk::{Corner, Difference, Support};
use crate::narrow_phase::polytope::supports::Polytope;
use crate::narrow_phase::proximity::Proximity;
use crate::shapes::{Core, Cuboid, RoundedShape, Segment};
use serde::{Deserialize, Serialize};
use supports::{Flat, Origin};

/// Feature pair: the corners of the Minkowski difference that it consists of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VertexPairs {
    /// Vertices of 1 and of 2 of each corner.
    vertices: [[u32; 2]; 3],
    /// Number of corners, 1 to 3; the normal of three points from 1 to 2.
    count: u8,
    /// Whether features are parallel to within the blend of the contact point.
    parallel: bool,
}

#[inline(never)]
pub(super) fn nearest(
    a: &Core,
    pose_a: &Pose,
    b: &Core,
    pose_b: &Pose,
    last: Option<&VertexPairs>,
) -> Option<VertexPairs> {
    let pose = gjk::relative_pose(pose_a, pose_b);
    match (a, b) {
        (Core::Box(Cuboid { half: a }), Core::Box(Cuboid { half: b })) => {
            search_boxes(a, b, &pose, last)
        }
        (Core::Box(Cuboid { half: a }), Core::Segment(Segment { half: b })) => {
            search(a, b, &pose, last)
        }
        (Core::Hull(a), Core::Hull(b)) => search(&**a, &**b, &pose, last),
        (Core::Hull(a), Core::Box(Cuboid { half: b })) => search(&**a, b, &pose, last),
        (Core::Hull(a), Core::Segment(Segment { half: b })) => search(&**a, b, &pose, last),
        (Core::Hull(a), Core::Point) => search(&**a, &Origin, &pose, last),
        _ => None,
    }
}

/// Nearest features by distance search, by expansion if the cores overlap.
#[inline(always)]
fn search<A: Polytope, B: Polytope>(
    a: &A,
    b: &B,
    pose: &Pose,
    last: Option<&VertexPairs>,
) -> Option<VertexPairs> {
    let sets = Difference {
        set_1: a,
        set_2: b,
        pose: *pose,
    };
    let found = distance(&sets, last, &pose.position);
    if !found.overlapping {
        let normal = found.vector.normalize();
        return Some(VertexPairs::of(&found).marked(&sets, &normal));
    }
    let facet = nearest_facet(&sets, found.simplex.corners(), 0.0);
    let parts = VertexPairs {
        vertices: facet.corners.map(|corner| corner.vertices),
        count: 3,
        parallel: false,
    };
    Some(parts.marked(&sets, &facet.normal))
}

/// Distance search from the last features or, without any, from `direction`.
#[inline(always)]
fn distance<A: Polytope, B: Polytope>(
    sets: &Difference<A, B>,
    last: Option<&VertexPairs>,
    direction: &Vec3,
) -> gjk::NearestSimplex {
    let mut start = [Corner::default(); 3];
    let mut count = 0;
    if let Some(parts) = last {
        for vertices in parts.vertices.iter().take(parts.count as usize) {
            let vertices = [
                vertices[0].min(sets.set_1.vertex_count() - 1),
                vertices[1].min(sets.set_2.vertex_count() - 1),
            ];
            let point_1 = sets.set_1.vertex(vertices[0]);
            let point_2 = sets.set_2.vertex(vertices[1]);
            start[count] = Corner {
                point_1,
                difference: (sets.pose.rotation * point_2 + sets.pose.position) - point_1,
                vertices,
            };
            count += 1;
        }
    }
    let along = if direction.norm_squared() > 0.0 {
        *direction
    } else {
        Vec3::x()
    };
    gjk::distance(sets, &start[..count], &along, 0.0)
}

impl VertexPairs {
    #[inline(always)]
    pub(super) fn of(found: &gjk::NearestSimplex) -> Self {
        let corners = found.simplex.corners();
        let mut parts = VertexPairs {
            vertices: [corners[0].vertices; 3],
            count: corners.len() as u8,
            parallel: false,
        };
        for (place, corner) in parts.vertices.iter_mut().zip(corners) {
            *place = corner.vertices;
        }
        if let [p, q, r] = corners {
            let [p, q, r] = [p, q, r].map(|corner| corner.difference);
            if (q - p).cross(&(r - p)).dot(&found.vector) < 0.0 {
                parts.vertices.swap(1, 2);
            }
        }
        parts
    }

    /// Sets `parallel`: false for a single vertex, and for two edges crossing at an angle at which the
    /// distance of the surfaces rises steeply from the crossing on.
    #[inline(always)]
    fn marked<A: Polytope, B: Polytope>(mut self, sets: &Difference<A, B>, normal: &Vec3) -> Self {
        let [first, second] = [0, 1].map(|side| self.distinct(side));
        let rotation = &sets.pose.rotation;
        let one = sets.set_1.flat(normal, &first.0[..first.1]);
        if one == Flat::Vertex {
            return self;
        }
        let outward = rotation.tr_mul(&-normal);
        self.parallel = match (one, sets.set_2.flat(&outward, &second.0[..second.1])) {
            (_, Flat::Vertex) => false,
            (Flat::Edge(e, slope_1), Flat::Edge(f, slope_2)) => {
                let sine = e.cross(&(rotation * f)).norm();
                sine * slope_1.min(slope_2) < 2.0 * supports::PARALLEL
            }
            _ => true,
        };
        self
    }

    /// Distinct vertices of one side, and their number.
    #[inline(always)]
    fn distinct(&self, side: usize) -> ([u32; 3], usize) {
        let (mut found, mut count) = ([0; 3], 0);
        for pair in self.vertices.iter().take(self.count as usize) {
            if !found[..count].contains(&pair[side]) {
                found[count] = pair[side];
                count += 1;
            }
        }
        (found, count)
    }
}

#[inline(never)]
pub(super) fn solve<T: Real>(
    a: &RoundedShape,
    pose_a: &Pose<T>,
    b: &RoundedShape,
    pose_b: &Pose<T>,
    parts: &VertexPairs,
) -> Proximity<T> {
    let rotation: Mat3<T> = pose_a.rotation.tr_mul(&pose_b.rotation);
    let position: Vec3<T> = pose_a.rotation.tr_mul(&(pose_b.position - pose_a.position));
    // Loops rather than closures over arrays, which stay calls.
    let (mut point_1, mut corners) = ([Vec3::zeros(); 3], [Vec3::zeros(); 3]);
    for (i, pair) in parts.vertices.iter().enumerate() {
        point_1[i] = lift(supports::vertex_of(&a.core, pair[0]));
        let point_2 = rotation * lift(supports::vertex_of(&b.core, pair[1])) + position;
        corners[i] = point_2 - point_1[i];
    }
    let NearestPlane {
        normal,
        gap,
        weights,
    } = match parts.count {
        1 => at_corner(&corners[0]),
        2 => on_edge(&corners[0], &corners[1]),
        _ => on_face(&corners),
    };
    let mut on_1 = point_1[0] * weights[0];
    for i in 1..parts.count.min(3) as usize {
        on_1 += point_1[i] * weights[i];
    }
    if parts.parallel {
        let sides = [
            supports::Side {
                core: &a.core,
                rotation: Mat3::identity(),
                position: Vec3::zeros(),
                outward: normal,
            },
            supports::Side {
                core: &b.core,
                rotation,
                position,
                outward: -normal,
            },
        ];
        on_1 = supports::contact_point(&sides, &on_1, gap);
    }
    let (r_a, r_b) = (T::from(a.radius), T::from(b.radius));
    let (normal_w, on_1_w) = (
        pose_a.rotation * normal,
        pose_a.position + pose_a.rotation * on_1,
    );
    Proximity {
        gap: gap - r_a - r_b,
        normal_w,
        points_w: [on_1_w + normal_w * r_a, on_1_w + normal_w * (gap - r_b)],
    }
}

#[inline(always)]
fn lift<T: Real>(v: Vec3) -> Vec3<T> {
    Vec3::new(T::from(v.x), T::from(v.y), T::from(v.z))
}

/// Plane through the point of some corners nearest to the origin: unit normal from 1 to 2, distance along it
/// [m], and weights of the corners in that point.
struct NearestPlane<T: Real> {
    normal: Vec3<T>,
    gap: T,
    weights: [T; 3],
}

fn at_corner<T: Real>(v: &Vec3<T>) -> NearestPlane<T> {
    along(*v, [T::one(), T::zero(), T::zero()])
}

/// Plane normal to the vector v to the nearest point.
fn along<T: Real>(v: Vec3<T>, weights: [T; 3]) -> NearestPlane<T> {
    if v.dot(&v).value() == 0.0 {
        return NearestPlane {
            normal: Vec3::x(),
            gap: v.x,
            weights,
        };
    }
    let gap = norm(&v);
    NearestPlane {
        normal: v * gap.recip(),
        gap,
        weights,
    }
}

/// v = c0 + t e with e = c1 - c0, v.e = 0.
fn on_edge<T: Real>(c0: &Vec3<T>, c1: &Vec3<T>) -> NearestPlane<T> {
    let edge = c1 - c0;
    let squared = edge.dot(&edge);
    if squared.value() == 0.0 {
        return at_corner(c0);
    }
    let inverse = squared.recip();
    let t = -c0.dot(&edge) * inverse;
    let v = c0 + edge * t;
    // What rounding left along the edge is taken away, for the sake of the direction.
    let v = v - edge * (v.dot(&edge) * inverse);
    along(v, [T::one() - t, t, T::zero()])
}

/// Plane of three corners. With x the longest edge and y the part of another edge perpendicular to x: n = x x
/// y/|x x y|, so that the normal of a narrow triangle, made of two nearly parallel edges, is perpendicular to
/// them to rounding. Farther from the origin than the triangle is wide, the vector to the nearest point gives
/// a more accurate direction.
fn on_face<T: Real>(corners: &[Vec3<T>; 3]) -> NearestPlane<T> {
    let length = |i: usize| {
        let edge = corners[(i + 1) % 3] - corners[i];
        edge.dot(&edge).value()
    };
    let mut first = 0;
    for side in 1..3 {
        if length(side) > length(first) {
            first = side;
        }
    }
    let order = [first, (first + 1) % 3, (first + 2) % 3];
    let (c0, c1, c2) = (corners[order[0]], corners[order[1]], corners[order[2]]);
    let (x, y) = (c1 - c0, c2 - c0);
    let xx = x.dot(&x);
    if xx.value() == 0.0 {
        return at_corner(&c0);
    }
    let inverse = xx.recip();
    let shadow = x.dot(&y) * inverse;
    let y = y - x * shadow;
    let yy = y.dot(&y);
    if yy.value() <= FLAT * FLAT * xx.value() {
        return on_edge(&c0, &c1);
    }
    let start = x.dot(&c0) * inverse;
    let across = c0 - x * start;
    let at_2 = -across.dot(&y) * yy.recip();
    let at_1 = -start - at_2 * shadow;
    let mut weights = [T::zero(); 3];
    for (i, weight) in order.into_iter().zip([T::one() - at_1 - at_2, at_1, at_2]) {
        weights[i] = weight;
    }
    let cross = x.cross(&y);
    let normal = cross * norm(&cross).recip();
    let gap = normal.dot(&c0);
    if gap.value() > 0.0 && gap.value() * gap.value() > yy.value() {
        return along(across + y * at_2, weights);
    }
    NearestPlane {
        normal,
        gap,
        weights,
    }
}

/// Width of a triangle relative to its longest edge below which it is an edge: rounding.
const FLAT: f64 = 1e-15;

/// Squared sine between two edges below which they count as parallel: rounding.
const PARALLEL: f64 = 1e-30;
/// Margin, relative to the extents, by which an edge pair must beat the faces.
const ROUNDING: f64 = 4e-16;

#[derive(Clone, Copy)]
enum SeparatingAxis {
    Face1(usize),
    Face2(usize),
    Edges(usize, usize),
}

/// Axis of the largest gap so far.
struct Separation {
    /// [m]
    gap: f64,
    axis: SeparatingAxis,
    normal: Vec3,
}

/// Nearest features of two boxes with half edges a and b; `pose` is the pose of 2 in 1.
#[inline(always)]
fn search_boxes(
    a: &Vec3,
    b: &Vec3,
    pose: &Pose,
    last: Option<&VertexPairs>,
) -> Option<VertexPairs> {
    let sets = Difference {
        set_1: a,
        set_2: b,
        pose: *pose,
    };
    let (rotation, p) = (&pose.rotation, &pose.position);
    let mut best = Separation {
        gap: f64::NEG_INFINITY,
        axis: SeparatingAxis::Face1(0),
        normal: Vec3::x(),
    };
    let turned = rotation.tr_mul(p);
    let size = rotation.abs();
    let reach_1 = a + size * b;
    let reach_2 = b + size.tr_mul(a);
    for i in 0..3 {
        let gap = p[i].abs() - reach_1[i];
        if gap > best.gap {
            let mut normal = Vec3::zeros();
            normal[i] = 1f64.copysign(p[i]);
            let axis = SeparatingAxis::Face1(i);
            best = Separation { gap, axis, normal };
        }
    }
    for i in 0..3 {
        let gap = turned[i].abs() - reach_2[i];
        if gap > best.gap {
            best = Separation {
                gap,
                axis: SeparatingAxis::Face2(i),
                normal: rotation.column(i) * 1f64.copysign(turned[i]),
            };
        }
    }
    if best.gap <= 0.0 {
        edges(a, b, rotation, p, &mut best);
    }
    let Separation { gap, axis, normal } = best;
    if gap > 0.0 {
        let found = distance(&sets, last, &normal);
        if !found.overlapping {
            return Some(VertexPairs::of(&found).marked(&sets, &found.vector.normalize()));
        }
    }
    let i_1 = a.farthest(&normal, 0).1;
    let i_2 = b.farthest(&rotation.tr_mul(&-normal), 0).1;
    let bit = |axis: usize| 1 << (axis % 3);
    let mut parts = VertexPairs {
        vertices: match axis {
            // The deepest vertex of one over two edges of the other's face.
            SeparatingAxis::Face1(i) => {
                [[i_1, i_2], [i_1 ^ bit(i + 1), i_2], [i_1 ^ bit(i + 2), i_2]]
            }
            SeparatingAxis::Face2(i) => {
                [[i_1, i_2], [i_1, i_2 ^ bit(i + 1)], [i_1, i_2 ^ bit(i + 2)]]
            }
            SeparatingAxis::Edges(i, j) => [[i_1, i_2], [i_1 ^ bit(i), i_2], [i_1, i_2 ^ bit(j)]],
        },
        count: 3,
        parallel: false,
    };
    let [c0, c1, c2] = parts
        .vertices
        .map(|[i_1, i_2]| rotation * b.vertex(i_2) - a.vertex(i_1));
    if (c1 - c0).cross(&(c2 - c0)).dot(&normal) < 0.0 {
        parts.vertices.swap(1, 2);
    }
    Some(parts.marked(&sets, &normal))
}

/// Tests the nine pairs of edges.
#[inline(always)]
fn edges(a: &Vec3, b: &Vec3, rotation: &Mat3, p: &Vec3, best: &mut Separation) {
    let margin = ROUNDING * (a.sum() + b.sum());
    best.gap += margin;
    let mut found = false;
    for i in 0..3 {
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            // Unit vector i times column j of the rotation.
            let (x, y) = (-rotation[(l, j)], rotation[(k, j)]);
            let squared = x * x + y * y;
            if squared < PARALLEL {
                continue;
            }
            let along = x * p[k] + y * p[l];
            let mut reach = a[k] * x.abs() + a[l] * y.abs();
            for m in 0..3 {
                if m != j {
                    reach += b[m] * (x * rotation[(k, m)] + y * rotation[(l, m)]).abs();
                }
            }
            let gap = (along.abs() - reach) / squared.sqrt();
            if gap > best.gap {
                let mut normal = Vec3::zeros();
                let scale = 1f64.copysign(along) / squared.sqrt();
                normal[k] = x * scale;
                normal[l] = y * scale;
                let axis = SeparatingAxis::Edges(i, j);
                *best = Separation { gap, axis, normal };
                found = true;
            }
        }
    }
    if !found {
        best.gap -= margin;
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/narrow_phase/polytope/tests.rs"]
mod tests;
