//! Convex polyhedron: vertices and the triangles of its surface.
//!
//! Contact needs only the vertices, and their neighbours to find the farthest vertex of a large hull without
//! testing all. Triangles are kept for checks and pictures.
//!
//! - `layer`: how the faces meet below the surface
//! - `surface`: checks that triangles are the surface of a convex polyhedron

mod layer;
mod surface;

pub(super) use surface::Faces;

use crate::math::{Real, Vec3};
use crate::shapes::hull::layer::Layer;
use crate::shapes::hull::surface::{check, find};
use crate::shapes::strata::{
    BLEND, Element, Footprint, INSIDE, Solid, Stratum, dot, fade, soft_vertex,
};

/// Convex polyhedron in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Coordinates x, y, z of four vertices at a time, padded with the first vertex.
    fours: Vec<[[f64; 4]; 3]>,
    faces: Faces,
    layer: Layer,
    extent: (Vec3, Vec3),
    /// Start vertices of the walk along edges to the farthest one, by [`cell`] of the direction; empty where
    /// the walk might fail or is not faster.
    starts: Vec<u32>,
}

/// Number of vertices from which walking from neighbour to neighbour beats testing all.
const CLIMB: usize = 40;

/// Number of faces up to which those near a vertex are listed.
const MOST_FACES: usize = 64;

/// Number of cells per axis of the cube that directions are sorted into.
const CELLS: usize = 8;

/// Cell of a direction, scaled to end on the surface of the cube from -1 to 1; any cell for zero and NaN.
#[inline(always)]
fn cell(d: &Vec3) -> usize {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let scale = 0.5 * CELLS as f64 / larger(larger(d.x.abs(), d.y.abs()), d.z.abs());
    // A cast takes NaN to zero.
    let along = |c: f64| ((c * scale + 0.5 * CELLS as f64) as i32).clamp(0, CELLS as i32 - 1);
    (along(d.x) as usize * CELLS + along(d.y) as usize) * CELLS + along(d.z) as usize
}

/// Depth, relative to the largest extent, of a triangle's far vertex below the plane of its neighbour, from
/// which the walk along edges surely reaches the farthest vertex: well above rounding and
/// [`CONVEXITY_TOLERANCE`].
const STRICT: f64 = 1e-8;

impl Hull {
    /// Checks that the triangles are the outward closed surface of the convex hull of the vertices.
    ///
    /// # Errors
    /// Text for: too few vertices, an index out of range, a number that is not finite, a vertex outside a
    /// face or in no triangle, a surface that is not closed or encloses nothing.
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
            layer: Layer::default(),
            starts: Vec::new(),
        };
        let edges = check(&hull.vertices, &hull.triangles, size)?;
        hull.fours = in_fours(&hull.vertices);
        if hull.vertices.len() >= CLIMB && hull.is_strictly_convex(&edges) {
            hull.starts = hull.find_starts();
        }
        hull.faces = Faces::new(&hull.vertices, &hull.triangles, &edges, size);
        hull.layer = Layer::new(&hull.faces, &hull.vertices);
        if !hull.faces.is_solid() {
            return Err("bounds nothing: its vertices lie in a plane or a line".into());
        }
        Ok(hull)
    }

    /// Vertices [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Vertex indices of the triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Faces, neighbours and size.
    pub fn faces(&self) -> &Faces {
        &self.faces
    }

    pub(crate) fn layer(&self) -> &Layer {
        &self.layer
    }

    pub(crate) fn extent(&self) -> (Vec3, Vec3) {
        self.extent
    }

    /// Returns true if a walk along edges surely reaches the farthest vertex, and is faster than testing all.
    pub(crate) fn can_walk(&self) -> bool {
        !self.starts.is_empty()
    }

    #[inline(always)]
    pub(crate) fn farthest(&self, direction: &Vec3) -> usize {
        self.farthest_near(direction, usize::MAX)
    }

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

    /// Index of a vertex farthest along `direction`; the walk may start at `near`, any nearby vertex.
    #[inline(always)]
    pub(crate) fn farthest_near(&self, direction: &Vec3, near: usize) -> usize {
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
                // Selected, not branched to: which neighbour is farther is unpredictable.
                let farther = along > farthest;
                best = if farther { *neighbour as usize } else { best };
                farthest = if farther { along } else { farthest };
            }
            if best == here {
                return best;
            }
        }
    }

    /// Numbers of the faces with a vertex at least `height` [m] along `direction`, ascending, and their count;
    /// `None` if they are more than fit.
    pub(crate) fn faces_above(
        &self,
        direction: &Vec3,
        height: f64,
    ) -> Option<([u32; MOST_FACES], usize)> {
        let (mut found, mut count) = ([0; MOST_FACES], 0);
        for vertex in self.above(direction, height) {
            for face in self.faces.around(vertex) {
                if let Err(place) = found[..count].binary_search(face) {
                    found.get(count)?;
                    found.copy_within(place..count, place + 1);
                    found[place] = *face;
                    count += 1;
                }
            }
        }
        Some((found, count))
    }

    /// Numbers of the vertices at least `height` [m] along `direction`, ascending.
    #[inline(always)]
    pub(crate) fn above(&self, direction: &Vec3, height: f64) -> impl Iterator<Item = usize> {
        let (d, count) = (*direction, self.vertices.len());
        let fours = self.fours.iter().enumerate();
        let near = fours.filter_map(move |(index, [x, y, z])| {
            let mut along = [0.0; 4];
            for i in 0..4 {
                along[i] = x[i] * d.x + y[i] * d.y + z[i] * d.z;
            }
            let larger = |a: f64, b: f64| if a > b { a } else { b };
            let most = larger(larger(along[0], along[1]), larger(along[2], along[3]));
            (most >= height).then(|| (index, along.map(|along| along >= height)))
        });
        near.flat_map(move |(index, lanes)| {
            let numbers = (4 * index..count).zip(lanes);
            numbers.filter_map(|(number, is_above)| is_above.then_some(number))
        })
    }

    /// Farthest vertex along the middle of each cell.
    fn find_starts(&self) -> Vec<u32> {
        let middle = |i: usize| (2 * i + 1) as f64 - CELLS as f64;
        (0..CELLS * CELLS * CELLS)
            .map(|i| [i / (CELLS * CELLS), i / CELLS % CELLS, i % CELLS].map(middle))
            .map(|d| self.farthest_of_all(&Vec3::from(d)) as u32)
            .collect()
    }

    /// Returns true if all edges are sharper than [`STRICT`]; `edges` are sorted, with their triangles.
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

