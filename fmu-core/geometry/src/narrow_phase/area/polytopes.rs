//! The patch of two convex polytopes, and its energy.
//!
//! With l_i the pressure of face i, k_A (d_i - n_i.x), min(p_A, p_B) is the least of all l_i. The cells where
//! one of them is the least are convex, and where two cells meet, l_i = l_j, lies a convex polygon: cut from
//! the plane l_i = l_j by l_i <= l_m of all others and l_i >= 0.
//!
//! - patch: the polygons between a face of A and one of B. The pressure is linear on each, so its wrench, and
//!   that of a damping p d v_n too, follow exactly from a rule of degree 4
//! - energy: with the divergence theorem on a cell, whose l_i has the gradient -k n_i, integral of l_i dV =
//!   -1/(2 k) sum over its polygons of (N.n_i) integral of l_i^2 dA, N out of the cell. So a polygon between
//!   cells i and j adds (N.n_j/k_j - N.n_i/k_i)/2 integral of l^2, with N from i to j: also between two faces
//!   of one body.
//!
//! A plane that represents [`flush`](crate::narrow_phase::area::flush) faces of both belongs to A by a part a
//! of its cell, so A's share of the pressure on a polygon is the difference of the parts of the cells on its
//! two sides.
//!
//! Faces that cannot be the least anywhere are left out first: [`Region`].

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::area::flush::Mixed;
use crate::narrow_phase::area::nodes::{Extent, Node, Nodes, OutlineCorner};
use crate::narrow_phase::area::planes::{Half, Linear, Polygon, plane};
use crate::narrow_phase::area::region::Region;
use crate::shapes::Core;
use std::ops::Range;

/// Relative difference up to which two planes coincide: some rounding.
const TWIN: f64 = 1e-13;

/// Face that may carry pressure.
#[derive(Clone, Copy, Debug)]
struct PressedFace<T: Real> {
    side: usize,
    pressure: Linear<T>,
    values: Linear<f64>,
    /// Pressure in the axes of the region.
    in_region: Linear,
    stiffness: f64,
    /// Index of the plane of flush faces that it is, if any.
    mixed: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct PolytopeWork<T: Real> {
    faces: Vec<PressedFace<T>>,
    polygon: Polygon,
    lines: Vec<Half<T>>,
    corners: FacetCorners<T>,
    facets: Vec<PatchFacet<T>>,
    mixed: Vec<Mixed<T>>,
}

impl<T: Real> Default for PolytopeWork<T> {
    fn default() -> Self {
        PolytopeWork {
            faces: Vec::new(),
            polygon: Polygon::default(),
            lines: Vec::new(),
            corners: FacetCorners {
                places: Vec::new(),
                pressures: Vec::new(),
            },
            facets: Vec::new(),
            mixed: Vec::new(),
        }
    }
}

impl<T: Real> PolytopeWork<T> {
    /// Capacity for two bodies with this many faces together.
    pub(super) fn reserve(&mut self, faces: usize) {
        self.faces.reserve(faces);
        self.polygon.reserve(faces + 1);
        self.lines.reserve(faces + 5);
        self.corners.places.reserve(CORNERS * faces);
        self.corners.pressures.reserve(CORNERS * faces);
        self.facets.reserve(4 * faces);
        self.mixed.reserve(faces);
    }

