//! Mass, centre of mass and inertia of shapes, and of bodies made of several.
//!
//! Smoothing is ignored: a rounded box weighs what the sharp one weighs. Inertia tensors are about
//! the centre of mass. Moving the reference point by c: I' = I + m (c.c 1 - c c^T) (Steiner).

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

    /// Homogeneous sphere: I = 2/5 m r^2.
    pub fn sphere(diameter: f64, density: f64) -> Self {
        let r = 0.5 * diameter;
        let mass = density * 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        MassProperties {
            mass,
            center_of_mass: Vec3::zeros(),
            inertia: Mat3::identity() * (0.4 * mass * r * r),
        }
    }

    /// Homogeneous box: I_xx = m (b^2 + c^2)/12.
    pub fn cuboid(lengths: &[f64; 3], density: f64) -> Self {
        let [a, b, c] = *lengths;
        let mass = density * a * b * c;
        let inertia = Vec3::new(b * b + c * c, c * c + a * a, a * a + b * b) * (mass / 12.0);
        MassProperties {
            mass,
            center_of_mass: Vec3::zeros(),
            inertia: Mat3::from_diagonal(&inertia),
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
    moments.sort_by(f64::total_cmp);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation_matrix;

    #[test]
    fn sphere_has_the_textbook_values() {
        // Modia3D case BouncingSphereContactResults: mass 10^4 kg, d = 0.2 m gives 40 kg.m2.
        let density = 1e4 / (4.0 / 3.0 * std::f64::consts::PI * 1e-3);
        let sphere = MassProperties::sphere(0.2, density);
        assert!((sphere.mass - 1e4).abs() < 1e-11);
        assert!((sphere.inertia[(0, 0)] - 40.0).abs() < 1e-12);
    }

    #[test]
    fn box_has_the_textbook_values() {
        // Modia3D case BouncingSphere: ground 4 x 0.1 x 0.7 m of steel, 8000 kg/m3.
        let ground = MassProperties::cuboid(&[4.0, 0.1, 0.7], 8000.0);
        assert!((ground.mass - 2240.0).abs() < 1e-11);
        let expected = [93.3333333333333, 3078.1333333333323, 2988.533333333333];
        for (i, value) in expected.iter().enumerate() {
            assert!((ground.inertia[(i, i)] / value - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn two_half_boxes_placed_and_turned_make_the_whole() {
        let whole = MassProperties::cuboid(&[2.0, 0.6, 0.4], 1.0);
        // The half has its long edge along its own y: turned by 90 degrees about z it lies along x.
        let h = std::f64::consts::FRAC_1_SQRT_2;
        let half = MassProperties::cuboid(&[0.6, 1.0, 0.4], 1.0);
        let at = |x| Pose {
            position: Vec3::new(x, 0.0, 0.0),
            rotation: rotation_matrix(&[h, 0.0, 0.0, h]),
        };
        let both = half.placed(&at(-0.5)).combined(&half.placed(&at(0.5)));
        assert!((both.mass - whole.mass).abs() < 1e-15);
        assert!(both.center_of_mass.amax() < 1e-15);
        assert!((both.inertia - whole.inertia).amax() < 1e-15);
    }
}
