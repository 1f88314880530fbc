//! The patch of two convex polytopes, and its energy.
//!
//! With l_i the pressure of face i, k_A (d_i - n_i.x), min(p_A, p_B) is the least of all l_i. The
//! cells where one of them is the least are convex, and where two cells meet, l_i = l_j, lies a
//! convex polygon: cut from the plane l_i = l_j by l_i <= l_m of all others and l_i >= 0.
//!
//! - patch: the polygons between a face of A and one of B. The pressure is linear on each, so its
//!   wrench, and that of a damping p d v_n too, follow exactly from a rule of degree 4
//! - energy: with the divergence theorem on a cell, whose l_i has the gradient -k n_i,
//!   integral of l_i dV = -1/(2 k) sum over its polygons of (N.n_i) integral of l_i^2 dA, N out of
//!   the cell. So a polygon between cells i and j adds (N.n_j/k_j - N.n_i/k_i)/2 integral of l^2,
//!   with N from i to j: those of two faces of one body too.
//!
//! Faces that cannot be the least anywhere are left out first: p <= P, the least over all faces of
//! the largest l_i in a box around the overlap.

use crate::geometry::Aabb;
use crate::math::{Real, Vec3};
use crate::narrow_phase::area::polygon::{Half, Polygon};
use crate::narrow_phase::area::{Node, Nodes, Plane, Stiffness};

/// The pressure of a face, l(x) = at_0 + gradient.x [Pa].
#[derive(Clone, Copy, Debug)]
struct Linear<T: Real> {
    gradient: Vec3<T>,
    at_0: T,
}

/// Part of the size of the overlap by which two planes may differ that count as one: some rounding.
const TWIN: f64 = 1e-13;

/// A face that may carry pressure.
#[derive(Clone, Copy, Debug)]
struct Face<T: Real> {
    /// Of which body.
    side: usize,
    pressure: Linear<T>,
    /// The same in values.
    values: Linear<f64>,
}

/// Work arrays.
#[derive(Clone, Debug)]
pub struct Work<T: Real> {
    faces: Vec<Face<T>>,
    /// No pressure is above it [Pa].
    bound: f64,
    /// The face of least pressure in the middle, of both bodies.
    least: [usize; 2],
    polygon: Polygon,
    corners: Vec<[T; 2]>,
    pressures: Vec<T>,
}

impl<T: Real> Default for Work<T> {
    fn default() -> Self {
        Work {
            faces: Vec::new(),
            bound: 0.0,
            least: [0; 2],
            polygon: Polygon::default(),
            corners: Vec::new(),
            pressures: Vec::new(),
        }
    }
}

/// The plane in which two faces have equal pressures, with axes of its own.
struct Frame<T: Real> {
    /// Unit normal, from the cell of the first face to that of the second.
    normal: Vec3<T>,
    /// The point nearest to the origin.
    origin: Vec3<T>,
    axes: [Vec3<T>; 2],
}

impl<T: Real> Linear<T> {
    #[inline(always)]
    fn at(&self, x: &Vec3<T>) -> T {
        self.at_0 + self.gradient.dot(x)
    }

    #[inline(always)]
    fn less(&self, other: &Self) -> Self {
        Linear {
            gradient: self.gradient - other.gradient,
            at_0: self.at_0 - other.at_0,
        }
    }

    /// Its half-plane where it is not negative, in a plane.
    #[inline(always)]
    fn half(&self, origin: &Vec3<T>, axes: &[Vec3<T>; 2]) -> Half<T> {
        Half {
            a: [self.gradient.dot(&axes[0]), self.gradient.dot(&axes[1])],
            c: self.at(origin),
        }
    }
}

impl Linear<f64> {
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Linear {
            gradient: self.gradient + other.gradient,
            at_0: self.at_0 + other.at_0,
        }
    }

    /// Value at the centre of a box, and by how much it differs from that inside.
    #[inline(always)]
    fn range(&self, center: &Vec3, half: &Vec3) -> (f64, f64) {
        (self.at(center), self.gradient.abs().dot(half))
    }
}

impl<T: Real> Work<T> {
    /// Room for so many faces of both bodies.
    pub fn reserve(&mut self, faces: usize) {
        self.faces.reserve(faces);
        self.polygon.reserve(faces + 1);
        self.corners.reserve(faces + 5);
        self.pressures.reserve(faces + 5);
    }

