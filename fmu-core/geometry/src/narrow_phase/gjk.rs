//! Distance between two convex sets by their support mappings (Gilbert, Johnson, Keerthi 1988).
//!
//! The differences x2 - x1 of the points of two convex sets fill a convex set D, the Minkowski difference.
//! The point v of D nearest to the origin is the distance vector from 1 to 2. The search keeps a [`Simplex`]
//! of up to four corners of D and its nearest point v:
//! 1. the support mappings give the corner w of D farthest along -v;
//! 2. v.w/|v| is a lower bound of the distance, |v| an upper bound; the search ends where they meet, where w
//!    is known already, or where rounding leaves no progress;
//! 3. otherwise w joins the simplex, which shrinks to the part that carries the new nearest point.
//!
//! That part always contains w, so only faces, edges and the corner at w are looked at. Signs of areas and
//! volumes decide between them, as in Montanari, Petrinic, Barbieri, ACM Transactions on Graphics 36 (2017),
//! which avoids the cancellation of determinants near degenerate simplices. The direction of a well shaped
//! triangle is the cross product of its edges: it stays accurate where |v| is small, where the difference
//! vector is all rounding.
//!
//! All vectors are in the frame of set 1, lengths in metres. Nothing is allocated; NaN ends the search at the
//! next comparison.

use crate::math::{Mat3, Pose, Vec3};

/// Vertex number of a point that is no vertex.
pub(super) const NO_VERTEX: u32 = u32::MAX;

/// Maximum number of steps. Polytopes need about ten, curved cores some dozens.
const MAX_STEPS: usize = 128;
/// |v| relative to the largest corner below which the sets touch: rounding of v.
const TOUCHING: f64 = 4e-15;
/// Difference of the bounds, relative to the largest corner, that can be rounding.
const ROUNDING: f64 = 5e-16;
/// Relative volume below which a tetrahedron counts as flat.
const FLAT: f64 = 1e-14;

pub(super) trait Support {
    /// Farthest point [m] along `direction` (any length > 0) and its vertex number, [`NO_VERTEX`] for a set
    /// without vertices. `near` is a nearby vertex, where a walk may start.
    fn farthest(&self, direction: &Vec3, near: u32) -> (Vec3, u32);
}

pub(super) struct Difference<'a, A: Support, B: Support> {
    pub(crate) set_1: &'a A,
    pub(crate) set_2: &'a B,
    /// Pose of 2 in the frame of 1.
    pub pose: Pose,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Corner {
    pub(crate) point_1: Vec3,
    /// Point of set 2 less point of set 1 [m].
    pub difference: Vec3,
    /// Vertex numbers of the two points.
    pub vertices: [u32; 2],
}

/// One to four corners of the Minkowski difference, and their hull's nearest point to the origin as weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    corners: [Corner; 4],
    weights: [f64; 4],
    count: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NearestSimplex {
    /// Corners whose hull contains the nearest point.
    pub(crate) simplex: Simplex,
    /// The sets overlap or touch to rounding: the simplex contains the origin; distance and direction are
    /// meaningless.
    pub overlapping: bool,
    /// Nearest point: vector from set 1 to set 2 [m].
    pub vector: Vec3,
    /// Proven lower bound of the distance [m]; the length of `vector` is an upper bound.
    pub(crate) lower_bound: f64,
}

#[inline(always)]
pub(super) fn relative_pose(pose_1: &Pose, pose_2: &Pose) -> Pose {
    Pose {
        position: pose_1.rotation.tr_mul(&(pose_2.position - pose_1.position)),
        rotation: pose_1.rotation.tr_mul(&pose_2.rotation),
    }
}

pub(super) trait Corners {
    /// Farthest corner against `direction`, which points from 1 to 2; `near` are nearby vertices.
    fn corner(&self, direction: &Vec3, near: [u32; 2]) -> Corner;
}

