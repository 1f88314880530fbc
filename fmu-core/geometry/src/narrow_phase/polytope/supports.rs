//! Support mappings of the polytopes onto numbered vertices.
//!
//! Numbers of vertices: of a box by the signs of the coordinates, bit i set where coordinate i is negative;
//! of a segment 0 at -half and 1 at +half; of a hull as given.
//!
//! # Contact point of polytopes whose features are nearly parallel
//!
//! Let t be the coordinate of the contact point in the plane through the contact normal to n. The excess
//! distance phi(t) >= 0 of the two surfaces over the distance of the nearest features is convex and piecewise
//! linear, with one plane for each pair of a face of 1 and a face of 2. The nearest features are its minimum,
//! which jumps as a face or an edge passes through parallel. The contact point of this module is instead the
//! minimum of
//!
//!   phi(t) + BLEND/(2 L) |t - c|^2
//!
//! with L the size of the smaller core and c the mean of the centres, weighted towards the smaller core. The
//! second term is strictly convex, so the point is unique and moves continuously. Its slope is limited to
//! about BLEND: where phi rises more steeply the point is the nearest feature itself, unchanged; where faces
//! are parallel it is the point of their overlap nearest to the centre, so a body at rest is supported below
//! its centre.
//!
//! On a pair of faces phi is linear with gradient s, and the minimum over their overlap, a convex polygon, is
//! the point of it nearest to q = c - s L/BLEND. That point is found edge by edge (Seidel 1991): where an
//! edge is violated the solution lies on its line, between the earlier edges. The least of all pairs of faces
//! near the contact is the minimum.

use crate::math::{Mat3, Real, Vec3};
use crate::narrow_phase::gjk::Support;
use crate::shapes::strata::BLEND;
use crate::shapes::{Core, Cuboid, Hull, Segment};

pub(crate) trait Polytope: Support {
    fn vertex_count(&self) -> u32;
    fn vertex(&self, number: u32) -> Vec3;
    /// Feature about the vertices `farthest` that is perpendicular to the unit vector `outward`.
    fn flat(&self, outward: &Vec3, farthest: &[u32]) -> Flat;
}

/// Feature of a polytope perpendicular to a direction, to within [`PARALLEL`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Flat {
    Vertex,
    /// Edge along this vector, with the slope at which the surface falls off on either side.
    Edge(Vec3, f64),
    /// Larger than an edge.
    Face,
}

/// Slope below which an edge counts as perpendicular: twice the slope up to which the contact point is moved.
pub(crate) const PARALLEL: f64 = 2.0 * BLEND;

/// The origin as a polytope.
pub(crate) struct Origin;

impl Support for Origin {
    #[inline(always)]
    fn farthest(&self, _direction: &Vec3, _near: u32) -> (Vec3, u32) {
        (Vec3::zeros(), 0)
    }
}

impl Polytope for Origin {
    fn vertex_count(&self) -> u32 {
        1
    }

    fn vertex(&self, _number: u32) -> Vec3 {
        Vec3::zeros()
    }

    fn flat(&self, _outward: &Vec3, _farthest: &[u32]) -> Flat {
        Flat::Vertex
    }
}

impl Support for Vec3 {
    #[inline(always)]
    fn farthest(&self, direction: &Vec3, _near: u32) -> (Vec3, u32) {
        let point = self.zip_map(direction, f64::copysign);
        let sign = |c: f64| (c.to_bits() >> 63) as u32;
        let number = sign(direction.x) | sign(direction.y) << 1 | sign(direction.z) << 2;
        (point, number)
    }
}

impl Polytope for Vec3 {
    fn vertex_count(&self) -> u32 {
        8
    }

    #[inline(always)]
    fn vertex(&self, number: u32) -> Vec3 {
        let turned = |i: u32, c: f64| if number >> i & 1 == 1 { -c } else { c };
        Vec3::new(turned(0, self.x), turned(1, self.y), turned(2, self.z))
    }

