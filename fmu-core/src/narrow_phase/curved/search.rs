//! Which pair of strata is nearest, and the proof that it is.
//!
//! [`settle`] starts at a guess. It solves the stationary point of the guessed strata; where that
//! lies beyond an end of a stratum, or where another part of a core is farther out along the
//! normal, it goes on to the neighbouring stratum that this tells. A face fixes the normal: then
//! the nearest point of the other core need only lie over the face.
//!
//! The answer is taken when the whole cores are no farther out along n than the strata, by their
//! support functions: s(n) = n.c - h1(n) - h2(-R' n) = F to rounding. For separated cores s(n) is
//! a lower bound of the gap and the distance of the points an upper one, so the proof is complete.
//! For overlapping ones it proves that n is a local answer.

use crate::geometry::{Core, Hull};
use crate::math::Vec3;
use crate::narrow_phase::curved::newton::{
    Frame, Point, between_points, directions, slope, stationary,
};
use crate::narrow_phase::curved::strata::{
    Element, INSIDE, PARALLEL, Part, height, kink, segments,
};
use crate::narrow_phase::gjk::Corner;

/// Two cores, the first in the frame of which all is done.
pub struct Pair<'a> {
    /// The cores.
    pub cores: [&'a Core; 2],
    /// Core 2 seen from core 1.
    pub frame: Frame,
    /// Largest length of the pair [m]: measure of rounding.
    pub size: f64,
}

/// A pair of strata with their stationary point.
#[derive(Clone, Copy, Debug)]
pub struct Guess {
    /// The strata.
    pub parts: [Part; 2],
    /// Normal and parameters.
    pub point: Point,
}

/// A proven [`Guess`].
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The strata and their stationary point.
    pub guess: Guess,
    /// s(n) [m].
    pub gap: f64,
}

/// Most strata looked at from one guess.
const MOST_MOVES: usize = 16;
/// Angle [rad] between the normal of a tight simplex and that of a face worth a try.
const NEARLY_PARALLEL: f64 = 1e-6;
/// Difference of F and s(n), relative to the size of the pair, that rounding leaves.
pub const ROUNDING: f64 = 2e-15;

impl Pair<'_> {
    /// s(n) [m].
    pub fn separation(&self, normal: &Vec3) -> f64 {
        let [d1, d2] = directions(&self.frame, normal);
        normal.dot(&self.frame.position) - height(self.cores[0], &d1) - height(self.cores[1], &d2)
    }

    /// A point of the frame of 1 in the frame of a core.
    pub fn local(&self, body: usize, point: &Vec3) -> Vec3 {
        if body == 0 {
            *point
        } else {
            self.frame.rotation.tr_mul(&(point - self.frame.position))
        }
    }

    /// A point of the frame of a core in the frame of 1.
    pub fn common(&self, body: usize, point: &Vec3) -> Vec3 {
        if body == 0 {
            *point
        } else {
            self.frame.position + self.frame.rotation * point
        }
    }

    /// The points of the strata of a guess, each in the frame of its core.
    pub fn points(&self, guess: &Guess) -> [Vec3; 2] {
        let d = directions(&self.frame, &guess.point.normal);
        [0, 1].map(|i| {
            let element = guess.parts[i].element(self.cores[i]);
            element.support(&d[i], guess.point.parameters[i]).x
        })
    }

    /// A guess from a normal and corners of the Minkowski difference whose weighted sum is near to
    /// its nearest point.
    pub fn guess(&self, normal: &Vec3, corners: &[Corner], weights: &[f64]) -> Guess {
        let mut points = [Vec3::zeros(); 2];
        for (corner, weight) in corners.iter().zip(weights) {
            points[0] += corner.point_1 * *weight;
            points[1] += (corner.point_1 + corner.difference) * *weight;
        }
        let d = directions(&self.frame, normal);
        let mut guess = Guess {
            parts: [Part::corner(0); 2],
            point: Point {
                normal: *normal,
                parameters: [0.0; 2],
            },
        };
        for body in 0..2 {
            let x = self.local(body, &points[body]);
            let part = match self.cores[body] {
                Core::Hull(hull) => Part::through(
                    hull,
                    corners
                        .iter()
                        .zip(weights)
                        .filter(|(_, weight)| **weight > 0.0)
                        .map(|(corner, _)| corner.vertices[body]),
                    &d[body],
                ),
                core => guessed(core, &d[body], &x),
            };
            guess.parts[body] = part;
            guess.point.parameters[body] = part.element(self.cores[body]).parameter(&x, &d[body]);
        }
        guess
    }
}

