//! description
