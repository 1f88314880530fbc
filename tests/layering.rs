//! Modules of fmu-core use only those above them in the map of lib.rs; the same holds inside the
//! folders of [`ORDERED`], by the map of each mod.rs. Folders of fmu-build use only those that
//! [`allowed_in_tool`] names.
//!
//! A map is the list ``//! - [`name`]: what it is`` in a module's documentation, in the order in which
//! data flows. A use is a path that starts with `crate`, `super` or `self`, in a `use` item, in code or
//! among the tokens of a macro. It counts between the two modules at which the paths of user and used
//! part; where that is an item which the folder re-exports, the module that defines it counts.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, Macro, UseTree, Visibility};

/// Folders of fmu-core in which the order of each map holds, with all folders inside them.
const ORDERED: [&str; 3] = ["dynamics", "scene", "contact"];

/// Path of a module or an item from the root of its crate.
type Name = Vec<String>;

/// Folder, user and used; `mod` is the folder's own file.
type Arrow = (String, String, String);

/// Modules of a crate, what they use and what their `use` items name.
#[derive(Default)]
struct Crate {
    /// The modules that are files, each with its map.
    maps: BTreeMap<Name, Name>,
    /// User and used of each path, as written.
    uses: BTreeSet<(Name, Name)>,
    /// Names that `use` items bring into a module, and what they stand for.
    aliases: BTreeMap<Name, Name>,
    /// The module that is being read.
    here: Name,
}

impl Crate {
    fn read(package: &str) -> Self {
        let mut read = Self::default();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        read.folder(&root.join(package).join("src"), &[]);
        read
    }

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
        self.here = module.to_vec();
        self.visit_file(&syn::parse_file(source).expect("Rust source"));
    }

    /// A path from the root; none if it starts with the name of a crate, a child or a variable.
    fn absolute(&self, path: &[String]) -> Option<Name> {
        let mut name = match path[0].as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.here.clone(),
            _ => return None,
        };
        for part in path {
            match part.as_str() {
                "crate" | "self" => {}
                "super" => drop(name.pop()),
                part => name.push(part.to_owned()),
            }
        }
        Some(name)
    }

    fn add(&mut self, path: &[String]) {
        if let Some(used) = self.absolute(path) {
            self.uses.insert((self.here.clone(), used));
        }
    }

    fn add_tree(&mut self, tree: &UseTree, prefix: &[String]) {
        let (part, alias) = match tree {
            UseTree::Path(x) => {
                return self.add_tree(&x.tree, &[prefix, &[x.ident.to_string()]].concat());
            }
            UseTree::Group(x) => return x.items.iter().for_each(|x| self.add_tree(x, prefix)),
            UseTree::Glob(_) => return self.add(prefix),
            UseTree::Name(x) => (&x.ident, &x.ident),
            UseTree::Rename(x) => (&x.ident, &x.rename),
        };
        let path = [prefix, &[part.to_string()]].concat();
        self.add(&path);
        let below = || [&self.here[..], &path].concat();
        let target = self.absolute(&path).unwrap_or_else(below);
        let name = [&self.here[..], &[alias.to_string()]].concat();
        if name != target {
            self.aliases.insert(name, target);
        }
    }

    /// What a use means between the children of a folder; none if it stays inside one of them.
    fn arrow(&self, user: &Name, used: &Name) -> Option<Arrow> {
        let mut used = used.clone();
        loop {
            let same = user.iter().zip(&used).take_while(|(a, b)| a == b).count();
            // Inline modules are part of their file, and fixtures of the root are for tests.
            let from = self
                .maps
                .contains_key(user.get(..=same)?)
                .then(|| &user[same])?;
            let to = match used.get(..=same) {
                Some(to) if self.maps.contains_key(to) => &used[same],
                Some(to) if self.aliases.contains_key(to) => {
                    used = [&self.aliases[to], &used[same + 1..]].concat();
                    continue;
                }
                _ if same == 0 => return None,
                _ => "mod",
            };
            return Some((user[..same].join("::"), from.clone(), to.to_owned()));
        }
    }

    fn arrows(&self) -> BTreeSet<Arrow> {
        let uses = self.uses.iter();
        uses.filter_map(|(user, used)| self.arrow(user, used))
            .collect()
    }

    /// Whether a use goes up in the map of its folder, which must list all modules and no others.
    fn goes_up(&self, (folder, from, to): &Arrow) -> bool {
        let of = |name: &Name| name.join("::");
        let map = self.maps.iter().find(|(name, _)| of(name) == *folder);
        let map = map.expect("a module").1;
        let parent =
            |name: &&Name| !name.is_empty() && name[..name.len() - 1].join("::") == *folder;
        let children: BTreeSet<_> = self
            .maps
            .keys()
            .filter(parent)
            .flat_map(|x| x.last())
            .collect();
        let listed = map.iter().collect();
        assert_eq!(
            children, listed,
            "the map of `{folder}` is not that of its modules"
        );
        let place = |name| map.iter().position(|listed| listed == name);
        place(to).is_some_and(|to| Some(to) <= place(from))
    }
}

