//! Units, declared types and allowed ranges of the numbers of a scene and of an FMU; and the
//! keys by which a scene file names them.
//!
//! - [`units`]: units, and the types that carry them
//!
//! # Keys of scene files
//!
//! Defined once for readers of scene files, the JSON Schema of the format and its page, checks, and the parameters
//! of an FMU.
//!
//! A [`Key`] is plain data. A [`Row`] is a key of an element, with what sets it there. An element
//! has a constant table of rows beside its plain data.

pub mod units;

pub use units::DeclaredType;

use crate::quantity::units::COEFFICIENT;
use contact_geometry::math::{LARGEST_NUMBER, LARGEST_NUMBER_IN_WORDS};
use contact_geometry::shapes::Axis;
use std::ops::BitOr;

/// A key of a table of a scene file.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its spelling; of a parameter also the last part of the FMI name.
    pub key: &'static str,
    /// What it is; of a vector what comes before its components.
    pub text: &'static str,
    /// Point and axes, where they matter.
    pub frame: &'static str,
    /// What may be written.
    pub value: Value,
    /// What holds if it is not there.
    pub need: Need,
    /// An example as a scene file has it; empty for a table, which shows its own keys.
    pub example: &'static str,
}

/// What holds if a key is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing: it must be there.
    Required,
    /// This, in words.
    Unless(&'static str),
}

/// What may be written for a key.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A number in SI units, or a text of a number and a unit.
    Number(DeclaredType, Range),
    /// Numbers of one type.
    Numbers(DeclaredType, usize),
    /// `true` or `false`.
    Flag,
    /// A whole number >= 0.
    Count(Range),
    /// A text.
    Text,
    /// A name: a letter, then letters, digits and underscores.
    Name,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// Any number of them.
    List(&'static Value),
    /// As many of them as said.
    Several(&'static Value, usize),
    /// A table with keys of its own.
    Table(fn() -> Vec<Key>),
    /// A table with one key for each of these words.
    Map(fn() -> Vec<&'static str>),
    /// One of these.
    Either(&'static [Value]),
}

impl Value {
    /// Name of the unit of its numbers.
    fn unit(&self) -> Option<&'static str> {
        match self {
            Value::Number(declared, _) | Value::Numbers(declared, _) => declared.unit,
            Value::List(one) | Value::Several(one, _) => one.unit(),
            _ => None,
        }
    }
}

impl Key {
    /// A key that must be there.
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

    /// The key, which may be left out; what holds then, in words.
    pub const fn unless(self, default: &'static str) -> Self {
        Key {
            need: Need::Unless(default),
            ..self
        }
    }

    /// The key of a quantity at a point, in axes.
    pub const fn at(self, frame: &'static str) -> Self {
        Key { frame, ..self }
    }

    /// The type and the range of a number, the type of numbers.
    pub const fn number(&self) -> Option<(DeclaredType, Range)> {
        match self.value {
            Value::Number(declared, range) => Some((declared, range)),
            Value::Numbers(declared, _) => Some((declared, Range::ANY)),
            Value::Several(Value::Number(declared, range), _) => Some((*declared, *range)),
            _ => None,
        }
    }

    /// The type of its numbers; that of a pure number if it has none.
    pub const fn declared(&self) -> DeclaredType {
        match self.number() {
            Some((declared, _)) => declared,
            None => COEFFICIENT,
        }
    }

    /// What a scene file may have for it; none for a table of keys of their own.
    pub fn example(&self) -> Option<String> {
        match (self.example, self.value) {
            ("", Value::Word(words)) => words().first().map(|word| format!("{word:?}")),
            ("", _) => None,
            (example, _) => Some(example.to_owned()),
        }
    }

    /// What it is with its components, unit and frame: `Velocity along x, y, z [m/s], world axes`.
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

    /// True if it must be there.
    pub fn is_required(&self) -> bool {
        self.need == Need::Required
    }
}

/// How a key of an element is got and set.
#[derive(Debug)]
pub enum Access<E: 'static> {
    /// A number; none if the element has none.
    Number(fn(&E) -> Option<f64>, fn(&mut E, f64)),
    /// A vector of three numbers; none if the element has none.
    Vector(fn(&E) -> Option<[f64; 3]>, fn(&mut E, [f64; 3])),
    /// `true` or `false`.
    Flag(fn(&mut E, bool)),
    /// A whole number; none if the element has none.
    Count(fn(&E) -> Option<u32>, fn(&mut E, u32)),
    /// A text.
    Text(fn(&mut E, &str)),
    /// A word, by its index.
    Word(fn(&mut E, usize)),
    /// By code of its own, since it needs more than the value.
    Own,
}

impl<E> Clone for Access<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Access<E> {}

/// A key of an element.
#[derive(Debug)]
pub struct Row<E: 'static> {
    /// The key.
    pub key: Key,
    /// How it is got and set.
    pub access: Access<E>,
}

