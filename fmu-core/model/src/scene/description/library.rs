//! Shared libraries with contact laws of the user, as plain data, and their keys.

use contact_laws::quantity::{Key, Value};
use serde::{Deserialize, Serialize};

/// A shared library of the user, inside the FMU one file for each platform:
/// `resources/<platform>/<file>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryDescription {
    /// Unique name.
    pub name: String,
    /// Its files, at least one, each for another platform.
    pub files: Vec<LibraryFile>,
}

/// A file of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryFile {
    /// Platform by the name that FMI 3.0 gives its folder, `x86_64-linux`.
    pub platform: String,
    /// Name of the file, without a folder.
    pub file: String,
}

/// A function of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionDescription {
    /// Name of the library.
    pub library: String,
    /// Name of the function.
    pub symbol: String,
}

/// Platforms that a library can be for, by the names that FMI 3.0 gives their folders.
pub const PLATFORMS: [&str; 6] = [
    "x86_64-linux",
    "aarch64-linux",
    "x86_64-windows",
    "aarch64-windows",
    "x86_64-darwin",
    "aarch64-darwin",
];

/// `[[library]]`: a name, and one of the other two.
#[rustfmt::skip]
pub const LIBRARIES: [Key; 3] = [
    Key::new("name", "Unique name", Value::Name, "\"rubber\""),
    Key::new("file", "Shared library for the platform that builds the FMU, from the folder of the scene file", Value::Text,
        "\"librubber.so\"").unless("files"),
    Key::new("files", "Shared library of each platform", Value::Map(|| PLATFORMS.to_vec()),
        "{ x86_64-linux = \"librubber.so\" }").unless("file"),
];
/// Library of a law of the user.
pub const LIBRARY: Key = Key::new(
    "library",
    "Library of the functions of a law of the user",
    Value::Text,
    "\"rubber\"",
)
.unless("none");
/// Function of a normal force.
pub const NORMAL_FUNCTION: Key = Key::new(
    "normal_function",
    "Function of the normal force",
    Value::Text,
    "\"rubber_force\"",
)
.unless("\"contact_normal_force\"");
/// Function of a friction force.
pub const FRICTION_FUNCTION: Key = Key::new(
    "friction_function",
    "Function of the friction force",
    Value::Text,
    "\"rubber_friction\"",
)
.unless("\"contact_friction_force\"");
