//! Facets: the plane polygons of a patch, each with a linear pressure, and their integrals and nodes.

use crate::math::{Real, Vec2, Vec3, length};
use crate::narrow_phase::area::nodes::{Extent, Node, Nodes, Outline, OutlineCorner, in_pairs};
use crate::narrow_phase::area::planes::Linear;
use std::ops::Range;

#[derive(Clone, Copy, Debug)]
pub(super) struct FacetFrame<T: Real> {
    /// Unit normal, from the cell of the first face to the cell of the second.
    pub(super) normal: Vec3<T>,
    /// Point of the plane nearest to the origin.
    pub(super) origin: Vec3<T>,
    /// Unit vectors in the plane, right-handed with the normal.
    pub(super) axes: [Vec3<T>; 2],
}

/// Corners of facets and the pressures there [Pa], facet by facet.
#[derive(Clone, Debug)]
pub(super) struct FacetCorners<T: Real> {
    pub(super) places: Vec<[T; 2]>,
    pub(super) pressures: Vec<T>,
    /// Line of the edge that begins there.
    pub(super) lines: Vec<usize>,
}

impl<T: Real> Default for FacetCorners<T> {
    fn default() -> Self {
        FacetCorners {
            places: Vec::new(),
            pressures: Vec::new(),
            lines: Vec::new(),
        }
    }
}

impl<T: Real> FacetCorners<T> {
    pub(super) fn truncate(&mut self, length: usize) {
        self.places.truncate(length);
        self.pressures.truncate(length);
        self.lines.truncate(length);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, place: [T; 2], pressure: T, line: usize) {
        self.places.push(place);
        self.pressures.push(pressure);
        self.lines.push(line);
    }
}

#[derive(Clone, Debug)]
pub(super) struct PatchFacet<T: Real> {
    pub(super) frame: FacetFrame<T>,
    /// Index range of its corners, counter-clockwise about the normal.
    corners: Range<usize>,
    /// Centroid, and the pressure there [Pa].
    middle: [T; 2],
    at_middle: T,
    /// Pressure gradient [Pa/m].
    gradient: [T; 2],
    pub(super) force: f64,
}

/// Share of the force of a patch from which on a facet gets a rule of degree 4. The
/// others, mostly strips along the rim of a face, get one node at their centre of pressure, which is exact
/// for their elastic wrench; the error of their friction and damping is bounded by mu times this share of the
/// force.
pub(super) const SHARE: f64 = 1e-5;
/// Share of the force that is rounding: such a facet has no node.
pub(super) const NOTHING: f64 = 1e-20;
/// Ratio of the area to the mean squared distance of the corners from their mean, below which that mean
/// replaces the centroid.
const SLIVER: f64 = 1e-12;

