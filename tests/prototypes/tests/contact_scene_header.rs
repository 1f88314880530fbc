//! The header of the direct interface is the one that follows from its definition in Rust.

use crate::header;
use cbindgen::{Config, Layout};

/// First lines of the header.
const HEADER: &str = "\
/*
 * Contacts without FMI: the direct interface of contact-fmu. Generated from
 * fmu-core/src/direct/interface.rs by cbindgen; do not edit.
 *
 * A program, or a Modelica model, that integrates bodies itself asks a scene for the contact forces
 * and impulses on them. The functions are in the shared library that is also the binary of each
 * FMU. Bodies are the driven bodies of the scene, in its order.
 *
 *   contact_scene_create(path, ...)          an object of a scene
 *   contact_scene_update(...)                at the start: which bodies touch
 *   contact_scene_evaluate(...)              contact forces, as often as an integrator likes
 *   contact_scene_indicators(...)            where one changes its sign, find the time, and
 *   contact_scene_update(...)                there
 *   contact_scene_destroy(object)
 *
 * Where velocities are to jump at impacts, contact_scene_impulses takes the place of
 * contact_scene_update: bodies then have masses, and their jumps are added to the velocities.
 *
 * Units are SI. Arrays are row by row. Functions return CONTACT_SCENE_OK, _DISCARD or _ERROR unless
 * they say otherwise; contact_scene_message returns why. Objects share nothing: two threads may use
 * two of them at once, but not the same one.
 */";

#[test]
fn the_committed_header_is_the_one_generated_from_the_definition() {
    let config = Config {
        sys_includes: vec!["stddef.h".into(), "stdint.h".into()],
        usize_is_size_t: true,
        ..header::config(HEADER, "CONTACT_SCENE_H", Layout::Auto)
    };
    // Rust's word for what a caller has to see to.
    let fresh =
        header::generated("src/direct/interface.rs", config).replace("//\n// # Safety\n", "//\n");
    header::assert_committed("contact_scene.h", &fresh);
}
