//! Convex hull of points: quickhull [Barber 1996] in which the sign of every orientation is exact [Shewchuk
//! 1997], so that coplanar, collinear or repeated points need no special case.
//!
//! 1. Four points that span a solid: the farthest two of the outermost along the axes, the one farthest from
//!    their line, the one farthest from their plane.
//! 2. Each other point goes to the face it is farthest outside of. While a face has a point farther out than
//!    the tolerance, the faces visible from the farthest one are replaced by the cone from it to their
//!    border. A face is visible from a point strictly outside of it, so the visible faces form one disc, and
//!    no new face is degenerate.
//! 3. Remaining points outside of a face are measured against the finished hull; those farther away than the
//!    tolerance are inserted after all. (A point within the tolerance of a face's plane can be far from the
//!    face where two faces meet at a small angle.)
//! 4. Vertices within the tolerance of the hull of the others are removed: interior points of flat faces and
//!    straight edges, up to rounding.
//!
//! Step 4 also bounds the thinness of triangles: no height of one is below the tolerance.
//!
//! [Barber 1996] Barber, Dobkin, Huhdanpaa: The Quickhull Algorithm for Convex Hulls, ACM TOMS 22. [Shewchuk
//! 1997] Shewchuk: Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates,
//! Discrete & Computational Geometry 18.

use contact_geometry::math::Vec3;
use robust::{Coord3D, orient3d};

/// Tolerance [1] for exactly known points, relative to the largest extent: above the rounding of points that
/// were rotated or scaled (1e-15), below every length that matters.
pub const EXACT: f64 = 1e-12;

/// Thickness [1] below which points are flat, relative to the largest extent.
pub(crate) const FLAT: f64 = 1e-9;

/// Maximum number of faces on the walk to a point.
const WALK: usize = 50;

/// Maximum repetitions of step 4; each round at least halves the points to remove, and two rounds have
/// sufficed in all tests.
const ROUNDS: usize = 20;

/// Closed surface of triangles.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Surface {
    /// Vertices [m].
    pub vertices: Vec<Vec3>,
    /// Triangles by vertex, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    pub(crate) fn corners(&self, triangle: &[u32; 3]) -> [Vec3; 3] {
        triangle.map(|vertex| self.vertices[vertex as usize])
    }

    /// Largest coordinate of a vertex of a triangle [m].
    pub fn largest(&self) -> f64 {
        let corners = self.triangles.iter().flatten();
        let sizes = corners.map(|vertex| self.vertices[*vertex as usize].amax());
        sizes.fold(0.0, f64::max)
    }

    /// Lower and upper corner of the bounding box [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        bounds(&self.vertices)
    }

    /// Enclosed volume [m3], negative if the triangles are inside out.
    pub(crate) fn volume(&self) -> f64 {
        let (lower, upper) = self.bounds();
        let middle = (lower + upper) * 0.5;
        let sixfold = self.triangles.iter().map(|triangle| {
            let [a, b, c] = self.corners(triangle).map(|corner| corner - middle);
            a.dot(&b.cross(&c))
        });
        sixfold.sum::<f64>() / 6.0
    }
}

/// Normal of a triangle with twice its area as length, from the corner opposite to the longest edge, where
/// the largest angle loses least in a thin triangle.
pub(crate) fn normal(a: &Vec3, b: &Vec3, c: &Vec3) -> Vec3 {
    let [ab, bc, ca] = [b - a, c - b, a - c];
    let [x, y, z] = [&ab, &bc, &ca].map(|edge| edge.norm_squared());
    if x >= y && x >= z {
        bc.cross(&ca)
    } else if y >= z {
        ca.cross(&ab)
    } else {
        ab.cross(&bc)
    }
}

pub(crate) fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    points.iter().fold(
        (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)),
        |(lower, upper), p| (lower.inf(p), upper.sup(p)),
    )
}

pub(crate) fn extent(points: &[Vec3]) -> f64 {
    let (lower, upper) = bounds(points);
    (upper - lower).max().max(0.0)
}

/// Reason why points have no hull with a volume.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HullError {
    /// Fewer than four different points, with their number.
    #[error("has {0} different {points}; a solid has at least 4", points = if *.0 == 1 { "point" } else { "points" })]
    TooFew(usize),
    /// All points on one line.
    #[error("has all points on one line; a solid needs a thickness")]
    Line,
    /// Points within this thickness of a plane [m].
    #[error("has all points in one plane (within {0:e} m); a solid needs a thickness")]
    Flat(f64),
    /// Index of a point whose coordinates are not finite.
    #[error("has a point, number {}, that is not finite", .0 + 1)]
    NotFinite(usize),
}

