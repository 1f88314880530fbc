//! The header of the direct interface is the one that follows from its definition in Rust.

use cbindgen::{Builder, Config, DocumentationStyle, FunctionConfig, Language, Layout, Style};
use std::path::{Path, PathBuf};

/// First lines of the header.
const HEADER: &str = "\
/*
 * Contact forces without FMI: the direct interface of contact-fmu. Generated from
 * fmu-core/src/direct/interface.rs by cbindgen; do not edit.
 *
 * A program, or a Modelica model, that integrates bodies itself asks a scene for the contact forces
 * on them. The functions are in the shared library that is also the binary of each FMU. Bodies are
 * the driven bodies of the scene, in its order.
 *
 *   contact_scene_create(path, ...)          an object of a scene
 *   contact_scene_update(...)                at the start: which bodies touch
 *   contact_scene_evaluate(...)              contact forces, as often as an integrator likes
 *   contact_scene_indicators(...)            where one changes its sign, find the time, and
 *   contact_scene_update(...)                there
 *   contact_scene_destroy(object)
 *
 * Units are SI. Arrays are row by row. Functions answer CONTACT_SCENE_OK, _DISCARD or _ERROR unless
 * they say otherwise; contact_scene_message tells why. Objects share nothing: two threads may use
 * two of them at once, but not the same one.
 */";

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
        include_guard: Some("CONTACT_SCENE_H".into()),
        no_includes: true,
        sys_includes: vec!["stddef.h".into(), "stdint.h".into()],
        usize_is_size_t: true,
        documentation_style: DocumentationStyle::C99,
        line_length: 100,
        function: FunctionConfig {
            args: Layout::Auto,
            ..FunctionConfig::default()
        },
        ..Config::default()
    };
    let built = Builder::new()
        .with_src(root.join("src/direct/interface.rs"))
        .with_config(config)
        .generate()
        .expect("the definition in Rust");
    let mut text = Vec::new();
    built.write(&mut text);
    let text = String::from_utf8(text).expect("text");
    // Rust's word for what a caller has to see to.
    text.replace("//\n// # Safety\n", "//\n")
}

#[test]
fn the_committed_header_is_the_one_generated_from_the_definition() {
    let path = core().join("include/contact_scene.h");
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let fresh = fresh();
    if committed != fresh {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contact_scene.h");
        std::fs::write(&place, fresh).expect("a file");
        panic!(
            "{} is not the one that follows from interface.rs; that is {}",
            path.display(),
            place.display()
        );
    }
}