impl<'ast> Visit<'ast> for Crate {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.here.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.here.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add_tree(&item.tree, &[]);
    }

    // `pub(super)` is no use.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts = path.segments.iter().map(|part| part.ident.to_string());
        self.add(&parts.collect::<Name>());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        paths_in(item.tokens.clone(), &mut |path| self.add(path));
    }
}

/// Calls `found` with each sequence of identifiers joined by `::` in tokens.
fn paths_in(tokens: TokenStream, found: &mut impl FnMut(&[String])) {
    let mut path = Name::new();
    let mut colons = 0;
    for token in tokens {
        if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == ':') {
            colons += 1;
            continue;
        }
        let goes_on = colons == 2 && matches!(token, TokenTree::Ident(_));
        if !goes_on && !path.is_empty() {
            found(&path);
            path.clear();
        }
        colons = 0;
        match token {
            TokenTree::Ident(name) => path.push(name.to_string()),
            TokenTree::Group(group) => paths_in(group.stream(), found),
            _ => {}
        }
    }
    if !path.is_empty() {
        found(&path);
    }
}

fn list<'a>(arrows: impl IntoIterator<Item = &'a Arrow>) -> String {
    let line = |(folder, from, to): &Arrow| format!("\n  {folder}: `{from}` uses `{to}`");
    arrows.into_iter().map(line).collect()
}

#[test]
fn fmu_core_modules_use_only_modules_above_them() {
    let read = Crate::read("fmu-core");
    let mut back = read.arrows();
    assert!(back.len() > 100, "the uses were not understood: {back:?}");
    back.retain(|arrow| {
        let top = arrow.0.split("::").next().expect("a first part");
        (top.is_empty() || ORDERED.contains(&top)) && !read.goes_up(arrow)
    });
    assert!(back.is_empty(), "arrows back:{}", list(&back));
}

/// What fmu-build's lib.rs says: `command` uses all, `report` knows the results of `host`,
/// `scene_file` uses `mesh`, all may use `number`, and the others do not know each other.
fn allowed_in_tool((folder, from, to): &Arrow) -> bool {
    let pairs = [
        ("report", "host"),
        ("scene_file", "mesh"),
        ("cli", "command"),
    ];
    !folder.is_empty()
        || from == "command"
        || to == "number"
        || pairs.contains(&(from.as_str(), to.as_str()))
}

#[test]
fn fmu_build_modules_know_only_what_its_map_says() {
    let mut arrows = Crate::read("fmu-build").arrows();
    arrows.retain(|arrow| !allowed_in_tool(arrow));
    assert!(
        arrows.is_empty(),
        "fmu-build's modules know too much:{}",
        list(&arrows)
    );
}

#[test]
fn uses_are_found_in_groups_code_and_macros_and_through_re_exports() {
    let mut read = Crate::default();
    for (module, source) in [
        ("", "//! - [`a`]: first\n//! - `b`: second"),
        (
            "a",
            "//! - [`x`]: first\n//! - `y`: second\npub use y::Item;",
        ),
        (
            "a::x",
            "use super::{Item as I, y::{self}};\nmod tests { use super::super::y; }",
        ),
        (
            "a::y",
            "fn f() { g!(1, [crate::a::x::z::<T>()]); }\n// crate::b\nstatic C: &str = \"crate::b\";",
        ),
        (
            "b",
            "pub(super) fn f(i: crate::a::Item) -> crate::a::Own {}",
        ),
    ] {
        let parts = module.split("::").filter(|part| !part.is_empty());
        read.file(source, &parts.map(String::from).collect::<Name>());
    }
    let found = read.arrows();
    assert_eq!(
        list(&found),
        "\n  : `b` uses `a`\n  a: `x` uses `y`\n  a: `y` uses `x`"
    );
    let up: Vec<bool> = found.iter().map(|arrow| read.goes_up(arrow)).collect();
    assert_eq!(up, [true, false, true]);
}
