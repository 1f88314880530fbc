//! The contact point where edges or faces are nearly parallel.
//!
//! Where only one point of a core is farthest along the normal, the strata give the contact point.
//! Where both cores show an entire edge or face, or nearly so, and these are parallel, it jumps
//! from end to end as they pass through parallel, and a contact point must not ([`soft`]). There
//! both cores have their soft point q and the matrix L of half extents of the edge or face about
//! it, in the tangent plane: for each segment of half length a along u the dyad a u u', for a disc
//! of radius R the unit matrix times R, each faded out by (1 - x^2)^2 with x = angle from
//! parallel/[`BLEND`]. The soft contact point
//!
//!   p = q1 + (W1 + m) (W1 + W2 + 2m)^-1 (q2 - q1),  W = L^4
//!
//! is the point of 2 on a face of 1, the crossing of two edges, nearly the middle of a small face
//! on a large one, and the middle between two of equal size. The multiple m of the unit matrix
//! fades in where two edges are nearly parallel, where their crossing runs from end to end within
//! hardly any angle. At last p is clamped into the edges and faces of both in turn, which brings it
//! into their overlap.
//!
//! With e_i how much of an edge or a face core i shows (1 where the normal is across it, faded out
//! like L) and f_i the same for a face alone, the soft point has the weight
//! max(f1 e2, e1 f2, e1 e2 c): c fades out as two edges turn away from parallel. It is 1 wherever
//! the point of the strata jumps.
//!
//! [`soft`]: crate::narrow_phase::soft

use crate::geometry::Core;
use crate::math::transcendental::hypot;
use crate::math::{Real, Vec3};
use crate::narrow_phase::curved::newton::{Frame, directions, tangents};
use crate::narrow_phase::soft::{BLEND, soft_support};

/// Square of the sine of the angle between two edges below which m fades in: the crossing moves by
/// gap/angle^2 [m/rad].
const NEARLY_PARALLEL: f64 = 1e-3 * 1e-3;
/// Part of the trace that keeps the matrix regular where both extents have one direction only.
const REGULAR: f64 = 1e-13;
/// Rounds of clamping into both cores in turn.
const ROUNDS: usize = 3;

/// What a core shows to the other.
struct Flat<T: Real> {
    /// L (xx, xy, yy) [m] in the tangent basis.
    extents: [T; 3],
    /// e.
    edge: T,
    /// f.
    face: T,
}