    /// Pushes the nodes of two bodies with these faces, all of whose common points lie in `region`,
    /// and returns the energy [J].
    pub fn find(
        &mut self,
        faces: [&[Plane<T>]; 2],
        stiffness: Stiffness,
        region: &Aabb,
        nodes: &mut Nodes<T>,
    ) -> T {
        let center = (region.lower + region.upper) * 0.5;
        let half = (region.upper - region.lower) * 0.5;
        if !self.select(faces, stiffness, &center, &half) {
            return T::zero();
        }
        let mut energy = T::zero();
        // No point of the region is farther from the origin.
        let reach = center.norm() + half.norm();
        let first_of_2 = self.faces.partition_point(|face| face.side == 0);
        for i in 0..first_of_2 {
            for j in first_of_2..self.faces.len() {
                let Some(frame) = self.facet(i, j, (&center, &half), reach) else {
                    continue;
                };
                self.push_nodes(i, &frame, nodes);
                nodes.end_facet();
                energy += self.energy(i, j, &frame);
            }
        }
        for i in 0..self.faces.len() {
            let same = |j: &usize| self.faces[*j].side == self.faces[i].side;
            let end = (i + 1..self.faces.len()).take_while(same).count() + i + 1;
            for j in i + 1..end {
                if let Some(frame) = self.facet(i, j, (&center, &half), reach) {
                    energy += self.energy(i, j, &frame);
                }
            }
        }
        energy
    }

    /// Takes the faces whose pressure can be the least of all somewhere. Returns false if nothing
    /// overlaps.
    fn select(
        &mut self,
        faces: [&[Plane<T>]; 2],
        stiffness: Stiffness,
        center: &Vec3,
        half: &Vec3,
    ) -> bool {
        self.faces.clear();
        let mut bound = f64::INFINITY;
        for (side, (planes, k)) in faces.into_iter().zip(stiffness).enumerate() {
            for plane in planes {
                let pressure = Linear {
                    gradient: plane.normal * T::from(-k),
                    at_0: plane.offset * k,
                };
                let values = Linear {
                    gradient: pressure.gradient.map(Real::value),
                    at_0: pressure.at_0.value(),
                };
                let (middle, off) = values.range(center, half);
                bound = bound.min(middle + off);
                self.faces.push(Face {
                    side,
                    pressure,
                    values,
                });
            }
        }
        self.bound = bound;
        self.faces.retain(|face| {
            let (middle, off) = face.values.range(center, half);
            middle - off < bound
        });
        let faces = &self.faces;
        self.least = [0, 1].map(|side| {
            let own = faces
                .iter()
                .enumerate()
                .filter(|(_, face)| face.side == side);
            let at = |face: &Face<T>| face.values.at(center);
            let least = own.min_by(|a, b| at(a.1).total_cmp(&at(b.1)));
            least.map_or(0, |(index, _)| index)
        });
        bound > 0.0
    }

    /// The polygon between the cells of two faces, in [`Self::corners`] with its pressures; none if
    /// the cells do not meet.
    fn facet(
        &mut self,
        i: usize,
        j: usize,
        (center, half): (&Vec3, &Vec3),
        reach: f64,
    ) -> Option<Frame<T>> {
        let (one, other) = (self.faces[i], self.faces[j]);
        let between = one.values.less(&other.values);
        let (middle, off) = between.range(center, half);
        let square = between.gradient.norm_squared();
        let scale = one.values.gradient.norm_squared() + other.values.gradient.norm_squared();
        if middle.abs() > off || square <= 1e-24 * scale {
            return None;
        }
        // Both pressures are their mean there, and none is above the bound.
        let sum = one.values.plus(&other.values);
        let (middle, off) = sum.range(center, half);
        if middle - off > 2.0 * self.bound {
            return None;
        }
        let frame = frame(&one.pressure, &other.pressure);
        let origin = frame.origin.map(Real::value);
        let axes = frame.axes.map(|axis| axis.map(Real::value));
        self.polygon.start(reach);
        let count = self.faces.len();
        // Zero pressure bounds the facet too.
        if !self.polygon.cut(&one.values.half(&origin, &axes), count) {
            return None;
        }
        // First those that leave least.
        let least = self.least;
        let others = (0..count).filter(|m| !least.contains(m));
        for m in least.into_iter().chain(others) {
            if m == i || m == j {
                continue;
            }
            let face = &self.faces[m];
            // A face in the plane of one of both: the cell belongs to the first of the two.
            let twin = [(i, &one), (j, &other)].into_iter().find(|(_, same)| {
                let difference = face.values.less(&same.values);
                let off = difference.at_0.abs() + difference.gradient.norm() * reach;
                off <= TWIN * same.values.gradient.norm() * reach
            });
            match twin {
                Some((of, _)) if m < of => return None,
                Some(_) => {}
                None => {
                    let above = face.values.less(&one.values).half(&origin, &axes);
                    if !self.polygon.cut(&above, m) {
                        return None;
                    }
                }
            }
        }
        let line = |m: usize| match self.faces.get(m) {
            None => one.pressure.half(&frame.origin, &frame.axes),
            Some(face) => face
                .pressure
                .less(&one.pressure)
                .half(&frame.origin, &frame.axes),
        };
        self.corners.clear();
        let (count, first) = (self.polygon.len(), self.polygon.first());
        for k in 0..count {
            self.corners
                .push(self.polygon.corner((first + k) % count, line));
        }
        let pressure = one.pressure.half(&frame.origin, &frame.axes);
        self.pressures.clear();
        self.pressures
            .extend(self.corners.iter().map(|corner| pressure.at(*corner)));
        Some(frame)
    }

