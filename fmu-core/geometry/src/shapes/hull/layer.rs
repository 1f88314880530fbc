//! The layer under the faces of a hull, in which cells of points that are nearest to one face meet as the
//! faces do at the surface.
//!
//! Three faces at a vertex v, moved inwards by t, meet at v - t m with n.m = 1 for their normals n; it is a
//! corner of all faces there, moved, if n.m >= 1 for the others. More faces than three have several such m as a
//! rule: the vertex is as many corners, and the edges between these begin without a length.

use crate::math::{Mat3, Vec3};
use crate::shapes::hull::surface::Faces;
use std::ops::Range;

/// Misfit of n.m = 1 up to which faces meet in a point: the accuracy of their planes.
const EXACT: f64 = 1e-9;

/// Corner of a face and, with the corners of other faces there, of the hull moved inwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LayerCorner {
    /// Number of the point in [`Layer::points`].
    pub(crate) point: u32,
    /// Face across the edge that begins here.
    pub(crate) across: u32,
}

/// Corner of the hull moved inwards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LayerPoint {
    pub(crate) vertex: u32,
    pub(crate) m: Vec3,
    /// Range of the numbers of its faces.
    faces: Range<usize>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layer {
    /// Vertex by vertex.
    pub(crate) points: Vec<LayerPoint>,
    /// End of each vertex's points.
    point_ends: Vec<usize>,
    /// Faces, point by point.
    around: Vec<u32>,
    /// Largest |m|.
    pub(crate) reach: f64,
    /// Counter-clockwise.
    corners: Vec<LayerCorner>,
    /// End of each face's corners.
    ends: Vec<usize>,
    /// Whether all faces have corners.
    pub(crate) is_exact: bool,
    /// Least depth at which an edge may have no length [m].
    pub(crate) depth: f64,
}

/// Edge of a face, in the order of its rim.
struct RimEdge {
    ends: [u32; 2],
    across: usize,
}

impl Layer {
    pub(super) fn new(faces: &Faces, vertices: &[Vec3]) -> Self {
        let mut around: Vec<Vec<usize>> = vec![Vec::new(); vertices.len()];
        let mut sorted = Vec::new();
        for face in 0..faces.count() {
            for edge in &faces.edges()[faces.rim(face)] {
                around[edge[0] as usize].push(face);
                sorted.push((*edge, face));
            }
        }
        sorted.sort_unstable();
        let across = |edge: &[u32; 2]| {
            let found = sorted.binary_search_by_key(&[edge[1], edge[0]], |edge| edge.0);
            found.map_or(0, |index| sorted[index].1)
        };
        let normal = |face: usize| *faces.plane(face).0;
        let mut depth = f64::INFINITY;
        let mut layer = Layer {
            is_exact: true,
            ..Layer::default()
        };
        for (vertex, own) in around.iter().enumerate() {
            for m in offsets(&own.iter().map(|face| normal(*face)).collect::<Vec<_>>()) {
                let start = layer.around.len();
                let meeting = own.iter().filter(|face| is_one(&normal(**face), &m));
                layer.around.extend(meeting.map(|face| *face as u32));
                layer.reach = layer.reach.max(m.norm());
                layer.points.push(LayerPoint {
                    vertex: vertex as u32,
                    m,
                    faces: start..layer.around.len(),
                });
            }
            layer.point_ends.push(layer.points.len());
        }
        for face in 0..faces.count() {
            let rim = &faces.edges()[faces.rim(face)];
            let edges = rim.iter().map(|edge| RimEdge {
                ends: *edge,
                across: across(edge),
            });
            let edges: Vec<_> = edges.collect();
            let start = layer.corners.len();
            let mut is_exact = true;
            for (k, edge) in edges.iter().enumerate() {
                let before = &edges[(k + edges.len() - 1) % edges.len()];
                let pair = [face, edge.across].map(normal);
                let normals = edge
                    .ends
                    .map(|end| around[end as usize].iter().map(|f| normal(*f)));
                depth = depth.min(collapse(
                    edge.ends.map(|v| vertices[v as usize]),
                    normals,
                    pair,
                ));
                // On a straight edge no third face meets.
                if edge.across != before.across {
                    let way = [before, edge].map(|edge| {
                        let [a, b] = edge.ends.map(|v| vertices[v as usize]);
                        (b - a).normalize()
                    });
                    let own = layer.points_of(edge.ends[0] as usize);
                    let at = FaceAtVertex {
                        face,
                        beside: [before.across, edge.across],
                        along: way[0] + way[1],
                        faces: &around[edge.ends[0] as usize],
                    };
                    is_exact &= layer.add_corners(&at, own, normal);
                }
            }
            if !is_exact {
                layer.corners.truncate(start);
                layer.is_exact = false;
            }
            layer.ends.push(layer.corners.len());
        }
        layer.depth = depth;
        layer
    }

