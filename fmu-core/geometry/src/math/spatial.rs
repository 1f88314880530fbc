//! Spatial vectors (pairs of an angular and a linear vector) and spatial inertias; rotations and
//! poses.
//!
//! A motion is an angular acceleration alpha [rad/s2] and the acceleration a [m/s2] of a point of
//! the body, the reference point; a wrench is a torque [N.m] about that point and a force [N]; all
//! in the same axes. An inertia maps a motion to the wrench that causes it: torque = A alpha + B a,
//! force = B^T alpha + C a, with A and C symmetric. After R. Featherstone: Rigid Body Dynamics
//! Algorithms, Springer 2008, chapter 2, with a reference point on each body.

use crate::math::real::atan2;
use crate::math::{Mat3, Real, Vec3};

/// Spatial vector: a motion or a wrench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spatial<T: Real = f64> {
    /// Angular velocity [rad/s] or acceleration [rad/s2], or torque about the reference point
    /// [N.m].
    pub angular: Vec3<T>,
    /// Velocity [m/s] or acceleration [m/s2] of the reference point, or force [N].
    pub linear: Vec3<T>,
}

impl<T: Real> Spatial<T> {
    /// Zero vector.
    pub fn zero() -> Self {
        Spatial {
            angular: Vec3::zeros(),
            linear: Vec3::zeros(),
        }
    }

    /// Scalar product: the power of a wrench along a velocity, for instance.
    #[inline(always)]
    pub fn dot(&self, other: &Self) -> T {
        self.angular.dot(&other.angular) + self.linear.dot(&other.linear)
    }

    /// Product with a scalar.
    #[inline(always)]
    pub fn scaled(&self, factor: T) -> Self {
        Spatial {
            angular: self.angular * factor,
            linear: self.linear * factor,
        }
    }

    /// Adds a vector with the same reference point.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.angular += other.angular;
        self.linear += other.linear;
    }

    /// Acceleration of the body's point at `offset` from the reference point: linear + angular x
    /// offset. Centripetal terms are not included.
    #[inline(always)]
    pub fn motion_at(&self, offset: &Vec3<T>) -> Self {
        Spatial {
            angular: self.angular,
            linear: self.linear + self.angular.cross(offset),
        }
    }

    /// Moves a wrench to a point from which its present reference point is at `offset`.
    #[inline(always)]
    pub fn wrench_from(&self, offset: &Vec3<T>) -> Self {
        Spatial {
            angular: self.angular + offset.cross(&self.linear),
            linear: self.linear,
        }
    }
}

/// Symmetric spatial inertia about a reference point.
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
    /// Zero inertia.
    pub fn zero() -> Self {
        SpatialInertia {
            rotational: Mat3::zeros(),
            coupling: Mat3::zeros(),
            translational: Mat3::zeros(),
        }
    }

    /// Inertia of a rigid body with this mass [kg], centre of mass at `center` [m] from the
    /// reference point and inertia `about_center` [kg.m2]: A = I_c - m [r]x [r]x, B = m [r]x, C = m
    /// 1.
    pub fn rigid(mass: f64, center: &Vec3<T>, about_center: &Mat3<T>) -> Self {
        let cross = cross_matrix(center);
        let coupling = cross * T::from(mass);
        SpatialInertia {
            rotational: about_center - coupling * cross,
            coupling,
            translational: Mat3::from_diagonal_element(T::from(mass)),
        }
    }

    /// Wrench that causes this motion.
    #[inline(always)]
    pub fn times(&self, motion: &Spatial<T>) -> Spatial<T> {
        Spatial {
            angular: self.rotational * motion.angular + self.coupling * motion.linear,
            linear: self.coupling.tr_mul(&motion.angular) + self.translational * motion.linear,
        }
    }

    /// Subtracts u u^T/d.
    #[inline(always)]
    pub fn remove(&mut self, u: &Spatial<T>, d: T) {
        let scaled = u.scaled(T::one() / d);
        self.rotational -= u.angular * scaled.angular.transpose();
        self.coupling -= u.angular * scaled.linear.transpose();
        self.translational -= u.linear * scaled.linear.transpose();
    }

    /// Moves the reference point to a point from which the present one is at `offset` r: with B' =
    /// B + [r]x C it is A' = A - B [r]x + [r]x B'^T, B', C.
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

    /// Adds an inertia with the same reference point.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.rotational += other.rotational;
        self.coupling += other.coupling;
        self.translational += other.translational;
    }
}

