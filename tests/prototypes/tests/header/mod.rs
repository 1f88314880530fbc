//! A header of fmu-core is the one that cbindgen makes from its definition in Rust.

use cbindgen::{Builder, Config, DocumentationStyle, FunctionConfig, Language, Layout, Style};
use std::path::{Path, PathBuf};

/// What all headers have in common, with these first lines, guard, and layout of arguments.
pub fn config(first_lines: &str, guard: &str, arguments: Layout) -> Config {
    Config {
        language: Language::C,
        style: Style::Both,
        cpp_compat: true,
        header: Some(first_lines.into()),
        include_guard: Some(guard.into()),
        no_includes: true,
        documentation_style: DocumentationStyle::C99,
        line_length: 100,
        function: FunctionConfig {
            args: arguments,
            ..FunctionConfig::default()
        },
        ..Config::default()
    }
}

/// Folder of fmu-core.
fn core() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fmu-core")
}

/// The header of a definition, by its path in fmu-core.
pub fn generated(definition: &str, config: Config) -> String {
    let built = Builder::new()
        .with_src(core().join(definition))
        .with_config(config)
        .generate()
        .expect("the definition in Rust");
    let mut text = Vec::new();
    built.write(&mut text);
    String::from_utf8(text).expect("text")
}

/// Compares the committed header with a fresh one, and keeps that where they differ.
pub fn assert_committed(name: &str, fresh: &str) {
    let path = core().join("include").join(name);
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if committed != fresh {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&place, fresh).expect("a file");
        panic!(
            "{} is not the one that follows from its definition; that is {}",
            path.display(),
            place.display()
        );
    }
}