    /// Appends the nodes of two bodies that overlap in `region` and returns the energy [J].
    pub(super) fn find(
        &mut self,
        cores: [&Core; 2],
        poses: &[Pose<T>; 2],
        region: &Region,
        nodes: &mut Nodes<T>,
    ) -> T {
        self.place(cores, poses, region);
        self.corners.truncate(0);
        self.facets.clear();
        let mut energy = T::zero();
        let least = region.least_of(self.faces.iter().map(|face| (face.side, &face.in_region)));
        for i in 0..self.faces.len() {
            for j in i + 1..self.faces.len() {
                let Some(frame) = self.cut(i, j, least, region) else {
                    continue;
                };
                let start = self.push_corners(i, &frame);
                let pressure = &self.faces[i].pressure;
                let mut facet = PatchFacet::new(frame, &self.corners, start, pressure);
                // The box does not cover enlarged bodies.
                if region.inset >= 0.0 && !region.contains(&facet.middle()) {
                    self.corners.truncate(start);
                    continue;
                }
                let (one, other) = (self.faces[i], self.faces[j]);
                // N.n/k of a face is -N.gradient/k^2.
                let along = [one, other].map(|face| {
                    let gradient = &face.pressure.gradient;
                    let along = facet.frame.normal.dot(gradient);
                    match face.mixed {
                        None => along / (face.stiffness * face.stiffness),
                        Some(_) => along / gradient.dot(gradient),
                    }
                });
                let squares = facet.squares(&self.corners);
                energy += squares * ((along[0] - along[1]) * 0.5);
                let is_kept = match (one.mixed, other.mixed) {
                    (None, None) => one.side != other.side,
                    _ => self.share(&mut facet, [i, j], along, squares),
                };
                if is_kept {
                    self.facets.push(facet);
                } else {
                    self.corners.truncate(start);
                }
            }
        }
        let total: f64 = self.facets.iter().map(|facet| facet.force).sum();
        for facet in &self.facets {
            facet.push_nodes(&self.corners, total, nodes);
        }
        for mixed in &self.mixed {
            mixed.push_nodes(nodes);
        }
        nodes.end_facet(Extent::Nodes);
        energy
    }

    /// Assigns A its share of the pressure on a facet of the plane of flush faces; returns false if that is
    /// zero. `squares` is the integral of the pressure squared, `along` the components of the normal along
    /// the slopes of both faces.
    fn share(
        &mut self,
        facet: &mut PatchFacet<T>,
        faces: [usize; 2],
        along: [T; 2],
        squares: T,
    ) -> bool {
        let (force, moment) = facet.pressed(&self.corners);
        let [one, other] = faces.map(|face| &self.faces[face]);
        let mut part = T::zero();
        for (face, along, sign) in [(one, along[0], 1.0), (other, along[1], -1.0)] {
            part += match face.mixed {
                Some(index) => {
                    let mixed = &mut self.mixed[index];
                    mixed.add_facet(force, moment, squares, along * sign);
                    mixed.share
                }
                None if face.side == 0 => T::one(),
                None => T::zero(),
            } * sign;
        }
        facet.carry(part, &mut self.corners);
        part.value() != 0.0
    }

    /// Loads the faces that matter, without those coplanar with an earlier one, which gets the cell.
    fn place(&mut self, cores: [&Core; 2], poses: &[Pose<T>; 2], region: &Region) {
        let reach = region.reach();
        self.faces.clear();
        self.mixed.clear();
        for candidate in &region.faces {
            let (side, own) = (candidate.side, &candidate.pressure);
            let k = region.stiffness[side];
            let twin = |face: &PressedFace<T>| {
                let off = (own.at_0 - face.in_region.at_0).abs();
                let most = TWIN * face.stiffness * reach;
                let turn = || (own.gradient - face.in_region.gradient).norm();
                off <= most && off + turn() * reach <= most
            };
            if self.faces.iter().any(twin) {
                continue;
            }
            let pressure_of = |side: usize, face: usize| {
                let plane = plane(cores[side], face, &poses[side], region.inset);
                Linear {
                    gradient: plane.normal * T::from(-region.stiffness[side]),
                    at_0: plane.offset * region.stiffness[side],
                }
            };
            let mut mixed = None;
            let pressure = match (&candidate.flush, &region.flush) {
                (Some(flush), Some(scale)) => {
                    let pair = [0, 1].map(|side| pressure_of(side, flush.faces[side]));
                    let plane = Mixed::new(pair, &scale.middles(poses), *scale, *flush);
                    mixed = Some(self.mixed.len());
                    self.mixed.push(plane);
                    plane.pressure
                }
                _ => pressure_of(side, candidate.face),
            };
            self.faces.push(PressedFace {
                side,
                values: pressure.values(),
                pressure,
                in_region: *own,
                stiffness: k,
                mixed,
            });
        }
    }