    #[inline(always)]
    fn flat(&self, outward: &Vec3, _farthest: &[u32]) -> Flat {
        let across = outward.map(|c| c.abs() < PARALLEL);
        match (across.x, across.y, across.z) {
            (false, false, false) => Flat::Vertex,
            (true, false, false) => Flat::Edge(Vec3::x(), outward.y.abs().min(outward.z.abs())),
            (false, true, false) => Flat::Edge(Vec3::y(), outward.z.abs().min(outward.x.abs())),
            (false, false, true) => Flat::Edge(Vec3::z(), outward.x.abs().min(outward.y.abs())),
            _ => Flat::Face,
        }
    }
}

impl Support for f64 {
    #[inline(always)]
    fn farthest(&self, direction: &Vec3, _near: u32) -> (Vec3, u32) {
        let up = direction.z > 0.0;
        (self.vertex(u32::from(up)), u32::from(up))
    }
}

impl Polytope for f64 {
    fn vertex_count(&self) -> u32 {
        2
    }

    #[inline(always)]
    fn vertex(&self, number: u32) -> Vec3 {
        Vec3::new(0.0, 0.0, if number == 1 { *self } else { -*self })
    }

    #[inline(always)]
    fn flat(&self, outward: &Vec3, _farthest: &[u32]) -> Flat {
        if outward.z.abs() < PARALLEL {
            Flat::Edge(Vec3::z(), 1.0)
        } else {
            Flat::Vertex
        }
    }
}

impl Support for Hull {
    #[inline(always)]
    fn farthest(&self, direction: &Vec3, near: u32) -> (Vec3, u32) {
        let number = self.farthest_near(direction, near as usize);
        (self.vertices()[number], number as u32)
    }
}

impl Polytope for Hull {
    fn vertex_count(&self) -> u32 {
        self.vertices().len() as u32
    }

    #[inline(always)]
    fn vertex(&self, number: u32) -> Vec3 {
        self.vertices()[number as usize]
    }

    #[inline(always)]
    fn flat(&self, outward: &Vec3, farthest: &[u32]) -> Flat {
        let mut edge: Option<Vec3> = None;
        for number in farthest {
            let at = self.vertex(*number);
            for neighbour in self.faces().neighbours(*number as usize) {
                let along = self.vertex(*neighbour) - at;
                let height = outward.dot(&along);
                if height * height >= PARALLEL * PARALLEL * along.norm_squared() {
                    continue;
                }
                if edge.is_none_or(|edge| edge == -along) {
                    edge = Some(along);
                } else if edge != Some(along) {
                    return Flat::Face;
                }
            }
        }
        match edge {
            Some(edge) => Flat::Edge(edge.normalize(), self.slope(outward, farthest)),
            None => Flat::Vertex,
        }
    }
}

impl Hull {
    /// Smallest slope of the edges at these vertices, without those perpendicular to `outward`.
    fn slope(&self, outward: &Vec3, vertices: &[u32]) -> f64 {
        let mut slope = f64::INFINITY;
        for number in vertices {
            let at = self.vertex(*number);
            for neighbour in self.faces().neighbours(*number as usize) {
                let along = self.vertex(*neighbour) - at;
                let steep = outward.dot(&along).abs() / along.norm();
                if steep >= PARALLEL {
                    slope = slope.min(steep);
                }
            }
        }
        slope
    }
}

/// Vertex of a core [m], core frame; the origin for a number out of range.
#[inline(always)]
pub(crate) fn vertex_of(core: &Core, number: u32) -> Vec3 {
    match core {
        Core::Hull(hull) => hull
            .vertices()
            .get(number as usize)
            .copied()
            .unwrap_or_default(),
        Core::Mesh(mesh) => {
            let vertex = mesh.cells().vertices.get(number as usize);
            vertex.map_or_else(Vec3::zeros, |vertex| vertex.point)
        }
        Core::Box(Cuboid { half }) => half.vertex(number),
        Core::Segment(Segment { half }) => half.vertex(number),
        _ => Vec3::zeros(),
    }
}

