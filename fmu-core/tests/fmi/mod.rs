//! What both versions of FMI say alike: each test is written once and runs in both.
#![allow(unsafe_code, non_upper_case_globals)]

mod arguments;
mod bad_habits;
mod co_simulation;
mod exchange;
pub mod importer;
mod initialization;
pub mod instantiation;
pub mod integrator;
pub mod states;
