//! Faces of one polyhedron cut by the planes of another: polygons on the surface of the intersection, and
//! sums over them.

use crate::math::{Pose, Real, Vec3};
use crate::shapes::{Core, Cuboid, Hull, RoundedShape};
use std::collections::BTreeMap;
use std::ops::Range;

/// Position of a face relative to a plane of the other polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// Intersecting, or at a distance.
    Free,
    /// Coincident to within the geometric epsilon, with the same outward side.
    Shared,
    /// Coincident to rounding, with opposite outward sides.
    Touching,
}

/// Lengths that decide whether faces and planes coincide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tolerance {
    /// A point in the smaller polyhedron [m].
    pub center: Vec3,
    /// Radius of a ball about it that contains the polyhedron [m].
    pub radius: f64,
    /// Distance within which faces coincide [m].
    pub shared: f64,
    /// Distance within which faces touch [m]: rounding.
    pub touching: f64,
}

impl Tolerance {
    fn lie(&self, face: &FacePlane<f64>, plane: &FacePlane<f64>) -> Lie {
        let aligned = face.normal.dot(&plane.normal);
        let within = |turn: Vec3, shift: f64, limit: f64| {
            turn.norm() * self.radius <= limit && (turn.dot(&self.center) - shift).abs() <= limit
        };
        if aligned > 0.5 {
            let turn = plane.normal - face.normal;
            if within(turn, plane.offset - face.offset, self.shared) {
                return Lie::Shared;
            }
        } else if aligned < -0.5 {
            let turn = plane.normal + face.normal;
            if within(turn, plane.offset + face.offset, self.touching) {
                return Lie::Touching;
            }
        }
        Lie::Free
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Polygons<T: Real> {
    polygon: Vec<Vec3<T>>,
    cut: Vec<Vec3<T>>,
}

/// Polygon on the surface of the intersection: the part of one face.
pub(crate) struct Piece<'a, T: Real> {
    pub corners: &'a [Vec3<T>],
    pub normal: Vec3<T>,
    /// Whether it also lies in a face of the other polyhedron.
    pub is_shared: bool,
}

/// Calls `visit` with the part of each face of `side` that lies within the other polyhedron.
pub(crate) fn for_each_piece<T: Real>(
    side: usize,
    shapes: [&Polyhedron; 2],
    placed: &[PlacedPolyhedron<T>; 2],
    tolerance: &Tolerance,
    work: &mut Polygons<T>,
    mut visit: impl FnMut(&Piece<'_, T>),
) {
    let [own, other] = [&placed[side], &placed[1 - side]];
    for (number, face) in shapes[side].faces().iter().enumerate() {
        let (plane, wall) = (&own.planes[number], &own.walls[number]);
        work.polygon.clear();
        if shapes[side].is_half_space() {
            let radius = shapes[1 - side].radius();
            work.polygon.extend(square(plane, &other.center, radius));
        } else {
            let corners = shapes[side].corners(face).iter();
            work.polygon
                .extend(corners.map(|c| own.vertices[*c as usize]));
        }
        let mut is_shared = false;
        for (cutting, cutting_wall) in other.planes.iter().zip(&other.walls) {
            match tolerance.lie(wall, cutting_wall) {
                Lie::Touching => continue,
                Lie::Free => work.cut_by(|p| cutting.height(p)),
                // On one of both planes the height over the other is the difference of both
                // heights. Taken from 1 to 2 both times it cuts both faces along one line, so that
                // together they make the common face once; where they are equal it goes to 1.
                Lie::Shared => {
                    is_shared = true;
                    let [first, second] = match side {
                        0 => [plane, cutting],
                        _ => [cutting, plane],
                    };
                    let turn = second.normal - first.normal;
                    let shift = second.offset - first.offset;
                    let over = |p: &Vec3<T>| turn.dot(p) - shift;
                    if side == 0 {
                        work.cut_by(over);
                    } else if work.polygon.iter().any(|p| over(p).value() > 0.0) {
                        work.cut_by(|p| -over(p));
                    } else {
                        work.polygon.clear();
                    }
                }
            }
            if work.polygon.is_empty() {
                break;
            }
        }
        if !work.polygon.is_empty() {
            visit(&Piece {
                corners: &work.polygon,
                normal: plane.normal,
                is_shared,
            });
        }
    }
}

/// Square in a plane that contains the projection of a ball.
fn square<T: Real>(plane: &FacePlane<T>, center: &Vec3<T>, radius: f64) -> [Vec3<T>; 4] {
    let normal = plane.normal.map(Real::value);
    let mut axis = Vec3::zeros();
    axis[normal.iamin()] = 1.0;
    let u = plane.normal.cross(&axis.map(T::from));
    let u = u * u.dot(&u).sqrt().recip();
    let v = plane.normal.cross(&u);
    let middle = center - plane.normal * plane.height(center);
    // Half a side of twice the radius keeps its edges clear of what they hold.
    let half = T::from(2.0 * radius);
    [[-half, -half], [half, -half], [half, half], [-half, half]]
        .map(|[x, y]| middle + u * x + v * y)
}

impl<T: Real> Polygons<T> {
    pub(super) fn new() -> Self {
        Polygons {
            polygon: Vec::new(),
            cut: Vec::new(),
        }
    }

    /// Removes the part with positive height (Sutherland, Hodgman 1974).
    fn cut_by(&mut self, height: impl Fn(&Vec3<T>) -> T) {
        let Some(last) = self.polygon.last() else {
            return;
        };
        if self.polygon.iter().all(|p| height(p).value() <= 0.0) {
            return;
        }
        self.cut.clear();
        let (mut before, mut before_height) = (*last, height(last));
        for p in &self.polygon {
            let h = height(p);
            let crosses = (h.value() < 0.0 && before_height.value() > 0.0)
                || (h.value() > 0.0 && before_height.value() < 0.0);
            if crosses {
                let share = before_height * (before_height - h).recip();
                self.cut.push(before + (p - before) * share);
            }
            if h.value() <= 0.0 {
                self.cut.push(*p);
            }
            (before, before_height) = (*p, h);
        }
        std::mem::swap(&mut self.polygon, &mut self.cut);
    }
}

impl<T: Real> Piece<'_, T> {
    pub(crate) fn area_and_moment(&self, origin: &Vec3<T>) -> (T, Vec3<T>) {
        let (mut area, mut moment) = (T::zero(), Vec3::zeros());
        let Some((apex, rest)) = self.corners.split_first() else {
            return (area, moment);
        };
        let third = T::from(1.0 / 3.0);
        for pair in rest.windows(2) {
            let part = (pair[0] - apex).cross(&(pair[1] - apex)).dot(&self.normal) * 0.5;
            area += part;
            moment += ((apex - origin) + (pair[0] - origin) + (pair[1] - origin)) * (part * third);
        }
        (area, moment)
    }
}

/// Plane n.x = offset with unit normal n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FacePlane<T: Real> {
    pub normal: Vec3<T>,
    pub offset: T,
}

