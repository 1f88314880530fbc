//! Mass, centre of mass and inertia of shapes, and of bodies made of several.
//!
//! Smoothing is ignored: a rounded box weighs what the sharp one weighs. Inertia tensors are about
//! the centre of mass. Moving the reference point by c: I' = I + m (c.c 1 - c c^T) (Steiner).
//!
//! The closed forms of the solids stand beside their sizes, in the module of each kind of shape.
//! They are about the frames that `Form` of `contact_model` states: the centre in
//! the origin (cone: the centre of the base circle), the axis along z. Every such solid is
//! symmetric about its planes through z, so the tensor is diagonal and follows from the second
//! moments of mass q = (int x^2 dm, int y^2 dm, int z^2 dm) about the centre of mass: I_xx = q_y +
//! q_z and cyclic. Parts that end off centre (half spheres, half discs) have their own centroids:
//! 3/8 r above the flat face of a half sphere, 4 r/(3 pi) above that of a half disc.
//!
//! - [`polyhedron`]: integrals over what a surface of triangles bounds

pub mod polyhedron;

pub use polyhedron::{SolidIntegrals, SurfaceEdges, solid_integrals, surface_edges};

use crate::math::{Mat3, Pose, Vec3};

/// Mass properties in one frame.
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
    /// Nothing at the origin.
    pub fn zero() -> Self {
        MassProperties {
            mass: 0.0,
            center_of_mass: Vec3::zeros(),
            inertia: Mat3::zeros(),
        }
    }

    /// A solid that is symmetric about its planes through z, from its second moments of mass
    /// [kg.m2] about a centre on that axis [m].
    pub fn from_moments(mass: f64, center_z: f64, moments: &Vec3) -> Self {
        let [x, y, z] = [moments.x, moments.y, moments.z];
        MassProperties {
            mass,
            center_of_mass: Vec3::new(0.0, 0.0, center_z),
            inertia: Mat3::from_diagonal(&Vec3::new(y + z, z + x, x + y)),
        }
    }

    /// A solid of this volume [m3], centroid [m] and inertia tensor over density about it [m5].
    pub fn solid(volume: f64, centroid: Vec3, inertia: Mat3, density: f64) -> Self {
        MassProperties {
            mass: density * volume,
            center_of_mass: centroid,
            inertia: inertia * density,
        }
    }

    /// The same matter seen from the outer frame of `pose`.
    pub fn placed(&self, pose: &Pose) -> Self {
        MassProperties {
            mass: self.mass,
            center_of_mass: pose.position + pose.rotation * self.center_of_mass,
            inertia: pose.rotation * self.inertia * pose.rotation.transpose(),
        }
    }

    /// Both together, in their common frame.
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

    /// Inertia tensor about a point [kg.m2].
    pub fn inertia_about(&self, point: &Vec3) -> Mat3 {
        let c = self.center_of_mass - point;
        self.inertia + (Mat3::identity() * c.norm_squared() - c * c.transpose()) * self.mass
    }
}

/// How much a principal moment of inertia may exceed the sum of the other two, relatively: room
/// for rounded numbers from a data sheet.
const TRIANGLE_TOLERANCE: f64 = 1e-6;

/// Why no rigid body has this inertia tensor [kg.m2] about its centre of mass, in words: principal
/// moments are positive and none exceeds the sum of the other two. None where one may have it.
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

/// Why no body that hangs on a joint has this inertia tensor [kg.m2]: as [`inertia_flaw`], but
/// principal moments may be zero, as those of point masses and thin rods are.
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

#[cfg(test)]
#[path = "../../../tests/unit/shapes/mass/tests/mod.rs"]
mod tests;
