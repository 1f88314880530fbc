//! How far the hull of a piece stands out of it: the largest distance of a point of the hull's surface
//! from the piece's, by branch and bound.
//!
//! Two bounds hold over a triangle of the hull. The distance from a surface changes no faster than the
//! point moves: it is at most that at the centroid plus the distance of the farthest corner from there.
//! And the distance from one triangle of the surface is convex: it is at most that of a corner from the
//! triangle nearest to the centroid. The triangle with the highest bound is cut in four until its bound
//! is near the largest distance found.

use super::decompose::Piece;
use super::hull::distance_to_triangle;
use super::nearest::Nearest;
use fmu_core::math::Vec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How near to the true value the bound is, relatively [1].
const NEAR: f64 = 0.1;
/// Points that are measured, at most; bounds the time.
const POINTS: usize = 30_000;

struct Patch {
    bound: f64,
    corners: [Vec3; 3],
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

/// An upper bound of the distance [m] of the hulls' points from their pieces, at most 10 % too large, or
/// 1e-3 of `size` [m], where so many points suffice.
pub fn deviation<'a>(pieces: impl IntoIterator<Item = &'a Piece>, size: f64) -> f64 {
    let (mut best, mut bound) = (0.0, 0.0_f64);
    for piece in pieces {
        bound = bound.max(measure(piece, 1e-3 * size, f64::INFINITY, &mut best));
    }
    bound
}

/// Whether a point of the hull may be farther from its piece than `most` [m], > 0. False is certain.
pub fn stands_out(piece: &Piece, most: f64) -> bool {
    measure(piece, most, most, &mut 0.0) > most
}

/// The bound for one piece [m]. It is of no interest below `best`, the largest distance found yet, nor
/// below `enough`, and need not be near once a distance above `too_much` is found.
fn measure(piece: &Piece, enough: f64, too_much: f64, best: &mut f64) -> f64 {
    let mut left = POINTS;
    let surface = Nearest::new(&piece.surface);
    let mut patches: BinaryHeap<Patch> = BinaryHeap::new();
    let add = |corners: [Vec3; 3], patches: &mut BinaryHeap<Patch>| {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let (distance, [a, b, c]) = surface.find(&middle);
        let largest =
            |measure: &dyn Fn(&Vec3) -> f64| corners.iter().map(measure).fold(0.0, f64::max);
        let moved = distance + largest(&|corner| (corner - middle).norm());
        let bound = moved.min(largest(&|corner| distance_to_triangle(corner, &a, &b, &c)));
        patches.push(Patch { bound, corners });
        distance
    };
    for triangle in &piece.hull.triangles {
        *best = best.max(add(piece.hull.corners(triangle), &mut patches));
    }
    while let Some(Patch { bound, corners }) = patches.pop() {
        let is_near = too_much.is_infinite() && bound <= (1.0 + NEAR) * *best;
        if is_near || bound <= enough || *best > too_much || left < 4 {
            return bound.max(*best);
        }
        left -= 4;
        let [a, b, c] = corners;
        let [ab, bc, ca] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
        for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            *best = best.max(add(part, &mut patches));
        }
    }
    *best
}
