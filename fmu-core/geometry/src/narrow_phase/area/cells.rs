//! Pressures, corners and planes of the [`Cells`] of a mesh.

use crate::math::Vec3;
use crate::narrow_phase::area::planes::Linear;
use crate::shapes::mesh::cells::{CellVertex, Cells};

/// Depth in a tetrahedron of these corners and depths.
pub(crate) fn depth_in([(o, p), rest @ ..]: &[(Vec3, f64); 4]) -> Linear {
    let [x, y, z] = rest.map(|(point, _)| point - o);
    let [across_x, across_y, across_z] = [y.cross(&z), z.cross(&x), x.cross(&y)];
    let [d_x, d_y, d_z] = rest.map(|(_, depth)| depth - p);
    let gradient = (across_x * d_x + across_y * d_y + across_z * d_z) / x.dot(&across_x);
    Linear {
        gradient,
        at_0: p - gradient.dot(o),
    }
}

/// Calls `look` with the planes of a tetrahedron: functions that are not negative inside.
#[inline(always)]
pub(crate) fn for_each_side(corners: &[(Vec3, f64); 4], mut look: impl FnMut(Linear)) {
    for (k, (own, _)) in corners.iter().enumerate() {
        let [p, q, r] = [1, 2, 3].map(|n| corners[(k + n) % 4].0);
        let across = (q - p).cross(&(r - p));
        let gradient = across * across.dot(&(own - p)).signum();
        look(Linear {
            gradient,
            at_0: -gradient.dot(&p),
        });
    }
}

impl Cells {
    /// Vertices of a triangle by their numbers.
    fn ordered(&self, face: usize) -> [u32; 3] {
        let mut numbers = [0, 1, 2].map(|k| self.corners(face)[k]);
        numbers.sort_unstable();
        numbers
    }

    /// Corners of a tetrahedron, and the depths there.
    pub(crate) fn tetrahedron(&self, face: usize, part: usize) -> [(Vec3, f64); 4] {
        let [a, b, c] = self.ordered(face).map(|v| self.vertex(v));
        let outer = |v: &CellVertex| (v.point, 0.0);
        let inner = |v: &CellVertex| (v.inner(), v.thickness);
        match part {
            0 => [outer(a), outer(b), outer(c), inner(c)],
            1 => [outer(a), outer(b), inner(b), inner(c)],
            _ => [outer(a), inner(a), inner(b), inner(c)],
        }
    }

    /// Pressure over k of a cell: the depth below its face.
    pub(crate) fn depth(&self, face: usize, part: usize) -> Linear {
        let of = &self.faces[face];
        if of.depth > 0.0 {
            return Linear {
                gradient: -of.normal,
                at_0: of.height,
            };
        }
        depth_in(&self.tetrahedron(face, part))
    }

    /// Calls `look` with the corners of a cell.
    #[inline(always)]
    pub(crate) fn for_each_point(&self, face: usize, part: usize, mut look: impl FnMut(Vec3)) {
        let depth = self.faces[face].depth;
        if depth > 0.0 {
            for vertex in self.corners(face).iter().map(|v| self.vertex(*v)) {
                look(vertex.point);
                look(vertex.below(depth));
            }
        } else {
            let corners = self.tetrahedron(face, part);
            corners.iter().for_each(|(point, _)| look(*point));
        }
    }

    /// Calls `look` with the planes of a cell beside its face: functions that are not negative inside.
    #[inline(always)]
    pub(crate) fn for_each_plane(&self, face: usize, part: usize, mut look: impl FnMut(Linear)) {
        if self.faces[face].depth > 0.0 {
            let corners = self.corners(face);
            for (k, corner) in corners.iter().enumerate() {
                let next = corners[if k + 1 == corners.len() { 0 } else { k + 1 }];
                let start = self.vertex(*corner);
                let along = self.vertex(next).point - start.point;
                let gradient = start.offset.cross(&along);
                look(Linear {
                    gradient,
                    at_0: -gradient.dot(&start.point),
                });
            }
            let of = &self.faces[face];
            look(Linear {
                gradient: of.normal,
                at_0: of.depth - of.height,
            });
            return;
        }
        for_each_side(&self.tetrahedron(face, part), look);
    }

    /// Returns true if a function is at most `level` in all cells of a face.
    pub(crate) fn is_under(&self, face: usize, of: &Linear, level: f64) -> bool {
        let depth = self.faces[face].depth;
        self.corners(face).iter().all(|number| {
            let vertex = self.vertex(*number);
            let inner = if depth > 0.0 {
                vertex.below(depth)
            } else {
                vertex.inner()
            };
            of.at(&vertex.point) <= level && of.at(&inner) <= level
        })
    }
}
