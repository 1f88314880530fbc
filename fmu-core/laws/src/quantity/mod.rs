//! Units, declared types and allowed ranges of the numbers of a scene and of an FMU, and their keys in scene
//! files.
//!
//! - [`units`]: units, and the types that carry them
//!
//! # Keys of scene files
//!
//! Defined once for readers of scene files, the JSON Schema of the format and its page, checks, and the
//! parameters of an FMU. A [`Key`] is plain data; a [`Row`] is a key of an element with its accessors. An
//! element has a constant table of rows beside its plain data.

pub mod units;

pub use units::DeclaredType;

use crate::quantity::units::COEFFICIENT;
use contact_geometry::math::{LARGEST_NUMBER, LARGEST_NUMBER_IN_WORDS};
use contact_geometry::shapes::Axis;
use std::ops::BitOr;

/// Key of a table in a scene file.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Spelling; for a parameter also the last part of the FMI name.
    pub key: &'static str,
    /// Description; for a vector the text before its components.
    pub text: &'static str,
    /// Reference point and axes, where relevant.
    pub frame: &'static str,
    /// Allowed kind of value.
    pub value: Value,
    /// Whether the key is required, or its default.
    pub need: Need,
    /// Example as in a scene file; empty for a table, which shows its own keys.
    pub example: &'static str,
}

/// Whether a key is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Required.
    Required,
    /// Optional, with the default as text.
    Unless(&'static str),
}

/// Kind of value of a key.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// Number in SI units, or text with a number and a unit.
    Number(DeclaredType, Range),
    /// Numbers of one type.
    Numbers(DeclaredType, usize),
    /// `true` or `false`.
    Flag,
    /// Integer >= 0.
    Count(Range),
    /// A text.
    Text,
    /// Name: a letter, then letters, digits and underscores.
    Name,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// List of any length.
    List(&'static Value),
    /// List of fixed length.
    Several(&'static Value, usize),
    /// Table with its own keys.
    Table(fn() -> Vec<Key>),
    /// Table with one key for each of these words.
    Map(fn() -> Vec<&'static str>),
    /// Any of these kinds.
    Either(&'static [Value]),
}

impl Value {
    fn unit(&self) -> Option<&'static str> {
        match self {
            Value::Number(declared, _) | Value::Numbers(declared, _) => declared.unit,
            Value::List(one) | Value::Several(one, _) => one.unit(),
            _ => None,
        }
    }
}

impl Key {
    /// Required key.
    pub const fn new(
        key: &'static str,
        text: &'static str,
        value: Value,
        example: &'static str,
    ) -> Self {
        Key {
            key,
            text,
            frame: "",
            value,
            need: Need::Required,
            example,
        }
    }

    /// Makes the key optional, with the default as text.
    pub const fn unless(self, default: &'static str) -> Self {
        Key {
            need: Need::Unless(default),
            ..self
        }
    }

    /// Sets the reference point and axes.
    pub const fn at(self, frame: &'static str) -> Self {
        Key { frame, ..self }
    }

    /// Type and range of a number, or type of several.
    pub const fn number(&self) -> Option<(DeclaredType, Range)> {
        match self.value {
            Value::Number(declared, range) => Some((declared, range)),
            Value::Numbers(declared, _) => Some((declared, Range::ANY)),
            Value::Several(Value::Number(declared, range), _) => Some((*declared, *range)),
            _ => None,
        }
    }

    /// Type of its numbers; a pure number if it has none.
    pub const fn declared(&self) -> DeclaredType {
        match self.number() {
            Some((declared, _)) => declared,
            None => COEFFICIENT,
        }
    }

    /// Example of its value in a scene file; `None` for a table with its own keys.
    pub fn example(&self) -> Option<String> {
        match (self.example, self.value) {
            ("", Value::Word(words)) => words().first().map(|word| format!("{word:?}")),
            ("", _) => None,
            (example, _) => Some(example.to_owned()),
        }
    }

    /// Description with components, unit and frame: `Velocity along x, y, z [m/s], world axes`.
    pub fn meaning(&self) -> String {
        let mut text = self.text.to_owned();
        let ends = ["Position", " along", " about"];
        match self.value {
            Value::Numbers(_, 3) | Value::Several(_, 3)
                if ends.iter().any(|end| text.ends_with(end)) =>
            {
                text.push_str(" x, y, z");
            }
            Value::Numbers(_, 4) => text.push_str(" w, x, y, z"),
            _ => {}
        }
        if let Some(unit) = self.value.unit() {
            text.push_str(&format!(" [{unit}]"));
        }
        if !self.frame.is_empty() {
            text.push_str(", ");
            text.push_str(self.frame);
        }
        text
    }

    /// Returns true if it is required.
    pub fn is_required(&self) -> bool {
        self.need == Need::Required
    }
}

/// Accessors of a key of an element.
#[derive(Debug)]
pub enum Access<E: 'static> {
    /// Number; `None` if the element has none.
    Number(fn(&E) -> Option<f64>, fn(&mut E, f64)),
    /// Vector with three components; `None` if the element has none.
    Vector(fn(&E) -> Option<[f64; 3]>, fn(&mut E, [f64; 3])),
    /// `true` or `false`.
    Flag(fn(&mut E, bool)),
    /// Integer; `None` if the element has none.
    Count(fn(&E) -> Option<u32>, fn(&mut E, u32)),
    /// A text.
    Text(fn(&mut E, &str)),
    /// Word, by its index.
    Word(fn(&mut E, usize)),
    /// Read by separate code, since it needs more than the value.
    Own,
}

impl<E> Clone for Access<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Access<E> {}

/// Key of an element with its accessors.
#[derive(Debug)]
pub struct Row<E: 'static> {
    /// The key.
    pub key: Key,
    /// Accessors.
    pub access: Access<E>,
}

