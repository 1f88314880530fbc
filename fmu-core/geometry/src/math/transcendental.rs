//! The functions whose last bits a platform's C library chooses, from `libm` in their place, so
//! that a model has the same bits everywhere. Angles in radians.
//!
//! A square root, a rounding and a product with one rounding are exact by IEEE 754 and stay those
//! of the standard library; `clippy.toml` forbids its other functions.

pub use libm::{
    atan, atan2, cos, exp, expm1 as exp_m1, hypot, log as ln, log1p as ln_1p, log10, pow as powf,
    sin, sincos as sin_cos, tan,
};
