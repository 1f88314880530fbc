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
//! [`soft`]: crate::shapes::strata
//!
//! # A face of one core and the point of the other over it
//!
//! A face fixes the normal. The other core's point farthest along it, where there are several the
//! one nearest to the middle of the face, need only lie over the face.

use crate::math::real::{atan2, hypot};
use crate::math::{Real, Vec3};
use crate::narrow_phase::curved::newton::{Frame, directions, tangents};
use crate::narrow_phase::curved::search::{Found, Guess, Pair, ROUNDING, triangle_below};
use crate::shapes::strata::{Element, Footprint, PARALLEL, Stratum};
use crate::shapes::{Core, Hull};

/// Square of the sine of the angle between two edges below which m fades in: the crossing moves by
/// gap/angle^2 [m/rad].
const NEARLY_PARALLEL: f64 = 1e-3 * 1e-3;
/// Part of the trace that keeps the matrix regular where both extents have one direction only.
const REGULAR: f64 = 1e-13;
/// Rounds of clamping into both cores in turn.
const ROUNDS: usize = 3;

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

/// How much of the soft point is in the contact point.
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

/// The soft contact point.
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

/// Normal from 1 to 2 of a face of a core, frame of 1.
pub fn face_normal(pair: &Pair, body: usize, normal: &Vec3) -> Vec3 {
    if body == 0 {
        *normal
    } else {
        -(pair.frame.rotation * normal)
    }
}

/// The face as the solution, where s(n) reaches the upper bound.
pub fn proven_face(
    pair: &Pair,
    guess: &Guess,
    body: usize,
    face: &Element,
    upper: f64,
) -> Option<Found> {
    let Element::Face { normal, q } = face else {
        return None;
    };
    let mut guess = *guess;
    guess.point.normal = face_normal(pair, body, normal);
    let gap = pair.separation(&guess.point.normal);
    // Written so that NaN is no proof.
    (gap >= upper - ROUNDING * pair.size).then(|| {
        let other = 1 - body;
        let d = directions(&pair.frame, &guess.point.normal);
        let known = guess.parts[other];
        guess.parts[other] = farthest_near(pair.cores[other], &d[other], &known, pair.size);
        put_over(pair, &mut guess, body, (normal, q), &d[other]);
        Found { guess, gap }
    })
}

/// Sets the parameter of the other core's stratum to its point farthest along d, where it has
/// several to the one nearest to the middle of the face of `body`; that point, frame of 1.
fn put_over(
    pair: &Pair,
    guess: &mut Guess,
    body: usize,
    (normal, q): (&Vec3, &Vec3),
    d: &Vec3,
) -> Vec3 {
    let other = 1 - body;
    let core = pair.cores[other];
    let middle = pair.common(body, &middle(pair.cores[body], q, normal));
    let middle = pair.local(other, &middle);
    let part = guess.parts[other];
    let element = core.solid().element(&part);
    let y = nearest_of(core, &part, &element, d, &middle);
    guess.point.parameters[other] = element.parameter(&y, d);
    pair.common(other, &y)
}

/// Angle [rad] between the normals of two triangles of one face of a polyhedron.
const COPLANAR: f64 = 1e-9;

/// The face of either core to which the normal of a guess is normal within an angle [rad], where
/// s(n) reaches the upper bound.
pub fn face_at(pair: &Pair, guess: &Guess, upper: f64, angle: f64) -> Option<Found> {
    let d = directions(&pair.frame, &guess.point.normal);
    let mut parts = [0, 1].map(|i| pair.cores[i].solid().farthest_stratum(&d[i], angle));
    let is_face = |part: &Stratum, body: usize| {
        matches!(pair.cores[body].solid().element(part), Element::Face { .. })
    };
    for body in 0..2 {
        // Of a polyhedron it takes long to find: only below the face of another.
        if let Core::Hull(hull) = pair.cores[body]
            && is_face(&parts[1 - body], 1 - body)
        {
            let other = pair.points(guess)[1 - body];
            let x = pair.local(body, &pair.common(1 - body, &other));
            parts[body] = triangle_below(hull, &d[body], angle, &x).unwrap_or(parts[body]);
        }
    }
    for (body, part) in parts.into_iter().enumerate() {
        let mut guess = *guess;
        guess.parts[body] = part;
        let element = pair.element(&guess, body);
        if let Some(found) = proven_face(pair, &guess, body, &element, upper) {
            return Some(found);
        }
    }
    None
}

/// What [`over_face`] did.
pub enum Over {
    /// The other core's nearest point lies over the face.
    Inside,
    /// It does not; the guess has a neighbour of the face now.
    Outside,
    /// The face is none.
    Lost,
}

