//! What the numbers of a scene and of an FMU are: units, declared types and allowed ranges.
//!
//! - [`units`]: units, and the types that carry them
//! - [`range`]: which values a number may have

pub mod range;
pub mod units;

pub use range::Range;
pub use units::DeclaredType;