impl<A: Support, B: Support> Corners for Difference<'_, A, B> {
    #[inline(always)]
    fn corner(&self, direction: &Vec3, near: [u32; 2]) -> Corner {
        let rotation: &Mat3 = &self.pose.rotation;
        let (point_1, vertex_1) = self.set_1.farthest(direction, near[0]);
        let (point_2, vertex_2) = self.set_2.farthest(&rotation.tr_mul(&-direction), near[1]);
        Corner {
            point_1,
            difference: (rotation * point_2 + self.pose.position) - point_1,
            vertices: [vertex_1, vertex_2],
        }
    }
}

impl Corner {
    #[inline(always)]
    pub(super) fn is_vertex(&self) -> bool {
        !self.vertices.contains(&NO_VERTEX)
    }
}

impl Simplex {
    #[inline(always)]
    pub(super) fn new(corner: Corner) -> Self {
        Simplex {
            corners: [corner; 4],
            weights: [1.0, 0.0, 0.0, 0.0],
            count: 1,
        }
    }

    #[inline(always)]
    pub(super) fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    /// Barycentric coordinates of the nearest point, >= 0.
    #[inline(always)]
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights[..self.count]
    }

    #[inline(always)]
    fn largest_squared(&self) -> f64 {
        self.corners()
            .iter()
            .map(|corner| corner.difference.norm_squared())
            .fold(0.0, f64::max)
    }

    /// The part of this simplex and `corner` that carries the nearest point to the origin, and that point.
    /// `corner` must be nearer to the origin along the present nearest point.
    #[inline(always)]
    fn with(&self, corner: &Corner) -> SubSimplex {
        let w = &corner.difference;
        let [a, b, c] = [
            self.corners[0].difference,
            self.corners[1].difference,
            self.corners[2].difference,
        ];
        match self.count {
            1 => on_segment(w, &a, 0),
            2 => on_triangle(w, [&a, &b], [0, 1]),
            _ => on_tetrahedron(w, [&a, &b, &c]),
        }
    }

    /// Adds those corners in turn that bring the simplex, initially a single corner, nearer to the origin;
    /// returns its nearest point. Not inlined: every kind of pair has a search that starts here.
    #[inline(never)]
    fn grow(&mut self, corners: &[Corner]) -> Vec3 {
        let mut vector = self.corners[0].difference;
        for corner in corners {
            if corner.difference.dot(&vector) < vector.norm_squared() {
                let part = self.with(corner);
                if part.count == 4 || part.point.norm_squared() < vector.norm_squared() {
                    self.shrink_to(corner, &part);
                    vector = part.point;
                }
                if part.count == 4 {
                    break;
                }
            }
        }
        vector
    }

    /// Reduces the simplex to the part found by `with`.
    #[inline(always)]
    fn shrink_to(&mut self, corner: &Corner, part: &SubSimplex) {
        // In place: the corners that stay are moved up by one, behind the newest.
        let [i, j, _] = part.others.map(usize::from);
        match part.count {
            1 => (),
            2 => self.corners[1] = self.corners[i],
            3 => {
                let (first, second) = (self.corners[i], self.corners[j]);
                self.corners[1] = first;
                self.corners[2] = second;
            }
            _ => self.corners.copy_within(0..3, 1),
        }
        self.corners[0] = *corner;
        self.weights = part.weights;
        self.count = part.count;
    }
}

/// Part of a simplex: weights of the newest corner and of `others`.
#[derive(Clone, Copy)]
struct SubSimplex {
    count: usize,
    others: [u8; 3],
    weights: [f64; 4],
    point: Vec3,
}

#[inline(always)]
fn at_corner(w: &Vec3) -> SubSimplex {
    SubSimplex {
        count: 1,
        others: [0; 3],
        weights: [1.0, 0.0, 0.0, 0.0],
        point: *w,
    }
}

