//! Velocities of a body, for any scalar.

use contact_geometry::math::{Real, Vec3};

/// Velocities of a body.
#[derive(Clone, Copy, Debug)]
pub struct Twist<T: Real> {
    /// Velocity of the origin, world axes [m/s].
    pub velocity_w: Vec3<T>,
    /// Angular velocity, body axes [rad/s].
    pub omega_b: Vec3<T>,
    /// Angular velocity, world axes [rad/s].
    pub omega_w: Vec3<T>,
}

impl<T: Real> Twist<T> {
    /// No motion.
    pub fn at_rest() -> Self {
        Twist {
            velocity_w: Vec3::zeros(),
            omega_b: Vec3::zeros(),
            omega_w: Vec3::zeros(),
        }
    }
}

impl Twist<f64> {
    /// The same velocities as constants of another scalar.
    pub fn lift<T: Real>(&self) -> Twist<T> {
        Twist {
            velocity_w: self.velocity_w.map(T::from),
            omega_b: self.omega_b.map(T::from),
            omega_w: self.omega_w.map(T::from),
        }
    }
}

impl<T: Real> Twist<T> {
    /// Velocity of the material point at a world point [m/s] of a body at `position_w` [m].
    #[inline(always)]
    pub fn velocity_at(&self, position_w: &Vec3<T>, point_w: &Vec3<T>) -> Vec3<T> {
        self.velocity_w + self.omega_w.cross(&(point_w - position_w))
    }
}