impl<E> Clone for Row<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Row<E> {}

/// Description of a number of a scene or FMU parameter, without the parts that only authors of scene files
/// need.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Key; last part of the parameter name.
    pub key: &'static str,
    /// Description of the FMI parameter; for a vector the text before its component.
    pub text: &'static str,
    /// Reference point and axes, where relevant.
    pub frame: &'static str,
    /// Type, with the unit.
    pub declared: DeclaredType,
    /// Allowed values.
    pub range: Range,
}

impl Quantity {
    /// Quantity of a key; a key without numbers gives a pure number.
    pub const fn of(key: &Key) -> Self {
        let (declared, range) = match key.number() {
            Some(found) => found,
            None => (COEFFICIENT, Range::ANY),
        };
        Quantity {
            key: key.key,
            text: key.text,
            frame: key.frame,
            declared,
            range,
        }
    }
}

/// Description of a parameter of a class of elements.
#[derive(Clone, Copy, Debug)]
pub struct ParameterFacts {
    /// Name, text, type and range.
    pub quantity: Quantity,
    /// Number of components; `None` for a scalar.
    pub size: Option<usize>,
    /// Properties of the element that depend on it.
    pub feeds: Feeds,
}

/// Parameter of a class of elements, stored in `E`.
#[derive(Debug)]
pub struct ParameterRow<E: 'static> {
    /// Description.
    pub facts: ParameterFacts,
    /// Components; `None` if the element does not have the parameter.
    pub at: fn(&mut E) -> Option<&mut [f64]>,
}

impl ParameterFacts {
    /// Facts for a key of a scene file.
    pub const fn of(key: &Key, feeds: Feeds) -> Self {
        ParameterFacts {
            quantity: Quantity::of(key),
            size: match key.value {
                Value::Numbers(_, size) => Some(size),
                _ => None,
            },
            feeds,
        }
    }
}

