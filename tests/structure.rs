//! Structure of the crates, as far as neither cargo nor clippy checks it: files of a crate use each other
//! in no circle, a type name exists once in a crate, no function takes a tuple, files have at most
//! [`LONGEST`] lines of code, and neither lines nor files of a crate exceed its ceiling in [`CRATES`].
//!
//! Files are those that the modules of `lib.rs` name, without tests. A use is a path in a `use` item, in
//! code or among the tokens of a macro. It counts for the file that defines the item: a re-export is
//! followed, and is no use itself.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use syn::visit::{self, Visit};
use syn::{
    Attribute, FnArg, ImplItemFn, Item, ItemImpl, ItemMod, ItemUse, Macro, Type, UseTree,
    Visibility,
};

/// Each crate with its ceilings: lines of code and files. They only go down, or up in a commit of its own
/// that gives the reason.
const CRATES: [(&str, usize, usize); 9] = [
    ("fmu-core/geometry", 19_105, 66),
    ("fmu-core/laws", 7_560, 32),
    ("fmu-core/model", 27_955, 98),
    ("fmu-core", 9_630, 34),
    ("fmu-build/host", 4_910, 23),
    ("fmu-build/view", 3_970, 16),
    ("fmu-build/mesh", 3_075, 12),
    ("fmu-build/python", 725, 4),
    ("fmu-build", 18_110, 70),
];
/// Lines of code of a file at most.
const LONGEST: usize = 900;

/// Path of a module or an item from the root of its crate.
type Name = Vec<String>;

/// The modules of a crate, what they use and what they define.
#[derive(Default)]
struct Crate {
    /// Each module with the one that is its file: itself, or for an inline module the one around it.
    modules: BTreeMap<Name, Name>,
    /// Lines of code of each file.
    lines: BTreeMap<Name, usize>,
    /// File and module of each path, and the path as written.
    uses: Vec<(Name, Name, Name)>,
    /// Names that `use` items bring into a module, with the module and the path that they stand for.
    aliases: BTreeMap<Name, (Name, Name)>,
    /// Files that define a type of each name.
    types: BTreeMap<String, Vec<Name>>,
    /// Functions that take a tuple.
    tuples: Vec<String>,
    /// The module that is being read, and its file.
    here: Name,
    file: Name,
}

impl Crate {
    /// Reads the file of a module and those of the modules in it, which lie in the folder.
    fn read(&mut self, path: &Path, folder: &Path, module: &[String]) {
        let source = fs::read_to_string(path).expect("UTF-8 source");
        for name in self.parse(&source, module) {
            let child = [module, std::slice::from_ref(&name)].concat();
            let inside = folder.join(&name);
            let file = [inside.with_extension("rs"), inside.join("mod.rs")];
            let file = file.iter().find(|file| file.exists());
            let file = file.unwrap_or_else(|| panic!("no file of {}", shown(&child)));
            self.read(file, &inside, &child);
        }
    }

    /// Reads the source of a module and returns the names of the modules in it that are files.
    fn parse(&mut self, source: &str, module: &[String]) -> Vec<String> {
        (self.here, self.file) = (module.to_vec(), module.to_vec());
        self.modules.insert(module.to_vec(), module.to_vec());
        self.lines.insert(module.to_vec(), lines_of_code(source));
        let file = syn::parse_file(source).expect("Rust source");
        self.visit_file(&file);
        let files = file.items.into_iter().filter_map(|item| match item {
            Item::Mod(x) if x.content.is_none() && !is_test(&x.attrs) => Some(x.ident.to_string()),
            _ => None,
        });
        files.collect()
    }

    fn use_path(&mut self, path: Name) {
        self.uses.push((self.file.clone(), self.here.clone(), path));
    }

    /// Each path of a `use` item. A re-export only gives a name.
    fn use_tree(&mut self, tree: &UseTree, mut path: Name, is_use: bool) {
        let (part, alias) = match tree {
            UseTree::Path(x) => {
                path.push(x.ident.to_string());
                return self.use_tree(&x.tree, path, is_use);
            }
            UseTree::Group(x) => {
                let each = |tree| self.use_tree(tree, path.clone(), is_use);
                return x.items.iter().for_each(each);
            }
            UseTree::Glob(_) if is_use => return self.use_path(path),
            UseTree::Glob(_) => return,
            UseTree::Name(x) => (&x.ident, &x.ident),
            UseTree::Rename(x) => (&x.ident, &x.rename),
        };
        let alias = if alias == "self" {
            path.last().cloned()
        } else {
            Some(alias.to_string())
        };
        if part != "self" {
            path.push(part.to_string());
        }
        let name = [&self.here[..], &[alias.expect("a name")]].concat();
        self.aliases.insert(name, (self.here.clone(), path.clone()));
        if is_use {
            self.use_path(path);
        }
    }

