//! Proof that triangles are the outward closed surface of the convex hull of their vertices.
//!
//! In a time proportional to the number n of triangles (except for sorting) a surface is proven convex by
//! 1. each edge running once in either direction: the surface is closed and oriented;
//! 2. an inner point o, the mean of the vertices, below the plane of each triangle;
//! 3. the solid angles of the triangles seen from o having the sum 4 pi;
//! 4. each edge either bending inwards or lying in a flat face.
//!
//! This is sufficient: by 1 and 2 the projection from o maps the surface onto the sphere about o with each
//! triangle the right way round, so it covers each direction equally often, and by 3 once. The surface is
//! thus the border of a body that is star-shaped about o. By 4 the body is convex near each point of an edge;
//! near a corner too, since there it is a cone over a simple spherical polygon with all angles below pi. A
//! connected closed body that is convex near each of its points is convex (Tietze 1928, Nakajima 1928).
//! Without 3 a double pyramid over a pentagram would pass.
//!
//! Where this fails, for faces that are flat to rounding only or very thin triangles, the vertices are compared with
//! the plane of each triangle, in n^1.5 to n^2 steps: in groups, by box and one by one where that reaches out.
//!
//! # Faces, neighbours and size of a hull, found once
//!
//! Triangles in one plane make one face. A face is kept as its normal and the directed edges of its rim,
//! counter-clockwise seen from outside.

use crate::math::Vec3;
use crate::math::real::atan2;
use crate::shapes::Aabb;
use std::ops::Range;

/// Maximum height of a vertex above a face plane, relative to the largest extent: rounding of an imported
/// hull.
pub(crate) const CONVEXITY_TOLERANCE: f64 = 1e-9;

/// Error of a computed plane at a distance s from a triangle of height h, in units of s^2/h: a few roundings
/// of corners and of their cross product.
const PLANE_ROUNDING: f64 = 2e-15;

/// Fraction of a plane's tolerance below which a bend at an edge does not count: so small that the corners of
/// a face of a few triangles without bends are coplanar to the full tolerance.
const BEND: f64 = 0.125;

/// Maximum deviation of the sum of solid angles from 4 pi [sr]; without rounding it is a multiple of that.
const SOLID_ANGLE: f64 = 1e-3;

struct TrianglePlane {
    /// Unit normal; zero for a triangle without area.
    normal: Vec3,
    point: Vec3,
    /// Maximum height of a vertex above it [m].
    tolerance: f64,
}

impl TrianglePlane {
    fn new(corners: &[Vec3; 3], size: f64) -> Self {
        let (normal, longest) = normal(corners);
        let length = normal.norm();
        // Rounding tilts the plane of a thin triangle, by more the smaller its height.
        let height = length / longest;
        TrianglePlane {
            normal: if length > 0.0 {
                normal / length
            } else {
                Vec3::zeros()
            },
            point: corners[0],
            tolerance: CONVEXITY_TOLERANCE * size + PLANE_ROUNDING * size * (size / height),
        }
    }

    fn above(&self, point: &Vec3) -> f64 {
        self.normal.dot(&(point - self.point))
    }
}

/// Normal of a triangle with twice its area as length, and the longest edge. Computed at the opposite corner,
/// where the largest angle loses least in a thin triangle.
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

/// Checks the surface of a hull of this largest extent [m]; returns its directed edges with their triangles,
/// sorted.
///
/// # Errors
/// Text for: an index out of range, a vertex outside a face or in no triangle, a surface that is not closed.
pub(super) fn check(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    size: f64,
) -> Result<Vec<(u32, u32, u32)>, String> {
    let mut used = vec![false; vertices.len()];
    let mut edges: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * triangles.len());
    let mut planes = Vec::with_capacity(triangles.len());
    for (index, triangle) in triangles.iter().enumerate() {
        let mut corners = [Vec3::zeros(); 3];
        for (corner, vertex) in corners.iter_mut().zip(triangle) {
            let Some(found) = vertices.get(*vertex as usize) else {
                return Err(format!(
                    "triangle {index} names vertex {vertex}; there are {}",
                    vertices.len()
                ));
            };
            *corner = *found;
            used[*vertex as usize] = true;
        }
        planes.push(TrianglePlane::new(&corners, size));
        for side in 0..3 {
            edges.push((triangle[side], triangle[(side + 1) % 3], index as u32));
        }
    }
    edges.sort_unstable();
    let twice = edges
        .windows(2)
        .any(|two| (two[0].0, two[0].1) == (two[1].0, two[1].1));
    let open = edges.iter().any(|(a, b, _)| find(&edges, *b, *a).is_none());
    let closed = !twice && !open;
    if !(closed && is_proven(vertices, triangles, &edges, &planes)) {
        compare_all(vertices, &planes)?;
    }
    if let Some(vertex) = used.iter().position(|used| !used) {
        return Err(format!("vertex {vertex} belongs to no triangle"));
    }
    if !closed {
        return Err("has a surface that is not closed".into());
    }
    Ok(edges)
}

