//! The header of contact laws in C is the one that follows from their definition in Rust.

use cbindgen::{Builder, Config, DocumentationStyle, FunctionConfig, Language, Layout, Style};
use std::path::{Path, PathBuf};

/// First lines of the header.
const HEADER: &str = "\
/*
 * Contact laws in C for FMUs of contact-fmu. Generated from fmu-core/src/response/user/interface.rs
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

/// Folder of fmu-core.
fn core() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fmu-core")
}

fn fresh() -> String {
    let root = core();
    let config = Config {
        language: Language::C,
        style: Style::Both,
        cpp_compat: true,
        header: Some(HEADER.into()),
        include_guard: Some("CONTACT_LAW_H".into()),
        no_includes: true,
        sys_includes: vec!["stdint.h".into()],
        after_includes: Some(EXPORT.into()),
        documentation_style: DocumentationStyle::C99,
        line_length: 100,
        function: FunctionConfig {
            args: Layout::Horizontal,
            ..FunctionConfig::default()
        },
        ..Config::default()
    };
    let built = Builder::new()
        .with_src(root.join("src/response/user/interface.rs"))
        .with_config(config)
        .generate()
        .expect("the definition in Rust");
    let mut text = Vec::new();
    built.write(&mut text);
    let text = String::from_utf8(text).expect("text");
    // cbindgen writes declarations of functions that are defined elsewhere; here the user defines
    // them.
    text.replace("\nextern uint32_t", "\nCONTACT_LAW_EXPORT uint32_t")
        .replace("\nextern int32_t", "\nCONTACT_LAW_EXPORT int32_t")
}

#[test]
fn the_committed_header_is_the_one_generated_from_the_definition() {
    let path = core().join("include/contact_law.h");
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let fresh = fresh();
    if committed != fresh {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contact_law.h");
        std::fs::write(&place, fresh).expect("a file");
        panic!(
            "{} is not the one that follows from interface.rs; that is {}",
            path.display(),
            place.display()
        );
    }
}
