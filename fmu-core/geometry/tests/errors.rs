//! The worst of many errors, and lists of failures.

/// Keeps the larger error; NaN is the worst of all.
pub fn raise(worst: &mut f64, error: f64) {
    if error.is_nan() || error > *worst {
        *worst = error;
    }
}

/// Whether an error is at most so much; NaN is not.
pub fn within(error: f64, allowed: f64) -> bool {
    error <= allowed
}

/// Fails with the first of the failures.
pub fn assert_none(failures: &[String]) {
    let shown = &failures[..failures.len().min(30)];
    assert!(
        shown.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        shown.join("\n")
    );
}
