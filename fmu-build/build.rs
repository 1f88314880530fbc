//! For feature `embed`: tells the compiler where cargo leaves the FMU binary.
//!
//! OUT_DIR is `<target>/<profile>/build/<this package>/out`; a cdylib dependency is linked into
//! `<target>/<profile>/deps` before this package is compiled. Nothing in cargo's documents promises
//! that place, so a file that is not there stops the compiler with the path.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_EMBED").is_none() {
        return;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let variable = |name: &str| env::var(name).unwrap_or_default();
    // The names of the target, not of the machine that compiles.
    let name = match variable("CARGO_CFG_TARGET_OS").as_str() {
        "windows" => "contact_fmu.dll",
        "macos" => "libcontact_fmu.dylib",
        _ => "libcontact_fmu.so",
    };
    let profile = out
        .ancestors()
        .nth(3)
        .expect("OUT_DIR lies four folders deep");
    let binary = profile.join("deps").join(name);
    println!("cargo::rustc-env=CONTACT_FMU_BINARY={}", binary.display());
}
