//! Modules of fmu-core know only those above them in the list of fmu-core/src/lib.rs; folders of
//! fmu-build know only those its map allows.
//!
//! The list is that of the crate's documentation, `//! - [`name`]: what it is`: rustfmt sorts the
//! `pub mod` items by name.
//! Every path in the sources that starts with `crate` or `super` is resolved to a top-level
//! module: comments and literals are removed, the rest is split into identifiers and signs,
//! `use` groups are expanded, and `super` is counted from the file's module and the inline
//! modules around it. Paths in macros (`$crate`) and in tests count like all others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A use of top-level module `to` in module `from`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    from: String,
    to: String,
    file: String,
    line: usize,
}

/// An identifier or sign, with its line.
#[derive(Clone, Debug, PartialEq)]
struct Token {
    text: String,
    line: usize,
}

/// Source text without comments and literals, lines kept.
fn strip(source: &str) -> String {
    let c: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut i = 0;
    let keep_lines = |out: &mut String, text: &[char]| {
        out.push(' ');
        out.extend(text.iter().filter(|&&x| x == '\n'));
    };
    while i < c.len() {
        let start = i;
        let next = c.get(i + 1).copied();
        let word_before = i > 0 && (c[i - 1].is_alphanumeric() || c[i - 1] == '_');
        if c[i] == '/' && next == Some('/') {
            while i < c.len() && c[i] != '\n' {
                i += 1;
            }
        } else if c[i] == '/' && next == Some('*') {
            let mut depth = 0;
            while i < c.len() {
                let two = (c[i], c.get(i + 1).copied());
                i += 1;
                if two == ('/', Some('*')) {
                    depth += 1;
                    i += 1;
                } else if two == ('*', Some('/')) {
                    depth -= 1;
                    i += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
        } else if c[i] == 'r' && !word_before && matches!(next, Some('"' | '#')) {
            let hashes = c[i + 1..].iter().take_while(|&&x| x == '#').count();
            if c.get(i + 1 + hashes) != Some(&'"') {
                out.push(c[i]);
                i += 1;
                continue;
            }
            i += 2 + hashes;
            while i < c.len()
                && !(c[i] == '"'
                    && c[i + 1..]
                        .iter()
                        .take(hashes)
                        .filter(|&&x| x == '#')
                        .count()
                        == hashes)
            {
                i += 1;
            }
            i += 1 + hashes;
        } else if c[i] == '"' {
            i += 1;
            while i < c.len() && c[i] != '"' {
                i += if c[i] == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if c[i] == '\'' && next == Some('\\') {
            i += 3;
            while i < c.len() && c[i] != '\'' {
                i += 1;
            }
            i += 1;
        } else if c[i] == '\'' && c.get(i + 2) == Some(&'\'') {
            i += 3;
        } else {
            out.push(c[i]);
            i += 1;
            continue;
        }
        keep_lines(&mut out, &c[start..i.min(c.len())]);
    }
    out
}

fn tokens(source: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for (number, line) in strip(source).lines().enumerate() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = if first.is_alphanumeric() || first == '_' {
                rest.find(|x: char| !x.is_alphanumeric() && x != '_')
                    .unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                found.push(Token {
                    text: rest[..length].to_owned(),
                    line: number + 1,
                });
            }
            rest = &rest[length..];
        }
    }
    found
}

/// Module path of a file below `src`: `math/pose.rs` and `math/pose/mod.rs` are [math, pose].
fn module_of(relative: &Path) -> Vec<String> {
    let mut parts: Vec<String> = relative
        .with_extension("")
        .components()
        .map(|x| x.as_os_str().to_string_lossy().into_owned())
        .collect();
    if matches!(
        parts.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        parts.pop();
    }
    parts
}

/// Every path of a use tree that starts at `tokens[at]`, each with its line.
fn expand(
    tokens: &[Token],
    at: &mut usize,
    prefix: &[String],
    out: &mut Vec<(Vec<String>, usize)>,
) {
    let mut path = prefix.to_vec();
    let line = tokens.get(*at).map_or(0, |t| t.line);
    while let Some(token) = tokens.get(*at) {
        if token.text == "{" {
            *at += 1;
            while tokens.get(*at).is_some_and(|t| t.text != "}") {
                expand(tokens, at, &path, out);
                if tokens.get(*at).is_some_and(|t| t.text == ",") {
                    *at += 1;
                } else if tokens.get(*at).is_some_and(|t| t.text != "}") {
                    break;
                }
            }
            *at += 1;
            return;
        }
        path.push(token.text.clone());
        *at += 1;
        if tokens.get(*at).is_some_and(|t| t.text == "::") {
            *at += 1;
        } else {
            break;
        }
    }
    while tokens.get(*at).is_some_and(|t| t.text == "as") {
        *at += 2;
    }
    out.push((path, line));
}

/// Uses of the top-level modules `modules` in one file.
fn edges(relative: &Path, source: &str, modules: &[String]) -> Vec<Edge> {
    let file_module = module_of(relative);
    let Some(from) = file_module.first().cloned() else {
        return Vec::new();
    };
    let tokens = tokens(source);
    let mut inline: Vec<(String, usize)> = Vec::new();
    let mut depth = 0_usize;
    let mut found = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let text = tokens[i].text.as_str();
        let after_path = i > 0 && tokens[i - 1].text == "::";
        match text {
            "mod" if tokens.get(i + 2).is_some_and(|t| t.text == "{") => {
                inline.push((tokens[i + 1].text.clone(), depth));
                i += 1;
            }
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if inline.last().is_some_and(|(_, opened)| *opened == depth) {
                    inline.pop();
                }
            }
            "crate" | "super"
                if !after_path && tokens.get(i + 1).is_some_and(|t| t.text == "::") =>
            {
                let mut paths = Vec::new();
                let mut at = i;
                expand(&tokens, &mut at, &[], &mut paths);
                let mut here = file_module.clone();
                here.extend(inline.iter().map(|(name, _)| name.clone()));
                for (path, line) in paths {
                    let mut target = if path[0] == "crate" {
                        Vec::new()
                    } else {
                        here.clone()
                    };
                    for part in path {
                        match part.as_str() {
                            "crate" | "self" => {}
                            "super" => {
                                target.pop();
                            }
                            _ => target.push(part),
                        }
                    }
                    if let Some(to) = target.first().filter(|to| modules.contains(to)) {
                        found.push(Edge {
                            from: from.clone(),
                            to: to.clone(),
                            file: relative.display().to_string(),
                            line,
                        });
                    }
                }
                i = at;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// Names of `pub mod` items, sorted.
fn public_modules(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let mut found: Vec<String> = tokens
        .windows(4)
        .filter(|w| w[0].text == "pub" && w[1].text == "mod" && w[3].text == ";")
        .map(|w| w[2].text.clone())
        .collect();
    found.sort();
    found
}

/// Names in the order of the list in a crate's documentation.
fn documented_modules(source: &str) -> Vec<String> {
    source
        .lines()
        .filter_map(|line| line.strip_prefix("//! - [`")?.split_once("`]:"))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// Uses that point to a module below the user's own in `order`.
fn below(found: &[Edge], order: &[String]) -> Vec<Edge> {
    let place = |name: &String| order.iter().position(|x| x == name);
    found
        .iter()
        .filter(|e| place(&e.to) > place(&e.from))
        .cloned()
        .collect()
}

/// Rust files below a folder, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = BTreeSet::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|x| x == "rs") {
                files.insert(path);
            }
        }
    }
    files.into_iter().collect()
}

/// Order of the modules and all uses between them, of a crate's `src` folder.
fn read_crate(name: &str) -> (Vec<String>, Vec<Edge>) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(name)
        .join("src");
    let map = fs::read_to_string(src.join("lib.rs")).expect("lib.rs");
    let order = documented_modules(&map);
    let mut sorted = order.clone();
    sorted.sort();
    assert_eq!(
        sorted,
        public_modules(&map),
        "{name}: the list in lib.rs is not that of its modules"
    );
    let mut found = Vec::new();
    for file in rust_files(&src) {
        let relative = file.strip_prefix(&src).expect("below src");
        let source = fs::read_to_string(&file).expect("UTF-8 source");
        found.extend(edges(relative, &source, &order));
    }
    (order, found)
}

