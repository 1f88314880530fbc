//! The interface without FMI, as a C program calls it.
#![allow(unsafe_code)]

#[path = "../fixtures/mod.rs"]
mod fixtures;

mod arguments;
mod forces;
mod object;
