//! Cross-check files: what vendors of FMI tools exchange with an FMU so that others can run it and
//! compare. Source: FMI Cross-Check Rules, version 4.1, of the Modelica Association.
//!
//! - [`layout`]: folders and file names, and what a path says of an FMU
//! - [`problem`]: a breach of the rules, with file and line
//! - [`experiment`]: `_ref.opt`, the settings of the reference
//! - [`signals`]: `_ref.csv`, `_in.csv` and `_cc.csv`, values over time
//! - [`tube`]: compares signals with a reference
//! - [`rules`]: checks the files of an exported FMU

pub mod experiment;
pub mod layout;
pub mod problem;
pub mod rules;
pub mod signals;
pub mod tube;
