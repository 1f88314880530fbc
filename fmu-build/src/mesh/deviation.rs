//! How far the hull of a piece stands out of it: the largest distance of a point of the hull's surface
//! from the piece's, by branch and bound.
//!
//! The distance from a surface changes no faster than the point moves, so over a triangle it is at most
//! that at the centroid plus the distance of the farthest corner from there. The triangle with the
//! highest bound is cut in four until its bound is near the largest distance found.

use super::decompose::Piece;
use super::hull::{Surface, distance_to_triangle};
use fmu_core::math::Vec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How near to the true value the bound is, relatively [1].
const NEAR: f64 = 0.05;
/// Triangles that distances of a piece are taken from, in all; bounds the time.
const WORK: usize = 1_000_000;

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

/// An upper bound of the distance [m] of the hull's points from the piece, at most 5 % too large, or
/// 1e-3 of `size` [m], where the number of triangles allows.
pub fn deviation(piece: &Piece, size: f64) -> f64 {
    let enough = 1e-3 * size;
    let mut evaluations = WORK / piece.surface.triangles.len().max(1);
    let mut best = 0.0_f64;
    let mut patches: BinaryHeap<Patch> = BinaryHeap::new();
    let add = |corners: [Vec3; 3], patches: &mut BinaryHeap<Patch>| {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let distance = distance(&piece.surface, &middle);
        let reach = corners.iter().map(|c| (c - middle).norm());
        let bound = distance + reach.fold(0.0, f64::max);
        patches.push(Patch { bound, corners });
        distance
    };
    for triangle in &piece.hull.triangles {
        best = best.max(add(piece.hull.corners(triangle), &mut patches));
    }
    while let Some(Patch { bound, corners }) = patches.pop() {
        if bound <= (1.0 + NEAR) * best || bound <= enough || evaluations < 4 {
            return bound;
        }
        evaluations -= 4;
        let [a, b, c] = corners;
        let [ab, bc, ca] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
        for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            best = best.max(add(part, &mut patches));
        }
    }
    0.0
}

fn distance(surface: &Surface, point: &Vec3) -> f64 {
    let distances = surface.triangles.iter().map(|triangle| {
        let [a, b, c] = surface.corners(triangle);
        distance_to_triangle(point, &a, &b, &c)
    });
    distances.fold(f64::INFINITY, f64::min)
}
