//! User-defined laws: functions of a shared library.
//!
//! - [`interface`]: the C interface between the library and this program; the header
//!   `include/contact_law.h` is generated from it
//! - [`library`]: loads a library and calls its functions
//! - [`force`]: a function as the force of a pair, for numbers and dual numbers

pub(crate) mod force;
pub mod interface;
pub(crate) mod library;

pub use force::{Arguments, UserForce, UserLaw};
pub use library::{UserFunction, UserLibrary};