impl<E> Clone for Row<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Row<E> {}

/// What is said of a number, of a scene or of a parameter of an FMU: without what only those who write
/// scene files need.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// The key, the last part of the name of a parameter.
    pub key: &'static str,
    /// What it is, as the text of the FMI parameter; of a vector what comes before its component.
    pub text: &'static str,
    /// Point and axes, where they matter.
    pub frame: &'static str,
    /// Its type, with the unit.
    pub declared: DeclaredType,
    /// Allowed values.
    pub range: Range,
}

impl Quantity {
    /// That of a key; one that is no number counts as a plain one.
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
    /// Its name, text, type and range.
    pub quantity: Quantity,
    /// Number of its components; `None` for a scalar.
    pub size: Option<usize>,
    /// What it enters, of its element.
    pub feeds: Feeds,
}

/// A parameter of a class of elements, which `E` has the numbers of.
#[derive(Debug)]
pub struct ParameterRow<E: 'static> {
    /// Its description.
    pub facts: ParameterFacts,
    /// Its components; `None` if the element does not have it.
    pub at: fn(&mut E) -> Option<&mut [f64]>,
}

impl ParameterFacts {
    /// Those of a key of a scene file.
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
    /// Row of a parameter that has a key of a scene file.
    pub const fn new(key: &Key, feeds: Feeds, at: fn(&mut E) -> Option<&mut [f64]>) -> Self {
        let facts = ParameterFacts::of(key, feeds);
        ParameterRow { facts, at }
    }
}

/// What is checked of a key of an element.
#[derive(Debug)]
pub struct Check<E: 'static> {
    /// The key.
    pub key: &'static str,
    /// Name of the unit; empty for a pure number.
    pub unit: &'static str,
    /// Allowed values.
    pub range: Range,
    /// Its numbers.
    pub get: Numbers<E>,
}

/// The numbers of a key of an element.
#[derive(Debug)]
pub enum Numbers<E: 'static> {
    /// One, if the element has it.
    One(fn(&E) -> Option<f64>),
    /// A vector, if the element has it.
    Vector(fn(&E) -> Option<[f64; 3]>),
    /// A whole number, if the element has it.
    Count(fn(&E) -> Option<u32>),
}

/// What is to be checked of the rows of an element. A constant table of rows stays out of the FMU binary;
/// this is what it needs of them.
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

/// Row of a number.
pub const fn number<E>(key: Key, get: fn(&E) -> Option<f64>, set: fn(&mut E, f64)) -> Row<E> {
    Row {
        key,
        access: Access::Number(get, set),
    }
}

/// Row of a vector.
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

/// Row of a flag, which is false unless given.
pub const fn flag<E>(key: &'static str, text: &'static str, set: fn(&mut E, bool)) -> Row<E> {
    Row {
        key: Key::new(key, text, Value::Flag, "true").unless("false"),
        access: Access::Flag(set),
    }
}

/// Row of a whole number.
pub const fn count<E>(key: Key, get: fn(&E) -> Option<u32>, set: fn(&mut E, u32)) -> Row<E> {
    Row {
        key,
        access: Access::Count(get, set),
    }
}

/// Row of a text.
pub const fn text<E>(key: Key, set: fn(&mut E, &str)) -> Row<E> {
    Row {
        key,
        access: Access::Text(set),
    }
}

/// Row of a word for a value of type `K`.
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

/// Row of a key that the element's reader reads itself.
pub const fn own<E>(key: Key) -> Row<E> {
    Row {
        key,
        access: Access::Own,
    }
}

/// The keys of a table of rows.
pub fn keys<E>(rows: &[Row<E>]) -> Vec<Key> {
    rows.iter().map(|row| row.key).collect()
}

// Values that a scene file writes as words.

/// A value of few, each with a word of its own.
pub trait Keyword: Copy + PartialEq + 'static {
    /// Each word with its value; the first one that fits a value is its word.
    const WORDS: &'static [(&'static str, Self)];

    /// The words.
    fn words() -> Vec<&'static str> {
        Self::WORDS.iter().map(|(word, _)| *word).collect()
    }

    /// The word of the value.
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