/// The stratum that point x near the surface and direction d tell.
fn guessed(core: &Core, d: &Vec3, x: &Vec3) -> Part {
    /// Part of a half length beyond which a point is taken to be at its end.
    const AT_END: f64 = 1.0 - 1e-9;
    /// Part of the radius within which a point is taken to lie in a disc, and the largest sine of
    /// the angle between normals of the two.
    const IN_DISC: (f64, f64) = (0.9, 0.2);
    let end = |v: f64| {
        if v >= AT_END {
            1
        } else if v <= -AT_END {
            -1
        } else {
            0
        }
    };
    let in_disc = |a: f64, b: f64, r: f64, da: f64, db: f64| {
        a.hypot(b) < IN_DISC.0 * r && da.hypot(db) < IN_DISC.1
    };
    let (ends, flat) = match core {
        Core::Segment { half } => ([0, 0, end(x.z / half)], false),
        Core::Box { half } => ([0, 1, 2].map(|i| end(x[i] / half[i])), false),
        Core::Cylinder { radius, half } => {
            let z = end(x.z / half);
            ([0, 0, z], z != 0 && in_disc(x.x, x.y, *radius, d.x, d.y))
        }
        Core::Cone { z, radii } => {
            let z = end((2.0 * x.z - z[0] - z[1]) / (z[1] - z[0]));
            let r = radii[usize::from(z > 0)];
            ([0, 0, z], z != 0 && in_disc(x.x, x.y, r, d.x, d.y))
        }
        Core::Beam {
            half,
            radius,
            half_thickness,
        } => {
            let y = end(x.y / half_thickness);
            let beyond = x.z.abs() - half;
            let flat = y != 0 && in_disc(x.x, beyond.max(0.0), *radius, d.x, d.z);
            ([0, y, end(x.z / half)], flat)
        }
        _ => ([0; 3], false),
    };
    Part::Ends { ends, flat }.settled(core, d)
}

/// The proven answer that a guess leads to; none where the way does not end.
///
/// `upper` is an upper bound of the gap [m] where one is known: a face whose s(n) reaches it needs
/// no other proof.
pub fn settle(pair: &Pair, mut guess: Guess, upper: f64) -> Option<Found> {
    for _ in 0..MOST_MOVES {
        let elements = [0, 1].map(|i| guess.parts[i].element(pair.cores[i]));
        let face = elements
            .iter()
            .position(|element| matches!(element, Element::Face { .. }));
        if let Some(body) = face {
            if let Some(found) = proven_face(pair, &guess, body, &elements[body], upper) {
                return Some(found);
            }
            match over_face(pair, &mut guess, body, &elements[body]) {
                Over::Inside => {
                    let gap = pair.separation(&guess.point.normal);
                    return gap.is_finite().then_some(Found { guess, gap });
                }
                Over::Outside => continue,
                Over::Lost => return None,
            }
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
            // Written so that NaN is no proof.
            return ((slope.gap - gap).abs() <= ROUNDING * pair.size)
                .then_some(Found { guess, gap });
        }
    }
    None
}

/// Whether both strata are single points.
pub fn both_points(elements: &[Element; 2]) -> bool {
    elements
        .iter()
        .all(|element| matches!(element, Element::Line { long: false, r, .. } if *r == 0.0))
}

/// Normal from 1 to 2 of a face of a core, frame of 1.
fn face_normal(pair: &Pair, body: usize, normal: &Vec3) -> Vec3 {
    if body == 0 {
        *normal
    } else {
        -(pair.frame.rotation * normal)
    }
}

/// The face as the answer, where s(n) reaches the upper bound.
fn proven_face(
    pair: &Pair,
    guess: &Guess,
    body: usize,
    face: &Element,
    upper: f64,
) -> Option<Found> {
    let Element::Face { normal, .. } = face else {
        return None;
    };
    let mut guess = *guess;
    guess.point.normal = face_normal(pair, body, normal);
    let gap = pair.separation(&guess.point.normal);
    (gap >= upper - ROUNDING * pair.size).then_some(Found { guess, gap })
}

