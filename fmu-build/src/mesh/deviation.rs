//! How far the hull of a piece stands out of it: the largest distance of a point of the hull's
//! surface from the piece's, by branch and bound.
//!
//! Two bounds hold over a triangle of the hull. The distance from a surface changes no faster than
//! the point moves: it is at most that at the centroid plus the distance of the farthest corner
//! from there. And the distance from one triangle of the surface is convex: it is at most that of a
//! corner from the triangle nearest to the centroid. The triangle with the highest bound is cut in
//! four until its bound is near the largest distance found.
//!
//! A face of both may be cut into other triangles by the hull than by the piece. There both bounds are
//! as large as patches across edges of the piece, so a triangle of the hull is first compared with all
//! triangles of the piece that lie on it: see [`cover`].

use super::decompose::Piece;
use super::hull::{Surface, distance_to_triangle, normal};
use super::nearest::Nearest;
use contact_geometry::math::Vec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How near to the true value the bound is, relatively [1].
const NEAR: f64 = 0.1;
/// The same where the hull stands out farther than it may: users choose their bound by that number.
const CLOSE: f64 = 0.01;
/// Distance that counts as none where there is no bound, as a share of the extent [1].
const SMALL: f64 = 1e-3;
/// Points that are measured, at most; bounds the time.
const POINTS: usize = 30_000;
/// Triangles of a piece that are clipped in the time of a point.
const CLIPS_PER_POINT: usize = 16;
/// Depth up to which a piece lies on its hull, as a share of the triangle's longest side [1]: files hold
/// 32 bits, 6e-8 of the coordinates.
const ON_FACE: f64 = 1e-5;

struct Patch {
    bound: f64,
    corners: [Vec3; 3],
    /// A triangle of the hull that was not yet compared with those of the piece.
    is_whole: bool,
}

impl PartialEq for Patch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Patch {}

impl PartialOrd for Patch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Patch {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// How far hulls stand out of their pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// The largest distance found [m]; not too large.
    pub found: f64,
    /// Upper bound of all distances [m].
    pub bound: f64,
}

/// Distance of the hulls' points from their pieces, which may be `most` [m]. The bound is at most
/// 10 % above what is found, or 1 % where that exceeds `most`, or the lesser of `most` and 1e-3 of
/// `size` [m]; where that takes too many points, as along the edges of a wide flat dent, it is
/// larger.
pub fn deviation<'a>(
    pieces: impl IntoIterator<Item = &'a Piece>,
    size: f64,
    most: Option<f64>,
) -> Deviation {
    let most = most.unwrap_or(f64::INFINITY);
    let enough = most.min(SMALL * size);
    let is_near = |bound: f64, best: f64| match best > most {
        true => bound <= (1.0 + CLOSE) * best,
        false => bound <= most && bound <= (1.0 + NEAR) * best,
    };
    let mut all = Deviation::default();
    for piece in pieces {
        let is_done = |bound, best| bound <= enough || is_near(bound, best);
        all.bound = all.bound.max(measure(piece, is_done, &mut all.found));
    }
    all
}

/// True if a point of the hull may be farther from its piece than `most` [m], > 0. False is
/// certain.
pub fn stands_out(piece: &Piece, most: f64) -> bool {
    measure(piece, |bound, best| bound <= most || best > most, &mut 0.0) > most
}

/// The bound for one piece [m], with which the largest distance found yet, `best` [m], satisfies
/// `is_done`, if the points suffice. It is of no interest below `best`.
fn measure(piece: &Piece, is_done: impl Fn(f64, f64) -> bool, best: &mut f64) -> f64 {
    let mut left = POINTS;
    let surface = Nearest::new(&piece.surface);
    let mut patches: BinaryHeap<Patch> = BinaryHeap::new();
    let add = |corners: [Vec3; 3], is_whole, patches: &mut BinaryHeap<Patch>| {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let (distance, [a, b, c]) = surface.find(&middle);
        let largest =
            |measure: &dyn Fn(&Vec3) -> f64| corners.iter().map(measure).fold(0.0, f64::max);
        let moved = distance + largest(&|corner| (corner - middle).norm());
        let bound = moved.min(largest(&|corner| distance_to_triangle(corner, &a, &b, &c)));
        patches.push(Patch {
            bound,
            corners,
            is_whole,
        });
        distance
    };
    for triangle in &piece.hull.triangles {
        *best = best.max(add(piece.hull.corners(triangle), true, &mut patches));
    }
    while let Some(patch) = patches.pop() {
        let Patch { bound, corners, .. } = patch;
        if is_done(bound, *best) || left < 4 {
            return bound.max(*best);
        }
        if patch.is_whole {
            left = left.saturating_sub(piece.surface.triangles.len() / CLIPS_PER_POINT);
            patches.push(Patch {
                bound: bound.min(cover(&piece.surface, &corners)),
                corners,
                is_whole: false,
            });
            continue;
        }
        left -= 4;
        let [a, b, c] = corners;
        let [ab, bc, ca] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
        for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            *best = best.max(add(part, false, &mut patches));
        }
    }
    *best
}

/// A bound [m] of the distance of a hull's triangle from the triangles of a surface that lie on it: the
/// depth of the deepest, and s sqrt(m), s its longest side, m the share of its area that they leave free:
/// around a point as far as r from all of them the free part is at least as large as the triangle shrunk
/// to that point by r/s. Infinite for a triangle without an area. They do not lie on each other, but for
/// folds as thin as [`ON_FACE`].
fn cover(surface: &Surface, corners: &[Vec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let across = normal(a, b, c);
    let Some(normal_w) = across.try_normalize(0.0) else {
        return f64::INFINITY;
    };
    let sides = [[a, b], [b, c], [c, a]];
    let inward = sides.map(|[from, to]| (from, normal_w.cross(&(to - from))));
    let longest = sides.map(|[from, to]| (to - from).norm());
    let longest = longest.into_iter().fold(0.0, f64::max);
    let (mut covered, mut deepest) = (0.0, 0.0_f64);
    for triangle in &surface.triangles {
        let triangle = surface.corners(triangle);
        if normal(&triangle[0], &triangle[1], &triangle[2]).dot(&normal_w) <= 0.0 {
            continue;
        }
        let clipped = inward
            .iter()
            .fold(triangle.to_vec(), |polygon, (from, inward)| {
                clip(&polygon, |point| inward.dot(&(point - *from)))
            });
        let depths = clipped.iter().map(|point| normal_w.dot(&(a - point)).abs());
        let depth = depths.fold(0.0, f64::max);
        if depth > ON_FACE * longest {
            continue;
        }
        deepest = deepest.max(depth);
        for pair in clipped.windows(2).skip(1) {
            let [first, second] = [pair[0] - clipped[0], pair[1] - clipped[0]];
            covered += first.cross(&second).dot(&normal_w);
        }
    }
    let free = (1.0 - covered / across.norm()).max(0.0);
    deepest + longest * free.sqrt()
}

/// The part of a convex polygon in which a linear function is not negative.
fn clip(polygon: &[Vec3], value: impl Fn(&Vec3) -> f64) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, from) in polygon.iter().enumerate() {
        let to = &polygon[(i + 1) % polygon.len()];
        let [first, second] = [value(from), value(to)];
        if first >= 0.0 {
            kept.push(*from);
        }
        if (first < 0.0) != (second < 0.0) {
            kept.push(from + (to - from) * (first / (first - second)));
        }
    }
    kept
}
