//! fmi3
