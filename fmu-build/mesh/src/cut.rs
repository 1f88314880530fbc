//! Cuts a closed surface by a plane into two closed surfaces.
//!
//! Every vertex is below, above or, within a tolerance, on the plane; this decides everything else, so
//! neighbours always agree. Triangles with vertices on both sides are split, at the same point for both
//! triangles of an edge. Triangles in the plane belong to the solid that they bound. The edges left without a
//! partner lie in the plane and bound the face of the cut, which is triangulated and closes both sides.
//!
//! # Triangulation of plane polygons, with holes or in several pieces
//!
//! The polygon is the region enclosed counter-clockwise by its directed sides, seen against the normal.
//! Projected along the axis nearest to the normal, coordinates are unchanged; the constrained Delaunay
//! triangulation of the sides [crate spade, exact predicates] divides the region into triangles, whose
//! winding numbers, found by crossing sides from outside, decide which belong to it.

use super::hull::{Surface, compact, normal};
use contact_geometry::math::Vec3;
use spade::handles::{FixedFaceHandle, InnerTag};
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};
use std::collections::BTreeMap;

/// Relative difference [1] between the volume of a surface and that of its two parts above which a cut is
/// rejected: the surface intersects itself there.
const VOLUME_ERROR: f64 = 1e-6;

/// Plane normal . x = offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    pub(crate) normal: Vec3,
    pub offset: f64,
}

impl Plane {
    pub(crate) fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Side of each vertex: -1 below, 1 above, 0 on the plane within the tolerance.
    pub(crate) fn sides(&self, vertices: &[Vec3], tolerance: f64) -> Vec<i8> {
        let side = |vertex| match self.height(vertex) {
            height if height > tolerance => 1,
            height if height < -tolerance => -1,
            _ => 0,
        };
        vertices.iter().map(side).collect()
    }

    /// Intersection with an edge whose ends are on different sides.
    pub(crate) fn meet(&self, one: &Vec3, two: &Vec3) -> Vec3 {
        let (from, to) = (self.height(one), self.height(two));
        one + (two - one) * (from / (from - to))
    }
}

/// Parts below and above a plane; `None` if the plane does not cut the solid in two, or the face of the cut
/// is not a polygon.
pub(crate) fn cut(surface: &Surface, plane: &Plane, tolerance: f64) -> Option<(Surface, Surface)> {
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
    let face = triangulate(&vertices, &open, &plane.normal).ok()?;
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

/// Reversed unmatched edges, each as often as it is unmatched.
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

struct Corner {
    position: Point2<f64>,
    vertex: u32,
}

impl HasPosition for Corner {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.position
    }
}

/// Triangles between vertices of `sides`, counter-clockwise about `normal` (of any length).
///
/// # Errors
/// Text to follow the name of the polygon: intersecting sides, a region enclosed more than once.
pub(crate) fn triangulate(
    vertices: &[Vec3],
    sides: &[(u32, u32)],
    normal: &Vec3,
) -> Result<Vec<[u32; 3]>, String> {
    let axis = normal.iamax();
    let (first, second) = match (axis, normal[axis] < 0.0) {
        (0, false) => (1, 2),
        (0, true) => (2, 1),
        (1, false) => (2, 0),
        (1, true) => (0, 2),
        (_, false) => (0, 1),
        (_, true) => (1, 0),
    };
    if normal[axis] == 0.0 || !normal[axis].is_finite() {
        return Err("has no area".to_owned());
    }
    let mut plane: ConstrainedDelaunayTriangulation<Corner> = Default::default();
    let mut handles = BTreeMap::new();
    for (vertex, _) in sides {
        if handles.contains_key(vertex) {
            continue;
        }
        let p = vertices[*vertex as usize];
        let position = spade::mitigate_underflow(Point2::new(p[first], p[second]));
        let corner = Corner {
            position,
            vertex: *vertex,
        };
        let count = plane.num_vertices();
        let handle = plane
            .insert(corner)
            .map_err(|_| "has a corner beyond all bounds".to_owned())?;
        if plane.num_vertices() == count {
            return Err("has two corners in one place".to_owned());
        }
        handles.insert(*vertex, handle);
    }
    // Turns gained by crossing a side from its right to its left.
    let mut turns = BTreeMap::new();
    for (from, to) in sides {
        let (from, to) = (handles[from], handles[to]);
        if !plane.can_add_constraint(from, to) && !plane.exists_constraint(from, to) {
            return Err("has sides that cross each other".to_owned());
        }
        plane.add_constraint(from, to);
        if !plane.exists_constraint(from, to) {
            return Err("has a corner on another side".to_owned());
        }
        *turns.entry((from, to)).or_insert(0) += 1;
        *turns.entry((to, from)).or_insert(0) -= 1;
    }
    inside(&plane, &turns)
}

type Turns = BTreeMap<
    (
        spade::handles::FixedVertexHandle,
        spade::handles::FixedVertexHandle,
    ),
    i32,
>;

/// Triangles with winding number one.
fn inside(
    plane: &ConstrainedDelaunayTriangulation<Corner>,
    turns: &Turns,
) -> Result<Vec<[u32; 3]>, String> {
    let mut around: BTreeMap<usize, i32> = BTreeMap::new();
    let mut open: Vec<(FixedFaceHandle<InnerTag>, i32)> = Vec::new();
    // From outside to the faces at the border of the triangulation.
    for edge in plane.convex_hull() {
        let inner = edge.rev();
        if let Some(face) = inner.face().as_inner() {
            let gained = turns.get(&(inner.from().fix(), inner.to().fix()));
            open.push((face.fix(), gained.copied().unwrap_or(0)));
        }
    }
    while let Some((face, count)) = open.pop() {
        match around.insert(face.index(), count) {
            Some(before) if before != count => {
                return Err("has sides that do not close".to_owned());
            }
            Some(_) => continue,
            None => {}
        }
        for edge in plane.face(face).adjacent_edges() {
            let beyond = edge.rev();
            if let Some(next) = beyond.face().as_inner() {
                let gained = turns.get(&(beyond.from().fix(), beyond.to().fix()));
                open.push((next.fix(), count + gained.copied().unwrap_or(0)));
            }
        }
    }
    let mut triangles = Vec::new();
    for face in plane.inner_faces() {
        match around.get(&face.fix().index()) {
            Some(1) => triangles.push(face.vertices().map(|vertex| vertex.data().vertex)),
            Some(0) => {}
            _ => return Err("runs around a region more than once or the wrong way".to_owned()),
        }
    }
    Ok(triangles)
}