impl<E> ParameterRow<E> {
    /// Row of a parameter that is also a key of a scene file.
    pub const fn new(key: &Key, feeds: Feeds, at: fn(&mut E) -> Option<&mut [f64]>) -> Self {
        let facts = ParameterFacts::of(key, feeds);
        ParameterRow { facts, at }
    }
}

/// Check of a key of an element.
#[derive(Debug)]
pub struct Check<E: 'static> {
    /// The key.
    pub key: &'static str,
    /// Name of the unit; empty for a pure number.
    pub unit: &'static str,
    /// Allowed values.
    pub range: Range,
    /// Getter of the checked numbers.
    pub get: Numbers<E>,
}

/// Getter of the numbers of a key of an element.
#[derive(Debug)]
pub enum Numbers<E: 'static> {
    /// Number, if the element has it.
    One(fn(&E) -> Option<f64>),
    /// Vector, if the element has it.
    Vector(fn(&E) -> Option<[f64; 3]>),
    /// Integer, if the element has it.
    Count(fn(&E) -> Option<u32>),
}

/// Range checks of an element's rows. The constant table of rows stays out of the FMU binary, which needs
/// only these.
pub const fn checks<E, const N: usize>(rows: &[Row<E>; N]) -> [Option<Check<E>>; N] {
    let mut checks = [const { None }; N];
    let mut i = 0;
    while i < N {
        checks[i] = check(&rows[i]);
        i += 1;
    }
    checks
}

const fn check<E>(row: &Row<E>) -> Option<Check<E>> {
    let get = match row.access {
        Access::Number(get, _) => Numbers::One(get),
        Access::Vector(get, _) => Numbers::Vector(get),
        Access::Count(get, _) => Numbers::Count(get),
        Access::Flag(_) | Access::Text(_) | Access::Word(_) | Access::Own => return None,
    };
    let (unit, range) = match row.key.value {
        Value::Count(range) => ("", range),
        _ => match row.key.number() {
            Some((declared, range)) => (declared.unit_or_empty(), range),
            None => ("", Range::ANY),
        },
    };
    Some(Check {
        key: row.key.key,
        unit,
        range,
        get,
    })
}

/// Row for a number.
pub const fn number<E>(key: Key, get: fn(&E) -> Option<f64>, set: fn(&mut E, f64)) -> Row<E> {
    Row {
        key,
        access: Access::Number(get, set),
    }
}

/// Row for a vector.
pub const fn vector<E>(
    key: Key,
    get: fn(&E) -> Option<[f64; 3]>,
    set: fn(&mut E, [f64; 3]),
) -> Row<E> {
    Row {
        key,
        access: Access::Vector(get, set),
    }
}

/// Row for a flag with default `false`.
pub const fn flag<E>(key: &'static str, text: &'static str, set: fn(&mut E, bool)) -> Row<E> {
    Row {
        key: Key::new(key, text, Value::Flag, "true").unless("false"),
        access: Access::Flag(set),
    }
}

/// Row for an integer.
pub const fn count<E>(key: Key, get: fn(&E) -> Option<u32>, set: fn(&mut E, u32)) -> Row<E> {
    Row {
        key,
        access: Access::Count(get, set),
    }
}

/// Row for a text.
pub const fn text<E>(key: Key, set: fn(&mut E, &str)) -> Row<E> {
    Row {
        key,
        access: Access::Text(set),
    }
}

/// Row for a word that selects a value of type `K`.
pub const fn word<E, K: Keyword>(
    key: &'static str,
    text: &'static str,
    default: &'static str,
    set: fn(&mut E, usize),
) -> Row<E> {
    Row {
        key: Key::new(key, text, Value::Word(K::words), "").unless(default),
        access: Access::Word(set),
    }
}

/// Row for a key that the element's reader reads itself.
pub const fn own<E>(key: Key) -> Row<E> {
    Row {
        key,
        access: Access::Own,
    }
}

/// Keys of a table of rows.
pub fn keys<E>(rows: &[Row<E>]) -> Vec<Key> {
    rows.iter().map(|row| row.key).collect()
}

