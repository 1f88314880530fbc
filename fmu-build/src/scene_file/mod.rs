//! TOML scene files to [`SceneDescription`](contact_model::scene::SceneDescription), problems with
//! file:line:column.
//!
//! - [`load`]: file or text to a checked scene; joins the problems of all layers
//! - [`grammar`]: errors of TOML's grammar
//! - [`world`]: format, gravity, experiment
//! - [`contact`]: options of the contact law
//! - [`material`]: materials and their pairs, the built-in table `materials.toml`
//! - [`body`], [`form`]: bodies, their shapes and forms
//! - [`library`]: shared libraries with user-defined contact laws
//! - [`joint`]: joints between bodies, their latches, and relative motions as outputs
//! - [`motion`]: motions of prescribed bodies
//! - [`force`]: forces on bodies, inputs or prescribed over time
//! - [`grains`]: groups of balls, and where they start
//! - [`overlap`]: overlap at the start: refused, accepted or separated
//! - [`polyhedron`]: hulls of points and meshes
//! - [`height_field`]: heights over a grid
//! - [`pose`]: positions, orientations, inertia tensors
//! - [`schema`]: the keys as a JSON Schema and as tables of the page of the format
//! - [`walker`]: typed reads of a TOML table
//! - [`notes`]: what was learnt about the document so far
//! - [`synonyms`]: keys of other tools, and their names here
//! - [`unit_table`], [`units`]: quantities with units to SI
//! - [`diagnostics`]: problems at lines and columns

mod body;
pub(crate) mod contact;
mod diagnostics;
pub(crate) mod force;
mod form;
mod grains;
mod grammar;
mod height_field;
pub(crate) mod joint;
mod library;
mod load;
mod material;
mod motion;
mod notes;
mod overlap;
mod polyhedron;
mod pose;
pub mod schema;
mod synonyms;
mod unit_table;
mod units;
mod walker;
pub(crate) mod world;

pub use diagnostics::{Diagnostic, Diagnostics, Look, Position, Severity, is_hidden, visible};
pub(crate) use load::read_given;
pub use load::{GivenScene, LoadedScene, STANDARD_INPUT, named_items, parse, read};
pub(crate) use notes::LibraryPath;
pub use units::Quantity;
pub(crate) use units::si_value;
pub(crate) use walker::{suggestion, unmatched};
pub(crate) use world::InterfaceOverrides;

#[cfg(test)]
#[path = "../../tests/unit/scene_file/tests/mod.rs"]
mod tests;
