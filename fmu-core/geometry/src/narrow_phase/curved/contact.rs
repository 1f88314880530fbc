//! The contact point where edges or faces are nearly parallel.
//!
//! Where only one point of a core is farthest along the normal, the strata give the contact point. Where both
//! cores show an entire edge or face, or nearly so, and these are parallel, it jumps from end to end as they
//! pass through parallel, and a contact point must not ([`soft`]). There both cores have their soft point q
//! and the matrix L of half extents of the edge or face about it, in the tangent plane: for each segment of
//! half length a along u the dyad a u u', for a disc of radius R the unit matrix times R, each faded out by
//! (1 - x^2)^2 with x = angle from parallel/[`BLEND`]. The soft contact point
//!
//!   p = q1 + (W1 + m) (W1 + W2 + 2m)^-1 (q2 - q1),  W = L^4
//!
//! is the point of 2 on a face of 1, the crossing of two edges, nearly the middle of a small face on a large
//! one, and the middle between two of equal size. The multiple m of the unit matrix fades in where two edges
//! are nearly parallel and their crossing runs from end to end within a tiny angle. Finally p is clamped into
//! the edges and faces of both in turn, which brings it into their overlap.
//!
//! With e_i how much of an edge or a face core i shows (1 where the normal is perpendicular to it, faded out
//! like L) and f_i the same for a face alone, the soft point has the weight max(f1 e2, e1 f2, e1 e2 c): c
//! fades out as two edges turn away from parallel. It is 1 wherever the point of the strata jumps.
//!
//! [`soft`]: crate::shapes::strata

use crate::math::{Real, Vec3};
use crate::narrow_phase::curved::newton::{Frame, directions, tangents};
use crate::shapes::Core;
use crate::shapes::strata::Footprint;

/// Squared sine of the angle between two edges below which m fades in: the crossing moves by gap/angle^2
/// [m/rad].
const NEARLY_PARALLEL: f64 = 1e-3 * 1e-3;
/// Relative regularisation where both extents have one direction only.
const REGULAR: f64 = 1e-13;
/// Number of times the point is clamped into both cores in turn.
const ROUNDS: usize = 3;

/// Contact point in the frame of 1, at an arbitrary height along the normal; `exact` is the point of the
/// strata.
pub(super) fn contact_point<T: Real>(
    cores: [&Core; 2],
    frame: &Frame<T>,
    normal: &Vec3<T>,
    exact: Option<Vec3<T>>,
) -> Vec3<T> {
    let d = directions(frame, normal);
    // Turns with the normal: the part along the normal is zero, not its derivative.
    let basis = tangents(&normal.map(Real::value)).map(|e| {
        let e = e.map(T::from);
        e - normal * normal.dot(&e)
    });
    let turned = basis.map(|e| frame.rotation.tr_mul(&e));
    // The second one first: the first may be a polyhedron, which takes longest.
    let second = cores[1].footprint(&d[1], &turned);
    let first = match (&second, &exact) {
        (None, Some(exact)) => return *exact,
        _ => cores[0].footprint(&d[0], &basis),
    };
    let (weight, first, second) = match (first, second, &exact) {
        (Some(first), Some(second), _) => (weight(&first, &second), first, second),
        (_, _, Some(exact)) => return *exact,
        (first, second, None) => {
            let [first, second] = [first, second].map(|x| x.unwrap_or_else(Footprint::nothing));
            (T::one(), first, second)
        }
    };
    let soft = || soft_point(cores, frame, &d, &basis, [&first, &second]);
    match exact {
        None => soft(),
        Some(exact) if weight.value() <= 0.0 => exact,
        Some(exact) => exact + (soft() - exact) * weight,
    }
}

fn weight<T: Real>(first: &Footprint<T>, second: &Footprint<T>) -> T {
    let near = parallel_edges(&first.extents, &second.extents);
    let largest = |a: T, b: T| if b.value() > a.value() { b } else { a };
    let edges = first.edge * second.edge * near * near;
    largest(
        edges,
        largest(first.face * second.edge, first.edge * second.face),
    )
}

