//! Linear functions of the place: pressures of faces.

use crate::math::{Real, Vec3};
use crate::narrow_phase::area::polygon::Half;

/// A linear function, at_0 + gradient . x.
#[derive(Clone, Copy, Debug)]
pub struct Linear<T: Real = f64> {
    /// Gradient.
    pub gradient: Vec3<T>,
    /// Value at the origin.
    pub at_0: T,
}

impl<T: Real> Linear<T> {
    /// Value at a point.
    #[inline(always)]
    pub fn at(&self, x: &Vec3<T>) -> T {
        self.at_0 + self.gradient.dot(x)
    }

    /// This function less another one.
    #[inline(always)]
    pub fn less(&self, other: &Self) -> Self {
        Linear {
            gradient: self.gradient - other.gradient,
            at_0: self.at_0 - other.at_0,
        }
    }

    /// Its half-plane where it is not negative, in a plane with this origin and axes.
    #[inline(always)]
    pub fn half(&self, origin: &Vec3<T>, axes: &[Vec3<T>; 2]) -> Half<T> {
        Half {
            a: [self.gradient.dot(&axes[0]), self.gradient.dot(&axes[1])],
            c: self.at(origin),
        }
    }

    /// The same without derivatives.
    pub fn values(&self) -> Linear {
        Linear {
            gradient: self.gradient.map(Real::value),
            at_0: self.at_0.value(),
        }
    }
}

impl Linear {
    /// Value at the centre of a box, and by how much it differs from that inside.
    #[inline(always)]
    pub fn range(&self, center: &Vec3, half: &Vec3) -> (f64, f64) {
        (self.at(center), self.gradient.abs().dot(half))
    }
}