impl<T: Real> FacetFrame<T> {
    /// Plane of equal pressure; `between` is the difference of both pressures.
    pub(super) fn between(
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

    /// Origin and axes.
    pub(super) fn values(&self) -> (Vec3, [Vec3; 2]) {
        let axes = self.axes.map(|axis| axis.map(Real::value));
        (self.origin.map(Real::value), axes)
    }

    #[inline(always)]
    fn point(&self, [x, y]: [T; 2]) -> Vec3<T> {
        self.origin + self.axes[0] * x + self.axes[1] * y
    }
}

impl<T: Real> PatchFacet<T> {
    pub(super) fn new(
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
    pub(super) fn squares(&self, corners: &FacetCorners<T>) -> T {
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

    /// Number of corners.
    pub(super) fn count(&self) -> usize {
        self.corners.len()
    }

    pub(super) fn middle(&self) -> Vec3 {
        self.frame.point(self.middle).map(Real::value)
    }

    #[inline(always)]
    fn own<'a>(&self, corners: &'a FacetCorners<T>) -> (&'a [[T; 2]], &'a [T]) {
        let range = self.corners.clone();
        (&corners.places[range.clone()], &corners.pressures[range])
    }

    /// Integral of the pressure [N], and its first moment [N.m].
    pub(super) fn pressed(&self, corners: &FacetCorners<T>) -> (T, Vec3<T>) {
        let (corners, pressures) = self.own(corners);
        let corner = |k: usize| self.corner(corners[k], pressures[k]);
        let (first, about) = (corner(0), self.about());
        let (mut force, mut moment) = (T::zero(), Vec3::zeros());
        for k in 1..corners.len() - 1 {
            let corners = [first, corner(k), corner(k + 1)];
            let triangle = Triangle::of(corners, &about);
            moment += triangle.moment();
            force += triangle.pressure * triangle.area * (1.0 / 3.0);
        }
        (force, moment)
    }

    /// Unit normal about which the corners run counter-clockwise.
    #[inline(always)]
    fn about(&self) -> Vec3<T> {
        self.frame.axes[0].cross(&self.frame.axes[1])
    }

    #[inline(always)]
    fn corner(&self, place: [T; 2], pressure: T) -> PressedCorner<T> {
        PressedCorner {
            point: self.frame.point(place),
            pressure,
        }
    }

    /// Scales the pressure on the facet and at its corners; a negative part pulls.
    pub(super) fn carry(&mut self, part: T, corners: &mut FacetCorners<T>) {
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
    pub(super) fn push_nodes(&self, all: &FacetCorners<T>, total: f64, nodes: &mut Nodes<T>) {
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
        push_fan(count, corner, middle, [self.about(), normal], nodes);
        let extent = nodes.outline(
            self.frame.point(self.middle),
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

/// Corner of a facet, and the pressure there [Pa].
#[derive(Clone, Copy, Debug)]
pub(super) struct PressedCorner<T: Real> {
    pub(super) point: Vec3<T>,
    pub(super) pressure: T,
}

pub(super) struct Triangle<T: Real> {
    corners: [PressedCorner<T>; 3],
    /// Sum over the corners.
    point: Vec3<T>,
    pub(super) pressure: T,
    pub(super) area: T,
}

/// Three symmetric points of a triangle rule: weight, the barycentric coordinate that all corners share, and
/// the excess of one of them.
struct Orbit {
    weight: f64,
    all: f64,
    more: f64,
}

impl<T: Real> Triangle<T> {
    /// Triangle that runs counter-clockwise about the unit normal.
    #[inline(always)]
    pub(super) fn of(corners: [PressedCorner<T>; 3], normal: &Vec3<T>) -> Self {
        let [m, a, b] = &corners;
        let across = (a.point - m.point).cross(&(b.point - m.point));
        Triangle {
            point: m.point + a.point + b.point,
            pressure: m.pressure + a.pressure + b.pressure,
            area: across.dot(normal) * 0.5,
            corners,
        }
    }

    /// First moment of the pressure.
    #[inline(always)]
    pub(super) fn moment(&self) -> Vec3<T> {
        let corners = self.corners.iter();
        let own = corners.fold(Vec3::zeros(), |sum, c| sum + c.point * c.pressure);
        (self.point * self.pressure + own) * (self.area * (1.0 / 12.0))
    }

    /// Six times the mean of the pressure squared.
    #[inline(always)]
    pub(super) fn square(&self) -> T {
        let own = |k: usize| self.corners[k].pressure * self.corners[k].pressure;
        (self.pressure * self.pressure + own(0) + own(1) + own(2)) * 0.5
    }

    /// Appends its six nodes, each with those of other triangles side by side.
    #[inline(always)]
    fn push_nodes<const N: usize>(&self, others: [Self; N], normal: Vec3<T>, nodes: &mut Nodes<T>) {
        for orbit in &DEGREE_4 {
            for vertex in 0..3 {
                nodes.push(self.node(vertex, orbit, normal));
                for other in &others {
                    nodes.push(other.node(vertex, orbit, normal));
                }
            }
        }
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

/// Appends nodes of a convex polygon with a rule that is exact to degree 4, in triangles about its middle, opposite
/// ones side by side: what friction gets is nearly the same where a corner is cut off; `normals` are the unit vector
/// about which its corners run counter-clockwise, and that of the nodes.
#[inline(always)]
pub(super) fn push_fan<T: Real>(
    count: usize,
    corner: impl Fn(usize) -> PressedCorner<T>,
    middle: PressedCorner<T>,
    [about, normal]: [Vec3<T>; 2],
    nodes: &mut Nodes<T>,
) {
    let triangle = |k: usize| Triangle::of([middle, corner(k), corner((k + 1) % count)], &about);
    if count.is_multiple_of(2) {
        for k in 0..count / 2 {
            triangle(k).push_nodes([triangle(k + count / 2)], normal, nodes);
        }
    } else {
        (0..count).for_each(|k| triangle(k).push_nodes([], normal, nodes));
    }
}

impl<T: Real> Nodes<T> {
    /// Integral of the pressure times the distance from an axis along the unit vector `normal` [N.m]: over plane
    /// regions with straight edges by six points in each triangle about their middle, as it has a kink.
    pub fn arm(&self, center: &Vec3<T>, normal: &Vec3<T>) -> T {
        let arm = |node: &Node<T>| {
            let off = node.point - center;
            node.force * length(&(off - normal * off.dot(normal)))
        };
        self.facets().fold(T::zero(), |all, (nodes, extent)| {
            all + match extent {
                Extent::Region(outline) if !self.is_round(outline) => self.over(outline, arm),
                _ => in_pairs(nodes, T::zero(), arm),
            }
        })
    }

    fn is_round(&self, outline: &Outline<T>) -> bool {
        let mut corners = self.corners(outline).iter();
        corners.any(|corner| corner.center.is_some())
    }

    /// Sum over six points in each triangle about the middle of a region.
    fn over(&self, outline: &Outline<T>, of: impl Fn(&Node<T>) -> T) -> T {
        let corners = self.corners(outline);
        let about = outline.axes[0].cross(&outline.axes[1]);
        let corner = |place: Vec2<T>| PressedCorner {
            point: outline.middle + outline.axes[0] * place.x + outline.axes[1] * place.y,
            pressure: outline.pressure + outline.gradient.dot(&place),
        };
        let mut sum = T::zero();
        for (k, one) in corners.iter().enumerate() {
            let next = corners[(k + 1) % corners.len()].place;
            let triangle = [Vec2::zeros(), one.place, next].map(corner);
            let triangle = Triangle::of(triangle, &about);
            for orbit in &DEGREE_4 {
                for vertex in 0..3 {
                    sum += of(&triangle.node(vertex, orbit, about));
                }
            }
        }
        sum
    }
}

/// Sum over the corners of a polygon, opposite ones paired so that they cancel exactly.
#[inline(always)]
pub(super) fn opposite<T: Real, const N: usize>(
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
pub(super) fn less<T: Real>(a: [T; 2], b: [T; 2]) -> [T; 2] {
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