/// A face of one core and the point of the other nearest to it.
pub fn over_face(pair: &Pair, guess: &mut Guess, body: usize, face: &Element) -> Over {
    let Element::Face { normal, q } = face else {
        return Over::Lost;
    };
    guess.point.normal = face_normal(pair, body, normal);
    if !guess.point.normal.x.is_finite() {
        return Over::Lost;
    }
    let other = 1 - body;
    let core = pair.cores[other];
    let d = directions(&pair.frame, &guess.point.normal);
    let part = farthest_near(core, &d[other], &guess.parts[other], pair.size);
    guess.parts[other] = part;
    if let (Core::Hull(hull), Stratum::Corners { corners, .. }) =
        (pair.cores[body], guess.parts[body])
        && let Some(part) = farther_face(hull, &corners, &d[body], pair, &guess.parts[other], other)
    {
        guess.parts[body] = part;
        return Over::Outside;
    }
    let y = put_over(pair, guess, body, (normal, q), &d[other]);
    let local = pair.local(body, &y);
    match pair.cores[body].solid().exit(&guess.parts[body], &local) {
        None => Over::Inside,
        Some(part) => {
            // Of a polyhedron's face the triangle that the point lies over.
            if let Core::Hull(hull) = pair.cores[body]
                && let Some(below) = triangle_below(hull, &d[body], COPLANAR, &local)
                && !guess.parts[body].has_corners_of(&below)
            {
                guess.parts[body] = below;
                return Over::Outside;
            }
            guess.parts[body] = part;
            guess.point.parameters[body] = pair.element(guess, body).parameter(&local, &d[body]);
            if let Stratum::Ends(ends) = guess.parts[other]
                && ends.flat
            {
                // The two faces do not meet: the rim of the other.
                guess.parts[other] = Stratum::Ends(ends.with_flat(false));
                let y = pair.local(other, &y);
                guess.point.parameters[other] = pair.element(guess, other).parameter(&y, &d[other]);
            }
            Over::Outside
        }
    }
}

/// The triangle that replaces one of a polyhedron beyond which a vertex lies: of those about that
/// vertex the one over which the other core's nearest corner lies. None where there is no such
/// vertex.
fn farther_face(
    hull: &Hull,
    corners: &[u32; 3],
    d: &Vec3,
    pair: &Pair,
    part: &Stratum,
    other: usize,
) -> Option<Stratum> {
    let best = hull.farthest(d) as u32;
    let at = |i: u32| hull.vertices().get(i as usize).copied();
    let (v, triangle) = (at(best)?, corners.map(at));
    if v.dot(d) <= triangle[0]?.dot(d) + ROUNDING * pair.size || corners.contains(&best) {
        return None;
    }
    let body = 1 - other;
    let element = pair.cores[other].solid().element(part);
    let directions = directions(
        &pair.frame,
        &if body == 0 {
            *d
        } else {
            -(pair.frame.rotation * d)
        },
    );
    let y = element.support(&directions[other], 0.0).x;
    let y = pair.local(body, &pair.common(other, &y)) - v;
    for side in 0..3 {
        let next = (side + 1) % 3;
        let (p, q) = (triangle[side]? - v, triangle[next]? - v);
        if p.cross(&y).dot(d) >= 0.0 && y.cross(&q).dot(d) >= 0.0 {
            return Some(hull.through([corners[side], corners[next], best].into_iter(), d));
        }
    }
    Some(Stratum::corner(best as usize))
}

/// The farthest stratum along d; of a polyhedron the known one where it is as far as any.
fn farthest_near(core: &Core, d: &Vec3, known: &Stratum, size: f64) -> Stratum {
    let part = core.solid().farthest_stratum(d, PARALLEL);
    if let (Core::Hull(hull), Stratum::Corners { corners, count }) = (core, known) {
        let lowest = core.support_function(d) - ROUNDING * size;
        let at = |i: &u32| hull.vertices().get(*i as usize).map(|v| v.dot(d));
        let far = |i: &u32| at(i).is_some_and(|known| known >= lowest);
        if corners[..usize::from(*count).min(3)].iter().all(far) {
            return *known;
        }
    }
    part
}

/// Middle of a face.
fn middle(core: &Core, q: &Vec3, normal: &Vec3) -> Vec3 {
    match core {
        Core::Hull(_) => *q,
        _ => normal * normal.dot(q),
    }
}

/// The point of a stratum, farthest along d, that is nearest to another point.
fn nearest_of(core: &Core, part: &Stratum, element: &Element, d: &Vec3, to: &Vec3) -> Vec3 {
    let Element::Face { normal, q } = element else {
        let p = match element {
            Element::Circle { axis, .. } => match farthest_angle(d, *axis) {
                Some(angle) => angle,
                None => element.parameter(to, d),
            },
            _ => element.parameter(to, d),
        };
        return element.support(d, p).x;
    };
    let mut y = to - normal * normal.dot(&(to - q));
    // Clamped into the face, twice because a beam's face has two kinds of border.
    for _ in 0..2 {
        let Some(part) = core.solid().exit(part, &y) else {
            break;
        };
        if let Stratum::Ends(ends) = &part
            && let Some(nearest) = core.solid().nearest_on_border(ends, to)
        {
            return nearest;
        }
        let border = core.solid().element(&part);
        y = border.support(d, border.parameter(&y, d)).x;
    }
    y
}

/// Angle of the point of a circle farthest along d; none where d is normal to its plane.
fn farthest_angle(d: &Vec3, axis: usize) -> Option<f64> {
    let (a, b) = (d[(axis + 1) % 3], d[(axis + 2) % 3]);
    (hypot(a, b) > PARALLEL).then(|| atan2(b, a))
}
