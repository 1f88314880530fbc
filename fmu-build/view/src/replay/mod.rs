//! A run as an animated scene: a page for browsers, glTF, and the description of the shapes for other
//! programs.
//!
//! - [`visual`]: the visual description of a scene, part of each FMU
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
