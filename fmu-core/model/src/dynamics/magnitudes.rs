//! Magnitudes that nominal values of states are made of.

/// Impact speed that nominal penetrations belong to [m/s].
pub const REFERENCE_SPEED: f64 = 1.0;
/// Nominal position of a body that touches nothing [m].
pub const FREE_POSITION: f64 = 1.0;
/// Nominal orientation [1] and, but for what importers are given of bodies that can touch, nominal
/// angular velocity [rad/s]: a hundredth, because components of a quaternion pass through zero,
/// where the absolute tolerance alone decides. Measured with CVODE's BDF on a free axisymmetric top
/// against its closed form, relative tolerance 1e-8: error 3.1e-5 rad/s after 5 s with nominals of
/// 1, 4.5e-6 rad/s with these; smaller ones gain nothing.
pub const ORIENTATION: f64 = 1e-2;
/// See [`ORIENTATION`].
pub const ANGULAR_VELOCITY: f64 = 1e-2;
