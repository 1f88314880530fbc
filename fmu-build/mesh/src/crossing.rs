//! Where a closed surface crosses itself.
//!
//! Two triangles cross where each of them reaches from one side of the other's plane to the other, and the
//! segments in which they meet these planes, both on the line of the planes, have a part in common [Möller
//! 1997]. Inside of a plane is what lies farther below it than the tolerance; what lies on it is outside. So
//! parts that only touch, with faces, edges or corners, do not cross, and a face that enters through an edge
//! is found with the triangle on one side of that edge. Triangles with a common edge are not compared.
//!
//! [Möller 1997] Möller: A Fast Triangle-Triangle Intersection Test, Journal of Graphics Tools 2.

use super::boxes::Boxes;
use super::hull::{Surface, bounds, normal};
use super::repair::{JOIN, components};
use contact_geometry::math::Vec3;
use std::collections::BTreeSet;

/// Triangles of a surface that cross others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of components that cross one another; 0 if each crosses itself only.
    pub solids: usize,
    /// A point where two of them cross [m].
    pub at: Vec3,
}

/// Plane normal . x = offset.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plane {
    normal: Vec3,
    offset: f64,
}

impl Plane {
    fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// `None` if no triangles cross deeper than the tolerance by which vertices are joined.
pub(crate) fn crossing(surface: &Surface) -> Option<Crossing> {
    let reach = JOIN * surface.largest();
    let corners: Vec<[Vec3; 3]> = surface
        .triangles
        .iter()
        .map(|t| surface.corners(t))
        .collect();
    let plane = |[a, b, c]: &[Vec3; 3]| {
        let normal = normal(a, b, c).normalize();
        let offset = normal.dot(a);
        Plane { normal, offset }
    };
    let planes: Vec<Plane> = corners.iter().map(plane).collect();
    let boxes = |index: usize| <[Vec3; 2]>::from(bounds(&corners[index]));
    let tree = Boxes::new((0..corners.len()).map(boxes));
    let mut crosses = vec![false; corners.len()];
    let of = components(&surface.triangles);
    let mut solids = BTreeSet::new();
    let mut first = None;
    for one in 0..corners.len() {
        let mut found: Option<(usize, Vec3)> = None;
        tree.visit(boxes(one), |two| {
            let [a, b] = [one, two].map(|index| &surface.triangles[index]);
            if two <= one || a.iter().filter(|vertex| b.contains(vertex)).count() > 1 {
                return;
            }
            let segments = [(one, two), (two, one)]
                .map(|(of, with)| section(&corners[of], &planes[with], reach));
            let [Some(a), Some(b)] = segments else {
                return;
            };
            let line = planes[one].normal.cross(&planes[two].normal);
            if let Some(at) = common(a, b, &line, reach) {
                (crosses[one], crosses[two]) = (true, true);
                if of[one] != of[two] {
                    solids.extend([of[one], of[two]]);
                }
                if found.is_none_or(|(before, _)| two < before) {
                    found = Some((two, at));
                }
            }
        });
        first = first.or(found);
    }
    first.map(|(_, at)| Crossing {
        triangles: crosses.iter().filter(|crosses| **crosses).count(),
        solids: solids.len(),
        at,
    })
}

/// Segment of a triangle on a plane; `None` if it does not reach below it.
fn section(corners: &[Vec3; 3], plane: &Plane, reach: f64) -> Option<[Vec3; 2]> {
    let heights = corners.map(|corner| match plane.height(&corner) {
        below if below < -reach => below,
        above => above.max(0.0),
    });
    let sides = [(0, 1), (1, 2), (2, 0)].into_iter();
    let mut ends = sides
        .filter(|(from, to)| (heights[*from] < 0.0) != (heights[*to] < 0.0))
        .map(|(from, to)| {
            let share = heights[from] / (heights[from] - heights[to]);
            corners[from] + (corners[to] - corners[from]) * share
        });
    Some([ends.next()?, ends.next()?])
}

/// Middle of the common part of two segments on a line; `None` if it is no longer than the tolerance.
fn common(one: [Vec3; 2], two: [Vec3; 2], line: &Vec3, reach: f64) -> Option<Vec3> {
    let line = line.normalize();
    let [one, two] = [one, two].map(|[a, b]| {
        if line.dot(&a) <= line.dot(&b) {
            [a, b]
        } else {
            [b, a]
        }
    });
    let [lower, upper] = [0, 1].map(|end| [one, two].map(|ends| line.dot(&ends[end])));
    let (from, to) = (lower[0].max(lower[1]), upper[0].min(upper[1]));
    if to - from <= reach {
        return None;
    }
    // Where two planes nearly agree, the segments need not lie on their line.
    let middle = 0.5 * (from + to);
    let [a, b] =
        [one, two].map(|[a, b]| a + (b - a) * ((middle - line.dot(&a)) / line.dot(&(b - a))));
    ((a - b).norm() <= 2.0 * reach).then_some((a + b) * 0.5)
}