/// Enumerated value that scene files write as a word.
pub trait Keyword: Copy + PartialEq + 'static {
    /// Words with their values; the first match is the word of a value.
    const WORDS: &'static [(&'static str, Self)];

    /// All words.
    fn words() -> Vec<&'static str> {
        Self::WORDS.iter().map(|(word, _)| *word).collect()
    }

    /// Word of the value.
    fn word(self) -> &'static str {
        listed_word(self)
    }
}

/// Implements [`Keyword`] for enumerations, each variant with its word.
#[macro_export]
macro_rules! keywords {
    ($($type:ident { $($value:ident $word:literal),+ })+) => {$(
        impl $crate::quantity::Keyword for $type {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, $type::$value)),+];
        }
    )+};
}

pub(crate) fn listed_word<K: Keyword>(value: K) -> &'static str {
    let found = K::WORDS.iter().find(|(_, known)| *known == value);
    found.map_or("", |(word, _)| word)
}

keywords! {
    Axis { X "x", Y "y", Z "z" }
}

// Dependencies: what a number of an element enters; the other half is what a quantity reads.

/// Set of quantities that a state, parameter or input of an element enters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Feeds(u32);

impl Feeds {
    /// No quantity of the model structure.
    pub const NOTHING: Feeds = Feeds(0);
    /// Position of a body or joint along its translations.
    pub const POSITION: Feeds = Feeds(1);
    /// Orientation of a body, or of a joint with a quaternion.
    pub const ORIENTATION: Feeds = Feeds(1 << 1);
    /// Velocity of a body or rate of a coordinate.
    pub const VELOCITY: Feeds = Feeds(1 << 2);
    /// Angular velocity of a body, or of a joint with a quaternion.
    pub const ANGULAR_VELOCITY: Feeds = Feeds(1 << 3);
    /// Mass of a body.
    pub const MASS: Feeds = Feeds(1 << 4);
    /// Centre of mass of a body.
    pub const CENTER_OF_MASS: Feeds = Feeds(1 << 5);
    /// Inertia of a body.
    pub const INERTIA: Feeds = Feeds(1 << 6);
    /// Gravity field of the scene.
    pub const GRAVITY: Feeds = Feeds(1 << 7);
    /// Forces on a body or along a coordinate that are prescribed or inputs.
    pub const LOAD: Feeds = Feeds(1 << 8);
    /// Elastic force and energy of a contact or end stop.
    pub const ELASTIC: Feeds = Feeds(1 << 9);
    /// Any other part of the force of a contact or end stop.
    pub const LAW: Feeds = Feeds(1 << 10);
    /// Force and energy of a coordinate's spring.
    pub const SPRING: Feeds = Feeds(1 << 11);
    /// Viscous and Coulomb friction of a coordinate.
    pub const FRICTION: Feeds = Feeds(1 << 12);
    /// Position of a coordinate's lower stop.
    pub const LOWER_STOP: Feeds = Feeds(1 << 13);
    /// Position of a coordinate's upper stop.
    pub const UPPER_STOP: Feeds = Feeds(1 << 14);

    /// Position and orientation.
    pub const POSE: Feeds = Feeds::POSITION.and(Feeds::ORIENTATION);
    /// Velocity and angular velocity.
    pub const MOTION: Feeds = Feeds::VELOCITY.and(Feeds::ANGULAR_VELOCITY);
    /// Mass, centre of mass and inertia.
    pub const MASSES: Feeds = Feeds::MASS.and(Feeds::CENTER_OF_MASS).and(Feeds::INERTIA);
    /// Force of a contact or end stop.
    pub const CONTACT: Feeds = Feeds::ELASTIC.and(Feeds::LAW);
    /// Positions of a coordinate's stops.
    pub const STOPS: Feeds = Feeds::LOWER_STOP.and(Feeds::UPPER_STOP);
    /// All forces along a coordinate.
    pub const JOINT_FORCE: Feeds = Feeds::SPRING
        .and(Feeds::FRICTION)
        .and(Feeds::STOPS)
        .and(Feeds::CONTACT)
        .and(Feeds::LOAD);