/// Convex hull of points. Points within `tolerance` of the hull, relative to the largest extent, may be left
/// out; every vertex of the hull is one of the points.
///
/// # Errors
/// Points that bound no volume.
pub fn convex_hull(points: &[Vec3], tolerance: f64) -> Result<Surface, HullError> {
    let tolerance = tolerance * extent(points);
    let mut hull = hull_of(points, tolerance)?;
    for _ in 0..ROUNDS {
        let kept = without_redundant(&hull, tolerance);
        if kept.len() == hull.vertices.len() {
            break;
        }
        hull = hull_of(&kept, tolerance)?;
    }
    Ok(hull)
}

/// Steps 1 to 3; `tolerance` in units of the points.
fn hull_of(points: &[Vec3], tolerance: f64) -> Result<Surface, HullError> {
    if let Some(index) = points.iter().position(|p| p.iter().any(|c| !c.is_finite())) {
        return Err(HullError::NotFinite(index));
    }
    let mut builder = Builder::start(points)?;
    builder.grow(tolerance);
    while let Some((point, face)) = builder.missed(tolerance) {
        builder.insert(point, face);
        builder.grow(tolerance);
    }
    Ok(builder.finish())
}

const NONE: u32 = u32::MAX;

struct Face {
    vertices: [u32; 3],
    /// Face beyond the edge from vertex k to vertex k + 1.
    neighbours: [u32; 3],
    /// Points that are farther outside of this face than of any other.
    outside: Vec<u32>,
    alive: bool,
}

struct Builder<'a> {
    points: &'a [Vec3],
    faces: Vec<Face>,
    open: Vec<u32>,
    /// For each point, the new face whose border edge starts there.
    starts: Vec<u32>,
}

fn coordinates(p: &Vec3) -> Coord3D<f64> {
    Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    }
}