impl<T: Real> FacePlane<T> {
    #[inline(always)]
    pub(crate) fn height(&self, point: &Vec3<T>) -> T {
        self.normal.dot(point) - self.offset
    }

    fn values(&self) -> FacePlane<f64> {
        FacePlane {
            normal: self.normal.map(Real::value),
            offset: self.offset.value(),
        }
    }
}

/// Polyhedron in the frame of the first of two; work arrays.
#[derive(Clone, Debug)]
pub(crate) struct PlacedPolyhedron<T: Real> {
    pub vertices: Vec<Vec3<T>>,
    pub planes: Vec<FacePlane<T>>,
    /// The vertices without derivatives [m].
    pub(crate) points: Vec<Vec3>,
    /// The planes without derivatives.
    pub walls: Vec<FacePlane<f64>>,
    /// Centre of the polyhedron [m]; the frame origin for a half-space.
    pub center: Vec3<T>,
}

impl<T: Real> PlacedPolyhedron<T> {
    pub(super) fn new() -> Self {
        PlacedPolyhedron {
            vertices: Vec::new(),
            planes: Vec::new(),
            points: Vec::new(),
            walls: Vec::new(),
            center: Vec3::zeros(),
        }
    }

    pub(crate) fn place(&mut self, shape: &Polyhedron, pose: &Pose<T>) {
        let moved = |v: &Vec3| pose.rotation * v.map(T::from) + pose.position;
        self.vertices.clear();
        self.vertices.extend(shape.vertices().iter().map(moved));
        self.center = moved(shape.center());
        self.planes.clear();
        self.planes.extend(shape.faces().iter().map(|face| {
            let normal = pose.rotation * face.normal.map(T::from);
            FacePlane {
                normal,
                offset: normal.dot(&pose.position) + T::from(face.offset),
            }
        }));
        self.points.clear();
        let values = |v: &Vec3<T>| v.map(Real::value);
        self.points.extend(self.vertices.iter().map(values));
        self.walls.clear();
        self.walls.extend(self.planes.iter().map(FacePlane::values));
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClippedFace {
    pub normal: Vec3,
    /// n.x of its points x [m].
    pub offset: f64,
    corners: Range<usize>,
}

/// Edge with the two faces that meet there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub vertices: [u32; 2],
    /// The face in which it runs forwards, and the one in which it runs backwards.
    pub faces: [u32; 2],
}

/// Convex polyhedron, or a half-space, which is one face without corners.
///
/// Faces of a box are numbered -x, +x, -y, +y, -z, +z; faces of a hull as in [`crate::shapes::hull::Faces`].
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    form: RoundedShape,
    vertices: Vec<Vec3>,
    faces: Vec<ClippedFace>,
    corners: Vec<u32>,
    edges: Vec<Edge>,
    center: Vec3,
    radius: f64,
}

impl Polyhedron {
    /// Polyhedron of a core; `None` if the core is curved or flat.
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
        self.faces.push(ClippedFace {
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

    pub(crate) fn form(&self) -> &RoundedShape {
        &self.form
    }

    pub(crate) fn is_half_space(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Vertices [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Faces; coplanar triangles are merged.
    pub fn faces(&self) -> &[ClippedFace] {
        &self.faces
    }

    /// Vertices of a face, counter-clockwise seen from outside.
    pub fn corners(&self, face: &ClippedFace) -> &[u32] {
        &self.corners[face.corners.clone()]
    }

    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(crate) fn center(&self) -> &Vec3 {
        &self.center
    }

    /// Largest distance of a vertex from the mean [m]; infinite for a half-space.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