/// The face of either core to which the normal of a guess is normal, where s(n) reaches the upper
/// bound.
pub fn face_at(pair: &Pair, guess: &Guess, upper: f64) -> Option<Found> {
    let d = directions(&pair.frame, &guess.point.normal);
    for (body, d) in d.iter().enumerate() {
        let part = Part::farthest(pair.cores[body], d, NEARLY_PARALLEL);
        let mut guess = *guess;
        guess.parts[body] = part;
        let element = part.element(pair.cores[body]);
        if let Some(found) = proven_face(pair, &guess, body, &element, upper) {
            return Some(found);
        }
    }
    None
}

/// What [`over_face`] did.
enum Over {
    /// The other core's nearest point lies over the face.
    Inside,
    /// It does not; the guess has a neighbour of the face now.
    Outside,
    /// The face is none.
    Lost,
}

/// A face of one core and the point of the other nearest to it.
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
    // The other's nearest point, where it has several the one nearest to the middle of the face.
    if let (Core::Hull(hull), Part::Corners { corners, .. }) = (pair.cores[body], guess.parts[body])
        && let Some(part) = farther_face(hull, &corners, &d[body], pair, &guess.parts[other], other)
    {
        guess.parts[body] = part;
        return Over::Outside;
    }
    let middle = pair.local(
        other,
        &pair.common(body, &middle(pair.cores[body], q, normal)),
    );
    let element = part.element(core);
    let y = nearest_of(core, &part, &element, &d[other], &middle);
    guess.point.parameters[other] = element.parameter(&y, &d[other]);
    let y = pair.common(other, &y);
    let local = pair.local(body, &y);
    match exit(pair.cores[body], &guess.parts[body], &local) {
        None => Over::Inside,
        Some(part) => {
            guess.parts[body] = part;
            guess.point.parameters[body] =
                part.element(pair.cores[body]).parameter(&local, &d[body]);
            if let Part::Ends { flat: true, ends } = guess.parts[other] {
                // The two faces do not meet: the rim of the other.
                let rim = Part::Ends { ends, flat: false };
                guess.parts[other] = rim;
                let y = pair.local(other, &y);
                guess.point.parameters[other] = rim.element(core).parameter(&y, &d[other]);
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
    part: &Part,
    other: usize,
) -> Option<Part> {
    let best = hull.farthest(d) as u32;
    let at = |i: u32| hull.vertices().get(i as usize).copied();
    let (v, triangle) = (at(best)?, corners.map(at));
    if v.dot(d) <= triangle[0]?.dot(d) + ROUNDING * pair.size || corners.contains(&best) {
        return None;
    }
    let body = 1 - other;
    let element = part.element(pair.cores[other]);
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
            return Some(Part::through(
                hull,
                [corners[side], corners[next], best].into_iter(),
                d,
            ));
        }
    }
    Some(Part::corner(best as usize))
}

