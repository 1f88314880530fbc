//! Shows scenes and runs: pictures, replays, plots and tables.
//!
//! Data flow: a scene -> [`picture`]; a run of `fmu-host` -> [`replay`], with the surfaces of `picture`; the
//! same run -> [`report`]. Scene files and the command line are not known here.
//!
//! Glossary:
//! - visual description: the shapes of a scene, and the variables that move them; part of each FMU
//! - piece: a flat part of a picture, drawn over earlier ones
//! - panel: axes with lines over time or over another quantity; a figure has several
//!
//! Modules are listed bottom up: each knows those above it in this list, never those below.
//! - [`number`]: numbers as text
//! - [`picture`]: the scene as SVG and PNG
//! - [`replay`]: a run as an animated scene: page, glTF, visual description
//! - [`report`]: CSV, plots and the summary of a simulation

// Output for a scene or run is equal to the byte on all machines; see clippy.toml.
#![cfg_attr(
    not(test),
    deny(
        clippy::too_many_lines,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

pub mod number;
pub mod picture;
pub mod replay;
pub mod report;