#[inline(always)]
fn on_segment(w: &Vec3, a: &Vec3, name: u8) -> SubSimplex {
    let edge = a - w;
    let (from_w, from_a) = (-w.dot(&edge), a.dot(&edge));
    // Written so that NaN and an edge of no length end at the corner.
    let leaves_corner = from_w > 0.0;
    if !leaves_corner {
        return at_corner(w);
    }
    let along = if from_a > 0.0 {
        from_w / (from_w + from_a)
    } else {
        1.0
    };
    SubSimplex {
        count: 2,
        others: [name, 0, 0],
        weights: [1.0 - along, along, 0.0, 0.0],
        point: if along < 0.5 {
            w + edge * along
        } else {
            a - edge * (1.0 - along)
        },
    }
}

#[inline(always)]
fn nearer(one: SubSimplex, other: SubSimplex) -> SubSimplex {
    if other.point.norm_squared() < one.point.norm_squared() {
        other
    } else {
        one
    }
}

#[inline(always)]
fn on_triangle(w: &Vec3, [a, b]: [&Vec3; 2], names: [u8; 2]) -> SubSimplex {
    let (to_a, to_b) = (a - w, b - w);
    let normal = triangle_normal(&to_a, &to_b);
    // Twice the signed areas beyond the edges w-a and w-b, times the normal's length.
    let (beyond_a, beyond_b) = (-to_a.cross(&normal).dot(w), -normal.cross(&to_b).dot(w));
    let squared = normal.norm_squared();
    let wide = squared > SLIVER * to_a.norm_squared() * to_b.norm_squared();
    let flat = !wide;
    if beyond_a > 0.0 || beyond_b > 0.0 || flat {
        let beside_a = |take: bool| take.then(|| on_segment(w, a, names[0]));
        let beside_b = |take: bool| take.then(|| on_segment(w, b, names[1]));
        return match (
            beside_a(beyond_a > 0.0 || flat),
            beside_b(beyond_b > 0.0 || flat),
        ) {
            (Some(one), Some(other)) => nearer(one, other),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => at_corner(w),
        };
    }
    let (at_a, at_b) = (-beyond_b / squared, -beyond_a / squared);
    let at_w = (1.0 - at_a - at_b).max(0.0);
    let sum = at_w + at_a + at_b;
    let [at_w, at_a, at_b] = [at_w / sum, at_a / sum, at_b / sum];
    let height = normal.dot(w) / squared;
    let mut point = normal * height;
    // The narrower the triangle, the less its normal is known; the point then is the better source of the
    // direction unless it is nearly at the origin.
    let width_squared = squared / to_a.norm_squared().max(to_b.norm_squared());
    if point.norm_squared() > width_squared {
        point = w * at_w + a * at_a + b * at_b;
    }
    SubSimplex {
        count: 3,
        others: [names[0], names[1], 0],
        weights: [at_w, at_a, at_b, 0.0],
        point,
    }
}

/// Squared sine of the angle between two edges below which their triangle is a line.
const SLIVER: f64 = 1e-30;

/// Normal x times y, from the component of the shorter edge perpendicular to the longer one: so the normal of
/// a narrow triangle is perpendicular to its long edges to rounding.
#[inline(always)]
fn triangle_normal(x: &Vec3, y: &Vec3) -> Vec3 {
    let (xx, yy, xy) = (x.norm_squared(), y.norm_squared(), x.dot(y));
    if xx >= yy {
        x.cross(&(y - x * (xy / xx)))
    } else {
        (x - y * (xy / yy)).cross(y)
    }
}

