//! The layer under the faces of a hull, in which cells of points that are nearest to one face meet as the
//! faces do at the surface.
//!
//! The faces at a vertex, moved inwards by t, meet at its point less t m with n.m = 1 for all their normals n;
//! for more than three faces such an m is an exception.

use crate::math::{Mat3, Vec3};
use crate::shapes::hull::surface::Faces;

/// Misfit of n.m = 1 up to which faces meet in a point: the accuracy of their planes.
const EXACT: f64 = 1e-9;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layer {
    /// Face beyond each edge.
    pub(crate) across: Vec<u32>,
    /// Vector m of each vertex; `None` if there is none.
    pub(crate) offsets: Vec<Option<Vec3>>,
    /// Least depth at which an edge may have no length [m].
    pub(crate) depth: f64,
}

impl Layer {
    pub(super) fn new(faces: &Faces, vertices: &[Vec3]) -> Self {
        let mut normals: Vec<Vec<Vec3>> = vec![Vec::new(); vertices.len()];
        let mut edges = Vec::new();
        for face in 0..faces.count() {
            for edge in &faces.edges()[faces.rim(face)] {
                normals[edge[0] as usize].push(*faces.plane(face).0);
                edges.push((*edge, face));
            }
        }
        let mut sorted = edges.clone();
        sorted.sort_unstable();
        let across = |edge: &[u32; 2]| {
            let found = sorted.binary_search_by_key(&[edge[1], edge[0]], |edge| edge.0);
            found.map_or(0, |index| sorted[index].1)
        };
        let mut depth = f64::INFINITY;
        for (edge, face) in &edges {
            let pair = [*face, across(edge)].map(|face| *faces.plane(face).0);
            depth = depth.min(collapse(vertices, &normals, edge, pair));
        }
        Layer {
            across: edges.iter().map(|edge| across(&edge.0) as u32).collect(),
            offsets: normals.iter().map(|own| offset(own)).collect(),
            depth,
        }
    }

    /// Returns true if all corners of a face have such an m.
    pub(crate) fn is_exact(&self, faces: &Faces, face: usize) -> bool {
        let rim = &faces.edges()[faces.rim(face)];
        rim.iter()
            .all(|edge| self.offsets[edge[0] as usize].is_some())
    }
}

fn offset(normals: &[Vec3]) -> Option<Vec3> {
    let m = match normals {
        [one, other] => (one + other) / (1.0 + one.dot(other)),
        _ => {
            let squares: Mat3 = normals.iter().map(|n| n * n.transpose()).sum();
            squares.try_inverse()? * normals.iter().sum::<Vec3>()
        }
    };
    let is_exact = normals.iter().all(|n| (n.dot(&m) - 1.0).abs() <= EXACT);
    is_exact.then_some(m)
}

/// Lower bound of the depth at which an edge between two faces has no length. With their m and the unit
/// vector e along it, a third face n at an end takes (1 - n.m)/|n.e| of it for each depth.
fn collapse(vertices: &[Vec3], normals: &[Vec<Vec3>], edge: &[u32; 2], pair: [Vec3; 2]) -> f64 {
    let [one, other] = &pair;
    let m = (one + other) / (1.0 + one.dot(other));
    let [a, b] = edge.map(|end| vertices[end as usize]);
    let along = (b - a).normalize();
    let taken = |end: &u32| {
        let third = normals[*end as usize].iter().filter(|n| !pair.contains(n));
        let part = |n: &Vec3| (1.0 - n.dot(&m)) / n.dot(&along).abs();
        third.map(part).fold(0.0, f64::max)
    };
    let all: f64 = edge.iter().map(taken).sum();
    (b - a).norm() / all
}