/// Cross-product matrix [v]x: [v]x u = v x u.
#[inline(always)]
pub fn cross_matrix<T: Real>(v: &Vec3<T>) -> Mat3<T> {
    let zero = T::zero();
    Mat3::new(zero, -v.z, v.y, v.z, zero, -v.x, -v.y, v.x, zero)
}

// Rotations: quaternions in the order (w, x, y, z) that map body axes to world axes.

/// Rotation matrix of the quaternion q/|q|: v_w = R v_b. A quaternion whose norm has drifted from 1
/// still gives a rotation.
pub fn rotation_matrix<T: Real>(q: &[T; 4]) -> Mat3<T> {
    let [w, x, y, z] = *q;
    let two = T::from(2.0) / (w * w + x * x + y * y + z * z);
    let one = T::one();
    Mat3::new(
        one - two * (y * y + z * z),
        two * (x * y - w * z),
        two * (x * z + w * y),
        two * (x * y + w * z),
        one - two * (x * x + z * z),
        two * (y * z - w * x),
        two * (x * z - w * y),
        two * (y * z + w * x),
        one - two * (x * x + y * y),
    )
}

/// Rate that pulls |q| back to 1 [1/s]: slow against the motion of interest, fast against the drift
/// of an integrator; it does not affect the rotation.
const NORM_RATE: f64 = 1.0;

/// Time derivative of the quaternion for the angular velocity in body axes [rad/s]:
/// q' = 1/2 q * (0, omega_b) + kappa (1 - |q|^2) q.
pub fn quaternion_rate<T: Real>(q: &[T; 4], omega_b: &Vec3<T>) -> [T; 4] {
    let [w, x, y, z] = *q;
    let half = T::from(0.5);
    let pull = (T::one() - (w * w + x * x + y * y + z * z)) * T::from(NORM_RATE);
    let (a, b, c) = (omega_b.x, omega_b.y, omega_b.z);
    [
        half * (-x * a - y * b - z * c) + pull * w,
        half * (w * a + y * c - z * b) + pull * x,
        half * (w * b + z * a - x * c) + pull * y,
        half * (w * c + x * b - y * a) + pull * z,
    ]
}

/// Quaternion of a body-to-world rotation matrix, with w >= 0. Divides by the largest of the four
/// components, which is at least 1/2 (S. W. Shepperd, J. Guidance and Control 1 (1978) 223).
pub fn quaternion<T: Real>(r: &Mat3<T>) -> [T; 4] {
    let trace = r.trace();
    let squares = [trace, r[(0, 0)], r[(1, 1)], r[(2, 2)]];
    let is_larger = |i: usize, best: usize| squares[i].value() > squares[best].value();
    let largest = (0..4).fold(0, |best, i| if is_larger(i, best) { i } else { best });
    let mut q = [T::zero(); 4];
    let root = match largest {
        0 => (trace + 1.0).sqrt(),
        i => (squares[i] * 2.0 + 1.0 - trace).sqrt(),
    };
    let factor = T::from(0.5) / root;
    q[largest] = root * 0.5;
    let w = [
        r[(2, 1)] - r[(1, 2)],
        r[(0, 2)] - r[(2, 0)],
        r[(1, 0)] - r[(0, 1)],
    ];
    match largest {
        0 => (0..3).for_each(|i| q[i + 1] = factor * w[i]),
        i => {
            let (j, k) = (i % 3 + 1, (i + 1) % 3 + 1);
            q[0] = factor * w[i - 1];
            q[j] = factor * (r[(j - 1, i - 1)] + r[(i - 1, j - 1)]);
            q[k] = factor * (r[(k - 1, i - 1)] + r[(i - 1, k - 1)]);
        }
    }
    let square = q.iter().fold(T::zero(), |sum, c| sum + *c * *c);
    let norm = square.sqrt();
    let sign = if q[0].value() < 0.0 { -1.0 } else { 1.0 };
    q.map(|c| c * sign / norm)
}

