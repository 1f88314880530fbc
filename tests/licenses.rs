//! Licences of the crates that are linked into the FMU binary and into the tool, on any platform,
//! against the texts in fmu-build/licenses: each crate with name, version and licence, and what its
//! text says beyond that of others; each text once. Crates that are used while compiling or testing
//! only are not among them. Parts that the linker adds are, with the texts in licenses/linked.
//!
//! Of several licences that a crate offers, the first of [`CHOICE`] whose text it has is taken.
//! After a change of Cargo.lock, set the variable below and read what has changed:
//!
//! ```text
//! CONTACT_FMU_REWRITE_LICENSES=1 cargo test -p fmu-build --test workspace licenses
//! ```

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const REWRITE: &str = "CONTACT_FMU_REWRITE_LICENSES";

/// Licences in the order in which they are taken, each with a word of its file's name.
const CHOICE: [(&str, &str); 8] = [
    ("MIT", "MIT"),
    ("Apache-2.0", "APACHE"),
    ("Zlib", "ZLIB"),
    ("ISC", "ISC"),
    ("BSL-1.0", "BOOST"),
    ("BSD-2-Clause", "BSD"),
    ("BSD-3-Clause", "BSD"),
    ("Unicode-3.0", "UNICODE"),
];
/// Its text names no holder, so that it serves for crates that come without a file.
const SELF_CONTAINED: &str = "Apache-2.0";

const RULE: &str = "\n----------------------------------------------------------------------\n";