    #[inline(always)]
    fn less(&self, one: usize, other: usize) -> Linear<T> {
        let [one, other] = [one, other].map(|face| &self.faces[face]);
        let of_pair = match (one.mixed, other.mixed) {
            (Some(a), Some(b)) => self.mixed[a].less(&self.mixed[b]),
            _ => None,
        };
        of_pair.unwrap_or_else(|| one.pressure.less(&other.pressure))
    }

    /// Cuts the polygon between the cells of two faces; `None` if the cells do not meet.
    fn cut(
        &mut self,
        i: usize,
        j: usize,
        least: [Option<usize>; 2],
        region: &Region,
    ) -> Option<FacetFrame<T>> {
        let (one, other) = (&self.faces[i], &self.faces[j]);
        let Region {
            center,
            half,
            bound,
            ..
        } = region;
        let (p, q) = (&one.in_region, &other.in_region);
        let difference = p.gradient - q.gradient;
        let middle = p.at_0 - q.at_0 + difference.dot(center);
        let scale = one.stiffness * one.stiffness + other.stiffness * other.stiffness;
        if middle.abs() > difference.abs().dot(half) || difference.norm_squared() <= 1e-24 * scale {
            return None;
        }
        // Both pressures are their mean there, and none is above the bound.
        let sum = p.gradient + q.gradient;
        let middle = p.at_0 + q.at_0 + sum.dot(center);
        if middle - sum.abs().dot(half) > 2.0 * bound {
            return None;
        }
        let frame = FacetFrame::between(&one.pressure, &other.pressure, &self.less(i, j));
        let origin = frame.origin.map(Real::value);
        let axes = frame.axes.map(|axis| axis.map(Real::value));
        self.polygon.start(region.reach());
        let count = self.faces.len();
        // Zero pressure bounds the facet too.
        if !self.polygon.cut(&one.values.half(&origin, &axes), count) {
            return None;
        }
        // First those that leave least.
        let others = (0..count).filter(|m| !least.contains(&Some(*m)));
        for m in least.into_iter().flatten().chain(others) {
            if m == i || m == j {
                continue;
            }
            let above = match (self.faces[m].mixed, one.mixed) {
                (Some(_), Some(_)) => self.less(m, i).values(),
                _ => self.faces[m].values.less(&one.values),
            };
            let above = above.half(&origin, &axes);
            if !self.polygon.cut(&above, m) {
                return None;
            }
        }
        Some(frame)
    }

