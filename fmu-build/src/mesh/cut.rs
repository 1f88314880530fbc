//! Cuts a closed surface by a plane into two closed surfaces.
//!
//! Every vertex is below, above or, within a tolerance, on the plane; this decides all the rest, so
//! neighbours always agree. Triangles with vertices on both sides are split, at the same point for
//! both triangles of an edge. Triangles in the plane go with the solid that they bound. The edges
//! left without a partner lie in the plane and run around the face of the cut, which is cut into
//! triangles and closes both sides.

use super::hull::{Surface, normal};
use super::polygon;
use contact_geometry::math::Vec3;
use std::collections::BTreeMap;

/// Relative difference [1] between the volume of a surface and that of its two parts above which a
/// cut is not used: the surface cuts through itself there.
const VOLUME_ERROR: f64 = 1e-6;

/// A plane: the points x with normal . x = offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vec3,
    /// Distance from the origin along the normal [m].
    pub offset: f64,
}

impl Plane {
    /// Distance of a point above the plane.
    pub fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Which side each vertex is on: -1 below, 1 above, 0 on the plane within the tolerance.
    pub fn sides(&self, vertices: &[Vec3], tolerance: f64) -> Vec<i8> {
        let side = |vertex| match self.height(vertex) {
            height if height > tolerance => 1,
            height if height < -tolerance => -1,
            _ => 0,
        };
        vertices.iter().map(side).collect()
    }

    /// Where the plane meets an edge whose ends are on different sides.
    pub fn meet(&self, one: &Vec3, two: &Vec3) -> Vec3 {
        let (from, to) = (self.height(one), self.height(two));
        one + (two - one) * (from / (from - to))
    }
}

/// The parts below and above a plane; none where the plane does not cut the solid in two, or the
/// face of the cut is not a polygon.
pub fn cut(surface: &Surface, plane: &Plane, tolerance: f64) -> Option<(Surface, Surface)> {
    let side = plane.sides(&surface.vertices, tolerance);
    if !side.contains(&1) || !side.contains(&-1) {
        return None;
    }
    let mut vertices = surface.vertices.clone();
    let mut meets: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut below: Vec<[u32; 3]> = Vec::new();
    let mut above: Vec<[u32; 3]> = Vec::new();
    for triangle in &surface.triangles {
        let sides = triangle.map(|v| side[v as usize]);
        match (sides.contains(&-1), sides.contains(&1)) {
            (true, false) => below.push(*triangle),
            (false, true) => above.push(*triangle),
            (false, false) => {
                let [a, b, c] = surface.corners(triangle);
                match normal(&a, &b, &c).dot(&plane.normal) > 0.0 {
                    true => below.push(*triangle),
                    false => above.push(*triangle),
                }
            }
            (true, true) => {
                let (mut low, mut high) = (Vec::new(), Vec::new());
                for k in 0..3 {
                    let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
                    if sides[k] <= 0 {
                        low.push(from);
                    }
                    if sides[k] >= 0 {
                        high.push(from);
                    }
                    if sides[k] * sides[(k + 1) % 3] < 0 {
                        let edge = (from.min(to), from.max(to));
                        let point = *meets.entry(edge).or_insert_with(|| {
                            let ends = [edge.0, edge.1].map(|v| surface.vertices[v as usize]);
                            vertices.push(plane.meet(&ends[0], &ends[1]));
                            vertices.len() as u32 - 1
                        });
                        low.push(point);
                        high.push(point);
                    }
                }
                fan(&vertices, &low, &mut below);
                fan(&vertices, &high, &mut above);
            }
        }
    }
    // The face of the cut runs against the open edges of the lower part.
    let open = open_edges(&below);
    if open.is_empty() {
        return None;
    }
    let face = polygon::triangulate(&vertices, &open, &plane.normal).ok()?;
    above.extend(face.iter().map(|[a, b, c]| [*a, *c, *b]));
    below.extend(face);
    let [below, above] = [below, above].map(|triangles| compact(&vertices, &triangles));
    let (whole, low, high) = (surface.volume(), below.volume(), above.volume());
    let good = low > 0.0 && high > 0.0 && (low + high - whole).abs() <= VOLUME_ERROR * whole;
    good.then_some((below, above))
}

/// Triangles of a convex polygon of three or four corners, by the shorter diagonal.
fn fan(vertices: &[Vec3], polygon: &[u32], triangles: &mut Vec<[u32; 3]>) {
    match *polygon {
        [a, b, c] => triangles.push([a, b, c]),
        [a, b, c, d] => {
            let length = |one: u32, two: u32| {
                (vertices[one as usize] - vertices[two as usize]).norm_squared()
            };
            match length(a, c) <= length(b, d) {
                true => triangles.extend([[a, b, c], [a, c, d]]),
                false => triangles.extend([[a, b, d], [b, c, d]]),
            }
        }
        _ => {}
    }
}

/// The edges that are run through more often one way than back, backwards, as often as that.
fn open_edges(triangles: &[[u32; 3]]) -> Vec<(u32, u32)> {
    let mut balance: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    for [a, b, c] in triangles {
        for (from, to) in [(*a, *b), (*b, *c), (*c, *a)] {
            *balance.entry((from.min(to), from.max(to))).or_insert(0) +=
                if from < to { 1 } else { -1 };
        }
    }
    let mut open = Vec::new();
    for ((one, two), count) in balance {
        let edge = if count > 0 { (two, one) } else { (one, two) };
        open.extend((0..count.abs()).map(|_| edge));
    }
    open
}

/// Triangles with the vertices they name only, in the order of the vertices.
pub fn compact(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Surface {
    let mut numbers = vec![u32::MAX; vertices.len()];
    for vertex in triangles.iter().flatten() {
        numbers[*vertex as usize] = 0;
    }
    let mut kept = Vec::new();
    for (number, vertex) in numbers.iter_mut().zip(vertices) {
        if *number == 0 {
            *number = kept.len() as u32;
            kept.push(*vertex);
        }
    }
    let triangles = triangles.iter().map(|t| t.map(|v| numbers[v as usize]));
    Surface {
        triangles: triangles.collect(),
        vertices: kept,
    }
}
