//! Vectors, quaternions and poses, generic over [`Real`] so that exact derivatives come from the same code as
//! the values.
//!
//! - [`real`]: the scalar trait, implemented by `f64` and by dual numbers; platform-independent sin, exp,
//!   powf and the like
//! - `second`: second derivatives, for tests
//! - [`spatial`]: poses, unit quaternions (w, x, y, z), rotation matrices; motions, wrenches and inertias of
//!   six components
//! - [`quartic`]: bounded polynomials over an interval
//! - [`dense`]: dense output of an integrator step
//!
//! # Coefficients of the explicit Runge-Kutta formula of order 5(4) with seven stages
//!
//! Source: J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6
//! (1980) 19-26.

pub mod dense;
pub(crate) mod quartic;
pub mod real;

pub use quartic::Quartic;
pub use real::{
    Dual, Real, all_finite, even_root, length, magnitude, norm, reg, regularized, same_bits, vec3,
};
pub use spatial::{
    Pose, Spatial, SpatialInertia, deviation_from_rotation, exponential, multiply,
    nearest_rotation, quaternion, quaternion_rate, rotation_matrix, rotation_vector,
};

use std::fmt;

#[cfg(feature = "num-dual")]
#[path = "../../tests/unit/math/second.rs"]
mod second;
pub mod spatial;

/// Vector with two components.
pub type Vec2<T = f64> = nalgebra::Vector2<T>;
/// Vector with three components.
pub type Vec3<T = f64> = nalgebra::Vector3<T>;
/// 3 x 3 matrix.
pub type Mat3<T = f64> = nalgebra::Matrix3<T>;

/// Coefficients a_2j of stage 2.
pub const A2: [f64; 1] = [0.2];
/// Coefficients a_3j of stage 3.
pub const A3: [f64; 2] = [3.0 / 40.0, 9.0 / 40.0];
/// Coefficients a_4j of stage 4.
pub const A4: [f64; 3] = [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0];
/// Coefficients a_5j of stage 5.
pub const A5: [f64; 4] = [
    19372.0 / 6561.0,
    -25360.0 / 2187.0,
    64448.0 / 6561.0,
    -212.0 / 729.0,
];
/// Coefficients a_6j of stage 6.
pub const A6: [f64; 5] = [
    9017.0 / 3168.0,
    -355.0 / 33.0,
    46732.0 / 5247.0,
    49.0 / 176.0,
    -5103.0 / 18656.0,
];
/// Weights b_j of the solution of order 5; also the coefficients of stage 7.
pub const B: [f64; 6] = [
    35.0 / 384.0,
    0.0,
    500.0 / 1113.0,
    125.0 / 192.0,
    -2187.0 / 6784.0,
    11.0 / 84.0,
];
/// Weights of the error estimate: solution of order 5 less the embedded one of order 4.
pub const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

// Numbers as text in messages and files, and their range.

/// Largest magnitude of a number in a scene, in SI units: keeps products and squares finite. (The moment of
/// inertia of the Earth is 8e37 kg.m2.)
pub const LARGEST_NUMBER: f64 = 1e40;
/// [`LARGEST_NUMBER`] as text.
pub const LARGEST_NUMBER_IN_WORDS: &str = "of a size up to 1e40";

/// Displays a number in the shortest form that reads back exactly: `0.1`, `3`, `1e-7`, `1e300`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact(pub f64);

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        f.pad(text.strip_suffix(".0").unwrap_or(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_short_and_reads_back() {
        for (value, text) in [
            (3.0, "3"),
            (0.1, "0.1"),
            (-0.0, "-0"),
            (1e-7, "1e-7"),
            (1e300, "1e300"),
            (1.5e16, "1.5e16"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(Exact(value).to_string(), text);
            assert!(text == "NaN" || text.parse() == Ok(value));
        }
    }
}
