//! Whether a closed surface is convex, and how far its hull stands out of it.
//!
//! A surface is convex if each vertex lies on the hull, no edge dips below it, and both enclose the same
//! volume, up to 1e-9 of the extent, or to the rounding of a file with single precision. An edge of two
//! triangles dips where it passes below the line between their opposite corners, by the distance of both
//! lines; where it passes that line outside of its ends, a vertex lies below the hull.
//!
//! # Largest distance of a point of the hull from the surface
//!
//! By branch and bound over the triangles of the hull. The distance from the surface changes no faster than
//! the point moves: it is bounded by that at the centroid plus the distance of the farthest corner from there.
//! The distance from one triangle of the surface is convex: it is bounded by that of a corner from the
//! triangle nearest to the centroid. Triangles with a bound above the largest distance found are cut in four.

use super::boxes::Boxes;
use super::hull::{Surface, bounds, distance_to_triangle, extent, normal};
use super::repair::{SINGLE, sides};
use contact_geometry::math::Vec3;

/// Depth below the hull up to which a surface is convex, relative to the extent [1].
const CONVEX: f64 = 1e-9;
/// Relative accuracy of the largest distance [1].
const NEAR: f64 = 0.01;
/// Maximum number of points whose distance is measured; bounds the time.
const POINTS: usize = 30_000;

/// Difference of a concave surface from its hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concavity {
    /// Largest distance of a point of the hull from the surface [m], found to 1 % in most cases.
    pub distance: f64,
    /// Volume of the hull in excess of the surface's [m3].
    pub volume: f64,
    /// The same, as a fraction of the surface's volume [1].
    pub share: f64,
}

/// `None` if a closed surface is convex; `is_single` if its coordinates have single precision.
pub(crate) fn concavity(surface: &Surface, hull: &Surface, is_single: bool) -> Option<Concavity> {
    let rounding = if is_single { SINGLE } else { 0.0 };
    let depth = (CONVEX * extent(&hull.vertices)).max(rounding * surface.largest());
    let own = surface.volume();
    let volume = hull.volume() - own;
    let double_areas = hull.triangles.iter().map(|triangle| {
        let [a, b, c] = hull.corners(triangle);
        normal(&a, &b, &c).norm()
    });
    let is_convex = volume <= 0.5 * depth * double_areas.sum::<f64>()
        && !dips(surface, depth)
        && reaches_hull(surface, hull, depth);
    (!is_convex).then(|| Concavity {
        distance: largest_distance(hull, surface, depth),
        volume: volume.max(0.0),
        share: (volume / own).max(0.0),
    })
}

/// Returns true if an edge dips by more than `depth` [m], or has more than two triangles.
fn dips(surface: &Surface, depth: f64) -> bool {
    let dip = |edge: [u32; 2], triangles: [usize; 2]| {
        let triangles = triangles.map(|index| &surface.triangles[index]);
        let normals = triangles.map(|triangle| {
            let [a, b, c] = surface.corners(triangle);
            normal(&a, &b, &c).normalize()
        });
        let opposite = triangles.map(|triangle| {
            let mut corners = triangle.iter();
            corners.find(|vertex| !edge.contains(vertex)).copied()
        });
        let ([p, q], [Some(a), Some(b)]) = (edge, opposite) else {
            return 0.0;
        };
        let [p, q, a, b] = [p, q, a, b].map(|vertex| surface.vertices[vertex as usize]);
        let (along, across, between) = (q - p, b - a, a - p);
        let up = along.cross(&across);
        let is_between = |share: f64| (0.0..=up.norm_squared()).contains(&share);
        let passes = is_between(between.cross(&across).dot(&up))
            && is_between(between.cross(&along).dot(&up));
        match passes {
            true => between.dot(&up) * up.dot(&(normals[0] + normals[1])).signum() / up.norm(),
            false => 0.0,
        }
    };
    let sides = sides(&surface.triangles);
    let mut edges = sides.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1));
    edges.any(|edge| match *edge {
        [(from, to, one, _), (_, _, two, _)] => dip([from, to], [one, two]) > depth,
        _ => true,
    })
}

/// Returns true if no vertex is deeper than `depth` [m] below the hull.
fn reaches_hull(surface: &Surface, hull: &Surface, depth: f64) -> bool {
    let faces = Nearest::new(hull);
    surface.vertices.iter().all(|vertex| {
        let (_, [a, b, c]) = faces.find(vertex);
        let normal = normal(&a, &b, &c);
        normal.dot(&(vertex - a)) >= -depth * normal.norm()
    })
}

/// Largest distance of a point of one surface from another [m]; up to `least` [m] it is zero.
fn largest_distance(of: &Surface, from: &Surface, least: f64) -> f64 {
    let from = Nearest::new(from);
    let mut triangles: Vec<[Vec3; 3]> = of.triangles.iter().map(|t| of.corners(t)).collect();
    let (mut largest, mut left) = (0.0_f64, POINTS);
    while !triangles.is_empty() {
        let measured = triangles.iter().map(|corners| {
            let middle = corners.iter().sum::<Vec3>() / 3.0;
            let (distance, [a, b, c]) = from.find(&middle);
            let most =
                |measure: &dyn Fn(&Vec3) -> f64| corners.iter().map(measure).fold(0.0, f64::max);
            let moved = distance + most(&|corner| (corner - middle).norm());
            let bound = moved.min(most(&|corner| distance_to_triangle(corner, &a, &b, &c)));
            (distance, bound)
        });
        let measured: Vec<(f64, f64)> = measured.collect();
        largest = measured.iter().fold(largest, |most, (d, _)| most.max(*d));
        let enough = least.max((1.0 + NEAR) * largest);
        let open = triangles.iter().zip(&measured);
        let open = open.filter(|(_, (_, bound))| *bound > enough);
        triangles = open.flat_map(|(corners, _)| quarters(corners)).collect();
        match left.checked_sub(triangles.len()) {
            Some(rest) => left = rest,
            None => break,
        }
    }
    if largest > least { largest } else { 0.0 }
}

fn quarters([a, b, c]: &[Vec3; 3]) -> [[Vec3; 3]; 4] {
    let [ab, bc, ca] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
    [[*a, ab, ca], [ab, *b, bc], [ca, bc, *c], [ab, bc, ca]]
}

/// Triangles of a surface, for distances.
struct Nearest {
    triangles: Vec<[Vec3; 3]>,
    boxes: Boxes,
}

impl Nearest {
    fn new(surface: &Surface) -> Nearest {
        let triangles = surface.triangles.iter().map(|t| surface.corners(t));
        let triangles: Vec<[Vec3; 3]> = triangles.collect();
        let boxes = triangles.iter().map(|corners| bounds(corners).into());
        Nearest {
            boxes: Boxes::new(boxes),
            triangles,
        }
    }

    /// Distance of a point from the nearest triangle [m], and that triangle.
    fn find(&self, point: &Vec3) -> (f64, [Vec3; 3]) {
        let distance = |index: usize| {
            let [a, b, c] = &self.triangles[index];
            distance_to_triangle(point, a, b, c)
        };
        let (index, distance) = self.boxes.nearest(point, distance);
        (distance, self.triangles[index])
    }
}
