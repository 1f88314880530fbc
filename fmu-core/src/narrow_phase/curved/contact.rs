//! The contact point where edges or faces are nearly parallel.
//!
//! Where only one point of a core is farthest along the normal, that point is the contact point.
//! Where a whole edge or face is, or nearly so, the farthest point jumps as the normal passes
//! through parallel, and a contact point must not ([`soft`]). So both cores tell their soft point
//! q and the matrix L of half extents of the edge or face about it, in the tangent plane: for each
//! segment of half length a along u the dyad a u u', for a disc of radius R the unit matrix times
//! R, each faded out by (1 - x^2)^2 with x = angle from parallel/[`BLEND`]. The contact point
//!
//!   p = q1 + (W1 + m) (W1 + W2 + 2m)^-1 (q2 - q1),  W = L^4
//!
//! is the point of 2 on a face of 1, the crossing of two edges, nearly the middle of a small face on
//! a large one, and the middle between two of equal size. The multiple m of the unit matrix fades in where
//! two edges are nearly parallel, where their crossing runs from end to end within hardly any
//! angle. At last p is clamped into the edges and faces of both in turn, which brings it into their
//! overlap.
//!
//! [`soft`]: crate::narrow_phase::soft

use crate::geometry::Core;
use crate::math::{Real, Vec3};
use crate::narrow_phase::curved::newton::{Frame, directions, tangents};
use crate::narrow_phase::soft::{BLEND, soft_support};

/// Square of the sine of the angle between two edges below which m fades in: the crossing moves by
/// gap/angle^2 [m/rad].
const NEARLY_PARALLEL: f64 = 0.03 * 0.03;
/// Part of the trace that keeps the matrix regular where both extents have one direction only.
const REGULAR: f64 = 1e-13;
/// Rounds of clamping into both cores in turn.
const ROUNDS: usize = 3;

/// The contact point in the frame of 1, anywhere along the normal; none where both cores have a
/// single farthest point.
pub fn contact_point<T: Real>(
    cores: [&Core; 2],
    frame: &Frame<T>,
    normal: &Vec3<T>,
) -> Option<Vec3<T>> {
    let d = directions(frame, normal);
    // Turns with the normal: the part along the normal is zero, not its derivative.
    let basis = tangents(&normal.map(Real::value)).map(|e| {
        let e = e.map(T::from);
        e - normal * normal.dot(&e)
    });
    let turned = basis.map(|e| frame.rotation.tr_mul(&e));
    let first = extents(cores[0], &d[0], &basis);
    let second = extents(cores[1], &d[1], &turned);
    if first.is_none() && second.is_none() {
        return None;
    }
    let nothing = [T::zero(); 3];
    let (l1, l2) = (first.unwrap_or(nothing), second.unwrap_or(nothing));
    let q1 = soft_support(cores[0], &d[0]);
    let q2 = frame.position + frame.rotation * soft_support(cores[1], &d[1]);

    let (trace_1, trace_2) = (l1[0] + l1[2], l2[0] + l2[2]);
    let (w1, w2) = (
        weights(&l1, trace_1 + trace_2),
        weights(&l2, trace_1 + trace_2),
    );
    let [a, b, c] = [0, 1, 2].map(|i| w1[i] + w2[i]);
    let mut m = (a + c) * (0.5 * REGULAR);
    if trace_1.value() > 0.0 && trace_2.value() > 0.0 {
        // Square of the sine of the angle between two edges.
        let [a, b, c] = [0, 1, 2].map(|i| l1[i] / trace_1 + l2[i] / trace_2);
        let spread = a * c - b * b;
        if spread.value() < NEARLY_PARALLEL {
            let near = T::from(1.0) - spread / NEARLY_PARALLEL;
            let (w1, w2) = (w1[0] + w1[2], w2[0] + w2[2]);
            m += w1 * w2 / (w1 + w2) * (near * near * NEARLY_PARALLEL.sqrt());
        }
    }
    let between = q2 - q1;
    let x = basis.map(|e| between.dot(&e));
    let [u, v] = solve([a, b, c], m * 2.0, x);
    let along = [(w1[0] + m) * u + w1[1] * v, w1[1] * u + (w1[2] + m) * v];
    let mut p = q1;
    for (along, e) in along.iter().zip(&basis) {
        p += e * *along;
    }
    for _ in 0..ROUNDS {
        p = clamped(cores[0], &d[0], p);
        let inner = frame.rotation.tr_mul(&(p - frame.position));
        p = frame.position + frame.rotation * clamped(cores[1], &d[1], inner);
    }
    Some(p)
}

/// (S + m)^-1 x for a symmetric S with no negative eigenvalue. A nearly singular one by its
/// eigenvectors: no digits of the large direction get into the small one.
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

/// (1 - x^2)^2 with x = angle/BLEND, none beyond.
fn fade<T: Real>(sine: T) -> Option<T> {
    let x = sine / BLEND;
    (x.value().abs() < 1.0).then(|| {
        let rest = T::from(1.0) - x * x;
        rest * rest
    })
}

/// Length of (x, y) without a derivative at zero.
fn across<T: Real>(x: T, y: T) -> T {
    let squared = x * x + y * y;
    if squared.value() > 0.0 {
        squared.sqrt()
    } else {
        T::zero()
    }
}