impl Solid for Hull {
    #[inline(always)]
    fn support(&self, d: &Vec3) -> Vec3 {
        self.vertices()[self.farthest(d)]
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        dot(&self.vertices()[self.farthest(&d.map(Real::value))], d)
    }

    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        let direction = d.map(Real::value);
        let band = BLEND * self.faces().size;
        let number = self.farthest(&direction);
        let farthest = self.vertices()[number];
        if !self.has_near(number, &direction, band) {
            return farthest.map(T::from);
        }
        soft_vertex(&farthest, d, self.faces().size, |_, look| {
            self.vertices().iter().for_each(look);
        })
    }

    fn footprint<T: Real>(&self, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Footprint<T>> {
        let direction = d.map(Real::value);
        let number = self.farthest(&direction);
        let farthest = self.vertices()[number];
        // All diagonals lie in the cone of the edges, so none is flatter than the flattest edge.
        let neighbours = self.faces().neighbours(number).iter();
        let mut along = neighbours.map(|i| farthest - self.vertices()[*i as usize]);
        if along.all(|along| along.dot(&direction) >= BLEND * along.norm()) {
            return None;
        }
        let [edge, face] = self.shown(&farthest, d);
        if edge.value() <= 0.0 {
            return None;
        }
        // The covariance of the vertices under the weights of the soft point, over its root.
        let band = BLEND * self.faces().size;
        let near = |vertex: &&Vec3| (farthest - **vertex).dot(&direction) < band;
        let middle = self.soft_support(d);
        let (mut sum, mut weights) = ([T::zero(); 3], T::zero());
        for vertex in self.vertices().iter().filter(near) {
            let behind = (farthest - vertex).map(T::from).dot(d);
            let weight = T::one() - behind / band;
            let weight = weight * weight;
            let off = vertex.map(T::from) - middle;
            let [x, y] = [basis[0].dot(&off), basis[1].dot(&off)];
            sum[0] += weight * x * x;
            sum[1] += weight * x * y;
            sum[2] += weight * y * y;
            weights += weight;
        }
        let trace = (sum[0] + sum[2]) / weights;
        (trace.value() > 0.0).then(|| {
            let scale = T::one() / (weights * trace.sqrt());
            Footprint {
                extents: sum.map(|s| s * scale),
                edge,
                face,
            }
        })
    }

    fn reach(&self) -> f64 {
        self.vertices().iter().map(|v| v.norm()).fold(0.0, f64::max)
    }

    fn largest_coordinate(&self) -> f64 {
        let (lower, upper) = self.extent();
        lower.amax().max(upper.amax())
    }

    fn own_box(&self) -> Option<[Vec3; 2]> {
        let (lower, upper) = self.extent();
        Some([lower, upper])
    }

    fn has(&self, part: &Stratum) -> bool {
        let Stratum::Corners { corners, count } = part else {
            return false;
        };
        let used = corners.get(..usize::from(*count)).unwrap_or_default();
        let known = |i: &u32| (*i as usize) < self.vertices().len();
        let repeated = (1..used.len()).any(|i| used[..i].contains(&used[i]));
        !used.is_empty() && used.iter().all(known) && !repeated
    }

    fn farthest_stratum(&self, d: &Vec3, _parallel: f64) -> Stratum {
        Stratum::corner(self.farthest(d))
    }

    /// Vertex, edge or face by one, two or three corners.
    fn element(&self, part: &Stratum) -> Element {
        let Stratum::Corners { corners, count } = part else {
            return Element::point(Vec3::zeros());
        };
        let [a, b, c] = corners.map(|i| self.vertex_or_last(i));
        match count {
            1 => Element::point(a),
            2 => Element::edge((a + b) * 0.5, (b - a) * 0.5),
            _ => {
                let normal = (b - a).cross(&(c - a));
                Element::Face {
                    normal: normal / normal.norm(),
                    q: a,
                }
            }
        }
    }

    fn exit(&self, part: &Stratum, y: &Vec3) -> Option<Stratum> {
        let Stratum::Corners { corners, .. } = part else {
            return None;
        };
        let [a, b, c] = corners.map(|i| self.vertices().get(i as usize).copied());
        let (a, b, c) = (a?, b?, c?);
        let normal = (b - a).cross(&(c - a));
        // The side that the point is farthest beyond, in parts of the triangle's area.
        let mut worst = -INSIDE * normal.norm_squared();
        let mut new = *part;
        let sides = [(a, b, [0, 1, 2]), (b, c, [1, 2, 0]), (c, a, [2, 0, 1])];
        for (p, q, order) in sides {
            let area = (q - p).cross(&(y - p)).dot(&normal);
            if area < worst {
                worst = area;
                new = Stratum::Corners {
                    corners: order.map(|i| corners[i]),
                    count: 2,
                };
            }
        }
        (new != *part).then_some(new)
    }
}