/// Tetrahedron of the newest corner w with a, b and c; four corners if it contains the origin. Not inlined:
/// it is large, and every kind of pair has a search.
#[inline(never)]
fn on_tetrahedron(w: &Vec3, [a, b, c]: [&Vec3; 3]) -> SubSimplex {
    let (x, y, z) = (a - w, b - w, c - w);
    let faces = [x.cross(&y), y.cross(&z), z.cross(&x)];
    let volume = faces[0].dot(&z);
    // Six times the volumes between the origin and the three faces at w.
    let parts = faces.map(|face| -face.dot(w));
    let largest = |vectors: &[&Vec3]| vectors.iter().map(|v| v.norm_squared()).fold(0.0, f64::max);
    let noise = FLAT * FLAT * largest(&[w, a, b, c]) * largest(&[&faces[0], &faces[1], &faces[2]]);
    let thick = volume * volume > noise;
    let flat = !thick;
    let outside = parts.map(|part| flat || part * volume < 0.0);
    let mut best: Option<SubSimplex> = None;
    let triangles = [([a, b], [0, 1]), ([b, c], [1, 2]), ([c, a], [2, 0])];
    for (outside, (corners, names)) in outside.into_iter().zip(triangles) {
        if outside {
            let part = on_triangle(w, corners, names);
            best = Some(match best {
                Some(best) => nearer(best, part),
                None => part,
            });
        }
    }
    best.unwrap_or_else(|| {
        // Of a, b, c by the faces on the other side; what is left is the share of w.
        let [at_c, at_a, at_b] = parts.map(|part| part / volume);
        SubSimplex {
            count: 4,
            others: [0, 1, 2],
            weights: [1.0 - at_a - at_b - at_c, at_a, at_b, at_c],
            point: Vec3::zeros(),
        }
    })
}

/// Distance between two convex sets.
///
/// Starts from `start`, corners of the difference from an earlier result (may be empty), or else from the
/// corner against `direction`. Ends as soon as the bounds of the distance differ by no more than `tolerance`
/// of the distance, or by rounding; with tolerance 0 the result for polytopes is the exact pair of features.
#[inline(always)]
pub(super) fn distance<A: Support, B: Support>(
    sets: &Difference<A, B>,
    start: &[Corner],
    direction: &Vec3,
    tolerance: f64,
) -> NearestSimplex {
    distance_below(sets, start, direction, tolerance, f64::INFINITY)
}

/// As [`distance`]; ends as soon as the lower bound is at least `most`.
#[inline(always)]
pub(super) fn distance_below<A: Support, B: Support>(
    sets: &Difference<A, B>,
    start: &[Corner],
    direction: &Vec3,
    tolerance: f64,
    most: f64,
) -> NearestSimplex {
    let mut simplex = match start.first() {
        Some(corner) => Simplex::new(*corner),
        None => Simplex::new(sets.corner(direction, [0, 0])),
    };
    let mut vector = simplex.corners[0].difference;
    if start.len() > 1 {
        vector = simplex.grow(&start[1..]);
    }
    let mut nearest = NearestSimplex {
        vector,
        simplex,
        overlapping: false,
        lower_bound: f64::NEG_INFINITY,
    };
    let mut largest_squared = simplex.largest_squared();
    for _ in 0..MAX_STEPS {
        let squared = nearest.vector.norm_squared();
        if simplex.count == 4 || squared <= TOUCHING * TOUCHING * largest_squared {
            nearest.overlapping = true;
            break;
        }
        let corner = sets.corner(&nearest.vector, simplex.corners[0].vertices);
        let length = squared.sqrt();
        let along = corner.difference.dot(&nearest.vector);
        nearest.lower_bound = nearest.lower_bound.max(along / length);
        largest_squared = largest_squared.max(corner.difference.norm_squared());
        let between = length - nearest.lower_bound;
        let mut corners = simplex.corners().iter();
        let known = corner.is_vertex() && corners.any(|old| old.vertices == corner.vertices);
        // NaN ends the search.
        let open = between > tolerance * length && between > ROUNDING * largest_squared.sqrt();
        if known || !open || nearest.lower_bound >= most {
            break;
        }
        let part = simplex.with(&corner);
        let nearer = part.count == 4 || part.point.norm_squared() < squared;
        if !nearer {
            break;
        }
        simplex.shrink_to(&corner, &part);
        nearest.vector = part.point;
    }
    nearest.simplex = simplex;
    nearest
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/gjk/tests.rs"]
mod tests;
