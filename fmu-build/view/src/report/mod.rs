//! Results of a simulation for people and for other programs.
//!
//! - [`table`]: CSV files
//! - [`figure`]: panels over time, and those of a run
//! - [`plot`]: a figure as SVG
//! - [`summary`]: what a simulation gave, as text

pub mod figure;
pub mod plot;
pub mod summary;
pub mod table;