    /// Union of both sets; `|` outside constants.
    pub const fn and(self, other: Feeds) -> Feeds {
        Feeds(self.0 | other.0)
    }

    /// Intersection of both sets.
    pub const fn common(self, other: Feeds) -> Feeds {
        Feeds(self.0 & other.0)
    }

    /// Returns true if both sets intersect.
    pub const fn meets(self, other: Feeds) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Feeds {
    type Output = Feeds;

    fn bitor(self, other: Feeds) -> Feeds {
        self.and(other)
    }
}

/// Interval of allowed values of a number. Every number is also finite and within [`LARGEST_NUMBER`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower bound.
    pub least: f64,
    /// Upper bound.
    pub most: f64,
    /// Excludes the lower bound itself.
    pub is_open: bool,
    /// Integers only.
    pub is_whole: bool,
    /// Range as text, such as `>= 0`.
    pub words: &'static str,
}

impl Range {
    /// Any finite number.
    pub const ANY: Range = Range::within(f64::NEG_INFINITY, f64::INFINITY, "finite");
    /// Zero and more.
    pub const NOT_NEGATIVE: Range = Range::within(0.0, f64::INFINITY, ">= 0");
    /// Greater than zero.
    pub const POSITIVE: Range = Range {
        is_open: true,
        ..Range::within(0.0, f64::INFINITY, "> 0")
    };
    /// From zero to one.
    pub const FRACTION: Range = Range::within(0.0, 1.0, "in 0..1");

    /// Closed interval.
    pub const fn within(least: f64, most: f64, words: &'static str) -> Range {
        Range {
            least,
            most,
            is_open: false,
            is_whole: false,
            words,
        }
    }

    /// Integers in a closed interval.
    pub const fn whole(least: f64, most: f64, words: &'static str) -> Range {
        Range {
            is_whole: true,
            ..Range::within(least, most, words)
        }
    }

    /// The same range with another text.
    pub const fn called(self, words: &'static str) -> Range {
        Range { words, ..self }
    }

    /// Text of the range if a value is outside, else `None`.
    pub fn violated(&self, value: f64) -> Option<&'static str> {
        if !value.is_finite() {
            return Some("a finite number");
        }
        let above = match self.is_open {
            true => value > self.least,
            false => value >= self.least,
        };
        if !above || value > self.most || (self.is_whole && value.fract() != 0.0) {
            return Some(self.words);
        }
        (value.abs() > LARGEST_NUMBER).then_some(LARGEST_NUMBER_IN_WORDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_its_ends_unless_it_is_open() {
        let budget = Range::whole(1.0, 1e12, "a whole number in 1..1e12");
        for (range, good, bad) in [
            (Range::ANY, vec![-1e3, 0.0, 7.0], vec![]),
            (Range::NOT_NEGATIVE, vec![0.0, 1e-300], vec![-1e-300]),
            (Range::POSITIVE, vec![1e-300], vec![0.0, -1.0]),
            (
                Range::FRACTION,
                vec![0.0, 0.5, 1.0],
                vec![-1e-9, 1.0 + 1e-9],
            ),
            (budget, vec![1.0, 1e12], vec![0.0, 1.5, 1e12 + 1.0]),
        ] {
            for value in good {
                assert_eq!(range.violated(value), None, "{value} in {range:?}");
            }
            for value in bad {
                assert_eq!(range.violated(value), Some(range.words), "{value}");
            }
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert_eq!(range.violated(value), Some("a finite number"));
            }
        }
        let largest = Range::ANY.violated(-2.0 * LARGEST_NUMBER);
        assert_eq!(largest, Some(LARGEST_NUMBER_IN_WORDS));
    }
}
