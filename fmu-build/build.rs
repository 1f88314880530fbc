//! For feature `embed`: what goes into the tool.
//!
//! That is a pack, the FMU binaries of several platforms as `release/build-binaries` leaves them: the
//! file that the variable CONTACT_FMU_BINARIES names, or `binaries/contact-fmu.zip` in the folder of the
//! profile, `<target>/release`. One of other sources is an error if it was named, and left out
//! with a warning otherwise. Without a library for the target in it, the one that cargo has just
//! linked goes in too.
//!
//! OUT_DIR is `<target>/<profile>/build/<this package>/out`; a cdylib dependency is linked into
//! `<target>/<profile>/deps` before this package is compiled. Nothing in cargo's documents promises
//! that place, so a file that is not there stops the compiler with the path.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Names the pack.
const PACK: &str = "CONTACT_FMU_BINARIES";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={PACK}");
    if env::var_os("CARGO_FEATURE_EMBED").is_none() {
        return;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let profile = out
        .ancestors()
        .nth(3)
        .expect("OUT_DIR lies four folders deep");
    let nothing = out.join("nothing");
    fs::write(&nothing, "").expect("OUT_DIR can be written");
    let pack = pack(profile);
    let has_own = pack.as_deref().is_some_and(has_own);
    let library = if has_own {
        nothing.clone()
    } else {
        library(profile)
    };
    let pack = pack.unwrap_or(nothing);
    println!("cargo::rustc-env=CONTACT_FMU_BINARY={}", library.display());
    println!("cargo::rustc-env=CONTACT_FMU_PACK={}", pack.display());
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The library that cargo has linked; with the names of the target, not of the machine that compiles.
fn library(profile: &Path) -> PathBuf {
    let name = match variable("CARGO_CFG_TARGET_OS").as_str() {
        "windows" => "contact_fmu.dll",
        "macos" => "libcontact_fmu.dylib",
        _ => "libcontact_fmu.so",
    };
    profile.join("deps").join(name)
}

/// The pack, if there is one of these sources.
fn pack(profile: &Path) -> Option<PathBuf> {
    let named = env::var_os(PACK).map(PathBuf::from);
    let usual = profile.join("binaries").join("contact-fmu.zip");
    let file = named.clone().unwrap_or(usual);
    // What is watched must be there, or this script runs at each build.
    let watched = named.as_deref().or(file.parent()).expect("a folder");
    if named.is_none() {
        fs::create_dir_all(watched).expect("the folder of the profile can be written");
    }
    println!("cargo::rerun-if-changed={}", watched.display());
    if named.is_none() && !file.is_file() {
        return None;
    }
    let bytes = fs::read(&file).unwrap_or_else(|e| panic!("{PACK}: {}: {e}", file.display()));
    // The comment of a ZIP file is at its end.
    let wanted = format!("contact-fmu source {}", variable("DEP_CONTACT_FMU_STAMP"));
    if bytes.ends_with(wanted.as_bytes()) {
        return Some(file);
    }
    let text = format!(
        "{} was not made from these sources; run fmu-build/release/build-binaries again",
        file.display()
    );
    assert!(named.is_none(), "{PACK}: {text}");
    println!("cargo::warning={text}, or delete it: it is left out");
    None
}

/// Whether a pack has a library for the target. The names of its files are not compressed.
fn has_own(pack: &Path) -> bool {
    let system = match variable("CARGO_CFG_TARGET_OS").as_str() {
        "macos" => "darwin".to_owned(),
        other => other.to_owned(),
    };
    let name = format!("{}-{system}/", variable("CARGO_CFG_TARGET_ARCH"));
    let bytes = fs::read(pack).unwrap_or_default();
    bytes
        .windows(name.len())
        .any(|part| part == name.as_bytes())
}