/// The contact point in the frame of 1, anywhere along the normal; `exact` is that of the strata.
pub fn contact_point<T: Real>(
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
    let second = flat(cores[1], &d[1], &turned);
    let first = match (&second, &exact) {
        (None, Some(exact)) => return *exact,
        _ => flat(cores[0], &d[0], &basis),
    };
    let (weight, first, second) = match (first, second, &exact) {
        (Some(first), Some(second), _) => (weight(&first, &second), first, second),
        (_, _, Some(exact)) => return *exact,
        (first, second, None) => {
            let nothing = || Flat {
                extents: [T::zero(); 3],
                edge: T::zero(),
                face: T::zero(),
            };
            let (first, second) = (
                first.unwrap_or_else(nothing),
                second.unwrap_or_else(nothing),
            );
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

/// How much of the soft point is in the contact point.
fn weight<T: Real>(first: &Flat<T>, second: &Flat<T>) -> T {
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

/// The soft contact point.
fn soft_point<T: Real>(
    cores: [&Core; 2],
    frame: &Frame<T>,
    d: &[Vec3<T>; 2],
    basis: &[Vec3<T>; 2],
    flats: [&Flat<T>; 2],
) -> Vec3<T> {
    let (l1, l2) = (&flats[0].extents, &flats[1].extents);
    let q1 = soft_support(cores[0], &d[0]);
    let q2 = frame.position + frame.rotation * soft_support(cores[1], &d[1]);

    let (trace_1, trace_2) = (l1[0] + l1[2], l2[0] + l2[2]);
    let (w1, w2) = (
        weights(l1, trace_1 + trace_2),
        weights(l2, trace_1 + trace_2),
    );
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
        p = clamped(cores[0], &d[0], p);
        let inner = frame.rotation.tr_mul(&(p - frame.position));
        p = frame.position + frame.rotation * clamped(cores[1], &d[1], inner);
    }
    p
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

/// What a core shows to the other along d; none for a single point.
fn flat<T: Real>(core: &Core, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Flat<T>> {
    let mut flat = Flat {
        extents: [T::zero(); 3],
        edge: T::zero(),
        face: T::zero(),
    };
    // The second of two edges makes a face.
    let mut add = |fade: Option<T>, half: f64, u: &Vec3<T>| {
        if let Some(fade) = fade {
            let [x, y] = [basis[0].dot(u), basis[1].dot(u)];
            let length = fade * half;
            flat.extents[0] += length * x * x;
            flat.extents[1] += length * x * y;
            flat.extents[2] += length * y * y;
            let both = flat.edge * fade;
            if both.value() > flat.face.value() {
                flat.face = both;
            }
            if fade.value() > flat.edge.value() {
                flat.edge = fade;
            }
        }
    };
    let axis = |i: usize| {
        let mut u = Vec3::zeros();
        u[i] = T::one();
        u
    };
    let mut disc = (None, 0.0);
    match core {
        Core::Segment { half } => add(fade(d.z), *half, &axis(2)),
        Core::Box { half } => {
            for i in 0..3 {
                add(fade(d[i]), half[i], &axis(i));
            }
        }
        Core::Cylinder { radius, half } => {
            add(fade(d.z), *half, &axis(2));
            disc = (fade(across(d.x, d.y)), *radius);
        }
        Core::Beam {
            half,
            radius,
            half_thickness,
        } => {
            add(fade(d.z), *half, &axis(2));
            add(fade(d.y), *half_thickness, &axis(1));
            disc = (fade(across(d.x, d.z)), *radius);
        }
        Core::Cone { z, radii } => {
            if let Some((ruling, slant)) = ruling(z, radii, d) {
                add(fade(ruling.dot(d)), 0.5 * slant, &ruling);
            }
            let radius = radii[usize::from(d.z.value() > 0.0)];
            if radius > 0.0 {
                disc = (fade(across(d.x, d.y)), radius);
            }
        }
        Core::Hull(_) => return hull_flat(core, d, basis),
        Core::Ellipsoid { .. } | Core::Point | Core::HalfSpace => {}
    }
    if let (Some(fade), radius) = disc {
        flat.extents[0] += fade * radius;
        flat.extents[2] += fade * radius;
        flat.face = fade;
        if fade.value() > flat.edge.value() {
            flat.edge = fade;
        }
    }
    (flat.edge.value() > 0.0).then_some(flat)
}

/// Unit vector along the ruling of a cone farthest along d, from bottom to top, and its length [m].
/// None where d is along the axis.
fn ruling<T: Real>(z: &[f64; 2], radii: &[f64; 2], d: &Vec3<T>) -> Option<(Vec3<T>, f64)> {
    let (rise, spread) = (z[1] - z[0], radii[1] - radii[0]);
    let slant = hypot(rise, spread);
    let rho = across(d.x, d.y);
    (rho.value() > BLEND).then(|| {
        let along = Vec3::new(d.x / rho * spread, d.y / rho * spread, T::from(rise));
        (along / T::from(slant), slant)
    })
}

/// The same for a polyhedron: L is the covariance of the vertices under the weights of its soft
/// point, over its root.
fn hull_flat<T: Real>(core: &Core, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Flat<T>> {
    /// Sine of the angle between two edges that make a face.
    const WIDE: f64 = 0.1;
    let Core::Hull(hull) = core else {
        return None;
    };
    let direction = d.map(Real::value);
    let number = hull.farthest(&direction);
    let farthest = hull.vertices()[number];
    // All diagonals lie in the cone of the edges, so none is flatter than the flattest edge.
    let neighbours = hull.faces().neighbours(number).iter();
    let mut along = neighbours.map(|i| farthest - hull.vertices()[*i as usize]);
    if along.all(|along| along.dot(&direction) >= BLEND * along.norm()) {
        return None;
    }
    // Edges and diagonals from the farthest vertex to which d is nearly normal.
    let edges = || {
        hull.vertices().iter().filter_map(|vertex| {
            let along = farthest - vertex;
            let length = along.norm();
            if length == 0.0 || along.dot(&direction) >= BLEND * length {
                return None;
            }
            let along = along / length;
            fade(along.map(T::from).dot(d)).map(|fade| (along, fade))
        })
    };
    let (mut edge, mut face) = (T::zero(), T::zero());
    for (u, fade_u) in edges() {
        if fade_u.value() > edge.value() {
            edge = fade_u;
        }
        for (v, _) in edges() {
            // Of the face that holds both, as far as they make one.
            let normal = u.cross(&v);
            let sine = normal.norm();
            if sine > 0.0 {
                let aside = d.cross(&(normal / sine).map(T::from));
                let x = aside.dot(&aside) / (BLEND * BLEND);
                let rest = T::one() - x;
                let flat = rest * rest * (sine / WIDE).min(1.0);
                if x.value() < 1.0 && flat.value() > face.value() {
                    face = flat;
                }
            }
        }
    }
    if edge.value() <= 0.0 {
        return None;
    }
    let band = BLEND * hull.faces().size;
    let near = |vertex: &&Vec3| (farthest - **vertex).dot(&direction) < band;
    let middle = soft_support(core, d);
    let (mut sum, mut weights) = ([T::zero(); 3], T::zero());
    for vertex in hull.vertices().iter().filter(near) {
        let behind = (farthest - vertex).map(T::from).dot(d);
        let weight = T::one() - behind / band;
        let weight = weight * weight;
        let off = vertex.map(T::from) - middle;
        let [x, y] = [basis[0].dot(&off), basis[1].dot(&off)];
        sum[0] += weight * x * x;
        sum[1] += weight * x * y;
        sum[2] += weight * y * y;
        weights += weight;
    }
    let trace = (sum[0] + sum[2]) / weights;
    (trace.value() > 0.0).then(|| {
        let scale = T::one() / (weights * trace.sqrt());
        Flat {
            extents: sum.map(|s| s * scale),
            edge,
            face,
        }
    })
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
            } else if let Some((ruling, slant)) = ruling(z, radii, d)
                && parallel(ruling.dot(d))
            {
                let (rho, mean) = (across(d.x, d.y), 0.5 * (radii[0] + radii[1]));
                let height = T::from(0.5 * (z[0] + z[1]));
                let middle = Vec3::new(d.x / rho * mean, d.y / rho * mean, height);
                let along = ruling.dot(&(p - middle));
                p += ruling * (within(along, 0.5 * slant) - along);
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
                // The point of the disc farthest along d, moved along the segment.
                let disc = d.z / across(d.x, d.z) * *radius;
                p.z = within(p.z - disc, *half) + disc;
            }
        }
        _ => {}
    }
    p
}
