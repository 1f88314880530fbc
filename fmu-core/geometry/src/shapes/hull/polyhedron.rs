//! The polyhedron: its vertices and how the farthest of them is found.

use crate::math::Vec3;
use crate::shapes::hull::faces::Faces;
use crate::shapes::hull::surface::{check, find};

/// Convex polyhedron in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The coordinates x, y, z of four vertices at a time; the last four are filled up with the
    /// first vertex.
    fours: Vec<[[f64; 4]; 3]>,
    faces: Faces,
    extent: (Vec3, Vec3),
    /// Vertices from which to walk along edges to the farthest one, by [`cell`] of the direction;
    /// empty where that is not sure to end there, or not faster.
    starts: Vec<u32>,
}

/// Count of vertices from which walking from neighbour to neighbour beats looking at all.
const CLIMB: usize = 40;

/// Cells along each axis of the cube that directions are sorted into.
const CELLS: usize = 5;

/// Cell of a direction, stretched until it ends on the surface of the cube from -1 to 1; some cell
/// for zero and NaN.
#[inline(always)]
fn cell(d: &Vec3) -> usize {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let scale = 0.5 * CELLS as f64 / larger(larger(d.x.abs(), d.y.abs()), d.z.abs());
    // A cast takes NaN to zero.
    let along = |c: f64| ((c * scale + 0.5 * CELLS as f64) as i32).clamp(0, CELLS as i32 - 1);
    (along(d.x) as usize * CELLS + along(d.y) as usize) * CELLS + along(d.z) as usize
}

/// How deep, relative to the largest extent, the far vertex of a triangle lies at least below the
/// plane of its neighbour where walking along edges is sure not to stop short of the farthest
/// vertex: well above rounding and [`CONVEXITY_TOLERANCE`].
const STRICT: f64 = 1e-8;

impl Hull {
    /// Checks that the triangles are the outward closed surface of the convex hull of the vertices.
    ///
    /// # Errors
    /// In words what is wrong: too few vertices, an index out of range, a number that is not
    /// finite, a vertex outside a face or in no triangle, a surface that is not closed or bounds
    /// nothing.
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
        let extent = vertices.iter().fold(
            (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)),
            |(lower, upper), v| (lower.inf(v), upper.sup(v)),
        );
        let size = (extent.1 - extent.0).amax();
        let mut hull = Hull {
            extent,
            vertices,
            triangles,
            fours: Vec::new(),
            faces: Faces::default(),
            starts: Vec::new(),
        };
        let edges = check(&hull.vertices, &hull.triangles, size)?;
        hull.fours = in_fours(&hull.vertices);
        if hull.vertices.len() >= CLIMB && hull.is_strictly_convex(&edges) {
            hull.starts = hull.find_starts();
        }
        hull.faces = Faces::new(&hull.vertices, &hull.triangles, &edges, size);
        if !hull.faces.is_solid() {
            return Err("bounds nothing: its vertices lie in a plane or a line".into());
        }
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

    /// Faces, neighbours and size.
    pub fn faces(&self) -> &Faces {
        &self.faces
    }

    /// Lower and upper corner of the box about the vertices along the axes [m].
    pub fn extent(&self) -> (Vec3, Vec3) {
        self.extent
    }

    /// Index of a vertex farthest along `direction`.
    #[inline(always)]
    pub fn farthest(&self, direction: &Vec3) -> usize {
        self.farthest_near(direction, usize::MAX)
    }

    /// The same, by looking at all vertices; the first of equal ones.
    #[inline(always)]
    fn farthest_of_all(&self, direction: &Vec3) -> usize {
        let d = direction;
        let (mut best, mut farthest, mut found) = (0, f64::NEG_INFINITY, [f64::NEG_INFINITY; 4]);
        for (index, [x, y, z]) in self.fours.iter().enumerate() {
            let mut along = [0.0; 4];
            for i in 0..4 {
                along[i] = x[i] * d.x + y[i] * d.y + z[i] * d.z;
            }
            let larger = |a: f64, b: f64| if a > b { a } else { b };
            let most = larger(larger(along[0], along[1]), larger(along[2], along[3]));
            if most > farthest {
                (best, farthest, found) = (index, most, along);
            }
        }
        let lane = found.iter().position(|along| *along == farthest);
        let number = 4 * best + lane.unwrap_or(0);
        if number < self.vertices.len() {
            number
        } else {
            0
        }
    }

    /// Index of a vertex farthest along `direction`; `near` is a vertex close to it,
    /// where the walk may start, or none.
    #[inline(always)]
    pub fn farthest_near(&self, direction: &Vec3, near: usize) -> usize {
        let Some(start) = self.starts.get(cell(direction)) else {
            return self.farthest_of_all(direction);
        };
        let mut best = *start as usize;
        let mut farthest = self.vertices[best].dot(direction);
        if let Some(near_by) = self.vertices.get(near) {
            let along = near_by.dot(direction);
            if along > farthest {
                (best, farthest) = (near, along);
            }
        }
        // Each step goes farther, so the walk ends; on a convex surface at the farthest vertex.
        loop {
            let here = best;
            for neighbour in self.faces.neighbours(here) {
                let along = self.vertices[*neighbour as usize].dot(direction);
                // Selected, not branched to: which neighbour is farther cannot be foretold.
                let farther = along > farthest;
                best = if farther { *neighbour as usize } else { best };
                farthest = if farther { along } else { farthest };
            }
            if best == here {
                return best;
            }
        }
    }

    /// The vertex farthest along the middle of each cell.
    fn find_starts(&self) -> Vec<u32> {
        let middle = |i: usize| (2 * i + 1) as f64 - CELLS as f64;
        (0..CELLS * CELLS * CELLS)
            .map(|i| [i / (CELLS * CELLS), i / CELLS % CELLS, i % CELLS].map(middle))
            .map(|d| self.farthest_of_all(&Vec3::from(d)) as u32)
            .collect()
    }

    /// Whether each edge is sharper than [`STRICT`]; `edges` are sorted, with their triangles.
    fn is_strictly_convex(&self, edges: &[(u32, u32, u32)]) -> bool {
        let (lower, upper) = self.extent();
        let depth = STRICT * (upper - lower).amax();
        edges.iter().all(|(a, b, triangle)| {
            let Some(across) = find(edges, *b, *a) else {
                return false;
            };
            let [p, q, r] = self.triangles[*triangle as usize].map(|v| self.vertices[v as usize]);
            let normal = (q - p).cross(&(r - p));
            let far = self.triangles[across as usize]
                .into_iter()
                .find(|v| v != a && v != b)
                .map_or(p, |v| self.vertices[v as usize]);
            normal.dot(&(p - far)) > depth * normal.norm()
        })
    }
}

/// Coordinates of four vertices at a time.
fn in_fours(vertices: &[Vec3]) -> Vec<[[f64; 4]; 3]> {
    vertices
        .chunks(4)
        .map(|four| {
            let at = |lane: usize| {
                four.get(lane)
                    .or(vertices.first())
                    .copied()
                    .unwrap_or_default()
            };
            [0, 1, 2].map(|axis| [0, 1, 2, 3].map(|lane| at(lane)[axis]))
        })
        .collect()
}