/// Calls `look` for each face of a hull or a box, with the outward unit normal and the edges,
/// counter-clockwise seen from outside.
pub(crate) fn for_each_face(core: &Core, mut look: impl FnMut(&Vec3, &[[u32; 2]])) {
    match core {
        Core::Hull(hull) => hull.faces().for_each(look),
        Core::Box(_) => {
            for axis in 0..3 {
                for negative in [0u32, 1] {
                    let mut normal = Vec3::zeros();
                    normal[axis] = 1.0 - 2.0 * f64::from(negative);
                    let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
                    let base = negative << axis;
                    // From + + to - + to - - to + -, the other way round on the negative side.
                    let rim = [base, base | u, base | u | v, base | v];
                    let edges = [0, 1, 2, 3].map(|i| {
                        let (a, b) = (rim[i], rim[(i + 1) % 4]);
                        if negative == 0 { [a, b] } else { [b, a] }
                    });
                    look(&normal, &edges);
                }
            }
        }
        _ => (),
    }
}

pub(crate) fn size_of(core: &Core) -> f64 {
    match core {
        Core::Hull(hull) => hull.faces().size,
        Core::Box(Cuboid { half }) => 2.0 * half.max(),
        Core::Segment(Segment { half }) => 2.0 * half,
        _ => 0.0,
    }
}

pub(crate) fn centre_of(core: &Core) -> Vec3 {
    match core {
        Core::Hull(hull) => hull.faces().center,
        _ => Vec3::zeros(),
    }
}

/// Maximum number of faces of a shape that are examined, and of their edges; others are ignored.
const MAX_FACES: usize = 12;
const MAX_EDGES: usize = 96;
/// Overlap [m per m of size] by which two edges may cross in the wrong order: rounding.
const CROSSED: f64 = 1e-9;
/// Rounding of a distance perpendicular to the normal, relative to the size.
const ROUNDING: f64 = 1e-13;
/// Cosine to n below which a face counts as seen edge-on and is ignored if there are flatter ones.
const STEEP: f64 = 1e-3;

/// Core in the frame of 1, and the direction of the other core.
pub(crate) struct Side<'a, T: Real> {
    pub core: &'a Core,
    pub rotation: Mat3<T>,
    pub(crate) position: Vec3<T>,
    /// n for 1, -n for 2.
    pub outward: Vec3<T>,
}

/// Half-plane m.t <= d, m perpendicular to n.
type HalfPlane<T> = (Vec3<T>, T);

/// Faces of a core that face the other core near the contact.
struct Patches<T: Real> {
    /// phi of this core on each face: gradient, and value at t = 0.
    planes: [(Vec3<T>, T); MAX_FACES],
    /// First edge of each face, and the end of the last.
    starts: [usize; MAX_FACES + 1],
    count: usize,
    edges: [HalfPlane<T>; MAX_EDGES],
    /// Line to which a segment is confined.
    line: Option<HalfPlane<T>>,
}

