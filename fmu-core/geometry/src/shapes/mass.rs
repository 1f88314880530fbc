//! Mass, centre of mass and inertia of shapes, and of bodies made of several.
//!
//! Smoothing is ignored: a rounded box has the mass of the sharp one. Inertia tensors are about the centre of
//! mass. Moving the reference point by c: I' = I + m (c.c 1 - c c^T) (Steiner).
//!
//! The closed forms of the solids are in the module of each kind of shape, about the frames of `Form` of
//! `contact_model`: origin at the centre (cone: at the centre of the base circle), axis along z. Every such
//! solid is symmetric about its planes through z, so the tensor is diagonal and follows from the second
//! moments of mass q = (int x^2 dm, int y^2 dm, int z^2 dm) about the centre of mass: I_xx = q_y + q_z and
//! cyclic. Centroids of end parts: half sphere 3/8 r, half disc 4 r/(3 pi) above the flat face.
//!
//! # Solid bounded by a closed surface of triangles
//!
//! Volume, centroid and inertia, exact up to rounding, and whether the surface is closed.
//!
//! The solid is the signed sum of the tetrahedra from one point o to every triangle (a, b, c), with a, b, c
//! relative to o, d = a . (b x c) and s = a + b + c:
//! - volume = sum d/6
//! - first moment int x dV = sum d s/24
//! - second moment int x x^T dV = sum d (a a^T + b b^T + c c^T + s s^T)/120
//!
//! The inertia tensor over density is trace(Q) 1 - Q for the second moment Q about the centroid. Two passes:
//! o in the middle of the bounding box gives volume and centroid, o in the centroid gives Q. So nothing large
//! cancels, wherever the frame has its origin.
//!
//! By the divergence theorem the sums are independent of o exactly where every edge is traversed equally
//! often in both directions; cavities bounded by triangles that face into them count.

use crate::math::{Mat3, Pose, Vec3};

/// Mass, centre of mass and inertia tensor in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass [m].
    pub center_of_mass: Vec3,
    /// Inertia tensor about the centre of mass, in the axes of the frame [kg.m2].
    pub inertia: Mat3,
}

impl MassProperties {
    /// Zero mass at the origin.
    pub fn zero() -> Self {
        MassProperties {
            mass: 0.0,
            center_of_mass: Vec3::zeros(),
            inertia: Mat3::zeros(),
        }
    }

    /// Solid symmetric about its planes through z, from its second moments of mass [kg.m2] about a centre on
    /// that axis [m].
    pub(crate) fn from_moments(mass: f64, center_z: f64, moments: &Vec3) -> Self {
        let [x, y, z] = [moments.x, moments.y, moments.z];
        MassProperties {
            mass,
            center_of_mass: Vec3::new(0.0, 0.0, center_z),
            inertia: Mat3::from_diagonal(&Vec3::new(y + z, z + x, x + y)),
        }
    }

    /// Homogeneous solid from its volume [m3], centroid [m] and inertia tensor over density about it [m5].
    pub fn solid(volume: f64, centroid: Vec3, inertia: Mat3, density: f64) -> Self {
        MassProperties {
            mass: density * volume,
            center_of_mass: centroid,
            inertia: inertia * density,
        }
    }

    /// Transforms to the frame in which `pose` is given.
    pub fn placed(&self, pose: &Pose) -> Self {
        MassProperties {
            mass: self.mass,
            center_of_mass: pose.position + pose.rotation * self.center_of_mass,
            inertia: pose.rotation * self.inertia * pose.rotation.transpose(),
        }
    }

    /// Mass properties of both together, in their common frame.
    pub fn combined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return Self::zero();
        }
        let center = (self.center_of_mass * self.mass + other.center_of_mass * other.mass) / mass;
        MassProperties {
            mass,
            center_of_mass: center,
            inertia: self.inertia_about(&center) + other.inertia_about(&center),
        }
    }

    pub(crate) fn inertia_about(&self, point: &Vec3) -> Mat3 {
        let c = self.center_of_mass - point;
        self.inertia + (Mat3::identity() * c.norm_squared() - c * c.transpose()) * self.mass
    }
}

