//! contact

use serde::{Deserialize, Serialize};

/// Discrete state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ledger {}
