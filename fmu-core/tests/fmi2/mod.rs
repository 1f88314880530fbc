//! The C functions of FMI 2.0, called as an importer calls them.
#![allow(unsafe_code, non_upper_case_globals)]

mod arguments;
mod bad_habits;
mod co_simulation;
mod event_mode;
mod hopeless;
pub mod importer;
mod initialization;
mod instantiation;
mod log;
mod modes;
mod same_bits;
mod states;
