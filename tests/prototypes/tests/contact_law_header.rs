//! The header of contact laws in C is the one that follows from their definition in Rust.

use crate::header;
use cbindgen::{Config, Layout};

/// First lines of the header.
const HEADER: &str = "\
/*
 * Contact laws in C for FMUs of contact-fmu. Generated from fmu-core/laws/src/response/user/interface.rs
 * by cbindgen; do not edit.
 *
 * A shared library exports contact_law_version() and functions for normal and friction forces, under
 * names of your choice; a scene names library and functions:
 *
 *   [[library]]
 *   name = \"rubber\"
 *   file = \"librubber.so\"
 *
 *   [[material_pair]]
 *   materials = [\"Rubber\", \"Steel\"]
 *   law = \"user\"
 *   library = \"rubber\"
 *   user = [1.0e5, 0.3]
 *
 * Units are SI, vectors in world axes. Shape 1 is the first of the pair; its force is the opposite of
 * that on shape 2.
 *
 * A function must be pure: it answers the same whenever it is told the same, remembers nothing from
 * one call to the next and changes nothing but its output. Solvers ask at any time and state in any
 * order, of the past too, and ask for states that never come to be; derivatives are taken from
 * answers close by. Functions are called by several threads at once if several instances of the FMU
 * are. They should be smooth in what they are told, and fast.
 *
 * Compile with -DCONTACT_LAW_EXPORT=... where symbols need another word to be exported.
 */";

/// What makes a symbol visible outside of the library.
const EXPORT: &str = "
#ifndef CONTACT_LAW_EXPORT
#ifdef _WIN32
#define CONTACT_LAW_EXPORT __declspec(dllexport)
#else
#define CONTACT_LAW_EXPORT __attribute__((visibility(\"default\")))
#endif
#endif";

#[test]
fn the_committed_header_is_the_one_generated_from_the_definition() {
    let config = Config {
        sys_includes: vec!["stdint.h".into()],
        after_includes: Some(EXPORT.into()),
        ..header::config(HEADER, "CONTACT_LAW_H", Layout::Horizontal)
    };
    // cbindgen writes declarations of functions that are defined elsewhere; here the user defines
    // them.
    let fresh = header::generated("laws/src/response/user/interface.rs", config)
        .replace("\nextern uint32_t", "\nCONTACT_LAW_EXPORT uint32_t")
        .replace("\nextern int32_t", "\nCONTACT_LAW_EXPORT int32_t");
    header::assert_committed("contact_law.h", &fresh);
}