/// What is compiled in beside the crates of Cargo.lock.
const STANDARD_LIBRARY: &str = "\
The Rust standard library is linked too, with the crates that it contains: addr2line, adler2, cfg-if,
compiler_builtins, gimli, hashbrown, libc, memchr, miniz_oxide, object, rustc-demangle, and on Windows
windows-link. Copyright The Rust Project Developers (https://thanks.rust-lang.org) and the authors of
these crates; all are offered under MIT or Apache-2.0, used under Apache-2.0 and, where that is not
offered (memchr), under MIT: Copyright (c) 2015 Andrew Gallant. Tables of characters: Unicode-3.0.
";

/// What the linker adds to the binaries of `release/build-binaries`, which pins its version.
const LINKER: &str = "\
The binaries that contact-fmu's release/build-binaries makes for several platforms also contain parts of
the Python package ziglang, by which they are linked; their licences are at the end:

- libunwind of LLVM, on each platform: Apache-2.0 WITH LLVM-exception
- compiler_rt of Zig, on each platform: MIT
- libc_nonshared of the GNU C Library, on Linux: LGPL-2.1-or-later, with leave to link it without
  restriction
- run-time of mingw-w64, on Windows: ZPL-2.1, and public domain

On other platforms, or where one binary was compiled for its own platform, these parts are those of the
compiler that was used.
";

/// Title and file of the text of each of these parts, as the package has it.
const LINKER_TEXTS: [(&str, &str); 4] = [
    ("libunwind of LLVM", "libunwind.txt"),
    ("compiler_rt of Zig", "zig.txt"),
    ("libc_nonshared of the GNU C Library", "glibc.txt"),
    ("run-time of mingw-w64", "mingw-w64.txt"),
];

/// What stands inside the replay pages that the tool writes, and the file of its text.
const PAGE_TEXT: (&str, &str) = (
    "three.js, in the replay pages that fmu-build writes",
    "three.txt",
);

/// A crate that is linked.
struct Linked {
    name: String,
    version: String,
    offered: String,
    folder: PathBuf,
}

/// A licence that was chosen, with its text.
struct Chosen {
    id: &'static str,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .env_remove("RUSTC_BOOTSTRAP")
        .args(arguments)
        .output()
        .expect("cargo");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Name, version, licence and folder of each crate that cargo knows, by its name and version.
fn known() -> BTreeMap<(String, String), Linked> {
    let metadata = cargo(&["metadata", "--locked", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let word = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let packages = packages.map(|package| {
        let manifest = PathBuf::from(word(package, "manifest_path"));
        Linked {
            name: word(package, "name"),
            version: word(package, "version"),
            offered: word(package, "license"),
            folder: manifest.parent().expect("a folder").to_owned(),
        }
    });
    packages
        .map(|x| ((x.name.clone(), x.version.clone()), x))
        .collect()
}

/// Names and versions of the crates that are linked into a package on any platform.
fn linked(package: &str) -> Vec<(String, String)> {
    let edges = ["--edges", "normal,no-proc-macro", "--target", "all"];
    let form = ["--prefix", "none", "--format", "{p}"];
    let what = ["tree", "--locked", "--all-features", "-p", package];
    let tree = cargo(&[&what[..], &edges, &form].concat());
    let crates = tree.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        let version = rest.split(' ').next()?;
        Some((name.to_owned(), version.to_owned()))
    });
    let mut crates: Vec<_> = crates.collect();
    crates.sort();
    crates.dedup();
    crates
}

/// The text of a file with the ends of lines of Unix.
fn read(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let lines = text.trim_start_matches('\u{feff}').lines();
    let lines: Vec<&str> = lines.map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned() + "\n"
}

/// Files of a crate whose names start with one of these words, in any case.
fn files(folder: &Path, starts: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the crate's sources");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| file.is_file() && starts.iter().any(|x| upper(file).starts_with(x)));
    files.sort();
    files
}

fn upper(file: &Path) -> String {
    let name = file.file_name().expect("a name").to_string_lossy();
    name.to_uppercase()
}

impl Linked {
    /// One licence of each part of an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0`.
    fn choose(&self) -> Vec<Chosen> {
        let parts = self.offered.split(" AND ");
        let parts = parts.map(|part| part.trim_matches(['(', ')']));
        parts.map(|part| self.choose_of(part)).collect()
    }

    fn choose_of(&self, part: &str) -> Chosen {
        let offered: Vec<&str> = part.split(" OR ").flat_map(|x| x.split('/')).collect();
        let texts = files(&self.folder, &["LICENSE", "LICENCE", "COPYING"]);
        let is_offered = |id: &str| offered.contains(&id);
        for (id, word) in CHOICE.into_iter().filter(|(id, _)| is_offered(id)) {
            let named = texts.iter().find(|file| upper(file).contains(word));
            let only = texts.first().filter(|_| self.offered == id);
            if let Some(file) = named.or(only) {
                let text = read(file);
                return Chosen { id, text };
            }
        }
        assert!(
            is_offered(SELF_CONTAINED),
            "{} offers {:?} and has no text of a licence in CHOICE",
            self.title(),
            self.offered
        );
        Chosen {
            id: SELF_CONTAINED,
            text: read(&root().join("LICENSE-APACHE")),
        }
    }

    fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }
}

/// A licence without what differs between crates: names of holders, an appendix.
struct Body {
    text: String,
    /// What is left away, with the crates that have it.
    notices: BTreeMap<String, Vec<String>>,
}

/// Stands for the text of a file that goes with this one.
const AS_IN_APACHE: &str = "The text of LICENSE-APACHE.";

/// The text with [`AS_IN_APACHE`] in place of the terms of Apache-2.0, if it has them word by word.
fn without_apache(text: &str) -> String {
    let terms = |text: &str| -> Option<(String, String, String)> {
        let (start, end) = ("Apache License\n", "END OF TERMS AND CONDITIONS");
        let (before, rest) = text.split_once(start)?;
        let (terms, after) = rest.split_once(end)?;
        Some((before.to_owned(), words(terms), after.to_owned()))
    };
    let (_, own, _) = terms(&read(&root().join("LICENSE-APACHE"))).expect("the terms");
    match terms(text) {
        Some((before, found, after)) if found == own => {
            format!("{}\n{AS_IN_APACHE}\n{after}", before.trim_end())
        }
        _ => text.to_owned(),
    }
}

/// The part of a text that many crates share, and the rest: of MIT what is before it, of Apache what
/// is after it.
fn split(text: &str) -> (String, String) {
    let text = without_apache(text);
    let lines: Vec<&str> = text.trim().lines().collect();
    let found = |word: &str| lines.iter().position(|line| line.trim().starts_with(word));
    let (body, rest) = match (found("Permission is hereby granted"), found(AS_IN_APACHE)) {
        (Some(start), _) => (&lines[start..], &lines[..start]),
        (None, Some(place)) => lines.split_at(place + 1),
        _ => (&lines[..], &lines[..0]),
    };
    let rest = rest
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty());
    (body.join("\n"), rest.collect::<Vec<_>>().join("\n"))
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The list of crates and their texts. That of LICENSE-APACHE is not printed again.
fn notices(crates: &[&Linked]) -> String {
    let mut out = String::new();
    let mut bodies: BTreeMap<(usize, String), Body> = BTreeMap::new();
    let mut add = |place: usize, text: &str, user: String| {
        let (body, notice) = split(text);
        let entry = bodies.entry((place, words(&body).trim_end_matches('.').to_owned()));
        let body = entry.or_insert_with(|| Body {
            text: body,
            notices: BTreeMap::new(),
        });
        body.notices.entry(notice).or_default().push(user);
    };
    for linked in crates {
        let chosen = linked.choose();
        let ids: Vec<&str> = chosen.iter().map(|chosen| chosen.id).collect();
        let ids = ids.join(" and ");
        let of = match linked.offered == ids {
            true => String::new(),
            false => format!(", of {}", linked.offered),
        };
        writeln!(out, "- {}: {ids}{of}", linked.title()).expect("text");
        for chosen in chosen {
            let place = CHOICE.iter().position(|(id, _)| *id == chosen.id);
            add(place.expect("a choice"), &chosen.text, linked.title());
        }
        for file in files(&linked.folder, &["NOTICE"]) {
            add(CHOICE.len(), &read(&file), linked.title());
        }
    }
    for ((place, _), Body { text, notices }) in bodies {
        let id = CHOICE.get(place).map_or("Notice", |(id, _)| *id);
        writeln!(out, "{RULE}{id}{RULE}{text}").expect("text");
        for (notice, users) in notices {
            writeln!(out, "\nof {}", users.join(", ")).expect("text");
            let indented = notice.lines().map(|line| format!("  {line}\n"));
            out.extend(indented);
        }
    }
    out
}

/// A text of licenses/linked below its title.
fn linked_text((title, file): (&str, &str)) -> String {
    let folder = root().join("fmu-build/licenses/linked");
    let text = without_apache(&read(&folder.join(file)));
    format!("{RULE}{title}{RULE}{text}")
}

/// The texts of the parts that the linker adds.
fn linker_texts() -> String {
    LINKER_TEXTS.into_iter().map(linked_text).collect()
}

/// What goes into an FMU, and what goes with the tool.
fn expected() -> [(&'static str, String); 2] {
    let known = known();
    let of = |package: &str| -> Vec<&Linked> {
        let linked = linked(package).into_iter();
        let linked = linked.map(|key| known.get(&key).expect("a crate of the metadata"));
        linked
            .filter(|x| !x.folder.starts_with(canonical_root()))
            .collect()
    };
    let unicode = known.iter().find(|((name, _), _)| name == "unicode-ident");
    let (_, unicode) = unicode.expect("a crate that has the text of Unicode-3.0");
    let unicode = read(&unicode.folder.join("LICENSE-UNICODE"));
    let text = |what: &str, crates: &[&Linked]| {
        format!(
            "Software of others in {what}, with its licences.\n\n{STANDARD_LIBRARY}\n{LINKER}\n{}{RULE}\
             Unicode-3.0{RULE}\n{unicode}{}",
            notices(crates),
            linker_texts()
        )
    };
    let own = ["LICENSE-MIT", "LICENSE-APACHE"].map(|name| read(&root().join(name)));
    let tool = format!(
        "contact-fmu is licensed under MIT or Apache-2.0, at your choice.\n{RULE}LICENSE-MIT{RULE}{}\
         {RULE}LICENSE-APACHE{RULE}{}{RULE}{}{}",
        own[0],
        own[1],
        text("fmu-build", &of("fmu-build")),
        linked_text(PAGE_TEXT)
    );
    [
        (
            "fmu.txt",
            text("the binary of this FMU", &of("fmu-core-cdylib")),
        ),
        ("tool.txt", tool),
    ]
}

fn canonical_root() -> PathBuf {
    root().canonicalize().expect("the workspace")
}

#[test]
fn the_licenses_of_all_crates_that_are_linked_are_in_the_fmu_and_with_the_tool() {
    let folder = root().join("fmu-build/licenses");
    for (name, expected) in expected() {
        let file = folder.join(name);
        if std::env::var_os(REWRITE).is_some() {
            fs::write(&file, &expected).expect("a file that can be written");
        }
        let found = fs::read_to_string(&file).expect("a text");
        // Not assert_eq: the texts are long.
        let lines = found.lines().zip(expected.lines());
        let first = lines
            .enumerate()
            .find(|(_, (found, wanted))| found != wanted);
        assert!(
            found == expected,
            "licenses/{name} is not of this Cargo.lock, first difference {first:?}; {REWRITE}=1 writes \
             it again"
        );
    }
}
