//! Faces, neighbours and size of a hull, found once.
//!
//! Triangles in one plane make one face. A face is kept as its normal and the directed edges of
//! its rim, counter-clockwise seen from outside, in no order.

use crate::math::Vec3;
use crate::shapes::hull::surface::{find, root, unite};

/// How far, relative to the largest extent, the far vertex of a triangle may lie off the plane of
/// its neighbour for both to be one face.
const COPLANAR: f64 = 1e-9;

/// A face.
#[derive(Clone, Debug, PartialEq)]
struct Face {
    /// Outward unit normal.
    normal: Vec3,
    /// Mean of normal . corner over the corners [m].
    offset: f64,
    /// Where its edges end in the list of edges.
    end: usize,
}

/// What contact needs to know of the surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faces {
    faces: Vec<Face>,
    edges: Vec<[u32; 2]>,
    /// Neighbours of all vertices, one vertex after the other; those of vertex i are from
    /// `starts[i]` to `starts[i + 1]`.
    neighbours: Vec<u32>,
    starts: Vec<u32>,
    /// Centre of volume [m].
    pub center: Vec3,
    /// Largest extent along the axes [m].
    pub size: f64,
}

impl Faces {
    /// From directed edges with their triangles, sorted.
    pub fn new(
        vertices: &[Vec3],
        triangles: &[[u32; 3]],
        edges: &[(u32, u32, u32)],
        size: f64,
    ) -> Self {
        let corners = |t: u32| triangles[t as usize].map(|v| vertices[v as usize]);
        // The triangle that represents the face of each triangle: the first of it.
        let mut face: Vec<u32> = (0..triangles.len() as u32).collect();
        for (a, b, one) in edges {
            let Some(other) = find(edges, *b, *a) else {
                continue;
            };
            let [p, q, r] = corners(*one);
            let normal = (q - p).cross(&(r - p));
            let off = |v: Vec3| normal.dot(&(v - p)).abs() / normal.norm();
            if corners(other)
                .into_iter()
                .all(|v| off(v) <= COPLANAR * size)
            {
                unite(&mut face, *one, other);
            }
        }
        let face: Vec<u32> = (0..face.len() as u32).map(|t| root(&mut face, t)).collect();
        let mut found = Faces {
            neighbours: edges.iter().map(|edge| edge.1).collect(),
            starts: (0..=vertices.len())
                .map(|vertex| edges.partition_point(|edge| (edge.0 as usize) < vertex) as u32)
                .collect(),
            size,
            ..Faces::default()
        };
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); face.len()];
        for (t, face) in (0..).zip(&face) {
            members[*face as usize].push(t);
        }
        for group in members.iter().filter(|group| !group.is_empty()) {
            let mut normal = Vec3::zeros();
            for t in group {
                let [p, q, r] = corners(*t);
                normal += (q - p).cross(&(r - p));
                let [a, b, c] = triangles[*t as usize];
                for (a, b) in [(a, b), (b, c), (c, a)] {
                    let across = find(edges, b, a).map(|other| face[other as usize]);
                    if across != Some(face[*t as usize]) {
                        found.edges.push([a, b]);
                    }
                }
            }
            let start = found.faces.last().map_or(0, |face| face.end);
            let normal = normal.normalize();
            let rim = &found.edges[start..];
            let heights = rim.iter().map(|[v, _]| vertices[*v as usize].dot(&normal));
            found.faces.push(Face {
                normal,
                offset: heights.sum::<f64>() / rim.len() as f64,
                end: found.edges.len(),
            });
        }
        found.center = center(vertices, triangles);
        found
    }

    /// Whether every face has a normal: none has where all vertices lie in a plane or a line.
    pub fn is_solid(&self) -> bool {
        let mut normals = self.faces.iter().flat_map(|face| face.normal.iter());
        normals.all(|c| c.is_finite())
    }

    /// Calls `look` with the outward unit normal and the edges of each face.
    #[inline(always)]
    pub fn for_each(&self, mut look: impl FnMut(&Vec3, &[[u32; 2]])) {
        let mut start = 0;
        for face in &self.faces {
            look(&face.normal, &self.edges[start..face.end]);
            start = face.end;
        }
    }

    /// Outward unit normal n of a face, and n.x [m] of its points x.
    #[inline(always)]
    pub fn plane(&self, face: usize) -> (&Vec3, f64) {
        let face = &self.faces[face];
        (&face.normal, face.offset)
    }

    /// Number of faces.
    pub fn count(&self) -> usize {
        self.faces.len()
    }

    /// Vertices that share an edge with this one.
    #[inline(always)]
    pub fn neighbours(&self, vertex: usize) -> &[u32] {
        &self.neighbours[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// Centre of volume, from tetrahedra over the first vertex.
fn center(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Vec3 {
    let Some(apex) = vertices.first() else {
        return Vec3::zeros();
    };
    let (mut moment, mut volume) = (Vec3::zeros(), 0.0);
    for triangle in triangles {
        let [p, q, r] = triangle.map(|v| vertices[v as usize] - apex);
        let part = p.dot(&q.cross(&r));
        moment += (p + q + r) * (0.25 * part);
        volume += part;
    }
    if volume > 0.0 {
        apex + moment / volume
    } else {
        *apex
    }
}