/// 1 where two edges are parallel, falling to 0 at the angle [`NEARLY_PARALLEL`].
fn parallel_edges<T: Real>(l1: &[T; 3], l2: &[T; 3]) -> T {
    let (trace_1, trace_2) = (l1[0] + l1[2], l2[0] + l2[2]);
    if trace_1.value() > 0.0 && trace_2.value() > 0.0 {
        // Square of the sine of the angle between two edges.
        let [a, b, c] = [0, 1, 2].map(|i| l1[i] / trace_1 + l2[i] / trace_2);
        let spread = a * c - b * b;
        if spread.value() < NEARLY_PARALLEL {
            return T::one() - spread / NEARLY_PARALLEL;
        }
    }
    T::zero()
}

fn soft_point<T: Real>(
    cores: [&Core; 2],
    frame: &Frame<T>,
    d: &[Vec3<T>; 2],
    basis: &[Vec3<T>; 2],
    flats: [&Footprint<T>; 2],
) -> Vec3<T> {
    let (l1, l2) = (&flats[0].extents, &flats[1].extents);
    let q1 = cores[0].soft_support(&d[0]);
    let q2 = frame.position + frame.rotation * cores[1].soft_support(&d[1]);

    let trace = (l1[0] + l1[2]) + (l2[0] + l2[2]);
    if trace.value() == 0.0 {
        // Two corners without strata, which touch: the limit of equal extents.
        return (q1 + q2) * T::from(0.5);
    }
    let (w1, w2) = (weights(l1, trace), weights(l2, trace));
    let [a, b, c] = [0, 1, 2].map(|i| w1[i] + w2[i]);
    let mut m = (a + c) * (0.5 * REGULAR);
    let near = parallel_edges(l1, l2);
    if near.value() > 0.0 {
        let (w1, w2) = (w1[0] + w1[2], w2[0] + w2[2]);
        m += w1 * w2 / (w1 + w2) * (near * near * NEARLY_PARALLEL);
    }
    let between = q2 - q1;
    let x = basis.map(|e| between.dot(&e));
    let [u, v] = solve([a, b, c], m * 2.0, x);
    let along = [(w1[0] + m) * u + w1[1] * v, w1[1] * u + (w1[2] + m) * v];
    let mut p = q1;
    for (along, e) in along.iter().zip(basis) {
        p += e * *along;
    }
    for _ in 0..ROUNDS {
        p = cores[0].clamped(&d[0], p);
        let inner = frame.rotation.tr_mul(&(p - frame.position));
        p = frame.position + frame.rotation * cores[1].clamped(&d[1], inner);
    }
    p
}

/// (S + m)^-1 x for a symmetric positive semidefinite S; if nearly singular by its eigenvectors, so that
/// rounding of the large direction does not enter the small one.
fn solve<T: Real>([a, b, c]: [T; 3], m: T, [x, y]: [T; 2]) -> [T; 2] {
    let determinant = a * c - b * b;
    if determinant.value() > REGULAR.sqrt() * ((a + c) * (a + c)).value() {
        let (a, c) = (a + m, c + m);
        let determinant = a * c - b * b;
        return [(c * x - b * y) / determinant, (a * y - b * x) / determinant];
    }
    let half = (a - c) * 0.5;
    let large = (a + c) * 0.5 + (half * half + b * b).sqrt();
    let small = determinant / large;
    let (p, q) = if a.value() > c.value() {
        (large - c, b)
    } else {
        (b, large - a)
    };
    let square = p * p + q * q;
    let along = (p * x + q * y) / (square * (large + m));
    let across = (p * y - q * x) / (square * (small + m));
    [p * along - q * across, q * along + p * across]
}

/// W = (L/trace)^4.
fn weights<T: Real>(l: &[T; 3], trace: T) -> [T; 3] {
    let square = |m: [T; 3]| {
        let [a, b, c] = m;
        [a * a + b * b, b * (a + c), b * b + c * c]
    };
    square(square(l.map(|l| l / trace)))
}
