//! A stamp of the sources: libraries that were compiled for several platforms belong into one FMU
//! only if they have the same one.
//!
//! It is the CRC-32 of the sources of this crate and of those below it, with their paths and in their
//! order, and of what `Cargo.lock` says of the crates it depends on. Ends of lines do not count, since a
//! checkout may change them; neither do compiler and profile, on which the numbers do not depend.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let lock = root.join("../Cargo.lock");
    let mut files = vec![root.join("build.rs")];
    println!("cargo::rerun-if-changed=build.rs");
    for part in ["geometry", "laws", "model", ""] {
        let folder = root.join(part);
        for path in [folder.join("Cargo.toml"), folder.join("src")] {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        files.push(folder.join("Cargo.toml"));
        list(&folder.join("src"), &mut files);
    }
    let mut hash = crc32fast::Hasher::new();
    let mut add = |text: &str| {
        hash.update(text.as_bytes());
        // Where one text ends and the next begins counts.
        hash.update(&(text.len() as u64).to_le_bytes());
    };
    for file in files {
        let path = file.strip_prefix(&root).unwrap_or(&file);
        let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
        add(&names.join("/"));
        add(&read(&file));
    }
    // There is none where the crate is a dependency of another workspace.
    if lock.is_file() {
        println!("cargo::rerun-if-changed=../Cargo.lock");
        for package in dependencies(&read(&lock)) {
            add(&package);
        }
    }
    let stamp = format!("{:08x}", hash.finalize());
    println!("cargo::rustc-env=CONTACT_FMU_STAMP={stamp}");
    // For build scripts of crates that depend on this one, as DEP_CONTACT_FMU_STAMP.
    println!("cargo::metadata=stamp={stamp}");
}

fn read(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    text.replace('\r', "")
}

/// What a lock file says of each package that this one depends on, by name and version. A package is
/// a paragraph of the file, a dependency a line of it with the name in quotes.
fn dependencies(lock: &str) -> Vec<String> {
    let field = |paragraph: &str, key: &str| {
        let line = paragraph.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.trim_matches(['=', ' ', '"']).to_owned())
    };
    let mut packages: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for paragraph in lock.split("\n\n").filter(|p| p.contains("[[package]]")) {
        let name = field(paragraph, "name").expect("a package has a name");
        packages.entry(name).or_default().push(paragraph);
    }
    let mut wanted = vec!["fmu-core".to_owned()];
    let mut found: Vec<String> = Vec::new();
    while let Some(name) = wanted.pop() {
        // Of two versions both count: a few lines too many do no harm.
        for paragraph in packages.remove(&name).unwrap_or_default() {
            let lines = paragraph.lines().filter(|line| line.starts_with(" \""));
            let names = lines.filter_map(|line| line.split(['"', ' ']).nth(2));
            wanted.extend(names.map(str::to_owned));
            found.push(paragraph.trim().to_owned());
        }
    }
    found.sort();
    found
}

/// All sources below a folder, sorted by path.
fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}
