//! TOML scene files to [`SceneDescription`](contact_model::scene::SceneDescription), problems with
//! file:line:column.
//!
//! - [`load`]: file or text to a checked scene; joins the problems of all layers
//! - [`damage`]: errors of grammar, and what is left without their lines
//! - [`good_part`]: how the bodies without a problem start
//! - [`about`]: what a scene says about itself
//! - [`world`]: format, gravity, experiment
//! - [`interface`]: what an importer sees
//! - [`contact`]: options of the contact law
//! - [`material`]: materials and their pairs, the built-in table `materials.toml`
//! - [`body`], [`shape`], [`form`]: bodies, their shapes, and what those are
//! - [`law`]: what happens at contact, for pairs of both kinds
//! - [`library`]: shared libraries with contact laws of the user
//! - [`pair`]: what is set for two bodies or shapes against each other
//! - [`joint`]: joints between bodies
//! - [`motion`]: motions of prescribed bodies
//! - [`force`]: forces on bodies, inputs or prescribed over time
//! - [`grains`], [`packing`]: groups of balls, and where they start
//! - [`measurement`]: relative motions as outputs
//! - [`overlap`]: what is done about overlap at the start
//! - [`polyhedron`]: hulls of points and meshes
//! - [`pose`]: positions, orientations, inertia tensors
//! - [`schema`]: the keys as a JSON Schema and as tables of the page of the format
//! - [`walker`]: typed reads of a TOML table
//! - [`synonyms`]: keys of other tools, and what they are here
//! - [`unit_table`], [`units`], [`stiffness`]: quantities with units to SI
//! - [`places`]: where items and fields are
//! - [`messages`]: flaws of a scene in words, with what to write
//! - [`finding`]: what is wrong and what to do, before it is known where
//! - [`diagnostics`]: problems at lines and columns
//! - [`snippet`]: problems with the lines that they are in

mod about;
mod body;
pub mod contact;
mod damage;
mod diagnostics;
mod finding;
pub mod force;
mod form;
mod good_part;
mod grains;
pub mod interface;
pub mod joint;
mod latch;
mod law;
mod library;
mod load;
mod material;
mod measurement;
pub mod messages;
mod motion;
mod overlap;
mod packing;
mod pair;
mod places;
mod polyhedron;
mod pose;
pub mod schema;
mod shape;
mod snippet;
mod stiffness;
mod synonyms;
mod unit_table;
mod units;
mod walker;
mod world;

pub use diagnostics::{Diagnostic, Diagnostics, Position, Severity};
pub use finding::Finding;
pub use interface::InterfaceOverrides;
pub use library::LibraryPath;
pub use load::{LoadedScene, STANDARD_INPUT, parse, read};
pub use snippet::{Look, is_hidden, visible};
pub use units::Quantity;
pub use walker::suggestion;

#[cfg(test)]
#[path = "../../tests/unit/scene_file/tests/mod.rs"]
mod tests;
