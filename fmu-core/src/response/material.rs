//! Contact data of a pair of materials.

use serde::{Deserialize, Serialize};

/// Numbers of an elastic material pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairData {
    /// Coefficient of restitution [1], 0..=1.
    pub restitution: f64,
    /// Coefficient of sliding friction mu_k [1], >= 0.
    pub sliding_friction: f64,
    /// Coefficient of rolling resistance mu_r [1], >= 0.
    pub rolling_resistance: f64,
    /// Speed below which friction and restitution are regularized [m/s], > 0.
    pub v_small: f64,
    /// Angular speed below which rolling resistance is regularized [rad/s], > 0.
    pub w_small: f64,
}
