//! The pressure field over one part of the surface.
//!
//! In the chart of a part (three axes of the body and an origin) the depth below plane j is affine,
//! g_j = c + a x + b y + e z. The pressure is k min_j g_j where that is positive. A plane whose
//! depth exceeds the deepest point of the part everywhere on it is never the least and is left out.

use crate::math::{Pose, Real, Vec2, Vec3};
use crate::narrow_phase::area::{Corner, Plane};

/// Depth below a plane over the axes of a chart or of the body: c + slope . x [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth<T: Real = f64> {
    /// Depth at the origin [m].
    pub c: T,
    /// Its slope along the three axes.
    pub slope: Vec3<T>,
    /// Index of the plane.
    pub plane: usize,
}

impl<T: Real> Depth<T> {
    /// Depth below a plane of B in the frame of the body A.
    pub fn in_body(plane: &Plane<T>, pose: &Pose<T>, index: usize) -> Self {
        Depth {
            c: plane.offset - plane.normal.dot(&pose.position),
            slope: -pose.rotation.tr_mul(&plane.normal),
            plane: index,
        }
    }

    /// Its value without the derivative.
    pub fn values(&self) -> Depth {
        Depth {
            c: self.c.value(),
            slope: self.slope.map(Real::value),
            plane: self.plane,
        }
    }

    /// Depth of a point [m].
    #[inline(always)]
    pub fn at(&self, p: &Vec3) -> T {
        self.c + self.slope.x * p.x + self.slope.y * p.y + self.slope.z * p.z
    }
}

impl Depth {
    /// How much deeper a point is below this plane than below another one [m].
    pub fn beyond(&self, other: &Depth) -> Depth {
        Depth {
            c: self.c - other.c,
            slope: self.slope - other.slope,
            plane: self.plane,
        }
    }

    /// Length of the slope across the third axis.
    pub fn across(&self) -> f64 {
        (self.slope.x * self.slope.x + self.slope.y * self.slope.y).sqrt()
    }
}

/// Origin and axes of a part of the surface in the frame of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chart {
    /// Origin [m].
    pub origin: Vec3,
    /// Three unit axes, right-handed.
    pub axes: [Vec3; 3],
}

impl Chart {
    /// A depth over the body, over the chart.
    pub fn depth(&self, depth: &Depth) -> Depth {
        let [u, v, w] = &self.axes;
        let slope = &depth.slope;
        Depth {
            c: depth.at(&self.origin),
            slope: Vec3::new(slope.dot(u), slope.dot(v), slope.dot(w)),
            plane: depth.plane,
        }
    }

    /// A direction in the chart, in the frame of the body.
    pub fn direction(&self, x: f64, y: f64, z: f64) -> Vec3 {
        let [u, v, w] = &self.axes;
        u * x + v * y + w * z
    }

    /// A point in the chart, in the frame of the body.
    pub fn point(&self, x: f64, y: f64, z: f64) -> Vec3 {
        self.origin + self.direction(x, y, z)
    }
}

/// A quadrature node in the frame of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Where it is [m].
    pub point: Vec3,
    /// Unit normal out of the body.
    pub normal: Vec3,
    /// Area it stands for [m2].
    pub area: f64,
    /// The nearest plane of B.
    pub plane: usize,
}

/// What the samples of a part of the surface stand for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// A piece of a generator.
    Line,
    /// A region of a planar face.
    Region {
        /// Chart of the face.
        chart: Chart,
        /// Middle of the corners.
        middle: Vec2,
        /// Indices of the corners.
        corners: (usize, usize),
        /// The nearest plane of B.
        plane: usize,
    },
}

/// Samples, part by part.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    pub list: Vec<Sample>,
    /// Where parts end in the list, and what they are.
    pub parts: Vec<(usize, Part)>,
    /// Corners of regions, from the middle; with the centre of the arc that begins there.
    pub corners: Vec<Corner<f64>>,
}

impl Samples {
    pub fn push(&mut self, sample: Sample) {
        self.list.push(sample);
    }

    /// Ends a part, if it has a sample.
    pub fn end(&mut self, part: Part) {
        if self.parts.last().map_or(0, |(end, _)| *end) < self.list.len() {
            self.parts.push((self.list.len(), part));
        }
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.parts.clear();
        self.corners.clear();
    }
}

/// Lists the depths that can be the least somewhere on a part where all are positive, over its
/// chart. `extent` has the least and the largest depth on the part [m].
pub(super) fn find_active(
    depths: &[Depth],
    chart: &Chart,
    extent: impl Fn(&Depth) -> [f64; 2],
    active: &mut Vec<Depth>,
) {
    active.clear();
    let mut deepest = f64::INFINITY;
    for depth in depths {
        let depth = chart.depth(depth);
        deepest = deepest.min(extent(&depth)[1]);
        active.push(depth);
        if deepest <= 0.0 {
            active.clear();
            return;
        }
    }
    active.retain(|depth| extent(depth)[0] <= deepest);
}
