//! Facets: the plane polygons of a patch, each with a linear pressure, and their integrals and nodes.

use crate::math::{Real, Vec3, length};
use crate::narrow_phase::area::nodes::{
    Extent, FacetPolygon, Node, Nodes, Outline, OutlineCorner, in_pairs,
};
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
    pub(super) load: PlaneLoad<T>,
}

/// Share of the force of a patch from which on a facet gets a rule of degree 4. The
/// others, mostly strips along the rim of a face, get one node at their centre of pressure, which is exact
/// for their elastic wrench; the error of their friction and damping is bounded by mu times this share of the
/// force.
pub(super) const SHARE: f64 = 1e-5;
/// Share of the force up to which a thin facet gets three nodes along it, which have its elastic wrench and its
/// power of damping.
const STRIP: f64 = 1e-3;
/// Area over the square of the longest edge up to which a facet is thin.
const THIN: f64 = 1e-2;
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
        let (corners, pressures) = (&corners.places[start..], &corners.pressures[start..]);
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
        let load = PlaneLoad::of(at_middle, count, |k| {
            (less(corners[k], middle), pressures[k])
        });
        PatchFacet {
            frame,
            corners: range,
            middle,
            at_middle,
            gradient: pressure.a,
            load,
        }
    }

    /// Integral of the pressure [N].
    pub(super) fn force(&self) -> f64 {
        self.load.force.value()
    }

    /// Place from the middle and pressure of a corner.
    #[inline(always)]
    fn corners<'a>(&'a self, all: &'a FacetCorners<T>) -> impl Fn(usize) -> ([T; 2], T) + Copy {
        let range = self.corners.clone();
        let (corners, pressures) = (&all.places[range.clone()], &all.pressures[range]);
        move |k: usize| (less(corners[k], self.middle), pressures[k])
    }

    /// Number of corners.
    pub(super) fn count(&self) -> usize {
        self.corners.len()
    }

    pub(super) fn middle(&self) -> Vec3 {
        self.frame.point(self.middle).map(Real::value)
    }

    /// Integral of the pressure [N], and its first moment [N.m].
    pub(super) fn pressed(&self) -> (T, Vec3<T>) {
        (self.load.force, self.plane().moment(&self.load))
    }

    fn plane(&self) -> PlaneFacet<T> {
        PlaneFacet {
            middle: self.frame.point(self.middle),
            axes: self.frame.axes,
            normal: -self.frame.normal,
            pressure: self.at_middle,
            gradient: self.gradient,
            corners: self.count(),
        }
    }

    /// Scales the pressure on the facet and at its corners; a negative part pulls.
    pub(super) fn carry(&mut self, part: T, corners: &mut FacetCorners<T>) {
        let sign = part.value().signum();
        self.frame.normal *= T::from(sign);
        let part = part * sign;
        self.at_middle *= part;
        self.gradient = self.gradient.map(|slope| slope * part);
        self.load = PlaneLoad {
            force: self.load.force * part,
            first: self.load.first.map(|first| first * part),
            squares: self.load.squares * part * part,
        };
        for pressure in &mut corners.pressures[self.corners.clone()] {
            *pressure *= part;
        }
    }

    /// Appends the nodes of the facet; the patch has the force `total` [N].
    #[inline(always)]
    pub(super) fn push_nodes(&self, all: &FacetCorners<T>, total: f64, nodes: &mut Nodes<T>) {
        if self.force() > NOTHING * total {
            let share = self.force() / total;
            let corner = self.corners(all);
            self.plane().push(&self.load, share, corner, nodes);
        }
    }
}

/// Polygon in the frame of the patch. Its corners are a function that gives place from the middle and pressure.
#[derive(Clone, Debug)]
pub(super) struct PlaneFacet<T: Real> {
    pub(super) middle: Vec3<T>,
    pub(super) axes: [Vec3<T>; 2],
    /// Unit normal of the patch, from 1 to 2.
    pub(super) normal: Vec3<T>,
    /// At the middle [Pa].
    pub(super) pressure: T,
    /// Along the axes [Pa/m].
    pub(super) gradient: [T; 2],
    /// Number of corners.
    pub(super) corners: usize,
}

/// Integrals over a polygon: of the pressure, of its product with the place, and of its square.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneLoad<T: Real> {
    pub(super) force: T,
    pub(super) first: [T; 2],
    pub(super) squares: T,
}

