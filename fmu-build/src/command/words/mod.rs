//! What `check` prints and the page in an FMU shows.
//!
//! - [`forms`]: forms of shapes
//! - [`joints`]: joints and what acts in them
//! - [`laws`]: what a contact law comes to where it is met

pub(crate) mod forms;
pub(crate) mod joints;
pub(crate) mod laws;

/// Six significant digits, without trailing zeros: enough to recognise a number. Powers of ten
/// are written out from 1e-3 to 1e6.
pub(crate) fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    match rounded.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e6 => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

/// Several of them in parentheses.
pub(crate) fn vector(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|value| short(*value)).collect();
    format!("({})", values.join(", "))
}