fn report(problems: &[Edge]) -> String {
    problems
        .iter()
        .map(|e| format!("  {}:{}: `{}` uses `{}`\n", e.file, e.line, e.from, e.to))
        .collect()
}

#[test]
fn fmu_core_modules_use_only_modules_above_them() {
    let (order, found) = read_crate("fmu-core");
    assert_eq!(order.first().map(String::as_str), Some("math"));
    assert!(
        order.len() >= 10,
        "the list of modules was not understood: {order:?}"
    );
    assert!(
        found.iter().any(|e| e.from != e.to),
        "no use between modules was found"
    );
    let problems = below(&found, &order);
    assert!(
        problems.is_empty(),
        "fmu-core looks down:\n{}",
        report(&problems)
    );
}

/// What fmu-build's lib.rs says: `command` uses all, `report` knows the results of `host`,
/// `scene_file` uses `mesh`, all may use `number`, and the others do not know each other.
fn allowed_in_tool(from: &str, to: &str) -> bool {
    from == to
        || matches!(
            (from, to),
            ("command", _)
                | (_, "number")
                | ("report", "host")
                | ("scene_file", "mesh")
                | ("cli", "command")
        )
}

#[test]
fn fmu_build_modules_know_only_what_its_map_says() {
    let (order, found) = read_crate("fmu-build");
    assert!(order.iter().any(|m| m == "scene_file"), "{order:?}");
    let problems: Vec<Edge> = found
        .into_iter()
        .filter(|e| !allowed_in_tool(&e.from, &e.to))
        .collect();
    assert!(
        problems.is_empty(),
        "fmu-build's modules know too much:\n{}",
        report(&problems)
    );
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|&x| x.to_owned()).collect()
}