impl Hull {
    /// Stratum of one to three vertices, without repetitions; three in the order that makes d an outward
    /// direction.
    pub(crate) fn through(&self, indices: impl Iterator<Item = u32>, d: &Vec3) -> Stratum {
        let mut corners = [0; 3];
        let mut count = 0;
        for index in indices {
            if count < 3 && !corners[..count].contains(&index) {
                corners[count] = index;
                count += 1;
            }
        }
        if count == 3 {
            let [p, q, r] = corners.map(|i| self.vertex_or_last(i));
            if (q - p).cross(&(r - p)).dot(d) < 0.0 {
                corners.swap(0, 1);
            }
        }
        Stratum::Corners {
            corners,
            count: count as u8,
        }
    }

    /// Position of a vertex [m]; of the last one if the index is out of range.
    fn vertex_or_last(&self, index: u32) -> Vec3 {
        let last = self.vertices().len().saturating_sub(1);
        self.vertices()[(index as usize).min(last)]
    }

    /// Returns true if a vertex lies less than `band` [m] behind `farthest`, the farthest along `direction`.
    /// Testing its neighbours suffices: the walk upwards along edges from any other vertex ends there over
    /// one of them.
    #[inline(always)]
    fn has_near(&self, farthest: usize, direction: &Vec3, band: f64) -> bool {
        let at = self.vertices()[farthest];
        let neighbours = self.faces().neighbours(farthest).iter();
        let mut behind = neighbours.map(|i| (at - self.vertices()[*i as usize]).dot(direction));
        // NaN counts as near.
        let alone = behind.all(|behind| behind >= band);
        !alone
    }

    /// Share of an edge, and of a face alone, perpendicular to d at the vertex `farthest`.
    fn shown<T: Real>(&self, farthest: &Vec3, d: &Vec3<T>) -> [T; 2] {
        /// Minimum sine of the angle between two edges that span a face.
        const WIDE: f64 = 0.1;
        let direction = d.map(Real::value);
        // Edges and diagonals from the farthest vertex to which d is nearly normal.
        let edges = || {
            self.vertices().iter().filter_map(|vertex| {
                let along = farthest - vertex;
                let length = along.norm();
                if length == 0.0 || along.dot(&direction) >= BLEND * length {
                    return None;
                }
                let along = along / length;
                fade(along.map(T::from).dot(d)).map(|fade| (along, fade))
            })
        };
        let (mut edge, mut face) = (T::zero(), T::zero());
        for (u, fade_u) in edges() {
            if fade_u.value() > edge.value() {
                edge = fade_u;
            }
            for (v, _) in edges() {
                // Of the face that holds both, as far as they make one.
                let normal = u.cross(&v);
                let sine = normal.norm();
                if sine > 0.0 {
                    let aside = d.cross(&(normal / sine).map(T::from));
                    let x = aside.dot(&aside) / (BLEND * BLEND);
                    let rest = T::one() - x;
                    let flat = rest * rest * (sine / WIDE).min(1.0);
                    if x.value() < 1.0 && flat.value() > face.value() {
                        face = flat;
                    }
                }
            }
        }
        [edge, face]
    }
}
