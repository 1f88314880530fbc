//! What the numbers of a scene and of an FMU are: units, declared types and allowed ranges; and the
//! keys by which a scene file names them.
//!
//! - [`units`]: units, and the types that carry them
//! - [`range`]: which values a number may have
//! - [`keyword`]: values that a scene file writes as words
//! - [`row`]: keys of elements
//! - [`feeds`]: what a number enters, from which dependencies follow

pub mod feeds;
pub mod keyword;
pub mod range;
pub mod row;
pub mod units;

pub use feeds::Feeds;
pub use keyword::Keyword;
pub use range::Range;
pub use row::{Key, Row, Value};
pub use units::DeclaredType;
