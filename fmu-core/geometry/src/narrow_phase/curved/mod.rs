//! Two cores, at least one curved.
//!
//! 1. A short search by simplices ([`gjk`]) gives a normal and points to some percent; where the cores
//!    overlap, an expanding polytope ([`expand`]) does.
//! 2. These give a pair of strata ([`Stratum`]: vertex, edge, face, rim, lateral, ellipsoid). Newton's method
//!    ([`newton`]) finds its stationary point to rounding, and [`search`] continues with neighbouring strata
//!    until the entire cores prove the solution.
//! 3. Without proof, 1 continues to a tighter tolerance. If there is none in the end (two sharp edges that
//!    touch to rounding), the normal of 1 is the result: its s(n) is never more than the gap.
//! 4. [`solve`] takes one more step in any scalar, and [`contact`] gives the contact point.
//!
//! The warm start is tried first. It is taken where these cores have its strata and it is proven from both
//! sides, for overlapping cores if it is also proven to be the minimum translation ([`search`]); else the
//! search starts from scratch, so a warm start never changes the result.
//!
//! For overlapping cores the polytope decides between translations; differences below 1e-7 of the depth count
//! as equal. Where several are exactly equal (coaxial cylinders, concentric ellipsoids) the gap is unique and
//! the normal that of the first in the fixed order of the search.

pub(super) mod beside;
mod contact;
mod newton;
mod search;

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::expand;
use crate::narrow_phase::gjk::{self, Difference, NO_VERTEX, Support};
use crate::narrow_phase::proximity::Proximity;
use crate::shapes::strata::{Element, Stratum};
use crate::shapes::{Core, RoundedShape};
use contact::contact_point;
use newton::{Frame, StationaryPoint};
use search::{
    Found, Guess, Pair, ROUNDING, best_beside, both_points, face_at, has_points, is_shortest,
    settle,
};
use serde::{Deserialize, Serialize};

/// Feature pair: the nearest strata of two cores and their stationary point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StratumPair {
    parts: [Stratum; 2],
    /// Unit normal from 1 to 2, frame of core 1.
    normal: [f64; 3],
    parameters: [f64; 2],
}

impl StratumPair {
    fn guess(&self) -> Guess {
        Guess {
            parts: self.parts,
            point: StationaryPoint {
                normal: Vec3::from(self.normal),
                parameters: self.parameters,
            },
        }
    }
}

/// Core as a set of the distance search.
struct Entire<'a>(&'a Core);

impl Support for Entire<'_> {
    #[inline(always)]
    fn farthest(&self, direction: &Vec3, near: u32) -> (Vec3, u32) {
        match self.0 {
            Core::Hull(hull) => Support::farthest(hull.as_ref(), direction, near),
            core => (core.support(direction), NO_VERTEX),
        }
    }
}

/// Angle [rad] within which a face whose normal is close to the normal of a tight simplex is tried.
const NEARLY_PARALLEL: f64 = 1e-6;
/// Relative distances between the bounds at which the search by simplices hands over to the strata; the first
/// suffices nearly always.
const HAND_OVER: [f64; 3] = [3e-2, 1e-4, 0.0];
/// [`HAND_OVER`] for overlapping cores.
const HAND_OVER_INSIDE: [f64; 2] = [1e-2, 1e-7];
pub(super) fn nearest(
    a: &Core,
    pose_a: &Pose,
    b: &Core,
    pose_b: &Pose,
    last: Option<&StratumPair>,
) -> StratumPair {
    let relative = gjk::relative_pose(pose_a, pose_b);
    let [extent_a, extent_b] = [a, b].map(|core| core.solid().largest_coordinate());
    let pair = Pair {
        cores: [a, b],
        size: relative.position.amax() + extent_a + extent_b,
        frame: Frame {
            position: relative.position,
            rotation: relative.rotation,
        },
    };
    if let Some(last) = last
        && [0, 1]
            .iter()
            .all(|i| pair.cores[*i].solid().has(&last.parts[*i]))
        && let Some(found) = settle(&pair, last.guess(), f64::INFINITY)
        && has_points(&pair, &found)
        && (found.gap > ROUNDING * pair.size || is_shortest(&pair, &found))
    {
        return parts(&found.guess);
    }
    search_from_nothing(&pair, relative)
}

