//! Values that a scene file writes as words.

use contact_geometry::shapes::Axis;

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

/// The word that the table has for a value; empty if it has none.
pub fn listed_word<K: Keyword>(value: K) -> &'static str {
    let found = K::WORDS.iter().find(|(_, known)| *known == value);
    found.map_or("", |(word, _)| word)
}

impl Keyword for Axis {
    const WORDS: &'static [(&'static str, Self)] =
        &[("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)];
}