    /// The file that defines what a path in a module names; `None` for another crate, a type or a variable.
    fn defining_file(&self, here: &[String], path: &[String], depth: usize) -> Option<&Name> {
        let (first, mut rest) = path.split_first()?;
        let mut at = here.to_vec();
        match first.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                at.pop();
                while rest.first().is_some_and(|part| part == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            _ => rest = path,
        }
        let is_relative = rest.len() == path.len();
        while let Some((part, after)) = rest.split_first() {
            let next = [&at[..], std::slice::from_ref(part)].concat();
            if self.modules.contains_key(&next) {
                (at, rest) = (next, after);
                continue;
            }
            let alias = self.aliases.get(&next).filter(|_| depth < 8);
            if let Some((module, target)) = alias.filter(|(_, target)| target[..] != *path) {
                let target = [target, after].concat();
                return self.defining_file(module, &target, depth + 1);
            }
            break;
        }
        let names_nothing = is_relative && at == here;
        (!names_nothing).then(|| &self.modules[&at])
    }

    /// User and used of all uses between files.
    fn arrows(&self) -> BTreeSet<(&Name, &Name)> {
        let uses = self.uses.iter().filter_map(|(file, here, path)| {
            let used = self.defining_file(here, path, 0)?;
            (used != file).then_some((file, used))
        });
        uses.collect()
    }

    /// The arrows that are left without files that use no other or that no other uses.
    fn circles(&self) -> String {
        let mut arrows = self.arrows();
        loop {
            let users: BTreeSet<_> = arrows.iter().map(|x| x.0).collect();
            let used: BTreeSet<_> = arrows.iter().map(|x| x.1).collect();
            let before = arrows.len();
            arrows.retain(|x| users.contains(x.1) && used.contains(x.0));
            if arrows.len() == before {
                break;
            }
        }
        let line = |(from, to): &(&Name, &Name)| format!("{} uses {}\n", shown(from), shown(to));
        arrows.iter().map(line).collect()
    }

    /// The type names that exist more than once, with their files.
    fn repeated_types(&self) -> String {
        let repeated = self.types.iter().filter(|(_, files)| files.len() > 1);
        let line = |(name, files): (&String, &Vec<Name>)| {
            let files: Vec<_> = files.iter().map(|file| shown(file)).collect();
            format!("{name}: {}\n", files.join(", "))
        };
        repeated.map(line).collect()
    }

    fn signature(&mut self, signature: &syn::Signature) {
        let takes_tuple = signature.inputs.iter().any(|input| match input {
            FnArg::Typed(argument) => is_tuple(&argument.ty),
            FnArg::Receiver(_) => false,
        });
        if takes_tuple {
            let name = format!("{}::{}\n", shown(&self.file), signature.ident);
            self.tuples.push(name);
        }
    }
}

/// Calls a visitor of [`visit`] for an item that is no test.
macro_rules! product {
    ($($visit:ident($item:ty) |$self:ident, $name:ident| $body:block)*) => {
        $(fn $visit(&mut $self, $name: &'ast $item) {
            if !is_test(&$name.attrs) {
                $body
                visit::$visit($self, $name);
            }
        })*
    };
}

impl<'ast> Visit<'ast> for Crate {
    product! {
        visit_item_fn(syn::ItemFn) |self, item| { self.signature(&item.sig); }
        visit_trait_item_fn(syn::TraitItemFn) |self, item| { self.signature(&item.sig); }
        visit_item_const(syn::ItemConst) |self, item| {}
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Struct(x) if !is_test(&x.attrs) => Some(&x.ident),
            Item::Enum(x) if !is_test(&x.attrs) => Some(&x.ident),
            Item::Union(x) if !is_test(&x.attrs) => Some(&x.ident),
            Item::Trait(x) if !is_test(&x.attrs) => Some(&x.ident),
            Item::Type(x) if !is_test(&x.attrs) => Some(&x.ident),
            _ => None,
        };
        if let Some(name) = name {
            let files = self.types.entry(name.to_string()).or_default();
            files.push(self.file.clone());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_some() && !is_test(&item.attrs) {
            self.here.push(item.ident.to_string());
            self.modules.insert(self.here.clone(), self.file.clone());
            visit::visit_item_mod(self, item);
            self.here.pop();
        }
    }

    // What a foreign trait's function takes is not ours to choose.
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if is_test(&item.attrs) {
            return;
        }
        if item.trait_.is_none() {
            let functions = item.items.iter().filter_map(|item| match item {
                syn::ImplItem::Fn(function) if !is_test(&function.attrs) => Some(function),
                _ => None,
            });
            functions.for_each(|function| self.signature(&function.sig));
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_test(&item.attrs) {
            let is_use = matches!(item.vis, Visibility::Inherited);
            self.use_tree(&item.tree, Name::new(), is_use);
        }
    }

