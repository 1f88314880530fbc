//! Convex polygons in a plane, cut out of it by half-planes.
//!
//! A corner is known by the two lines that meet there. Which lines bound the polygon is decided
//! with plain numbers; [`Polygon::corner`] then computes a corner from its lines alone, in any
//! scalar, so that it does not depend on the order of the cuts and carries its derivative.

use crate::math::Real;

/// A half of the plane: where a[0] x + a[1] y + c >= 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Half<T: Real> {
    /// Gradient.
    pub a: [T; 2],
    /// Value at the origin.
    pub c: T,
}

impl<T: Real> Half<T> {
    /// Value at a point.
    #[inline(always)]
    pub fn at(&self, [x, y]: [T; 2]) -> T {
        self.a[0] * x + self.a[1] * y + self.c
    }
}

/// A corner, and the line of the edge that begins there.
#[derive(Clone, Copy, Debug)]
struct Corner {
    place: [f64; 2],
    line: usize,
}

/// A polygon, counter-clockwise; the number of a line is what [`Polygon::cut`] was given.
#[derive(Clone, Debug, Default)]
pub struct Polygon {
    corners: Vec<Corner>,
    values: Vec<f64>,
    rest: Vec<Corner>,
}

/// The line of an edge that no cut made.
const OUTER: usize = usize::MAX;
/// Sine of the angle of two lines below which their corner is taken as it was cut.
const PARALLEL: f64 = 1e-9;

impl Polygon {
    /// Room for so many lines.
    pub fn reserve(&mut self, lines: usize) {
        for corners in [&mut self.corners, &mut self.rest] {
            corners.reserve(lines + 4);
        }
        self.values.reserve(lines + 4);
    }

    /// The square |x|, |y| <= `half`.
    pub fn start(&mut self, half: f64) {
        self.corners.clear();
        let corners = [[half, half], [-half, half], [-half, -half], [half, -half]];
        self.corners
            .extend(corners.map(|place| Corner { place, line: OUTER }));
    }

    /// Keeps what is in a half-plane, whose line has the number `line`. Returns false if nothing
    /// is left.
    pub fn cut(&mut self, half: &Half<f64>, line: usize) -> bool {
        self.values.clear();
        self.values
            .extend(self.corners.iter().map(|corner| half.at(corner.place)));
        let least = self
            .values
            .iter()
            .fold(f64::INFINITY, |least, v| v.min(least));
        if least >= 0.0 {
            return true;
        }
        self.rest.clear();
        let count = self.corners.len();
        for k in 0..count {
            let next = if k + 1 == count { 0 } else { k + 1 };
            let (corner, behind) = (self.corners[k], self.corners[next]);
            let (v, w) = (self.values[k], self.values[next]);
            let leaves = v >= 0.0 && w < 0.0;
            if v > 0.0 || (v == 0.0 && !leaves) {
                self.rest.push(corner);
            }
            if leaves {
                let place = crossing((corner.place, v), (behind.place, w));
                self.rest.push(Corner { place, line });
            } else if v < 0.0 && w > 0.0 {
                let place = crossing((corner.place, v), (behind.place, w));
                self.rest.push(Corner { place, ..corner });
            }
        }
        std::mem::swap(&mut self.corners, &mut self.rest);
        self.corners.len() >= 3
    }

    /// Number of corners.
    pub fn len(&self) -> usize {
        self.corners.len()
    }

    /// The corner to begin with, whatever the order of the cuts was: that of the largest x, and of
    /// the largest y among these.
    pub fn first(&self) -> usize {
        let place = |k: usize| self.corners[k].place;
        (1..self.len()).fold(0, |first, k| match place(k) > place(first) {
            true => k,
            false => first,
        })
    }

    /// A corner from its lines; `half` gives the half-plane of a number.
    pub fn corner<T: Real>(&self, k: usize, half: impl Fn(usize) -> Half<T>) -> [T; 2] {
        let before = if k == 0 { self.len() - 1 } else { k - 1 };
        let (corner, lines) = (&self.corners[k], [before, k].map(|k| self.corners[k].line));
        let as_cut = corner.place.map(T::from);
        if lines[0] == OUTER || lines[1] == OUTER {
            return as_cut;
        }
        let [p, q] = lines.map(half);
        let det = p.a[0] * q.a[1] - p.a[1] * q.a[0];
        let square = |h: &Half<T>| {
            let [a, b] = h.a.map(Real::value);
            a * a + b * b
        };
        let size = square(&p) * square(&q);
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

/// Where a line function that has these values of two signs at two points is zero between them.
fn crossing((a, v): ([f64; 2], f64), (b, w): ([f64; 2], f64)) -> [f64; 2] {
    let t = v / (v - w);
    [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]
}