impl<T: Real> PlaneLoad<T> {
    /// Of a polygon with the pressure `r` in the middle.
    #[inline(always)]
    pub(super) fn of(r: T, count: usize, corner: impl Fn(usize) -> ([T; 2], T)) -> Self {
        let triangle = |r: T, [(a, p), (b, q)]: [([T; 2], T); 2]| {
            let twice = cross(a, b);
            let sum = p + q + r;
            let first = |i: usize| twice * (a[i] * (sum + p) + b[i] * (sum + q));
            let squares = twice * (p * p + q * q + r * r + sum * sum);
            [twice * sum, first(0), first(1), squares]
        };
        let [force, x, y, squares] = if count == 3 {
            // A single one, from a corner.
            let (from, r) = corner(2);
            let others = [0, 1].map(&corner).map(|(a, p)| (less(a, from), p));
            let [force, x, y, squares] = triangle(r, others);
            let [more_x, more_y] = from.map(|place| place * force * 4.0);
            [force, x + more_x, y + more_y, squares]
        } else {
            opposite(count, [T::zero(); 4], |k| {
                triangle(r, [k, after(k, count)].map(&corner))
            })
        };
        PlaneLoad {
            force: force * (1.0 / 6.0),
            first: [x * (1.0 / 24.0), y * (1.0 / 24.0)],
            squares: squares * (1.0 / 24.0),
        }
    }
}

impl<T: Real> PlaneFacet<T> {
    #[inline(always)]
    pub(super) fn point(&self, [x, y]: [T; 2]) -> Vec3<T> {
        self.middle + self.axes[0] * x + self.axes[1] * y
    }

    /// First moment of the pressure from the origin.
    #[inline(always)]
    fn moment(&self, load: &PlaneLoad<T>) -> Vec3<T> {
        let [x, y] = load.first;
        self.middle * load.force + self.axes[0] * x + self.axes[1] * y
    }

    /// Appends it with its share of the force of the patch.
    #[inline(always)]
    pub(super) fn push(
        &self,
        load: &PlaneLoad<T>,
        share: f64,
        corner: impl Fn(usize) -> ([T; 2], T),
        nodes: &mut Nodes<T>,
    ) {
        if share < STRIP && load.force.value() > 0.0 {
            let center = load.first.map(|first| first / load.force);
            let push = |nodes: &mut Nodes<T>, place: [T; 2], part: f64| {
                nodes.push(Node {
                    point: self.point(place),
                    normal: self.normal,
                    force: load.force * part,
                });
            };
            if share < SHARE {
                push(nodes, center, 1.0);
                return;
            }
            if let Some(long) = self.thin_along(&corner)
                && let Some([x, y]) = self.strip(load, center, long, &corner)
            {
                nodes.end_facet(Extent::Nodes);
                for (side, part) in [(0.0, 8.0), (1.0, 5.0), (-1.0, 5.0)] {
                    let place = [center[0] + x * side, center[1] + y * side];
                    push(nodes, place, part / 18.0);
                }
                nodes.end_facet(Extent::Nodes);
                return;
            }
        }
        let corners = nodes.add_corners((0..self.corners).map(|k| OutlineCorner {
            place: corner(k).0.into(),
            center: None,
        }));
        nodes.push_polygon(FacetPolygon {
            outline: Outline {
                middle: self.middle,
                axes: self.axes,
                pressure: self.pressure,
                gradient: self.gradient.into(),
                corners,
            },
            normal: self.normal,
            force: load.force,
            first: self.moment(load),
        });
    }

    /// Longest edge; `None` if the facet is not thin.
    #[inline(always)]
    fn thin_along(&self, corner: &impl Fn(usize) -> ([T; 2], T)) -> Option<[T; 2]> {
        let count = self.corners;
        let (mut long, mut longest, mut twice) = ([T::zero(); 2], 0.0, 0.0);
        let mut before = corner(count - 1).0;
        for k in 0..count {
            let end = corner(k).0;
            let edge = less(end, before);
            let [x, y] = edge.map(Real::value);
            let square = x * x + y * y;
            if square > longest {
                (long, longest) = (edge, square);
            }
            twice += cross(before.map(Real::value), end.map(Real::value));
            before = end;
        }
        (twice * 0.5 <= THIN * longest).then_some(long)
    }

    /// Way from the centre of pressure to the outer Gauss points of a strip along its longest edge.
    #[inline(never)]
    fn strip(
        &self,
        load: &PlaneLoad<T>,
        center: [T; 2],
        long: [T; 2],
        corner: &impl Fn(usize) -> ([T; 2], T),
    ) -> Option<[T; 2]> {
        let (count, r) = (self.corners, self.pressure);
        let along = |place: [T; 2]| place[0] * long[0] + place[1] * long[1];
        let [second] = opposite(count, [T::zero(); 1], |k| {
            let ((a, p), (b, q)) = (corner(k), corner(after(k, count)));
            let (twice, sum, a, b) = (cross(a, b), p + q + r, along(a), along(b));
            let (all, first) = (a + b, a * p + b * q);
            let rest =
                sum * (all * all + a * a + b * b) + (all * first + a * a * p + b * b * q) * 2.0;
            [twice * rest]
        });
        let middle = along(center);
        let variance = second / (load.force * 60.0) - middle * middle * 2.0;
        if variance.value() <= 0.0 {
            return None;
        }
        let square = long[0] * long[0] + long[1] * long[1];
        let reach = (variance * 0.9).sqrt() / square;
        Some(long.map(|way| way * reach))
    }
}

