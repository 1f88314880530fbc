//! Partial derivatives and derivatives of outputs by time, as an importer asks for them.
//!
//! - [`scenes`]: what they are taken of
//! - [`side`]: an instance of either FMI version, with all its unknowns and knowns
//! - [`differences`]: against central differences of what the FMU itself returns
//! - [`adjoint`]: against the transpose
//! - [`by_time`]: derivatives of outputs by time
//! - [`initialization`]: by start values
//! - [`unchanged`]: that asking changes nothing and makes no allocation
//! - [`arguments`]: what is refused
#![allow(unsafe_code, non_upper_case_globals)]

mod adjoint;
mod arguments;
mod by_time;
mod differences;
mod initialization;
pub mod scenes;
pub mod side;
mod unchanged;
