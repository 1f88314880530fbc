//! Parameters
/// P
pub struct Parameter;
/// P
pub struct Parameters;