    /// Appends the corners of the polygon of face i and the pressures there; returns the index of the first.
    fn push_corners(&mut self, i: usize, frame: &FacetFrame<T>) -> usize {
        let one = &self.faces[i].pressure;
        self.lines.clear();
        for k in 0..self.polygon.len() {
            let line = self.polygon.line(k).map(|m| match self.faces.get(m) {
                None => *one,
                Some(_) => self.less(m, i),
            });
            let half = line.map(|line| line.half(&frame.origin, &frame.axes));
            self.lines.push(half.unwrap_or(Half::all()));
        }
        let start = self.corners.places.len();
        let (count, first) = (self.polygon.len(), self.polygon.first());
        let pressure = one.half(&frame.origin, &frame.axes);
        for k in 0..count {
            let corner = self.polygon.corner((first + k) % count, &self.lines);
            self.corners.places.push(corner);
            self.corners.pressures.push(pressure.at(corner));
        }
        start
    }
}

/// Initial capacity for corners, per face.
const CORNERS: usize = 12;

#[derive(Clone, Copy, Debug)]
struct FacetFrame<T: Real> {
    /// Unit normal, from the cell of the first face to the cell of the second.
    pub(crate) normal: Vec3<T>,
    /// Point of the plane nearest to the origin.
    pub origin: Vec3<T>,
    /// Unit vectors in the plane, right-handed with the normal.
    pub axes: [Vec3<T>; 2],
}

/// Corners of facets and the pressures there [Pa], facet by facet.
#[derive(Clone, Debug)]
struct FacetCorners<T: Real> {
    places: Vec<[T; 2]>,
    pressures: Vec<T>,
}

impl<T: Real> FacetCorners<T> {
    fn truncate(&mut self, length: usize) {
        self.places.truncate(length);
        self.pressures.truncate(length);
    }
}

#[derive(Clone, Debug)]
struct PatchFacet<T: Real> {
    pub frame: FacetFrame<T>,
    /// Index range of its corners, counter-clockwise about the normal.
    corners: Range<usize>,
    /// Centroid, and the pressure there [Pa].
    middle: [T; 2],
    at_middle: T,
    /// Pressure gradient [Pa/m].
    gradient: [T; 2],
    pub(crate) force: f64,
}

/// Share of the force of a patch from which on a facet gets the rule of degree 4 about its centre. The
/// others, mostly strips along the rim of a face, get one node at their centre of pressure, which is exact
/// for their elastic wrench; the error of their friction and damping is bounded by mu times this share of the
/// force.
const SHARE: f64 = 1e-5;
/// Share of the force that is rounding: such a facet has no node.
const NOTHING: f64 = 1e-20;
/// Ratio of the area to the mean squared distance of the corners from their mean, below which that mean
/// replaces the centroid.
const SLIVER: f64 = 1e-12;

impl<T: Real> FacetFrame<T> {
    /// Plane of equal pressure; `between` is the difference of both pressures.
    pub(crate) fn between(
        one: &Linear<T>,
        other: &Linear<T>,
        between: &Linear<T>,
    ) -> FacetFrame<T> {
        let per = between.gradient.dot(&between.gradient).sqrt().recip();
        let normal = between.gradient * per;
        // Axes that turn with the faces; of faces that are nearly parallel, with those of the world.
        let along = one.gradient.cross(&other.gradient);
        let size = |v: &Vec3<T>| v.map(Real::value).norm_squared();
        let along = match size(&along) > 1e-4 * size(&one.gradient) * size(&other.gradient) {
            true => along,
            false => {
                let values = normal.map(Real::value).abs();
                let mut axis = Vec3::zeros();
                axis[values.imin()] = T::one();
                axis - normal * normal.dot(&axis)
            }
        };
        let first = along * along.dot(&along).sqrt().recip();
        FacetFrame {
            origin: normal * (-between.at_0 * per),
            axes: [first, normal.cross(&first)],
            normal,
        }
    }
}

impl<T: Real> FacetFrame<T> {
    #[inline(always)]
    fn point(&self, [x, y]: [T; 2]) -> Vec3<T> {
        self.origin + self.axes[0] * x + self.axes[1] * y
    }
}

impl<T: Real> PatchFacet<T> {
    fn new(
        frame: FacetFrame<T>,
        corners: &FacetCorners<T>,
        start: usize,
        pressure: &Linear<T>,
    ) -> Self {
        let range = start..corners.places.len();
        let corners = &corners.places[start..];
        let count = corners.len();
        let mean = opposite(count, [T::zero(); 2], |k| corners[k]).map(|c| c / count as f64);
        let mut span = 0.0;
        let [area, x, y] = opposite(count, [T::zero(); 3], |k| {
            let (a, b) = (less(corners[k], mean), less(corners[(k + 1) % count], mean));
            span += a[0].value() * a[0].value() + a[1].value() * a[1].value();
            let area = cross(a, b) * 0.5;
            [area, area * (a[0] + b[0]), area * (a[1] + b[1])]
        });
        let middle = match area.value() > SLIVER * span {
            true => {
                let per = area.recip() * (1.0 / 3.0);
                [mean[0] + x * per, mean[1] + y * per]
            }
            false => mean,
        };
        let pressure = pressure.half(&frame.origin, &frame.axes);
        let at_middle = pressure.at(middle);
        PatchFacet {
            frame,
            corners: range,
            middle,
            at_middle,
            gradient: pressure.a,
            force: (at_middle * area).value(),
        }
    }

