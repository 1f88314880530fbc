//! The nearest pair of strata, and its proof.
//!
//! [`settle`] starts at a guess. It solves the stationary point of the guessed strata; where that lies beyond
//! an end of a stratum, or where another part of a core is farther out along the normal, it continues with
//! the neighbouring stratum in that direction. A face fixes the normal: then the nearest point of the other
//! core need only lie over the face.
//!
//! The solution is taken when the entire cores are no farther out along n than the strata, by their support
//! functions: s(n) = n.c - h1(n) - h2(-R' n) = F to rounding. For separated cores s(n) is a lower bound of
//! the gap and the distance of the points an upper one, so the proof is complete. For overlapping ones it
//! proves that n is a local solution.
//!
//! # A face of one core and the point of the other over it
//!
//! A face fixes the normal. The other core's point farthest along it, where there are several the one nearest
//! to the middle of the face, need only lie over the face.
//!
//! # Faces and edges to which a normal is nearly normal
//!
//! A search by simplices ends at a tolerance, a little off the normal of a face that is the solution, and its
//! corners indicate a smooth stratum beside the face, where no stationary point is. So faces and edges within
//! some angles of the normal are tried as well. As s(n) of any n is a lower bound of the gap, also for
//! overlapping cores, the largest one is the best.
//!
//! # Proof that a translation out of an overlap is the shortest
//!
//! With D = {x1 - x2} the Minkowski difference, the depth is the distance of the origin from the outside of
//! D. Let a local solution have depth d along n, and let balls of radii r1 and r2 fit into the cores so that
//! they touch the surface from inside in the two contact points. Their difference is a ball of radius r1 + r2
//! in D that touches the surface of D in the same point from inside. If r1 + r2 >= d it holds the ball of
//! radius d about the origin, so no way out is shorter than d.
//!
//! Simple lower bounds of the radii: the smallest radius of curvature of an ellipsoid, the distance to the
//! other faces on faces and laterals, zero at edges, on cones and on polyhedra.

use crate::math::Vec3;
use crate::math::real::{atan2, hypot};
use crate::narrow_phase::curved::newton::{
    Frame, StationaryPoint, between_points, directions, slope, stationary,
};
use crate::narrow_phase::gjk::Corner;
use crate::shapes::strata::{Element, Ends, INSIDE, PARALLEL, Stratum};
use crate::shapes::{Core, Hull, Solid};

/// Two cores; the frame of the first is used throughout.
pub(super) struct Pair<'a> {
    pub cores: [&'a Core; 2],
    pub frame: Frame,
    /// Largest length of the pair [m]: scale of rounding.
    pub size: f64,
}

/// Pair of strata with their stationary point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    pub parts: [Stratum; 2],
    pub(crate) point: StationaryPoint,
}

/// Proven [`Guess`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub guess: Guess,
    /// s(n) [m].
    pub gap: f64,
}

/// Maximum number of strata tried from one guess.
const MOST_MOVES: usize = 16;
/// Rounding in the difference of F and s(n), relative to the size of the pair.
pub(super) const ROUNDING: f64 = 2e-15;
/// Rounding in a vector between two points, relative to the size of the pair.
const SAME_POINT: f64 = 1e-14;
/// Angle [rad] between the normals of a solution and a face, within which the face is the solution if its
/// s(n) is no smaller.
const AT_FACE: f64 = 1e-10;