fn compare_all(vertices: &[Vec3], planes: &[TrianglePlane]) -> Result<(), String> {
    let mut vertices = vertices.to_vec();
    let size = vertices.len().isqrt();
    let mut groups = Vec::new();
    split(&mut vertices, size, &mut groups);
    for (index, plane) in planes.iter().enumerate() {
        let mut outside: f64 = 0.0;
        for (bounds, group) in &groups {
            let [middle, half] = [bounds.middle(), bounds.half()];
            if plane.above(&middle) + plane.normal.abs().dot(&half) > 0.5 * plane.tolerance {
                outside = group.iter().map(|v| plane.above(v)).fold(outside, f64::max);
            }
        }
        if outside > plane.tolerance {
            return Err(format!(
                "is not convex: a vertex lies {outside} m outside triangle {index}"
            ));
        }
    }
    Ok(())
}

/// Appends groups of up to `size` vertices that lie near each other, with their boxes.
fn split<'a>(vertices: &'a mut [Vec3], size: usize, groups: &mut Vec<(Aabb, &'a [Vec3])>) {
    let bounds = vertices.iter().fold(Aabb::EMPTY, |all, v| all.with(v));
    if vertices.len() <= size {
        groups.push((bounds, vertices));
        return;
    }
    let axis = bounds.half().imax();
    let middle = vertices.len() / 2;
    vertices.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
    let (low, high) = vertices.split_at_mut(middle);
    split(low, size, groups);
    split(high, size, groups);
}

/// Returns true if a closed surface meets conditions 2 to 4.
fn is_proven(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    edges: &[(u32, u32, u32)],
    planes: &[TrianglePlane],
) -> bool {
    let corners = |t: u32| triangles[t as usize].map(|v| vertices[v as usize]);
    let inner = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
    let mut angles = 0.0;
    for (t, plane) in planes.iter().enumerate() {
        // Written so that NaN proves nothing.
        let below = plane.above(&inner) < -plane.tolerance;
        if !below {
            return false;
        }
        angles += solid_angle(corners(t as u32).map(|corner| corner - inner));
    }
    let once = (angles - 4.0 * std::f64::consts::PI).abs() < SOLID_ANGLE;
    // Triangles that share an edge without a bend make one face.
    let mut face: Vec<u32> = (0..triangles.len() as u32).collect();
    let mut bends_inwards = true;
    for (a, b, one) in edges {
        let Some(other) = find(edges, *b, *a) else {
            return false;
        };
        let far = triangles[other as usize]
            .into_iter()
            .find(|v| v != a && v != b)
            .map_or(inner, |v| vertices[v as usize]);
        let plane = &planes[*one as usize];
        let above = plane.above(&far);
        let none = BEND * plane.tolerance;
        bends_inwards &= above <= none;
        if above >= -none {
            unite(&mut face, *one, other);
        }
    }
    once && bends_inwards && are_flat(&mut face, planes, corners)
}

/// Returns true if all corners of each face lie in the most accurate plane among its triangles.
fn are_flat(
    face: &mut [u32],
    planes: &[TrianglePlane],
    corners: impl Fn(u32) -> [Vec3; 3],
) -> bool {
    let count = face.len() as u32;
    let mut best: Vec<u32> = (0..count).collect();
    for t in 0..count {
        let of = &mut best[root(face, t) as usize];
        if planes[t as usize].tolerance < planes[*of as usize].tolerance {
            *of = t;
        }
    }
    (0..count).all(|t| {
        let plane = &planes[best[root(face, t) as usize] as usize];
        let in_plane = |corner: &Vec3| plane.above(corner).abs() <= plane.tolerance;
        corners(t).iter().all(in_plane)
    })
}

