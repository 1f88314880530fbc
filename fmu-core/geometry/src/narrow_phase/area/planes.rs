//! Faces of polytopes as planes, their pressures as linear functions, and convex polygons cut by these.
//!
//! A polygon is cut out of a plane by half-planes. A corner is identified by the two lines that meet there.
//! Plain numbers decide which lines bound the polygon; [`Polygon::corner`] then computes a corner from its
//! lines alone, in any scalar, so that it does not depend on the order of the cuts and carries its
//! derivative.

use crate::math::{Pose, Real, Vec3};
use crate::shapes::Core;

/// Stiffness per area (pressure over depth) of both layers [N/m3].
pub type Stiffness = [f64; 2];

/// Plane of a face; the inside is where normal . x <= offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane<T: Real> {
    pub(crate) normal: Vec3<T>,
    pub offset: T,
}

/// Plane of a polytope's face at a pose, moved inwards by `inset` [m]. Opposite faces of a box are adjacent.
#[inline(always)]
pub(crate) fn plane<T: Real>(core: &Core, face: usize, pose: &Pose<T>, inset: f64) -> Plane<T> {
    let (normal, offset): (Vec3<T>, f64) = match core {
        Core::Box(cuboid) => {
            let axis = face / 2;
            let normal: Vec3<T> = pose.rotation.column(axis).into();
            let outward = if face.is_multiple_of(2) {
                normal
            } else {
                -normal
            };
            (outward, cuboid.half[axis])
        }
        Core::Hull(hull) => {
            let (normal, offset) = hull.faces().plane(face);
            (pose.rotation * normal.map(T::from), offset)
        }
        _ => (pose.rotation.column(2).into(), 0.0),
    };
    Plane {
        normal,
        offset: normal.dot(&pose.position) + (offset - inset),
    }
}

/// Number of plane faces of a convex polytope; 0 for other cores.
pub fn face_count(core: &Core) -> usize {
    match core {
        Core::HalfSpace => 1,
        Core::Box(_) => 6,
        Core::Hull(hull) => hull.faces().count(),
        _ => 0,
    }
}

/// Largest coordinate [m]; infinite for a half-space.
pub(super) fn size(core: &Core) -> f64 {
    match core {
        Core::HalfSpace => f64::INFINITY,
        bounded => bounded.solid().largest_coordinate(),
    }
}

/// Depth down to which the faces of a polytope meet as at its edges [m].
pub(super) fn layer(core: &Core) -> f64 {
    match core {
        Core::Box(cuboid) => cuboid.half.iter().fold(f64::INFINITY, |a, b| a.min(*b)),
        Core::Hull(hull) => hull.layer().depth,
        _ => f64::INFINITY,
    }
}

/// Linear function at_0 + gradient . x.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear<T: Real = f64> {
    pub gradient: Vec3<T>,
    pub(crate) at_0: T,
}

impl<T: Real> Linear<T> {
    #[inline(always)]
    pub(crate) fn at(&self, x: &Vec3<T>) -> T {
        self.at_0 + self.gradient.dot(x)
    }

    #[inline(always)]
    pub(crate) fn less(&self, other: &Self) -> Self {
        Linear {
            gradient: self.gradient - other.gradient,
            at_0: self.at_0 - other.at_0,
        }
    }

    /// Half-plane in which the function is not negative, within the plane given by origin and axes.
    #[inline(always)]
    pub(super) fn half(&self, origin: &Vec3<T>, axes: &[Vec3<T>; 2]) -> Half<T> {
        Half {
            a: [self.gradient.dot(&axes[0]), self.gradient.dot(&axes[1])],
            c: self.at(origin),
        }
    }

    pub(super) fn values(&self) -> Linear {
        Linear {
            gradient: self.gradient.map(Real::value),
            at_0: self.at_0.value(),
        }
    }
}

impl Linear {
    /// With a gradient of unit length.
    pub(crate) fn unit(&self) -> Linear {
        let scale = 1.0 / self.gradient.norm();
        Linear {
            gradient: self.gradient * scale,
            at_0: self.at_0 * scale,
        }
    }

    /// Value at the centre of a box, and the largest deviation from it inside.
    #[inline(always)]
    pub(super) fn range(&self, center: &Vec3, half: &Vec3) -> (f64, f64) {
        (self.at(center), self.gradient.abs().dot(half))
    }

    /// Shrinks a box, but for `spare` [m], to one around its points where the function is not negative, and
    /// returns the largest value there; not positive if there is no such point.
    #[inline(always)]
    pub(super) fn shrink(&self, center: &mut Vec3, half: &mut Vec3, spare: f64) -> f64 {
        let (middle, off) = self.range(center, half);
        let most = middle + off;
        if most <= 0.0 || middle >= off {
            return most;
        }
        for k in 0..3 {
            let slope = self.gradient[k];
            // 2 half |slope| > most, with the spare.
            let cut = half[k] - 0.5 * (most / slope.abs() + spare);
            if cut > 0.0 {
                center[k] += cut.copysign(slope);
                half[k] -= cut;
            }
        }
        most
    }
}

/// Half-plane a[0] x + a[1] y + c >= 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Half<T: Real> {
    pub(crate) a: [T; 2],
    pub c: T,
}

