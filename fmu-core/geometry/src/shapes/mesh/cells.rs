//! Cells: the layer under a closed surface, cut into convex pieces, each with one linear pressure.
//!
//! The pressure of a body is zero on its surface and k times the depth in a layer below it. Each vertex v
//! has an offset vector m with n.m = 1 for the normals n of all planes that meet there, so v - t m is the
//! corner of the surface moved inwards by t. The layer reaches down to v - h m, h the thickness at the
//! vertex.
//!
//! - Face whose corners all have such an m, a convex plane polygon: one cell, between the face, a plane below
//!   it and a wall through each edge and the m of its ends. The wall between two faces bisects their angle.
//! - Where more than three planes meet, m is the least-squares solution and n.m = 1 holds nearly. A face
//!   there is a triangle, and the prism below it is cut into three tetrahedra. With w = v - h m and the
//!   numbers of the vertices a < b < c they are (va vb vc wc), (va vb wb wc) and (va wa wb wc), so that
//!   neighbours agree; the pressure is linear in each, k h at w. It is continuous on any mesh.
//!
//! Two convex bodies have the cells of their faces, so boxes, hulls, half-spaces and meshes are alike.
//!
//! The data are flat: vertices, faces and the corners of faces. Planes of walls and tetrahedra follow from
//! these where they are needed.

use crate::math::Vec3;
use crate::shapes::Aabb;
use crate::shapes::mesh::tree::{FaceTree, SmallBox, TreeNode};
use std::mem::size_of_val;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellVertex {
    pub(crate) point: Vec3,
    /// m [1].
    pub(crate) offset: Vec3,
    /// h [m].
    pub(crate) thickness: f64,
}

impl CellVertex {
    /// The point at this depth.
    pub(crate) fn below(&self, depth: f64) -> Vec3 {
        self.point - self.offset * depth
    }

    pub(crate) fn inner(&self) -> Vec3 {
        self.below(self.thickness)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellFace {
    /// Outward unit normal n, and n.x [m] of its points x.
    pub(crate) normal: Vec3,
    pub(crate) height: f64,
    /// Depth of its cell [m]; zero if it has three tetrahedra.
    pub(crate) depth: f64,
    /// Contains its cells.
    pub(crate) bounds: SmallBox,
    /// End of its corners.
    pub(crate) corners: u32,
}

/// Layer of cells under a closed surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    pub(crate) vertices: Vec<CellVertex>,
    pub(crate) faces: Vec<CellFace>,
    /// Counter-clockwise corners of the faces.
    pub(crate) corners: Vec<u32>,
    /// Contains the surface.
    pub(crate) bounds: Aabb,
    pub(crate) tree: FaceTree,
    pub(crate) thickness: f64,
    pub(crate) steepness: f64,
    pub(crate) steepest: Vec3,
}

impl Cells {
    /// Largest ratio of a pressure gradient to that below a plane face: above 1 where more than three planes meet
    /// at a vertex, which follows [m].
    pub fn steepest(&self) -> (f64, Vec3) {
        (self.steepness, self.steepest)
    }

    /// Number of cells.
    pub fn count(&self) -> usize {
        (0..self.faces.len()).map(|face| self.parts(face)).sum()
    }

    /// Least thickness of the layer [m]: the depth down to which pressures are exact everywhere.
    pub fn thickness(&self) -> f64 {
        self.thickness
    }

    /// Thickness of the layer [m] where it is thinnest under a face, or under all without one.
    pub(crate) fn thickness_at(&self, face: Option<u32>) -> f64 {
        let Some(face) = face.filter(|face| (*face as usize) < self.faces.len()) else {
            return self.thickness;
        };
        let corners = self.corners(face as usize).iter();
        let all = corners.map(|v| self.vertex(*v).thickness);
        all.fold(f64::INFINITY, f64::min)
    }

    /// Size in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.vertices[..])
            + size_of_val(&self.faces[..])
            + size_of_val(&self.corners[..])
            + self.tree.bytes()
    }

    /// Calls `look` with the number of each face whose cells may meet a box along the axes of the body, in
    /// the order of the numbers.
    #[inline(always)]
    pub(crate) fn for_each_face_near(&self, bounds: &Aabb, mut look: impl FnMut(usize)) {
        self.tree.for_each_leaf_near(bounds, |leaf| {
            for face in self.tree.faces(leaf) {
                if !self.faces[face].bounds.wide().common(bounds).is_empty() {
                    look(face);
                }
            }
        });
    }

    /// Calls `look` with the number of each face that may have a point within a distance [m] of a box along the
    /// axes of the body, in the order of the numbers.
    #[inline(always)]
    pub(crate) fn for_each_face_within(
        &self,
        reach: f64,
        bounds: &Aabb,
        mut look: impl FnMut(usize),
    ) {
        let is_near = |own: &Aabb| own.square_distance(bounds) <= reach * reach;
        let enters = |node: &TreeNode| is_near(&node.bounds());
        self.tree.for_each_leaf(enters, |leaf| {
            for face in self.tree.faces(leaf) {
                if is_near(&self.own_box(face)) {
                    look(face);
                }
            }
        });
    }

    /// Largest difference of a depth in the cells of a face to that below its plane [m]: at a corner.
    pub(crate) fn excess(&self, face: usize) -> f64 {
        let CellFace { normal, depth, .. } = &self.faces[face];
        if *depth > 0.0 {
            return 0.0;
        }
        let corners = self.corners(face).iter().map(|corner| self.vertex(*corner));
        let excess = corners.map(|v| v.thickness * (1.0 - normal.dot(&v.offset)));
        excess.fold(0.0, f64::max)
    }

    /// Distances to the lower and the upper sides that the corners of a face move per depth.
    pub(crate) fn lean(&self, face: usize) -> [Vec3; 2] {
        let offsets = self.corners(face).iter().map(|v| self.vertex(*v).offset);
        offsets.fold([Vec3::zeros(); 2], |[lower, upper], m| {
            [lower.sup(&m), upper.sup(&-m)]
        })
    }

    pub(crate) fn own_box(&self, face: usize) -> Aabb {
        let corners = self.corners(face).iter();
        corners.fold(Aabb::EMPTY, |bounds, v| bounds.with(&self.vertex(*v).point))
    }

    /// Largest d + v.x of the corners x of the cells of a face, at depths d.
    pub(crate) fn highest(&self, face: usize, v: &Vec3) -> f64 {
        let depth = self.faces[face].depth;
        let corners = self.corners(face).iter();
        corners.fold(f64::NEG_INFINITY, |most, corner| {
            let vertex = self.vertex(*corner);
            let depth = if depth > 0.0 { depth } else { vertex.thickness };
            let at = vertex.point.dot(v);
            most.max(at).max(at + depth * (1.0 - vertex.offset.dot(v)))
        })
    }

    /// Number of cells of a face.
    pub(crate) fn parts(&self, face: usize) -> usize {
        if self.faces[face].depth > 0.0 { 1 } else { 3 }
    }

    pub(crate) fn corners(&self, face: usize) -> &[u32] {
        let before = face.checked_sub(1);
        let start = before.map_or(0, |before| self.faces[before].corners);
        &self.corners[start as usize..self.faces[face].corners as usize]
    }

    pub(crate) fn vertex(&self, number: u32) -> &CellVertex {
        &self.vertices[number as usize]
    }
}
