//! A face of one core and the point of the other over it.
//!
//! A face fixes the normal. The other core's point farthest along it, where there are several the
//! one nearest to the middle of the face, need only lie over the face.

use crate::math::Vec3;
use crate::math::transcendental::{atan2, hypot};
use crate::narrow_phase::curved::near::triangle_below;
use crate::narrow_phase::curved::newton::directions;
use crate::narrow_phase::curved::search::{Found, Guess, Pair, ROUNDING};
use crate::shapes::strata::{Element, PARALLEL, Stratum};
use crate::shapes::{Core, Hull};

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