    /// Integral of the pressure squared [Pa^2.m2].
    fn squares(&self, corners: &FacetCorners<T>) -> T {
        let (corners, pressures) = self.own(corners);
        let count = corners.len();
        let mut sum = T::zero();
        for k in 0..count {
            let next = (k + 1) % count;
            let (a, b) = (
                less(corners[k], self.middle),
                less(corners[next], self.middle),
            );
            let (p, q, r) = (pressures[k], pressures[next], self.at_middle);
            sum += cross(a, b) * (p * (p + q + r) + q * (q + r) + r * r);
        }
        sum / 12.0
    }

    pub(crate) fn middle(&self) -> Vec3 {
        self.frame.point(self.middle).map(Real::value)
    }

    #[inline(always)]
    fn own<'a>(&self, corners: &'a FacetCorners<T>) -> (&'a [[T; 2]], &'a [T]) {
        let range = self.corners.clone();
        (&corners.places[range.clone()], &corners.pressures[range])
    }

    /// Integral of the pressure [N], and its first moment [N.m].
    fn pressed(&self, corners: &FacetCorners<T>) -> (T, Vec3<T>) {
        let (corners, pressures) = self.own(corners);
        let corner = |k: usize| self.corner(corners[k], pressures[k]);
        let first = corner(0);
        let (mut force, mut moment) = (T::zero(), Vec3::zeros());
        for k in 1..corners.len() - 1 {
            let triangle = Triangle::of([first, corner(k), corner(k + 1)]);
            moment += triangle.moment();
            force += triangle.pressure * triangle.area * (1.0 / 3.0);
        }
        (force, moment)
    }

    #[inline(always)]
    fn corner(&self, place: [T; 2], pressure: T) -> TriangleCorner<T> {
        TriangleCorner {
            point: self.frame.point(place),
            pressure,
            place,
        }
    }

    /// Scales the pressure on the facet and at its corners; a negative part pulls.
    fn carry(&mut self, part: T, corners: &mut FacetCorners<T>) {
        let sign = part.value().signum();
        self.frame.normal *= T::from(sign);
        let part = part * sign;
        self.at_middle *= part;
        self.gradient = self.gradient.map(|slope| slope * part);
        self.force *= part.value();
        for pressure in &mut corners.pressures[self.corners.clone()] {
            *pressure *= part;
        }
    }

    /// Appends the nodes of the facet; the patch has the force `total` [N].
    #[inline(always)]
    fn push_nodes(&self, all: &FacetCorners<T>, total: f64, nodes: &mut Nodes<T>) {
        let (corners, pressures) = self.own(all);
        let count = corners.len();
        let corner = |k: usize| self.corner(corners[k], pressures[k]);
        let normal = -self.frame.normal;
        if self.force <= NOTHING * total {
            return;
        }
        if self.force < SHARE * total {
            let (force, moment) = self.pressed(all);
            if force.value() > 0.0 {
                let point = moment / force;
                nodes.push(Node {
                    point,
                    normal,
                    force,
                });
            }
            nodes.end_facet(Extent::Nodes);
            return;
        }
        let middle = self.corner(self.middle, self.at_middle);
        let triangle = |k: usize| Triangle::of([middle, corner(k), corner((k + 1) % count)]);
        // Those of opposite triangles side by side.
        if count.is_multiple_of(2) {
            for k in 0..count / 2 {
                let sides = [triangle(k), triangle(k + count / 2)];
                for orbit in &DEGREE_4 {
                    for vertex in 0..3 {
                        for side in &sides {
                            nodes.push(side.node(vertex, orbit, normal));
                        }
                    }
                }
            }
        } else {
            for k in 0..count {
                let triangle = triangle(k);
                for orbit in &DEGREE_4 {
                    for vertex in 0..3 {
                        nodes.push(triangle.node(vertex, orbit, normal));
                    }
                }
            }
        }
        let extent = nodes.outline(
            middle.point,
            self.frame.axes,
            self.at_middle,
            self.gradient.into(),
            corners.iter().map(|corner| OutlineCorner {
                place: less(*corner, self.middle).into(),
                center: None,
            }),
        );
        nodes.end_facet(extent);
    }
}