impl Pair<'_> {
    pub(super) fn separation(&self, normal: &Vec3) -> f64 {
        let [d1, d2] = directions(&self.frame, normal);
        normal.dot(&self.frame.position)
            - self.cores[0].support_function(&d1)
            - self.cores[1].support_function(&d2)
    }

    /// Transforms a point from the frame of 1 to the frame of a core.
    pub(super) fn local(&self, body: usize, point: &Vec3) -> Vec3 {
        if body == 0 {
            *point
        } else {
            self.frame.rotation.tr_mul(&(point - self.frame.position))
        }
    }

    /// Transforms a point from the frame of a core to the frame of 1.
    pub(super) fn common(&self, body: usize, point: &Vec3) -> Vec3 {
        if body == 0 {
            *point
        } else {
            self.frame.position + self.frame.rotation * point
        }
    }

    pub(super) fn element(&self, guess: &Guess, body: usize) -> Element {
        self.cores[body].solid().element(&guess.parts[body])
    }

    /// Points of the strata, each in the frame of its core.
    pub(super) fn points(&self, guess: &Guess) -> [Vec3; 2] {
        let d = directions(&self.frame, &guess.point.normal);
        [0, 1].map(|i| {
            let element = self.element(guess, i);
            element.support(&d[i], guess.point.parameters[i]).x
        })
    }

    /// Guess from a normal and corners of the Minkowski difference whose weighted sum is close to its nearest
    /// point.
    pub(super) fn guess(&self, normal: &Vec3, corners: &[Corner], weights: &[f64]) -> Guess {
        let mut points = [Vec3::zeros(); 2];
        for (corner, weight) in corners.iter().zip(weights) {
            points[0] += corner.point_1 * *weight;
            points[1] += (corner.point_1 + corner.difference) * *weight;
        }
        let d = directions(&self.frame, normal);
        let mut guess = Guess {
            parts: [Stratum::corner(0); 2],
            point: StationaryPoint {
                normal: *normal,
                parameters: [0.0; 2],
            },
        };
        for body in 0..2 {
            let x = self.local(body, &points[body]);
            let part = match self.cores[body] {
                Core::Hull(hull) => hull.through(
                    corners
                        .iter()
                        .zip(weights)
                        .filter(|(_, weight)| **weight > 0.0)
                        .map(|(corner, _)| corner.vertices[body]),
                    &d[body],
                ),
                core => {
                    let ends = core.solid().ends_near(&x, &d[body]);
                    Stratum::Ends(core.solid().settled(ends, &d[body]))
                }
            };
            guess.parts[body] = part;
            guess.point.parameters[body] = self.element(&guess, body).parameter(&x, &d[body]);
        }
        guess
    }
}

/// Proven solution reached from a guess; `None` without one.
///
/// A face whose s(n) reaches `upper`, a known upper bound of the gap [m], needs no other proof.
pub(super) fn settle(pair: &Pair, mut guess: Guess, upper: f64) -> Option<Found> {
    for _ in 0..MOST_MOVES {
        let elements = [0, 1].map(|i| pair.element(&guess, i));
        // Of two faces that are nearly parallel only one may have the other's point over it.
        let mut next = None;
        let mut is_lost = false;
        for (body, element) in elements.iter().enumerate() {
            if !matches!(element, Element::Face { .. }) {
                continue;
            }
            if let Some(found) = proven_face(pair, &guess, body, element, upper) {
                return Some(found);
            }
            let mut moved = guess;
            match over_face(pair, &mut moved, body, element) {
                Over::Inside => {
                    let gap = pair.separation(&moved.point.normal);
                    return gap.is_finite().then_some(Found { guess: moved, gap });
                }
                Over::Outside => next = next.or(Some(moved)),
                Over::Lost => is_lost = true,
            }
        }
        if let Some(moved) = next {
            guess = moved;
            continue;
        }
        if is_lost {
            return None;
        }
        guess.point = if both_points(&elements) {
            between_points(&elements, &pair.frame, &guess.point)
        } else {
            stationary(&elements, &pair.frame, &guess.point, pair.size)?
        };
        let before = guess.parts;
        let d = directions(&pair.frame, &guess.point.normal);
        for body in 0..2 {
            turn_to_neighbour(pair, &mut guess, body, &elements[body], &d[body])?;
        }
        if guess.parts == before {
            let slope = slope(&elements, &pair.frame, &guess.point);
            let gap = pair.separation(&guess.point.normal);
            // Where nothing of a stratum turns with the normal (a rim seen along its axis), the
            // steps end beside the stationary point.
            let aside = (slope.between - guess.point.normal * slope.gap).norm();
            // Written so that NaN is no proof.
            let proven =
                (slope.gap - gap).abs() <= ROUNDING * pair.size && aside <= SAME_POINT * pair.size;
            // A rim seen along its axis does not show how the normal moves with the pose.
            return proven
                .then(|| face_at(pair, &guess, gap, AT_FACE).unwrap_or(Found { guess, gap }));
        }
    }
    None
}

/// Returns true if the points of a solution lie in their cores and differ by the gap along the normal: an
/// upper bound of the gap that meets the lower one. The search ensures that for a guess that belongs to the
/// pair, this for any guess.
pub(super) fn has_points(pair: &Pair, found: &Found) -> bool {
    let elements = [0, 1].map(|i| pair.element(&found.guess, i));
    let mut points = pair.points(&found.guess);
    for (body, element) in elements.iter().enumerate() {
        if let Element::Face { normal, q } = element {
            let other = pair.common(1 - body, &points[1 - body]);
            let over = pair.local(body, &other);
            let x = over - normal * normal.dot(&(over - q));
            let solid = pair.cores[body].solid();
            if solid.exit(&found.guess.parts[body], &x).is_some() {
                return false;
            }
            points[body] = x;
        }
    }
    let between = pair.common(1, &points[1]) - pair.common(0, &points[0]);
    // Written so that NaN is no proof.
    (between - found.guess.point.normal * found.gap).norm() <= SAME_POINT * pair.size
}