/// Solid angle of a triangle seen from the origin [sr] (van Oosterom, Strackee 1983): tan(angle/2) = a.(b x
/// c)/(|a||b||c| + a.b |c| + b.c |a| + c.a |b|).
fn solid_angle([a, b, c]: [Vec3; 3]) -> f64 {
    let [x, y, z] = [a.norm(), b.norm(), c.norm()];
    let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
    2.0 * atan2(a.dot(&b.cross(&c)), below)
}

/// Representative triangle of a group (union-find with path compression).
pub(super) fn root(group: &mut [u32], mut triangle: u32) -> u32 {
    while group[triangle as usize] != triangle {
        let next = group[triangle as usize];
        group[triangle as usize] = group[next as usize];
        triangle = next;
    }
    triangle
}

/// Triangle of the directed edge from a to b.
pub(super) fn find(edges: &[(u32, u32, u32)], a: u32, b: u32) -> Option<u32> {
    let index = edges
        .binary_search_by_key(&(a, b), |edge| (edge.0, edge.1))
        .ok()?;
    edges.get(index).map(|edge| edge.2)
}

pub(super) fn unite(group: &mut [u32], one: u32, other: u32) {
    let (one, other) = (root(group, one), root(group, other));
    group[one.max(other) as usize] = one.min(other);
}

/// Distance, relative to the largest extent, of a triangle's far vertex from the plane of its neighbour up to
/// which both form one face.
const COPLANAR: f64 = 1e-9;

#[derive(Clone, Debug, PartialEq)]
struct Face {
    normal: Vec3,
    /// Mean of normal . corner over the corners [m].
    offset: f64,
    /// End of its edges in the list of edges.
    end: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faces {
    faces: Vec<Face>,
    edges: Vec<[u32; 2]>,
    /// Neighbours of vertex i from `starts[i]` to `starts[i + 1]`.
    neighbours: Vec<u32>,
    starts: Vec<u32>,
    /// Face to the left of the way to each neighbour.
    around: Vec<u32>,
    pub center: Vec3,
    pub size: f64,
}

impl Faces {
    /// `edges` are directed, sorted, and with their triangles.
    pub(crate) fn new(
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
        let mut numbers = vec![0; face.len()];
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); face.len()];
        for (t, face) in (0..).zip(&face) {
            members[*face as usize].push(t);
        }
        for group in members.iter().filter(|group| !group.is_empty()) {
            let mut normal = Vec3::zeros();
            for t in group {
                numbers[*t as usize] = found.faces.len() as u32;
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
            let rim = &mut found.edges[start..];
            for k in 1..rim.len() {
                if let Some(next) = (k..rim.len()).find(|next| rim[*next][0] == rim[k - 1][1]) {
                    rim.swap(k, next);
                }
            }
            let heights = rim.iter().map(|[v, _]| vertices[*v as usize].dot(&normal));
            found.faces.push(Face {
                normal,
                offset: heights.sum::<f64>() / rim.len() as f64,
                end: found.edges.len(),
            });
        }
        let around = edges.iter().map(|edge| numbers[edge.2 as usize]);
        found.around = around.collect();
        found.center = center(vertices, triangles);
        found
    }

