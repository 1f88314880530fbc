//! A stamp of the sources: libraries that were compiled for several platforms belong into one FMU
//! only if they have the same one.
//!
//! It is the CRC-32 of the files of the crate in the order of their paths, and of `Cargo.lock`. Ends
//! of lines do not count, since a checkout may change them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let lock = root.join("../Cargo.lock");
    let mut files = vec![root.join("build.rs"), root.join("Cargo.toml")];
    list(&root.join("src"), &mut files);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.toml");
    println!("cargo::rerun-if-changed=src");
    // There is none where the crate is a dependency of another workspace.
    if lock.is_file() {
        println!("cargo::rerun-if-changed=../Cargo.lock");
        files.push(lock);
    }
    let mut hash = crc32fast::Hasher::new();
    for file in files {
        let text = fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let text: Vec<u8> = text.into_iter().filter(|byte| *byte != b'\r').collect();
        hash.update(&text);
        // Where one file ends and the next begins counts.
        hash.update(&(text.len() as u64).to_le_bytes());
    }
    let stamp = format!("{:08x}", hash.finalize());
    println!("cargo::rustc-env=CONTACT_FMU_STAMP={stamp}");
    // For build scripts of crates that depend on this one, as DEP_CONTACT_FMU_STAMP.
    println!("cargo::metadata=stamp={stamp}");
}

/// All files below a folder, sorted by path.
fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            list(&path, files);
        } else {
            files.push(path);
        }
    }
}
