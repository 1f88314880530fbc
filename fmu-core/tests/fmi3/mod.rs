//! The C functions of FMI 3.0, called as an importer calls them.
#![allow(unsafe_code, non_upper_case_globals)]

mod arguments;
mod arrays;
mod bad_habits;
mod co_simulation;
mod distances;
mod forces;
mod grains;
mod guard;
mod impacts;
pub mod importer;
mod initialization;
pub mod inputs;
mod instantiation;
mod integrator;
mod intermediate;
mod model_exchange;
mod modes;
mod overlaps;
mod progress;
mod reports;
mod reset;
mod states;
mod stops;
mod tunable;
mod velocity_fit;
