//! The interface without FMI, as a C program calls it.
#![allow(unsafe_code)]

mod arguments;
mod forces;
mod impulses;
mod object;
