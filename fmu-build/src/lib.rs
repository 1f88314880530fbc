//! Builds FMUs from scene files and runs them.
//!
//! In this order: [`scene_file`] reads a scene and collects its problems; `fmu_core` makes the variable
//! table of it; [`description`] writes modelDescription.xml and the page from that; [`package`] adds the
//! binaries. `fmu_host` runs the FMU as any importer does, and `fmu_view` shows the run.
//!
//! - [`cli`]: the command line, one definition for parser, help and errors
//! - [`command`]: the subcommands
//! - [`number`]: numbers as text
//! - [`extended_xyz`]: files of balls over time
//! - [`whole_file`]: files that are written completely or not at all
//! - [`mesh`]: mesh files, convex hulls and convex decomposition
//! - [`scene_file`]: TOML to [`contact_model::scene::SceneDescription`], problems with file:line:column
//! - [`description`]: modelDescription.xml from the template and the variable table
//! - [`modelica`]: a Modelica package around the driven bodies of a scene
//! - [`picture`]: the scene as SVG and PNG
//! - [`package`]: the .fmu archive and the lookup of binaries
//! - [`host`]: loads an .fmu as an importer would and simulates it
//! - [`replay`]: a run as a scene that moves: page, glTF, visual description
//! - [`report`]: CSV, plots and the summary of a simulation
//!
//! `command` uses all the others; `report` and `replay` know `host`'s results; `replay` has the surfaces of
//! `picture`; `scene_file` uses `mesh`; `number`, `extended_xyz` and `whole_file` are known to all; the others
//! do not know each other.
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
pub mod description;
pub mod extended_xyz;
pub mod host;
pub mod mesh;
pub mod modelica;
pub mod number;
pub mod package;
pub mod picture;
pub mod replay;
pub mod report;
pub mod scene_file;
pub mod whole_file;
