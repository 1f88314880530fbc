//! What a scene file says in a key, once for all who ask: readers of scene files, the JSON Schema of
//! the format and its page, checks, and the parameters of an FMU.
//!
//! A [`Key`] is plain data. A [`Row`] is a key of an element, with what sets it there. An element
//! has a constant table of rows beside its plain data.

use crate::quantity::units::COEFFICIENT;
use crate::quantity::{DeclaredType, Keyword, Range};

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