/// (from, to, line) of the uses in a synthetic file.
fn uses(relative: &str, source: &str) -> Vec<(String, String, usize)> {
    let modules = names(&["math", "scene", "dynamics"]);
    edges(Path::new(relative), source, &modules)
        .into_iter()
        .map(|e| (e.from, e.to, e.line))
        .collect()
}

#[test]
fn checker_finds_a_use_that_looks_down() {
    let modules = names(&["math", "scene", "dynamics"]);
    let source = "use crate::dynamics::Model;\n";
    let found = edges(Path::new("scene/build.rs"), source, &modules);
    assert_eq!(below(&found, &modules).len(), 1);
    let found = edges(
        Path::new("dynamics/mod.rs"),
        "use crate::scene::Scene;\n",
        &modules,
    );
    assert_eq!(found.len(), 1);
    assert!(below(&found, &modules).is_empty());
}

#[test]
fn checker_expands_groups_and_sees_paths_in_code() {
    let source =
        "use crate::{math::{self, Vec3 as V}, dynamics};\nfn f() {\n    crate::scene::g();\n}\n";
    let found = uses("scene/build.rs", source);
    let to: Vec<(&str, usize)> = found
        .iter()
        .map(|(_, to, line)| (to.as_str(), *line))
        .collect();
    assert_eq!(
        to,
        [("math", 1), ("math", 1), ("dynamics", 1), ("scene", 3)]
    );
}

#[test]
fn checker_follows_super_out_of_files_and_inline_modules() {
    assert_eq!(uses("math/mod.rs", "use super::scene::X;")[0].1, "scene");
    assert_eq!(uses("math/pose.rs", "use super::real::X;")[0].1, "math");
    assert_eq!(
        uses(
            "math/pose.rs",
            "mod tests { use super::super::super::scene; }"
        )[0]
        .1,
        "scene"
    );
    assert_eq!(
        uses(
            "math/pose.rs",
            "mod tests { use super::X; }\nuse super::super::dynamics;"
        )[1]
        .1,
        "dynamics"
    );
}

#[test]
fn checker_ignores_comments_literals_and_lifetimes() {
    let source = r####"
//! [`crate::dynamics`]
/* crate::dynamics /* crate::dynamics */ crate::dynamics */
const A: &str = "crate::dynamics \" crate::dynamics";
const B: &str = r#"crate::dynamics " crate::dynamics"#;
const C: char = '"'; const D: char = '\''; const E: char = '\u{22}';
fn f<'a>(x: &'a str) -> &'a str { crate::math::g(x) }
"####;
    assert_eq!(
        uses("scene/mod.rs", source),
        [("scene".to_owned(), "math".to_owned(), 7)]
    );
}
