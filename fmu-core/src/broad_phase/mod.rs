//! broad_phase
