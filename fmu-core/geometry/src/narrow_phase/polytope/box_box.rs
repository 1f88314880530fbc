//! Two boxes: axes that may separate them, then the distance search where one does.
//!
//! The signed gap along a unit vector n from 1 to 2 is s(n) = n.p - h1(n) - h2(n), with p the
//! centre of 2 from that of 1 and h the half extent of a box along n. The Minkowski difference of
//! two boxes has faces along the three axes of either box and along the nine cross products of an
//! edge of one and an edge of the other. The largest s over these 15 axes, each taken towards 2, is
//! the signed gap where the boxes overlap.
//!
//! Where an axis separates the boxes it is the start of the distance search. Cross products of
//! nearly parallel edges have noisy directions; as s(n) is evaluated for the noisy n itself it
//! never exceeds the gap, and an edge pair must beat the faces by more than rounding.

use crate::math::{Mat3, Pose, Vec3};
use crate::narrow_phase::gjk::{Difference, Support};
use crate::narrow_phase::polytope::supports::Polytope;
use crate::narrow_phase::polytope::{Corners, distance};

/// Square of the sine between two edges below which they count as parallel: rounding.
const PARALLEL: f64 = 1e-30;
/// By how much, relative to the extents, an edge pair must beat the faces.
const ROUNDING: f64 = 4e-16;

/// An axis of the separation test.
#[derive(Clone, Copy)]
enum Axis {
    Face1(usize),
    Face2(usize),
    Edges(usize, usize),
}

/// The nearest features of two boxes by their half edges; `pose` is that of 2 in 1.
#[inline(always)]
pub fn search(a: &Vec3, b: &Vec3, pose: &Pose, last: Option<&Corners>) -> Option<Corners> {
    let sets = Difference {
        set_1: a,
        set_2: b,
        pose: *pose,
    };
    let (rotation, p) = (&pose.rotation, &pose.position);
    let mut best = (f64::NEG_INFINITY, Axis::Face1(0), Vec3::x());
    let turned = rotation.tr_mul(p);
    let size = rotation.abs();
    let reach_1 = a + size * b;
    let reach_2 = b + size.tr_mul(a);
    for i in 0..3 {
        let gap = p[i].abs() - reach_1[i];
        if gap > best.0 {
            let mut normal = Vec3::zeros();
            normal[i] = 1f64.copysign(p[i]);
            best = (gap, Axis::Face1(i), normal);
        }
    }
    for i in 0..3 {
        let gap = turned[i].abs() - reach_2[i];
        if gap > best.0 {
            best = (
                gap,
                Axis::Face2(i),
                rotation.column(i) * 1f64.copysign(turned[i]),
            );
        }
    }
    if best.0 <= 0.0 {
        edges(a, b, rotation, p, &mut best);
    }
    let (gap, axis, normal) = best;
    if gap > 0.0 {
        let found = distance(&sets, last, &normal);
        if !found.overlapping {
            return Some(Corners::of(&found).marked(&sets, &found.vector.normalize()));
        }
    }
    let [[i_1, i_2]] = [[
        a.farthest(&normal, 0).1,
        b.farthest(&rotation.tr_mul(&-normal), 0).1,
    ]];
    let mut parts = Corners {
        vertices: match axis {
            // The deepest vertex of one over two edges of the other's face.
            Axis::Face1(i) => {
                let [u, v] = [1 << ((i + 1) % 3), 1 << ((i + 2) % 3)];
                [[i_1, i_2], [i_1 ^ u, i_2], [i_1 ^ v, i_2]]
            }
            Axis::Face2(i) => {
                let [u, v] = [1 << ((i + 1) % 3), 1 << ((i + 2) % 3)];
                [[i_1, i_2], [i_1, i_2 ^ u], [i_1, i_2 ^ v]]
            }
            Axis::Edges(i, j) => [[i_1, i_2], [i_1 ^ (1 << i), i_2], [i_1, i_2 ^ (1 << j)]],
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

/// The nine pairs of edges.
#[inline(always)]
fn edges(a: &Vec3, b: &Vec3, rotation: &Mat3, p: &Vec3, best: &mut (f64, Axis, Vec3)) {
    let margin = ROUNDING * (a.sum() + b.sum());
    best.0 += margin;
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
            if gap > best.0 {
                let mut normal = Vec3::zeros();
                let scale = 1f64.copysign(along) / squared.sqrt();
                normal[k] = x * scale;
                normal[l] = y * scale;
                *best = (gap, Axis::Edges(i, j), normal);
                found = true;
            }
        }
    }
    if !found {
        best.0 -= margin;
    }
}
