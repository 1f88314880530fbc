//! Closed triangle mesh, convex or not.
//!
//! - [`tree`]: boxes around its faces
//! - [`cells`]: the layer under its surface, cut into convex pieces
//! - [`layer`]: the cells of a triangle mesh

pub(crate) mod cells;
mod layer;
pub(crate) mod tree;

use crate::math::{Real, Vec3};
use crate::shapes::Aabb;
use crate::shapes::mesh::cells::Cells;
use crate::shapes::mesh::tree::TreeNode;
use crate::shapes::strata::{Solid, dot, soft_vertex};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Closed triangle mesh in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    cells: Cells,
}

impl Mesh {
    /// Mesh of a closed surface, whose triangles are counter-clockwise seen from outside.
    ///
    /// # Errors
    /// As [`Cells::new`].
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Mesh, String> {
        let vertices: Vec<Vec3> = vertices.into_iter().map(Vec3::from).collect();
        let cells = Cells::new(&vertices, &triangles)?;
        Ok(Mesh {
            vertices,
            triangles,
            cells,
        })
    }

    /// The mesh of a surface: one copy for all bodies and instances that have it at the same time. It is freed
    /// with the last of them.
    ///
    /// # Errors
    /// As [`Cells::new`].
    pub fn shared(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Arc<Mesh>, String> {
        static USED: Mutex<Vec<Weak<Mesh>>> = Mutex::new(Vec::new());
        // A panic cannot leave it half changed. Whoever wants the same mesh waits until it is made.
        let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|mesh| mesh.strong_count() > 0);
        let same = |mesh: &Arc<Mesh>| mesh.has(vertices, triangles);
        if let Some(mesh) = used.iter().filter_map(Weak::upgrade).find(same) {
            return Ok(mesh);
        }
        let mesh = Arc::new(Mesh::new(vertices.to_vec(), triangles.to_vec())?);
        used.push(Arc::downgrade(&mesh));
        Ok(mesh)
    }

    /// Returns true if it was made of this surface, to the bit.
    fn has(&self, vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> bool {
        let bits = |point: [f64; 3]| point.map(f64::to_bits);
        let own = self.vertices.iter().map(|v| bits((*v).into()));
        self.triangles == triangles
            && self.vertices.len() == vertices.len()
            && own.eq(vertices.iter().map(|v| bits(*v)))
    }

    /// Vertices [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Vertex indices of the triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Faces and the cells below them.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Box around it, along its own axes.
    pub fn bounds(&self) -> &Aabb {
        &self.cells.bounds
    }
}

impl Mesh {
    /// The farthest corner of a face, of equal ones that with the least number among vertices of the cells.
    fn farthest(&self, d: &Vec3) -> Vec3 {
        let Cells { tree, vertices, .. } = &self.cells;
        let bound = |node: &TreeNode| -node.bounds().most(d);
        let mut best = u32::MAX;
        tree.minimize(f64::INFINITY, bound, |leaf, mut least| {
            for vertex in tree.vertices(leaf) {
                let behind = -vertices[*vertex as usize].point.dot(d);
                if behind < least || behind == least && *vertex < best {
                    (best, least) = (*vertex, behind);
                }
            }
            least
        });
        vertices
            .get(best as usize)
            .map_or_else(Vec3::zeros, |v| v.point)
    }
}

impl Solid for Mesh {
    fn support(&self, d: &Vec3) -> Vec3 {
        self.farthest(d)
    }

    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        dot(&self.farthest(&d.map(Real::value)), d)
    }

    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        let Cells {
            tree,
            vertices,
            bounds,
            ..
        } = &self.cells;
        let direction = d.map(Real::value);
        let farthest = self.farthest(&direction);
        let size = (bounds.upper - bounds.lower).amax();
        soft_vertex(&farthest, d, size, |band, look| {
            let level = farthest.dot(&direction) - band;
            let enters = |node: &TreeNode| node.bounds().most(&direction) >= level;
            tree.for_each_leaf(enters, |leaf| {
                for vertex in tree.vertices(leaf) {
                    look(&vertices[*vertex as usize].point);
                }
            });
        })
    }

    fn reach(&self) -> f64 {
        self.vertices.iter().map(|v| v.norm()).fold(0.0, f64::max)
    }

    fn largest_coordinate(&self) -> f64 {
        let Aabb { lower, upper } = self.bounds();
        lower.amax().max(upper.amax())
    }

    fn own_box(&self) -> Option<[Vec3; 2]> {
        let Aabb { lower, upper } = self.bounds();
        Some([*lower, *upper])
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/shapes/mesh/tests.rs"]
mod tests;
