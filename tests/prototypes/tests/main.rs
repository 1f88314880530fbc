//! The committed C headers are those that follow from their definitions in Rust.

mod contact_law_header;
mod contact_scene_header;
mod header;
