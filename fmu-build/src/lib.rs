//! Builds FMUs from scene files and runs them.
//!
//! In this order: [`scene_file`] reads a scene and collects its problems, with `fmu_mesh` for its meshes; `fmu_core`
//! makes the variable table of it; `description` writes modelDescription.xml and the page from that; [`package`]
//! adds the binaries. `fmu_host` runs the FMU as any importer does, and `fmu_view` shows the run.
//!
//! - [`cli`]: the command line, one definition for parser, help and errors
//! - [`command`]: the subcommands
//! - [`scene_file`]: TOML to [`contact_model::scene::SceneDescription`], problems with file:line:column
//! - `description`: modelDescription.xml from the template and the variable table
//! - `modelica`: a Modelica package around the driven bodies of a scene
//! - [`package`]: the .fmu archive and the lookup of binaries
//!
//! `command` uses all the others; the others do not know each other.
//!
//! Glossary:
//! - problem: an error or a warning of a scene, with its place in the file
//! - section: a table of a scene file that is being read
//! - token: SHA-256 of a scene as bytes; names the scene that an FMU was made for
//! - stamp: hash of the sources that a binary was made from

// What two machines make of a scene is equal to the byte; see clippy.toml.
#![cfg_attr(
    not(test),
    deny(
        clippy::too_many_lines,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

pub mod cli;
pub mod command;
mod description;
mod modelica;
pub mod package;
pub mod scene_file;
