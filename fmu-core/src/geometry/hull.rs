//! Convex polyhedron: vertices and the triangles of its surface.
//!
//! Contact needs the vertices only, and who is whose neighbour, to find the farthest vertex of a
//! large hull without looking at all of them. Triangles are kept for checks and pictures.

use crate::math::Vec3;

/// Convex polyhedron in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// How far a vertex may lie above a face plane, relative to the largest extent: rounding of a hull
/// made elsewhere.
pub const CONVEXITY_TOLERANCE: f64 = 1e-9;

/// Error of a computed plane at a distance s from a triangle of height h, in terms of s^2/h: a few
/// roundings of corners and of their cross product.
const PLANE_ROUNDING: f64 = 2e-15;

/// Normal of a triangle, twice its area long, and its longest edge. Taken from the corner opposite to
/// that edge, where the largest angle loses least in a thin triangle.
fn normal(corners: &[Vec3; 3]) -> (Vec3, f64) {
    let [a, b, c] = corners;
    let [ab, bc, ca] = [b - a, c - b, a - c];
    let [x, y, z] = [&ab, &bc, &ca].map(|edge| edge.norm());
    if x >= y && x >= z {
        (bc.cross(&ca), x)
    } else if y >= z {
        (ca.cross(&ab), y)
    } else {
        (ab.cross(&bc), z)
    }
}

impl Hull {
    /// Checks that the triangles are the outward closed surface of the convex hull of the vertices.
    ///
    /// # Errors
    /// In words what is wrong: too few vertices, an index out of range, a number that is not
    /// finite, a vertex outside a face or in no triangle, a surface that is not closed.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Hull, String> {
        let vertices: Vec<Vec3> = vertices.into_iter().map(Vec3::from).collect();
        if vertices.len() < 4 {
            return Err(format!(
                "has {} vertices; a solid has at least 4",
                vertices.len()
            ));
        }
        if vertices.iter().any(|v| !v.iter().all(|c| c.is_finite())) {
            return Err("has a coordinate that is not a finite number".into());
        }
        let hull = Hull {
            vertices,
            triangles,
        };
        hull.check_surface()?;
        Ok(hull)
    }

    /// Vertices [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Triangles by vertex, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Lower and upper corner of the box about the vertices along the axes [m].
    pub fn extent(&self) -> (Vec3, Vec3) {
        self.vertices.iter().fold(
            (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)),
            |(lower, upper), v| (lower.inf(v), upper.sup(v)),
        )
    }

    /// Index of a vertex farthest along `direction`, the first of equal ones.
    pub fn farthest(&self, direction: &Vec3) -> usize {
        let (mut best, mut farthest) = (0, f64::NEG_INFINITY);
        for (index, vertex) in self.vertices.iter().enumerate() {
            let along = vertex.dot(direction);
            if along > farthest {
                (best, farthest) = (index, along);
            }
        }
        best
    }

    fn check_surface(&self) -> Result<(), String> {
        let (lower, upper) = self.extent();
        let size = (upper - lower).amax();
        let tolerance = CONVEXITY_TOLERANCE * size;
        let mut used = vec![false; self.vertices.len()];
        // Each edge runs once in either direction on a closed surface.
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(3 * self.triangles.len());
        for (index, triangle) in self.triangles.iter().enumerate() {
            let mut corners = [Vec3::zeros(); 3];
            for (corner, vertex) in corners.iter_mut().zip(triangle) {
                let Some(found) = self.vertices.get(*vertex as usize) else {
                    return Err(format!(
                        "triangle {index} names vertex {vertex}; there are {}",
                        self.vertices.len()
                    ));
                };
                *corner = *found;
                used[*vertex as usize] = true;
            }
            let (normal, longest) = normal(&corners);
            let length = normal.norm();
            if length > 0.0 {
                let normal = normal / length;
                let outside = self
                    .vertices
                    .iter()
                    .map(|v| normal.dot(&(v - corners[0])))
                    .fold(0.0, f64::max);
                // Rounding tilts the plane of a thin triangle, by more the smaller its height.
                let height = length / longest;
                if outside > tolerance + PLANE_ROUNDING * size * (size / height) {
                    return Err(format!(
                        "is not convex: a vertex lies {outside} m outside triangle {index}"
                    ));
                }
            }
            for side in 0..3 {
                edges.push((triangle[side], triangle[(side + 1) % 3]));
            }
        }
        if let Some(vertex) = used.iter().position(|used| !used) {
            return Err(format!("vertex {vertex} belongs to no triangle"));
        }
        edges.sort_unstable();
        let twice = edges.windows(2).any(|two| two[0] == two[1]);
        let open = edges
            .iter()
            .any(|(a, b)| edges.binary_search(&(*b, *a)).is_err());
        if twice || open {
            return Err("has a surface that is not closed".into());
        }
        Ok(())
    }
}
