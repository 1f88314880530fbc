//! A run as a scene that moves: a page for browsers, glTF, and the description of the shapes by which
//! others draw it.
//!
//! - [`visual`]: the visual description of a scene, which each FMU holds
//! - [`table`]: frames from a table of results
//! - [`page`]: the replay page
//! - [`gltf`]: an animated glTF 2.0 file

#[cfg(test)]
#[path = "../../tests/unit/replay/files.rs"]
mod files;
pub mod gltf;
pub mod page;
pub mod table;
pub mod visual;
#[cfg(test)]
#[path = "../../tests/unit/replay/visuals.rs"]
mod visuals;
