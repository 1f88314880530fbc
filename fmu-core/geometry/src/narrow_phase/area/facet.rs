//! A plane polygon of a patch: its integrals and its nodes.

use crate::math::{Real, Vec3};
use crate::narrow_phase::area::linear::Linear;
use crate::narrow_phase::area::{self as area, Extent, Node, Nodes};

/// The plane in which two faces have equal pressures, with axes of its own.
#[derive(Clone, Copy, Debug)]
pub struct Frame<T: Real> {
    /// Unit normal, from the cell of the first face to that of the second.
    pub normal: Vec3<T>,
    /// The point nearest to the origin.
    pub origin: Vec3<T>,
    /// Unit vectors in the plane, right-handed with the normal.
    pub axes: [Vec3<T>; 2],
}

/// A polygon where two cells meet.
#[derive(Clone, Copy, Debug)]
pub struct Facet<T: Real> {
    /// Its plane.
    pub frame: Frame<T>,
    /// Indices of its corners, counter-clockwise about the normal.
    corners: (usize, usize),
    /// Centre of its area, and the pressure there [Pa].
    middle: [T; 2],
    at_middle: T,
    /// Its gradient [Pa/m].
    gradient: [T; 2],
    /// Pressure times area [N].
    pub force: f64,
}

/// Share of the force of a patch from which on a facet gets the rule of degree 4 about its centre.
/// The others, strips along the rim of a face mostly, get one node at their centre of pressure,
/// which is exact for their elastic wrench; friction and damping of one may be off by as much as
/// they are, mu times this share of the force.
const SHARE: f64 = 1e-5;
/// Share of the force that is rounding: such a facet has no node.
const NOTHING: f64 = 1e-20;
/// Area over the mean square of the distances of the corners from their mean below which that
/// serves as the centre.
const SLIVER: f64 = 1e-12;

impl<T: Real> Frame<T> {
    /// The plane in which two pressures are equal, from the difference of both too.
    pub fn between(one: &Linear<T>, other: &Linear<T>, between: &Linear<T>) -> Frame<T> {
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
        Frame {
            origin: normal * (-between.at_0 * per),
            axes: [first, normal.cross(&first)],
            normal,
        }
    }
}

impl<T: Real> Frame<T> {
    /// A point of the plane.
    #[inline(always)]
    fn point(&self, [x, y]: [T; 2]) -> Vec3<T> {
        self.origin + self.axes[0] * x + self.axes[1] * y
    }
}

impl<T: Real> Facet<T> {
    /// From the plane, the corners and the pressures there, the first of which has the index
    /// `start`, and the pressure.
    pub fn new(
        frame: Frame<T>,
        (start, corners, pressures): (usize, &[[T; 2]], &[T]),
        pressure: &Linear<T>,
    ) -> Self {
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
        Facet {
            frame,
            corners: (start, start + pressures.len()),
            middle,
            at_middle,
            gradient: pressure.a,
            force: (at_middle * area).value(),
        }
    }

    /// Integral of the square of the pressure [Pa^2.m2].
    pub fn squares(&self, corners: &[[T; 2]], pressures: &[T]) -> T {
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

    /// The centre of its area [m].
    pub fn middle(&self) -> Vec3 {
        self.frame.point(self.middle).map(Real::value)
    }

    /// Integrals of the pressure [N] and of it times the place [N.m] over given corners with their
    /// pressures.
    pub fn pressed(&self, (corners, pressures): (&[[T; 2]], &[T])) -> (T, Vec3<T>) {
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
    fn corner(&self, place: [T; 2], pressure: T) -> Corner<T> {
        Corner {
            point: self.frame.point(place),
            pressure,
            place,
        }
    }

    /// Lets the facet carry a part of its pressure, that at its corners too; one below zero pulls.
    pub fn carry(&mut self, part: T, pressures: &mut [T]) {
        let sign = part.value().signum();
        self.frame.normal *= T::from(sign);
        let part = part * sign;
        self.at_middle *= part;
        self.gradient = self.gradient.map(|slope| slope * part);
        self.force *= part.value();
        pressures.iter_mut().for_each(|pressure| *pressure *= part);
    }

    /// Pushes the nodes, of a patch with the force `total` [N].
    #[inline(always)]
    pub fn push_nodes(
        &self,
        (corners, pressures): (&[[T; 2]], &[T]),
        total: f64,
        nodes: &mut Nodes<T>,
    ) {
        let corners = &corners[self.corners.0..self.corners.1];
        let pressures = &pressures[self.corners.0..self.corners.1];
        let count = corners.len();
        let corner = |k: usize| self.corner(corners[k], pressures[k]);
        let normal = -self.frame.normal;
        if self.force <= NOTHING * total {
            return;
        }
        if self.force < SHARE * total {
            let (force, moment) = self.pressed((corners, pressures));
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
            (middle.point, self.frame.axes),
            (self.at_middle, self.gradient.into()),
            corners.iter().map(|corner| area::Corner {
                place: less(*corner, self.middle).into(),
                center: None,
            }),
        );
        nodes.end_facet(extent);
    }
}

/// A corner of a triangle.
#[derive(Clone, Copy)]
struct Corner<T: Real> {
    point: Vec3<T>,
    pressure: T,
    place: [T; 2],
}

/// A triangle of a facet.
struct Triangle<T: Real> {
    corners: [Corner<T>; 3],
    /// Sums over the corners.
    point: Vec3<T>,
    pressure: T,
    area: T,
}

/// Three points of a rule on a triangle: weight, and the barycentric coordinate of all corners and
/// what one has more than the others.
struct Orbit {
    weight: f64,
    all: f64,
    more: f64,
}

impl<T: Real> Triangle<T> {
    #[inline(always)]
    fn of(corners: [Corner<T>; 3]) -> Self {
        let [m, a, b] = &corners;
        Triangle {
            point: m.point + a.point + b.point,
            pressure: m.pressure + a.pressure + b.pressure,
            area: cross(less(a.place, m.place), less(b.place, m.place)) * 0.5,
            corners,
        }
    }

    /// Integral of pressure times place.
    #[inline(always)]
    fn moment(&self) -> Vec3<T> {
        let corners = self.corners.iter();
        let own = corners.fold(Vec3::zeros(), |sum, c| sum + c.point * c.pressure);
        (self.point * self.pressure + own) * (self.area * (1.0 / 12.0))
    }

    /// The node of an orbit near a corner.
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

/// Sum over the corners of a polygon; opposite ones first, so that it is zero where they cancel.
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

/// Six points, exact to degree 4.
///
/// D. A. Dunavant, High degree efficient symmetrical Gaussian quadrature rules for the triangle,
/// Int. J. Numer. Methods Eng. 21 (1985) 1129-1148
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
