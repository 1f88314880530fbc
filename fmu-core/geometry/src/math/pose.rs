//! Pose of a frame: where its origin is and how its axes stand.

use crate::math::{Mat3, Real, Vec3};

/// Pose of a frame b in a frame w: p_w = position + rotation * p_b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<T: Real = f64> {
    /// Origin of b in w [m].
    pub position: Vec3<T>,
    /// Maps b axes to w axes.
    pub rotation: Mat3<T>,
}

impl<T: Real> Pose<T> {
    /// The pose of w itself.
    pub fn identity() -> Self {
        Pose {
            position: Vec3::zeros(),
            rotation: Mat3::identity(),
        }
    }

    /// Pose of a frame given in b, seen from w.
    pub fn then(&self, inner: &Pose<f64>) -> Self {
        Pose {
            position: self.position + self.rotation * lift_vector(&inner.position),
            rotation: self.rotation * inner.rotation.map(T::from),
        }
    }

    /// The values without their derivatives.
    pub fn values(&self) -> Pose<f64> {
        Pose {
            position: self.position.map(Real::value),
            rotation: self.rotation.map(Real::value),
        }
    }
}

impl Pose<f64> {
    /// The same pose as a constant of another scalar.
    pub fn lift<T: Real>(&self) -> Pose<T> {
        Pose {
            position: lift_vector(&self.position),
            rotation: self.rotation.map(T::from),
        }
    }
}

fn lift_vector<T: Real>(v: &Vec3<f64>) -> Vec3<T> {
    v.map(T::from)
}
