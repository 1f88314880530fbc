//! What is set for two bodies or shapes against each other, as plain data, and its keys.

use super::PairResponse;
use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Range, Value, units};
use serde::{Deserialize, Serialize};

/// Names all shapes of a body, or one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeName {
    /// Name of the body.
    pub body: String,
    /// Name of the shape; all of the body if there is none.
    pub shape: Option<String>,
}

/// What is set for two bodies or shapes against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairDescription {
    /// Of two bodies.
    pub between: [ShapeName; 2],
    /// Distance at which they begin to touch [m], >= 0, instead of the sum of their shells.
    pub threshold: Option<f64>,
    /// Distance below which the log warns [m].
    pub warn_below: Option<f64>,
    /// Their distance is an output.
    pub distance: bool,
    /// What happens when they touch, unless what their materials say; depths of layers in the order
    /// of `between`.
    pub response: Option<PairResponse>,
}

/// `[[pair]]`, without the keys of its law.
#[rustfmt::skip]
pub const PAIR: [Row<PairDescription>; 4] = [
    row::own(Key::new("between", "Two bodies, or shapes of them, in any order; a body means all its shapes",
        Value::Text, "\"ball:table.cushion\"")),
    row::number(
        Key::new("threshold", "Distance at which they begin to touch",
            Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"0.1 mm\"").unless("the sum of their shells"),
        |p| p.threshold, |p, v| p.threshold = Some(v),
    ),
    row::number(
        Key::new("warn_below", "Distance below which the log warns", Value::Number(units::LENGTH, Range::ANY), "\"5 mm\"")
            .unless("no warning"),
        |p| p.warn_below, |p, v| p.warn_below = Some(v),
    ),
    row::flag("distance", "Their distance is an output", |p, v| p.distance = v),
];