/// Relative excess of a principal moment of inertia over the sum of the other two that is accepted: rounded
/// numbers from a data sheet.
const TRIANGLE_TOLERANCE: f64 = 1e-6;

/// Reason as text why no rigid body has this inertia tensor [kg.m2] about its centre of mass: principal
/// moments are positive and none exceeds the sum of the other two. `None` if it is valid.
pub fn inertia_flaw(inertia: &Mat3) -> Option<String> {
    let mut moments: [f64; 3] = inertia.symmetric_eigenvalues().into();
    moments.sort_unstable_by(f64::total_cmp);
    let [a, b, c] = moments;
    let rule = if a.is_nan() || a <= 0.0 {
        "all must be > 0"
    } else if c > (a + b) * (1.0 + TRIANGLE_TOLERANCE) {
        "none may exceed the sum of the other two"
    } else {
        return None;
    };
    Some(format!(
        "principal moments of inertia are {moments:?} kg.m2; {rule}"
    ))
}

/// [`inertia_flaw`] for a body on a joint, whose principal moments [kg.m2] may be zero, as for point masses
/// and thin rods.
pub fn carried_inertia_flaw(inertia: &Mat3) -> Option<String> {
    let mut moments: [f64; 3] = inertia.symmetric_eigenvalues().into();
    moments.sort_unstable_by(f64::total_cmp);
    let [a, b, c] = moments;
    let room = c.abs() * TRIANGLE_TOLERANCE;
    let rule = if a.is_nan() || a < -room {
        "none may be negative"
    } else if c > a + b + room {
        "none may exceed the sum of the other two"
    } else {
        return None;
    };
    Some(format!(
        "principal moments of inertia are {moments:?} kg.m2; {rule}"
    ))
}

/// Integrals over the solid bounded by a surface of triangles, at density 1.
///
/// Valid if [`SurfaceEdges::is_closed`]; else they depend on the middle of the bounding box, a reasonable
/// guess for small holes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidIntegrals {
    /// Volume [m3]; negative for triangles that run clockwise seen from outside (inside out).
    pub volume: f64,
    /// Centroid [m]; middle of the bounding box if the volume is zero.
    pub centroid: Vec3,
    /// Inertia tensor about the centroid over density [m5]; has the sign of the volume.
    pub inertia: Mat3,
    /// Area of the surface [m2].
    pub area: f64,
    /// Lower corner of the bounding box of all vertices used by triangles [m].
    pub lower: Vec3,
    /// Upper corner of the bounding box [m].
    pub upper: Vec3,
}

/// Edge statistics of a surface of triangles. Only equal indices are the same vertex; merge duplicates first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SurfaceEdges {
    /// Edges with an odd number of triangles: the surface has a hole or a border there.
    pub open: usize,
    /// Edges with an even number of triangles that do not pairwise run in opposite directions: neighbours
    /// face opposite ways.
    pub turned: usize,
    /// Edges with more than two triangles: bodies that touch along an edge, or internal walls.
    pub(crate) branched: usize,
}

impl SurfaceEdges {
    /// Returns true if the surface bounds a solid: no open edge, consistent orientation.
    pub fn is_closed(&self) -> bool {
        self.open == 0 && self.turned == 0
    }
}