pub(super) fn both_points(elements: &[Element; 2]) -> bool {
    elements
        .iter()
        .all(|element| matches!(element, Element::Line { long: false, r, .. } if *r == 0.0))
}

/// Replaces the stratum of a core where its stationary point lies beyond an end, or where another part of the
/// core is farther out. `None` where a polyhedron repeats itself.
fn turn_to_neighbour(
    pair: &Pair,
    guess: &mut Guess,
    body: usize,
    element: &Element,
    d: &Vec3,
) -> Option<()> {
    let core = pair.cores[body];
    let part = guess.parts[body];
    let p = guess.point.parameters[body];
    let (long, circle) = (
        matches!(element, Element::Line { long: true, .. }),
        matches!(element, Element::Circle { .. }),
    );
    let past = if !long || p.abs() <= 1.0 + INSIDE {
        0
    } else if p < 0.0 {
        -1
    } else {
        1
    };
    let mut new = part;
    match (core, part) {
        (Core::Hull(hull), Stratum::Corners { corners, count }) => {
            let best = hull.farthest(d) as u32;
            let farthest = hull.vertices().get(best as usize)?.dot(d);
            let here = hull.vertices().get(corners[0] as usize)?.dot(d);
            if past != 0 {
                new = Stratum::corner(corners[usize::from(past > 0)] as usize);
            } else if farthest > here + ROUNDING * pair.size {
                if corners[..count as usize].contains(&best) {
                    return (count == 2).then_some(());
                }
                let [a, b, _] = corners;
                new = if count == 1 {
                    Stratum::Corners {
                        corners: [a, best, 0],
                        count: 2,
                    }
                } else {
                    hull.through([a, b, best].into_iter(), d)
                };
            }
        }
        (_, Stratum::Ends(ends)) => {
            let is_far_rim = circle
                && element.bend_of_parameter(d, element.support(d, p).f) > PARALLEL * pair.size;
            new = Stratum::Ends(neighbour(core.solid(), ends, past, is_far_rim, d));
        }
        _ => {}
    }
    if new != part {
        guess.parts[body] = new;
        let x = element.support(d, p).x;
        guess.point.parameters[body] = core.solid().element(&new).parameter(&x, d);
    }
    Some(())
}

/// Stratum beside the one with these ends, if its stationary point lies `past` an end of its segments or
/// another part of the core is farther along d; else the same. The rim on the far side of a disc changes to
/// the disc.
fn neighbour(solid: &dyn Solid, ends: Ends, past: i8, is_far_rim: bool, d: &Vec3) -> Ends {
    let mut new = ends;
    for axis in solid.segments() {
        let end = ends.along[axis];
        if end == 0 {
            new = new.with_end(axis, past);
        } else if solid.kink(axis, d) * f64::from(end) < -PARALLEL {
            new = new.with_end(axis, 0);
        }
    }
    if is_far_rim || solid.hides(&ends, d) {
        // The nearest point is inside the disc.
        new = new.with_flat(true);
    }
    solid.settled(new, d)
}

/// Normal from 1 to 2 of a core's face, frame of 1.
fn face_normal(pair: &Pair, body: usize, normal: &Vec3) -> Vec3 {
    if body == 0 {
        *normal
    } else {
        -(pair.frame.rotation * normal)
    }
}

/// The face as the solution, if its s(n) reaches the upper bound.
fn proven_face(
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
        let middle = middle(pair.cores[body], q, normal);
        put_over(pair, &mut guess, body, middle, &d[other]);
        Found { guess, gap }
    })
}

/// Sets the parameter of the other core's stratum to its farthest point along d, if there are several to the
/// one nearest to the `middle` of the face of `body`. Returns that point, frame of 1.
fn put_over(pair: &Pair, guess: &mut Guess, body: usize, middle: Vec3, d: &Vec3) -> Vec3 {
    let other = 1 - body;
    let core = pair.cores[other];
    let middle = pair.local(other, &pair.common(body, &middle));
    let part = guess.parts[other];
    let element = core.solid().element(&part);
    let y = nearest_of(core, &part, &element, d, &middle);
    guess.point.parameters[other] = element.parameter(&y, d);
    pair.common(other, &y)
}

/// Angle [rad] between the normals of two triangles of one face of a polyhedron.
const COPLANAR: f64 = 1e-9;