#[derive(Clone, Copy)]
struct TriangleCorner<T: Real> {
    point: Vec3<T>,
    pressure: T,
    place: [T; 2],
}

struct Triangle<T: Real> {
    corners: [TriangleCorner<T>; 3],
    /// Sum over the corners.
    point: Vec3<T>,
    pressure: T,
    area: T,
}

/// Three symmetric points of a triangle rule: weight, the barycentric coordinate that all corners share, and
/// the excess of one of them.
struct Orbit {
    weight: f64,
    all: f64,
    more: f64,
}

impl<T: Real> Triangle<T> {
    #[inline(always)]
    fn of(corners: [TriangleCorner<T>; 3]) -> Self {
        let [m, a, b] = &corners;
        Triangle {
            point: m.point + a.point + b.point,
            pressure: m.pressure + a.pressure + b.pressure,
            area: cross(less(a.place, m.place), less(b.place, m.place)) * 0.5,
            corners,
        }
    }

    /// First moment of the pressure.
    #[inline(always)]
    fn moment(&self) -> Vec3<T> {
        let corners = self.corners.iter();
        let own = corners.fold(Vec3::zeros(), |sum, c| sum + c.point * c.pressure);
        (self.point * self.pressure + own) * (self.area * (1.0 / 12.0))
    }

    /// Node of an orbit near a corner.
    #[inline(always)]
    fn node(&self, corner: usize, orbit: &Orbit, normal: Vec3<T>) -> Node<T> {
        let near = &self.corners[corner];
        let pressure = self.pressure * orbit.all + near.pressure * orbit.more;
        Node {
            point: self.point * T::from(orbit.all) + near.point * T::from(orbit.more),
            normal,
            force: (pressure * (self.area * orbit.weight)).positive_part(),
        }
    }
}

/// Sum over the corners of a polygon, opposite ones paired so that they cancel exactly.
#[inline(always)]
fn opposite<T: Real, const N: usize>(
    count: usize,
    zero: [T; N],
    mut of: impl FnMut(usize) -> [T; N],
) -> [T; N] {
    let mut sum = zero;
    let mut add = |more: [T; N]| {
        for (all, one) in sum.iter_mut().zip(more) {
            *all += one;
        }
    };
    if count.is_multiple_of(2) {
        for k in 0..count / 2 {
            let (one, other) = (of(k), of(k + count / 2));
            add(std::array::from_fn(|n| one[n] + other[n]));
        }
    } else {
        (0..count).for_each(|k| add(of(k)));
    }
    sum
}

#[inline(always)]
fn less<T: Real>(a: [T; 2], b: [T; 2]) -> [T; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
fn cross<T: Real>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[1] - a[1] * b[0]
}

/// Rule with six points, exact to degree 4.
///
/// D. A. Dunavant, High degree efficient symmetrical Gaussian quadrature rules for the triangle, Int. J.
/// Numer. Methods Eng. 21 (1985) 1129-1148
const DEGREE_4: [Orbit; 2] = [
    Orbit {
        weight: 0.223_381_589_678_011_47,
        all: 0.445_948_490_915_964_9,
        more: 0.108_103_018_168_070_23 - 0.445_948_490_915_964_9,
    },
    Orbit {
        weight: 0.109_951_743_655_321_87,
        all: 0.091_576_213_509_770_74,
        more: 0.816_847_572_980_458_5 - 0.091_576_213_509_770_74,
    },
];
