//! Convex polyhedron by vertices, faces and edges, in its own frame.

use crate::math::Vec3;
use crate::shapes::{Core, Cuboid, Hull, RoundedShape};
use std::collections::BTreeMap;
use std::ops::Range;

/// A face: outward unit normal n and offset n.x [m] of its points x, and where its corners stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Outward unit normal.
    pub normal: Vec3,
    /// n.x of the points x of the face [m].
    pub offset: f64,
    corners: Range<usize>,
}

/// An edge by its two vertices and the two faces that meet there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its ends.
    pub vertices: [u32; 2],
    /// The face in which it runs from the first end to the second, and the one in which it runs
    /// backwards.
    pub faces: [u32; 2],
}

/// Convex polyhedron, or a half-space, which is one face without corners.
///
/// Faces of a box are numbered -x, +x, -y, +y, -z, +z; those of a hull in the order of
/// [`crate::shapes::hull::Faces`].
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    form: RoundedShape,
    vertices: Vec<Vec3>,
    faces: Vec<Face>,
    corners: Vec<u32>,
    edges: Vec<Edge>,
    center: Vec3,
    radius: f64,
}

impl Polyhedron {
    /// The polyhedron of a core; none where the core is curved, or flat.
    pub fn of(core: &Core) -> Option<Polyhedron> {
        let mut found = Polyhedron {
            form: RoundedShape {
                core: core.clone(),
                radius: 0.0,
            },
            vertices: Vec::new(),
            faces: Vec::new(),
            corners: Vec::new(),
            edges: Vec::new(),
            center: Vec3::zeros(),
            radius: f64::INFINITY,
        };
        match core {
            Core::HalfSpace => {
                found.add_face(Vec3::z(), 0.0, &[]);
                return Some(found);
            }
            Core::Box(cuboid) => found.add_box(cuboid),
            Core::Hull(hull) => found.add_hull(hull),
            _ => return None,
        }
        found.find_edges();
        let count = found.vertices.len() as f64;
        found.center = found.vertices.iter().sum::<Vec3>() / count;
        let reach = found.vertices.iter().map(|v| (v - found.center).norm());
        found.radius = reach.fold(0.0, f64::max);
        Some(found)
    }

    fn add_face(&mut self, normal: Vec3, offset: f64, corners: &[u32]) {
        let start = self.corners.len();
        self.corners.extend(corners);
        self.faces.push(Face {
            normal,
            offset,
            corners: start..self.corners.len(),
        });
    }

    fn add_box(&mut self, cuboid: &Cuboid) {
        let sign = |corner: u32, axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
        self.vertices = (0..8)
            .map(|c| Vec3::from([0, 1, 2].map(|axis| sign(c, axis) * cuboid.half[axis])))
            .collect();
        for axis in 0..3 {
            let [own, u, v] = [axis, (axis + 1) % 3, (axis + 2) % 3].map(|axis| 1 << axis);
            let around = [0, u, u | v, v];
            let mut normal = Vec3::zeros();
            normal[axis] = 1.0;
            let mut below = around;
            below.reverse();
            self.add_face(-normal, cuboid.half[axis], &below);
            self.add_face(normal, cuboid.half[axis], &around.map(|c| c | own));
        }
    }

    fn add_hull(&mut self, hull: &Hull) {
        self.vertices = hull.vertices().to_vec();
        hull.faces().for_each(|normal, rim| {
            let next: BTreeMap<u32, u32> = rim.iter().map(|[a, b]| (*a, *b)).collect();
            let mut corners: Vec<u32> = Vec::with_capacity(rim.len());
            let mut at = rim.first().map(|edge| edge[0]);
            while let Some(corner) = at.filter(|_| corners.len() < rim.len()) {
                corners.push(corner);
                at = next.get(&corner).copied();
            }
            // The mean: corners of a face may lie a little off its plane.
            let along = corners
                .iter()
                .map(|c| normal.dot(&self.vertices[*c as usize]));
            let offset = along.sum::<f64>() / corners.len() as f64;
            self.add_face(*normal, offset, &corners);
        });
    }

    /// Pairs each directed edge of a face with its opposite in another face.
    fn find_edges(&mut self) {
        let mut waiting: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for (number, face) in (0..).zip(&self.faces) {
            let corners = &self.corners[face.corners.clone()];
            let following = corners.iter().cycle().skip(1);
            for (a, b) in corners.iter().zip(following) {
                match waiting.remove(&(*b, *a)) {
                    Some(other) => self.edges.push(Edge {
                        vertices: [*b, *a],
                        faces: [other, number],
                    }),
                    None => {
                        waiting.insert((*a, *b), number);
                    }
                }
            }
        }
    }

    /// The shape with sharp edges.
    pub fn form(&self) -> &RoundedShape {
        &self.form
    }

    /// Whether it is a half-space.
    pub fn is_half_space(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Vertices [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Faces; coplanar triangles are one.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Vertices of a face, counter-clockwise seen from outside.
    pub fn corners(&self, face: &Face) -> &[u32] {
        &self.corners[face.corners.clone()]
    }

    /// Edges between faces that bend.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Mean of the vertices [m].
    pub fn center(&self) -> &Vec3 {
        &self.center
    }

    /// Largest distance of a vertex from the centre [m]; infinite for a half-space.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
