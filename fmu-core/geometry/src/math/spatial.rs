//! Pairs of an angular and a linear vector, and symmetric inertias that map one to another.
//!
//! A motion is an angular acceleration alpha [rad/s2] and the acceleration a [m/s2] of a point of
//! the body, the reference point; a wrench is a torque [N.m] about that point and a force [N]; all
//! in the same axes. An inertia maps a motion to the wrench that causes it:
//! torque = A alpha + B a, force = B^T alpha + C a, with A and C symmetric. After R. Featherstone:
//! Rigid Body Dynamics Algorithms, Springer 2008, chapter 2, with the reference points at the
//! bodies.

use crate::math::{Mat3, Real, Vec3};

/// An angular and a linear vector: a motion or a wrench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spatial<T: Real = f64> {
    /// Angular velocity [rad/s] or acceleration [rad/s2], or torque about the reference point
    /// [N.m].
    pub angular: Vec3<T>,
    /// Velocity [m/s] or acceleration [m/s2] of the reference point, or force [N].
    pub linear: Vec3<T>,
}

impl<T: Real> Spatial<T> {
    /// Both zero.
    pub fn zero() -> Self {
        Spatial {
            angular: Vec3::zeros(),
            linear: Vec3::zeros(),
        }
    }

    /// Power of a wrench along a velocity, or the like.
    #[inline(always)]
    pub fn dot(&self, other: &Self) -> T {
        self.angular.dot(&other.angular) + self.linear.dot(&other.linear)
    }

    /// Both times a number.
    #[inline(always)]
    pub fn scaled(&self, factor: T) -> Self {
        Spatial {
            angular: self.angular * factor,
            linear: self.linear * factor,
        }
    }

    /// Adds another one with the same reference point.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.angular += other.angular;
        self.linear += other.linear;
    }

    /// The acceleration of the body's point at `offset` from the reference point that is due to the
    /// accelerations: linear + angular x offset.
    #[inline(always)]
    pub fn motion_at(&self, offset: &Vec3<T>) -> Self {
        Spatial {
            angular: self.angular,
            linear: self.linear + self.angular.cross(offset),
        }
    }

    /// A wrench about its reference point, seen from a point from which that lies at `offset`.
    #[inline(always)]
    pub fn wrench_from(&self, offset: &Vec3<T>) -> Self {
        Spatial {
            angular: self.angular + offset.cross(&self.linear),
            linear: self.linear,
        }
    }
}

/// A symmetric inertia about a reference point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialInertia<T: Real = f64> {
    /// A [kg.m2].
    pub rotational: Mat3<T>,
    /// B [kg.m].
    pub coupling: Mat3<T>,
    /// C [kg].
    pub translational: Mat3<T>,
}

impl<T: Real> SpatialInertia<T> {
    /// No inertia.
    pub fn zero() -> Self {
        SpatialInertia {
            rotational: Mat3::zeros(),
            coupling: Mat3::zeros(),
            translational: Mat3::zeros(),
        }
    }

    /// A rigid body of this mass [kg] whose centre of mass lies at `center` [m] from the reference
    /// point, with the inertia `about_center` [kg.m2]: A = I_c - m [r]x [r]x, B = m [r]x, C = m 1.
    pub fn rigid(mass: f64, center: &Vec3<T>, about_center: &Mat3<T>) -> Self {
        let cross = cross_matrix(center);
        let coupling = cross * T::from(mass);
        SpatialInertia {
            rotational: about_center - coupling * cross,
            coupling,
            translational: Mat3::from_diagonal_element(T::from(mass)),
        }
    }

    /// The wrench that this motion needs.
    #[inline(always)]
    pub fn times(&self, motion: &Spatial<T>) -> Spatial<T> {
        Spatial {
            angular: self.rotational * motion.angular + self.coupling * motion.linear,
            linear: self.coupling.tr_mul(&motion.angular) + self.translational * motion.linear,
        }
    }

    /// Takes u u^T/d away.
    #[inline(always)]
    pub fn remove(&mut self, u: &Spatial<T>, d: T) {
        let scaled = u.scaled(T::one() / d);
        self.rotational -= u.angular * scaled.angular.transpose();
        self.coupling -= u.angular * scaled.linear.transpose();
        self.translational -= u.linear * scaled.linear.transpose();
    }

    /// This inertia about a point from which its reference point lies at `offset` r: with
    /// B' = B + [r]x C it is A' = A - B [r]x + [r]x B'^T, B', C.
    #[inline(always)]
    pub fn seen_from(&self, offset: &Vec3<T>) -> Self {
        let cross = cross_matrix(offset);
        let coupling = self.coupling + cross * self.translational;
        SpatialInertia {
            rotational: self.rotational - self.coupling * cross + cross * coupling.transpose(),
            coupling,
            translational: self.translational,
        }
    }

    /// Adds another one with the same reference point.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.rotational += other.rotational;
        self.coupling += other.coupling;
        self.translational += other.translational;
    }
}

/// [v]x: [v]x u = v x u.
#[inline(always)]
pub fn cross_matrix<T: Real>(v: &Vec3<T>) -> Mat3<T> {
    let zero = T::zero();
    Mat3::new(zero, -v.z, v.y, v.z, zero, -v.x, -v.y, v.x, zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inertia_seen_from_elsewhere_is_that_of_the_same_body_there() {
        let about_center = Mat3::new(0.3, 0.02, -0.01, 0.02, 0.4, 0.03, -0.01, 0.03, 0.5);
        let center = Vec3::new(0.2, -0.3, 0.5);
        let offset = Vec3::new(-1.0, 0.4, 0.7);
        let near = SpatialInertia::rigid(2.0, &center, &about_center);
        let far = SpatialInertia::rigid(2.0, &(center + offset), &about_center);
        let seen = near.seen_from(&offset);
        assert!((seen.rotational - far.rotational).amax() < 1e-15);
        assert!((seen.coupling - far.coupling).amax() < 1e-15);
        assert_eq!(seen.translational, far.translational);
    }

    #[test]
    fn the_wrench_of_a_rigid_body_is_that_of_newton_and_euler() {
        let about_center = Mat3::from_diagonal(&Vec3::new(0.3, 0.4, 0.5));
        let r = Vec3::new(0.2, -0.3, 0.5);
        let motion = Spatial {
            angular: Vec3::new(1.0, 2.0, -3.0),
            linear: Vec3::new(0.5, -0.6, 0.7),
        };
        let force = 2.0 * (motion.linear + motion.angular.cross(&r));
        let torque = about_center * motion.angular + r.cross(&force);
        let wrench = SpatialInertia::rigid(2.0, &r, &about_center).times(&motion);
        assert!((wrench.linear - force).amax() < 1e-15);
        assert!((wrench.angular - torque).amax() < 1e-15);
    }

    #[test]
    fn power_does_not_depend_on_the_reference_point() {
        let motion = Spatial {
            angular: Vec3::new(1.0, 2.0, -3.0),
            linear: Vec3::new(0.5, -0.6, 0.7),
        };
        let wrench = Spatial {
            angular: Vec3::new(-0.4, 0.3, 0.9),
            linear: Vec3::new(2.0, 1.0, -1.5),
        };
        let offset = Vec3::new(0.3, -0.8, 1.1);
        let there = wrench.dot(&motion.motion_at(&offset));
        assert!((there - wrench.wrench_from(&offset).dot(&motion)).abs() < 1e-14);
    }
}