impl<T: Real> Half<T> {
    pub(super) fn all() -> Self {
        Half {
            a: [T::zero(); 2],
            c: T::zero(),
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, [x, y]: [T; 2]) -> T {
        self.a[0] * x + self.a[1] * y + self.c
    }
}

/// Corner, and the line of the edge that begins there.
#[derive(Clone, Copy, Debug)]
struct CutCorner {
    place: [f64; 2],
    line: usize,
}

/// Counter-clockwise polygon; lines have the numbers given to [`Polygon::cut`].
#[derive(Clone, Debug, Default)]
pub(super) struct Polygon {
    corners: Vec<CutCorner>,
    values: Vec<f64>,
    rest: Vec<CutCorner>,
}

/// Line of an edge that no cut made.
pub(super) const OUTER: usize = usize::MAX;
/// Sine of the angle of two lines below which their corner is taken as it was cut.
const PARALLEL: f64 = 1e-9;

impl Polygon {
    pub(super) fn reserve(&mut self, lines: usize) {
        for corners in [&mut self.corners, &mut self.rest] {
            corners.reserve(lines + 4);
        }
        self.values.reserve(lines + 4);
    }

    pub(super) fn clear(&mut self) {
        self.corners.clear();
    }

    /// Appends a corner, and the number of the line of the edge that begins there.
    pub(super) fn push(&mut self, place: [f64; 2], line: usize) {
        self.corners.push(CutCorner { place, line });
    }

    pub(super) fn start(&mut self, half: f64) {
        self.corners.clear();
        let corners = [[half, half], [-half, half], [-half, -half], [half, -half]];
        self.corners
            .extend(corners.map(|place| CutCorner { place, line: OUTER }));
    }

    /// Cuts by a half-plane, whose line has the number `line`. Returns false if nothing is left.
    #[inline]
    pub(super) fn cut(&mut self, half: &Half<f64>, line: usize) -> bool {
        let count = self.corners.len();
        self.values.clear();
        let (mut lowest, mut least) = (0, 0.0);
        for (k, corner) in self.corners.iter().enumerate() {
            let value = half.at(corner.place);
            self.values.push(value);
            if value < least {
                (lowest, least) = (k, value);
            }
        }
        if least >= 0.0 {
            return true;
        }
        // The corners outside follow each other, the lowest among them: it is convex but for rounding, by
        // which others may be outside that stay.
        let (corners, values) = (&self.corners[..count], &self.values[..count]);
        let next = |k: usize| if k + 1 == count { 0 } else { k + 1 };
        let previous = |k: usize| if k == 0 { count - 1 } else { k - 1 };
        let mut first = next(lowest);
        while values[first] < 0.0 {
            if first == lowest {
                return false;
            }
            first = next(first);
        }
        let mut last = previous(lowest);
        while values[last] < 0.0 {
            last = previous(last);
        }
        let cross = |inside: usize, outside: usize| {
            let ends = [inside, outside];
            crossing(ends.map(|k| corners[k].place), ends.map(|k| values[k]))
        };
        self.rest.clear();
        if values[first] > 0.0 {
            let outside = previous(first);
            self.rest.push(CutCorner {
                place: cross(first, outside),
                line: corners[outside].line,
            });
        }
        let mut k = first;
        while k != last {
            self.rest.push(corners[k]);
            k = next(k);
        }
        if values[last] > 0.0 {
            self.rest.push(corners[last]);
        }
        self.rest.push(CutCorner {
            place: cross(last, next(last)),
            line,
        });
        std::mem::swap(&mut self.corners, &mut self.rest);
        self.corners.len() >= 3
    }

    pub(super) fn len(&self) -> usize {
        self.corners.len()
    }

    /// Index of the corner with the largest x, and among equal ones the largest y: independent of the order
    /// of the cuts.
    pub(super) fn first(&self) -> usize {
        let place = |k: usize| self.corners[k].place;
        (1..self.len()).fold(0, |first, k| match place(k) > place(first) {
            true => k,
            false => first,
        })
    }

    pub(super) fn place(&self, k: usize) -> [f64; 2] {
        self.corners[k].place
    }

    /// Lines of the edges that end and begin at a corner.
    pub(super) fn lines(&self, k: usize) -> [usize; 2] {
        let before = if k == 0 { self.len() - 1 } else { k - 1 };
        [before, k].map(|k| self.corners[k].line)
    }

    /// Line of the edge that begins at a corner; `None` if no cut made it.
    pub(super) fn line(&self, k: usize) -> Option<usize> {
        let line = self.corners[k].line;
        (line != OUTER).then_some(line)
    }

    /// Intersection of the lines that meet at corner `k`.
    #[inline(always)]
    pub(super) fn corner<T: Real>(&self, k: usize, lines: &[Half<T>]) -> [T; 2] {
        let before = if k == 0 { self.len() - 1 } else { k - 1 };
        let as_cut = self.corners[k].place.map(T::from);
        let outer = |k: usize| self.corners[k].line == OUTER;
        if outer(before) || outer(k) {
            return as_cut;
        }
        let [p, q] = [&lines[before], &lines[k]];
        let det = p.a[0] * q.a[1] - p.a[1] * q.a[0];
        let square = |h: &Half<T>| {
            let [a, b] = h.a.map(Real::value);
            a * a + b * b
        };
        let size = square(p) * square(q);
        if det.value() * det.value() <= PARALLEL * PARALLEL * size {
            return as_cut;
        }
        let per = det.recip();
        [
            (p.a[1] * q.c - q.a[1] * p.c) * per,
            (q.a[0] * p.c - p.a[0] * q.c) * per,
        ]
    }
}

fn crossing([a, b]: [[f64; 2]; 2], [v, w]: [f64; 2]) -> [f64; 2] {
    let t = v / (v - w);
    [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]
}
