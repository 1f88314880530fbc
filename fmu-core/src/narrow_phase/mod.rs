//! narrow_phase