/// The face of either core within an angle [rad] of the guessed normal, if its s(n) reaches the upper bound.
pub(super) fn face_at(pair: &Pair, guess: &Guess, upper: f64, angle: f64) -> Option<Found> {
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

enum Over {
    /// The other core's nearest point lies over the face.
    Inside,
    /// It does not; the guess now has a neighbour of the face.
    Outside,
    /// There is no such face.
    Lost,
}

/// Tries a face of one core with the nearest point of the other.
fn over_face(pair: &Pair, guess: &mut Guess, body: usize, face: &Element) -> Over {
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
    let middle = middle(pair.cores[body], q, normal);
    let y = put_over(pair, guess, body, middle, &d[other]);
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

/// Replacement for a polyhedron's triangle beyond which a vertex lies: among the triangles at that vertex,
/// the one over which the other core's nearest corner lies. `None` without such a vertex.
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

/// Farthest stratum along d; of a polyhedron the known one if none is farther.
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

fn middle(core: &Core, q: &Vec3, normal: &Vec3) -> Vec3 {
    match core {
        Core::Hull(_) => *q,
        _ => normal * normal.dot(q),
    }
}

/// Point farthest along d of a stratum that is nearest to another point.
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

/// Angle of a circle's farthest point along d; `None` if d is normal to its plane.
fn farthest_angle(d: &Vec3, axis: usize) -> Option<f64> {
    let (a, b) = (d[(axis + 1) % 3], d[(axis + 2) % 3]);
    (hypot(a, b) > PARALLEL).then(|| atan2(b, a))
}

/// Angles [rad] within which faces and edges are tried.
const ANGLES: [f64; 4] = [3e-2, 1e-3, 1e-5, 1e-7];

/// The best of a known solution and the solutions that faces and edges close to the guessed normal lead to;
/// `upper` is an upper bound of the gap [m].
pub(super) fn best_beside(
    pair: &Pair,
    guess: &Guess,
    upper: f64,
    mut best: Option<Found>,
) -> Option<Found> {
    let d = directions(&pair.frame, &guess.point.normal);
    let points = pair.points(guess);
    let mut tried = [None; 2];
    for angle in ANGLES {
        let beside = [0, 1].map(|body| {
            let over = pair.common(1 - body, &points[1 - body]);
            flattest(pair.cores[body], &d[body], angle, &pair.local(body, &over))
        });
        if beside == tried {
            continue;
        }
        tried = beside;
        for chosen in [[true, false], [false, true], [true, true]] {
            let mut start = *guess;
            for body in 0..2 {
                if let (true, Some(part)) = (chosen[body], beside[body]) {
                    start.parts[body] = part;
                    start.point.parameters[body] = pair
                        .element(&start, body)
                        .parameter(&points[body], &d[body]);
                }
            }
            if start.parts != guess.parts
                && let Some(found) = settle(pair, start, upper)
                && best.is_none_or(|best| found.gap > best.gap)
            {
                best = Some(found);
            }
        }
    }
    best
}

/// Face or edge of a core that is perpendicular to d within an angle; of a polyhedron the triangle over which
/// x lies.
fn flattest(core: &Core, d: &Vec3, angle: f64, x: &Vec3) -> Option<Stratum> {
    match core {
        Core::Hull(hull) => triangle_below(hull, d, angle, x),
        _ => Some(core.solid().farthest_stratum(d, angle)),
    }
}

/// The triangle below x, among faces perpendicular to d within an angle.
pub(super) fn triangle_below(hull: &Hull, d: &Vec3, angle: f64, x: &Vec3) -> Option<Stratum> {
    let mut below = None;
    hull.faces().for_each(|normal, edges| {
        if normal.dot(d) <= 0.0 || normal.cross(d).norm() > angle {
            return;
        }
        let at = |i: u32| hull.vertices().get(i as usize).copied().unwrap_or_default();
        let Some([first, _]) = edges.first().copied() else {
            return;
        };
        for [i, j] in edges.iter().copied().filter(|edge| !edge.contains(&first)) {
            let [a, b, c] = [first, i, j].map(at);
            let over = |p: Vec3, q: Vec3| (q - p).cross(&(x - p)).dot(normal) >= 0.0;
            if over(a, b) && over(b, c) && over(c, a) {
                below = Some(hull.through([first, i, j].into_iter(), normal));
            }
        }
    });
    below
}

/// Returns true if a solution for overlapping cores is proven to be the minimum translation.
pub(super) fn is_shortest(pair: &Pair, found: &Found) -> bool {
    let points = pair.points(&found.guess);
    let radius = |body: usize| {
        // Of a polyhedron none is known.
        let Stratum::Ends(ends) = &found.guess.parts[body] else {
            return 0.0;
        };
        let x = match pair.element(&found.guess, body) {
            // The other's point is over the face.
            Element::Face { .. } => pair.local(body, &pair.common(1 - body, &points[1 - body])),
            _ => points[body],
        };
        pair.cores[body].solid().inner_radius(ends, &x).max(0.0)
    };
    radius(0) + radius(1) >= -found.gap
}