impl<T: Real> Side<'_, T> {
    fn vertex(&self, number: u32) -> Vec3<T> {
        self.rotation * vertex_of(self.core, number).map(T::from) + self.position
    }

    /// Faces with a vertex within `band` [m] of `top`, the farthest along `outward`.
    fn patches(&self, top: T, band: f64) -> Patches<T> {
        let mut patches = Patches {
            planes: [(Vec3::zeros(), T::zero()); MAX_FACES],
            starts: [0; MAX_FACES + 1],
            count: 0,
            edges: [(Vec3::zeros(), T::zero()); MAX_EDGES],
            line: None,
        };
        if let Core::Segment(_) = self.core {
            patches.segment(self, top);
            return patches;
        }
        // Of a hull, those looked at and some more.
        let listed = match self.core {
            Core::Hull(hull) => {
                let direction = self.rotation.tr_mul(&self.outward).map(Real::value);
                let height = (top - self.outward.dot(&self.position)).value();
                let found = hull.faces_above(&direction, height - band * (1.0 + STEEP));
                found.map(|found| (hull.faces(), found))
            }
            _ => None,
        };
        // A face within 60 degrees makes those seen edge-on needless.
        let mut flattest = 0.0;
        for pass in 0..2 {
            let look = |normal: &Vec3, edges: &[[u32; 2]]| {
                let normal = self.rotation * normal.map(T::from);
                let cosine = normal.dot(&self.outward);
                let steep = if flattest > 0.5 { STEEP } else { 0.0 };
                let below = |v: u32| (top - self.outward.dot(&self.vertex(v))).value();
                let near = cosine.value() > steep && edges.iter().any(|e| below(e[0]) <= band);
                if !near {
                    return;
                }
                if pass == 0 {
                    flattest = cosine.value().max(flattest);
                } else {
                    patches.face(self, normal, cosine, edges, top);
                }
            };
            match &listed {
                Some((faces, (numbers, count))) => faces.for_those(&numbers[..*count], look),
                None => for_each_face(self.core, look),
            }
        }
        patches
    }
}

impl<T: Real> Patches<T> {
    fn face(&mut self, side: &Side<T>, normal: Vec3<T>, cosine: T, edges: &[[u32; 2]], top: T) {
        let first = self.starts[self.count];
        let Some(start) = edges.first() else {
            return;
        };
        if self.count == MAX_FACES || first + edges.len() > MAX_EDGES {
            return;
        }
        let at = side.vertex(start[0]);
        let gradient = (normal - side.outward * cosine) / cosine;
        self.planes[self.count] = (gradient, top - side.outward.dot(&at) - gradient.dot(&at));
        for (place, edge) in self.edges[first..].iter_mut().zip(edges) {
            let [a, b] = edge.map(|v| side.vertex(v));
            let m = (b - a).cross(&side.outward);
            // Both faces of an edge take the same end, so that they divide a line at the same number.
            *place = (m, m.dot(if edge[0] < edge[1] { &a } else { &b }));
        }
        self.count += 1;
        self.starts[self.count] = first + edges.len();
    }

    fn segment(&mut self, side: &Side<T>, top: T) {
        let [a, b] = [0, 1].map(|v| side.vertex(v));
        let rise = side.outward.dot(&(b - a));
        let along = (b - a) - side.outward * rise;
        let squared = along.dot(&along);
        let gradient = -along * (rise / squared);
        let across = along.cross(&side.outward);
        self.planes[0] = (gradient, top - side.outward.dot(&a) - gradient.dot(&a));
        self.edges[0] = (along, along.dot(&b));
        self.edges[1] = (-along, -along.dot(&a));
        self.line = Some((across, across.dot(&a)));
        self.count = 1;
        self.starts[1] = 2;
    }

    fn edges_of(&self, face: usize) -> &[HalfPlane<T>] {
        &self.edges[self.starts[face]..self.starts[face + 1]]
    }
}

