//! Latches of joints, as plain data: which joint a latch holds, when it closes and when it opens.

use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Keyword, Range, Value, units};
use serde::{Deserialize, Serialize};

/// A latch. Closed, it holds all coordinates of its joint where they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatchDescription {
    /// Unique name among latches.
    pub name: String,
    /// Name of the joint that it holds; a joint has one latch.
    pub joint: String,
    /// It is closed at start; unless given it is if nothing else closes it.
    pub closed: Option<bool>,
    /// Time at which it opens [s].
    pub open_time: Option<f64>,
    /// Time at which it closes [s].
    pub close_time: Option<f64>,
    /// An input commands it: above 0.5 it is to be closed, else open.
    pub input: bool,
    /// Value of a coordinate of the joint at which it closes [m] or [rad].
    pub close_at: Option<f64>,
    /// Key of that coordinate; the first one unless given.
    pub coordinate: Option<String>,
    /// The side from which the coordinate comes to that value.
    pub close_from: CloseFrom,
    /// Distance of the origins of both frames of the joint below which it closes [m], > 0.
    pub close_distance: Option<f64>,
    /// Impulse that drives the bodies apart where it opens, along the first coordinate of the joint
    /// [N.s] or [N.m.s], of a free joint along `release_direction`.
    pub release_impulse: f64,
    /// Direction of that impulse on the child of a free joint, axes of the parent's joint frame,
    /// not zero; made unit.
    pub release_direction: Option<[f64; 3]>,
}

impl Default for LatchDescription {
    /// A latch of no joint.
    fn default() -> Self {
        LatchDescription {
            name: String::new(),
            joint: String::new(),
            closed: None,
            open_time: None,
            close_time: None,
            input: false,
            close_at: None,
            coordinate: None,
            close_from: CloseFrom::Below,
            close_distance: None,
            release_impulse: 0.0,
            release_direction: None,
        }
    }
}

impl LatchDescription {
    /// Returns true if it is closed at start.
    pub fn starts_closed(&self) -> bool {
        let closes = self.close_time.is_some()
            || self.close_at.is_some()
            || self.close_distance.is_some()
            || self.input;
        self.closed.unwrap_or(!closes)
    }
}

/// The side from which a coordinate comes to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CloseFrom {
    /// It rises to the value.
    Below,
    /// It falls to the value.
    Above,
}

impl Keyword for CloseFrom {
    const WORDS: &'static [(&'static str, Self)] =
        &[("below", CloseFrom::Below), ("above", CloseFrom::Above)];
}

/// `[[latch]]`.
#[rustfmt::skip]
pub const LATCH: [Row<LatchDescription>; 12] = [
    row::text(Key::new("name", "Unique name: a letter, then letters, digits and underscores", Value::Name, "\"separation\""),
        |l, v| l.name = v.into()),
    row::text(Key::new("joint", "Joint whose coordinates it holds while it is closed", Value::Name, "\"interstage\""),
        |l, v| l.joint = v.into()),
    row::own(Key::new("closed", "It is closed at start", Value::Flag, "true").unless("true if nothing else closes it")),
    row::number(Key::new("open_time", "Time at which it opens", Value::Number(units::TIME, Range::ANY), "\"12 s\"").unless("never"),
        |l| l.open_time, |l, v| l.open_time = Some(v)),
    row::number(Key::new("close_time", "Time at which it closes", Value::Number(units::TIME, Range::ANY), "\"2 s\"").unless("never"),
        |l| l.close_time, |l, v| l.close_time = Some(v)),
    row::flag("input", "An input commands it: above 0.5 it is to be closed, else open", |l, v| l.input = v),
    row::own(Key::new("close_at", "Value of a coordinate of the joint at which it closes",
        Value::Either(&[Value::Number(units::LENGTH, Range::ANY), Value::Number(units::ANGLE, Range::ANY)]), "\"30 deg\"").unless("none")),
    row::own(Key::new("coordinate", "Coordinate that close_at is a value of", Value::Name, "\"angle\"").unless("the first one of the joint")),
    row::word::<_, CloseFrom>("close_from", "Side from which the coordinate comes to close_at", "\"below\"",
        |l, v| l.close_from = CloseFrom::WORDS[v].1),
    row::number(Key::new("close_distance", "Distance of the origins of both frames of the joint below which it closes",
        Value::Number(units::LENGTH, Range::POSITIVE), "\"1 mm\"").unless("none"),
        |l| l.close_distance, |l, v| l.close_distance = Some(v)),
    row::own(Key::new("release_impulse", "Impulse on the child, and its negative on the parent, where it opens, along the first \
        coordinate of the joint, of an angle its moment", Value::Either(&[Value::Number(units::IMPULSE, Range::ANY), Value::Number(units::ANGULAR_IMPULSE, Range::ANY)]),
        "\"5 N.s\"").unless("0")),
    row::vector(Key::new("release_direction", "Direction of that impulse in a free joint", Value::Numbers(units::DIRECTION, 3), "[0, 0, 1]")
        .at("joint frame of the parent").unless("[1, 0, 0]"),
        |l| l.release_direction, |l, v| l.release_direction = Some(v)),
];
