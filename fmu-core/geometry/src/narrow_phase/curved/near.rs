//! Faces and edges to which a normal is nearly normal.
//!
//! A search by simplices ends at a tolerance, a little off the normal of a face that is the
//! solution, and its corners indicate a smooth stratum beside the face, where no stationary point
//! is. So the faces and edges within some angles of the normal are tried as well. As s(n) of any n
//! is a lower bound of the gap, for overlapping cores too, the largest one is the best.

use crate::math::Vec3;
use crate::narrow_phase::curved::newton::directions;
use crate::narrow_phase::curved::search::{Found, Guess, Pair, settle};
use crate::shapes::strata::Stratum;
use crate::shapes::{Core, Hull};

/// Angles [rad] within which faces and edges are tried.
const ANGLES: [f64; 4] = [3e-2, 1e-3, 1e-5, 1e-7];

/// The best of a known solution and those that the faces and edges beside the normal of a guess
/// lead to; `upper` is an upper bound of the gap [m].
pub fn best_beside(
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

/// The face or edge of a core to which d is normal within an angle, of a polyhedron the triangle
/// over which point x lies.
fn flattest(core: &Core, d: &Vec3, angle: f64, x: &Vec3) -> Option<Stratum> {
    match core {
        Core::Hull(hull) => triangle_below(hull, d, angle, x),
        _ => Some(core.solid().farthest_stratum(d, angle)),
    }
}

/// The triangle that x lies over, of the faces to which d is normal within an angle.
pub fn triangle_below(hull: &Hull, d: &Vec3, angle: f64, x: &Vec3) -> Option<Stratum> {
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