    // `pub(super)` is no use.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    // Links in documentation are none either.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts = path.segments.iter().map(|part| part.ident.to_string());
        self.use_path(parts.collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        let text = spaced(item.tokens.clone()).replace(" ::", "::");
        for path in text.split_whitespace() {
            let parts = path.trim_matches(':').split("::");
            self.use_path(parts.map(String::from).collect());
        }
    }
}

/// Whether an item is compiled for tests only; product files have no attribute `path`.
fn is_test(attributes: &[Attribute]) -> bool {
    if attributes.iter().any(|x| x.path().is_ident("path")) {
        return true;
    }
    let cfg = attributes.iter().filter(|x| x.path().is_ident("cfg"));
    let mut words = cfg.filter_map(|x| x.parse_args::<syn::Path>().ok());
    words.any(|word| word.is_ident("test"))
}

fn is_tuple(of: &Type) -> bool {
    match of {
        Type::Tuple(x) => !x.elems.is_empty(),
        Type::Reference(x) => is_tuple(&x.elem),
        _ => false,
    }
}

/// Lines that are neither empty nor comments, up to the tests at the end.
fn lines_of_code(source: &str) -> usize {
    let product = source.split("\n#[cfg(test)]\nmod tests {").next();
    let lines = product.unwrap_or_default().lines().map(str::trim);
    lines
        .filter(|x| !x.is_empty() && !x.starts_with("//"))
        .count()
}

fn shown(module: &[String]) -> String {
    if module.is_empty() {
        "lib".to_owned()
    } else {
        module.join("::")
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

/// Each crate of [`CRATES`] as read.
static READ: LazyLock<Vec<Crate>> = LazyLock::new(|| {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = CRATES.map(|(name, ..)| {
        let mut read = Crate::default();
        let folder = root.join(name).join("src");
        read.read(&folder.join("lib.rs"), &folder, &[]);
        read
    });
    read.into()
});

/// The rows of [`CRATES`], each with what was read.
fn crates() -> impl Iterator<Item = (&'static (&'static str, usize, usize), &'static Crate)> {
    CRATES.iter().zip(READ.iter())
}

#[test]
fn files_of_a_crate_use_each_other_in_no_circle() {
    for ((name, ..), read) in crates() {
        assert!(read.arrows().len() > 3, "not understood: {name}");
        assert_eq!(read.circles(), "", "{name}");
    }
}

#[test]
fn a_type_name_exists_once_in_a_crate() {
    for ((name, ..), read) in crates() {
        assert_eq!(read.repeated_types(), "", "{name}");
    }
}

#[test]
fn no_function_takes_a_tuple() {
    for ((name, ..), read) in crates() {
        assert_eq!(read.tuples.concat(), "", "{name}");
    }
}

#[test]
fn crates_and_files_keep_within_their_ceilings() {
    for (&(name, lines, files), read) in crates() {
        for (file, &length) in &read.lines {
            assert!(length <= LONGEST, "{name}, {}: {length} lines", shown(file));
        }
        let sum: usize = read.lines.values().sum();
        assert!(sum <= lines, "{name}: {sum} lines, ceiling {lines}");
        assert!(
            read.lines.len() <= files,
            "{name}: {} files, ceiling {files}",
            read.lines.len()
        );
    }
}

#[test]
fn uses_are_found_in_groups_code_and_macros_and_through_re_exports() {
    let mut read = Crate::default();
    let mut file = |module: &str, source| {
        let parts = module.split_terminator("::").map(String::from);
        read.parse(source, &parts.collect::<Name>());
    };
    file(
        "",
        "pub mod a; mod b; #[cfg(test)] mod tests { use crate::b; }",
    );
    file("a", "mod x; mod y; pub use y::Item; struct Own;");
    file(
        "a::x",
        "use super::{Item as I, y::{self}}; fn f() { y::z::g() }",
    );
    file(
        "a::y",
        "mod z; pub struct Item; fn f() { g!(1, [i: crate::a::x::C]); }",
    );
    file(
        "a::y::z",
        "// crate::b\nstatic C: &str = \"crate::b\"; pub(super) struct Item;",
    );
    file(
        "b",
        "pub(crate) fn f(i: crate::a::Item, (u, v): (u8, u8)) -> crate::a::Own {}",
    );
    let found = read.arrows();
    let found = found
        .iter()
        .map(|(from, to)| format!("{} uses {}\n", shown(from), shown(to)));
    let expected = "a::x uses a::y\na::x uses a::y::z\na::y uses a::x\nb uses a\nb uses a::y\n";
    assert_eq!(found.collect::<String>(), expected);
    assert_eq!(read.circles(), "a::x uses a::y\na::y uses a::x\n");
    assert_eq!(read.repeated_types(), "Item: a::y, a::y::z\n");
    assert_eq!(read.tuples.concat(), "b::f\n");
}

#[test]
fn lines_of_code_are_those_before_the_tests() {
    let source =
        "//! A file.\n\nfn f() {\n    // none\n}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";
    assert_eq!(lines_of_code(source), 2);
}