/// Contact point on 1, frame of 1 [m], for nearest features with the point `found` on 1 and the distance
/// `gap` [m]; `found` itself if no pair of faces overlaps.
#[inline(never)]
pub(crate) fn contact_point<T: Real>(sides: &[Side<T>; 2], found: &Vec3<T>, gap: T) -> Vec3<T> {
    let normal = sides[0].outward;
    let sizes = [0, 1].map(|i| size_of(sides[i].core));
    let size = sizes[0].min(sizes[1]);
    let band = 2.0 * BLEND * size;
    let level = normal.dot(found);
    let one = sides[0].patches(level, band);
    let other = sides[1].patches(-(level + gap), band);
    let centres = [0, 1].map(|i| {
        let centre = centre_of(sides[i].core).map(T::from);
        sides[i].rotation * centre + sides[i].position
    });
    // Weights as a high inverse power of the sizes: a part on a plate lands flat wherever it lands.
    let weight = {
        let square = |x: f64| x * x;
        let ratio = square(square(square(square(sizes[0] / sizes[1]))));
        T::from(ratio / (1.0 + ratio))
    };
    let centre = centres[0] + (centres[1] - centres[0]) * weight;
    let stiffness = BLEND / size;
    let plane = Across {
        normal,
        centre,
        size,
    };
    let mut best: Option<(T, Vec3<T>)> = None;
    for i in 0..one.count {
        for j in 0..other.count {
            let (gradient, offset) = (
                one.planes[i].0 + other.planes[j].0,
                one.planes[i].1 + other.planes[j].1,
            );
            let target = centre - gradient / T::from(stiffness);
            let edges = [one.edges_of(i), other.edges_of(j)];
            let Some(t) = plane.nearest_in(&target, edges, one.line.or(other.line)) else {
                continue;
            };
            let pull = t - centre;
            let pull = pull - normal * normal.dot(&pull);
            let value = gradient.dot(&t) + offset + pull.dot(&pull) * (0.5 * stiffness);
            if best.is_none_or(|(least, _)| value.value() < least.value()) {
                best = Some((value, t));
            }
        }
    }
    match best {
        Some((_, t)) => t + normal * (level - normal.dot(&t)),
        None => *found,
    }
}

struct Across<T: Real> {
    normal: Vec3<T>,
    /// c, from which all distances along a line are measured: two faces that share an edge then end at it to
    /// the bit. Measured from the target of each, they would leave a gap of rounding over the sine between
    /// edge and line, into which the contact point of a parallel segment falls.
    centre: Vec3<T>,
    /// L [m].
    size: f64,
}

impl<T: Real> Across<T> {
    /// Point nearest to `target` in the half-planes, and on the line if given.
    fn nearest_in(
        &self,
        target: &Vec3<T>,
        edges: [&[HalfPlane<T>]; 2],
        line: Option<HalfPlane<T>>,
    ) -> Option<Vec3<T>> {
        let all = || edges[0].iter().chain(edges[1]);
        if let Some(line) = line {
            return self.on_line(target, &line, all());
        }
        let mut point = *target;
        for (i, edge) in all().enumerate() {
            let length = edge.0.dot(&edge.0).value().sqrt();
            let outside = (edge.0.dot(&point) - edge.1).value();
            if outside > ROUNDING * self.size * length {
                point = self.on_line(target, edge, all().take(i))?;
            }
        }
        Some(point)
    }

    /// Point of a line nearest to `target` in the half-planes.
    fn on_line<'a>(
        &self,
        target: &Vec3<T>,
        line: &HalfPlane<T>,
        edges: impl Iterator<Item = &'a HalfPlane<T>>,
    ) -> Option<Vec3<T>>
    where
        T: 'a,
    {
        let (m, d) = line;
        let squared = m.dot(m);
        if squared.value() == 0.0 {
            return None;
        }
        let start = self.centre - m * ((m.dot(&self.centre) - *d) / squared);
        let along = self.normal.cross(m) / squared.sqrt();
        let wanted = along.dot(&(target - start));
        let infinite = T::from(f64::INFINITY);
        let (mut lower, mut upper) = (-infinite, infinite);
        for (m, d) in edges {
            let (slope, room) = (m.dot(&along), *d - m.dot(&start));
            let length = m.dot(m).value().sqrt();
            if slope.value().abs() <= 1e-15 * length {
                if room.value() < -CROSSED * self.size * length {
                    return None;
                }
            } else if slope.value() > 0.0 {
                let end = room / slope;
                if end.value() < upper.value() {
                    upper = end;
                }
            } else {
                let end = room / slope;
                if end.value() > lower.value() {
                    lower = end;
                }
            }
        }
        let s = if lower.value() > upper.value() {
            if lower.value() - upper.value() > CROSSED * self.size {
                return None;
            }
            (lower + upper) * 0.5
        } else if lower.value() > wanted.value() {
            lower
        } else if upper.value() < wanted.value() {
            upper
        } else {
            wanted
        };
        Some(start + along * s)
    }
}
