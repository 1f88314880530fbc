//! Builds FMUs from scene files and runs them.
//!
//! - [`cli`]: the command line, one definition for parser, help and errors
//! - [`command`]: what each subcommand does
//! - [`mesh`]: mesh files, convex hulls and convex decomposition
//! - [`scene_file`]: TOML to [`contact_model::scene::SceneDescription`], problems with file:line:column
//! - [`description`]: modelDescription.xml from the template and the variable table
//! - [`modelica`]: a Modelica package around the driven bodies of a scene
//! - [`package`]: the .fmu archive and the lookup of binaries
//!
//! `command` uses all the others; `scene_file` uses `mesh`; the others do not know each other. FMUs are run by
//! the crate `fmu-host`, scenes and runs are shown by `fmu-view`.

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
pub mod mesh;
pub mod modelica;
pub mod package;
pub mod scene_file;
