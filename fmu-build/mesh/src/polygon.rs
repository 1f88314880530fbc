//! Triangulation of plane polygons, with holes or in several pieces.
//!
//! The polygon is the region enclosed counter-clockwise by its directed sides, seen against the normal.
//! Projected along the axis nearest to the normal, coordinates are unchanged; the constrained Delaunay
//! triangulation of the sides [crate spade, exact predicates] divides the region into triangles, whose
//! winding numbers, found by crossing sides from outside, decide which belong to it.

use contact_geometry::math::Vec3;
use spade::handles::{FixedFaceHandle, InnerTag};
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};
use std::collections::BTreeMap;

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