/// Rotation by the angle a = |v| [rad] about v: I + sin a/a [v]x + (1 - cos a)/a^2 [v]x^2, the last
/// factor as 1/2 (sin(a/2)/(a/2))^2, which does not cancel.
pub fn exponential<T: Real>(v: &Vec3<T>) -> Mat3<T> {
    let cross = cross_matrix(v);
    let square = v.dot(v);
    if square.value() == 0.0 {
        // The length has no derivative at zero, the rotation has: [v]x.
        return Mat3::identity() + cross;
    }
    let angle = square.sqrt();
    let sinc = |x: T| x.sin_cos().0 / x;
    let half = sinc(angle * 0.5);
    Mat3::identity() + cross * sinc(angle) + cross * cross * (half * half * 0.5)
}

/// Rotation vector v [rad], |v| <= pi, with R = [`exponential`] of v.
pub fn rotation_vector(r: &Mat3) -> Vec3 {
    let [w, x, y, z] = quaternion(r);
    let v = Vec3::new(x, y, z);
    let half_sine = v.norm();
    match half_sine == 0.0 {
        true => v,
        false => v * (2.0 * atan2(half_sine, w) / half_sine),
    }
}

/// Largest entry of R^T R - I, zero for a rotation matrix; infinite for a reflection and for
/// entries that are not finite.
pub fn deviation_from_rotation(r: &Mat3) -> f64 {
    let deviation = (r.transpose() * r - Mat3::identity()).amax();
    if deviation.is_nan() || r.determinant() <= 0.0 {
        return f64::INFINITY;
    }
    deviation
}

/// Rotation nearest to a matrix with a small [`deviation_from_rotation`]: the orthogonal factor of
/// its polar decomposition. X <- X (3 I - X^T X)/2 reduces a deviation e to 3/4 e^2; three steps
/// take 1e-3 to rounding.
pub fn nearest_rotation<T: Real>(r: &Mat3<T>) -> Mat3<T> {
    let mut x = *r;
    for _ in 0..3 {
        let three = Mat3::from_diagonal_element(T::from(3.0));
        x = x * (three - x.transpose() * x) * T::from(0.5);
    }
    x
}

/// Quaternion product p * q: rotates by q, then by p.
pub fn multiply(p: &[f64; 4], q: &[f64; 4]) -> [f64; 4] {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    ]
}

/// Pose of a frame b in a frame w: p_w = position + rotation * p_b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<T: Real = f64> {
    /// Origin of b, in w [m].
    pub position: Vec3<T>,
    /// Maps b axes to w axes.
    pub rotation: Mat3<T>,
}

impl<T: Real> Pose<T> {
    /// Identity: origin and axes of w.
    pub fn identity() -> Self {
        Pose {
            position: Vec3::zeros(),
            rotation: Mat3::identity(),
        }
    }

    /// Composition: pose in w of a frame whose pose in b is `inner`.
    pub fn then(&self, inner: &Pose<f64>) -> Self {
        Pose {
            position: self.position + self.rotation * lift_vector(&inner.position),
            rotation: self.rotation * inner.rotation.map(T::from),
        }
    }

    pub(crate) fn values(&self) -> Pose<f64> {
        Pose {
            position: self.position.map(Real::value),
            rotation: self.rotation.map(Real::value),
        }
    }
}

impl Pose<f64> {
    /// The same pose as constants of another scalar type.
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

#[cfg(test)]
mod rotation_tests {
    use super::*;

    #[test]
    fn quarter_turn_about_z_maps_x_to_y() {
        let h = std::f64::consts::FRAC_1_SQRT_2;
        let v = rotation_matrix(&[h, 0.0, 0.0, h]) * Vec3::new(1.0, 0.0, 0.0);
        assert!((v - Vec3::new(0.0, 1.0, 0.0)).amax() < 1e-15);
    }

