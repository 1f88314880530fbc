//! Prints every C function of fmu-core, and the types it mentions, as C declarations.
//!
//! A test puts them behind the headers of the standard, where the C compiler refuses a declaration
//! that contradicts an earlier one. Many of the functions come out of macros, so cbindgen asks
//! rustc for the source with macros expanded. That needs `RUSTC_BOOTSTRAP=1` in the environment,
//! and `CARGO_EXPAND_TARGET_DIR` naming a target folder of its own: in the common one, cargo would
//! rebuild all that looks at the former variable, here and again at the next ordinary build.

use cbindgen::{
    Builder, Config, ExportConfig, ItemType, Language, ParseConfig, ParseExpandConfig, Style,
};
use std::path::Path;
use std::process::ExitCode;

const CRATE: &str = "fmu-core";

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(CRATE);
    let config = Config {
        language: Language::C,
        style: Style::Type,
        no_includes: true,
        documentation: false,
        usize_is_size_t: true,
        export: ExportConfig {
            item_types: vec![
                ItemType::Constants,
                ItemType::Enums,
                ItemType::Structs,
                ItemType::Typedefs,
                ItemType::Functions,
            ],
            ..ExportConfig::default()
        },
        parse: ParseConfig {
            expand: ParseExpandConfig {
                crates: vec![CRATE.into()],
                ..ParseExpandConfig::default()
            },
            ..ParseConfig::default()
        },
        ..Config::default()
    };
    match Builder::new()
        .with_crate(folder)
        .with_config(config)
        .generate()
    {
        Ok(declarations) => {
            declarations.write(std::io::stdout());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("prototypes: {error}");
            ExitCode::FAILURE
        }
    }
}
