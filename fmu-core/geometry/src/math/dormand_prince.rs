//! Coefficients of the explicit Runge-Kutta formula of order 5(4) with seven stages.
//!
//! Source: J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta formulae, J. Comp. Appl.
//! Math. 6 (1980) 19-26.

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
