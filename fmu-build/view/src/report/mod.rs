//! Results of a simulation for people and for other programs.
//!
//! - [`table`]: CSV files
//! - [`figure`]: panels over time; the panels of a run
//! - [`plot`]: a figure as SVG
//! - [`summary`]: results of a simulation as text

pub mod figure;
pub mod plot;
pub mod summary;
pub mod table;
