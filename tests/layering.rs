//! Modules of the crates of [`LAYERED`] use only those above them in the map of lib.rs; the same holds inside
//! the folders of [`ORDERED`], by the map of each mod.rs. Folders of fmu-build use only those that its
//! test names.
//!
//! A map is the list ``//! - [`name`]: what it is`` in a module's documentation, in the order in
//! which data flows. A use is a path that starts with `crate`, `super` or `self`, in a `use` item,
//! in code or among the tokens of a macro. It counts between the two modules at which the paths of
//! user and used part; where that is an item which the folder re-exports, the module that defines
//! it counts.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, Macro, UseTree, Visibility};

/// The crates of the FMU binary and those below the tool, bottom up, as cargo holds them.
const LAYERED: [&str; 6] = [
    "fmu-core/geometry",
    "fmu-core/laws",
    "fmu-core/model",
    "fmu-core",
    "fmu-build/host",
    "fmu-build/view",
];

/// Folders of these in which the order of each map holds, with all folders inside them; "" is the
/// root.
const ORDERED: [&str; 5] = ["", "dynamics", "scene", "contact", "shapes"];

/// Path of a module or an item from the root of its crate.
type Name = Vec<String>;

/// Folder, user and used; `mod` is the folder's own file.
type Arrow = (Name, String, String);

/// Modules of a crate, what they use and what their `use` items name.
#[derive(Default)]
struct Crate {
    /// The modules that are files, each with its map.
    maps: BTreeMap<Name, Name>,
    /// User and used of each path, as written.
    uses: Vec<(Name, Name)>,
    /// Names that `use` items bring into a module, and what they stand for.
    aliases: BTreeMap<Name, Name>,
    /// The module that is being read, and the file that it is in.
    here: Name,
    file: Name,
}

impl Crate {
    fn folder(&mut self, folder: &Path, module: &[String]) {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let stem = path.file_stem().expect("a name").to_string_lossy();
            let child = [module, &[stem.to_string()]].concat();
            if path.is_dir() {
                self.folder(&path, &child);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let own = matches!(&*stem, "mod" | "lib" | "main");
                let source = fs::read_to_string(&path).expect("UTF-8 source");
                self.file(&source, if own { module } else { &child });
            }
        }
    }

    fn file(&mut self, source: &str, module: &[String]) {
        let items = source.lines().filter_map(|x| x.strip_prefix("//! - "));
        let names =
            items.filter_map(|x| x.trim_start_matches('[').strip_prefix('`')?.split_once('`'));
        let map = names.map(|(name, _)| name.to_owned()).collect();
        self.maps.insert(module.to_vec(), map);
        (self.here, self.file) = (module.to_vec(), module.to_vec());
        self.visit_file(&syn::parse_file(source).expect("Rust source"));
    }

    /// A path from the root; none if it starts with the name of a crate, a child or a variable.
    fn absolute(&self, path: &[String]) -> Option<Name> {
        let mut name = self.here.clone();
        for part in path {
            match part.as_str() {
                "crate" => name.clear(),
                "self" => {}
                "super" => drop(name.pop()),
                part => name.push(part.to_owned()),
            }
        }
        let starts = ["crate", "self", "super"].contains(&path[0].as_str());
        starts.then_some(name)
    }

    fn add(&mut self, path: &[String]) {
        let used = self.absolute(path);
        self.uses.extend(used.map(|used| (self.file.clone(), used)));
    }

    fn add_tree(&mut self, tree: &UseTree, mut path: Name) {
        let (part, alias) = match tree {
            UseTree::Path(x) => {
                path.push(x.ident.to_string());
                return self.add_tree(&x.tree, path);
            }
            UseTree::Group(x) => {
                return x.items.iter().for_each(|x| self.add_tree(x, path.clone()));
            }
            UseTree::Glob(_) => return self.add(&path),
            UseTree::Name(x) => (&x.ident, &x.ident),
            UseTree::Rename(x) => (&x.ident, &x.rename),
        };
        path.push(part.to_string());
        self.add(&path);
        let target = self.absolute(&path);
        let target = target.unwrap_or_else(|| [&self.here[..], &path].concat());
        let name = [&self.here[..], &[alias.to_string()]].concat();
        if name != target {
            self.aliases.insert(name, target);
        }
    }

    /// What a use means between the children of a folder; none if it stays inside one of them.
    fn arrow(&self, user: &Name, used: &Name) -> Option<Arrow> {
        let same = user.iter().zip(used).take_while(|(a, b)| a == b).count();
        let from = user.get(same)?;
        let to = match used.get(..=same) {
            Some(to) if self.maps.contains_key(to) => &used[same],
            Some(to) if self.aliases.contains_key(to) => {
                let used = [&self.aliases[to], &used[same + 1..]].concat();
                return self.arrow(user, &used);
            }
            // Fixtures of the root are for tests.
            _ if same == 0 => return None,
            _ => "mod",
        };
        Some((user[..same].to_vec(), from.clone(), to.to_owned()))
    }

    fn arrows(&self) -> BTreeSet<Arrow> {
        let uses = self.uses.iter();
        uses.filter_map(|(user, used)| self.arrow(user, used))
            .collect()
    }

    /// Whether a use goes up in the map of its folder, which must list all modules and no others.
    fn goes_up(&self, (folder, from, to): &Arrow) -> bool {
        let map = &self.maps[folder];
        let modules = self.maps.keys().filter_map(|name| name.split_last());
        let children = modules.filter(|(_, parent)| parent == folder);
        let children: BTreeSet<_> = children.map(|(name, _)| name).collect();
        let listed = map.iter().collect();
        assert_eq!(children, listed, "{folder:?}: modules and map");
        let index = |name| map.iter().position(|listed| listed == name);
        index(to).is_some_and(|to| Some(to) <= index(from))
    }
}