/// Corner of a facet, and the pressure there [Pa].
#[derive(Clone, Copy, Debug)]
pub(super) struct PressedCorner<T: Real> {
    pub(super) point: Vec3<T>,
    pub(super) pressure: T,
}

/// Three symmetric points of a triangle rule: weight, the barycentric coordinate that all corners share, and
/// the excess of one of them.
struct Orbit {
    weight: f64,
    all: f64,
    more: f64,
}

impl<T: Real> Nodes<T> {
    /// Integral of the pressure times the distance from an axis along the unit vector `normal` [N.m]: over plane
    /// regions with straight edges by six points in each triangle about their middle, as it has a kink.
    pub fn arm(&self, center: &Vec3<T>, normal: &Vec3<T>) -> T {
        let off = |point: Vec3<T>| point - normal * point.dot(normal);
        let of_plane = |outline: &Outline<T>| {
            let (at, [x_axis, y_axis]) = (off(outline.middle - center), outline.axes.map(off));
            let [sum] = self.over(outline, |[x, y], force, [sum]| {
                *sum += force * length(&(at + x_axis * x + y_axis * y));
            });
            sum
        };
        self.facets().fold(T::zero(), |all, (nodes, extent)| {
            all + match extent {
                Extent::Polygon(polygon) => of_plane(&polygon.outline),
                Extent::Region(outline) if !self.is_round(outline) => of_plane(outline),
                _ => in_pairs(nodes, T::zero(), |node| {
                    node.force * length(&off(node.point - center))
                }),
            }
        })
    }

    /// [`Self::arm`] of a shape with a node for each face and the largest radius `reach`, with the sign of its
    /// places over the normals, about the centre of the pressure and along the direction N of its force.
    ///
    /// q = reach (n - (n.N) N) is about the place of a ball where it touches the plane of a face. The arm is the mean
    /// of |q|, times the slope of the places of the nodes over q, from 0 to 1: the distance of both sides of a
    /// groove, zero on a convex edge, which both faces meet, and on a plane, into whatever faces it is cut.
    pub(super) fn arm_of_faces(&self, center: &Vec3<T>, normal: &Vec3<T>, reach: f64) -> T {
        let sums = self.sum(Vec3::zeros(), |node| {
            let q = (node.normal - normal * node.normal.dot(normal)) * T::from(reach);
            let slope = Vec3::new(length(&q), q.dot(&(node.point - center)), q.dot(&q));
            slope * node.force
        });
        let [mean, along, square]: [T; 3] = sums.into();
        if along.value() <= 0.0 {
            T::zero()
        } else if along.value() < square.value() {
            mean * (along / square)
        } else {
            mean
        }
    }

    fn is_round(&self, outline: &Outline<T>) -> bool {
        let mut corners = self.corners(outline).iter();
        corners.any(|corner| corner.center.is_some())
    }

    /// Sums over six nodes in each triangle about the middle of a region with straight edges, to which `add` adds by
    /// their place along the axes and their force [N]: a rule that is exact to degree 4. Opposite triangles are added
    /// to each other, so that contributions that cancel by symmetry do so exactly.
    #[inline(always)]
    pub fn over<const N: usize>(
        &self,
        outline: &Outline<T>,
        mut add: impl FnMut([T; 2], T, &mut [T; N]),
    ) -> [T; N] {
        let corners = self.corners(outline);
        let (count, r) = (corners.len(), outline.pressure);
        opposite(count, [T::zero(); N], |k| {
            let mut sum = [T::zero(); N];
            let [a, b] = [k, after(k, count)].map(|k| corners[k].place);
            let [p, q] = [a, b].map(|place| r + outline.gradient.dot(&place));
            let half = a.perp(&b) * 0.5;
            let (place, pressure) = (a + b, (p + q + r) * half);
            for orbit in &DEGREE_4 {
                let all = [place.x * orbit.all, place.y * orbit.all];
                let force = pressure * (orbit.all * orbit.weight);
                let more = half * (orbit.more * orbit.weight);
                let mut at = |place: [T; 2], near: T| {
                    add(place, force + near * more, &mut sum);
                };
                at(all, r);
                for (corner, near) in [(a, p), (b, q)] {
                    let [x, y] = all;
                    at([x + corner.x * orbit.more, y + corner.y * orbit.more], near);
                }
            }
            sum
        })
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
fn after(k: usize, count: usize) -> usize {
    if k + 1 == count { 0 } else { k + 1 }
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
