//! Vectors, quaternions and poses, generic over [`Real`] so that exact derivatives come from the
//! same code as the values.
//!
//! - [`transcendental`]: sin, exp, powf and the like, with the same bits on all platforms
//! - [`dual`]: numbers that carry derivatives
//! - [`real`]: the scalar trait, implemented by `f64` and dual numbers
//! - `second`: second derivatives, for tests
//! - [`rotation`]: unit quaternions (w, x, y, z) and rotation matrices
//! - [`pose`]: position and rotation of a frame
//! - [`spatial`]: motions, wrenches and inertias of six components
//! - [`dormand_prince`]: coefficients of a Runge-Kutta formula
//! - [`quartic`]: polynomials over an interval, with bounds
//! - [`dense`]: the solution inside a step of an integrator
//! - [`exact`]: numbers as text

pub mod dense;
pub mod dormand_prince;
pub mod dual;
pub mod exact;
pub mod pose;
pub mod quartic;
pub mod real;
pub mod rotation;
#[cfg(feature = "num-dual")]
mod second;
pub mod spatial;
pub mod transcendental;

pub use dual::Dual;
pub use exact::{Exact, LARGEST_NUMBER, LARGEST_NUMBER_IN_WORDS};
pub use pose::Pose;
pub use quartic::Quartic;
pub use real::{Real, all_finite, length, norm, same_bits, vec3};
pub use rotation::{
    deviation_from_rotation, exponential, multiply, nearest_rotation, quaternion, quaternion_rate,
    rotation_matrix, rotation_vector,
};
pub use spatial::{Spatial, SpatialInertia};

/// Vector of two components.
pub type Vec2<T = f64> = nalgebra::Vector2<T>;
/// Vector of three components.
pub type Vec3<T = f64> = nalgebra::Vector3<T>;
/// Matrix of three rows and columns.
pub type Mat3<T = f64> = nalgebra::Matrix3<T>;