    /// Returns true if every face has a normal; false for coplanar or collinear vertices.
    pub(crate) fn is_solid(&self) -> bool {
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

    /// [`Self::for_each`] of the faces with these numbers.
    pub(crate) fn for_those(&self, numbers: &[u32], mut look: impl FnMut(&Vec3, &[[u32; 2]])) {
        for face in numbers.iter().map(|number| *number as usize) {
            look(self.plane(face).0, &self.edges[self.rim(face)]);
        }
    }

    /// Outward unit normal n of a face, and n.x [m] of its points x.
    #[inline(always)]
    pub(crate) fn plane(&self, face: usize) -> (&Vec3, f64) {
        let face = &self.faces[face];
        (&face.normal, face.offset)
    }

    pub(crate) fn count(&self) -> usize {
        self.faces.len()
    }

    /// Range of the edges of a face.
    #[inline(always)]
    pub(crate) fn rim(&self, face: usize) -> Range<usize> {
        let before = face.checked_sub(1);
        before.map_or(0, |before| self.faces[before].end)..self.faces[face].end
    }

    /// Start and end of each edge, face by face.
    pub(crate) fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    #[inline(always)]
    pub(crate) fn neighbours(&self, vertex: usize) -> &[u32] {
        &self.neighbours[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Faces at a vertex; one of several triangles there comes as often.
    #[inline(always)]
    pub(crate) fn around(&self, vertex: usize) -> &[u32] {
        &self.around[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// Centroid of the volume, from tetrahedra over the first vertex.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Apexes and rim of a double pyramid over the closed way through these points.
    fn double_pyramid(rim: &[[f64; 2]]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let n = rim.len() as u32;
        let mut vertices: Vec<[f64; 3]> = rim.iter().map(|[x, y]| [*x, *y, 0.0]).collect();
        vertices.extend([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]);
        let sides = (0..n).map(|i| (i, (i + 1) % n));
        let triangles = sides.flat_map(|(i, j)| [[i, j, n], [j, i, n + 1]]);
        (vertices, triangles.collect())
    }

    /// Points of the unit circle, `turns` times around.
    fn circle(count: usize, turns: usize) -> Vec<[f64; 2]> {
        (0..count)
            .map(|i| (std::f64::consts::TAU * (turns * i) as f64 / count as f64).sin_cos())
            .map(|(sine, cosine)| [cosine, sine])
            .collect()
    }

    fn flaw(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> String {
        let vertices: Vec<Vec3> = vertices.iter().map(|v| Vec3::from(*v)).collect();
        check(&vertices, triangles, 2.0).expect_err("not convex")
    }

    fn proven(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> bool {
        let vertices: Vec<Vec3> = vertices.iter().map(|v| Vec3::from(*v)).collect();
        let edges = check(&vertices, triangles, 2.0).expect("a closed surface");
        let planes: Vec<TrianglePlane> = triangles
            .iter()
            .map(|t| TrianglePlane::new(&t.map(|v| vertices[v as usize]), 2.0))
            .collect();
        is_proven(&vertices, triangles, &edges, &planes)
    }

    #[test]
    fn a_surface_that_runs_around_twice_is_refused_though_it_bends_inwards_everywhere() {
        let (vertices, triangles) = double_pyramid(&circle(5, 2));
        let error = flaw(&vertices, &triangles);
        assert!(error.starts_with("is not convex: a vertex lies"), "{error}");
    }

    #[test]
    fn a_dent_is_refused_however_shallow() {
        for depth in [1e-1, 1e-4, 1e-7] {
            let mut rim = circle(64, 1);
            let [a, b] = [rim[10], rim[12]];
            rim[11] = [0, 1].map(|k| 0.5 * (a[k] + b[k]) * (1.0 - depth));
            let (vertices, triangles) = double_pyramid(&rim);
            let error = flaw(&vertices, &triangles);
            assert!(error.starts_with("is not convex: a vertex lies"), "{error}");
        }
    }

    #[test]
    fn smooth_and_flat_faced_hulls_are_proven_without_comparing_all() {
        let (vertices, triangles) = double_pyramid(&circle(1000, 1));
        assert!(proven(&vertices, &triangles));
        // Prism: each cap is a fan of triangles in one plane, each side two.
        let n = 100;
        let rim = circle(n, 1);
        let at = |z: f64| rim.iter().map(move |[x, y]| [*x, *y, z]);
        let vertices: Vec<[f64; 3]> = at(-1.0).chain(at(1.0)).collect();
        let n = n as u32;
        let mut triangles = Vec::new();
        for i in 0..n {
            let j = (i + 1) % n;
            triangles.extend([[i, j, n + j], [i, n + j, n + i]]);
            if i > 0 && j > 0 {
                triangles.extend([[0, j, i], [n, n + i, n + j]]);
            }
        }
        assert!(proven(&vertices, &triangles));
    }
}