    #[test]
    fn length_of_the_quaternion_does_not_matter() {
        let q = [0.3, -0.4, 0.5, 0.7];
        let p = q.map(|c| 1.7 * c);
        assert!((rotation_matrix(&q) - rotation_matrix(&p)).amax() < 1e-15);
    }

    #[test]
    fn the_quaternion_of_a_matrix_gives_the_matrix_again() {
        for q in [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, -1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
            [0.1, 0.7, -0.5, 0.5],
            [-0.2, 0.1, 0.9, -0.4],
            [0.05, -0.3, 0.2, 0.93],
        ] {
            let r = rotation_matrix(&q);
            let found = quaternion(&r);
            assert!(found[0] >= 0.0);
            assert!((rotation_matrix(&found) - r).amax() < 1e-15, "{q:?}");
        }
    }

    #[test]
    fn product_of_quaternions_is_product_of_matrices() {
        let (p, q) = ([0.5, 0.5, -0.5, 0.5], [0.1, 0.7, 0.5, -0.5]);
        let r = rotation_matrix(&multiply(&p, &q));
        assert!((r - rotation_matrix(&p) * rotation_matrix(&q)).amax() < 1e-15);
    }

    #[test]
    fn exponential_turns_about_the_vector_by_its_length_even_where_that_is_small() {
        let quarter = exponential(&Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
        assert!((quarter * Vec3::x() - Vec3::y()).amax() < 1e-15);
        let v: Vec3 = Vec3::new(0.3, -1.2, 0.7);
        // The quaternion of the same turn, and two halves one after the other.
        let (half, axis) = (0.5 * v.norm(), v.normalize());
        let sine = axis * half.sin();
        let r = rotation_matrix(&[half.cos(), sine.x, sine.y, sine.z]);
        assert!((exponential(&v) - r).amax() < 1e-15);
        assert!((exponential(&(v * 0.5)).pow(2) - r).amax() < 1e-15);
        for size in [0.0, 1e-300, 1e-9] {
            let cross = (v * size).cross_matrix();
            let second_order = Mat3::identity() + cross + cross * cross * 0.5;
            assert!((exponential(&(v * size)) - second_order).amax() < 1e-24);
        }
    }

    #[test]
    fn nearest_rotation_is_the_orthogonal_factor_of_a_strained_one() {
        // R U with a symmetric U near I has the polar factor R.
        let r = rotation_matrix(&[0.1, 0.7, -0.5, 0.5]);
        let strain = Mat3::new(4e-4, 1e-4, 0.0, 1e-4, -3e-4, 2e-4, 0.0, 2e-4, 1e-4);
        let strained = r * (Mat3::identity() + strain);
        let found = nearest_rotation(&strained);
        assert!((found - r).amax() < 1e-15);
        assert!(deviation_from_rotation(&found) < 1e-15);
        // (I + E)^2 - I = 2 E + E^2, largest at xx.
        let expected = 2.0 * 4e-4 + 16e-8 + 1e-8;
        assert!((deviation_from_rotation(&strained) - expected).abs() < 1e-15);
        assert_eq!(deviation_from_rotation(&-r), f64::INFINITY);
        assert_eq!(deviation_from_rotation(&(r * f64::NAN)), f64::INFINITY);
    }

    #[test]
    fn rate_is_that_of_a_rotation_with_body_angular_velocity() {
        // R' = R [omega_b]x, compared with a central difference along q'.
        let q = [0.5, 0.1, -0.7, 0.5];
        let n = f64::sqrt(q.iter().map(|c| c * c).sum());
        let q = q.map(|c| c / n);
        let omega = Vec3::new(0.3, -1.1, 0.7);
        let rate = quaternion_rate(&q, &omega);
        let h = 1e-6;
        let shift = |s: f64| rotation_matrix(&[0, 1, 2, 3].map(|i| q[i] + s * rate[i]));
        let difference = (shift(h) - shift(-h)) / (2.0 * h);
        let expected = rotation_matrix(&q) * omega.cross_matrix();
        assert!((difference - expected).amax() < 1e-9);
    }
}