    /// Mean of the corners; opposite ones first, so that it is zero where they cancel.
    fn middle(&self) -> ([T; 2], T) {
        let count = self.corners.len();
        let mut sum = ([T::zero(); 2], T::zero());
        let mut add = |k: usize, l: Option<usize>| {
            let (mut corner, mut pressure) = (self.corners[k], self.pressures[k]);
            if let Some(l) = l {
                corner = [
                    corner[0] + self.corners[l][0],
                    corner[1] + self.corners[l][1],
                ];
                pressure += self.pressures[l];
            }
            sum.0[0] += corner[0];
            sum.0[1] += corner[1];
            sum.1 += pressure;
        };
        match count % 2 {
            0 => (0..count / 2).for_each(|k| add(k, Some(k + count / 2))),
            _ => (0..count).for_each(|k| add(k, None)),
        }
        let per = 1.0 / count as f64;
        (sum.0.map(|c| c * per), sum.1 * per)
    }

    /// Pushes the nodes of the facet: six of each triangle about the middle, those of opposite
    /// triangles side by side.
    fn push_nodes(&self, i: usize, frame: &Frame<T>, nodes: &mut Nodes<T>) {
        let count = self.corners.len();
        let (middle, _) = self.middle();
        let pressure = self.faces[i].pressure.half(&frame.origin, &frame.axes);
        let normal = -frame.normal;
        let mut push = |k: usize, node: &[f64; 4]| {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % count]);
            let [weight, at_middle, at_a, at_b] = *node;
            let place: [T; 2] =
                std::array::from_fn(|x| middle[x] * at_middle + a[x] * at_a + b[x] * at_b);
            let (a, b) = (less(a, middle), less(b, middle));
            let area = (a[0] * b[1] - a[1] * b[0]) * (0.5 * weight);
            let force = (pressure.at(place) * area).positive_part();
            let [x, y] = place;
            let point = frame.origin + frame.axes[0] * x + frame.axes[1] * y;
            nodes.push(Node {
                point,
                normal,
                force,
            });
        };
        let (steps, sides) = match count % 2 {
            0 => (count / 2, 2),
            _ => (count, 1),
        };
        for k in 0..steps {
            for node in &RULE {
                for side in 0..sides {
                    push(k + side * steps, node);
                }
            }
        }
    }

    /// What the facet adds to the energy [J].
    fn energy(&self, i: usize, j: usize, frame: &Frame<T>) -> T {
        let (middle, at_middle) = self.middle();
        let count = self.corners.len();
        let mut sum = T::zero();
        for k in 0..count {
            let next = (k + 1) % count;
            let (a, b) = (
                less(self.corners[k], middle),
                less(self.corners[next], middle),
            );
            let (p, q) = (self.pressures[k], self.pressures[next]);
            let squares = p * p + q * q + at_middle * at_middle;
            let products = p * q + (p + q) * at_middle;
            sum += (a[0] * b[1] - a[1] * b[0]) * (squares + products);
        }
        // Integral of a square: area/6 of each triangle; N.n/k of a face is -N.gradient/k^2.
        let along = |face: &Face<T>| {
            let gradient = &face.pressure.gradient;
            frame.normal.dot(gradient) / face.values.gradient.norm_squared()
        };
        let (one, other) = (&self.faces[i], &self.faces[j]);
        sum * ((along(one) - along(other)) / 24.0)
    }
}

/// The plane in which two pressures are equal.
fn frame<T: Real>(one: &Linear<T>, other: &Linear<T>) -> Frame<T> {
    let between = one.less(other);
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

fn less<T: Real>(a: [T; 2], b: [T; 2]) -> [T; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// Weight and barycentric coordinates of six points, exact to degree 4 on a triangle.
///
/// D. A. Dunavant, High degree efficient symmetrical Gaussian quadrature rules for the triangle,
/// Int. J. Numer. Methods Eng. 21 (1985) 1129-1148
const RULE: [[f64; 4]; 6] = {
    const INNER: [f64; 3] = [
        0.223_381_589_678_011_47,
        0.108_103_018_168_070_23,
        0.445_948_490_915_964_9,
    ];
    const OUTER: [f64; 3] = [
        0.109_951_743_655_321_87,
        0.816_847_572_980_458_5,
        0.091_576_213_509_770_74,
    ];
    [
        [INNER[0], INNER[1], INNER[2], INNER[2]],
        [INNER[0], INNER[2], INNER[1], INNER[2]],
        [INNER[0], INNER[2], INNER[2], INNER[1]],
        [OUTER[0], OUTER[1], OUTER[2], OUTER[2]],
        [OUTER[0], OUTER[2], OUTER[1], OUTER[2]],
        [OUTER[0], OUTER[2], OUTER[2], OUTER[1]],
    ]
};