fn search_from_nothing(pair: &Pair, pose: Pose) -> StratumPair {
    let (set_1, set_2) = (Entire(pair.cores[0]), Entire(pair.cores[1]));
    let sets = Difference {
        set_1: &set_1,
        set_2: &set_2,
        pose,
    };
    let mut simplex = None;
    let mut best = None;
    let mut normal = Vec3::x();
    for tolerance in HAND_OVER {
        let start = simplex.as_ref().map_or(&[][..], gjk::Simplex::corners);
        let nearest = gjk::distance(&sets, start, &pair.frame.position, tolerance);
        // A single corner in the origin is no measure of its own rounding.
        if nearest.overlapping || nearest.vector.norm() <= ROUNDING * pair.size {
            return overlapping(pair, &sets, nearest.simplex.corners());
        }
        let length = nearest.vector.norm();
        normal = nearest.vector / length;
        let (corners, weights) = (nearest.simplex.corners(), nearest.simplex.weights());
        let guess = pair.guess(&normal, corners, weights);
        if let Some(found) =
            settle(pair, guess, length).or_else(|| face_at(pair, &guess, length, NEARLY_PARALLEL))
            && found.gap >= nearest.lower_bound - ROUNDING * pair.size
        {
            return parts(&found.guess);
        }
        if tolerance == 0.0 {
            best = best_beside(pair, &guess, length, None);
        }
        simplex = Some(nearest.simplex);
    }
    better(pair, best, &normal)
}

/// Strata of the minimum translation of overlapping cores.
fn overlapping(
    pair: &Pair,
    sets: &Difference<Entire, Entire>,
    start: &[gjk::Corner],
) -> StratumPair {
    let mut best: Option<Found> = None;
    let mut normal = Vec3::x();
    for tolerance in HAND_OVER_INSIDE {
        let facet = expand::nearest_facet(sets, start, tolerance);
        normal = facet.normal;
        let guess = pair.guess(&facet.normal, &facet.corners, &facet.weights);
        let found = settle(pair, guess, facet.offset)
            .or_else(|| face_at(pair, &guess, facet.offset, NEARLY_PARALLEL))
            .filter(|found| found.gap >= pair.separation(&normal) - ROUNDING * pair.size);
        if let Some(found) = found {
            if is_shortest(pair, &found) {
                return parts(&found.guess);
            }
            if best.is_none_or(|best| found.gap > best.gap) {
                best = Some(found);
            }
        }
        if tolerance == HAND_OVER_INSIDE[1] {
            best = best_beside(pair, &guess, facet.offset, best);
        }
    }
    better(pair, best, &normal)
}

/// Solution by strata, or the normal of the search by simplices where its gap is larger.
fn better(pair: &Pair, best: Option<Found>, normal: &Vec3) -> StratumPair {
    match best {
        Some(found) if found.gap >= pair.separation(normal) - ROUNDING * pair.size => {
            parts(&found.guess)
        }
        _ => unproven(pair, normal),
    }
}

/// The best normal that the search by simplices found, where no strata are proven.
///
/// It is rarely exact: where two sharp edges touch, it is off the right angle to them by the rounding of a
/// small simplex. It is made perpendicular where that raises s(n).
fn unproven(pair: &Pair, normal: &Vec3) -> StratumPair {
    #[cfg(test)]
    FALLBACKS.set(FALLBACKS.get() + 1);
    let mut normal = *normal;
    let mut gap = pair.separation(&normal);
    for body in 0..2 {
        for axis in pair.cores[body].solid().segments() {
            let mut u = Vec3::zeros();
            u[axis] = 1.0;
            if body == 1 {
                u = pair.frame.rotation * u;
            }
            let across = (normal - u * normal.dot(&u)).normalize();
            let raised = pair.separation(&across);
            if raised > gap {
                (normal, gap) = (across, raised);
            }
        }
    }
    StratumPair {
        parts: [Stratum::Entire; 2],
        normal: normal.into(),
        parameters: [0.0; 2],
    }
}

