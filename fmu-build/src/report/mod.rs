//! Results of a simulation for people and for other programs.
//!
//! - [`table`]: CSV files
//! - [`bodies`]: which columns of a trajectory are the pose and velocity of a body
//! - [`panels`]: which panels a run is shown by
//! - [`figure`]: panels over time, and those of a run
//! - [`plot`]: a figure as SVG
//! - [`summary`]: what a simulation gave, as text

pub mod bodies;
pub mod figure;
pub mod panels;
pub mod plot;
pub mod summary;
pub mod table;