/// Integrals over the solid bounded by triangles, each three vertex indices, counter-clockwise seen from
/// outside; vertices in [m].
///
/// # Errors
/// Text for: no triangle, an index without a vertex, a coordinate that is not finite.
pub fn solid_integrals(
    vertices: &[[f64; 3]],
    triangles: &[[u32; 3]],
) -> Result<SolidIntegrals, String> {
    if triangles.is_empty() {
        return Err("has no triangle".into());
    }
    let mut corners = Vec::with_capacity(triangles.len());
    for (index, triangle) in triangles.iter().enumerate() {
        corners.push(corners_of(vertices, triangle, index)?);
    }
    let (mut lower, mut upper) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for corner in corners.iter().flatten() {
        (lower, upper) = (lower.inf(corner), upper.sup(corner));
    }
    let middle = lower + (upper - lower) * 0.5;
    // Area, volume, first moment.
    let mut sums = [Sum::default(); 5];
    for corners in &corners {
        let [a, b, c] = corners.map(|corner| corner - middle);
        let d = a.dot(&b.cross(&c));
        let first = (a + b + c) * (d / 24.0);
        let area = 0.5 * (b - a).cross(&(c - a)).norm();
        add(&mut sums, [area, d / 6.0, first.x, first.y, first.z]);
    }
    let [area, volume, x, y, z] = sums.map(|sum| sum.total());
    let centroid = if volume == 0.0 {
        middle
    } else {
        middle + Vec3::new(x, y, z) / volume
    };
    // Upper triangle of the second moment.
    let mut sums = [Sum::default(); 6];
    for corners in &corners {
        let [a, b, c] = corners.map(|corner| corner - centroid);
        let d = a.dot(&b.cross(&c));
        let s = a + b + c;
        let q = a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
        let q = q * (d / 120.0);
        let upper = [
            q[(0, 0)],
            q[(1, 1)],
            q[(2, 2)],
            q[(0, 1)],
            q[(0, 2)],
            q[(1, 2)],
        ];
        add(&mut sums, upper);
    }
    let [xx, yy, zz, xy, xz, yz] = sums.map(|sum| sum.total());
    let second = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    Ok(SolidIntegrals {
        volume,
        centroid,
        inertia: Mat3::identity() * second.trace() - second,
        area,
        lower,
        upper,
    })
}

/// Compensated sum (Neumaier): the number of triangles costs no digits.
#[derive(Clone, Copy, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.sum = sum;
    }

    fn total(&self) -> f64 {
        self.sum + self.lost
    }
}

fn add<const N: usize>(sums: &mut [Sum; N], terms: [f64; N]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        sum.add(term);
    }
}

fn corners_of(
    vertices: &[[f64; 3]],
    triangle: &[u32; 3],
    index: usize,
) -> Result<[Vec3; 3], String> {
    let mut corners = [Vec3::zeros(); 3];
    for (corner, vertex) in corners.iter_mut().zip(triangle) {
        let Some(found) = vertices.get(*vertex as usize) else {
            return Err(format!(
                "triangle {index} names vertex {vertex}; there are {}",
                vertices.len()
            ));
        };
        if found.iter().any(|c| !c.is_finite()) {
            return Err(format!(
                "vertex {vertex} is {found:?}; every coordinate must be a finite number"
            ));
        }
        *corner = Vec3::from(*found);
    }
    Ok(corners)
}

/// Counts the edges where the surface is not closed. A degenerate triangle with a repeated vertex runs
/// through its edge both ways and changes nothing.
pub fn surface_edges(triangles: &[[u32; 3]]) -> SurfaceEdges {
    // Each edge from its smaller vertex, with +1 where a triangle runs that way and -1 where back.
    let mut sides: Vec<(u32, u32, i32)> = Vec::with_capacity(3 * triangles.len());
    for [a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            if from != to {
                let way = if from < to { 1 } else { -1 };
                sides.push((*from.min(to), *from.max(to), way));
            }
        }
    }
    sides.sort_unstable();
    let mut edges = SurfaceEdges::default();
    for edge in sides.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
        let balance: i32 = edge.iter().map(|side| side.2).sum();
        if edge.len() % 2 == 1 {
            edges.open += 1;
        } else if balance != 0 {
            edges.turned += 1;
        }
        if edge.len() > 2 {
            edges.branched += 1;
        }
    }
    edges
}

#[cfg(test)]
#[path = "../../tests/unit/shapes/mass/tests/mod.rs"]
mod tests;
