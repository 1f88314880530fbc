//! Vectors, quaternions and poses, generic over [`Real`] so that exact derivatives come from the
//! same code as the values.
//!
//! - [`real`]: the scalar trait, implemented by `f64` and by dual numbers, which carry derivatives; sin,
//!   exp, powf and the like with the same bits on all platforms
//! - `second`: second derivatives, for tests
//! - [`spatial`]: poses, unit quaternions (w, x, y, z), rotation matrices; motions, wrenches and inertias
//!   of six components
//! - [`quartic`]: polynomials over an interval, with bounds
//! - [`dense`]: the solution inside a step of an integrator
//!
//! # Coefficients of the explicit Runge-Kutta formula of order 5(4) with seven stages
//!
//! Source: J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta formulae, J. Comp. Appl.
//! Math. 6 (1980) 19-26.

pub mod dense;
pub(crate) mod quartic;
pub mod real;

pub use quartic::Quartic;
pub use real::{
    Dual, Real, all_finite, length, magnitude, norm, reg, regularized, same_bits, vec3,
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

/// Vector of two components.
pub type Vec2<T = f64> = nalgebra::Vector2<T>;
/// Vector of three components.
pub type Vec3<T = f64> = nalgebra::Vector3<T>;
/// Matrix of three rows and columns.
pub type Mat3<T = f64> = nalgebra::Matrix3<T>;

/// Weights of the slopes in the argument of stage 2.
pub const A2: [f64; 1] = [0.2];
/// Those of stage 3.
pub const A3: [f64; 2] = [3.0 / 40.0, 9.0 / 40.0];
/// Those of stage 4.
pub const A4: [f64; 3] = [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0];
/// Those of stage 5.
pub const A5: [f64; 4] = [
    19372.0 / 6561.0,
    -25360.0 / 2187.0,
    64448.0 / 6561.0,
    -212.0 / 729.0,
];
/// Those of stage 6.
pub const A6: [f64; 5] = [
    9017.0 / 3168.0,
    -355.0 / 33.0,
    46732.0 / 5247.0,
    49.0 / 176.0,
    -5103.0 / 18656.0,
];
/// Those of the result, the argument of stage 7.
pub const B: [f64; 6] = [
    35.0 / 384.0,
    0.0,
    500.0 / 1113.0,
    125.0 / 192.0,
    -2187.0 / 6784.0,
    11.0 / 84.0,
];
/// Weights of the error: result less the embedded one of order 4.
pub const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

// Numbers as text for messages and files, and how large they may be.

/// Numbers of a scene are no larger than this in SI units, so that products and squares of some of
/// them stay finite: the moment of inertia of the Earth is 8e37 kg.m2.
pub const LARGEST_NUMBER: f64 = 1e40;
/// [`LARGEST_NUMBER`] in words.
pub const LARGEST_NUMBER_IN_WORDS: &str = "of a size up to 1e40";

/// A number with the shortest text that reads back as the same one, with an exponent where it is
/// very large or small: `0.1`, `3`, `1e-7`, `1e300`.
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