    /// Corners of a face, counter-clockwise; none where they are not known.
    pub(crate) fn corners(&self, face: usize) -> &[LayerCorner] {
        &self.corners[range(&self.ends, face)]
    }

    /// Numbers of the points of a vertex.
    pub(crate) fn points_of(&self, vertex: usize) -> Range<usize> {
        range(&self.point_ends, vertex)
    }

    /// Faces that meet at a point.
    pub(crate) fn faces_at(&self, point: usize) -> &[u32] {
        &self.around[self.points[point].faces.clone()]
    }

    /// Appends the corners that a face has at a vertex with these points; returns false if they do not lead
    /// from one neighbour to the other.
    fn add_corners(
        &mut self,
        at: &FaceAtVertex<'_>,
        points: Range<usize>,
        normal: impl Fn(usize) -> Vec3,
    ) -> bool {
        let meets = |point: usize, face: usize| is_one(&normal(face), &self.points[point].m);
        let mut chain: Vec<usize> = points.filter(|point| meets(*point, at.face)).collect();
        let place = |point: &usize| -at.along.dot(&self.points[*point].m);
        chain.sort_by(|a, b| place(a).total_cmp(&place(b)));
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
            return false;
        };
        if !meets(*first, at.beside[0]) || !meets(*last, at.beside[1]) {
            return false;
        }
        let across = |k: usize| match chain.get(k + 1) {
            None => Some(at.beside[1]),
            Some(next) => {
                let both = |face: &&usize| meets(chain[k], **face) && meets(*next, **face);
                let mut others = at.faces.iter().filter(|face| **face != at.face);
                others.find(both).copied()
            }
        };
        let corners = (0..chain.len()).map(|k| {
            Some(LayerCorner {
                point: chain[k] as u32,
                across: across(k)? as u32,
            })
        });
        let Some(corners) = corners.collect::<Option<Vec<_>>>() else {
            return false;
        };
        self.corners.extend(corners);
        true
    }
}

fn range(ends: &[usize], k: usize) -> Range<usize> {
    let start = if k == 0 { 0 } else { ends[k - 1] };
    start..ends[k]
}

/// A face at a vertex.
struct FaceAtVertex<'a> {
    face: usize,
    /// Its neighbours along the edges that end and begin there.
    beside: [usize; 2],
    /// Sum of the directions of both edges.
    along: Vec3,
    /// All faces there.
    faces: &'a [usize],
}

fn is_one(normal: &Vec3, m: &Vec3) -> bool {
    (normal.dot(m) - 1.0).abs() <= EXACT
}

/// Most faces of a vertex without a common m for which all are sought.
const MOST: usize = 64;

/// All m of a vertex; none if there are too many faces.
fn offsets(normals: &[Vec3]) -> Vec<Vec3> {
    let squares: Mat3 = normals.iter().map(|n| n * n.transpose()).sum();
    let common = squares
        .try_inverse()
        .map(|inverse| inverse * normals.iter().sum::<Vec3>());
    if let Some(m) = common
        && normals.iter().all(|n| is_one(n, &m))
    {
        return vec![m];
    }
    if normals.len() > MOST {
        return Vec::new();
    }
    let mut all: Vec<Vec3> = Vec::new();
    for (k, third) in normals.iter().enumerate() {
        for (i, first) in normals[..k].iter().enumerate() {
            for second in &normals[i + 1..k] {
                let three = [first, second, third].map(|n| n.transpose());
                let found = Mat3::from_rows(&three).try_inverse();
                let Some(m) = found.map(|inverse| inverse * Vec3::repeat(1.0)) else {
                    continue;
                };
                let is_corner = normals.iter().all(|n| n.dot(&m) >= 1.0 - EXACT);
                let is_known =
                    |other: &Vec3| normals.iter().all(|n| is_one(n, &m) == is_one(n, other));
                if is_corner && !all.iter().any(is_known) {
                    all.push(m);
                }
            }
        }
    }
    all
}

/// Lower bound of the depth at which an edge between two faces has no length. With their m and the unit
/// vector e along it, a third face n at an end takes (1 - n.m)/|n.e| of it for each depth.
fn collapse([a, b]: [Vec3; 2], normals: [impl Iterator<Item = Vec3>; 2], pair: [Vec3; 2]) -> f64 {
    let [one, other] = &pair;
    let m = (one + other) / (1.0 + one.dot(other));
    let along = (b - a).normalize();
    let taken = |normals| {
        let third = Iterator::filter(normals, |n: &Vec3| !pair.contains(n));
        let part = |n: Vec3| (1.0 - n.dot(&m)) / n.dot(&along).abs();
        third.map(part).fold(0.0, f64::max)
    };
    let all: f64 = normals.into_iter().map(taken).sum();
    (b - a).norm() / all
}
