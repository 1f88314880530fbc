//! What a scene says about itself for those who get the FMU, as plain data, and its keys. It goes into
//! modelDescription.xml and the documentation, not into the bytes of the scene.

use contact_laws::quantity::row::{self, Row};
use contact_laws::quantity::{Key, Value};

/// Texts about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What the model is, in a sentence.
    pub description: Option<String>,
    /// Who made it: names, organisation.
    pub author: Option<String>,
    /// Whose it is, with year.
    pub copyright: Option<String>,
    /// Under which licence it may be used.
    pub license: Option<String>,
    /// Its version.
    pub version: Option<String>,
}

/// Keys of a scene file about itself.
#[rustfmt::skip]
pub const ABOUT: [Row<About>; 5] = [
    row::text(Key::new("description", "What the model is, in a sentence", Value::Text, "\"A crate slides down a chute\"")
        .unless("a sentence about rigid bodies in contact"), |a, v| a.description = Some(v.into())),
    row::text(Key::new("author", "Who made the model", Value::Text, "\"A. Author, Example Ltd\"")
        .unless("none"), |a, v| a.author = Some(v.into())),
    row::text(Key::new("copyright", "Whose the model is", Value::Text, "\"(c) 2026 Example Ltd\"")
        .unless("none"), |a, v| a.copyright = Some(v.into())),
    row::text(Key::new("license", "Licence of the model", Value::Text, "\"CC-BY-4.0\"")
        .unless("none"), |a, v| a.license = Some(v.into())),
    row::text(Key::new("version", "Version of the model", Value::Text, "\"1.2\"")
        .unless("none"), |a, v| a.version = Some(v.into())),
];