/// The farthest stratum along d; of a polyhedron the known one where it is as far as any.
fn farthest_near(core: &Core, d: &Vec3, known: &Part, size: f64) -> Part {
    let part = Part::farthest(core, d, PARALLEL);
    if let (Core::Hull(hull), Part::Corners { corners, count }) = (core, known) {
        let lowest = height(core, d) - ROUNDING * size;
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
fn nearest_of(core: &Core, part: &Part, element: &Element, d: &Vec3, to: &Vec3) -> Vec3 {
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
        match exit(core, part, &y) {
            None => break,
            Some(part) => {
                let border = part.element(core);
                y = border.support(d, border.parameter(&y, d)).x;
                if let Part::Ends { ends, .. } = part
                    && let Core::Box { half } = core
                {
                    y = Vec3::from_fn(|i, _| {
                        if ends[i] == 0 {
                            to[i].clamp(-half[i], half[i])
                        } else {
                            f64::from(ends[i]) * half[i]
                        }
                    });
                    break;
                }
            }
        }
    }
    y
}

/// Angle of the point of a circle farthest along d; none where d is normal to its plane.
fn farthest_angle(d: &Vec3, axis: usize) -> Option<f64> {
    let (a, b) = (d[(axis + 1) % 3], d[(axis + 2) % 3]);
    (a.hypot(b) > PARALLEL).then(|| b.atan2(a))
}

/// The neighbour of a face over which a point lies that is not over the face; none where it is.
fn exit(core: &Core, part: &Part, y: &Vec3) -> Option<Part> {
    let beyond = |v: f64, half: f64| {
        if v.abs() <= half * (1.0 + INSIDE) {
            0
        } else if v < 0.0 {
            -1
        } else {
            1
        }
    };
    let new = match (core, part) {
        (Core::Box { half }, Part::Ends { ends, .. }) => {
            let mut new = *part;
            for axis in 0..3 {
                if ends[axis] == 0 {
                    new = new.with_end(axis, beyond(y[axis], half[axis]));
                }
            }
            new
        }
        (Core::Cylinder { radius, .. }, _) => part.with_flat(beyond(y.x.hypot(y.y), *radius) == 0),
        (Core::Cone { radii, .. }, Part::Ends { ends, .. }) => {
            let radius = radii[usize::from(ends[2] > 0)];
            part.with_flat(beyond(y.x.hypot(y.y), radius) == 0)
        }
        (
            Core::Beam {
                half,
                radius,
                half_thickness,
            },
            Part::Ends { flat, .. },
        ) => {
            if *flat {
                let over = y.z.abs() - half;
                let out = if over <= 0.0 {
                    y.x.abs()
                } else {
                    y.x.hypot(over)
                };
                if beyond(out, *radius) == 0 {
                    *part
                } else {
                    let side = if over <= 0.0 { beyond(y.x, *radius) } else { 0 };
                    part.with_flat(false)
                        .with_end(0, side)
                        .with_end(2, beyond(y.z, *half))
                }
            } else {
                part.with_end(1, beyond(y.y, *half_thickness))
                    .with_end(2, beyond(y.z, *half))
            }
        }
        (Core::Hull(hull), Part::Corners { corners, .. }) => {
            let [a, b, c] = corners.map(|i| hull.vertices().get(i as usize).copied());
            let (Some(a), Some(b), Some(c)) = (a, b, c) else {
                return None;
            };
            let normal = (b - a).cross(&(c - a));
            // The side that the point is farthest beyond, in parts of the triangle's area.
            let mut worst = -INSIDE * normal.norm_squared();
            let mut new = *part;
            let sides = [(a, b, [0, 1, 2]), (b, c, [1, 2, 0]), (c, a, [2, 0, 1])];
            for (p, q, order) in sides {
                let area = (q - p).cross(&(y - p)).dot(&normal);
                if area < worst {
                    worst = area;
                    new = Part::Corners {
                        corners: order.map(|i| corners[i]),
                        count: 2,
                    };
                }
            }
            new
        }
        _ => *part,
    };
    (new != *part).then_some(new)
}

/// Replaces the stratum of a core where its stationary point lies beyond an end, or where another
/// part of the core is farther out. None where a polyhedron repeats itself.
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
        (Core::Hull(hull), Part::Corners { corners, count }) => {
            let best = hull.farthest(d) as u32;
            let farthest = hull.vertices().get(best as usize)?.dot(d);
            let here = hull.vertices().get(corners[0] as usize)?.dot(d);
            if past != 0 {
                new = Part::corner(corners[usize::from(past > 0)] as usize);
            } else if farthest > here + ROUNDING * pair.size {
                if corners[..count as usize].contains(&best) {
                    return (count == 2).then_some(());
                }
                let [a, b, _] = corners;
                new = if count == 1 {
                    Part::Corners {
                        corners: [a, best, 0],
                        count: 2,
                    }
                } else {
                    Part::through(hull, [a, b, best].into_iter(), d)
                };
            }
        }
        (_, Part::Ends { ends, .. }) => {
            for axis in segments(core) {
                if ends[axis] == 0 {
                    new = new.with_end(axis, past);
                } else if kink(core, axis, d) * f64::from(ends[axis]) < -PARALLEL {
                    new = new.with_end(axis, 0);
                }
            }
            if circle
                && element.bend_of_parameter(d, element.support(d, p).f) > PARALLEL * pair.size
            {
                // The rim on the far side: the nearest point is inside the disc.
                new = new.with_flat(true);
            }
            if matches!(core, Core::Beam { .. })
                && ends[1] != 0
                && d.x * f64::from(ends[0]) < -PARALLEL
            {
                // The same for a straight edge.
                new = new.with_flat(true);
            }
            new = new.settled(core, d);
        }
        _ => {}
    }
    if new != part {
        guess.parts[body] = new;
        let x = element.support(d, p).x;
        guess.point.parameters[body] = new.element(core).parameter(&x, d);
    }
    Some(())
}