impl<'ast> Visit<'ast> for Crate {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.here.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.here.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add_tree(&item.tree, Name::new());
    }

    // `pub(super)` is no use.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts = path.segments.iter().map(|part| part.ident.to_string());
        self.add(&parts.collect::<Name>());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        let text = spaced(item.tokens.clone()).replace(" ::", "::");
        for path in text.split_whitespace() {
            let parts = path.trim_matches(':').split("::");
            self.add(&parts.map(String::from).collect::<Name>());
        }
    }
}

/// Identifiers and colons of tokens, with spaces for all else.
fn spaced(tokens: TokenStream) -> String {
    let text = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) => format!("{name} "),
        TokenTree::Punct(sign) if sign.as_char() == ':' => ":".to_owned(),
        TokenTree::Group(group) => format!("  {}  ", spaced(group.stream())),
        _ => "  ".to_owned(),
    });
    text.collect()
}

/// The uses of a package that are not allowed, one a line.
fn refused(package: &str, is_allowed: impl Fn(&Crate, &Arrow) -> bool) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut read = Crate::default();
    read.folder(&root.join(package).join("src"), &[]);
    let mut arrows = read.arrows();
    assert!(arrows.len() > 5, "not understood: {arrows:?}");
    arrows.retain(|arrow| !is_allowed(&read, arrow));
    list(&arrows)
}

fn list(arrows: &BTreeSet<Arrow>) -> String {
    let line = |(folder, from, to): &Arrow| format!("{}: {from} uses {to}\n", folder.join("::"));
    arrows.iter().map(line).collect()
}

#[test]
fn modules_of_layered_crates_use_only_modules_above_them() {
    for package in LAYERED {
        let back = refused(package, |read, arrow| {
            let top = arrow.0.first().map_or("", String::as_str);
            !ORDERED.contains(&top) || read.goes_up(arrow)
        });
        assert_eq!(back, "", "{package}");
    }
}

/// What fmu-build's lib.rs says: `command` uses all, `scene_file` uses `mesh`, the others do not know each
/// other.
#[test]
fn fmu_build_modules_know_only_what_its_map_says() {
    let too_much = refused("fmu-build", |_, (folder, from, to)| {
        let is_allowed = matches!(
            (from.as_str(), to.as_str()),
            ("command", _) | ("scene_file", "mesh") | ("cli", "command")
        );
        is_allowed || !folder.is_empty()
    });
    assert_eq!(too_much, "");
}

#[test]
fn uses_are_found_in_groups_code_and_macros_and_through_re_exports() {
    let mut read = Crate::default();
    let mut file = |module: &str, source| {
        let parts = module.split_terminator("::").map(String::from);
        read.file(source, &parts.collect::<Name>());
    };
    file("", "//! - [`a`]: first\n//! - `b`: second");
    file(
        "a",
        "//! - [`x`]: first\n//! - `y`: second\npub use y::Item;",
    );
    file(
        "a::x",
        "use super::{Item as I, y::{self}};\nmod t { use super::super::y; }",
    );
    file("a::y", "fn f() { g!(1, [i: crate::a::x::z::<T>()]); }");
    file("a::y::z", "// crate::b\nstatic C: &str = \"crate::b\";");
    file(
        "b",
        "pub(super) fn f(i: crate::a::Item) -> crate::a::Own {}",
    );
    let found = read.arrows();
    let expected = ": b uses a\na: x uses y\na: y uses x\n";
    assert_eq!(list(&found), expected);
    let up: Vec<bool> = found.iter().map(|arrow| read.goes_up(arrow)).collect();
    assert_eq!(up, [true, false, true]);
}