#[cfg(test)]
thread_local! {
    static FALLBACKS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

fn parts(guess: &Guess) -> StratumPair {
    StratumPair {
        parts: guess.parts,
        normal: guess.point.normal.into(),
        parameters: guess.point.parameters,
    }
}

/// Gap, normal and points of the strata's closed conditions, one step from the stationary point; see
/// [`newton`] and [`contact`].
pub(super) fn solve<T: Real>(
    a: &RoundedShape,
    pose_a: &Pose<T>,
    b: &RoundedShape,
    pose_b: &Pose<T>,
    parts: &StratumPair,
) -> Proximity<T> {
    let cores = [&a.core, &b.core];
    let frame = Frame {
        position: pose_a.rotation.tr_mul(&(pose_b.position - pose_a.position)),
        rotation: pose_a.rotation.tr_mul(&pose_b.rotation),
    };
    let Conditions {
        normal,
        gap,
        height,
        point,
    } = conditions(cores, &frame, parts);
    let point = contact_point(cores, &frame, &normal, point);
    // Into the plane through the farthest points of 1.
    let point = point + normal * (height - normal.dot(&point));
    let normal_w = pose_a.rotation * normal;
    let gap = gap - (a.radius + b.radius);
    let point_1 = pose_a.position + pose_a.rotation * point + normal_w * T::from(a.radius);
    Proximity {
        gap,
        normal_w,
        points_w: [point_1, point_1 + normal_w * gap],
    }
}

/// Solution of the closed conditions, frame of core 1.
struct Conditions<T: Real> {
    normal: Vec3<T>,
    gap: T,
    /// h1(n) [m].
    height: T,
    /// Point of core 1, or one over its face [m]; `None` where the strata have none.
    point: Option<Vec3<T>>,
}

fn conditions<T: Real>(cores: [&Core; 2], frame: &Frame<T>, parts: &StratumPair) -> Conditions<T> {
    let at = StationaryPoint {
        normal: Vec3::from(parts.normal),
        parameters: parts.parameters,
    };
    let elements = [0, 1].map(|i| cores[i].solid().element(&parts.parts[i]));
    if let Some(normal) = fixed_normal(frame, parts, &elements) {
        let [d1, d2] = newton::directions(frame, &normal);
        let height_1 = cores[0].support_function(&d1);
        // The point of the other over the face.
        let point = match (parts.parts[0], &elements) {
            (Stratum::Entire, _) | (_, [Element::Face { .. }, Element::Face { .. }]) => None,
            (_, [Element::Face { .. }, other]) => {
                let x = other.farthest(&d2, at.parameters[1]);
                Some(frame.position + frame.rotation * x)
            }
            (_, [other, _]) => Some(other.farthest(&d1, at.parameters[0])),
        };
        return Conditions {
            normal,
            gap: normal.dot(&frame.position) - height_1 - cores[1].support_function(&d2),
            height: height_1,
            point,
        };
    }
    let point = if both_points(&elements) {
        newton::between_points(&elements, frame, &at)
    } else {
        newton::polished(&elements, frame, &at)
    };
    let first = elements[0].support(&point.normal, point.parameters[0]);
    Conditions {
        normal: point.normal,
        gap: newton::slope(&elements, frame, &point).gap,
        height: first.f,
        point: Some(first.x),
    }
}

/// Normal given by a face, or the known one where there are no strata.
fn fixed_normal<T: Real>(
    frame: &Frame<T>,
    parts: &StratumPair,
    elements: &[Element; 2],
) -> Option<Vec3<T>> {
    if parts.parts[0] == Stratum::Entire {
        return Some(Vec3::from(parts.normal).map(T::from));
    }
    match elements {
        [Element::Face { normal, .. }, _] => Some(normal.map(T::from)),
        [_, Element::Face { normal, .. }] => Some(-(frame.rotation * normal.map(T::from))),
        _ => None,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/narrow_phase/curved/tests/mod.rs"]
mod tests;