/// Matrix of half extents (xx, xy, yy) [m] of the edge or face farthest along d, in the tangent
/// basis; none for a single point.
fn extents<T: Real>(core: &Core, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<[T; 3]> {
    let mut sum: Option<[T; 3]> = None;
    let mut add = |length: Option<T>, u: &Vec3<T>| {
        if let Some(length) = length {
            let [x, y] = [basis[0].dot(u), basis[1].dot(u)];
            let [xx, xy, yy] = sum.unwrap_or([T::zero(); 3]);
            sum = Some([
                xx + length * x * x,
                xy + length * x * y,
                yy + length * y * y,
            ]);
        }
    };
    let axis = |i: usize| {
        let mut u = Vec3::zeros();
        u[i] = T::one();
        u
    };
    let mut disc = None;
    match core {
        Core::Segment { half } => add(fade(d.z).map(|f| f * *half), &axis(2)),
        Core::Box { half } => {
            for i in 0..3 {
                add(fade(d[i]).map(|f| f * half[i]), &axis(i));
            }
        }
        Core::Cylinder { radius, half } => {
            add(fade(d.z).map(|f| f * *half), &axis(2));
            disc = fade(across(d.x, d.y)).map(|f| f * *radius);
        }
        Core::Beam {
            half,
            radius,
            half_thickness,
        } => {
            add(fade(d.z).map(|f| f * *half), &axis(2));
            add(fade(d.y).map(|f| f * *half_thickness), &axis(1));
            disc = fade(across(d.x, d.z)).map(|f| f * *radius);
        }
        Core::Cone { z, radii } => {
            let (rise, spread) = (z[1] - z[0], radii[1] - radii[0]);
            let slant = rise.hypot(spread);
            let rho = across(d.x, d.y);
            if rho.value() > BLEND {
                let ruling = Vec3::new(d.x / rho * spread, d.y / rho * spread, T::from(rise));
                let length = fade((rho * spread + d.z * rise) / slant).map(|f| f * (0.5 * slant));
                add(length, &(ruling / T::from(slant)));
            }
            disc = fade(rho).map(|f| f * radii[usize::from(d.z.value() > 0.0)]);
        }
        Core::Hull(_) => return hull_extents(core, d, basis),
        Core::Ellipsoid { .. } | Core::Point | Core::HalfSpace => {}
    }
    match (sum, disc) {
        (Some([xx, xy, yy]), Some(round)) => Some([xx + round, xy, yy + round]),
        (None, Some(round)) => Some([round, T::zero(), round]),
        (sum, None) => sum,
    }
}

/// Extents of a polyhedron: the covariance of the vertices under the weights of its soft point,
/// over its root.
fn hull_extents<T: Real>(core: &Core, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<[T; 3]> {
    let Core::Hull(hull) = core else {
        return None;
    };
    let direction = d.map(Real::value);
    let (lower, upper) = hull.extent();
    let band = BLEND * (upper - lower).amax();
    let farthest = hull.vertices()[hull.farthest(&direction)];
    let near = |vertex: &&Vec3| (farthest - **vertex).dot(&direction) < band;
    if hull.vertices().iter().filter(near).count() < 2 {
        return None;
    }
    let middle = soft_support(core, d);
    let (mut sum, mut weights) = ([T::zero(); 3], T::zero());
    for vertex in hull.vertices().iter().filter(near) {
        let behind = (farthest - vertex).map(T::from).dot(d);
        let weight = T::from(1.0) - behind / band;
        let weight = weight * weight;
        let off = vertex.map(T::from) - middle;
        let [x, y] = [basis[0].dot(&off), basis[1].dot(&off)];
        sum[0] += weight * x * x;
        sum[1] += weight * x * y;
        sum[2] += weight * y * y;
        weights += weight;
    }
    let trace = (sum[0] + sum[2]) / weights;
    if trace.value() > 0.0 {
        let scale = T::from(1.0) / (weights * trace.sqrt());
        Some(sum.map(|s| s * scale))
    } else {
        None
    }
}

/// The point moved into the edge or face farthest along d, where d is nearly normal to one; its
/// height over it stays.
fn clamped<T: Real>(core: &Core, d: &Vec3<T>, mut p: Vec3<T>) -> Vec3<T> {
    let parallel = |v: T| v.value().abs() < BLEND;
    let within = |v: T, half: f64| {
        if v.value() > half {
            T::from(half)
        } else if v.value() < -half {
            T::from(-half)
        } else {
            v
        }
    };
    // (x, y) moved into the circle.
    let inside = |x: T, y: T, r: f64| {
        let length = across(x, y);
        if length.value() > r {
            [x / length * r, y / length * r]
        } else {
            [x, y]
        }
    };
    match core {
        Core::Segment { half } if parallel(d.z) => p.z = within(p.z, *half),
        Core::Box { half } => {
            for i in 0..3 {
                if parallel(d[i]) {
                    p[i] = within(p[i], half[i]);
                }
            }
        }
        Core::Cylinder { radius, half } => {
            if parallel(d.z) {
                p.z = within(p.z, *half);
            }
            if parallel(across(d.x, d.y)) {
                [p.x, p.y] = inside(p.x, p.y, *radius);
            }
        }
        Core::Cone { z, radii } => {
            if parallel(across(d.x, d.y)) {
                let radius = radii[usize::from(d.z.value() > 0.0)];
                [p.x, p.y] = inside(p.x, p.y, radius);
            } else {
                let middle = 0.5 * (z[0] + z[1]);
                p.z = within(p.z - middle, 0.5 * (z[1] - z[0])) + middle;
            }
        }
        Core::Beam {
            half,
            radius,
            half_thickness,
        } => {
            if parallel(d.y) {
                p.y = within(p.y, *half_thickness);
            }
            if parallel(across(d.x, d.z)) {
                let straight = within(p.z, *half);
                let [x, beyond] = inside(p.x, p.z - straight, *radius);
                (p.x, p.z) = (x, straight + beyond);
            } else if parallel(d.z) {
                p.z = within(p.z, *half);
            }
        }
        _ => {}
    }
    p
}