/// The word that the table has for a value; empty if it has none.
pub(crate) fn listed_word<K: Keyword>(value: K) -> &'static str {
    let found = K::WORDS.iter().find(|(_, known)| *known == value);
    found.map_or("", |(word, _)| word)
}

keywords! {
    Axis { X "x", Y "y", Z "z" }
}

// What a number of an element enters: the other half of dependencies is what a quantity reads.

/// Set of what states, parameters and inputs of an element enter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Feeds(u32);

impl Feeds {
    /// Nothing that the model structure speaks of.
    pub const NOTHING: Feeds = Feeds(0);
    /// Where a body or joint is along its translations.
    pub const POSITION: Feeds = Feeds(1);
    /// How a body is turned, or a joint by a quaternion.
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
    /// Every other part of the force of a contact or end stop.
    pub const LAW: Feeds = Feeds(1 << 10);
    /// Force and energy of the spring of a coordinate.
    pub const SPRING: Feeds = Feeds(1 << 11);
    /// Viscous and Coulomb friction of a coordinate.
    pub const FRICTION: Feeds = Feeds(1 << 12);
    /// Where the lower stop of a coordinate is.
    pub const LOWER_STOP: Feeds = Feeds(1 << 13);
    /// Where the upper stop of a coordinate is.
    pub const UPPER_STOP: Feeds = Feeds(1 << 14);

    /// Position and orientation.
    pub const POSE: Feeds = Feeds::POSITION.and(Feeds::ORIENTATION);
    /// Velocity and angular velocity.
    pub const MOTION: Feeds = Feeds::VELOCITY.and(Feeds::ANGULAR_VELOCITY);
    /// Mass, centre of mass and inertia.
    pub const MASSES: Feeds = Feeds::MASS.and(Feeds::CENTER_OF_MASS).and(Feeds::INERTIA);
    /// Force of a contact or end stop.
    pub const CONTACT: Feeds = Feeds::ELASTIC.and(Feeds::LAW);
    /// Where the stops of a coordinate are.
    pub const STOPS: Feeds = Feeds::LOWER_STOP.and(Feeds::UPPER_STOP);
    /// All forces along a coordinate.
    pub const JOINT_FORCE: Feeds = Feeds::SPRING
        .and(Feeds::FRICTION)
        .and(Feeds::STOPS)
        .and(Feeds::CONTACT)
        .and(Feeds::LOAD);

    /// Both sets together; `|` where no constant is asked for.
    pub const fn and(self, other: Feeds) -> Feeds {
        Feeds(self.0 | other.0)
    }

    /// What both sets have.
    pub const fn common(self, other: Feeds) -> Feeds {
        Feeds(self.0 & other.0)
    }

    /// Returns true if both sets have something in common.
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

// Which values a number may have. The same range holds in a scene file and for an importer.

/// An interval of the values that a number may have, besides that every number is finite and at most
/// [`LARGEST_NUMBER`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Least value.
    pub least: f64,
    /// Largest value.
    pub most: f64,
    /// The least value itself is not allowed.
    pub is_open: bool,
    /// Whole numbers only.
    pub is_whole: bool,
    /// The range in words, such as `>= 0`.
    pub words: &'static str,
}

impl Range {
    /// Any finite number.
    pub const ANY: Range = Range::within(f64::NEG_INFINITY, f64::INFINITY, "finite");
    /// Zero and more.
    pub const NOT_NEGATIVE: Range = Range::within(0.0, f64::INFINITY, ">= 0");
    /// More than zero.
    pub const POSITIVE: Range = Range {
        is_open: true,
        ..Range::within(0.0, f64::INFINITY, "> 0")
    };
    /// From zero to one.
    pub const FRACTION: Range = Range::within(0.0, 1.0, "in 0..1");

    /// From a least value to a largest one, which are allowed themselves.
    pub const fn within(least: f64, most: f64, words: &'static str) -> Range {
        Range {
            least,
            most,
            is_open: false,
            is_whole: false,
            words,
        }
    }

    /// Whole numbers from a least to a largest one.
    pub const fn whole(least: f64, most: f64, words: &'static str) -> Range {
        Range {
            is_whole: true,
            ..Range::within(least, most, words)
        }
    }

    /// The same range in other words.
    pub const fn called(self, words: &'static str) -> Range {
        Range { words, ..self }
    }

    /// The allowed range in words if a value is outside; none otherwise.
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