/// Six times the volume of the tetrahedron, positive if p lies on the outer side of (a, b, c). The sign is
/// exact.
fn outside(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> f64 {
    -orient3d(
        coordinates(a),
        coordinates(b),
        coordinates(c),
        coordinates(p),
    )
}

impl<'a> Builder<'a> {
    fn start(points: &'a [Vec3]) -> Result<Self, HullError> {
        let [a, b, c, d] = first_four(points)?;
        let at = |i: u32| &points[i as usize];
        let (b, c) = match outside(at(a), at(b), at(c), at(d)) > 0.0 {
            true => (c, b),
            false => (b, c),
        };
        // d lies inside of (a, b, c).
        let mut builder = Builder {
            points,
            faces: Vec::new(),
            open: vec![0, 1, 2, 3],
            starts: vec![NONE; points.len()],
        };
        for (vertices, neighbours) in [
            ([a, b, c], [1, 2, 3]),
            ([b, a, d], [0, 3, 2]),
            ([c, b, d], [0, 1, 3]),
            ([a, c, d], [0, 2, 1]),
        ] {
            builder.faces.push(Face {
                vertices,
                neighbours,
                outside: Vec::new(),
                alive: true,
            });
        }
        for point in 0..points.len() as u32 {
            builder.assign(point, 0..4);
        }
        Ok(builder)
    }

    /// Six times the volume between a face and a point, positive outside.
    fn above(&self, face: u32, point: u32) -> f64 {
        let [a, b, c] = self.corners(face);
        outside(&a, &b, &c, &self.points[point as usize])
    }

    fn corners(&self, face: u32) -> [Vec3; 3] {
        let vertices = self.faces[face as usize].vertices;
        vertices.map(|v| self.points[v as usize])
    }

    fn distance(&self, face: u32, point: u32) -> f64 {
        let [a, b, c] = self.corners(face);
        self.above(face, point) / normal(&a, &b, &c).norm()
    }

    /// Assigns a point to the face of a range that it is farthest outside of; a point inside of all is
    /// dropped.
    fn assign(&mut self, point: u32, faces: std::ops::Range<u32>) {
        let (mut best, mut farthest) = (NONE, 0.0);
        for face in faces {
            let above = self.above(face, point);
            if above > 0.0 {
                let [a, b, c] = self.corners(face);
                let distance = above / normal(&a, &b, &c).norm();
                if distance > farthest || best == NONE {
                    (best, farthest) = (face, distance);
                }
            }
        }
        if best != NONE {
            self.faces[best as usize].outside.push(point);
        }
    }

    fn grow(&mut self, tolerance: f64) {
        while let Some(face) = self.open.pop() {
            if !self.faces[face as usize].alive {
                continue;
            }
            let outside = &self.faces[face as usize].outside;
            let (mut best, mut farthest) = (NONE, tolerance);
            for point in outside {
                let distance = self.distance(face, *point);
                if distance > farthest {
                    (best, farthest) = (*point, distance);
                }
            }
            if best != NONE {
                self.insert(best, face);
            }
        }
    }

    /// Replaces the faces visible from a point, `face` among them, by the cone from it.
    fn insert(&mut self, point: u32, face: u32) {
        let mut seen = vec![face];
        self.faces[face as usize].alive = false;
        let mut border = Vec::new();
        let mut next = 0;
        while let Some(face) = seen.get(next).copied() {
            next += 1;
            for side in 0..3 {
                let beyond = self.faces[face as usize].neighbours[side];
                if !self.faces[beyond as usize].alive {
                    continue;
                }
                if self.above(beyond, point) > 0.0 {
                    self.faces[beyond as usize].alive = false;
                    seen.push(beyond);
                } else {
                    let vertices = self.faces[face as usize].vertices;
                    border.push((vertices[side], vertices[(side + 1) % 3], beyond));
                }
            }
        }
        let first = self.faces.len() as u32;
        for (number, (from, to, beyond)) in border.iter().enumerate() {
            let new = first + number as u32;
            self.starts[*from as usize] = new;
            let outer = &mut self.faces[*beyond as usize];
            for side in 0..3 {
                if (outer.vertices[side], outer.vertices[(side + 1) % 3]) == (*to, *from) {
                    outer.neighbours[side] = new;
                }
            }
            self.faces.push(Face {
                vertices: [*from, *to, point],
                neighbours: [*beyond, NONE, NONE],
                outside: Vec::new(),
                alive: true,
            });
        }
        let end = self.faces.len() as u32;
        for new in first..end {
            let [_, to, _] = self.faces[new as usize].vertices;
            let following = self.starts[to as usize];
            self.faces[new as usize].neighbours[1] = following;
            self.faces[following as usize].neighbours[2] = new;
        }
        for face in seen {
            for orphan in std::mem::take(&mut self.faces[face as usize].outside) {
                if orphan != point {
                    self.assign(orphan, first..end);
                }
            }
        }
        self.open.extend(first..end);
    }

    /// Point that is farther from the hull than the tolerance, though close to all planes, with the face that
    /// it is farthest outside of.
    fn missed(&self, tolerance: f64) -> Option<(u32, u32)> {
        let count = self.faces.len() as u32;
        let alive = (0..count).filter(|face| self.faces[*face as usize].alive);
        let left = alive.clone().flat_map(|face| {
            let outside = self.faces[face as usize].outside.iter();
            outside.map(move |point| (*point, face))
        });
        for (point, given) in left {
            let p = self.points[point as usize];
            let near = |face: u32| {
                let [a, b, c] = self.corners(face);
                distance_to_triangle(&p, &a, &b, &c) <= tolerance
            };
            if self.walk(&p, given, near) || alive.clone().any(near) {
                continue;
            }
            let sees = alive.clone().filter(|face| self.above(*face, point) > 0.0);
            let farthest = sees.max_by(|one, two| {
                let [one, two] = [*one, *two].map(|face| self.distance(face, point));
                one.total_cmp(&two)
            });
            if let Some(face) = farthest {
                return Some((point, face));
            }
        }
        None
    }

    /// Returns true if a face on a walk over the surface towards a point is near it. A cheap test: false
    /// proves nothing.
    fn walk(&self, p: &Vec3, from: u32, near: impl Fn(u32) -> bool) -> bool {
        let mut face = from;
        for _ in 0..WALK {
            if near(face) {
                return true;
            }
            let corners = self.corners(face);
            let [a, b, c] = &corners;
            let normal = normal(a, b, c);
            // Beyond the edge that the point is farthest outside of.
            let (mut most, mut next) = (0.0, NONE);
            for side in 0..3 {
                let edge = corners[(side + 1) % 3] - corners[side];
                let beyond = normal.cross(&edge).dot(&(corners[side] - p)) / edge.norm();
                if beyond > most {
                    (most, next) = (beyond, self.faces[face as usize].neighbours[side]);
                }
            }
            if next == NONE {
                return false;
            }
            face = next;
        }
        false
    }

    fn finish(self) -> Surface {
        let alive = self.faces.iter().filter(|face| face.alive);
        let triangles: Vec<[u32; 3]> = alive.map(|face| face.vertices).collect();
        compact(self.points, &triangles)
    }
}

/// Triangles with only their vertices, in the order of the vertices.
pub(crate) fn compact(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Surface {
    let mut numbers = vec![u32::MAX; vertices.len()];
    for vertex in triangles.iter().flatten() {
        numbers[*vertex as usize] = 0;
    }
    let mut kept = Vec::new();
    for (number, vertex) in numbers.iter_mut().zip(vertices) {
        if *number == 0 {
            *number = kept.len() as u32;
            kept.push(*vertex);
        }
    }
    let triangles = triangles.iter().map(|t| t.map(|v| numbers[v as usize]));
    Surface {
        triangles: triangles.collect(),
        vertices: kept,
    }
}

/// Four points that span a tetrahedron.
fn first_four(points: &[Vec3]) -> Result<[u32; 4], HullError> {
    let mut different: Vec<&Vec3> = Vec::new();
    for point in points {
        if different.len() < 4 && !different.contains(&point) {
            different.push(point);
        }
    }
    if different.len() < 4 {
        return Err(HullError::TooFew(different.len()));
    }
    let flat = FLAT * extent(points);
    let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
        let (mut best, mut largest) = (0, f64::NEG_INFINITY);
        for (index, point) in points.iter().enumerate() {
            let value = measure(point);
            if value > largest {
                (best, largest) = (index, value);
            }
        }
        (best, largest)
    };
    let axis = {
        let (lower, upper) = bounds(points);
        (upper - lower).imax()
    };
    let (a, _) = farthest(&|p| -p[axis]);
    let (b, _) = farthest(&|p| (p - points[a]).norm());
    let along = (points[b] - points[a]).normalize();
    let (c, width) = farthest(&|p| {
        let offset = p - points[a];
        (offset - along * offset.dot(&along)).norm()
    });
    if width <= flat {
        return Err(HullError::Line);
    }
    let normal = along.cross(&(points[c] - points[a])).normalize();
    let (d, height) = farthest(&|p| normal.dot(&(p - points[a])).abs());
    if height <= flat {
        return Err(HullError::Flat(height));
    }
    Ok([a, b, c, d].map(|index| index as u32))
}

/// Vertices of a hull without those within `tolerance` of the hull of their neighbours. Only one of two
/// neighbours is removed at a time: each may make the other redundant.
fn without_redundant(hull: &Surface, tolerance: f64) -> Vec<Vec3> {
    let count = hull.vertices.len();
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut normals = vec![Vec3::zeros(); count];
    for triangle in &hull.triangles {
        let [a, b, c] = hull.corners(triangle);
        let normal = normal(&a, &b, &c);
        for side in 0..3 {
            let vertex = triangle[side] as usize;
            neighbours[vertex].push(triangle[(side + 1) % 3]);
            normals[vertex] += normal;
        }
    }
    let middle = hull.vertices.iter().sum::<Vec3>() / count as f64;
    let mut locked = vec![false; count];
    let mut kept = Vec::new();
    for (vertex, around) in neighbours.iter().enumerate() {
        let position = hull.vertices[vertex];
        let mut others: Vec<Vec3> = around.iter().map(|v| hull.vertices[*v as usize]).collect();
        others.push(middle);
        // Most stand far out along their normal, so that no hull is made.
        let least = 2.0 * tolerance * normals[vertex].norm();
        let stands_out = |other| normals[vertex].dot(&(position - other)) > least;
        if count > 4
            && !locked[vertex]
            && !others.iter().all(stands_out)
            && distance_to_hull(&position, &others) <= tolerance
        {
            for neighbour in around {
                locked[*neighbour as usize] = true;
            }
        } else {
            kept.push(position);
        }
    }
    kept
}

/// Distance of a point from the hull of a few others; infinite if they span no solid.
fn distance_to_hull(point: &Vec3, others: &[Vec3]) -> f64 {
    let Ok(hull) = hull_of(others, 0.0) else {
        return f64::INFINITY;
    };
    let corners: Vec<[Vec3; 3]> = hull.triangles.iter().map(|t| hull.corners(t)).collect();
    if corners
        .iter()
        .all(|[a, b, c]| outside(a, b, c, point) <= 0.0)
    {
        return 0.0;
    }
    let distances = corners
        .iter()
        .map(|[a, b, c]| distance_to_triangle(point, a, b, c));
    distances.fold(f64::INFINITY, f64::min)
}

pub(crate) fn distance_to_triangle(p: &Vec3, a: &Vec3, b: &Vec3, c: &Vec3) -> f64 {
    let normal = normal(a, b, c);
    let inside = |from: &Vec3, to: &Vec3| (to - from).cross(&(p - from)).dot(&normal) >= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) && normal != Vec3::zeros() {
        return (p - a).dot(&normal).abs() / normal.norm();
    }
    let to_edge = |from: &Vec3, to: &Vec3| {
        let edge = to - from;
        let along = ((p - from).dot(&edge) / edge.norm_squared()).clamp(0.0, 1.0);
        (p - from - edge * if along.is_nan() { 0.0 } else { along }).norm()
    };
    to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a))
}
